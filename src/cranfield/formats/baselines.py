"""Baselines on disk: JSON with what a gate compares: scores, signatures, and numbers of units.

    {"baseline": [{"run", "measure", "score", "signature", "resample", "values": {unit: number}}]}

is what `cranfield gate --write-baseline` writes. The output of `cranfield evaluate --per-unit
--json` is read too: its scores of single items, or of concepts, are such numbers where the score is
their mean.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, FileError
from cranfield.formats.source import opened, written

if TYPE_CHECKING:
    from cranfield.statistics.gating import Record

_KINDS = ("items", "clusters", "concepts")
_OPENING = re.compile(rb'\s*\{\s*"(baseline|scores)"\s*:')
_TOLERANCE = 1e-9


def is_baseline(path: str | Path) -> bool:
    """Whether a file holds stored scores, not a run."""
    with opened(path) as source:
        return not source.is_folder and _OPENING.match(source.head) is not None


def read_baseline(path: str | Path) -> list[Record]:
    """Stored scores of runs, for `cf.gate`."""
    with opened(path) as source, source.telling():
        text = source.stream.read()
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(
            path, f"this is no JSON ({error.msg}); write it again", line=error.lineno
        ) from None
    except (UnicodeDecodeError, RecursionError):
        raise FileError(path, "this is no JSON in UTF-8; write it again") from None
    if isinstance(content, dict):
        for key, read in (("baseline", _saved), ("scores", _evaluated)):
            if isinstance(content.get(key), list) and content[key]:
                return [_record(path, read, entry) for entry in content[key]]
    raise FileError(
        path,
        "holds no scores; write it with cranfield gate --write-baseline, or with cranfield "
        "evaluate --per-unit --json",
    )


def write_baseline(records: list[Record] | tuple[Record, ...], path: str | Path) -> None:
    """Write what later runs are to be compared with, wholly or not at all."""
    rows = {"baseline": [one.row() for one in records]}
    with written(Path(path)) as target:
        target.stream.write((json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode())


def _record(path: str | Path, read: Any, entry: Any) -> Record:
    try:
        result: Record = read(path, entry)
        total = math.fsum(result.values.values())
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        told = entry.get("measure", "without a name") if isinstance(entry, dict) else "no object"
        raise FileError(path, f"the score {told!r} cannot be read; write the file again") from None
    except CranfieldError as error:
        raise error.in_file(path) from None
    mean = total / len(result.values) if result.values else math.nan
    if not abs(mean - result.score) <= _TOLERANCE * max(1.0, abs(result.score)):
        raise FileError(
            path,
            f"{result.measure}: the score {result.score:.6g} is not the mean of its "
            f"{result.resample}, {mean:.6g}, as for weighted and for geometric means; give the run "
            "itself, or a baseline that cranfield gate --write-baseline wrote",
        )
    return result


def _saved(path: str | Path, entry: dict[str, Any]) -> Record:
    if entry["resample"] not in _KINDS:
        raise ValueError
    return _of(entry, entry["resample"], entry["values"])


def _evaluated(path: str | Path, entry: dict[str, Any]) -> Record:
    from cranfield.measures.registry import stored_measure

    direction = stored_measure(entry["measure"]).traits.direction
    kind = {"example": "items", "concept": "concepts"}.get(direction)
    if kind is None or not entry.get("by_unit"):
        raise FileError(
            path,
            f"{entry['measure']} comes without numbers of single items; write the file with "
            "cranfield gate --write-baseline, or score by items: cranfield evaluate --per-unit "
            "--json",
        )
    return _of(entry, kind, entry["by_unit"])


def _of(entry: dict[str, Any], kind: Any, values: dict[str, Any]) -> Record:
    from cranfield.statistics.gating import Record

    return Record(
        run=str(entry["run"]),
        measure=str(entry["measure"]),
        score=float(entry["score"]),
        signature=str(entry["signature"]),
        resample=kind,
        values={name: float(value) for name, value in values.items() if value is not None},
    )
