"""Scores of items from files: tables, and the logs that harnesses for language models write.

tables             run,item,score[,measure,repeat,cluster]: CSV, TSV, Parquet, JSON Lines
inspect_logs       Inspect: .json and .eval
lm_eval_samples    lm-evaluation-harness: samples_TASK_TIME.jsonl
promptfoo_results  promptfoo: results.json

Files of a folder are read together, those that hold no scores are passed over. Nothing here runs a
model, or needs the tool that wrote a log.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from cranfield.core.axes import Missing
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.score_table import USUAL, Better, RowError, ScoreTable
from cranfield.errors import CranfieldError, FileError, InputError
from cranfield.formats.folder import is_collection
from cranfield.formats.scores import (
    inspect_logs,
    lm_eval_samples,
    promptfoo_results,
    tables,
)
from cranfield.formats.scores.rows import ScoreFormat, ScoreRow
from cranfield.formats.source import Source, opened

__all__ = ["format_name", "is_scores", "read_score_columns", "read_score_table", "read_scores"]

_FORMATS: tuple[ScoreFormat, ...] = (
    *inspect_logs.FORMATS,
    *promptfoo_results.FORMATS,
    *lm_eval_samples.FORMATS,
    *tables.FORMATS,
)
Paths = str | Path | Iterable[str | Path]


def is_scores(path: str | Path) -> bool:
    """Whether a file holds scores of items, or a folder that is no collection holds such files."""
    path = Path(path)
    if os.path.isdir(path):
        return not is_collection(path) and bool(_files(path))
    if not path.is_file():  # a pipe is read once, as what it is expected to hold
        return False
    try:
        with opened(path) as source:
            return _format(source) is not None
    except CranfieldError:
        return False


def read_scores(
    paths: Paths,
    *,
    better: Literal["higher", "lower"] | Mapping[str, Literal["higher", "lower"]] = "higher",
    missing: Missing = "error",
) -> Evaluation:
    """The evaluation of runs that were scored elsewhere, from tables or logs of harnesses.

    paths    files, or folders of them
    better   which way is better, of all measures or by measure
    missing  items that a run lacks: "error", or "absent": they count as the worst score
    """
    return Evaluation.from_scores(read_score_table(paths, better=better), missing=missing)


def read_score_table(
    paths: Paths, *, better: Better | Mapping[str, Better] = "higher"
) -> ScoreTable:
    """Items, runs and measures of several files together."""
    rows = _all_rows(paths)

    def called(index: int) -> str:
        file, row = rows[index]
        return f"line {row.line} of {file}" if row.line else str(file)

    try:
        return ScoreTable.of_columns(
            _columns([row for _, row in rows]), better=better, called=called
        )
    except RowError as error:
        file, row = rows[error.row]
        raise FileError(file, error.what, line=row.line, mend=error.mend) from None


def read_score_columns(paths: Paths) -> dict[str, list[Any]]:
    """Every score as it stands in the files, once they are found to be sound."""
    read_score_table(paths)
    return _columns([row for _, row in _all_rows(paths)])


def format_name(path: str | Path) -> str:
    """What wrote a file, or the first of a folder: "table", or a harness."""
    with opened(_expanded(Path(path))[0]) as source:
        chosen = _format(source)
    return "table" if chosen is None else chosen.name


def _all_rows(paths: Paths) -> list[tuple[Path, ScoreRow]]:
    listed = [paths] if isinstance(paths, str | Path) else list(paths)
    files = [file for path in listed for file in _expanded(Path(path))]
    rows = [(file, row) for file in files for row in _rows(file)]
    if not rows:
        raise InputError(f"there are no scores in {', '.join(map(str, listed)) or 'no file'}")
    return rows


def _columns(rows: list[ScoreRow]) -> dict[str, list[Any]]:
    """Columns of what any row has; scores that are not named or repeated are once what is usual."""
    _, runs, items, scores, measures, repeats, clusters = map(list, zip(*rows, strict=True))
    columns = {"run": runs, "item": items, "score": scores}
    columns["measure"] = [USUAL if name is None else name for name in measures]
    if any(repeat is not None for repeat in repeats):
        columns["repeat"] = [1 if repeat is None else repeat for repeat in repeats]
    if any(cluster is not None for cluster in clusters):
        columns["cluster"] = clusters
    return columns


def _expanded(path: Path) -> list[Path]:
    if not os.path.isdir(path):
        return [path]
    files = _files(path)
    if not files:
        raise FileError(path, "this folder has no file with scores", mend="name the files")
    return files


def _files(folder: Path) -> list[Path]:
    """The files with scores in a folder and those within it, by name; hidden ones do not count."""
    every = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return sorted(file for file in every if not file.name.startswith(".") and is_scores(file))


def _rows(path: Path) -> Iterable[ScoreRow]:
    with opened(path) as source:
        chosen = _format(source)
        if chosen is None:
            raise FileError(
                path,
                "there are no scores of items in a form that is known",
                mend="give a table run,item,score (CSV, TSV, Parquet, JSON Lines) or a log of "
                "Inspect, lm-evaluation-harness or promptfoo",
            )
        yield from chosen.rows(source)


def _format(source: Source) -> ScoreFormat | None:
    return next(
        (kind for kind in _FORMATS if not source.is_folder and kind.recognises(source)), None
    )
