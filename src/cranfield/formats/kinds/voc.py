"""PASCAL VOC: a folder with a file for each class, or a single one of these files.

A truth is the files `<class>_<set>.txt` of `ImageSets/Main`, one for each class, where the set is
train, val, trainval or test. Where a folder has several sets, naming the list of images of one,
such as `val.txt`, chooses it. Lines are `image 1` (there), `image -1` (not there) and `image 0`
(difficult: left out). Every class's file lists every image.

A run is the files `comp1_cls_<set>_<class>.txt` with lines `image confidence`, or
`comp3_det_<set>_<class>.txt` with `image confidence x1 y1 x2 y2` for boxes, of which the largest
confidence on an image counts; an image that a file does not list was not retrieved, so a file may
be empty. Hidden files, subfolders and files of other names do not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.core.truth import State, Truth
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import (
    UNJUDGED,
    report,
    require_known_concepts,
    require_known_items,
    require_listed,
)
from cranfield.formats.contents import IDS, Content
from cranfield.formats.gather import Items
from cranfield.formats.kinds.text import plain
from cranfield.formats.lines import Layout, field_count, looks_like_numbers
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target, opened
from cranfield.formats.table import Table, Where

_WRITTEN = {State.POSITIVE: " 1", State.NEGATIVE: "-1", State.UNJUDGED: " 0"}


# -- Reading -----------------------------------------------------------------------------------


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    files = truth_files(source)
    reader = _TruthReader(problems, concepts)
    _read_each(files, problems, reader.read)
    result = {file.concept for file in files}
    lacking = [name for name in concepts or () if name not in result]
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
        result = inner.findings()
        for each in result:
            problems.add_error(each)
        problems.count_only(inner.total - len(result))
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
    return lambda names, position: where_listed([*names, file.concept], position)


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
        positions = order[ends[column] : ends[column + 1]]
        yield cells.rows[positions].tolist(), cells.values[positions].tolist()


def _write_file(target: Target, name: str, lines: Iterable[tuple[str, str]]) -> None:
    if "/" in name or "\0" in name:
        raise InputError(f"{shown(name)} cannot be the name of a file; rename the concept")
    assert target.folder is not None
    with (target.folder / name).open("xb") as stream:
        for item, value in lines:
            stream.write(f"{item} {value}\n".encode())


_TRUTH = re.compile(r"(?P<concept>.+)_(?P<group>train|val|trainval|test)\.txt(\.gz)?", re.DOTALL)
_RUN = re.compile(r"(?P<group>.+?_(?P<kind>cls|det)_[^_]+)_(?P<concept>.+)\.txt(\.gz)?", re.DOTALL)
_LIST = re.compile(r"(train|val|trainval|test)\.txt")
_LOOK = 32
"""Files to look into, at most, until one shows what it is."""


class ClassFile(NamedTuple):
    """A file about one class."""

    path: Path
    concept: str
    boxes: bool
    """Whether its confidences are those of boxes."""


def truth_files(source: Source) -> list[ClassFile]:
    """The files of a truth, one for each class, by name."""
    return _of_one_group(
        source.path,
        _truth_paths(source),
        _TRUTH,
        lacking="a truth has files such as car_val.txt, for train, val, trainval or test",
        groups="sets",
        mend="keep one of them, or name its list of images, such as {}.txt",
    )


def run_files(source: Source) -> list[ClassFile]:
    """The files of a run, one for each class, by name."""
    return _of_one_group(
        source.path,
        _paths(source, _RUN),
        _RUN,
        lacking="a run has files such as comp1_cls_test_car.txt or comp3_det_test_car.txt",
        groups="runs",
        mend="keep one of them in this folder",
    )


def is_voc(source: Source) -> bool:
    """Whether a file or a folder has such names, and content to match."""
    try:
        if source.is_folder and source.extension == ".voc":
            return True
        return _shown(map(_shows_results, _paths(source, _RUN)[:_LOOK])) or _shown(
            map(_shows_judgements, _truth_paths(source)[:_LOOK])
        )
    except FileError:
        return False


def _truth_paths(source: Source) -> list[Path]:
    chosen = None if source.is_folder else _LIST.fullmatch(source.path.name)
    if chosen is None or field_count(source.first_line, b"") > 1:
        return _paths(source, _TRUTH)
    ending = f"_{chosen[0]}"
    return [path for path in _in_folder(source.path.parent, _TRUTH) if path.name.endswith(ending)]


def _paths(source: Source, pattern: re.Pattern[str]) -> list[Path]:
    if source.is_folder:
        return _in_folder(source.path, pattern)
    return [source.path] if pattern.fullmatch(source.path.name) else []


def _in_folder(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """The files of a folder with names of this kind, by name."""
    try:
        names = sorted(filter(pattern.fullmatch, os.listdir(folder)))
    except OSError as error:
        raise FileError(folder, f"this folder cannot be read ({error.strerror or error})") from None
    paths = (folder / name for name in names if not name.startswith("."))
    return [path for path in paths if not os.path.isdir(path)]


def _of_one_group(
    where: Path,
    paths: Iterable[Path],
    pattern: re.Pattern[str],
    *,
    lacking: str,
    groups: str,
    mend: str,
) -> list[ClassFile]:
    """What the names of the files say; they must be of one set, or of one run."""
    files: dict[tuple[str, str], ClassFile] = {}
    for path in paths:
        name = pattern.fullmatch(path.name)
        assert name is not None
        _require_readable(path)
        file = ClassFile(path, name["concept"], name.groupdict().get("kind") == "det")
        other = files.setdefault((name["group"], file.concept), file)
        if other is not file:
            raise FileError(path, f"{other.path.name} is about the same class; keep one of them")
    result = list(dict.fromkeys(group for group, _ in files))
    if not result:
        raise FileError(where, f"no file has a name that fits: {lacking}")
    if len(result) > 1:
        raise FileError(
            where,
            f"there are files of several {groups} ({first_ten(result)}); {mend.format(result[0])}",
        )
    return list(files.values())


def _require_readable(path: Path) -> None:
    try:
        path.name.encode()
    except UnicodeEncodeError:
        raise FileError(path, "the name of this file is not UTF-8; rename it") from None
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileError(path, "this is no regular file; remove it")


# -- What files show of themselves ---------------------------------------------------------------


def _shown(answers: Iterable[bool | None]) -> bool:
    """The first answer that is one."""
    return next((answer for answer in answers if answer is not None), False)


def _shows_results(path: Path) -> bool | None:
    """Whether a file begins with an image and its confidence, or a box; None if it is empty."""
    lines = _lines(path)
    if not lines:
        return None
    values = lines[0].split()[1:]
    return len(values) in (1, 5) and looks_like_numbers(values)


def _shows_judgements(path: Path) -> bool | None:
    """Whether a file holds images with 1, -1 and 0; None without -1: text may look the same."""
    fields = [line.split() for line in _lines(path)]
    if not all(len(line) == 2 and line[1] in (b"1", b"-1", b"0") for line in fields):
        return False
    return True if any(line[1] == b"-1" for line in fields) else None


def _lines(path: Path) -> list[bytes]:
    """The first lines of a file; none if it cannot be read."""
    if not os.path.isfile(path):
        return []
    try:
        with opened(path) as source:
            block = next(source.blocks(), None)
    except FileError:
        return []
    lines = [] if block is None else block.data[: block.end].split(b"\n")
    return [line for line in lines if line.strip()]


register(
    Format(
        name="voc",
        extensions=(".voc",),
        priority=1,
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
