"""Citing: a paragraph for a paper, and the sources of the measures in it."""

from __future__ import annotations

from cranfield._version import __version__
from cranfield.errors import several
from cranfield.reports.findings import Findings
from cranfield.reports.section import Section
from cranfield.show.markup import element, joined
from cranfield.statistics.comparing.tournament import CORRECTIONS

_BIBTEX = f"""@software{{cranfield,
  title   = {{Cranfield: evaluation of anything that labels, classifies or ranks}},
  author  = {{{{The Cranfield developers}}}},
  version = {{{__version__}}}
}}"""


def section(found: Findings) -> Section:
    sources = dict.fromkeys(one.traits.source for one in found.standings.measures)
    return Section(
        "cite",
        "How to cite",
        "A paragraph that says what was done, ready for a paper; the sources are those of the "
        "measures.",
        joined(
            [
                element("blockquote", _paragraph(found), class_="cite"),
                element("ul", *(element("li", source) for source in sources if source)),
                element("pre", element("code", _BIBTEX), tabindex="0"),
            ]
        ),
    )


def _paragraph(found: Findings) -> str:
    truth = found.truth
    measures = "; ".join(
        f"{one} ({one.traits.source})" if one.traits.source else str(one)
        for one in found.standings.measures
    )
    said = (
        f"{several(len(found.result.runs), 'run')} over {several(len(truth.items), 'item')} and "
        f"{several(len(truth.concepts), 'concept')} (truth {truth.digest[:8]}) were scored with "
        f"Cranfield {__version__} by {measures}."
    )
    if found.intervals and len(found.intervals):
        first = found.intervals.results[0]
        methods = " and ".join(sorted({one.method for one in found.intervals} - {"none"}))
        over = "items and concepts" if first.resample == "both" else first.resample
        said += f" Intervals are {methods}, at the {first.level:.0%} level, over {over}."
    if found.tournament:
        chosen = found.tournament.choices
        many = f" with {chosen.samples:,} resamples (seed {chosen.seed})" if chosen.samples else ""
        said += (
            f" Runs were compared by {found.tournament.measure} with a {chosen.test} test over "
            f"{several(found.tournament.units, chosen.resample.removesuffix('s'))}{many}; p-values "
            f"were corrected by {CORRECTIONS[chosen.correction]} for "
            f"{several(len(found.tournament.pairs), 'pair')}."
        )
    return said
