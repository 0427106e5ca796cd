"""Provenance: whether measures agree, what the numbers rest on, and how to cite them."""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield._version import __version__
from cranfield.core.matrices import Floats
from cranfield.core.table import Column, Table
from cranfield.errors import several
from cranfield.reports.findings import Findings
from cranfield.show.document import Section, emphasised
from cranfield.show.markup import NOTHING, Html, element, joined, shown
from cranfield.statistics.rank_correlation import tau_b
from cranfield.studies.field import Field

_LEAST = 3
"""Systems without which a correlation says nothing."""
_SAME = 1e-9
"""What rounding may take off a perfect correlation."""
_OF_RUNS = ("decisions",)
"""Conventions of runs, not of measures."""

# ── agreement of measures ─────────────────────────────────────────────────────────────────────


def agreement(findings: Findings) -> Section | None:
    """Do the measures put the systems in the same order?"""
    measures = [m for m in findings.result.measures if m.traits.better != "neither"]
    if len(findings.systems) < _LEAST or len(measures) < 2:
        return None
    merits = Field(findings.result, findings.systems).merits(findings.systems)
    judged = [index for index, m in enumerate(findings.result.measures) if m in measures]
    taus, names = _taus(merits[judged]), list(map(str, measures))
    rows = [
        {"measure": name, **dict(zip(names, taus[index].tolist(), strict=True))}
        for index, name in enumerate(names)
    ]
    columns = (
        Column("measure", key=True),
        *(Column(name, digits=2, shade="higher") for name in names),
    )
    return Section(
        "measures",
        "Do the measures agree?",
        f"Kendall's τ-b between the rankings of {len(findings.systems)} systems by each two "
        "measures: 1 = the same order, 0 = nothing to do with each other, −1 = the reverse.",
        {"": [Table("measures", rows, columns, title="τ-b of the rankings of systems")]},
        finding=_least_agreement(names, taus),
    )


def _taus(merits: Floats) -> Floats:
    """(M, M); NaN where a measure has an undefined score."""
    out = np.full((len(merits), len(merits)), np.nan)
    defined = np.flatnonzero(~np.isnan(merits).any(axis=1)).tolist()
    for i in defined:
        for j in defined[: defined.index(i) + 1]:
            out[i, j] = out[j, i] = tau_b(merits[i], merits[j])
    return out


def _least_agreement(names: list[str], taus: Floats) -> Html:
    pairs = [
        (taus[i, j], i, j) for i in range(len(names)) for j in range(i) if taus[i, j] == taus[i, j]
    ]
    if not pairs:
        return NOTHING
    least, i, j = min(pairs)
    if least > 1.0 - _SAME:
        return shown("All measures put the systems in the same order.")
    return joined(
        [
            emphasised(names[j]), " and ", emphasised(names[i]),
            f" agree least on the order of systems (τ-b {least:.2f}).",
        ]
    )  # fmt: skip


# ── conventions ───────────────────────────────────────────────────────────────────────────────


def conventions(findings: Findings) -> Section:
    """What every number rests on: choices, notes of skipped units, signatures."""
    notes = (*findings.standings.remarks, *findings.notes)
    listed = element("ul", *(element("li", note) for note in notes))
    return Section(
        "conventions",
        "What do the numbers rest on?",
        "Every choice that a score depends on. A signature pins all of them, with the version and "
        "the hashes of truth and run: two scores compare if their signatures do.",
        {"": [_choices(findings)]},
        more=joined([element("h3", "Notes"), listed]) if notes else NOTHING,
        folded=[_signatures(findings)],
    )


def _choices(findings: Findings) -> Table:
    rows, result = [], findings.result
    for measure in findings.standings.measures:
        score = result.score(findings.standings.runs[0], measure)
        chosen = {k: v for k, v in score.conventions.items() if k not in _OF_RUNS}
        low, high = (f"{end:g}".replace("inf", "∞") for end in measure.traits.range)
        rows.append(
            {
                "measure": str(measure),
                "formula": measure.definition.formula.partition("\n")[0].replace("`", ""),
                "better": measure.traits.better,
                "range": f"{low} … {high}".replace("-", "−"),
                "units": score.units + score.skipped,
                "skipped": max(result.score(run, measure).skipped for run in result.runs),
                "conventions": ", ".join(f"{name} = {value}" for name, value in chosen.items()),
                "source": measure.traits.source,
            }
        )
    columns = (
        Column("measure", key=True),
        Column("formula", "what it is"),
        *(Column(name) for name in ("better", "range")),
        *(Column(name, kind="count") for name in ("units", "skipped")),
        *(Column(name) for name in ("conventions", "source")),
    )
    return Table("conventions", rows, columns, title="Measures and conventions")


def _signatures(findings: Findings) -> Table:
    first = findings.standings.measures[0]
    runs = [findings.result.score(run, first).run for run in findings.standings.runs]

    def hashed(indices: range) -> None:
        for index in indices:
            _ = runs[index].digest

    kernels.share(len(runs), 1, hashed)  # signatures need them all, and hashing waits for nobody
    rows = [
        {
            "run": run,
            "measure": str(measure),
            "signature": findings.result.score(run, measure).signature,
        }
        for run in findings.standings.runs
        for measure in findings.standings.measures
    ]
    rows[:0] = [
        {"run": "all", "measure": str(tournament.measure), "signature": tournament.signature}
        for tournament in findings.tournaments or ()
    ]
    columns = (Column("run", key=True), Column("measure"), Column("signature"))
    title = f"Signatures of all {len(findings.result)} scores"
    return Table("signatures", rows, columns, title=title)


# ── citing ────────────────────────────────────────────────────────────────────────────────────

_BIBTEX = f"""@software{{cranfield,
  title   = {{Cranfield: evaluation of anything that labels, classifies or ranks}},
  author  = {{{{The Cranfield developers}}}},
  version = {{{__version__}}}
}}"""


def citing(findings: Findings) -> Section:
    """A paragraph for a paper, and the sources of the measures in it."""
    sources = dict.fromkeys(measure.traits.source for measure in findings.standings.measures)
    return Section(
        "cite",
        "How to cite",
        "A paragraph that says what was done, ready for a paper; the sources are those of the "
        "measures.",
        {},
        more=joined(
            [
                element("blockquote", _paragraph(findings), class_="cite"),
                element("ul", *(element("li", source) for source in sources if source)),
                element("pre", element("code", _BIBTEX), tabindex="0"),
            ]
        ),
    )


def _paragraph(findings: Findings) -> str:
    truth = findings.truth
    measures = "; ".join(
        f"{measure} ({measure.traits.source})" if measure.traits.source else str(measure)
        for measure in findings.standings.measures
    )
    items, count = truth.terms.several(len(truth.items), "item"), len(truth.concepts)
    concepts = f" and {truth.terms.several(count, 'concept')}" if count else ""
    text = (
        f"{several(len(findings.result.runs), 'run')} over {items}{concepts} "
        f"(truth {truth.digest[:8]}) were scored with Cranfield {__version__} by {measures}."
    )
    if findings.intervals and len(findings.intervals):
        first = findings.intervals.results[0]
        methods = " and ".join(sorted({i.method for i in findings.intervals} - {"none"}))
        over = first.resampled(truth.terms)
        text += f" Intervals are {methods}, at the {first.level:.0%} level, over {over}."
    if findings.tournament:
        chosen = findings.tournament.choices
        many = f" with {chosen.samples:,} resamples (seed {chosen.seed})" if chosen.samples else ""
        text += (
            f" Runs were compared by {findings.tournament.measure} with a {chosen.test_name} over "
            f"{findings.tournament.over}{many}; p-values were "
            f"{chosen.corrected_for(len(findings.tournament.pairs))}."
        )
    return text
