"""Decisions on the page: what thresholds cost, and how often labels break rules of the ontology.

The best threshold is found on the same truth: it says what could be had at most, not what tuning on
other data would reach. Of large collections a part is looked at, items evenly spaced by id.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.aligned import narrowed
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Ints
from cranfield.core.run import Run
from cranfield.core.table import Column, Graphic, Table
from cranfield.engine.evaluation import Score, mean
from cranfield.errors import CranfieldError, InputError
from cranfield.knowledge import Ontology, Rule
from cranfield.knowledge.rules import worded
from cranfield.knowledge.violations import count_violations
from cranfield.measures import Measure, measure
from cranfield.reports.findings import DIGITS, Findings, titled, written
from cranfield.show.document import Section, emphasised
from cranfield.show.markup import NOTHING, Html, joined
from cranfield.statistics.thresholds.averages import averages
from cranfield.statistics.thresholds.criteria import above, first_best

_USUAL = "example.F"
CELLS, LEAST = 2_000_000, 200
"""Cells of all runs together that are looked at, and items at the least."""


@dataclass(frozen=True)
class _Cut:
    """One run as it decides, and as it should."""

    run: str
    own: float | str
    """own: several thresholds, or decisions; none: there is none, and 0.5 would be a guess."""
    score: float
    """NaN without a threshold."""
    best: float
    reached: float
    gained: float
    """The better, the higher."""


# ── thresholds ────────────────────────────────────────────────────────────────────────────────


def thresholds(findings: Findings) -> Section | None:
    """What the threshold of each run costs it, and where a better one lies."""
    by = _measure(findings)
    scores = {score.run.name: score for score in findings.result if score.run.scores is not None}
    listed = [scores[run] for run in findings.standings.runs if run in scores]
    if not listed or findings.truth.open or 0 in findings.truth.shape:
        return None
    rows = _evenly_spaced(findings, len(listed))
    cuts, unable = _cuts(listed, by, rows)
    if not cuts:
        return None
    whole = len(rows) == len(findings.truth.items)
    units = findings.truth.terms.items
    part = f"from {len(rows):,} of {len(findings.truth.items):,} {units}, evenly spaced by id"
    return Section(
        "thresholds",
        "What do thresholds cost?",
        f"Each run by {titled(by)} as it decides (small dot), and with the one threshold that "
        "would serve it best on this truth (large dot): no tuning on other data reaches more. Own: "
        "decisions, or several thresholds, of its own; none: there is no threshold.",
        {"": [_threshold_table(findings, cuts, by)]},
        [*([] if whole else [part]), *unable],
        _costly(cuts, by),
    )


def _measure(findings: Findings) -> Measure:
    """The first measure of decisions that is an average of formulas over counts, or the usual."""
    fitting = (
        m
        for m in findings.result.measures
        if m.definition.formula_of_counts is not None
        and m.traits.prediction == "decisions"
        and m.traits.direction in ("concept", "example")
        and m.traits.better != "neither"
        and m.traits.average == "arithmetic"
    )
    return next(fitting, measure(_USUAL))


def _evenly_spaced(findings: Findings, runs: int) -> Ints:
    """The items to look at."""
    items, concepts = findings.truth.shape
    most = max(LEAST, CELLS // max(1, concepts * runs))
    order = canonical_order(findings.truth.item_axis)
    return np.asarray(order if items <= most else order[:: -(-items // most)])


def _cuts(scores: list[Score], by: Measure, rows: Ints) -> tuple[list[_Cut], list[str]]:
    truth = scores[0].truth
    part = truth if len(rows) == truth.shape[0] else truth.part(rows)
    done: dict[str, _Cut] = {}
    unable: list[str] = []

    def work(indices: range) -> None:
        for index in indices:
            score = scores[index]
            run = score.run
            if part is not truth:
                run = narrowed(run, truth, rows=rows, missing=score.missing)
            try:
                done[run.name] = _cut(Comparison(part, run, missing=score.missing), by)
            except CranfieldError as error:
                unable.append(f"{run.name}: {error}")

    kernels.share(len(scores), 1, work)
    return [done[s.run.name] for s in scores if s.run.name in done], sorted(unable)


def _own(run: Run) -> float | str:
    """The threshold that a run decides by."""
    if run.labels is not None:
        return "own"
    try:
        cut = run.cut
    except InputError:
        return "none"
    return "own" if cut is None or isinstance(cut, np.ndarray) else float(cut)


def _cut(comparison: Comparison, by: Measure) -> _Cut:
    own, sign = _own(comparison.run), 1.0 if by.traits.higher_is_better else -1.0
    score = math.nan if own == "none" else mean(by.units(comparison), None)[0]
    levels, means = averages(comparison, by)
    if np.isnan(means).all():
        raise CranfieldError(f"{by} is undefined at every threshold")
    index = first_best(-sign * means)
    best = float(levels[index - 1]) if index else above(levels)
    reached = float(means[index])
    return _Cut(comparison.run.name, own, score, best, reached, sign * (reached - score))


def _threshold_table(findings: Findings, cuts: list[_Cut], by: Measure) -> Table:
    rows = [
        {
            "run": cut.run,
            "score": cut.score,
            "best": cut.reached,
            "gain": cut.gained,
            "threshold": cut.own,
            "_threshold": cut.own if isinstance(cut.own, str) else f"{cut.own:.4g}",
            "best threshold": cut.best,
            "_best threshold": f"{cut.best:.4g}",
            "_emphasis": "faint" if findings.kind(cut.run) else "",
        }
        for cut in cuts
    ]
    columns = (
        Column("run", key=True),
        Column("score", "as decided", digits=DIGITS),
        Column("best", "at best", digits=DIGITS, graphic=Graphic("gain", ("score",))),
        Column("gain", digits=DIGITS),
        Column("threshold", audience="programs"),
        Column("_threshold", "decides at", align="right"),
        Column("best threshold", audience="programs"),
        Column("_best threshold", "best at", align="right"),
    )
    return Table("thresholds", rows, columns, title=f"Thresholds by {by}", emphasis="_emphasis")


def _costly(cuts: list[_Cut], by: Measure) -> Html:
    costly = [cut for cut in cuts if cut.gained >= 0.005]
    if not costly:
        return NOTHING
    cut = max(costly, key=lambda cut: cut.gained)
    return joined(
        [
            "The threshold of ", emphasised(cut.run),
            f" costs it {written(cut.gained)} by {by}: {written(cut.score)} as it decides, "
            f"{written(cut.reached)} at {cut.best:.3g}.",
        ]
    )  # fmt: skip


# ── rules ─────────────────────────────────────────────────────────────────────────────────────

_RULES = 25
Counted = tuple[dict[Rule, int], int]


def rules(findings: Findings) -> Section | None:
    """How often the labels of each run, and of the truth, break the rules of the ontology."""
    ontology = findings.ontology
    if ontology is None or findings.truth.open:
        return None
    counted, unable = _counted(findings, ontology)
    return Section(
        "rules",
        "Do labels obey the ontology?",
        f"What the decisions of runs break of {ontology.name}: labels that exclude each other, and "
        "labels without those that they need. Required groups that are empty are not counted.",
        {"": [_by_run(findings, counted), _by_rule(findings, counted)]},
        unable,
        _rule_breaking(findings, counted),
    )


def _counted(findings: Findings, ontology: Ontology) -> tuple[dict[str, Counted], list[str]]:
    """Of each run that has decisions; "" is the truth. Those without are told."""
    first: dict[str, Score] = {score.run.name: score for score in findings.result}
    subjects = {"": findings.truth, **{run: first[run].run for run in findings.standings.runs}}
    names, done = list(subjects), dict[str, Counted]()
    unable: list[str] = []

    def work(indices: range) -> None:
        for index in indices:
            name = names[index]
            try:
                done[name] = count_violations(ontology, subjects[name])
            except CranfieldError as error:
                unable.append(f"{name or 'truth'}: {error}")

    kernels.share(len(names), 1, work)
    return {name: done[name] for name in names if name in done}, sorted(unable)


def _by_run(findings: Findings, counted: dict[str, Counted]) -> Table:
    items = len(findings.truth.items)
    rows: list[dict[str, Any]] = []
    for run, (broken, anywhere) in counted.items():
        worst = max(broken, key=lambda rule: broken[rule], default=None)
        rows.append(
            {
                "run": run or "truth",
                "_run": run or "the truth",
                "items": anywhere,
                "percent": 100.0 * anywhere / max(1, items),
                "violations": sum(broken.values()),
                "most often": "" if worst is None else f"{worded(worst)} ({broken[worst]:,})",
                "_emphasis": "faint" if run and findings.kind(run) else "" if run else "strong",
            }
        )
    columns = (
        Column("run", audience="programs"),
        Column("_run", "run", key=True),
        Column("items", f"{findings.truth.terms.items} at fault", kind="count"),
        Column("percent", "%", digits=1),
        Column("violations", kind="count"),
        Column("most often"),
    )
    title = "Violations by run"
    return Table("rules-by-run", rows, columns, title=title, emphasis="_emphasis")


def _by_rule(findings: Findings, counted: dict[str, Counted]) -> Table:
    """The rules that systems break most, on average over those that have decisions."""
    totals: dict[Rule, int] = {}
    runs = [run for run in findings.systems if run in counted]
    for run in runs:
        for rule, count in counted[run][0].items():
            totals[rule] = totals.get(rule, 0) + count
    of_truth = counted.get("", ({}, 0))[0]
    order = sorted(totals, key=lambda rule: (-totals[rule], str(rule)))[:_RULES]
    rows = [
        {
            "rule": worded(rule),
            "items": totals[rule] / max(1, len(runs)),
            "truth": of_truth.get(rule, 0),
        }
        for rule in order
    ]
    units = findings.truth.terms.items
    columns = (
        Column("rule", key=True),
        Column("items", f"{units} at fault, mean over systems", digits=1),
        Column("truth", "in the truth", kind="count"),
    )
    return Table("rules", rows, columns, title="The rules that systems break most")


def _rule_breaking(findings: Findings, counted: dict[str, Counted]) -> Html:
    items = len(findings.truth.items)
    shares = {run: counted[run][1] / max(1, items) for run in findings.systems if run in counted}
    if not shares:
        return NOTHING
    least, most = min(shares, key=lambda run: shares[run]), max(shares, key=lambda run: shares[run])
    return joined(
        [
            "Labels break rules of the ontology in ",
            f"{percent(shares[least])} (", emphasised(least), f") to {percent(shares[most])} (",
            emphasised(most), f") of the {findings.truth.terms.items}.",
        ]
    )  # fmt: skip


def percent(share: float) -> str:
    """As short as can be, but 0 and 100 % only where it is none or all."""
    texts = (f"{share:.{digits}%}" for digits in range(8))
    return next(text for text in texts if share in (0.0, 1.0) or 0.0 < float(text[:-1]) < 100.0)
