"""`cranfield votes agreement`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from drawn_charts import charts
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    common = rng.random((20, 1, 3)) < 0.4
    array = (common ^ (rng.random((20, 5, 3)) < 0.15)).astype(float)
    array[:, :, 2] = 0.0
    path = tmp_path / "votes.csv"
    cf.Votes.from_array(array, annotators=list("abcde"), concepts=["P", "Q", "R"]).write(path)
    return path


def test_json_is_what_the_library_says(votes: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "agreement", votes, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    library = cf.Votes.read(votes)
    assert set(found) == {
        *("overall", "concepts", "exclusive", "optional", "majority", "accuracy_ex"),
    }
    assert found["optional"] == found["overall"]
    assert found["exclusive"] == dict.fromkeys(found["overall"])
    assert set(found["overall"]) == {"fleiss", "free_marginal", "krippendorff", "percent"}
    for name, value in found["overall"].items():
        agreement = library.agreement(name)
        assert value == pytest.approx(agreement)
        assert found["concepts"]["P"][name] == pytest.approx(agreement.by_question["P"])
    assert found["concepts"]["R"]["fleiss"] is None
    assert found["overall"]["fleiss"] == pytest.approx(
        (found["concepts"]["P"]["fleiss"] + found["concepts"]["Q"]["fleiss"]) / 2
    )


def test_a_single_choice_is_one_question(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "choices.csv"
    path.write_text("task,worker,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,z\n3,b,z\n")
    found = json.loads(cranfield("votes", "agreement", path, "--json").stdout)
    assert list(found["concepts"]) == ["label"]
    assert found["overall"]["percent"] == pytest.approx(2 / 3)


def test_intervals_and_crews_and_pairs(votes: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    crews = tmp_path / "crews.csv"
    crews.write_text("annotator,group\na,experts\nb,experts\nc,crowd\nd,crowd\ne,crowd\n")
    done = cranfield(
        "votes", "agreement", votes, "--crews", crews, "--pairs", "--json", "--intervals",
        "--samples", "50", "-c", "gwet",
    )  # fmt: skip
    found = json.loads(done.stdout)
    low, high = found["intervals"]["overall"]["gwet"]
    assert low < found["overall"]["gwet"] < high
    assert list(found["groups"]) == ["experts", "crowd", "majorities"]
    library = cf.Votes.read(votes)
    experts = library.only(annotators=["a", "b"]).agreement("gwet")
    assert found["groups"]["experts"]["overall"]["gwet"] == pytest.approx(experts)
    assert found["pairs"]["accuracy"][0][0] == 1.0
    assert len(found["pairs"]["items"]) == 20
    assert 0.5 < found["pairs"]["mean_by_item"] < 1.0
    options = ("--crews", crews, "-c", "gwet", "--csv")
    rows = csv.DictReader(io.StringIO(cranfield("votes", "agreement", votes, *options).stdout))
    means = {row["group"]: float(row["value"]) for row in rows if not row["question"]}
    assert list(means) == ["", "experts", "crowd", "majorities"]
    assert means["experts"] == pytest.approx(experts)


def test_the_map_of_agreement_is_a_command_of_its_own(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    agreed = tmp_path / "agreed.csv"
    done = cranfield("votes", "map", votes, "--paradigm", "selected", "-o", agreed, "--json")
    assert done.exit_code == 0, done.output
    expected = cf.Votes.read(votes).agreement_map("selected")
    assert cf.formats.read_agreement(agreed).values == pytest.approx(expected.values)
    assert list(json.loads(done.stdout)["concepts"].values()) == pytest.approx(
        expected.values.tolist()
    )
    for old in (("--map", agreed), ("--paradigm", "selected")):
        moved = cranfield("votes", "agreement", votes, *old)
        assert moved.exit_code == 2
        assert "cranfield votes map" in moved.stderr


def test_tables_for_people_and_other_programs(votes: Path, cranfield: Cranfield) -> None:
    shown = cranfield("votes", "agreement", votes, "--pairs").stdout
    assert "mean over questions" in shown
    assert "Merged" in shown
    rows = list(csv.DictReader(io.StringIO(cranfield("votes", "agreement", votes, "--csv").stdout)))
    assert len(rows) == 4 * 4
    assert rows[0]["question"] == ""
    pairs = cranfield("votes", "agreement", votes, "--pairs", "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(pairs)))
    assert len(rows) == 5 * 4 / 2 + 5
    assert [(row["annotator"], row["other"]) for row in rows[:5]] == [
        ("a", "b"), ("a", "c"), ("a", "d"), ("a", "e"), ("a", "Merged")
    ]  # fmt: skip
    tex = cranfield("votes", "agreement", votes, "--latex").stdout
    assert r"free-marginal $\kappa$" in tex


def test_a_picture_shows_every_question(votes: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    picture = tmp_path / "agreed.json"
    assert cranfield("votes", "agreement", votes, "--picture", picture).exit_code == 0
    assert len(charts(picture)) == 4 + 2


def test_strangers_among_crews_are_refused(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    crews = tmp_path / "crews.csv"
    crews.write_text("annotator,group\nzoe,experts\n")
    done = cranfield("votes", "agreement", votes, "--crews", crews)
    assert done.exit_code == 1
    assert "nobody of this name voted: 'zoe'" in done.stderr


def test_votes_are_not_written_over(votes: Path, cranfield: Cranfield) -> None:
    assert cranfield("votes", "agreement", votes, "-o", votes).exit_code == 2


def test_votes_that_a_later_batch_repeats_are_left_out_and_counted(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    head = "item,annotator,concept,value\n"
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(f"{head}p1,ann,Sky,1\np1,bob,Sky,1\np2,ann,Sky,0\np2,bob,Sky,0\n")
    second.write_text(f"{head}p1,ann,Sky,0\np1,bob,Sky,0\np2,ann,Sky,1\np2,bob,Sky,0\n")
    options = ("votes", "agreement", first, second, "--pairs", "-c", "cohen")
    found = json.loads(cranfield(*options, "--json").stdout)
    assert found["pairs"]["accuracy"][0][1] == 0.5
    assert found["repeated"] == 4
    assert "4 votes left out" in cranfield(*options).stdout
    assert "repeated" not in json.loads(cranfield("votes", "agreement", first, "--json").stdout)


def test_why_a_coefficient_is_undefined_is_told_apart(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "votes.csv"
    rows = "p,ann,Sky,1\np,bob,Sky,1\nq,ann,Sky,1\nq,bob,Sky,1\np,ann,Sea,1\nq,bob,Sea,0\n"
    path.write_text(f"item,annotator,concept,value\n{rows}")
    shown = cranfield("votes", "agreement", path, "-c", "percent", "-c", "fleiss").stdout
    assert "raw agreement is undefined for 1 question: no item has two votes" in shown
    assert "Fleiss' κ is undefined for 1 question: no item has two votes" in shown
    assert "Fleiss' κ is undefined for 1 question: everybody always gave the same answer" in shown
    assert shown.count("everybody always") == 1


def test_nothing_is_written_where_something_cannot_be(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    agreed = tmp_path / "agreed.csv"
    picture = tmp_path / "nowhere" / "agreed.svg"
    done = cranfield("votes", "map", votes, "-o", agreed, "--picture", picture)
    assert done.exit_code == 1
    assert f"{picture}: its folder is not there" in done.stderr.replace("\n", "")
    assert not agreed.exists()
    assert not done.stdout


def test_a_file_that_is_no_map_is_told_of_by_its_option(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    for command, option in (("map", "--output"), ("merge", "--map")):
        done = cranfield("votes", command, votes, option, tmp_path / "agreed.map")
        assert done.exit_code == 2
        assert f"Invalid value for {option}" in done.stderr


def test_kinds_of_questions_and_paradigms_stand_apart(tmp_path: Path, cranfield: Cranfield) -> None:
    """Kappas of groups and of optional concepts, and the four means of Nowak 2011, Figure 6.4."""
    path = tmp_path / "votes.csv"
    lines = ["item,annotator,concept,value"]
    for item, annotator, day, snow, sky in (
        *(("i1", "a", "Day", 0, 1), ("i1", "b", "Day", 0, 1), ("i1", "c", "Night", 0, 0)),
        *(("i2", "a", "Night", 0, 1), ("i2", "b", "Night", 0, 1), ("i2", "c", "Night", 0, 1)),
    ):
        lines += [f"{item},{annotator},{name},{int(name == day)}" for name in ("Day", "Night")]
        lines += [f"{item},{annotator},Snow,{snow}", f"{item},{annotator},Sky,{sky}"]
    path.write_text("\n".join(lines) + "\n")
    options = ("votes", "agreement", path, "--group", "time=Day,Night", "--pairs")
    done = cranfield(*options, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    # Pairs agree on 1 of 3 and 3 of 3: P_o = 2/3, and κ = 2 P_o − 1 for two answers.
    assert found["exclusive"]["free_marginal"] == pytest.approx(1 / 3)
    assert found["optional"]["free_marginal"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["overall"]["free_marginal"] == pytest.approx((1 / 3 + 1 / 3 + 1) / 3)
    # With the majority: Day, Night and Sky 2/3 on i1; on i2 nobody selected Day.
    assert found["majority"]["concepts"] == pytest.approx(
        {"all": (5 / 6 + 5 / 6 + 5 / 6 + 1) / 4, "selected": (2 / 3 + 5 / 6 + 5 / 6) / 3}
    )
    assert found["majority"]["items"] == pytest.approx(
        {"all": (3 / 4 + 1) / 2, "selected": (2 / 3 + 1) / 2}
    )
    assert found["accuracy_ex"] == pytest.approx(
        {"all": (1 / 2 + 1) / 2, "selected": (1 / 3 + 1) / 2}
    )
    assert found["pairs"]["mean_by_item"] == found["accuracy_ex"]["all"]
    assert found["pairs"]["mean_by_item_selected"] == found["accuracy_ex"]["selected"]
    table = cranfield(*options).stdout
    for words in (
        "mean over exclusive groups",
        "mean over optional concepts",
        "agreement with the majority, mean over concepts: 0.875 of all cells, 0.778 of those",
        "agreement with the majority, mean over items: 0.875 of all cells, 0.833 of those",
        "mean agreement of two annotators of one item: 0.750 of all cells, 0.667",
        "nobody selected 1 concept",
    ):
        assert words in table, words
