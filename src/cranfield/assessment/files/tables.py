"""Votes in CSV and TSV: `item,annotator,concept,value`, or `item,annotator,label` (single choice).

Columns may stand in any order and be called by other common words; beside them there may be batch,
seconds, submitted, comment and assignment. A line without a concept and a value tells of a sheet
on which nothing was answered. Lines before the header may describe questions that their answers do
not tell enough of:

    # question: Season,choice,Autumn,Spring,Summer,Winter

What people call the columns of a table of votes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE, Gathered, VoteTable
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
        for rows in table.numbered(layout, where=lambda names, index: "", names=names):
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
        entries = [decoded(entry) for entry in fields(comment[len(DESCRIBED) :].strip(), b",")]
        name, kind, *answers = entries if len(entries) > 1 else ["", ""]
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
        roles: Mapping[int, str] = {index: role for role, index in self._places.items()}
        return [
            self._gathered.texts[roles[index]] if index in roles else Names()
            for index in range(width)
        ]

    def take(self, rows: Numbered) -> None:
        columns: dict[str, NDArray[Any]] = {
            role: rows.numbers[index] for role, index in self._places.items()
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
            numbers = {role: self._gathered.texts[role].of(texts) for role, texts in names}
            self._gathered.spoil(numbers["item"], numbers["annotator"], numbers.get("batch"))

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


# ── what people call the columns of a table of votes ──────────────────────────────────────────────


_WORDS = {
    "item": "item task image img photo picture document doc object unit example instance sample "
    "file url hit",
    "annotator": "annotator worker rater coder judge assessor user labeler labeller performer "
    "contributor participant reviewer crowdworker turker",
    "concept": "concept category class tag question attribute dimension property",
    "value": "value vote answer response judgement judgment rating grade score annotation choice",
    "batch": "batch round job",
    "seconds": "seconds duration worktime worktimeinseconds leadtime worktimeseconds",
    "submitted": "submitted submittime submittedat timestamp createdat completedat date",
    "comment": "comment feedback remark",
    "assignment": "assignment annotationid",
}
_MEANT = {word: role for role, words in _WORDS.items() for word in words.split()}
_LABEL = "label"
"""A concept, or what was answered: what stands beside it tells."""


@dataclass(frozen=True)
class Columns:
    """Which column is what, by its place."""

    places: dict[str, int]
    group: str | None
    """In a file of single choices: what the choice is called."""
    ignored: tuple[str, ...]


def columns_of(header: Sequence[str]) -> Columns | None:
    """What the columns of a table are; None where they are no votes."""
    roles: dict[str, int] = {}
    others: list[int] = []
    for index, name in enumerate(header):
        role = role_of(name)
        if role is None or role in roles:
            others.append(index)
        else:
            roles[role] = index
    if not {"item", "annotator"} <= roles.keys():
        return None
    labels = [index for index in others if _plain(header[index]) == _LABEL]
    if labels and ("concept" in roles) != ("value" in roles):
        roles["value" if "concept" in roles else "concept"] = labels[0]
    group = None
    if not {"concept", "value"} <= roles.keys():
        chosen = _choice(roles, labels, [index for index in others if header[index].strip()])
        if chosen is None:
            return None
        roles = {role: index for role, index in roles.items() if role not in ("concept", "value")}
        roles["value"] = chosen
        group = header[chosen].strip() or _LABEL
    ignored = [header[index] for index in range(len(header)) if index not in roles.values()]
    return Columns(roles, group, tuple(name for name in ignored if name.strip()))


def _choice(roles: dict[str, int], labels: list[int], others: list[int]) -> int | None:
    """The column of a single choice: a label, a word for an answer, or the only one left.

    Where a concept stands beside another column, either may be what was answered.
    """
    if labels:
        return labels[0]
    if "value" in roles:
        return roles["value"]
    if "concept" in roles:
        return None if others else roles["concept"]
    return others[0] if len(others) == 1 else None


def twice(header: Sequence[str]) -> str | None:
    """The first name that two columns have; None where there is none."""
    names = [name.strip() for name in header]
    return next((name for name in names if name and names.count(name) > 1), None)


def is_label_studio(header: Sequence[str]) -> bool:
    """Whether this is a table as Label Studio exports it, which holds JSON in its fields."""
    return {"annotation_id", "lead_time", "created_at"} <= set(header)


def role_of(name: str) -> str | None:
    """What a column of this name holds, as far as the name tells."""
    word = _plain(name)
    for short in (word, word.removesuffix("id"), word.removesuffix("name"), word.removesuffix("s")):
        if short in _MEANT:
            return _MEANT[short]
    return None


def _plain(name: str) -> str:
    """A word without case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.casefold())
