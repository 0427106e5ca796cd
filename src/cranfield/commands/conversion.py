"""`cranfield convert`: a truth or a run in another format."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.commands.inputs import FORMATS, ConceptsOption, require_format
from cranfield.core.axes import Extra
from cranfield.core.options import Argument, Option
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Table
from cranfield.errors import FileError, InputError, Spelling, python_spelling, several
from cranfield.formats import folder
from cranfield.formats.registry import written_as
from cranfield.formats.scores import is_scores, read_score_columns
from cranfield.formats.scores.writing import write_score_columns

Kind = Literal["truth", "run"]
Read = Literal["truth", "run", "scores"]


@dataclass(frozen=True, repr=False)
class Conversion(Analysis):
    """What was read, where it was written, and what is lost."""

    title = "Converted"

    source: Path
    target: Path
    kind: Read
    lost: tuple[str, ...] = ()
    left_out: int = 0
    """Items of a run that the truth lacks."""
    settled: str = ""
    """How to insist on the other kind, where the file itself decided."""

    def _facts(self) -> dict[str, Any]:
        return {
            "source": str(self.source),
            "target": str(self.target),
            "kind": self.kind,
            "left_out": self.left_out,
            "lost": list(self.lost),
        }

    def _tables(self) -> list[Table]:
        row = self._facts() | {"lost": "; ".join(self.lost)}
        return [Table("conversion", [row], audience="programs")]

    def _remarks(self) -> list[str]:
        if folder.is_collection(self.source):
            remarks = [f"read {self.source}: its truth only"]
        else:
            what = "scores of items" if self.kind == "scores" else f"a {self.kind}{self.settled}"
            remarks = [f"read {self.source} as {what}"]
        if self.left_out:
            remarks.append(f"left out {several(self.left_out, 'item')} that the truth lacks")
        if self.lost:
            remarks.append(f"lost {', '.join(self.lost)}")
        return [*remarks, f"wrote {self.target}"]


def convert(
    source: Annotated[Path, Argument(metavar="IN")],
    target: Annotated[Path, Argument(metavar="OUT")],
    *,
    format: Annotated[str | None, Option(name="from", also="format", metavar="FORMAT")] = None,
    to: Annotated[
        str | None,
        Option(metavar="FORMAT", help=f"Format of OUT, if its extension does not say: {FORMATS}"),
    ] = None,
    kind: Annotated[Kind | None, Option(name="as")] = None,
    against: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    extra: Annotated[Extra, Option()] = "error",
    concepts: ConceptsOption = None,
    names: Annotated[bool, Option()] = False,
    lossy: Annotated[bool, Option()] = False,
    spelling: Spelling = python_spelling,
) -> Conversion:
    """Write a truth or a run in another format, or logs of scores as a table.

    What OUT cannot hold, such as unjudged cells, a threshold or features, is an error that says
    what would be lost.

    source   A truth, a run, a collection folder, or scores from elsewhere (a table, a log of a
             harness, a folder of them).
    target   Where to write; the extension says how unless --to does.
    format   Format of IN, if it is not to be recognised; see --to.
    kind     What IN is; default: a truth if it can be one.
    against  The truth that a run is for; knows names and sizes.
    extra    Items of a run that the truth lacks: refuse, or leave out.
    names    Call concepts by their descriptions instead of their codes.
    lossy    Write even if OUT cannot hold everything; say what is lost.
    """
    if kind == "truth" and against is not None:
        raise InputError(
            "a truth is not read against another; leave one of them out", parameter="against"
        )
    require_format(format)
    if kind is None and against is None and format is None and to is None and is_scores(source):
        write_score_columns(read_score_columns(source), target)
        return Conversion(source, target, "scores")
    if to is not None and to not in formats.names():
        raise InputError(
            f"{to!r} is no format; choose one of {', '.join(formats.names())}", parameter="to"
        )
    known = formats.read_concepts(concepts) if concepts else None
    truth = None if against is None else formats.read_collection(against, concepts=known)
    requested = kind if truth is None else "run"
    thing = _read(source, requested, truth, known, format, extra)
    if isinstance(thing, Run) and (to or written_as(target).name) != "text":
        try:
            formats.require_divided(thing)
        except InputError as error:
            raise FileError(source, error.what, mend=error.mend) from None
    if names:
        thing = _described(thing, truth, source)
    lost = formats.convert(thing, target, to, lossy=lossy)
    is_run = isinstance(thing, Run)
    conversion = Conversion(source, target, "run" if is_run else "truth", tuple(lost))
    if isinstance(thing, Run):
        conversion = replace(conversion, left_out=thing.left_out)
    if requested is None:
        other = spelling("kind", "truth" if is_run else "run")
        conversion = replace(conversion, settled=f" ({other} insists)")
    return conversion


def _read(
    source: Path,
    kind: Kind | None,
    truth: Collection | None,
    concepts: tuple[str, ...] | None,
    format: str | None,
    extra: Extra,
) -> Collection | Run:
    """A truth where the file can be one, unless it was said what it is, or it lies among runs."""
    refused = None
    if kind == "truth" or (kind is None and not folder.lies_in_runs(source)):
        try:
            return formats.read_collection(source, concepts=concepts, format=format)
        except FileError as error:
            if kind == "truth" or source.name.startswith("truth."):
                raise
            refused = error
    try:
        return formats.read_run(source, truth, concepts=concepts, format=format, extra=extra)
    except FileError as error:
        # It was meant as what could be read further.
        if refused is not None and (refused.line or 0) >= (error.line or 0):
            raise refused from None
        raise


def _described(thing: Collection | Run, truth: Collection | None, source: Path) -> Collection | Run:
    known = truth if isinstance(thing, Run) else thing
    if known is None or not known.descriptions:
        against = ", or give {against} a truth that has them" if isinstance(thing, Run) else ""
        raise FileError(
            source,
            "there are no descriptions of concepts to call them by",
            mend=f"leave {{names}} out{against}",
        )
    try:
        return formats.described(thing, known.descriptions)
    except InputError as error:
        raise FileError(
            source, f"with descriptions as names: {error}", mend="leave {names} out"
        ) from None
