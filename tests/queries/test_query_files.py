"""Files of queries: every form, and every mistake with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.collections.collection import Collection
from cranfield.formats.query_files import write_queries
from cranfield.tasks.retrieval import NamedQuery

TRUTH = cf.Truth([[1, 0, 1]], concepts=["Sea", "sky", "big dog"])


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    return tmp_path / "topics.tsv"


@pytest.mark.parametrize(
    "text",
    [
        "1: sea AND sky\nx: 'big dog'\n",
        "1\tsea AND sky\nx\t'big dog'\n",
        '# what people asked for\n\n1:\tsea and sky  \r\nx: "big dog"',
        "id,query\n1,sea AND sky\nx,\"'big dog'\"\n",
        'ID,Query\n1,sea AND sky\nx,"""big dog"""\n',
        'id\tquery\n1\tsea AND sky\nx\t"big dog"\n',
    ],
)
def test_all_forms_say_the_same(topics: Path, text: str) -> None:
    topics.write_bytes(text.encode())
    assert cf.formats.read_queries(topics) == (
        NamedQuery("1", cf.Query("sea AND sky")),
        NamedQuery("x", cf.Query("'big dog'")),
    )


def test_queries_may_have_titles_and_be_searched_as_they_are(topics: Path) -> None:
    topics.write_text('id,query,title\nq1,"sea AND NOT ""big dog""",At the sea\n')
    found = cf.formats.read_queries(topics, TRUTH)
    assert found == (NamedQuery("q1", cf.Query("Sea AND NOT 'big dog'"), "At the sea"),)
    assert cf.search(TRUTH, found).concepts == ("q1",)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    queries = (
        NamedQuery("q1", cf.Query("sea AND NOT 'big dog'"), "At the sea, alone"),
        NamedQuery("q,2", cf.Query("'a, b' OR \"it's\""), ""),
    )
    write_queries(queries, tmp_path / "queries.csv")
    assert cf.formats.read_queries(tmp_path / "queries.csv") == queries


def test_names_follow_the_collection_and_its_descriptions(topics: Path) -> None:
    topics.write_text("1: big dog\n".replace("big dog", "'Big Dog' AND SEA"))
    collection = Collection(
        cf.Truth([[1, 0]], concepts=["/m/1", "Sea"]), descriptions={"/m/1": "big dog"}
    )
    assert cf.formats.read_queries(topics, collection)[0].query == cf.Query("/m/1 AND Sea")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1: sea\n2: sea AND\n", ":2: query sea AND>>><<<, character 8: a concept is missing"),
        ("1: sea\n\nsea AND sky\n", ":3: 'sea AND sky' has no id; write id: query"),
        ("1: sea\n1: sky\n", ":2: query '1' stands on line 1 already"),
        (": sea\n", ":1: the id of a query is missing"),
        ("1: \n", ":1: a query is empty"),
        ("# nothing\n", ": there are no queries"),
        ("id,query\n", ": there are no queries"),
        ("id,query\n1,sea,sky\n", ":2: 3 fields; the header has 2: id,query; quote a query"),
        ('id,query\n1,"sea\n', ":2: a double quote stands alone"),
        ("1: sea\n2: Persn OR sky\n", ":2: query >>>Persn<<< OR sky, character 1: there is no"),
    ],
)
def test_a_mistake_has_its_line(topics: Path, text: str, message: str) -> None:
    topics.write_text(text)
    with pytest.raises(cf.FileError, match=re.escape(f"{topics}{message}")):
        cf.formats.read_queries(topics, TRUTH)


def test_bytes_that_are_not_utf8_have_their_line(topics: Path) -> None:
    topics.write_bytes(b"1: sea\n2: \xff\n")
    with pytest.raises(cf.FileError, match=r":2: .*not UTF-8"):
        cf.formats.read_queries(topics)
