"""Classes: what `confusion` and `cross-validate` read and show."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.errors import MOST_DRAWS, InputError
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.monte_carlo import Dataset, MonteCarlo
from cranfield.tasks.classes.score_tables import (
    MEASURES,
    ClassScores,
    ConfusionScores,
    Draw,
    score_confusions,
)

_CUSTOM = "loss(kind=custom)"
_LEVEL, _SAMPLES = 0.95, 2000
_MEASURES = Option(
    name="measure",
    short="-m",
    metavar="NAME",
    help="Measure; may be repeated",
    default=", ".join(MEASURES),
)


class Matrices(NamedTuple):
    """Confusion matrices, and whether they came with costs."""

    systems: list[Confusion]
    priced: bool


def confusion_matrices(
    files: Annotated[list[Path], Argument(metavar="FILE")],
    *,
    truth: Annotated[Path | None, Option(excludes=("rows",))] = None,
    rows: Annotated[Literal["truth", "system"] | None, Option()] = None,
    together: Annotated[bool, Option(name="sum")] = False,
    loss: Annotated[Path | None, Option()] = None,
) -> Matrices:
    """The matrices of all files, each under a name of its own.

    files     A matrix (true,<class>,… or numbers only), cells (true,said,count) or labels
              (item,true,said); several are several systems.
    truth     True labels (item,label), where files hold those of systems.
    rows      What the rows of a matrix are; default: what its header says, else truth.
    together  Add all files up, as for the folds of a cross-validation.
    loss      Costs, true by said classes like a matrix, or a cost map, for loss(kind=custom).
    """
    from cranfield.commands.run_files import named_runs
    from cranfield.formats.confusion import read_confusion, read_loss

    systems = [
        read_confusion(path, name=name, rows=rows)
        if truth is None
        else read_confusion(truth, path, name=name)
        for name, path in named_runs(files).items()
    ]
    if together:
        systems = [Confusion.sum(systems, name="sum")]
    if loss is not None:
        systems = [read_loss(loss, system) for system in systems]
    return Matrices(systems, loss is not None)


def show_confusions(
    systems: list[Confusion],
    priced: bool,
    *,
    measures: Annotated[list[str] | None, _MEASURES] = None,
    by_class: Annotated[
        bool, Option(excludes=("one_vs_rest", "measures", "loss", "level"))
    ] = False,
    one_vs_rest: Annotated[
        str | None, Option(metavar="CLASS", excludes=("measures", "loss", "level"))
    ] = None,
    interval: Annotated[Literal["dirichlet", "bootstrap"] | None, Option()] = None,
    level: Annotated[
        float | None,
        Option(metavar="SHARE", minimum=0.01, maximum=0.9999, needs="interval", default="0.95"),
    ] = None,
    samples: Annotated[
        int | None, Option(minimum=1, maximum=MOST_DRAWS, needs="interval", default="2000")
    ] = None,
    seed: Annotated[int, Option(minimum=0)] = 0,
    draw: Annotated[
        Draw | None, Option(needs=("picture", "html", "save"), default="coverage")
    ] = None,
    progress: Progress = silent,
) -> ConfusionScores | ClassScores:
    """Score confusion matrices: accuracy beyond chance, losses, information missed and made up.

    Rows of a matrix are true classes and columns what a system said, unless its header says
    otherwise ("predicted", "said", "recognised"). Of the scores, systems are rows and measures
    columns, the best by the first measure on top.

    by_class     Counts, rates and entropies of every class.
    one_vs_rest  One class against all others.
    interval     How sure scores are, by drawing matrices so.
    level        Share of the drawn scores in an interval
    samples      Matrices to draw
    seed         Same seed, same intervals.
    draw         What charts show: the information coverage plot, with clouds where --interval is
                 given; joint entropies; entropies by class; the matrices
    """
    if by_class or one_vs_rest is not None:
        return _by_class(systems, one_vs_rest, interval, samples, seed, draw)
    requested = list(measures or MEASURES)
    if priced and _CUSTOM not in requested:
        requested.append(_CUSTOM)
    return score_confusions(
        systems,
        requested,
        interval=interval,
        level=level or _LEVEL,
        samples=samples or _SAMPLES,
        seed=seed,
        draw=draw or "coverage",
        progress=progress,
    )


def write_confusion_report(
    analysis: ConfusionScores | ClassScores,
    systems: list[Confusion],
    *,
    report: Annotated[Path | None, Option(panel="Report", writes="page")] = None,
    title: Annotated[str | None, Option(panel="Report", needs="report")] = None,
    progress: Progress = silent,
) -> None:
    """Write the page of confusion matrices.

    report  Also write a page (.html): measures with intervals, classes, the most confused ones, the
            matrices; one file that works offline.
    title   Of the page.
    """
    from cranfield.reports.confusions import confusion_report
    from cranfield.show import write

    if report is not None:
        scores = analysis if isinstance(analysis, ConfusionScores) else None
        made = confusion_report(systems, scores, title=title or "", progress=progress)
        write(made, report, "html")


def _by_class(
    systems: list[Confusion],
    only: str | None,
    interval: Literal["dirichlet", "bootstrap"] | None,
    samples: int | None,
    seed: int,
    draw: Draw | None,
) -> ClassScores:
    from cranfield.tasks.classes.coverage import sample_clouds

    if interval is not None and draw != "coverage":
        raise InputError(
            "intervals are of scores, which classes do not show",
            mend="leave it out, or draw them as clouds by {draw=coverage}",
            parameter="interval",
        )
    for system in systems if only is not None else ():
        system.one_vs_rest(only)  # refuses a class that is not there

    def clouds() -> Any:
        if interval is None:
            return ()
        return sample_clouds(systems, method=interval, samples=samples or _SAMPLES, seed=seed)

    return ClassScores(systems, only, draw or "coverage", clouds)


# ── cross-validation ──────────────────────────────────────────────────────────────────────────


class Data(NamedTuple):
    """Data to learn from."""

    data: Dataset


def dataset(
    file: Annotated[Path, Argument(metavar="DATA")],
    *,
    target: Annotated[str | None, Option(metavar="NAME|last", default="the last")] = None,
    header: Annotated[bool, Option()] = True,
    categorical: Annotated[str | None, Option(metavar="NAME,…|all")] = None,
) -> Data:
    """A table of features and classes.

    file         Data to learn from: a table with a column of classes.
    target       Column of the classes
    header       Whether the first line names columns; else they are called 1, 2, 3, …
    categorical  Columns of numbers that are categories.
    """
    from cranfield.formats.datasets import ALL, LAST, read_dataset

    named = [name.strip() for name in (categorical or "").split(",") if name.strip()]
    return Data(
        read_dataset(
            file,
            target=target or LAST,
            header=header,
            categorical=ALL if named == [ALL] else named,
        )
    )


def cross_validate(
    data: Dataset,
    *,
    estimators: Annotated[list[str], Option(name="estimator", metavar="NAME")],
    folds: Annotated[int, Option(metavar="K", minimum=2)] = 10,
    repeats: Annotated[int, Option(minimum=1, maximum=MOST_DRAWS)] = 10,
    grid: Annotated[str | None, Option(metavar="PARAMETER=A,B,…")] = None,
    measures: Annotated[
        list[str] | None, Option(name="measure", short="-m", metavar="NAME")
    ] = None,
    stratified: Annotated[bool, Option()] = True,
    seed: Annotated[int, Option(minimum=0)] = 0,
    workers: Annotated[int | None, Option(minimum=1)] = None,
    progress: Progress = silent,
) -> MonteCarlo:
    """Cross-validate estimators of scikit-learn again and again, each time with other folds.

    How wide scores scatter says how much they owe to the folds that happened to be drawn. Pairs of
    estimators are compared by the corrected resampled t-test.

    estimators  naive_bayes, gaussian_nb, decision_tree, random_forest, boosting, logistic, knn,
                svm, majority, chance or module:factory, with parameters if need be:
                'decision_tree(max_depth=3)'; may be repeated.
    folds       Parts in which items are tested once in each repeat.
    repeats     Cross-validations, each with other folds.
    grid        Try several values of a parameter with all estimators.
    measures    Further measures of confusion matrices; may be repeated.
    stratified  Whether folds hold classes in like shares.
    seed        Of the first repeat; the next ones follow.
    workers     Processes; default: one, and all cores where that takes long.
    """
    from cranfield.tasks.classes.monte_carlo import monte_carlo
    from cranfield.tasks.classes.monte_carlo.candidates import candidates_of

    if any(":" in spelling for spelling in estimators) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # estimators of one's own stand in the working directory
    values = _grid(grid)
    try:
        candidates_of(estimators, data, values)
    except InputError as error:
        raise InputError(error.what, mend=error.mend, parameter="estimators") from None
    return monte_carlo(
        estimators,
        data,
        folds=folds,
        repeats=repeats,
        stratified=stratified,
        grid=values,
        measures=measures or (),
        seed=seed,
        workers=workers,
        progress=progress,
    )


def _grid(text: str | None) -> dict[str, list[Any]] | None:
    """A parameter and its values: max_depth=2,4,8."""
    from cranfield.tasks.classes.monte_carlo.candidates import values_of

    if text is None:
        return None
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise InputError(
            f"{text!r}; write a parameter and its values, such as max_depth=2,4,8",
            parameter="grid",
        )
    return {name.strip(): values_of(values)}
