"""How much open phases can give away of the hidden labels, at most.

A group sees its runs' scores by each measure, rounded, on the public part of the test items. Each
number is one of so many that could have been shown, so it tells no more than their logarithm,
however cleverly its run was made. That is the bound; an attack that reaches a good part of it is in
the tests. Of labels in the private part nothing is told. Ranks follow from the rounded scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield import formats
from cranfield.core.truth import Truth
from cranfield.measures import measure
from cranfield.server import configuration
from cranfield.server.campaigns.splits import PUBLIC, divided, whole_and_parts
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.scoring import test_part

TOLERATED = 0.1
"""Share of the labels' information that phases may give away without a warning."""
_EXPONENTS = 616
"""Orders of magnitude of a double."""


@dataclass(frozen=True)
class Leakage:
    """What the open phases of a track can tell, and how much there is to tell."""

    track: configuration.Track
    told: float
    """Bits that a group's scores hold, at most."""
    hidden: float
    """Bits that the labels behind them hold, to somebody who knows how frequent concepts are."""
    private: bool
    """Whether there is a private part, of which nothing is told."""

    @property
    def share(self) -> float:
        return min(1.0, self.told / self.hidden) if self.hidden else 0.0

    def warnings(self) -> Iterator[str]:
        track, phases = self.track, len(self.track.phases)
        if self.share <= TOLERATED or track.details == "always":
            return
        part = "public part of the test items" if self.private else "test items"
        runs = track.quota * phases
        yield (
            f"track {track.name}: scores of {runs} runs by {len(track.measures)} measures with "
            f"{track.digits} digits hold up to {self.told:.0f} bits; labels of the {part} hold "
            f"{self.hidden:.0f}. A group could learn {100 * self.share:.0f} % of them. Lower "
            'digits, quota or the number of measures, or set shows = "nothing"'
            + ("" if self.private else ", or keep a private_share of the items for the final board")
        )


def leakage(folder: CampaignFolder, name: str) -> Leakage:
    """Of a track, as its collection and `campaign.toml` are now."""
    track = folder.campaign.track(name)
    whole = test_part(formats.read_collection(folder.collection(name)))
    parts = whole_and_parts(whole, divided(whole, track.private_share, folder.secret))
    shown = parts.get(PUBLIC, whole)
    scores = sum(_bits(spelling, track.digits) for spelling in track.measures)
    told = 0.0 if track.shows == "nothing" else scores * track.quota * len(track.phases)
    return Leakage(track, told, _information(shown.truth), PUBLIC in parts)


def warnings(folder: CampaignFolder) -> list[str]:
    """What organisers should know before they open a campaign."""
    return [
        warning
        for track in folder.campaign.tracks
        for warning in leakage(folder, track.name).warnings()
    ]


def _bits(spelling: str, digits: int) -> float:
    """Of a rounded score: the logarithm of how many there are, undefined among them."""
    low, high = measure(spelling).traits.range
    if low >= -1 and high <= 1:
        return math.log2((high - low) * 10.0**digits + 2)
    return math.log2(2 * 9 * 10.0 ** (digits - 1) * _EXPONENTS + 2)


def _information(truth: Truth) -> float:
    """Entropy of the labels, concept by concept."""
    if not truth.has_labels:
        return math.inf
    totals = truth.totals(0, "exclude")
    judged = (totals.positives + totals.negatives).astype(np.float64)
    share = totals.positives / np.maximum(judged, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = -np.nan_to_num(share * np.log2(share)) - np.nan_to_num(
            (1 - share) * np.log2(1 - share)
        )
    return float((judged * each).sum())
