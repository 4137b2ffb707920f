"""What one part of a turn hands to the next: shots, moves and reactions, assaults, losses."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import (
    CLOSE,
    OPPORTUNITY,
    RAM,
    Moving,
)
from grognard.games.blitzkrieg.laws import destruction, quality, shot
from grognard.games.blitzkrieg.laws import fire as dice_fire
from grognard.games.blitzkrieg.laws.parties import BUILDING, HEAVY, LIGHT, OPEN, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.proposals import p2
from grognard.games.blitzkrieg.rules import (
    aiming,
    assault,
    facing,
    ground,
    houses,
    losses,
    movement,
    reaction,
    transport,
    walking,
)
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.state import (
    ABOARD,
    EXITED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LAUNCHER,
    LOST,
    PIVOTED,
    SHAKEN,
    SHOT_AT,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.switches import DEFAULTS, book_of

from .edges import BOOK, MORTAR, NONE, OBSERVER, RIFLE

T34, TIGER, MEN, PAK = "su-t34-43-1", "de-pz6-1", "de-pzgren-1", "de-pak40-1"


# Shots


@pytest.mark.rule("base-defensive-fire", "102a", "102c", "base-fire-pointblank")
def test_the_lines_of_defensive_fire():
    blank = dice_fire.FIRE["point_blank"]
    for ground_, row in ((OPEN, "moving"), (LIGHT, "light"), (HEAVY, "heavy")):
        number, tally = dice_fire.defensive_number(BOOK, ground_, 0)
        assert number == dice_fire.within(dice_fire.FIRE[row] - blank)
        assert [line for line in tally.lines if line[1]] == [("base-fire-pointblank", blank)]
    plain = dice_fire.defensive_number(BOOK, OPEN, 0)[0]
    number, tally = dice_fire.defensive_number(BOOK, OPEN, 1)
    assert (number, dict(tally.lines)["102a"]) == (plain + 1, -1)
    assert dice_fire.defensive_number(BOOK, OPEN, 9)[0] == dice_fire.CHARTS["fire_text"]["covering_worst"]
    flame, tally = dice_fire.defensive_number(BOOK, HEAVY, 9, flame=True)
    assert (flame, tally.lines) == (dice_fire.FIRE["flame_number"], ())  # whatever the ground


@pytest.mark.rule("base-arcs", "406c", "208n")
def test_which_rule_refuses_a_shot():
    def why(model, weapon, book=BOOK, cm=20, ammo="AP", target="m4_75", **more):
        aimed = Target(VEHICLES.get(target) or TEAMS[target])
        found = shot.why_no_shot(book, Shot(Firer(model, weapon=weapon, **more), aimed, cm, ammo))
        return found and (found.rule, found.reason)

    heavy, faust = WEAPONS["12.7"], WEAPONS["PF"]
    far_mg, far_hand = (shot.short_range(weapon)[1] + 1 for weapon in (heavy, faust))
    assert why(TEAMS["hmg"], heavy, cm=far_mg) == (shot.FAR_FOR_MG.rule, shot.FAR_FOR_MG.reason)
    assert why(TEAMS["rifle"], faust, cm=far_hand) == (shot.OUT_OF_RANGE.rule, shot.OUT_OF_RANGE.reason)
    assert shot.FAR_FOR_MG.rule != shot.OUT_OF_RANGE.rule
    narrow = next(v for v in VEHICLES.values() if v.is_narrow and v.guns)
    moved = (shot.NARROW_MOVING.rule, shot.NARROW_MOVING.reason)
    assert why(narrow, narrow.guns[0], stance="moving") is None
    assert why(narrow, narrow.guns[0], NONE, stance="moving") == moved
    assert why(narrow, narrow.guns[0], NONE) is None
    launcher = next(g for g in GUNS.values() if g.weapon.id in shot.ROCKETS)
    facts = {"ammo": "HE", "target": "rifle", "stance": "pivot"}
    assert why(launcher, launcher.weapon, **facts) == (shot.ROCKETS_MOVED.rule, shot.ROCKETS_MOVED.reason)
    assert why(launcher, launcher.weapon, Book(DEFAULTS - {"406"}), **facts) is None


@pytest.mark.rule("base-to-hit-modifiers", "base-demoralised", "base-suppression", "220a", "220bis")
def test_range_nation_and_optics_count_in_a_roll_to_hit():
    def total(model, book=BOOK, cm=15):
        tally = shot.Tally()
        shot.to_hit_lines(book, tally, Shot(Firer(model, weapon=model.guns[0]), Target(VEHICLES["m4_75"]), cm, "AP"))
        return tally.total()

    german, french = VEHICLES["pz4h"], VEHICLES["h39"]
    band = shot.OFF["207"]["band"]
    near = total(german, NONE, band)
    assert [total(german, NONE, cm) - near for cm in (band + 1, 2 * band, 2 * band + 1)] == [-1, -1, -2]
    assert total(french, NONE) - total(german, NONE) == shot.MORE["nation"] + shot.MORE["french"] < 0
    blind = next(v for v in VEHICLES.values() if "poor-optics" in v.traits and v.guns)
    tally = shot.Tally()
    shot._firer_lines(BOOK, tally, Shot(Firer(blind, weapon=blind.guns[0]), Target(german), 50, "AP"))
    assert ("207f", -1) in tally.lines


@pytest.mark.rule("base-fire", "base-exposed-crew", "base-soft-vehicle", "104a")
def test_dice_at_armour_at_a_truck_and_at_men(table, monkeypatch):
    made = table("arras40")
    s, men = made.s, made.put("uk-rifle-1", 60, 60)
    taken = []
    for name in ("exposed_hits", "soft_hits", "take_hits"):
        monkeypatch.setattr(firing, name, lambda s, unit, hits, *rest, name=name: taken.append((name, unit, hits)))
    monkeypatch.setattr(firing.law, "dice_of", lambda *a: (2, shot.Tally(), shot.Tally()))
    cases = (("de-pz38tc-1", "exposed_hits"), ("de-opel-1", "soft_hits"), ("de-rifle-1", "take_hits"))
    for name, how in cases:
        foe = made.put(name, 60, 70)
        monkeypatch.setattr(firing.law, "number_of", lambda *a: (5, shot.Tally()))
        s.loaded = (5, 4)
        firing._dice_fire(s, men, foe, aiming.DICE, "team", False)
        s.loaded = ()
        assert taken.pop() == (how, foe, 1)
        s.at[foe] = 0


@pytest.mark.rule("base-fire-combine", "base-arcs")
def test_a_hull_without_a_turret_turns_only_if_it_must(steppe):
    s, hunter, foe = steppe.s, steppe.put("de-marder3m-1", 60, 60, "E"), steppe.put(T34, 60, 20)
    for stance, way, pivoted in (("still", 4, False), ("moving", 4, False), ("pivot", 0, True)):
        firing._turn(s, hunter, foe, stance)
        assert (s.facing[hunter], has(s, hunter, PIVOTED)) == (way, pivoted)
    gun = steppe.put(PAK, 60, 60, "E")
    firing._turn(s, gun, foe, "still")
    assert (s.facing[gun], s.turret[gun], has(s, gun, PIVOTED)) == (0, 0, True)


@pytest.mark.rule("base-cover-levels", "base-fortification-cover", "base-hull-down")
def test_a_vehicle_is_at_most_in_heavy_cover_and_men_in_what_there_is(steppe, monkeypatch):
    s, men, tank, foe = steppe.s, steppe.put(MEN, 60, 60), steppe.put(TIGER, 60, 80, "N"), steppe.put(T34, 60, 20)
    monkeypatch.setattr(ground, "ground_cover", lambda w, point: BUILDING)
    monkeypatch.setattr(ground, "line_cover", lambda *args: LIGHT | 16)
    assert [ground.cover_from(s, u, s.at[foe]) for u in (men, tank)] == [BUILDING, HEAVY]
    s.flags[men] = IN_BUNKER
    assert ground.cover_from(s, men, 5) == ground.BUNKER
    for x, y, down in ((60, 20, True), (60, 140, False), (20, 76, False), (100, 76, False)):
        steppe.put(T34, x, y)
        assert ground.is_hull_down(s, tank, s.at[foe]) is down


@pytest.mark.rule("003e", "003f")
def test_what_is_seen_at_any_distance_needs_only_a_line(steppe, monkeypatch):
    s, men, foe = steppe.s, steppe.put(MEN, 60, 60), steppe.put(T34, 230, 60)
    for limit, line, near, sees in (
        (ground.detect.FAR, True, False, True),
        (ground.detect.FAR, False, True, False),
        (40, True, True, True),
        (40, True, False, False),
    ):
        monkeypatch.setattr(ground, "detection", lambda s, a, b, limit=limit: limit)
        monkeypatch.setattr(ground, "line", lambda s, a, b, line=line: line)
        monkeypatch.setattr(ground, "within", lambda s, a, b, cm, near=near: near)
        assert ground.detects(s, men, foe) is sees


# Moves and reactions


@pytest.mark.rule("221a", "base-opportunity-fire", "base-hidden")
def test_a_move_pauses_where_it_comes_close(steppe, monkeypatch):
    s, tank = steppe.s, steppe.put(T34, 60, 60, "E")
    start, east = s.at[tank], steppe.w.table.offsets[4]
    monkeypatch.setattr(movement, "may_ambush", lambda s, side: False)
    monkeypatch.setattr(movement, "_comes_close", lambda s, c: c.step == 2)
    c = Moving(side=0, unit=tank, path=tuple(start + east * n for n in range(1, 5)), facings=(4,) * 4)
    movement.go_on(s, c)
    assert c.step == 2


@pytest.mark.rule("base-hidden", "306b")
def test_who_comes_near_finds_and_is_found(steppe, monkeypatch):
    s, men, foe = steppe.s, steppe.put("su-smg-1", 60, 60), steppe.put(MEN, 60, 70)
    chart = movement.CHARTS["detection"]
    assert chart["recon"] > chart["camouflaged"]
    for gap, scout, flags, found in (
        (chart["camouflaged"], None, (0, HIDDEN), foe),
        (chart["camouflaged"] + 1, None, (0, HIDDEN), None),
        (chart["recon"], men, (0, HIDDEN), foe),
        (chart["camouflaged"] + 1, foe, (0, HIDDEN), None),
        (chart["camouflaged"], None, (HIDDEN, 0), men),
        (chart["camouflaged"] + 1, None, (HIDDEN, 0), None),
        (chart["recon"], foe, (HIDDEN, 0), men),
        (chart["camouflaged"] + 1, men, (HIDDEN, 0), None),
    ):
        s.flags[men], s.flags[foe] = flags
        monkeypatch.setattr(movement, "within", lambda s, a, b, cm, gap=gap: gap <= cm)
        monkeypatch.setattr(movement, "is_recon", lambda unit, scout=scout: unit == scout)
        movement._discover(s, men)
        hides = {u for u in (men, foe) if has(s, u, HIDDEN)}
        before = {u for u, flag in zip((men, foe), flags) if flag}
        assert hides == before - {found}


@pytest.mark.rule("base-immobilisation-test", "002b")
def test_the_highest_die_on_which_a_vehicle_is_stuck(steppe):
    units = [steppe.unit(name) for name in ("de-s251-1", T34, "de-opel-1", MEN)]
    assert [movement.bogs_on(unit) for unit in units] == [2, 1, 1, 1]
    gun = SimpleNamespace(drive="half-track")  # no gun is one, whatever draws it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(movement, "MODEL_OF", {0: gun})
        assert movement.bogs_on(0) == 1


@pytest.mark.rule("base-victory-points", "base-vehicle-move", "base-transport", "base-immobilisation-test")
def test_who_leaves_the_table_takes_along_who_is_aboard(table, monkeypatch):
    made = table("arras40")
    s, truck, men = made.s, made.put("de-opel-1", 60, 10, "E"), made.put("de-rifle-1", 60, 15)
    transport.set_on(s, men, truck)
    monkeypatch.setattr(movement, "world", lambda s: SimpleNamespace(exits={"points": 3}))
    before = s.points[1]
    movement.leave_table(s, Moving(side=1, unit=truck))
    assert [(s.condition[u], s.at[u], has(s, u, ABOARD)) for u in (truck, men)] == [(EXITED, 0, False)] * 2
    assert s.points[1] == before + 3


@pytest.mark.rule("214h", "214i", "214c", "221b", "base-opportunity-fire")
def test_what_a_reaction_is_called_and_what_goes_before_its_fire(steppe, monkeypatch):
    s, mover = steppe.s, steppe.put(T34, 60, 60)
    gun, men, tank = steppe.put(PAK, 60, 66, "S"), steppe.put(MEN, 66, 60), steppe.put(TIGER, 54, 60)
    fired, tests, passes, bears = [], [], [True], [False]
    monkeypatch.setattr(reaction, "open_fire", lambda s, u, m, arm, _, **more: fired.append((u, arm, more["already"])))
    monkeypatch.setattr(reaction, "experience", lambda s, u, why: tests.append(why) or passes[0])
    monkeypatch.setattr(reaction, "bears", lambda s, u, m: bears[0])
    monkeypatch.setattr(reaction, "arm_against", lambda s, u, m, word: 2)
    monkeypatch.setattr(reaction, "detects", lambda s, a, b: True)

    def reacts(unit, why, flags=0):
        fired.clear()
        tests.clear()
        s.flags[unit], s.facing[unit], s.events = flags, 8, []
        reaction.react(s, unit, mover, why)
        return s.events[0].rule, list(tests), list(fired), (s.facing[unit], has(s, unit, PIVOTED))

    assert reacts(gun, RAM) == ("214h", ["214i"], [(gun, aiming.GUN, False)], (0, True))
    assert reacts(men, RAM) == ("214c", [], [(men, aiming.GUN, False)], (8, False))
    assert reacts(tank, RAM) == ("214h", [], [(tank, aiming.GUN, False)], (8, False))
    bears[0] = True
    assert reacts(gun, RAM) == ("214h", [], [(gun, aiming.GUN, False)], (8, False))
    assert reacts(tank, CLOSE) == ("221a", ["221a"], [(tank, 2, False)], (8, False))
    assert reacts(tank, CLOSE, reaction.FIRED)[2] == [(tank, 2, True)]
    assert reacts(tank, OPPORTUNITY) == ("base-opportunity-fire", [], [(tank, 2, False)], (8, False))
    bears[0] = passes[0] = False
    assert reacts(gun, RAM) == ("214h", ["214i"], [], (8, False))
    assert reacts(tank, CLOSE)[2] == []


@pytest.mark.rule("base-vehicle-move", "base-arcs")
def test_only_a_hull_looks_for_room_to_turn(steppe):
    s, tank, men, gun = steppe.s, steppe.put(T34, 60, 60), steppe.put("su-smg-1", 62.5, 65), steppe.put(PAK, 70, 60)
    assert {at for _, at, _ in facing._others(s, tank)} == {s.at[men], s.at[gun]}
    assert facing._others(s, men) == facing._others(s, gun) == []


@pytest.mark.rule("base-vehicle-move", "base-terrain", "base-gun-move", "402a")
def test_what_is_left_of_a_move_and_what_no_crew_moves(steppe):
    s, tank = steppe.s, steppe.put(T34, 60, 60)
    off = walking.allowance(s, tank)[0]
    for used, left in ((0, off), (25, off * 3 / 4), (100, 0)):
        s.effort[tank] = used
        assert walking.budget_of(s, tank) == int(left * walking.PER_CM)
    heavy = next(g for g in GUNS.values() if g.weapon.calibre > 800 and g.category not in ("at", "infantry-gun"))
    assert walking.gun_moves(NONE, heavy) == (heavy.hand, heavy.hand_road)
    made = SimpleNamespace(category="at", weapon=SimpleNamespace(calibre=801), hand=7, hand_road=8)
    assert walking.gun_moves(NONE, made) == (0, 0)
    made.weapon.calibre = 800
    assert walking.gun_moves(NONE, made) == (7, 8)


# Assaults


@pytest.mark.rule("base-infantry-v-armour", "base-grenade-launcher", "215c")
def test_the_launcher_and_the_machine_guns_come_before_the_storm(steppe, monkeypatch):
    s, men, tank = steppe.s, steppe.put("su-smg-1", 150, 68), steppe.put("de-pz4h-1", 150, 60, "N", flags=LAUNCHER)
    calls, harm = [], [GOOD]

    def launches(s, unit, target):
        calls.append("launcher")
        s.condition[unit] = harm[0]

    monkeypatch.setattr(assault, "launcher_fires", launches)
    monkeypatch.setattr(assault, "take_hits", lambda s, unit, hits, *rest: calls.append(hits))
    for harm[0], dice, found in ((GOOD, (5,), ["launcher", 1]), (SHAKEN, (), ["launcher"])):
        calls.clear()
        s.condition[men], s.loaded = GOOD, dice
        assault._defend(s, men, tank)
        assert (calls, s.loaded) == (found, ())
    monkeypatch.setattr(assault, "mgs_bearing", lambda s, unit, target: ())
    harm[0] = s.condition[men] = GOOD
    calls.clear()
    assault._defend(s, men, tank)
    assert calls == ["launcher"]


@pytest.mark.rule("base-infantry-v-armour", "102a")
@pytest.mark.parametrize(("ground", "needs"), [(OPEN, 2), (LIGHT, 4), (HEAVY, 5), (BUILDING, 5)])
def test_covering_fire_does_not_spoil_the_machine_guns_of_a_hull(table, monkeypatch, ground, needs):
    """Point blank against men on the move, by their ground alone; their save is a plain one."""
    steppe, saves = table("prokhorovka43", p102="on"), []
    s, men, tank = steppe.s, steppe.put("su-smg-1", 150, 68), steppe.put("de-pz4h-1", 150, 60, "N")
    assert dice_fire.defensive_number(book_of(s), OPEN, 1)[0] > 2, "of men it would be spoiled"
    monkeypatch.setattr(assault, "launcher_fires", lambda *args: None)
    monkeypatch.setattr(assault, "mgs_bearing", lambda s, unit, target: ("coax",))
    monkeypatch.setattr(assault, "ground_cover", lambda w, point: ground)
    monkeypatch.setattr(assault, "take_hits", lambda s, *facts: saves.append(facts))
    for die in (needs - 1, needs):
        s.events, s.loaded, s.covered[tank] = [], (die,) * 4, 1
        assault._defend(s, men, tank)
        fires = next(e for e in s.events if e.kind == "fires")
        thrown = len(fires.data["dice"])
        assert (fires.data["number"], fires.data["cm"]) == (needs, 0)
        assert saves.pop() == (men, thrown * (die == needs), 0, "base-infantry-v-armour", s.at[tank])


@pytest.mark.rule("base-infantry-v-armour", "215c", "215d")
@pytest.mark.parametrize(
    ("row", "needs", "dice", "wins"),
    [
        ("flame", 5, (1, 5), True),
        ("flame", 5, (4, 4), False),
        ("charge", 7, (6,), True),
        ("charge", 7, (5,), False),
        ("charge", 0, (2,), True),
        ("charge", 0, (1,), False),
    ],
)
def test_one_die_that_reaches_the_number_storms_a_tank(steppe, monkeypatch, row, needs, dice, wins):
    s, men, tank = steppe.s, steppe.put("su-smg-1", 150, 68), steppe.put("de-pz4h-1", 150, 60, "N")
    monkeypatch.setattr(assault.close, "assault_row", lambda team, weapon: row)
    monkeypatch.setattr(assault.close, "row_number", lambda book, row: needs)
    monkeypatch.setattr(assault, "_defend", lambda *args: None)
    s.loaded = dice
    assault.assault_armour(s, men, tank)
    s.loaded = ()
    assert (s.condition[tank] == WRECK) is wins


@pytest.mark.rule("base-defensive-fire")
def test_who_has_no_dice_does_not_fire_at_who_charges(table, monkeypatch):
    made = table("lesson2")
    s, men, eye = made.s, made.put(RIFLE, 66, 92), made.put(OBSERVER, 69, 92)
    draws = s.draws
    assert assault.defensive_fire(s, men, eye)
    assert s.draws == draws
    grounds = []
    monkeypatch.setattr(assault.fire, "defensive_number", lambda b, g, c, f: grounds.append(g) or (6, shot.Tally()))
    foe = made.put(MORTAR, 120, 100), made.put("uk-pioneer-1", 69, 92)
    for kind in (OPEN, LIGHT, HEAVY, BUILDING):
        monkeypatch.setattr(assault, "ground_cover", lambda w, p, kind=kind: kind)
        s.loaded = (1,) * 6
        assault.defensive_fire(s, men, foe[1])
        s.loaded = ()
    assert grounds == [OPEN, LIGHT, HEAVY, HEAVY]


# Losses


@pytest.mark.rule("base-save", "base-save-again", "base-demoralised")
def test_what_each_end_of_a_save_does(steppe, monkeypatch):
    s, men, done = steppe.s, steppe.put(MEN, 60, 60), []
    monkeypatch.setattr(losses, "lose", lambda s, unit, why: done.append(("lose", why)))
    monkeypatch.setattr(losses, "fall_back", lambda s, unit, origin, cm: done.append(("back", origin, cm)))
    monkeypatch.setattr(losses, "shake", lambda s, unit, why, origin: done.append(("shake", why, origin)))
    back = losses.CHARTS["close"]["back"]
    for result, found in (
        (quality.ELIMINATED, [("lose", "x")]),
        (quality.RETREAT, [("back", 7, back)]),
        (quality.DEMORALISED, [("shake", "x", 7)]),
        (quality.SAFE, []),
    ):
        done.clear()
        s.events = []
        losses.suffer(s, men, result, "x", 7)
        assert done == found
        assert ("unharmed" in steppe.kinds()) is (result == quality.SAFE)


@pytest.mark.rule("base-transport", "203d", "base-hidden")
def test_who_is_thrown_out_saves_under_the_rule_of_its_vehicle_and_not_onto_who_hides(table, monkeypatch):
    made = table("mtsensk41")
    s, men, taken = made.s, made.put("de-rifle-1", 60, 66), []
    foe = made.put("su-t34-41-1", 90, 90, flags=HIDDEN)
    monkeypatch.setattr(losses, "take_hits", lambda s, u, hits, save, why, at: taken.append((u, hits, save, why)))
    for name, rule in (("de-opel-1", "203d"), ("de-s251-1", "base-transport")):
        carrier = made.put(name, 60, 60, "E")
        taken.clear()
        s.at[foe], second = losses.beside(s, men, carrier)[:2]
        transport.set_on(s, men, carrier)
        losses.throw_out(s, carrier, [men], -1, "x")
        assert s.at[men] == second
        assert taken == [(men, 1, -1, rule)]
        transport.set_on(s, men, carrier)
        losses.throw_out(s, carrier, [men], None, "x")
        assert len(taken) == 1  # a save that was given up is not thrown for
        s.at[carrier] = 0


@pytest.mark.rule("base-soft-vehicle", "203d")
@pytest.mark.parametrize(("choice", "save"), [("on", None), ("off", losses.THROWN)])
def test_203_the_passengers_of_a_truck_that_is_shot_up_have_saved_already(table, monkeypatch, choice, save):
    made = table("arras40", p203=choice)
    s, truck, told = made.s, made.put("de-opel-1", 60, 20), []
    monkeypatch.setattr(losses, "lose", lambda s, unit, why, more: told.append(more))
    s.loaded = (1,)
    losses.soft_hits(s, truck, 1, "x")
    s.loaded = ()
    assert told == [save]


@pytest.mark.rule("base-damage", "base-save-again", "base-victory-points")
@pytest.mark.parametrize("condition", [GOOD, SHAKEN])
def test_who_is_demoralised_can_be_lost_like_anybody(steppe, condition):
    s, men = steppe.s, steppe.put(MEN, 60, 60, condition=condition)
    lost = s.lost[1]
    losses.lose(s, men, "x")
    assert (s.condition[men], s.at[men], s.lost[1]) == (LOST, 0, lost + 1)


@pytest.mark.rule("203c")
def test_203_hits_at_a_truck_are_dealt_to_its_passengers_one_by_one(table, monkeypatch):
    made = table("arras40")
    s, truck, tank = made.s, made.put("de-opel-1", 60, 20), made.put("de-pz38tc-1", 90, 20)
    men, taken = [made.put(name, 60, 20) for name in ("de-rifle-1", "de-rifle-2")], []
    for unit in men:
        transport.set_on(s, unit, truck)
    monkeypatch.setattr(losses, "take_hits", lambda s, unit, *rest: taken.append((unit, *rest)))
    p2.dealt_among_passengers(BOOK, s, truck, 3)
    assert taken == [(men[0], 2, 0, "203c", s.at[truck]), (men[1], 1, 0, "203c", s.at[truck])]
    p2.dealt_among_passengers(BOOK, s, tank, 3)
    assert len(taken) == 2


@pytest.mark.rule("base-transport", "203d")
@pytest.mark.parametrize(
    ("choice", "save", "dies"), [("off", -1, True), ("off", None, False), ("on", -1, False), ("on", None, False)]
)
def test_203_the_passengers_of_a_truck_die_with_it_only_without_the_proposal(table, monkeypatch, choice, save, dies):
    made = table("arras40", p203=choice)
    s, truck, men = made.s, made.put("de-opel-1", 60, 20), made.put("de-rifle-1", 60, 20)
    monkeypatch.setattr(losses, "take_hits", lambda *args: None)
    transport.set_on(s, men, truck)
    losses.throw_out(s, truck, [men], save, "x")
    assert (s.condition[men] == LOST) is dies


@pytest.mark.rule("base-hollow-charge")
def test_a_hollow_charge_meets_twelve_at_most(monkeypatch):
    thick, hollow = SimpleNamespace(armour=(15, 9, 12)), destruction.MORE["hollow"]
    assert hollow == 12
    faust, gun = next(iter(destruction.HOLLOW)), "75L"
    for weapon, ammo, found in ((faust, "AP", [12, 9, 12]), (gun, "HEAT", [12, 9, 12]), (gun, "AP", [15, 9, 12])):
        fired = SimpleNamespace(target=SimpleNamespace(vehicle=thick), weapon=SimpleNamespace(id=weapon), ammo=ammo)
        assert [destruction.armour_met(fired, face) for face in range(3)] == found


@pytest.mark.rule("base-vehicle-move", "base-terrain")
def test_what_is_too_far_is_not_said_to_be_barred(steppe, monkeypatch):
    s, tank = steppe.s, steppe.put(T34, 60, 60)
    table, bar = steppe.w.table, ["wall"]
    rate = dict.fromkeys(table.points, 1)
    monkeypatch.setattr(walking, "steps_of", lambda s, unit: SimpleNamespace(rate=rate, furthest=lambda budget: 50))
    monkeypatch.setattr(walking, "barrier", lambda s, unit, point: bar[0])
    x, y = table.x[s.at[tank]], table.y[s.at[tank]]
    edge, beyond, aslant, nearer = (
        table.point_at(x + dx, y + dy) for dx, dy in ((50, 0), (60, 0), (40, 40), (-30, -40))
    )
    found = [walking.why_out_of_reach(s, tank, p) for p in (edge, beyond, aslant, nearer)]
    assert found == [walking.BARRED, walking.TOO_FAR, walking.TOO_FAR, walking.BARRED]
    bar[0] = ""
    assert walking.why_out_of_reach(s, tank, edge) is walking.TOO_FAR
    rate[edge] = walking.FORBIDDEN
    assert walking.why_out_of_reach(s, tank, edge) is walking.CLOSED


@pytest.mark.rule("base-he-direct", "407b")
@pytest.mark.parametrize(("dice", "shares"), [((1, 1), (1, 0, 0)), ((6, 1), (1, 1, 0)), ((6, 6), (1, 1, 1))])
def test_407_further_hits_are_dealt_among_those_about_the_target(steppe, monkeypatch, dice, shares):
    s, foe, near, other = steppe.s, steppe.put(MEN, 60, 60), steppe.put("de-pzgren-2", 64, 60), steppe.put(PAK, 56, 60)
    far, truck = steppe.put("de-pzgren-3", 80, 60), steppe.put(TIGER, 60, 65)
    taken = {}
    monkeypatch.setattr(firing, "take_hits", lambda s, unit, hits, *rest: taken.__setitem__(unit, hits))
    gun = SimpleNamespace(
        weapon=SimpleNamespace(he=2, is_cannon=False), ammo="HE", target=SimpleNamespace(shelter=OPEN)
    )
    s.loaded = dice
    firing._burst(s, steppe.put(T34, 60, 90), foe, gun)
    s.loaded = ()
    order = [u for u in steppe.w.of_side[1] if u in (near, other)]
    found = dict(zip((foe, *order), shares))
    assert taken == {unit: hits for unit, hits in found.items() if hits}
    assert {u for u in (foe, near, other, far, truck) if has(s, u, SHOT_AT)} == set(taken)


@pytest.mark.rule("base-building")
@pytest.mark.parametrize(
    ("kind", "guns", "fits"), [("building", 0, 3), ("ruins", 0, 2), ("building", 1, 2), ("ruins", 1, 2)]
)
def test_how_many_find_room_in_a_section_or_a_ruin(monkeypatch, kind, guns, fits):
    assert [houses.HOUSE[name] for name in ("section", "gun", "ruins")] == [3, 2, 2]
    w = SimpleNamespace(table=SimpleNamespace(features={1: SimpleNamespace(kind=kind)}))
    monkeypatch.setattr(houses, "IS_GUN", [True] * guns + [False] * (9 - guns))
    assert [houses.has_room(w, 1, list(range(n))) for n in (fits, fits + 1)] == [True, False]


@pytest.mark.rule("base-vehicle-move", "base-victory-points")
def test_who_leaves_takes_the_cheapest_way_off(steppe, monkeypatch):
    s, tank, gone = steppe.s, steppe.put(T34, 60, 60), []
    found = {5: 900, 6: 300, 7: 300, 8: 100}
    monkeypatch.setattr(movement, "full_reach", lambda s, c: found)
    monkeypatch.setattr(movement, "exits", lambda s, c: [7, 5, 6])
    monkeypatch.setattr(movement, "set_out", lambda s, c, found, point: gone.append(point))
    for verb, noun, point, leaving in (("exit", 0, 6, 1), ("to", 8, 8, 0)):
        c = Moving(side=0, unit=tank)
        movement.To().apply(s, c, 0, verb, noun)
        assert (gone.pop(), c.leaving) == (point, leaving)
