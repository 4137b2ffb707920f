"""The README's pictures of the tables and those of the first page, taken anew: `scripts/pictures.py [NAME …]`.

A server and Chromium (`GROGNARD_CHROMIUM`) are started; each picture is a position that is reached by play, so that it
shows the table as it looks now. Names: bitw, normandie, surrender, blitzkrieg, lesson, phone, report, lab, and
welcome-en, welcome-fr, card for the first page. Look at each.
"""

from __future__ import annotations

import base64
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.people import HEADERS, Person, reached
from tests.browser.test_pointing import order
from tests.server.harness import Server

from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful

ROOT = Path(__file__).resolve().parents[1]
DESK = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"}
PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "fr-FR", "has_touch": True, "is_mobile": True}
QUALITY = 82
Visit = Callable[..., Person]


def rest(person: Person, ms: int = 1500) -> None:
    """Until the map is sharp and the chances are counted, with the mouse out of the way."""
    person.page.mouse.move(5, 5)
    person.page.wait_for_timeout(ms)


def webp(person: Person, clip: dict[str, float] | None = None) -> bytes:
    """The page as a picture, or a part of it."""
    line = person.page.context.new_cdp_session(person.page)
    found = line.send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY} | ({"clip": clip} if clip else {})
    )
    return base64.b64decode(found["data"])


def at(person: Person, game: str, scenarios: str, until: Any) -> None:
    """At a table where somebody decides what is wanted."""
    session, side = reached(game, scenarios, until)
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    rest(person)


def commits(least: int) -> Any:
    """Until so many units may join an attack."""
    return lambda session, side, name, orders: name == "Commit" and sum(v == "join" for v, _ in orders) >= least


def secretly(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
    """Until markers and aircraft may be committed."""
    return name == "Commit" and {"commit", "send"} <= {verb for verb, _ in orders}


def bitw(visit: Visit) -> bytes:
    """A pile is open, and one sees where its top piece could go."""
    person = visit(**DESK)
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    for line in ("done", "done", "done"):
        order(person, "axis", line)
    person.wait(".pieces .piece.can")
    rest(person)
    person.click_at("[data-pile='3133'] .piece")
    rest(person)
    return webp(person)


def normandie(visit: Visit) -> bytes:
    """Who takes part, with the chances as it stands, with each and with all."""
    person = visit(**DESK)
    at(person, "normandie", "cherbourg cobra", commits(4))
    person.page.click("[data-action^='join']")
    rest(person, 2500)
    return webp(person)


def surrender(visit: Visit) -> bytes:
    """Markers are committed in secret, in the dark."""
    person = visit(**DESK, color_scheme="dark")
    at(person, "surrender", "channel fall-gelb", secretly)
    rest(person)
    return webp(person)


def learn(person: Person, game: str, lesson: str, step: int, language: str) -> None:
    """A lesson, played up to a step."""
    person.page.request.get(f"{person.address}/api/me")
    wish = {"game": game, "lesson": lesson, "step": step, "language": language}
    table = person.page.request.post(f"{person.address}/api/learn", data=wish, headers=HEADERS).json()["id"]
    person.sit(table)
    rest(person, 2500)


def blitzkrieg(visit: Visit) -> bytes:
    """On the measured table, at set-up."""
    person = visit(**DESK)
    seats = {"allies": "me", "axis": "ai:random"}
    table, _ = person.open_table(game="blitzkrieg", scenario="stonne40", seats=seats)
    person.sit(table)
    person.page.click(".briefing .choice")
    rest(person, 3500)
    return webp(person)


def lesson(visit: Visit) -> bytes:
    """The first game of all."""
    person = visit(**DESK)
    learn(person, "picket", "first", 7, "en")
    return webp(person)


def phone(visit: Visit) -> bytes:
    """Two tables and the rulebook, side by side."""
    one, two, book = (visit(**PHONE, device_scale_factor=1.5, color_scheme=c) for c in ("light", "dark", "light"))
    at(one, "surrender", "channel fall-gelb", secretly)
    at(two, "normandie", "cherbourg cobra", commits(4))
    book.go("/rules/blitzkrieg")
    book.wait("figure, .figure")
    book.page.locator("figure, .figure").first.scroll_into_view_if_needed()
    rest(book)
    sources = [base64.b64encode(webp(person)).decode() for person in (one, two, book)]
    images = "".join(f"<img src='data:image/webp;base64,{source}'>" for source in sources)
    style = "body{margin:0;height:1000px;display:flex;gap:60px;align-items:center;justify-content:center}"
    style += "body{background:#d9cdb2}"
    sheet = visit(viewport={"width": 1600, "height": 1000})
    sheet.page.set_content(f"<style>{style}img{{height:920px;border-radius:18px}}</style>{images}")
    rest(sheet)
    return webp(sheet)


def welcome(locale: str) -> Callable[[Visit], bytes]:
    """For the first page: the map, and the chances beside each choice."""

    def take(visit: Visit) -> bytes:
        person = visit(viewport={"width": 1000, "height": 625}, locale=locale)
        at(person, "normandie", "cherbourg cobra", commits(4))
        person.page.click("[data-action^='join']")
        rest(person, 2500)
        return webp(person, {"x": 0, "y": 0, "width": 1000, "height": 625, "scale": 0.9})

    return take


def card(visit: Visit) -> bytes:
    """The measured table of the first page's card."""
    person = visit(viewport={"width": 1280, "height": 860}, locale="en-GB")
    seats = {"allies": "me", "axis": "ai:random"}
    table, _ = person.open_table(game="blitzkrieg", scenario="stonne40", seats=seats)
    person.sit(table)
    person.page.click(".briefing .choice")
    rest(person, 3500)
    box = person.page.locator(".frame").bounding_box() or {}
    x, y = box["x"] + box["width"] / 2 - 300, box["y"] + box["height"] / 2 - 180
    return webp(person, {"x": x, "y": y, "width": 600, "height": 360, "scale": 0.8})


def report(visit: Visit) -> bytes:
    """The report of a game between computers."""
    person = visit(**DESK)
    session = Session.new(find_game("picket"), "crossing", {}, seed="report")
    dice = random.Random(3)
    while session.state.waiting:
        side = session.state.waiting[0]
        rules, s = session.game, session.state
        session.act(side, rules.write(s, side, hopeful(dice, rules, s, side, rules.legal(s, side))))
    table = person.lay(session, "red")
    person.go(f"/g/{table}/report")
    person.wait(".chart")
    rest(person)
    return webp(person)


def lab(visit: Visit) -> bytes:
    """A rule of picket tried both ways: the answer, and how its interval narrowed."""
    person = visit(**DESK)
    person.go("/lab")
    person.page.locator("select[name=game]").select_option("picket")
    person.page.locator("select[name=scenario]").select_option("crossing")
    person.page.locator("select[name=level]").select_option("greedy")
    person.page.locator("input[name=worth]").fill("20")
    person.page.locator("button[type=submit]").click()
    person.page.locator(".lab-course svg").wait_for(timeout=600_000)
    person.page.locator(".lab-result progress").wait_for(state="detached", timeout=600_000)
    person.page.locator(".lab-result").first.evaluate("e => e.scrollIntoView()")
    rest(person)
    return webp(person)


CARDS = ROOT / "client" / "public" / "assets" / "cards"
ELSEWHERE = {
    "welcome-en": CARDS / "table-en.webp",
    "welcome-fr": CARDS / "table-fr.webp",
    "card": CARDS / "blitzkrieg.webp",
}
PICTURES: dict[str, Callable[[Visit], bytes]] = {
    "table-bitw": bitw, "table-normandie": normandie, "table-surrender": surrender, "table-blitzkrieg": blitzkrieg,
    "lesson": lesson, "table-phone": phone, "report": report, "lab": lab,
    "welcome-en": welcome("en-GB"), "welcome-fr": welcome("fr-FR"), "card": card,
}  # fmt: skip


def main(names: list[str]) -> None:
    """Those that are asked for, else all."""
    folder = Path(tempfile.mkdtemp())
    os.environ["GROGNARD_LAB"] = str(folder / "lab")
    server = Server(f"sqlite:///{folder / 'tables.db'}", folder)
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["GROGNARD_CHROMIUM"], args=FLAGS)

        def visit(**screen: Any) -> Person:
            return Person(browser.new_context(**screen).new_page(), server.address)

        try:
            for name, take in PICTURES.items():
                if not names or name in names or name.removeprefix("table-") in names:
                    ELSEWHERE.get(name, ROOT / "docs" / "images" / f"{name}.webp").write_bytes(take(visit))
                    print(name)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
