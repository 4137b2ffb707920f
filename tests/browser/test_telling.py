"""What the table tells by itself: who one is and what for, how a battle ended, what the others did."""

from __future__ import annotations

import itertools
import random
from typing import Any

from grognard.games import find_game, playable_names
from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.test_pointing import order, view_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SMALL = """() => [...document.querySelectorAll('button, select, summary, a.button, input[type=search]')]
  .filter((e) => e.offsetParent && !e.matches('.rule-link') && !e.closest('.unseen'))
  .map((e) => [e.className || e.tagName, Math.round(e.offsetWidth), Math.round(e.offsetHeight)])
  .filter(([, wide, high]) => wide < 44 || high < 44)"""


def play_on(person: Person, side: str, until: Any, seed: int = 3) -> dict[str, Any]:
    """Go for the enemy without the page, until the log has what is wanted and it is this side's decision."""
    dice = random.Random(seed)
    for _ in range(400):
        state = view_of(person, side)
        if state["legal"] and until(state):
            return state
        if state["legal"]:
            foes = {piece.get("at") for piece in state["view"]["pieces"] if piece["side"] != side}
            fights = [action for action in state["legal"] if action[1] in foes]
            south = sorted((action for action in state["legal"] if action[0] == "to"), key=lambda action: action[1][2:])
            movers = [action for action in state["legal"] if action[1]]
            verb, target = dice.choice(fights or south[-1:] or movers or state["legal"])
            order(person, side, f"{verb} {target}".strip())
        else:
            person.page.wait_for_timeout(60)
    raise AssertionError("it never came")


def theirs(log: list[dict[str, Any]]) -> bool:
    """Whether blue did something that red saw, since red acted last."""
    since = list(itertools.takewhile(lambda line: line["side"] == "blue", reversed(log)))
    return any(line["events"] for line in since)


def test_sitting_down_one_is_told_side_goal_and_first_step(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    for game in playable_names():
        sides = find_game(game).sides
        seats = {side: "me" if i == 0 else "ai:random" for i, side in enumerate(sides)}
        table, _ = person.open_table(game=game, scenario=find_game(game).scenarios[0], seats=seats)
        person.sit(table)
        person.wait(".briefing")
        told = person.text(".briefing")
        for word in ("Vous commandez", "But", "Durée", "Ce qui décide", "Pour commencer"):
            assert word in told, (game, told)
        assert person.text(".my-side").startswith("Vous"), "the bar names one's side"
        person.page.click(".briefing .choice")
        person.gone(".briefing")
    person.page.click(".my-side")
    person.wait(".briefing")
    person.page.click(".briefing .choice")
    person.page.reload()
    person.wait(".my-side")
    assert not person.count(".briefing"), "told once"


def test_the_other_side_can_be_followed_and_a_battle_ends_with_a_card(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(scenario="crossing", options={"fog": "off"}, seats={"red": "me", "blue": "ai:greedy"})
    person.sit(table)
    person.page.click(".briefing .choice")
    play_on(person, "red", lambda s: theirs(s["log"]))
    person.wait(".theirs")
    here = person.text(".phase-text")
    person.page.click(".theirs-head button >> nth=0")
    person.wait(".follow .follow-said")
    assert person.text(".follow-at").startswith("1/")
    person.page.click(".follow .play")
    steps = int(person.text(".follow-at").split("/")[1])
    for _ in range(steps):
        person.page.click(".follow-buttons button >> nth=3")
        person.page.wait_for_timeout(150)
    person.gone(".follow")
    assert person.text(".phase-text") == here, "back in the present"
    person.page.click("button.again")
    person.wait(".follow .follow-said")
    person.page.click(".follow .play")
    person.page.evaluate("document.activeElement.blur()")
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector(".follow", state="detached", timeout=20_000)
    assert person.text(".phase-text") == here, "a key is enough"

    play_on(person, "red", lambda s: any(e["kind"] == "battle-over" for line in s["log"] for e in line["events"]))
    person.wait(".report.newest .die")
    assert "attacks in" in person.text(".report.newest")
    person.page.click(".report.newest .close")
    person.gone(".report.newest")
    if person.count(".turn-reports"):  # unless the battle ended the turn
        person.page.click(".turn-reports summary")
        assert person.count(".turn-reports .report-card .die") > 0
        assert person.count("[data-report]") > 0, "the map shows where"


def test_on_a_phone_everything_is_large_enough_for_a_finger(visit: Visit) -> None:
    person = visit(**PHONE)
    person.go("/")
    person.wait(".card")
    assert person.page.evaluate(SMALL) == []
    person.page.tap(".card[data-game=picket] .choice")
    person.wait(".briefing")
    assert person.page.evaluate(SMALL) == []
    person.page.tap(".theme-button")
    assert person.page.evaluate("document.documentElement.dataset.theme") == "light"
    person.page.tap(".briefing .choice")
    for tab in ("log", "status", "table", "talk", "choices"):
        person.page.tap(f"#tab-{tab}")
        person.wait(f".panel-{tab}")
        assert person.page.evaluate(SMALL) == [], tab
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_mouse_that_rests_is_told_what_a_click_would_do(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    person.page.wait_for_timeout(600)
    assert not person.count(".chances"), "no chances where no dice are"
    person.page.click("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    x, y = person.middle(".pieces .piece.can")
    person.page.mouse.move(x - 40, y - 40)
    person.page.mouse.move(x, y)
    person.wait(".hover-card .hover-action")
    assert "Red" in person.text(".hover-card")
    person.page.mouse.move(x - 200, y - 20)
    person.gone(".hover-action")


def test_the_seats_that_one_sees_are_those_that_are_sent(visit: Visit) -> None:
    person = visit()
    person.go("/new?game=surrender")
    person.wait("[name=seat-western]")
    for scenario, sides in (("barbarossa", {"axis", "soviet"}), ("two-fronts", {"axis", "western", "soviet"})):
        person.page.select_option("[name=scenario]", scenario)
        person.wait("button[type=submit]:enabled")
        seen = person.page.locator("[name^=seat-]").evaluate_all("es => es.map(e => e.name.slice(5))")
        assert set(seen) == sides
    person.page.select_option("[name=scenario]", "barbarossa")
    person.page.click("button[type=submit]:enabled")
    person.wait(".frame")
    assert {seat["side"] for seat in person.table()["seats"]} == {"axis", "soviet"}
