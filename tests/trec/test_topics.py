"""Topic files of TREC, INEX and CLEF, and where their titles are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cranfield as cf
from cranfield import formats
from cranfield.cli.program import app

File = Callable[..., Path]
TREC = """
<top>
<num> Number: 301
<title> Organized Crime &amp; Trade

<desc> Description:
Which organizations
are meant?

<narr> Narrative:
A document with less than < 2 names is not relevant.
</top>
<top>
<num>302</num><title>Topic: Polio</title>
</top>
"""


def test_topics_of_trec_need_no_closing_tags(file: File) -> None:
    topics = formats.read_topics(file(TREC, "topics.txt"))
    assert list(topics) == ["301", "302"]
    assert topics["301"] == (
        "Organized Crime & Trade",
        "Which organizations are meant?",
        "A document with less than < 2 names is not relevant.",
    )
    assert topics["302"] == ("Polio", "", "")


@pytest.mark.parametrize(
    "text",
    [
        '<inex_topic topic_id="7" query_type="CO"><title>sea</title>'
        "<description>Where?</description><narrative>Any <i>sea</i>.</narrative></inex_topic>",
        '<topics xmlns:c="urn:c"><c:topic lang="en"><identifier> 7 </identifier><title>sea</title>'
        "<description>Where?</description><narrative>Any sea.</narrative></c:topic></topics>",
        '<webtrack><topic number="7" type="faceted"><query>sea</query>'
        "<description>Where?</description><narr>Any sea.</narr></topic></webtrack>",
        "<topics><topic><num>7</num><EN-title>sea</EN-title><EN-desc>Where?</EN-desc>"
        "<EN-narr>Any sea.</EN-narr></topic></topics>",
    ],
)
def test_topics_in_xml_of_inex_clef_and_later_tracks(text: str, file: File) -> None:
    topics = formats.read_topics(file(f'<?xml version="1.0"?>\n{text}', "topics.xml"))
    assert topics == {"7": ("sea", "Where?", "Any sea.")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE t [<!ENTITY a "b">]><topics/>', "has a document type"),
        ("<topics><topic><title>x</title></topic></topics>", "a topic has no number"),
        ("<top><title>x</top>", "a topic has no number"),
        ("<top><num>1</top>\n<top><num>1</top>", "topic '1' stands there already"),
        ("<topics></topics>", "holds no topics"),
        ("<topics>", "is no XML"),
        ("just words", "is no XML"),
    ],
)
def test_files_that_are_none_are_refused(text: str, message: str, file: File) -> None:
    with pytest.raises(cf.FileError, match=message):
        formats.read_topics(file(text, "topics"))


def test_other_encodings_are_refused(file: File) -> None:
    path = file(TREC.replace("Polio", "Café").encode("latin-1"), "topics.txt")
    with pytest.raises(cf.FileError, match="is not UTF-8"):
        formats.read_topics(path)


@pytest.fixture
def folder(file: File, tmp_path: Path) -> Path:
    file("301 0 d1 1\n301 0 d2 0\n302 0 d1 1\n", "truth.qrels")
    file(TREC, "topics.txt")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.run").write_text("301 Q0 d1 1 0.5 a\n302 Q0 d2 1 0.5 a\n")
    return tmp_path


def test_a_collection_folder_knows_its_topics(folder: Path) -> None:
    collection = cf.read_collection(folder)
    assert collection.topics["302"].title == "Polio"
    assert collection.descriptions == {"301": "Organized Crime & Trade", "302": "Polio"}


def test_scores_of_topics_are_shown_with_their_titles(folder: Path) -> None:
    result = CliRunner().invoke(app, ["evaluate", str(folder), "-m", "topic.AP", "--per-unit"])
    assert "302  Polio" in result.stdout
    qrels, run, topics = folder / "truth.qrels", folder / "runs" / "a.run", folder / "topics.txt"
    arguments = ["evaluate", qrels, run, "-m", "topic.AP", "--per-unit", "--titles", topics]
    assert "302  Polio" in CliRunner().invoke(app, list(map(str, arguments))).stdout


def test_describe_tells_what_topics_ask_for(folder: Path) -> None:
    result = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["describe", str(folder)])
    assert result.exit_code == 0
    assert "Which organizations are meant?" in result.stdout
    assert "is not relevant." in result.stdout


def test_check_looks_at_topics_too(folder: Path) -> None:
    assert "as topics" in CliRunner().invoke(app, ["check", str(folder)]).stdout
    (folder / "topics.txt").write_text("<top><num>999<title>x</top>")
    result = CliRunner().invoke(app, ["check", str(folder)])
    assert result.exit_code == 1
    assert "none of the topics '999' is a concept of the truth" in result.stderr


def test_a_document_type_in_another_file_is_never_looked_at(file: File, tmp_path: Path) -> None:
    (tmp_path / "topic.dtd").write_text('<!ENTITY sea "lake">')
    text = (
        '<!DOCTYPE inex_topic SYSTEM "topic.dtd">\n<inex_topic topic_id="7">'
        "<title>caf&eacute; &sea;</title></inex_topic>"
    )
    assert formats.read_topics(file(text, "topics.xml"))["7"].title == "café &sea;"
