"""WordNet's files in memory: synsets as rows of arrays, the senses of words, and links.

Reads `data.*` and `index.*`, as wndb(5WN) describes them, whatever their line ends: a synset is
found by the offset that its line states, never by its place in the file. Synsets of all parts of
speech are numbered in one sequence: nouns, verbs, adjectives, adverbs, each as in its file.

Base forms of inflected words, by WordNet's lists of exceptions and its rules (morphy(7WN)).

clouds → cloud, men → man, geese → goose, running → run. A form counts only if WordNet knows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.errors import FileError

Rows = NDArray[np.int64]
"""Numbers of synsets."""

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""Parts of speech, and what their files are called."""

_TAGS = {b"%x" % tag: b"%02d" % tag for tag in range(16)}
"""How files write the number that tells senses of one word apart, and how keys write it."""
_VERSION = re.compile(rb"WordNet (\d+(?:\.\d+)+)")


class Links(NamedTuple):
    """The links of synsets, one in each place of three arrays.

    Of links between single words, as antonyms have them, those of the first word of a synset count
    as links of the synset, as in WordNet::Similarity; those of other words are left out.
    """

    kinds: NDArray[np.bytes_]
    """As the files write them: @ to a hypernym, ! to an antonym …"""
    sources: Rows
    targets: Rows

    def between(self, *kinds: str) -> tuple[Rows, Rows]:
        """Where links of some kinds start and where they end."""
        chosen = np.isin(self.kinds, [kind.encode() for kind in kinds])
        return self.sources[chosen], self.targets[chosen]


class Database:
    """The synsets of one WordNet.

    folder  holds data.noun, index.noun, and so on
    """

    def __init__(self, folder: Path | Traversable) -> None:
        self.folder = folder
        self.rows: dict[str, range] = {}
        """The synsets of each part of speech."""
        self._heads: list[bytes] = []
        self._glosses: list[bytes] = []
        synsets = _Found()
        for part, file in PARTS.items():
            first = len(self._heads)
            self._read_synsets(f"data.{file}", synsets)
            self.rows[part] = range(first, len(self._heads))
        self.offsets: Rows = np.array(synsets.offsets, dtype="S8").astype(np.int64)
        self.links = self._resolve(synsets)
        self._entries = {part: self._read_index(f"index.{file}") for part, file in PARTS.items()}

    def __len__(self) -> int:
        return len(self._heads)

    @cached_property
    def version(self) -> str:
        """As the licence at the top of data.noun states it; empty if it does not."""
        stated = _VERSION.search(self.read("data.noun")[:4096])
        return "" if stated is None else stated[1].decode()

    def words(self, row: int) -> list[str]:
        """The words of a synset as they are written, with underscores for blanks."""
        fields = self._heads[row].split()
        return [word.decode("utf-8", "replace") for word in fields[4 : _end_of_words(fields) : 2]]

    def gloss(self, row: int) -> str:
        """Definition and examples of a synset."""
        return self._glosses[row].decode("utf-8", "replace")

    def sense_keys(self, part: str) -> dict[bytes, int]:
        """The synset of each sense of a noun or a verb, by its key without the last colons."""
        number = str(1 + list(PARTS).index(part)).encode()
        keys: dict[bytes, int] = {}
        for row in self.rows[part]:
            fields = self._heads[row].split()
            for place in range(4, _end_of_words(fields), 2):
                word, tag = fields[place].lower(), _TAGS.get(fields[place + 1], fields[place + 1])
                keys[b"%b%%%b:%b:%b" % (word, number, fields[1], tag)] = row
        return keys

    def knows(self, lemma: str, part: str) -> bool:
        """Whether a lemma has senses."""
        return lemma.encode() in self._entries[part]

    def senses(self, lemma: str, part: str) -> list[int]:
        """The synsets of a lemma, most frequent sense first; lower case, underscores for blanks."""
        entry = self._entries[part].get(lemma.encode())
        if entry is None:
            return []
        fields = entry.split()
        try:
            rows: list[int] = self._locate(part, fields[-int(fields[1]) :]).tolist()
        except (ValueError, IndexError):
            raise FileError(
                f"{self.folder}/index.{PARTS[part]}", f"the entry of {lemma!r} is broken"
            ) from None
        return rows

    def read(self, name: str) -> bytes:
        """A file of the folder."""
        try:
            return (self.folder / name).read_bytes()
        except (OSError, KeyError):
            raise FileError(
                str(self.folder), f"has no readable {name}; WordNet's database needs it"
            ) from None

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file after its licence, whose lines begin with blanks."""
        return (line for line in self.read(name).splitlines() if line[:1] not in (b" ", b""))

    def _read_synsets(self, name: str, synsets: _Found) -> None:
        for line in self.lines(name):
            head, _, gloss = line.partition(b"|")
            fields = head.split()
            try:
                start = _end_of_words(fields)
                synsets.add(fields[0], fields[start + 1 : start + 1 + 4 * int(fields[start])])
            except (ValueError, IndexError):
                raise FileError(
                    f"{self.folder}/{name}", f"broken synset: {line[:60]!r}; install WordNet anew"
                ) from None
            self._heads.append(head)
            self._glosses.append(gloss.strip())

    def _read_index(self, name: str) -> dict[bytes, bytes]:
        try:
            return dict(line.split(b" ", 1) for line in self.lines(name))
        except ValueError:
            raise FileError(
                f"{self.folder}/{name}", "has entries without synsets; install WordNet anew"
            ) from None

    def _resolve(self, synsets: _Found) -> Links:
        parts = np.array(synsets.parts, dtype="S1")
        offsets = np.array(synsets.targets, dtype="S8")
        targets = np.empty(len(parts), dtype=np.int64)
        for part in PARTS:
            here = parts == part.encode()
            targets[here] = self._locate(part, offsets[here])
        kinds = np.array(synsets.kinds, dtype="S2")
        sources = np.repeat(np.arange(len(synsets.counts)), synsets.counts)
        whole = np.isin(np.array(synsets.words, dtype="S2"), (b"00", b"01"))
        return Links(kinds[whole], sources[whole], targets[whole])

    def _locate(self, part: str, offsets: Sequence[bytes] | NDArray[np.bytes_]) -> Rows:
        """The synsets at these offsets."""
        rows = self.rows[part]
        wanted = np.array(offsets, dtype="S8").astype(np.int64)
        places = np.searchsorted(self.offsets[rows.start : rows.stop], wanted) + rows.start
        known = self.offsets[np.minimum(places, rows.stop - 1)] == wanted
        if not known.all():
            raise FileError(
                f"{self.folder}/data.{PARTS[part]}",
                f"no synset at offset {wanted[~known][0]}; these files do not belong together",
            )
        return places


def _end_of_words(fields: Sequence[bytes]) -> int:
    """The field after the words of a synset, each of which has two."""
    return 4 + 2 * int(fields[3], 16)


class _Found:
    """What the lines of the data files say, as they say it."""

    def __init__(self) -> None:
        self.offsets: list[bytes] = []
        self.counts: list[int] = []
        self.kinds: list[bytes] = []
        self.targets: list[bytes] = []
        self.parts: list[bytes] = []
        self.words: list[bytes] = []

    def add(self, offset: bytes, links: list[bytes]) -> None:
        self.offsets.append(offset)
        self.counts.append(len(links) // 4)
        self.kinds += links[::4]
        self.targets += links[1::4]
        self.parts += links[2::4]
        self.words += links[3::4]


_ENDINGS = {
    "n": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
        ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
"""What to take off the end of a word, and what to put there."""


class WordForms:
    """The forms under which WordNet lists words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def base(self, lemma: str, part: str) -> list[str]:
        """The word itself and its base forms, as far as WordNet has them."""
        forms = self._exceptions[part].get(lemma) or [
            lemma.removesuffix(ending) + instead
            for ending, instead in _ENDINGS[part]
            if lemma.endswith(ending)
        ]
        return [form for form in dict.fromkeys([lemma, *forms]) if self._database.knows(form, part)]

    @cached_property
    def _exceptions(self) -> dict[str, dict[str, list[str]]]:
        return {part: self._read(f"{file}.exc") for part, file in PARTS.items()}

    def _read(self, name: str) -> dict[str, list[str]]:
        lines = (line.decode("utf-8", "replace").split() for line in self._database.lines(name))
        return {form: bases for form, *bases in lines}
