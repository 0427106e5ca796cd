"""Forms, batches and stages of crowd jobs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.assessment.jobs import Form, deal, first_stage, next_stages, read_images
from cranfield.assessment.jobs.stages import own_stage
from cranfield.assessment.jobs.template import coded, coded_item, decoded
from cranfield.assessment.votes import groups_of


@pytest.fixture(scope="module")
def pto() -> cf.Ontology:
    return cf.Ontology.load("pto2009")


# ── what is asked ─────────────────────────────────────────────────────────────────────────────


def test_a_form_asks_for_each_concept_of_an_ontology_once(pto: cf.Ontology) -> None:
    form = Form.of_ontology(pto)
    assert sorted(form.concepts) == sorted(pto.concepts)
    assert {b.name: set(b.concepts) for b in form.blocks if b.ask == "one"} == {
        name: set(members) for name, members in groups_of(pto).items()
    }
    tops = [node for node, parents in pto.parents.items() if not parents]
    assert [section.name for section in form.sections] == tops


def test_boxes_beside_a_single_choice_are_a_question_of_their_own(pto: cf.Ontology) -> None:
    blocks = [b for b in Form.of_ontology(pto).blocks if b.name.endswith("TimeOfDay")]
    assert [(b.ask, b.concepts) for b in blocks] == [
        ("one", ("Day", "Night", "No_Visual_Time")), ("any", ("Sunny", "Sunset_Sunrise"))
    ]  # fmt: skip
    assert [b.further for b in blocks] == [False, True]


def test_concepts_below_others_are_set_in(pto: cf.Ontology) -> None:
    (landscape,) = next(
        one.blocks for one in Form.of_ontology(pto).sections if one.name == "LandscapeElements"
    )
    depth = dict(zip(landscape.concepts, landscape.depths, strict=True))
    assert (depth["Water"], depth["Sea"], depth["Mountains"]) == (0, 1, 0)
    assert landscape.concepts.index("Sea") > landscape.concepts.index("Water")


def test_a_part_of_a_group_is_asked_with_boxes_since_none_of_it_may_hold(pto: cf.Ontology) -> None:
    form = Form.of_ontology(pto, ["Summer", "Winter", "SceneDescription.Place"])
    asked = [(b.ask, b.concepts) for b in form.blocks]
    assert asked == [
        ("any", ("Summer", "Winter")),
        ("one", ("Indoor", "Outdoor", "No_Visual_Place")),
    ]


def test_an_ontology_below_one_root_has_its_categories_as_sections() -> None:
    parents = {"all": (), "a": "all", "b": "all", "x": "a", "y": "b", "loose": "all"}
    form = Form.of_ontology(cf.Ontology(parents, concepts=("x", "y", "loose")))
    assert [(one.name, one.blocks[0].concepts) for one in form.sections] == [
        ("all", ("loose",)), ("a", ("x",)), ("b", ("y",))
    ]  # fmt: skip


def test_a_node_below_two_others_is_asked_once() -> None:
    parents = {"a": (), "b": (), "x": ("a", "b")}
    form = Form.of_ontology(cf.Ontology(parents, concepts=("x",)))
    assert form.concepts == ("x",)


def test_labels_are_what_people_read() -> None:
    rules = {"disjoint": [("m1", "m2")], "required": [("m1", "m2")]}
    labels = {"g": "Time of day", "m1": "Day", "m2": "Night"}
    ontology = cf.Ontology({"g": (), "m1": "g", "m2": "g"}, ("m1", "m2"), labels=labels, **rules)
    form = Form.of_ontology(ontology)
    (block,) = form.blocks
    assert (form.title_of(block.name), form.title_of("m2")) == ("Time of day", "Night")


def test_a_list_of_concepts_gives_boxes_and_the_groups_named() -> None:
    form = Form.of_concepts(["Sky", "Day", "Night"], {"Time": ["Day", "Night"]})
    assert [(b.name, b.ask, b.concepts) for b in form.blocks] == [
        ("Time", "one", ("Day", "Night")), ("", "any", ("Sky",))
    ]  # fmt: skip


def test_what_a_form_cannot_be_is_said() -> None:
    with pytest.raises(cf.InputError, match="asks for nothing"):
        Form.of_concepts([])
    with pytest.raises(cf.InputError, match="concept number 2 has an empty id"):
        Form.of_concepts(["Sky", ""])
    with pytest.raises(cf.InputError, match="not in the list"):
        Form.of_concepts(["Sky"], {"Time": ["Day", "Night"]})
    with pytest.raises(cf.InputError, match="'Day' are not in the list, or in another group"):
        Form.of_concepts(["Day", "x", "y"], {"a": ["Day", "x"], "b": ["Day", "y"]})
    with pytest.raises(cf.InputError, match="descriptions of 'Sea', which this form does not ask"):
        Form.of_concepts(["Sky"]).worded(descriptions={"Sea": "wet"})
    with pytest.raises(cf.InputError, match="pto2009 does not know 'Beer'"):
        Form.of_ontology(cf.Ontology.load("pto2009"), ["Beer"])


def test_a_form_reads_back_from_json(pto: cf.Ontology) -> None:
    form = Form.of_ontology(pto).worded(title="Look", descriptions={"Sky": "above"})
    again = Form.of_content(form.content)
    assert again.sections == form.sections
    assert again.questions == form.questions
    assert again.content == form.content


# ── names on the way ──────────────────────────────────────────────────────────────────────────

HOSTILE = (
    '"><script>window.hacked=1</script>', "${image_url}", "=1+1", "-2", "@x", "+y", "a.on", "a|b",
    "[x]", "Comments", "feedback", "true", "on", "NA", "ümläut", "😀", " blank ", "a  b", "%41",
    "'", "taskAnswers", "assignmentId", "a\tb", "a,b", "&amp;", "/m/01",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_come_back_from_codes_that_nothing_takes_for_its_own(name: str) -> None:
    for code in (coded(name), coded_item(name)):
        assert decoded(code) == name
        assert not set(code) & set("\"'<>&${}|,=+@\t[]")
        assert not code.startswith(("-", "=", "+", "@"))
        assert code.isascii()


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_different_names_have_different_codes(one: str, other: str) -> None:
    assert (coded(one) == coded(other)) == (one == other)
    assert decoded(coded(one)) == one == decoded(coded_item(one))


@pytest.mark.parametrize("name", ["Sky", "No_Visual_Season", "Visual Arts", "123"])
def test_plain_names_stay_as_they_are(name: str) -> None:
    assert coded(name) == name == coded_item(name)


def test_addresses_are_safe_in_a_page_and_still_lead_there(tmp_path: Path) -> None:
    table = tmp_path / "items.csv"
    table.write_text(
        'item,image_url\na,"https://x.org/a\'b"">.jpg?q=1&copy;2#t"\nb,http://y/${z}\n'
    )
    found = read_images(table)
    assert found == {
        "a": "https://x.org/a%27b%22%3E.jpg?q=1&copy%3B2#t", "b": "http://y/$%7Bz%7D"
    }  # fmt: skip
    table.write_text("item\n1 2\nx/3\n")
    pattern = "https://x.org/{item}.jpg"
    assert read_images(table, pattern=pattern) == {
        "1 2": "https://x.org/1%202.jpg", "x/3": "https://x.org/x/3.jpg"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("item,image_url\na,javascript:alert(1)\n", ":2:", "no address of an image"),
        ("item,image_url\na,https://\n", ":2:", "no address of an image"),
        ("item,image_url\na,http://[x\n", ":2:", "no address of an image"),
        ("item,image_url\na,http://x/1\na,http://x/2\n", ":3:", "stands here twice"),
        ("item,image_url\n,http://x/1\n", ":2:", "item is missing"),
        ("photo,where\na,http://x/1\n", ":1:", "the header is 'photo,where'"),
        ("item,image_url\n", ":", "there are no items"),
    ],
)
def test_broken_lists_of_images_are_told(tmp_path: Path, text: str, where: str, what: str) -> None:
    table = tmp_path / "items.csv"
    table.write_text(text)
    with pytest.raises(cf.FileError, match=what) as raised:
        read_images(table)
    assert f"items.csv{where}" in str(raised.value)


# ── batches ───────────────────────────────────────────────────────────────────────────────────


def test_items_are_in_as_many_batches_as_asked_and_some_in_all() -> None:
    items = [f"i{n}" for n in range(103)]
    batches = deal(items, batches=4, copies=2, common=0.1, seed=7)
    counts = Counter(item for batch in batches for (item,) in batch)
    assert sorted(Counter(counts.values()).items()) == [(2, 93), (4, 10)]
    sizes = [len(batch) for batch in batches]
    assert max(sizes) - min(sizes) <= 1
    shared = [len({*one} & {*other}) for one, other in combinations(batches, 2)]
    assert min(shared) > 10


def test_dealing_depends_on_ids_and_seed_alone() -> None:
    items = [f"i{n}" for n in range(40)]
    batches = deal(items, batches=3, copies=2, per_hit=4, seed=1)
    assert deal(items[::-1], batches=3, copies=2, per_hit=4, seed=1) == batches
    assert deal(items, batches=3, copies=2, per_hit=4, seed=2) != batches


def test_the_last_page_is_filled_up_with_other_items() -> None:
    ((*pages,),) = deal([f"i{n}" for n in range(10)], per_hit=4)
    assert [len(page) for page in pages] == [4, 4, 4]
    assert all(len(set(page)) == 4 for page in pages)
    assert len({item for page in pages for item in page}) == 10


def test_impossible_batches_are_refused() -> None:
    with pytest.raises(cf.InputError, match="cannot be in 3 batches where there are 2"):
        deal("abc", batches=2, copies=3)
    with pytest.raises(cf.InputError, match="fewer than the 5 on a page"):
        deal("abc", per_hit=5)
    with pytest.raises(cf.InputError, match="share of the items"):
        deal("abc", common=2)


# ── stages ────────────────────────────────────────────────────────────────────────────────────


def test_the_first_stage_leaves_out_what_needs_another_concept(pto: cf.Ontology) -> None:
    left = set(pto.concepts) - set(first_stage(pto))
    assert left == {"Flowers", "Trees", "Clouds", "Lake", "River", "Sea", "Portrait"}


def test_sub_concepts_are_asked_where_the_parent_holds(pto: cf.Ontology) -> None:
    first = first_stage(pto)
    labels = np.zeros((4, len(first)), dtype=bool)
    judged = np.ones_like(labels)
    for row, concept in enumerate(["Sky", "Water", "Animals", "Big_Group"]):
        labels[row, first.index(concept)] = True
    judged[3, first.index("Sky")] = False
    truth = cf.Truth(labels, items=list("abcd"), concepts=first, judged=judged)
    stages = {stage.name: stage for stage in next_stages(pto, truth)}
    assert {name: (one.asks, one.items, one.unknown) for name, one in stages.items()} == {
        "Plants": (("Flowers", "Trees"), (), 0),
        "Sky": (("Clouds",), ("a",), 1),
        "Water": (("Lake", "River", "Sea"), ("b",), 0),
        "Single_Person or Small_Group or Big_Group or Animals": (("Portrait",), ("c", "d"), 0),
    }


def test_the_vehicles_animals_and_persons_of_2010_are_three_jobs() -> None:
    pto = cf.Ontology.load("pto2010")
    known = [one for one in cf.Ontology.load("pto2009").concepts if one in pto.concepts]
    truth = cf.Truth(np.ones((1, len(known)), dtype=bool), items=["a"], concepts=known)
    stages = {stage.name: stage.asks for stage in next_stages(pto, truth)}
    assert stages["Vehicle"] == ("car", "bicycle", "ship", "train", "airplane", "skateboard")
    assert stages["Animals"] == ("dog", "cat", "bird", "horse", "fish", "insect")
    persons = own_stage(
        pto,
        truth,
        ["PicturedObjects.Persons.Gender", "PicturedObjects.Persons.Age"],
        ["Single_Person", "Small_Group", "Big_Group"],
    )
    assert persons.asks == ("female", "male", "Baby", "Child", "Teenager", "Adult", "old_person")
    assert persons.items == ("a",)


def test_a_stage_that_is_not_left_is_said(pto: cf.Ontology) -> None:
    truth = cf.Truth(np.ones((1, 53), dtype=bool), items=["a"], concepts=pto.concepts)
    with pytest.raises(cf.InputError, match="no stage is left"):
        next_stages(pto, truth)
    with pytest.raises(cf.InputError, match="truth does not tell of 'Sky'"):
        own_stage(pto, truth.of_concepts([0]), ["Clouds"], ["Sky"])
