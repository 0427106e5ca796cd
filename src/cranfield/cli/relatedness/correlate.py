"""`cranfield relatedness correlate`: which sources agree with people, and how closely."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import Json, TableOutput, csv_option, picture_option
from cranfield.cli.relatedness.sources import KINDS, source_named
from cranfield.commands.knowledge_files import named_files
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.knowledge.relatedness import Source
    from cranfield.studies.judgements import Asking, Correlated, Judgements

_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}
_PHOTOS = "ontology:pto2009,tree=flattest"
"""What the visual concepts come from; this tree is the one of Nowak 2011 Table 8.5."""


class DifferenceTest(StrEnum):
    """Tests of two correlations with the same judgements."""

    williams = "williams"
    steiger = "steiger"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield relatedness correlate",
            "cranfield relatedness correlate visual-concepts --picture scatter.html",
            "cranfield relatedness correlate gracia-mena RES FTS=corpus:photos.csv,columns=tags",
            "cranfield relatedness correlate visual-concepts PATH --words mine.csv --json",
            "cranfield relatedness correlate pairs.txt vectors:glove.txt wordllama -o table.csv",
        ),
    )(correlate)


def correlate(
    judgements: Annotated[
        str,
        typer.Argument(
            metavar="JUDGEMENTS",
            help="gracia-mena, visual-concepts, or a file with two words and a score on each line.",
        ),
    ] = "gracia-mena",
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help=f"Who is asked: {KINDS}; before it perhaps NAME=; default: all that need no file "
            "and are here.",
            show_default=False,
        ),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SOURCE=]FILE",
            help="Words to ask a source by, or all of them: CSV with the header concept,word; may "
            "be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("source")] = False,
    output: TableOutput = None,
    picture: Annotated[
        Path | None,
        picture_option("a scatter plot for each source"),
    ] = None,
    test: Annotated[
        DifferenceTest, typer.Option(help="Which test says that a source is better.")
    ] = DifferenceTest.williams,
    resamples: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=MOST_DRAWS, help="How often to draw pairs for the intervals."
        ),
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of these draws.")] = 0,
) -> None:
    """Correlate what sources say of pairs of words with what people say.

    Spearman and Pearson with 95 % bootstrap intervals, which source is significantly better
    (Williams's or Steiger's test), and the pairs that a source does not cover.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)
    require_picture(picture)
    files = named_files(words, "words")

    from cranfield.formats.relatedness.named import files_of
    from cranfield.studies.judgements import Judgements

    read = (Path(judgements), *files.values(), *(f for one in sources or () for f in files_of(one)))
    spare(read, output)
    spare((*read, output), picture, option="--picture")
    people = Judgements.load(judgements)
    asked = [source_named(one, option="SOURCE") for one in sources or _default_sources(people)]
    askings = _askings(people, asked, files)
    found = _correlated(people, asked, askings, test=test, resamples=resamples, seed=seed)
    _show(found, {name: one.origin for name, one in askings.items()}, form, output)
    if picture is not None:
        _draw(found, picture)


def _default_sources(people: Judgements) -> list[str]:
    from cranfield.errors import InputError
    from cranfield.formats.relatedness.named import available

    found = [*available(), *([_PHOTOS] if people.are_visual_concepts else [])]
    if not found:
        raise InputError(
            "there is no source here that needs no file; get WordNet with cranfield relatedness "
            f"install wordnet, or name a source: {KINDS}"
        )
    return found


def _askings(
    people: Judgements, sources: Sequence[Source], files: Mapping[str, Path]
) -> dict[str, Asking]:
    """By which words to ask which source: those that are given, else those that are bundled."""
    from cranfield.errors import FileError
    from cranfield.formats.words import read_words
    from cranfield.studies.judgements import Asking, usual_words

    names = [source.name for source in sources]
    for name in files:
        if name and name not in names:
            raise typer.BadParameter(
                f"no source is called {name!r}; there are {', '.join(names)}",
                param_hint="--words",
            )
    given = {name: Asking(read_words(path), str(path)) for name, path in files.items()}
    for name, one in given.items():
        if not set(one.words) & set(people.words):
            raise FileError(files[name], f"has none of the words that {people.name} judges")
    found = {
        source.name: given.get(source.name) or given.get("") or usual_words(people, source)
        for source in sources
    }
    return {name: one for name, one in found.items() if one is not None}


def _correlated(
    people: Judgements,
    sources: Sequence[Source],
    askings: Mapping[str, Asking],
    *,
    test: DifferenceTest,
    resamples: int,
    seed: int,
) -> Correlated:
    from cranfield.cli.screen import progress
    from cranfield.knowledge.relatedness.source import Words
    from cranfield.studies.judgements import correlate as correlated

    with progress("asking", len(sources)) as step:

        def asked() -> Iterator[tuple[Source, Words | None]]:
            for source in sources:
                yield source, askings[source.name].words if source.name in askings else None
                step()

        return correlated(people, asked(), resamples=resamples, seed=seed, test=test.value)


def _show(found: Correlated, words: Mapping[str, str], form: str, path: Path | None) -> None:
    from rich.console import Group

    from cranfield.cli.screen import output, plain
    from cranfield.report.judgements import (
        correlation_content,
        correlation_csv,
        correlation_tables,
    )
    from cranfield.report.tables import remark

    if form == "json":
        said = correlation_content(found) | {"words": dict(words)}
        deliver(json.dumps(said, indent=2, ensure_ascii=False) + "\n", path)
        return
    if form == "csv":
        deliver(correlation_csv(found), path)
        return
    names: dict[str, list[str]] = {}
    for source, origin in words.items():
        names.setdefault(origin, []).append(source)
    tables = Group(
        correlation_tables(found),
        *(
            remark(f"asked by the words of {origin}: {', '.join(of)}")
            for origin, of in names.items()
        ),
    )
    if path is None:
        output().print(tables)
    else:
        deliver(plain(tables), path)


def _draw(found: Correlated, path: Path) -> None:
    from cranfield.cli.screen import inform
    from cranfield.report.judgements import correlation_picture
    from cranfield.report.pictures import write_picture

    write_picture(correlation_picture(found), path)
    inform(f"wrote {path}")
