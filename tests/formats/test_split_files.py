"""Files of splits and groups: read, written, and what is wrong with them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.formats.splits import read_groups, read_splits, write_splits

Write = Callable[..., Path]
ITEMS = ("a", "b", "c")


def test_every_item_has_its_part(file: Write) -> None:
    path = file("item,split\na,train\nc,test\nb,train\n")
    assert read_splits(path, ITEMS) == {"a": "train", "c": "test", "b": "train"}


@pytest.mark.parametrize(
    "text",
    [
        "Item\tSplit\na\ttrain\nb\ttest\nc\ttrain\n",
        '\n item , split\n"a","train"\r\nb,test\r\n\r\nc,  train',
        "\ufeffitem,split\na,train\nb,test\nc,train\n",
    ],
)
def test_spelling_does_not_matter(file: Write, text: str) -> None:
    assert read_splits(file(text), ITEMS) == {"a": "train", "b": "test", "c": "train"}


def test_groups_are_read_alike(file: Write) -> None:
    assert read_groups(file("item,group\na,7\nb,7\nc,8\n"), ITEMS) == {"a": "7", "b": "7", "c": "8"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,part\na,train\n", ":1: the header is 'item,part'; write item,split"),
        ("a,train\nb,test\n", ":1: the header is 'a,train'; write item,split"),
        (
            "item,split\na,train\nz,test\nb,test\n",
            ":3: item 'z' is not in the truth; remove it, or check that the ids are written alike",
        ),
        (
            "item,split\na,train\nb,test\na,test\n",
            ":4: item 'a' stands on line 2 already; keep one of the two lines",
        ),
        ("item,split\na,train\n", ": 2 items without a split: 'b', 'c'; add a line for each"),
        ("item,split\na,train\nb\nc,test\n", ":3: item 'b' has 0 values; expected item,split"),
        ("item,split\na,train,test\n", ":2: item 'a' has 1 value; expected item,split"),
        ('item,split\na,"train\n', ":2: a double quote stands alone"),
        ("item,split\n", ": there are no lines"),
        ("", ": the file is empty"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file: Write, text: str, message: str) -> None:
    path = file(text)
    with pytest.raises(cf.FileError) as caught:
        read_splits(path, ITEMS)
    assert f"{path}{message}" in str(caught.value)


def test_a_group_that_is_missing_is_called_one(file: Write) -> None:
    with pytest.raises(cf.FileError, match="2 items without a group: 'b', 'c'"):
        read_groups(file("item,group\na,1\n"), ITEMS)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="there is no such file"):
        read_splits(tmp_path / "none.csv", ITEMS)


@given(
    by_item=st.dictionaries(
        st.text(
            st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\0"), min_size=1
        ),
        st.sampled_from(["train", "a, b", 'say "so"', "two\nlines", " blank "]),
        min_size=1,
    ),
    ending=st.sampled_from([".csv", ".tsv", ".csv.gz"]),
)
def test_what_is_written_is_read(
    by_item: dict[str, str], ending: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("splits") / f"splits{ending}"
    write_splits(by_item, path)
    assert read_splits(path, by_item) == by_item


def test_the_ending_says_how_to_write(tmp_path: Path) -> None:
    write_splits({"a": "train"}, tmp_path / "s.tsv")
    assert (tmp_path / "s.tsv").read_text() == "item\tsplit\na\ttrain\n"
    write_splits({"a": "train"}, tmp_path / "s.csv.gz")
    assert gzip.decompress((tmp_path / "s.csv.gz").read_bytes()) == b"item,split\na,train\n"


def test_a_split_made_here_is_read_back(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0], [0, 1], [1, 1], [0, 0]], items=list("abcd"))
    split = cf.split(truth, [0.5, 0.5])
    write_splits(split.by_item, tmp_path / "splits.csv")
    assert read_splits(tmp_path / "splits.csv", truth.items) == split.by_item
