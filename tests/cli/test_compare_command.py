"""`cranfield compare`: what it prints, writes, draws and refuses."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats

Cranfield = Callable[..., Result]


def test_json_is_what_python_says(folder: Path, cranfield: Cranfield) -> None:
    printed = json.loads(
        cranfield("compare", folder, "-m", "example.F", "--samples", 500, "--json").stdout
    )
    collection = formats.read_collection(folder)
    runs = [
        formats.read_run(path, collection, name=path.stem)
        for path in sorted((folder / "runs").iterdir())
    ]
    wanted = cf.compare(cf.evaluate(collection, runs, "example.F"), "example.F", samples=500)
    assert printed == json.loads(wanted.to_json())


def test_the_table_names_the_beaten_by_letters(folder: Path, cranfield: Cranfield) -> None:
    page = cranfield("compare", folder, "-m", "concept.AP", "--samples", 500).stdout
    assert "beats" in page
    assert "corrected by step-down max-T" in page
    assert "500 resamples, seed 0" in page


def test_every_form_is_written(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    given = ("compare", folder, "-m", "example.F", "--test", "t")
    lines = list(csv.DictReader(io.StringIO(cranfield(*given, "--csv").stdout)))
    names = [path.stem for path in (folder / "runs").iterdir()]
    systems = len([name for name in names if not name.startswith("Random")])
    assert systems < len(names)
    assert len(lines) == systems * (systems - 1) // 2
    for name, begin in (("t.tex", "% \\usepackage"), ("t.json", "{"), ("t.csv", "a,b,")):
        assert cranfield(*given, "-o", tmp_path / name).exit_code == 0
        assert (tmp_path / name).read_text().startswith(begin)
    cranfield(*given, "-o", tmp_path / "t.txt")
    assert "beats" in (tmp_path / "t.txt").read_text()


def test_several_measures_share_a_table_and_a_correction(
    folder: Path, cranfield: Cranfield
) -> None:
    measures = ("-m", "concept.AP", "-m", "example.F")
    given = ("compare", folder, *measures, "--samples", 500)
    page = cranfield(*given).stdout
    assert "× 2 measures" in page
    content = json.loads(cranfield(*given, "--json").stdout)
    lines = list(csv.DictReader(io.StringIO(cranfield(*given, "--csv").stdout)))
    assert {line["measure"] for line in lines} == {"concept.AP", "example.F"}
    assert len(lines) == len(content["pairs"]) == content["comparisons"]
    paper = cranfield(*given, "--latex").stdout
    assert paper.index(r"\caption{Scores of") < paper.index(r"\begin{tabular}{llll}")
    assert r"\end{table}" in paper


def test_random_runs_are_tested_on_demand_only(folder: Path, cranfield: Cranfield) -> None:
    given = ("compare", folder, "-m", "example.F", "--test", "t", "--json")
    apart = json.loads(cranfield(*given).stdout)
    assert [row["run"] for row in apart["references"]] == sorted(
        apart["left_out"],
        key=lambda run: -next(row["score"] for row in apart["references"] if row["run"] == run),
    )
    tested = json.loads(cranfield(*given, "--include-references").stdout)
    assert tested["references"] == []
    assert {row["run"] for row in tested["runs"]} >= set(apart["left_out"])


def test_a_picture_is_drawn(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "cd.json"
    found = cranfield("compare", folder, "--test", "nemenyi", "--picture", path)
    assert found.exit_code == 0
    assert "mean rank" in path.read_text()


def test_a_report_holds_the_comparison_that_was_asked_for(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    given = ("compare", folder, "-m", "example.F", "--test", "t", "--report", page)
    assert cranfield(*given, "--tables", tables).exit_code == 0
    assert "with a t test over 120 items" in page.read_text()
    lines = list(csv.DictReader(io.StringIO((tables / "contest.csv").read_text())))
    printed = json.loads(cranfield(*given, "--json").stdout)
    assert len(lines) == len(printed["runs"]) - 1
    assert {float(line["adjusted"]) for line in lines} <= {p["adjusted"] for p in printed["pairs"]}


def test_wrong_words_are_wrong_usage(folder: Path, cranfield: Cranfield) -> None:
    for option in (
        ("--test", "u"),
        ("--test", "t", "--correction", "max_t"),
        ("--alpha", "2"),
        ("--samples", "5"),
        ("-m", "concept.nothing"),
        ("--json", "--csv"),
        ("--picture", "x.bmp"),
        ("--report", "report.pdf"),
        ("--tables", folder / "truth.txt"),
        ("--report", folder / "page.html", "--picture", folder / "page.html"),
    ):
        assert cranfield("compare", folder, *option).exit_code == 2, option


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "concept.P@5", "--resample", "items"), "give --resample concepts"),
        (("-m", "micro.F", "--test", "sign"), "choose another test"),
    ],
)
def test_what_cannot_be_compared_is_said_in_words_of_the_command_line(
    folder: Path, cranfield: Cranfield, options: tuple[str, ...], message: str
) -> None:
    found = cranfield("compare", folder, *options)
    assert found.exit_code == 1
    assert message in " ".join(found.stderr.split())


def test_one_run_is_too_few(folder: Path, cranfield: Cranfield) -> None:
    run = next((folder / "runs").iterdir())
    found = cranfield("compare", folder, run)
    assert found.exit_code == 1
    assert "compare at least two" in found.stderr


def test_topics_of_trec_files_are_the_units(tmp_path: Path, cranfield: Cranfield) -> None:
    topics = range(1, 9)
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{topic} 0 d{place} {place % 2}\n" for topic in topics for place in range(6))
    )
    for run, turn in (("one", 1), ("two", -1)):
        order = [1, 3, 5, 0, 2, 4][::turn]
        (tmp_path / f"{run}.run").write_text(
            "".join(
                f"{topic} Q0 d{place} {rank + 1} {6 - rank} {run}\n"
                for topic in topics
                for rank, place in enumerate(order)
            )
        )
    found = cranfield(
        "compare", tmp_path / "qrels.txt", tmp_path / "one.run", tmp_path / "two.run", "--json"
    )
    content = json.loads(found.stdout)
    assert content["resample"] == "concepts"
    assert content["units"] == 8
    assert content["samples"] == 2**7
    assert content["pairs"][0]["p"] == pytest.approx(2 / 2**8)
