"""What files of ontologies are made of: bytes and texts, links between nodes, groups of nodes."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from cranfield.core.pipes import readable
from cranfield.errors import FileError, first_ten
from cranfield.knowledge.hierarchy import CircleError, Hierarchy, Parents

_MOST_UNPACKED = 256 << 20
"""Bytes; an archive that holds more hides something, or is better unpacked first."""


def content(path: Path) -> bytes:
    """The bytes of a file; gzip is recognised by its first two, whatever the name."""
    try:
        data = readable(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.GzipFile(fileobj=BytesIO(data)).read(_MOST_UNPACKED + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileError(
            path, f"the gzip archive is broken ({error}); copy or pack the file again"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(path, f"cannot be read ({why}); check the name") from None
    if len(data) > _MOST_UNPACKED:
        raise FileError(
            path, f"unpacks to more than {_MOST_UNPACKED >> 20} MiB; unpack it if that is right"
        )
    if not data.strip():
        raise FileError(path, "the file is empty; it needs at least one concept")
    return data


def text(path: Path, data: bytes) -> str:
    """Bytes as text, with one kind of line end; a byte-order mark goes."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(path, "the text is UTF-16; save the file as UTF-8", line=1)
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        decoded = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(path, "the text is not UTF-8; save the file as UTF-8", line=line) from None
    if "\0" in decoded:
        line = decoded.count("\n", 0, decoded.index("\0")) + 1
        raise FileError(path, "there is a NUL byte; this is not plain text", line=line)
    return decoded


def suffix_of(path: Path) -> str:
    """The ending of a file's name in lower case, .gz left off."""
    return _unpacked(path).suffix.lower()


def name_of(path: Path) -> str:
    """The name of a file without .gz and without its ending."""
    return _unpacked(path).stem


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


class Links:
    """Which node stands below which, and on which line it says so."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[str, int] = {}
        """Where each node was first stated to be one."""
        self.above: dict[str, dict[str, int]] = {}
        """The parents of each node, and where that was first stated."""

    def add_node(self, node: str, line: int) -> None:
        if not node:
            self.refuse("the id is empty; name the concept", line)
        self.lines.setdefault(node, line)
        self.above.setdefault(node, {})

    def add_link(self, node: str, above: str, line: int) -> None:
        """A node stands below another one, which may follow later."""
        self.above[node].setdefault(above, line)

    def parents(self, how_to_add: str) -> Parents:
        """All links, if they make a hierarchy."""
        for node, found in self.above.items():
            for above, line in found.items():
                self.require(above, f"{first_ten([node])} stands below", line, how_to_add)
        parents = {node: tuple(found) for node, found in self.above.items()}
        try:
            Hierarchy(parents)
        except CircleError as error:
            last = max(self.above[node][above] for node, above in pairwise(error.ring))
            self.refuse(str(error), last)
        return parents

    def require(self, node: str, statement: str, line: int, how_to_add: str) -> None:
        """Refuse a statement about a node that is none."""
        if node not in self.lines:
            self.refuse(
                f"{statement} {first_ten([node])}, which is not in the file; mend its spelling, "
                f"or {how_to_add}",
                line,
            )

    def refuse(self, what: str, line: int) -> NoReturn:
        raise FileError(self.path, what, line=line)


def cliques(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Groups that hold the given pairs and no other, few of them, so that reports read well.

    Greedy: a group takes up whatever is paired with all that is in it already.
    """
    groups: list[tuple[str, ...]] = []
    beside: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first == second:
            groups.append((first, second))  # makes no sense, which the ontology will say
        else:
            beside.setdefault(first, {})[second] = None
            beside.setdefault(second, {})[first] = None
    index = {node: i for i, node in enumerate(beside)}
    covered: set[tuple[str, str]] = set()
    for first, others in beside.items():
        for second in others:
            if (first, second) in covered:
                continue
            group = [first, second]
            for other in sorted(others.keys() & beside[second].keys(), key=index.__getitem__):
                if all(other in beside[member] for member in group):
                    group.append(other)
            covered.update((a, b) for a in group for b in group)
            groups.append(tuple(sorted(group, key=index.__getitem__)))
    return groups


def outermost(hierarchy: Hierarchy, nodes: Sequence[str]) -> tuple[str, ...]:
    """Those of some nodes that stand below none of them."""
    return tuple(node for node in nodes if not hierarchy.ancestors[node].intersection(nodes))
