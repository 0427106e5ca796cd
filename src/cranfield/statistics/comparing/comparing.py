"""`cf.compare`: which runs differ, and which only seem to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, get_args

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.reference_names import is_system
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import InputError, require_draws
from cranfield.measures import Measure
from cranfield.statistics.comparing import paired, ranks
from cranfield.statistics.comparing.pairs import DIGITS, Pairs
from cranfield.statistics.comparing.resampled import resampled_p
from cranfield.statistics.comparing.tournament import Choices, Pair, Tournament
from cranfield.statistics.comparing.units import Resample, scores_of, values_of
from cranfield.statistics.correction import holm

Test = Literal["randomisation", "bootstrap", "t", "wilcoxon", "sign", "nemenyi"]
Correction = Literal["auto", "max_t", "nemenyi", "holm", "none"]

_RESAMPLED = ("randomisation", "bootstrap")
_BY_UNIT = ("wilcoxon", "sign", "nemenyi")
"""Tests that look at which run is better on single units."""
_FAMILY = {"randomisation": "max_t", "bootstrap": "max_t", "nemenyi": "nemenyi"}
"""The correction of tests that look at all pairs at once; that of the others is Holm's."""


def compare(
    result: Evaluation | Iterable[Evaluation],
    measure: str | Measure,
    *,
    test: Test = "randomisation",
    correction: Correction = "auto",
    resample: Resample | Literal["auto"] = "auto",
    samples: int = 10_000,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Tournament:
    """All systems of an evaluation, or of several by the same conventions, against each other.

    Runs named like random ones or the perfect one are no systems: they are neither tested nor
    counted in corrections, and the tournament says so.

    test        "randomisation" or "bootstrap" of units, "t", "wilcoxon", "sign", or "nemenyi": mean
                ranks over units
    correction  for the number of pairs: "max_t" (resampled tests) or "nemenyi" (that one), from all
                pairs together; "holm"; "none"; "auto": the first that fits
    resample    units to compare on: "items" or "concepts"; "auto": items, but concepts (topics) of
                open truths, and of concept-based measures where the test asks for scores of units
    samples     of resampled tests; where fewer flips exist, each of them is tried once
    progress    called with the share of the work that was done since the last call
    """
    chosen = _correction(test, correction)
    _require(resample, samples, seed)
    tell: Callable[[float], None] = progress or (lambda _: None)
    results = [result] if isinstance(result, Evaluation) else list(result)
    scores = scores_of(results, measure)
    units = values_of(
        scores, resample, by_unit=test in _BY_UNIT, advance=lambda share: tell(share / 2)
    )
    pairs = Pairs(units.values)
    verdict = _verdict(pairs, test, samples, seed, lambda share: tell(share / 2))
    adjusted = {"holm": holm(verdict.p), "none": verdict.p}.get(chosen, verdict.family)
    resampled = test in _RESAMPLED
    return Tournament(
        scores,
        _pairs(scores, pairs, verdict, adjusted, scored=units.scored),
        Choices(
            test,
            chosen,
            units.resample,
            verdict.samples if resampled else None,
            seed if resampled else None,
            verdict.smallest,
        ),
        units,
        _by_name(scores, ranks.mean_ranks(units.values)) if test == "nemenyi" else None,
        sorted(run for one in results for run in one.runs if not is_system(run)),
    )


class _Verdict(NamedTuple):
    """What a test says of all pairs."""

    p: Floats
    family: Floats
    """p-values of all pairs as one family, where the test has such."""
    ahead: Floats
    """1 or −1: the first or the second run of a pair is ahead; 0 = neither."""
    samples: int = 0
    smallest: float = 0.0


def _verdict(
    pairs: Pairs, test: Test, samples: int, seed: int, advance: Callable[[float], None]
) -> _Verdict:
    by_mean = np.sign(np.where(pairs.alike, 0.0, pairs.sums[0]))
    match test:
        case "randomisation" | "bootstrap":
            found = resampled_p(pairs, test, samples, seed, advance)
            return _Verdict(found.p, found.stepped, by_mean, found.samples, found.smallest)
        case "t":
            p, ahead = paired.t_test(pairs), by_mean
        case "wilcoxon":
            p, ahead = paired.wilcoxon_test(pairs)
        case "sign":
            p, ahead = paired.sign_test(pairs)
        case "nemenyi":
            places = ranks.mean_ranks(pairs.values)
            first, second = pairs.places
            ahead = np.sign(np.round(places[second] - places[first], DIGITS))
            p, family = ranks.nemenyi(places, pairs.units)
            advance(1.0)
            return _Verdict(p, family, ahead)
    advance(1.0)
    return _Verdict(p, p, ahead)


def _pairs(
    scores: list[Score], pairs: Pairs, verdict: _Verdict, adjusted: Floats, *, scored: bool
) -> list[Pair]:
    deviation = np.sqrt(pairs.spreads / (pairs.units - 1))
    mean = pairs.sums[0] / pairs.units
    effect = np.divide(mean, deviation, out=np.copysign(np.inf, mean), where=deviation > 0)
    effect[pairs.alike] = 0.0
    shares = pairs.shares if scored else np.full((2, len(pairs)), np.nan)
    return [
        Pair(
            a=scores[first].run.name,
            b=scores[second].run.name,
            difference=scores[first].value - scores[second].value,
            p=float(verdict.p[place]),
            adjusted=float(adjusted[place]),
            effect=float(effect[place]),
            a_better=float(shares[0, place]),
            b_better=float(shares[1, place]),
            ahead=("", scores[first].run.name, scores[second].run.name)[int(verdict.ahead[place])],
        )
        for place, (first, second) in enumerate(zip(*pairs.places, strict=True))
    ]


def _by_name(scores: list[Score], numbers: Floats) -> dict[str, float]:
    return {score.run.name: float(number) for score, number in zip(scores, numbers, strict=True)}


def corrections_for(test: str) -> tuple[str, ...]:
    """The corrections that a test has, the usual one first."""
    return tuple(dict.fromkeys((_FAMILY.get(test, "holm"), "holm", "none")))


def _correction(test: str, correction: str) -> str:
    """The correction that is meant; refuses those that a test does not have."""
    if test not in get_args(Test):
        raise InputError(f"test={test!r}; choose {', '.join(map(repr, get_args(Test)))}")
    fitting = corrections_for(test)
    if correction not in ("auto", *fitting):
        wanted = ", ".join(map(repr, fitting))
        raise InputError(f"correction={correction!r} is not for test={test!r}; choose {wanted}")
    return fitting[0] if correction == "auto" else correction


def _require(resample: str, samples: int, seed: int) -> None:
    if resample not in ("auto", *get_args(Resample)):
        raise InputError(f"resample={resample!r}; choose 'auto', 'items' or 'concepts'")
    require_draws("samples", samples, least=100)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")
