"""JSON read value by value says the same as JSON read at once, wherever the window is cut."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.formats import json_stream
from cranfield.formats.json_stream import JsonStream
from cranfield.formats.problems import Problems
from cranfield.formats.source import opened

Write = Callable[..., Path]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
anywhere = settings(
    max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


def read(path: Path) -> Any:
    """A document, its two outer levels piece by piece."""
    with opened(path) as source:
        stream = JsonStream(source, Problems(path))
        found: Any
        if stream.peek() == "{":
            found = {}
            for name in stream.members():
                found[name] = list(stream.elements()) if stream.peek() == "[" else stream.value()
        elif stream.peek() == "[":
            found = list(stream.elements())
        else:
            found = stream.value()
        stream.end()
        return found


@anywhere
@given(document=documents, indent=st.sampled_from([None, 0, 2]), ascii=st.booleans())
@pytest.mark.parametrize("block", [1, 2, 7, 1 << 20])
def test_every_document_is_read_as_json_reads_it(
    block: int, document: Any, indent: int | None, ascii: bool, file: Write, monkeypatch: Any
) -> None:
    monkeypatch.setattr(json_stream, "_BLOCK", block)
    text = json.dumps(document, indent=indent, ensure_ascii=ascii)
    assert read(file(text)) == json.loads(text)


@anywhere
@given(document=documents, data=st.data())
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_every_damage_that_json_sees_is_seen(
    block: int, document: Any, data: st.DataObject, file: Write, monkeypatch: Any
) -> None:
    monkeypatch.setattr(json_stream, "_BLOCK", block)
    text = json.dumps(document)
    place = data.draw(st.integers(0, len(text)))
    piece = data.draw(
        st.sampled_from(["", '"', "\\", "{", "}", "[", "]", ",", ":", "1", "x", ".", "\n"])
    )
    broken = text[:place] + piece + text[place + 1 :]
    try:
        expected = json.loads(broken)
    except ValueError:
        with pytest.raises(cf.FileError):
            read(file(broken))
    else:
        assert read(file(broken)) == expected


@pytest.mark.parametrize("block", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b'{"a": [\n1,\n2 3]}', 3, "this is not JSON: , or ] is expected, at '3]}'"),
        (b'{"a": [\n{"b": 1,}]}', 2, "property name"),
        (b'{"a"\n: \n[1, 2', 3, "ends too early"),
        (b'{"a": "\n"}', 1, "control character"),
        (b'{\n"a": NaN}', 2, "NaN is no JSON number"),
        (b'{\n"a": [1, {"b": -Infinity}]}', 2, "-Infinity is no JSON number"),
        (b'{"a": 1}\n}', 2, "something behind the end"),
        (b"{a: 1}", 1, "a name in double quotes is expected, at 'a: 1}'"),
        (b'[1, "\\ud83"]', 1, "escape"),
        (b"[1,\n" + b"9" * 5000 + b"]", 2, "more digits than can be read"),
        (b"[" * 100_000, 1, "nested too deeply"),
        (b'[\n"\xff"]', 2, r"'\xff' is not UTF-8"),
        (b'[\n"\xc3', 2, r"'\xc3' is not UTF-8"),
        ("[1]".encode("utf-16"), 1, "is not UTF-8"),
        (b"[1\0]", 1, ", or ] is expected"),
    ],
)
def test_broken_json_is_refused_with_its_line(
    block: int, content: bytes, line: int, says: str, file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "_BLOCK", block)
    with pytest.raises(cf.FileError) as caught:
        read(file(content))
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)


def test_a_byte_order_mark_goes(file: Write) -> None:
    assert read(file(b"\xef\xbb\xbf[1]")) == [1]


def test_a_value_without_end_is_refused_before_it_fills_the_memory(
    file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "_LONGEST", 1000)
    monkeypatch.setattr(json_stream, "_BLOCK", 100)
    path = file('[\n"' + "x" * 10_000)
    with pytest.raises(cf.FileError, match="a single value is longer than") as caught:
        read(path)
    assert caught.value.line == 2


def test_a_long_list_takes_little_memory(file: Write) -> None:
    path = file("[" + ",".join(['[1.5, "' + "x" * 200 + '"]'] * 50_000) + "]")
    tracemalloc.start()
    with opened(path) as source:
        assert sum(1 for _ in JsonStream(source, Problems(path)).elements()) == 50_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 << 20 < path.stat().st_size
