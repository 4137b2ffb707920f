"""7.4 Rail, 7.5 ground movement, 7.10 exploitation."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Moving, PlayerTurn
from grognard.games.bitw.rules import definitions as d
from grognard.games.bitw.rules import exploitation, rail
from grognard.games.bitw.rules import movement as mv
from grognard.games.bitw.state import MOVED, OOS, side_holding
from grognard.games.bitw.world import POWERS, world

from .table import GAME, THEATRE, act, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}


def cost(s: object, unit: str, to: str, points: int = 9) -> int | None:
    found = mv.reach(s, u(unit), s.place[u(unit)], points)  # type: ignore[arg-type,attr-defined]
    return found.cost.get(node(to))


@pytest.mark.rule("7.5.3b", "7.5.3c")
def test_7_5_3b_terrain_costs_and_free_rivers() -> None:
    prices = {(a, b): p for a in range(THEATRE.hexes) for b, p in THEATRE.exits[a]}
    assert prices[node("0505"), node("0506")] == 1
    assert prices[node("0205"), node("0206")] == 2  # forest
    assert prices[node("0306"), node("0307")] == 2  # hills
    assert prices[node("0406"), node("0407")] == 3  # mountain
    assert prices[node("0506"), node("0507")] == 3  # swamp
    assert prices[node("0605"), node("0606")] == 1  # across the Seine
    assert (node("0605"), node("0606")) in THEATRE.rivers


@pytest.mark.rule("7.5.3a")
def test_7_5_3a_allowance_by_tech() -> None:
    s = position("")
    assert d.movement_points(s, u("fr-6"), False) == 3
    assert d.movement_points(s, u("de-26"), False) == 4


@pytest.mark.rule("3.18")
def test_3_18_at_least_one_point() -> None:
    s = position("")
    assert d.movement_points(s, u("fr-6"), True) == 1
    assert d.movement_points(s, u("fr-thi"), True) == 0
    assert [d.half_points(n) for n in (4, 3, 1, 0)] == [2, 1, 1, 0]


@pytest.mark.rule("7.5a", "7.5.3e")
def test_7_5_3e_hexes_are_contiguous_and_paid_in_full() -> None:
    s = position("0509: de-26", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert refusal(s, 0, "to", "0504") == "7.5.3e"  # five hexes
    act(s, 0, "to", "0608")
    assert s.frames[-1].left == 4 - cost_between("0509", "0608")  # type: ignore[attr-defined]
    act(s, 0, "halt")
    assert refusal(s, 0, "move", "de-26") == "7.5.1"  # what is left is lost


def cost_between(a: str, b: str) -> int:
    s = position(f"{a}: de-26")
    found = cost(s, "de-26", b)
    assert found is not None
    return found


@pytest.mark.rule("7.5.3e")
def test_7_5_3e_a_hex_one_cannot_pay_is_closed() -> None:
    s = position("0406: fr-6")
    assert cost(s, "fr-6", "0407", 2) is None  # a mountain costs 3
    assert cost(s, "fr-6", "0407", 3) == 3


@pytest.mark.rule("7.5.1")
def test_7_5_1_all_some_or_none() -> None:
    s = position("0509: de-19pz, de-26 | 0609: de-27", start=True)
    go_to(s, "7.5", 0)
    for name in ("de-19pz", "de-26", "de-27"):
        assert refusal(s, 0, "move", name) is None
    assert refusal(s, 0, "done") is None


@pytest.mark.rule("7.5.3f")
def test_7_5_3f_through_friends_but_not_onto_a_full_stack() -> None:
    s = position("0509: de-26 | 0508: de-27, de-30, de-4a", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert refusal(s, 0, "to", "0508") == "3.10a"
    assert refusal(s, 0, "to", "0507") is None


@pytest.mark.rule("7.5.3g", "3.22")
def test_7_5_3g_entering_an_enemy_hex_ends_the_move() -> None:
    s = position("0508: de-26 | 0507: fr-6", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert refusal(s, 0, "to", "0506") is None  # around him
    act(s, 0, "attack", "0507/0508")
    assert s.frames[-1].sequence_name == "player_turn"  # out of hand: it stops
    assert s.place[u("de-26")] == node("0507")
    assert s.origin[u("de-26")] == node("0508")


@pytest.mark.rule("7.5.3h")
def test_7_5_3h_zones_do_not_stop_movement() -> None:
    s = position("0508: de-26 | 0707: fr-6")
    assert d.in_ground_zoc(s, node("0607"), 1)
    quiet = position("0508: de-26")
    assert cost(s, "de-26", "0506") == cost(quiet, "de-26", "0506")


@pytest.mark.rule("7.5.4a", "7.5.4b")
def test_7_5_4_water_and_edges_are_closed() -> None:
    s = position("0404: fr-6 | 0109: de-26", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert refusal(s, 0, "to", "0110") == "7.5.4b"
    act(s, 0, "halt")
    go_to(s, "7.5", 1)
    act(s, 1, "move", "fr-6")
    assert refusal(s, 1, "to", "0403") == "7.5.4a"


@pytest.mark.rule("7.5.4c")
def test_7_5_4c_a_country_out_of_the_war_is_closed() -> None:
    s = GAME.setup("SBW3", {}, "seed")
    t = world(s).theatre
    refused = mv.MoveOn().why_unreachable(s, Moving(unit=u("fr-6"), side=1), t.find("milano"))
    assert (refused.rule, refused.reason) == ("7.5.4c", "closed-hex")


@pytest.mark.rule("7.5.5a")
def test_7_5_5a_an_arrow_costs_three() -> None:
    s = position("0302: uk-5")
    assert cost(s, "uk-5", "0404", 3) == 3
    assert cost(s, "uk-5", "0404", 2) is None


@pytest.mark.rule("7.5.5c")
def test_7_5_5c_only_infantry_across_a_contested_strait() -> None:
    s = position("0404: de-26, de-15pz")
    s.owner[node("0404")] = IDS["DE"]
    assert cost(s, "de-26", "0302", 4) == 3
    assert cost(s, "de-15pz", "0302", 4) is None
    s.owner[node("0302")] = IDS["DE"]
    assert cost(s, "de-15pz", "0302", 4) == 3


@pytest.mark.rule("3.8")
def test_3_8_artillery_never_attacks_alone() -> None:
    s = position("0508: de-26, de-4a | 0507: fr-6", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-4a")
    assert refusal(s, 0, "attack", "0507/0508") == "3.8"
    act(s, 0, "halt")
    s.flags[u("de-4a")] &= ~MOVED & 255
    act(s, 0, "move", "de-26")
    act(s, 0, "attack", "0507/0508")
    act(s, 0, "move", "de-4a")
    act(s, 0, "attack", "0507/0508")
    assert s.place[u("de-4a")] == node("0507")


@pytest.mark.rule("3.10a")
def test_3_10a_attackers_stack_on_their_own() -> None:
    s = position("0508: de-26, de-27 | 0608: de-30 | 0507: fr-6, fr-9, fr-3a", start=True)
    go_to(s, "7.5", 0)
    for name in ("de-26", "de-27"):
        act(s, 0, "move", name)
        act(s, 0, "attack", "0507/0508")
    act(s, 0, "move", "de-30")
    assert refusal(s, 0, "attack", "0507/0508") == "3.10a"


@pytest.mark.rule("6.1.1-static-a", "6.6c", "7.4h")
def test_6_1_1_static_infantry_and_forts_do_not_march() -> None:
    s = position("0509: de-25s, de-fort-calais | 0510: de-26, de-1fk", start=True)
    go_to(s, "7.4", 0)
    assert refusal(s, 0, "rail", "de-25s") is None  # by rail it may
    assert refusal(s, 0, "rail", "de-fort-calais") == "7.4h"
    assert refusal(s, 0, "rail", "de-1fk") == "7.4h"  # aircraft change base by flying
    go_to(s, "7.5", 0)
    assert refusal(s, 0, "move", "de-25s") == "6.1.1-static-a"
    assert refusal(s, 0, "move", "de-fort-calais") == "6.6c"


# 7.4


@pytest.mark.rule("7.4a", "7.4d")
def test_7_4a_who_may_go_by_rail() -> None:
    s = position("0509: de-26 | 0609: de-27 | 0508: de-30 | 0507: fr-6 | 0804: de-10", start=True)
    go_to(s, "7.4", 0)
    assert refusal(s, 0, "rail", "de-26") is None
    assert refusal(s, 0, "rail", "de-27") == "7.4a"  # no rail
    assert refusal(s, 0, "rail", "de-30") == "7.4a"  # next to an enemy
    assert refusal(s, 0, "rail", "de-10") == "7.4a"  # unsupplied
    s.pp[IDS["DE"]] = 0
    assert refusal(s, 0, "rail", "de-26") == "7.4d"


@pytest.mark.rule("7.4b")
def test_7_4b_along_friendly_rail_away_from_enemies() -> None:
    s = position("0510: de-26")
    assert {node("0309"), node("0708"), node("0908")} <= set(rail.rail_hexes(s, u("de-26")))
    assert node("0505") not in rail.rail_hexes(s, u("de-26"))  # French rail
    set_out(s, "fr-6", "0608")
    assert node("0708") not in rail.rail_hexes(s, u("de-26"))  # next to an enemy


@pytest.mark.rule("7.4c", "7.4d")
def test_7_4c_after_rail_it_still_marches_and_has_paid() -> None:
    s = position("0510: de-26", start=True)
    go_to(s, "7.4", 0)
    before = s.pp[IDS["DE"]]
    act(s, 0, "rail", "de-26")
    act(s, 0, "to", "0309")
    assert s.pp[IDS["DE"]] == before - 1
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    assert s.frames[-1].left == 4  # type: ignore[attr-defined]


@pytest.mark.rule("7.4e")
def test_7_4e_limits() -> None:
    s = position("0510: de-26, de-27 | 0410: de-30", start=True)
    go_to(s, "7.4", 0)
    act(s, 0, "rail", "de-26")
    act(s, 0, "to", "0309")
    act(s, 0, "rail", "de-27")
    act(s, 0, "to", "0708")
    assert GAME.orders(s, 0) == [("done", "")]  # nothing more to do
    assert rail.why_not_rail(s, u("de-30")).rule == "7.4e"  # type: ignore[union-attr]
    assert rail.allowance_of(IDS["US"]) == IDS["UK"]
    limits = {p.id: p.rail_limit for p in POWERS}
    assert (limits["DE"], limits["UK"], limits["FR"], limits["IT"], limits["US"], limits["BE"]) == (2, 2, 2, 1, 0, 1)


# 7.10


@pytest.mark.rule("7.10a", "6.2", "6.2.1a", "6.2.1b", "6.1.6a")
def test_7_10a_who_exploits() -> None:
    s = position("0509: de-19pz, de-14m | 0609: de-26, de-4a")
    assert exploitation.why_not_exploit(s, u("de-19pz")) is None
    assert exploitation.why_not_exploit(s, u("de-14m")) is None  # TECH 2
    assert exploitation.why_not_exploit(s, u("de-26")).rule == "7.10a"  # type: ignore[union-attr]
    assert exploitation.why_not_exploit(s, u("fr-2m")).rule == "6.1.6a"  # type: ignore[union-attr]
    assert exploitation.why_not_exploit(s, u("fr-prioux")).rule == "6.2.1a"  # type: ignore[union-attr]
    assert exploitation.why_not_exploit(s, u("de-15pg")) is None  # TECH 2 tankette
    assert exploitation.why_not_exploit(s, u("fr-1dcr")) is None


@pytest.mark.rule("7.10b", "7.10c", "6.2")
def test_7_10_second_move_with_full_points_and_no_attack() -> None:
    s = position("0509: de-19pz, de-26 | 0506: fr-6 | 0804: de-41pz", start=True)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-19pz")
    act(s, 0, "to", "0508")
    act(s, 0, "halt")
    go_to(s, "7.10", 0)
    act(s, 0, "move", "de-19pz")
    assert s.frames[-1].left == 4  # type: ignore[attr-defined]
    act(s, 0, "to", "0507")
    assert refusal(s, 0, "attack", "0506/0507") == "7.10c"
    act(s, 0, "halt")
    assert refusal(s, 0, "move", "de-26") == "7.10a"


@pytest.mark.rule("7.10b")
def test_7_10b_unsupplied_armour_stays_and_loses_its_barrel() -> None:
    s = position("0804: de-19pz")
    turn = PlayerTurn(side=0)
    exploitation.open_exploitation(s, turn)
    assert s.flags[u("de-19pz")] & OOS
    exploitation.close_exploitation(s, turn)
    assert not s.flags[u("de-19pz")] & OOS
    assert s.place[u("de-19pz")] == node("0804")


@pytest.mark.rule("3.3a")
def test_3_3a_a_march_conquers_the_way() -> None:
    s = position("0508: de-26")
    mv.march(s, u("de-26"), [node("0507"), node("0506")])
    assert side_holding(s, node("0507")) == side_holding(s, node("0506")) == 0


@pytest.mark.rule("3.7d")
def test_3_7d_usa_and_canada_are_joined() -> None:
    s = position("usa: us-4")
    assert cost(s, "us-4", "canada", 3) == 2
    assert node("canada") in THEATRE.rail[node("usa")]


@pytest.mark.rule("3.7a", "3.7c")
def test_3_7_overseas_areas_are_forest() -> None:
    assert THEATRE.terrain[node("usa")] == THEATRE.terrain[node("canada")] == "forest"


@pytest.mark.rule("7.5.2a")
def test_7_5_2a_ground_before_air() -> None:
    s = position("0509: de-26 | 0309: de-jf2", start=True)
    go_to(s, "7.5", 0)
    assert refusal(s, 0, "move", "de-jf2") == "7.5.2a"
    go_to(s, "7.5.2a", 0)
    assert refusal(s, 0, "move", "de-26") == "7.5.2a"
