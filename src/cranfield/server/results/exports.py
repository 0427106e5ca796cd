"""Files of results: what a page shows, as CSV, JSON, LaTeX, Markdown or BibTeX."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse

from cranfield import show
from cranfield.core.result import Result

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "tex": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "bib": "text/plain; charset=utf-8",
}
"""Content types by extension."""
LABELS = {"csv": "CSV", "json": "JSON", "tex": "LaTeX", "md": "Markdown", "bib": "BibTeX"}


class FileForm:
    """The extension of a file, in addresses."""

    regex = "|".join(TYPES)

    def to_python(self, text: str) -> str:
        return text

    def to_url(self, form: str) -> str:
        return form


def file_text(result: Result, form: str, bibtex: str) -> str:
    """The content of a file.

    bibtex  what its BibTeX is, which cites it and does not hold it
    """
    return bibtex if form == "bib" else show.rendered(defused(result), show.FORMS[f".{form}"])


def file_response(text: str, form: str, name: str) -> HttpResponse:
    """A file to be saved under a name, whose extension says what it is."""
    return HttpResponse(
        text,
        content_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )


def defused(result: Result) -> Result:
    """The result with names of strangers, whose CSV nobody's spreadsheet takes for formulas."""
    return replace(
        result,
        tables=[replace(table, defused=True) for table in result.tables],
        parts=[defused(part) for part in result.parts],
    )
