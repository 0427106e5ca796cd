"""`cranfield confusion --folds`: cross-validate estimators on a file of data, again and again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.report.monte_carlo import Validations
    from cranfield.tasks.classes.monte_carlo import Dataset

_PANEL = "Cross-validation"
_REPEATS = 10

Folds = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        min=2,
        rich_help_panel=_PANEL,
        help="Take FILE as data to learn from, and cross-validate estimators in K folds.",
    ),
]
Estimators = Annotated[
    list[str] | None,
    typer.Option(
        "--estimator",
        metavar="NAME",
        rich_help_panel=_PANEL,
        help="naive_bayes, gaussian_nb, decision_tree, random_forest, boosting, logistic, knn, "
        "svm, majority, chance or module:factory, with parameters if wished: "
        "'decision_tree(max_depth=3)'; may be repeated.",
        show_default=False,
    ),
]
Repeats = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_DRAWS,
        rich_help_panel=_PANEL,
        help=f"Cross-validations, each with other folds; default: {_REPEATS}.",
    ),
]
Grid = Annotated[
    str | None,
    typer.Option(
        metavar="PARAMETER=A,B,…",
        rich_help_panel=_PANEL,
        help="Try several values of a parameter with all estimators.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|last",
        rich_help_panel=_PANEL,
        help="Column of the classes; default: the last.",
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        rich_help_panel=_PANEL,
        help="The first line is data; columns are called 1, 2, 3, …",
    ),
]
Categorical = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,…|all",
        rich_help_panel=_PANEL,
        help="Columns of numbers that are categories.",
    ),
]
NotStratified = Annotated[
    bool,
    typer.Option(
        "--not-stratified",
        rich_help_panel=_PANEL,
        help="Cut folds without a look at the classes.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        rich_help_panel=_PANEL,
        help="Processes; default: one, and all cores where that takes long.",
    ),
]


@dataclass(frozen=True)
class Learning:
    """What was asked for on the command line."""

    folds: int | None
    estimator: list[str] | None
    repeats: int | None
    grid: str | None
    target: str | None
    no_header: bool
    categorical: str | None
    not_stratified: bool
    workers: int | None
    seed: int

    def require_sense(self, others: Mapping[str, Any]) -> bool:
        """Whether to cross-validate; refuses options that have no place in what is asked.

        others  options of confusion matrices that were given, by name
        """
        if self.folds is None:
            for one in fields(self):
                if one.name != "seed" and getattr(self, one.name):
                    option = one.name.replace("_", "-")
                    raise typer.BadParameter(
                        f"--{option} is for data to learn from; give --folds too"
                    )
            return False
        for name, value in others.items():
            if value:
                raise typer.BadParameter(f"{name} is for confusion matrices; leave it or --folds")
        if not self.estimator:
            raise typer.BadParameter("--folds needs at least one --estimator")
        return True

    @property
    def values(self) -> dict[str, list[Any]] | None:
        """The grid: its parameter and the values of it."""
        if self.grid is None:
            return None
        from cranfield.tasks.classes.monte_carlo.candidates import values_of

        name, sign, values = self.grid.partition("=")
        if not sign or not name.strip() or not values.strip():
            raise typer.BadParameter(
                f"{self.grid!r}; write a parameter and its values, such as max_depth=2,4,8",
                param_hint="--grid",
            )
        return {name.strip(): values_of(values)}


def cross_validated(files: list[Path], asked: Learning, measures: list[str] | None) -> Validations:
    """Read the data, and let the estimators learn from them."""
    from cranfield.cli.screen import progress
    from cranfield.report.monte_carlo import Validations
    from cranfield.tasks.classes.monte_carlo import monte_carlo

    if len(files) != 1:
        raise typer.BadParameter("--folds takes one file of data", param_hint="FILE")
    _require_measures(measures)
    grid, estimators = asked.values, asked.estimator or []
    repeats = asked.repeats or _REPEATS
    if any(":" in one for one in estimators) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # one's own estimators stand where one works
    _require_estimators(estimators, grid)
    data = _read(files[0], asked)
    tries = len(estimators) * (1 if grid is None else sum(map(len, grid.values())))
    with progress("cross-validating", tries * repeats) as step:
        result = monte_carlo(
            estimators,
            data,
            folds=asked.folds or 0,
            repeats=repeats,
            stratified=not asked.not_stratified,
            grid=grid,
            measures=measures or (),
            seed=asked.seed,
            workers=asked.workers,
            progress=step,
        )
    return Validations(result)


def _require_measures(given: list[str] | None) -> None:
    """Refuse measures that need more than a matrix, which is all that --folds finds."""
    from cranfield.tasks.classes.scores import confusion_measure

    for one in map(confusion_measure, given or ()):
        if one.options.get("kind") == "custom":
            raise typer.BadParameter(
                f"{one} needs costs of classes, which --folds does not read; leave one",
                param_hint="--measure",
            )


def _require_estimators(given: list[str], grid: Mapping[str, list[Any]] | None) -> None:
    """Refuse estimators and parameters that do not exist as wrong usage, whatever the data are."""
    from cranfield.errors import InputError
    from cranfield.tasks.classes.monte_carlo import Dataset
    from cranfield.tasks.classes.monte_carlo.candidates import candidates_of

    try:
        candidates_of(given, Dataset([[0], [1]], ["a", "b"]), grid)
    except InputError as error:
        hint = "--estimator" if grid is None else "--estimator, --grid"
        raise typer.BadParameter(str(error), param_hint=hint) from None


def _read(path: Path, asked: Learning) -> Dataset:
    from cranfield.formats.datasets import ALL, LAST, read_dataset

    named = [name.strip() for name in (asked.categorical or "").split(",") if name.strip()]
    return read_dataset(
        path,
        target=asked.target or LAST,
        header=not asked.no_header,
        categorical=ALL if named == [ALL] else named,
    )
