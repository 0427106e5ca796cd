"""Which files of PASCAL VOC belong together, by their names and by a look at what they hold.

A truth is the files `<class>_<set>.txt` of `ImageSets/Main`, one for each class, where the set is
train, val, trainval or test. Where a folder has several sets, naming the list of images of one,
such as `val.txt`, chooses it. A run is the files `comp1_cls_<set>_<class>.txt`, or with boxes
`comp3_det_<set>_<class>.txt`. Hidden files, subfolders and files of other names do not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError, first_ten
from cranfield.formats.lines import field_count, looks_like_numbers
from cranfield.formats.source import Source, opened

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
    found = list(dict.fromkeys(group for group, _ in files))
    if not found:
        raise FileError(where, f"no file has a name that fits: {lacking}")
    if len(found) > 1:
        raise FileError(
            where,
            f"there are files of several {groups} ({first_ten(found)}); {mend.format(found[0])}",
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
