"""Large files are read in sections by several threads, long runs of lines that are alike at once:
whatever stands in a file, that gives what reading line after line in Python gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.formats import gather as sections
from cranfield.formats import source
from cranfield.kernels import text
from cranfield.kernels.threads import limited_to

pytestmark = pytest.mark.skipif(
    text.extension is None, reason="the C extension is not built, or not wanted"
)

_Read = Callable[[Path], object]


@pytest.fixture(autouse=True)
def short_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections of a few lines each, so that a small file has many."""
    for name, size in (("_LENGTH", 700), ("_BLOCK", 256), ("_LINE", 200), ("_MANY", 30)):
        monkeypatch.setattr(sections, name, size)


def _facts(read: _Read, path: Path) -> object:
    """What comes of reading a file."""
    try:
        found = read(path)
    except cf.CranfieldError as error:
        return str(error)
    cells = found.scores if isinstance(found, cf.Run) else found.judged  # type: ignore[attr-defined]
    return (
        found.items,  # type: ignore[attr-defined]
        found.concepts,  # type: ignore[attr-defined]
        cells.codes.tolist(),
        cells.values.tolist(),
        getattr(found, "notes", ()),
    )


def _by_python(read: _Read, path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patched:
        patched.setattr(text, "extension", None)
        return _facts(read, path)


_ODD_FIELDS = ["Q0", "x", "é", "日本", "a" * 70, "1e3", "-0", "nan", "1,5", "0x1", "+1", ".5", "5."]
_ODD_SCORES = [
    "-1.25", "7", "123456789", "0.123456789", "1e-3", "00.50", "12345678.1234567", "-0.0", "1.",
    "-",
]  # fmt: skip
_ODD_LINES = ["", "  ", "one two", "\t", "7 Q0 d 1 0.5 tag and more words", "# a remark", "\0"]


def _lines(draw: random.Random, *, oddness: float) -> list[str]:
    """Lines of a run as systems write them, some of them in another way."""
    lines = []
    for topic in range(draw.randrange(1, 6)):
        documents = draw.sample(range(90, 1300), draw.randrange(1, 60))
        for rank, document in enumerate(documents):
            name, score, end = f"d-{document}", f"{9.5 - rank / 8:.4f}", ""
            blank = " "
            if draw.random() < oddness:
                score = draw.choice(_ODD_SCORES)
            if draw.random() < oddness / 4:
                name = draw.choice(_ODD_FIELDS)
            if draw.random() < oddness / 4:
                blank = draw.choice(["\t", "  ", " \t"])
            if draw.random() < oddness / 8:
                end = draw.choice([" ", "\r", " remark"])
            if draw.random() < oddness / 8:
                lines.append(draw.choice(_ODD_LINES))
            fields = (f"{topic + 8}", "Q0", name, f"{rank}", score, "tag")
            lines.append(blank.join(fields) + end)
    return lines


@pytest.mark.parametrize("oddness", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("seed", range(60))
def test_a_run_is_the_same_however_it_is_read(
    seed: int, oddness: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    content = "\n".join(_lines(draw, oddness=oddness)) + draw.choice(["\n", "", "\n\n"])
    data = content.encode()
    if oddness and draw.random() < 0.1:
        data = data.replace(b"d-1", b"d-\xff", 1)
    path = tmp_path / "system.run"
    path.write_bytes(draw.choice([b"", b"", b"\xef\xbb\xbf"]) + data)
    expected = _by_python(cf.read_run, path, monkeypatch)
    for threads in (1, 2, 5):
        with limited_to(threads):
            assert _facts(cf.read_run, path) == expected


@pytest.mark.parametrize("seed", range(30))
def test_judgements_are_the_same_however_they_are_read(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    stratum = draw.choice(["", "3 "])
    lines = [
        f"{topic} 0 d{draw.choice(['', '-'])}{document} {stratum}{draw.choice([-2, -1, 0, 1, 10])}"
        for topic in range(1, 5)
        for document in draw.sample(range(1000), 70)
    ]
    if draw.random() < 0.3:
        lines[draw.randrange(len(lines))] = draw.choice(["1 0 d5 x", "1 0 d5 1.5", "1 0", ""])
    path = tmp_path / "all.qrels"
    path.write_text("\n".join(lines) + "\n")
    expected = _by_python(cf.read_truth, path, monkeypatch)
    for threads in (1, 2, 5):
        with limited_to(threads):
            assert _facts(cf.read_truth, path) == expected


def test_sections_are_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests above would compare one way with itself."""
    lines = _lines(random.Random(5), oddness=0)
    path = tmp_path / "system.run"
    path.write_text("\n".join(lines) + "\n")
    reached: list[int] = []
    reading = sections.Sections.__iter__

    def spied(self: sections.Sections) -> object:
        yield from reading(self)
        reached.append(self.position)

    monkeypatch.setattr(sections.Sections, "__iter__", spied)
    with limited_to(2):
        cf.read_run(path)
    assert reached[0] > path.stat().st_size / 2


def test_numbers_in_lines_alike_are_exact(tmp_path: Path) -> None:
    draw = random.Random(3)
    for whole in range(1, 9):
        for decimals in range(9):
            low, high = 10 ** (whole - 1), 10**whole - 1
            texts = [
                f"{draw.randint(low, high)}"
                + (f".{draw.randrange(10**decimals):0{decimals}d}" if decimals else "")
                for _ in range(50)
            ]
            path = tmp_path / "system.run"
            path.write_text(
                "".join(f"1 Q0 {name:04d} 1 {score} t\n" for name, score in enumerate(texts))
            )
            run = cf.read_run(path)
            scores = run.scores.values  # type: ignore[union-attr]
            np.testing.assert_array_equal(scores, [float(score) for score in texts])


@pytest.mark.parametrize("edge", [b"\r\n", b"\r\r\n", b"\r", b"\r\r"])
@pytest.mark.parametrize("before", range(-3, 2))
def test_line_ends_at_the_edge_of_a_block_are_counted_once(
    edge: bytes, before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_BLOCK", 60)
    line = b"1 Q0 d1 1 5 t"
    path = tmp_path / "system.run"
    path.write_bytes(line + b" " * (60 + before - len(line)) + edge + b"WRONG LINE\n")
    number = len(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n").splitlines())
    with pytest.raises(cf.CranfieldError, match=rf"system.run:{number}: the line has 2 fields"):
        cf.read_run(path)


def test_a_file_that_was_replaced_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = _lines(random.Random(5), oddness=0)
    path = tmp_path / "system.run"
    path.write_text("\n".join(lines) + "\n")
    expected = _facts(cf.read_run, path)
    reading = sections.Sections.__iter__

    def replaced(self: sections.Sections) -> object:
        other = tmp_path / "other"
        other.write_text("9 Q0 other 1 1 tag\n" * 300)
        other.rename(path)
        return reading(self)

    monkeypatch.setattr(sections.Sections, "__iter__", replaced)
    with limited_to(2):
        assert _facts(cf.read_run, path) == expected
