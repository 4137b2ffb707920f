"""Edges of rules that a small slip in the code would move: zones, lanes, ports, localities, aircraft on the ground."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import (
    air,
    arrivals,
    blitz,
    combat,
    endings,
    fire,
    movement,
    powers,
    production,
    rail,
    sites,
    victory,
)
from grognard.games.bitw.rules import definitions as df
from grognard.games.bitw.rules import retreat as rt
from grognard.games.bitw.rules import supply as sup
from grognard.games.bitw.rules.harbours import beach_is_clear
from grognard.games.bitw.rules.partisans import recruit
from grognard.games.bitw.rules.siege import starve
from grognard.games.bitw.scenarios import Condition
from grognard.games.bitw.state import (
    ATTACKED,
    FOUGHT,
    GROUNDED,
    HELD,
    MISSION,
    NEW,
    OFF,
    OOS,
    OUT,
    POOL,
    QUICK,
    BitwState,
    put,
)
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import act, battle, fires, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}
MISS = (1,) * 80


def raid(units: str, at: str, *fliers: str, ground: tuple[str, ...] = (), **more: object) -> BitwState:
    """A position in which some aircraft, and ground units from 0607, have come to a hex."""
    s = position(units, **more)  # type: ignore[arg-type]
    for name in (*fliers, *ground):
        set_out(s, name, at)
        s.steps[u(name)] = UNITS[u(name)].pattern.top
        s.flags[u(name)] |= FOUGHT | (MISSION if name in fliers else 0)
        s.origin[u(name)] = node("0607") if name in ground else s.origin[u(name)]
    return s


# 3.19 Zones and 4.3 lanes


@pytest.mark.rule("3.19a", "4.3b")
def test_3_19a_no_zone_in_a_hex_that_the_enemy_holds() -> None:
    s = position("0507: de-26 | 0506: fr-6")
    assert node("0506") not in df.ground_zone(s, 0)  # a French corps stands there
    assert node("0406") in df.ground_zone(s, 0)
    assert not sup.closed_to_lanes(s, 1)[node("0506")]  # so lanes pass through it
    assert df.in_ground_zoc(s, node("0506"), 0) is False
    s = position("0507: de-jf2 | 0506: fr-6")
    assert not df.in_any_zoc(s, node("0506"), 0)  # nor does the zone of a based aircraft reach it
    assert df.in_any_zoc(s, node("0406"), 0)


@pytest.mark.rule("4.3b")
def test_4_3b_a_lane_never_starts_at_a_source_in_an_enemy_zone() -> None:
    s = position("0606: de-26")
    came = sup.lanes_from(s, 1, frozenset([node("0605")]))
    assert set(came) == {node("0605")}  # a unit there is fed, but nobody beyond
    set_out(s, "fr-6", "0605")
    came = sup.lanes_from(s, 1, frozenset([node("0605")]))
    assert node("0705") in came  # held by a friend the source is out of the zone


@pytest.mark.rule("4.3b")
def test_4_3b_no_lane_through_a_battle_hex() -> None:
    s = position("0605: fr-6 | 0606: fr-9 | 0607: fr-18")
    assert sup.lanes_from(s, 1, frozenset([node("0605")]))[node("0607")] == node("0606")
    set_out(s, "de-26", "0606")  # an enemy ground unit in the hex; in battle it has no zone
    came = sup.lanes_from(s, 1, frozenset([node("0605")]))
    assert came.get(node("0607")) != node("0606")


@pytest.mark.rule("7.5.5b", "4.3a")
def test_7_5_5b_no_arrow_at_the_end_of_a_lane() -> None:
    s = position("")
    came = sup.lanes_from(s, 1, frozenset([node("0504")]))
    assert node("calais") in came  # one hex by land
    assert node("dover") not in came  # the strait alone would use all three


@pytest.mark.rule("4.1", "4.2")
def test_4_1_no_source_while_an_enemy_stands_in_it() -> None:
    s = position("0505: fr-6")
    set_out(s, "de-26", "0505")
    assert sup.main_source(s, "FR", IDS["FR"]) is None


# 3.4, 4.2 Ports and seas


@pytest.mark.rule("7.5.5e", "3.4-port-major")
def test_3_4_no_port_while_an_enemy_stands_in_it() -> None:
    s = position("")
    assert df.port_is_open(s, node("0604"), 1)
    set_out(s, "de-26", "0604")
    assert not df.port_is_open(s, node("0604"), 1)


@pytest.mark.rule("4.2", "3.1.2a")
def test_4_2_only_the_allies_sail_past_gibraltar() -> None:
    s = GAME.setup("SBW1", {}, "seed")
    t = world(s).theatre
    for side in (0, 1):
        ports = [n for n in sup.open_ports(s, side) if t.sea[n] == "mediterranean"]
        seas = sup.seas_reached(s, side, frozenset(ports[:1]))
        assert seas == ({"mediterranean"} if side == 0 else {"mediterranean", "atlantic"})


@pytest.mark.rule("3.4-port-major", "3.4-port-minor")
def test_3_4_ports_feed_as_many_as_they_can() -> None:
    waiting, capacity = {1: [10, 20], 2: [10]}, {10: 1, 20: 1}
    assert sup.feed([1, 2], waiting, capacity) == {1: 20, 2: 10}  # the first makes room for the second


@pytest.mark.rule("7.9a", "3.4-port-minor")
def test_7_9a_units_that_were_fed_keep_their_share_of_the_port() -> None:
    s = position("0904: uk-1 | 0905: uk-2")
    for name in ("0805", "0806", "0705", "0605", "0604", "0404", "0505"):
        s.owner[node(name)] = IDS["DE"]  # Cherbourg alone is left, a minor port for one unit
    s.flags[u("uk-1")] |= OOS  # marked in the Supply Phase; the second corps was fed
    starve(s, PlayerTurn(side=1))
    assert s.place[u("uk-1")] >= OFF
    assert s.place[u("uk-2")] < OFF


@pytest.mark.rule("3.4-airbase-a")
def test_3_4_no_airbase_while_an_enemy_stands_in_it() -> None:
    s = position("")
    sources = sup.sources_of(s, IDS["FR"])
    assert sup.is_airbase(s, 1, node("0806"), sources)
    set_out(s, "de-26", "0806")
    assert not sup.is_airbase(s, 1, node("0806"), sources)


@pytest.mark.rule("3.4-airbase-b", "7.7.16")
def test_3_4_an_aircraft_in_flight_takes_nobodys_base() -> None:
    s = position("0806: fr-zn")
    assert df.airbase_taken(s, node("0806"), u("fr-ze"))
    s.flags[u("fr-zn")] |= MISSION  # over the hex, not based there
    assert not df.airbase_taken(s, node("0806"), u("fr-ze"))


# 3.3, 5.6.2 Whose hex, and who asks for help


@pytest.mark.rule("3.1.1b", "5.0e")
def test_3_1_1b_land_of_a_power_that_is_out_goes_to_its_liberator() -> None:
    s = position("0505: uk-1")
    s.owner[node("0505")] = IDS["DE"]
    df.take_control(s, node("0505"), IDS["UK"])
    assert s.owner[node("0505")] == IDS["FR"]  # France still fights
    s.owner[node("0505")] = IDS["DE"]
    s.status[IDS["FR"]] |= OUT
    df.take_control(s, node("0505"), IDS["UK"])
    assert s.owner[node("0505")] == IDS["UK"]


@pytest.mark.rule("5.6.2a")
def test_5_6_2a_only_minors_ask_for_help_for_their_land_too() -> None:
    s = position("0206: fr-6 | 0207: de-26")  # a French corps in Belgium
    df.note_attack(s, node("0206"), 0)
    assert s.status[IDS["BE"]] & ATTACKED  # its land is attacked
    assert not s.status[IDS["FR"]] & ATTACKED
    assert powers.callers(s, 1) == [IDS["BE"]]


# 7.7 Localities and aircraft


@pytest.mark.rule("7.7.2e")
def test_7_7_2e_a_city_hits_better_once_its_holder_has_tech_3_infantry() -> None:
    for month, face in (("1940-05", 6), ("1944-09", 6), ("1944-10", 5)):  # German infantry TECH 2, 2 and 3
        s = raid("0510: de-26", "0510", "uk-2g", first=month)
        c = combat.Combat(hex=node("0510"), attacker=1)
        assert combat.field_of(s, c).aa_face == face, month


@pytest.mark.rule("7.7.2b")
def test_7_7_2b_a_city_fires_for_those_who_hold_it() -> None:
    s = raid("0505: fr-6", "0505", "de-1fk")
    c = combat.Combat(hex=node("0505"), attacker=0)
    assert combat.field_of(s, c).aa_dice == 2
    s.owner[node("0505")] = IDS["DE"]
    assert combat.field_of(s, c).aa_dice == 0


@pytest.mark.rule("7.7.11-bunker", "5.2-siegfried-b")
def test_7_7_11_works_serve_those_who_hold_the_hex() -> None:
    s = raid("0508: fr-6", "0508", ground=("de-26",))
    c = combat.Combat(hex=node("0508"), attacker=0)
    s.owner[node("0508")] = IDS["FR"]
    assert combat.works_in_force(s, c) == 1
    s.owner[node("0508")] = IDS["DE"]  # the attacker's own bunker
    assert combat.works_in_force(s, c) == 0


@pytest.mark.rule("6.3.3c")
def test_6_3_3c_strategic_bombers_fight_one_round_in_the_air() -> None:
    s = raid("0309: de-jf2 5, de-26", "0309", "uk-3g", "us-8f", first="1944-06")
    c = battle(s, "0309", attacker=1, dice=MISS)
    assert {name for name, _, _ in fires(s)} == {"de-jf2", "uk-3g", "us-8f"}
    s.events = []
    act(s, 0, "stay")
    act(s, 1, "stay")
    assert c.air_rounds == 1
    assert {name for name, _, _ in fires(s)} == {"de-jf2", "us-8f"}  # the second round goes on without it


@pytest.mark.rule("7.7.3.1b", "6.3.2d")
def test_7_7_3_1b_bombers_on_the_ground_are_bombed_there() -> None:
    s = raid("0510: de-1fk 4", "0510", "uk-2g", first="1942-06")
    c = combat.Combat(hex=node("0510"), attacker=1)
    s.flags[u("de-1fk")] |= GROUNDED
    c.target = "bombed"
    assert combat.targets(s, c, 0) == [u("de-1fk")]
    c.target = "ground"
    assert combat.targets(s, c, 0) == []  # guns do not reach them


@pytest.mark.rule("7.7.2b")
def test_7_7_2b_the_locality_never_fires_for_the_attacker() -> None:
    s = raid("0505: fr-6, fr-zn", "0505", ground=("de-26",))
    battle(s, "0505", attacker=0, dice=MISS)
    assert [e for e in s.events or [] if e.kind == "locality-fire"] == []  # French aircraft over a French city


@pytest.mark.rule("7.7.12", "7.7-seq")
def test_7_7_12_no_air_combat_in_later_rounds() -> None:
    s = raid("0606: fr-6 4 | 0505: fr-zn", "0606", "de-1fk", "de-jf2", ground=("de-26",))
    c = combat.Combat(hex=node("0606"), attacker=0)
    set_out(s, "fr-zn", "0606")
    s.flags[u("fr-zn")] |= MISSION
    assert combat.air_duel_occurs(s, c)
    c.round = 2
    assert not combat.air_duel_occurs(s, c)


@pytest.mark.rule("6.1.4b", "7.7.4b", "6.6f")
def test_6_1_4b_guns_in_a_fort_are_not_alone() -> None:
    s = raid("0309: de-fort-calais 3, de-4a 4", "0309", ground=("fr-6",))
    battle(s, "0309", attacker=1, dice=MISS)
    assert "de-4a" in {name for name, _, _ in fires(s)}


@pytest.mark.rule("7.7.10b", "7.7.10c")
def test_7_7_10c_paratroops_at_0_left_alone_are_lost() -> None:
    s = position("0606: us-82, us-1a 4", first="1944-06")
    set_out(s, "de-26", "0606")
    s.steps[u("de-26")] = 4
    c = combat.Combat(hex=node("0606"), attacker=0)
    combat.lone_support_falls(s, c)
    assert s.place[u("us-82")] == node("0606")
    s.steps[u("us-82")] = 0  # nobody is left who could fight
    combat.lone_support_falls(s, c)
    assert s.place[u("us-82")] == s.place[u("us-1a")] == POOL


@pytest.mark.rule("5.6.1")
def test_5_6_1_quick_surrender_comes_after_the_first_round_only() -> None:
    for number, ground, gone in ((2, ("de-26",), False), (1, ("de-26",), True), (1, (), False)):
        s = raid("0206: be-1 4", "0206", "de-1fk", ground=ground)
        s.status[IDS["BE"]] |= QUICK
        endings.quick_surrender(s, combat.Combat(hex=node("0206"), attacker=0, round=number))
        assert (s.place[u("be-1")] >= OFF) == gone  # not in later rounds, nor to aircraft alone


@pytest.mark.rule("7.7.12")
def test_7_7_12_a_round_without_a_shot_ends_a_later_round_too() -> None:
    s = raid("0606: fr-3a 0", "0606", "de-1fk")
    c = combat.Combat(hex=node("0606"), attacker=0, shots=3)
    endings.close_round(s, c)
    assert not endings.is_over(s, c)  # shots were fired
    endings.close_round(s, c)
    assert endings.is_over(s, c)


@pytest.mark.rule("5.6-eben-a")
def test_5_6_eben_emael_has_no_flak_of_its_own_as_a_bunker_either() -> None:
    assert fire.locality_aa("minor", 1, fortress_has_aa=False) == 1  # only the city's
    assert fire.locality_aa("minor", 1) == 2


# 5.1, 7.5.5 Movement


@pytest.mark.rule("5.1-open-city-b")
def test_5_1_an_open_paris_is_open_to_the_germans() -> None:
    s = position("0506: de-26 | 0605: fr-6")
    s.open_city = 1
    assert movement.why_not_stop(s, u("de-26"), node("0505")) is None
    assert movement.why_not_stop(s, u("fr-6"), node("0505")) is not None


@pytest.mark.rule("7.5.5c")
def test_7_5_5c_armour_needs_both_ends_of_the_strait() -> None:
    s = position("0404: de-19pz")
    dover, calais = node("0302"), node("0404")
    for mine, free in (((), False), ((dover,), False), ((calais,), False), ((dover, calais), True)):
        for n in (dover, calais):
            s.owner[n] = IDS["DE"] if n in mine else IDS["UK"]
        assert (movement.why_not_arrow(s, u("de-19pz"), calais, dover) is None) == free


@pytest.mark.rule("7.5.5c", "3.22")
def test_7_5_5c_armour_does_not_attack_across_a_strait_it_does_not_hold() -> None:
    s = position("0404: de-19pz, de-26 | 0302: uk-1")
    s.owner[node("0404")] = IDS["DE"]
    dover, calais = node("0302"), node("0404")
    assert movement.why_not_attack(s, u("de-19pz"), dover, calais).rule == "7.5.5c"  # type: ignore[union-attr]
    assert movement.why_not_attack(s, u("de-26"), dover, calais) is None


@pytest.mark.rule("7.7.5-evac")
def test_7_7_5_aircraft_with_ground_units_beside_them_do_not_flee() -> None:
    s = position("0507: fr-zn, fr-6")
    assert not movement.evacuated_only(s, node("0507"), 0)
    put(s, u("fr-6"), POOL)
    assert movement.evacuated_only(s, node("0507"), 0)


@pytest.mark.rule("7.3.2b")
def test_7_3_2b_those_sent_back_are_the_newcomers() -> None:
    s = position("0510: de-26, de-27, de-1")
    s.flags[u("de-1")] |= NEW
    movement.end_movement(s, PlayerTurn(side=0))
    assert s.place[u("de-1")] == HELD
    assert s.place[u("de-26")] == s.place[u("de-27")] == node("0510")
    s = position("0510: de-26, de-27, de-1")  # the same with the last block as the newcomer
    s.flags[u("de-27")] |= NEW
    movement.end_movement(s, PlayerTurn(side=0))
    assert s.place[u("de-27")] == HELD
    assert s.place[u("de-26")] == s.place[u("de-1")] == node("0510")


@pytest.mark.rule("7.7.15a")
def test_7_7_15a_the_way_to_supply_never_leads_back_through_the_battle() -> None:
    s = position("0606: fr-6 4 | 0607: de-26 | 0505: fr-18")
    battle_hex, start = node("0606"), node("0706")
    way = frozenset([node("0506")])  # north of the battle; from the south only back through it
    for name in ("0605", "0705", "0805", "0806", "0707"):
        s.present[node(name)] = 1  # Germans all around
    assert not rt.leads_to_supply(s, u("fr-6"), start, battle_hex, way)
    free = position("0606: fr-6 4 | 0505: fr-18")
    assert rt.leads_to_supply(free, u("fr-6"), start, battle_hex, way)


@pytest.mark.rule("7.7.10b", "7.7.13")
def test_7_7_10b_an_aircraft_at_0_on_a_mission_must_go_home() -> None:
    s = raid("0606: fr-6 4", "0606", "de-1fk", ground=("de-26",))
    c = combat.Combat(hex=node("0606"), attacker=0)
    assert not rt.must_leave(s, c, u("de-1fk"))
    s.steps[u("de-1fk")] = 0
    assert rt.must_leave(s, c, u("de-1fk"))


@pytest.mark.rule("7.7.8b", "7.7.11")
def test_7_7_8b_a_half_hit_is_forgotten_by_those_who_retreat() -> None:
    s = raid("0606: fr-3a 4, fr-6 4 | 0505: fr-18", "0606", ground=("de-26",))
    battle(s, "0606", dice=MISS)
    s.half[u("fr-3a")] = 1
    act(s, 1, "retreat", "fr-3a")
    act(s, 1, "to", "0605")
    assert s.half[u("fr-3a")] == 0


@pytest.mark.rule("4.4d", "7.5.2c")
def test_4_4d_out_of_supply_an_aircraft_changes_base_within_its_mission_range() -> None:
    s = position("0908: de-1fk | 0708: de-jf2")
    assert (air.rebase_range(s, u("de-1fk")), air.rebase_range(s, u("de-jf2"))) == (20, 10)
    for name in ("de-1fk", "de-jf2"):
        s.flags[u(name)] |= OOS
    assert (air.rebase_range(s, u("de-1fk")), air.rebase_range(s, u("de-jf2"))) == (10, 5)


@pytest.mark.rule("7.6a", "7.8a", "5.6.2a")
def test_7_6a_who_reacts_attacks_nobody() -> None:
    for rule_id, attacks in (("7.5.2b", True), ("7.6a", False)):
        s = position("0505: fr-zn | 0206: be-1 | 0309: de-jf2")
        air.send(s, u("de-jf2"), node("0206"), rule_id)
        assert bool(s.flags[u("de-jf2")] & FOUGHT) == attacks
        assert bool(s.status[IDS["BE"]] & ATTACKED) == attacks


@pytest.mark.rule("7.7.16", "7.8.1")
def test_7_7_16_home_is_within_the_mission_range_not_twice_as_far() -> None:
    s = position("0404: de-jf2")
    s.flags[u("de-jf2")] |= MISSION
    distances = world(s).theatre.distances(node("0404"))
    far = [n for n in air.airbases(s, IDS["DE"], "DE") if 5 < distances[n] <= 10]
    assert far  # there are German cities beyond five hexes
    assert not set(far) & set(air.homes_for(s, u("de-jf2")))
    for n in range(len(s.owner)):
        if distances[n] <= 5:
            s.owner[n] = IDS["FR"]
    assert air.homes_for(s, u("de-jf2")) == []
    assert not air.has_home(s, u("de-jf2"))


@pytest.mark.rule("7.8.1", "3.4-airbase-b")
def test_7_8_1_of_two_aircraft_in_a_base_one_must_go() -> None:
    s = position("0309: de-jf2")
    set_out(s, "de-jf3", "0309")
    assert [air.must_go_home(s, u(name)) for name in ("de-jf2", "de-jf3")].count(True) == 1


# 6.6, 7.3 Production


@pytest.mark.rule("7.3b")
def test_7_3b_only_what_stands_on_the_map_is_repaired() -> None:
    s = position("0510: de-26 1")
    s.pp[IDS["DE"]] = 20
    c = PlayerTurn(side=0)
    assert production.why_not_repair(s, c, u("de-26")) is None
    put(s, u("de-26"), POOL)
    assert production.why_not_repair(s, c, u("de-26")) is production.NOT_ON_MAP


@pytest.mark.rule("7.5.2a")
def test_7_5_2a_only_aircraft_fly() -> None:
    s = position("0510: de-26, de-jf2")
    assert air.why_not_fly(s, u("de-jf2")) is None
    assert air.why_not_fly(s, u("de-26")) is air.GROUND_FIRST


@pytest.mark.rule("6.6b")
def test_6_6b_a_fort_next_to_the_enemy_gains_one_position_a_turn() -> None:
    s = position("0508: de-fort-calais 1 | 0507: fr-6")
    s.pp[IDS["DE"]] = 20
    c = PlayerTurn(side=0)
    fort = u("de-fort-calais")
    assert production.why_not_repair(s, c, fort) is None  # the one of this turn
    c.repaired = (fort,)
    assert production.why_not_repair(s, c, fort).rule == "6.6b"  # type: ignore[union-attr]
    put(s, u("fr-6"), POOL)
    assert production.why_not_repair(s, c, fort) is None  # at the desired strength away from enemies


@pytest.mark.rule("6.6b")
def test_6_6b_one_fort_in_a_hex() -> None:
    s = position("0508: de-fort-calais 1, de-26 | 0509: de-27")
    assert node("0508") not in sites.fort_sites(s, u("de-fort-dieppe"))
    assert node("0509") in sites.fort_sites(s, u("de-fort-dieppe"))


@pytest.mark.rule("7.3.1b")
def test_7_3_1b_a_factory_serves_from_its_date() -> None:

    for month, active in (("1938-12", False), ("1940-05", True)):
        s = position("", first=month)
        assert sites.has_factory(s, node("ruhr"), "red") == active


@pytest.mark.rule("7.3.2c", "7.3.2a")
def test_7_3_2c_reinforcements_wait_while_their_place_is_no_source() -> None:
    arriving = [{"turn": 1, "at": "0207", "units": ["de-26 4"]}]
    s = position("0510: de-27", arrive=arriving)
    assert arrivals.entry_hexes(s, PlayerTurn(side=0), u("de-26")) == [node("0207")]
    s.owner[node("0309")] = IDS["FR"]  # the rail to Berlin is cut
    assert arrivals.entry_hexes(s, PlayerTurn(side=0), u("de-26")) == []


@pytest.mark.rule("7.3.1a")
def test_7_3_1a_one_arrival_a_city_two_in_the_capital_in_play() -> None:
    s = position("0510: de-1 3 | 0505: fr-6", start=True)
    for name in ("de-26", "de-27", "de-2", "de-3"):
        put(s, u(name), POOL)
    s.pp[IDS["DE"]] = 30
    go_to(s, "7.3", 0)
    placed = []
    for name, city in (("de-26", "0309"), ("de-27", "0309"), ("de-27", "0510"), ("de-2", "0510"), ("de-3", "0510")):
        if s.frames[-1].sequence_name == "player_turn":
            act(s, 0, "build", name)
        if refusal(s, 0, "at", city) is None:
            act(s, 0, "at", city)
            placed.append((name, city))
    assert placed == [("de-26", "0309"), ("de-27", "0510"), ("de-2", "0510")]


@pytest.mark.rule("3.4-airbase-b", "7.3.2c")
def test_7_3_2c_an_aircraft_waits_while_its_base_is_taken() -> None:
    s = position("0510: de-jf3", arrive=[{"turn": 1, "at": "0510", "units": ["de-jf2 5"]}])
    assert arrivals.entry_hexes(s, PlayerTurn(side=0), u("de-jf2")) == []
    put(s, u("de-jf3"), POOL)
    assert arrivals.entry_hexes(s, PlayerTurn(side=0), u("de-jf2")) == [node("0510")]


@pytest.mark.rule("7.4a")
def test_7_4a_no_train_for_a_unit_out_of_supply() -> None:
    s = position("0509: de-26")
    s.pp[IDS["DE"]] = 5
    assert rail.why_not_rail(s, u("de-26")) is None
    s.flags[u("de-26")] |= OOS
    assert rail.why_not_rail(s, u("de-26")).rule == "7.4a"  # type: ignore[union-attr]


@pytest.mark.rule("5.3")
def test_5_3_one_corps_may_sail_again_in_the_next_allied_turn() -> None:
    s = position("0404: uk-1")
    s.sailed = 1
    rail.start_rail(s, PlayerTurn(side=0))
    assert s.sailed == 1
    rail.start_rail(s, PlayerTurn(side=1))
    assert s.sailed == 0


@pytest.mark.rule("5.6.1", "5.6.2a")
def test_5_6_1_minors_left_alone_by_the_plan_are_not_asked_about_again() -> None:
    s = position("0206: be-1 | 0505: fr-6", plan=[{"id": "escaut", "quick": ["NL", "BE"], "move": []}])
    s.status[IDS["BE"]] |= ATTACKED
    assert powers.callers(s, 1) == [IDS["BE"]]
    powers.ChoosePlan().apply(s, PlayerTurn(side=0), 1, "plan", 0)
    assert powers.callers(s, 1) == []


@pytest.mark.rule("5.1c")
def test_5_1c_the_plan_carries_nobody_further_than_two_marches() -> None:
    s = position("0904: fr-6")
    costs = movement.reach(s, u("fr-6"), node("0904"), 20).cost
    near, far = node("0605"), next(n for n in sorted(costs) if costs[n] == 9 and s.owner[n] != IDS["DE"])
    powers.advance(s, u("fr-6"), (far,))
    assert s.place[u("fr-6")] == node("0904")
    powers.advance(s, u("fr-6"), (far, near))
    assert s.place[u("fr-6")] == near


@pytest.mark.rule("7.11a")
def test_7_11a_a_condition_may_ask_that_something_does_not_hold() -> None:
    s = position("")
    paris = node("paris")
    for negate in (False, True):
        condition = Condition(kind="controls", side=0, nodes=(paris,), at_least=1, negate=negate)
        assert victory.holds(s, condition) == negate
        s.owner[paris] = IDS["DE"]
        assert victory.holds(s, condition) != negate
        s.owner[paris] = IDS["FR"]


@pytest.mark.rule("5.7c")
def test_5_7c_partisans_join_in_france_only() -> None:
    s = position(
        "0507: ff-1", in_play=["BE", "NL", "FF"], pool=[{"nations": [n], "income": 5} for n in ("DE", "UK", "FF")]
    )
    s.partisans = ((node("0507"), 1), (node("0506"), 2))
    before = s.pp[IDS["FF"]]
    recruit(s, u("ff-1"), [node("0506"), node("0507")])  # 0507 is German on the sketch
    assert s.partisans == ((node("0507"), 1),)
    assert s.pp[IDS["FF"]] == before + 2


@pytest.mark.rule("6.7.1b")
def test_6_7_1b_a_harbour_goes_in_after_the_first_round_not_later() -> None:
    s = position("0604: us-5")
    s.landed = ((node("0604"), IDS["US"]),)
    for number, clear in ((2, True), (3, False)):  # the round that would come next
        assert beach_is_clear(s, combat.Combat(hex=node("0604"), attacker=1, round=number)) == clear


@pytest.mark.rule("6.2.1b", "7.8a")
def test_6_2_1b_tankettes_blitz_from_tech_2() -> None:
    s = position("0606: de-15pg | 0706: fr-prioux")
    for name, tech in (("de-15pg", 2), ("fr-prioux", 1)):
        s.flags[u(name)] |= FOUGHT
        assert df.tech_of(s, u(name)) == tech
        assert (blitz.why_not_blitz(s, u(name)) is None) == (tech >= 2)
