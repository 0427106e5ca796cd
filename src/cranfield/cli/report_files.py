"""`--report` and `--tables`: everything that an evaluation says, as a page and as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.forms import require_folders, spare

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.engine.evaluation import Evaluation


def _page(path: Path | None) -> Path | None:
    if path is not None:
        from cranfield.reports import PAGES

        if path.suffix.lower() not in PAGES:
            raise typer.BadParameter(f"{path.name}: a report is a page; name it {PAGES[0]}")
    return path


def _folder(path: Path | None) -> Path | None:
    if path is not None and path.exists() and not path.is_dir():
        raise typer.BadParameter(f"{path} is a file; name a folder")
    return path


ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        callback=_page,
        help="Also write a page (.html): leaderboard with intervals and tests, concepts, items, "
        "thresholds, rules, agreement of measures; one file that works offline.",
    ),
]
TablesOption = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FOLDER",
        callback=_folder,
        help="Also write every table of that page as CSV and LaTeX.",
    ),
]


@dataclass(frozen=True)
class ReportWish:
    """What was asked for with --report and --tables."""

    page: Path | None
    tables: Path | None

    @classmethod
    def given(
        cls, page: Path | None, tables: Path | None, others: Mapping[str, bool]
    ) -> ReportWish | None:
        """None if nobody asked; `others` are options that leave nothing to report."""
        if page is None and tables is None:
            return None
        asked = "--tables" if page is None else "--report"
        for option, used in others.items():
            if used:
                raise typer.BadParameter(f"{option} and {asked} do not go together; leave one out")
        return cls(page, tables)

    def spare(self, inputs: Iterable[Path | None]) -> None:
        """Refuse to write over what is read, or written elsewhere."""
        given = [path for path in inputs if path is not None]
        spare(given, self.page, option="--report")
        require_folders([self.page])
        if self.tables is None:
            return
        from cranfield.reports import TABLE_FILE

        there = self.tables.iterdir() if self.tables.is_dir() else ()
        named = (self.tables / path.name for path in given)
        for path in sorted({*there, *named}):
            if TABLE_FILE.fullmatch(path.name):
                spare(given, path, option="--tables")

    def write(
        self, result: Evaluation, *, collection: Collection | None = None, **found: Any
    ) -> None:
        """Write both; `found` is what `cf.Report` takes, where it is known already."""
        from cranfield.cli.screen import inform, waiting
        from cranfield.reports import Report

        with waiting("reporting"):
            report = Report(result, collection=collection, **found)
            if self.page is not None:
                report.write(self.page)
            if self.tables is not None:
                report.write_tables(self.tables)
        for path in filter(None, (self.page, self.tables)):
            inform(f"wrote {path}")
