"""A job on disk.

template.html  the page, for the design of a project at Mechanical Turk
batch1.csv …   the input of each batch: item,image_url, numbered where a page has several items
job.json       what was asked, which reading the answers needs; of a screening what was drawn, which
               annotators must not see
preview.html   the page with the first items filled in, if wanted

Batches: which items are handed out together, and which of them on one page.

Every item is in as many batches as asked, and a share of the items in all of them, so that people
who work on different batches can be held against each other. Draws depend on ids and seed alone.

Images: the items of a job and where each can be seen, from a table item,image_url.

Mechanical Turk puts an address into the page as it stands, so one that could be taken for markup is
written in the way addresses have for that. A pattern makes addresses of ids where a table has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from cranfield.assessment.draws import draw_order
from cranfield.assessment.jobs.forms import Form
from cranfield.assessment.jobs.screening import Sample
from cranfield.assessment.jobs.template import (
    address_field,
    coded_item,
    item_field,
    preview_page,
    template_page,
)
from cranfield.core.axes import as_ids
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import FileError, InputError, first_ten, require_whole, several
from cranfield.formats.delimited import line_of, require_width, rows_of
from cranfield.formats.problems import shown
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
        for position, item in enumerate(page, 1):
            row[item_field(position, len(page))] = coded_item(item)
            row[address_field(position, len(page))] = self.addresses[item]
        return row


@dataclass(frozen=True, eq=False)
class WrittenJobs(Analysis):
    """Jobs, by the folders that they were written to."""

    title = "Crowd jobs"

    jobs: Mapping[Path, Job]
    terms: Terms = CONCEPTS

    def _facts(self) -> dict[str, Any]:
        return {"jobs": self._rows()}

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "folder": str(path),
                "concepts": len(job.form.concepts),
                "choices": sum(block.ask == "one" for block in job.form.blocks),
                "items": job.items,
                "batches": len(job.batches),
                "pages": job.pages,
                "per_hit": job.per_hit,
                "assignments": job.pages * job.assignments,
            }
            for path, job in self.jobs.items()
        ]

    def _tables(self) -> list[Table]:
        """What is asked about how many items, on how many pages."""
        rows = [
            row | {"_job": path.name} for path, row in zip(self.jobs, self._rows(), strict=True)
        ]
        columns = [Column("_job", "job"), *map(Column, ("concepts", "items", "batches", "pages"))]
        columns += [Column("per_hit", f"{self.terms.items} per page"), Column("assignments")]
        return [Table("jobs", rows, columns)]

    def _remarks(self) -> list[str]:
        people = min(job.assignments for job in self.jobs.values())
        return [
            "assignments: pages to be submitted in all; publish each batch with "
            f"{several(people, 'assignment')} per page"
        ]


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
        names[
            next(
                candidate
                for candidate in again
                if candidate.casefold() not in map(str.casefold, names)
            )
        ] = job
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
    description = {
        "form": job.form.content,
        "per_hit": job.per_hit,
        "assignments": job.assignments,
        "sample": None if job.sample is None else asdict(job.sample),
    }
    content = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    (folder / "job.json").write_text(content, encoding="utf-8", newline="\n")
    if preview:
        page = preview_page(job.form, job.row(job.batches[0][0]), per_hit=job.per_hit)
        (folder / "preview.html").write_text(page, encoding="utf-8", newline="\n")


def read_job(path: str | Path) -> Asked:
    """What a job's folder, or its job.json, asked."""
    path = Path(path)
    file = path / "job.json" if path.is_dir() else path
    if path.is_dir() and not file.is_file():
        inner = sorted(entry.name for entry in path.iterdir() if (entry / "job.json").is_file())
        raise FileError(
            path,
            f"there are several jobs in it; name one: {first_ten(inner)}"
            if inner
            else "there is no job.json in it; name a folder that votes hits wrote",
        )
    with opened(file) as source:
        text = source.stream.read()
    try:
        content = json.loads(text)
        return Asked(Form.of_content(content["form"]), _count(content["per_hit"]), _sample(content))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError):
        raise FileError(
            file, "this is not what a job was written with; take the file that was written"
        ) from None


def _count(content: Any) -> int:
    if not isinstance(content, int) or content < 1:
        raise ValueError(content)
    return content


def _sample(content: Mapping[str, Any]) -> Sample | None:
    sample = content["sample"]
    if sample is None:
        return None
    return Sample(
        str(sample["concept"]),
        tuple(map(str, sample["annotated"])),
        int(sample["annotated_of"]),
        tuple(map(str, sample["others"])),
        int(sample["others_of"]),
    )


# ── batches ───────────────────────────────────────────────────────────────────────────────────────


Hit = tuple[str, ...]
"""The items on one page."""


def deal(
    items: Iterable[object],
    *,
    batches: int = 1,
    copies: int = 1,
    common: float = 0.0,
    per_hit: int = 1,
    seed: int = 0,
) -> tuple[tuple[Hit, ...], ...]:
    """Batches of pages.

    copies   in how many batches an item is
    common   which share of the items is in all batches
    per_hit  how many items are on a page; the last page of a batch is filled up with others
    """
    names = sorted(as_ids("item", list(items)))  # in whatever order they come
    require_whole("batches", batches, least=1)
    require_whole("copies", copies, least=1)
    require_whole("per_hit", per_hit, least=1)
    if copies > batches:
        raise InputError(
            f"an item cannot be in {copies} batches where there are {batches}; make more batches, "
            "or ask for more assignments of each page"
        )
    if not 0.0 <= common <= 1.0:
        raise InputError(
            f"common={common!r}", mend="give a share of the items, from 0 to 1", parameter="common"
        )
    order = [names[position] for position in draw_order(seed, "common", "", names)]
    shared = order[: round(common * len(order))] if batches > 1 else []
    filled: list[list[str]] = [[*shared] for _ in range(batches)]
    for item in order[len(shared) :]:
        chance = draw_order(seed, "batch", item, map(str, range(batches))).tolist()
        chance.sort(key=lambda batch: len(filled[batch]))
        for batch in chance[:copies]:
            filled[batch].append(item)
    return tuple(_pages(batch, per_hit, seed, number) for number, batch in enumerate(filled))


def _pages(items: Sequence[str], per_hit: int, seed: int, batch: int) -> tuple[Hit, ...]:
    """The items of a batch in an order of its own, page after page."""
    if len(items) < per_hit:
        raise InputError(
            f"batch {batch + 1} has {several(len(items), 'item')}, fewer than the {per_hit} on a "
            "page; put fewer on a page, or make fewer batches"
        )
    order = [items[position] for position in draw_order(seed, "page", str(batch), items)]
    order += order[: -len(order) % per_hit]
    return tuple(tuple(order[at : at + per_hit]) for at in range(0, len(order), per_hit))


# ── images ────────────────────────────────────────────────────────────────────────────────────────


_ADDRESS, _ITEM = "image_url", "item"
_SAFE = "%/:=&?#@+,~!$()*[]"
"""What stays in an address; quotes, brackets of tags, braces and the end of &entities; do not."""


def read_images(path: str | Path, *, pattern: str | None = None) -> dict[str, str]:
    """The address of each item's image.

    pattern  such as https://example.org/photos/{item}.jpg, for a table of items alone
    """
    if pattern is not None and "{item}" not in pattern:
        raise InputError(
            f"the pattern {shown(pattern)} has no {{item}} in it; write it where ids go"
        )
    header = [_ITEM] if pattern is not None else [_ITEM, _ADDRESS]
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        require_width(source, rows, len(header), like=f"header {','.join(header)}")
    if [name.strip().casefold() for name in rows[0].fields] != header:
        raise FileError(
            path,
            f"the header is {shown(','.join(rows[0].fields))}; write {','.join(header)}"
            + ("" if pattern is not None else ", or give a pattern for addresses"),
            line=rows[0].line,
        )
    addresses: dict[str, str] = {}
    for line, fields in rows[1:]:
        item = fields[0].strip()
        if not item:
            raise FileError(path, "the item is missing; fill it in", line=line)
        if item in addresses:
            raise FileError(path, f"item {shown(item)} stands here twice; keep one", line=line)
        address = (
            fields[1].strip()
            if pattern is None
            else pattern.replace("{item}", quote(item, safe="/"))
        )
        try:
            addresses[item] = as_address(address)
        except InputError as error:
            raise FileError(path, f"item {shown(item)}: {error}", line=line) from None
    if not addresses:
        raise FileError(path, "there are no items; write a line for each")
    return addresses


def as_address(text: str) -> str:
    """An address that can stand in a page; what cannot lead to an image is refused."""
    try:
        parts = urlsplit(text)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        fine = False
    if not fine:
        raise InputError(
            f"{shown(text)} is no address of an image; write one such as "
            "https://example.org/photo.jpg"
        )
    return quote(text, safe=_SAFE)
