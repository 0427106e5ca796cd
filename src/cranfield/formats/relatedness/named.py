"""Sources of relatedness by name, as people type them: [NAME=]KIND[:FILE][,option=value…]

PATH, LCH, WUP, RES, LIN, JCN, HSO, LESK and VECTOR are over WordNet and take its folder, if it is
not to be found, and LESK a list of words to leave out (`LESK,stop=english`); `wordllama` needs no
file. All others rest on one: `corpus:captions.txt`,
`FTS=corpus:photos.csv,columns=tags`, `counts:counts.csv`, `truth:truth.csv`, `links:pages.tsv`,
`vectors:glove.txt`, `web:engine.toml`, `ontology:pto2009,tree=flattest`, `map:FTS.csv`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats import read_collection
from cranfield.formats.maps import read_relatedness
from cranfield.formats.relatedness.corpora import CorpusFile
from cranfield.formats.relatedness.counts import LONGEST, LinkFile, read_counts, read_endpoint
from cranfield.formats.relatedness.vectors import VectorFile
from cranfield.formats.two_columns import read_words
from cranfield.knowledge import Ontology
from cranfield.knowledge.ontology import Costing
from cranfield.knowledge.relatedness import (
    CorpusCounts,
    Distributional,
    Embeddings,
    GivenMap,
    LinkCounts,
    MilneWitten,
    OntologyPaths,
    Source,
    TruthCounts,
    WebCounts,
    WordLlama,
)
from cranfield.knowledge.relatedness.spelling import Forms
from cranfield.knowledge.relatedness.wordnet import WORDNET_SOURCES, is_there

_SHAPE = re.compile(
    r"(?:(?P<name>[\w.+-]+)=)?(?P<kind>\w+)(?::(?P<file>.+?))?(?P<options>(?:,\w+=[^,]*)*)"
)
_FILELESS = "wordllama"


class SpellingError(InputError):
    """What names no source of relatedness."""


def source_of(spelling: str) -> Source:
    """The source that a spelling names."""
    shape = _SHAPE.fullmatch(spelling.strip())
    kind = "" if shape is None else shape["kind"]
    make = _maker(kind)
    if shape is None or make is None:
        raise SpellingError(f"{spelling!r} is no source of relatedness; write {_KNOWN}")
    if shape["file"] is None and kind.lower() in _MAKERS and kind.lower() != _FILELESS:
        raise SpellingError(f"{spelling!r} needs a file; write {kind}:FILE")
    result = make(shape["file"], **_options(spelling, make, shape["options"]))
    if shape["name"]:
        result.name = shape["name"]
    return result


def files_of(spelling: str) -> list[Path]:
    """The files that a spelling may name."""
    shape = _SHAPE.fullmatch(spelling.strip())
    if shape is None:
        return []
    options = (part.partition("=")[2] for part in shape["options"].split(","))
    return [Path(name) for name in (shape["file"], *options) if name]


def available() -> list[str]:
    """The sources that need no file and can be had here."""
    wordnet = list(WORDNET_SOURCES) if is_there() else []
    return [*wordnet, *([_FILELESS] if find_spec("wordllama") else [])]


def _maker(kind: str) -> Callable[..., Source] | None:
    return WORDNET_SOURCES.get(kind.upper()) or _MAKERS.get(kind.lower())


def _options(spelling: str, make: Callable[..., Source], text: str) -> dict[str, str]:
    known = [
        name
        for name, one in inspect.signature(make).parameters.items()
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    given = dict(part.split("=", 1) for part in filter(None, text.split(",")))
    unknown = [name for name in given if name not in known]
    if unknown:
        there = f"it takes {', '.join(known)}" if known else "it takes none"
        raise SpellingError(f"{spelling!r}: {unknown[0]!r} is no option of this source; {there}")
    return given


# ── one for each kind; options are texts, as they were typed ──────────────────────────────────


def _corpus(
    file: str,
    *,
    columns: str = "",
    by: str | None = None,
    synonyms: str | None = None,
    forms: Forms = "number",
) -> Source:
    corpus = CorpusFile(file, columns=[*filter(None, columns.split("+"))], by=by)
    further = None if synonyms is None else read_words(synonyms)
    return Distributional(CorpusCounts(corpus, synonyms=further, forms=forms))


def _counts(file: str, *, documents: str | None = None) -> Source:
    return Distributional(read_counts(file, documents=_whole("documents", documents)))


def _truth(file: str) -> Source:
    read = read_collection(file)
    return Distributional(TruthCounts(read.truth, name=read.name))


def _web(file: str, *, cache: str | None = None) -> Source:
    return Distributional(WebCounts(read_endpoint(file), cache=cache))


def _links(file: str, *, pages: str | None = None) -> Source:
    return MilneWitten(LinkCounts(LinkFile(file), pages=_whole("pages", pages)))


def _vectors(file: str) -> Source:
    return Embeddings(VectorFile(file))


def _wordllama(file: str | None) -> Source:
    if file is not None:
        raise SpellingError(f"wordllama:{file}: it carries its own vectors; write wordllama")
    return Embeddings(WordLlama())


def _ontology(file: str, *, tree: str = "flat", kind: Costing = "DDMC") -> Source:
    return OntologyPaths(Ontology.load(file), tree=tree, kind=kind)


def _map(file: str) -> Source:
    return GivenMap(read_relatedness(file).read_from(Path(file).name))


def _whole(option: str, text: str | None) -> int | None:
    if text is not None and not (text.isascii() and text.isdecimal() and len(text) <= LONGEST):
        raise SpellingError(f"{option}={text}: write a whole number")
    return None if text is None else int(text)


_MAKERS: dict[str, Callable[..., Source]] = {
    "corpus": _corpus,
    "counts": _counts,
    "truth": _truth,
    "links": _links,
    "vectors": _vectors,
    _FILELESS: _wordllama,
    "web": _web,
    "ontology": _ontology,
    "map": _map,
}
_KNOWN = (
    f"{', '.join(WORDNET_SOURCES)}, {_FILELESS}, or "
    f"{', '.join(f'{kind}:FILE' for kind in _MAKERS if kind != _FILELESS)}"
)
