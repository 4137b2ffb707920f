"""A server, a browser and people in front of it. Everything skips, with its reason, where there is no browser."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.people import Person
from tests.server.harness import ROOT, Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
Visit = Callable[..., Person]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is."""
    pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
    found = os.environ.get("GROGNARD_CHROMIUM") or next((p for b in BROWSERS if (p := shutil.which(b))), None)
    if not found:
        pytest.skip("no Chromium on this machine (apt-get install chromium, or set GROGNARD_CHROMIUM)")
    return found


@pytest.fixture(scope="session")
def client_is_built() -> None:
    """The pages that the server shows."""
    if not (ROOT / "src/grognard/server/static/index.html").is_file():
        pytest.skip("the client is not built (./play builds it, or npm run build in client/)")


@pytest.fixture(scope="session")
def server(client_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of this folder."""
    yield from serve(tmp_path_factory.mktemp("server"))


@pytest.fixture
def own_server(client_is_built: None, tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    yield from serve(tmp_path)


def serve(folder: Path) -> Iterator[Server]:
    """Start a server on a free port with a database of its own."""
    server = Server(f"sqlite:///{folder / 'tables.db'}", folder)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """The browser itself."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = start(playwright, chromium)
        yield browser
        browser.close()


def start(playwright: Any, chromium: str, patience: tuple[int, ...] = (120, 240, 480)) -> Any:
    """Start the browser; on a busy machine a start can hang, so it is given up and tried again with more patience."""
    from playwright.sync_api import Error

    for seconds in patience[:-1]:
        try:
            return playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=seconds * 1000)
        except Error as error:
            warnings.warn(f"the browser did not start in {seconds} s, trying again: {error}", stacklevel=2)
    return playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=patience[-1] * 1000)


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Visit]:
    """Let a new person come in; at the end of the test no page may have had a script error."""
    people: list[Person] = []

    def come(address: str = "", **screen: Any) -> Person:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"} | screen))
        person = Person(context.new_page(), address or server.address)
        people.append(person)
        return person

    yield come
    errors = [error for person in people for error in person.errors]
    for person in people:
        person.page.context.close()
    assert not errors
