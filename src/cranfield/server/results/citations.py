"""BibTeX of boards and runs: who, what, under which edition, when, and where it can be read.

BibTeX counts braces even behind a backslash, so those of names are written as commands of LaTeX.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings

from cranfield._version import __version__
from cranfield.server.campaigns.models import Edition, Phase
from cranfield.server.submissions.models import Run
from cranfield.show.latex import escaped
from cranfield.show.markup import slug

_BRACES = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}


def board_bibtex(phase: Phase, edition: Edition, address: str) -> str:
    """The entry of a board."""
    return _entry(
        ("board", phase.track.name, phase.name, edition.number),
        author=settings.CAMPAIGN.title,
        title=f"Results of {phase.track.title}, {phase.title}",
        date=edition.created,
        note=_note(edition),
        address=address,
    )


def run_bibtex(run: Run, edition: Edition, address: str) -> str:
    """The entry of a run with its scores."""
    track = run.phase.track
    return _entry(
        ("run", track.name, run.phase.name, edition.number, run.id),
        author=run.group.name if run.group else settings.CAMPAIGN.title,
        title=f"Run {run.name} in {track.title}, {run.phase.title}",
        date=run.received,
        note=f"{settings.CAMPAIGN.title}, {_note(edition)}, SHA-256 {run.sha256}",
        address=address,
    )


def _note(edition: Edition) -> str:
    return f"edition {edition.number} of {edition.created:%Y-%m-%d}, Cranfield {__version__}"


def _entry(
    key: tuple[object, ...], *, author: str, title: str, date: datetime, note: str, address: str
) -> str:
    fields: Mapping[str, str] = {
        "author": f"{{{bibtex_text(author)}}}",
        "title": f"{{{bibtex_text(title)}}}",
        "year": f"{date:%Y}",
        "month": f"{date:%m}".lstrip("0"),
        "note": bibtex_text(note),
    } | ({"url": address} if address else {})
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{slug(':'.join(map(str, (settings.CAMPAIGN.title, *key))))},\n{lines}}}\n"


def bibtex_text(text: str) -> str:
    """Text in which nothing means something to TeX or BibTeX."""
    return "".join(_BRACES.get(sign) or escaped(sign) for sign in text)
