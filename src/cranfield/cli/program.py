"""The program: declared commands as commands of Typer, which no other file knows.

Its classes are subclassed here alone: a command loads its functions when it is called or explained,
not to be listed, and has pages of help of our own. What a command does is in `execution`, how it
ends in `outcomes`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from cranfield.cli import execution
from cranfield.cli.outcomes import exit_code, is_wrong_usage, spelled_for_shells
from cranfield.commands.catalogue import COMMANDS, GROUPS
from cranfield.commands.declaration import Command, Parameter
from cranfield.core import pipes
from cranfield.core.printable import printable
from cranfield.errors import CranfieldError

_HELP_NAMES = {"help_option_names": ["-h", "--help"]}
_VALUES: dict[str, Any] = {"text": str, "integer": int, "number": float, "flag": bool, "file": str}


class Commands(TyperGroup):
    """A group of commands; turns what they raise into messages and exit codes."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # of --help and --version, which are printed before `invoke`
            sys.exit(exit_code(error))

    def get_params(self, ctx: Any) -> list[Any]:
        params = super().get_params(ctx)
        for param in params:
            if getattr(param, "is_flag", False):
                # Typer loads pydantic, a tenth of a second, for a flag that is None: those of
                # completion, whatever somebody types.
                param.default = param.default or False
        return params

    def invoke(self, ctx: Any) -> Any:
        try:
            with pipes.kept():
                answer = super().invoke(ctx)
            sys.stdout.flush()
        except typer.BadParameter as error:
            error.message = printable(error.message.removeprefix("Value error, "))
            raise
        except CranfieldError as error:
            if is_wrong_usage(error):
                raise _bad_parameter(error, ctx) from None
            raise typer.Exit(exit_code(spelled_for_shells(error))) from None
        except (KeyboardInterrupt, OSError, MemoryError) as error:
            raise typer.Exit(exit_code(error)) from None
        return answer

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from cranfield.cli import screen
        from cranfield.cli.help_pages import group_page

        params: list[Any] = self.get_params(ctx)
        options = [(", ".join(p.opts), p.help) for p in params if p.name != "help"]
        commands = [(name, command.help or "") for name, command in self.commands.items()]
        page = group_page(ctx.command_path, self.help or "", commands, options)
        screen.output().print(page, soft_wrap=True, end="")


class Declared(TyperCommand):
    """A command whose functions are loaded when it is called or explained."""

    declaration: ClassVar[Command]

    @cached_property
    def _loaded(self) -> Any:
        program = typer.Typer(add_completion=False)
        program.command()(_function(self.declaration))
        return typer.main.get_command(program)

    def make_context(
        self, info_name: Any, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        self.params, self.callback = self._loaded.params, self._loaded.callback
        try:
            return super().make_context(info_name, args, parent, **extra)
        except Exception as error:
            option = getattr(error, "option_name", "")
            moved = self.declaration.moved.get(option.removeprefix("--"))
            if moved is None:
                raise
            words = f"it is a command of its own now: {moved}"
            raise typer.BadParameter(words, parent, param_hint=option) from None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        from cranfield.cli.help_pages import usage

        return usage(self.declaration)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from cranfield.cli import screen
        from cranfield.cli.help_pages import command_page

        page = command_page(self.declaration, execution.parameters(self.declaration))
        screen.output().print(page, soft_wrap=True, end="")


def declare(app: typer.Typer, command: Command) -> None:
    """Put a command on a program; nothing of it is loaded yet."""
    name = command.name.rpartition(" ")[2]
    declared = type("Declared", (Declared,), {"declaration": command})
    app.command(name, cls=declared, help=command.summary)(lambda: None)


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
            context_settings=_HELP_NAMES,
        )
        _group(groups, parent).add_typer(groups[name])
    return groups[name]


def _function(command: Command) -> Callable[..., None]:
    """What Typer calls: its signature is made of the command's parameters."""

    def call(context: typer.Context, **values: Any) -> None:
        typed = {name for name in values if _was_typed(context, name)}
        try:
            code = execution.run(command, values, typed)
        except CranfieldError as error:
            raise _bad_parameter(error, context) if is_wrong_usage(error) else error from None
        if code:
            raise typer.Exit(code)

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context, *map(_typer_parameter, execution.parameters(command))]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _bad_parameter(error: CranfieldError, context: Any) -> typer.BadParameter:
    """Wrong usage as Typer reports it, with how the command is used."""
    spelled_for_shells(error)
    hint = error.spelling(error.parameter, "") if error.parameter else None
    return typer.BadParameter(str(error), context, param_hint=hint)


def _typer_parameter(parameter: Parameter) -> inspect.Parameter:
    option = parameter.option
    words: dict[str, Any] = {
        "help": parameter.help.replace("[", "\\["),
        "metavar": None if parameter.type == "flag" else parameter.metavar,
        "min": option.minimum,
        "max": option.maximum,
    }
    if option.suggest:
        from cranfield.cli.help_pages import measure_names

        words["autocompletion"] = measure_names
    if parameter.many and parameter.choices:
        words["parser"] = _member_of(parameter.choices)
    note: Any
    if parameter.positional:
        note = typer.Argument(**words)
    else:
        name = execution.spelled(parameter)
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


def _member_of(choices: tuple[str, ...]) -> Callable[[str], str]:
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


app = typer.Typer(
    name="cranfield",
    cls=Commands,
    help="How good is it, how sure are we, and is this the right measure?\n\n"
    "New here? Try `cranfield demo`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP_NAMES,
)
declare_all(app, COMMANDS)


def _print_version(requested: bool) -> None:
    if requested:
        from cranfield import __version__

        typer.echo(f"cranfield {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """How good is it, how sure are we, and is this the right measure?"""
