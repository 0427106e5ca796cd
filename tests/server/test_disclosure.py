"""What an open phase shows is an allow-list: every kind of result, for every audience, in every
state of the phases; and boards show no more digits, ranks or runs than they may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import Any, get_args

import pytest
from django.conf import settings
from submitters import GOOD, Submitter

from cranfield.server.access import may_see_run
from cranfield.server.campaigns.models import Phase, Split
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.models import Score
from cranfield.server.jobs.worker import Worker
from cranfield.server.results.board import Board, scores_shown
from cranfield.server.results.disclosure import KINDS, Audience, Kind, may_see
from cranfield.server.submissions.models import Run

PAST, FUTURE = datetime(2021, 1, 1, tzinfo=UTC), datetime(2080, 1, 1, tzinfo=UTC)
OPEN_KINDS = {"board", "scores", "progress"}
AUDIENCES = {
    "visitor": Audience(),
    "member": Audience(groups=frozenset({1})),
    "organiser": Audience(organiser=True),
}
Configure = Callable[..., None]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Change what campaign.toml says of the track."""

    def change(**changes: Any) -> None:
        track = replace(settings.CAMPAIGN.tracks[0], **changes)
        monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, tracks=(track,)))

    return change


def _close(phase: Phase, when: datetime | None) -> None:
    Phase.objects.filter(id=phase.id).update(closes=when)


@pytest.mark.parametrize("closes", [PAST, FUTURE, None])
@pytest.mark.parametrize("other", [PAST, FUTURE])
@pytest.mark.parametrize("details", ["after all phases", "after the phase", "always"])
def test_each_kind_is_shown_to_whom_and_when_it_may(
    folder: CampaignFolder,
    configure: Configure,
    closes: datetime | None,
    other: datetime,
    details: str,
) -> None:
    configure(details=details)
    phase = Phase.objects.get()
    Phase.objects.create(track=phase.track, name="second", order=1, closes=other, zone="UTC")
    _close(phase, closes)
    phase.refresh_from_db()
    after = {"after all phases": closes == other == PAST, "after the phase": closes == PAST}
    disclosed = after.get(details, True)
    kinds: list[Any] = [*KINDS, "something new"]
    for (role, audience), kind in product(AUDIENCES.items(), kinds):
        expected = kind in OPEN_KINDS or (kind in KINDS and (disclosed or role == "organiser"))
        assert may_see(kind, audience, phase) == expected, (role, kind)


def test_every_kind_is_in_the_table() -> None:
    assert set(KINDS) == set(get_args(Kind))
    assert set(KINDS) >= OPEN_KINDS


class Scene:
    """Two groups with a run each, whose scores by the first measure differ in the sixth digit."""

    def __init__(self, folder: CampaignFolder) -> None:
        self.ida, self.eve = Submitter(folder, "ida"), Submitter(folder, "eve")
        self.runs = [self.ida.submit(GOOD), self.eve.submit(GOOD.replace("0.9", "0.8", 1))]
        worker = Worker(folder)
        while worker.work_once():
            pass
        for run, value in zip(self.runs, (0.700001, 0.700002), strict=True):
            Score.objects.filter(run_digest=run.digest, measure="concept.AP").update(value=value)
            run.refresh_from_db()
        self.phase = Phase.objects.get()
        self.edition = self.phase.track.editions.get()

    def board(self, audience: Audience = AUDIENCES["visitor"], **options: Any) -> Board:
        return Board(self.phase, self.edition, audience, split=Split.ALL, **options)

    def of(self, submitter: Submitter) -> Audience:
        return Audience(groups=frozenset({submitter.group.id}))


@pytest.fixture
def scene(folder: CampaignFolder) -> Scene:
    return Scene(folder)


def test_runs_of_an_open_phase_are_ranked_by_what_is_shown(scene: Scene) -> None:
    rows = scene.board().rows()
    assert [(row["rank"], row["concept.AP"]) for row in rows] == [(1, 0.7), (1, 0.7)]
    assert "truth" not in scene.board().to_dict()
    exact = scene.board(AUDIENCES["organiser"])
    assert [(row["rank"], row["group"]) for row in exact.rows()] == [(1, "eve"), (2, "ida")]
    assert "truth" in exact.to_dict()


def test_once_disclosed_a_board_has_all_digits_and_all_items(scene: Scene) -> None:
    assert scene.board().split == Split.PUBLIC
    _close(scene.phase, PAST)
    scene.phase.refresh_from_db()
    board = scene.board()
    assert board.split == Split.ALL
    assert [row["concept.AP"] for row in board.rows()] == [0.700002, 0.700001]


@pytest.mark.parametrize(
    ("shows", "visitor", "member"),
    [
        ("all scores", [(1, 0.7), (1, 0.7)], [(1, 0.7), (1, 0.7)]),
        ("ranks", [(1, None), (1, None)], [(1, 0.7), (1, None)]),
        ("own scores", [], [(None, 0.7)]),
        ("nothing", [], []),
    ],
)
def test_an_open_phase_shows_whose_scores_the_campaign_says(
    scene: Scene, configure: Configure, shows: str, visitor: Any, member: Any
) -> None:
    configure(shows=shows)
    for audience, expected in ((Audience(), visitor), (scene.of(scene.ida), member)):
        rows = scene.board(audience).rows()
        own_first = sorted(rows, key=lambda row: row["group"] != "ida")
        assert [(row["rank"], row["concept.AP"]) for row in own_first] == expected
    assert (scores_shown(scene.runs[1], scene.of(scene.ida)) is None) == (shows != "all scores")
    listed = shows in ("all scores", "ranks")
    assert [may_see_run(scene.ida.user, run) for run in scene.runs] == [True, listed]


def test_undefined_scores_and_reference_runs_have_no_rank(scene: Scene) -> None:
    Score.objects.filter(run_digest=scene.runs[1].digest).update(value=None)
    rows = scene.board().rows()
    assert [(row["group"], row["rank"]) for row in rows] == [("ida", 1), ("eve", None)]
    Run.objects.filter(id=scene.runs[0].id).update(group=None)
    table = scene.board().result.tables[0]
    assert [(row["group"], row["rank"]) for row in table.rows] == [
        ("eve", None),
        ("baseline", None),
    ]
    assert [row["_emphasis"] for row in table.rows] == ["", "faint"]
