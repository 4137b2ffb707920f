"""Event markers, conquest, victory, and how scenarios are set up."""

import pytest

from grognard.games.surrender.frames import AirCombat, GroundCombat, Match, StrategicCombat
from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules import victory
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.strategic_warfare import (
    strategic_case,
)  # fmt: skip
from grognard.games.surrender.scenarios import world_from
from grognard.kernel import DataError, IllegalAction

# ---- events ------------------------------------------------------------------------------------------------------


def may(drill, marker, faction, frame, **more):
    d = drill(more.pop("text", "0405: DE tank\n0406: FR infantry"), markers={faction: {marker: 1}}, **more)
    turn = more.get("turn", 1)
    d.s.turn = turn
    d.s.frames = [frame(d)]
    from grognard.games.surrender.rules.markers import why_not_marker
    from grognard.games.surrender.world import MARKER_IDS

    refusal = why_not_marker(d.s, d.s.frames[0], d.game.sides.index(faction), MARKER_IDS[marker])
    return refusal.rule if refusal else None


def ground(action="assault", hex="0406", attacker="DE-tank-1", defender="FR-infantry-1"):
    return lambda d: GroundCombat(action=action, hex=d.hex(hex), attacker=d.unit(attacker), defender=d.unit(defender))


def air(hex="1004", attacker="DE-fighter-1", defender="UK-fighter-1"):
    return lambda d: AirCombat(
        mission="air_strike", hex=d.hex(hex), attacker=d.unit(attacker), defender=d.unit(defender)
    )


def strategic(versus):
    return lambda d: StrategicCombat(versus=versus)


@pytest.mark.rule("event-ground-support", "event-surprise", "event-heavy-artillery", "event-airdrop")
def test_ground_markers(drill):
    for side in ("axis", "western"):
        assert may(drill, "ground-support", side, ground()) is None
    assert may(drill, "surprise", "axis", ground("mobile")) is None
    assert may(drill, "surprise", "western", ground("mobile")) == "event-surprise"  # attacker only
    d = drill("0405: DE tank\n0406: FR infantry", markers={"axis": {"surprise": 1}})
    d.s.turn = 2
    d.operations().dice(1, 1).do("activate DE-tank-1", "attack 0406")
    assert len(d.events("result")) == 1  # not offered after the first turn: fought at once
    metz = "0406: DE tank\n0407: FR infantry"
    assert may(drill, "heavy-artillery", "axis", ground(hex="0407"), text=metz) is None
    assert may(drill, "heavy-artillery", "axis", ground()) == "event-heavy-artillery"
    assert may(drill, "airdrop", "axis", ground()) is None
    assert may(drill, "airdrop", "axis", ground("mobile")) == "event-airdrop"
    assert may(drill, "airdrop", "axis", ground(), weather="gpg") == "event-airdrop"


@pytest.mark.rule("event-radar", "event-jets")
def test_air_markers(drill):
    text = "0702: DE fighter | DE warship\n1004: UK fighter\n0707: UK fighter"
    assert may(drill, "radar", "western", air(), text=text) is None
    assert may(drill, "radar", "western", air("0707", defender="UK-fighter-2"), text=text) == "event-radar"
    assert may(drill, "jets", "axis", air(), text=text, month=(1944, 7)) is None
    assert may(drill, "jets", "axis", air(), text=text, month=(1944, 6)) == "event-jets"
    assert may(drill, "jets", "axis", air(attacker="DE-warship-1"), text=text, month=(1944, 7)) == "event-jets"
    d = drill(text, markers={"western": {"radar": 1}}).enter(air()(drill(text))).dice(1, 1).do("commit radar", "ready")
    assert ["air-drm-event", 1] in d.events("modifiers")[0]["defender"]
    d = drill(text, markers={"axis": {"jets": 1}}, month=(1944, 7)).enter(air()(drill(text)))
    d.dice(1, 1).do("commit jets", "ready")
    assert ["air-drm-event", 2] in d.events("modifiers")[0]["attacker"]


@pytest.mark.rule("event-wolfpacks", "event-ultra", "event-partisans", "event-escort-groups")
def test_strategic_markers(drill):
    assert may(drill, "wolfpacks", "axis", strategic(1)) is None
    assert may(drill, "wolfpacks", "axis", strategic(2)) == "event-wolfpacks"
    assert may(drill, "ultra", "western", strategic(1)) is None
    assert may(drill, "escort-groups", "western", strategic(1)) is None
    assert may(drill, "escort-groups", "soviet", strategic(2)) == "event-escort-groups"
    assert may(drill, "partisans", "soviet", strategic(2)) is None
    hands = {"axis": {"wolfpacks": 2}, "western": {"ultra": 1, "escort-groups": 1}, "soviet": {"partisans": 1}}
    d = drill(markers=hands).enter(StrategicCombat(versus=1)).do("axis> commit wolfpacks", "axis> ready")
    d.dice(6, 1).do("western> commit ultra", "western> commit escort-groups", "western> ready")
    lines = d.events("modifiers")[0]
    assert ["strategic-drm-event", 2] in lines["attacker"]
    assert ["strategic-halve-event", "/2"] in lines["attacker"]
    assert lines["defender"] == [["strategic-drm-event", 1]]
    assert d.events("die-halved")[0]["final"] == 4  # six and two, halved
    d = drill(markers=hands).enter(StrategicCombat(versus=2)).dice(3, 3).do("commit partisans", "ready")
    assert d.events("modifiers")[0]["defender"] == [["strategic-drm-event", 1]]


@pytest.mark.rule("event-hand")
def test_event_hand_is_the_scenarios_and_shrinks(drill, drill_world):
    name = drill_world("hand", markers={"axis": {"ground-support": 2}})
    d = drill("0405: DE tank\n0406: FR infantry", scenario=name)
    assert d.game.view(d.s, 1)["markers"]["axis"] == {"ground-support": 2}
    d.operations().do("activate DE-tank-1", "attack 0406").dice(1, 1).do("commit ground-support", "ready")
    assert d.game.view(d.s, 1)["markers"]["axis"] == {"ground-support": 1}


# ---- conquest and victory ----------------------------------------------------------------------------------------


@pytest.mark.rule("conquest")
def test_conquest_of_a_country(drill):
    d = drill("0410: FR infantry\n0310: UK infantry")
    others = [h for h in d.world.theatre.cities_of("france") if h != d.hex("0309")]
    assert len(others) == 5
    d.own("0309", "axis")
    assert victory.conqueror(d.s, "france") == -1
    for hex in others[:2]:
        d.s.control[hex] = 1
    assert victory.conqueror(d.s, "france") == -1
    d.s.control[others[2]] = 1
    assert victory.conqueror(d.s, "france") == 0
    victory.conquer(d.s, Match())
    assert d.at("FR-infantry-1") is None
    assert d.s.fate[d.unit("FR-infantry-1")] == 3
    assert d.at("UK-infantry-1") == "0310"
    assert d.s.control[d.hex("0412")] == 1
    assert strategic_case(d.s, StrategicCombat(versus=2)).conquered_allied == 1
    for hex in d.world.theatre.cities_of("uk"):
        d.s.control[hex] = 1
    assert victory.conqueror(d.s, "uk") == -1
    assert set(charts()["conquest"]["never"]) == {"germany", "uk", "ussr", "usa"}


@pytest.mark.rule("victory-check")
def test_victory_check_ends_the_game(drill, drill_world):
    name = drill_world("short", turns=1, factions=["axis", "western"], verdict="none")
    d = drill("0302: DE infantry", scenario=name).dice(1, 1, 1, 3, 3).month()
    while d.s.waiting:
        d.do("pass" if d.decision() == "Activate" else "done")
    assert d.game.result(d.s).level == "draw"
    with pytest.raises(IllegalAction):
        d.game.apply(d.s, 0, ("pass", ""))


@pytest.mark.rule("scenario-fall-gelb")
def test_scenario_fall_gelb_every_level(drill, drill_world):
    name = drill_world("gelb", victory={"in_time": 3})

    def verdict(*conquered, paris=0, turn=4, last=True):
        d = drill(scenario=name)
        d.s.turn = turn
        for country in conquered:
            d.s.conquered[COUNTRIES.index(country)] = 1
        d.s.control[d.world.theatre.places["paris"]] = paris + 1
        return victory.fall_gelb(d.s, last)

    low = ("belgium", "netherlands")
    assert verdict("france", *low, turn=3, last=False) == (0, "decisive")
    assert verdict("france", *low, turn=4) == (0, "marginal")
    assert verdict(*low) == (0, "marginal")
    assert verdict(*low, paris=1) == (1, "marginal")
    assert verdict("belgium") == verdict("france", "netherlands") == (1, "decisive")
    assert verdict(last=False) is None


@pytest.mark.rule("scenario-barbarossa")
def test_scenario_barbarossa_levels_and_sudden_death(drill, drill_world):
    levels = [[18, "axis", "decisive"], [14, "axis", "marginal"], [11, "draw", "draw"], [7, "soviet", "marginal"],
              [0, "soviet", "decisive"]]  # fmt: skip
    name = drill_world("east", city_points={"paris": 10, "lyon": 4, "reims": 4}, victory={"levels": levels})
    d = drill(scenario=name)
    d.world.theatre.places.update(moscow=d.hex("0607"), leningrad=d.hex("0712"))

    def verdict(*axis, last=True):
        for key in ("paris", "lyon", "reims", "moscow", "leningrad"):
            d.s.control[d.world.theatre.places[key]] = 1 if key in axis else 3
        return victory.barbarossa(d.s, last)

    assert verdict("paris", "lyon", "reims") == (0, "decisive")
    assert verdict("paris", "lyon") == (0, "marginal")
    assert verdict("paris") == (2, "marginal")
    assert verdict() == (2, "decisive")
    assert verdict("moscow", last=False) is None
    assert verdict("moscow", "leningrad", last=False) == (0, "decisive")


@pytest.mark.rule("scenario-atlantic")
def test_scenario_atlantic_levels(drill, drill_world):
    levels = [[4, "axis", "decisive"], [1, "axis", "marginal"], [0, "draw", "draw"], [-3, "western", "marginal"],
              [-9, "western", "decisive"]]  # fmt: skip
    name = drill_world("sea", victory={"levels": levels}, no_ground=True, usa_western="1942-07", verdict="atlantic")
    d = drill("0202: DE infantry | DE fighter", scenario=name)

    def verdict(germany, uk):
        d.s.fac_lost[0], d.s.fac_lost[1] = germany, uk
        return victory.atlantic(d.s, True)

    assert [verdict(*pair) for pair in ((2, 6), (2, 3), (4, 4), (4, 3), (8, 2))] == [
        (0, "decisive"), (0, "marginal"), (None, "draw"), (1, "marginal"), (1, "decisive")]  # fmt: skip
    d.s.fac_lost[1] = 9
    victory.check_victory(d.s, Match())
    assert not d.s.outcome
    victory.check_victory(d.s, Match())
    assert d.s.outcome[:2] == (0, "decisive")
    d = drill("0202: DE infantry | DE fighter", scenario=name).operations()
    assert d.why("activate DE-infantry-1") == "scenario-atlantic"
    assert d.why("activate DE-fighter-1") is None
    d = drill("0202: DE fighter", scenario=name).dice(1, 1, 1, 3, 3, 3, 3).month()
    assert d.s.usa_western == 0
    d.s.turn = 1
    from grognard.games.surrender.rules.calendar import start_month

    start_month(d.s, Match())
    assert d.s.usa_western == 1  # July, as the scenario says


@pytest.mark.rule("scenario-two-fronts")
def test_scenario_two_fronts_berlin_decides(drill, drill_world):
    points = {"paris": 3, "lyon": 3, "essen": 1}
    name = drill_world("fronts", city_points=points, victory={"march": 3, "liberated": 4, "fortress": 1})
    d = drill(scenario=name)

    def verdict(last=False, **holders):
        for key in ("berlin", "paris", "lyon", "essen"):
            d.s.control[d.world.theatre.places[key]] = holders.get(key, 0) + 1
        return victory.two_fronts(d.s, last)

    assert verdict() is None
    assert verdict(berlin=2, paris=1) == (1, "decisive")
    assert verdict(berlin=2, essen=2) is None  # a raid
    assert verdict(berlin=2, essen=2, last=True) == (2, "decisive")
    assert verdict(berlin=1, lyon=2) == (2, "decisive")
    assert verdict(berlin=2, paris=1, lyon=2) == (2, "marginal")  # a tie: its captor
    assert verdict(last=True) == verdict(last=True, essen=1) == (0, "decisive")
    assert verdict(last=True, paris=1) == (0, "marginal")
    assert verdict(last=True, paris=1, essen=2) == (1, "marginal")
    assert verdict(last=True, lyon=2, essen=2) == (2, "marginal")
    assert verdict(last=True, lyon=2, paris=1) == (None, "draw")


@pytest.mark.rule("fac-lost-start")
def test_fac_lost_start_never_below_one(drill, drill_world):
    d = drill()
    assert list(d.s.fac_lost) == [3, 4, 5]
    with pytest.raises(DataError, match="0 is not from 1 to 9"):
        drill_world("broken", fac_lost={"germany": 0})


@pytest.mark.rule("setup-fallback")
def test_setup_fallback_takes_the_nearest_free_hex_away_from_the_enemy(drill, drill_world):
    def unit(n, country, place):
        return {"id": f"u{n}", "name": "x", "country": country, "type": "infantry", "place": place, "src": "proposed"}

    units = [unit(1, "germany", "essen"), unit(2, "france", "0507"), unit(3, "germany", "essen")]
    d = drill(scenario=drill_world("crowded", unit=units))
    assert d.at("u1") == "0504"
    grid = d.world.theatre.grid
    assert grid.distance(d.s.at[d.unit("u3")], d.hex("0504")) == 1
    assert grid.distance(d.s.at[d.unit("u3")], d.hex("0507")) == 4  # the far side
    assert d.game.problems(d.s) == []


@pytest.mark.rule("countries", "unit-ground")
def test_countries_give_units_their_faction(drill):
    d = drill("0202: RO infantry\n0309: UK infantry")
    assert d.world.units[d.unit("RO-infantry-1")].faction == 0
    c = GroundCombat(
        action="mobile", hex=d.hex("0309"), attacker=d.unit("RO-infantry-1"), defender=d.unit("UK-infantry-1")
    )
    from grognard.games.surrender.odds.cases import read_nation
    from grognard.games.surrender.rules.ground_combat import army_of

    assert army_of(d.s, c.attacker).nation == "romania"
    assert read_nation({"nation": "Canadian"}) == "uk"
    assert read_nation({"nation": "Free French"}) == "france"
    from grognard.games.surrender.theatre import theatre_of
    from grognard.hexes import board_from_rows

    bad = {"title": {}, "start": "1942-06", "turns": 1, "factions": [], "control": {}, "home": {}, "fac_lost": {},
           "unit": [{"id": "x", "name": "x", "country": "atlantis", "type": "tank", "src": "proposed"}]}  # fmt: skip
    theatre = theatre_of(board_from_rows(".", {".": "clear"}))
    with pytest.raises(DataError, match="atlantis"):
        world_from(bad, theatre, "bad")
    bad["unit"][0] |= {"country": "germany", "type": "cavalry"}
    with pytest.raises(DataError, match="cavalry"):
        world_from(bad, theatre, "bad")
