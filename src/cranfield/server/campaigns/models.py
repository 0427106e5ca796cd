"""What groups work on. Settings stand in `campaign.toml`; rows are what other rows refer to."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F
from django.utils import timezone

from cranfield.server.people.models import Group, User

LONGEST_UPLOAD = timedelta(minutes=10)
"""So long after the deadline an upload that began before it may end. Nothing that was secret is
shown sooner, or its content could be decided after the deadline."""


class Campaign(models.Model):
    """The campaign that a server runs."""

    title = models.CharField(max_length=200)


class Track(models.Model):
    """A task with its own collection, measures and board."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="tracks")
    name = models.SlugField(max_length=63)
    title = models.CharField(max_length=200)
    order = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    """Whether `campaign.toml` still has it; what was submitted stays."""
    revision = models.PositiveBigIntegerField(default=0)
    """Raised in every transaction that changes what its boards show."""

    class Meta:
        ordering = ("order",)
        constraints = (models.UniqueConstraint(fields=("campaign", "name"), name="track_name"),)

    def __str__(self) -> str:
        return self.title

    def raise_revision(self) -> None:
        """Its boards have changed: in the transaction that changes them."""
        Track.objects.filter(id=self.id).update(revision=F("revision") + 1)

    def is_over(self, moment: datetime) -> bool:
        """Whether no phase takes another run. Phases share their test items, so labels are a secret
        until then."""
        return all(phase.is_over(moment) for phase in self.phases.all())


class Phase(models.Model):
    """A time during which a track takes runs."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="phases")
    name = models.SlugField(max_length=63)
    title = models.CharField(max_length=200)
    order = models.PositiveIntegerField(default=0)
    opens = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    zone = models.CharField(max_length=64)

    class Meta:
        ordering = ("track", "order")
        constraints = (models.UniqueConstraint(fields=("track", "name"), name="phase_name"),)

    def is_open(self, moment: datetime) -> bool:
        return (self.opens is None or self.opens <= moment) and not self.is_closed(moment)

    def is_closed(self, moment: datetime) -> bool:
        return self.closes is not None and self.closes <= moment

    def is_over(self, moment: datetime) -> bool:
        """Whether uploads that began before the deadline have ended, too."""
        return self.closes is not None and self.closes + LONGEST_UPLOAD <= moment


class Split(models.TextChoices):
    """Which test items scores rest on."""

    ALL = "all"
    PUBLIC = "public"
    PRIVATE = "private"


class Edition(models.Model):
    """What runs of a track were scored by from some day on: a truth, measures, and their rules.

    A corrected truth, another measure, or a measure whose numbers changed, makes a new edition. Old
    ones stay, with their boards. The labels lie in a folder that no route serves.
    """

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="editions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    """Of all that follows."""
    truths = models.JSONField()
    """The digest of the truth of each split."""
    measures = models.JSONField()
    """Canonical spellings, the primary one first, each with its revision."""
    rules = models.JSONField()
    """How runs are read and scored: missing, extra, level."""
    reason = models.TextField(blank=True)
    """Why it replaced the edition before: shown to everybody."""
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("track", "-number")
        constraints = (models.UniqueConstraint(fields=("track", "number"), name="edition_number"),)


class Correction(models.Model):
    """A cell of the truth that an organiser corrected: why there is an edition."""

    edition = models.OneToOneField(Edition, on_delete=models.CASCADE, related_name="correction")
    item = models.TextField()
    concept = models.TextField()
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    """A label, a grade or a target; None: nobody judged the cell."""
    shown = models.BooleanField()
    """Whether everybody may see the cell while labels are a secret."""
    applied = models.BooleanField(default=False)
    """Whether the file in the campaign's folder holds it."""


class Licence(models.Model):
    """A version of what people agree to before they download."""

    version = models.CharField(max_length=64, unique=True)
    text = models.TextField()


class Acceptance(models.Model):
    """Somebody agreed to a version of the licence."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="acceptances")
    licence = models.ForeignKey(Licence, on_delete=models.PROTECT, related_name="acceptances")
    when = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "licence"), name="accepted_once"),)


class Entry(models.Model):
    """A group takes part in a track."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="entries")
    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="entries")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "track"), name="entered_once"),)
