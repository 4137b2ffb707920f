"""7.8 Blitz."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import blitz
from grognard.games.bitw.state import BLITZED, FOUGHT, MISSION, POOL, BitwState
from grognard.kernel import flow

from .table import act, node, position, refusal, set_out, u


def phase(units: str, *fought: str, **more: Any) -> BitwState:
    """The Blitz Phase of the Axis, after some units have attacked."""
    s = position(units, **more)
    for name in fought:
        s.flags[u(name)] |= FOUGHT
    turn = PlayerTurn(side=0)
    turn.row = turn.labels.index("7.8")
    s.frames.append(turn)
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("7.8a", "6.2.1a", "6.1.6c")
def test_7_8a_armour_that_attacked() -> None:
    s = phase("0606: de-19pz, de-14m | 0605: de-41pz | 0705: de-26", "de-19pz", "de-14m", "de-26")
    assert refusal(s, 0, "blitz", "de-19pz") is None
    assert refusal(s, 0, "blitz", "de-41pz") == "7.8a"  # did not attack
    assert refusal(s, 0, "blitz", "de-14m") == "6.1.6c"
    assert refusal(s, 0, "blitz", "de-26") == "7.8a"
    french = position("0606: fr-prioux")
    french.flags[u("fr-prioux")] |= FOUGHT
    assert blitz.why_not_blitz(french, u("fr-prioux")).rule == "6.2.1a"  # type: ignore[union-attr]


@pytest.mark.rule("7.8b")
def test_7_8b_into_hexes_that_cost_one() -> None:
    s = phase("0306: de-19pz | 0605: fr-6", "de-19pz")
    hexes = blitz.blitz_hexes(s, u("de-19pz"))
    assert node("0406") in hexes
    assert node("0307") not in hexes  # hills
    assert node("0206") not in hexes  # forest
    act(s, 0, "blitz", "de-19pz")
    assert refusal(s, 0, "to", "0307") == "7.8b"
    act(s, 0, "to", "0406")
    assert s.place[u("de-19pz")] == node("0406")


@pytest.mark.rule("7.8c", "6.3.1b", "6.3.2b", "6.1.6c")
def test_7_8c_followers_of_the_same_battle() -> None:
    s = phase("0606: de-19pz, de-14m, de-4a | 0706: de-6a | 0605: fr-6", "de-19pz", "de-14m", "de-4a", "de-6a")
    set_out(s, "de-1fk", "0606")
    s.flags[u("de-1fk")] |= FOUGHT | MISSION
    assert refusal(s, 0, "follow", "de-4a") == "7.8c"  # nobody has gone yet
    act(s, 0, "blitz", "de-19pz")
    act(s, 0, "to", "0605")
    assert s.place[u("de-19pz")] == node("0605")
    for name in ("de-4a", "de-14m", "de-1fk"):
        assert refusal(s, 0, "follow", name) is None, name
    assert refusal(s, 0, "follow", "de-6a") == "7.8c"  # another battle
    act(s, 0, "follow", "de-4a")
    act(s, 0, "to", "0605")
    assert s.place[u("de-4a")] == node("0605")


@pytest.mark.rule("7.8c")
def test_7_8c_tech_1_does_not_follow() -> None:
    s = position("0606: fr-1dcr, fr-3a")
    for name in ("fr-1dcr", "fr-3a"):
        s.flags[u(name)] |= FOUGHT
    s.flags[u("fr-1dcr")] |= BLITZED
    s.origin[u("fr-1dcr")] = node("0606")
    set_out(s, "fr-1dcr", "0506")
    assert blitz.follow_hexes(s, u("fr-3a")) == []
    late = position("0606: us-12c, us-1a", first="1944-12")
    for name in ("us-12c", "us-1a"):
        late.flags[u(name)] |= FOUGHT
    late.flags[u("us-12c")] |= BLITZED
    late.origin[u("us-12c")] = node("0606")
    set_out(late, "us-12c", "0506")
    assert blitz.follow_hexes(late, u("us-1a")) == [node("0506")]


@pytest.mark.rule("7.8d")
def test_7_8d_blitz_combat_without_air_reaction() -> None:
    s = phase("0606: de-19pz 5 | 0605: fr-6 1 | 0505: fr-zn", "de-19pz")
    act(s, 0, "blitz", "de-19pz")
    act(s, 0, "to", "0605")
    assert s.waiting == (0,)  # no question to the defender
    assert refusal(s, 0, "done") == "7.8d"  # the battle must be fought
    s.loaded = (1, 6, 1, 1, 1, 1)
    act(s, 0, "battle", "0605")
    assert s.place[u("fr-6")] > 60000
    assert blitz.why_not_blitz(s, u("de-19pz")) is not None  # once


@pytest.mark.rule("7.8d")
def test_7_8d_a_second_blitz_into_the_same_hex_is_fought_too() -> None:
    s = phase("0606: de-19pz 1, de-41pz | 0605: fr-6 4 | 0505: fr-9", "de-19pz", "de-41pz")
    act(s, 0, "blitz", "de-19pz")
    act(s, 0, "to", "0605")
    s.loaded = (6, 6, 6, 6)
    act(s, 0, "battle", "0605")
    assert s.place[u("de-19pz")] == POOL  # the first is lost
    act(s, 0, "blitz", "de-41pz")
    act(s, 0, "to", "0605")
    assert refusal(s, 0, "done") == "7.8d"
    assert refusal(s, 0, "battle", "0605") is None
