"""Examples below the help of a command."""

from __future__ import annotations

from rich.markup import escape


def examples(*commands: str) -> str:
    """Commands for the epilog of a help page, one a line."""
    # A blank line between them, since the help page joins the lines of a paragraph.
    lines = "\n\n".join(f"  [green]{escape(command)}[/green]" for command in commands)
    return f"[bold]Examples[/bold]\n\n{lines}"
