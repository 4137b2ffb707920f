"""A turn with the mouse alone, and its end: what stopped people who tried, title by title."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import HEADERS, Person, reached
from tests.browser.test_pointing import order, view_of
from tests.browser.test_report import PHONE

TITLES = {
    "picket": ("crossing", "red"),
    "bitw": ("SBW1", "axis"),
    "normandie": ("cherbourg", "allied"),
    "surrender": ("channel", "axis"),
    "blitzkrieg": ("lesson", "allies"),
}


def opened(person: Person, game: str, **more: Any) -> tuple[str, str]:
    """A table of a title against the computer; its id and our side."""
    scenario, side = TITLES[game]
    sides = person.page.request.get(f"{person.address}/api/games/{game}/seats?scenario={scenario}").json()["sides"]
    seats = {one: "me" if one == side else "ai:random" for one in sides}
    table, _ = person.open_table(game=game, scenario=scenario, seats=seats, **more)
    return table, side


@pytest.mark.parametrize("game", TITLES)
def test_the_end_tells_the_standing_and_its_turning_points_with_a_way_into_the_replay(visit: Visit, game: str) -> None:
    person = visit() if game != "normandie" else visit(locale="fr-FR", **PHONE)
    table, side = opened(person, game)
    person.sit(table)
    for _ in range(40):  # some decisions of ours, the last of each list: mostly those that do something
        state = view_of(person, side)
        if len(state["log"]) > 8 or state["result"]:
            break
        if state["legal"]:
            order(person, side, " ".join(state["legal"][-1]).strip())
        else:
            person.page.wait_for_timeout(100)
    path = f"{person.address}/api/tables/{table}/resign"
    assert person.page.request.post(path, data={"side": side}, headers=HEADERS).ok
    person.wait(".game-over .turning")
    said = person.text(".game-over")
    for word in ("Tournants", "La situation à la fin") if game == "normandie" else ("Turning points", "The standing"):
        assert word in said, said
    links = person.page.locator(".game-over .turning a")
    if links.count():  # a short game may have moved nothing; then it says so
        at = str(links.first.get_attribute("data-at"))
        links.first.click()
        person.wait(".replay")
        assert f"at={at}" in person.page.url
    else:
        assert person.count(".game-over .turning .hint")


def test_a_hit_that_only_one_can_take_is_taken_and_told(visit: Visit) -> None:
    def forced(session: Any, side: int, decision: str, orders: Any) -> bool:
        return len(orders) == 1 and orders[0][0] == "lose" and not session.can_undo(side)

    person = visit()
    session, side = reached("picket", "crossing raid", forced, seeds=30)
    before = len(session.entries)
    person.sit(person.lay(session, side))
    for _ in range(200):
        if len(view_of(person, side)["log"]) > before:
            break
        person.page.wait_for_timeout(100)
    person.wait_text(".forced", "Taken by itself")


def test_what_is_forced_is_taken_while_it_can_be_taken_back_and_one_undo_does_that(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    while repairs := [a for a in view_of(person, "axis")["legal"] if a[0] == "repair"]:
        order(person, "axis", " ".join(repairs[0]))
    person.wait("[data-decision='Disband']")  # all points are spent: nobody can go by rail
    person.page.click("[data-action='done']")
    person.wait_text(".forced", "End rail movement")
    person.wait("[data-decision='MoveGround']")
    person.page.click("#undo")
    person.wait("[data-decision='Disband']")


def test_in_a_battle_the_choices_stand_in_the_panel(visit: Visit) -> None:
    def choosing(session: Any, side: int, decision: str, orders: Any) -> bool:
        return len(orders) > 1 and {verb for verb, _ in orders} == {"lose"}

    person = visit()
    session, side = reached("picket", "crossing raid", choosing, seeds=30)
    person.sit(person.lay(session, side))
    person.wait(".action-row [data-action^='lose']")
    before = person.version()
    person.page.locator(".action-row [data-action^='lose']").first.click()
    person.settled()
    assert person.version() > before


def test_who_acts_has_read_the_briefing(visit: Visit) -> None:
    person = visit()
    table, _ = opened(person, "bitw")
    person.sit(table)
    person.wait(".briefing")
    person.page.locator(".buttons [data-action='done']").click()
    person.gone(".briefing")
    person.page.click(".my-side")
    person.wait(".briefing")


def test_the_map_stays_where_it_is_when_the_bar_grows(visit: Visit) -> None:
    person = visit()
    table, _ = opened(person, "surrender")
    person.sit(table)
    person.page.wait_for_timeout(800)
    where = "() => document.querySelector('.world').style.transform"
    before = person.page.evaluate(where)
    person.page.evaluate("() => { document.querySelector('.phase').style.minHeight = '260px' }")
    person.page.wait_for_timeout(800)
    assert person.page.evaluate(where) == before


def test_the_card_beside_the_pointer_does_not_cover_where_the_piece_can_go(visit: Visit) -> None:
    person = visit()
    table, _ = opened(person, "picket")
    person.sit(table)
    order(person, "red", "pledge 1")
    person.wait(".pieces .piece.can")
    person.settled()
    person.click_at(".pieces [data-piece='red-foot-2']")
    person.wait("[data-then]")
    person.page.wait_for_timeout(700)
    assert not person.count(".hover-card")
    assert "where it can go" in person.text(".glass")


def test_the_bar_tells_the_turn_and_what_one_has_and_each_number_its_rule(visit: Visit) -> None:
    for game, words in (("picket", "Turn 1"), ("blitzkrieg", "points 8"), ("bitw", "Germany 3")):
        person = visit()
        table, _ = opened(person, game)
        person.sit(table)
        person.wait_text(".phase .banner", words)
        person.page.keyboard.press("3")
        number = person.page.locator(".status .fact-rule").first
        number.click()
        person.wait_text("dialog h2", str(number.get_attribute("data-rule")) if game == "bitw" else "")
        assert "{" not in person.text("dialog .dialog-body"), "why? a click on a number tells its rule"


def test_a_click_on_a_tank_offers_its_formation(visit: Visit) -> None:
    def activating(session: Any, side: int, decision: str, orders: Any) -> bool:
        return decision == "Activate" and len([verb for verb, _ in orders if verb == "activate"]) > 1

    person = visit()
    session, side = reached("blitzkrieg", "lesson", activating)
    person.sit(person.lay(session, side))
    person.wait(".piece.can, .model.can, [data-piece]")
    order_of = {target for verb, target in view_of(person, side)["legal"] if verb == "activate"}
    pieces = view_of(person, side)["view"]["pieces"]
    tank = next(p["id"] for p in pieces if p.get("formation") in order_of and p["side"] == side)
    person.click_at(f"[data-piece='{tank}']")
    person.wait(".glass [data-action^='activate']")


def test_a_formation_with_losses_is_offered_once(visit: Visit) -> None:
    def bled(session: Any, side: int, decision: str, orders: Any) -> bool:
        if decision != "Activate" or len(orders) < 2:
            return False
        view = session.game.view(session.state, side)
        gone = [p["formation"] for p in view["pieces"] if p["state"] == "lost"]
        return any(("activate", formation) in {(verb, noun) for verb, noun in orders} for formation in gone)

    person = visit()
    session, side = reached("blitzkrieg", "lesson", bled, seeds=20)
    person.sit(person.lay(session, side))
    person.wait(".buttons [data-action^='activate']")
    offered = person.page.locator(".buttons [data-action]").evaluate_all("es => es.map(e => e.dataset.action)")
    assert len(offered) == len(set(offered)), offered


def test_aircraft_over_a_zone_are_seen(visit: Visit) -> None:
    person = visit()
    table, side = opened(person, "normandie")
    person.sit(table)
    if any(verb == "zone" for verb, _ in view_of(person, side)["legal"]):
        order(person, side, "zone z1")
        person.page.locator("text=✈").first.wait_for(state="attached")


def test_a_new_table_asks_little_and_the_first_page_asks_for_nothing_that_is_not_there(visit: Visit) -> None:
    person = visit()
    missing: list[str] = []
    person.page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    person.go("/")
    person.wait(".card")
    person.page.wait_for_timeout(500)
    assert not missing
    person.go("/new?game=bitw")
    start = person.page.locator("button[type=submit].big")
    start.wait_for()
    box = start.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 860, "it is seen without scrolling"
    person.page.click("details.options summary")
    person.page.select_option("[name=option-fog]", "off")
    person.wait_text("details.options summary", "1 of")
    person.page.select_option("[name=option-fog]", "on")
    person.wait_text("details.options summary", "0 of")


def test_a_table_has_the_rules_of_its_scenario_and_many_options_are_found_by_a_word(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    person.go("/new?game=bitw")
    person.page.select_option("[name=scenario]", "SBW8")
    person.page.click("details.options summary")
    assert person.page.input_value("[name=option-advanced]") == "on"
    assert not person.page.is_visible("[name=option-natural-one]"), "doubtful readings are folded"
    person.page.fill(".option-search", "jericho")
    assert person.page.locator(".options label.option").count() == 1
    person.page.select_option("[name=option-jericho]", "on")
    person.page.click("button[type=submit].big")
    person.wait(".frame")
    options = person.table()["options"]
    assert [options[name] for name in ("advanced", "jericho", "recon")] == ["on", "on", "on"], (
        "needed: switched on with it"
    )
    person.go("/new?game=blitzkrieg")
    person.page.click("details.options summary")
    shown = person.page.locator(".options label.option:visible").count()
    assert shown == 0, "79 switches: by chapters"
    person.page.locator(".option-group summary").first.click()
    assert person.page.locator(".options label.option:visible").count() == 3
