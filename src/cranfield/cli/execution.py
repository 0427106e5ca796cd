"""Execution: what becomes of what somebody typed. Files to write are checked, the command reads and
computes, and its result is shown, written and saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.cli.outcomes import flag_spelling
from cranfield.cli.targets import Target, chosen_form, files_in, require_writable
from cranfield.commands.declaration import Command, Parameter, Type
from cranfield.core.options import Option
from cranfield.errors import CranfieldError, Spelling, UsageError

if TYPE_CHECKING:
    from cranfield.core.result import Analysis, Result

_CHARTED = ("html", "picture")
"""Forms that show charts."""


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
    def targets(self) -> list[Target]:
        """What is to be written."""
        targets = (
            ("output", self.output, "picture" if self.form == "picture" else "file"),
            ("html", self.html, "page"),
            ("picture", self.picture, "picture"),
            ("save", self.save, "file"),
        )
        return [Target(name, path, holds) for name, path, holds in targets if path is not None]

    @property
    def form(self) -> str:
        from cranfield.show import FORMS

        names = ("json", "csv", "latex", "markdown")
        flags = {name: getattr(self, f"as_{name}") for name in names}
        drawn = dict.fromkeys((".svg", ".png", ".pdf"), "picture") if self.draws else {}
        form = chosen_form(flags, self.output, FORMS | drawn)
        return "text" if form == "table" else form


def parameters(command: Command) -> list[Parameter]:
    """What can be typed: parameters of the command, then what becomes of its result; where measures
    are named, --import before that."""
    imports = [_IMPORTS] if _naming(command) else []
    return [*command.parameters, *imports, *_outputs(command)]


def run(command: Command, values: Mapping[str, Any], typed: Set[str]) -> int:
    """Do what was typed, and show what comes of it; the exit code.

    values  of all parameters, by name; None where nothing was typed and there is no default
    typed   names of those that somebody typed
    """
    from cranfield.cli.screen import inform, stage_bar

    spelling = _spelling(command)
    # What is typed as it is anyway contradicts nothing.
    same = {p.name for p in command.parameters if values[p.name] == p.default is not None}
    try:
        filled = {
            parameter.name: _value(parameter, values[parameter.name])
            for parameter in parameters(command)
            if values[parameter.name] is not None
        }
        chosen = {p.name: filled.pop(p.name) for p in _outputs(command) if p.name in filled}
        output = Output(**chosen, draws=command.draws)
        own = [
            Target(parameter.name, filled[parameter.name], parameter.option.writes)
            for parameter in command.parameters
            if parameter.option.writes and parameter.name in filled
        ]
        written = {target.parameter for target in own}
        inputs = files_in(value for name, value in filled.items() if name not in written)
        require_writable([*own, *output.targets], inputs)
        command.require_consistent(typed - same)
        _load_plugins(filled.pop("imports", []), (filled.get(name) for name in _naming(command)))
        analysis = command.execute(filled, progress=stage_bar, notify=inform, spelling=spelling)
    except CranfieldError as error:
        error.spelling = spelling
        raise
    _show(analysis, output)
    for target in own:
        inform(f"wrote {target.path}")
    return getattr(analysis, "exit_code", 0)


def _naming(command: Command) -> list[str]:
    """Parameters that hold names of measures."""
    return [parameter.name for parameter in command.parameters if parameter.option.suggest]


def _load_plugins(imports: Iterable[str], measures: Iterable[Any]) -> None:
    """Import what somebody typed, here and nowhere else: --import, and -m module:function."""
    texts = [[value] if isinstance(value, str) else value or () for value in measures]
    functions = [spelling for text in texts for spelling in text if ":" in spelling]
    if imports or functions:
        from cranfield.measures import plugins

        for reference in imports:
            plugins.load(reference)
        for spelling in functions:
            plugins.load_function(spelling)


def _value(parameter: Parameter, value: Any) -> Any:
    """What was typed as the library takes it; a file without a name is refused."""
    if isinstance(value, list):
        return [_value(parameter, member) for member in value]
    if value == "" and ("FILE" in parameter.metavar or parameter.type == "file"):
        raise UsageError("its name is empty; name a file", parameter=parameter.name)
    return Path(value) if parameter.type == "file" else value


def _show(analysis: Analysis | Result, output: Output) -> None:
    from cranfield import show
    from cranfield.cli.screen import inform
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
            inform(f"warning: {warning}")
    for target in output.targets:
        inform(f"wrote {target.path}")


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


# ── words of the command line ─────────────────────────────────────────────────────────────────


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


# ── options for what becomes of the result ────────────────────────────────────────────────────


def _outputs(command: Command) -> list[Parameter]:
    """Options of every command, unless it has one of the same name."""
    names = [parameter.name for parameter in command.parameters]
    taken = {*names, *(f"as_{name}" for name in names)}
    if not command.draws:
        taken.add("picture")
    return [parameter for parameter in _OUTPUTS if parameter.name not in taken]


_IMPORTS = Parameter(
    "imports",
    "import",
    "text",
    "Measures of your own: a Python file or module that declares them; may be repeated. A function "
    "of two arrays needs none: name it FILE.py:FUNCTION as a measure.",
    many=True,
    option=Option(metavar="FILE.py|MODULE"),
)


def _output(name: str, help: str, *, type: Type = "file", short: str = "") -> Parameter:
    option = Option(short=short, panel="Output")
    return Parameter(name, name.removeprefix("as_"), type, help, option=option)


_OUTPUTS = (
    _output("as_json", "Print JSON and nothing else.", type="flag"),
    _output("as_csv", "Print CSV.", type="flag"),
    _output("as_latex", "Print LaTeX tables (booktabs).", type="flag"),
    _output("as_markdown", "Print Markdown tables.", type="flag"),
    _output(
        "output",
        "Write to a file; .json .csv .tex .md .txt .html say what, unless a flag does.",
        short="-o",
    ),
    _output("html", "Write one page with tables and charts, which works offline."),
    _output("picture", "Draw charts: .svg .png .pdf, .json (Vega-Lite), or .html."),
    _output(
        "save", "Save the whole result, charts included; `cranfield show FILE` shows it again."
    ),
)
