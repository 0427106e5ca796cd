"""Scores on slices of a collection: the function that the command `slices` calls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cranfield.collections.collection import Collection
from cranfield.commands.evaluate import Measures, scored
from cranfield.commands.report_files import NO_REPORT, ReportFiles
from cranfield.commands.score_inputs import require_share
from cranfield.core.options import Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.errors import MOST_DRAWS, FileError, InputError
from cranfield.statistics.slices import Slices

SLICED_MEASURES = ("concept.AP", "concept.AP_at_prevalence", "example.F")
_OF_CONCEPTS = ("frequency", "branches")


def slices(
    truth: Collection,
    runs: list[Run],
    measures: Measures = None,
    *,
    by: Annotated[list[str], Option(metavar="FILE|frequency|branches")],
    bins: Annotated[int, Option(minimum=2)] = 4,
    confidence: Annotated[float, Option(metavar="SHARE")] = 0.95,
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 1000,
    seed: Annotated[int, Option(minimum=0)] = 0,
    report_files: ReportFiles = NO_REPORT,
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> Slices:
    """Score runs on slices of the collection, and tell which differ from the rest.

    by          Items by a CSV file with the header item,attribute,…, concepts by frequency or by
                branch of the ontology; may be repeated.
    measures    Measure; may be repeated; default: concept.AP, concept.AP_at_prevalence, example.F.
    bins        Parts that an attribute of more than ten different numbers is cut into.
    confidence  Level of the intervals.
    samples     Draws of the test.
    seed        Seed of draws.
    """
    from cranfield.formats.lists import read_attributes
    from cranfield.measures.reported import reported_measures
    from cranfield.statistics.slices import slices as sliced

    require_share(confidence)
    listed = list(dict.fromkeys(by))
    read = [name if name in _OF_CONCEPTS else read_attributes(name, truth.items) for name in listed]
    files = {
        attribute: Path(name)
        for name, attributes in zip(listed, read, strict=True)
        if not isinstance(attributes, str)
        for attribute in attributes
    }
    usual = measures or [m.name for m in reported_measures(runs)] or list(SLICED_MEASURES)
    result = scored(truth, runs, usual, notify, progress, chosen=bool(measures), **options)
    try:
        parts = sliced(
            result,
            read,
            bins=bins,
            level=confidence,
            samples=samples,
            seed=seed,
            progress=progress,
        )
    except InputError as error:
        kind, name = error.about or ("", "")
        if kind == "attribute" and name in files:
            raise FileError(files[name], error.what, mend=error.mend) from None
        raise
    report_files.write(result, progress, collection=truth, slices=parts)
    return parts
