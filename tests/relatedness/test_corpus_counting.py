"""Counting the documents of a corpus, held against regular expressions over each document."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.kernels import limited_to
from cranfield.knowledge.relatedness import CorpusCounts
from cranfield.knowledge.relatedness.counts import Counted, Passages, vocabulary
from cranfield.knowledge.relatedness.spelling import number_forms, phrase


class Texts:
    """A corpus in memory, in blocks of some texts."""

    name = "texts"
    origin = "texts"

    def __init__(self, texts: Sequence[str], keys: Sequence[str] | None = None, block: int = 3):
        self.texts, self.keys, self.block = texts, keys, block

    def passages(self) -> Iterator[Passages]:
        for first in range(0, len(self.texts), self.block):
            part = slice(first, first + self.block)
            text = "".join(f"{text}\n" for text in self.texts[part])
            yield Passages(text.encode(), None if self.keys is None else [*self.keys[part]])


def count(texts: Sequence[str], words: Sequence[str], **options: object) -> Counted:
    return CorpusCounts(Texts(texts), **options).count(words)  # type: ignore[arg-type]


def alone(texts: Sequence[str], words: Sequence[str], **options: object) -> list[int]:
    return count(texts, words, **options).alone.astype(int).tolist()


# ── against an oracle ─────────────────────────────────────────────────────────────────────────


def by_hand(texts: Sequence[str], words: Sequence[str]) -> np.ndarray:
    """Documents with each two words, by a regular expression for each word; ASCII only."""
    held = []
    for word in words:
        inner = r"[ \t_'-]+".join(re.escape(part) for part in word.lower().split())
        pattern = re.compile(rf"(?<![a-z0-9]){inner}(?![a-z0-9])")
        held.append([bool(pattern.search(text.lower())) for text in texts])
    matrix = np.array(held, dtype=int).reshape(len(words), len(texts))
    return matrix @ matrix.T


TOKENS = ("sky", "sea", "seaside", "Sky", "a", "b", "photograph", "photography", "x" * 17)
LONG = ("abcdefghijklmnopqrst", "abcdefghiXklmnopqrst", "overexposed", "underexposed")
GAPS = st.sampled_from([" ", "  ", "-", ", ", ". ", "'", "_", "\t", "/"])
TEXTS = st.lists(
    st.lists(st.tuples(st.sampled_from(TOKENS + LONG), GAPS), max_size=8).map(
        lambda pairs: "".join(token + gap for token, gap in pairs)
    ),
    max_size=12,
)
WORDS = [*(token.lower() for token in TOKENS + LONG), "sky sea", "sea sky sea", "a b", "a a b"]


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.sampled_from(WORDS), unique=True, max_size=8))
def test_counts_are_those_of_a_regular_expression_for_each_word(
    texts: list[str], words: list[str]
) -> None:
    counted = count(texts, words, forms="exact")
    expected = by_hand(texts, words)
    assert counted.documents == len(texts)
    assert np.array_equal(counted.together, expected)
    assert np.array_equal(counted.alone, expected.diagonal())


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.data())
def test_texts_of_one_document_count_once_in_whatever_order(
    texts: list[str], data: st.DataObject
) -> None:
    keys = data.draw(st.lists(st.sampled_from("pqr"), min_size=len(texts), max_size=len(texts)))
    counted = CorpusCounts(Texts(texts, keys), forms="exact").count(WORDS)
    documents = {
        key: ". ".join(text for text, own in zip(texts, keys, strict=True) if own == key)
        for key in keys
    }
    assert counted.documents == len(documents)
    assert np.array_equal(counted.together, by_hand([*documents.values()], WORDS))


def test_the_number_of_threads_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(TOKENS, 6)) for _ in range(500)]
    tables = []
    for workers in (1, 3):
        with limited_to(workers):
            tables.append(CorpusCounts(Texts(texts, block=7)).count(WORDS).together)
    assert np.array_equal(*tables)


def test_words_are_found_even_if_all_their_keys_were_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "_ODD", np.zeros(3, dtype=np.uint64))
    texts = ["sky sea", "photograph sky", "photography", "overexposed", "seaside"]
    assert np.array_equal(count(texts, WORDS, forms="exact").together, by_hand(texts, WORDS))


# ── what counts as a word ─────────────────────────────────────────────────────────────────────


def test_a_word_is_found_between_marks_and_in_any_case() -> None:
    texts = ["The SKY, at night.", "#sky", "sky's end", "(sky)", "sky-blue", "skyline", "risky"]
    assert alone(texts, ["sky"]) == [5]


def test_a_phrase_does_not_go_over_a_mark_or_a_line() -> None:
    texts = ["still life", "still-life of fruit", "still_life", "still, life", "still", "life"]
    assert alone(texts, ["still life"]) == [3]


def test_the_singular_finds_the_plural_and_the_other_way_round() -> None:
    texts = ["a cloud", "two clouds", "a beach", "beaches", "one city", "cities", "a boss"]
    assert alone(texts, ["clouds", "cloud", "beach", "city", "cities", "bos"]) == [2, 2, 2, 2, 2, 0]
    assert alone(texts, ["clouds", "city"], forms="exact") == [1, 1]


def test_nouns_that_are_irregular_in_captions_are_known() -> None:
    texts = ["a man", "men", "one child", "children", "two people", "leaves"]
    assert alone(texts, ["man", "children", "person", "leaf"]) == [2, 2, 1, 1]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("box", {"box", "boxes"}),
        ("boxes", {"boxes", "box", "boxeses"}),
        ("day", {"day", "days"}),
        ("bus", {"bus", "buses"}),
        ("grass", {"grass", "grasses"}),
        ("sea", {"sea", "seas"}),
        ("y", {"y", "ies"}),
    ],
)
def test_forms_of_number(word: str, forms: set[str]) -> None:
    assert {form.decode() for form in number_forms(word.encode())} == forms


def test_only_the_last_word_of_a_phrase_changes_its_number() -> None:
    texts = ["street light", "street lights", "streets light"]
    assert alone(texts, ["street light"]) == [2]


def test_a_document_with_a_synonym_holds_the_word_once() -> None:
    texts = ["a car", "an automobile", "a car is an automobile", "a motor car", "a bike"]
    counted = count(texts, ["car", "bike"], synonyms={"car": ["automobile"]})
    assert counted.alone.tolist() == [4, 1]


def test_words_with_letters_of_other_scripts_are_words() -> None:
    texts = ["Ein Öl-Bild", "ÖL!", "„öl“", "ölig", "Straße", "STRASSE", "кошка и собака", "日 — 海"]
    asked = ["öl", "strasse", "Кошка", "海", "собака"]
    assert alone(texts, asked, forms="exact") == [3, 2, 1, 1, 1]


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert alone(["caf\u00e9", "cafe\u0301"], ["cafe\u0301"], forms="exact") == [2]


def test_a_word_without_letters_is_in_no_document() -> None:
    assert alone(["?!", "... ?"], ["?", "—"]) == [0, 0]
    assert phrase("?") == ()


def test_empty_texts_are_documents_without_words() -> None:
    assert count(["", "sky", ""], ["sky"]).documents == 3


def test_nothing_to_count_is_no_error() -> None:
    assert count([], ["sky"]).documents == 0
    assert count(["sky"], []).alone.shape == (0,)


def test_texts_longer_than_words_are_looked_through_to_the_end() -> None:
    assert alone(["x" * 100_000 + " sky"], ["sky", "x" * 100_000]) == [1, 1]


@pytest.mark.parametrize("key", ["Beach_Holidays", "beach holidays", "BEACH Holidays"])
def test_synonyms_belong_to_a_word_in_any_case_with_blanks_or_underscores(key: str) -> None:
    counted = count(["a beach", "a car"], ["Beach Holidays"], synonyms={key: ["beach"]})
    assert counted.alone.tolist() == [1]
    assert counted.remarks == ()


def test_synonyms_of_words_that_nobody_asks_for_are_remarked() -> None:
    counted = count(["a dog"], ["dog"], synonyms={"Dog": ["puppy"], "cta": ["kitten"]})
    assert counted.remarks == ("synonyms of 1 word that nothing is looked up by: 'cta'",)


def test_synonyms_without_letters_are_refused() -> None:
    with pytest.raises(cf.InputError, match="no letters: 'car'"):
        CorpusCounts(Texts([]), synonyms={"car": ["!"]})


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(cf.InputError, match="choose 'exact' or 'number'"):
        CorpusCounts(Texts([]), forms="stems")  # type: ignore[arg-type]


def test_all_pairs_of_forms_of_a_crowded_vocabulary_are_told_apart() -> None:
    words = ["".join(letters) for letters in product("ab", repeat=9)]
    texts = [" ".join(words[i : i + 8]) for i in range(0, len(words), 8)]
    assert count(texts, words, forms="exact").alone.tolist() == [1] * len(words)
