"""Scores as trec_eval prints them: name, topic and value, parted by tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table

if TYPE_CHECKING:
    from cranfield.tasks.retrieval.trec_eval import TrecMeasure, TrecScores


@dataclass(frozen=True, eq=False, repr=False)
class TrecEvaluation(Analysis):
    """Runs by measures of trec_eval."""

    title = "Scores as trec_eval prints them"

    scores: Sequence[TrecScores]
    measures: Sequence[TrecMeasure]
    by_topic: bool = False
    """Whether topics are listed one by one, before all of them."""

    def _facts(self) -> dict[str, Any]:
        return {"scores": self._rows()}

    def _tables(self) -> list[Table]:
        columns = tuple(map(Column, ("run", "measure", "topic", "value")))
        return [Table("scores", self._rows(), columns)]

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"run": runid, "measure": measure.name, "topic": topic, "value": value}
            for scores, runid in self._runs()
            for measure, topic, value in self._values(scores)
        ]

    def _text(self) -> str:
        """The lines of each run; where there are several, each begins with its runid."""
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        several = len(self.scores) > 1
        for scores, runid in self._runs():
            if several:
                yield _line("runid", "all", runid)
            values = list(self._values(scores))
            for measure, topic, value in values:
                if topic != "all":
                    yield _line(measure.name, topic, _written(measure, value))
            whole = {measure: value for measure, topic, value in values if topic == "all"}
            for measure in self.measures:
                if measure in whole:
                    yield _line(measure.name, "all", _written(measure, whole[measure]))
                elif not several:  # a name, such as runid
                    yield _line(measure.name, "all", runid)

    def _values(self, scores: TrecScores) -> Iterator[tuple[TrecMeasure, str, float]]:
        """Of each topic, if they are listed, and of all topics."""
        for index, topic in enumerate(scores.topics if self.by_topic else ()):
            for measure in self.measures:
                if measure.by_topic:
                    yield measure, topic, float(scores.values[measure][index])
        for measure in self.measures:
            if measure.whole != "none":
                yield measure, "all", scores.of_all(measure)

    def _runs(self) -> Iterator[tuple[TrecScores, str]]:
        """The scores of each run with its runid, or its name where runids clash."""
        runids = [scores.run.tags.get("tag", scores.run.name) for scores in self.scores]
        if len(set(runids)) < len(runids):
            runids = [scores.run.name for scores in self.scores]
        return zip(self.scores, runids, strict=True)


def _line(name: str, topic: str, text: str) -> str:
    return f"{name:<22}\t{topic}\t{text}\n"


def _written(measure: TrecMeasure, value: float) -> str:
    return f"{value:.0f}" if measure.whole == "sum" else f"{value:6.4f}"
