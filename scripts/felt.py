"""How quick the table feels: from a click to the picture, in a real browser: `scripts/felt.py [--clicks 40]`.

A server and Chromium (`GROGNARD_CHROMIUM`) are started; a person sits against nobody (both sides are theirs, so that no
computer thinks) and clicks on choices drawn by lot. Counted is the time from the click until the frame after the answer
has been painted, and of a click that only looks until the frame after it. Times are of this machine and its load.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.people import Person
from tests.server.harness import Server

TABLES = (("bitw", "SBW3"), ("normandie", "campaign"), ("blitzkrieg", "stonne40"))
HEAR = """() => { const Old = WebSocket; window.waiting = [];
  window.WebSocket = class extends Old { constructor(...a) { super(...a);
    this.addEventListener('message', () => window.waiting.splice(0).forEach((go) => go())) } } }"""
PAINTED = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(performance.now()))))"
ACT = f"""async (e) => {{ const heard = new Promise((go) => window.waiting.push(() => go(performance.now())));
  const start = performance.now(); e.click();
  const answer = await Promise.race([heard, new Promise((go) => setTimeout(() => go(0), 4000))]);
  const end = await {PAINTED}; return answer ? [end - start, answer - start] : null }}"""
LOOK = f"""async (e) => {{ const start = performance.now(), {{x, y}} = e.getBoundingClientRect();
  e.dispatchEvent(new MouseEvent('click', {{bubbles: true, clientX: x + 9, clientY: y + 9}}));
  return (await {PAINTED}) - start }}"""


def told(times: list[float]) -> str:
    """The middle, the worst tenth, the worst."""
    times = sorted(times)
    return f"{times[len(times) // 2]:.0f} / {times[int(len(times) * 0.9)]:.0f} / {times[-1]:.0f} ms" if times else "-"


def clicks(person: Person, game: str, scenario: str, many: int) -> str:
    """One table, so many choices by lot."""
    lot, page = random.Random(7), person.page
    sides = page.request.get(f"{person.address}/api/games/{game}/seats?scenario={scenario}").json()["sides"]
    table, _ = person.open_table(game=game, scenario=scenario, seats=dict.fromkeys(sides, "me"))
    person.sit(table)
    acts: list[float] = []
    waits: list[float] = []
    looks: list[float] = []
    while len(acts) < many:
        if page.locator(".curtain .choice").count():
            page.locator(".curtain input").check()
            page.locator(".curtain .choice").click()
            person.wait(".frame")
        listed = page.locator(".all-actions [data-listed]")
        pieces = page.locator(".piece.can, .unit.can")
        if pieces.count():
            looks.append(pieces.nth(lot.randrange(pieces.count())).evaluate(LOOK))
        page.wait_for_timeout(350)
        if not listed.count():
            continue
        found: Any = listed.nth(lot.randrange(min(listed.count(), 30))).evaluate(ACT)
        if found:
            acts.append(found[0])
            waits.append(found[1])
        page.wait_for_timeout(350)
    return f"{game} {scenario}: act {told(acts)} (answer {told(waits)}); look {told(looks)}"


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=40)
    many = parser.parse_args().clicks
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:///{folder}/tables.db", Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=os.environ.get("GROGNARD_CHROMIUM"), args=FLAGS)
        try:
            for game, scenario in TABLES:
                page = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB").new_page()
                page.add_init_script(f"({HEAR})()")
                print(clicks(Person(page, server.address), game, scenario, many), f"load {os.getloadavg()[0]:.1f}")
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
