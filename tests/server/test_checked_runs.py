"""What the server checks is what `cranfield check` checks, in every format, with every kind of
threshold; and messages do not tell private items from public ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.formats import check, read_collection
from cranfield.server.jobs.scoring import check_and_score

LABELS = {"a": (1, 0), "b": (0, 1), "c": (1, 1), "d": (0, 0), "t": (1, 0)}
SPLITS = {"a": "public", "b": "public", "c": "private", "d": "private", "t": "train"}
CONFIDENCES = {"a": (0.9, 0.1), "b": (0.4, 0.6), "c": (0.8, 0.3), "d": (0.2, 0.2)}
RULES = {"missing": "error", "extra": "error", "level": None}


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    folder = tmp_path / "edition"
    folder.mkdir()
    rows = [f"{item},{sky},{sea}" for item, (sky, sea) in LABELS.items()]
    (folder / "truth.csv").write_text("\n".join(["item,Sky,Sea", *rows]) + "\n")
    splits = [f"{item},{split}" for item, split in SPLITS.items()]
    (folder / "splits.csv").write_text("\n".join(["item,split", *splits]) + "\n")
    return folder


def _run(values: dict[str, tuple[object, ...]] | None = None) -> str:
    rows = [",".join(map(str, [item, *row])) for item, row in (values or CONFIDENCES).items()]
    return "\n".join(["item,Sky,Sea", *rows]) + "\n"


def _work(edition: Path, run: Path, threshold: str = "", **rules: Any) -> dict[str, Any]:
    measures = ["concept.F", "concept.AP"]
    work = {"run": str(run), "threshold": threshold, "edition": str(edition)}
    return check_and_score(work | {"measures": measures, "rules": RULES | rules})


def _scores(outcome: dict[str, Any]) -> dict[str, float]:
    assert "errors" not in outcome, outcome
    return {row["measure"]: row["value"] for row in outcome["scores"] if row["split"] == "all"}


def _file(tmp_path: Path, text: str, name: str = "run.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["run.csv", "run.tsv", "run.txt", "run.parquet"])
def test_the_same_run_has_the_same_scores_in_every_format(
    edition: Path, tmp_path: Path, name: str
) -> None:
    run = cf.read_run(_file(tmp_path, _run(), "source.csv"))
    cf.write_run(run, tmp_path / name)
    expected = _scores(_work(edition, tmp_path / "source.csv"))
    assert _scores(_work(edition, tmp_path / name)) == expected


def test_a_trec_run_is_scored_on_judgements(tmp_path: Path) -> None:
    folder = tmp_path / "edition"
    folder.mkdir()
    (folder / "truth.qrels").write_text("1 0 x 1\n1 0 y 0\n2 0 x 0\n2 0 z 1\n")
    run = "1 Q0 y 1 0.9 t\n1 Q0 x 2 0.8 t\n2 Q0 z 1 0.7 t\n"
    outcome = _work(folder, _file(tmp_path, run, "run.trec"), missing="absent")
    assert _scores(outcome)["concept.AP"] == 0.75


def test_confidences_and_decisions_come_together(edition: Path, tmp_path: Path) -> None:
    rows = [
        " ".join(map(str, [item, *scores, *LABELS[item]])) for item, scores in CONFIDENCES.items()
    ]
    outcome = _work(edition, _file(tmp_path, "\n".join(rows) + "\n", "run.txt"))
    assert _scores(outcome)["concept.F"] == 1.0


@pytest.mark.parametrize(
    ("threshold", "perfect"),
    [
        ("0.5", False),
        ("Sky,0.5\nSea,0.3", True),
        ('"Sky",0.5\nSea,0.25\n', True),
        ("".join(f"{i},{c},{0.05 if LABELS[i][k] else 0.95}\n"
                 for i in CONFIDENCES for k, c in enumerate(("Sky", "Sea"))), True),
    ],
)  # fmt: skip
def test_thresholds_are_of_the_run_of_concepts_or_of_cells(
    edition: Path, tmp_path: Path, threshold: str, perfect: bool
) -> None:
    scores = _scores(_work(edition, _file(tmp_path, _run()), threshold))
    assert (scores["concept.F"] == 1.0) == perfect


@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        ("high", "neither a number nor"),
        ("Sky,0.5\na,Sea,0.5", "line 2"),
        ("a,Sky,0.5", "lacks 7 cells"),
        ("Sky,0.5\nSky,0.6", "twice"),
        ("z,Sky,0.5", "lacks 8 cells"),
        ("Sky,nan", "finite"),
    ],
)
def test_a_threshold_that_will_not_do_is_told(
    edition: Path, tmp_path: Path, threshold: str, message: str
) -> None:
    outcome = _work(edition, _file(tmp_path, _run()), threshold)
    assert message in str(outcome["errors"])


BROKEN = {
    "no number": lambda item: _run(CONFIDENCES | {item: ("x", 0.5)}),
    "missing": lambda item: _run({i: row for i, row in CONFIDENCES.items() if i != item}),
    "twice": lambda item: _run() + f"{item},0.5,0.5\n",
    "short": lambda item: _run(CONFIDENCES | {item: (0.5,)}),
    "infinite": lambda item: _run(CONFIDENCES | {item: ("inf", 0.5)}),
    "extra": lambda item: _run() + f"{item}x,0.5,0.5\n",
}


def _told(edition: Path, tmp_path: Path, text: str, item: str) -> str:
    """Messages without line numbers and the item's own name."""
    outcome = _work(edition, _file(tmp_path, text))
    words = " ".join(f"{error['what']} {error['mend']}" for error in outcome["errors"])
    return re.sub(rf"'{item}(x?)'", r"'ITEM\1'", re.sub(r"line \d+", "line N", words))


@pytest.mark.parametrize("fault", BROKEN)
def test_messages_do_not_tell_private_items_from_public_ones(
    edition: Path, tmp_path: Path, fault: str
) -> None:
    told = {item: _told(edition, tmp_path, BROKEN[fault](item), item) for item in "abcd"}
    assert len(set(told.values())) == 1, told
    assert not re.search("private|public|split", told["a"])


def test_a_training_item_is_left_out_and_tells_nothing(edition: Path, tmp_path: Path) -> None:
    """Its label is public."""
    expected = _scores(_work(edition, _file(tmp_path, _run())))
    assert _scores(_work(edition, _file(tmp_path, _run() + "t,0.5,0.5\n"))) == expected


def test_errors_are_those_of_cranfield_check_with_their_lines(
    edition: Path, tmp_path: Path
) -> None:
    path = _file(tmp_path, _run(CONFIDENCES | {"b": ("x", 0.5), "d": (0.2, "y")}))
    outcome = _work(edition, path)["errors"]
    test_items = read_collection(edition).select(items=list(CONFIDENCES))
    own = [(error.line, error.what) for error in check(path, against=test_items)]
    assert [(error["line"], error["what"]) for error in outcome] == own
    assert [line for line, _ in own] == [3, 5]
