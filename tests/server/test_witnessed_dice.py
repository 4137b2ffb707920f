"""Dice that all make: an order that throws dice is announced, bound, witnessed by everybody else, then carried out."""

from __future__ import annotations

import secrets
import time
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.ceremony import binding, chain_end, salt_of, share_commitment
from grognard.kernel.gamefile import GameFile, from_text, replay, to_text, verify
from grognard.kernel.session import Session
from grognard.server.schema import ANNOUNCED
from grognard.server.store import Store
from tests.server.harness import Server, Visitor
from tests.server.test_peers import both, until

__all__ = ["both"]

MOST = 400


class Two:
    """Two people at a table whose dice all make, with the secrets of both."""

    def __init__(self, server: Server, second: Server | None = None, **order: Any) -> None:
        self.server = server
        self.people = {"red": server.visitor(), "blue": (second or server).visitor()}
        self.secret = {side: secrets.token_hex(32) for side in self.people}
        wish = {"game": "picket", "scenario": "crossing", "seats": {"red": "me", "blue": "open"}, "dice": "all"}
        self.id = self.red.post("/api/tables", wish | order).json()["id"]
        assert self.blue.post(f"/api/tables/{self.id}/sit", {"side": "blue"}).status_code == 200
        game = self.red.get(f"/api/tables/{self.id}").json()["dice"]["id"]
        for step in ("commitment", "entropy"):
            for side, person in self.people.items():
                share = chain_end(self.secret[side])
                word = share_commitment(game, side, share) if step == "commitment" else share
                answer = person.post(f"/api/tables/{self.id}/dice", {"side": side, step: word})
                assert answer.status_code == 200, answer.text

    @property
    def red(self) -> Visitor:
        return self.people["red"]

    @property
    def blue(self) -> Visitor:
        return self.people["blue"]

    def other(self, side: str) -> str:
        return "blue" if side == "red" else "red"

    def view(self, side: str) -> dict[str, Any]:
        return self.people[side].view(self.id, side)

    def say(self, side: str, kind: str, **order: Any) -> tuple[int, dict[str, Any]]:
        answer = self.people[side].post(f"/api/tables/{self.id}/{kind}", {"side": side, **order})
        return answer.status_code, answer.json()

    def order(self, side: str, action: list[str], state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        salt = salt_of(self.secret[side], state["salted"] + 1)
        return self.say(side, "act", verb=action[0], target=action[1], version=state["version"], salt=salt)

    def witness(self, side: str) -> tuple[int, dict[str, Any]]:
        wanted = self.view(side)["dice"]["order"]["wanted"][side]
        return self.say(side, "witness", link=salt_of(self.secret[side], wanted["number"]))

    def until_announced(self) -> tuple[str, list[str], dict[str, Any]]:
        """Play on, orders without dice, up to one that waits; who gave it, what it is, and what they saw before."""
        for _ in range(MOST):
            for side in self.people:
                state = self.view(side)
                if not state["legal"]:
                    continue
                action = state["legal"][-1]
                status, told = self.order(side, action, state)
                assert status == 200, told
                now = self.view(side)
                if "order" in now["dice"]:
                    assert now["version"] == state["version"], "nothing has happened yet"
                    return side, action, state
        raise AssertionError("nobody threw a die")

    def play_out(self) -> None:
        for _ in range(3):
            side, *_ = self.until_announced()
            assert self.witness(self.other(side))[0] == 200
        self.say("red", "resign")

    def file(self) -> GameFile:
        return from_text(self.red.get(f"/g/{self.id}.txt").text)


@pytest.fixture
def two(server: Server) -> Two:
    return Two(server)


def entries_of(two: Two) -> int:
    return int(two.view("red")["actions"])


def test_no_die_falls_before_every_other_player_has_added_a_link(two: Two) -> None:
    side, action, before = two.until_announced()
    told = two.view(two.other(side))["dice"]
    assert told["all"] is True
    assert told["order"]["side"] == side
    assert list(told["order"]["wanted"]) == [two.other(side)]
    assert entries_of(two) == before["actions"], "nothing is in the log, nothing was thrown"
    assert two.witness(two.other(side))[0] == 200
    after = two.view(side)
    assert "order" not in after["dice"]
    assert after["version"] == before["version"] + 1
    assert [line.get("verb") for line in after["log"][-2:]] == ["witness", action[0]]
    two.say("red", "resign")
    assert [bool(line.draws) for line in two.file().lines[-3:]] == [False, True, False], "the order threw, as it said"


def test_host_and_player_together_foresee_nothing(two: Two) -> None:
    """What the host has (secret, log, the order with its salt) gives other dice than those that fall."""
    side, action, before = two.until_announced()
    store = Store(two.server.database)
    row = store.table(two.id)
    logged = store.actions(two.id)
    store.close()
    assert row is not None
    from grognard.server.intake import play_on
    from grognard.server.wishes import header_from

    game = find_game("picket")
    theirs = Session(game, header_from(row))
    play_on(theirs, logged)
    salt = salt_of(two.secret[side], before["salted"] + 1)
    theirs.act(game.side_named(side), (action[0], action[1]), salt)
    assert two.witness(two.other(side))[0] == 200
    two.say("red", "resign")
    line = next(x for x in two.file().lines[len(logged) :] if x.side == side)
    assert line.draws
    assert theirs.entries[-1].chain != line.chain, "the position that they computed is not the one that came"


def test_an_order_that_was_announced_stands(two: Two) -> None:
    """Or host and player could look at the other's link and take another order."""
    side, action, before = two.until_announced()
    other = next((a for a in before["legal"] if a != action), action)
    for kind, order in (("undo", {"version": before["version"]}), ("takeback", {"to": 0})):
        assert two.say(side, kind, **order)[1]["error"]["code"] == "order-announced", kind
    assert two.order(side, other, before)[1]["error"]["code"] == "order-announced"
    bound = two.view(side)["dice"]["order"]["wanted"]
    two.server.kill()
    two.server.start()
    assert two.view(side)["dice"]["order"]["wanted"] == bound, "also after the server was killed"
    assert two.order(side, other, before)[1]["error"]["code"] == "order-announced"
    assert two.witness(two.other(side))[0] == 200
    two.say("red", "resign")
    file = two.file()
    who = two.other(side)
    number, told = bound[who]["number"], bound[who]["binding"]
    at = next(i for i, line in enumerate(file.lines) if line.verb == "witness")
    done = file.lines[at + 1]
    assert told == binding(
        file.header["seed"], file.header["id"], number, done.side, (done.verb, done.target), done.salt
    )
    fake = binding(file.header["seed"], file.header["id"], number, done.side, (done.verb, "elsewhere"), done.salt)
    assert told != fake, "and another order would not fit what the witness was told"


def test_links_that_are_not_the_next_or_not_wanted_are_refused(two: Two) -> None:
    side, _, before = two.until_announced()
    other = two.other(side)
    number = two.view(other)["dice"]["order"]["wanted"][other]["number"]
    for link in ("", "0" * 64, salt_of(two.secret[other], number + 1), salt_of(two.secret[side], number), 7):
        status, told = two.say(other, "witness", link=link)
        assert (status, told["error"]["code"]) == (422, "other-salt"), link
    own = two.say(side, "witness", link=salt_of(two.secret[side], before["salted"] + 2))
    assert (own[0], own[1]["error"]["code"]) == (409, "no-order"), "who orders is no witness"
    stranger = two.server.visitor()
    refused = stranger.post(f"/api/tables/{two.id}/witness", {"side": other, "link": "0" * 64})
    assert refused.status_code == 403
    assert two.witness(other)[0] == 200
    again = two.say(other, "witness", link=salt_of(two.secret[other], number))
    assert (again[0], again[1]["error"]["code"]) == (409, "no-order")


def test_the_file_proves_every_link_and_misses_those_that_are_not_there(two: Two) -> None:
    two.play_out()
    file = two.file()
    assert file.header["dice"] == "all"
    verdict = verify(file, find_game)
    assert verdict.problems == []
    assert verdict.unsalted == {}
    links = [line for line in file.lines if line.verb == "witness"]
    assert len(links) >= 2
    side, link = links[0].target.split(" ")
    for wrong in (f"{side} {'0' * 64}", f"{two.other(side)} {link}"):
        links[0].target = wrong
        assert verify_fails(file)
    links[0].target = f"{side} {link}"
    file.lines.remove(links[0])
    assert verify_fails(file), "an order without its witness throws other dice, or says so"


def verify_fails(file: GameFile) -> bool:
    from grognard.kernel.errors import GameFileError

    try:
        return bool(verify(from_text(to_text(file)), find_game).problems)
    except GameFileError:
        return True


def test_a_host_that_leaves_witnesses_out_is_found(two: Two) -> None:
    """A log that comes out right in every die, but in which nobody else had a part."""
    two.say("red", "resign")
    header = replay(two.file(), find_game).header
    game = find_game("picket")
    session, used = Session(game, header), {"red": 0, "blue": 0}
    while not any(entry.drawn[1] for entry in session.entries) and session.result is None:
        side = session.state.waiting[0]
        name = game.side_name(side)
        used[name] += 1
        action = game.orders(session.state, side)[-1]
        session.act(side, action, salt_of(two.secret[name], used[name]))
    session.resign(0)
    from grognard.kernel.gamefile import from_session

    problems = [error.key for error in verify(from_session(session), find_game).found]
    assert problems == ["unwitnessed"]


def test_who_does_not_come_is_left_out_after_the_patience_and_named(server: Server) -> None:
    two = Two(server, terms={"patience": 60}, time={"bank_s": 600})
    side, *_ = two.until_announced()
    other = two.other(side)
    hasty = two.say(side, "witness", go_on=True)
    assert (hasty[0], hasty[1]["error"]["code"]) == (409, "dice-patience")
    clock = two.view(side)["clock"]
    assert clock["thought"] == 0, "nobody's time runs while an order waits"
    store = Store(server.database)
    with store.writing() as db:
        db.execute(ANNOUNCED.update().where(ANNOUNCED.c.table_id == two.id).values(at=1.0))
    store.close()
    server.kill()
    server.start()
    assert two.say(side, "witness", go_on=True)[0] == 200
    state = two.view(side)
    assert "order" not in state["dice"]
    assert any("without" in line.get("text", "") for line in state["log"]), "the log says so"
    late = two.say(other, "witness", link=salt_of(two.secret[other], 1))
    assert late[1]["error"]["code"] == "no-order"
    two.say("red", "resign")
    verdict = verify(two.file(), find_game)
    assert verdict.problems == []
    assert list(verdict.unsalted) == [other]


def test_who_lost_the_own_share_lets_the_others_go_on_at_once(two: Two) -> None:
    side, *_ = two.until_announced()
    assert two.say(two.other(side), "witness", go_on=True)[0] == 200
    assert "order" not in two.view(side)["dice"]


def test_a_table_of_one_person_and_the_computer_waits_for_nobody(server: Server) -> None:
    alone = server.visitor()
    wish = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}, "dice": "all"}
    table = alone.post("/api/tables", wish).json()["id"]
    for _ in range(60):
        state = next(
            (s for s in (alone.view(table, side) for side in ("red", "blue")) if s["prompt"]["waiting"] == [s["as"]]),
            None,
        ) or alone.view(table, "red")
        if not state["legal"]:
            state = alone.view(table, "blue")
        if state["result"] is not None:
            break
        assert alone.act(table, state["as"], *state["legal"][-1], state["version"]).status_code == 200
        assert "order" not in alone.view(table, "red")["dice"]
    assert server.visitor().post("/api/tables", wish | {"dice": "mine"}).status_code == 422


def test_a_page_at_another_server_is_asked_and_answers(both: tuple[Server, Server]) -> None:
    two = Two(both[0], both[1])
    there = two.blue.watch(two.id, "blue")
    for _ in range(8):
        side, _, before = two.until_announced()
        if side == "red":
            break
        assert two.witness("red")[0] == 200
    while "order" not in (told := there.wait("dice"))["dice"] or "blue" not in told["dice"]["order"]["wanted"]:
        pass
    wanted = told["dice"]["order"]["wanted"]["blue"]
    there.say(type="witness", side="blue", link=salt_of(two.secret["blue"], wanted["number"]), id=7)
    assert there.wait("done")["reply_to"] == 7
    assert until(lambda: two.view("red")["version"] == before["version"] + 1)
    assert until(lambda: two.view("blue")["version"] == before["version"] + 1)
    assert "order" not in two.view("blue")["dice"]
    there.close()


def test_the_dice_of_the_computer_are_made_by_all_people(server: Server) -> None:
    """Three sides: two people and the computer, which waits for both of them and then goes on by itself."""
    people = {"western": server.visitor(), "soviet": server.visitor()}
    secret = {side: secrets.token_hex(32) for side in people}
    seats = {"axis": "ai:random", "western": "me", "soviet": "open"}
    wish = {"game": "surrender", "scenario": "two-fronts", "seats": seats, "dice": "all"}
    table = people["western"].post("/api/tables", wish).json()["id"]
    assert people["soviet"].post(f"/api/tables/{table}/sit", {"side": "soviet"}).status_code == 200
    game = people["western"].get(f"/api/tables/{table}").json()["dice"]["id"]
    for step in ("commitment", "entropy"):
        for side, person in people.items():
            share = chain_end(secret[side])
            word = share_commitment(game, side, share) if step == "commitment" else share
            assert person.post(f"/api/tables/{table}/dice", {"side": side, step: word}).status_code == 200
    by: list[str] = []
    for _ in range(20 * MOST):  # the computer plays by lot and may take its time before it throws
        views = {side: person.view(table, side) for side, person in people.items()}
        order = views["western"]["dice"].get("order")
        mover = next((side for side, view in views.items() if view["legal"]), None)
        if order is not None:
            by.append(order["side"])
            for side, wanted in order["wanted"].items():
                link = salt_of(secret[side], wanted["number"])
                answer = people[side].post(f"/api/tables/{table}/witness", {"side": side, "link": link})
                assert answer.status_code == 200, answer.text
            if order["side"] == "axis":
                break
        elif mover is not None:
            view = views[mover]
            verb, target = view["legal"][-1]
            act = {"side": mover, "verb": verb, "target": target, "version": view["version"]}
            salt = salt_of(secret[mover], view["salted"] + 1)
            assert people[mover].post(f"/api/tables/{table}/act", act | {"salt": salt}).status_code == 200
        else:
            time.sleep(0.05)
    assert by[-1] == "axis"
    version = views["western"]["version"]
    assert until(lambda: people["western"].view(table, "western")["version"] > version), "it goes on by itself"
    assert people["western"].post(f"/api/tables/{table}/resign", {"side": "western"}).status_code == 200
    verdict = verify(from_text(people["western"].get(f"/g/{table}.txt").text), find_game)
    assert (verdict.problems, verdict.unsalted) == ([], {})
