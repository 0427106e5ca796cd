"""Public names of the engine."""

from cranfield.engine.local import evaluate as evaluate
from cranfield.engine.local import score as score
