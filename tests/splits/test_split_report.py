"""The report of a split: its numbers by their definitions."""

from __future__ import annotations

import json
import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.sparse import coo_array

import cranfield as cf
from splits.drawn import labels

Y = np.array(
    [
        [1, 1, 0, 0],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [1, 1, 0, 1],
        [0, 0, 0, 0],
        [1, 0, 0, 0],
    ],
    dtype=bool,
)
ASSIGNMENT = np.array([0, 0, 0, 0, 1, 1])


def report(
    y: np.ndarray = Y, assignment: np.ndarray = ASSIGNMENT, shares: tuple[float, ...] = (0.5, 0.5)
) -> cf.collections.SplitReport:
    named = {str(part): share for part, share in enumerate(shares)}
    return cf.collections.SplitReport(
        cf.Truth(y, concepts=list("abcd")[: y.shape[1]]), named, assignment
    )


def test_sizes_frequencies_and_differences() -> None:
    one = report()
    assert one.requested.tolist() == [3, 3]
    assert one.items.tolist() == [4, 2]
    assert one.positives.tolist() == [[3, 3, 0, 1], [1, 0, 0, 0]]
    assert one.frequencies.tolist() == [[0.75, 0.75, 0, 0.25], [0.5, 0, 0, 0]]
    assert one.whole.tolist() == pytest.approx([4 / 6, 3 / 6, 0, 1 / 6])
    assert one.differences[0].tolist() == pytest.approx([1 / 12, 1 / 4, 0, 1 / 12])


def test_rows_tell_of_each_part() -> None:
    first, second = report().rows()
    assert first == {
        "split": "0",
        "wanted": 3.0,
        "items": 4,
        "cardinality": 7 / 4,
        "density": 7 / 16,
        "mean_difference": pytest.approx(5 / 48),
        "largest_difference": 0.25,
        "without_positive": 0,
    }
    assert second["without_positive"] == 2  # concept c has no positive anywhere


def test_measures_of_the_whole_split_by_hand() -> None:
    one = report()
    assert one.examples_distribution == 1
    assert one.parts_without == 1
    assert one.concepts_without == 2
    # Odds in the parts and in the whole: a 3, 1 | 2; b 3, 0 | 1; c 0, 0 | 0; d 1/3, 0 | 1/5.
    by_concept = [(1 + 1) / 2, (2 + 1) / 2, 0, (2 / 15 + 1 / 5) / 2]
    assert one.labels_distribution == pytest.approx(np.mean(by_concept))
    # Pairs that come together: ab in 2 and 0 items, ad and bd in 1 and 0; and a, b, d themselves.
    by_pair = [(1 / 2 + 1 / 2) / 2, *2 * [(2 / 15 + 1 / 5) / 2], *by_concept[:2], by_concept[3]]
    assert one.label_pairs_distribution == pytest.approx(np.mean(by_pair))
    assert one.overall() == {
        "LD": one.labels_distribution,
        "LPD": one.label_pairs_distribution,
        "ED": 1.0,
        "FZ": 1,
        "FLZ": 2,
    }


@pytest.mark.parametrize("form", [np.asarray, coo_array])
def test_measures_of_the_whole_split_by_their_definitions(form: object) -> None:
    y = labels(200, 8)
    split = cf.split(cf.Truth(form(y)), [0.5, 0.3, 0.2], seed=1)
    parts = [y[split.assignment == part] for part in range(3)]

    def odds(carriers: np.ndarray) -> float:
        return carriers.sum() / (~carriers).sum()

    def distribution(carriers: list[tuple[int, ...]]) -> float:
        return float(
            np.mean(
                [
                    [abs(odds(x[:, c].all(axis=1)) - odds(y[:, c].all(axis=1))) for x in parts]
                    for c in map(list, carriers)
                ]
            )
        )

    singles = [(c,) for c in range(8)]
    pairs = [
        pair
        for pair in combinations_with_replacement(range(8), 2)
        if y[:, list(pair)].all(axis=1).any()
    ]
    assert split.report.labels_distribution == pytest.approx(distribution(singles), abs=1e-12)
    assert split.report.label_pairs_distribution == pytest.approx(distribution(pairs), abs=1e-12)


def test_a_concept_that_all_items_of_a_part_carry_is_left_out_and_noted() -> None:
    y = Y.copy()
    y[4, 0] = True  # now all of part 1 carry concept a
    one = report(y)
    by_concept = [(2 + 1) / 2, 0, (2 / 15 + 1 / 5) / 2]
    assert one.labels_distribution == pytest.approx(np.mean(by_concept))
    assert one.notes == (
        "LD leaves out 1 concept that every item of a part carries",
        "LPD leaves out 1 pair that every item of a part carries",
    )


def test_nothing_is_left_where_all_items_carry_all() -> None:
    one = report(np.ones((4, 2)), np.array([0, 0, 1, 1]))
    assert one.labels_distribution is None
    assert one.label_pairs_distribution is None
    assert one.overall()["LD"] is None
    assert len(one.notes) == 2


def test_without_labels_there_are_no_pairs() -> None:
    assert report(np.zeros((4, 2)), np.array([0, 0, 1, 1])).label_pairs_distribution is None


def test_distributions_are_those_of_scikit_multilearn() -> None:
    n = np.arange(120)
    columns = [n % 2 == 0, n % 3 == 0, n % 7 < 2, n * n % 11 < 3]
    one = report(np.stack(columns, axis=1), n * 7 % 10 % 3, (0.4, 0.3, 0.3))
    # By label_combination_distribution of its version 0.2.0, of order 1 and 2.
    assert one.labels_distribution == pytest.approx(0.13453823953823954, abs=1e-12)
    assert one.label_pairs_distribution == pytest.approx(0.07306099451328738, abs=1e-12)


def test_a_part_without_items_is_noted() -> None:
    one = report(shares=(0.98, 0.01, 0.01), assignment=np.zeros(6, dtype=np.int64))
    assert one.notes == (one.lack,)
    assert "'1', '2' have no items: 6 items cannot be dealt out so; " in one.notes[0]
    assert one.rows()[1]["cardinality"] is None
    assert one.rows()[1]["mean_difference"] is None
    assert one.labels_distribution is None


def test_of_many_concepts_only_the_frequent_are_paired() -> None:
    y = np.random.default_rng(0).random((40, 1005)) < 0.2
    split = cf.split(y, [0.5, 0.5])
    assert "LPD leaves out 5 rarer concepts" in split.report.notes


def test_frames_hold_parts_and_concepts() -> None:
    one = report()
    assert one.splits.to_dicts() == one.rows()
    assert one.concepts.columns == ["concept", "whole", "0", "1"]
    assert one.concepts["concept"].to_list() == ["a", "b", "c", "d"]
    assert one.concepts["1"].to_list() == [0.5, 0, 0, 0]


def test_a_part_may_be_called_whole() -> None:
    split = cf.split(labels(20, 3), {"whole": 0.5, "concept": 0.5})
    assert split.report.concepts.columns == ["concept", "whole", "whole (part)", "concept (part)"]


def test_json_holds_everything() -> None:
    one = report(shares=(0.5, 0.49, 0.01), assignment=ASSIGNMENT)
    read = json.loads(one.to_json())
    assert read["splits"] == one.rows()
    assert read["overall"] == one.overall()
    assert read["concepts"]["a"] == {
        "whole": pytest.approx(4 / 6),
        "splits": {"0": 0.75, "1": 0.5, "2": None},
    }
    assert read["notes"] == list(one.notes)


def test_numbers_of_a_split_without_difference_are_zero() -> None:
    y = np.repeat(labels(20, 4), 2, axis=0)
    one = cf.collections.SplitReport(cf.Truth(y), {"a": 0.5, "b": 0.5}, np.tile([0, 1], 20))
    assert one.labels_distribution == 0
    assert one.label_pairs_distribution == 0
    assert math.isclose(one.differences.max(), 0)
