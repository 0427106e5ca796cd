"""`cranfield ontology check`: what contradicts an ontology, in itself or in the labels of items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.ontology.options import LabelThreshold, OntologySource
from cranfield.cli.options import Concepts, Format, Json, TableOutput, csv_option
from cranfield.cli.outcomes import BAD_INPUT

if TYPE_CHECKING:
    from cranfield.cli.ontology.labels import LabelFile
    from cranfield.knowledge import Ontology
    from cranfield.report.violations import Violations

_SHOWN = 20
_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield ontology check photos.owl",
            "cranfield ontology check pto2009 truth.csv",
            "cranfield ontology check pto2009 run.txt --threshold 0.3 --no-required",
            "cranfield ontology check pto2009 collection/ --csv",
        ),
    )(check)


def check(
    source: OntologySource,
    labels: Annotated[
        Path | None,
        typer.Argument(
            metavar="LABELS",
            help="A truth, a run, or a collection folder, whose truth is meant; default: check "
            "the ontology itself.",
            show_default=False,
        ),
    ] = None,
    required: Annotated[
        bool,
        typer.Option(
            "--required/--no-required", help="Report items that lack a group that is expected."
        ),
    ] = True,
    threshold: LabelThreshold = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("violation")] = False,
    output: TableOutput = None,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Check labels against an ontology: each rule that an item breaks, up to 20, then counts.

    JSON and CSV hold all of them. The exit code is 1 if there are any. A rule that an unjudged cell
    of a truth may satisfy is not broken.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)
    if labels is None and (form == "csv" or threshold is not None):
        raise typer.BadParameter("--csv and --threshold are about labels; name a file of them")
    spare((Path(source), labels, concepts), output)

    from cranfield.knowledge import Ontology

    ontology = Ontology.load(source)
    if labels is None:
        fine = _check_itself(ontology, source, form, output)
    else:
        from cranfield.cli.ontology.labels import read_labels

        file = read_labels(labels, threshold=threshold, concepts=concepts, format=format)
        fine = _check_labels(ontology, file, form, output, required=required)
    if not fine:
        raise typer.Exit(BAD_INPUT)


# ── the ontology itself ───────────────────────────────────────────────────────────────────────


def _check_itself(ontology: Ontology, source: str, form: str, path: Path | None) -> bool:
    """Tell contradictions, or that there are none."""
    from cranfield.errors import several
    from cranfield.report.ontologies import ontology_facts

    reasons = list(ontology.contradictions.values())
    if form == "json":
        deliver(json.dumps(ontology_facts(ontology), indent=2, ensure_ascii=False) + "\n", path)
    elif reasons:
        count = several(len(reasons), "contradiction")
        _tell([f"{source}: {reason}" for reason in reasons], f"{count} in {source}", path)
    else:
        rules = several(len(ontology.rules), "rule")
        concepts = several(len(ontology.concepts), "concept")
        depth = ontology.hierarchy().height
        _approve(
            "as an ontology",
            f"{source}: {concepts}, depth {depth}, {rules}, no contradiction",
            path,
        )
    if ontology.ignored and form != "json":
        _tell_ignored(ontology)
    return not reasons


def _tell_ignored(ontology: Ontology) -> None:
    from cranfield.cli.screen import inform
    from cranfield.errors import several
    from cranfield.report.ontologies import ignored_kinds

    count = several(sum(ontology.ignored.values()), "statement")
    inform(f"{count} not used, since labels are not concerned: {ignored_kinds(ontology)}")


# ── labels ────────────────────────────────────────────────────────────────────────────────────


def _check_labels(
    ontology: Ontology, file: LabelFile, form: str, path: Path | None, *, required: bool
) -> bool:
    """Tell what items break, or that they break nothing."""
    found = _violations(ontology, file, required=required)
    if form == "json":
        deliver(found.as_json(), path)
    elif form == "csv":
        deliver(found.as_csv(), path)
    elif found.all:
        from cranfield.report.violations import told

        lines = [f"{file.path}: {told(one)}" for one in found.all]
        _tell(lines, f"{found.summary} in {file.path}", path, found)
        if found.broken and file.meant_as == "as a truth":
            from cranfield.cli.screen import inform

            inform("a run that is right about everything would score below 1 by OS")
    else:
        from cranfield.errors import several

        items = several(found.items, "item")
        said = f"{file.path}: {items}, no rule of {ontology.name} is broken"
        _approve(file.meant_as, said, path)
    if found.undecided:
        _tell_undecided(found.undecided)
    return not found.all


def _tell_undecided(count: int) -> None:
    from cranfield.cli.screen import inform
    from cranfield.errors import several

    inform(
        f"{several(count, 'more violation')} if unjudged cells count as negative; "
        "cranfield ontology close resolves those that are implied"
    )


def _violations(ontology: Ontology, file: LabelFile, *, required: bool) -> Violations:
    from cranfield.cli.ontology.labels import about
    from cranfield.knowledge.violations import undecided
    from cranfield.report.violations import Violations

    with about(file.path):
        return Violations(
            ontology,
            file.labels.shape[0],
            ontology.violations(file.labels),
            ontology.missing(file.labels) if required else [],
            undecided(ontology, file.labels, required=required),
        )


# ── on the screen, or in a file ───────────────────────────────────────────────────────────────


def _tell(
    lines: list[str], summary: str, path: Path | None, found: Violations | None = None
) -> None:
    from rich.markup import escape

    from cranfield.cli.screen import errors, plain

    if path is not None:
        counts = "" if found is None else plain(found.table())
        deliver("\n".join([*lines, summary, counts]), path)
        return
    for line in lines[:_SHOWN]:
        errors().print(line, markup=False, soft_wrap=True)
    if found is not None:
        errors().print(found.table())
    more = f", the first {_SHOWN} of them above" if len(lines) > _SHOWN else ""
    errors().print(f"[bold red]{escape(summary)}[/bold red]{more}", soft_wrap=True)


def _approve(verdict: str, said: str, path: Path | None) -> None:
    from rich.markup import escape

    from cranfield.cli.screen import output

    if path is not None:
        deliver(f"fine {verdict}  {said}\n", path)
        return
    output().print(f"[green]fine[/green] {escape(verdict)}  {escape(said)}", soft_wrap=True)
