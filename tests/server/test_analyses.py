"""Stored analyses: the library's own numbers, computed apart, found again, and harmed by nobody."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from breaking_children import breaks_over_bob, crash, never_ends
from contests import MEASURES, Contest, work
from photo_campaign import TRUTH, noisy

import cranfield as cf
from cranfield.assessment.files.reading import read_votes
from cranfield.core.result import Result
from cranfield.server.campaigns.editions import renew_edition
from cranfield.server.campaigns.models import Edition, Phase, Split
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import analysing, queue
from cranfield.server.jobs.analyst import Analyst, trusted
from cranfield.server.jobs.models import Job, StoredAnalysis
from cranfield.server.jobs.worker import Worker
from cranfield.server.results import analyses
from cranfield.server.results.analyses import (
    OF_BOARDS,
    certainty_of,
    loaded,
    look_up,
    of_board,
    of_runs,
)
from cranfield.server.results.board import Board
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.acceptance import retract
from cranfield.server.submissions.models import Run
from cranfield.server.submissions.rulings import rule
from cranfield.studies.annotator_effect import annotator_effect

PAST = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def contest(folder: CampaignFolder) -> Contest:
    loaded.cache_clear()  # databases of tests give the same ids again
    return Contest(folder)


def part(result: Result | None, name: str) -> Result:
    assert result is not None
    return next(part for part in result.parts if part.name == name)


def computed(contest: Contest, kind: Any) -> Result:
    assert look_up(of_board(kind, contest.board)).waiting
    assert work(Analyst(contest.folder)) == 1
    outcome = look_up(of_board(kind, contest.board))
    assert outcome.is_current, outcome.error
    assert outcome.result is not None
    return outcome.result


def test_a_board_has_the_intervals_and_letters_of_the_library(contest: Contest) -> None:
    computed(contest, "significance")
    board = contest.board
    board.certainty, _ = certainty_of(board)
    rows = {row["run"] if row["run"] == "Random50" else row["group"]: row for row in board.rows()}
    result = contest.evaluation("ann", "bob", "cat", "Random50")
    intervals = cf.intervals(result)
    tournaments = cf.compare(result, MEASURES)
    assert list(tournaments.runs) == [contest.label(n) for n in ("ann", "bob", "cat")]
    for name, row in rows.items():
        label = contest.label(name)
        for measure in MEASURES:
            interval = intervals[label, measure]
            assert (row[f"{measure} low"], row[f"{measure} high"]) == (interval.low, interval.high)
            beaten = "" if name == "Random50" else tournaments.letters_of_beaten(label, measure)
            assert row[f"{measure} beats"] == beaten
    assert [rows[name]["letter"] for name in ("ann", "bob", "cat", "Random50")] == [*"abc", ""]
    assert rows["ann"]["concept.AP beats"]
    assert "letter" in board.result.tables[0].fields


def test_pairs_are_those_of_compare(contest: Contest) -> None:
    result = computed(contest, "significance")
    expected = cf.compare(contest.evaluation("ann", "bob", "cat"), MEASURES)
    assert result.table("pairs").records == expected.result.tables_for("programs")[-1].records


def test_scores_of_concepts_are_those_of_the_library(contest: Contest) -> None:
    result = part(computed(contest, "concepts"), "concepts")
    evaluation = contest.evaluation("ann", "bob", "cat")
    truth = cf.read_collection(contest.folder.collection("photos")).truth
    rows = {row["concept"]: row for row in result.tables[0].rows}
    for name in ("ann", "bob", "cat"):
        values = evaluation.units(contest.label(name), "concept.AP")
        for concept, value in zip(truth.concepts, values.tolist(), strict=True):
            assert rows[concept][contest.label(name)] == value


def test_a_run_has_everything_of_its_report(contest: Contest) -> None:
    subject = of_runs("report", [contest.runs["bob"]], contest.edition, "all")
    look_up(subject)
    work(Analyst(contest.folder))
    result = look_up(subject).result
    assert result is not None
    report = cf.Report(contest.evaluation("bob"))
    expected = {name: table.records for name, table in report.tables.items()}
    del expected["leaderboard"]  # of one run
    tables = {table.name: table.records for table in result.tables_for("people", "programs")}
    assert tables.keys() == expected.keys()
    assert {"curves", "thresholds", "concepts-concept-AP"} <= tables.keys()
    for name in ("intervals-concept-AP", "curves", "concepts-concept-AP"):
        assert tables[name] == expected[name]
    assert part(result, "curves").charts


def test_tables_of_items_do_not_tell_their_true_labels(contest: Contest) -> None:
    report = of_runs("report", [contest.runs["bob"]], contest.edition, "all")
    subjects = [report, of_board("items", contest.board)]
    for subject in subjects:
        look_up(subject)
    work(Analyst(contest.folder))
    for subject in subjects:
        result = look_up(subject).result
        assert result is not None
        tables = {table.name: table for table in result.tables_for("people", "programs")}
        assert tables["hardest-items-example-F"].rows
        for table in tables.values():
            assert "labels" not in {*table.fields, *(column.field for column in table.columns)}
            assert all("labels" not in row for row in table.rows)


def test_rankings_by_other_truths_and_annotators_are_those_of_the_library(
    contest: Contest,
) -> None:
    edition = contest.folder.edition("photos", contest.edition.number)
    (edition / "truths").mkdir(exist_ok=True)
    other = edition / "truths" / "strict.csv"
    votes = edition / "votes.csv"
    other.write_text(TRUTH.replace("i4,1", "i4,0", 1))
    rows = [line.split(",") for line in TRUTH.strip().splitlines()]
    flipped = {"pia": 7, "max": 5}
    lines = [
        f"{item},{who},{concept},{int(value) ^ int(index % step == 0)}"
        for who, step in flipped.items()
        for index, (item, *values) in enumerate(rows[1:])
        for concept, value in zip(rows[0][1:], values, strict=True)
    ]
    votes.write_text("\n".join(["item,annotator,concept,value", *lines, ""]))
    try:
        result = computed(contest, "truths")
        strict = cf.read_collection(other)
        cast = read_votes(votes)
    finally:
        other.unlink()
        votes.unlink()
    ranked, annotated = result.parts
    names = ("ann", "bob", "cat")
    runs = [contest.evaluation(*names).score(contest.label(n), "concept.AP").run for n in names]
    expected = cf.evaluate(strict, runs, MEASURES)
    for row in ranked.tables[0].records:
        assert row["score by strict"] == expected[row["run"], "concept.AP"]
    effect = annotator_effect(cast, runs, MEASURES)
    assert annotated.table("pairs").records == effect.result.table("pairs").records


def test_two_runs_are_compared_as_by_the_library(contest: Contest) -> None:
    runs = [contest.runs["ann"], contest.runs["bob"]]
    subject = of_runs("comparison", runs, contest.edition, "all")
    look_up(subject)
    work(Analyst(contest.folder))
    result = look_up(subject).result
    pair = cf.compare(contest.evaluation("ann", "bob"), MEASURES)["concept.AP"].pairs[0]
    row = part(result, "contest").tables[0].records[0]
    assert pair.adjusted in row.values()


def test_measures_are_correlated_as_by_the_library(contest: Contest) -> None:
    result = computed(contest, "measures")
    evaluation = contest.evaluation("ann", "bob", "cat")
    truth = cf.read_collection(contest.folder.collection("photos"))
    runs = [evaluation.score(name, "concept.AP").run for name in evaluation.runs]
    expected = cf.studies.correlate(truth, runs, MEASURES, percentages=())
    assert result.table("pairs").records == expected.result.table("pairs").records


def test_rankings_by_other_editions_are_those_of_their_truths(contest: Contest) -> None:
    assert look_up(of_board("truths", contest.board)).waiting
    work(Analyst(contest.folder))
    assert "one truth only" in look_up(of_board("truths", contest.board)).error
    truth = contest.folder.collection("photos") / "truth.csv"
    turned = TRUTH.replace("i0,1", "i0,0", 1).replace("i2,1", "i2,0", 1)
    truth.write_text(turned)
    try:
        contest.edition = renew_edition(contest.folder, contest.phase.track, "wrong cells")
        work(Worker(contest.folder))
        result = part(computed(contest, "truths"), "rankings")
        after = contest.evaluation("ann", "bob", "cat")
    finally:
        truth.write_text(TRUTH)
    before = contest.evaluation("ann", "bob", "cat")
    for row in result.tables[0].records:
        assert row["score by the truth in force"] == after[row["run"], "concept.AP"]
        assert row["score by edition 1"] == before[row["run"], "concept.AP"]
    assert len(result.charts) == len(MEASURES)


def test_what_was_computed_is_not_computed_again_until_something_changes(contest: Contest) -> None:
    computed(contest, "concepts")
    first = look_up(of_board("concepts", contest.board)).stored
    assert first is not None
    assert work(Analyst(contest.folder)) == 0
    contest.groups[1].submit(noisy(9, 0.5))
    work(Worker(contest.folder))
    changed = look_up(of_board("concepts", contest.board))
    assert not changed.is_current
    assert changed.waiting
    assert changed.stored == first  # offered with its date meanwhile
    assert work(Analyst(contest.folder)) == 1
    assert look_up(of_board("concepts", contest.board)).is_current


def test_an_older_analysis_shows_no_run_that_was_taken_away(contest: Contest) -> None:
    computed(contest, "concepts")
    rule(contest.runs["cat"], "delete", "copied", None)
    assert look_up(of_board("concepts", contest.board)).stored is None


def test_runs_come_before_analyses_and_neither_waits_for_the_other(contest: Contest) -> None:
    look_up(of_board("concepts", contest.board))
    run = contest.groups[0].submit(noisy(5, 0.2))
    scoring, analysing = queue.claim("scorer"), queue.claim("analyst", analyses=True)
    assert scoring is not None
    assert analysing is not None
    assert scoring.run == run
    assert analysing.analysis is not None
    assert queue.claim("scorer") is None


def test_comparisons_wait_until_nobody_looks_at_anything_else(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MOST_COMPARISONS", 1)
    ann, bob, cat = (contest.runs[name] for name in ("ann", "bob", "cat"))
    for pair in ([ann, bob], [ann, cat]):
        look_up(of_runs("comparison", pair, contest.edition, "all"))
    look_up(of_board("concepts", contest.board))
    first, second = (queue.claim("analyst", analyses=True) for _ in range(2))
    assert [job.analysis.kind for job in (first, second) if job and job.analysis] == [
        "concepts",
        "comparison",
    ]
    assert queue.claim("analyst", analyses=True) is None


def test_letters_of_the_best_of_each_group_are_of_these_runs_alone(contest: Contest) -> None:
    contest.groups[0].scored(noisy(8, 0.6))
    board = Board(
        contest.phase, contest.edition, Audience(organiser=True), split=Split.ALL, view="best"
    )
    look_up(of_board("significance", board))
    work(Analyst(contest.folder))
    board.certainty, _ = certainty_of(board)
    expected = cf.compare(contest.evaluation("ann", "bob", "cat"), MEASURES)
    beaten = {
        row["group"]: row["concept.AP beats"] for row in board.rows() if row["rank"] is not None
    }
    assert beaten == {
        name: expected.letters_of_beaten(contest.label(name), "concept.AP")
        for name in ("ann", "bob", "cat")
    }


def test_a_worker_killed_before_or_after_it_stored_a_file_does_no_harm(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = of_board("concepts", contest.board)
    look_up(subject)
    monkeypatch.setattr(queue, "finish_analysis", _killed)
    with pytest.raises(KeyboardInterrupt):
        Analyst(contest.folder).work_once()
    monkeypatch.undo()
    path = contest.folder.analysis(subject.key)
    content = path.read_bytes()  # the file is there, and nobody takes it for finished
    assert look_up(subject).waiting
    Job.objects.filter(analysis__isnull=False).update(lease=PAST)
    assert queue.claim("other", analyses=True) is None  # it goes back, and waits a moment
    Job.objects.filter(analysis__isnull=False).update(not_before=PAST)
    assert work(Analyst(contest.folder)) == 1
    assert path.read_bytes() == content
    assert look_up(subject).is_current
    assert StoredAnalysis.objects.count() == 1


def _killed(job: Job) -> bool:
    raise KeyboardInterrupt


def test_a_late_worker_marks_nothing_as_finished(contest: Contest) -> None:
    look_up(of_board("concepts", contest.board))
    late = queue.claim("late", analyses=True)
    assert late is not None
    Job.objects.filter(id=late.id).update(lease=PAST)
    queue.claim("other", analyses=True)
    assert not queue.finish_analysis(late)
    assert not queue.give_up(late, "late")
    assert StoredAnalysis.objects.get().finished is None


def test_an_analyst_that_stops_hands_its_job_back_at_once(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up(of_board("concepts", contest.board))
    analyst = Analyst(contest.folder)
    analyst.stop()
    with monkeypatch.context() as patched:
        patched.setattr(analysing, "analyse", never_ends)
        assert analyst.work_once()
    job = Job.objects.get(analysis__isnull=False)
    assert (job.state, job.attempt, job.crashes) == (Job.State.QUEUED, 0, 0)
    assert work(Analyst(contest.folder)) == 1
    assert look_up(of_board("concepts", contest.board)).is_current


def test_a_lost_file_is_computed_again(contest: Contest) -> None:
    computed(contest, "concepts")
    subject = of_board("concepts", contest.board)
    contest.folder.analysis(subject.key).unlink()
    loaded.cache_clear()
    assert look_up(subject).waiting
    assert work(Analyst(contest.folder)) == 1
    assert look_up(subject).is_current


def test_a_run_that_breaks_an_analysis_is_left_out_of_it(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "analyse", breaks_over_bob)
    monkeypatch.setattr(analysing, "try_run", breaks_over_bob)
    look_up(of_board("concepts", contest.board))
    work(Analyst(contest.folder))
    result = look_up(of_board("concepts", contest.board)).result
    assert result is not None
    assert result.warnings == ("bob: run is left out: it cannot be analysed",)
    labels = result.parts[0].tables[0].fields
    assert "bob: run" not in labels
    assert "ann: run" in labels


def test_an_analysis_that_cannot_be_computed_says_why(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "analyse", crash)
    look_up(of_board("concepts", contest.board))
    work(Analyst(contest.folder))
    outcome = look_up(of_board("concepts", contest.board))
    assert "crashed the reader" in outcome.error
    assert not outcome.waiting


def test_a_child_may_not_answer_with_a_drawing_or_nonsense(contest: Contest) -> None:
    drawing = cf.compare(contest.evaluation("ann", "bob"), MEASURES).full_result
    with pytest.raises(ValueError, match="drawing"):
        trusted(drawing.to_dict())
    with pytest.raises(TypeError):
        trusted(drawing.to_dict() | {"title": 3})


def test_hostile_names_of_runs_collide_with_nothing(contest: Contest) -> None:
    for run, name in zip(contest.runs.values(), ("mean", "concept", "_mean"), strict=False):
        Run.objects.filter(id=run.id).update(name=name)
    retracted = contest.groups[0].submit(noisy(1, 0.2))
    work(Worker(contest.folder))
    Run.objects.filter(id=retracted.id).update(name="mean")
    result = part(computed(contest, "concepts"), "concepts")
    row = result.tables[0].rows[0]
    assert row["concept"] in ("Sky", "Sea", "Person")
    assert math.isfinite(row["mean"])
    assert {"ann: mean", f"ann: mean ({retracted.id})", "bob: concept", "cat: _mean"} <= row.keys()


def test_every_kind_of_a_board_can_be_computed(contest: Contest) -> None:
    kinds = [kind for kind in OF_BOARDS if kind != "progress"]  # which is not stored
    for kind in kinds:
        look_up(of_board(kind, contest.board))
    work(Analyst(contest.folder))
    outcomes = {kind: look_up(of_board(kind, contest.board)) for kind in kinds}
    assert {kind for kind, outcome in outcomes.items() if not outcome.is_current} == {"truths"}


def test_a_board_without_runs_queues_nothing(folder: CampaignFolder) -> None:
    phase, edition = Phase.objects.get(), Edition.objects.get()
    board = Board(phase, edition, Audience(organiser=True), split=Split.ALL)
    assert look_up(of_board("concepts", board)).error
    assert not Job.objects.exists()


def test_a_retracted_run_leaves_the_analyses_of_the_board(contest: Contest) -> None:
    before = of_board("concepts", contest.board).key
    retract(contest.folder, contest.runs["cat"], contest.groups[2].who)
    assert of_board("concepts", contest.board).key != before
