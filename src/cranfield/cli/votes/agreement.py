"""`cranfield votes agreement`: how far annotators say the same, beyond chance."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import (
    chosen_form,
    deliver,
    require_folders,
    require_map,
    require_picture,
    require_with,
    spare,
)
from cranfield.cli.options import Json, csv_option, picture_option
from cranfield.cli.study.inputs import Latex, LatexOutput, Seed
from cranfield.cli.votes.inputs import (
    CrewsOption,
    VoteFiles,
    VoteInput,
    read_crews,
    reads_votes,
)
from cranfield.errors import MOST_DRAWS

DEFAULTS = ("fleiss", "free_marginal", "krippendorff", "percent")
_EXTENSIONS = {".json": "json", ".csv": "csv", ".tex": "latex", ".txt": "table"}


class Coefficient(StrEnum):
    """Coefficients of agreement."""

    percent = "percent"
    fleiss = "fleiss"
    free_marginal = "free_marginal"
    krippendorff = "krippendorff"
    gwet = "gwet"
    cohen = "cohen"
    krippendorff_nominal = "krippendorff_nominal"
    krippendorff_ordinal = "krippendorff_ordinal"
    krippendorff_interval = "krippendorff_interval"
    krippendorff_jaccard = "krippendorff_jaccard"
    krippendorff_masi = "krippendorff_masi"


class Paradigm(StrEnum):
    """Which cells of an agreement map count."""

    all = "all"
    selected = "selected"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes agreement votes.csv",
            "cranfield votes agreement votes.csv --ontology pto2009 --intervals -o agreed.csv",
            "cranfield votes agreement votes.csv --crews people.csv -c free_marginal",
            "cranfield votes agreement votes.csv --pairs --map agreement.csv --picture agreed.svg",
        ),
    )(agreement)


@reads_votes
def agreement(
    files: VoteFiles,
    how: VoteInput,
    coefficient: Annotated[
        list[Coefficient] | None,
        typer.Option(
            "--coefficient",
            "-c",
            metavar="NAME",
            help="percent, fleiss, free_marginal, krippendorff, gwet, cohen, krippendorff_nominal, "
            "…_ordinal, …_interval; of whole sets of labels …_jaccard, …_masi; may be repeated. "
            f"Default: {', '.join(DEFAULTS)}.",
            show_default=False,
        ),
    ] = None,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Bootstrap items: where each value may lie.")
    ] = False,
    level: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0.5, max=0.999, help="Of --intervals; default: 0.95."),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=10, max=MOST_DRAWS, help="Bootstraps of --intervals; default: 1000."
        ),
    ] = None,
    crews: CrewsOption = None,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Who agrees with whom, and with the majority of everybody."),
    ] = False,
    map: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="Write how far people agree with the majority on each concept, as evaluate "
            "--agreement takes it.",
        ),
    ] = None,
    paradigm: Annotated[
        Paradigm | None,
        typer.Option(
            metavar="all|selected",
            help="Of --map: every decision counts, or only items where somebody chose the concept; "
            "default: all.",
        ),
    ] = None,
    picture: Annotated[
        Path | None, picture_option("agreement on each question, concept and item")
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("question and coefficient")] = False,
    as_latex: Latex = False,
    output: LatexOutput = None,
    seed: Seed = 0,
) -> None:
    """Tell how far annotators agree: on each question, and on average.

    Concepts that exclude each other are one question when --ontology or --group says so. With
    --crews, groups of annotators are compared with each other, and so are their majorities.
    """
    given = how.of(*files)
    form = chosen_form({"json": as_json, "csv": as_csv, "latex": as_latex}, output, _EXTENSIONS)
    for path, option in ((output, "--output"), (picture, "--picture"), (map, "--map")):
        spare((*given.read_files, crews), path, option=option)
    require_with("--intervals", intervals, {"--level": level, "--samples": samples})
    require_with("--map", map is not None, {"--paradigm": paradigm})
    if form in ("csv", "latex"):
        _require_no_parts(form, pairs=pairs, crews=crews is not None and picture is None)
    require_picture(picture)
    require_map(map, option="--map")
    require_folders((output, picture, map))

    from cranfield.assessment.agreement import cell_counts, compared, pair_agreement
    from cranfield.cli.screen import inform, progress
    from cranfield.cli.screen import output as screen
    from cranfield.formats import write_map
    from cranfield.report.agreement_pictures import agreement_picture
    from cranfield.report.agreements import (
        AgreementReport,
        Bootstrap,
        compared_table,
        pair_content,
        pair_table,
    )
    from cranfield.report.pictures import write_picture

    votes = given.read()
    wanted = [one.value for one in coefficient] if coefficient else list(DEFAULTS)
    bootstrap = Bootstrap(level or 0.95, samples or 1000, seed) if intervals else None
    parts = {"": votes} | ({} if crews is None else compared(votes, read_crews(crews, votes)))
    reports = {}
    with progress("comparing", len(parts)) as step:
        for name, part in parts.items():
            reports[name] = report = AgreementReport(part, wanted, bootstrap)
            report.content()
            step()
    every = reports.pop("")
    found = pair_agreement(votes) if pairs else None
    if form == "table":
        screen().print(every.table())
        if reports:
            screen().print(compared_table(reports))
        if found is not None:
            screen().print(pair_table(found))
    else:
        content = every.content()
        if reports:
            content["groups"] = {name: one.content() for name, one in reports.items()}
        if found is not None:
            content["pairs"] = pair_content(found)
        text = {
            "json": lambda: json.dumps(content, indent=2, ensure_ascii=False) + "\n",
            "csv": every.csv,
            "latex": every.latex,
        }[form]()
        deliver(text, output)
    if map is not None:
        write_map(votes.agreement_map((paradigm or Paradigm.all).value), map)
        inform(f"wrote {map}")
    if picture is not None:
        write_picture(agreement_picture(votes, cell_counts(votes), reports or {"": every}), picture)
        inform(f"wrote {picture}")


def _require_no_parts(form: str, **asked: bool) -> None:
    """Refuse what a single table has no room for."""
    for option, given in asked.items():
        if given:
            raise typer.BadParameter(
                f"--{form} holds one table, without it; give --json", param_hint=f"--{option}"
            )
