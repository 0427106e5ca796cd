"""Run files: which files the runs that somebody names are, and what to call each run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.folder import concepts_file, visible
from cranfield.formats.registry import makes_one
from cranfield.formats.source import legible

_ENDINGS = (
    ".gz", ".txt", ".csv", ".tsv", ".npz", ".npy", ".parquet", ".pq", ".arff", ".json", ".run",
    ".dat",
)  # fmt: skip


def named_runs(given: Iterable[Path]) -> dict[str, Path]:
    """Every file, or file of a folder, under a name of its own; with its path where two clash."""
    files = list(dict.fromkeys(path for one in given for path in files_of(one)))
    if not files:
        raise InputError(
            "there are no runs to score; name files or folders of runs after the truth"
        )
    names = [run_name(path) for path in files]
    return {
        name if names.count(name) == 1 else str(Path(legible(str(path.parent))) / name): path
        for name, path in zip(names, files, strict=True)
    }


def run_name(path: Path) -> str:
    """A file's name without the endings that only say how it is written."""
    name = legible(path.name)
    for ending in _ENDINGS:
        name = name.removesuffix(ending) or name
    return name


def groups_of(names: Iterable[str], path: Path | None) -> dict[str, str]:
    """Who made each run, by a file that tells it of all systems; empty without one."""
    from cranfield.core.reference_names import is_system
    from cranfield.formats.two_columns import read_groups_of_runs

    if path is None:
        return {}
    whose = read_groups_of_runs(path)
    lacking = [name for name in names if is_system(name) and name not in whose]
    if lacking:
        raise FileError(path, f"says no group of {first_ten(lacking)}; add a line for each run")
    return whose


def files_of(given: Path) -> list[Path]:
    """The files of a folder of runs; anything else is one file."""
    if not os.path.isdir(given) or makes_one(given):
        return [given]
    folder = given / "runs" if (given / "runs").is_dir() else given
    found = [path for path in visible(folder, "*") if path != concepts_file(folder)]
    if not found:
        raise FileError(folder, "holds no files; give a folder of runs")
    return found
