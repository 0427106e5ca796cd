"""Rules: how often the labels of each run, and of the truth, break the rules of the ontology."""

from __future__ import annotations

from cranfield import kernels
from cranfield.engine.evaluation import Score
from cranfield.errors import CranfieldError
from cranfield.knowledge import Ontology, Rule
from cranfield.knowledge.rules import worded
from cranfield.knowledge.violations import count_violations
from cranfield.reports.findings import Findings
from cranfield.reports.naming import emphasised, named
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import NOTHING, Html, element, joined, paragraphs

_RULES = 25
Counted = tuple[dict[Rule, int], int]


def section(found: Findings) -> Section | None:
    ontology = found.ontology
    if ontology is None or found.truth.open:
        return None
    counted, unable = _counted(found, ontology)
    by_run, by_rule = _by_run(found, counted), _by_rule(found, counted)
    return Section(
        "rules",
        "Do labels obey the ontology?",
        f"What the decisions of runs break of {ontology.name}: labels that exclude each other, and "
        "labels without those that they need. Required groups that are empty are not counted.",
        joined([by_run.html, by_rule.html, paragraphs(unable, class_="remark")]),
        (by_run, by_rule),
        _finding(found, counted),
    )


def _counted(found: Findings, ontology: Ontology) -> tuple[dict[str, Counted], list[str]]:
    """Of each run that has decisions; "" is the truth. Those without are told."""
    first: dict[str, Score] = {score.run.name: score for score in found.result}
    given = {"": found.truth, **{run: first[run].run for run in found.standings.runs}}
    names, done = list(given), dict[str, Counted]()
    unable: list[str] = []

    def work(places: range) -> None:
        for place in places:
            name = names[place]
            try:
                done[name] = count_violations(ontology, given[name])
            except CranfieldError as error:
                unable.append(f"{name or 'truth'}: {error}")

    kernels.share(len(names), 1, work)
    return {name: done[name] for name in names if name in done}, sorted(unable)


def _by_run(found: Findings, counted: dict[str, Counted]) -> Table:
    items = len(found.truth.items)
    rows: list[Row] = []
    for run, (broken, anywhere) in counted.items():
        worst = max(broken, key=lambda rule: broken[rule], default=None)
        rows.append(
            [
                Cell(run, named(found, run)) if run else Cell("truth", element("i", "the truth")),
                anywhere,
                100.0 * anywhere / max(1, items),
                sum(broken.values()),
                "" if worst is None else f"{worded(worst)} ({broken[worst]:,})",
            ]
        )
    columns = (
        Column("run", css="name"),
        Column("items", "items at fault"),
        Column("percent", "%", 1),
        Column("violations"),
        Column("most often", css="labels"),
    )
    classes = [found.kind(run) if run else "truth" for run in counted]
    return Table("rules-by-run", "Violations by run", columns, rows, row_css=classes)


def _by_rule(found: Findings, counted: dict[str, Counted]) -> Table:
    """The rules that systems break most, on average over those that have decisions."""
    totals: dict[Rule, int] = {}
    runs = [run for run in found.systems if run in counted]
    for run in runs:
        for rule, count in counted[run][0].items():
            totals[rule] = totals.get(rule, 0) + count
    of_truth = counted.get("", ({}, 0))[0]
    order = sorted(totals, key=lambda rule: (-totals[rule], str(rule)))[:_RULES]
    rows: list[Row] = [
        [worded(rule), totals[rule] / max(1, len(runs)), of_truth.get(rule, 0)] for rule in order
    ]
    columns = (
        Column("rule", css="labels"),
        Column("items", "items at fault, mean over systems", 1),
        Column("truth", "in the truth"),
    )
    caption = "The rules that systems break most"
    return Table("rules", caption, columns, rows)


def _finding(found: Findings, counted: dict[str, Counted]) -> Html:
    items = len(found.truth.items)
    shares = {run: counted[run][1] / max(1, items) for run in found.systems if run in counted}
    if not shares:
        return NOTHING
    least, most = min(shares, key=lambda run: shares[run]), max(shares, key=lambda run: shares[run])
    return joined(
        [
            "Labels break rules of the ontology in ",
            f"{percent(shares[least])} (", emphasised(least), f") to {percent(shares[most])} (",
            emphasised(most), ") of the items.",
        ]
    )  # fmt: skip


def percent(share: float) -> str:
    """As short as can be, but 0 and 100 % only where it is none or all."""
    texts = (f"{share:.{digits}%}" for digits in range(8))
    return next(text for text in texts if share in (0.0, 1.0) or 0.0 < float(text[:-1]) < 100.0)
