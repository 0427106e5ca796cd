"""Crowd jobs on a terminal and as JSON: what is asked of how many, and what screening found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Group

from cranfield.assessment.jobs import Job, Screened
from cranfield.assessment.jobs.limits import Estimate
from cranfield.errors import several
from cranfield.report.study_tables import number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.records import defined

_SHOWN = 10
"""Items that a line lists."""


def job_table(jobs: Mapping[Path, Job]) -> Group:
    """What is asked of how many items, on how many pages."""
    table = plain_table()
    table.add_column("job")
    headings = ("concepts", "items", "batches", "pages", "items a page", "assignments")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for path, job in jobs.items():
        told = job_content(path, job)
        keys = ("concepts", "items", "batches", "pages", "per_hit", "assignments")
        table.add_row(cut_name(path.name), *(str(told[key]) for key in keys))
    people = {job.assignments for job in jobs.values()}
    advice = f"publish each batch with {several(min(people), 'assignment')} of each page"
    return Group(table, remark(f"assignments: pages that people hand in altogether; {advice}"))


def job_content(path: Path, job: Job) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "folder": str(path),
        "concepts": len(job.form.concepts),
        "choices": sum(block.ask == "one" for block in job.form.blocks),
        "items": job.items,
        "batches": len(job.batches),
        "pages": job.pages,
        "per_hit": job.per_hit,
        "assignments": job.pages * job.assignments,
    }


def screened_table(found: Screened, level: float) -> Group:
    """Precision, recall and prevalence, and where annotations are wrong or missing."""
    table = plain_table()
    table.add_column(found.concept)
    for heading in ("estimate", "from", "to"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, estimate in _estimates(found).items():
        table.add_row(name, *map(number, estimate))
    remarks = [f"{several(found.screened, 'item')} screened; intervals of {level:.0%}"]
    lists = {
        "annotated, but not seen": found.wrong,
        "seen, but not annotated": found.missing,
        "undecided": found.undecided,
    }
    for what, items in lists.items():
        if items:
            more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
            remarks.append(f"{what} ({len(items)}): {', '.join(items[:_SHOWN])}{more}")
    return Group(table, *map(remark, remarks))


def screened_content(found: Screened) -> dict[str, Any]:
    """The same for other programs; undefined is null."""
    estimates = {
        name: {"estimate": defined(one.value), "low": defined(one.low), "high": defined(one.high)}
        for name, one in _estimates(found).items()
    }
    return {
        "concept": found.concept,
        "screened": found.screened,
        **estimates,
        "wrong": list(found.wrong),
        "missing": list(found.missing),
        "undecided": list(found.undecided),
    }


def _estimates(found: Screened) -> dict[str, Estimate]:
    return {
        "precision": found.precision,
        "recall": found.recall,
        "prevalence": found.prevalence,
    }
