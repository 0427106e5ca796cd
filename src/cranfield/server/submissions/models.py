"""Runs that groups submitted. Their files lie under their SHA-256."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cranfield.server.campaigns.models import Phase
from cranfield.server.people.models import Group, Pseudonym


class Run(models.Model):
    """A file that somebody submitted, and what they said of it."""

    class State(models.TextChoices):
        CHECKING = "checking"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        """It could not be read; it takes no slot."""
        RETRACTED = "retracted"
        """By its group."""
        DISQUALIFIED = "disqualified"
        """By an organiser, who said why; it is shown as such."""
        DELETED = "deleted"
        """By an organiser, who said why; it can be restored."""

    group = models.ForeignKey(Group, null=True, on_delete=models.PROTECT, related_name="runs")
    """None: a baseline of the organisers, out of competition."""
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="runs")
    slot = models.PositiveIntegerField(null=True)
    """Which of the group's runs in the phase it is; None where it takes no place of the quota. One
    that was scored keeps its slot when it is retracted."""
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    modality = models.CharField(max_length=16, blank=True)
    primary = models.BooleanField(default=False)
    fields = models.JSONField(default=dict)
    """What `campaign.toml` asks of each run."""
    threshold = models.TextField(blank=True)
    """By which it decides: a number, or a line for each concept or each cell."""

    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    file_name = models.CharField(max_length=200)
    key = models.CharField(max_length=64)
    """Idempotency key: the same upload sent again is the same run."""
    submitted_by = models.ForeignKey(Pseudonym, null=True, on_delete=models.PROTECT)
    began = models.DateTimeField()
    """When the upload began: what deadlines look at."""
    received = models.DateTimeField(default=timezone.now, editable=False)

    state = models.CharField(max_length=12, choices=State.choices, default=State.CHECKING)
    errors = models.JSONField(default=list)
    """Why it was refused: line and what is wrong."""
    reason = models.TextField(blank=True)
    """Why an organiser disqualified or deleted it."""

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = (
            models.UniqueConstraint(
                fields=("group", "phase", "slot"),
                condition=Q(slot__isnull=False),
                name="one_run_in_a_slot",
            ),
            models.UniqueConstraint(fields=("group", "key"), name="same_key_same_run"),
        )

    @property
    def digest(self) -> str:
        """What is scored: the file and the threshold."""
        return hashlib.sha256(f"{self.sha256}\n{self.threshold}".encode()).hexdigest()

    def __str__(self) -> str:
        return self.name
