"""Pages of analyses, and their tables as files. Whether somebody may see one is asked of
`disclosure` before anything is looked up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from cranfield.core.result import Result
from cranfield.core.table import Table
from cranfield.server.access import may_read_boards, may_see_run
from cranfield.server.campaigns.models import Edition, Split
from cranfield.server.jobs.models import Job
from cranfield.server.results.analyses import (
    OF_BOARDS,
    Outcome,
    analysis_address,
    analysis_links,
    loaded,
    look_up,
    of_board,
    of_runs,
)
from cranfield.server.results.board import SCORED, Board, provenance, record_address
from cranfield.server.results.board_page import Link, file_links
from cranfield.server.results.citations import board_bibtex, run_bibtex
from cranfield.server.results.disclosure import Audience, Kind, may_see
from cranfield.server.results.exports import file_response, file_text
from cranfield.server.results.permanent import readable_board, run_under
from cranfield.server.results.progress import Progress
from cranfield.server.results.requests import address, audience_of
from cranfield.server.results.sections import Part, sections_of
from cranfield.server.submissions.models import Run
from cranfield.show.markup import slug

WHOLE = "analysis"
"""What the file of all tables is called."""
_LATER = "This is shown after the last phase has closed."


@dataclass(frozen=True)
class Shown:
    """An analysis for somebody who may see it."""

    title: str
    own: str
    """Its address."""
    outcome: Outcome
    result: Result | None
    facts: dict[str, Any]
    bibtex: str

    @property
    def context(self) -> dict[str, Any]:
        """What templates need."""
        result = self.result
        return {
            "analysis": self,
            "sections": [] if result is None else _drawn(self.outcome, result),
            "tables": [] if result is None else list(self._files(result)),
            "whole": file_links(f"{self.own}{WHOLE}"),
        }

    def _files(self, result: Result) -> Iterator[tuple[str, list[Link]]]:
        for name, table in tables_of(result).items():
            yield table.title or table.name, file_links(f"{self.own}{name}")[:-1]

    def file(self, name: str, form: str) -> HttpResponse:
        """A table as a file, or all of it."""
        if self.result is None:
            raise Http404
        tables = tables_of(self.result)
        if name != WHOLE and name not in tables:
            raise Http404
        part = self.result if name == WHOLE else _alone(tables[name])
        if form != "json":
            text = file_text(part, form, self.bibtex)
        elif name == WHOLE:
            text = json.dumps(part.to_dict() | {"facts": self.facts}, ensure_ascii=False)
        else:
            text = json.dumps({**self.facts, "rows": tables[name].records}, ensure_ascii=False)
        return file_response(text, form, name)


def tables_of(result: Result) -> dict[str, Table]:
    """Every table by the name of its file; that for programs where there are two."""
    tables: dict[str, Table] = {}
    for table in _tables(result):
        name = slug(table.name)
        if name not in tables or table.audience == "programs":
            tables[name] = table
    return tables


def _tables(result: Result) -> Iterator[Table]:
    yield from result.tables
    for part in result.parts:
        yield from _tables(part)


def _alone(table: Table) -> Result:
    return Result(table.name, tables=[replace(table, audience="all")])


def _drawn(outcome: Outcome, result: Result) -> Sequence[Part]:
    """Drawn once for each stored result, which never changes."""
    return sections_of(result) if outcome.stored is None else _stored_sections(outcome.stored.key)


@lru_cache(maxsize=64)
def _stored_sections(key: str) -> Sequence[Part]:
    return sections_of(loaded(key))


# ── which analysis ────────────────────────────────────────────────────────────────────────────


def _of_board(request: HttpRequest, board: Board, kind: str) -> Shown:
    known = {name: name for name in OF_BOARDS}
    if kind not in known:
        raise Http404
    chosen = known[kind]
    _require(chosen, board.audience, board.phase)
    own = analysis_address(board, chosen)
    outcome, result = Outcome(is_current=True), None
    if chosen == "progress":
        result = Progress(board).full_result
    else:
        outcome = look_up(of_board(chosen, board))
        result = outcome.result
    return Shown(
        OF_BOARDS[chosen],
        own,
        outcome,
        result,
        _facts(board.phase, board.edition, board.audience, outcome) | {"split": board.split},
        board_bibtex(board.phase, board.edition, address(request, own)),
    )


def _facts(phase: Any, edition: Edition, audience: Audience, outcome: Outcome) -> dict[str, Any]:
    """What the numbers rest on."""
    stored = outcome.stored
    return provenance(phase, edition, audience) | (
        {}
        if stored is None
        else {
            "analysis": stored.kind,
            "key": stored.key,
            "computed": None if stored.finished is None else stored.finished.isoformat(),
            "current": outcome.is_current,
            "runs": [{"id": run, "run": label} for run, label, _ in stored.runs],
        }
    )


def _require(kind: Kind, audience: Audience, phase: Any) -> None:
    if not may_see(kind, audience, phase):
        raise PermissionDenied(_LATER)


def report_of(request: HttpRequest, run: Run, edition: Edition, other: Run | None = None) -> Shown:
    """Everything of the report of a run, or of two beside each other."""
    kind: Kind = "report" if other is None else "comparison"
    audience = audience_of(request.user)
    _require(kind, audience, run.phase)
    own = record_address(run, edition)
    own += "report/" if other is None else f"against/{other.id}/"
    split = request.GET.get("split", "")
    runs = [run] if other is None else [run, other]
    outcome = look_up(of_runs(kind, runs, edition, split if split in edition.truths else Split.ALL))
    return Shown(
        "Report" if other is None else f"{run.name} and {other.name}",
        own,
        outcome,
        outcome.result,
        _facts(run.phase, edition, audience, outcome),
        run_bibtex(run, edition, address(request, own)),
    )


def _report(
    request: HttpRequest, track: str, phase: str, edition: int, id: int, other: int | None
) -> tuple[Run, Shown]:
    run, under = run_under(track, phase, edition, id)
    second = None if other is None else run_under(track, phase, edition, other)[0]
    for shown in (run, second):
        seen = shown is None or may_see_run(request.user, shown)
        if not seen or (shown is not None and not _is_scored(shown, under)):
            raise Http404
    if second == run:
        raise Http404
    return run, report_of(request, run, under, second)


def _is_scored(run: Run, edition: Edition) -> bool:
    return Job.objects.filter(run=run, edition=edition, state=Job.State.DONE).exists()


def run_context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What the page of a run shows of analyses: its report, and runs to compare it with."""
    edition = run.phase.track.editions.first()
    audience = audience_of(request.user)
    visible = run.state in SCORED and may_see("report", audience, run.phase)
    if edition is None or not visible or not _is_scored(run, edition):
        return {}
    return {"others": others_of(request, run, edition), **report_of(request, run, edition).context}


def others_of(request: HttpRequest, run: Run, edition: Edition) -> list[Run]:
    """Runs that a run can be compared with, the best first."""
    audience = audience_of(request.user)
    if not may_see("comparison", audience, run.phase) or not may_read_boards(request.user):
        return []
    board = Board(run.phase, edition, audience, split=Split.ALL)
    return [standing.run for standing in board.standings if standing.run != run]


# ── views ─────────────────────────────────────────────────────────────────────────────────────


@require_safe
def board_analysis(
    request: HttpRequest, track: str, phase: str, edition: int, kind: str
) -> HttpResponse:
    """An analysis of a board."""
    board = readable_board(request, track, phase, edition)
    shown = _of_board(request, board, kind)
    links = [Link(title, address) for title, address in analysis_links(board)]
    context = {"board": board, "analyses": links, **shown.context}
    return render(request, "analysis.html", context)


@require_safe
def board_analysis_file(
    request: HttpRequest, track: str, phase: str, edition: int, kind: str, table: str, form: str
) -> HttpResponse:
    """A table of it."""
    board = readable_board(request, track, phase, edition)
    return _of_board(request, board, kind).file(table, form)


@require_safe
def report(
    request: HttpRequest, track: str, phase: str, edition: int, id: int, other: int | None = None
) -> HttpResponse:
    """The report of a run, or two runs compared."""
    run, shown = _report(request, track, phase, edition, id, other)
    return render(request, "analysis.html", {"run": run, **shown.context})


@require_safe
def report_file(
    request: HttpRequest,
    track: str,
    phase: str,
    edition: int,
    id: int,
    table: str,
    form: str,
    other: int | None = None,
) -> HttpResponse:
    """A table of it."""
    return _report(request, track, phase, edition, id, other)[1].file(table, form)


@require_safe
def compare(request: HttpRequest, id: int) -> HttpResponse:
    """From the choice of another run to the comparison with it."""
    run = get_object_or_404(Run.objects.select_related("phase__track"), id=id)
    edition = run.phase.track.editions.first()
    other = request.GET.get("with", "")
    if edition is None or not may_see_run(request.user, run):
        raise Http404
    if not other.isdecimal():
        return redirect("run", id)
    phase = run.phase
    return redirect("comparison", phase.track.name, phase.name, edition.number, id, int(other[:9]))
