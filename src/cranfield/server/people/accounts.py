"""`cranfield campaign user`: accounts, from the command line of the machine that serves them.

Links stand for passwords: whoever holds one chooses a password, once and within a day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.core.options import Argument, Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError
from cranfield.server.serve import Database, prepare, require_schema

if TYPE_CHECKING:
    from cranfield.server.people.models import User

Folder = Annotated[Path, Argument(metavar="FOLDER")]
Email = Annotated[str, Argument(metavar="EMAIL")]


@dataclass(frozen=True, repr=False)
class People(Analysis):
    """Accounts of a campaign."""

    title = "Accounts"

    people: Sequence[dict[str, Any]]
    note: str = ""

    def _facts(self) -> dict[str, Any]:
        return {"people": list(self.people), "note": self.note}

    def _tables(self) -> list[Table]:
        columns = (
            Column("email", key=True),
            Column("name"),
            Column("role"),
            Column("groups"),
            Column("active"),
        )
        return [Table("people", list(self.people), columns)]

    def _remarks(self) -> list[str]:
        return [self.note] if self.note else []


@dataclass(frozen=True, repr=False)
class OneTimeLink(Analysis):
    """A link for somebody who is to choose a password."""

    title = "One-time link"

    purpose: str
    link: str

    def _facts(self) -> dict[str, Any]:
        return {"purpose": self.purpose, "link": self.link}

    def _tables(self) -> list[Table]:
        return [Table("link", [self._facts()], (Column("purpose", key=True), Column("link")))]

    def _text(self) -> str:
        """A link is copied in one piece, however narrow the terminal is."""
        return f"To {self.purpose}:\n{self.link}\n{self._remarks()[0]}\n"

    def _remarks(self) -> list[str]:
        return ["It works once, within 24 hours; looking at the page does not use it up."]


def list_people(folder: Folder, *, database: Database = None) -> People:
    """List the accounts of a campaign with their roles and groups.

    folder  Of the campaign.
    """
    require_schema(prepare(folder, database))
    from cranfield.server.people.models import User

    return People([_row(user) for user in User.objects.order_by("email")])


def add_organiser(
    folder: Folder,
    *,
    address: Annotated[str | None, Option(metavar="URL", default="that of campaign.toml")] = None,
    database: Database = None,
) -> OneTimeLink:
    """Make a link whose holder becomes an organiser, also where there is one already.

    folder   Of the campaign.
    address  At which the server is reached, for the link.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    from cranfield.server.people.links import organiser_link

    return OneTimeLink("become an organiser", organiser_link(campaign.address(address)))


def reset_password(
    folder: Folder,
    email: Email,
    *,
    address: Annotated[str | None, Option(metavar="URL", default="that of campaign.toml")] = None,
    database: Database = None,
) -> OneTimeLink:
    """Make a link for somebody who forgot their password. It ends no session and changes nothing
    until it is used.

    folder   Of the campaign.
    email    Of the account.
    address  At which the server is reached, for the link.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    from cranfield.server.people.audit import record
    from cranfield.server.people.links import password_link

    user = _user(email)
    record(None, "reset password", user)
    return OneTimeLink(
        f"choose a new password for {user.email}", password_link(campaign.address(address), user)
    )


def deactivate(
    folder: Folder,
    email: Email,
    *,
    undo: Annotated[bool, Option()] = False,
    database: Database = None,
) -> People:
    """Lock somebody out: sessions and tokens end at once. Runs, groups and the log stay.

    folder  Of the campaign.
    email   Of the account.
    undo    Let them in again; their tokens stay ended.
    """
    require_schema(prepare(folder, database))
    from django.db import transaction

    from cranfield.server.people.audit import record

    user = _user(email)
    with transaction.atomic():
        user.is_active = undo
        user.save()
        if not undo:
            user.tokens.all().delete()
        record(None, "activate" if undo else "deactivate", user)
    return People([_row(user)], "May log in again." if undo else "Cannot log in any more.")


def _user(email: str) -> User:
    from cranfield.server.people.models import User

    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise InputError(
            f"nobody has the address {email}; `cranfield campaign user list` shows all"
        )
    return user


def _row(user: User) -> dict[str, Any]:
    roles = {"organiser": user.is_organiser, "annotator": user.is_annotator}
    return {
        "email": user.email,
        "name": user.name,
        "role": ", ".join(role for role, holds in roles.items() if holds),
        "groups": ", ".join(user.groups.order_by("name").values_list("name", flat=True)),
        "active": user.is_active,
    }
