"""HTML: a result as a fragment for notebooks and pages, or as one page that works offline."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec

from cranfield.core.chart import Picture
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table
from cranfield.show.cells import ARROWS, interval, is_best, mark, number
from cranfield.show.csv import csv_text
from cranfield.show.graphics import Heat, Scale, graphic_cell, scale_of
from cranfield.show.latex import tabular
from cranfield.show.markup import NOTHING, Html, element, joined, paragraphs, shown

Pictures = Callable[[str], str]
"""From the id of an item to the address of its picture; "" where there is none."""
STYLE = """
.cf { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); --ink: #2b2f36; --faint: #6b7280;
  --line: #e4e7eb; --best: #0a7d38; --paper: #fff; color-scheme: light dark }
@media (prefers-color-scheme: dark) { .cf { --ink: #e6e8eb; --faint: #9aa3af; --line: #363b44;
  --best: #5fd38d; --paper: #16191d } }
.cf .frame { overflow-x: auto }
.cf table { border-collapse: collapse; font-variant-numeric: tabular-nums }
.cf caption { text-align: left; font-weight: 600; padding: .5rem 0 }
.cf th, .cf td { padding: .25rem .75rem; white-space: nowrap; font-weight: normal;
  text-align: left }
.cf thead th { border-bottom: 1px solid var(--faint); vertical-align: bottom; font-weight: 600 }
.cf thead small { display: block; color: var(--faint); font-weight: normal }
.cf th[scope=row] { position: sticky; left: 0; background: var(--paper) }
.cf .number { text-align: right }
.cf .ends { color: var(--faint) }
.cf .best { font-weight: 700; color: var(--best) }
.cf .faint, .cf .remark { color: var(--faint) }
.cf .strong > * { font-weight: 700 }
.cf .section > * { border-top: 1px solid var(--line) }
.cf .remark { font-size: .85em; margin: .2rem 0 }
.cf figure { margin: 1.5rem 0 }
.cf .chart { width: 100%; margin: .5rem 0; overflow-x: auto }
"""
_PAGE_STYLE = """
body.cf { margin: 0 auto; max-width: 64rem; padding: 1.5rem; background: var(--paper) }
"""
_DRAW = """
const charts = %s, dark = matchMedia('(prefers-color-scheme: dark)');
function draw() {
  for (const [id, chart] of Object.entries(charts.pictures))
    vegaEmbed('#' + id, { ...chart, config: dark.matches ? charts.dark : charts.light },
      { actions: false, renderer: 'svg' });
}
draw(); dark.addEventListener('change', draw);
"""


def no_pictures(item: str) -> str:
    """Where nobody knows of pictures."""
    return ""


def fragment(result: Result) -> str:
    """Tables and remarks with their style: for notebooks."""
    return str(element("style", Html(STYLE)) + element("div", _body(result), class_="cf"))


def page(result: Result) -> str:
    """One page that works offline, charts included."""
    title = result.title or result.name
    content = joined((element("h1", title), _body(result), _charts(result.charts)))
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{element('title', title)}{element('style', Html(STYLE + _PAGE_STYLE))}"
        f"{element('body', content, class_='cf')}</html>\n"
    )


def table_html(table: Table, *, files: bool = False, pictures: Pictures = no_pictures) -> Html:
    """A table that scrolls by itself where there is no room; its keys stay in sight.

    files     whether it hands itself out as CSV and LaTeX, where a page has a script for that
    pictures  addresses of pictures, for columns that have them
    """
    columns = table.for_people()
    best = {column.field: table.best(column) for column in columns}
    grouped = any(column.group for column in columns)
    scales = {column.field: scale_of(table, column) for column in columns if column.graphic}
    heat = Heat.of(table)
    head = joined(_heading(table, column, scales, grouped=grouped) for column in columns)
    rows = []
    for index, row in enumerate(table.rows):
        classes = [row.get(table.emphasis) or ""]
        if index and table.begins_section(index):
            classes.append("section")
        cells = joined(
            _cells(table, column, row, best[column.field], scales, heat, pictures)
            for column in columns
        )
        rows.append(element("tr", cells, class_=_classes(*classes)))
    caption = element("caption", table.title, class_="unseen" if files else None)
    grid = element(
        "table",
        caption if table.title else NOTHING,
        element("thead", element("tr", head)),
        element("tbody", joined(rows)),
        class_=_classes("heat" if heat else "", "charted" if scales else ""),
        data_sortable=files and not any(c.graphic and c.graphic.kind == "lanes" for c in columns),
        data_names=files and " ".join(column.field for column in columns if column.key),
    )
    frame = element(
        "div", grid, class_="frame", tabindex=0, role="region", aria_label=table.title or None
    )
    legend = heat.legend if heat else NOTHING
    if files:
        shade = element("div", frame, class_="shade")
        frame = element("div", _tools(table), shade, class_="table", id=f"table-{table.name}")
    return Html(legend + frame + paragraphs(table.remarks, class_="remark"))


def _tools(table: Table) -> Html:
    """The caption, and buttons for files of the table, which stand beside them."""
    content = {"csv": ("CSV", csv_text(table)), "tex": ("LaTeX", tabular(table))}
    buttons = joined(
        element("button", label, type="button", class_="file", data_file=f"{table.name}.{ending}")
        for ending, (label, _) in content.items()
    )
    held = joined(
        element("template", text, data_file=f"{table.name}.{ending}")
        for ending, (_, text) in content.items()
    )
    caption = element("span", table.title, class_="caption", aria_hidden="true")
    return element("div", caption, element("span", buttons, class_="files"), held, class_="tools")


def _body(result: Result) -> Html:
    if result.text:
        return element("pre", result.text)
    tables = joined(map(table_html, result.tables_for("people", "screens")))
    return Html(tables + paragraphs(result.notes, class_="remark"))


def _charts(charts: Sequence[Picture]) -> Html:
    if not charts:
        return NOTHING
    if find_spec("vl_convert") is None:
        return element("p", "Charts need the extra plots of cranfield.", class_="remark")
    from cranfield.show.vega import harmless, scripts, specification, theme

    pictures = {
        f"chart-{i}": harmless(specification(c, responsive=True)) for i, c in enumerate(charts)
    }
    content = {"pictures": pictures, "light": theme(), "dark": theme(dark=True)}
    # A name with "</script>" in it would end the script.
    text = json.dumps(content, allow_nan=False).replace("<", r"\u003c")
    figures = joined(map(_figure, pictures, charts))
    return joined(
        (figures, element("script", Html(scripts())), element("script", Html(_DRAW % text)))
    )


def _figure(name: str, picture: Picture) -> Html:
    caption = element(
        "figcaption",
        element("strong", picture.title),
        element("div", picture.subtitle, class_="remark") if picture.subtitle else NOTHING,
    )
    return element("figure", caption, element("div", id=name, class_="chart"))


def _heading(table: Table, column: Column, scales: Mapping[str, Scale], *, grouped: bool) -> Html:
    group = element("small", column.group or "\u00a0") if grouped else NOTHING
    drawn = NOTHING
    if column.graphic and column.graphic.kind == "lanes":
        return element("th", "\u00a0", scope="col", class_="lane")
    if column.graphic:
        drawn = element("th", scales[column.field].axis, scope="col", class_="drawn")
    text: object = f"{column.heading} {ARROWS[column.better]}".rstrip()
    if column.shade:
        text = element("span", text)
    classes = _classes(
        "" if table.is_text(column) else "number",
        "shaded" if column.shade else "",
        "name" if column.key else "",
    )
    return Html(drawn + element("th", group, text, scope="col", class_=classes))


def _cells(
    table: Table,
    column: Column,
    row: Row,
    best: float | None,
    scales: Mapping[str, Scale],
    heat: Heat | None,
    pictures: Pictures,
) -> Html:
    """The value, behind its drawing if there is one."""
    drawn = NOTHING
    if column.graphic:
        lanes = column.graphic.kind == "lanes"
        picture = graphic_cell(column, row, scales[column.field])
        drawn = element("td", picture, class_="lane" if lanes else "drawn")
        if lanes:
            return drawn
    value = row.get(column.field)
    text = number(value, column)
    if not isinstance(value, str):  # a name keeps its hyphens
        text = text.replace("-", "−")
    ends, signs = interval(row, column).replace("-", "−"), mark(row, column)
    parts = (
        text,
        element("sup", signs) if signs else NOTHING,
        element("small", f" {ends}", class_="ends") if ends else NOTHING,
    )
    kind = "" if table.is_text(column) else "number"
    if column.key:
        address = pictures(value) if column.pictured and isinstance(value, str) else ""
        name = element("span", *parts, class_="id")
        return element("th", _picture(address), name, scope="row", class_=_classes("name", kind))
    exact = repr(float(value)) if isinstance(value, float) and math.isfinite(value) else None
    highlighted = "best" if is_best(column, row, best) else ""
    shade = heat.level(value) if heat and column.shade else ""
    classes = _classes(kind, highlighted, shade)
    return Html(drawn + element("td", *parts, class_=classes, title=exact))


def _picture(address: str) -> Html:
    """A small picture that leads to the whole of it; "" where there is none."""
    if not address:
        return NOTHING
    small = Html(f'<img src="{shown(address)}" alt="" loading="lazy">')
    return element("a", small, href=address, class_="picture", rel="noreferrer")


def _classes(*names: str) -> str | None:
    return " ".join(filter(None, names)) or None
