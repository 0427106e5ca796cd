"""Kinds of predictions: what there is to say about small collections, and how wrong it is.

A kind lists every truth and every prediction of a shape, counts the errors of a prediction, and
tells how many of its parts two predictions differ in. Requirements rest on nothing else:

    decisions    any labels; a part is a cell, an error a wrong cell
    classes      one label for each item; a part is an item, an error a wrong item
    confidences  only their order counts: an error is a pair of a list that stands the wrong way
                 round, a tie half of one; a part is a cell
    values       numbers from 0 to 1 that should hit labels; the distance is the error
    numbers      numbers that should hit numbers; without a worst

A counterexample is a few scored pairs of a truth and a prediction that break a requirement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Floats, Ints

Lists = Literal["concept", "example", "micro"]
"""Whose cells are ranked against each other: those of a concept, of an item, or all."""
Shape = tuple[int, int]
Stack = NDArray[Any]
"""(M, N, C): several matrices of one shape, labels or numbers."""

_RANKS = (0.2, 0.5, 0.8)
"""Confidences: enough for ties, and room below for cells that rank last."""
_VALUES = (0.0, 0.5, 1.0)


class Kind:
    """Decisions; other kinds say where they differ."""

    name = "decisions"
    square = True
    """Whether truths and predictions are of one kind, so that both can change places."""
    has_worst = True
    least_concepts = 1
    blank: bool | float = False
    """What is said of a cell that nobody means."""
    levels: tuple[Any, ...] = (False, True)
    true_levels: tuple[Any, ...] = (False, True)

    def truths(self, shape: Shape) -> Stack:
        """Every truth of a shape."""
        return _grids(self.true_levels, shape)

    def predicted(self, shape: Shape) -> Stack:
        """Every prediction of a shape."""
        return _grids(self.levels, shape)

    def count(self, shape: Shape) -> int:
        """How many pairs of a truth and a prediction there are."""
        cells = shape[0] * shape[1]
        return int(len(self.levels) ** cells * len(self.true_levels) ** cells)

    def errors(self, truths: Stack, predicted: Stack) -> Floats:
        """(T, S): how wrong each prediction is beside each truth."""
        apart = np.abs(_numbers(truths)[:, None] - _numbers(predicted)[None])
        return np.asarray(apart.sum(axis=(2, 3)))

    def most(self, truths: Stack) -> Floats:
        """(T,): the errors of the worst prediction; 0 where nothing can be wrong."""
        return np.full(len(truths), float(truths[0].size))

    def differing(self, predicted: Stack) -> Ints:
        """(S, S): in how many parts predictions differ."""
        cells = predicted.reshape(len(predicted), -1)
        return np.asarray((cells[:, None] != cells[None]).sum(axis=2))

    def perfect(self, truth: Stack) -> Stack:
        """The prediction that is right."""
        return truth.copy()

    def worst(self, truth: Stack) -> Stack:
        """A prediction that is wrong wherever it can be."""
        return ~truth

    def draw(self, random: np.random.Generator, shape: Shape, share: float) -> tuple[Stack, Stack]:
        """A truth with about this share of labels, and a prediction that is half guessed."""
        truth = random.random(shape) < share
        guessed = random.random(shape) < share
        return truth, np.where(random.random(shape) < 0.5, truth, guessed)

    def changed(self, random: np.random.Generator, predicted: Stack) -> Stack:
        """A prediction with one part changed."""
        other = predicted.copy()
        cell = tuple(random.integers(predicted.shape))
        levels = [level for level in self.levels if level != predicted[cell]]
        other[cell] = levels[random.integers(len(levels))]
        return other

    def possible(self, truth: Stack) -> bool:
        """Whether a matrix is a truth of this kind."""
        return truth.size > 0


class Decisions(Kind):
    """Any labels."""


class Classes(Kind):
    """One label for each item."""

    name = "classes"
    least_concepts = 2

    def truths(self, shape: Shape) -> Stack:
        items, classes = shape
        codes = np.array(list(product(range(classes), repeat=items)))
        return np.asarray(np.eye(classes, dtype=np.bool_)[codes])

    def predicted(self, shape: Shape) -> Stack:
        return self.truths(shape)

    def count(self, shape: Shape) -> int:
        return int(shape[1] ** (2 * shape[0]))

    def errors(self, truths: Stack, predicted: Stack) -> Floats:
        wrong = (truths[:, None] != predicted[None]).any(axis=3)
        return np.asarray(wrong.sum(axis=2), dtype=np.float64)

    def most(self, truths: Stack) -> Floats:
        return np.full(len(truths), float(truths.shape[1]))

    def differing(self, predicted: Stack) -> Ints:
        return np.asarray((predicted[:, None] != predicted[None]).any(axis=3).sum(axis=2))

    def worst(self, truth: Stack) -> Stack:
        return np.roll(truth, 1, axis=1)

    def draw(self, random: np.random.Generator, shape: Shape, share: float) -> tuple[Stack, Stack]:
        classes = np.eye(shape[1], dtype=np.bool_)
        truth, guessed = (classes[random.integers(shape[1], size=shape[0])] for _ in range(2))
        return truth, np.where(random.random((shape[0], 1)) < 0.5, truth, guessed)

    def changed(self, random: np.random.Generator, predicted: Stack) -> Stack:
        other = predicted.copy()
        item = random.integers(len(predicted))
        other[item] = np.roll(predicted[item], random.integers(1, predicted.shape[1]))
        return other

    def possible(self, truth: Stack) -> bool:
        return truth.size > 0 and truth.shape[1] > 1 and bool((truth.sum(axis=1) == 1).all())


@dataclass(frozen=True)
class Confidences(Kind):
    """Rankings."""

    lists: Lists = "concept"
    name = "confidences"
    square = False
    blank = 0.0
    levels = _RANKS

    def errors(self, truths: Stack, predicted: Stack) -> Floats:
        relevant, scores = self._as_lists(truths), self._as_lists(predicted)
        pairs = relevant[..., :, None] & ~relevant[..., None, :]
        turned = (scores[..., :, None] < scores[..., None, :]) + 0.5 * (
            scores[..., :, None] == scores[..., None, :]
        )
        flat = pairs.reshape(len(truths), -1).astype(np.float64)
        return np.asarray(flat @ turned.reshape(len(predicted), -1).T)

    def most(self, truths: Stack) -> Floats:
        relevant = self._as_lists(truths)
        positives = relevant.sum(axis=2)
        return np.asarray((positives * (relevant.shape[2] - positives)).sum(axis=1), np.float64)

    def _as_lists(self, matrices: Stack) -> Stack:
        """(M, lists, cells)"""
        if self.lists == "example":
            return matrices
        if self.lists == "micro":
            return matrices.reshape(len(matrices), 1, -1)
        return matrices.transpose(0, 2, 1)

    def perfect(self, truth: Stack) -> Stack:
        return np.where(truth, _RANKS[-1], _RANKS[0])

    def worst(self, truth: Stack) -> Stack:
        return np.where(truth, _RANKS[0], _RANKS[-1])

    def draw(self, random: np.random.Generator, shape: Shape, share: float) -> tuple[Stack, Stack]:
        truth = random.random(shape) < share
        # Few levels make ties, many make whole orders: both kinds are drawn.
        levels = int(random.choice([3, 5, 30]))
        predicted = 0.1 + 0.8 * random.integers(levels, size=shape) / (levels - 1)
        better = np.maximum(predicted, truth * 0.7)
        return truth, np.where(random.random(shape) < 0.5, better, predicted)

    def changed(self, random: np.random.Generator, predicted: Stack) -> Stack:
        other = predicted.copy()
        cell = tuple(random.integers(predicted.shape))
        other[cell] = random.choice([*_RANKS, *predicted.ravel()[:4]])
        return other


class Values(Kind):
    """Numbers that should hit labels."""

    name = "values"
    square = False
    blank = 0.0
    levels = _VALUES

    def perfect(self, truth: Stack) -> Stack:
        return truth.astype(np.float64)

    def worst(self, truth: Stack) -> Stack:
        return 1.0 - truth

    def draw(self, random: np.random.Generator, shape: Shape, share: float) -> tuple[Stack, Stack]:
        truth = random.random(shape) < share
        return truth, np.round(random.random(shape), 1)


class Numbers(Kind):
    """Numbers that should hit numbers."""

    name = "numbers"
    has_worst = False
    blank = 0.0
    levels = true_levels = _VALUES

    def draw(self, random: np.random.Generator, shape: Shape, share: float) -> tuple[Stack, Stack]:
        return np.round(random.random(shape), 1), np.round(random.random(shape), 1)


def _grids(levels: tuple[Any, ...], shape: Shape) -> Stack:
    cells = shape[0] * shape[1]
    # The first cell changes fastest, so that counterexamples begin with the first concept.
    return np.array(list(product(levels, repeat=cells)))[:, ::-1].reshape(-1, *shape)


def _numbers(labels: Bools | Floats) -> Floats:
    return np.asarray(labels, dtype=np.float64)


# ── counterexamples ──────────────────────────────────────────────────────────────────────────────


_NOTHING = "∅"


@dataclass(frozen=True, eq=False)
class Pair:
    """A truth, what was said of it, and the score."""

    truth: Stack
    predicted: Stack
    score: float
    items: tuple[str, ...]
    concepts: tuple[str, ...]

    def __str__(self) -> str:
        truth, predicted = self._set(self.truth), self._set(self.predicted)
        return f"truth {truth}, said {predicted}: {number(self.score)}"

    def _set(self, matrix: Stack) -> str:
        """Labels of each item, or numbers of each concept; items are told apart by bars."""
        return " | ".join(_row(row, self.concepts) for row in matrix)

    def to_dict(self) -> dict[str, Any]:
        return {
            "truth": self.truth.astype(float).tolist(),
            "said": self.predicted.astype(float).tolist(),
            "score": self.score if math.isfinite(self.score) else None,
            "items": list(self.items),
            "concepts": list(self.concepts),
        }


@dataclass(frozen=True)
class Counterexample:
    """Pairs whose scores break a requirement, and how."""

    why: str
    pairs: tuple[Pair, ...] = ()
    """None where whole runs were compared."""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.why, "; ".join(map(str, self.pairs)))))

    def to_dict(self) -> dict[str, Any]:
        return {"why": self.why, "pairs": [pair.to_dict() for pair in self.pairs]}


def number(score: float) -> str:
    """A score as short as it can be told from others."""
    return "undefined" if math.isnan(score) else f"{score:.4g}"


def _row(row: Stack, concepts: tuple[str, ...]) -> str:
    if row.dtype == np.bool_:
        names = [name for name, holds in zip(concepts, row.tolist(), strict=True) if holds]
        return "{" + ", ".join(names) + "}" if names else _NOTHING
    pairs = zip(concepts, row.tolist(), strict=True)
    return "(" + ", ".join(f"{name} {value:g}" for name, value in pairs) + ")"
