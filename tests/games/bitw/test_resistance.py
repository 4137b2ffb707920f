"""Chapters 27 and 29: garrisons and partisans."""

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import discs, rail, resistance, retreat, supply
from grognard.games.bitw.rules.income import goods_are_cut, is_linked
from grognard.games.bitw.rules.partisans import recruit
from grognard.games.bitw.state import POOL, BitwState, put
from grognard.games.bitw.theatre import MAJOR
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import refusal, u

IDS = {p.id: p.index for p in POWERS}
FR, DE = IDS["FR"], IDS["DE"]


def occupied(option: str = "on") -> BitwState:
    """SBW8: France under the Axis, nobody in the way of its partisans."""
    s = GAME.setup("SBW8", {"partisans": option}, "x")
    s.partisans, s.events = (), []
    return s


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def alone(s: BitwState) -> None:
    """No Axis unit left in France, the Low Countries and Belgium."""
    t = world(s).theatre
    for x in range(len(UNITS)):
        if UNITS[x].side == 0 and s.place[x] < t.hexes and t.country[s.place[x]] in ("FRA", "BEL", "NED"):
            put(s, x, POOL)


@pytest.mark.rule("27.0")
def test_27_0_a_unit_garrisons_its_city_and_those_in_its_zone() -> None:
    s = occupied()
    alone(s)
    dijon = at(s, "dijon")
    assert not resistance.is_garrisoned(s, dijon)
    put(s, u("de-84"), dijon)
    assert resistance.is_garrisoned(s, dijon)
    t = world(s).theatre
    near = [n for n in t.touch[dijon] if (n, dijon) not in t.rivers]
    assert near
    for n in near:  # from next door, by its zone
        put(s, u("de-84"), n)
        assert resistance.is_garrisoned(s, dijon)
    put(s, u("de-84"), at(s, "berlin"))
    assert not resistance.is_garrisoned(s, dijon)


@pytest.mark.rule("29.1a", "29.1b")
def test_29_1a_how_many_rise() -> None:
    s = occupied()
    alone(s)
    t = world(s).theatre
    cities = [n for n in t.cities if t.country[n] == "FRA" and t.playable[n] and s.owner[n] == DE]
    majors = sum(t.city[n] == MAJOR for n in cities)
    loose = [n for n in cities if not resistance.is_garrisoned(s, n)]
    loose_majors = sum(t.city[n] == MAJOR for n in loose)
    assert resistance.free_discs(s, FR) == (len(loose) - loose_majors) // 3 + loose_majors
    before = resistance.free_discs(s, FR)
    s.owner[next(n for n in loose if t.city[n] == MAJOR)] = IDS["US"]
    assert resistance.free_discs(s, FR) == before - 1
    assert majors
    assert FR in resistance.conquered(s)
    assert IDS["DK"] not in resistance.RESTIVE
    three = GAME.setup("SBW3", {"advanced": "on", "partisans": "on"}, "x")
    assert FR not in resistance.conquered(three)  # France still fights


def producing() -> BitwState:
    """The Allied row where discs are placed."""
    s = GAME.setup("SBW8", {"partisans": "on"}, "x")
    s.partisans = ()
    alone(s)
    for _ in range(60):
        orders = GAME.orders(s, s.waiting[0])
        if any(verb == "partisan" for verb, _ in orders):
            return s
        GAME.obey(s, s.waiting[0], ("done", "") if ("done", "") in orders else orders[0])
    raise AssertionError("nobody rises")


@pytest.mark.rule("29.0a", "29.1c")
def test_29_1c_discs_are_placed_free_or_for_a_point() -> None:
    s = producing()
    c = s.frames[-1]
    names = world(s).theatre.names
    dijon = names[at(s, "dijon")]
    free = dict(c.discs)[FR]
    GAME.obey(s, 1, ("partisan", dijon))
    assert (s.partisans, dict(c.discs).get(FR, 0)) == (((at(s, "dijon"), 1),), free - 1)
    s.pp[IDS["UK"]] = 5
    GAME.obey(s, 1, ("pay-partisan", dijon))
    assert (s.partisans, s.pp[IDS["UK"]]) == (((at(s, "dijon"), 2),), 4)
    s.partisans = ((at(s, "dijon"), 3),)
    assert refusal(s, 1, "partisan", dijon) == "29.1c"
    assert refusal(s, 1, "partisan", names[at(s, "berlin")]) == "29.1b"
    assert refusal(s, 1, "partisan", names[at(s, "luxembourg")]) == "29.1b"
    s.partisans = ((at(s, "dijon"), 3), (at(s, "lyon"), 3), (at(s, "reims"), 3), (at(s, "metz"), 1))
    assert refusal(s, 1, "partisan", names[at(s, "paris")]) == "1.0"
    s.partisans = ()
    put(s, u("de-84"), at(s, "paris"))
    assert refusal(s, 1, "partisan", names[at(s, "paris")]) == "29.1c"
    s.pp[IDS["UK"]] = 0
    assert refusal(s, 1, "pay-partisan", dijon) == "7.3d"
    c.discs = ()
    assert refusal(s, 1, "partisan", dijon) == "29.1a"


@pytest.mark.rule("29.1d", "29.0b")
def test_29_1d_one_disc_stops_trains_and_goods_not_lanes() -> None:
    s = occupied()
    country = world(s).theatre.country
    dijon = min(n for n in rail.rail_lines(s, 0) if country[n] == "FRA")
    s.partisans = ((dijon, 1),)
    assert dijon not in rail.rail_lines(s, 0)
    assert dijon in supply.rail_nets(s, 0)
    assert not supply.closed_to_lanes(s, 0)[dijon]
    off = occupied("off")
    off.partisans = s.partisans
    assert dijon in rail.rail_lines(off, 0)
    assert discs.held_by_discs(s, 1, 1) == frozenset()


@pytest.mark.rule("29.1e", "29.1f")
def test_29_1e_two_block_lanes_and_three_the_rails() -> None:
    s = occupied()
    dijon = at(s, "dijon")
    s.partisans = ((dijon, 2),)
    assert supply.closed_to_lanes(s, 0)[dijon]
    assert supply.closed_to_lanes(s, 0)[dijon]
    assert dijon in supply.rail_nets(s, 0)
    s.partisans = ((dijon, 3),)
    assert dijon not in supply.rail_nets(s, 0)


@pytest.mark.rule("11.2g", "29.1d")
def test_11_2g_partisans_on_a_centre_stop_its_points() -> None:
    s = occupied()
    paris = at(s, "paris")
    assert is_linked(s, DE, paris)
    s.partisans = ((paris, 1),)
    assert goods_are_cut(s, DE, paris)
    assert not is_linked(s, DE, paris)
    s.partisans = ()
    assert is_linked(s, DE, paris)


@pytest.mark.rule("29.1d")
def test_29_1d_a_unit_that_comes_removes_one_disc() -> None:
    s = occupied()
    alone(s)
    dijon = at(s, "dijon")
    s.partisans = ((dijon, 1),)
    resistance.sweep(s, PlayerTurn(side=0))
    assert s.partisans
    put(s, u("de-84"), dijon)
    resistance.sweep(s, PlayerTurn(side=1))
    assert s.partisans
    resistance.sweep(s, PlayerTurn(side=0))
    assert s.partisans == ()


@pytest.mark.rule("29.1e", "29.1f")
@pytest.mark.parametrize(
    ("count", "dice", "steps", "left"),
    [(2, (6, 6, 1), 2, False), (2, (1, 1, 1, 1, 6, 1, 1, 6, 1, 6), 0, True), (3, (6, 1, 6, 6), 2, False)],
)
def test_29_1e_brigades_fight(count: int, dice: tuple[int, ...], steps: int, left: bool) -> None:
    s = occupied()
    alone(s)
    dijon = at(s, "dijon")
    s.partisans = ((dijon, count),)
    put(s, u("de-84"), dijon)
    s.steps[u("de-84")] = 3
    s.loaded = dice
    resistance.sweep(s, PlayerTurn(side=0))
    assert bool(s.partisans) == left
    assert s.steps[u("de-84")] == steps
    assert s.revealed[u("de-84")] or not steps
    rolls = [e for e in s.events or [] if e.kind == "roll"]
    assert (rolls[0].data["side"], len(rolls[0].data["dice"])) == (1, count - 1)


@pytest.mark.rule("29.0b")
def test_29_0b_nobody_retreats_to_partisans() -> None:
    s = occupied()
    alone(s)
    dijon = at(s, "dijon")
    near = world(s).theatre.touch[dijon][0]
    put(s, u("de-84"), near)
    before = retreat.why_not_retreat_to(s, u("de-84"), dijon)
    assert before is not discs.PARTISANS_THERE
    s.partisans = ((dijon, 1),)
    assert retreat.why_not_retreat_to(s, u("de-84"), dijon) is discs.PARTISANS_THERE


@pytest.mark.rule("29.0c", "29.0d")
def test_29_0d_the_free_french_recruit_them_and_nobody_is_red() -> None:
    s = occupied()
    dijon = at(s, "dijon")
    s.partisans = ((dijon, 2),)
    unit = next(x.index for x in UNITS if x.nation == "FF")
    before = s.pp[IDS["FF"]]
    recruit(s, unit, [dijon])
    assert (s.partisans, s.pp[IDS["FF"]]) == ((), before + 2)
    assert "SU" not in IDS
