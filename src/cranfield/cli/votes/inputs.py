"""How every command of `cranfield votes` opens votes: which files, in which format, grouped how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from cranfield.cli.options import OntologyOption
from cranfield.cli.sharing import sharing

if TYPE_CHECKING:
    from cranfield.assessment.votes import Votes
    from cranfield.assessment.votes.questions import Kind
    from cranfield.core.truth import Truth

_KINDS = ("yes_no", "choice", "grade")
_SHOWN = 20
"""Problems that are told one by one."""


class VoteFormat(StrEnum):
    """What files of votes are."""

    long = "long"
    choices = "choices"
    label_studio = "label-studio"
    mturk = "mturk"


class Absent(StrEnum):
    """What it means that a sheet does not mention a concept."""

    unasked = "unasked"
    no = "no"


VoteFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Votes: CSV item,annotator,concept,value or item,annotator,label, Label Studio JSON, "
        "MTurk results. Several files are several batches.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    VoteFormat | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="What the files are, if not to be recognised: long, choices, label-studio or mturk.",
    ),
]
KeepGoing = Annotated[
    bool,
    typer.Option("--keep-going", help="Tell what is wrong with the files, and use what is sound."),
]
AbsentOption = Annotated[
    Absent,
    typer.Option(
        "--absent",
        metavar="unasked|no",
        help="A concept that a sheet does not mention: nobody asked, or the answer is no, as in "
        "files that list only what was ticked.",
    ),
]
ItemOption = Annotated[
    str | None,
    typer.Option(
        "--item",
        metavar="FIELD",
        help="Which input field of MTurk, or field of a Label Studio task's data, names the item; "
        "default: the first input field, the id of the task.",
    ),
]
RejectedOption = Annotated[
    bool,
    typer.Option("--rejected", help="Count assignments too that were rejected at MTurk."),
]
KindOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="NAME=KIND",
        help="What a question asks for, where answers do not tell: yes_no, choice or grade; may be "
        "repeated.",
        show_default=False,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="NAME",
        help="A question, or a field of MTurk, that is not to be read; may be repeated.",
        show_default=False,
    ),
]
GroupOption = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        metavar="NAME=CONCEPT,…",
        help="Concepts of which exactly one holds: yes/no votes on them become one choice; may be "
        "repeated. --ontology tells such groups too.",
        show_default=False,
    ),
]

CrewsOption = Annotated[
    Path | None,
    typer.Option(
        "--crews",
        metavar="FILE",
        help="Groups of annotators, such as experts and crowd: CSV, header annotator,group.",
    ),
]
ConceptOrder = Annotated[
    Path | None,
    typer.Option(
        "--concepts",
        metavar="FILE",
        help="The order of the concepts, one a line, which runs without names follow.",
    ),
]


@dataclass(frozen=True)
class VoteInput:
    """Everything that the command line says about votes."""

    files: Sequence[Path] = ()
    format: VoteFormat | None = None
    keep_going: bool = False
    absent: Absent = Absent.unasked
    item: str | None = None
    ontology: str | None = None
    groups: Sequence[str] | None = None
    rejected: bool = False
    kinds: Sequence[str] | None = None
    ignore: Sequence[str] | None = None

    @property
    def read_files(self) -> tuple[Path, ...]:
        """What a result must not be written over."""
        return (*self.files, *([] if self.ontology is None else [Path(self.ontology)]))

    def of(self, *files: Path) -> VoteInput:
        """The same for these files."""
        return replace(self, files=files)

    def read(self) -> Votes:
        """Read and group votes; what is wrong, left out or unclear is told on standard error."""
        groups = groups_given(self.groups or ())
        kinds = _kinds_given(self.kinds or ())
        if groups and self.ontology is not None:
            raise typer.BadParameter("give --group or --ontology, not both")

        from cranfield.assessment.files import read_votes
        from cranfield.cli.screen import inform, waiting
        from cranfield.errors import InputError, first_ten
        from cranfield.knowledge import Ontology

        with waiting("reading votes"):
            votes = read_votes(
                *self.files,
                format=None if self.format is None else self.format.value,
                keep_going=self.keep_going,
                absent=self.absent.value,
                item=self.item,
                rejected=self.rejected,
                kinds=kinds,
                ignore=self.ignore or (),
            )
        tell(map(str, votes.problems), len(votes.problems))
        for note in votes.notes:
            inform(note)
        names = [question.name for question in votes.questions]
        strange = [name for name in kinds if name not in names]
        if strange:
            raise InputError(
                f"--kind: there is no question {first_ten(strange)}; there are {first_ten(names)}"
            )
        if self.ontology is None and not groups:
            return votes
        ontology = groups if self.ontology is None else Ontology.load(self.ontology)
        grouped, unclear = votes.grouped(ontology)
        tell(
            (
                f"{one.annotator!r} on item {one.item!r} chose "
                f"{' and '.join(one.chosen) or 'none'} of {one.group!r}: no vote"
                for one in unclear
            ),
            len(unclear),
        )
        return grouped


def _input(
    format: FormatOption = None,
    keep_going: KeepGoing = False,
    absent: AbsentOption = Absent.unasked,
    item: ItemOption = None,
    ontology: OntologyOption = None,
    group: GroupOption = None,
    rejected: RejectedOption = False,
    kind: KindOption = None,
    ignore: IgnoreOption = None,
) -> VoteInput:
    return VoteInput((), format, keep_going, absent, item, ontology, group, rejected, kind, ignore)


reads_votes = sharing("how", _input)
"""Makes a command take all options of how votes are read, for its parameter `how`."""


def read_crews(path: Path, votes: Votes) -> dict[str, list[str]]:
    """Groups of annotators from a file; everybody in it must have voted."""
    from cranfield.errors import FileError, first_ten
    from cranfield.formats.two_columns import read_groups_of_annotators

    crews = read_groups_of_annotators(path)
    known = set(votes.annotators)
    strange = [name for members in crews.values() for name in members if name not in known]
    if strange:
        raise FileError(path, f"nobody of this name voted: {first_ten(strange)}; leave them out")
    return crews


def in_order(truth: Truth, concepts: Path | None) -> Truth:
    """A merged truth with its concepts in the order of a file, which runs without names follow."""
    if concepts is None:
        return truth
    from cranfield.errors import FileError, first_ten
    from cranfield.formats import read_concepts

    names = read_concepts(concepts)
    known = truth.concept_axis.positions
    strange = [name for name in names if name not in known]
    lacking = sorted(set(known) - set(names))
    if strange or lacking:
        what = f"nobody was asked about {first_ten(strange)}" if strange else ""
        lack = f"{first_ten(lacking)} are missing" if lacking else ""
        raise FileError(
            concepts, f"{' and '.join(filter(None, (what, lack)))}; list the concepts voted on"
        )
    return truth.of_concepts([known[name] for name in names])


def groups_given(given: Iterable[str]) -> dict[str, list[str]]:
    """Groups as the command line spells them."""
    groups = {}
    for one in given:
        name, sign, members = one.partition("=")
        concepts = [member.strip() for member in members.split(",") if member.strip()]
        if not sign or not name.strip() or len(concepts) < 2:
            raise typer.BadParameter(
                f"{one!r}: write NAME=CONCEPT,CONCEPT,… with two concepts at least",
                param_hint="--group",
            )
        if len(set(concepts)) < len(concepts) or name.strip() in groups:
            raise typer.BadParameter(
                f"{one!r}: name each group, and each concept in it, once", param_hint="--group"
            )
        groups[name.strip()] = concepts
    return groups


def _kinds_given(given: Iterable[str]) -> dict[str, Kind]:
    """What questions ask for, as the command line spells it."""
    kinds: dict[str, Kind] = {}
    for one in given:
        name, _, kind = one.rpartition("=")
        if not name.strip() or kind.strip() not in _KINDS:
            raise typer.BadParameter(
                f"{one!r}: write NAME=KIND, and as kind {', '.join(_KINDS)}", param_hint="--kind"
            )
        kinds[name.strip()] = cast("Kind", kind.strip())
    return kinds


def tell(lines: Iterable[str], total: int) -> None:
    """The first of many lines, and how many follow."""
    from itertools import islice

    from cranfield.cli.screen import inform

    for line in islice(lines, _SHOWN):
        inform(line)
    if total > _SHOWN:
        inform(f"… and {total - _SHOWN} more")
