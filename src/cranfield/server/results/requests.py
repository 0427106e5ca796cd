"""From a request to what is shown: which board, and to whom."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from cranfield.server.access import Visitor, groups_of, is_organiser, phase_of
from cranfield.server.campaigns.models import Edition, Split, Track
from cranfield.server.results.board import Board
from cranfield.server.results.disclosure import Audience


def board_of(request: HttpRequest, track: Track) -> Board:
    """The board that the address asks for."""
    phase = phase_of(track, request.GET.get("phase"))
    editions = Edition.objects.filter(track=track)
    number = request.GET.get("edition", "")
    edition = get_object_or_404(editions, number=number) if number.isdigit() else editions.first()
    if edition is None:
        raise Http404
    asked = request.GET.get("split", "")
    return Board(
        phase,
        edition,
        audience_of(request.user),
        split=Split(asked) if asked in edition.truths else Split.ALL,
        view="best" if request.GET.get("view") == "best" else "all",
        modality=request.GET.get("modality", ""),
    )


def audience_of(user: Visitor) -> Audience:
    return Audience(is_organiser(user), frozenset(group.id for group in groups_of(user)))
