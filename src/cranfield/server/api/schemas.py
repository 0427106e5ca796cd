"""What the API hands out and takes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema


class PhaseOut(Schema):
    name: str
    title: str
    opens: datetime | None
    closes: datetime | None
    zone: str


class FieldOut(Schema):
    """Something that a run is asked for."""

    name: str
    title: str
    kind: str
    choices: list[str]
    required: bool


class DownloadOut(Schema):
    name: str
    size: int


class TrackOut(Schema):
    name: str
    title: str
    measures: list[str]
    modalities: dict[str, str]
    fields: list[FieldOut]
    quota: int
    phases: list[PhaseOut]


class CampaignOut(Schema):
    title: str
    tracks: list[TrackOut]


class Problem(Schema):
    line: int | None
    what: str
    mend: str = ""


class RunOut(Schema):
    id: int
    name: str
    track: str
    phase: str
    state: str
    slot: int | None
    sha256: str
    group: str | None
    """None: a baseline of the organisers."""
    description: str
    modality: str
    primary: bool
    fields: dict[str, Any]
    reason: str
    """Why an organiser disqualified or deleted it."""
    errors: list[Problem]
    scores: dict[str, float | None]
    """As the board shows them to whoever asks."""
    address: str


class RunIn(Schema):
    """What is said of a run: parameters of the address, since the body is the file."""

    name: str
    file_name: str = "run.txt"
    phase: str = ""
    description: str = ""
    modality: str = ""
    primary: bool = False
    threshold: str = ""
    fields: str = "{}"
    """JSON."""


class Message(Schema):
    message: str


BoardOut = dict[str, Any]
