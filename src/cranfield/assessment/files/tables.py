"""Votes in CSV and TSV: `item,annotator,concept,value`, or `item,annotator,label` (single choice).

Columns may stand in any order and be called by other common words; beside them there may be batch,
seconds, submitted, comment and assignment. A line without a concept and a value tells of a sheet
on which nothing was answered. Lines before the header may describe questions that their answers do
not tell enough of:

    # question: Season,choice,Autumn,Spring,Summer,Winter
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE, Gathered
from cranfield.assessment.files.headers import Columns, columns_of, is_label_studio, twice
from cranfield.assessment.files.vote_table import VoteTable
from cranfield.assessment.votes import Question
from cranfield.core.matrices import Ints
from cranfield.errors import FileError, InputError
from cranfield.formats.gather import Numbered
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.formats.table import SEMICOLONS
from cranfield.kernels.numbering import Names

DESCRIBED = b"# question:"
_KINDS = {"yes_no", "choice", "grade"}


def header_of(source: Source) -> list[str] | None:
    """The names of the columns, if the file begins as a table does."""
    line = next((line for line in source.head_lines() if not line.startswith(b"#")), b"")
    try:
        return [decoded(field) for field in fields(line, _separator(line))]
    except MalformedError:
        return None


def read(
    source: Source,
    problems: Problems,
    gathered: Gathered,
    *,
    ticked: bool = False,
    batches: bool = True,
    insist: str | None = None,
) -> None:
    """Read all votes.

    ticked   a file of two names and a label lists what was ticked, so each line is a yes
    batches  whether a column tells the batch
    insist   long or choices, if it must be that
    """
    line = next((line for line in source.head_lines() if not line.startswith(b"#")), b"")
    separator = _separator(line)
    table = VoteTable(source, separator, problems)
    for number, comment in table.comments():
        if comment.startswith(DESCRIBED):
            _describe(comment, number, problems, gathered)
    header = table.header()
    columns = _columns(source, header, table.header_line, insist)
    if columns.ignored:
        gathered.note(f"ignored {', '.join(map(shown, columns.ignored))}")
    reader = _Reader(gathered, problems, columns, ticked=ticked, batches=batches)
    layout = Layout(
        separator, 1, 0, after=len(header) - 1, columns=f"{len(header)}: {','.join(header)[:80]}"
    )
    names = reader.names(len(header))
    try:
        for rows in table.numbered(layout, where=lambda names, place: "", names=names):
            reader.take(rows)
    finally:
        reader.spoil(table.broken.values(), separator)


def _separator(line: bytes) -> bytes:
    return b"\t" if b"\t" in line else b","


def _columns(source: Source, header: list[str], line: int, insist: str | None) -> Columns:
    columns = columns_of(header)
    same = twice(header)
    if same is not None:
        what = f"two columns are called {shown(same)}; rename or remove one"
    elif is_label_studio(header):
        what = "this is Label Studio's CSV; export the project as JSON"
    elif columns is not None and insist == "choices" and columns.group is None:
        what = "votes on several concepts; leave the format to be recognised, or give long"
    elif columns is not None and insist == "long" and columns.group is not None:
        what = "single choices; leave the format to be recognised, or give choices"
    elif columns is None:
        what = "votes have item,annotator,concept,value or item,annotator,label"
        if len(header) == 1 and ";" in header[0]:
            what += f"; {SEMICOLONS}"
    else:
        return columns
    raise FileError(source.path, f"the header is {shown(','.join(header))}; {what}", line=line)


def _describe(comment: bytes, line: int, problems: Problems, gathered: Gathered) -> None:
    """Take down a question that a line before the header describes."""
    try:
        said = [decoded(one) for one in fields(comment[len(DESCRIBED) :].strip(), b",")]
        name, kind, *answers = said if len(said) > 1 else ["", ""]
        if not name or kind not in _KINDS:
            raise InputError("it has no name, or is neither yes_no, choice nor grade")
        gathered.texts["concept"].number(name)
        gathered.know(Question(name, kind, *([tuple(answers)] if answers else [])))  # type: ignore[arg-type]
    except (MalformedError, InputError) as error:
        problems.add(f"this describes no question: {error}", line=line)


class _Reader:
    """Takes rows of numbers and hands on those that are votes."""

    def __init__(
        self,
        gathered: Gathered,
        problems: Problems,
        columns: Columns,
        *,
        ticked: bool,
        batches: bool,
    ) -> None:
        self._gathered = gathered
        self._problems = problems
        self._places = columns.places
        self._group = columns.group
        self._yes = 0
        if ticked and columns.group is not None:
            self._places = {**columns.places, "concept": columns.places["value"]}
            del self._places["value"]
            self._yes = gathered.texts["value"].number("yes")
            self._group = None
        if not batches:
            self._places = {key: at for key, at in self._places.items() if key != "batch"}
        if self._group is not None:
            gathered.kinds.setdefault(self._group, "choice")
            self._concept = gathered.texts["concept"].number(self._group)

    def names(self, width: int) -> list[Names]:
        """What numbers each column."""
        roles: Mapping[int, str] = {place: role for role, place in self._places.items()}
        return [
            self._gathered.texts[roles[place]] if place in roles else Names()
            for place in range(width)
        ]

    def take(self, rows: Numbered) -> None:
        columns: dict[str, NDArray[Any]] = {
            role: rows.numbers[place] for role, place in self._places.items()
        }
        size = len(rows.lines)
        if self._yes:
            columns["value"] = np.where(columns["concept"] > 0, self._yes, 0)
        elif self._group is not None:
            columns["concept"] = np.full(size, self._concept)
        keep = self._complete(columns, rows.lines)
        kept = {role: column[keep] for role, column in columns.items()}
        self._gathered.add(
            kept["item"],
            kept["annotator"],
            kept["concept"],
            kept["value"],
            rows.lines[keep],
            batch=kept.get("batch"),
            aside={role: kept[role] for role in ASIDE if role in kept},
        )

    def spoil(self, broken: Iterable[bytes], separator: bytes) -> None:
        """Tell of the sheets that broken lines belong to, as far as these can be made out."""
        roles = [role for role in ("item", "annotator", "batch") if role in self._places]
        sheets = []
        for line in broken:
            with suppress(MalformedError):
                cut = [decoded(field) for field in fields(line, separator)]
                if all(self._places[role] < len(cut) for role in roles):
                    sheets.append([cut[self._places[role]] for role in roles])
        if sheets:
            names = zip(roles, map(list, zip(*sheets, strict=True)), strict=True)
            said = {role: self._gathered.texts[role].of(texts) for role, texts in names}
            self._gathered.spoil(said["item"], said["annotator"], said.get("batch"))

    def _complete(self, columns: Mapping[str, NDArray[Any]], lines: Ints) -> Any:
        """Rows in which nothing is missing; the others are reported."""
        keep: Any = np.ones(len(lines), dtype=np.bool_)
        missing = {role: columns[role] == 0 for role in ("item", "annotator")}
        missing["concept"] = (columns["concept"] == 0) & (columns["value"] > 0)
        if "batch" in columns:
            missing["batch"] = columns["batch"] == 0
        for role, lacks in missing.items():
            for line in lines[lacks].tolist():
                self._problems.add(f"the {role} is missing; fill it in", line=line)
            keep &= ~lacks
        lost = {role: column[~keep] for role, column in columns.items()}
        self._gathered.spoil(lost["item"], lost["annotator"], lost.get("batch"))
        return keep
