"""Guns, batteries, rockets: each condition by itself, each number at its edge."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import HE, SMOKE, Barrage, Volley
from grognard.games.blitzkrieg.laws import fire, shot
from grognard.games.blitzkrieg.laws.parties import HEAVY, LIGHT, OPEN, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.rules import aiming, artillery, ground, indirect, shelling
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.rules import mines as minefields
from grognard.games.blitzkrieg.rules.riding import set_on
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    EMPTY,
    FIRED,
    GOOD,
    GUIDED,
    HIDDEN,
    JAMMED,
    LOST,
    PIVOTED,
    SHAKEN,
    SHOT_AT,
    STUCK,
    SUPPRESSED,
    UNHITCHED,
    has,
)
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.kernel import Tally
from grognard.tabletop import template

from .edges import BOOK, MORTAR, NONE, OBSERVER, RIFLE, SECOND, reason

# The laws of a shot


@pytest.mark.rule("base-demoralised", "base-suppression", "base-vehicle-actions", "base-special-ammo")
def test_what_counts_of_who_shoots():
    tank, gun = VEHICLES["m4_75"], GUNS["pak40"]

    def total(model, weapon, ammo="AP", book=BOOK, **more):
        tally = Tally()
        shot._firer_lines(book, tally, Shot(Firer(model, weapon=weapon, **more), Target(VEHICLES["pz4h"]), 50, ammo))
        return tally.total()

    plain, piece = total(tank, tank.guns[0]), total(gun, gun.weapon)
    assert total(tank, tank.guns[0], demoralised=True) - plain == shot.MORE["demoralised"] < 0
    assert total(tank, tank.guns[0], lost=True) - plain == shot.MODS["commander"] < 0
    assert total(tank, tank.guns[0], second=True) - plain == shot.MORE["second"] < 0
    assert total(tank, tank.guns[0], suppressed=True) == plain
    assert total(gun, gun.weapon, suppressed=True) - piece == shot.MORE["suppressed"] < 0
    assert total(gun, gun.weapon, demoralised=True) == piece
    assert total(gun, gun.weapon, ammo="APDS") - piece == shot.MORE["apds"]
    assert total(gun, gun.weapon, stance="hitched") - piece == shot.MODS["hitched"]


@pytest.mark.rule("base-to-hit-modifiers", "base-pointblank-vehicle")
def test_what_counts_of_range_height_motion_and_aim():
    gun = GUNS["pak40"]

    def total(cm=50, above="none", low=False, already=False, reaction="none", **target):
        tally = Tally()
        firer = Firer(gun, weapon=gun.weapon, above=above)
        fired = Shot(firer, Target(VEHICLES["m4_75"], **target), cm, "AP")
        fired.low, fired.already, fired.reaction = low, already, reaction
        shot.to_hit_lines(BOOK, tally, fired)
        return tally.total()

    plain, near = total(), total(cm=15)
    assert total(cm=10) - near == shot.MODS["point_blank"] == total(cm=shot.MODS["point_blank_cm"]) - near
    assert total(cm=shot.MODS["point_blank_cm"] + 1) == near
    assert total(above="hill") - plain == shot.MODS["above"] == total(above="house") - plain
    assert total(low=True) - plain == shot.low_modifier(BOOK)[1] != 0
    assert (
        total(moving=True, moved=30) - plain
        == shot.motion_modifier(BOOK, Target(VEHICLES["m4_75"], moving=True, moved=30))[1]
        != 0
    )
    assert total(already=True) == plain
    assert total(already=True, reaction="close") - plain == shot.MODS["already"]


@pytest.mark.rule("base-arcs", "410b", "base-support-weapon-move")
def test_what_refuses_a_shot_whatever_the_ground():
    tank, pak, flak, mortar = VEHICLES["m4_75"], GUNS["pak40"], GUNS["flak88"], GUNS["grw34"]
    aimed = Target(VEHICLES["pz4h"])

    def why(model, book=BOOK, weapon=None, **more):
        weapon = weapon or (model.guns[0] if hasattr(model, "guns") else model.weapon)
        found = shot.why_no_shot(book, Shot(Firer(model, weapon=weapon, **more), aimed, 50, "AP"))
        return found and found.reason

    assert why(pak) is why(tank) is why(flak) is None
    assert why(mortar) == shot.MORTAR.reason
    assert (
        why(pak, stance="hitched") == why(flak, Book(DEFAULTS - {"404"}), stance="hitched") == shot.NOT_HITCHED.reason
    )
    assert why(flak, stance="hitched") is None
    assert why(pak, demoralised=True) == shot.DEMORALISED.reason
    assert why(tank, demoralised=True) is None
    assert why(TEAMS["hmg"], stance="moving") == shot.SUPPORT_MOVED.reason
    assert why(TEAMS["hmg"]) is None


@pytest.mark.rule("base-vehicle-mg")
def test_machine_guns_without_202_have_a_die_more_and_one_less_on_the_move():
    tally = Tally()
    more = int(fire.CHARTS["off"]["202"]["mg"])
    assert (fire.mg_dice(NONE, 2, False, tally), tally.total()) == (2 + more, 0)
    assert (fire.mg_dice(NONE, 2, True, tally), tally.total()) == (2 + more, -1)
    assert fire.mg_dice(NONE, 0, False, tally) == 0


# Bearing


@pytest.mark.rule("base-arcs", "base-gun-move")
def test_the_row_of_the_table_by_arc_and_state(steppe, table):
    s = steppe.s
    tank, pak, men = (
        steppe.put("de-pz4h-1", 150, 60, "E"),
        steppe.put("de-pak40-1", 150, 90, "E"),
        steppe.put("de-pzgren-1", 150, 30),
    )
    hunter = steppe.put("de-marder3m-1", 150, 100, "E")
    ahead, behind, beside = (
        steppe.put("su-t34-43-1", 190, 60),
        steppe.put("su-t34-43-2", 110, 60),
        steppe.put("su-t34-43-3", 150, 110),
    )

    def row(unit, target, moved=False, flags=0):
        s.flags[unit] = flags
        return aiming.stance_of(s, unit, target, aiming.GUN, moved)

    assert [row(men, ahead), row(men, ahead, True)] == ["still", "moving"]
    assert [row(tank, ahead), row(tank, behind), row(tank, ahead, flags=PIVOTED)] == ["still", "traverse", "pivot"]
    assert [row(tank, ahead, True), row(tank, behind, True)] == ["moving", "moving"]
    steppe.put("su-t34-43-1", 190, 90)
    assert [row(pak, ahead), row(pak, behind), row(pak, beside)] == ["still", "pivot", "pivot"]
    assert [row(pak, ahead, True), row(pak, ahead, flags=PIVOTED), row(pak, behind, flags=UNHITCHED)] == [
        "pivot",
        "pivot",
        "unhitched",
    ]
    steppe.put("su-t34-43-1", 190, 100)
    steppe.put("su-t34-43-2", 110, 100)
    assert [row(hunter, ahead), row(hunter, ahead, True), row(hunter, behind, True)] == ["still", "moving", None]
    assert [row(hunter, behind), row(hunter, behind, flags=STUCK), row(hunter, ahead, flags=PIVOTED)] == [
        "pivot",
        None,
        "pivot",
    ]
    made = table("arras40")
    truck, gun, foe = made.put("de-opel-1", 60, 20, "N"), made.put("de-flak88-1", 60, 20), made.put("uk-mat2-1", 60, 60)
    set_on(made.s, gun, truck)
    assert aiming.stance_of(made.s, gun, foe, aiming.GUN, False) == "hitched"
    made.put("uk-mat2-1", 20, 20)
    assert aiming.stance_of(made.s, gun, foe, aiming.GUN, False) is None
    assert [aiming.has_shield(made.unit(n)) for n in ("de-pak36-1", "de-flak88-1", "de-rifle-1", "de-opel-1")] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.rule("base-fire-combine")
def test_what_turns_towards_what_it_fires_at(steppe):
    s = steppe.s
    tank, pak, men, foe = (
        steppe.put("de-pz4h-1", 150, 60, "E"),
        steppe.put("de-pak40-1", 150, 90, "E"),
        steppe.put("de-pzgren-1", 150, 75),
        steppe.put("su-t34-43-1", 150, 20),
    )
    for unit, stance, found in (
        (tank, "traverse", (4, 0, False)),
        (pak, "pivot", (0, 0, True)),
        (men, "still", (0, 0, False)),
    ):
        firing._turn(s, unit, foe, stance)
        assert (s.facing[unit], s.turret[unit], has(s, unit, PIVOTED)) == found


@pytest.mark.rule("base-gun-ammunition", "base-support-weapon-jam")
def test_a_gun_runs_dry_on_two_ones_and_a_rocket_or_charge_is_not_rolled_for(steppe):
    s, pak, men = steppe.s, steppe.put("de-pak40-1", 150, 90, "E"), steppe.put("de-pzgren-1", 150, 75)
    aimed = Target(VEHICLES["t34_43"])

    def fired(unit, weapon, *dice):
        s.loaded, s.flags[unit], s.events = dice, 0, []
        firing._ammunition(s, unit, Shot(Firer(firing.MODEL_OF[unit], weapon=weapon), aimed, 20, "AP"))
        s.loaded = ()
        return has(s, unit, EMPTY), steppe.kinds().count("roll")

    gun = GUNS["pak40"].weapon
    assert [fired(pak, gun, *dice) for dice in ((2,), (1, 2), (1, 1))] == [(False, 1), (False, 2), (True, 2)]
    assert fired(men, WEAPONS["PF"]) == (False, 0)


@pytest.mark.rule("base-cover-levels", "base-fortification-cover")
def test_the_best_cover_counts(table, monkeypatch):
    made = table("prokhorovka43")
    s, men, tank = made.s, made.put("de-pzgren-1", 150, 75), made.put("de-pz4h-1", 150, 60, "E")
    for here, line, wreck, man, hull in (
        (OPEN, LIGHT, OPEN, LIGHT, LIGHT),
        (HEAVY, LIGHT, OPEN, HEAVY, HEAVY),
        (OPEN, OPEN, LIGHT, LIGHT, OPEN),
        (LIGHT, OPEN, HEAVY, HEAVY, LIGHT),
    ):
        monkeypatch.setattr(ground, "ground_cover", lambda *_, found=here: found)
        monkeypatch.setattr(ground, "line_cover", lambda *_, found=line: found)
        monkeypatch.setattr(ground, "wreck_cover", lambda *_, found=wreck: found)
        assert (ground.cover_from(s, men, 5), ground.cover_from(s, tank, 5)) == (man, hull)


@pytest.mark.rule("base-command", "003e")
def test_a_formation_without_a_commander_keeps_together_by_pairs(steppe):
    s, (one, two) = steppe.s, (steppe.put(f"su-t34-43-{n}", 150 + 30 * n, 60) for n in (1, 2))
    assert ground.in_command(s, one)
    steppe.put("su-t34-43-2", 230, 60)
    assert not ground.in_command(s, one)
    s.condition[two] = LOST
    assert ground.in_command(s, one)  # alone
    steppe.put("su-t34-43-2", 190, 60)
    gap = ground.gap(s, one, two)
    assert ground.within(s, one, two, -(-gap // 4))
    assert not ground.within(s, one, two, (gap - 1) // 4)


# Batteries


@pytest.mark.rule("303b", "414b")
def test_who_directs_a_battery_is_busy_and_a_new_place_begins_anew(table):
    made = table("stonne40")
    s, eye = made.s, made.put("fr-observer-1", 90, 110)
    made.put("de-rifle-1", 60, 97)
    mark, c = artillery.Mark(), Barrage(side=0, battery=0)
    point, other = (made.w.table.point_at(x * 4, 97 * 4) for x in (60, 66))
    s.attempt[0] = 2
    mark.apply(s, c, 0, "mark", point)
    assert (s.mark[0], s.attempt[0], s.spent[0], c.marked) == (point, 0, 1, 1)
    assert s.rounds[eye] & GUIDED
    s.rounds[eye], s.attempt[0] = 0, 1
    mark.apply(s, Barrage(side=0, battery=0), 0, "same", 0)
    assert (s.mark[0], s.attempt[0]) == (point, 1)
    s.rounds[eye] = 0
    mark.apply(s, Barrage(side=0, battery=0), 0, "mark", point)
    assert s.attempt[0] == 1
    s.rounds[eye] = 0
    mark.apply(s, Barrage(side=0, battery=0), 0, "mark", other)
    assert (s.mark[0], s.attempt[0]) == (other, 0)
    c = Barrage(side=0, battery=0)
    assert mark.needed(s, c, 0)
    mark.apply(s, c, 0, "cease", 0)
    assert (c.over, c.marked, mark.needed(s, c, 0)) == (1, 0, False)


@pytest.mark.rule("base-smoke")
def test_what_is_loaded(table):
    made = table("stonne40")
    load, c = artillery.Load(), Barrage(side=0, battery=0)
    assert not load.needed(made.s, c, 0)
    c.marked = 1
    assert load.needed(made.s, c, 0)
    load.apply(made.s, c, 0, "smoke-shells", 0)
    assert c.load == SMOKE
    assert not load.needed(made.s, c, 0)
    load.apply(made.s, c, 0, "high-explosive", 0)
    assert c.load == HE
    assert not load.needed(made.s, Barrage(side=0, battery=0, marked=1, over=1), 0)


@pytest.mark.rule("301c", "301d")
def test_a_template_is_stretched_only_where_there_is_a_choice(table):
    for choice, asked in (("on", True), ("off", False)):
        made = table("stonne40", p301=choice)
        shape, c = artillery.Shape(), Barrage(side=0, battery=0, point=9)
        assert shape.needed(made.s, c, 0) is asked
        shape.apply(made.s, c, 0, "shape", 2)
        assert (c.shape, c.shaped, shape.needed(made.s, c, 0)) == (2, 1, False)
        assert not shape.needed(made.s, Barrage(side=0, battery=0), 0)
        assert not shape.needed(made.s, Barrage(side=0, battery=0, point=9, over=1), 0)


@pytest.mark.rule("304a", "base-support-test")
def test_304_after_its_fire_a_battery_stays_or_goes_and_pieces_are_not_tested(table):
    made = table("bastogne44")
    s = made.s
    needed = artillery.law.support_number(
        BOOK, artillery.law.request_number(BOOK, "US", 1944, made.w.batteries[0].support.level)
    )
    for die, stays in ((needed, 1), (needed - 1, 0)):
        s.available[0] = s.available[1] = 1
        s.loaded = (die, die)
        artillery.test_support(s, Barrage(side=0, battery=0, joined=1))
        assert (s.available[0], s.available[1]) == (stays, stays)
    s.loaded, s.events = (), []
    artillery.test_support(s, Barrage(side=0, pieces=(made.unit("us-m2-60-1"),)))
    assert made.kinds() == []


@pytest.mark.rule("305", "base-off-table-limit")
def test_305_how_many_batteries_a_side_uses(table):
    for choice, second in (("on", True), ("off", False)):
        made = table("bastogne44", p305=choice)
        assert [artillery.within_limit(made.s, n) for n in (0, 1)] == [True, second]
    assert [artillery.most_batteries(BOOK, *words) for words in (("US", 1943), ("US", 1944), ("DE", 1944))] == [1, 2, 1]


@pytest.mark.rule("303a", "base-support-request")
def test_303_who_is_ready_and_who_asks(table):
    made = table("stonne40")
    s, eye = made.s, made.put("fr-observer-1", 90, 110)
    s.available[0] = 1
    assert artillery.ready(s, 0) == [0]
    assert artillery.ready(s, 1) == []
    s.spent[0] = 1
    assert artillery.ready(s, 0) == []
    s.spent[0], s.rounds[eye] = 0, GUIDED
    assert artillery.ready(s, 0) == []
    s.rounds[eye], s.available[0] = 0, 0
    assert artillery.ready(s, 0) == []
    s.spent[0] = s.spent[1] = 1
    s.loaded = (1,)
    artillery.request_support(s, s.frames[0], 0)
    assert (s.spent[0], s.spent[1], s.available[0]) == (0, 1, 0)
    s.available[0], s.loaded, s.events = 1, (), []
    artillery.request_support(s, s.frames[0], 0)
    assert made.kinds() == []


@pytest.mark.rule("303bis-a")
def test_303bis_where_the_opponent_lays_it(table):
    made = table("stonne40")
    s, w = made.s, made.w.table
    s.mark[0] = w.point_at(60 * 4, 60 * 4)
    near, far = made.put("fr-h39-1", 60, 89, "N"), made.put("fr-h39-2", 60, 93, "N")
    shift, c = artillery.Shift(), Barrage(side=0, battery=0, shifts=1)
    assert shift.needed(s, c, 1)
    assert shift.nouns(s, c, 1, "shift") == [s.at[near]]
    assert shift.why_not(s, c, 1, "shift", s.at[near]) is None
    assert reason(shift.why_not(s, c, 1, "shift", s.at[far])) == "too-far-to-shift"
    assert reason(shift.why_not(s, c, 1, "shift", s.mark[0])) == "nobody-there"
    s.flags[near] |= HIDDEN
    assert shift.nouns(s, c, 1, "shift") == [s.mark[0]]
    assert shift.why_not(s, c, 1, "shift", s.mark[0]) is None
    assert reason(shift.why_not(s, c, 1, "shift", s.at[near])) == "nobody-there"
    shift.apply(s, c, 1, "shift", s.at[near])
    assert (c.shifts, c.point, shift.needed(s, c, 1)) == (0, s.at[near], False)


# Pieces


@pytest.mark.rule("414b", "410c")
def test_414_who_fires_with_a_piece(guns):
    s, one, two = guns.s, guns.unit(MORTAR), guns.unit(SECOND)
    assert indirect.battery_of(s, one) == (one, two)
    for flags in (ACTIVATED, FIRED, JAMMED, EMPTY):
        s.flags[two] = flags
        assert indirect.battery_of(s, one) == (one,)
    s.flags[two], s.condition[two] = 0, SHAKEN
    assert indirect.battery_of(s, one) == (one,)
    s.condition[two] = GOOD
    truck = guns.put("uk-firefly-1", 65, 117)
    set_on(s, two, truck)
    assert indirect.battery_of(s, one) == (one,)


@pytest.mark.rule("416b", "414b")
def test_416_who_guided_before_guides_again_and_is_busy(guns):
    s, piece, eye = guns.s, guns.unit(MORTAR), guns.unit(OBSERVER)
    point, other = guns.w.table.point_at(66 * 4, 92 * 4), guns.w.table.point_at(70 * 4, 92 * 4)
    s.tries[piece] = 2
    indirect.take_mark(s, piece, point, eye)
    assert (s.tries[piece], s.aim[piece], s.aim_from[piece], s.guide[piece], s.guide_from[piece]) == (
        0,
        point,
        s.at[piece],
        eye + 1,
        s.at[eye],
    )
    assert s.rounds[eye] & GUIDED
    s.rounds[eye], s.tries[piece] = 0, 1
    assert indirect.guide_to(s, 0, piece, point) == eye
    indirect.take_mark(s, piece, point, eye)
    assert s.tries[piece] == 1
    indirect.take_mark(s, piece, other, eye)
    assert s.tries[piece] == 0
    s.tries[piece] = 1
    indirect.take_mark(s, piece, other, piece)
    assert s.tries[piece] == 0
    assert indirect.keeps_aim(s, piece)
    s.condition[piece] = SHAKEN
    assert not indirect.keeps_aim(s, piece)


@pytest.mark.rule("406a", "408a")
def test_406_no_more_rockets_than_are_loaded(guns):
    s, unit, salvo = guns.s, guns.put("de-neb41-1", 100, 60), indirect.Salvo()
    s.rockets[unit] = 4
    c = Volley(side=1, unit=unit)
    assert list(salvo.nouns(s, c, 1, "salvo")) == [1, 2, 3, 4]
    assert [reason(salvo.why_not(s, c, 1, "salvo", n)) for n in (0, 1, 4, 5)] == [
        "too-many-rockets",
        None,
        None,
        "too-many-rockets",
    ]
    assert salvo.needed(s, c, 1)
    salvo.apply(s, c, 1, "salvo", 3)
    assert (c.rockets, salvo.needed(s, c, 1)) == (3, False)
    indirect.use_rockets(s, unit, 3)
    assert s.rockets[unit] == 1
    indirect.use_rockets(s, unit, 3)
    assert s.rockets[unit] == 0
    assert [
        indirect.is_salvo(s, Barrage(side=1, pieces=(unit,), **more))
        for more in ({"point": 5}, {}, {"point": 5, "over": 1})
    ] == [True, False, False]
    assert not indirect.is_salvo(s, Barrage(side=0, pieces=(guns.unit(MORTAR),), point=5))
    assert indirect.tubes(unit) == 6
    assert indirect.tubes(guns.unit(MORTAR)) == 0


@pytest.mark.rule("417b", "417f", "416a")
def test_417_a_suppressed_piece_has_a_die_less_and_never_none(guns):
    s, piece, men = guns.s, guns.unit(MORTAR), guns.unit(RIFLE)
    he = indirect.piece_weapon(piece).he
    for flags, dice in ((0, he), (SUPPRESSED, max(1, he - 1))):
        s.flags[piece], s.condition[men], s.events = flags, GOOD, []
        s.aim[piece], s.tries[piece] = 7, 2
        s.loaded = (1,) * dice + (2,)
        shelling.pieces_fire(s, Barrage(side=0, pieces=(piece,), point=s.at[men], load=HE))
        s.loaded = ()
        assert [len(e.data["dice"]) for e in s.events if e.kind == "shelled"] == [dice]
        assert (s.aim[piece], s.tries[piece]) == (0, 0)


@pytest.mark.rule("108d", "108e", "108g")
def test_108_a_disc_of_five_centimetres_and_each_once(guns):
    s, target = guns.s, guns.unit(RIFLE)
    near, far = guns.put("de-rifle-2", 69.5, 92), guns.put("de-mmg-1", 74, 92)
    s.loaded, s.events = (1,) * 20, []
    shelling.mortar_fire(s, guns.unit(MORTAR), target)
    s.loaded = ()
    hit = [e.data["unit"] for e in s.events if e.kind == "shelled"]
    assert len(hit) == 2 == len(set(hit))
    assert [has(s, u, SHOT_AT) for u in (target, near, far)] == [True, True, False]
    s.condition[near], s.events, s.loaded = LOST, [], (1,) * 20
    shelling.mortar_fire(s, guns.unit(MORTAR), target)
    s.loaded = ()
    assert guns.kinds().count("shelled") == 1


@pytest.mark.rule("501")
@pytest.mark.parametrize(
    ("dx", "dy", "gone"), [(0, 0, True), (60, 0, False), (-60, 0, False), (0, 60, False), (0, -60, False)]
)
def test_501_only_sections_under_the_fire_are_opened(table, dx, dy, gone):
    made = table("bastogne44")
    s, mine = made.s, made.w.mines[0]
    s.mined[1] = 0
    middle = made.w.table.point_at(mine.x + mine.wide // 2 + dx, mine.y + mine.deep // 2 + dy)
    s.loaded = (6,)
    minefields.breach(s, template(made.w.table, middle, 5, 5), made.w.batteries[0].support.weapon)
    s.loaded = ()
    assert (s.mined[0] == 0) is gone
