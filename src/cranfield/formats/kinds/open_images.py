"""Open Images CSV: a header `ImageID,Source,LabelName,Confidence`, then a line for each label.

In a truth, confidence 1 says that somebody saw the label on the image, 0 that somebody saw it is
not there; of a label that is not listed nothing is known, so it is left out. A run lists the cells
it retrieved, with any confidence. Several sources may say the same of a cell, but nothing else.
`Source` may be left out. Boxes are refused: they say where something is, and never that it is not
there.

Concepts are the LabelNames, such as /m/011k07. What they are called is read from lines
`/m/011k07,Tortoise` beside the file: labels `x.csv` are described by `x-class-descriptions.csv`,
else by every file called `*class-descriptions*.csv`; of these the first by name that has a label
counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError
from cranfield.formats.cells import entries, report, require_known_concepts, require_listed
from cranfield.formats.contents import IDS, Content
from cranfield.formats.delimited import line_of
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target, opened, written
from cranfield.formats.table import Chunk, Table

_HEADER = ["ImageID", "Source", "LabelName", "Confidence"]
_SHORT = ["ImageID", "LabelName", "Confidence"]
_HEADERS = {tuple(map(str.casefold, header)) for header in (_HEADER, _SHORT)}
_VERIFIED, _MADE = "verification", "machine"
"""What Open Images calls the sources of a truth and of a system's labels."""


def _chunks(source: Source, problems: Problems) -> Iterator[Chunk]:
    """Images, labels and confidences."""
    table = Table(source, b",", problems)
    header = table.header()
    names = tuple(map(str.casefold, header))
    if names not in _HEADERS:
        what = f"the header is {shown(','.join(header[:6]))}; write {','.join(_HEADER)}"
        if "xmin" in names:
            what = (
                "this file lists boxes, which never say that something is not there; "
                "take the file of image-level labels"
            )
        raise FileError(source.path, what, line=1)
    layout = Layout(b",", len(header) - 1, 1)
    expected = f"one after {','.join(header[:-1])}"
    for chunk in table.chunks(layout, where=where_listed, expected=expected):
        yield chunk._replace(names=[chunk.names[0], chunk.names[-1]])


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Collection:
    listing = Listing(problems, concepts=concepts, again="alike")
    for chunk in _chunks(source, problems):
        seen = chunk.values == 1
        report(
            ~(seen | (chunk.values == 0)),
            chunk,
            problems,
            where=where_listed,
            rule="a truth has confidence 1 (there) or 0 (not there); labels with fractions were "
            "made by a machine, so read them as a run",
        )
        listing.add(chunk.names[0], chunk.names[1], seen[:, 0].astype(np.int8), chunk.lines)
    require_known_concepts(listing.concepts, concepts, problems, line=None)
    truth = listing.truth(absent="unjudged", unjudged="exclude")
    return Collection(
        truth, source.name, descriptions=descriptions_beside(source.path, truth.concepts)
    )


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    listing = Listing(problems, again="alike")
    for chunk in _chunks(source, problems):
        report(
            np.isnan(chunk.values),
            chunk,
            problems,
            where=where_listed,
            rule="the confidence is missing; write a number or leave the line out",
        )
        listing.add(chunk.names[0], chunk.names[1], chunk.values[:, 0], chunk.lines)
    return listing.run(expected, options)


def _write_truth(collection: Collection, target: Target) -> None:
    _write(collection.truth, target, _VERIFIED)
    described = collection.descriptions
    named = {label: described[label] for label in collection.concepts if described.get(label)}
    if named:
        write_descriptions_beside(target.path, named)


def _write(thing: Truth | Run, target: Target, word: str) -> None:
    require_listed(thing.item_axis, thing)
    require_listed(thing.concept_axis, thing)
    target.stream.write(line_of(_HEADER, (), ","))
    for item, concept, value in entries(thing):
        target.stream.write(line_of((item, word, concept), (repr(value),), ","))


def _is_open_images(source: Source) -> bool:
    try:
        header = [decoded(field).casefold() for field in fields(source.first_line, b",")]
    except MalformedError:
        return False
    return header[0] == "imageid" and {"labelname", "confidence"} <= set(header)


_DESCRIPTION_HEADER = ["LabelName", "DisplayName"]


def read_descriptions(path: str | Path) -> dict[str, str]:
    """What labels are called, from a file with or without its header `LabelName,DisplayName`."""
    problems = Problems(path)
    names: dict[str, str] = {}
    lines: dict[str, int] = {}
    with opened(path) as source:
        for chunk in Table(source, b",", problems).chunks(
            Layout(b",", 2, 0),
            where=lambda names, position: f"label {shown(names[0])}",
            expected="LabelName,DisplayName, quoted where it has a comma",
        ):
            for label, name, line in zip(*chunk.names, chunk.lines.tolist(), strict=True):
                if not names and _is_header(label, name):
                    continue
                if names.setdefault(label, name) != name:
                    problems.add(
                        f"label {shown(label)} is called {shown(names[label])} on line "
                        f"{lines[label]}; keep one of the two lines",
                        line=line,
                    )
                lines.setdefault(label, line)
            problems.settle()
    return names


def descriptions_beside(path: Path, labels: Iterable[str]) -> dict[str, str]:
    """What the labels of a file are called, as far as the files beside it say."""
    described: dict[str, str] = {}
    for file in _files_beside(path):
        described = read_descriptions(file) | described
    return {label: described[label] for label in labels if label in described}


def write_descriptions_beside(path: Path, descriptions: Mapping[str, str]) -> None:
    """Write the descriptions of a file's labels; another file of that name is not replaced."""
    own = _own_file(path)
    if own.exists() and read_descriptions(own) != descriptions:
        raise FileError(
            own,
            f"is there already and has other descriptions than {path.name} needs; "
            "remove it, or choose another name",
        )
    with written(own) as target:
        target.stream.write(line_of(_DESCRIPTION_HEADER, (), ","))
        for label, name in descriptions.items():
            target.stream.write(line_of((label, name), (), ","))


def _is_header(label: str, name: str) -> bool:
    return [label.casefold(), name.casefold()] == [each.casefold() for each in _DESCRIPTION_HEADER]


def _files_beside(path: Path) -> list[Path]:
    own = _own_file(path)
    if own.is_file():
        return [own]
    return sorted(each for each in path.parent.glob("*class-descriptions*.csv") if each.is_file())


def _own_file(path: Path) -> Path:
    name = path.name.removesuffix(".gz").removesuffix(".csv")
    return path.with_name(f"{name}-class-descriptions.csv")


register(
    Format(
        name="openimages",
        extensions=(),
        priority=1,
        lists=True,
        holds=IDS | {Content.UNJUDGED, Content.LEFT_OUT, Content.DESCRIPTIONS, Content.ABSENT},
        recognises=_is_open_images,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=partial(_write, word=_MADE),
    )
)
