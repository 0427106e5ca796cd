"""The C parser gives the double nearest to any decimal, and takes only lines Python would take."""

from __future__ import annotations

import random
import struct
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.formats.lines import MalformedError, fields, numbers
from cranfield.kernels import text
from cranfield.kernels.text import parse_rows

pytestmark = pytest.mark.skipif(
    text.extension is None, reason="the C extension is not built, or not wanted"
)


def parsed(texts: list[str]) -> np.ndarray:
    block = "".join(f"x {number}\n" for number in texts).encode()
    rows = parse_rows(block, 0, len(block), separator=b"", names=1, width=1)
    assert rows.position == len(block), block[rows.position : rows.position + 80]
    return rows.values[:, 0]


def exact(texts: list[str]) -> None:
    wanted = np.array([float(number) for number in texts])
    differ = np.flatnonzero(parsed(texts).view(np.int64) != wanted.view(np.int64))
    assert [texts[place] for place in differ] == []


def digits(draw: random.Random, count: int) -> str:
    return "".join(draw.choices("0123456789", k=count))


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 15, 16, 17, 18, 19, 20, 21, 25, 40])
def test_decimals_of_any_length_are_exact(count: int) -> None:
    draw = random.Random(count)
    drawn = [digits(draw, count) for _ in range(4000)]
    exact([f"{n[:cut]}.{n[cut:]}" for n in drawn for cut in [draw.randrange(count + 1)]])
    exact([f"-0.{'0' * draw.randrange(30)}{n}" for n in drawn])
    exact([f"{n}e{draw.randrange(-300, 250)}" for n in drawn])
    exact([f"+{n}E{draw.randrange(-30, 30):+03d}" for n in drawn])


def test_every_double_survives_its_own_text() -> None:
    draw = random.Random(1)
    doubles = [struct.unpack("d", draw.randbytes(8))[0] for _ in range(20_000)]
    doubles += [draw.random() for _ in range(20_000)]
    doubles += [draw.getrandbits(52) * 5e-324 for _ in range(2000)]
    exact([repr(x) for x in doubles if np.isfinite(x)])


def test_numbers_beside_the_middle_of_two_doubles_round_to_the_nearer() -> None:
    draw = random.Random(2)
    middles = []
    for _ in range(5000):
        low = draw.random() * 10 ** draw.randrange(-8, 9)
        middle = (Decimal(low) + Decimal(float(np.nextafter(low, np.inf)))) / 2
        middles += [f"{middle:.{draw.randrange(14, 28)}f}", f"{middle:.{draw.randrange(15, 25)}e}"]
    middles += [str((2 * draw.getrandbits(52) + 1) << draw.randrange(12)) for _ in range(5000)]
    exact(middles)


def test_edges_are_exact() -> None:
    edges = [
        "0",
        "-0",
        "0.0",
        "-.0",
        "5e-324",
        "2e-324",
        "3e-324",
        "1e-400",
        "0e999",
        "1e22",
        "1e23",
    ]
    edges += [
        "9007199254740993",
        "9007199254740992.5",
        "18446744073709551615",
        "18446744073709551616",
    ]
    edges += ["1.7976931348623158e308", "179769313486231570793e288", "2.2250738585072011e-308"]
    edges += ["0." + "0" * 300 + "1", "1" + "0" * 300, "0" * 100 + "1", "9999999999999999999", "1."]
    exact(edges)


@pytest.mark.parametrize(
    "number",
    [
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "1_0",
        "0x1",
        "1e",
        "1e+",
        ".",
        "-",
        "+",
        "",
        "1.2.3",
        "--1",
        "1,5",
    ],
)
def test_what_is_not_a_finite_number_is_declined(number: str) -> None:
    block = f"x {number} 1\n".encode()
    rows = parse_rows(block, 0, len(block), separator=b"", names=1, width=2)
    assert (len(rows.values), rows.position) == (0, 0)


pieces = st.sampled_from(
    [
        *'ab019.,-+eE \t\v\f"\n',
        "0.5",
        "0.123456",
        "1 0 1",
        "\n",
        "\0",
        "ü",
        "12345678",
        "1e5",
        "nan",
    ]
)


@settings(max_examples=300)
@given(
    st.lists(pieces, max_size=60).map("".join),
    st.sampled_from([b"", b",", b"\t"]),
    st.integers(1, 2),
    st.integers(0, 3),
)
def test_a_line_is_taken_only_as_python_takes_it(
    content: str, separator: bytes, names: int, width: int
) -> None:
    block = content.encode() + b"\n"
    lines = block.split(b"\n")
    rows = parse_rows(block, 0, len(block), separator=separator, names=names, width=width)
    for spans, values in zip(rows.spans.tolist(), rows.values.tolist(), strict=True):
        cells = fields(lines[spans[-1]], separator)
        assert [block[a:b] for a, b in zip(spans[:-1:2], spans[1:-1:2], strict=True)] == cells[
            :names
        ]
        wanted = [np.nan if cell == b"" else numbers([cell])[0] for cell in cells[names:]]
        assert np.array_equal(values, wanted, equal_nan=True)
    if rows.position < len(block):
        line = block[rows.position : block.index(b"\n", rows.position)]
        assert not _is_plain(line, separator, names, width)


def _is_plain(line: bytes, separator: bytes, names: int, width: int) -> bool:
    try:
        cells = fields(line, separator)
    except MalformedError:
        return False
    strange = b'"\v\f' if separator else b'"'
    good = len(cells) == names + width and b"" not in cells[:names]
    good = good and not set(line) & set(strange)
    values = [cell for cell in cells[names:] if cell]
    return good and numbers(values) is not None


@given(st.lists(st.lists(st.text(max_size=9), max_size=30), max_size=4))
def test_names_are_numbered_in_the_order_of_their_mention(chunks: list[list[str]]) -> None:
    known: dict[str, int] = {}
    numbered = [text.number_names(names, known).tolist() for names in chunks]
    flat = [name for names in chunks for name in names]
    assert list(known) == list(dict.fromkeys(flat))
    assert [place for places in numbered for place in places] == [
        list(known).index(n) for n in flat
    ]


def test_a_name_that_stands_on_many_lines_is_read_alike_on_all() -> None:
    long, longer = "n" * 20, "n" * 20 + "é"
    names = [long, "n", longer, long, "", "n" * 8, "n" * 9, longer] * 5000
    block = "".join(f"{name or '-'},1\n" for name in names).encode()
    rows = parse_rows(block, 0, len(block), separator=b",", names=1, width=1)
    assert text.cut_names(block, rows, 0) == [name or "-" for name in names]


def _listed(draw: random.Random, width: int, after: int) -> bytes:
    """A line as lists of cells have it, mostly like the ones before it."""
    usual = draw.random() < 0.9
    blank = " " if usual else draw.choice(["  ", "\t", " \t", "\v"])
    topic = draw.choice(["301", "302"]) if usual else draw.choice(["é", "x" * 70, "3\x01"])
    document = f"D-{draw.randrange(10 ** draw.randrange(1, 12))}"
    scores = [
        f"{draw.choice(['', '-'])}{digits(draw, draw.randrange(1, 10))}"
        f"{draw.choice(['', '.'])}{digits(draw, draw.randrange(1, 10))}"
        for _ in range(width)
    ]
    if not usual:
        scores[0] = draw.choice(["1e3", "+2", ".5", "5.", "-0", "1e-320"])
    tag = [draw.choice(["tag", "tag", "other"])] * after
    return (blank.join([topic, "Q0", document, *scores, *tag]) + "\n").encode()


@pytest.mark.parametrize(("width", "after"), [(2, 1), (1, 0), (2, 0)])
def test_lines_that_resemble_each_other_are_read_as_python_reads_each(
    width: int, after: int
) -> None:
    draw = random.Random(10 * width + after)
    lines = [_listed(draw, width, after) for _ in range(5000)]
    block = b"".join(lines)
    rows = parse_rows(block, 0, len(block), separator=b"", names=3, width=width, after=after)
    assert rows.position == len(block)
    for line, values, spans in zip(lines, rows.values, rows.spans.tolist(), strict=True):
        said = fields(line, b"")
        behind = 3 + width
        assert values.tolist() == numbers(said[3:behind])
        names = [block[a:b] for a, b in zip(spans[:-1:2], spans[1:-1:2], strict=True)]
        assert names == said[:3] + said[behind:]


def test_a_line_without_all_fields_is_declined_below_a_usual_one() -> None:
    usual = b"301 Q0 D-1 1 0.5 tag\n" * 9
    for broken in (b"301 Q0 D-1 1 tag\n", b"301 Q0 D-1 1 0.5 \n", b"301 Q0 D\0 1 0.5 tag\n"):
        block = usual + broken + usual
        rows = parse_rows(block, 0, len(block), separator=b"", names=3, width=2, after=1)
        assert (len(rows.values), rows.position) == (9, len(usual))
