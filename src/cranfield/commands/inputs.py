"""Inputs: functions that read the arguments of commands from files, shared by commands.

Each returns a named tuple; its fields are the arguments that it supplies. Whatever is read is
imported when it is read, so that help answers at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.errors import FileError, InputError

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.core.terms import Terms
    from cranfield.core.truth import Truth

FORMATS = (
    "text, csv, tsv, long, npz, npy, parquet, parquet-long, mulan, openimages, coco, voc, trec or "
    "diversity"
)
"""The formats in words of help, which must not wait for them to be loaded."""
_INPUTS, _KNOWLEDGE = "Inputs", "Knowledge about concepts"
FormatOption = Annotated[
    str | None,
    Option(
        metavar="FORMAT",
        panel=_INPUTS,
        help=f"Format of what is read, if not recognised: {FORMATS}",
    ),
]
ConceptsOption = Annotated[
    Path | None,
    Option(panel=_INPUTS, help="Names of the concepts, one a line, if files lack them"),
]
TermsOption = Annotated[
    str | None,
    Option(
        metavar="CONCEPT,ITEM",
        panel=_INPUTS,
        help="What tables and charts call concepts and items: topic,document, or person/people,"
        "photo; default: what terms.txt of the collection folder says, else what suits the data.",
    ),
]

Threshold = Annotated[
    list[str] | None,
    Option(
        metavar="NUMBER|FILE|RUN=NUMBER",
        panel=_INPUTS,
        help="Decisions are confidences at or above this, or at or above what a CSV file holds "
        "(concept,threshold or run,threshold or run,concept,threshold); RUN=NUMBER: of a single "
        "run; may be repeated; default 0.5 within [0, 1].",
    ),
]
Missing = Annotated[
    Literal["error", "absent"],
    Option(
        panel=_INPUTS,
        help="An item or concept that a run lacks: refuse, or count as not retrieved.",
    ),
]
Extra = Annotated[
    Literal["error", "drop"],
    Option(panel=_INPUTS, help="Items of a run that the truth lacks: refuse, or leave out."),
]
Split = Annotated[
    str | None,
    Option(
        metavar="NAME",
        panel=_INPUTS,
        help="Only the items of this split, as splits.csv of the collection folder says.",
    ),
]
OntologyFile = Annotated[
    str | None,
    Option(
        metavar="NAME|FILE",
        panel=_KNOWLEDGE,
        help="Hierarchy and rules: pto2009, pto2010, pto2011, or a file (.owl .ttl .obo .json …).",
    ),
]
Costs = Annotated[
    list[str] | None,
    Option(
        metavar="[NAME=]FILE",
        panel=_KNOWLEDGE,
        help="What it costs to take one concept for another, for OS(costs=NAME); may be repeated.",
    ),
]
Relatedness = Annotated[
    list[str] | None,
    Option(
        metavar="[NAME=]FILE",
        panel=_KNOWLEDGE,
        help="How closely concepts are related, for SRP(relatedness=NAME); may be repeated.",
    ),
]
Agreement = Annotated[
    Path | None,
    Option(
        panel=_KNOWLEDGE,
        help="How far annotators agree on each concept: CSV with the header concept,value.",
    ),
]


def require_format(name: str | None) -> None:
    """Refuse a format that there is not, before anything is read."""
    from cranfield.formats.registry import named

    if name is not None:
        named(name)


def read_terms(words: str | None) -> Terms | None:
    """What `--terms` says."""
    from cranfield.core.terms import Terms

    try:
        return None if words is None else Terms.of(words)
    except InputError as error:
        raise InputError(error.what, mend=error.mend, parameter="terms") from None


class Runs(NamedTuple):
    """A truth with runs, and what is known about its concepts."""

    truth: Collection
    runs: list[Run]
    missing: Literal["error", "absent"]
    extra: Literal["error", "drop"]
    ontology: Any
    costs: Any
    relatedness: Any
    agreement: Any


def runs_of_truth(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    runs: Annotated[list[Path] | None, Argument(metavar="RUN")] = None,
    *,
    threshold: Threshold = None,
    missing: Missing = "error",
    extra: Extra = "error",
    split: Split = None,
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    terms: TermsOption = None,
    ontology: OntologyFile = None,
    costs: Costs = None,
    relatedness: Relatedness = None,
    agreement: Agreement = None,
    progress: Progress = silent,
) -> Runs:
    """A truth with runs, and what is known about its concepts.

    truth  A truth file, or a collection folder; for evaluate, compare, gate, slices and plan also
           scores from elsewhere: a table run,item,score, or logs of Inspect, promptfoo or
           lm-evaluation-harness.
    runs   Runs: files or folders of them; default: those in the collection folder. Of scores from
           elsewhere: more files, or names of runs; default: all of them.
    """
    from cranfield import formats
    from cranfield.commands.knowledge_files import KnowledgeFiles
    from cranfield.commands.run_files import named_runs
    from cranfield.commands.threshold_texts import cut_of, require_thresholds
    from cranfield.formats.scores import is_scores

    require_thresholds(threshold)
    require_format(format)
    words = read_terms(terms)
    if format is None and is_scores(truth):
        raise FileError(
            truth,
            "holds scores of items, and this command needs a truth and predictions",
            mend="evaluate, compare, gate, slices, plan, study power and study correlate take "
            "scores from elsewhere",
        )
    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names, format=format, terms=words)
    if split is not None:
        try:
            collection = collection.select(split=split)
        except InputError as error:
            raise FileError(truth, error.what, mend=error.mend) from None
    files = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    knowledge = files.read(collection.truth.concept_axis)
    paths = named_runs(runs or collection.runs)
    read = formats.read_runs(
        paths,
        collection,
        format=format,
        threshold=cut_of(threshold),
        extra=extra,
        progress=progress,
    )
    for run in read:
        run.source = paths[run.name]
    return Runs(
        collection,
        read,
        missing,
        extra,
        knowledge.ontology,
        knowledge.costs,
        knowledge.relatedness,
        knowledge.agreement,
    )


_Reader = TypeVar("_Reader", bound=Callable[..., Any])


def with_options_of_runs(*, without: Sequence[str] = ()) -> Callable[[_Reader], _Reader]:
    """A reader whose `**options` are those of `runs_of_truth`, which it hands on.

    without  options that it does not take
    """

    def declared(reader: _Reader) -> _Reader:
        own = {
            name: parameter
            for name, parameter in inspect.signature(reader).parameters.items()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        }
        shared = {
            name: parameter
            for name, parameter in inspect.signature(runs_of_truth).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name not in (*own, *without)
        }
        types = {name: eval(runs_of_truth.__annotations__[name], globals()) for name in shared}
        reader.__annotations__ = types | reader.__annotations__
        reader.__signature__ = inspect.Signature([*own.values(), *shared.values()])  # type: ignore[attr-defined]
        return reader

    return declared


class Annotators(NamedTuple):
    """The truths of single annotators."""

    annotators: list[Truth]


def truths_of_annotators(
    *,
    annotators: Annotated[list[Path] | None, Option(name="annotator")] = None,
    truth: Any = None,
    format: str | None = None,
) -> Annotators:
    """The truths of single annotators.

    annotators  The truth of one annotator, where annotators are left out; to be repeated. Those
                who remain vote by majority.
    """
    from cranfield import formats

    names = truth.truth.concept_axis.ids
    paths: Sequence[Path] = annotators or ()
    return Annotators([formats.read_truth(path, concepts=names, format=format) for path in paths])
