"""Playing: alone against the computer, two people by link, at one screen, on a phone, by the keyboard alone."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from grognard.games import playable_names
from tests.browser.conftest import Visit

MOST_CLICKS = 400


@pytest.mark.parametrize("game", playable_names())
def test_a_person_plays_a_turn_against_the_computer_by_clicks(visit: Visit, game: str) -> None:
    person = visit()
    person.go("/")
    person.page.click(f".card[data-game={game}] .choice")
    person.wait(".frame")
    dice = random.Random(7)
    start = person.table()
    acted = 0
    for click in range(MOST_CLICKS):
        if person.one_click_action(dice, buttons_only=click > 12) is not None:
            acted += 1
        else:
            person.page.wait_for_timeout(150)
        now = person.table()
        if now["over"] or (now["turn"] != start["turn"] and acted > 4):
            break
    else:
        pytest.fail(f"no full turn in {MOST_CLICKS} clicks: {person.text('.phase')}")
    assert acted > 4
    assert not person.count(".trouble")


def pledge(person: Any, orders: int) -> None:
    person.page.click(f"[data-action='pledge {orders}']")


def test_two_people_play_each_other_by_link(visit: Visit) -> None:
    red, blue = visit(), visit(locale="fr-FR")
    red.go("/new?game=picket")
    red.wait("form")
    red.page.select_option("[name=seat-blue]", "invited")
    red.page.fill("[name=title]", "By link")
    red.page.click("button[type=submit]")
    link = red.wait("[data-invitation=blue]").input_value()
    assert "/join#" in link
    red.page.click(".invitations a.choice")
    red.wait_text(".dice-making", "Still to sit down: Blue")
    blue.page.goto(link)
    blue.wait(".invited")
    for word in ("Picket", "By link", "Bleu", "Un joueur sans compte vous invite"):
        assert word in blue.text(".invited"), "what one is invited to"
    blue.page.click("main .choice")
    blue.wait("[data-action='pledge 0']")
    red.wait("[data-action='pledge 1']")
    red.gone(".dice-making")
    assert not blue.page.url.count("#"), "the secret must leave the address"
    pledge(red, 0)
    red.wait_text(".phase-head", "Blue must decide")
    pledge(blue, 1)
    red.wait(".pieces .piece.can")
    blue.wait_text(".phase-head", "Rouge")
    red.act("move red-foot-1")
    red.page.click("#undo")
    red.page.wait_for_selector("#redo:enabled")
    red.type("done")
    blue.wait(".pieces .piece.can")
    red.page.click("#tab-talk")
    red.page.fill(".say input", "Good luck!")
    red.page.press(".say input", "Enter")
    blue.page.click("#tab-talk")
    blue.wait_text(".chat", "Good luck!")
    blue.page.click("#tab-table")
    blue.wait_text(".seats", "présent")


def test_a_takeback_needs_the_other_side(visit: Visit) -> None:
    red, blue = visit(), visit()
    table, invitations = red.open_table(seats={"red": "me", "blue": "invited"})
    red.sit(table)
    blue.go(invitations["blue"])
    blue.page.click("main .choice")
    blue.wait(".frame")
    pledge(red, 1)
    red.wait_text(".phase-head", "Blue must decide")
    red.page.click("#tab-table")
    red.page.get_by_role("button", name="Ask to take back").click()
    blue.wait(".offer")
    blue.page.click(".offer button >> nth=0")
    red.page.click("#tab-choices")
    red.wait("[data-action='pledge 1']")


def test_hot_seat_draws_a_curtain_between_the_sides(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    person.sit(table)
    for side in ("Red", "Blue"):
        person.wait_text(".curtain", side)
        assert not person.count(".frame"), "the board must not be seen through the curtain"
        assert not person.count(".side")
        person.page.click(".curtain .choice")
        person.wait("[data-action='pledge 1']")
        own = side.lower()
        shown = person.page.locator("[data-piece]").evaluate_all("es => es.map(e => e.dataset.piece)")
        assert any(name.startswith(own) for name in shown)
        assert not any(re.match(r"red-|blue-", name) and not name.startswith(own) for name in shown)
        pledge(person, 1)
    person.wait(".curtain, .piece.can")


def test_the_keyboard_alone_is_enough(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    page = person.page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.action") == "pledge 0":
            break
    page.keyboard.press("Enter")
    person.wait(".pieces .piece.can")
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.id") == "board":
            break
    assert page.evaluate("document.activeElement.id") == "board"
    page.keyboard.press("n")
    spoken = person.text(".live")
    assert "You can" in spoken, spoken
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    if not person.count("[data-target]"):
        page.keyboard.press("/")
        page.keyboard.type("move red-horse-1")
        page.keyboard.press("Enter")
    person.wait("[data-target]")
    page.evaluate("document.getElementById('board').focus()")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    person.gone("[data-target]")
    page.keyboard.press("u")
    person.wait("[data-target]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert re.search(r"\d{4}", person.text(".live"))
    before = person.text(".percent")
    page.keyboard.press("+")
    page.wait_for_timeout(100)
    assert person.text(".percent") != before


def test_a_phone_is_wide_enough(visit: Visit) -> None:
    person = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    person.go("/")
    person.page.tap(".card[data-game=picket] .choice")
    person.wait(".frame")
    person.page.tap("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    wide = person.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    piece = str(person.page.locator(".pieces .piece.can").first.get_attribute("data-piece"))
    person.page.touchscreen.tap(*person.middle(f".pieces [data-piece='{piece}']"))
    person.wait(".glass .choice, .spread")
    person.page.locator(".glass .choice").first.tap()
    person.wait("[data-target]")
    for tab in ("log", "status", "table", "talk", "choices"):
        person.page.tap(f"#tab-{tab}")
        person.wait(f".panel-{tab}")
    box = person.page.locator(".board").bounding_box()
    assert box["height"] > 200
    assert box["width"] > 380


def test_the_map_zooms_and_pans(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    x, y = person.middle(".frame")
    person.page.mouse.move(x, y)
    for _ in range(40):
        person.page.mouse.wheel(0, -240)
    person.page.wait_for_timeout(100)
    assert person.text(".percent") == "400 %"
    for _ in range(60):
        person.page.mouse.wheel(0, 240)
    person.page.wait_for_timeout(100)
    assert person.text(".percent") == "50 %"
    before = person.page.locator(".world").evaluate("e => e.style.transform")
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x + 90, y + 60, steps=4)
    person.page.mouse.up()
    person.page.wait_for_timeout(100)
    assert person.page.locator(".world").evaluate("e => e.style.transform") != before
