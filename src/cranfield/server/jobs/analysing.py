"""Analysing runs: what a child process computes beyond scores, as results that can be stored.
Nothing of Django is known here.

Every analysis is the library's own: sections of the report, studies. Only charts that pages draw by
themselves are taken along: whatever a child answers, no drawing of its making is ever carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core.chart import Chart, Picture
from cranfield.core.result import Analysis, Result
from cranfield.core.run import Run
from cranfield.core.table import Table
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import CranfieldError, InputError
from cranfield.measures import measure
from cranfield.reports import scores, units
from cranfield.reports.findings import Findings
from cranfield.reports.report import Report
from cranfield.server.jobs.rankings import Rankings
from cranfield.server.jobs.scoring import test_part
from cranfield.server.jobs.submitted_run import read_submitted
from cranfield.show.document import Section
from cranfield.statistics.comparing import Tournaments
from cranfield.statistics.intervals import Intervals


def analyse(work: dict[str, Any]) -> dict[str, Any]:
    """The result of an analysis, or why there is none.

    work  kind; edition: folder of the collection; split; measures; rules: missing, extra, level;
          runs: file, label, threshold, competes; others: folders of other editions by name;
          warnings: what is to be told besides
    """
    try:
        inputs = _Inputs.of(work)
        result = _KINDS[work["kind"]](inputs)
    except CranfieldError as error:
        return {"error": str(error)}
    whole = Result(
        name=work["kind"],
        title=result.title,
        tables=result.tables,
        charts=result.charts,
        remarks=result.remarks,
        warnings=[*work["warnings"], *inputs.left_out, *result.warnings],
        signature=result.signature,
        terms=result.terms,
        parts=result.parts,
    )
    return {"result": whole.to_dict()}


def try_run(work: dict[str, Any]) -> dict[str, Any]:
    """Whether a run can be analysed at all: read, scored, and given intervals."""
    inputs = _Inputs.of(work)
    if inputs.runs:
        Findings.of(inputs.evaluate(inputs.runs))
    return {"readable": bool(inputs.runs)}


@dataclass(frozen=True)
class _Inputs:
    """Runs, and what they are held against."""

    part: Collection
    runs: Sequence[Run]
    competing: Sequence[Run]
    measures: Sequence[str]
    rules: dict[str, Any]
    split: str
    others: dict[str, str]
    edition: Path
    left_out: Sequence[str]

    @classmethod
    def of(cls, work: dict[str, Any]) -> _Inputs:
        part = _part(work["edition"], work["split"])
        runs, left_out, competing = [], [], []
        for described in work["runs"]:
            label = described["label"]
            try:
                run = read_submitted(
                    described["file"],
                    described["threshold"],
                    part,
                    name=label,
                    extra=work["rules"]["extra"],
                )
            except CranfieldError as error:
                left_out.append(f"{label} is left out: {error.what}")
                continue
            runs.append(run)
            if described["competes"]:
                competing.append(run)
        return cls(
            part,
            runs,
            competing,
            work["measures"],
            work["rules"],
            work["split"],
            work["others"],
            Path(work["edition"]),
            left_out,
        )

    def evaluate(self, runs: Sequence[Run], collection: Collection | None = None) -> Evaluation:
        if not runs:
            raise InputError("there is no run to analyse yet")
        return evaluate(collection or self.part, runs, self.measures, **self.rules)

    @property
    def baselines(self) -> list[Run]:
        return [run for run in self.runs if run not in self.competing]


def _part(edition: str | Path, split: str) -> Collection:
    """The test items of a split."""
    whole = test_part(formats.read_collection(edition))
    return whole if split == "all" else whole.select(split=split)


_UNTESTED = Tournaments(())
"""Of runs that are not compared."""

# ── kinds ─────────────────────────────────────────────────────────────────────────────────────


def _significance(inputs: _Inputs) -> Result:
    """Intervals of all scores; which competing runs differ, by `compare`."""
    result = inputs.evaluate(inputs.runs)
    competing = Findings.of(_only(result, inputs.competing), collection=inputs.part)
    known = list(competing.intervals or ())
    if inputs.baselines:
        apart = Findings.of(
            _only(result, inputs.baselines), tournament=competing.tournaments or _UNTESTED
        )
        known += apart.intervals or ()
    findings = replace(
        competing, result=result, intervals=Intervals(known, inputs.part.truth)
    )  # fmt: skip
    sections = [scores.leaderboard(findings), scores.certainty(findings), scores.contest(findings)]
    compared = competing.tournaments
    pairs = [] if compared is None else [compared.result.tables_for("programs")[-1]]
    return _of_sections("Intervals and significance", sections, competing.notes, pairs)


def _only(result: Evaluation, runs: Sequence[Run]) -> Evaluation:
    names = {run.name for run in runs}
    if not names:
        raise InputError("there is no run to analyse yet")
    return Evaluation(result.truth, [score for score in result if score.run.name in names])


def _concepts(inputs: _Inputs) -> Result:
    return _of_sections("Scores of single concepts", [units.concepts(_without_tests(inputs))])


def _items(inputs: _Inputs) -> Result:
    return _of_sections("Scores of single items", [units.items(_without_tests(inputs))])


def _without_tests(inputs: _Inputs) -> Findings:
    return Findings(inputs.evaluate(inputs.competing), inputs.part, None, None, 0.05, None, ())


def _report(inputs: _Inputs) -> Result:
    """Everything of the report: of a run, or of two beside each other."""
    report = Report(inputs.evaluate(inputs.runs), collection=inputs.part)
    names = " and ".join(run.name for run in inputs.runs)
    alone = len(inputs.runs) == 1  # and so first of one: nothing for a leaderboard
    sections = [part for part in report.sections if part.name != "leaderboard" or not alone]
    return _of_sections(names, sections, report.findings.notes)


def _measures(inputs: _Inputs) -> Result:
    from cranfield.studies.measure_correlation import correlate

    return _plain(
        correlate(inputs.part, inputs.competing, inputs.measures, percentages=(), **inputs.rules)
    )


def _truths(inputs: _Inputs) -> Result:
    """By other editions and other truths of the collection, and by what each annotator says."""
    truths = _truths_of(inputs)
    parts = []
    if len(truths) > 1:
        parts.append(_plain(_rankings(inputs, truths)))
    votes = sorted(inputs.edition.glob("votes.*"))
    if votes:
        parts.append(_plain(_annotators(inputs, votes[0])))
    if not parts:
        raise InputError(
            "there is one truth only: no other edition, no truths/*, no votes.* in the collection"
        )
    return Result("truths", title="Ranking by other truths", parts=parts)


def _truths_of(inputs: _Inputs) -> dict[str, Collection]:
    truths = {"the truth in force": inputs.part}
    for name, folder in inputs.others.items():
        truths[name] = _part(folder, inputs.split)
    for path in sorted((inputs.edition / "truths").glob("*")):
        truth = formats.read_truth(path)
        items = [item for item in inputs.part.items if item in set(truth.items)]
        other = Collection(truth.select(items=items), knowledge=inputs.part.knowledge)
        truths[path.name.partition(".")[0]] = other
    return truths


def _rankings(inputs: _Inputs, truths: dict[str, Collection]) -> Rankings:
    names = [run.name for run in inputs.competing]
    rules = inputs.rules | {"extra": "drop"}
    scored = [
        evaluate(collection, inputs.competing, inputs.measures, **rules)
        for collection in truths.values()
    ]
    values = [[[result[name, by] for name in names] for result in scored] for by in inputs.measures]
    return Rankings(
        list(truths), names, [measure(by) for by in inputs.measures], np.array(values, dtype=float)
    )


def _annotators(inputs: _Inputs, path: Path) -> Analysis:
    from cranfield.assessment.files.reading import read_votes
    from cranfield.studies.annotator_effect import annotator_effect

    votes = read_votes(path)
    return annotator_effect(
        votes.only(items=[item for item in votes.items if item in set(inputs.part.items)]),
        inputs.competing,
        inputs.measures,
        missing=inputs.rules["missing"],
        extra="drop",
    )


_KINDS: dict[str, Callable[[_Inputs], Result]] = {
    "significance": _significance,
    "concepts": _concepts,
    "items": _items,
    "report": _report,
    "comparison": _report,
    "measures": _measures,
    "truths": _truths,
}


# ── results ───────────────────────────────────────────────────────────────────────────────────


def _of_sections(
    title: str,
    sections: Iterable[Section | None],
    notes: Sequence[str] = (),
    tables: Sequence[Table] = (),
) -> Result:
    parts = [_of_section(section) for section in sections if section and section.tables]
    if not parts:
        raise InputError("the measures have nothing to say here")
    return Result(title, title=title, tables=tables, parts=parts, warnings=notes)


def _of_section(section: Section) -> Result:
    """A section of the report; what it shows one measure at a time are parts of it."""
    section = replace(
        section,
        panels={name: [*map(_unlabelled, parts)] for name, parts in section.panels.items()},
    )
    remarks = [section.lead, *section.remarks]
    several = len(section.panels) > 1
    shown = [part for parts in section.panels.values() for part in parts]
    panels = [_panel(name, parts) for name, parts in section.panels.items()] if several else []
    return Result(
        section.name,
        title=section.title,
        tables=section.folded if several else section.tables,
        charts=[] if several else _charts(shown),
        remarks=[remark for remark in remarks if remark],
        parts=panels,
    )


def _unlabelled(part: Table | Picture) -> Table | Picture:
    """A table of items without their true labels: no page hands a truth out, whatever else it
    shows."""
    if not isinstance(part, Table) or not any(c.field == "labels" for c in part.columns):
        return part
    rows = [{name: row[name] for name in row if name != "labels"} for row in part.rows]
    columns = [column for column in part.columns if column.field != "labels"]
    return replace(part, rows=rows, columns=columns)


def _panel(name: str, parts: Sequence[Table | Picture]) -> Result:
    tables = [part for part in parts if isinstance(part, Table)]
    return Result(name, title=name, tables=tables, charts=_charts(parts))


def _plain(analysis: Analysis) -> Result:
    result = analysis.full_result
    return Result(
        name=result.name,
        title=result.title,
        tables=result.tables,
        charts=_charts(result.charts),
        remarks=result.remarks,
        warnings=result.warnings,
        signature=result.signature,
        terms=result.terms,
    )


def _charts(parts: Iterable[Table | Picture]) -> list[Chart]:
    return [part for part in parts if isinstance(part, Chart)]
