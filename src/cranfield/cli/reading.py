"""How files are read: ten options that commands over runs share, and that arrive as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    ExtraOption,
    Format,
    MissingOption,
    OntologyOption,
    RelatednessOption,
    SplitOption,
    ThresholdsOption,
)
from cranfield.cli.sharing import sharing
from cranfield.commands.knowledge_files import KnowledgeFiles
from cranfield.commands.threshold_texts import cut_of, files_in

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.commands.threshold_texts import Cut
    from cranfield.core.run import Run


class Reading(NamedTuple):
    """What those options say."""

    about: KnowledgeFiles
    missing: Missing
    extra: Extra
    split: str | None
    format: str | None
    concepts: Path | None
    threshold: list[str] | None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """All that is read besides a truth and runs."""
        return (self.concepts, *files_in(self.threshold), *self.about.all)

    def collection(self, truth: Path) -> Collection:
        return read_collection(truth, self.concepts, self.format, self.split)

    def runs(self, collection: Collection, files: dict[str, Path]) -> list[Run]:
        """The runs of these files, each under its name."""
        threshold = cut_of(self.threshold)
        return read_runs(
            collection, files, format=self.format, threshold=threshold, extra=self.extra
        )


def read_collection(
    truth: Path, concepts: Path | None, format: str | None, split: str | None
) -> Collection:
    """A truth file or collection folder, or the items of one of its splits."""
    from cranfield import formats
    from cranfield.errors import FileError, InputError

    names = formats.read_concepts(concepts) if concepts else None
    whole = formats.read_collection(truth, concepts=names, format=format)
    if split is None:
        return whole
    try:
        return whole.select(split=split)
    except InputError as error:
        raise FileError(truth, str(error)) from None


def read_runs(
    collection: Collection,
    files: dict[str, Path],
    *,
    format: str | None,
    threshold: Cut,
    extra: Extra,
) -> list[Run]:
    """The runs of these files, each under its name; says of which items were left out."""
    from cranfield import formats
    from cranfield.cli.screen import inform, progress
    from cranfield.collections.extra_items import left_out_remarks

    with progress("reading", len(files)) as step:
        runs = formats.read_runs(
            files,
            collection,
            format=format,
            threshold=threshold,
            extra=extra.value,
            progress=lambda _: step(),
        )
    for remark in left_out_remarks(runs):
        inform(remark)
    return runs


def _reading(
    threshold: ThresholdsOption = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    split: SplitOption = None,
    format: Format = None,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> Reading:
    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    return Reading(about, missing, extra, split, format, concepts, threshold)


reads = sharing("reading", _reading)
"""Makes a command take these options, for its parameter `reading`."""
