"""Mines: what they do to who enters, how they are cleared; snow."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.computer.hints import promising
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.loading import SUPPORTS, WEAPONS
from grognard.games.blitzkrieg.rules import mines, walking
from grognard.games.blitzkrieg.rules.movement import full_reach, way_to
from grognard.games.blitzkrieg.state import LOST, SHAKEN, STUCK, has
from grognard.tabletop.shapes import Box

STUG, PIONEERS, RIFLES = "de-stug3g-1", "de-pioneer-1", "de-rifle-1"
X, Y = 47.5, 62.5  # the middle of the section on the middle street


@pytest.fixture
def street(table):
    """The middle street of Stalingrad, mined from 45 to 50 cm."""
    made = table("stalingrad42")
    made.put("de-command-1", 34, 57)
    return made


@pytest.mark.rule("base-minefield")
def test_a_vehicle_that_comes_onto_a_section_rolls_once(street):
    street.put(STUG, 35, Y, "E")
    street.act(1, "assault-gun", STUG)
    street.do("move")
    events = street.do("to", street.point(60, Y), 3)
    assert [e.data["hits"] for e in events if e.kind == "mined"] == [0]
    assert street.s.at[street.unit(STUG)] == street.w.table.point_at(240, 250)


@pytest.mark.rule("base-minefield")
@pytest.mark.parametrize(("test", "lost"), [(6, True), (1, False)])
def test_under_armour_a_mine_goes_off_on_four(street, test, lost):
    unit = street.put(STUG, 35, Y, "E")
    street.s.loaded = (4, test) if lost else (4, test, 6)
    street.s.events = []
    mines.explode(street.s, unit)
    assert street.is_lost(STUG) == lost
    assert lost or has(street.s, unit, STUCK)


@pytest.mark.rule("base-minefield")
def test_infantry_takes_two_dice_at_five(street):
    unit = street.put(RIFLES, 35, 57)
    street.s.loaded = (5, 4, 1)
    street.s.events = []
    mines.explode(street.s, unit)
    assert [e.data["hits"] for e in street.s.events if e.kind == "mined"] == [1]
    assert street.s.condition[unit] == LOST


@pytest.mark.rule("base-minefield")
def test_who_leaves_a_section_sets_nothing_off_and_a_cleared_one_is_harmless(street):
    s, unit = street.s, street.put(STUG, X, Y, "E")
    there = s.at[unit]
    outside = street.w.table.point_at(240, 250)
    s.at[unit] = outside
    assert not mines.enter_mines(s, unit, there, s.facing[unit])
    s.at[unit], s.mined[1] = there, 0
    assert not mines.enter_mines(s, unit, outside, s.facing[unit])
    s.mined[1], s.loaded = 1, (1,)
    assert mines.enter_mines(s, unit, outside, s.facing[unit])


@pytest.mark.rule("base-demining")
def test_infantry_in_contact_clears_a_section_pioneers_more_surely(street):
    s = street.s
    street.put(PIONEERS, 43, Y)
    street.put("de-pioneer-2", 30, 57)
    street.act(1, "pioneers", "de-pioneer-2")
    assert street.why("demine").reason == "no-mines-here"
    street.do("hold")
    street.do("unit", PIONEERS)
    street.do("demine", "", 1)
    assert s.mined[1] == 1
    s.frames[-1].over = 0
    needed = next(die for die in range(1, 7) if _clears(s, street.unit(PIONEERS), die))
    plain = next(die for die in range(1, 7) if _clears(s, street.put(RIFLES, 43, Y), die))
    assert plain - needed == 2


def _clears(s, unit, die):
    """True if the die would clear the section."""
    from grognard.games.blitzkrieg.frames import Acting

    s.mined[1], s.loaded = 1, (die,)
    mines.demine(s, Acting(side=1, unit=unit))
    s.loaded = ()
    cleared = not s.mined[1]
    s.mined[1] = 1
    return cleared


@pytest.mark.rule("base-demining")
def test_demining_takes_the_whole_turn(street):
    street.put(PIONEERS, 43, Y)
    street.act(1, "pioneers", PIONEERS)
    assert street.rule("demine") is None
    street.s.frames[-1].has_moved = 1
    assert street.why("demine").reason == "demining-takes-a-turn"
    street.s.frames[-1].has_moved = 0
    street.s.condition[street.unit(PIONEERS)] = SHAKEN
    assert street.rule("demine") == "base-demoralised"


@pytest.mark.rule("103", "base-demining")
@pytest.mark.parametrize(("choice", "asked"), [("on", False), ("off", True)])
def test_103_who_clears_mines_draws_no_fire(table, choice, asked):
    made = table("stalingrad42", p103=choice)
    made.put("de-command-1", 34, 57)
    made.put(PIONEERS, 43, Y)
    made.put("de-rifle-1", 20, Y)
    made.put("su-rifle-1", 56, Y)
    made.act(1, "pioneers", PIONEERS)
    made.do("demine", "", 1)
    assert (made.decision == "React") == asked


@pytest.mark.rule("501")
@pytest.mark.parametrize(
    ("choice", "support", "left"), [("on", "off_105", 0), ("on", "off_m81", 1), ("off", "off_105", 1)]
)
def test_501_heavy_indirect_fire_opens_a_section_on_six(table, choice, support, left):
    made = table("stalingrad42", p501=choice)
    made.s.loaded = (6,)
    mines.breach(made.s, Box(44 * 4, 60 * 4, 40, 40), SUPPORTS[support].weapon)
    assert list(made.s.mined) == [1, left, 1]
    made.s.mined[1], made.s.loaded = 1, (5,)
    mines.breach(made.s, Box(44 * 4, 60 * 4, 40, 40), WEAPONS["105*"])
    assert made.s.mined[1] == 1


@pytest.mark.parametrize("y", [30, 62.5, 95])
def test_the_computer_goes_around_mines(street, y):
    unit, s = street.put(STUG, 35, y, "E"), street.s
    street.act(1, "assault-gun", STUG)
    street.do("move")
    c = s.frames[-1]

    def over_mines():
        ways = [way_to(s, c, full_reach(s, c), p) for verb, p in promising(s, 1, GAME.legal(s, 1)) if verb == "to"]
        mined, s.mined[:] = bytes(s.mined), bytearray([1, 1, 1])
        found = sum(mines.leads_over(s, unit, way) for way in ways)
        s.mined[:] = bytearray(mined)
        return found

    assert over_mines() == 0
    s.mined[:] = bytearray(3)
    assert over_mines() > 0


def test_mines_are_shown_until_they_are_cleared(street):
    shown = [m["id"] for m in GAME.view(street.s, 1)["markers"] if m["kind"] == "mines"]
    assert shown == ["prospekt-1", "prospekt-2", "prospekt-3"]
    street.s.mined[0] = 0
    assert len([m for m in GAME.view(street.s, 0)["markers"] if m["kind"] == "mines"]) == 2


@pytest.mark.rule("base-vehicle-move")
def test_snow_slows_vehicles_off_the_road(table):
    made = table("bastogne44")
    panther = made.unit("de-pz5g-1")
    model = walking.MODEL_OF[panther]
    assert walking.allowance(made.s, panther) == (model.off - 5, model.road)
    men = made.unit("de-pzgren-1")
    assert walking.allowance(made.s, men)[0] == walking.team_move(walking.MODEL_OF[men])
