"""Work and its outcome. A score belongs to a run's file, not to a submission."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cranfield.server.campaigns.models import Edition, Phase, Split
from cranfield.server.submissions.models import Run


class StoredAnalysis(models.Model):
    """An analysis of runs under an edition, to be computed or computed; its result lies in a file
    that is called by its key."""

    kind = models.CharField(max_length=32)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="analyses")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="analyses")
    split = models.CharField(max_length=7, choices=Split.choices)
    subject = models.CharField(max_length=200, blank=True)
    """What it is about: ids of runs, or how the board was narrowed down; "" for all of it."""
    runs = models.JSONField()
    """Id, label, and whether it competes, of each run."""
    key = models.CharField(max_length=64, unique=True)
    """Digest of everything that its numbers rest on, and of the names that it shows."""
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("phase", "kind", "subject")),)

    def __str__(self) -> str:
        return f"{self.kind} of {len(self.runs)} runs"


class Job(models.Model):
    """A run to be checked and scored by all measures of its track; or an analysis to be computed,
    which waits until no run does."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        HELD = "held"
        """Too many workers died over it; an organiser must look."""

    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="jobs")
    analysis = models.OneToOneField(
        StoredAnalysis, null=True, on_delete=models.CASCADE, related_name="job"
    )
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
        constraints = (
            models.UniqueConstraint(fields=("run", "edition"), name="job_once"),
            models.CheckConstraint(
                condition=Q(run__isnull=False, analysis__isnull=True)
                | Q(run__isnull=True, analysis__isnull=False),
                name="run_or_analysis",
            ),
        )
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
    software = models.CharField(max_length=64)
    """The version of Cranfield that computed it."""
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("run_digest", "truth_digest", "measure", "conventions", "revision"),
                name="score_once",
            ),
        )
