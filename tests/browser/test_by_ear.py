"""A whole turn of each title without a mouse: by the keyboard alone, and by what the accessibility tree says alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import Person

SHORT = {  # the smallest game of each title, the person on the first side
    "picket": ("raid", {"red": "me", "blue": "ai:random"}),
    "bitw": ("SBW1", {"axis": "me", "allies": "ai:random"}),
    "normandie": ("cherbourg", {"allied": "me", "german": "ai:random"}),
    "surrender": ("channel", {"axis": "me", "western": "ai:random"}),
    "blitzkrieg": ("lesson", {"allies": "me", "axis": "ai:random"}),
}
MOST = 160  # decisions of a turn
TRIED = 3  # of them, those taken on the board or from the list; then whatever ends a step comes first
RAW = re.compile(r"\{|\}|\bundefined\b|\bnull\b|\b[a-z]+_[a-z]+\b|\b(us|uk|ge|de|fr|red|blue|ca|it)-[a-z0-9]+\b")


def seated(person: Person, game: str) -> None:
    """Sit down at the smallest table of a title."""
    scenario, seats = SHORT[game]
    table, _ = person.open_table(game=game, scenario=scenario, seats=seats)
    person.sit(table)
    person.wait(".phase.mine, .phase")


def next_decision(person: Person) -> dict[str, Any]:
    """The table once it is this person's turn again, or over."""
    for _ in range(900):
        table = person.table()
        if table["over"] or set(table["waiting"]) & set(table["mine"]):
            person.page.wait_for_function(
                "v => !document.querySelector('.choice:disabled') && document.querySelector('.phase.mine, .game-over')"
            )
            return table
        person.page.wait_for_timeout(40)
    raise AssertionError("the others never stop")


def taken(person: Person, before: int, tries: int = 300) -> bool:
    """Whether the table took what was done."""
    for _ in range(tries):
        if person.version() != before:
            return True
        person.page.wait_for_timeout(30)
    return False


def to_the_list(person: Person) -> None:
    """L: the list of every choice; again if the table was just being laid anew."""
    for _ in range(100):
        person.page.keyboard.press("l")
        person.page.wait_for_timeout(60)
        if person.page.evaluate("document.activeElement.dataset.listed !== undefined"):
            return
    raise AssertionError("no list of choices")


FOCUS = """() => { const e = document.activeElement; return {id: e.id, action: e.dataset.action ?? '',
    listed: e.dataset.listed ?? null, choice: e.matches('.buttons .choice')} }"""


def tab_to(person: Person, wanted: Any) -> bool:
    """Go from one thing to the next until it is a wanted one."""
    for _ in range(90):
        person.page.keyboard.press("Tab")
        if wanted(person.page.evaluate(FOCUS)):
            return True
    return False


def by_keys(person: Person, tried: int) -> str:
    """One decision by the keyboard: on the board while trying, by a button that ends a step, or from the list."""
    keys, before = person.page.keyboard, person.version()
    if tried < TRIED and person.count("[data-target], .pieces .piece.can, .models .can"):
        person.page.keyboard.press("Escape")
        if tab_to(person, lambda on: on["id"] == "board"):
            for key in ("n", "Enter", "Enter"):
                keys.press(key)
                person.page.wait_for_timeout(30)
            if taken(person, before, 30):
                return "board"
            before = person.version()
    ends = person.page.locator(".buttons .choice").evaluate_all("es => es.map(e => e.dataset.action)")
    end = next((action for action in ends if " " not in action), None)
    keys.press("1")
    if end is not None and tab_to(person, lambda on: on["choice"] and on["action"] == end):
        keys.press("Enter")
        assert taken(person, before), end
        return "button"
    to_the_list(person)
    keys.press("Enter")
    assert taken(person, before), person.page.evaluate(FOCUS)
    return "list"


@pytest.mark.parametrize("game", SHORT)
def test_a_turn_by_the_keyboard_alone(visit: Visit, game: str) -> None:
    person = visit()
    seated(person, game)
    start = next_decision(person)
    ways: list[str] = []
    for _ in range(MOST):
        ways.append(by_keys(person, len(ways)))
        now = next_decision(person)
        if now["over"] or now["turn"] != start["turn"]:
            break
    else:
        pytest.fail(f"no turn in {MOST} decisions: {ways}")
    assert "board" in ways, ways
    assert len(ways) >= 3


@pytest.mark.parametrize("game", SHORT)
def test_a_turn_by_the_accessibility_tree_alone(visit: Visit, game: str) -> None:
    """Only what the tree names is read, and only what it names is pressed; in French."""
    person = visit(locale="fr-FR")
    seated(person, game)
    start = next_decision(person)
    for n in range(MOST):
        to_the_list(person)
        tree = person.page.locator("main").aria_snapshot()
        assert re.search(r'heading ".*décider.*" \[level=2\]', tree), tree
        assert not RAW.search(tree), (RAW.search(tree), tree)
        whole = person.page.locator(".all-actions")
        names = re.findall(r'\bbutton "([^"]+)"', whole.aria_snapshot())
        assert names, tree
        before = person.version()
        wanted = names[n % len(names)] if n < TRIED else ended(names)
        said = re.compile("^" + re.escape(wanted.split(", ")[0]))  # costs and chances may have been added since
        button = whole.get_by_role("button", name=said).first
        if button.count():  # unless the table has moved on by itself: what is forced is done at once
            button.press("Enter")
            assert taken(person, before), wanted
        now = next_decision(person)
        if now["over"] or now["turn"] != start["turn"]:
            return
    pytest.fail(f"no turn in {MOST} decisions")


ENDS = re.compile(
    r"^(fini|terminer|passer|prêt|fin\b|arrêter|ne plus|tenir|rester|garder|cesser|laisser|attendre|poser|rien|"
    r"s['’]arrêter|lancer|aucun|renoncer|halte|suffit|c['’]est tout|tirer)",
    re.IGNORECASE,
)


def ended(names: list[str]) -> str:
    """What ends a step, by its name; else the first."""
    return next((name for name in names if ENDS.match(name.replace("’", "'"))), names[0])
