"""How words stand in text: in any case, between blanks and marks, in the singular or the plural.

A word is a run of letters and digits, of any script that parts its words; case does not matter.
Blanks, hyphens, underscores and apostrophes part words; all other marks part phrases too, so that
"sea, party" does not mention "sea party".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal, get_args

from cranfield.errors import InputError, first_ten, several

Forms = Literal["exact", "number"]
"""Which forms of a word count: none but itself, or the singular and the plural of nouns."""

Phrase = tuple[bytes, ...]
"""The words of something to look for, as `folded` writes them."""

WORD_PART, PHRASE_PART = b" ", b"\x1f"
"""What stands between words, and between phrases, in folded text; both sort before letters."""

_PLAIN = bytes(
    byte
    if byte >= 0x80 or byte == 0x0A
    else ord(chr(byte).lower())
    if chr(byte).isalnum()
    else ord(WORD_PART if chr(byte) in " \t-_'" else PHRASE_PART)
    for byte in range(256)
)
_FOREIGN_GAP = re.compile("[\u00a0\u00ad\u2000-\u200a\u2010\u2011\u2019\u202f\u205f\u3000]")
_FOREIGN_MARK = re.compile(
    "[\u0080-\u009f\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7"
    "\u2012-\u2bff\u3001-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    "\uff5b-\uff65\U0001f000-\U0001faff]"
)
"""Punctuation, symbols and pictures, by the blocks of Unicode that are meant for them."""

_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet",
    "tooth": "teeth", "goose": "geese", "mouse": "mice", "leaf": "leaves", "wolf": "wolves",
    "shelf": "shelves", "calf": "calves", "loaf": "loaves", "knife": "knives", "wife": "wives",
    "life": "lives",
}  # fmt: skip
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_HISSING = ("s", "x", "z", "ch", "sh")


def folded(text: bytes) -> bytes:
    """UTF-8 with words in small letters and `WORD_PART`, `PHRASE_PART` or line ends between."""
    if not text.isascii():
        read = unicodedata.normalize("NFC", text.decode().casefold())
        read = _FOREIGN_MARK.sub(PHRASE_PART.decode(), _FOREIGN_GAP.sub(" ", read))
        text = read.encode()
    return text.translate(_PLAIN)


def phrase(word: str) -> Phrase:
    """A word, or several, as they stand in folded text; empty if there is no letter in it."""
    return tuple(folded(word.encode(errors="replace")).replace(PHRASE_PART, b" ").split())


def phrases_of(
    words: Sequence[str],
    synonyms: Mapping[str, Sequence[str]] | None = None,
    forms: Forms = "number",
) -> dict[Phrase, list[int]]:
    """What to look for in text, and which of the words each phrase stands for.

    synonyms  further ways to say a word, in whatever case it is written, and with underscores or
              blanks: a document that holds any of them mentions it
    forms     of the last word of each phrase
    """
    further: dict[Phrase, list[str]] = {}
    for word, others in (synonyms or {}).items():
        further.setdefault(phrase(word), []).extend(others)
    phrases: dict[Phrase, list[int]] = {}
    for index, word in enumerate(words):
        for spelled in _spelled((word, *further.get(phrase(word), ())), forms):
            phrases.setdefault(spelled, []).append(index)
    return phrases


def unasked(synonyms: Mapping[str, Sequence[str]], words: Sequence[str]) -> list[str]:
    """Words that have synonyms but that nobody asks for."""
    asked = set(map(phrase, words))
    return [word for word in synonyms if phrase(word) not in asked]


def require_forms(forms: str) -> None:
    if forms not in get_args(Forms):
        raise InputError(f"forms={forms!r}; choose 'exact' or 'number'")


def require_synonyms(synonyms: Mapping[str, Sequence[str]]) -> None:
    """Every synonym must hold a letter, or nothing could be found by it."""
    empty = [word for word, others in synonyms.items() if not all(map(phrase, others))]
    if empty:
        raise InputError(
            f"{several(len(empty), 'word')} with a synonym that has no letters: "
            f"{first_ten(empty)}; write words"
        )


def _spelled(words: Iterable[str], forms: Forms) -> dict[Phrase, None]:
    """The phrases for some words in all their forms, each once."""
    spelled: dict[Phrase, None] = {}
    for tokens in filter(None, map(phrase, words)):
        *before, last = tokens
        ends = [last] if forms == "exact" else number_forms(last)
        spelled.update(dict.fromkeys((*before, end) for end in ends))
    return spelled


def number_forms(word: bytes) -> list[bytes]:
    """A noun in the singular and the plural, whichever it is in, by the rules of English."""
    text = word.decode()
    singular = _singular(text)
    forms = (text, singular, _plural(singular), _plural(text))
    return [form.encode() for form in dict.fromkeys(forms)]


def _singular(word: str) -> str:
    if word in _SINGULAR:
        return _SINGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("es") and word[:-2].endswith(_HISSING):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _SINGULAR:
        return word
    if word.endswith(_HISSING):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + "s"


class Names:
    """Places of names; a name that nobody has is found in any case, with blanks for underscores."""

    def __init__(self, names: Iterable[str]) -> None:
        self._exact: dict[Hashable, list[int]] = {}
        self._alike: dict[Hashable, list[int]] = {}
        for index, name in enumerate(names):
            self._exact.setdefault(name, []).append(index)
            self._alike.setdefault(phrase(name), []).append(index)

    def place(self, word: str) -> int | None:
        """The place of the name that a word stands for; None if there is none, or several."""
        found = self._exact.get(word) or self._alike.get(phrase(word) or None, [])
        return found[0] if len(found) == 1 else None
