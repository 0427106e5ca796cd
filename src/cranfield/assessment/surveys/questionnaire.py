"""The page that people answer: one HTML file that needs nothing else, and a sheet for those who
would rather fill in a table.

What is asked stands in the page as data; a script makes questions of it, in a random order for
everybody, checks that all are answered, and hands out a CSV file, or submits at Mechanical Turk
(as an HTML or external question). Nothing in the page tells runs, scores or controls. Its policy
lets nothing run but this script.

A survey's folder: what people get, and the key that the organiser keeps.

questionnaire.html  the page to hand out
sheet.csv           the same as a table to fill in
key.json            what the questions are about, which the answers are read with; not to be shown
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from cranfield.assessment.jobs.forms import spelled
from cranfield.assessment.surveys.answers import COLUMN
from cranfield.assessment.surveys.pairings import MeasureSurvey, Pairing
from cranfield.assessment.surveys.preferences import PREFERENCE
from cranfield.assessment.surveys.relatedness import GRADES, RELATEDNESS, Pair, RelatednessSurvey
from cranfield.assessment.votes import Question
from cranfield.engine.evaluation import or_null
from cranfield.errors import FileError, InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.source import folder_written, opened

_RELATED = (
    "How closely are these words related? Any relation counts: one may be a kind or a part of the "
    "other, they may mean nearly the same, be opposites, or simply be often seen together.",
    "Say what you think first.",
)
_PREFERRED = (
    "Two systems described the same item, each by a set of labels. Which set describes it better?",
    "If you find both equally good, say so.",
)
_SEEN_TRUTH = "The right labels are given. Labels marked ✗ are wrong; missing ones are named."
_SIDES = {"left": "left is better", "equal": "equally good", "right": "right is better"}


def relatedness_page(
    survey: RelatednessSurvey, *, title: str = "", instructions: Sequence[str] = ()
) -> str:
    """The questionnaire about pairs of words."""
    questions = [
        {"id": pair.id, "text": " – ".join(_called(survey.names, pair.word, pair.other))}
        for pair in survey.pairs
    ]
    answers = {str(grade): f"{grade}: {text}" for grade, text in GRADES.items()}
    return _page(
        title or "How closely are words related?",
        instructions or _RELATED,
        RELATEDNESS,
        answers,
        questions,
    )


def measure_page(
    survey: MeasureSurvey,
    *,
    title: str = "",
    instructions: Sequence[str] = (),
    images: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    show_truth: bool = False,
) -> str:
    """The questionnaire about pairs of label sets.

    images      addresses by item
    names       what concepts are called, where their ids are codes
    show_truth  show which labels are right
    """
    questions: list[dict[str, Any]] = []
    for pair in survey.pairings:
        shown: dict[str, Any] = {
            "id": pair.id,
            "text": "Which labels are better?",
            "left": _labels(names, pair.left_labels),
            "right": _labels(names, pair.right_labels),
        }
        if images is not None and pair.item in images:
            shown["image"] = images[pair.item]
        if show_truth:
            shown["truth"] = _labels(names, pair.true)
        questions.append(shown)
    lead = instructions or (*_PREFERRED, *([_SEEN_TRUTH] if show_truth else []))
    return _page(title or "Which labels are better?", lead, PREFERENCE, _SIDES, questions)


def relatedness_sheet(survey: RelatednessSurvey) -> bytes:
    """A table of the pairs to be filled in: item,annotator,word,other,answer."""
    header = ("item", "annotator", "word", "other", COLUMN)
    rows = [
        (pair.id, "", *_called(survey.names, pair.word, pair.other), "") for pair in survey.pairs
    ]
    return _lines([header, *rows])


def measure_sheet(
    survey: MeasureSurvey,
    *,
    images: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    show_truth: bool = False,
) -> bytes:
    """A table of the label sets to be filled in: item,annotator,…,left,right,answer."""
    header = ["item", "annotator"]
    header += [] if images is None else ["address"]
    header += ["right labels"] if show_truth else []
    rows = []
    for pair in survey.pairings:
        row = [pair.id, ""]
        row += [] if images is None else [images.get(pair.item, "")]
        row += ["; ".join(_labels(names, pair.true))] if show_truth else []
        row += ["; ".join(_labels(names, side)) for side in (pair.left_labels, pair.right_labels)]
        rows.append([*row, ""])
    return _lines([[*header, "left", "right", COLUMN], *rows])


def _called(names: Mapping[str, str], *concepts: str) -> list[str]:
    """Concepts by what people call them."""
    return [names.get(concept) or spelled(concept) for concept in concepts]


def _labels(names: Mapping[str, str] | None, labels: Sequence[str]) -> list[str]:
    """A label set in the order of what people call the labels."""
    return sorted(_called(names or {}, *labels), key=str.casefold)


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    return b"".join(line_of(row, (), ",") for row in rows)


def _page(
    title: str,
    lead: Sequence[str],
    question: Question,
    answers: Mapping[str, str],
    questions: Sequence[Mapping[str, Any]],
) -> str:
    style, script = _resource("questionnaire.css"), _resource("questionnaire.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src http: https: data:; base-uri 'none'; form-action https://*.mturk.com"
    )
    data = {
        "question": question.name,
        "kind": question.kind,
        "values": list(question.answers),
        "answers": list(answers.items()),
        "questions": list(questions),
    }
    words = "\n".join(f"<p>{_shown(text)}</p>" for text in lead)
    heading = _shown(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{heading}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{words}
<noscript><p>This questionnaire needs JavaScript; please switch it on.</p></noscript>
</main>
<script type="application/json" id="survey">{_embedded(data)}</script>
<script>{script}</script>
</body>
</html>
"""


def _shown(text: str) -> str:
    return html.escape(text).replace("$", "&#36;")


def _embedded(data: Mapping[str, Any]) -> str:
    """JSON in which nothing can end the script around it, or be filled in at Mechanical Turk."""
    text = json.dumps(data, ensure_ascii=False)
    for sign in "<>&$\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


@cache
def _resource(name: str) -> str:
    return (files("cranfield.assessment.surveys") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


# ── a survey's folder ─────────────────────────────────────────────────────────────────────────────


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
        content = json.loads(text)
        if content["survey"] in set(_KINDS.values()) - {_KINDS[kind]}:
            raise FileError(
                key, f"this survey is about {content['survey']}, not about {_KINDS[kind]}"
            )
        return made(content)
    except FileError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError):
        raise FileError(
            key, "this is not what a survey was written with; take the file that was"
        ) from None


def _of_pairs(survey: RelatednessSurvey) -> dict[str, Any]:
    return {"pairs": [asdict(pair) for pair in survey.pairs], "names": dict(survey.names)}


def _as_pairs(content: Mapping[str, Any]) -> RelatednessSurvey:
    pairs = tuple(
        Pair(
            str(entry["id"]),
            str(entry["word"]),
            str(entry["other"]),
            None if entry["value"] is None else float(entry["value"]),
        )
        for entry in content["pairs"]
    )
    return RelatednessSurvey(pairs, {str(a): str(b) for a, b in content["names"].items()})


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
                    measure: [or_null(float(value)) for value in survey.scores[measure][index]]
                    for measure in survey.measures
                },
            }
            for index, pair in enumerate(survey.pairings)
        ],
    }


def _as_sets(content: Mapping[str, Any]) -> MeasureSurvey:
    questions = content["questions"]
    pairings = tuple(
        Pairing(
            str(entry["id"]),
            str(entry["item"]),
            str(entry["left"]),
            str(entry["right"]),
            tuple(map(str, entry["left_labels"])),
            tuple(map(str, entry["right_labels"])),
            tuple(map(str, entry["true"])),
        )
        for entry in questions
    )
    better = {str(name): str(which) for name, which in content["better"].items()}
    return MeasureSurvey(
        pairings,
        str(content["tied"]),
        str(content["split"]),
        better,
        {
            name: np.array(
                [entry["scores"][name] for entry in questions], dtype=np.float64
            ).reshape(len(questions), 2)
            for name in better
        },
        float(content["tie"]),
        dict(content["digests"]),
        int(content["candidates"]),
    )
