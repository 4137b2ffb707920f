"""Corners of ground combat: forts without a city, who is isolated, evacuations, advances, markers, bases, rail."""

import pytest

from grognard.games.surrender.frames import Match, Rail, SupplyPhase
from grognard.games.surrender.rules.board import has_room, in_ezoc, lose_step
from grognard.games.surrender.rules.movement import mobile_cost
from grognard.games.surrender.rules.occupation import nearest_base
from grognard.games.surrender.rules.results import air_support
from grognard.games.surrender.rules.retreat import is_isolated, retreat_hexes, why_not_retreat
from grognard.games.surrender.rules.victory import conquer
from grognard.games.surrender.theatre import step_cost

FIELD = "0405: IT infantry\n0406: FR infantry"
CUT_OFF = "\n0508: DE infantry"  # its zone covers 0507 and 0407


# ---- retreat and isolation ---------------------------------------------------------------------------------------


@pytest.mark.rule("retreat-enemy-city-fort", "retreat-ezoc-haven")
def test_a_fort_without_a_city_shelters_its_friends_only(drill, drill_world):
    name = drill_world("redoubt", forts=("0507",))
    d = drill(FIELD + CUT_OFF, scenario=name)
    unit, at = d.unit("FR-infantry-1"), (d.hex("0405"),)
    assert in_ezoc(d.s, d.hex("0507"), 1)
    assert why_not_retreat(d.s, unit, d.hex("0507"), at) is None  # a haven in EZOC, two hexes away
    d = drill(FIELD, scenario=name).own("0507", "axis")
    assert why_not_retreat(d.s, unit, d.hex("0507"), at).rule == "retreat-enemy-city-fort"
    d = drill(FIELD).own("0507", "axis")
    assert why_not_retreat(d.s, unit, d.hex("0507"), at) is None  # open ground, though the enemy's


@pytest.mark.rule("retreat-limits-move")
def test_retreat_bans_with_their_reasons(drill):
    d = drill("0607: DE infantry\n0707: FR infantry")
    at, unit = (d.hex("0607"),), d.unit("FR-infantry-1")
    assert why_not_retreat(d.s, unit, d.hex("0807"), at).reason == "no-land"
    d = drill(FIELD).own("0507", "soviet")
    assert why_not_retreat(d.s, unit, d.hex("0507"), (d.hex("0405"),)).reason == "third-faction"


@pytest.mark.rule("retreat-one-hex")
def test_no_retreat_of_two_hexes(drill):
    d = drill(FIELD)
    assert why_not_retreat(d.s, d.unit("FR-infantry-1"), d.hex("0308"), (d.hex("0405"),)).rule == "retreat-one-hex"


@pytest.mark.rule("unit-strength", "unit-ground")
def test_a_unit_has_two_steps(drill):
    d = drill("0405: DE tank")
    unit = d.unit("DE-tank-1")
    lose_step(d.s, unit, "unit-strength")
    assert (d.at("DE-tank-1"), d.s.reduced[unit]) == ("0405", 1)
    lose_step(d.s, unit, "unit-strength")
    assert (d.at("DE-tank-1"), d.s.fate[unit]) == (None, 2)


@pytest.mark.rule("ground-isolated-def")
def test_a_friendly_city_next_door_keeps_a_unit_from_isolation(drill):
    text = "0306: IT infantry\n0406: FR infantry\n0606: IT infantry\n0508: IT infantry"
    d = drill(text).own("0407", "axis")
    unit, at = d.unit("FR-infantry-1"), (d.hex("0306"),)
    assert not retreat_hexes(d.s, unit, at)
    assert not is_isolated(d.s, unit, at)  # Reims is next to the attacker: no refuge, but a friend
    d.own("0307", "axis")
    assert is_isolated(d.s, unit, at)


@pytest.mark.rule("ground-isolated-def")
def test_a_friendly_fort_next_door_keeps_a_unit_from_isolation(drill, drill_world):
    for scenario, isolated in ((drill_world("bastion", forts=("0506",)), False), ("drill", True)):
        d = drill(FIELD + CUT_OFF, scenario=scenario).own("0407", "axis").own("0307", "axis")
        unit, at = d.unit("FR-infantry-1"), (d.hex("0405"),)
        assert not retreat_hexes(d.s, unit, at)
        assert is_isolated(d.s, unit, at) is isolated


@pytest.mark.rule("result-DR-fort", "result-DR-blocked", "noretreat-full")
def test_r_08_a_garrison_without_a_way_out_has_no_choice(drill):
    text = "0406: IT infantry\n0308: IT infantry\n0508: IT infantry\n0407: FR infantry"
    d = drill(text, markers={"axis": {"ground-support": 9}}).own("0307", "axis").operations()
    d.do("activate IT-infantry-1", "assault 0407", "launch", *["commit ground-support"] * 9).dice(1, 1).do("ready")
    assert d.events("result")[0]["code"] == "DR"
    assert not d.events("fort-choice")
    assert d.decision() == "Activate"
    assert (d.at("FR-infantry-1"), d.s.reduced[d.unit("FR-infantry-1")]) == ("0407", 1)


# ---- evacuation, advance, markers --------------------------------------------------------------------------------


def doomed(drill, text="0607: DE tank e\n0707: UK infantry", side="western", held=()):
    d = drill(text, markers={side: {"evacuation": 1}})
    for hex in held:
        d.own(hex, "axis")
    return d.operations().dice(6, 1).do("activate DE-tanke-1", "attack 0707")


@pytest.mark.rule("event-evacuation")
def test_evacuation_brings_a_full_unit_home_reduced_to_a_free_english_port(drill):
    d = doomed(drill, "0607: DE tank e\n0707: UK infantry\n1007: UK infantry", held=("1010",))
    assert d.legal() == ["abandon", "evacuate 1004"]
    assert d.why("evacuate 0712") == "event-evacuation"  # friendly, not English
    assert d.why("evacuate 1010") == "event-evacuation"  # English, not friendly
    assert d.why("evacuate 1007") == "event-evacuation"  # an army is there
    d.do("evacuate 1004")
    assert (d.at("UK-infantry-1"), d.s.reduced[d.unit("UK-infantry-1")]) == ("1004", 1)


@pytest.mark.rule("event-evacuation")
def test_evacuation_is_not_for_soviet_units(drill):
    d = doomed(drill, "0607: DE tank e\n0707: SU infantry", side="soviet")
    assert d.at("SU-infantry-1") is None
    assert d.decision() == "GroundOrder"


@pytest.mark.rule("advance", "control")
def test_an_advance_takes_control(drill):
    d = drill(FIELD).operations().dice(4, 1)
    d.do("activate IT-infantry-1", "assault 0406", "retreat 0407", "advance IT-infantry-1")
    assert (d.at("IT-infantry-1"), d.s.control[d.hex("0406")]) == ("0406", 1)


@pytest.mark.rule("no-ezoc")
def test_a_no_ezoc_marker_does_not_help_the_other_side(drill):
    d = drill("0405: DE tank e\n0406: FR infantry r").operations().dice(6, 1)
    d.do("activate DE-tanke-1", "attack 0406")
    assert d.hex("0406") in d.s.no_ezoc
    assert in_ezoc(d.s, d.hex("0406"), 1)  # the tanks still control it


@pytest.mark.rule("air-support-both", "air-support-attacker", "air-support-defender")
def test_air_support_of_every_code():
    assert [air_support(code) for code in ("NE", "DR", "DD", "DE", "AS", "AA")] == [
        (True, True), (True, True), (True, False), (True, False), (True, True), (False, True)]  # fmt: skip


@pytest.mark.rule("air-support-range")
def test_an_ally_of_another_faction_cannot_support(drill):
    d = drill("0409: SU infantry\n0410: DE infantry\n0309: FR fighter\n0408: SU fighter", side="soviet").operations()
    d.do("activate SU-infantry-1", "attack 0410")
    assert d.legal("soviet") == ["ready", "send SU-fighter-1"]
    assert d.why("send FR-fighter-1", "soviet") == "air-support-range"


# ---- movement ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("activation-choice")
def test_no_assault_after_a_mobile_attack(drill):
    d = drill("0405: IT tank\n0406: FR infantry").operations().dice(1, 2).do("activate IT-tank-1", "attack 0406")
    assert d.events("result")[0]["code"] == "NE"
    assert d.why("assault 0406") == "activation-choice"
    assert d.game.why(d.s, 0, ("assault", "0406")).reason == "moved-no-assault"
    assert d.why("attack 0406") is None


@pytest.mark.rule("mobile-cost", "move-cost")
def test_costs_follow_the_weather_of_the_hex_entered_or_attacked(drill):
    west, east = (drill(weather=weather) for weather in ("gpg", "ggp"))
    a, b = west.hex("0409"), west.hex("0410")
    assert (mobile_cost(west.s, a, b), mobile_cost(east.s, a, b)) == (2, 3)
    steps = [step_cost(d.world.theatre, d.s.weather, *way) for d in (west, east) for way in ((a, b), (b, a))]
    assert steps == [1, 2, 2, 1]


@pytest.mark.rule("move-ezoc-to-ezoc", "attack-empty")
def test_an_empty_enemy_city_outside_every_zone_costs_no_surcharge(drill):
    d = drill("0306: DE infantry none\n0205: FR infantry", weather="gpg").operations().do("activate DE-infantry-1")
    assert in_ezoc(d.s, d.hex("0306"), 0)
    assert d.why("move 0307") is None  # both its points, and none for a way round
    assert d.why("move 0206") == "move-cost"  # from zone to zone: five


@pytest.mark.rule("move-through")
def test_own_armies_do_not_bar_the_way(drill):
    d = drill("0101: DE infantry\n0102: DE infantry\n0201: DE infantry").operations().do("activate DE-infantry-1")
    assert d.why("move 0102") == "move-through"
    assert d.why("move 0103") is None  # between two friends in a corner of the map


@pytest.mark.rule("sorties-max", "activation")
def test_worn_out_ships_are_not_activated(drill):
    d = drill("0702: DE warship s6 | DE convoy s5\n0202: DE infantry").operations()
    assert d.why("activate DE-warship-1") == "sorties-max"
    assert d.why("activate DE-convoy-1") is None


@pytest.mark.rule("stacking")
def test_two_factions_never_share_a_hex(drill):
    d = drill("0410: UK fighter")
    assert not has_room(d.s, d.hex("0410"), d.unit("SU-infantry-1"))
    assert has_room(d.s, d.hex("0410"), d.unit("UK-infantry-1"))


# ---- bases lost --------------------------------------------------------------------------------------------------


@pytest.mark.rule("air-base")
def test_aircraft_flee_as_far_as_twice_their_range(drill):
    d = drill("0112: FR fighter")
    for city in ("0307", "0407", "0309", "0611", "0607", "0712", "1004", "1102"):
        d.own(city, "axis")
    wing, here = d.unit("FR-fighter-1"), d.hex("0112")
    assert 5 < d.world.theatre.grid.distance(here, d.hex("1007")) <= 10
    assert nearest_base(d.s, wing, here) == d.hex("1007")


@pytest.mark.rule("naval-port", "control")
def test_ships_flee_from_a_lost_port_to_the_nearest_one_with_room(drill):
    def taken(more="", held=()):
        d = drill("0706: DE tank\n0707: FR warship\n" + more)
        for port in held:
            d.own(port, "axis")
        return d.operations().do("activate DE-tank-1", "move 0707")

    d = taken()
    assert (d.at("FR-warship-1"), d.s.sorties[d.unit("FR-warship-1")]) == ("1007", 2)
    assert taken("1007: UK carrier").at("FR-warship-1") in ("1004", "1010")
    assert taken(held=("0712", "1004", "1007", "1010")).at("FR-warship-1") is None


@pytest.mark.rule("air-base", "event-evacuation", "strategic-move", "transport")
def test_aircraft_do_not_stay_in_an_open_hex_that_their_army_leaves(drill):
    d = drill("0503: DE infantry | DE fighter").enter(Rail(side=0)).do("rail DE-infantry-1", "rail_to 0202")
    assert (d.at("DE-fighter-1"), d.s.sorties[d.unit("DE-fighter-1")]) == ("0504", 2)
    d = drill("1010: UK convoy | UK infantry | UK fighter", side="western").operations()
    d.do("activate UK-convoy-1", "load UK-infantry-1", "sail 1007")
    assert (d.at("UK-fighter-1"), d.at("UK-infantry-1")) == ("0712", "1007")  # Lulea: as near as Plymouth
    d = doomed(drill, "0607: DE tank e\n0707: UK infantry | UK fighter").do("ready", "evacuate 1004")
    assert d.at("UK-fighter-1") not in ("0707", None)
    d = drill("0405: DE tank e\n0406: FR infantry r | FR fighter").operations().dice(6, 1)
    d.do("activate DE-tanke-1", "attack 0406", "ready")
    assert (d.at("FR-infantry-1"), d.at("FR-fighter-1")) == (None, "0307")


@pytest.mark.rule("air-base", "result-AA-reduced", "supply-attrition", "conquest")
def test_aircraft_do_not_stay_in_an_open_hex_where_their_army_dies(drill):
    d = drill("0404: IT infantry r | DE fighter\n0405: FR tank").operations().dice(1, 6)
    d.do("activate IT-infantry-1", "attack 0405", "ready")
    assert d.events("result")[0]["code"] == "AA"
    assert (d.at("IT-infantry-1"), d.at("DE-fighter-1")) == (None, "0504")
    d = drill("0409: DE infantry r none | DE fighter").enter(SupplyPhase(side=0))
    assert d.at("DE-infantry-1") is None
    assert d.at("DE-fighter-1") not in ("0409", None)
    d = drill("0403: FR infantry | UK fighter")
    for hex in d.world.theatre.cities_of("france"):
        d.s.control[hex] = 1
    conquer(d.s, Match())
    assert d.at("FR-infantry-1") is None
    assert d.at("UK-fighter-1") not in ("0403", "0309")


@pytest.mark.rule("control", "naval-port")
def test_an_army_that_passes_through_a_port_drives_its_ships_out(drill):
    d = drill("0706: DE tank\n0707: FR warship").operations().do("activate DE-tank-1", "move 0708")
    assert d.events("move")[0]["path"] == ["0706", "0707", "0708"]
    assert (d.at("FR-warship-1"), d.s.control[d.hex("0707")]) == ("1007", 1)


# ---- rail --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("strategic-move", "stacking", "air-base")
def test_rail_for_whom_and_where_to(drill):
    text = "0504: DE infantry low\n0302: DE fighter\n0702: DE warship | DE infantry\n0203: DE infantry"
    d = drill(text).enter(Rail(side=0))
    assert d.why("rail DE-warship-1") == "strategic-move"
    assert d.why("rail DE-infantry-1") is None  # low supply is enough
    d.do("rail DE-infantry-1")
    assert d.why("rail_to 0607") == "strategic-move"  # a French city
    assert d.why("rail_to 0702") == "stacking"
    d.do("rail_to 0202", "rail DE-fighter-1")
    assert d.why("rail_to 0401") == "strategic-move"  # no city near
    assert d.why("rail_to 0503") == "air-base"  # next to Essen, but no base
    assert d.why("rail_to 0504") is None


@pytest.mark.rule("strategic-move", "scenario-atlantic")
def test_no_army_goes_by_rail_where_there_is_no_ground_war(drill, drill_world):
    name = drill_world("waves", no_ground=True)
    d = drill("0504: DE infantry\n0202: DE fighter", scenario=name).enter(Rail(side=0))
    assert d.why("rail DE-infantry-1") == "scenario-atlantic"
    assert d.why("rail DE-fighter-1") is None


@pytest.mark.rule("strategic-move")
def test_rail_as_many_units_as_the_scenario_says(drill, drill_world):
    d = drill("0504: DE infantry\n0203: DE infantry", scenario=drill_world("single-track", rail_moves=1))
    d.enter(Rail(side=0)).do("rail DE-infantry-1", "rail_to 0202")
    assert d.s.frames == []
