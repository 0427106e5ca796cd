"""Archives and binary files of kinds that nobody reads here are named for what they are."""

from __future__ import annotations

import bz2
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import formats
from cranfield.formats.confusion import read_confusion

TEXT = b"item,sky,sea\na,1,0\nb,0,1\n"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (bz2.compress(TEXT), "bzip2"),
        (b"\x28\xb5\x2f\xfd\x04\x58\x51\0\0abc", "Zstandard"),
        (b"\x04\x22\x4d\x18" + bytes(30), "LZ4"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(30), "7-Zip"),
    ],
)
def test_archives_that_are_not_unpacked_are_named(
    tmp_path: Path, content: bytes, kind: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    for read in (formats.read_truth, formats.read_run, formats.read_weights, read_confusion):
        with pytest.raises(cf.InputError, match=f"is packed by {kind}; unpack it"):
            read(path)


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_arrays_where_a_text_is_expected_are_named(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"matrix.{ending}"
    stream = BytesIO()
    (np.save if ending == "npy" else np.savez)(stream, np.eye(3))
    path.write_bytes(stream.getvalue())
    for read in (read_confusion, cf.Votes.read):
        with pytest.raises(cf.InputError, match=rf"\.{ending}.*save its content as CSV"):
            read(path)


@pytest.mark.parametrize("member", ["[Content_Types].xml", "content.xml"])
def test_spreadsheets_are_named(tmp_path: Path, member: str) -> None:
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "<x/>\n" * 9)
        archive.writestr("xl/workbook.xml", "<x/>")
    for read in (formats.read_truth, formats.read_run):
        with pytest.raises(cf.InputError, match=r"is a spreadsheet .*; save its table as CSV"):
            read(path)
    with pytest.raises(cf.InputError, match=r"\.xlsx, where a text file is expected"):
        read_confusion(path)


def test_a_picture_is_no_confusion_matrix(tmp_path: Path) -> None:
    path = tmp_path / "confusion.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\nIHDR")
    with pytest.raises(cf.InputError, match=r"is a picture \(\.png\)"):
        read_confusion(path)


def test_an_array_of_one_dimension_is_one_concept(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.array([1, 0, 1]))
    truth = formats.read_truth(tmp_path / "one.npy")
    assert truth.shape == (3, 1)
    assert truth.labels.sum() == 2


def test_a_text_that_begins_like_an_archive_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes(TEXT.replace(b"item", b"BZh9"))
    assert formats.read_truth(path).items == ("a", "b")
