"""`cranfield relatedness correlate`: sources beside people, as tables, JSON, CSV and pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scipy import stats
from typer.testing import Result

from cranfield.knowledge.relatedness.wordnet import is_there
from cranfield.studies.judgements import Judgements

Cranfield = Callable[..., Result]

PHOTOS = "ontology:pto2009,tree=flattest"
PUBLISHED = {"PATH": 0.41, "LCH": 0.41, "WUP": 0.47, "RES": 0.56, "LIN": 0.46, "JCN": 0.40}

needs_wordnet = pytest.mark.skipif(not is_there(), reason="WordNet 3.0 could not be had")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "pairs.csv": "one,other,score\ncat,dog,4\ncat,sky,1\ndog,sky,2\ncat,sea,0\nsky,sea,3\n",
        "vectors.txt": "cat 1 0\ndog 1 1\nsky 0 1\nsea -1 1\n",
        "other.txt": "cat 1 0 0\ndog 1 0 1\nsky 0 1 2\n",
        "words.csv": "concept,word\nsea,sky\nhorse,pony\n",
        "useless.csv": "concept,word\nhorse,pony\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def correlated(cranfield: Cranfield, *words: object) -> dict[str, Any]:
    said = cranfield("relatedness", "correlate", *words, "--json", "--resamples", 50)
    assert said.exit_code == 0, said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


# --- published numbers ---


def test_the_ontology_correlates_with_people_as_published(cranfield: Cranfield) -> None:
    """Nowak 2011 Table 8.5: OS .713."""
    (found,) = correlated(cranfield, "visual-concepts", PHOTOS)["sources"]
    assert round(found["spearman"], 4) == 0.7129
    assert found["published_spearman"] == 0.713
    assert (found["covered"], found["uncovered"]) == (30, [])


@needs_wordnet
def test_sources_over_wordnet_correlate_with_people_as_published(cranfield: Cranfield) -> None:
    """Nowak 2011 Table 8.4."""
    found = correlated(cranfield, "gracia-mena", *PUBLISHED)["sources"]
    assert len(found) == 6
    for one in found:
        assert one["spearman"] == pytest.approx(PUBLISHED[one["source"]], abs=0.03)
        assert one["published_spearman"] == PUBLISHED[one["source"]]
        assert one["covered"] == 30


@needs_wordnet
def test_by_default_all_sources_that_are_here_are_asked(cranfield: Cranfield) -> None:
    found = correlated(cranfield, "visual-concepts")
    names = {one["source"] for one in found["sources"]}
    assert {*PUBLISHED, "HSO", "LESK", "VECTOR", "pto2009"} <= names
    assert found["words"]["PATH"] == "the bundled visual_concepts_wordnet.csv"
    assert found["words"]["pto2009"] == "the bundled visual_concepts_pto2009.csv"
    for one in found["sources"]:
        if one["source"] in PUBLISHED:
            assert one["uncovered"] == [["no person", "still life"]]


@needs_wordnet
def test_the_table_shows_what_was_published_and_by_which_words_it_was_asked(
    cranfield: Cranfield,
) -> None:
    words = ("relatedness", "correlate", "visual-concepts", "PATH", "WUP", PHOTOS)
    said = cranfield(*words, "--resamples", 50)
    assert said.exit_code == 0, said.stderr
    assert "Nowak 2011" in said.stdout
    words = "words for concepts from the bundled visual_concepts_wordnet.csv: PATH, WUP"
    assert words in said.stdout
    assert "1 pair not covered by WUP, PATH: no person–still life" in said.stdout


# --- anything else ---


def test_correlations_of_a_file_are_those_of_scipy(here: Path, cranfield: Cranfield) -> None:
    (found,) = correlated(cranfield, "pairs.csv", "vectors:vectors.txt")["sources"]
    people = Judgements.load("pairs.csv").scores
    said = [0.5**0.5, 0.0, 0.5**0.5, -(0.5**0.5), 0.5**0.5]
    assert found["spearman"] == pytest.approx(stats.spearmanr(said, people).statistic, abs=1e-12)
    assert found["pearson"] == pytest.approx(stats.pearsonr(said, people).statistic)
    assert found["published_spearman"] is None


def test_pairs_that_stand_twice_are_averaged_and_said(here: Path, cranfield: Cranfield) -> None:
    with (here / "pairs.csv").open("a") as file:
        file.write("sea,sky,2\n")
    found = correlated(cranfield, "pairs.csv", "vectors:vectors.txt")
    assert (found["pairs"], found["repeated"]) == (5, 1)
    said = cranfield("relatedness", "correlate", "pairs.csv", "vectors:vectors.txt")
    assert "1 pair judged more than once: the mean counts" in said.stdout


def test_a_file_named_like_a_bundled_set_is_not_that_set(here: Path, cranfield: Cranfield) -> None:
    (here / "visual-concepts.tsv").write_text("sky\tcloud\t4\nsky\tsea\t2\ncloud\tsea\t1\n")
    found = correlated(cranfield, "visual-concepts.tsv", PHOTOS)
    assert found["sources"][0]["published_spearman"] is None
    assert found["words"] == {}


@needs_wordnet
def test_what_was_published_stands_beside_the_source_not_its_given_name(
    cranfield: Cranfield,
) -> None:
    found = correlated(cranfield, "gracia-mena", "PATH=JCN", "own=WUP")["sources"]
    published = {one["source"]: one["published_spearman"] for one in found}
    assert published == {"PATH": PUBLISHED["JCN"], "own": PUBLISHED["WUP"]}


def test_names_of_other_kinds_are_not_taken_for_published_ones(
    here: Path, cranfield: Cranfield
) -> None:
    (here / "related.csv").write_text("concept,car,wheel\ncar,1,.9\nwheel,.9,1\n")
    (here / "texts.txt").write_text("car wheel\nriver lake\n")
    sources = ("RES=map:related.csv", "PATH=corpus:texts.txt", "FTS=corpus:texts.txt")
    found = correlated(cranfield, "gracia-mena", *sources)["sources"]
    published = {one["source"]: one["published_spearman"] for one in found}
    assert published == {"RES": None, "PATH": None, "FTS": 0.70}


def test_words_are_for_all_sources_or_for_one(here: Path, cranfield: Cranfield) -> None:
    sources = ("pairs.csv", "a=vectors:other.txt", "b=vectors:other.txt")
    without = {one["source"]: one["covered"] for one in correlated(cranfield, *sources)["sources"]}
    assert without == {"a": 3, "b": 3}
    for option, covered in (("words.csv", {"a": 5, "b": 5}), ("b=words.csv", {"a": 3, "b": 5})):
        found = correlated(cranfield, *sources, "--words", option)
        assert {one["source"]: one["covered"] for one in found["sources"]} == covered
        assert set(found["words"].values()) == {"words.csv"}


def test_a_seed_gives_the_same_intervals_again(here: Path, cranfield: Cranfield) -> None:
    words = ("gracia-mena", "map:related.csv")
    (here / "related.csv").write_text("concept,car,wheel,driver,dog\ncar,1,.9,.8,.1\n"
        "wheel,.9,1,.5,.2\ndriver,.8,.5,1,.3\ndog,.1,.2,.3,1\n")  # fmt: skip
    one, again, other = (
        correlated(cranfield, "pairs.csv", "vectors:vectors.txt", "--seed", seed)
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one["sources"][0]["spearman"] == other["sources"][0]["spearman"]
    assert one != other
    assert correlated(cranfield, *words)["sources"][0]["covered"] == 2


def test_the_test_can_be_chosen_and_is_named(here: Path, cranfield: Cranfield) -> None:
    sources = ("pairs.csv", "a=vectors:vectors.txt", "b=vectors:other.txt", "--words", "words.csv")
    assert correlated(cranfield, *sources)["test"] == "williams"
    found = correlated(cranfield, *sources, "--test", "steiger")
    assert found["test"] == "steiger"
    assert found["comparisons"] != correlated(cranfield, *sources)["comparisons"]
    said = cranfield("relatedness", "correlate", *sources, "--test", "steiger")
    assert "(Steiger, Holm, 5 %)" in said.stdout


def test_csv_has_a_line_for_each_source(here: Path, cranfield: Cranfield) -> None:
    words = ("relatedness", "correlate", "pairs.csv", "vectors:vectors.txt", "vectors:other.txt")
    said = cranfield(*words, "-o", "table.csv", "--resamples", 50)
    assert said.exit_code == 0, said.stderr
    header, *rows = (here / "table.csv").read_text().splitlines()
    assert header.startswith("source,spearman,spearman_low,spearman_high,pearson,")
    assert [row.split(",")[0] for row in rows] == ["other", "vectors"]
    assert rows[0].endswith(",3,5")


def test_a_picture_has_a_plot_for_each_source(here: Path, cranfield: Cranfield) -> None:
    words = ("relatedness", "correlate", "pairs.csv", "vectors:vectors.txt", "vectors:other.txt")
    said = cranfield(*words, "--picture", "plots.json", "--resamples", 50)
    assert said.exit_code == 0, said.stderr
    (chart,) = json.loads((here / "plots.json").read_text())["vconcat"]
    panels = [row["source"].partition(":")[0] for row in chart["data"]["values"]]
    assert set(panels) == {"other", "vectors"}
    assert panels.count("vectors") == 5


# --- what is refused ---


@pytest.mark.parametrize(
    "words",
    [
        "pairs.csv vectors",
        "pairs.csv nothing:vectors.txt",
        "pairs.csv vectors:vectors.txt --resamples 0",
        "pairs.csv vectors:vectors.txt --test student",
        "pairs.csv vectors:vectors.txt --json --csv",
        "pairs.csv vectors:vectors.txt -o table.xls",
        "pairs.csv vectors:vectors.txt --picture plot.gif",
        "pairs.csv vectors:vectors.txt --words c=words.csv",
        "pairs.csv vectors:vectors.txt --csv -o pairs.csv",
        "pairs.csv vectors:vectors.txt --csv -o vectors.txt",
        "pairs.csv vectors:vectors.txt --words words.csv --csv -o words.csv",
    ],
)
def test_wrong_usage_exits_with_2(words: str, here: Path, cranfield: Cranfield) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    said = cranfield("relatedness", "correlate", *words.split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr.strip()
    assert {path: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("miller vectors:vectors.txt", "there are no judgements 'miller'; there are gracia-mena"),
        ("none.csv vectors:vectors.txt", "none.csv: there is no such file"),
        ("pairs.csv vectors:none.txt", "none.txt: there is no such file"),
        ("pairs.csv vectors:vectors.txt --words none.csv", "none.csv: there is no such file"),
        (
            "pairs.csv vectors:vectors.txt --words useless.csv",
            "useless.csv: has none of the words that pairs judges",
        ),
        ("gracia-mena vectors:vectors.txt --picture plot.json", "there is nothing to draw"),
        (
            "pairs.csv vectors:vectors.txt vectors:vectors.txt",
            "several sources are called vectors; give each another name",
        ),
    ],
)
def test_bad_input_exits_with_1(
    words: str, complaint: str, here: Path, cranfield: Cranfield
) -> None:
    said = cranfield("relatedness", "correlate", *words.split())
    assert said.exit_code == 1
    assert complaint in said.stderr
