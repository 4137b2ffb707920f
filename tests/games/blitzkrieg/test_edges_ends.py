"""What moves and what is left, at the edges: allowances, what is in the way, works, wrecks, points and the end."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg.forces import (
    GUNS_OFF_TABLE,
    NOT_YET,
    ONE_BATTERY,
    SUPPORTS,
    TOO_DEAR,
    Force,
    why_not_support,
)
from grognard.games.blitzkrieg.frames import Acting, Moving
from grognard.games.blitzkrieg.loading import GUNS
from grognard.games.blitzkrieg.proposals import p2
from grognard.games.blitzkrieg.rules import victory, walking, works
from grognard.games.blitzkrieg.rules.ground import gap
from grognard.games.blitzkrieg.state import (
    BOGGED,
    CONTINUOUS,
    FIRED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    LEADERLESS,
    LOST,
    SHAKEN,
    STUCK,
    SUPPRESSED,
    WRECK,
)
from grognard.games.blitzkrieg.switches import book_of

from .edges import BOOK, NONE, reason

T34, TIGER = "su-t34-43-1", "de-pz6-1"


@pytest.mark.rule("base-gun-move", "402a", "402b")
def test_402_off_which_guns_men_move():
    by_kind = {
        "infantry-gun": next(g for g in GUNS.values() if g.category == "infantry-gun"),
        "small": next(g for g in GUNS.values() if g.category == "at" and g.weapon.calibre <= 800 and g.hand),
        "large": next(g for g in GUNS.values() if g.category == "at" and g.weapon.calibre > 800),
        "other": next(g for g in GUNS.values() if g.category not in ("at", "infantry-gun") and g.weapon.calibre > 800),
    }
    found = {name: walking.gun_moves(NONE, gun) for name, gun in by_kind.items()}
    small, other = by_kind["small"], by_kind["other"]
    assert found == {
        "infantry-gun": (0, 0),
        "small": (small.hand, small.hand_road),
        "large": (0, 0),
        "other": (other.hand, other.hand_road),
    }
    assert small.hand > 0


@pytest.mark.rule("base-vehicle-move", "403e", "109")
def test_how_far_one_goes(steppe, table, monkeypatch):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)
    model = walking.MODEL_OF[tank]
    assert walking.allowance(s, tank) == (model.off - steppe.w.snow, model.road)
    monkeypatch.setattr(walking, "tow_slows", lambda book: 7)
    assert walking.allowance(s, tank) == (model.off - steppe.w.snow, model.road)  # it tows nothing
    monkeypatch.setattr(walking, "towed", lambda s, unit: 0)
    arras = table("arras40")
    truck = arras.put("de-opel-1", 60, 20)
    model = walking.MODEL_OF[truck]
    assert walking.allowance(arras.s, truck) == (model.off - 7, model.road - 7)
    monkeypatch.setattr(walking, "tow_slows", lambda book: 1000)
    assert walking.allowance(arras.s, truck) == (5, 5)
    monkeypatch.setattr(walking, "mortar_move", lambda book, gun: 13)
    mortar = table("stonne40")
    assert walking.allowance(mortar.s, mortar.unit("fr-b60-1")) == (13, 13)


@pytest.mark.rule("base-building", "base-vehicle-move", "204a")
def test_who_is_in_the_way_of_whom(table, monkeypatch):
    made = table("prokhorovka43")
    s = made.s
    tank, friend, foe = made.put(T34, 60, 60), made.put("su-t34-43-2", 80, 60), made.put(TIGER, 100, 60)
    men, mine = made.put("de-pzgren-1", 100, 90), made.put("su-smg-1", 80, 90)
    monkeypatch.setattr(walking, "bypass", lambda book, s, unit, other: 3)

    def walls(unit=tank):
        found, passing = walking.obstacles(s, unit)
        return {name for name, u in names.items() if s.at[u] in found}, {
            name for name, u in names.items() if s.at[u] in passing
        }

    names = {"friend": friend, "foe": foe, "men": men, "mine": mine}
    assert walls() == ({"foe", "men"}, {"friend"})  # men of one's own are no obstacle
    s.condition[foe] = WRECK
    assert walls() == ({"men"}, {"friend", "foe"})
    assert walls(mine) == ({"men"}, set())  # men go past wrecks and vehicles
    s.condition[foe] = SHAKEN
    assert walls() == ({"foe", "men"}, {"friend"})
    assert walls(mine) == ({"foe", "men"}, set())
    s.flags[men] = HIDDEN
    assert walls() == ({"foe"}, {"friend"})
    s.flags[men] = 0
    s.flags[friend] = HIDDEN  # one's own are known
    assert walls() == ({"foe", "men"}, {"friend"})
    s.condition[men] = LOST
    assert walls()[0] == {"foe"}
    monkeypatch.setattr(walking, "bypass", lambda book, s, unit, other: 0)
    assert walls() == ({"foe"}, {"friend"})
    monkeypatch.setattr(walking, "bypass", lambda book, s, unit, other: -1)
    assert walls() == ({"foe", "friend"}, set())
    s.at[friend] = s.at[tank]
    assert s.at[tank] not in walking.obstacles(s, tank)[0]


@pytest.mark.rule("base-barricade", "502c")
def test_a_centimetre_is_contact_with_a_work(table):
    made = table("stalingrad42")
    s, w = made.s, made.w
    work = next(work for work in w.works if work.kind == "barricade")
    men = made.put("de-rifle-1", 60, 30)
    box, reach, found = work.box, 6 + 4, []  # half the base of a stand, and a centimetre
    for p in w.table.points:
        s.at[men] = p
        x, y = w.table.x[p], w.table.y[p]
        if box.y <= y <= box.y + box.deep and abs(x - box.x) <= 60:  # straight beside it
            assert bool(walking.in_contact(s, men, ("barricade",))) is (abs(x - box.x) <= reach)
            found.append(abs(x - box.x) <= reach)
    assert True in found
    assert False in found
    s.at[men] = min(w.table.points, key=lambda p: abs(w.table.x[p] - box.x) + abs(w.table.y[p] - box.y))
    assert walking.in_contact(s, men, ("barricade",)) == [work]
    assert walking.in_contact(s, men, ("wire",)) == []
    s.built[work.number] = 2
    assert walking.in_contact(s, men, ("barricade", "wire")) == [work]
    s.built[work.number] = 0
    assert walking.in_contact(s, men, ("barricade",)) == []


@pytest.mark.rule("205d", "205e", "205f")
def test_205_what_is_cleared_by_whom_at_the_edges(table):
    made = table("prokhorovka43", p205="on")
    s = made.s
    tank, dead, men = made.put(T34, 60, 60), made.put("su-t34-43-2", 63, 60), made.put("su-smg-1", 63, 60)
    s.condition[dead] = WRECK

    def why(unit=tank, wreck=dead, **facts):
        return reason(works.why_no_clearing(s, Acting(**{"side": 0, "unit": unit} | facts), wreck))

    assert gap(s, tank, dead) <= works.WORKS["contact"] * 4
    assert why() is None  # as large as itself
    assert why(men) == works.NOT_THIS_WRECK.reason
    assert why(has_moved=1) == why(shot=1) == works.WRECKS_TAKE_A_TURN.reason
    for flag in (FIRED, STUCK, BOGGED):
        s.flags[tank] = flag
        assert why() == works.WRECKS_TAKE_A_TURN.reason
    s.flags[tank] = SUPPRESSED
    assert why() == works.NOT_STEADY.reason
    s.flags[tank], s.condition[tank] = 0, SHAKEN
    assert why() == works.NOT_STEADY.reason
    s.condition[tank] = s.condition[dead] = GOOD
    assert why() == works.NO_WRECK.reason
    tiger = made.put(TIGER, 63, 60)
    s.condition[tiger] = WRECK
    assert why(wreck=tiger) == works.WRECK_TOO_LARGE.reason
    s.at[tiger] = made.w.table.point_at(90 * 4, 60 * 4)
    assert why(wreck=tiger) == works.NO_WRECK.reason
    assert works.wrecks(s) == [tiger]
    acting = Acting(side=0, unit=tank)
    works.clear_wreck(s, acting, tiger)
    assert (acting.over, s.condition[tiger], s.at[tiger], works.wrecks(s)) == (1, LOST, 0, [])


@pytest.mark.rule("base-fortification-cover")
def test_who_fires_at_a_bunker_counts_as_moving_when_it_goes_on(steppe, monkeypatch):
    s = steppe.s
    tank, men = steppe.put(T34, 60, 60, "E"), steppe.put("de-pzgren-1", 90, 60, flags=IN_BUNKER)
    asked = []
    monkeypatch.setattr(works, "why_not_fire", lambda s, unit, target, arm, moving: asked.append(moving))
    for moved, flags in ((0, 0), (1, 0), (0, CONTINUOUS)):
        s.flags[tank] = flags
        assert works.why_no_demolition(s, Acting(side=0, unit=tank, has_moved=moved), men) is None
    assert asked == [False, True, True]
    kept = works.make_shot
    seen = []
    monkeypatch.setattr(works, "make_shot", lambda *args: seen.append(args[4]) or kept(*args))
    for moved, flags in ((0, 0), (1, 0), (0, CONTINUOUS)):
        s.flags[tank], s.loaded = flags, (1, 1)
        works.demolish(s, Acting(side=0, unit=tank, has_moved=moved), men)
        s.loaded = ()
    assert seen == [False, True, True]
    fired = 1 << works.GUN
    assert reason(works.why_no_demolition(s, Acting(unit=tank, shot=fired), men)) == works.WEAPON_USED.reason
    s.flags[men] = 0
    assert reason(works.why_no_demolition(s, Acting(unit=tank), men)) == works.NO_BUNKER.reason


@pytest.mark.rule("base-barricade")
@pytest.mark.parametrize(("who", "kind", "left"), [(T34, "wire", 0), (T34, "barricade", 1), ("su-smg-1", "wire", 1)])
def test_tracks_flatten_the_wire_that_they_cross(steppe, monkeypatch, who, kind, left):
    table, unit = steppe.w.table, steppe.put(who, 60, 60)
    ditch = next(key for key, found in table.crossed.items() if len(found) == 1)
    before, facing = ditch >> 4, ditch & 15
    feature = table.crossed[ditch][0]

    def work(number, feature):
        return SimpleNamespace(number=number, name=f"work-{number}", kind=kind, feature=feature)

    here, elsewhere = work(0, feature), work(1, feature + 1000)
    monkeypatch.setattr(works, "world", lambda s: SimpleNamespace(works=(here, elsewhere), table=table))
    monkeypatch.setattr(works, "emit", lambda *args, **facts: None)
    built = [1, 1]
    position = SimpleNamespace(built=built, at={unit: before + table.offsets[facing]})
    monkeypatch.setattr(works, "FOG", SimpleNamespace(veil=lambda s, u: u))
    works.flatten_wire(position, unit, before)
    assert built == [left, 1]


@pytest.mark.rule("219b", "219a")
def test_219b_a_vehicle_without_radio_alone_is_cut_off(table):
    made = table("mtsensk41", p219="on")
    s, book = made.s, book_of(made.s)
    one, two = "su-t34-41-1", "su-t34-41-2"
    tank, mate = made.put(one, 60, 60), made.put(two, 70, 60)
    assert made.w.formation_of[tank] == made.w.formation_of[mate]
    assert not p2.cut_off(book, s, Acting(side=0, unit=tank))
    s.at[mate] = made.w.table.point_at(140 * 4, 60 * 4)
    assert p2.cut_off(book, s, Acting(side=0, unit=tank))
    german = next(u for u in made.w.of_side[1] if p2.IS_VEHICLE[u])
    s.at[german], s.condition[german] = made.w.table.point_at(100 * 4, 30 * 4), GOOD
    assert not p2.cut_off(book, s, Acting(side=1, unit=german))
    c = Moving(side=0, unit=tank)
    assert p2.closes_up(book, s, c) is not None
    s.at[mate] = made.w.table.point_at(70 * 4, 60 * 4)
    assert p2.closes_up(book, s, c) is None


@pytest.mark.rule("base-points", "base-off-table-limit", "302c", "305")
def test_the_last_point_may_be_spent_and_none_beyond():
    """A Soviet or German battery of 81 mm or more, a force with nothing else in it."""
    for name in (n for n, support in SUPPORTS.items() if support.level in GUNS_OFF_TABLE):
        support = SUPPORTS[name]
        nation, year = support.nations[0], max(support.first, 1944)
        found = []
        for points in (support.points, support.points - 1):
            found.append(reason(why_not_support(BOOK, Force(nation, year, points), name)))
        assert found == [None, TOO_DEAR.reason]
        second = Force(nation, year, 10**6, supports=Counter({name: 1}))
        assert (reason(why_not_support(BOOK, second, name)) is None) is (nation == "US")
        assert reason(why_not_support(NONE, second, name)) == ONE_BATTERY.reason
        early = Force(nation, support.first - 1, 10**6)
        assert reason(why_not_support(BOOK, early, name)) == NOT_YET.reason


# Points and the end


@pytest.mark.rule("base-victory-points", "216b")
def test_what_a_score_is_made_of(steppe):
    s = steppe.s
    base = victory.score_of(s, 0)
    foe, men = steppe.put(TIGER, 100, 60), steppe.put("de-pzgren-1", 100, 90)
    damaged = int(victory.POINTS["damaged"])
    for flags, condition, unit, more in (
        (0, GOOD, foe, 0),
        (STUCK, GOOD, foe, damaged),
        (LEADERLESS, GOOD, foe, damaged),
        (STUCK | LEADERLESS, SHAKEN, foe, damaged),
        (STUCK, LOST, foe, 0),
        (STUCK, WRECK, foe, 0),
        (STUCK, GOOD, men, 0),
    ):
        s.flags[foe] = s.flags[men] = 0
        s.condition[foe] = s.condition[men] = GOOD
        s.flags[unit], s.condition[unit] = flags, condition
        assert victory.score_of(s, 0) - base == more
        assert victory.score_of(s, 1) - s.points[1] == victory.objective_points(s, 1)
    s.points[0] += 4
    assert victory.score_of(s, 0) - base == 4


@pytest.mark.rule("base-victory-points")
def test_an_objective_is_held_by_who_was_last_alone_in_it(steppe):
    s, w = steppe.s, steppe.w
    point = w.objectives[0].points[0]
    ours, theirs = steppe.unit("su-smg-1"), steppe.unit("de-pzgren-1")
    before = s.holder[0]

    def held(*there, condition=GOOD):
        for unit in (ours, theirs):
            s.at[unit], s.condition[unit] = (point if unit in there else 0), condition
        victory.hold_objectives(s, s.frames[0])
        return s.holder[0]

    assert held() == before
    assert held(ours) == 0
    assert held(ours, theirs) == 0
    assert held(theirs, condition=SHAKEN) == 0
    assert held(theirs) == 1
    assert held() == 1
    assert victory.present(s, w, 0) == set()


@pytest.mark.rule("base-game-end")
def test_more_than_half_breaks_and_half_does_not(steppe, monkeypatch):
    s = steppe.s
    for strength, lost, broken in ((10, 5, False), (10, 6, True), (11, 5, False), (11, 6, True)):
        monkeypatch.setattr(steppe.w, "strength", [strength, 30])
        s.lost[0] = lost
        assert victory.is_broken(s, 0) is broken
        assert not victory.is_broken(s, 1)


@pytest.mark.rule("base-game-end")
def test_who_wins_by_the_margin(steppe, monkeypatch):
    s, w, told, points = steppe.s, steppe.w, [], {}
    attacker, defender, margin = w.attacker, 1 - w.attacker, w.margin
    monkeypatch.setattr(victory, "score_of", lambda s, side: points[side])
    monkeypatch.setattr(victory, "finish", lambda s, side, how, rule: told.append((side, how)))
    for least in (0, 60):
        monkeypatch.setattr(w, "least", least)
        for mine, theirs in ((50, 50), (49 + margin, 50), (50 + margin, 50), (50, 49 + margin), (50, 50 + margin)):
            points.update({attacker: mine, defender: theirs})
            victory.finish_game(s)
    assert margin < 10
    draw, won, held = (None, "draw"), (attacker, "victory"), (defender, "victory")
    assert told == [draw, draw, won, draw, held, draw, draw, draw, draw, held]
    points.update({attacker: 60, defender: 60 - margin})
    victory.finish_game(s)
    assert told[-1] == won  # just as much as it must have


@pytest.mark.rule("base-game-end")
def test_when_a_turn_ends_the_game(steppe, monkeypatch):
    s, w = steppe.s, steppe.w
    steppe.put(T34, 60, 60), steppe.put(TIGER, 100, 60)
    ended = []
    monkeypatch.setattr(victory, "finish_game", lambda s: ended.append(s.turn))
    for turn, lost, over in ((1, 0, False), (w.turns - 1, 0, False), (w.turns, 0, True), (1, w.strength[0], True)):
        ended.clear()
        s.turn, s.lost[0] = turn, lost
        points = s.points[1]
        victory.end_turn(s, s.frames[0])
        assert bool(ended) is over
        assert s.points[1] - points == (int(victory.POINTS["broken"]) if lost else 0)
    ended.clear()
    s.turn, s.lost[0] = 1, 0
    s.condition[steppe.unit(TIGER)] = LOST
    victory.end_turn(s, s.frames[0])
    assert ended  # nobody is left on one side
