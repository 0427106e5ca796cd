"""What commands over runs share: the file of a run that cannot be used, measures and thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.cli.choices import Missing
from cranfield.cli.trec_style import Topics

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.engine.evaluation import Evaluation
    from cranfield.knowledge import Knowledge
    from cranfield.measures import Measure


@contextmanager
def naming(
    files: Mapping[str, Path], weights: Path | None = None, maps: Mapping[str, Path] | None = None
) -> Iterator[None]:
    """Put the file before what the library says of a run, of weights or of a map."""
    from cranfield.errors import FileError, InputError

    try:
        yield
    except FileError:
        raise
    except InputError as error:
        message = str(error)
        about = {f"run {name!r}": path for name, path in files.items()}
        about |= maps or {}
        if weights is not None:
            about["weights"] = weights
        for words, path in about.items():
            if message.startswith(words):
                raise FileError(path, message) from None
        raise


def possible(measures: list[Measure], runs: list[Run], files: Mapping[str, Path]) -> list[Measure]:
    """Of measures that nobody asked for by name, those that every run has decisions for."""
    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import inform

    for run in runs:
        obstacle = _lack_of_decisions(run)
        if obstacle is not None:
            kept = [one for one in measures if one.traits.prediction != "decisions"]
            left = ", ".join(str(one) for one in measures if one not in kept)
            inform(f"without {left}: {files[run.name]}: {translated(obstacle)}")
            return kept
    return measures


def warn_of_thresholds(runs: Iterable[Run], measures: Iterable[Measure]) -> None:
    """Say which runs decide everything alike because of their threshold."""
    from cranfield.cli.screen import inform

    if not any(one.traits.prediction == "decisions" for one in measures):
        return
    for run in runs:
        if _lack_of_decisions(run) is None and run.one_sided is not None:
            inform(
                f"warning: run {run.name!r}: {run.one_sided}; cut it elsewhere with "
                f"--threshold {run.name}=NUMBER"
            )


def _lack_of_decisions(run: Run) -> str | None:
    """Why a run has no decisions; None if it has."""
    from cranfield.errors import InputError

    if run.labels is None:
        try:
            run.cut  # noqa: B018 - asked for the error it may raise
        except InputError as error:
            return str(error)
    return None


def score_runs(
    collection: Collection,
    runs: list[Run],
    measures: list[Measure],
    known: Knowledge,
    *,
    weights: dict[str, float] | None,
    missing: Missing,
    topics: Topics | None,
) -> Evaluation:
    """All runs by all measures, with a bar over runs."""
    from cranfield import engine
    from cranfield.cli.screen import stage_bar

    warn_of_thresholds(runs, measures)
    return engine.evaluate(
        collection,
        runs,
        measures,
        ontology=known.ontology,
        costs=known.costs,
        relatedness=known.relatedness,
        agreement=known.agreement,
        weights=weights,
        missing=missing.value,
        topics=None if topics is None else topics.value,
        progress=stage_bar,
    )
