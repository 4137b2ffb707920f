"""Doubtful lines as switches (decision 0335): each reading in play, and in the odds where dice are touched."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case
from grognard.games.bitw.odds.position import case_of, castings, look_odds, voyage_of
from grognard.games.bitw.rules import convoys, radar, recon, resistance, sea, siege
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.combat import field_of
from grognard.games.bitw.rules.opening import OPTIONS, rule_is_on
from grognard.games.bitw.rules.readings import READINGS, words_of
from grognard.games.bitw.rules.supply import check_supply, closed_to_lanes
from grognard.games.bitw.rules.weather import RAIN, note_conditions
from grognard.games.bitw.state import LANDED, MISSION, OOS, POOL, BitwState, put
from grognard.games.bitw.world import UNITS, world
from grognard.kernel import is_on
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for

from .table import act, battle, fires, node, position, set_out, u
from .test_siege import close

ON = {"advanced": "on"}
MISS = (1,) * 60


def readings(name: str) -> Any:
    """Both readings of a line, ours first."""
    found = next(r for r in READINGS if r.name == name)
    return pytest.mark.parametrize("reading", [found.ours, found.other])


def alike(s: BitwState, at: str, attacker: int = 0) -> dict[tuple[str, str], tuple[int, str]]:
    """The first round of a battle in play as the odds book has it: who rolls how many dice at what."""
    case = case_of(s, node(at), attacker, None, castings(s, attacker, node(at))[0])
    assert case is not None
    return {
        (step["step"], shot["unit"]): (shot["dice"], shot["hits_on"])
        for step in odds_case(case, in_play=True)["first_round"]
        for shot in step["shots"]
    }


def test_every_reading_is_an_option_with_words_in_both_languages() -> None:
    options = {o.name: o for o in OPTIONS}
    for r in READINGS:
        o = options[r.name]
        assert (o.choices, o.default, o.rule) == ((r.ours, r.other), r.ours, r.rule)
        assert r.rule in rulebook("bitw")
        for lang in ("en", "fr"):
            texts = texts_for("bitw", lang)
            assert texts.find(f"option.{r.name}")
            assert all(texts.find(f"choice.{r.name}.{c}") for c in o.choices)


def test_readings_nobody_chose_are_no_part_of_a_position() -> None:
    plain = GAME.setup("SBW8", {}, "x")
    chosen = GAME.setup("SBW8", {"natural-one": "hits"}, "x")
    names = {r.name for r in READINGS}
    assert not names & {name for name, _ in plain.options}
    assert names & {name for name, _ in chosen.options} == {"natural-one"}
    assert plain.digest() != chosen.digest()


@pytest.mark.rule("0-tiers")
def test_0_tiers_a_chapter_counts_whatever_the_reading_of_its_lines() -> None:
    chapters = {"sea": "18.1.3", "submarines": "35.2a", "partisans": "29.1e", "recon": "19.1a"}
    s = position(options=ON | dict.fromkeys(chapters, "on"))
    assert all(rule_is_on(s, rule) and is_on(s, rule) for rule in chapters.values())
    assert not any(rule_is_on(position(options=ON), rule) for rule in chapters.values())


# Dice of a battle


@pytest.mark.rule("7.7.6f")
@readings("natural-one")
def test_7_7_6f_a_natural_one(reading: str) -> None:
    fort = "de-fort-cherbourg"
    s = position(f"0604: {fort} 7, de-39pz | 0605: uk-3", options={"natural-one": reading}, first="1945-04")
    s.owner[node("0604")] = UNITS[u("de-39pz")].power
    s.works[node("0604")] = 2
    set_out(s, "uk-3", "0604")
    battle(s, "0604", 1, MISS)
    face = next(face for unit, _, face in fires(s) if unit == "de-39pz")
    assert face == (1 if reading == "hits" else 2)
    table = position(f"0604: {fort} 7, de-39pz, uk-3", options={"natural-one": reading}, first="1945-04")
    table.owner[node("0604")], table.works[node("0604")] = UNITS[u("de-39pz")].power, 2
    assert alike(table, "0604", 1)["ground", "de-39pz"][1] == f"{face}-6"


@pytest.mark.rule("6.3.2b")
@readings("bomber-guns")
def test_6_3_2b_whom_bombers_fire_at_in_the_air(reading: str) -> None:
    def table() -> BitwState:
        s = position(
            "0806: fr-6 | 0510: de-jf2, de-1fk", options={"bomber-guns": reading, "fog": "off"}, first="1943-05"
        )
        put(s, u("uk-3g"), node("0806"))
        s.steps[u("uk-3g")] = 4
        for name in ("de-jf2", "de-1fk"):
            s.base[u(name)] = s.place[u(name)]
            set_out(s, name, "0806")
        for name in ("de-jf2", "de-1fk", "uk-3g"):
            s.flags[u(name)] |= MISSION  # the lone bomber is up: nobody keeps it down
        return s

    s = table()
    battle(s, "0806", 0, MISS)
    up = {e.data["unit"] for e in s.events or [] if e.kind == "fire" and e.rule == "7.7.1b"}
    assert up == {"de-jf2", "uk-3g"} | ({"de-1fk"} if reading == "aircraft" else set())
    assert {unit for step, unit in alike(table(), "0806") if step == "air"} == up


@pytest.mark.rule("6.5c")
@readings("halved-flak")
def test_6_5c_whose_flak_is_halved(reading: str) -> None:
    s = position("0702: it-12 4 | 0505: fr-6 4", options={"halved-flak": reading, "fog": "off"})
    put(s, u("uk-3g"), node("0702"))
    s.steps[u("uk-3g")], s.flags[u("uk-3g")] = 4, MISSION
    told = alike(s, "0702", 1)
    battle(s, "0702", 1, MISS)
    dice = {unit: number for unit, number, _ in fires(s)}
    assert dice["it-12"] == told["aa", "it-12"][0] == (4 if reading == "french" else 2)
    french = position("0505: fr-6 4 | 0510: de-1fk", options={"halved-flak": reading})
    set_out(french, "de-1fk", "0505")
    french.flags[u("de-1fk")] |= MISSION
    battle(french, "0505", 0, MISS)
    assert {unit: number for unit, number, _ in fires(french)}["fr-6"] == 2


@pytest.mark.rule("7.7.2b", "9.3b")
@readings("place-flak")
def test_7_7_2b_the_dice_of_a_city_in_bad_weather(reading: str) -> None:
    s = position("0806: fr-6 | 0510: de-2lf", options=ON | {"place-flak": reading, "recon": "on", "fog": "off"})
    s.sky = RAIN
    note_conditions(s)
    dice = field_of(s, Combat(hex=node("0806"), attacker=0)).aa_dice
    assert dice == (2 if reading == "full" else 1)
    hq.activate(s, u("de-2lf"))
    told = look_odds(s, 0, node("0806"))
    assert told is not None
    assert told["interdiction"]["locality"]["dice"] == dice


@pytest.mark.rule("24.1d")
@readings("landing-defence")
def test_24_1d_a_landing_beside_an_attack_by_land(reading: str) -> None:
    s = position("0604: de-26 | 0605: uk-3 | 0302: uk-30", options=ON | {"landing-defence": reading, "fog": "off"})
    for name, whence in (("uk-3", "0605"), ("uk-30", "0302")):
        set_out(s, name, "0604")
        s.origin[u(name)] = node(whence)
    s.orders[u("uk-30")] |= LANDED
    assert field_of(s, Combat(hex=node("0604"), attacker=1)).landing == (reading == "any")
    case = case_of(s, node("0604"), 1, None, castings(s, 1, node("0604"))[0])
    assert case is not None
    steps = odds_case(case, in_play=True)["first_round"]
    tally = next(
        x["tally"] for step in steps for x in step["shots"] if x["unit"] == "de-26" and step["step"] == "ground"
    )
    assert ({"rule": "24.1d", "bonus": 1} in tally) == (reading == "any")


# The sea, submarines, partisans


@pytest.mark.rule("18.1.3")
@readings("atlantic-six")
def test_18_1_3_a_six_in_the_atlantic_after_maple(reading: str) -> None:
    s = GAME.setup("SBW8", ON | {"sea": "on", "atlantic-six": reading}, "x")
    t = world(s).theatre
    port, end = t.find("liverpool"), t.find("brest")
    path = sea.voyage(t, port, end)
    assert sea.danger(s, 1, ["atlantic"], path) == (6, 7 if reading == "step" else 6)
    unit = u("uk-3")
    put(s, unit, port)
    assert voyage_of(s, unit, end)[1:] == sea.danger(s, 1, ["atlantic"], path)
    case = {"kind": "sea", "side": "allies", "sea": "atlantic", "month": "1944-06", "units": [{"unit": "uk-3"}]}
    told = odds_case(case | {"rulings": words_of(s)})
    assert told["die"] == {"safe": 5, "step": int(reading == "step"), "lost": int(reading != "step"), "rule": "18.1a"}


@pytest.mark.rule("35.2a", "18.2.1")
@readings("submarine-dice")
def test_35_2a_how_many_dice_submarines_roll(reading: str) -> None:
    s = GAME.setup("SBW5", ON | {"submarines": "on", "submarine-dice": reading}, "x")
    s.submarines[:] = bytearray((2, 1, 0))
    s.events = []
    convoys.hunt_convoys(s, PlayerTurn(side=1))
    rolled = [len(e.data["dice"]) for e in s.events or [] if e.kind == "roll"]
    assert rolled == ([1, 1] if reading == "boats" else [2, 1])


@pytest.mark.rule("29.1e")
@readings("brigade-fight")
def test_29_1e_how_long_brigades_fight(reading: str) -> None:
    s = position("0605: de-26 3", options=ON | {"partisans": "on", "brigade-fight": reading}, in_play=["NL"])
    s.partisans = ((node("0605"), 2),)
    s.loaded = (1, 1, 1, 1, 1, 6, 6, 6)  # a round without a hit, then one that decides
    resistance.sweep(s, PlayerTurn(side=0))
    assert bool(s.partisans) == (reading == "round")
    assert len(s.loaded) == (4 if reading == "round" else 0)


# The map


@pytest.mark.rule("13.8.1.2-radar-c")
@readings("radar-over")
def test_13_8_1_2_where_radar_counts(reading: str) -> None:
    s = GAME.setup("SBW5", {"radar-over": reading}, "x")
    t = world(s).theatre
    assert radar.chain(s) != radar.OUT_OF_SERVICE
    fighter = next(x.index for x in UNITS if radar.IS_BRITISH_FIGHTER[x.index])
    assert radar.with_radar(s, fighter, t.find("london"), 1) == 2
    assert radar.with_radar(s, fighter, t.find("paris"), 1) == (2 if reading == "everywhere" else 1)
    s.radar[:] = bytearray(6)
    assert radar.with_radar(s, fighter, t.find("paris"), 1) == 1


@pytest.mark.rule("12.4.1a")
@readings("despair")
def test_12_4_1a_who_surrenders_when_despair_fails(reading: str) -> None:
    s = position("0607: uk-3 4, de-26 2, de-1ss 2", options=ON | {"despair": reading}, first="1944-08")
    c = Combat(hex=node("0607"), attacker=0)
    siege.end_despair(s, c)
    assert s.place[u("de-26")] == node("0607")  # nobody is in despair
    s.flags[u("de-26")] |= OOS
    siege.end_despair(s, c)
    assert s.place[u("de-26")] == POOL
    assert (s.place[u("de-1ss")] == POOL) == (reading == "all")


@pytest.mark.rule("12.2b")
@readings("garrison-end")
def test_12_2b_the_last_step_beside_a_festung(reading: str) -> None:
    fort = next(x.id for x in UNITS if x.is_fort)
    s = position(f"0904: {fort} 7, de-26 3, de-5 1 | 0805: uk-3", options=ON | {"garrison-end": reading})
    act(close(s, fort, "de-26", "de-5", side=0), 0, "endure", "de-26")
    assert s.steps[u("de-26")] == 2
    assert (s.place[u("de-5")], s.steps[u("de-5")] * (reading == "holds")) == (
        (node("0904"), 1) if reading == "holds" else (POOL, 0)
    )
    alone = position("0904: de-5 1 | 0804: uk-3 | 0905: uk-1 | 0805: uk-2", options=ON | {"garrison-end": reading})
    assert close(alone, "de-5", side=0).place[u("de-5")] == POOL  # a siege without a Festung


@pytest.mark.rule("4.3b", "3.19b")
@readings("lane-zones")
def test_4_3b_whose_zones_cut_a_lane(reading: str) -> None:
    s = position("0606: fr-6 | 0707: de-jf2 | 0505: fr-9", options={"lane-zones": reading})
    s.owner[node("0707")] = UNITS[u("de-jf2")].power
    near = [n for n in world(s).theatre.touch[node("0707")] if not s.present[len(s.first_in) + n]]
    assert near
    assert all(bool(closed_to_lanes(s, 1)[n]) == (reading == "any") for n in near)
    before = check_supply(s, 1)
    s.flags[u("de-jf2")] |= MISSION  # one that flies has no zone, whatever was remembered
    assert not any(bool(closed_to_lanes(s, 1)[n]) for n in near)
    assert u("fr-6") not in before


@pytest.mark.rule("4.3b")
@readings("lane-zones")
def test_4_3b_a_unit_behind_enemy_bases_goes_hungry(reading: str) -> None:
    s = position("0609: fr-6 | 0505: fr-9 | 0708: de-jf2", options={"lane-zones": reading})
    for n in world(s).theatre.touch[node("0708")]:
        s.owner[n] = UNITS[u("fr-6")].power
    for name in ("0506", "0507", "0508", "0608", "0607", "0606"):
        s.owner[node(name)] = UNITS[u("fr-6")].power
    assert bool(closed_to_lanes(s, 1)[node("0608")]) == (reading == "any")


@pytest.mark.rule("13.3a", "3.19b")
@readings("command-zones")
def test_13_3a_whose_zones_shut_in_an_hq(reading: str) -> None:
    s = position("0505: uk-mon 3 | 0604: de-jf2", options=ON | {"command-zones": reading})
    s.owner[node("0604")] = UNITS[u("de-jf2")].power
    reached = hq.command_hexes(s, 1, node("0505"))
    touched = [n for n in world(s).theatre.touch[node("0604")] if n in world(s).theatre.touch[node("0505")]]
    mine = [n for n in touched if world(s).theatre.country[n] == "FRA"]
    assert mine
    assert all((n in reached) == (reading == "ground") for n in mine)


@pytest.mark.rule("19.1a")
@readings("look-points")
def test_19_1a_what_a_look_costs(reading: str) -> None:
    s = position("0708: de-2lf | 0605: fr-6 1", options=ON | {"recon": "on", "look-points": reading}, first="1940-06")
    hq.activate(s, u("de-2lf"))
    points = s.fuel[u("de-2lf")]
    s.loaded = (1, 6)
    recon.look(s, 0, node("0605"))
    assert s.fuel[u("de-2lf")] == points - (reading == "paid")
    assert recon.looks_left(s, u("de-2lf")) == points - 1
    s.fuel[u("de-2lf")] = 0  # its points are spent on aircraft
    assert recon.looks_left(s, u("de-2lf")) == (0 if reading == "paid" else points - 1)


@pytest.mark.rule("2.3", "0-scenarios")
@pytest.mark.parametrize("scenario", ["SBW4", "SBW7", "SBW8", "SBW9", "SBW10"])
@readings("first-turn")
def test_2_3_the_first_axis_turn_of_the_landing_scenarios(scenario: str, reading: str) -> None:
    s = GAME.setup(scenario, {"first-turn": reading}, "x")
    turn = next(f for f in s.frames if isinstance(f, PlayerTurn))
    assert (s.turn, turn.side) == (1, 0 if reading == "played" else 1)
