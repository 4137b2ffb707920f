"""What a unit in hand may do and how it goes its way: each refusal by its reason, each number at its edge."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import CHARGE, MOVE, OVERRUN, REVERSE, TURN, Acting, Activation, Moving
from grognard.games.blitzkrieg.rules import acting, facing, movement
from grognard.games.blitzkrieg.rules.movement import LENGTHS
from grognard.games.blitzkrieg.state import (
    ABOARD,
    ACTIVATED,
    BOGGED,
    CONTINUOUS,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    EXITED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LEADERLESS,
    LOST,
    OUT,
    PIVOTED,
    SHAKEN,
    STOPPED,
    STUCK,
    SUPPRESSED,
    WRECK,
    has,
)
from grognard.tabletop.paths import PER_CM

from .edges import BOOK, reason

T34, T34_2, SMG, HEAD = "su-t34-43-1", "su-t34-43-2", "su-smg-1", "su-command-1"
PANZER, PAK, GREN, MG = "de-pz4h-1", "de-pak40-1", "de-pzgren-1", "de-mmg-1"


# Picking


@pytest.mark.rule("base-activation")
def test_who_of_a_formation_may_be_taken_up(steppe):
    s, pick = steppe.s, acting.PickUnit()
    tank, other, men = steppe.put(T34, 180, 60, "W"), steppe.put(T34_2, 190, 60, "W"), steppe.put(SMG, 200, 60)
    number = steppe.w.formation_of[tank]
    c = Activation(side=0, formation=number)
    assert pick.needed(s, c, 0)
    assert pick.nouns(s, c, 0, "unit") == [tank, other]
    assert pick.nouns(s, c, 0, "done") == [0]
    assert pick.why_not(s, c, 0, "done", 0) is None
    assert pick.why_not(s, c, 0, "unit", tank) is None
    assert reason(pick.why_not(s, c, 0, "unit", men)) == "not-of-this-formation"
    s.flags[tank] |= ACTIVATED
    assert reason(pick.why_not(s, c, 0, "unit", tank)) == "has-acted"
    s.condition[other] = WRECK
    assert not pick.needed(s, c, 0)
    assert acting.is_over(s, c)
    s.condition[other] = SHAKEN
    assert pick.needed(s, c, 0)
    assert not acting.is_over(s, c)
    s.at[other] = 0
    assert not pick.needed(s, c, 0)
    steppe.put(T34_2, 190, 60, "W")
    assert not pick.needed(s, Activation(side=0, formation=number, over=1), 0)
    assert not pick.needed(s, Activation(side=0, formation=number, unit=other), 0)
    assert acting.is_over(s, Activation(side=0, formation=number, over=1))
    pick.apply(s, c, 0, "unit", other)
    assert (c.unit, c.over, acting.has_unit(s, c)) == (other, 0, True)
    pick.apply(s, c, 0, "done", 0)
    assert c.over == 1


@pytest.mark.rule("base-activation")
@pytest.mark.parametrize(("flags", "stuck"), [(0, 0), (STOPPED, 1)])
def test_who_is_taken_up_has_acted_and_who_was_stopped_recovers(steppe, flags, stuck):
    tank = steppe.put(T34, 180, 60, "W", flags=flags)
    c = Activation(side=0, formation=2, unit=tank)
    frame = acting.take_up(steppe.s, c)
    assert (frame.unit, frame.stuck, c.unit) == (tank, stuck, -1)
    assert steppe.s.flags[tank] & (ACTIVATED | STOPPED) == ACTIVATED


@pytest.mark.rule("base-activation", "102d")
def test_who_was_left_out_has_acted_too_and_covering_fire_is_over(steppe):
    s = steppe.s
    tank, foe = steppe.put(T34, 180, 60, "W"), steppe.put(GREN, 150, 60)
    s.covered[foe] = 3
    acting.close_activation(s, Activation(side=0, formation=steppe.w.formation_of[tank]))
    assert has(s, tank, ACTIVATED)
    assert not has(s, foe, ACTIVATED)
    assert s.covered[foe] == 0


# What forbids a move


@pytest.mark.rule("base-vehicle-actions", "base-command", "224a")
def test_each_reason_not_to_move(steppe):
    s, tank, men = steppe.s, steppe.put(T34, 180, 60, "W"), steppe.put(SMG, 200, 60)

    def why(unit=tank, **more):
        return reason(acting.why_no_move(BOOK, s, Acting(side=0, unit=unit, **more)))

    assert why() is None
    assert why(has_moved=1) == "moved-already"
    assert why(shot=1) == "fired-already"
    assert why(stuck=1) == "command-failed"
    for flag, found in (
        (PIVOTED, "moved-already"),
        (STUCK, "is-immobilised"),
        (BOGGED, "is-immobilised"),
        (DUG_IN, "is-dug-in-tank"),
    ):
        s.flags[tank] = flag
        assert why() == found
    s.flags[men] = DUG_IN
    assert why(men) is None


@pytest.mark.rule("base-vehicle-actions", "base-illegal", "base-commander-out")
def test_each_reason_not_to_crawl_turn_back_or_open(steppe):
    s = steppe.s
    tank, men, gun, mg = (
        steppe.put(PANZER, 180, 60, "W"),
        steppe.put(GREN, 200, 60),
        steppe.put(PAK, 190, 60),
        steppe.put(MG, 195, 60),
    )
    marder = steppe.put("de-marder3m-1", 170, 60)

    def why(verb, unit, **more):
        return reason(acting.TESTS[verb](s, Acting(side=1, unit=unit, **more)))

    assert [why("crawl", u) for u in (men, mg, tank, gun)] == [None, None, "no-crawl", "no-crawl"]
    assert [why("back", u) for u in (tank, men)] == [None, "no-hatch"]
    assert [why("turn", u) for u in (tank, gun, mg, men)] == [None, None, None, "turns-freely"]
    assert why("turn", tank, stuck=1) is None
    assert why("turn", tank, has_moved=1) == "moved-already"
    assert [why("open", u) for u in (tank, men, marder)] == [None, "no-hatch", "no-hatch"]
    assert why("shut", tank) == "hatch-first"
    for more in ({"has_moved": 1}, {"shot": 1}, {"hatch": 1}):
        assert why("open", tank, **more) == "hatch-first"
    s.flags[tank] |= OUT
    assert [why("open", tank), why("shut", tank)] == ["hatch-first", None]
    s.flags[tank] |= LEADERLESS
    assert why("shut", tank) == "no-commander"
    s.flags[tank] = 0
    assert why("free", tank) == "not-bogged"
    s.flags[tank] = BOGGED
    assert [why("free", tank), why("free", tank, shot=1)] == [None, "fired-already"]
    s.flags[men] = SUPPRESSED
    assert why("move", men) == "suppressed-crawls"
    s.flags[tank] = SUPPRESSED
    assert why("move", tank) is None


@pytest.mark.rule("111a")
def test_111_each_reason_not_to_dig(steppe):
    s, men, tank = steppe.s, steppe.put(GREN, 200, 60), steppe.put(PANZER, 180, 60, "W")

    def why(unit=men, **more):
        return reason(acting.TESTS["dig"](s, Acting(side=1, unit=unit, **more)))

    assert why() is None
    assert why(tank) == "no-dig"
    assert why(has_moved=1) == "moved-already"
    assert why(shot=1) == "fired-already"
    for flag in (DUG_IN, ENTRENCHED):
        s.flags[men] = flag
        assert why() == "no-dig"
    s.flags[men], s.condition[men] = 0, SHAKEN
    assert why() == "no-dig"


@pytest.mark.rule("base-continuous-movement")
def test_who_may_keep_moving(steppe):
    s, men, tank = steppe.s, steppe.put(GREN, 200, 60), steppe.put(PANZER, 180, 60, "W")

    def why(unit=tank, **more):
        return reason(acting.TESTS["keep-moving"](s, Acting(side=1, unit=unit, **more)))

    s.moved[tank] = s.moved[men] = 10
    assert why(has_moved=1) is None
    assert why() == "no-continuous-movement"
    assert why(men, has_moved=1) == "no-continuous-movement"
    s.moved[tank] = 9
    assert why(has_moved=1) == "no-continuous-movement"
    s.moved[tank] = 10
    for flag in (STUCK, CONTINUOUS):
        s.flags[tank] = flag
        assert why(has_moved=1) == "no-continuous-movement"


@pytest.mark.rule("base-building")
def test_each_reason_not_to_take_the_stairs(table):
    made = table("stalingrad42")
    house = next(p for p in made.w.table.points if made.w.table.kind[p] == "building")
    s, men = made.s, made.put("de-rifle-1", 60, 60)

    def why(verb="upstairs", **more):
        return reason(acting.TESTS[verb](s, Acting(side=1, unit=men, **more)))

    assert why() == "no-stairs"
    for p in made.w.table.points:
        s.at[men] = p
        if acting.has_stairs(s, men):
            break
    assert house
    assert why() is None
    assert why("downstairs") == "no-stairs"
    assert why(shot=1) == "fired-already"
    assert why(stuck=1) == "command-failed"
    for flag in (SUPPRESSED, CRAWLED):
        s.flags[men] = flag
        assert why() == "suppressed-crawls"
    s.flags[men], s.moved[men] = 0, 15
    assert why() is None
    s.moved[men] = 16
    assert why() == "stairs-too-far"
    s.floor[men] = 1
    s.moved[men] = 0
    assert [why(), why("downstairs")] == ["no-stairs", None]


@pytest.mark.rule("base-vehicle-actions", "base-illegal")
def test_the_nouns_of_each_verb_and_when_a_unit_is_done(steppe):
    s, act = steppe.s, acting.Act()
    tank, men, foe = steppe.put(PANZER, 180, 60, "W"), steppe.put(GREN, 200, 60), steppe.put(T34, 150, 60, "E")
    dead, bunker = steppe.put(T34_2, 140, 60, condition=WRECK), steppe.put(SMG, 130, 60, flags=IN_BUNKER)
    c, walker = Acting(side=1, unit=tank), Acting(side=1, unit=men)
    assert act.needed(s, c, 1)
    assert not act.needed(s, Acting(side=1, unit=tank, over=1), 1)
    assert sorted(act.nouns(s, c, 1, "shoot")) == sorted([foe, bunker])
    assert act.nouns(s, c, 1, "move") == act.nouns(s, c, 1, "hold") == [0]
    assert act.nouns(s, c, 1, "clear") == [dead]
    assert act.nouns(s, c, 1, "demolish") == [bunker]
    assert act.nouns(s, c, 1, "board") == act.nouns(s, c, 1, "hitch") == act.nouns(s, walker, 1, "hitch") == []
    assert act.nouns(s, walker, 1, "board") == [tank]
    assert act.nouns(s, walker, 1, "alight") == []
    assert act.nouns(s, c, 1, "apds") == []
    s.at[tank], here = 0, s.at[tank]
    assert not act.needed(s, c, 1)
    s.at[tank], s.condition[tank] = here, WRECK
    assert not act.needed(s, c, 1)


# The way


@pytest.mark.rule("base-vehicle-move", "base-arcs")
def test_who_chooses_a_facing_at_the_end(steppe):
    s = steppe.s
    tank, men, gun, mg = (
        steppe.put(PANZER, 180, 60, "W"),
        steppe.put(GREN, 200, 60),
        steppe.put(PAK, 190, 60),
        steppe.put(MG, 195, 60),
    )

    def front(unit=tank, **more):
        return facing.has_front(s, Moving(side=1, unit=unit, **{"mode": MOVE, **more}))

    assert [front(u) for u in (tank, gun, mg, men)] == [True, True, True, False]
    assert [front(mode=m) for m in (TURN, REVERSE, CHARGE, OVERRUN)] == [True, False, False, False]
    assert not front(stopped=1)
    assert not front(faced=1)
    s.flags[tank] = STUCK
    assert not front()
    s.flags[tank], s.condition[tank] = 0, WRECK
    assert not front()
    s.condition[tank], s.at[tank] = GOOD, 0
    assert not front()


@pytest.mark.rule("base-vehicle-move", "base-arcs")
def test_what_a_turn_of_the_hull_costs(steppe):
    s, face = steppe.s, facing.Face()
    tank, gun = steppe.put(PANZER, 180, 60, "N"), steppe.put(PAK, 220, 60, "N")

    def turns(cm, unit=tank, mode=MOVE):
        c = Moving(side=1, unit=unit, mode=mode, left=cm * PER_CM)
        return [n for n in range(16) if face.why_not(s, c, 1, "face", n) is None]

    assert turns(0) == [0, 1, 15]
    assert turns(4) == [0, 1, 15]
    assert turns(5) == [0, 1, 2, 3, 4, 12, 13, 14, 15]
    assert turns(9) == turns(5)
    assert turns(10) == list(range(16)) == turns(0, gun) == turns(0, tank, TURN)
    friend = steppe.put("de-pz4h-2", 180, 64.5, "N")
    assert 4 not in turns(10)
    assert 0 in turns(10)
    s.at[friend] = 0


@pytest.mark.rule("base-vehicle-move", "base-arcs")
def test_the_turret_stays_on_its_hull_and_a_turn_on_the_spot_is_a_pivot(steppe):
    s, face = steppe.s, facing.Face()
    tank, gun = steppe.put(PANZER, 180, 60, "N", flags=HIDDEN), steppe.put(PAK, 220, 60, "N", flags=HIDDEN)
    s.turret[tank] = s.turret[gun] = 3
    c = Moving(side=1, unit=tank, mode=MOVE)
    face.apply(s, c, 1, "face", 2)
    assert (s.facing[tank], s.turret[tank], c.faced) == (2, 5, 1)
    assert not has(s, tank, PIVOTED)
    assert has(s, tank, HIDDEN)
    face.apply(s, Moving(side=1, unit=tank, mode=TURN), 1, "face", 2)
    assert not has(s, tank, PIVOTED)
    face.apply(s, Moving(side=1, unit=tank, mode=TURN), 1, "face", 15)
    assert (s.facing[tank], s.turret[tank]) == (15, 2)
    assert has(s, tank, PIVOTED)
    assert not has(s, tank, HIDDEN)
    face.apply(s, Moving(side=1, unit=gun, mode=MOVE), 1, "face", 4)
    assert (s.facing[gun], s.turret[gun]) == (4, 4)


@pytest.mark.rule("base-damage", "base-demoralised")
def test_who_goes_no_further(steppe):
    s, tank = steppe.s, steppe.put(T34, 180, 60, "W")
    here = s.at[tank]

    def stopped(**more):
        c = Moving(
            side=0, unit=tank, **{"mode": MOVE, "start": here, "path": (here, here - 1), "step": 1, "window": 1, **more}
        )
        movement.see_damage(s, c)
        assert c.window == 0
        return c.stopped

    assert stopped() == 0
    assert stopped(step=0) == 0
    s.at[tank] = here - 2
    assert stopped() == stopped(step=0) == 1
    assert stopped(path=(), step=0) == 0
    s.at[tank] = here
    s.flags[tank] = STUCK
    assert stopped() == 1
    s.flags[tank], s.condition[tank] = 0, SHAKEN
    assert stopped() == 1
    assert stopped(began_shaken=1) == 0
    assert stopped(began_shaken=1, mode=CHARGE) == stopped(began_shaken=1, mode=OVERRUN) == 1
    s.condition[tank] = WRECK
    assert stopped() == 1


@pytest.mark.rule("base-immobilisation-test", "002b", "002c")
@pytest.mark.parametrize(("die", "bogged"), [(1, True), (2, False)])
def test_soft_ground_holds_tracks_on_a_one(steppe, monkeypatch, die, bogged):
    s, tank = steppe.s, steppe.put(T34, 180, 60, "W")
    monkeypatch.setattr(movement, "_is_soft", lambda *_: True)

    def comes(**more):
        c = Moving(side=0, unit=tank, **{"mode": MOVE, "start": s.at[tank], "path": (s.at[tank],), "step": 1, **more})
        s.flags[tank], s.events = 0, []
        s.loaded = (die, 6)
        movement.arrive(s, c)
        s.loaded = ()
        return has(s, tank, BOGGED), c.stopped, "roll" in steppe.kinds()

    assert comes() == (bogged, int(bogged), True)
    assert comes(step=0) == comes(mode=TURN) == (False, 0, False)
    s.condition[tank] = WRECK
    assert comes() == (False, 0, False)


@pytest.mark.rule("base-immobilisation-test")
def test_half_tracks_bog_on_two(table):
    made = table("bastogne44")
    assert movement.bogs_on(made.unit("de-s251-1")) == 2
    assert movement.bogs_on(made.unit("de-pz4h-1")) == 1


@pytest.mark.rule("base-vehicle-move")
def test_who_leaves_by_the_exit(table):
    made = table("arras40")
    s = made.s
    edge = sorted(made.w.exit_points)[len(made.w.exit_points) // 2]
    tank, men = made.put("uk-mat2-1", 60, 60), made.put("uk-rifle-1", 100, 60)
    s.at[tank] = edge
    assert made.w.exits["side"] == "allies"

    def ways(unit=tank, mode=MOVE, side=0):
        return movement.exits(s, Moving(side=side, unit=unit, mode=mode))

    assert set(ways()) <= set(made.w.exit_points)
    assert ways()
    assert ways(mode=REVERSE) == []
    s.at[men] = edge
    assert ways(men) == []
    bren = made.put("uk-bren-1", 60, 60)
    s.at[bren], s.at[tank] = edge, 0
    assert ways(bren) == []  # tanks only
    s.at[bren] = 0
    panzer = made.put("de-pz38tc-1", 60, 60)
    s.at[panzer] = edge
    assert ways(panzer, side=1) == []
    before = s.points[0]
    s.at[tank] = edge
    movement.leave_table(s, Moving(side=0, unit=tank))
    assert (s.condition[tank], s.at[tank], s.points[0]) == (EXITED, 0, before + int(made.w.exits["points"]))


@pytest.mark.rule("base-demoralised")
def test_who_is_shaken_goes_nearer_to_nobody_it_sees(steppe):
    s, table = steppe.s, steppe.w.table
    men, foe = steppe.put(SMG, 160, 60), steppe.put(GREN, 150, 60)
    near, far, beside = (table.point_at(x * 4, 240) for x in (157, 163, 160))
    c = Moving(side=0, unit=men, mode=MOVE)

    def why(point):
        return reason(movement.why_not_end(BOOK, s, c, point))

    assert why(near) is None
    s.condition[men] = SHAKEN
    assert [why(p) for p in (near, far, beside)] == ["no-approach", None, None]
    s.flags[foe] |= HIDDEN
    assert why(near) is None


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
def test_a_hidden_enemy_in_the_way_stops_who_comes_and_may_fire(steppe):
    s = steppe.s
    tank = steppe.put(T34, 180, 60, "W")
    hidden = steppe.put(GREN, 170, 60, flags=HIDDEN)
    steppe.put(T34_2, 200, 60)
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    steppe.do("to", steppe.point(160, 60))
    steppe.let_pass()
    assert not has(s, hidden, HIDDEN)
    assert steppe.w.table.x[s.at[tank]] > 170 * 4
    frame = next((c for c in s.frames if isinstance(c, Moving)), None)
    assert frame is None or frame.stopped


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
@pytest.mark.parametrize(("hides", "window"), [(True, 1), (False, 0)])
def test_where_it_is_stopped_by_who_hid_the_enemy_is_asked(steppe, hides, window):
    s = steppe.s
    tank, hidden = steppe.put(T34, 180, 60, "W"), steppe.put(GREN, 178, 60, flags=HIDDEN)
    if hides:
        steppe.put("de-pzgren-2", 60, 60, flags=HIDDEN)
    else:
        s.flags[hidden] |= ACTIVATED
    step = steppe.w.table.offsets[12]
    c = Moving(
        side=0, unit=tank, mode=MOVE, start=s.at[tank], path=(s.at[tank] + step,), facings=(12,), unseen=(hidden,)
    )
    movement.go_on(s, c)
    assert (c.stopped, c.step) == (1, 0)
    assert not has(s, hidden, HIDDEN)
    if hides:
        assert c.window == window


@pytest.mark.rule("221a")
def test_221_a_vehicle_in_view_at_the_start_is_asked_once_at_ten_centimetres(steppe, table):
    s = steppe.s
    tank, foe, men = steppe.put(T34, 162, 60, "W"), steppe.put(PANZER, 148, 60, "E"), steppe.put(SMG, 155, 64)
    c = Moving(side=0, unit=tank, began_seen=(foe,))
    assert movement._comes_close(s, c)
    assert (c.window, c.close) == (2, (foe,))
    assert not movement._comes_close(s, c)
    assert not movement._comes_close(s, Moving(side=0, unit=tank))
    assert not movement._comes_close(s, Moving(side=0, unit=men, began_seen=(foe,)))
    steppe.put(T34, 170, 60, "W")
    assert not movement._comes_close(s, Moving(side=0, unit=tank, began_seen=(foe,)))
    steppe.put(T34, 162, 60, "W")
    s.condition[foe] = WRECK
    assert not movement._comes_close(s, Moving(side=0, unit=tank, began_seen=(foe,)))
    made = table("prokhorovka43", p221="off")
    tank, foe = made.put(T34, 162, 60, "W"), made.put(PANZER, 148, 60, "E")
    assert not movement._comes_close(made.s, Moving(side=0, unit=tank, began_seen=(foe,)))


@pytest.mark.rule("base-hidden", "306b")
def test_who_comes_near_finds_and_is_found(steppe):
    s = steppe.s
    tank, hidden = steppe.put(T34, 160, 60, "W"), steppe.put(GREN, 152, 60, flags=HIDDEN)
    movement._discover(s, tank)
    assert has(s, hidden, HIDDEN)
    steppe.put(T34, 158, 60, "W")
    movement._discover(s, tank)
    assert not has(s, hidden, HIDDEN)
    s.flags[tank] |= HIDDEN
    movement._discover(s, tank)
    assert not has(s, tank, HIDDEN)
    s.flags[hidden] |= HIDDEN
    s.condition[hidden] = LOST
    movement._discover(s, tank)
    assert has(s, hidden, HIDDEN)


@pytest.mark.rule("base-vehicle-move", "101b")
def test_what_setting_out_notes(steppe):
    s = steppe.s
    tank, foe = steppe.put(T34, 180, 60, "W", flags=HIDDEN | DUG_IN | CONTINUOUS), steppe.put(PANZER, 150, 60, "E")
    c = Moving(side=0, unit=tank, mode=MOVE)
    s.flags[tank] &= ~DUG_IN
    found = movement.full_reach(s, c)
    goal = steppe.w.table.point_at(170 * 4, 240)
    movement.set_out(s, c, found, goal)
    assert c.path[-1] == goal
    assert len(c.path) == len(c.facings)
    assert not has(s, tank, HIDDEN | CONTINUOUS)
    assert c.began_seen == (foe,)
    whole = movement.allowance(s, tank)[0]
    assert s.effort[tank] == -(-100 * (found[goal] >> 4) // (whole * PER_CM))
    assert c.left == whole * PER_CM - (found[goal] >> 4)
    assert sum(LENGTHS[12] for _ in c.path) == 16 * 10
    assert not has(s, tank, ABOARD | CRAWLED)
