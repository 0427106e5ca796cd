"""`cranfield submit`: send a run to a campaign's server, and wait for its scores."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import FileError, InputError
from cranfield.server.client import Client

TOKEN = "CRANFIELD_TOKEN"


@dataclass(frozen=True, repr=False)
class Submission(Analysis):
    """A run as the server knows it."""

    title = "Submitted run"

    run: Mapping[str, Any]

    @property
    def exit_code(self) -> int:
        return 1 if self.run["state"] == "refused" else 0

    def _facts(self) -> dict[str, Any]:
        return dict(self.run)

    def _tables(self) -> list[Table]:
        if self.run["state"] == "refused":
            what, mend = Column("what", "what is wrong"), Column("mend", "how to mend it")
            return [Table("errors", self.run["errors"], (Column("line"), what, mend))]
        scores = [{"measure": name, "score": score} for name, score in self.run["scores"].items()]
        columns = (Column("measure", key=True), Column("score", digits=4))
        return [Table("scores", scores, columns)]

    def _remarks(self) -> list[str]:
        return [f"{self.run['name']} is {self.run['state']}: {self.run['address']}"]


def submit(
    file: Annotated[Path, Argument(metavar="RUN")],
    *,
    to: Annotated[str, Option(metavar="ADDRESS")],
    track: Annotated[str | None, Option(default="the only one")] = None,
    name: Annotated[str | None, Option(default="the file's name")] = None,
    phase: Annotated[str | None, Option(default="the one that is open")] = None,
    description: Annotated[str, Option()] = "",
    modality: Annotated[str, Option()] = "",
    primary: Annotated[bool, Option()] = False,
    threshold: Annotated[str | None, Option(metavar="NUMBER|FILE", default="none")] = None,
    field: Annotated[list[str] | None, Option(metavar="NAME=VALUE")] = None,
    token: Annotated[str | None, Option(metavar="FILE", default=f"${TOKEN}")] = None,
    progress: Progress = silent,
) -> Submission:
    """Send a run to a campaign, have it checked and scored there, and show its scores.

    Sending the same file again, after a broken connection for instance, makes no second run.

    file         The run.
    to           Address of the campaign.
    track        Its track.
    name         What to call the run.
    phase        Of the track.
    description  How the run was made, in a few sentences.
    modality     What it rests on, by the letter that the track gives it.
    primary      Whether it is the group's primary run.
    threshold    Scores at or above it are decisions: a number, or a file of concept,number or of
                 item,concept,number.
    field        What else the campaign asks of a run; repeat it.
    token        A file that holds the token of your group; it is not typed, so that no list of
                 processes shows it.
    """
    if not file.is_file():
        raise FileError(file, "there is no such file; check the name and the folder")
    client = Client(to, _token(token))
    if track is None:
        track = _only_track(client)
    run = client.submit(
        track,
        file,
        name=name or file.name.partition(".")[0],
        phase=phase,
        description=description,
        modality=modality,
        primary=primary,
        threshold=_threshold(threshold),
        fields=_fields(field or ()),
    )
    with progress("the server checks and scores it", 0):
        return Submission(client.wait(run["id"]))


def _threshold(text: str | None) -> str:
    """As the server takes it: a number, or the lines of a file."""
    if text is None:
        return ""
    return Path(text).read_text(encoding="utf-8") if Path(text).is_file() else text


def _token(path: str | None) -> str:
    if path is not None:
        return Path(path).read_text().strip()
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise InputError(
            f"who submits? Set {TOKEN} to the token of your group",
            mend="or name its file: {token=}",
        )
    return token


def _only_track(client: Client) -> str:
    names = [track["name"] for track in client.campaign()["tracks"]]
    if len(names) != 1:
        raise InputError(f"the campaign has the tracks {', '.join(names)}", mend="choose: {track=}")
    return str(names[0])


def _fields(texts: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"{text!r}; write NAME=VALUE", parameter="field")
        fields[name] = {"true": True, "false": False}.get(value, value)
    return fields
