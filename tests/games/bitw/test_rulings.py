"""What careful readers found: rulings on aircraft, support units, forts and tech, and tests that were too weak."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, read_case
from grognard.games.bitw.odds.law import run_battle
from grognard.games.bitw.rules import air, definitions, production, sites, supply
from grognard.games.bitw.rules.fire import AA, GUNS, Combatant, Field, aa_steps, base_face, volley
from grognard.games.bitw.rules.siege import starve
from grognard.games.bitw.state import ASSISTED, MISSION, NOWHERE, OOS, POOL, is_battle, put, side_holding
from grognard.games.bitw.theatre import western_europe
from grognard.games.bitw.world import POWERS, UNITS

from .table import act, battle, fires, go_to, node, position, refusal, set_out, u
from .test_odds_law import Plain

MISS = (1,) * 200
IDS = {p.id: p.index for p in POWERS}


def fly(s: Any, name: str, at: str) -> None:
    """Send an aircraft over a hex, wherever it came from."""
    s.base[u(name)] = s.place[u(name)]
    set_out(s, name, at)
    s.flags[u(name)] |= MISSION


def stay(s: Any, rounds: int = 1) -> None:
    """Nobody leaves who need not, for so many rounds of the battle under way."""
    c = s.frames[-1]
    while s.waiting and c in s.frames and c.round <= rounds:
        side = s.waiting[0]
        quiet = [order for order in words(s, side) if order[0] == "stay"]
        act(s, side, *(quiet or words(s, side))[0])


def fired(s: Any, rule: str) -> list[str]:
    """Who fired under a rule, in order."""
    return [e.data["unit"] for e in s.events or [] if e.kind == "fire" and e.rule == rule]


# 6.3.2d, 7.7.3.1b Bombers on their base


@pytest.mark.rule("6.3.2d", "7.7.3.1b")
@pytest.mark.parametrize("raided", [False, True])
def test_6_3_2d_bombers_stay_down_only_where_aircraft_attack(raided: bool) -> None:
    s = position("0806: fr-6, fr-b1 | 0505: fr-9 | 0510: de-26, de-1fk")
    set_out(s, "de-26", "0806")
    if raided:
        fly(s, "de-1fk", "0806")
    battle(s, "0806", 0, MISS)
    stay(s)
    assert ("fr-b1" in fired(s, "7.7.3a")) != raided


@pytest.mark.rule("7.7.3c")
def test_7_7_3c_bombs_fall_on_aircraft_on_the_ground() -> None:
    s = position("0806: fr-b1 4, fr-6 2 | 0510: de-1fk 4")
    fly(s, "de-1fk", "0806")
    battle(s, "0806", 0, (*MISS[:3], *[1] * 0))
    s.loaded = (6, *MISS)  # the first bomb hits
    stay(s)
    hits = [e.data["unit"] for e in s.events or [] if e.kind == "hit"]
    assert hits == ["fr-b1"]


@pytest.mark.rule("6.3.3c", "6.3.2d")
@pytest.mark.parametrize("raided", [False, True])
def test_6_3_3c_a_strategic_bomber_on_its_base_flies_the_first_round_it_can(raided: bool) -> None:
    s = position("0101: uk-3g 4, uk-1, uk-2 | 0302: uk-3 | 0510: de-26, de-27, de-1fk 4", first="1943-05")
    set_out(s, "de-26", "0101")
    set_out(s, "de-27", "0101")
    if raided:
        fly(s, "de-1fk", "0101")
    battle(s, "0101", 0, MISS)
    stay(s, 1)
    assert fired(s, "7.7.3a").count("uk-3g") == (0 if raided else 1)
    assert (s.place[u("uk-3g")] == node("0101")) == raided  # its round over, it has to leave
    stay(s, 2)
    assert fired(s, "7.7.3a").count("uk-3g") == 1
    assert s.place[u("uk-3g")] != node("0101")


# 6.3.2 Bombers in air combat


@pytest.mark.rule("6.3.2b", "6.3.2c", "7.7.1b")
def test_6_3_2_bombers_fire_in_the_air_only_at_fighters() -> None:
    s = position("0806: us-4, us-8f, us-12b 4 | 0510: de-1fk 4", first="1944-01")
    for name in ("us-12b", "de-1fk"):
        fly(s, name, "0806")
    assert min(definitions.tech_of(s, u(name)) for name in ("us-12b", "de-1fk")) >= 2
    battle(s, "0806", 0, MISS)
    assert fired(s, "7.7.1b") == ["de-1fk", "us-8f"]  # the lone bomber faces a fighter, the escorted one a bomber


AIR_CASE: dict[str, Any] = {
    "month": "1944-01",
    "attacker": [{"unit": "de-1fk", "steps": 4}],
    "defender": [{"unit": "us-8f", "steps": 1}, {"unit": "us-12b", "steps": 4}, {"unit": "us-4"}],
    "rounds": 1,
}


@pytest.mark.rule("6.3.2b")
def test_6_3_2_in_the_odds_too() -> None:
    rows = [row for row in odds_case(AIR_CASE)["first_round"] if row["step"] == "air"]
    assert {shot["unit"] for row in rows for shot in row["shots"]} == {"de-1fk", "us-8f"}


def agrees(case: dict[str, Any]) -> bool:
    """Whether the law of a battle is that of the plain enumeration."""
    read = read_case(case)
    return Plain(read).result() == {(*x[0], *x[1]): p for x, p in run_battle(read).items()}


def survives(case: dict[str, Any], unit: str) -> Fraction:
    """How likely a unit is left in the answer to a case."""
    return Fraction(next(x["survives"]["p"] for x in odds_case(case)["outcome"]["units"] if x["unit"] == unit))


@pytest.mark.rule("7.7.1a")
def test_7_7_1a_without_a_fighter_left_air_combat_is_over() -> None:
    case = AIR_CASE | {"attacker": [{"unit": "de-1fk", "steps": 4}], "defender": AIR_CASE["defender"][:2]}
    gone = case | {"defender": [{"unit": "us-12b", "steps": 4}]}
    assert survives(gone | {"air_rounds": 9}, "de-1fk") == 1  # bombers alone never duel
    assert agrees(case | {"air_rounds": 3})


@pytest.mark.rule("6.3.3c", "7.7.1a")
def test_6_3_3c_in_later_air_rounds_strategic_bombers_neither_fire_nor_are_hit() -> None:
    case = {
        "month": "1943-05",
        "attacker": [{"unit": "us-1bd", "steps": 4}],
        "defender": [{"unit": "de-jf2", "steps": 3}],
        "rounds": 1,
    }
    one, many = (odds_case(case | {"air_rounds": n})["outcome"]["units"] for n in (1, 5))
    assert one == many


@pytest.mark.rule("6.3.3c", "6.3.2d")
def test_6_3_3c_based_strategic_bombers_in_the_odds() -> None:
    case = {
        "month": "1943-05",
        "attacker": [{"unit": "de-26", "steps": 2}, {"unit": "de-1fk", "steps": 2}],
        "defender": [{"unit": "uk-3g", "steps": 2, "grounded": True}, {"unit": "uk-1", "steps": 2}],
        "rounds": 3,
    }
    assert agrees(case)
    alone = case | {"attacker": [{"unit": "de-26", "steps": 2}]}
    flown = alone | {"defender": [{"unit": "uk-3g", "steps": 2}, {"unit": "uk-1", "steps": 2}]}
    assert run_battle(read_case(alone)) == run_battle(read_case(flown))  # nobody attacks from the air: it flies at once


# 6.5c Halved AA


@pytest.mark.rule("6.5c", "6.6f")
def test_6_5c_halved_flak_is_a_property_of_the_unit() -> None:
    french = Combatant(UNITS[u("fr-6")], 3, 1, True, half_aa=True)
    other = Combatant(UNITS[u("fr-9")], 3, 1, True, half_aa=True)
    assert [shot.dice for shot in volley([french, other], AA, Field(), 1)] == [1, 1]  # not 3 together
    fort = Combatant(UNITS[u("it-fort-taranto")], 5, 1, False, half_aa=True)
    assert aa_steps(fort) == 5  # forts fire without regard to nation


# 7.7.10c Support units left alone


@pytest.mark.rule("7.7.10c", "6.1.4b", "7.7.4a")
def test_7_7_10c_guns_left_alone_by_bombs_are_lost_before_the_guns_fire() -> None:
    s = position("0606: fr-6 1, fr-1a 4 | 0510: de-26, de-4a 4, de-1fk 4", first="1942-01")
    for name in ("de-26", "de-4a"):
        set_out(s, name, "0606")
    fly(s, "de-1fk", "0606")
    s.steps[u("fr-1a")] = 0
    battle(s, "0606", 0, MISS)  # the corps fires AA
    s.loaded = (6, *MISS)  # the first bomb hits
    stay(s)
    assert s.place[u("fr-6")] == s.place[u("fr-1a")] == POOL
    assert s.steps[u("de-4a")] == 4  # no target: it keeps its ammunition


@pytest.mark.rule("7.7.10c")
def test_7_7_10c_in_the_odds_too() -> None:
    case = {
        "month": "1942-01",
        "attacker": [{"unit": "de-26"}, {"unit": "de-4a"}, {"unit": "de-1fk"}],
        "defender": [{"unit": "fr-6", "steps": 1}, {"unit": "fr-1a", "steps": 2}],
        "rounds": 1,
    }
    units = {x["unit"]: Fraction(x["survives"]["p"]) for x in odds_case(case)["outcome"]["units"]}
    assert units["fr-1a"] <= units["fr-6"]  # never without the corps beside it


# 6.6 Forts


@pytest.mark.rule("6.6f")
def test_6_6f_a_fort_fires_once_a_round_with_the_ground_units() -> None:
    fort = Combatant(UNITS[u("de-fort-calais")], 5, 1, False)
    assert base_face(fort, GUNS) == 7
    case = {
        "month": "1944-06",
        "attacker": [{"unit": "us-5", "steps": 1}],
        "defender": [{"unit": "de-fort-calais", "steps": 1}],
        "rounds": 1,
    }
    steps = [row["step"] for row in odds_case(case)["first_round"] if row["side"] == "defender"]
    assert steps == ["ground"]
    units = odds_case(case)["outcome"]["units"]
    assert units[0]["survives"]["p"] == "2/3"  # one die at 5-6


@pytest.mark.rule("6.6b", "6.6h")
def test_6_6b_forts_alike_are_offered_once_and_named_after_their_hex() -> None:
    s = position("0510: de-26 | 0505: fr-6", start=True)
    s.pp[IDS["DE"]] = 30
    go_to(s, "7.3", 0)
    forts = [name for verb, name in words(s, 0) if verb == "build" and "-fort-" in name]
    assert [name for name in forts if not UNITS[u(name)].traits] == ["de-fort-cherbourg", "it-fort-cagliari"]
    assert refusal(s, 0, "build", "de-fort-calais") == "6.6b"
    act(s, 0, "build", "de-fort-cherbourg")
    act(s, 0, "at", "0509")
    assert s.place[u("de-fort-cherbourg")] == node("0509")  # no fort bears the name of that hex: the first
    s.owner[node("0404")] = IDS["DE"]
    assert production.fort_for(s, u("de-fort-den-haag"), node("0404")) == u("de-fort-calais")  # 0404 is Calais
    set_out(s, "de-fort-calais", "0508")
    assert production.fort_for(s, u("de-fort-den-haag"), node("0404")) == u("de-fort-den-haag")


@pytest.mark.rule("6.6h")
def test_6_6h_a_red_dot_binds_a_fort_to_its_own_hex() -> None:
    s = position("0510: de-26 | 0505: fr-6", start=True)
    s.pp[IDS["DE"]] = 30
    go_to(s, "7.3", 0)
    turn = s.frames[-1]
    assert list(sites.fort_sites(s, u("de-fort-reichstag"))) == [node("berlin")]
    assert refusal(s, 0, "build", "de-fort-lorient") is not None  # not on this map
    act(s, 0, "build", "de-fort-reichstag")
    assert words(s, 0) == [("at", "0510")]
    assert refusal(s, 0, "at", "0509") == "6.6h"
    assert isinstance(turn, PlayerTurn)


@pytest.mark.rule("6.6h")
def test_6_6h_not_outside_the_area_of_the_scenario() -> None:
    s = position("0510: de-26 | 0505: fr-6", area={"countries": ["FRA"]})
    s.pp[IDS["DE"]] = 30
    assert list(sites.fort_sites(s, u("de-fort-reichstag"))) == []
    assert node("0509") in sites.fort_sites(s, u("de-fort-calais"))  # the others anywhere


@pytest.mark.rule("6.6i", "6.6g")
def test_6_6i_a_fort_cut_off_surrenders_and_a_festung_does_not() -> None:
    for steps, place, points in ((5, POOL, 1), (7, node("0404"), 0)):
        s = position(f"0404: de-fort-calais {steps} | 0510: de-26 | 0504: fr-6 | 0505: fr-9")
        before = s.pp[IDS["US"]]
        supply.mark_unsupplied(s, 0)
        assert s.flags[u("de-fort-calais")] & OOS
        starve(s, PlayerTurn(side=0))
        assert (s.place[u("de-fort-calais")], s.pp[IDS["US"]] - before) == (place, points)


# 7.4h Who goes by rail


@pytest.mark.rule("7.4h")
@pytest.mark.parametrize(("switch", "rule"), [("off", "7.4h"), ("on", None)])
def test_7_4h_aircraft_go_by_rail_only_where_the_players_agreed(switch: str, rule: str | None) -> None:
    s = position("0510: de-26, de-1fk | 0309: de-jf2 | 0505: fr-6", start=True, options={"air-rail": switch})
    go_to(s, "7.4", 0)
    assert refusal(s, 0, "rail", "de-1fk") == rule
    assert (("rail", "de-1fk") in words(s, 0)) == (rule is None)
    if rule is None:
        act(s, 0, "rail", "de-1fk")
        assert refusal(s, 0, "to", "0309") == "7.4b"  # that base is taken
        assert refusal(s, 0, "to", "0509") == "7.4b"  # and that is none
        act(s, 0, "to", "0207")
        assert s.place[u("de-1fk")] == node("aachen")


# 3.22b, 6.1.4e From the air alone


@pytest.mark.rule("3.22b")
def test_3_22b_aircraft_alone_make_a_battle_and_take_nothing() -> None:
    s = position("0507: fr-6, fr-1a | 0510: de-1fk, de-26 | 0505: fr-9, fr-zn", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-1fk")
    act(s, 0, "attack", "0507")
    assert is_battle(s, node("0507"))
    assert refusal(s, 1, "fly", "fr-zn") is None  # he may react
    holder = s.owner[node("0507")]
    act(s, 1, "done")
    s.loaded = (1,) * 3 + (6,) * 4
    s.events = []
    act(s, 0, "battle", "0507")
    for _ in range(30):
        if s.frames[-1].sequence_name != "combat":
            break
        act(s, s.waiting[0], *words(s, s.waiting[0])[-1])
    assert {e.rule for e in s.events or [] if e.kind == "fire"} <= {"7.7.2a", "7.7.3a", "7.7.1b"}
    assert s.owner[node("0507")] == holder


@pytest.mark.rule("6.1.4e")
def test_6_1_4e_artillery_alone_fires_at_aircraft_and_is_not_spent() -> None:
    s = position("0508: de-4a 4 | 0505: fr-b1", first="1942-01")
    fly(s, "fr-b1", "0508")
    battle(s, "0508", 1, (1,) * 40)
    assert ("de-4a", 4, 5) in fires(s)
    assert s.steps[u("de-4a")] == 4


# 17.1a The tech of assisted minors


@pytest.mark.rule("5.6a", "5.6.2c", "3.20")
def test_17_1a_an_assisted_minor_follows_the_leader_of_the_day() -> None:
    early = position("0105: be-1", first="1940-05", pool=pools("DE", "UK"))
    late = position("0105: be-1", first="1944-07", pool=pools("DE", "UK", "US"))
    for s in (early, late):
        s.status[IDS["BE"]] |= ASSISTED
    us, uk = (definitions.power_tech(late, IDS[p], "infantry") for p in ("US", "UK"))
    assert definitions.alliance_leader(late, 1) == IDS["US"]
    assert definitions.tech_of(late, u("be-1")) == max(1, us - 1)
    assert definitions.tech_of(early, u("be-1")) == 1
    late.status[IDS["US"]] |= 2  # out of the war: the United Kingdom leads again
    assert definitions.tech_of(late, u("be-1")) == max(1, uk - 1)
    assert us != uk or us == 3
    spring = position("0105: be-1", first="1944-03", pool=pools("DE", "UK", "US"))  # American fighters are ahead
    spring.status[IDS["BE"]] |= ASSISTED
    assert [definitions.power_tech(spring, IDS[p], "fighters") for p in ("US", "UK", "BE")] == [3, 2, 2]
    spring.status[IDS["US"]] |= 2
    assert definitions.power_tech(spring, IDS["BE"], "fighters") == 1


def pools(*nations: str) -> list[dict[str, Any]]:
    """A pool each."""
    return [{"nations": [n], "income": 5} for n in nations]


# Rules that wrong code had passed


@pytest.mark.rule("3.19c")
def test_3_19c_no_zone_reaches_across_a_strait() -> None:
    s = position("0302: uk-1 | 0510: de-26")
    assert node("0404") in s_theatre(s).arrows[node("0302")]
    assert not definitions.in_ground_zoc(s, node("0404"), 1)
    assert node("0404") not in definitions.ground_zone(s, 1)


def s_theatre(s: Any) -> Any:
    """The map of a position."""
    from grognard.games.bitw.world import world

    return world(s).theatre


@pytest.mark.rule("7.3.1b")
def test_7_3_1b_a_tankette_is_refused_where_no_red_factory_stands() -> None:
    tankette = next(x for x in UNITS if x.kind == "tankette" and x.nation == "DE")
    s = position("0510: de-26 | 0505: fr-6")
    s.place[tankette.index] = POOL
    found = sites.arrival_hexes(s, PlayerTurn(side=0), tankette.index)
    assert found == [node("ruhr")]  # the only red factory; Berlin and München have none


@pytest.mark.rule("7.5.3d", "7.5.2b")
def test_7_5_3d_the_last_hex_of_the_range_counts_whatever_lies_between() -> None:
    s = position("0510: de-1fk | 0505: fr-6")
    t, start = s_theatre(s), node("0510")
    most = air.air_range(s, u("de-1fk"))
    assert most >= 5
    s.place[u("de-1fk")] = NOWHERE
    set_out(s, "de-1fk", "0510")
    far = max(n for n in range(t.hexes) if t.distances(start)[n] == 5 and t.terrain[n])
    put(s, u("fr-6"), far)
    for range_, legal in ((5, True), (4, False)):
        original = air.air_range
        air.air_range = lambda s, unit, r=range_: r  # type: ignore[assignment, misc]
        try:
            assert (air.why_not_mission(s, u("de-1fk"), far) is None) == legal
            assert (air.mission_hexes(s, u("de-1fk"), [far]) == [far]) == legal
        finally:
            air.air_range = original
    assert side_holding(s, start) == 0


# The odds refuse what cannot be


CASE: dict[str, Any] = {"month": "1944-06", "attacker": [{"unit": "us-5"}], "defender": [{"unit": "de-26"}]}


@pytest.mark.parametrize(
    ("change", "rule", "place"),
    [
        ({"hex": {"city": "citty"}}, "odds", "hex.city"),
        ({"hex": {"terrian": "clear"}}, "odds", '"terrian"'),
        ({"attacker": [{"unit": "us-5", "crossing": "crosing"}]}, "odds", "attacker[0].crossing"),
        ({"attacker": [{"unit": "us-5", "crosing": "river"}]}, "odds", '"crosing"'),
        ({"ties": "banana"}, "odds", "ties"),
        ({"rounds": -3}, "odds", "rounds"),
        ({"rounds": True}, "odds", "rounds"),
        ({"air_rounds": "2"}, "odds", "air_rounds"),
        ({"month": "1944-13"}, "odds", "month"),
        ({"cancel": "yes"}, "odds", "cancel"),
        ({"assisted": ["XX"]}, "odds", "assisted[0]"),
        ({"assisted": ["FR"]}, "5.6.2a", "France"),
        ({"attacker": "us-5"}, "odds", "attacker"),
        ({"attacker": [{"unit": "us-5"}, {"unit": "us-5"}]}, "1.2", "5 Corps"),
        ({"defender": [{"unit": "uk-1"}]}, "3.1", ""),
        ({"defender": [{"unit": "de-26"}, {"unit": "de-f"}]}, "6.4", ""),
        ({"attacker": [{"unit": "de-25s"}], "defender": [{"unit": "us-5"}]}, "6.1.1-static-b", ""),
        ({"attacker": [{"unit": "de-fort-calais"}], "defender": [{"unit": "us-5"}]}, "6.6f", "Calais"),
        ({"defender": [{"unit": "de-sub-na"}]}, "6.0a", ""),
        ({"defender": [{"unit": "de-26", "crossing": "river"}]}, "7.7.11-rivers", "26"),
        ({"attacker": [{"unit": "us-5", "grounded": True}]}, "6.3.2d", "5 Corps"),
        ({"attacker": [{"unit": "us-5", "steps": True}]}, "3.11", "5 Corps"),
        ({"attacker": [{"unit": "us-5", "tech": 4}]}, "3.13a", "5 Corps"),
        ({"weather": "snow"}, "7.0a", ""),
        ({"hex": {"country": "XYZ"}}, "odds", "XYZ"),
    ],
)
def test_nonsense_is_refused_by_name(change: dict[str, Any], rule: str, place: str) -> None:
    for lang in ("en", "fr"):
        error = odds_case(CASE | change, lang)["error"]
        assert error["rule"] == rule
        assert place in error["message"]


def test_a_case_may_carry_remarks() -> None:
    assert "error" not in odds_case(CASE | {"id": "x", "name": "y", "note": "z", "comment": "w", "kind": "battle"})


def words(s: Any, side: int) -> list[tuple[str, str]]:
    """The legal list in words."""
    return GAME.orders(s, side)


@pytest.mark.rule("3.19c", "7.5.5a")
def test_3_19c_nor_on_the_map_between_hexes_that_touch() -> None:
    t = western_europe()
    near = [(a, b) for a in range(t.hexes) for b in t.arrows[a] if b < t.hexes and b in t.board.grid.neighbours[a]]
    assert near  # straits narrow enough for two hexes side by side
    for a, b in near:
        assert b not in t.touch[a], (t.names[a], t.names[b])
    a, b = near[0]
    s = GAME.setup("SBW3", {}, "x")
    for unit in range(len(s.place)):
        put(s, unit, NOWHERE)
    put(s, u("de-26"), a)
    assert not definitions.in_ground_zoc(s, b, 0)
    assert b not in definitions.ground_zone(s, 0)
