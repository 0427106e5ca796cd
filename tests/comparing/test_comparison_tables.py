"""Tables of comparisons: letters, superscripts, and remarks."""

from __future__ import annotations

import csv
import io

import pytest

import cranfield as cf
from cranfield.show import rendered
from cranfield.statistics.comparing.tournament import letter, letters


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (0, 25, 26, 51, 52, 701, 702)] == [
        *("a", "z", "aa", "az", "ba", "zz", "aaa")
    ]


def test_stretches_of_letters_are_written_short() -> None:
    assert letters([0, 2, 3, 5, 6, 7, 8]) == "a,c,d,f–i"
    assert letters([]) == ""


def test_superscripts_name_the_beaten(six: cf.Evaluation) -> None:
    found = cf.compare(six, "concept.AP")
    for run in found.runs:
        wanted = [found.runs.index(lost) for lost in found.beaten(0.05)[run]]
        assert found.letters_of_beaten(run) == letters(wanted)
    assert found.letters_of_beaten("a1") == "b–f"
    assert found.letters_of_beaten("e") == ""


def test_latex_shows_letters_as_superscripts(six: cf.Evaluation) -> None:
    page = rendered(cf.compare(six, "concept.AP").result, "latex")
    first = page.splitlines()[9]
    assert first.startswith(r"a & a1 & \textbf{0.")
    assert first.endswith(r"}\textsuperscript{b--f} \\")
    assert r"b\&1 & 0." in page
    assert "|compare(test=randomisation,correction=max_t,resample=items" in page


def test_csv_has_a_line_for_each_pair(six: cf.Evaluation) -> None:
    found = cf.compare(six, "concept.AP")
    rows = list(csv.DictReader(io.StringIO(rendered(found.result, "csv"))))
    assert len(rows) == 15
    assert float(rows[0]["adjusted"]) == found.pairs[0].adjusted
    assert rows[0]["a_better"] == ""  # no scores of single items


def test_remarks_tell_what_was_done(six: cf.Evaluation) -> None:
    found = cf.compare(six, "example.F", test="t", correction="none", alpha=0.01)
    said = found.result.remarks
    assert said[0] == (
        "t test over 150 items; p-values corrected by nothing for 15 pairs, α = 0.01"
    )
    few = cf.compare(six, "example.F", correction="holm", samples=200).result.remarks
    assert few[-1].startswith("no pair of 15 can reach 0.05 by Holm")


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_levels_lie_between_0_and_1(six: cf.Evaluation, alpha: float) -> None:
    with pytest.raises(cf.InputError, match="give alpha="):
        cf.compare(six, "example.F", test="t", alpha=alpha)
