"""Phases, slots and licences when campaigns change, and how scores are rounded."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from photo_campaign import CAMPAIGN, TRUTH
from submitters import Submitter

from cranfield.errors import FileError
from cranfield.server.campaigns.editions import synchronise
from cranfield.server.campaigns.models import Acceptance, Licence, Phase
from cranfield.server.folder import CampaignFolder
from cranfield.server.results.board import rounded
from cranfield.server.submissions.models import Run

Serve = Callable[[str], CampaignFolder]


def test_where_nothing_is_shown_a_retracted_run_gives_its_slot_back(other_campaign: Serve) -> None:
    from cranfield.server.submissions.acceptance import retract

    campaign = other_campaign(CAMPAIGN.replace("quota = 3", 'quota = 3\nshows = "nothing"'))
    ida = Submitter(campaign, "ida")
    run = ida.scored(TRUTH)
    retract(campaign, run, ida.who)
    assert Run.objects.get(id=run.id).slot is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.123456, 0.1235), (-0.00001, 0.0), (1.0, 1.0), (1234567.89, 1235000.0), (-12.3456, -12.35)],
)
def test_large_numbers_show_no_more_digits_than_small_ones(value: float, shown: float) -> None:
    assert str(rounded(value, 4)) == str(shown)


def test_a_phase_with_runs_cannot_vanish_and_one_without_does(other_campaign: Serve) -> None:
    second = '\n[[tracks.phases]]\nname = "final"\n'
    campaign = other_campaign(CAMPAIGN + second)
    ida = Submitter(campaign, "ida", Phase.objects.get(name="test"))
    ida.submit(TRUTH)
    (campaign.path / "campaign.toml").write_text(CAMPAIGN)
    synchronise(CampaignFolder(campaign.path))
    assert [phase.name for phase in Phase.objects.all()] == ["test"]
    (campaign.path / "campaign.toml").write_text(CAMPAIGN.replace('name = "test"', 'name = "new"'))
    with pytest.raises(FileError, match="the phase 'test' of 'photos' has runs"):
        synchronise(CampaignFolder(campaign.path))


def test_a_licence_that_people_agreed_to_keeps_its_text(other_campaign: Serve) -> None:
    campaign = other_campaign(CAMPAIGN)
    changed = CAMPAIGN.replace("For research only", "For anything")
    (campaign.path / "campaign.toml").write_text(changed)
    synchronise(CampaignFolder(campaign.path))
    licence = Licence.objects.get()
    assert licence.text == "For anything."
    Acceptance.objects.create(user=Submitter(campaign, "ida").user, licence=licence)
    (campaign.path / "campaign.toml").write_text(CAMPAIGN)
    with pytest.raises(FileError, match="give the new text a new version"):
        synchronise(CampaignFolder(campaign.path))
