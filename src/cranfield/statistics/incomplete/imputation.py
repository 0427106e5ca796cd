"""Estimates by multiple imputation: unjudged cells are drawn, again and again, as judged ones say.

An unjudged cell is positive with the chance that judged cells of the same concept and the same
decision have, which is itself drawn from its posterior each time. The mean score over the drawn
truths is the estimate, their quantiles are the interval (Rubin 1987). That works for any measure of
decisions. It rests on a model: given its concept and the decision, a cell is taken to be
independent of the others of its item. docs/incomplete-truths.md shows what that costs.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.engine.evaluation import mean
from cranfield.measures import Measure
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.sampling import Sample

_PRIOR = 1.0
"""Cells that the rate of concepts assigned about as often counts for, beside those of a concept."""


def drawn_scores(
    gaps: Gaps,
    sample: Sample,
    measures: list[tuple[Measure, Floats | None]],
    *,
    draws: int,
    seed: int,
) -> Floats:
    """(measures, draws): scores of drawn truths; measures come with the weights of their units."""
    random = np.random.default_rng(seed)
    first, second = _posterior(sample, gaps.assigned)
    # Drawn in the order of the ids, so that the order of rows and columns does not matter.
    items, concepts = map(canonical_order, (gaps.truth.item_axis, gaps.truth.concept_axis))
    rates, luck = np.empty_like(first), np.empty(gaps.unknown.shape)
    out = np.empty((len(measures), draws))
    for draw in range(draws):
        rates[:, concepts] = random.beta(first[:, concepts], second[:, concepts])
        luck[np.ix_(items, concepts)] = random.random(luck.shape)
        comparison = gaps.completed(luck < np.where(gaps.assigned, rates[1], rates[0]))
        for place, (measure, weights) in enumerate(measures):
            out[place, draw] = mean(measure.units(comparison), weights)[0]
    return out


def _posterior(sample: Sample, assigned: Bools) -> tuple[Floats, Floats]:
    """(2, C) twice: Beta distributions of the share of positives among unjudged cells.

    Each judged cell speaks for the unjudged ones of its stratum, whose number per judged cell is
    its weight here; weights are scaled to the number of cells that are as telling.
    """
    heavy = np.where(sample.judged, sample.weights - 1.0, 0.0)
    alike = _alike(assigned.sum(axis=0))
    first, second = [], []
    for cells in (~assigned, assigned):
        weight = np.where(cells, heavy, 0.0)
        sums, squares = weight.sum(axis=0), (weight**2).sum(axis=0)
        telling = sums / np.maximum(squares, 1e-300)
        positive = (weight * sample.truth.labels).sum(axis=0) * telling
        size = sums * telling
        prior = (alike @ positive + 0.5) / (alike @ size + 1.0)
        first.append(positive + _PRIOR * prior)
        second.append(size - positive + _PRIOR * (1.0 - prior))
    return np.array(first), np.array(second)


def _alike(frequency: Ints) -> Floats:
    """(C, C): how far concepts are assigned equally often; half and twice as often count 0.6."""
    octaves = np.log2(frequency + 1.0)
    return np.asarray(np.exp(-0.5 * np.subtract.outer(octaves, octaves) ** 2))
