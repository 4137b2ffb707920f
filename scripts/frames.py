"""How evenly a measured table moves when dragged and zoomed, in a real browser: `scripts/frames.py [SCENARIO ...]`.

A server and Chromium (`GROGNARD_CHROMIUM`) are started; tables of Blitzkrieg are opened with their units on them.
Counted are the gaps between frames, and what a frame costs the page's own thread in processor time, which hangs less on
what else the machine does: below 16.7 ms there is time for sixty frames a second.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.people import Person
from tests.server.harness import Server

LARGEST = ("prokhorovka43", "arras40", "mtsensk41")
WATCH = """() => { window.gaps = []; window.watching = true; let last = performance.now();
  const tick = (now) => { window.gaps.push(now - last); last = now; if (window.watching) requestAnimationFrame(tick) };
  requestAnimationFrame(tick) }"""
STOP = "() => { window.watching = false; return window.gaps.slice(2) }"
MOVE = """async ([steps, wheel]) => { const board = document.querySelector('.frame');
  const {x, y, width, height} = board.getBoundingClientRect(), cx = x + width / 2, cy = y + height / 2;
  const say = (kind, at) => board.dispatchEvent(new PointerEvent(kind, {bubbles: true, cancelable: true, pointerId: 1,
    pointerType: 'mouse', isPrimary: true, button: 0, buttons: 1, clientX: at[0], clientY: at[1]}));
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  if (!wheel) say('pointerdown', [cx, cy]);
  for (let i = 0; i < steps; i++) { await frame(); const a = i / 20;
    if (wheel) board.dispatchEvent(new WheelEvent('wheel', {bubbles: true, cancelable: true, clientX: cx, clientY: cy,
      deltaY: Math.sin(a) > 0 ? -20 : 20}));
    else say('pointermove', [cx + 200 * Math.sin(a), cy + 120 * Math.sin(a * 1.7)]); }
  if (!wheel) say('pointerup', [cx, cy]); }"""


def spent(devtools: Any) -> float:
    """Processor seconds of the page's thread so far."""
    found = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])


def move(page: Any, devtools: Any, steps: int, wheel: bool) -> str:
    """Drag or zoom for so many frames: frames a second, the worst hundredth of the gaps, work a frame."""
    before, place = spent(devtools), page.locator(".world").first.evaluate("e => e.style.transform")
    page.evaluate(WATCH)
    page.evaluate(MOVE, [steps, wheel])
    gaps = sorted(page.evaluate(STOP))
    assert page.locator(".world").first.evaluate("e => e.style.transform") != place, "the board did not move"
    work = (spent(devtools) - before) * 1000 / len(gaps)
    middle, worst = gaps[len(gaps) // 2], gaps[len(gaps) * 99 // 100]
    rate = len(gaps) * 1000 / sum(gaps)
    return f"{rate:.0f} frames/s (gaps: middle {middle:.1f}, 99th of 100 {worst:.0f} ms), work {work:.1f} ms"


def measure(page: Any, address: str, scenario: str, steps: int, picture: Path | None) -> str:
    """One table."""
    person = Person(page, address)
    table, _ = person.open_table(game="blitzkrieg", scenario=scenario, seats={"allies": "me", "axis": "ai:random"})
    person.sit(table)
    person.wait(".tabletop .unit")
    page.wait_for_timeout(3000)
    if page.locator(".briefing .choice").count():
        page.click(".briefing .choice")
    page.wait_for_timeout(1500)
    if picture:
        page.screenshot(path=str(picture / f"{scenario}.png"))
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    units = page.locator(".tabletop .unit").count()
    dragged, zoomed = (move(page, devtools, steps, wheel) for wheel in (False, True))
    return f"{scenario}, {units} units: dragged {dragged}; zoomed {zoomed}"


def main() -> None:
    """All tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=LARGEST)
    parser.add_argument("--frames", type=int, default=240)
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each table as it is opened")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:///{folder}/tables.db", Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=os.environ.get("GROGNARD_CHROMIUM"), args=FLAGS)
        try:
            for scenario in asked.scenarios:
                page = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB").new_page()
                told = measure(page, server.address, scenario, asked.frames, asked.pictures)
                print(told, f"load {os.getloadavg()[0]:.1f}", flush=True)
                page.context.close()
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
