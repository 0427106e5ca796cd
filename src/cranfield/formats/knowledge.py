"""What is known about a collection's concepts, from the files that lie beside its truth.

Everything must cover the concepts of the truth, and may know more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.errors import FileError, InputError
from cranfield.formats import folder as folders
from cranfield.formats.maps import check_map, read_map
from cranfield.formats.problems import Findings, Problems
from cranfield.knowledge import AgreementMap, CostMap, Knowledge, Ontology, RelatednessMap
from cranfield.knowledge.label_table import concept_ids
from cranfield.knowledge.reading import SHIPPED

_Listed = Callable[[], Iterable[Path | None]]
_Check = Callable[[Path, Axis], Findings]


def read_knowledge(folder: Path, concepts: Axis) -> Knowledge:
    """What a collection's folder says about concepts."""
    ontology = folders.ontology_file(folder)
    agreement = folders.agreement_file(folder)
    return Knowledge(
        None if ontology is None else read_ontology(ontology, covering=concepts),
        {
            name: read_map(CostMap, path, name=name, covering=concepts)
            for name, path in folders.map_files(folder, "costs").items()
        },
        {
            name: read_map(RelatednessMap, path, name=name, covering=concepts)
            for name, path in folders.map_files(folder, "relatedness").items()
        },
        None if agreement is None else read_map(AgreementMap, agreement, covering=concepts),
    )


def check_knowledge(folder: Path, concepts: Axis) -> Iterator[tuple[Path, str, Findings]]:
    """Each file about concepts, what it is meant to be, and everything that is wrong with it."""
    parts: tuple[tuple[str, _Listed, _Check], ...] = (
        ("an ontology", lambda: [folders.ontology_file(folder)], _check_ontology),
        ("agreement", lambda: [folders.agreement_file(folder)], partial(check_map, AgreementMap)),
        ("costs", lambda: folders.map_files(folder, "costs").values(), partial(check_map, CostMap)),
        (
            "relatedness",
            lambda: folders.map_files(folder, "relatedness").values(),
            partial(check_map, RelatednessMap),
        ),
    )
    for what, listed, check in parts:
        try:
            files = [path for path in listed() if path is not None]
        except FileError as error:
            yield folder, what, _findings(error)
            continue
        for path in files:
            yield path, what, check(path, concepts)


def _check_ontology(path: Path, concepts: Axis) -> Findings:
    try:
        read_ontology(path, covering=concepts)
    except FileError as error:
        return _findings(error)
    return Findings()


def _findings(error: FileError) -> Findings:
    problems = Problems(error.path, keep=1)
    problems.add_error(error)
    return problems.findings()


def read_ontology(source: str | Path, *, covering: Axis) -> Ontology:
    """A shipped ontology by its name, or one from a file, that knows these concepts."""
    result = Ontology.load(source)
    try:
        concept_ids(result, covering)
    except InputError as error:
        if str(source) in SHIPPED:
            raise
        raise error.in_file(source) from None
    return result


def hierarchy_of(collection: Collection) -> Ontology | None:
    """The hierarchy that a truth's own file holds, as an ontology."""
    if not collection.parents:
        return None
    parents = {name: collection.parents.get(name) for name in collection.concepts}
    return Ontology(
        {name: () if above is None else (above,) for name, above in parents.items()},
        name=collection.name,
    )
