"""Gestures: a piece and where it goes at two clicks or one drag, the word of the rules on where not, and one undo."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Visit
from tests.browser.people import Person, reached
from tests.browser.test_by_ear import taken
from tests.browser.test_pointing import order, view_of


def seated(person: Person) -> None:
    """At La Gotica, where the German moves his ground units."""
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    for line in ("done", "done", "done"):
        order(person, "axis", line)
    person.wait(".pieces .piece.can")
    person.settled()


def said(person: Person, side: str = "axis") -> list[tuple[str, str]]:
    """The actions of the log, as far as a side was told them."""
    return [(line.get("verb", ""), line.get("target", "")) for line in view_of(person, side)["log"]]


def wait_for(person: Person, length: int, side: str = "axis") -> list[tuple[str, str]]:
    """The log once it has so many entries."""
    for _ in range(600):
        found = said(person, side)
        if len(found) == length:
            person.settled()
            return found
        person.page.wait_for_timeout(50)
    raise AssertionError(f"{length} entries never came: {said(person, side)}")


def lone(person: Person) -> list[str]:
    """Movable pieces that lie alone, by where they lie."""
    script = """es => es.filter((e) => e.closest('[data-pile]').querySelectorAll('[data-piece]').length === 1)
      .map((e) => e.dataset.piece)"""
    found: list[str] = person.page.locator(".pieces .piece.can, .pieces .piece.next").evaluate_all(script)
    return found


def thens(person: Person) -> list[str]:
    """Empty hexes where the chosen piece could go, the nearest by cost first."""
    script = """es => es.filter((e) => !document.querySelector(`[data-pile='${e.dataset.then}']`))
      .map((e) => [Number(e.textContent), e.dataset.then]).filter(([cost]) => cost > 0).sort((a, b) => a[0] - b[0])"""
    found: list[list[Any]] = person.page.locator("[data-then]").evaluate_all(script)
    return [str(hex) for _, hex in found]


def take(person: Person, piece: str) -> None:
    """One click on a piece that lies alone."""
    pile = person.page.locator(f".pieces [data-piece='{piece}']").first.evaluate(
        "e => e.closest('[data-pile]').dataset.pile"
    )
    person.bring_to_sight(pile)
    person.click_at(f".pieces [data-piece='{piece}']")


def test_two_clicks_move_a_piece_one_drag_moves_the_next_and_one_undo_takes_it_back(visit: Visit) -> None:
    person = visit()
    seated(person)
    first, second = lone(person)[:2]
    take(person, first)
    person.wait("[data-then]")
    near = thens(person)[0]
    person.page.mouse.move(*person.middle(f"[data-then='{near}'] polygon"))
    person.wait(".hover-card .outlook")
    told = person.text(".hover-card")
    for word in ("moves from", "Supply lane", "cost"):
        assert word in told, told
    assert person.count(".preview-line"), "its way is drawn"
    person.page.mouse.click(*person.middle(f"[data-then='{near}'] polygon"))
    log = wait_for(person, 5)
    assert log[-2:] == [("move", first), ("to", near)]

    in_hand = person.text(".phase-text")
    person.wait(f".pieces [data-piece='{second}']")
    pile = person.page.locator(f".pieces [data-piece='{second}']").first
    person.bring_to_sight(pile.evaluate("e => e.closest('[data-pile]').dataset.pile"))
    x, y = person.middle(f".pieces [data-piece='{second}']")
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x + 16, y + 12, steps=3)
    person.wait("[data-then]")
    goal = thens(person)[0]
    person.page.mouse.move(*person.middle(f"[data-then='{goal}'] polygon"), steps=4)
    person.wait(f".then.over[data-then='{goal}']")
    person.wait_text(".hover-card .outlook", "moves from")  # a drop acts at once: what it does is told before
    person.page.mouse.up()
    length = 8 if in_hand.startswith("Choose a hex") else 7
    log = wait_for(person, length)
    assert log[-2:] == [("move", second), ("to", goal)], "what was in hand was laid down by itself"
    person.page.click("#undo")
    assert wait_for(person, 5)[-1] == ("to", near), "one undo takes the whole gesture back"


def test_a_drag_to_where_a_piece_cannot_go_is_refused_with_its_rule(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    seated(person)
    piece = lone(person)[0]
    take(person, piece)
    person.wait("[data-then]")
    before = len(said(person))
    x, y = person.middle(f".pieces [data-piece='{piece}']")
    box = person.page.locator(".frame").bounding_box()
    assert box is not None
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x + 16, y + 12, steps=3)
    person.page.mouse.move(box["x"] + 30, box["y"] + box["height"] - 30, steps=4)
    person.page.mouse.up()
    person.wait(".trouble .rule-link")
    assert "Règle" in person.text(".trouble .rule-link")
    assert len(said(person)) == before


def test_on_a_phone_a_touched_piece_shows_where_it_can_go_and_a_tap_sends_it(visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    person = visit(locale="fr-FR", **phone)
    seated(person)
    piece = lone(person)[0]
    pile = person.page.locator(f".pieces [data-piece='{piece}']").first
    person.bring_to_sight(pile.evaluate("e => e.closest('[data-pile]').dataset.pile"))
    person.page.touchscreen.tap(*person.middle(f".pieces [data-piece='{piece}']"))
    person.wait("[data-then]")
    near = thens(person)[0]
    person.page.touchscreen.tap(*person.middle(f"[data-then='{near}'] polygon"))
    assert wait_for(person, 5)[-2:] == [("move", piece), ("to", near)]


def test_what_can_be_said_once_for_all_is_one_button(visit: Visit) -> None:
    def joining(session: Any, side: int, decision: str, orders: Any) -> bool:
        return len(orders) > 3 and {verb for verb, _ in orders} == {"join"}

    person = visit()
    session, side = reached("normandie", "cherbourg", joining)
    units = len(session.game.orders(session.state, session.state.waiting[0]))
    before = len(session.entries)
    person.sit(person.lay(session, side))
    person.wait("[data-batch='join']")
    assert f"All join ({units})" in person.text(".batches")
    person.page.click("[data-batch='join']")
    log = wait_for(person, before + units, side)
    assert {verb for verb, _ in log[before:]} == {"join"}
    person.page.click("#undo")
    wait_for(person, before, side)


def test_nobody_is_offered_to_disband_everything(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    order(person, "axis", "done")
    person.wait("[data-action='done']:has-text('Disband no more')")
    person.page.wait_for_timeout(600)  # what lies behind the choices has been asked for
    assert not person.count(".batch")


def piles(person: Person) -> list[str]:
    """Where several pieces lie that can be taken."""
    script = """() => [...document.querySelectorAll('.pieces .pile')]
      .filter((e) => e.querySelectorAll('.piece.can').length > 1).map((e) => e.dataset.pile)"""
    found: list[str] = person.page.evaluate(script)
    return found


def test_a_piece_of_a_pile_goes_at_two_clicks(visit: Visit) -> None:
    person = visit()
    seated(person)
    pile = piles(person)[0]
    person.bring_to_sight(pile)
    before = len(said(person))
    person.click_at(f"[data-pile='{pile}'] .piece")
    person.wait(".spread .piece.chosen")
    person.wait("[data-then]")
    first = person.page.locator(".spread .piece.chosen").get_attribute("data-piece")
    assert person.count(".glass .stack li") > 1, "the glass still tells of the whole pile"
    person.click_at(f"[data-pile='{pile}'] .piece")
    person.page.wait_for_function(
        "(first) => document.querySelector('.spread .piece.chosen')?.dataset.piece !== first", arg=first
    )
    second = person.page.locator(".spread .piece.chosen").get_attribute("data-piece")
    assert len(said(person)) == before, "the pile only goes on to the next"
    person.page.wait_for_function("() => document.querySelector('[data-then]')")
    target = thens(person)[0]
    person.bring_to_sight(target)
    person.click_at(f"[data-then='{target}'] polygon", 0.15)
    log = wait_for(person, before + 2)
    assert log[-2] == ("move", second)
    assert target in log[-1][1]


def test_who_joins_is_taken_from_an_open_pile_by_one_click_each(visit: Visit) -> None:
    def crowd(session: Any, side: int, name: str, orders: list[tuple[str, str]]) -> bool:
        return name == "Commit" and sum(verb == "join" for verb, _ in orders) > 4

    session, side = reached("normandie", "cobra cherbourg", crowd)
    person = visit()
    person.sit(person.lay(session, side))
    person.page.click(".briefing .choice")
    person.wait(".pieces .piece.can")
    pile = piles(person)[0]
    person.bring_to_sight(pile)
    before = len(said(person, side))
    person.click_at(f"[data-pile='{pile}'] .piece")
    person.wait(".spread .piece.can")
    other = person.page.locator(".spread .piece.can:not(.chosen)").first.get_attribute("data-piece")
    person.click_at(f".spread [data-piece='{other}']")
    assert wait_for(person, before + 1, side)[-1] == ("join", other)
    assert person.count(".spread"), "the pile stays open for the next"


def test_an_opened_pile_closes_when_the_question_moves_on(visit: Visit) -> None:
    """What could be taken for one question can be taken for the next as well: it covers the map all the same."""
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")

    def done() -> None:
        asked = person.text(".phase-words")
        order(person, "axis", "done")
        person.page.wait_for_function(
            "(asked) => document.querySelector('.phase-words').innerText !== asked", arg=asked
        )

    done()
    done()  # rail next, then moves: pieces of a pile can go by either
    pile = piles(person)[0]
    person.bring_to_sight(pile)
    person.click_at(f"[data-pile='{pile}'] .piece")
    person.wait(".spread .piece.can")
    done()
    person.wait(f".pieces [data-pile='{pile}'] .piece.can")
    assert not person.count(".spread")


def test_clicks_alone_do_not_disband_an_army(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    order(person, "axis", "done")
    person.page.wait_for_function("() => document.querySelector('.prompt, .phase')?.textContent.includes('disband')")
    before = len(said(person))
    piece = lone(person)[0]
    where = f".pieces [data-piece='{piece}']"
    pile = person.page.locator(where).first.evaluate("e => e.closest('[data-pile]').dataset.pile")
    person.bring_to_sight(pile)
    for _ in range(3):
        person.click_at(where)
        person.page.wait_for_timeout(150)
    person.wait_text(".glass .hint", "the button does")
    assert len(said(person)) == before
    person.page.click(f".glass [data-action='disband {piece}']")
    assert wait_for(person, before + 1)[-1] == ("disband", piece)


def test_a_unit_is_brought_up_as_far_as_it_goes_by_one_button(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="bitw", scenario="SBW1", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.page.click(".briefing .choice")
    person.wait(".pieces .piece.can")
    person.settled()
    piece = next(unit for unit in lone(person) if unit in ("de-75", "de-87", "de-90", "rsi-mon", "rsi-anr"))
    assert not person.count("[data-batch='repair']")  # nothing is chosen yet
    before = len(said(person))
    take(person, piece)
    person.wait("[data-batch='repair']")
    assert "as often as possible" in person.text(".batches")
    person.page.click("[data-batch='repair']")
    for _ in range(100):
        if len(said(person)) > before + 1:
            break
        person.page.wait_for_timeout(50)
    log = said(person)[before:]
    assert len(log) > 1
    assert set(log) == {("repair", piece)}


def test_who_cannot_see_the_dots_hears_where_the_chosen_piece_can_go(visit: Visit) -> None:
    person = visit()
    seated(person)
    person.page.focus("#board")
    keys = person.page.keyboard
    for _ in range(12):
        keys.press("n")
        keys.press("Enter")
        person.page.wait_for_timeout(300)
        if person.count("[data-then]") > 6:
            break
    script = "() => [...document.querySelectorAll('[aria-live]')].map((e) => e.textContent).join(' ')"
    heard = []
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowDown"):
        keys.press(key)
        person.page.wait_for_timeout(150)
        heard.append(person.page.evaluate(script))
    assert any("Enter: " in one and "cost " in one for one in heard), heard


def test_an_enemy_under_a_dragged_piece_tells_the_chances_before_one_lets_go(visit: Visit) -> None:
    """And the headquarters on a pile, which could be activated too, is what a drag of it takes."""
    person = visit()
    options = {"advanced": "on", "fog": "off"}
    seats = {"axis": "me", "allies": "ai:random"}
    table, _ = person.open_table(game="bitw", scenario="SBW3", options=options, seats=seats)
    person.sit(table)
    person.page.click(".briefing .choice")
    order(person, "axis", "done")
    while "move de-kleist" not in [" ".join(one) for one in view_of(person, "axis")["legal"]]:
        order(person, "axis", "done")
    person.wait(".pieces [data-piece='de-kleist'].can")
    person.settled()
    mouse = person.page.mouse
    person.bring_to_sight("2525")
    mouse.move(*person.middle(".pieces [data-pile='2624'] [data-piece]"))
    mouse.down()
    mouse.move(*person.middle("[data-pile='2424']"), steps=6)
    person.wait("[data-dragged='de-kleist']", state="attached")
    mouse.move(*person.middle(".pieces [data-pile='2624'] [data-piece]"), steps=3)
    mouse.up()
    order(person, "axis", "activate de-kleist")
    person.settled()
    before = len(said(person))
    mouse.move(*person.middle(".pieces [data-pile='2525'] [data-piece]"))
    mouse.down()
    mouse.move(*person.middle("[data-pile='2424']"), steps=6)
    person.wait_text(".hover-card .hover-chances", "the attacker wins")
    assert len(said(person)) == before, "nothing is done before one lets go"
    mouse.move(*person.middle(".pieces [data-pile='2525'] [data-piece]"), steps=3)
    mouse.up()


def test_what_some_units_only_can_do_stands_beside_what_most_do(visit: Visit) -> None:
    """A landing by mouse: leaders are activated, a corps is sent, and the coast is chosen on the map."""
    person = visit(locale="fr-FR")
    table, _ = person.open_table(game="bitw", scenario="SBW8", seats={"axis": "ai:random", "allies": "me"})
    person.sit(table)
    person.page.click(".briefing .choice")
    while not person.count("[data-verb='activate']"):
        order(person, "allies", "done")
        person.settled()
    person.page.click("[data-verb='activate'] summary")
    for leader in ("us-ike", "uk-chu"):  # what was opened stays open
        before = len(said(person, "allies"))
        person.page.click(f"[data-verb='activate'] [data-action='activate {leader}']")
        wait_for(person, before + 1, "allies")
    while not person.count("[data-verb='land']"):
        order(person, "allies", "done" if ["done", ""] in view_of(person, "allies")["legal"] else "discard red")
        person.settled()
    assert "débarquer" in person.text("[data-verb='land'] summary").lower()
    before = len(said(person, "allies"))
    person.page.click("[data-verb='land'] summary")
    person.page.locator("[data-verb='land'] .choice").last.click()
    assert wait_for(person, before + 1, "allies")[-1][0] == "land"
    person.bring_to_sight("1625")
    person.click_twice("[data-target='1625'] .glow", 0.16)
    person.wait(".other-verbs")
    assert said(person, "allies")[-1] == ("to", "1625")


def test_all_who_may_land_at_one_beach_land_there_at_one_click(visit: Visit) -> None:
    """As long as no gun fires at them; one undo takes them all back."""

    def quiet_beaches(session: Any, side: int, decision: str, orders: Any) -> bool:
        landers = [word for verb, word in orders if verb == "land"]
        if decision != "PickStack" or len(landers) < 5:
            return False
        twin = session.state.copy()
        session.game.obey(twin, side, ("land", landers[0]))
        places = [word for verb, word in session.game.orders(twin, side) if verb == "at"]
        if not 1 < len(places) <= 4:
            return False
        session.game.obey(twin, side, ("at", places[0]))
        return type(session.game.decision(twin)).__name__ == "PickStack"

    person = visit()
    session, side = reached("normandie", "campaign", quiet_beaches, most=1500)
    person.sit(person.lay(session, side))
    person.wait("[data-batch^='land ']")
    button = person.page.locator("[data-batch^='land ']").first
    beach = str(button.get_attribute("data-batch")).split()[1]
    assert button.inner_text().startswith("Land all at ")
    waiting, before = person.version(), landings(person, side)
    button.click()
    assert taken(person, waiting)
    log = landings(person, side)[len(before) :]
    assert len(log) > 2, log
    assert {order for order in log if order[0] == "at"} == {("at", beach)}
    assert len(log) == 2 * sum(verb == "land" for verb, _ in log)
    person.page.click("#undo")
    person.page.wait_for_function("() => !document.querySelector('.choice:disabled')")
    for _ in range(600):
        if landings(person, side) == before:
            return
        person.page.wait_for_timeout(50)
    raise AssertionError("one undo takes them all back")


def landings(person: Person, side: str) -> list[tuple[str, str]]:
    """What came ashore last."""
    log = said(person, side)
    first = next((i for i in range(len(log), 0, -1) if log[i - 1][0] not in ("land", "at")), 0)
    return log[first:]
