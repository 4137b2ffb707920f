"""12 Sieges, Festungs, Desperate Attacks."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import siege
from grognard.games.bitw.rules.definitions import alliance_leader
from grognard.games.bitw.state import OOS, POOL, SUPPLIED, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow

from .table import act, battle, node, position, refused, u

ON = {"advanced": "on"}
AROUND_BORDEAUX = "0504: de-26 | 0605: de-5 | 0704: de-85"


def close(s: BitwState, *hungry: str, side: int = 1) -> BitwState:
    """The Final Supply Status Phase with these units marked."""
    for name in hungry:
        s.flags[u(name)] |= OOS
    s.phasing = side
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index("12.1a")
    s.frames.append(turn)
    flow.run(GAME.tables, s)
    return s


def besieged(units: str, *hungry: str, **more: object) -> BitwState:
    """French units in Bordeaux, a major port, with Germans all around; their capital is lost."""
    s = position(f"0604: {units} | {AROUND_BORDEAUX} | 0505: de-19pz", options=ON, **more)
    s.owner[node("0505")] = UNITS[u("de-26")].power
    return close(s, *hungry)


@pytest.mark.rule("12.1a", "12.1b")
def test_12_1b_besieged_units_lose_a_step_and_surrender_at_the_last() -> None:
    s = besieged("fr-6 3, fr-5 1", "fr-6", "fr-5")
    assert siege.is_surrounded(s, node("0604"), 1)
    assert s.steps[u("fr-6")] == 2
    assert s.place[u("fr-5")] == POOL
    basic = position(f"0604: fr-6 3 | {AROUND_BORDEAUX} | 0505: de-19pz")
    basic.owner[node("0505")] = UNITS[u("de-26")].power
    assert close(basic, "fr-6").place[u("fr-6")] == POOL


@pytest.mark.rule("12.1a")
def test_12_1a_only_where_the_enemy_is_all_around() -> None:
    s = position("0604: fr-6 3 | 0704: de-85", options=ON)
    assert not siege.is_surrounded(s, node("0604"), 1)
    inland = position("0605: fr-6 3", options=ON)
    assert siege.siege_room(inland, u("fr-6")) == 0


@pytest.mark.rule("12.1a")
def test_12_1a_one_in_a_minor_port_four_elsewhere() -> None:
    s = position("0904: fr-6 3, fr-5 3 | 0604: fr-1a | 0505: fr-1 | 0101: uk-3", options=ON)
    rooms = {name: siege.siege_room(s, u(name)) for name in ("fr-6", "fr-1a", "fr-1", "uk-3")}
    assert rooms == {"fr-6": 1, "fr-1a": 4, "fr-1": 4, "uk-3": 4}
    s.harbour[0] = node("0904")
    assert siege.siege_room(s, u("fr-6")) == 5


@pytest.mark.rule("12.1a")
def test_12_1a_the_owner_says_who_holds_out() -> None:
    s = position("0904: fr-6 3, fr-5 3 | 0804: de-26 | 0905: de-5 | 0805: de-85 | 0505: de-19pz", options=ON)
    s.owner[node("0505")] = UNITS[u("de-26")].power
    close(s, "fr-6", "fr-5")
    assert sorted(GAME.orders(s, 1)) == [("endure", "fr-5"), ("endure", "fr-6")]
    assert refused(s, 1, "endure", u("fr-1")) == "12.1a"
    act(s, 1, "endure", "fr-5")
    assert s.steps[u("fr-5")] == 2
    assert s.place[u("fr-6")] == POOL


@pytest.mark.rule("12.1c")
def test_12_1c_guns_fall_to_nothing_and_stay() -> None:
    s = besieged("fr-6 3, fr-1a 1", "fr-6", "fr-1a")
    assert s.steps[u("fr-1a")] == 0
    assert s.place[u("fr-1a")] == node("0604")
    again = besieged("fr-6 3, fr-1a 2", "fr-6", "fr-1a")
    assert again.steps[u("fr-1a")] == 1  # not at once


@pytest.mark.rule("12.2", "12.2b")
def test_12_2_a_festung_keeps_its_strength_and_its_garrison_starves() -> None:
    fort = next(x.id for x in UNITS if x.is_fort)
    s = position(f"0904: {fort} 7, de-26 3, de-5 1 | 0805: uk-3", options=ON)
    close(s, fort, "de-26", "de-5", side=0)
    act(s, 0, "endure", "de-5")  # asked, for nobody sees that it is a Festung; whoever is named, both are beside it
    assert (s.steps[u(fort)], s.steps[u("de-26")]) == (7, 2)
    assert s.place[u("de-5")] == POOL
    weak = position(f"0704: {fort} 5, de-26 3 | 0603: uk-3", options=ON)
    assert close(weak, fort, "de-26", side=0).place[u("de-26")] == POOL


@pytest.mark.rule("12.4.1a", "12.4.1c", "12.5")
def test_12_4_1a_desperate_attackers_surrender_after_one_round() -> None:
    s = position("0607: uk-3 4, de-26 2, de-1ss 2, de-15a 1", options=ON, first="1944-08")
    s.flags[u("de-26")] |= OOS
    s.flags[u("de-15a")] |= OOS
    points = s.pp[alliance_leader(s, 1)]
    battle(s, "0607", dice=(1,) * 20)
    while s.place[u("de-26")] == node("0607"):
        act(s, s.waiting[0], *GAME.orders(s, s.waiting[0])[0])
    assert s.place[u("de-26")] == s.place[u("de-15a")] == POOL
    assert s.place[u("de-1ss")] == node("0607")  # the supplied one fights on (A62)
    assert s.pp[alliance_leader(s, 1)] == points + 2


@pytest.mark.rule("12.4.1a", "13.8.1c")
def test_12_4_1a_not_who_attacks_by_a_leaders_order() -> None:
    s = position("0607: uk-3 4, de-26 2", options=ON, first="1944-08")
    s.flags[u("de-26")] |= OOS
    s.orders[u("de-26")] |= SUPPLIED
    battle(s, "0607", dice=(1,) * 20)
    assert s.place[u("de-26")] == node("0607")


@pytest.mark.rule("12.4.1a")
def test_12_4_1a_a_cleared_hex_saves_them() -> None:
    s = position("0607: uk-3 1, de-26 4", options=ON, first="1944-08")
    s.flags[u("de-26")] |= OOS
    battle(s, "0607", dice=(1, 6, 6, 6, 6))
    assert s.place[u("de-26")] == node("0607")


@pytest.mark.rule("12.4")
@pytest.mark.parametrize(("month", "told"), [("1940-05", None), ("1939-10", "4.4c")])
def test_12_4_tech_1_keeps_the_basic_penalty(month: str, told: str | None) -> None:
    from grognard.games.bitw.rules.definitions import tech_of
    from grognard.games.bitw.rules.movement import why_not_attack

    s = position("0608: de-26 | 0607: uk-3", options=ON, first=month)
    s.flags[u("de-26")] |= OOS
    refusal = why_not_attack(s, u("de-26"), node("0607"), node("0608"))
    tech = tech_of(s, u("de-26"))
    assert (refusal and refusal.rule) == (None if tech >= 2 else "4.4c")
    basic = position("0608: de-26 | 0607: uk-3", first="1944-08")
    basic.flags[u("de-26")] |= OOS
    assert why_not_attack(basic, u("de-26"), node("0607"), node("0608")).rule == "4.4c"  # type: ignore[union-attr]


@pytest.mark.rule("12.5")
def test_12_5_a_tank_brings_yellow_and_red_an_hq_black() -> None:
    from grognard.games.bitw.rules.supply import surrender_unit

    for name, colour in (("de-19pz", "red"), ("de-2lf", "black"), ("de-jf2", "blue"), ("de-26", "")):
        s = position(f"0607: {name}", options=ON)
        pool = alliance_leader(s, 1)
        surrender_unit(s, u(name))
        assert s.pp[pool] == 1
        assert {c: getattr(s, c)[pool] for c in ("red", "blue", "black")} == {
            c: int(c == colour) for c in ("red", "blue", "black")
        }
