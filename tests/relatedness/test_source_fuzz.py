"""Whatever the files of sources hold, nothing but errors made on purpose comes out."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.formats.relatedness import (
    CorpusFile,
    LinkFile,
    VectorFile,
    read_counts,
    read_endpoint,
)
from cranfield.knowledge.relatedness import (
    CorpusCounts,
    Distributional,
    Embeddings,
    LinkCounts,
    MilneWitten,
)
from cranfield.knowledge.relatedness.source import Source

READERS: dict[str, tuple[Callable[[Path], Source], bytes]] = {
    "lines": (
        lambda path: Distributional(CorpusCounts(CorpusFile(path))),
        b"sky and sea\nSKY\n\xc3\xb6l, sea\n",
    ),
    "csv": (
        lambda path: Distributional(CorpusCounts(CorpusFile(path, columns=["a"], by="b"))),
        b'a,b\n"sky, sea",1\nsky,"2"\n',
    ),
    "tsv": (
        lambda path: Distributional(CorpusCounts(CorpusFile(path, columns=[2], by=1))),
        b"1#0\tsky sea\n1#1\tsea\n",
    ),
    "counts": (
        lambda path: Distributional(read_counts(path)),
        b"word,other,count\n,,10\nsky,,5\nsea,,4\nsky,sea,3\n",
    ),
    "links": (
        lambda path: MilneWitten(LinkCounts(LinkFile(path))),
        b"a\tSky\nb\tsky\nb\tsea\nc_d\tsea\n",
    ),
    "vectors": (
        lambda path: Embeddings(VectorFile(path)),
        b"2 2\nsky 1 0.5\nsea -1 2e3\n",
    ),
}

CUTS = st.tuples(st.integers(0, 60), st.integers(0, 4), st.binary(max_size=6))
"""Where to cut, how much, and what to put there instead."""


@pytest.mark.parametrize("kind", READERS)
@settings(max_examples=100)
@given(cuts=st.lists(CUTS, min_size=1, max_size=4))
def test_broken_files_raise_errors_made_on_purpose_only(
    kind: str, cuts: list[tuple[int, int, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    read, content = READERS[kind]
    for place, size, instead in cuts:
        content = content[:place] + instead + content[place + size :]
    path = tmp_path_factory.getbasetemp() / f"fuzz-{kind}"
    path.write_bytes(content)
    with suppress(cf.CranfieldError):
        read(path).matrix(["sky", "sea", "öl", "nowhere"])


@settings(max_examples=100)
@given(cuts=st.lists(CUTS, min_size=1, max_size=4))
def test_broken_endpoints_raise_errors_made_on_purpose_only(
    cuts: list[tuple[int, int, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = b'url = "http://x.org/{query}"\nnumber = "(a)"\ntotal = 3\n'
    for place, size, instead in cuts:
        content = content[:place] + instead + content[place + size :]
    path = tmp_path_factory.getbasetemp() / "fuzz.toml"
    path.write_bytes(content)
    with suppress(cf.CranfieldError):
        read_endpoint(path)


def test_the_unbroken_files_are_read(tmp_path: Path) -> None:
    for kind, (read, content) in READERS.items():
        path = tmp_path / kind
        path.write_bytes(content)
        assert read(path).covers("sky"), kind
