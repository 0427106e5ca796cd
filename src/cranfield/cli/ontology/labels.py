"""Label sets in files, whoever says so: a truth, the truth of a collection, or a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.cli.choices import Extra

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth


@dataclass(frozen=True)
class LabelFile:
    """What a file says about items, and as what it was read."""

    path: Path
    labels: Truth | Run
    meant_as: str
    collection: Collection | None = None
    """What else the file of a truth holds."""


def read_labels(
    path: Path,
    *,
    threshold: float | None = None,
    concepts: Path | None = None,
    format: str | None = None,
    is_run: bool = False,
    against: Collection | None = None,
    extra: Extra = Extra.error,
) -> LabelFile:
    """A truth if the file can be one, else a run; with a threshold, or among runs, always a run.

    against  the truth that a run is for, which knows names and sizes
    extra    what becomes of items that it lacks
    """
    from cranfield import formats
    from cranfield.errors import FileError, InputError
    from cranfield.formats import folder

    names = formats.read_concepts(concepts) if concepts else None
    is_run = is_run or threshold is not None or against is not None or folder.lies_in_runs(path)
    if is_run and folder.is_collection(path):
        raise FileError(path, "is a collection folder where a run is needed; name a file of it")
    if not is_run:
        try:
            read = formats.read_collection(path, concepts=names, format=format)
            return LabelFile(path, read.truth, "as a truth", read)
        except FileError as error:
            if folder.is_collection(path):
                raise
            refused = error
    try:
        run = formats.read_run(
            *(path, against),
            concepts=names,
            format=format,
            threshold=threshold,
            extra=extra.value,
        )
    except FileError:
        if not is_run:
            raise refused from None
        raise
    with about(path):
        formats.require_divided(run)
    if run.labels is not None:
        return LabelFile(path, run, "as a run")
    try:
        cut = run.cut
    except InputError as error:
        raise FileError(path, str(error)) from None
    return LabelFile(path, run, f"as a run, labels of confidence {_number(cut)} or more")


def _number(cut: object) -> str:
    return f"{cut:g}" if isinstance(cut, float) else "as its file says"


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Put the file before what the library says of its labels."""
    from cranfield.errors import FileError, InputError

    try:
        yield
    except FileError:
        raise
    except InputError as error:
        raise FileError(path, str(error)) from None


def write_labels(labels: Collection | Run, path: Path, *, lossy: bool) -> None:
    """Write a truth or a run wholly or not at all, and say so."""
    from cranfield import formats
    from cranfield.cli.screen import inform
    from cranfield.core.run import Run

    if lossy:
        lost = formats.convert(labels, path, lossy=True)
        if lost:
            inform(f"lost {', '.join(lost)}")
    elif isinstance(labels, Run):
        formats.write_run(labels, path)
    else:
        formats.write_truth(labels, path)
    inform(f"wrote {path}")
