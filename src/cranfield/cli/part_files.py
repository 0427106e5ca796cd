"""Part files: where `cranfield split` writes the truth of each part, and in which format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from cranfield import formats
from cranfield.cli.screen import inform
from cranfield.collections.collection import Collection
from cranfield.errors import FileError
from cranfield.formats import folder as folders
from cranfield.formats.contents import Content
from cranfield.formats.registry import format_of, named, written_as
from cranfield.formats.source import opened, written


@dataclass(frozen=True)
class PartFiles:
    """A file for each part, none of which is there yet unless it may be replaced."""

    folder: Path
    paths: dict[str, Path]
    format: str
    concepts: Path | None
    """Names of the concepts, where the format cannot hold them."""

    @classmethod
    def planned(
        cls,
        file: Path,
        into: Path | None,
        parts: tuple[str, ...],
        *,
        format: str | None,
        ending: str | None,
        force: bool,
    ) -> PartFiles | None:
        """Where to write, or None if nobody asked for it; what is impossible is said at once."""
        if into is None:
            if ending is not None or force:
                raise typer.BadParameter("--ending and --force need --into")
            return None
        for part in parts:
            if Path(part).name != part or part.startswith("."):
                raise typer.BadParameter(
                    f"{part!r} cannot be the name of a file; name the part otherwise",
                    param_hint="--shares",
                )
        suffix, written_in = _as_file(file, format) if ending is None else _as_asked(ending)
        paths = {part: into / f"{part}{suffix}" for part in parts}
        nameless = Content.CONCEPT_IDS not in named(written_in).holds
        concepts = into / "concepts.txt" if nameless else None
        files = cls(into, paths, written_in, concepts)
        there = [path for path in files.all if path.exists()]
        if there and not force:
            raise FileError(
                there[0], "is there already; choose another folder, or replace it with --force"
            )
        return files

    @property
    def all(self) -> tuple[Path, ...]:
        return (*self.paths.values(), *([self.concepts] if self.concepts else []))

    def write(self, collection: Collection) -> None:
        """Write every part of a collection, and say what its format cannot hold."""
        parts = {part: collection.select(split=part) for part in self.paths}
        _make_folder(self.folder)
        lost: dict[str, None] = {}
        for part, path in self.paths.items():
            lost |= dict.fromkeys(formats.convert(parts[part], path, self.format, lossy=True))
        if self.concepts is not None and collection.truth.concept_axis.ids is not None:
            del lost[Content.CONCEPT_IDS.value]
            with written(self.concepts) as target:
                target.stream.write("".join(f"{name}\n" for name in collection.concepts).encode())
        if lost:
            inform(f"lost {', '.join(lost)}, which the format {self.format} cannot hold")


def _as_file(file: Path, format: str | None) -> tuple[str, str]:
    """The suffix and format of the file that is split."""
    truth = folders.truth_file(file) if folders.is_collection(file) else file
    with opened(truth) as source:
        own = format_of(source, format)
    packed = truth.suffix.lower() == ".gz"
    suffix = "".join(truth.suffixes[-2 if packed else -1 :])
    return "" if own.in_folders else suffix, own.name


def _as_asked(ending: str) -> tuple[str, str]:
    suffix = f".{ending.removeprefix('.')}"
    try:
        return suffix, written_as(Path(f"part{suffix}")).name
    except FileError as error:
        raise typer.BadParameter(error.what, param_hint="--ending") from None


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"cannot be made ({error.strerror}); choose another folder") from None
