"""`cranfield votes hits screen`: ask again about what is annotated, and about what is not."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TruthPath
from cranfield.cli.votes.hits import options
from cranfield.cli.votes.hits.options import JobInput, show


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes hits screen truth.csv --concept Sky --items items.csv -o screening",
            "cranfield votes hits screen truth.csv --concept Sky --concept Sea --annotated 50 "
            "--others 200 --items items.csv -o screening",
        ),
    )(screen)


def screen(
    truth: TruthPath,
    items: options.Items,
    output: options.JobFolder,
    concept: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="What to screen, may be repeated.", show_default=False),
    ],
    annotated: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many items with the concept to show.")
    ] = 100,
    others: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many items without it to show.")
    ] = 100,
    url: options.Url = None,
    title: options.Title = None,
    descriptions: options.Descriptions = None,
    instructions: options.Instructions = None,
    assignments: options.Assignments = 3,
    batches: options.Batches = 1,
    copies: options.Copies = 1,
    common: options.Common = 0.0,
    per_hit: options.PerHit = 10,
    seed: options.Seed = 0,
    preview: options.Preview = False,
    as_json: Json = False,
) -> None:
    """Write jobs that ask for one concept, yes or no, of items with it and items without it.

    People do not learn which are which: both are mixed. The first show annotations that are wrong,
    the second those that are missing; [bold]hits found[/bold] tells from their answers how far all
    annotations can be trusted.
    """
    given = JobInput(
        items, url, output, title, descriptions, instructions, assignments, batches, copies,
        common, per_hit, seed, preview,
    )  # fmt: skip
    given.require_new()

    from cranfield import formats
    from cranfield.assessment.jobs import Form, Sample, write_jobs

    known, addresses = formats.read_collection(truth).truth, given.addresses()
    jobs = {}
    for name in concept:
        sample = Sample.draw(known, name, annotated=annotated, others=others, seed=seed)
        form = given.worded(Form.of_screening(name))
        jobs[name] = given.job(form, addresses, sample.items, sample)
    written = write_jobs(jobs, output, preview=preview)
    show(dict(zip(written, jobs.values(), strict=True)), as_json=as_json)
