"""Counting documents with words and pairs of words: a million captions, 100 words, one pass.

The captions are made up: 20,000 words whose frequencies fall as those of English do, 6 to 17 to a
caption. Peers say which captions hold which words; pairs are then counted with a product of
matrices. Memory is measured in a process of its own for each side, since what was used once is not
given back.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.memory import extra
from benchmarks.timing import Ratio, best_of
from cranfield.formats.relatedness import CorpusFile
from cranfield.knowledge.relatedness import CorpusCounts

CAPTIONS = 1_000_000
SYLLABLES = (
    "ba",
    "co",
    "di",
    "fu",
    "gra",
    "hel",
    "jo",
    "kin",
    "lo",
    "mar",
    "ne",
    "os",
    "pri",
    "qua",
)

Counts = NDArray[np.int64]


def vocabulary() -> list[str]:
    rng = np.random.default_rng(8)
    words = dict.fromkeys("".join(rng.choice(SYLLABLES, rng.integers(1, 5))) for _ in range(60_000))
    return ["a", "in", "on", "the", "of", "is", "with", "and", *list(words)[:20_000]]


WORDS = vocabulary()[10:410:4]
"""100 that are looked for: frequent ones and rarer ones."""


def write_captions(path: Path) -> None:
    rng = np.random.default_rng(9)
    words = np.array(vocabulary(), dtype=object)
    weights = 1 / np.arange(1, len(words) + 1)
    with path.open("w") as file:
        for _ in range(10):
            sizes = rng.integers(6, 18, CAPTIONS // 10)
            drawn = words[rng.choice(len(words), sizes.sum(), p=weights / weights.sum())].tolist()
            ends = np.cumsum(sizes).tolist()
            for begin, end in zip([0, *ends], ends, strict=False):
                file.write(" ".join(drawn[begin:end]).capitalize() + " .\n")


def ours(path: Path) -> Counts:
    counted = CorpusCounts(CorpusFile(path), forms="exact").count(WORDS)
    return counted.together.astype(np.int64)


def pandas_loop(path: Path) -> Counts:
    texts = pd.Series(path.read_text().splitlines()).str.lower()
    held = np.stack([texts.str.contains(rf"\b{word}\b").to_numpy(dtype=bool) for word in WORDS])
    return _product(scipy.sparse.csr_array(held, dtype=np.int64))


def regex_loop(path: Path) -> Counts:
    pattern = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
    place = {word: i for i, word in enumerate(WORDS)}
    counts = np.zeros((len(WORDS), len(WORDS)), dtype=np.int64)
    with path.open() as file:
        for line in file:
            found = [place[word] for word in set(pattern.findall(line.lower()))]
            for one in found:
                for other in found:
                    counts[one, other] += 1
    return counts


def vectorizer(path: Path) -> Counts:
    with path.open() as file:
        held = CountVectorizer(vocabulary=WORDS, binary=True).transform(file)
    return _product(scipy.sparse.csr_array(held.T, dtype=np.int64))


def _product(held: scipy.sparse.csr_array) -> Counts:
    together: Counts = (held @ held.T).toarray()
    return together


LOOP = "pandas, a pattern for each word"
PEERS: dict[str, Callable[[Path], Counts]] = {
    LOOP: pandas_loop,
    "re, one pattern": regex_loop,
    "scikit-learn CountVectorizer": vectorizer,
}


def ratios() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.txt"
        write_captions(path)
        what = f"1M captions, 100 words, {path.stat().st_size / 1e6:.0f} MB"
        expected = ours(path)
        seconds = best_of(5, lambda: ours(path))
        for peer, count in PEERS.items():
            found: list[Counts] = []
            theirs = best_of(1, lambda count=count, found=found: found.append(count(path)))
            assert np.array_equal(found[0], expected)
            yield Ratio(f"counting {what}", peer, theirs, seconds, target=1)
        memory = {side: _memory(path, side) for side in ("ours", LOOP)}
        yield Ratio(f"extra memory, {what}", LOOP, memory[LOOP], memory["ours"], unit="MB")


def _memory(path: Path, side: str) -> float:
    command = [sys.executable, "-m", "benchmarks.relatedness", str(path), side]
    return float(subprocess.check_output(command))


def main() -> None:
    path, side = Path(sys.argv[1]), sys.argv[2]
    print(extra(lambda: {"ours": ours, **PEERS}[side](path)))


if __name__ == "__main__":
    main()
