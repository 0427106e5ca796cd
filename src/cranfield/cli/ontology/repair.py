"""`cranfield ontology repair`: change labels as little as can be so that they break no rule."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_format, spare
from cranfield.cli.ontology.options import LabelThreshold, Lossy, OntologySource
from cranfield.cli.options import Concepts, ExtraOption, Format, Json, MissingOption, output_option

if TYPE_CHECKING:
    from cranfield.cli.ontology.labels import LabelFile
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth
    from cranfield.knowledge import Ontology
    from cranfield.knowledge.repair import Repair
    from cranfield.report.repairs import Gain


class By(StrEnum):
    """What is nearest to given labels."""

    labels = "labels"
    confidences = "confidences"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield ontology repair pto2009 truth.csv -o repaired.csv",
            "cranfield ontology repair pto2009 run.txt --against truth.csv -o repaired.txt",
            "cranfield ontology repair pto2009 run.txt --by confidences --required --json",
        ),
    )(repair)


def repair(
    source: OntologySource,
    labels: Annotated[
        Path,
        typer.Argument(
            metavar="LABELS",
            help="A truth, a run, or a collection folder, whose truth is meant.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        output_option("Write the repaired labels; the extension says how."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="The truth to score a run against, before and after."),
    ] = None,
    by: Annotated[
        By,
        typer.Option(
            metavar="labels|confidences",
            help="The smallest change, or the most probable label set by a run's confidences.",
        ),
    ] = By.labels,
    required: Annotated[
        bool, typer.Option("--required", help="Fill groups of which one is expected as well.")
    ] = False,
    threshold: LabelThreshold = None,
    lossy: Lossy = False,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    as_json: Json = False,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Change labels as little as can be so that no item breaks a rule, and tell what OS gains.

    Equally small changes: a broader concept that a label needs is added rather than that label
    removed; otherwise labels are removed, and the first by id stays.
    """
    require_format(output)
    spare((Path(source), labels, against, concepts), output)

    from cranfield import formats
    from cranfield.cli.ontology.labels import about, read_labels
    from cranfield.knowledge import Ontology

    ontology = Ontology.load(source)
    names = formats.read_concepts(concepts) if concepts else None
    truth = None if against is None else formats.read_collection(against, concepts=names)
    file = read_labels(
        labels,
        threshold=threshold,
        concepts=concepts,
        format=format,
        is_run=by is By.confidences,
        against=truth,
        extra=extra,
    )
    with about(labels):
        done = _repair(ontology, file, by, required=required)
        gain = _gain(ontology, file, done, truth, against, missing)
    if output is not None:
        _write(done, file, output, lossy=lossy)
    _show(ontology, done, gain, as_json=as_json)


def _repair(ontology: Ontology, file: LabelFile, by: By, *, required: bool) -> Repair:
    from cranfield.cli.screen import progress_over

    confidences = file.labels if by is By.confidences else None
    with progress_over("repairing", file.labels.shape[0]) as tell:
        return ontology.repair(file.labels, confidences, required=required, progress=tell)


def _gain(
    ontology: Ontology,
    file: LabelFile,
    done: Repair,
    truth: Collection | None,
    against: Path | None,
    missing: Missing,
) -> Gain | None:
    """OS before and after: of a run, or of somebody who is right about all given labels."""
    from cranfield import engine
    from cranfield.cli.screen import inform
    from cranfield.knowledge.label_table import concept_ids
    from cranfield.report.repairs import Gain

    axis = (file.labels if truth is None else truth.truth).concept_axis
    odd = ontology.constraints(concept_ids(ontology, axis)).impossible
    if odd:
        inform(f"without OS, since {ontology.name} contradicts itself: {next(iter(odd.values()))}")
        return None
    scores = []
    labels: Any
    for labels in (file.labels, done.labels):
        run, held = _perfect(labels, file.collection) if truth is None else (labels, truth)
        result = engine.evaluate(held, run, "OS", ontology=ontology, missing=missing.value)
        scores.append(result[run.name, "OS"])
    if truth is not None:
        whose = f"against {against}"
    elif file.collection is not None:
        whose = "of a run that is right about everything"
    else:
        whose = "of these labels, were they the truth"
    return Gain(scores[0], scores[1], whose)


def _perfect(labels: Truth | Run, known: Collection | None) -> tuple[Run, Collection]:
    """A run that says what is true, and the truth, if these labels are it."""
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth

    said = labels.assigned if isinstance(labels, Run) else labels.matrix
    items, concepts = labels.item_axis.ids, labels.concept_axis.ids
    truth = labels if isinstance(labels, Truth) else Truth(said, items=items, concepts=concepts)
    run = Run(labels=said, items=items, concepts=concepts)
    return run, replace(known or Collection(truth), truth=truth)


def _write(done: Repair, file: LabelFile, path: Path, *, lossy: bool) -> None:
    from cranfield.cli.ontology.labels import write_labels
    from cranfield.cli.screen import inform
    from cranfield.core.run import Run
    from cranfield.formats.contents import Content
    from cranfield.formats.registry import written_as

    labels = done.labels
    if file.collection is not None:
        write_labels(replace(file.collection, truth=labels), path, lossy=lossy)
        return
    both = labels.scores is not None and labels.labels is not None
    if lossy and both and Content.DECISIONS not in written_as(path).holds:
        # What was repaired are the decisions.
        inform("lost confidences beside decisions")
        labels = Run(
            labels=labels.labels,
            name=labels.name,
            items=labels.item_axis.ids,
            concepts=labels.concept_axis.ids,
            group=labels.group,
            tags=labels.tags,
        )
    write_labels(labels, path, lossy=lossy)


def _show(ontology: Ontology, done: Repair, gain: Gain | None, *, as_json: bool) -> None:
    from cranfield.cli.screen import data, output
    from cranfield.report.repairs import repair_tables

    if not as_json:
        output().print(repair_tables(done, gain))
        return
    scores = None if gain is None else gain._asdict()
    said = {"ontology": ontology.name, "digest": ontology.digest, **done.to_dict(), "OS": scores}
    data(json.dumps(said, indent=2, ensure_ascii=False) + "\n")
