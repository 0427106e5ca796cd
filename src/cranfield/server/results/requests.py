"""From a request to what is shown: which board, to whom, and at which address."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from cranfield.server.access import Visitor, groups_of, is_organiser, phase_of
from cranfield.server.campaigns.models import Edition, Split, Track
from cranfield.server.results.analyses import certainty_of
from cranfield.server.results.board import Board, board_address
from cranfield.server.results.disclosure import Audience, is_disclosed, may_see

SITE = "cranfield.site"
"""In the environment of requests that a static site is made of: where it will be published, "" if
nobody says."""
_LONGEST_SEARCH = 100
_SECONDS = 3600
_Value = TypeVar("_Value")


def board_of(
    request: HttpRequest, track: Track, phase: str | None = None, edition: int | None = None
) -> Board:
    """The board that the address asks for."""
    query = request.GET
    shown_phase = phase_of(track, phase or query.get("phase"))
    shown_edition = edition_of(track, query.get("edition", "") if edition is None else edition)
    split, modality = query.get("split", ""), query.get("modality", "")
    board = Board(
        shown_phase,
        shown_edition,
        audience_of(request.user),
        split=Split(split) if split in shown_edition.truths else Split.ALL,
        view="best" if query.get("view") == "best" else "all",
        modality=modality if modality in _modalities(track) else "",
        sort=query.get("sort", ""),
        search=query.get("find", "")[:_LONGEST_SEARCH].strip(),
        fields=query.get("fields") == "1",
        address=address(request, board_address(shown_phase, shown_edition)),
    )
    if may_see("significance", board.audience, shown_phase):
        certainty = remembered(board, "certainty", lambda: certainty_of(board))
        board.certainty, board.uncertainty = certainty
    return board


def edition_of(track: Track, number: int | str) -> Edition:
    """The edition of a number, or the latest."""
    editions = Edition.objects.filter(track=track)
    if isinstance(number, int) or (number.isdecimal() and len(number) < 10):
        return get_object_or_404(editions, number=int(number))
    latest = editions.first()
    if latest is None:
        raise Http404
    return latest


def audience_of(user: Visitor) -> Audience:
    return Audience(is_organiser(user), frozenset(group.id for group in groups_of(user)))


def address(request: HttpRequest, path: str) -> str:
    """Where a page can be read, for citations: on this server, or on the static site."""
    site = request.META.get(SITE)
    if site is None:
        return request.build_absolute_uri(path)
    return f"{site.rstrip('/')}{path}" if site else ""


def remembered(board: Board, form: str, make: Callable[[], _Value]) -> _Value:
    """What is made of a board, kept until its track changes; searches are not kept."""
    if board.search:
        return make()
    key = repr(
        (
            board.phase.track.revision, board.phase.id, board.edition.id, board.split, board.view,
            board.modality, board.sort, bool(board.declared), board.address, form,
            is_disclosed(board.phase), dict(board.certainty), _company(board),
        )
    )  # fmt: skip
    name = f"board-{hashlib.sha256(key.encode()).hexdigest()}"
    value: _Value | None = cache.get(name)
    if value is None:
        value = make()
        cache.set(name, value, _SECONDS)
    return value


def _company(board: Board) -> object:
    """Who sees the same as somebody."""
    if board.disclosed or board.described.shows == "all scores":
        return board.disclosed
    return sorted(board.audience.groups)


def _modalities(track: Track) -> Mapping[str, str]:
    return settings.CAMPAIGN.track(track.name).modalities or {}
