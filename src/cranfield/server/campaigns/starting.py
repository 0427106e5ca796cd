"""`cranfield campaign init`: the folder of a new campaign, from a template and a collection."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from cranfield import formats
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import FileError, InputError, several
from cranfield.formats import folder as folders
from cranfield.server.campaigns.leakage import warnings
from cranfield.server.configuration import ANYWHERE_ON_EARTH, FILE, zone_of
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.scoring import TRAINING, test_part

Template = Literal["photo-annotation", "retrieval", "classification"]


@dataclass(frozen=True, repr=False)
class NewCampaign(Analysis):
    """What was made, and what to do next."""

    title = "A new campaign"

    folder: Path
    files: Sequence[tuple[str, str]]
    """Names of files, and what they are."""
    violations: int = 0
    """Items whose labels break rules of the ontology."""

    def _facts(self) -> dict[str, Any]:
        return {"folder": str(self.folder), "violations": self.violations, "files": self._rows()}

    def _rows(self) -> list[dict[str, str]]:
        return [{"file": name, "purpose": purpose} for name, purpose in self.files]

    def _tables(self) -> list[Table]:
        columns = (Column("file", key=True), Column("purpose", "what it is"))
        return [Table("files", self._rows(), columns)]

    leaks: Sequence[str] = ()
    """What open phases can give away of the labels."""

    @property
    def warnings(self) -> list[str]:
        broken = (
            f"{several(self.violations, 'item')} of the truth break rules of the ontology; "
            "`cranfield ontology check` tells which"
        )
        return [*([broken] if self.violations else ()), *self.leaks]

    def _remarks(self) -> list[str]:
        return [f"Next: edit {self.folder / FILE}, then: cranfield serve {self.folder}"]


def init(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    template: Annotated[Template, Option()] = "photo-annotation",
    collection: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    demo: Annotated[bool, Option(excludes=("collection", "template"))] = False,
    progress: Progress = silent,
) -> NewCampaign:
    """Make the folder of a campaign: campaign.toml, and the collection that runs are scored on.

    folder      To be made.
    template    What the campaign is about.
    collection  A truth, or a collection folder with truth, ontology and splits; it is copied. Items
                whose split is `train` are not scored; `public` and `private` divide the others.
    demo        Simulate a collection, groups and their runs, to look around.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(folder, "is there already and not empty; choose another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        result = _fill(CampaignFolder(part), template, collection, demo, progress)
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    if demo:
        try:
            _populate(folder, progress)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return replace(result, folder=folder)


def _populate(folder: Path, progress: Progress) -> None:
    """Let the simulated groups submit what was simulated for them."""
    from cranfield.server.serve import prepare, start_up

    place = prepare(folder)
    start_up(place)
    from cranfield.server.campaigns.demonstration import populate

    collection = place.collection(place.campaign.tracks[0].name)
    populate(place, collection / "runs", collection / "groups.csv", progress)


def _fill(
    place: CampaignFolder,
    template: Template,
    collection: Path | None,
    demo: bool,
    progress: Progress,
) -> NewCampaign:
    (place.path / FILE).write_text(_text(template), encoding="utf-8")
    track = place.campaign.tracks[0].name
    target = place.collection(track)
    place.downloads(track).mkdir(parents=True)
    violations = 0
    if demo:
        _simulate(target, progress)
    elif collection is not None:
        violations = _import(collection, target)
    else:
        target.mkdir()
    place.make()
    imported = folders.is_collection(target)
    if imported:
        write_downloads(target, place.downloads(track))
    return NewCampaign(
        place.path,
        [
            (FILE, "what the campaign is: texts, dates, measures, limits"),
            (f"tracks/{track}/collection", "truth, ontology, splits: never shown to anybody"),
            (f"tracks/{track}/downloads", "files for groups: training data, lists of test items"),
            ("var", "what the server keeps: database, runs, secret"),
        ],
        violations,
        warnings(place) if imported else (),
    )


def _text(template: Template) -> str:
    """The template, open for three months, from the day that it is anywhere on earth."""
    today = datetime.now(zone_of(ANYWHERE_ON_EARTH)).date()
    templates = files("cranfield.server.campaigns") / "templates"
    text = (templates / f"{template}.toml").read_text("utf-8")
    return text.replace("{opens}", today.isoformat()).replace(
        "{closes}", (today + timedelta(days=91)).isoformat()
    )


def _import(source: Path, target: Path) -> int:
    """Copy a collection that can be read; how many items break its rules."""
    collection = formats.read_collection(source)
    if source.is_dir() and folders.is_collection(source):
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("runs", "runs.csv"))
    elif source.is_dir():
        raise InputError(
            f"{source} is a folder of files that make one truth; put it as truth.* into a folder"
        )
    else:
        target.mkdir(parents=True)
        shutil.copyfile(source, target / f"truth{''.join(source.suffixes[-2:])}")
    if collection.ontology is None or collection.truth.open:
        return 0
    return len({violation.item for violation in collection.ontology.violations(collection.truth)})


def write_downloads(collection: Path, target: Path) -> None:
    """What groups need and may know: labels of training items, names of test items, in an order
    that says nothing of their labels."""
    whole = formats.read_collection(collection)
    if TRAINING in whole.splits.values():
        training = whole.select(split=TRAINING).truth
        formats.write_truth(training, target / "training-truth.csv", lossy=True)
    tested = test_part(whole)
    if not tested.truth.open:
        _write_lines(target / "test-items.txt", sorted(tested.items))
    _write_lines(target / "concepts.txt", tested.truth.concepts)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _simulate(target: Path, progress: Progress) -> None:
    from cranfield.commands.planning import simulate

    target.parent.mkdir(parents=True, exist_ok=True)
    simulate(target, items=600, systems=12, random="0,50", progress=progress)
