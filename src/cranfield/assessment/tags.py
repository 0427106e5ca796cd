"""Tags that users gave, of which some do not describe the item (Nowak 2011 §6.6).

Items that look unlike the others with the same tag lose it. Most items that carry a tag are assumed
to show what it says, and to look alike; a one-class SVM over their features then separates them
from outliers, without anybody saying which is which (Lukashevich et al. 2009). Features are
standardised first. ν is the most that may fall outside: items on the border, which the solver
places within its precision, stay. It cannot tell apart the meanings of one word: of a tag with two,
the rarer may be lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import numpy as np

from cranfield.core.frames import read_frame
from cranfield.core.matrices import Bools, Floats, dense, mean_of_defined, ratio
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine import score
from cranfield.errors import InputError, first_ten, require_whole, several
from cranfield.tasks.classes.monte_carlo.learners import library

if TYPE_CHECKING:
    import polars


Kernel = Literal["rbf", "linear", "poly", "sigmoid"]
JUDGED = {
    "before": "precision before",
    "after": "precision after",
    "targets_kept": "right kept",
    "outliers_removed": "wrong removed",
    "auc": "AUC",
}
"""Measures of a filter, and their headings."""
_COUNTS = ("items", "removed")
_SHOWN = 40
"""Tags that a table lists."""
_PRECISION = 1e-3
"""How exactly the SVM is solved; where items are equal, all of them lie so near to its border."""


@dataclass(frozen=True, eq=False)
class FilteredTags(Analysis):
    """Tags before and after."""

    title = "Filtered tags"

    tags: Truth
    score: Floats
    """(items, tags): how well an item fits in with the others of its tag, below 0 if it goes;
    NaN where the tag was not given, or is too rare to learn from."""
    rare: tuple[str, ...]
    """Tags too rare to learn from, which are left as they are."""
    judged: JudgedFilter | None = None
    """How well that went, where the truth is known."""

    @property
    def terms(self) -> Terms:
        return self.tags.terms

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

        items, gone = dense(self.tags.labels).sum(axis=0), self.removed.sum(axis=0)
        return polars.DataFrame(
            {
                "tag": list(self.tags.concepts),
                "items": items,
                "kept": items - gone,
                "removed": gone,
                "learned": [tag not in set(self.rare) for tag in self.tags.concepts],
            }
        )

    def by_item(self) -> Iterator[dict[str, Any]]:
        """A record for each tag of each item, the most unlikely first."""
        score = self.score
        rows, columns = np.nonzero(dense(self.tags.labels))
        order = np.lexsort((columns, rows, np.nan_to_num(score[rows, columns], nan=np.inf)))
        for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
            yield {
                "item": self.tags.items[row],
                "tag": self.tags.concepts[column],
                "kept": int(not score[row, column] < 0),
                "score": score[row, column],
            }

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"tags": self._rows(), "rare": list(self.rare)}
        if self.judged is not None:
            facts["mean"] = {name: self.judged.mean(name) for name in JUDGED}
        return facts

    def _rows(self) -> list[dict[str, Any]]:
        rows = self.frame.to_dicts()
        if self.judged is not None:
            for row, judged in zip(rows, self.judged.frame.iter_rows(named=True), strict=True):
                row.update({name: judged[name] for name in JUDGED})
        return rows

    def _tables(self) -> list[Table]:
        """Tags by the number of items, with the truth's verdict where there is one."""
        rows = self._rows()
        shown = sorted(rows, key=lambda row: -row["items"])[:_SHOWN]
        columns = [Column("tag"), *(Column(name, align="right") for name in _COUNTS)]
        remarks = [f"… and {len(rows) - _SHOWN} more tags"] if len(rows) > _SHOWN else []
        if self.judged is not None:
            columns += [Column(name, title) for name, title in JUDGED.items()]
            means = {name: self.judged.mean(name) for name in JUDGED}
            shown.append({"tag": "mean over tags", **dict.fromkeys(_COUNTS, ""), **means})
        return [
            Table("shown", shown, columns, remarks=remarks, audience="people"),
            Table("tags", rows, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        remarks = []
        if self.rare:
            rare = several(len(self.rare), "tag")
            remarks.append(f"{rare} too rare to learn from: left as given")
        if self.judged is not None:
            remarks.append(
                f"precision: share of the {self.terms.items} with a tag that it describes, by the "
                f"truth; AUC: chance that a right {self.terms.item} scores above a wrong one"
            )
        return remarks


def filter_tags(
    tags: Truth,
    features: Any,
    *,
    gold: Truth | None = None,
    outliers: Annotated[float, Option(metavar="SHARE", minimum=0.001, maximum=0.999)] = 0.2,
    kernel: Annotated[Kernel, Option()] = "rbf",
    gamma: float | str = "scale",
    least: Annotated[int, Option(minimum=2)] = 10,
    progress: Progress = silent,
) -> FilteredTags:
    """Separate items that a tag describes from outliers, by what they look like.

    A one-class SVM for each tag; nobody needs to say which items are right. Most items of a tag
    must show what it says, and look alike. Needs scikit-learn: pip install 'cranfield[learn]'.

    features  (items, features), in the order of the tags' items; a frame aligns by its ids
    gold      a truth of the same items and tags, which the filter is judged by
    outliers  ν: the largest share of a tag's items that may be outliers.
    kernel    Of the one-class SVM.
    gamma     of the SVM, as scikit-learn has it
    least     Tags of fewer items are left as they are.
    """
    svm = library("sklearn.svm")
    if not 0 < outliers < 1:
        raise InputError(
            f"outliers={outliers!r}", mend="give a share between 0 and 1", parameter="outliers"
        )
    if kernel not in get_args(Kernel):
        raise InputError(
            f"kernel={kernel!r}", mend="choose linear, poly, rbf or sigmoid", parameter="kernel"
        )
    require_whole("least", least, least=2)
    seen = _standardised(features, tags)
    labels = dense(tags.labels)
    score = np.full(labels.shape, np.nan)
    rare = []
    with progress("learning", len(tags.concepts)) as step:
        for column, tag in enumerate(tags.concepts):
            rows = np.flatnonzero(labels[:, column])
            if len(rows) < least:
                rare.append(tag)
            else:
                learner = svm.OneClassSVM(nu=outliers, kernel=kernel, gamma=gamma, tol=_PRECISION)
                fit = learner.fit(seen[rows]).decision_function(seen[rows])
                score[rows, column] = np.where(np.abs(fit) > _PRECISION, fit, 0.0)
            step(1)
    filtered = FilteredTags(tags, score, tuple(rare))
    return filtered if gold is None else replace(filtered, judged=judge(filtered, gold))


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


# ── how well tags were filtered, where the truth is known ─────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class JudgedFilter:
    """By tag; NaN where there is nothing to judge by."""

    tags: tuple[str, ...]
    before: Floats
    """The share of tagged items that the tag describes."""
    after: Floats
    """The same among those that keep it."""
    targets_kept: Floats
    """Of the items that a tag describes, the share that keeps it."""
    outliers_removed: Floats
    """Of the others, the share that loses it."""
    auc: Floats
    """How probably an item that the tag describes scores higher than one that it does not."""

    @property
    def frame(self) -> polars.DataFrame:
        import polars

        return polars.DataFrame(
            {"tag": list(self.tags), **{name: getattr(self, name) for name in JUDGED}}
        ).fill_nan(None)

    def mean(self, column: str) -> float:
        """Over the tags where it is defined."""
        return float(mean_of_defined(getattr(self, column)))


def judge(filtered: FilteredTags, gold: Truth) -> JudgedFilter:
    """Hold filtered tags against a truth of the same items and tags, or more of them."""
    right = _gold_cells(filtered, gold)
    learned = ~np.isnan(filtered.score)
    kept = learned & ~filtered.removed
    target, outlier = learned & right, learned & ~right
    auc = np.full(len(filtered.tags.concepts), np.nan)
    for column in range(len(auc)):
        rows = learned[:, column]
        if target[:, column].any() and outlier[:, column].any():
            fits = filtered.score[rows, column]
            auc[column] = score(right[rows, column][:, None], fits[:, None], "concept.AUC")
    return JudgedFilter(
        filtered.tags.concepts,
        ratio(target.sum(axis=0), learned.sum(axis=0)),
        ratio((kept & right).sum(axis=0), kept.sum(axis=0)),
        ratio((kept & right).sum(axis=0), target.sum(axis=0)),
        ratio((outlier & ~kept).sum(axis=0), outlier.sum(axis=0)),
        auc,
    )


def _gold_cells(filtered: FilteredTags, gold: Truth) -> Bools:
    """(items, tags): what the truth says, in the order of the tags."""
    places = []
    for mine, theirs in (
        (filtered.tags.item_axis, gold.item_axis),
        (filtered.tags.concept_axis, gold.concept_axis),
    ):
        lacking = theirs.strangers(mine)
        if lacking:
            raise InputError(f"the truth lacks {mine.kind} {lacking[0]!r} of the tags; add it")
        found = [theirs.positions[name] for name in mine.names]
        places.append(np.array(found, dtype=np.int64))
    return np.asarray(dense(gold.labels)[np.ix_(*places)])
