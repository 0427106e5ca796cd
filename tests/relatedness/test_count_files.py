"""Counts on disk: word, other, count."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats.relatedness import read_counts
from cranfield.knowledge.relatedness import Distributional

File = Callable[..., Path]

COUNTS = "word,other,count\n,,1000\nsky,,100\nsea,,50\nsea,sky,25\nstill life,,10\n"


def test_counts_of_a_file_give_the_relatedness(file: File) -> None:
    source = Distributional(read_counts(file(COUNTS, "flickr.csv")))
    distance = (math.log(100) - math.log(25)) / (math.log(1000) - math.log(50))
    related = source.matrix(["Sky", "sea", "still_life"])
    assert source.name == "flickr"
    assert related.map.values[0, 1] == pytest.approx(math.exp(-2 * distance))
    assert related.map.provenance.counts == {"documents": 1000, "words": 3}
    assert related.coverage.unknown == ()
    assert related.coverage.unrelated == 2


def test_there_may_be_more_documents_than_64_bits_can_count(file: File) -> None:
    content = COUNTS.replace("1000", "20000000000000000000")
    distance = (math.log(100) - math.log(25)) / (math.log(2e19) - math.log(50))
    related = Distributional(read_counts(file(content, "flickr.csv"))).relatedness("sky", "sea")
    assert related == pytest.approx(math.exp(-2 * distance))


def test_order_and_separator_do_not_matter(file: File) -> None:
    mixed = "word\tother\tcount\nsea\tsky\t25\n\tsea\t50\n\nsky\t\t100\n"
    one = Distributional(read_counts(file(COUNTS, "a.csv")))
    other = Distributional(read_counts(file(mixed, "b.tsv"), documents=1000))
    assert one.relatedness("sky", "sea") == other.relatedness("sky", "sea")


def test_a_folder_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="this is a folder; name one file of counts"):
        read_counts(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("word,count\nsky,1\n", ":1: the header is 'word,count'; write word,other,count"),
        ("word,other,count\nsky,,1\n", "the number of all documents is missing"),
        ("word,other,count\n,,10\nsky,,-1\n", ":3: '-1' is no count"),
        ("word,other,count\n,,10\nsky,,1.5\n", ":3: '1.5' is no count"),
        ("word,other,count\n,,10\nsky,,\n", ":3: '' is no count"),
        (f"word,other,count\n,,10\nsky,,{'9' * 5000}\n", ":3: '9+.* is no count"),
        ("word,other,count\n,,10\nsky,,²\n", ":3: '²' is no count"),
        ("word,other,count\n,,10\nsky,,1\nsky,,1\n", ":4: this was counted on line 3 already"),
        ("word,other,count\n,,10\n,,10\n", ":3: this was counted on line 2 already"),
        ("word,other,count\n,,10\nsky,sky,1\n", ":3: 'sky' stands beside itself"),
        ("word,other,count\n,,10\nsky,sea,1\n", ":3: 'sea' and 'sky' in 1 document, but nobody"),
        ("word,other,count\na,b,3\n,,9\na,,2\nb,,4\n", ":2: .*but 'a' is in 2 only"),
        ("word,other,count\n,,10\nsky,,11\n", ":3: 'sky' in 11 documents, but there are only 10"),
        ("word,other,count\n,,10\nsky,1\n", ":3: 2 fields, where the header has 3"),
        (b"word,other,count\n,,10\nsk\xff,,1\n", ":3: .*not UTF-8"),
        ("\n", "the number of all documents is missing"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(file: File, content: bytes | str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        read_counts(file(content, "counts.csv"))
