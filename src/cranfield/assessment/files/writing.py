"""Writing votes: long CSV or TSV with all that is known, single choices, or as platforms do.

What is written reads back as the same votes: questions whose answers do not tell their kind, or
not all that could be answered, are described before the header. Items and annotators without any
vote or sheet have no line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE
from cranfield.assessment.files.headers import columns_of
from cranfield.assessment.files.platforms import write_label_studio, write_mturk
from cranfield.assessment.files.tables import DESCRIBED
from cranfield.assessment.files.times import moment_text, seconds_text
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.columns import VoteFormat, answers_of, fits, numbered
from cranfield.assessment.votes.questions import Kind, is_whole
from cranfield.core.matrices import Ints
from cranfield.errors import InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.source import written

_BLOCK = 1 << 16


def write_votes(votes: Votes, path: str | os.PathLike[str], *, format: VoteFormat = "long") -> None:
    """Write votes as `item,annotator,concept,value`, or one choice as `item,annotator,<group>`.

    The name tells CSV from TSV, and .gz packs. Batches, times and comments follow if any are known.
    "label-studio" and "mturk": as these platforms export them, one batch.
    """
    if format not in get_args(VoteFormat):
        raise InputError(f"format={format!r}; choose {', '.join(get_args(VoteFormat))}")
    if format in ("label-studio", "mturk"):
        (write_mturk if format == "mturk" else write_label_studio)(votes, Path(path))
        return
    if format == "choices" and [one.kind for one in votes.questions] != ["choice"]:
        raise InputError(
            "a file of single choices holds one choice question; choose it with "
            'only(questions=…), or give format="long"'
        )
    path = Path(path)
    tab = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    separator = "\t" if tab.lower() == ".tsv" else ","
    with written(path) as target:
        for line in _Lines(votes, separator, long=format == "long").all():
            target.stream.write(line)


class _Lines:
    """Votes on their way to lines; every name is quoted once, whatever number of lines it is on."""

    def __init__(self, votes: Votes, separator: str, *, long: bool) -> None:
        self.votes = votes
        self.separator = separator
        self.long = long
        answers = [
            str(place) if question.kind == "yes_no" else answer
            for question in votes.questions
            for place, answer in enumerate(question.answers)
        ]
        self.starts = np.cumsum([0, *(question.size for question in votes.questions)])
        self.items = self._quoted(votes.items)
        self.annotators = self._quoted(votes.annotators)
        self.concepts = self._quoted([question.name for question in votes.questions])
        self.answers = self._quoted(answers)
        self.batches = self._quoted(votes.batches)

    def all(self) -> Iterator[bytes]:
        for question in self.votes.questions:
            if not _tells(question, self.votes, {} if self.long else {question.name: "choice"}):
                said = line_of([question.name, question.kind, *question.answers], (), ",")
                if b"\n" in said[:-1]:
                    raise InputError(f"the question {question.name!r} has a line end in it")
                yield DESCRIBED + b" " + said
        aside = self._aside()
        asked = ["concept", "value"] if self.long else [self.votes.questions[0].name]
        batch = ["batch"] if len(self.votes.batches) > 1 else []
        header = ["item", "annotator", *asked, *batch, *aside]
        columns = columns_of(header)
        if columns is None or (not self.long and columns.group != asked[0]):
            raise InputError(f'a column cannot be called {asked[0]!r}; give format="long"')
        yield line_of(header, (), self.separator)
        yield from self._votes(list(aside.values()))
        yield from self._sheets_alone(list(aside.values()))

    def _votes(self, aside: Sequence[NDArray[Any]]) -> Iterator[bytes]:
        votes = self.votes
        for first in range(0, len(votes), _BLOCK):
            part = slice(first, first + _BLOCK)
            answer = self.starts[votes.question[part]] + votes.answer[part]
            columns = [self.items[votes.item[part]], self.annotators[votes.annotator[part]]]
            columns += [self.concepts[votes.question[part]]] if self.long else []
            columns.append(self.answers[answer])
            if len(votes.batches) > 1:
                columns.append(self.batches[votes.batch[part]])
            columns += [one[votes.sheet[part]] for one in aside]
            rows = zip(*(column.tolist() for column in columns), strict=True)
            yield ("\n".join(map(self.separator.join, rows)) + "\n").encode()

    def _sheets_alone(self, aside: Sequence[NDArray[Any]]) -> Iterator[bytes]:
        """Sheets on which nothing was answered."""
        sheets = self.votes.sheets
        alone = np.ones(len(sheets), dtype=np.bool_)
        alone[self.votes.sheet] = False
        for place in np.flatnonzero(alone).tolist():
            row = [self.items[sheets.item[place]], self.annotators[sheets.annotator[place]]]
            row += ["", ""] if self.long else [""]
            if len(self.votes.batches) > 1:
                row.append(self.batches[sheets.batch[place]])
            row += [one[place] for one in aside]
            yield (self.separator.join(row) + "\n").encode()

    def _aside(self) -> dict[str, NDArray[Any]]:
        """What is known of each sheet, as far as anything is known of any."""
        sheets = self.votes.sheets
        known: dict[str, Sequence[str]] = {"comment": sheets.comments}
        known["assignment"] = sheets.assignments
        if not np.isnan(sheets.seconds).all():
            known["seconds"] = list(map(seconds_text, sheets.seconds.tolist()))
        if not np.isnat(sheets.submitted).all():
            known["submitted"] = list(map(moment_text, sheets.submitted))
        return {
            # The last entry is for votes without a sheet, whose place is −1.
            name: self._quoted([*known[name], ""])
            for name in ASIDE
            if any(known.get(name, ()))
        }

    def _quoted(self, names: Sequence[str]) -> NDArray[Any]:
        if any("\r" in name or "\0" in name for name in names):
            strange = next(name for name in names if "\r" in name or "\0" in name)
            raise InputError(
                f"{strange!r} cannot be written as CSV: it holds a carriage return or a NUL; "
                "rename it"
            )
        return np.array(
            [line_of([name], (), self.separator).decode()[:-1] for name in names], dtype=object
        )


def _tells(question: Question, votes: Votes, known: Mapping[str, Kind]) -> bool:
    """Whether the answers alone make the same question when they are read."""
    ballot = votes.ballot(question.name)
    given = [question.answers[place] for place in np.unique(ballot.answer)]
    values = (
        ["1" if text == "yes" else "0" for text in given] if question.kind == "yes_no" else given
    )
    concept: tuple[Ints, Sequence[str]] = np.zeros(len(values), dtype=np.int64), [question.name]
    if (
        question.kind == "choice"
        and not known
        and any(fits(text, "yes_no") or is_whole(text) for text in values)
    ):
        return False  # few other answers would be taken for slips of the pen
    made, answer = answers_of(concept, numbered(values), known)
    return made == [question] and bool((answer >= 0).all()) and bool(values)
