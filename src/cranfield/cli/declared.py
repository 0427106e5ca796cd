"""Declared commands on the command line: parameters become arguments and options of Typer.

The functions of a command are loaded when it is called or explained, not to list it: that is what
`Deferred` is for, and the only reason why a class of Typer is subclassed here.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer
import typer.main
from typer.core import TyperCommand

from cranfield.cli.outcomes import Commands, flag_spelling
from cranfield.commands.catalogue import GROUPS
from cranfield.commands.declaration import Command, Parameter
from cranfield.errors import CranfieldError, Spelling

if TYPE_CHECKING:
    from cranfield.core.result import Analysis, Result

_CHARTED = ("html", "picture")
"""Forms that show charts."""
_SEPARATOR = re.compile("[:=,>]+")
_VALUES: dict[str, Any] = {"text": str, "integer": int, "number": float, "flag": bool, "file": Path}


class Output(NamedTuple):
    """Where a result goes, and how it is written."""

    as_json: bool = False
    as_csv: bool = False
    as_latex: bool = False
    as_markdown: bool = False
    output: Path | None = None
    html: Path | None = None
    picture: Path | None = None
    save: Path | None = None
    draws: bool = False
    """Whether there are charts."""

    @property
    def files(self) -> dict[str, Path]:
        """What is to be written, by option."""
        named = {f"--{name}": getattr(self, name) for name in ("output", "html", "picture", "save")}
        return {option: path for option, path in named.items() if path is not None}

    @property
    def form(self) -> str:
        from cranfield.cli.forms import chosen_form
        from cranfield.show import FORMS

        names = ("json", "csv", "latex", "markdown")
        flags = {name: getattr(self, f"as_{name}") for name in names}
        drawn = dict.fromkeys((".svg", ".png", ".pdf"), "picture") if self.draws else {}
        form = chosen_form(flags, self.output, FORMS | drawn)
        return "text" if form == "table" else form


def declare(app: typer.Typer, command: Command) -> None:
    """Put a command on a program; nothing of it is loaded yet."""

    class Deferred(TyperCommand):
        def make_context(
            self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
        ) -> Any:
            _refuse_moved(command, args)
            return _typer_command(command).make_context(info_name, args, parent, **extra)

    name = command.name.rpartition(" ")[2]
    app.command(name, cls=Deferred, help=command.summary)(lambda: None)


def declare_all(app: typer.Typer, commands: Iterable[Command]) -> None:
    """Put commands on a program, each in its group: `votes hits make` in `hits` of `votes`."""
    groups = {"": app}
    for command in commands:
        declare(_group(groups, command.name.rpartition(" ")[0]), command)


def _group(groups: dict[str, typer.Typer], name: str) -> typer.Typer:
    if name not in groups:
        parent, _, last = name.rpartition(" ")
        groups[name] = typer.Typer(
            name=last,
            cls=Commands,
            help=GROUPS[name],
            no_args_is_help=True,
            rich_markup_mode="rich",
            context_settings={"help_option_names": ["-h", "--help"]},
        )
        _group(groups, parent).add_typer(groups[name])
    return groups[name]


def _typer_command(command: Command) -> Any:
    """The command with all its options."""
    from cranfield.cli.help import Command as Explained
    from cranfield.cli.help import examples

    program = typer.Typer(
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.command(
        command.name.rpartition(" ")[2],
        cls=Explained,
        help=command.description.replace("[", "\\["),
        epilog=examples(*command.examples),
    )(_function(command))
    return typer.main.get_command(program)


def _function(command: Command) -> Callable[..., None]:
    """What Typer calls: its signature is made of the command's parameters."""
    outputs = {parameter.name: parameter for parameter in _outputs(command)}

    def call(context: typer.Context, **values: Any) -> None:
        output = Output(**{name: values.pop(name) for name in outputs}, draws=command.draws)
        typed = {name for name in (*values, *outputs) if _was_typed(context, name)}
        # What is typed as it is anyway contradicts nothing.
        typed -= {p.name for p in command.parameters if values[p.name] == p.default is not None}
        _require_writable(command, output, values)
        filled = {name: value for name, value in values.items() if value is not None}
        try:
            command.require_consistent(typed)
            analysis = command.execute(
                filled, progress=_bar, notify=_inform, spelling=_spelling(command)
            )
        except CranfieldError as error:
            raise _usage(error, command) from None
        _show(analysis, output)
        for parameter in command.parameters:
            if parameter.option.writes and parameter.name in filled:
                _inform(f"wrote {filled[parameter.name]}")
        if getattr(analysis, "exit_code", 0):
            raise typer.Exit(analysis.exit_code)

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context, *map(_typer_parameter, command.parameters), *outputs.values()]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call


def _show(analysis: Analysis | Result, output: Output) -> None:
    from cranfield import show
    from cranfield.core.result import Result

    drawn = output.picture is not None and output.picture.suffix.lower() != ".html"
    written = {
        output.output: output.form,
        output.html: "html",
        output.picture: "picture" if drawn else "html",
    }
    if isinstance(analysis, Result):
        result = analysis
    else:
        charted = output.html or output.picture or output.save or output.form in _CHARTED
        result = analysis.full_result if charted else analysis.result
    if output.output is None:
        _print(result, output.form)
    for path, form in written.items():
        if path is not None:
            show.write(result, path, form)
    if output.save is not None:
        result.save(output.save)
    if output.output is not None or output.form != "text" or result.text:
        for warning in result.warnings:
            _inform(f"warning: {warning}")
    for path in output.files.values():
        _inform(f"wrote {path}")


def _print(result: Result, form: str) -> None:
    """What goes to standard output; a report on data goes to standard error instead."""
    from cranfield import show
    from cranfield.cli import screen
    from cranfield.show.terminal import renderable

    if form != "text" or result.text:
        screen.data(show.rendered(result, form))
    elif result.is_data:
        screen.data(show.rendered(result, "csv"))
        screen.errors().print(renderable(result))
    else:
        screen.output().print(renderable(result))


def _require_writable(command: Command, output: Output, values: Mapping[str, Any]) -> None:
    """Refuse a file that cannot be written, or would replace what is read, before any work."""
    from cranfield.cli import forms
    from cranfield.commands.outputs import without_knowledge

    output.form  # noqa: B018 - refuses flags that contradict each other
    forms.require_page(output.html)
    forms.require_picture(output.picture or (output.output if output.form == "picture" else None))
    own = {
        parameter.name: (spelled(parameter), parameter.option.writes)
        for parameter in command.parameters
        if parameter.option.writes and values[parameter.name] is not None
    }
    taken = list(_files({name: value for name, value in values.items() if name not in own}))
    maps = [option for option, writes in own.values() if writes == "map"]
    tables = {name: own.pop(name)[0] for name in [*own] if own[name][1] == "tables"}
    targets = {option: values[name] for name, (option, _) in own.items()} | output.files
    for option, path in targets.items():
        forms.spare(without_knowledge(taken) if option in maps else taken, path, option=option)
        taken.append(path)
    for name, option in tables.items():
        forms.require_apart(taken, values[name], option=option)
    checks: dict[str, Callable[..., None]] = {
        "truth": forms.require_format,
        "votes": forms.require_votes,
        "map": forms.require_map,
    }
    folders = [values[name] for name, (_, writes) in own.items() if writes == "folder"]
    for name, (option, writes) in own.items():
        if writes in checks:
            checks[writes](values[name], option=option)
    made = [values[name] for name, (_, writes) in own.items() if writes in ("folder", "map")]
    forms.require_folders(path for path in targets.values() if path not in made)
    for path in folders:
        forms.require_new(path)


def _files(values: Mapping[str, Any]) -> Iterator[Path]:
    """Everything that may be read."""
    for value in values.values():
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, Path):
                yield member
            elif isinstance(member, str):
                yield from _files_in(member)


def _files_in(text: str) -> Iterator[Path]:
    """Files that a text names: FILE, NAME=FILE, corpus:FILE,columns=tags, vectors:FILE>=0.6."""
    starts = [0, *(match.end() for match in _SEPARATOR.finditer(text))]
    ends = [*(match.start() for match in _SEPARATOR.finditer(text)), len(text)]
    for start in starts:
        for end in ends:
            if start < end and os.path.exists(text[start:end]):
                yield Path(text[start:end])


# ── errors ────────────────────────────────────────────────────────────────────────────────────


def _refuse_moved(command: Command, words: Iterable[str]) -> None:
    """Answer an option that the command had once with what to type now."""
    for word in takewhile(lambda word: word != "--", words):
        option = word.partition("=")[0]
        if option.startswith("--") and option[2:] in command.moved:
            raise typer.BadParameter(
                f"it is a command of its own now: {command.moved[option[2:]]}", param_hint=option
            )


def _usage(error: CranfieldError, command: Command) -> Exception:
    """An error in the words of the command line; wrong usage if a parameter has a wrong value."""
    parameters = {parameter.name: parameter for parameter in command.parameters}
    error.spelling = _spelling(command)
    if error.parameter not in parameters:
        return error
    return typer.BadParameter(str(error), param_hint=spelled(parameters[error.parameter]))


def _spelling(command: Command) -> Spelling:
    """How the command line writes a parameter of a command with a value."""
    parameters = {parameter.name: parameter for parameter in command.parameters}

    def spelling(name: str, value: str) -> str:
        parameter = parameters.get(name)
        if parameter is None:
            return flag_spelling(name, value)
        if parameter.type == "flag":
            return f"--no-{parameter.label}" if value == "False" else spelled(parameter)
        return f"{spelled(parameter)} {value}".rstrip()

    return spelling


def spelled(parameter: Parameter) -> str:
    """What somebody types."""
    return parameter.metavar if parameter.positional else f"--{parameter.label}"


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _inform(notice: str) -> None:
    from cranfield.cli.screen import inform

    inform(notice)


def _bar(stage: str, total: float) -> Any:
    from cranfield.cli.screen import stage_bar

    return stage_bar(stage, total)


# ── from parameters to Typer ──────────────────────────────────────────────────────────────────


def _typer_parameter(parameter: Parameter) -> inspect.Parameter:
    option = parameter.option
    words: dict[str, Any] = {
        "help": parameter.help.replace("[", "\\["),
        "metavar": None if parameter.type == "flag" else parameter.metavar,
        "rich_help_panel": option.panel or None,
        "show_default": parameter.default is not None and not option.default,
        "min": option.minimum,
        "max": option.maximum,
    }
    if option.suggest:
        from cranfield.cli.help import measure_names

        words["autocompletion"] = measure_names
    if parameter.many and parameter.choices:
        words["parser"] = _one_of(parameter.choices)
    note: Any
    if parameter.positional:
        note = typer.Argument(**words)
    else:
        name = spelled(parameter)
        if parameter.default is True:
            name += f"/--no-{parameter.label}"
        others = [f"--{option.also}"] if option.also else []
        flags = [name, *others, *([option.short] if option.short else [])]
        note = typer.Option(*flags, **words)
    default = inspect.Parameter.empty if parameter.required else parameter.default
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=bool(default) if parameter.type == "flag" else default,
        annotation=Annotated[_value_type(parameter), note],
    )


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    """Checks a member of a list, which Typer does not do by itself."""

    def checked(text: str) -> str:
        if text not in choices:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, choices))}.")
        return text

    return checked


def _value_type(parameter: Parameter) -> Any:
    kind = _VALUES[parameter.type]
    if parameter.choices and not parameter.many:
        kind = Literal.__getitem__(parameter.choices)
    if parameter.many:
        kind = list.__class_getitem__(kind)
    return kind if parameter.required or parameter.type == "flag" else kind | None


def _output(name: str, kind: Any, *flags: str, **words: Any) -> inspect.Parameter:
    note = typer.Option(*flags, rich_help_panel="Output", **words)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if kind is bool else None,
        annotation=Annotated[kind if kind is bool else kind | None, note],
    )


def _outputs(command: Command) -> list[inspect.Parameter]:
    """Options for what becomes of the result; a command may have one of the same name."""
    names = [parameter.name for parameter in command.parameters]
    taken = {*names, *(f"as_{name}" for name in names)}
    if not command.draws:
        taken.add("picture")
    return [parameter for parameter in _OUTPUT if parameter.name not in taken]


_OUTPUT = (
    _output("as_json", bool, "--json", help="Print JSON and nothing else."),
    _output("as_csv", bool, "--csv", help="Print CSV."),
    _output("as_latex", bool, "--latex", help="Print LaTeX tables (booktabs)."),
    _output("as_markdown", bool, "--markdown", help="Print Markdown tables."),
    _output(
        "output",
        Path,
        *("--output", "-o"),
        metavar="FILE",
        help="Write to a file; .json .csv .tex .md .txt .html say what, unless a flag does.",
    ),
    _output(
        "html",
        Path,
        "--html",
        metavar="FILE",
        help="Write one page with tables and charts, which works offline.",
    ),
    _output(
        "picture",
        Path,
        "--picture",
        metavar="FILE",
        help="Draw charts: .svg .png .pdf, .json (Vega-Lite), or .html.",
    ),
    _output(
        "save",
        Path,
        "--save",
        metavar="FILE",
        help="Save the whole result, charts included; `cranfield show FILE` shows it again.",
    ),
)
