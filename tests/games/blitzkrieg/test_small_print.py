"""The small print: edges of numbers, the other half of each condition, what stands without a proposal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import air, barrage, close, destruction, detect, fire, quality, shot
from grognard.games.blitzkrieg.laws.parties import (
    BUILDING,
    BUNKER,
    FLANK,
    FRONT,
    HEAVY,
    LIGHT,
    OPEN,
    REAR,
    TRENCH,
    Firer,
    Shot,
    Target,
)
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.kernel import Tally

BOOK = Book(DEFAULTS)
HALVES = Book(DEFAULTS | {"001"})
NONE = Book(frozenset())
TANK, GUN = VEHICLES["m4_75"], GUNS["pak40"]


def without(*names):
    return Book(DEFAULTS - set(names))


# Close combat


@pytest.mark.rule("base-close-combat")
@pytest.mark.parametrize(
    ("attack", "defence", "result"),
    [
        (6, 3, "defender_eliminated"),
        (5, 3, "defender_demoralised"),
        (4, 3, "defender_demoralised"),
        (3, 3, "tie"),
        (2, 3, "attacker_demoralised"),
        (1, 3, "attacker_demoralised"),
        (0, 3, "attacker_eliminated"),
    ],
)
def test_a_fight_is_won_by_three_or_by_less(attack, defence, result):
    assert close.melee_result(attack, defence) == result


@pytest.mark.rule("base-close-combat", "base-quality", "001a")
def test_what_counts_in_a_fight():
    rifle, scout, gunners = TEAMS["rifle"], TEAMS["scout"], TEAMS["mmg"]

    def total(team, quality=1, shaken=False, extra=0, cover=None, book=BOOK):
        return close.melee_lines(book, team, quality, shaken, extra, cover).total()

    plain = total(rifle)
    assert [total(rifle, q) - plain for q in range(4)] == [-1, 0, 1, 2]
    assert total(rifle, shaken=True) == plain - 2
    assert [total(rifle, extra=n) - plain for n in range(4)] == [0, 1, 2, 2]
    covers = (OPEN, LIGHT, HEAVY, BUILDING, TRENCH, BUNKER)
    assert [total(rifle, cover=c) - plain for c in covers] == [0, 0, 0, 1, 1, 1]
    assert total(gunners) == gunners.close - 1
    assert total(scout, book=HALVES) == scout.close - 1
    assert total(scout) == scout.close


@pytest.mark.rule("214a", "214d", "214f", "214g")
def test_who_runs_over_whom():
    truck, jeep = (next(v for v in VEHICLES.values() if v.type == t) for t in ("heavy-truck", "light-vehicle"))
    half = next(v for v in VEHICLES.values() if v.type == "halftrack")
    car = next(v for v in VEHICLES.values() if v.type == "armoured-car")

    def why(vehicle, target, book=BOOK):
        found = close.why_no_overrun(book, vehicle, target)
        return found and found.rule

    assert why(truck, Target(TEAMS["rifle"])) == "214a"
    assert why(TANK, Target(truck)) is None
    assert why(TANK, Target(jeep)) is None
    assert why(TANK, Target(TANK)) == "214d"
    assert why(half, Target(jeep)) is None
    assert why(half, Target(truck)) == "214d"
    assert why(car, Target(jeep)) == "214d"
    assert why(TANK, Target(jeep, continuous=True)) == "214f"
    assert why(TANK, Target(TEAMS["rifle"], continuous=True)) is None
    small = next(v for v in VEHICLES.values() if v.size == "TP" and not v.is_soft)
    big = next(g for g in GUNS.values() if g.crush != "TP")
    assert why(small, Target(big)) == "214g"
    assert why(small, Target(big), without("214")) is None
    assert close.overrun_number(Target(TEAMS["rifle"])) == 3
    assert close.overrun_number(Target(TEAMS["rifle"], cover=LIGHT)) == 5


@pytest.mark.rule("215a", "215b", "215c", "215e", "215f")
def test_infantry_against_armour_row_by_row():
    rows = ("infantry", "assault", "charge", "magnetic", "flame")
    assert [close.row_number(BOOK, row) for row in rows] == [5, 4, 3, 2, 4]
    assert [close.row_number(without("215"), row) for row in rows] == [6, 5, 4, 3, 5]
    assert [close.needs_test(row) for row in rows] == [True, True, False, False, False]
    assert [close.assault_row(TEAMS[team], "") for team in ("rifle", "smg", "scout", "pioneer_ft")] == [
        "infantry",
        "assault",
        "assault",
        "flame",
    ]
    assert close.assault_row(TEAMS["rifle"], "charge") == "charge"
    assert [close.early_modifier(BOOK, year) for year in (1939, 1940, 1941)] == [-1, -1, 0]
    assert close.early_modifier(without("215"), 1940) == 0
    moving, soft = Target(TANK, continuous=True), Target(next(v for v in VEHICLES.values() if v.is_soft))
    assert close.why_no_tank_assault(BOOK, "infantry", moving) is None
    assert close.why_no_tank_assault(without("215"), "infantry", moving).rule == "215e"
    assert close.why_no_tank_assault(BOOK, "molotov", Target(TANK)).rule == "215b"
    assert close.why_no_tank_assault(without("215"), "molotov", Target(TANK)) is None
    for book in (BOOK, without("215")):
        assert close.why_no_tank_assault(book, "infantry", soft).rule == "base-infantry-v-armour"
    assert [close.only_immobilises(BOOK, row) for row in rows] == [True, True, False, False, False]
    assert not close.only_immobilises(without("215"), "infantry")


@pytest.mark.rule("215d", "224d")
def test_what_makes_a_tank_easier_to_storm():
    open_top = next(v for v in VEHICLES.values() if "open-top" in v.traits and not v.is_soft)
    assert close.tank_assault_lines(Target(TANK)).lines == ()
    assert close.tank_assault_lines(Target(TANK, moving=True)).lines == (("215d", -1),)
    assert close.tank_assault_lines(Target(TANK, immobilised=True)).lines == (("215d", 1),)
    assert close.tank_assault_lines(Target(TANK, dug_in=True)).lines == (("224d", 1),)
    assert close.tank_assault_lines(Target(open_top)).lines == (("215d", 1),)


# Quality


@pytest.mark.rule("base-experience-test", "base-quality")
def test_an_experience_test_by_quality_with_one_and_six():
    assert [[quality.passes(q, die) for die in range(1, 7)].count(True) for q in range(4)] == [2, 3, 4, 5]
    assert not quality.passes(3, 1, 5)
    assert quality.passes(0, 6, -5)
    assert not quality.passes(1, 4, -1)
    assert quality.passes(1, 3, 1)


@pytest.mark.rule("base-save", "base-save-again")
def test_a_save_by_quality():
    def results(q, modifier=0, shaken=False, book=BOOK):
        return [quality.saved(book, q, die, modifier, shaken) for die in range(1, 7)]

    gone, shaken, safe = quality.ELIMINATED, quality.DEMORALISED, quality.SAFE
    assert results(0) == [gone, shaken, shaken, shaken, safe, safe]
    assert results(1) == [gone, shaken, shaken, safe, safe, safe]
    assert results(2) == results(3) == [gone, shaken, safe, safe, safe, safe]
    assert results(1, -1) == [gone, gone, shaken, shaken, safe, safe]
    assert results(1, shaken=True) == [gone, quality.RETREAT, quality.RETREAT, safe, safe, safe]
    assert results(1, shaken=True, book=Book(DEFAULTS, twice="nothing")) == [gone, safe, safe, safe, safe, safe]


@pytest.mark.rule("base-rally", "base-commander", "base-morale-formation", "216b")
def test_what_counts_for_a_rally():
    tally = Tally()
    quality.rally_lines(NONE, tally, False, True, True, True)
    assert tally.lines == (("base-commander", 1), ("base-morale-formation", -1), ("216b", -1))
    tally = Tally()
    quality.rally_lines(NONE, tally, True, False, False, False)
    assert tally.lines == ()


@pytest.mark.rule("base-repair")
def test_a_repair_by_die():
    assert [quality.repaired(NONE, die) for die in range(1, 7)] == ["out", "jammed", "jammed", *["repaired"] * 3]


# Detection


@pytest.mark.rule("003a", "003b", "003g", "003h", "003i", "base-detection-table")
def test_003_every_distance():
    def seen(hard, cover, action, limited=False, **more):
        return detect.range_of(BOOK, hard=hard, cover=cover, action=action, limited=limited, **more)

    actions = ("still", "moving", "firing")
    assert [seen(False, False, a) for a in actions] == [60, 90, 120]
    assert [seen(False, True, a) for a in actions] == [30, 60, 90]
    assert [seen(True, False, a) for a in actions] == [detect.FAR] * 3
    assert [seen(True, True, a) for a in actions] == [60, 90, 120]
    assert [seen(False, False, a, True) for a in actions] == [30, 45, 60]
    assert [seen(True, False, a, True) for a in actions] == [90, 120, 120]
    for help_ in ("hill", "recon", "spotter"):
        assert seen(False, False, "still", **{help_: True}) == 90
    assert seen(False, False, "still", hill=True, recon=True, spotter=True) == 90
    assert seen(False, False, "still", camouflaged=True) == 5
    assert seen(False, False, "still", camouflaged=True, recon=True) == 15
    assert seen(False, False, "firing", camouflaged=True) == 90
    assert seen(False, False, "firing", camouflaged=True, hill=True) == 90
    assert seen(False, False, "moving", camouflaged=True, recon=True) == 90
    off = detect.range_of(without("003"), hard=False, cover=True, action="still", limited=True, hill=True)
    assert off == detect.FAR


# Dice fire


@pytest.mark.rule("base-fire", "base-cover-levels", "base-soft-vehicle", "base-exposed-crew")
def test_the_number_of_a_die_by_target():
    rifle, soft = TEAMS["rifle"], next(v for v in VEHICLES.values() if v.is_soft)

    def number(model, **state):
        return fire.base_number(Target(model, **state))

    assert [number(rifle, cover=c) for c in (OPEN, LIGHT, HEAVY, BUILDING, TRENCH)] == [4, 5, 6, 6, 6]
    assert number(rifle, moving=True) == 3
    assert number(rifle, moving=True, crawling=True) == 4
    assert number(rifle, moving=True, cover=LIGHT) == 5
    assert number(GUN, shield=True) == 6
    assert number(GUN) == 4
    assert number(soft) == 4
    assert number(soft, moving=True) == 3
    assert number(TANK) is None
    assert number(TANK, out=True) == 6


@pytest.mark.rule("base-gun-target", "base-cover-levels", "base-fire")
def test_a_shield_is_heavy_cover_for_the_crew_of_a_gun_and_for_nobody_else():
    def number(model, **state):
        return fire.base_number(Target(model, **state))

    for cover, bare in ((OPEN, 4), (LIGHT, 5), (HEAVY, 6)):
        assert number(GUN, cover=cover) == number(TEAMS["rifle"], cover=cover, shield=True) == bare
        assert number(GUN, cover=cover, shield=True) == 6
    assert number(GUN, moving=True) == 3
    assert number(GUN, moving=True, shield=True) == 6


@pytest.mark.rule("base-fire-reduced", "base-suppression", "001c")
def test_dice_that_are_lost_and_the_last_one_that_is_not():
    def dice(team, cm=25, book=BOOK, **state):
        count, _, number = fire.dice_of(book, Firer(TEAMS[team], **state), "team", cm)
        return count, number.total()

    full = TEAMS["rifle"].dice
    assert dice("rifle") == (full, 0)
    assert dice("rifle", moved=5) == (full - 1, 0)
    assert dice("scout", book=HALVES) == (1, 0)
    assert dice("scout", book=HALVES, moved=5) == (1, -1)
    assert dice("scout", book=HALVES, moved=5, suppressed=True) == (1, -2)
    assert dice("scout") == (2, 0)
    assert dice("smg", 10) == (TEAMS["smg"].dice + 1, 0)
    assert dice("smg", 11) == (TEAMS["smg"].dice, 0)
    assert dice("rifle", aboard=True) == (1, 0)


@pytest.mark.rule("105", "202c", "base-autocannon")
def test_twenty_millimetres():
    flak, wirbel = GUNS["flak38"], VEHICLES["wirbel"]
    armed = Firer(flak, weapon=flak.weapon)
    assert fire.dice_of(BOOK, armed, "20mm", 20)[0] == 3
    assert fire.dice_of(BOOK, Firer(flak, weapon=flak.weapon, moved=5), "20mm", 20)[0] == 2
    assert fire.dice_of(BOOK, Firer(flak, weapon=flak.weapon, suppressed=True), "20mm", 20)[0] == 2
    assert fire.dice_of(BOOK, Firer(wirbel, weapon=wirbel.guns[0], moved=20), "20mm", 20)[0] == 6
    assert fire.dice_of(without("202"), Firer(wirbel, weapon=wirbel.guns[0], moved=20), "20mm", 20)[0] == 5
    assert fire.save_modifier(BOOK, armed, "20mm") == -1
    assert fire.save_modifier(without("105"), armed, "20mm") == 0
    assert fire.save_modifier(BOOK, armed, "mg") == 0
    assert fire.save_modifier(BOOK, Firer(TEAMS["pioneer_ft"]), "team") == -1
    assert fire.ranges(armed, "20mm") == (45, 90)
    assert fire.ranges(Firer(TANK), "mg") == (40, 80)
    assert fire.ranges(Firer(TANK), "flame") == (10, 10)


@pytest.mark.rule("base-fire-range", "base-fire-pointblank", "216b", "base-demoralised")
def test_what_changes_the_number():
    rifle = Firer(TEAMS["rifle"])
    near, far = TEAMS["rifle"].near, TEAMS["rifle"].far
    man = Target(TEAMS["rifle"])

    def lines(firer, cm, weapon="team"):
        return list(fire.number_lines(BOOK, firer, man, weapon, cm).lines)

    assert lines(rifle, 10) == [("base-fire-pointblank", 1)]
    assert lines(rifle, 11) == lines(rifle, near) == []
    assert lines(rifle, near + 1) == [("base-fire-range", -1)]
    assert fire.why_out_of_range(rifle, "team", far) is None
    assert fire.why_out_of_range(rifle, "team", far + 1).rule == "base-fire-range"
    assert lines(Firer(TEAMS["pioneer_ft"]), 5) == []
    assert lines(Firer(TANK, demoralised=True), 25, "mg") == [("base-demoralised", -2)]
    assert lines(Firer(TANK, lost=True), 25, "20mm") == [("216b", -2)]
    assert lines(Firer(TANK, lost=True), 25, "mg") == []
    assert [fire.within(n) for n in (1, 2, 6, 7)] == [2, 2, 6, 6]


@pytest.mark.rule("102a", "102c", "base-defensive-fire")
def test_defensive_fire_by_ground_and_covering():
    def number(ground, covering=0, book=BOOK, flame=False):
        return fire.defensive_number(book, ground, covering, flame)[0]

    assert [number(g) for g in (OPEN, LIGHT, HEAVY)] == [2, 4, 5]
    assert number(OPEN, 1) > number(OPEN)
    assert number(OPEN, 9) == 5
    assert number(OPEN, 9, without("102")) == 2
    assert number(HEAVY, 9) == 5
    assert number(HEAVY, 9, flame=True) == 3


@pytest.mark.rule("106a", "223", "base-flamethrower", "base-support-weapon-jam")
def test_fuel_and_jams():
    carried, tank = Firer(TEAMS["pioneer_ft"]), Firer(TANK)
    assert [fire.fuel(BOOK, f) for f in (carried, tank)] == [3, fire.vehicle_fuel(BOOK)]
    assert [fire.fuel(without("106", "223"), f) for f in (carried, tank)] == [1, 3]
    assert fire.fuel(Book(DEFAULTS | {"223"}), tank) == 1
    assert [fire.jams(Firer(TEAMS[t]), "team") for t in ("lmg", "mmg", "hmg", "rifle")] == [True, True, True, False]
    assert fire.jams(tank, "20mm")
    assert not fire.jams(tank, "mg")


# The shot


@pytest.mark.rule("206a", "206b", "206c", "206d", "206e", "206f")
def test_206_rows_of_the_table_and_of_the_old_one():
    rows = ("still", "moving", "stabilised", "narrow", "pivot", "traverse", "weapon_still", "weapon_moved")
    assert [shot.base_number(BOOK, row)[0] for row in rows] == [4, 8, 7, 9, 7, 5, 5, 7]
    assert [shot.base_number(without("206"), row)[0] for row in rows] == [4, 9, 9, 9, 8, 6, 6, 8]
    assert shot.base_number(BOOK, "narrow")[1] == "206d"

    def row(vehicle, stance):
        tank = VEHICLES[vehicle]
        return shot.row_of(Shot(Firer(tank, weapon=tank.guns[0], stance=stance), Target(TANK), 20))

    narrow = next(v.id for v in VEHICLES.values() if v.is_narrow and v.guns)
    steady = next(v.id for v in VEHICLES.values() if "stabiliser" in v.traits and v.guns and not v.is_narrow)
    plain = next(v.id for v in VEHICLES.values() if v.guns and not v.is_narrow and "stabiliser" not in v.traits)
    assert [row(v, "moving") for v in (narrow, steady, plain)] == ["narrow", "stabilised", "moving"]
    assert [row(narrow, stance) for stance in ("still", "pivot", "traverse", "hitched")] == [
        "still",
        "pivot",
        "traverse",
        "still",
    ]
    zook = TEAMS["bazooka"]
    shots = [Shot(Firer(zook, weapon=zook.weapon, stance=stance), Target(TANK), 10) for stance in ("still", "moving")]
    assert [shot.row_of(s) for s in shots] == ["weapon_still", "weapon_moved"]


@pytest.mark.rule("base-to-hit")
@pytest.mark.parametrize(
    ("dice", "needed", "hit"), [((1, 1), -5, False), ((6, 6), 20, True), ((3, 4), 7, True), ((3, 3), 7, False)]
)
def test_two_misses_and_twelve_hits_whatever_is_needed(dice, needed, hit):
    assert shot.hits(dice, needed) is hit


@pytest.mark.rule("207a", "207b", "207c", "207d")
def test_207_bands_and_what_each_begun_one_costs():
    def lines(weapon, cm, nation="DE", ammo="AP", book=BOOK):
        band = shot.range_band(book, WEAPONS[weapon], nation, ammo, False)[0]
        return band, -(max(0, cm - band + band - 1) // band)

    short = next(w.id for w in WEAPONS.values() if w.length == "short")
    long = next(w.id for w in WEAPONS.values() if w.length == "L" and w.calibre > 400)
    very = next(w.id for w in WEAPONS.values() if w.length == "LL" and w.calibre > 400)
    assert [lines(w, 1)[0] for w in (short, long, very)] == [20, 45, 60]
    assert lines(long, 1, "SU")[0] == 30
    assert lines(very, 1, "SU")[0] == 60
    assert lines(very, 1, ammo="HE")[0] == 20
    small = next(w.id for w in WEAPONS.values() if w.length in ("L", "LL") and 0 < w.calibre <= 400)
    assert lines(small, 1)[0] == 30
    assert {lines(w, 1, book=without("207"))[0] for w in (short, long, very, small)} == {30}

    def far(cm):
        gun = GUNS["pak40"]
        fired = Shot(Firer(gun, weapon=gun.weapon), Target(TANK), cm)
        return sum(n for rule, n in shot.to_hit(BOOK, fired)[2].lines if rule in ("207b", "207c", "207d"))

    band = shot.range_band(BOOK, GUNS["pak40"].weapon, "DE", "AP", False)[0]
    assert [far(cm) for cm in (band, band + 1, 2 * band, 2 * band + 1)] == [0, -1, -1, -2]


@pytest.mark.rule("207g")
def test_207_targets_in_motion():
    assert [shot.motion_modifier(BOOK, Target(TANK, moving=True, moved=cm))[1] for cm in (5, 49, 50)] == [-2, -2, -3]
    assert shot.motion_modifier(BOOK, Target(TANK))[1] == 0
    assert shot.motion_modifier(without("207"), Target(TANK, moving=True, moved=60))[1] == -2


@pytest.mark.rule("201a", "201b", "201c")
def test_201_five_sizes_or_three():
    sizes = ("TP", "P", "N", "G", "TG")
    assert [shot.size_modifier(BOOK, size)[1] for size in sizes] == [-2, -1, 0, 1, 2]
    assert [shot.size_modifier(without("201"), size)[1] for size in sizes] == [-1, -1, 0, 1, 1]


@pytest.mark.rule("208m", "base-rate-of-fire")
def test_208_light_guns_fire_once_or_twice():
    pak, long = GUNS["pak36"].weapon, GUN.weapon
    assert [shot.rate_of_fire(BOOK, w) for w in (pak, long)] == [1, 1]
    assert [shot.rate_of_fire(without("208"), w) for w in (pak, long)] == [2, 1]


@pytest.mark.rule("212a", "212b", "base-immobilisation-shot")
def test_212_at_the_tracks():
    def why(cm=20, target=TANK, ammo="AP", book=BOOK, **state):
        fired = Shot(Firer(GUN, weapon=GUN.weapon), Target(target, **state), cm, ammo, low=True)
        found = shot.why_not_low(book, fired)
        return found and found.rule

    band = {"short": 20, "normal": 30, "L": 45, "LL": 60}[GUN.weapon.length]
    assert why(band) is None
    assert why(band + 1) == "212b"
    assert why(30, book=without("212")) is None
    assert why(31, book=without("212")) == "base-immobilisation-shot"
    assert why(ammo="HE") == why(dug_in=True) == why(target=TEAMS["rifle"]) == "base-immobilisation-shot"
    assert [shot.low_modifier(book)[1] for book in (BOOK, without("212"))] == [-2, -3]


# Destruction


@pytest.mark.rule("base-destruction", "base-damage")
def test_a_destruction_test_by_die():
    results = [destruction.tested(BOOK, 3, 7, (die,)) for die in range(1, 7)]
    none, hurt, gone = destruction.NONE, destruction.DAMAGED, destruction.DESTROYED
    assert results == [none, none, none, hurt, gone, gone]
    assert destruction.tested(BOOK, 9, 7, (1,)) == none
    two = Book(DEFAULTS, destruction="2d6")
    assert [destruction.tested(two, 3, 7, dice) for dice in ((1, 1), (3, 3), (3, 4), (4, 4), (5, 4))] == [
        none,
        none,
        hurt,
        gone,
        gone,
    ]
    assert destruction.tested(two, 20, 7, (1, 1)) == none
    assert (destruction.test_dice(BOOK), destruction.test_dice(two)) == (1, 2)


@pytest.mark.rule("209bis-a", "209bis-b", "209bis-c")
def test_209bis_power_by_distance():
    full = {"short": 60, "normal": 60, "L": 90, "LL": 120}
    for length, most in full.items():
        weapon = next(w for w in WEAPONS.values() if w.length == length and w.calibre > 0)
        said = [destruction.range_modifier(BOOK, weapon, cm)[1] for cm in (30, 31, most, most + 1, most + 31)]
        assert said == [1, 0, 0, -1, -2]
        assert destruction.range_modifier(without("209bis"), weapon, 30)[1] == 0


@pytest.mark.rule("209")
def test_209_hand_weapons_far_off():
    zook = TEAMS["bazooka"].weapon
    near = shot.short_range(zook)[0]
    assert [destruction.hand_modifier(without("209"), zook, cm)[1] for cm in (near, near + 1)] == [0, -1]
    assert destruction.hand_modifier(BOOK, zook, near + 1)[1] == 0
    assert destruction.hand_modifier(without("209"), GUN.weapon, 500)[1] == 0


@pytest.mark.rule("base-facing", "210b", "224c", "210a")
def test_which_face_is_tested():
    def face(above="none", book=BOOK, **state):
        return destruction.face_hit(book, Shot(Firer(GUN, weapon=GUN.weapon, above=above), Target(TANK, **state), 20))

    assert [face(face=f) for f in (FRONT, FLANK, REAR)] == [FRONT, FLANK, REAR]
    assert face("floor2", face=FRONT) == REAR
    assert face("hill", face=FLANK) == FLANK
    assert face("hill", without("210"), face=FLANK) == REAR
    assert face(face=REAR, dug_in=True) == FRONT
    assert face("floor2", face=REAR, dug_in=True) == REAR


@pytest.mark.rule("base-special-ammo", "base-destruction-modifiers", "224c")
def test_special_rounds_and_what_else_counts_in_the_test():
    def lines(ammo="AP", cm=50, above="none", **state):
        fired = Shot(Firer(GUN, weapon=GUN.weapon, above=above), Target(TANK, **state), cm, ammo)
        return list(destruction.test_lines(BOOK, fired)[1].lines)

    assert lines() == []
    assert lines("APCR", 60) == lines("APDS", 60) == [("base-special-ammo", 2)]
    assert lines("APCR", 61) == []
    assert lines("APDS", 61) == [("base-special-ammo", 2)]
    assert lines(above="hill") == [("210a", 1)]
    assert lines(above="floor2") == [("210b", 1)]
    assert lines(dug_in=True) == [("224c", -1)]


@pytest.mark.rule("base-immobilisation-shot")
def test_an_aimed_shot_by_die():
    side = TANK.armour[FLANK]
    hurt = [destruction.tested_low(side - 6, Target(TANK), die) == destruction.DAMAGED for die in range(1, 7)]
    assert hurt == [False, False, False, True, True, True]
    assert destruction.tested_low(99, Target(TANK), 1) == destruction.NONE


@pytest.mark.rule("base-he-direct", "407a")
def test_direct_shells_by_cover():
    assert [destruction.he_number(without("407"), cover) for cover in (OPEN, LIGHT, HEAVY, BUILDING)] == [4, 5, 6, 6]
    assert [destruction.he_number(BOOK, cover) for cover in (OPEN, LIGHT)] == [4, 5]


# Artillery and aircraft


@pytest.mark.rule("301a", "301b", "301c")
def test_301_every_template():
    assert [barrage.template_size(n, False) for n in range(1, 7)] == [
        (5, 5),
        (10, 5),
        (15, 5),
        (10, 10),
        (15, 10),
        (15, 10),
    ]
    assert [barrage.template_size(n, True) for n in (1, 4, 6)] == [(10, 5), (20, 10), (20, 15)]
    assert barrage.template_size(4, False, True) == (20, 5)
    assert barrage.template_size(2, False, True) == (10, 5)


@pytest.mark.rule("303b", "303c")
def test_303_numbers_of_the_precision_test():
    assert [barrage.precision(BOOK, n) for n in (1, 2, 3, 4)] == [5, 3, 1, 1]
    assert [barrage.precision(without("303"), n) for n in (1, 2, 3)] == [4, 4, 4]
    assert barrage.may_try_again(BOOK)
    assert not barrage.may_try_again(without("303"))


@pytest.mark.rule("413")
def test_413_the_least_range_of_each():
    assert [barrage.minimum(BOOK, WEAPONS[w]) for w in ("m50", "m60", "m81")] == [10, 10, 20]
    howitzer = GUNS["lefh18"]
    assert barrage.why_not_indirect(BOOK, howitzer, 60) is None
    assert barrage.why_not_indirect(BOOK, howitzer, 59).rule == "413"
    assert barrage.why_not_indirect(without("413"), howitzer, 5) is None


@pytest.mark.rule("410a")
def test_410a_a_piece_without_high_explosive_fires_nothing_indirect():
    howitzer = GUNS["lefh18"]
    solid = replace(howitzer, weapon=replace(howitzer.weapon, he=type(howitzer.weapon.he)()))
    assert barrage.why_not_indirect(BOOK, solid, 60) is barrage.NO_HE


@pytest.mark.rule("307a", "307c", "base-he-antitank")
def test_307_shells_from_above():
    open_top = next(v for v in VEHICLES.values() if "open-top" in v.traits)
    assert barrage.power_from_above(4, Target(TANK)) == 5
    assert barrage.power_from_above(4, Target(open_top)) == 7
    assert barrage.power_from_above(4, Target(TANK, dug_in=True)) == 4
    assert barrage.armour_from_above(Target(TANK)) == TANK.armour[REAR]
    assert barrage.armour_from_above(Target(TANK, dug_in=True)) == TANK.armour[FRONT]
    assert [barrage.hits_for_test(book) for book in (BOOK, without("307"))] == [2, 1]
    assert [barrage.reduced(c) for c in (OPEN, HEAVY, BUILDING, BUNKER)] == [0, 0, 1, 3]
    assert [barrage.direct_mortar_number(c) for c in (OPEN, HEAVY, BUILDING)] == [5, 5, 6]


@pytest.mark.rule("501")
def test_501_shells_above_82_mm_open_minefields():
    calibre = {w.calibre: w for w in WEAPONS.values() if w.calibre}
    above, below = min(c for c in calibre if c > 820), max(c for c in calibre if c <= 820)
    assert barrage.breaches(BOOK, calibre[above])
    assert not barrage.breaches(BOOK, calibre[below])
    assert not barrage.breaches(without("501"), calibre[above])


@pytest.mark.rule("603a", "603c", "602", "601", "base-air-attack")
def test_aircraft_in_numbers():
    assert [air.number_on_armour(book) for book in (BOOK, without("603"))] == [3, 4]
    assert [air.soft_number(c) for c in (OPEN, HEAVY, BUILDING)] == [5, 5, 6]
    assert [air.attacks(w) for w in ("20mm", "37mm", "mg", "small-bomb", "rocket-su")] == [2, 2, 2, 1, 1]
    assert [air.heavy_fires(book) for book in (BOOK, without("602"))] == [False, True]
    assert [air.two_aircraft(book) for book in (BOOK, without("601"))] == [True, False]


@pytest.mark.rule("base-he-direct", "base-autocannon", "401c")
def test_which_round_is_for_what():
    def why(weapon, target, ammo="AP"):
        found = shot.why_not_ammo(BOOK, Shot(Firer(GUN, weapon=weapon), Target(target), 20, ammo))
        return found and found.rule

    zook, rifle, cannon = TEAMS["bazooka"].weapon, TEAMS["rifle"], GUNS["flak38"].weapon
    assert why(zook, TANK) is None
    assert why(zook, GUN) == why(zook, rifle) == "base-he-direct"
    assert why(GUN.weapon, GUN) is None
    assert why(GUN.weapon, rifle) == "base-he-direct"
    assert why(cannon, rifle) == "base-autocannon"
    assert why(cannon, GUN) is None
    assert why(GUN.weapon, TANK, "HE") == "base-he-direct"
    assert why(GUN.weapon, rifle, "HE") is None
    assert why(zook, rifle, "HE") == "401c"
    assert why(GUN.weapon, rifle, "APCR") == "401c"
    assert why(zook, TANK, "APCR") == "401c"
    assert why(GUN.weapon, TANK, "HEAT") == "401c"
    assert why(GUN.weapon, TANK, "APCR") is None
    assert why(GUN.weapon, TANK, "smoke") is None
