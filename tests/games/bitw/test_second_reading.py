"""Sentences of the rulebook that a second reading found: each case here broke when the rule was broken by hand."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import convoys, definitions, fire, landings, rail, sea, sites, waters
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.colours import lost_points, pairing
from grognard.games.bitw.rules.fire import GROUND, Field
from grognard.games.bitw.rules.powers import check_surrenders
from grognard.games.bitw.sequence import Match
from grognard.games.bitw.state import OOS, month, put
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import act, battle, go_to, node, position, refusal, u
from .test_convoys import britain
from .test_fire import one
from .test_guide import kriegsmarine
from .test_headquarters import phase
from .test_italy import husky
from .test_landings import LEADERS, T, channel, n
from .test_raids import over_the_ruhr
from .test_retreat import fight
from .test_sea import europe, way

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("5.3-evac")
def test_5_3_evac_the_expeditionary_force_alone_and_from_a_port_that_is_ours() -> None:
    s = position("0404: uk-1, fr-6 | 0505: uk-3", start=True)
    go_to(s, "7.4", 1)
    assert refusal(s, 1, "sail", "uk-1") is None
    assert refusal(s, 1, "sail", "fr-6") == "5.3-evac"  # in the same port
    s.owner[node("0404")] = IDS["DE"]
    assert rail.why_not_sail(s, u("uk-1")) is rail.NO_CHANNEL_PORT


@pytest.mark.rule("6.6b")
def test_6_6b_no_fort_where_no_lane_reaches() -> None:
    s = position("0510: de-26 | 0505: fr-6")
    for name in ("0508", "0604"):  # one beside Germany, one far behind the French
        s.owner[node(name)] = IDS["DE"]
    places = set(sites.fort_sites(s, u("de-fort-calais")))
    assert node("0508") in places
    assert node("0604") not in places


@pytest.mark.rule("13.8.4")
def test_13_8_4_only_a_unit_on_a_coast_and_once_for_each_leader() -> None:
    units = "0101: uk-chu | 0505: us-ike | 0605: us-4 | 0604: us-5, us-6 | 0904: us-7"
    s = phase(units, "7.4", side=1, rules=["casablanca"])
    for name in ("us-4", "us-5", "us-6", "us-7"):
        s.flags[u(name)] |= OOS
    for name in ("us-ike", "uk-chu"):
        act(s, 1, "activate", name)
    assert hq.why_not_supply(s, u("us-4"), 1) is hq.NOT_COASTAL
    fed = []
    for name in ("us-5", "us-6", "us-7"):
        if hq.why_not_supply(s, u(name), 1) is None:
            act(s, 1, "supply", name)
            fed.append(name)
    assert fed == ["us-5"]  # Eisenhower has one, Churchill feeds his own
    assert hq.why_not_supply(s, u("us-6"), 1) is hq.NO_LEADERS


@pytest.mark.rule("18.1a")
def test_18_1a_the_channel_is_mined_whoever_holds_the_ports() -> None:
    s = europe()
    t = world(s).theatre
    for port in t.ports:
        if t.sea[port] == "atlantic":
            s.owner[port] = IDS["UK"]
    mined, free = way(s, "portsmouth", "plymouth"), way(s, "liverpool", "belfast")
    assert not definitions.controls_sea(s, 0, "atlantic")
    assert sea.is_mined(s, mined)
    assert sea.danger(s, 1, ["atlantic"], mined) == (4, 6)
    assert not sea.is_mined(s, free)
    assert sea.danger(s, 1, ["atlantic"], free) == (7, 7)


@pytest.mark.rule("24.5-sub")
def test_24_5_sub_doenitz_keeps_his_one_with_no_point_left() -> None:
    s = kriegsmarine("0510: de-d 3")
    act(s, 0, "activate", "de-d")
    s.fuel[u("de-d")] = 0
    act(s, 0, "patrol", "de-sub-ca")
    assert refusal(s, 0, "patrol", "de-sub-na") == "24.5-sub"


@pytest.mark.rule("32.0i", "3.15b")
def test_32_0i_of_equals_under_the_interceptors_fire_the_owner_chooses() -> None:
    s = over_the_ruhr("uk-3g 2", "uk-10g 2", units="0309: de-2jd", first="1944-06")
    act(s, 1, "launch")
    s.loaded = (6, *[1] * 30)
    act(s, 0, "intercept", "de-2jd")
    assert (s.waiting, GAME.orders(s, 1)) == ((1,), [("hit", "uk-3g"), ("hit", "uk-10g")])
    act(s, 1, "hit", "uk-10g")
    assert (s.steps[u("uk-10g")], s.steps[u("uk-3g")]) == (1, 2)


@pytest.mark.rule("34.0-lend-c")
def test_34_0_lend_c_the_plan_does_not_matter_in_another_scenario() -> None:
    s = britain()
    assert s.scenario == "SBW5"
    put(s, u("de-26"), world(s).theatre.find("dover"))
    s.steps[u("de-26")], s.plan = 1, "escaut"
    assert convoys.lend_lease_begins(s)


@pytest.mark.rule("36.0d")
def test_36_0d_italy_surrenders_once() -> None:
    s = husky()
    s.owner[world(s).theatre.find("roma")] = IDS["US"]
    for _ in range(2):
        check_surrenders(s, Match())
    assert [e.data["power"] for e in s.events or [] if e.kind == "power-surrenders"] == ["IT"]


@pytest.mark.rule("18.1.3")
def test_18_1_3_maple_is_in_april_1944() -> None:
    s = europe("SBW2")
    for turn, closed in ((-8, False), (-7, True)):  # March, April
        s.turn = turn
        assert (waters.why_closed(s, 0, "atlantic") is not None) == closed
        assert month(s) == ("1944-04" if closed else "1944-03")


@pytest.mark.rule("3.7.1-channel-festung", "24.2b")
def test_3_7_1_the_festung_shuts_one_hex_of_the_coast() -> None:
    fort = next(x.id for x in UNITS if x.is_fort)
    s = channel(f"{LEADERS} | channel-islands: {fort} 7 | portsmouth: us-5", "us-ike", "uk-chu")
    shut = [node for node in range(T.hexes) if landings.why_forbidden(s, node, 1) is landings.FESTUNG_COAST]
    assert shut == [n("avranches")]


@pytest.mark.rule("7.7.7-merge")
def test_7_7_7_merge_the_die_gained_is_the_weakest_units() -> None:
    shots = fire.volley([one("de-15pz", 5, 2), one("de-26", 3, 2)], GROUND, Field(terrain="forest"), 1)
    assert [shot.dice for shot in shots] == [2, 2]  # 8 halved is 4; apart 2 and 1


@pytest.mark.rule("7.7.13")
def test_7_7_13_a_ground_unit_is_told_to_wait_for_the_ground_step() -> None:
    s: Any = fight("0606: fr-6 4, fr-zn 4 | 0607: de-26 4 | 0505: fr-9", "de-26")
    battle(s, "0606", dice=(1,) * 60)
    told = GAME.why(s, 1, ("withdraw", "fr-6"))
    assert told is not None
    assert told.reason == "ground-later"


@pytest.mark.rule("11.2e")
def test_11_2e_a_factory_that_is_not_joined_to_the_capital_pays_nothing() -> None:
    s = GAME.setup("SBW2", {"advanced": "on"}, "x")
    t = world(s).theatre
    kassel = t.find("kassel")
    assert lost_points(s, IDS["DE"], "red") == 0
    around = t.board.grid.neighbours[kassel]
    for near in around:
        s.owner[near] = IDS["US"]
    put(s, u("us-5"), around[0])
    assert lost_points(s, IDS["DE"], "red") == 1


@pytest.mark.rule("24.7")
def test_24_7_a_leader_orders_no_armour_over_the_sea() -> None:
    s = channel(f"{LEADERS} | carentan: us-5 | southampton: us-19c, us-pat", row="7.10")
    s.landed = ((n("carentan"), UNITS[u("us-5")].power),)
    hq.activate(s, u("us-ike"))
    assert landings.why_not_ferry(s, u("us-19c"), 1, "exploit") is landings.NO_FERRY
    hq.activate(s, u("us-pat"))
    assert landings.why_not_ferry(s, u("us-19c"), 1, "exploit") is None


@pytest.mark.rule("11.0b")
def test_11_0b_every_step_of_airborne_troops_needs_blue_not_the_first_alone() -> None:
    pattern = UNITS[u("us-82")].pattern
    steps = [0, *(n for n in range(1, pattern.top) if pattern.above[n] > n)]
    assert len(steps) > 1
    assert {pairing(u("us-82"), n) for n in steps} == {"blue"}
