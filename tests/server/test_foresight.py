"""Looking ahead: what an action would lead to, from positions that the side cannot tell apart; series on the wire."""

from __future__ import annotations

import json

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import IllegalAction
from grognard.kernel.session import Session
from grognard.server.foresight import foresee
from tests.server.harness import HEADERS, Server

STEPS = 60


def sessions(name: str) -> Session:
    """A game to walk through."""
    game = find_game(name)
    return Session.new(game, game.scenarios[0], {}, seed="foresight")


@pytest.mark.parametrize("name", playable_names())
def test_foresight_says_what_then_comes(name: str) -> None:
    """Where no die, no secret and nobody else has a say, the legal list that follows is the one foretold."""
    session, seen = sessions(name), 0
    for number in range(STEPS):
        if not session.state.waiting:
            break
        side = session.state.waiting[0]
        orders = session.game.orders(session.state, side)
        order = orders[number * 7 % len(orders)]
        told = foresee(session, side, [order], "en")
        session.act(side, order)
        if not told["ends"]:
            seen += 1
            assert told["orders"] == session.game.orders(session.state, side)
        elif told["ends"] == "others":
            assert session.state.waiting != (side,) or session.result is not None
    assert seen > 3, "it never saw anything"


@pytest.mark.parametrize("name", playable_names())
def test_foresight_changes_nothing_and_throws_no_die(name: str) -> None:
    session = sessions(name)
    for _ in range(20):
        side = session.state.waiting[0]
        orders = session.game.orders(session.state, side)
        before = json.dumps(session.state.to_json(), sort_keys=True, default=str)
        for order in orders[:3]:
            foresee(session, side, [order], "fr")
        assert json.dumps(session.state.to_json(), sort_keys=True, default=str) == before
        session.act(side, orders[0])


def test_foresight_is_the_same_whatever_is_hidden() -> None:
    """Fog: the list that would follow is foretold alike on every position that the side could not tell apart."""
    game = find_game("bitw")
    session = Session.new(game, "SBW1", {}, seed="foresight")
    for _ in range(3):
        session.act(session.state.waiting[0], ("done", ""))
    side = session.state.waiting[0]
    order = next(o for o in game.orders(session.state, side) if o[0] == "move")
    told = foresee(session, side, [order], "en")
    truth = session.state
    for number in range(4):
        session.state = game.redeal(truth, side, seed_from(f"other {number}"))
        again = foresee(session, side, [order], "en")
        assert all(again[key] == told[key] for key in ("orders", "reach", "ends"))


def test_what_is_refused_is_refused_with_its_rule() -> None:
    session = sessions("picket")
    with pytest.raises(IllegalAction):
        foresee(session, session.state.waiting[0], [("no-such", "")], "en")


def test_a_series_over_the_wire_and_its_undo(server: Server) -> None:
    red = server.visitor()
    table, _ = red.open_table(seats={"red": "me", "blue": "ai:random"})
    state = red.view(table, "red")
    while not any(verb == "move" for verb, _ in state["legal"]):
        red.act(table, "red", *state["legal"][0], state["version"])
        state = red.view(table, "red")
    pick = next(order for order in state["legal"] if order[0] == "move")
    answer = red.http.get(f"/api/tables/{table}/foresee", params={"side": "red", "do": " ".join(pick)})
    assert answer.status_code == 200, answer.text
    way = next(order for order in answer.json()["orders"] if order[0] == "to")
    said = {"side": "red", "orders": [pick, way], "version": state["version"]}
    done = red.http.post(f"/api/tables/{table}/acts", json=said, headers=HEADERS)
    assert done.status_code == 200, done.text
    assert [line["verb"] for line in done.json()["log"]][-2:] == ["move", "to"]
    assert done.json()["version"] == state["version"] + 1, "one change"
    back = {"side": "red", "version": state["version"] + 1, "to": len(state["log"])}
    undone = red.http.post(f"/api/tables/{table}/undo", json=back, headers=HEADERS)
    assert undone.status_code == 200, undone.text
    assert red.view(table, "red")["legal"] == state["legal"]


@pytest.mark.parametrize("orders", [[], "move", [["move"]], [["move", 3]], [["move", "x"]] * 61])
def test_a_series_that_is_none_is_refused(server: Server, orders: object) -> None:
    red = server.visitor()
    table, _ = red.open_table(seats={"red": "me", "blue": "ai:random"})
    version = red.view(table, "red")["version"]
    said = {"side": "red", "orders": orders, "version": version}
    answer = red.http.post(f"/api/tables/{table}/acts", json=said, headers=HEADERS)
    assert answer.status_code in (400, 422), answer.text
    assert red.view(table, "red")["version"] == version


def test_where_orders_bring_salts_they_come_singly(server: Server) -> None:
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table()
    blue.join(invitations["blue"])
    state = red.view(table, "red")
    side = state["prompt"]["waiting"][0]
    player = {"red": red, "blue": blue}[side]
    state = player.view(table, side)
    said = {"side": side, "orders": [state["legal"][0]], "version": state["version"]}
    answer = player.http.post(f"/api/tables/{table}/acts", json=said, headers=HEADERS)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "salt-each"
