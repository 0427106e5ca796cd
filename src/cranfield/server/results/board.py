"""Boards: the runs of a phase by their scores, as a result like any other.

Ties share a rank, undefined scores have none; disqualified runs, and baselines and random runs as
lines of reference, stand apart below. Until all phases of a track have ended, a board shows what
the campaign allows and no more: rounded scores of the public split, of one's own runs or of all, or
ranks. Runs are ranked by what is shown of them, so that ranks tell nothing that digits do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.conf import settings
from django.urls import reverse

from cranfield.caching import cached_property
from cranfield.core.reference_names import is_system
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.engine.standings import competition_ranks, score_column
from cranfield.errors import several
from cranfield.measures import measure
from cranfield.server.campaigns.models import LONGEST_UPLOAD, Edition, Phase, Split
from cranfield.server.jobs.models import Job, Score
from cranfield.server.results.disclosure import Audience, is_disclosed
from cranfield.server.submissions.models import Run

View = Literal["all", "best"]
Part = Literal["", "disqualified", "reference"]
"""Where a run stands on a board: in competition, or below it."""
SCORED = (Run.State.ACCEPTED, Run.State.RETRACTED, Run.State.DISQUALIFIED)
"""States of runs whose scores somebody may see."""
LISTED = (Run.State.ACCEPTED, Run.State.DISQUALIFIED)
"""States of runs that boards list."""
_PARTS: tuple[Part, ...] = ("", "disqualified", "reference")


@dataclass(frozen=True)
class Standing:
    """A run with its scores, as they are shown."""

    run: Run
    scores: dict[str, float | None]
    rank: int | None = None

    @property
    def part(self) -> Part:
        if not competes(self.run):
            return "reference"
        return "disqualified" if self.run.state == Run.State.DISQUALIFIED else ""


def competes(run: Run) -> bool:
    """Whether a run is ranked: baselines, random runs and the perfect one stand apart."""
    return run.group_id is not None and is_system(run.name)


class Board(Analysis):
    """The board of a phase under an edition, for somebody.

    sort    a field of its rows, "-" before it for the other direction; "": by rank
    search  words that names of runs or groups hold
    fields  whether it lists what groups declare of their runs
    """

    def __init__(
        self,
        phase: Phase,
        edition: Edition,
        audience: Audience,
        *,
        split: Split,
        view: View = "all",
        modality: str = "",
        sort: str = "",
        search: str = "",
        fields: bool = False,
        address: str = "",
    ) -> None:
        self.phase, self.edition, self.audience = phase, edition, audience
        self.described = settings.CAMPAIGN.track(phase.track.name)
        self.disclosed = audience.sees_everything(phase)
        self.split = split if self.disclosed else open_split(edition)
        self.view, self.modality, self.search = view, modality, search
        self.sort = sort if sort.removeprefix("-") in self.sortable else ""
        self.declared = self.described.fields if fields else ()
        self.address = address
        self.certainty: Mapping[int, Row] = {}
        """By id of a run: its letter, the ends of its intervals, the letters of runs it beats."""
        self.uncertainty = ""
        """Why there are no intervals and letters, where there could be."""
        self.title = f"{phase.track.title}: {phase.title}"  # type: ignore[misc]

    @property
    def measures(self) -> list[str]:
        return [name for name, _ in self.edition.measures]

    @property
    def primary(self) -> str:
        return self.measures[0]

    @cached_property
    def standings(self) -> list[Standing]:
        """All runs, the best first; those that do not compete come last."""
        runs = Run.objects.filter(phase=self.phase, state__in=LISTED).select_related("group")
        scores = _scores([run.id for run in runs], self.edition, self.split)
        listed = [
            Standing(run, {name: self.rounded(scores[run.id].get(name)) for name in self.measures})
            for run in runs
            if run.id in scores and self.lists(run)
        ]
        listed = [each for each in listed if each.part or self._of_modality(each.run)]
        listed.sort(key=self._order)
        if self.view == "best":
            listed = _best_of_groups(listed)
        return self._ranked(listed) if self.shows_ranks else listed

    @property
    def shows_ranks(self) -> bool:
        return self.disclosed or self.described.shows in ("ranks", "all scores")

    def lists(self, run: Run) -> bool:
        """Whether this audience sees that a run is there."""
        return self.shows_ranks or self.shows(run)

    def shows(self, run: Run) -> bool:
        """Whether the scores of a run are shown to this audience."""
        shows = self.described.shows
        if self.disclosed or shows == "all scores":
            return True
        return shows != "nothing" and run.group_id in self.audience.groups

    def _of_modality(self, run: Run) -> bool:
        return not self.modality or run.modality == self.modality

    def _order(self, standing: Standing) -> tuple[int, bool, float, str, int]:
        part, run = _PARTS.index(standing.part), standing.run
        merit = _merit(standing.scores[self.primary], self.primary)
        undefined = math.isnan(merit)
        return part, undefined, 0.0 if undefined else -merit, run.name, run.id

    def _ranked(self, listed: list[Standing]) -> list[Standing]:
        merits = [
            math.nan if standing.part else _merit(standing.scores[self.primary], self.primary)
            for standing in listed
        ]
        ranks = competition_ranks(merits).tolist()
        return [
            replace(standing, rank=None if math.isnan(rank) else int(rank))
            for standing, rank in zip(listed, ranks, strict=True)
        ]

    def rounded(self, value: float | None) -> float | None:
        """A score with as many digits as this audience may see."""
        if value is None or self.disclosed:
            return value
        return rounded(value, self.described.digits)

    def rows(self) -> list[dict[str, Any]]:
        return self._rows

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        rows = [self._row(standing) for standing in self.standings]
        if self.search:
            words = self.search.casefold()
            rows = [row for row in rows if words in f"{row['group']}\n{row['run']}".casefold()]
        return _sorted(rows, self.sort) if self.sort else rows

    @property
    def sortable(self) -> list[str]:
        """Fields by which its rows can be sorted."""
        modality = ["modality"] if self.described.modalities else []
        return ["rank", "group", "run", *modality, *self.measures]

    def _row(self, standing: Standing) -> dict[str, Any]:
        run, shown = standing.run, self.shows(standing.run)
        return {
            "rank": standing.rank,
            "group": run.group.name if run.group else "baseline",
            "run": run.name,
            "id": run.id,
            "modality": run.modality,
            "primary": run.primary,
            "status": standing.part,
            "note": f"disqualified: {run.reason}" if standing.part == "disqualified" else "",
        } | {
            f"fields.{field.name}": _plain(run.fields.get(field.name)) for field in self.declared
        } | {
            name: standing.scores[name] if shown else None for name in self.measures
        } | dict(self.certainty.get(run.id, {})) | {
            "_primary": "*" if run.primary else "",
            "_emphasis": "faint" if standing.part else "",
            "_address": self._address_of(run),
        }  # fmt: skip

    def _address_of(self, run: Run) -> str:
        if self._is_latest:
            return reverse("run", args=[run.id])
        return record_address(run, self.edition)

    @cached_property
    def _is_latest(self) -> bool:
        return self.edition == self.phase.track.editions.first()

    def _facts(self) -> dict[str, Any]:
        return provenance(self.phase, self.edition, self.audience) | {
            "address": self.address,
            "split": self.split,
            **({"truth": self.edition.truths[self.split]} if self.disclosed else {}),
            "view": self.view,
            "modality": self.modality,
            "runs": self._tables()[0].records,
        }

    def _tables(self) -> Sequence[Table]:
        rows = self._rows
        columns = [
            *([Column("rank", "#", align="right")] if self.shows_ranks else ()),
            *([Column("letter", " ", key=True)] if self.certainty else ()),
            Column("group", key=True),
            Column("run", key=True, link="_address", mark="_primary"),
            Column("id", audience="programs"),
            *([Column("modality")] if self.described.modalities else ()),
            Column("primary", audience="programs"),
            Column("status", audience="programs"),
            *(Column(f"fields.{field.name}", field.title or field.name) for field in self.declared),
            *(self._column(name) for name in self.measures),
            *([Column("note")] if any(row["note"] for row in rows) else ()),
        ]
        table: list[Row] = rows  # type: ignore[assignment]
        return [
            Table(
                "board", table, columns, title=self.title, section="status", emphasis="_emphasis",
                defused=True,
            )
        ]  # fmt: skip

    def _column(self, name: str) -> Column:
        column = score_column(measure(name), self.described.digits)
        if not self.certainty:
            return column
        return replace(column, interval=(f"{name} low", f"{name} high"), mark=f"{name} beats")

    def _remarks(self) -> list[str]:
        remarks = []
        if self.shows_ranks:
            remarks.append(f"Ranked by {self.primary}; equal scores share a rank.")
        else:
            own = "nothing" if self.described.shows == "nothing" else "the scores of their own runs"
            remarks.append(f"While runs are taken, groups see {own}.")
        if any(row["primary"] for row in self._rows):
            remarks.append("* primary run of its group")
        if any(row["status"] == "reference" for row in self._rows):
            remarks.append("Baselines and random runs stand below, out of competition.")
        if self.split != Split.ALL:
            remarks.append(f"Scores on the {self.split} part of the test items.")
        if self.audience.organiser and not is_disclosed(self.phase):
            remarks.append("Others see rounded scores of the public part until all phases close.")
        if not self.disclosed:
            remarks.append(
                "Scores are rounded and preliminary while runs are taken; uploads that began "
                f"before the deadline may end {LONGEST_UPLOAD.seconds // 60} minutes after it."
            )
        waiting = self._waiting()
        if waiting:
            remarks.append(f"Scores of {several(waiting, 'run')} are being computed.")
        if self.certainty:
            remarks.append(
                "In brackets: 95 % confidence intervals. Letters behind a score name the runs that "
                "it is significantly better than (α = 0.05)."
            )
        if self.uncertainty:
            remarks.append(self.uncertainty)
        return remarks

    def _waiting(self) -> int:
        """Runs that will be on this board."""
        waiting = (Job.State.QUEUED, Job.State.RUNNING)
        runs = Run.objects.filter(
            phase=self.phase,
            state=Run.State.ACCEPTED,
            jobs__edition=self.edition,
            jobs__state__in=waiting,
        )
        return sum(map(self.lists, runs))


def rounded(value: float, digits: int) -> float:
    """A number with so many digits after the point; above one, with so many in all, lest a large
    number say more than a small one. There is no −0."""
    if abs(value) < 1:
        return round(value, digits) + 0.0
    return float(f"{value:.{digits}g}")


def provenance(phase: Phase, edition: Edition, audience: Audience) -> dict[str, Any]:
    """What numbers rest on. Digests of a truth are named once it may be seen through: before, they
    would tell whoever guesses labels when all of them are right."""
    return {
        "campaign": settings.CAMPAIGN.title,
        "track": phase.track.name,
        "phase": phase.name,
        "edition": edition.number,
        "edition_date": edition.created.isoformat(timespec="seconds"),
        "edition_reason": edition.reason,
        **({"truths": edition.truths} if audience.sees_everything(phase) else {}),
        "measures": [{"measure": name, "revision": number} for name, number in edition.measures],
        "final": is_disclosed(phase),
    }


def board_address(phase: Phase, edition: Edition) -> str:
    """The permanent address of a board."""
    return reverse("board", args=[phase.track.name, phase.name, edition.number])


def record_address(run: Run, edition: Edition) -> str:
    """The permanent address of a run with its scores."""
    phase = run.phase
    return reverse("record", args=[phase.track.name, phase.name, edition.number, run.id])


def open_split(edition: Edition) -> Split:
    """What an open phase is scored on: the public part, where there are two."""
    return Split.PUBLIC if Split.PUBLIC in edition.truths else Split.ALL


def _plain(value: Any) -> str | bool | float | None:
    """What a group declared, in a cell."""
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _merit(value: float | None, name: str) -> float:
    """The higher, the better; NaN where undefined."""
    if value is None:
        return math.nan
    return -value if measure(name).traits.better == "lower" else value


def _sorted(rows: list[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Rows by a field, numbers from the best and texts from A on, or backwards; parts stay together
    and undefined values come last."""
    field = sort.removeprefix("-")

    def key(row: Row) -> Any:
        value = row[field]
        if isinstance(value, str):
            return value.casefold()
        return value if field == "rank" else -_merit(value, field)

    defined = [row for row in rows if row[field] is not None]
    defined.sort(key=key, reverse=sort.startswith("-"))
    undefined = [row for row in rows if row[field] is None]
    return sorted([*defined, *undefined], key=lambda row: _PARTS.index(row["status"]))


def _scores(
    runs: Iterable[int], edition: Edition, split: Split
) -> dict[int, dict[str, float | None]]:
    """Scores by run and measure, of runs that are scored."""
    done = Job.objects.filter(run__in=runs, edition=edition, state=Job.State.DONE)
    table: dict[int, dict[str, float | None]] = {
        run: {} for run in done.values_list("run_id", flat=True)
    }
    rows = Score.objects.filter(jobs__in=done, split=split)
    for run, name, value in rows.values_list("jobs__run_id", "measure", "value"):
        if run in table:
            table[run][name] = value
    return table


def _best_of_groups(listed: list[Standing]) -> list[Standing]:
    """The first run of each group; all that do not compete."""
    seen: set[int | None] = set()
    best = []
    for standing in listed:
        if not standing.part and standing.run.group_id in seen:
            continue
        if not standing.part:
            seen.add(standing.run.group_id)
        best.append(standing)
    return best


def may_have_scores(run: Run) -> bool:
    """Whether scores of a run may be shown to anybody. Who retracted it before it was scored had
    its slot back, and sees none."""
    return run.state in SCORED and not (run.state == Run.State.RETRACTED and run.slot is None)


def scores_shown(run: Run, audience: Audience) -> dict[str, float | None] | None:
    """What the board shows of a run to somebody; None while there is nothing to show."""
    edition = run.phase.track.editions.first()
    if edition is None or not may_have_scores(run):
        return None
    board = Board(run.phase, edition, audience, split=Split.ALL)
    scores = _scores([run.id], edition, board.split).get(run.id)
    if not scores or not board.shows(run):
        return None
    return {name: board.rounded(scores.get(name)) for name in board.measures}
