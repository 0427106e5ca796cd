"""Topics: what was asked for, with title, description and narrative.

TREC marks topics by `<top>`, and their parts by tags that need not be closed:

    <top>
    <num> Number: 301
    <title> International Organized Crime
    <desc> Description: …
    <narr> Narrative: …
    </top>

INEX, CLEF and later tracks write XML: `<topic id="1">`, `<inex_topic topic_id="202">`, in the first
years `<INEX-Topic topic-id="45">`, or a topic whose number is an element. Topics may follow each
other without an element around them. Whichever it is, is recognised by what the file holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from cranfield.collections.collection import Topic
from cranfield.errors import FileError
from cranfield.formats.lines import MalformedError, decoded
from cranfield.formats.problems import shown
from cranfield.formats.xml_events import XmlEvents, small_text

_TOP = re.compile(r"<top\b[^>]*>(.*?)(?=</top\s*>|<top\b|\Z)", re.IGNORECASE | re.DOTALL)
_PART = re.compile(r"<(?!/)([A-Za-z][\w-]*)[^>]*>([^<]*(?:<(?![A-Za-z/])[^<]*)*)")
_LEADS = re.compile(r"^\s*(?:Number|Topic|Title|Description|Narrative)\s*:\s*", re.IGNORECASE)
_TOPICS = ("topic", "inex_topic", "top")
_IDS = ("num", "number", "identifier", "id", "topic_id", "topicid", "qid", "query_id")
_PARTS = {
    "title": "title", "query": "title",
    "desc": "description", "description": "description", "question": "description",
    "narr": "narrative", "narrative": "narrative",
}  # fmt: skip
"""What the parts of a topic are called, in lower case and without a language before them."""


def read_topics(path: str | Path) -> dict[str, Topic]:
    """Topics by their ids."""
    path = Path(path)
    text = small_text(path)
    topics: dict[str, Topic] = {}
    result = _marked(path, text) if re.search(rb"<top\b", text, re.IGNORECASE) else _xml(path, text)
    for line, parts in result:
        name = parts.pop("id", "")
        if not name:
            raise FileError(path, "a topic has no number; write <num> Number: 301, say", line=line)
        if name in topics:
            raise FileError(
                path, f"topic {shown(name)} stands there already; keep one of the two", line=line
            )
        topics[name] = Topic(**parts)
    if not topics:
        raise FileError(path, "holds no topics; mark each by <top> … </top> or <topic> … </topic>")
    return topics


def _named(tag: str) -> str | None:
    """What a part of a topic is: its id, title, description or narrative; None = something else."""
    tag = tag.rpartition(":")[2].lower()
    if tag.replace("-", "_") in _IDS:
        return "id"
    return _PARTS.get(tag) or _PARTS.get(tag.rpartition("-")[2])


def _tidied(text: str) -> str:
    return " ".join(_LEADS.sub("", unescape(text)).split())


def _marked(path: Path, text: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """Topics marked by <top>, with the line on which each begins."""
    try:
        whole = decoded(text)
    except MalformedError:
        raise FileError(path, "is not UTF-8; save the file as UTF-8") from None
    for top in _TOP.finditer(whole):
        parts: dict[str, str] = {}
        for tag, said in _PART.findall(top[1]):
            part = _named(tag)
            if part is not None:
                parts.setdefault(part, _tidied(said))
        yield whole.count("\n", 0, top.start()) + 1, parts


def _xml(path: Path, text: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    reader = _Reader(path)
    # Several topics need an element around them, which must not change the numbers of lines.
    begin = text.lstrip()
    bare = begin.startswith(b"<") and not begin.startswith((b"<?", b"<!"))
    reader.read(b"<topics>" + text + b"</topics>" if bare else text)
    yield from reader.result


class _Reader(XmlEvents):
    """Gathers topics from XML."""

    purpose = "topics"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.parser.StartDoctypeDeclHandler = self._meet_doctype
        self.parser.SkippedEntityHandler = self._meet_entity
        self.result: list[tuple[int, dict[str, str]]] = []
        self._within = ""
        """The topic's own tag, while one is open."""
        self._part: str | None = None
        self._words: list[str] = []

    def _meet_doctype(self, name: str, system: object, public: object, subset: int) -> None:
        """INEX names a document type in another file, which is never looked at."""
        if subset:
            self._refuse_doctype()

    def _meet_entity(self, name: str, of_parameter: int) -> None:
        """What only that file would explain; most are those of HTML."""
        if not of_parameter:
            self.text(f"&{name};")

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        bare = tag.rpartition(":")[2].lower().replace("-", "_")
        if not self._within and bare in _TOPICS:
            self._within = tag
            ids = [said for name, said in attributes.items() if _named(name) == "id"]
            parts = {"id": " ".join(ids[0].split())} if ids else {}
            self.result.append((self.parser.CurrentLineNumber, parts))
        elif self._within and self._part is None:
            self._part, self._words = _named(tag), []

    def text(self, text: str) -> None:
        if self._part is not None:
            self._words.append(text)

    def end(self, tag: str) -> None:
        if self._part is not None and _named(tag) == self._part:
            self.result[-1][1].setdefault(self._part, _tidied("".join(self._words)))
            self._part = None
        elif tag == self._within:
            self._within = ""
