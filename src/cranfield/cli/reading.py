"""How files are read: eight options that commands over runs share, and that arrive as one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cranfield.cli.choices import Missing
from cranfield.cli.knowledge_files import KnowledgeFiles
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    Format,
    MissingOption,
    OntologyOption,
    RelatednessOption,
)
from cranfield.cli.sharing import sharing
from cranfield.cli.threshold_files import NumberOrFile, file_in


class Reading(NamedTuple):
    """What those options say."""

    about: KnowledgeFiles
    missing: Missing
    format: str | None
    concepts: Path | None
    threshold: str | None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """All that is read besides a truth and runs."""
        return (self.concepts, file_in(self.threshold), *self.about.all)


def _reading(
    threshold: NumberOrFile = None,
    missing: MissingOption = Missing.error,
    format: Format = None,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> Reading:
    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    return Reading(about, missing, format, concepts, threshold)


reads = sharing("reading", _reading)
"""Makes a command take these options, for its parameter `reading`."""
