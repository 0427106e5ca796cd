"""How files are read: eight options that commands over runs share, and that arrive as one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

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


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """The same command with these options after its own, for its parameter `reading`."""
    own = inspect.signature(command, eval_str=True)
    shared = inspect.signature(_reading, eval_str=True).parameters
    kept = [one for name, one in own.parameters.items() if name != "reading"]

    @wraps(command)
    def told(**given: Any) -> None:
        reading = _reading(**{name: given.pop(name) for name in shared})
        command(reading=reading, **given)

    # Typer asks the signature what to put on the command line.
    told.__signature__ = own.replace(parameters=[*kept, *shared.values()])  # type: ignore[attr-defined]
    return told
