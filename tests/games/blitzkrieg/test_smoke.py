"""Smoke at the table: grenades of pioneers, smoke shells, smoke barrages, what a cloud stops and when it is gone."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.laws import destruction, shot
from grognard.games.blitzkrieg.rules import smoke
from grognard.games.blitzkrieg.rules.aiming import FLAME, GUN, make_shot, why_no_arm
from grognard.games.blitzkrieg.rules.ground import detects, line, smoke_between
from grognard.games.blitzkrieg.rules.sights import past_smoke
from grognard.games.blitzkrieg.state import HIDDEN, SHAKEN, THREW
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import DOCUMENTS, World
from grognard.kernel import DataError
from grognard.tabletop import Box

MEN = ("uk-pioneer-1", "uk-pioneer-2", "uk-pioneer-3")


@pytest.fixture
def range_(table):
    """Three groups of pioneers in the south of Stonne's table, an enemy in the open before them."""
    return made_range(table)


def made_range(table, **options):
    made = table("lesson2", **options)
    for number, name in enumerate(MEN):
        made.put(name, 60 + 6 * number, 112)
    made.put("de-rifle-1", 66, 92)
    made.put("uk-croc-1", 20, 112)
    return made


def throw_first(made, name=MEN[0]):
    made.act(0, "assault-pioneers", name)
    made.do("smoke")


@pytest.mark.rule("base-smoke")
def test_a_cloud_stops_the_line_and_stands_till_the_end_of_the_next_turn(range_):
    s = range_.s
    foe, men = range_.unit("de-rifle-1"), range_.unit(MEN[1])
    assert line(s, men, foe)
    assert detects(s, foe, men)
    smoke.lay(s, Box(64 * 4, 100 * 4, 20, 20), "base-smoke")
    assert not line(s, men, foe)
    assert not line(s, foe, men)
    assert not detects(s, foe, men)
    s.turn += 1
    smoke.blow_away(s)
    assert len(s.smoke) == 1
    s.turn += 1
    smoke.blow_away(s)
    assert s.smoke == ()
    assert line(s, men, foe)


@pytest.mark.rule("base-smoke")
def test_what_lies_past_the_smoke_is_what_every_single_line_says(range_):
    s, points = range_.s, list(range_.w.table.points)
    for x, y, wide, deep in ((62, 60, 5, 5), (100, 90, 40, 10), (20, 20, 10, 30)):
        smoke.lay(s, Box(x * 4, y * 4, wide * 4, deep * 4), "base-smoke")
    for here in points[::97]:
        assert past_smoke(s, here, points) == [p for p in points if not smoke_between(s, here, p)]


@pytest.mark.rule("base-smoke")
def test_who_stands_in_a_cloud_neither_sees_nor_is_seen_and_a_cloud_beside_the_line_stops_nothing(range_):
    s = range_.s
    foe, men = range_.unit("de-rifle-1"), range_.unit(MEN[1])
    smoke.lay_marker(s, s.at[men], "base-smoke")
    assert not line(s, men, foe)
    s.smoke = ((80 * 4, 96 * 4, 20, 20, 9),)
    assert line(s, men, foe)
    here, there = s.at[men], s.at[foe]
    assert smoke_between(s, here, there) == smoke_between(s, there, here)


@pytest.mark.rule("107a", "107b")
def test_107_three_markers_one_a_unit_within_five_centimetres(range_):
    s = range_.s
    throw_first(range_)
    assert range_.decision == "Puff"
    assert range_.rule("enough") == "107b"
    assert range_.rule("puff", range_.point(66, 95)) == "base-smoke"
    range_.do("puff", range_.point(59, 108))
    assert s.smoke == ()  # all fall together
    range_.do("puff", range_.point(61, 108))
    range_.do("puff", range_.point(72, 108), 4)
    assert len(s.smoke) == 3
    assert all(cloud[2:4] == (20, 20) for cloud in s.smoke)
    assert all(s.rounds[range_.unit(name)] & THREW for name in MEN)
    assert range_.decision == "Act"


@pytest.mark.rule("107b")
def test_107_a_marker_that_leaves_no_hand_for_another_is_refused(range_):
    """Two points that only the first group reaches: one thrower is not enough for both."""
    throw_first(range_)
    range_.do("puff", range_.point(56, 112))
    assert range_.rule("puff", range_.point(56, 110)) == "base-smoke"
    assert range_.rule("puff", range_.point(66, 108)) is None


@pytest.mark.rule("107c")
@pytest.mark.parametrize(("die", "left"), [(4, 1), (3, 0)])
def test_107_after_each_use_a_die_says_whether_there_is_more(range_, die, left):
    s = range_.s
    throw_first(range_)
    range_.do("puff", range_.point(59, 108))
    range_.do("enough", "", die)
    formation = range_.w.formation_of[range_.unit(MEN[0])]
    assert s.grenades[formation] == left
    range_.do("hold")
    range_.do("unit", MEN[1])
    assert range_.rule("smoke") == (None if left else "107c")


@pytest.mark.rule("107a", "107c")
def test_107_off_three_grenades_are_counted(table):
    made = made_range(table, p107="off")
    formation = made.w.formation_of[made.unit(MEN[0])]
    assert made.s.grenades[formation] == 3
    throw_first(made)
    made.do("puff", made.point(59, 108))
    draws = made.s.draws
    made.do("puff", made.point(66, 108))
    made.do("enough")
    assert (made.s.grenades[formation], made.s.draws) == (1, draws)
    made.do("hold")
    made.do("unit", MEN[2])
    made.do("smoke")
    made.do("puff", made.point(72, 108))
    assert made.s.grenades[formation] == 0
    assert made.decision == "Act"


@pytest.mark.rule("107a", "107b")
def test_smoke_takes_the_place_of_fire_but_not_of_the_move(range_):
    throw_first(range_)
    range_.do("puff", range_.point(59, 108))
    range_.do("enough", "", 6)
    assert range_.rule("fire", "de-rifle-1") == "107b"
    assert range_.rule("move") is None
    assert range_.rule("smoke") == "base-vehicle-actions"


@pytest.mark.rule("107a", "base-demoralised")
def test_only_steady_pioneers_of_a_section_with_smoke_throw_it(range_):
    range_.put("uk-command-1", 70, 116)
    range_.s.condition[range_.unit(MEN[1])] = SHAKEN
    range_.act(0, "assault-pioneers", "uk-command-1")
    assert range_.rule("smoke") == "107a"
    range_.do("hold")
    range_.do("unit", MEN[1])
    assert range_.rule("smoke") == "base-demoralised"


def test_107_smoke_for_riflemen_is_refused_by_the_scenario_file():
    document = dict(DOCUMENTS["lesson2"])
    document["formation"] = [entry | {"smoke": True} for entry in document["formation"] if entry["name"] == "outpost"]
    with pytest.raises(DataError, match="107a"):
        World("lesson2", document)


def test_who_throws_shows_himself(range_):
    range_.s.flags[range_.unit(MEN[0])] |= HIDDEN
    throw_first(range_)
    range_.do("puff", range_.point(59, 108))
    range_.do("enough", "", 6)
    assert not range_.s.flags[range_.unit(MEN[0])] & HIDDEN


@pytest.mark.rule("base-smoke", "301c")
def test_a_battery_lays_smoke_over_its_template_and_hurts_nobody(range_):
    s = range_.s
    range_.put("uk-observer-1", 90, 112)
    s.available[0] = 1
    range_.do("begin" if s.waiting[0] == 0 else "wait")
    range_.do("barrage", "field-battery")
    range_.do("mark", range_.point(66, 92))
    assert range_.decision == "Load"
    range_.do("smoke-shells", "", 5)
    range_.do("shape", "wide", 4)
    assert [cloud[2:4] for cloud in s.smoke] == [(80, 20)]
    assert "shelled" not in range_.kinds()
    assert not s.flags[range_.unit("de-rifle-1")] & 4


@pytest.mark.rule("414a", "base-smoke")
def test_an_observer_does_not_mark_what_lies_behind_smoke(range_):
    s = range_.s
    range_.put("uk-observer-1", 66, 116)
    s.available[0] = 1
    smoke.lay(s, Box(60 * 4, 100 * 4, 48, 20), "base-smoke")
    range_.do("begin" if s.waiting[0] == 0 else "wait")
    range_.do("barrage", "field-battery")
    assert range_.rule("mark", range_.point(66, 92)) == "414a"
    assert range_.point(66, 92) not in range_.can("mark")
    assert range_.rule("mark", range_.point(90, 105)) is None


@pytest.mark.rule("211a", "211b", "base-special-ammo")
@pytest.mark.parametrize(("die", "gone"), [(1, True), (2, False)])
def test_211_a_smoke_shell_blinds_its_target_and_a_coloured_one_was_the_last(range_, die, gone):
    s = range_.s
    range_.put("uk-croc-1", 66, 112, "N")
    range_.act(0, "flame-tanks", "uk-croc-1")
    events = range_.do("smoke-shell", "de-rifle-1", 6, 6, die)
    assert [e.kind for e in events if e.kind in ("shoots", "smoke", "bursts")] == ["shoots", "smoke"]
    assert not line(s, range_.unit("uk-croc-1"), range_.unit("de-rifle-1"))
    assert ("rounds-gone" in range_.kinds()) is gone
    s.smoke = ()
    s.frames[-1].shot = 0
    assert range_.rule("smoke-shell", "de-rifle-1") == ("211a" if gone else None)


@pytest.mark.rule("211a")
def test_211_off_there_are_three_of_each_and_no_die(table):
    made = made_range(table, p211="off")
    made.put("uk-croc-1", 66, 112, "N")
    made.act(0, "flame-tanks", "uk-croc-1")
    for fired in range(3):
        assert made.rule("smoke-shell", "de-rifle-1") is None, fired
        made.do("smoke-shell", "de-rifle-1", 1, 1)
        made.s.frames[-1].shot = 0
    assert made.rule("smoke-shell", "de-rifle-1") == "211a"


@pytest.mark.rule("401c", "211b", "base-special-ammo")
def test_401_only_what_the_gun_was_given(range_):
    range_.put("uk-firefly-1", 66, 112, "N")
    range_.put("de-pak40-1", 66, 90, "S")
    range_.act(0, "flame-tanks", "uk-firefly-1")
    for verb in ("heat", "apcr", "smoke-shell"):
        assert range_.rule(verb, "de-pak40-1") == "401c"
    assert range_.rule("apds", "de-pak40-1") == "401c"  # special rounds are for vehicles
    assert range_.can("apds") == []


@pytest.mark.rule("base-special-ammo", "211a")
def test_apcr_adds_two_near_and_apds_costs_one_to_hit(table):
    made = table("bocage44")
    made.put("us-m4-75-1", 90, 8, "N")
    made.put("de-pak40-1", 90, 40, "N")
    s = made.s
    pak, tank = made.unit("de-pak40-1"), made.unit("us-m4-75-1")
    plain, special = (make_shot(s, pak, tank, GUN, False, ammo=a) for a in ("AP", "APCR"))
    book = book_of(s)
    power = [ap + lines.total() for ap, lines in (destruction.test_lines(book, f) for f in (plain, special))]
    assert power[1] == power[0] + 2
    sabot = make_shot(s, pak, tank, GUN, False, ammo="APDS")
    assert shot.to_hit(book, sabot)[2].total() == shot.to_hit(book, plain)[2].total() - 1


@pytest.mark.rule("base-special-ammo", "211a", "211b")
@pytest.mark.parametrize(
    ("scenario", "side", "formation", "unit", "target", "verb", "ap"),
    [
        ("lesson2", 0, "flame-tanks", "uk-firefly-1", "de-pz4h-1", "apds", 9),
        ("bocage44", 0, "assault-gun", "us-m4-105-1", "de-pz6-1", "heat", 7),
        ("lesson2", 1, "pak", "de-pak40-1", "uk-firefly-1", "apcr", 7),
    ],
)
def test_special_rounds_are_fired_at_tanks(table, scenario, side, formation, unit, target, verb, ap):
    made = table(scenario)
    mine = made.put(unit, 60, 112, "N")
    made.put(target, 60, 105, "S")
    made.act(side, formation, unit)
    events = made.do(verb, target, 6, 6, 1, 1)  # a hit, armour that holds, the last round
    tested = next(e for e in events if e.kind == "tested")
    assert tested.data["ap"] == ap
    assert ("base-special-ammo" in {rule for rule, _ in tested.data["tally"]}) == (verb != "heat")
    assert "rounds-gone" in made.kinds()
    made.s.frames[-1].shot = 0
    assert made.rule(verb, target) == "211a"
    assert made.rule("shoot", target) is None
    assert made.s.rounds[mine]


# Flamethrowers of vehicles


@pytest.mark.rule("base-flamethrower", "223")
@pytest.mark.parametrize(
    ("option", "die", "empty"), [("on", 1, True), ("on", 2, False), ("off", 3, True), ("off", 4, False)]
)
def test_223_a_flame_tank_throws_four_dice_at_three_plus_and_may_run_dry(table, option, die, empty):
    made = made_range(table, p223=option)
    s = made.s
    made.put("uk-croc-1", 66, 103, "N")
    made.act(0, "flame-tanks", "uk-croc-1")
    fired = made.do("flame", "de-rifle-1", die, 2, 2, 2, *(() if die < 3 else (6,)))
    burnt = next(e for e in fired if e.kind == "fires")
    assert (len(burnt.data["dice"]), burnt.data["number"]) == (4, 3)
    assert ("empty" in made.kinds()) is empty
    s.frames[-1].shot = 0
    if s.condition[made.unit("de-rifle-1")] < 2:
        assert made.rule("flame", "de-rifle-1") == ("base-gun-ammunition" if empty else None)


@pytest.mark.rule("base-flamethrower", "base-arcs", "base-fire-range")
def test_flame_reaches_ten_centimetres_ahead_of_the_hull_and_no_vehicle(range_):
    range_.put("uk-croc-1", 66, 110, "N")
    range_.act(0, "flame-tanks", "uk-croc-1")
    assert range_.rule("flame", "de-rifle-1") == "base-fire-range"
    range_.put("uk-croc-1", 66, 103, "S")
    range_.s.frames[-1].has_moved = 1
    assert range_.rule("flame", "de-rifle-1") == "base-arcs"
    range_.s.frames[-1].has_moved = 0
    assert range_.rule("flame", "de-rifle-1") is None
    range_.put("uk-firefly-1", 66, 103, "N")
    range_.put("uk-croc-1", 20, 112)
    range_.do("hold")
    range_.do("unit", "uk-firefly-1")
    assert range_.rule("flame", "de-rifle-1") == "base-flamethrower"


@pytest.mark.rule("base-flamethrower")
def test_only_flame_tanks_flame(table):
    """Rifles, guns and tanks without the projector are refused, however near."""
    made = table("lesson2")
    made.put("de-rifle-1", 66, 92)
    made.put("de-pak40-1", 72, 92)
    made.put("uk-pioneer-1", 66, 97)
    made.put("uk-firefly-1", 72, 97)
    pairs = [("uk-pioneer-1", "de-rifle-1"), ("uk-firefly-1", "de-rifle-1")]
    for name, target in (*pairs, ("de-rifle-1", "uk-pioneer-1"), ("de-pak40-1", "uk-pioneer-1")):
        why = why_no_arm(made.s, made.unit(name), made.unit(target), FLAME, False, False)
        assert why.rule == "base-flamethrower", name
