"""Barricades, wire, obstacles, bunkers, wrecks in the way, crews on foot."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Acting, Moving
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws.parties import BUNKER, HEAVY, OPEN
from grognard.games.blitzkrieg.rules import losses, movement, works
from grognard.games.blitzkrieg.rules.ground import cover_from, line_cover, works_gone
from grognard.games.blitzkrieg.rules.walking import budget_of, steps_of, walk_reach
from grognard.games.blitzkrieg.state import GOOD, IN_BUNKER, LOST, SHAKEN, STUCK, WRECK, has
from grognard.games.blitzkrieg.world import DOCUMENTS, IS_CREW, World
from grognard.kernel import DataError
from grognard.tabletop.paths import FORBIDDEN, PER_CM

STUG, PIONEERS, RIFLES = "de-stug3g-1", "de-pioneer-1", "de-rifle-1"
Y = 30  # the northern street; its barricade stands at 60 cm


@pytest.fixture
def street(table):
    """The northern street of Stalingrad with its barricade, and a commander near."""
    made = table("stalingrad42")
    made.put("de-command-1", 54, 34)
    return made


def _world(kind: str) -> World:
    """Mtsensk with one work of a kind in the open."""
    works_of = [{"name": "the-work", "kind": kind, "path": [[50, 100], [50, 110]]}]
    return World("mtsensk41", {**DOCUMENTS["mtsensk41"], "works": works_of})


def _price(w: World, drive: str, opened: frozenset[int] = frozenset()) -> int:
    """What a step east over the work costs, less the same step in the open, in centimetres; -1 if it is forbidden."""
    table = w.table
    near = table.point_at(4 * 49, 4 * 105)
    steps = w.steps(drive, 40, 60, False, False, opened)
    step = steps.cost(near, 4)
    return -1 if step == FORBIDDEN else (step - steps.cost(table.point_at(4 * 40, 4 * 105), 4)) // PER_CM


@pytest.mark.rule("base-barricade")
@pytest.mark.parametrize(
    ("kind", "foot", "tracked", "half", "wheeled"),
    [("barricade", 10, -1, -1, -1), ("wire", -1, 0, -1, -1), ("obstacle", 0, -1, -1, -1)],
)
def test_what_a_work_does_to_who_crosses_it(kind, foot, tracked, half, wheeled):
    w = _world(kind)
    assert [_price(w, drive) for drive in ("foot", "tracked", "half", "wheeled")] == [foot, tracked, half, wheeled]
    assert _price(w, "wheeled", frozenset({w.works[0].feature})) == 0


@pytest.mark.rule("base-barricade")
def test_a_barricade_stops_vehicles_on_the_road_and_is_heavy_cover(street):
    unit = street.put(STUG, 50, Y, "E")
    found = walk_reach(street.s, unit, budget_of(street.s, unit))
    table = street.w.table
    beyond = table.point_at(4 * 66, 4 * Y)
    assert beyond not in found or found[beyond] >> 4 > 20 * PER_CM  # only the long way round
    men = street.put(RIFLES, 58, Y)
    origin = table.point_at(4 * 80, 4 * Y)
    assert cover_from(street.s, men, origin) >= HEAVY
    street.s.built[0] = 0
    assert line_cover(street.w, origin, street.s.at[men], works_gone(street.s)) == OPEN
    assert found != walk_reach(street.s, unit, budget_of(street.s, unit))


@pytest.mark.rule("502a", "502b")
@pytest.mark.parametrize(("who", "die", "left"), [(RIFLES, 6, 0), (RIFLES, 1, 2), (PIONEERS, None, 0)])
def test_502_infantry_takes_a_barricade_down_after_a_test_pioneers_without(street, who, die, left):
    street.put(who, 58, Y)
    street.act(1, "pioneers" if who == PIONEERS else "assault-groups", who)
    street.do("dismantle", "", *([die] if die else []))
    assert street.s.built[0] == left
    assert has(street.s, street.unit(who), 1)


@pytest.mark.rule("502a")
def test_502a_one_test_a_barricade_and_a_whole_turn(street):
    street.put(RIFLES, 58, Y)
    street.put("de-rifle-2", 30, Y)
    street.act(1, "assault-groups", RIFLES)
    c = street.s.frames[-1]
    c.has_moved = 1
    assert street.why("dismantle").reason == "takes-a-turn"
    c.has_moved = 0
    street.s.built[0] = 2
    assert street.why("dismantle").reason == "barricade-tested"
    street.do("hold")
    street.do("unit", "de-rifle-2")
    assert street.why("dismantle").reason == "no-barricade-here"


@pytest.mark.rule("502a")
def test_502_off_a_barricade_comes_down_after_a_turn(table):
    made = table("stalingrad42", p502="off")
    made.put("de-command-1", 54, 34)
    made.put(RIFLES, 58, Y)
    made.act(1, "assault-groups", RIFLES)
    made.do("dismantle")
    assert made.s.built[0] == 0


@pytest.mark.rule("502c")
@pytest.mark.parametrize(("choice", "may"), [("on", True), ("off", False)])
def test_502c_a_tank_in_contact_climbs_at_half_its_move(table, choice, may):
    made = table("stalingrad42", p502=choice)
    unit = made.put(STUG, 56.25, Y, "E")
    made.act(1, "assault-gun", STUG)
    assert (made.rule("climb") is None) == may
    if not may:
        assert made.rule("climb") == "502c"
        return
    made.do("climb")
    beyond = made.point(66, Y)
    assert beyond in made.can("to")
    made.do("to", beyond, 1, 6)  # bogs on 1, the crew stays
    assert made.s.built[0] == 1
    assert has(made.s, unit, STUCK)


@pytest.mark.rule("502c")
def test_502c_who_is_not_in_contact_does_not_climb(street):
    street.put(STUG, 40, Y, "E")
    street.act(1, "assault-gun", STUG)
    assert street.why("climb").reason == "no-climb"


@pytest.mark.rule("base-barricade")
def test_wire_stops_men_until_they_begin_in_contact_and_tracks_flatten_it(table, monkeypatch):
    made = table("mtsensk41")
    w = _world("wire")
    for module in (works, movement):
        monkeypatch.setattr(module, "world", lambda s: w)
    import grognard.games.blitzkrieg.rules.ground as ground
    import grognard.games.blitzkrieg.rules.walking as walking

    monkeypatch.setattr(walking, "world", lambda s: w)
    monkeypatch.setattr(ground, "world", lambda s: w)
    s = made.s
    s.built = bytearray([1])
    men = made.put("de-pzgren-1", 40, 105)
    beyond = w.table.point_at(4 * 53, 4 * 105)
    step = w.table.point_at(4 * 49, 4 * 105), 4
    assert steps_of(s, men).cost(*step) == FORBIDDEN
    made.put("de-pzgren-1", 48, 105)
    assert steps_of(s, men).cost(*step) != FORBIDDEN
    tank = made.put("de-pz3h-1", 53, 105, "E")
    assert s.at[tank] == beyond
    s.events = []
    before = s.at[tank] - 1
    s.at[tank] = w.table.point_at(4 * 51, 4 * 105)
    before = w.table.point_at(4 * 49, 4 * 105)
    works.flatten_wire(s, tank, before)
    assert list(s.built) == [0]


@pytest.mark.rule("503")
@pytest.mark.parametrize(("choice", "built"), [("on", 0), ("off", 1)])
def test_503_no_anti_tank_obstacle_on_a_road(table, monkeypatch, choice, built):
    made = table("mtsensk41", p503=choice)
    road = next(e for e in made.w.table.document["road"])
    x, y = road["path"][0][0] + 20, road["path"][0][1]
    near = {"name": "on-the-road", "kind": "obstacle", "path": [[x, y - 5], [x, y + 5]]}
    far = {"name": "in-the-field", "kind": "obstacle", "path": [[50, 100], [50, 110]]}
    w = World("mtsensk41", {**DOCUMENTS["mtsensk41"], "works": [near, far]})
    assert [work.on_road for work in w.works] == [True, False]
    monkeypatch.setattr(works, "world", lambda s: w)
    made.s.built, made.s.events = bytearray([1, 1]), []
    works.put_up(made.s, made.s.frames[0])
    assert list(made.s.built) == [built, 1]


def test_a_work_of_the_wrong_length_or_kind_is_refused():
    for bad in (
        {"kind": "barricade", "path": [[50, 100], [50, 105]]},
        {"kind": "moat", "path": [[50, 100], [50, 110]]},
    ):
        with pytest.raises((DataError, KeyError)):
            World("mtsensk41", {**DOCUMENTS["mtsensk41"], "works": [{"name": "x", **bad}]})


# Wrecks


@pytest.fixture
def wrecks(table):
    """A lorry and a tank that burnt out side by side south of the sunken road."""
    made = table("arras40")
    made.put("de-opel-1", 60, 10, "E", condition=WRECK)
    made.put("de-pz38tc-1", 60, 20, "E", condition=WRECK)
    return made


@pytest.mark.rule("205d")
def test_205d_men_move_a_wheeled_wreck_and_no_armour(wrecks):
    wrecks.put("uk-rifle-1", 60, 15)
    wrecks.put("uk-command-1", 66, 15)
    wrecks.act(0, "company", "uk-rifle-1")
    assert wrecks.rule("clear", "de-opel-1") is None
    assert wrecks.why("clear", "de-pz38tc-1").reason == "not-this-wreck"
    wrecks.do("clear", "de-opel-1")
    assert wrecks.s.condition[wrecks.unit("de-opel-1")] == LOST
    assert wrecks.s.at[wrecks.unit("de-opel-1")] == 0
    assert wrecks.s.lost[1] == 0  # counted when it burnt, not now


@pytest.mark.rule("205e", "205f")
def test_205e_armour_moves_an_armoured_wreck_no_larger_than_itself(wrecks):
    tank = wrecks.put("uk-mat2-1", 60, 25, "E")
    wrecks.act(0, "matildas", "uk-mat2-1")
    c = wrecks.s.frames[-1]
    assert wrecks.rule("clear", "de-pz38tc-1") is None
    wrecks.put("uk-bren-1", 60, 25, "E")
    small = Acting(side=0, unit=wrecks.unit("uk-bren-1"))
    assert works.why_no_clearing(wrecks.s, small, wrecks.unit("de-pz38tc-1")).reason == "wreck-too-large"
    c.has_moved = 1
    assert wrecks.why("clear", "de-pz38tc-1").reason == "takes-a-turn"
    c.has_moved = 0
    wrecks.do("clear", "de-pz38tc-1")
    assert wrecks.is_lost("de-pz38tc-1")
    assert wrecks.s.condition[tank] == GOOD
    assert not works.wrecks(wrecks.s)[1:]


@pytest.mark.rule("205e")
def test_205_off_there_is_nothing_to_clear(table):
    made = table("arras40", p205="off")
    made.put("de-pz38tc-1", 60, 20, "E", condition=WRECK)
    made.put("uk-mat2-1", 60, 25, "E")
    made.act(0, "matildas", "uk-mat2-1")
    assert made.why("clear", "de-pz38tc-1").reason == "no-wreck-here"


# Crews


@pytest.mark.rule("base-bailed-crew", "base-damage")
def test_a_crew_that_gives_up_is_on_foot_demoralised_and_worth_nothing(table):
    made = table("arras40")
    tank = made.put("uk-mat2-1", 60, 40, "E")
    s = made.s
    s.loaded, s.events = (1,), []
    losses.damage(s, tank, "base-destruction")
    crew = next(u for u in made.w.of_side[0] if IS_CREW[u] and s.condition[u] == SHAKEN)
    assert s.points[1] == 2
    assert s.lost[0] == 1
    assert works.within(s, crew, tank, 5)
    assert not GAME.problems(s)
    s.events = []
    losses.lose(s, crew, "base-save")
    assert s.points[1] == 2
    assert s.lost[0] == 1


@pytest.mark.rule("base-bailed-crew")
def test_a_vehicle_that_is_destroyed_leaves_no_crew(table):
    made = table("arras40")
    tank = made.put("uk-mat2-1", 60, 40, "E")
    made.s.events = []
    losses.lose(made.s, tank, "base-destruction")
    assert not any(IS_CREW[u] and made.s.condition[u] <= SHAKEN for u in made.w.units)


# Bunkers


@pytest.mark.rule("base-fortification-cover")
@pytest.mark.parametrize(("die", "falls"), [(6, False), (5, False)])
def test_a_small_gun_does_not_break_a_bunker(table, die, falls):
    assert _demolish(table, "fr-b1bis-1", die) == falls


@pytest.mark.rule("base-fortification-cover")
def test_a_bunker_covers_and_falls_to_a_heavy_gun(table):
    assert _demolish(table, None, 6)
    assert not _demolish(table, None, 2)


def _demolish(table, firer, die):
    """Does the bunker fall to a hit with this die?"""
    made = table("arras40")
    gun = made.put("de-flak88-1", 86, 10, "W")
    men = made.put("uk-rifle-1", 60, 10, "E", IN_BUNKER)
    s = made.s
    assert cover_from(s, men, s.at[gun]) == BUNKER
    if firer is not None:
        gun = made.put("de-pak36-1", 86, 10, "W")
    c = Acting(side=1, unit=gun)
    assert works.why_no_demolition(s, c, men) is None
    s.loaded, s.events = (6, 6, die, 6), []
    works.demolish(s, c, men)
    s.loaded = ()
    assert works.why_no_demolition(s, c, men).reason in ("weapon-used", "no-bunker-there")
    return not has(s, men, IN_BUNKER)


def test_odds_of_works_are_told(street):
    street.put(RIFLES, 58, Y)
    street.act(1, "assault-groups", RIFLES)
    odds = GAME.odds(street.s, 1, ("dismantle", 0))
    assert odds["results"]["passed"] == "1/2"  # veterans of a formation that has lost most of its elements
    assert isinstance(street.s.frames[-1], Acting)
    assert not isinstance(street.s.frames[-1], Moving)
