"""Cranfield: how good is it, how sure are we, and is this the right measure?

With `import cranfield as cf`, arrays in and a float out: `cf.score(y, s, "concept.AP")`. With
names, several runs and several measures: `cf.evaluate(cf.Truth(y), [cf.Run(scores=s,
name="mine")], ["concept.AP", "example.F"])`.

Names are imported when they are first used, so that `cranfield --help` need not wait for NumPy.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from cranfield._version import __version__

if TYPE_CHECKING:
    from cranfield.assessment.pools import (
        Pool,
        leave_one_out,
        missed_relevant,
        pool,
        unjudged_uncertainty,
    )
    from cranfield.assessment.votes import Votes
    from cranfield.collections.collection import Collection
    from cranfield.collections.comparison import Comparison, Counts
    from cranfield.collections.description import Description, describe
    from cranfield.collections.description.overlap import Overlap, overlap
    from cranfield.collections.splits import SplitReport, folds
    from cranfield.collections.splits.split import Split, split
    from cranfield.core.result import Result, load
    from cranfield.core.run import Run
    from cranfield.core.truth import State, Truth
    from cranfield.engine import evaluate, score
    from cranfield.engine.adapters import Scorer, scorer
    from cranfield.engine.evaluation import Evaluation, Score
    from cranfield.errors import CranfieldError, FileError, InputError, MeasureError
    from cranfield.formats import (
        read_agreement,
        read_collection,
        read_confusion,
        read_costs,
        read_preferences,
        read_relatedness,
        read_run,
        read_runs,
        read_truth,
        write_confusion,
        write_map,
        write_run,
        write_truth,
    )
    from cranfield.formats.attributes import read_attributes
    from cranfield.formats.baselines import read_baseline, write_baseline
    from cranfield.formats.datasets import read_dataset
    from cranfield.formats.query_files import read_queries
    from cranfield.formats.thresholds import read_thresholds, write_thresholds
    from cranfield.knowledge import (
        AgreementMap,
        Closure,
        CostMap,
        Ontology,
        Provenance,
        RelatednessMap,
        Repair,
    )
    from cranfield.measures import Explanation, Measure, measure, measures
    from cranfield.measures.calibration import Reliability, reliability
    from cranfield.report.page import Report
    from cranfield.statistics.comparing import Tournament, compare
    from cranfield.statistics.gating import Gate, Verdict, gate
    from cranfield.statistics.incomplete.bounds import Bound, Bounds, bounds
    from cranfield.statistics.incomplete.estimates import Estimate, Estimates, estimate
    from cranfield.statistics.intervals import Interval, Intervals, Plan, intervals, plan
    from cranfield.statistics.slices import Slices, SliceScore, slices
    from cranfield.statistics.thresholds import RocTable, RunThresholds, Thresholds, roc_table, tune
    from cranfield.studies.audit import AuditCard, audit
    from cranfield.studies.collection_study import CollectionStudy, collection_study
    from cranfield.studies.cycles import Cycle, CycleComparison, compare_cycles
    from cranfield.studies.label_density import LabelDensity, label_density
    from cranfield.studies.measure_correlation import MeasureCorrelation, correlate
    from cranfield.studies.power import Power, power
    from cranfield.studies.random_guessing import RandomGuessing, random_guessing
    from cranfield.studies.stability import Stability, stability
    from cranfield.studies.threshold_effect import ThresholdEffect, threshold_effect
    from cranfield.tasks.classes import Confusion
    from cranfield.tasks.classes.monte_carlo import Dataset, MonteCarlo, monte_carlo
    from cranfield.tasks.retrieval import Preferences, Query, search
    from cranfield.tasks.retrieval.curves import Curve, Curves, curves

_ROOMS = {
    "engine.adapters": ("Scorer", "scorer"),
    "assessment.pools": (
        *("Pool", "leave_one_out", "missed_relevant", "pool", "unjudged_uncertainty"),
    ),
    "assessment.votes": ("Votes",),
    "tasks.classes": ("Confusion",),
    "tasks.classes.monte_carlo": ("Dataset", "MonteCarlo", "monte_carlo"),
    "collections.collection": ("Collection",),
    "collections.comparison": ("Comparison", "Counts"),
    "core.result": ("Result", "load"),
    "collections.description": ("Description", "Overlap", "describe", "overlap"),
    "engine": ("evaluate", "score"),
    "errors": ("CranfieldError", "FileError", "InputError", "MeasureError"),
    "engine.evaluation": ("Evaluation", "Score"),
    "formats": (
        *("read_agreement", "read_collection", "read_costs", "read_relatedness", "read_run"),
        "read_runs",
        *("read_confusion", "read_preferences", "read_truth"),
        *("write_confusion", "write_map", "write_run", "write_truth"),
    ),
    "formats.attributes": ("read_attributes",),
    "formats.baselines": ("read_baseline", "write_baseline"),
    "formats.datasets": ("read_dataset",),
    "formats.query_files": ("read_queries",),
    "formats.thresholds": ("read_thresholds", "write_thresholds"),
    "knowledge": (
        "AgreementMap",
        "Closure",
        "CostMap",
        "Ontology",
        "Provenance",
        "RelatednessMap",
        "Repair",
    ),
    "measures": ("Explanation", "Measure", "measure", "measures"),
    "measures.calibration": ("Reliability", "reliability"),
    "report.page": ("Report",),
    "tasks.retrieval": ("Preferences", "Query", "search"),
    "tasks.retrieval.curves": ("Curve", "Curves", "curves"),
    "core.run": ("Run",),
    "collections.splits": ("Split", "SplitReport", "folds", "split"),
    "statistics.comparing": ("Tournament", "compare"),
    "statistics.gating": ("Gate", "Verdict", "gate"),
    "statistics.incomplete": ("Bound", "Bounds", "Estimate", "Estimates", "bounds", "estimate"),
    "statistics.intervals": ("Interval", "Intervals", "Plan", "intervals", "plan"),
    "statistics.slices": ("SliceScore", "Slices", "slices"),
    "statistics.thresholds": ("RocTable", "RunThresholds", "Thresholds", "roc_table", "tune"),
    "studies.audit": ("AuditCard", "audit"),
    "studies.collection_study": ("CollectionStudy", "collection_study"),
    "studies.cycles": ("Cycle", "CycleComparison", "compare_cycles"),
    "studies.label_density": ("LabelDensity", "label_density"),
    "studies.measure_correlation": ("MeasureCorrelation", "correlate"),
    "studies.power": ("Power", "power"),
    "studies.random_guessing": ("RandomGuessing", "random_guessing"),
    "studies.stability": ("Stability", "stability"),
    "studies.threshold_effect": ("ThresholdEffect", "threshold_effect"),
    "core.truth": ("State", "Truth"),
}

__all__ = [
    "AgreementMap",
    "AuditCard",
    "Bound",
    "Bounds",
    "Closure",
    "Collection",
    "CollectionStudy",
    "Comparison",
    "Confusion",
    "CostMap",
    "Counts",
    "CranfieldError",
    "Curve",
    "Curves",
    "Cycle",
    "CycleComparison",
    "Dataset",
    "Description",
    "Estimate",
    "Estimates",
    "Evaluation",
    "Explanation",
    "FileError",
    "Gate",
    "InputError",
    "Interval",
    "Intervals",
    "LabelDensity",
    "Measure",
    "MeasureCorrelation",
    "MeasureError",
    "MonteCarlo",
    "Ontology",
    "Overlap",
    "Plan",
    "Pool",
    "Power",
    "Preferences",
    "Provenance",
    "Query",
    "RandomGuessing",
    "RelatednessMap",
    "Reliability",
    "Repair",
    "Report",
    "Result",
    "RocTable",
    "Run",
    "RunThresholds",
    "Score",
    "Scorer",
    "SliceScore",
    "Slices",
    "Split",
    "SplitReport",
    "Stability",
    "State",
    "ThresholdEffect",
    "Thresholds",
    "Tournament",
    "Truth",
    "Verdict",
    "Votes",
    "__version__",
    "audit",
    "bounds",
    "collection_study",
    "compare",
    "compare_cycles",
    "correlate",
    "curves",
    "describe",
    "estimate",
    "evaluate",
    "folds",
    "gate",
    "intervals",
    "label_density",
    "leave_one_out",
    "load",
    "measure",
    "measures",
    "missed_relevant",
    "monte_carlo",
    "overlap",
    "plan",
    "pool",
    "power",
    "random_guessing",
    "read_agreement",
    "read_attributes",
    "read_baseline",
    "read_collection",
    "read_confusion",
    "read_costs",
    "read_dataset",
    "read_preferences",
    "read_queries",
    "read_relatedness",
    "read_run",
    "read_runs",
    "read_thresholds",
    "read_truth",
    "reliability",
    "roc_table",
    "score",
    "scorer",
    "search",
    "slices",
    "split",
    "stability",
    "threshold_effect",
    "tune",
    "unjudged_uncertainty",
    "write_baseline",
    "write_confusion",
    "write_map",
    "write_run",
    "write_thresholds",
    "write_truth",
]


def __getattr__(name: str) -> Any:
    for room, names in _ROOMS.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{room}"), name)
            if isinstance(value, FunctionType):
                from cranfield.core.arguments import checked

                value = checked(value)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


class _Package(ModuleType):
    """`cf.measures` is the function that lists them, although a room has the same name.

    Importing that room would put it in the function's place: the setter keeps it out.
    """

    @property
    def measures(self) -> Any:
        from cranfield.measures import measures

        return measures

    @measures.setter
    def measures(self, room: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Package
