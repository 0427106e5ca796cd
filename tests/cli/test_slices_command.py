"""`cranfield evaluate --slices`: scores of parts of a collection, from the command line."""

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


@pytest.fixture
def meta(folder: Path, tmp_path: Path) -> Path:
    """Items of the collection by site, and by length, which one of them lacks."""
    items = cf.read_collection(folder).items
    lines = [f"{item},{'Oslo' if n % 3 else 'Rome'},{n or ''}" for n, item in enumerate(items)]
    path = tmp_path / "meta.csv"
    path.write_text("\n".join(["item,site,length", *lines]) + "\n")
    return path


@pytest.fixture
def run(folder: Path) -> Path:
    return cf.read_collection(folder).runs[0]


def test_json_is_what_the_library_says(
    folder: Path, run: Path, meta: Path, cranfield: Cranfield
) -> None:
    done = cranfield("slices", folder, run, *ASKED, "--by", meta, "--json")
    assert done.exit_code == 0, done.output
    collection = cf.read_collection(folder)
    result = cf.evaluate(
        collection, cf.read_run(run, collection, name=run.stem), ["concept.AP", "example.F"]
    )
    wanted = cf.slices(result, cf.formats.read_attributes(meta, collection.items))
    assert json.loads(done.stdout)["slices"] == wanted.rows()
    assert [one.slice for one in wanted.of(run.stem, "example.F", "length")][-1] == "(missing)"


@pytest.mark.parametrize("beside", ["other.csv", "frequency"])
def test_an_attribute_that_is_there_twice_names_the_file(
    folder: Path, run: Path, tmp_path: Path, cranfield: Cranfield, beside: str
) -> None:
    item = cf.read_collection(folder).items[0]
    for name in ("one.csv", "other.csv"):
        (tmp_path / name).write_text(f"item,frequency\n{item},often\n")
    other = tmp_path / beside if beside == "other.csv" else beside
    words = ("--by", other, "--by", tmp_path / "one.csv")
    done = cranfield("slices", folder, run, *ASKED, *words)
    assert done.exit_code == 1
    assert "one.csv: attribute 'frequency' was given twice" in done.output


def test_tables_mark_the_worst_and_say_what_was_done(
    folder: Path, run: Path, meta: Path, cranfield: Cranfield
) -> None:
    words = ("--by", meta, "--by", "frequency", "--by", "branches")
    done = cranfield("slices", folder, run, *words, "--ontology", "pto2009", "--confidence", "0.9")
    assert done.exit_code == 0, done.output
    for told in ("▾", "LandscapeElements", "90 % confidence intervals", "1000 resamples", "max-T"):
        assert told in done.stdout
    assert "concept.AP_at_prevalence is comparable across slices" in done.stdout


@pytest.mark.parametrize("ending", ["csv", "tex", "svg", "txt"])
def test_files_are_written_as_their_ending_says(
    folder: Path, run: Path, meta: Path, tmp_path: Path, cranfield: Cranfield, ending: str
) -> None:
    if ending == "svg":
        pytest.importorskip("vl_convert")
    out = tmp_path / f"out.{ending}"
    done = cranfield("slices", folder, run, "-m", "example.F", "--by", meta, "-o", out)
    assert done.exit_code == 0, done.output
    text = out.read_text(encoding="utf-8")
    assert "Oslo" in text
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert sum(row["worst"] == "True" for row in rows) == 2
    if ending == "tex":
        assert r"\textbf" in text


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--bins", "1"), "--bins"),
        (("--confidence", "2"), "between 0 and 1"),
        (("--style", "trec"), "No such option: --style"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    folder: Path, meta: Path, cranfield: Cranfield, words: tuple[str, ...], what: str
) -> None:
    done = cranfield("slices", folder, "--by", meta, *words)
    assert done.exit_code == 2
    assert what in done.output


def test_bad_files_and_absent_ones_are_named(
    folder: Path, meta: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    meta.write_text("item,site\nnobody,Oslo\n")
    done = cranfield("slices", folder, "--by", meta)
    assert (done.exit_code, "meta.csv:2: item 'nobody'" in done.output) == (1, True)
    done = cranfield("slices", folder, "--by", tmp_path / "no.csv")
    assert (done.exit_code, "no.csv" in done.output) == (1, True)
    done = cranfield("slices", folder, "--by", "branches")
    assert (done.exit_code, "give --ontology, for example pto2009" in done.output) == (1, True)
    assert cranfield("slices", folder, "--by", meta, "-o", meta, "--csv").exit_code == 2


def test_tables_fit_80_columns(folder: Path, run: Path, meta: Path, cranfield: Cranfield) -> None:
    done = cranfield("slices", folder, run, *ASKED, "--by", meta, "--by", "frequency", columns=80)
    lines = done.stdout.splitlines()
    headings = [line.split() for line in lines if line.strip().startswith("attribute")]
    assert headings == [["attribute", "slice", "size", "score", "−", "rest", "p"]] * 2
