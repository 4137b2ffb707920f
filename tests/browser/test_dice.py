"""Dice made by two browsers, seats taken and tables kept private by mouse, and the check at the end in the browser."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from grognard.games import find_game
from grognard.kernel.ceremony import Share, chain_end, share_commitment
from grognard.kernel.dice import commitment_of
from grognard.kernel.gamefile import from_text, to_text, verify
from grognard.kernel.session import Session
from grognard.server.schema import TABLES
from grognard.server.wishes import header_from
from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.server.harness import Server


def test_two_browsers_make_the_dice_and_check_them_at_the_end(visit: Visit) -> None:
    red, blue = visit(), visit()
    table, _ = red.open_table(seats={"red": "me", "blue": "open"})
    red.sit(table)
    red.wait_text(".dice-making", "Still to sit down")
    blue.sit(table)
    blue.page.click("#tab-table")
    blue.page.get_by_role("button", name="Take this seat").click()
    blue.page.click("#tab-choices")
    for person in (red, blue):
        person.wait("[data-action='pledge 0']")
        person.page.click("[data-action='pledge 0']")
    red.wait(".pieces .piece.can")
    red.act("done")
    red.page.click("#tab-table")
    red.page.get_by_role("button", name="Resign").click()
    red.wait_text(".sure", "cannot be taken back")
    red.page.get_by_role("button", name="Yes").click()
    for person in (red, blue):
        person.wait(".game-over")
        person.page.click("#tab-table")
        person.page.locator(".dice-proof .choice").click()
        person.wait(".verdict.ok")
        person.wait_text(".verdict", "Checked here in your browser")
        person.wait_text(".verdict", "this browser kept")
        person.wait_text(".verdict", "actions replayed")
    file = from_text(red.page.request.get(f"{red.address}/g/{table}.txt").text())
    verdict = verify(file, find_game)
    assert (verdict.problems, verdict.withheld, verdict.unsalted) == ([], [], {})
    assert all(line.salt for line in file.lines if line.side != "*"), "every order had its salt"


def test_dice_that_all_make_want_every_page_and_wait_for_one_that_is_closed(visit: Visit) -> None:
    """The choice is met when the table is opened; each roll asks the other page; the check finds all links."""
    red, blue = visit(), visit()
    red.go("/new?game=picket")
    red.page.select_option("[name=scenario]", "crossing")
    red.page.select_option("[name=seat-blue]", "invited")
    assert red.page.is_checked("[name=dice][value=all]"), "what one gets unless one says otherwise"
    assert "could tell a player" in red.page.locator("label:has([value=later])").inner_text()
    red.page.click("button[type=submit]")
    invitation = red.page.locator("input[data-invitation=blue]").input_value()
    red.page.click("a.choice")
    blue.page.goto(invitation)
    blue.page.click("main .choice")
    seats = {"red": red, "blue": blue}
    for person in (red, blue):
        person.wait("[data-action='pledge 0']")
    table = red.page.url.rsplit("/", 1)[1]

    def seen(side: str) -> Any:
        return seats[side].page.request.get(f"{red.address}/api/tables/{table}/view?as={side}").json()

    def until_dice(away: str = "") -> None:
        """Play until the dice of an order want the other page: it answers by itself, or is away and waited for."""
        links = sum(line.get("verb") == "witness" for line in seen("red")["log"])
        for _ in range(80):
            state = next(s for s in map(seen, seats) if s["legal"])
            if away and state["as"] == away:
                seats[away].sit(table)
            person, action = seats[state["as"]], state["legal"][-1]
            person.type(" ".join(action))
            for _ in range(200):
                now = seen(state["as"])
                if now["version"] != state["version"] or (away not in ("", state["as"]) and "order" in now["dice"]):
                    break
                person.page.wait_for_timeout(50)
            if away and state["as"] == away:
                seats[away].go("/")
            thrown = sum(line.get("verb") == "witness" for line in now["log"]) > links
            if "order" in now["dice"] if away else thrown:
                return
        raise AssertionError("nobody threw dice")

    until_dice()
    blue.go("/")
    until_dice(away="blue")
    red.wait_text(".dice-making", "wait for the page of")
    before = seen("red")["version"]
    blue.sit(table)
    red.gone(".dice-making")
    assert seen("red")["version"] == before + 1, "with the page came its link"
    red.page.click("#tab-table")
    red.wait_text(".dice-proof", "made by the browsers of all players")
    red.page.get_by_role("button", name="Resign").click()
    red.page.get_by_role("button", name="Yes").click()
    red.wait(".game-over")
    red.page.click("#tab-table")
    red.page.locator(".dice-proof .choice").click()
    red.wait(".verdict.ok")
    verdict = verify(from_text(red.page.request.get(f"{red.address}/g/{table}.txt").text()), find_game)
    assert (verdict.problems, verdict.unsalted) == ([], {})


def test_a_file_that_was_changed_on_its_way_is_found_by_the_browser_alone(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    person.sit(table)
    answer = person.page.request.post(
        f"{person.address}/api/tables/{table}/resign", data={"side": "red"}, headers={"X-Grognard": "1"}
    )
    assert answer.status == 200
    person.go(f"/g/{table}")
    person.wait(".game-over")

    def forge(route: Any) -> None:
        file = from_text(route.fetch().text())
        file.opening_draws = file.opening_draws[:-1] + ("1" if file.opening_draws[-1] != "1" else "2")
        route.fulfill(body=to_text(file))

    person.page.route(f"**/g/{table}.txt", forge)
    person.page.click("#tab-table")
    person.page.locator(".dice-proof .choice").click()
    person.wait(".verdict:not(.ok)")
    person.wait_text(".verdict", "a random number is not the one that the key gives")


def test_a_seat_is_opened_and_reserved_and_the_table_made_private_by_mouse(visit: Visit) -> None:
    owner, other = visit(), visit()
    table, _ = owner.open_table(seats={"red": "me", "blue": "invited"})
    owner.sit(table)
    owner.page.click("#tab-table")
    owner.wait_text(".seats", "reserved for an invitation")
    other.sit(table)
    other.page.click("#tab-table")
    assert other.page.get_by_role("button", name="Take this seat").count() == 0
    owner.page.get_by_role("button", name="Open to anybody").click()
    other.page.get_by_role("button", name="Take this seat").wait_for()
    owner.page.get_by_role("button", name="New invitation").click()
    owner.wait(".seats input.invite")
    other.wait_text(".seats", "reserved for an invitation")
    owner.page.click("details.terms summary")
    owner.page.select_option("details.terms [name=watchers]", "nobody")
    owner.wait_text("details.terms", "Saved.")
    stranger = visit()
    stranger.go(f"/g/{table}")
    stranger.wait_text("main", "only its players see it")
    card = json.loads(stranger.page.request.get(f"{stranger.address}/api/tables/{table}").text())
    assert card["admitted"] is False
    assert "chat" not in card


def test_a_game_of_earlier_rules_is_looked_at_and_goes_on_by_two_clicks(visit: Visit, own_server: Server) -> None:
    red, blue = visit(own_server.address), visit(own_server.address)
    table, invitations = red.open_table(seats={"red": "me", "blue": "invited"})
    red.sit(table)
    blue.go(invitations["blue"])
    blue.page.click("main .choice")
    for person in (red, blue):
        person.wait("[data-action='pledge 0']")
        person.page.click("[data-action='pledge 0']")
    red.wait(".pieces .piece.can")
    red.page.wait_for_timeout(300)
    own_server.stop_process()
    own_server.environment = {"GROGNARD_TEST_CHANGE": "rule"}
    own_server.start()
    for person in (red, blue):
        person.go(f"/g/{table}")
        person.wait_text(".old-rules", "may go on from where it stands")
        person.wait(".pieces .piece")
        person.page.get_by_role("button", name="Go on under the present rules").click()
    blue.page.wait_for_url(lambda url: table not in url)
    red.go(f"/g/{table}")
    red.page.click(".old-rules a.choice")
    red.wait(".pieces .piece.can")
    red.page.click("#tab-log")
    red.wait_text(".panel-log", "goes on from another one")


def test_dice_exchanged_by_the_host_are_found_before_the_next_order(visit: Visit, own_server: Server) -> None:
    """Whoever has the database and our code can make everything fit, where nobody has acted; not what browsers kept."""

    def come(**order: Any) -> tuple[list[Person], str]:
        people = [visit(own_server.address)]
        table, _ = people[0].open_table(**order)
        if "open" in order["seats"].values():
            people.append(visit(own_server.address))
            people[1].sit(table)
            people[1].page.click("#tab-table")
            people[1].page.get_by_role("button", name="Take this seat").click()
            people[1].page.click("#tab-choices")
        people[0].sit(table)
        return people, table

    both = {"red": "me", "blue": "me"}
    stopped = come(seats=both)
    alone = come(seats=both)
    later = come(seats={"red": "me", "blue": "open"})
    shared = come(seats={"red": "me", "blue": "open"}, dice="all")
    for person in alone[0] + stopped[0]:
        person.page.locator(".curtain button").first.click()
    for person in alone[0] + later[0] + shared[0]:
        person.wait("[data-action='pledge 0']")
    own_server.kill()
    engine = sa.create_engine(own_server.database)
    with engine.begin() as db:
        for table in (stopped[1], alone[1], later[1], shared[1]):
            row = db.execute(sa.select(TABLES).where(TABLES.c.id == table)).one()
            header = header_from(dict(row._mapping))
            header.seed = secrets.token_hex(32)
            if table != stopped[1]:
                header.commitment = commitment_of(header.seed)
            if table == shared[1]:
                entropy = chain_end(secrets.token_hex(32))
                word = share_commitment(header.id, header.shares[0].side, entropy)
                header.shares = (Share(header.shares[0].side, word, entropy), *header.shares[1:])
            begun = Session(find_game(header.game), header).chain0
            db.execute(
                TABLES.update().where(TABLES.c.id == table).values(header=json.dumps(asdict(header)), begun=begun)
            )
    engine.dispose()
    own_server.start()
    for person in alone[0] + later[0] + shared[0]:
        person.wait_text(".dice-making[role=alert]", "the host committed to another secret before the game")
        version = person.version()
        person.page.click("[data-action='pledge 0']")
        person.wait_text(".trouble", "gives no order and no share any more")
        assert person.version() == version
    shared[0][1].wait_text(".dice-making[role=alert]", "had committed to another share")
    shared[0][0].wait_text(".dice-making[role=alert]", "our own share for")
    for person in later[0]:
        state = person.page.request.get(f"{own_server.address}/api/tables/{later[1]}/view").json()
        assert state["actions"] == 0, "no order was given"
    stopped[0][0].wait_text("[role=alert]", "its record was changed")
    person = alone[0][0]
    resigned = f"{own_server.address}/api/tables/{alone[1]}/resign"
    assert person.page.request.post(resigned, data={"side": "red"}, headers={"X-Grognard": "1"}).status == 200
    person.wait(".game-over")
    person.page.click("#tab-table")
    person.page.locator(".dice-proof .choice").click()
    person.wait(".verdict:not(.ok)")
    person.wait_text(".verdict", "the host committed to another secret before the game")
    person.wait_text(".verdict", "actions replayed")
