"""PASCAL VOC: a folder with a file for each class, or a single one of these files.

A truth, as in `ImageSets/Main`, has lines `image 1` (there), `image -1` (not there) and `image 0`
(difficult: left out). Every class's file lists every image. A run has lines `image confidence`, or
`image confidence x1 y1 x2 y2` for boxes, of which the largest confidence on an image counts; an
image that a file does not list was not retrieved, so a file may be empty. Concepts are the classes
that `files` finds in the names of the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.core.truth import State, Truth
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import UNJUDGED, report, require_known_concepts, require_known_items
from cranfield.formats.contents import IDS, Content
from cranfield.formats.entries import require_listed
from cranfield.formats.gather import Items
from cranfield.formats.lines import Layout
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table, Where
from cranfield.formats.text import plain
from cranfield.formats.voc.files import ClassFile, is_voc, run_files, truth_files

_WRITTEN = {State.POSITIVE: " 1", State.NEGATIVE: "-1", State.UNJUDGED: " 0"}


# -- Reading -----------------------------------------------------------------------------------


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    files = truth_files(source)
    reader = _TruthReader(problems, concepts)
    _read_each(files, problems, reader.read)
    found = {file.concept for file in files}
    lacking = [name for name in concepts or () if name not in found]
    if lacking:
        problems.add(
            f"{several(len(lacking), 'concept')} without a file: {first_ten(lacking)}; add them"
        )
    return reader.listing.truth(absent="unjudged", unjudged="exclude")


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    files = run_files(source)
    reader = _RunReader(problems, expected, [file.concept for file in files])
    _read_each([file for file in files if not _is_empty(file)], problems, reader.read)
    # Items and concepts were compared with those expected file by file.
    return reader.listing.run(Expected(), options)


def _read_each(
    files: Iterable[ClassFile],
    problems: Problems,
    read: Callable[[ClassFile, Source, Problems], None],
) -> None:
    """Read files one after the other; what is wrong in one is told with its own name and line."""
    for file in files:
        inner = Problems(file.path, keep=problems.keep)
        try:
            with opened(file.path) as source:
                read(file, source, inner)
            inner.settle()
        except FileError as error:
            inner.add_error(error)
        found = inner.findings()
        for each in found:
            problems.add_error(each)
        problems.count_only(inner.total - len(found))
        problems.settle()


class _TruthReader:
    """Gathers the judgements of all classes."""

    def __init__(self, problems: Problems, concepts: tuple[str, ...] | None) -> None:
        self.listing = Listing(problems, concepts=concepts)
        self._concepts = concepts
        self._first: tuple[str, Items] | None = None

    def read(self, file: ClassFile, source: Source, problems: Problems) -> None:
        require_known_concepts([file.concept], self._concepts, problems, line=None)
        where = _where(file)
        items = Items(problems)
        for chunk in Table(source, b"", problems).chunks(
            Layout(b"", 1, 1), where=where, expected="one: 1, -1 or 0"
        ):
            chunk = items.add(chunk)
            report(
                ~np.isin(chunk.values, (-1, 0, 1)),
                chunk,
                problems,
                where=where,
                rule="write 1 (there), -1 (not there) or 0 (difficult)",
            )
            values = chunk.values[:, 0]
            judged = np.where(values == 0, UNJUDGED, values > 0).astype(np.int8)
            self.listing.add(chunk.names[0], [file.concept] * len(judged), judged, chunk.lines)
        if not problems.total:  # else lines were left out
            self._require_same_images(file, items, problems)

    def _require_same_images(self, file: ClassFile, items: Items, problems: Problems) -> None:
        if self._first is None:
            self._first = (file.path.name, items)
        name, others = self._first
        lacking = [item for item in others.lines if item not in items.lines]
        if lacking:
            problems.add(
                f"lacks {several(len(lacking), 'image')} that {name} lists: {first_ten(lacking)}; "
                "every class's file lists every image, so add the lines"
            )
        extra = [item for item in items.lines if item not in others.lines]
        if extra:
            problems.add(
                f"lists {several(len(extra), 'image')} that {name} lacks: {first_ten(extra)}; "
                "every class's file lists every image, so add the lines there",
                line=items.lines[extra[0]],
            )


class _RunReader:
    """Gathers the confidences of all classes."""

    def __init__(self, problems: Problems, expected: Expected, concepts: list[str]) -> None:
        # An image stands once in a file without boxes, which is seen to below.
        self.listing = Listing(problems, concepts=concepts, again="largest")
        self._expected = expected

    def read(self, file: ClassFile, source: Source, problems: Problems) -> None:
        require_known_concepts([file.concept], self._expected.known_concepts, problems, line=None)
        width = 5 if file.boxes else 1
        items = Items(problems)
        lines: dict[str, int | None] = {}
        for chunk in Table(source, b"", problems).chunks(
            Layout(b"", 1, width),
            where=_where(file),
            expected="5, confidence x1 y1 x2 y2" if file.boxes else "one, its confidence",
        ):
            chunk = chunk if file.boxes else items.add(chunk)
            for item, line in zip(chunk.names[0], chunk.lines.tolist(), strict=True):
                lines.setdefault(item, line)
            concepts = [file.concept] * len(chunk.lines)
            self.listing.add(chunk.names[0], concepts, chunk.values[:, 0], chunk.lines)
        require_known_items(lines, self._expected, problems)


def _where(file: ClassFile) -> Where:
    return lambda names, place: where_listed([*names, file.concept], place)


def _is_empty(file: ClassFile) -> bool:
    try:
        return os.path.getsize(file.path) == 0
    except OSError:
        return False  # which opening it will tell


# -- Writing -----------------------------------------------------------------------------------


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    if 0 in truth.shape:
        raise InputError("without items or concepts there is nothing to list; write .npz instead")
    items = list(plain(truth.items))
    for column, concept in enumerate(truth.concepts):
        if concept.startswith("."):
            raise InputError(
                f"concept {shown(concept)} would make a hidden file; rename it, or write .csv"
            )
        states = (_WRITTEN[State(state)] for state in truth.states[:, column].tolist())
        _write_file(target, f"{concept}_test.txt", zip(items, states, strict=True))


def _write_run(run: Run, target: Target) -> None:
    require_listed(run.item_axis, run)
    items = list(plain(run.items))
    for concept, (rows, values) in zip(run.concepts, _columns(run), strict=True):
        lines = ((items[row], repr(value)) for row, value in zip(rows, values, strict=True))
        _write_file(target, f"comp1_cls_test_{concept}.txt", lines)


def _columns(run: Run) -> Iterator[tuple[list[int], list[Any]]]:
    """The rows that each concept was retrieved for, and their values."""
    cells = run.ranking
    if not isinstance(cells, Cells):
        every = list(range(run.shape[0]))
        yield from ((every, cells[:, column].tolist()) for column in range(run.shape[1]))
        return
    order = np.argsort(cells.columns, kind="stable")
    ends = np.searchsorted(cells.columns[order], np.arange(run.shape[1] + 1))
    for column in range(run.shape[1]):
        places = order[ends[column] : ends[column + 1]]
        yield cells.rows[places].tolist(), cells.values[places].tolist()


def _write_file(target: Target, name: str, lines: Iterable[tuple[str, str]]) -> None:
    if "/" in name or "\0" in name:
        raise InputError(f"{shown(name)} cannot be the name of a file; rename the concept")
    assert target.folder is not None
    with (target.folder / name).open("xb") as stream:
        for item, value in lines:
            stream.write(f"{item} {value}\n".encode())


register(
    Format(
        name="voc",
        extensions=(".voc",),
        asked=1,
        lists=True,
        holds=IDS | {Content.UNJUDGED, Content.LEFT_OUT, Content.ABSENT},
        recognises=is_voc,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
        in_folders=True,
    )
)
