"""Mulan: an ARFF file, and an XML file beside it that names the label attributes.

Where there is no XML the relation may say how many attributes are labels, as MEKA writes it
(`@relation 'music: -C 6'`: the first 6; -6: the last), or `concepts=` names them. Labels are
nominal `{0,1}` or numeric. In a truth they are 0, 1, or ? where nobody judged; in a run numeric
attributes are confidences, nominal ones decisions, and ? was not retrieved. Other attributes are
features. A string attribute under a word for items names the items; without one they align by
position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Bools, dense, sparse_where_empty
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import (
    UNJUDGED,
    report,
    require_known_concepts,
    require_known_items,
    truth_of,
)
from cranfield.formats.contents import IDS, Content
from cranfield.formats.delimited import stored_cells
from cranfield.formats.gather import Items, Stack
from cranfield.formats.kinds.mulan.arff import MISSING, Kind, is_word_for_items, quoted
from cranfield.formats.kinds.mulan.label_xml import (
    Labels,
    labels_beside,
    write_labels_beside,
)
from cranfield.formats.kinds.mulan.rows import ArffFile, Features, Rows
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Chunk

if TYPE_CHECKING:
    import polars


_MEKA = re.compile(r":.*?-C\s+(-?\d{1,9})\b", re.DOTALL)
_LONGEST_RELATION = 1000


# -- Reading -----------------------------------------------------------------------------------


class _Labelled:
    """An ARFF file of which is known what its attributes are for."""

    def __init__(
        self, source: Source, problems: Problems, concepts: tuple[str, ...] | None, *, all_of: bool
    ) -> None:
        """
        concepts  those that are known
        all_of    whether each of them must be there, and in this order
        """
        self._problems = problems
        self._file = ArffFile(source, problems)
        header = self._file.declared
        self.attributes = header.attributes
        result = _labels(self._file, source, concepts)
        self.parents = result.parents
        self.concepts = result.names
        require_known_concepts(result.names, concepts, problems, line=None)
        if concepts is not None and all_of:
            self.concepts = concepts
        lacking = [name for name in self.concepts if name not in header.lines]
        if lacking:
            problems.add(
                f"{several(len(lacking), 'label')}{result.said_by} without an attribute: "
                f"{first_ten(lacking)}; "
                "declare them, or do not name them"
            )
        positions = {attribute.name: position for position, attribute in enumerate(self.attributes)}
        self._labels = [positions[name] for name in self.concepts if name in positions]
        for position in self._labels:
            self._require_binary(position)
        problems.build(lambda: None)
        self._ids = next(filter(self._names_items, range(len(self.attributes))), None)
        self.decided = all(
            self.attributes[position].kind is Kind.NOMINAL for position in self._labels
        )
        self.items = None if self._ids is None else Items(problems)

    @property
    def features(self) -> list[int]:
        """The places of the attributes that are neither labels nor ids."""
        others = {*self._labels, self._ids}
        return [position for position in range(len(self.attributes)) if position not in others]

    def _require_binary(self, position: int) -> None:
        attribute = self.attributes[position]
        known = attribute.numbers
        if attribute.kind is not Kind.NUMBER and not (known and set(known) <= {0, 1}):
            self._problems.add(
                f"label {shown(attribute.name)} holds {attribute.kind.value}; declare it as "
                "{0,1} or numeric",
                line=self._file.declared.lines[attribute.name],
            )

    def _names_items(self, position: int) -> bool:
        attribute = self.attributes[position]
        return (
            attribute.kind is Kind.TEXT
            and position not in self._labels
            and is_word_for_items(attribute.name)
        )

    def chunks(self) -> Iterator[tuple[Rows, Chunk]]:
        """All rows, and what is said about their labels; missing is NaN."""
        for rows in self._file.rows():
            values = rows.taken(self._labels)
            for column, position in enumerate(self._labels):
                known = self.attributes[position].numbers
                if known and known != (0, 1):
                    codes = np.nan_to_num(values[:, column]).astype(np.int64)
                    values[:, column] = np.where(
                        np.isnan(values[:, column]), np.nan, np.array(known)[codes]
                    )
            yield rows, self._identified(rows, values)

    def _identified(self, rows: Rows, values: NDArray[Any]) -> Chunk:
        if self._ids is None or self.items is None:
            return Chunk([], values, rows.lines)
        ids = rows.texts[self._ids]
        named = [row for row, name in enumerate(ids) if name]
        for row in set(range(len(ids))) - set(named):
            self._problems.add("the item has no id; name it", line=int(rows.lines[row]))
        names = [name for name in ids if name]
        return self.items.add(Chunk([names], values[named], rows.lines[named]))

    def where(self, names: list[str], position: int) -> str:
        """What to call a cell in messages."""
        item = f"item {shown(names[0])}, " if names else ""
        return f"{item}concept {shown(self.concepts[position])}"


def _labels(file: ArffFile, source: Source, concepts: tuple[str, ...] | None) -> Labels:
    result = labels_beside(source.path) or _meka_labels(file)
    if result is None and concepts is not None:
        result = Labels(tuple(name for name in concepts if name in file.declared.lines))
    if result is None or not result.names:
        raise FileError(
            source.path,
            "which attributes are labels is not said",
            mend="put an XML file of that name beside it, or -C and their number into the relation "
            "(@relation 'name: -C 6'), or name them: give {concepts}",
        )
    return result


def _meka_labels(file: ArffFile) -> Labels | None:
    """The first attributes, or the last where the number is below 0."""
    result = _MEKA.search(file.declared.relation[:_LONGEST_RELATION])
    count = 0 if result is None else int(result[1])
    names = tuple(attribute.name for attribute in file.declared.attributes)
    if abs(count) > len(names):
        raise FileError(
            file.path,
            f"the relation says -C {count}, but there are {len(names)} attributes; correct it",
        )
    return Labels(names[:count] if count > 0 else names[count:]) if count else None


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Collection:
    file = _Labelled(source, problems, concepts, all_of=True)
    cells = Stack(len(file.concepts), np.int8)
    features = Features(file.attributes, file.features)
    for rows, chunk in file.chunks():
        missing = np.isnan(chunk.values)
        wrong = ~missing & (chunk.values != 0) & (chunk.values != 1)
        rule = f"a label is 0 or 1, or {MISSING} where nobody judged"
        report(wrong, chunk, problems, where=file.where, rule=rule)
        cells.add(np.where(missing | wrong, UNJUDGED, chunk.values).astype(np.int8))
        features.add(rows)

    def make() -> Collection:
        items = None if file.items is None else file.items.ids
        return Collection(
            truth_of(cells.finished(), items, file.concepts),
            source.name,
            parents=file.parents,
            features=features.frame() if file.features else None,
        )

    return problems.build(make)


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    file = _Labelled(source, problems, expected.concepts, all_of=False)
    cells = Stack(len(file.concepts), np.float64)
    for _, chunk in file.chunks():
        cells.add(chunk.values)
    if file.items is not None:
        require_known_items(file.items.lines, expected, problems)

    def make() -> Run:
        values = cells.finished()
        said = sparse_where_empty(values == 1 if file.decided else values, np.isnan(values))
        return Run(
            None if file.decided else said,
            labels=said if file.decided else None,
            items=None if file.items is None else file.items.ids,
            concepts=file.concepts,
            name=options.name,
            threshold=options.threshold,
            copy=None,
        )

    return problems.build(make)


# -- Writing -----------------------------------------------------------------------------------


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    judged = None if truth.judged is None else dense(truth.judged)
    write_arff(
        truth,
        truth.labels.astype(np.int8),
        judged,
        target,
        relation=collection.name,
        declared="{0,1}",
        features=collection.features,
    )
    write_labels_beside(target.path, Labels(truth.concepts, dict(collection.parents)))


def _write_run(run: Run, target: Target) -> None:
    decided = run.scores is None
    matrix = run.labels if decided else run.scores
    assert matrix is not None
    write_arff(
        run,
        dense(matrix).astype(np.int8) if decided else dense(matrix),
        stored_cells(matrix),
        target,
        relation=run.name,
        declared="{0,1}" if decided else "numeric",
    )
    write_labels_beside(target.path, Labels(run.concepts))


def _is_arff(source: Source) -> bool:
    if source.extension == ".arff":
        return True
    text = source.head.removeprefix(b"\xef\xbb\xbf").lower()
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return first.startswith((b"@relation", b"@attribute"))


register(
    Format(
        name="mulan",
        extensions=(".arff",),
        priority=1,
        holds=IDS
        | {
            Content.UNJUDGED,
            Content.AS_NEGATIVE,
            Content.DECIDED,
            Content.PARENTS,
            Content.FEATURES,
            Content.ABSENT,
        },
        recognises=_is_arff,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)


_BLOCK = 1 << 12
"""Rows to write at a time."""


def write_arff(
    thing: Truth | Run,
    cells: NDArray[Any],
    stored: Bools | None,
    target: Target,
    *,
    relation: str,
    declared: str,
    features: polars.DataFrame | None = None,
) -> None:
    """Write labels, with ids and features where there are any.

    stored    the cells that are there; default: all
    declared  how labels are declared
    """
    ids = thing.item_axis.ids
    attributes = _attributes(thing, declared, features)
    lines = [f"@attribute {quoted(name)} {kind}\n" for name, kind in attributes]
    header = f"@relation {quoted(relation)}\n\n{''.join(lines)}\n@data\n"
    target.stream.write(header.encode())
    for first in range(0, thing.shape[0], _BLOCK):
        block = slice(first, first + _BLOCK)
        columns = chain(
            [] if ids is None else [map(quoted, ids[block])],
            [] if features is None else _feature_fields(features[block]),
            _label_fields(cells[block], None if stored is None else stored[block]),
        )
        rows = map(",".join, zip(*columns, strict=True))
        target.stream.write("".join(f"{row}\n" for row in rows).encode())


def _attributes(
    thing: Truth | Run, declared: str, features: polars.DataFrame | None
) -> list[tuple[str, str]]:
    """The names of all attributes and how each is declared; raises InputError if they clash."""
    others = [] if features is None else list(features.columns)
    both = sorted(set(others) & set(thing.concepts))
    if "" in others:
        raise InputError(f"feature {others.index('') + 1} has no name; name it")
    if both:
        raise InputError(f"features have the names of concepts: {first_ten(both)}; rename them")
    kinds = [] if features is None else _kinds(features)
    result = [*zip(others, kinds, strict=True), *((name, declared) for name in thing.concepts)]
    if thing.item_axis.ids is not None:
        return [(_word_for_items({name for name, _ in result}), "string"), *result]
    alike = [name for name, kind in result if kind == "string" and is_word_for_items(name)]
    if alike:
        raise InputError(f"features would be read as item ids: {first_ten(alike)}; rename them")
    return result


def _word_for_items(taken: set[str]) -> str:
    for word in ("item", *sorted(WORDS_FOR_ITEMS - {""})):
        if word not in taken:
            return word
    raise InputError(f"every word for items is taken, as {first_ten(sorted(taken))}; rename one")


def _label_fields(cells: NDArray[Any], stored: Bools | None) -> Iterator[Iterable[str]]:
    for position in range(cells.shape[1]):
        texts = list(map(repr, cells[:, position].tolist()))
        if stored is not None:
            there = stored[:, position].tolist()
            texts = [text if kept else MISSING for text, kept in zip(texts, there, strict=True)]
        yield texts


def _kinds(features: polars.DataFrame) -> list[str]:
    """How the columns of a frame are declared; raises InputError."""
    import polars

    result: list[str] = []
    for column in features:
        if column.dtype.is_integer() or column.dtype.is_float():
            finite = column.is_finite().all() if column.dtype.is_float() else True
            if not finite:
                raise InputError(
                    f"feature {shown(column.name)} is not finite everywhere; write null instead"
                )
            result.append("numeric")
        elif column.dtype == polars.String:
            result.append("string")
        elif column.dtype in (polars.Boolean, polars.Categorical, polars.Enum):
            result.append("{" + ",".join(map(quoted, _values(column))) + "}")
        else:
            raise InputError(
                f"feature {shown(column.name)} holds {column.dtype}, which ARFF does not; cast or "
                "drop it"
            )
    return result


def _values(column: polars.Series) -> list[str]:
    import polars

    if isinstance(column.dtype, polars.Enum):
        return list(column.dtype.categories)
    return sorted(column.cast(polars.String).drop_nulls().unique().to_list())


def _feature_fields(features: polars.DataFrame) -> Iterator[list[str]]:
    """The fields of each column, as text."""
    import polars

    for column in features:
        if column.dtype.is_integer() or column.dtype.is_float():
            yield [MISSING if value is None else repr(value) for value in column.to_list()]
        else:
            texts = column.cast(polars.String).to_list()
            yield [MISSING if text is None else quoted(text) for text in texts]
