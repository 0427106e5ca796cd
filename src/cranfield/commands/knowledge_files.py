"""Knowledge about concepts as people type it, NAME=FILE, and which file is what."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.core.axes import Axis
    from cranfield.knowledge import Knowledge

_NAME = re.compile(r"[\w.+-]+")
"""What can stand in the name of a measure: OS-FTS, OS(costs=FTS)."""


@dataclass(frozen=True)
class KnowledgeFiles:
    """Files about concepts; a map without a name is called ""."""

    ontology: str | None = None
    costs: Mapping[str, Path] = field(default_factory=dict)
    relatedness: Mapping[str, Path] = field(default_factory=dict)
    agreement: Path | None = None

    @classmethod
    def given(
        cls,
        ontology: str | None,
        costs: Iterable[str] | None,
        relatedness: Iterable[str] | None,
        agreement: Path | None,
    ) -> KnowledgeFiles:
        """What the options say; nothing is read yet."""
        return cls(
            ontology,
            named_files(costs, "costs"),
            named_files(relatedness, "relatedness"),
            agreement,
        )

    @property
    def all(self) -> tuple[Path | None, ...]:
        """Everything that is read."""
        ontology = None if self.ontology is None else Path(self.ontology)
        return (ontology, self.agreement, *self.costs.values(), *self.relatedness.values())

    def read(self, concepts: Axis) -> Knowledge:
        """What the files say; it must cover these concepts."""
        from cranfield import formats
        from cranfield.knowledge import AgreementMap, CostMap, Knowledge, RelatednessMap

        return Knowledge(
            ontology=None
            if self.ontology is None
            else formats.read_ontology(self.ontology, covering=concepts),
            costs={
                name: formats.read_map(CostMap, path, name=name, covering=concepts)
                for name, path in self.costs.items()
            },
            relatedness={
                name: formats.read_map(RelatednessMap, path, name=name, covering=concepts)
                for name, path in self.relatedness.items()
            },
            agreement=None
            if self.agreement is None
            else formats.read_map(AgreementMap, self.agreement, covering=concepts),
        )

    def called(self, folder: Path) -> dict[str, Path]:
        """What the library calls maps of relatedness, and their files; a folder may have some."""
        from cranfield.formats import folder as folders

        beside = folders.map_files(folder, "relatedness") if os.path.isdir(folder) else {}
        return {
            f"relatedness map {name!r}" if name else "the relatedness map": path
            for name, path in {**beside, **self.relatedness}.items()
        }


def named_files(texts: Iterable[str] | None, parameter: str) -> dict[str, Path]:
    """Files by their names, from NAME=FILE or FILE."""
    files: dict[str, Path] = {}
    for text in texts or ():
        name, sign, file = text.partition("=")
        if not sign or os.path.exists(text):
            name, file = "", text
        elif not _NAME.fullmatch(name) or not file:
            raise InputError(
                f"{text!r}; give NAME=FILE, the name without blanks and brackets, or only a file",
                parameter=parameter,
            )
        if name in files:
            which = f"{name} is given twice" if name else "two files have no name"
            raise InputError(f"{which}; give each a name: NAME=FILE", parameter=parameter)
        files[name] = Path(file)
    return files
