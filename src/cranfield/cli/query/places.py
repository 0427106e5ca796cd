"""Where `cranfield query` searches: a collection with its runs, or the made-up campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cranfield import engine, formats
from cranfield.cli.choices import Extra
from cranfield.cli.evaluate import naming
from cranfield.cli.reading import read_collection, read_runs
from cranfield.cli.screen import inform, progress, stage_bar, waiting
from cranfield.collections.collection import Collection
from cranfield.commands.run_files import named_runs
from cranfield.commands.threshold_texts import cut_of
from cranfield.core.axes import Missing
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation
from cranfield.knowledge import Ontology
from cranfield.measures import Measure
from cranfield.studies.campaign import photo_campaign
from cranfield.studies.searching import SearchStudy
from cranfield.studies.simulation import simulate_world
from cranfield.tasks.retrieval import NamedQuery
from cranfield.tasks.retrieval import search as answered
from cranfield.tasks.retrieval.searching import Combine, items_to_find


@dataclass(frozen=True)
class Place:
    """A collection and its runs."""

    collection: Collection
    runs: list[Run]
    files: Mapping[str, Path]
    ontology: Ontology | None = None


@dataclass(frozen=True)
class Searched:
    """What queries find there."""

    queries: tuple[NamedQuery, ...]
    truth: Truth
    runs: list[Run]


def demo(ontology: str | None) -> Place:
    """The campaign of `cranfield demo`."""
    inform("without --truth: searching the made-up photo campaign of cranfield demo")
    campaign = photo_campaign()
    with waiting("simulating"):
        world = simulate_world(campaign.design)
        runs = list(campaign.runs(world))
    return Place(Collection(world.truth), runs, {}, _known(ontology, world.truth))


def opened(
    truth: Path,
    runs: list[Path] | None,
    format: str | None,
    concepts: Path | None,
    threshold: list[str] | None,
    ontology: str | None,
    extra: Extra,
    split: str | None,
) -> Place:
    """What the files hold."""
    collection = read_collection(truth, concepts, format, split)
    known = _known(ontology, collection.truth)
    files = named_runs(runs or collection.runs)
    with naming(files):
        read = read_runs(collection, files, format=format, threshold=cut_of(threshold), extra=extra)
    return Place(collection, read, files, known)


def _known(ontology: str | None, truth: Truth) -> Ontology | None:
    """The ontology of this name, which must cover the concepts."""
    return formats.read_ontology(ontology, covering=truth.concept_axis) if ontology else None


def search(
    place: Place, queries: tuple[NamedQuery, ...], combine: Combine, missing: Missing
) -> Searched:
    """What queries find in the truth and by each run."""
    items = items_to_find(place.collection.truth, missing)
    runs = []
    with progress("searching", len(place.runs)) as step:
        for run in place.runs:
            runs.append(answered(run, queries, combine=combine, missing=missing, items=items))
            step()
    return Searched(queries, answered(place.collection, queries), runs)


def score(searched: Searched, measures: list[Measure], missing: Missing) -> Evaluation:
    """How well the searches went."""
    return engine.evaluate(
        searched.truth, searched.runs, measures, missing=missing, progress=stage_bar
    )


def compare(
    place: Place, searches: Evaluation, measures: list[Measure], missing: Missing
) -> SearchStudy:
    """The same runs ranked by their annotations."""
    annotations = engine.evaluate(
        place.collection, place.runs, measures, ontology=place.ontology, missing=missing
    )
    return SearchStudy(searches, annotations)
