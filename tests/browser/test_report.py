"""After the game: the report, its links into the replay and its picture; during one: the hint."""

from __future__ import annotations

import random

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.test_pointing import order, view_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def played(person: Person, decisions: int) -> str:
    """A crossing against the computer: some decisions by lot, then given up."""
    table, _ = person.open_table(scenario="crossing", options={"fog": "off"}, seats={"red": "me", "blue": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    dice, done = random.Random(3), 0
    for _ in range(600):
        state = view_of(person, "red")
        if done == decisions or state["result"]:
            return table
        if state["legal"]:
            order(person, "red", " ".join(dice.choice(state["legal"])).strip())
            done += 1
        else:
            person.page.wait_for_timeout(50)
    raise AssertionError("the game does not go on")


def test_a_hint_is_asked_for_told_with_its_reason_and_done_at_a_click(visit: Visit) -> None:
    person = visit()
    played(person, 2)
    person.wait(".hint-ask")
    person.page.click(".hint-ask")
    person.wait(".hint-card")
    told = person.text(".hint-card")
    assert "The computer would" in told
    assert "chance of winning" in told
    assert "[" not in told, "no words that one would type"
    assert person.count(".pointed"), "it is shown on the map"
    before = person.version()
    person.page.click(".hint-card .choice")
    person.gone(".hint-card")
    assert person.version() > before


def test_the_report_shows_curve_luck_and_turning_points_that_lead_into_the_replay(visit: Visit) -> None:
    person = visit()
    table = played(person, 40)
    if not view_of(person, "red")["result"]:
        person.page.request.post(
            f"{person.address}/api/tables/{table}/resign", data={"side": "red"}, headers={"X-Grognard": "1"}
        )
    person.wait(".game-over")
    person.page.click(".game-over a[href$='/report']")
    person.wait(".report-page .chart .curve")
    said = person.text(".report-page")
    for word in ("Blue", "Chance of winning", "Turning points", "Luck", "Steps on the board", "A picture to share"):
        assert word in said, word
    with person.page.expect_download() as saved:
        person.page.click("text=Save as SVG")
    assert "<svg" in saved.value.path().read_text("utf-8")
    with person.page.expect_download() as saved:
        person.page.click("text=Save as PNG")
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    where = str(person.page.locator(".report-list a").first.get_attribute("href"))
    person.page.locator(".report-list a").first.click()
    person.wait(".replay")
    assert where.split("at=")[1] in person.page.url

    french = visit(locale="fr-FR", color_scheme="dark", **PHONE)
    french.go(f"/g/{table}/report")
    french.wait(".report-page .chart .curve")
    said = french.text(".report-page")
    for word in ("Chances de victoire", "Tournants", "Chance aux dés", "Pas sur la carte", "Une image à partager"):
        assert word in said, word
    wide = french.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out"
