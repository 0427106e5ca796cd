"""Cranfield: how good is it, how sure are we, and is this the right measure?

With `import cranfield as cf`, arrays in and a float out: `cf.score(y, s, "concept.AP")`. With
names, several runs and several measures: `cf.evaluate(cf.Truth(y), [cf.Run(scores=s,
name="mine")], ["concept.AP", "example.F"])`.
"""

from typing import TYPE_CHECKING, Any

from cranfield._version import __version__
from cranfield.collection import Collection
from cranfield.comparison import Comparison, Counts
from cranfield.engine import evaluate, score
from cranfield.errors import CranfieldError, FileError, InputError, MeasureError
from cranfield.evaluation import Evaluation, Score
from cranfield.measures import Measure, measure, measures
from cranfield.run import Run
from cranfield.truth import State, Truth

if TYPE_CHECKING:
    from cranfield.formats import read_collection, read_run, read_truth, write_run, write_truth

__all__ = [
    "Collection",
    "Comparison",
    "Counts",
    "CranfieldError",
    "Evaluation",
    "FileError",
    "InputError",
    "Measure",
    "MeasureError",
    "Run",
    "Score",
    "State",
    "Truth",
    "__version__",
    "evaluate",
    "measure",
    "measures",
    "read_collection",
    "read_run",
    "read_truth",
    "score",
    "write_run",
    "write_truth",
]


def __getattr__(name: str) -> Any:
    """The readers and writers, imported with the first of them that is used."""
    if name in ("read_collection", "read_run", "read_truth", "write_run", "write_truth"):
        from cranfield import formats

        return getattr(formats, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
