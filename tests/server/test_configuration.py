"""campaign.toml: what will not do is told with its key, and dates mean what organisers mean."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from photo_campaign import CAMPAIGN

from cranfield.errors import FileError
from cranfield.server.configuration import Phase, read_campaign


def _read(folder: Path, text: str) -> object:
    (folder / "campaign.toml").write_text(text)
    return read_campaign(folder)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Photos of 2026"', "title = 3", "title: write a text"),
        ('title = "Photos of 2026"', "", "title: it is missing"),
        ("quota = 3", "quota = 0", "tracks[1].quota: 0; give a number"),
        ("quota = 3", "qouta = 3", "tracks[1].qouta: there is no such key"),
        ('"concept.AP"', '"concept.APP"', "tracks[1].measures: there is no measure"),
        ('measures = ["concept.AP", "example.F"]', "", "tracks[1].measures: name at least"),
        ('name = "photos"', 'name = "../photos"', "tracks[1].name: '../photos'; use up to"),
        ("opens = 2020-01-01", "opens = 2099-01-01", "tracks[1].phases[1].closes: it closes"),
        ("opens = 2020-01-01", 'opens = "soon"', "tracks[1].phases[1].opens: write a "),
        ("opens = 2020-01-01", 'zone = "Mars/Base"', "'Mars/Base' is no time zone"),
        ("[licence]", "[licence", "is not TOML"),
    ],
)
def test_what_will_not_do_is_told_with_its_key(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    assert old in CAMPAIGN
    with pytest.raises(FileError) as caught:
        _read(tmp_path, CAMPAIGN.replace(old, new, 1))
    assert complaint in str(caught.value)


def test_a_folder_without_a_campaign_is_told_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cranfield campaign init"):
        read_campaign(tmp_path)


def test_a_deadline_without_a_time_has_passed_when_it_has_passed_everywhere() -> None:
    phase = Phase("test", closes=datetime(2026, 5, 31).date())
    assert phase.closing == datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_a_time_of_day_is_one_of_the_zone() -> None:
    phase = Phase("test", closes=datetime(2026, 5, 31, 18), zone="Europe/Berlin")
    assert phase.closing == datetime(2026, 5, 31, 16, tzinfo=UTC)
