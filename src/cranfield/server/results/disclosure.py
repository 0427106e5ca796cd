"""What somebody may see of a phase: an allow-list, asked by pages, files and the API alike.

While groups may still submit, exact numbers give labels away: curves with their vertices, scores of
single items, best thresholds, intervals, p-values, full digits. So a phase that is not disclosed
shows ranks and rounded scores and nothing else; a kind of result that is not listed is not shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from django.conf import settings
from django.utils import timezone

from cranfield.server.campaigns.models import Phase

Kind = Literal[
    "board", "scores", "progress",
    "significance", "concepts", "items", "report", "comparison", "measures", "truths",
]  # fmt: skip
"""board         runs with their ranks and scores
scores        those of a run
progress      the best score of each group over time
significance  intervals, letters, p-values
concepts      scores of single concepts
items         scores of single items
report        everything that is computed of a run: curves, thresholds, rules
comparison    two runs beside each other
measures      how far measures agree on the ranking of runs and items
truths        rankings by other truths: editions, annotators"""
KINDS: tuple[Kind, ...] = get_args(Kind)
AGGREGATES: frozenset[Kind] = frozenset({"board", "scores", "progress"})
"""What an open phase shows: of all runs or of one's own, as the campaign says, and rounded."""


@dataclass(frozen=True)
class Audience:
    """Who looks at results, and whose runs are theirs."""

    organiser: bool = False
    groups: frozenset[int] = frozenset()

    def sees_everything(self, phase: Phase) -> bool:
        return self.organiser or is_disclosed(phase)


def may_see(kind: Kind, audience: Audience, phase: Phase) -> bool:
    """Whether results of a kind are shown to somebody."""
    return kind in AGGREGATES or (kind in KINDS and audience.sees_everything(phase))


def is_disclosed(phase: Phase) -> bool:
    """Whether nothing of a phase gives anything away any more, as `details` of its track says.

    Phases of a track share a truth: what one of them shows helps in all others.
    """
    details = settings.CAMPAIGN.track(phase.track.name).details
    if details == "always":
        return True
    now = timezone.now()
    return phase.is_over(now) if details == "after the phase" else phase.track.is_over(now)
