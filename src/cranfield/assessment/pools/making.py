"""Making a pool from runs: the one way in, and the methods that need no judgements.

*Depth*: what any run has among its first k documents (Spärck Jones & van Rijsbergen 1975); with a
budget instead of a depth, the deepest pool of one depth for all topics that it pays for.

*Stratified samples*: all documents of the first ranks, a share of those below. A document belongs
to the stratum of the best rank that a run gave it. Of each stratum of a topic a simple random
sample is judged, without replacement, at least one document; the others are pooled and unjudged.
infAP takes one stratum, xinfAP any number (Yilmaz, Kanoulas & Aslam 2008).

Methods that follow judgements are in `growing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index as whole_number
from typing import Any, Literal, get_args

import numpy as np

from cranfield.assessment.draws import draw_order
from cranfield.assessment.pools.growing import (
    Allowance,
    Assessor,
    Judge,
    by_yield,
    move_to_front,
)
from cranfield.assessment.pools.pooled import Pool
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Bools, Ints
from cranfield.core.progress import Progress, silent
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, require_whole

Method = Literal["depth", "yield", "mtf", "stratified"]

FIRST_DEPTH = 10
"""Where topics begin whose depth varies."""
STEP = 10
"""How much deeper such a topic goes at a time."""


def pool(
    runs: Run | Iterable[Run],
    *,
    depth: int | None = None,
    budget: int | None = None,
    strata: Any = None,
    method: Method | None = None,
    judge: Truth | Assessor | None = None,
    batch: int | None = None,
    step: int | None = None,
    so_far: Pool | None = None,
    seed: int = 0,
    progress: Progress = silent,
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
    step      for "yield": how much deeper a topic goes at a time; default 10
    so_far    for the same: the pool of the last call
    seed      of samples, and of which run goes first
    """
    chosen = method or ("stratified" if strata is not None else "depth")
    if chosen not in get_args(Method):
        raise InputError(
            f"method={chosen!r}; choose {', '.join(map(repr, get_args(Method)))}",
            parameter="method",
        )
    require_fitting(
        chosen, depth=depth, budget=budget, strata=strata, judge=judge, batch=batch, step=step
    )
    if chosen == "stratified":
        return _stratified(runs, strata, seed=seed)
    if chosen == "depth":
        return _by_depth(runs, depth, budget)
    rankings = _ranked(runs, depth if chosen == "mtf" else None)
    judging = Judge(judge, rankings)
    allowance = Allowance(_codes(so_far, rankings), judging, budget=budget, batch=batch)
    limits = [limit for limit in (budget, batch) if limit is not None]
    with progress("pooling", min(limits)) as pooled:
        if chosen == "mtf":
            codes = move_to_front(rankings, judging, allowance, seed=seed, pooled=pooled)
            limit = "" if budget is None else f", budget {budget}"
            return _made(rankings, codes, f"move to front{limit}")
        first, deeper = depth or FIRST_DEPTH, step or STEP
        waits = judge is None or batch is not None
        codes = by_yield(
            rankings, judging, allowance, depth=first, step=deeper, waits=waits, pooled=pooled
        )
        return _made(rankings, codes, f"yield, from depth {first} by {deeper}")


def require_fitting(method: Method, **options: Any) -> None:
    """Each method takes options of its own; one that it would pass over is an error."""
    takes: dict[Method, tuple[str, ...]] = {
        "depth": ("depth", "budget"),
        "stratified": ("strata",),
        "yield": ("depth", "budget", "judge", "batch", "step"),
        "mtf": ("depth", "budget", "judge", "batch"),
    }
    for name, value in options.items():
        if value is not None and name not in takes[method]:
            raise InputError(
                f"it means nothing to a pool of the method {method}",
                mend=f"leave {{{name}}} out",
                parameter=name,
            )
        if name in ("depth", "budget", "batch", "step") and value is not None:
            require_whole(name, value, least=1)
    if method == "stratified" and options["strata"] is None:
        raise InputError(
            "a stratified pool needs strata", mend="give {strata=10:1,100:0.2}", parameter="strata"
        )
    if method == "depth" and (options["depth"] is None) == (options["budget"] is None):
        raise InputError(
            "a pool of one depth needs a depth or a budget",
            mend="give {depth} or {budget}",
            parameter="depth",
        )
    if method in ("yield", "mtf") and options["budget"] is None and options["batch"] is None:
        raise InputError(
            f"the method {method} must know how many documents to pool",
            mend="give {budget} or {batch}",
            parameter="method",
        )


def _ranked(runs: Run | Iterable[Run], depth: int | None) -> Rankings:
    rankings = Rankings.of(runs, depth=depth)
    if not len(rankings.firsts.codes):
        raise InputError("the runs retrieved nothing; there are no documents to pool")
    return rankings


def _stratified(runs: Run | Iterable[Run], requested: Any, *, seed: int) -> Pool:
    strata = as_strata(requested)
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
        tuple(rankings.topics[index] for index in topics.tolist()),
        tuple(rankings.documents[index] for index in documents.tolist()),
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
    topics = {name: index for index, name in enumerate(rankings.topics)}
    documents = {name: index for index, name in enumerate(rankings.documents)}
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


# ── one depth ─────────────────────────────────────────────────────────────────────────────────


def to_depth(rankings: Rankings, depth: int) -> Ints:
    """The pairs that a run has at this rank or above."""
    firsts = rankings.firsts
    return firsts.codes[firsts.ranks <= depth]


def depth_within(rankings: Rankings, budget: int) -> int:
    """The largest depth with no more documents than the budget."""
    sizes = np.cumsum(np.bincount(rankings.firsts.ranks))
    depth = int(np.searchsorted(sizes, budget, side="right")) - 1
    if depth < 1:
        raise InputError(
            f"a budget of {budget} does not pay for depth 1, which has {sizes[1]} documents",
            mend="raise {budget}, or pool fewer topics",
        )
    return depth


# ── samples ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Strata:
    """Depths at which strata end, and the share of each that is judged."""

    depths: tuple[int, ...]
    shares: tuple[float, ...]

    def __str__(self) -> str:
        return ",".join(f"{d}:{s:g}" for d, s in zip(self.depths, self.shares, strict=True))


def as_strata(strata: Any) -> Strata:
    """Strata from {10: 1, 100: 0.2}, pairs of these, or the text "10:1,100:0.2"."""
    mend = "give depths and shares, such as 10:1,100:0.2"
    try:
        if isinstance(strata, str):
            pairs: Iterable[Any] = [part.split(":") for part in strata.split(",")]
        else:
            pairs = strata.items() if isinstance(strata, Mapping) else strata
        listed = sorted((_whole(depth), float(share)) for depth, share in pairs)
    except (TypeError, ValueError):
        raise InputError(f"{strata!r} cannot be read", mend=mend, parameter="strata") from None
    depths, shares = tuple(d for d, _ in listed), tuple(s for _, s in listed)
    if not listed or depths[0] < 1 or len(set(depths)) < len(depths):
        raise InputError(
            f"{strata!r} need different depths from 1 up", mend=mend, parameter="strata"
        )
    if not all(0 < share <= 1 for share in shares):
        raise InputError(f"{strata!r}: a share is above 0, up to 1", mend=mend, parameter="strata")
    return Strata(depths, shares)


def _whole(depth: Any) -> int:
    return int(depth) if isinstance(depth, str) else whole_number(depth)


def sample(
    rankings: Rankings, codes: Ints, ranks: Ints, strata: Strata, *, seed: int
) -> tuple[Ints, Bools]:
    """The stratum of each pair, from 1, and which pairs are drawn.

    codes  pairs down to the depth of the last stratum, ascending
    """
    stratum = np.searchsorted(strata.depths, ranks) + 1
    drawn = np.zeros(len(codes), dtype=np.bool_)
    document = rankings.document_of(codes)
    for topic, here in zip(rankings.topics, rankings.by_topic(codes), strict=True):
        for number, share in enumerate(strata.shares, start=1):
            members = np.flatnonzero(stratum[here] == number) + here.start
            names = [rankings.documents[index] for index in document[members].tolist()]
            order = draw_order(seed, f"stratum {number}", topic, names)
            # Rounded first, since 0.07 · 100 is a little more than 7.
            drawn[members[order[: math.ceil(round(share * len(members), 9))]]] = True
    return stratum, drawn
