"""A collection's folder: its truth, and what lies beside it.

truth.*               the truth, in any format
concepts.txt          ids of concepts, one a line
splits.csv            item,split
terms.txt             what people call concepts and items: topic,document
topics.*              what topics ask for: TREC's <top>, or XML
runs/*                runs
runs.csv              run, and what is known about it: threshold
ontology.*            what is known about concepts: hierarchy and rules
agreement.csv         how far annotators agree on each concept: concept,value
costs/NAME.*          what it costs to take one concept for another: OS(costs=NAME)
relatedness/NAME.*    how closely concepts are related: SRP(relatedness=NAME)
"""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.registry import makes_one
from cranfield.formats.source import extension_of, name_of
from cranfield.knowledge.reading import is_ontology

MAP_FOLDERS = ("costs", "relatedness")
MAP_ENDINGS = (".csv", ".tsv", ".npz")
"""Of files that hold maps; .gz may follow. What else lies beside them is left alone."""

_BESIDE = (".xml",)
"""Endings of files that only say more about another one, such as which attributes are labels."""


def is_collection(path: Path) -> bool:
    """Whether this is a folder with a truth in it."""
    return os.path.isdir(path) and bool(visible(path, "truth.*"))


def truth_file(folder: Path) -> Path:
    """The one file `truth.*` of a folder; or a folder of that name whose files make a truth."""
    result = _only(folder, visible(folder, "truth.*"), "truths")
    if result is None:
        raise FileError(folder, "this folder has no truth.*; a collection needs its truth there")
    return result


def concepts_file(folder: Path) -> Path | None:
    return _file(folder / "concepts.txt")


def collection_of_run(path: Path) -> Path | None:
    """The folder that says which concepts a run is about: FOLDER of FOLDER/runs/run.txt, or the
    one it lies in, if that has concepts.txt and no truth."""
    folder = path.absolute().parent
    above = folder.parent
    if folder.name == "runs" and (concepts_file(above) is not None or is_collection(above)):
        return above
    return folder if concepts_file(folder) is not None and not is_collection(folder) else None


def lies_in_runs(path: Path) -> bool:
    """Whether a file is one of the runs of a collection, so that it is no truth."""
    folder = path.absolute().parent
    return folder.name == "runs" and collection_of_run(path) == folder.parent


def splits_file(folder: Path) -> Path | None:
    return _file(folder / "splits.csv")


def terms_file(folder: Path) -> Path | None:
    return _file(folder / "terms.txt")


def topics_file(folder: Path) -> Path | None:
    return _only(folder, _files(folder, "topics.*"), "files of topics")


def runs_file(folder: Path) -> Path | None:
    return _file(folder / "runs.csv")


def run_files(folder: Path) -> tuple[Path, ...]:
    """What is in `runs`, by name; hidden files do not count."""
    return tuple(visible(folder / "runs", "*"))


def ontology_file(folder: Path) -> Path | None:
    return _only(folder, _ontologies(folder), "ontologies")


def agreement_file(folder: Path) -> Path | None:
    return _only(folder, _maps(folder, "agreement.*"), "agreement maps")


def map_files(folder: Path, kind: str) -> dict[str, Path]:
    """The maps in `costs` or `relatedness`, by name; hidden files do not count."""
    result = _maps(folder / kind, "*")
    names = [name_of(path) for path in result]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(folder / kind, f"this folder has several maps called {twice!r}; keep one")
    return dict(zip(names, result, strict=True))


def knowledge_files(folder: Path) -> list[Path]:
    """All files that say something about concepts."""
    maps = (path for kind in MAP_FOLDERS for path in _maps(folder / kind, "*"))
    return [*_ontologies(folder), *_maps(folder, "agreement.*"), *maps]


def _ontologies(folder: Path) -> list[Path]:
    # A picture of an ontology may lie beside it.
    return [path for path in _files(folder, "ontology.*") if is_ontology(path)]


def _maps(folder: Path, pattern: str) -> list[Path]:
    return [path for path in _files(folder, pattern) if extension_of(path) in MAP_ENDINGS]


def _only(folder: Path, result: list[Path], what: str) -> Path | None:
    if len(result) > 1:
        names = ", ".join(path.name for path in result)
        raise FileError(folder, f"this folder has {len(result)} {what} ({names}); keep one")
    return result[0] if result else None


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None


def visible(folder: Path, pattern: str) -> list[Path]:
    """Files, and folders that make one truth or run."""
    return [
        path
        for path in _entries(folder, pattern)
        if path.suffix.lower() not in _BESIDE
        and (path.is_file() or (path.is_dir() and makes_one(path)))
    ]


def _files(folder: Path, pattern: str) -> list[Path]:
    return [path for path in _entries(folder, pattern) if path.is_file()]


def _entries(folder: Path, pattern: str) -> list[Path]:
    """What a folder holds, by name, but for hidden files."""
    try:
        return sorted(path for path in folder.glob(pattern) if not path.name.startswith("."))
    except OSError as error:
        raise FileError(folder, f"this folder cannot be read ({error.strerror or error})") from None
