"""Direct calls: functions of an evaluation also take a truth and runs, and the other way round.

`compare(evaluation, "concept.AP")` is `compare(y, {"a": S1, "b": S2}, "concept.AP")`, with what
`evaluate` takes as truth, runs, measures and options. Studies and other functions of a truth and
runs take these in all forms that `evaluate` takes, or an evaluation in their stead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from cranfield.collections.readings import AnyTruth, read_inputs
from cranfield.core.arguments import checked
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.local import evaluate
from cranfield.errors import InputError, first_ten

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

_OPTIONS = frozenset(inspect.signature(evaluate).parameters) - {"truth", "runs", "measures"}
_OF_ARRAYS = ("classes", "items", "threshold")


class Direct(Protocol[P, R_co]):
    """A function that takes an evaluation, or a truth, runs and so on."""

    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, truth: AnyTruth, /, *args: Any, **options: Any) -> R_co: ...


def of_evaluation(function: Callable[P, R]) -> Direct[P, R]:
    """The function, which evaluates first where a truth, runs and measures stand in the place of
    an evaluation; options that it does not have itself are those of `evaluate`."""
    own = list(inspect.signature(function).parameters)
    names_measures = len(own) > 1 and own[1] in ("measure", "measures")

    function = checked(function)

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if not args or _is_evaluated(args[0]):
            return function(*args, **options)
        truth, *rest = args
        keywords = ("runs", "measures")[len(rest) :]
        if all(name in options for name in keywords):
            rest += [options.pop(name) for name in keywords]
        if len(rest) < 2:
            name = function.__name__
            raise InputError(
                f"{name} takes an Evaluation, or truth, runs and measures; for example "
                f'cf.{name}(y, {{"a": scores_a, "b": scores_b}}, "concept.AP")'
            )
        runs, measures, *others = rest
        ours = {name: options.pop(name) for name in _OPTIONS - set(own) if name in options}
        if "progress" in options:
            ours["progress"] = options["progress"]
        result = evaluate(truth, runs, measures, **ours)
        return function(result, *([measures] if names_measures else ()), *others, **options)  # type: ignore[arg-type]

    return call


def of_inputs(function: Callable[P, R]) -> Direct[P, R]:
    """The function of a truth and runs (or a run), which takes them in all forms that `evaluate`
    takes, or an evaluation in the place of truth, runs and measures."""
    own = inspect.signature(function).parameters
    first, second, *_ = own

    function = checked(function)

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        arguments = dict(zip(own, args, strict=False)) | options
        if len(args) > len(own) or first not in arguments:
            return function(*args, **options)
        truth = arguments.pop(first)
        if isinstance(truth, Evaluation):
            arguments = _evaluated_with(truth, own) | arguments
            runs = arguments.pop(second, None) or _runs_of(truth)
            truth = truth.truth
        elif second in arguments:
            runs = arguments.pop(second)
        else:
            return function(*args, **options)
        naming = [name for name in _OF_ARRAYS if name not in own and name in arguments]
        inputs = read_inputs(truth, runs, **{name: arguments.pop(name) for name in naming})
        if second == "run" and len(inputs.runs) != 1:
            names = first_ten(run.name for run in inputs.runs)
            raise InputError(f"{function.__name__} takes one run, not {names or 'none'}")
        taken = inputs.runs[0] if second == "run" else inputs.runs
        return function(**{first: inputs.truth, second: taken}, **arguments)  # type: ignore[arg-type, call-arg]

    return call


def _is_evaluated(first: Any) -> bool:
    if isinstance(first, list | tuple):
        return bool(first) and all(isinstance(part, Evaluation) for part in first)
    return isinstance(first, Evaluation | Iterator)


def _runs_of(result: Evaluation) -> list[Any]:
    return list({score.run.name: score.run for score in result}.values())


def _evaluated_with(result: Evaluation, own: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """The measures of an evaluation and the choices it was made with, as far as a function takes
    them."""
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in own.values())
    options: dict[str, Any] = {"measures": list(result.measures)} if "measures" in own else {}
    if result.scores:
        score = result.scores[0]
        knowledge = score.known.knowledge
        choices = {
            "missing": score.missing,
            "topics": score.topics,
            "ontology": knowledge.ontology,
            "costs": knowledge.costs,
            "relatedness": knowledge.relatedness,
            "agreement": knowledge.agreement,
        }
        options |= {
            name: value for name, value in choices.items() if value and (takes_any or name in own)
        }
    return options
