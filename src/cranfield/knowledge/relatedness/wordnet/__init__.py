"""Nine sources of relatedness over WordNet 3.0, as WordNet::Similarity defines them."""

from cranfield.knowledge.relatedness.wordnet.by_information import JiangConrath, Lin, Resnik
from cranfield.knowledge.relatedness.wordnet.by_path import LeacockChodorow, ShortestPath, WuPalmer
from cranfield.knowledge.relatedness.wordnet.installing import InstallationError, install
from cranfield.knowledge.relatedness.wordnet.wordnet import WordNet, opened

__all__ = [
    "InstallationError",
    "JiangConrath",
    "LeacockChodorow",
    "Lin",
    "Resnik",
    "ShortestPath",
    "WordNet",
    "WuPalmer",
    "install",
    "opened",
]
