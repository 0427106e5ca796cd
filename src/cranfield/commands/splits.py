"""`cranfield split`: what is asked for, and the files that parts are written to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from cranfield.collections import splits
from cranfield.collections.collection import Collection
from cranfield.collections.splits.split import Split, as_shares, equal_shares
from cranfield.core.options import Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.errors import FileError, InputError
from cranfield.formats import folder as folders
from cranfield.formats.contents import Content
from cranfield.formats.registry import format_of, named, written_as
from cranfield.formats.source import opened, written


class Parts(NamedTuple):
    """The share of each part, by its name; of folds only how many there are."""

    parts: dict[str, float]
    folds: int | None


def requested_parts(
    *,
    shares: Annotated[str | None, Option(metavar="LIST", excludes=("folds",))] = None,
    folds: Annotated[int | None, Option(metavar="K", minimum=2)] = None,
    into: Annotated[Path | None, Option(metavar="FOLDER")] = None,
    ending: Annotated[str | None, Option(metavar="ENDING", needs="into")] = None,
) -> Parts:
    """Shares, or a number of folds.

    shares  Shares that sum to 1, such as 0.8,0.2 or train=0.8,test=0.2.
    folds   Equal shares instead, for cross-validation.
    into    Write a truth file for each part into a folder.
    ending  Ending of these files, which says their format: csv, npz, …; default: as FILE.
    """
    requested = Parts(equal_shares(folds, items=folds), folds) if folds else _shares(shares)
    if into is not None:
        _require_names(requested.parts)
    if ending is not None:
        _as_requested(ending)
    return requested


def _shares(shares: str | None) -> Parts:
    if shares is None:
        raise InputError(
            "nothing says which parts to make",
            mend="give either {shares}, such as 0.8,0.2, or {folds}",
            parameter="shares",
        )
    fields = [field.rpartition("=") for field in shares.split(",")]
    names = [name.strip() for name, sign, _ in fields if sign]
    values = [value for *_, value in fields]
    if names and len(set(names)) < len(fields):
        raise InputError("name all parts, each differently, or none of them", parameter="shares")
    try:
        return Parts(as_shares(dict(zip(names, values, strict=True)) if names else values), None)
    except InputError as error:
        raise InputError(error.what, parameter="shares") from None


def split_collection(
    file: Path,
    collection: Collection,
    parts: dict[str, float],
    folds: int | None,
    *,
    seed: Annotated[int, Option(minimum=0)] = 0,
    order: Annotated[int, Option(metavar="1|2", minimum=1, maximum=2)] = 1,
    groups: Annotated[Path | None, Option()] = None,
    output: Annotated[Path | None, Option(short="-o", writes="file")] = None,
    into: Path | None = None,
    ending: str | None = None,
    force: Annotated[bool, Option(needs="into")] = False,
    format: str | None = None,
    concepts: Path | None = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Split:
    """Split a collection so that every concept is as frequent in each part as in the whole.

    Prints which item belongs to which part, as CSV, and on standard error how well frequencies
    were kept; with -o or --into, this report is what is printed.

    seed    Same seed, same split.
    order   1 keeps frequencies of concepts; 2 those of pairs of concepts as well.
    groups  CSV item,group: items of a group stay together.
    output  Write the CSV item,split to a file.
    force   Replace files that --into finds in its folder.
    """
    from cranfield.formats.splits import read_groups, write_splits

    files = None
    if into is not None:
        files = PartFiles.planned(file, into, tuple(parts), format, ending)
        inputs = [path for path in (file, concepts, groups, output) if path is not None]
        files.require_new(inputs, force=force)
    together = read_groups(groups, collection.items) if groups else None
    deal: Any = partial(splits.split, shares=parts)
    if folds is not None:
        deal = partial(splits.folds, count=folds)
    done: Split = deal(collection, seed=seed, order=order, groups=together, progress=progress)
    if files is not None:
        if done.report.lack:
            raise FileError(file, done.report.lack)
        lost = files.write(replace(collection, splits=done.by_item))
        if lost:
            notify(f"lost {', '.join(lost)}, which the format {files.format} cannot hold")
        notify(f"wrote {into}")
    if output is not None:
        write_splits(done.by_item, output)
    return replace(done, listed=output is None and into is None)


@dataclass(frozen=True)
class PartFiles:
    """A file for each part."""

    folder: Path
    paths: dict[str, Path]
    format: str
    concepts: Path | None
    """Names of the concepts, where the format cannot hold them."""

    @classmethod
    def planned(
        cls, file: Path, into: Path, parts: tuple[str, ...], format: str | None, ending: str | None
    ) -> PartFiles:
        """Where to write."""
        suffix, written_in = _as_file(file, format) if ending is None else _as_requested(ending)
        paths = {part: into / f"{part}{suffix}" for part in parts}
        nameless = Content.CONCEPT_IDS not in named(written_in).holds
        return cls(into, paths, written_in, into / "concepts.txt" if nameless else None)

    @property
    def all(self) -> tuple[Path, ...]:
        return (*self.paths.values(), *([self.concepts] if self.concepts else []))

    def require_new(self, inputs: list[Path], *, force: bool) -> None:
        """Refuse files that are there, and never replace what is read."""
        taken = {file.resolve() for path in inputs for file in (path, *path.rglob("*"))}
        for path in self.all:
            if path.resolve() in taken:
                raise InputError(
                    f"{path} is an input or another output and would be lost; name another file",
                    parameter="into",
                )
        present = [path for path in self.all if path.exists()]
        if present and not force:
            raise FileError(
                present[0],
                "is there already",
                mend="choose another folder, or replace it with {force}",
            )

    def write(self, collection: Collection) -> list[str]:
        """Write every part of a collection; returns what the format cannot hold."""
        from cranfield import formats

        parts = {part: collection.select(split=part) for part in self.paths}
        _make_folder(self.folder)
        lost: dict[str, None] = {}
        for part, path in self.paths.items():
            lost |= dict.fromkeys(formats.convert(parts[part], path, self.format, lossy=True))
        if self.concepts is not None and collection.truth.concept_axis.ids is not None:
            del lost[Content.CONCEPT_IDS.value]
            with written(self.concepts) as target:
                target.stream.write("".join(f"{name}\n" for name in collection.concepts).encode())
        return list(lost)


def _require_names(parts: Iterable[str]) -> None:
    """Refuse parts that cannot be called as files are."""
    for part in parts:
        if Path(part).name != part or part.startswith("."):
            raise InputError(
                f"{part!r} cannot be the name of a file; name the part otherwise",
                parameter="shares",
            )


def _as_file(file: Path, format: str | None) -> tuple[str, str]:
    """The suffix and format of the file that is split."""
    truth = folders.truth_file(file) if folders.is_collection(file) else file
    with opened(truth) as source:
        own = format_of(source, format)
    packed = truth.suffix.lower() == ".gz"
    suffix = "".join(truth.suffixes[-2 if packed else -1 :])
    return "" if own.in_folders else suffix, own.name


def _as_requested(ending: str) -> tuple[str, str]:
    suffix = f".{ending.removeprefix('.')}"
    try:
        return suffix, written_as(Path(f"part{suffix}")).name
    except FileError as error:
        raise InputError(error.what, parameter="ending") from None


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"cannot be made ({error.strerror}); choose another folder") from None
