"""docs/audit.md shows what audits find: a quick look finds nothing that the page denies."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.studies.audit import MARKS, REQUIREMENTS

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"


def matrix() -> dict[str, dict[str, str]]:
    """The marks of each measure by requirement."""
    lines = PAGE.read_text(encoding="utf-8").partition("## The main measures")[2].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    names = [name.strip("`") for name in rows[0][1:]]
    return {
        name: {row[0]: row[place] for row in rows[2:]} for place, name in enumerate(names, start=1)
    }


@pytest.mark.parametrize("name", matrix())
def test_the_matrix_knows_every_failure_that_a_quick_audit_finds(name: str) -> None:
    shown = matrix()[name]
    assert list(shown) == [one.name for one in REQUIREMENTS]
    for finding in cf.studies.audit(name, seconds=600, cells=2, drawn=0).findings:
        if finding.verdict != "holds":
            assert shown[finding.requirement] == MARKS[finding.verdict], finding.requirement
        else:
            assert shown[finding.requirement] != MARKS["inapplicable"], finding.requirement
