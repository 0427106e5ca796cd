"""The formats there are, and writing in them. A format is one module of `formats/kinds`, which
registers itself here when it is imported.

It is then read, recognised, written, checked and offered by `format=` like every other. What is
written must be held by the format, so nothing is lost silently; who needs less says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis, Extra
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
from cranfield.formats.problems import Problems
from cranfield.formats.source import (
    Source,
    Target,
    extension_of,
    folder_written,
    opened,
    written,
)


@dataclass(frozen=True)
class Expected:
    """What is known before a run is read: from its truth, or from a list of concepts."""

    concepts: tuple[str, ...] | None = None
    width: int | None = None
    items: Axis | None = None
    in_order: bool = True
    """Whether columns without names may be taken for these concepts."""
    open: bool = False
    """Whether a run may mention items and concepts that the truth does not know."""
    rest: frozenset[str] = frozenset()
    """Items of the collection that the truth is a part of."""
    extra: Extra = "error"
    """What becomes of all other items that the truth does not know."""

    @classmethod
    def by(
        cls,
        held: Collection | Truth | None,
        concepts: tuple[str, ...] | None = None,
        extra: Extra = "error",
    ) -> Expected:
        if held is None:
            return cls(concepts, None if concepts is None else len(concepts))
        truth, rest = (held.truth, held.rest) if isinstance(held, Collection) else (held, None)
        axis = truth.concept_axis
        in_order = axis.in_order or axis.size == 1
        items = truth.item_axis
        return cls(axis.ids, axis.size, items, in_order, truth.open, rest or frozenset(), extra)

    @property
    def item_ids(self) -> tuple[str, ...] | None:
        """The ids of the truth's items, where it has them."""
        return None if self.items is None else self.items.ids

    @property
    def known_concepts(self) -> tuple[str, ...] | None:
        """The only concepts that a run may mention; None = any."""
        return None if self.open else self.concepts


@dataclass(frozen=True)
class Options:
    """What Run takes beside what the file says."""

    name: str
    threshold: Any = None
    chosen: bool = True
    """Whether somebody chose the name; if not, what the file calls itself goes before it."""


@dataclass(frozen=True)
class Format:
    """How files of one kind are recognised, read and written."""

    name: str
    extensions: tuple[str, ...]
    """Files with these extensions are written in this format unless told otherwise."""
    priority: int
    """Formats with a lower number are tried earlier on a file."""
    holds: frozenset[Content]
    """What it can hold beside labels and scores."""
    recognises: Callable[[Source], bool]
    read_truth: Callable[[Source, Problems, tuple[str, ...] | None], Truth | Collection]
    """A collection where the file says more than the truth."""
    read_run: Callable[[Source, Problems, Expected, Options], Run]
    write_truth: Callable[[Collection, Target], None]
    write_run: Callable[[Run, Target], None]
    lists: bool = False
    """Whether it lists cells, so that what no cell mentions has no place in it."""
    in_folders: bool = False
    """Whether it is written as a folder of files, and folders are asked for it too."""


_formats: dict[str, Format] = {}


def register(*formats: Format) -> None:
    """Make formats known."""
    _registered().update((each.name, each) for each in formats)


def _registered() -> dict[str, Format]:
    """All formats; our own are imported when somebody first looks for one."""
    import cranfield.formats.kinds  # noqa: F401 - formats register themselves

    return _formats


def names() -> tuple[str, ...]:
    """The formats that `format=` takes."""
    return tuple(sorted(_registered()))


def named(name: str) -> Format:
    if name not in names():
        raise InputError(
            f"there is no format {name!r}; choose one of {', '.join(names())}", parameter="format"
        )
    return _formats[name]


def holding(contents: Set[Content]) -> tuple[str, ...]:
    """The formats that can hold all of this, whatever cells there are; subtopics need lists."""
    subtopics = Content.SUBTOPICS in contents
    return tuple(
        name
        for name in names()
        if contents <= _formats[name].holds and (subtopics or not _formats[name].lists)
    )


def format_of(source: Source, name: str | None = None) -> Format:
    """The format of a file: the one named, else by what it holds and how it is called."""
    candidates = (
        sorted(_registered().values(), key=lambda each: each.priority)
        if name is None
        else [named(name)]
    )
    for candidate in candidates:
        if (candidate.in_folders or not source.is_folder) and (
            name is not None or candidate.recognises(source)
        ):
            return candidate
    if source.is_folder:
        raise FileError(
            source.path,
            "this folder has no truth.*, which a collection needs, nor files that together make a "
            "truth or a run; name a file in it",
        )
    raise FileError(
        source.path,
        "the format is not recognised",
        mend=f"give {{format}}, one of {', '.join(names())}",
    )


def makes_one(folder: Path) -> bool:
    """Whether the files of a folder together are one truth or run."""
    with opened(folder) as source:
        return any(each.in_folders and each.recognises(source) for each in _registered().values())


def written_as(path: Path) -> Format:
    """The format that a file's extension asks for."""
    extension = extension_of(path)
    for candidate in _registered().values():
        if extension in candidate.extensions:
            return candidate
    known = sorted(known for candidate in _formats.values() for known in candidate.extensions)
    raise FileError(
        path,
        f"the extension {extension!r} says no format; use {', '.join(known)}, or name a format",
    )


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
    _write(whole, path, format, omissible=_ALL if lossy else _INCIDENTAL)


def write_run(
    run: Run, path: str | Path, format: str | None = None, *, lossy: bool = False
) -> None:
    """Write a run, wholly or not at all; options as for `write_truth`.

    Tags are no loss either, nor that decisions become confidences of 0 and 1.
    """
    _write(run, path, format, omissible=_ALL if lossy else _INCIDENTAL)


def convert(
    thing: Collection | Run, path: str | Path, format: str | None = None, *, lossy: bool = False
) -> tuple[str, ...]:
    """Write something so that nothing of it is lost; if `lossy`, tells what was."""
    return _write(thing, path, format, omissible=_ALL if lossy else frozenset())


def _write(
    thing: Collection | Run, path: str | Path, format: str | None, *, omissible: frozenset[Content]
) -> tuple[str, ...]:
    path = Path(path)
    writer = written_as(path) if format is None else named(format)
    lost = losses(thing, writer.holds)
    missed = {
        content: words for content, words in lost.items() if content not in omissible - NEEDED
    }
    if missed:
        raise _refusal(path, writer, missed, contents(thing).keys() - (omissible - NEEDED))
    try:
        with (folder_written if writer.in_folders else written)(path) as target:
            if isinstance(thing, Run):
                writer.write_run(run_without(thing, lost.keys()), target)
            else:
                writer.write_truth(collection_without(thing, lost.keys()), target)
    except FileError:
        raise
    except InputError as error:
        raise error.in_file(path) from None
    return tuple(lost.values())


def _refusal(
    path: Path, writer: Format, missed: Mapping[Content, str], needed: Set[Content]
) -> FileError:
    able = holding(needed)
    if Content.SUBTOPICS in missed and able:
        ways = [f"write a file that ends in {_formats[able[0]].extensions[0]} instead"]
    else:
        ways = [f"write {' or '.join(able)} instead"] if able else []
    if not missed.keys() & NEEDED:
        ways.append("give {lossy=True} to do without")
    what = f"the format {writer.name} would lose {', '.join(missed.values())}"
    return FileError(path, what, mend=", or ".join(ways))
