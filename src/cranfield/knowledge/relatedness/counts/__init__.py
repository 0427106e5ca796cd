"""Counting documents: whoever can say how many hold words, and pairs of words."""

from cranfield.knowledge.relatedness.counts.corpus import Corpus, CorpusCounts, Passages
from cranfield.knowledge.relatedness.counts.counted import Counted, DocumentCounts, nwd
from cranfield.knowledge.relatedness.counts.endpoint import Endpoint
from cranfield.knowledge.relatedness.counts.links import LinkCounts, LinkGraph, Links
from cranfield.knowledge.relatedness.counts.table import CountTable
from cranfield.knowledge.relatedness.counts.truth import TruthCounts
from cranfield.knowledge.relatedness.counts.web import WebCounts, WebError

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
