"""What careful readers found: lost ports, silent falls, isolation, interceptors, air strikes, resignations."""

from dataclasses import replace

import pytest

from grognard.games.surrender import scenarios
from grognard.games.surrender.frames import AirCombat, GroundCombat, Match, Mission, StrategicCombat
from grognard.games.surrender.game import GAME
from grognard.games.surrender.loading import drm_rows
from grognard.games.surrender.odds import odds_case, render_case
from grognard.games.surrender.rules.board import take_control
from grognard.games.surrender.rules.ground_combat import ground_case
from grognard.games.surrender.rules.interception import reactors, why_not_intercept
from grognard.games.surrender.rules.results import follow_up
from grognard.games.surrender.rules.retreat import is_isolated
from grognard.games.surrender.rules.strategic_warfare import axis_port_zones, strategic_case
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.rules.victory import conquer
from grognard.games.surrender.state import world
from grognard.kernel import DataError, seed_from

AXIS, WESTERN, SOVIET = range(3)


# ---- strategic war -----------------------------------------------------------------------------------------------


@pytest.mark.rule("strategic-drm-axis-atlantic", "strategic-drm-axis-3-4")
def test_ports_that_are_lost_no_longer_count():
    s = GAME.setup("two-fronts", {}, seed_from(1))
    w = world(s)
    assert {3, 4, 7} <= axis_port_zones(s)  # Bergen, Narvik off the map, Brest
    for hex in w.ports:
        if {3, 7} & set(w.theatre.zones[hex]) and s.control[hex] == AXIS + 1:
            s.control[hex] = WESTERN + 1
    assert not {3, 7} & axis_port_zones(s)
    assert 4 in axis_port_zones(s)  # nobody can take what lies off the map
    assert not {1, 2, 7, 9} & strategic_case(s, StrategicCombat(versus=WESTERN)).axis_port_zones


@pytest.mark.rule("strategic-drm-axis-atlantic")
def test_a_scenario_may_not_give_for_ever_what_is_on_the_map(drill_world):
    with pytest.raises(DataError, match="ports of zone 8: has ports in play: 0702"):
        drill_world("given", axis_port_zones=[4, 8])


PORT_LINES = ("axis-atlantic", "axis-3-4", "axis-6", "axis-31", "axis-32")


@pytest.mark.rule("strategic-drm-axis-31", "strategic-drm-axis-32", "strategic-drm-axis-6")
@pytest.mark.parametrize("line", PORT_LINES)
def test_every_port_line_of_the_sheet_can_occur_in_a_scenario(line):
    row = next(row for row in drm_rows("strategic") if row.rule == f"strategic-drm-{line}")
    for name in GAME.scenarios:
        w = scenarios.world_named(name)
        zones = {z for hex in w.ports for z in w.theatre.zones[hex]} | set(w.off_map_ports)
        if zones & set(row.zones):
            return
    pytest.fail(f"no scenario has a port of {row.zones}")


@pytest.mark.rule("strategic-drm-axis-31", "strategic-drm-axis-32")
def test_suez_and_haifa_open_two_more_seas():
    s = GAME.setup("mediterranean", {}, seed_from(1))
    w = world(s)

    def lines():
        combat = StrategicCombat(versus=WESTERN)
        return {item.rule for item in tally(strategic_case(s, combat), "attacker").items}

    assert not {"strategic-drm-axis-31", "strategic-drm-axis-32"} & lines()
    s.control[w.theatre.places["suez"]] = AXIS + 1
    assert "strategic-drm-axis-31" in lines()
    assert "strategic-drm-axis-32" not in lines()
    s.control[w.theatre.places["haifa"]] = AXIS + 1
    assert "strategic-drm-axis-32" in lines()
    s.control[w.theatre.places["suez"]] = WESTERN + 1
    assert "strategic-drm-axis-31" not in lines()


@pytest.mark.rule("ground-drm-isolated")
def test_malta_is_a_fort_on_an_island_and_never_counts_as_isolated():
    s = GAME.setup("mediterranean", {}, seed_from(1))
    w = world(s)
    malta, garrison = w.theatre.places["malta"], w.unit_number("uk-malta")
    landing = GroundCombat(action="amphibious", hex=malta, attacker=w.unit_number("it-folgore"), defender=garrison)
    case = ground_case(s, landing)
    assert (case.fort, case.island, case.coastal, case.isolated) == (True, True, True, True)
    rules = {item.rule for item in tally(case, "attacker").items}
    assert "ground-drm-isolated" not in rules
    assert "ground-drm-isolated" in {item.rule for item in tally(replace(case, island=False), "attacker").items}


# ---- control -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("control", "air-base")
@pytest.mark.parametrize("guest", ["FR fighter", "UK convoy", "FR bomber | UK warship"])
def test_a_city_falls_aloud_whoever_is_based_there(drill, guest):
    d = drill(f"0706: DE tank\n0707: {guest}").own("0707", "western").operations()
    d.do("activate DE-tank-1", "move 0707")
    assert d.s.control[d.hex("0707")] == AXIS + 1
    assert [e for e in d.events("captured") if e["hex"] == "0707"] == [
        {"hex": "0707", "side": "axis", "rule": "control"}
    ]
    assert len(d.events("fled")) + len(d.events("eliminated")) == guest.count("|") + 1


@pytest.mark.rule("control")
@pytest.mark.parametrize(("hex", "told"), [
    ("0307", True), ("0407", True), ("0707", True), ("0504", True), ("0306", False), ("0406", False),
])  # fmt: skip
def test_control_of_a_city_a_fort_a_port_or_a_factory_is_told(drill, hex, told):
    d = drill()
    taker = WESTERN if d.s.control[d.hex(hex)] == AXIS + 1 else AXIS
    take_control(d.s, d.hex(hex), taker)
    assert d.s.control[d.hex(hex)] == taker + 1
    assert [e["hex"] for e in d.events("captured")] == ([hex] if told else [])
    take_control(d.s, d.hex(hex), taker)
    assert len(d.events("captured")) == told  # nothing changes hands twice


@pytest.mark.rule("conquest")
def test_a_conquered_country_is_told_once_and_not_city_by_city(drill, drill_world):
    name = drill_world("armistice", capitals={"france": "paris"})
    d = drill("0307: DE infantry\n0611: UK fighter", scenario=name)
    for hex in d.world.theatre.cities_of("france"):
        if hex != d.hex("0611"):
            d.s.control[hex] = AXIS + 1
    d.s.events.clear()
    conquer(d.s, Match())
    assert d.events("conquered")
    assert d.s.control[d.hex("0611")] == AXIS + 1
    assert not d.events("captured")


# ---- isolation ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("ground-isolated-def")
@pytest.mark.parametrize(("reading", "isolated"), [("hexsides", True), ("hexes", False)])
def test_r_35_a_friend_across_an_impassable_hexside(drill, reading, isolated):
    text = "0606: FR infantry\n0605: FR infantry\n0507: DE tank\n0607: DE infantry\n0707: DE infantry\n0706: DE tank"
    d = drill(text + "\n0506: DE infantry", options={"isolated-by": reading})
    assert d.world.theatre.side(d.hex("0606"), d.hex("0605")) == 5  # the only friend is behind a wall
    assert is_isolated(d.s, d.unit("FR-infantry-1"), (d.hex("0607"),)) is isolated


# ---- interception ------------------------------------------------------------------------------------------------


@pytest.mark.rule("intercept")
@pytest.mark.parametrize(("reading", "able"), [
    ("fighters", {"UK-fighter-1", "UK-carrier-1"}), ("aircraft", {"UK-fighter-1", "UK-bomber-1"}),
])  # fmt: skip
def test_r_36_who_meets_a_bombing(drill, reading, able):
    text = "1004: UK fighter | UK carrier\n1007: UK bomber | UK warship\n0704: DE bomber"
    d = drill(text, options={"interceptors": reading})
    raid = Mission(kind="bombing", side=AXIS, unit=d.unit("DE-bomber-1"), route=(d.hex("0704"), d.hex("1004")))
    names = {d.world.units[u].id for u in reactors(d.s, raid, WESTERN)}
    assert names == able
    for unit in {"UK-fighter-1", "UK-bomber-1", "UK-carrier-1", "UK-warship-1"} - able:
        assert why_not_intercept(d.s, raid, d.unit(unit)).reason == "only-aircraft"
    convoy = Mission(kind="naval", side=AXIS, unit=d.unit("DE-bomber-1"), route=(d.hex("0804"), d.hex("0904")))
    assert d.unit("UK-bomber-1") in reactors(d.s, convoy, WESTERN)  # ships are met by every aircraft


def unit(nation, kind):
    return {"nation": nation, "type": kind}


@pytest.mark.rule("air-strike", "intercept", "escort-setup", "bombing")
@pytest.mark.parametrize(("mission", "attacker", "defender", "note"), [
    ("air_strike", "warship", "fighter", "air-strike"), ("air_strike", "convoy", "warship", "air-strike"),
    ("air_strike", "bomber", "warship", None),
    ("interdiction_bombing", "convoy", "bomber", "intercept"),
    ("interdiction_bombing", "bomber", "bomber", "intercept"),
    ("interdiction_bombing", "carrier", "bomber", None), ("interdiction_bombing", "fighter", "fighter", "bombing"),
    ("interdiction_naval", "convoy", "warship", "intercept"), ("interdiction_naval", "bomber", "warship", None),
    ("interdiction_naval", "fighter", "fighter", "naval-move"),
    ("interdiction_invasion", "warship", "warship", "invasion"),
    ("interdiction_supply", "carrier", "bomber", "supply-sea"), ("interdiction_supply", "carrier", "convoy", None),
    ("escort", "bomber", "convoy", "escort-setup"), ("escort", "bomber", "fighter", None),
])  # fmt: skip
def test_the_odds_book_notes_who_could_not_do_that(mission, attacker, defender, note):
    case = {"kind": "air", "mission": mission, "attacker": unit("uk", attacker), "defender": unit("germany", defender)}
    answer = odds_case(case)
    assert "error" not in answer
    assert answer.get("notes") == ([note] if note else None)
    for lang, word in (("en", "Note"), ("fr", "Remarque")):
        said = render_case(answer, lang)
        assert (word in said) == bool(note)
        if note:
            assert f"[{note}]" in said
            assert "does not read" not in said


@pytest.mark.rule("interdiction-naval", "transport-full")
def test_interdiction_naval_sends_all_to_port_and_hurts_the_cargo(drill):
    text = "1007: UK convoy | UK warship | UK infantry\n0702: DE warship | DE carrier"
    d = drill(text, side="western").operations()
    d.do("activate UK-convoy-1", "load UK-infantry-1", "sail 1010", "escort UK-warship-1")
    d.dice(6, 1, 6, 1).do("axis> intercept DE-warship-1", "axis> press")
    assert {d.at(unit) for unit in ("UK-convoy-1", "UK-warship-1", "UK-infantry-1")} == {"1007"}
    assert all(d.s.done[d.unit(unit)] for unit in ("UK-convoy-1", "UK-warship-1", "UK-infantry-1"))
    assert d.s.reduced[d.unit("UK-infantry-1")] == 1
    assert not d.events("sailed") or d.events("sailed")[-1]["hex"] == "1007"


# ---- air strikes -------------------------------------------------------------------------------------------------


@pytest.mark.rule("air-effect-strike", "air-effect-route")
def test_air_effect_strike_nothing_is_read_after_the_sorties():
    missions = ("air_strike", "ground_support", "escort", "interdiction_naval", "interdiction_bombing")
    assert [follow_up(mission) for mission in missions] == ["none", "air_support", "escort"] + ["interdiction"] * 2
    case = {"kind": "air", "attacker": unit("germany", "bomber"), "defender": unit("uk", "convoy")}
    effects = odds_case(case | {"mission": "air_strike"})["effects"]
    assert set(effects) == {"attacker_sorties_added", "defender_sorties_added"}
    assert set(odds_case(case | {"mission": "interdiction_supply"})["effects"]) > set(effects)


@pytest.mark.rule("air-effect-strike", "air-strike")
@pytest.mark.parametrize("dice", [(6, 1), (1, 6), (3, 3), (1, 1)])
def test_air_effect_strike_only_sorties_and_the_code_change(drill, dice):
    d = drill("0704: DE bomber\n1004: UK warship | UK infantry r").dice(*dice)
    d.s.supply[d.unit("UK-warship-1")] = d.s.previous[d.unit("UK-warship-1")] = 1
    before = d.s.copy()
    bomber, ship = d.unit("DE-bomber-1"), d.unit("UK-warship-1")
    d.enter(AirCombat(mission="air_strike", hex=d.hex("1004"), attacker=bomber, defender=ship))
    after = d.s.to_json()
    changed = {name for name, value in before.to_json().items() if after[name] != value}
    assert changed <= {"sorties", "air_result", "fought", "loaded", "frames", "draws", "waiting"}
    assert {u for u, n in enumerate(d.s.sorties) if n} <= {bomber, ship}
    assert not any(e.kind in ("interdicted", "escort-result", "fled", "eliminated", "reduced") for e in d.s.events)


# ---- orders of battle --------------------------------------------------------------------------------------------

ELITE = {
    "fall-gelb": "de-kleist uk-bef",
    "barbarossa": "de-pg1 de-pg2 de-pg3 de-pg4 su-1s su-2s su-3s su-4s",
    "mediterranean": "de-dak it-folgore uk-nz",
    "atlantic": "",
    "two-fronts": "de-1para de-1pz de-6pz de-pzw su-11g su-1gt su-2s su-3gt su-3s su-4g su-5gt su-6g su-8g uk-8 us-1 "
    "us-3",
    "channel": "de-guderian de-kleist",
}
WORN = {  # reduced, or with sorties already flown
    "fall-gelb": "fr-9 fr-dcr fr-air:1 uk-aasf:1",
    "barbarossa": "fi-hel hu-bud hu-mob ro-buc su-10 su-11 su-26 su-3 su-30 su-34 su-37 su-4 su-49 su-5 su-5b su-6 "
    "su-8 su-opol su-vnw:3 su-vw:4 su-vsw:2 su-dba:2",
    "mediterranean": "uk-delta uk-ahqm:2",
    "atlantic": "",
    "two-fronts": "de-1 de-14 de-19 de-2pz de-3pz de-norwegen de-warschau de-wbn de-wk1 de-wk10 de-wk17 de-wk3 "
    "de-lf3:2 de-lf6:2 de-lf4:2",
    "channel": "de-cherbourg de-havre",
}
ARRIVALS = {
    "fall-gelb": "fr-6:1 fr-10:1 uk-ii:2",
    "barbarossa": "it-csir:5 su-30:1 su-34:1 su-37:2 su-49:3 su-4tb:3 su-5b:4 su-1s:5 su-3s:5 su-10b:5 su-2s:6 su-4s:6 "
    "su-vpvo:6 su-cav:7",
    "mediterranean": "uk-nz:1 uk-10c:3",
    "atlantic": "de-brest:8 uk-4g:8 us-8af:21",
    "two-fronts": "de-5pz:3 de-1para:3 de-6pz:5 us-mot:1 us-7:2 us-cvy2:2 fr-1:2 us-9:3 us-15:6 su-4g:3 su-3s:4",
    "channel": "",
}
TYPES = {  # infantry, motorised, shock, tank, fighter, bomber, warship, carrier, convoy of the Axis, West and Soviets
    "fall-gelb": ("9.0.0.3.2.1.1.0.1", "12.3.0.1.3.1.2.0.1", "0.0.0.0.0.0.0.0.0"),
    "barbarossa": ("16.1.0.4.3.1.0.0.0", "0.0.0.0.0.0.0.0.0", "25.0.4.5.4.1.2.0.1"),
    "mediterranean": ("6.1.2.2.2.1.1.0.3", "5.1.0.2.2.1.2.0.3", "0.0.0.0.0.0.0.0.0"),
    "atlantic": ("0.0.0.0.3.1.2.0.1", "0.0.0.0.2.3.2.1.2", "0.0.0.0.0.0.0.0.0"),
    "two-fronts": ("25.0.0.5.4.0.1.0.0", "8.2.0.1.3.2.2.0.5", "9.0.4.5.4.0.0.0.0"),
    "channel": ("4.0.0.2.1.0.1.0.0", "3.1.0.0.1.0.1.0.2", "0.0.0.0.0.0.0.0.0"),
}
KINDS = ("infantry", "motorised", "shock", "tank", "fighter", "bomber", "warship", "carrier", "convoy")


@pytest.mark.rule("ground-drm-elite", "unit-ground", "scenario-fall-gelb", "scenario-barbarossa", "scenario-atlantic",
                  "scenario-two-fronts")  # fmt: skip
@pytest.mark.parametrize("name", ELITE)
def test_the_orders_of_battle(name):
    units = scenarios.world_named(name).units
    assert {u.id for u in units if u.elite} == set(ELITE[name].split())
    worn = {u.id for u in units if u.reduced} | {f"{u.id}:{u.sorties}" for u in units if u.sorties}
    assert worn == set(WORN[name].split())
    assert {f"{u.id}:{u.arrives}" for u in units if u.arrives} == set(ARRIVALS[name].split())
    counted = (".".join(str(sum(u.type == kind and u.faction == f for u in units)) for kind in KINDS) for f in range(3))
    assert tuple(counted) == TYPES[name]


# ---- giving up ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("victory-check")
@pytest.mark.parametrize("name", GAME.scenarios)
def test_the_axis_may_give_up_in_every_scenario(name):
    s = GAME.setup(name, {}, seed_from(1))
    assert GAME.winner_over(s, AXIS) in (WESTERN, SOVIET)
    assert GAME.winner_over(s, WESTERN) == AXIS
