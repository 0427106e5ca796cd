"""Results of promptfoo: the JSON that `promptfoo eval -o results.json` writes.

A run is the provider, with the prompt where there are several; an item a test, called by the number
of the first that has its variables, since `--repeat` numbers repeats on; a repeat is one of those.
Measures are `score`, `pass` and every named score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from cranfield.errors import FileError
from cranfield.formats.json_stream import JsonStream
from cranfield.formats.problems import Problems
from cranfield.formats.scores.rows import ScoreFormat, ScoreRow, is_number, record_of, required
from cranfield.formats.source import Source

_OPENING = re.compile(rb'\s*\{\s*("evalId"\s*:[^{\[]*)?"results"\s*:\s*\{\s*"(version|timestamp)"')


def _recognises(source: Source) -> bool:
    return _OPENING.match(source.head) is not None


def _rows(source: Source) -> Iterator[ScoreRow]:
    results = list(_results(source))
    if not results:
        raise FileError(source.path, "there are no results; let promptfoo finish, and write again")
    prompts = {_prompt(result) for _, result in results}
    items: dict[str, str] = {}
    repeats: dict[tuple[str, str], int] = {}
    for line, result in results:
        run = _provider(result, source, line)
        if len(prompts) > 1:
            run = f"{run} · {_prompt(result)}"
        test = _test(result)
        item = items.setdefault(test, str(result.get("testIdx", len(items))))
        repeats[run, item] = repeat = repeats.get((run, item), 0) + 1
        for measure, score in _scores(result, source, line):
            yield ScoreRow(line, run, item, score, measure, repeat)


def _results(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    stream = JsonStream(source, Problems(source.path), constants=True)
    for name in stream.members():
        if name != "results" or stream.peek() != "{":
            stream.skip()
            continue
        for part in stream.members():
            if part != "results" or stream.peek() != "[":
                stream.skip()
                continue
            for result in stream.elements():
                yield stream.began, record_of(result, source, stream.began, "result")


def _provider(result: dict[str, Any], source: Source, line: int) -> str:
    provider = required(result, "provider", source, line)
    if isinstance(provider, dict):
        provider = provider.get("label") or required(provider, "id", source, line)
    return str(provider)


def _prompt(result: dict[str, Any]) -> str:
    """What tells prompts apart: their label, or where there is none their number."""
    prompt = result.get("prompt")
    label = prompt.get("label") if isinstance(prompt, dict) else None
    return " ".join(str(label or result.get("promptIdx", "")).split())[:40]


def _test(result: dict[str, Any]) -> str:
    """What tells tests apart, and repeats of one do not."""
    variables = result.get("vars")
    case = result.get("testCase")
    described = case.get("description") if isinstance(case, dict) else None
    if not variables and not described:
        return f"test {result.get('testIdx')}"
    return json.dumps([variables, described], sort_keys=True, default=str)


def _scores(result: dict[str, Any], source: Source, line: int) -> Iterator[tuple[str, float]]:
    """A test that ended in an error counts as promptfoo counts it: it fails, with a score of 0."""
    score = result.get("score", result.get("success"))
    if not is_number(score):
        raise FileError(source.path, "a result has no score; write the results again", line=line)
    yield "score", float(score)  # type: ignore[arg-type]
    if isinstance(result.get("success"), bool):
        yield "pass", float(result["success"])
    named = record_of(result.get("namedScores") or {}, source, line, "set of scores")
    for name, value in named.items():
        if is_number(value):
            yield name, float(value)


FORMATS = (ScoreFormat("promptfoo", _recognises, _rows),)
