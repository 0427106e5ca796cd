"""Pools: functions that the commands `pool make|assign|progress|next|merge|reuse` call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cranfield.assessment import pools
from cranfield.assessment.pools import JudgingProgress, Merged, Pool
from cranfield.assessment.pools.assignment import By
from cranfield.assessment.pools.judgements import Rule
from cranfield.assessment.pools.making import Method, as_strata, require_fitting
from cranfield.assessment.pools.rankings import Rankings
from cranfield.collections.collection import Collection
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError, several

if TYPE_CHECKING:
    from cranfield.assessment.pools.folder import PoolFolder

_INPUTS = "Inputs"

# ── what is read ──────────────────────────────────────────────────────────────────────────────


class Folder(NamedTuple):
    """A pool's folder."""

    folder: PoolFolder


def folder_of_pool(folder: Annotated[Path, Argument(metavar="FOLDER")]) -> Folder:
    """The folder of a pool.

    folder  What pool make wrote.
    """
    from cranfield.assessment.pools.folder import PoolFolder

    return Folder(PoolFolder(folder))


class Runs(NamedTuple):
    """Runs, each under its name."""

    runs: list[Run]


def runs_alone(
    runs: Annotated[list[Path], Argument(metavar="RUN")],
    *,
    format: Annotated[str | None, Option(metavar="FORMAT", panel=_INPUTS)] = None,
    concepts: Annotated[Path | None, Option(panel=_INPUTS)] = None,
    progress: Progress = silent,
) -> Runs:
    """Runs without a truth.

    runs      Run files, or folders of them.
    format    Format of what is read, if it is not to be recognised.
    concepts  Names of the concepts, one a line, if files lack them.
    """
    from cranfield import formats
    from cranfield.commands.run_files import named_runs

    names = formats.read_concepts(concepts) if concepts else None
    files = named_runs(runs)
    return Runs(formats.read_runs(files, concepts=names, format=format, progress=progress))


class Judged(NamedTuple):
    """A truth, runs with their groups, and how deep these were pooled, where that is known."""

    truth: Truth
    runs: list[Run]
    measure: str | None
    pooled_to: int | Mapping[str, int] | None


def judged_runs(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    runs: Annotated[list[Path], Argument(metavar="RUN")],
    *,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default="topic.AP, and topic.P@10 for what unjudged documents leave open",
        ),
    ] = None,
    groups: Annotated[Path | None, Option(default="each run is a group of its own")] = None,
    extra: Annotated[Literal["error", "drop"], Option(panel=_INPUTS)] = "error",
    format: Annotated[str | None, Option(metavar="FORMAT", panel=_INPUTS)] = None,
    concepts: Annotated[Path | None, Option(panel=_INPUTS)] = None,
    progress: Progress = silent,
) -> Judged:
    """A truth and runs with their groups.

    truth     A truth file, or a collection folder.
    runs      Run files, or folders of them.
    measures  What to score by.
    groups    Who made which run: CSV run,group.
    extra     Items of a run that the truth lacks: refuse, or leave out.
    format    Format of what is read, if it is not to be recognised.
    concepts  Names of the concepts, one a line, if files lack them.
    """
    from cranfield import formats
    from cranfield.assessment.pools.folder import PoolFolder
    from cranfield.commands.run_files import groups_of, named_runs

    if measures and len(measures) > 1:
        raise InputError(
            f"{' and '.join(measures)}; give one, and run the command for each",
            parameter="measures",
        )
    names = formats.read_concepts(concepts) if concepts else None
    judged = formats.read_collection(truth, concepts=names).truth
    files = named_runs(runs)
    made_by = groups_of(files, groups)
    # Names that are given say more than a truth that lists its topics in any order.
    expected = judged if concepts is None else None
    read = formats.read_runs(
        files, expected, concepts=names, format=format, extra=extra, progress=progress
    )
    for run in read:
        run.group = made_by.get(run.name)
    measure = measures[0] if measures else None
    return Judged(judged, read, measure, _pooled_to(PoolFolder(truth)))


def _pooled_to(folder: PoolFolder) -> int | Mapping[str, int] | None:
    """How deep runs were pooled, if the pool's folder says: all topics alike, or each."""
    if not folder.pool_file.is_file():
        return None
    depths = folder.read().depths
    varies = folder.making().options.get("method") in ("yield", "mtf")
    return depths if varies else max(depths.values())


class Choices(NamedTuple):
    """Options of `cf.pool` that were chosen; wrong usage shows before a run is read."""

    options: dict[str, Any]


def choices_of_pool(
    *,
    method: Annotated[Method | None, Option(default="as the other options say")] = None,
    depth: Annotated[int | None, Option(metavar="K", minimum=1)] = None,
    budget: Annotated[int | None, Option(minimum=1)] = None,
    strata: Annotated[str | None, Option(metavar="DEPTH:SHARE,…")] = None,
    judge: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    batch: Annotated[int | None, Option(minimum=1)] = None,
    step: Annotated[int | None, Option(metavar="K", minimum=1, default="10")] = None,
    seed: Annotated[int, Option(minimum=0)] = 0,
) -> Choices:
    """How documents are chosen.

    method  depth: the first documents of every run. yield: each topic as deep as it promises
            relevant ones. mtf: judgements decide which run goes next (move to front). stratified:
            all of the first ranks, a sample of those below.
    depth   Documents of each run; yield: where topics begin (default 10); mtf: the last rank that
            counts.
    budget  Documents to pool in all.
    strata  Where strata end and how much of each is judged: 10:1,100:0.2 is all of ranks 1–10 and a
            fifth of ranks 11–100.
    judge   yield and mtf: judgements to follow, such as those of an old collection.
    batch   yield and mtf: documents to hand out before judgements are asked for; then pool next
            goes on.
    step    yield: how much deeper a topic goes at a time.
    seed    Of samples, and of which run goes first.
    """
    chosen: Method = method or ("depth" if strata is None else "stratified")
    options = {"depth": depth, "budget": budget, "strata": strata, "batch": batch, "step": step}
    require_fitting(chosen, judge=judge, **options)
    if strata is not None:
        as_strata(strata)
    options = {"method": chosen, **options, "seed": seed}
    return Choices({name: value for name, value in options.items() if value is not None})


# ── what is done ──────────────────────────────────────────────────────────────────────────────


def make_pool(
    runs: list[Run],
    options: dict[str, Any],
    *,
    output: Annotated[Path, Option(short="-o", metavar="FOLDER", writes="folder")],
    judge: Path | None = None,
    progress: Progress = silent,
) -> Pool:
    """Pool documents: choose which of those that runs retrieved are to be judged.

    Writes a folder with pool.csv (every pooled document, its best rank, its stratum and whether it
    is to be judged) and pool.json (how it was made). Documents with one score come by id,
    descending, as in trec_eval. Then hand them out with `pool assign`.

    output  Folder to write; must be new.
    """
    from cranfield import formats
    from cranfield.assessment.pools.folder import Making, PoolFolder

    truth = formats.read_truth(judge) if judge else None
    pool = pools.pool(runs, **options, judge=truth, progress=progress)
    PoolFolder(output).write(pool, Making(options, {run.name: run.digest for run in runs}))
    return pool


def next_batch(
    folder: Any,
    runs: list[Run],
    *,
    batch: Annotated[int | None, Option(minimum=1, default="as before")] = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Pool:
    """Pool the next documents of a pool by yield or by moving to front.

    What people wrote into the sheets so far decides which documents come next; what waits for a
    judgement counts as not relevant until it has one. Give the runs that the pool was made from.
    Says how many documents are new, or why none is.

    batch  Documents to hand out now.
    """
    making = folder.making()
    if making.options.get("method") not in ("yield", "mtf"):
        raise FileError(
            folder.making_file,
            "this pool follows no judgements, so it is complete; only those made by the methods "
            "yield and mtf go on",
        )
    before = folder.read()
    grades = pools.merge(folder.judgements(before)).grades
    making.require_same(runs, folder.making_file)
    options = dict(making.options)
    options["batch"] = batch or options.get("batch") or options["budget"]
    judged = before.truth(grades)
    pool = pools.pool(runs, **options, judge=judged, so_far=before, progress=progress)
    folder.write(pool, making)
    notify(f"wrote {folder.path}")
    notify(_outlook(len(pool) - len(before), len(pool) - len(grades), pool, runs, options))
    return pool


def _outlook(new: int, waiting: int, pool: Pool, runs: list[Run], options: dict[str, Any]) -> str:
    """What can be done next, or why nothing was done."""
    if new:
        return f"{several(new, 'new document')}; hand them out with pool assign"
    depth = options.get("depth") if options["method"] == "mtf" else None
    if len(pool) == len(Rankings.of(runs, depth=depth).firsts.codes):
        why = "every document that the runs retrieved is pooled"
    elif len(pool) == options.get("budget"):
        why = f"the budget of {options['budget']} is used up"
    elif waiting:
        return (
            f"nothing new: {several(waiting, 'document')} without a judgement; fill in the sheets, "
            "or ask for a larger batch"
        )
    else:
        why = f"no further step fits into the budget of {options['budget']}"
    left = f"; {several(waiting, 'document')} without a judgement" if waiting else ""
    return f"nothing new: {why}{left}"


def assign_pool(
    folder: Any,
    *,
    assessors: Annotated[str, Option(name="to", metavar="NAME,…")],
    overlap: Annotated[int, Option(metavar="M", minimum=1)] = 1,
    by: Annotated[By, Option()] = "topic",
    topics: Annotated[Path | None, Option()] = None,
    seed: Annotated[int, Option(minimum=0)] = 0,
    notify: Notify = unheard,
) -> JudgingProgress:
    """Write sheets that people fill in: FOLDER/sheets/NAME/TOPIC.csv.

    Sheets are blind: topic, document and an empty column for the judgement, in a random order, no
    runs, no ranks. 0 means not relevant, 1 or more a grade of relevance. Called again, it hands out
    only what is new; people keep their topics, and what they wrote stays.

    assessors  Assessors or participants, by name.
    overlap    How many people judge each document.
    by         Keep the documents of a topic together, or deal them out.
    topics     Titles to show in the sheets: topics of TREC, INEX or CLEF, which are laid into the
               folder for people to read, CSV topic,title, or the queries.csv of query --write.
    seed       Of the order of documents and people.
    """
    from cranfield.formats.two_columns import holds_topics, read_titles

    pool = folder.read()
    titles = read_titles(topics) if topics else {}
    before: dict[pools.Pair, set[str]] = {}
    for judgement in folder.judgements(pool):
        before.setdefault(judgement.pair, set()).add(judgement.assessor)
    people = [name.strip() for name in assessors.split(",")]
    sheets = pools.assign(pool, people, overlap=overlap, by=by, seed=seed, before=before)
    folder.write_sheets(sheets, titles)
    if topics is not None and holds_topics(topics):
        folder.lay_topics(topics)
    notify(f"wrote {len(sheets)} sheets in {folder.sheets}")
    return pools.progress_of(pool, folder.judgements(pool))


def judging_progress(folder: Any) -> JudgingProgress:
    """Count judgements: done and asked for, by assessor and by topic.

    Every sheet is checked on the way: what cannot be a judgement is an error with file and line.
    """
    pool = folder.read()
    return pools.progress_of(pool, folder.judgements(pool))


def merge_pool(
    folder: Any,
    *,
    rule: Annotated[Rule, Option()] = "majority",
    output: Annotated[
        Path | None,
        Option(short="-o", default="truth.qrels in the folder, which then is a collection"),
    ] = None,
    lossy: Annotated[bool, Option()] = False,
    notify: Notify = unheard,
) -> Merged:
    """Merge what is in the sheets to a truth: TREC qrels, or any format that holds it.

    Pooled documents that nobody judged stay known as such (−1); a sample keeps its strata, as infAP
    and xinfAP need them. Tells where people disagree.

    rule    Several judgements of a document: the most frequent grade, the highest, or the nearest
            to their mean. Where that could go either way: the lower one.
    output  Write the truth here.
    lossy   Write even if FILE cannot hold everything; say what is lost.
    """
    from cranfield import formats

    target = folder.path / "truth.qrels" if output is None else output
    _require_target(folder, target)
    pool = folder.read()
    merged = pools.merge(folder.judgements(pool), rule, pooled=len(pool))
    truth = pool.truth(merged.grades)
    if lossy:
        lost = formats.convert(Collection(truth), target, lossy=True)
        if lost:
            notify(f"lost {', '.join(lost)}")
    else:
        formats.write_truth(truth, target)
    notify(f"wrote {target}")
    return merged


def _require_target(folder: PoolFolder, target: Path) -> None:
    """Refuse a file that no truth can be written to, or that belongs to the pool."""
    from cranfield.formats.registry import written_as

    try:
        written_as(target)
    except FileError as error:
        raise InputError(str(error), parameter="output") from None
    own = (folder.pool_file, folder.making_file, *folder.sheets.glob("*/*"))
    if any(os.path.realpath(target) == os.path.realpath(path) for path in own):
        raise InputError(
            f"{target} is an input and would be lost; name another file", parameter="output"
        )
