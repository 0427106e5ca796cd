"""Randomisation and bootstrap tests of all pairs, and max-T over all of them.

randomisation  the signs of differences are flipped; exact, if each difference is as likely to be
               of either sign when both runs are equally good (Fisher 1935)
bootstrap      units are drawn with replacement, and the mean difference is shifted to 0

p = (c + 1) / (n + 1), with c of n resamples as far from 0 as the difference itself; where all flips
were tried, one of which changes nothing, p = c / n. Each difference is measured by its own spread,
which no flip changes: that is the t statistic in other units.

max-T (Westfall & Young 1993, Romano & Wolf 2005) compares the farthest pair with the farthest of
each resample, the next one with the farthest among the others, and so on: the chance of even one
false finding stays below α, and runs that resemble each other cost less than Holm or Bonferroni
take. Its first step is a randomised Tukey HSD (Carterette 2012), with flips for exchanges of runs.

Several measures on the same units are one family: a flip turns a unit in all of them at once, so
that what measures share is in every resample, and the farthest is sought among all pairs by all
measures. That is as exact as for one measure, if each unit's differences by all of them might as
well have had the other sign together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Step
from cranfield.statistics.comparing.pairs import Pairs
from cranfield.statistics.resampling import Sampling

_TIE = 1e-9
"""Distances as large as the observed one up to this, in units of their spread, are as large."""
_LINE = 8
"""Numbers of a cache line."""
AT_ONCE = 512
"""Flips of a block."""

Bytes = NDArray[np.uint8]


class PValues(NamedTuple):
    """Of all pairs."""

    p: Floats
    stepped: Floats
    """Adjusted by step-down max-T."""
    samples: int
    """Resamples that were taken."""
    smallest: float
    """No p-value can be smaller."""


class Placed(NamedTuple):
    """All pairs of runs by one measure, and which of the units that are resampled count in it."""

    pairs: Pairs
    columns: Ints
    """(units of the pairs,): where each unit stands among those that are resampled."""


def resampled_p(
    pairs: Pairs,
    kind: Literal["randomisation", "bootstrap"],
    samples: int,
    seed: int,
    step: Step = lambda _: None,
) -> PValues:
    """p-values of all pairs from the same resamples; a step is a share of the work."""
    (values,) = jointly_resampled_p([pairs_alone(pairs)], kind, samples, seed, step)
    return values


def pairs_alone(pairs: Pairs) -> Placed:
    """Pairs whose units are all that are resampled."""
    return Placed(pairs, np.arange(pairs.units))


def jointly_resampled_p(
    members: Sequence[Placed],
    kind: Literal["randomisation", "bootstrap"],
    samples: int,
    seed: int,
    step: Step = lambda _: None,
) -> list[PValues]:
    """p-values by several measures, from the same resamples of the same units.

    Each is as it would be alone; those adjusted are so for all pairs by all measures. A unit that
    does not count in a measure adds nothing to its sums, whatever its sign.
    """
    bootstrap = kind == "bootstrap"
    values = _stacked(members, centred=bootstrap)
    ways = None if bootstrap else distinct_flips(values.shape[1], samples)
    count, extra = (samples, 1) if ways is None else (ways, 0)
    steps, order = _joint_steps(members, centred=bootstrap)
    if bootstrap:
        counts = _bootstrap(values, steps, samples, seed, step)
    else:
        counts = _randomisation(values, steps, count, seed, step, ways is not None)
    p, stepped = np.empty((2, len(order)))
    p[order], lowest_first = ((counts + extra) / (count + extra)).T
    stepped[order] = np.maximum.accumulate(lowest_first[::-1])[::-1]
    ends = np.cumsum([len(member.pairs) for member in members])[:-1]
    parts = zip(np.split(p, ends), np.split(stepped, ends), strict=True)
    return [PValues(*part, count, 1 / (count + extra)) for part in parts]


def _stacked(members: Sequence[Placed], *, centred: bool) -> Floats:
    """(runs of all measures, units), 0 where a unit does not count."""
    width = 1 + max(int(member.columns.max()) for member in members)
    rows = []
    for pairs, columns in members:
        values = pairs.values
        row = np.zeros((len(values), width))
        row[:, columns] = values - values.mean(axis=1, keepdims=True) if centred else values
        rows.append(row)
    return np.concatenate(rows)


def _joint_steps(members: Sequence[Placed], *, centred: bool) -> tuple[kernels.Steps, Ints]:
    """The bars that resamples must reach, in units of the spread; and the order of pairs."""
    parts: list[kernels.Steps] = []
    above = 0
    for pairs, _ in members:
        first, second = pairs.indices
        bars = _bars(pairs, pairs.spreads if centred else pairs.sums[1])
        parts.append(kernels.Steps(first + above, second + above, *bars))
        above += len(pairs.values)
    joint = kernels.Steps._make(np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(joint.bar, kind="stable")
    return kernels.Steps._make(column[order] for column in joint), order


def _bars(pairs: Pairs, squares: Floats) -> tuple[Floats, Floats]:
    """What distances of pairs are multiplied by, and what they must reach then."""
    spread = np.where(pairs.alike, 0.0, np.sqrt(squares))
    scale = np.divide(1.0, spread, out=np.zeros(len(pairs)), where=spread > 0)
    apart = np.abs(pairs.sums[0]) * scale - _TIE - pairs.rounding * scale
    # Without any spread no resample differs: nothing is as far, or everything if nothing differs.
    return scale, np.where(spread > 0, apart, np.where(pairs.alike, -np.inf, np.inf))


def _randomisation(
    values: Floats, steps: kernels.Steps, count: int, seed: int, step: Step, every: bool
) -> Ints:
    """(pairs, 2): flips that reach the bars."""
    rows, units = values.shape
    # Rows of whole cache lines; rows beyond the last are 0 and in no pair.
    padded = np.zeros((units, -(-rows // _LINE) * _LINE))
    padded[:, :rows] = values.T
    counts: list[Ints] = []

    def work(blocks: range) -> None:
        for block in blocks:
            flips = counted_flips(units, block) if every else random_flips(units, seed, block)
            flips = flips[: count - block * AT_ONCE]
            counts.append(kernels.tally(kernels.flip_sums(padded, flips), steps))
            step(len(flips) / count)

    kernels.share(-(-count // AT_ONCE), 1, work)
    return np.asarray(np.sum(counts, axis=0))


def _bootstrap(values: Floats, steps: kernels.Steps, samples: int, seed: int, step: Step) -> Ints:
    """(pairs, 2): draws that reach the bars; values are 0 on average."""
    counts = np.zeros((len(steps.bar), 2), dtype=np.int64)
    units = values.shape[1]
    sampling = Sampling(units, np.arange(units), np.zeros(units, dtype=np.int64), seed)
    for times in sampling.draws(samples):
        counts += kernels.tally(values @ times.T, steps)
        step(len(times) / samples)
    return counts


# ── random signs ──────────────────────────────────────────────────────────────────────────────
# If two runs are equally good, each difference might have had the other sign. Flipping the signs of
# units flips those of the differences of all pairs, so one set of sums serves all of them. The
# flips depend on the number of units and on the seed, and on nothing else.


def distinct_flips(units: int, samples: int) -> int | None:
    """How many ways there are to flip signs, up to all at once; None if more than `samples`."""
    return 2 ** (units - 1) if units <= 62 and 2 ** (units - 1) <= samples else None


def random_flips(units: int, seed: int, block: int) -> Bytes:
    """(flips, units / 8): a bit for each unit."""
    width = -(-units // 8)
    drawn = np.random.default_rng([seed, block]).bytes(AT_ONCE * width)
    return np.frombuffer(drawn, dtype=np.uint8).reshape(AT_ONCE, width)


def counted_flips(units: int, block: int) -> Bytes:
    """Every way once: the number of a way is its bits, and the last unit keeps its sign."""
    first = block * AT_ONCE
    numbers = np.arange(first, min(first + AT_ONCE, 2 ** (units - 1)), dtype="<u8")
    return numbers.view(np.uint8).reshape(-1, 8)[:, : -(-units // 8)]
