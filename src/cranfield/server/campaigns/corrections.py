"""A wrong cell: an organiser corrects it, everything is scored again, and a log says so.

A correction makes a new edition; boards of the edition before stay where they are. The edition is
stored first, with the corrected truth, and then the file in the campaign's folder is replaced: a
server that died in between does so when it starts again.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from django.db import transaction

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core.correction import Value
from cranfield.errors import CranfieldError, FileError, InputError
from cranfield.formats import folder as folders
from cranfield.server.campaigns.editions import finish_corrections, renew_edition
from cranfield.server.campaigns.models import Correction, Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.scoring import TRAINING
from cranfield.server.people.audit import record
from cranfield.server.people.models import Pseudonym
from cranfield.server.submissions.acceptance import MOST_TEXT, RefusedError

_UNJUDGED = ("", "?", "unjudged")


class BrokenRulesError(RefusedError):
    """The corrected labels of the item break rules of the ontology."""


def read_value(text: str) -> Value:
    """What somebody typed for a cell: a label, a grade, a number, or nothing for unjudged."""
    if text.strip() in _UNJUDGED:
        return None
    try:
        number = float(text)
    except ValueError:
        raise RefusedError(
            f"{text!r} is no value of a cell; write 0, 1 or a grade, or ? if nobody judged it"
        ) from None
    return int(number) if number.is_integer() else number


def correct(
    folder: CampaignFolder,
    track: Track,
    item: str,
    concept: str,
    value: Value,
    reason: str,
    *,
    who: Pseudonym | None,
    shown: bool = False,
    despite_rules: bool = False,
) -> Correction:
    """Correct a cell of the test items' truth.

    reason         shown to everybody at once
    shown          whether item, concept and values are, too; else once they are no secret
    despite_rules  correct it even if the item's labels then break rules of the ontology
    """
    if not reason.strip() or len(reason) > MOST_TEXT:
        raise RefusedError(f"say why, in up to {MOST_TEXT} characters; everybody can read it")
    try:
        with transaction.atomic(), tempfile.TemporaryDirectory(dir=folder.staging) as desk:
            track = Track.objects.select_for_update().get(id=track.id)
            finish_corrections(folder, track)
            collection = formats.read_collection(folder.collection(track.name))
            old = _require_cell(collection, item, concept, value)
            corrected = _corrected(collection, item, concept, value, despite_rules=despite_rules)
            _write(corrected, folder.collection(track.name), Path(desk, "collection"))
            edition = renew_edition(folder, track, reason, source=Path(desk, "collection"))
            correction = Correction.objects.create(
                edition=edition, item=item, concept=concept, old=old, new=value, shown=shown
            )
            cell = {"item": item, "concept": concept, "old": old, "new": value}
            record(who, "correct", track, **cell, reason=reason, edition=edition.number)
    except CranfieldError as error:
        raise RefusedError(str(error)) from None
    finish_corrections(folder, track)
    return correction


def _require_cell(collection: Collection, item: str, concept: str, value: Value) -> Value:
    """What the cell holds now."""
    old = collection.truth.value(item, concept)
    if collection.splits.get(item) == TRAINING:
        raise InputError(f"{item} is a training item, by which nobody is scored; edit its file")
    if old == value:
        raise InputError(f"{concept} of {item} is {value} already")
    return old


def _corrected(
    collection: Collection, item: str, concept: str, value: Value, *, despite_rules: bool
) -> Collection:
    truth = collection.truth.corrected(item, concept, value)
    if collection.ontology is not None and not truth.open and not despite_rules:
        broken = collection.ontology.violations(truth.select(items=[item]))
        if broken:
            rules = "; ".join(str(violation) for violation in broken)
            raise BrokenRulesError(f"the labels then break rules of the ontology: {rules}")
    return Collection(truth, splits=collection.splits)


def _write(corrected: Collection, source: Path, target: Path) -> None:
    """A copy of a collection's folder with another truth, in the format that the truth has."""
    file = folders.truth_file(source)
    if file.is_dir():
        raise FileError(
            file,
            "is a folder of files that make one truth; correct them there, then: "
            "cranfield campaign rescore",
        )
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("runs", "runs.csv"))
    form = formats.check(file, kind="truth").format
    formats.write_truth(corrected.truth, target / file.name, form)
    if formats.read_collection(target).truth.digest != corrected.truth.digest:
        raise FileError(
            file,
            f"the format {form} cannot hold this cell; edit the file, then: "
            "cranfield campaign rescore",
        )
