"""Annotation jobs, their tasks, and the sheets that annotators fill in.

A sheet belongs to a task and an annotator, and is reserved before it is answered: it is never lost
and never there twice. Annotators are pseudonyms.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from cranfield.server.campaigns.models import Track
from cranfield.server.people.models import Pseudonym


class AnnotationJob(models.Model):
    """What annotators are asked about the items of a track; settings stand in `campaign.toml`."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="annotation_jobs")
    name = models.SlugField(max_length=63)
    title = models.CharField(max_length=200)
    form = models.JSONField()
    """As `Form.content` has it. It never changes once somebody has answered."""
    active = models.BooleanField(default=True)
    """Whether `campaign.toml` still has it; what was answered stays."""
    paused = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("track", "id")
        constraints = (
            models.UniqueConstraint(fields=("track", "name"), name="annotation_job_name"),
        )

    def __str__(self) -> str:
        return self.title


class Task(models.Model):
    """An item of a job, at its place in the order that was drawn."""

    job = models.ForeignKey(AnnotationJob, on_delete=models.CASCADE, related_name="tasks")
    number = models.PositiveIntegerField()
    item = models.CharField(max_length=500)

    class Meta:
        ordering = ("job", "number")
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("job", "number"), name="task_number"),
            models.UniqueConstraint(fields=("job", "item"), name="item_once_in_a_job"),
        )

    def __str__(self) -> str:
        return self.item


class Sheet(models.Model):
    """What an annotator says of an item, from the moment that it is reserved for them."""

    class State(models.TextChoices):
        RESERVED = "reserved"
        ANSWERED = "answered"
        SKIPPED = "skipped"
        RETURNED = "returned"
        """Handed back: somebody else may have it, and its annotator again."""
        EXCLUDED = "excluded"
        """By an organiser, who said why; the votes are kept."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="sheets")
    annotator = models.ForeignKey(Pseudonym, on_delete=models.PROTECT, related_name="sheets")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RESERVED)
    reserved_until = models.DateTimeField()
    shown = models.DateTimeField(default=timezone.now)
    """When its annotator first saw it."""
    submitted = models.DateTimeField(null=True)
    seconds = models.FloatField(null=True)
    answers = models.JSONField(default=dict)
    not_sure = models.JSONField(default=list)
    comment = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    """Why it was skipped or excluded."""
    key = models.CharField(max_length=64, blank=True)
    """Idempotency key of the last answer: sent again, it changes nothing."""
    revision = models.PositiveIntegerField(default=0)
    """Raised by every answer, so that two tabs cannot overwrite each other unseen."""

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("task", "annotator"), name="one_sheet_of_a_task"),
        )
        indexes: ClassVar = (
            models.Index(fields=("annotator", "state"), name="sheets_of_somebody"),
        )
