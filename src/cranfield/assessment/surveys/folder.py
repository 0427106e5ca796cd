"""A survey's folder: what people get, and the key that the organiser keeps.

questionnaire.html  the page to hand out
sheet.csv           the same as a table to fill in
key.json            what the questions are about, which the answers are read with; not to be shown
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from cranfield.assessment.surveys.pairings import MeasureSurvey, Pairing
from cranfield.assessment.surveys.pairs import Pair
from cranfield.assessment.surveys.relatedness import RelatednessSurvey
from cranfield.engine.evaluation import or_null
from cranfield.errors import FileError, InputError
from cranfield.formats.source import folder_written, opened

PAGE, SHEET, KEY = "questionnaire.html", "sheet.csv", "key.json"
_KINDS = {RelatednessSurvey: "relatedness", MeasureSurvey: "measure"}
_Survey = TypeVar("_Survey", RelatednessSurvey, MeasureSurvey)


def write_survey(
    survey: RelatednessSurvey | MeasureSurvey,
    path: str | os.PathLike[str],
    *,
    page: str,
    sheet: bytes,
) -> None:
    """Write a survey into a folder that is new or empty, wholly or not at all."""
    content = _of_pairs(survey) if isinstance(survey, RelatednessSurvey) else _of_sets(survey)
    key = {"survey": _KINDS[type(survey)], **content}
    with folder_written(Path(path)) as target:
        assert target.folder is not None
        (target.folder / PAGE).write_text(page, encoding="utf-8")
        (target.folder / SHEET).write_bytes(sheet)
        text = json.dumps(key, indent=2, ensure_ascii=False, allow_nan=False)
        (target.folder / KEY).write_text(text + "\n", encoding="utf-8")


def read_relatedness_survey(path: str | os.PathLike[str]) -> RelatednessSurvey:
    """The survey of a folder, from its key."""
    return _read(Path(path), RelatednessSurvey, _as_pairs)


def read_measure_survey(path: str | os.PathLike[str]) -> MeasureSurvey:
    """The survey of a folder, from its key."""
    return _read(Path(path), MeasureSurvey, _as_sets)


def _read(
    folder: Path, kind: type[_Survey], made: Callable[[Mapping[str, Any]], _Survey]
) -> _Survey:
    key = folder / KEY
    if not key.is_file():
        raise FileError(folder, f"there is no {KEY} in it; name the folder that a survey is in")
    with opened(key) as source:
        text = source.stream.read()
    try:
        said = json.loads(text)
        if said["survey"] in set(_KINDS.values()) - {_KINDS[kind]}:
            raise FileError(key, f"this survey is about {said['survey']}, not about {_KINDS[kind]}")
        return made(said)
    except FileError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError):
        raise FileError(
            key, "this is not what a survey was written with; take the file that was"
        ) from None


def _of_pairs(survey: RelatednessSurvey) -> dict[str, Any]:
    return {"pairs": [asdict(pair) for pair in survey.pairs], "names": dict(survey.names)}


def _as_pairs(said: Mapping[str, Any]) -> RelatednessSurvey:
    pairs = tuple(
        Pair(
            str(one["id"]),
            str(one["word"]),
            str(one["other"]),
            None if one["value"] is None else float(one["value"]),
        )
        for one in said["pairs"]
    )
    return RelatednessSurvey(pairs, {str(a): str(b) for a, b in said["names"].items()})


def _of_sets(survey: MeasureSurvey) -> dict[str, Any]:
    return {
        "tied": survey.tied,
        "split": survey.split,
        "tie": survey.tie,
        "candidates": survey.candidates,
        "better": dict(survey.better),
        "digests": dict(survey.digests),
        "questions": [
            {
                **asdict(pair),
                "scores": {
                    one: [or_null(float(value)) for value in survey.scores[one][place]]
                    for one in survey.measures
                },
            }
            for place, pair in enumerate(survey.pairings)
        ],
    }


def _as_sets(said: Mapping[str, Any]) -> MeasureSurvey:
    questions = said["questions"]
    pairings = tuple(
        Pairing(
            str(one["id"]),
            str(one["item"]),
            str(one["left"]),
            str(one["right"]),
            tuple(map(str, one["left_labels"])),
            tuple(map(str, one["right_labels"])),
            tuple(map(str, one["true"])),
        )
        for one in questions
    )
    better = {str(name): str(which) for name, which in said["better"].items()}
    return MeasureSurvey(
        pairings,
        str(said["tied"]),
        str(said["split"]),
        better,
        {
            name: np.array([one["scores"][name] for one in questions], dtype=np.float64).reshape(
                len(questions), 2
            )
            for name in better
        },
        float(said["tie"]),
        dict(said["digests"]),
        int(said["candidates"]),
    )
