"""The handbooks name every key of campaign.toml, and what they type is understood."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.commands.catalogue import COMMANDS
from cranfield.server.configuration import (
    Campaign,
    Licence,
    Limits,
    Mail,
    Phase,
    RunField,
    Scoring,
    Track,
)

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [*sorted((DOCS / "handbook").glob("*.md")), DOCS / "tutorials" / "run-a-campaign.md"]
LARGEST_PICTURE = 150_000


@pytest.mark.parametrize(
    "kind", [Campaign, Track, Phase, RunField, Licence, Limits, Mail, Scoring], ids=str
)
def test_every_key_of_campaign_toml_is_explained(kind: type) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    words = set(re.findall(r"`\[*([\w.]+)\]*", text))
    listed = {word.rpartition(".")[2] for word in words}
    missing = {member.name for member in fields(kind)} - listed
    assert missing == set()


def _typed(page: Path) -> list[str]:
    """Commands of a page that nothing runs: they start servers, or need them."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line.partition("  #")[0] for line in lines if line.startswith("cranfield ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_a_page_and_their_options_exist(page: Path) -> None:
    names = {command.name for command in COMMANDS}
    typed = _typed(page)
    assert typed or page.name == "organiser.md"
    for line in typed:
        words = shlex.split(line)[1:]
        name = next(name for n in (3, 2, 1) if (name := " ".join(words[:n])) in names)
        help_text = CliRunner().invoke(app, [*name.split(), "--help"]).output
        for option in [word for word in words if word.startswith("--")]:
            assert option in help_text, line


def test_pictures_are_small_and_all_of_them_are_shown() -> None:
    pictures = sorted((DOCS / "handbook" / "pictures").iterdir())
    assert all(picture.stat().st_size <= LARGEST_PICTURE for picture in pictures)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [picture.name for picture in pictures if picture.name not in text] == []
