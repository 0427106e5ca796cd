"""Options that several commands of `cranfield votes hits` take, and the jobs that they make."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cranfield.assessment.jobs import Form, Job, Sample

Items = Annotated[
    Path,
    typer.Option(
        "--items",
        metavar="FILE",
        help="Items and where their images are: CSV item,image_url; with --url only item.",
        show_default=False,
    ),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="PATTERN",
        help="Where images are, such as https://example.org/{item}.jpg.",
    ),
]
JobFolder = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="Write here, into a new folder.",
        show_default=False,
    ),
]  # fmt: skip
JobPath = Annotated[
    Path,
    typer.Argument(metavar="JOB", help="A folder that votes hits wrote.", show_default=False),
]
Results = Annotated[
    list[Path],
    typer.Argument(
        metavar="RESULTS",
        help="Results of the job's batches, as Mechanical Turk gives them.",
        show_default=False,
    ),
]
Title = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="What stands above the page.")
]
Descriptions = Annotated[
    Path | None,
    typer.Option(
        "--descriptions",
        metavar="FILE",
        help="What concepts, questions and sections mean: CSV concept,description.",
    ),
]
Instructions = Annotated[
    Path | None,
    typer.Option(
        "--instructions", metavar="FILE", help="What people are told first, a line for each rule."
    ),
]
Assignments = Annotated[
    int, typer.Option("--assignments", metavar="N", min=1, help="How many people see each page.")
]
Batches = Annotated[
    int, typer.Option("--batches", metavar="N", min=1, help="How many batches to publish.")
]
Copies = Annotated[
    int, typer.Option("--copies", metavar="N", min=1, help="In how many batches an item is.")
]
Common = Annotated[
    float,
    typer.Option(
        "--common", metavar="SHARE", min=0.0, max=1.0,
        help="Share of the items that is in all batches, to hold people against each other.",
    ),
]  # fmt: skip
PerHit = Annotated[
    int, typer.Option("--per-hit", metavar="N", min=1, help="How many items are on a page.")
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="Of what is drawn, and of the order.")
]
Preview = Annotated[
    bool,
    typer.Option(
        "--preview", help="Write preview.html too: the page with the first items filled in."
    ),
]


@dataclass(frozen=True)
class JobInput:
    """How jobs are worded and dealt out."""

    items: Path
    url: str | None
    output: Path
    title: str | None
    descriptions: Path | None
    instructions: Path | None
    assignments: int
    batches: int
    copies: int
    common: float
    per_hit: int
    seed: int
    preview: bool

    def __post_init__(self) -> None:
        if self.copies > self.batches:
            raise typer.BadParameter(
                f"--copies {self.copies} needs as many batches; give --batches too"
            )
        if self.url is not None and "{item}" not in self.url:
            raise typer.BadParameter("write {item} where ids go", param_hint="--url")

    def require_new(self) -> None:
        """Refuse a folder that holds something, before much is read."""
        from cranfield.errors import FileError

        if self.output.exists() and (not self.output.is_dir() or any(self.output.iterdir())):
            raise FileError(
                self.output, "is there already and would be replaced; choose another name"
            )

    def addresses(self) -> dict[str, str]:
        from cranfield.assessment.jobs import read_images

        return read_images(self.items, pattern=self.url)

    def worded(self, form: Form) -> Form:
        """A form in the words that were given; one file may describe the concepts of many jobs."""
        told = {name: text for name, text in self.described().items() if name in form.names}
        return form.worded(
            title=self.title, descriptions=told, instructions=_lines(self.instructions)
        )

    def described(self) -> dict[str, str]:
        from cranfield.formats.two_columns import read_descriptions

        return {} if self.descriptions is None else read_descriptions(self.descriptions)

    def job(
        self,
        form: Form,
        addresses: Mapping[str, str],
        items: Iterable[str] | None = None,
        sample: Sample | None = None,
    ) -> Job:
        """A job on all items, or on some."""
        from cranfield.assessment.jobs import Job, deal

        batches = deal(
            addresses if items is None else items,
            batches=self.batches,
            copies=self.copies,
            common=self.common,
            per_hit=self.per_hit,
            seed=self.seed,
        )
        return Job(form, batches, addresses, self.assignments, sample)


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    from cranfield.errors import FileError
    from cranfield.formats.source import opened

    with opened(path) as source:
        raw = source.stream.read()
    try:
        lines = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileError(path, "this is no UTF-8; save it as UTF-8") from None
    return [line.strip() for line in lines if line.strip()]


def show(jobs: Mapping[Path, Job], *, as_json: bool) -> None:
    """Say what was written and what to do with it."""
    from cranfield.cli.screen import data, inform, output
    from cranfield.report.crowd_jobs import job_content, job_table

    for path in jobs:
        inform(f"wrote {path}")
    if as_json:
        content = {"jobs": [job_content(path, job) for path, job in jobs.items()]}
        data(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(job_table(jobs))
