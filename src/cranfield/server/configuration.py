"""`campaign.toml`: what a campaign is, checked before anything starts.

Tables of the file become the dataclasses below: names, types and defaults are theirs, and so is
what the handbook says about each key. Dates are dates of the phase's time zone; `AoE`, anywhere on
earth, is twelve hours behind UTC: a deadline has passed when it has passed everywhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cached_property
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from cranfield.core.axes import Extra, Missing
from cranfield.errors import CranfieldError, FileError
from cranfield.measures import measure

FILE = "campaign.toml"
ANYWHERE_ON_EARTH = "AoE"
_ADDRESS = re.compile(r"https?://([a-zA-Z0-9.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?/?")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_Settings = TypeVar("_Settings")


def zone_of(name: str) -> tzinfo:
    """The time zone of a name; AoE is twelve hours behind UTC."""
    if name == ANYWHERE_ON_EARTH:
        return timezone(timedelta(hours=-12))
    return ZoneInfo(name)


@dataclass(frozen=True)
class RunField:
    """Something that groups say of a run, such as the models they used."""

    name: str
    title: str = ""
    kind: Literal["text", "choice", "flag", "url"] = "text"
    choices: tuple[str, ...] = ()
    required: bool = False

    def check(self) -> Iterator[str]:
        yield from _named(self.name)
        if (self.kind == "choice") != bool(self.choices):
            yield 'choices: kind = "choice" and choices go together'


@dataclass(frozen=True)
class Phase:
    """A time during which runs are taken."""

    name: str
    title: str = ""
    opens: datetime | date | None = None
    closes: datetime | date | None = None
    """A date without a time of day closes with the day."""
    zone: str = ANYWHERE_ON_EARTH

    def check(self) -> Iterator[str]:
        yield from _named(self.name)
        try:
            self._zone  # noqa: B018 - raises
        except (KeyError, ValueError, OSError):
            yield f"zone: {self.zone!r} is no time zone; write AoE, UTC or Europe/Berlin, say"
            return
        if self.opening and self.closing and self.opening >= self.closing:
            yield "closes: it closes before it opens; mend one of the dates"

    @cached_property
    def _zone(self) -> tzinfo:
        return zone_of(self.zone)

    @property
    def opening(self) -> datetime | None:
        """When it opens, in UTC."""
        return self._instant(self.opens, time.min)

    @property
    def closing(self) -> datetime | None:
        """The first instant at which it is closed, in UTC."""
        closing = self._instant(self.closes, time.min)
        whole_day = closing is not None and not isinstance(self.closes, datetime)
        return closing + timedelta(days=1) if closing is not None and whole_day else closing

    def _instant(self, moment: datetime | date | None, of_day: time) -> datetime | None:
        if moment is None:
            return None
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, of_day)
        local = moment if moment.tzinfo else moment.replace(tzinfo=self._zone)
        return local.astimezone(UTC)


@dataclass(frozen=True)
class AnnotationJob:
    """What annotators are asked about the items of a track."""

    name: str
    title: str = ""
    text: str = ""
    concepts: tuple[str, ...] = ()
    """To be asked, categories standing for what is below them; none: all."""
    items: Literal["all", "test", "train"] = "all"
    overlap: int = 3
    """Annotators of each item."""
    most: int = 0
    """Items that a person may answer; 0: as many as there are."""
    order: Literal["drawn", "as listed"] = "drawn"
    minutes: float = 30.0
    """For which an item is reserved."""
    may_skip: bool = True
    warning: str = ""
    """About what people will see, shown before they begin."""

    def check(self) -> Iterator[str]:
        yield from _named(self.name)
        if not 1 <= self.overlap <= 1000:
            yield f"overlap: {self.overlap}; give a number from 1 to 1000"
        if self.most < 0:
            yield f"most: {self.most}; give a number from 1 up, or 0 for no limit"
        if not 0 < self.minutes <= 10_080:
            yield f"minutes: {self.minutes:g}; give a number above 0, a week at most"


@dataclass(frozen=True)
class Track:
    """A task of the campaign: one collection, its measures, its board."""

    name: str
    title: str = ""
    text: str = ""
    measures: tuple[str, ...] = ()
    """The first is the primary one, by which runs are ranked."""
    modalities: Mapping[str, str] | None = None
    """What runs may rest on, by letter: V = "visual"."""
    fields: tuple[RunField, ...] = ()
    phases: tuple[Phase, ...] = ()
    annotation: tuple[AnnotationJob, ...] = ()
    quota: int = 5
    """Runs that a group may have in a phase."""
    largest_run: int = 256
    """In MB."""
    shows: Literal["nothing", "own scores", "ranks", "all scores"] = "all scores"
    """What groups see while a phase is open: whether their runs are accepted, their own scores, the
    ranks of all as well, or the scores of all."""
    digits: int = 4
    """Of scores, while a phase is open; of numbers above one, digits in all."""
    details: Literal["after all phases", "after the phase", "always"] = "after all phases"
    """When everybody sees more than ranks and rounded scores of the public part: intervals, curves,
    scores of single concepts and items give labels away. "always" is for a truth that is public."""
    private_share: float = 0.0
    """The share of test items whose scores are shown only after a phase, where splits.csv names no
    `private` items."""
    missing: Missing = "error"
    extra: Extra = "error"
    level: float | None = None
    """The least grade that counts as relevant."""

    @property
    def primary(self) -> str:
        return self.measures[0]

    def check(self) -> Iterator[str]:
        yield from _named(self.name)
        if not self.measures:
            yield 'measures: name at least one, such as "concept.AP"'
        for spelling in self.measures:
            try:
                measure(spelling)
            except CranfieldError as error:
                yield f"measures: {error}"
        if not self.phases:
            yield "phases: a track needs at least one [[tracks.phases]]"
        if not 1 <= self.quota <= 1000:
            yield f"quota: {self.quota}; give a number from 1 to 1000"
        if not 1 <= self.largest_run <= 100_000:
            yield f"largest_run: {self.largest_run}; give a number of MB from 1 to 100000"
        if not 1 <= self.digits <= 17:
            yield f"digits: {self.digits}; give a number from 1 to 17"
        if not 0 <= self.private_share < 1:
            yield f"private_share: {self.private_share}; give a share from 0 to below 1"
        yield from _all_different("phases", (phase.name for phase in self.phases))
        yield from _all_different("fields", (field.name for field in self.fields))
        yield from _all_different("annotation", (job.name for job in self.annotation))


@dataclass(frozen=True)
class Licence:
    """What people agree to before they may download; a new version asks again."""

    version: str
    text: str


@dataclass(frozen=True)
class Mail:
    """Where the server sends mail; the password comes from the environment."""

    host: str
    sender: str
    port: int = 587
    user: str = ""
    tls: bool = True

    def check(self) -> Iterator[str]:
        if "@" not in self.sender:
            yield f"sender: {self.sender!r}; write an address, such as campaign@example.org"


@dataclass(frozen=True)
class Limits:
    """How often somebody may ask; who does so more often is told when to come back."""

    registrations_per_hour: int = 30
    """From one address."""
    logins_per_minute: int = 30
    """From one address, right or wrong; ten wrong passwords lock an account for 15 minutes."""
    api_per_minute: int = 1200
    """From one address."""
    uploads_per_hour: int = 120
    """By one person or token."""

    def check(self) -> Iterator[str]:
        for name, number in vars(self).items():
            if number < 1:
                yield f"{name}: {number}; give a number from 1 up"


@dataclass(frozen=True)
class Scoring:
    """What checking and scoring a run may take; a run that takes more is refused."""

    memory: float = 4.0
    """In GB."""
    seconds: float = 300.0

    def check(self) -> Iterator[str]:
        for name, number in vars(self).items():
            if number <= 0:
                yield f"{name}: {number:g}; give a number above 0"


@dataclass(frozen=True)
class Campaign:
    """The whole file."""

    title: str
    tracks: tuple[Track, ...]
    text: str = ""
    contact: str = ""
    registration: Literal["open", "invited", "closed"] = "open"
    """Who may register: anybody, people whom organisers or groups invite, or nobody any more."""
    boards: Literal["public", "groups", "organisers"] = "public"
    """Who may read the boards."""
    licence: Licence | None = None
    mail: Mail | None = None
    address: str = ""
    """At which everybody reaches the server, such as https://photos.example.org: what stands in
    links and mails."""
    hosts: tuple[str, ...] = ()
    """Names by which the server is reached, besides this machine's own and that of the address."""
    limits: Limits = Limits()
    scoring: Scoring = Scoring()
    log_days: int = 14
    """After which logs, and the addresses in them, are deleted."""

    def check(self) -> Iterator[str]:
        if not self.tracks:
            yield "tracks: a campaign needs at least one [[tracks]]"
        if self.address and not _ADDRESS.fullmatch(self.address):
            yield f"address: {self.address!r}; write https:// and a name, as in https://example.org"
        if not 1 <= self.log_days <= 3650:
            yield f"log_days: {self.log_days}; give a number of days from 1 to 3650"
        yield from _all_different("tracks", (track.name for track in self.tracks))

    @property
    def names(self) -> list[str]:
        """Of all hosts by which it is reached from elsewhere."""
        own = urlsplit(self.address).hostname if self.address else None
        return [*self.hosts, *([own] if own else [])]

    def track(self, name: str) -> Track:
        return next(track for track in self.tracks if track.name == name)


def read_campaign(folder: Path) -> Campaign:
    """The campaign of a folder."""
    path = folder / FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileError(
            folder, f"this folder has no {FILE}; make one with `cranfield campaign init {folder}`"
        ) from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror}); check its permissions") from None
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise FileError(path, f"is not TOML: {error}; mend that line") from None
    try:
        return _settings(Campaign, content, "")
    except _WrongValueError as error:
        raise FileError(path, str(error)) from None


class _WrongValueError(Exception):
    """Something in the file that will not do; the message begins with its key."""


def _settings(kind: type[_Settings], content: Mapping[str, Any], where: str) -> _Settings:
    """A table of the file as the dataclass that describes it."""
    members: Any = fields(kind)  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    names = [member.name for member in members]
    for key in content:
        if key not in names:
            raise _WrongValueError(
                f"{where}{key}: there is no such key; there are {', '.join(names)}"
            )
    for member in members:
        if member.default is MISSING and member.name not in content:
            raise _WrongValueError(f"{where}{member.name}: it is missing; add it")
    values = {key: _value(hints[key], value, f"{where}{key}") for key, value in content.items()}
    settings = kind(**values)
    check = getattr(settings, "check", None)
    for problem in check() if check else ():
        raise _WrongValueError(f"{where}{problem}")
    return settings


def _value(hint: Any, value: Any, key: str) -> Any:
    """A value of the file, if it is of the kind that its key asks for."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        kinds = [argument for argument in arguments if argument is not type(None)]
        if len(kinds) == 1:
            return _value(kinds[0], value, key)
        if isinstance(value, tuple(kinds)):
            return value
        raise _WrongValueError(f"{key}: write a {' or a '.join(_WORDS[kind] for kind in kinds)}")
    if origin is tuple:
        if not isinstance(value, list):
            raise _WrongValueError(f"{key}: write a list, in brackets")
        return tuple(
            _value(arguments[0], member, f"{key}[{index}]") for index, member in enumerate(value, 1)
        )
    if origin is Literal:
        if value not in arguments:
            choices = ", ".join(f'"{choice}"' for choice in arguments)
            raise _WrongValueError(f"{key}: {value!r} is none of {choices}")
        return value
    if hasattr(hint, "__dataclass_fields__"):
        if not isinstance(value, dict):
            raise _WrongValueError(f"{key}: write a table, [{key}]")
        return _settings(hint, value, f"{key}.")
    if origin is not None:  # a mapping of texts
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise _WrongValueError(f'{key}: write a table of texts, such as V = "visual"')
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise _WrongValueError(f"{key}: write a {_WORDS[hint]}")
    return value


_WORDS: dict[Any, str] = {
    str: 'text, "in quotes"',
    int: "whole number",
    float: "number",
    bool: "true or false",
    date: "date, 2026-05-31",
    datetime: "time, 2026-05-31T18:00:00",
}


def _named(name: str) -> Iterator[str]:
    """Names stand in addresses and file names."""
    if not _NAME.fullmatch(name):
        yield f"name: {name!r}; use up to 63 small letters, digits and hyphens"


def _all_different(key: str, names: Iterator[str]) -> Iterator[str]:
    listed = list(names)
    twice = next((name for name in listed if listed.count(name) > 1), None)
    if twice is not None:
        yield f"{key}: two are called {twice!r}; give each a name of its own"
