"""`cf.compare`: which runs differ, and which only seem to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple, get_args

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.progress import Progress, Step, silent
from cranfield.core.reference_names import is_system
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import MOST_DRAWS, InputError, require_draws
from cranfield.measures import Measure
from cranfield.statistics.comparing.pairs import DIGITS, Pairs, sign_test, t_test, wilcoxon_test
from cranfield.statistics.comparing.resampled import resampled_p
from cranfield.statistics.comparing.tournament import Choices, Pair, Tournament, require_alpha
from cranfield.statistics.comparing.units import Resample, scores_of, values_of
from cranfield.statistics.comparing.variance import mean_ranks, nemenyi
from cranfield.statistics.significance import holm

Test = Literal["randomisation", "bootstrap", "t", "wilcoxon", "sign", "nemenyi"]
Correction = Literal["auto", "max_t", "nemenyi", "holm", "none"]

_RESAMPLED = ("randomisation", "bootstrap")
_BY_UNIT = ("wilcoxon", "sign", "nemenyi")
"""Tests that look at which run is better on single units."""
_FAMILY = {"randomisation": "max_t", "bootstrap": "max_t", "nemenyi": "nemenyi"}
"""The correction of tests that look at all pairs at once; that of the others is Holm's."""
_STEPS = 100


def compare(
    result: Evaluation | Iterable[Evaluation],
    measure: str | Measure,
    *,
    test: Annotated[Test, Option()] = "randomisation",
    correction: Annotated[Correction, Option()] = "auto",
    resample: Annotated[Literal["auto", "items", "clusters", "concepts"], Option()] = "auto",
    alpha: Annotated[float, Option(metavar="SHARE")] = 0.05,
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 10_000,
    seed: Annotated[int, Option(minimum=0)] = 0,
    progress: Progress = silent,
) -> Tournament:
    """Test which runs differ, all pairs at once, and correct for the number of pairs.

    Every run has a letter, and beside its score stand the letters of those it beats significantly.
    Runs named like random ones or the perfect one are no systems: they are neither tested nor
    counted in corrections.

    result      an evaluation, or several by the same conventions
    measure     one of its measures
    test        The test of two runs; nemenyi compares mean ranks over units.
    correction  For the number of pairs: max_t (resampled tests) and nemenyi (that test) look at all
                pairs together; auto: the first of max_t, nemenyi and holm that fits the test.
    resample    Units to compare on; auto: items, or clusters of them where the truth has such; but
                concepts (topics) of TREC files, and where a test needs single scores that only
                concepts have.
    alpha       Level of significance.
    samples     Resamples of resampled tests; where fewer flips exist, each is tried once.
    seed        Seed of resamples.
    """
    chosen = _correction(test, correction)
    _require(resample, samples, seed)
    require_alpha(alpha)
    evaluations = [result] if isinstance(result, Evaluation) else list(result)
    scores = scores_of(evaluations, measure)
    with progress("comparing", _STEPS) as step:

        def half(share: float) -> None:
            step(_STEPS / 2 * share)

        units = values_of(
            scores,
            resample,
            by_unit=test in _BY_UNIT,
            pooling="sum" if test == "randomisation" else "influence",
            step=half,
        )
        pairs = Pairs(units.values)
        verdict = _verdict(pairs, test, samples, seed, half)
        if test not in _RESAMPLED:
            half(1.0)
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
        _by_name(scores, mean_ranks(units.values)) if test == "nemenyi" else None,
        sorted(run for part in evaluations for run in part.runs if not is_system(run)),
        alpha,
    )


class _Verdict(NamedTuple):
    """The outcome of a test for all pairs."""

    p: Floats
    family: Floats
    """p-values of all pairs as one family, where the test has such."""
    ahead: Floats
    """1 or −1: the first or the second run of a pair is ahead; 0 = neither."""
    samples: int = 0
    smallest: float = 0.0


def _verdict(pairs: Pairs, test: Test, samples: int, seed: int, step: Step) -> _Verdict:
    by_mean = np.sign(np.where(pairs.alike, 0.0, pairs.sums[0]))
    match test:
        case "randomisation" | "bootstrap":
            values = resampled_p(pairs, test, samples, seed, step)
            return _Verdict(values.p, values.stepped, by_mean, values.samples, values.smallest)
        case "t":
            p, ahead = t_test(pairs), by_mean
        case "wilcoxon":
            p, ahead = wilcoxon_test(pairs)
        case "sign":
            p, ahead = sign_test(pairs)
        case "nemenyi":
            ranks = mean_ranks(pairs.values)
            first, second = pairs.indices
            ahead = np.sign(np.round(ranks[second] - ranks[first], DIGITS))
            p, family = nemenyi(ranks, pairs.units)
            return _Verdict(p, family, ahead)
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
            p=float(verdict.p[index]),
            adjusted=float(adjusted[index]),
            effect=float(effect[index]),
            a_better=float(shares[0, index]),
            b_better=float(shares[1, index]),
            ahead=("", scores[first].run.name, scores[second].run.name)[int(verdict.ahead[index])],
        )
        for index, (first, second) in enumerate(zip(*pairs.indices, strict=True))
    ]


def _by_name(scores: list[Score], numbers: Floats) -> dict[str, float]:
    return {score.run.name: float(number) for score, number in zip(scores, numbers, strict=True)}


def corrections_for(test: str) -> tuple[str, ...]:
    """The corrections that a test has, the usual one first."""
    return tuple(dict.fromkeys((_FAMILY.get(test, "holm"), "holm", "none")))


def _correction(test: str, correction: str) -> str:
    """The correction that is meant; refuses those that a test does not have."""
    if test not in get_args(Test):
        raise InputError(
            f"test={test!r}; choose {', '.join(map(repr, get_args(Test)))}", parameter="test"
        )
    fitting = corrections_for(test)
    if correction not in ("auto", *fitting):
        raise InputError(
            f"{correction} is not for the test {test}",
            mend=f"choose {' or '.join(fitting)}",
            parameter="correction",
        )
    return fitting[0] if correction == "auto" else correction


def _require(resample: str, samples: int, seed: int) -> None:
    if resample not in ("auto", *get_args(Resample)):
        raise InputError(
            f"resample={resample!r}; choose 'auto', 'items', 'clusters' or 'concepts'",
            parameter="resample",
        )
    require_draws("samples", samples, least=100)
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0", parameter="seed")
