"""Cranfield: how good is it, how sure are we, and is this the right measure?

import cranfield as cf
cf.score(y, s, "concept.AP")
result = cf.evaluate(cf.Truth(y), [cf.Run(scores=s, name="mine")], ["concept.AP", "example.F"])
"""

from cranfield._version import __version__
from cranfield.collection import Collection
from cranfield.comparison import Comparison, Counts
from cranfield.engine import evaluate, score
from cranfield.errors import CranfieldError, FileError, InputError, MeasureError
from cranfield.evaluation import Evaluation, Score
from cranfield.formats import read_collection, read_run, read_truth, write_run, write_truth
from cranfield.measures import Measure, measure, measures
from cranfield.run import Run
from cranfield.truth import State, Truth

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
