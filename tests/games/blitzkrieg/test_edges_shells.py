"""Shells, rockets and moves under fire, at the edges: each condition by itself, each number on both sides of it."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import CHARGE, HE, MOVE, OVERRUN, SMOKE, TURN, Acting, Barrage, Moving
from grognard.games.blitzkrieg.loading import WEAPONS
from grognard.games.blitzkrieg.rules import indirect, movement, shelling, smoke
from grognard.games.blitzkrieg.rules.ground import gap
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    AWAY,
    FIRED,
    GOOD,
    HIDDEN,
    JAMMED,
    LOST,
    RELOADS,
    SHAKEN,
    SHOT_AT,
    STUCK,
    SUPPRESSED,
    THREW,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.tabletop import Box

from .edges import MORTAR, RIFLE, SECOND, reason

T34, TIGER, KV, LAUNCHER = "su-t34-43-1", "de-pz6-1", "su-kv1-1", "de-neb41-1"


def shelled(made):
    """How many dice fell on whom."""
    return [(e.data["unit"].value, len(e.data["dice"])) for e in made.s.events if e.kind == "shelled"]


@pytest.mark.rule("417b", "417e", "417f", "416a")
def test_417_pieces_spend_their_shells_and_forget_their_marker(guns):
    s = guns.s
    piece, other = guns.unit(MORTAR), guns.unit(SECOND)
    s.aim[piece], s.tries[piece] = 5, 2
    s.loaded, s.events = (1,) * 12, []
    spent = []
    asked, shelling.spend_shells = shelling.spend_shells, lambda s, unit: spent.append(unit)
    try:
        frame = Barrage(side=0, pieces=(piece, other), point=s.at[guns.unit(RIFLE)], load=HE)
        shelling.pieces_fire(s, frame)
        s.loaded = ()
        shelling.pieces_fire(s, Barrage(side=0, pieces=(piece,), point=s.at[guns.unit(RIFLE)], load=SMOKE))
    finally:
        shelling.spend_shells = asked
    assert (s.aim[piece], s.tries[piece]) == (0, 0)
    assert spent == [piece, other, piece]
    assert shelled(guns) == [("de-rifle-1", WEAPONS["m81"].he)] * 2
    assert has(s, guns.unit(RIFLE), SUPPRESSED)
    assert len(s.smoke) == 1


@pytest.mark.rule("417b", "417d", "base-suppression")
def test_417_a_suppressed_piece_has_a_die_less(guns):
    s = guns.s
    piece = guns.unit(MORTAR)
    for flag, dice in ((0, WEAPONS["m81"].he), (SUPPRESSED, WEAPONS["m81"].he - 1)):
        s.flags[piece] = flag
        s.loaded, s.events = (1,) * 9, []
        shelling.pieces_fire(s, Barrage(side=0, pieces=(piece,), point=s.at[guns.unit(RIFLE)], load=HE))
        s.loaded = ()
        assert shelled(guns) == [("de-rifle-1", dice)]


@pytest.mark.rule("417b", "417d")
def test_417_sixty_millimetres_reach_two_units_and_vehicles_take_all_dice_together(table):
    made = table("stonne40")
    s = made.s
    men = [made.put(f"de-rifle-{n}", 58 + 2 * n, 97) for n in (1, 2, 3)]
    frame = Barrage(side=0, pieces=(made.unit("fr-b60-1"),))
    box = Box(200, 360, 120, 60)
    for weapon, reached in (("m60", 2), ("m81", 3)):
        s.loaded, s.events = (1,) * 40, []
        shelling._zone(s, frame, box, [2], WEAPONS[weapon])
        s.loaded = ()
        assert len(shelled(made)) == reached
        assert sum(has(s, unit, SUPPRESSED) for unit in men) == reached
    s.condition[men[0]] = s.condition[men[1]] = s.condition[men[2]] = LOST
    made.put("de-pz4d-1", 60, 97)
    s.loaded, s.events = (1,) * 40, []
    shelling._zone(s, frame, box, [2, 3], WEAPONS["m81"])
    s.loaded = ()
    assert shelled(made) == [("de-pz4d-1", 5)]


@pytest.mark.rule("base-suppression", "417f")
def test_417f_vehicles_and_the_lost_are_not_suppressed(table):
    made = table("stonne40")
    s = made.s
    tank, men, gone = made.put("de-pz4d-1", 60, 97), made.put(RIFLE, 70, 97), made.put("de-rifle-2", 80, 97)
    s.condition[gone] = LOST
    for unit in (tank, men, gone):
        shelling.suppress(s, unit)
    assert [has(s, unit, SUPPRESSED) for unit in (tank, men, gone)] == [False, True, False]


@pytest.mark.rule("307a", "307c", "417c", "base-suppression")
def test_307_what_falls_on_a_vehicle_and_on_men(table):
    made = table("stonne40")
    s = made.s
    tank, men = made.put("de-pz4d-1", 60, 97), made.put(RIFLE, 70, 97)
    for unit, he, rolls, direct, dice in ((tank, 3, 2, False, 6), (tank, 3, 2, True, 6), (men, 3, 1, True, 3)):
        s.flags[unit], s.condition[unit] = 0, GOOD
        s.loaded, s.events = (1,) * 20, []
        shelling.shell(s, unit, he, 1, rolls, s.at[unit], "417b", direct=direct)
        s.loaded = ()
        assert [n for _, n in shelled(made)] == [dice]
        assert has(s, unit, SHOT_AT)
    for hits, tested in ((1, False), (2, True)):
        s.condition[tank] = GOOD
        s.loaded, s.events = ((5,) * hits + (1,) * 6)[:6] + (1,), []
        shelling.shell(s, tank, 6, 1, 1, s.at[tank], "417d")
        s.loaded = ()
        assert ("base-destruction" in [e.rule for e in s.events]) is tested
    s.flags[men] = HIDDEN
    s.loaded, s.events = (1,) * 20, []
    shelling.shell(s, men, 3, 1, 1, s.at[men], "417b")
    s.loaded = ()
    assert [e.audience for e in s.events if e.kind == "shelled"] == [(1,)]


@pytest.mark.rule("108d", "108e", "108f")
def test_108_the_disc_reaches_bases_within_its_radius(table):
    made = table("lesson2")
    s, mortar, target = made.s, made.put(MORTAR, 60, 117), made.put(RIFLE, 66, 92)
    near, far = made.put("de-rifle-2", 70, 92), made.put("de-mmg-1", 66, 88)
    w = made.w.table
    s.at[near] = w.point_at(w.x[s.at[target]] + 10, w.y[s.at[target]] + 10)  # 14 quarters off, 8 from its edge
    s.at[far] = w.point_at(w.x[s.at[target]] - 20, w.y[s.at[target]])  # 20 off, 14 from its edge
    s.loaded, s.events = (1,) * 30, []
    shelling.mortar_fire(s, mortar, target)
    s.loaded = ()
    assert {name for name, _ in shelled(made)} == {"de-rifle-1", "de-rifle-2"}
    assert has(s, mortar, JAMMED)


@pytest.mark.rule("408b", "base-random-direction")
@pytest.mark.parametrize(("die", "strays"), [(2, False), (3, True)])
def test_408b_a_rocket_falls_on_the_point_on_one_or_two(table, die, strays):
    made = table("lesson2")
    s, launcher = made.s, made.put(LAUNCHER, 60, 60)
    s.rockets[launcher] = 3
    frame = Barrage(side=1, pieces=(launcher,), rockets=1, point=made.w.table.point_at(400, 400))
    s.loaded, s.events = (die, 1, 1, 1, 1), []
    shelling._rockets_fall(s, frame, launcher, indirect.piece_weapon(launcher))
    s.loaded = ()
    box = next(e.data["box"] for e in s.events if e.kind == "rocket")
    x, y = box[0] + box[2] // 2, box[1] + box[3] // 2
    p = frame.point
    gone = ((x - made.w.table.x[p]) ** 2 + (y - made.w.table.y[p]) ** 2) ** 0.5
    assert (gone > 10) is strays
    assert gone <= 28  # five centimetres and what the lattice rounds
    assert box[2:] == [20, 20]
    assert s.rockets[launcher] == 2


@pytest.mark.rule("406d")
def test_406d_a_crew_reloads_three_and_counts_as_moving(table):
    made = table("lesson2")
    s, unit = made.s, made.put(LAUNCHER, 60, 60)
    s.rockets[unit] = 0
    acting = Acting(side=1, unit=unit)
    assert indirect.why_no_reload(s, acting) is None
    assert reason(indirect.why_no_reload(s, Acting(unit=unit, has_moved=1))) == indirect.RELOAD_TAKES_A_TURN.reason
    assert reason(indirect.why_no_reload(s, Acting(unit=unit, shot=1))) == indirect.RELOAD_TAKES_A_TURN.reason
    s.condition[unit] = SHAKEN
    assert reason(indirect.why_no_reload(s, acting)) == indirect.NOT_STEADY.reason
    s.condition[unit] = GOOD
    for before, after in ((0, 3), (indirect.tubes(unit) - 1, indirect.tubes(unit))):
        s.rockets[unit], acting.over = before, 0
        indirect.reload(s, acting)
        assert (s.rockets[unit], acting.over) == (after, 1)
        assert s.rounds[unit] & RELOADS
    assert reason(indirect.why_no_reload(s, Acting(unit=unit))) == indirect.NO_RELOAD.reason
    for count, left in ((2, indirect.tubes(unit) - 2), (99, 0)):
        indirect.use_rockets(s, unit, count)
        assert s.rockets[unit] == left


@pytest.mark.rule("107b")
def test_107b_who_throws_is_steady_free_and_has_not_thrown(table):
    made = table("lesson2")
    s, one = made.s, made.put("uk-pioneer-1", 60, 60)
    formation = made.w.formation_of[one]
    assert smoke.throwers(s, formation, one) == [one]
    for change in ({"condition": SHAKEN}, {"at": 0}, {"rounds": THREW}, {"flags": SUPPRESSED}, {"flags": FIRED}):
        for field, value in change.items():
            column = getattr(s, field)
            kept, column[one] = column[one], value
            assert smoke.throwers(s, formation, one) == []
            column[one] = kept
    s.flags[one] = ACTIVATED
    assert smoke.throwers(s, formation, one) == [one]
    assert smoke.throwers(s, formation, -1) == []


@pytest.mark.rule("414c")
def test_414c_without_a_radio_near_or_where_one_stood(table):
    made = table("stalingrad42")
    s, observer, piece = made.s, made.unit("su-command-1"), made.unit("su-k45-1")
    w = made.w.table
    s.at[piece], s.condition[piece] = w.point_at(240, 240), GOOD
    s.at[observer] = s.stood[observer] = w.point_at(400, 240)
    assert indirect.is_linked(s, observer, piece)  # it has not moved
    s.stood[observer] = w.point_at(410, 240)
    assert not indirect.is_linked(s, observer, piece)
    s.at[observer] = w.point_at(280, 240)
    assert indirect.is_linked(s, observer, piece)


# Moves


@pytest.mark.rule("218a", "base-immobilisation-test")
@pytest.mark.parametrize(("dice", "breaks"), [((1, 2), True), ((1, 3), False), ((2, 2), False)])
def test_218_off_an_unreliable_tank_breaks_down_on_two_or_three(table, dice, breaks):
    made = table("mtsensk41", p218="off")
    s = made.s
    s.loaded = dice
    assert movement.breakdown(book_of(s), s, Moving(side=0, unit=made.unit(KV))) is breaks
    s.loaded = ()


@pytest.mark.rule("base-immobilisation-test", "002b")
def test_who_arrives_nowhere_is_not_tested(table):
    made = table("mtsensk41", p218="off")
    s = made.s
    tank = made.put(KV, 60, 60)

    def tested(**facts):
        s.loaded, s.events = (6, 6), []
        movement.arrive(
            s, Moving(**{"side": 0, "unit": tank, "step": 1, "start": s.at[tank] - 1, "path": (s.at[tank],)} | facts)
        )
        s.loaded = ()
        return "roll" in made.kinds()

    assert tested()
    assert not tested(step=0)
    assert not tested(mode=TURN)
    s.flags[tank] = STUCK
    assert not tested()
    s.flags[tank], s.condition[tank] = 0, WRECK
    assert not tested()


@pytest.mark.rule("base-immobilisation-test")
def test_half_tracks_bog_down_on_a_two_others_on_a_one(table):
    drives = {}
    for unit, model in enumerate(movement.MODEL_OF):
        drives.setdefault(getattr(model, "drive", ""), unit)
    assert movement.bogs_on(drives["half-track"]) == 2
    assert movement.bogs_on(drives["tracked"]) == movement.bogs_on(drives["wheeled"]) == 1


@pytest.mark.rule("base-damage", "base-demoralised")
def test_who_is_stopped_on_the_way(steppe):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)

    def stopped(condition=GOOD, flags=0, at=None, **facts):
        s.condition[tank], s.flags[tank] = condition, flags
        c = Moving(**{"side": 0, "unit": tank, "mode": MOVE, "start": s.at[tank], "window": 1} | facts)
        movement.see_damage(s, c)
        assert c.window == 0
        return bool(c.stopped)

    here = s.at[tank]
    assert not stopped()
    assert not stopped(path=(here + 1,))  # it has not gone yet
    assert not stopped(path=(here,), step=1)
    assert stopped(path=(here + 1,), step=1)  # it was carried elsewhere
    assert stopped(flags=STUCK)
    assert stopped(condition=WRECK)
    assert stopped(condition=SHAKEN)
    assert not stopped(condition=SHAKEN, began_shaken=1)
    for mode in (CHARGE, OVERRUN):
        assert stopped(condition=SHAKEN, began_shaken=1, mode=mode)
        assert not stopped(mode=mode)


@pytest.mark.rule("base-hidden")
def test_what_lay_hidden_stops_a_move_only_while_it_is_there(steppe):
    s, w = steppe.s, steppe.w.table
    tank = steppe.put(T34, 60, 60, "E")
    foe = steppe.put(TIGER, 66, 60, "E", flags=HIDDEN)
    c = Moving(side=0, unit=tank, unseen=(foe,))
    east = s.facing[tank]
    assert movement._runs_into(s, c, s.at[foe], east)
    assert not has(s, foe, HIDDEN)
    assert not movement._runs_into(s, c, w.point_at(480, 240), east)
    for condition, at in ((LOST, s.at[foe]), (AWAY, s.at[foe]), (GOOD, 0)):
        kept = s.at[foe]
        s.condition[foe], s.at[foe] = condition, at
        assert not movement._runs_into(s, c, kept, east)
        s.at[foe] = kept


@pytest.mark.rule("base-hidden", "306b")
def test_the_hidden_are_found_within_five_centimetres_and_fifteen_by_scouts(steppe):
    s, w = steppe.s, steppe.w
    tank, foe = steppe.put(T34, 60, 60), steppe.put(TIGER, 60, 60, flags=HIDDEN)
    limit = movement.CHARTS["detection"]["camouflaged"] * 4
    x, y = w.table.x[s.at[tank]], w.table.y[s.at[tank]]
    near = next(n for n in range(1, 40) if _gap_at(s, w, tank, foe, x + 10 * n, y) > limit)
    for n, found in ((near - 1, True), (near, False)):
        s.at[foe] = w.table.point_at(x + 10 * n, y)
        s.flags[foe], s.flags[tank] = HIDDEN, HIDDEN
        movement._discover(s, tank)
        assert has(s, foe, HIDDEN) is not found
        assert has(s, tank, HIDDEN) is not found
    s.at[foe], s.condition[foe], s.flags[foe] = w.table.point_at(x + 10, y), LOST, HIDDEN
    movement._discover(s, tank)
    assert has(s, foe, HIDDEN)


def _gap_at(s, w, a, b, x, y):
    s.at[b] = w.table.point_at(x, y)
    return gap(s, a, b)


@pytest.mark.rule("221a")
def test_221a_who_was_in_view_may_react_once_at_ten_centimetres(table):
    made = table("prokhorovka43", p221="on")
    s, w = made.s, made.w
    tank, foe = made.put(T34, 60, 60, "E"), made.put(TIGER, 60, 60, "W")
    x, y = w.table.x[s.at[tank]], w.table.y[s.at[tank]]
    edge = next(n for n in range(1, 40) if _gap_at(s, w, tank, foe, x + 10 * n, y) > movement.CLOSE_CM * 4)
    for n, close in ((edge - 1, True), (edge, False)):
        s.at[foe] = w.table.point_at(x + 10 * n, y)
        c = Moving(side=0, unit=tank, began_seen=(foe,))
        assert movement._comes_close(s, c) is close
        assert (c.window, c.close) == ((2, (foe,)) if close else (0, ()))
    s.at[foe] = w.table.point_at(x + 10 * (edge - 1), y)
    assert not movement._comes_close(s, Moving(side=0, unit=tank, began_seen=(foe,), close=(foe,)))
    assert not movement._comes_close(s, Moving(side=0, unit=tank))
    s.condition[foe] = WRECK
    assert not movement._comes_close(s, Moving(side=0, unit=tank, began_seen=(foe,)))
    off = table("prokhorovka43", p221="off")
    off.put(T34, 60, 60, "E"), off.put(TIGER, 68, 60, "W")
    assert not movement._comes_close(off.s, Moving(side=0, unit=tank, began_seen=(foe,)))


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
def test_a_window_opens_for_somebody_new_at_the_end_and_by_the_way_gone(steppe, monkeypatch):
    s = steppe.s
    tank, foe = steppe.put(T34, 60, 60), steppe.put(TIGER, 90, 60)
    can = [True]
    monkeypatch.setattr(movement, "fires_at", lambda s, u, mover: can[0])

    def opens(ambush=False, **facts):
        c = Moving(**{"side": 0, "unit": tank, "path": (1, 2, 3), "step": 1} | facts)
        found = movement._is_watched(s, c, [foe], ambush)
        assert c.watched == (c.gone if found else facts.get("watched", 0))
        assert c.could == ((foe,) if can[0] else ())
        return found

    assert opens()
    assert not opens(could=(foe,))
    assert opens(could=(foe,), step=3)
    assert opens(could=(foe,), gone=movement.WINDOW)
    assert not opens(could=(foe,), gone=movement.WINDOW - 1)
    assert not opens(could=(foe,), gone=movement.WINDOW + 9, watched=10)
    can[0] = False
    assert not opens(gone=9 * movement.WINDOW)
    assert not opens(step=3)
    assert opens(ambush=True, step=3)
    assert opens(ambush=True, gone=movement.AMBUSH)
    assert not opens(ambush=True, gone=movement.AMBUSH - 1)


@pytest.mark.rule("base-damage", "214c")
def test_who_is_asked_and_who_rams(steppe):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)
    for window, asked, close in ((0, False, False), (1, True, False), (2, False, True)):
        c = Moving(side=0, unit=tank, window=window)
        assert (movement.is_asked(s, c), movement.is_close(s, c)) == (asked, close)
    ram = {"side": 0, "unit": tank, "mode": OVERRUN, "target": 3}
    assert movement.will_ram(s, Moving(**ram))
    for change in ({"mode": CHARGE}, {"stopped": 1}, {"target": movement.NOBODY}):
        assert not movement.will_ram(s, Moving(**ram | change))
    s.condition[tank] = WRECK
    assert not movement.will_ram(s, Moving(**ram))
    assert not movement.is_asked(s, Moving(unit=tank, window=1))
    assert not movement.is_close(s, Moving(unit=tank, window=2))
