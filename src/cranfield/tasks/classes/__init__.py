"""Classes: one label for each item, and what a confusion matrix tells about who assigns it."""

from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.scores import Scores
from cranfield.tasks.classes.uncertainty import Interval

__all__ = ["Confusion", "Interval", "Scores"]
