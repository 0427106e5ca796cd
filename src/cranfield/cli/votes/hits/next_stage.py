"""`cranfield votes hits next`: ask for sub-concepts where what they need was found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json
from cranfield.cli.votes.hits import options
from cranfield.cli.votes.hits.make import names_in
from cranfield.cli.votes.hits.options import JobInput, show

if TYPE_CHECKING:
    from cranfield.core.truth import Truth


def register(app: typer.Typer) -> None:
    app.command(
        "next",
        cls=Command,
        epilog=examples(
            "cranfield votes hits next truth.csv --ontology pto2009 --items items.csv -o stage2",
            "cranfield votes hits next votes.csv --votes --ontology pto2009 --items items.csv "
            "-o stage2",
            "cranfield votes hits next truth.csv --ontology pto2010 --items items.csv -o persons "
            "--ask female,male --where Single_Person,Small_Group,Big_Group",
        ),
    )(next_stage)


def next_stage(
    truth: Annotated[
        Path,
        typer.Argument(
            metavar="TRUTH",
            help="What was found before: a truth or collection folder, or votes with --votes.",
            show_default=False,
        ),
    ],
    items: options.Items,
    output: options.JobFolder,
    ontology: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Which concepts need which: pto2009, pto2010, pto2011, or a file.",
            show_default=False,
        ),
    ],
    votes: Annotated[
        bool, typer.Option("--votes", help="TRUTH are votes, which the majority decides.")
    ] = False,
    ask: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…", help="Ask for these concepts or categories, where --where says."
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="NAME,…", help="Items that have one of these concepts."),
    ] = None,
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
    """Write the next jobs of a staged annotation, one for each concept that others need.

    A sub-concept is asked where its parent holds and the truth does not tell of it yet: what kind
    of water where there is water. --ask and --where make a job of one's own.
    """
    if (ask is None) != (where is None):
        raise typer.BadParameter("give --ask and --where together, or neither")
    given = JobInput(
        items, url, output, title, descriptions, instructions, assignments, batches, copies,
        common, per_hit, seed, preview,
    )  # fmt: skip
    given.require_new()

    from cranfield.assessment.jobs import Form, next_stages, write_jobs
    from cranfield.assessment.jobs.stages import own_stage
    from cranfield.cli.screen import inform
    from cranfield.errors import InputError, several
    from cranfield.knowledge import Ontology

    known, addresses = _read(truth, votes=votes), given.addresses()
    loaded = Ontology.load(ontology)
    stages = (
        next_stages(loaded, known)
        if ask is None or where is None
        else (own_stage(loaded, known, names_in(ask), names_in(where)),)
    )
    jobs = {}
    for stage in stages:
        if stage.unknown:
            inform(f"{stage.title}: nobody said so far of {several(stage.unknown, 'item')}")
        if not stage.items:
            inform(f"{stage.title}: no item has it, so there is nothing to ask")
            continue
        form = given.worded(Form.of_ontology(loaded, stage.asks))
        jobs[stage.name] = given.job(form, addresses, stage.items)
    if not jobs:
        raise InputError("no item has what the next concepts need; there is nothing to ask")
    written = write_jobs(jobs, output, preview=preview)
    show(dict(zip(written, jobs.values(), strict=True)), as_json=as_json)


def _read(path: Path, *, votes: bool) -> Truth:
    if votes:
        from cranfield.cli.votes.inputs import VoteInput

        return VoteInput([path]).read().merge()
    from cranfield import formats

    return formats.read_collection(path).truth
