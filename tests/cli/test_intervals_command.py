"""`cranfield evaluate --intervals` and `cranfield plan`: how sure, from the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]
ASKED = ("-m", "concept.AP", "-m", "example.F")


def runs_of(folder: Path) -> tuple[cf.Collection, list[cf.Run]]:
    collection = cf.read_collection(folder)
    return collection, [cf.read_run(path, collection) for path in collection.runs]


def test_json_keeps_its_keys_and_adds_the_ends(folder: Path, cranfield: Cranfield) -> None:
    done = cranfield("evaluate", folder, *ASKED, "--intervals", "--confidence", "0.9", "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["scores"]
    collection, runs = runs_of(folder)
    result = cf.evaluate(collection, runs, ["concept.AP", "example.F"])
    wanted = cf.intervals(result, level=0.9)
    for row, plain in zip(rows, result.rows(), strict=True):
        assert {*plain, "low", "high"} == set(row)
        one = wanted[row["run"], row["measure"]]
        assert (row["score"], row["low"], row["high"]) == (one.score, one.low, one.high)
        assert row["signature"].startswith(plain["signature"])


def test_the_level_may_be_left_out_wherever_the_option_stands(
    folder: Path, cranfield: Cranfield
) -> None:
    last = cranfield("evaluate", folder, *ASKED, "--json", "--intervals")
    first = cranfield("evaluate", "--intervals", folder, *ASKED, "--json")
    assert last.exit_code == first.exit_code == 0
    assert last.stdout == first.stdout
    assert "level=0.95" in last.stdout


def test_tables_say_what_was_resampled_and_how(folder: Path, cranfield: Cranfield) -> None:
    shown = cranfield("evaluate", folder, *ASKED, "-m", "concept.P@5", "--intervals").stdout
    assert "95 % confidence intervals: scores to expect on other items" in shown
    assert "percentile: concept.P@5" in shown


def test_csv_and_latex_hold_the_ends_too(folder: Path, cranfield: Cranfield) -> None:
    done = cranfield("evaluate", folder, *ASKED, "--intervals", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert all(float(row["low"]) <= float(row["score"]) <= float(row["high"]) for row in rows)
    table = cranfield("evaluate", folder, *ASKED, "--intervals", "--latex").stdout
    assert r"\toprule" in table
    assert "{[}0." in table


@pytest.mark.parametrize("option", ["clusters", "strata"])
def test_clusters_and_strata_of_items_are_read_from_a_file(
    folder: Path, cranfield: Cranfield, tmp_path: Path, option: str
) -> None:
    collection, runs = runs_of(folder)
    groups = {name: str(place // 6) for place, name in enumerate(collection.truth.items)}
    path = tmp_path / "groups.csv"
    path.write_text("item,group\n" + "".join(f"{item},{g}\n" for item, g in groups.items()))
    done = cranfield("evaluate", folder, *ASKED, "--intervals", f"--{option}", path, "--json")
    assert done.exit_code == 0, done.output
    result = cf.evaluate(collection, runs, ["concept.AP", "example.F"])
    wanted = cf.intervals(result, **{option: groups})
    row = json.loads(done.stdout)["scores"][0]
    assert row["low"] == wanted[row["run"], row["measure"]].low


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--intervals", "--confidence", "95"), "between 0 and 1"),
        (("--resample", "items"), "give --intervals too"),
        (("--strata", "strata.csv"), "give --intervals too"),
        (("--intervals", "--per-unit"), "contradicts"),
        (("--intervals", "0.9"), "give --confidence 0.9"),
    ],
)
def test_what_does_not_fit_is_a_usage_error(
    folder: Path, cranfield: Cranfield, words: tuple[str, ...], message: str
) -> None:
    done = cranfield("evaluate", folder, *words)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_concepts_of_an_example_based_measure_are_bad_input(
    folder: Path, cranfield: Cranfield
) -> None:
    done = cranfield("evaluate", folder, "-m", "example.F", "--intervals", "--resample", "concepts")
    assert done.exit_code == 1
    assert "no score for each concept" in done.output
    assert "give --resample items" in done.output


def test_topics_of_trec_files_are_what_is_resampled(cranfield: Cranfield, tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text(
        "".join(f"q{q} 0 d{d} {int(d % 3 == q % 3)}\n" for q in range(6) for d in range(9))
    )
    run.write_text(
        "".join(
            f"q{q} Q0 d{d} {d} {1 / (1 + (d * q) % 7)} it\n" for q in range(6) for d in range(9)
        )
    )
    done = cranfield("evaluate", qrels, run, "-m", "concept.AP", "--intervals")
    assert done.exit_code == 0, done.output
    assert "scores to expect on other topics" in done.output
    done = cranfield("evaluate", qrels, run, "--intervals", "--resample", "items")
    assert done.exit_code == 1
    assert "give --resample concepts: these are the topics" in done.output


def test_plans_for_a_margin_are_those_of_the_library(folder: Path, cranfield: Cranfield) -> None:
    done = cranfield("plan", folder, "-m", "concept.AP", "--margin", "0.01", "--json")
    assert done.exit_code == 0, done.output
    collection, runs = runs_of(folder)
    result = cf.evaluate(collection, runs, "concept.AP")
    for row in json.loads(done.stdout)["plans"]:
        wanted = cf.plan(result, "concept.AP", run=row["runs"][0], margin=0.01)
        assert row["items"] == wanted.items


def test_plans_to_tell_runs_apart_name_both(folder: Path, cranfield: Cranfield) -> None:
    shown = cranfield("plan", folder, "-m", "example.F", "--power", "0.9")
    assert shown.exit_code == 0, shown.output
    assert "against" in shown.output
    assert "power 0.9" in shown.output


def test_plans_pass_over_random_runs_and_show_who_is_ahead(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    folder = tmp_path / "made"
    made = cranfield(
        "simulate", folder, "--items", "60", "--concepts", "8", "--systems", "3", "--random", "0,50"
    )
    assert made.exit_code == 0, made.output
    done = cranfield("plan", folder, "-m", "concept.AP", "--json")
    plans = json.loads(done.stdout)["plans"]
    collection, runs = runs_of(folder)
    score = cf.evaluate(collection, runs, "concept.AP")
    for plan in plans:
        run, other = plan["runs"]
        seen = score[run, "concept.AP"] - score[other, "concept.AP"]
        assert (plan["difference"], plan["target"]) == (seen, abs(seen))
    assert not any(run.startswith("Random") for plan in plans for run in plan["runs"])
    assert len(plans) == 2
    shown = cranfield("plan", folder, "-m", "concept.AP").output
    assert all(f"{plan['difference']:.4f}" in shown for plan in plans)
    assert "Random0, Random50: reference runs by their names" in shown
    for name in ("Random0", "Random50"):
        alone = cranfield("plan", folder, folder / "runs" / f"{name}.txt", "--margin", "0.1")
        assert (alone.exit_code, "give a run" in alone.output) == (1, True)


def test_one_run_without_a_margin_is_refused(folder: Path, cranfield: Cranfield) -> None:
    run = next((folder / "runs").iterdir())
    done = cranfield("plan", folder, run)
    assert done.exit_code == 1
    assert "--margin" in done.output
    assert cranfield("plan", folder, "--margin", "1", "--difference", "1").exit_code == 2


def test_plans_in_csv_are_those_in_json(folder: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    asked = ("plan", folder, "-m", "example.F")
    told = json.loads(cranfield(*asked, "--json").stdout)["plans"]
    file = tmp_path / "plans.csv"
    assert cranfield(*asked, "-o", file).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert cranfield(*asked, "--csv").stdout == file.read_text()
    for row, one in zip(rows, told, strict=True):
        assert [row["run"], row["against"]] == one["runs"]
        assert (float(row["spread"]), int(row["items"])) == (one["spread"], one["items"])


def test_plans_take_what_is_known_about_concepts(
    folder: Path, cranfield: Cranfield, tmp_path: Path
) -> None:
    costs = tmp_path / "costs.csv"
    made = cranfield("ontology", "costs", "pto2009", "-o", costs)
    assert made.exit_code == 0, made.output
    done = cranfield("plan", folder, "-m", "HS-own", "--costs", f"own={costs}", "--margin", "0.01")
    assert done.exit_code == 0, done.output
    assert "--intervals" not in cranfield("plan", "--help").stdout


def test_method_samples_and_seed_are_those_of_the_library(
    folder: Path, cranfield: Cranfield
) -> None:
    drawing = ("--method", "bca", "--samples", 60, "--seed", 5)
    done = cranfield("evaluate", folder, *ASKED, "--intervals", "--json", *drawing)
    assert done.exit_code == 0, done.output
    collection, runs = runs_of(folder)
    result = cf.evaluate(collection, runs, ["concept.AP", "example.F"])
    wanted = cf.intervals(result, method="bca", samples=60, seed=5)
    for row in json.loads(done.stdout)["scores"]:
        one = wanted[row["run"], row["measure"]]
        assert (row["low"], row["high"]) == (one.low, one.high)
        assert "method=bca" in row["signature"]


@pytest.mark.parametrize(
    "words",
    [
        ("--method", "bca"),
        ("--samples", "100"),
        ("--seed", "3"),
        ("--intervals", "--resample", "both", "--method", "bca"),
        ("--intervals", "--samples", "39"),
    ],
)
def test_drawing_options_that_do_not_fit_are_wrong_usage(
    folder: Path, cranfield: Cranfield, words: tuple[str, ...]
) -> None:
    assert cranfield("evaluate", folder, *ASKED, *words).exit_code == 2
