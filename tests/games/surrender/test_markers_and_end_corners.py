"""Corners of event markers, conquest, victory and set-up."""

import pytest

from grognard.games.surrender.frames import AirCombat, GroundCombat, Match
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules import victory
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.markers import why_not_marker
from grognard.games.surrender.state import world
from grognard.games.surrender.world import MARKER_IDS
from grognard.kernel import DataError

# ---- markers -----------------------------------------------------------------------------------------------------


def ban(d, marker, combat, side=0):
    """The rule that keeps a marker out of a combat, or None."""
    refusal = why_not_marker(d.s, combat, side, MARKER_IDS[marker])
    return refusal.rule if refusal else None


def on_the_ground(d, action, hex, attacker="DE-tank-1", defender="FR-infantry-1"):
    return GroundCombat(action=action, hex=d.hex(hex), attacker=d.unit(attacker), defender=d.unit(defender))


@pytest.mark.rule("event-heavy-artillery")
def test_heavy_artillery_is_for_assaults_on_cities_and_on_bare_forts(drill, drill_world):
    hand = {"axis": {"heavy-artillery": 1}}
    d = drill("0306: DE tank\n0307: FR infantry", markers=hand)  # Reims, a city without a fort
    assert ban(d, "heavy-artillery", on_the_ground(d, "assault", "0307")) is None
    assert ban(d, "heavy-artillery", on_the_ground(d, "amphibious", "0307")) is None
    assert ban(d, "heavy-artillery", on_the_ground(d, "mobile", "0307")) == "event-heavy-artillery"
    name = drill_world("redoubt", forts=("0507",))
    d = drill("0506: DE tank\n0507: FR infantry", markers=hand, scenario=name)  # a fort without a city
    assert ban(d, "heavy-artillery", on_the_ground(d, "assault", "0507")) is None


@pytest.mark.rule("event-surprise")
@pytest.mark.parametrize(("turn", "rule"), [(1, None), (2, "event-surprise"), (3, "event-surprise")])
def test_surprise_belongs_to_the_first_turn(drill, turn, rule):
    d = drill("0405: DE tank\n0406: FR infantry", markers={"axis": {"surprise": 1}})
    d.s.turn = turn
    assert ban(d, "surprise", on_the_ground(d, "mobile", "0406")) == rule


@pytest.mark.rule("event-radar", "event-jets")
def test_radar_guides_aircraft_and_jets_are_german_fighters(drill):
    text = "0702: DE fighter | DE warship\n0504: DE bomber\n0202: IT fighter\n1004: UK fighter | UK warship"
    d = drill(text, month=(1944, 8), markers={"western": {"radar": 1}, "axis": {"jets": 1}})

    def fight(attacker, defender):
        return AirCombat(mission="air_strike", hex=d.hex("1004"), attacker=d.unit(attacker), defender=d.unit(defender))

    assert ban(d, "radar", fight("DE-fighter-1", "UK-fighter-1"), 1) is None
    assert ban(d, "radar", fight("DE-fighter-1", "UK-warship-1"), 1) == "event-radar"
    assert ban(d, "radar", fight("UK-fighter-1", "DE-fighter-1"), 1) == "event-radar"  # attacking
    assert ban(d, "jets", fight("UK-fighter-1", "DE-fighter-1")) is None  # defending as well
    assert ban(d, "jets", fight("DE-bomber-1", "UK-fighter-1")) == "event-jets"
    assert ban(d, "jets", fight("IT-fighter-1", "UK-fighter-1")) == "event-jets"


# ---- conquest ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest")
def test_no_conquest_without_the_capital(drill):
    d = drill("0410: FR infantry")
    for hex in d.world.theatre.cities_of("france"):
        d.s.control[hex] = 1
    assert victory.conqueror(d.s, "france") == 0
    d.own("0309", "western")
    assert victory.conqueror(d.s, "france") == -1
    d.own("0309", "soviet")  # in the hands of a friend
    assert victory.conqueror(d.s, "france") == -1


@pytest.mark.rule("conquest", "logistics-reinforce")
def test_a_conquered_country_loses_its_reinforcements_and_its_dead(drill):
    d = drill("0410: FR infantry\n0310: UK infantry")
    d.s.fate[d.unit("FR-infantry-2")] = 2
    for hex in d.world.theatre.cities_of("france"):
        d.s.control[hex] = 1
    victory.conquer(d.s, Match())
    assert [d.s.fate[d.unit(f"FR-infantry-{n}")] for n in (1, 2, 3)] == [3, 3, 3]  # in the field, dead, awaited
    assert d.s.control[d.hex("0310")] == 2  # an Ally's army keeps its hex
    assert not d.s.conquered[COUNTRIES.index("uk")]


@pytest.mark.rule("conquest", "air-base", "naval-port")
def test_aircraft_and_ships_of_allies_leave_a_conquered_country(drill):
    d = drill("0410: FR infantry\n0611: UK fighter\n0707: UK warship")
    for hex in d.world.theatre.cities_of("france"):
        if hex != d.hex("0611"):
            d.s.control[hex] = 1
    victory.conquer(d.s, Match())
    assert (d.at("UK-fighter-1"), d.at("UK-warship-1")) == ("1007", "1007")
    assert d.s.control[d.hex("0611")] == d.s.control[d.hex("0707")] == 1


# ---- victory -----------------------------------------------------------------------------------------------------


def to_the_end(d):
    while d.s.waiting:
        d.do(next(order for order in d.legal() if order in ("pass", "done")))
    return d


@pytest.mark.rule("conquest", "victory-check", "turn-phases")
def test_the_end_phase_counts_what_was_conquered_in_it(drill, drill_world):
    name = drill_world("last-day", turns=1, verdict="fall-gelb", victory={"in_time": 1}, factions=["axis", "western"])
    d = drill("0202: DE infantry", scenario=name)
    for country in ("belgium", "netherlands"):
        d.s.conquered[COUNTRIES.index(country)] = 1
    for hex in d.world.theatre.cities_of("france"):
        d.s.control[hex] = 1
    to_the_end(d.dice(1, 1, 1, 3, 3).month())
    assert (d.game.result(d.s).winner, d.game.result(d.s).level, d.s.turn) == (0, "decisive", 1)


@pytest.mark.rule("victory-check")
def test_the_game_ends_with_its_last_turn(drill, drill_world):
    name = drill_world("two-turns", turns=2, factions=["axis", "western"], verdict="none")
    d = drill("0302: DE infantry", scenario=name).dice(*[1, 1, 1, 3, 3] * 2).month()
    assert to_the_end(d).s.turn == 2
    assert d.game.result(d.s).level == "draw"


@pytest.mark.rule("victory-check", "scenario-barbarossa")
@pytest.mark.parametrize(("points", "verdict"), [
    (0, (2, "decisive")), (1, (2, "marginal")), (2, (None, "draw")), (3, (0, "marginal")), (4, (0, "decisive")),
])  # fmt: skip
def test_a_level_begins_with_its_own_number(drill, drill_world, points, verdict):
    levels = [[4, "axis", "decisive"], [3, "axis", "marginal"], [2, "draw", "draw"], [1, "soviet", "marginal"],
              [0, "soviet", "decisive"]]  # fmt: skip
    cities = {"paris": 1, "lyon": 1, "reims": 1, "metz": 1}
    d = drill(scenario=drill_world("ladder", city_points=cities, victory={"levels": levels}))
    for key in list(cities)[:points]:
        d.s.control[d.world.theatre.places[key]] = 1
    assert victory.by_points(d.s, True) == verdict
    assert victory.by_points(d.s, False) is None


@pytest.mark.rule("scenario-fall-gelb")
def test_fall_gelb_counts_axis_conquests_only(drill, drill_world):
    d = drill(scenario=drill_world("gelb", victory={"in_time": 3}))
    for country in ("belgium", "netherlands"):
        d.s.conquered[COUNTRIES.index(country)] = 3
    assert victory.fall_gelb(d.s, True) == (1, "decisive")


@pytest.mark.rule("scenario-atlantic")
@pytest.mark.parametrize(("track", "values", "winner"), [
    (0, (9, 9), 1), (1, (9, 9), 0), (0, (9, 8, 9), None), (1, (9, 8, 9), None), (1, (9,), None),
])  # fmt: skip
def test_nine_must_stand_at_two_end_phases_running(drill, drill_world, track, values, winner):
    d = drill(scenario=drill_world("sea", victory={"levels": [[-9, "draw", "draw"]]}, verdict="atlantic"))
    for value in values:
        d.s.fac_lost[track] = value
        victory.check_victory(d.s, Match())
    assert (d.s.outcome[0] if d.s.outcome else None) == winner


@pytest.mark.rule("scenario-two-fronts")
@pytest.mark.parametrize("captor", [1, 2])
def test_the_captor_of_berlin_wins_a_tie(drill, drill_world, captor):
    name = drill_world("race", city_points={"paris": 3, "lyon": 3}, victory={"march": 3, "liberated": 9, "fortress": 0})
    d = drill(scenario=name).own("0309", "western").own("0611", "soviet")
    d.s.control[d.hex("0202")] = captor + 1
    assert victory.two_fronts(d.s, False) == (captor, "marginal")


# ---- set-up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("scenario-barbarossa", "scenario-fall-gelb", "scenario-two-fronts", "scenario-atlantic")
def test_units_start_with_the_strength_and_sorties_of_their_scenario():
    for name in GAME.scenarios:
        s = GAME.setup(name, {}, "x")
        units = world(s).units
        assert [(s.reduced[n], s.sorties[n]) for n in range(len(units))] == [(u.reduced, u.sorties) for u in units]
    s = GAME.setup("barbarossa", {}, "x")
    units = world(s).unit_ids
    assert [s.reduced[units[u]] for u in ("su-8", "su-27", "de-18")] == [1, 0, 0]
    assert [s.sorties[units[u]] for u in ("su-vnw", "su-vw", "su-vsw")] == [3, 4, 2]


def entry(number, kind, place, **more):
    return {
        "id": f"u{number}",
        "name": "x",
        "country": "germany",
        "type": kind,
        "place": place,
        "src": "proposed",
    } | more


@pytest.mark.rule("setup-fallback", "stacking")
def test_a_second_ship_goes_to_the_next_port(drill, drill_world):
    d = drill(scenario=drill_world("fleet", unit=[entry(1, "warship", "hamburg"), entry(2, "carrier", "hamburg")]))
    assert (d.at("u1"), d.at("u2")) == ("0702", "0704")


@pytest.mark.rule("setup-fallback")
def test_armies_are_placed_first_so_that_the_others_know_where_the_enemy_is(drill, drill_world):
    units = [entry(1, "fighter", "essen"), entry(2, "fighter", "essen"), entry(3, "infantry", "0401", country="france")]
    d = drill(scenario=drill_world("surprised", unit=units, held={"0401": "western"}))
    assert d.at("u1") == "0504"
    distance = d.world.theatre.grid.distance
    assert distance(d.s.at[d.unit("u2")], d.hex("0401")) == 1 + distance(d.hex("0504"), d.hex("0401"))


@pytest.mark.rule("control")
def test_control_at_the_start(drill, drill_world):
    units = [entry(1, "infantry", "0407"), entry(2, "infantry", "0411", country="france")]
    d = drill(scenario=drill_world("front", unit=units, contested=["france"], held={"lyon": "axis"}))
    assert [d.s.control[d.hex(h)] for h in ("0202", "0408", "0410", "0611", "0805")] == [1, 1, 2, 1, 0]
    d = drill(scenario=drill_world("peace", unit=[]))
    assert [d.s.control[d.hex(h)] for h in ("0202", "0408", "0410", "0611", "1004")] == [1, 2, 2, 2, 2]


@pytest.mark.rule("fac-lost-start")
@pytest.mark.parametrize("value", [0, 10])
def test_fac_lost_starts_from_one_to_nine(drill_world, value):
    with pytest.raises(DataError, match=f"{value} is not from 1 to 9"):
        drill_world("broken", fac_lost={"uk": value})


@pytest.mark.rule("supply-sources")
def test_friendly_edges_are_land_on_the_rim(drill, drill_world):
    d = drill(scenario=drill_world("rim", edges={"western": ["east"], "axis": ["north"]}))
    names = {side: [d.world.hex_names[h] for h in hexes] for side, hexes in d.world.edges.items()}
    assert names[1] == [f"{row:02d}12" for row in (1, 2, 3, 4, 5, 6, 7, 10, 11)]
    assert names[0] == [f"01{col:02d}" for col in range(1, 13)]


@pytest.mark.rule("countries", "factions")
def test_a_scenario_may_let_a_unit_fight_for_another_faction(drill, drill_world):
    d = drill(scenario=drill_world("exiles", unit=[entry(1, "infantry", "berlin", country="france", faction="axis")]))
    assert (d.world.units[0].country, d.world.units[0].faction, d.at("u1")) == ("france", 0, "0202")
