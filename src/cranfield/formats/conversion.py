"""Writing a truth or a run in another format, and refusing to lose anything silently."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path

from cranfield.collections.collection import Collection
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError
from cranfield.formats.contents import (
    IDS,
    NEEDED,
    Content,
    collection_without,
    contents,
    losses,
    run_without,
)
from cranfield.formats.registry import Format, holding, named, written_as
from cranfield.formats.writing import folder_written, written

_ALL = frozenset(Content)
_INCIDENTAL = IDS | {Content.ORIGIN, Content.DECIDED}


def write_truth(
    truth: Truth | Collection,
    path: str | Path,
    format: str | None = None,
    *,
    lossy: bool = False,
) -> None:
    """Write a truth, wholly or not at all; the extension says how unless `format` does.

    lossy  leave out what the format cannot hold, instead of refusing to write

    Ids are no loss here: a format without them is aligned by position.
    """
    whole = truth if isinstance(truth, Collection) else Collection(truth)
    _write(whole, path, format, spare=_ALL if lossy else _INCIDENTAL)


def write_run(
    run: Run, path: str | Path, format: str | None = None, *, lossy: bool = False
) -> None:
    """Write a run, wholly or not at all; options as for `write_truth`.

    Tags are no loss either, nor that decisions become confidences of 0 and 1.
    """
    _write(run, path, format, spare=_ALL if lossy else _INCIDENTAL)


def convert(
    thing: Collection | Run, path: str | Path, format: str | None = None, *, lossy: bool = False
) -> tuple[str, ...]:
    """Write something so that nothing of it is lost; if `lossy`, tells what was."""
    return _write(thing, path, format, spare=_ALL if lossy else frozenset())


def _write(
    thing: Collection | Run, path: str | Path, format: str | None, *, spare: frozenset[Content]
) -> tuple[str, ...]:
    path = Path(path)
    writer = written_as(path) if format is None else named(format)
    lost = losses(thing, writer.holds)
    missed = {content: words for content, words in lost.items() if content not in spare - NEEDED}
    if missed:
        raise _refusal(path, writer, missed, contents(thing).keys() - (spare - NEEDED))
    try:
        with (folder_written if writer.in_folders else written)(path) as target:
            if isinstance(thing, Run):
                writer.write_run(run_without(thing, lost.keys()), target)
            else:
                writer.write_truth(collection_without(thing, lost.keys()), target)
    except FileError:
        raise
    except InputError as error:
        raise FileError(path, str(error)) from None
    return tuple(lost.values())


def _refusal(
    path: Path, writer: Format, missed: Mapping[Content, str], needed: Set[Content]
) -> FileError:
    able = holding(needed)
    ways = [f"write {' or '.join(able)} instead"] if able else []
    if not missed.keys() & NEEDED:
        ways.append("give {lossy=True} to do without")
    what = f"the format {writer.name} would lose {', '.join(missed.values())}"
    return FileError(path, what, mend=", or ".join(ways))
