"""Names that groups chose to do harm, in every file and page: nothing of them is obeyed."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from scored_runs import add_run

from cranfield.core.table import Table
from cranfield.server.configuration import RunField
from cranfield.server.folder import CampaignFolder
from cranfield.server.results.citations import bibtex_text
from cranfield.show.csv import csv_text

NAMES = [
    '=HYPERLINK("http://evil.example","click")',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "x\n=1+1",
    "x;=1+1",
    "＝1+1",
    r"\input{/etc/passwd}",
    r"\write18{rm -rf /}",
    "}",
    "{",
    "}}@misc{evil, title={owned}",
    "100 % sure",
    "a & b $c$ #d _e_ ^f ~g",
    "\u202egnp.exe",
    "</td><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "| a | b |",
    "[click](javascript:alert(1))",
    "`code` **bold** <b>",
    "\x1b[31mred\x07",
]
BOARD = "/results/photos/test/1/"
OBEYED = tuple("=+-@\t\r＝＋－＠")
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(params=NAMES, ids=range(len(NAMES)))
def run_id(
    request: pytest.FixtureRequest, folder: CampaignFolder, monkeypatch: pytest.MonkeyPatch
) -> int:
    """A run whose name, group and declared field are hostile."""
    cache.clear()
    track = replace(settings.CAMPAIGN.tracks[0], fields=(RunField("models"),))
    monkeypatch.setattr(settings, "CAMPAIGN", replace(settings.CAMPAIGN, tracks=(track,)))
    name = request.param
    return add_run(f"{name} group", name, 0.5, fields={"models": name}).id


def read(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def files(run_id: int, form: str) -> list[str]:
    return [
        read(f"{BOARD}board.{form}?fields=1"),
        read(f"/tracks/photos/board.{form}"),
        read(f"{BOARD}{run_id}/record.{form}"),
    ]


def test_no_cell_of_a_csv_is_a_formula(run_id: int) -> None:
    for text in files(run_id, "csv"):
        assert not HARMFUL.search(text)
        for separator in (",", ";"):  # spreadsheets split at the one of their country
            for row in csv.reader(io.StringIO(text), delimiter=separator):
                assert not [cell for cell in row if cell.startswith(OBEYED)], row


def test_latex_holds_nothing_that_tex_obeys(run_id: int) -> None:
    for text in files(run_id, "tex"):
        body = "\n".join(line for line in text.splitlines() if not line.startswith("% "))
        assert not HARMFUL.search(text)
        commands = set(re.findall(r"\\([a-zA-Z]+)", body))
        assert commands <= {
            "begin", "end", "toprule", "midrule", "bottomrule", "textbf", "uparrow", "downarrow",
            "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater",
            "textbar", "textsuperscript", "cdot",
        }  # fmt: skip
        assert _depths(re.sub(r"\\[{}]", "", body)) == 0
        assert not re.search(r"(?<!\\)[%#]", body)


def test_bibtex_has_one_entry_with_its_fields_and_no_other(run_id: int) -> None:
    for text in files(run_id, "bib"):
        assert not HARMFUL.search(text)
        assert len(re.findall("^@", text, re.M)) == 1
        assert _depths(text) == 0
        entry = re.fullmatch(r"@misc\{([A-Za-z0-9-]+),\n(.*)\}\n", text, re.S)
        assert entry
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry[2], re.M))
        assert fields.keys() == {"author", "title", "year", "month", "note", "url"}
        assert [value for value in fields.values() if _depths(value)] == []
        assert fields["url"].startswith(f"http://testserver{BOARD}")
        assert len(entry[2].splitlines()) == len(fields)


def test_markdown_keeps_names_in_their_cells(run_id: int) -> None:
    for text in files(run_id, "md"):
        assert not HARMFUL.search(text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        tables = re.split(r"\n\n", text)
        for table in tables:
            widths = {
                len(re.findall(r"(?<!\\)\|", line))
                for line in table.splitlines()
                if line[:1] == "|"
            }
            assert len(widths) <= 1
        assert rows
        assert not re.search(r"(?<!\\)[<\[](?!sup>|/sup>)", text.replace("](", ""))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_pages_have_no_tag_or_attribute_of_a_name(run_id: int) -> None:
    for address in ("/tracks/photos/?fields=1", f"{BOARD}?fields=1", f"{BOARD}{run_id}/"):
        page = read(address)
        parsed = Tags()
        parsed.feed(page)
        assert parsed.tags.count("script") == read("/").count("<script ")
        assert not {name for name in parsed.attributes if name.startswith("on")}
        assert "img" not in parsed.tags
        assert not HARMFUL.search(page)


def test_json_keeps_names_as_they_are(folder: CampaignFolder) -> None:
    for name in NAMES:
        add_run("group", name, 0.5)
    cache.clear()
    content = Client().get(f"{BOARD}board.json").json()
    assert {row["run"] for row in content["runs"]} == set(NAMES)


def test_csv_of_the_library_keeps_names_as_they_are() -> None:
    rows = [{"run": name, "score": -0.5} for name in NAMES]
    written = csv_text(Table("runs", rows))
    again = [row["run"] for row in csv.DictReader(io.StringIO(written, newline=""))]
    assert again == NAMES
    defused = list(csv.reader(io.StringIO(csv_text(Table("runs", rows, defused=True)))))
    assert {row[1] for row in defused[1:]} == {"-0.5"}  # numbers are numbers


@pytest.mark.parametrize("name", NAMES)
def test_braces_of_names_are_written_as_commands(name: str) -> None:
    assert _depths(bibtex_text(name)) == 0


def _depths(text: str) -> int:
    """How many braces are left open, as BibTeX counts; it must never close more than it opened."""
    depth = 0
    for sign in text:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    return depth
