"""Help: how a command shows its arguments and options."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from typer.core import TyperArgument, TyperCommand


class Command(TyperCommand):
    """A command whose help names what to give, not the types of Python that hold it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Lines of a docstring end where the source has no room, a terminal may have less or more.
        paragraphs = cleandoc(self.help or "").split("\n\n")
        self.help = "\n\n".join(" ".join(one.split("\n")) for one in paragraphs)

    def get_params(self, ctx: Any) -> list[Any]:
        params = super().get_params(ctx)
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
            elif isinstance(param, TyperArgument):
                param.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
        return params

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        return [piece.replace("{", "").replace("}", "") for piece in pieces]
