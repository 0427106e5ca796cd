"""Samples of lm-evaluation-harness: the JSON Lines that `--log_samples` writes for each task.

    MODEL/samples_TASK_TIME.jsonl

A run is the model, which only the folder names; an item the task with the number of a document, a
measure a metric, with the filter of answers if there is one (`exact_match,strict-match`, as in the
harness's tables). Metrics that are no numbers, such as the pairs that perplexity is made of, have
no score of an item and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cranfield.errors import FileError
from cranfield.formats.scores.rows import ScoreFormat, ScoreRow, is_number, required
from cranfield.formats.scores.tables import json_lines
from cranfield.formats.source import Source

_OPENING = re.compile(rb'\s*\{\s*"doc_id"\s*:')
_NAME = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?")
_NO_METRICS = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "schema_version", "task_name"),
}
"""What a sample has besides its metrics, where it does not list them."""


def _recognises(source: Source) -> bool:
    return _OPENING.match(source.head) is not None


def _rows(source: Source) -> Iterator[ScoreRow]:
    match = _NAME.fullmatch(source.name)
    folder = source.path.resolve().parent.name
    run = folder.replace("__", "/") if match and folder else source.name
    task = match["task"] if match else source.name
    scored = False
    for line, record in json_lines(source):
        item = f"{task}/{required(record, 'doc_id', source, line)}"
        for measure, score in _metrics(record):
            scored = True
            yield ScoreRow(line, run, item, float(score), measure)
    if not scored:
        raise FileError(
            source.path,
            "no metric of these samples is a number",
            mend="log a task with acc, exact_match or the like",
        )


def _metrics(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    listed = record.get("metrics")
    names = listed if isinstance(listed, list) else [n for n in record if n not in _NO_METRICS]
    chosen = record.get("filter")
    suffix = f",{chosen}" if chosen not in (None, "none") else ""
    for name in names:
        score = record.get(name) if isinstance(name, str) else None
        if is_number(score):
            yield f"{name}{suffix}", score


FORMATS = (ScoreFormat("lm-evaluation-harness", _recognises, _rows),)
