"""Classes: one label for each item, and what a confusion matrix tells about who assigns it."""

from cranfield.classes.confusion import Confusion
from cranfield.classes.scores import Scores
from cranfield.classes.uncertainty import Interval

__all__ = ["Confusion", "Interval", "Scores"]
