"""Scores in the layout of trec_eval: name, topic and value, parted by tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.tasks.retrieval.trec_eval import TrecMeasure, TrecScores


def trec_lines(
    results: Sequence[TrecScores], measures: list[TrecMeasure], *, per_unit: bool
) -> Iterator[str]:
    """The lines of each run; where there are several, each begins with its runid."""
    runids = [scores.run.tags.get("tag", scores.run.name) for scores in results]
    if len(set(runids)) < len(runids):
        runids = [scores.run.name for scores in results]
    several = len(results) > 1
    for scores, runid in zip(results, runids, strict=True):
        if several:
            yield _named("runid", runid)
        told = [one for one in measures if not several or one.whole != "none"]
        yield from _lines(scores, told, runid, per_unit=per_unit)


def _lines(
    scores: TrecScores, measures: list[TrecMeasure], runid: str, *, per_unit: bool
) -> Iterator[str]:
    """One line for each measure of all topics, before them those of each topic if asked for."""
    if per_unit:
        for place, topic in enumerate(scores.topics):
            for one in measures:
                if one.by_topic:
                    yield _line(one, topic, float(scores.values[one][place]))
    for one in measures:
        if one.whole == "none":
            yield _named(one.name, runid)
        else:
            yield _line(one, "all", scores.of_all(one))


def _named(name: str, text: str) -> str:
    return f"{name:<22}\tall\t{text}\n"


def _line(one: TrecMeasure, topic: str, value: float) -> str:
    shown = f"{value:.0f}" if one.whole == "sum" else f"{value:6.4f}"
    return f"{one.name:<22}\t{topic}\t{shown}\n"
