"""A small client of a campaign's server, with nothing but the standard library.

campaign = Client("https://example.org", token)
run = campaign.submit("photos", Path("run.csv"), name="first")
run = campaign.wait(run["id"])
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from cranfield.errors import InputError

_PATIENCE = 60.0


@dataclass(frozen=True)
class Client:
    """Somebody with a token at an address."""

    address: str
    token: str = ""

    def campaign(self) -> dict[str, Any]:
        """Its title and tracks."""
        return dict(self._ask("GET", "campaign"))

    def board(self, track: str, **choices: str) -> dict[str, Any]:
        return dict(self._ask("GET", f"tracks/{track}/board?{urlencode(choices)}"))

    def run(self, id: int) -> dict[str, Any]:
        return dict(self._ask("GET", f"runs/{id}"))

    def runs(self, track: str) -> list[dict[str, Any]]:
        """Those of one's own group."""
        return list(self._ask("GET", f"tracks/{track}/runs"))

    def changes(self, track: str) -> dict[str, Any]:
        """Editions of a track, and why they began."""
        return dict(self._ask("GET", f"tracks/{track}/changes"))

    def downloads(self, track: str) -> list[dict[str, Any]]:
        """Names and sizes of files for groups."""
        return list(self._ask("GET", f"tracks/{track}/downloads"))

    def download(self, track: str, name: str, target: Path) -> None:
        address = f"tracks/{track}/downloads/{quote(name)}"
        with self._open("GET", address) as answer, open(target, "wb") as file:
            shutil.copyfileobj(answer, file)

    def correct(self, track: str, **wrong: Any) -> dict[str, Any]:
        """For organisers: item, concept, value, reason; shown, despite_rules."""
        return dict(self._ask("POST", f"tracks/{track}/corrections", *_json(wrong)))

    def rule(self, id: int, ruling: str, reason: str) -> dict[str, Any]:
        """For organisers: disqualify, delete or restore a run."""
        decided = _json({"ruling": ruling, "reason": reason})
        return dict(self._ask("POST", f"runs/{id}/rulings", *decided))

    def retract(self, id: int) -> dict[str, Any]:
        return dict(self._ask("POST", f"runs/{id}/retract"))

    def submit(self, track: str, path: Path, **described: Any) -> dict[str, Any]:
        """Send a run. The same file under the same description is the same run, however often it
        is sent: a broken connection costs nothing.

        described  name, phase, description, modality, primary, threshold, fields (a mapping)
        """
        fields = json.dumps(described.pop("fields", {}), sort_keys=True)
        words = {"name": path.stem, **described, "file_name": path.name, "fields": fields}
        query = urlencode({name: value for name, value in words.items() if value is not None})
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256")
            digest.update(query.encode())
            file.seek(0)
            headers = {
                "Idempotency-Key": digest.hexdigest(),
                "Content-Length": str(path.stat().st_size),
                "Content-Type": "application/octet-stream",
            }
            return dict(self._ask("POST", f"tracks/{track}/runs?{query}", file, headers))

    def wait(
        self, id: int, *, seconds: float = 600.0, pause: Callable[[float], None] = time.sleep
    ) -> dict[str, Any]:
        """A run once it is checked and scored."""
        ends, wait = time.monotonic() + seconds, 0.2
        while True:
            run = self.run(id)
            if run["state"] != "checking":
                return run
            if time.monotonic() > ends:
                raise InputError(f"run {id} is not scored yet; look at {run['address']} later")
            pause(wait)
            wait = min(2.0, 1.3 * wait)

    def _ask(self, *request: Any) -> Any:
        with self._open(*request) as answer:
            return json.load(answer)

    @contextmanager
    def _open(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Iterator[IO[bytes]]:
        if urlsplit(self.address).scheme not in ("http", "https"):
            raise InputError(f"{self.address!r} is no address; give one such as https://…")
        request = Request(
            f"{self.address.rstrip('/')}/api/{path}",
            data=body if body is not None else (b"" if method == "POST" else None),
            headers=headers or {},
            method=method,
        )
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                yield answer
        except HTTPError as error:
            raise InputError(_message(error)) from None
        except (URLError, OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise InputError(f"{self.address} does not answer ({reason}); is it right?") from None


def _json(content: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    """A body and its headers."""
    return json.dumps(content).encode(), {"Content-Type": "application/json"}


def _message(error: HTTPError) -> str:
    """What the server said of a request that it refused."""
    text = error.read().decode("utf-8", "replace").strip()
    try:
        content = json.loads(text)
        said = content.get("message") or content.get("detail")
    except (ValueError, AttributeError):
        said = text
    if error.code == 401:
        return "the token is not valid; make a new one on your group's page"
    return f"the server refused ({error.code}): {said or error.reason}"
