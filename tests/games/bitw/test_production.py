"""7.3 Production, 6.6 forts, 3.3 income, 5.4a and 5.7b aid."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import arrivals, sites
from grognard.games.bitw.rules import production as prod
from grognard.games.bitw.rules.income import collect_income
from grognard.games.bitw.state import HELD, NEW, NOWHERE, OOS, POOL
from grognard.games.bitw.world import POWERS

from .table import act, go_to, node, position, refusal, set_out, u

IDS = {p.id: p.index for p in POWERS}


def income(s: object, power: str) -> int:
    before = s.pp[IDS[power]]  # type: ignore[attr-defined]
    collect_income(s, PlayerTurn(side=POWERS[IDS[power]].side))  # type: ignore[arg-type]
    return int(s.pp[IDS[power]] - before)  # type: ignore[attr-defined]


@pytest.mark.rule("7.3a", "3.3b", "3.6a", "3.6b")
def test_3_3b_a_lost_centre_pays_no_more() -> None:
    s = position("")
    assert income(s, "FR") == 5
    s.owner[node("paris")] = IDS["DE"]
    assert income(s, "FR") == 2


@pytest.mark.rule("7.3a")
def test_7_3a_a_centre_must_be_a_source() -> None:
    s = position("")
    for rail in ("0410", "0208"):
        s.owner[node(rail)] = IDS["FR"]  # the Ruhr is cut off from Berlin
    assert income(s, "DE") == 2


@pytest.mark.rule("3.3c")
def test_3_3c_only_germany_exploits_conquests() -> None:
    s = position("")
    for rail in ("0505", "0506", "0507"):
        s.owner[node(rail)] = IDS["DE"]
    assert income(s, "DE") == 8
    s = position("")
    for rail in ("0507", "0508", "0509", "0510", "0410", "0309"):
        s.owner[node(rail)] = IDS["FR"]
    assert income(s, "FR") == 5


@pytest.mark.rule("3.3.1")
def test_3_3_1_no_exploitation_where_the_scenario_forbids_it() -> None:
    s = position("", rules=["no-exploitation"])
    for rail in ("0505", "0506", "0507"):
        s.owner[node(rail)] = IDS["DE"]
    assert income(s, "DE") == 5


@pytest.mark.rule("3.13c")
def test_3_13c_research_is_deducted() -> None:
    s = position(
        "", pool=[{"nations": [n], "income": 5, "research": 2 if n == "UK" else 0} for n in ("DE", "FR", "UK")]
    )
    assert income(s, "UK") == 3
    assert income(s, "FR") == 5


@pytest.mark.rule("5.6.2b")
def test_5_6_2b_debts_are_paid_at_the_next_production() -> None:
    s = position("")
    s.pp[IDS["UK"]] = 0
    s.later[IDS["UK"]] = -10
    assert income(s, "UK") == 0
    assert s.later[IDS["UK"]] == -5  # never below nothing: the rest stays due
    assert income(s, "UK") == 0
    assert income(s, "UK") == 5


@pytest.mark.rule("7.3d")
def test_7_3d_spend_some_and_save_the_rest() -> None:
    s = position("0509: de-26 1", start=True)
    go_to(s, "7.3", 0)
    s.pp[IDS["DE"]] = 7
    act(s, 0, "repair", "de-26")
    assert (s.pp[IDS["DE"]], s.steps[u("de-26")]) == (6, 2)
    act(s, 0, "done")
    assert income(s, "DE") == 5
    assert s.pp[IDS["DE"]] == 11


@pytest.mark.rule("7.3b", "7.3d")
def test_7_3b_prices_and_blue_steps() -> None:
    s = position("0101: uk-2 1, uk-13 2", start=True)
    go_to(s, "7.3", 1)
    assert refusal(s, 1, "repair", "uk-2") == "7.3b"  # blue
    s.pp[IDS["UK"]] = 1
    assert refusal(s, 1, "repair", "uk-13") == "7.3d"  # too dear
    s.pp[IDS["UK"]] = 5
    act(s, 1, "repair", "uk-13")
    act(s, 1, "repair", "uk-13")
    assert (s.pp[IDS["UK"]], s.steps[u("uk-13")]) == (0, 4)


@pytest.mark.rule("7.3a", "1.2")
def test_7_3a_destroyed_units_are_rebuilt_units_in_play_are_not() -> None:
    s = position("0509: de-26 1, de-27", start=True)
    go_to(s, "7.3", 0)
    set_out_pool(s, "de-27")
    assert refusal(s, 0, "build", "de-26") == "1.2"
    assert refusal(s, 0, "build", "de-30") == "7.3a"  # not part of this scenario
    assert refusal(s, 0, "build", "de-27") is None
    act(s, 0, "build", "de-27")
    assert refusal(s, 0, "at", "0309") is None
    act(s, 0, "at", "0309")
    assert (s.place[u("de-27")], s.steps[u("de-27")]) == (node("ruhr"), 1)


def set_out_pool(s: object, name: str) -> None:
    from grognard.games.bitw.rules.supply import remove

    remove(s, u(name), POOL)  # type: ignore[arg-type]


@pytest.mark.rule("7.3.1a", "7.3.2a")
def test_7_3_1a_arrival_cities_and_their_limit() -> None:
    s = position("0509: de-26, de-27, de-30, de-10, de-4", start=True)
    s.frames[:] = [PlayerTurn(side=0)]
    turn = s.frames[0]
    assert isinstance(turn, PlayerTurn)
    for name in ("de-26", "de-27"):
        set_out_pool(s, name)
    places = sites.arrival_hexes(s, turn, u("de-26"))
    assert places == sorted([node("ruhr"), node("berlin"), node("munchen")])  # major home cities by rail, not Köln
    turn.arrivals = (node("ruhr"), node("berlin"))
    assert sites.arrival_hexes(s, turn, u("de-26")) == sorted([node("berlin"), node("munchen")])
    turn.arrivals = (node("berlin"), node("berlin"))
    assert node("berlin") not in sites.arrival_hexes(s, turn, u("de-26"))  # two in a capital, no third
    turn.arrivals = ()
    s.owner[node("0909")] = IDS["FR"]
    assert node("munchen") not in sites.arrival_hexes(s, turn, u("de-26"))  # cut off


@pytest.mark.rule("7.3.1b", "7.3.1c", "7.3.1d")
def test_7_3_1_factories_for_armour_aircraft_and_marines() -> None:
    s = position("0101: uk-13")
    turn = PlayerTurn(side=0)
    assert sites.arrival_hexes(s, turn, u("de-15pz")) == [node("ruhr")]
    assert sites.arrival_hexes(s, turn, u("de-jf2")) == [node("munchen")]
    assert sites.arrival_hexes(s, turn, u("de-7f")) == [node("munchen")]
    assert sites.arrival_hexes(s, PlayerTurn(side=1), u("uk-13")) == [node("london")]
    s.burnt[node("ruhr")] = 1
    assert sites.arrival_hexes(s, turn, u("de-15pz")) == []
    s = position("0509: de-15pz", start=True)
    go_to(s, "7.3", 0)
    set_out_pool(s, "de-15pz")
    act(s, 0, "build", "de-15pz")
    assert refusal(s, 0, "at", "0510") == "7.3.1b"


@pytest.mark.rule("3.7b", "3.7c")
def test_3_7_americans_and_canadians_arrive_at_home() -> None:
    s = position("")
    turn = PlayerTurn(side=1)
    assert sites.arrival_hexes(s, turn, u("us-4")) == [node("usa")]
    assert sites.arrival_hexes(s, turn, u("uk-1cdn")) == [node("canada")]


@pytest.mark.rule("7.3e", "7.3.1e", "7.3.3", "7.3.2c")
def test_7_3e_reinforcements_enter_wait_or_are_held_back() -> None:
    arrive = [{"at": "ruhr", "turn": 1, "units": ["de-30 3"]}, {"at": "munchen", "turn": 1, "units": ["de-10"]}]
    s = position("0509: de-26", start=True, arrive=arrive)
    go_to(s, "7.3e", 0)
    assert s.place[u("de-30")] == HELD
    s.owner[node("munchen")] = IDS["FR"]
    assert refusal(s, 0, "enter", "de-10") == "7.3.2c"
    s.owner[node("munchen")] = IDS["DE"]
    before = s.pp[IDS["DE"]]
    act(s, 0, "enter", "de-30")
    act(s, 0, "at", "0309")
    assert (s.place[u("de-30")], s.steps[u("de-30")]) == (node("ruhr"), 3)
    assert s.pp[IDS["DE"]] == before  # free
    act(s, 0, "done")
    assert s.place[u("de-10")] == HELD
    s.turn = 2
    turn = PlayerTurn(side=0)
    assert arrivals.entry_hexes(s, turn, u("de-10")) == [node("munchen")]  # any later turn
    assert s.steps[u("de-10")] == 4  # full strength when none is stated


@pytest.mark.rule("7.3e")
def test_7_3e_withdrawals() -> None:
    s = position("0509: de-26, de-27", withdraw=[{"turn": 1, "units": ["de-26"]}])
    set_out(s, "de-26", "0509")
    collect_income(s, PlayerTurn(side=0))
    assert s.place[u("de-26")] == NOWHERE
    assert s.place[u("de-27")] == node("0509")


@pytest.mark.rule("7.3.2b")
def test_7_3_2b_arrivals_may_crowd_a_city_until_movement_ends() -> None:
    s = position("0510: de-26, de-27, de-4a | 0509: de-10", start=True)
    go_to(s, "7.3", 0)
    set_out_pool(s, "de-10")
    act(s, 0, "build", "de-10")
    act(s, 0, "at", "0510")
    assert s.flags[u("de-10")] & NEW
    go_to(s, "7.5", 0)
    assert refusal(s, 0, "done") == "7.3.2b"
    act(s, 0, "move", "de-10")
    act(s, 0, "to", "0509")
    act(s, 0, "halt")
    assert refusal(s, 0, "done") is None


@pytest.mark.rule("7.3.4a", "7.3.4b")
def test_7_3_4_disbanding() -> None:
    s = position("0509: de-26, de-27 | 0804: de-30", start=True)
    go_to(s, "7.3.4a", 0)
    assert s.flags[u("de-30")] & OOS
    assert refusal(s, 0, "disband", "de-30") == "7.3.4a"
    now = s.pp[IDS["DE"]]
    act(s, 0, "disband", "de-26")
    act(s, 0, "disband", "de-27")
    assert s.place[u("de-26")] == POOL
    assert (s.pp[IDS["DE"]], s.later[IDS["DE"]]) == (now, 2)
    assert prod.why_not_build(s, PlayerTurn(side=0), u("de-26")).rule == "7.3.4a"  # type: ignore[union-attr]
    income(s, "DE")
    assert s.pp[IDS["DE"]] == now + 5 + 2
    assert prod.why_not_build(s, PlayerTurn(side=0), u("de-26")) is None  # from the next turn


@pytest.mark.rule("6.6b", "6.6h", "6.6d")
def test_6_6_building_forts() -> None:
    s = position("0509: de-26", start=True)
    go_to(s, "7.3", 0)
    s.pp[IDS["DE"]] = 20
    act(s, 0, "build", "de-fort-cherbourg")
    assert refusal(s, 0, "at", "0505") == "6.6b"  # not German
    act(s, 0, "at", "0508")
    assert (s.steps[u("de-fort-cherbourg")], s.pp[IDS["DE"]]) == (1, 17)
    for _ in range(3):
        act(s, 0, "repair", "de-fort-cherbourg")
    assert (s.steps[u("de-fort-cherbourg")], s.pp[IDS["DE"]]) == (7, 8)  # 12 for a Festung
    act(s, 0, "build", "de-fort-reichstag")
    assert refusal(s, 0, "at", "0508") == "6.6h"
    act(s, 0, "at", "0510")
    go_to(s, "7.3.4a", 0)
    assert refusal(s, 0, "disband", "de-fort-reichstag") == "6.6h"
    assert refusal(s, 0, "disband", "de-fort-cherbourg") is None


@pytest.mark.rule("6.6b")
def test_6_6b_one_step_a_turn_next_to_the_enemy() -> None:
    s = position("0508: de-26 | 0507: fr-6", start=True)
    go_to(s, "7.3", 0)
    s.pp[IDS["DE"]] = 20
    act(s, 0, "build", "de-fort-cherbourg")
    act(s, 0, "at", "0508")
    assert refusal(s, 0, "repair", "de-fort-cherbourg") == "6.6b"


@pytest.mark.rule("6.6a")
def test_6_6a_italian_forts_need_italy_or_the_republic() -> None:
    pools = [{"nations": [n], "income": 9} for n in ("DE", "FR", "UK")]
    s = position("0510: de-26", pool=pools)
    s.pp[IDS["DE"]] = 9
    assert prod.why_not_build(s, PlayerTurn(side=0), u("it-fort-messina")).rule == "6.6a"  # type: ignore[union-attr]
    s = position("0802: rsi-lig", pool=[*pools, {"nations": ["RSI"], "income": 1}])
    s.pp[IDS["DE"]] = 9
    s.owner[node("0802")] = IDS["RSI"]
    assert prod.why_not_italian_fort(s, u("it-fort-messina")) is None
    assert prod.payer(s, u("it-fort-messina")) == IDS["DE"]


@pytest.mark.rule("5.2-siegfried-c")
def test_5_2_siegfried_active_or_rebuilt_for_9() -> None:
    s = position("", start=True)
    assert s.works[node("0508")] == 1
    s = position("0509: de-26", start=True, rules=[])
    assert s.works[node("0508")] == 0
    go_to(s, "7.3", 0)
    s.pp[IDS["DE"]] = 8
    assert refusal(s, 0, "siegfried") == "7.3d"
    s.pp[IDS["DE"]] = 10
    act(s, 0, "siegfried")
    assert (s.works[node("0508")], s.pp[IDS["DE"]]) == (1, 1)
    s.pp[IDS["DE"]] = 20
    assert refusal(s, 0, "siegfried") == "5.2-siegfried-c"  # once a game


@pytest.mark.rule("5.4a")
def test_5_4a_germany_may_help_italy() -> None:
    pools = [{"nations": ["DE"], "income": 9}, {"nations": ["IT"], "income": 0}, {"nations": ["UK"], "income": 1}]
    s = position("0702: it-12 1", start=True, pool=pools)
    go_to(s, "7.3", 0)
    assert s.pp[IDS["IT"]] == 0  # no production of its own
    for _ in range(3):
        act(s, 0, "aid", "IT")
    assert s.pp[IDS["IT"]] == 3
    assert refusal(s, 0, "aid", "IT") == "5.4a"  # three a turn


@pytest.mark.rule("5.7b", "5.7a")
def test_5_7b_american_aid_to_free_france() -> None:
    pools = [{"nations": [n], "income": 9 if n == "US" else 0} for n in ("DE", "US", "FF")]
    s = position("0101: us-4 1", start=True, pool=pools, first="1944-06")
    go_to(s, "7.3", 1)
    for _ in range(3):
        act(s, 1, "aid", "FF")
    assert refusal(s, 1, "aid", "FF") == "5.7b"
    early = position("0101: us-4 1", start=True, pool=pools, first="1941-12")
    go_to(early, "7.3", 1)
    assert refusal(early, 1, "aid", "FF") == "5.7b"
    assert sum(1 for x in GAME.fog.unit_names if x.startswith("ff-")) == 3  # type: ignore[union-attr]


@pytest.mark.rule("5.7d")
def test_5_7d_free_france_produces_3_from_paris() -> None:
    from grognard.games.bitw.frames import Match
    from grognard.games.bitw.rules.powers import free_french_capital

    pools = [{"nations": [n], "income": 0} for n in ("DE", "US", "FF")]
    s = position("", pool=pools, first="1944-09", control={"countries": {"GER": "DE", "FRA": "US"}})
    assert s.capital[IDS["FF"]] != node("paris")
    free_french_capital(s, Match())
    assert s.capital[IDS["FF"]] == node("paris")
    assert income(s, "FF") == 3
