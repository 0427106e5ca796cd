"""What carries ids aligns by them, wherever there is one value for each item or concept."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.assessment.tags import filter_tags
from cranfield.statistics import tau, tau_b
from cranfield.statistics.correlation import pearson, spearman
from cranfield.statistics.rank_correlation import rank_shift, tau_ap, weighted_tau
from problems import problem

CASE = problem(items=24, concepts=5, seed=7)
ITEMS = pd.Index(CASE.items)
TRUTH = CASE.truth()
RESULT = cf.evaluate(TRUTH, CASE.run(), ["example.F", "concept.AP"])
GROUPS = pd.Series([f"g{place % 6}" for place in range(24)], index=ITEMS)
SHUFFLED = np.random.default_rng(0).permutation(24)


def refused(message: str) -> Any:
    return pytest.raises(cf.InputError, match=re.escape(message))


def forms(values: pd.Series) -> dict[str, Any]:
    """The same values, with ids in another order, or by position."""
    moved = values.iloc[np.random.default_rng(1).permutation(len(values))]
    return {
        "series": moved,
        "frame": moved.to_frame("value"),
        "polars": pl.DataFrame({"id": list(map(str, moved.index)), "value": moved.tolist()}),
        "mapping": dict(zip(moved.index, moved, strict=True)),
        "list": values.tolist(),
        "array": values.to_numpy(),
        "polars series": pl.Series(values.tolist()),
        "default index": values.reset_index(drop=True),
    }


EVERY_FORM = pytest.mark.parametrize("form", forms(GROUPS))


# ── one value for each item or concept ────────────────────────────────────────────────────────


@EVERY_FORM
def test_groups_stay_together_whatever_their_order(form: str) -> None:
    by_id = cf.folds(TRUTH, 3, groups=GROUPS.tolist())
    assert cf.folds(TRUTH, 3, groups=forms(GROUPS)[form]).by_item == by_id.by_item
    halves = cf.split(TRUTH, [0.5, 0.5], groups=forms(GROUPS)[form]).by_item
    assert all(
        len({halves[item] for item in members.index}) == 1 for _, members in GROUPS.groupby(GROUPS)
    )


@EVERY_FORM
def test_clusters_strata_plans_and_slices_follow_ids(form: str) -> None:
    values = forms(GROUPS)[form]
    listed = GROUPS.tolist()
    for option in ("clusters", "strata"):
        found = cf.intervals(RESULT, **{option: values})
        wanted = cf.intervals(RESULT, **{option: listed})
        assert [one.row() for one in found] == [one.row() for one in wanted]
    plan = cf.plan(RESULT, "example.F", margin=0.05, clusters=values)
    assert plan == cf.plan(RESULT, "example.F", margin=0.05, clusters=listed)
    found = cf.slices(RESULT, {"site": values}, samples=100)
    assert found.rows() == cf.slices(RESULT, {"site": listed}, samples=100).rows()


@EVERY_FORM
def test_weights_and_thresholds_follow_ids(form: str) -> None:
    by_item = pd.Series(np.arange(1.0, 25.0), index=ITEMS)
    found, wanted = (
        cf.evaluate(TRUTH, CASE.run(), "example.F", weights={"items": weights})["run", "example.F"]
        for weights in (forms(by_item)[form], by_item.to_numpy())
    )
    assert found == wanted
    cuts = pd.Series([0.1, 0.3, 0.5, 0.7, 0.9], index=CASE.concepts)
    run = cf.Run(CASE.scores, items=CASE.items, concepts=CASE.concepts, threshold=forms(cuts)[form])
    assert np.array_equal(run.threshold, cuts.to_numpy())


def test_true_and_said_classes_align_by_the_index_of_series() -> None:
    true = pd.Series(["a", "b", "c", "a"], index=["w", "x", "y", "z"])
    for said in (true[::-1], true[::-1].to_dict()):
        given = true.to_dict() if isinstance(said, dict) else true
        assert cf.Confusion.from_labels(given, said)["accuracy"] == 1.0
    numbered = true.reset_index(drop=True)
    assert cf.Confusion.from_labels(numbered, numbered.sort_values())["accuracy"] == 1.0
    assert cf.Confusion.from_labels(true, list("abca"))["accuracy"] == 1.0
    with refused("said labels: 1 item not in true labels: 'v'"):
        cf.Confusion.from_labels(true, true.rename({"w": "v"}))
    with refused("true labels are a mapping and said labels are not"):
        cf.Confusion.from_labels(true.to_dict(), list("abca"))


def test_columns_of_votes_align_by_their_index() -> None:
    table = pd.DataFrame(
        {"item": list("xxyy"), "annotator": list("pqpq"), "value": [1, 0, 1, 1], "concept": "Sky"}
    )
    votes = cf.Votes.from_columns(table["item"], table.annotator, table.concept, table.value[::-1])
    assert votes.answer.tolist() == [1, 0, 1, 1]
    twice = table.set_index([[0, 0, 1, 1]])
    again = cf.Votes.from_columns(twice["item"], twice.annotator, twice.concept, twice.value)
    assert again.answer.tolist() == [1, 0, 1, 1]
    with refused("duplicate item id"):
        cf.Votes.from_columns(twice["item"], twice.annotator, twice.concept, twice.value[::-1])
    with refused("the column item is a set, which has no order of its own"):
        cf.Votes.from_columns({"x", "y"}, ["p", "q"], ["Sky", "Sky"], [1, 0])
    chosen = cf.Votes.from_choices(table["item"], table.annotator, table.value[::-1])
    assert chosen.answer.tolist() == [1, 0, 1, 1]


def test_scores_of_label_lists_align_by_the_index_of_series() -> None:
    lists = pd.Series([["a"], ["a", "b"], []], index=["x", "y", "z"])
    scores = pd.Series([[0.1], [0.2, 0.3], []], index=["x", "y", "z"])
    wanted = cf.Run.from_lists(lists, scores=scores)
    assert cf.Run.from_lists(lists, scores=scores[::-1]).digest == wanted.digest


def test_features_and_classes_align_by_the_index_of_frames() -> None:
    features = pd.DataFrame({"f": [1.0, 2.0, 3.0]}, index=["x", "y", "z"])
    classes = pd.Series(["a", "b", "c"], index=["x", "y", "z"])
    assert cf.tasks.Dataset(features, classes[::-1]).classes.tolist() == ["a", "b", "c"]
    tags = cf.Truth(np.ones((24, 1)), items=CASE.items)
    seen = pd.DataFrame(CASE.scores, index=ITEMS)
    found = filter_tags(tags, seen.iloc[SHUFFLED]).score
    assert np.array_equal(found, filter_tags(tags, CASE.scores).score)


def test_rankings_that_are_series_or_mappings_align_by_their_ids() -> None:
    one = pd.Series([0.1, 0.4, 0.2, 0.9], index=list("wxyz"))
    other = pd.Series([1.0, 3.0, 2.0, 4.0], index=list("wxyz"))
    for function in (tau, tau_b, tau_ap, weighted_tau, pearson, spearman, rank_shift):
        wanted = function(one.to_numpy(), other.to_numpy())
        assert function(one, other.sort_values(ascending=False)) == wanted
        assert function(one.to_dict(), dict(reversed(other.to_dict().items()))) == wanted
    with refused("the others: 1 item not in the first numbers: 'v'"):
        tau(one, other.rename({"w": "v"}))


def test_maps_of_frames_align_by_their_index() -> None:
    costs = pd.DataFrame([[0, 0.1, 0.2], [0.1, 0, 0.3], [0.2, 0.3, 0]])
    wanted = cf.CostMap(costs.to_numpy()).values
    assert np.array_equal(cf.CostMap(costs[[2, 0, 1]]).values, wanted)
    agreement = pd.Series([0.2, 0.4, 0.6], index=[2, 0, 1])
    with refused("the agreement map: the concept ids are 0 to 2 in another order, and the truth"):
        cf.AgreementMap(agreement).over(cf.Truth(np.eye(3)).concept_axis)
    over = cf.AgreementMap(agreement).over(cf.Truth(pd.DataFrame(np.eye(3))).concept_axis)
    assert over.tolist() == [0.4, 0.6, 0.2]


def test_classes_of_a_cross_validation_align_with_the_features() -> None:
    features = pd.DataFrame({"f": np.arange(40.0), "g": np.arange(40.0) % 7}, index=range(40, 80))
    classes = pd.Series(np.where(np.arange(40) < 20, "low", "high"), index=range(40, 80))
    wanted, found = (
        cf.tasks.monte_carlo("knn", features, one, repeats=2, folds=4, seed=1).frame
        for one in (classes, classes[::-1])
    )
    assert found.equals(wanted)


def test_ids_of_a_series_name_the_rows_of_a_frame_by_its_index() -> None:
    frame = pd.DataFrame({"a": [1, 0, 1]}, index=["x", "y", "z"])
    names = pd.Series(["one", "two", "three"], index=["x", "y", "z"])
    assert cf.Truth(frame, items=names[::-1]).items == ("one", "two", "three")
    assert cf.Truth(frame.to_numpy(), items=names[::-1]).items == ("three", "two", "one")


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (GROUPS.rename({"i000": "other"}), "groups: 1 item not in the truth: 'other'"),
        (GROUPS[:-12], "groups: 12 items of the truth without a value: 'i012'"),
        (GROUPS[[*ITEMS, "i000"]], "groups: 1 duplicate item id: 'i000'"),
        (GROUPS.replace("g3", None), "groups: 4 items without a value: 'i003'"),
        (set(GROUPS), "groups is a set, which has no order of its own"),
        (GROUPS.to_dict().values(), "groups is a dict_values, which has no order of its own"),
        (pl.DataFrame({"a": [1], "b": [1], "c": [1]}), "groups: a frame of 3 columns"),
        (pd.DataFrame({"a": [1], "b": [1]}), "groups: a frame of 2 columns; pass one of them"),
        ("text", "groups: got str; give one value for each item"),
    ],
)
def test_values_that_do_not_fit_are_refused_with_ids_and_count(groups: Any, message: str) -> None:
    with refused(message):
        cf.folds(TRUTH, 3, groups=groups)


def test_more_than_ten_ids_that_differ_are_counted() -> None:
    with pytest.raises(cf.InputError, match=r"24 items not in the truth: .*'i9' and 14 more"):
        cf.folds(TRUTH, 3, groups=GROUPS.set_axis([f"i{place}" for place in range(24)]))


# ── default and permuted indices ──────────────────────────────────────────────────────────────

LABELS, SCORES = pd.DataFrame(CASE.labels), pd.DataFrame(CASE.scores)
COLUMNS = [3, 1, 4, 0, 2]


def test_frames_with_integers_align_by_their_index() -> None:
    wanted = cf.score(LABELS, SCORES, "concept.AP")
    for labels, scores in (
        (LABELS, SCORES.sort_values(0)),
        (LABELS.sample(frac=1, random_state=0), SCORES),
        (LABELS.iloc[SHUFFLED], SCORES.sort_values(1)),
        (LABELS, SCORES[COLUMNS]),
        (LABELS[COLUMNS].iloc[SHUFFLED], SCORES),
    ):
        assert cf.score(labels, scores, "concept.AP") == pytest.approx(wanted, rel=1e-12)
        decided = cf.score(LABELS, SCORES > 0.5, "example.F")
        assert cf.score(labels, scores > 0.5, "example.F") == pytest.approx(decided, rel=1e-12)
    assert cf.score(LABELS[1], SCORES[1].sort_values(), "concept.AP") == cf.score(
        LABELS[1], SCORES[1], "concept.AP"
    )


def test_a_truth_of_frames_aligns_its_parts_by_their_index() -> None:
    judged = pd.DataFrame(CASE.scores > 0.2) | LABELS.astype(bool)
    wanted = cf.Truth(LABELS, judged=judged)
    assert cf.Truth(LABELS, judged=judged.iloc[SHUFFLED]).digest == wanted.digest
    with refused("labels: the item ids are 0 to 23 in another order, and judged has no item ids"):
        cf.Truth(LABELS.iloc[SHUFFLED], judged=judged.to_numpy())


def test_intervals_and_slices_of_frames_in_another_order_are_the_same() -> None:
    site = pd.Series(GROUPS.tolist())
    one, two = (
        cf.evaluate(cf.Truth(LABELS), cf.Run(scores), ["example.F", "concept.AP"])
        for scores in (SCORES, SCORES.iloc[SHUFFLED][COLUMNS])
    )
    for values in (site, site.iloc[SHUFFLED]):
        first, second = (cf.slices(found, {"site": values}, samples=100) for found in (one, two))
        assert [s.score for s in first] == [s.score for s in second]
        assert [s.p for s in first] == [s.p for s in second]


@pytest.mark.parametrize("side", ["item", "concept"])
def test_a_permutation_beside_a_side_without_ids_is_refused(side: str) -> None:
    def moved(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.iloc[SHUFFLED] if side == "item" else frame[COLUMNS]

    last = 23 if side == "item" else 4
    with refused(
        f"run 'run': the {side} ids are 0 to {last} in another order, and the truth has no {side} "
        "ids to align by; give ids to both, or, if position is meant, number those of run 'run' "
        "from 0 (reset_index(drop=True))"
    ):
        cf.score(CASE.labels, moved(SCORES), "concept.AP")
    with refused(f"the truth: the {side} ids are 0 to {last} in another order, and run 'run' has"):
        cf.score(moved(LABELS), CASE.scores, "concept.AP")


def test_values_with_a_permuted_index_need_ids_to_align_with() -> None:
    groups = pd.Series(GROUPS.tolist()).iloc[SHUFFLED]
    with refused("groups: the item ids are 0 to 23 in another order, and the truth has no item"):
        cf.folds(CASE.labels, 3, groups=groups)
    wanted = cf.folds(LABELS, 3, groups=GROUPS.tolist()).by_item
    assert cf.folds(LABELS, 3, groups=groups).by_item == wanted
    by_position = cf.folds(cf.Truth(LABELS.iloc[SHUFFLED]), 3, groups=groups.tolist())
    assert (
        by_position.by_item == cf.folds(cf.Truth(LABELS.iloc[SHUFFLED]), 3, groups=groups).by_item
    )


def test_a_permuted_index_beside_plain_columns_is_refused() -> None:
    moved = pd.Series(["a", "b", "c"]).sort_values(ascending=False)
    order = "the item ids are 0 to 2 in another order, and"
    for true, said, message in (
        (moved, list("abc"), f"true labels: {order} said labels have no ids"),
        (np.array(list("abc")), moved, f"said labels: {order} true labels have no ids"),
    ):
        with refused(message):
            cf.Confusion.from_labels(true, said)
    assert cf.Confusion.from_labels(moved.to_numpy(), list("cba"))["accuracy"] == 1.0
    with refused(f"the first numbers: {order} the others have no ids"):
        tau(pd.Series([3.0, 2.0, 1.0], index=[2, 1, 0]), [1.0, 2.0, 3.0])
    with refused(f"scores: {order} the label lists has no item ids"):
        cf.Run.from_lists([["a"]] * 3, scores=pd.Series([[0.1], [0.2], [0.3]])[::-1])
    with refused("the classes: the item ids are 0 to 39 in another order, and the features has no"):
        cf.tasks.monte_carlo("knn", np.arange(40.0)[:, None], pd.Series(["a", "b"] * 20)[::-1])


@pytest.mark.parametrize("gap", [None, pd.NA, pd.NaT, np.datetime64("NaT"), float("nan")])
def test_every_kind_of_missing_value_is_missing(gap: Any) -> None:
    for groups in ([gap, *GROUPS.tolist()[1:]], np.array([gap, *GROUPS[1:]], dtype=object)):
        with refused("groups: 1 item without a value"):
            cf.folds(TRUTH, 3, groups=groups)
    with refused("item number 2 has no id"):
        cf.Truth([[1], [0]], items=["x", gap])
    with refused("item number 2 has an empty id"):
        cf.Votes.from_columns(["x", gap], ["p", "q"], ["Sky", "Sky"], [1, 0])
    with refused("is no label"):
        cf.Confusion.from_labels(["a", "b"], ["a", gap])
    if isinstance(gap, np.datetime64):
        with refused("groups: 24 items without a value"):
            cf.folds(TRUTH, 3, groups=np.full(24, gap))


def test_other_ids_beside_none_align_by_position() -> None:
    wanted = cf.score(CASE.labels, CASE.scores, "concept.AP")
    for index in (range(24), range(24, 48), [*range(23), 30], [f"{n:02}" for n in SHUFFLED]):
        named = LABELS.set_axis(list(index))
        assert cf.score(named, CASE.scores, "concept.AP") == wanted
        assert cf.score(named, SCORES, "concept.AP") == wanted


def test_a_default_index_beside_other_ids_is_said_to_align_by_position() -> None:
    named = cf.Run(SCORES.set_axis(range(24, 48)), name="it")
    (score,) = cf.evaluate(cf.Truth(LABELS), named, "concept.AP").scores
    (note,) = (note for note in score.notes if "aligned" in note)
    assert note.startswith("items aligned by position: one frame has the default index")
    for run in (SCORES, SCORES.iloc[SHUFFLED], CASE.scores):
        (score,) = cf.evaluate(cf.Truth(LABELS.iloc[:]), cf.Run(run), "concept.AP").scores
        assert not any("aligned" in note for note in score.notes)


def test_frames_of_different_lengths_align_by_their_index() -> None:
    part = SCORES.iloc[[7, 2, 11]]
    with refused("run 'run' lacks 21 items of the truth: '0', '1', '3'"):
        cf.score(LABELS, part, "concept.AP")
    sparse = cf.score(LABELS, part, "concept.AP", missing="absent")
    ids = list(map(str, range(24)))
    run = cf.Run(part.to_numpy(), items=[7, 2, 11], concepts=range(5))
    truth = cf.Truth(CASE.labels, items=ids, concepts=range(5))
    assert cf.evaluate(truth, run, "concept.AP", missing="absent")["run", "concept.AP"] == sparse


# ── sets ──────────────────────────────────────────────────────────────────────────────────────

NAMES = ["a", "b", "c", "d", "e"]
WITHOUT_ORDER = [
    set(NAMES),
    frozenset(NAMES),
    dict.fromkeys(NAMES),
    dict.fromkeys(NAMES).keys(),
    dict(enumerate(NAMES)).values(),
    dict.fromkeys(NAMES).items(),
]


@pytest.mark.parametrize("names", WITHOUT_ORDER, ids=lambda names: type(names).__name__)
def test_collections_without_an_order_name_nothing(names: Any) -> None:
    square = np.eye(5)
    for call in (
        lambda: cf.Truth(square, items=names),
        lambda: cf.Truth(square, concepts=names),
        lambda: cf.Run(square, items=names),
        lambda: cf.Run(square, concepts=names),
        lambda: cf.Truth.from_lists([[0], [1], [2], [3], [4]], items=names),
        lambda: cf.Truth.from_lists([[0], [1], [2], [3], [4]], concepts=names),
        lambda: cf.Confusion(square, names),
        lambda: cf.Confusion(square, NAMES, said=names),
        lambda: cf.Confusion(square, NAMES).in_order(names),
        lambda: cf.Confusion.from_labels(NAMES, NAMES, classes=names),
        lambda: cf.CostMap(1 - square, names),
        lambda: cf.AgreementMap([1, 1, 1, 1, 1], names),
        lambda: cf.Votes.from_array(np.ones((5, 1, 1)), items=names),
        lambda: cf.Votes.from_array(np.ones((1, 1, 5)), concepts=names),
        lambda: cf.Ontology(dict.fromkeys(NAMES, ()), concepts=names),
        lambda: cf.Ontology(dict.fromkeys(NAMES, ())).costs(concepts=names),
        lambda: cf.search(cf.Run(square, concepts=NAMES), "a", items=names),
        lambda: cf.curves(cf.Truth(square, concepts=NAMES), cf.Run(square), concepts=names),
    ):
        with pytest.raises(cf.InputError, match="which has no order of its own; give a list"):
            call()


def test_ids_that_are_a_set_are_the_same_error_in_every_process() -> None:
    code = (
        "import cranfield as cf\n"
        "try: cf.Truth([[1, 0]], concepts={'a', 'b'})\n"
        "except cf.InputError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.startswith("concepts= is a set, which has no order of its own; give a list,")


def test_whole_numbers_in_an_index_of_floats_are_the_ids_that_they_look_like() -> None:
    labels = [[1, 0], [0, 1], [1, 1]]
    scores = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.7]])
    floats = pd.DataFrame(labels, index=[2.0, 0.0, 1.0])
    assert cf.Truth(floats).items == ("2", "0", "1")
    with refused("the truth: the item ids are 0 to 2 in another order, and run 'run' has no item"):
        cf.score(floats, scores, "concept.AP")
    whole = pd.DataFrame(scores, index=[2, 0, 1])
    assert cf.score(floats, whole.sort_index(), "concept.AP") == cf.score(
        np.array(labels), scores, "concept.AP"
    )
    assert cf.Truth(labels, items=[0.5, 1.0, 2.0]).items == ("0.5", "1.0", "2.0")
