"""Help and completion: how a command shows its arguments, options and examples."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from rich.markup import escape
from typer.core import TyperArgument, TyperCommand


class Command(TyperCommand):
    """A command whose help names what to give, not the types of Python that hold it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Lines of a docstring end where the source has no room, a terminal may have less or more.
        paragraphs = cleandoc(self.help or "").split("\n\n")
        self.help = "\n\n".join(" ".join(text.split("\n")) for text in paragraphs)

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


def examples(*commands: str) -> str:
    """Commands for the epilog of a help page, one a line."""
    # A blank line between them, since the help page joins the lines of a paragraph.
    lines = "\n\n".join(f"  [green]{escape(command)}[/green]" for command in commands)
    return f"[bold]Examples[/bold]\n\n{lines}"


def measure_names(incomplete: str) -> list[tuple[str, str]]:
    """Measures whose name begins so, each with its formula."""
    from cranfield.measures import measures

    return [
        (
            definition.name.removesuffix("@k") + ("@10" if definition.name.endswith("@k") else ""),
            definition.formula,
        )
        for definition in measures()
        if definition.name.lower().startswith(incomplete.lower())
    ]
