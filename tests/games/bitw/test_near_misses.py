"""Readings that come near a rule and miss it: each test here fails for one wrong implementation that looked right."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.knowledge import BACK, could_be
from grognard.games.bitw.rules import headquarters, targets
from grognard.games.bitw.rules.movement import MoveGround
from grognard.games.bitw.state import OUT
from grognard.games.bitw.theatre import western_europe
from grognard.games.bitw.world import POWERS, SIDE_OF, UNITS, world

from .table import go_to, node, position, u

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("1.3")
def test_1_3_a_hidden_block_is_one_with_its_back() -> None:
    """Nation and ground, air or fort show; so a French corps is not taken for an aircraft or a Briton."""
    s = GAME.setup("SBW3", {}, "near")
    for unit in (u("fr-6"), u("fr-b1"), u("uk-1")):
        deck = could_be(s, 1 - SIDE_OF[unit], unit)
        assert len(deck) > 1
        assert {BACK[v] for v in deck} == {BACK[unit]}
        assert {UNITS[v].power for v in deck} == {UNITS[unit].power}


@pytest.mark.rule("3.7.1-canaries")
def test_3_7_the_boxes_of_america_are_in_play_and_the_islands_are_not() -> None:
    t = western_europe()
    inside = {key: bool(t.playable[area.node]) for key, area in t.board.areas.items()}
    assert {key for key, yes in inside.items() if yes} == {"usa", "canada"} & set(inside)
    assert len(inside) > 2


@pytest.mark.rule("7.5.1", "5.0c")
def test_5_0c_a_power_that_is_out_does_not_march() -> None:
    s = position("0507: fr-6 | 0404: uk-1 | 0509: de-26", start=True)
    go_to(s, "7.5", 1)
    c, ask = s.frames[-1], MoveGround()
    assert u("fr-6") in ask.legal_nouns(s, c, 1, "move")
    s.status[IDS["FR"]] |= OUT
    assert u("fr-6") not in ask.legal_nouns(s, c, 1, "move")
    assert ask.why_not(s, c, 1, "move", u("fr-6")) is not None
    assert u("uk-1") in ask.legal_nouns(s, c, 1, "move")


@pytest.mark.rule("32.1")
def test_32_1_ten_hits_destroy_a_factory_of_that_colour() -> None:
    """Two new factories in one hex: the blue one goes, the black one stays."""
    s = position("", options={"advanced": "on", "bombing": "on", "factories": "on"}, first="1943-08")
    paris = node("0505")
    s.turn = 2
    colours = [targets.COLOURED.index(c) for c in ("blue", "black")]
    s.plants = tuple((IDS["DE"], colour, paris, 1) for colour in reversed(colours))
    targets.destroy_factory(s, paris, "blue")
    assert [p[1] for p in s.plants] == [targets.COLOURED.index("black")]


@pytest.mark.rule("5.4a")
@pytest.mark.parametrize("name", ["SBW4", "SBW7"])
def test_5_4a_italy_earns_nothing_and_germany_may_give_three(name: str) -> None:
    s = GAME.setup(name, {}, "near")
    (italy,) = (pool for pool in world(s).scenario.pools if IDS["IT"] in pool.nations)
    assert (italy.income, italy.aid_from, italy.aid_most) == (0, IDS["DE"], 3)


@pytest.mark.rule("13.8.5")
def test_13_8_5_a_minor_leader_gives_every_order_of_a_strategic_hq_once() -> None:
    for name in ("be-leo", "nl-win"):
        leader = headquarters.headquarters()[u(name)]
        every = ("armour", "air", "unsupplied", "rail", "sea", "drop", "reserve", "recon")
        assert leader.limits == dict.fromkeys(every, 1)
        assert leader.powers == {UNITS[u(name)].power}
