"""JSON files larger than memory: objects and lists read one value at a time, each with its line.

Only what the caller asks for stands in memory: a window of text that moves through the file. What
JSON does not know, such as NaN, is an error here too, unless somebody wants such constants.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from cranfield.errors import FileError
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source

_BLOCK = 1 << 20
_LONGEST = 64 << 20
_EDGE = 16
"""Characters at the end of the window in which an error may only mean that the rest is missing."""
_AROUND = 18
"""Characters to show on either side of an error."""
_NOT_BLANK = re.compile(r"[^ \t\n\r]")


class JsonStream:
    """A JSON file that is being read from its start to its end."""

    def __init__(self, source: Source, problems: Problems, *, constants: bool = False) -> None:
        """constants  whether NaN and Infinity are numbers"""
        self.path = source.path
        self.problems = problems
        self._source = source
        self._bytes = codecs.getincrementaldecoder("utf-8-sig")()
        refuse = None if constants else _refuse_constant
        self._raw_decode = json.JSONDecoder(parse_constant=refuse).raw_decode
        self._text = ""
        self._at = 0
        self._line = self.began = 1
        self._counted = 0
        self._ended = False
        self._trouble: FileError | None = None

    @property
    def line(self) -> int:
        """The line that has been reached."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def peek(self) -> str:
        """The next character that is not blank; "" at the end of the file."""
        while (result := _NOT_BLANK.search(self._text, self._at)) is None:
            self._at = len(self._text)
            if not self._more():
                return ""
        self._at = result.start()
        return result[0]

    def members(self) -> Iterator[str]:
        """The names in an object; after each the caller reads its value, or skips it."""
        self._take("{")
        if self.peek() == "}":
            self._take("}")
            return
        while True:
            if self.peek() != '"':
                self._break("a name in double quotes is expected")
            name: str = self.value()
            self._take(":")
            yield name
            if self._take(",}") == "}":
                return

    def elements(self) -> Iterator[Any]:
        """The values in a list; `began` is the line of the one at hand."""
        self._take("[")
        if self.peek() == "]":
            self._take("]")
            return
        while True:
            yield self.value()
            if self._text.startswith(", ", self._at):  # as most files have it
                self._at += 2
            elif self._take(",]") == "]":
                return

    def skip(self) -> None:
        """Pass over a value; what it holds is checked, but not kept."""
        if self.peek() == "[":
            for _ in self.elements():
                pass
        else:
            self.value()

    def value(self) -> Any:
        """The next value as Python objects."""
        self.peek()
        self.began = self.line
        while True:
            try:
                result, end = self._raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._may_be_cut(error) and self._more():
                    continue
                self._break(error.msg[:1].lower() + error.msg[1:], at=error.pos)
            except RecursionError:
                self._break("lists or objects are nested too deeply")
            except _ConstantError as error:
                self._break(f"{error} is no JSON number")
            except ValueError:
                self._break("a number has more digits than can be read")
            # What ends with the window may go on behind it, as a number does after its point.
            if end < len(self._text) - _EDGE or not self._more():
                self._at = end
                return result

    def end(self) -> None:
        """Nothing may follow."""
        if self.peek():
            self._break("there is something behind the end of the JSON text")

    def _take(self, marks: str) -> str:
        result = self.peek()
        if not result or result not in marks:
            self._break(f"{' or '.join(marks)} is expected")
        self._at += 1
        return result

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.pos >= len(self._text) - _EDGE or error.msg.startswith("Unterminated string")

    def _break(self, why: str, *, at: int | None = None) -> NoReturn:
        """Stop: behind broken JSON nothing can be told apart."""
        at = self._at if at is None else at
        before = self._text[max(self._at, at - _AROUND) : at]
        self._at = at
        while len(self._text) - self._at < _AROUND and self._trouble is None and self._more():
            pass
        after = self._text[self._at : self._at + _AROUND]
        if not after:
            self._stop("the JSON text ends too early; copy or write the file again")
        self._stop(f"this is not JSON: {why}, at {shown(before + after)}; mend it there")

    def _stop(self, what: str) -> NoReturn:
        """Give up, unless an error before this one is to be told instead."""
        self.problems.settle()
        raise FileError(self.path, what, line=self.line)

    # -- The window ----------------------------------------------------------------------------

    def _more(self) -> bool:
        """Move the window on; False at the end of the file."""
        if self._ended:
            return False
        kept = len(self._text) - self._at
        if kept > _LONGEST:
            self._stop(
                f"a single value is longer than {_LONGEST >> 20} MiB; is this the right file?"
            )
        # As much again as is kept, lest a long value be looked at too often.
        text = self._read(max(_BLOCK, kept))
        if text:
            self._line = self.line
            self._text = self._text[self._at :] + text
            self._at = self._counted = 0
        return bool(text)

    def _read(self, size: int) -> str:
        """Text from the file; what cannot be read is told when everything before it was."""
        text = ""
        while not text and not self._ended:
            if self._trouble is not None:
                self.problems.settle()
                raise self._trouble
            try:
                with self._source.telling():
                    data = self._source.stream.read(size)
                self._ended = not data
                text = self._bytes.decode(data, final=self._ended)
            except FileError as error:
                self._trouble = error
            except UnicodeDecodeError as error:
                text = error.object[: error.start].decode("utf-8-sig")
                line = self.line + self._text.count("\n", self._at) + text.count("\n")
                wrong = shown(error.object[error.start : error.end])
                self._trouble = FileError(
                    self.path, f"{wrong} is not UTF-8; save the file as UTF-8", line=line
                )
                self._ended = False
        return text


class _ConstantError(Exception):
    """NaN, Infinity or -Infinity."""


def _refuse_constant(name: str) -> NoReturn:
    raise _ConstantError(name)
