"""The Photo Tagging Ontology: what Nowak 2011 says about it in §5.5 and Appendix A.

Where text and tables differ, the tables are followed, since runs and truths were made with them:

- The text counts four categories at the top, Content Element among them; in Table A.1 its two
  subcategories stand at the top themselves, so there are five.
- §5.5.2 says that 42 concepts were added; Table A.2 has 41 of them (as §10.3.2 says), and so has
  the text where it lists them.
- §5.5.3 moves Fancy to Felt; Table A.3 leaves it right below Impression.
- §5.5.1.2 takes a functional property for one that must have a value; it means at most one.
  "Exactly one" is a group that is both disjoint and required.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import knowledge
from cranfield.knowledge import Disjoint, Implication, Required

V1 = cf.Ontology.load("pto2009")
V2 = cf.Ontology.load("pto2010")
V3 = cf.Ontology.load("pto2011")
VERSIONS = [V1, V2, V3]


def named(text: str) -> list[str]:
    return text.split(", ")


TABLE_A1 = named(
    "Partylife, Family_Friends, Beach_Holidays, Building_Sights, Snow, Citylife, "
    "Landscape_Nature, Sports, Desert, Spring, Summer, Autumn, Winter, No_Visual_Season, "
    "Indoor, Outdoor, No_Visual_Place, Plants, Flowers, Trees, Sky, Clouds, Water, Lake, River, "
    "Sea, Mountains, Day, Night, No_Visual_Time, Sunny, Sunset_Sunrise, Canvas, Still_Life, "
    "Macro, Portrait, Overexposed, Underexposed, Neutral_Illumination, Motion_Blur, "
    "Out_of_focus, Partly_Blurred, No_Blur, Single_Person, Small_Group, Big_Group, No_Persons, "
    "Animals, Food, Vehicle, Aesthetic_Impression, Overall_Quality, Fancy"
)
ADDED_2010 = named(
    "Architecture, Street, Church, Bridge, Park_Garden, Rain, Toy, MusicalInstrument, Shadow, "
    "bodypart, Travel, Work, Birthday, Visual Arts, Graffiti, Painting, artificial, natural, "
    "technical, abstract, boring, cute, dog, cat, bird, horse, fish, insect, car, bicycle, "
    "ship, train, airplane, skateboard, female, male, Baby, Child, Teenager, Adult, old_person"
)
ADDED_2011 = named("happy, funny, euphoric, active, scary, unpleasant, melancholic, inactive, calm")
REMOVED_2011 = ["No_Visual_Season", "No_Visual_Place", "No_Visual_Time"]
TABLE_A2 = [name for name in TABLE_A1 if name != "Canvas"] + ADDED_2010
TABLE_A3 = [
    name.replace("Visual Arts", "Visual_Arts") for name in TABLE_A2 if name not in REMOVED_2011
] + ADDED_2011

SEASONS = ("Spring", "Summer", "Autumn", "Winter", "No_Visual_Season")
PLACE = ("Indoor", "Outdoor", "No_Visual_Place")
TIME = ("Day", "Night", "No_Visual_Time")
ILLUMINATION = ("Overexposed", "Underexposed", "Neutral_Illumination")
BLURRING = ("Motion_Blur", "Out_of_focus", "Partly_Blurred", "No_Blur")
PERSONS = ("Single_Person", "Small_Group", "Big_Group", "No_Persons")
GROUPS = [SEASONS, PLACE, TIME, ILLUMINATION, BLURRING, PERSONS]

CONSISTENT = "Outdoor Summer Day Neutral_Illumination No_Blur No_Persons"
"""One label of each group of which one is expected in all versions."""


def below(ontology: cf.Ontology, node: str) -> set[str]:
    """What stands right below a node."""
    return set(ontology.hierarchy().children[node])


def concepts_below(ontology: cf.Ontology, node: str) -> set[str]:
    """The concepts below a node, on any level."""
    above = ontology.hierarchy().ancestors
    return {name for name in ontology.concepts if node in above[name]}


def truth(ontology: cf.Ontology, *names: str) -> cf.Truth:
    """One photo with these labels."""
    return cf.Truth(
        [[name in names for name in ontology.concepts]],
        items=["photo"],
        concepts=ontology.concepts,
    )


def broken(ontology: cf.Ontology, *names: str) -> set[str]:
    return {str(one.rule) for one in ontology.violations(truth(ontology, *names))}


def missing(ontology: cf.Ontology, *names: str) -> set[str]:
    return {str(one.rule) for one in ontology.missing(truth(ontology, *names))}


def are_optional(ontology: cf.Ontology, *names: str) -> bool:
    """Whether all of them can be annotated in one photo, and none of them must be."""
    rest = [name for name in CONSISTENT.split() if not set(names) & set(group_of(name))]
    together = not broken(ontology, *names, *rest)
    return together and not any(set(names) & set(rule.members) for rule in ontology.required)


def group_of(name: str) -> tuple[str, ...]:
    return next(group for group in GROUPS if name in group)


def cost(ontology: cf.Ontology, one: str, two: str, tree: str) -> float:
    place = ontology.concepts.index
    return float(ontology.costs(tree)[place(one), place(two)])


# ── the versions and their tables ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ontology", "table", "count"), [(V1, TABLE_A1, 53), (V2, TABLE_A2, 93), (V3, TABLE_A3, 99)]
)
def test_concepts_are_those_of_the_table_in_its_order(
    ontology: cf.Ontology, table: list[str], count: int
) -> None:
    assert len(ontology.concepts) == count
    assert list(ontology.concepts) == table


def test_ids_are_as_the_tables_spell_them() -> None:
    assert V2.concepts[65] == "Visual Arts"
    assert V3.concepts[62] == "Visual_Arts"
    assert V3.concepts[98] == "calm"


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
def test_every_concept_has_one_place_and_no_rule_contradicts_another(
    ontology: cf.Ontology,
) -> None:
    assert all(len(up) == 1 for node, up in ontology.parents.items() if "." in node)
    assert all(len(ontology.parents[name]) == 1 for name in ontology.concepts)
    assert ontology.contradictions == {}
    assert ontology.ignored == {}


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
def test_categories_are_abstract_and_not_used_in_annotation(ontology: cf.Ontology) -> None:
    assert not set(ontology.categories) & set(ontology.concepts)
    assert all(concepts_below(ontology, category) for category in ontology.categories)
    for category in ontology.categories:  # their ids are paths: each below the path it extends
        above = category.rpartition(".")[0]
        assert ontology.parents[category] == ((above,) if above else ())


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
def test_the_file_is_what_the_writer_writes(ontology: cf.Ontology, tmp_path: Path) -> None:
    name = f"{ontology.name}.owl"
    ontology.write(tmp_path / name)
    shipped = Path(knowledge.__file__).parent / "data" / name
    assert (tmp_path / name).read_bytes() == shipped.read_bytes()


# ── Table 5.1 ─────────────────────────────────────────────────────────────────────────────────


def test_the_subdivision_of_concepts_is_that_of_table_5_1() -> None:
    sizes = {category: len(concepts_below(V3, category)) for category in V3.parents}
    content = {
        "LandscapeElements": 12,
        "UrbanElements": 3,
        "PicturedObjects.Persons": 12,
        "PicturedObjects": 3 + 12 + 7 + 7,
        "Vehicle": 7 - 1,  # the subcategory counts the concept itself
        "Animals": 7 - 1,
    }
    scene = {
        "SceneDescription": 23,
        "SceneDescription.AbstractCategories": 9,
        "SceneDescription.Activity": 1,
        "SceneDescription.Seasons": 4,
        "SceneDescription.Place": 2,
        "SceneDescription.TimeOfDay": 4,
        "SceneDescription.Events": 3,
    }
    representation = {
        "Representation": 3 + 4 + 3 + 4,
        "Representation.Illumination": 4,
        "Visual_Arts": 3 - 1,
        "Representation.Impression": 4,
    }
    quality = {"Quality.Blurring": 4, "Quality.Aesthetics": 2, "Quality": 6}
    affect = {"Impression": 4 + 8, "Impression.Expressed": 8}
    for part in (content, scene, representation, quality, affect):
        assert {name: sizes[name] for name in part} == part


@pytest.mark.parametrize(
    ("categories", "percent", "in_text"),
    [
        (["LandscapeElements", "UrbanElements", "PicturedObjects"], 44.44, None),
        (["SceneDescription"], 23.23, None),
        (["LandscapeElements", "UrbanElements", "PicturedObjects", "SceneDescription"], 67.68, 68),
        (["Representation"], 14.14, 14),
        (["Quality"], 6.06, 6),
        (["Impression"], 12.12, 12),
    ],
)
def test_shares_of_the_main_categories_are_as_printed(
    categories: list[str], percent: float, in_text: int | None
) -> None:
    share = 100 * sum(len(concepts_below(V3, one)) for one in categories) / len(V3.concepts)
    assert share == pytest.approx(percent, abs=0.005)
    assert in_text is None or round(share) == in_text


# ── version 1, §5.5.1.1 ───────────────────────────────────────────────────────────────────────


def test_version_1_has_the_categories_of_table_a1_at_the_top() -> None:
    tops = {node for node, up in V1.parents.items() if not up}
    content_element = {"LandscapeElements", "PicturedObjects"}
    assert tops == content_element | {"SceneDescription", "Representation", "Quality"}
    assert len(tops - content_element) + 1 == 4  # as the text counts, with one Content Element


def test_landscape_elements_are_hierarchical_and_optional() -> None:
    assert below(V1, "LandscapeElements") == {"Mountains", "Water", "Sky", "Plants"}
    assert below(V1, "Water") == {"Lake", "Sea", "River"}
    assert below(V1, "Sky") == {"Clouds"}
    assert below(V1, "Plants") == {"Flowers", "Trees"}
    assert are_optional(V1, *concepts_below(V1, "LandscapeElements"))
    assert broken(V1, "Lake", "Trees", "Plants") == {"Lake needs Water"}


def test_pictured_objects_are_optional_and_hold_persons() -> None:
    here = {"Animals", "Food", "Vehicle"}
    assert below(V1, "PicturedObjects") == {*here, "PicturedObjects.Persons"}
    assert are_optional(V1, *here)


def test_persons_are_four_disjoint_groups() -> None:
    assert below(V1, "PicturedObjects.Persons") == set(PERSONS)
    assert Disjoint(PERSONS) in V1.disjoint


def test_scene_description_has_five_subcategories() -> None:
    parts = ["AbstractCategories", "Activity", "Place", "Seasons", "TimeOfDay"]
    assert below(V1, "SceneDescription") == {f"SceneDescription.{part}" for part in parts}


def test_abstract_categories_are_eight_optional_scenes() -> None:
    scenes = {
        *("Partylife", "Family_Friends", "Landscape_Nature", "Building_Sights", "Citylife"),
        *("Desert", "Snow", "Beach_Holidays"),
    }
    assert below(V1, "SceneDescription.AbstractCategories") == scenes
    assert are_optional(V1, *scenes)


def test_the_only_activity_is_sports() -> None:
    assert below(V1, "SceneDescription.Activity") == {"Sports"}
    assert are_optional(V1, "Sports")


@pytest.mark.parametrize("ontology", [V1, V2], ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("category", "group"), [("Place", PLACE), ("Seasons", SEASONS), ("TimeOfDay", TIME)]
)
def test_exactly_one_place_season_and_time_is_annotated(
    ontology: cf.Ontology, category: str, group: tuple[str, ...]
) -> None:
    optional = {"Sunny", "Sunset_Sunrise"} if category == "TimeOfDay" else set()
    assert below(ontology, f"SceneDescription.{category}") == {*group, *optional}
    assert Disjoint(group) in ontology.disjoint
    assert Required(group) in ontology.required


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("time", ["Day", "Night"])
def test_sunny_and_sunset_are_optional_at_any_time(ontology: cf.Ontology, time: str) -> None:
    assert are_optional(ontology, "Sunny", "Sunset_Sunrise")
    assert not broken(ontology, time, "Sunny", "Sunset_Sunrise")


def test_representation_holds_four_optional_concepts_and_illumination() -> None:
    here = {"Canvas", "Macro", "Still_Life", "Portrait"}
    assert below(V1, "Representation") == {*here, "Representation.Illumination"}
    assert are_optional(V1, "Animals", *here)


def test_illumination_is_one_of_three_in_each_photo() -> None:
    assert below(V1, "Representation.Illumination") == set(ILLUMINATION)
    assert missing(V1, "Day", "Indoor", "Winter", "No_Blur", "Big_Group") == {
        "at least one of Overexposed, Underexposed and Neutral_Illumination"
    }
    assert broken(V1, "Overexposed", "Neutral_Illumination") == {
        "at most one of Overexposed, Underexposed and Neutral_Illumination"
    }


def test_quality_is_disjoint_blurring_and_optional_aesthetics() -> None:
    assert below(V1, "Quality") == {"Quality.Blurring", "Quality.Aesthetics"}
    assert below(V1, "Quality.Blurring") == set(BLURRING)
    assert Disjoint(BLURRING) in V1.disjoint
    aesthetics = {"Overall_Quality", "Aesthetic_Impression", "Fancy"}
    assert below(V1, "Quality.Aesthetics") == aesthetics
    assert are_optional(V1, *aesthetics)


# ── relations, §5.5.1.2 ───────────────────────────────────────────────────────────────────────


def test_rules_of_version_1_are_those_groups_and_the_one_of_portraits() -> None:
    assert {rule.members for rule in V1.disjoint} == set(GROUPS)
    assert {rule.members for rule in V1.required} == set(GROUPS)
    assert V1.implications == (
        Implication("Portrait", ("Single_Person", "Small_Group", "Big_Group", "Animals")),
    )


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_two_disjoint_concepts_in_one_photo_are_an_error(group: tuple[str, ...]) -> None:
    for i, one in enumerate(group):
        assert not broken(V1, one)
        assert all(broken(V1, one, two) == {str(Disjoint(group))} for two in group[i + 1 :])


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
def test_a_portrait_needs_animals_or_persons_but_not_their_absence(
    ontology: cf.Ontology,
) -> None:
    assert len(broken(ontology, "Portrait")) == 1
    assert len(broken(ontology, "Portrait", "No_Persons")) == 1
    for name in ("Animals", "Single_Person", "Small_Group", "Big_Group"):
        assert not broken(ontology, "Portrait", name)
    assert not broken(ontology, "Portrait", "No_Persons", "Animals")


# ── version 2, §5.5.2 ─────────────────────────────────────────────────────────────────────────


def test_version_2_adds_41_concepts_and_removes_canvas() -> None:
    assert set(V1.concepts) - set(V2.concepts) == {"Canvas"}
    added = set(V2.concepts) - set(V1.concepts)
    assert added == set(ADDED_2010)
    assert len(added) == 41  # 42 in the text


def test_visual_arts_replace_canvas_and_subsume_graffiti_and_painting() -> None:
    assert V1.parents["Canvas"] == V2.parents["Visual Arts"] == ("Representation",)
    assert below(V2, "Visual Arts") == {"Graffiti", "Painting"}
    assert broken(V2, "Graffiti") == {"Graffiti needs Visual Arts"}


@pytest.mark.parametrize(
    ("category", "added"),
    [
        ("SceneDescription.AbstractCategories", {"Architecture"}),
        ("LandscapeElements", {"Park_Garden", "Rain"}),
        ("Representation.Illumination", {"Shadow"}),
        ("Quality.Blurring", set()),
        ("Animals", {"dog", "cat", "bird", "horse", "fish", "insect"}),
        ("Vehicle", {"car", "bicycle", "ship", "train", "airplane", "skateboard"}),
    ],
)
def test_former_categories_and_concepts_are_extended(category: str, added: set[str]) -> None:
    assert concepts_below(V2, category) - concepts_below(V1, category) == added


def test_pictured_objects_and_persons_are_extended() -> None:
    assert below(V2, "PicturedObjects") - below(V1, "PicturedObjects") == {
        "Toy",
        "MusicalInstrument",
    }
    persons = "PicturedObjects.Persons"
    assert below(V2, persons) == {
        "bodypart",
        *(f"{persons}.{part}" for part in ("Number", "Gender", "Age")),
    }
    assert below(V2, f"{persons}.Number") == set(PERSONS)
    assert below(V2, f"{persons}.Gender") == {"male", "female"}
    assert below(V2, f"{persons}.Age") == {"Baby", "Child", "Teenager", "Adult", "old_person"}


def test_gardens_are_plants_and_rain_is_water_as_table_a2_has_it() -> None:
    assert V2.parents["Park_Garden"] == ("Plants",)
    assert V2.parents["Rain"] == ("Water",)


def test_version_2_has_two_more_categories_at_the_top() -> None:
    tops = [{node for node, up in one.parents.items() if not up} for one in VERSIONS]
    assert tops[1] - tops[0] == {"UrbanElements", "Impression"}
    assert tops[0] < tops[1] == tops[2]
    assert below(V2, "UrbanElements") == {"Street", "Church", "Bridge"}


def test_fancy_moves_from_aesthetics_to_impression() -> None:
    assert V1.parents["Fancy"] == ("Quality.Aesthetics",)
    assert below(V2, "Impression") == {"Fancy", "boring", "cute"}
    assert below(V2, "Quality.Aesthetics") == {"Overall_Quality", "Aesthetic_Impression"}


def test_events_and_the_impression_of_a_representation_are_new() -> None:
    assert below(V2, "SceneDescription.Events") == {"Travel", "Work", "Birthday"}
    assert V2.parents["SceneDescription.Events"] == ("SceneDescription",)
    assert below(V2, "Representation.Impression") == {
        *("natural", "abstract", "technical", "artificial"),
    }
    assert V2.parents["Representation.Impression"] == ("Representation",)


def test_rules_of_version_2_are_those_of_version_1_and_what_is_new_is_optional() -> None:
    assert set(V2.rules) == set(V1.rules)
    assert are_optional(V2, "Animals", "Vehicle", "Plants", "Water", *ADDED_2010)


# ── version 3, §5.5.3 ─────────────────────────────────────────────────────────────────────────


def test_version_3_adds_nine_sentiments_and_removes_what_is_not_visible() -> None:
    assert set(V2.concepts) - set(V3.concepts) == {*REMOVED_2011, "Visual Arts"}
    assert set(V3.concepts) - set(V2.concepts) == {*ADDED_2011, "Visual_Arts"}
    assert len(ADDED_2011) == 9


def test_impressions_are_expressed_or_felt() -> None:
    assert below(V3, "Impression.Expressed") == {
        *("active", "euphoric", "happy", "calm", "inactive", "melancholic", "unpleasant", "scary"),
    }
    assert below(V3, "Impression.Felt") == {"funny", "boring", "cute"}
    assert below(V3, "Impression") == {"Impression.Expressed", "Impression.Felt", "Fancy"}


def test_place_season_and_time_may_be_left_open_in_version_3_but_stay_disjoint() -> None:
    assert Disjoint(SEASONS[:-1]) in V3.disjoint
    assert Disjoint(PLACE[:-1]) in V3.disjoint
    assert Disjoint(TIME[:-1]) in V3.disjoint
    assert {rule.members for rule in V3.required} == {ILLUMINATION, BLURRING, PERSONS}
    assert len(V3.disjoint) == 6
    assert V3.implications == V1.implications
    assert missing(V3) == {str(Required(group)) for group in (ILLUMINATION, BLURRING, PERSONS)}
    assert are_optional(V3, *ADDED_2011)


# ── costs, §7.3 and chapter 8 ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tree", "outdoor", "trees"),
    [("flat", 12 / 14, 13 / 14), ("flattest", 12 / 14, 13 / 14), ("printed", 6 / 14, 14 / 14)],
)
def test_printed_costs_hold_without_the_level_of_scene_description(
    tree: str, outdoor: float, trees: float
) -> None:
    assert cost(V1, "Landscape_Nature", "Outdoor", tree) == pytest.approx(outdoor, abs=1e-15)
    assert cost(V1, "Landscape_Nature", "Indoor", tree) == pytest.approx(outdoor, abs=1e-15)
    assert cost(V1, "Landscape_Nature", "Trees", tree) == pytest.approx(trees, abs=1e-15)
    assert cost(V1, "Single_Person", "Small_Group", tree) == pytest.approx(2 / 14, abs=1e-15)
    if tree != "printed":
        assert f"{outdoor:.2f} {trees:.2f}" == "0.86 0.93"


@pytest.mark.parametrize("tree", ["flat", "flattest", "printed"])
def test_links_of_version_1_cost_one_two_and_four_fourteenths(tree: str) -> None:
    assert V1.hierarchy(tree).height == 3
    assert cost(V1, "Trees", "Plants", tree) == pytest.approx(1 / 14, abs=1e-15)
    assert cost(V1, "Plants", "Water", tree) == pytest.approx((2 + 2) / 14, abs=1e-15)
    assert cost(V1, "Plants", "Animals", tree) == pytest.approx((2 + 4 + 4 + 2) / 14, abs=1e-15)


@pytest.mark.parametrize("ontology", VERSIONS, ids=lambda one: one.name)
def test_trees_leave_out_the_levels_that_were_settled(ontology: cf.Ontology) -> None:
    assert ontology.dropped == {
        "flat": {"SceneDescription"},
        "flattest": {"SceneDescription", "Quality", "Representation"},
    }
    tops = ontology.hierarchy("flattest").tops
    assert {"SceneDescription.Seasons", "Quality.Blurring", "Representation.Illumination"} < {*tops}
    assert "Portrait" in tops
    for tree in ("flat", "flattest", "printed"):
        costs = ontology.costs(tree)
        assert np.array_equal(costs, costs.T)
        assert costs.max() <= 1
