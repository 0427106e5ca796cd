"""`cranfield relatedness costs`: what a source says of concepts, kept as costs or relatedness."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Normalise
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_map, spare
from cranfield.cli.options import CheckCosts, Json, normalise_option, output_option
from cranfield.cli.relatedness.sources import KINDS, source_named

if TYPE_CHECKING:
    from cranfield.cli.relatedness.concepts import Asked
    from cranfield.knowledge import CostMap, RelatednessMap
    from cranfield.knowledge.relatedness import Related, Source

_DWARFS = 100
"""How many times as related as all others a pair is that makes a scale worthless."""


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield relatedness costs WUP pto2009",
            "cranfield relatedness costs RES collection/ --words words.csv "
            "-o collection/costs/RES.csv",
            "cranfield relatedness costs corpus:captions.txt concepts.txt -o costs.csv --check",
            "cranfield relatedness costs corpus:photos.csv,columns=tags+title truth.csv "
            "-o costs/FCS.csv",
            "cranfield relatedness costs vectors:glove.txt truth.csv --relatedness "
            "-o relatedness/GloVe.csv",
        ),
    )(costs)


def costs(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help=f"Who says it: {KINDS}; options follow: corpus:FILE,columns=tags. Columns may be "
            "numbers from 1 in a file without a header, whose first line counts too.",
            show_default=False,
        ),
    ],
    concepts: Annotated[
        str,
        typer.Argument(
            metavar="CONCEPTS",
            help="Of which concepts: a list of ids, one a line, a truth, a collection folder, or "
            "an ontology.",
            show_default=False,
        ),
    ],
    words: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Words to look concepts up by, or senses such as dog#n#1: CSV with the header "
            "concept,word; default: their ids.",
        ),
    ] = None,
    normalise: Annotated[
        Normalise | None,
        normalise_option("none for sources that lie there, else max, or minmax below 0"),
    ] = None,
    relatedness: Annotated[
        bool,
        typer.Option("--relatedness", help="Not costs, but relatedness, as SRP takes it."),
    ] = False,
    check: CheckCosts = False,
    as_json: Json = False,
    output: Annotated[
        Path | None,
        output_option(
            "Write the map with where it comes from, to read it with --costs or --relatedness: "
            ".csv .tsv .npz"
        ),
    ] = None,
) -> None:
    """Make costs of how closely concepts are related: 1 − relatedness.

    Says which concepts the source does not know; these count as unrelated to all others.
    """
    if check and relatedness:
        raise typer.BadParameter("--check is about costs; leave --relatedness out")
    require_map(output)

    from cranfield.cli.relatedness.concepts import files_of, read_asked
    from cranfield.cli.screen import inform
    from cranfield.formats import write_map
    from cranfield.formats.relatedness.named import files_of as source_files

    spare((*source_files(source), *files_of(concepts), words), output)
    given = source_named(source, option="SOURCE")
    related = _related(given, read_asked(concepts), words)
    how = given.normalisation if normalise is None else normalise.value
    scaled = related.map.normalised(how)
    found = scaled if relatedness else scaled.costs()
    if output is not None:
        write_map(found, output)
        inform(f"wrote {output}")
    remarks = _remarks(given, related, how)
    if as_json:
        _print_json(found, related, how, check=check)
    else:
        _show(found, remarks, check=check, whole=output is None)


def _related(source: Source, asked: Asked, words: Path | None) -> Related:
    """What the source says, with where that comes from."""
    from cranfield.cli.screen import waiting
    from cranfield.errors import FileError, InputError, first_ten
    from cranfield.formats.words import read_words
    from cranfield.knowledge import RelatednessMap

    by = {**asked.words, **({} if words is None else read_words(words))}
    try:
        with waiting(f"asking {source.name}"):
            related = source.matrix(asked.ids, by)
    except FileError:
        raise
    except InputError as error:
        if words is not None and str(error).startswith("words are given"):
            raise FileError(words, str(error)) from None
        raise
    coverage = related.coverage
    if len(coverage.unknown) == len(asked.ids):
        raise InputError(
            f"{source.name} knows none of the concepts: {first_ten(asked.ids)}; say by which words "
            "to look them up with --words"
        )
    provenance = related.map.provenance
    if words is not None:
        provenance = provenance.and_then(f"words of {words.name}")
    counts = {
        "concepts": len(asked.ids),
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
        asked.ids,
        name=source.name,
        provenance=provenance,
        same=related.map.same,
    )
    return replace(related, map=traced)


def _remarks(source: Source, related: Related, how: str) -> list[str]:
    low, high = related.map.extent
    scale = "not normalised" if how == "none" else f"normalised by {how}"
    said = [
        f"{source.name}: {related.coverage}",
        f"relatedness of two concepts from {low:.4g} to {high:.4g}, {scale}",
    ]
    if related.coverage.unknown or related.coverage.unrelated:
        said.append(
            "what is not known counts as unrelated; --words says by which words to look concepts up"
        )
    return [*said, *related.remarks, *_odd_pairs(related.map)]


def _odd_pairs(found: RelatednessMap) -> list[str]:
    """Pairs that are one and the same, and a pair that dwarfs all others."""
    import numpy as np

    from cranfield.errors import first_ten, several

    ones, others = np.triu_indices(found.axis.size, 1)
    names = found.concepts
    same = found.same[ones, others]
    said = []
    if same.any():
        pairs = [
            f"{names[i]} and {names[j]}" for i, j in zip(ones[same], others[same], strict=True)
        ]
        said.append(
            f"{several(len(pairs), 'pair')} one and the same to it, and out of the scale: "
            f"{first_ten(pairs)}"
        )
    ones, others = ones[~same], others[~same]
    values = np.maximum(found.values[ones, others], found.values[others, ones])
    if len(values) > 1:
        second, first = np.argsort(values)[-2:]
        if values[first] > _DWARFS * values[second] > 0:
            said.append(
                f"{names[ones[first]]} and {names[others[first]]} are "
                f"{values[first] / values[second]:.0f} times as related as any other two, "
                "which leaves these little of the scale"
            )
    return said


def _show(found: CostMap | RelatednessMap, remarks: list[str], *, check: bool, whole: bool) -> None:
    """Print the map unless it was written elsewhere, and what must be known about it."""
    from cranfield.cli.screen import output
    from cranfield.knowledge import CostMap
    from cranfield.report.maps import check_table, map_tables
    from cranfield.report.tables import remark

    if whole:
        output().print(map_tables(found))
    for text in remarks:
        output().print(remark(text))
    if check and isinstance(found, CostMap):
        output().print(check_table(found.checks))


def _print_json(
    found: CostMap | RelatednessMap, related: Related, how: str, *, check: bool
) -> None:
    from cranfield.cli.screen import data
    from cranfield.knowledge import CostMap

    coverage = related.coverage
    said = found.to_dict() | {
        "normalised": how,
        "extent": list(related.map.extent),
        "coverage": {
            "concepts": len(coverage.concepts),
            "unknown": list(coverage.unknown),
            "unknown_pairs": coverage.unrelated,
        },
    }
    if check and isinstance(found, CostMap):
        said["checks"] = found.checks.to_dict()
    data(json.dumps(said, ensure_ascii=False) + "\n")
