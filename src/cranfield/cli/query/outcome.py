"""What comes out of `cranfield query`: tables, JSON, CSV."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType

from cranfield.caching import cached_property
from cranfield.cli.forms import deliver
from cranfield.cli.query.places import Searched
from cranfield.cli.screen import output, plain
from cranfield.engine.evaluation import Evaluation
from cranfield.report.exports import as_csv, as_json
from cranfield.report.searches import (
    agreement_content,
    agreement_table,
    hit_content,
    hit_table,
    query_content,
    query_table,
)
from cranfield.report.standings import Standings
from cranfield.report.tables import evaluation_table, unit_tables
from cranfield.studies.searching import SearchStudy
from cranfield.tasks.retrieval import NamedQuery
from cranfield.tasks.retrieval.hits import Hit, first_hits


@dataclass(frozen=True)
class Outcome:
    """Everything there is to show."""

    searched: Searched
    result: Evaluation
    study: SearchStudy | None
    shown: int
    """Hits to show."""

    @cached_property
    def hits(self) -> list[tuple[NamedQuery, str, list[Hit]]]:
        """The first hits of the best run for each query."""
        if not self.shown:
            return []
        best = Standings(self.result).runs[0]
        run = next(run for run in self.searched.runs if run.name == best)
        return [
            (one, best, first_hits(self.searched.truth, run, one.id, self.shown))
            for one in self.searched.queries
        ]


def show(found: Outcome, form: str, path: Path | None, *, per_unit: bool) -> None:
    """Print it, or write it to a file."""
    if form == "json":
        deliver(_json(found, per_unit=per_unit), path)
    elif form == "csv":
        deliver(as_csv(found.result, per_unit=per_unit), path)
    elif path is not None:
        deliver(plain(_tables(found, per_unit=per_unit)), path)
    else:
        output().print(_tables(found, per_unit=per_unit))


def _tables(found: Outcome, *, per_unit: bool) -> RenderableType:
    queries, truth = found.searched.queries, found.searched.truth
    called = {one.id: one.title or str(one.query) for one in queries}
    scores = unit_tables(found.result, called) if per_unit else evaluation_table(found.result)
    parts: list[RenderableType] = [query_table(queries, truth), scores]
    if found.study is not None:
        parts.append(agreement_table(found.study))
    return Group(*parts, *(hit_table(*one) for one in found.hits))


def _json(found: Outcome, *, per_unit: bool) -> str:
    content: dict[str, Any] = {
        "queries": query_content(found.searched.queries, found.searched.truth)
    }
    content |= json.loads(as_json(found.result, per_unit=per_unit))
    if found.study is not None:
        content["agreement"] = agreement_content(found.study)
        content["left_out"] = list(found.study.left_out)
    if found.shown:
        content["hits"] = [hit_content(*one) for one in found.hits]
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
