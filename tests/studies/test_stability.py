"""Which measures keep the order of runs when the truth is altered?"""

from __future__ import annotations

import numpy as np
import pytest
from small_campaign import ontology, shuffled, systems, world

import cranfield as cf
from cranfield.errors import InputError
from cranfield.studies.altered_truths import Change, alteration
from cranfield.studies.stability import Stability, stability

MEASURES = ("concept.AP", "example.coverage", "example.F", "OS")


def noisy_annotators(count: int) -> list[cf.Truth]:
    truth = world().truth
    random = np.random.default_rng(6)
    return [
        cf.Truth(
            truth.labels ^ (random.random(truth.shape) < 0.05),
            items=truth.items,
            concepts=truth.concepts,
        )
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def noise() -> Stability:
    return stability(world().truth, systems(), MEASURES, repeats=3, ontology=ontology())


def test_the_number_of_flipped_labels_is_exact_and_flips_are_nested() -> None:
    truth = world().truth
    altered = alteration(truth, "flip")
    assert altered.candidates == 300 * 53
    assert altered.counts((0.01, 0.1)) == (159, 1590)
    drawn = np.random.default_rng(0).choice(altered.candidates, size=1590, replace=False)
    few, many = (altered.stage(drawn[:count]).truth.labels for count in (159, 1590))
    assert (few ^ truth.labels).sum() == 159
    assert (many ^ truth.labels).sum() == 1590
    assert not ((few ^ truth.labels) & ~(many ^ truth.labels)).any()


def test_ten_percent_of_imageclef_2009_are_68900_labels_and_of_2010_93000() -> None:
    for shape, flipped in (((13_000, 53), 68_900), ((10_000, 93), 93_000)):
        altered = alteration(cf.Truth(np.zeros(shape, dtype=bool)), "flip")
        assert altered.counts((0.1,)) == (flipped,)


def test_the_stage_before_the_first_is_the_original(noise: Stability) -> None:
    """As in Nowak 2011, Tables 8.2 and 9.3."""
    np.testing.assert_array_equal(noise.to_original[:, 0], noise.to_previous[:, 0])
    np.testing.assert_array_equal(noise.shifts_to_original[:, 0], noise.shifts_to_previous[:, 0])
    assert noise.to_original.shape == (3, 4, 4)


def test_more_noise_disturbs_more_and_coverage_most(noise: Stability) -> None:
    """Nowak 2011 §9.4.2: coverage shows the highest influence of noise."""
    means = noise.to_original.mean(axis=0)
    assert (means[0] > means[-1]).all()
    assert means[-1, 1] < means[-1, 0]
    assert means[-1, 1] < means[-1, 2]


def test_scores_of_a_stage_are_those_of_the_flipped_truth(noise: Stability) -> None:
    result = cf.evaluate(world().truth, systems(), MEASURES, ontology=ontology())
    for place, name in enumerate(MEASURES):
        turn = -1 if name == "example.coverage" else 1
        scores = [turn * result[run, name] for run in noise.runs]
        np.testing.assert_array_equal(noise.original[place], scores)


@pytest.mark.parametrize("change", ["flip", "items", "concepts"])
def test_the_same_seed_gives_the_same_whatever_the_order(change: Change) -> None:
    options = {"change": change, "levels": (0.1, 0.2), "repeats": 2, "ontology": ontology()}
    one = stability(world().truth, systems()[:4], MEASURES, **options)
    other = stability(shuffled(world().truth), systems()[:4], MEASURES, **options)
    np.testing.assert_allclose(one.merits, other.merits, atol=1e-12)


def test_leaving_out_items_and_concepts_scores_what_is_left() -> None:
    truth, run = world().truth, systems()[0]
    for change, kept in (("items", truth.items), ("concepts", truth.concepts)):
        altered = alteration(truth, change)  # type: ignore[arg-type]
        stage = altered.stage(np.arange(3))
        left = set(kept) - set(sorted(kept)[:3])
        assert set(stage.truth.items if change == "items" else stage.truth.concepts) == left
        narrowed = stage.of(run, truth, "error")
        assert narrowed.shape == stage.truth.shape
        rows = [truth.items.index(name) for name in stage.truth.items]
        columns = [truth.concepts.index(name) for name in stage.truth.concepts]
        ranking = np.asarray(run.ranking)[np.ix_(rows, columns)]
        np.testing.assert_array_equal(narrowed.ranking, ranking)


def test_sparse_runs_and_thresholds_by_concept_follow_what_is_left() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    truth = cf.Truth([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
    dense = np.array([[0.9, 0.1, 0.8], [0.2, 0.7, 0.6], [0.5, 0.4, 0.3]])
    cut = [0.5, 0.3, 0.7]
    plain, sparse = (
        cf.Run(matrix, threshold=cut, name=name)
        for name, matrix in (("plain", dense), ("sparse", scipy_sparse.csr_array(dense)))
    )
    for change in ("items", "concepts"):
        stage = alteration(truth, change).stage(np.array([1]))  # type: ignore[arg-type]
        one, other = (stage.of(run, truth, "error") for run in (plain, sparse))
        found = cf.evaluate(stage.truth, [one, other], ["concept.F", "concept.AP"])
        assert found["plain", "concept.F"] == found["sparse", "concept.F"]
        assert found["plain", "concept.AP"] == found["sparse", "concept.AP"]


def test_those_annotators_who_are_left_vote_by_majority() -> None:
    truth = world().truth
    annotators = noisy_annotators(5)
    stage = alteration(truth, "annotators", annotators).stage(np.array([0, 1]))
    votes = sum(one.labels.astype(int) for one in annotators[2:])
    np.testing.assert_array_equal(stage.truth.labels, votes >= 2)
    even = alteration(truth, "annotators", annotators).stage(np.array([0]))
    votes = sum(one.labels.astype(int) for one in annotators[1:])
    np.testing.assert_array_equal(even.truth.labels, votes >= 3)
    found = stability(
        truth, systems()[:4], ["concept.AP"], change="annotators", annotators=annotators,
        levels=(0.2, 0.6), repeats=2,
    )  # fmt: skip
    assert found.counts == (1, 3)
    assert (found.to_original > 0.5).all()


def test_unjudged_cells_are_not_flipped_and_grades_follow() -> None:
    judged = np.array([[1, 1, 0], [1, 0, 1]], dtype=bool)
    truth = cf.Truth([[1, 0, 0], [1, 0, 0]], judged=judged)
    flipped = alteration(truth, "flip").stage(np.arange(4)).truth
    np.testing.assert_array_equal(flipped.labels, [[0, 1, 0], [0, 0, 1]])
    graded = cf.Truth(grades=[[3, 0], [0, 1]])
    np.testing.assert_array_equal(
        alteration(graded, "flip").stage(np.arange(4)).truth.grades, [[0, 1], [1, 0]]
    )


def test_judgements_of_an_open_truth_are_flipped_where_there_are_any() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    cells = scipy_sparse.coo_array(([1, 0, 1], ([0, 1, 2], [0, 0, 1])), shape=(3, 2))
    truth = cf.Truth(cells, items="abc", concepts=["t", "u"], open=True)
    altered = alteration(truth, "flip")
    assert altered.candidates == 3
    flipped = altered.stage(np.arange(3)).truth
    np.testing.assert_array_equal(flipped.labels, [[0, 0], [1, 0], [0, 0]])
    assert flipped.open
    with pytest.raises(InputError, match="topics"):
        alteration(truth, "items")


def test_topics_of_an_open_truth_are_left_out_of_runs_that_mention_more_or_fewer() -> None:
    truth = cf.Truth([[1, 0], [0, 1], [1, 1]], items="abc", concepts=["t", "u"], open=True)
    runs = [
        cf.Run([[0.5], [0.9]], name="one", items="ax", concepts=["t"]),
        cf.Run([[0.9, 0.1, 0.5]], name="two", items="b", concepts=["t", "u", "v"]),
    ]
    stage = alteration(truth, "concepts").stage(np.array([0]))
    left = [stage.of(run, truth, "error") for run in runs]
    found = cf.evaluate(stage.truth, left, "concept.AP")
    assert stage.truth.concepts == ("u",)
    assert found["one", "concept.AP"] == 0
    assert found["two", "concept.AP"] == 0.5


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"levels": (0.2, 0.1)}, "grow"),
        ({"levels": ()}, "missing"),
        ({"levels": (float("nan"),)}, "levels are nan; give shares"),
        ({"levels": (0.1, float("inf"))}, "levels are 0.1, inf; give shares"),
        (
            {"levels": (0.000001,)},
            "than one of 15900 judged cells; choose levels from 6.3e-05 up",
        ),
        (
            {"change": "concepts", "levels": (0.999,)},
            "53 of 53 concepts, of which 1 must stay",
        ),
        ({"change": "annotators"}, "at least two"),
        ({"change": "colours"}, "choose 'flip'"),
        ({"annotators": [cf.Truth([[1]])]}, "of no use with change='flip'"),
        ({"repeats": 0}, "from 1 up"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        stability(world().truth, systems()[:2], ["concept.AP"], **options)  # type: ignore[arg-type]
