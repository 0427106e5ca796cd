"""`cf.compare`: which runs differ, and which only seem to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_args, overload

import numpy as np

from cranfield.collections.readings import AnyRuns, AnyTruth
from cranfield.core.arguments import renamed
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.progress import Progress, Step, silent
from cranfield.engine.direct_calls import of_evaluation
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import MOST_DRAWS, InputError, require_draws
from cranfield.measures import Measure, measure
from cranfield.statistics.comparing.pairs import DIGITS, Pairs, sign_test, t_test, wilcoxon_test
from cranfield.statistics.comparing.resampled import Placed, jointly_resampled_p
from cranfield.statistics.comparing.tournament import Choices, Pair, Tournament, require_alpha
from cranfield.statistics.comparing.tournaments import Tournaments
from cranfield.statistics.comparing.units import (
    Resample,
    Units,
    references_of,
    scores_of,
    values_of,
)
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


Resampled = Literal["auto", "items", "clusters", "concepts"]


@overload
def compare(  # type: ignore[overload-overlap] # a text is an iterable of texts, too
    result: Evaluation | Iterable[Evaluation],
    measures: str | Measure,
    *,
    test: Test = ...,
    correction: Correction = ...,
    resample: Resampled = ...,
    alpha: float = ...,
    samples: int = ...,
    seed: int = ...,
    include_references: bool = ...,
    progress: Progress = ...,
) -> Tournament: ...
@overload
def compare(
    result: Evaluation | Iterable[Evaluation],
    measures: Iterable[str | Measure] | None = None,
    *,
    test: Test = ...,
    correction: Correction = ...,
    resample: Resampled = ...,
    alpha: float = ...,
    samples: int = ...,
    seed: int = ...,
    include_references: bool = ...,
    progress: Progress = ...,
) -> Tournaments: ...
@overload
def compare(
    truth: AnyTruth, runs: AnyRuns, measures: str | Measure, /, **options: Any
) -> Tournament: ...
@overload
def compare(
    truth: AnyTruth, runs: AnyRuns, measures: Iterable[str | Measure], /, **options: Any
) -> Tournaments: ...
@renamed(measure="measures")
@of_evaluation
def compare(
    result: Evaluation | Iterable[Evaluation],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    test: Annotated[Test, Option()] = "randomisation",
    correction: Annotated[Correction, Option()] = "auto",
    resample: Annotated[Resampled, Option()] = "auto",
    alpha: Annotated[float, Option(metavar="SHARE")] = 0.05,
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 10_000,
    seed: Annotated[int, Option(minimum=0)] = 0,
    include_references: Annotated[bool, Option()] = False,
    progress: Progress = silent,
) -> Tournament | Tournaments:
    """Test which runs differ, all pairs at once, and correct for the number of comparisons.

    Every run has a letter, and beside its score stand the letters of those it beats significantly.
    With several measures every pair by every measure is a comparison of one family.

    result      an evaluation, or several by the same conventions; or truth, runs and measures, as
                `evaluate` takes them, with its options
    measures    one of its measures, for a `Tournament`; several, for `Tournaments` (default: all
                by which a run can be better)
    test        The test of two runs; nemenyi compares mean ranks over units.
    correction  For the number of pairs and measures: max_t (resampled tests) and nemenyi (that
                test) look at all pairs together; auto: the first of max_t, nemenyi and holm that
                fits the test.
    resample    Units to compare on; auto: items, or clusters of them where the truth has such; but
                concepts (topics) of TREC files, and where only concepts have scores of their own.
    alpha       Level of significance.
    samples     Resamples of resampled tests; where fewer flips exist, each is tried once.
    seed        Seed of resamples.
    include_references  Test runs named like random ones or the perfect one like systems; else
                their scores stand apart, and no correction counts them.
    """
    chosen = _correction(test, correction)
    _require(resample, samples, seed)
    require_alpha(alpha)
    evaluations = [result] if isinstance(result, Evaluation) else list(result)
    if callable(measures):
        measures = measure(measures)
    alone = isinstance(measures, str | Measure)
    names = [measures] if isinstance(measures, str | Measure) else _several(evaluations, measures)
    fields = [scores_of(evaluations, name, references=include_references) for name in names]
    with progress("comparing", _STEPS) as step:

        def half(share: float) -> None:
            step(_STEPS / 2 * share)

        def part(share: float) -> None:
            half(share / len(names))

        units = [
            values_of(
                scores,
                resample,
                by_unit=test in _BY_UNIT,
                pooling="sum" if test == "randomisation" else "influence",
                step=part,
            )
            for scores in fields
        ]
        verdicts = _verdicts(units, test, samples, seed, half)
    tournaments = []
    families = len(set(_families(units, test)))
    for name, scores, own, verdict, adjusted in zip(
        names, fields, units, verdicts, _adjusted(verdicts, chosen, families), strict=True
    ):
        resampled = test in _RESAMPLED
        choices = Choices(
            test,
            chosen,
            own.resample,
            verdict.samples if resampled else None,
            seed if resampled else None,
            verdict.smallest,
            len(names),
            families if chosen in _FAMILY.values() else 1,
        )
        tournaments.append(
            Tournament(
                scores,
                _pairs(scores, Pairs(own.values), verdict, adjusted, scored=own.scored),
                choices,
                own,
                _by_name(scores, mean_ranks(own.values)) if test == "nemenyi" else None,
                [] if include_references else references_of(evaluations, name),
                alpha,
            )
        )
    return tournaments[0] if alone else Tournaments(tournaments)


def _several(
    evaluations: Sequence[Evaluation], measures: Iterable[str | Measure] | None
) -> list[str | Measure]:
    """Measures, each once; by default all of the first evaluation that call a run better."""
    if measures is None:
        scored = evaluations[0].measures if evaluations else ()
        names: list[str | Measure] = [m for m in scored if m.traits.better != "neither"]
    else:
        names = list(dict.fromkeys(measures))
    if not names:
        raise InputError("there is no measure to compare by", mend="name one, such as concept.AP")
    return names


# ── tests ─────────────────────────────────────────────────────────────────────────────────────


class _Verdict(NamedTuple):
    """The outcome of a test for all pairs."""

    p: Floats
    family: Floats
    """p-values of all pairs as one family, where the test has such."""
    ahead: Floats
    """1 or −1: the first or the second run of a pair is ahead; 0 = neither."""
    samples: int = 0
    smallest: float = 0.0


def _verdicts(
    units: Sequence[Units], test: Test, samples: int, seed: int, step: Step
) -> list[_Verdict]:
    """By every measure; those on the same units are resampled together."""
    if test not in ("randomisation", "bootstrap"):
        verdicts = [_verdict(Pairs(own.values), test) for own in units]
        step(1.0)
        return verdicts
    families = _families(units, test)
    by_index: dict[int, _Verdict] = {}
    for family in dict.fromkeys(families):
        members = [index for index, other in enumerate(families) if other == family]
        placed = _placed([units[index] for index in members])
        values = jointly_resampled_p(placed, test, samples, seed, _shared(step, placed, units))
        for index, member, own in zip(members, placed, values, strict=True):
            ahead = _ahead_by_mean(member.pairs)
            by_index[index] = _Verdict(own.p, own.stepped, ahead, own.samples, own.smallest)
    return [by_index[index] for index in range(len(units))]


def _shared(step: Step, members: Sequence[Placed], units: Sequence[Units]) -> Step:
    """Steps of a part of all measures."""
    return lambda share: step(share * len(members) / len(units))


def _families(units: Sequence[Units], test: str) -> list[tuple[str, int]]:
    """For each measure a name of those that are tested together: by resamples of the same items
    or concepts; by mean ranks each alone."""
    if test in _RESAMPLED:
        return [(own.resample, len(own.counted)) for own in units]
    return [(own.resample, index) for index, own in enumerate(units)]


def _placed(units: Sequence[Units]) -> list[Placed]:
    """Pairs with the columns of their units among those that count in any of these."""
    column = np.cumsum(np.logical_or.reduce([own.counted for own in units])) - 1
    return [Placed(Pairs(own.values), column[own.counted]) for own in units]


def _verdict(pairs: Pairs, test: Test) -> _Verdict:
    match test:
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
        case _:
            p, ahead = t_test(pairs), _ahead_by_mean(pairs)
    return _Verdict(p, p, ahead)


def _ahead_by_mean(pairs: Pairs) -> Floats:
    return np.asarray(np.sign(np.where(pairs.alike, 0.0, pairs.sums[0])))


def _adjusted(verdicts: Sequence[_Verdict], correction: str, families: int) -> list[Floats]:
    """p-values of every measure, corrected for all pairs by all measures.

    Holm takes all p-values for one family. max-T and Nemenyi each correct within the families that
    were tested together; their number is left to Bonferroni.
    """
    ends = np.cumsum([len(verdict.p) for verdict in verdicts])[:-1]
    if correction == "holm":
        return np.split(holm(np.concatenate([verdict.p for verdict in verdicts])), ends)
    if correction == "none":
        return [verdict.p for verdict in verdicts]
    return [np.minimum(1.0, families * verdict.family) for verdict in verdicts]


# ── results ───────────────────────────────────────────────────────────────────────────────────


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
