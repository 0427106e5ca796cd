"""`cranfield check`: find everything that is wrong with a file before it is scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Extra, Kind, Missing
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Concepts, ExtraOption, Format, MissingOption
from cranfield.cli.outcomes import BAD_INPUT

if TYPE_CHECKING:
    from cranfield.core.truth import Truth
    from cranfield.errors import FileError
    from cranfield.formats import Findings

_SHOWN = 20


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield check truth.txt",
            "cranfield check labels.csv --as truth",
            "cranfield check run.txt --against truth.txt",
            "cranfield check runs/ --against truth.csv",
            "cranfield check collection/",
        ),
    )(check)


def check(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A run, a truth (files named truth.* are), a folder of runs, or a collection "
            "folder with all that lies in it.",
            show_default=False,
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="The truth (file or folder) that a run must fit."),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--as", metavar="truth|run", help="What the file is meant to be."),
    ] = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Check a file: every error with its line, up to 20, then how many there are."""
    if kind is Kind.truth and against is not None:
        raise typer.BadParameter("a truth is not checked against another; leave one of them out")

    from cranfield import formats
    from cranfield.commands.run_files import named_runs
    from cranfield.formats import folder

    names = formats.read_concepts(concepts) if concepts else None
    look = _Look(names, format, missing, extra)
    if against is not None or kind is Kind.run:
        truth = None if against is None else formats.read_collection(against, concepts=names).truth
        errors = sum(look.at_run(run, truth) for run in named_runs([file]).values())
    elif folder.is_collection(file):
        errors = look.at_collection(file)
    elif kind is Kind.truth or file.name.startswith("truth."):
        errors = look.at_truth(file).total
    else:
        errors = look.at(file)
    if errors:
        raise typer.Exit(BAD_INPUT)


@dataclass(frozen=True)
class _Look:
    """Looks at files, tells what is wrong with each, or that nothing is, and counts errors."""

    concepts: tuple[str, ...] | None
    format: str | None
    missing: Missing
    extra: Extra

    def at_run(self, file: Path, truth: Truth | None) -> int:
        from cranfield import formats

        found = formats.check(
            file,
            against=truth,
            missing=self.missing.value,
            extra=self.extra.value,
            concepts=self.concepts,
            format=self.format,
        )
        return _tell(found, file, "as a run").total

    def at_truth(self, file: Path) -> Findings:
        return _tell(self._as_truth(file), file, "as a truth")

    def at(self, file: Path) -> int:
        """A file of which nobody said what it is."""
        from cranfield import formats

        run = formats.check(file, concepts=self.concepts, format=self.format)
        truth = self._as_truth(file)
        if not run and not truth:
            return _tell(run, file, "as a run and as a truth").total
        if not run:
            return _tell(run, file, f"as a run (as a truth: {_first(truth)})").total
        if not truth:
            return _tell(truth, file, f"as a truth (as a run: {_first(run)})").total
        # It was meant as what could be read further, with fewer errors.
        reached = [(found[0].line or 0, -found.total) for found in (truth, run)]
        return _tell(run if reached[1] > reached[0] else truth, file, "").total

    def at_collection(self, path: Path) -> int:
        """All files of a collection; runs if the truth is fine."""
        from cranfield import formats
        from cranfield.errors import FileError
        from cranfield.formats import folder

        errors, names = 0, self.concepts
        listed = folder.concepts_file(path)
        if names is None and listed is not None:
            try:
                names = formats.read_concepts(listed)
            except FileError as error:
                errors += 1
                _complain(error)
        look = replace(self, concepts=names)
        found = look.at_truth(folder.truth_file(path))
        errors += found.total
        if found.truth is not None:
            errors += _at_topics(path, found.truth)
            parts = folder.splits_file(path)
            if parts is not None:
                wrong = formats.check_splits(parts, found.truth.items)
                errors += _tell(wrong, parts, "as splits").total
            errors += _at_runs_file(path)
            for file, what, wrong in formats.check_knowledge(path, found.truth.concept_axis):
                errors += _tell(wrong, file, f"as {what}").total
            errors += sum(look.at_run(run, found.truth) for run in folder.run_files(path))
        return errors

    def _as_truth(self, file: Path) -> Findings:
        from cranfield import formats

        return formats.check(file, kind="truth", concepts=self.concepts, format=self.format)


def _at_topics(path: Path, truth: Truth) -> int:
    """The topics of a collection folder, if it has some."""
    from cranfield import formats
    from cranfield.collections.collection import Collection
    from cranfield.errors import FileError
    from cranfield.formats import folder

    try:
        file = folder.topics_file(path)
        if file is not None:
            formats.with_topics(Collection(truth), file)
            _tell(formats.Findings(), file, "as topics")
    except FileError as error:
        _complain(error)
        return 1
    return 0


def _at_runs_file(path: Path) -> int:
    """What a collection folder says of its runs, if it does."""
    from cranfield import formats
    from cranfield.errors import FileError
    from cranfield.formats import folder

    file = folder.runs_file(path)
    if file is None:
        return 0
    try:
        formats.read_run_thresholds(file, folder.run_files(path))
    except FileError as error:
        _complain(error)
        return 1
    _tell(formats.Findings(), file, "as a table of runs")
    return 0


def _tell(found: Findings, file: Path, verdict: str) -> Findings:
    if found:
        _list(found, file)
    else:
        _approve(found, file, verdict)
    return found


def _approve(found: Findings, file: Path, verdict: str) -> None:
    from rich.markup import escape

    from cranfield.cli.screen import output
    from cranfield.errors import several
    from cranfield.formats.kinds.text import seems_undivided

    held = found.run or found.truth
    what = ""
    if held is not None:
        items, concepts = held.shape
        what = f": {several(items, 'item')}, {several(concepts, 'concept')}, format {found.format}"
    if found.run is not None and found.run.left_out:
        what += f"; {several(found.run.left_out, 'item')} that the truth lacks left out"
    if found.run is not None and seems_undivided(found.run):
        what += (
            "; the second half of its columns looks like decisions on the first: name the concepts "
            "with --concepts FILE, or give --against TRUTH"
        )
    output().print(
        f"[green]fine[/green] {escape(verdict)}  {escape(str(file))}{what}", soft_wrap=True
    )


def _first(found: Findings) -> str:
    line = found[0].line
    return found[0].what if line is None else f"line {line}, {found[0].what}"


def _complain(error: FileError) -> None:
    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import errors

    errors().print(translated(str(error)), markup=False, soft_wrap=True)


def _list(found: Findings, file: Path) -> None:
    from rich.markup import escape

    from cranfield.cli.screen import errors
    from cranfield.errors import several

    for error in found[:_SHOWN]:
        _complain(error)
    more = f", the first {_SHOWN} of them above" if found.total > _SHOWN else ""
    count = several(found.total, "error")
    errors().print(f"[bold red]{count}[/bold red] in {escape(str(file))}{more}", soft_wrap=True)
