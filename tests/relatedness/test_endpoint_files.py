"""How to ask a search engine, on disk."""

from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.formats.relatedness import read_endpoint

File = Callable[..., Path]

URL = 'url = "http://x.org/?q={query}"\n'
WHOLE = URL + 'number = "n"\ntotal = 4_300_000_000\n'


def test_an_endpoint_is_read(file: File) -> None:
    told = WHOLE + 'pause = 0.5\nboth = "{} AND {}"\n[headers]\nKey = "k"\n'
    endpoint = read_endpoint(file(told, "engine.toml"))
    assert endpoint.total == 4_300_000_000
    assert endpoint.query("a", "b") == '"a" AND "b"'
    assert endpoint.pause == 0.5
    assert endpoint.headers == {"Key": "k"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (URL, "missing: 'number', 'total'"),
        (WHOLE + 'page = "x"\n', "unknown: 'page'; an endpoint has url, number"),
        (WHOLE.replace("4_300_000_000", '"many"'), "total = 'many'; write a whole number"),
        (WHOLE.replace("4_300_000_000", "true"), "total = True; write a whole number"),
        (WHOLE + 'pause = "long"\n', "pause = 'long'; write a number of seconds"),
        (WHOLE + "single = 3\n", "single = 3; write a text in quotes"),
        (WHOLE + "headers = {Key = 3}\n", "headers hold something that is no text"),
        (WHOLE.replace("http", "gopher"), "begin it with http"),
        (WHOLE + "total 3\n", ":4: this is no TOML"),
        (WHOLE.encode() + b"\xff", "this is no TOML"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said(file: File, content: bytes | str, said: str) -> None:
    with pytest.raises(cf.FileError, match=said):
        read_endpoint(file(content, "engine.toml"))
