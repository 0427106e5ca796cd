"""`cranfield votes quality`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from drawn_charts import charts
from typer.testing import Result

import cranfield as cf
from cranfield.studies.annotators import Crew, simulated_votes

Cranfield = Callable[..., Result]


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six people who look at what they annotate, and two who do not."""
    random = np.random.default_rng(0)
    labels = np.zeros((30, 7), dtype=bool)
    labels[:, :4] = random.random((30, 4)) < 0.3
    labels[np.arange(30), 4 + random.integers(3, size=30)] = True
    truth = cf.Truth(labels, items=[f"photo[{n}]" for n in range(30)], concepts=[*"ABCD", *"xyz"])
    path = tmp_path_factory.mktemp("quality") / "votes.csv"
    crews = [Crew("good", 6), Crew("[bad]", 2, careless=0.95)]
    simulated_votes(truth, crews, groups={"Season": list("xyz")}).write(path)
    return path


def mturk(path: Path, rows: list[tuple[str, str, str, str]]) -> Path:
    """Results of a batch: assignment, worker, season, status; any other column stays as it is."""
    header = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"]
    header += [
        "Input.image",
        "Answer.Season",
        "Answer.Sky.on",
        "Answer.comment",
        "Approve",
        "Reject",
    ]
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(header)
        for assignment, worker, season, status in rows:
            said = [season, "true", 'quite "nice",\nreally', "", ""]
            writer.writerow(["H1", assignment, worker, status, "60", "a.jpg", *said])
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_json_is_what_the_library_says(votes: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "quality", votes, "--fastest", 30, "--least-score", 0.4, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    found = cf.Votes.read(votes).quality(fastest=30, least_score=0.4)
    assert told["sheets"] == 240
    assert told["rejected"] == int(found.refused.sum()) >= 60
    assert told["annotators"] == found.frame.to_dicts()
    assert told["rejections"] == found.rejections.to_dicts()
    assert told["rules"] == {rule: len(sheets) for rule, sheets in found.rejected.items()}
    assert {row["annotator"] for row in told["annotators"][:2]} == {"[bad]1", "[bad]2"}


def test_the_table_lists_the_least_trusted_first(votes: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "quality", votes)
    assert done.exit_code == 0, done.output
    assert done.stdout.index("[bad]1") < done.stdout.index("good1")
    assert "left open: Season" in done.stdout
    assert "of 240 sheets rejected" in done.stdout


def test_csv_picture_and_accepted_votes_are_written(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    table, picture, kept = (tmp_path / name for name in ("who.csv", "who.json", "kept.csv"))
    done = cranfield(
        "votes", "quality", votes, "--least-agreement", 0.85, "-o", table, "--picture", picture,
        "--accepted", kept,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert {row["annotator"] for row in rows_of(table)[:2]} == {"[bad]1", "[bad]2"}
    assert [row["rejected"] for row in rows_of(table)] == ["30"] * 2 + ["0"] * 6
    titles = [part["title"]["text"] for part in charts(picture)]
    assert titles == ["Rejections by item", "Sheets by annotator", "Whom to trust"]
    sound = cf.Votes.read(kept)
    assert set(sound.annotators) == {f"good{n}" for n in range(1, 7)}
    assert len(sound.sheets) == 180


def test_the_picture_can_be_drawn(votes: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    pytest.importorskip("vl_convert")
    for name, options in (("some.svg", ["--least-score", 0.4]), ("none.svg", ["--require", ""])):
        done = cranfield("votes", "quality", votes, *options, "--picture", tmp_path / name)
        assert done.exit_code == 0, done.output
        drawn = (tmp_path / name).read_text()
        assert ("Rejections by item" in drawn) == (name == "some.svg")


def test_decisions_are_the_results_with_an_x_or_a_reason(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    batch = mturk(
        tmp_path / "Batch_1.csv",
        [
            ("A1", "W1", "Summer", "Submitted"),
            ("A2", "W2", "", "Submitted"),
            ("A3", "W3", "Winter", "Approved"),
            ("A4", "W4", "", "Rejected"),
            ("A5", "W5", "Summer", "Submitted"),
        ],
    )
    upload = tmp_path / "upload.csv"
    done = cranfield("votes", "quality", batch, "--decisions", upload)
    assert done.exit_code == 0, done.output
    assert "2 assignments to approve, 1 to reject, 2 left as they are" in done.stderr
    before, after = rows_of(batch), rows_of(upload)
    assert list(after[0]) == list(before[0])
    assert [(row["Approve"], row["Reject"]) for row in after] == [
        ("x", ""), ("", "left open: Season"), ("", ""), ("", ""), ("x", ""),
    ]  # fmt: skip
    for one, other in zip(before, after, strict=True):
        assert one | {"Approve": "", "Reject": ""} == other | {"Approve": "", "Reject": ""}
    again = tmp_path / "again.csv"
    done = cranfield("votes", "quality", upload, "--require", "", "--decisions", again)
    assert done.exit_code == 0, done.output
    assert rows_of(again) == after  # what is marked stays


def test_each_batch_has_decisions_of_its_own(tmp_path: Path, cranfield: Cranfield) -> None:
    batches = [
        mturk(tmp_path / f"B{n}.csv", [(f"A{n}", f"W{n}", "Summer", ""), (f"C{n}", "W", "", "")])
        for n in (1, 2)
    ]
    done = cranfield("votes", "quality", *batches, "--decisions", tmp_path / "up.csv")
    assert done.exit_code == 0, done.output
    assert "50.00 %" in done.stdout
    for n in (1, 2):
        rows = rows_of(tmp_path / f"up-B{n}.csv")
        assert [row["Approve"] for row in rows] == ["x", ""]
        assert [row["AssignmentId"] for row in rows] == [f"A{n}", f"C{n}"]


def test_votes_with_assignments_give_decisions_too(tmp_path: Path, cranfield: Cranfield) -> None:
    survey = tmp_path / "survey.csv"
    survey.write_text(
        "item,annotator,concept,value,assignment\n"
        "night-night,ann,rel,4,A1\nsea-sky,ann,rel,2,A1\n"
        "night-night,bob,rel,1,A2\nsea-sky,bob,rel,3,A2\n"
    )
    upload = tmp_path / "up.csv"
    done = cranfield(
        "votes", "quality", survey, "--control", "night-night=4", "--decisions", upload
    )
    assert done.exit_code == 0, done.output
    assert [tuple(row.values()) for row in rows_of(upload)] == [
        ("A1", "x", ""),
        ("A2", "", "night-night must be answered by 4"),
    ]


def test_without_assignments_there_is_nothing_to_decide(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    done = cranfield("votes", "quality", votes, "--decisions", tmp_path / "up.csv")
    assert done.exit_code == 1
    assert "votes tell of no assignments" in done.stderr
    assert not done.stdout
    assert not (tmp_path / "up.csv").exists()


@pytest.mark.parametrize("grouped", [False, True])
def test_gold_is_a_truth_or_votes(tmp_path: Path, cranfield: Cranfield, grouped: bool) -> None:
    votes, as_votes, as_truth = (tmp_path / f"{name}.csv" for name in ("v", "gold", "truth"))
    said = {"ann": "xyx", "bob": "yxy", "eve": "xyy"}
    if grouped:
        lines = [
            f"{item},{who},{label},{int(label == one)}"
            for who, labels in said.items()
            for item, one in zip("pqr", labels, strict=True)
            for label in "xy"
        ]
        votes.write_text("item,annotator,concept,value\n" + "\n".join(lines))
    else:
        lines = [
            f"{item},{who},{one}"
            for who, labels in said.items()
            for item, one in zip("pqr", labels, strict=True)
        ]
        votes.write_text("item,annotator,Season\n" + "\n".join(lines))
    as_votes.write_text("item,annotator,Season\np,me,x\nq,me,y\n")
    as_truth.write_text("item,x,y\np,1,0\nq,0,1\n")
    group = ["--group", "Season=x,y"] if grouped else []
    for gold in (as_votes, as_truth):
        done = cranfield("votes", "quality", votes, *group, "--gold", gold, "--json")
        assert done.exit_code == 0, done.output
        rejections = json.loads(done.stdout)["rejections"]
        assert {row["annotator"] for row in rejections} == {"bob"}
        assert {row["reason"] for row in rejections} == {"2 of 2 known answers wrong"}


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--control", "Season"], 2, "write NAME=ANSWER"),
        (["--control", "Weather=x"], 1, "no question and no item"),
        (["--require", "Weather"], 1, "no question 'Weather'"),
        (["--same", "1"], 2, "--same"),
        (["--limit", "2"], 2, "--limit"),
        (["--gold", "nowhere.csv"], 1, "no such file"),
        (["--picture", "who.doc"], 2, "is no picture"),
    ],
)
def test_what_cannot_be_is_refused(
    votes: Path, cranfield: Cranfield, options: list[str], code: int, words: str
) -> None:
    done = cranfield("votes", "quality", votes, *options)
    assert done.exit_code == code
    assert words in done.stderr
    assert "Traceback" not in done.output


def test_no_input_is_written_over(votes: Path, cranfield: Cranfield) -> None:
    for option in ("--accepted", "--decisions"):
        done = cranfield("votes", "quality", votes, option, votes)
        assert done.exit_code == 2, done.output
        assert "would be lost" in done.stderr


@pytest.mark.parametrize("command", ["show", "agreement", "merge", "quality"])
def test_every_command_counts_rejected_assignments_if_told(
    tmp_path: Path, cranfield: Callable[..., Result], command: str
) -> None:
    path = tmp_path / "results.csv"
    lines = [f"A{n},W{n},{'Rejected' if n else 'Approved'},a,x" for n in range(3)]
    path.write_text(
        "\n".join(["AssignmentId,WorkerId,AssignmentStatus,Input.i,Answer.s", *lines, ""])
    )
    left = cranfield("votes", command, path)
    assert "left out 2 assignments that had been rejected" in left.stderr
    counted = cranfield("votes", command, path, "--rejected")
    assert counted.exit_code == 0, counted.stderr
    assert "left out" not in counted.stderr
