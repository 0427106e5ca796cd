"""What studies of runs read: a truth, runs, measures and what is known about concepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.evaluate import naming, possible, warn_of_thresholds
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import measure_option, output_option
from cranfield.cli.reading import Reading

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.measures import Measure
    from cranfield.report.pictures import Spec

RANKINGS = (
    *("concept.AP", "concept.AUC", "concept.EER", "concept.iAP", "concept.RP"),
    *("example.AP", "example.RP", "example.nDCG"),
    *("example.one_error", "example.coverage", "example.ranking_loss"),
)
DECISIONS = (
    *("concept.F", "example.P", "example.R", "example.F", "example.Acc", "example.hamming"),
)
EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}

StudiedRuns = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="RUN",
        help="Runs: files or folders of them; default: those in the collection folder.",
        show_default=False,
    ),
]
StudiedMeasures = Annotated[
    list[str] | None,
    measure_option(
        "Measure", (f"{len(RANKINGS)} of rankings", f"{len(DECISIONS)} of decisions", "OS, SRP …")
    ),
]
StudiedDecisions = Annotated[
    list[str] | None, measure_option("Measure of decisions", (*DECISIONS, "HS and OS"))
]
Latex = Annotated[bool, typer.Option("--latex", help="Print a LaTeX table (booktabs).")]
LatexOutput = Annotated[
    Path | None,
    output_option("Write to a file; .json .csv .tex .txt say what, unless a flag does."),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of what is drawn.")]


@dataclass(frozen=True)
class Files:
    """Everything that the command line names."""

    truth: Path
    runs: Sequence[Path] | None
    reading: Reading
    output: Path | None
    picture: Path | None
    others: tuple[Path, ...] = ()
    runs_option: str | None = None
    """What names the runs, where they do not follow the truth."""

    def form(self, *, as_json: bool, as_csv: bool, as_latex: bool | None = None) -> str:
        """How to write the result, in LaTeX only where a study can; refuses to write over what is
        read."""
        from cranfield.commands.run_files import files_of

        flags, extensions = {"json": as_json, "csv": as_csv}, EXTENSIONS
        if as_latex is not None:
            flags, extensions = flags | {"latex": as_latex}, EXTENSIONS | {".tex": "latex"}
        form = chosen_form(flags, self.output, extensions)
        require_picture(self.picture)
        runs = (file for run in self.runs or () for file in files_of(run))
        read = (self.truth, *self.reading.files, *self.others, *runs)
        spare(read, self.output)
        spare((*read, self.output), self.picture, option="--picture")
        return form

    def read(self) -> Studied:
        """Read all of it, with a bar over runs."""
        from cranfield.cli.screen import inform
        from cranfield.commands.run_files import named_runs
        from cranfield.core.reference_names import is_system, references_remark
        from cranfield.errors import FileError

        how = self.reading
        collection = how.collection(self.truth)
        known = how.about.read(collection.truth.concept_axis)
        listed = self.runs or collection.runs
        if not listed and self.runs_option is not None:
            raise FileError(
                self.truth,
                f"there are no runs in it; name files or folders of runs with {self.runs_option}",
            )
        files = named_runs(listed)
        references = [name for name in files if not is_system(name)]
        if references:
            inform(references_remark(references))
        runs = how.runs(collection, files)
        options: dict[str, Any] = {
            "ontology": known.ontology,
            "costs": known.costs,
            "relatedness": known.relatedness,
            "agreement": known.agreement,
            "missing": how.missing.value,
        }
        return Studied(collection, runs, files, options)

    def naming(self, files: Mapping[str, Path]) -> AbstractContextManager[None]:
        """Put the file before what the library says of a run or of a map."""
        return naming(files, maps=self.reading.about.called(self.truth))

    def show(
        self,
        form: str,
        *,
        table: RenderableType,
        content: dict[str, Any],
        lines: str,
        latex: str = "",
    ) -> None:
        """Print or write a result in the wanted form."""
        import json

        from cranfield.cli.screen import output, plain

        if form == "json":
            deliver(json.dumps(content, indent=2, ensure_ascii=False) + "\n", self.output)
        elif form in ("csv", "latex"):
            deliver(lines if form == "csv" else latex, self.output)
        elif self.output is None:
            output().print(table)
        else:
            deliver(plain(table), self.output)

    def draw(self, spec: Spec) -> None:
        from cranfield.cli.screen import inform
        from cranfield.report.pictures import write_picture

        assert self.picture is not None
        write_picture(spec, self.picture)
        inform(f"wrote {self.picture}")


@dataclass(frozen=True)
class Studied:
    """What was read."""

    collection: Collection
    runs: list[Run]
    files: dict[str, Path]
    options: dict[str, Any]
    """Of `evaluate`."""

    def measures(self, given: Sequence[str] | None, usual: Sequence[str]) -> list[Measure]:
        """Those that were asked for; else the usual ones, and those of meaning that can be had."""
        from cranfield.measures import measure

        if given:
            chosen = [measure(one) for one in given]
        else:
            wanted = [*usual]
            held = self.collection.knowledge
            if self.options["ontology"] or held.ontology:
                wanted += ["HS", "OS"]
            if "example.RP" in usual and (self.options["relatedness"] or held.relatedness):
                wanted.append("SRP")
            chosen = possible([measure(one) for one in wanted], self.runs, self.files)
        warn_of_thresholds(self.runs, chosen)
        return chosen
