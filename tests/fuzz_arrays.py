"""Throw arrays and frames of every kind at the library: the literal number, or a word for users.

    python tests/fuzz_arrays.py --count 100000 --seed 1

A small problem is dressed up at random: types and orders of bytes, strides, bytes of masks, sparse
forms, frames of pandas and Polars with or without ids, rows and columns of the run in another
order, cells that are missing, broken or no numbers. Whatever comes in, scores are those of a few
lines of Python over plain lists, or an `InputError` is raised; what holds a broken cell is refused.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas
import polars
import scipy.sparse

import cranfield as cf

Cell = tuple[bool, float | None, bool]
"""Whether it is relevant, its score (None = absent), whether it was assigned."""
Dressed = tuple[Any, dict[str, list[str]]]
"""What to hand in, and the ids that go with it."""

CUT = 0.5
WHOLE = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
REAL = ["f2", "f4", "f8", "g"]
NO_NUMBERS = ["c16", "U8", "S8", "O", "M8[s]"]
BROKEN = (math.nan, math.inf, -1.0, 2.0, 0.5)
PROGRESS = 10_000


# ── the literal numbers ───────────────────────────────────────────────────────────────────────


def precision(cells: list[Cell]) -> float | None:
    listed = [(label, score) for label, score, _ in cells if score is not None]
    relevant = sum(label for label, _, _ in cells)
    if not relevant:
        return None
    total = 0.0
    for label, score in listed:
        if label:
            above = [other for other, value in listed if value >= score]
            total += sum(above) / len(above)
    return total / relevant


def area(cells: list[Cell]) -> float | None:
    scores = [(label, -math.inf if score is None else score) for label, score, _ in cells]
    hits = [score for label, score in scores if label]
    misses = [score for label, score in scores if not label]
    if not hits or not misses:
        return None
    right = sum((a > b) + (a == b) / 2 for a in hits for b in misses)
    return right / (len(hits) * len(misses))


def hamming(cells: list[Cell]) -> float | None:
    return sum(label != said for label, _, said in cells) / len(cells) if cells else None


def f_measure(cells: list[Cell]) -> float | None:
    hits = sum(label and said for label, _, said in cells)
    both = sum(label + said for label, _, said in cells)
    return 2 * hits / both if both else None


MEASURES: dict[str, Callable[[list[Cell]], float | None]] = {
    "concept.AP": precision,
    "concept.AUC": area,
    "example.AP": precision,
    "example.hamming": hamming,
    "micro.F": f_measure,
}


@dataclass(frozen=True)
class Problem:
    """What truth and run say, as plain lists; None = no label, or nothing retrieved."""

    labels: list[list[bool | None]]
    scores: list[list[float | None]]
    decided: bool
    exclude: bool

    def literal(self, measure: str) -> float:
        """The score by definition; NaN where no unit has one."""
        rows = [
            [
                None if label is None and self.exclude else self._cell(label, score)
                for label, score in zip(*pair, strict=True)
            ]
            for pair in zip(self.labels, self.scores, strict=True)
        ]
        if measure.startswith("concept"):
            units = list(zip(*rows, strict=True))
        elif measure.startswith("micro"):
            units = [[cell for row in rows for cell in row]]  # type: ignore[list-item]
        else:
            units = rows  # type: ignore[assignment]
        own = [MEASURES[measure]([cell for cell in unit if cell is not None]) for unit in units]
        values = [value for value in own if value is not None]
        return sum(values) / len(values) if values else math.nan

    def _cell(self, label: bool | None, score: float | None) -> Cell:
        assigned = score is not None and score >= CUT
        if self.decided:
            return bool(label), None if score is None else float(assigned), assigned
        return bool(label), score, assigned


# ── dresses ───────────────────────────────────────────────────────────────────────────────────


def laid_out(rng: random.Random, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same values, somehow in memory."""
    match rng.randrange(6):
        case 0:
            return np.asfortranarray(array)
        case 1:
            return np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3]
        case 2:
            return array[::-1, ::-1].copy()[::-1, ::-1]
        case 3:
            locked = array.copy()
            locked.flags.writeable = False
            return locked
        case 4:  # in the middle of other bytes, and not aligned
            room = bytearray(array.nbytes + 1)
            room[1:] = array.tobytes()
            return np.frombuffer(room, array.dtype, offset=1).reshape(array.shape)
    return array


def stained(rng: random.Random, marks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Marks of any bytes but 0."""
    octets = [rng.choice((1, 2, 3, 128, 255)) for _ in range(marks.size)]
    return (marks.astype(np.uint8) * np.array(octets, np.uint8).reshape(marks.shape)).view(np.bool_)


def array_of(rng: random.Random, rows: list[list[Any]], width: int, kind: str) -> Any:
    array = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    if kind == "?":
        return laid_out(rng, stained(rng, array != 0))
    if kind in WHOLE + REAL:
        array = array.astype(kind)
        return laid_out(rng, array.astype(array.dtype.newbyteorder(rng.choice("<>="))))
    return array.astype(np.int64).astype(kind) if kind == "M8[s]" else array.astype(kind)


def sparse_of(rng: random.Random, rows: list[list[Any]], width: int, kind: str) -> Any:
    cells = [(r, c, v) for r, row in enumerate(rows) for c, v in enumerate(row) if v is not None]
    rng.shuffle(cells)
    values = np.array([value for *_, value in cells], dtype=np.float64).astype(kind)
    if kind == "?":
        values = stained(rng, values)
    place = np.array([cell[:2] for cell in cells], dtype=np.int32).reshape(-1, 2)
    coo = scipy.sparse.coo_array((values, (place[:, 0], place[:, 1])), shape=(len(rows), width))
    return rng.choice((coo.tocsr, coo.tocsc, coo.tocoo))()


def pandas_of(rng: random.Random, rows: list[list[Any]], ids: dict[str, list[str]]) -> Any:
    width = len(rows[0]) if rows else len(ids.get("concepts", ()))
    kind = rng.choice(("Float64", "Float32", "object"))
    columns = ids.get("concepts", range(width))
    frame = pandas.DataFrame(rows, ids.get("items"), columns, dtype=kind)
    return frame if kind != "object" else frame.astype("Float64")


def polars_of(rng: random.Random, rows: list[list[Any]], ids: dict[str, list[str]]) -> Any:
    names = ids.get("concepts", [f"c{n}" for n in range(len(rows[0]) if rows else 0)])
    kind = rng.choice((polars.Float64, polars.Float32))
    columns = [polars.Series(n, [row[c] for row in rows], kind) for c, n in enumerate(names)]
    if "items" in ids:
        columns.insert(0, polars.Series("item", ids["items"], polars.String))
    return polars.DataFrame(columns)


# ── trials ────────────────────────────────────────────────────────────────────────────────────


def attempt(seed: int) -> bool:
    """One problem, dressed up; whether it was scored and not refused."""
    rng = random.Random(seed)
    height, width = rng.randrange(1, 9), rng.randrange(1, 8)
    gaps, absent = rng.random() < 0.3, rng.random() < 0.3
    decided = rng.random() < 0.25
    values = rng.choice(
        [(0.0, 1.0), (0.0, 1.0, 2.0, 3.0), (-1.0, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0)]
    )
    labels: list[list[bool | None]] = [
        [None if gaps and rng.random() < 0.2 else rng.random() < 0.4 for _ in range(width)]
        for _ in range(height)
    ]
    scores: list[list[float | None]] = [
        [None if absent and rng.random() < 0.3 else rng.choice(values) for _ in range(width)]
        for _ in range(height)
    ]
    problem = Problem(labels, scores, decided, rng.random() < 0.3)
    with_ids = rng.random() < 0.6
    ids = {
        "items": [f"i{n}" for n in range(height)],
        "concepts": [f"c{n}" for n in range(width)],
    }
    try:
        broken, truth = _truth(rng, problem, ids if with_ids else {})
        order = _order(rng, height, width) if with_ids else None
        worse, run = _run(rng, problem, ids if with_ids else {}, order)
        result = cf.evaluate(truth, run, list(MEASURES))
    except cf.InputError:
        return False
    assert not broken, f"seed {seed}: a broken cell of the truth was scored"
    assert not worse, f"seed {seed}: a broken cell of the run was scored"
    for measure in MEASURES:
        ours, literal = result["run", measure], problem.literal(measure)
        undefined = math.isnan(literal) and measure == "micro.F"  # a matter of convention
        same = (
            math.isnan(ours) if math.isnan(literal) else math.isclose(ours, literal, rel_tol=1e-12)
        )
        assert same or undefined, f"seed {seed}, {measure}: {ours}, literally {literal}"
    return True


def _order(rng: random.Random, height: int, width: int) -> tuple[list[int], list[int]]:
    return rng.sample(range(height), height), rng.sample(range(width), width)


def _truth(
    rng: random.Random, problem: Problem, ids: dict[str, list[str]]
) -> tuple[bool, cf.Truth]:
    rows, width = problem.labels, len(problem.labels[0])
    options: dict[str, Any] = {"unjudged": "exclude" if problem.exclude else "negative"}
    numbers = [[None if x is None else float(x) for x in row] for row in rows]
    if rng.random() < 0.3:
        frame = (pandas_of if rng.random() < 0.5 else polars_of)(rng, numbers, ids)
        return False, cf.Truth(frame, **options, **_unless_frame(frame, ids))
    known = [[x is not None for x in row] for row in rows]
    plain: list[list[Any]] = [[x or 0.0 for x in row] for row in numbers]
    if not all(map(all, known)):
        options["judged"] = array_of(rng, known, width, rng.choice(["?", *WHOLE]))
    broken = rng.random() < 0.1
    kind = rng.choice(["?", "?", *WHOLE, *REAL])
    if broken:
        kind = rng.choice(["f4", "f8", *NO_NUMBERS])
        plain[rng.randrange(len(rows))][rng.randrange(width)] = rng.choice(BROKEN)
        if kind in NO_NUMBERS:
            plain = [[1.0] * width] * len(rows)
    sparse = kind not in ("f2", "g", *NO_NUMBERS) and rng.random() < 0.2
    matrix = (sparse_of if sparse else array_of)(rng, plain, width, kind)
    return broken, cf.Truth(matrix, **options, **ids, copy=rng.random() < 0.5)


def _run(
    rng: random.Random,
    problem: Problem,
    ids: dict[str, list[str]],
    order: tuple[list[int], list[int]] | None,
) -> tuple[bool, cf.Run]:
    rows, width = problem.scores, len(problem.scores[0])
    if problem.decided:
        rows = [[None if x is None else float(x >= CUT) for x in row] for row in rows]
    if order is not None:
        rows = [[rows[r][c] for c in order[1]] for r in order[0]]
        ids = {
            "items": [ids["items"][r] for r in order[0]],
            "concepts": [ids["concepts"][c] for c in order[1]],
        }
    name = "labels" if problem.decided else "scores"
    options: dict[str, Any] = {} if problem.decided else {"threshold": CUT}
    whole = all(x is not None and x == int(x) and x >= 0 for row in rows for x in row)
    empty = any(x is None for row in rows for x in row)
    if (empty and rng.random() < 0.5) or rng.random() < 0.2:
        frame = (pandas_of if rng.random() < 0.5 else polars_of)(rng, rows, ids)
        return False, cf.Run(**{name: frame}, **options, **_unless_frame(frame, ids))
    kind = rng.choice(["f4", "f8", *(WHOLE if whole else []), *(["?"] if problem.decided else [])])
    if empty or rng.random() < 0.2:
        return False, cf.Run(**{name: sparse_of(rng, rows, width, kind)}, **options, **ids)
    broken = rng.random() < 0.1
    if broken:
        kind = rng.choice(["f4", "f8", *NO_NUMBERS])
        rows = [list(row) for row in rows]
        rows[rng.randrange(len(rows))][rng.randrange(width)] = rng.choice(BROKEN[:2])
        if kind in NO_NUMBERS:
            rows = [[1.0] * width] * len(rows)
    else:
        kind = rng.choice([kind, *REAL])
    matrix = array_of(rng, rows, width, kind)
    return broken, cf.Run(**{name: matrix}, **options, **ids, copy=rng.random() < 0.5)


def _unless_frame(frame: Any, ids: dict[str, list[str]]) -> dict[str, list[str]]:
    """Ids that a frame does not bring along."""
    if isinstance(frame, polars.DataFrame) and not ids:
        return {"concepts": [f"c{n}" for n in range(frame.width)]}
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    scored = 0
    for number in range(arguments.count):
        scored += attempt(arguments.seed * 1_000_003 + number)
        if (number + 1) % PROGRESS == 0:
            print(f"{number + 1} tried, {scored} scored", flush=True)
    print(f"{arguments.count} tried, {scored} scored, all as literally computed")


if __name__ == "__main__":
    main()
