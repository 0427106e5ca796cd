"""Tables: what programs read, what people see, and how nothing is lost on the way to a file."""

from __future__ import annotations

import json
import math

import pytest

from cranfield.core.result import Result
from cranfield.core.table import Column, Graphic, Table, pivot, square
from cranfield.show import rendered
from cranfield.show.csv import csv_text
from cranfield.show.html import table_html
from cranfield.show.latex import float_table, tabular
from cranfield.show.terminal import plain_text

ROWS = [
    {"run": "a", "score": 0.25, "low": 0.2, "high": 0.3, "p": 0.0001, "_mark": "*"},
    {"run": "b-2", "score": math.nan, "low": math.nan, "high": math.nan, "p": 0.5, "_mark": ""},
    {"run": "c", "score": math.inf, "low": -1.0, "high": math.inf, "p": 0.05, "_mark": ""},
]
COLUMNS = (
    Column("run", key=True),
    Column("score", better="higher", interval=("low", "high"), mark="_mark"),
    Column("p", kind="p"),
)
TABLE = Table("runs", ROWS, COLUMNS)


def text(table: Table, width: int = 100) -> str:
    return plain_text(Result("r", tables=(table,)), width)


def test_programs_read_every_field_but_marks() -> None:
    assert csv_text(TABLE) == (
        "run,score,low,high,p\na,0.25,0.2,0.3,0.0001\nb-2,,,,0.5\nc,,-1.0,,0.05\n"
    )


def test_people_see_undefined_infinite_and_tiny_values_as_signs() -> None:
    shown = text(TABLE)
    assert "0.250* [0.200, 0.300]" in shown
    assert "–" in shown
    assert "∞" in shown
    assert "<0.001" in shown


def test_the_best_value_stands_out_in_papers_without_its_interval() -> None:
    rows = [{"run": "a", "s": 0.5, "l": 0.4, "h": 0.6}, {"run": "b", "s": 0.7, "l": 0.6, "h": 0.8}]
    table = Table("t", rows, (Column("run"), Column("s", better="higher", interval=("l", "h"))))
    assert r"b & \textbf{0.700} {[}0.600, 0.800] \\" in tabular(table)


def test_a_float_has_caption_and_label() -> None:
    table = Table("scores", [{"a": 1}], caption="Scores of 5 % of runs")
    assert "\\caption{Scores of 5 \\% of runs}\n\\label{tab:scores}" in float_table(table)
    assert rendered(Result("r", tables=(table,)), "latex") == float_table(table)


def test_sections_are_ruled_off_in_papers_and_faint_rows_are_never_best() -> None:
    rows = [
        {"run": "a", "s": 0.5, "_part": "", "_look": ""},
        {"run": "perfect", "s": 1.0, "_part": "references", "_look": "faint"},
    ]
    columns = (Column("run"), Column("s", better="higher"))
    table = Table("t", rows, columns, section="_part", emphasis="_look")
    assert "a & \\textbf{0.500} \\\\\n\\midrule\nperfect & 1.000 \\\\" in tabular(table)


def test_letters_are_raised_or_stand_apart_from_digits() -> None:
    rows = [{"run": "a", "s": 0.5, "_beats": "b,c"}, {"run": "b", "s": 0.25, "_beats": ""}]
    table = Table("t", rows, (Column("run"), Column("s", mark="_beats")))
    assert "0.500 b,c" in text(table)
    assert "| 0.500<sup>b,c</sup> |" in rendered(Result("r", tables=(table,)), "markdown")
    assert r"\begin{tabular}{ll}" in tabular(table)  # else superscripts push digits apart


@pytest.mark.parametrize("width", [20, 30, 40, 60, 80, 120])
def test_no_cell_is_lost_at_any_width(width: int) -> None:
    names = [f"measure{n}" for n in range(9)]
    rows = [{"run": f"system-{r}"} | {n: r + i / 7 for i, n in enumerate(names)} for r in range(3)]
    shown = text(Table("t", rows), width)
    assert max(map(len, shown.splitlines())) <= width
    for row in rows:
        for name in names:
            assert f"{row[name]:.3f}" in shown
    assert all(name in shown for name in names)


def test_a_long_key_is_folded_and_not_cut() -> None:
    name = "abcdefghijklmnopqrstuvwxyz" * 3
    shown = text(Table("t", [{"run": name, "score": 0.5}]), 40)
    joined = "".join(line.split("0.500")[0].strip() for line in shown.splitlines()[3:])
    assert name in joined


def test_numbers_stand_below_each_other_with_and_without_marks() -> None:
    lines = text(Table("t", [*ROWS[:1], {**ROWS[0], "_mark": ""}], COLUMNS[:2])).splitlines()
    cells = [line for line in lines if "0.250" in line]
    assert cells[0].index("0.250") == cells[1].index("0.250")


def test_a_section_is_named_once() -> None:
    rows = [{"part": part, "n": n} for part in ("x", "y") for n in (1, 2)]
    shown = text(Table("t", rows, section="part"))
    assert shown.count("x") == 1
    assert shown.count("y") == 1


def test_pages_escape_names_and_keep_hyphens_of_names() -> None:
    shown = table_html(Table("t", [{"run": "<b>-1", "score": -0.5}]))
    assert "&lt;b&gt;-1" in shown
    assert "−0.500" in shown


def test_nothing_in_a_name_is_obeyed_by_terminals_papers_or_pages() -> None:
    name = "\x1b[31mred\r\n\u202eabc"
    table = Table(name, [{name: name, "n": 1}], title=name, remarks=(name,))
    for shown in (text(table), tabular(table), table_html(table)):
        assert not {"\x1b", "\r", "\u202e"} & set(shown)
        assert "\\x1b" in shown.replace(r"\textbackslash{}", "\\")


def test_a_table_survives_json() -> None:
    content = json.loads(json.dumps(TABLE.to_dict(), allow_nan=False))
    again = Table.from_dict(content)
    assert again.columns == list(COLUMNS)
    assert repr(again.rows) == repr(ROWS)  # NaN equals nothing but itself written


def test_an_empty_table_keeps_its_header() -> None:
    assert csv_text(Table("t", [], COLUMNS)) == "run,score,p\n"


def test_pivot_makes_wide_rows_of_long_ones() -> None:
    rows = [
        {"run": run, "measure": m, "score": s, "_star": "*" if s > 1 else ""}
        for run, m, s in (("a", "AP", 1.0), ("a", "EER", 2.0), ("b", "AP", 3.0))
    ]
    wide = pivot(
        rows,
        "run",
        "measure",
        Column("score", mark="_star", better="higher"),
        {"EER": {"better": "lower"}},
    )
    assert [column.field for column in wide.columns] == ["run", "AP", "EER"]
    assert [column.better for column in wide.columns] == ["", "higher", "lower"]
    assert wide.rows[0] == {"run": "a", "AP": 1.0, "_AP star": "", "EER": 2.0, "_EER star": "*"}
    assert Table("t", *wide).fields == ["run", "AP", "EER"]


def test_long_texts_are_folded_between_words_and_nothing_is_lost() -> None:
    words = " ".join(f"word{n}" for n in range(40))
    table = Table("t", [{"item": "a", "rule": words, "count": 3, "other": words[::-1]}])
    text = plain_text(Result("r", tables=[table]), width=80)
    assert max(map(len, text.splitlines())) <= 80
    shown = text.split()
    assert all(word in shown for word in (*words.split(), *words[::-1].split(), "3"))


def test_headings_fold_before_a_table_is_continued_below() -> None:
    fields = ("mean ranking_loss", "best of each", "share")
    columns = (Column("run", key=True), *(Column(field, field) for field in fields))
    table = Table("t", [{"run": "alpha"} | dict.fromkeys(fields, 0.5)], columns)
    assert "  run    mean ranking_loss  best of each  share" in text(table, 50).splitlines()
    narrow = text(table, 33)
    assert narrow.splitlines()[1:4] == [
        "             mean",
        "         ranking_  best of",
        "  run        loss     each  share",
    ]
    assert narrow.count("alpha") == 1
    assert text(table, 20).count("0.500") == 3


def test_bars_and_intervals_are_drawn_in_letters_and_on_pages() -> None:
    rows = [{"run": "a", "share": 0.5, "score": 0.75, "low": 0.5, "high": 1.0}]
    rows.append({"run": "b", "share": 1.0, "score": 0.0, "low": 0.0, "high": 0.25})
    columns = (
        Column("run", key=True),
        Column("share", digits=1, graphic=Graphic("bar", domain=(0, 1), letters=4)),
        Column("score", digits=2, graphic=Graphic("interval", ("low", "high"), letters=5)),
    )
    table = Table("t", rows, columns)
    assert "  a    ██    0.5    ─●─  0.75" in text(table).splitlines()
    assert "  b    ████  1.0  ●─     0.00" in text(table).splitlines()
    assert table_html(table).count('class="bar"') == 2
    assert table_html(table).count('class="dot"') == 2


def test_markdown_has_a_line_for_each_row_and_obeys_no_name() -> None:
    rows = [{"run": "a|b_c_ *x*", "s": 0.5}, {"run": "<i>", "s": math.nan}]
    table = Table("t", rows, (Column("run"), Column("s", better="higher")), title="Scores")
    shown = rendered(Result("r", tables=(table,), remarks=("see `x`",)), "markdown")
    assert shown == (
        "**Scores**\n\n| run | s ↑ |\n| --- | --: |\n| a\\|b_c\\_ \\*x\\* | **0.500** |\n"
        "| \\<i\\> | – |\n\nsee \\`x\\`\n"
    )


def test_a_square_table_numbers_its_columns_and_hides_its_diagonal() -> None:
    values = [[1.0, 0.25, math.nan], [0.25, 1.0, -0.5], [math.nan, -0.5, 1.0]]
    marks = [["", "≈", ""], ["≈", "", ""], ["", "", ""]]
    table = square("t", ["AP", "F", "EER"], values, marks=marks, title="τ")
    lines = [line.split() for line in text(table).splitlines() if line.strip()]
    assert lines[1] == ["#", "1", "2", "3"]
    assert lines[3:] == [
        ["1", "AP", "·", "0.250≈", "–"],
        ["2", "F", "0.250≈", "·", "-0.500"],
        ["3", "EER", "–", "-0.500", "·"],
    ]
