"""Making a pool from runs: the one way in, whichever method chooses the documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import numpy as np

from cranfield.assessment.pools.allowance import Allowance
from cranfield.assessment.pools.by_yield import by_yield
from cranfield.assessment.pools.depth import depth_within, to_depth
from cranfield.assessment.pools.judging import Asked, Judge
from cranfield.assessment.pools.move_to_front import move_to_front
from cranfield.assessment.pools.pooled import Pool
from cranfield.assessment.pools.rankings import Rankings
from cranfield.assessment.pools.stratified import as_strata, sample
from cranfield.core.matrices import Bools, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, require_whole

Method = Literal["depth", "yield", "mtf", "stratified"]

FIRST_DEPTH = 10
"""Where topics begin whose depth varies, unless told otherwise."""
STEP = 10
"""How much deeper such a topic goes at a time, unless told otherwise."""


def pool(
    runs: Run | Iterable[Run],
    *,
    depth: int | None = None,
    budget: int | None = None,
    strata: Any = None,
    method: Method | None = None,
    judge: Truth | Asked | None = None,
    batch: int | None = None,
    step: int = STEP,
    so_far: Pool | None = None,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Pool:
    """The documents to judge, chosen from what runs retrieved.

    depth     pool the first documents of each run; with method="yield" where topics begin; with
              method="mtf" the last rank that counts
    budget    how many documents to pool in all
    strata    {10: 1, 100: 0.2}: all documents of ranks 1–10, every fifth of ranks 11–100
    method    "depth"; "yield": each topic as deep as it promises relevant documents; "mtf":
              judgements decide which run goes next; "stratified"; default: as the options say
    judge     for "yield" and "mtf": a truth, or a function of topic and document that returns a
              grade, or None
    batch     for the same: how many documents may wait for a judgement; call again with so_far=
              and judge= to go on
    step      for "yield": how much deeper a topic goes at a time
    so_far    for the same: the pool of the last call
    seed      of samples, and of which run goes first
    progress  called for each document that "yield" and "mtf" pool
    """
    chosen = method or ("stratified" if strata is not None else "depth")
    if chosen not in get_args(Method):
        raise InputError(f"method={chosen!r}; choose {', '.join(map(repr, get_args(Method)))}")
    require_fitting(chosen, depth=depth, budget=budget, strata=strata, judge=judge, batch=batch)
    require_whole("step", step, least=1)
    if chosen == "stratified":
        return _stratified(runs, strata, seed=seed)
    if chosen == "depth":
        return _by_depth(runs, depth, budget)
    rankings = _ranked(runs, depth if chosen == "mtf" else None)
    asked = Judge(judge, rankings)
    allowance = Allowance(_codes(so_far, rankings), asked, budget=budget, batch=batch)
    if chosen == "mtf":
        codes = move_to_front(rankings, asked, allowance, seed=seed, progress=progress)
        return _made(rankings, codes, "mtf" if budget is None else f"mtf, budget {budget}")
    codes = by_yield(
        rankings,
        asked,
        allowance,
        depth=depth or FIRST_DEPTH,
        step=step,
        waits=judge is None or batch is not None,
        progress=progress,
    )
    return _made(rankings, codes, f"yield, from depth {depth or FIRST_DEPTH} by {step}")


def require_fitting(method: Method, **given: Any) -> None:
    """Each method takes options of its own; one that it would pass over is an error."""
    takes: dict[Method, tuple[str, ...]] = {
        "depth": ("depth", "budget"),
        "stratified": ("strata",),
        "yield": ("depth", "budget", "judge", "batch"),
        "mtf": ("depth", "budget", "judge", "batch"),
    }
    for name, value in given.items():
        if value is not None and name not in takes[method]:
            raise InputError(f"{name}= has no meaning for method={method!r}; leave it out")
        if name in ("depth", "budget", "batch") and value is not None:
            require_whole(name, value, least=1)
    if method == "stratified" and given["strata"] is None:
        raise InputError("method='stratified' needs strata=, such as {10: 1, 100: 0.2}")
    if method == "depth" and (given["depth"] is None) == (given["budget"] is None):
        raise InputError("a pool of one depth needs depth= or budget=; give one of them")
    if method in ("yield", "mtf") and given["budget"] is None and given["batch"] is None:
        raise InputError(f"method={method!r} needs budget= or batch=: how many documents to pool")


def _ranked(runs: Run | Iterable[Run], depth: int | None) -> Rankings:
    rankings = Rankings.of(runs, depth=depth)
    if not len(rankings.firsts.codes):
        raise InputError("the runs retrieved nothing; there are no documents to pool")
    return rankings


def _stratified(runs: Run | Iterable[Run], given: Any, *, seed: int) -> Pool:
    strata = as_strata(given)
    rankings = _ranked(runs, strata.depths[-1])
    firsts = rankings.firsts
    numbers, drawn = sample(rankings, firsts.codes, firsts.ranks, strata, seed=seed)
    return _made(rankings, firsts.codes, f"strata {strata}", strata=numbers, drawn=drawn)


def _by_depth(runs: Run | Iterable[Run], depth: int | None, budget: int | None) -> Pool:
    rankings = _ranked(runs, depth)
    if depth is None:
        assert budget is not None
        depth = depth_within(rankings, budget)
    return _made(rankings, to_depth(rankings, depth), f"depth {depth}")


def _made(
    rankings: Rankings,
    codes: Ints,
    method: str,
    *,
    strata: Ints | None = None,
    drawn: Bools | None = None,
) -> Pool:
    firsts = rankings.firsts
    topics, topic = np.unique(rankings.topic_of(codes), return_inverse=True)
    documents, document = np.unique(rankings.document_of(codes), return_inverse=True)
    return Pool(
        tuple(rankings.topics[place] for place in topics.tolist()),
        tuple(rankings.documents[place] for place in documents.tolist()),
        topic * len(documents) + document,
        firsts.ranks[np.searchsorted(firsts.codes, codes)],
        np.ones(len(codes), dtype=np.int64) if strata is None else strata,
        np.ones(len(codes), dtype=np.bool_) if drawn is None else drawn,
        method,
    )


def _codes(so_far: Pool | None, rankings: Rankings) -> list[int]:
    """The pairs of an earlier pool, which the same runs retrieve."""
    if so_far is None:
        return []
    topics = {name: place for place, name in enumerate(rankings.topics)}
    documents = {name: place for place, name in enumerate(rankings.documents)}
    codes = [
        topics[topic] * len(documents) + documents[document]
        for topic, document in so_far.pairs
        if topic in topics and document in documents
    ]
    if len(codes) < len(so_far) or not np.isin(codes, rankings.firsts.codes).all():
        raise InputError(
            "the pool so far holds documents that these runs did not retrieve; go on with the runs "
            "that it was made from"
        )
    return codes
