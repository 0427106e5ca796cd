"""When phases open and close, in words: how long until then, and when that is where they say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from cranfield.errors import several
from cranfield.server.campaigns.models import Phase
from cranfield.server.configuration import ANYWHERE_ON_EARTH, zone_of

State = Literal["coming", "open", "closed"]


@dataclass(frozen=True)
class PhaseTime:
    """Where a phase stands at some moment."""

    state: State
    words: str
    """Such as "closes in 12 days"."""
    moment: datetime | None = None
    """When that is; None for a phase without end."""
    local: str = ""
    """The moment in the phase's own time zone."""


def phase_time(phase: Phase, now: datetime) -> PhaseTime:
    if phase.opens is not None and now < phase.opens:
        return _at("coming", f"opens in {duration(phase.opens - now)}", phase.opens, phase)
    if phase.closes is None:
        return PhaseTime("open", "open without a deadline")
    if now < phase.closes:
        return _at("open", f"closes in {duration(phase.closes - now)}", phase.closes, phase)
    return _at("closed", f"closed {duration(now - phase.closes)} ago", phase.closes, phase)


def _at(state: State, words: str, moment: datetime, phase: Phase) -> PhaseTime:
    return PhaseTime(state, words, moment, local_time(moment, phase.zone, end=state != "coming"))


def duration(length: timedelta) -> str:
    """A length of time in its one or two largest units."""
    minutes = max(1, int(length.total_seconds() // 60))
    days, hours = minutes // 1440, minutes // 60
    if days >= 3:
        return several(days, "day")
    if days:
        return _with_rest(several(days, "day"), hours % 24, "hour")
    if hours:
        return _with_rest(several(hours, "hour"), minutes % 60, "minute")
    return several(minutes, "minute")


def _with_rest(words: str, rest: int, unit: str) -> str:
    return f"{words} {several(rest, unit)}" if rest else words


def local_time(moment: datetime, zone: str, *, end: bool) -> str:
    """A moment in a time zone. A deadline at midnight is the end of the day before."""
    local = moment.astimezone(zone_of(zone))
    where = "anywhere on earth" if zone == ANYWHERE_ON_EARTH else zone
    if end and (local.hour, local.minute) == (0, 0):
        day = local - timedelta(days=1)
        return f"end of {_date(day)}, {where}"
    return f"{_date(local)}, {local:%H:%M} {where}"


def _date(day: datetime) -> str:
    return f"{day.day} {day:%B %Y}"
