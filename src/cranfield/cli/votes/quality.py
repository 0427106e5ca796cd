"""`cranfield votes quality`: whom to trust, and which sheets to use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import (
    chosen_form,
    deliver,
    require_folders,
    require_picture,
    require_votes,
    require_with,
    spare,
)
from cranfield.cli.options import Json, TableOutput, csv_option, picture_option
from cranfield.cli.study.inputs import EXTENSIONS
from cranfield.cli.votes.inputs import (
    VoteFiles,
    VoteFormat,
    VoteInput,
    reads_votes,
)

if TYPE_CHECKING:
    from cranfield.assessment.votes import Votes
    from cranfield.core.truth import Truth


class Reference(StrEnum):
    """What votes are held against."""

    others = "others"
    dawid_skene = "dawid_skene"


class Each(StrEnum):
    """What errors on gold are counted of."""

    annotator = "annotator"
    sheet = "sheet"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes quality votes.csv",
            "cranfield votes quality batch1.csv batch2.csv --ontology pto2009 --picture who.svg",
            "cranfield votes quality Batch_1_results.csv --fastest 20 --same 10 "
            "--decisions upload.csv",
            "cranfield votes quality votes.csv --gold known.csv --limit 0.2 --accepted sound.csv",
            "cranfield votes quality survey.csv --control night-night=4",
        ),
    )(quality)


@reads_votes
def quality(
    files: VoteFiles,
    how: VoteInput,
    require: Annotated[
        list[str] | None,
        typer.Option(
            "--require",
            metavar="QUESTION",
            help="A question that every sheet must answer; may be repeated; an empty name: none. "
            "Default: every choice.",
            show_default=False,
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Answers that are known: a truth, or votes, on some items."
        ),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Of --gold: more answers wrong are too many; default: 0.3.",
        ),
    ] = None,
    each: Annotated[
        Each | None,
        typer.Option(
            metavar="annotator|sheet",
            help="Of --gold: errors of an annotator reject all sheets, or those of a sheet itself; "
            "default: annotator.",
        ),
    ] = None,
    control: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ANSWER",
            help="The one right answer of a control question, or item; may be repeated.",
            show_default=False,
        ),
    ] = None,
    fastest: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.0, help="Sheets done in less time are rejected."),
    ] = None,
    fastest_share: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", min=0.0, max=1.0, help="The same, as a share of the median time."
        ),
    ] = None,
    slowest: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.0, help="Sheets that took more are rejected."),
    ] = None,
    same: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="The same answers on all sheets, N or more, or the same grade to N questions or "
            "more of a sheet, are rejected.",
        ),
    ] = None,
    least_agreement: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Annotators who agree less with the others are rejected.",
        ),
    ] = None,
    least_score: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            min=0.0,
            max=1.0,
            help="Annotators with a lower spammer score are rejected.",
        ),
    ] = None,
    reference: Annotated[
        Reference,
        typer.Option(
            metavar="others|dawid_skene",
            help="What votes are held against: the majority of the others, or what the model of "
            "Dawid & Skene decides.",
        ),
    ] = Reference.others,
    decisions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what to upload to MTurk: the results with an x in Approve or the reason in "
            "Reject. Of several batches each gets its own file, its name added.",
        ),
    ] = None,
    accepted: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the votes that are not rejected."),
    ] = None,
    picture: Annotated[
        Path | None, picture_option("rejections by item, sheets by annotator, and whom to trust")
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("annotator")] = False,
    output: TableOutput = None,
) -> None:
    """Tell whom to trust, and reject sheets by rules, each with a reason.

    A sheet is what an annotator handed in about an item. Without further options those are rejected
    that leave a choice open, such as a group of --ontology. A score near 0 means that what an
    annotator answers has nothing to do with the items.
    """
    given = how.of(*files)
    form = chosen_form({"json": as_json, "csv": as_csv}, output, EXTENSIONS)
    require_with("--gold", gold is not None, {"--limit": limit, "--each": each})
    require_picture(picture)
    controls = dict(_controls(control or ()))
    uploads = _uploads(files, decisions, how.format)
    written = [
        ("--output", output),
        ("--picture", picture),
        ("--accepted", accepted),
        *(("--decisions", path) for path in uploads),
    ]
    for place, (option, path) in enumerate(written):
        others = [other for _, other in written[:place]]
        spare((*given.read_files, gold, *others), path, option=option)
    require_votes(accepted, option="--accepted")
    require_folders(path for _, path in written)

    from cranfield.assessment.quality import require_assignments, write_decisions
    from cranfield.cli.screen import inform, plain, waiting
    from cranfield.cli.screen import output as screen
    from cranfield.errors import several
    from cranfield.report.annotator_quality import quality_content, quality_csv, quality_tables
    from cranfield.report.annotator_quality_pictures import quality_picture
    from cranfield.report.pictures import write_picture

    votes = given.read()
    if uploads:
        require_assignments(votes)
    known = (
        None if gold is None else _read_gold(gold, votes, grouped=bool(how.ontology or how.groups))
    )
    with waiting("comparing annotators"):
        found = votes.quality(
            require=None if require is None else [name for name in require if name],
            gold=known,
            limit=0.3 if limit is None else limit,
            each=(each or Each.annotator).value,
            controls=controls,
            fastest=fastest,
            fastest_share=fastest_share,
            slowest=slowest,
            same=same,
            least_agreement=least_agreement,
            least_score=least_score,
            reference=reference.value,
        )
    if form == "json":
        deliver(json.dumps(quality_content(found), indent=2, ensure_ascii=False) + "\n", output)
    elif form == "csv":
        deliver(quality_csv(found), output)
    elif output is not None:
        deliver(plain(quality_tables(found)), output)
    else:
        screen().print(quality_tables(found))
    if picture is not None:
        write_picture(quality_picture(found), picture)
        inform(f"wrote {picture}")
    if accepted is not None:
        found.accepted.write(accepted)
        inform(f"wrote {accepted}")
    for path, results in uploads.items():
        made = write_decisions(found, path, results=results)
        inform(
            f"wrote {path}: {several(made.approved, 'assignment')} to approve, {made.rejected} to "
            f"reject, {made.left} left as they are"
        )


def _controls(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    for one in given:
        name, sign, value = one.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            raise typer.BadParameter(f"{one!r}: write NAME=ANSWER", param_hint="--control")
        yield name.strip(), value.strip()


def _uploads(
    files: Iterable[Path], decisions: Path | None, format: VoteFormat | None
) -> dict[Path, Path | None]:
    """Files of decisions to write, and the results of MTurk that each repeats, if any."""
    if decisions is None:
        return {}
    results = [path for path in files if _holds_results(path, format)]
    if len(results) < 2:
        return {decisions: results[0] if results else None}
    from cranfield.assessment.files.reading import batches_of

    names = [name.replace("/", "-") for name in batches_of(results)]
    return {
        decisions.with_name(f"{decisions.stem}-{name}{decisions.suffix}"): path
        for name, path in zip(names, results, strict=True)
    }


def _holds_results(path: Path, format: VoteFormat | None) -> bool:
    from cranfield.assessment.files.reading import recognised
    from cranfield.formats.source import opened

    if format is not None:
        return format == VoteFormat.mturk
    with opened(path) as source:
        return not source.is_folder and recognised(source) == "mturk"


def _read_gold(path: Path, votes: Votes, *, grouped: bool) -> Truth | Votes:
    """Known answers: votes where a file tells of annotators, else a truth."""
    from cranfield.assessment.files.headers import columns_of
    from cranfield.assessment.files.reading import read_votes, recognised
    from cranfield.assessment.files.tables import header_of
    from cranfield.errors import FileError
    from cranfield.formats import read_truth
    from cranfield.formats.source import opened

    with opened(path) as source:
        form = "" if source.is_folder else recognised(source)
        header = None if source.is_folder else header_of(source)
    if form != "mturk" and (header is None or columns_of(header) is None):
        try:
            return read_truth(path)
        except FileError:
            if form != "label-studio":  # JSON may be either
                raise
    if grouped:  # what is one choice there may be several questions here
        return read_votes(path).merge()
    return read_votes(path, kinds={one.name: one.kind for one in votes.questions})
