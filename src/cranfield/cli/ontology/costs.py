"""`cranfield ontology costs`: what it costs to take one concept for another, shown or kept."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Normalise
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_map, spare
from cranfield.cli.ontology.options import PossibleSource, TreeName
from cranfield.cli.options import CheckCosts, Json, normalise_option, output_option

if TYPE_CHECKING:
    from cranfield.knowledge import CostMap


class Kind(StrEnum):
    """How costs follow from a hierarchy."""

    DDMC = "DDMC"
    DIMC = "DIMC"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield ontology costs pto2009",
            "cranfield ontology costs pto2009 --tree flattest --check",
            "cranfield ontology costs pizza.owl --kind DIMC -o collection/costs/DIMC.csv",
            "cranfield ontology costs --from relatedness.csv --normalise max -o costs.csv",
            "cranfield ontology costs --from costs.csv --check",
        ),
    )(costs)


def costs(
    source: PossibleSource = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            metavar="DDMC|DIMC",
            help="Links cost half as much on each deeper level, or all the same; default: DDMC.",
        ),
    ] = None,
    tree: Annotated[
        TreeName | None,
        typer.Option(
            metavar="flat|flattest|printed",
            help="The whole tree (printed), or one without levels that the ontology names; "
            "default: flat.",
        ),
    ] = None,
    relatedness: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Make costs of a relatedness map: 1 − relatedness; a file that says "
            "“# map: cost map” holds them already.",
        ),
    ] = None,
    normalise: Annotated[
        Normalise | None,
        normalise_option("none"),
    ] = None,
    check: CheckCosts = False,
    as_json: Json = False,
    output: Annotated[
        Path | None,
        output_option(
            "Write the map with where it comes from, to read it with --costs: .csv .tsv .npz"
        ),
    ] = None,
) -> None:
    """Show what it costs to take one concept for another, or write it to a file.

    From the hierarchy of an ontology, or from a file that says how closely concepts are related,
    or what they cost.
    """
    _require_one(source, kind, tree, relatedness, normalise)
    require_map(output)
    spare((None if source is None else Path(source), relatedness), output)

    from cranfield.cli.screen import inform
    from cranfield.formats import write_map

    if relatedness is not None:
        found = _of_file(relatedness, normalise)
    else:
        from cranfield.knowledge import Ontology

        assert source is not None
        chosen = kind or Kind.DDMC
        found = Ontology.load(source).cost_map((tree or TreeName.flat).value, chosen.value)
    if output is not None:
        write_map(found, output)
        inform(f"wrote {output}")
    _show(found, check=check, as_json=as_json, whole=output is None)


def _require_one(
    source: str | None,
    kind: Kind | None,
    tree: TreeName | None,
    relatedness: Path | None,
    normalise: Normalise | None,
) -> None:
    if (source is None) == (relatedness is None):
        raise typer.BadParameter("give either an ontology or --from FILE")
    if relatedness is not None and (kind is not None or tree is not None):
        raise typer.BadParameter("--kind and --tree are about ontologies; leave them out")
    if relatedness is None and normalise is not None:
        raise typer.BadParameter("--normalise is about relatedness; give --from FILE with it")


def _of_file(path: Path, normalise: Normalise | None) -> CostMap:
    """Costs as they are, or made of relatedness."""
    from cranfield.errors import FileError, InputError
    from cranfield.formats.maps import read_costs_or_relatedness
    from cranfield.knowledge import CostMap

    found = read_costs_or_relatedness(path)
    if isinstance(found, CostMap):
        if normalise is not None:
            raise typer.BadParameter(f"--normalise is about relatedness, and {path} holds costs")
        return found
    try:
        return found.read_from(path.name).costs((normalise or Normalise.none).value)
    except InputError as error:
        raise FileError(path, str(error)) from None


def _show(found: CostMap, *, check: bool, as_json: bool, whole: bool) -> None:
    """Print the map unless it was written elsewhere, and what holds of it if asked."""
    from cranfield.cli.screen import data, output
    from cranfield.report.maps import check_table, map_tables

    if as_json:
        said = found.to_dict() | ({"checks": found.checks.to_dict()} if check else {})
        data(json.dumps(said, ensure_ascii=False) + "\n")
        return
    if whole:
        output().print(map_tables(found))
    if check:
        output().print(check_table(found.checks))
