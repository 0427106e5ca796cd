"""`cranfield check`: everything that is wrong with files, before they are scored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.commands.inputs import (
    ConceptsOption,
    FormatOption,
    TermsOption,
    read_terms,
    require_format,
)
from cranfield.commands.run_files import named_runs
from cranfield.core.axes import Extra, Missing
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, unheard
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine.score_description import ScoreDescription
from cranfield.errors import FileError, InputError, Spelling, python_spelling, several
from cranfield.formats import Findings, folder
from cranfield.formats.kinds.text import seems_undivided
from cranfield.formats.scores import format_name, is_scores, read_score_table

_SHOWN = 20
"""Errors of a file that are printed; JSON and CSV hold up to a thousand."""


@dataclass(frozen=True)
class CheckedFile:
    """A file, what it can be read as, and what is wrong with it."""

    path: Path
    verdict: str
    findings: Findings
    terms: Terms = CONCEPTS

    def row(self) -> dict[str, Any]:
        holds = self.findings.run or self.findings.truth
        items, concepts = (None, None) if holds is None else holds.shape
        return {
            "file": str(self.path),
            "verdict": self.verdict,
            "items": items,
            "concepts": concepts,
            "format": self.findings.format,
            "errors": self.findings.total,
        }


@dataclass(frozen=True, repr=False)
class Check(Analysis):
    """Files in the order in which they were looked at."""

    title = "Files checked"

    files: list[CheckedFile]
    spelling: Spelling = python_spelling

    @property
    def terms(self) -> Terms:
        return self.files[0].terms if self.files else CONCEPTS

    @property
    def errors(self) -> int:
        return sum(file.findings.total for file in self.files)

    @property
    def exit_code(self) -> int:
        return 1 if self.errors else 0

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "file": error.path,
                "line": error.line,
                "what": error.message(self.spelling).removeprefix(f"{error.where}: "),
            }
            for file in self.files
            for error in file.findings
        ]

    def _facts(self) -> dict[str, Any]:
        return {"files": [file.row() for file in self.files], "errors": self._rows()}

    def _tables(self) -> list[Table]:
        columns = (Column("file"), Column("line"), Column("what"))
        return [Table("errors", self._rows(), columns, audience="programs")]

    def _remarks(self) -> list[str]:
        return [self._remark(file) for file in self.files if not file.findings]

    def _remark(self, file: CheckedFile) -> str:
        findings, terms, words = file.findings, file.terms, f"{file.verdict}  {file.path}"
        holds = findings.run or findings.truth
        if holds is not None:
            items, concepts = holds.shape
            sizes = f"{terms.several(items, 'item')}, {terms.several(concepts, 'concept')}"
            words += f": {sizes}, format {findings.format}"
        if findings.run is not None and findings.run.left_out:
            words += (
                f"; {terms.several(findings.run.left_out, 'item')} that the truth lacks left out"
            )
        if findings.run is not None and seems_undivided(findings.run):
            concepts_file = self.spelling("concepts", "FILE")
            words += (
                "; the second half of its columns looks like decisions on the first: name the "
                f"concepts with {concepts_file}, or give {self.spelling('against', 'TRUTH')}"
            )
        return words


def check(
    file: Annotated[Path, Argument(metavar="FILE")],
    *,
    against: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    kind: Annotated[Literal["truth", "run"] | None, Option(name="as")] = None,
    missing: Annotated[Missing, Option()] = "error",
    extra: Annotated[Extra, Option()] = "error",
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    terms: TermsOption = None,
    notify: Notify = unheard,
    spelling: Spelling = python_spelling,
) -> Check:
    """Check a file: every error with its line, up to 20, then how many there are.

    file     A run, a truth (files named truth.* are), a folder of runs, a collection folder with
             all that lies in it, or scores from elsewhere: a table run,item,score, or logs of
             Inspect, lm-evaluation-harness or promptfoo.
    against  The truth (file or folder) that a run must fit.
    kind     What the file is meant to be.
    missing  An item or concept that a run lacks: refuse, or count as not retrieved.
    extra    Items of a run that the truth lacks: refuse, or leave out.
    """
    if kind == "truth" and against is not None:
        raise InputError(
            "a truth is not checked against another; leave one of them out", parameter="against"
        )
    require_format(format)
    names = formats.read_concepts(concepts) if concepts else None
    checker = _Checker(names, format, missing, extra, notify, spelling, read_terms(terms))
    if kind is None and against is None and format is None and is_scores(file):
        checker.check_scores(file)
    elif against is not None or kind == "run":
        truth = None
        if against is not None:
            truth = formats.read_collection(against, concepts=names, terms=terms).truth
            checker = replace(checker, terms=truth.terms)
        for run in named_runs([file]).values():
            checker.check_run(run, truth)
    elif folder.is_collection(file):
        checker.check_collection(file)
    elif kind == "truth" or file.name.startswith("truth."):
        checker.check_truth(file)
    else:
        checker.check_any(file)
    return Check(checker.files, spelling)


@dataclass(frozen=True)
class _Checker:
    """Checks files one after the other; errors are printed as they are found."""

    concepts: tuple[str, ...] | None
    format: str | None
    missing: Missing
    extra: Extra
    notify: Notify
    spelling: Spelling
    terms: Terms | None
    """What items and concepts are called; None: as the data say."""
    files: list[CheckedFile] = field(default_factory=list)

    def check_run(self, file: Path, truth: Truth | None) -> None:
        findings = formats.check(
            file,
            against=truth,
            missing=self.missing,
            extra=self.extra,
            concepts=self.concepts,
            format=self.format,
        )
        self._add(findings, file, "as a run")

    def check_truth(self, file: Path) -> Findings:
        return self._add(self._as_truth(file), file, "as a truth")

    def check_scores(self, file: Path) -> None:
        """Scores of items, from a table or a harness."""
        try:
            described = ScoreDescription(read_score_table(file))
        except FileError as error:
            self._add_error(error, Path(error.path))
        except InputError as error:
            self._add_error(error.in_file(file), file)
        else:
            what = f"as scores of items ({described.sizes}; format {format_name(file)})"
            self._add(Findings(), file, what)

    def check_any(self, file: Path) -> None:
        """A file of which nobody said what it is."""
        run = formats.check(file, concepts=self.concepts, format=self.format)
        truth = self._as_truth(file)
        if not run and not truth:
            self._add(run, file, "as a run and as a truth")
        elif not run:
            self._add(run, file, f"as a run (as a truth: {_first(truth)})")
        elif not truth:
            self._add(truth, file, f"as a truth (as a run: {_first(run)})")
        else:
            # It was meant as what could be read further, with fewer errors.
            reached = [(findings[0].line or 0, -findings.total) for findings in (truth, run)]
            self._add(run if reached[1] > reached[0] else truth, file, "")

    def check_collection(self, path: Path) -> None:
        """All files of a collection; runs if the truth is fine."""
        names, listed = self.concepts, folder.concepts_file(path)
        if names is None and listed is not None:
            try:
                names = formats.read_concepts(listed)
            except FileError as error:
                self._add_error(error, listed)
        checker = replace(self, concepts=names, terms=self._terms_of(path))
        truth = checker.check_truth(folder.truth_file(path)).truth
        if truth is None:
            return
        checker = replace(checker, terms=checker.terms or truth.terms)
        self._check_topics(path, truth)
        parts = folder.splits_file(path)
        if parts is not None:
            self._add(formats.check_splits(parts, truth.items), parts, "as splits")
        self._check_terms(path)
        self._check_thresholds(path)
        for file, what, findings in formats.check_knowledge(path, truth.concept_axis):
            self._add(findings, file, f"as {what}")
        for run in folder.run_files(path):
            checker.check_run(run, truth)

    def _check_topics(self, path: Path, truth: Truth) -> None:
        try:
            file = folder.topics_file(path)
            if file is not None:
                formats.with_topics(Collection(truth), file)
                self._add(Findings(), file, "as topics")
        except FileError as error:
            self._add_error(error, path)

    def _terms_of(self, path: Path) -> Terms | None:
        """What the folder says, if it can be read; `_check_terms` says what is wrong with it."""
        file = folder.terms_file(path)
        if self.terms is not None or file is None:
            return self.terms
        try:
            return formats.read_terms(file)
        except FileError:
            return None

    def _check_terms(self, path: Path) -> None:
        file = folder.terms_file(path)
        if file is None:
            return
        try:
            formats.read_terms(file)
        except FileError as error:
            self._add_error(error, file)
        else:
            self._add(Findings(), file, "as terms")

    def _check_thresholds(self, path: Path) -> None:
        """What a collection folder says of its runs, if it does."""
        file = folder.runs_file(path)
        if file is None:
            return
        try:
            formats.read_run_thresholds(file, folder.run_files(path))
        except FileError as error:
            self._add_error(error, file)
        else:
            self._add(Findings(), file, "as a table of runs")

    def _as_truth(self, file: Path) -> Findings:
        return formats.check(file, kind="truth", concepts=self.concepts, format=self.format)

    def _add_error(self, error: FileError, file: Path) -> None:
        findings = Findings([error])
        findings.total = 1
        self._add(findings, file, "")

    def _add(self, findings: Findings, file: Path, verdict: str) -> Findings:
        for error in findings[:_SHOWN]:
            self.notify(error.message(self.spelling))
        if findings:
            more = f", the first {_SHOWN} of them above" if findings.total > _SHOWN else ""
            self.notify(f"{several(findings.total, 'error')} in {file}{more}")
        fine = f"fine {verdict}"
        own = CONCEPTS if findings.truth is None else findings.truth.terms
        verdict = "wrong" if findings else fine
        self.files.append(CheckedFile(file, verdict, findings, self.terms or own))
        return findings


def _first(findings: Findings) -> str:
    line = findings[0].line
    return findings[0].what if line is None else f"line {line}, {findings[0].what}"
