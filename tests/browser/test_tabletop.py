"""A measured table in the browser: scenery and models, moving by mouse, drag and keyboard, the tape, sight, a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.session import Session
from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.test_pointing import order, view_of

WISHES = ("ready", "begin", "activate", "unit", "move", "let-pass")  # how to come quickly to where a test begins


def come_to(person: Person, decision: str) -> dict[str, Any]:
    """Go on until the allies have a decision of that name; the state then."""
    for _ in range(60):
        state = view_of(person, "allies")
        if state["view"]["decision"] == decision and state["legal"]:
            shown = f"() => document.querySelector('[data-decision]')?.dataset.decision === '{decision}'"
            person.page.wait_for_function(shown)
            return state
        if state["legal"]:
            wished = [a for verb in WISHES for a in state["legal"] if a[0] == verb] or state["legal"]
            order(person, "allies", " ".join(wished[0]).strip())
        else:
            person.page.wait_for_timeout(200)
    raise AssertionError(f"no decision {decision}")


@pytest.fixture
def player(visit: Visit) -> Person:
    """The allies in the lesson, against the computer."""
    person = visit()
    table, _ = person.open_table(game="blitzkrieg", scenario="lesson", seats={"allies": "me", "axis": "ai:greedy"})
    person.sit(table)
    person.wait(".tabletop .unit")
    return person


def place_of(person: Person, piece: str) -> str:
    """Where a model stands, by the page."""
    found: str = person.page.locator(f".unit[data-piece='{piece}']").get_attribute("data-at")
    return found


def test_the_table_is_painted_and_every_known_unit_stands_on_it(player: Person) -> None:
    state = view_of(player, "allies")
    standing = {piece["id"]: piece["at"] for piece in state["view"]["pieces"] if piece.get("at")}
    shown = player.page.locator(".unit").evaluate_all("es => es.map(e => [e.dataset.piece, e.dataset.at])")
    assert dict(shown) == standing
    player.page.wait_for_function(
        "() => [...document.querySelectorAll('img.table-layer')].length === 2"
        " && [...document.querySelectorAll('img.table-layer')].every(i => i.naturalWidth > 1000)"
    )
    assert player.count(".objective") >= 1
    assert player.errors == []


def test_a_tank_is_moved_by_dragging_it_and_faced_by_the_rose(player: Person) -> None:
    state = come_to(player, "To")
    unit = state["view"]["frames"][-1]["unit"]
    player.wait(f".unit.held[data-drag='{unit}']")
    assert int(player.page.locator(".pips").get_attribute("data-count")) == len(
        [a for a in state["legal"] if a[0] == "to"]
    )
    x, y = player.middle(f".unit[data-piece='{unit}'] .unit-ring")
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 20, y + 6, steps=3)
    player.page.mouse.move(x + 90, y + 8, steps=5)
    near = player.wait("[data-near]").get_attribute("data-near")
    assert "cm" in player.page.locator(".ribbon-length .tape-tag text").text_content()
    assert player.count(".ribbon:not(.straight)") == 1, "the way is the one that the rules measured"
    player.page.mouse.up()
    come_to(player, "Face")
    assert place_of(player, unit) == near
    assert player.count(".rose-point") == 16
    player.page.locator("[data-face='face ENE']").click()
    player.gone(".rose-point")
    after = view_of(player, "allies")
    assert next(p for p in after["view"]["pieces"] if p["id"] == unit)["facing"] == 3
    assert player.errors == []


def test_a_drag_activates_takes_up_and_sets_out(player: Person) -> None:
    come_to(player, "Activate")
    player.settled()
    before = player.table()["actions"]
    tanks = player.page.locator(".unit.can[data-drag]")
    box = tanks.first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 20, y + 6, steps=3)
    player.wait("[data-decision='To']")
    assert player.table()["actions"] == before + 3, "the formation, the unit and its move"
    player.wait(".pips")
    player.page.mouse.up()
    player.page.click("#undo")
    player.wait("[data-decision='Activate']")


def test_a_unit_is_moved_by_the_keyboard_alone(player: Person) -> None:
    state = come_to(player, "To")
    unit = state["view"]["frames"][-1]["unit"]
    board = player.page.locator("#board")
    board.focus()
    player.page.keyboard.press("n")
    first = player.wait("[data-cursor]").get_attribute("data-cursor")
    assert ["to", first] in state["legal"], "the nearest target comes first"
    assert " cm " in player.page.locator(".live").text_content(), "distance and bearing are told"
    player.page.keyboard.press("ArrowUp")
    player.page.keyboard.press("Shift+ArrowRight")
    there = player.page.locator("[data-cursor]").get_attribute("data-cursor")
    assert there != first
    player.page.keyboard.press("ArrowLeft")
    if ["to", player.page.locator("[data-cursor]").get_attribute("data-cursor")] not in state["legal"]:
        player.page.keyboard.press("n")
    goal = player.page.locator("[data-cursor]").get_attribute("data-cursor")
    assert ["to", goal] in state["legal"]
    player.page.keyboard.press("Enter")
    player.page.keyboard.press("Enter")
    come_to(player, "Face")
    assert place_of(player, unit) == goal


def test_targets_are_listed_by_distance_and_bearing(player: Person) -> None:
    come_to(player, "To")
    player.page.locator(".target-list summary").click()
    told = player.page.locator(".target-list li button").all_inner_texts()
    away = [int(line.rsplit(", ", 1)[1].split(" cm")[0]) for line in told]
    assert away == sorted(away)
    assert away[0] <= 6


def test_the_tape_measures_and_says_what_stands_in_the_way(player: Person) -> None:
    come_to(player, "Activate")
    player.page.locator("#board").focus()
    player.page.keyboard.press("0")
    player.page.wait_for_timeout(600)
    player.page.locator(".tool-tape").click()
    box = player.page.locator(".table-world").bounding_box()
    assert box is not None
    places = ((0.35, 0.75), (0.6, 0.25))
    for across, down in places:
        player.page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
    player.wait(".tape .tape-tag text")
    assert " cm " in player.page.locator(".tape .tape-tag text").text_content()
    player.wait(".tape.blocked")
    player.page.locator("#board").focus()
    player.page.keyboard.press("Escape")
    player.gone(".tape")


def test_what_is_seen_is_shown_and_hangs_on_the_table_alone(player: Person) -> None:
    come_to(player, "To")
    player.page.locator("#board").focus()
    player.page.keyboard.press("v")
    player.wait(".sight path")
    player.page.keyboard.press("r")
    player.wait(".range-ring")
    asked = f"{player.address}/api/games/blitzkrieg/sight?map=stonne40&from=091-101&up=0"
    found = player.page.request.get(asked).json()
    assert sum(found["runs"][::2]) == 72 * 48
    assert player.page.request.get(asked.replace("091-101", "092-101")).status == 404
    assert player.page.request.get(asked.replace("stonne40", "nowhere")).status == 404


def test_the_table_on_a_phone_in_french(visit: Visit) -> None:
    person = visit(viewport={"width": 390, "height": 780}, locale="fr-FR", has_touch=True)
    table, _ = person.open_table(game="blitzkrieg", scenario="lesson", seats={"allies": "me", "axis": "ai:greedy"})
    person.sit(table)
    person.wait(".tabletop .unit")
    assert person.page.locator(".tool-tape").get_attribute("aria-label") == "Mètre ruban"
    wide = person.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out"
    assert person.errors == []


def test_smoke_is_thrown_and_lies_on_the_table(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="blitzkrieg", scenario="lesson2", seats={"allies": "me", "axis": "ai:greedy"})
    person.sit(table)
    person.wait(".tabletop .unit")
    wishes = ("activate assault-pioneers", "unit uk-pioneer-1", "ready", "begin", "let-pass", "hold-fire")
    for _ in range(80):
        state = view_of(person, "allies")
        orders = [" ".join(action).strip() for action in state["legal"]]
        if "smoke" in orders:
            break
        if not orders:
            person.page.wait_for_timeout(200)
            continue
        wished = next((line for line in wishes if line in orders), orders[-1])
        order(person, "allies", wished)
    person.wait("[data-action^='smoke']").click()
    person.page.wait_for_function("() => document.querySelector('[data-decision]')?.dataset.decision === 'Puff'")
    assert person.count(".pips") == 1
    person.page.locator("#board").focus()
    for key in ("n", "Enter", "Enter"):
        person.page.keyboard.press(key)
    person.wait("[data-action^='enough']:enabled").click()
    person.wait(".cloud")
    assert person.count(".cloud") == len(view_of(person, "allies")["view"]["smoke"]) == 1
    assert person.errors == []


def test_who_rides_is_drawn_with_its_vehicle_and_gets_off_by_a_click(visit: Visit) -> None:
    person = visit()
    seats = {"allies": "me", "axis": "ai:random"}
    table, _ = person.open_table(game="blitzkrieg", scenario="arras40", seats=seats)
    person.sit(table)
    person.wait(".tabletop .unit")
    assert person.count(".unit[data-piece='uk-bren-2'] .towed") == 1, "the 2-pounder is behind its carrier"
    assert person.count(".unit[data-piece='uk-bren-1'] .rider[data-piece='uk-brencrew-1']") == 1
    assert person.count(".unit[data-piece='uk-brencrew-1']") == 0, "who is aboard has no base of its own"
    for wished in ("ready", "begin", "activate carriers", "unit uk-brencrew-1"):
        for _ in range(40):
            legal = [" ".join(a).strip() for a in view_of(person, "allies")["legal"]]
            if wished in legal:
                order(person, "allies", wished)
                break
            usual = [a for a in legal if a.split()[0] in ("activate", "done", "let-pass", "hold")]
            if wished == "begin" and not any(a in ("begin", "wait") for a in legal) and legal:
                break
            if usual:
                order(person, "allies", usual[0])
            else:
                person.page.wait_for_timeout(200)
    come_to_act = "() => document.querySelector('[data-decision]')?.dataset.decision === 'Act'"
    person.page.wait_for_function(come_to_act)
    point = next(a[1] for a in view_of(person, "allies")["legal"] if a[0] == "alight")
    order(person, "allies", f"alight {point}")
    person.page.wait_for_function(
        f"() => document.querySelector(\".unit[data-piece='uk-brencrew-1']\")?.dataset.at === '{point}'"
    )
    assert person.errors == []


def test_works_are_drawn_while_they_stand(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(
        game="blitzkrieg", scenario="stalingrad42", seats={"allies": "me", "axis": "ai:random"}
    )
    person.sit(table)
    person.wait(".tabletop .unit")
    assert person.count(".marker.barricade[data-work] .sandbag") == 14
    assert person.count(".marker.mines[data-work]") == 3
    title = person.page.locator(".marker.barricade title").first.text_content()
    assert title is not None
    assert "barricade" in title
    assert person.errors == []


def test_a_force_is_bought_with_the_mouse_and_what_is_refused_says_why(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(game="blitzkrieg", scenario="encounter44", seats={"allies": "ai:random", "axis": "me"})
    person.sit(table)
    person.wait(".muster")
    more = person.page.locator("[data-offer='tigers-pz6'] > button").last
    for bought in (1, 2):
        more.click()
        person.page.wait_for_function(
            f"() => document.querySelector(\"[data-offer='tigers-pz6'] output\").textContent === '{bought}/2'"
        )
    assert more.is_disabled()
    why = person.page.locator("[data-offer='tigers-pz6'] .offer-why .rule-link")
    assert "Points system" in str(why.get_attribute("aria-label"))
    assert "552" in str(person.page.locator(".muster-sum").text_content())
    person.page.locator("[data-offer='tigers-pz6'] > button").first.click()
    person.page.wait_for_function("() => document.querySelector('.muster-sum').textContent.includes('276')")
    list_of = Path(__file__).parent.parent.parent / "examples" / "forces" / "grenadiers-1944.toml"
    person.page.locator(".muster-lists input").set_input_files(str(list_of))  # what was bought is given back first
    person.page.wait_for_function(
        "() => document.querySelector(\"[data-offer='german-mortars'] output\").textContent === '1/1'"
    )
    assert str(person.page.locator("[data-offer='tigers-pz6'] output").text_content()) == "0/2"
    with person.page.expect_download() as saved:
        person.page.locator("[data-order='save-force']").click()
    assert 'model = "pz5g"\ncount = 2' in Path(saved.value.path()).read_text("utf-8")
    person.page.locator("[data-order='mustered']").click()
    person.page.wait_for_function("() => !document.querySelector('.muster')")
    assert person.errors == []


def test_two_batteries_are_not_one_for_each_side(visit: Visit) -> None:
    """At Bastogne both batteries are American: nothing at the head of the page may credit the Germans with one."""
    person = visit()
    table, _ = person.open_table(game="blitzkrieg", scenario="bastogne44", seats={"axis": "me", "allies": "ai:random"})
    person.sit(table)
    person.wait(".tabletop .unit")
    told = person.page.locator(".banner").all_inner_texts()
    assert any("points" in text for text in told), "the head of the page says how the side stands"
    assert not any(word in text for text in told for word in ("at hand", "used", "attempts", "mines left"))


def test_fire_out_of_arc_is_refused_after_a_click_with_its_rule_and_the_way_out(visit: Visit) -> None:
    """A gun behind its carrier points one way: a click on a tank elsewhere says so, and nothing has happened."""
    game = find_game("blitzkrieg")
    session = Session.new(game, "arras40", seed="3")
    wishes = ("ready", "unit uk-p2-1", "activate carriers", "begin", "let-pass", "wait", "hold", "done")
    allies = game.sides.index("allies")
    while True:
        side = game.actors(session.state)[0]
        frames = game.view(session.state, allies)["frames"]
        if side == allies and frames and frames[-1].get("unit") == "uk-p2-1":
            break
        orders = {" ".join(order).strip(): order for order in game.orders(session.state, side)}
        session.act(side, next((orders[wish] for wish in wishes if wish in orders), next(iter(orders.values()))))
    target = "de-pz38tc-1"
    refusal = game.why(session.state, allies, ("shoot", target))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("base-arcs", "out-of-arc")

    person = visit()
    person.sit(person.lay(session, "allies"))
    person.wait("[data-decision='Act']")
    person.bring_to_sight(place_of(person, target))
    person.settled()
    before = person.version()
    person.click_twice(f".unit[data-piece='{target}']")
    person.wait(".trouble .rule-link")
    assert "The weapon does not bear on it. Turn first." in person.text(".trouble")
    person.page.click(".trouble .rule-link")
    person.wait("dialog[open] .rule-text")
    assert "arc" in person.text("dialog").lower()
    assert person.version() == before
    assert person.errors == []
