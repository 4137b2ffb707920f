"""The numbers that the text of the proposals states, as it states them, against the charts that the rules read."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import barrage, shot
from grognard.games.blitzkrieg.laws.parties import Firer, Shot, Target
from grognard.games.blitzkrieg.loading import CHARTS, GUNS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.games.blitzkrieg.world import world_named

BOOK = Book(DEFAULTS)
AREAS = world_named("stonne40").table.terrain.areas
DRIVES = ("foot", "tracked", "half", "wheeled")


def rates(kind):
    return [AREAS[kind].rate[drive] for drive in DRIVES]


@pytest.mark.rule("002a")
@pytest.mark.parametrize("kind", ["orchard", "light-wood"])
def test_002a_light_wood_halves_wheels_only(kind):
    area = AREAS[kind]
    assert rates(kind) == [100, 100, 100, 200]
    assert (area.cover, area.through, area.height, area.solid, tuple(area.bog)) == ("light", 5, 2, True, ())


@pytest.mark.rule("002b")
def test_002b_dense_wood_halves_and_holds_all_but_wheels_which_it_bars():
    area = AREAS["dense-wood"]
    assert rates("dense-wood") == [200, 200, 200, -1]
    assert (area.cover, area.through, area.height, area.solid, set(area.bog)) == (
        "light",
        5,
        2,
        True,
        {"tracked", "half"},
    )


@pytest.mark.rule("002c")
def test_002c_sand_and_paddy_hold_tracks_and_bar_wheels():
    assert [rates("sand"), rates("paddy")] == [[100, 100, 100, -1], [200, 100, 100, -1]]
    assert all(set(AREAS[kind].bog) == {"tracked", "half"} for kind in ("sand", "paddy"))


@pytest.mark.rule("002d")
def test_002d_vehicles_keep_to_the_roads_of_a_steep_hill_which_is_light_cover():
    area = AREAS["steep-hill"]
    assert rates("steep-hill") == [200, -1, -1, -1]
    assert (area.cover, area.sight, area.height) == ("light", "ground", 2)


@pytest.mark.rule("206a", "206b", "206c", "206d", "206e", "403d")
def test_206_the_numbers_to_begin_with():
    table = CHARTS["to_hit"]
    names = (
        "still",
        "moving",
        "stabilised",
        "narrow",
        "pivot",
        "unhitched",
        "traverse",
        "weapon_still",
        "weapon_moved",
    )
    assert [table[name] for name in names] == [4, 8, 7, 9, 7, 7, 5, 5, 7]


@pytest.mark.rule("207a", "207b", "207c", "207d", "201b")
def test_207_one_worse_for_each_band_beyond_the_first():
    def total(weapon, cm):
        model = next(g for g in GUNS.values() if g.weapon.id == weapon)
        tally = shot.Tally()
        shot._range_lines(BOOK, tally, Shot(Firer(model, weapon=WEAPONS[weapon]), Target(VEHICLES["m4_75"]), cm, "AP"))
        return tally.total()

    bands = {"normal": 30, "LL": 60}
    for length, band in bands.items():
        weapon = {"normal": "57", "LL": "76LL"}[length]
        assert [total(weapon, cm) for cm in (band, band + 1, 2 * band, 2 * band + 1)] == [0, -1, -1, -2]
    assert CHARTS["to_hit_modifiers"]["band"] == {"short": 20, "normal": 30, "L": 45, "LL": 60}
    assert CHARTS["to_hit_modifiers"]["size"] == {"TP": -2, "P": -1, "N": 0, "G": 1, "TG": 2}


@pytest.mark.rule("207bis-b", "405", "224c", "212a", "221c", "201b")
def test_what_counts_for_and_against_a_shot():
    table = CHARTS["to_hit_modifiers"]
    assert table["gun_size"] == {"small": -1, "medium": 0, "large": 1}
    names = ("gun_cover", "hull_down", "aimed_low", "already", "commander", "rockets", "hitched")
    assert [table[name] for name in names] == [-2, -2, -2, -2, -2, -2, -1]
    names = ("closed", "optics", "moving", "fast", "fast_cm", "dug", "point_blank", "point_blank_cm", "above")
    assert [table[name] for name in names] == [-1, -1, -2, -3, 50, -4, 2, 10, 1]


@pytest.mark.rule("216b", "406b", "404")
def test_what_counts_against_a_lost_commander_rockets_and_a_hitched_gun():
    table = CHARTS["to_hit_modifiers"]
    assert [table[name] for name in ("commander", "rockets", "hitched")] == [-2, -2, -1]


@pytest.mark.rule("209bis-a", "209bis-b", "307c", "603b", "224c")
def test_209bis_power_by_range():
    table = CHARTS["destruction"]
    assert [table[name] for name in ("near_cm", "near", "band", "above", "roofless", "dug_in")] == [30, 1, 30, 1, 3, -1]
    assert table["full"] == {"short": 60, "normal": 60, "L": 90, "LL": 120}


@pytest.mark.rule("413")
def test_413_the_least_range_of_indirect_fire():
    found = {w.id: barrage.minimum(BOOK, w) for w in WEAPONS.values() if w.he}
    assert (found["m50"], found["m60"], found["m81"], found["105*"]) == (10, 10, 20, 60)


@pytest.mark.rule("303b", "303c", "303bis-a", "305")
def test_303_the_numbers_of_ranging():
    table = CHARTS["barrage"]
    assert [barrage.precision(BOOK, n) for n in (1, 2)] == [5, 3]
    assert [table[n] for n in ("precision", "bonus", "attempts", "friends_cm", "friends")] == [5, 2, 3, 30, 4]
    assert table["two_from"] == 1944


@pytest.mark.rule("307a", "417b", "417c", "417d", "501", "108f")
def test_417_the_numbers_of_shells():
    table = CHARTS["barrage"]
    names = ("hit", "roofed", "lost", "bunker_lost", "armour_hits", "mine", "mine_calibre")
    assert [table[name] for name in names] == [5, 6, 1, 3, 2, 6, 820]


@pytest.mark.rule("414b", "414c", "417e", "410c")
def test_414_groups_signals_and_shells_that_run_out():
    table = CHARTS["links"]
    assert [table[name] for name in ("group", "signals", "most", "short")] == [5, 10, 6, 2]


@pytest.mark.rule("403b", "403e", "102c", "104b", "105", "223")
def test_the_numbers_of_towing_covering_fire_and_fuel():
    table = CHARTS["towing"]
    assert [table[n] for n in ("share", "heavy_share", "heavy_calibre", "slower")] == [50, 100, 800, 10]
    assert [CHARTS["fire_text"][n] for n in ("cannon_save", "relay", "covering_worst")] == [-1, -1, 5]
    assert [CHARTS["fuel"][n] for n in ("portable", "vehicle")] == [3, 1]
