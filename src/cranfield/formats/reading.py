"""Reading truths, runs and collections, and checking files, whatever format they are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing, as_ids
from cranfield.core.progress import Progress, silent
from cranfield.core.run import Run
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats import folder as folders
from cranfield.formats.contents import Content
from cranfield.formats.knowledge import (
    hierarchy_of,
    read_knowledge,
)
from cranfield.formats.lists import read_concepts, read_terms
from cranfield.formats.problems import KEPT, Findings, IncompleteError, Problems
from cranfield.formats.registry import (
    Expected,
    Format,
    Options,
    format_of,
)
from cranfield.formats.source import Source, legible, name_of, opened
from cranfield.formats.splits import read_splits
from cranfield.formats.thresholds import read_run_thresholds
from cranfield.formats.two_columns import with_topics
from cranfield.kernels import share, worker_count
from cranfield.knowledge import Knowledge


def read_truth(
    path: str | Path, *, concepts: Iterable[str] | None = None, format: str | None = None
) -> Truth:
    """A truth from a file.

    concepts  names of the concepts, for files that do not hold them, in the order of the columns
    format    insist on a format instead of recognising it
    """
    return _read(path, concepts=concepts, format=format).truth


def read_collection(
    path: str | Path,
    *,
    concepts: Iterable[str] | None = None,
    format: str | None = None,
    terms: str | Terms | None = None,
) -> Collection:
    """A collection from a truth file, or from a folder with a truth and what lies beside it.

    A folder holds `truth.*`, and perhaps `concepts.txt` (one id a line), `splits.csv`
    (item,split), `terms.txt` (what people call concepts and items: topic,document), `topics.*`
    (TREC's <top>, or XML), `runs/*`, `runs.csv` (run,threshold, and other columns), and what
    is known about concepts: `ontology.*`, `agreement.csv` (concept,value), `costs/NAME.*` and
    `relatedness/NAME.*` (square, with header).

    concepts, format  as of `read_truth`
    terms             instead of what the folder or the data say: "topic,document"
    """
    read = _read_collection(Path(path), concepts=concepts, format=format)
    return read if terms is None else replace(read, truth=read.truth.in_terms(terms))


def _read_collection(
    path: Path, *, concepts: Iterable[str] | None, format: str | None
) -> Collection:
    if not folders.is_collection(path):
        return _read(path, concepts=concepts, format=format)
    listed = folders.concepts_file(path)
    if concepts is None and listed is not None:
        concepts = read_concepts(listed)
    read = _read(folders.truth_file(path), concepts=concepts, format=format)
    parts = folders.splits_file(path)
    runs, described_runs = folders.run_files(path), folders.runs_file(path)
    asked = folders.topics_file(path)
    read = read if asked is None else with_topics(read, asked)
    spoken = folders.terms_file(path)
    return replace(
        read,
        truth=read.truth if spoken is None else read.truth.in_terms(read_terms(spoken)),
        name=legible(path.resolve().name),
        runs=runs,
        thresholds={} if described_runs is None else read_run_thresholds(described_runs, runs),
        splits={} if parts is None else read_splits(parts, read.items),
        knowledge=read_knowledge(path, read.truth.concept_axis).over(read.knowledge),
    )


def _read(path: str | Path, *, concepts: Iterable[str] | None, format: str | None) -> Collection:
    wanted = None if concepts is None else as_ids("concept", concepts)
    with opened(path) as source:
        read = format_of(source, format).read_truth(source, Problems(path), wanted)
        if isinstance(read, Truth):
            return Collection(_in_order(read, wanted), source.name)
        return replace(read, knowledge=Knowledge(hierarchy_of(read)))


def _in_order(truth: Truth, concepts: tuple[str, ...] | None) -> Truth:
    """A truth that lists its concepts in any order, in the order that was given for all of them."""
    axis = truth.concept_axis
    if concepts is None or axis.in_order or len(axis.positions) != len(concepts):
        return truth
    return truth.of_concepts(np.array([axis.positions[name] for name in concepts]))


def read_run(
    path: str | Path,
    collection: Collection | Truth | None = None,
    *,
    name: str | None = None,
    concepts: Iterable[str] | None = None,
    format: str | None = None,
    threshold: Any = None,
    extra: Extra = "error",
) -> Run:
    """A run from a file, for the truth it will be measured on.

    name       default: what the file says (TREC's tag), or its name without its extension
    concepts   names of the concepts, where there is no truth that knows them; default for formats
               without names: those of the collection's folder, if the file lies in its `runs`
    threshold  scores at or above it are decisions: as `Run` takes it, or what `read_thresholds`
               reads; default: as runs.csv of the collection folder says, else as the file does
    extra      items that the truth lacks: "error", or "drop" them

    For a part of a collection (`Collection.select`) the run is cut down to that part.
    """
    names = None if concepts is None else as_ids("concept", concepts)
    with opened(path) as source:
        called = source.name if name is None else name
        options = Options(called, _threshold(called, threshold, collection), name is not None)
        reader = format_of(source, format)
        expected = _expected(reader, source, collection, names, extra)
        run = reader.read_run(source, Problems(path), expected, options)
        return run if collection is None else _covering(path, collection, run, extra)


def read_runs(
    paths: Iterable[str | Path] | Mapping[str, str | Path],
    collection: Collection | Truth | None = None,
    *,
    concepts: Iterable[str] | None = None,
    format: str | None = None,
    threshold: Any = None,
    extra: Extra = "error",
    progress: Progress = silent,
) -> list[Run]:
    """Runs from several files, a file on each core at a time; options are those of `read_run`.

    paths  files, or {name: file}
    """
    from cranfield.statistics.thresholds import RunThresholds

    names = None if concepts is None else as_ids("concept", concepts)
    listed: list[tuple[str | None, str | Path]] = (
        list(paths.items()) if isinstance(paths, Mapping) else [(None, path) for path in paths]
    )
    if isinstance(threshold, RunThresholds):
        threshold.require_runs(_names(listed))
    read: dict[int, Run] = {}
    failed: dict[int, InputError] = {}

    with progress("reading", len(listed)) as step:

        def work(indices: range) -> None:
            for index in indices:
                if failed:  # files before that one are being read, so the first to fail is raised
                    return
                name, path = listed[index]
                try:
                    read[index] = read_run(
                        path,
                        collection,
                        name=name,
                        concepts=names,
                        format=format,
                        threshold=threshold,
                        extra=extra,
                    )
                except InputError as error:
                    failed[index] = error
                    continue
                step(1)

        if len(listed) >= worker_count():
            share(len(listed), 1, work)
        else:
            work(range(len(listed)))
    if failed:
        raise failed[min(failed)]
    return [read[index] for index in range(len(listed))]


def _names(listed: Iterable[tuple[str | None, str | Path]]) -> Iterator[str]:
    for name, path in listed:
        yield name_of(Path(path)) if name is None else name


def _threshold(run: str, threshold: Any, collection: Collection | Truth | None) -> Any:
    """What a run decides by: what is said of it, of all runs, or in its collection's folder."""
    from cranfield.statistics.thresholds import RunThresholds, Thresholds

    if isinstance(threshold, RunThresholds):
        threshold = threshold.of(run)
    elif isinstance(threshold, Thresholds):
        threshold = threshold.by_concept
    if threshold is None and isinstance(collection, Collection):
        return collection.thresholds.get(run)
    return threshold


def check(
    path: str | Path,
    *,
    kind: Literal["run", "truth"] = "run",
    against: Truth | Collection | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    concepts: Iterable[str] | None = None,
    format: str | None = None,
) -> Findings:
    """Every error of a file, by line: the first thousand, and `total` of all.

    kind      what the file is meant to be
    against   the truth that a run is meant for; without it the file is checked on its own
    missing   "absent" lets a run leave out items and concepts of the truth
    extra     "drop" lets a run cover items that the truth lacks
    concepts  names of the concepts, where there is no truth that knows them
    """
    if kind not in ("run", "truth") or (kind == "truth" and against is not None):
        raise InputError(
            f"kind={kind!r}; choose 'run' or 'truth', and check only runs against a truth"
        )
    problems = Problems(path, keep=KEPT)
    names = None if concepts is None else as_ids("concept", concepts)
    held: Run | Truth | None = None
    reader = None
    try:
        with opened(path) as source:
            reader = format_of(source, format)
            if kind == "truth":
                read = reader.read_truth(source, problems, names)
                held = read.truth if isinstance(read, Collection) else read
            else:
                truth = None if against is None else _truth_in(against)
                expected = _expected(reader, source, against, names, extra)
                held = reader.read_run(source, problems, expected, Options(source.name))
                if against is not None and not problems.total:
                    held = _covering(path, against, held, extra)
                is_closed = truth is not None and not truth.open
                if truth is not None and is_closed and missing == "error" and not problems.total:
                    _require_all(held, truth, problems)
    except IncompleteError:
        pass
    except FileError as error:
        problems.add_error(error)
    result = problems.findings()
    if not result:
        result.run = held if isinstance(held, Run) else None
        result.truth = held if isinstance(held, Truth) else None
    result.format = None if reader is None else reader.name
    return result


def _expected(
    reader: Format,
    source: Source,
    collection: Collection | Truth | None,
    names: tuple[str, ...] | None,
    extra: Extra,
) -> Expected:
    """What is known of a run: from its truth, from names of concepts, or from its folder."""
    expected = Expected.by(collection, names, extra)
    named = Content.CONCEPT_IDS in reader.holds
    if collection is not None:
        _truth_in(collection)
        if not named and names is None and expected.in_order:
            _require_order_of_folder(source.path, expected)
        named = named or expected.in_order
    if named or (collection is None and names is not None):
        return expected
    columns = _concepts_beside(source.path) if names is None else names
    if columns is None:
        return expected
    return replace(expected, concepts=columns, width=len(columns), in_order=True)


def _concepts_beside(path: Path) -> tuple[str, ...] | None:
    """The concepts of the collection folder that a run lies in, in the order of columns."""
    folder = folders.collection_of_run(path)
    if folder is None:
        return None
    listed = folders.concepts_file(folder)
    if listed is not None:
        return read_concepts(listed)
    axis = read_truth(folders.truth_file(folder)).concept_axis
    return axis.names if axis.in_order else None


def _require_order_of_folder(path: Path, expected: Expected) -> None:
    """Columns without names are the truth's, unless the run's own folder lists the same concepts
    in another order: votes merged to a truth need not keep it."""
    folder = folders.collection_of_run(path)
    listed = None if folder is None else folders.concepts_file(folder)
    if listed is None or expected.concepts is None:
        return
    columns = read_concepts(listed)
    if columns != expected.concepts and sorted(columns) == sorted(expected.concepts):
        raise FileError(
            path,
            "this file does not name its concepts, and its folder lists those of the truth in "
            f"another order ({listed})",
            mend="give {concepts} in the order of the columns, or name the columns",
        )


def _covering(path: str | Path, collection: Collection | Truth, run: Run, extra: Extra) -> Run:
    try:
        return covering(collection, [run], extra)[0]
    except InputError as error:
        raise error.in_file(path) from None


def _require_all(run: Run, truth: Truth, problems: Problems) -> None:
    """Report items and concepts of the truth that a run does not mention."""
    for ours, theirs in (
        (truth.item_axis, run.item_axis),
        (truth.concept_axis, run.concept_axis),
    ):
        try:
            by_position = ours.aligns_by_position(theirs, "the truth", "this run")
        except InputError as error:
            problems.add_error(error.in_file(problems.path))
            continue
        if by_position:
            if ours.size != theirs.size:
                problems.add(
                    f"has {several(theirs.size, ours.kind)} and the truth {ours.size}; without "
                    "ids they align by position, so make them equal"
                )
            continue
        lacking = [name for name in ours.names if name not in theirs.positions]
        if lacking:
            problems.add(
                f"lacks {several(len(lacking), ours.kind)} of the truth: {first_ten(lacking)}",
                mend="add them, or count them as not retrieved with {missing=absent}",
            )


def _truth_in(collection: Collection | Truth) -> Truth:
    truth = collection.truth if isinstance(collection, Collection) else collection
    if not isinstance(truth, Truth):
        raise InputError(f"a Collection or a Truth is needed, not {type(truth).__name__}")
    return truth
