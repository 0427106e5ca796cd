"""Free tags held against a fixed vocabulary.

A system that may say anything says "doggy", "golden retriever" and "puppy" where the collection has
one concept, dog. Tags are mapped to concepts by their spelling, by synonyms, and by sources of
relatedness, each of which is asked only for what those before it did not find. Several tags may
become one concept. What no step finds is thrown away, or kept as concepts of its own, which no item
has: OS and SRP then score it by how closely it is related to what items have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.axes import as_ids
from cranfield.core.matrices import Cells, Floats, Ints, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge.maps import AgreementMap, RelatednessMap
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.relatedness.source import Coverage, Related, Source, Words

EXACT, SYNONYM = "exact", "synonym"

MOST_OUTSIDE = 3000
"""Tags outside the vocabulary that can be kept: costs are held for all pairs of names."""

_AT_LEAST = 500
"""Tags that are asked for at once, or as many as there are concepts: sources answer in squares."""

_PUNCTUATION = re.compile(r"[\s_\-./]+")


@dataclass(frozen=True)
class Step:
    """A source to ask, and how closely a tag must be related to the nearest concept."""

    source: Source
    threshold: float


@dataclass(frozen=True)
class Match:
    """What became of a tag."""

    tag: str
    concept: str | None
    """None: outside the vocabulary."""
    how: str
    """"exact", "synonym" or the name of a source; "" for none."""
    relatedness: float = 1.0
    also: tuple[str, ...] = ()
    """Further concepts that go by the same word; the first of all by id was taken."""


@dataclass(frozen=True)
class Asked:
    """What a source was asked, and the range of what it answered."""

    name: str
    threshold: float
    tags: int
    """Tags that the steps before it left."""
    least: float
    most: float
    """Of the relatedness of each tag to its nearest concept; NaN if the source knows none."""


@dataclass(frozen=True)
class TagMap:
    """Which concept each tag stands for."""

    concepts: tuple[str, ...]
    matches: tuple[Match, ...]
    steps: tuple[str, ...] = (EXACT,)
    """What was tried, in this order: "exact", "synonym", names of sources."""
    asked: tuple[Asked, ...] = ()
    """The sources among them, as far as tags were left for them."""

    @cached_property
    def outside(self) -> tuple[str, ...]:
        """Tags that stand for no concept."""
        return tuple(match.tag for match in self.matches if match.concept is None)

    def counts(self) -> dict[str, int]:
        """How many tags each step mapped."""
        taken = [match.how for match in self.matches]
        return {step: taken.count(step) for step in self.steps}

    def only(self, *steps: str) -> TagMap:
        """The same, as if only these steps had been taken."""
        return replace(
            self,
            steps=steps,
            matches=tuple(
                match if match.how in steps else Match(match.tag, None, "", 0.0)
                for match in self.matches
            ),
        )

    def apply(self, run: Run, *, keep: Sequence[str] = ()) -> Run:
        """The run over concepts; of several tags for one concept the highest score counts.

        keep  tags outside the vocabulary that stay, as concepts behind those of the collection
        """
        names = (*self.concepts, *keep)
        index = {name: i for i, name in enumerate(names)}
        target = {match.tag: index.get(match.concept or match.tag, -1) for match in self.matches}
        unknown = [tag for tag in run.concepts if tag not in target]
        if unknown:
            raise InputError(
                f"run {run.name!r} has {several(len(unknown), 'tag')} that were not mapped: "
                f"{first_ten(unknown)}; map the tags of this run"
            )
        columns = np.array([target[tag] for tag in run.concepts], dtype=np.int64)
        shape = (run.shape[0], len(names))
        by_tag = isinstance(run.threshold, np.ndarray)
        decided = run.labels is not None or by_tag
        mapped = Run(
            None if run.scores is None else _moved(_cells(run.scores), columns, shape),
            labels=_moved(_cells(run.assigned), columns, shape) if decided else None,
            name=run.name,
            items=run.item_axis,
            concepts=names,
            threshold=None if decided else run.threshold,
            group=run.group,
            tags=run.tags,
        )
        mapped.left_out = run.left_out
        return mapped


def map_tags(
    tags: Iterable[str],
    concepts: Iterable[str],
    *,
    synonyms: Words | None = None,
    steps: Sequence[Step] = (),
) -> TagMap:
    """Which concept each tag stands for.

    synonyms  words by which concepts go besides
    steps     sources to ask, in this order, for tags that spelling and synonyms do not settle; of
              concepts that are equally close the first by id is taken
    """
    ids, free = as_ids("concept", concepts), as_ids("concept", tags)
    taken = (EXACT, *([SYNONYM] if synonyms else []), *(step.source.name for step in steps))
    twice = [name for name in dict.fromkeys(taken) if taken.count(name) > 1]
    if twice:
        raise InputError(
            f"several steps are called {twice[0]}",
            mend=f"give each source another name: {{by=NAME={twice[0]}>=NUMBER}}",
        )
    matched: dict[str, Match] = {}
    _require_concepts(synonyms or {}, ids)
    by_id = {name: (name,) for name in ids}
    for how, spellings in ((EXACT, _spellings(by_id)), (SYNONYM, _spellings(synonyms or {}))):
        for tag in free:
            names = spellings.get(folded(tag), [])
            if tag not in matched and names:
                matched[tag] = Match(tag, names[0], how, also=tuple(names[1:]))
    answers = []
    for step in steps:
        rest = [tag for tag in free if tag not in matched]
        if rest:
            near = _nearest(rest, ids, synonyms or {}, step)
            answers.append(_asked(step, near))
            matched |= {match.tag: match for match in near if match.relatedness >= step.threshold}
    matches = tuple(matched.get(tag, Match(tag, None, "", 0.0)) for tag in free)
    return TagMap(ids, matches, taken, tuple(answers))


def folded(word: str) -> str:
    """A word without what spelling alone makes different: case, hyphens, underscores, dots."""
    return _PUNCTUATION.sub(" ", word.casefold()).strip()


def _spellings(words: Words) -> dict[str, list[str]]:
    """The concepts that go by each word, first by id first."""
    concepts: dict[str, dict[str, None]] = {}
    for name in sorted(words):
        for word in words[name]:
            concepts.setdefault(folded(word), {})[name] = None
    return {word: list(names) for word, names in concepts.items()}


def _require_concepts(synonyms: Words, concepts: Sequence[str]) -> None:
    unknown = [name for name in synonyms if name not in set(concepts)]
    if unknown:
        raise InputError(
            f"synonyms of {several(len(unknown), 'concept')} that are not in the vocabulary: "
            f"{first_ten(unknown)}; remove them or mend their spelling"
        )


def _nearest(
    tags: Sequence[str], concepts: Sequence[str], synonyms: Words, step: Step
) -> list[Match]:
    """The nearest concept of each tag; −∞ away where the source does not know."""
    order = sorted(concepts)
    related = between(step.source, tags, order, synonyms)
    best = np.where(np.isnan(related), -np.inf, related)
    return [
        Match(tag, order[column], step.source.name, float(best[row, column]))
        for row, (tag, column) in enumerate(zip(tags, best.argmax(axis=1), strict=True))
    ]


def _asked(step: Step, near: Sequence[Match]) -> Asked:
    values = [match.relatedness for match in near if match.relatedness > -np.inf]
    least, most = (min(values), max(values)) if values else (np.nan, np.nan)
    return Asked(step.source.name, step.threshold, len(near), least, most)


def between(
    source: Source, tags: Sequence[str], concepts: Sequence[str], synonyms: Words
) -> Floats:
    """(tags, concepts): how closely they are related; NaN where the source does not know."""
    rows = [values for _, values in _by_block(source, tags, concepts, synonyms)]
    return np.concatenate([np.empty((0, len(concepts))), *rows])


def _by_block(
    source: Source, tags: Sequence[str], concepts: Sequence[str], synonyms: Words
) -> Iterator[tuple[Sequence[str], Floats]]:
    """Some tags at a time, and how closely they are related to concepts."""
    # A tag may be spelled like a concept, so both are asked for under names of their own.
    theirs = {f"concept {name}": _words_of(name, synonyms) for name in concepts}
    size = max(_AT_LEAST, len(concepts))
    for start in range(0, len(tags), size):
        block = tags[start : start + size]
        words = {f"tag {tag}": _words_of(tag, {}) for tag in block} | theirs
        yield block, source.values(tuple(words), words)[: len(block), len(block) :]


def _words_of(concept: str, synonyms: Words) -> tuple[str, ...]:
    return (concept.replace("_", " "), *synonyms.get(concept, ()))


# ── tags outside the vocabulary ───────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Opened:
    """A collection's truth, a run and what is known, over concepts and tags alike."""

    truth: Truth
    run: Run
    relatedness: RelatednessMap
    coverage: Coverage
    """What the source knows of concepts and tags."""
    ontology: Ontology | None = None
    agreement: AgreementMap | None = None


def opened(
    truth: Truth,
    run: Run,
    tags: TagMap,
    source: Source,
    *,
    synonyms: Words | None = None,
    ontology: Ontology | None = None,
    agreement: AgreementMap | None = None,
) -> Opened:
    """Make concepts of the tags that stand outside and that the run says at all, which no item has.

    Tags are related to concepts only. HS, OS and SRP never compare two tags, since no item has any;
    such pairs get the least relatedness there is of a tag and a concept.

    The ontology, if there is one, gets them as concepts without rules; the agreement map as
    concepts that nobody disagrees on.
    """
    outside = _said(run, tags)
    if len(outside) > MOST_OUTSIDE:
        raise InputError(
            f"run {run.name!r} has {len(outside)} tags outside the vocabulary, and at most "
            f"{MOST_OUTSIDE} can be kept; map more of them (synonyms, further sources, lower "
            "thresholds), or leave only the surest tags of each item in the run",
            about=("run", run.name),
        )
    related = _related(source, tags.concepts, outside, synonyms or {})
    wider = truth_with(truth, outside)
    if ontology is not None:
        parents = {**dict.fromkeys(outside, ()), **ontology.parents}
        ontology = replace(ontology, parents=parents, concepts=(*ontology.concepts, *outside))
    if agreement is not None:
        values = agreement.over(truth.concept_axis)
        agreement = AgreementMap([*values, *(1.0 for _ in outside)], related.map.concepts)
    run = tags.apply(run, keep=outside)
    return Opened(wider, run, related.map, related.coverage, ontology, agreement)


def _said(run: Run, tags: TagMap) -> tuple[str, ...]:
    """The tags outside that the run ranks or assigns anywhere."""
    cells = _cells(run.ranking)
    columns = cells.columns if run.scores is not None else cells.columns[cells.values > 0]
    used = {run.concepts[column] for column in np.unique(columns)}
    return tuple(tag for tag in tags.outside if tag in used)


def _related(
    source: Source, concepts: Sequence[str], tags: Sequence[str], synonyms: Words
) -> Related:
    """What the source says of concepts and tags, but not of two tags."""
    words = {name: _words_of(name, synonyms) for name in concepts}
    among = source.matrix(concepts, words)
    if not tags:
        return among
    rows, covered_tags = [], []
    for block, some in _by_block(source, tags, concepts, synonyms):
        rows.append(some)
        # Asked at once, while sources that count still have the counts of these words.
        covered_tags += [any(map(source.covers, _words_of(tag, {}))) for tag in block]
    near = np.concatenate(rows)
    silent = np.isnan(near)
    unknown = [tag for tag, covered in zip(tags, covered_tags, strict=True) if not covered]
    strangers = set(among.coverage.unknown)
    pairs = silent[covered_tags][:, [name not in strangers for name in concepts]]
    coverage = Coverage(
        (*concepts, *tags),
        (*among.coverage.unknown, *unknown),
        among.coverage.unrelated + int(np.count_nonzero(pairs)),
    )
    least = min(float(among.map.values.min()), float(near[~silent].min(initial=0.0)))
    near = np.where(silent, least, near)
    values = np.full((len(coverage.concepts),) * 2, near.min())
    values[: len(concepts), : len(concepts)] = among.map.values
    values[len(concepts) :, : len(concepts)] = near
    values[: len(concepts), len(concepts) :] = near.T
    np.fill_diagonal(values[len(concepts) :, len(concepts) :], 1.0)
    related = RelatednessMap(
        values, coverage.concepts, name=source.name, provenance=source.provenance
    )
    return Related(related, coverage)


def truth_with(truth: Truth, concepts: Sequence[str]) -> Truth:
    """The truth with further concepts that no item has."""
    shape = (truth.shape[0], truth.shape[1] + len(concepts))
    labels = _moved(_cells(truth.matrix), np.arange(truth.shape[1]), shape)
    judged = None
    if truth.judged is not None:
        judged = np.ones(shape, dtype=np.bool_)
        judged[:, : truth.shape[1]] = dense(truth.judged)
    return Truth(
        labels,
        items=truth.item_axis,
        concepts=(*truth.concepts, *concepts),
        judged=judged,
        unjudged=truth.unjudged,
    )


def _cells(matrix: NDArray[Any] | Cells) -> Cells:
    if isinstance(matrix, Cells):
        return matrix
    shape = (matrix.shape[0], matrix.shape[1])
    return Cells(shape, np.arange(matrix.size), matrix.ravel())


def _moved(cells: Cells, columns: Ints, shape: tuple[int, int]) -> Cells:
    """Cells in other columns, −1 = nowhere; of several for one cell the largest."""
    target = columns[cells.columns]
    here = target >= 0
    codes = cells.rows[here] * shape[1] + target[here]
    values = cells.values[here]
    order = np.argsort(codes, kind="stable")
    codes, values = codes[order], values[order]
    first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1])[: len(codes)])
    largest = np.maximum.reduceat(values, first) if len(first) else values
    return Cells(shape, codes[first], largest)


def effects(tags: TagMap) -> Mapping[str, TagMap]:
    """The map as each step leaves it, so that scores can be compared step by step."""
    return {name: tags.only(*tags.steps[: index + 1]) for index, name in enumerate(tags.steps)}
