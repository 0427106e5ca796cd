"""The noun: what goes in, what can be asked, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import cranfield as cf

PEOPLE = cf.Confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"])
MATCHED = ("accuracy", "kappa", "TPR", "FPR", "PPV", "NPV", "rand", "F", "loss", "xi")
INFORMATION = ("H_T", "H_S", "H_S_given_T", "H_T_given_S", "I", "S_I", "S_I_norm")


# ── scores ────────────────────────────────────────────────────────────────────────────────────


def test_scores_are_looked_up_in_any_spelling() -> None:
    scores = PEOPLE.scores(["kappa", "loss(kind=quadratic)"])
    for spelling in ("kappa", "confusion.kappa", " KAPPA ", cf.measure("confusion.kappa")):
        assert scores[spelling] == PEOPLE[spelling] == PEOPLE["kappa"]
    assert list(scores) == ["confusion.kappa", "confusion.loss(kind=quadratic)"]
    assert scores.frame.columns == ["measure", "score"]


def test_all_measures_are_scored_if_none_is_named() -> None:
    known = [one.name for one in cf.measures() if one.name.startswith("confusion.")]
    assert list(PEOPLE.scores()) == known


def test_scores_say_what_they_hold_as_any_mapping_does() -> None:
    scores = PEOPLE.scores(["xi"])
    assert "xi" in scores
    assert "kappa" not in scores
    assert "no measure" not in scores
    assert scores.get("confusion.xi") == PEOPLE["xi"]
    assert scores.get("kappa") is None


def test_a_score_that_was_not_asked_for_is_an_error_that_lists_the_others() -> None:
    with pytest.raises(cf.InputError, match=r"confusion\.xi; measures: confusion\.kappa"):
        PEOPLE.scores("kappa")["xi"]


@pytest.mark.parametrize("spelling", ["concept.AP", "kapa", "loss(kind=cubic)", "xi(alpha=-1)"])
def test_what_is_no_measure_of_a_matrix_is_refused(spelling: str) -> None:
    with pytest.raises(cf.MeasureError):
        PEOPLE[spelling]


def test_logarithms_are_natural_unless_a_base_is_given() -> None:
    for name in (*INFORMATION[:-1], "xi"):
        power = -1 if name == "xi" else 1
        assert PEOPLE[f"{name}(base=2)"] == pytest.approx(PEOPLE[name] / math.log(2) ** power)
    kind = "loss(kind=informational"
    assert PEOPLE[f"{kind},base=10)"] == pytest.approx(PEOPLE[f"{kind})"] / math.log(10))


def test_miller_and_madow_add_half_of_the_seen_cells_less_one() -> None:
    n = 100
    corrected = "(bias=miller_madow)"
    assert PEOPLE["H_T" + corrected] == pytest.approx(PEOPLE["H_T"] + 2 / (2 * n))
    joint = PEOPLE["H_T"] + PEOPLE["H_S_given_T"] + (9 - 1) / (2 * n)
    assert PEOPLE["H_T" + corrected] + PEOPLE["H_S_given_T" + corrected] == pytest.approx(joint)
    with pytest.raises(cf.InputError, match="needs counts of items"):
        PEOPLE.normalised()["I" + corrected]


# ── rounding ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("counts", [np.ones(6), np.arange(1, 8) / 28, np.full(10, 0.1)])
def test_a_perfect_system_scores_one_and_not_nearly_one(counts: Any) -> None:
    perfect = cf.Confusion(np.diag(counts))
    for name in ("accuracy", "kappa", "TPR", "PPV", "NPV", "rand", "F", "completeness"):
        assert perfect[name] == 1, name
    assert perfect["FPR"] == perfect["xi"] == perfect["S_I_norm"] == 0


@pytest.mark.parametrize("whole", [True, False])
def test_the_order_of_classes_does_not_change_even_the_last_digit(whole: bool) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 30, (7, 7)) if whole else rng.random((7, 7))
    names, order = [f"c{place}" for place in range(7)], rng.permutation(7)
    system = cf.Confusion(counts, names)
    turned = system.in_order([names[place] for place in order])
    fortran = cf.Confusion(np.asfortranarray(counts), names)
    wanted = [*MATCHED, *INFORMATION, "loss(kind=quadratic)"]
    assert dict(system.scores(wanted)) == dict(turned.scores(wanted))
    assert dict(system.scores(wanted)) == dict(fortran.scores(wanted))


def test_completeness_never_exceeds_one() -> None:
    for rare in (1, 2, 3, 5):
        assert cf.Confusion([[10**9, 0], [0, rare]])["completeness"] <= 1


def test_a_class_that_is_always_said_leaves_no_rejections_of_probabilities_either() -> None:
    for seed in range(50):
        shares = np.random.default_rng(seed).random(3)
        always = cf.Confusion(np.column_stack([shares, np.zeros((3, 2))]))
        assert always.by_class()["TN"][0] == always.one_vs_rest("0").counts[1, 1] == 0


# ── singular points ───────────────────────────────────────────────────────────────────────────


def test_without_information_xi_is_infinite() -> None:
    guess = cf.Confusion(np.outer([0.3, 0.7], [0.6, 0.4]))
    assert guess["xi"] == math.inf
    assert guess["I"] == 0


def test_one_true_class_is_complete_if_the_system_is_right() -> None:
    perfect = cf.Confusion([[7, 0], [0, 0]])
    assert (perfect["completeness"], perfect["false_ratio"], perfect["S_I_norm"]) == (1, 0, 0)
    torn = cf.Confusion([[4, 3], [0, 0]])
    wrong = cf.Confusion([[0, 5], [0, 0]])
    unnamed = cf.Confusion([[5, 0, 0], [0, 0, 0]])
    for name in ("completeness", "false_ratio", "S_I_norm"):
        assert math.isnan(torn[name])
        assert math.isnan(wrong[name])
        assert math.isnan(unnamed[name])
        assert torn[f"{name}(undefined=0)"] == 0
        with pytest.raises(cf.InputError, match="undefined"):
            torn[f"{name}(undefined=raise)"]


def test_one_true_class_leaves_chance_and_negatives_undefined() -> None:
    perfect = cf.Confusion([[7, 0], [0, 0]])
    assert math.isnan(perfect["kappa"])
    assert math.isnan(perfect["FPR"])
    assert math.isnan(perfect["NPV"])
    assert perfect["PPV"] == perfect["F"] == perfect["rand"] == 1


def test_a_class_that_is_never_right_has_infinite_informational_loss() -> None:
    assert cf.Confusion([[0, 3], [1, 2]])["loss(kind=informational)"] == math.inf
    never_true = cf.Confusion([[3, 0], [0, 0]])
    assert never_true["loss(kind=informational)"] == 0


def test_a_class_never_said_has_no_precision_and_one_always_said_no_rejections() -> None:
    system = cf.Confusion([[6, 0], [4, 0]])
    assert system["PPV"] == pytest.approx(0.6 * 0.6)
    assert system["NPV"] == pytest.approx(0.4 * 0.6)


def test_an_empty_matrix_has_no_score() -> None:
    nothing = cf.Confusion(np.zeros((3, 3)))
    assert all(math.isnan(value) for value in nothing.scores().values())
    assert nothing.scores().frame["score"].is_null().all()
    assert nothing.by_class()["TPR"].is_null().all()


# ── what goes in ──────────────────────────────────────────────────────────────────────────────


def test_labels_are_counted_whatever_they_are() -> None:
    true, said = ["a", "b", "b", "c"], ["a", "c", "b", "c"]
    expected = [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    forms = (list, np.array, polars.Series, pandas.Series, lambda x: np.array(x, dtype=object))
    for form in forms:
        system = cf.Confusion.from_labels(form(true), form(said))
        assert system.classes == ("a", "b", "c")
        assert system.counts.tolist() == expected


def test_numbers_are_sorted_as_numbers() -> None:
    system = cf.Confusion.from_labels([10, 9, 2], np.array([10.0, 2.0, 2.0]))
    assert system.classes == ("2", "9", "10")


def test_classes_may_be_given_in_the_order_wished() -> None:
    system = cf.Confusion.from_labels(["a", "b"], ["b", "b"], classes=["c", "b", "a"])
    assert system.counts.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_frames_bring_their_classes() -> None:
    for frame in (
        polars.DataFrame({"true": ["x", "y"], "x": [3, 1], "y": [0, 2]}),
        pandas.DataFrame({"x": [3, 1], "y": [0, 2]}, index=["x", "y"]),
    ):
        system = cf.Confusion(frame)
        assert system.classes == ("x", "y")
        assert system.counts.tolist() == [[3, 0], [1, 2]]


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[1, -2], [0, 1]], {}, "true class '0', said '1': -2"),
        ([[1, math.nan], [0, 1]], {}, "row 1, column 2 holds nan"),
        ([[1, 2], [3]], {}, "cannot be read"),
        ([1, 2], {}, "shape"),
        ([["a", "b"]], {}, "must hold numbers"),
        (np.zeros((0, 0)), {}, "is empty"),
        (np.full((2, 2), 1e308), {}, "add up to inf"),
        ([[1e300, 1], [2, 3]], {}, r"add up to 1e\+300; give counts of at most 2⁵³"),
        ([[1e-300, 0], [0, 0]], {}, "add up to 1e-300"),
        ([[1, 2], [3, 4]], {"classes": ["a"]}, "1 true class name for 2 rows"),
        ([[1, 2], [3, 4]], {"classes": ["a", "a"]}, "more than once"),
        ([[1, 2, 0], [3, 4, 0]], {"classes": ["a", "b"]}, "name them with said="),
        ([[1, 2], [3, 4]], {"costs": [[1, 2]]}, "costs has shape"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(
    matrix: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.Confusion(matrix, **options)


@pytest.mark.parametrize(
    ("true", "said", "message"),
    [
        (["a"], ["a", "b"], "said labels: 2 values for 1 item of true labels"),
        (["a", None], ["a", "b"], "None is no label"),
        ([0.5, 1], [0, 1], "0.5 is no label"),
        ([["a"]], [["a"]], "one label for each item"),
    ],
)
def test_what_are_no_labels_is_refused(true: Any, said: Any, message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.Confusion.from_labels(true, said)


def test_ids_taken_for_labels_are_refused_before_memory_runs_out() -> None:
    with pytest.raises(cf.InputError, match="instead of labels"):
        cf.Confusion.from_labels(np.arange(20_000), np.arange(20_000))


# ── matrices that are not square ──────────────────────────────────────────────────────────────


def test_a_matrix_with_a_class_of_doubt_is_matched_by_name() -> None:
    system = cf.Confusion([[3, 1, 2], [0, 4, 0]], ["x", "y"], said=["unsure", "x", "y"])
    assert system.classes == ("x", "y", "unsure")
    assert system["accuracy"] == pytest.approx(1 / 10)
    assert system.notes == ("classes matched by id; never true: unsure",)
    square = cf.Confusion([[1, 2, 3], [4, 0, 0], [0, 0, 0]], ["x", "y", "unsure"])
    for name in (*MATCHED, *INFORMATION):
        assert system[name] == pytest.approx(square[name]), name


def test_without_names_only_information_can_be_had() -> None:
    clusters = cf.Confusion([[5, 0, 3], [0, 6, 1]])
    assert clusters["I"] > 0
    with pytest.raises(cf.InputError, match="2 rows and 3 columns without names"):
        clusters["kappa"]
    with pytest.raises(cf.InputError, match="no class is both true and said"):
        cf.Confusion([[1, 2], [3, 4]], ["a", "b"], said=["c", "d"])["kappa"]


def test_class_by_class_a_matrix_without_matches_has_entropies_alone() -> None:
    clusters = cf.Confusion([[5, 0, 3], [0, 6, 1]])
    frame = clusters.by_class()
    assert frame["class"].to_list() == ["true 0", "true 1", "said 0", "said 1", "said 2"]
    assert frame["H_S_given_t"].to_list()[:2] == clusters.entropies("true").tolist()
    assert frame["H_T_given_s"].to_list()[2:] == clusters.entropies("said").tolist()
    assert frame["TPR"].is_null().all()
    assert clusters.classes == ("0", "1", "2")
    apart = cf.Confusion([[1, 2], [3, 4]], ["a", "b"], said=["c", "d"])
    assert apart.by_class()["class"].to_list() == ["a", "b", "c", "d"]


def test_a_matrix_that_cannot_be_scored_is_named() -> None:
    with pytest.raises(cf.InputError, match="mine: the matrix has 2 rows"):
        cf.Confusion([[5, 0, 3], [0, 6, 1]], name="mine")["kappa"]


# ── other matrices ────────────────────────────────────────────────────────────────────────────


def test_sums_align_classes_by_id() -> None:
    one = cf.Confusion([[1, 2], [3, 4]], ["a", "b"])
    other = cf.Confusion([[10, 20], [30, 40]], ["b", "a"])
    assert (one + other).counts.tolist() == [[41, 32], [23, 14]]
    more = one + cf.Confusion([[5]], ["c"], name="fold 2")
    assert more.classes == ("a", "b", "c")
    assert more.counts.tolist() == [[1, 2, 0], [3, 4, 0], [0, 0, 5]]
    assert cf.Confusion.sum([one, other, more]).total == one.total + other.total + more.total


def test_a_sum_needs_something_to_add_and_names_to_align() -> None:
    with pytest.raises(cf.InputError, match="at least one"):
        cf.Confusion.sum([])
    with pytest.raises(cf.InputError, match="cannot be added"):
        cf.Confusion([[1, 2, 3]]) + cf.Confusion([[1, 2]])
    plain, named = cf.Confusion([[5, 1], [2, 7]]), cf.Confusion([[5, 1], [2, 7]], ["a", "b"])
    for parts in ([plain, named], [named, plain]):
        with pytest.raises(cf.InputError, match="classes a, b and one without names"):
            cf.Confusion.sum(parts)
    with pytest.raises(cf.InputError, match="2 by 2 and 3 by 3 classes without names"):
        plain + cf.Confusion(np.eye(3))
    assert (plain + plain).counts.tolist() == [[10, 2], [4, 14]]
    assert sum([plain, plain]).counts.tolist() == [[10, 2], [4, 14]]
    with pytest.raises(cf.InputError, match="1 is no confusion matrix"):
        cf.Confusion.sum([1, 2])  # type: ignore[list-item]


def test_folds_summed_are_the_matrix_of_all_items() -> None:
    rng = np.random.default_rng(0)
    true, said = rng.integers(0, 4, 60), rng.integers(0, 5, 60)
    folds = [cf.Confusion.from_labels(true[i::3], said[i::3]) for i in range(3)]
    assert cf.Confusion.sum(folds)["kappa"] == pytest.approx(
        cf.Confusion.from_labels(true, said)["kappa"]
    )


def test_shares_of_each_true_class_make_classes_equally_frequent() -> None:
    shares = PEOPLE.normalised("true")
    assert shares.counts.sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert shares["H_T"] == pytest.approx(math.log(3))
    assert PEOPLE.normalised("said").counts.sum(axis=0).tolist() == pytest.approx([1, 1, 1])
    assert PEOPLE.normalised()["kappa"] == pytest.approx(PEOPLE["kappa"])
    with pytest.raises(cf.InputError, match="choose 'all', 'true' or 'said'"):
        PEOPLE.normalised("rows")  # type: ignore[arg-type]


def test_classes_in_another_order_are_another_view_of_the_same() -> None:
    turned = PEOPLE.in_order(["child", "woman", "man"])
    assert turned.counts.tolist() == [[57, 2, 1], [5, 13, 2], [1, 4, 15]]
    assert turned.digest == PEOPLE.digest
    with pytest.raises(cf.InputError, match="name each of them once"):
        PEOPLE.in_order(["child", "woman"])


def test_a_class_that_is_not_there_has_no_rest() -> None:
    with pytest.raises(cf.InputError, match=r"no class 'dog'; classes: 'woman', 'man', 'child'"):
        PEOPLE.one_vs_rest("dog")


def test_entropies_of_classes_add_up_to_those_of_the_whole() -> None:
    given_true = PEOPLE.entropies("true") @ PEOPLE.counts.sum(axis=1) / 100
    given_said = PEOPLE.entropies("said") @ PEOPLE.counts.sum(axis=0) / 100
    assert given_true == pytest.approx(PEOPLE["H_S_given_T"])
    assert given_said == pytest.approx(PEOPLE["H_T_given_S"])
    frame = PEOPLE.by_class(base=2)
    assert frame["H_S_given_t"].to_list() == pytest.approx(
        (PEOPLE.entropies("true") / math.log(2)).tolist()
    )


def test_entropies_are_given_a_side_and_a_base_of_logarithms() -> None:
    with pytest.raises(cf.InputError, match="choose 'true' or 'said'"):
        PEOPLE.entropies("foo")  # type: ignore[arg-type]
    for base in (0, 1, math.nan):
        with pytest.raises(cf.MeasureError, match="base="):
            PEOPLE.by_class(base=base)


# ── costs ─────────────────────────────────────────────────────────────────────────────────────


def test_costs_of_ones_own_give_the_expected_cost() -> None:
    costs = np.array([[0, 1, 2], [1, 0, 5], [2, 5, -1]])
    expected = (PEOPLE.counts * costs).sum() / 100
    assert PEOPLE.loss(costs) == pytest.approx(expected)
    assert PEOPLE.priced(costs)["loss(kind=custom)"] == pytest.approx(expected)
    turned = PEOPLE.priced(costs).in_order(["child", "woman", "man"])
    assert turned["loss(kind=custom)"] == pytest.approx(expected)


def test_a_signature_tells_costs_apart_whatever_the_order_of_classes() -> None:
    name, costs = "loss(kind=custom)", np.array([[0, 1, 2], [1, 0, 5], [2, 5, -1]])
    priced = PEOPLE.priced(costs)
    assert priced.signature(name) != PEOPLE.priced(costs + 1).signature(name)
    assert priced.signature("kappa") == PEOPLE.signature("kappa")
    turned = priced.in_order(["child", "woman", "man"])
    assert turned.signature(name) == priced.signature(name)


def test_costs_with_names_align_by_them() -> None:
    frame = polars.DataFrame(
        {
            "true": ["child", "man", "woman"],
            "man": [5, 0, 1],
            "child": [-1, 5, 2],
            "woman": [2, 1, 0],
        }
    )
    assert PEOPLE.loss(frame) == pytest.approx(PEOPLE.loss([[0, 1, 2], [1, 0, 5], [2, 5, -1]]))
    with pytest.raises(cf.InputError, match="costs lack classes: 'woman'"):
        PEOPLE.loss(frame.head(2))


def test_without_costs_a_loss_of_ones_own_says_how_to_give_them() -> None:
    with pytest.raises(cf.InputError, match="costs=matrix"):
        PEOPLE["loss(kind=custom)"]


# ── beside a truth and a run ──────────────────────────────────────────────────────────────────


def one_hot(codes: list[int], classes: int = 3) -> np.ndarray[Any, Any]:
    return np.eye(classes, dtype=bool)[codes]


NAMES = {"concepts": ["x", "y", "z"]}
TRUTH = cf.Truth(one_hot([0, 0, 1, 2, 2, 1]), **NAMES)


def test_a_run_with_one_label_for_each_item_has_a_confusion_matrix() -> None:
    said = [0, 1, 1, 2, 0, 1]
    expected = cf.Confusion.from_labels([0, 0, 1, 2, 2, 1], said)
    run = cf.Run(labels=one_hot(said), **NAMES)
    names = [f"confusion.{name}" for name in (*MATCHED, *INFORMATION)]
    result = cf.evaluate(TRUTH, run, names)
    for name in names:
        assert result["run", name] == pytest.approx(expected[name]), name
    assert np.isnan(result.units("run", "confusion.kappa")).all()


def test_confidences_say_the_class_of_the_highest() -> None:
    scores = np.array([[3, 1, 2], [1, 2, 0], [0, 9, 1], [1, 2, 5], [8, 1, 7], [-3, -1, -2]])
    result = cf.evaluate(TRUTH, cf.Run(scores, **NAMES), "confusion.accuracy")
    assert result["run", "confusion.accuracy"] == pytest.approx(4 / 6)
    assert "decisions=one-label-else-highest" in result.scores[0].signature


def test_equal_confidences_go_to_the_smallest_id_and_are_counted() -> None:
    scores = np.zeros((6, 3))
    shuffled = cf.Run(scores, concepts=["z", "x", "y"])
    for run in (cf.Run(scores, **NAMES), shuffled):
        score = cf.evaluate(TRUTH, run, "confusion.accuracy").scores[0]
        assert score.value == pytest.approx(2 / 6)
        assert "6 items with classes of equal confidence: the smallest id" in score.notes


def test_labels_decide_where_there_is_one_and_confidences_elsewhere() -> None:
    scores = np.array([[0.9, 0.8, 0.1], [0.2, 0.9, 0.1]])
    labels = np.array([[False, True, False], [True, True, False]])
    truth = cf.Truth(one_hot([1, 1]), **NAMES)
    run = cf.Run(scores, labels=labels, **NAMES)
    assert cf.evaluate(truth, run, "confusion.accuracy")["run", "confusion.accuracy"] == 1


def test_one_concept_makes_two_classes() -> None:
    y, s = [1, 0, 1, 1, 0], [0.9, 0.2, 0.3, 0.8, 0.6]
    expected = cf.Confusion.from_labels(y, [1, 0, 0, 1, 1])
    assert cf.score(y, s, "confusion.kappa") == pytest.approx(expected["kappa"])


def test_items_with_several_classes_or_none_have_no_confusion_matrix() -> None:
    truth = cf.Truth([[1, 1, 0], [0, 0, 0], [1, 0, 0]], items=["i", "j", "k"], **NAMES)
    with pytest.raises(cf.InputError, match=r"2 items have none or several, such as 'i' with 2"):
        cf.evaluate(truth, cf.Run(np.eye(3), items=["i", "j", "k"], **NAMES), "confusion.kappa")


def test_a_run_must_say_something_of_each_item() -> None:
    undecided = cf.Run(labels=np.ones((6, 3)), **NAMES)
    with pytest.raises(cf.InputError, match="not one label, and it has no confidences"):
        cf.evaluate(TRUTH, undecided, "confusion.kappa")
    scores = polars.DataFrame({"x": [1.0, None], "y": [0.5, None], "z": [0.1, None]})
    with pytest.raises(cf.InputError, match="neither a label nor a confidence for 1 item: '1'"):
        cf.evaluate(cf.Truth(one_hot([0, 1]), **NAMES), cf.Run(scores), "confusion.kappa")


def test_infinite_scores_are_null_in_json_and_noted() -> None:
    run = cf.Run(labels=one_hot([0] * 6), **NAMES)
    result = cf.evaluate(TRUTH, run, "confusion.xi")
    assert result["run", "confusion.xi"] == math.inf
    assert "Infinity" not in result.to_json()
    assert "infinite" in result.scores[0].notes
