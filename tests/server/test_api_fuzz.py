"""The API answers whatever its description allows, and much that it does not, without a 500."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from live_campaign import LiveCampaign
from photo_campaign import CAMPAIGN, TRUTH, write_campaign
from postgres_cluster import cluster, programs

pytestmark = pytest.mark.slow
pytest.importorskip("schemathesis")
THERE = """
[parameters]
"path.track" = "photos"
"path.id" = 1
"query.modality" = "V"
"query.phase" = "test"
"query.fields" = "{}"
"""
_EXAMPLES = 100
"""For each operation, besides what its limits suggest."""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize("who", ["visitor", "member"])
def test_the_api_never_fails(tmp_path: Path, database: str, who: str) -> None:
    if database == "postgresql" and programs() is None:
        pytest.skip("PostgreSQL is not installed")
    text = CAMPAIGN.replace("quota = 3", "quota = 1000")
    with cluster() if database == "postgresql" else nullcontext(None) as address:
        live = LiveCampaign(write_campaign(tmp_path / "campaign", text), address)
        [token] = live.fill(1)
        with live:
            live.submit(token, TRUTH.encode())
            ended = _fuzz(live.address, tmp_path, token if who == "member" else "")
            assert ended.returncode == 0, ended.stdout[-8000:]
            cases = re.search(r"(\d+) generated, \1 passed", ended.stdout)
            assert cases is not None
            assert int(cases[1]) > 100
            if who == "member":
                assert len(live.runs()) > 10
            assert live.request("GET", "/health/")[0] == 200
            assert live.finished(token, live.submit(token, TRUTH.encode() + b"\n")["id"])
            assert not list((live.folder / "var" / "staging").glob("[!d]*"))
            assert b"Traceback" not in live.log.read_bytes()


def _fuzz(address: str, folder: Path, token: str) -> subprocess.CompletedProcess[str]:
    """A member asks for what is there; a visitor for whatever comes to mind."""
    configuration = folder / "schemathesis.toml"
    configuration.write_text(THERE if token else "")
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(configuration),
        "run", f"{address}/api/openapi.json",
        "--checks", "not_a_server_error", "--max-examples", str(_EXAMPLES), "--seed", "7",
        "--phases", "examples,coverage,fuzzing", "--mode", "all", "--no-color",
        "--generation-database", "none", "--request-timeout", "30",
    ]  # fmt: skip
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
    return subprocess.run(
        command,
        cwd=folder,  # where it leaves what it remembers
        env=os.environ | {"TERM": "dumb"},
        capture_output=True,
        text=True,
        timeout=300,
    )
