"""Declaration: a command is a function of the library and the functions that read its arguments.

Names, types and defaults of parameters come from signatures, limits and spelling from `Option` and
`Argument`, words from docstrings, whose lines `name  What it is.` describe parameters. Nothing here
knows a command line: `cli.program` makes options of parameters, documentation a page, a server a
form.

A function that reads (an input) returns a named tuple. Its fields are handed by name to the
functions after it and, in the end, to the function of the command. A function that writes files
besides (an output) gets what that one returned as `analysis`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.errors import FileError, InputError, Spelling, python_spelling

Type = Literal["text", "integer", "number", "flag", "file"]
_TYPES: dict[Any, Type] = {int: "integer", float: "number", bool: "flag", Path: "file"}
_PARAMETER_LINE = re.compile(r"(\w+)  +(\S.*)")


@dataclass(frozen=True)
class Parameter:
    """What somebody fills in: an argument, an option, a field of a form."""

    name: str
    """As Python spells it."""
    label: str
    """As front ends spell it."""
    type: Type
    help: str
    choices: tuple[str, ...] = ()
    many: bool = False
    """Whether it may be repeated."""
    required: bool = False
    default: Any = None
    positional: bool = False
    option: Option = Option()  # noqa: RUF009 - frozen

    @property
    def metavar(self) -> str:
        if self.option.metavar:
            return self.option.metavar
        if self.choices:
            return "|".join(self.choices)
        return {"integer": "N", "number": "NUMBER", "file": "FILE"}.get(self.type, "TEXT")


@dataclass(frozen=True)
class Command:
    """A function under a name; functions are "module:name" and loaded when needed."""

    name: str
    """As it is typed: study stability."""
    summary: str
    """A line for lists of commands."""
    function: str
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    """Functions that write files besides, such as a report page."""
    omits: Sequence[str] = ()
    """Parameters of its inputs that mean nothing to it, such as ontology."""
    examples: Sequence[str] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    """Options that it no longer has, and what to type instead: {"map": "cranfield votes map …"}."""

    @cached_property
    def functions(self) -> list[Callable[..., Any]]:
        """What reads, in this order, and what does the work."""
        return [_loaded(path) for path in (*self.inputs, self.function)]

    @cached_property
    def writers(self) -> list[Callable[..., Any]]:
        """What writes files besides, from what was computed."""
        return [_loaded(path) for path in self.outputs]

    @cached_property
    def parameters(self) -> list[Parameter]:
        """What somebody fills in: arguments, the function's own options, those of its inputs."""
        *readers, function = self.functions
        supplied = {name for reader in readers for name in _supplied(reader)}
        shared: dict[str, Parameter] = {}
        for reader in readers:
            for parameter in parameters_of(reader):
                if parameter.name not in self.omits:
                    shared.setdefault(parameter.name, parameter)
        own = [
            parameter
            for part in (function, *self.writers)
            for parameter in parameters_of(part)
            if parameter.name not in supplied | shared.keys()
        ]
        arguments = [p for p in (*shared.values(), *own) if p.positional]
        options = [p for p in (*own, *shared.values()) if not p.positional]
        return [*arguments, *options]

    @property
    def draws(self) -> bool:
        """Whether there are charts of what the function returns."""
        from cranfield.core.result import Analysis, Result

        returned = _evaluated(self.functions[-1], "return")
        return any(
            kind is Result
            or (
                isinstance(kind, type)
                and issubclass(kind, Analysis)
                and kind._charts is not Analysis._charts
            )
            for kind in get_args(returned) or (returned,)
        )

    @property
    def description(self) -> str:
        """The docstring before it comes to parameters."""
        return described(self.functions[-1])[0]

    def require_consistent(self, present: Set[str]) -> None:
        """Refuse parameters that mean nothing without another one, or contradict it.

        present  names of those that somebody filled in
        """
        for parameter in self.parameters:
            if parameter.name not in present:
                continue
            option = parameter.option
            needed = (option.needs,) if isinstance(option.needs, str) else option.needs
            if any(needed) and present.isdisjoint(needed):
                raise InputError(
                    "it means nothing alone",
                    mend=f"give {' or '.join(f'{{{name}}}' for name in needed)} too",
                    parameter=parameter.name,
                )
            for other in option.excludes:
                if other in present:
                    raise InputError(
                        "it contradicts another option",
                        mend=f"leave out {{{other}}} or this one",
                        parameter=parameter.name,
                    )

    def execute(
        self,
        values: Mapping[str, Any],
        *,
        progress: Progress = silent,
        notify: Notify = unheard,
        spelling: Spelling = python_spelling,
    ) -> Any:
        """Read what is named, and do the work.

        values    what was filled in, by name; texts of options with a parser are parsed
        spelling  how the front end spells parameters, for functions that write advice themselves
        """
        arguments: dict[str, Any] = {
            **values, "progress": progress, "notify": notify, "spelling": spelling
        }  # fmt: skip
        for parameter in self.parameters:
            value = arguments.get(parameter.name)
            if parameter.option.parse is not None and isinstance(value, str):
                arguments[parameter.name] = _parsed(parameter, value)
            elif parameter.option.suggest == "measures" and value:
                _require_measures([value] if isinstance(value, str) else value, values.get("truth"))
        *readers, function = self.functions
        supplied: dict[str, Any] = {}
        try:
            for reader in readers:
                supplied |= _call(reader, arguments)._asdict()
                arguments |= supplied
            analysis = _call(function, arguments, supplied)
        except InputError as error:
            for run in _runs_in(arguments.values()):
                if error.about == ("run", run.name):
                    raise FileError(run.source, error.what, mend=error.mend) from None
            raise
        for writer in self.writers:
            _call(writer, arguments | {"analysis": analysis})
        return analysis


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function that somebody may fill in."""
    _, words = described(function)
    parameters = []
    for name, parameter in inspect.signature(function).parameters.items():
        notes: tuple[Any, ...] = ()
        annotation = _evaluated(function, name)
        if get_origin(annotation) is Annotated:
            annotation, *rest = get_args(annotation)
            notes = tuple(rest)
        note = next((note for note in notes if isinstance(note, (Option, Argument))), None)
        if note is None:
            continue
        if isinstance(note, Option):
            option = note
        else:
            option = Option(metavar=note.metavar, suggest=note.suggest)
        member, many = _member(annotation)
        choices = get_args(member) if get_origin(member) is Literal else ()
        default = None if parameter.default is inspect.Parameter.empty else parameter.default
        if option.parse is not None and isinstance(default, (tuple, list)):
            default = ",".join(f"{value:g}" for value in default)
        parameters.append(
            Parameter(
                name=name,
                label=option.name or name.replace("_", "-"),
                type="text" if option.parse is not None else _TYPES.get(member, "text"),
                help=_sentence(words.get(name, option.help), option.default),
                choices=tuple(map(str, choices)),
                many=many and option.parse is None,
                required=parameter.default is inspect.Parameter.empty,
                default=default if default != () else None,
                positional=isinstance(note, Argument),
                option=option,
            )
        )
    return parameters


def described(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The paragraphs of a docstring, and what it says about each parameter."""
    paragraphs: list[str] = []
    words: dict[str, str] = {}
    current = ""
    for line in (inspect.getdoc(function) or "").splitlines():
        match = _PARAMETER_LINE.fullmatch(line)
        if match:
            current = match[1]
            words[current] = match[2]
        elif current and line.startswith("  "):
            words[current] += f" {line.strip()}"
        elif not current:
            paragraphs.append(line)
    return "\n".join(paragraphs).strip(), words


def _sentence(text: str, default: str) -> str:
    """What help says of a parameter."""
    sentence = text[:1].upper() + text[1:]
    if sentence and sentence[-1] not in ".…":
        sentence += "."
    if not default:
        return sentence
    return f"{sentence} Default: {default}" + ("" if default.endswith("…") else ".")


def _supplied(reader: Callable[..., Any]) -> tuple[str, ...]:
    fields: tuple[str, ...] = _evaluated(reader, "return")._fields
    return fields


def _evaluated(function: Callable[..., Any], name: str) -> Any:
    """The annotation of a parameter, or of what is returned; Any for what nobody types, whose
    names may be imported for the type checker alone, so that help does not wait for them."""
    function = inspect.unwrap(function)
    annotation = function.__annotations__.get(name, Any)
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, function.__globals__)
    except NameError:
        if name == "return" or "Annotated" in annotation:
            raise
        return Any


def _call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    supplied: Mapping[str, Any] | None = None,
) -> Any:
    """Call with the arguments that a function names; one that takes any also gets what inputs
    supply."""
    parameters = inspect.signature(function).parameters
    chosen = {name: arguments[name] for name in parameters if name in arguments}
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        chosen = {**(supplied or {}), **chosen}
    return function(**chosen)


def _parsed(parameter: Parameter, text: str) -> Any:
    assert parameter.option.parse is not None
    try:
        return parameter.option.parse(text)
    except ValueError as error:
        raise InputError(str(error), parameter=parameter.name) from None


def _runs_in(arguments: Iterable[Any]) -> Iterator[Any]:
    """Runs of which the file is known: those in lists, and those of cycles."""
    for argument in arguments:
        for run in argument if isinstance(argument, list) else getattr(argument, "runs", ()):
            if getattr(run, "source", None) is not None:
                yield run


def _require_measures(spellings: Iterable[str], truth: Any) -> None:
    """Refuse a misspelt measure before anything is read; a file of scores names its own."""
    from cranfield.formats.scores import is_scores
    from cranfield.measures import measure

    if isinstance(truth, Path) and is_scores(truth):
        return
    for spelling in spellings:
        measure(spelling)


def _loaded(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def _member(annotation: Any) -> tuple[Any, bool]:
    """A type without None, that of its members if it is a list, and whether it is one."""
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        if len(members) > 1:
            return str, False
        annotation = members[0]
    if get_origin(annotation) in (list, Sequence, Iterable):
        member, _ = _member(get_args(annotation)[0])
        return member, True
    return annotation, False
