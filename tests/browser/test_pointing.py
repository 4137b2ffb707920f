"""Pointing: what the rules let one do glows where it is, and a click on it does it."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Visit
from tests.browser.people import HEADERS, Person


def view_of(person: Person, side: str) -> dict[str, Any]:
    """The table as the server tells it to this side."""
    table = person.page.url.split("/g/")[1].split("?")[0]
    found: dict[str, Any] = person.page.request.get(f"{person.address}/api/tables/{table}/view?as={side}").json()
    return found


def order(person: Person, side: str, line: str) -> None:
    """Act without the page, to come quickly to where a test begins."""
    verb, _, target = line.partition(" ")
    facts = {"side": side, "verb": verb, "target": target, "version": person.version()}
    table = person.page.url.split("/g/")[1].split("?")[0]
    answer = person.page.request.post(f"{person.address}/api/tables/{table}/act", data=facts, headers=HEADERS)
    assert answer.ok, answer.text()


def test_an_enemy_stack_glows_and_a_click_attacks_it(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    for line in ("done", "done", "done", "move de-1p"):  # production, disbanding and rail are passed over
        order(person, "axis", line)
    person.wait("[data-target]")
    state = view_of(person, "axis")
    ways: dict[str, list[str]] = {}
    for verb, target in state["legal"]:
        if verb == "attack":
            ways.setdefault(target.split("/")[0], []).append(target)
    enemy = {piece.get("place") for piece in state["view"]["pieces"] if piece["side"] == "allies"}
    assert set(ways) <= enemy
    single = next(foe for foe, found in ways.items() if len(found) == 1)
    several = next(foe for foe, found in ways.items() if len(found) > 1)
    glowing = person.page.locator("[data-target]").evaluate_all("es => es.map(e => e.dataset.target)")
    assert set(ways) <= set(glowing)

    attack(person, single)
    assert person.table()["actions"] == 5
    assert last(person) == ["attack", ways[single][0]]
    person.page.click("#undo")
    person.wait("[data-target]")
    person.settled()

    person.bring_to_sight(several)
    person.click_at(f"[data-pile='{several}'] .piece")
    person.wait("[data-way]")
    whence = ways[several][-1].split("/")[1]
    assert person.count("[data-way]") == len(ways[several])
    assert person.count(".glass [data-action^=attack]") == len(ways[several]), "a menu asks the same"
    before = person.version()
    person.click_at(f"[data-way='{whence}'] .way-edge", 0.12)
    person.page.wait_for_function("() => !document.querySelector('[data-way]')")
    person.settled()
    assert person.version() > before
    assert last(person) == ["attack", ways[several][-1]]


def test_on_a_phone_what_an_attack_would_do_comes_to_sight(visit: Visit) -> None:
    person = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    for line in ("done", "done", "done", "move de-1p"):
        order(person, "axis", line)
    person.wait("[data-target]")
    foes = {t.split("/")[0] for verb, t in view_of(person, "axis")["legal"] if verb == "attack"}
    foe = sorted(foes)[0]
    person.bring_to_sight(foe)
    person.click_at(f"[data-pile='{foe}'] .piece")
    person.wait(".glass .choice")
    person.page.wait_for_function(
        "() => { const b = document.querySelector('.glass .choice').getBoundingClientRect();"
        " return b.top >= 0 && b.bottom <= innerHeight }"
    )


def attack(person: Person, foe: str) -> None:
    """Click twice on the stack itself."""
    person.bring_to_sight(foe)
    before = person.version()
    person.click_at(f"[data-pile='{foe}'] .piece")
    person.wait(".glass")
    person.click_at(f"[data-pile='{foe}'] .piece")
    for _ in range(600):
        if person.version() != before:
            return
        person.page.wait_for_timeout(50)
    raise AssertionError(f"{foe} was not attacked: {person.text('.panel')}")


def last(person: Person) -> list[str]:
    """The last action of the log."""
    line = view_of(person, "axis")["log"][-1]
    return [line["verb"], line["target"]]
