"""The laws one by one, by cases of the odds book and at the table."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import destruction, fire, quality, shot
from grognard.games.blitzkrieg.laws.parties import Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.rules import aiming, artillery, ground, losses, transport, walking
from grognard.games.blitzkrieg.state import CRAWLED, ENTRENCHED, HIDDEN, LOST, SHAKEN, STUCK, WRECK, has
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.games.blitzkrieg.world import BASE_OF, OLD_TERRAIN, TERRAIN

from .test_examples import ask, refused

BOOK = Book(DEFAULTS)
TANK = {"type": "vehicle", "unit": "m4_75"}
MEN = {"type": "infantry"}


def shoot(firer: dict[str, Any], target: dict[str, Any], cm: int = 25, **more: Any) -> dict[str, Any]:
    return ask(kind="shot", firer=firer, target=target, cm=cm, **more)


def lines(answer: dict[str, Any], key: str = "items") -> dict[str, int]:
    return {item["rule"]: item["mod"] for item in answer[key]}


def volley(firer: dict[str, Any], target: dict[str, Any], cm: int = 25, **more: Any) -> dict[str, Any]:
    return ask(kind="fire", firer=firer, target=target, cm=cm, **more)


# Dice fire


@pytest.mark.rule("base-fire-range", "base-fire-pointblank")
def test_range_and_point_blank_of_infantry_fire():
    numbers = [volley({"unit": "rifle"}, MEN, cm)["number"] for cm in (10, 11, 30, 31, 60)]
    assert numbers == [3, 4, 4, 5, 5]
    assert refused(kind="fire", firer={"unit": "rifle"}, target=MEN, cm=61) == "base-fire-range"


@pytest.mark.rule("base-cover-levels", "base-fire")
def test_cover_and_motion_give_the_number():
    covers = [
        volley({"unit": "rifle"}, MEN | {"cover": c})["number"]
        for c in ("open", "light", "heavy", "building", "bunker")
    ]
    assert covers == [4, 5, 6, 6, 6]
    assert volley({"unit": "rifle"}, MEN | {"moving": True})["number"] == 3


@pytest.mark.rule("base-support-weapon-move")
def test_support_weapons_that_moved_do_not_fire():
    assert refused(kind="fire", firer={"unit": "mmg", "moved": 5}, target=MEN, cm=20) == "base-support-weapon-move"
    moving = {"unit": "hmg", "stance": "moving"}
    assert refused(kind="shot", firer=moving, target=TANK, cm=20) == "base-support-weapon-move"


@pytest.mark.rule("base-vehicle-mg", "base-autocannon")
def test_machine_guns_and_cannon_of_vehicles():
    assert volley({"unit": "pz4h"}, MEN, 41)["number"] == 5
    assert refused(kind="fire", firer={"unit": "pz4h"}, target=MEN, cm=81) == "base-fire-range"
    cannon = volley({"unit": "pz2c", "weapon": "20mm"}, MEN, 45)
    assert (cannon["dice"], cannon["number"], cannon["save"]["mod"]) == (3, 4, -1)
    assert volley({"unit": "wirbel", "weapon": "20mm"}, MEN)["dice"] == 6
    assert refused(kind="fire", firer={"unit": "pz4h", "weapon": "20mm"}, target=MEN, cm=20) == "base-autocannon"


@pytest.mark.rule("base-flamethrower")
def test_flame_ignores_cover():
    for cover, number in (("open", 3), ("building", 3), ("bunker", 4)):
        answer = volley({"unit": "pioneer_ft"}, MEN | {"cover": cover}, 5)
        assert (answer["number"], answer["save"]["mod"]) == (number, -1)
    assert volley({"unit": "pioneer_ft"}, MEN, 6)["number"] == 4
    assert refused(kind="fire", firer={"unit": "pioneer_ft"}, target=TANK, cm=5) == "base-flamethrower"


@pytest.mark.rule("base-soft-vehicle")
def test_small_arms_at_a_truck():
    truck = {"type": "vehicle", "unit": "opel"}
    assert [volley({"unit": "rifle"}, truck | {"moved": m})["number"] for m in (0, 10)] == [4, 3]
    assert set(volley({"unit": "rifle"}, truck)["results"]) == {"none", "stopped", "destroyed"}
    assert shoot({"unit": "pz2c"}, truck)["per_hit"] == {"destroyed": "1"}


@pytest.mark.rule("base-gun-target")
def test_a_shield_is_heavy_cover():
    gun = {"type": "gun", "unit": "pak40"}
    assert [volley({"unit": "rifle"}, gun | {"shield": s})["number"] for s in (False, True)] == [4, 6]
    assert shoot({"unit": "pz6"}, gun, ammo="AP")["results"]["eliminated"] != "0"


@pytest.mark.rule("base-save-again")
@pytest.mark.parametrize(("twice", "result"), [("retreat", 3), ("eliminated", 4), ("nothing", 0)])
def test_demoralised_twice(twice, result):
    assert quality.saved(Book(DEFAULTS, twice=twice), 1, 3, 0, True) == result


# Shots


@pytest.mark.rule("base-to-hit-modifiers")
def test_cover_of_vehicles_and_of_infantry_under_he():
    assert lines(shoot({"unit": "pz6"}, TANK | {"cover": "light"}))["base-to-hit-modifiers"] == -1
    assert lines(shoot({"unit": "pz6"}, TANK | {"cover": "heavy"}))["base-to-hit-modifiers"] == -2
    assert lines(shoot({"unit": "pz6"}, MEN | {"cover": "building"}))["base-to-hit-modifiers"] == -2


@pytest.mark.rule("base-hull-down")
def test_hull_down_counts_instead_of_cover():
    found = lines(shoot({"unit": "pz6"}, TANK | {"cover": "light", "hull_down": True}))
    assert found["base-hull-down"] == -2
    assert "base-to-hit-modifiers" not in found


@pytest.mark.rule("base-vehicle-actions")
def test_the_second_gun_shoots_worse():
    assert lines(shoot({"unit": "b1bis", "weapon": "75*", "second": True}, TANK))["base-vehicle-actions"] == -2


@pytest.mark.rule("base-at-weapon-range")
def test_hand_weapons_have_two_ranges():
    assert "base-at-weapon-range" not in lines(shoot({"unit": "bazooka"}, TANK, 10))
    assert lines(shoot({"unit": "bazooka"}, TANK, 20))["base-at-weapon-range"] == -1
    assert refused(kind="shot", firer={"unit": "bazooka"}, target=TANK, cm=21) == "base-at-weapon-range"


@pytest.mark.rule("base-hollow-charge")
def test_hollow_charges_meet_armour_of_twelve_at_most():
    heavy = {"type": "vehicle", "unit": "is2"}
    assert shoot({"unit": "pschreck"}, heavy, 10)["destruction"]["armour"] == 12
    assert shoot({"unit": "pz6"}, heavy, 10)["destruction"]["armour"] == 14


@pytest.mark.rule("base-special-ammo", "base-destruction-modifiers")
def test_special_ammunition():
    assert lines(shoot({"unit": "pz4h"}, TANK, 60, ammo="APCR")["destruction"])["base-special-ammo"] == 2
    assert "base-special-ammo" not in lines(shoot({"unit": "pz4h"}, TANK, 61, ammo="APCR")["destruction"])
    apds = shoot({"unit": "firefly"}, TANK, 40, ammo="APDS")
    assert lines(apds)["base-special-ammo"] == -1
    heat = shoot({"unit": "pz4d"}, TANK, 100, ammo="HEAT")["destruction"]
    assert (heat["ap"], heat["items"]) == (6, [])


@pytest.mark.rule("401c", "base-he-direct")
def test_ammunition_that_does_not_exist_or_does_not_fit():
    assert refused(kind="shot", firer={"unit": "pz6"}, target=TANK, cm=20, ammo="HEAT") == "401c"
    assert refused(kind="shot", firer={"unit": "pz6"}, target=TANK, cm=20, ammo="HE") == "base-he-direct"
    assert refused(kind="shot", firer={"unit": "mat2"}, target=MEN, cm=20, ammo="HE") == "401c"
    assert [destruction.he_number(BOOK, cover) for cover in (0, 1, 3)] == [4, 5, 5]


@pytest.mark.rule("base-immobilisation-shot")
def test_an_aimed_shot_never_destroys():
    fired = Shot(Firer(VEHICLES["pz6"], WEAPONS["88L"]), Target(VEHICLES["m4_75"]), 30, low=True)
    assert shot.why_not_low(BOOK, fired) is None
    assert {destruction.tested_low(9, fired.target, die) for die in range(2, 7)} == {destruction.DAMAGED}
    assert destruction.tested_low(99, fired.target, 1) == destruction.NONE
    assert (
        refused(kind="shot", firer={"unit": "bazooka"}, target=TANK, cm=5, aim="immobilise")
        == "base-immobilisation-shot"
    )


@pytest.mark.rule("210b")
def test_210_from_a_second_floor_the_roof_is_hit():
    answer = shoot({"unit": "bazooka", "above": "floor2"}, TANK, 10)
    assert (answer["destruction"]["facing"], lines(answer)["210b"]) == ("rear", 1)
    assert refused(kind="shot", firer={"unit": "pz6", "above": "floor2"}, target=TANK, cm=10) == "210b"


@pytest.mark.rule("406c")
def test_406_launchers_do_not_turn_or_react():
    assert refused(kind="shot", firer={"unit": "neb41", "stance": "pivot"}, target=MEN, cm=30) == "406c"
    assert refused(kind="shot", firer={"unit": "neb41"}, target=MEN, cm=30, reaction="opportunity") == "406c"


@pytest.mark.rule("410b")
def test_410_mortars_do_not_shoot_like_guns():
    assert refused(kind="shot", firer={"unit": "grw34"}, target=MEN, cm=30) == "410b"


@pytest.mark.rule("101c")
def test_101_a_crawler_in_the_open_counts_as_still(table):
    steppe = table("prokhorovka43")
    man = steppe.put("su-smg-1", 150, 60, flags=CRAWLED)
    steppe.s.moved[man] = 10
    gun = steppe.put("de-pak40-1", 120, 60)
    target = aiming.as_target(steppe.s, man, gun)
    assert fire.base_number(target) == 4
    assert ground.action_of(steppe.s, man) == "still"


# Artillery and aircraft


@pytest.mark.rule("417b", "417d", "base-he-antitank")
def test_417_roofs_and_bunkers():
    targets = [MEN | {"cover": c} for c in ("open", "ruins", "bunker")] + [{"type": "vehicle", "unit": "m10"}]
    answer = ask(kind="barrage", mode="off-table", unit="off_155", targets=targets)["targets"]
    assert [(t["dice"], t["number"]) for t in answer[:3]] == [(5, 5), (4, 6), (2, 6)]
    assert answer[3]["power"] == 3 + 3  # HE of 155 mm, open top
    three = {"kind": "barrage", "mode": "on-table", "unit": "m2_60", "cm": 40, "targets": [MEN] * 3}
    assert refused(**three) == "417b"


@pytest.mark.rule("base-support-test", "304b")
def test_304_the_support_test_is_the_number_of_the_request():
    answer = ask(kind="barrage", mode="off-table", unit="off_105", nation="SU", year=1942)
    assert answer["request"] == answer["support_test"] == {"number": 6, "p": "1/6"}


@pytest.mark.rule("108b")
def test_108_light_mortars_only_fire_direct():
    assert refused(kind="barrage", mode="on-table", unit="grw36", cm=40) == "108b"


@pytest.mark.rule("base-air-attack", "base-aa-fire")
def test_aircraft_on_soft_targets_and_aa_fire():
    answer = ask(kind="air", weapon="small-bomb", target=MEN | {"cover": "building"}, aa=[{"weapon": "mg", "cm": 40}])
    assert (answer["dice"], answer["die"]) == (4, 6)
    assert answer["aa"] == {"through": "25/36", "aborted": "5/18", "shot_down": "1/36"}
    assert refused(kind="air", weapon="mg", target=MEN, aa=[{"weapon": "mg", "cm": 41}]) == "base-aa-fire"


@pytest.mark.rule("base-random-direction")
def test_without_303_a_miss_scatters(table):
    made = table("stonne40", p303="off", p303bis="off", p305="off")
    point = made.w.table.point_at(360, 400)
    made.s.loaded = (2, 2, 4)
    off = artillery._scattered(made.s, point)
    assert made.w.table.x[off] == made.w.table.x[point]
    assert made.w.table.y[off] - made.w.table.y[point] in (10, 20)


@pytest.mark.rule("409a")
def test_409_american_commanders_observe(table):
    made = table("stonne40")
    unit = made.put("fr-command-1", 90, 110)
    assert not artillery.may_observe(BOOK, unit)


# Ground and movement


@pytest.mark.rule("002a", "002b", "002c", "002d", "002e")
def test_002_new_kinds_of_terrain_and_the_old_ones():
    rates = {kind: TERRAIN.areas[kind].rate for kind in ("light-wood", "orchard", "dense-wood", "sand", "steep-hill")}
    assert [rates[k]["wheeled"] for k in rates] == [200, 200, -1, -1, -1]
    assert (rates["dense-wood"]["tracked"], rates["light-wood"]["tracked"], rates["steep-hill"]["tracked"]) == (
        200,
        100,
        -1,
    )
    assert TERRAIN.areas["dense-wood"].bog == ("tracked", "half")
    assert TERRAIN.areas["sand"].bog == ("tracked", "half")
    assert TERRAIN.areas["steep-hill"].cover == "light"
    assert OLD_TERRAIN.areas["dense-wood"].bog == ()
    assert OLD_TERRAIN.areas["sand"].rate == TERRAIN.areas["marsh"].rate


@pytest.mark.rule("base-terrain", "402e")
def test_402_guns_move_like_wheels_and_pack_guns_like_men(table):
    """402e: dense wood is closed to a gun and takes twice in a light wood; what men carry in pieces goes like men."""
    made = table("stonne40")
    gun, man = made.put("de-pak36-1", 60, 90), made.put("de-rifle-1", 70, 90)
    assert walking.steps_of(made.s, gun).drive == "wheeled"
    assert walking.steps_of(made.s, man).drive == "foot"
    for choice, drive in (("on", "foot"), ("off", "wheeled")):
        bought = table("encounter44", p402=choice)
        steps = walking.steps_of(bought.s, bought.put("us-m1-75-1", 60, 90))
        assert steps.drive == drive
        rates = {made.w.table.terrain.areas[kind].rate[steps.drive] for kind in ("dense-wood", "light-wood")}
        assert rates == ({200, 100} if drive == "foot" else {-1, 200})
        assert walking.steps_of(bought.s, bought.put("us-m1-57-1", 70, 90)).drive == "wheeled"


def _door(made, unit):
    """A point of a house and one outside a step away, both with room for a unit."""
    kinds, offsets = made.w.table.kind, made.w.table.offsets
    for p in made.w.table.points:
        if kinds[p] == "building":
            for q in (p + off for off in offsets):
                if kinds[q] in ("open", "road") and made.w.bases.fits(BASE_OF[unit], q, 0, []):
                    if made.w.bases.fits(BASE_OF[unit], p, 0, []):
                        return p, q
    raise AssertionError("no house")


@pytest.mark.rule("402c")
@pytest.mark.parametrize(
    ("name", "choice", "enters"), [("leig18", "on", True), ("pak40", "on", False), ("leig18", "off", False)]
)
def test_402_light_guns_are_pushed_into_a_house_and_no_others(table, name, choice, enters):
    made = table("encounter44", p402=choice)
    gun = made.put(f"de-{name}-1", 60, 90)
    inside, outside = _door(made, gun)
    made.s.at[gun] = outside
    steps = walking.steps_of(made.s, gun)
    way = made.w.table.offsets.index(inside - outside)
    assert (steps.cost(outside, way) > 0) == enters


@pytest.mark.rule("402d")
def test_402_other_guns_stay_in_the_house_where_they_began(table):
    for choice in ("on", "off"):
        made = table("encounter44", p402=choice)
        gun = made.put("de-pak40-1", 60, 90)
        made.put("us-rifle-1", 60, 40)
        made.s.at[gun] = _door(made, gun)[0]
        made.act(1, "pak", "de-pak40-1")
        assert made.rule("move") == ("402d" if choice == "on" else None)
        assert made.rule("turn") is None
        made.s.at[gun] = _door(made, gun)[1]
        assert made.rule("move") is None
        made.s.flags[gun] |= ENTRENCHED
        assert made.rule("move") == ("402d" if choice == "on" else None)
        assert (transport.why_no_hitch(made.s, made.s.frames[-1], gun).rule == "402d") == (choice == "on")


@pytest.mark.rule("402a", "402b", "base-gun-move")
def test_402_which_guns_are_moved_by_hand():
    assert walking.gun_moves(BOOK, GUNS["pak43"]) == (5, 10)
    assert walking.gun_moves(BOOK, GUNS["leig18"]) == (10, 15)
    old = Book(DEFAULTS - {"402"})
    assert walking.gun_moves(old, GUNS["pak43"]) == (0, 0)
    assert walking.gun_moves(old, GUNS["leig18"]) == (0, 0)
    assert walking.gun_moves(old, GUNS["pak36"]) == (10, 15)


@pytest.mark.rule("402c")
def test_402_guns_begin_in_houses_if_their_kind_may(table):
    from grognard.games.blitzkrieg.setup import may_stand

    made = table("stonne40")
    house = next(p for p in made.w.table.points if made.w.table.kind[p] == "building")
    assert may_stand(made.w, made.unit("de-pak36-1"), house)
    assert not may_stand(made.w, made.unit("de-pz4d-1"), house)


@pytest.mark.rule("109")
def test_109_the_81_mm_mortar_is_carried():
    assert walking.mortar_move(BOOK, GUNS["grw34"]) == 10
    assert walking.mortar_move(Book(DEFAULTS - {"109"}), GUNS["grw34"]) == 5
    assert walking.team_move(TEAMS["hmg"]) == 10


@pytest.mark.rule("204b", "204c", "205d")
def test_204_nobody_drives_around_in_a_narrow_place(table):
    made = table("stonne40")
    narrow = sorted(made.w.table.narrow)[0]
    tank, wreck = made.put("fr-h39-1", 90, 110), made.put("fr-h39-2", 80, 110, condition=WRECK)
    assert walking.bypass(BOOK, made.s, tank, wreck) == 10 * 48
    made.s.at[wreck] = narrow
    assert walking.bypass(BOOK, made.s, tank, wreck) == -1


@pytest.mark.rule("205c")
def test_205_a_soft_wreck_is_light_cover(table, monkeypatch):
    from grognard.games.blitzkrieg.proposals import p2

    made = table("prokhorovka43")
    firer, man = made.put("de-pz6-1", 100, 60, "E"), made.put("su-smg-1", 156, 60)
    made.put("su-t34-43-1", 150, 60, condition=WRECK)
    assert p2.behind_wrecks(BOOK, made.s, man, made.s.at[firer]) == 2
    monkeypatch.setattr(p2, "IS_ARMOUR", (False,) * 200)
    assert p2.behind_wrecks(BOOK, made.s, man, made.s.at[firer]) == 1


@pytest.mark.rule("base-facing")
def test_the_face_that_is_hit(table):
    made = table("prokhorovka43")
    tank = made.put("de-pz6-1", 150, 60, "E")
    points = [made.w.table.point_at(4 * x, 4 * y) for x, y in ((190, 60), (150, 20), (110, 60))]
    assert [ground.face_of(made.s, tank, p) for p in points] == [0, 1, 2]


@pytest.mark.rule("base-fortification-cover")
def test_entrenched_guns(table):
    made = table("stonne40")
    gun = made.put("de-pak36-1", 60, 90, flags=ENTRENCHED)
    tank = made.put("fr-h39-1", 60, 110, "N")
    assert aiming.as_target(made.s, gun, tank).cover == 5


@pytest.mark.rule("base-damage")
@pytest.mark.parametrize(("die", "condition"), [(6, 0), (1, WRECK)])
def test_a_damaged_vehicle_keeps_its_crew_or_not(table, die, condition):
    made = table("prokhorovka43")
    tank = made.put("su-t34-43-1", 150, 60)
    made.s.loaded = (die,)
    losses.damage(made.s, tank, "base-destruction")
    assert has(made.s, tank, STUCK)
    assert made.s.condition[tank] == condition


@pytest.mark.rule("101b")
def test_101_who_crawls_in_cover_stays_hidden(table):
    made = table("stonne40")
    man = made.put("de-rifle-1", 46, 84, flags=HIDDEN)
    made.put("de-command-1", 46, 88, flags=HIDDEN)
    assert made.w.table.kind[made.s.at[man]] == "orchard"
    made.act(1, "grenadiers", "de-rifle-1")
    made.do("crawl")
    made.do("to", next(w for w in made.can("to") if made.w.table.kind[made.w.table.point_named(w)] == "orchard"))
    assert has(made.s, man, HIDDEN)


@pytest.mark.rule("214c", "214h")
def test_214_a_gun_fires_at_who_runs_it_over(table):
    made = table("prokhorovka43")
    made.put("su-t34-43-1", 180, 115, "W")
    gun = made.put("de-pak40-1", 160, 115, "E", flags=1)
    made.act(0, "first-wave", "su-t34-43-1")
    made.do("open")
    made.do("overrun", "de-pak40-1")
    assert (made.decision, made.can("react")) == ("React", ["de-pak40-1"])
    events = made.do("react", "de-pak40-1", 6, 6, 6, 3)
    tally = dict(next(e for e in events if e.kind == "shoots").data["tally"])
    assert tally["214h"] == -2
    assert made.s.condition[made.unit("su-t34-43-1")] == WRECK
    assert made.s.condition[gun] == 0


@pytest.mark.rule("216c")
def test_216_a_lost_commander_counts_a_point(table):
    from grognard.games.blitzkrieg.rules import victory

    made = table("prokhorovka43")
    tank = made.put("su-t34-43-1", 200, 60)
    before = victory.score_of(made.s, 1)
    losses.close_for_good(made.s, tank)
    assert victory.score_of(made.s, 1) == before + 1


@pytest.mark.rule("407b")
def test_407_further_hits_are_dealt_to_neighbours(table):
    made = table("prokhorovka43")
    made.put("de-pz6-1", 140, 115, "E")
    first, second = made.put("su-smg-1", 165, 115), made.put("su-smg-2", 165, 110.5)
    made.act(1, "tigers", "de-pz6-1")
    made.do("open")
    made.do("shoot", "su-smg-1", 6, 6, 4, 4, 1, 1, 2, 1, 3)
    assert made.s.condition[second] in (SHAKEN, LOST)
    assert made.s.condition[first] in (SHAKEN, LOST)


@pytest.mark.rule("401b")
def test_401_large_guns_are_seen_like_vehicles():
    far = {"observer": {"vision": "normal"}, "target": {"type": "large-gun"}, "cm": 200}
    assert ask(kind="detect", **far)["limit"] == "unlimited"
    assert ask(kind="detect", **far, proposals={"off": ["401"]})["limit"] == 60
