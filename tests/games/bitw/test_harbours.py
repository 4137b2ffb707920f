"""6.7 Mulberries, with landings noted by hand: the landings themselves are Advanced (ruling A59)."""

from __future__ import annotations

import pytest

from grognard.games.bitw import nouns
from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import definitions, harbours, production
from grognard.games.bitw.rules.harbours import SPENT, DeployHarbour
from grognard.games.bitw.rules.supply import check_supply, networks
from grognard.games.bitw.state import NONE, BitwState
from grognard.games.bitw.world import POWERS

from .table import act, battle, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}
US, UK = IDS["US"], IDS["UK"]
POOLS = [{"nations": [n], "income": 5} for n in ("DE", "UK", "US")]
LAND = {"GER": "DE", "FRA": "DE", "GBR": "UK"}
BEACH = "0904"  # a minor port on the coast of France
AMERICANS = "us-4, us-8, us-12c, us-20c, us-3c"


def invasion(
    units: str = "", beach: str = BEACH, nation: int = US, start: bool = False, first: str = "1944-06"
) -> BitwState:
    s = position(units, start=start, first=first, pool=POOLS, rules=["landings"], control={"countries": LAND})
    s.owner[node(beach)] = nation
    s.landed = ((node(beach), nation),)
    return s


def paid(s: BitwState, which: int = 0) -> BitwState:
    s.harbour_paid[which] = 30
    return s


@pytest.mark.rule("6.7a")
def test_6_7a_available_from_january_1944_where_landings_are_played() -> None:
    for first, allowed in (("1943-12", False), ("1944-01", True)):
        s = invasion("0101: us-4 2", start=True, first=first)
        go_to(s, "7.3", 1)
        assert (refusal(s, 1, "harbour", "A") is None) == allowed
        assert (refusal(s, 1, "harbour", "B") is None) == allowed
        assert (("harbour", "A") in GAME.orders(s, 1)) == allowed
    assert harbours.why_not_pay_harbour(s, 0, 0).rule == "6.7a"  # type: ignore[union-attr]
    basic = position("0101: us-4 2", start=True, first="1944-06", pool=POOLS)
    go_to(basic, "7.3", 1)
    assert refusal(basic, 1, "harbour", "A") == "6.7a"


@pytest.mark.rule("6.7d")
def test_6_7d_thirty_points_over_several_turns() -> None:
    s = invasion("0101: us-4 2", start=True)
    go_to(s, "7.3", 1)
    s.pp[US] = 20
    act(s, 1, "harbour", "A")
    assert (s.harbour_paid[0], s.pp[US]) == (20, 0)
    assert harbours.why_not_deploy(s, 0, node(BEACH)).rule == "6.7d"  # type: ignore[union-attr]
    s.pp[US] = 15
    assert harbours.why_not_pay_harbour(s, 1, 0) is None
    harbours.pay_harbour(s, 0)
    assert (s.harbour_paid[0], s.pp[US]) == (30, 5)
    assert harbours.why_not_pay_harbour(s, 1, 0).rule == "6.7d"  # type: ignore[union-attr]
    assert harbours.why_not_deploy(s, 0, node(BEACH)) is None


@pytest.mark.rule("6.7.1a")
def test_6_7_1a_only_on_a_beach_of_its_own_nation() -> None:
    s = paid(paid(invasion(nation=UK)), 1)
    assert harbours.why_not_deploy(s, 0, node(BEACH)).rule == "6.7.1a"  # type: ignore[union-attr]
    assert harbours.why_not_deploy(s, 1, node(BEACH)) is None
    assert harbours.why_not_deploy(s, 1, node("0404")).rule == "6.7.1a"  # type: ignore[union-attr] # not invaded
    s.owner[node(BEACH)] = IDS["DE"]
    assert harbours.why_not_deploy(s, 1, node(BEACH)) is not None


@pytest.mark.rule("6.7.1b")
def test_6_7_1b_after_the_first_round_if_the_hex_is_clear() -> None:
    s = paid(invasion("0904: us-4 4 | 0510: de-26"))
    set_out(s, "de-74", BEACH)
    s.steps[u("de-74")] = 1
    s.owner[node(BEACH)] = IDS["DE"]
    set_out(s, "us-4", BEACH)
    s.origin[u("us-4")] = NONE
    battle(s, BEACH, attacker=1, dice=(1, *(6,) * 30))
    assert s.place[u("de-74")] != node(BEACH)
    assert ("deploy", f"{BEACH}/A") in GAME.orders(s, 1)  # cleared: it need not wait for the end of the battle (24.0c)
    act(s, 1, "deploy", f"{BEACH}/A")
    assert s.harbour[0] == node(BEACH)
    assert s.owner[node(BEACH)] == US
    again = paid(invasion("0904: us-4 4 | 0510: de-26"))
    again.owner[node(BEACH)] = US
    set_out(again, "de-74", BEACH)
    again.steps[u("de-74")] = 1
    battle(again, BEACH, attacker=1, dice=(1, *(6,) * 30))
    assert again.waiting == (1,)
    assert ("deploy", f"{BEACH}/A") in GAME.orders(again, 1)
    act(again, 1, "deploy", f"{BEACH}/A")
    assert again.harbour[0] == node(BEACH)


@pytest.mark.rule("6.7.1b")
def test_6_7_1b_at_the_start_of_exploitation_and_never_later() -> None:
    s = paid(invasion("0904: us-4 | 0510: de-26", start=True))
    go_to(s, "6.7.1b", 1)
    assert GAME.orders(s, 1) == [("done", ""), ("deploy", f"{BEACH}/A")]
    assert refusal(s, 1, "deploy", f"{BEACH}/B") == "6.7d"
    twin = s.copy()
    act(twin, 1, "done")
    go_to(twin, "7.5", 1)
    assert twin.landed == ()
    assert harbours.why_not_deploy(twin, 0, node(BEACH)).rule == "6.7.1a"  # type: ignore[union-attr]
    act(s, 1, "deploy", f"{BEACH}/A")
    assert (s.harbour[0], s.harbour_paid[0]) == (node(BEACH), SPENT)


@pytest.mark.rule("6.7.1b")
def test_6_7_1b_enemy_aircraft_keep_it_out() -> None:
    s = paid(invasion("0904: us-4"))
    set_out(s, "de-jf2", BEACH)
    turn = PlayerTurn(side=1)
    assert DeployHarbour().why_not(s, turn, 1, "deploy", nouns.BEACH.of(node(BEACH), 0)).rule == "6.7.1b"  # type: ignore[union-attr]


@pytest.mark.rule("6.7b")
def test_6_7b_five_units_of_its_own_nation() -> None:
    beach, landed = "0804", {u(x) for x in AMERICANS.split(", ")}  # no port, no railway
    s = invasion(f"{beach}: {AMERICANS}, uk-30", beach=beach)
    assert {*landed, u("uk-30")} <= set(check_supply(s, 1))
    s.harbour[0] = node(beach)
    assert set(check_supply(s, 1)) == {u("uk-30")}  # A is American
    set_out(s, "us-6", beach)
    s.steps[u("us-6")] = 4
    assert len(set(check_supply(s, 1)) - {u("uk-30")}) == 1  # five and no more
    s.harbour[0], s.harbour[1] = NONE, node(beach)
    assert set(check_supply(s, 1)) == {*landed, u("us-6")}  # B is British


@pytest.mark.rule("6.7c")
def test_6_7c_five_may_stack_on_it() -> None:
    s = invasion("0904: us-4, us-8, us-12c, us-20c")
    assert definitions.why_not_stand(s, node(BEACH), u("us-3c")).rule == "3.10a"  # type: ignore[union-attr]
    s.harbour[0] = node(BEACH)
    assert definitions.why_not_stand(s, node(BEACH), u("us-3c")) is None
    assert definitions.why_not_stand(s, node(BEACH), u("uk-30")) is not None  # not American
    set_out(s, "us-3c", BEACH)
    assert not definitions.overstacked(s, node(BEACH), 1)
    assert definitions.why_not_stand(s, node(BEACH), u("us-6")).rule == "6.7c"  # type: ignore[union-attr]
    set_out(s, "us-6", BEACH)
    assert definitions.overstacked(s, node(BEACH), 1)


@pytest.mark.rule("6.7.2a")
def test_6_7_2a_bombs_close_it_then_cut_it_for_a_turn() -> None:
    s = invasion(f"0405: {AMERICANS.split(',', maxsplit=1)[0]} | 0510: de-26", beach="0405", start=True)
    s.harbour[0] = node("0405")
    beach = node("0405")
    assert harbours.takes_ships(s, beach)
    harbours.bomb_harbour(s, 0, 2)
    assert not harbours.takes_ships(s, beach)
    assert u("us-4") not in check_supply(s, 1)
    harbours.bomb_harbour(s, 0, 1)
    assert u("us-4") in check_supply(s, 1)
    go_to(s, "7.10", 1)
    act(s, 1, "done")
    assert harbours.takes_ships(s, beach)  # the turn is over


@pytest.mark.rule("6.7.2b")
def test_6_7_2b_ten_hits_or_an_enemy_ground_unit_destroy_it() -> None:
    for hits, stands in ((9, True), (10, False)):
        s = invasion()
        s.harbour[0] = node(BEACH)
        harbours.bomb_harbour(s, 0, hits)
        assert (s.harbour[0] == node(BEACH)) == stands
    s = invasion("0805: de-26", start=True)
    s.harbour[0] = node(BEACH)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    act(s, 0, "to", BEACH)
    assert s.harbour[0] == NONE


def overseas(extra: str = "") -> tuple[BitwState, PlayerTurn]:
    """Two weak British corps fed only through a minor port, in a production phase."""
    s = invasion(f"0904: uk-30 1, uk-12 1{extra} | 0510: de-26", nation=UK, start=True)
    s.owner[node("0604")] = IDS["DE"]
    go_to(s, "7.3", 1)
    s.pp[UK] = 20
    turn = s.frames[-1]
    assert isinstance(turn, PlayerTurn)
    return s, turn


@pytest.mark.rule("6.7.3")
def test_6_7_3_ports_carry_as_many_points_as_they_feed_units() -> None:
    s, _ = overseas()
    fed = next(x for x in ("uk-30", "uk-12") if refusal(s, 1, "repair", x) is None)
    act(s, 1, "repair", fed)
    assert refusal(s, 1, "repair", fed) == "6.7.3"  # a minor port: one point
    s.harbour[1] = node(BEACH)
    assert refusal(s, 1, "repair", fed) is None  # and five more through Mulberry B
    for _ in range(5):
        if refusal(s, 1, "repair", fed) is None:
            act(s, 1, "repair", fed)
    assert sum(points for _, points in s.frames[-1].carried) <= 6  # type: ignore[attr-defined]


@pytest.mark.rule("6.7.3")
def test_6_7_3_sixteen_with_two_mulberries_a_major_and_a_minor_port() -> None:
    s = invasion("0904: us-4")
    s.owner[node("0604")] = US  # a major port, not joined to the other by rail
    s.harbour[0] = s.harbour[1] = node(BEACH)
    limited = {n.key: n.capacity for power, home in ((US, "US"), (UK, "UK")) for n in networks(s, power, home)}
    assert sum(c for c in limited.values() if c is not None) == 5 + 5 + 5 + 1


@pytest.mark.rule("6.7.4")
def test_6_7_4_oil_flows_without_limit() -> None:
    s, turn = overseas()
    unit = next(u(x) for x in ("uk-30", "uk-12") if refusal(s, 1, "repair", x) is None)
    s.harbour[1] = node(BEACH)
    turn.carried = ((-2, 5), (node(BEACH), 1))
    assert production.why_not_carry(s, turn, unit, 2).rule == "6.7.3"  # type: ignore[union-attr]
    assert production.why_not_carry(s, turn, unit, 200, "black") is None
    s.harbour[1] = NONE
    assert production.why_not_carry(s, turn, unit, 200, "black") is not None  # only Mulberries have the pipeline
