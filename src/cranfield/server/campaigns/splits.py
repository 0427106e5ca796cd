"""Splits: test items are public or private, as splits.csv of the collection says, or by a share of
them drawn from the campaign's secret, so that nobody can guess which and an item stays on its side.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from cranfield.collections.collection import Collection

ALL, PUBLIC, PRIVATE = "all", "public", "private"


def divided(whole: Collection, private_share: float, secret: str) -> dict[str, str]:
    """Which test items are public and which private; none of them where all are public."""
    sides = (PUBLIC, PRIVATE)
    named = {item: split for item, split in whole.splits.items() if split in sides}
    if PRIVATE in named.values():
        return {item: named.get(item, PUBLIC) for item in whole.items}
    if not private_share:
        return {}
    return {
        item: PRIVATE if _draw(item, secret) < private_share else PUBLIC for item in whole.items
    }


def _draw(item: str, secret: str) -> float:
    drawn = hmac.digest(secret.encode(), b"split\0" + item.encode(), "sha256")
    return int.from_bytes(drawn[:8], "big") / 2**64


def whole_and_parts(whole: Collection, splits: Mapping[str, str]) -> dict[str, Collection]:
    """The collection of each split, all items among them."""
    parts = {
        split: whole.select(items=[item for item in whole.items if splits[item] == split])
        for split in sorted(set(splits.values()))
    }
    return {ALL: whole} | parts
