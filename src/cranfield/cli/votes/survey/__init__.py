"""`cranfield votes survey`: asking people about measures, and about what measures rest on.
One file a command: `relatedness` and `measure` make questionnaires, `ratings` and `preferences`
tell what came back.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.outcomes import Commands
from cranfield.cli.votes.survey import measure, preferences, ratings, relatedness

_COMMANDS: tuple[ModuleType, ...] = (relatedness, ratings, measure, preferences)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="survey",
        cls=Commands,
        help="Ask people how closely words are related, or which label sets are better: make a "
        "questionnaire, and tell what the answers say about measures.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
