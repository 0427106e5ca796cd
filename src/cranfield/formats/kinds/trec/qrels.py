"""TREC judgements (qrels): `topic 0 document grade`, or `topic 0 document stratum grade`.

A listed document is in the topic's pool: −1 = nobody judged it, 0 = not relevant, 1 or more = a
grade of relevance. Some tracks write −2 and less (junk), which trec_eval takes for −1, and so does
this reader. A document that is not listed lies outside the pool, and there may be any number of
them: the truth is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, Ints, as_cells, at
from cranfield.core.searches import judgements
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.formats.cells import report, require_known_concepts
from cranfield.formats.gather import Numbered, NumberedTable
from cranfield.formats.kinds.text import plain
from cranfield.formats.kinds.trec.files import (
    FIELDS_OF_QRELS,
    Kind,
    Listed,
    require_kind,
    where_listed,
)
from cranfield.formats.kinds.trec.subtopics import SecondColumn, truth_of_subtopics
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Chunk

_PLAIN = Layout(b"", names=3, width=1, columns="4: topic 0 document grade")
_SAMPLED = Layout(b"", names=3, width=2, columns="5: topic 0 document stratum grade")
_UNJUDGED = -1
_LARGEST = 2**31
_BLOCK = 1 << 16


def read_qrels(
    source: Source,
    problems: Problems,
    concepts: tuple[str, ...] | None,
    *,
    diverse: bool = False,
) -> Truth:
    """A truth of judgements.

    diverse  whether the second column holds subtopics for sure, even if no document has several
    """
    require_kind(source, Kind.JUDGEMENTS, "a truth has labels or grades: topic 0 document grade")
    table = NumberedTable(source, b"", problems, rows="document")
    fields = 1 + table.usual_width(acceptable=lambda count: count + 1 in FIELDS_OF_QRELS)
    layout = _SAMPLED if fields == _SAMPLED.fields else _PLAIN
    listed = Listed(problems, width=layout.width, kind=np.int64, likely=source.likely_lines)
    second = SecondColumn()
    names = (listed.topic_names, second.names, listed.document_names)
    for chunk in table.numbered(layout, where=where_listed, names=names):
        listed.add(chunk, _judgements(chunk, listed, problems))
        second.add(chunk.numbers[1])
    if layout is _PLAIN and (diverse or second.tells_apart(listed)):
        listed.name()
        require_known_concepts(listed.topics, concepts, problems, line=None)
        return problems.build(lambda: truth_of_subtopics(listed, second))
    listed.finish()
    require_known_concepts(listed.topics, concepts, problems, line=None)
    return problems.build(lambda: _truth(listed))


def _judgements(chunk: Numbered, listed: Listed, problems: Problems) -> NDArray[Any]:
    """The grades, and the strata before them, as whole numbers."""
    values = chunk.values
    smallest = np.array([0, -_LARGEST][-values.shape[1] :])
    with np.errstate(invalid="ignore"):  # what no whole number can hold is none
        whole = values.astype(np.int64)
    wrong = (whole < smallest) | (whole >= _LARGEST) | (whole != values)
    if wrong.any():
        topics, documents = listed.topic_names.texts, listed.document_names.texts
        names = [
            [topics[number] for number in chunk.numbers[0].tolist()],
            [""] * len(values),
            [documents[number] for number in chunk.numbers[2].tolist()],
        ]
        report(
            wrong,
            Chunk(names, values, chunk.lines),
            problems,
            where=where_listed,
            rule="grades are whole numbers: below 0 = not judged, 0 = not relevant, 1 or more = "
            "relevant; strata are numbered from 0",
        )
        whole[wrong] = 0
    return whole


def _truth(listed: Listed) -> Truth:
    *strata, grades = listed.values.T
    cells = Cells(listed.shape, listed.codes, np.ascontiguousarray(grades))
    sampled = strata[0].copy() if strata else None
    return judgements(cells, listed.documents, listed.topics, strata=sampled)


def write_qrels(collection: Collection, target: Target) -> None:
    truth = collection.truth
    items, concepts = list(plain(truth.items)), list(plain(truth.concepts))
    require_pooled(truth)
    said = truth.matrix if truth.grades is None else truth.grades
    for codes in pooled_cells(truth):
        grades = at(said, codes).astype(np.int64)
        if truth.judged is not None:
            grades[~at(truth.judged, codes)] = _UNJUDGED
        documents, topics = np.divmod(codes, truth.shape[1])
        strata = [""] * len(codes)
        if truth.strata is not None:
            strata = [f"{stratum} " for stratum in at(truth.strata, codes).tolist()]
        for document, topic, stratum, grade in zip(
            documents.tolist(), topics.tolist(), strata, grades.tolist(), strict=True
        ):
            line = f"{concepts[topic]} 0 {items[document]} {stratum}{grade}\n"
            target.stream.write(line.encode())


def pooled_cells(truth: Truth) -> Iterator[Ints]:
    """The cells of the pool by topic, some at a time."""
    if isinstance(truth.pool, Cells):
        codes = truth.pool.codes[truth.pool.values]
        codes = codes[np.argsort(codes % truth.shape[1], kind="stable")]
        yield from (codes[first : first + _BLOCK] for first in range(0, len(codes), _BLOCK))
        return
    rows, columns = truth.shape
    for topic in range(columns):
        codes = np.arange(rows) * columns + topic
        yield codes if truth.pool is None else codes[at(truth.pool, codes)]


def require_pooled(truth: Truth) -> None:
    """Documents and topics that stand in no pool have no line."""
    if truth.pool is None:
        return
    pool = as_cells(truth.pool)
    for axis in (truth.item_axis, truth.concept_axis):
        counts = pool.total(1 if axis.kind == "item" else 0)
        if not truth.open and not counts.all():
            raise InputError(
                f"{axis.kind} {axis.names[int(np.argmin(counts))]!r} is in no pool, so judgements "
                "have no line for it; write npz or parquet instead"
            )
