"""Explanations of an evaluation: how each run comes to its scores of some items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.core.chart import Drawing
from cranfield.core.result import Analysis
from cranfield.core.table import LazyRows, Table
from cranfield.core.terms import Terms
from cranfield.engine.evaluation import Evaluation

if TYPE_CHECKING:
    from cranfield.measures.explanation import Explanation


@dataclass(frozen=True, eq=False, repr=False)
class Explanations(Analysis):
    """Items by measures, run after run."""

    title = "How scores come about"

    evaluation: Evaluation
    explained: Sequence[Explanation]
    names: Mapping[str, str]
    """What concepts are called, where their ids are codes."""

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.explained)

    def __len__(self) -> int:
        return len(self.explained)

    @property
    def terms(self) -> Terms:
        return self.evaluation.terms

    def _facts(self) -> dict[str, Any]:
        """The scores, and besides them "explanations": […]."""
        return {
            "scores": LazyRows(self.evaluation.records),
            "explanations": [explanation.to_dict() for explanation in self],
        }

    def _tables(self) -> list[Table]:
        from cranfield.measures.explanation_tables import explanation_tables, label_rows

        labels = [row for explanation in self for row in label_rows(explanation)]
        people = [t for e in self for t in explanation_tables(e, self._called)]
        return [Table("labels", labels, audience="programs"), *people]

    def _charts(self) -> list[Drawing]:
        from cranfield.measures.explanation_drawing import explanation_drawing

        return [explanation_drawing(explanation, self._called) for explanation in self]

    @property
    def _called(self) -> Mapping[str, str]:
        """What concepts are called, by their ontology too."""
        scores = self.evaluation.scores
        ontology = scores[0].known.knowledge.ontology if scores else None
        return {**(ontology.labels if ontology else {}), **self.names}
