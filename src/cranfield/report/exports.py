"""Exports: evaluations as text for other programs. CSV, LaTeX, JSON; numbers at full precision
where a program reads them, at four digits where a reader does.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from typing import Any

from cranfield.core.printable import printable_name
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.measures import Measure
from cranfield.report.standings import Standings, unit_names

_COLUMNS = ("run", "measure", "score", "units", "skipped", "notes", "signature")
_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    # After the end of a row, TeX would read these two as arguments of that end.
    | {"[": "{[}", "*": "{*}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    # The usual font of TeX has other signs in these places.
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def as_csv(evaluation: Evaluation, *, per_unit: bool = False) -> str:
    """One line for each score, or for each unit of each score; undefined is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if per_unit:
        writer.writerow(("run", "measure", "unit", "score"))
        for score in evaluation:
            for unit, value in by_unit(evaluation, score).items():
                writer.writerow((score.run.name, score.measure, unit, _blank(value)))
    else:
        writer.writerow(_COLUMNS)
        for row in evaluation.rows():
            writer.writerow([_blank(row[column]) for column in _COLUMNS])
    return out.getvalue()


def as_json(evaluation: Evaluation, *, per_unit: bool = False) -> str:
    """{"scores": […]}; per unit, each score also holds "by_unit": {name: score}."""
    if not per_unit:
        return evaluation.to_json(indent=2) + "\n"
    rows = [
        row | {"by_unit": by_unit(evaluation, score)}
        for row, score in zip(evaluation.rows(), evaluation, strict=True)
    ]
    return json.dumps({"scores": rows}, indent=2, ensure_ascii=False) + "\n"


def as_latex(evaluation: Evaluation, *, per_unit: bool = False) -> str:
    """A booktabs table, best of each column bold; per unit, one such table for each measure."""
    standings = Standings(evaluation)
    if not per_unit:
        return latex_standings(standings)
    return "\n".join(_latex_units(standings, measure) for measure in standings.measures)


def latex_standings(standings: Standings) -> str:
    """Runs by measures as a booktabs table, best of each column bold."""
    return tabular(
        ["run", *(latex_heading(measure) for measure in standings.measures)],
        [
            [latex(run), *(_latex_cell(standings, run, m) for m in standings.measures)]
            for run in standings.runs
        ],
        remarks=standings.remarks,
    )


Export = Callable[..., str]
EXPORTS: dict[str, Export] = {"json": as_json, "csv": as_csv, "latex": as_latex}


def by_unit(evaluation: Evaluation, score: Score) -> dict[str, float | None]:
    """The score of each concept or item by name; None = skipped."""
    names = unit_names(evaluation.truth, score.measure)
    if not names:  # a measure that pools all cells has one unit, which is no concept or item
        return {}
    return {
        name: None if math.isnan(value) else float(value)
        for name, value in zip(names, score.by_unit, strict=True)
    }


def _latex_units(standings: Standings, measure: Measure) -> str:
    columns = [standings.evaluation.units(run, measure) for run in standings.runs]
    names = unit_names(standings.evaluation.truth, measure)
    rows = [
        [latex(name), *(latex_number(float(column[place])) for column in columns)]
        for place, name in enumerate(names)
    ]
    return tabular([latex_heading(measure), *map(latex, standings.runs)], rows)


def tabular(header: list[str], rows: list[list[str]], *, remarks: tuple[str, ...] = ()) -> str:
    """A booktabs table of cells that are LaTeX already."""
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(f"% {printable_name(remark)}" for remark in remarks),
    ]
    return "\n".join(lines) + "\n"


def latex_heading(measure: Measure) -> str:
    """A measure above its column, and which way is better."""
    arrows = {"higher": r" $\uparrow$", "lower": r" $\downarrow$", "neither": ""}
    return latex(str(measure)) + arrows[measure.traits.better]


def _latex_cell(standings: Standings, run: str, measure: Measure) -> str:
    number = latex_number(standings.value(run, measure))
    return rf"\textbf{{{number}}}" if standings.is_best(run, measure) else number


def latex_number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "--"
    return f"{value:.4f}".replace("inf", r"$\infty$")


def latex(text: str) -> str:
    """Text in which nothing means something to TeX."""
    return printable_name(text).translate(_LATEX)


def _blank(value: Any) -> Any:
    return "" if value is None else value
