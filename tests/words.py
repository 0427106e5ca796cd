"""Count the idiom of this code base: words that a practitioner would not type as a name.

    python tests/words.py [FOLDER …]     share by room, and the files with most of it

Idiom is the share of NAME tokens in Python files, keywords apart, that are one of `IDIOM`.
Codebases we admire have below one per cent; ours is to stay at or below two.
"""

from __future__ import annotations

import keyword
import sys
import tokenize
from collections import Counter
from pathlib import Path

IDIOM = frozenset(
    [
        "one",
        "found",
        "place",
        "known",
        "given",
        "said",
        "told",
        "wanted",
        "asked",
        "kept",
        "spare",
        "wish",
    ]
)
SOURCES = Path(__file__).parents[1] / "src" / "cranfield"


def counted(path: Path) -> tuple[int, int]:
    """Names in a file, and those that are idiom."""
    with path.open("rb") as stream:
        names = [
            token.string
            for token in tokenize.tokenize(stream.readline)
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string)
        ]
    return len(names), sum(name in IDIOM for name in names)


def share(paths: list[Path]) -> float:
    counts = [counted(path) for path in paths]
    return sum(idiom for _, idiom in counts) / max(1, sum(names for names, _ in counts))


def main(folders: list[Path]) -> None:
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    rooms: dict[str, list[Path]] = {}
    for path in paths:
        parts = path.relative_to(SOURCES).parts if path.is_relative_to(SOURCES) else path.parts
        rooms.setdefault(parts[0], []).append(path)
    for room, members in rooms.items():
        print(f"{share(members):7.2%}  {room}")
    print(f"{share(paths):7.2%}  all\n")
    for path, idiom in Counter({path: counted(path)[1] for path in paths}).most_common(15):
        print(f"{idiom:6}  {path}")


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]] or [SOURCES])
