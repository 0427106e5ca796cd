"""Votes: how commands read them, groups of annotators, weights and known answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast, get_args

from cranfield.assessment.votes import Votes
from cranfield.assessment.votes.columns import Absent, VoteFormat
from cranfield.assessment.votes.questions import Kind
from cranfield.commands.inputs import Agreement, Costs, Extra, Missing, Relatedness, read_terms
from cranfield.commands.knowledge_files import KnowledgeFiles
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.errors import FileError, InputError, first_ten

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth

_PANEL = "How votes are read"
_SHOWN = 20
"""Problems that are reported singly."""


# ── reading ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class VoteReader:
    """How files of votes are read, and how concepts are grouped."""

    read_files: Callable[..., Votes]
    groups: Mapping[str, Sequence[str]]
    ontology: str | None
    notify: Notify

    @property
    def is_grouping(self) -> bool:
        return bool(self.groups or self.ontology)

    def read(self, *files: Path) -> Votes:
        """Votes, grouped; problems, notes and unclear answers are reported."""
        from cranfield.knowledge import Ontology

        votes = self.read_files(*files)
        report_reading(votes, self.notify)
        if not self.is_grouping:
            return votes
        groups = self.groups or Ontology.load(cast("str", self.ontology))
        grouped, unclear = votes.grouped(groups)
        _report(
            (
                f"{answer.annotator!r} on {votes.terms.item} {answer.item!r} chose "
                f"{' and '.join(answer.chosen) or 'none'} of {answer.group!r}: no vote"
                for answer in unclear
            ),
            len(unclear),
            self.notify,
        )
        return grouped


class HowVotesAreRead(NamedTuple):
    """A reader of files of votes."""

    reader: VoteReader


def vote_reader(
    *,
    format: Annotated[VoteFormat | None, Option(metavar="FORMAT", panel=_PANEL)] = None,
    keep_going: Annotated[bool, Option(panel=_PANEL)] = False,
    absent: Annotated[Absent, Option(panel=_PANEL)] = "unasked",
    item: Annotated[str | None, Option(metavar="FIELD", panel=_PANEL)] = None,
    ontology: Annotated[str | None, Option(metavar="NAME|FILE", panel=_PANEL)] = None,
    groups: Annotated[
        list[str] | None, Option(name="group", metavar="NAME=CONCEPT,…", panel=_PANEL)
    ] = None,
    rejected: Annotated[bool, Option(panel=_PANEL)] = False,
    kinds: Annotated[
        list[str] | None, Option(name="kind", metavar="NAME=KIND", panel=_PANEL)
    ] = None,
    ignore: Annotated[list[str] | None, Option(metavar="NAME", panel=_PANEL)] = None,
    terms: Annotated[str | None, Option(metavar="CONCEPT,ITEM", panel=_PANEL)] = None,
    notify: Notify = unheard,
) -> HowVotesAreRead:
    """How files of votes are read.

    format      What the files are, if not to be recognised: long, choices, label-studio or mturk.
    keep_going  Report what is wrong with the files, and use what is sound.
    absent      A concept that a sheet does not mention: nobody asked, or the answer is no, as in
                files that list only what was ticked.
    item        Input field of MTurk, or field of a Label Studio task's data, that names the item;
                default: the first input field, the id of the task.
    ontology    Hierarchy and rules: pto2009, pto2010, pto2011, or a file (.owl .ttl .obo .json …);
                concepts of which exactly one holds are one choice.
    groups      Concepts of which exactly one holds: yes/no votes on them become one choice; may be
                repeated. --ontology knows such groups too.
    rejected    Count assignments too that were rejected at MTurk.
    kinds       What a question asks for, where answers do not tell: yes_no, choice or grade; may be
                repeated.
    ignore      A question, or a field of MTurk, that is not to be read; may be repeated.
    terms       What tables and charts call concepts and items: class,photo, or person/people,photo.
    """
    from cranfield.assessment.files import read_votes

    by_name, words = kinds_of(kinds or ()), read_terms(terms)

    def read_files(*files: Path) -> Votes:
        votes = read_votes(
            *files,
            format=format,
            keep_going=keep_going,
            absent=absent,
            item=item,
            rejected=rejected,
            kinds=by_name,
            ignore=ignore or (),
        )
        names = [question.name for question in votes.questions]
        unknown = [name for name in by_name if name not in names]
        if unknown:
            raise InputError(
                f"there is no question {first_ten(unknown)}; there are {first_ten(names)}",
                mend="check {kinds}",
            )
        return votes if words is None else votes.in_terms(words)

    return HowVotesAreRead(VoteReader(read_files, groups_of(groups or ()), ontology, notify))


class FilesOfVotes(NamedTuple):
    """Votes, and the files that they were read from."""

    votes: Votes


def votes_of_files(
    files: Annotated[list[Path], Argument(metavar="FILE")],
    *,
    reader: VoteReader | None = None,
    progress: Progress = silent,
) -> FilesOfVotes:
    """Votes.

    files  Votes: CSV item,annotator,concept,value or item,annotator,label, Label Studio JSON, MTurk
           results. Several files are several batches.
    """
    assert reader is not None
    if reader.groups and reader.ontology is not None:
        raise InputError("both group concepts", mend="leave out {ontology}", parameter="groups")
    with progress("reading votes", 0):
        return FilesOfVotes(reader.read(*files))


class Crews(NamedTuple):
    """Groups of annotators."""

    groups: dict[str, list[str]] | None


def crews_of_votes(
    *, crews: Annotated[Path | None, Option()] = None, votes: Votes | None = None
) -> Crews:
    """Groups of annotators; everybody in them must have voted.

    crews  Groups of annotators, such as experts and crowd: CSV, header annotator,group.
    """
    from cranfield.formats.two_columns import read_groups_of_annotators

    assert votes is not None
    if crews is None:
        return Crews(None)
    groups = read_groups_of_annotators(crews)
    present = set(votes.annotators)
    strangers = [name for members in groups.values() for name in members if name not in present]
    if strangers:
        raise FileError(crews, f"nobody of this name voted: {first_ten(strangers)}; leave them out")
    return Crews(groups)


ConceptOrder = Annotated[
    Path | None,
    Option(help="The order of the concepts, one a line, which runs without names follow."),
]


class RunsOfVotes(NamedTuple):
    """Votes with runs, and knowledge about their concepts."""

    votes: Votes
    runs: list[Run]
    missing: Missing
    extra: Extra
    ontology: Any
    costs: Any
    relatedness: Any
    agreement: Any


def runs_of_votes(
    votes: Annotated[Path, Argument(metavar="VOTES")],
    runs: Annotated[list[Path], Argument(metavar="RUN")],
    *,
    reader: VoteReader | None = None,
    batch: Annotated[list[Path] | None, Option()] = None,
    concepts: ConceptOrder = None,
    ontology: str | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    costs: Costs = None,
    relatedness: Relatedness = None,
    agreement: Agreement = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> RunsOfVotes:
    """Votes with runs.

    votes  Votes, as merge reads them.
    runs   Runs: files or folders of them.
    batch  Further files of votes; may be repeated.
    """
    from dataclasses import replace

    assert reader is not None
    if reader.groups and ontology is not None:
        reader = replace(reader, ontology=None)
        notify("groups of concepts are those of --group; --ontology is only scored with")
    cast_votes = reader.read(votes, *(batch or ()))
    merged = in_order(cast_votes.merge(), concepts)
    files = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    knowledge = files.read(merged.concept_axis)
    systems = _read_runs(runs, merged, extra, progress, notify)
    return RunsOfVotes(
        cast_votes,
        systems,
        missing,
        extra,
        knowledge.ontology,
        knowledge.costs,
        knowledge.relatedness,
        knowledge.agreement,
    )


class RunsBesideVotes(NamedTuple):
    """Runs that votes may be reported with, and the hierarchy that scores them."""

    runs: list[Run]
    ontology: Any


def runs_beside_votes(
    *,
    runs: Annotated[list[Path] | None, Option(name="run", metavar="RUN")] = None,
    concepts: Annotated[Path | None, Option(needs="runs")] = None,
    votes: Votes | None = None,
    ontology: str | None = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> RunsBesideVotes:
    """Runs to rank by the votes, if any.

    runs      Runs to rank by the votes: a file or a folder of them; may be repeated.
    concepts  The order of the concepts, one a line, which runs without names follow.
    """
    assert votes is not None
    if not runs:
        return RunsBesideVotes([], None)
    merged = in_order(votes.merge(), concepts)
    knowledge = KnowledgeFiles.given(ontology, None, None, None).read(merged.concept_axis)
    systems = _read_runs(runs, merged, "error", progress, notify)
    return RunsBesideVotes(systems, knowledge.ontology)


def _read_runs(
    files: list[Path], merged: Truth, extra: Extra, progress: Progress, notify: Notify
) -> list[Run]:
    """Runs on the items of a merged truth, each with the file that it comes from."""
    from cranfield import formats
    from cranfield.collections.collection import Collection
    from cranfield.collections.extra_items import left_out_remarks
    from cranfield.commands.run_files import named_runs

    paths = named_runs(files)
    systems = formats.read_runs(paths, Collection(merged), extra=extra, progress=progress)
    for run in systems:
        run.source = paths[run.name]
    for remark in left_out_remarks(systems, merged.terms):
        notify(remark)
    return systems


def in_order(truth: Truth, concepts: Path | None) -> Truth:
    """A merged truth with its concepts in the order of a file, which runs without names follow."""
    if concepts is None:
        return truth
    from cranfield.formats import read_concepts

    names = read_concepts(concepts)
    positions = truth.concept_axis.positions
    unknown = [name for name in names if name not in positions]
    lacking = sorted(set(positions) - set(names))
    if unknown or lacking:
        what = f"nobody was asked about {first_ten(unknown)}" if unknown else ""
        lack = f"{first_ten(lacking)} are missing" if lacking else ""
        raise FileError(
            concepts, f"{' and '.join(filter(None, (what, lack)))}; list the concepts voted on"
        )
    return truth.of_concepts([positions[name] for name in names])


def groups_of(texts: Iterable[str]) -> dict[str, list[str]]:
    """Groups of concepts, from NAME=CONCEPT,CONCEPT,…"""
    groups = {}
    for text in texts:
        name, sign, members = text.partition("=")
        concepts = [member.strip() for member in members.split(",") if member.strip()]
        if not sign or not name.strip() or len(concepts) < 2:
            raise InputError(
                f"{text!r}: write NAME=CONCEPT,CONCEPT,… with two concepts at least",
                parameter="groups",
            )
        if len(set(concepts)) < len(concepts) or name.strip() in groups:
            raise InputError(
                f"{text!r}: name each group, and each concept in it, once", parameter="groups"
            )
        groups[name.strip()] = concepts
    return groups


def kinds_of(texts: Iterable[str]) -> dict[str, Kind]:
    """Kinds of questions, from NAME=KIND."""
    kinds: dict[str, Kind] = {}
    for text in texts:
        name, _, kind = text.rpartition("=")
        if not name.strip() or kind.strip() not in get_args(Kind):
            raise InputError(
                f"{text!r}: write NAME=KIND, and as kind {', '.join(get_args(Kind))}",
                parameter="kinds",
            )
        kinds[name.strip()] = cast("Kind", kind.strip())
    return kinds


def report_reading(votes: Votes, notify: Notify) -> None:
    """Report what was wrong with the files of votes, and what else to know of them."""
    _report(map(str, votes.problems), len(votes.problems), notify)
    for note in votes.notes:
        notify(note)


def _report(lines: Iterable[str], total: int, notify: Notify) -> None:
    """The first of many lines, and how many follow."""
    for line in islice(lines, _SHOWN):
        notify(line)
    if total > _SHOWN:
        notify(f"… and {total - _SHOWN} more")


class Weights(NamedTuple):
    """Weights of annotators."""

    weights: dict[str, float] | None


def weights_of_annotators(
    *, weights: Annotated[Path | None, Option()] = None, method: str = "majority"
) -> Weights:
    """Weights of annotators.

    weights  Of weighted_majority: CSV annotator,weight; default: the share of votes that is with
             the majority.
    """
    from cranfield.formats.two_columns import read_weights_of_annotators

    if weights is None:
        return Weights(None)
    if method != "weighted_majority":
        raise InputError(
            f"method {method!r} takes no weights",
            mend="choose {method=weighted_majority}",
            parameter="weights",
        )
    return Weights(read_weights_of_annotators(weights))


# ── quality ───────────────────────────────────────────────────────────────────────────────────


class Checks(NamedTuple):
    """Known answers."""

    gold: Truth | Votes | None
    controls: dict[str, str]


def known_answers(
    *,
    gold: Annotated[Path | None, Option()] = None,
    controls: Annotated[list[str] | None, Option(name="control", metavar="NAME=ANSWER")] = None,
    votes: Votes | None = None,
    reader: VoteReader | None = None,
) -> Checks:
    """Known answers.

    gold      Answers that are known: a truth, or votes, on some items.
    controls  The one right answer of a control question, or item; may be repeated.
    """
    assert votes is not None
    assert reader is not None
    answers = dict(_control(text) for text in controls or ())
    if gold is None:
        return Checks(None, answers)
    return Checks(_read_gold(gold, votes, is_grouping=reader.is_grouping), answers)


def _control(text: str) -> tuple[str, str]:
    name, sign, value = text.rpartition("=")
    if not sign or not name.strip() or not value.strip():
        raise InputError(f"{text!r}: write NAME=ANSWER", parameter="controls")
    return name.strip(), value.strip()


def _read_gold(path: Path, votes: Votes, *, is_grouping: bool) -> Truth | Votes:
    """Known answers: votes where a file has annotators, else a truth."""
    from cranfield.assessment.files.reading import read_votes, recognised
    from cranfield.assessment.files.tables import columns_of, header_of
    from cranfield.formats import read_truth
    from cranfield.formats.source import opened

    with opened(path) as source:
        form = "" if source.is_folder else recognised(source)
        header = None if source.is_folder else header_of(source)
    if form != "mturk" and (header is None or columns_of(header) is None):
        try:
            return read_truth(path)
        except FileError:
            if form != "label-studio":  # JSON may be either
                raise
    if is_grouping:  # what is one choice there may be several questions here
        return read_votes(path).merge()
    return read_votes(path, kinds={question.name: question.kind for question in votes.questions})


class Uploads(NamedTuple):
    """Files of decisions to write, and the results of MTurk that each repeats, if any."""

    uploads: dict[Path, Path | None]


def uploads_of_results(
    files: Sequence[Path] = (),
    *,
    decisions: Annotated[Path | None, Option()] = None,
    votes: Votes | None = None,
    format: VoteFormat | None = None,
    gold: Path | None = None,
) -> Uploads:
    """What to upload to Mechanical Turk.

    decisions  Write what to upload to MTurk: the results with an x in Approve or the reason in
               Reject. Of several batches each gets its own file, its name added.
    """
    from cranfield.assessment.files.reading import batches_of
    from cranfield.assessment.quality.decisions import require_assignments
    from cranfield.commands.outputs import refuse_overwrite
    from cranfield.core.atomic_write import require_room

    if decisions is None:
        return Uploads({})
    assert votes is not None
    results = [path for path in files if _holds_results(path, format)]
    uploads: dict[Path, Path | None] = {decisions: results[0] if results else None}
    if len(results) > 1:
        names = [name.replace("/", "-") for name in batches_of(results)]
        uploads = {
            decisions.with_name(f"{decisions.stem}-{name}{decisions.suffix}"): path
            for name, path in zip(names, results, strict=True)
        }
    for path in uploads:
        refuse_overwrite(path, (*files, gold), parameter="decisions")
        require_room(path)
    require_assignments(votes)
    return Uploads(uploads)


def _holds_results(path: Path, format: VoteFormat | None) -> bool:
    from cranfield.assessment.files.reading import recognised
    from cranfield.formats.source import opened

    if format is not None:
        return format == "mturk"
    with opened(path) as source:
        return not source.is_folder and recognised(source) == "mturk"
