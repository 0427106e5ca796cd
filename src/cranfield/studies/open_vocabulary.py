"""What it does to the scores of a run that its free tags are mapped to concepts.

Step by step: only what is spelled like a concept, then synonyms, then what each source finds near
enough. And for the tags that no step maps: whether OS and SRP throw them away, or score them by how
closely they are related to what items have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cranfield.collections.collection import Collection
from cranfield.core.axes import Missing
from cranfield.core.run import Run
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.knowledge import Knowledge
from cranfield.knowledge.maps import Normalisation, RelatednessMap
from cranfield.knowledge.open_vocabulary import TagMap, effects, opened
from cranfield.knowledge.relatedness.source import Coverage, Source, Words
from cranfield.measures import Measure


def scores_by_step(
    collection: Collection,
    run: Run,
    tags: TagMap,
    measures: Sequence[Measure],
    *,
    missing: Missing = "error",
) -> dict[str, Evaluation]:
    """The scores of the run as each step of the mapping leaves it."""
    return {
        step: evaluate(collection, mapped.apply(run), measures, missing=missing)
        for step, mapped in effects(tags).items()
    }


@dataclass(frozen=True)
class Opening:
    """Scores with the tags outside the vocabulary, and without them, by the same relatedness."""

    source: str
    coverage: Coverage
    """What the source knows of concepts and tags."""
    normalised: Normalisation
    scores: Mapping[str, Evaluation]
    """By what becomes of the tags outside: "thrown away", "kept"."""
    relatedness: RelatednessMap
    """What they rest on, normalised."""

    def lent_to(self, collection: Collection) -> Collection:
        """The collection with this relatedness, and the costs of it, where it has none."""
        known = collection.knowledge
        name, related = self.source, self.relatedness
        costs, between = (
            known.costs or {name: related.costs()},
            known.relatedness or {name: related},
        )
        return replace(collection, knowledge=replace(known, costs=costs, relatedness=between))


def open_scores(
    collection: Collection,
    run: Run,
    tags: TagMap,
    source: Source,
    measures: Sequence[Measure],
    *,
    synonyms: Words | None = None,
    missing: Missing = "error",
) -> Opening:
    """Score tags outside by their relatedness to concepts; costs are 1 − relatedness."""
    known = collection.knowledge
    wide = opened(
        collection.truth,
        run,
        tags,
        source,
        synonyms=synonyms,
        ontology=known.ontology,
        agreement=known.agreement,
    )
    related = wide.relatedness.normalised(source.normalisation)
    knowledge = Knowledge(ontology=wide.ontology, agreement=wide.agreement)
    wider = replace(collection, truth=wide.truth, knowledge=knowledge)
    sides = {"thrown away": (collection, tags.apply(run)), "kept": (wider, wide.run)}
    return Opening(
        source.name,
        wide.coverage,
        source.normalisation,
        {
            name: evaluate(
                *(side, answers, measures),
                costs=related.costs(),
                relatedness=related,
                missing=missing,
            )
            for name, (side, answers) in sides.items()
        },
        related,
    )
