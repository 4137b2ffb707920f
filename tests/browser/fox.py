"""Firefox in front of a table, driven over WebDriver BiDi, which the browser speaks by itself: no driver to install.

Only what the tests of the second browser need: go somewhere, ask the page, move the mouse, press keys, take a picture.
The mouse and the keys are the browser's own, so what a click meets is what a person's click meets.
"""

from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from tests.server.harness import free_port

PATIENCE = 180.0  # seconds; a busy machine is slow, not wrong
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowUp": "\ue013", "ArrowRight": "\ue014"}
PREFERENCES = {  # a browser that talks to nobody but our server
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
NOISE = ("WebSocket", "NetworkError", "downloadable font")  # the browser's own words for a cut line


class Fox:
    """One page of one browser."""

    def __init__(self, line: ClientConnection, address: str) -> None:
        self.line, self.address = line, address
        self.number = 0
        self.errors: list[str] = []
        self.tell("session.new", capabilities={})
        self.page = self.tell("browsingContext.create", type="tab")["context"]  # the first tab never gets the focus
        self.tell("session.subscribe", events=["log.entryAdded"])

    def tell(self, method: str, **params: Any) -> Any:
        """One command and its answer; errors of the page that come between are kept."""
        self.number += 1
        self.line.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            heard = json.loads(self.line.recv(timeout=PATIENCE))
            if heard.get("id") == self.number:
                assert heard["type"] == "success", heard
                return heard["result"]
            if heard.get("method") == "log.entryAdded":
                entry = heard["params"]
                if entry["level"] == "error" and not any(word in (entry["text"] or "") for word in NOISE):
                    frames = (entry.get("stackTrace") or {}).get("callFrames", [])
                    where = "; ".join(f"{f['url']}:{f['lineNumber']}:{f['columnNumber']}" for f in frames[:4])
                    self.errors.append(f"{entry['text']} at {where}")

    # Looking

    def screen(self, width: int, height: int) -> None:
        """The size of the window's inside."""
        size = {"width": width, "height": height}
        self.tell("browsingContext.setViewport", context=self.page, viewport=size, devicePixelRatio=1)

    def go(self, path: str) -> None:
        """Open an address of the server."""
        self.tell("browsingContext.navigate", context=self.page, url=self.address + path, wait="complete")

    def ask(self, script: str) -> Any:
        """What an expression is worth in the page; a promise is waited for."""
        wrapped = f"Promise.resolve({script}).then(x => JSON.stringify(x ?? null))"
        found = self.tell("script.evaluate", expression=wrapped, target={"context": self.page}, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def wait(self, script: str) -> Any:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.ask(script):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}: {self.ask('document.body.innerText')[:600]}")

    def seen(self, selector: str) -> Any:
        """Wait for something on the page."""
        return self.wait(f"!!document.querySelector({json.dumps(selector)})")

    def picture(self, file: Path) -> None:
        """What a person sees now."""
        found = self.tell("browsingContext.captureScreenshot", context=self.page)
        file.write_bytes(base64.b64decode(found["data"]))

    # Acting

    def click(self, x: float, y: float) -> None:
        """The mouse goes there and clicks."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        self.tell("input.performActions", context=self.page, actions=[mouse])

    def click_on(self, selector: str, high: float = 0.5) -> None:
        """Click on the first thing of that kind, brought into sight by the page if it is in a list."""
        self.seen(selector)
        found = json.dumps(selector)
        at = self.wait(
            f"""(() => {{ const e = document.querySelector({found}); if (!e) return null;
                e.scrollIntoView({{block: 'nearest', behavior: 'instant'}});
                const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height * {high};
                return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? [x, y] : null }})()"""
        )
        self.click(*at)

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            value = KEYS.get(key, key)
            strokes = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
            board = {"type": "key", "id": "keys", "actions": strokes}
            self.tell("input.performActions", context=self.page, actions=[board])


@contextmanager
def fox_at(program: str, address: str) -> Iterator[Fox]:
    """A browser with an empty profile; ended, and its errors looked at, by whoever opened it."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="fox-", ignore_cleanup_errors=True) as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        Path(profile, "user.js").write_text("\n".join(lines))
        command = [program, "--headless", "--no-remote", "--profile", profile, f"--remote-debugging-port={port}"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with reached(port, process) as line:
                yield Fox(line, address)
        finally:
            process.terminate()
            process.wait(60)


def reached(port: int, process: subprocess.Popen[bytes]) -> ClientConnection:
    """The line to the browser, as soon as it listens."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, "the browser ended at once"
        try:
            return connect(f"ws://127.0.0.1:{port}/session", max_size=None)
        except (OSError, InvalidHandshake):
            time.sleep(0.1)
    raise AssertionError("the browser never listened")
