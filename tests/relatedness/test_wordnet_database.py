"""WordNet's files: read whatever their line ends, refused where broken; and words looked up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_wordnet import Noun, write_wordnet

from cranfield.errors import FileError
from cranfield.knowledge.relatedness.wordnet import Resnik, ShortestPath, WordNet, WuPalmer
from cranfield.knowledge.relatedness.wordnet.database import Database

ANIMALS = [
    Noun(["entity"], gloss="all that is"),
    Noun(["animal", "beast"], ["entity"], 'a living being; "the beast roared"'),
    Noun(["dog"], ["animal"], "a beast that barks"),
    Noun(["cat"], ["animal"], "a beast that purrs"),
    Noun(["stone"], ["entity"]),
]


def test_line_ends_do_not_matter(tmp_path: Path) -> None:
    unix = Database(write_wordnet(tmp_path / "unix", ANIMALS))
    dos = Database(write_wordnet(tmp_path / "dos", ANIMALS, line_end="\r\n"))
    assert [dos.words(row) for row in range(5)] == [unix.words(row) for row in range(5)]
    assert dos.gloss(1) == unix.gloss(1) == 'a living being; "the beast roared"'
    assert dos.senses("beast", "n") == unix.senses("beast", "n") == [1]
    np.testing.assert_array_equal(dos.links.between("@"), unix.links.between("@"))


def test_paths_and_counts_of_a_small_wordnet_are_those_of_paper_and_pencil(tmp_path: Path) -> None:
    counts = {"dog": 3, "cat": 1, "stone": 4}
    small = WordNet(write_wordnet(tmp_path, ANIMALS, counts=counts))
    assert ShortestPath(small).relatedness("dog", "cat") == pytest.approx(1 / 3)
    assert WuPalmer(small).relatedness("dog", "cat") == pytest.approx(2 * 3 / (4 + 4))
    assert small.information("n").counts.tolist() == [8, 4, 3, 1, 4, 8]
    assert Resnik(small).relatedness("dog", "cat") == pytest.approx(np.log(2))


def test_a_synset_below_two_that_lead_to_one_is_counted_twice_there(tmp_path: Path) -> None:
    nouns = [Noun(["top"]), Noun(["a"], ["top"]), Noun(["b"], ["top"]), Noun(["c"], ["a", "b"])]
    small = WordNet(write_wordnet(tmp_path, nouns, counts={"c": 5}))
    assert small.information("n").counts.tolist() == [10, 5, 5, 5, 10]


def test_a_circle_of_hypernyms_is_cut_at_its_first_synset(tmp_path: Path) -> None:
    nouns = [Noun(["inhibit"], ["restrain"]), Noun(["restrain"], ["inhibit"]), Noun(["entity"])]
    small = WordNet(write_wordnet(tmp_path, nouns))
    path = ShortestPath(small)
    assert path.relatedness("inhibit", "restrain") == pytest.approx(1 / 2)
    assert path.relatedness("inhibit", "entity") == pytest.approx(1 / 3)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path, ANIMALS)
    (folder / "index.verb").unlink()
    with pytest.raises(FileError, match=r"has no readable index\.verb"):
        Database(folder)


def test_a_broken_synset_is_shown(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path, ANIMALS)
    data = folder / "data.noun"
    data.write_bytes(data.read_bytes().replace(b"n 01 dog", b"n xx dog"))
    with pytest.raises(FileError, match=r"data\.noun: broken synset: .*dog"):
        Database(folder)


def test_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path, [*ANIMALS, Noun(["ghost"], ["00009999"])])
    with pytest.raises(FileError, match="no synset at offset 9999"):
        Database(folder)


def test_counts_without_a_known_sense_are_refused_where_they_are_needed(tmp_path: Path) -> None:
    small = WordNet(write_wordnet(tmp_path, ANIMALS, counts={"unicorn": 3}))
    assert ShortestPath(small).covers("dog")
    with pytest.raises(FileError, match=r"cntlist\.rev: counts no sense"):
        Resnik(small).relatedness("dog", "cat")


def test_a_broken_count_is_shown(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path, ANIMALS, counts={"dog": 3})
    (folder / "cntlist.rev").write_text("dog%1:03:00:: 1 many\n")
    with pytest.raises(FileError, match=r"cntlist\.rev: broken count: .*dog"):
        Resnik(WordNet(folder)).relatedness("dog", "cat")


def test_exceptions_come_before_rules(tmp_path: Path) -> None:
    small = WordNet(write_wordnet(tmp_path, ANIMALS, exceptions="dogges dog\n"))
    assert small.senses.of("dogges", "n") == [2]
    assert small.senses.of("Beasts", "n") == [1]


@pytest.mark.parametrize(
    ("spelled", "same"),
    [
        ("DOG", "dog"),
        ("clouds", "cloud"),
        ("firemen", "fireman"),
        ("geese", "goose"),
        ("still life", "still_life"),
        ("Still-Life", "still_life"),
        ("traffic lights", "traffic_light"),
        (" dog ", "dog#n"),
        ("went#v", "go#v"),
        ("dogs#n#1", "dog#n#1"),
    ],
)
def test_words_are_found_however_they_are_written(
    wordnet: WordNet, spelled: str, same: str
) -> None:
    found = wordnet.senses.of(spelled, "nvar")
    assert found
    assert found == wordnet.senses.of(same, "nvar")


@pytest.mark.parametrize("word", ["", "#", "dog#x", "dog#n#0", "dog#n#99", "xyzzy", "#n#1", "ü"])
def test_what_is_not_a_word_has_no_senses(wordnet: WordNet, word: str) -> None:
    assert wordnet.senses.of(word, "nvar") == []


def test_a_word_stands_for_its_nouns_if_it_has_any(wordnet: WordNet) -> None:
    assert wordnet.senses.of("walk", "nvar") == wordnet.senses.of("walk#n", "nvar")
    assert wordnet.senses.of("sunny", "nvar") == wordnet.senses.of("sunny#a", "nvar")
    assert wordnet.senses.of("sunny", "nv") == []
