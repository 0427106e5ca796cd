"""`cranfield evaluate --slices`: scores on parts of the collection, and which of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.forms import chosen_form, deliver_result

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation
    from cranfield.statistics.slices import Slices

DEFAULT_MEASURES = ("concept.AP", "concept.AP_at_prevalence", "example.F")
_OF_CONCEPTS = ("frequency", "branches")
_PICTURES = (".svg", ".html", ".png", ".pdf")
_EXTENSIONS = {".json": "json", ".csv": "csv", ".tex": "latex", ".txt": "table"} | dict.fromkeys(
    _PICTURES, "picture"
)

SlicesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--slices",
        metavar="FILE|frequency|branches",
        help="Scores on slices, instead of the table: items by a CSV with the header "
        "item,attribute,…, concepts by frequency or by branch of the ontology; may be repeated. "
        "-o draws it: .svg .html .png .pdf.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class SliceWish:
    """What was asked for with --slices."""

    by: tuple[str, ...]
    level: float

    @classmethod
    def given(
        cls, by: Sequence[str] | None, level: float | None, others: Mapping[str, bool]
    ) -> SliceWish | None:
        """None if nobody asked; `others` are options that slices have no use for."""
        if not by:
            return None
        for option, used in others.items():
            if used:
                raise typer.BadParameter(f"{option} and --slices do not go together; leave one out")
        return cls(tuple(dict.fromkeys(by)), 0.95 if level is None else level)

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(Path(one) for one in self.by if one not in _OF_CONCEPTS)

    def form(self, flags: Mapping[str, bool], output: Path | None) -> str:
        """How to write slices; refuses pictures that could not be drawn."""
        from cranfield.report.pictures import require_writable

        form = chosen_form(flags, output, _EXTENSIONS)
        if form == "picture" and output is not None:
            require_writable(output)
        return form

    def attributes(self, items: Sequence[str]) -> list[Any]:
        """What to slice by; files are read before anything is scored."""
        from cranfield.formats.attributes import read_attributes

        return [one if one in _OF_CONCEPTS else read_attributes(one, items) for one in self.by]

    def found(self, result: Evaluation, by: list[Any]) -> Slices:
        """The scores of slices, with a bar."""
        from cranfield.cli.evaluate import naming
        from cranfield.cli.screen import stage_bar
        from cranfield.statistics.slices import slices

        about = {
            f"attribute {name!r}": Path(one)
            for one, read in zip(self.by, by, strict=True)
            if one not in _OF_CONCEPTS
            for name in read
        }
        with naming({}, maps=about):
            return slices(result, by, level=self.level, progress=stage_bar)

    def show(self, found: Slices, form: str, path: Path | None) -> None:
        """Print the scores of slices, write them to a file, or draw them."""
        deliver_result(found, form, path)
