"""`cranfield confusion`: score confusion matrices, one or several systems side by side."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.confusion_pictures import (
    Drawing,
    DrawOption,
    PictureFile,
    draw_repeats,
    draw_samples,
    draw_systems,
    require_drawable,
)
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.monte_carlo import (
    Categorical,
    Estimators,
    Folds,
    Grid,
    Learning,
    NoHeader,
    NotStratified,
    Repeats,
    Target,
    Workers,
    cross_validated,
)
from cranfield.cli.options import Json, csv_option, measure_option, output_option
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.measures import Measure
    from cranfield.report.confusions import ClassRows, ConfusionScores
    from cranfield.report.monte_carlo import Validations
    from cranfield.tasks.classes import Confusion

    _View = ClassRows | ConfusionScores | Validations

DEFAULT_MEASURES = ("accuracy", "kappa", "F", "xi", "completeness", "false_ratio", "S_I_norm")
_CUSTOM = "loss(kind=custom)"
_LEVEL, _SAMPLES = 0.95, 2000
_EXTENSIONS = {".json": "json", ".csv": "csv", ".tex": "latex", ".txt": "table"}


class Method(StrEnum):
    """How matrices are drawn that chance might have given instead."""

    dirichlet = "dirichlet"
    bootstrap = "bootstrap"


class RowsAre(StrEnum):
    """What the rows of a confusion matrix are."""

    truth = "truth"
    system = "system"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield confusion matrix.csv",
            "cranfield confusion a.csv b.csv -m kappa -m S_I_norm --interval dirichlet",
            "cranfield confusion caret.csv --rows system",
            "cranfield confusion matrix.csv --by-class",
            "cranfield confusion matrix.csv --one-vs-rest woman",
            "cranfield confusion fold*.csv --sum --json",
            "cranfield confusion system1.csv system2.csv --truth labels.csv",
            "cranfield confusion matrix.csv --loss costs.csv",
            "cranfield confusion a.csv b.csv --picture coverage.html --interval dirichlet",
            "cranfield confusion a.csv b.csv --picture matrices.svg --draw heat",
            "cranfield confusion --folds 10 data.csv --estimator naive_bayes --estimator svm",
            "cranfield confusion --folds 5 data.csv --estimator knn --grid n_neighbors=1,5,25",
        ),
    )(confusion)


def confusion(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="A matrix (true,<class>,… or numbers only), cells (true,said,count) or labels "
            "(item,true,said); several are several systems. With --folds, data to learn from.",
            show_default=False,
        ),
    ],
    measure: Annotated[list[str] | None, measure_option("Measure", DEFAULT_MEASURES)] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="True labels (item,label), where files hold those of systems."
        ),
    ] = None,
    rows: Annotated[
        RowsAre | None,
        typer.Option(
            metavar="truth|system",
            help="What the rows of a matrix are; default: what its header says, else truth.",
        ),
    ] = None,
    by_class: Annotated[
        bool, typer.Option("--by-class", help="Counts, rates and entropies of every class.")
    ] = False,
    one_vs_rest: Annotated[
        str | None, typer.Option(metavar="CLASS", help="One class against all others.")
    ] = None,
    interval: Annotated[
        Method | None,
        typer.Option(
            metavar="dirichlet|bootstrap", help="How sure scores are, by drawing matrices so."
        ),
    ] = None,
    level: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            min=0.01,
            max=0.9999,
            help=f"Share of the drawn scores in an interval; default: {_LEVEL}.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=MOST_DRAWS, help=f"Matrices to draw; default: {_SAMPLES}."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Same seed, same intervals and folds.")
    ] = 0,
    together: Annotated[
        bool,
        typer.Option("--sum", help="Add all files up, as for the folds of a cross-validation."),
    ] = False,
    loss: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Costs, true by said classes like a matrix, or a cost map, for loss(kind=custom).",
        ),
    ] = None,
    folds: Folds = None,
    estimator: Estimators = None,
    repeats: Repeats = None,
    grid: Grid = None,
    target: Target = None,
    no_header: NoHeader = False,
    categorical: Categorical = None,
    not_stratified: NotStratified = False,
    workers: Workers = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("score, class or repeat")] = False,
    as_latex: Annotated[
        bool, typer.Option("--latex", help="Print a LaTeX table (booktabs).")
    ] = False,
    output: Annotated[
        Path | None,
        output_option("Write to a file; .json .csv .tex .txt say what, unless a flag does."),
    ] = None,
    picture: PictureFile = None,
    draw: DrawOption = None,
) -> None:
    """Score confusion matrices: accuracy beyond chance, losses, information missed and made up.

    Rows of a matrix are true classes and columns what a system said, unless its header says
    otherwise ("predicted", "said", "recognised"). Of the scores, systems are rows and measures
    columns, the best by the first measure on top. With --folds, estimators of scikit-learn are
    cross-validated.
    """
    if by_class and one_vs_rest is not None:
        raise typer.BadParameter("give one of --by-class and --one-vs-rest")
    form = chosen_form({"json": as_json, "csv": as_csv, "latex": as_latex}, output, _EXTENSIONS)

    from cranfield.commands.run_files import files_of
    from cranfield.report.confusions import ClassRows

    given = (truth, loss, *(path for one in files for path in files_of(one)))
    spare(given, output)
    require_drawable(picture, draw, (*given, output), learning=folds is not None)
    asked = Learning(
        folds,
        estimator,
        repeats,
        grid,
        target,
        no_header,
        categorical,
        not_stratified,
        workers,
        seed,
    )
    drawn = {"--interval": interval, "--level": level, "--samples": samples}
    classwise = {"--by-class": by_class, "--one-vs-rest": one_vs_rest}
    matrices = {"--truth": truth, "--rows": rows, "--sum": together, "--loss": loss}
    if asked.require_sense({**matrices, **classwise, **drawn}):
        validations = cross_validated(files, asked, measure)
        if picture is not None:
            draw_repeats(validations.result, picture)
        _show(validations, form, output)
        return
    clouds = picture is not None and draw in (None, Drawing.coverage)
    scored = {"--measure": measure, "--loss": loss, **({} if clouds else drawn), "--level": level}
    _require_use(classwise, scored)
    if truth is not None and rows is not None:
        raise typer.BadParameter("--rows is for matrices, --truth for labels; leave one")
    if interval is None:
        _require_interval(drawn)
    wanted = _measures(measure, priced=loss is not None)
    systems = _read(files, truth, loss, rows, together=together)
    view: _View
    if by_class or one_vs_rest is not None:
        for system in systems if one_vs_rest is not None else ():
            system.one_vs_rest(one_vs_rest)
        view = ClassRows(systems, one_vs_rest)
    else:
        view = _scores(
            *(systems, wanted, interval),
            level=level or _LEVEL,
            samples=samples or _SAMPLES,
            seed=seed,
        )
    # Pictures first: one that cannot be written leaves no other file behind.
    if picture is not None and interval is not None and clouds:
        draw_samples(
            systems, picture, method=interval.value, samples=samples or _SAMPLES, seed=seed
        )
    elif picture is not None:
        draw_systems(systems, picture, draw)
    _show(view, form, output)


def _require_use(rows: Mapping[str, Any], scored: Mapping[str, Any]) -> None:
    """Refuse options of scores where classes are shown."""
    shown = next((name for name, value in rows.items() if value), None)
    for name, value in scored.items():
        if shown is not None and value is not None and value != []:
            raise typer.BadParameter(
                f"{name} is for scores, which {shown} does not show; leave one"
            )


def _require_interval(drawn: Mapping[str, Any]) -> None:
    """Refuse options of intervals where none is asked for."""
    for name, value in drawn.items():
        if value is not None:
            raise typer.BadParameter(f"{name} is for intervals; give --interval too")


def _measures(given: list[str] | None, *, priced: bool) -> list[Measure]:
    from cranfield.tasks.classes.scores import confusion_measure

    spellings = list(given or DEFAULT_MEASURES)
    found = [confusion_measure(one) for one in spellings]
    custom = confusion_measure(_CUSTOM)
    if priced and custom not in found:
        found.append(custom)
    return list(dict.fromkeys(found))


def _read(
    files: list[Path],
    truth: Path | None,
    loss: Path | None,
    rows: RowsAre | None,
    *,
    together: bool,
) -> list[Confusion]:
    """The matrices of all files, each under a name of its own."""
    from cranfield.commands.run_files import named_runs
    from cranfield.formats.confusion import read_confusion, read_loss
    from cranfield.tasks.classes import Confusion

    systems = [
        read_confusion(path, name=name, rows=None if rows is None else rows.value)
        if truth is None
        else read_confusion(truth, path, name=name)
        for name, path in named_runs(files).items()
    ]
    if together:
        systems = [Confusion.sum(systems, name="sum")]
    return systems if loss is None else [read_loss(loss, system) for system in systems]


def _scores(
    systems: list[Confusion],
    measures: list[Measure],
    method: Method | None,
    *,
    level: float,
    samples: int,
    seed: int,
) -> ConfusionScores:
    from cranfield.cli.screen import progress
    from cranfield.report.confusions import ConfusionScores

    intervals = []
    if method is not None:
        with progress("drawing", len(systems) * len(measures)) as step:
            for system in systems:
                for one in measures:
                    found = system.interval(
                        one, method=method.value, level=level, samples=samples, seed=seed
                    )
                    intervals.append((system.name, found))
                    step()
    return ConfusionScores(systems, measures, intervals)


def _show(view: _View, form: str, path: Path | None) -> None:
    from cranfield.cli.screen import output, plain

    if form == "table" and path is None:
        output().print(view.table())
    else:
        deliver(plain(view.table()) if form == "table" else view.export(form), path)
