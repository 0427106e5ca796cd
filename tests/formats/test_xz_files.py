"""Files packed with xz are read like those packed with gzip."""

import lzma
from pathlib import Path

import pytest

import cranfield as cf

CSV = b"item,cat,dog\na,1,0\nb,0,1\n"


def test_a_truth_packed_with_xz_is_the_truth(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv.xz"
    path.write_bytes(lzma.compress(CSV))
    truth = cf.read_truth(path)
    assert truth.labels.tolist() == [[True, False], [False, True]]
    assert cf.read_collection(path).name == "truth"


def test_xz_is_known_by_its_content_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes(lzma.compress(CSV))
    assert cf.read_truth(path).items == ("a", "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lzma.compress(CSV)[:-20], "the xz archive ends too early"),
        (lzma.compress(CSV)[:20] + bytes(20) + lzma.compress(CSV)[40:], "the xz archive is broken"),
        (lzma.compress(b""), "the file is empty"),
    ],
)
def test_a_broken_xz_archive_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "truth.csv.xz"
    path.write_bytes(content)
    with pytest.raises(cf.FileError, match=said):
        cf.read_truth(path)
