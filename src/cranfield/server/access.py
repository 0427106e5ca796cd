"""Who may do what: asked by pages and by the API alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from cranfield.server.campaigns.models import Acceptance, Licence, Phase, Track
from cranfield.server.people.models import Group, Pseudonym, User
from cranfield.server.results.disclosure import is_disclosed
from cranfield.server.submissions.models import Run

Visitor = User | AnonymousUser
_View = TypeVar("_View", bound=Callable[..., HttpResponse])


def is_organiser(user: Visitor) -> bool:
    return isinstance(user, User) and user.is_organiser


def groups_of(user: Visitor) -> list[Group]:
    return list(user.groups.order_by("name")) if isinstance(user, User) else []


def is_member(user: Visitor, group: Group | None) -> bool:
    return (
        isinstance(user, User)
        and group is not None
        and group.memberships.filter(user=user).exists()
    )


def may_read_boards(user: Visitor) -> bool:
    readers = settings.CAMPAIGN.boards
    if is_organiser(user) or readers == "public":
        return True
    return readers == "groups" and bool(groups_of(user))


def is_annotator(user: Visitor) -> bool:
    return isinstance(user, User) and (user.is_annotator or user.is_organiser)


def competes_in(user: Visitor, track: Track) -> bool:
    """Whether a group of somebody takes part in a track: then its labels are not theirs to give."""
    return isinstance(user, User) and track.entries.filter(group__memberships__user=user).exists()


def may_annotate(user: Visitor, track: Track) -> bool:
    if not isinstance(user, User) or not is_annotator(user):
        return False
    return user.is_organiser or user.annotates_despite_group or not competes_in(user, track)


def may_see_run(user: Visitor, run: Run) -> bool:
    """Its own group always; others once it is on a board that they may read."""
    track = run.phase.track
    if not track.active:
        return False
    if is_organiser(user) or is_member(user, run.group):
        return True
    shown = run.state in (Run.State.ACCEPTED, Run.State.DISQUALIFIED) and may_read_boards(user)
    others = settings.CAMPAIGN.track(track.name).shows in ("ranks", "all scores")
    return shown and (others or is_disclosed(run.phase))


def accepted_licence(user: Visitor) -> bool:
    """Whether somebody agreed to the licence in force; without one there is nothing to agree to."""
    licence = current_licence()
    return licence is None or (
        isinstance(user, User) and Acceptance.objects.filter(user=user, licence=licence).exists()
    )


def may_download(user: Visitor) -> bool:
    """Members of groups who agreed to the licence in force."""
    return is_organiser(user) or (bool(groups_of(user)) and accepted_licence(user))


def current_licence() -> Licence | None:
    described = settings.CAMPAIGN.licence
    return Licence.objects.filter(version=described.version).first() if described else None


def pseudonym(user: User) -> Pseudonym:
    return Pseudonym.objects.get(user=user)


def organisers_only(view: _View) -> _View:
    """A page that exists for organisers only."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        if not is_organiser(request.user):
            raise PermissionDenied
        return view(request, *args, **options)

    return guarded  # type: ignore[return-value]


def active_track(name: str) -> Track:
    return get_object_or_404(Track, name=name, active=True)


def phase_of(track: Track, name: str | None) -> Phase:
    """The phase of a name, or the one that is open or closed last."""
    if name:
        return get_object_or_404(Phase, track=track, name=name)
    now, phases = timezone.now(), list(track.phases.all())
    begun = [phase for phase in phases if phase.opens is None or phase.opens <= now]
    return begun[-1] if begun else phases[0]


def logged_in(request: HttpRequest) -> User:
    """Who asks, on pages that ask people to log in."""
    assert isinstance(request.user, User)
    return request.user
