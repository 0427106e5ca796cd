"""Housekeeping: what has expired is deleted, when the server starts and every hour after that."""

from __future__ import annotations

from datetime import timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from cranfield.server.folder import CampaignFolder
from cranfield.server.operation.logs import delete_old_logs
from cranfield.server.people.models import Invitation, LoginLink

EVERY = timedelta(hours=1)
_REMEMBERED = timedelta(days=30)
"""For how long links that are past stay, so that the log's entries about them make sense."""


def clean_up(folder: CampaignFolder) -> None:
    """Sessions, failed logins, links and logs that are past."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    AccessAttempt.objects.filter(attempt_time__lt=now - settings.AXES_COOLOFF_TIME).delete()
    for kind in (Invitation, LoginLink):
        kind._default_manager.filter(expires__lt=now - _REMEMBERED).delete()
    delete_old_logs(folder.logs, folder.campaign.log_days, now)
