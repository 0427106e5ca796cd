"""Every command speaks of what the data call their concepts and items, wherever people read."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.core.result import Result, load

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from test_every_command import CAMPAIGNS, FILES, LINES, SLOW, command_of

import goldens

TERMS = "tag,picture"
AXIS = re.compile(r"(?<![\w./=-])(concepts?|items?)(?![\w.=(-])", re.IGNORECASE)
"""The canonical words, but not in names of measures (concept.AP), options or files."""
ABOUT_CONCEPTS = "an ontology, or a map of concepts, is about concepts, whatever data call them"
NO_DATA = "is about no data"
CAMPAIGN = "is about a campaign's files, people and processes"
EXCEPTIONS = {
    **{command_of(line).name: CAMPAIGN for line in CAMPAIGNS.values()},
    "demo": "its own collection calls them concepts and photos",
    "measures": NO_DATA,
    "study audit": NO_DATA,
    "simulate": "makes a collection that nobody has named yet",
    "ontology show": ABOUT_CONCEPTS,
    "ontology costs": ABOUT_CONCEPTS,
    "ontology check": ABOUT_CONCEPTS,
    "ontology repair": ABOUT_CONCEPTS,
    "relatedness costs": ABOUT_CONCEPTS,
    "relatedness correlate": ABOUT_CONCEPTS,
    "relatedness map": ABOUT_CONCEPTS,
    "relatedness install": ABOUT_CONCEPTS,
    "votes filter": "tags of people, in a file that says no more",
    "votes hits make": "a job is made of a list of items",
    "votes hits read": "a job's folder does not say what its truth calls them",
    "votes hits found": "a job's folder does not say what its truth calls them",
    "votes survey preferences": "the items of a questionnaire",
    "study preferences": "the items that judges compared answers to",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The goldens' inputs, whose campaign says what it calls its concepts and items."""
    folder = tmp_path_factory.mktemp("terms") / "inputs"
    before = Path.cwd()
    goldens.make_inputs(folder)
    (folder / "campaign" / "terms.txt").write_text(f"{TERMS}\n")
    CliRunner().invoke(app, ["evaluate", "campaign", "-m", "concept.AP", "--save", "saved.json"])
    os.chdir(before)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def read_by_people(result: Result) -> Iterator[str]:
    """Headlines, headings, captions, remarks, and whatever charts write at their sides."""
    yield from (result.title, *result.remarks, *result.warnings)
    for table in result.tables:
        if table.audience == "programs":
            continue
        yield from (table.title, table.caption, *table.remarks)
        for column in (*table.for_people("screens"), *table.for_people("papers")):
            yield from (column.heading, column.group)
    for chart in result.charts:
        yield from titles(chart.to_dict())
    for part in result.parts:
        yield from read_by_people(part)


def titles(content: Any) -> Iterator[str]:
    """Titles of a chart and of its axes; rows are data."""
    if isinstance(content, list):
        for part in content:
            yield from titles(part)
    if isinstance(content, dict):
        for key, value in content.items():
            if key in ("title", "subtitle") and isinstance(value, str):
                yield value
            elif key != "rows":
                yield from titles(value)


def saved_result(name: str, folder: Path, *more: str) -> Result:
    goldens.renew_pool(name)
    line = [*shlex.split(LINES[name]), *more, "--save", str(folder / "result.json")]
    answer = CliRunner(env={"COLUMNS": "120"}).invoke(app, line)
    assert answer.exit_code in (0, 1, 3, 4), answer.output
    return load(folder / "result.json")


def terms_option(name: str) -> list[str]:
    labels = [parameter.label for parameter in command_of(LINES[name]).parameters]
    return ["--terms", TERMS] if "terms" in labels else []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
        for name, line in LINES.items()
        if command_of(line).name not in EXCEPTIONS
    ],
)
def test_no_command_says_concept_or_item_of_data_that_have_other_words(
    name: str, inputs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(inputs)
    result = saved_result(name, tmp_path, *terms_option(name))
    assert [text for text in read_by_people(result) if AXIS.search(text)] == []


@pytest.mark.parametrize("name", [n for n in LINES if n not in SLOW and terms_option(n)])
def test_programs_read_the_same_keys_whatever_the_words(
    name: str, inputs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(inputs)
    plain, spoken = (
        saved_result(name, tmp_path, "--terms", words) for words in ("concept,item", TERMS)
    )
    assert list(keys(json.loads(spoken.to_json()))) == list(keys(json.loads(plain.to_json())))
    tables = [
        [(t.name, t.fields) for t in result.tables_for("programs")] for result in (plain, spoken)
    ]
    assert tables[0] == tables[1]


def keys(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        for key, value in content.items():
            yield key
            yield from keys(value)
    elif isinstance(content, list):
        for part in content:
            yield from keys(part)


def test_exceptions_are_commands_that_need_them(
    inputs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named = {command_of(line).name for line in LINES.values()}
    assert EXCEPTIONS.keys() <= named
    assert not any(
        terms_option(name) for name in LINES if command_of(LINES[name]).name in EXCEPTIONS
    )
    monkeypatch.chdir(inputs)
    free = saved_result("tags by a map", tmp_path)
    assert any(AXIS.search(text) for text in read_by_people(free))  # so the search finds the words
