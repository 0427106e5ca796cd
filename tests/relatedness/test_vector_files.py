"""Cosines of vectors from files, held against SciPy; and of the package that carries its own."""

import math
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cosine
from scipy.stats import spearmanr

import cranfield as cf
from cranfield.formats.relatedness import VectorFile
from cranfield.knowledge.relatedness import Embeddings, WordLlama
from cranfield.studies.judgements import Judgements

File = Callable[..., Path]

WORDS = ["sky", "sea", "still_life", "night", "club", "New York", "zero"]
VECTORS = np.random.default_rng(4).normal(size=(len(WORDS), 5)).round(4)
VECTORS[-1] = 0


def as_text(header: str = "") -> str:
    rows = zip(WORDS, VECTORS.tolist(), strict=True)
    return header + "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows)


@pytest.fixture(params=["glove", "word2vec", "npz"])
def path(request: pytest.FixtureRequest, file: File, tmp_path: Path) -> Path:
    if request.param == "npz":
        np.savez(tmp_path / "v.npz", words=np.array(WORDS), vectors=VECTORS)
        return tmp_path / "v.npz"
    header = f"{len(WORDS)} 5\n" if request.param == "word2vec" else ""
    return file(as_text(header), "v.txt")


def test_relatedness_is_the_cosine(path: Path) -> None:
    source = Embeddings(VectorFile(path))
    assert source.name == "v"
    table = source.table(["sky", "sea", "night"])
    for i, one in enumerate((0, 1, 3)):
        for j, other in enumerate((0, 1, 3)):
            expected = 1 - cosine(VECTORS[one], VECTORS[other])
            assert table[i, j] == pytest.approx(expected, abs=1e-12)
    assert source.relatedness("sky", "sea") == pytest.approx(1 - cosine(*VECTORS[:2]))
    assert np.array_equal(table, table.T)


def test_words_are_found_in_small_letters_and_with_underscores(path: Path) -> None:
    source = Embeddings(VectorFile(path))
    for spelled in ("still life", "Still Life", "still_life"):
        assert source.relatedness(spelled, "Sky") == pytest.approx(1 - cosine(*VECTORS[[2, 0]]))
    assert source.covers("New York")


def test_words_without_a_vector_together_are_the_mean_of_their_directions(path: Path) -> None:
    units = VECTORS[:-1] / np.linalg.norm(VECTORS[:-1], axis=1, keepdims=True)
    expected = 1 - cosine(units[3] + units[4], units[0])
    assert Embeddings(VectorFile(path)).relatedness("night club", "sky") == pytest.approx(expected)


def test_unknown_words_and_vectors_of_zeros_are_not_covered(path: Path) -> None:
    source = Embeddings(VectorFile(path))
    assert math.isnan(source.relatedness("sky", "nowhere"))
    related = source.matrix(["sky", "zero", "night sea", "night nowhere"])
    assert related.coverage.unknown == ("zero", "night nowhere")
    assert related.map.provenance.counts == {"words": 2}


def test_the_first_of_two_vectors_of_a_word_counts(file: File) -> None:
    source = Embeddings(VectorFile(file("a 1 0\na 0 1\nb 1 0\n")))
    assert source.relatedness("a", "b") == 1


def test_a_file_is_read_once_for_all_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []
    file = VectorFile(path)
    find = file.find
    monkeypatch.setattr(file, "find", lambda words: asked.append(set(words)) or find(words))
    source = Embeddings(file)
    source.matrix(["sky", "sea", "still_life", "nowhere"])
    source.relatedness("sea", "sky")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a 1 0\nsky 1\n", ":2: 'sky' has 1 numbers; expected 2"),
        ("a 1 0\nsky 1 x\n", ":2: 'sky': 'x' is not a number"),
        ("a 1 0\nsky 1 nan\n", ":2: 'sky': 'nan' is not a number"),
        ("3 2\nsky 1e999 0\n", ":2: 'sky': .*too large"),
        ("sky\n", ":1: 'sky' is no vector"),
        ("the sky is blue\n", ":1: .*is no vector"),
        (b"2 3\nsky \0\1\2\3\n", ":1: this is not text"),
        (b"PK\3\4 and so on", "NPZ archive is broken"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(file: File, content: bytes | str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        Embeddings(VectorFile(file(content))).covers("sky")


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"words": np.array(["sky"])}, "needs two arrays"),
        ({"words": np.array(["sky"]), "vectors": np.ones((2, 3))}, "shape"),
        ({"words": np.array(["sky"]), "vectors": np.array(["x"])}, "shape"),
        ({"words": np.array(["sky"]), "vectors": np.full((1, 2), np.nan)}, "'sky' is not finite"),
        ({"words": np.array([["sky"]]), "vectors": np.ones((1, 3))}, "must be a list of ids"),
        ({"things": np.ones(3)}, "name them words and vectors"),
        (
            {"words": np.array(["sky"], dtype=object), "vectors": np.ones((1, 3))},
            "not an array|pick",
        ),
    ],
)
def test_what_is_wrong_with_an_archive_is_said(
    tmp_path: Path, arrays: dict[str, Any], said: str
) -> None:
    np.savez(tmp_path / "v.npz", **arrays)
    with pytest.raises(cf.FileError, match=said):
        Embeddings(VectorFile(tmp_path / "v.npz")).covers("sky")


# ── the package that carries its model ────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ("wordllama", "wordllama is not installed; pip install"),
        ("safetensors", r"wordllama cannot start \(no safetensors\); pip install"),
    ],
)
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, lacking: str, said: str
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"no {lacking}", name=lacking)

    monkeypatch.setattr("cranfield.knowledge.relatedness.embeddings.import_module", missing)
    with pytest.raises(cf.InputError, match=said):
        Embeddings(WordLlama()).covers("sky")


@pytest.mark.skipif(find_spec("wordllama") is None, reason="wordllama is not installed")
def test_the_package_agrees_with_people_without_fetching_anything() -> None:
    judgements = Judgements.load("visual-concepts")
    said = judgements.values_of(Embeddings(WordLlama()))
    assert spearmanr(said, judgements.scores)[0] > 0.6


@pytest.mark.parametrize("size", ["1e200", "1e-200"])
def test_vectors_of_any_length_have_a_direction(file: File, size: str) -> None:
    text = f"sky {size} 0\nsea {size} {size}\n"
    source = Embeddings(VectorFile(file(text, "v.txt")))
    assert source.relatedness("sky", "sea") == pytest.approx(math.sqrt(0.5))
