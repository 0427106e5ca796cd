"""Corpora on disk: lines, columns of CSV and TSV, Parquet; gzip and xz; what can be wrong."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.formats import source
from cranfield.formats.relatedness import CorpusFile
from cranfield.knowledge.relatedness import CorpusCounts

File = Callable[..., Path]

CAPTIONS = """image,title,caption
p1,Sea,"A dog, running"
p2,,The sky
p1,Sky,A cat
"""


def counted(corpus: CorpusFile, *words: str) -> tuple[int, list[int]]:
    found = CorpusCounts(corpus).count(words)
    return found.documents, found.alone.astype(int).tolist()


# ── what is a document ────────────────────────────────────────────────────────────────────────


def test_every_line_is_a_document_unless_it_is_blank(file: File) -> None:
    path = file("sky and sea\n\n  \nsky\nsea\n\n")
    assert counted(CorpusFile(path), "sky", "sea") == (3, [2, 2])


def test_the_last_line_needs_no_end_and_line_ends_are_of_any_kind(file: File) -> None:
    path = file(b"\xef\xbb\xbfsky\r\nsea\rsky")
    assert counted(CorpusFile(path), "sky", "sea") == (3, [2, 1])


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_corpora_may_be_packed(file: File, pack: Callable[[bytes], bytes]) -> None:
    path = file(pack(b"sky\nsea\n" * 1000), "captions.txt.z")
    assert counted(CorpusFile(path), "sky") == (2000, [1000])


def test_a_corpus_of_many_blocks_is_counted_whole(file: File) -> None:
    path = file(b"the sky is over the sea\n" * 200_000)
    assert counted(CorpusFile(path), "sky", "sea") == (200_000, [200_000, 200_000])


# ── columns ───────────────────────────────────────────────────────────────────────────────────


def test_columns_say_what_is_looked_through(file: File) -> None:
    path = file(CAPTIONS, "photos.csv")
    words = ("dog", "sky", "sea")
    assert counted(CorpusFile(path, columns=["caption"]), *words) == (3, [1, 1, 0])
    assert counted(CorpusFile(path, columns=["title", "caption"]), *words) == (3, [1, 2, 1])
    assert CorpusFile(path, columns=["caption"]).name == "photos"


def test_captions_of_one_image_are_one_document_if_told(file: File) -> None:
    corpus = CorpusFile(file(CAPTIONS, "photos.csv"), columns=["caption"], by="image")
    found = CorpusCounts(corpus).count(["dog", "cat", "sky"])
    assert found.documents == 2
    assert found.together[0, 1] == 1
    assert found.provenance.counts == {"documents": 2, "texts": 3, "words": 3}


def test_columns_are_numbered_where_there_is_no_header(file: File) -> None:
    path = file('1.jpg#0\tA dog .\n1.jpg#1\tA "cat\n2.jpg#0\tA dog\n')
    assert counted(CorpusFile(path, columns=[2]), "dog", "cat") == (3, [2, 1])
    assert counted(CorpusFile(path, columns=["2"], by=1), "dog", "cat") == (2, [2, 1])


def test_a_phrase_goes_over_a_line_end_in_a_field_but_not_from_one_column_to_another(
    file: File,
) -> None:
    path = file('a,b\nstill,life\n"still\nlife",x\n', "c.csv")
    assert counted(CorpusFile(path, columns=["a", "b"]), "still life", "still") == (2, [1, 2])


def test_a_row_without_text_is_a_document(file: File) -> None:
    path = file("image,tags\np1,\np2,sky\n", "c.csv")
    assert counted(CorpusFile(path, columns=["tags"]), "sky") == (2, [1])


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("by", [None, "image"])
def test_rows_count_alike_whether_they_are_plain_or_not(
    file: File, separator: str, by: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_BLOCK", 1 << 16)
    rng = np.random.default_rng(5)
    words = np.array(["still", "life", "sky", "", "öl", "sea party"])
    rows = [[f"p{i % 999}#{i}", *rng.choice(words, 3)] for i in range(9_000)]
    lines = [separator.join(row) for row in [["image", "a", "b", "c"], *rows]]
    plain = file("\n".join(lines), "plain")
    # A blank line in each block makes Python read all of its rows.
    odd = file(
        "\n".join(f"{line}\n" if i % 500 == 0 else line for i, line in enumerate(lines)), "odd"
    )
    asked = ["still", "life", "still life", "sky", "öl", "sea party"]
    for columns in (["a"], ["c", "a"], ["b", "c"], ["a", "b", "c"]):
        one, other = (
            CorpusCounts(CorpusFile(path, columns=columns, by=by)).count(asked)
            for path in (plain, odd)
        )
        assert one.documents == other.documents == (9_000 if by is None else 999)
        assert np.array_equal(one.together, other.together)
        assert one.alone[2] == 0, "no phrase goes from one column to the next"


# ── Parquet ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "photos.parquet"
    pl.DataFrame(
        {
            "image": [7, 7, 8],
            "tags": ["still", None, "Sky; sea"],
            "^title$": ["life", "a\nsky", None],
            "views": [1.0, 2.0, 3.0],
        }
    ).write_parquet(path, row_group_size=2)
    return path


def test_columns_of_parquet_are_texts(parquet: Path) -> None:
    words = ("sky", "still life", "sea")
    assert counted(CorpusFile(parquet, columns=["tags"]), *words) == (3, [1, 0, 1])
    both = CorpusFile(parquet, columns=["tags", "^title$"])
    assert counted(both, *words) == (3, [2, 0, 1])
    assert counted(CorpusFile(parquet, columns=["^title$"], by="image"), *words) == (2, [1, 0, 0])


@pytest.mark.parametrize(
    ("columns", "by", "said"),
    [
        (["caption"], None, "there is no column 'caption', only 'image', 'tags'"),
        (["views"], None, "column 'views' holds no text"),
        (["tags"], "views", "column 'views' holds Float64; ids are text or whole"),
        ([], None, "say which columns hold the texts"),
    ],
)
def test_columns_of_parquet_must_be_there_and_hold_text(
    parquet: Path, columns: list[str], by: str | None, said: str
) -> None:
    with pytest.raises(cf.FileError, match=said):
        counted(CorpusFile(parquet, columns=columns, by=by), "sky")


def test_a_row_of_parquet_needs_the_name_of_its_document(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    pl.DataFrame({"image": ["a", None], "tags": ["x", "y"]}).write_parquet(path)
    with pytest.raises(cf.FileError, match=r":2: the 'image' is missing"):
        counted(CorpusFile(path, columns=["tags"], by="image"), "x")


def test_broken_parquet_is_named(file: File) -> None:
    path = file(b"PAR1" + bytes(100), "c.parquet")
    with pytest.raises(cf.FileError, match="Parquet"):
        counted(CorpusFile(path, columns=["tags"]), "sky")


# ── what can be wrong ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "columns", "by", "said"),
    [
        ("a,b\n1,2\n", ["c"], None, ":1: there is no column 'c'; the header has 'a', 'b'"),
        ("a,b\n1,2\n", [3], None, ":1: there is no column 3; the first line has 2 fields"),
        ("a,b\n1,2\n", [0], None, ":1: there is no column 0"),
        ("a,b\n1,2\n\n1,2,3\n", ["b"], None, ":4: 3 fields, where the header has 2; quote"),
        ("a\tb\n1\n", ["b"], None, ":2: 1 field, where the header has 2; write a tab"),
        ("1\tb\n1\n", [2], None, ":2: 1 field, where the first line has 2"),
        ('a,b\n"x\ny",1\n"z"z,1\n', ["b"], None, ":4: this is no CSV"),
        ('a,b\n"x,1\n', ["b"], None, ":2: this is no CSV"),
        ("a,b\n1,2\n ,3\n", ["b"], "a", ":3: column 'a' is empty; name the document"),
        (b"sky\nse\xff\n", [], None, r":2: 'se\\xff': not UTF-8"),
        (b"sky\n\nse\0a\n", [], None, ":3: .*NUL byte"),
        ("sky\n".encode("utf-16"), [], None, ":1: the text is UTF-16"),
        (b"", [], None, "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    file: File, content: bytes | str, columns: list[str | int], by: str | None, said: str
) -> None:
    with pytest.raises(cf.FileError, match=said):
        counted(CorpusFile(file(content), columns=columns, by=by), "sky")


def test_a_wrong_byte_far_into_a_file_is_found_on_its_line(file: File) -> None:
    path = file(b"sky\n" * 700_000 + b"\x80\n")
    with pytest.raises(cf.FileError, match=r":700001: .*not UTF-8"):
        counted(CorpusFile(path), "sky")


def test_a_document_without_a_name_far_into_a_file_is_found_on_its_line(file: File) -> None:
    path = file("by\ttext\n" + "a\tsky\n" * 500_000 + " \tsky\n")
    with pytest.raises(cf.FileError, match=r":500002: column 'by' is empty"):
        counted(CorpusFile(path, columns=["text"], by="by"), "sky")


def test_a_corpus_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="no such file"):
        CorpusFile(tmp_path / "none.txt")
    with pytest.raises(cf.FileError, match="this is a folder"):
        CorpusFile(tmp_path)


def test_documents_need_columns(file: File) -> None:
    with pytest.raises(cf.InputError, match="needs columns="):
        CorpusFile(file("x\n"), by="image")


def test_columns_by_number_take_the_first_line_for_a_text(file: File) -> None:
    path = file("id,sky\n1,sea\n", "photos.csv")
    assert counted(CorpusFile(path, columns=["2"]), "sky", "sea") == (2, [1, 1])
    assert counted(CorpusFile(path, columns=["sky"]), "sky", "sea") == (1, [0, 1])
