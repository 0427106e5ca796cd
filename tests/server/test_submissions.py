"""Submissions: deadlines, quotas, keys; a run is on the board once it was scored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from submitters import GOOD, Submitter

import cranfield as cf
from cranfield.server.campaigns.models import LONGEST_UPLOAD, Entry
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import queue
from cranfield.server.jobs.models import Job, Score
from cranfield.server.jobs.scoring import unpacked
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import Audit, Departure, Group, Membership, Pseudonym
from cranfield.server.results.board import scores_shown
from cranfield.server.results.disclosure import Audience, is_disclosed
from cranfield.server.submissions.acceptance import RefusedError, retract
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.rulings import rule


@pytest.fixture
def ida(folder: CampaignFolder) -> Submitter:
    return Submitter(folder, "ida")


def _score(run: Run) -> dict[tuple[str, str], float | None]:
    Worker().work_once()
    job = Job.objects.get(run=run)
    return {(score.split, score.measure): score.value for score in job.scores.all()}


def test_a_run_is_scored_on_every_split_as_the_library_scores_it(ida: Submitter) -> None:
    run = ida.submit(GOOD)
    scores = _score(run)
    run.refresh_from_db()
    assert run.state == Run.State.ACCEPTED
    assert {split for split, _ in scores} == {"all", "public", "private"}
    collection = cf.read_collection(ida.folder.collection("photos"))
    path = ida.folder.run_file(run.sha256)
    expected = cf.evaluate(
        collection, cf.read_run(path, collection, format="csv"), ["concept.AP", "example.F"]
    )
    for measure in ("concept.AP", "example.F"):
        assert scores["all", measure] == expected[expected.runs[0], measure]
    stored = Score.objects.get(split="all", measure="example.F")
    assert (
        unpacked(stored.by_unit).tolist() == expected.units(expected.runs[0], "example.F").tolist()
    )


def test_a_run_with_errors_is_refused_with_its_lines_and_takes_no_slot(ida: Submitter) -> None:
    run = ida.submit(GOOD.replace("i3,", "i3,x", 1))
    assert run.slot == 1
    assert _score(run) == {}
    run.refresh_from_db()
    assert run.state == Run.State.REFUSED
    assert run.slot is None
    assert run.errors[0]["line"] == 5
    assert ida.submit(GOOD).slot == 1


def test_a_file_that_breaks_the_reader_costs_its_job_only(ida: Submitter, monkeypatch: Any) -> None:
    from cranfield.server.jobs import worker

    run = ida.submit(GOOD)
    monkeypatch.setattr(worker, "check_and_score", _crash)
    Worker().work_once()
    run.refresh_from_db()
    assert run.state == Run.State.REFUSED
    assert "crashed the reader" in run.errors[0]["what"]


def _crash(work: dict[str, Any]) -> dict[str, Any]:
    import os

    os.abort()


def test_the_quota_is_exact_and_a_retracted_run_frees_its_slot(ida: Submitter) -> None:
    runs = [ida.submit(GOOD) for _ in range(3)]
    assert [run.slot for run in runs] == [1, 2, 3]
    with pytest.raises(RefusedError, match="quota of 3"):
        ida.submit(GOOD)
    retract(ida.folder, runs[1], ida.who)
    assert ida.submit(GOOD).slot == 2


def test_a_slot_whose_score_was_shown_is_used_up_whoever_looked(ida: Submitter) -> None:
    run = ida.scored()
    retract(ida.folder, run, ida.who)
    assert [ida.submit(GOOD).slot for _ in range(2)] == [2, 3]
    with pytest.raises(RefusedError, match="quota"):
        ida.submit(GOOD)


def test_a_run_retracted_before_it_was_scored_never_shows_a_score(ida: Submitter) -> None:
    run = ida.submit(GOOD)
    retract(ida.folder, run, ida.who)
    _score(run)
    run.refresh_from_db()
    assert (run.state, run.slot) == (Run.State.RETRACTED, None)
    assert scores_shown(run, Audience(groups=frozenset({ida.group.id}))) is None


def test_who_leaves_a_group_for_another_takes_the_used_quota_along(ida: Submitter) -> None:
    for _ in range(3):
        ida.submit(GOOD)
    Membership.objects.filter(user=ida.user).delete()
    Departure.objects.create(user=ida.user, group=ida.group)
    second = Group.objects.create(name="second")
    Membership.objects.create(user=ida.user, group=second)
    Entry.objects.create(group=second, track=ida.phase.track)
    with pytest.raises(RefusedError, match="quota"):
        ida.submit(GOOD, group=second)


def test_somebody_in_two_groups_has_one_quota(ida: Submitter) -> None:
    second = Group.objects.create(name="second")
    Membership.objects.create(user=ida.user, group=second)
    Entry.objects.create(group=second, track=ida.phase.track)
    for group in (ida.group, second, ida.group):
        ida.submit(GOOD, group=group)
    with pytest.raises(RefusedError, match="quota"):
        ida.submit(GOOD, group=second)


def test_the_same_key_is_the_same_run_and_no_other_file(ida: Submitter) -> None:
    first = ida.submit(GOOD, key="k")
    assert ida.submit(GOOD, key="k") == first
    assert Run.objects.count() == 1
    with pytest.raises(RefusedError, match="another file"):
        ida.submit(GOOD + "\n", key="k")


def test_deadlines_look_at_when_an_upload_began(ida: Submitter) -> None:
    ida.phase.closes = datetime.now(UTC) - timedelta(seconds=5)
    ida.phase.save()
    ida.submit(GOOD, began=ida.phase.closes - timedelta(seconds=1))
    with pytest.raises(RefusedError, match=f"closed at {ida.phase.closes:%Y-%m-%d %H:%M} UTC"):
        ida.submit(GOOD, began=ida.phase.closes)


def test_nothing_is_revealed_before_the_last_uploads_must_have_ended(ida: Submitter) -> None:
    now = datetime.now(UTC)
    ida.phase.closes = now - LONGEST_UPLOAD + timedelta(minutes=1)
    ida.phase.save()
    assert not is_disclosed(ida.phase)
    ida.phase.closes = now - LONGEST_UPLOAD
    ida.phase.save()
    assert is_disclosed(ida.phase)
    with pytest.raises(RefusedError, match="took too long"):
        ida.submit(GOOD, began=ida.phase.closes - timedelta(seconds=1))


def test_two_groups_with_the_same_file_share_its_scores(
    ida: Submitter, folder: CampaignFolder
) -> None:
    eve = Submitter(folder, "eve")
    assert _score(ida.submit(GOOD)) == _score(eve.submit(GOOD))
    assert Score.objects.count() == 6


def test_every_change_is_in_the_log_which_is_only_added_to(ida: Submitter) -> None:
    ida.submit(GOOD)
    entry = Audit.objects.get(action="submit")
    assert (entry.action, entry.who) == ("submit", Pseudonym.objects.get(user=ida.user))
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


def test_a_worker_that_lost_its_lease_writes_nothing(ida: Submitter) -> None:
    run = ida.submit(GOOD)
    late = queue.claim("late")
    assert late is not None
    Job.objects.update(lease=datetime(2020, 1, 1, tzinfo=UTC))
    assert queue.claim("other") is None  # it waits a moment after a death
    Job.objects.update(not_before=datetime(2020, 1, 1, tzinfo=UTC))
    other = queue.claim("other")
    assert other is not None
    assert other.crashes == 1
    assert not queue.finish(late, [])
    assert not queue.renew(late)
    assert not queue.refuse(late, [])
    assert queue.finish(other, [])
    run.refresh_from_db()
    assert run.state == Run.State.ACCEPTED


def test_a_job_over_which_workers_keep_dying_is_held(ida: Submitter) -> None:
    ida.submit(GOOD)
    past = datetime(2020, 1, 1, tzinfo=UTC)
    for _ in range(queue.MOST_CRASHES):
        Job.objects.update(not_before=past)
        assert queue.claim("doomed") is not None
        Job.objects.update(lease=past)
        assert queue.claim("doomed") is None
    assert Job.objects.get().state == Job.State.HELD


def test_organisers_rule_on_accepted_runs_alone_with_a_reason_and_can_take_it_back(
    ida: Submitter,
) -> None:
    run = ida.submit(GOOD)
    with pytest.raises(RefusedError, match="nothing to disqualify"):
        rule(run, "disqualify", "copied", None)
    _score(run)
    with pytest.raises(RefusedError, match="reason"):
        rule(run, "disqualify", " ", None)
    with pytest.raises(RefusedError, match="nothing to restore"):
        rule(run, "restore", "a mistake", None)
    rule(run, "disqualify", "copied", None)
    rule(run, "delete", "asked by its group", None)
    rule(run, "restore", "a mistake", None)
    run.refresh_from_db()
    assert (run.state, run.reason) == (Run.State.ACCEPTED, "")
    retract(ida.folder, run, ida.who)
    with pytest.raises(RefusedError, match="nothing to delete"):
        rule(run, "delete", "too late", None)
