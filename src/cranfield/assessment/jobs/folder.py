"""A job on disk.

template.html  the page, for the design of a project at Mechanical Turk
batch1.csv …   the input of each batch: item,image_url, numbered where a page has several items
job.json       what was asked, which reading the answers needs; of a screening what was drawn, which
               annotators must not see
preview.html   the page with the first items filled in, if wanted
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cranfield.assessment.jobs.batches import Hit
from cranfield.assessment.jobs.fields import address_field, coded_item, item_field
from cranfield.assessment.jobs.forms import Form
from cranfield.assessment.jobs.screening import Sample
from cranfield.assessment.jobs.template import preview_page, template_page
from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.delimited import line_of
from cranfield.formats.source import folder_written, opened

_LONGEST = 80
"""Letters of a folder's name, which only has to be told apart."""


@dataclass(frozen=True)
class Job:
    """What is asked about which items.

    batches      pages of items, batch by batch
    addresses    where the image of each item is
    assignments  how many people are to answer each page, which is said when a batch is published
    sample       of a screening: what was drawn
    """

    form: Form
    batches: tuple[tuple[Hit, ...], ...]
    addresses: Mapping[str, str]
    assignments: int = 3
    sample: Sample | None = None

    def __post_init__(self) -> None:
        items = {item for batch in self.batches for page in batch for item in page}
        lacking = sorted(items - set(self.addresses))
        if lacking:
            raise InputError(f"no address of an image is known of {first_ten(lacking)}; add them")

    @property
    def per_hit(self) -> int:
        return len(self.batches[0][0])

    @property
    def pages(self) -> int:
        return sum(map(len, self.batches))

    @property
    def items(self) -> int:
        """How many different ones are asked about."""
        return len({item for batch in self.batches for page in batch for item in page})

    def row(self, page: Hit) -> dict[str, str]:
        """What Mechanical Turk writes into the template for a page."""
        row = {}
        for place, item in enumerate(page, 1):
            row[item_field(place, len(page))] = coded_item(item)
            row[address_field(place, len(page))] = self.addresses[item]
        return row


@dataclass(frozen=True)
class Asked:
    """What reading the answers to a job needs."""

    form: Form
    per_hit: int
    sample: Sample | None


def write_job(job: Job, path: str | Path, *, preview: bool = False) -> None:
    """Write a job into a new folder, all of it or nothing."""
    with folder_written(Path(path)) as target:
        assert target.folder is not None
        _lay(job, target.folder, preview=preview)


def write_jobs(jobs: Mapping[str, Job], path: str | Path, *, preview: bool = False) -> list[Path]:
    """Write several jobs, each into a folder of its own within a new one; says where."""
    names: dict[str, Job] = {}
    for name, job in jobs.items():
        short = quote(name, safe=" ")[:_LONGEST].replace(".", "%2E").strip() or "job"
        again = [short, *(f"{short} {number}" for number in range(2, len(jobs) + 1))]
        names[next(one for one in again if one.casefold() not in map(str.casefold, names))] = job
    with folder_written(Path(path)) as target:
        assert target.folder is not None
        for name, job in names.items():
            inner = target.folder / name
            inner.mkdir()
            _lay(job, inner, preview=preview)
    return [Path(path) / name for name in names]


def _lay(job: Job, folder: Path, *, preview: bool) -> None:
    template = template_page(job.form, per_hit=job.per_hit)
    (folder / "template.html").write_text(template, encoding="utf-8", newline="\n")
    for number, batch in enumerate(job.batches, 1):
        rows = [job.row(page) for page in batch]
        lines = [line_of(rows[0], (), ","), *(line_of(row.values(), (), ",") for row in rows)]
        (folder / f"batch{number}.csv").write_bytes(b"".join(lines))
    said = {
        "form": job.form.content,
        "per_hit": job.per_hit,
        "assignments": job.assignments,
        "sample": None if job.sample is None else asdict(job.sample),
    }
    content = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    (folder / "job.json").write_text(content, encoding="utf-8", newline="\n")
    if preview:
        page = preview_page(job.form, job.row(job.batches[0][0]), per_hit=job.per_hit)
        (folder / "preview.html").write_text(page, encoding="utf-8", newline="\n")


def read_job(path: str | Path) -> Asked:
    """What a job's folder, or its job.json, asked."""
    path = Path(path)
    file = path / "job.json" if path.is_dir() else path
    if path.is_dir() and not file.is_file():
        inner = sorted(one.name for one in path.iterdir() if (one / "job.json").is_file())
        raise FileError(
            path,
            f"there are several jobs in it; name one: {first_ten(inner)}"
            if inner
            else "there is no job.json in it; name a folder that votes hits wrote",
        )
    with opened(file) as source:
        text = source.stream.read()
    try:
        said = json.loads(text)
        return Asked(Form.of_content(said["form"]), _count(said["per_hit"]), _sample(said))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError):
        raise FileError(
            file, "this is not what a job was written with; take the file that was written"
        ) from None


def _count(said: Any) -> int:
    if not isinstance(said, int) or said < 1:
        raise ValueError(said)
    return said


def _sample(said: Mapping[str, Any]) -> Sample | None:
    sample = said["sample"]
    if sample is None:
        return None
    return Sample(
        str(sample["concept"]),
        tuple(map(str, sample["annotated"])),
        int(sample["annotated_of"]),
        tuple(map(str, sample["others"])),
        int(sample["others_of"]),
    )
