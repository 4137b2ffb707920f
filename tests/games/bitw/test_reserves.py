"""31 Reserves."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules import reserves
from grognard.games.bitw.rules.definitions import movement_points
from grognard.games.bitw.state import MOTORISED, RESERVE, BitwState
from grognard.games.bitw.world import UNIT_IDS
from grognard.kernel import flow, seed_from

from .table import act, node, position, refusal, u

ON = {"advanced": "on", "reserves": "on"}


def phase(units: str, row: str = "7.5", side: int = 0, **more: Any) -> BitwState:
    """A position at a row of a side's turn, with reserves."""
    s = position(units, options=more.pop("options", ON), first=more.pop("first", "1944-08"), **more)
    s.phasing = side
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index(row)
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("31.0a", "31.0c")
def test_31_0a_held_back_now_moved_in_the_exploitation() -> None:
    s = phase("0510: de-5pza | 0508: de-26, de-1ss | 0604: uk-3")
    assert refusal(s, 0, "reserve", "de-26") == "31.0c"  # nobody is active
    act(s, 0, "activate", "de-5pza")
    act(s, 0, "reserve", "de-26")
    assert s.fuel[u("de-5pza")] == 3
    assert refusal(s, 0, "move", "de-26") == "7.5.1"
    while s.frames[-1].at() != "7.10":
        act(s, s.waiting[0], "done")
    act(s, 0, "move", "de-26")
    assert s.frames[-1].left == movement_points(s, u("de-26"), False)
    act(s, 0, "to", "0607")
    act(s, 0, "done") if s.frames[-1].at() == "7.10" else act(s, 0, "halt")
    assert refusal(phase("0508: de-26", options={"advanced": "on"}), 0, "reserve", "de-26") == "31.0a"


@pytest.mark.rule("31.0a")
def test_31_0a_tech_2_only() -> None:
    s = phase("0505: fr-dg | 0504: fr-6 | 0708: de-26", side=1, first="1940-05")
    act(s, 1, "activate", "fr-dg")
    assert refusal(s, 1, "reserve", "fr-6") == "31.0a"


@pytest.mark.rule("31.0b", "31.0c")
def test_31_0b_armour_for_the_enemys_turn_by_armour_hqs_alone() -> None:
    s = phase("0510: de-5pza | 0506: de-26, de-1ss, de-r | 0904: uk-3", "7.10")  # in France, where Rommel commands
    s.owner[:] = bytearray([0] * len(s.owner))
    act(s, 0, "activate", "de-r")
    assert hq.can_command(s, u("de-r"), u("de-1ss"), "reserve")
    assert refusal(s, 0, "reserve", "de-1ss") == "31.0c"
    act(s, 0, "activate", "de-5pza")
    assert refusal(s, 0, "reserve", "de-26") == "31.0b"
    act(s, 0, "reserve", "de-1ss")
    assert s.orders[u("de-1ss")] & RESERVE
    assert refusal(s, 0, "move", "de-1ss") == "7.5.1"


def in_reaction(units: str, *held: str) -> BitwState:
    """The Reaction Phase of the Allied turn, with units in reserve."""
    s = position(units, options=ON, first="1944-08")
    for name in held:
        s.orders[u(name)] |= RESERVE
    s.phasing = 1
    turn = PlayerTurn(side=1)
    turn.row = turn.labels.index("31.0b")
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("31.0b", "31.0d")
def test_31_0d_reserves_join_battles_in_reach() -> None:
    s = in_reaction("0606: uk-3, de-26 | 0608: de-1ss, de-2ss | 0609: de-58pz", "de-1ss", "de-58pz")
    assert {a for a in GAME.orders(s, 0) if a[0] == "commit"} == {("commit", "de-1ss"), ("commit", "de-58pz")}
    assert refusal(s, 0, "commit", "de-2ss") == "31.0b"
    act(s, 0, "commit", "de-1ss")
    assert s.place[u("de-1ss")] == node("0606")
    assert not s.orders[u("de-1ss")] & RESERVE


@pytest.mark.rule("31.0d")
def test_31_0d_within_the_stacking_limits() -> None:
    s = in_reaction("0606: uk-3, de-26, de-5 | 0608: de-1ss, de-5pza", "de-1ss", "de-5pza")
    assert refusal(s, 0, "commit", "de-1ss") == "31.0d"  # two combat units defend already
    assert refusal(s, 0, "commit", "de-5pza") is None
    far = in_reaction("0604: uk-3, de-26 | 0510: de-1ss | 0605: de-5pza", "de-1ss", "de-5pza")
    assert refusal(far, 0, "commit", "de-1ss") == "31.0d"


@pytest.mark.rule("31.0d")
def test_31_0d_between_two_battles_the_owner_chooses() -> None:
    s = in_reaction("0606: uk-3, de-26 | 0806: us-5, de-5 | 0707: de-1ss", "de-1ss")
    act(s, 0, "commit", "de-1ss")
    assert GAME.orders(s, 0) == [("to", "0606"), ("to", "0806")]
    assert refusal(s, 0, "to", "0605") == "31.0d"
    act(s, 0, "to", "0806")
    assert s.place[u("de-1ss")] == node("0806")


@pytest.mark.rule("31.0d")
def test_31_0d_against_a_blitz() -> None:
    s = position("0606: uk-3, de-26 | 0608: de-1ss", options=ON, first="1944-08")
    s.orders[u("de-1ss")] |= RESERVE
    s.frames.append(Combat(hex=node("0606"), attacker=1, blitz=1))
    flow.run(GAME.tables, s)
    assert ("commit", "de-1ss") in GAME.orders(s, 0)
    plain = position("0606: uk-3, de-26 | 0608: de-1ss", options=ON, first="1944-08")
    plain.orders[u("de-1ss")] |= RESERVE
    plain.frames.append(Combat(hex=node("0606"), attacker=1))
    flow.run(GAME.tables, plain)
    assert ("commit", "de-1ss") not in GAME.orders(plain, plain.waiting[0])


@pytest.mark.rule("31.0d")
def test_31_0d_reserves_end_with_the_owners_next_movement() -> None:
    s = position("0608: de-1ss | 0604: uk-3", options=ON, first="1944-08")
    s.orders[u("de-1ss")] |= RESERVE
    turn = PlayerTurn(side=0)
    turn.row = turn.labels.index("31.0d")
    s.frames.append(turn)
    flow.run(GAME.tables, s)
    assert not s.orders[u("de-1ss")]


@pytest.mark.rule("31.0c")
def test_31_0c_the_enemy_does_not_know() -> None:
    s = position("0608: de-1ss | 0604: uk-3", options=ON, first="1944-08", start=True)
    before = GAME.view(s, 1)
    s.orders[u("de-1ss")] |= RESERVE | MOTORISED
    assert GAME.view(s, 1) == before
    assert GAME.view(s, 0) != before
    assert reserves.reserves_count(s)


@pytest.mark.rule("31.0b")
def test_31_0b_a_scenario_begins_with_reserves() -> None:
    begun = GAME.setup("SBW8", {}, seed_from("stance"))
    held = {name for name, unit in UNIT_IDS.items() if begun.orders[unit] & RESERVE}
    assert held == {"de-lehr", "de-1ss", "de-47pz", "de-58pz", "de-5pza"}
    assert not any(GAME.setup("SBW8", {"reserves": "off"}, seed_from("stance")).orders)
