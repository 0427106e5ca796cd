"""Report files: the page of an evaluation, and its tables, which commands write besides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation

_REPORT = "Report"


@dataclass(frozen=True)
class ReportFiles:
    """Where the report page, and its tables, are written."""

    page: Path | None = None
    tables: Path | None = None
    title: str | None = None
    images: str | None = None

    def write(self, result: Evaluation, progress: Progress = silent, **parts: Any) -> None:
        """Write both, if they are to be written; parts are what `cf.Report` takes besides."""
        from cranfield.reports import Report

        if self.page is None and self.tables is None:
            return
        with progress("reporting", 0):
            report = Report(result, title=self.title, images=self.images, **parts)
            if self.page is not None:
                report.write(self.page)
            if self.tables is not None:
                report.write_tables(self.tables)


NO_REPORT = ReportFiles()


class ReportOptions(NamedTuple):
    """Where the report page, and its tables, are written."""

    report_files: ReportFiles


def report_options(
    *,
    report: Annotated[Path | None, Option(panel=_REPORT, writes="file")] = None,
    tables: Annotated[Path | None, Option(metavar="FOLDER", panel=_REPORT, writes="tables")] = None,
    title: Annotated[str | None, Option(panel=_REPORT, needs=("report",))] = None,
    images: Annotated[
        str | None, Option(metavar="FOLDER|ADDRESS", panel=_REPORT, needs=("report",))
    ] = None,
) -> ReportOptions:
    """Where the report page, and its tables, are written.

    report  Also write a page (.html): leaderboard with intervals and tests, concepts, items,
            thresholds, rules, agreement of measures; one file that works offline.
    tables  Also write every table of that page as CSV and LaTeX.
    title   Of the page; default: the name of the collection.
    images  Show images of items on the page, from a folder (item.jpg, linked from where the page
            stands) or from an address such as https://photos.org/{item}.jpg.
    """
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{report.name}: a report is a page; name it .html", parameter="report")
    if images is not None:
        from cranfield.reports.images import Images

        Images(images)  # refuses what is neither a folder nor an address
    return ReportOptions(ReportFiles(report, tables, title, images))
