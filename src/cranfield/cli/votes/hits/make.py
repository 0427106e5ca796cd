"""`cranfield votes hits make`: the pages and batches of a crowd job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, OntologyOption
from cranfield.cli.votes.hits import options
from cranfield.cli.votes.hits.options import JobInput, show
from cranfield.cli.votes.inputs import GroupOption, groups_given

if TYPE_CHECKING:
    from cranfield.assessment.jobs import Form


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes hits make --ontology pto2009 --items items.csv -o job --preview",
            "cranfield votes hits make --concepts concepts.txt --group Time=Day,Night "
            "--items items.csv -o job",
            "cranfield votes hits make --ontology pto2009 --staged --items items.csv --batches 4 "
            "--copies 2 --common 0.1 -o job",
        ),
    )(make)


def make(
    items: options.Items,
    output: options.JobFolder,
    ontology: OntologyOption = None,
    concepts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead of an ontology: concepts, one a line."),
    ] = None,
    group: GroupOption = None,
    ask: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="Ask for these concepts of the ontology only; categories stand for their own.",
        ),
    ] = None,
    staged: Annotated[
        bool,
        typer.Option(
            "--staged",
            help="Leave out what needs another concept: [bold]hits next[/bold] asks for it later, "
            "where that holds.",
        ),
    ] = False,
    url: options.Url = None,
    title: options.Title = None,
    descriptions: options.Descriptions = None,
    instructions: options.Instructions = None,
    assignments: options.Assignments = 3,
    batches: options.Batches = 1,
    copies: options.Copies = 1,
    common: options.Common = 0.0,
    per_hit: options.PerHit = 1,
    seed: options.Seed = 0,
    preview: options.Preview = False,
    as_json: Json = False,
) -> None:
    """Write a crowd job: a page for Mechanical Turk and the input of each batch.

    Top categories are sections, each beside the image. Concepts of which exactly one holds are
    radio buttons, all others boxes; a page cannot be handed in before each choice is made. Paste
    template.html as the design of a project, publish each batch with its CSV, and read the answers
    with [bold]hits read[/bold].
    """
    given = JobInput(
        items, url, output, title, descriptions, instructions, assignments, batches, copies,
        common, per_hit, seed, preview,
    )  # fmt: skip
    form = _form(ontology, concepts, group, ask, staged=staged)
    given.require_new()

    from cranfield.assessment.jobs import write_job
    from cranfield.cli.screen import inform
    from cranfield.errors import first_ten

    strange = [name for name in given.described() if name not in form.names]
    if strange:
        inform(f"{descriptions}: {first_ten(strange)} described, but not asked")
    job = given.job(given.worded(form), given.addresses())
    write_job(job, output, preview=preview)
    show({output: job}, as_json=as_json)


def _form(
    ontology: str | None,
    concepts: Path | None,
    group: list[str] | None,
    ask: str | None,
    *,
    staged: bool,
) -> Form:
    if (ontology is None) == (concepts is None):
        raise typer.BadParameter("give --ontology or --concepts, one of them")
    if concepts is not None and (ask is not None or staged):
        raise typer.BadParameter("--ask and --staged choose from an --ontology")
    if ontology is not None and group:
        raise typer.BadParameter("--group is for --concepts; an ontology tells groups itself")
    groups = groups_given(group or ())

    from cranfield.assessment.jobs import Form, first_stage
    from cranfield.assessment.jobs.sections import named_concepts
    from cranfield.formats import read_concepts
    from cranfield.knowledge import Ontology

    if ontology is None:
        assert concepts is not None
        return Form.of_concepts(read_concepts(concepts), groups)
    loaded = Ontology.load(ontology)
    asked = named_concepts(loaded, loaded.concepts if ask is None else names_in(ask))
    if staged:
        first = set(first_stage(loaded))
        asked = tuple(concept for concept in asked if concept in first)
    return Form.of_ontology(loaded, asked)


def names_in(text: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]
