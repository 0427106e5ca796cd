"""Maps on disk: costs and relatedness as a square, agreement as a list; CSV, TSV or NPZ.

    # map: cost map
    # source: tags of photos; normalised by max; 1 − relatedness
    # date: 2011-03-01
    # counts: photos=18000
    # hash: 0d9f2c…
    concept,cat,dog
    cat,0.0,0.25
    dog,0.25,0.0

The lines before the header say what the map is and where it comes from; none is needed. Where there
is a hash, the values must be those that it was made of. Numbers are written so that they read back
bit for bit. An agreement map has the header concept,value. NPZ holds the arrays values and
concepts, and the same words as strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from cranfield.core.axes import Axis
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import report
from cranfield.formats.delimited import line_of
from cranfield.formats.folder import MAP_ENDINGS, MAP_FOLDERS
from cranfield.formats.gather import Items, Stack
from cranfield.formats.lines import Layout, MalformedError, decoded
from cranfield.formats.problems import KEPT, Findings, IncompleteError, Problems, shown
from cranfield.formats.source import Source, Target, opened, written
from cranfield.formats.stored_arrays import (
    as_strings,
    ids_of,
    read_npz,
    telling,
    word_of,
    write_npz,
)
from cranfield.formats.table import Table, concept_columns
from cranfield.knowledge import AgreementMap, ConceptMap, CostMap, Provenance, RelatednessMap

_Map = TypeVar("_Map", bound=ConceptMap)

_VALUE = "value"


def read_costs(path: str | Path, *, name: str | None = None) -> CostMap:
    """A cost map from a file; options as for `read_map`."""
    return read_map(CostMap, path, name=name)


def read_relatedness(path: str | Path, *, name: str | None = None) -> RelatednessMap:
    """A relatedness map from a file; options as for `read_map`."""
    return read_map(RelatednessMap, path, name=name)


def read_agreement(path: str | Path) -> AgreementMap:
    """An agreement map from a file with the header concept,value."""
    return read_map(AgreementMap, path)


def read_map(
    kind: type[_Map], path: str | Path, *, name: str | None = None, covering: Axis | None = None
) -> _Map:
    """A map of some kind.

    name      what measures call it; default: the file's name without its extension
    covering  concepts that it must have values for
    """
    made = _read((kind,), path, name, covering, Problems(path))
    made.source = Path(path)
    return made


def read_costs_or_relatedness(path: str | Path) -> CostMap | RelatednessMap:
    """A map of pairs: costs if the file says so, else relatedness."""
    kinds: tuple[type[CostMap | RelatednessMap], ...] = (RelatednessMap, CostMap)
    return _read(kinds, path, None, None, Problems(path))


def is_map(path: str | Path) -> bool:
    """Whether a file is a map as `write_map` makes it: NPZ, or text that says what it is first."""
    with opened(path) as source:
        return _is_npz(source) or source.first_line.startswith(b"#")


def check_map(kind: type[ConceptMap], path: str | Path, covering: Axis | None = None) -> Findings:
    """Everything that is wrong with a map."""
    problems = Problems(path, keep=KEPT)
    try:
        _read((kind,), path, None, covering, problems)
    except IncompleteError:
        pass
    except FileError as error:
        problems.add_error(error)
    return problems.findings()


def write_map(given: ConceptMap, path: str | Path) -> None:
    """Write a map with where it comes from, wholly or not at all: .csv, .tsv or .npz, and .gz.

    The folders `costs` and `relatedness` of a collection are made if they are not there.
    """
    path = Path(path)
    if path.parent.name in MAP_FOLDERS and path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)
    try:
        with written(path) as target:
            match target.extension:
                case ".npz":
                    _write_npz(given, target)
                case ".csv":
                    _write_text(given, target, ",")
                case ".tsv":
                    _write_text(given, target, "\t")
                case other:
                    raise InputError(
                        f"the extension {other!r} is no map's; use {', '.join(MAP_ENDINGS)}"
                    )
    except FileError:
        raise
    except InputError as error:
        raise error.in_file(path) from None


# -- Reading -----------------------------------------------------------------------------------


def _read(
    kinds: Sequence[type[_Map]],
    path: str | Path,
    name: str | None,
    covering: Axis | None,
    problems: Problems,
) -> _Map:
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, f"this is a folder; name the file of the {kinds[0].what}")
        if name is None:
            name = source.name if kinds[0].pairs else ""  # no measure asks for agreement by name
        read = (_read_npz if _is_npz(source) else _read_text)(kinds, source, name, problems)
    if covering is not None:
        problems.build(lambda: read.over(covering))
    return problems.build(lambda: read)


def _read_text(kinds: Sequence[type[_Map]], source: Source, name: str, problems: Problems) -> _Map:
    separator = _separator(source)
    table = Table(source, separator, problems, rows="concept")
    said, lines = statements(table, problems)
    kind = kind_stated(kinds, said)
    provenance = provenance_of(kind, said, lines, problems)
    problems.settle()
    columns = _columns(kind, table, problems)
    rows, cells = Items(problems, rows="concept"), Stack(len(columns), np.float64)
    low, high = kind.bounds

    def where(names: list[str], position: int) -> str:
        other = f" and {shown(columns[position])}" if kind.pairs else ""
        return f"concept {shown(names[0])}{other}"

    for chunk in table.chunks(
        Layout(separator, 1, len(columns)),
        where=where,
        expected=f"{len(columns)} as the header names" if kind.pairs else "one",
    ):
        chunk = rows.add(chunk)
        wrong = ~((chunk.values >= low) & (chunk.values <= high))
        report(wrong, chunk, problems, where=where, rule=f"every value must {kind.rule}")
        cells.add(chunk.values)
    if kind.pairs:
        _require_square(rows.lines, columns, table.header_line, problems)

    def make() -> _Map:
        values = cells.finished()
        if not kind.pairs:
            return kind(values[:, 0], rows.ids, name=name, provenance=provenance)
        positions = {name: position for position, name in enumerate(rows.lines)}
        order = [positions[name] for name in columns]
        return kind(values[order], columns, name=name, provenance=provenance)

    read = problems.build(make)
    require_unchanged(read, said.get("hash"), problems, line=lines.get("hash"))
    return read


def _is_npz(source: Source) -> bool:
    return source.head.startswith(b"PK\3\4") or source.extension == ".npz"


def _separator(source: Source) -> bytes:
    if source.extension in (".csv", ".tsv"):
        return b"," if source.extension == ".csv" else b"\t"
    header = next((line for line in source.head_lines() if not line.startswith(b"#")), b"")
    return b"\t" if b"\t" in header else b","


def _columns(kind: type[ConceptMap], table: Table, problems: Problems) -> tuple[str, ...]:
    if kind.pairs:
        return concept_columns(table, problems, rows="concept")
    header = table.header()
    if len(header) != 2 or header[0].casefold() != "concept":
        raise FileError(
            table.path,
            f"the header is {shown(','.join(header[:4]))}; write concept,{_VALUE}",
            line=table.header_line,
        )
    return (_VALUE,)


def _require_square(
    rows: Mapping[str, int], columns: tuple[str, ...], header_line: int, problems: Problems
) -> None:
    named = set(columns)
    unknown = [name for name in rows if name not in named]
    if unknown:
        problems.add(
            f"{several(len(unknown), 'concept')} without a column: {first_ten(unknown)}; add it to "
            "the header and to every line, or remove the line",
            line=rows[unknown[0]],
        )
    lacking = [name for name in columns if name not in rows]
    if lacking:
        problems.add(
            f"{several(len(lacking), 'column')} without a line: {first_ten(lacking)}; the map must "
            "be square, so add a line for each",
            line=header_line,
        )


def _read_npz(kinds: Sequence[type[_Map]], source: Source, name: str, problems: Problems) -> _Map:
    arrays = read_npz(source, ("values", "concepts", *STATEMENTS), main="values and concepts")
    with telling(source, "file"):
        words = ((key, word_of(arrays, key)) for key in STATEMENTS)
        said = {key: word for key, word in words if word is not None}
        kind = kind_stated(kinds, said)
        provenance = provenance_of(kind, said, {}, problems)
        if "values" not in arrays:
            raise InputError(f"there are no values, only {first_ten(arrays)}")
        values, concepts = arrays["values"], ids_of(arrays, "concepts")
    read = problems.build(lambda: kind(values, concepts, name=name, provenance=provenance))
    require_unchanged(read, said.get("hash"), problems, line=None)
    return read


# -- Writing -----------------------------------------------------------------------------------


def _write_text(given: ConceptMap, target: Target, separator: str) -> None:
    if given.axis.ids is None:
        raise InputError(
            f"{given.called} has no ids of concepts, which this format needs",
            mend="give {concepts}, or write .npz",
        )
    for key, words in stated(given).items():
        target.stream.write(f"# {key}: {words}\n".encode())
    for names, numbers in _rows(given):
        target.stream.write(line_of(names, numbers, separator))


def _rows(given: ConceptMap) -> Iterator[tuple[Iterable[str], list[str]]]:
    yield ("concept", *(given.concepts if given.pairs else (_VALUE,))), []
    for concept, row in zip(given.concepts, given.values, strict=True):
        yield (concept,), list(map(repr, np.atleast_1d(row).tolist()))


def _write_npz(given: ConceptMap, target: Target) -> None:
    ids = {} if given.axis.ids is None else {"concepts": as_strings(given.axis.ids)}
    words = {key: np.array(text) for key, text in stated(given).items()}
    write_npz(target, {"values": given.values, **ids, **words})


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
            "make costs of it: cf.formats.read_relatedness(file).costs(), or "
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
