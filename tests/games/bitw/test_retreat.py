"""7.7.13-7.7.18 Retreats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import retreat as rt
from grognard.games.bitw.state import FOUGHT, MISSION
from grognard.games.bitw.world import POWERS

from .table import act, battle, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}
MISS = (1,) * 60


def fight(units: str, *attackers: str, at: str = "0606", **more: object) -> object:
    s = position(units, **more)  # type: ignore[arg-type]
    for name in attackers:
        set_out(s, name, at)
        s.origin[u(name)] = node("0607")
        s.flags[u(name)] |= FOUGHT
    return s


@pytest.mark.rule("7.7.13")
def test_7_7_13_ground_units_wait_for_the_ground_step() -> None:
    s = fight("0606: fr-6 4, fr-zn 4 | 0607: de-26 4 | 0505: fr-9", "de-26")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert s.frames[-1].at() == "7.7.1c" or s.frames[-1].at().startswith("7.7.13")  # type: ignore[attr-defined]
    assert refusal(s, 1, "retreat", "fr-6") == s.frames[-1].at()  # type: ignore[arg-type,attr-defined] # not a choice now
    assert refusal(s, 1, "withdraw", "fr-6") == "7.7.13"  # type: ignore[arg-type]
    assert refusal(s, 1, "withdraw", "fr-zn") is None  # type: ignore[arg-type]


@pytest.mark.rule("7.7.18", "7.7.12")
def test_7_7_18_the_defender_chooses_first_and_may_leave_some() -> None:
    s = fight("0606: fr-6 4, fr-9 4 | 0607: de-26 4 | 0505: fr-18", "de-26")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    assert s.waiting == (1,)  # type: ignore[attr-defined]
    act(s, 1, "retreat", "fr-9")  # type: ignore[arg-type]
    act(s, 1, "to", "0605")  # type: ignore[arg-type]
    act(s, 1, "stay")  # type: ignore[arg-type]
    assert s.waiting == (0,)  # type: ignore[attr-defined]
    act(s, 0, "stay")  # type: ignore[arg-type]
    assert s.place[u("fr-6")] == node("0606")  # type: ignore[attr-defined]
    assert s.frames[-1].round == 2  # type: ignore[attr-defined]


@pytest.mark.rule("7.7.18", "7.7.12")
def test_7_7_18_who_is_asked_to_stay_is_told_the_chances_of_the_further_rounds() -> None:
    s = fight("0606: fr-6 4, fr-9 4 | 0607: de-26 4 | 0505: fr-18", "de-26")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    whole = GAME.odds(s, 1, GAME.read(s, 1, ("stay", "")))  # type: ignore[arg-type]
    assert whole is not None
    results = whole["outcome"]["results"]
    assert sum(Fraction(share["p"]) for share in results.values()) == 1
    s.steps[u("fr-9")] = 1  # type: ignore[attr-defined]
    worn = GAME.odds(s, 1, GAME.read(s, 1, ("stay", "")))  # type: ignore[arg-type]
    assert worn is not None
    wins = [Fraction(one["outcome"]["results"]["attacker_wins"]["p"]) for one in (whole, worn)]
    assert wins[0] < wins[1], "they are of those who stand there now"
    assert GAME.odds(s, 1, GAME.read(s, 1, ("retreat", "fr-9"))) is None  # type: ignore[arg-type]


@pytest.mark.rule("7.7.14a")
def test_7_7_14a_one_hex_free_of_charge_to_different_hexes() -> None:
    s = fight("0606: fr-6 4, fr-9 4 | 0607: de-26 4 | 0505: fr-18", "de-26")
    battle(s, "0606", dice=MISS)  # type: ignore[arg-type]
    hexes = [t for v, t in rt_legal(s, "fr-6")]
    assert set(hexes) <= {"0505", "0506", "0605", "0607", "0706", "0707", "0705"}
    act(s, 1, "to", hexes[0])  # type: ignore[arg-type]
    other = [t for v, t in rt_legal(s, "fr-9")]
    act(s, 1, "to", other[-1])  # type: ignore[arg-type]
    assert s.place[u("fr-6")] != s.place[u("fr-9")]  # type: ignore[attr-defined]


def rt_legal(s: object, name: str) -> list[tuple[str, str]]:
    act(s, 1, "retreat", name)  # type: ignore[arg-type]
    return GAME.orders(s, 1)  # type: ignore[arg-type]


@pytest.mark.rule("7.7.14b")
def test_7_7_14b_no_retreat_into_an_enemy_zone() -> None:
    s = position("0606: fr-6 | 0506: fr-9")
    set_out(s, "de-26", "0606")
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0605")) is None
    set_out(s, "de-27", "0604")
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0605")).rule == "7.7.14b"  # type: ignore[union-attr]
    set_out(s, "fr-18", "0605")  # occupied by a friend: no zone there
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0605")) is None


@pytest.mark.rule("7.7.14b")
def test_7_7_14b_based_aircraft_count() -> None:
    s = position("0606: fr-6")
    set_out(s, "de-26", "0606")
    set_out(s, "de-jf2", "0705")
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0605")).rule == "7.7.14b"  # type: ignore[union-attr]
    s.flags[u("de-jf2")] |= MISSION
    refused = rt.why_not_retreat_to(s, u("fr-6"), node("0605"))
    assert refused is None or refused.rule != "7.7.14b"


@pytest.mark.rule("7.7.15a")
def test_7_7_15a_towards_supply_past_no_enemy_or_battle() -> None:
    s = position("0608: de-26")
    set_out(s, "fr-6", "0608")
    assert rt.leads_to_supply(s, u("de-26"), node("0609"), node("0608"))
    for wall in ("0508", "0509", "0610", "0709", "0708"):
        set_out(s, {"0508": "fr-9", "0509": "fr-18", "0610": "fr-20", "0709": "fr-11", "0708": "fr-41"}[wall], wall)
    assert not rt.leads_to_supply(s, u("de-26"), node("0609"), node("0608"))


@pytest.mark.rule("7.7.15a")
def test_7_7_15a_not_through_an_enemy_city() -> None:
    s = position("")
    set_out(s, "de-26", "0405")
    set_out(s, "fr-6", "0405")
    refused = rt.why_not_retreat_to(s, u("de-26"), node("0505"))
    assert refused is not None
    assert refused.rule == "7.7.15a"


@pytest.mark.rule("7.7.15b")
def test_7_7_15b_onto_friends_or_into_a_friendly_city() -> None:
    s = position("0606: fr-6")
    set_out(s, "de-26", "0606")
    s.owner[node("paris")] = IDS["DE"]  # no source anywhere
    for port in ("0404", "0604", "0904"):
        s.owner[node(port)] = IDS["DE"]
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0707")).rule == "7.7.15a"  # type: ignore[union-attr]
    set_out(s, "fr-9", "0707")
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0707")) is None


@pytest.mark.rule("7.7.15c", "7.7.17")
def test_7_7_17_no_overstacking_and_no_way_out() -> None:
    s = position("0606: fr-6 | 0605: fr-9, fr-18")
    set_out(s, "de-26", "0606")
    assert rt.why_not_retreat_to(s, u("fr-6"), node("0605")).rule == "7.7.17"  # type: ignore[union-attr]
    for hex, name in (("0506", "de-27"), ("0507", "de-30"), ("0607", "de-10"), ("0706", "de-4"), ("0707", "de-9")):
        set_out(s, name, hex)
    assert rt.retreat_hexes(s, u("fr-6")) == []
    assert rt.why_not_retreat(s, u("fr-6")).rule == "7.7.15c"  # type: ignore[union-attr]


@pytest.mark.rule("3.21")
def test_3_21_frozen_units_do_not_retreat() -> None:
    s = position("0606: fr-6", frozen=[{"turn": 1, "units": ["fr-6"]}])
    set_out(s, "de-26", "0606")
    assert rt.why_not_retreat(s, u("fr-6")).rule == "3.21"  # type: ignore[union-attr]


def test_aircraft_over_a_lost_hex_must_leave() -> None:
    from grognard.games.bitw.frames import Combat

    s = position("0505: fr-9")
    set_out(s, "fr-zn", "0606")
    s.steps[u("fr-zn")] = 3
    set_out(s, "de-26", "0606")
    s.steps[u("de-26")] = 2
    assert rt.must_leave(s, Combat(hex=node("0606"), attacker=0), u("fr-zn"))


@pytest.mark.rule("3.3a", "3.1.1a", "7.7.14a")
def test_3_3a_a_unit_that_retreats_into_a_hex_controls_it() -> None:
    s = position("0606: fr-6 4 | 0607: de-26 4 | 0505: fr-18")
    set_out(s, "de-26", "0606")
    s.origin[u("de-26")] = node("0607")
    s.owner[node("0605")] = IDS["DE"]  # overrun before, and empty
    battle(s, "0606", dice=MISS)
    act(s, 1, "retreat", "fr-6")
    act(s, 1, "to", "0605")
    assert s.owner[node("0605")] == IDS["FR"]


@pytest.mark.rule("7.7.13", "7.7.18")
def test_7_7_13_aircraft_may_leave_after_every_step() -> None:
    s = position("0606: fr-6 4, fr-3a 4 | 0607: de-26 4, de-4a 4 | 0510: de-1fk 4 | 0505: fr-b1 4")
    for name in ("de-26", "de-4a", "de-1fk"):
        set_out(s, name, "0606")
        s.origin[u(name)] = node("0607")
    s.flags[u("de-1fk")] |= MISSION | FOUGHT
    battle(s, "0606", dice=MISS)
    asked = []
    for _ in range(8):
        asked.append((s.frames[-1].at(), s.waiting[0]))
        act(s, s.waiting[0], "stay")
    # the attacker's bomber: after the AA, the air-to-ground and the artillery step; then the ground units as well
    assert [row for row, side in asked if side == 0][:4] == ["7.7.13c", "7.7.13e", "7.7.13h", "7.7.18"]
    assert asked.index(("7.7.18", 1)) < asked.index(("7.7.18", 0))


@pytest.mark.rule("7.7.13", "6.3.3c")
def test_7_7_13_one_answer_for_the_rest_of_the_round() -> None:
    asked = []
    for verb in ("stay", "stay-on"):
        s = position("0605: fr-6 3, de-26 3 | 0510: de-jf2")
        set_out(s, "de-jf2", "0605")
        s.flags[u("de-jf2")] |= MISSION
        s.base[u("de-jf2")] = node("0510")
        c = battle(s, "0605", dice=(1,) * 60)
        number = 0
        while s.frames[-1] is c and c.round == 1 and type(GAME.decision(s)).__name__ == "AirRetreat":
            act(s, 0, verb)
            number += 1
        asked.append(number)
        assert type(GAME.decision(s)).__name__ == "Retreat"  # the round is over: everybody is asked
    assert asked == [3, 1]


@pytest.mark.rule("7.7.13", "7.7.18", "6.3.3c")
def test_7_7_18_one_answer_for_the_whole_battle() -> None:
    """Nobody who said that he stays to the end is asked again, on the ground or in the air; the enemy still is."""
    asked = {}
    for verb in ("stay", "stay-through"):
        s = position("0605: fr-6 3, de-26 3 | 0510: de-jf2")
        set_out(s, "de-jf2", "0605")
        s.flags[u("de-jf2")] |= MISSION
        s.base[u("de-jf2")] = node("0510")
        c = battle(s, "0605", dice=(1,) * 200)
        asked[verb] = [0, 0]
        while s.frames[-1] is c and c.round < 4:
            side = s.waiting[0]
            asked[verb][side] += 1
            act(s, side, verb if side == 0 else "stay")
        assert c.round == 4
    assert asked == {"stay": [12, 3], "stay-through": [1, 3]}
    later = battle(position("0605: fr-6 3, de-26 3"), "0605", dice=MISS)
    assert later.staying == (0, 0)  # another battle, another word


@pytest.mark.rule("6.3.3c")
def test_6_3_3c_who_must_leave_is_asked_whatever_was_said() -> None:
    s = position("0606: fr-6 3, uk-3g 2, de-26 3")
    c = battle(s, "0606", dice=MISS)
    c.staying, c.answered = (rt.TO_THE_END, rt.TO_THE_END), (0, 0)
    for asks in (rt.AirRetreat(), rt.Retreat()):
        c.target = ""
        assert not asks.needed(s, c, 1)
        c.target = "ground"
        assert rt.forced_out(s, c, 1) == [u("uk-3g")]
        assert asks.needed(s, c, 1)
