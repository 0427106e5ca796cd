"""What a map on disk says of itself: its kind, where it comes from, and the hash of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from cranfield.errors import InputError
from cranfield.formats.lines import MalformedError, decoded
from cranfield.formats.problems import Problems, shown
from cranfield.formats.table import Table
from cranfield.knowledge import AgreementMap, ConceptMap, CostMap, Provenance, RelatednessMap

_Map = TypeVar("_Map", bound=ConceptMap)

STATEMENTS = ("map", "source", "date", "counts", "hash")
"""What may be said, each once."""
_KINDS = tuple(kind.what for kind in (CostMap, RelatednessMap, AgreementMap))


def stated(given: ConceptMap) -> dict[str, str]:
    """What is written about a map."""
    return {"map": given.what, **given.provenance.stated(), "hash": given.digest}


def statements(table: Table, problems: Problems) -> tuple[dict[str, str], dict[str, int]]:
    """What comments say, and on which lines; those that say something else do not count."""
    said: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, comment in table.comments():
        try:
            key, colon, words = decoded(comment.lstrip(b"# \t")).partition(":")
        except MalformedError as error:
            problems.add(str(error), line=line)
            continue
        key = key.strip().casefold()
        if not colon or key not in STATEMENTS:
            continue
        if key in said:
            problems.add(f"{key} stands on line {lines[key]} already; keep one", line=line)
        else:
            said[key], lines[key] = words.strip(), line
    return said, lines


def kind_stated(kinds: Sequence[type[_Map]], said: Mapping[str, str]) -> type[_Map]:
    """The kind that a map says it is, if that is one of these; else the first of them."""
    return next((kind for kind in kinds if kind.what == said.get("map")), kinds[0])


def provenance_of(
    kind: type[ConceptMap], said: Mapping[str, str], lines: Mapping[str, int], problems: Problems
) -> Provenance:
    """Where a map says it comes from, if it is of the kind that is needed."""
    what = said.get("map", kind.what)
    if what != kind.what:
        problems.add(_confusion(kind, what), line=lines.get("map"))
    good: dict[str, str] = {}
    for key in ("source", "date", "counts"):
        try:
            Provenance.of({key: said.get(key, "")})
            good[key] = said.get(key, "")
        except InputError as error:
            problems.add(str(error), line=lines.get(key))
    return Provenance.of(good)


def _confusion(kind: type[ConceptMap], what: str) -> str:
    if what not in _KINDS:
        return f"map: {shown(what)} is no kind of map; write {kind.what}"
    hint = "give the right file"
    if (kind, what) == (CostMap, RelatednessMap.what):
        hint = (
            "make costs of it: cf.read_relatedness(file).costs(), or "
            "cranfield ontology costs --from FILE -o costs.csv"
        )
    return f"{kind.what} needed, {what} found; {hint}"


def require_unchanged(
    read: ConceptMap, expected: str | None, problems: Problems, *, line: int | None
) -> None:
    """A map must be what its hash was made of, if it has one."""
    if expected is not None and read.digest != expected:
        problems.add(
            f"the map has changed since it was written: its hash is {read.digest} and should be "
            f"{shown(expected)}; restore the file, or take the hash out of it to use it as it is",
            line=line,
        )
