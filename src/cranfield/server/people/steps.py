"""What to do next: for visitors, for members of groups, for organisers."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from cranfield.errors import several
from cranfield.server.access import (
    Visitor,
    accepted_licence,
    groups_of,
    is_organiser,
)
from cranfield.server.campaigns.models import Entry, Phase, Track
from cranfield.server.people.models import Group
from cranfield.server.submissions.models import Run


@dataclass(frozen=True)
class Step:
    """Something to do, and where it is done."""

    text: str
    address: str = ""
    label: str = ""
    done: bool = False


def steps_for(user: Visitor) -> list[Step]:
    """The way from here to a score, or to published results."""
    if is_organiser(user):
        return _organisers_steps()
    if not user.is_authenticated and settings.CAMPAIGN.registration != "open":
        return []
    return _members_steps(user)


def _members_steps(user: Visitor) -> list[Step]:
    groups = groups_of(user)
    account = reverse("account")
    entries = Entry.objects.filter(group__in=groups, track__active=True).select_related("track")
    entry = entries.order_by("track__order").first()
    licence = " and agree to the licence" if settings.CAMPAIGN.licence else ""
    registered = user.is_authenticated and accepted_licence(user)
    where = account if user.is_authenticated else reverse("register")
    group = reverse("group", args=[groups[0].id]) if groups else ""
    track = entry.track.name if entry else ""
    runs = Run.objects.filter(group__in=groups).exclude(state=Run.State.REFUSED).count()
    return [
        Step(
            f"Register{licence}",
            where,
            "Read the licence" if user.is_authenticated else "Register",
            registered,
        ),
        Step("Create a group or join one", reverse("new-group"), "Create a group", bool(groups)),
        Step("Enter a track and download its data", group, "Choose a track", entry is not None),
        Step(
            "Submit a run and see its score",
            reverse("submit", args=[track]) if track else "",
            "Submit a run",
            runs > 0,
        ),
    ]


def _organisers_steps() -> list[Step]:
    groups, runs = Group.objects.count(), Run.objects.filter(group__isnull=False).count()
    tracks = list(Track.objects.filter(active=True))
    ended = all(phase.is_closed(timezone.now()) for phase in Phase.objects.filter(track__in=tracks))
    downloads = all(_has_downloads(track) for track in tracks)
    board = reverse("track", args=[tracks[0].name]) if tracks else ""
    return [
        Step("Check titles, dates and measures in campaign.toml; the truth is imported", done=True),
        Step(
            "Put data for groups into tracks/NAME/downloads of the campaign folder", done=downloads
        ),
        Step(
            "Send groups the address of this site, so that they register"
            + (f": {several(groups, 'group')} so far" if groups else ""),
            done=groups > 0,
        ),
        Step(
            f"Groups submit: {several(runs, 'run')} so far, scored as they arrive",
            board,
            "See the board",
            runs > 0,
        ),
        Step(
            "After the deadline the board shows the final scores: publish the results",
            board,
            "See the results",
            ended,
        ),
    ]


def _has_downloads(track: Track) -> bool:
    folder = settings.FOLDER.downloads(track.name)
    return folder.is_dir() and any(folder.iterdir())
