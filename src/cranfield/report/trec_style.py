"""Scores in the layout of trec_eval: name, topic and value, parted by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.retrieval.trec_eval import TrecMeasure, TrecScores


def trec_lines(scores: TrecScores, measures: list[TrecMeasure], *, per_unit: bool) -> Iterator[str]:
    """One line for each measure of all topics, before them those of each topic if asked for."""
    if per_unit:
        for place, topic in enumerate(scores.topics):
            for one in measures:
                if one.by_topic:
                    yield _line(one, topic, float(scores.values[one][place]))
    for one in measures:
        if one.whole == "none":
            yield f"{one.name:<22}\tall\t{scores.run.tags.get('tag', scores.run.name)}\n"
        else:
            yield _line(one, "all", scores.of_all(one))


def _line(one: TrecMeasure, topic: str, value: float) -> str:
    shown = f"{value:.0f}" if one.whole == "sum" else f"{value:6.4f}"
    return f"{one.name:<22}\t{topic}\t{shown}\n"
