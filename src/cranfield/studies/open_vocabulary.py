"""What it does to the scores of a run that its free tags are mapped to concepts.

Step by step: only what is spelled like a concept, then synonyms, then what each source finds near
enough. And for the tags that no step maps: whether OS and SRP throw them away, or score them by how
closely they are related to what items have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.engine.standings import score_column
from cranfield.errors import first_ten, several
from cranfield.knowledge import Knowledge
from cranfield.knowledge.maps import Normalisation, RelatednessMap
from cranfield.knowledge.open_vocabulary import (
    EXACT,
    Match,
    Step,
    TagMap,
    effects,
    map_tags,
    opened,
)
from cranfield.knowledge.relatedness.source import Coverage, Source, Words
from cranfield.measures import Measure, measure
from cranfield.studies.field import remarks_on

DEFAULT_MEASURES = ("concept.AP", "example.F")
OPEN_MEASURES = ("OS", "SRP")
_LISTED = 20
"""Tags that people see."""


@dataclass(frozen=True, eq=False)
class TagMapping(Analysis):
    """What became of the tags of a run, and what each step does to its scores."""

    title = "Free tags mapped to concepts"

    tags: TagMap
    scores: Mapping[str, Evaluation]
    """By step."""
    opening: Opening | None = None
    """With tags outside the vocabulary, if these were to be kept."""
    left_out: tuple[str, ...] = ()
    """Default measures that the run has no decisions for."""
    warnings: tuple[str, ...] = ()
    """What readers should know about the run."""

    def _facts(self) -> dict[str, Any]:
        tags, opening = self.tags, self.opening
        facts: dict[str, Any] = {
            "concepts": len(tags.concepts),
            "tags": len(tags.matches),
            "steps": tags.counts(),
            "matches": [_match(match) for match in tags.matches if match.concept is not None],
            "outside": list(tags.outside),
            "scores": _score_rows("step", self.scores),
        }
        if opening is not None:
            facts["open"] = {
                "source": opening.source,
                "normalised": opening.normalised,
                "unknown": list(opening.coverage.unknown),
                "scores": _score_rows("outside", opening.scores),
            }
        return facts

    def _tables(self) -> list[Table]:
        matches = [_match(match) for match in self.tags.matches]
        rows = [match | {"also": ";".join(match["also"])} for match in matches]
        tables = [Table("matches", rows, audience="programs"), self._steps()]
        near = [match for match in self.tags.matches if match.how not in (EXACT, "")]
        if near:
            tables.append(_near_table(near))
        if self.opening is not None:
            rows = [
                {"outside": name, **_values(scores)} for name, scores in self.opening.scores.items()
            ]
            columns = (Column("outside", "tags outside", key=True), *_columns(self.opening.scores))
            tables.append(Table("open", rows, columns, audience="people"))
        return tables

    def _steps(self) -> Table:
        """How many tags each step mapped, and the scores that it led to."""
        rows: list[dict[str, Any]] = [
            {"step": step if step == EXACT else f"+ {step}", "tags": count, **_values(scores)}
            for (step, count), scores in zip(
                self.tags.counts().items(), self.scores.values(), strict=True
            )
        ]
        blank = dict.fromkeys(rows[0], "")
        rows.append(blank | {"step": "outside", "tags": len(self.tags.outside)})
        columns = (Column("step", key=True), Column("tags"), *_columns(self.scores))
        return Table("steps", rows, columns, audience="people")

    def _remarks(self) -> list[str]:
        outside = self.tags.outside
        scores = {**self.scores, **(self.opening.scores if self.opening else {})}
        return [
            *_idle_steps(self.tags),
            *_ambiguous_tags(self.tags),
            f"outside the vocabulary: {first_ten(outside)}"
            if outside
            else "no tag is outside the vocabulary",
            *(() if self.opening is None else self.opening.remarks),
            *_notes(scores),
        ]


def map_run(
    collection: Collection,
    run: Run,
    measures: Iterable[str | Measure] | None = None,
    *,
    synonyms: Words | None = None,
    steps: Sequence[Step] = (),
    source: Source | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    progress: Progress = silent,
) -> TagMapping:
    """Map the tags of a run to concepts, and score it after each step.

    measures  to show the effect by; default: concept.AP, and example.F if the run decides
    synonyms  words by which concepts go besides
    steps     sources to ask for tags that spelling and synonyms do not settle
    source    keep tags outside the vocabulary, and score them by how closely this source relates
              them; measures that need costs or relatedness rest on it, where nothing else is known
    """
    chosen = [measure(name) for name in measures or DEFAULT_MEASURES]
    by_meaning = [measure(name) for name in OPEN_MEASURES]
    left_out = []
    if not run.decides:
        for defaults in ((chosen,) if not measures else ()) + ((by_meaning,) if source else ()):
            undecided = [m for m in defaults if m.traits.prediction == "decisions"]
            left_out.append(f"without {', '.join(map(str, undecided))}")
            defaults[:] = [m for m in defaults if m not in undecided]
    (scored,) = covering(collection, [run], extra)
    with progress("mapping tags", 0):
        tags = map_tags(run.concepts, collection.concepts, synonyms=synonyms, steps=steps)
        opening = None
        if source is not None:
            opening = open_scores(
                collection, scored, tags, source, by_meaning, synonyms=synonyms, missing=missing
            )
            collection = opening.lent_to(collection)
        scores = scores_by_step(collection, scored, tags, chosen, missing=missing)
    remarks = remarks_on([scored], chosen, terms=collection.truth.terms)
    return TagMapping(tags, scores, opening, tuple(left_out), tuple(remarks))


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

    @property
    def remarks(self) -> Iterator[str]:
        """On what the scores rest."""
        scale = (
            "not normalised" if self.normalised == "none" else f"normalised by {self.normalised}"
        )
        yield f"by {self.source}, {scale}; costs = 1 − relatedness"
        if self.coverage.unknown:
            unknown = first_ten(self.coverage.unknown)
            yield f"unknown to {self.source} and so unrelated: {unknown}"

    def lent_to(self, collection: Collection) -> Collection:
        """The collection with this relatedness, and the costs of it, where it has none."""
        knowledge = collection.knowledge
        costs = knowledge.costs or {self.source: self.relatedness.costs()}
        between = knowledge.relatedness or {self.source: self.relatedness}
        return replace(collection, knowledge=replace(knowledge, costs=costs, relatedness=between))


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
    wide = opened(
        collection.truth,
        run,
        tags,
        source,
        synonyms=synonyms,
        ontology=collection.knowledge.ontology,
        agreement=collection.knowledge.agreement,
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


# ── tables and remarks ────────────────────────────────────────────────────────────────────────


def _match(match: Match) -> dict[str, Any]:
    return {
        "tag": match.tag,
        "concept": match.concept,
        "by": match.how,
        "relatedness": match.relatedness,
        "also": list(match.also),
    }


def _near_table(matches: Sequence[Match]) -> Table:
    """Tags that are not spelled like their concepts."""
    rows = [_match(match) for match in matches[:_LISTED]]
    columns = (
        Column("tag", key=True),
        Column("concept"),
        Column("by"),
        Column("relatedness", digits=4),
    )
    more = [f"and {several(len(matches) - _LISTED, 'more tag')}"] if len(matches) > _LISTED else []
    return Table("near tags", rows, columns, remarks=more, audience="people")


def _columns(scores: Mapping[str, Evaluation]) -> list[Column]:
    return [replace(score_column(m), align="right") for m in next(iter(scores.values())).measures]


def _values(scores: Evaluation) -> dict[str, float]:
    return {str(score.measure): score.value for score in scores}


def _score_rows(key: str, scores: Mapping[str, Evaluation]) -> list[dict[str, Any]]:
    return [{key: name, **row} for name, result in scores.items() for row in result.records()]


def _idle_steps(tags: TagMap) -> Iterator[str]:
    """Steps whose thresholds part nothing: they map none of the tags left to them, or all."""
    for asked in tags.asked:
        step = f"{asked.name}>={asked.threshold:g}"
        if math.isnan(asked.most):
            yield f"{step} maps nothing: {asked.name} knows no pair of a tag and a concept"
        elif asked.most < asked.threshold:
            yield f"{step} maps nothing: the nearest tag is related by {asked.most:.4g}"
        elif tags.counts().get(asked.name) == asked.tags:
            left = several(asked.tags, "tag")
            yield f"{step} maps everything: {left}, the farthest related by {asked.least:.4g}"


def _ambiguous_tags(tags: TagMap) -> Iterator[str]:
    """Tags by which several concepts go, and which concept got them."""
    ambiguous = [match for match in tags.matches if match.also]
    for match in ambiguous[:_LISTED]:
        yield (
            f"{match.tag!r} went to {match.concept!r}, the first by id, but stands for "
            f"{first_ten(match.also)} too"
        )
    if len(ambiguous) > _LISTED:
        more = several(len(ambiguous) - _LISTED, "more tag")
        yield f"and {more} that stand for several concepts"


def _notes(scores: Mapping[str, Evaluation]) -> list[str]:
    """What must be read beside scores, and beside which."""
    notes: dict[str, dict[str, None]] = {}
    for name, result in scores.items():
        for score in result:
            for note in score.notes:
                notes.setdefault(note, {})[f"{name} {score.measure}"] = None
    return [f"{note} ({', '.join(of)})" for note, of in notes.items()]
