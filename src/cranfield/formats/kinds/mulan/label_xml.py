"""Mulan's XML: which attributes are labels, in which order, and how they are nested.

    <labels xmlns="http://mulan.sourceforge.net/labels">
      <label name="animal"><label name="cat"/></label>
    </labels>

It lies beside the data: `x.xml` for `x.arff`, or for `x-train.arff` and `x_train.arff`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.problems import shown
from cranfield.formats.source import written
from cranfield.formats.xml_events import XmlEvents, small_text

_NAMESPACE = "http://mulan.sourceforge.net/labels"
_DEEPEST = 100
_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold, not even escaped."""
_ESCAPES = str.maketrans({char: f"&#{ord(char)};" for char in '&<>"\t\n\r'})


@dataclass(frozen=True)
class Labels:
    """What such a file says."""

    names: tuple[str, ...]
    parents: Mapping[str, str] = field(default_factory=dict)
    said_by: str = field(default="", compare=False)
    """The file, for messages."""


def labels_beside(path: Path) -> Labels | None:
    """What the XML says that is called like this data, or like the beginning of its name."""
    stem = _stem(path)
    called = {
        file.stem: file
        for file in _files_beside(path)
        if stem == file.stem or stem.startswith(tuple(file.stem + mark for mark in "-_. "))
    }
    return read_labels(called[max(called, key=len)]) if called else None


def _stem(path: Path) -> str:
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).stem


def _files_beside(path: Path) -> list[Path]:
    try:
        return sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ".xml")
    except OSError:
        return []


# -- Reading -----------------------------------------------------------------------------------


def read_labels(path: Path) -> Labels:
    reader = _Reader(path)
    reader.read(small_text(path))
    if not reader.lines:
        raise FileError(path, 'names no labels; write <label name="…"/> for each')
    return Labels(tuple(reader.lines), reader.parents, f" in {path.name}")


class _Reader(XmlEvents):
    """Gathers labels from the events of the parser."""

    purpose = "labels"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.lines: dict[str, int] = {}
        self.parents: dict[str, str] = {}
        self._open: list[str] = []

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        expected = "label" if self._open else "labels"
        if tag != expected:
            self.fail(f"<{expected}> should stand where {shown(tag)} does; is it the right file?")
        if len(self._open) > _DEEPEST:
            self.fail(f"labels are nested more than {_DEEPEST} deep; flatten them")
        if not self._open:
            self._open.append("")
            return
        name = attributes.get("name", "")
        if not name:
            self.fail('a label has no name; write <label name="…"/>')
        if name in self.lines:
            self.fail(f"label {shown(name)} stands on line {self.lines[name]} already; keep one")
        self.lines[name] = self.parser.CurrentLineNumber
        if self._open[-1]:
            self.parents[name] = self._open[-1]
        self._open.append(name)

    def end(self, tag: str) -> None:
        self._open.pop()


# -- Writing -----------------------------------------------------------------------------------


def write_labels_beside(path: Path, labels: Labels) -> None:
    """Write the XML of a data file; another file of that name is not replaced."""
    own = path.with_name(f"{_stem(path)}.xml")
    if own.exists() and not path.exists() and read_labels(own) != labels:
        raise FileError(
            own,
            f"is there already and has other labels than {path.name} needs; remove it, or choose "
            "another name",
        )
    content = _xml(labels)
    with written(own) as target:
        target.stream.write(content)


def _xml(labels: Labels) -> bytes:
    within: dict[str, list[str]] = {}
    for name in labels.names:
        within.setdefault(labels.parents.get(name, ""), []).append(name)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<labels xmlns="{_NAMESPACE}">']
    pending = [iter(within.pop("", ()))]
    while pending:
        name = next(pending[-1], "")
        indent = "  " * len(pending)
        if not name:
            pending.pop()
            lines.append(f"{indent[4:]}</label>" if pending else "</labels>")
        elif name in within:
            lines.append(f"{indent}<label name={_attribute(name)}>")
            pending.append(iter(within.pop(name)))
        else:
            lines.append(f"{indent}<label name={_attribute(name)}/>")
        if len(pending) > _DEEPEST:
            raise InputError(f"concepts are nested more than {_DEEPEST} deep; flatten them")
    if within:
        lost = [name for names in within.values() for name in names]
        raise InputError(
            f"the parents of {first_ten(lost)} are no concepts, or parents of themselves; "
            "Mulan needs every parent among the labels"
        )
    return "\n".join([*lines, ""]).encode()


def _attribute(name: str) -> str:
    if _IMPOSSIBLE.search(name):
        raise InputError(
            f"concept {shown(name)} has a character that XML cannot hold; write .npz or .parquet"
        )
    return f'"{name.translate(_ESCAPES)}"'
