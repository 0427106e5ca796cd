"""Adapters: measures in the shape that other libraries ask for. None of them is imported here."""

from cranfield.engine.adapters.scikit_learn import Scorer, scorer

__all__ = ["Scorer", "scorer"]
