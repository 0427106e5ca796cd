"""`cranfield campaign export`: what organisers need when a campaign is over.

For each track a collection folder with truth and runs, boards in every form, all scores, and what
groups could download. People appear as pseudonyms.
"""

from __future__ import annotations

import os
import re
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield import show
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Result
from cranfield.core.table import Column, Table
from cranfield.errors import FileError
from cranfield.server.campaigns.models import Edition, Split, Track
from cranfield.server.configuration import FILE
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.models import Job
from cranfield.server.people.models import Audit, Group
from cranfield.server.results.board import Board
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.models import Run

_ARCHIVES = {".zip": "zip", ".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz"}
_FORMS = {"csv": "csv", "json": "json", "tex": "latex", "md": "markdown"}
_UNSAFE = re.compile(r"[^\w.-]+")


def export_campaign(
    folder: CampaignFolder, target: Path, progress: Progress = silent
) -> list[tuple[str, int]]:
    """Write everything to a new folder or archive; what it holds."""
    if target.exists():
        raise FileError(target, "is there already; name a new folder or file")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as desk:
        export = Export(folder, Path(desk) / "campaign")
        tracks = list(Track.objects.all())
        with progress("writing tracks", len(tracks)) as step:
            for track in tracks:
                export.track(track)
                step(1)
        export.campaign()
        _move(export.target, target)
    return list(export.counts.items())


@dataclass
class Export:
    """A folder that is being filled."""

    folder: CampaignFolder
    target: Path
    counts: dict[str, int] = field(default_factory=dict)

    def campaign(self) -> None:
        """What belongs to no track."""
        shutil.copyfile(self.folder.path / FILE, self.target / FILE)
        groups = [
            {"group": group.name, "affiliation": group.affiliation, "country": group.country}
            for group in Group.objects.order_by("name")
        ]
        self._table(self.target / "groups.csv", groups, "group", "affiliation", "country")
        entries = [
            {
                "when": entry.when.isoformat(),
                "who": entry.who.code if entry.who else "",
                "action": entry.action,
                "subject": entry.subject,
            }
            for entry in Audit.objects.select_related("who")
        ]
        self._table(self.target / "log.csv", entries, "when", "who", "action", "subject")
        self._count("groups", len(groups))

    def track(self, track: Track) -> None:
        goal = self.target / "tracks" / track.name
        (goal / "collection" / "runs").mkdir(parents=True)
        newest = track.editions.first()
        if newest is not None:
            shutil.copytree(
                self.folder.edition(track.name, newest.number),
                goal / "collection",
                dirs_exist_ok=True,
            )
        downloads = self.folder.downloads(track.name)
        if downloads.is_dir():
            shutil.copytree(downloads, goal / "downloads")
        self._runs(track, goal)
        for edition in track.editions.all():
            self._boards(track, edition, goal / "boards" / f"edition-{edition.number}")

    def _runs(self, track: Track, goal: Path) -> None:
        """Files of runs that stand, and what was said of all."""
        runs = Run.objects.filter(phase__track=track).select_related("group", "phase")
        described = []
        for run in runs:
            file = ""
            if run.state == Run.State.ACCEPTED:
                file = _file_name(run)
                shutil.copyfile(
                    self.folder.run_file(run.sha256), goal / "collection" / "runs" / file
                )
            described.append(_described(run) | {"file": file})
        self._table(goal / "runs.csv", described, *(_described(Run()) | {"file": ""}))
        scores = [
            {"run": run, "edition": edition, "split": split, "measure": name, "score": value}
            for run, edition, split, name, value in Job.objects.filter(
                run__in=runs, state=Job.State.DONE
            )
            .order_by("run_id", "edition__number", "scores__split", "scores__measure")
            .values_list(
                "run_id", "edition__number", "scores__split", "scores__measure", "scores__value"
            )
        ]
        self._table(goal / "scores.csv", scores, "run", "edition", "split", "measure", "score")
        self._count("runs", len(described))
        self._count("scores", len(scores))

    def _boards(self, track: Track, edition: Edition, goal: Path) -> None:
        goal.mkdir(parents=True)
        for phase in track.phases.all():
            for split in map(Split, edition.truths):
                board = Board(phase, edition, Audience(organiser=True), split=split)
                for ending, form in _FORMS.items():
                    show.write(board.result, goal / f"{phase.name}-{split}.{ending}", form)
                self._count("boards", 1)

    def _table(self, path: Path, rows: Sequence[dict[str, Any]], *columns: str) -> None:
        table = Table("rows", list(rows), [Column(column) for column in columns])
        show.write(Result("export", tables=[table]), path, "csv")

    def _count(self, name: str, number: int) -> None:
        self.counts[name] = self.counts.get(name, 0) + number


def _described(run: Run) -> dict[str, Any]:
    return {
        "run": run.id,
        "name": run.name,
        "group": run.group.name if run.group else "",
        "phase": run.phase.name if run.phase_id else "",
        "state": run.state,
        "modality": run.modality,
        "primary": run.primary,
        "description": run.description,
        "reason": run.reason,
        "sha256": run.sha256,
        "received": run.received.isoformat(),
    }


def _file_name(run: Run) -> str:
    """A name that says whose it is and that no other run has."""
    group = run.group.name if run.group else "baseline"
    endings = "".join(Path(run.file_name).suffixes[-2:])
    return f"{_UNSAFE.sub('-', f'{group}_{run.name}_{run.id}')}{_UNSAFE.sub('', endings)}"


def _move(made: Path, target: Path) -> None:
    """To its name, packed if that says so."""
    ending = next((end for end in _ARCHIVES if target.name.lower().endswith(end)), None)
    if ending is None:
        os.replace(made, target)
        return
    part = made.parent / "archive"
    if ending == ".zip":
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(made.rglob("*")):
                archive.write(path, Path(target.stem) / path.relative_to(made))
    else:
        mode: Any = _ARCHIVES[ending]
        with tarfile.open(part, mode) as members:
            members.add(made, arcname=target.name.removesuffix(ending))
    os.chmod(part, 0o600)
    os.replace(part, target)
