"""Edges of what flies and sails: bases, crossings, missions, recon, targets, ports, ferries, radar, Lend-Lease."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import air, charges, convoys, radar, raids, recon, sea, supply, targets
from grognard.games.bitw.rules import definitions as df
from grognard.games.bitw.rules.fire import AA, BOMB, GROUND, GUNS
from grognard.games.bitw.rules.weather import GOOD, RAIN, SNOW
from grognard.games.bitw.state import (
    ATTACKED,
    FOUGHT,
    GROUNDED,
    MISSION,
    MOVED,
    NONE,
    OOS,
    OUT,
    POOL,
    BitwState,
    on_map,
    put,
    side_holding,
)
from grognard.games.bitw.world import POWERS, UNITS, world

from .ladder import climb, given, made, marked, moved_to, reason
from .table import THEATRE, node, position, set_out, u

IDS = {p.id: p.index for p in POWERS}
DE, UK, US, FR = (IDS[x] for x in ("DE", "UK", "US", "FR"))


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def kind(name: str, nation: str) -> int:
    return next(x.index for x in UNITS if x.kind == name and x.nation == nation)


# 3.7 Across the Atlantic


@pytest.mark.rule("3.7f", "3.7g", "3.7.1-iceland", "3.7.1-azores")
def test_3_7f_every_crossing_of_the_atlantic() -> None:
    usa, canada, iceland, azores = (node(x) for x in ("usa", "canada", "iceland", "azores"))
    london, dover, calais = node("london"), node("dover"), node("calais")
    s = position("usa: us-12f, us-12b | 0101: uk-1", first="1943-05")
    bomber, fighter = u("us-12b"), u("us-12f")

    def bases(unit: int, where: int, turn: int = 1) -> set[int]:
        s.turn = turn
        put(s, unit, where)
        return set(air.ocean_bases(s, unit))

    britain = {london, dover}
    assert bases(bomber, usa) == bases(bomber, canada) == britain
    assert bases(bomber, london) == bases(bomber, dover) == {usa, canada}
    assert bases(bomber, calais) == bases(bomber, iceland) == bases(bomber, azores) == set()
    for may, june in ((usa, usa), (canada, canada), (london, london), (dover, dover)):
        put(s, bomber, usa)
        assert bases(fighter, may) == {iceland}
        assert bases(fighter, june, 2) == {iceland, azores}
    assert bases(fighter, calais) == bases(fighter, calais, 2) == set()
    assert bases(fighter, iceland) == bases(fighter, azores, 2) == britain | {usa, canada}
    set_out(s, "uk-2g", "0302")
    assert bases(fighter, iceland) == {london, usa, canada}  # Dover is taken
    assert bases(bomber, usa) == {london}
    s.owner[london] = DE
    assert bases(bomber, usa) == set()
    assert air.ocean_bases(s, u("uk-2g")) == []  # only the Americans and Canadians cross


@pytest.mark.rule("3.4-airbase-a", "3.4-airbase-b", "7.5.2c", "3.7f", "3.7g")
def test_3_4_what_is_wrong_with_a_base() -> None:
    s = position("0404: uk-2g | usa: us-12f, us-12b")
    fliers = [x.id for x in UNITS if x.is_air and x.nation == "FR"][:2]
    first, second = (u(x) for x in fliers)
    put(s, first, node("0505"))
    put(s, second, node("0604"))

    def why(unit: int, where: str) -> str | None:
        return reason(air.why_not_base(s, unit, node(where)))

    assert why(first, "0604") == reason(air.BASE_TAKEN)
    assert why(first, "0404") == reason(air.BASE_TAKEN)
    assert why(first, "0506") == reason(air.NO_AIRBASE)  # no city
    assert why(first, "0510") == reason(air.NO_AIRBASE)  # the enemy's
    assert why(first, "0302") == reason(air.BASE_TOO_FAR)
    assert why(first, "iceland") == reason(air.NO_CROSSING[0])
    assert why(u("us-12f"), "0101") == reason(air.NO_CROSSING[0])
    assert why(u("us-12b"), "iceland") == reason(air.NO_CROSSING[1])
    assert why(u("us-12b"), "0101") == reason(air.NO_CROSSING[1])
    put(s, second, POOL)
    assert why(first, "0604") != reason(air.BASE_TAKEN)
    s.flags[u("uk-2g")] |= MISSION
    assert why(first, "0404") != reason(air.BASE_TAKEN)  # who is in flight keeps no base from others


@pytest.mark.rule("7.5.2b", "7.5.2c", "5.1-open-city-b", "4.4d")
@pytest.mark.parametrize(
    "change",
    [
        lambda s: None,
        lambda s: setattr(s, "sky", RAIN),
        lambda s: setattr(s, "sky", SNOW),
        lambda s: s.flags.__setitem__(u("de-jf2"), OOS),
        lambda s: s.steps.__setitem__(u("de-jf2"), 0),
        lambda s: set_out(s, kind_id("fighter", "DE", 1), "0506"),
        lambda s: set_out(s, "de-jf2", "0510"),
    ],
)
def test_7_5_2b_the_list_of_missions_is_what_the_rule_allows(change: Any) -> None:
    s = position(
        "0507: de-jf2 | 0506: fr-6 | 0404: fr-9 | 0604: fr-18 | 0101: uk-1 | 0509: de-26", options={"advanced": "on"}
    )
    change(s)
    unit = u("de-jf2")
    hexes = air.enemy_hexes(s, 0)
    assert hexes == sorted(node(x) for x in ("0506", "0404", "0604", "0101"))
    allowed = [n for n in hexes if air.why_not_mission(s, unit, n) is None]
    assert air.mission_hexes(s, unit, hexes) == allowed


def kind_id(name: str, nation: str, number: int) -> str:
    return [x.id for x in UNITS if x.kind == name and x.nation == nation][number]


@pytest.mark.rule("3.19b", "7.5.2b", "7.6a")
def test_3_19b_what_an_aircraft_keeps_when_it_takes_off_and_lands() -> None:
    for rule_id, attacks in (("7.5.2b", True), ("7.6a", False)):
        s = position("0507: de-jf2 | 0105: be-1 | 0506: fr-6")
        s.events = []
        unit = u("de-jf2")
        s.flags[unit] |= GROUNDED
        zone = df.any_zone(s, 0)
        assert df.in_any_zoc(s, node("0508"), 0)
        air.send(s, unit, node("0506"), rule_id)
        assert s.place[unit] == node("0506")
        assert s.base[unit] == node("0507")
        assert s.flags[unit] & (MISSION | MOVED) == MISSION | MOVED
        assert bool(s.flags[unit] & FOUGHT) == attacks
        assert not df.in_any_zoc(s, node("0508"), 0)
        assert zone - df.any_zone(s, 0)
        air.settle_at(s, unit, node("0510"), "7.7.16")
        assert (s.place[unit], s.base[unit]) == (node("0510"), NONE)
        assert not s.flags[unit] & (MISSION | GROUNDED)
        assert s.flags[unit] & MOVED
        assert [e.kind for e in s.events][:1] == ["flies"]


@pytest.mark.rule("3.19b", "7.5.2b", "5.6.2a")
def test_5_6_2a_a_mission_over_a_minor_power_is_an_attack_on_it_a_reaction_is_not() -> None:
    for rule_id, attacked in (("7.5.2b", True), ("7.6a", False)):
        s = position("0507: de-jf2")
        belgium = IDS["BE"]
        s.events = []
        air.send(s, u("de-jf2"), node("0105"), rule_id)
        assert bool(s.status[belgium] & ATTACKED) == attacked


@pytest.mark.rule("7.8.1", "7.7.16")
def test_7_8_1_who_must_go_home() -> None:
    s = position("0507: de-jf2 | 0508: de-26")
    unit = u("de-jf2")
    climb(
        s,
        lambda x: air.BASE_TAKEN if air.must_go_home(x, unit) else None,
        [
            (marked("flags", "de-jf2", MISSION), air.BASE_TAKEN.reason),
            (given("owner", node("0507"), FR), air.BASE_TAKEN.reason),
            (lambda x: [given("owner", node("0507"), FR)(x), moved_to("de-jf2", POOL)(x)], None),
            (lambda x: [marked("flags", "de-jf2", MISSION)(x), moved_to("de-jf2", POOL)(x)], None),
        ],
    )
    s.flags[u("de-26")] |= MISSION
    s.owner[node("0508")] = FR
    assert not air.must_go_home(s, u("de-26"))  # a corps has no base


# 3.19 Zones, 3.10 stacks


@pytest.mark.rule("3.19a", "3.19b", "7.7.14b")
@pytest.mark.parametrize("advanced", ["off", "on"])
@pytest.mark.parametrize(
    "units",
    [
        "0507: de-jf2 | 0506: fr-6 | 0606: fr-9",
        "0507: de-26 | 0606: de-jf2 | 0605: fr-6 | 0705: fr-1f",
        "0605: de-jf2, de-26 | 0606: de-84 | 0404: fr-6",
    ],
)
def test_3_19a_all_zones_at_once_are_each_hex_asked_alone(units: str, advanced: str) -> None:
    units = units.replace("fr-1f", kind_id("fighter", "FR", 0))
    s = position(units, options={"advanced": advanced})
    for flying in (False, True):
        if flying:
            s.flags[u("de-jf2")] |= MISSION
        for side in (0, 1):
            zone = df.any_zone(s, side)
            assert zone == {n for n in range(THEATRE.hexes) if df.in_any_zoc(s, n, side)}
            assert zone or flying
            theirs = {s.place[x] for x in on_map(s, 1 - side)}
            assert not zone & theirs
    assert node("0506") not in df.any_zone(position("0507: de-jf2 | 0507: fr-6"), 0)  # a base in battle has none


@pytest.mark.rule("3.10a", "6.7c")
def test_3_10a_how_many_make_too_many() -> None:
    infantry = [x.id for x in UNITS if x.kind == "infantry" and x.nation == "US"]
    guns = [x.id for x in UNITS if x.kind == "artillery" and x.nation == "US"]
    british = next(x.id for x in UNITS if x.kind == "infantry" and x.nation == "UK")
    there = node("0705")

    def crowd(*names: str, harbour: bool = False) -> BitwState:
        s = position("")
        for name in names:
            put(s, u(name), there)
        if harbour:
            s.harbour[0] = there
        return s

    air_unit = kind_id("fighter", "US", 0)
    for names, plain, mulberry in (
        (infantry[:2], False, False),
        (infantry[:3], True, False),
        ([*infantry[:2], guns[0]], False, False),
        ([*infantry[:2], guns[0], guns[1]], True, False),
        ([infantry[0], guns[0], guns[1]], False, False),
        ([*infantry[:2], air_unit], False, False),
        (infantry[:5], True, False),
        (infantry[:6], True, True),
        ([*infantry[:2], british], True, True),
        ([infantry[0], british], False, False),
    ):
        assert df.overstacked(crowd(*names), there, 1) == plain
        assert df.overstacked(crowd(*names, harbour=True), there, 1) == mulberry
        assert not df.overstacked(crowd(*names), there, 0)


@pytest.mark.rule("3.10b")
def test_3_10b_one_fighter_and_one_bomber_a_side() -> None:
    fighters = [kind_id("fighter", "DE", n) for n in (0, 1)]
    bombers = [kind_id("bomber", "DE", n) for n in (0, 1)]
    heavy = kind_id("strategic_bomber", "US", 0)
    s = position("0506: fr-6, " + kind_id("fighter", "FR", 0))
    there = node("0506")
    for name in (*fighters, *bombers, heavy):
        assert df.why_not_join_air(s, there, u(name)) is None  # the enemy's fighter does not count
    put(s, u(fighters[0]), there)
    assert df.why_not_join_air(s, there, u(fighters[0])) is None  # it is itself the one
    assert df.why_not_join_air(s, there, u(fighters[1])) is df.AIR_LIMIT
    assert df.why_not_join_air(s, there, u(bombers[0])) is None
    put(s, u(bombers[0]), there)
    assert df.why_not_join_air(s, there, u(bombers[1])) is df.AIR_LIMIT
    assert df.why_not_join_air(s, there, u(heavy)) is None


@pytest.mark.rule("3.4-airbase-a")
def test_3_4_each_condition_of_an_airbase() -> None:
    s = position("0101: uk-1")
    sources = supply.sources_of(s, UK, "UK")
    london = node("london")

    def base(x: BitwState, where: int = london, side: int = 1) -> bool:
        return supply.is_airbase(x, side, where, sources)

    assert base(s)
    assert not base(s, side=0)
    assert not supply.is_airbase(s, 1, london, sources - {london})
    lost = s.copy()
    lost.owner[london] = DE
    assert not base(lost)
    assert not base(s, node("0102"))
    assert not supply.is_airbase(s, 1, node("0102"), sources | {node("0102")})  # no city
    set_out(s, "de-26", "0101")
    assert not base(s)
    usa = node("usa")
    assert supply.is_airbase(s, 1, usa, frozenset((usa,)))
    assert not supply.is_airbase(s, 1, usa, frozenset())
    assert london in air.airbases(position("0101: uk-1"), UK, "UK")
    assert london not in air.airbases(s, UK, "UK")


# 19 Recon, 20 to 22 charges


@pytest.mark.rule("19.1e")
@pytest.mark.parametrize(
    ("tech", "terrain", "major", "works", "forts", "sunny", "total"),
    [
        (0, "clear", False, 0, [], True, 0),
        (1, "clear", False, 0, [], True, 0),
        (2, "clear", False, 0, [], True, -2),
        (3, "clear", False, 0, [], True, -4),
        (1, "forest", False, 0, [], True, 2),
        (1, "mountain", False, 0, [], True, 2),
        (1, "clear", True, 0, [], True, 2),
        (1, "clear", False, 1, [], True, 2),
        (1, "clear", True, 1, [], True, 2),
        (1, "clear", False, 0, [False], True, 2),
        (1, "clear", False, 2, [], True, 4),
        (1, "clear", False, 0, [True], True, 4),
        (1, "clear", True, 0, [True, False], True, 6),
        (1, "clear", True, 2, [False], True, 6),
        (1, "clear", False, 0, [], False, 2),
        (3, "hills", True, 0, [], False, 2),
    ],
)
def test_19_1e_what_changes_the_die(
    tech: int, terrain: str, major: bool, works: int, forts: list[bool], sunny: bool, total: int
) -> None:
    assert recon.recon_modifiers(tech, terrain, major, works, forts, sunny).total() == total


RECON = {"advanced": "on", "recon": "on"}


@pytest.mark.rule("19.2")
def test_19_2_each_condition_of_a_good_aim() -> None:
    s = position("0605: fr-6, fr-9", options=RECON)
    guns, hexes = kind("artillery", "DE"), node("0605")
    for unit in (u("de-84"), guns):
        put(s, unit, hexes)
    c = Combat(hex=hexes, attacker=0)
    c.row_asked = GUNS
    s.seen_hexes = (hexes,)
    s.turn = next(turn for turn in range(1, 80) if world(s).scenario.month(turn) == "1944-06")
    s.sky = GOOD
    assert df.tech_of(s, guns) >= 2
    climb(
        s,
        lambda x: None if recon.aims_well(x, c) else recon.NOT_A_TARGET,
        [
            (made("seen_hexes", ()), "aim-at-strongest"),
            (made("seen_hexes", (node("0606"),)), "aim-at-strongest"),
            (made("sky", RAIN), "aim-at-strongest"),
            (lambda x: put(x, guns, POOL), "aim-at-strongest"),
            (made("chosen", s.chosen | {"19.0a": "off"}), "aim-at-strongest"),
            (made("turn", -48), "aim-at-strongest"),
        ],
    )
    for row, well in ((GUNS, True), (BOMB, False), (GROUND, False), (AA, False)):
        c.row_asked = row
        assert recon.aims_well(s, c) == well  # nobody bombs here
    stukas = kind("bomber", "DE")
    put(s, stukas, hexes)
    c.row_asked = BOMB
    assert recon.aims_well(s, c) == (df.tech_of(s, stukas) >= 2)
    c.hits = (0, 1)
    assert recon.PickTarget().needed(s, c, 0) == recon.aims_well(s, c)
    c.hits = (1, 0)
    assert not recon.PickTarget().needed(s, c, 0)


@pytest.mark.rule("21.0b", "20.0")
@pytest.mark.parametrize(
    ("unit", "month", "panzers", "horse"),
    [
        ("de-19pz", "1940-05", True, True),
        ("fr-prioux", "1940-05", False, True),
        ("de-15pg", "1944-06", True, True),
        ("fr-cav", "1940-05", False, True),
        ("fr-6", "1940-05", False, False),
    ],
)
def test_21_0b_who_keeps_chargers_off(unit: str, month: str, panzers: bool, horse: bool) -> None:
    s = position("", first=month)
    assert (charges.stops(s, u(unit), 0), charges.stops(s, u(unit), 1)) == (panzers, horse)


# 32 Raids and their targets


@pytest.mark.rule("7.5.2b", "4.4d", "7.1")
def test_7_5_2b_each_condition_of_a_raider() -> None:
    s = position("0302: uk-2g | 0101: uk-1", options={"advanced": "on", "bombing": "on"})
    unit = u("uk-2g")
    climb(
        s,
        lambda x: raids.why_not_ready(x, (), unit, 1),
        [
            (moved_to("uk-2g", POOL), reason(raids.NOT_ON_MAP)),
            (marked("flags", "uk-2g", OOS), reason(raids.UNSUPPLIED_MISSION)),
            (given("steps", unit, 0), reason(raids.NO_STEPS)),
            (given("status", UK, OUT), "power-out"),
            (marked("flags", "uk-2g", MOVED), None),  # it flies again in its own Movement Phase
        ],
    )
    assert reason(raids.why_not_ready(s, (unit,), unit, 1)) == reason(raids.FLOWN_ALREADY)
    assert reason(raids.why_not_ready(s, (u("uk-1"),), unit, 1)) is None
    assert reason(raids.why_not_ready(s, (), u("uk-1"), 1)) == reason(raids.NOT_AN_AIRCRAFT)
    assert reason(raids.why_not_ready(s, (), unit, 0)) == "not-yours"


@pytest.mark.rule("32.0h", "32.0b")
def test_32_0h_who_flies_in_rain() -> None:
    s = position("")
    there = node("0505")
    for sky, expected in ((GOOD, (True, True, True, True)), (RAIN, (True, False, False, False))):
        s.sky = sky
        able = (
            raids.why_not_weather(s, kind("strategic_bomber", "US"), there) is None,
            raids.why_not_weather(s, kind("bomber", "US"), there) is None,
            raids.why_not_weather(s, kind("fighter", "UK"), there) is None,
            raids.why_not_weather(s, kind("bomber", "DE"), there) is None,
        )
        assert able == expected
    for month, able in (("1940-05", False), ("1944-06", True)):
        s = position("", first=month)
        assert raids.may_bomb(s, kind("strategic_bomber", "US"))
        assert raids.may_bomb(s, kind("bomber", "US")) == able
        assert not raids.may_bomb(s, kind("fighter", "US"))


@pytest.mark.rule("32.0a", "32.1", "15.1d")
def test_32_0a_what_may_be_bombed_in_a_hex() -> None:
    s = position("", options={"advanced": "on", "bombing": "on", "factories": "on"})
    ruhr, munich, bordeaux, metz = (node(x) for x in ("ruhr", "munchen", "bordeaux", "metz"))
    red, blue = targets.FACTORIES.index("red"), targets.FACTORIES.index("blue")
    assert targets.kinds_at(s, 0, ruhr) == sorted((red, targets.CENTRE, targets.RAIL))
    assert targets.kinds_at(s, 0, munich) == sorted((blue, targets.RAIL))
    assert targets.kinds_at(s, 1, bordeaux) == sorted((targets.PORT, targets.RAIL))
    assert targets.kinds_at(s, 1, ruhr) == []
    assert targets.kinds_at(s, 0, bordeaux) == []
    assert targets.kinds_at(s, 1, node("usa")) == []
    assert targets.kinds_at(s, 0, node("0609")) == []
    s.burnt[munich] = 1
    assert targets.kinds_at(s, 0, munich) == [targets.RAIL]
    s.burnt[munich] = 0
    s.turn, s.plants = 3, ((0, 1, munich, 2), (0, 0, munich, 3), (0, 0, metz, 1))
    assert [targets.new_factories(s, munich, x) for x in ("red", "blue")] == [0, 1]
    assert targets.new_factories(s, node("koln"), "blue") == 0
    s.turn = 4
    assert [targets.new_factories(s, munich, x) for x in ("red", "blue")] == [1, 1]
    assert red in targets.kinds_at(s, 0, munich)
    s.burnt[munich] = 1
    assert targets.new_factories(s, munich, "red") == 0
    beach = node("0705")
    s.harbour[0] = beach
    assert targets.kinds_at(s, 1, beach) == [targets.MULBERRY]
    assert targets.kinds_at(s, 0, beach) == []


@pytest.mark.rule("32.1", "15.1d")
def test_32_1_hits_beyond_the_printed_factories_stop_new_ones() -> None:
    s = position("", options={"advanced": "on", "bombing": "on", "factories": "on"})
    munich, blue = node("munchen"), targets.FACTORIES.index("blue")
    s.turn = 4
    s.plants = ((0, 1, munich, 1), (0, 1, munich, 2))
    assert targets.printed_factories(s, munich, "blue") == 1
    for hits, lost in ((0, 0), (1, 0), (2, 1), (3, 2), (9, 2)):
        s.bombed = ((0, blue, munich, hits),) if hits else ()
        assert targets.lost_plants(s, 0, "blue") == lost
        assert targets.lost_plants(s, 0, "red") == 0
        assert targets.lost_plants(s, 1, "blue") == 0
        assert targets.lost_to_bombs(s, munich, "blue", 1) == min(1, hits)


@pytest.mark.rule("32.2", "32.3")
def test_32_2_one_hit_stops_ships_three_the_supply_and_one_the_trains() -> None:
    s = position("", options={"advanced": "on", "bombing": "on"})
    calais, paris = node("calais"), node("paris")
    for hits, shut, cut in ((0, False, False), (1, True, False), (2, True, False), (3, True, True)):
        s.bombed = ((1, targets.PORT, calais, hits),) if hits else ()
        assert (targets.is_shut_to_ships(s, calais), targets.is_cut(s, calais)) == (shut, cut)
        assert not targets.is_shut_to_ships(s, paris)
        assert (calais in supply.open_ports(s, 1)) != cut
        s.bombed = ((1, targets.RAIL, paris, hits),) if hits else ()
        assert targets.is_blocked_station(s, paris) == (hits > 0)
        assert not targets.is_blocked_station(s, calais)


# 18 The sea


@pytest.mark.rule("7.5.5f", "18.1.3", "18.0a")
def test_7_5_5f_who_uses_the_kiel_canal() -> None:
    s = GAME.setup("SBW8", {}, "x")
    t = world(s).theatre
    banks = [h for h in range(t.hexes) if "kiel-canal" in t.board.tags[h] and t.playable[h]]
    assert len(banks) > 1
    kiel = next(n for n in t.ports if t.sea[n] == "baltic")
    month = {m: next(x for x in range(-60, 20) if world(s).scenario.month(x) == m) for m in ("1940-05", "1945-04")}
    for owner, when, axis, allies in (
        (DE, "1940-05", True, False),
        (DE, "1945-04", sea.MAPLE > "1945-04", False),
        (US, "1940-05", False, True),
        (US, "1945-04", False, True),
    ):
        s.turn = month[when]
        for h in banks:
            s.owner[h] = owner
        assert (sea.canal_is_open(s, 0), sea.canal_is_open(s, 1)) == (axis, allies)
        both = frozenset({"atlantic", "baltic"})
        assert sea.seas_from(s, 0, kiel) == (both if axis else {"baltic"})
        assert sea.seas_from(s, 1, kiel) == (both if allies else {"baltic"})
    south = next(n for n in t.ports if t.sea[n] == "mediterranean")
    assert sea.seas_from(s, 1, south) == {"mediterranean"}
    s.owner[banks[0]] = DE
    assert not sea.canal_is_open(s, 1)  # all of its banks
    assert not sea.canal_is_open(s, 0)
    assert sea.sea_of(s, t.node_ids["usa"]) == "atlantic"
    assert sea.sea_of(s, kiel) == "baltic"
    beach = next(n for n in range(t.hexes) if t.coastal[n] and not t.sea[n] and t.country[n] == "FRA")
    assert sea.sea_of(s, beach) == ""
    s.harbour[1] = beach
    assert sea.sea_of(s, beach) in ("atlantic", "mediterranean")


@pytest.mark.rule("18.0b", "9.2d", "14.0-shoals", "11.3b", "32.2", "6.7.2a")
def test_18_0b_each_condition_of_a_port() -> None:
    s = GAME.setup("SBW8", {"advanced": "on", "bombing": "on"}, "x")
    t = world(s).theatre
    port = at(s, "southampton")

    def why(x: BitwState, ground: bool = True, side: int = 1) -> str | None:
        return reason(sea.why_not_sail_from(x, side, port, ground))

    climb(
        s,
        lambda x: sea.why_not_sail_from(x, 1, port),
        [
            (given("owner", port, DE), "not-in-port"),
            (made("bombed", ((1, targets.PORT, port, 1),)), reason(sea.BOMBED_PORT)),
            (moved_to("de-26", port), "not-in-port"),
        ],
    )
    assert why(s, side=0) == "not-in-port"
    s.bombed = ((1, targets.PORT, port, 1),)
    assert why(s, ground=False) is None
    s.bombed = ()
    field = next(n for n in range(t.hexes) if t.playable[n] and not t.port[n] and side_holding(s, n) == 1)
    assert reason(sea.why_not_sail_from(s, 1, field)) == "not-in-port"
    assert sea.why_not_sail_from(s, 1, t.node_ids["usa"]) is None
    beach = next(n for n in range(t.hexes) if t.coastal[n] and not t.port[n] and t.country[n] == "FRA")
    s.harbour[0] = beach
    assert sea.why_not_sail_from(s, 1, beach) is None
    assert reason(sea.why_not_sail_from(s, 0, beach)) == "not-in-port"
    s.harbour_hits[0] = 1
    assert reason(sea.why_not_sail_from(s, 1, beach)) == reason(sea.BOMBED_HARBOUR)
    assert sea.why_not_sail_from(s, 1, beach, ground=False) is None
    snow = s.copy()
    snow.sky = SNOW
    frozen = next(n for n in t.freezing if t.port[n] and side_holding(s, n) == 0)
    assert reason(sea.why_not_sail_from(snow, 0, frozen)) == reason(sea.ICE)
    assert reason(sea.why_not_sail_from(s, 0, frozen)) != reason(sea.ICE)


@pytest.mark.rule("18.0a", "3.10a", "3.4-airbase-b")
@pytest.mark.parametrize("name", ["us-5", "uk-30", "us-12f"])
def test_18_0a_the_list_of_voyages_is_what_the_rule_allows(name: str) -> None:
    s = GAME.setup("SBW8", {"advanced": "on"}, "x")
    t = world(s).theatre
    put(s, u(name), at(s, "southampton"))
    put(s, u("us-4"), at(s, "london"))
    allowed = [n for n in range(t.nodes) if sea.why_not_land(s, u(name), n) is None]
    assert sorted(sea.voyages(s, u(name))) == allowed
    assert allowed
    assert at(s, "southampton") not in allowed
    full = s.copy()
    for other in ("us-4", "us-7", "us-8"):
        put(full, u(other), allowed[0])
    if not UNITS[u(name)].is_air:
        assert not sea.has_berth(full, u(name), allowed[0])
    assert sea.has_berth(s, u(name), allowed[0])


# 34 Lend-Lease, 13.8 radar


@pytest.mark.rule("34.0-lend-a", "34.0-lend-c")
def test_34_0_each_condition_of_lend_lease() -> None:
    s = position("0101: uk-1", in_play=["BE", "NL", "FR", "UK", "DE"], first="1941-03")

    assert not convoys.lend_lease_begins(s)
    s.status[FR] |= OUT
    assert convoys.lend_lease_begins(s)
    for change, still in (
        (made("turn", 0), False),  # February 1941
        (made("turn", 2), True),
        (given("status", FR, 0), False),
        (moved_to("uk-2", node("0505")), False),
        (moved_to("uk-2", node("usa")), True),
        (moved_to("uk-2g", node("0505")), True),  # an aircraft is nobody on the ground
    ):
        twin = s.copy()
        change(twin)
        assert convoys.lend_lease_begins(twin) == still
    early = position("0101: uk-1", first="1940-06")
    set_out(early, kind_id("fighter", "DE", 0), "0302")
    assert not convoys.lend_lease_begins(early)
    set_out(early, "de-26", "0302")
    assert convoys.lend_lease_begins(early)  # invaded, whenever that is


@pytest.mark.rule("13.8.1.2-radar-f", "13.8.1.2-radar-e", "32.4")
def test_13_8_1_2_each_condition_of_mending_a_station() -> None:
    s = GAME.setup("SBW5", {}, "x")
    assert radar.chain_counts(s)
    where = radar.station_hex(world(s).theatre, 0)
    pool = df.pool_of(s, UK)
    s.radar[0], s.pp[pool] = 0, 1
    climb(
        s,
        lambda x: radar.why_not_mend(x, 1, 0),
        [
            (given("radar", 0, 1), reason(radar.STATION_WORKS)),
            (given("owner", where, DE), reason(radar.STATION_LOST)),
            (moved_to("de-26", where), reason(radar.STATION_LOST)),
            (given("pp", pool, 0), reason(radar.MENDING_TOO_DEAR)),
            (given("pp", pool, 2), None),
        ],
    )
    assert reason(radar.why_not_mend(s, 0, 0)) == reason(radar.NO_CHAIN)
    assert radar.broken_stations(s, 1) == [0]
    assert radar.broken_stations(s, 0) == []
    radar.mend(s, 0)
    assert (s.radar[0], s.pp[pool]) == (1, 0)
    assert radar.broken_stations(s, 1) == []
    s.events = []
    radar.lose_stations(s, where)
    assert s.radar[0]  # it is still British ground
    s.owner[where] = DE
    radar.lose_stations(s, where)
    assert not s.radar[0]
    assert sum(bool(x) for x in s.radar) == len(s.radar) - sum(
        radar.station_hex(world(s).theatre, x) == where for x in range(len(s.radar))
    )
