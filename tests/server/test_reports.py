"""The report and the hint over the wire: who may have them, and when."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful
from grognard.server.messages import log_lines
from grognard.server.reports import what_happened
from tests.server.harness import Server, Visitor


def solo(server: Server, **order: Any) -> tuple[Visitor, str]:
    """Somebody who plays against the computer."""
    red = server.visitor()
    table, _ = red.open_table(**{"seats": {"red": "me", "blue": "ai:random"}, "scenario": "raid"} | order)
    return red, table


def whole(person: Visitor, table: str, **params: Any) -> dict[str, Any]:
    """The report, once it is made."""
    for _ in range(600):
        answer = person.get(f"/api/tables/{table}/report", **params)
        if answer.status_code == 200:
            found: dict[str, Any] = answer.json()
            return found
        assert answer.status_code == 202, answer.text
        assert set(answer.json()) == {"done", "total"}
        time.sleep(0.1)
    raise AssertionError("the report never came")


def test_a_report_is_for_finished_games_and_told_in_the_readers_language(server: Server) -> None:
    red, table = solo(server)
    answer = red.get(f"/api/tables/{table}/report")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "not-over"
    state = red.view(table, "red")
    red.act(table, "red", *state["legal"][0], state["version"])
    red.post(f"/api/tables/{table}/resign", {"side": "red"})
    english, french = whole(red, table, lang="en"), whole(red, table, lang="fr")
    assert english["result"]["winner"] == "blue"
    assert english["curve"] == french["curve"], "made once"
    assert english["result"]["text"] != french["result"]["text"]
    assert not any("[" in row["text"] for name in ("turning", "rolls", "costly") for row in english[name])


def test_after_the_game_units_have_their_names_whoever_acted() -> None:
    """The log of the enemy calls what it saw the back of by a token; the report is told when nothing is hidden."""
    game, veiled = find_game("picket"), 0
    for seed in range(12):
        session, dice = Session.new(game, "raid", {}, seed=f"named-{seed}"), random.Random(seed)
        while session.state.waiting:
            s, side = session.state, session.state.waiting[0]
            session.act(side, game.write(s, side, hopeful(dice, game, s, side, game.legal(s, side))))
        for n, entry in enumerate(session.entries, 1):
            events = log_lines(session, entry.side, "en", n - 1, n)[0]["events"]
            veiled += any("#" in event["text"] for event in events)
            told = what_happened(session, n, "en")
            assert "#" not in told["text"] + told["came"], (seed, n)
    assert veiled, "nobody ever saw the back of a block only"


def test_a_hint_is_legal_and_for_who_decides(server: Server) -> None:
    red, table = solo(server)
    state = red.view(table, "red")
    while "red" not in state["prompt"]["waiting"]:
        time.sleep(0.1)
        state = red.view(table, "red")
    hint = red.get(f"/api/tables/{table}/hint", side="red").json()
    assert hint["orders"][0] in state["legal"]
    assert len(hint["texts"]) == len(hint["orders"])
    stranger = server.visitor()
    assert stranger.get(f"/api/tables/{table}/hint", side="red").status_code == 403
    assert red.get(f"/api/tables/{table}/hint", side="blue").status_code == 403


def test_no_hints_where_people_play_each_other(server: Server) -> None:
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table()
    blue.join(invitations["blue"])
    side = red.view(table, "red")["prompt"]["waiting"][0]
    answer = {"red": red, "blue": blue}[side].get(f"/api/tables/{table}/hint", side=side)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "no-hint"


@pytest.mark.parametrize("what", ["report", "hint"])
def test_a_closed_table_tells_strangers_nothing(server: Server, what: str) -> None:
    red, table = solo(server, terms={"watchers": "nobody"})
    red.post(f"/api/tables/{table}/resign", {"side": "red"})
    assert server.visitor().get(f"/api/tables/{table}/{what}", side="red").status_code == 403
