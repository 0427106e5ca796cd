"""What must hold for every measure, whatever it measures.

Driven by the registry: a new measure is tested the moment it is registered. Each measure is tested
as it is and with each choice of each option of its own; the options that all measures share,
`undefined` and `unjudged`, have tests of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import cranfield as cf
from cranfield.kernels import limited_to
from problems import EXACT, Problem, problem, problems, scored, sparse, threshold_of

K = 3


def plain(definition: Any) -> str:
    """A measure with no more options than it needs."""
    return definition.name.replace("@k", f"@{K}")


SHARED = ("undefined", "unjudged")


def varied(definition: Any) -> list[str]:
    """A measure with each choice of each option of its own that is not its default."""
    return [
        f"{plain(definition)}({name}={choice})"
        for name, option in definition.options.items()
        for choice in option.choices
        if choice != option.default and name not in SHARED
    ]


PLAIN = [plain(definition) for definition in cf.measures()]
ALL = PLAIN + [spelling for definition in cf.measures() for spelling in varied(definition)]
RANKED = [name for name in ALL if cf.measure(name).traits.prediction == "confidences"]
DECIDED = [name for name in ALL if cf.measure(name).traits.prediction == "decisions"]
UNITS = [name for name in PLAIN if cf.measure(name).traits.direction != "micro"]

every_measure = pytest.mark.parametrize("name", ALL)
each_plain_measure = pytest.mark.parametrize("name", PLAIN)

CASES = {
    "heavy ties": problem(1, values=3),
    "no ties": problem(2, values=None),
    "float32": problem(3, values=4, dtype=np.float32),
    "wide": problem(4, items=6, concepts=20),
    "one item": problem(5, items=1, concepts=6, empty=False, density=0.5),
    "one concept": problem(6, items=9, concepts=1, empty=False, density=0.5),
}


def close(found: Any, wanted: Any) -> bool:
    return bool(np.allclose(found, wanted, rtol=EXACT, atol=EXACT, equal_nan=True))


def same(one: cf.Score, other: cf.Score) -> bool:
    """Whether two scores agree as wholes: the mean, every unit, and how many were averaged."""
    return (
        close(one.value, other.value)
        and close(one.by_unit, other.by_unit)
        and (one.units, one.skipped) == (other.units, other.skipped)
    )


def at(case: Problem, rows: NDArray[Any], columns: NDArray[Any]) -> Problem:
    """A problem with its rows and columns in another order, or some of them only."""
    return Problem(*(m[np.ix_(rows, columns)] for m in (case.labels, case.scores)))


# ── order, form and precision ─────────────────────────────────────────────────────────────────


def shuffled(case: Problem, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    return rng.permutation(case.shape[0]), rng.permutation(case.shape[1])


@every_measure
def test_the_order_of_rows_and_columns_does_not_matter(name: str) -> None:
    for case in CASES.values():
        order_does_not_matter(name, case)


def order_does_not_matter(name: str, case: Problem) -> None:
    rows, columns = shuffled(case, 0)
    moved = at(case, rows, columns)
    ids = {
        "items": [case.items[i] for i in rows],
        "concepts": [case.concepts[j] for j in columns],
    }
    before = scored(case.truth(), case.run(), name)
    after = scored(cf.Truth(moved.labels, **ids), moved.run(**ids), name)
    assert close(before.value, after.value)
    assert before.signature == after.signature
    run_only = scored(case.truth(), moved.run(**ids), name)
    assert same(before, run_only)
    assert before.signature == run_only.signature
    if "trec" not in name:
        nameless = scored(cf.Truth(moved.labels), moved.run(items=None, concepts=None), name)
        assert close(before.value, nameless.value)


def labels_as(kind: str, labels: NDArray[np.bool_]) -> Any:
    if kind == "list":
        return labels.tolist()
    if kind.startswith("sparse"):
        stored = np.ones_like(labels) if kind == "sparse with zeros" else None
        return sparse(labels.astype(np.int8), stored)
    if kind == "fortran":
        return np.asfortranarray(labels)
    return labels.astype(kind)


@pytest.mark.parametrize(
    "kind",
    ["list", "sparse", "sparse with zeros", "fortran", "int8", "uint64", "float32"],
)
@each_plain_measure
def test_the_form_of_the_truth_does_not_matter(name: str, kind: str) -> None:
    case = CASES["heavy ties"]
    before = scored(case.truth(), case.run(), name)
    other = cf.Truth(labels_as(kind, case.labels), **case.ids)
    assert same(before, scored(other, case.run(), name))
    assert other.digest == case.truth().digest


@every_measure
def test_float32_and_float64_of_the_same_scores_agree(name: str) -> None:
    case = CASES["float32"]
    wide = Problem(case.labels, case.scores.astype(np.float64))
    assert wide.run().scores.dtype != case.run().scores.dtype
    assert same(scored(case.truth(), case.run(), name), scored(wide.truth(), wide.run(), name))


@pytest.mark.parametrize("form", [np.asfortranarray, lambda m: np.repeat(m, 2, axis=1)[:, ::2]])
@each_plain_measure
def test_the_memory_layout_of_scores_does_not_matter(
    name: str, form: Callable[[NDArray[Any]], NDArray[Any]]
) -> None:
    case = CASES["no ties"]
    other = Problem(case.labels, form(case.scores))
    assert same(scored(case.truth(), case.run(), name), scored(case.truth(), other.run(), name))


MONOTONE: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "exp": np.exp,
    "affine": lambda s: 250.0 * s + 1000.0,
    "into the negatives": lambda s: s - 7.0,
    "tiny": lambda s: s * 2.0**-900,
}


@pytest.mark.parametrize("transform", MONOTONE)
def test_rank_measures_look_at_the_order_of_scores_only(transform: str) -> None:
    case = CASES["heavy ties"]
    other = Problem(case.labels, MONOTONE[transform](case.scores))
    names = [name for name in RANKED if "trec" not in name]
    before, after = (cf.evaluate(case.truth(), p.run(), names) for p in (case, other))
    for one, two in zip(before, after, strict=True):
        assert same(one, two), one.measure


@pytest.mark.parametrize("name", DECIDED)
def test_set_measures_look_at_decisions_only(name: str) -> None:
    case = CASES["heavy ties"]
    decided = cf.Run(labels=case.scores >= case.run().threshold, **case.ids)
    assert same(scored(case.truth(), case.run(), name), scored(case.truth(), decided, name))


@pytest.mark.parametrize("kept", [slice(None), slice(2, None)], ids=["all", "some missing"])
@pytest.mark.parametrize("by", ["concept", "cell"])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_thresholds_travel_with_their_concepts_and_cells(form: str, by: str, kept: slice) -> None:
    case = CASES["no ties"]
    cut = np.random.default_rng(8).random(case.shape[1:] if by == "concept" else case.shape)
    rows, columns = (order[kept] for order in shuffled(case, 4))
    moved = at(case, rows, columns)
    mentioned = np.zeros(case.shape, dtype=bool)
    mentioned[np.ix_(rows, columns)] = True
    every = np.ones(moved.shape, dtype=bool)
    run = cf.Run(
        moved.scores if form == "dense" else sparse(moved.scores, every),
        items=[case.items[i] for i in rows],
        concepts=[case.concepts[j] for j in columns],
        threshold=cut[columns] if by == "concept" else cut[np.ix_(rows, columns)],
    )
    decided = cf.Run(labels=(case.scores >= cut) & mentioned, **case.ids)
    for name in ("concept.F", "example.F"):
        found = scored(case.truth(), run, name, missing="absent")
        assert same(found, scored(case.truth(), decided, name))
    if mentioned.all():
        still = sparse(case.scores, mentioned) if form == "sparse" else case.scores
        assert run.digest == cf.Run(still, threshold=cut, **case.ids).digest


# ── range and extremes ────────────────────────────────────────────────────────────────────────


@given(case=problems(values=(-1.0, 0.0, 0.5, 1.0, 2.0)))
def test_scores_stay_within_the_declared_range(case: Problem) -> None:
    for score in cf.evaluate(case.truth(), case.run(), ALL):
        low, high = score.measure.traits.range
        values = np.append(score.by_unit, score.value)
        known = values[~np.isnan(values)]
        assert ((low <= known) & (known <= high)).all(), score.measure


NOT_AT_THE_END = ("generality", "dprime", "P@", "R@", "offset=")
"""Measures whose best value depends on the truth."""


@every_measure
def test_a_perfect_prediction_is_best(name: str) -> None:
    for case in CASES.values():
        perfect_is_best(name, case)


def perfect_is_best(name: str, case: Problem) -> None:
    perfect = scored(case.truth(), cf.Run(case.labels.astype(float), **case.ids), name)
    traits = perfect.measure.traits
    sign = 1 if traits.higher_is_better else -1
    known = ~np.isnan(perfect.by_unit)
    if not any(part in name for part in NOT_AT_THE_END):
        end = traits.range[1] if sign > 0 else traits.range[0]
        assert close(perfect.by_unit[known], end)
    for seed in range(5):
        scores = np.random.default_rng(seed).random(case.shape)
        other = scored(case.truth(), cf.Run(scores, **case.ids), name)
        both = known & ~np.isnan(other.by_unit)
        assert (sign * (perfect.by_unit - other.by_unit)[both] >= -EXACT).all()


# ── units, weights, conventions ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_score_is_the_mean_of_the_unit_scores(case: Problem) -> None:
    for score in cf.evaluate(case.truth(), case.run(), ALL):
        if score.measure.traits.direction == "micro":
            continue
        known = score.by_unit[~np.isnan(score.by_unit)]
        side = 1 if score.measure.traits.direction == "concept" else 0
        assert score.by_unit.shape == (case.shape[side],)
        assert (score.units, score.skipped) == (len(known), case.shape[side] - len(known))
        assert close(score.value, known.mean() if len(known) else np.nan), score.measure


@each_plain_measure
def test_uniform_weights_change_nothing(name: str) -> None:
    case = CASES["heavy ties"]
    weights = {"items": np.full(case.shape[0], 2.5), "concepts": np.full(case.shape[1], 0.1)}
    weighted = scored(case.truth(), case.run(), name, weights=weights)
    assert same(scored(case.truth(), case.run(), name), weighted)


LOOKS_AT_OTHER_CONCEPTS = ("concept.shenR", "concept.shenP")


@pytest.mark.parametrize("name", [n for n in UNITS if n not in LOOKS_AT_OTHER_CONCEPTS])
def test_whole_weights_equal_repeating_units(name: str) -> None:
    case = CASES["heavy ties"]
    concept = cf.measure(name).traits.direction == "concept"
    size = case.shape[1 if concept else 0]
    weights = np.arange(size) % 3
    repeated = np.repeat(np.arange(size), weights)
    every = np.arange(case.shape[0]), np.arange(case.shape[1])
    larger = at(case, every[0], repeated) if concept else at(case, repeated, every[1])
    cut = case.run().threshold
    wanted = cf.score(larger.labels, larger.scores, name, threshold=cut)
    side = "concepts" if concept else "items"
    found = scored(case.truth(), case.run(), name, weights={side: weights})
    assert close(found.value, wanted)
    by_id = dict(zip(case.ids[side], weights, strict=True))
    assert scored(case.truth(), case.run(), name, weights=by_id).value == found.value
    assert "weights=" in found.signature


@pytest.mark.parametrize("name", UNITS)
def test_weights_of_one_side_leave_measures_of_the_other_alone_and_say_so(name: str) -> None:
    case = CASES["heavy ties"]
    side, size = ("items", 0) if name.startswith("concept") else ("concepts", 1)
    weights = {side: np.arange(1, case.shape[size] + 1)}
    score = scored(case.truth(), case.run(), name, weights=weights)
    assert same(score, scored(case.truth(), case.run(), name))
    assert score.notes[-1] == f"unweighted: weights were given for {side}"


@each_plain_measure
def test_undefined_units_are_skipped_filled_or_refused(name: str) -> None:
    case = CASES["heavy ties"]
    spelled = lambda choice: f"{name}(undefined={choice})"  # noqa: E731
    skipped = scored(case.truth(), case.run(), spelled("skip"))
    undefined = np.isnan(skipped.by_unit)
    for value in (0, 1):
        filled = scored(case.truth(), case.run(), spelled(value))
        if cf.measure(name).traits.direction != "micro":
            assert close(filled.by_unit, np.where(undefined, value, skipped.by_unit))
            assert filled.skipped == 0
    if skipped.skipped:
        with pytest.raises(cf.InputError, match=r"is undefined for \d+ units? of run 'run'"):
            scored(case.truth(), case.run(), spelled("raise"))
    else:
        assert same(skipped, scored(case.truth(), case.run(), spelled("raise")))


@each_plain_measure
def test_skips_come_from_the_truth_alone(name: str) -> None:
    case = CASES["heavy ties"]
    others = (case.scores, 1 - case.scores, np.zeros(case.shape), np.ones(case.shape))
    runs = [cf.Run(s, name=f"run {n}", **case.ids) for n, s in enumerate(others)]
    scores = cf.evaluate(case.truth(), runs, name).scores
    assert len({(score.units, score.skipped) for score in scores}) == 1
    assert len({tuple(np.isnan(score.by_unit)) for score in scores}) == 1


# ── cells that are absent, unjudged or missing ────────────────────────────────────────────────


def holes(case: Problem, seed: int, share: float = 0.4) -> NDArray[np.bool_]:
    """Which cells are kept; drawn from another stream than the problem of the same seed."""
    return np.random.default_rng([seed, 1]).random(case.shape) >= share


@every_measure
def test_a_sparse_run_that_stores_every_cell_is_the_dense_run(name: str) -> None:
    case = CASES["heavy ties"]
    full = case.run()
    stored = cf.Run(
        sparse(case.scores, np.ones(case.shape, bool)), threshold=full.threshold, **case.ids
    )
    assert stored.sparse
    assert same(scored(case.truth(), full, name), scored(case.truth(), stored, name))


NO_CREDIT_BELOW = ("AUC", "EER", "dprime", "ranking_loss", "coverage")
"""Measures of whole lists: absent cells are one tie at the bottom."""


@pytest.mark.parametrize(
    "name",
    [n for n in ALL if n in DECIDED or any(part in n for part in NO_CREDIT_BELOW)],
)
def test_absent_cells_are_negative_decisions_and_one_tie_at_the_bottom(name: str) -> None:
    case = CASES["heavy ties"]
    if "trec" in name:
        pytest.skip("trec breaks the tie at the bottom of a dense run by id")
    stored = holes(case, 1)
    bottom = np.where(stored, case.scores, case.scores.min() - 1)
    options: dict[str, Any] = {"threshold": case.run().threshold, **case.ids}
    absent = scored(case.truth(), cf.Run(sparse(case.scores, stored), **options), name)
    assert same(absent, scored(case.truth(), cf.Run(bottom, **options), name))


@pytest.mark.parametrize("dense", [True, False])
@every_measure
def test_what_a_run_does_not_mention_is_absent(name: str, dense: bool) -> None:
    case = CASES["heavy ties"]
    rows, columns = (order[2:] for order in shuffled(case, 3))
    part = at(case, rows, columns)
    kept = np.zeros(case.shape, dtype=bool)
    kept[np.ix_(rows, columns)] = True
    cut = case.run().threshold
    mentioned = {
        "items": [case.items[i] for i in rows],
        "concepts": [case.concepts[j] for j in columns],
        "threshold": cut,
    }
    scores = part.scores if dense else sparse(part.scores, np.ones(part.shape, bool))
    missing = scored(case.truth(), cf.Run(scores, **mentioned), name, missing="absent")
    absent = cf.Run(sparse(case.scores, kept), threshold=cut, **case.ids)
    assert same(missing, scored(case.truth(), absent, name))


def run_as(form: str, case: Problem, cut: float) -> cf.Run:
    """A run without ids, its confidences or its decisions, dense or sparse."""
    every = np.ones(case.shape, dtype=bool)
    matrix = case.scores >= cut if "labels" in form else case.scores
    given = sparse(matrix, every) if "sparse" in form else matrix
    return cf.Run(labels=given) if "labels" in form else cf.Run(given, threshold=cut)


@pytest.mark.parametrize("form", ["dense", "sparse", "labels", "sparse labels"])
@every_measure
def test_excluding_unjudged_cells_is_deleting_them(name: str, form: str) -> None:
    direction = cf.measure(name).traits.direction
    shape = {"items": 1, "concepts": 14} if direction == "example" else {"items": 14, "concepts": 1}
    for seed in range(3):
        case = problem(seed, **shape, density=0.5, values=4, empty=False)
        cut = threshold_of(case)
        judged = case.labels | holes(case, seed)
        assert not judged.all()
        rows, columns = np.flatnonzero(judged.any(axis=1)), np.flatnonzero(judged.any(axis=0))
        less = at(case, rows, columns)
        ids = {
            "items": [case.items[i] for i in rows],
            "concepts": [case.concepts[j] for j in columns],
        }
        truth = case.truth(judged=judged, unjudged="exclude")
        excluded = scored(truth, run_as(form, case, cut), name)
        deleted = scored(cf.Truth(less.labels, **ids), run_as(form, less, cut), name)
        assert close(excluded.value, deleted.value), seed


@every_measure
def test_units_with_unjudged_cells_do_not_depend_on_each_other(name: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    direction = cf.measure(name).traits.direction
    if direction == "micro" or name.startswith(LOOKS_AT_OTHER_CONCEPTS):
        pytest.skip("looks at all cells together")
    options = {"unjudged": "exclude"}
    every = scored(case.truth(judged=judged, **options), case.run(), name).by_unit
    for place in range(len(every)):
        index = (slice(None), [place]) if direction == "concept" else ([place], slice(None))
        one = Problem(case.labels[index], case.scores[index])
        side = "concepts" if direction == "concept" else "items"
        ids = case.ids | {side: [case.ids[side][place]]}
        truth = cf.Truth(one.labels, judged=judged[index], **options, **ids)
        run = cf.Run(one.scores, threshold=case.run().threshold, **ids)
        assert close(scored(truth, run, name).value, every[place])


@each_plain_measure
def test_a_measure_may_overrule_how_the_truth_treats_unjudged_cells(name: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    for mode, other in (("negative", "exclude"), ("exclude", "negative")):
        by_truth = scored(case.truth(judged=judged, unjudged=mode), case.run(), name)
        truth = case.truth(judged=judged, unjudged=other)
        by_measure = scored(truth, case.run(), f"{name}(unjudged={mode})")
        assert same(by_truth, by_measure)
        assert f"unjudged={mode}" in by_truth.signature
        assert f"unjudged={mode}" in by_measure.signature


# ── threads and chunks ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def large() -> tuple[cf.Truth, cf.Run]:
    """Enough rows for several blocks."""
    case = problem(11, items=9_000, concepts=24, values=50)
    return case.truth(), case.run()


def everything(truth: cf.Truth, run: cf.Run) -> list[bytes]:
    return [
        score.by_unit.tobytes() + repr(score.value).encode()
        for score in cf.evaluate(truth, run, PLAIN)
    ]


def test_the_number_of_threads_changes_no_bit(
    large: tuple[cf.Truth, cf.Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    with limited_to(1):
        alone = everything(*large)
    for workers in (2, 5):
        with limited_to(workers):
            assert everything(*large) == alone
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    assert everything(*large) == alone


def test_many_runs_at_once_score_as_each_alone() -> None:
    cases = [problem(seed) for seed in range(7)]
    truth = cases[0].truth()
    runs = [case.run(name=f"run {n}") for n, case in enumerate(cases)]
    with limited_to(4):
        together = cf.evaluate(truth, runs, PLAIN)
    for run in runs:
        alone = cf.evaluate(truth, run, PLAIN)
        for name in PLAIN:
            assert np.array_equal(together.units(run.name, name), alone.units(run.name, name), True)
            assert repr(together[run.name, name]) == repr(alone[run.name, name])


def test_measures_asked_for_together_score_as_each_alone() -> None:
    case = CASES["heavy ties"]
    together = cf.evaluate(case.truth(), case.run(), ALL)
    for name in ALL:
        assert same(together.score("run", name), scored(case.truth(), case.run(), name))


# ── names ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Spelled:
    """Some spelling and the canonical name it must lead to."""

    spelling: str
    canonical: str


def spellings() -> list[Spelled]:
    found = []
    for definition in cf.measures():
        name = plain(definition)
        canonical = str(cf.measure(name))
        base, at_sign, k = name.partition("@")
        cutoff = at_sign + k
        aliases = [alias.removesuffix("@k") for alias in definition.aliases]
        found += [Spelled(alias + cutoff, canonical) for alias in aliases]
        found += [Spelled(text, canonical) for text in (name.upper(), name.lower(), f"  {name} ")]
        found.append(Spelled(name.replace(".", " . "), canonical))
        if name.startswith("concept."):
            found.append(Spelled(name.replace("concept.", "topic."), canonical))
        defaults = [
            f"{option.name}={option.default}"
            for option in definition.options.values()
            if option.default not in (None, 0) and option.name != "k"
        ]
        found.append(Spelled(f"{base}{cutoff}({','.join(defaults)})", canonical))
        found.append(Spelled(f"{base}( {' , '.join(reversed(defaults))} ){cutoff}", canonical))
        found.append(Spelled(f"{base}{cutoff}({','.join(defaults)})".upper(), canonical))
        found.append(Spelled(f"{base}{cutoff}()", canonical))
        if cutoff:
            found.append(Spelled(f"{base}(k={k})", canonical))
    return found


@pytest.mark.parametrize("case", spellings(), ids=lambda case: case.spelling)
def test_every_spelling_names_the_same_measure(case: Spelled) -> None:
    assert str(cf.measure(case.spelling)) == case.canonical
    assert cf.measure(case.spelling) == cf.measure(case.canonical)
    assert hash(cf.measure(case.spelling)) == hash(cf.measure(case.canonical))


@every_measure
def test_names_round_trip_and_look_up_their_result(name: str) -> None:
    measure = cf.measure(name)
    assert cf.measure(str(measure)) == measure
    assert cf.measure(measure) is measure
    assert str(cf.measure(str(measure))) == str(measure)
    case = CASES["heavy ties"]
    result = cf.evaluate(case.truth(), case.run(), [name])
    for spelling in (name, str(measure), name.upper(), f" {name} ", measure):
        assert repr(result["run", spelling]) == repr(result.scores[0].value)


@given(value=st.floats(0, 50, allow_subnormal=False))
def test_numbers_in_names_round_trip(value: float) -> None:
    measure = cf.measure(f"example.F(beta={value!r})")
    assert cf.measure(str(measure)) == measure
    assert measure.options["beta"] == value


@every_measure
def test_the_signature_holds_every_convention(name: str) -> None:
    case = CASES["heavy ties"]
    score = scored(case.truth(), case.run(), name)
    chosen = dict(score.conventions)
    for option, value in score.measure.options.items():
        if option == "k":
            assert value == 0 or f"@{value}(" in score.signature
        else:
            assert f"{option}={chosen[option]}" in score.signature
            assert chosen[option] in (str(value), "negative")
    assert "missing=error" in score.signature
    assert (
        f"|units={score.units}|skipped={score.skipped}|cranfield={cf.__version__}|"
        in score.signature
    )
    assert f"truth={case.truth().digest[:8]}|" in score.signature
    assert case.truth().digest in score.long_signature
    assert ("decisions=>=" in score.signature) is (name in DECIDED)


@each_plain_measure
def test_every_measure_declares_what_it_is(name: str) -> None:
    measure = cf.measure(name)
    traits = measure.traits
    assert measure.definition.formula
    assert traits.source
    assert traits.range[0] < traits.range[1]
    assert traits.direction == name.partition(".")[0]
    assert (
        traits.merges
        == {"concept": "concepts", "example": "items", "micro": "counts"}[traits.direction]
    )
