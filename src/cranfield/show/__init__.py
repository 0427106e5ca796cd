"""Show: renderers of a `Result`. A result goes in, text or a file comes out; nothing is computed.

cells      a value as people read it
terminal   tables as wide as the terminal allows; wider ones go on below
csv        the first table, all digits
latex      booktabs tables
markdown   tables for documents
html       tables of pages, and a fragment for notebooks
plots      charts of pages and notebooks, as SVG that follows width and colours of the reader
graphics   small drawings in the rows of tables
document   sections, and the one page around them, which works offline
vega       charts as Vega-Lite specifications and as .svg .png .pdf
"""

from __future__ import annotations

from pathlib import Path

from cranfield.core.atomic_write import replaced
from cranfield.core.result import Result
from cranfield.errors import InputError

FORMS = {
    ".json": "json",
    ".csv": "csv",
    ".tex": "latex",
    ".md": "markdown",
    ".txt": "text",
    ".html": "html",
}
"""What an extension says about the form of a file."""


def rendered(result: Result, form: str) -> str:
    """A result as text: "json", "csv", "latex", "markdown", "html" or "text"."""
    match form:
        case "json":
            return result.to_json(indent=2) + "\n"
        case "csv":
            from cranfield.show.csv import csv_text

            return csv_text(result.tables_for("programs")[0])
        case "latex":
            from cranfield.show.latex import latex_text

            return latex_text(result)
        case "markdown":
            from cranfield.show.markdown import markdown_text

            return markdown_text(result)
        case "html":
            from cranfield.show.document import page

            return page(result)
        case "text":
            from cranfield.show.terminal import plain_text

            return plain_text(result)
    raise InputError(f"{form!r} is no form of a result; choose {', '.join(FORMS.values())}")


def write(result: Result, path: str | Path, form: str | None = None) -> None:
    """Write a result, wholly or not at all; the extension says how, unless `form` does: a picture
    is its charts alone."""
    path = Path(path)
    if form == "picture":
        from cranfield.show.vega import write_charts

        write_charts(result.charts, path)
        return
    if form is None and path.suffix.lower() not in FORMS:
        raise InputError(
            f"{path}: the extension {path.suffix!r} does not say what to write; "
            f"use {', '.join(FORMS)}"
        )
    text = rendered(result, form or FORMS[path.suffix.lower()])
    with replaced(path) as stream:
        stream.write(text.encode())
