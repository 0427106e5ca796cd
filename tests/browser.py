"""A real browser without a window, driven over two pipes (the DevTools protocol).

Chromium of the system's packages is enough: no driver, no socket, no further library.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None) if os.name == "posix" else None
_PATIENCE = 30.0
"""Seconds until a browser that says nothing is given up."""

_CONTRAST = """
(() => {
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const [r, g, b, a = 1] = parts(getComputedStyle(node).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const poor = new Set();
  for (const node of document.querySelectorAll("body *")) {
    const said = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!said || !node.checkVisibility() || node.closest("svg, template")) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(`${node.tagName}.${node.className} ${ratio.toFixed(2)}`);
  }
  return [...poor];
})()
"""


class Browser:
    """One page at a time, and everything that it asks for or complains about."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()

        def connect() -> None:  # Chromium reads commands from 3 and answers on 4
            spare = [os.dup(theirs_in), os.dup(theirs_out)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [CHROMIUM, *options],
            preexec_fn=connect,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._number, self._buffer = 0, b""
        self.events: list[dict[str, Any]] = []
        self._session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session = None
        try:
            self.send("Browser.close")
            self._process.wait(_PATIENCE)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)

    # ── the protocol ──────────────────────────────────────────────────────────────────────────

    def send(self, method: str, **options: Any) -> Any:
        """What a command answers; events that come before are kept."""
        self._number += 1
        said: dict[str, Any] = {"id": self._number, "method": method, "params": options}
        if self._session is not None:
            said["sessionId"] = self._session
        os.write(self._out, json.dumps(said).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                assert "error" not in heard, heard["error"]
                return heard["result"]
            self.events.append(heard)

    def _hear(self) -> dict[str, Any]:
        late = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, late - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser has gone"
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _wait_for(self, event: str) -> None:
        while not any(one.get("method") == event for one in self.events):
            self.events.append(self._hear())

    # ── what tests do ─────────────────────────────────────────────────────────────────────────

    def open(
        self, path: Path, *, width: int, height: int = 900, scheme: str = "light", query: str = ""
    ) -> None:
        """Load a file, asked for with some query, in a window of some size and colour scheme."""
        self.visit(path.as_uri() + query, width=width, height=height, scheme=scheme)

    def visit(
        self, address: str, *, width: int = 1280, height: int = 900, scheme: str = "light"
    ) -> None:
        """Load an address in a window of some size and colour scheme."""
        self.resize(width=width, height=height, scheme=scheme)
        self.events.clear()
        self.send("Page.navigate", url=address)
        self._wait_for("Page.loadEventFired")

    def resize(self, *, width: int, height: int = 900, scheme: str = "light") -> None:
        """Change the window's size and colour scheme."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def type(self, fields: Mapping[str, str]) -> None:
        """Type into fields of a form, by their names."""
        for name, text in fields.items():
            selected = self.ask(
                f"(f => {{ f.focus(); f.select?.(); return document.activeElement === f }})"
                f"(document.querySelector('main [name=\"{name}\"]'))"
            )
            assert selected, f"{name} cannot be typed into"
            self.send("Input.insertText", text=text)

    def choose_file(self, selector: str, path: Path) -> None:
        """Choose a file, as in the dialogue of a file field."""
        document = self.send("DOM.getDocument")["root"]["nodeId"]
        field = self.send("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=field, files=[str(path)])

    def press(self, words: str) -> None:
        """Press the button or follow the link that says this, and wait for the page behind it."""
        control = (
            "[...document.querySelectorAll('main button, main a'),"
            " ...document.querySelectorAll('button, a')].find(c => c.checkVisibility()"
            f" && c.innerText.trim() === {json.dumps(words)})"
        )
        assert self.ask(f"Boolean({control})"), f"there is nothing to press that says {words!r}"
        self.events.clear()
        self.ask(f"{control}.click()")
        self._wait_for("Page.loadEventFired")

    def wait_until(self, expression: str) -> None:
        """Wait for something to be true of the page."""
        late = time.monotonic() + _PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < late, f"never true: {expression}"
            time.sleep(0.05)

    def run_scripts(self, enabled: bool) -> None:
        """Whether scripts of pages run; questions of tests always do."""
        self.send("Emulation.setScriptExecutionDisabled", value=not enabled)

    @property
    def address(self) -> str:
        return str(self.ask("location.href"))

    @property
    def text(self) -> str:
        """All words of the page that can be seen."""
        return str(self.ask("document.body.innerText"))

    @property
    def cookies(self) -> list[dict[str, Any]]:
        """What sites left with the browser, sessions among them."""
        return list(self.send("Network.getCookies")["cookies"])

    @cookies.setter
    def cookies(self, cookies: list[dict[str, Any]]) -> None:
        self.send("Network.clearBrowserCookies")
        members = ("name", "value", "domain", "path", "httpOnly", "sameSite")
        if cookies:
            parts = [{key: cookie[key] for key in members if key in cookie} for cookie in cookies]
            self.send("Network.setCookies", cookies=parts)

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression on the page, of a promise when it is there."""
        found = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """What the window shows, or the whole page, as PNG."""
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    @property
    def faint_words(self) -> list[str]:
        """What hardly stands out from what is behind it: less than 4.5 to 1 (WCAG 2, level AA)."""
        found: list[str] = self.ask(_CONTRAST)
        return found

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of the page since it was opened."""
        said = []
        for one in self.events:
            match one.get("method"):
                case "Runtime.exceptionThrown":
                    said.append(json.dumps(one["params"]["exceptionDetails"]))
                case "Log.entryAdded" if one["params"]["entry"]["level"] in ("error", "warning"):
                    said.append(one["params"]["entry"]["text"])
                case "Runtime.consoleAPICalled":
                    said.append(json.dumps(one["params"]["args"]))
        return said

    @property
    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was opened."""
        return [
            one["params"]["request"]["url"]
            for one in self.events
            if one.get("method") == "Network.requestWillBeSent"
        ]
