"""Runs that cover more than the truth, and parts of truths, runs and collections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

import cranfield as cf
from cranfield.collections.collection import Collection
from cranfield.measures.calibration import reliability
from cranfield.statistics.thresholds import roc_table
from cranfield.studies.annotator_effect import annotator_effect
from cranfield.studies.annotators import Crew, simulated_votes
from cranfield.studies.collection_study import collection_study
from cranfield.studies.stability import stability
from cranfield.studies.threshold_effect import threshold_effect

MEASURES = ("concept.AP", "example.F", "micro.AUC")
ITEMS = [f"i{row}" for row in range(40)]
CONCEPTS = ["cat", "dog", "cow"]


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(16)


@pytest.fixture
def truth(random: np.random.Generator) -> cf.Truth:
    return cf.Truth(random.random((40, 3)) < 0.4, items=ITEMS, concepts=CONCEPTS)


@pytest.fixture
def part(truth: cf.Truth) -> cf.Truth:
    return truth.select(items=ITEMS[5:25])


@pytest.fixture
def runs(random: np.random.Generator) -> list[cf.Run]:
    """In another order than the truth."""
    mixed = [ITEMS[row] for row in random.permutation(40)]
    return [
        cf.Run(random.random((40, 3)), name=name, items=mixed, concepts=CONCEPTS) for name in "ab"
    ]


def test_extra_items_are_an_error_that_names_the_option(part: cf.Truth, runs: list[cf.Run]) -> None:
    with pytest.raises(cf.InputError, match=r"'a' has 20 items .* and 10 more; .*extra=\"drop\""):
        cf.evaluate(part, runs, MEASURES)


@pytest.mark.parametrize("form", ["dense", "sparse", "decided", "cut by concept", "cut by cell"])
def test_dropped_items_do_not_count(part: cf.Truth, random: np.random.Generator, form: str) -> None:
    scores = random.random((40, 3))
    options: dict[str, object] = {
        "dense": {"scores": scores},
        "sparse": {"scores": csr_array(scores)},
        "decided": {"scores": scores, "labels": scores > 0.6},
        "cut by concept": {"scores": scores, "threshold": [0.2, 0.5, 0.8]},
        "cut by cell": {"scores": scores, "threshold": random.random((40, 3))},
    }[form]
    own = {
        name: value[5:25] if np.shape(value) == (40, 3) else value
        for name, value in options.items()
    }
    result = cf.evaluate(
        part, cf.Run(**options, items=ITEMS, concepts=CONCEPTS), MEASURES, extra="drop"
    )
    expected = cf.evaluate(part, cf.Run(**own, items=ITEMS[5:25], concepts=CONCEPTS), MEASURES)
    for name in MEASURES:
        assert result["run", name] == expected["run", name]
        assert "without 20 items of the run that the truth lacks" in result.score("run", name).notes
        assert "extra=drop" in result.score("run", name).signature
        assert "extra=" not in expected.score("run", name).signature


def test_nothing_is_said_of_runs_that_fit(truth: cf.Truth, runs: list[cf.Run]) -> None:
    result = cf.evaluate(truth, runs, "concept.AP", extra="drop")
    assert "extra" not in result.score("a", "concept.AP").signature
    assert result.score("a", "concept.AP").notes == ()


def test_unknown_concepts_stay_an_error(part: cf.Truth, runs: list[cf.Run]) -> None:
    with pytest.raises(cf.InputError, match="1 concept that the truth does not know: 'cow'"):
        cf.evaluate(part.select(concepts=["cat", "dog"]), runs, "concept.AP", extra="drop")


def test_lacking_items_stay_an_error(truth: cf.Truth, runs: list[cf.Run]) -> None:
    with pytest.raises(cf.InputError, match="lacks 5 items of the truth"):
        cf.evaluate(
            truth.select(items=ITEMS[:10]),
            runs[0].select(items=ITEMS[5:20]),
            "concept.AP",
            extra="drop",
        )


def test_a_run_of_other_items_only_is_an_error(part: cf.Truth) -> None:
    stranger = cf.Run(np.ones((2, 3)), items=["i5.jpg", "i6.jpg"], concepts=CONCEPTS)
    with pytest.raises(cf.InputError, match="none of the items of the truth"):
        cf.evaluate(part, stranger, "concept.AP", extra="drop", missing="absent")


def test_an_open_truth_has_no_extra_items(runs: list[cf.Run]) -> None:
    pool = cf.Truth(csr_array([[1, 0, 1]]), items=["i0"], concepts=CONCEPTS, open=True)
    with pytest.raises(cf.InputError, match="truths that list all of their items"):
        cf.evaluate(pool, runs, "concept.AP", extra="drop")


def test_only_two_values_are_allowed(part: cf.Truth, runs: list[cf.Run]) -> None:
    with pytest.raises(cf.InputError, match="extra='ignore'; choose 'error' or 'drop'"):
        cf.evaluate(part, runs, "concept.AP", extra="ignore")  # type: ignore[arg-type]


STUDIES: dict[str, Callable[[cf.Truth, list[cf.Run]], object]] = {
    "curves": lambda truth, runs: list(cf.curves(truth, runs, extra="drop").rows()),
    "tune": lambda truth, runs: cf.tune(truth, runs[0], extra="drop").values.tolist(),
    "tune run": lambda truth, runs: cf.tune(
        truth, runs[0], "example.F", per="run", extra="drop"
    ).values.tolist(),
    "roc_table": lambda truth, runs: list(roc_table(truth, runs[0], extra="drop").rows()),
    "reliability": lambda truth, runs: str(reliability(truth, runs[0], extra="drop")),
    "stability": lambda truth, runs: stability(
        truth, runs, ["concept.AP"], change="items", levels=[0.2], repeats=2, extra="drop"
    ).to_dict(),
    "collection": lambda truth, runs: collection_study(truth, runs, extra="drop").to_dict(),
    "thresholds": lambda truth, runs: threshold_effect(truth, runs, extra="drop").to_dict(),
    "bounds": lambda truth, runs: (
        cf.bounds(truth, runs, "example.F", extra="drop").frame.drop("notes").rows()
    ),
    "slices": lambda truth, runs: (
        cf.slices(
            cf.evaluate(truth, runs, "concept.AP", extra="drop"),
            {"half": np.arange(truth.shape[0]) % 2},
            samples=100,
        )
        .frame.drop("signature", "notes")
        .rows()
    ),
}


@pytest.mark.parametrize("study", STUDIES)
def test_studies_drop_extra_items_too(part: cf.Truth, runs: list[cf.Run], study: str) -> None:
    own = [run.select(items=part.items) for run in runs]
    assert str(STUDIES[study](part, runs)) == str(STUDIES[study](part, own))


def test_annotators_who_saw_a_few_items_rank_whole_runs(
    truth: cf.Truth, runs: list[cf.Run]
) -> None:
    """As Nowak 2011 (chapter 6) scores 74 runs on 99 photos."""
    votes = simulated_votes(truth.select(items=ITEMS[:12]), [Crew("ann", 3)])
    found = annotator_effect(votes, runs, ["concept.AP"], draws=1, extra="drop")
    own = [run.select(items=ITEMS[:12]) for run in runs]
    assert (
        found.merits.tolist()
        == annotator_effect(votes, own, ["concept.AP"], draws=1).merits.tolist()
    )
    with pytest.raises(cf.InputError, match="28 items that the truth does not know"):
        annotator_effect(votes, runs, ["concept.AP"], draws=1)


# -- Parts -------------------------------------------------------------------------------------


def test_a_part_keeps_the_order_of_the_whole(truth: cf.Truth, runs: list[cf.Run]) -> None:
    chosen = {"i30", "i3", "i12"}
    assert truth.select(items=chosen).items == ("i3", "i12", "i30")
    assert runs[0].select(items=chosen, concepts=["cow", "cat"]).concepts == ("cat", "cow")
    assert set(runs[0].select(items=chosen).items) == chosen


def test_a_part_holds_everything_known_of_its_cells(random: np.random.Generator) -> None:
    grades = random.integers(0, 4, (6, 3))
    judged = (random.random((6, 3)) < 0.7) | (grades > 0)
    truth = cf.Truth(grades=grades, judged=judged, items="abcdef", concepts=CONCEPTS)
    part = truth.select(items=["b", "e"], concepts=["dog", "cow"])
    assert part.grades.tolist() == grades[np.ix_([1, 4], [1, 2])].tolist()
    assert cf.Truth(
        grades=grades[np.ix_([1, 4], [1, 2])],
        judged=judged[np.ix_([1, 4], [1, 2])],
        items="be",
        concepts=["dog", "cow"],
    ).digest == part.digest  # fmt: skip


@pytest.mark.parametrize("ids", [["i1", "i99"], "i1", ["i1", "i1"]])
def test_a_part_of_what_is_not_there_is_an_error(
    truth: cf.Truth, runs: list[cf.Run], ids: object
) -> None:
    for whole in (truth, runs[0]):
        with pytest.raises(cf.InputError, match=r"i99|is one text|duplicate"):
            whole.select(items=ids)  # type: ignore[arg-type]


def test_a_part_without_ids_is_called_by_numbers(random: np.random.Generator) -> None:
    labels, scores = random.random((2, 6, 2))
    truth, run = cf.Truth(labels < 0.5), cf.Run(scores)
    part, own = truth.select(items=[4, 1]), run.select(items=[1, 4])
    assert part.items == own.items == ("1", "4")
    assert cf.evaluate(part, own, "micro.AUC")["run", "micro.AUC"] == cf.score(
        labels[[1, 4]] < 0.5, scores[[1, 4]], "micro.AUC"
    )


def test_the_threshold_is_not_guessed_from_a_part(runs: list[cf.Run]) -> None:
    """Logits of which some happen to lie in [0, 1] are no probabilities."""
    logits = cf.Run([[0.2], [0.9], [-3.0]], items="abc", name="logits")
    with pytest.raises(cf.InputError, match=r"scores from -3 to 0\.9"):
        logits.select(items=["a", "b"]).cut  # noqa: B018


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "truth.csv").write_text("item,cat,dog\na,1,0\nb,0,1\nc,1,1\nd,0,1\n")
    (tmp_path / "splits.csv").write_text("item,split\na,train\nb,test\nc,test\nd,train\n")
    (tmp_path / "run.csv").write_text("item,cat,dog\nd,0.4,0.2\na,.9,.1\nb,.2,.8\nc,.6,.5\n")
    return tmp_path


def test_runs_of_a_collection_are_scored_on_its_parts(folder: Path) -> None:
    whole = cf.read_collection(folder)
    test = whole.select(split="test")
    run = cf.read_run(folder / "run.csv", whole)
    assert cf.read_run(folder / "run.csv", test).items == ("b", "c")
    result = cf.evaluate(test, run, "example.AP")
    assert result.score("run", "example.AP").units == 2
    assert result.score("run", "example.AP").notes == ()
    alone = cf.evaluate(test.truth, run.select(items=["b", "c"]), "example.AP")
    assert result.score("run", "example.AP").signature == alone.score("run", "example.AP").signature


def test_items_outside_the_whole_collection_stay_an_error(folder: Path) -> None:
    test = cf.read_collection(folder).select(split="test")
    with (folder / "run.csv").open("a") as file:
        file.write("e,.1,.1\n")
    with pytest.raises(cf.FileError, match=r"run\.csv:6: 1 item not in the truth: 'e'; .*extra="):
        cf.read_run(folder / "run.csv", test)
    assert cf.read_run(folder / "run.csv", test, extra="drop").left_out == 1


def test_a_part_of_a_collection_keeps_what_belongs_to_its_items(folder: Path) -> None:
    part = cf.read_collection(folder).select(items=["d", "b"], concepts=["dog"])
    assert (part.items, part.concepts) == (("b", "d"), ("dog",))
    assert part.splits == {"b": "test", "d": "train"}
    assert part.select(split="train").items == ("d",)


def test_a_collection_without_splits_says_how_to_make_some(truth: cf.Truth) -> None:
    with pytest.raises(cf.InputError, match=r"has no splits; write splits\.csv"):
        Collection(truth).select(split="test")


def test_frames_that_only_count_their_rows_drop_items_too() -> None:
    pandas = pytest.importorskip("pandas")
    run = cf.Run(pandas.DataFrame({"cat": [0.9, 0.1, 0.8, 0.2]}))
    truth = cf.Truth(pandas.DataFrame({"cat": [1, 0]}, index=[2, 3]))
    assert cf.evaluate(truth, run, "micro.AUC", extra="drop")["run", "micro.AUC"] == 1.0
    with pytest.raises(cf.InputError, match='extra="drop"'):
        cf.evaluate(truth, run, "micro.AUC")
