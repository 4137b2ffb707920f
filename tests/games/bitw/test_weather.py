"""Chapters 9 and 39: the weather, in movement, supply, flight and combat."""

from dataclasses import replace
from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, Match, Moving
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case
from grognard.games.bitw.rules import air, blitz, combat, fire, supply
from grognard.games.bitw.rules.definitions import ground_zone, port_is_open
from grognard.games.bitw.rules.movement import reach, special_price
from grognard.games.bitw.rules.weather import (
    GOOD,
    KINDS,
    LIGHT_RAIN,
    RAIN,
    SNOW,
    check_weather,
    exits_of,
    is_frozen_port,
    note_conditions,
    stands_snow,
    usual_weather,
    weather_at,
)
from grognard.games.bitw.state import FOUGHT, BitwState
from grognard.games.bitw.world import UNITS, world

from .table import THEATRE, battle, fires, node, position, u

ON = {"advanced": "on"}


def under(
    sky: int, units: str = "", south: int = GOOD, options: dict[str, str] | None = None, **more: Any
) -> BitwState:
    """A position of the Advanced game under some weather."""
    s = position(units, options=ON, **more)
    s.sky, s.south = sky, south
    note_conditions(s)
    return s


def europe(first: str, options: dict[str, str] | None = None, dice: tuple[int, ...] = ()) -> BitwState:
    """The printed map in some month, its weather determined."""
    s = GAME.setup("SBW2", ON | (options or {}), "x")
    s.turn = month_number(first) - month_number("1944-12") + 1
    s.loaded, s.events = dice, []
    check_weather(s, Match())
    return s


def month_number(month: str) -> int:
    year, number = map(int, month.split("-"))
    return 12 * year + number


@pytest.mark.rule("9.0a", "9.0b")
@pytest.mark.parametrize(
    ("month", "dice", "sky"),
    [
        ("1944-12", (), "snow"), ("1945-01", (), "snow"), ("1945-02", (), "snow"), ("1945-03", (), "rain"),
        ("1945-04", (3,), "good"), ("1945-04", (4,), "rain"), ("1945-05", (), "good"), ("1945-06", (), "good"),
        ("1945-09", (), "good"), ("1945-10", (3,), "good"), ("1945-10", (4,), "rain"), ("1945-11", (), "rain"),
    ],
)  # fmt: skip
def test_9_0_the_month_decides_or_a_die(month: str, dice: tuple[int, ...], sky: str) -> None:
    s = europe(month, dice=dice)
    assert KINDS[s.sky] == sky
    rolls = [e for e in s.events or [] if e.kind == "roll"]
    assert len(rolls) == len(dice)
    assert all(e.rule == "9.0a" and e.data["side"] == 0 for e in rolls)


@pytest.mark.rule("9.0b")
def test_9_0b_a_scenario_may_state_its_weather() -> None:
    s = under(GOOD, weather={"months": {"1940-05": "rain"}})
    assert usual_weather(s) == "rain"
    s.turn = 2
    assert usual_weather(s) == "good"


@pytest.mark.rule("9.0a")
def test_9_0a_the_basic_game_has_no_weather() -> None:
    s = GAME.setup("SBW2", {}, "x")
    assert (s.sky, s.south, s.conditions) == (GOOD, GOOD, 0)
    assert GAME.setup("SBW2", ON, "x").sky == SNOW


@pytest.mark.rule("9.0.1", "9.0.2")
def test_9_0_1_the_mediterranean_coast_is_always_fine() -> None:
    s = europe("1945-03")
    t = world(s).theatre
    good = ("palermo", "enna", "cagliari", "ajaccio", "genova", "marseille", "malta", "napoli", "venezia")
    for place in good:
        assert weather_at(s, t.find(place)) == "good", place
    for place in ("milano", "bologna", "brest", "berlin", "lyon", "kiel", "firenze"):
        assert weather_at(s, t.find(place)) == "rain", place


@pytest.mark.rule("9.1")
@pytest.mark.parametrize(("sky", "fed"), [(GOOD, True), (LIGHT_RAIN, False), (RAIN, False), (SNOW, False)])
def test_9_1_bad_weather_shortens_lanes_to_two(sky: int, fed: bool) -> None:
    s = under(sky, "0408: de-26")
    source = frozenset((node("0408"),))
    far = [n for n, distance in enumerate(THEATRE.distances(node("0408"))) if distance == 3 and THEATRE.touch[n]]
    reached = supply.lanes_from(s, 0, source)
    assert any(n in reached for n in far) == fed
    assert any(THEATRE.distances(node("0408"))[n] == 2 for n in reached)


@pytest.mark.rule("9.2a", "9.2c", "39.0b")
@pytest.mark.parametrize(
    ("sky", "prices"),
    [
        (GOOD, {"clear": 1, "forest": 2, "hills": 2, "mountain": 3, "swamp": 3}),
        (LIGHT_RAIN, {"clear": 2, "forest": 3, "hills": 3, "mountain": 3, "swamp": 3}),
        (RAIN, {"clear": 3, "forest": 3, "hills": 3, "mountain": 3, "swamp": 3}),
        (SNOW, {"clear": 2, "forest": 2, "hills": 3, "mountain": 3, "swamp": 2}),
    ],
)
def test_9_2_what_hexes_cost(sky: int, prices: dict[str, int]) -> None:
    s = under(sky)
    seen = set()
    for whence, steps in enumerate(exits_of(s)):
        for other, price in steps:
            if other not in THEATRE.arrows[whence] and other < THEATRE.hexes and not THEATRE.southern[other]:
                assert price == prices[THEATRE.terrain[other]]
                seen.add(THEATRE.terrain[other])
            elif other in THEATRE.arrows[whence]:
                assert price == 3
    assert {"clear", "forest"} <= seen


@pytest.mark.rule("9.2a")
def test_9_2a_in_rain_four_points_are_one_hex() -> None:
    s = under(RAIN, "0508: de-26")
    found = reach(s, u("de-26"), node("0508"), 4)
    assert {cost for n, cost in found.cost.items() if n != node("0508")} == {3}


@pytest.mark.rule("9.2b")
def test_9_2b_in_rain_nobody_flies_missions_but_bases_change() -> None:
    s = under(RAIN, "0308: de-2jd | 0206: fr-6")
    jet, prey = u("de-2jd"), node("0206")
    assert air.why_not_mission(s, jet, prey) is air.GROUNDED_BY_RAIN
    assert air.mission_hexes(s, jet, [prey]) == []
    dry = under(SNOW, "0308: de-2jd | 0206: fr-6")
    assert air.why_not_mission(dry, jet, prey) is not air.GROUNDED_BY_RAIN


@pytest.mark.rule("9.2d", "3.4-port-freeze")
def test_9_2d_white_anchor_ports_freeze_in_snow_only() -> None:
    for month, frozen in (("1945-01", True), ("1945-03", False)):
        s = europe(month)
        t = world(s).theatre
        for place in ("danzig", "stettin", "rostock"):
            assert is_frozen_port(s, t.find(place)) == frozen
            assert port_is_open(s, t.find(place), 0) != frozen
            assert (t.find(place) in supply.open_ports(s, 0)) != frozen
        assert not is_frozen_port(s, t.find("hamburg"))
        keys = [overlay["key"] for overlay in GAME.view(s, 0)["overlays"]]
        assert ("frozen" in keys) == frozen


def dice_of(s: BitwState, at: str, attacker: int = 0) -> dict[tuple[str, str], tuple[int, int]]:
    """What everybody in a hex rolls: by unit and kind of fire, dice and face."""
    c = Combat(hex=node(at), attacker=attacker)
    found = {}
    for unit in [x for x in range(len(UNITS)) if s.place[x] == c.hex]:
        for kind in (fire.AIR, fire.AA, fire.BOMB, fire.GUNS, fire.GROUND):
            for shot in combat.volley_of(s, c, [unit], kind):
                found[UNITS[unit].id, kind] = (shot.dice, shot.face)
    return found


STACK = "0606: de-26 4, de-12a 4, de-jf2 5, fr-6 4, fr-2a 4"


@pytest.mark.rule("9.3a")
def test_9_3a_rain_halves_attackers_and_the_defenders_aa_and_helps_defenders() -> None:
    dry, wet = dice_of(under(GOOD, STACK), "0606"), dice_of(under(RAIN, STACK), "0606")
    assert (dry["de-26", "ground"][0], wet["de-26", "ground"][0]) == (4, 2)
    assert wet["fr-6", "ground"] == (4, dry["fr-6", "ground"][1] - 1)
    assert wet["de-12a", "guns"] == dry["de-12a", "guns"]
    assert (dry["fr-2a", "aa"][0], wet["fr-2a", "aa"][0]) == (2, 1)
    assert wet["de-26", "aa"] == dry["de-26", "aa"]


@pytest.mark.rule("9.3b", "39.0b")
@pytest.mark.parametrize("sky", [SNOW, LIGHT_RAIN])
def test_9_3b_snow_halves_aircraft_aa_and_attackers_but_no_guns(sky: int) -> None:
    stack = STACK.replace("fr-6 4, fr-2a 4", "be-6 3, be-cav 3")
    dry, cold = dice_of(under(GOOD, stack), "0606"), dice_of(under(sky, stack), "0606")
    assert (dry["de-26", "ground"][0], cold["de-26", "ground"][0]) == (4, 2)
    assert (dry["de-jf2", "air"][0], cold["de-jf2", "air"][0]) == (5, 2)
    assert (dry["de-26", "aa"][0], cold["de-26", "aa"][0]) == (4, 2)
    assert cold["de-12a", "guns"] == dry["de-12a", "guns"]
    assert cold["be-6", "ground"] == dry["be-6", "ground"]
    assert cold["be-6", "aa"][0] <= dry["be-6", "aa"][0]


@pytest.mark.rule("9.3b")
@pytest.mark.parametrize(
    ("city", "weather", "dice"), [("major", "snow", 1), ("minor", "rain", 1), ("major", "good", 2)]
)
def test_9_3b_all_aa_includes_that_of_places(city: str, weather: str, dice: int) -> None:
    assert fire.locality_aa(city, 0, True, weather or "good") == dice


@pytest.mark.rule("9.3c")
def test_9_3c_frozen_rivers_hinder_nobody() -> None:
    for sky, crossing in ((GOOD, "river"), (RAIN, "river"), (SNOW, "")):
        s = under(sky, "0605: de-26, fr-6")
        s.origin[u("de-26")] = node("0606")
        c = Combat(hex=node("0605"), attacker=0)
        assert combat.crossing_of(s, c, u("de-26")) == crossing
        assert combat.field_of(s, c).all_cross == crossing


@pytest.mark.rule("9.3d", "9.3e")
@pytest.mark.parametrize(
    ("units", "unit", "dice"),
    [
        ("0509: de-26 4, fr-6", "de-26", 4),  # a German in Germany
        ("0606: de-26 4, fr-6", "de-26", 2),
        ("0606: de-18g 4, fr-6", "de-18g", 4),  # mountain troops anywhere
    ],
)
def test_9_3d_who_stands_the_snow(units: str, unit: str, dice: int) -> None:
    s = under(SNOW, units)
    assert dice_of(s, units[:4])[unit, "ground"][0] == dice
    winterised = replace(UNITS[u("de-26")], traits=frozenset({"winter"}))
    assert not stands_snow(winterised, "NOR")  # a crystal does not help
    assert stands_snow(UNITS[u("no-1")], "GER")
    wet = under(LIGHT_RAIN, units)
    assert dice_of(wet, units[:4])[unit, "ground"][0] == 2


@pytest.mark.rule("7.8e")
@pytest.mark.parametrize("sky", [GOOD, LIGHT_RAIN, RAIN, SNOW])
def test_7_8e_no_blitz_in_bad_weather(sky: int) -> None:
    s = under(sky, "0606: de-19pz 5")
    s.flags[u("de-19pz")] = FOUGHT
    refusal = blitz.why_not_blitz(s, u("de-19pz"))
    assert (refusal is None) == (sky == GOOD)
    assert refusal is None or refusal.rule == "7.8e"


@pytest.mark.rule("39.0a")
@pytest.mark.parametrize(
    ("die", "sky", "south"), [(1, GOOD, GOOD), (2, GOOD, GOOD), (3, LIGHT_RAIN, GOOD), (4, LIGHT_RAIN, GOOD),
                              (5, RAIN, GOOD), (6, RAIN, LIGHT_RAIN)],
)  # fmt: skip
def test_39_0a_the_allies_roll_for_light_rain(die: int, sky: int, south: int) -> None:
    s = europe("1945-04", {"light-rain": "on"}, (die,))
    assert (s.sky, s.south) == (sky, south)
    assert [e.data["side"] for e in s.events or [] if e.kind == "roll"] == [1]


@pytest.mark.rule("39.0a")
def test_39_0a_not_the_same_in_two_variable_months() -> None:
    s = europe("1945-04", {"light-rain": "on"}, (5,))
    assert s.sky == RAIN
    s.turn = 11
    s.loaded = (6, 5, 4)
    check_weather(s, Match())
    assert (s.sky, s.south) == (LIGHT_RAIN, GOOD)


@pytest.mark.rule("14.0-mountain-b", "14.0-cavalry", "14.0-swamp")
def test_14_0_terrain_in_bad_weather() -> None:
    foot, alpine, horse = (UNITS[u(name)] for name in ("de-26", "de-18g", "fr-cav"))
    assert special_price(foot, "mountain", 3, SNOW) > 20
    assert special_price(foot, "mountain", 3, GOOD) == 3
    assert special_price(alpine, "mountain", 3, SNOW) == 2
    assert special_price(horse, "clear", 3, RAIN) == 2
    assert special_price(horse, "hills", 3, SNOW) == 3
    assert special_price(horse, "hills", 3, RAIN) == 2
    tank = fire.Combatant(UNITS[u("de-19pz")], 5, 2, True)
    for weather, rules in (("good", 2), ("snow", 1)):
        field = fire.Field(terrain="swamp", heavy_swamp=True, weather=weather)
        assert len(fire.attack_mali(tank, field, 1)) == rules


@pytest.mark.rule("9.3a", "9.3b")
def test_9_3_the_odds_know_the_weather() -> None:
    case = {"tier": "advanced", "month": "1944-12", "attacker": [{"unit": "us-5"}], "defender": [{"unit": "de-26"}]}
    shares = {}
    for weather in KINDS:
        answer = odds_case(case | {"weather": weather})
        assert "error" not in answer
        shares[weather] = answer["first_round"]
    assert shares["good"] != shares["rain"] != shares["snow"]
    assert odds_case(case | {"weather": "snow", "hex": {"country": "GER"}})["first_round"] == shares["snow"]
    assert odds_case(case | {"weather": "snow", "tier": "basic"})["error"]["rule"] == "7.0a"


@pytest.mark.rule("9.2a")
def test_9_2_remembered_reaches_know_the_weather() -> None:
    s = under(GOOD, "0508: de-26")
    before = reach(s, u("de-26"), node("0508"), 4).cost
    s.sky = RAIN
    note_conditions(s)
    after = reach(s, u("de-26"), node("0508"), 4).cost
    assert len(after) < len(before)
    assert len(supply.lanes_from(s, 0, frozenset((node("0508"),)))) < 40


# Chapter 8


@pytest.mark.rule("8.0a", "3.19d", "9.3c")
def test_8_0a_zones_stop_at_rivers_that_flow() -> None:
    for sky, tier, reaches in ((GOOD, "on", False), (SNOW, "on", True), (GOOD, "off", True)):
        s = position("0606: de-26", options={"advanced": tier})
        s.sky = sky
        note_conditions(s)
        assert (node("0605") in ground_zone(s, 0)) == reaches


@pytest.mark.rule("8.0a", "8.0b")
def test_8_0a_no_zone_in_an_enemy_strongpoint_unless_it_is_surrounded() -> None:
    s = under(GOOD, "0506: de-26")
    strong = next(n for n in THEATRE.touch[node("0506")] if not THEATRE.city[n] and s.owner[n] != 255)
    assert strong in ground_zone(s, 0)
    s.owner[strong] = UNITS[u("fr-6")].power
    s.works[strong] = 1
    assert strong not in ground_zone(s, 0)
    ring = " | ".join(
        f"{THEATRE.names[n]}: {unit}"
        for n, unit in zip(THEATRE.touch[strong], ("de-26", "de-44", "de-38", "de-8", "de-18g", "de-80"))
    )
    s = under(GOOD, ring)
    s.owner[strong] = UNITS[u("fr-6")].power
    s.works[strong] = 1
    assert strong in ground_zone(s, 0)
    basic = position("0506: de-26")
    basic.works[strong] = 1
    assert strong in ground_zone(basic, 0)


@pytest.mark.rule("8.0c")
def test_8_0c_forts_exert_no_zone() -> None:
    s = under(GOOD, "0506: de-fort-calais 7")
    assert not ground_zone(s, 0)
    assert ground_zone(under(GOOD, "0506: de-26"), 0)


def test_weather_in_a_battle_from_the_start() -> None:
    s = under(RAIN, "0606: de-26 4, fr-6 4")
    battle(s, "0606", 0, (1,) * 40)
    assert ("de-26", 2, 6) in fires(s)
    assert isinstance(s.frames[0], Combat | Moving)
