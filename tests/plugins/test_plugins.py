"""Measures of people's own files and packages, on the command line and by entry points."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures import registry

FILE = '''
from cranfield.kernels import Statistic
from cranfield.measures.declare import counted, measured, ratio


@measured("concept.wait", source="an idea", prediction="confidences", better="lower")
def wait(comparison):
    """1 − RR."""
    return 1.0 - comparison.ranking("concept", Statistic("RR", "expected"))


@counted("concept.tversky", "example.tversky", source="Tversky 1977")
def tversky(n, *, a: float = 0.5):
    """TP / (TP + a·FP + a·FN)."""
    return ratio(n.tp, n.tp + a * n.fp + a * n.fn)


def right(y, s):
    """The share of right cells of each item."""
    return ((s >= 0.5) == y).mean(axis=1)
'''
LABELS = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
SCORES = np.array([[0.9, 0.2], [0.3, 0.4], [0.6, 0.8], [0.1, 0.7]])


def cranfield(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", "from cranfield.cli import main; main()", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(FILE)
    cf.formats.write_truth(cf.Truth(LABELS), tmp_path / "truth.csv")
    cf.formats.write_run(cf.Run(SCORES, name="a"), tmp_path / "a.csv")
    cf.formats.write_run(cf.Run(1 - SCORES, name="b"), tmp_path / "b.csv")
    return tmp_path


def scores(folder: Path, *words: str) -> dict[str, float]:
    done = cranfield(folder, "evaluate", "truth.csv", "a.csv", "--json", *words)
    assert done.returncode == 0, done.stderr
    return {row["measure"]: row["score"] for row in json.loads(done.stdout)["scores"]}


def test_a_file_brings_its_measures(folder: Path) -> None:
    found = scores(folder, "--import", "own.py", "-m", "concept.wait", "-m", "example.tversky(a=1)")
    assert found["concept.wait"] == 1 - cf.score(LABELS, SCORES, "concept.RR(ties=expected)")
    assert found["example.tversky(a=1)"] == cf.score(LABELS, SCORES, "example.jaccard")


@pytest.mark.parametrize("spelling", ["own.py:right", "./own.py:right", "own:right"])
def test_a_function_of_a_file_or_module_is_a_measure(folder: Path, spelling: str) -> None:
    assert scores(folder, "-m", spelling) == {"own:right": 0.75}


def test_a_decorated_function_is_the_measure_that_it_declares(folder: Path) -> None:
    assert list(scores(folder, "-m", "own.py:wait(undefined=0)")) == ["concept.wait(undefined=0)"]
    done = cranfield(folder, "evaluate", "truth.csv", "a.csv", "-m", "own.py:tversky")
    assert "tversky is concept.tversky and example.tversky; name one of them" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "truth.csv", "a.csv", "b.csv", "-m", "own.py:right"),
        (
            "gate",
            "truth.csv",
            "a.csv",
            "--baseline",
            "b.csv",
            "-m",
            "own.py:right",
            "--margin",
            "0.9",
        ),
        ("evaluate", "truth.csv", "a.csv", "--intervals", "-m", "own.py:right"),
        ("evaluate", "truth.csv", "a.csv", "--per-unit", "-m", "own.py:right"),
        ("study", "audit", "own.py:right", "--seconds", "0", "--cells", "1", "--drawn", "0"),
        ("study", "audit", "concept.wait", "--import", "own.py", "--seconds", "0", "--cells", "1"),
        ("measures", "concept.wait", "--import", "own.py"),
        ("measures", "own.py:right"),
    ],
)
def test_every_command_that_takes_measures_takes_ones_own(
    folder: Path, words: tuple[str, ...]
) -> None:
    done = cranfield(folder, *words)
    assert done.returncode in (0, 4), done.stderr  # 4: a gate that is undecided
    assert "wait" in done.stdout or "right" in done.stdout


@pytest.mark.parametrize(
    ("content", "measure", "message"),
    [
        ("import no_such_library\n", "concept.x", "own.py:1: cannot be imported (ModuleNotFound"),
        ("x = (\n", "concept.x", "own.py:1: cannot be imported (SyntaxError"),
        ("\n1 / 0\n", "concept.x", "own.py:2: cannot be imported (ZeroDivisionError"),
        ("import sys\nsys.exit('no')\n", "concept.x", "own.py:2: cannot be imported (SystemExit"),
        ("def f(y, s):\n    return s[99]\n", "own.py:f", "own.py:2: f failed: IndexError"),
        ("def f(y, s):\n    return float('nan')\n", "own.py:f", "own.py:1: f returned NaN"),
        ("def f(y, s):\n    return y\n", "own.py:f", "own.py:1: f returned an array of shape"),
        ("f = 1\n", "own.py:f", "own.py:f is a int, no function"),
        ("", "own.py:f", "own.py has no function 'f'"),
    ],
)
def test_what_is_wrong_with_a_plugin_is_said_with_its_file_and_line(
    folder: Path, content: str, measure: str, message: str
) -> None:
    (folder / "own.py").write_text(content)
    words = ("evaluate", "truth.csv", "a.csv", "--import", "own.py", "-m", measure)
    done = cranfield(folder, *words)
    assert done.returncode in (1, 2)
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


DECLARED = '''
from cranfield.measures.declare import counted, measured, ratio

@measured({name!r}, source="me", prediction="decisions")
def mine(comparison):
    """Something."""
    return {value}
'''


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("concept.F", "own.py:4: concept.F is the name of a measure of cranfield"),
        ("CONCEPT.f", "begins with none of concept., example., micro., confusion."),
        ("macro.mine", "own.py:4: 'macro.mine' begins with none of"),
        ("map", "own.py:4: map is a name of another tool"),
        ("concept.a b", "own.py:4: 'concept.a b' cannot be read as the name of a measure"),
    ],
)
def test_a_plugin_takes_no_name_that_means_something_else(
    folder: Path, name: str, message: str
) -> None:
    (folder / "own.py").write_text(DECLARED.format(name=name, value="1"))
    done = cranfield(folder, "measures", "--import", "own.py")
    assert done.returncode == 1
    assert message in done.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "[1.0, 2.0]",
            "own.py:4: mine returned an array of shape (2,), and a number for each of 4",
        ),
        ("comparison.nothing", "own.py:7: mine failed: AttributeError"),
        ("'much'", "own.py:4: mine returned str; return numbers"),
    ],
)
def test_a_decorated_function_that_fails_is_named_with_its_line(
    folder: Path, value: str, message: str
) -> None:
    (folder / "own.py").write_text(DECLARED.format(name="example.mine", value=value))
    words = ("--import", "own.py", "-m", "example.mine")
    done = cranfield(folder, "evaluate", "truth.csv", "a.csv", *words)
    assert done.returncode == 1
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_a_file_that_is_called_like_a_module_is_refused(folder: Path) -> None:
    (folder / "statistics.py").write_text(FILE)
    done = cranfield(folder, "measures", "--import", "statistics.py")
    assert done.returncode == 1
    assert "there is another module 'statistics'" in done.stderr.replace("\n", " ")


def test_files_beside_the_one_that_was_named_hide_no_installed_module(folder: Path) -> None:
    (folder / "polars.py").write_text("raise SystemExit('loaded')\n")
    assert scores(folder, "-m", "own.py:right") == {"own:right": 0.75}


# ── entry points ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages: one with a module and a function, one that is broken."""
    site = folder / "site"
    site.mkdir()
    (site / "good_measures.py").write_text(FILE + "\nopen('loaded', 'w').close()\n")
    (site / "bad_measures.py").write_text("import no_such_library\n")
    for package, lines in (
        ("good", "declared = good_measures\nright_cells = good_measures:right\n"),
        ("bad", "broken = bad_measures\n"),
    ):
        metadata = site / f"{package}-1.5.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5")
        (metadata / "entry_points.txt").write_text(f"[cranfield.measures]\n{lines}")
    path = [str(site), str(Path(cf.__file__).parents[1])]
    monkeypatch.setenv("PYTHONPATH", ":".join(path))
    return folder


def test_installed_packages_bring_measures_by_entry_points(installed: Path) -> None:
    assert scores(installed, "-m", "right_cells") == {"good_measures:right": 0.75}
    assert list(scores(installed, "-m", "example.tversky(a=1)")) == ["example.tversky(a=1)"]


def test_nothing_is_loaded_for_measures_that_are_there(installed: Path) -> None:
    scores(installed, "-m", "concept.AP")
    assert not (installed / "loaded").exists()


def test_a_package_that_cannot_be_loaded_is_named_and_hinders_no_other(installed: Path) -> None:
    done = cranfield(installed, "measures")
    assert done.returncode == 0
    assert "concept.wait" in done.stdout
    told = " ".join(done.stdout.split())
    assert "plug-in 'broken' of bad 1.5 cannot be loaded" in told
    done = cranfield(installed, "evaluate", "truth.csv", "a.csv", "-m", "concept.waiting")
    assert done.returncode == 2
    assert "plug-in 'broken' of bad 1.5" in done.stderr.replace("\n", " ")


# ── what strangers send ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["trap:f", "trap.py:f", "right_cells", "concept.wait"])
def test_a_name_in_a_baseline_imports_nothing(installed: Path, name: str) -> None:
    (installed / "trap.py").write_text("open('sprung', 'w').close()\nf = max\n")
    row = {"run": "b", "measure": name, "score": 1.0, "signature": "", "by_unit": {"0": 1.0}}
    (installed / "old.json").write_text(json.dumps({"scores": [row]}))
    against = ("--baseline", "old.json", "-m", "example.F", "--margin", "0.1")
    done = cranfield(installed, "gate", "truth.csv", "a.csv", *against)
    assert done.returncode == 1
    assert "old.json" in done.stderr
    assert not (installed / "sprung").exists()
    assert not (installed / "loaded").exists()


def test_a_name_in_a_saved_result_imports_nothing(folder: Path) -> None:
    words = ("evaluate", "truth.csv", "a.csv", "-m", "own.py:right", "--save", "result.json")
    assert cranfield(folder, *words).returncode == 0
    (folder / "own.py").write_text("open('sprung', 'w').close()\n")
    done = cranfield(folder, "show", "result.json")
    assert done.returncode == 0
    assert "own:right" in done.stdout
    assert not (folder / "sprung").exists()


def test_python_files_in_a_collection_are_never_looked_at(folder: Path) -> None:
    collection = folder / "collection"
    collection.mkdir()
    for name in ("own.py", "measures.py", "conftest.py", "numpy.py"):
        (collection / name).write_text("open('sprung', 'w').close()\n")
    (folder / "truth.csv").rename(collection / "truth.csv")
    done = cranfield(folder, "evaluate", "collection", "a.csv", "-m", "concept.AP")
    assert done.returncode == 0, done.stderr
    assert not (folder / "sprung").exists()


def test_a_text_in_python_imports_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(cf.MeasureError, match="is not loaded"):
        cf.measure("own.py:right")


# ── declared again ────────────────────────────────────────────────────────────────────────────


def test_a_cell_of_a_notebook_may_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_definitions", "_spellings"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    text = DECLARED.format(name="example.again", value="[{}] * 4")
    space = {"__name__": "notebook"}
    for number in (0.25, 0.75):
        exec(text.format(number), space)
        assert cf.score(LABELS, SCORES, "example.again") == number
    with pytest.raises(cf.InputError, match=r"example\.again is the name of a measure of"):
        exec(text.format(1.0), {"__name__": "another"})
