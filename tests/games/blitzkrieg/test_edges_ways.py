"""Setting out, going on, being watched: each condition by itself; tests that are told to one side; lists of forces."""

from __future__ import annotations

from collections import Counter

import pytest

from grognard.games.blitzkrieg import forces
from grognard.games.blitzkrieg.forces import Force, why_not_support
from grognard.games.blitzkrieg.frames import CLOSE, CRAWL, MOVE, OPPORTUNITY, RAM, Moving, Reaction
from grognard.games.blitzkrieg.laws import quality
from grognard.games.blitzkrieg.proposals import p2
from grognard.games.blitzkrieg.rules import losses, movement, reaction
from grognard.games.blitzkrieg.state import (
    CONTINUOUS,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LOST,
    SHAKEN,
    STOPPED,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.tabletop.paths import PER_CM

from .edges import BOOK, reason

T34, TIGER, MEN = "su-t34-43-1", "de-pz6-1", "de-pzgren-1"


@pytest.mark.rule("101b", "306a", "base-hidden")
@pytest.mark.parametrize(
    ("mode", "hides", "camouflaged", "hidden"),
    [(CRAWL, True, False, True), (CRAWL, False, False, False), (MOVE, True, False, False), (MOVE, False, True, True)],
)
def test_who_sets_out_is_seen_unless_it_crawls_in_cover(steppe, monkeypatch, mode, hides, camouflaged, hidden):
    s, table = steppe.s, steppe.w.table
    men = steppe.put("su-smg-1", 60, 60, flags=HIDDEN | DUG_IN | ENTRENCHED | IN_BUNKER | CONTINUOUS)
    foe, unseen = steppe.put(TIGER, 90, 60), steppe.put("de-pz6-2", 200, 60, flags=HIDDEN)
    seen = {foe}
    monkeypatch.setattr(movement, "stays_hidden", lambda book, s, c, point: hides)
    monkeypatch.setattr(movement, "stays_camouflaged", lambda book, unit: camouflaged)
    monkeypatch.setattr(movement, "detects", lambda s, a, b: b in seen)
    c = Moving(side=0, unit=men, mode=mode)
    east = [s.at[men] + table.offsets[4] * n for n in range(3)]
    found = {east[0]: 4, east[1]: (3 * PER_CM) << 4 | 4, east[2]: (5 * PER_CM + 1) << 4 | 5}
    monkeypatch.setattr(movement, "way_to", lambda s, c, found, point: east)
    whole = movement.allowance(s, men)[0]
    s.effort[men], s.moved[men] = 20, 3
    left = movement.budget_of(s, men)
    movement.set_out(s, c, found, east[2])
    assert has(s, men, HIDDEN) is hidden
    assert has(s, men, CRAWLED) is (mode == CRAWL)
    assert not has(s, men, DUG_IN | ENTRENCHED | IN_BUNKER | CONTINUOUS)
    assert (c.start, c.path, c.facings) == (east[0], tuple(east[1:]), (4, 5))
    assert (c.unseen, c.began_seen) == ((unseen,), (foe,))
    assert (c.gone, c.watched) == (48, 48)
    assert c.left == left - (5 * PER_CM + 1)
    assert s.effort[men] == 20 + -(-100 * (5 * PER_CM + 1) // (whole * PER_CM))
    told = [e for e in s.events if e.kind == "sets-out"]
    assert told[-1].audience == ((0,) if hidden else None)
    s.effort[men] = 99
    movement.set_out(s, c, found, east[2])
    assert s.effort[men] == 100
    assert steppe.put(MEN, 90, 70) not in c.began_seen


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
@pytest.mark.parametrize(("watchers", "ambush", "asked"), [(0, 0, 0), (1, 0, 1), (0, 1, 1)])
def test_one_goes_on_until_somebody_may_fire(steppe, monkeypatch, watchers, ambush, asked):
    s, table, calls = steppe.s, steppe.w.table, []
    tank, foe = steppe.put(T34, 60, 60, "E"), steppe.put(TIGER, 150, 60)
    monkeypatch.setattr(movement, "may_react", lambda s, u: bool(watchers) and u == foe)
    monkeypatch.setattr(movement, "may_ambush", lambda s, side: bool(ambush))
    monkeypatch.setattr(movement, "is_quiet", lambda s: False)
    monkeypatch.setattr(movement, "flatten_wire", lambda s, unit, before: calls.append(before))
    monkeypatch.setattr(movement, "_comes_close", lambda s, c: False)
    monkeypatch.setattr(movement, "_is_watched", lambda s, c, near, hiding: c.step == 2)
    start, east = s.at[tank], table.offsets[4]
    c = Moving(side=0, unit=tank, path=tuple(start + east * n for n in range(1, 5)), facings=(4,) * 4, gone=0)
    movement.go_on(s, c)
    steps = 2 if asked else 4
    assert (c.step, c.window, s.at[tank]) == (steps, asked, start + east * steps)
    assert c.gone == 40 * steps  # sixteenths of a centimetre
    assert s.moved[tank] == -(-c.gone // 16)
    assert calls == [start + east * n for n in range(steps)]


@pytest.mark.rule("base-opportunity-fire", "base-hidden")
def test_what_is_gone_is_rounded_up_and_kept_within_a_byte(steppe, monkeypatch):
    s, table = steppe.s, steppe.w.table
    tank = steppe.put(T34, 60, 60, "E")
    monkeypatch.setattr(movement, "_comes_close", lambda s, c: False)
    monkeypatch.setattr(movement, "may_ambush", lambda s, side: False)
    start, east = s.at[tank], table.offsets[4]
    for before, moved in ((0, 3), (8, 3), (9, 4), (16 * 252, 255), (16 * 254, 255)):
        s.at[tank] = start
        movement.go_on(s, Moving(side=0, unit=tank, path=(start + east,), facings=(4,), gone=before))
        assert s.moved[tank] == moved
    s.at[tank], s.facing[tank], s.turret[tank], s.floor[tank] = start, 2, 5, 1
    movement.go_on(s, Moving(side=0, unit=tank, path=(start + east,), facings=(4,)))
    assert (s.facing[tank], s.turret[tank], s.floor[tank]) == (4, 7, 0)


@pytest.mark.rule("base-opportunity-fire", "221a", "214c", "214h")
def test_who_may_react_by_the_reason(steppe, monkeypatch):
    s = steppe.s
    mover, one, two = steppe.put(T34, 60, 60), steppe.put(TIGER, 90, 60), steppe.put("de-pz6-2", 100, 60)
    could = {OPPORTUNITY: {one}, CLOSE: {two}, RAM: {one, two}}
    monkeypatch.setattr(reaction, "reacts_to", lambda s, u, mover: u in could[OPPORTUNITY])
    monkeypatch.setattr(reaction, "close_reaction", lambda book, s, u, mover: u in could[CLOSE])
    monkeypatch.setattr(reaction, "ram_reaction", lambda book, s, u, mover: u in could[RAM])
    near = {one}
    monkeypatch.setattr(reaction, "within", lambda s, a, b, cm: a in near and cm == 3)

    def reactors(why):
        return reaction.reactors(s, Reaction(side=1, unit=mover, why=why))

    assert [reactors(why) for why in (OPPORTUNITY, CLOSE, RAM)] == [[one], [two], [one]]
    near.add(two)
    assert reactors(RAM) == [one, two]
    s.condition[one] = SHAKEN
    assert [reactors(why) for why in (OPPORTUNITY, RAM)] == [[], [two]]
    s.at[two] = 0
    assert [reactors(why) for why in (CLOSE, RAM)] == [[], []]
    s.condition[one], s.condition[mover] = GOOD, WRECK
    assert [reactors(why) for why in (OPPORTUNITY, CLOSE, RAM)] == [[], [], []]


@pytest.mark.rule("218a", "218b")
def test_218_slow_by_ten_off_the_road_and_by_fifteen_on_it(table):
    made = table("mtsensk41")
    s, w = made.s, made.w
    tank = made.put("su-kv1-1", 60, 60)
    off, road = p2.walking.allowance(s, tank)
    on = next(p for p in w.table.points if w.table.kind[p] == "road")
    beside = next(p for p in w.table.points if w.table.kind[p] not in ("road", "sunken", "street"))

    def breaks(path, moved, *dice):
        s.moved[tank], s.loaded, s.events = moved, dice, []
        found = p2.by_speed(book_of(s), s, Moving(side=0, unit=tank, path=path, step=2))
        s.loaded = ()
        return found, s.events[-1].rule

    for path, limit in (((on, on), road - 15), ((on, beside), off - 10), ((on, on, beside), road - 15)):
        assert breaks(path, limit, 2, 2) == (False, "218a")
        assert breaks(path, limit, 1, 2) == (True, "218a")
        assert breaks(path, limit + 1, 2, 2) == (True, "218b")
        assert breaks(path, limit + 1, 2, 3) == (False, "218b")


@pytest.mark.rule("base-experience-test", "base-damage", "base-morale-formation")
def test_a_test_is_told_to_both_unless_it_hides(steppe, monkeypatch):
    s = steppe.s
    monkeypatch.setattr(losses, "is_broken", lambda s, unit: False)
    tank = steppe.put(T34, 60, 60)
    level = steppe.w.quality[tank]
    least = next(die for die in range(1, 7) if quality.passes(level, die, 0))
    for flags, audience in ((0, None), (HIDDEN, (0,))):
        s.flags[tank] = flags
        for die in (least - 1, least):
            s.loaded, s.events = (die,), []
            assert losses.experience(s, tank, "base-damage") is (die == least)
            assert {e.audience for e in s.events} == {audience}
            assert s.events[-1].kind == ("test-passed" if die == least else "test-failed")
    s.loaded = (least - 1,)
    assert losses.experience(s, tank, "base-damage", 1)
    s.loaded = ()


@pytest.mark.rule("base-soft-vehicle", "base-save", "203c")
def test_small_arms_at_a_truck(table, monkeypatch):
    made = table("arras40")
    s, truck = made.s, made.put("de-opel-1", 60, 20)
    number = quality.QUALITY["save"][made.w.quality[truck]]
    dealt = []
    monkeypatch.setattr(losses, "among_passengers", lambda book, s, unit, hits: dealt.append(hits))

    def after(*dice, condition=GOOD):
        s.condition[truck], s.flags[truck], s.loaded, s.events = condition, 0, dice, []
        s.at[truck] = made.w.table.point_at(240, 80)
        dealt.clear()
        losses.soft_hits(s, truck, len(dice), "base-fire")
        s.loaded = ()
        return s.condition[truck] > SHAKEN, has(s, truck, STOPPED), list(dealt)

    assert after(number) == (False, False, [1])
    assert after(number - 1, 6) == (False, True, [2])
    assert after(number - 1, condition=SHAKEN) == (False, True, [1])
    assert after(1, 6) == (True, False, [2])
    assert after() == (False, False, [])
    assert after(condition=LOST)[2] == []


@pytest.mark.rule("base-demoralised")
def test_the_shaken_do_not_go_nearer_to_whom_they_see(steppe, monkeypatch):
    s, table = steppe.s, steppe.w.table
    men, foe, other = steppe.put("su-smg-1", 60, 60), steppe.put(TIGER, 90, 80), steppe.put(MEN, 60, 20)
    seen = {foe}
    monkeypatch.setattr(movement, "detects", lambda s, a, b: b in seen)
    x, y = (90 - 60) * 4, (80 - 60) * 4
    dx, dy = table.x[s.at[foe]] - table.x[s.at[men]], table.y[s.at[foe]] - table.y[s.at[men]]
    assert abs(dx - x) <= 10 >= abs(dy - y)
    assert movement.feared(s, men) == [(table.x[s.at[foe]], table.y[s.at[foe]], dx * dx + dy * dy)]
    seen.add(other)
    assert len(movement.feared(s, men)) == 2
    seen.discard(other)
    c = Moving(side=0, unit=men)
    assert movement.no_end_at(BOOK, s, c) is None
    s.condition[men] = SHAKEN
    bar = movement.no_end_at(BOOK, s, c)
    east, west = s.at[men] + table.offsets[4] * 4, s.at[men] + table.offsets[12] * 4
    assert bar is not None
    assert bar(east) is not None
    assert bar(west) is bar(s.at[men]) is None


@pytest.mark.rule("302c", "107a", "107bis-a", "base-off-table-limit")
def test_what_goes_with_what_in_a_force():
    mortar = next(iter(forces.OFF_MORTARS))
    support = forces.SUPPORTS[mortar]
    nation, year = support.nations[0], max(support.first, 1944)
    on_table = next(
        name for name, m in forces.MODELS.items() if forces._is_81(name) and getattr(m, "nation", nation) == nation
    )

    def why(name, units=(), book=BOOK, supports=(), nation=nation):
        force = Force(nation, year, 10**6, Counter({(u, 1): 1 for u in units}), Counter(supports))
        return reason(why_not_support(book, force, name))

    assert why(mortar) is None
    assert why(mortar, [on_table]) == forces.MORTARS_THERE.reason
    assert why(mortar, ["rifle"]) is None
    smoke, faust = forces.SUPPORTS["cap_smoke"], forces.SUPPORTS["cap_pf"]
    assert why("cap_smoke", nation=smoke.nations[0]) == forces.PIONEERS_ONLY.reason
    assert why("cap_smoke", ["pioneer"], nation=smoke.nations[0]) is None
    assert why("cap_pf", nation=faust.nations[0]) == forces.NO_FAUSTS.reason
    assert why("cap_pf", ["rifle"], nation=faust.nations[0]) is None
    assert why("cap_pf", ["mmg"], nation=faust.nations[0]) == forces.NO_FAUSTS.reason
    assert why("no-such-thing") == forces.NOT_SOLD.reason
