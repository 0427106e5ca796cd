"""Reading votes: which reader takes a file, what becomes of errors, and which batch a file is."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import get_args

from cranfield.assessment.files import label_studio, mturk, tables
from cranfield.assessment.files.counted import count
from cranfield.assessment.files.gathered import Gathered
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.columns import Absent, VoteFormat
from cranfield.assessment.votes.questions import Kind
from cranfield.errors import FileError, InputError, several
from cranfield.formats.problems import KEPT, Problems
from cranfield.formats.source import Source, legible, name_of, opened

_TOLD = 20
"""Problems that an error tells one by one."""
_ADVICE = "give {keep_going=True} to use what is sound"


def read_votes(
    *paths: str | os.PathLike[str],
    format: VoteFormat | None = None,
    keep_going: bool = False,
    absent: Absent = "unasked",
    batches: bool = True,
    item: str | None = None,
    rejected: bool = False,
    kinds: Mapping[str, Kind | Question] | None = None,
    ignore: Collection[str] = (),
) -> Votes:
    """Read votes from a file, or from several.

    format      long, choices, label-studio or mturk; default: recognised
    keep_going  leave out what is wrong and list it in `problems`, instead of an error
    absent      a concept that a sheet does not mention: "unasked", or answered by "no"
    batches     whether a column, or each of several files, tells a batch
    item        the input field of MTurk, or field of a Label Studio task's data, that names the
                item; default: the first input field; the field `item`, else the task's id
    rejected    whether assignments that were rejected at MTurk count
    kinds       what questions ask for, where answers do not tell: yes_no, choice or grade, or
                a question with all that can be answered
    ignore      questions, or fields of MTurk, that are not to be read
    """
    _require("format", format, (None, *get_args(VoteFormat)))
    _require("absent", absent, get_args(Absent))
    for kind in (kinds or {}).values():
        if not isinstance(kind, Question):
            _require("kinds", kind, get_args(Kind))
    if not paths:
        raise InputError("there are no files of votes; name one at least")
    gathered = Gathered(kinds=kinds or {}, ignore=ignore)
    files = [Path(path) for path in paths]
    names = batches_of(files) if batches and len(files) > 1 else [None] * len(files)
    for path, batch in zip(files, names, strict=True):
        _read_file(
            path,
            gathered,
            format=format,
            batch=batch,
            ticked=absent == "no",
            batches=batches,
            item=item,
            rejected=rejected,
        )
    votes = count(gathered, absent=absent)
    return _settled(votes, gathered, keep_going=keep_going)


def batches_of(files: Sequence[Path]) -> list[str]:
    """What to call each file's batch: its name, and the folders or extension that it takes."""
    places = [path.resolve() for path in files]
    for last in (name_of, lambda path: legible(path.name)):
        for depth in range(max(len(path.parts) for path in places)):
            folders = [path.parts[max(1, len(path.parts) - 1 - depth) : -1] for path in places]
            names = [
                "/".join([*map(legible, above), last(path)])
                for above, path in zip(folders, files, strict=True)
            ]
            if len(set(names)) == len(set(places)):
                return names
    return names


def _require(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        words = ", ".join(repr(one) for one in choices if one is not None)
        raise InputError(f"{name}={value!r}; choose one of {words}")


def _read_file(
    path: Path,
    gathered: Gathered,
    *,
    format: VoteFormat | None,
    batch: str | None,
    ticked: bool,
    batches: bool,
    item: str | None,
    rejected: bool,
) -> None:
    problems = Problems(path, keep=KEPT)
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, "this is a folder; name the files of votes in it")
        start = len(gathered)
        known = format or recognised(source)
        part = {} if batch is None else {"batch": batch}
        gathered.begin(
            problems,
            unit=label_studio.UNIT if known == "label-studio" else "line",
            sheets=known in ("label-studio", "mturk"),
            **part,
        )
        try:
            if known == "label-studio":
                label_studio.read(source, problems, gathered, item=item)
            elif known == "mturk":
                mturk.read(source, problems, gathered, item=item, rejected=rejected)
            else:
                tables.read(
                    source, problems, gathered, ticked=ticked, batches=batches, insist=format
                )
        except FileError as error:
            # Behind this nothing can be read; what stands before it can.
            if len(gathered) == start:
                raise
            problems.add_error(error)


def recognised(source: Source) -> VoteFormat:
    """The format of a file by what it begins with; a table of votes tells more by its header."""
    first = source.first_line.lstrip()
    if first.startswith((b"[", b"{")):
        return "label-studio"
    header = tables.header_of(source)
    return "mturk" if header is not None and mturk.is_mturk(header) else "long"


def _settled(votes: Votes, gathered: Gathered, *, keep_going: bool) -> Votes:
    """The votes with what is to be said about them, or the errors raised."""
    found = [part.problems.findings() for part in gathered.parts]
    problems = tuple(error for findings in found for error in findings)
    total = sum(findings.total for findings in found)
    if problems and (not keep_going or not len(votes)):
        raise _error(problems, total, advice=_ADVICE if len(votes) else "")
    if not len(votes):
        raise FileError(gathered.parts[0].problems.path, "there are no votes; add a line for each")
    if total > len(problems):
        gathered.notes.append(f"{total} problems in all, of which {len(problems)} are kept")
    votes.problems = problems
    votes.notes = tuple(gathered.notes)
    return votes


def _error(problems: tuple[FileError, ...], total: int, *, advice: str) -> InputError:
    first = problems[0]
    if total == 1:
        mend = " or ".join(filter(None, (first.mend, advice)))
        return FileError(first.path, first.what, line=first.line, mend=mend)
    lines = [str(error) for error in problems[:_TOLD]]
    if total > _TOLD:
        lines.append(f"… and {total - _TOLD} more")
    what = "\n".join([f"{several(total, 'problem')} in votes:", *lines])
    return InputError(what, mend=f"mend them, or {advice}" if advice else "mend them")
