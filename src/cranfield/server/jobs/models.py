"""Work and its outcome. A score belongs to a run's file, not to a submission."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from cranfield.server.campaigns.models import Edition, Split
from cranfield.server.submissions.models import Run


class Job(models.Model):
    """A run to be checked and scored by all measures of its track."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        HELD = "held"
        """Too many workers died over it; an organiser must look."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="jobs")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="jobs")
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    crashes = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=64, blank=True)
    lease = models.DateTimeField(null=True)
    """Until when its worker is believed to be alive."""
    not_before = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True)
    scores: models.ManyToManyField[Score, models.Model] = models.ManyToManyField(
        "Score", related_name="jobs"
    )
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("run", "edition"), name="job_once"),)
        indexes = (models.Index(fields=("state", "not_before")),)


class Score(models.Model):
    """What a measure says of a file under a truth."""

    run_digest = models.CharField(max_length=64)
    split = models.CharField(max_length=7, choices=Split.choices)
    truth_digest = models.CharField(max_length=64)
    measure = models.CharField(max_length=200)
    """Canonical spelling."""
    conventions = models.CharField(max_length=64)
    """Digest of every choice that the number depends on, and of what was known about concepts."""
    revision = models.PositiveIntegerField()
    """Of the measure: raised when its numbers change."""
    value = models.FloatField(null=True)
    """None: undefined, which never ranks."""
    units = models.PositiveIntegerField()
    skipped = models.PositiveIntegerField()
    by_unit = models.TextField()
    """Scores of single concepts or items, packed by `scoring`; of nothing if it pools all cells."""
    notes = models.JSONField(default=list)
    signature = models.TextField()
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("run_digest", "truth_digest", "measure", "conventions", "revision"),
                name="score_once",
            ),
        )
