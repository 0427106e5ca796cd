"""`cranfield study`: its commands, except `audit`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]
MEASURES = ("-m", "concept.AP", "-m", "example.RP", "-m", "example.F")


def test_correlate_shows_systems_and_items_and_counts_no_random_run(
    cranfield: Cranfield, folder: Path
) -> None:
    said = cranfield("study", "correlate", folder, *MEASURES)
    assert said.exit_code == 0, said.output
    assert "τ between rankings of 5 runs" in said.stdout
    assert "τ between rankings of items, mean over 5 runs" in said.stdout


def test_correlate_in_json_and_csv_says_the_same(cranfield: Cranfield, folder: Path) -> None:
    told = json.loads(cranfield("study", "correlate", folder, *MEASURES, "--json").stdout)
    assert told["measures"] == ["concept.AP", "example.RP", "example.F"]
    assert told["coefficients"]["tau"][0][0] == 1
    assert set(told["scores"]) >= {"Random0", "AllOnes", "perfect"}
    assert told["items"]["measures"] == ["example.RP", "example.F"]
    lines = cranfield("study", "correlate", folder, *MEASURES, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert [float(row["tau"]) for row in rows] == [
        told["coefficients"]["tau"][one][other] for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    assert float(rows[2]["tau_of_items"]) == told["items"]["tau"][0][1]


def test_correlate_draws_a_tree_runs_and_items(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "measures.svg"
    draw = ("--draw", "dendrogram", "--draw", "systems", "--draw", "items")
    said = cranfield("study", "correlate", folder, *MEASURES, "--picture", picture, *draw)
    assert said.exit_code == 0, said.output
    drawn = picture.read_text()
    for words in ("Rankings of 5 runs", "Runs by pairs of measures", "Items by two measures"):
        assert words in drawn
    said = cranfield("study", "correlate", folder, *MEASURES, "--draw", "items")
    assert said.exit_code == 2


@pytest.mark.parametrize("change", ["flip", "items", "concepts"])
def test_stability_has_a_row_for_each_measure_and_level(
    cranfield: Cranfield, folder: Path, change: str
) -> None:
    options = ("--change", change, "--levels", "0.1,0.2", "--repeats", 2)
    told = json.loads(cranfield("study", "stability", folder, *MEASURES, *options, "--json").stdout)
    assert told["change"] == change
    assert len(told["runs"]) == 5
    for one in told["measures"]:
        assert one["to_original"]["tau"][0] == one["to_previous"]["tau"][0]
        assert len(one["to_original"]["by_repeat"]) == 2


def test_stability_of_annotators_reads_their_files(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    truth = (folder / "truth.txt").read_text().splitlines()
    files: list[object] = []
    for who in range(3):
        rows = [line.split() for line in truth]
        for row in rows[who::3]:
            row[1 + who] = str(1 - int(row[1 + who]))
        path = tmp_path / f"annotator{who}.txt"
        path.write_text("".join(" ".join(row) + "\n" for row in rows))
        files += ["--annotator", path]
    options = ("--change", "annotators", "--levels", "0.34", "--repeats", 1)
    said = cranfield("study", "stability", folder, "-m", "concept.F", *options, *files)
    assert said.exit_code == 0, said.output
    assert "annotators left out: 34 % 1" in said.stdout
    assert cranfield("study", "stability", folder, *options).exit_code == 2


def test_stability_is_drawn_and_written_as_csv(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    out, picture = tmp_path / "stability.csv", tmp_path / "stability.svg"
    said = cranfield(
        "study", "stability", folder, *MEASURES, "--repeats", 2, "-o", out, "--picture", picture
    )
    assert said.exit_code == 0, said.output
    rows = list(csv.DictReader(out.open()))
    assert len(rows) == 2 * 3 * 4
    assert {row["count"] for row in rows} == {"64", "127", "318", "636"}
    assert "Compared with the previous ranking" in picture.read_text()


def test_random_tells_which_measures_are_gamed(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "random.svg"
    said = cranfield("study", "random", folder, *MEASURES, "--picture", picture, "--json")
    told = json.loads(said.stdout)
    assert len(told["systems"]) == 5
    assert len(told["random"]) == 11
    assert [one["measure"] for one in told["measures"]] == ["concept.AP", "example.RP", "example.F"]
    assert not any(one["gamed"] for one in told["measures"])
    assert "Systems and random runs" in picture.read_text()
    assert "best guess" in cranfield("study", "random", folder, *MEASURES).stdout


def test_density_has_a_line_for_each_run(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "density.svg"
    said = cranfield("study", "density", folder, "-m", "example.R", "--csv", "--picture", picture)
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    assert len(rows) == 5 + 11 + 1
    assert {row["kind"] for row in rows} == {"system", "random", "perfect"}
    assert "Score against label density" in picture.read_text()
    told = json.loads(cranfield("study", "density", folder, "-m", "example.R", "--json").stdout)
    assert told["densities"]["AllOnes"] == 1
    assert "ρ of systems" in cranfield("study", "density", folder).stdout


def test_thresholds_show_losses_and_places(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "thresholds.svg"
    said = cranfield("study", "thresholds", folder, "--picture", picture)
    assert said.exit_code == 0, said.output
    assert "τ as decided to best cut" in said.stdout
    assert "How much of a rank is the threshold" in picture.read_text()
    told = json.loads(cranfield("study", "thresholds", folder, "--json").stdout)
    assert len(told["runs"]) == 5
    assert all(one["loss_per_concept"] >= one["loss"] - 1e-12 for one in told["runs"])


def test_measures_of_meaning_are_among_the_usual_ones_where_an_ontology_is(
    cranfield: Cranfield, folder: Path
) -> None:
    words = ("study", "random", folder, "--csv")
    assert "\nOS," in cranfield(*words, "--ontology", "pto2009").stdout
    assert "\nOS," not in cranfield(*words).stdout


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (("correlate", "-m", "concept.generality"), 2, "no run is better"),
        (("correlate", "-m", "nonsense"), 2, "nonsense"),
        (("stability", "--levels", "half"), 2, "numbers"),
        (("stability", "--levels", "0.5,0.1"), 2, "grow"),
        (("thresholds", "--by", "concept.AP"), 2, "measure of decisions"),
        (("random", "-o", "table.doc"), 2, "extension"),
    ],
)
def test_wrong_usage_is_told(
    cranfield: Cranfield, folder: Path, words: tuple[str, ...], code: int, complaint: str
) -> None:
    said = cranfield("study", words[0], folder, *words[1:])
    assert said.exit_code == code
    assert complaint in " ".join(said.output.split())


def test_inputs_are_not_written_over(cranfield: Cranfield, folder: Path) -> None:
    said = cranfield("study", "density", folder, "-o", folder / "truth.txt")
    assert said.exit_code == 2


def test_power_is_told_in_every_form(cranfield: Cranfield, folder: Path, tmp_path: Path) -> None:
    picture, few = tmp_path / "power.svg", ("--samples", 200, "--draws", 20)
    said = cranfield("study", "power", folder, *MEASURES, *few, "--picture", picture)
    assert said.exit_code == 0, said.output
    assert "of 10 pairs of 5 runs" in said.stdout
    assert "Pairs of runs by their p-value" in picture.read_text()
    told = json.loads(cranfield("study", "power", folder, *MEASURES, *few, "--json").stdout)
    rows = csv.DictReader(
        io.StringIO(cranfield("study", "power", folder, *MEASURES, *few, "--csv").stdout)
    )
    for row, one in zip(rows, told["measures"], strict=True):
        assert row["measure"] == one["measure"]
        assert float(row["told_apart"]) == sum(p <= 0.05 for p in one["p"]) / 10
        assert [part["size"] for part in one["swaps"]] == [7, 15, 30, 60]
    out = tmp_path / "power.tex"
    assert cranfield("study", "power", folder, *MEASURES, *few, "-o", out).exit_code == 0
    assert r"concept.AP $\uparrow$" in out.read_text()


def test_collection_tells_of_reliability_difficulty_groups_and_confidences(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    names = sorted(path.stem for path in (folder / "runs").iterdir())
    groups = tmp_path / "groups.csv"
    systems = [name for name in names if not name.startswith("Random")]
    assert len(systems) < len(names)  # of which no line need tell
    groups.write_text("run,group\n" + "".join(f"{name},{name.split('_')[0]}\n" for name in systems))
    words = ("study", "collection", folder, *MEASURES, "--groups", groups)
    picture = tmp_path / "collection.svg"
    said = cranfield(*words, "--picture", picture)
    assert said.exit_code == 0, said.output
    assert "neither tested nor ranked as systems" in " ".join(said.stdout.split())
    for title in ("Reliability", "each group", "Hardest concepts", "Hardest items", "comparable"):
        assert title in said.stdout
    assert "Concepts, the easiest on top" in picture.read_text()
    told = json.loads(cranfield(*words, "--json").stdout)
    assert {row["group"] for row in told["groups"]} == {name.split("_")[0] for name in systems}
    assert set(told["comparability"]) == {"example.AP", "micro.AP"}
    for table, count in (("measures", 3), ("concepts", 53), ("items", 240), ("places", 53)):
        lines = cranfield(*words, "--table", table, "--csv").stdout
        rows = list(csv.DictReader(io.StringIO(lines)))
        assert len(rows) == len(told[table]) == count
    assert cranfield(*words, "--table", "groups", "--latex").stdout.startswith(r"\begin{tabular}")
    whole = cranfield(*words, "--table", "concepts")
    assert len(whole.stdout.splitlines()) > 53


def test_collection_refuses_groups_that_leave_runs_out_and_tables_that_are_empty(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    groups = tmp_path / "groups.csv"
    groups.write_text("run,group\nnobody,Elm\n")
    said = cranfield("study", "collection", folder, "--groups", groups)
    assert said.exit_code == 1
    assert "says no group of" in said.output
    said = cranfield("study", "collection", folder, "-m", "concept.AP", "--table", "items")
    assert said.exit_code == 1
    assert "no measure by item" in said.output


def test_progress_compares_two_cycles_in_every_form(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    runs = sorted(p for p in (folder / "runs").iterdir() if not p.stem.startswith("Random"))
    sides = [("--earlier-run", run) for run in runs[:3]] + [
        ("--later-run", run) for run in runs[2:]
    ]
    words = ("study", "progress", folder, folder, *MEASURES, "--samples", 200)
    words = (*words, *(word for pair in sides for word in pair))
    picture = tmp_path / "progress.svg"
    said = cranfield(*words, "--picture", picture)
    assert said.exit_code == 0, said.output
    assert "3 runs of small and 3 runs of small on 120 common items and 53" in said.stdout
    assert "The best of each concept by concept.AP" in picture.read_text()
    told = json.loads(cranfield(*words, "--json").stdout)
    assert told["paired"]
    assert told["kappa"] == 1
    assert [row["of"] for row in told["changes"][:4]] == ["best", "median", "mean", "best of each"]
    for table, count in (("changes", 12), ("concepts", 53)):
        lines = cranfield(*words, "--csv", "--table", table).stdout
        assert len(list(csv.DictReader(io.StringIO(lines)))) == count
    out = tmp_path / "progress.tex"
    assert cranfield(*words, "-o", out).exit_code == 0
    assert "best of each" in out.read_text()


def test_progress_tells_what_is_wrong(cranfield: Cranfield, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("item,moon,stars\na,1,0\nb,0,1\n")
    run = tmp_path / "run.csv"
    run.write_text("item,moon,stars\na,0.9,0.2\nb,0.4,0.3\n")
    said = cranfield("study", "progress", folder, other, "--later-run", run)
    assert said.exit_code == 1
    assert "no concept in common" in said.output
    said = cranfield("study", "progress", folder, folder, "-m", "OS", "--samples", 100)
    assert said.exit_code == 1
    said = cranfield("study", "progress", folder, other, "--later-run", run, "-o", run)
    assert said.exit_code == 2
    assert "would be lost" in said.output


def test_small_p_values_of_progress_are_below_something_not_zero(
    cranfield: Cranfield, folder: Path, tmp_path: Path
) -> None:
    perfect = tmp_path / "best.txt"
    perfect.write_text((folder / "truth.txt").read_text())
    asked = ("--earlier-run", next((folder / "runs").iterdir()), "--later-run", perfect)
    for form in ((), ("--latex",)):
        said = cranfield("study", "progress", folder, folder, *asked, "-m", "example.F", *form)
        assert said.exit_code == 0, said.output
        assert "0.0001" in said.stdout
        assert "0.0000" not in said.stdout.partition("Concepts")[0]


def test_progress_says_which_cycle_lacks_runs_and_how_to_give_them(
    cranfield: Cranfield, folder: Path
) -> None:
    truth = folder / "truth.txt"
    for cycles, option in (((folder, truth), "--later-run"), ((truth, folder), "--earlier-run")):
        said = cranfield("study", "progress", *cycles)
        assert said.exit_code == 1
        assert f"{truth}: there are no runs in it" in said.output
        assert option in said.output


def test_one_of_a_kind_is_not_called_many(cranfield: Cranfield, folder: Path) -> None:
    run, other, *_ = sorted((folder / "runs").iterdir())
    said = cranfield("study", "power", folder / "truth.txt", run, "--format", "text")
    assert "there is 1 run of systems, and this study needs at least 2" in said.output
    asked = ("-m", "example.F", "--samples", 100, "--draws", 10)
    said = cranfield("study", "power", folder / "truth.txt", run, other, *asked)
    assert "of 1 pair of 2 runs" in said.output


@pytest.mark.parametrize("study", [["random"], ["density"], ["stability", "--levels", "0.5"]])
def test_a_run_that_lacks_items_is_named_by_its_file(
    study: list[str], tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "truth.csv").write_text("item,cat,dog\na,1,0\nb,0,1\n")
    (tmp_path / "whole.csv").write_text("item,cat,dog\na,.9,.1\nb,.2,.8\n")
    (tmp_path / "part.csv").write_text("item,cat,dog\na,.9,.1\n")
    files = [tmp_path / name for name in ("truth.csv", "whole.csv", "part.csv")]
    said = cranfield("study", *study, *files, "-m", "example.F")
    assert said.exit_code == 1
    assert f"{tmp_path / 'part.csv'}: run 'part' lacks 1 item" in said.stderr
    assert "--missing absent" in said.stderr
