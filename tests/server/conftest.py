"""A campaign in a temporary folder, on a database of its own."""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pytest_django")
import django
from django.conf import settings
from photo_campaign import TRUTH, write_campaign

from cranfield.server.folder import VARIABLE, CampaignFolder
from cranfield.server.serve import collect_static

# Django's settings are made of a folder, which must be there before Django is.
_FOLDER = tempfile.TemporaryDirectory(prefix="cranfield-server-")
os.environ[VARIABLE] = str(write_campaign(Path(_FOLDER.name)))
os.environ["DJANGO_SETTINGS_MODULE"] = "cranfield.server.settings"
CampaignFolder(Path(_FOLDER.name)).make()
django.setup()
collect_static()
atexit.register(_FOLDER.cleanup)
# Processes of this test run inherit its environment, and must make a folder of their own.
del os.environ[VARIABLE], os.environ["DJANGO_SETTINGS_MODULE"]


settings.VISITORS_CACHE_SECONDS = 0.0  # tests see what they changed


@pytest.fixture
def other_campaign(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., CampaignFolder]:
    """Serves a campaign of another `campaign.toml`, on the same small collection for each track."""

    def serve(text: str, truth: str = TRUTH) -> CampaignFolder:
        from cranfield.server.campaigns.editions import synchronise

        campaign = CampaignFolder(write_campaign(tmp_path, text, truth))
        campaign.make()
        monkeypatch.setattr(settings, "FOLDER", campaign)
        monkeypatch.setattr(settings, "CAMPAIGN", campaign.campaign)
        synchronise(campaign)
        return campaign

    return serve


@pytest.fixture
def folder(db: None) -> CampaignFolder:
    """The campaign, in a database that knows it."""
    from cranfield.server.campaigns.editions import synchronise

    synchronise(settings.FOLDER)
    return settings.FOLDER
