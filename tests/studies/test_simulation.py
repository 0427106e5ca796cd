"""What the simulator promises: seeds, shares, frequencies, dependence, quality, calibration."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest

import cranfield as cf
from cranfield.studies import reference_runs
from cranfield.studies.reference_runs import scattered
from cranfield.studies.simulation import (
    Design,
    System,
    World,
    draw_systems,
    photo_campaign,
    random_run,
    simulate_run,
    simulate_world,
)
from cranfield.studies.vocabulary import draw_vocabulary, photo_concepts


def world(items: int = 4000, **options: object) -> World:
    return simulate_world(Design(photo_concepts(), items=items, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def photos() -> World:
    return world()


# --- seeds ---


def test_the_same_seed_gives_the_same_bytes(photos: World) -> None:
    again = world()
    system = System("a", spread=0.3, group="G", kinship=0.4, threshold="frequency")
    first, second = simulate_run(photos, system), simulate_run(again, system)
    assert photos.labels.tobytes() == again.labels.tobytes()
    assert first.scores.tobytes() == second.scores.tobytes()  # type: ignore[union-attr]
    assert first.labels.tobytes() == second.labels.tobytes()  # type: ignore[union-attr]
    assert first.digest == second.digest


def test_another_seed_gives_another_truth() -> None:
    assert world(200).truth.digest != world(200, seed=1).truth.digest


def test_systems_draw_from_streams_of_their_own(photos: World) -> None:
    first, second = (simulate_run(photos, System(name)).scores for name in ("a", "b"))
    assert not np.array_equal(first, second)  # type: ignore[arg-type]


def test_chunks_leave_exclusive_groups_and_shares_intact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_runs, "_CELLS", 53 * 7)
    small = world(500)
    for members in small.design.vocabulary.members().values():
        assert (small.labels[:, members].sum(axis=1) == 1).all()
    run = random_run(small, 30)
    assert np.count_nonzero(run.labels) == round(0.3 * 500 * 53)  # type: ignore[arg-type]


# --- truth ---


def test_cardinality_and_frequencies_are_near_the_wish(photos: World) -> None:
    wished = np.array(photos.design.vocabulary.frequencies)
    assert photos.labels.sum(axis=1).mean() == pytest.approx(wished.sum(), abs=0.25)
    # Items are drawn independently, so five standard errors are far out for any of 53 concepts.
    error = 5 * np.sqrt(wished * (1 - wished) / len(photos.labels))
    assert (np.abs(photos.labels.mean(axis=0) - wished) < error).all()


def test_exactly_one_member_of_each_exclusive_group_holds(photos: World) -> None:
    for members in photos.design.vocabulary.members().values():
        assert (photos.labels[:, members].sum(axis=1) == 1).all()


def test_concepts_depend_on_each_other_only_if_wished() -> None:
    words = draw_vocabulary(20, cardinality=8, seed=3)

    def mean_correlation(dependence: float) -> float:
        drawn = simulate_world(Design(words, items=20_000, dependence=dependence, factors=1))
        between = np.corrcoef(drawn.labels.T)
        return float(np.abs(between[~np.eye(20, dtype=bool)]).mean())

    assert mean_correlation(0.0) < 0.01
    assert mean_correlation(0.6) > 0.15


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_share_of_unjudged_cells_is_exact(share: float) -> None:
    drawn = world(300, unjudged=share)
    assert drawn.truth.judged is not None
    unjudged = (drawn.truth.states == cf.State.UNJUDGED).sum()
    assert unjudged == round(share * 300 * 53)
    assert not (drawn.truth.labels & ~drawn.labels).any()


def test_what_nobody_judged_does_not_change_what_systems_see() -> None:
    whole, gaps = world(200), world(200, unjudged=0.3)
    first, second = (simulate_run(one, System("a")).scores for one in (whole, gaps))
    assert np.array_equal(first, second)  # type: ignore[arg-type]


# --- systems ---


def test_confidences_are_float32_in_the_unit_interval(photos: World) -> None:
    scores = simulate_run(photos, System("sure", quality=5, temperature=0.1)).scores
    assert isinstance(scores, np.ndarray)
    assert scores.dtype == np.float32
    assert scores.min() >= 0
    assert scores.max() <= 1


def test_auc_follows_from_quality(photos: World) -> None:
    """AUC = Φ(d′/√2) for two normals at distance d′."""
    found = []
    for quality in (0.0, 0.5, 1.0, 2.0):
        run = simulate_run(photos, System(f"d{quality}", quality=quality))
        scores = cf.evaluate(photos.truth, run, "concept.AUC").units(run.name, "concept.AUC")
        if quality == 0:
            assert np.ptp(run.scores, axis=0).max() == 0  # type: ignore[arg-type]
        assert scores.mean() == pytest.approx(NormalDist().cdf(quality / 2**0.5), abs=0.02)
        found.append(scores.mean())
    assert found == sorted(found)


def test_spread_makes_concepts_differ(photos: World) -> None:
    even, uneven = (
        cf.evaluate(
            photos.truth, simulate_run(photos, System("s", spread=spread)), "concept.AUC"
        ).units("s", "concept.AUC")
        for spread in (0.0, 0.5)
    )
    assert uneven.std() > 2 * even.std()


def reliability(drawn: World, run: cf.Run) -> float:
    """Largest gap between confidence and frequency over ten bins of confidence."""
    scores = np.asarray(run.scores).ravel()
    holds = drawn.labels.ravel()
    bins = np.minimum((scores * 10).astype(int), 9)
    sizes = np.bincount(bins, minlength=10)
    gaps = np.bincount(bins, weights=scores - holds, minlength=10)
    return float(np.abs(gaps[sizes > 500] / sizes[sizes > 500]).max())


def test_a_calibrated_system_is_calibrated_and_others_are_not(photos: World) -> None:
    calibrated = simulate_run(photos, System("calibrated", quality=1.5))
    assert reliability(photos, calibrated) < 0.03
    for wrong in (System("bold", 1.5, temperature=0.4), System("biased", 1.5, bias=1.0)):
        assert reliability(photos, simulate_run(photos, wrong)) > 0.1


def test_distortion_leaves_the_ranking_of_items_alone(photos: World) -> None:
    plain, distorted = (
        simulate_run(photos, System("same", temperature=temperature, bias=bias))
        for temperature, bias in ((1.0, 0.0), (2.0, 0.5))
    )
    scores = [
        cf.evaluate(photos.truth, run, "concept.AUC")["same", "concept.AUC"]
        for run in (plain, distorted)
    ]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)


def test_a_threshold_by_frequency_assigns_each_concept_as_often_as_it_holds(photos: World) -> None:
    run = simulate_run(photos, System("cut", threshold="frequency"))
    wished = np.array(photos.design.vocabulary.frequencies)
    assert np.asarray(run.labels).mean(axis=0) == pytest.approx(wished, abs=1e-3)


def test_thresholds_are_fixed_or_by_concept(photos: World) -> None:
    fixed = simulate_run(photos, System("x", threshold=0.3))
    assert np.array_equal(fixed.labels, np.asarray(fixed.scores) >= np.float32(0.3))  # type: ignore[arg-type]
    cuts = tuple(np.linspace(0.1, 0.9, 53))
    each = simulate_run(photos, System("x", threshold=cuts))
    assert np.array_equal(each.labels, np.asarray(each.scores) >= np.float32(cuts))  # type: ignore[arg-type]


def test_binary_systems_have_decisions_only(photos: World) -> None:
    run = simulate_run(photos, System("binary", answers="decisions"))
    assert run.scores is None
    assert run.labels is not None


def test_runs_of_one_group_resemble_each_other(photos: World) -> None:
    def noise(name: str, group: str) -> np.ndarray:
        run = simulate_run(photos, System(name, group=group, kinship=0.6))
        scores = np.clip(np.asarray(run.scores, dtype=float), 1e-6, 1 - 1e-6)
        return np.log(scores / (1 - scores))[~photos.labels[:, 0], 0]

    kin = np.corrcoef(noise("a", "G"), noise("b", "G"))[0, 1]
    strangers = np.corrcoef(noise("a", "G"), noise("b", "H"))[0, 1]
    assert kin == pytest.approx(0.6, abs=0.05)
    assert abs(strangers) < 0.06


# --- random runs ---


@pytest.mark.parametrize("percent", [10, 50, 90, 100])
def test_random_runs_assign_exactly_their_share(photos: World, percent: int) -> None:
    run = random_run(photos, percent)
    assert run.name == f"Random{percent}"
    assert np.count_nonzero(run.labels) == round(percent / 100 * photos.labels.size)  # type: ignore[arg-type]
    assert run.scores is None


def test_random0_guesses_uniform_confidences(photos: World) -> None:
    scores = np.asarray(random_run(photos, 0).scores)
    assert scores.mean() == pytest.approx(0.5, abs=0.005)
    assert np.histogram(scores, 10, (0, 1))[0] / scores.size == pytest.approx([0.1] * 10, abs=0.005)
    assert cf.evaluate(photos.truth, random_run(photos, 0), "concept.AUC")[
        "Random0", "concept.AUC"
    ] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.37, 0.999])
def test_scattered_masks_are_exact_and_even(share: float) -> None:
    mask = scattered(np.random.default_rng(0), (300, 40), share)
    assert np.count_nonzero(mask) == round(share * mask.size)
    assert mask.mean(axis=0) == pytest.approx(np.full(40, share), abs=0.12)


# --- campaign and refusals ---


def test_the_photo_campaign_has_25_runs_of_10_groups_and_10_random_ones() -> None:
    campaign = photo_campaign(items=50)
    assert len(campaign.systems) == 25
    assert len({system.group for system in campaign.systems}) == 10
    runs = list(campaign.runs(simulate_world(campaign.design)))
    assert len({run.name for run in runs}) == len(runs) == len(campaign) == 35


@pytest.mark.parametrize("count", [0, 1, 7, 120])
def test_as_many_systems_are_drawn_as_wished_under_distinct_names(count: int) -> None:
    assert len({system.name for system in draw_systems(count, seed=5)}) == count


@pytest.mark.parametrize(
    "make",
    [
        lambda: Design(photo_concepts(), items=0),
        lambda: Design(photo_concepts(), items=5, dependence=1.0),
        lambda: Design(photo_concepts(), items=5, unjudged=-0.1),
        lambda: Design(photo_concepts(), items=5, seed=-1),
        lambda: System("x", quality=-1),
        lambda: System("x", temperature=0),
        lambda: random_run(world(5), 101),
    ],
)
def test_impossible_wishes_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(cf.InputError):
        make()
