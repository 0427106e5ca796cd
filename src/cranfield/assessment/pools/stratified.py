"""Stratified samples: all documents of the first ranks, a share of those below.

A document belongs to the stratum of the best rank that a run gave it. Of each stratum of a topic a
simple random sample is judged, without replacement, at least one document; the others are pooled
and unjudged. infAP takes one stratum, xinfAP any number. Source: Yilmaz, Kanoulas & Aslam 2008.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from cranfield.assessment.pools.draws import draw_order
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Bools, Ints
from cranfield.errors import InputError


@dataclass(frozen=True)
class Strata:
    """Depths at which strata end, and the share of each that is judged."""

    depths: tuple[int, ...]
    shares: tuple[float, ...]

    def __str__(self) -> str:
        return ",".join(f"{d}:{s:g}" for d, s in zip(self.depths, self.shares, strict=True))


def as_strata(given: Any) -> Strata:
    """Strata from {10: 1, 100: 0.2}, pairs of these, or the text "10:1,100:0.2"."""
    wanted = "give depths and shares, such as 10:1,100:0.2"
    try:
        if isinstance(given, str):
            pairs: Iterable[Any] = [part.split(":") for part in given.split(",")]
        else:
            pairs = given.items() if isinstance(given, Mapping) else given
        listed = sorted((_whole(depth), float(share)) for depth, share in pairs)
    except (TypeError, ValueError):
        raise InputError(f"strata {given!r} cannot be read; {wanted}") from None
    depths, shares = tuple(d for d, _ in listed), tuple(s for _, s in listed)
    if not listed or depths[0] < 1 or len(set(depths)) < len(depths):
        raise InputError(f"strata {given!r} need different depths from 1 up; {wanted}")
    if not all(0 < share <= 1 for share in shares):
        raise InputError(f"strata {given!r}: a share is above 0, up to 1; {wanted}")
    return Strata(depths, shares)


def _whole(depth: Any) -> int:
    return int(depth) if isinstance(depth, str) else index(depth)


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
            names = [rankings.documents[place] for place in document[members].tolist()]
            order = draw_order(seed, f"stratum {number}", topic, names)
            # Rounded first, since 0.07 · 100 is a little more than 7.
            drawn[members[order[: math.ceil(round(share * len(members), 9))]]] = True
    return stratum, drawn
