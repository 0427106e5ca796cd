"""Votes in one page: what was asked, agreement, quality of annotators, merging, and what it means
for the ranking of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.assessment.merging.consensus import Method
from cranfield.assessment.votes import Votes
from cranfield.core.options import Option, Seed
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis, Result

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth


def vote_report(
    votes: Votes,
    runs: Iterable[Run] = (),
    *,
    method: Annotated[Method, Option(metavar="NAME")] = "majority",
    groups: Mapping[str, Sequence[str]] | None = None,
    gold: Truth | Votes | None = None,
    controls: Mapping[str, object] | None = None,
    title: Annotated[str | None, Option()] = None,
    seed: Seed = 0,
    progress: Progress = silent,
    ontology: Any = None,
) -> Result:
    """Report on votes: agreement, quality of annotators, merging, and the effect on runs.

    A part for each, as the commands of these names show them with their defaults; `--html` makes a
    page of them.

    method    How votes are merged, as merge has it.
    groups    names of groups of annotators, and their members
    gold      answers that are known: a truth or votes on some of the items
    controls  the one right answer of control questions, or items
    title     Of the page.
    seed      Seed of what is drawn.
    ontology  that runs are scored with
    """
    from cranfield.assessment.agreement import analyse_agreement
    from cranfield.assessment.merging import consensus
    from cranfield.assessment.quality import quality
    from cranfield.assessment.vote_description import describe_votes

    analyses: dict[str, Analysis] = {
        "votes": describe_votes(votes),
        "agreement": analyse_agreement(
            votes, intervals=True, groups=groups, seed=seed, progress=progress
        ),
        "quality": quality(votes, gold=gold, controls=controls),
        "merging": consensus(votes, method, seed=seed, progress=progress),
    }
    systems = list(runs)
    if systems:
        from cranfield.studies.annotator_effect import annotator_effect

        analyses["effect"] = annotator_effect(
            votes,
            systems,
            groups=groups,
            method=method,
            ontology=ontology,
            seed=seed,
            progress=progress,
        )
    parts = {name: analysis.full_result for name, analysis in analyses.items()}
    return Result(
        "vote report",
        facts={name: part.facts for name, part in parts.items()},
        charts=[chart for part in parts.values() for chart in part.charts],
        title=title or "Report on votes",
        parts=tuple(parts.values()),
    )
