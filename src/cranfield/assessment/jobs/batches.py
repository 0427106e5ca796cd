"""Batches: which items are handed out together, and which of them on one page.

Every item is in as many batches as asked, and a share of the items in all of them, so that people
who work on different batches can be held against each other. Draws depend on ids and seed alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.assessment.pools.draws import draw_order
from cranfield.core.axes import as_ids
from cranfield.errors import InputError, require_whole, several

Hit = tuple[str, ...]
"""The items on one page."""


def deal(
    items: Iterable[object],
    *,
    batches: int = 1,
    copies: int = 1,
    common: float = 0.0,
    per_hit: int = 1,
    seed: int = 0,
) -> tuple[tuple[Hit, ...], ...]:
    """Batches of pages.

    copies   in how many batches an item is
    common   which share of the items is in all batches
    per_hit  how many items are on a page; the last page of a batch is filled up with others
    """
    names = sorted(as_ids("item", list(items)))  # in whatever order they come
    require_whole("batches", batches, least=1)
    require_whole("copies", copies, least=1)
    require_whole("per_hit", per_hit, least=1)
    if copies > batches:
        raise InputError(
            f"an item cannot be in {copies} batches where there are {batches}; make more batches, "
            "or ask for more assignments of each page"
        )
    if not 0.0 <= common <= 1.0:
        raise InputError(f"common={common!r}; give a share of the items, from 0 to 1")
    order = [names[place] for place in draw_order(seed, "common", "", names)]
    shared = order[: round(common * len(order))] if batches > 1 else []
    filled: list[list[str]] = [[*shared] for _ in range(batches)]
    for item in order[len(shared) :]:
        chance = draw_order(seed, "batch", item, map(str, range(batches))).tolist()
        chance.sort(key=lambda batch: len(filled[batch]))
        for batch in chance[:copies]:
            filled[batch].append(item)
    return tuple(_pages(batch, per_hit, seed, number) for number, batch in enumerate(filled))


def _pages(items: Sequence[str], per_hit: int, seed: int, batch: int) -> tuple[Hit, ...]:
    """The items of a batch in an order of its own, page after page."""
    if len(items) < per_hit:
        raise InputError(
            f"batch {batch + 1} has {several(len(items), 'item')}, fewer than the {per_hit} on a "
            "page; put fewer on a page, or make fewer batches"
        )
    order = [items[place] for place in draw_order(seed, "page", str(batch), items)]
    order += order[: -len(order) % per_hit]
    return tuple(tuple(order[at : at + per_hit]) for at in range(0, len(order), per_hit))
