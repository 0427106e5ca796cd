"""`cranfield ontology close`: resolve the cells of a partial truth that its judgements imply."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_format, spare
from cranfield.cli.ontology.options import Lossy, OntologySource
from cranfield.cli.options import Concepts, Format, Json, TruthPath, output_option

if TYPE_CHECKING:
    from cranfield.knowledge import Ontology
    from cranfield.knowledge.closing import Closure


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield ontology close pto2009 truth.csv -o closed.csv",
            "cranfield ontology close hierarchy.json labels.csv --format openimages -o closed.csv",
            "cranfield ontology close photos.owl truth.csv --required --json",
        ),
    )(close)


def close(
    source: OntologySource,
    truth: TruthPath,
    output: Annotated[
        Path | None,
        output_option("Write the truth; the extension says how."),
    ] = None,
    required: Annotated[
        bool,
        typer.Option("--required", help="Conclude from groups of which one is expected as well."),
    ] = False,
    lossy: Lossy = False,
    as_json: Json = False,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Resolve the unjudged cells of a truth that follow from its judgements.

    A positive concept makes those above it positive, a negative one those below it negative, and
    a positive member of a disjoint group the others negative. What was judged stays; cells that
    would be both are left as they were and reported.
    """
    require_format(output)
    spare((Path(source), truth, concepts), output)

    from cranfield import formats
    from cranfield.cli.ontology.labels import about, write_labels
    from cranfield.cli.screen import progress_over
    from cranfield.knowledge import Ontology

    ontology = Ontology.load(source)
    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names, format=format)
    with about(truth), progress_over("closing", len(collection.items)) as tell:
        closure = ontology.close(collection.truth, required=required, progress=tell)
    if output is not None:
        write_labels(replace(collection, truth=closure.truth), output, lossy=lossy)
    _show(ontology, closure, as_json=as_json)


def _show(ontology: Ontology, closure: Closure, *, as_json: bool) -> None:
    from cranfield.cli.screen import data, output
    from cranfield.report.repairs import closure_tables

    if as_json:
        said = {"ontology": ontology.name, "digest": ontology.digest, **closure.to_dict()}
        data(json.dumps(said, indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(closure_tables(closure))
