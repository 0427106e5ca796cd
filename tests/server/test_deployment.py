"""Examples of deployment: they are what their linters ask for, and name commands that there are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.cli.execution import parameters
from cranfield.commands.catalogue import COMMANDS
from cranfield.server import settings

DEPLOY = Path(__file__).parents[2] / "deploy"
HANDBOOK = Path(__file__).parents[2] / "docs" / "handbook" / "operator.md"


def test_the_dockerfile_is_clean() -> None:
    program = shutil.which("hadolint", path=Path(sys.executable).parent)
    if program is None:
        pytest.skip("hadolint is not installed")
    ended = subprocess.run(
        [program, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stdout


def test_the_unit_of_systemd_is_clean(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    text = (DEPLOY / "cranfield.service").read_text()
    unit = tmp_path / "cranfield.service"
    unit.write_text(text.replace("/opt/cranfield/bin/cranfield", "/bin/true"))
    ended = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60
    )
    assert "cranfield.service" not in ended.stdout + ended.stderr, ended.stderr


@pytest.mark.parametrize("name", ["Dockerfile", "cranfield.service", "nginx.conf"])
def test_options_in_the_examples_exist(name: str) -> None:
    text = (DEPLOY / name).read_text()
    serve = next(command for command in COMMANDS if command.name == "serve")
    options = {f"--{parameter.label}" for parameter in parameters(serve)}
    lines = [line for line in text.splitlines() if re.search(r"\bserve\b", line)]
    assert lines
    typed = {option for line in lines for option in re.findall(r"--[a-z-]+", line)}
    assert typed <= options


def test_variables_of_the_environment_are_documented_and_read() -> None:
    sources = Path(settings.__file__).parent.rglob("*.py")
    read = {
        name
        for path in sources
        for name in re.findall(r"CRANFIELD_[A-Z_]+", path.read_text(encoding="utf-8"))
    }
    documented = set(re.findall(r"CRANFIELD_[A-Z_]+", HANDBOOK.read_text(encoding="utf-8")))
    assert read - {"CRANFIELD_"} == documented
    examples = {
        name
        for path in DEPLOY.iterdir()
        for name in re.findall(r"CRANFIELD_[A-Z_]+", path.read_text())
    }
    assert examples <= documented


def test_keys_of_campaign_toml_that_operators_set_are_documented() -> None:
    from dataclasses import fields

    from cranfield.server.configuration import Limits, Mail, Scoring

    text = HANDBOOK.read_text(encoding="utf-8")
    for kind in (Limits, Mail, Scoring):
        for field in fields(kind):
            assert f"`{field.name}`" in text, field.name
    for name in ("address", "hosts", "log_days"):
        assert f"`{name}`" in text
