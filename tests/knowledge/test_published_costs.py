"""How well costs of the ontology agree with people.

Sources: Nowak 2011, Tables 8.3 and 8.5: what people say of thirty pairs of words, and the rank
correlation of measures with them.
"""

from __future__ import annotations

import pytest
from scipy.stats import spearmanr

import cranfield as cf

PEOPLE = {
    ("night", "night"): 4.00,
    ("water", "river"): 3.73,
    ("plant", "flower"): 3.58,
    ("tree", "plant"): 3.53,
    ("clouds", "sky"): 3.50,
    ("outdoor", "landscape"): 3.03,
    ("city", "building"): 3.03,
    ("river", "lake"): 2.95,
    ("beach", "sunny"): 2.93,
    ("sky", "night"): 2.08,
    ("indoor", "outdoor"): 2.00,
    ("day", "sky"): 1.98,
    ("overexposed", "underexposed"): 1.93,
    ("animals", "food"): 1.93,
    ("no person", "still life"): 1.90,
    ("city", "vehicle"): 1.65,
    ("several persons", "portrait"): 1.53,
    ("out of focus", "high quality photo"): 1.40,
    ("portrait", "mountains"): 1.08,
    ("family", "one person"): 1.03,
    ("canvas", "sunset"): 1.03,
    ("desert", "sea"): 0.85,
    ("aesthetic", "winter"): 0.80,
    ("city", "river"): 0.78,
    ("flower", "city"): 0.55,
    ("night", "snow"): 0.55,
    ("landscape", "indoor"): 0.53,
    ("macro image", "animal"): 0.53,
    ("sea", "party"): 0.20,
    ("sunset", "family"): 0.10,
}
"""Table 8.3: mean judgement of forty people, from 0 (no relation) to 4 (identical)."""

CONCEPTS = {
    "several persons": "Small_Group",
    "one person": "Single_Person",
    "no person": "No_Persons",
    "high quality photo": "Overall_Quality",
    "city": "Citylife",
    "building": "Building_Sights",
    "beach": "Beach_Holidays",
    "family": "Family_Friends",
    "party": "Partylife",
    "landscape": "Landscape_Nature",
    "aesthetic": "Aesthetic_Impression",
    "sunset": "Sunset_Sunrise",
    "macro image": "Macro",
    "plant": "Plants",
    "flower": "Flowers",
    "tree": "Trees",
    "animal": "Animals",
    "out of focus": "Out_of_focus",
    "still life": "Still_Life",
}
"""Words whose concept has another name than the capitalised word."""


def concept(word: str) -> str:
    return CONCEPTS.get(word, word.capitalize())


@pytest.mark.parametrize(
    ("tree", "correlation"), [("flattest", 0.7129), ("printed", 0.7055), ("flat", 0.7310)]
)
def test_costs_of_the_ontology_agree_with_people_as_table_8_5_says(
    tree: str, correlation: float
) -> None:
    """.713 is printed for OS, which is that of the flattest tree."""
    costs = cf.Ontology.load("pto2009").cost_map(tree)
    related = [1 - costs[concept(one), concept(other)] for one, other in PEOPLE]
    assert spearmanr(related, list(PEOPLE.values())).statistic == pytest.approx(
        correlation, abs=5e-5
    )
