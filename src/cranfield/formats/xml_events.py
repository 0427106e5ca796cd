"""XML read event by event. Nothing is believed that could lead out of the file or make it larger:
document types, and with them entities, are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from cranfield.errors import FileError
from cranfield.formats.source import opened

_LARGEST = 64 << 20


def small_text(path: Path) -> bytes:
    """All of a file that describes others, unpacked; refused if it is too large to be one."""
    with opened(path) as source, source.telling():
        text = source.stream.read(_LARGEST + 1)
    if len(text) > _LARGEST:
        raise FileError(path, f"is larger than {_LARGEST >> 20} MiB; is it the right file?")
    return text


class XmlEvents:
    """Tells a subclass of the elements and the text of a file as they come."""

    purpose = "this file"
    """What the file says, in messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Text within an element."""

    def read(self, text: bytes) -> None:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "broken")
            raise FileError(
                self.path, f"is no XML ({reason}); mend or remove it", line=error.lineno
            ) from None
        except (LookupError, ValueError):
            raise FileError(
                self.path, "has an unknown encoding; save it as UTF-8", line=1
            ) from None

    def fail(self, what: str) -> NoReturn:
        raise FileError(self.path, what, line=self.parser.CurrentLineNumber)

    def _refuse_doctype(self, *declaration: object) -> None:
        self.fail(f"has a document type, which {self.purpose} do not need; remove it")
