"""`cranfield gate`: exit codes, and what build servers and pull requests are given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import Result

import cranfield as cf

Cranfield = Callable[..., Result]
ASKED = ("-m", "concept.AP", "-m", "concept.EER")


@pytest.fixture(scope="session")
def ranked(folder: Path) -> list[Path]:
    """Runs of the collection, the best by concept.AP first."""
    collection = cf.read_collection(folder)
    runs = {path: cf.read_run(path, collection, name=path.stem) for path in collection.runs}
    result = cf.evaluate(collection, runs.values(), "concept.AP")
    return sorted(runs, key=lambda path: -result[path.stem, "concept.AP"])


@pytest.mark.parametrize(
    ("new", "old", "margin", "code", "outcome"),
    [(0, -1, 0.01, 0, "pass"), (-1, 0, 0.01, 3, "fail"), (0, 1, 1e-6, None, "")],
)
def test_exit_codes_tell_the_outcome(
    folder: Path, ranked: list[Path], cranfield: Cranfield,
    new: int, old: int, margin: float, code: int | None, outcome: str,
) -> None:  # fmt: skip
    words = (folder, ranked[new], "--baseline", ranked[old], "--margin", margin)
    done = cranfield("gate", *words, *ASKED, "--json")
    told = json.loads(done.stdout)
    assert told["outcome"] == (outcome or told["outcome"])
    assert done.exit_code == {"pass": 0, "fail": 3, "undecided": 4}[told["outcome"]]
    assert code is None or done.exit_code == code
    shown = cranfield("gate", *words, *ASKED)
    assert told["meaning"].startswith(f"{told['outcome']}: ")
    assert told["meaning"] in " ".join(shown.stdout.split())
    assert shown.exit_code == done.exit_code


def test_a_saved_baseline_gives_the_same_verdict_as_its_run(
    folder: Path, ranked: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    saved = tmp_path / "baseline.json"
    assert cranfield("gate", folder, ranked[1], *ASKED, "--write-baseline", saved).exit_code == 0
    words = ("gate", folder, ranked[0], "--margin", 0.02, *ASKED, "--json", "--baseline")
    assert cranfield(*words, saved).stdout == cranfield(*words, ranked[1]).stdout


def test_scores_of_an_evaluation_are_a_baseline_where_items_have_them(
    folder: Path, ranked: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    stored, asked = tmp_path / "scores.json", ("-m", "example.AP")
    cranfield("evaluate", folder, ranked[1], *asked, "--per-unit", "-o", stored)
    words = ("gate", folder, ranked[0], "--margin", 0.02, "--json", "--baseline")
    assert cranfield(*words, stored, *asked).stdout == cranfield(*words, ranked[1], *asked).stdout
    cranfield("evaluate", folder, ranked[1], "-m", "concept.AP", "--per-unit", "-o", stored)
    done = cranfield(*words, stored, "-m", "concept.AP")
    assert done.exit_code == 1
    assert "scores.json: baseline" in done.output
    assert "it holds numbers of concepts" in done.output
    assert cranfield(*words, stored, "-m", "concept.AP", "--resample", "concepts").exit_code != 1


def test_a_baseline_of_another_truth_is_refused(
    folder: Path, ranked: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    saved = tmp_path / "baseline.json"
    cranfield("gate", folder, ranked[1], *ASKED, "--write-baseline", saved)
    truth = cf.read_collection(folder).truth
    labels = truth.labels.copy()
    labels[0, 0] ^= True
    cf.write_truth(cf.Truth(labels, items=truth.items, concepts=truth.concepts), tmp_path / "t.csv")
    words = (tmp_path / "t.csv", ranked[0], "--baseline", saved, "--margin", 0.01)
    done = cranfield("gate", *words, *ASKED, "--concepts", folder / "concepts.txt")
    assert done.exit_code == 1
    assert f"truth is {truth.digest[:8]} there and " in done.output
    assert "score the old run again on this truth" in done.output


def test_junit_is_what_build_servers_read(
    folder: Path, ranked: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    """Suites with counts that add up, and cases with a class, a name and at most one problem."""
    path = tmp_path / "gate.xml"
    margins = ("--margin", 1e-6, "--margin", "concept.EER=0.9")
    cranfield(
        "gate", folder, ranked[-1], "--baseline", ranked[0], *margins, *ASKED, "--junit", path
    )
    root = ElementTree.parse(path).getroot()
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    cases = suite.findall("testcase")
    assert [case.attrib["name"] for case in cases] == ["concept.AP", "concept.EER"]
    assert all({"classname", "name", "time"} <= case.attrib.keys() for case in cases)
    problems = {kind: len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "error")}
    assert problems == {"failure": 1, "error": 0}
    for part in (root, suite):
        assert int(part.attrib["tests"]) == len(cases)
        assert int(part.attrib["failures"]) == problems["failure"]
        assert int(part.attrib["errors"]) == problems["error"]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.attrib["type"] == "fail"
    assert "margin 1e-06" in failure.attrib["message"]


def test_markdown_is_a_table(
    folder: Path, ranked: list[Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    words = ("gate", folder, ranked[0], "--baseline", ranked[-1], "--margin", 0.01, *ASKED)
    cranfield(*words, "--markdown", tmp_path / "gate.md")
    text = (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert text.startswith("## ✅ Gate: pass\n")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {7}
    assert "concept.EER ↓" in rows[-1]
    cranfield(*words, "-o", tmp_path / "other.md")
    assert (tmp_path / "other.md").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "give --baseline a run"),
        (("--baseline", "{0}"), "give the largest loss"),
        (("--baseline", "{0}", "--margin", "much"), "'much'; give a number from 0 up"),
        (("--baseline", "{0}", "--margin", "-1"), "'-1'; give a number from 0 up"),
        (("--baseline", "{0}", "--margin", "0.1", "--level", "2"), "2 is not between 0 and 1"),
        (("--baseline", "{0}", "--margin", "concept.AP=0.1"), "no margin for example.AP"),
        (("--baseline", "{1}", "--margin", "0.1"), "give one run and one other as its baseline"),
        (("--baseline", "{0}", "--margin", "0.1", "--save", "{1}"), "would be lost"),
    ],
)
def test_wrong_usage_is_told(
    folder: Path, ranked: list[Path], cranfield: Cranfield, words: tuple[str, ...], what: str
) -> None:
    given = [word.format(*ranked) for word in words]
    done = cranfield("gate", folder, ranked[1], *given)
    assert done.exit_code == 2
    assert what in " ".join(done.output.replace("│", " ").split())


def test_topics_of_trec_files_are_compared_by_their_own_measure(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    qrels, old, new = (tmp_path / name for name in ("qrels.txt", "old.run", "new.run"))
    topics, documents = range(1, 6), range(8)
    qrels.write_text("".join(f"{t} 0 d{d} {int(d < t)}\n" for t in topics for d in documents))
    for path, sign in ((old, 1), (new, -1)):
        lines = (f"{t} Q0 d{d} 0 {sign * (d + 0.1 * t)} r\n" for t in topics for d in documents)
        path.write_text("".join(lines))
    done = cranfield("gate", qrels, new, "--baseline", old, "--margin", 0.1)
    assert (done.exit_code, "over 5 topics" in done.stdout) == (0, True)
    assert cranfield("gate", qrels, old, "--baseline", new, "--margin", 0.1).exit_code == 3


def test_the_help_names_the_exit_codes(cranfield: Cranfield) -> None:
    assert "0 pass, 3 fail, 4 undecided" in " ".join(cranfield("gate", "--help").output.split())
