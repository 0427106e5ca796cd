"""Who takes part. What people did is kept under pseudonyms, so that a person can be deleted."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    """Makes accounts; addresses are compared without case."""

    def create_user(self, email: str, password: str | None = None, **members: Any) -> User:
        user = self.model(email=self.normalize_email(email).strip(), **members)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        Pseudonym.objects.using(self._db).create(user=user)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractBaseUser):
    """An account: a person who can log in. Deleting it leaves nothing but the pseudonym."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200)
    affiliation = models.CharField(max_length=200, blank=True)
    is_organiser = models.BooleanField(default=False)
    is_annotator = models.BooleanField(default=False)
    annotates_despite_group = models.BooleanField(default=False)
    """Whether an organiser lets them annotate a track that a group of theirs takes part in."""
    is_active = models.BooleanField(default=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = (models.UniqueConstraint(Lower("email"), name="email_in_any_case"),)

    def __str__(self) -> str:
        return self.name


def _pseudonym() -> str:
    return f"p-{secrets.token_hex(6)}"


class Pseudonym(models.Model):
    """The name under which votes and the log speak of a person."""

    code = models.CharField(max_length=16, unique=True, default=_pseudonym, editable=False)
    user = models.OneToOneField(User, null=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return self.code


class Group(models.Model):
    """A team that submits runs."""

    name = models.CharField(max_length=100, unique=True)
    affiliation = models.CharField(max_length=200, blank=True)
    country = models.CharField(max_length=100, blank=True)
    members: models.ManyToManyField[User, Membership] = models.ManyToManyField(
        User, through="Membership", related_name="groups"
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(Lower("name"), name="group_name_in_any_case"),)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person in a group. Tokens hang on it and end with it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="memberships")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "group"), name="member_once"),)


class Departure(models.Model):
    """Somebody left a group. What it submitted goes on counting for their quota, lest leaving be a
    way to more runs."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="departures")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="departures")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "group"), name="left_once"),)


class Secret(models.Model):
    """Something secret that somebody holds; only its SHA-256 is stored."""

    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def is_valid(self, now: datetime) -> bool:
        return self.expires is None or now < self.expires


class Invitation(Secret):
    """A link that lets its holder join a group, or register where registration is by invitation."""

    group = models.ForeignKey(Group, null=True, on_delete=models.CASCADE)
    used = models.DateTimeField(null=True)


class LoginLink(Secret):
    """A link that lets its holder choose a password once: the first organiser's, or a reset."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE)
    """None: whoever opens it becomes an organiser."""
    used = models.DateTimeField(null=True)


class Token(Secret):
    """A key for programs: what its holder may do in one group, or as an organiser."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    membership = models.ForeignKey(Membership, null=True, on_delete=models.CASCADE)
    name = models.CharField(max_length=100)
    last_used = models.DateTimeField(null=True)


class Audit(models.Model):
    """Who changed what, and when: rows are only ever added."""

    when = models.DateTimeField(default=timezone.now, editable=False)
    who = models.ForeignKey(Pseudonym, null=True, on_delete=models.PROTECT)
    """None: the server itself, or somebody at its command line."""
    action = models.CharField(max_length=64)
    subject = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("id",)

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None:
            raise TypeError("the log is only added to")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("the log is only added to")
