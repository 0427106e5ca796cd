"""Units on the page: which concepts and items are hard, and on which slices runs fail."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.table import Better, Column, Graphic, Table
from cranfield.core.terms import Terms
from cranfield.engine.standings import EQUAL, better_of
from cranfield.errors import several
from cranfield.measures import Measure
from cranfield.reports.findings import DIGITS, Findings, titled, written
from cranfield.show.document import Section, emphasised
from cranfield.show.graphics import Scale
from cranfield.show.markup import NOTHING, Html, joined, slug
from cranfield.statistics.slices import Slices, SliceScore

CONCEPTS, RUNS = 120, 80
"""Rows and columns of a map that stay readable."""
BINS = 25
HARDEST = 25
"""Items that are listed."""
_EQUALS = 3
"""Equally hard units that are named."""
_LABELS = 8
"""Labels of an item that are named."""
_SLICED_RUNS = 10
"""Runs whose slices are shown, the best ones."""

# ── concepts ──────────────────────────────────────────────────────────────────────────────────


def concepts(findings: Findings) -> Section | None:
    """Which run is good at which concept, as a table whose cells are shaded."""
    measures = findings.of_direction("concept")
    if not measures or not findings.truth.concepts:
        return None
    terms = findings.truth.terms
    return Section(
        "concepts",
        f"Which {terms.concepts} are hard?",
        f"{terms.concepts.capitalize()} from the hardest to the easiest on average over systems, "
        f"runs from the best to the worst; • the best run of each {terms.concept}. Click a heading "
        "to sort.",
        {str(measure): [_map(findings, measure)] for measure in measures},
        _left_out(findings),
        _hardest_concept(findings, measures[0]),
    )


def _map(findings: Findings, measure: Measure) -> Table:
    runs = findings.standings.runs[:RUNS]
    values = np.array([findings.result.units(run, measure) for run in runs])
    average, best = findings.by_unit(measure)[1], _best(values, measure)
    positives = findings.truth.totals(0, findings.truth.unjudged).positives
    names, terms = findings.truth.concepts, findings.truth.terms
    shade: Better = better_of(measure)
    rows = []
    for index in _hardest(average, measure)[:CONCEPTS].tolist():
        row: dict[str, Any] = {
            "concept": names[index],
            "_concept": findings.called(names[index]),
            "positives": int(positives[index]),
            "mean": float(average[index]),
        }
        for run, value in zip(runs, values[:, index].tolist(), strict=True):
            row |= {run: value, f"_{run}": "•" if value == best[index] else ""}
        rows.append(row)
    columns = (
        Column("concept", audience="programs"),
        Column("_concept", terms.concept, key=True),
        Column("positives", "n", kind="count"),
        Column("mean"),
        *(Column(run, run, digits=2, shade=shade, mark=f"_{run}") for run in runs),
    )
    title = f"Scores of {terms.concepts} by {titled(measure)}"
    return Table(f"concepts-{slug(measure)}", rows, columns, title=title)


def _hardest(average: Floats, measure: Measure) -> Ints:
    """Indices of concepts, the hardest first, undefined ones last."""
    sign = -1.0 if measure.traits.better == "lower" else 1.0
    return np.argsort(sign * average, kind="stable")


def _best(values: Floats, measure: Measure) -> list[float]:
    """The best value of each concept; NaN where there is none."""
    worst = math.inf if measure.traits.better == "lower" else -math.inf
    filled = np.where(np.isfinite(values), values, worst)
    best = filled.min(axis=0) if measure.traits.better == "lower" else filled.max(axis=0)
    return [value if math.isfinite(value) else math.nan for value in best.tolist()]


def _left_out(findings: Findings) -> list[str]:
    count, runs = len(findings.truth.concepts), len(findings.standings.runs)
    shown = []
    if count > CONCEPTS:
        shown.append(f"the {CONCEPTS} hardest of {findings.truth.terms.several(count, 'concept')}")
    if runs > RUNS:
        shown.append(f"the best {RUNS} of {runs} runs")
    if not shown:
        return []
    return [f"Shown are {' and '.join(shown)}; cranfield evaluate --per-unit --csv has all."]


def _hardest_concept(findings: Findings, measure: Measure) -> Html:
    average = findings.by_unit(measure)[1]
    order = [i for i in _hardest(average, measure).tolist() if math.isfinite(average[i])]
    if len(order) < 2:
        return NOTHING
    ends = []
    for rank in (0, -1):
        names = [findings.called(findings.truth.concepts[i]) for i in _equals(order, average, rank)]
        ends.append(_named(names, ("hardest", "easiest")[rank], "concept", findings.truth.terms))
    values = [written(float(average[order[rank]])) for rank in (0, -1)]
    if values[0] == values[1]:
        return NOTHING
    return joined(
        [
            "The ", ends[0], f" ({values[0]} by {measure} on average), the ", ends[1],
            f" ({values[1]}).",
        ]
    )  # fmt: skip


def _equals(order: Sequence[int], average: Floats, rank: int) -> list[int]:
    """Those that are as hard as the one at some rank."""
    return [index for index in order if average[index] == average[order[rank]]]


def _named(names: Sequence[str], how: str, unit: str, terms: Terms) -> Html:
    """hardest item is a; hardest items are a, b and c; … 12 items, among them a, b and c: no pick
    among equals."""
    if len(names) == 1:
        return joined([f"{how} {terms.word(unit)} is ", emphasised(names[0])])
    few = [emphasised(name) for name in names[:_EQUALS]]
    listed = joined([joined(few[:-1], between=", "), " and ", few[-1]])
    they = f"{how} {terms.word(f'{unit}s')} are "
    if len(names) <= _EQUALS:
        return joined([they, listed])
    return joined([f"{they}{terms.several(len(names), unit)}, among them ", listed])


# ── items ─────────────────────────────────────────────────────────────────────────────────────


def items(findings: Findings) -> Section | None:
    """How the scores of single items spread, and which items no run gets right."""
    measures = findings.of_direction("example")
    if not measures or not findings.truth.items or findings.truth.open:
        return None
    units = findings.truth.terms.items
    return Section(
        "items",
        f"Which {units} are hard?",
        f"Each hill shows how many {units} have which score; the line marks the median. Below, the "
        f"{units} with the worst scores on average over systems, and what is true of them.",
        {str(m): [_spread(findings, m), _hardest_items(findings, m)] for m in measures},
        finding=_hardest_item(findings, measures[0]),
    )


def _spread(findings: Findings, measure: Measure) -> Table:
    runs = findings.standings.order(measure)
    values = {run: _ascending(findings.result.units(run, measure)) for run in runs}
    low, high = _ends(measure, values.values())
    edges = np.linspace(low, high, BINS + 1)[1:-1]
    names = ("lower quarter", "median", "upper quarter")
    rows = []
    for run in runs:
        own = values[run]
        quarters = np.quantile(own, [0.25, 0.5, 0.75]).tolist() if len(own) else [math.nan] * 3
        counts = np.diff(np.searchsorted(own, edges), prepend=0, append=len(own))
        rows.append(
            {
                "run": run,
                **dict(zip(names, quarters, strict=True)),
                "mean": findings.standings.value(run, measure),
                "_shares": (counts / max(1, len(own))).tolist(),
                "_emphasis": "faint" if findings.kind(run) else "",
            }
        )
    hills = Graphic("spread", ("_shares",), (low, high))
    columns = (
        Column("run", key=True),
        Column("median", graphic=hills),
        *(Column(name) for name in ("lower quarter", "upper quarter", "mean")),
    )
    title = f"Scores of {findings.truth.terms.items} by {titled(measure)}"
    return Table(f"items-{slug(measure)}", rows, columns, title=title, emphasis="_emphasis")


def _ascending(values: Floats) -> Floats:
    """Those that are defined, in order."""
    return np.sort(values[np.isfinite(values)])


def _ends(measure: Measure, values: Iterable[Floats]) -> tuple[float, float]:
    """The range of a measure, or round numbers around the scores where it is open."""
    low, high = measure.traits.range
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    scale = Scale.over(end for own in values if len(own) for end in (own[0], own[-1]))
    return scale.low, scale.high


def _hardest_first(findings: Findings, mean: Floats, measure: Measure) -> Ints:
    """Indices of items, the worst first; equals by id, undefined ones nowhere."""
    by_id = canonical_order(findings.truth.item_axis)
    sign = -1.0 if measure.traits.better == "lower" else 1.0
    ordered = by_id[np.argsort(sign * mean[by_id], kind="stable")]
    return ordered[np.isfinite(mean[ordered])]


def _makers(systems: Sequence[str], values: Floats, best: float) -> str:
    """Whose the best value is; no pick among several that have it."""
    names = [name for name, value in zip(systems, values, strict=True) if abs(value - best) < EQUAL]
    if len(names) == len(systems) > 1:
        return "all"
    return " / ".join(names) if len(names) <= _EQUALS else several(len(names), "run")


def _hardest_items(findings: Findings, measure: Measure) -> Table:
    values, mean = findings.by_unit(measure)
    pick = np.nanargmin if measure.traits.better == "lower" else np.nanargmax
    rows = []
    order = _hardest_first(findings, mean, measure)
    for index in order[:HARDEST].tolist():
        best = int(pick(values[:, index]))
        rows.append(
            {
                "item": findings.truth.items[index],
                "mean": float(mean[index]),
                "best": float(values[best, index]),
                "best run": _makers(findings.systems, values[:, index], values[best, index]),
                "labels": _labels(findings, index),
            }
        )
    columns = (
        Column("item", key=True, pictured=True),
        Column("mean"),
        Column("best"),
        Column("best run", "by"),
        *([Column("labels", "true labels")] if findings.truth.concepts else []),
    )
    terms = findings.truth.terms
    title = f"The {len(rows)} hardest {terms.items} by {measure}"
    equal = (
        int(np.count_nonzero(mean[order[HARDEST:]] == mean[order[HARDEST - 1]]))
        if len(order) > HARDEST
        else 0
    )
    more = f"{equal} more {terms.word('item' if equal == 1 else 'items')}"
    remarks = [f"{more} as hard as the last; equals stand by id"] if equal else []
    table = Table(f"hardest-items-{slug(measure)}", rows, columns, title=title, remarks=remarks)
    return table.in_terms(terms)


def _labels(findings: Findings, index: int) -> str:
    truth = findings.truth
    names = [truth.concepts[column] for column in np.flatnonzero(truth.labels[index]).tolist()]
    more = f" and {len(names) - _LABELS} more" if len(names) > _LABELS else ""
    return ", ".join(names[:_LABELS]) + more or "none"


def _hardest_item(findings: Findings, measure: Measure) -> Html:
    mean = findings.by_unit(measure)[1]
    order = _hardest_first(findings, mean, measure)
    if not len(order):
        return NOTHING
    names = [findings.truth.items[index] for index in _equals(order.tolist(), mean, 0)]
    average = written(float(mean[order[0]]))
    return joined(
        [
            *("The ", _named(names, "hardest", "item", findings.truth.terms)),
            f" ({average} by {measure} on average).",
        ]
    )


# ── slices ────────────────────────────────────────────────────────────────────────────────────


def slices(findings: Findings) -> Section | None:
    """Where runs fail: scores of parts of the collection, with intervals and tests."""
    if findings.slices is None or not len(findings.slices):
        return None
    sliced = findings.slices
    runs = [run for run in findings.standings.runs if run in sliced.runs][:_SLICED_RUNS]
    remarks = list(sliced.result.remarks)
    if len(runs) < len(sliced.runs):
        remarks.insert(0, f"the best {len(runs)} of {len(sliced.runs)} runs are shown")
    return Section(
        "slices",
        "Where do runs fail?",
        "Scores of parts of the collection, and how far each is from the score of all the rest.",
        {str(measure): [_slices(findings, sliced, measure, runs)] for measure in sliced.measures},
        remarks,
        _worst_slice(findings, sliced, runs),
    )


def _slices(findings: Findings, sliced: Slices, measure: Measure, runs: list[str]) -> Table:
    scores = [score for score in sliced if score.measure == measure and score.run in runs]
    scores.sort(key=lambda score: runs.index(score.run))
    columns = (
        Column("run", key=True),
        Column("attribute"),
        Column("slice"),
        Column("items", kind="count"),
        Column("concepts", kind="count"),
        Column("score", digits=DIGITS, graphic=Graphic("interval", ("low", "high"))),
        Column("difference", "− rest", digits=DIGITS),
        Column("adjusted", "p adjusted", digits=DIGITS, kind="p"),
        Column("verdict"),
    )
    rows = [_slice(findings, score) for score in scores]
    title = f"Slices by {titled(measure)}"
    table = Table(f"slices-{slug(measure)}", rows, columns, title=title, emphasis="_emphasis")
    return table.in_terms(findings.truth.terms)


def _slice(findings: Findings, score: SliceScore) -> dict[str, Any]:
    differs = score.adjusted < findings.alpha
    verdict = " ".join(filter(None, ("worst" if score.worst else "", "differs" if differs else "")))
    names = ("run", "attribute", "slice", "items", "concepts", "score", "low", "high")
    return {name: getattr(score, name) for name in names} | {
        "difference": score.difference,
        "adjusted": score.adjusted,
        "verdict": verdict,
        "_emphasis": "strong" if score.worst and differs else "",
    }


def _worst_slice(findings: Findings, sliced: Slices, runs: list[str]) -> Html:
    """The worst slice of the best run that differs from the rest."""
    best = [s for s in sliced if (s.run, s.measure) == (runs[0], sliced.measures[0])]
    apart = [score for score in best if score.worst and score.adjusted < findings.alpha]
    if not apart:
        return NOTHING
    score = max(apart, key=lambda score: abs(score.difference))
    return joined(
        [
            emphasised(score.run), f" is worst where {score.attribute} is ",
            emphasised(score.slice), f": {written(score.score)} by {score.measure}, ",
            f"{written(abs(score.difference))} from the rest.",
        ]
    )  # fmt: skip
