"""Which way a confusion matrix lies: what its titles and names say about rows and columns.

Rows are true classes and columns are those that a system assigned, unless a title says otherwise:
Weka, scikit-learn, pandas and MATLAB lay matrices out so, caret and yardstick (R) the other way.
A title in words that are not understood is refused, since it may name either side.

    true,woman,man          a corner with one title speaks of the rows
    predicted\\actual,…      a corner with two: rows first, then columns
    rows: predicted,…       or with the axis spelled out
    ,pred:woman,pred:man    names of classes behind a title
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Floats
from cranfield.errors import InputError

Rows = Literal["truth", "system"]
"""What the rows of a confusion matrix are."""
_Axis = Literal["rows", "columns"]

_WORDS: dict[Rows, set[str]] = {
    "truth": {
        "true", "truth", "groundtruth", "gt", "actual", "actually", "target", "gold", "reference",
        "ref", "expected", "correct", "real", "observed", "obs", "presented", "ytrue",
    },
    "system": {
        "said", "predicted", "prediction", "predictions", "predict", "pred", "preds", "ypred",
        "system", "model", "classifier", "assigned", "output", "outputs", "recognised",
        "recognized", "classified", "detected", "hypothesis", "hyp", "estimated", "estimate",
        "guessed", "guess", "decided", "forecast",
    },
}  # fmt: skip
"""What people call true classes and those of a system, in lower case."""
_BESIDE = {"y", "label", "labels", "class", "classes", "category", "as", "ground", "standard"}
"""Words that may stand beside them in the name of a column of labels."""
_NEUTRAL = {"confusion", "matrix", "table", "count", "counts", "cost", "costs", "loss", "losses"}
"""Words that may stand above the rows and say nothing of sides, like those beside them."""
_AXES: dict[str, _Axis] = {
    **dict.fromkeys(("row", "rows"), "rows"),
    **dict.fromkeys(("column", "columns", "col", "cols"), "columns"),
}
_WORD = re.compile(r"[^\W\d_]+")
_PREFIX = re.compile(r"^([^\W\d_]+)(?:\s*[:=_/|.-]\s*|\s+)(\S.*)$")
_ARROW = re.compile(r"[←-⇿]|->|=>|<-|>>")
_SUMS = {"all", "sum", "sums", "total", "totals", "σ"}
"""What pandas, R and spreadsheets call margins."""
_MEND = "say what they are with {rows=truth} or {rows=system}"


class Laid(NamedTuple):
    """A matrix with true classes as rows."""

    values: Floats
    true: tuple[str, ...] | None
    system: tuple[str, ...] | None


class TitledMatrix(NamedTuple):
    """A matrix as it came: the names of its rows and columns, if any, and what these are called."""

    values: Floats
    rows: tuple[str, ...] | None
    columns: tuple[str, ...] | None
    row_title: str = ""
    """May name both sides, rows first."""
    column_title: str = ""

    def laid_out(self, rows: Rows | None) -> Laid:
        """The same with true classes as rows.

        rows  what the rows are, whatever the titles say; None = as they say
        """
        if rows not in (None, "truth", "system"):
            raise InputError(f"rows={rows!r}; choose 'truth' or 'system'")
        names = self.rows, self.columns
        stated: list[tuple[_Axis, Rows]] = []
        if rows is None:
            stated += _stated(self.row_title, "rows") + _stated(self.column_title, "columns")
        if self.rows is not None and self.columns is not None:
            names, by_names = _without_prefixes(self.rows, self.columns)
            stated += by_names
            _require_no_sums(self.values, *names)
        if rows is None and not stated:
            _require_neutral(self.row_title)
            _require_neutral(self.column_title)
        if (rows or _rows(stated)) == "truth":
            return Laid(self.values, *names)
        return Laid(self.values.T, names[1], names[0])


def side_of(title: str) -> Rows | None:
    """Whose labels a column holds by its name ("y_true", "Predicted class"); None if unclear."""
    words = _words(title)
    sides = {_side(word) for word in words if word not in _BESIDE}
    return sides.pop() if len(sides) == 1 else None


def _rows(stated: Sequence[tuple[_Axis, Rows]]) -> Rows:
    """What the rows are by all that was stated."""
    sides = {side if axis == "rows" else _other(side) for axis, side in stated}
    if len(sides) > 1:
        raise InputError(
            "the titles of rows and of columns name the same side, so it is unclear which of them "
            "are true classes",
            mend=_MEND,
        )
    return sides.pop() if sides else "truth"


def _stated(title: str, first: _Axis) -> list[tuple[_Axis, Rows]]:
    """What a title says; one that names no axis speaks of `first`, and then of the other."""
    mentions: list[tuple[_Axis | None, Rows]] = []
    axis: _Axis | None = None
    names_axes = False
    for word in _words(title):
        if word in _AXES:
            axis, names_axes = _AXES[word], True
        side = _side(word)
        if side is not None and (axis, side) not in mentions[-1:]:
            mentions.append((axis, side))
    if names_axes:
        stated = [(axis, side) for axis, side in mentions if axis is not None]
        clear = len(stated) == len(mentions)
    else:
        axes: tuple[_Axis, ...] = (first,) if first == "columns" else ("rows", "columns")
        stated = [(axis, side) for axis, (_, side) in zip(axes, mentions, strict=False)]
        clear = len(mentions) <= len(axes) and not (len(mentions) > 1 and _ARROW.search(title))
    if not clear:
        raise _unclear(title)
    return stated


def _require_neutral(title: str) -> None:
    """Refuse a title in words that may well name a side, such as "erkannt"."""
    if title.casefold() not in WORDS_FOR_ITEMS and not _NEUTRAL.union(_BESIDE, _AXES).issuperset(
        _words(title)
    ):
        raise _unclear(title)


def _unclear(title: str) -> InputError:
    return InputError(
        f"the title {title!r} does not say clearly whether rows are true classes or those of the "
        "system",
        mend=_MEND,
    )


def _without_prefixes(
    rows: tuple[str, ...], columns: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[_Axis, Rows]]]:
    """Names such as "true:yes" and "pred:yes" without their titles, and what these say.

    Names that rows and columns share are classes as they stand ("true crime").
    """
    if set(rows) & set(columns):
        return (rows, columns), []
    stripped: list[tuple[str, ...]] = []
    stated: list[tuple[_Axis, Rows]] = []
    axes: tuple[_Axis, ...] = ("rows", "columns")
    for axis, names in zip(axes, (rows, columns), strict=True):
        parts = [_PREFIX.match(name) for name in names]
        sides = {_side(part[1].casefold()) if part else None for part in parts}
        side = sides.pop() if len(sides) == 1 else None
        if side is not None:
            stated.append((axis, side))
        stripped.append(names if side is None else tuple(part[2] for part in parts if part))
    return (stripped[0], stripped[1]), stated


def _require_no_sums(values: Floats, rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
    """Refuse margins, which would count as a class."""
    for axis, names in enumerate((rows, columns)):
        margin = next((i for i, name in enumerate(names) if name.casefold() in _SUMS), None)
        if margin is None or len(names) < 2:
            continue
        lines = values if axis == 0 else values.T
        others = lines.sum(axis=0) - lines[margin]
        if others.any() and abs(lines[margin] - others).max() <= 1e-9 * others.max():
            raise InputError(
                f"{'row' if axis == 0 else 'column'} {names[margin]!r} holds the sums of the "
                "others, which would count as a class; leave sums out"
            )


def _words(title: str) -> list[str]:
    return _WORD.findall(title.casefold())


def _side(word: str) -> Rows | None:
    return next((side for side, words in _WORDS.items() if word in words), None)


def _other(side: Rows) -> Rows:
    return "system" if side == "truth" else "truth"
