"""Labels of items on disk, one for each, from which a confusion matrix is counted.

item,true,said    both on a line, in either order; without ids: true,said
item,label        in two files: the true labels, and those that a system said
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.gather import Items
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import Table
from cranfield.tasks.classes.layout import Rows, side_of

if TYPE_CHECKING:
    from cranfield.tasks.classes.confusion import Confusion

_NEUTRAL = {"label", "class", "concept"}
"""What people call a column of labels without saying whose they are, in lower case."""


def names_labels(title: str) -> bool:
    """Whether a column of this name holds labels."""
    return title.casefold() in _NEUTRAL or side_of(title) is not None


def read_pairs(source: Source, problems: Problems) -> Callable[[str], Confusion]:
    """item,true,said or true,said: a line for each item; the last two in either order."""
    from cranfield.tasks.classes.confusion import Confusion

    separator = separator_of(source)
    table = Table(source, separator, problems)
    header = table.header()
    columns = len(header)
    items = Items(problems)
    true: list[str] = []
    said: list[str] = []
    sides = (true, said) if side_of(header[-2]) == "truth" else (said, true)
    for chunk in table.chunks(
        Layout(separator, columns, 0),
        where=lambda names, position: f"item {shown(names[0])}",
        expected="item,true,said" if columns == 3 else "true,said",
    ):
        if columns == 3:
            items.add(chunk._replace(names=[chunk.names[0]]))
        for labels, names in zip(sides, chunk.names[-2:], strict=True):
            labels += names
    problems.settle()
    return lambda name: Confusion.from_labels(true, said, name=name)


def of_two_files(truth: str | Path, said: str | Path, name: str | None) -> Confusion:
    """The confusion matrix of true labels and of those that a system said, aligned by item."""
    from cranfield.tasks.classes.confusion import Confusion

    known, answers = _read_labels(truth, "truth"), _read_labels(said, "system")
    for lacking, where in (
        ([item for item in known if item not in answers], said),
        ([item for item in answers if item not in known], truth),
    ):
        if lacking:
            raise FileError(
                where,
                f"{several(len(lacking), 'item')} without a label: {first_ten(lacking)}; both "
                "files need one label for each item",
            )
    called = name
    if called is None:
        with opened(said) as source:
            called = source.name
    try:
        return Confusion.from_labels(
            list(known.values()), [answers[item] for item in known], name=called
        )
    except InputError as error:
        raise error.in_file(said) from None


def _read_labels(path: str | Path, whose: Rows) -> dict[str, str]:
    """The label of each item, from a file with the header item,label.

    whose  labels these are; a header that says otherwise is an error
    """
    problems = Problems(path)
    with opened(path) as source:
        require_file(source)
        separator = separator_of(source)
        table = Table(source, separator, problems)
        header = [name.casefold() for name in table.header()]
        if len(header) != 2 or header[0] not in WORDS_FOR_ITEMS or not names_labels(header[1]):
            raise FileError(
                path,
                f"the header is {shown(','.join(header[:4]))}; write item,label",
                line=table.header_line,
            )
        if side_of(header[1]) not in (None, whose):
            expected = "true labels" if whose == "truth" else "the labels of a system"
            raise FileError(
                path,
                f"the header says {shown(header[1])} where {expected} are needed; give the truth "
                "first and the system second, or write item,label",
                line=table.header_line,
            )
        items = Items(problems)
        labels: list[str] = []
        for chunk in table.chunks(
            Layout(separator, 2, 0),
            where=lambda names, position: f"item {shown(names[0])}",
            expected="item,label on each line",
        ):
            items.add(chunk._replace(names=[chunk.names[0]]))
            labels += chunk.names[1]
        problems.settle()
    return dict(zip(items.lines, labels, strict=True))


def require_file(source: Source) -> None:
    if source.is_folder:
        raise FileError(source.path, "this is a folder; name the file of a confusion matrix")
    source.require_text()


def separator_of(source: Source) -> bytes:
    """What the file's extension says, else its first line."""
    if source.extension in (".csv", ".tsv"):
        return b"," if source.extension == ".csv" else b"\t"
    return next((mark for mark in (b"\t", b",") if mark in source.first_line), b"")
