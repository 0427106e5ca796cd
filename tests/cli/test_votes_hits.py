"""`cranfield votes hits`: from items to pages, and from results to votes and findings."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.assessment.jobs import first_stage

Cranfield = Callable[..., Result]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.csv"
    lines = [f"photo{n},https://example.org/{n}.jpg\n" for n in range(12)]
    path.write_text("item,image_url\n" + "".join(lines))
    return path


def truth_of(path: Path, **columns: list[int]) -> Path:
    labels = np.array(list(columns.values()), dtype=bool).T
    truth = cf.Truth(labels, items=[f"photo{n}" for n in range(12)], concepts=list(columns))
    cf.write_truth(truth, path)
    return path


def results(path: Path, batch: Path, *answers: Callable[[str], dict[str, str]]) -> Path:
    """Results of a batch with one item on a page; each worker answers by the item."""
    with path.open("w", newline="") as file:
        lines = [
            {
                "WorkerId": f"w{n}", "AssignmentId": f"a{n}", "Input.item": row["item"],
                **{f"Answer.{k}": v for k, v in answer(row["item"]).items()},
            }
            for n, answer in enumerate(answers)
            for row in csv.DictReader(batch.open())
        ]  # fmt: skip
        keys = list(dict.fromkeys(key for line in lines for key in line))
        writer = csv.DictWriter(file, keys, restval="")
        writer.writeheader()
        writer.writerows(lines)
    return path


def test_a_job_is_a_template_and_the_input_of_each_batch(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    job = tmp_path / "job"
    options = ("--batches", 3, "--copies", 2, "--common", 0.25, "--preview", "--json")
    done = cranfield(
        "votes", "hits", "make", "--ontology", "pto2009", "--items", items, "-o", job, *options
    )
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout)["jobs"]
    assert (told["concepts"], told["choices"]) == (53, 6)
    assert (told["items"], told["batches"], told["pages"]) == (12, 3, 3 * 3 + 9 * 2)
    assert told["assignments"] == 3 * told["pages"]
    assert "${image_url}" in (job / "template.html").read_text()
    assert "${" not in (job / "preview.html").read_text()
    seen = [
        row["item"] for n in (1, 2, 3) for row in csv.DictReader((job / f"batch{n}.csv").open())
    ]
    assert sorted({seen.count(item) for item in seen}) == [2, 3]


def test_what_people_are_told_comes_from_files(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "concepts.txt").write_text("Sky\nDay\nNight\n")
    (tmp_path / "told.csv").write_text("concept,description\nSky,Blue or not\nSea,Wet\n")
    (tmp_path / "rules.txt").write_text("Look twice.\n\nBe kind.\n")
    done = cranfield(
        "votes", "hits", "make", "--concepts", tmp_path / "concepts.txt", "--group",
        "Time=Day,Night", "--items", items, "-o", tmp_path / "job", "--title", "Photos",
        "--descriptions", tmp_path / "told.csv", "--instructions", tmp_path / "rules.txt",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "'Sea' described, but not asked" in done.stderr
    page = (tmp_path / "job" / "template.html").read_text()
    for words in ("<h1>Photos</h1>", "<li>Look twice.</li>", "<li>Be kind.</li>", "Blue or not"):
        assert words in page
    assert page.count('type="radio"') == 2


def test_answers_come_back_as_votes_that_can_be_merged(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "concepts.txt").write_text("Sky\nSea\nDay\nNight\n")
    job, votes = tmp_path / "job", tmp_path / "votes.csv"
    make = ("--concepts", tmp_path / "concepts.txt", "--group", "Time=Day,Night")
    cranfield("votes", "hits", "make", *make, "--items", items, "-o", job)
    path = results(
        tmp_path / "r.csv",
        job / "batch1.csv",
        *[lambda item: {"Time": "Day", "Sky": "on" if item < "photo5" else ""}] * 2,
        lambda item: {"Time": "Night"},
    )
    done = cranfield("votes", "hits", "read", job, path, "-o", votes, "--json")
    assert done.exit_code == 0, done.output
    merged = cf.Votes.read(votes).merge()
    counts = dict(zip(merged.concepts, merged.labels.sum(axis=0).tolist(), strict=True))
    assert counts == {"Day": 12, "Night": 0, "Sky": 7, "Sea": 0}
    broken = cranfield("votes", "hits", "read", job, items)
    assert broken.exit_code == 1
    assert "results of MTurk have WorkerId" in broken.stderr


def test_the_next_stage_asks_only_where_the_parent_holds(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    concepts = first_stage(cf.Ontology.load("pto2009"))
    columns = {name: [0] * 12 for name in concepts}
    columns["Water"] = [1] * 4 + [0] * 8
    columns["Animals"] = [0] * 11 + [1]
    truth = truth_of(tmp_path / "truth.csv", **columns)
    given = ("--ontology", "pto2009", "--items", items, "-o")
    done = cranfield("votes", "hits", "next", truth, *given, tmp_path / "two", "--json")
    assert done.exit_code == 0, done.output
    jobs = {Path(one["folder"]).name: one for one in json.loads(done.stdout)["jobs"]}
    assert {name: (one["concepts"], one["items"]) for name, one in jobs.items()} == {
        "Water": (3, 4), "Single_Person or Small_Group or Big_Group or Animals": (1, 1)
    }  # fmt: skip
    assert "Sky: no item has it" in done.stderr
    rows = list(csv.DictReader((tmp_path / "two" / "Water" / "batch1.csv").open()))
    assert {row["item"] for row in rows} == {f"photo{n}" for n in range(4)}
    own = cranfield(
        "votes", "hits", "next", truth, *given, tmp_path / "own", "--ask", "Sky,Clouds", "--where",
        "Water,Animals", "--json",
    )  # fmt: skip
    (told,) = json.loads(own.stdout)["jobs"]
    assert (told["concepts"], told["items"]) == (2, 5)


def test_the_next_stage_can_start_from_votes(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    votes = cf.Votes.from_columns(
        ["photo1", "photo1", "photo2"], ["a", "b", "a"], ["Sky"] * 3, [1, 1, 0]
    )
    votes.write(tmp_path / "votes.csv")
    done = cranfield(
        "votes", "hits", "next", tmp_path / "votes.csv", "--votes", "--ontology", "pto2009",
        "--items", items, "-o", tmp_path / "two", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout)["jobs"]
    assert (told["items"], told["concepts"]) == (1, 1)


def test_screening_tells_how_far_annotations_can_be_trusted(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    truth = truth_of(tmp_path / "truth.csv", Sky=[1] * 5 + [0] * 7, Sea=[0] * 12)
    folder, fixed = tmp_path / "screening", tmp_path / "fixed.csv"
    done = cranfield(
        "votes", "hits", "screen", truth, "--concept", "Sky", "--concept", "Sea", "--items", items,
        "-o", folder, "--per-hit", 1,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    shown = (folder / "Sky" / "batch1.csv").read_text() + (
        folder / "Sky" / "template.html"
    ).read_text()
    assert "annotated" not in shown
    path = results(
        tmp_path / "r.csv",
        folder / "Sky" / "batch1.csv",
        *[lambda item: {"Sky": "yes" if "photo1" <= item < "photo6" else "no"}] * 3,
    )
    done = cranfield(
        "votes", "hits", "found", folder / "Sky", path, "--truth", truth, "-o", fixed, "--json"
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    # photo0 was annotated and is not seen; photo5, photo10 and photo11 are seen and were not.
    assert told["wrong"] == ["photo0"]
    assert told["missing"] == ["photo10", "photo11", "photo5"]
    assert told["precision"] == {"estimate": 0.8, "low": 0.8, "high": 0.8}
    assert told["recall"]["estimate"] == pytest.approx(4 / 7)
    now = cf.read_truth(fixed)
    assert now.labels[:, now.concepts.index("Sky")].sum() == 7
    table = cranfield("votes", "hits", "found", folder / "Sky", path)
    assert "seen, but not annotated (3): photo10, photo11, photo5" in table.stdout


def test_folders_that_are_there_stay_and_bad_usage_is_refused(
    items: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("dear")
    make = ("votes", "hits", "make", "--items", items, "--ontology", "pto2009")
    done = cranfield(*make, "-o", full)
    assert done.exit_code == 1
    assert "is there already" in done.stderr
    assert [one.name for one in full.iterdir()] == ["mine.txt"]
    new = ("-o", tmp_path / "new")
    assert cranfield(*make, *new, "--concepts", items).exit_code == 2
    assert cranfield(*make, *new, "--copies", 2).exit_code == 2
    assert cranfield(*make, *new, "--group", "a=b,c").exit_code == 2
    assert cranfield(*make, *new, "--url", "https://x.org").exit_code == 2
    assert cranfield("votes", "hits", "make", "--items", items, *new).exit_code == 2
    assert cranfield(*make, *new, "--ask", "Beer").exit_code == 1
    truth = truth_of(tmp_path / "truth.csv", Sky=[1] * 12)
    ahead = ("votes", "hits", "next", truth, "--items", items, "--ontology", "pto2009", *new)
    assert cranfield(*ahead, "--ask", "Clouds").exit_code == 2
    assert cranfield("votes", "hits", "found", tmp_path, items).exit_code == 1
    assert not (tmp_path / "new").exists()
