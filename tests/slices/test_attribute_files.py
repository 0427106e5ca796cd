"""Files of what is known about items."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf

ITEMS = ("i1", "i2", "i3")


def read(folder: Path, text: str) -> dict[str, dict[str, str]]:
    path = folder / "meta.csv"
    path.write_bytes(text.encode())
    return cf.formats.read_attributes(path, ITEMS)


def test_every_column_is_an_attribute(tmp_path: Path) -> None:
    assert read(tmp_path, "item,site,length\ni1,Oslo,3\ni3, ,4.5\n") == {
        "site": {"i1": "Oslo", "i3": ""},
        "length": {"i1": "3", "i3": "4.5"},
    }


@pytest.mark.parametrize(
    "text",
    [
        'Item,site\r\n\r\ni1,"Oslo, Norway"\r\ni2,Rome\r\n',
        "\ufeffitem;site\ni1;Oslo, Norway\ni2;Rome",
        "item\tsite\ni1\tOslo, Norway\ni2\tRome\n",
    ],
)
def test_quotes_semicolons_and_tabs_are_read(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == {"site": {"i1": "Oslo, Norway", "i2": "Rome"}}


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("item,site\ni1,Oslo\ni9,Rome\n", ":3:", "item 'i9' is not in the truth; remove it"),
        ("item,site\ni1,Oslo\n\ni1,Rome\n", ":4:", "'i1' stands on line 2 already; keep one"),
        ("item,site\ni1,Oslo,Norway\n", ":2:", "3 fields, where the header has 2; quote a field"),
        ("item,site\ni1\n", ":2:", "1 field, where the header has 2"),
        ("photo,site\ni1,Oslo\n", ":1:", "the header is 'photo,site'; begin it with item"),
        ("item\ni1\n", ":1:", "name at least one attribute"),
        ("item,a,a\ni1,2,3\n", ":1:", "attributes twice: 'a'; give each column a name"),
        ("item,a,\ni1,2,3\n", ":1:", "an attribute without a name"),
        ("item,a\n", "meta.csv:", "has a header and nothing below it; write a line for each item"),
        ('item,a\ni1,"x\n', ":2:", "quote"),
    ],
)
def test_bad_files_say_where_what_and_how_to_mend(
    tmp_path: Path, text: str, where: str, what: str
) -> None:
    with pytest.raises(cf.FileError) as raised:
        read(tmp_path, text)
    assert where in str(raised.value)
    assert what in str(raised.value)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(cf.FileError, match="empty"):
        read(tmp_path, text)
