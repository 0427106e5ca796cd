"""Writes a WordNet of a few synsets, in the format of the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

LICENCE = "  1 This is no WordNet 3.0 but a small one for tests.  \n"


class Noun(NamedTuple):
    """A synset: its words, its hypernyms by their first words, and its gloss."""

    words: Sequence[str]
    hypernyms: Sequence[str] = ()
    gloss: str = "something"


def write_wordnet(
    folder: Path,
    nouns: Sequence[Noun],
    *,
    counts: Mapping[str, int] | None = None,
    exceptions: str = "",
    line_end: str = "\n",
) -> Path:
    """A folder with nouns only; counts are those of first words."""
    offsets = {noun.words[0]: f"{1000 + 100 * i:08}" for i, noun in enumerate(nouns)}
    data = [_line(noun, offsets) for noun in nouns]
    senses: dict[str, list[str]] = {}
    for noun in nouns:
        for word in noun.words:
            senses.setdefault(word.lower(), []).append(offsets[noun.words[0]])
    index = [
        f"{lemma} n {len(found)} 0 {len(found)} 0 {' '.join(found)}"
        for lemma, found in sorted(senses.items())
    ]
    counted = [f"{word.lower()}%1:03:00:: 1 {n}" for word, n in (counts or {}).items()]
    files = {"data.noun": data, "index.noun": index, "cntlist.rev": counted}
    for name in ("verb", "adj", "adv"):
        files |= {f"data.{name}": [], f"index.{name}": [], f"{name}.exc": []}
    files["noun.exc"] = exceptions.splitlines()
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        licence = LICENCE if name.startswith(("data", "index")) else ""
        text = licence + "".join(f"{line}\n" for line in lines)
        (folder / name).write_bytes(text.replace("\n", line_end).encode())
    return folder


def _line(noun: Noun, offsets: Mapping[str, str]) -> str:
    words = " ".join(f"{word} 0" for word in noun.words)
    links = "".join(f" @ {offsets.get(name, name)} n 0000" for name in noun.hypernyms)
    start = f"{offsets[noun.words[0]]} 03 n {len(noun.words):02x} {words}"
    return f"{start} {len(noun.hypernyms):03}{links} | {noun.gloss}  "
