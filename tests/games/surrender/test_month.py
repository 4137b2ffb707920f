"""The rest of the month: weather, strategic warfare, supply, economy, logistics, events, conquest, victory."""

import pytest

from grognard.games.surrender.frames import Logistics, Match, StrategicCombat, SupplyPhase
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.calendar import date_of, season, weather_for
from grognard.games.surrender.rules.economy import COUNTRIES, collect, income, lose_points, usable_factories
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.strategic_warfare import (
    axis_port_zones,
    clear_bombed,
    strategic_case,
    versus_soviets,
    versus_west,
)  # fmt: skip
from grognard.games.surrender.rules.tally import tally

# ---- calendar and weather ----------------------------------------------------------------------------------------


@pytest.mark.rule("turn-month")
def test_turn_month(drill, drill_world):
    d = drill(scenario=drill_world("december", start="1941-12"))
    assert [date_of(d.s, turn) for turn in (1, 2, 13)] == [(1941, 12), (1942, 1), (1942, 12)]
    assert [season(m) for m in (12, 1, 2, 3, 5, 6, 8, 9, 11)] == [
        "winter", "winter", "winter", "spring", "spring", "summer", "summer", "autumn", "autumn"]  # fmt: skip


@pytest.mark.rule("weather-roll", "weather-words")
def test_weather_roll_reads_the_chart(drill):
    table = {
        1: ("GGPPPS", "PPPSSS", "PSSSSS"), 2: ("GGPPPS", "GPPPSS", "PPSSSS"), 3: ("GGGPPP", "GGPPPS", "PPPPSS"),
        4: ("GGGGGP", "GGGPPP", "GPPPPS"), 5: ("GGGGGG", "GGGGGP", "GGGGPP"), 6: ("GGGGGG", "GGGGGP", "GGGGGG"),
        7: ("GGGGGG",) * 3, 8: ("GGGGGG",) * 3, 9: ("GGGGGG", "GGGGGP", "GGGGGG"), 10: ("GGGGPP", "GGGPPP", "GGPPPS"),
        11: ("GGGPPP", "GPPPPS", "PPPSSS"), 12: ("GGPPPS", "PPPPSS", "PSSSSS"),
    }  # fmt: skip
    for month, zones in table.items():
        for zone, letters in enumerate(zones):
            assert "".join("GPS"[weather_for(zone, month, face)] for face in range(1, 7)) == letters, (month, zone)
    d = drill("0202: DE infantry", month=(1942, 6)).dice(1, 6, 1, 3, 3, 3, 3).month()
    assert list(d.s.weather) == [0, 1, 0]
    assert d.events("weather")[0]["west"] == "poor"
    assert [e["side"] for e in d.events("roll")[:3]] == [0, 0, 0]  # rolled by the Axis


# ---- strategic warfare -------------------------------------------------------------------------------------------


@pytest.mark.rule("strategic-when", "strategic-sides")
def test_strategic_when(drill, drill_world):
    d = drill("0202: DE infantry").dice(1, 1, 1, 3, 3, 3, 3).month()
    assert [e["versus"] for e in d.events("strategic-combat")] == ["western", "soviet"]
    name = drill_world("west-only", factions=["axis", "western"], soviet_at_war="1942-08")
    d = drill(scenario=name)
    assert versus_west(d.s, Match())
    assert not versus_soviets(d.s, Match())
    d.s.soviet_at_war = 1
    assert versus_soviets(d.s, Match())


def strategic_result(drill, dice, versus, code, germany, ally):
    d = drill().dice(*dice)
    for port in ("0702", "0704"):
        d.own(port, "western")
    d.enter(StrategicCombat(versus=versus))
    assert d.events("result")[0]["code"] == code
    assert (d.s.fac_lost[0], d.s.fac_lost[versus]) == (germany, ally)
    assert d.s.fac_lost[3 - versus] == {1: 5, 2: 4}[versus]  # the other Ally does not move


@pytest.mark.rule("strategic-result-NE", "strategic-result-DR", "strategic-result-DD", "strategic-result-DE")
@pytest.mark.parametrize(("dice", "versus", "code", "germany", "ally"), [
    ((3, 3), 1, "NE", 2, 3), ((6, 3), 1, "DR", 2, 5), ((6, 1), 1, "DD", 2, 5),
    ((3, 3), 2, "NE", 2, 4), ((6, 3), 2, "DR", 2, 6),
])  # fmt: skip
def test_strategic_results_of_the_axis_move_the_markers(drill, dice, versus, code, germany, ally):
    strategic_result(drill, dice, versus, code, germany, ally)


@pytest.mark.rule("strategic-result-AS", "strategic-result-AA", "strategic-fac-range")
@pytest.mark.parametrize(("dice", "versus", "code", "germany", "ally"), [
    ((3, 5), 1, "AS", 4, 3), ((1, 6), 1, "AA", 4, 3), ((3, 5), 2, "AS", 4, 4), ((1, 6), 2, "AA", 4, 4),
])  # fmt: skip
def test_strategic_results_of_the_allies_move_the_markers(drill, dice, versus, code, germany, ally):
    strategic_result(drill, dice, versus, code, germany, ally)


@pytest.mark.rule("strategic-result-DE", "strategic-fac-range")
def test_strategic_fac_range():
    assert results.fac_lost_change("DE") == results.fac_lost_change("DD") == (-1, 1)
    assert [results.fac_lost_after(*pair) for pair in ((9, 1), (1, -1), (4, -1), (8, 1))] == [9, 1, 3, 9]


@pytest.mark.rule("map-zones", "strategic-drm-west-13", "strategic-drm-soviet-13", "unit-naval")
def test_zone_13_counts_who_is_in_its_ports(drill):
    def case(text, versus=1):
        d = drill(text)
        return strategic_case(d.s, StrategicCombat(versus=versus))

    assert case("0712: UK carrier").western_in_13
    assert case("0712: UK fighter").western_in_13
    assert not case("0712: UK convoy").western_in_13
    assert not case("0712: UK bomber").western_in_13
    assert not case("0711: UK fighter | UK infantry").western_in_13  # no port
    d = drill()
    d.own("0712", "soviet")
    d.put("0712", ["SU", "fighter"])
    c = strategic_case(d.s, StrategicCombat(versus=2))
    assert c.soviet_air_in_13
    assert tally(c, "defender").sum == 2
    d = drill()
    d.own("0707", "soviet")
    d.put("0707", ["SU", "fighter"])
    assert not strategic_case(d.s, StrategicCombat(versus=2)).soviet_air_in_13  # a port of another zone


@pytest.mark.rule("strategic-drm-axis-atlantic", "strategic-drm-axis-stack")
def test_axis_ports_are_read_from_the_map_and_the_scenario(drill, drill_world):
    d = drill()
    assert axis_port_zones(d.s) == {8}
    d.own("0712", "axis")
    assert axis_port_zones(d.s) == {8, 13}
    d = drill(scenario=drill_world("norway", axis_port_zones=[3, 4]))
    assert axis_port_zones(d.s) == {3, 4, 8}


@pytest.mark.rule("bombed-effect", "factory-germany", "strategic-drm-west-bombed", "economy-pp")
def test_bombed_effect(drill):
    d = drill()
    full = usable_factories(d.s, "germany")
    d.s.bombed[d.hex("0504")] = d.s.bombed[d.hex("0309")] = 1  # Essen, and Paris, which is not in Germany
    assert strategic_case(d.s, StrategicCombat(versus=1)).bombed_german_factories == 1
    assert usable_factories(d.s, "germany") == full - 1
    clear_bombed(d.s, Match())
    assert not any(d.s.bombed)


# ---- supply ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("supply-land", "supply-sources")
def test_supply_land_six_hexes_from_a_city(drill):
    d = drill("0305: DE infantry")
    assert network(d.s, 0).feeds(d.hex("0305"))
    d = drill("0510: DE infantry")
    for hex in ("0506", "0507", "0508", "0509"):
        d.own(hex, "axis")
    assert network(d.s, 0).feeds(d.hex("0510"))  # six from Essen
    d = drill("0511: DE infantry")
    for hex in ("0506", "0507", "0508", "0509", "0510"):
        d.own(hex, "axis")
    assert not network(d.s, 0).feeds(d.hex("0511"))  # seven
    d.own("0607", "axis")  # a friendly city on the way
    assert network(d.s, 0).feeds(d.hex("0511"))


@pytest.mark.rule("supply-land", "ezoc")
def test_supply_land_is_cut_by_zones_and_opened_by_friends(drill):
    d = drill("0409: DE infantry\n0306: FR infantry\n0507: FR infantry")
    for hex in ("0406", "0407", "0408"):
        d.own(hex, "axis")
    d.s.control[d.hex("0407")] = 1
    assert not network(d.s, 0).feeds(d.hex("0409"))
    d.put("0405", ["DE", "tank"])
    d.put("0406", ["DE", "infantry"])
    d.put("0407", ["DE", "infantry"])
    d.put("0408", ["DE", "infantry"])
    assert network(d.s, 0).feeds(d.hex("0409"))


@pytest.mark.rule("supply-sources")
def test_supply_sources_an_encircled_home_city_is_none(drill):
    d = drill("0504: DE infantry")
    assert d.hex("0504") in network(d.s, 0)
    for hex in ("0403", "0404", "0503", "0505", "0603", "0604"):
        d.own(hex, "western")
    assert d.hex("0504") not in network(d.s, 0)
    assert not network(d.s, 0).feeds(d.hex("0504"))
    d = drill("1010: US infantry\n1004: UK infantry", side="western").own("1004", "axis").enter(SupplyPhase(side=1))
    assert d.s.supply[d.unit("US-infantry-1")] == 0  # any English port serves the Americans


@pytest.mark.rule("supply-sources")
def test_supply_sources_friendly_edges(drill, drill_world):
    d = drill("0307: FR infantry", scenario=drill_world("edge", edges={"western": ["east"]})).own("0309", "axis")
    assert network(d.s, 1).feeds(d.hex("0307"))
    d = drill("0307: FR infantry").own("0309", "axis")
    assert not network(d.s, 1).feeds(d.hex("0307"))


@pytest.mark.rule("supply-check", "supply-states", "supply-attrition")
def test_supply_check_level_by_level_then_attrition(drill):
    d = drill("0409: DE infantry | DE fighter")
    unit, wing = d.unit("DE-infantry-1"), d.unit("DE-fighter-1")
    states = []
    for _ in range(4):
        d.enter(SupplyPhase(side=0))
        states.append((d.s.supply[unit], d.s.reduced[unit], d.s.sorties[wing]))
    assert states == [(1, 0, 0), (2, 0, 0), (2, 1, 2), (2, 0, 6)]  # eliminated; the wing flees, and is hungry too
    assert d.at("DE-infantry-1") is None
    d = drill("0304: DE infantry none").enter(SupplyPhase(side=0))
    assert d.s.supply[d.unit("DE-infantry-1")] == 0  # success restores full supply


ISLAND = "1102: UK infantry\n1004: UK convoy\n0707: UK infantry | UK fighter\n0706: UK infantry\n0708: UK infantry"


def overseas(drill, extra=""):
    d = drill(ISLAND + extra, side="western")
    for hex in ("0309", "0607", "0307", "0407", "0611", "0712"):
        d.own(hex, "axis")
    return d


OVERSEAS = ("UK-infantry-2", "UK-infantry-3", "UK-infantry-4", "UK-fighter-1")


@pytest.mark.rule("supply-sea")
def test_supply_sea_one_convoy_serves_three_units_that_its_owner_names(drill):
    d = overseas(drill).enter(SupplyPhase(side=1))
    assert (d.decision(), d.waiting()) == ("ChooseSeaLine", ["western"])
    assert d.legal() == ["no_line", "trace UK-convoy-1"]
    assert d.why("feed UK-infantry-3") == d.why("trace UK-fighter-1") == "supply-sea"
    d.do("trace UK-convoy-1")  # one port in need: no question
    assert d.legal() == [f"feed {unit}" for unit in OVERSEAS]
    d.do("feed UK-infantry-3", "feed UK-fighter-1")
    assert d.why("feed UK-fighter-1") == "supply-sea"
    d.do("feed UK-infantry-2")
    assert d.events("sea-supply")[0]["units"] == ["UK-infantry-2", "UK-infantry-3", "UK-fighter-1"]
    assert [d.s.supply[d.unit(u)] for u in OVERSEAS] == [0, 0, 1, 0]
    d = overseas(drill, "\n1007: UK convoy").enter(SupplyPhase(side=1))
    d.do("trace UK-convoy-2", *(f"feed {unit}" for unit in OVERSEAS[:3]))
    assert d.legal() == ["no_line", "trace UK-convoy-1"]  # each once a month
    d.do("trace UK-convoy-1")  # what is left is served without asking
    assert not any(d.s.supply[d.unit(u)] for u in OVERSEAS)


@pytest.mark.rule("supply-sea")
def test_supply_sea_the_owner_may_decline_and_choose_between_ports(drill):
    d = overseas(drill).enter(SupplyPhase(side=1)).do("no_line")
    assert not d.events("sea-supply")
    assert [d.s.supply[d.unit(u)] for u in OVERSEAS] == [1, 1, 1, 1]
    d = overseas(drill, "\n0710: UK motorised").own("0712", "western")
    d.enter(SupplyPhase(side=1)).do("trace UK-convoy-1")
    assert d.legal() == ["supply_port 0707", "supply_port 0712"]
    assert d.why("no_line") == d.why("supply_port 0704") == "supply-sea"
    d.do("supply_port 0712")
    while d.decision() == "ChooseSeaLine" and d.legal()[0].startswith("feed"):
        d.do(d.legal()[0])
    assert d.events("sea-supply")[0]["hex"] == "0712"


@pytest.mark.rule("supply-sea")
def test_supply_sea_may_be_left_to_the_program(drill):
    d = overseas(drill)
    d.s.chosen["sea-lines"] = "program"
    d.enter(SupplyPhase(side=1))
    assert len(d.events("sea-supply")[0]["units"]) == 3
    assert sum(d.s.supply[d.unit(u)] for u in OVERSEAS) == 1


def all_of_it(d):
    """Trace with every convoy for whoever comes first."""
    while d.decision() == "ChooseSeaLine":
        d.do(d.legal()[-1] if d.legal()[0] == "no_line" else d.legal()[0])
    return d


@pytest.mark.rule("interdiction-supply", "interdiction-supply-level")
def test_interdiction_supply(drill):
    d = all_of_it(overseas(drill, "\n0702: DE warship").enter(SupplyPhase(side=1)))
    d.dice(6, 1).do("no_escort", "axis> intercept DE-warship-1")
    assert d.events("line-cut")
    assert [d.s.supply[d.unit(f"UK-infantry-{n}")] for n in (2, 3, 4)] == [1, 1, 1]
    assert d.s.done[d.unit("UK-convoy-1")]
    d = overseas(drill, "\n0702: DE warship")
    for n in (2, 3, 4):
        d.s.supply[d.unit(f"UK-infantry-{n}")] = d.s.previous[d.unit(f"UK-infantry-{n}")] = 1
    all_of_it(d.enter(SupplyPhase(side=1))).dice(6, 1).do("no_escort", "axis> intercept DE-warship-1")
    assert [d.s.supply[d.unit(f"UK-infantry-{n}")] for n in (2, 3, 4)] == [2, 2, 2]


@pytest.mark.rule("interdiction-supply-once")
def test_interdiction_supply_once_a_month(drill):
    d = overseas(drill, "\n0702: DE warship\n0704: DE fighter\n1007: UK convoy")
    all_of_it(d.enter(SupplyPhase(side=1))).dice(6, 1, 6, 1)
    while d.decision() in ("ChooseInterceptor", "ChooseEscort", "PressHome", "ChooseSeaLine"):
        all_of_it(d)
        if d.decision() not in ("ChooseInterceptor", "ChooseEscort", "PressHome"):
            break
        choices = d.legal()
        d.do(next((c for c in choices if c.startswith(("intercept", "no_escort", "press"))), choices[0]))
    assert max(d.s.supply[d.unit(u)] for u in ("UK-infantry-2", "UK-infantry-3", "UK-infantry-4")) == 1
    assert results.supply_after_failure(0) == 1
    assert results.supply_after_failure(2) == 2


@pytest.mark.rule("atlantic-uk-trace")
def test_atlantic_uk_trace(drill, drill_world):
    name = drill_world("lifeline", lifeline={"zones": [8]})
    text = "1004: UK convoy\n0702: DE warship"
    d = drill(text, scenario=name).enter(SupplyPhase(side=1)).do("axis> let_pass")
    assert d.s.fac_lost[1] == 4
    d = drill(text, scenario=name).enter(SupplyPhase(side=1)).dice(6, 1).do("axis> intercept DE-warship-1")
    assert d.s.fac_lost[1] == 5
    d = drill("0702: DE warship", scenario=name).enter(SupplyPhase(side=1))
    assert d.s.fac_lost[1] == 5  # no convoy
    d = drill("1004: UK convoy s2\n1007: UK convoy\n0702: DE warship", scenario=name).enter(SupplyPhase(side=1))
    assert (d.decision(), d.legal()) == ("ChooseLifeline", ["trace UK-convoy-1", "trace UK-convoy-2"])
    assert d.why("trace UK-warship-1") == "atlantic-uk-trace"
    assert d.do("trace UK-convoy-1", "axis> let_pass").events("lifeline")[0]["convoy"] == "UK-convoy-1"
    d = drill("0702: DE warship", scenario=name)
    d.s.fac_lost[1] = 9
    d.enter(SupplyPhase(side=1))
    assert d.s.fac_lost[1] == 9


# ---- economy and logistics ---------------------------------------------------------------------------------------


@pytest.mark.rule("economy-pp")
def test_economy_pp(drill, drill_world):
    name = drill_world(
        "rich", factories={"germany": 12}, points={"france": 3}, fac_lost={"germany": 3, "uk": 1, "ussr": 1}
    )
    d = drill(scenario=name)
    d.s.bombed[d.hex("0504")] = 1
    assert income(d.s, "germany") == 8
    assert income(d.s, "france") == 1 + 3
    for hex in ("0403", "0404", "0503", "0505", "0603", "0604"):
        d.own(hex, "western")  # Essen cut off; it is bombed anyway
    assert income(d.s, "germany") == 8
    d.s.fac_lost[0] = 9
    d.s.bombed[d.hex("0202")] = 1
    assert income(d.s, "germany") == 1
    d = drill()
    assert income(d.s, "germany") == 0  # never below nothing
    d.own("0309", "axis")
    assert income(d.s, "france") == 0
    collect(d.s, Match())
    assert d.s.points[COUNTRIES.index("uk")] == 0


@pytest.mark.rule("economy-lose")
def test_economy_lose(drill):
    d = drill()
    d.s.points[0] = 7
    lose_points(d.s, Match())
    assert list(d.s.points) == [0] * len(d.s.points)


def logistics(drill, text, points=6, side=0, **more):
    d = drill(text, **more)
    for index in range(len(COUNTRIES)):
        d.s.points[index] = points
    return d.enter(Logistics(side=side))


@pytest.mark.rule("logistics-restore")
def test_logistics_restore(drill):
    d = logistics(drill, "0202: DE infantry r\n0204: DE tank r\n0304: DE infantry r low\n0404: DE infantry")
    assert d.why("restore DE-infantry-2") == "logistics-restore"  # low supply
    assert d.why("restore DE-infantry-3") == "logistics-restore"  # not reduced
    d.do("restore DE-infantry-1", "restore DE-tank-1")
    assert d.s.points[0] == 6 - 1 - 2
    assert not d.s.reduced[d.unit("DE-tank-1")]
    d = logistics(drill, "0202: DE tank r\n0302: DE infantry r", points=1)
    assert d.why("restore DE-tank-1") == "logistics-restore"  # two points
    d.do("restore DE-infantry-1")
    d = logistics(drill, "0202: DE tank r\n0302: DE infantry r", points=4).do("restore DE-tank-1")
    d.s.reduced[d.unit("DE-tank-1")] = 1
    assert d.why("restore DE-tank-1") == "logistics-restore"  # once a month


@pytest.mark.rule("logistics-rebuild")
def test_logistics_rebuild(drill):
    d = drill("0702: DE infantry\n0603: FR infantry")
    for unit in ("DE-tank-1", "DE-infantry-2"):
        d.s.fate[d.unit(unit)] = 2
    for index in range(len(COUNTRIES)):
        d.s.points[index] = 6
    d.enter(Logistics(side=0))
    assert d.why("rebuild DE-infantry-1") == "logistics-rebuild"
    d.do("rebuild DE-tank-1")
    assert d.s.points[0] == 2
    assert d.legal() == ["rebuild_at 0202"]  # Essen lies in EZOC, Hamburg is taken
    assert d.why("rebuild_at 0504") == "logistics-rebuild"
    d.do("rebuild_at 0202")
    assert (d.at("DE-tank-1"), d.s.reduced[d.unit("DE-tank-1")]) == ("0202", 1)
    assert d.s.points[0] == 2


@pytest.mark.rule("logistics-sorties")
def test_logistics_sorties(drill):
    d = logistics(drill, "0202: DE fighter s6\n0504: DE fighter s4 low\n0702: DE warship s3 none")
    assert [d.s.sorties[d.unit(u)] for u in ("DE-fighter-1", "DE-fighter-2", "DE-warship-1")] == [3, 3, 3]
    d.do("rest DE-fighter-1", "rest DE-fighter-1")
    assert d.s.sorties[d.unit("DE-fighter-1")] == 1
    assert d.s.points[0] == 4


@pytest.mark.rule("logistics-reinforce")
def test_logistics_reinforce(drill, drill_world):
    def unit(number, **more):
        return {"id": f"DE-x-{number}", "name": "x", "country": "germany", "type": "infantry", "src": "proposed"} | more

    units = [
        unit(1, arrives="1942-07", place="essen"),
        unit(2, arrives="1942-08"),
        unit(3, arrives="1942-07", place="reims"),
    ]
    d = drill(scenario=drill_world("reinforced", unit=units)).enter(Logistics(side=0))
    assert d.at("DE-x-1") is None
    assert d.s.frames == []  # June: nobody yet
    d.s.turn = 2
    d.enter(Logistics(side=0))
    assert d.legal() == ["deploy 0504"]
    assert d.why("deploy 0202") == "logistics-reinforce"
    d.do("deploy 0504")
    assert d.at("DE-x-1") == "0504"
    assert sorted(d.legal()) == ["deploy 0202", "deploy 0702"]  # Reims is French: any free home city
    d.do("deploy 0202")
    d.s.turn = 3
    d.enter(Logistics(side=0)).do("deploy 0702")
    assert d.at("DE-x-2") == "0702"
