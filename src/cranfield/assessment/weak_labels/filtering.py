"""Filtering tags: items that look unlike the others with the same tag lose it.

Most items that carry a tag are assumed to show what it says, and to look alike; a one-class SVM
over their features then separates them from outliers, without anybody saying which is which
(Lukashevich et al. 2009). Features are standardised first. ν is the most that may fall outside:
items on the border, which the solver places within its precision, stay. It cannot tell apart
the meanings of one word: of a tag with two, the rarer may be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.core.frames import read_frame
from cranfield.core.matrices import Bools, Floats, dense
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, require_whole
from cranfield.tasks.classes.monte_carlo.learners import library

if TYPE_CHECKING:
    import polars

_PRECISION = 1e-3
"""How exactly the SVM is solved; where items are equal, all of them lie so near to its border."""


@dataclass(frozen=True, eq=False)
class FilteredTags:
    """Tags before and after."""

    tags: Truth
    score: Floats
    """(items, tags): how well an item fits in with the others of its tag, below 0 if it goes;
    NaN where the tag was not given, or is too rare to learn from."""
    rare: tuple[str, ...]
    """Tags too rare to learn from, which are left as they are."""

    @property
    def removed(self) -> Bools:
        """(items, tags): which tags go."""
        return np.asarray(self.score < 0)

    @property
    def kept(self) -> Truth:
        """The tags that stay."""
        return Truth(
            dense(self.tags.labels) & ~self.removed,
            items=self.tags.items,
            concepts=self.tags.concepts,
        )

    @property
    def frame(self) -> polars.DataFrame:
        """Tags: how many items have them, and how many keep them."""
        import polars

        given, gone = dense(self.tags.labels).sum(axis=0), self.removed.sum(axis=0)
        return polars.DataFrame(
            {
                "tag": list(self.tags.concepts),
                "items": given,
                "kept": given - gone,
                "removed": gone,
                "learned": [tag not in set(self.rare) for tag in self.tags.concepts],
            }
        )


def filter_tags(
    tags: Truth,
    features: Any,
    *,
    outliers: float = 0.2,
    kernel: str = "rbf",
    gamma: float | str = "scale",
    least: int = 10,
    progress: Callable[[], None] = lambda: None,
) -> FilteredTags:
    """Find items that do not look like the others with the same tag.

    features  (items, features), in the order of the tags' items; a frame aligns by its ids
    outliers  ν: the largest share of a tag's items that may be outliers
    kernel, gamma  of the SVM, as scikit-learn has them
    least     tags of fewer items are left as they are
    progress  called after each tag
    """
    svm = library("sklearn.svm")
    if not 0 < outliers < 1:
        raise InputError(f"outliers={outliers!r}; give a share between 0 and 1")
    if kernel not in ("linear", "poly", "rbf", "sigmoid"):
        raise InputError(f"kernel={kernel!r}; choose linear, poly, rbf or sigmoid")
    require_whole("least", least, least=2)
    seen = _standardised(features, tags)
    labels = dense(tags.labels)
    score = np.full(labels.shape, np.nan)
    rare = []
    for column, tag in enumerate(tags.concepts):
        rows = np.flatnonzero(labels[:, column])
        if len(rows) < least:
            rare.append(tag)
        else:
            learner = svm.OneClassSVM(nu=outliers, kernel=kernel, gamma=gamma, tol=_PRECISION)
            fit = learner.fit(seen[rows]).decision_function(seen[rows])
            score[rows, column] = np.where(np.abs(fit) > _PRECISION, fit, 0.0)
        progress()
    return FilteredTags(tags, score, tuple(rare))


def _in_order(features: Any, tags: Truth) -> Floats:
    """Features in the order of the tags' items; the rows of a frame align by their ids."""
    frame = read_frame("features", features)
    if frame is None or len(frame.values) != len(tags.items):
        return np.asarray(features, dtype=np.float64)
    if frame.missing is not None:
        raise InputError("the features miss a value; fill it in")
    rows = tags.item_axis.locate(frame.item_axis, run="features", missing="error")
    return np.asarray(frame.values if rows is None else frame.values[rows], dtype=np.float64)


def _standardised(features: Any, tags: Truth) -> Floats:
    seen = _in_order(features, tags)
    if seen.ndim != 2 or len(seen) != len(tags.items):
        raise InputError(
            f"features have the shape {seen.shape}; give a row for each of the "
            f"{len(tags.items)} items and a column for each feature"
        )
    wrong = np.flatnonzero(~np.isfinite(seen).all(axis=1))
    if len(wrong):
        raise InputError(
            "features must be finite; look at items "
            f"{first_ten(tags.items[row] for row in wrong.tolist())}"
        )
    spread = seen.std(axis=0)
    return np.asarray((seen - seen.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
