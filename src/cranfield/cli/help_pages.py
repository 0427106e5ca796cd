"""Help: the pages that explain commands and groups of them, made of declarations, and completion.

A page has a column for what somebody types and one for what it does; a name that is too long for
its column stands on a line of its own, so that a narrow terminal loses nothing. Examples are broken
where a shell goes on, so that they can be copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap

from rich.text import Text

from cranfield.commands.declaration import Command, Parameter

_WIDEST = 100
"""Longer lines are hard to follow."""
_NAMES = 30
"""Most columns for what somebody types."""
_WORD = r"""(?:[^\s'"]|'[^']*'|"[^"]*")+"""
_WORDS = re.compile(rf"-\S+ (?!-){_WORD}|{_WORD}")
"""A word, or an option with its value."""

Entry = tuple[str, str]
"""What somebody types, and what it does."""
HELP: Entry = ("-h, --help", "Show this page.")


def command_page(command: Command, parameters: Sequence[Parameter]) -> Text:
    """The page of a command.

    parameters  those of the command, and options of its output
    """
    panels: dict[str, list[Entry]] = {"Arguments": [], "Options": []}
    for parameter in parameters:
        panel = "Arguments" if parameter.positional else parameter.option.panel or "Options"
        panels.setdefault(panel, []).append((_names(parameter), _words(parameter)))
    panels["Options"].append(HELP)
    path = " ".join(("cranfield", command.name, *usage(command)))
    return _page(path, command.description, panels, command.examples)


def usage(command: Command) -> list[str]:
    """What follows the name of a command: [OPTIONS] TRUTH [RUN…]."""
    arguments = [parameter for parameter in command.parameters if parameter.positional]
    names = [_names(argument) for argument in arguments]
    required = [argument.required for argument in arguments]
    pairs = zip(names, required, strict=True)
    return ["[OPTIONS]", *(name if needed else f"[{name}]" for name, needed in pairs)]


def group_page(path: str, text: str, commands: Iterable[Entry], options: Iterable[Entry]) -> Text:
    """The page of commands that stand together, such as `cranfield votes`."""
    panels = {"Commands": list(commands), "Options": [*options, HELP]}
    return _page(f"{path} [OPTIONS] COMMAND …", text, panels, ())


def _page(usage: str, text: str, panels: dict[str, list[Entry]], examples: Iterable[str]) -> Text:
    width = min(get_terminal_size().columns, _WIDEST) - 1
    page = Text.assemble(("Usage: ", "bold"), usage, "\n")
    for paragraph in text.split("\n\n"):
        page.append("\n" + "\n".join(wrap(" ".join(paragraph.split()), width)) + "\n")
    names = [name for entries in panels.values() for name, _ in entries]
    column = min(max(map(len, names)) + 4, _NAMES)
    for title, entries in panels.items():
        if entries:
            page.append(f"\n{title}\n", "bold")
            for name, words in entries:
                _append_entry(page, name, words, column, width)
    lines = [line for example in examples for line in _broken(example, width - 2)]
    if lines:
        page.append("\nExamples\n", "bold")
        page.append("".join(f"  {line}\n" for line in lines), "green")
    return page


def _append_entry(page: Text, name: str, words: str, column: int, width: int) -> None:
    lines = wrap(words, max(width - column, 20)) or [""]
    page.append(f"  {name}", "cyan")
    if len(name) + 4 > column:
        page.append("\n")
    else:
        page.append(f"{'':{column - len(name) - 2}}{lines.pop(0)}\n")
    page.append("".join(f"{'':{column}}{line}\n" for line in lines))


def _broken(example: str, width: int) -> Iterator[str]:
    """The lines of an example, which a shell takes for one."""
    line = ""
    for word in _WORDS.findall(example):
        if line and len(line) + len(word) + 3 > width:
            yield f"{line} \\"
            line = "  "
        line += word if not line.strip() else f" {word}"
    yield line


def _names(parameter: Parameter) -> str:
    """How a parameter is typed: -m, --measure NAME."""
    if parameter.positional:
        return f"{parameter.metavar}…" if parameter.many else parameter.metavar
    option = parameter.option
    names = [f"--{name}" for name in (parameter.label, option.also) if name]
    if parameter.type == "flag":
        return f"{names[0]}/--no-{parameter.label}" if parameter.default else ", ".join(names)
    return f"{', '.join(filter(None, (option.short, *names)))} {parameter.metavar}"


def _words(parameter: Parameter) -> str:
    """What a parameter is, its limits and its default."""
    option, default, notes = parameter.option, parameter.default, []
    if option.minimum is not None and option.maximum is not None:
        notes.append(f"{option.minimum} to {option.maximum}")
    elif option.minimum is not None:
        notes.append(f"{option.minimum} or more")
    elif option.maximum is not None:
        notes.append(f"{option.maximum} or less")
    if parameter.required and not parameter.positional:
        notes.append("required")
    if parameter.type == "flag":
        default = f"--{parameter.label}" if default else None
    if default is not None and not option.default:
        shown = ", ".join(map(str, default)) if isinstance(default, (list, tuple)) else default
        notes.append(f"default: {shown}")
    return f"{parameter.help} [{'; '.join(notes)}]".strip() if notes else parameter.help


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
