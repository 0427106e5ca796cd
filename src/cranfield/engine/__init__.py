"""Engine: where the work of an evaluation runs. Here: this process and its threads."""

from cranfield.engine.local import evaluate, score

__all__ = ["evaluate", "score"]
