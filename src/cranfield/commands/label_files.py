"""Label sets in files, whoever assigned them: a truth, the truth of a collection, or a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core.axes import Extra
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError
from cranfield.formats import folder


@dataclass(frozen=True)
class LabelFile:
    """What a file says about items, and as what it was read."""

    path: Path
    labels: Truth | Run
    meant_as: str
    collection: Collection | None = None
    """What else the file of a truth holds."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What readers should know about the labels."""
        if isinstance(self.labels, Truth) or self.labels.one_sided is None:
            return ()
        return (f"run {self.labels.name!r}: {self.labels.one_sided}; give it another threshold",)


def read_labels(
    path: Path,
    *,
    threshold: float | None = None,
    concepts: Path | None = None,
    format: str | None = None,
    is_run: bool = False,
    against: Collection | None = None,
    extra: Extra = "error",
) -> LabelFile:
    """A truth if the file can be one, else a run; with a threshold, or among runs, always a run.

    against  the truth that a run is for, which knows names and sizes
    extra    what becomes of items that it lacks
    """
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
            path, against, concepts=names, format=format, threshold=threshold, extra=extra
        )
    except FileError:
        if not is_run:
            raise refused from None
        raise
    with about(path):
        formats.require_divided(run)
        if run.labels is not None:
            return LabelFile(path, run, "as a run")
        cut = f"{run.cut:g}" if isinstance(run.cut, float) else "as its file says"
    return LabelFile(path, run, f"as a run, labels of confidence {cut} or more")


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Put the file before what the library says of its content."""
    try:
        yield
    except InputError as error:
        raise error.in_file(path) from None


def write_labels(labels: Collection | Run, path: Path, *, lossy: bool) -> list[str]:
    """Write a truth or a run wholly or not at all; what was lost, if anything."""
    if lossy:
        lost = formats.convert(labels, path, lossy=True)
        return [f"lost {', '.join(lost)}"] if lost else []
    if isinstance(labels, Run):
        formats.write_run(labels, path)
    else:
        formats.write_truth(labels, path)
    return []
