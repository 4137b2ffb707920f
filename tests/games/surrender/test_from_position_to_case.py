"""What the dice get is what lies on the map: every fact of a position reaches the tally, for the right side."""

import pytest

from grognard.games.surrender.frames import AirCombat, StrategicCombat
from grognard.games.surrender.rules.strategic_warfare import strategic_case
from grognard.games.surrender.rules.tally import tally


def lines(d, role="attacker", combat=0):
    """A side's tally as told: rule and amount, `/2` for a division."""
    return dict(d.events("modifiers")[combat][role])


def attack(d, unit, order, *more):
    return d.operations().dice(1, 1).do(f"activate {unit}", order, *more)


# ---- ground ------------------------------------------------------------------------------------------------------

BORDER = "0409: DE tank\n0410: FR tank"  # the attacker under the western sky, the defender under the eastern one


@pytest.mark.rule("ground-drm-tank-good", "ground-drm-tank-poor", "ground-drm-attack-poor", "ground-halve-severe")
@pytest.mark.parametrize(("weather", "attacker", "defender"), [
    ("gpg", {"ground-drm-german": 2, "ground-drm-tank-good": 2}, {"ground-drm-fr-uk-us": 1, "ground-drm-tank-good": 2}),
    ("ggp", {"ground-drm-german": 2, "ground-drm-tank-poor": 1, "ground-drm-attack-poor": -2},
     {"ground-drm-fr-uk-us": 1, "ground-drm-tank-poor": 1}),
    ("ggs", {"ground-drm-german": 2, "ground-halve-severe": "/2"},
     {"ground-drm-fr-uk-us": 1, "ground-halve-severe": "/2"}),
])  # fmt: skip
def test_the_weather_is_that_of_the_defenders_hex(drill, weather, attacker, defender):
    d = attack(drill(BORDER, weather=weather), "DE-tank-1", "attack 0410")
    assert lines(d) == attacker
    assert lines(d, "defender") == defender


@pytest.mark.rule("ground-drm-city-difficult")
@pytest.mark.parametrize(("start", "target", "drm"), [
    ("0306", "0307", -1), ("0404", "0405", -1), ("0505", "0405", -1), ("0405", "0404", 0), ("0307", "0306", 0),
])  # fmt: skip
def test_terrain_is_that_of_the_defenders_hex(drill, start, target, drm):
    d = attack(drill(f"{start}: IT infantry\n{target}: BE infantry"), "IT-infantry-1", f"attack {target}")
    assert lines(d) == ({"ground-drm-city-difficult": drm} if drm else {})


@pytest.mark.rule("ground-drm-strait", "ground-drm-river-canal-mountain")
@pytest.mark.parametrize(("start", "target", "rule", "drm"), [
    ("0305", "0306", "ground-drm-river-canal-mountain", -1), ("0205", "0206", "ground-drm-river-canal-mountain", -1),
    ("0105", "0106", "ground-drm-river-canal-mountain", -1), ("0505", "0506", "ground-drm-strait", -2),
])  # fmt: skip
def test_the_hexside_is_the_one_attacked_across(drill, start, target, rule, drm):
    d = attack(drill(f"{start}: IT infantry\n{target}: BE infantry"), "IT-infantry-1", f"attack {target}")
    assert lines(d) == {rule: drm}
    assert lines(d, "defender") == {}


@pytest.mark.rule("ground-drm-strait", "ground-drm-river-canal-mountain", "ground-drm-scope")
@pytest.mark.parametrize(("lead", "strait"), [("IT-infantry-1", True), ("IT-infantry-2", False)])
def test_r_10_only_the_principals_hexside_counts(drill, lead, strait):
    d = drill("0505: IT infantry\n0507: IT infantry\n0506: BE infantry").operations().dice(1, 1)
    d.do("activate IT-infantry-1", "assault 0506", "join IT-infantry-2", f"lead {lead}")
    assert ("ground-drm-strait" in lines(d)) is strait
    assert lines(d)["assault-drm-extra-other"] == 1


@pytest.mark.rule("ground-drm-reduced", "ground-drm-low-supply", "ground-halve-unsupplied")
def test_strength_and_supply_are_the_units_own(drill):
    d = attack(drill("0405: IT infantry r low\n0406: BE infantry none"), "IT-infantry-1", "attack 0406")
    assert lines(d) == {"ground-drm-reduced": -2, "ground-drm-low-supply": -2}
    assert lines(d, "defender") == {"ground-halve-unsupplied": "/2"}
    d = attack(drill("0405: IT infantry none\n0406: BE infantry r low"), "IT-infantry-1", "assault 0406")
    assert lines(d) == {"ground-halve-unsupplied": "/2"}
    assert lines(d, "defender") == {"ground-drm-reduced": -2, "ground-drm-low-supply": -2}


@pytest.mark.rule("ground-drm-air-good", "ground-drm-air-poor")
@pytest.mark.parametrize("side", ["axis", "western"])
def test_air_support_is_for_the_side_that_flies(drill, side):
    flier = {"axis": "DE-fighter-1", "western": "FR-fighter-1"}[side]
    d = drill("0405: IT infantry\n0406: BE infantry\n0304: DE fighter\n0307: FR fighter").operations().dice(1, 1)
    d.do("activate IT-infantry-1", "attack 0406", f"{side}> send {flier}", "axis> ready", "western> ready")
    assert ("ground-drm-air-good" in lines(d)) is (side == "axis")
    assert ("ground-drm-air-good" in lines(d, "defender")) is (side == "western")


@pytest.mark.rule("assault-drm-add", "assault-drm-extra-tank-shock", "assault-drm-extra-other")
@pytest.mark.parametrize(("option", "rule", "drm"), [
    ("2", "assault-drm-extra-tank-shock", 2), ("1", "assault-drm-extra-other", 1),
])  # fmt: skip
def test_additional_attackers_add_their_lines_under_either_reading_of_r_01(drill, option, rule, drm):
    text = "0405: IT infantry\n0306: IT tank\n0406: BE infantry"
    d = drill(text, weather="gpg", options={"extra-armour-poor": option}).operations().dice(1, 1)
    d.do("activate IT-infantry-1", "assault 0406", "join IT-tank-1", "lead IT-infantry-1")
    assert lines(d) == {"ground-drm-attack-poor": -2, rule: drm}


# An army in the fort of Metz with enemies all round and no friend beside it.
RING = "0406: IT infantry\n0308: IT infantry\n0508: IT infantry\n0407: BE infantry"


@pytest.mark.rule("ground-drm-isolated", "ground-halve-fort")
def test_forts_and_islands_are_read_from_the_map(drill, drill_world):
    d = attack(drill(RING).own("0307", "axis"), "IT-infantry-1", "assault 0407", "launch")
    assert lines(d) == {"ground-drm-isolated": 2, "ground-drm-city-difficult": -1, "ground-halve-fort": "/2"}
    assert lines(d, "defender") == {}
    name = drill_world("malta", islands=("0407",))
    d = attack(drill(RING, scenario=name).own("0307", "axis"), "IT-infantry-1", "assault 0407", "launch")
    assert lines(d) == {"ground-drm-city-difficult": -1, "ground-halve-fort": "/2"}
    d = attack(drill("0405: IT infantry\n0406: BE infantry"), "IT-infantry-1", "assault 0406")
    assert lines(d) == {}  # no fort, and a way out


@pytest.mark.rule("amphib-drm-base", "amphib-drm-naval-good", "amphib-drm-naval-poor")
@pytest.mark.parametrize(("weather", "ship", "naval"), [
    ("ggg", True, {"amphib-drm-naval-good": 2}), ("gpg", True, {"amphib-drm-naval-poor": 1}), ("ggg", False, {}),
])  # fmt: skip
def test_naval_support_needs_a_ship(drill, weather, ship, naval):
    d = drill("1007: UK convoy | UK infantry | UK warship\n0705: IT infantry", side="western", weather=weather)
    d.operations().dice(1, 1).do("activate UK-convoy-1", "load UK-infantry-1", "invade 0705")
    d.do(*(["support UK-warship-1"] if ship else ["launch"]))
    poor = {"ground-drm-attack-poor": -2} if weather == "gpg" else {}
    assert lines(d) == {"ground-drm-fr-uk-us": 1, "amphib-drm-base": -1} | naval | poor
    assert d.s.sorties[d.unit("UK-warship-1")] == int(ship)


@pytest.mark.rule("event-airdrop", "ground-drm-event", "ground-drm-river-canal-mountain")
@pytest.mark.parametrize(("start", "target", "river"), [("0305", "0306", False), ("0105", "0106", True)])
def test_an_airdrop_bridges_the_river_attacked_across(drill, start, target, river):
    d = drill(f"{start}: IT infantry\n{target}: BE infantry", markers={"axis": {"airdrop": 1}}).operations()
    d.do("activate IT-infantry-1", f"assault {target}", "commit airdrop").dice(1, 1).do("ready")
    assert lines(d)["ground-drm-event"] == 1
    assert ("ground-drm-river-canal-mountain" in lines(d)) is river


@pytest.mark.rule("seq-6-lookup")
def test_the_attackers_value_is_the_column_of_the_table(drill):
    d = drill("0405: DE tank e\n0406: FR infantry").operations().dice(6, 1).do("activate DE-tanke-1", "attack 0406")
    assert {k: d.events("result")[0][k] for k in ("column", "row", "code")} == {"column": 11, "row": 2, "code": "DE"}
    d = drill("0405: IT infantry r\n0406: FR tank").operations().dice(3, 6).do("activate IT-infantry-1", "attack 0406")
    assert {k: d.events("result")[0][k] for k in ("column", "row", "code")} == {"column": 1, "row": 9, "code": "AA"}


# ---- air and sea -------------------------------------------------------------------------------------------------


def strike(drill, text, attacker, defender, hex, **more):
    d = drill(text, **more).dice(3, 3)
    return d.enter(
        AirCombat(mission="air_strike", hex=d.hex(hex), attacker=d.unit(attacker), defender=d.unit(defender))
    )


@pytest.mark.rule("air-drm-england")
@pytest.mark.parametrize(("base", "target", "drm"), [
    ("0707", "1004", 2), ("1002", "1004", 0), ("0707", "0607", 0),
])  # fmt: skip
def test_england_is_where_both_units_are_based(drill, base, target, drm):
    d = strike(drill, f"{base}: IT fighter\n{target}: UK fighter", "IT-fighter-1", "UK-fighter-1", target)
    assert lines(d, "defender").get("air-drm-england", 0) == drm
    assert "air-drm-england" not in lines(d)


@pytest.mark.rule("air-drm-sorties", "air-drm-low-supply", "air-halve-unsupplied")
def test_wings_fight_with_their_own_sorties_and_supply(drill):
    d = strike(drill, "0304: IT fighter s3 low\n0307: FR fighter s1 none", "IT-fighter-1", "FR-fighter-1", "0307")
    assert lines(d) == {"air-drm-sorties": -3, "air-drm-low-supply": -2}
    assert lines(d, "defender") == {"air-drm-sorties": -1, "air-halve-unsupplied": "/2"}


@pytest.mark.rule("air-drm-sea-poor", "air-halve-sea-severe", "sea-hex")
@pytest.mark.parametrize(("hex", "weather", "line"), [
    ("0707", "gpg", {"air-drm-sea-poor": -2}), ("0707", "gsg", {"air-halve-sea-severe": "/2"}), ("0707", "ggg", {}),
    ("0607", "gpg", {}), ("0607", "gsg", {}),
])  # fmt: skip
def test_a_coast_counts_as_sea_for_both_sides(drill, hex, weather, line):
    d = strike(drill, f"0504: IT fighter\n{hex}: FR fighter", "IT-fighter-1", "FR-fighter-1", hex, weather=weather)
    assert lines(d) == lines(d, "defender") == line


@pytest.mark.rule("air-drm-carrier-good", "air-drm-carrier-poor", "air-drm-carrier-severe")
@pytest.mark.parametrize(("weather", "line"), [
    ("gpg", {"air-drm-carrier-good": 2}), ("ggp", {"air-drm-carrier-poor": 1, "air-drm-sea-poor": -2}),
    ("ggs", {"air-drm-carrier-severe": -1, "air-halve-sea-severe": "/2"}),
])  # fmt: skip
def test_r_14_a_carrier_has_the_weather_of_the_combat_hex(drill, weather, line):
    text = "1008: IT fighter\n1010: FR carrier"  # the striker under the western sky, the carrier under the eastern one
    d = strike(drill, text, "IT-fighter-1", "FR-carrier-1", "1010", weather=weather)
    assert lines(d, "defender") == {"air-drm-french-naval": 1} | line


@pytest.mark.rule("air-drm-air-vs-naval")
@pytest.mark.parametrize(("option", "flies"), [("off", False), ("on", True)])
def test_r_13_as_an_option_of_the_game(drill, option, flies):
    d = drill("1007: UK carrier\n0702: IT warship", options={"carrier-flies": option}).dice(3, 3)
    ships = {"attacker": d.unit("UK-carrier-1"), "defender": d.unit("IT-warship-1")}
    d.enter(AirCombat(mission="interdiction_naval", hex=d.hex("0806"), **ships))
    assert ("air-drm-air-vs-naval" in lines(d)) is flies


@pytest.mark.rule("air-strike")
def test_a_strike_is_fought_over_its_target(drill):
    d = drill("0304: DE fighter\n0307: FR fighter").operations().dice(3, 3)
    d.do("activate DE-fighter-1", "strike FR-fighter-1")
    assert d.events("air-combat")[0]["hex"] == "0307"


@pytest.mark.rule("seq-3-air-battle", "air-support-range")
def test_the_air_battle_is_fought_over_the_defenders_hex(drill):
    d = drill("0405: DE tank\n0406: FR infantry\n0304: DE fighter\n0309: FR fighter").operations().dice(1, 1, 1, 1)
    d.do("activate DE-tank-1", "attack 0406", "axis> send DE-fighter-1", "western> send FR-fighter-1", "axis> ready")
    assert d.do("western> ready").events("air-combat")[0]["hex"] == "0406"


# ---- strategic ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("strategic-drm-axis-stack", "strategic-drm-axis-atlantic")
@pytest.mark.parametrize(("option", "drm"), [("line", 2), ("zone", 6)])
def test_r_18_as_an_option_of_the_game(drill, drill_world, option, drm):
    name = drill_world("bases", axis_port_zones=[1, 2, 7])
    d = drill(scenario=name, options={"port-lines": option}).dice(3, 3).enter(StrategicCombat(versus=1))
    assert lines(d) == {"strategic-drm-axis-atlantic": drm}


@pytest.mark.rule("strategic-drm-axis-atlantic", "control")
def test_only_ports_that_the_axis_holds_count(drill, drill_world):
    d = drill()
    for port in ("0702", "0704"):
        d.own(port, "western")
    assert strategic_case(d.s, StrategicCombat(versus=1)).axis_port_zones == frozenset()


@pytest.mark.rule("strategic-drm-west-usa")
@pytest.mark.parametrize("joined", [0, 1])
def test_the_americans_count_from_the_month_they_join(drill, joined):
    d = drill().dice(3, 3)
    d.s.usa_western = joined
    assert ("strategic-drm-west-usa" in lines(d.enter(StrategicCombat(versus=1)), "defender")) is bool(joined)


@pytest.mark.rule("strategic-drm-soviet-conquered")
def test_countries_conquered_by_the_axis_before_and_in_the_game(drill, drill_world):
    from grognard.games.surrender.rules.economy import COUNTRIES

    d = drill(scenario=drill_world("occupied", conquered_allied=3))
    d.s.conquered[COUNTRIES.index("romania")] = 3  # by the Soviets
    case = strategic_case(d.s, StrategicCombat(versus=2))
    assert (case.conquered_allied, tally(case, "defender").sum) == (3, 1)
    d.s.conquered[COUNTRIES.index("france")] = 1
    case = strategic_case(d.s, StrategicCombat(versus=2))
    assert (case.conquered_allied, tally(case, "defender").sum) == (4, 2)


@pytest.mark.rule("strategic-drm-soviet-13")
@pytest.mark.parametrize(("kind", "counts"), [("fighter", True), ("bomber", True), ("warship", False)])
def test_only_soviet_aircraft_watch_the_ore_route(drill, kind, counts):
    d = drill().own("0712", "soviet")
    d.put("0712", ["SU", kind])
    assert strategic_case(d.s, StrategicCombat(versus=2)).soviet_air_in_13 is counts
