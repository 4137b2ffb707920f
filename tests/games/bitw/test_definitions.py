"""Chapter 3: control, zones of control, stacking, seas, equipment."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import definitions as d
from grognard.games.bitw.rules.supply import remove
from grognard.games.bitw.state import MISSION, OUT, is_battle, is_frozen, month, side_holding
from grognard.games.bitw.world import POWERS, UNITS

from .table import THEATRE, act, go_to, node, position, refusal, refused, set_out, u

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("3.1", "3.2")
def test_3_1_a_side_orders_its_own_units_in_its_own_phase() -> None:
    s = position("0507: fr-6 | 0509: de-26", start=True)
    go_to(s, "7.5", 0)
    assert refused(s, 0, "move", u("fr-6")) == "3.1"
    assert refusal(s, 0, "move", "de-26") is None
    assert s.phasing == 0
    assert refusal(s, 1, "move", "fr-6") == "7.5"  # not his decision
    go_to(s, "7.5", 1)
    assert s.phasing == 1
    assert refusal(s, 1, "move", "fr-6") is None


@pytest.mark.rule("3.1.1a", "3.1.1b", "3.3a")
def test_3_3a_entering_or_passing_conquers_and_lasts() -> None:
    s = position("0507: de-19pz", start=True)
    go_to(s, "7.5", 0)
    assert side_holding(s, node("paris")) == 1
    act(s, 0, "move", "de-19pz")
    act(s, 0, "to", "0505")  # passes 0506, enters Paris
    assert side_holding(s, node("paris")) == side_holding(s, node("0506")) == 0
    act(s, 0, "to", "0506")
    act(s, 0, "halt")
    assert side_holding(s, node("paris")) == 0  # stays conquered
    assert side_holding(s, node("0405")) == 1  # never entered


@pytest.mark.rule("3.3a")
def test_3_3a_aircraft_conquer_nothing() -> None:
    s = position("0309: de-1fk | 0507: fr-6", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-1fk")
    act(s, 0, "attack", "0507")
    assert side_holding(s, node("0507")) == 1


@pytest.mark.rule("3.3.2")
def test_3_3_2_captured_factories_are_destroyed() -> None:
    s = position("")
    d.take_control(s, node("ruhr"), IDS["FR"])
    assert s.burnt[node("ruhr")] == 1
    d.take_control(s, node("ruhr"), IDS["DE"])
    assert s.burnt[node("ruhr")] == 1


@pytest.mark.rule("7.7.11-fortress-fall", "5.6-eben-c", "7.7.11-bunker-fall", "5.1-maginot-c", "5.2-siegfried-b")
def test_7_7_11_works_fall_with_their_hex() -> None:
    s = position("")
    for place, before in (("liege", 2), ("0507", 2), ("la-spezia", 1), ("0508", 1)):
        here = node(place)
        assert s.works[here] == before
        taker = IDS["FR"] if side_holding(s, here) == 0 else IDS["DE"]
        d.take_control(s, here, taker)
        assert s.works[here] == before - 1
        d.take_control(s, here, IDS["DE"] if taker == IDS["FR"] else IDS["FR"])
        assert s.works[here] == max(0, before - 2)


@pytest.mark.rule("3.1.2b")
def test_3_1_2b_one_major_or_two_minor_ports() -> None:
    s = position("")
    assert d.controls_sea(s, 1, "atlantic")
    assert not d.controls_sea(s, 0, "atlantic")
    s.owner[node("calais")] = IDS["DE"]
    assert not d.controls_sea(s, 0, "atlantic")
    s.owner[node("cherbourg")] = IDS["DE"]
    assert d.controls_sea(s, 0, "atlantic")
    assert d.controls_sea(s, 1, "atlantic")  # both at once
    s.owner[node("calais")] = s.owner[node("cherbourg")] = IDS["FR"]
    s.owner[node("bordeaux")] = IDS["DE"]
    assert d.controls_sea(s, 0, "atlantic")


@pytest.mark.rule("3.10a", "3.10c")
def test_3_10a_stacking() -> None:
    def fits(names: str, newcomer: str) -> bool:
        return d.why_not_stack(position(), [u(n) for n in names.split()], u(newcomer)) is None

    assert fits("de-4a de-6a", "de-12a")
    assert fits("de-4a de-6a", "de-26")
    assert fits("de-4a de-26", "de-27")
    assert not fits("de-26 de-27", "de-10")
    assert not fits("de-4a de-6a de-12a", "de-16a")
    assert fits("de-fort-calais de-26", "de-27")
    assert not fits("de-fort-calais de-26 de-27", "de-4a")
    assert fits("fr-6 fr-9 fr-3a", "de-26")  # the enemy's stack does not count


@pytest.mark.rule("3.10b")
def test_3_10b_one_fighter_and_one_bomber_in_a_battle() -> None:
    s = position("0507: fr-6 | 0309: de-jf2 | 0908: de-1fk | 0708: de-2fk", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-1fk")
    act(s, 0, "attack", "0507")
    act(s, 0, "fly", "de-2fk")
    assert refusal(s, 0, "attack", "0507") == "3.10b"
    act(s, 0, "halt")
    act(s, 0, "fly", "de-jf2")
    assert refusal(s, 0, "attack", "0507") is None


@pytest.mark.rule("3.19a", "3.19e")
def test_3_19a_zones_cover_the_six_neighbours_but_not_enemy_hexes() -> None:
    s = position("0607: de-26 | 0507: fr-6")
    for near in ("0506", "0508", "0707", "0708", "0606", "0608"):
        covered = d.in_ground_zoc(s, node(near), 0)
        assert covered == (node(near) in THEATRE.touch[node("0607")])
    assert not d.in_ground_zoc(s, node("0507"), 0)  # an Allied unit stands there
    s.flags[u("de-26")] |= 1  # out of supply
    assert d.in_ground_zoc(s, node("0606"), 0)


@pytest.mark.rule("3.19b")
def test_3_19b_no_zone_in_battle_or_in_flight() -> None:
    s = position("0607: de-26 | 0708: de-jf2")
    assert d.in_any_zoc(s, node("0709"), 0)
    s.flags[u("de-jf2")] |= MISSION
    assert not d.in_any_zoc(s, node("0709"), 0)
    assert d.in_ground_zoc(s, node("0606"), 0)
    set_out(s, "fr-6", "0607")
    assert is_battle(s, node("0607"))
    assert not d.in_ground_zoc(s, node("0606"), 0)


@pytest.mark.rule("3.19c")
def test_3_19c_no_zone_across_a_strait() -> None:
    s = position("0302: uk-5")
    assert not d.in_ground_zoc(s, node("calais"), 1)
    assert node("calais") in THEATRE.arrows[node("dover")]
    assert d.in_ground_zoc(s, node("0301"), 1)


@pytest.mark.rule("6.6c")
def test_6_6c_forts_have_no_zone() -> None:
    s = position("0607: de-fort-calais")
    assert not d.in_any_zoc(s, node("0606"), 0)
    set_out(s, "de-26", "0607")
    assert d.in_any_zoc(s, node("0606"), 0)


@pytest.mark.rule("3.20", "5.6.2a")
def test_3_20_leaders_of_the_alliances() -> None:
    s = position("", pool=[{"nations": [n], "income": 5} for n in ("DE", "FR", "UK")])
    assert d.alliance_leader(s, 0) == IDS["DE"]
    assert d.alliance_leader(s, 1) == IDS["UK"]
    assert d.alliance_leader(position(""), 1) == IDS["US"]


@pytest.mark.rule("5.6a", "5.6.2c")
def test_5_6_2c_assistance_ends_tech_0() -> None:
    s = position("0105: be-1", first="1944-06")
    assert d.tech_of(s, u("be-1")) == 0
    s.status[IDS["BE"]] |= 1
    assert d.tech_of(s, u("be-1")) == 2  # one below the UK


@pytest.mark.rule("3.21")
def test_3_21_frozen_units_cannot_move() -> None:
    s = position("0507: fr-6 | 0505: fr-9", start=True, frozen=[{"turn": 1, "units": ["fr-6"]}])
    assert is_frozen(s, u("fr-6"))
    go_to(s, "7.4", 1)
    assert refusal(s, 1, "rail", "fr-6") == "3.21"
    go_to(s, "7.5", 1)
    assert refusal(s, 1, "move", "fr-6") == "3.21"
    assert refusal(s, 1, "move", "fr-9") is None
    s.turn = 2
    assert not is_frozen(s, u("fr-6"))


@pytest.mark.rule("3.22")
def test_3_22_a_battle_hex_holds_both_sides() -> None:
    s = position("0507: fr-6")
    assert not is_battle(s, node("0507"))
    set_out(s, "de-26", "0507")
    assert is_battle(s, node("0507"))


@pytest.mark.rule("3.23", "3.24")
def test_3_23_equipment() -> None:
    by_id = {x.id: x for x in UNITS}
    assert d.why_not_climate(by_id["de-26"], "NOR") is not None
    assert d.why_not_climate(by_id["de-18g"], "NOR") is None
    assert d.why_not_climate(by_id["de-26"], "DEN") is None  # Denmark is not Scandinavia
    assert d.why_not_climate(by_id["de-26"], "africa") is not None
    assert d.why_not_climate(by_id["ff-1"], "africa") is None
    assert d.why_not_climate(by_id["ff-1"], "FRA") is None


@pytest.mark.rule("0-scale", "1.1")
def test_1_1_turns_are_months() -> None:
    s = position("", first="1944-12")
    assert month(s) == "1944-12"
    s.turn = 2
    assert month(s) == "1945-01"
    assert GAME.view(s, 0)["month"] == "1945-01"


@pytest.mark.rule("5.5", "7.11b")
def test_5_5_american_losses_are_counted() -> None:
    s = position("0505: us-4, us-12f")
    remove(s, u("us-12f"))
    assert s.us_losses == 0
    remove(s, u("us-4"))
    assert s.us_losses == 1


@pytest.mark.rule("7.5.5e")
def test_7_5_5e_inland_ports_need_their_letters() -> None:
    from dataclasses import replace

    from grognard.games.bitw.world import WORLDS, add_world

    s = position("")
    w = WORLDS[s.scenario]
    add_world(
        s.scenario, replace(w, theatre=replace(THEATRE, letters={node("bordeaux"): (node("0504"), node("0704"))}))
    )
    assert d.port_is_open(s, node("bordeaux"), 1)
    s.owner[node("0704")] = IDS["DE"]
    assert not d.port_is_open(s, node("bordeaux"), 1)
    assert d.port_is_open(s, node("calais"), 1)


@pytest.mark.rule("5.0b")
def test_out_powers_are_marked() -> None:
    s = position("")
    s.status[IDS["BE"]] |= OUT
    assert GAME.view(s, 0)["out"] == ["BE"]


@pytest.mark.rule("3.19a", "3.19b", "3.19c", "6.6c")
def test_3_19_the_zone_of_a_side_is_what_each_hex_says() -> None:
    s = position("0508: de-26 | 0506: fr-6 | 0309: de-fort-calais | 0302: uk-1 | 0404: de-27 | 0805: fr-9")
    set_out(s, "de-4", "0805")  # a battle: neither side has a zone around it
    for side in (0, 1):
        told = {n for n in range(len(s.owner)) if d.in_ground_zoc(s, n, side)}
        assert d.ground_zone(s, side) == told
        assert told
