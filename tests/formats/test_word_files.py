"""Files of words and of judged pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats.two_columns import read_judgements, read_words


def test_a_concept_may_have_several_words(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("concept,word\nSnow,snow\nSnow,skiing#n#1\nSky,sky\n")
    assert read_words(path) == {"Snow": ("snow", "skiing#n#1"), "Sky": ("sky",)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,concept\nsnow,Snow\n", ":1: the header is .* write concept,word"),
        ("concept,word\nSnow\n", ":2: concept 'Snow' .*concept,word on each line"),
        ("concept,word\nSnow,\n", ":2: "),
        ("concept,word\n", "add one line for each concept"),
    ],
)
def test_bad_words_are_errors_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "words.csv"
    path.write_text(text)
    with pytest.raises(cf.FileError, match=message):
        read_words(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("car\tauto\tmuch\n", ":1: "),
        ("car\tauto\tmuch\ncar\tbus\tlittle\n", ":1: 'car' and 'auto': 'much' is not a number"),
        ("car\tauto\t3,9\ncar\tbus\t2\n", ":1: .*has a decimal comma"),
        ("car\tauto\tnan\ncar\tbus\t2\n", ":1: .*'nan' is not a number"),
        ("one\tother\tscore\ncar\tbus\tx\n", ":2: .*'x' is not a number"),
        ("car\tauto\tnan\n", ":1: "),
        ("car\tauto\t\n", ":1: there is no score"),
        ("car\tauto\n", ":1: pair 'car' .*two words and one score"),
        ("car\n", ":1: pair .car. has 0 values"),
        ("word\tother\tscore\n", "add one line for each pair"),
    ],
)
def test_bad_judgements_are_errors_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(text)
    with pytest.raises(cf.FileError, match=message):
        read_judgements(path)


@pytest.mark.parametrize("header", ["word1 word2 SimLex999", "a b Human", "w v score"])
def test_a_first_line_that_ends_with_a_word_is_a_header(tmp_path: Path, header: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(f"{header}\ncar auto 3.92\n")
    assert read_judgements(path) == [("car", "auto", 3.92)]
