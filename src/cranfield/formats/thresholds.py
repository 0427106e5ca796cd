"""Thresholds on disk: CSV or TSV with a header.

concept,threshold      one for each concept, each concept once
run,threshold          one for each run; other columns, as in a collection's runs.csv, do not count,
                       and a run whose field is empty decides by itself
run,concept,threshold  one for each concept of each run, as ImageCLEF 2009 asked for
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.delimited import Row, line_of, require_width, rows_of
from cranfield.formats.lists import read_numbers
from cranfield.formats.problems import shown
from cranfield.formats.source import name_of, opened, written

if TYPE_CHECKING:
    from cranfield.statistics.thresholds import RunThresholds, Thresholds
    from cranfield.statistics.thresholds.tuning import Cut

_HEADERS = "write concept,threshold or run,threshold or run,concept,threshold"


def read_thresholds(path: str | Path) -> Thresholds | RunThresholds:
    """The thresholds of concepts, or those of runs; both decide by `apply(run)`."""
    from cranfield.statistics.thresholds import RunThresholds, Thresholds

    with opened(path) as source:
        if source.first_line.lstrip().startswith(b"{"):
            return _of_json(path, b"".join(block.data[: block.end] for block in source.blocks()))
    rows = _rows(path)
    if "run" in _header(rows):
        return RunThresholds(_by_run(path, rows))
    result = read_numbers(path, ("concept",), "threshold", mend=_HEADERS)
    try:
        return Thresholds.of(result)
    except InputError as error:
        raise error.in_file(path) from None


def _of_json(path: str | Path, text: bytes) -> Thresholds:
    """What `cranfield thresholds --json` writes: {"thresholds": [{"concept", "threshold"}, …]}."""
    from cranfield.statistics.thresholds import Thresholds

    try:
        listed = [(row["concept"], row["threshold"]) for row in json.loads(text)["thresholds"]]
        if len(dict(listed)) == len(listed):
            return Thresholds.of(dict(listed))
        what = "names a concept twice"
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        what = f"is no JSON of thresholds ({type(error).__name__}: {error})"
    except InputError as error:
        what = str(error)
    raise FileError(path, f"{what}; give what cranfield thresholds wrote, or a CSV: {_HEADERS}")


def read_run_thresholds(path: str | Path, runs: Iterable[Path]) -> dict[str, Cut]:
    """The thresholds in a collection's `runs.csv`, which may lack that column.

    runs  the files of its runs, which is what the file may speak of
    """
    rows = _rows(path)
    header = _header(rows)
    if "run" not in header:
        told = shown(",".join(header[:4]))
        raise FileError(path, f"the header is {told}; begin it with run", line=1)
    column, names = header.index("run"), {name for run in runs for name in (run.name, name_of(run))}
    for line, fields in rows[1:]:
        if names and fields[column].strip() not in names:
            raise FileError(
                path,
                f"run {shown(fields[column])} is not in the folder runs, which has "
                f"{first_ten(sorted(map(name_of, runs)))}; check how it is written",
                line=line,
            )
    return _by_run(path, rows) if "threshold" in header else {}


def write_thresholds(thresholds: Thresholds, path: str | Path) -> None:
    """Write the threshold of each concept, wholly or not at all; .tsv is cut by tabs."""
    from cranfield.statistics.thresholds import Thresholds

    if not isinstance(thresholds, Thresholds):
        raise InputError(f"thresholds: got {type(thresholds).__name__}; give Thresholds")
    with written(Path(path)) as target:
        separator = "\t" if target.extension == ".tsv" else ","
        target.stream.write(as_csv(thresholds, separator=separator))


def as_csv(thresholds: Thresholds, *, separator: str = ",") -> bytes:
    """The threshold of each concept, as it stands in a file."""
    header = line_of(("concept", "threshold"), (), separator)
    rows = ((row["concept"], repr(row["threshold"])) for row in thresholds.rows())
    return header + b"".join(line_of((name,), (value,), separator) for name, value in rows)


def _rows(path: str | Path) -> list[Row]:
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        if "run" in _header(rows):
            require_width(source, rows, len(rows[0].fields), like="header")
    return rows


def _header(rows: list[Row]) -> list[str]:
    return [name.strip().lstrip("\ufeff").casefold() for name in rows[0].fields] if rows else []


def _by_run(path: str | Path, rows: list[Row]) -> dict[str, Cut]:
    header = _header(rows)
    twice = [name for name in ("run", "concept", "threshold") if header.count(name) > 1]
    if "threshold" not in header or twice:
        told = shown(",".join(rows[0].fields[:4]))
        raise FileError(path, f"the header is {told}; {_HEADERS}", line=rows[0].line)
    per_concept = "concept" in header
    by_concept: dict[str, dict[str, float]] = {}
    whole: dict[str, float] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, fields in rows[1:]:
        row = dict(zip(header, (field.strip() for field in fields), strict=True))
        run, concept = row["run"], row.get("concept", "")
        if not run or (per_concept and not concept):
            raise FileError(path, "a run or concept is missing; write both", line=line)
        if (run, concept) in lines:
            raise FileError(
                path,
                f"run {shown(run)}{f', concept {shown(concept)},' if per_concept else ''} stands "
                f"on line {lines[run, concept]} already; keep one of the two lines",
                line=line,
            )
        lines[run, concept] = line
        if per_concept:
            by_concept.setdefault(run, {})[concept] = _number(path, row["threshold"], line)
        elif row["threshold"]:
            whole[run] = _number(path, row["threshold"], line)
    if not lines:
        raise FileError(path, "has a header and nothing below it; write a line for each run")
    return dict(by_concept) if per_concept else dict(whole)


def _number(path: str | Path, text: str, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        what = f"the threshold is {shown(text)}" if text else "the threshold is missing"
        raise FileError(path, f"{what}; write a finite number", line=line)
    return number
