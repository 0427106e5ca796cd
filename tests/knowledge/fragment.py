"""The fragment of an ontology that Nowak 2011 compares measures on (Figure 7.4), and its photo."""

from __future__ import annotations

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Ontology

PARENTS: dict[str, tuple[str, ...]] = {
    "LandscapeElements": (),
    "plants": ("LandscapeElements",),
    "flowers": ("plants",),
    "trees": ("plants",),
    "water": ("LandscapeElements",),
    "lake": ("water",),
    "river": ("water",),
    "sea": ("water",),
    "sky": ("LandscapeElements",),
    "clouds": ("sky",),
    "mountains": ("LandscapeElements",),
    "PicturedObjects": (),
    "Persons": ("PicturedObjects",),
    "single": ("Persons",),
    "small_group": ("Persons",),
    "big_group": ("Persons",),
    "Representation": (),
    "portrait": ("Representation",),
}
CONCEPTS = tuple(node for node in PARENTS if node[0].islower())
FRAGMENT = Ontology(
    PARENTS,
    CONCEPTS,
    disjoint=(Disjoint(("single", "small_group", "big_group")),),
    implications=(Implication("portrait", ("Persons",)),),
    name="fragment",
)


def labels(*items: str) -> list[list[bool]]:
    """Rows of a label matrix, from names."""
    return [[name in item.split() for name in CONCEPTS] for item in items]


TRUTH = cf.Truth(
    labels("portrait single plants water mountains sky"), items=["photo"], concepts=CONCEPTS
)
RUN = cf.Run(
    labels=labels("portrait trees mountains clouds"),
    items=["photo"],
    concepts=CONCEPTS,
    name="system",
)
