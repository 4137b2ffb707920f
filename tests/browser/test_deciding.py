"""Where one decides: the ways are weighed in one sentence; the others' turn glides by; fights leave a card."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import Person, reached
from tests.browser.test_pointing import view_of

Until = Any


def weighs(decision: str, *verbs: str) -> Until:
    """Until this decision has these verbs."""
    return lambda session, side, name, orders: name == decision and set(verbs) <= {verb for verb, _ in orders}


def reacts(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
    """Until an aircraft may join a battle of the other side's turn, and that can be weighed."""
    if type(session.state.frames[-1]).__name__ != "Reacting":
        return False
    game, s = session.game, session.state
    odds = [game.odds(s, side, game.read(s, side, order)) for order in orders if order[0] == "attack"]
    if not odds or not all(answer and "error" not in answer for answer in odds):
        return False
    chances = [answer["outcome"]["results"]["attacker_wins"]["percent"] for answer in odds if answer]
    return all("<" not in chance and ">" not in chance for chance in chances)  # what is certain is not weighed


def two_battles(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
    """Until there is a choice between fights."""
    return name == "PickBattle" and len(orders) > 1


def guns(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
    """Until a unit has several targets for its gun, and few enough to compare."""
    return name == "Act" and 2 <= sum(verb == "shoot" for verb, _ in orders) <= 6


WEIGHED = {
    "normandie": ("cherbourg cobra", weighs("Fly", "fly"), ("with air support", "without"), ("avec appui", "sans")),
    "surrender": ("atlantic", weighs("ChooseEscort", "escort"), ("without escort", "with "), ("sans escorte", "avec ")),
    "bitw": ("SBW2 SBW3", reacts, ("with it", "without it"), ("avec elle", "sans elle")),
    "blitzkrieg": ("lesson stonne40", guns, ("shooting at",), ("en tirant sur",)),
    "picket": ("raid crossing", two_battles, ("in 0",), ("à 0",)),
}  # fmt: skip


@pytest.mark.parametrize("game", WEIGHED)
def test_the_ways_to_decide_are_weighed_in_one_sentence(visit: Visit, game: str) -> None:
    scenario, until, english, french = WEIGHED[game]
    session, side = reached(game, scenario, until)
    person = visit()
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    if game == "bitw":
        key = person.page.locator("[data-target]").first.get_attribute("data-target")
        person.bring_to_sight(str(key))
        person.click_at(f"[data-target='{key}'] .glow", 0.2)
    for word in english:
        person.wait_text(".weighed-sentence", word)
    said = person.text(".weighed-sentence")
    assert "%" in said or game == "picket", "picket tells steps"
    person.page.click("button:has-text('FR')")
    for word in french:
        person.wait_text(".weighed-sentence", word)


def followed(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
    """Until others have moved and somebody has fought since this side acted."""
    since = []
    for entry in reversed(session.entries):
        if entry.side == side:
            break
        since.append({event.kind for event in entry.events if event.heard_by(side)})
    moves = sum(bool(kinds & {"moved", "move", "sets-out"}) for kinds in since)
    fights = sum("roll" in kinds for kinds in since) or session.game.name == "surrender"
    return len(session.entries) > 30 and moves >= 1 and bool(fights) and 3 <= len(since) <= 40


FOLLOWED = {
    "picket": "crossing", "bitw": "SBW3", "normandie": "cobra", "surrender": "fall-gelb", "blitzkrieg": "stonne40",
}  # fmt: skip


@pytest.mark.parametrize("game", FOLLOWED)
def test_their_turn_glides_by_and_its_fights_leave_cards(visit: Visit, game: str) -> None:
    session, side = reached(game, FOLLOWED[game], followed)
    person = visit(reduced_motion="no-preference")
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    assert person.count(".arrow, .track") > 0, "arrows stay until one acts"
    watch_gliders(person)
    person.page.click(".theirs-head button >> nth=0")
    person.wait(".follow .follow-said")
    person.page.click(".follow .play")
    assert person.page.get_attribute(".follow .play", "aria-label") == "Play"
    steps = int(person.text(".follow-at").split("/")[1])
    for _ in range(min(steps, 12)):
        if not person.count(".follow"):
            break
        person.page.click(".follow-buttons button >> nth=3")
        person.page.wait_for_timeout(80)
    assert person.page.evaluate("window.gliders") > 0, "pieces went their way"
    if person.count(".follow"):
        person.page.select_option(".follow select", "4")
        person.page.click(".follow-buttons button >> nth=1")
        person.page.click(".follow .choice")
    person.gone(".follow")
    person.wait(".again")
    person.gone("[data-glider]")
    if any(event.kind == "roll" for entry in session.entries[-20:] for event in entry.events):
        person.page.locator(".turn-reports summary").first.click()
        assert person.count(".report-card") > 0
        assert person.text(".report-card h4").strip()


def test_who_asked_for_less_motion_sees_no_gliding(visit: Visit) -> None:
    session, side = reached("picket", FOLLOWED["picket"], followed)
    person = visit(reduced_motion="reduce")
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    watch_gliders(person)
    person.page.click(".theirs-head button >> nth=0")
    person.wait(".follow .follow-said")
    for _ in range(4):
        if person.count(".follow"):
            person.page.click(".follow-buttons button >> nth=3")
            person.page.wait_for_timeout(60)
    assert person.page.evaluate("window.gliders") == 0


def watch_gliders(person: Person) -> None:
    """Count the pieces that set out; they may have arrived before anybody asks."""
    person.page.evaluate(
        """() => {
        window.gliders = 0;
        const count = (change) => change.addedNodes.forEach((node) => {
            if (node.getAttribute?.('data-glider')) window.gliders += 1;
        });
        const watch = new MutationObserver((changes) => changes.forEach(count));
        watch.observe(document.querySelector('.glides'), { childList: true });
    }"""
    )


@pytest.mark.parametrize("game", [name for name in FOLLOWED if name != "blitzkrieg"])  # its table has a test of its own
def test_a_second_press_on_what_does_not_glow_says_why_with_its_rule(visit: Visit, game: str) -> None:
    session, side = reached(game, FOLLOWED[game], lambda session, side, name, orders: some_hexes(orders))
    person = visit()
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    person.wait("[data-target]")
    state = view_of(person, side)
    named = {word for _, target in state["legal"] for word in target.split("/")}
    places = {str(piece.get("at") or piece.get("place")): piece["id"] for piece in state["view"]["pieces"]}
    dull = [key for key, piece in places.items() if key.isdigit() and key not in named and piece not in named]
    person.bring_to_sight(sorted(dull)[0])
    person.page.focus("#board")
    person.page.keyboard.press("Enter")
    person.wait(".glass")
    assert not person.count(".trouble"), "the first only looks"
    person.page.keyboard.press("Enter")
    person.wait(".trouble .rule-link")
    person.page.locator(".trouble .rule-link").first.click()
    person.wait("dialog[open] .rule-text")


def some_hexes(orders: list[tuple[str, str]]) -> bool:
    """Whether there is something to click on the map, and not everything."""
    return 3 <= sum(target.isdigit() and len(target) == 4 for _, target in orders) <= 40


def test_an_opened_pile_is_not_covered_by_the_card_beside_the_pointer(visit: Visit) -> None:
    session, side = reached("normandie", "cobra cherbourg", weighs("PickStack", "move"))
    person = visit()
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    can = "e => e.querySelector('.piece.can') && e.querySelectorAll('.piece').length > 1"
    piles = f"[...document.querySelectorAll('.pieces .pile')].filter({can}).map(e => e.dataset.pile)"
    pile = person.page.evaluate(piles)[0]
    person.bring_to_sight(pile)
    person.click_at(f"[data-pile='{pile}'] .piece")
    person.wait(".spread")
    x, y = person.middle(f"[data-pile='{pile}'] .piece")
    for shift in (12, 0):
        person.page.mouse.move(x + shift, y)
    person.page.wait_for_timeout(700)
    assert not person.count(".hover-card")
    assert person.count(".spread [data-piece]") > 1
