"""Uncertainty of what a confusion matrix says, if its items are a sample of many more.

Two ways to draw the matrices that chance might have given instead:

    bootstrap  as many items again, drawn from the matrix with replacement
    dirichlet  probabilities of all cells given the counts; one imaginary item, spread evenly over
               all cells, lets confusions that were not seen happen too (Perks 1947)

The interval holds the middle share of their scores. Measures of information need one step more:
rare classes and confusions stay unseen, so entropies of samples are too small, and those of samples
of a sample are smaller by about as much again. The difference between the mean of the drawn scores
and the score of what they were drawn from estimates that bias. The score is corrected by it, and
drawn scores are moved so that their mean is the corrected score: they say how far it may be off,
not where it is. A measure that corrects itself (bias=miller_madow) keeps what is left of its bias
in samples of items; probabilities have nothing to correct, so there its score is the centre.

The interval of a score that could not be better or worse reaches it: however many items are right,
probabilities of all cells never are quite.

No correction can know of confusions that nobody saw: where there are fewer than about ten items for
each kind of confusion that occurs, intervals of information are too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.errors import InputError, require_draws, require_whole
from cranfield.measures import Measure

Method = Literal["dirichlet", "bootstrap"]

_BLOCK = 4_000_000
"""Cells of samples that are held at a time."""


@dataclass(frozen=True)
class Interval:
    """A score and where it may lie."""

    measure: Measure
    score: float
    """Of the matrix as it is."""
    corrected: float
    """The score less its bias; the same where the measure has none to speak of."""
    low: float
    high: float
    level: float
    method: Method
    samples: int
    undefined: int
    """Samples without a score, which were left out."""
    seed: int


def interval(
    table: Contingency, measure: Measure, *, method: Method, level: float, samples: int, seed: int
) -> Interval:
    """The interval of one score."""
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level:g}; give a number between 0 and 1, such as 0.95")
    drawn = resampled(table, [measure], method=method, samples=samples, seed=seed)[:, 0]
    score = float(measure.tabulate(table))
    known = np.sort(drawn[~np.isnan(drawn)])
    corrected = score
    if "bias" in measure.definition.options:
        corrected, known = _corrected(table, measure, known, method)
    low, high = (_quantile(known, share) for share in ((1.0 - level) / 2, (1.0 + level) / 2))
    least, most = _range(table, measure)
    low, high = (least if score == least else low), (most if score == most else high)
    return Interval(
        measure=measure,
        score=score,
        corrected=float(np.clip(corrected, least, most)),
        low=float(np.clip(low, least, most)),
        high=float(np.clip(high, least, most)),
        level=level,
        method=method,
        samples=samples,
        undefined=samples - len(known),
        seed=seed,
    )


def _range(table: Contingency, measure: Measure) -> tuple[float, float]:
    """Between which values the score of a table with so many classes lies."""
    least, most = measure.traits.range
    true, said = np.log(table.counts.shape).tolist()
    known = {"H_T": true, "H_T_given_S": true, "H_S": said, "H_S_given_T": said}
    known |= {"I": min(true, said), "S_I": true + said}
    nats = known.get(measure.name.removeprefix("confusion."))
    return least, most if nats is None else nats / float(np.log(measure.options["base"]))


def resampled(
    table: Contingency, wanted: Sequence[Measure], *, method: Method, samples: int, seed: int
) -> Floats:
    """(samples, measures): the scores of drawn matrices."""
    if method not in get_args(Method):
        raise InputError(f"method={method!r}; choose {' or '.join(map(repr, get_args(Method)))}")
    require_draws("samples", samples)
    require_whole("seed", seed, least=0)
    if not table.holds_counts or table.total == 0:
        raise InputError(
            "uncertainty needs counts of items; this matrix holds probabilities, or nothing: give "
            "counts"
        )
    rng = np.random.default_rng(seed)
    at_once = max(1, _BLOCK // table.counts.size)
    parts = []
    for first in range(0, samples, at_once):
        drawn = table.filled(_draw(table, method, min(at_once, samples - first), rng))
        parts.append(np.stack([measure.tabulate(drawn) for measure in wanted], axis=1))
    return np.concatenate(parts)


def _draw(table: Contingency, method: Method, samples: int, rng: np.random.Generator) -> Floats:
    """(samples, R, S) of counts or probabilities."""
    # Classes are drawn in the order of their ids, so that the order of rows and columns is nothing.
    rows, columns = (np.argsort(np.array(side)) for side in (table.true, table.said))
    cells = table.counts[np.ix_(rows, columns)].ravel()
    drawn: NDArray[Any]
    if method == "bootstrap":
        drawn = rng.multinomial(int(table.total), cells / cells.sum(), size=samples)
    else:
        drawn = rng.standard_gamma(cells + _prior(table), size=(samples, cells.size))
    out = np.empty((samples, *table.counts.shape))
    out[:, rows[:, None], columns] = drawn.reshape(out.shape)
    return out


def _prior(table: Contingency) -> float:
    """The share of the imaginary item in each cell."""
    return 1.0 / table.counts.size


def _corrected(
    table: Contingency, measure: Measure, drawn: Floats, method: Method
) -> tuple[float, Floats]:
    """The score less its bias, and the drawn scores around it; as they are if some are infinite."""
    score = float(measure.tabulate(table))
    if not (len(drawn) and np.isfinite(drawn).all() and np.isfinite(score)):
        return score, drawn
    origin = table if method == "bootstrap" else table.filled(table.counts + _prior(table))
    bias = float(drawn.mean()) - float(measure.tabulate(origin))
    if method == "dirichlet" and measure.options["bias"] != "none":
        bias = 0.0
    return score - bias, drawn - drawn.mean() + score - bias


def _quantile(ordered: Floats, share: float) -> float:
    """The smallest value that this share of values does not exceed; infinite ones are no harm."""
    if not len(ordered):
        return np.nan
    return float(ordered[min(len(ordered) - 1, max(0, int(np.ceil(share * len(ordered))) - 1))])
