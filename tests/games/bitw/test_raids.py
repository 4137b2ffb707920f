"""7.1 and chapter 32: raids on production, ports, rail stations; who flies, who rises, what the bombs do."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn, Raid
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import tech_level
from grognard.games.bitw.nouns import TARGET_KINDS
from grognard.games.bitw.rules import colours, fire, harbours, income, raids, rail, sea, sites, targets
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.fire import AIR, BOMB, Combatant, Field
from grognard.games.bitw.rules.supply import networks, open_ports
from grognard.games.bitw.rules.weather import note_conditions
from grognard.games.bitw.state import MISSION, NONE, OOS, POOL, BitwState, put
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow
from grognard.kernel.narrate import Narrator

from .table import act, fires, node, position, refusal, rolls, u

ON = {"advanced": "on", "bombing": "on"}
AUGUST_43 = "1943-08"
CENTRE, PORT, RAIL = targets.CENTRE, targets.PORT, targets.RAIL


def war(units: str, phasing: int = 0, *, options: dict[str, str] | None = None, sky: int = 0, **more: Any) -> BitwState:
    """The Strategic Warfare Phase of a side, up to its first decision."""
    s = position(units, options=ON | (options or {}), **({"first": AUGUST_43} | more))
    s.phasing, s.sky = phasing, sky
    note_conditions(s)
    s.frames.append(PlayerTurn(side=phasing))
    s.events = []
    flow.run(GAME.tables, s)
    return s


def over_the_ruhr(*fliers: str, units: str = "", **more: Any) -> BitwState:
    """British aircraft of these names on their way to the red factory of the Ruhr (0309)."""
    bases = ("0101", "0302", "0201", "0202", "0301")
    where = " | ".join(f"{at}: {name}" for at, name in zip(bases, fliers))
    s = war(f"0102: uk-bc, uk-fc | {where} | {units}", **more)
    act(s, 1, "activate", "uk-bc")
    if any(x.kind == "fighter" for x in UNITS if x.id in {f.split()[0] for f in fliers}):
        hq.activate(s, u("uk-fc"))
    act(s, 1, "raid", "0309")
    act(s, 1, "bomb", "red-factory")
    for name in fliers:
        act(s, 1, "send", name.split()[0])
    s.events = []
    return s


def kinds(s: BitwState) -> list[str]:
    return [e.kind for e in s.events or []]


# 7.1


@pytest.mark.rule("7.1", "7.0b")
@pytest.mark.parametrize("switch", ["bombing", "submarines", "lend-lease", "wunderwaffen", ""])
def test_7_1_the_phase_exists_with_chapters_that_use_it(switch: str) -> None:
    s = position("0505: fr-6 | 0510: de-26", options={"advanced": "on"} | ({switch: "on"} if switch else {}))
    s.frames.append(PlayerTurn(side=0))
    s.events = []
    flow.run(GAME.tables, s)
    assert [e.rule for e in s.events if e.kind in ("warfare", "phase")] == (["7.1", "7.2"] if switch else ["7.2"])


@pytest.mark.rule("7.1", "32.0a")
def test_7_1_without_the_chapter_nobody_raids() -> None:
    s = war("0101: uk-3g | 0102: uk-bc", options={"bombing": "off", "submarines": "on"})
    assert s.waiting == (0,)  # production of the phasing side: nobody was asked
    assert raids.PlanRaids().why_not(s, s.frames[-1], 1, "raid", node("0309")).rule == "32.0a"  # type: ignore[union-attr,arg-type]


# 32.0a, b Who raids what


@pytest.mark.rule("32.0a")
@pytest.mark.parametrize("phasing", [0, 1])
def test_32_0a_the_non_phasing_player_bombs(phasing: int) -> None:
    s = war("0101: uk-3g | 0102: uk-bc | 0207: de-1fk | 0208: de-2lf", phasing)
    assert s.waiting == (1 - phasing,)
    act(s, 1 - phasing, "activate", "uk-bc" if phasing == 0 else "de-2lf")
    hexes = {noun for verb, noun in GAME.orders(s, 1 - phasing) if verb == "raid"}
    german, western = {"0309", "0510", "0908", "0708"}, {"0101", "0505", "0404"}
    assert hexes >= (german if phasing == 0 else western)
    assert not hexes & (western if phasing == 0 else german)


@pytest.mark.rule("32.0a", "32.3", "32.2", "32.1")
def test_32_0a_targets_of_a_hex() -> None:
    s = war("0101: uk-3g | 0102: uk-bc")

    def there(side: int, at: str) -> list[str]:
        return [TARGET_KINDS[kind] for kind in targets.kinds_at(s, side, node(at))]

    assert there(0, "0309") == ["red-factory", "centre", "rail"]
    assert there(0, "0908") == ["blue-factory", "rail"]
    assert there(0, "0708") == ["rail"]  # every city is a station
    assert there(1, "0101") == ["white-factory", "port", "rail"]
    assert there(0, "0101") == there(0, "0508") == []
    s.burnt[node("0908")] = 1
    assert there(0, "0908") == ["rail"]
    s.harbour[1] = node("0604")
    assert there(1, "0604") == ["port", "mulberry", "rail"]
    act(s, 1, "activate", "uk-bc")
    assert refusal(s, 1, "raid", "0508") == "32.0a"  # nothing there
    assert refusal(s, 1, "raid", "0505") == "32.0a"  # not the enemy's
    act(s, 1, "raid", "0309")
    assert refusal(s, 1, "bomb", "port") == "32.0a"
    assert refusal(s, 1, "bomb", "centre") is None


@pytest.mark.rule("32.0a")
def test_32_0a_a_single_target_needs_no_choice() -> None:
    s = war("0101: uk-3g | 0102: uk-bc")
    act(s, 1, "activate", "uk-bc")
    act(s, 1, "raid", "0708")
    assert isinstance(s.frames[-1], Raid)
    assert s.frames[-1].aim == "rail"
    assert GAME.orders(s, 1) == [("send", "uk-3g")]


@pytest.mark.rule("32.0b")
def test_32_0b_bombers_of_tech_2_and_strategic_ones_with_fighters_as_escort() -> None:
    early = "1940-07"  # British bombers TECH 1, German ones TECH 2
    held = {"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}}
    s = war("0101: uk-3g | 0201: uk-2g | 0302: uk-11g 3 | 0102: uk-bc, uk-fc", first=early, control=held)
    act(s, 1, "activate", "uk-bc")
    hq.activate(s, u("uk-fc"))
    act(s, 1, "raid", "0404")
    act(s, 1, "bomb", "port")
    assert refusal(s, 1, "launch") == "32.0b"
    assert refusal(s, 1, "send", "uk-2g") == "32.0b"  # an ordinary bomber of TECH 1
    assert refusal(s, 1, "send", "uk-11g") == "32.0b"  # an escort without anybody to escort
    assert refusal(s, 1, "send", "uk-bc") == "32.0b"  # no aircraft
    act(s, 1, "send", "uk-3g")
    assert refusal(s, 1, "send", "uk-3g") == "32.0b"  # flown
    assert refusal(s, 1, "send", "uk-11g") is None
    german = war("0207: de-1fk | 0208: de-2lf", 1, first=early)
    act(german, 0, "activate", "de-2lf")
    act(german, 0, "raid", "0404")
    act(german, 0, "bomb", "port")
    assert refusal(german, 0, "send", "de-1fk") is None


@pytest.mark.rule("32.0b", "13.8.1.2-raf", "13.8.1.1-rk")
def test_32_0b_eligible_hqs_only() -> None:
    s = war("0101: uk-3g | 0302: uk-11g | 0102: uk-bc, uk-fc | 0202: uk-chu | 0201: uk-mon", first="1944-06")
    assert refusal(s, 1, "activate", "uk-chu") == "13.8.1b"
    assert refusal(s, 1, "activate", "uk-mon") == "13.1a"
    assert refusal(s, 1, "activate", "uk-fc") == "32.0b"  # has no bombers to send
    assert refusal(s, 1, "raid", "0309") == "32.0b"
    act(s, 1, "activate", "uk-bc")
    points = s.fuel[u("uk-bc")]
    act(s, 1, "raid", "0309")
    act(s, 1, "bomb", "rail")
    assert refusal(s, 1, "send", "uk-11g") == "32.0b"  # Bomber Command orders no fighters
    act(s, 1, "send", "uk-3g")
    assert s.fuel[u("uk-bc")] == points - 1
    rommel = war(
        "0404: de-1fk | 0207: de-2fk | 0505: de-r", 1, control={"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}}
    )
    act(rommel, 0, "activate", "de-r")
    act(rommel, 0, "raid", "0302")
    act(rommel, 0, "bomb", "port")
    assert refusal(rommel, 0, "send", "de-2fk") == "32.0b"  # he commands in France alone
    assert refusal(rommel, 0, "send", "de-1fk") is None


@pytest.mark.rule("32.0b", "7.5.2b", "4.4d")
def test_32_0b_range_supply_and_steps() -> None:
    s = war("0101: uk-3g | 0201: us-9b | 0202: us-8af | 0302: uk-11g 3 | 0102: uk-bc, uk-fc", first="1940-07")
    hq.activate(s, u("uk-fc"))
    act(s, 1, "activate", "uk-bc")
    act(s, 1, "raid", "0908")
    act(s, 1, "bomb", "rail")
    s.flags[u("uk-3g")] |= OOS
    assert refusal(s, 1, "send", "uk-3g") == "4.4d"
    s.flags[u("uk-3g")] = 0
    s.steps[u("uk-3g")] = 0
    assert refusal(s, 1, "send", "uk-3g") == "7.5.2b"
    s.steps[u("uk-3g")] = 2
    act(s, 1, "send", "uk-3g")
    assert refusal(s, 1, "send", "uk-11g") == "7.5.2b"  # München is beyond the fighters


# 32.0c Interception


@pytest.mark.rule("32.0c")
def test_32_0c_fighters_in_the_hex_rise_without_orders() -> None:
    s = over_the_ruhr("uk-3g", units="0309: de-2jd | 0410: de-3jd, de-1fk | 0208: de-2lf")
    act(s, 1, "launch")
    assert s.waiting == (0,)
    assert refusal(s, 0, "intercept", "de-3jd") == "32.0c"
    assert refusal(s, 0, "intercept", "de-1fk") == "32.0c"  # no bomber reacts
    act(s, 0, "activate", "de-2lf")
    assert refusal(s, 0, "intercept", "de-1fk") == "32.0c"
    before = s.fuel[u("de-2lf")]
    act(s, 0, "intercept", "de-2jd")
    assert s.fuel[u("de-2lf")] == before
    act(s, 0, "intercept", "de-3jd")
    assert s.fuel[u("de-2lf")] == before - 1
    assert s.place[u("de-3jd")] == node("0309")
    assert s.flags[u("de-3jd")] & MISSION


@pytest.mark.rule("32.0c", "7.8.1")
def test_32_0c_everybody_goes_home_and_an_interceptor_rises_once() -> None:
    s = over_the_ruhr("uk-3g", "uk-5g", units="0410: de-3jd | 0208: de-2lf")
    act(s, 1, "launch")
    act(s, 0, "activate", "de-2lf")
    s.loaded = (1,) * 40
    act(s, 0, "intercept", "de-3jd")
    assert s.waiting == (0,)  # production: the phase is over
    assert (s.place[u("uk-3g")], s.place[u("uk-5g")]) == (node("0101"), node("0302"))
    assert s.place[u("de-3jd")] == node("0410")
    assert all(s.base[u(x)] == NONE and not s.flags[u(x)] & MISSION for x in ("uk-3g", "uk-5g", "de-3jd"))
    assert s.revealed[u("uk-3g")]
    assert s.revealed[u("de-3jd")]
    turn = next(f for f in s.frames if isinstance(f, PlayerTurn))
    assert set(turn.flown) == {u("uk-3g"), u("uk-5g"), u("de-3jd")}
    assert raids.why_not_intercept(s, turn.flown, u("de-3jd"), 0, node("0309")).rule == "32.0b"  # type: ignore[union-attr]


# 32.0d, e, f, i Dice


@pytest.mark.rule("32.0d")
def test_32_0d_strategic_bombers_without_malus_others_with_one() -> None:
    ordinary = Combatant(UNITS[u("us-9b")], 4, 2, True)
    heavy = Combatant(UNITS[u("uk-3g")], 4, 2, True)
    raid, snow = Field(raid=True), Field(raid=True, weather="snow")

    def dice(who: Combatant, kind: str, field: Field) -> tuple[int, int]:
        (shot,) = fire.volley([who], kind, field, 1)
        return shot.dice, shot.face

    assert dice(ordinary, BOMB, raid) == (2, 5)
    assert dice(ordinary, BOMB, snow) == (1, 5)
    assert dice(ordinary, BOMB, Field()) == (4, 5)  # in a battle as ever
    assert dice(heavy, BOMB, raid) == dice(heavy, BOMB, snow) == (4, 5)
    assert dice(heavy, AIR, snow) == (2, 6)  # halved in the air
    assert dice(heavy, AIR, raid) == (4, 6)
    merged = fire.volley([ordinary._replace(steps=1), ordinary._replace(steps=1, key=2)], BOMB, raid, 1)
    assert [shot.dice for shot in merged] == [1, 1]


@pytest.mark.rule("32.0e")
@pytest.mark.parametrize(("month", "law"), [("1939-06", (3, 6)), ("1944-09", (6, 6)), ("1944-10", (6, 5))])
def test_32_0e_flak_by_infantry_tech_the_example_of_october_1944(month: str, law: tuple[int, int]) -> None:
    assert fire.target_flak(tech_level("DE", "infantry", month)) == law
    assert fire.target_flak(tech_level("DE", "infantry", month), "snow") == (law[0] // 2, law[1])


@pytest.mark.rule("32.0e")
def test_32_0e_a_minor_power_without_tech_has_the_least_flak() -> None:
    assert fire.target_flak(0) == (3, 6)
    assert fire.target_flak(0, "rain") == (1, 6)


@pytest.mark.rule("32.0e", "32.0f", "32.1")
def test_32_0f_one_round_in_the_air_one_of_flak_then_bombs() -> None:
    s = over_the_ruhr("uk-3g", units="0309: de-2jd")
    act(s, 1, "launch")
    # air: the fighter's 4 dice at 5-6, the bomber's 4 at 6; flak 6 at 6; bombs 2 at 5-6 (4 steps less one hit are 2)
    s.loaded = (5, 6, 1, 1) + (6, 1, 1, 1) + (1,) * 6 + (5, 4)
    act(s, 0, "intercept", "de-2jd")
    assert [rule for rule, _ in rolls(s)] == ["7.7.1b", "7.7.1b", "32.0e", "32.0f"]
    assert [len(dice) for _, dice in rolls(s)] == [4, 4, 6, 2]
    assert s.steps[u("uk-3g")] == 2
    assert s.steps[u("de-2jd")] == 3
    assert s.bombed == ((0, 0, node("0309"), 1),)
    assert "raid-production" in kinds(s)
    tell = next(e for e in s.events or [] if e.kind == "fire" and e.rule == "32.0d")
    assert tell.data["tally"] == ()


@pytest.mark.rule("32.0i")
def test_32_0i_the_escort_takes_the_hit_of_the_flak_and_drops_no_bombs() -> None:
    s = over_the_ruhr("uk-3g 4", "uk-11g 5", first="1944-06")
    s.loaded = (6, 1, 1, 1, 1, 1) + (1, 1, 1, 1)
    act(s, 1, "launch")
    assert s.half[u("uk-11g")] == 0
    assert s.steps[u("uk-3g")] == 4
    bombs = [name for name, _, _ in fires(s)]
    assert bombs == ["uk-3g"]
    assert "hit" in kinds(s)
    assert next(e.data["unit"] for e in s.events or [] if e.kind == "hit") == "uk-11g"


@pytest.mark.rule("32.0i", "3.15b")
def test_32_0i_of_equals_the_owner_chooses() -> None:
    s = over_the_ruhr("uk-3g 2", "uk-10g 2", first="1944-06")
    s.loaded = (6, 1, 1, 1, 1, 1) + (1, 1)
    act(s, 1, "launch")
    assert s.waiting == (1,)
    assert GAME.orders(s, 1) == [("hit", "uk-3g"), ("hit", "uk-10g")]
    act(s, 1, "hit", "uk-10g")
    assert s.steps[u("uk-10g")] == 1
    assert s.steps[u("uk-3g")] == 2


@pytest.mark.rule("32.0f")
def test_32_0f_a_raid_shot_down_drops_nothing() -> None:
    s = over_the_ruhr("uk-3g 1")
    s.loaded = (6,) * 6
    act(s, 1, "launch")
    assert s.place[u("uk-3g")] != POOL  # a bomber with a 0 stays at 0 ...
    assert s.steps[u("uk-3g")] == 0
    assert s.place[u("uk-3g")] == node("0101")
    assert [rule for rule, _ in rolls(s)] == ["32.0e"]  # ... and bombs nobody
    assert "raid-fails" in kinds(s)
    assert not s.bombed


# 32.0h Weather


@pytest.mark.rule("32.0h")
def test_32_0h_in_rain_only_strategic_bombers_of_the_west() -> None:
    s = war("0101: uk-3g | 0201: us-9b | 0202: us-8af | 0302: uk-11g 3 | 0102: uk-bc, uk-fc | 0309: de-2jd", sky=2)
    for name in ("uk-fc", "us-8af"):
        hq.activate(s, u(name))
    act(s, 1, "activate", "uk-bc")
    act(s, 1, "raid", "0309")
    act(s, 1, "bomb", "centre")
    assert refusal(s, 1, "send", "us-9b") == "32.0h"
    act(s, 1, "send", "uk-3g")
    assert refusal(s, 1, "send", "uk-11g") == "32.0h"
    s.loaded, s.events = (1, 1, 1) + (5, 5, 1, 1), []
    act(s, 1, "launch")
    assert [(rule, len(dice)) for rule, dice in rolls(s)] == [("32.0e", 3), ("32.0f", 4)]  # no interception, half flak
    assert targets.hits_on(s, CENTRE, node("0309")) == 2
    german = war("0207: de-1fk | 0208: de-2lf", 1, sky=2)
    assert german.waiting == (0,)
    act(german, 0, "activate", "de-2lf")
    assert GAME.orders(german, 0) == [("done", "")]  # nobody may fly


# 32.0g, 32.1-32.3 What the bombs do


@pytest.mark.rule("32.1")
def test_32_1_hits_on_a_centre_cost_points_this_turn() -> None:
    s = position("", options=ON, first=AUGUST_43)
    germany = node("0309")
    before = income.centre_income(s, 0)
    targets.damage(s, 0, CENTRE, germany, 2)
    assert income.centre_income(s, 0) == before - 2
    targets.damage(s, 0, CENTRE, germany, 5)
    assert income.centre_income(s, 0) == before - 3  # no more than it gives


@pytest.mark.rule("32.1", "11.2e")
def test_32_1_hits_on_a_factory_cost_coloured_points() -> None:
    pools = [{"nations": [n], "income": 5} for n in ("FR", "UK", "US", "IT")]
    s = position("", options=ON, first=AUGUST_43, pool=[{"nations": ["DE"], "income": 8, "red": 4}, *pools])
    from grognard.games.bitw.world import world

    pool = world(s).scenario.pools[0]
    assert colours.coloured_income(s, pool, "red") == 4
    targets.damage(s, 0, 0, node("0309"), 3)
    assert colours.coloured_income(s, pool, "red") == 3  # one factory, one point
    assert colours.coloured_income(s, pool, "blue") == 0
    targets.repair_targets(s, PlayerTurn(side=0))
    assert colours.coloured_income(s, pool, "red") == 4


@pytest.mark.rule("32.1")
@pytest.mark.parametrize(("hits", "stands"), [(9, True), (10, False)])
def test_32_1_ten_hits_in_one_attack_destroy_a_factory(hits: int, stands: bool) -> None:
    s = position("", options=ON, first=AUGUST_43)
    ruhr = node("0309")
    targets.damage(s, 0, 0, ruhr, 5)
    targets.damage(s, 0, 0, ruhr, hits)
    targets.repair_targets(s, PlayerTurn(side=0))
    assert sites.has_factory(s, ruhr, "red") is stands
    assert (0 in targets.kinds_at(s, 0, ruhr)) is stands
    assert targets.lost_to_bombs(s, ruhr, "red", 1) == (0 if stands else 1)  # for good


@pytest.mark.rule("32.1", "15.1d")
def test_32_1_new_factories_are_bombed_after_the_printed_ones() -> None:
    s = position("", options=ON | {"factories": "on"}, first=AUGUST_43)
    ruhr = node("0309")
    s.turn, s.plants = 2, ((0, 0, ruhr, 1),)
    assert colours.new_points(s, 0, "red") == 1
    targets.damage(s, 0, 0, ruhr, 1)
    assert colours.new_points(s, 0, "red") == 1
    targets.damage(s, 0, 0, ruhr, 1)
    assert colours.new_points(s, 0, "red") == 0
    s.bombed = ()
    targets.damage(s, 0, 0, ruhr, 10)
    assert s.plants
    targets.damage(s, 0, 0, ruhr, 10)
    assert not s.plants


@pytest.mark.rule("32.2", "18.0b", "24.1b")
def test_32_2_one_hit_closes_a_port_to_ships_three_of_one_attack_to_supply() -> None:
    s = position("0404: uk-1, uk-10g | 0302: uk-2", options=ON | {"sea": "on"}, first="1940-06")
    calais = node("0404")
    assert sea.why_not_sail_from(s, 1, calais) is None
    targets.damage(s, 1, PORT, calais, 2)
    closed = sea.why_not_sail_from(s, 1, calais)
    assert closed is not None
    assert closed.rule == "32.2"
    assert sea.why_not_sail_from(s, 1, calais, ground=False) is None  # aircraft may still be shipped
    assert calais not in sea.sailing_ports(s, 1)
    assert calais in sea.sailing_ports(s, 1, False)
    assert calais in open_ports(s, 1)
    targets.damage(s, 1, PORT, calais, 2)  # two attacks of two hits are no attack of three
    assert calais in open_ports(s, 1)
    targets.damage(s, 1, PORT, calais, 3)
    assert calais not in open_ports(s, 1)


@pytest.mark.rule("32.2", "5.3-evac")
def test_32_2_the_expeditionary_force_does_not_embark_in_a_bombed_port() -> None:
    s = position("0404: uk-1 | 0405: de-26", options={}, first="1940-06")
    assert rail.why_not_sail(s, u("uk-1")) is None
    s.bombed = ((1, PORT, node("0404"), 1),)
    assert rail.why_not_sail(s, u("uk-1")).rule == "32.2"  # type: ignore[union-attr]


@pytest.mark.rule("32.2", "3.4-port-minor")
def test_32_2_units_behind_a_wrecked_port_go_hungry() -> None:
    s = position(
        "0604: uk-1", options=ON, first="1940-06", control={"countries": {"GBR": "UK", "FRA": "DE", "GER": "DE"}}
    )
    power = UNITS[u("uk-1")].power
    assert any(node("0604") in net.nodes for net in networks(s, power, "UK"))
    targets.damage(s, 1, PORT, node("0604"), 3)
    assert not any(node("0604") in net.nodes for net in networks(s, power, "UK"))


@pytest.mark.rule("32.3", "7.4e")
def test_32_3_hits_on_a_station_cost_rail_moves_and_close_it() -> None:
    s = position("0508: de-26 | 0709: de-9", options=ON, first=AUGUST_43)
    germany = UNITS[u("de-26")].power
    assert rail.rail_limit(s, germany) == 2
    assert node("0708") in rail.rail_hexes(s, u("de-26"))
    targets.damage(s, 0, RAIL, node("0510"), 1)
    assert rail.rail_limit(s, germany) == 1
    assert rail.rail_limit(s, UNITS[u("uk-1")].power) > 0
    assert node("0708") not in rail.rail_hexes(s, u("de-26"))  # Berlin was on the way
    assert node("0510") not in rail.rail_hexes(s, u("de-26"))
    put(s, u("de-26"), node("0510"))
    assert rail.why_not_rail(s, u("de-26")).rule == "32.3"  # type: ignore[union-attr]
    targets.damage(s, 0, RAIL, node("0309"), 4)
    assert rail.rail_limit(s, germany) == 0
    assert node("0509") in networks(s, germany, "DE")[0].nodes  # supply does not mind


@pytest.mark.rule("32.3")
def test_32_3_american_trains_are_british_ones() -> None:
    s = position("", options=ON, first="1944-06", control={"countries": {"GBR": "UK", "FRA": "US", "GER": "DE"}})
    uk = UNITS[u("uk-1")].power
    before = rail.rail_limit(s, uk)
    targets.damage(s, 1, RAIL, node("0505"), 1)
    assert rail.rail_limit(s, uk) == before - 1


@pytest.mark.rule("32.0g")
def test_32_0g_repaired_at_the_end_of_the_owners_turn() -> None:
    s = over_the_ruhr("uk-3g")
    s.loaded = (1,) * 6 + (6, 6, 1, 1)
    act(s, 1, "launch")
    assert targets.hits_on(s, 0, node("0309")) == 2
    other = s.copy()
    targets.repair_targets(other, PlayerTurn(side=1))
    assert other.bombed  # not by the other side's turn
    other.bombed = (*other.bombed, (1, PORT, node("0404"), 3))
    targets.repair_targets(other, PlayerTurn(side=0))
    assert other.bombed == ((1, PORT, node("0404"), 3),)
    for _ in range(60):
        if not any(isinstance(f, PlayerTurn) and f.side == 0 for f in s.frames):
            break
        assert s.bombed  # throughout the Axis turn
        side = s.waiting[0]
        orders = GAME.orders(s, side)
        act(s, side, *(("done", "") if ("done", "") in orders else orders[0]))
    assert not s.bombed


@pytest.mark.rule("32.2", "6.7.2a", "6.7.2b")
def test_32_2_a_mulberry_is_bombed_as_a_port() -> None:
    s = war(
        "0207: de-1fk | 0208: de-2lf | 0904: us-5",
        1,
        first="1944-07",
        control={"countries": {"GER": "DE", "FRA": "US", "GBR": "UK"}},
    )
    s.harbour[0], s.harbour_paid[0] = node("0904"), harbours.SPENT
    act(s, 0, "activate", "de-2lf")
    act(s, 0, "raid", "0904")
    act(s, 0, "bomb", "mulberry")
    act(s, 0, "send", "de-1fk")
    s.loaded = (1,) * 6 + (6, 6)
    act(s, 0, "launch")
    assert s.harbour_hits[0] == 2
    assert not harbours.takes_ships(s, s.harbour[0])
    assert not s.bombed


@pytest.mark.rule("32.0a", "5.1-armistice-e")
def test_32_0a_raids_are_free_of_the_ban_on_inland_cities() -> None:
    held = {"countries": {"GER": "DE", "FRA": "DE", "GBR": "UK"}}
    s = war("0101: uk-3g | 0102: uk-bc | 0505: de-26", control=held, rules=["armistice-in-force"])
    from grognard.games.bitw.rules.air import why_not_bomb_inland

    assert why_not_bomb_inland(s, 1, node("0505"))
    act(s, 1, "activate", "uk-bc")
    act(s, 1, "raid", "0505")
    act(s, 1, "bomb", "rail")
    act(s, 1, "send", "uk-3g")
    s.loaded = (1,) * 6 + (6,) * 4
    before = s.steps[u("de-26")]
    act(s, 1, "launch")
    assert s.steps[u("de-26")] == before  # the target, not the units
    assert targets.hits_on(s, RAIL, node("0505")) == 4


@pytest.mark.rule("13.6a", "32.0b")
def test_32_0b_an_hq_stays_active_until_the_blitz_is_over() -> None:
    s = over_the_ruhr("uk-3g")
    s.loaded = (1,) * 20
    act(s, 1, "launch")
    steps = s.steps[u("uk-bc")]
    for _ in range(60):
        turn = next((f for f in s.frames if isinstance(f, PlayerTurn)), None)
        if turn is None or turn.side == 1:
            break
        side = s.waiting[0]
        orders = GAME.orders(s, side)
        act(s, side, *(("done", "") if ("done", "") in orders else orders[0]))
    assert not s.active[u("uk-bc")]
    assert s.steps[u("uk-bc")] == steps - 1


@pytest.mark.rule("1.3", "32.0f")
def test_32_raiders_are_tokens_until_they_are_met() -> None:
    s = over_the_ruhr("uk-3g", units="0410: de-3jd | 0208: de-2lf")
    act(s, 1, "launch")
    seen = GAME.view(s, 0)
    raid = seen["frames"][-1]
    assert [name.startswith("#") for name in raid["raiders"]] == [True]
    assert GAME.view(s, 1)["frames"][-1]["raiders"] == ["uk-3g"]
    s.loaded = (1,) * 30
    act(s, 0, "done")
    assert s.revealed[u("uk-3g")]


@pytest.mark.rule("32.0g", "7.3.4a")
def test_an_hq_that_sent_fighters_and_is_disbanded_gives_no_more_orders() -> None:
    s = over_the_ruhr("uk-3g", units="0410: de-3jd | 0208: de-2lf | 0510: de-26")
    act(s, 1, "launch")
    act(s, 0, "activate", "de-2lf")
    s.loaded = (1,) * 30
    act(s, 0, "done")
    from grognard.games.bitw.rules.arrivals import Disband

    Disband().apply(s, s.frames[-1], 0, "disband", u("de-2lf"))  # type: ignore[arg-type]
    assert not s.active[u("de-2lf")]


@pytest.mark.parametrize(("lang", "none"), [("en", "Interceptors: none."), ("fr", "Intercepteurs : aucun.")])
def test_32_a_raid_that_nobody_meets_is_said_to_have_no_interceptors(lang: str, none: str) -> None:
    raid = {"kind": "raid", "rule": "32.0f", "hex": "0208", "target": "rail", "raiders": [["uk-3g", 3]]}
    narrator = Narrator(GAME, lang)
    assert none in narrator.happening(raid | {"fighters": []})
    assert none not in narrator.happening(raid | {"fighters": [["de-3jd", 2]]})
