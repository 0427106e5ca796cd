"""Nine sources of relatedness over WordNet 3.0, as WordNet::Similarity defines them.

Where WordNet is not on a machine, `install` gets it.
"""

from cranfield.knowledge.relatedness.wordnet.gloss_measures import ExtendedLesk, GlossVector
from cranfield.knowledge.relatedness.wordnet.installation import (
    InstallationError,
    install,
    is_there,
)
from cranfield.knowledge.relatedness.wordnet.taxonomy_measures import (
    HirstStOnge,
    JiangConrath,
    LeacockChodorow,
    Lin,
    Resnik,
    ShortestPath,
    WuPalmer,
)
from cranfield.knowledge.relatedness.wordnet.wordnet import WordNet, WordNetSource, opened

WORDNET_SOURCES: dict[str, type[WordNetSource]] = {
    source.name: source
    for source in (
        ShortestPath,
        LeacockChodorow,
        WuPalmer,
        Resnik,
        Lin,
        JiangConrath,
        HirstStOnge,
        ExtendedLesk,
        GlossVector,
    )
}
"""By name: PATH, LCH, WUP, RES, LIN, JCN, HSO, LESK and VECTOR."""

__all__ = [
    "WORDNET_SOURCES",
    "ExtendedLesk",
    "GlossVector",
    "HirstStOnge",
    "InstallationError",
    "JiangConrath",
    "LeacockChodorow",
    "Lin",
    "Resnik",
    "ShortestPath",
    "WordNet",
    "WordNetSource",
    "WuPalmer",
    "install",
    "is_there",
    "opened",
]
