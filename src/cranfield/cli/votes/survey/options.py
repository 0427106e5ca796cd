"""What the commands about surveys have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.forms import deliver

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cranfield.assessment.surveys import Answers
    from cranfield.assessment.votes import Question

SurveyFolder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER", help="The survey's folder, with its key.json.", show_default=False
    ),
]
AnswerFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="ANSWERS",
        help="What came back: files of the questionnaire, sheets that were filled in, MTurk "
        "results; of as many people as there are.",
        show_default=False,
    ),
]
NewFolder = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write; must be new or empty."),
]
Title = Annotated[str, typer.Option(metavar="TEXT", help="Above the questionnaire.")]
Instructions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="What people are told, instead of the usual words; may be repeated, a paragraph each.",
        show_default=False,
    ),
]
Level = Annotated[
    float, typer.Option(metavar="SHARE", min=0.5, max=0.999, help="Of the intervals.")
]


def require_new(folder: Path) -> None:
    """Refuse a folder with something in it before any work is done."""
    from cranfield.errors import FileError

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(
            folder, "is there already and not empty; choose another folder for this survey"
        )


def read(
    files: Sequence[Path], asked: Sequence[str], question: Question, *, keep_going: bool
) -> Answers:
    """The answers of everybody; what is wrong with them is told on standard error."""
    from cranfield.assessment.surveys import read_answers
    from cranfield.cli.screen import inform

    answers = read_answers(*files, asked=asked, question=question, keep_going=keep_going)
    for problem in answers.problems:
        inform(str(problem))
    return answers


def show(
    form: str,
    path: Path | None,
    *,
    table: Callable[[], RenderableType],
    content: Callable[[], dict[str, Any]],
    lines: Callable[[], str],
) -> None:
    """Print or write a result in the wanted form."""
    from cranfield.cli.screen import output, plain

    if form == "json":
        deliver(json.dumps(content(), indent=2, ensure_ascii=False) + "\n", path)
    elif form == "csv":
        deliver(lines(), path)
    elif path is not None:
        deliver(plain(table()), path)
    else:
        output().print(table())
