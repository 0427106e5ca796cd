"""Class descriptions of Open Images: lines `/m/011k07,Tortoise` in a file beside the labels.

Labels `x.csv` are described by `x-class-descriptions.csv`, else by every file beside them that is
called `*class-descriptions*.csv`; of these the first by name that knows a label counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.delimited import line_of
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import opened
from cranfield.formats.table import Table
from cranfield.formats.writing import written

_HEADER = ["LabelName", "DisplayName"]


def read_descriptions(path: str | Path) -> dict[str, str]:
    """What labels are called, from a file with or without its header `LabelName,DisplayName`."""
    problems = Problems(path)
    names: dict[str, str] = {}
    lines: dict[str, int] = {}
    with opened(path) as source:
        for chunk in Table(source, b",", problems).chunks(
            Layout(b",", 2, 0),
            where=lambda names, place: f"label {shown(names[0])}",
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
        target.stream.write(line_of(_HEADER, (), ","))
        for label, name in descriptions.items():
            target.stream.write(line_of((label, name), (), ","))


def _is_header(label: str, name: str) -> bool:
    return [label.casefold(), name.casefold()] == [each.casefold() for each in _HEADER]


def _files_beside(path: Path) -> list[Path]:
    own = _own_file(path)
    if own.is_file():
        return [own]
    return sorted(each for each in path.parent.glob("*class-descriptions*.csv") if each.is_file())


def _own_file(path: Path) -> Path:
    name = path.name.removesuffix(".gz").removesuffix(".csv")
    return path.with_name(f"{name}-class-descriptions.csv")
