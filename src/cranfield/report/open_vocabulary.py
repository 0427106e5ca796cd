"""Free tags mapped to concepts: what became of each, and what that does to the scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from cranfield.engine.evaluation import Evaluation
from cranfield.errors import first_ten, several
from cranfield.knowledge.open_vocabulary import EXACT, Match, TagMap
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, heading, plain_table, remark
from cranfield.studies.open_vocabulary import Opening

_SHOWN = 20
"""Tags that are named one by one."""


def mapping_tables(
    tags: TagMap, scores: Mapping[str, Evaluation], opening: Opening | None = None
) -> Group:
    """How many tags each step mapped and what scores it led to, the tags, and those outside."""
    parts: list[RenderableType] = [_step_table(tags, scores)]
    near = [match for match in tags.matches if match.how not in (EXACT, "")]
    if near:
        parts.append(_match_table(near))
    parts += map(remark, (*_thresholds(tags), *_shared(tags), _outside(tags)))
    if opening is not None:
        parts += [_score_table("tags outside", opening.scores), *map(remark, _about(opening))]
    return Group(*parts, *map(remark, _notes({**scores, **(opening.scores if opening else {})})))


def _step_table(tags: TagMap, scores: Mapping[str, Evaluation]) -> Table:
    counts = {
        step if step == EXACT else f"+ {step}": count for step, count in tags.counts().items()
    }
    table = plain_table()
    table.add_column("\nstep")
    table.add_column("\ntags", justify="right", no_wrap=True)
    _add_scores(table, scores)
    for (step, count), result in zip(counts.items(), scores.values(), strict=True):
        table.add_row(cut_name(step), str(count), *_numbers(result))
    table.add_row("outside", str(len(tags.outside)))
    return table


def _score_table(title: str, scores: Mapping[str, Evaluation]) -> Table:
    table = plain_table()
    table.add_column(f"\n{title}")
    _add_scores(table, scores)
    for name, result in scores.items():
        table.add_row(name, *_numbers(result))
    return table


def _add_scores(table: Table, scores: Mapping[str, Evaluation]) -> None:
    for measure in next(iter(scores.values())).measures:
        table.add_column(heading(measure), justify="right", no_wrap=True)


def _numbers(result: Evaluation) -> Iterator[str]:
    for score in result:
        yield UNDEFINED if math.isnan(score.value) else f"{score.value:.4f}"


def _match_table(matches: list[Match]) -> Table:
    """Tags that are not spelled like their concepts."""
    table = plain_table()
    for title in ("tag", "concept", "by"):
        table.add_column(title)
    table.add_column("relatedness", justify="right", no_wrap=True)
    for match in matches[:_SHOWN]:
        names = (cut_name(name) for name in (match.tag, match.concept or "", match.how))
        table.add_row(*names, f"{match.relatedness:.4g}")
    if len(matches) > _SHOWN:
        table.add_row(f"and {several(len(matches) - _SHOWN, 'more tag')}")
    return table


def _thresholds(tags: TagMap) -> Iterator[str]:
    """Steps whose thresholds part nothing: they map none of the tags left to them, or all."""
    for asked in tags.asked:
        given = f"{asked.name}>={asked.threshold:g}"
        if math.isnan(asked.most):
            yield f"{given} maps nothing: {asked.name} knows no pair of a tag and a concept"
        elif asked.most < asked.threshold:
            yield f"{given} maps nothing: the nearest tag is related by {asked.most:.4g}"
        elif tags.counts().get(asked.name) == asked.tags:
            left = several(asked.tags, "tag")
            yield f"{given} maps everything: {left}, the farthest related by {asked.least:.4g}"


def _shared(tags: TagMap) -> Iterator[str]:
    """Tags by which several concepts go, and which concept got them."""
    shared = [match for match in tags.matches if match.also]
    for match in shared[:_SHOWN]:
        yield (
            f"{match.tag!r} went to {match.concept!r}, the first by id, but stands for "
            f"{first_ten(match.also)} too"
        )
    if len(shared) > _SHOWN:
        yield f"and {several(len(shared) - _SHOWN, 'more tag')} that stand for several concepts"


def _outside(tags: TagMap) -> str:
    if not tags.outside:
        return "no tag is outside the vocabulary"
    return f"outside the vocabulary: {first_ten(tags.outside)}"


def _notes(scores: Mapping[str, Evaluation]) -> list[str]:
    """What must be said of scores, and of which."""
    said: dict[str, dict[str, None]] = {}
    for name, result in scores.items():
        for score in result:
            for note in score.notes:
                said.setdefault(note, {})[f"{name} {score.measure}"] = None
    return [f"{note} ({', '.join(of)})" for note, of in said.items()]


def _about(opening: Opening) -> Iterator[str]:
    scale = opening.normalised
    yield (
        f"by {opening.source}, "
        f"{'not normalised' if scale == 'none' else f'normalised by {scale}'}; "
        "costs = 1 − relatedness"
    )
    if opening.coverage.unknown:
        unknown = opening.coverage.unknown
        yield f"unknown to {opening.source} and so unrelated: {first_ten(unknown)}"


def mapping_content(
    tags: TagMap, scores: Mapping[str, Evaluation], opening: Opening | None = None
) -> dict[str, Any]:
    """Everything, for JSON; null where undefined."""
    content: dict[str, Any] = {
        "concepts": len(tags.concepts),
        "tags": len(tags.matches),
        "steps": tags.counts(),
        "matches": [
            {
                "tag": match.tag,
                "concept": match.concept,
                "by": match.how,
                "relatedness": match.relatedness,
                "also": list(match.also),
            }
            for match in tags.matches
            if match.concept is not None
        ],
        "outside": list(tags.outside),
        "scores": _rows("step", scores),
    }
    if opening is not None:
        content["open"] = {
            "source": opening.source,
            "normalised": opening.normalised,
            "unknown": list(opening.coverage.unknown),
            "scores": _rows("outside", opening.scores),
        }
    return content


def _rows(key: str, scores: Mapping[str, Evaluation]) -> list[dict[str, Any]]:
    return [{key: name, **row} for name, result in scores.items() for row in result.rows()]
