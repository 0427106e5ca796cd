"""Sources of relatedness by what people type."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.formats.relatedness.named import SpellingError, available, source_of
from cranfield.knowledge.relatedness import (
    Distributional,
    Embeddings,
    GivenMap,
    MilneWitten,
    OntologyPaths,
)
from cranfield.knowledge.relatedness.wordnet import WORDNET_SOURCES, is_there


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "texts.txt": "a cat and a dog\na kitten\na dog\nthe sky\n",
        "photos.csv": "id,tags,title\n1,cat dog,none\n2,sky,a cat\n3,dog,none\n",
        "words.csv": "concept,word\ncat,kitten\n",
        "counts.csv": "word,other,count\ncat,,10\ndog,,20\ncat,dog,5\n",
        "truth.csv": "item,cat,dog\na,1,1\nb,1,0\nc,0,1\nd,0,0\n",
        "links.tsv": "a\tcat\na\tdog\nb\tcat\nc\tdog\n",
        "vectors.txt": "cat 1 0\ndog 1 1\n",
        "map.csv": "concept,cat,dog\ncat,9,3\ndog,3,9\n",
        "engine.toml": 'url = "http://127.0.0.1/?q={query}"\nnumber = "n"\ntotal = 99\n',
        "a,b.txt": "cat dog\ncat\nsky\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spelling", "kind", "name"),
    [
        ("corpus:texts.txt", Distributional, "texts"),
        ("FTS=corpus:photos.csv,columns=tags", Distributional, "FTS"),
        ("counts:counts.csv,documents=100", Distributional, "counts"),
        ("truth:truth.csv", Distributional, "truth"),
        ("links:links.tsv", MilneWitten, "links"),
        ("vectors:vectors.txt", Embeddings, "vectors"),
        ("web:engine.toml,cache=answers.jsonl", Distributional, "127.0.0.1"),
        ("ontology:pto2009", OntologyPaths, "pto2009"),
        ("Ontology:pto2009,kind=DIMC,tree=printed", OntologyPaths, "pto2009"),
        ("by-hand=map:map.csv", GivenMap, "by-hand"),
        ("wordllama", Embeddings, "wordllama"),
        ("corpus:a,b.txt", Distributional, "a,b"),
    ],
)
def test_a_spelling_names_a_source(spelling: str, kind: type, name: str, here: Path) -> None:
    found = source_of(spelling)
    assert type(found) is kind
    assert found.name == name


def test_what_is_typed_behind_the_file_changes_what_is_counted(here: Path) -> None:
    assert np.isnan(source_of("corpus:photos.csv,columns=title").relatedness("cat", "sky"))
    by_tags = source_of("corpus:photos.csv,columns=tags")
    by_both = source_of("corpus:photos.csv,columns=tags+title")
    assert by_tags.relatedness("cat", "sky") == 0.0
    assert by_both.relatedness("cat", "sky") > 0.0
    alone = source_of("corpus:texts.txt").relatedness("cat", "dog")
    assert source_of("corpus:texts.txt,synonyms=words.csv").relatedness("cat", "dog") != alone
    more = [source_of(f"links:links.tsv,pages={pages}") for pages in (10, 1000)]
    assert more[0].relatedness("cat", "dog") < more[1].relatedness("cat", "dog")
    flat, flattest = (source_of(f"ontology:pto2009,tree={t}") for t in ("flat", "flattest"))
    assert flat.relatedness("Sky", "Blurring") != flattest.relatedness("Sky", "Blurring")


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("", "'' is no source of relatedness; write PATH"),
        ("PATHS", "'PATHS' is no source"),
        ("a b", "'a b' is no source"),
        ("corpus", "'corpus' needs a file; write corpus:FILE"),
        ("corpus:texts.txt,colour=red", "'colour' is no option of this source; it takes columns"),
        ("truth:truth.csv,tree=flat", "'tree' is no option of this source; it takes none"),
        ("path,tree=flat", "'tree' is no option of this source; it takes none"),
        ("links:links.tsv,pages=many", "pages=many: write a whole number"),
        ("wordllama:vectors.txt", "wordllama:vectors.txt: it carries its own vectors; write word"),
    ],
)
def test_what_cannot_be_a_source_is_told_apart_from_bad_files(
    spelling: str, complaint: str, here: Path
) -> None:
    with pytest.raises(SpellingError) as told:
        source_of(spelling)
    assert complaint in str(told.value)


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("corpus:none.txt", "none.txt: there is no such file"),
        ("corpus:texts.txt,forms=many", "choose 'exact' or 'number'"),
        ("ontology:pto2009,tree=tall", "choose flat, flattest or printed"),
        ("map:truth.csv", "truth.csv:1: "),
        ("PATH:none", "none: has no data.noun"),
    ],
)
def test_bad_files_and_options_are_bad_input(spelling: str, complaint: str, here: Path) -> None:
    with pytest.raises(cf.InputError) as told:
        source_of(spelling)
    assert complaint in str(told.value)
    assert not isinstance(told.value, SpellingError)


def test_sources_over_wordnet_are_named_in_any_case() -> None:
    if not is_there():
        pytest.skip("WordNet 3.0 could not be had")
    for name, kind in WORDNET_SOURCES.items():
        assert type(source_of(name.lower())) is kind
        assert source_of(name.lower()).name == name
    assert source_of("mine=RES").name == "mine"
    assert source_of("RES").name == "RES"
    assert set(WORDNET_SOURCES) <= set(available())


@pytest.mark.parametrize(
    "spelling",
    ["corpus:texts.txt", "truth:truth.csv", "links:links.tsv", "ontology:pto2009", "map:map.csv",
     "vectors:vectors.txt", "PATH", "LCH", "WUP", "RES", "LIN", "JCN", "HSO", "LESK", "VECTOR"],
)  # fmt: skip
def test_what_a_source_says_becomes_costs_by_its_own_normalisation(
    spelling: str, here: Path
) -> None:
    if spelling.isupper() and spelling not in available():
        pytest.skip("WordNet 3.0 could not be had")
    source = source_of(spelling)
    concepts = ("Sky", "Sea", "Lake", "cat", "dog", "zzzz")
    related = source.matrix(concepts)
    costs = related.map.costs(source.normalisation)
    assert "zzzz" in related.coverage.unknown
    # What is not known is related to nothing, whatever the scale.
    np.testing.assert_allclose(costs.values[5], [1, 1, 1, 1, 1, 0])


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        (
            "corpus:photos.csv,columns=tags+title,forms=exact",
            r"documents of photos\.csv \(columns tags\+title\) that hold the words "
            r"\(forms exact\); texts [0-9a-f]{8}; exp\(−2 · NWD\)",
        ),
        (
            "corpus:texts.txt,synonyms=words.csv",
            r"documents of texts\.txt that hold the words \(forms number, "
            r"synonyms of 1 word [0-9a-f]{8}\); texts [0-9a-f]{8}; .*",
        ),
        ("counts:counts.csv,documents=99", r"counts of counts\.csv; counts [0-9a-f]{8}; .*"),
        ("links:links.tsv", r"pages of links\.tsv that link to the words; links [0-9a-f]{8}; .*"),
        ("vectors:vectors.txt", r"cosines of vectors of vectors\.txt; vectors [0-9a-f]{8}"),
        ("truth:truth.csv", r"items of truth:[0-9a-f]{8} that carry the concepts; .*"),
    ],
)
def test_a_map_says_of_which_file_and_how_it_was_made(here: Path, spelling: str, said: str) -> None:
    source = source_of(spelling).matrix(["cat", "dog"]).map.provenance.source
    assert re.fullmatch(said, source), source


@pytest.mark.parametrize("kind", ["corpus:texts.txt", "links:links.tsv", "vectors:vectors.txt"])
def test_another_input_of_the_same_name_leaves_another_fingerprint(here: Path, kind: str) -> None:
    file = here / kind.partition(":")[2]
    before = source_of(kind).matrix(["cat", "dog"]).map.provenance.source
    assert source_of(kind).matrix(["dog", "cat"]).map.provenance.source == before
    file.write_text(file.read_text().replace("a", "i", 1).replace("1", "2"))
    assert source_of(kind).matrix(["cat", "dog"]).map.provenance.source != before
