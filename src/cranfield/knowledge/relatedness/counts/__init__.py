"""Counting documents: whoever can say how many hold words, and pairs of words."""

from cranfield.knowledge.relatedness.counts.corpus import Corpus, CorpusCounts, Passages
from cranfield.knowledge.relatedness.counts.counted import (
    Counted,
    CountTable,
    DocumentCounts,
    LinkCounts,
    LinkGraph,
    Links,
    TruthCounts,
    nwd,
)
from cranfield.knowledge.relatedness.counts.web import Endpoint, WebCounts, WebError

__all__ = [
    "Corpus",
    "CorpusCounts",
    "CountTable",
    "Counted",
    "DocumentCounts",
    "Endpoint",
    "LinkCounts",
    "LinkGraph",
    "Links",
    "Passages",
    "TruthCounts",
    "WebCounts",
    "WebError",
    "nwd",
]
