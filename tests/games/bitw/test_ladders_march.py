"""Ladders of marches, attacks, barrels, aircraft that leave a battle, reserves, sieges and submarines."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Combat, Committing, Evacuation, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import convoys, movement, reserves, retreat, siege
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules import supply as sup
from grognard.games.bitw.state import FOUGHT, GROUNDED, MOVED, OOS, POOL, RESERVE, put
from grognard.games.bitw.world import POWERS, UNITS, world

from .ladder import climb, given, marked, moved_to, reason
from .table import node, position, set_out, u
from .test_reserves import phase

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("7.5a", "7.5.3b", "7.5.3g")
def test_7_5a_the_way_of_a_march_is_told_hex_by_hex() -> None:
    s = position("0508: de-26 | 0705: fr-6")
    t = world(s).theatre
    for name in ("de-26", "fr-6"):
        start = s.place[u(name)]
        found = movement.reach(s, u(name), start, 3)
        assert len(found.cost) > 3
        for end, cost in found.cost.items():
            path = found.path(end)
            assert (path[-1] if path else start) == end
            prices = [dict(t.exits[a])[b] for a, b in zip((start, *path), path)]
            assert sum(prices) == cost <= 3


@pytest.mark.rule("3.22", "7.5.3g", "3.19b", "5.6.2a")
def test_3_22_who_enters_an_enemy_hex_has_fought_unless_aircraft_flee() -> None:
    s = position("0606: fr-6 | 0607: de-26, de-27 | 0706: fr-b1")
    movement.attack(s, u("de-26"), node("0606"), node("0607"))
    assert (s.place[u("de-26")], s.origin[u("de-26")]) == (node("0606"), node("0607"))
    assert s.flags[u("de-26")] & (MOVED | FOUGHT) == MOVED | FOUGHT
    assert not s.frames
    movement.attack(s, u("de-27"), node("0706"), node("0607"))
    assert s.flags[u("de-27")] & (MOVED | FOUGHT) == MOVED
    assert isinstance(s.frames[-1], Evacuation)
    assert (s.frames[-1].hex, s.frames[-1].side) == (node("0706"), 1)


@pytest.mark.rule("7.2", "4.3d")
def test_7_2_barrels_go_on_and_come_off() -> None:
    s = position("0508: de-26 | 0901: de-27 | 0505: fr-6")
    s.flags[u("de-26")] |= OOS | MOVED
    s.flags[u("fr-6")] |= OOS
    sup.mark_unsupplied(s, 0)
    assert s.flags[u("de-26")] == MOVED  # fed again; other marks stay
    assert s.flags[u("de-27")] & OOS
    assert s.flags[u("fr-6")] & OOS  # the other side's are looked at in its own turn
    assert sup.marked_units(s, 0) == [u("de-27")]
    assert sup.marked_units(s, 1) == [u("fr-6")]
    put(s, u("de-27"), POOL)
    assert sup.marked_units(s, 0) == []


@pytest.mark.rule("7.7.13", "7.7.14a", "6.3.3c")
def test_7_7_13_each_condition_of_flying_off() -> None:
    s = position("0507: fr-6 | 0508: de-26")
    for name in ("fr-b1", "de-26"):
        set_out(s, name, "0507")
        s.steps[u(name)] = UNITS[u(name)].pattern.top
    c, ask = Combat(hex=node("0507"), attacker=0, target="ground"), retreat.AirRetreat()
    climb(
        s,
        lambda x: ask.why_not(x, c, 1, "withdraw", u("fr-b1")),
        [
            (moved_to("fr-b1", node("0605")), retreat.NOT_HERE.reason),
            (marked("flags", "fr-b1", GROUNDED), retreat.GROUNDED_NOW.reason),
        ],
    )
    assert reason(ask.why_not(s, c, 0, "withdraw", u("fr-b1"))) == "not-yours"
    assert ask.why_not(s, c, 1, "withdraw", u("fr-6")) is retreat.GROUND_LATER
    assert ask.nouns(s, c, 1, "withdraw") == [u("fr-b1")]
    bomber = u("us-1bd")
    set_out(s, "us-1bd", "0507")
    s.steps[bomber] = 4
    assert retreat.must_leave(s, c, bomber)
    assert not retreat.must_leave(s, Combat(hex=node("0507"), attacker=0, target="air"), bomber)
    s.flags[bomber] |= GROUNDED
    assert not retreat.must_leave(s, c, bomber)


@pytest.mark.rule("31.0a", "31.0b", "31.0c", "31.0d")
def test_31_0_each_condition_of_reserves() -> None:
    s = phase("0510: de-5pza | 0508: de-26, de-19pz | 0505: fr-6")
    hq.activate(s, u("de-5pza"))
    climb(
        s,
        lambda x: reserves.why_not_reserve(x, u("de-26"), 0, "move"),
        [
            (marked("flags", "de-26", MOVED), "moved-already"),
            (moved_to("de-26", POOL), "not-on-map"),
            (given("active", u("de-5pza"), 0), "no-staff"),
        ],
    )
    assert reason(reserves.why_not_reserve(s, u("de-26"), 1, "move")) == "not-yours"
    assert reason(reserves.why_not_reserve(s, u("de-26"), 0, "exploit")) == "armour-only"
    assert reserves.why_not_reserve(s, u("de-19pz"), 0, "exploit") is None
    basic = position("0508: de-26")
    assert reason(reserves.why_not_reserve(basic, u("de-26"), 0, "move")) == "no-reserves"
    set_out(s, "fr-6", "0607")
    set_out(s, "de-26", "0607")
    s.orders[u("de-19pz")] |= RESERVE
    c = Combat(hex=node("0607"), attacker=1)
    climb(
        s,
        lambda x: reserves.why_not_commit(x, c, u("de-19pz"), 0),
        [
            (given("orders", u("de-19pz"), 0), "not-in-reserve"),
            (moved_to("de-19pz", POOL), "not-in-reserve"),
            (moved_to("fr-6", node("0508")), "in-battle"),
            (moved_to("de-19pz", node("0101")), "no-battle-in-reach"),
        ],
    )
    assert reason(reserves.why_not_commit(s, c, u("de-19pz"), 1)) == "not-yours"
    going = Committing(unit=u("de-19pz"), side=0, at_hex=node("0607"))
    ask = reserves.CommitTo()
    assert ask.nouns(s, going, 0, "to") == [node("0607")]
    assert ask.why_not(s, going, 0, "to", node("0607")) is None
    assert reason(ask.why_not(s, going, 0, "to", node("0606"))) == "no-battle-in-reach"
    elsewhere = Committing(unit=u("de-19pz"), side=0, at_hex=node("0505"))
    assert reason(ask.why_not(s, elsewhere, 0, "to", node("0607"))) == "no-battle-in-reach"  # this battle alone
    reserves.join(s, u("de-19pz"), node("0607"))
    assert s.place[u("de-19pz")] == node("0607")
    assert not s.orders[u("de-19pz")] & RESERVE
    assert s.flags[u("de-19pz")] & MOVED


@pytest.mark.rule("12.1a")
def test_12_1a_who_is_not_besieged_is_refused_for_that() -> None:
    s = position("0604: fr-6, fr-9", options={"advanced": "on"})
    ask, turn = siege.Endure(), PlayerTurn(side=1)
    assert reason(ask.why_not(s, turn, 0, "endure", u("fr-6"))) == "not-yours"
    assert ask.why_not(s, turn, 1, "endure", u("fr-6")) is siege.NOT_BESIEGED  # fed
    s.flags[u("fr-6")] |= OOS
    assert ask.why_not(s, turn, 1, "endure", u("fr-6")) is siege.NOT_BESIEGED  # nobody stands around
    put(s, u("fr-6"), POOL)
    assert ask.why_not(s, turn, 1, "endure", u("fr-6")) is siege.NOT_BESIEGED


@pytest.mark.rule("35.2b")
def test_35_2b_the_american_route_is_hunted_only_while_goods_travel() -> None:
    s = GAME.setup("SBW5", {"submarines": "on", "lend-lease": "on"}, "aim")
    assert convoys.why_not_aim(s, 0) is None
    s.lend_lease = 1
    counted = convoys.aid_counts(s)
    assert (convoys.why_not_aim(s, 1) is None) is counted
    s.lend_lease = 0
    s.turn = 1
    buys = counted and "US" not in {POWERS[p].id for p in world(s).scenario.in_play}
    buys = buys and world(s).scenario.month(s.turn) >= convoys.CASH_FROM
    assert (convoys.why_not_aim(s, 1) is None) is buys
    ask = convoys.AimSubmarine()
    turn = PlayerTurn(side=1)
    ask.apply(s, turn, 1, "aim", 0)
    assert turn.aimed == 1
    assert not ask.needed(s, turn, 1)
