"""Files whose items are the truth's in its order, nearly so, or not at all: the same runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.formats import source

Write = Callable[..., Path]

ITEMS = [f"item{place}" for place in range(6)]


@pytest.fixture
def six() -> cf.Truth:
    return cf.Truth(np.eye(6, 2, dtype=bool), items=ITEMS, concepts=["cat", "dog"])


@pytest.fixture(params=[1, 1 << 20], ids=["line by line", "at once"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_BLOCK", request.param)


def lines(order: list[int]) -> str:
    return "".join(f"{ITEMS[place]} 0.{place} 0.5\n" for place in order)


@pytest.mark.usefixtures("block", "parser")
@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [0, 1, 2, 4, 3, 5], [5, 4, 3, 2, 1, 0]])
def test_items_have_their_own_scores_in_any_order(
    file: Write, six: cf.Truth, order: list[int]
) -> None:
    run = cf.read_run(file(lines(order)), six)
    assert run.items == tuple(ITEMS[place] for place in order)
    assert run.scores[:, 0].tolist() == [place / 10 for place in order]


@pytest.mark.usefixtures("block", "parser")
def test_items_in_the_order_of_the_truth_are_not_named_anew(file: Write, six: cf.Truth) -> None:
    text, table = lines([0, 1, 2, 3, 4, 5]), "item,cat,dog\n"
    assert cf.read_run(file(text), six).item_axis.ids is six.item_axis.ids
    run = cf.read_run(file(table + text.replace(" ", ","), name="run.csv"), six)
    assert run.item_axis.ids is six.item_axis.ids


@pytest.mark.usefixtures("block", "parser")
def test_a_run_may_end_before_the_truth(file: Write, six: cf.Truth) -> None:
    assert cf.read_run(file(lines([0, 1, 2])), six).items == tuple(ITEMS[:3])


@pytest.mark.usefixtures("block", "parser")
def test_an_item_that_comes_again_is_told_with_both_lines(file: Write, six: cf.Truth) -> None:
    with pytest.raises(cf.FileError, match="item 'item1' stands on line 2 already") as told:
        cf.read_run(file(lines([0, 1, 2, 3, 4, 5, 1])), six)
    assert told.value.line == 7


@pytest.mark.usefixtures("block", "parser")
def test_a_foreign_item_behind_all_others_is_told_with_its_line(file: Write, six: cf.Truth) -> None:
    with pytest.raises(cf.FileError, match="stranger") as told:
        cf.read_run(file(lines([0, 1, 2, 3, 4, 5]) + "stranger 0.1 0.2\n"), six)
    assert told.value.line == 7
