"""Milne & Witten's relatedness over links, held against sets of pages."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.formats.relatedness import LinkFile
from cranfield.knowledge.relatedness import LinkCounts, MilneWitten

File = Callable[..., Path]


def literal(links: list[tuple[str, str]], a: str, b: str, pages: int) -> float:
    one = {source for source, target in links if target == a}
    other = {source for source, target in links if target == b}
    if not one or not other:
        return math.nan
    if not one & other:
        return 0.0
    top = math.log(max(len(one), len(other))) - math.log(len(one & other))
    return max(0.0, 1 - top / (math.log(pages) - math.log(min(len(one), len(other)))))


def test_relatedness_is_the_formula_over_pages_that_link_to_both(file: File) -> None:
    rng = np.random.default_rng(3)
    titles = ["Sky", "Sea", "Still life", *(f"Page {i}" for i in range(40))]
    links = [(str(rng.choice(titles)), str(rng.choice(titles))) for _ in range(900)]
    text = "".join(f"{source}\t{target}\n" for source, target in links)
    source = MilneWitten(LinkCounts(LinkFile(file(text.replace(" ", "_"), "wiki.tsv"))))
    pages = len({title for link in links for title in link})
    table = source.table(["sky", "Sea", "still life", "nowhere"])
    for i, one in enumerate(titles[:3]):
        for j, other in enumerate(titles[:3]):
            expected = 1.0 if i == j else literal(links, one, other, pages)
            assert table[i, j] == pytest.approx(expected)
    assert np.isnan(table[3]).all()
    assert source.provenance.counts["pages"] == pages


def test_the_number_of_pages_may_be_given(file: File) -> None:
    links = [("a", "x"), ("b", "x"), ("b", "y"), ("c", "y")]
    path = file("".join(f"{source}\t{target}\n" for source, target in links))
    source = MilneWitten(LinkCounts(LinkFile(path), pages=1000))
    assert source.relatedness("x", "y") == pytest.approx(literal(links, "x", "y", 1000))


def test_a_link_that_stands_twice_counts_once(file: File) -> None:
    path = file("a\tx\na\tx\na\ty\nb\ty\n")
    counted = LinkCounts(LinkFile(path)).count(["x", "y"])
    assert counted.together.tolist() == [[1, 1], [1, 2]]


def test_blank_lines_and_blanks_around_titles_do_not_count(file: File) -> None:
    path = file("a\tx\n\n b \t x\n  \n")
    assert LinkCounts(LinkFile(path)).count(["x"]).alone.tolist() == [2]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a\tb\nc\n", ":2: 'c' is no link; write a title, one tab"),
        ("a\tb\nc\td\te\n", ":2: .*is no link"),
        ("a\tb\n\tc\n", ":2: .*is no link"),
        ("a\tb\nc\t\n", ":2: .*is no link"),
        ("\ta\nb\tc\n", ":1: .*is no link"),
        (b"a\tb\nc\t\xe4\n", ":2: .*not UTF-8"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(file: File, content: bytes | str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        LinkCounts(LinkFile(file(content))).count(["x"])


@pytest.mark.parametrize("word", ["x", "nowhere"])
def test_more_pages_than_there_are_said_to_be_are_refused(file: File, word: str) -> None:
    path = file("a\tx\nb\tx\nc\ty\nc\tz\n", "wiki.tsv")
    with pytest.raises(cf.InputError, match="wiki has links between 6 pages or more, but pages=2"):
        LinkCounts(LinkFile(path), pages=2).count([word])
