"""Captions of 8,093 photos (Flickr8k) as a source, where the file is at hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from cranfield.formats.relatedness import CorpusFile
from cranfield.knowledge.relatedness import CorpusCounts, Distributional
from cranfield.knowledge.relatedness.source import Source, Words
from cranfield.studies.judgements import Judgements

DATA = Path(__file__).parents[3] / "shared" / "data" / "relatedness"
CAPTIONS = DATA / "Flickr8k.token.txt.xz"

pytestmark = pytest.mark.skipif(not CAPTIONS.exists(), reason="Flickr8k is not at hand")

PAIRS = Judgements.load("visual-concepts")


def agreement(source: Source, words: Words | None = None) -> tuple[float, list[tuple[str, str]]]:
    said = PAIRS.values_of(source, words)
    known = ~np.isnan(said)
    unknown = [pair[:2] for pair, covered in zip(PAIRS.pairs, known, strict=True) if not covered]
    return float(spearmanr(said[known], PAIRS.scores[known])[0]), unknown


UNKNOWN = [("overexposed", "underexposed"), ("aesthetic", "winter")]
EACH_WORD = {
    word: [form for part in word.split() for form in (part, part + "s")] for word in PAIRS.words
}
"""A concept of several words by any of them; each as it is, or with an s."""
HEADS = {word: [word.split()[-1]] for word in PAIRS.words}
"""A concept of several words by the last of them."""


@pytest.mark.parametrize(("by", "expected"), [(1, 0.741), (None, 0.614)])
def test_photos_agree_with_people_and_single_captions_less(by: int | None, expected: float) -> None:
    corpus = CorpusFile(CAPTIONS, columns=[2], by=by)
    source = Distributional(CorpusCounts(corpus, synonyms=EACH_WORD, forms="exact"))
    rho, unknown = agreement(source)
    assert rho == pytest.approx(expected, abs=5e-4)
    assert unknown == UNKNOWN


def test_singular_and_plural_of_the_last_word_agree_best() -> None:
    counts = CorpusCounts(CorpusFile(CAPTIONS, columns=[2], by=1))
    rho, unknown = agreement(Distributional(counts), HEADS)
    assert rho == pytest.approx(0.781, abs=5e-4)
    assert unknown == UNKNOWN
    assert counts.count(["sky"]).documents == 8093
