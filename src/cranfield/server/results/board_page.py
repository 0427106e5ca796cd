"""What pages with a board show around it: choices, files, editions, and how many runs are left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cranfield.core.table import Table
from cranfield.server.access import groups_of
from cranfield.server.campaigns.models import Phase, Split
from cranfield.server.people.models import Group
from cranfield.server.results.analyses import analysis_links
from cranfield.server.results.board import Board, board_address
from cranfield.server.results.exports import LABELS
from cranfield.server.results.requests import SITE, remembered
from cranfield.server.submissions.acceptance import runs_left
from cranfield.show.html import table_html

_SPLITS = {Split.ALL: "all", Split.PUBLIC: "public part", Split.PRIVATE: "private part"}
_PARAMETERS = ("phase", "edition", "split", "view", "modality", "fields", "sort")
"""Of addresses, in the order in which links write them."""
_OF_THE_PATH = ("phase", "edition")
"""Those that permanent addresses have in their path."""


@dataclass(frozen=True)
class Link:
    label: str
    address: str
    current: bool = False


@dataclass(frozen=True)
class Choice:
    """Boards of which one is shown."""

    title: str
    links: list[Link]


@dataclass(frozen=True)
class Quota:
    """How many runs a group may still submit, and until when."""

    group: Group
    left: int
    most: int
    phase: Phase


def board_context(request: HttpRequest, board: Board) -> dict[str, Any]:
    """What the template of a board needs."""
    table, remarks = remembered(board, "page", lambda: _page(board))
    permanent = board_address(board.phase, board.edition)
    query = _query(request.GET, phase="", edition="")
    editions = list(board.phase.track.editions.all())
    return {
        "board": board,
        "table": mark_safe(table),
        "remarks": remarks,
        "choices": [choice for choice in _choices(request, board) if len(choice.links) > 1],
        "exports": file_links(f"{permanent}board", query),
        "permanent": f"{permanent}{query}",
        "editions": [
            (edition, f"{board_address(board.phase, edition)}{query}") for edition in editions
        ],
        "newer": None if board.edition == editions[0] else editions[0],
        "quotas": _quotas(request, board),
        "analyses": [Link(title, address) for title, address in analysis_links(board)],
    }


def file_links(stem: str, query: str = "") -> list[Link]:
    """A result as a file, in every form."""
    return [Link(label, f"{stem}.{form}{query}") for form, label in LABELS.items()]


def shown_table(table: Table) -> SafeString:
    """A table as `show` writes it, which escapes whatever it holds, with files of it."""
    return mark_safe(table_html(replace(table, defused=True), files=True))


def _page(board: Board) -> tuple[str, list[str]]:
    return table_html(board.result.tables[0], files=True), list(board.result.remarks)


def _choices(request: HttpRequest, board: Board) -> list[Choice]:
    described, published = board.described, SITE in request.META
    path = board_address(board.phase, board.edition) if published else request.path

    def links(name: str, labels: dict[str, str], current: str) -> list[Link]:
        sent = _published(request.GET, name) if published else request.GET
        return [
            Link(label, f"{path}{_query(sent, **{name: value})}", value == current)
            for value, label in labels.items()
        ]

    splits = {
        "" if split == Split.ALL else str(split): label
        for split, label in _SPLITS.items()
        if split in board.edition.truths
    }
    split = "" if board.split == Split.ALL else str(board.split)
    return [
        Choice("Phase", _phases(request, board)),
        Choice("Runs", links("view", {"": "all", "best": "best of each group"}, _best(board))),
        Choice(
            "Modality",
            links("modality", {"": "all"} | dict(described.modalities or {}), board.modality),
        ),
        Choice("Test items", links("split", splits, split) if board.disclosed else []),
        Choice(
            "Declared of runs",
            links("fields", {"": "hide", "1": "show"}, "1" if board.declared else "")
            if described.fields
            else [],
        ),
    ]


def _published(sent: QueryDict, name: str) -> QueryDict:
    """What links of a static site keep of an address: not every combination of choices is a file.
    A choice starts from all runs, or from the best of each group."""
    names = _PARAMETERS if name == "view" else ("view",)
    query = QueryDict(mutable=True)
    query.update(
        {key: sent.get(key, "") for key in names if key in sent and key not in _OF_THE_PATH}
    )
    return query


def _phases(request: HttpRequest, board: Board) -> list[Link]:
    """Other phases: of a permanent board under the same edition."""
    track = board.phase.track
    own = reverse("track", args=[track.name])
    links = []
    for phase in track.phases.all():
        if SITE in request.META:
            address = board_address(phase, board.edition)
        elif request.path == own:
            address = f"{own}{_query(request.GET, phase=phase.name)}"
        else:
            address = f"{board_address(phase, board.edition)}{_query(request.GET)}"
        links.append(Link(phase.title, address, phase == board.phase))
    return links


def _best(board: Board) -> str:
    return "best" if board.view == "best" else ""


def _query(sent: QueryDict, **changes: str) -> str:
    """The parameters of an address, some of them changed; always in the same order."""
    values = {name: changes.get(name, sent.get(name, "")) for name in _PARAMETERS}
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in values.items() if value})
    return f"?{query.urlencode()}" if query else ""


def _quotas(request: HttpRequest, board: Board) -> list[Quota]:
    """Of the groups of whoever looks, where they take part."""
    track = board.phase.track
    most = board.described.quota
    return [
        Quota(group, runs_left(group, board.phase, most), most, board.phase)
        for group in groups_of(request.user)
        if group.entries.filter(track=track).exists()
    ]
