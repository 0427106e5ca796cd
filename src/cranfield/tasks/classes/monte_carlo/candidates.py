"""Candidates: the estimators to be compared, each under a name of its own.

    decision_tree(max_depth=3)      a short name of `learners`, with parameters if wished
    package.module:factory(a=1)     whatever a function or class of one's own returns
    an estimator of scikit-learn    anything with fit, predict and get_params

A grid varies one parameter of all of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cranfield.errors import InputError
from cranfield.tasks.classes.monte_carlo.learners import (
    LEARNERS,
    Dataset,
    Params,
    learner,
    library,
)

_SPELLING = re.compile(r"\s*([\w.]+(?::[\w.]+)?)\s*(?:\((.*)\))?\s*", re.DOTALL)
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Candidate:
    """An estimator that was not trained yet."""

    name: str
    family: str
    """The name without the parameter of a grid."""
    setting: tuple[str, Any] | None
    """The parameter of a grid, and its value."""
    estimator: Any


def candidates_of(
    estimators: Any, data: Dataset | InputError, grid: Mapping[str, Sequence[Any]] | None
) -> list[Candidate]:
    """Every estimator, with every value of the grid.

    estimators  one spelling or estimator, several, or several by name
    data        what short names are made for, or why the features are no table of numbers
    """
    candidates = [
        candidate
        for name, estimator in _named(estimators)
        for candidate in _settings(name, estimator, data, _parameter(grid))
    ]
    names = [candidate.name for candidate in candidates]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if not candidates:
        raise InputError("there is no estimator; give at least one, such as 'naive_bayes'")
    if twice:
        raise InputError(
            f"two estimators are called {twice[0]!r}; leave one out, or give both by name: "
            "{'first': …, 'second': …}"
        )
    return candidates


def _named(estimators: Any) -> list[tuple[str | None, Any]]:
    if isinstance(estimators, Mapping):
        return [(str(name), estimator) for name, estimator in estimators.items()]
    single = isinstance(estimators, str) or hasattr(estimators, "fit")
    if single or not isinstance(estimators, Iterable):
        estimators = [estimators]
    return [(None, estimator) for estimator in estimators]


def _parameter(grid: Mapping[str, Sequence[Any]] | None) -> tuple[str, list[Any]] | None:
    if grid is None:
        return None
    if len(grid) != 1:
        raise InputError(f"the grid has {len(grid)} parameters; vary one at a time")
    ((name, values),) = grid.items()
    if not isinstance(values, Iterable):
        raise InputError(f"the grid gives {name} a {type(values).__name__}; give a list of values")
    listed = [values] if isinstance(values, str) else list(values)
    if not listed:
        raise InputError(f"the grid gives no value to {name}; give at least one")
    return name, listed


def _settings(
    name: str | None, estimator: Any, data: Dataset | InputError, grid: tuple[str, list[Any]] | None
) -> list[Candidate]:
    """One estimator, or one for each value of the grid."""
    if isinstance(estimator, str):
        base, params = parsed(estimator)
        family = name or spelled(base, params)
        if grid is None:
            return [Candidate(family, family, None, _made(base, params, data))]
        key, values = grid
        return [
            Candidate(
                spelled(name or base, ({} if name else params) | {key: value}),
                family,
                (key, value),
                _made(base, {**params, key: value}, data),
            )
            for value in values
        ]
    require_estimator(estimator)
    family = name or _called(estimator)
    if grid is None:
        return [Candidate(family, family, None, estimator)]
    key, values = grid
    return [
        Candidate(spelled(family, {key: value}), family, (key, value), _set(estimator, key, value))
        for value in values
    ]


def require_estimator(estimator: Any) -> None:
    """Refuse what cannot be trained again and again."""
    lacking = [name for name in ("fit", "predict", "get_params") if not hasattr(estimator, name)]
    is_class = isinstance(estimator, type)
    if lacking or is_class:
        why = f"is the class {estimator.__name__}" if is_class else f"lacks {lacking[0]}"
        raise InputError(
            f"{estimator!r} is no estimator, it {why}; give an object of scikit-learn, a short "
            f"name ({', '.join(LEARNERS)}) or module:factory"
        )


def _called(estimator: Any) -> str:
    """As scikit-learn prints it, where that is short."""
    text = " ".join(repr(estimator).split()).removesuffix("()")
    return text if len(text) <= _LONGEST_NAME else type(estimator).__name__


def _set(estimator: Any, key: str, value: Any) -> Any:
    names = estimator.get_params()
    if key not in names:
        raise InputError(
            f"{_called(estimator)} has no parameter {key!r}; its parameters: "
            f"{', '.join(sorted(names))}"
        )
    return library("sklearn.base").clone(estimator).set_params(**{key: value})


# ── spellings ─────────────────────────────────────────────────────────────────────────────────


def parsed(spelling: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters of name(parameter=value,…); a bare word is text."""
    match = _SPELLING.fullmatch(spelling)
    if match is None:
        raise InputError(
            f"{spelling!r} is no estimator; write name or name(parameter=value,…), such as "
            "decision_tree(max_depth=3)"
        )
    name, inside = match[1], match[2] or ""
    try:
        call = ast.parse(f"_({inside})", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(one.arg is None for one in call.keywords):
            raise ValueError
        return name, {str(one.arg): _value(one.value) for one in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        raise InputError(
            f"{spelling!r}: cannot read {inside!r}; write parameters as name=value, parted by "
            "commas, such as max_depth=3,criterion=entropy"
        ) from None


def values_of(text: str) -> list[Any]:
    """Numbers, None, True, False, lists …, parted by commas; anything else is text."""
    try:
        listed = ast.parse(f"[{text}]", mode="eval").body
        assert isinstance(listed, ast.List)
        return [_value(node) for node in listed.elts]
    except (SyntaxError, ValueError, AssertionError):
        return [part.strip() for part in text.split(",")]


def _value(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def spelled(name: str, params: Params) -> str:
    """The same again as text."""
    if not params:
        return name
    inside = ",".join(
        f"{key}={value if isinstance(value, str) and value.isidentifier() else repr(value)}"
        for key, value in params.items()
    )
    return f"{name}({inside})"


def _made(name: str, params: Params, data: Dataset | InputError) -> Any:
    if ":" in name:
        return _imported(name, params)
    if name not in LEARNERS:
        raise InputError(
            f"{name!r} is no estimator; choose one of {', '.join(LEARNERS)}, or write "
            "module:factory for one of your own"
        )
    if isinstance(data, InputError):
        raise InputError(
            f"{name} needs a table of numbers or categories: {data}; or give an estimator of "
            "scikit-learn that takes what you have"
        )
    return learner(name, params, data)


def _imported(name: str, params: Params) -> Any:
    """What module:factory returns when it is called."""
    module, _, path = name.partition(":")
    try:
        factory = import_module(module)
        for part in path.split("."):
            factory = getattr(factory, part)
        made = factory(**params)  # type: ignore[operator]
    except Exception as error:  # code of one's own may raise anything
        raise InputError(
            f"{name}: {type(error).__name__}: {error}; module:factory is a function or class that "
            "can be imported and returns an estimator"
        ) from None
    require_estimator(made)
    return made
