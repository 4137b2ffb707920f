"""The second browser: every title is drawn in Firefox; whole turns of a measured table by mouse and by keys."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.fox import Fox, fox_at
from tests.browser.test_by_ear import SHORT
from tests.server.harness import Server

MOST = 160  # decisions of a turn
SIDE = "allies"
THINGS = ".pieces .piece, .tabletop .unit"
TITLES = SHORT | {"blitzkrieg": ("lesson", {SIDE: "me", "axis": "ai:greedy"})}


@pytest.fixture(scope="module")
def firefox(client_is_built: None, server: Server) -> Iterator[Fox]:
    """One Firefox for all tests of this file."""
    found = os.environ.get("GROGNARD_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not found:
        pytest.skip("no Firefox on this machine (Debian: apt install firefox-esr)")
    with fox_at(found, server.address) as fox:
        yield fox


@pytest.fixture
def fox(firefox: Fox) -> Iterator[Fox]:
    """The browser at its usual size; no page may have had a script error."""
    firefox.screen(1280, 860)
    firefox.errors.clear()
    yield firefox
    assert not firefox.errors


def sit(fox: Fox, game: str, scenario: str, seats: dict[str, str]) -> None:
    """Set a table up and sit down at it."""
    fox.go("/")
    fox.seen(".card .card-picture > *")  # whoever leaves a page before it is laid cuts its lines
    body = json.dumps(json.dumps({"game": game, "scenario": scenario, "seats": seats}))
    told = "headers: {'X-Grognard': '1', 'Content-Type': 'application/json'}"
    made = fox.ask(f"fetch('/api/tables', {{method: 'POST', {told}, body: {body}}}).then(r => r.json())")
    fox.go(f"/g/{made['id']}")
    fox.seen("#board")
    fox.seen(THINGS)


def table(fox: Fox) -> dict[str, Any]:
    """The table as the server tells it to this person."""
    found: dict[str, Any] = fox.ask("fetch('/api/tables/' + location.pathname.split('/')[2]).then(r => r.json())")
    return found


def mine(fox: Fox) -> dict[str, Any]:
    """The table once it is this person's decision, and the page shows it; or over."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        now = table(fox)
        if now["over"] or set(now["waiting"]) & set(now["mine"]):
            fox.wait("document.querySelector('.phase.mine, .game-over') && !document.querySelector('.choice:disabled')")
            return now
        time.sleep(0.05)
    raise AssertionError("the others never stop")


def taken(fox: Fox, before: int, seconds: float) -> bool:
    """Whether the table took what was done."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if table(fox)["version"] != before:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("game", TITLES)
def test_every_title_is_drawn_and_takes_a_click(fox: Fox, game: str) -> None:
    sit(fox, game, *TITLES[game])
    before = mine(fox)
    pictures = "[...document.querySelectorAll('.frame img, .frame image')]"
    fox.wait(f"{pictures}.every(e => !e.complete || e.naturalWidth === undefined || e.naturalWidth > 0)")
    assert fox.ask(f"document.querySelectorAll({json.dumps(THINGS)}).length") > 4
    assert fox.ask("document.documentElement.scrollWidth") <= 1280, "nothing sticks out"
    fox.click_on(".buttons .choice:enabled")
    assert taken(fox, before["version"], 60)


# where the mouse finds a place for the model in hand, else a model that can be taken up; nothing may lie over it
POINT = r"""(() => {
    const board = document.querySelector('#board');
    const open = (x, y) => [document.elementFromPoint(x, y)].find(top => top && board.contains(top));
    const pips = document.querySelector('.pips path');
    for (const [, x, y] of pips?.getAttribute('d').matchAll(/M([-\d.]+)[ ,]([-\d.]+)/g) ?? []) {
        const at = new DOMPoint(x, y).matrixTransform(pips.getScreenCTM());
        if (open(at.x, at.y) && !open(at.x, at.y).closest('.unit')) return [at.x, at.y];
    }
    for (const ring of document.querySelectorAll('.unit.can .unit-ring')) {
        const box = ring.getBoundingClientRect(), at = [box.x + box.width / 2, box.y + box.height / 2];
        if (open(...at)) return at;
    }
    return null })()"""


def point_on_the_table(fox: Fox) -> bool:
    """With the mouse, on the table itself; twice, to look and to act."""
    found = fox.ask(POINT)
    if found is None:
        return False
    before = table(fox)["version"]
    fox.click(*found)
    time.sleep(0.1)
    fox.click(*found)
    return taken(fox, before, 3)


def end_of_step(fox: Fox, tried: int) -> str | None:
    """A button that may end a step, by its action, each in its turn; else the first button."""
    found = fox.ask("[...document.querySelectorAll('.buttons .choice')].map(e => e.dataset.action)")
    ends = [action for action in found if " " not in action] or found[:1]
    return ends[tried % len(ends)] if ends else None


def by_mouse(fox: Fox, tried: int) -> str:
    """One decision with the mouse: on the table while trying, else by a button, else from the list of every choice."""
    if tried < 12 and point_on_the_table(fox):
        return "table"
    before = table(fox)["version"]
    end = end_of_step(fox, tried)
    if end is not None:
        fox.click_on(f".buttons .choice[data-action='{end}']")
    else:
        if not fox.ask("document.querySelector('.all-actions').open"):
            fox.click_on(".all-actions summary")
        fox.click_on(".all-actions li button")
    return "button" if taken(fox, before, 20) else "late"


def by_keys(fox: Fox, tried: int) -> str:
    """One decision with the keys: on the table while trying, else from the list of every choice."""
    before = table(fox)["version"]
    if tried < 12 and fox.ask("!!document.querySelector('.pips, .unit.can')"):
        fox.press("Escape")
        for _ in range(90):
            if fox.ask("document.activeElement.id === 'board'"):
                break
            fox.press("Tab")
        fox.press("n", "Enter", "Enter")
        if taken(fox, before, 3):
            return "table"
        before = table(fox)["version"]
    end = end_of_step(fox, tried)
    fox.press("1")  # the panel of choices
    for _ in range(60):
        if end is None or fox.ask("document.activeElement.dataset.action") == end:
            break
        fox.press("Tab")
    else:
        end = None
    if end is None:
        fox.press("l")  # the list of every choice
    fox.press("Enter")
    return ("button" if end else "list") if taken(fox, before, 20) else "late"


@pytest.mark.parametrize(
    ("scenario", "way", "width"), [("lesson", by_mouse, 1280), ("lesson2", by_mouse, 390), ("lesson2", by_keys, 1280)]
)
def test_a_turn_on_the_measured_table(fox: Fox, scenario: str, way: Any, width: int) -> None:
    fox.screen(width, 860)
    sit(fox, "blitzkrieg", scenario, {SIDE: "me", "axis": "ai:random"})
    mine(fox)
    ways: list[str] = []
    for _ in range(MOST):
        ways.append(way(fox, len(ways)))
        now = mine(fox)
        if now["over"] or now["turn"] > 1:  # the set-up is before the first turn
            break
    else:
        pytest.fail(f"no turn in {MOST} decisions: {ways}")
    assert "table" in ways, ways
    assert ways.count("late") < 5, "on a busy machine a table may move on under the pointer, but not often"
    assert fox.ask("document.documentElement.scrollWidth") <= width, "nothing sticks out"
