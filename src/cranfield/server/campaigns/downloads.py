"""Files for groups: labels of test items must not lie among them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core.matrices import Bools
from cranfield.core.truth import Truth
from cranfield.errors import CranfieldError, FileError
from cranfield.server.folder import CampaignFolder

_LARGEST = 64 << 20
"""Bytes of a file that is looked into."""


def require_no_hidden_labels(folder: CampaignFolder, track: str, tested: Collection) -> None:
    """Refuse a campaign that would hand out the truth of its test items by mistake."""
    if folder.campaign.track(track).details == "always" or not tested.truth.has_labels:
        return
    for path in folder.downloadable(track):
        if path.stat().st_size <= _LARGEST and _holds_labels(path, tested.truth):
            raise FileError(
                path,
                "holds the labels of test items; remove it, or keep the training items alone",
            )


def _holds_labels(path: Path, truth: Truth) -> bool:
    """Whether a file can be read as a truth that agrees with this one wherever they meet."""
    try:
        other = formats.read_truth(path)
        if not other.has_labels:
            return False
        items = sorted(other.item_axis.positions.keys() & truth.item_axis.positions.keys())
        if other.concept_axis.ids is None and other.shape[1] == truth.shape[1]:
            other = Truth(other.labels, items=other.items, concepts=truth.concepts)
        concepts = sorted(other.concept_axis.positions.keys() & truth.concept_axis.positions.keys())
        if not items or not concepts:
            return False
        theirs, ours = (_labels(held, items, concepts) for held in (other, truth))
    except (CranfieldError, UnicodeError):
        return False
    return bool(ours.any() and np.array_equal(theirs, ours))


def _labels(truth: Truth, items: list[str], concepts: list[str]) -> Bools:
    """In this order of items and concepts."""
    rows = [truth.item_axis.positions[item] for item in items]
    columns = [truth.concept_axis.positions[concept] for concept in concepts]
    return truth.part(rows).of_concepts(columns).labels
