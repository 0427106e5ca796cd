"""`cranfield ontology show`: the tree of an ontology with its rules, on the screen or drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.ontology.options import OntologySource, TreeName, TreeOption
from cranfield.cli.options import Json, output_option

_PICTURES = (".svg", ".html", ".png", ".pdf")
_EXTENSIONS = {".json": "json", ".txt": "table", **dict.fromkeys(_PICTURES, "picture")}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield ontology show pto2009",
            "cranfield ontology show pto2010 --tree flattest --depth 2",
            "cranfield ontology show pizza.owl -o pizza.html",
            "cranfield ontology show hierarchy.csv --json",
        ),
    )(show)


def show(
    source: OntologySource,
    tree: TreeOption = TreeName.printed,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Fold what is further below the root; default: only if the tree is very long.",
        ),
    ] = None,
    as_json: Json = False,
    output: Annotated[
        Path | None,
        output_option(
            "Write to a file: .svg .html .png .pdf draw it, .txt .json hold the same as the screen."
        ),
    ] = None,
) -> None:
    """Show an ontology: concepts (bold), categories (dim), and the rules between them.

    ⊥ marks groups of which no two may stand together, → what a concept needs, ↑ further parents.
    """
    form = chosen_form({"json": as_json}, output, _EXTENSIONS)
    spare((Path(source),), output)
    if form == "picture" and output is not None:
        _draw(source, output, tree, depth)
        return

    from cranfield.cli.screen import output as screen
    from cranfield.cli.screen import plain
    from cranfield.knowledge import Ontology
    from cranfield.report.ontologies import ontology_record, ontology_tree

    ontology = Ontology.load(source)
    if form == "json":
        record = ontology_record(ontology, tree=tree.value)
        deliver(json.dumps(record, indent=2, ensure_ascii=False) + "\n", output)
        return
    shown = ontology_tree(ontology, tree=tree.value, depth=depth)
    if output is None:
        screen().print(shown)
    else:
        deliver(plain(shown), output)


def _draw(source: str, path: Path, tree: TreeName, depth: int | None) -> None:
    from cranfield.cli.screen import inform
    from cranfield.knowledge import Ontology
    from cranfield.report.ontology_pictures import ontology_picture
    from cranfield.report.pictures import require_writable, write_picture

    require_writable(path)
    ontology = Ontology.load(source)
    write_picture(ontology_picture(ontology, tree=tree.value, depth=depth), path)
    inform(f"wrote {path}")
