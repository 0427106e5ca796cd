"""Writing what queries find as a collection folder: queries, their truth, and a run of each system.

queries.csv  the queries under their ids
truth.*      which items answer each: the qrels
runs/*       what each run finds

The folder is filled when all of it is written: what fails half-way leaves nothing behind.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cranfield import formats
from cranfield.cli.query.places import Searched
from cranfield.cli.screen import inform
from cranfield.core.matrices import Cells, as_cells, columns_of, rows_of
from cranfield.core.run import Run
from cranfield.errors import FileError
from cranfield.formats.query_files import write_queries
from cranfield.formats.registry import named

TREC = "trec"
_ENDINGS = {
    TREC: (".qrels", ".run"),
    "long": (".csv", ".csv"),
    "openimages": (".csv", ".csv"),
    "parquet-long": (".parquet", ".parquet"),
}
"""Of truths and runs, where the format has none of its own or two."""


def require_room(folder: Path) -> None:
    """Refuse a folder that holds something, before anything is read."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FileError(folder, "is there already; choose another folder, or empty this one")
    except OSError as error:
        raise _unwritable(folder, error) from None


def write(searched: Searched, folder: Path, format: str) -> None:
    """Write the whole folder, or nothing."""
    goal = folder.resolve()
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".", dir=goal.parent) as beside:
            try:
                _fill(Path(beside), searched, format)
            except FileError as error:
                raise _as_seen(error, Path(beside), folder) from None
            goal.mkdir(exist_ok=True)
            for part in sorted(Path(beside).iterdir()):
                part.rename(goal / part.name)
    except OSError as error:
        raise _unwritable(folder, error) from None
    inform(f"wrote {folder}")


def _fill(folder: Path, searched: Searched, format: str) -> None:
    own = named(format).extensions[:1] * 2
    of_truth, of_runs = _ENDINGS.get(format, own)
    (folder / "runs").mkdir()
    write_queries(searched.queries, folder / "queries.csv")
    formats.write_truth(searched.truth, folder / f"truth{of_truth}", format)
    lost: dict[str, None] = {}
    for run in searched.runs:
        answers = _listed(run) if format == TREC else run
        if 0 in answers.shape:
            inform(f"run {run.name} finds nothing and is not written")
            continue
        path = folder / "runs" / f"{run.name.replace('/', '_')}{of_runs}"
        lost |= dict.fromkeys(formats.convert(answers, path, format, lossy=True))
    if lost:
        inform(f"the format {format} does not hold {', '.join(lost)}")


def _listed(run: Run) -> Run:
    """What a TREC file lists: items and queries with something retrieved, or decided for."""
    found: Any = run.scores
    if run.scores is None:
        assert run.labels is not None
        decided = as_cells(run.labels)
        kept = decided.values
        found = Cells(decided.shape, decided.codes[kept], decided.values[kept])
    if not isinstance(found, Cells):
        return run
    rows, columns = np.unique(found.rows), np.unique(found.columns)
    found = columns_of(rows_of(found, rows), columns)
    return Run(
        None if run.scores is None else found,
        labels=found if run.scores is None else None,
        name=run.name,
        items=[run.items[row] for row in rows.tolist()],
        concepts=[run.concepts[column] for column in columns.tolist()],
        group=run.group,
        tags=run.tags,
    )


def _as_seen(error: FileError, beside: Path, folder: Path) -> FileError:
    """A problem of a file, where people expect the file, and with no advice but to choose --to."""
    what = error.what.replace(", or give lossy=True to do without", "")
    return FileError(folder / Path(error.path).relative_to(beside), what)


def _unwritable(folder: Path, error: OSError) -> FileError:
    return FileError(folder, f"cannot be written ({error.strerror}); choose another folder")
