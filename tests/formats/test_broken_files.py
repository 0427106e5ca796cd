"""Every broken file gives one error that names the line and what is wrong, never a traceback.

The table below is the corpus: how a file is broken, its bytes, and what the message must say. Each
is read and checked, by both parsers.
"""

from __future__ import annotations

import gzip
import io
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import cranfield as cf
from cranfield import formats


class Broken(NamedTuple):
    name: str
    content: bytes
    line: int | None
    says: str


def _npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def _npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _zip(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return stream.getvalue()


PACKED = gzip.compress(b"a 0.5 0.25\nb 0.5 0.25\n" * 1000)

RUNS = {
    "empty": Broken("r.txt", b"", None, "is empty"),
    "blank lines only": Broken("r.txt", b"\n \n\t\n", None, "no lines with values"),
    "only a byte-order mark": Broken("r.txt", b"\xef\xbb\xbf", None, "no lines with values"),
    "header only": Broken("r.csv", b"item,cat,dog\n", None, "no lines with values"),
    "header of blanks": Broken("r.csv", b"\n\n", None, "no lines with values"),
    "long header only": Broken("r.csv", b"item,concept,value\n", None, "no lines with values"),
    "too few values": Broken("r.txt", b"a 1 2\nb 1\n", 2, "'b' has 1 value; expected 2"),
    "too many values": Broken("r.txt", b"a 1 2\nb 1 2 3\n", 2, "'b' has 3 values"),
    "a wrong number everywhere": Broken("r.txt", b"a 1 2 3\nb 1 2 3\n", 1, "2 (confidences) or 4"),
    "decisions on one line only": Broken("r.txt", b"a 1 2 0 1\nb 1 2\n", 2, "expected 4"),
    "no values": Broken("r.txt", b"a\nb\n", 1, "'a' has 0 values"),
    "ragged table": Broken("r.csv", b"item,cat,dog\na,1,0\nb,1\n", 3, "'b' has 1 value"),
    "a separator too many": Broken("r.csv", b"item,cat,dog\na,1,0,\n", 2, "'a' has 3 values"),
    "a ragged line is mended": Broken(
        "r.csv",
        b"item,cat,dog\na,1,0,1\n",
        2,
        "header names; remove the extra ones",
    ),
    "a short line is mended": Broken("r.txt", b"a 1 2\nb 1\n", 2, "decisions); add the missing"),
    "semicolons in the header": Broken(
        "r.csv", b"item;cat;dog\na;1;0\n", 1, "if semicolons separate the columns"
    ),
    "a long id": Broken("r.txt", b"a 1 2\n" + b"x" * 9999 + b" 1\n", 2, "xxx…' has 1 value"),
    "bytes of another encoding": Broken("r.txt", b"s\xe9a 1 2\n", 1, r"'s\xe9a' is not UTF-8"),
    "bytes of another encoding on a ragged line": Broken(
        "r.txt", b"a 1 2\ns\xe9a 1\n", 2, r"'s\xe9a' is not UTF-8"
    ),
    "npz without a known name": Broken("r.npz", _npz(x=[1], y=[2]), None, "only 'x', 'y'; name"),
    "SciPy matrix of blocks": Broken(
        "r.npz", _npz(format=b"bsr", data=[[[1.0]]], shape=[1, 1]), None, "store matrix.tocsr()"
    ),
    "SciPy matrix with rows outside": Broken(
        "r.npz",
        _npz(format=b"coo", data=[1.0], row=[5], col=[0], shape=[2, 2]),
        None,
        "rows outside its shape (2, 2)",
    ),
    "SciPy matrix with a wrong index": Broken(
        "r.npz",
        _npz(format=b"csr", data=[1.0], indices=[0], indptr=[0, 2**40, 1], shape=[2, 2]),
        None,
        "do not fit together",
    ),
    "SciPy matrix without its index": Broken(
        "r.npz", _npz(format=b"csr", data=[1.0], shape=[2, 2]), None, "do not fit together"
    ),
    "text": Broken("r.txt", b"a 0.5 x\nb 1 1\n", 1, "item 'a', concept 'dog': 'x' is not a number"),
    "text in a table": Broken(
        "r.csv", b"item,cat,dog\na,1,yes\n", 2, "concept 'dog': 'yes' is not"
    ),
    "text in a list": Broken(
        "r.csv", b"item,concept,value\na,cat,yes\n", 2, "item 'a', concept 'cat': 'yes' is not"
    ),
    "NaN": Broken("r.txt", b"a 0.5 1\nb NaN 1\n", 2, "concept 'cat': 'NaN' is not a number"),
    "infinite": Broken("r.txt", b"a 0.5 1\nb 1 -inf\n", 2, "concept 'dog': '-inf' is not finite"),
    "huge": Broken("r.txt", b"a 0.5 1e999\nb 1 1\n", 1, "'1e999' is too large"),
    "underscores": Broken("r.txt", b"a 1_0 1\nb 1 1\n", 1, "'1_0' has underscores"),
    "hexadecimal": Broken("r.txt", b"a 0x1F 1\nb 1 1\n", 1, "'0x1F' is hexadecimal"),
    "decimal comma": Broken("r.txt", b"a 0,5 1\nb 1 1\n", 1, "'0,5' has a decimal comma"),
    "decimal comma, quoted": Broken("r.tsv", b"item\tcat\tdog\na\t0,5\t1\n", 2, "decimal comma"),
    "half a number": Broken("r.txt", b"a 1e 1\nb 1 1\n", 1, "'1e' is not a number"),
    "a sign": Broken("r.txt", b"a - 1\nb 1 1\n", 1, "'-' is not a number"),
    "a point": Broken("r.txt", b"a . 1\nb 1 1\n", 1, "'.' is not a number"),
    "two points": Broken("r.txt", b"a 1.2.3 1\nb 1 1\n", 1, "'1.2.3' is not a number"),
    "foreign digits": Broken("r.txt", "a \u0661 1\nb 1 1\n".encode(), 1, "is not a number"),
    "a number run into text": Broken("r.txt", b"a 0.5x 1\nb 1 1\n", 1, "'0.5x' is not a number"),
    "a digit run into UTF-8": Broken(
        "r.txt", "a 1ü 1\nb 1 1\n".encode(), 1, "'1ü' is not a number"
    ),
    "an empty value in a list": Broken("r.csv", b"item,concept,value\na,cat,\n", 2, "no value"),
    "bad decision": Broken(
        "r.txt",
        b"a 1 2 0 1\nb 1 2 0.5 1\n",
        2,
        "decision for concept 'cat': 0.5; decisions are 0 or 1",
    ),
    "duplicate item": Broken("r.txt", b"a 1 1\nb 1 1\na 1 1\n", 3, "'a' stands on line 1 already"),
    "duplicate row": Broken(
        "r.csv", b"item,cat,dog\n\na,1,0\na,1,0\n", 4, "'a' stands on line 3 already"
    ),
    "duplicate cell": Broken(
        "r.csv", b"item,concept,value\na,cat,1\na,cat,0\n", 3, "stands on line 2 already"
    ),
    "duplicate concept": Broken(
        "r.csv", b"item,cat,cat\na,1,0\n", 1, "1 concept more than once in the header: 'cat'"
    ),
    "unnamed concept": Broken(
        "r.csv", b"item,cat,\na,1,0\n", 1, "column 3 of the header has no name"
    ),
    "no concepts": Broken("r.csv", b"item\na\n", 1, "names no concepts"),
    "no header": Broken("r.csv", b"a,1,0\nb,0,1\n", 1, "looks like data"),
    "no item": Broken("r.csv", b"item,cat,dog\n,1,0\n", 2, "id is missing"),
    "unknown item": Broken("r.txt", b"a 1 1\nz 1 1\n", 2, "1 item not in the truth: 'z'"),
    "unknown concept": Broken(
        "r.csv",
        b"item,cat,cow\na,1,0\n",
        1,
        "1 unknown concept: 'cow'; expected are 'cat', 'dog'; rename or",
    ),
    "unknown concept in a list": Broken(
        "r.csv",
        b"item,concept,value\na,cow,1\n",
        None,
        "1 unknown concept: 'cow'; expected are 'cat', 'dog'; rename or",
    ),
    "semicolons": Broken("r.txt", b"item;cat;dog\na;1;0\n", 1, "semicolons"),
    "a stray quote": Broken(
        "r.csv", b'item,cat,dog\na,"1,0\nb,1,0\n', 2, "double quote stands alone"
    ),
    "a quote after a field": Broken("r.csv", b'item,cat,dog\n"a"x,1,0\n', 2, "double quote"),
    "UTF-16": Broken("r.txt", "a 1 1\n".encode("utf-16"), 1, "is UTF-16; save the file as UTF-8"),
    "UTF-16 unmarked": Broken("r.txt", "a 1 1\n".encode("utf-16-le"), 1, "NUL byte"),
    "Latin-1 item": Broken("r.txt", b"a 1 1\n\xfc 1 1\n", 2, "is not UTF-8"),
    "Latin-1 header": Broken("r.csv", b"item,cat,\xfc\na,1,1\n", 1, "is not UTF-8"),
    "Latin-1 value": Broken("r.txt", b"a \xfc 1\nb 1 1\n", 1, "is not a number"),
    "NUL": Broken("r.txt", b"a 1 1\nb\0 1 1\n", 2, "NUL byte"),
    "NUL in a table": Broken("r.csv", b"item,cat,dog\na,\0,1\n", 2, "NUL byte"),
    "truncated gzip": Broken("r.txt.gz", PACKED[:-12], None, "ends too early"),
    "corrupt gzip": Broken("r.txt.gz", PACKED[:20] + b"\xff" * 20 + PACKED[40:], None, "is broken"),
    "gzip of nothing": Broken("r.txt.gz", gzip.compress(b""), None, "is empty"),
    "gzip with a wrong sum": Broken("r.gz", PACKED[:-8] + b"\0" * 8, None, "is broken"),
    "a bare gzip head": Broken("r.gz", b"\x1f\x8b", None, "ends too early"),
    "truncated npy": Broken("r.npy", _npy(np.ones((2, 2)))[:-8], None, "ends too early"),
    "truncated npy in gzip": Broken(
        "r.npy.gz", gzip.compress(_npy(np.ones((2, 2)))[:-8]), None, "ends too early"
    ),
    "text as npy": Broken("r.npy", b"a 1 1\n", None, "or it is broken"),
    "npy of records": Broken("r.npy", _npy(np.zeros(2, "f8,f8")), None, "is not an array of plain"),
    "NaN on the first line": Broken("r.txt", b"a\tNaN\t1\nb\t1\t1\n", 1, "'NaN' is not a number"),
    "npy of objects": Broken(
        "r.npy", _npy(np.array([["a", None]], object)), None, "pickled objects"
    ),
    "npy of text": Broken("r.npy", _npy([["a", "b"]]), None, "must hold numbers"),
    "npy of complex numbers": Broken("r.npy", _npy([[1j, 2]]), None, "which are not read"),
    "npy with one dimension": Broken("r.npy", _npy([1.0, 2.0]), None, "1 concept and the truth 2"),
    "npy with NaN": Broken("r.npy", _npy([[1, np.nan], [1, 1]]), None, "must be finite"),
    "npy of another size": Broken(
        "r.npy", _npy(np.ones((2, 3))), None, "3 concepts and the truth 2"
    ),
    "npy that promises too much": Broken(
        "r.npy", _npy(np.ones((2, 2))).replace(b"(2, 2)", b"(9**9,)"), None, "is broken"
    ),
    "npy larger than memory": Broken(
        "r.npy.gz",
        gzip.compress(_npy(np.ones((2, 2))).replace(b"(2, 2), }  ", b"(2, 10**14)")),
        None,
        "is broken",
    ),
    "a pickle": Broken("r.npy", pickle.dumps([[1]]), None, "is broken"),
    "npz of nothing": Broken("r.npz", _npz(), None, "no array by a known name"),
    "npz without scores": Broken("r.npz", _npz(items=["a"]), None, "neither scores nor labels"),
    "npz of objects": Broken("r.npz", _npz(scores=np.array([[{}]])), None, "pickled objects"),
    "npz with wrong ids": Broken(
        "r.npz", _npz(scores=np.ones((2, 2)), items=["a"]), None, "1 item id for 2 items"
    ),
    "npz with unknown ids": Broken(
        "r.npz", _npz(scores=np.ones((2, 2)), items=["a", "z"]), None, "not in the truth: 'z'"
    ),
    "npz with square ids": Broken(
        "r.npz", _npz(scores=np.ones((2, 2)), items=[["a", "b"]]), None, "must be a list of ids"
    ),
    "npz with stray cells": Broken(
        "r.npz",
        _npz(scores_codes=[9], scores_values=[1.0], shape=[2, 2]),
        None,
        "outside the shape",
    ),
    "npz with half a sparse matrix": Broken(
        "r.npz", _npz(scores_codes=[0]), None, "sparse scores need"
    ),
    "npz with a broken member": Broken("r.npz", _zip(scores=b"\x93NUMPY\1\0"), None, "is broken"),
    "truncated npz": Broken("r.npz", _npz(scores=np.ones((2, 2)))[:-40], None, "is broken"),
    "npz in truncated gzip": Broken(
        "r.npz.gz", gzip.compress(_npz(scores=np.ones((2, 2))))[:-12], None, "ends too early"
    ),
    "a zip of something else": Broken(
        "r.zip", _zip()[:0] + _zip(x=b"1"), None, "no array by a known"
    ),
}

TRUTHS = {
    "a score": Broken(
        "t.txt", b"a 1 0\nb 0.5 1\n", 2, "value 1: 0.5; a truth in this format holds 0 and 1"
    ),
    "a grade in text": Broken("t.txt", b"a 1 2\n", 1, "for grades write a CSV file"),
    "half a grade": Broken(
        "t.csv", b"item,cat\na,1.5\n", 2, "concept 'cat': 1.5; a truth holds 0, 1"
    ),
    "below zero": Broken("t.csv", b"item,cat\na,-1\n", 2, "concept 'cat': -1;"),
    "ragged": Broken(
        "t.txt", b"a 1\nb 1 0\nc 1 0\n", 1, "'a' has 1 value; expected 2 as on other lines"
    ),
    "no values": Broken("t.txt", b"a\n", 1, "'a' has 0 values"),
    "duplicate": Broken("t.csv", b"item,cat\na,1\na,1\n", 3, "'a' stands on line 2 already"),
    "scores in npy": Broken("t.npy", _npy([[0.5]]), None, "only 0 and 1 are labels"),
    "no labels in npz": Broken("t.npz", _npz(scores=[[1]]), None, "neither labels nor grades"),
}


@pytest.mark.parametrize("how", RUNS)
def test_a_broken_run_is_refused_with_its_line(
    how: str, file: Callable[..., Path], truth: cf.Truth, parser: str
) -> None:
    broken = RUNS[how]
    path = file(broken.content, broken.name)
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(path, truth)
    _requires(caught.value, broken, path)
    found = formats.check(path, against=truth)
    assert str(caught.value) in map(str, found)


@pytest.mark.parametrize("how", TRUTHS)
def test_a_broken_truth_is_refused_with_its_line(
    how: str, file: Callable[..., Path], parser: str
) -> None:
    broken = TRUTHS[how]
    path = file(broken.content, broken.name)
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    _requires(caught.value, broken, path)


def _requires(error: cf.FileError, broken: Broken, path: Path) -> None:
    assert broken.says in error.what
    if broken.line is not None:
        assert error.line == broken.line
    assert str(error).startswith(str(path))
    assert "\n" not in str(error)
    assert len(str(error)) < 600


def test_a_check_finds_every_error_in_the_order_of_lines(
    file: Callable[..., Path], truth: cf.Truth, parser: str
) -> None:
    path = file(b"a 1 x\nb 1 1\nb 1 1\n\nc 1\nd nan inf\n\xff 1 1\n")
    found = formats.check(path, against=truth)
    assert [error.line for error in found] == [1, 3, 5, 6, 6, 7, 7]
    assert found.total == 7


def test_a_check_counts_errors_beyond_those_it_keeps(
    file: Callable[..., Path], truth: cf.Truth, parser: str
) -> None:
    path = file("".join(f"i{n} x y\n" for n in range(3000)))
    found = formats.check(path, concepts=["cat", "dog"])
    assert (len(found), found.total) == (1000, 6000)
    path = file("".join(f"i{n} 1 1 5 6\n" for n in range(3000)))
    assert formats.check(path, concepts=["cat", "dog"]).total == 6000


def test_a_check_against_a_truth_names_what_a_run_lacks(
    file: Callable[..., Path], truth: cf.Truth
) -> None:
    (error,) = formats.check(file("item,cat,dog\na,1,0\n", "r.csv"), against=truth)
    assert "lacks 1 item of the truth: 'b'" in error.what
    (error,) = formats.check(file("item,cat\na,1\nb,1\n", "r.csv"), against=truth)
    assert "lacks 1 concept of the truth: 'dog'" in error.what


def test_a_check_of_a_fine_file_hands_out_what_it_read(
    file: Callable[..., Path], truth: cf.Truth
) -> None:
    found = formats.check(file("a 1 0\nb 0 1\n"), against=truth)
    assert (found, found.total, found.format) == ([], 0, "text")
    assert found.run is not None
    assert found.run.items == truth.items


def test_files_that_cannot_be_opened_say_why(tmp_path: Path, truth: cf.Truth) -> None:
    for path, says in (
        (tmp_path / "none.txt", "no such file"),
        (tmp_path, "this folder"),
        (tmp_path / "nul\0byte", "cannot be opened"),
        (tmp_path / ("x" * 300), "cannot be opened"),
    ):
        with pytest.raises(cf.FileError, match=says):
            cf.read_run(path, truth)
        assert len(formats.check(path)) == 1


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read anything")
def test_a_file_one_may_not_read_says_so(file: Callable[..., Path], truth: cf.Truth) -> None:
    path = file("a 1 1\n")
    path.chmod(0)
    with pytest.raises(cf.FileError, match="may not be read"):
        cf.read_run(path, truth)


def test_an_unknown_format_lists_the_known_ones(file: Callable[..., Path]) -> None:
    with pytest.raises(cf.InputError, match=", ".join(formats.names())):
        cf.read_truth(file("a 1\n"), format="excel")


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"", None, "is empty"),
        (b"\n", None, "no concepts"),
        (b"cat\ndog\ncat\n", 3, "stands on line 1 already"),
        (b"cat\n\xff\n", 2, "is not UTF-8"),
        (b"cat\n\0\n", 2, "NUL"),
    ],
)
def test_broken_lists_of_concepts_are_refused(
    content: bytes, line: int | None, says: str, file: Callable[..., Path]
) -> None:
    with pytest.raises(cf.FileError, match=says) as caught:
        formats.read_concepts(file(content))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"cat,1\n", 1, "write concept,value or item,value"),
        (b"concept,value\n", None, "no lines with values"),
        (b"concept,value\ncat,x\n", 2, "'x' is not a number"),
        (b"concept,value\ncat,\n", 2, "has no value"),
        (b"concept,value\ncat,1\ncat,2\n", 3, "stands on line 2 already"),
    ],
)
def test_broken_weights_are_refused(
    content: bytes, line: int | None, says: str, file: Callable[..., Path]
) -> None:
    with pytest.raises(cf.FileError, match=says) as caught:
        formats.read_weights(file(content, "w.csv"))
    if line is not None:
        assert caught.value.line == line


def test_numbers_are_echoed_as_they_are_written(file: Callable[..., Path]) -> None:
    found = formats.check(file("a 0.9 3 1e22\n", "truth.txt"), kind="truth")
    assert [error.what.split(": ")[1].split(";")[0] for error in found] == ["0.9", "3", "1e+22"]


def test_no_message_prints_a_whole_long_id(file: Callable[..., Path], tmp_path: Path) -> None:
    long = "x" * 100_000
    for content, name in (
        (f"{long} 1 2\n{long} 1 2\n", "r.txt"),
        (f"item,cat\n{long},1\n", "r.csv"),
        (f"item,{long}\na,1\n", "r.csv"),
        (f"{long};cat\na;1\n", "r.csv"),
        (f"item,concept,value\n{long},{long},x\n", "r.csv"),
    ):
        truth = cf.Truth([[1, 0]], items=["a"], concepts=["cat", "dog"])
        for error in formats.check(file(content, name), against=truth):
            assert len(error.what) < 500
    for concepts, items in (([long], ["a\rb"]), ([f"{long}\r"], ["a"]), (["cat"], [f"{long} b"])):
        truth = cf.Truth([[1]], items=items, concepts=concepts)
        name = "t.txt" if " " in items[0] else "t.csv"
        with pytest.raises(cf.InputError) as refused:
            cf.write_truth(truth, tmp_path / name)
        assert len(str(refused.value)) < 500


def test_a_hostile_header_is_refused_at_once(tmp_path: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (" + b"9" * 5000 + b"x), }"
    path = tmp_path / "x.npy"
    path.write_bytes(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(cf.FileError, match="not an array of plain numbers"):
        cf.read_truth(path)
