"""The information coverage plot: places, star, lines of equal error, paths, clouds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import layers, marks, svg, titles

import cranfield as cf
from cranfield.show.vega import page_of, specification
from cranfield.tasks.classes import coverage
from cranfield.tasks.classes.coverage import Place, sample_clouds
from cranfield.tasks.classes.coverage_labels import Label, arranged
from cranfield.tasks.classes.monte_carlo import Cloud

WEKA = Path(__file__).parents[3] / "shared" / "data" / "uci_krkopt" / "weka_3.6.14_confusion"
SCORES = {"A": 0.855, "B": 0.693, "C": 0.481, "D": 0.666}
"""S_I / H(T) as Holt et al. 2010 print them, cut after three digits."""


def coverage_plot(*systems: Any, **options: Any) -> Any:
    return page_of(coverage.coverage_plot(*systems, **options))


def classifier(name: str, right: float, wrong: int) -> cf.Confusion:
    """8 equiprobable classes; errors are spread over so many others."""
    matrix = np.eye(8) * right
    for step in range(1, wrong + 1):
        matrix += np.roll(np.eye(8), step, axis=1) * (1 - right) / wrong
    return cf.Confusion(matrix / 8, name=name)


def holt() -> list[cf.Confusion]:
    return [
        classifier("A", 0.8, 7),
        classifier("B", 0.8, 3),
        classifier("C", 0.8, 1),
        classifier("D", 0.5, 1),
    ]


def cloud(name: str = "tree", size: int = 400, setting: tuple[str, int] | None = None) -> Cloud:
    rng = np.random.default_rng(1)
    r, f = rng.multivariate_normal([0.5, 0.4], [[4e-4, -3e-4], [-3e-4, 9e-4]], size).T
    family = "tree" if setting else name
    return Cloud(name, family, setting, r, f)


# ── places ────────────────────────────────────────────────────────────────────────────────────


def test_systems_lie_at_their_false_ratio_and_completeness() -> None:
    systems = holt()
    (points,) = [values for values in marks(coverage_plot(systems), "point") if len(values) == 4]
    for system, point in zip(systems, points, strict=True):
        assert point["system"] == system.name
        assert point["r"] == pytest.approx(system["false_ratio"], abs=1e-6)
        assert point["f"] == pytest.approx(system["completeness"], abs=1e-6)


def test_the_classifiers_of_holt_are_labelled_with_the_printed_scores() -> None:
    words = [
        one["label"]
        for group in marks(coverage_plot(holt()), "text")
        for one in group
        if "label" in one
    ]
    shown = {name: float(score) for name, score in (text.split() for text in words)}
    assert shown == pytest.approx(SCORES, abs=1.5e-3)


def test_the_star_is_where_nothing_is_missed_or_made_up() -> None:
    *_, star = layers(coverage_plot(holt()))
    assert [(one["r"], one["f"], one["error"]) for one in star["data"]["values"]] == [(0, 1, 0)]


def test_dotted_lines_join_places_with_the_same_manhattan_distance_to_the_star() -> None:
    dotted = marks(coverage_plot(holt()), "line")[0]
    assert {one["error"] for one in dotted} == {step / 5 for step in range(1, 10)}
    for one in dotted:
        assert abs(one["r"] - 0) + abs(one["f"] - 1) == pytest.approx(one["error"])
        assert 0 <= one["f"] <= 1 + 1e-9


def test_a_system_far_to_the_right_stays_inside() -> None:
    spec = coverage_plot([Place("far", 7.03, 0.3)])
    assert next(layers(spec))["encoding"]["x"]["scale"]["domain"] == [0, pytest.approx(7.2)]
    assert len({one["error"] for one in marks(spec, "line")[0]}) <= 20
    svg(spec)


def test_labels_of_neighbours_do_not_overlap() -> None:
    spec = coverage_plot([Place(f"s{n}", 0.5, 0.5 - n / 1000) for n in range(8)])
    sides = [group for group in marks(spec, "text") if "label" in group[0]]
    assert sum(map(len, sides)) == 8
    for labels in sides:
        heights = sorted(one["f"] * 480 for one in labels)
        assert np.diff(heights).min() >= 13.9


def test_long_labels_keep_clear_of_all_marks_and_inside_the_frame() -> None:
    names = [f"a name that is rather long {n}" for n in range(8)]
    points = [(60 * n, 30 * n + 4 * (n % 3)) for n in range(8)]
    boxes = [(x - 5.0, x + 5.0, y - 5.0, y + 5.0) for x, y in points]
    frame = (0.0, 480.0, 0.0, 480.0)
    found = arranged(
        [Label(name, *at) for name, at in zip(names, points, strict=True)], boxes, frame
    )
    boxes += [one.box for one in found]
    for i, a in enumerate(boxes):
        for b in boxes[max(i + 1, 8) :]:
            assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
    assert all(left >= 0 and right <= 480 for left, right, _, _ in boxes[8:])


def test_many_systems_are_named_in_a_legend() -> None:
    spec = coverage_plot([Place(f"s{n}", 0.5, 0.5 - n / 1000) for n in range(9)])
    assert not [one for group in marks(spec, "text") for one in group if "label" in one]
    assert "s8  1.008" in svg(spec)


def test_systems_without_a_place_are_named_and_not_drawn() -> None:
    one_class = cf.Confusion([[5, 3]], ["a"], said=["a", "b"], name="one class")
    assert np.isnan(one_class["false_ratio"])
    spec = coverage_plot([*holt(), one_class])
    assert "undefined for 'one class'" in titles(spec)
    svg(spec)
    with pytest.raises(cf.InputError, match="nothing to draw"):
        coverage_plot([one_class])


# ── paths and clouds ──────────────────────────────────────────────────────────────────────────


def test_settings_of_a_parameter_are_joined_in_their_order() -> None:
    path = [Place("k = 6", 0.5, 0.4), Place("k = 1", 0.7, 0.2), Place("k = 3", 0.6, 0.3)]
    spec = coverage_plot(paths={"Random Tree": path})
    joined = marks(spec, "line")[1]
    assert [(one["setting"], one["step"]) for one in joined] == [
        ("k = 6", 0),
        ("k = 1", 1),
        ("k = 3", 2),
    ]
    assert {one["system"] for one in joined} == {"Random Tree"}
    svg(spec)


def test_the_ellipse_has_the_axes_of_the_covariance() -> None:
    one = cloud()
    spec = coverage_plot(clouds=[one])
    ellipse = np.array([(p["r"], p["f"]) for p in marks(spec, "line")[1]])
    assert np.array_equal(ellipse[0], ellipse[-1])
    away = ellipse - [one.r.mean(), one.f.mean()]
    values, vectors = np.linalg.eigh(np.cov(one.r, one.f))
    radii = np.sqrt(-2 * np.log(0.05) * values)
    # In the directions of the eigenvectors, all places lie on a unit circle.
    turned = away @ vectors / radii
    np.testing.assert_allclose((turned**2).sum(axis=1), 1.0, rtol=1e-9)
    assert np.linalg.norm(away, axis=1).max() == pytest.approx(radii.max(), rel=1e-3)
    inside = ((np.stack([one.r, one.f], axis=1) - [one.r.mean(), one.f.mean()]) @ vectors) / radii
    assert ((inside**2).sum(axis=1) < 1).mean() == pytest.approx(0.95, abs=0.02)


def test_a_cloud_is_told_by_its_mean_sigma_and_rho() -> None:
    one = cloud()
    spec = coverage_plot(clouds=[one])
    said = " ".join(titles(spec))
    rho = np.corrcoef(one.r, one.f)[0, 1]
    for number in (
        f"r {one.r.mean():.4f}, σ {one.r.std(ddof=1):.2e}",
        f"f {one.f.mean():.4f}, σ {one.f.std(ddof=1):.2e}",
        f"ρ {rho:.3f}, 400 evaluations",
    ):
        assert number in said
    drawn = marks(spec, "circle")[0]
    assert [(p["r"], p["f"]) for p in drawn] == [
        (round(r, 6), round(f, 6)) for r, f in zip(one.r.tolist(), one.f.tolist(), strict=True)
    ]
    svg(spec)


def test_both_axes_of_a_panel_have_the_same_unit() -> None:
    _, panels = coverage.coverage_plot(clouds=[cloud()])
    panel = specification(panels)["hconcat"][0]
    encoding = panel["layer"][0]["encoding"]
    spans = [np.ptp(encoding[side]["scale"]["domain"]) for side in "xy"]
    assert spans[0] == pytest.approx(spans[1])
    assert panel["width"] == panel["height"]


def test_clouds_of_a_grid_are_joined_and_get_no_panels() -> None:
    grid = [cloud(f"tree({depth})", setting=("max_depth", depth)) for depth in (1, 2, 4)]
    spec = coverage_plot(clouds=grid)
    assert len(spec["vconcat"]) == 1
    joined = [group for group in marks(spec, "line") if "setting" in group[0]]
    assert [one["setting"] for one in joined[0]] == [f"max_depth = {depth}" for depth in (1, 2, 4)]
    svg(spec)


@pytest.mark.parametrize("size", [1, 2])
def test_a_cloud_of_one_or_two_evaluations_can_be_drawn(size: int) -> None:
    svg(coverage_plot(clouds=[cloud(size=size)]))


def test_samples_are_drawn_around_the_score_that_tables_show() -> None:
    perfect = cf.Confusion([[9, 0], [0, 8]], ["a", "b"], name="perfect")
    undefined = cf.Confusion([[6, 4], [0, 0]], ["a", "b"], name="undefined")
    systems = [perfect, undefined]
    clouds = sample_clouds(systems, method="dirichlet", samples=500, seed=0)
    spec = coverage_plot(systems, clouds=clouds)
    labels = [one["label"] for group in marks(spec, "text") for one in group if "label" in one]
    assert labels == ["perfect  0.000"]
    assert "undefined for 'undefined'" in titles(spec)
    assert next(layers(spec))["encoding"]["x"]["scale"]["domain"] == [0, 1]
    svg(spec)


def test_clouds_stay_inside_their_frames_and_frames_where_systems_can_be() -> None:
    rng = np.random.default_rng(2)
    one = Cloud(
        "near", "near", None, abs(rng.normal(0, 0.05, 200)), 1 - abs(rng.normal(0, 0.1, 200))
    )
    spec = coverage_plot(clouds=[one])
    ellipses = [
        layer
        for layer in layers(spec)
        if layer["mark"]["type"] == "line" and layer["data"]["values"][0].get("system") == "near"
    ]
    assert len(ellipses) == 2
    for layer in ellipses:
        assert layer["mark"]["clip"]
        r, f = (layer["encoding"][side]["scale"]["domain"] for side in "xy")
        assert r[0] >= 0
        assert 0 <= f[0] < f[1] <= 1


def test_single_points_far_to_the_right_do_not_stretch_the_plane() -> None:
    r = np.r_[np.linspace(0.4, 0.6, 199), 80.0]
    spec = coverage_plot(clouds=[Cloud("one", "one", None, r, np.linspace(0.3, 0.4, 200))])
    assert next(layers(spec))["encoding"]["x"]["scale"]["domain"] == [0, 1]


# ── real data ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(not WEKA.is_dir(), reason="the confusion matrices of Weka are not here")
def test_the_four_classifiers_of_the_chess_end_game_lie_in_one_plot() -> None:
    systems = [cf.formats.read_confusion(path) for path in sorted(WEKA.glob("*.csv"))]
    spec = coverage_plot(systems)
    (points,) = [values for values in marks(spec, "point") if len(values) == 4]
    placed = {one["system"].split(".")[1]: (one["r"], one["f"]) for one in points}
    assert placed["NaiveBayes"] == pytest.approx((0.653, 0.238), abs=0.002)
    for system in systems:
        assert system.total == 28056
        assert system.name.split(".")[1] in placed
    assert "cm_bayes.NaiveBayes" in svg(spec)
