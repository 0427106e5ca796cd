"""Tables of concepts as CSV or TSV, with a header; `label` may be a further column.

concept,path    a dotted path for each concept, such as SceneDescription.Seasons.Spring: it
                stands below the concept whose path is SceneDescription.Seasons, or else below
                a category that has this path as its id
child,parent    (or concept,parent) a link on each line; an empty parent for what stands at the
                top, several lines for what has several parents. Every node is a concept. Where
                no line has an empty parent, the only parent without a line is the root.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError, first_ten, several
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.statements import Links, name_of, suffix_of, text

_HEADERS = (("concept", "path"), ("child", "parent"), ("concept", "parent"))
_DEEPEST_PATH = 100


class _Row(NamedTuple):
    line: int
    concept: str
    position: str
    """Its path, or its parent."""
    label: str


def read(path: Path, data: bytes) -> Ontology:
    """An ontology from the bytes of a table."""
    cells = _cells(path, text(path, data), "\t" if suffix_of(path) == ".tsv" else ",")
    line, header = next(cells, (1, []))
    columns = [name.lower() for name in header]
    for concept, position in _HEADERS:
        if sorted(columns) in (sorted([concept, position]), sorted([concept, position, "label"])):
            rows = _rows(path, cells, columns, (concept, position))
            return _by_path(path, rows) if position == "path" else _by_parent(path, rows)
    raise FileError(
        path,
        f"the header is {first_ten(header)}; write concept,path or child,parent, and label besides "
        "if there are any (with tabs between them in a .tsv file)",
        line=line,
    )


def _cells(path: Path, content: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank, with its number."""
    reader = csv.reader(StringIO(content, newline=""), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if len(cells) > 1 or any(map(str.strip, cells)):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise FileError(
            path,
            f'this line cannot be cut into fields ({error}); quote whole fields "like this"',
            line=reader.line_num,
        ) from None


def _rows(
    path: Path,
    lines: Iterable[tuple[int, list[str]]],
    columns: list[str],
    required: tuple[str, str],
) -> Iterator[_Row]:
    for line, cells in lines:
        if len(cells) != len(columns):
            raise FileError(
                path,
                f"{several(len(cells), 'field')}, and the header has {len(columns)}; "
                "write as many, and quote fields that hold the separator",
                line=line,
            )
        found = dict(zip(columns, cells, strict=True))
        if not found[required[0]]:
            raise FileError(path, f"the {required[0]} is empty; name it", line=line)
        yield _Row(line, found[required[0]], found[required[1]], found.get("label", ""))


def _by_parent(path: Path, rows: Iterable[_Row]) -> Ontology:
    links = Links(path)
    labels: dict[str, tuple[str, int]] = {}
    for row in rows:
        name = first_ten([row.concept])
        above = links.above.get(row.concept)
        links.add_node(row.concept, row.line)
        if above is not None and (not above or row.position in above or not row.position):
            line = above.get(row.position, links.lines[row.concept])
            links.refuse(
                f"{name} stands on line {line} already; remove one of the two, or name another "
                "parent",
                row.line,
            )
        if row.position:
            links.add_link(row.concept, row.position, row.line)
        label, earlier = labels.setdefault(row.concept, (row.label, row.line))
        if label != row.label:
            links.refuse(f"{name} has another label on line {earlier}; choose one", row.line)
    root = _root_without_line(links)
    if root is not None:
        links.add_node(*root)
    parents = links.parents("give it a line of its own, with an empty parent if it is at the top")
    return Ontology(
        parents,
        labels={node: label for node, (label, _) in labels.items() if label},
        name=name_of(path),
    )


def _root_without_line(links: Links) -> tuple[str, int] | None:
    """The only node that stands above others and on no line of its own, and where it is met first;
    None where some lines say what is at the top, or several nodes would be."""
    if not all(links.above.values()):
        return None
    met: dict[str, int] = {}
    for above in links.above.values():
        for parent, line in above.items():
            if parent not in links.lines:
                met.setdefault(parent, line)
    return next(iter(met.items())) if len(met) == 1 else None


def _by_path(path: Path, rows: Iterable[_Row]) -> Ontology:
    lines: dict[str, int] = {}
    at: dict[str, _Row] = {}
    for row in rows:
        parts = row.position.split(".")
        twice = lines.get(row.concept) or (row.position in at and at[row.position].line)
        if twice:
            what = first_ten([row.concept if row.concept in lines else row.position])
            raise FileError(
                path, f"{what} stands on line {twice} already; remove one of them", line=row.line
            )
        if "" in map(str.strip, parts):
            raise FileError(
                path,
                f"{first_ten([row.concept])} has the path {first_ten([row.position])}, in which a "
                "part is empty; write it like Seasons.Spring",
                line=row.line,
            )
        if len(parts) > _DEEPEST_PATH:
            raise FileError(
                path, f"{len(parts)} levels; {_DEEPEST_PATH} is the limit", line=row.line
            )
        lines[row.concept], at[row.position] = row.line, row
    parents: dict[str, tuple[str, ...]] = {}
    for row in at.values():
        above: tuple[str, ...] = ()
        for prefix in _prefixes(row.position):
            node = at[prefix].concept if prefix in at else prefix
            if prefix not in at and prefix in lines:
                raise FileError(
                    path,
                    f"{first_ten([prefix])} is a category by this path, and a concept on line "
                    f"{lines[prefix]}; rename one of them",
                    line=row.line,
                )
            parents.setdefault(node, above)
            above = (node,)
    return Ontology(
        parents,
        concepts=tuple(lines),
        labels={row.concept: row.label for row in at.values() if row.label},
        name=name_of(path),
    )


def _prefixes(path: str) -> Iterator[str]:
    """The dotted paths of every level down to this one."""
    end = path.find(".")
    while end >= 0:
        yield path[:end]
        end = path.find(".", end + 1)
    yield path
