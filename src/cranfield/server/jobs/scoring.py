"""Checking and scoring a run: what a child process does. Nothing of Django is known here."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cranfield import formats
from cranfield._version import __version__
from cranfield.collections.collection import Collection
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Score
from cranfield.errors import CranfieldError
from cranfield.formats.problems import Findings
from cranfield.server.jobs.submitted_run import read_submitted

TRAINING = "train"
"""The split whose items nobody is scored on."""
_SHOWN = 100
"""Errors of a file that are stored."""


def check_and_score(work: dict[str, Any]) -> dict[str, Any]:
    """Errors of a run, or its scores on every split.

    work  run: file; threshold: as typed, "" for none; edition: folder of the collection, whose
          splits say what is public and what private; measures; rules: missing, extra, level
    """
    try:
        whole = test_part(formats.read_collection(work["edition"]))
        run = _read(Path(work["run"]), work["threshold"], whole, work["rules"])
        if isinstance(run, Findings):
            return {"errors": _errors(run)}
        parts = {"all": whole} | {
            split: whole.select(split=split) for split in sorted(set(whole.splits.values()))
        }
        return {
            "scores": [
                _row(score, split)
                for split, part in parts.items()
                for score in evaluate(part, run, work["measures"], **work["rules"])
            ]
        }
    except CranfieldError as error:
        return {"errors": [{"line": None, "what": error.what, "mend": error.mend}]}


def test_part(collection: Collection) -> Collection:
    """What runs are scored on: all but the items that belong to the training."""
    if TRAINING not in collection.splits.values():
        return collection
    return collection.select(
        items=[item for item in collection.items if collection.splits.get(item) != TRAINING]
    )


def _read(
    path: Path, threshold: str, collection: Collection, rules: Mapping[str, Any]
) -> Run | Findings:
    reading = {name: rules[name] for name in ("missing", "extra")}
    findings = formats.check(path, against=collection, **reading)
    if findings:
        return findings
    return read_submitted(path, threshold, collection, extra=rules["extra"])


def _errors(findings: Findings) -> list[dict[str, Any]]:
    listed = [
        {"line": error.line, "what": error.what, "mend": error.mend} for error in findings[:_SHOWN]
    ]
    left = findings.total - len(listed)
    return (
        listed if not left else [*listed, {"line": None, "what": f"… and {left} more", "mend": ""}]
    )


def _row(score: Score, split: str) -> dict[str, Any]:
    """A score as JSON can hold it, with the keys of the table that it goes into."""
    chosen = json.dumps(score.conventions, sort_keys=True)
    return {
        "split": split,
        "truth_digest": score.truth.digest,
        "measure": str(score.measure),
        "conventions": hashlib.sha256(chosen.encode()).hexdigest(),
        "value": score.value if math.isfinite(score.value) else None,
        "units": score.units,
        "skipped": score.skipped,
        "by_unit": packed(score.by_unit),
        "notes": list(score.notes),
        "signature": score.signature,
        "software": f"cranfield {__version__}",
    }


def packed(values: Floats) -> str:
    """Unit scores as text: compressed doubles, the lowest byte first."""
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes())).decode()


def unpacked(text: str) -> Floats:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8").astype(np.float64)
