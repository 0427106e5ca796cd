"""Cranfield: how good is it, how sure are we, and is this the right measure?

With `import cranfield as cf`, arrays in and a float out: `cf.score(y, s, "concept.AP")`. With
names, several runs and several measures: `cf.evaluate(y, {"lr": s1, "mlp": s2}, ["concept.AP",
"example.F"], classes=names)`; which differ: `cf.compare(y, {"lr": s1, "mlp": s2}, "example.F")`.

`__init__.pyi` lists the public names; everything else is in a room: `cf.studies`, `cf.statistics`,
`cf.assessment`, `cf.formats`, `cf.knowledge`, `cf.collections`, `cf.tasks`.
"""

from cranfield._public import publish

publish(
    __name__,
    moved={
        "cranfield.assessment": "leave_one_out missed_relevant unjudged_uncertainty",
        "cranfield.collections": "Comparison Counts Description Overlap Split SplitReport",
        "cranfield.engine.scikit_learn": "Scorer",
        "cranfield.formats": (
            "read_agreement read_attributes read_baseline read_confusion read_costs "
            "read_dataset read_preferences read_queries read_relatedness read_thresholds "
            "write_baseline write_confusion write_map write_thresholds"
        ),
        "cranfield.knowledge": "Closure Provenance Repair",
        "cranfield.measures": "Explanation",
        "cranfield.statistics": (
            "Bound Bounds Estimate Estimates Gate Intervals Plan Reliability RocTable "
            "RunThresholds SliceScore Slices Thresholds Tournament Verdict reliability "
            "roc_table"
        ),
        "cranfield.statistics.intervals": "Interval",
        "cranfield.studies": (
            "AuditCard CollectionStudy Cycle CycleComparison LabelDensity MeasureCorrelation "
            "Power RandomGuessing Stability ThresholdEffect audit collection_study "
            "compare_cycles correlate label_density power random_guessing stability "
            "threshold_effect"
        ),
        "cranfield.tasks": "Curve Curves Dataset MonteCarlo Preferences monte_carlo",
    },
)
