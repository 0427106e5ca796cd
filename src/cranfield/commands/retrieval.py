"""Searching: functions that the command `query` calls."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from cranfield import engine
from cranfield.collections.collection import Collection
from cranfield.commands import inputs
from cranfield.core.axes import Missing
from cranfield.core.matrices import Cells, as_cells, columns_of, rows_of
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError
from cranfield.knowledge import Ontology
from cranfield.measures import Measure, measure
from cranfield.studies.searching import SearchStudy, first_hits_of_best
from cranfield.tasks.retrieval import NamedQuery, Query, concept_pairs, random_conjunctions, search
from cranfield.tasks.retrieval.queries import Names
from cranfield.tasks.retrieval.query_language import QueryError
from cranfield.tasks.retrieval.searching import Combine, items_to_find

_RANKED = ("concept.AP", "concept.P@10", "concept.RP", "concept.F")
_DECIDED = ("concept.P", "concept.R", "concept.F", "micro.F")

# ── queries ───────────────────────────────────────────────────────────────────────────────────


class Requested(NamedTuple):
    """Queries as they were asked for; concepts are not looked up yet."""

    typed: list[Query]
    topics: Path | None
    pairs: int | None
    random: int | None
    size: int
    negated: int
    at_least: int
    seed: int

    def named(self, collection: Collection) -> tuple[NamedQuery, ...]:
        """The queries, with concepts called as the collection calls them, each under its id.

        Those of a file keep their ids; the others are q1, q2, …
        """
        from cranfield.formats.query_files import read_queries

        listed = read_queries(self.topics, collection) if self.topics else ()
        taken = {query.id for query in listed}
        free = (name for name in map("q{}".format, count(1)) if name not in taken)
        others = dict.fromkeys(self._others(collection))
        queries = (*listed, *(NamedQuery(next(free), query) for query in others))
        if not queries:
            raise InputError(
                f"no two concepts stand together in {self.pairs} items",
                mend="ask for fewer with {pairs}",
            )
        return queries

    def _others(self, collection: Collection) -> Iterator[Query]:
        names = Names(collection.concepts, collection.descriptions)
        yield from (query.resolved(names) for query in self.typed)
        if self.pairs:
            yield from concept_pairs(collection, at_least=self.pairs)
        if self.random:
            yield from random_conjunctions(
                collection,
                self.random,
                size=self.size,
                negated=self.negated,
                at_least=self.at_least,
                seed=self.seed,
            )


class Queries(NamedTuple):
    """What is searched for."""

    requested: Requested


def queries_to_search(
    queries: Annotated[list[str] | None, Argument(metavar="QUERY")] = None,
    *,
    topics: Annotated[Path | None, Option()] = None,
    pairs: Annotated[int | None, Option(minimum=1)] = None,
    random: Annotated[int | None, Option(minimum=1)] = None,
    size: Annotated[int, Option(minimum=1)] = 3,
    negated: Annotated[int, Option(minimum=0)] = 0,
    at_least: Annotated[int, Option(minimum=1)] = 1,
    seed: Annotated[int, Option(minimum=0)] = 0,
    to: Annotated[str, Option(metavar="FORMAT")] = "npz",
) -> Queries:
    """What to search for.

    queries   Concepts with AND, OR, NOT and brackets; quote names with blanks.
    topics    Queries from a file: lines such as id: query, the two with a tab between them, or CSV
              with the header id,query,title.
    pairs     Ask for all pairs of concepts that N items or more have.
    random    Ask for N random combinations of concepts that items have.
    size      Concepts in each of --random.
    negated   How many of them stand behind NOT.
    at_least  Items that each of --random must find.
    seed      Seed of --random.
    to        Format of what --write writes, one of those of --format; trec holds no decisions
              beside scores.
    """
    from cranfield import formats

    if to not in formats.names():
        raise InputError(
            f"{to!r} is no format; choose one of {', '.join(formats.names())}", parameter="to"
        )
    if not (queries or topics or pairs or random):
        raise InputError(
            "there is nothing to search for",
            mend="give a query such as 'sea AND NOT person', {topics=FILE}, {pairs=N} or "
            "{random=N}",
            parameter="queries",
        )
    if negated > size:
        raise InputError(
            f"{negated} concepts of {size} cannot be negated",
            mend="give a larger {size}",
            parameter="negated",
        )
    typed = list(map(_query, queries or ()))
    return Queries(Requested(typed, topics, pairs, random, size, negated, at_least, seed))


def _query(text: str) -> Query:
    if os.path.exists(text):
        raise InputError(
            f"{text} is a file",
            mend="name the truth with {truth}, runs with {run}, and a file of queries with "
            "{topics}",
            parameter="queries",
        )
    try:
        return Query(text)
    except QueryError as error:
        raise InputError(str(error), parameter="queries") from None


class Searched(NamedTuple):
    """A collection with its runs, or the made-up campaign."""

    collection: Collection
    runs: list[Run]
    ontology: Ontology | None
    missing: Literal["error", "absent"]


def searched_runs(
    *,
    truth: Annotated[
        Path | None,
        Option(short="-t", metavar="TRUTH", default="the campaign of cranfield demo"),
    ] = None,
    run: Annotated[
        list[Path] | None,
        Option(short="-r", metavar="RUN", default="those in the collection folder"),
    ] = None,
    threshold: inputs.Threshold = None,
    missing: inputs.Missing = "error",
    extra: inputs.Extra = "error",
    split: inputs.Split = None,
    format: inputs.FormatOption = None,
    concepts: inputs.ConceptsOption = None,
    terms: inputs.TermsOption = None,
    ontology: inputs.OntologyFile = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Searched:
    """Where to search.

    truth  A truth file, or a collection folder.
    run    A run or a folder of runs, may be repeated.
    """
    if truth is not None:
        read = inputs.runs_of_truth(
            truth,
            run,
            threshold=threshold,
            missing=missing,
            extra=extra,
            split=split,
            format=format,
            concepts=concepts,
            terms=terms,
            ontology=ontology,
            progress=progress,
        )
        return Searched(read.truth, read.runs, read.ontology, missing)
    if run or format or concepts or terms or split or threshold:
        raise InputError("without a truth, no run can be scored", parameter="truth")
    from cranfield import formats
    from cranfield.studies.simulation import photo_campaign, simulate_world

    notify("without a truth: searching the made-up photo campaign of cranfield demo")
    campaign = photo_campaign()
    with progress("simulating", 0):
        world = simulate_world(campaign.design)
        runs = list(campaign.runs(world))
    collection = Collection(world.truth)
    axis = world.truth.concept_axis
    known = formats.read_ontology(ontology, covering=axis) if ontology else None
    return Searched(collection, runs, known, missing)


def measures_in(text: str) -> tuple[str, ...]:
    """Names between commas, those inside brackets left alone."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return tuple(part.strip() for part in parts if part.strip())


def search_runs(
    requested: Requested,
    collection: Collection,
    runs: list[Run],
    ontology: Ontology | None = None,
    missing: Missing = "error",
    *,
    combine: Annotated[Combine, Option()] = "min",
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default=", ".join(_RANKED),
        ),
    ] = None,
    compare: Annotated[str | None, Option(metavar="NAME,…")] = None,
    show: Annotated[int, Option(minimum=0)] = 0,
    per_unit: Annotated[bool, Option()] = False,
    write: Annotated[Path | None, Option(metavar="FOLDER", writes="folder")] = None,
    to: str = "npz",
    progress: Progress = silent,
    notify: Notify = unheard,
) -> SearchStudy:
    """Search by concepts: how well do annotators serve a search?

    A query over concepts turns the truth into judgements of a search and every run into its
    answers; both are scored by any measure. Unjudged stays unjudged. Runs are rows, the best run by
    the first measure on top.

    combine   AND, OR and NOT of confidences: min, max and 1 − s, or s·t, s + t − s·t and 1 − s; or
              of decisions only.
    measures  Measure of searches, may be repeated.
    compare   How far these measures of the annotations rank runs as the searches do (Kendall's τ),
              such as example.F,example.AP,OS.
    show      The first N hits of each query by the best run, right or wrong.
    per_unit  Scores of every single query.
    write     Write the searches as a collection: queries.csv, the truth of the queries, runs.
    to        as `queries_to_search` has it
    """
    from cranfield.studies.field import remarks_on

    defaults = _DECIDED if combine == "boolean" else _RANKED
    chosen = list(map(measure, measures or defaults))
    compared = list(map(measure, measures_in(compare or "")))
    queries = requested.named(collection)
    items = items_to_find(collection.truth, missing)
    answers = []
    with progress("searching", len(runs)) as step:
        for run in runs:
            answers.append(search(run, queries, combine=combine, missing=missing, items=items))
            step(1)
    truth = search(collection, queries)
    if not measures:
        chosen = _possible(chosen, answers, runs, notify)
    searches = engine.evaluate(truth, answers, chosen, missing=missing, progress=progress)
    annotations = None
    if compared:
        annotations = engine.evaluate(
            collection, runs, compared, ontology=ontology, missing=missing, progress=progress
        )
    if write is not None:
        _write(queries, truth, answers, write, to, notify)
    hits = first_hits_of_best(searches, answers, queries, show)
    terms = collection.truth.terms
    remarks = tuple(remarks_on(runs, [*chosen, *compared], terms=terms))
    return SearchStudy(searches, annotations, queries, hits, per_unit, remarks)


def _possible(
    measures: list[Measure], answers: Iterable[Run], runs: Iterable[Run], notify: Notify
) -> list[Measure]:
    """Of measures that nobody asked for by name, those that every run has decisions for."""
    for answer, run in zip(answers, runs, strict=True):
        if answer.decides:
            continue
        left = ", ".join(str(m) for m in measures if m.traits.prediction == "decisions")
        notify(f"without {left}: {run.source or run.name} has no decisions; give it a threshold")
        return [m for m in measures if m.traits.prediction != "decisions"]
    return measures


# ── searches as a collection folder ───────────────────────────────────────────────────────────

_TREC = "trec"
_ENDINGS = {
    _TREC: (".qrels", ".run"),
    "long": (".csv", ".csv"),
    "openimages": (".csv", ".csv"),
    "parquet-long": (".parquet", ".parquet"),
}
"""Of truths and runs, where the format has none of its own or two."""


def _write(
    queries: tuple[NamedQuery, ...],
    truth: Truth,
    runs: list[Run],
    folder: Path,
    format: str,
    notify: Notify,
) -> None:
    """Write queries.csv, the truth of the queries and the runs: all of it, or nothing."""
    target = folder.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".", dir=target.parent) as beside:
            try:
                _fill(Path(beside), queries, truth, runs, format, notify)
            except FileError as error:  # names the file where people expect it
                path = folder / Path(error.path).relative_to(beside)
                raise FileError(path, error.what, mend="choose another format by {to}") from None
            target.mkdir(exist_ok=True)
            for part in sorted(Path(beside).iterdir()):
                part.rename(target / part.name)
    except OSError as error:
        raise FileError(
            folder, f"cannot be written ({error.strerror}); choose another folder"
        ) from None


def _fill(
    folder: Path,
    queries: tuple[NamedQuery, ...],
    truth: Truth,
    runs: list[Run],
    format: str,
    notify: Notify,
) -> None:
    from cranfield import formats
    from cranfield.formats.query_files import write_queries
    from cranfield.formats.registry import named

    own = named(format).extensions[:1] * 2
    of_truth, of_runs = _ENDINGS.get(format, own)
    (folder / "runs").mkdir()
    write_queries(queries, folder / "queries.csv")
    formats.write_truth(truth, folder / f"truth{of_truth}", format)
    lost: dict[str, None] = {}
    for run in runs:
        answers = _listed(run) if format == _TREC else run
        if 0 in answers.shape:
            notify(f"run {run.name} finds nothing and is not written")
            continue
        path = folder / "runs" / f"{run.name.replace('/', '_')}{of_runs}"
        lost |= dict.fromkeys(formats.convert(answers, path, format, lossy=True))
    if lost:
        notify(f"the format {format} does not hold {', '.join(lost)}")


def _listed(run: Run) -> Run:
    """What a TREC file lists: items and queries with something retrieved, or decided for."""
    cells: Any = run.scores
    if run.scores is None:
        assert run.labels is not None
        decided = as_cells(run.labels)
        cells = Cells(decided.shape, decided.codes[decided.values], decided.values[decided.values])
    if not isinstance(cells, Cells):
        return run
    rows, columns = np.unique(cells.rows), np.unique(cells.columns)
    cells = columns_of(rows_of(cells, rows), columns)
    return Run(
        None if run.scores is None else cells,
        labels=cells if run.scores is None else None,
        name=run.name,
        items=[run.items[row] for row in rows.tolist()],
        concepts=[run.concepts[column] for column in columns.tolist()],
        group=run.group,
        tags=run.tags,
    )
