"""Worked examples of the Basic rules that no other file plays, with loaded dice."""

from __future__ import annotations

import pytest

from grognard.games.bitw.rules import fire
from grognard.games.bitw.rules.fire import AIR, Combatant, Field
from grognard.games.bitw.state import MISSION, POOL
from grognard.games.bitw.world import POWERS, UNIT_IDS, UNITS

from .table import act, battle, fires, go_to, node, position, set_out, u

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("7.7.2c", "6.5b", "7.7.2d")
def test_flak_of_the_german_4th_army_against_a_strategic_bomber() -> None:
    """Four AA dice at 5-6; what is left of the bomber, TECH 1, then hits at 6; the artillery stays at 4."""
    s = position("0606: de-4a 4, de-26 1 | 0101: uk-3g 4")
    set_out(s, "uk-3g", "0606")
    s.flags[u("uk-3g")] |= MISSION
    s.base[u("uk-3g")] = node("0101")
    c = battle(s, "0606", attacker=1, dice=(5, 6, 1, 1, 1, 6, 6, *(1,) * 40))
    assert fires(s)[0] == ("de-4a", 4, 5)
    assert s.steps[u("de-4a")] == 4
    assert s.steps[u("uk-3g")] == 2  # two hits take it over its shield
    while s.waiting and c.at() != "7.7.13e":
        act(s, s.waiting[0], "stay")
    assert ("uk-3g", 2, 6) in fires(s)


@pytest.mark.rule("6.3.1c", "3.13b")
def test_german_fighters_of_april_and_may_1944() -> None:
    from grognard.games.bitw.rules.definitions import tech_of

    for month, face in (("1944-04", 5), ("1944-05", 4)):
        s = position("0309: de-jf2", first=month)
        who = Combatant(UNITS[UNIT_IDS["de-jf2"]], 5, tech_of(s, u("de-jf2")), False)
        assert fire.volley([who], AIR, Field(), 1)[0].face == face


@pytest.mark.rule("7.3.4b", "7.3.4a")
def test_a_fort_about_to_be_cut_off_is_disbanded() -> None:
    s = position("0508: de-fort-calais 3, de-26", start=True)
    go_to(s, "7.3.4a", 0)
    act(s, 0, "disband", "de-fort-calais")
    assert s.place[u("de-fort-calais")] == POOL
    assert s.later[IDS["DE"]] == 1


@pytest.mark.rule("7.7.6a")
def test_a_french_tank_with_one_bonus() -> None:
    tank = Combatant(UNITS[UNIT_IDS["fr-1dcr"]], 4, 1, False)
    shot = fire.volley([tank], "ground", Field(major=True), 1)[0]
    assert (shot.dice, shot.face) == (4, 4)


@pytest.mark.rule("7.7.12", "7.7.5a", "7.7.9", "3.15a")
def test_a_battle_by_hand() -> None:
    """Two rounds worked out on paper: 4 steps against 3 in the open, TECH 2 against TECH 1."""
    s = position("0606: fr-6 3 | 0508: de-26 4 | 0505: fr-9")
    set_out(s, "de-26", "0606")
    s.origin[u("de-26")] = node("0607")
    c = battle(s, "0606", dice=(6, 2, 1, 6, 6, 1, 1, 2, 1, 1))
    assert (s.steps[u("de-26")], s.steps[u("fr-6")]) == (3, 1)  # one hit, two hits with three dice
    act(s, 1, "stay")
    act(s, 0, "stay")
    assert c.round == 2
    assert [x for x in fires(s) if x[0] == "fr-6"][-1][1] == 1  # one step, one die
    assert s.steps[u("fr-6")] == 1  # and the attacker missed
