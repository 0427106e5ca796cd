"""`cranfield votes effect`."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from drawn_charts import charts
from typer.testing import Result

import cranfield as cf
from cranfield.assessment.votes import groups_of
from cranfield.studies.annotator_effect import annotator_effect
from cranfield.studies.annotators import Crew, simulated_votes

Cranfield = Callable[..., Result]


@pytest.fixture(scope="module")
def votes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    truth = cf.read_collection(folder).truth
    groups = groups_of(cf.Ontology.load("pto2009"))
    simulated_votes(truth, [Crew("ann", 3), Crew("bob", 4, per_item=2)], groups=groups).write(path)
    return path


def test_json_is_what_the_library_says(
    votes: Path, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    crews, picture = tmp_path / "crews.csv", tmp_path / "effect.json"
    crews.write_text("annotator,group\nann1,experts\nann2,experts\nbob1,crowd\nbob2,crowd\n")
    done = cranfield(
        "votes", "effect", votes, folder / "runs", "--crews", crews, "--least", 0.9, "--draws", 2,
        "--concepts", folder / "concepts.txt",
        "-m", "concept.EER", "-m", "example.AP", "--json", "--picture", picture,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    collection = cf.read_collection(folder)
    found = annotator_effect(
        cf.Votes.read(votes),
        [cf.read_run(path, collection) for path in collection.runs],
        ["concept.EER", "example.AP"],
        groups={"experts": ["ann1", "ann2"], "crowd": ["bob1", "bob2"]},
        least=0.9,
        draws=2,
    )
    assert told["truths"] == ["ann1", "ann2", "ann3", "experts", "crowd", "Merged"]
    assert told["measures"][0]["tau"][0] == pytest.approx(found.tau[0, 0].tolist())
    assert told["measures"][1]["by_size"][0] == pytest.approx(found.by_size[1, 0].tolist())
    assert len(charts(picture)) == 3


def test_tables_and_csv(votes: Path, folder: Path, cranfield: Cranfield) -> None:
    order = ("--concepts", folder / "concepts.txt")
    options = ("--ontology", "pto2009", "--draws", 1, *order)
    shown = cranfield("votes", "effect", votes, folder / "runs", *options)
    assert shown.exit_code == 0, shown.output
    assert "τ by OS" in shown.stdout
    assert "Runs that move most" in shown.stdout
    lines = cranfield("votes", "effect", votes, folder / "runs", *options, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert {row["measure"] for row in rows} == {"concept.EER", "concept.AUC", "OS"}


def test_runs_without_names_need_the_order_of_concepts(
    votes: Path, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    runs = tmp_path / "runs"  # no folder above them names concepts
    shutil.copytree(folder / "runs", runs)
    done = cranfield("votes", "effect", votes, runs)
    assert done.exit_code == 1
    assert "--concepts" in done.stderr
    concepts = tmp_path / "names.txt"
    concepts.write_text("Sky\nSea\nUnicorn\n")
    done = cranfield("votes", "effect", votes, runs, "--concepts", concepts)
    assert done.exit_code == 1
    assert "nobody was asked about 'Unicorn'" in done.stderr


def test_runs_that_lack_concepts_are_told_by_their_file(
    votes: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("item,Sky\nitem001,0.5\n")
    done = cranfield("votes", "effect", votes, tmp_path / "one.csv", tmp_path / "two.csv")
    assert done.exit_code == 1
    assert "one.csv" in done.stderr or "two.csv" in done.stderr  # whichever is scored first


def test_what_is_undefined_is_told_without_a_warning_or_a_star(
    tmp_path: Path, cranfield: Cranfield, recwarn: pytest.WarningsRecorder
) -> None:
    votes = tmp_path / "votes.csv"
    rows = "".join(f"i{n},{who},Sky,1\n" for n in range(3) for who in ("ann", "bob"))
    votes.write_text(f"item,annotator,concept,value\n{rows}")
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(f"item,Sky\ni0,0.{len(name)}\ni1,0.2\ni2,0.3\n")
    options = ("votes", "effect", votes, tmp_path / "one.csv", tmp_path / "two.csv")
    options = (*options, "-m", "concept.AUC", "--draws", 1)
    shown = cranfield(*options)
    assert shown.exit_code == 0, shown.output
    assert "–*" not in shown.stdout
    assert "– a truth gives all runs the same score" in shown.stdout
    assert json.loads(cranfield(*options, "--json").stdout)["measures"][0]["mean_tau"] is None
    assert not recwarn.list


def test_runs_named_like_random_ones_are_told_of(
    votes: Path, folder: Path, cranfield: Cranfield
) -> None:
    options = ("--draws", 1, "-m", "concept.AUC", "--concepts", folder / "concepts.txt")
    first, second = sorted((folder / "runs").iterdir())[:2]
    random = folder.parent / f"Random50{first.suffix}"
    random.write_bytes(first.read_bytes())
    runs = (first, second, random)
    told = json.loads(cranfield("votes", "effect", votes, *runs, *options, "--json").stdout)
    assert told["passed_over"] == ["Random50"]
    assert len(told["runs"]) == 2
    shown = cranfield("votes", "effect", votes, *runs, *options).stdout
    assert "Random50: reference runs by their names, neither tested nor ranked" in shown
    assert "≠ discordant by Kolmogorov and Smirnov" in shown


def test_groups_given_by_name_replace_those_of_the_ontology_and_that_is_told(
    votes: Path, folder: Path, cranfield: Cranfield
) -> None:
    done = cranfield(
        "votes", "effect", votes, folder / "runs", "--draws", 1, "-m", "concept.AUC",
        "--group", "Wet=Sea,Lake", "--ontology", "pto2009",
        "--concepts", folder / "concepts.txt",
    )  # fmt: skip
    assert "groups of concepts are those of --group" in done.stderr
