"""Quality of annotators: whom to trust, and which sheets to use.

others      what a vote is held against
rules       which sheets are rejected, and why
gold        answers that are known
spammers    answers that do not depend on the item
work        how much, and how fast
drift       better or worse from sheet to sheet
duplicates  the same hand twice
judged      all of it together
decisions   what to upload to Mechanical Turk
"""

from cranfield.assessment.quality.analysis import Quality, quality
from cranfield.assessment.quality.decisions import require_assignments, write_decisions
from cranfield.assessment.quality.duplicates import Repeated, Twins

__all__ = [
    "Quality",
    "Repeated",
    "Twins",
    "quality",
    "require_assignments",
    "write_decisions",
]
