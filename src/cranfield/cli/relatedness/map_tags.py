"""`cranfield relatedness map`: the free tags of a run become concepts of a collection."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.evaluate import naming, possible
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_format, spare
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    ExtraOption,
    Json,
    MissingOption,
    OntologyOption,
    RelatednessOption,
    Threshold,
    TruthPath,
    measure_option,
    output_option,
)
from cranfield.cli.relatedness.sources import KINDS, source_named
from cranfield.commands.knowledge_files import KnowledgeFiles

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.engine.evaluation import Evaluation
    from cranfield.knowledge.open_vocabulary import Step, TagMap
    from cranfield.knowledge.relatedness.source import Words
    from cranfield.studies.open_vocabulary import Opening

DEFAULT_MEASURES = ("concept.AP", "example.F")
OPEN_MEASURES = ("OS", "SRP")


def register(app: typer.Typer) -> None:
    app.command(
        "map",
        cls=Command,
        epilog=examples(
            "cranfield relatedness map truth.csv tags.csv --synonyms words.csv",
            "cranfield relatedness map collection/ tags.csv --by 'WUP>=0.9' "
            "--by 'vectors:glove.txt>=0.6' -o mapped.csv",
            "cranfield relatedness map collection/ tags.csv --by 'WUP>=0.9' -m OS --open WUP",
        ),
    )(map_tags)


def map_tags(
    truth: TruthPath,
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="A run of free tags, in a format that names them: long, CSV, Parquet …",
            show_default=False,
        ),
    ],
    synonyms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Words by which concepts go besides: CSV with the header concept,word.",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE>=NUMBER",
            help="Ask a source for the nearest concept, which must be related at least so closely "
            f"on its scale; may be repeated. {KINDS}.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        measure_option("Measure to show the effect by", DEFAULT_MEASURES),
    ] = None,
    opened: Annotated[
        str | None,
        typer.Option(
            "--open",
            metavar="SOURCE",
            help="Keep tags outside the vocabulary, and score them by how closely this source "
            f"relates them: {', '.join(OPEN_MEASURES)}; measures that need costs or relatedness "
            "rest on it too, where nothing else is known.",
        ),
    ] = None,
    as_json: Json = False,
    output: Annotated[
        Path | None,
        output_option("Write the run over concepts: .csv .tsv .npz .parquet …"),
    ] = None,
    threshold: Threshold = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> None:
    """Map the tags of a run to concepts: by spelling, synonyms, then sources, one after the other.

    Shows what became of them and what each step does to the scores. Of several tags for one
    concept the highest confidence counts.
    """
    from cranfield.cli.screen import inform, waiting
    from cranfield.collections.extra_items import covering
    from cranfield.formats import write_run
    from cranfield.formats.relatedness.named import files_of
    from cranfield.knowledge.open_vocabulary import map_tags as mapped
    from cranfield.measures import measure as named
    from cranfield.studies.open_vocabulary import open_scores, scores_by_step

    asked = [*(_parted(one)[0] for one in by or ()), *([opened] if opened else [])]
    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    read = (
        truth,
        run,
        synonyms,
        concepts,
        *about.all,
        *(file for one in asked for file in files_of(one)),
    )
    spare(read, output)
    require_format(output)
    wanted = [named(spelling) for spelling in measure or DEFAULT_MEASURES]
    steps = [_step(one) for one in by or ()]
    source = None if opened is None else source_named(opened, option="--open")
    collection, free = _read(truth, run, threshold=threshold, concepts=concepts)
    (scored,) = covering(collection, [free], extra.value)
    known = about.read(collection.truth.concept_axis).over(collection.knowledge)
    collection = replace(collection, knowledge=known)
    words = _words(collection, synonyms)
    files = {free.name: run}
    if not measure:
        wanted = possible(wanted, [free], files)
    with naming(files, None, about.called(truth)), waiting("mapping tags"):
        tags = mapped(free.concepts, collection.concepts, synonyms=words, steps=steps)
        opening = None
        if source is not None:
            by_meaning = possible([named(name) for name in OPEN_MEASURES], [free], files)
            opening = open_scores(
                *(collection, scored, tags, source, by_meaning),
                synonyms=words,
                missing=missing.value,
            )
            collection = opening.lent_to(collection)
        scores = scores_by_step(collection, scored, tags, wanted, missing=missing.value)
    if output is not None:
        write_run(tags.apply(free), output)
        inform(f"wrote {output}")
    _show(tags, scores, opening, as_json=as_json)


def _parted(given: str) -> tuple[str, str]:
    """The source and the threshold of SOURCE>=NUMBER."""
    spelling, _, number = given.rpartition(">=")
    return spelling.strip(), number.strip()


def _step(given: str) -> Step:
    from cranfield.knowledge.open_vocabulary import Step

    spelling, number = _parted(given)
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not spelling or not math.isfinite(threshold):
        raise typer.BadParameter(
            f"{given!r}; give a source and how closely a tag must be related to its concept: "
            "'WUP>=0.9'",
            param_hint="--by",
        )
    return Step(source_named(spelling, option="--by"), threshold)


def _read(
    truth: Path, run: Path, *, threshold: float | None, concepts: Path | None
) -> tuple[Collection, Run]:
    """The collection and the run, both of which must name their concepts."""
    from cranfield import formats
    from cranfield.commands.run_files import run_name
    from cranfield.errors import FileError

    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names)
    if collection.truth.concept_axis.ids is None:
        raise FileError(truth, "does not name its concepts; name them with --concepts")
    free = formats.read_run(run, name=run_name(run), threshold=threshold)
    if free.concept_axis.ids is None:
        raise FileError(run, "does not name its tags; write item,concept,value on each line")
    return collection, free


def _words(collection: Collection, path: Path | None) -> Words:
    """Words by which concepts go beside their ids: what codes stand for, and synonyms."""
    from cranfield.errors import FileError, first_ten, several
    from cranfield.formats.words import read_words

    given = {} if path is None else read_words(path)
    known = set(collection.concepts)
    unknown = [name for name in given if name not in known]
    if unknown and path is not None:
        raise FileError(
            path,
            f"has synonyms of {several(len(unknown), 'concept')} that the truth lacks: "
            f"{first_ten(unknown)}; remove them or mend their spelling",
        )
    called = {name: (said,) for name, said in collection.descriptions.items() if name in known}
    return {name: (*called.get(name, ()), *given.get(name, ())) for name in {**called, **given}}


def _show(
    tags: TagMap, scores: Mapping[str, Evaluation], opening: Opening | None, *, as_json: bool
) -> None:
    from cranfield.cli.screen import data, output
    from cranfield.report.open_vocabulary import mapping_content, mapping_tables

    if as_json:
        content = mapping_content(tags, scores, opening)
        data(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(mapping_tables(tags, scores, opening))
