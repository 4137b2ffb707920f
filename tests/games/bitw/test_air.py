"""7.5.2 Missions and bases, 7.6 reaction, 7.7.5-evac, 7.7.16, 7.8.1, 3.7 the Atlantic."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import air
from grognard.games.bitw.state import FOUGHT, MISSION, POOL, BitwState, side_holding
from grognard.games.bitw.world import POWERS
from grognard.kernel import flow

from .table import act, go_to, node, position, refusal, refused, set_out, u

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("7.5.2b", "6.3.1a", "6.3.2a")
def test_7_5_2b_missions_within_range_of_an_enemy() -> None:
    s = position("0908: de-jf2 | 0510: de-1fk | 0404: fr-6 | 0505: fr-9 | 0509: de-26", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-jf2")
    assert refusal(s, 0, "attack", "0404") == "7.5.2b"  # six or more hexes for a fighter
    assert refusal(s, 0, "attack", "0505") is None  # five
    assert refusal(s, 0, "attack", "0506") == "7.5.2b"  # nobody there
    act(s, 0, "attack", "0505")
    assert s.flags[u("de-jf2")] & MISSION
    assert s.base[u("de-jf2")] == node("0908")
    s.steps[u("de-1fk")] = 0
    act(s, 0, "fly", "de-1fk")
    assert refusal(s, 0, "attack", "0505") == "7.5.2b"  # no steps
    assert (air.air_range(s, u("de-jf2")), air.air_range(s, u("de-1fk"))) == (5, 10)


@pytest.mark.rule("6.3.1c", "6.3.2c", "6.3.3a")
def test_6_3_ranges_by_tech() -> None:
    late = position("", first="1944-06")
    assert air.air_range(late, u("de-jf2")) == 10
    assert air.air_range(late, u("us-12b")) == 15
    early = position("")
    assert air.air_range(early, u("uk-3g")) == 15


@pytest.mark.rule("7.5.2c", "3.4-airbase-b")
def test_7_5_2c_rebasing_twice_as_far_one_to_a_base() -> None:
    s = position("0908: de-jf2 | 0309: de-jf3 | 0510: de-26", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-jf2")
    assert air.rebase_range(s, u("de-jf2")) == 10
    assert refusal(s, 0, "rebase", "0309") == "3.4-airbase-b"
    assert refusal(s, 0, "rebase", "0505") == "3.4-airbase-a"
    act(s, 0, "rebase", "0708")
    assert s.place[u("de-jf2")] == node("0708")


@pytest.mark.rule("7.5.2d")
def test_7_5_2d_mission_or_rebase_not_both() -> None:
    s = position("0908: de-jf2 | 0309: de-jf3 | 0507: fr-6", start=True)
    go_to(s, "7.5.2a", 0)
    act(s, 0, "fly", "de-jf2")
    act(s, 0, "rebase", "0708")
    assert refusal(s, 0, "fly", "de-jf2") == "7.5.2d"


@pytest.mark.rule("7.5.3d")
def test_7_5_3d_one_point_a_hex_whatever_lies_between() -> None:
    s = position("0309: de-jf2 | 0305: fr-6")
    assert air.why_not_mission(s, u("de-jf2"), node("0305")) is None  # four hexes over hills, forest and an enemy
    set_out(s, "fr-9", "0307")
    assert air.why_not_mission(s, u("de-jf2"), node("0305")) is None


@pytest.mark.rule("7.6a", "7.6b")
def test_7_6_reaction_to_battles_only_and_not_from_one() -> None:
    s = position(
        "0508: de-26 | 0507: fr-6, fr-zn | 0505: fr-ze | 0806: fr-b1 | 0206: be-1 | 0208: de-27 | 0904: fr-zs",
        start=True,
    )
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    while s.frames[-1].at() != "7.6a":
        who = s.waiting[0]
        legal = GAME.orders(s, who)
        quiet = [a for a in legal if a[0] in ("done", "refuse")]
        GAME.obey(s, who, quiet[0])
    assert s.waiting == (1,)
    assert refusal(s, 1, "fly", "fr-zn") == "7.6b"  # its base is under attack
    assert refusal(s, 1, "fly", "fr-zs") == "7.6a"  # too far
    assert refusal(s, 1, "fly", "fr-ze") == "7.6a"  # the one battle in range has a fighter already
    act(s, 1, "fly", "fr-b1")
    assert refusal(s, 1, "attack", "0208") == "7.6a"  # no battle there
    assert refusal(s, 1, "rebase", "0604") == "7.6a"
    act(s, 1, "attack", "0507")
    assert s.place[u("fr-b1")] == node("0507")


@pytest.mark.rule("7.7.5-evac")
def test_7_7_5_evacuation_of_a_base() -> None:
    s = position("0508: de-26 | 0507: fr-b1 4 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    assert s.steps[u("fr-b1")] == 2  # one position lost
    assert s.waiting == (1,)
    act(s, 1, "rebase", "fr-b1")
    act(s, 1, "to", "0505")
    assert s.place[u("fr-b1")] == node("0505")
    assert side_holding(s, node("0507")) == 0  # taken without a battle
    assert not s.flags[u("de-26")] & FOUGHT


@pytest.mark.rule("7.7.5-evac")
def test_7_7_5_no_base_means_surrender() -> None:
    s = position(
        "0508: de-26 | 0507: fr-zn 3 | 0505: fr-ze | 0806: fr-zs | 0604: fr-b1 | 0404: fr-b2 | 0904: uk-2g", start=True
    )
    go_to(s, "7.5", 0)
    before = s.pp[IDS["DE"]]
    for city in ("0104", "0105", "0206"):
        s.owner[node(city)] = IDS["DE"]
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    while s.waiting == (1,):
        legal = GAME.orders(s, 1)
        GAME.obey(s, 1, legal[0])
    assert s.place[u("fr-zn")] == POOL
    assert s.pp[IDS["DE"]] == before + 1


@pytest.mark.rule("7.7.16", "7.7.17")
def test_7_7_16_home_within_range_or_lost() -> None:
    s = position("0506: de-jf2 5 | 0309: de-jf3")
    s.base[u("de-jf2")] = node("0908")
    s.flags[u("de-jf2")] |= MISSION
    homes = air.homes_for(s, u("de-jf2"))
    assert node("0309") not in homes  # taken
    assert all(s_distance(n) <= 5 for n in homes)
    for city in ("0510", "0708", "0908", "0207", "0407", "0309"):
        s.owner[node(city)] = IDS["FR"]
    assert air.homes_for(s, u("de-jf2")) == []
    air.bring_home(s, u("de-jf2"), "7.7.16")
    assert s.place[u("de-jf2")] == POOL


def s_distance(n: int) -> int:
    from .table import THEATRE

    return THEATRE.distance(node("0506"), n)


@pytest.mark.rule("7.8.1")
def test_7_8_1_everybody_goes_home_the_defender_first() -> None:
    from grognard.games.bitw.frames import Homecoming
    from grognard.kernel import flow

    s = position("0507: fr-6, fr-zn, de-jf2 | 0505: fr-9")
    for name, base in (("fr-zn", "0806"), ("de-jf2", "0309")):
        s.flags[u(name)] |= MISSION
        s.base[u(name)] = node(base)
    s.frames.append(Homecoming(side=0))
    flow.run(GAME.tables, s)
    assert s.waiting == (1,)  # the Axis is phasing: the Allies choose first
    assert refused(s, 1, "rebase", u("de-jf2")) == "3.1"
    act(s, 1, "rebase", "fr-zn")
    act(s, 1, "to", "0505")
    assert s.waiting == (0,)
    act(s, 0, "rebase", "de-jf2")
    act(s, 0, "to", "0309")
    assert not s.flags[u("de-jf2")] & MISSION
    assert s.waiting == ()


@pytest.mark.rule("3.7f")
def test_3_7f_bombers_cross_the_atlantic() -> None:
    s = position("usa: us-15sb, us-12f | 0302: us-12b", first="1944-06")
    assert node("london") in air.ocean_bases(s, u("us-15sb"))
    assert set(air.ocean_bases(s, u("us-12b"))) == {node("usa"), node("canada")}
    assert node("london") not in air.ocean_bases(s, u("us-12f"))
    assert air.ocean_bases(position("0302: uk-2g"), u("uk-2g")) == []


@pytest.mark.rule("3.7g", "3.7.1-iceland", "3.7.1-azores")
def test_3_7g_fighters_stop_in_iceland_or_the_azores() -> None:
    s = position("usa: us-12f, us-9f | iceland: us-8f", first="1943-05")
    assert air.ocean_bases(s, u("us-12f")) == [node("iceland")]  # any number of them there
    assert node("london") in air.ocean_bases(s, u("us-8f"))
    s.turn = 2  # June 1943
    assert set(air.ocean_bases(s, u("us-12f"))) == {node("iceland"), node("azores")}
    set_out(s, "us-9f", "azores")
    assert air.ocean_bases(s, u("us-12f")) == [node("iceland")]  # one at a time in the Azores


@pytest.mark.rule("5.1-armistice-e")
def test_5_1_armistice_bans_inland_cities() -> None:
    s = position("0101: us-12b | 0505: de-26 | 0404: de-27", rules=["armistice-in-force"], first="1944-06")
    for city in ("0505", "0404"):
        s.owner[node(city)] = IDS["DE"]
    assert air.why_not_bomb_inland(s, 1, node("0505")).rule == "5.1-armistice-e"  # type: ignore[union-attr]
    assert air.why_not_bomb_inland(s, 1, node("0404")) is None  # a coastal hex
    assert air.why_not_bomb_inland(s, 0, node("0505")) is None  # only the Allies are bound


@pytest.mark.rule("5.1-armistice-f")
def test_5_1_two_major_ports_end_the_ban() -> None:
    from dataclasses import replace

    from grognard.games.bitw.world import WORLDS, add_world

    from .table import THEATRE

    s = position("0505: de-26", rules=["armistice-in-force"], first="1944-06")
    port = bytearray(THEATRE.port)
    port[node("cherbourg")] = 2
    add_world(s.scenario, replace(WORLDS[s.scenario], theatre=replace(THEATRE, port=bytes(port))))
    s.owner[node("cherbourg")] = IDS["DE"]
    assert air.why_not_bomb_inland(s, 1, node("0505")) is not None  # one major port is not enough
    s.owner[node("cherbourg")] = IDS["US"]
    assert air.why_not_bomb_inland(s, 1, node("0505")) is None


@pytest.mark.rule("7.5.2d", "7.6a")
def test_7_6_an_aircraft_that_reacted_flies_again_in_its_own_turn() -> None:
    s = position("0508: de-26 | 0507: fr-6 | 0505: fr-ze | 0806: fr-b1 | 0207: de-27", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    go_to_reaction(s)
    act(s, 1, "fly", "fr-b1")
    act(s, 1, "attack", "0507")
    act(s, 1, "fly", "fr-ze")
    act(s, 1, "halt")
    go_to(s, "7.5.2a", 1)
    assert refusal(s, 1, "fly", "fr-b1") is None
    assert refusal(s, 1, "fly", "fr-ze") is None


def go_to_reaction(s: BitwState) -> None:
    """Answer quietly until the defender may react."""
    while s.frames[-1].at() != "7.6a":
        who = s.waiting[0]
        GAME.obey(s, who, next(a for a in GAME.orders(s, who) if a[0] in ("done", "refuse")))


@pytest.mark.rule("7.7.5-evac", "7.7.10a", "7.7.10b")
def test_7_7_5_the_last_step_of_an_aircraft_caught_on_the_ground() -> None:
    s = position("0508: de-26 | 0507: fr-b1 1 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    assert (s.steps[u("fr-b1")], s.place[u("fr-b1")]) == (0, node("0507"))  # a block with a 0 lives on
    act(s, 1, "rebase", "fr-b1")
    act(s, 1, "to", "0505")
    s = position("0508: de-26 | 0507: fr-zn 1 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    before = s.pp[IDS["DE"]]
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    assert s.place[u("fr-zn")] == POOL  # shot down, not captured: no point
    assert s.pp[IDS["DE"]] == before
    assert side_holding(s, node("0507")) == 0


@pytest.mark.rule("5.1-open-city-b")
def test_5_1_aircraft_leave_an_open_paris_too() -> None:
    s = position("0505: fr-zn | 0806: fr-ze | 0510: de-26 | 0705: fr-9", start=True)
    go_to(s, "7.4", 1)
    act(s, 1, "open-city", "paris")
    go_to(s, "7.5.2a", 1)
    assert refusal(s, 1, "done") == "5.1-open-city-b"
    act(s, 1, "fly", "fr-ze")
    assert refusal(s, 1, "rebase", "0505") is not None
    assert refusal(s, 1, "halt") is None  # it is elsewhere
    act(s, 1, "halt")
    act(s, 1, "fly", "fr-zn")
    assert refusal(s, 1, "halt") == "5.1-open-city-b"
    assert ("halt", "") not in GAME.orders(s, 1)
    act(s, 1, "rebase", "0604")
    assert s.frames[-1].at() != "7.5.2a"  # nobody is left to fly


@pytest.mark.rule("5.1-open-city-b", "7.7.16")
def test_5_1_nobody_comes_home_to_an_open_paris() -> None:
    s = position("0506: fr-zn | 0705: fr-9")
    s.flags[u("fr-zn")] |= MISSION
    assert node("0505") in air.homes_for(s, u("fr-zn"))
    s.open_city = 1
    assert node("0505") not in air.homes_for(s, u("fr-zn"))
    for city in ("0404", "0806", "0604", "0904", "0104", "0105", "0206"):
        s.owner[node(city)] = IDS["DE"]
    assert not air.has_home(s, u("fr-zn"))


@pytest.mark.rule("7.8.1", "3.4-airbase-b")
def test_7_8_1_all_back_to_their_bases_in_one_answer() -> None:
    from grognard.games.bitw.frames import Homecoming

    s = position("0507: fr-6 | 0510: de-jf2 | 0708: de-jf3 | 0309: de-8fka")
    for name, base in (("de-jf2", "0510"), ("de-jf3", "0708"), ("de-8fka", "0309")):
        s.base[u(name)] = node(base)
        s.flags[u(name)] |= MISSION
        set_out(s, name, "0507")
    s.owner[node("0309")] = 255  # one base is lost meanwhile
    s.frames.append(Homecoming(side=0))
    flow.run(GAME.tables, s)
    assert ("home", "") in GAME.orders(s, 0)
    act(s, 0, "home")
    assert [s.place[u(x)] for x in ("de-jf2", "de-jf3")] == [node("0510"), node("0708")]
    assert not s.flags[u("de-jf2")] & MISSION
    assert [a for a in GAME.orders(s, 0) if a[0] == "rebase"] == [("rebase", "de-8fka")]
    assert refusal(s, 0, "home") == "7.8.1"
