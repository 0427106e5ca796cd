"""Do measures of annotation say how well annotators serve a search?

Runs are ranked by how well queries over their concepts find what they should, and by measures of
the annotations themselves. Where both rankings agree, the measure tells what people who search will
see (the user model of Nowak 2011 §7.2.1); where they do not, it tells something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.matrices import Floats
from cranfield.core.reference_names import is_system
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError
from cranfield.measures import Measure
from cranfield.statistics import tau, tau_b
from cranfield.tasks.retrieval.searching import Combine, items_to_find, search

_SEARCHED_BY = ("concept.AP",)
ANNOTATED_BY = ("example.F", "example.AP", "concept.AP", "concept.AUC")


class RankAgreement(NamedTuple):
    """How far a measure of searches and one of annotations put runs in the same order."""

    search: Measure
    annotation: Measure
    tau: float
    """Pairs in the same order less those in opposite ones, by both together."""
    tau_b: float
    opposite: int
    """Pairs of runs that the two put in opposite orders."""
    runs: int
    """Those that both measures score."""


@dataclass(frozen=True)
class SearchStudy:
    """Runs scored twice: by the queries that they serve, and by their annotations."""

    searches: Evaluation
    annotations: Evaluation

    @property
    def left_out(self) -> tuple[str, ...]:
        """Runs that are no systems, being random or perfect, and so are not ranked."""
        return tuple(run for run in self.searches.runs if not is_system(run))

    @cached_property
    def agreements(self) -> tuple[RankAgreement, ...]:
        """For each measure of searches those of annotations, the one that agrees best first."""
        found = [
            [self._agreement(one, other) for other in self.annotations.measures]
            for one in self.searches.measures
        ]
        return tuple(
            pair for pairs in found for pair in sorted(pairs, key=lambda pair: -_defined(pair.tau))
        )

    def _agreement(self, one: Measure, other: Measure) -> RankAgreement:
        x, y = _merits(self.searches, one), _merits(self.annotations, other)
        both = ~np.isnan(x) & ~np.isnan(y)
        x, y = x[both], y[both]
        turned = np.subtract.outer(x, x) * np.subtract.outer(y, y) < 0
        return RankAgreement(
            one,
            other,
            float(tau(x, y)),
            float(tau_b(x, y)),
            int(np.count_nonzero(turned)) // 2,
            len(x),
        )


def study_searches(
    truth: Truth | Collection,
    runs: Iterable[Run],
    queries: Any,
    *,
    searched_by: Any = _SEARCHED_BY,
    annotated_by: Any = ANNOTATED_BY,
    combine: Combine = "min",
    missing: Missing = "error",
    extra: Extra = "error",
    **known: Any,
) -> SearchStudy:
    """Score runs by many searches and by their annotations, and compare the two rankings.

    queries       as for `cf.search`
    searched_by   measures of the searches
    annotated_by  measures of the annotations
    known         what is known about concepts, as for `cf.evaluate`
    """
    listed = covering(truth, list(runs), extra)
    plain = truth.truth if isinstance(truth, Collection) else truth
    items = items_to_find(plain, missing)
    answers = [
        search(run, queries, combine=combine, missing=missing, items=items) for run in listed
    ]
    return SearchStudy(
        evaluate(search(truth, queries), answers, searched_by, missing=missing),
        evaluate(truth, listed, annotated_by, missing=missing, **known),
    )


def _merits(evaluation: Evaluation, measure: Measure) -> Floats:
    """The scores of all systems, higher = better."""
    if measure.traits.better == "neither":
        raise InputError(f"{measure} is a property of the truth and ranks no runs; leave it out")
    sign = 1.0 if measure.traits.better == "higher" else -1.0
    return np.array([sign * evaluation[run, measure] for run in filter(is_system, evaluation.runs)])


def _defined(value: float) -> float:
    return -2.0 if np.isnan(value) else value
