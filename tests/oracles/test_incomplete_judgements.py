"""bpref, infAP, xinfAP and judged@k: trec_eval as oracle, and their definitions by the letter."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from problems import EXACT, sparse

EPSILON = 1e-5
STATES = (-2, -1, 0, 0, 1, 1, 2)
"""Outside the pool, in it but unjudged, not relevant, relevant."""


@st.composite
def topics(draw: st.DrawFn) -> tuple[list[int], list[float], list[bool], list[int]]:
    """The documents of a topic: states, scores, whether retrieved, strata."""
    size = draw(st.integers(1, 14))
    column = lambda values: st.lists(values, min_size=size, max_size=size)  # noqa: E731
    return (
        draw(column(st.sampled_from(STATES))),
        draw(column(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.0]))),
        draw(column(st.booleans())),
        draw(column(st.integers(0, 2))),
    )


def documents(count: int) -> list[str]:
    return [f"d{n}" for n in range(count)]


def collection(states: list[int], strata: list[int] | None = None, **options: bool) -> cf.Truth:
    state = np.array(states)[:, None]
    return cf.Truth(
        grades=np.maximum(state, 0),
        judged=state >= 0,
        pool=state >= -1,
        strata=None if strata is None else np.array(strata)[:, None],
        items=documents(len(states)),
        concepts=["t"],
        **options,
    )


def found(scores: list[float], stored: list[bool]) -> cf.Run:
    cells = sparse(np.array(scores)[:, None], np.array(stored)[:, None])
    return cf.Run(cells, items=documents(len(scores)), concepts=["t"])


@pytest.mark.parametrize("open_", [False, True])
@pytest.mark.parametrize("name", ["bpref", "infAP"])
@given(case=topics())
def test_each_is_what_trec_eval_says(name: str, open_: bool, case: tuple) -> None:
    states, scores, stored, _ = case
    qrels = {f"d{n}": state for n, state in enumerate(states) if state > -2}
    ranking = {f"d{n}": s for n, (s, here) in enumerate(zip(scores, stored, strict=True)) if here}
    if not any(state > 0 for state in states) or not ranking:
        return
    judge = pytrec_eval.RelevanceEvaluator({"t": qrels}, {name})
    wanted = judge.evaluate({"t": ranking})["t"][name]
    result = cf.evaluate(
        collection(states, open=open_), found(scores, stored), f"concept.{name}(ties=trec)"
    )
    assert result.scores[0].value == pytest.approx(wanted, abs=EXACT)


SMOOTHED = {"nist": 3, "paper": 2}
"""How many ε the number of judged documents gets: in NIST's sample_eval, and in the paper."""


def inferred(states: list[int], order: list[int], strata: list[int], rule: str) -> float:
    """xinfAP of a strict order, document by document."""
    size = {s: sum(x > -2 and t == s for x, t in zip(states, strata, strict=True)) for s in strata}
    seen = {s: sum(x > -1 and t == s for x, t in zip(states, strata, strict=True)) for s in strata}
    hits = {s: sum(x > 0 and t == s for x, t in zip(states, strata, strict=True)) for s in strata}
    total = sum(size[s] * hits[s] / seen[s] for s in size if hits[s])
    sums = 0.0
    for place, document in enumerate(order):
        if states[document] < 1:
            continue
        above, k = order[:place], place + 1
        precision = 1 / k
        for s in size:
            pooled = [states[d] for d in above if strata[d] == s and states[d] > -2]
            rel = sum(state > 0 for state in pooled)
            judged = sum(state > -1 for state in pooled)
            precision += len(pooled) / k * (rel + EPSILON) / (judged + SMOOTHED[rule] * EPSILON)
        s = strata[document]
        sums += size[s] / seen[s] * precision
    return sums / total


@pytest.mark.parametrize("rule", SMOOTHED)
@given(case=topics(), seed=st.integers(0, 99))
def test_xinfap_is_its_definition(rule: str, case: tuple, seed: int) -> None:
    states, _, stored, strata = case
    if not any(state > 0 for state in states):
        return
    scores = np.random.default_rng(seed).permutation(len(states)).astype(float).tolist()
    order = sorted((d for d in range(len(states)) if stored[d]), key=lambda d: -scores[d])
    result = cf.evaluate(
        collection(states, strata), found(scores, stored), f"concept.xinfAP(rule={rule})"
    )
    expected = inferred(states, order, strata, rule)
    assert result.scores[0].value == pytest.approx(expected, abs=EXACT)


def test_xinfap_is_what_sample_eval_says_by_default() -> None:
    # d0 alone stands above the relevant d1 and was not judged: relevant with ε/3ε, not ε/2ε
    truth = collection([-1, 1], [0, 0])
    run = found([2.0, 1.0], [True, True])
    names = ["concept.xinfAP", "concept.xinfAP(rule=paper)"]
    nist, paper = cf.evaluate(truth, run, names).scores
    assert nist.value == pytest.approx(1 / 2 + 1 / 2 * 1 / 3)
    assert paper.value == pytest.approx(1 / 2 + 1 / 2 * 1 / 2)
    assert "rule=nist" in nist.signature


@given(case=topics())
def test_one_stratum_is_infap_by_the_rule_of_the_paper(case: tuple) -> None:
    states, scores, stored, _ = case
    truth = collection(states, [5] * len(states))
    names = ["concept.infAP", "concept.xinfAP(rule=paper)"]
    result = cf.evaluate(truth, found(scores, stored), names)
    infap, xinfap = result.scores
    assert xinfap.value == pytest.approx(infap.value, abs=EXACT, nan_ok=True)


@given(case=topics())
def test_with_everything_judged_both_are_ap_but_for_epsilon(case: tuple) -> None:
    states, scores, stored, strata = case
    truth = collection([max(state, 0) for state in states], strata)
    names = ["concept.AP", "concept.infAP", "concept.xinfAP"]
    ap, *inferences = cf.evaluate(truth, found(scores, stored), names).scores
    for one in inferences:
        assert one.value == pytest.approx(ap.value, abs=2e-4, nan_ok=True)


@given(case=topics())
def test_the_rule_for_unjudged_cells_changes_nothing(case: tuple) -> None:
    states, scores, stored, strata = case
    for name in ("bpref", "infAP", "xinfAP"):
        values = [
            cf.evaluate(
                collection(states, strata),
                found(scores, stored),
                f"concept.{name}(unjudged={rule})",
            )
            .scores[0]
            .value
            for rule in ("negative", "exclude")
        ]
        assert values[0] == pytest.approx(values[1], abs=EXACT, nan_ok=True)


def judged_shares(order: list[int], k: int) -> float:
    """Of the states of a strict order."""
    shown = order[:k]
    return sum(state >= 0 for state in shown) / len(shown) if shown else 0.0


@pytest.mark.parametrize("open_", [False, True])
@given(case=topics(), k=st.integers(1, 16))
def test_judged_is_the_share_of_judged_documents_at_the_top(
    open_: bool, case: tuple, k: int
) -> None:
    states, scores, stored, _ = case
    truth = collection(states, open=open_)
    listed = [n for n, here in enumerate(stored) if here]
    by_id = sorted(listed, key=lambda n: (scores[n], f"d{n}".encode()), reverse=True)
    orders = {
        "trec": by_id,
        "best": sorted(listed, key=lambda n: (scores[n], states[n] >= 0), reverse=True),
        "worst": sorted(listed, key=lambda n: (scores[n], states[n] < 0), reverse=True),
    }
    names = [f"concept.judged@{k}(ties={rule})" for rule in orders]
    result = cf.evaluate(truth, found(scores, stored), [*names, f"concept.judged@{k}"])
    for name, order in zip(names, orders.values(), strict=True):
        wanted = judged_shares([states[n] for n in order], k)
        assert result["run", name] == pytest.approx(wanted, abs=EXACT), name
    low, high = result["run", names[2]], result["run", names[1]]
    assert low - EXACT <= result["run", f"concept.judged@{k}"] <= high + EXACT


def test_judged_counts_equal_scores_by_their_chance_and_what_nobody_judged_even_if_excluded() -> (
    None
):
    truth = collection([1, -1, 0, -2])
    run = found([0.5, 0.5, 0.5, 0.1], [True] * 4)
    names = ["concept.judged@2", "concept.judged@2(unjudged=exclude)", "concept.judged@4"]
    result = cf.evaluate(truth, run, names)
    assert [result["run", name] for name in names] == pytest.approx([2 / 3, 2 / 3, 0.5])
    assert cf.score([[1, 0]], [[0.4, 0.2]], "example.judged@1") == 1.0
