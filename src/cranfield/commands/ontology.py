"""Commands about ontologies: check labels, repair or complete them, make costs of a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cranfield.commands.inputs import ConceptsOption, FormatOption, require_format
from cranfield.core.options import Argument, Option, finite_number
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.knowledge import CostMap, Ontology
from cranfield.knowledge.closing import Closure
from cranfield.knowledge.map_summary import MapSummary
from cranfield.knowledge.maps import Normalisation
from cranfield.knowledge.ontology import Costing, Tree
from cranfield.knowledge.ontology_summary import OntologyCheck
from cranfield.knowledge.repair import By, Gain, Repair
from cranfield.knowledge.violations import LabelCheck, check_labels

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.commands.label_files import LabelFile
    from cranfield.core.axes import Missing

_INPUTS = "Inputs"


class OntologyInput(NamedTuple):
    """An ontology."""

    ontology: Ontology


def ontology_named(source: Annotated[str, Argument(metavar="ONTOLOGY")]) -> OntologyInput:
    """An ontology by its name, or from a file.

    source  pto2009, pto2010, pto2011, or a file: .owl .ttl .rdf .obo .json .csv
    """
    return OntologyInput(Ontology.load(source))


def check(
    ontology: Ontology,
    *,
    labels: Annotated[Path | None, Argument(metavar="LABELS")] = None,
    required: Annotated[bool, Option()] = True,
    threshold: Annotated[
        float | None, Option(metavar="NUMBER", parse=finite_number, needs="labels", panel=_INPUTS)
    ] = None,
    format: FormatOption = None,
    concepts: ConceptsOption = None,
) -> LabelCheck | OntologyCheck:
    """Check labels against an ontology: each rule that an item breaks, up to 20, then counts.

    JSON and CSV hold all of them. The exit code is 1 if there are any. A rule that an unjudged cell
    of a truth may satisfy is not broken.

    labels     A truth, a run, or a collection folder, whose truth is meant; default: check the
               ontology itself.
    required   Report items that lack a group that is expected.
    threshold  Labels of a run are confidences at or above this; default 0.5 within [0, 1].
    """
    if labels is None:
        return OntologyCheck(ontology)
    from cranfield.commands.label_files import about, read_labels

    require_format(format)
    file = read_labels(labels, threshold=threshold, concepts=concepts, format=format)
    with about(labels):
        return check_labels(
            ontology,
            file.labels,
            required=required,
            source=str(labels),
            verdict=file.meant_as,
            warnings=file.warnings,
        )


def close(
    ontology: Ontology,
    *,
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    output: Annotated[Path | None, Option(short="-o", writes="truth")] = None,
    required: Annotated[bool, Option()] = False,
    lossy: Annotated[bool, Option(needs="output")] = False,
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Closure:
    """Resolve the unjudged cells of a truth that follow from its judgements.

    A positive concept makes those above it positive, a negative one those below it negative, and
    a positive member of a disjoint group the others negative. What was judged stays; cells that
    would be both are left as they were and reported.

    truth     A truth file, or a collection folder.
    output    Write the truth; the extension says how.
    required  Conclude from groups of which one is expected as well.
    lossy     Write even if FILE cannot hold everything; say what is lost.
    """
    from cranfield import formats
    from cranfield.commands.label_files import about, write_labels

    require_format(format)
    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names, format=format)
    with about(truth):
        closure = ontology.close(collection.truth, required=required, progress=progress)
    if output is not None:
        closed = replace(collection, truth=closure.truth)
        for loss in write_labels(closed, output, lossy=lossy):
            notify(loss)
    return closure


def costs(
    *,
    source: Annotated[str | None, Argument(metavar="ONTOLOGY")] = None,
    kind: Annotated[Costing | None, Option(default="DDMC", excludes=("relatedness",))] = None,
    tree: Annotated[Tree | None, Option(default="flat", excludes=("relatedness",))] = None,
    relatedness: Annotated[
        Path | None, Option(name="from", metavar="FILE", excludes=("source",))
    ] = None,
    normalise: Annotated[Normalisation | None, Option(default="none", needs="relatedness")] = None,
    check: Annotated[bool, Option()] = False,
    output: Annotated[Path | None, Option(short="-o", writes="map")] = None,
) -> MapSummary:
    """Show what it costs to take one concept for another, or write it to a file.

    From the hierarchy of an ontology, or from a file that says how closely concepts are related,
    or what they cost.

    source       pto2009, pto2010, pto2011, or a file: .owl .ttl .rdf .obo .json .csv
    kind         Links cost half as much on each deeper level, or all the same.
    tree         The whole tree (printed), or one without levels that the ontology names.
    relatedness  Make costs of a relatedness map: 1 − relatedness; a file that says
                 “# map: cost map” holds them already.
    normalise    Bring relatedness into [0, 1] by its largest value, or by its smallest too.
    check        Say whether costs are symmetric and a metric.
    output       Write the map with where it comes from, to read it with --costs: .csv .tsv .npz
    """
    if relatedness is not None:
        made = _costs_in(relatedness, normalise)
    elif source is not None:
        made = Ontology.load(source).cost_map(tree or "flat", kind or "DDMC")
    else:
        raise InputError(
            "there is nothing to make costs of",
            mend="give an ontology, or {relatedness=FILE}",
            parameter="source",
        )
    if output is not None:
        from cranfield.formats import write_map

        write_map(made, output)
    return MapSummary(made, made.checks if check else None)


def _costs_in(path: Path, normalise: Normalisation | None) -> CostMap:
    """Costs as they are, or made of relatedness."""
    from cranfield.commands.label_files import about
    from cranfield.formats.maps import read_costs_or_relatedness

    read = read_costs_or_relatedness(path)
    if isinstance(read, CostMap):
        if normalise is not None:
            raise InputError(
                f"{path} holds costs, not relatedness", mend="leave it out", parameter="normalise"
            )
        return read
    with about(path):
        return read.read_from(path.name).costs(normalise or "none")


def repair(
    ontology: Ontology,
    *,
    labels: Annotated[Path, Argument(metavar="LABELS")],
    output: Annotated[Path | None, Option(short="-o", writes="truth")] = None,
    against: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    by: Annotated[By, Option()] = "labels",
    required: Annotated[bool, Option()] = False,
    threshold: Annotated[
        float | None, Option(metavar="NUMBER", parse=finite_number, panel=_INPUTS)
    ] = None,
    lossy: Annotated[bool, Option(needs="output")] = False,
    missing: Annotated[Literal["error", "absent"], Option(panel=_INPUTS)] = "error",
    extra: Annotated[Literal["error", "drop"], Option(panel=_INPUTS)] = "error",
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Repair:
    """Change labels as little as can be so that no item breaks a rule; show what OS gains.

    Equally small changes: a broader concept that a label needs is added rather than that label
    removed; otherwise labels are removed, and the first by id stays.

    labels     A truth, a run, or a collection folder, whose truth is meant.
    output     Write the repaired labels; the extension says how.
    against    The truth to score a run against, before and after.
    by         The smallest change, or the most probable label set by a run's confidences.
    required   Fill groups of which one is expected as well.
    threshold  Labels of a run are confidences at or above this; default 0.5 within [0, 1].
    lossy      Write even if FILE cannot hold everything; say what is lost.
    missing    An item or concept that a run lacks: refuse, or count as not retrieved.
    extra      Items of a run that the truth lacks: refuse, or leave out.
    """
    from cranfield import formats
    from cranfield.commands.label_files import about, read_labels
    from cranfield.knowledge.label_table import concept_ids

    require_format(format)
    names = formats.read_concepts(concepts) if concepts else None
    truth = None if against is None else formats.read_collection(against, concepts=names)
    file = read_labels(
        labels,
        threshold=threshold,
        concepts=concepts,
        format=format,
        is_run=by == "confidences",
        against=truth,
        extra=extra,
    )
    with about(labels):
        confidences = file.labels if by == "confidences" else None
        repaired = ontology.repair(file.labels, confidences, required=required, progress=progress)
        axis = (file.labels if truth is None else truth.truth).concept_axis
        odd = ontology.constraints(concept_ids(ontology, axis)).impossible
        if odd:
            reason = next(iter(odd.values()))
            notify(f"without OS, since {ontology.name} contradicts itself: {reason}")
            gain = None
        else:
            gain = _gain(repaired, file, truth, against, missing)
    if output is not None:
        for loss in _write(repaired, file, output, lossy=lossy):
            notify(loss)
    return replace(repaired, gain=gain, warnings=file.warnings)


def _gain(
    repaired: Repair,
    file: LabelFile,
    truth: Collection | None,
    against: Path | None,
    missing: Missing,
) -> Gain:
    """OS before and after: of a run, or of a run that is right about all labels."""
    from cranfield import engine

    ontology = repaired.ontology
    scores = []
    labels: Any
    for labels in (file.labels, repaired.labels):
        run, held = _perfect(labels, file.collection) if truth is None else (labels, truth)
        evaluation = engine.evaluate(held, run, "OS", ontology=ontology, missing=missing)
        scores.append(evaluation[run.name, "OS"])
    if truth is not None:
        scored = f"against {against}"
    elif file.collection is not None:
        scored = "of a run that is right about everything"
    else:
        scored = "if these labels were the truth"
    return Gain(scores[0], scores[1], scored)


def _perfect(labels: Truth | Run, collection: Collection | None) -> tuple[Run, Collection]:
    """A run that is right about everything, and the truth, if these labels are it."""
    from cranfield.collections.collection import Collection

    assigned = labels.assigned if isinstance(labels, Run) else labels.matrix
    items, concepts = labels.item_axis.ids, labels.concept_axis.ids
    truth = labels if isinstance(labels, Truth) else Truth(assigned, items=items, concepts=concepts)
    run = Run(labels=assigned, items=items, concepts=concepts)
    return run, replace(collection or Collection(truth), truth=truth)


def _write(repaired: Repair, file: LabelFile, path: Path, *, lossy: bool) -> Sequence[str]:
    """Write repaired labels; what was lost, if anything."""
    from cranfield.commands.label_files import write_labels
    from cranfield.formats.contents import Content
    from cranfield.formats.registry import written_as

    labels = repaired.labels
    if file.collection is not None:
        return write_labels(replace(file.collection, truth=labels), path, lossy=lossy)
    both = labels.scores is not None and labels.labels is not None
    if not (lossy and both and Content.DECISIONS not in written_as(path).holds):
        return write_labels(labels, path, lossy=lossy)
    # What was repaired are the decisions.
    decided = Run(
        labels=labels.labels,
        name=labels.name,
        items=labels.item_axis.ids,
        concepts=labels.concept_axis.ids,
        group=labels.group,
        tags=labels.tags,
    )
    return ["lost confidences beside decisions", *write_labels(decided, path, lossy=lossy)]
