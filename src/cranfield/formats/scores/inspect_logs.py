"""Logs of Inspect (`inspect_ai`): JSON, and .eval, a zip archive of JSON.

A run is the model, an item the task with the id of a sample, a repeat the epoch, a measure the
scorer; a scorer that gives several values has a measure for each (`scorer:name`). C, I, P and N
(correct, incorrect, partial, no answer) are 1, 0, 0.5 and 0, as in Inspect's own `value_to_float`.
A sample without a score (an error, or NaN) is one that the run lacks.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from cranfield.errors import FileError
from cranfield.formats.json_stream import JsonStream
from cranfield.formats.problems import Problems, shown
from cranfield.formats.scores.rows import ScoreFormat, ScoreRow, is_number, record_of, required
from cranfield.formats.source import Source, seekable

_OPENING = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,')
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0}
_LETTERS |= {"false": 0.0}
_SUMMARIES = ("summaries.json", "summary.json")
"""What newer and older versions call the list of samples without their transcripts."""
_HEADERS = ("header.json", "_journal/start.json", "start.json")
_MOST = 1 << 30
"""Bytes of a member of an archive; a list of samples without transcripts is far smaller."""


def _is_json(source: Source) -> bool:
    return _OPENING.match(source.head) is not None


def _json_rows(source: Source) -> Iterator[ScoreRow]:
    stream = JsonStream(source, Problems(source.path), constants=True)
    about: dict[str, Any] | None = None
    sampled = False
    for name in stream.members():
        if name == "eval":
            about = record_of(stream.value(), source, stream.began, "description of an evaluation")
        elif name == "samples" and stream.peek() == "[":
            sampled = True
            for sample in stream.elements():
                yield from _scores(sample, about, source, stream.began)
        else:
            stream.skip()
    if not sampled:
        raise FileError(source.path, "the log holds no samples; write it again with --log-samples")


def _is_archive(source: Source) -> bool:
    return source.head.startswith(b"PK\3\4") and source.extension == ".eval"


def _archive_rows(source: Source) -> Iterator[ScoreRow]:
    with seekable(source) as stream, source.telling():
        try:
            with zipfile.ZipFile(stream) as archive:
                header = record_of(_header(archive, source), source, None, "header of a log")
                about = header.get("eval")
                for sample in _samples(archive, source):
                    yield from _scores(sample, about, source, None)
        except NotImplementedError:
            raise FileError(
                source.path,
                "the archive is compressed in a way that this Python cannot read",
                mend="convert it: inspect log convert --to json --output-dir json FILE",
            ) from None
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
            raise FileError(
                source.path, "the archive is broken; copy the log again, or convert it to .json"
            ) from None


def _header(archive: zipfile.ZipFile, source: Source) -> Any:
    for name in _HEADERS:
        if name in archive.namelist():
            return _member(archive, name, source)
    raise FileError(source.path, "this is no log of Inspect: the archive has no header.json")


def _samples(archive: zipfile.ZipFile, source: Source) -> Iterator[Any]:
    names = archive.namelist()
    for name in _SUMMARIES:
        if name in names:
            samples = _member(archive, name, source)
            yield from samples if isinstance(samples, list) else [samples]
            return
    for name in names:
        if name.startswith("samples/") and name.endswith(".json"):
            yield _member(archive, name, source)


def _member(archive: zipfile.ZipFile, name: str, source: Source) -> Any:
    if archive.getinfo(name).file_size > _MOST:
        raise FileError(source.path, f"{name} unpacks to more than {_MOST >> 20} MiB")
    try:
        return json.loads(archive.read(name))
    except (ValueError, RecursionError):
        raise FileError(source.path, f"{name} in it is no JSON; copy the log again") from None


def _scores(sample: Any, about: Any, source: Source, line: int | None) -> Iterator[ScoreRow]:
    """The scores of a sample."""
    described = record_of(about, source, line, "description of an evaluation")
    record = record_of(sample, source, line, "sample")
    run, task = (required(described, name, source, line) for name in ("model", "task"))
    item = f"{task}/{required(record, 'id', source, line)}"
    scores = record_of(record.get("scores") or {}, source, line, "set of scores")
    for scorer, score in scores.items():
        value = record_of(score, source, line, "score").get("value")
        parts = value if isinstance(value, dict) else {"": value}
        for part, number in parts.items():
            if number is None or (isinstance(number, float) and math.isnan(number)):
                continue
            measure = f"{scorer}:{part}" if part else scorer
            scored = _number(number, measure, item, source, line)
            yield ScoreRow(line, run, item, scored, measure, record.get("epoch", 1))


def _number(value: Any, measure: str, item: str, source: Source, line: int | None) -> float:
    if is_number(value):
        return float(value)
    if isinstance(value, str):
        known = _LETTERS.get(value, _LETTERS.get(value.lower()))
        if known is not None:
            return known
        try:
            return float(value)
        except ValueError:
            pass
    raise FileError(
        source.path,
        f"{measure} says {shown(repr(value))} of {shown(item)}, which is no score",
        line=line,
        mend="score by numbers, true and false, or C, I, P and N",
    )


FORMATS = (
    ScoreFormat("Inspect", _is_json, _json_rows),
    ScoreFormat("Inspect", _is_archive, _archive_rows),
)
