"""Sources of semantic relatedness: where cost maps come from. One file or folder for each."""

from cranfield.knowledge.relatedness.source import Coverage, Related, Source

__all__ = ["Coverage", "Related", "Source"]
