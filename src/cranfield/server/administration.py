"""Commands about a campaign's folder: `cranfield campaign backup`, `restore`, `export` and so on.

Django is loaded when a command runs, not when it is listed or explained.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError, several
from cranfield.server.serve import (
    DATABASE,
    Database,
    prepare,
    require_schema,
    require_server,
    set_up,
)

_ROWS = {"run": "runs", "group": "groups", "user": "accounts", "score": "scores"}


@dataclass(frozen=True, repr=False)
class Archived(Analysis):
    """What an archive or a folder holds."""

    title = "Files of a campaign"

    path: Path
    parts: Sequence[tuple[str, int]]
    """What it holds, and how many of each."""
    advice: str = ""

    def _rows(self) -> list[dict[str, Any]]:
        return [{"holds": name, "number": number} for name, number in self.parts]

    def _facts(self) -> dict[str, Any]:
        return {"path": str(self.path), **dict(self.parts)}

    def _tables(self) -> list[Table]:
        return [Table("parts", self._rows(), (Column("holds", key=True), Column("number")))]

    def _remarks(self) -> list[str]:
        return [f"Written: {self.path}", *filter(None, [self.advice])]


def backup(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    archive: Annotated[Path | None, Argument(metavar="ARCHIVE.tar.gz")] = None,
    *,
    database: Database = None,
) -> Archived:
    """Write everything that a campaign consists of to one archive: database, runs, collections,
    configuration, secret. The server may run meanwhile.

    The archive is readable by you alone. It holds the hidden truth and addresses of people: keep it
    as you keep the campaign. `cranfield campaign restore` makes a folder of it again, on SQLite or
    PostgreSQL, whichever it came from.

    folder   Of the campaign.
    archive  To be written; default: a new file in var/backups of the folder.
    """
    campaign = prepare(folder, database)
    from cranfield.server.operation.backup import back_up

    made = back_up(campaign, archive)
    again = f"Restore it with: cranfield campaign restore {made.path} NEW-FOLDER"
    return Archived(made.path, _shown(made.rows), again)


def _shown(rows: Mapping[str, int]) -> list[tuple[str, int]]:
    return [(word, rows.get(model, 0)) for model, word in _ROWS.items()]


def restore(
    archive: Annotated[Path, Argument(metavar="ARCHIVE.tar.gz")],
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    most: Annotated[int, Option(metavar="GB", minimum=1)] = 100,
    database: Database = None,
) -> Archived:
    """Make the folder of a campaign from its backup. A restore that fails leaves nothing behind.

    The folder must not be there. With --database, rows go into that PostgreSQL database, which must
    be empty: so a campaign also moves from SQLite to PostgreSQL, and back.

    archive  As `cranfield campaign backup` writes it.
    folder   To be made.
    most     What the archive may unpack to, at most.
    """
    require_server()
    set_up(folder.resolve())
    from cranfield.server.operation.backup import restore as restored

    database = database or os.environ.get(DATABASE)
    rows = restored(archive, folder, database, most=most << 30)
    option = " --database …" if database else ""
    return Archived(folder, _shown(rows), f"Next: cranfield serve {folder}{option}")


def export(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    target: Annotated[Path, Argument(metavar="TARGET")],
    *,
    database: Database = None,
    progress: Progress = silent,
) -> Archived:
    """Write what organisers need after a campaign: runs, scores, boards, public data, and for each
    track a collection folder that `cranfield evaluate` reads.

    It holds the hidden truth, and no names or addresses of people: groups have names, people
    pseudonyms. For readers, publish the static site instead.

    folder  Of the campaign.
    target  A new folder, or a new .zip, .tar or .tar.gz file.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    from cranfield.server.operation.export import export_campaign

    return Archived(target, export_campaign(campaign, target, progress))


def site(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    target: Annotated[Path, Argument(metavar="TARGET")],
    *,
    address: Annotated[str, Option(metavar="URL")] = "",
    database: Database = None,
    progress: Progress = silent,
) -> Archived:
    """Write what visitors of a campaign may read now as a site of files, for any web server.

    Boards in all their views, analyses, runs and what is cited of them, every file that pages
    offer; analyses that nobody looked at before are computed first, which takes a while. No
    forms, nothing that is hidden, and no more of an open phase than its board shows. It can also be
    opened without a web server, and loads nothing from elsewhere. Written again, it replaces its
    own files and leaves others alone.

    folder   Of the campaign; its server may run.
    target   A new folder, or that of the site before.
    address  Where the site will be published, for citations: https://example.org/photos
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    if address and not address.startswith(("http://", "https://")):
        raise InputError(f"{address} is no address; begin it with https://")
    from cranfield.server.results.site import publish_computed
    from cranfield.server.serve import collect_static

    collect_static()
    counts = publish_computed(campaign, target, address, progress)
    return Archived(target, list(counts.items()), f"Open {target / 'index.html'} in a browser.")


@dataclass(frozen=True, repr=False)
class Rescoring(Analysis):
    """Which runs are to be scored again."""

    title = "Scoring again"

    tracks: Sequence[tuple[str, int, bool, int]]
    """Of each track: name, edition, whether it is new, runs in the queue."""

    def _rows(self) -> list[dict[str, Any]]:
        names = ("track", "edition", "new", "waiting")
        return [dict(zip(names, row, strict=True)) for row in self.tracks]

    def _facts(self) -> dict[str, Any]:
        return {"tracks": self._rows()}

    def _tables(self) -> list[Table]:
        columns = (
            Column("track", key=True),
            Column("edition"),
            Column("new", "new edition"),
            Column("waiting", "runs to score"),
        )
        return [Table("tracks", self._rows(), columns)]

    def _remarks(self) -> list[str]:
        waiting = sum(row[3] for row in self.tracks)
        if not waiting:
            return ["All runs are scored by the truth and the measures in the folder."]
        return [f"{several(waiting, 'run')} will be scored by `cranfield serve` or a worker."]


def rescore(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    track: Annotated[str | None, Option(default="all")] = None,
    reason: Annotated[str, Option()] = "",
    all: Annotated[bool, Option()] = False,
    database: Database = None,
) -> Rescoring:
    """Score runs again after the truth in the folder, or the measures in campaign.toml, changed.

    A change makes a new edition of the track, with a board of its own; the old board stays
    readable. Where nothing changed, nothing is scored, unless --all.

    folder  Of the campaign; its server may run.
    track   Its track.
    reason  Why: everybody reads it beside the new board.
    all     Also put runs into the queue that are scored already, or whose scoring failed.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    from cranfield.server.campaigns.rescoring import rescore_track

    names = [described.name for described in campaign.campaign.tracks]
    if track is not None and track not in names:
        raise InputError(f"there is no track {track!r}; there are {', '.join(names)}")
    chosen = names if track is None else [track]
    return Rescoring([rescore_track(campaign, name, reason, again=all) for name in chosen])


@dataclass(frozen=True, repr=False)
class CorrectedCell(Analysis):
    """A cell of the truth that holds something else now."""

    title = "Corrected cell"

    cell: Mapping[str, Any]

    def _facts(self) -> dict[str, Any]:
        return dict(self.cell)

    def _tables(self) -> list[Table]:
        columns = (
            Column("item", key=True),
            Column("concept", key=True),
            Column("old", "was"),
            Column("new", "is"),
            Column("edition"),
        )
        return [Table("cell", [dict(self.cell)], columns)]

    def _remarks(self) -> list[str]:
        return ["All runs will be scored again by `cranfield serve` or a worker."]


def correct(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    item: Annotated[str, Argument(metavar="ITEM")],
    concept: Annotated[str, Argument(metavar="CONCEPT")],
    value: Annotated[str, Argument(metavar="VALUE")],
    *,
    reason: Annotated[str, Option()],
    track: Annotated[str | None, Option(default="the only one")] = None,
    show_cell: Annotated[bool, Option()] = False,
    despite_rules: Annotated[bool, Option()] = False,
    database: Database = None,
) -> CorrectedCell:
    """Correct a cell of the truth, in the file in the campaign's folder, and score all runs again.

    A new edition of the track begins; boards of the one before stay readable. A public log says
    why, and which cell once labels are no secret.

    folder         Of the campaign; its server may run.
    item           A test item.
    concept        A concept or topic.
    value          0, 1 or a grade; ? if nobody judged the cell.
    reason         Why: everybody can read it at once.
    track          Its track.
    show_cell      Let everybody see item, concept and values at once.
    despite_rules  Correct it even if labels of the item then break rules of the ontology.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    from cranfield.server.campaigns.corrections import correct as corrected
    from cranfield.server.campaigns.corrections import read_value
    from cranfield.server.campaigns.models import Track
    from cranfield.server.submissions.acceptance import RefusedError

    names = [described.name for described in campaign.campaign.tracks]
    if track is None and len(names) == 1:
        track = names[0]
    if track not in names:
        raise InputError(f"the campaign has the tracks {', '.join(names)}", mend="choose: {track=}")
    try:
        made = corrected(
            campaign,
            Track.objects.get(name=track),
            item,
            concept,
            read_value(value),
            reason,
            who=None,
            shown=show_cell,
            despite_rules=despite_rules,
        )
    except RefusedError as error:
        raise InputError(str(error)) from None
    return CorrectedCell(
        {
            "item": item,
            "concept": concept,
            "old": made.old,
            "new": made.new,
            "edition": made.edition.number,
        }
    )
