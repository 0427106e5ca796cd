"""A static site: what a visitor may read now, as files that any web server hosts, or none.

Pages are read as a visitor reads them, from the front page on; nobody is logged in, and no file of
the campaign's folder is copied.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from django.test import Client

from cranfield._version import __version__
from cranfield.core.progress import Progress, silent
from cranfield.errors import FileError
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.analyst import Analyst
from cranfield.server.jobs.models import Job
from cranfield.server.results.requests import SITE
from cranfield.server.results.site_pages import (
    PUBLIC,
    SitePage,
    UnpublishableError,
    file_of,
    route_of,
)

_ROUNDS = 20
"""How often pages are read again after analyses were computed; the queue takes some at a time."""
_PAUSE = 0.5
LIST = "site.json"
"""What the site consists of: a later one replaces these files and no others."""


def publish_computed(
    folder: CampaignFolder, target: Path, address: str = "", progress: Progress = silent
) -> Counter[str]:
    """Write the site with all analyses that its pages show: reading a page asks for them."""
    counts = publish(folder, target, address, progress)
    for _ in range(_ROUNDS):
        if not _compute_waiting(folder, progress):
            break
        counts = publish(folder, target, address, progress)
    return counts


def _compute_waiting(folder: CampaignFolder, progress: Progress) -> int:
    """Compute analyses that are in the queue, here or by a server that runs; how many they were."""
    states = (Job.State.QUEUED, Job.State.RUNNING)
    waiting = Job.objects.filter(analysis__isnull=False, state__in=states)
    number, analyst = waiting.count(), Analyst(folder)
    with progress("computing analyses", number) as step:
        while waiting.exists():
            if analyst.work_once():
                step(1)
            else:
                time.sleep(_PAUSE)
    return number


def publish(
    folder: CampaignFolder, target: Path, address: str = "", progress: Progress = silent
) -> Counter[str]:
    """Write the site of a campaign; how many pages and files it has."""
    _require_room(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".site-") as desk:
        counts = _Crawl(Path(desk), address, _hidden(folder)).run(progress)
        _list(Path(desk), folder, address)
        _install(Path(desk), target)
    return counts


class _Crawl:
    """A visitor who reads everything, and writes it down."""

    def __init__(self, desk: Path, address: str, hidden: frozenset[str]) -> None:
        self._desk, self._hidden = desk, hidden
        environment: dict[str, Any] = {"SERVER_NAME": "localhost", SITE: address}
        self._client = Client(**environment)

    def run(self, progress: Progress) -> Counter[str]:
        counts: Counter[str] = Counter()
        waiting, seen = ["/"], {"/"}
        with progress("reading pages", 0) as step:
            while waiting:
                page = waiting.pop()
                links, kind = self._take(page)
                counts[kind] += 1
                waiting += sorted(links - seen)
                seen |= links
                step(1)
        return counts

    def _take(self, address: str) -> tuple[set[str], str]:
        """Write an answer to its file; where it leads, and what it is."""
        route = route_of(address)
        if route != "static" and route not in PUBLIC:
            raise UnpublishableError(f"{address} is not public")
        answer = self._client.get(address)
        if answer.status_code != 200:
            raise UnpublishableError(f"{address} answers {answer.status_code} to visitors")
        content, links, kind = _content(answer), set[str](), "files"
        if answer["Content-Type"].startswith("text/html"):
            page = SitePage(address)
            content, links, kind = page.rewritten(content.decode()).encode(), page.links, "pages"
        self._write(file_of(address), content)
        return links, kind

    def _write(self, file: PurePosixPath, content: bytes) -> None:
        if hashlib.sha256(content).hexdigest() in self._hidden:
            raise UnpublishableError(f"{file} would hold what the campaign hides")
        path = self._desk / file
        if path.exists():
            raise UnpublishableError(f"two pages would be the file {file}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def _hidden(folder: CampaignFolder) -> frozenset[str]:
    """Digests of files that no visitor may read: truths, runs, the secret, the database."""
    rooms = [folder.collection(track.name) for track in folder.campaign.tracks]
    rooms += [folder.var / "editions", folder.var / "runs"]
    files = [path for room in rooms for path in room.rglob("*") if path.is_file()]
    return frozenset(map(_digest, [*files, folder.var / "secret"]))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ── the folder ────────────────────────────────────────────────────────────────────────────────


def _require_room(target: Path) -> None:
    """Refuse a folder of somebody else's files."""
    if not target.exists() or (target / LIST).exists():
        return
    if not target.is_dir() or any(target.iterdir()):
        raise FileError(target, "holds something that is no site; name another folder")


def _list(desk: Path, folder: CampaignFolder, address: str) -> None:
    content = {
        "campaign": folder.campaign.title,
        "address": address,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "software": f"cranfield {__version__}",
        "files": sorted(_files(desk)),
    }
    (desk / LIST).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _files(room: Path) -> Iterator[str]:
    for path in room.rglob("*"):
        if path.is_file():
            yield path.relative_to(room).as_posix()


def _install(desk: Path, target: Path) -> None:
    """Put new files into place; those of the site before that are no more go, others stay."""
    before = _listed(target)
    new = set(_files(desk))
    for name in sorted(new):
        goal = target / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        os.replace(desk / name, goal)
    for name in before - new:
        (target / name).unlink(missing_ok=True)
        for room in (target / name).relative_to(target).parents:
            if room.name and not any((target / room).iterdir()):
                (target / room).rmdir()


def _listed(target: Path) -> set[str]:
    """Files of the site that is there."""
    try:
        names = json.loads((target / LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    inside = target.resolve()
    return {name for name in map(str, names) if (inside / name).resolve().is_relative_to(inside)}
