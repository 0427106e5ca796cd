"""What a truth or a run holds, and which of it a format would lose.

Every format declares what it holds. What is written must be held, so nothing is lost silently;
who wants less says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import several
from cranfield.knowledge import Knowledge


class Content(Enum):
    """Something that not every format can hold; the value says what it is."""

    ITEM_IDS = "item ids"
    CONCEPT_IDS = "concept ids"
    GRADES = "grades"
    LEVEL = "which grade is the lowest that counts as relevant"
    TARGETS = "targets"
    TARGETS_BESIDE = "targets beside labels"
    UNJUDGED = "which cells nobody judged"
    AS_NEGATIVE = "the rule that unjudged cells count as negative"
    LEFT_OUT = "the rule that unjudged cells are left out"
    POOL = "the pool"
    STRATA = "strata"
    SUBTOPICS = "subtopics"
    OPEN = "that there are items beside those it lists"
    DESCRIPTIONS = "descriptions of concepts"
    PARENTS = "the hierarchy of concepts"
    FEATURES = "features"
    DECISIONS = "decisions beside confidences"
    RETRIEVED = "that everything retrieved is assigned"
    DECIDED = "that these are decisions, not confidences"
    THRESHOLD = "the threshold"
    ABSENT = "which cells are absent"
    ORIGIN = "group and tags"


IDS = frozenset({Content.ITEM_IDS, Content.CONCEPT_IDS})
JUDGEMENTS = frozenset({Content.GRADES, Content.UNJUDGED})
NEEDED = frozenset({Content.ABSENT})
"""What nothing can stand for, so that a run cannot be written without it."""
_COUNTED = {Content.UNJUDGED: "unjudged cell", Content.FEATURES: "feature"}


def contents(thing: Collection | Run) -> dict[Content, str]:
    """What there is to hold, each in words."""
    shaped = thing.truth if isinstance(thing, Collection) else thing
    extents = {
        Content.ITEM_IDS: shaped.item_axis.ids is not None,
        Content.CONCEPT_IDS: shaped.concept_axis.ids is not None,
        **(_of_collection(thing) if isinstance(thing, Collection) else _of_run(thing)),
    }
    return {
        content: several(extent, _COUNTED[content]) if content in _COUNTED else content.value
        for content, extent in extents.items()
        if extent
    }


def _of_collection(collection: Collection) -> dict[Content, int]:
    truth = collection.truth
    gaps = _unjudged(truth)
    return {
        Content.GRADES: truth.grades is not None,
        Content.LEVEL: truth.level > 1,
        Content.TARGETS: truth.targets is not None and not truth.has_labels,
        Content.TARGETS_BESIDE: truth.targets is not None and truth.has_labels,
        Content.UNJUDGED: gaps,
        Content.AS_NEGATIVE: gaps and truth.unjudged == "negative",
        Content.LEFT_OUT: gaps and truth.unjudged == "exclude" and truth.has_labels,
        Content.POOL: truth.pool is not None,
        Content.STRATA: truth.strata is not None,
        Content.SUBTOPICS: truth.subtopics is not None,
        Content.OPEN: truth.open,
        Content.DESCRIPTIONS: len(collection.descriptions),
        Content.PARENTS: len(collection.parents),
        Content.FEATURES: 0 if collection.features is None else collection.features.width,
    }


def _of_run(run: Run) -> dict[Content, int]:
    answers = _is_answer(run)
    return {
        Content.DECISIONS: run.scores is not None and run.labels is not None and not answers,
        Content.RETRIEVED: answers,
        Content.DECIDED: run.scores is None,
        Content.THRESHOLD: run.threshold is not None,
        Content.ABSENT: run.sparse,
        Content.ORIGIN: bool(run.group or run.tags),
    }


def _is_answer(run: Run) -> bool:
    """Whether a run says no more than what it retrieved, and how sure it is of it."""
    return (
        isinstance(run.scores, Cells)
        and isinstance(run.labels, Cells)
        and np.array_equal(run.labels.codes, run.scores.codes)
        and bool(run.labels.values.all())
    )


def _unjudged(truth: Truth) -> int:
    if truth.judged is None:
        return 0
    judged = truth.judged.values if isinstance(truth.judged, Cells) else truth.judged
    if truth.open:  # what is not listed lies outside the pool
        return int(np.count_nonzero(~judged))
    return truth.shape[0] * truth.shape[1] - int(np.count_nonzero(judged))


def losses(thing: Collection | Run, holds: Set[Content]) -> dict[Content, str]:
    """What a format that holds only this would lose."""
    if Content.DECISIONS in holds:
        holds = holds | {Content.RETRIEVED}
    lost = {content: words for content, words in contents(thing).items() if content not in holds}
    if Content.UNJUDGED in lost:  # then the rule for such cells is idle
        lost.pop(Content.AS_NEGATIVE, None)
        lost.pop(Content.LEFT_OUT, None)
    if Content.GRADES in lost:  # then labels say what is relevant
        lost.pop(Content.LEVEL, None)
    return lost


def collection_without(collection: Collection, lost: Set[Content]) -> Collection:
    """A collection that lacks some of its contents."""
    truth = collection.truth
    changes: dict[str, Any] = {
        name: None
        for content, name in (
            (Content.GRADES, "grades"),
            (Content.TARGETS, "targets"),
            (Content.TARGETS_BESIDE, "targets"),
            (Content.UNJUDGED, "judged"),
            (Content.UNJUDGED, "pool"),
            (Content.POOL, "pool"),
            (Content.STRATA, "strata"),
            (Content.SUBTOPICS, "subtopics"),
            (Content.ITEM_IDS, "items"),
            (Content.CONCEPT_IDS, "concepts"),
        )
        if content in lost
    }
    if lost & {Content.GRADES, Content.LEVEL}:
        changes["level"] = 1
    if Content.OPEN in lost:
        changes["open"] = False
    if lost & {Content.AS_NEGATIVE, Content.LEFT_OUT}:
        changes["unjudged"] = "exclude" if truth.unjudged == "negative" else "negative"
    return replace(
        collection,
        truth=_changed_truth(truth, changes),
        descriptions={} if Content.DESCRIPTIONS in lost else collection.descriptions,
        parents={} if Content.PARENTS in lost else collection.parents,
        features=None if Content.FEATURES in lost else collection.features,
    )


def run_without(run: Run, lost: Set[Content]) -> Run:
    """A run that lacks some of its contents."""
    changes: dict[str, Any] = {
        name: None
        for content, name in (
            (Content.DECISIONS, "labels"),
            (Content.RETRIEVED, "labels"),
            (Content.THRESHOLD, "threshold"),
            (Content.ITEM_IDS, "items"),
            (Content.CONCEPT_IDS, "concepts"),
            (Content.ORIGIN, "group"),
            (Content.ORIGIN, "tags"),
        )
        if content in lost
    }
    return _changed_run(run, changes)


def described(thing: Collection | Run, descriptions: Mapping[str, str]) -> Collection | Run:
    """The same with concepts called by their descriptions."""
    called = {"concepts": [descriptions.get(name, name) for name in thing.concepts]}
    if isinstance(thing, Run):
        return _changed_run(thing, called)
    return replace(
        thing,
        truth=_changed_truth(thing.truth, called),
        descriptions={},
        parents={
            descriptions.get(child, child): descriptions.get(parent, parent)
            for child, parent in thing.parents.items()
        },
        knowledge=Knowledge(),  # it calls concepts by their ids
    )


def _changed_truth(truth: Truth, changes: Mapping[str, Any]) -> Truth:
    if not changes:
        return truth
    kept = ("grades", "targets", "judged", "pool", "strata", "subtopics")
    same = {name: getattr(truth, name) for name in kept}
    ids = {"items": truth.item_axis.ids, "concepts": truth.concept_axis.ids}
    rules = {"unjudged": truth.unjudged, "open": truth.open, "level": truth.level}
    labels = truth.matrix if truth.has_labels or "targets" in changes else None
    if changes.get("level", truth.level) != truth.level and "grades" not in changes:
        labels = None  # they follow from grades
    return Truth(labels, **{**rules, **same, **ids, **changes})


def _changed_run(run: Run, changes: Mapping[str, Any]) -> Run:
    if not changes:
        return run
    same = {
        name: getattr(run, name)
        for name in ("labels", "threshold", "name", "group", "tags", "notes")
    }
    ids = {"items": run.item_axis.ids, "concepts": run.concept_axis.ids}
    return Run(run.scores, **{**same, **ids, **changes})
