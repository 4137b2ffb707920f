"""Rules of guns, machine guns, sizes, dug-in tanks, support and refusals that no other page tries."""

from __future__ import annotations

from copy import deepcopy

import pytest

from grognard.cli.coverage import rulebook
from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import OPPORTUNITY, RAM, Reaction
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws import close, destruction, fire, shot
from grognard.games.blitzkrieg.laws.parties import BUNKER, FRONT, HEAVY, LIGHT, OPEN, REAR, TRENCH, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import CHARTS, GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.rules import reaction
from grognard.games.blitzkrieg.rules.command import begin_turn
from grognard.games.blitzkrieg.rules.ground import cm_between, detection, gap, looks_hard
from grognard.games.blitzkrieg.state import CONDITIONS, DUG_IN, FIRED, HIDDEN, OUT, SUPPRESSED, TURN_FLAGS, has
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.games.blitzkrieg.world import AXIS, DOCUMENTS, MODEL_OF, World
from grognard.kernel import DataError, Tally

BOOK = Book(DEFAULTS)


def without(*names):
    return Book(DEFAULTS - set(names))


def lines_of(fired, book=BOOK):
    return dict(shot.to_hit(book, fired)[2].lines)


def at_gun(gun, cover=OPEN):
    tank = VEHICLES["m4_75"]
    return Shot(Firer(tank, weapon=tank.guns[0], out=True), Target(GUNS[gun], cover=cover), 20, "HE")


@pytest.mark.rule("202a", "202b", "202c")
@pytest.mark.parametrize(
    ("mgs", "moved", "on", "off"),
    [(("hull",), 0, 1, 2), (("coax",), 0, 1, 2), (("aa",), 0, 2, 3), (("hull", "coax"), 20, 2, 2), (("aa",), 20, 2, 2)],
)
def test_202_machine_guns_of_vehicles(mgs, moved, on, off):
    firer = Firer(VEHICLES["m4_75"], mgs=mgs, moved=moved, out=True)
    assert fire.dice_of(BOOK, firer, "mg", 20)[0] == on
    assert fire.dice_of(without("202"), firer, "mg", 20)[0] == off


@pytest.mark.rule("401a", "207bis-b", "207bis-a")
@pytest.mark.parametrize(("gun", "size"), [("pak36", -1), ("pak40", 0), ("flak88", 1), ("leig18", -1)])
def test_401_sizes_count_in_the_open_and_in_cover_only(gun, size):
    """207bis-a: whether it is an anti-tank gun does not matter."""
    assert lines_of(at_gun(gun)).get("207bis-b", 0) == size
    assert lines_of(at_gun(gun, LIGHT)).get("207bis-b", 0) == size
    assert "207bis-b" not in lines_of(at_gun(gun, TRENCH))
    assert "207bis-b" not in lines_of(at_gun(gun, BUNKER))


@pytest.mark.rule("207bis-a", "401a")
def test_207bis_off_anti_tank_guns_are_a_class_larger():
    book = without("207bis")
    pak, howitzer = (shot.gun_size_modifier(book, Target(GUNS[g]))[1] for g in ("pak40", "lefh18"))
    assert pak == howitzer + 1
    same = [shot.gun_size_modifier(BOOK, Target(GUNS[g]))[1] for g in ("pak40", "lefh18")]
    assert same[0] == same[1]


@pytest.mark.rule("405")
@pytest.mark.parametrize(("gun", "on", "off"), [("pak40", -2, -2), ("lefh18", -2, -1)])
def test_405_every_gun_in_cover_is_hit_at_minus_two(gun, on, off):
    target = at_gun(gun, HEAVY).target
    assert shot.gun_cover_modifier(BOOK, target.gun) == ("405", on)
    assert shot.gun_cover_modifier(without("405"), target.gun)[1] == off


@pytest.mark.rule("207h", "base-fortification-cover")
def test_207_entrenched_men_and_guns_are_hit_at_minus_four_and_no_other_cover_counts():
    tank = VEHICLES["m4_75"]
    for target in (Target(TEAMS["rifle"], cover=TRENCH), Target(GUNS["pak40"], cover=TRENCH)):
        fired = Shot(Firer(tank, weapon=tank.guns[0], out=True), target, 20, "HE")
        found = [line for line in shot.to_hit(BOOK, fired)[2].lines if line[1] < 0]
        assert found == [("207h", -4)]
        assert ("base-to-hit-modifiers", -3) in shot.to_hit(without("207"), fired)[2].lines


@pytest.mark.rule("210a")
def test_210_from_a_hill_one_more_to_hit_and_to_destroy_against_the_face_that_shows():
    gun, tank = GUNS["pak40"], VEHICLES["m4_75"]
    fired = Shot(Firer(gun, weapon=gun.weapon, above="hill"), Target(tank, face=FRONT, out=True), 40)
    assert lines_of(fired)["210a"] == 1
    assert ("210a", 1) in destruction.test_lines(BOOK, fired)[1].lines
    assert destruction.face_hit(BOOK, fired) == FRONT
    assert destruction.face_hit(without("210"), fired) == REAR


@pytest.mark.rule("220a", "220bis")
def test_220_traits_take_the_place_of_nations():
    def modifiers(model, book):
        vehicle = VEHICLES[model]
        fired = Shot(Firer(vehicle, weapon=vehicle.guns[0], out=True), Target(VEHICLES["pz4h"], out=True), 20)
        return shot.trait_modifier(book, fired)[1], shot.french_modifier(book, fired)[1]

    assert modifiers("h39", BOOK) == (-1, 0)  # a narrow turret, whoever built it
    assert modifiers("t34_43", BOOK) == (-1, 0)  # poor optics
    assert modifiers("m4_75", BOOK) == (0, 0)
    assert modifiers("h39", without("220bis")) == (-1, 0)  # for its nation
    assert modifiers("h39", without("220", "220bis")) == (-1, -1)
    assert modifiers("m4_75", without("220", "220bis")) == (0, 0)


@pytest.mark.rule("224b", "224c", "224d")
def test_224_a_dug_in_tank_is_seen_like_a_gun_and_hit_and_stormed_like_nothing_else(table):
    made = table("stalingrad42")
    tank = made.put("su-t34-41-1", 70, 62, flags=DUG_IN)
    assert not looks_hard(made.s, tank)
    made.s.flags[tank] = 0
    assert looks_hard(made.s, tank)
    gun, model = GUNS["pak40"], VEHICLES["t34_41"]
    fired = Shot(Firer(gun, weapon=gun.weapon), Target(model, dug_in=True, face=REAR), 40)
    assert lines_of(fired)["224c"] == -2
    assert ("224c", -1) in destruction.test_lines(BOOK, fired)[1].lines
    assert destruction.face_hit(BOOK, fired) == FRONT
    assert close.tank_assault_lines(Target(model, dug_in=True)).lines == (("224d", 1),)


@pytest.mark.rule("001a", "001c")
def test_001_half_groups_fire_one_die_and_fight_worse():
    half = TEAMS["command"]
    assert half.sort == "half"
    book = Book(DEFAULTS | {"001"})
    assert (fire.team_dice(book, half), fire.team_dice(without("001"), half)) == (1, 2)
    assert close.half_group_modifier(book, half) == -1
    assert close.half_group_modifier(without("001"), half) == 0
    assert close.half_group_modifier(book, TEAMS["rifle"]) == 0


@pytest.mark.rule("003c", "base-commander-out")
def test_003_closed_vehicles_see_half_as_far(table):
    made = table("bocage44")
    tank, men = made.put("us-m4-75-1", 90, 8), made.put("de-rifle-1", 90, 40)
    near = detection(made.s, tank, men)
    made.s.flags[tank] |= OUT
    assert detection(made.s, tank, men) == 2 * near


@pytest.mark.rule("302b")
def test_302_organic_support_is_never_harder_to_get():
    for nation, _, _, organic, divisional in CHARTS["request"]["table"]:
        assert organic <= divisional, nation


@pytest.mark.rule("303d", "303c")
@pytest.mark.parametrize("die", range(1, 5))
def test_303_a_miss_never_scatters(table, die):
    made = table("stonne40", p303bis="off")
    made.put("fr-observer-1", 90, 110)
    made.put("de-rifle-1", 60, 97)
    made.s.available[0] = 1
    made.do("begin" if made.s.waiting[0] == 0 else "wait")
    made.do("barrage", "french-75s")
    made.do("mark", made.point(60, 97))
    made.do("high-explosive", "", die)
    assert "comes-down" not in made.kinds()


def changed(name, **changes):
    document = deepcopy(DOCUMENTS[name])
    document |= changes
    return document


@pytest.mark.rule("302a", "302c", "409c", "409d", "701f")
def test_302_a_scenario_file_that_breaks_the_rules_of_support_is_refused():
    battery = {"name": "x", "nation": "UK", "support": "off_m81h"}
    with pytest.raises(DataError, match="302c"):
        World("lesson2", changed("lesson2", battery=[battery]))
    World("lesson2", changed("lesson2", battery=[battery | {"support": "off_m81"}]))  # 409d: two here, four there
    with pytest.raises(DataError, match="302a"):
        World("stonne40", changed("stonne40", battery=[{"name": "x", "nation": "DE", "support": "off_m120"}]))
    World("lesson2", changed("lesson2", battery=[{"name": "x", "nation": "DE", "support": "off_m120"}]))  # 409c: 1944
    with pytest.raises(DataError, match="has no"):
        World("lesson2", changed("lesson2", battery=[battery | {"support": "off_105"}]))
    world = World("bocage44", DOCUMENTS["bocage44"])
    (sniper,) = [unit for unit in world.of_side[AXIS] if MODEL_OF[unit].id == "sniper"]
    world.of_side = ([], [sniper] * 2)
    world._check_support()
    world.of_side = ([], [sniper] * 3)
    with pytest.raises(DataError, match="701f"):
        world._check_support()


@pytest.mark.rule("701e", "306b")
def test_701_a_camouflaged_observer_is_no_target_of_a_sniper(table):
    made = table("stalingrad42")
    made.put("su-sniper-1", 70, 62, flags=HIDDEN)
    made.put("de-observer-1", 60, 62, flags=HIDDEN)
    made.act(0, "soviet-sniper", "su-sniper-1")
    assert made.rule("snipe", "de-observer-1") is not None
    made.s.flags[made.unit("de-observer-1")] = 0
    assert made.rule("snipe", "de-observer-1") is None


@pytest.mark.rule("108i", "base-los")
def test_108_a_mortar_fires_over_its_own_men(table):
    made = table("lesson2")
    made.put("uk-ml3-1", 66, 116)
    for y in (104, 108, 112):
        made.put(f"uk-pioneer-{(y - 100) // 4}", 66, y)
    made.put("de-rifle-1", 66, 92)
    made.act(0, "three-inch-mortars", "uk-ml3-1")
    assert made.rule("shoot", "de-rifle-1") is None


@pytest.mark.rule("214i", "214h")
@pytest.mark.parametrize(
    ("gun", "swings"), [("pak36", True), ("pak40", True), ("flak38", True), ("flak88", True), ("lefh18", False)]
)
def test_214_guns_up_to_75_mm_and_flak_on_mounts_are_swung_round(gun, swings):
    assert shot.may_swing(BOOK, GUNS[gun]) is swings
    assert not shot.may_swing(without("214"), GUNS[gun])


@pytest.mark.rule("214i", "206e")
@pytest.mark.parametrize("nerve", [6, 1])
def test_214_a_gun_that_is_overrun_from_behind_swings_round_on_a_passed_test(table, nerve):
    made = table("lesson2")
    s = made.s
    gun = made.put("de-pak40-1", 66, 95, "N")
    tank = made.put("uk-firefly-1", 66, 101, "N")
    assert reaction.ram_reaction(BOOK, s, gun, tank)
    s.events, s.loaded = [], (nerve, 1, 1, 2)
    reaction.react(s, gun, tank, RAM)
    s.loaded = ()
    shots = [e for e in s.events if e.kind == "shoots"]
    assert bool(shots) is (nerve == 6)
    if shots:
        assert shots[0].rule == "206e"  # a gun that pivots
        assert s.facing[gun] == 8


@pytest.mark.rule("411", "base-opportunity-fire")
@pytest.mark.parametrize("option", ["on", "off"])
def test_411_indirect_fire_is_no_opportunity_fire(table, option):
    made = table("lesson2", p411=option)
    s = made.s
    mortar = made.put("uk-ml3-1", 60, 117)
    made.put("uk-observer-1", 90, 112)
    men = made.put("de-rifle-1", 66, 92)
    s.smoke = ((58 * 4, 108 * 4, 48, 8, 9),)  # the mortar sees nothing itself
    can = reaction.reactors(s, Reaction(side=0, unit=men, why=OPPORTUNITY))
    assert (mortar in can) is (option == "off")
    if option == "off":
        s.events, s.loaded = [], (5, 1, 1, 1, 2)
        reaction.react(s, mortar, men, OPPORTUNITY)
        s.loaded = ()
        assert "comes-down" in [e.kind for e in s.events]
        assert has(s, men, SUPPRESSED)
        assert has(s, mortar, FIRED)


@pytest.mark.rule("base-he-power")
def test_the_dice_of_shells_by_calibre():
    for weapon, dice in {"m50": 2, "m60": 2, "m81": 3, "120*": 4, "r82": 3, "r132": 4, "r150": 4, "r210": 5}.items():
        assert WEAPONS[weapon].he == dice
    for weapon in ("37", "45", "47", "65*", "75", "75LL", "76", "105*", "122*", "128L", "150*", "155*"):
        calibre = WEAPONS[weapon].calibre
        expected = (
            1 if calibre <= 470 else 2 if calibre <= 650 else 3 if calibre <= 900 else 4 if calibre <= 1280 else 5
        )
        assert WEAPONS[weapon].he == expected


@pytest.mark.rule("base-states", "base-turn")
def test_states_exclude_each_other_and_what_ends_with_the_turn_is_cleared(table):
    assert CONDITIONS[:3] == ("good", "shaken", "lost")
    made = table("lesson2")
    unit = made.put("de-rifle-1", 66, 92, flags=SUPPRESSED | FIRED | DUG_IN)
    made.s.moved[unit] = 10
    begin_turn(made.s, made.s.frames[0])
    assert not made.s.flags[unit] & TURN_FLAGS
    assert has(made.s, unit, DUG_IN)
    assert made.s.moved[unit] == 0


@pytest.mark.rule("base-illegal")
def test_every_refusal_names_a_rule_of_the_book(table):
    known = set(rulebook("blitzkrieg"))
    made = table("lesson2")
    made.put("uk-croc-1", 60, 112)
    made.put("de-rifle-1", 66, 92)
    made.act(0, "flame-tanks", "uk-croc-1")
    decision = GAME.decision(made.s)
    refused = {made.rule(verb, "de-rifle-1" if kind.name == "unit" else "") for verb, kind in decision.verbs.items()}
    assert len(refused) > 8
    assert refused - {None} <= known


@pytest.mark.rule("base-scale", "base-measure")
def test_distances_are_told_in_whole_centimetres_rounded_up(table):
    made = table("lesson2")
    a, b = made.put("uk-croc-1", 60, 112), made.put("de-rifle-1", 66, 92)
    assert cm_between(made.s, a, b) == -(-gap(made.s, a, b) // 4)


def test_a_tally_is_a_list_of_rules_and_numbers():
    tally = Tally()
    tally.add("214i", 0)
    assert tally.lines == ()
