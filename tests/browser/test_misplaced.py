"""Things that once stood where they should not, or not where they should: each looked at in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.test_pointing import order, view_of


def mine(person: Person, side: str) -> dict[str, Any]:
    """Wait until this side may decide; what it sees."""
    for _ in range(600):
        state = view_of(person, side)
        if state["legal"]:
            return state
        person.page.wait_for_timeout(100)
    raise AssertionError("the others never stop")


def orders(person: Person, side: str, *lines: str) -> None:
    """Some orders, each when it is one's turn."""
    for line in lines:
        mine(person, side)
        order(person, side, line)


def test_what_one_commits_in_secret_is_seen_by_oneself(visit: Visit) -> None:
    person = visit()
    seats = {"axis": "me", "western": "ai:random"}
    table, _ = person.open_table(game="surrender", scenario="channel", seats=seats)
    person.sit(table)
    names = person.page.locator(".pieces .piece-face .values").all_text_contents()
    assert "Luft. 2" in names, "a fleet bears its number"
    orders(person, "axis", "done", "activate de-kleist", "assault 2837", "launch", "send de-lf2")
    orders(person, "axis", "commit heavy-artillery")
    person.wait_text(".battle-facts", "Heavy Artillery")
    sent = person.page.locator(".army-pieces > svg").evaluate_all("es => es.map(e => e.getAttribute('aria-label'))")
    assert any("Luftflotte 2" in name for name in sent)


def test_aircraft_are_counted_no_card_comes_of_the_weather_and_reinforcements_are_open(visit: Visit) -> None:
    person = visit()
    seats = {"allied": "me", "german": "ai:random"}
    for _ in range(20):  # until the dice let the Allies begin: Germans by lot would fight, or be gone
        table, _ = person.open_table(game="normandie", scenario="cherbourg", seats=seats)
        person.sit(table)
        person.page.click(".briefing .choice")
        person.wait_text(".phase-text", "Click a zone of the map")
        assert "fighter-bombers" in person.text(".phase-text")
        orders(person, "allied", "zone z1", "ready", "no-more")
        if mine(person, "allied")["view"]["first"] == 0:
            break
    person.wait(".boxes[open] .box.can")
    assert person.text(".boxes[open] .box-name") == "Strategic reserve"
    assert not person.count(".report.newest"), "aircraft on their way are no battle"
    orders(person, "allied", "done", "activate us-hq-vii", "attack 0519", "hold-fire")
    person.wait(".battle .armies")
    assert not person.count(".battle.dice .die"), "no die has fallen in this battle yet"


def test_the_hint_about_the_curtain_is_true(visit: Visit) -> None:
    person = visit()
    for game, word in (("normandie", "nothing is hidden"), ("bitw", "draw a curtain")):
        person.go(f"/new?game={game}")
        person.wait("[name^=seat-]")
        for seat in person.page.locator("select[name^=seat-]").all():
            seat.select_option("me")
        person.wait_text("form .hint", word)


NAMED = {
    "bitw": ("SBW1", {"axis": "me", "allies": "ai:random"}),
    "normandie": ("cobra", {"allied": "me", "german": "ai:random"}),
    "surrender": ("fall-gelb", {"axis": "me", "western": "ai:random"}),
}


@pytest.mark.parametrize("game", NAMED)
def test_the_names_of_towns_are_read_beside_the_pieces_that_hide_them(visit: Visit, game: str) -> None:
    scenario, seats = NAMED[game]
    person = visit()
    table, _ = person.open_table(game=game, scenario=scenario, seats=seats)
    person.sit(table)
    person.wait(".pile-name.large")
    script = """() => {
        const box = (e) => e.getBoundingClientRect();
        const fields = [...document.querySelectorAll('.pile-name')].map((e) => [e.dataset.name, box(e.firstChild)]);
        const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
          && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        const crossed = fields.filter(([key, one], i) => fields.some(([, other], j) => j > i && meet(one, other)));
        const wide = [...document.querySelectorAll('.pile-name')].filter((e) =>
          box(e.lastChild).width > box(e.firstChild).width + 2).map((e) => e.textContent);
        return [fields.length, crossed.length, wide];
    }"""
    names, crossed, wide = person.page.evaluate(script)
    assert names > 3
    assert crossed == 0
    assert wide == [], "the field holds the name"
    if game == "normandie":
        person.wait_text(".hand .piece-name", "79Arm")  # the set-up says which counter is being placed
    title = person.text(".table-title")
    person.page.click("button:has-text('FR')")
    if game == "normandie":
        person.page.wait_for_function("(was) => document.querySelector('.table-title').textContent !== was", arg=title)
