"""Runs with chosen scores, for tests of what is shown of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from cranfield.server.campaigns.models import Edition, Phase
from cranfield.server.jobs.models import Job, Score
from cranfield.server.people.models import Group
from cranfield.server.submissions.models import Run


def add_run(
    group: str | None,
    name: str,
    scores: Mapping[str, float | None] | float | None,
    *,
    edition: Edition | None = None,
    **members: Any,
) -> Run:
    """A run that was accepted and scored; a single number is its score by every measure."""
    phase = Phase.objects.get(name=members.pop("phase", "test"))
    edition = edition or phase.track.editions.latest("number")
    number = Run.objects.count() + 1
    owner = None if group is None else Group.objects.get_or_create(name=group)[0]
    run = Run.objects.create(
        group=owner, phase=phase, name=name,
        sha256=hashlib.sha256(f"{number}".encode()).hexdigest(),
        size=1, file_name="run.csv", key=f"key-{number}", began=timezone.now(),
        **{"state": Run.State.ACCEPTED, "modality": "V", **members},
    )  # fmt: skip
    add_scores(run, edition, scores)
    return run


def add_scores(
    run: Run, edition: Edition, scores: Mapping[str, float | None] | float | None
) -> None:
    """Scores of a run under an edition, on every split."""
    job = Job.objects.create(run=run, edition=edition, state=Job.State.DONE)
    for split, digest in edition.truths.items():
        for name, revision in edition.measures:
            value = scores[name] if isinstance(scores, Mapping) else scores
            job.scores.add(
                Score.objects.create(
                    run_digest=run.digest, split=split, truth_digest=digest, measure=name,
                    conventions=f"{edition.number}", revision=revision, value=value, units=3,
                    skipped=0, by_unit="", signature=f"{name}|truth={digest[:8]}",
                    software="cranfield 9.9",
                )
            )  # fmt: skip
