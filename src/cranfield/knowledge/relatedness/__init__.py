"""Sources of semantic relatedness: where cost maps come from. One file or folder for each."""

from cranfield.knowledge.relatedness.counts import (
    CorpusCounts,
    CountTable,
    Endpoint,
    LinkCounts,
    TruthCounts,
    WebCounts,
)
from cranfield.knowledge.relatedness.distributional import Distributional, MilneWitten
from cranfield.knowledge.relatedness.embeddings import Embeddings, WordLlama
from cranfield.knowledge.relatedness.map_sources import GivenMap, OntologyPaths
from cranfield.knowledge.relatedness.source import Coverage, Related, Source
from cranfield.knowledge.relatedness.wordnet import (
    ExtendedLesk,
    GlossVector,
    HirstStOnge,
    JiangConrath,
    LeacockChodorow,
    Lin,
    Resnik,
    ShortestPath,
    WuPalmer,
)

__all__ = [
    "CorpusCounts",
    "CountTable",
    "Coverage",
    "Distributional",
    "Embeddings",
    "Endpoint",
    "ExtendedLesk",
    "GivenMap",
    "GlossVector",
    "HirstStOnge",
    "JiangConrath",
    "LeacockChodorow",
    "Lin",
    "LinkCounts",
    "MilneWitten",
    "OntologyPaths",
    "Related",
    "Resnik",
    "ShortestPath",
    "Source",
    "TruthCounts",
    "WebCounts",
    "WordLlama",
    "WuPalmer",
]
