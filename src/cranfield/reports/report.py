"""`cf.Report`: an evaluation as a page for people, and every table of it as files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.arguments import checked
from cranfield.core.atomic_write import unwritable
from cranfield.core.table import Table
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import FileError, InputError
from cranfield.formats.source import written
from cranfield.reports import curves, decisions, provenance, scores, units
from cranfield.reports.findings import Findings
from cranfield.reports.images import Images
from cranfield.show.csv import csv_text
from cranfield.show.document import Section, document
from cranfield.show.latex import tabular
from cranfield.statistics.comparing import Tournament, Tournaments
from cranfield.statistics.intervals import Intervals
from cranfield.statistics.slices import Slices

PAGES = (".html", ".htm")
"""The extensions that reports have."""
TABLE_FILE = re.compile(
    r"(leaderboard|contest|curves|measures|rules|rules-by-run|thresholds|conventions|signatures"
    r"|(intervals|concepts|items|hardest-items|slices)-.+)\.(csv|tex)",
    re.IGNORECASE,
)
"""What files of tables are called, known before there are any."""
_SECTIONS: tuple[Callable[[Findings], Section | None], ...] = (
    *(scores.leaderboard, scores.certainty, scores.contest),
    *(units.concepts, units.items, units.slices),
    *(curves.curves, decisions.thresholds, decisions.rules),
    *(provenance.agreement, provenance.conventions, provenance.citing),
)
"""In the order of the page."""


class Report:
    """What an evaluation says, in one file that needs nothing else.

    Leaderboard with intervals and significance, concepts, items, thresholds, rules, agreement of
    measures, signatures, how to cite. The same evaluation gives the same file, byte for byte.
    """

    @checked
    def __init__(
        self,
        result: Evaluation,
        *,
        collection: Collection | None = None,
        intervals: Intervals | None = None,
        tournament: Tournament | Tournaments | None = None,
        alpha: float = 0.05,
        slices: Slices | None = None,
        title: str | None = None,
        images: str | Path | None = None,
    ) -> None:
        """
        collection  whose name and descriptions of concepts are shown
        intervals   of the scores; default: `cf.intervals(result)`
        tournament  which runs differ; default: `cf.compare` by all measures
        alpha       level of significance
        slices      scores of parts of the collection, as `cf.slices` finds them
        title       default: the name of the collection
        images      of items: a folder, or an address such as https://photos.org/{item}.jpg
        """
        if not len(result):
            raise InputError("there are no scores to report; evaluate at least one run")
        if not 0.0 < alpha < 1.0:
            raise InputError(f"alpha={alpha:g}; give a number between 0 and 1, such as 0.05")
        self.findings = Findings.of(
            result,
            collection=collection,
            intervals=intervals,
            tournament=tournament,
            alpha=alpha,
            slices=slices,
        )
        self.title = title or self.findings.collection.name
        self.images = None if images is None else Images(str(images))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections that there is something to say in."""
        made = (make(self.findings) for make in _SECTIONS)
        return tuple(section for section in made if section is not None)

    @property
    def tables(self) -> dict[str, Table]:
        """Every table by its name."""
        return {table.name: table for section in self.sections for table in section.tables}

    @property
    def html(self) -> str:
        """The page; images in a folder are linked from the current folder."""
        return self._page(Path("report.html"))

    def _page(self, path: Path) -> str:
        if self.images is None:
            return document(self.title, self._facts(), self.sections)
        images = self.images
        return document(
            self.title,
            self._facts(),
            self.sections,
            pictures=lambda item: images.address(item, path),
            images=images.allowed,
        )

    def write(self, path: str | Path) -> None:
        """Write the page, wholly or not at all."""
        path = Path(path)
        if path.suffix.lower() not in PAGES:
            raise FileError(path, f"a report is a page; name it {' or '.join(PAGES)}")
        with written(path) as target:
            target.stream.write(self._page(path).encode(errors="replace"))

    def write_tables(self, folder: str | Path) -> None:
        """Write every table as CSV and as LaTeX into a folder."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error) from None
        for table in self.tables.values():
            for ending, text in (("csv", csv_text(table)), ("tex", tabular(table))):
                with written(folder / f"{table.name}.{ending}") as target:
                    target.stream.write(text.encode(errors="replace"))

    def _facts(self) -> dict[str, str]:
        result, truth = self.findings.result, self.findings.truth
        items, concepts = truth.shape
        facts = {
            "runs": f"{len(result.runs):,}",
            "measures": f"{len(result.measures):,}",
            truth.terms.items: f"{items:,}",
            **({truth.terms.concepts: f"{concepts:,}"} if concepts else {}),
            **({"clusters": f"{len(set(truth.clusters)):,}"} if truth.clusters else {}),
        }
        if items and concepts and not truth.open:
            positives = int(truth.totals(0, truth.unjudged).positives.sum())
            facts[f"labels per {truth.terms.item}"] = f"{positives / items:.2f}"
        return facts | {"truth": truth.digest[:8]}
