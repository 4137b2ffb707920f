"""Small conditions that no other test asks for by themselves: houses, mortars' smoke, strays, passengers, set-up."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import MOVE, Acting, Moving
from grognard.games.blitzkrieg.rules import acting, houses, movement, shelling, smoke, snipers, walking, works
from grognard.games.blitzkrieg.rules.fire import open_fire
from grognard.games.blitzkrieg.rules.ground import smoke_between
from grognard.games.blitzkrieg.rules.losses import among_passengers
from grognard.games.blitzkrieg.rules.riding import set_on
from grognard.games.blitzkrieg.setup import Place
from grognard.games.blitzkrieg.state import CONTINUOUS, GOOD, HIDDEN, JAMMED, LOST, SHAKEN, has
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import UNIT_IDS

from .edges import reason


@pytest.mark.rule("base-building")
def test_a_unit_does_not_crowd_its_own_house(table):
    made = table("stalingrad42")
    s, w = made.s, made.w
    home = next(p for p in w.table.points if houses.lodging(w, p) >= 0 and w.table.kind[p] == "building")
    most = int(houses.HOUSE["section"])
    men = [made.put(f"su-rifle-{n + 1}", 10, 10) for n in range(most + 1)]
    for unit in men[:most]:
        s.at[unit] = home
    assert houses.full(s, men[most], men[:most]) == {houses.lodging(w, home)}
    assert houses.full(s, men[0], men[:most]) == set()


@pytest.mark.rule("108d", "108f", "base-smoke")
def test_108_a_smoke_bomb_lays_a_cloud_and_hurts_nobody(table):
    made = table("lesson2")
    s, men = made.s, made.put("de-rifle-1", 66, 92)
    s.loaded, s.events = (6, 6, 6), []
    shelling.mortar_fire(s, made.put("uk-ml3-1", 60, 117), men, smoke=True)
    s.loaded = ()
    assert "shelled" not in made.kinds()
    assert len(s.smoke) == 1


@pytest.mark.rule("108h", "108d")
@pytest.mark.parametrize(("die", "jams"), [(1, True), (2, False)])
def test_108_a_one_jams_a_mortar(table, die, jams):
    made = table("lesson2")
    s, mortar, men = made.s, made.put("uk-ml3-1", 60, 117), made.put("de-rifle-1", 66, 92)
    s.loaded = (1, 1, 1, die)
    shelling.mortar_fire(s, mortar, men)
    s.loaded = ()
    assert has(s, mortar, JAMMED) is jams
    assert smoke.SIDE_CM == 5


@pytest.mark.rule("base-random-direction", "408b")
def test_a_stray_goes_clockwise_from_the_top_as_far_as_it_is_told(table):
    made = table("lesson2")
    s, w = made.s, made.w.table
    start, found = w.point_at(360, 240), []
    for die in range(1, 7):
        s.loaded = (die,)
        p = shelling.strayed(s, start, 20)
        found.append((w.x[p] - w.x[start], w.y[p] - w.y[start]))
    s.loaded = ()
    assert all(abs((dx * dx + dy * dy) ** 0.5 - 80) <= 12 for dx, dy in found)
    assert found[0][1] < 0 == found[0][0]  # straight up
    assert found[1][0] > 0 > found[1][1]
    assert found[3][1] > 0 == found[3][0]  # straight down
    assert found[4][0] < 0 < found[4][1]


@pytest.mark.rule("307a", "307b")
def test_307_a_soft_vehicle_under_shells_is_lost_by_one_hit(table):
    for dice, lost in (((4, 4, 4), False), ((4, 4, 5), True)):
        made = table("arras40")
        truck = made.put("de-opel-1", 60, 20)
        made.s.loaded = dice
        shelling.shell(made.s, truck, 3, 1, 1, made.s.at[truck], "417d")
        made.s.loaded = ()
        assert (made.s.condition[truck] > SHAKEN) is lost


@pytest.mark.rule("203c")
def test_203c_hits_are_dealt_to_passengers_in_turn(table):
    made = table("arras40")
    s, truck = made.s, made.put("de-opel-1", 60, 20)
    men = [made.put(name, 60, 20) for name in ("de-rifle-1", "de-rifle-2")]
    for unit in men:
        set_on(s, unit, truck)
    for hits, dealt in ((0, []), (1, [1]), (3, [2, 1])):
        s.events, s.loaded = [], (6,) * hits
        among_passengers(book_of(s), s, truck, hits)
        s.loaded = ()
        assert [len(e.data["dice"]) for e in s.events if e.kind == "saves"] == dealt


@pytest.mark.rule("base-smoke")
def test_a_line_meets_the_clouds_that_lie_across_it(steppe):
    s, w = steppe.s, steppe.w.table
    a, b = w.point_at(400, 240), w.point_at(640, 240)
    y = w.y[a]
    boxes = [
        (500, y - 10, 20, 20),
        (500, y + 1, 20, 20),
        (500, y - 21, 20, 20),
        (w.x[b] + 1, y - 5, 20, 20),
        (w.x[a] - 10, y - 5, 20, 20),
    ]
    found = []
    for box in boxes:
        s.smoke = ((*box, 9),)
        found.append((smoke_between(s, a, b), smoke_between(s, b, a)))
    assert found == [(True, True), (False, False), (False, False), (False, False), (True, True)]
    s.smoke = ()
    assert not smoke_between(s, a, b)


@pytest.mark.rule("base-sniper")
def test_only_snipers_snipe(table):
    made = table("stalingrad42")
    men, foe = made.put("de-rifle-1", 60, 60, flags=HIDDEN), made.put("su-rifle-1", 60, 80)
    assert reason(snipers.why_no_snipe(made.s, men, foe, False)) == "not-a-sniper"
    assert reason(snipers.why_no_snipe(made.s, made.put("de-sniper-1", 60, 60), foe, False)) == "sniper-spotted"


@pytest.mark.rule("base-vehicle-move", "base-infantry-move")
def test_who_stays_has_stopped(steppe):
    s, to = steppe.s, movement.To()
    c = Moving(side=0, unit=steppe.put("su-t34-43-1", 180, 60, "W"), mode=MOVE)
    assert to.needed(s, c, 0)
    assert to.why_not(s, c, 0, "stay", 0) is None
    assert reason(to.why_not(s, c, 0, "exit", 0)) == "no-exit"
    to.apply(s, c, 0, "stay", 0)
    assert (c.stopped, to.needed(s, c, 0)) == (1, False)


@pytest.mark.rule("base-vehicle-move", "base-building")
def test_a_vehicle_goes_through_no_enemy_and_no_enemy_tank(steppe):
    s = steppe.s
    tank, foe = steppe.put("su-t34-43-1", 180, 60, "W"), steppe.put("de-pz4h-1", 170, 60, "E")
    walls, _ = walking.obstacles(s, tank)
    assert s.at[foe] in walls
    s.flags[foe] |= HIDDEN
    assert walking.obstacles(s, tank)[0] == set()
    men = steppe.put("su-smg-1", 175, 60)
    assert walking.obstacles(s, tank)[0] == set()  # own men make way
    assert s.at[men]


@pytest.mark.rule("base-barricade", "502c", "502a")
def test_only_a_work_of_the_kind_that_stands_is_in_contact(table):
    made = table("stalingrad42")
    s, work = made.s, made.w.works[0]
    men = made.put("de-rifle-1", 10, 10)
    s.at[men] = made.w.table.point_at(work.box.x + work.box.wide // 2, work.box.y - 8)
    assert [found.number for found in walking.in_contact(s, men, (work.kind,))] == [work.number]
    assert walking.in_contact(s, men, ("wire",)) == []
    s.built[work.number] = 0
    assert walking.in_contact(s, men, (work.kind,)) == []
    s.built[work.number] = 2
    assert reason(works.why_no_dismantling(s, Acting(side=1, unit=men))) == "barricade-tested"
    pioneer = made.put("de-pioneer-1", 10, 10)
    s.at[pioneer], s.at[men] = s.at[men], 0
    assert works.why_no_dismantling(s, Acting(side=1, unit=pioneer)) is None


@pytest.mark.rule("213")
def test_213_only_who_keeps_moving_begins_straight_on(steppe):
    s = steppe.s
    c = Moving(side=0, unit=steppe.put("su-t34-43-1", 180, 60, "W"), mode=MOVE)
    behind = steppe.w.table.point_at(190 * 4, 240)
    assert behind in movement.To().legal_nouns(s, c, 0, "to")
    s.flags[c.unit] |= CONTINUOUS
    legal = movement.To().legal_nouns(s, c, 0, "to")
    assert behind not in legal
    assert steppe.w.table.point_at(168 * 4, 240) in legal


@pytest.mark.rule("base-fire-combine", "base-hidden")
def test_whoever_fires_is_seen_and_its_hits_count(steppe):
    s = steppe.s
    men, foe = steppe.put("de-pzgren-1", 150, 60, flags=HIDDEN), steppe.put("su-smg-1", 160, 60)
    gun, tank = steppe.put("de-pak40-1", 150, 90, "E", flags=HIDDEN), steppe.put("su-t70-1", 170, 90, "E")
    s.loaded = (6, 6, 6, 1, 1, 1)
    open_fire(s, men, foe, acting.DICE, False)
    s.loaded = (6, 6, 6, 6, 6)
    open_fire(s, gun, tank, acting.GUN, False)
    s.loaded = ()
    assert not has(s, men, HIDDEN)
    assert not has(s, gun, HIDDEN)
    assert s.condition[foe] != GOOD
    assert s.condition[tank] >= LOST


@pytest.mark.rule("base-deployment")
def test_nobody_is_set_up_where_it_could_not_go(table):
    made = table("stonne40")
    s, place = made.s, Place()
    tank = UNIT_IDS["fr-b1bis-1"]
    made.put("fr-b1bis-1", 60, 110)
    c = s.frames[0]
    c.unit, c.ready = tank, 0
    legal = set(place.legal_nouns(s, c, 0, "at"))
    zone = made.w.zones["french"].points if "french" in made.w.zones else made.w.zones[made.w.formations[0].zone].points
    assert legal == {p for p in zone if place.why_not(s, c, 0, "at", p) is None}
    outside = next(p for p in made.w.table.points if p not in set(zone))
    assert place.why_not(s, c, 0, "at", outside) is not None
