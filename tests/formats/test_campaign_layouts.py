"""Files as campaigns and lectures print them: stacked runs, lists of concepts, INEX topics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield import formats
from cranfield.formats import source

Write = Callable[..., Path]

STACKED = "a .9 .1\nb .2 .8\nc .5 .4\na 1 0\nb 0 1\nc 1 1\n"


@pytest.fixture
def truth() -> cf.Truth:
    return cf.Truth([[1, 0], [0, 1], [1, 1]], items=["a", "b", "c"], concepts=["cat", "dog"])


@pytest.fixture(params=[1, 1 << 20], ids=["line by line", "at once"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_BLOCK", request.param)


# -- Confidences of all items, then their decisions: ImageCLEF 2010 ------------------------------


@pytest.mark.usefixtures("block", "parser")
def test_decisions_may_follow_below_all_confidences(file: Write, truth: cf.Truth) -> None:
    beside = "a .9 .1 1 0\nb .2 .8 0 1\nc .5 .4 1 1\n"
    expected = cf.read_run(file(beside, name="beside.txt"), truth)
    assert cf.read_run(file(STACKED), truth).digest == expected.digest
    assert cf.read_run(file(STACKED), None).labels.tolist() == expected.labels.tolist()
    assert not formats.check(file(STACKED), against=truth)


@pytest.mark.usefixtures("block", "parser")
@pytest.mark.parametrize(
    ("text", "line", "total"),
    [
        ("a .9 .1\nb .2 .8\na 1 0\n", 3, 1),
        ("a .9 .1\nb .2 .8\nb 0 1\na 1 0\n", 3, 2),
        ("a .9 .1\nb .2 .8\na 1 0\nb .5 0\n", 3, 2),
        ("a .9 .1\nb .2 .8\na 1 0\nb 1 0\na 1 0\n", 3, 3),
        ("a .9 .1\nb .2 .8\na 1 0\nc 1 0\nb 1 0\n", 3, 2),
        ("a .9 .1\na 1 0\nb .2 .8\nb 1 0\n", 2, 2),
    ],
)
def test_items_that_stand_twice_otherwise_are_errors(
    file: Write, text: str, line: int, total: int
) -> None:
    with pytest.raises(cf.FileError, match=r"stands on line [12] already") as refused:
        cf.read_run(file(text))
    assert refused.value.line == line
    assert formats.check(file(text)).total == total


def test_a_truth_is_never_stacked(file: Write) -> None:
    with pytest.raises(cf.FileError, match="stands on line 1 already"):
        cf.read_truth(file("a 1 0\nb 0 1\na 1 0\nb 0 1\n"))


# -- Numbered lists of concepts ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "0\tPartylife\n1\tFamily Friends\n2\tBeach\n",
        "Number\tConcept\n0\tPartylife\n1\tFamily Friends\n2\tBeach\n",
        "id\tname\r\n2\tBeach\r\n\r\n0\tPartylife\r\n1\tFamily Friends\r\n",
        "Partylife\nFamily Friends\nBeach\n",
    ],
)
def test_concepts_are_listed_with_numbers_or_without(file: Write, text: str) -> None:
    assert formats.read_concepts(file(text)) == ("Partylife", "Family Friends", "Beach")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0\tcat\n0\tdog\n1\tcow\n", r":2: number 0 stands on line 1 already"),
        ("0\tcat\n1\tcat\n", r":2: concept 'cat' stands on line 1 already"),
        ("0\tcat\n1\tdog\ncow\n", r":3: 'cow', where other lines have a number, a tab and a name"),
        ("0\tcat\n1\tdog\n2\tcow\tbig\n", r":3: .*where other lines have a number"),
    ],
)
def test_a_broken_list_is_told_with_its_line(file: Write, text: str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        formats.read_concepts(file(text))


def test_names_that_are_numbers_stay_names(file: Write) -> None:
    assert formats.read_concepts(file("3\n1\n2\n")) == ("3", "1", "2")


def test_the_list_names_the_columns_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "truth.txt").write_text("a 1 0\nb 0 1\n")
    (tmp_path / "concepts.txt").write_text("Nr\tConcept\n1\tdog\n0\tcat\n")
    assert cf.read_collection(tmp_path).concepts == ("cat", "dog")


# -- INEX topics as a lecture prints them --------------------------------------------------------

INEX = """<INEX-Topic topic-id="45" query-type="CO" ct-no="056">
  <Title>
    <cw>augmented reality and medicine</cw>
  </Title>
  <Description>
    How virtual (or augmented) reality can contribute to improve the medical and
    surgical practice. and
  </Description>
  <Narrative>
    In order to be considered relevant, a document/component must include
    considerations about applications of computer graphics.
  </Narrative>
  <Keywords>
    augmented virtual reality medicine surgery
  </Keywords>
</INEX-Topic>
"""
STRUCTURED = """<INEX-Topic topic-id="09" query-type="CAS" ct-no="048">
<Title>
<te>article</te>
<cw>nonmonotonic reasoning</cw> <ce>bdy/sec</ce>
<cw>-calendar</cw> <ce>tig/at1</ce>
</Title>
<Description>Retrieve all articles.</Description>
</INEX-Topic>
"""


def test_topics_of_the_first_inex_are_read(file: Write) -> None:
    topics = formats.read_topics(file(INEX + STRUCTURED))
    assert list(topics) == ["45", "09"]
    assert topics["45"].title == "augmented reality and medicine"
    assert topics["45"].description.startswith("How virtual (or augmented) reality")
    assert topics["45"].narrative.startswith("In order to be considered relevant")
    assert topics["09"].title == "article nonmonotonic reasoning bdy/sec -calendar tig/at1"
    assert formats.read_topics(file(f"<?xml version='1.0'?>\n{INEX}")) == {"45": topics["45"]}


def test_a_broken_topic_is_told_with_its_line(file: Write) -> None:
    with pytest.raises(cf.FileError, match=r":17: a topic has no number"):
        formats.read_topics(file(INEX + STRUCTURED.replace('topic-id="09" ', "")))
    with pytest.raises(cf.FileError, match=r":4: is no XML \(mismatched tag\)"):
        formats.read_topics(file(INEX.replace("</cw>", "")))


# -- Preferences in a table ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "topic,better,worse\nt,a,b\nt,b,c\nu,c,a\n",
        "worse\ttopic\tBetter\nb\tt\ta\nc\tt\tb\na\tu\tc\n",
        "topic;better;worse\nt;a;b\nt;b;c\nu;c;a\n",
    ],
)
def test_preferences_may_stand_in_a_table(file: Write, text: str) -> None:
    path = file(text, name="preferences.csv")
    assert formats.is_preferences(path)
    found = formats.read_preferences(path)
    expected = cf.tasks.Preferences.from_pairs([("t", "b", "a"), ("t", "c", "b"), ("u", "a", "c")])
    assert found.topics == ("t", "u")
    assert len(found) == len(expected) == 4
    run = cf.Run([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]], items="abc", concepts="tu")
    assert found.score(run) == expected.score(run) == 1.0


def test_judges_may_contradict_each_other(file: Write) -> None:
    text = "topic,better,worse,judge\nt,a,b,x\nt,b,a,y\n"
    assert len(formats.read_preferences(file(text, name="p.csv"))) == 2


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("t,a,b\nt,a,b\n", r":3: this preference stands on line 2 already"),
        ("t,a,\n", r":2: there is no worse; write it"),
        ("t,a,a\n", r":2: topic 't': 'a' is better than itself"),
        ("t,a\n", r":2: 2 fields, where the header has 3"),
        ("", r"has a header and nothing below it"),
        ("t,a,b\nt,b,a\n", r"go round in a circle"),
    ],
)
def test_broken_preferences_are_told_with_their_line(file: Write, lines: str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        formats.read_preferences(file(f"topic,better,worse\n{lines}", name="p.csv"))
