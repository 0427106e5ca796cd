"""Thresholds on disk: CSV or TSV with a header `concept,threshold`, each concept once."""

from __future__ import annotations

from pathlib import Path

from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.lists import read_numbers
from cranfield.formats.writing import written
from cranfield.statistics.thresholds import Thresholds


def read_thresholds(path: str | Path) -> Thresholds:
    """The threshold of each concept."""
    found = read_numbers(path, ("concept",), "threshold", mend="write concept,threshold")
    try:
        return Thresholds.of(found)
    except InputError as error:
        raise FileError(path, str(error)) from None


def write_thresholds(thresholds: Thresholds, path: str | Path) -> None:
    """Write the threshold of each concept, wholly or not at all; .tsv is cut by tabs."""
    with written(Path(path)) as target:
        separator = "\t" if target.extension == ".tsv" else ","
        target.stream.write(as_csv(thresholds, separator=separator))


def as_csv(thresholds: Thresholds, *, separator: str = ",") -> bytes:
    """The threshold of each concept, as it stands in a file."""
    header = line_of(("concept", "threshold"), (), separator)
    rows = ((row["concept"], repr(row["threshold"])) for row in thresholds.rows())
    return header + b"".join(line_of((name,), (value,), separator) for name, value in rows)
