"""Searches: judgements and rankings of documents, topic by topic, as a truth and as a run.

A topic is a concept and a document an item. The truth is open: a document that it does not list
exists and lies outside the pool. What a run lists it has retrieved. TREC files hold both line by
line; in memory people have {topic: {document: grade}} and {topic: {document: score}}, as
pytrec_eval and ranx take them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Ids, JoinedIds
from cranfield.core.matrices import Cells, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten

Names = Iterable[object] | Ids | JoinedIds
ByTopic = Mapping[Any, Mapping[Any, Any]]
"""{topic: {document: number}}"""


def judgements(
    cells: Cells, documents: Names, topics: Names, *, strata: Ints | None = None
) -> Truth:
    """The truth of whole grades: below 0 = pooled but not judged, 1 or more = relevant.

    cells   documents by topics; taken over, so that nobody else may look at them
    strata  of the pool, one for each judgement
    """
    grades = cells.values
    judged = grades >= 0
    # In place: a million fresh numbers cost time.
    relevant = np.maximum(grades, 0, out=grades)
    graded = bool(relevant.max(initial=0) > 1)

    def like(values: NDArray[Any]) -> Cells:
        return Cells(cells.shape, cells.codes, values)

    truth = Truth(
        None if graded else like(relevant == 1),
        grades=like(relevant) if graded else None,
        judged=like(judged),
        pool=like(np.ones(len(judged), dtype=np.bool_)),
        strata=None if strata is None else like(strata),
        items=documents,
        concepts=topics,
        open=True,
        copy=None,
    )
    truth.concept_axis.in_order = False
    return truth


def ranking(
    cells: Cells, documents: Names, topics: Names, *, threshold: Any = None, **about: Any
) -> Run:
    """The run that retrieved documents with these scores; all are assigned without a threshold.

    about  name=, tags=, notes= of the run
    """
    retrieved = Cells(cells.shape, cells.codes, np.ones(len(cells.codes), dtype=np.bool_))
    run = Run(
        cells,
        labels=retrieved if threshold is None else None,
        items=documents,
        concepts=topics,
        threshold=threshold,
        copy=None,
        **about,
    )
    run.concept_axis.in_order = False
    return run


def documents_by_topic(data: Any) -> ByTopic | None:
    """{topic: {document: number}} of what people have: such a dict, `Qrels` and `Run` of ranx, or
    frames and lists as ir_measures takes them (query_id, doc_id, relevance or score); None of
    anything else."""
    if type(data).__module__.partition(".")[0] == "ranx" and hasattr(data, "to_dict"):
        data = data.to_dict()
    if is_by_topic(data):
        by_topic: ByTopic = data
        return by_topic
    rows = _long_rows(data)
    if rows is None:
        return None
    documents: dict[Any, dict[Any, Any]] = {}
    for topic, document, number in rows:
        of_topic = documents.setdefault(topic, {})
        if document in of_topic:
            raise InputError(
                f"topic {str(topic)!r}, document {str(document)!r} is listed twice; keep one "
                "of them"
            )
        of_topic[document] = number
    return documents


def _long_rows(data: Any) -> Iterable[tuple[Any, Any, Any]] | None:
    """Topic, document and number, line by line."""
    entries = data[:1] if isinstance(data, list | tuple) else []
    names = dir(entries[0]) if entries else list(getattr(data, "columns", ()))
    numbers = [name for name in ("relevance", "score") if name in names]
    if not numbers or "query_id" not in names or "doc_id" not in names:
        return None
    columns = ("query_id", "doc_id", numbers[0])
    if entries:
        return ((e.query_id, e.doc_id, getattr(e, numbers[0])) for e in data)
    return zip(*(data[name].to_list() for name in columns), strict=True)


def is_by_topic(data: Any) -> bool:
    """Whether this is {topic: {document: number}}."""
    if not isinstance(data, Mapping) or not data:
        return False
    if not all(isinstance(documents, Mapping) for documents in data.values()):
        return False
    first = next((value for documents in data.values() for value in documents.values()), 0)
    return isinstance(first, str) or not hasattr(first, "__len__")


def cells_by_topic(what: str, data: ByTopic, *, whole: bool) -> tuple[Cells, list[str], list[str]]:
    """{topic: {document: number}} as cells, documents and topics.

    whole  whether only whole numbers will do
    """
    numbers: dict[str, int] = {}
    rows: list[int] = []
    for documents in data.values():
        rows += [numbers.setdefault(str(name), len(numbers)) for name in documents]
    columns = np.repeat(np.arange(len(data)), [len(documents) for documents in data.values()])
    values = [value for documents in data.values() for value in documents.values()]
    odd = _first_odd(values, whole=whole)
    if odd is not None:
        topic, name = [(topic, name) for topic, found in data.items() for name in found][odd]
        kind = "whole numbers: below 0 = not judged, 1 or more = relevant" if whole else "numbers"
        raise InputError(
            f"{what}: topic {str(topic)!r}, document {str(name)!r} holds "
            f"{str(values[odd])[:60]!r}; give {kind}"
        )
    cells = Cells.of(
        (len(numbers), len(data)),
        np.array(rows, dtype=np.int64),
        columns,
        np.array(values, dtype=np.int64 if whole else np.float64),
    )
    return cells, list(numbers), list(map(str, data))


def _first_odd(values: list[Any], *, whole: bool) -> int | None:
    """Where the first value stands that is no number, or no whole one."""
    odd = {kind for kind in set(map(type, values)) if not issubclass(kind, Real | np.bool_)}
    if odd:
        return next(index for index, value in enumerate(values) if type(value) in odd)
    numbers = np.array(values, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        wrong = (np.abs(numbers) >= 2.0**31) | (numbers != np.floor(numbers))
    wrong = wrong | np.isnan(numbers) if whole else ~np.isfinite(numbers)
    return int(np.argmax(wrong)) if wrong.any() else None


def require_common_topic(truth: Truth, run: Run) -> None:
    """An error where a run mentions no topic that was judged."""
    if truth.open and not run.concept_axis.positions.keys() & truth.concept_axis.positions.keys():
        raise InputError(
            f"run {run.name!r} has none of the topics of the truth, but {first_ten(run.concepts)}; "
            "check that they are written alike in both"
        )
