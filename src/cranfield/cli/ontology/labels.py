"""Label sets from a file, whoever says so: a truth, the truth of a collection, or a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.run import Run
    from cranfield.truth import Truth


@dataclass(frozen=True)
class LabelFile:
    """What a file says about items, and as what it was read."""

    path: Path
    labels: Truth | Run
    meant_as: str


def read_labels(
    path: Path,
    *,
    threshold: float | None = None,
    concepts: Path | None = None,
    format: str | None = None,
) -> LabelFile:
    """A truth if the file can be one, else a run; with a threshold always a run."""
    from cranfield import formats
    from cranfield.errors import FileError, InputError
    from cranfield.formats import folder

    names = formats.read_concepts(concepts) if concepts else None
    if threshold is None:
        try:
            truth = formats.read_collection(path, concepts=names, format=format).truth
            return LabelFile(path, truth, "as a truth")
        except FileError as error:
            if folder.is_collection(path):
                raise
            refused = error
    try:
        run = formats.read_run(path, concepts=names, format=format, threshold=threshold)
    except FileError:
        if threshold is None:
            raise refused from None
        raise
    if run.labels is not None:
        return LabelFile(path, run, "as a run")
    try:
        cut = run.cut
    except InputError as error:
        raise FileError(path, str(error)) from None
    return LabelFile(path, run, f"as a run, labels of confidence {_number(cut)} or more")


def _number(cut: object) -> str:
    return f"{cut:g}" if isinstance(cut, float) else "as its file says"
