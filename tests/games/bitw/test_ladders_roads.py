"""Ladders of the ways by rail and by sea, of arrivals, and of what stands in one hex."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Entering, Placing, PlayerTurn, Railing, Recruiting, Sailing, Shipping
from grognard.games.bitw.rules import arrivals, rail, sea
from grognard.games.bitw.rules import definitions as df
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.income import collect_income
from grognard.games.bitw.state import DISBANDED, HELD, MOVED, NEW, NOWHERE, OOS, OUT, POOL, RAILED, put
from grognard.games.bitw.world import POWERS, UNITS, world

from .ladder import climb, given, marked, moved_to, reason
from .table import node, position, set_out, u
from .test_sea import at, europe, hq_for, stand

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("7.4a", "7.4d", "7.4e", "7.4h", "3.21")
def test_7_4a_each_condition_of_a_train(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position("0505: fr-6 | 0506: fr-9 | 0309: de-26")
    s.pp[IDS["FR"]] = 1
    climb(
        s,
        lambda x: rail.why_not_rail(x, u("fr-6")),
        [
            (moved_to("fr-6", POOL), "not-on-map"),
            (marked("flags", "fr-6", OOS), "unsupplied-rail"),
            (moved_to("fr-6", node("0905")), "no-rail"),
            (moved_to("de-26", node("0504")), "next-to-enemy"),
            (given("railed", IDS["FR"], rail.rail_limit(s, IDS["FR"])), "rail-limit"),
            (given("railed", IDS["FR"], rail.rail_limit(s, IDS["FR"]) - 1), None),
            (given("pp", IDS["FR"], 0), "too-dear"),
            (given("status", IDS["FR"], OUT), "power-out"),
        ],
    )
    s.pp[IDS["FR"]] = 0
    assert reason(rail.why_not_rail_free(s, u("fr-6"))) == "no-order"  # it costs nothing, but somebody must say so
    assert reason(rail.why_not_rail(s, u("fr-6"), 0)) is None
    set_out(s, "fr-b1", "0505")
    assert reason(rail.why_not_rail(s, u("fr-b1"), 0)) == "not-by-rail"
    trains = position("0505: fr-b1", options={"air-rail": "on"})
    assert rail.why_not_rail(trains, u("fr-b1"), 0) is None
    monkeypatch.setattr(rail, "is_frozen", lambda s, unit: True)
    assert reason(rail.why_not_rail(s, u("fr-6"), 0)) == "frozen"


@pytest.mark.rule("7.4b", "7.4d", "7.4e", "5.3-evac")
def test_7_4b_a_train_is_paid_counted_and_goes_where_rail_leads() -> None:
    s = position("0505: fr-6 | 0507: fr-9, fr-18, fr-17")
    power, ride = IDS["FR"], rail.RailTo()
    s.pp[power] = 2
    ends = rail.rail_hexes(s, u("fr-6"))
    assert node("0505") not in ends  # where it stands is no way
    assert node("0508") not in ends  # German rail
    assert node("0604") in ends
    s.frames.append(Railing(unit=u("fr-6"), side=1))
    c = s.frames[-1]
    for place, expected in (("0505", "no-rail-way"), ("0508", "no-rail-way"), ("0905", "no-rail-way"), ("0604", None)):
        assert reason(ride.why_not(s, c, 1, "to", node(place))) == expected
    full = [n for n in ends if not df.has_room(s, n, u("fr-6"))]
    assert not full
    assert ride.nouns(s, c, 1, "to") == ends
    ride.apply(s, c, 1, "to", node("0604"))
    assert not s.frames
    assert (s.place[u("fr-6")], s.railed[power], s.pp[power], s.sailed) == (node("0604"), 1, 1, 0)
    assert s.orders[u("fr-6")] & RAILED
    rail.start_rail(s, PlayerTurn(side=0))
    assert s.railed[power] == 1  # the other side's turn
    s.railed[IDS["DE"]], s.sailed = 3, 1
    rail.start_rail(s, PlayerTurn(side=1))
    assert (s.railed[power], s.railed[IDS["DE"]], s.sailed) == (0, 3, 0)


@pytest.mark.rule("5.3-evac", "5.3")
def test_5_3_the_corps_goes_home_once_a_turn_and_to_britain() -> None:
    s = position("0404: uk-1 | 0505: fr-6")
    climb(
        s,
        lambda x: rail.why_not_sail(x, u("uk-1")),
        [
            (lambda x: setattr(x, "sailed", 1), "sailed-already"),
            (moved_to("uk-1", node("0505")), "no-channel-port"),
            (moved_to("uk-1", POOL), "no-channel-port"),
            (given("owner", node("0404"), IDS["DE"]), "no-channel-port"),
            (lambda x: [x.owner.__setitem__(node(n), IDS["DE"]) for n in ("0101", "0302")], "no-port"),
        ],
    )
    assert reason(rail.why_not_sail(s, u("fr-6"))) == "no-evacuation"
    assert set(rail.sail_hexes(s, u("uk-1"))) == {node("0101"), node("0302")}  # not Bordeaux or Cherbourg
    ride = rail.RailTo()
    s.frames.append(Sailing(unit=u("uk-1"), side=1))
    c, before = s.frames[-1], s.pp[IDS["UK"]]
    assert ride.nouns(s, c, 1, "to") == rail.sail_hexes(s, u("uk-1"))
    assert reason(ride.why_not(s, c, 1, "to", node("0604"))) == "no-port"
    assert ride.why_not(s, c, 1, "to", node("0302")) is None
    ride.apply(s, c, 1, "to", node("0302"))
    assert (s.sailed, s.railed[IDS["UK"]], s.pp[IDS["UK"]]) == (1, 0, before)
    assert s.place[u("uk-1")] == node("0302")


@pytest.mark.rule("7.4a", "7.4c", "13.8.1c", "13.8.4")
def test_7_4_what_the_rail_phase_offers() -> None:
    s = europe("SBW2")
    turn, ask = PlayerTurn(side=1), rail.RailPhase()
    assert set(ask.nouns(s, turn, 1, "activate")) == set(hq.ready(s, 1, "rail"))
    assert list(ask.nouns(s, turn, 1, "supply")) == []  # nobody is active
    assert list(ask.nouns(s, turn, 1, "rail-free")) == []
    assert list(ask.nouns(s, turn, 1, "done")) == [0]
    assert list(ask.nouns(s, turn, 0, "open-city")) == []
    assert list(ask.nouns(s, turn, 0, "sail")) == []
    hq_for(s, "uk-chu")
    corps = stand(s, "uk-13", "southampton")
    assert corps in ask.nouns(s, turn, 1, "rail-free")
    s.flags[corps] |= OOS
    assert list(ask.nouns(s, turn, 1, "supply")) == [
        u for u in range(len(UNITS)) if s.flags[u] & OOS and s.place[u] < HELD
    ]
    assert reason(ask.why_not(s, turn, 0, "rail", corps)) == "not-yours"
    ask.apply(s, turn, 1, "done", 0)
    assert turn.finished == turn.at()
    assert not ask.needed(s, turn, 1)


@pytest.mark.rule("5.1-open-city-a", "5.1-open-city-c")
def test_5_1_each_condition_of_the_open_city() -> None:
    s = position("0404: fr-6 | 0309: de-26")
    climb(
        s,
        lambda x: rail.why_not_open_city(x, 1),
        [
            (lambda x: setattr(x, "open_city", 1), "declared-already"),
            (given("status", IDS["FR"], OUT), "declared-already"),
            (given("owner", node("0505"), IDS["DE"]), "paris-lost"),
            (moved_to("de-26", node("0506")), "enemy-at-paris"),
        ],
    )
    assert reason(rail.why_not_open_city(s, 0)) == "no-open-city"
    assert reason(rail.why_not_open_city(position("", rules=[]), 1)) == "no-open-city"


@pytest.mark.rule("18.0a", "18.0b", "18.0c", "18.1c")
def test_18_0a_each_condition_of_a_voyage(monkeypatch: pytest.MonkeyPatch) -> None:
    s = europe("SBW2")
    corps = stand(s, "uk-13", "southampton")
    hq_for(s, "uk-chu")
    fort = next(x.index for x in UNITS if x.is_fort)
    assert reason(sea.why_not_ship(s, fort)) == "not-by-sea"
    foe = next(x.id for x in UNITS if x.nation == "DE" and x.kind == "infantry")
    climb(
        s,
        lambda x: sea.why_not_ship(x, corps),
        [
            (moved_to("uk-13", POOL), "not-on-map"),
            (marked("flags", "uk-13", MOVED), "moved-already"),
            (moved_to(foe, at(s, "southampton")), "at-battle"),
            (given("owner", at(s, "southampton"), IDS["DE"]), "not-in-port"),
            (moved_to("uk-13", at(s, "oxford")), "not-in-port"),
            (given("status", IDS["UK"], OUT), "power-out"),
        ],
    )
    here = s.place[corps]
    assert reason(sea.why_not_land(s, corps, here)) == "no-such-port"
    assert reason(sea.why_not_land(s, corps, world(s).theatre.hexes)) == "no-such-port"
    assert here not in sea.voyages(s, corps)
    for port in sea.voyages(s, corps):
        assert sea.why_not_land(s, corps, port) is None
    crowded = sea.voyages(s, corps)[0]
    for other in [x for x in UNITS if x.nation == "UK" and x.kind == "infantry" and x.index != corps][:2]:
        put(s, other.index, crowded)
    assert crowded not in sea.voyages(s, corps)
    assert reason(sea.why_not_land(s, corps, crowded)) == "no-such-port"
    monkeypatch.setattr(sea, "is_frozen", lambda s, unit: True)
    assert reason(sea.why_not_ship(s, corps)) == "frozen"


@pytest.mark.rule("18.1a", "18.1.2", "18.1.3")
@pytest.mark.parametrize(
    ("side", "risky", "threat", "italy_out", "maple", "inside", "softly", "faces"),
    [
        (1, [], True, False, False, False, False, (7, 7)),
        (1, ["atlantic"], False, False, False, False, False, (7, 7)),
        (1, ["atlantic"], True, False, False, False, False, (4, 6)),
        (0, ["atlantic"], True, True, True, False, False, (4, 6)),
        (1, ["mediterranean"], True, True, False, False, False, (6, 7)),
        (1, ["mediterranean"], True, False, True, False, False, (4, 6)),
        (0, ["mediterranean"], True, True, True, False, False, (4, 6)),
        (1, ["atlantic"], True, False, True, True, False, (7, 7)),
        (1, ["atlantic"], True, False, True, False, False, (6, 6)),
        (1, ["atlantic"], True, False, True, False, True, (6, 7)),
        (1, ["baltic"], True, True, True, True, False, (4, 6)),
    ],
)
def test_18_1a_the_faces_of_the_die(side, risky, threat, italy_out, maple, inside, softly, faces) -> None:  # type: ignore[no-untyped-def]
    assert sea.risk_of(side, risky, threat, italy_out, maple, inside, softly) == faces


@pytest.mark.rule("18.0a", "18.1a", "18.1b", "7.5.5d")
def test_18_1a_what_a_voyage_does() -> None:
    s = europe("SBW2")
    corps = stand(s, "uk-13", "southampton")
    hq_for(s, "uk-chu")
    port = sea.voyages(s, corps)[0]
    sail = sea.ShipTo()
    s.loaded = (1,) * 9
    s.frames.append(Shipping(unit=corps, side=1, hq=u("uk-chu")))
    depth, fuel, steps = len(s.frames), s.fuel[u("uk-chu")], s.steps[corps]
    sail.apply(s, s.frames[-1], 1, "to", port)
    assert (len(s.frames), s.fuel[u("uk-chu")]) == (depth - 1, fuel - 1)
    assert (s.place[corps], s.steps[corps]) == (port, steps)
    assert s.flags[corps] & MOVED
    top = UNITS[corps].pattern.top
    for start, left in ((top, UNITS[corps].pattern.below[top]), (0, 0)):
        s.steps[corps] = start
        sea.lose_at_sea(s, corps, "18.1a")
        assert s.steps[corps] == left
    s.steps[corps] = next(x for x in range(1, top + 1) if UNITS[corps].pattern.below[x] < 0)
    sea.lose_at_sea(s, corps, "18.1a")
    assert s.place[corps] == POOL
    sea.lose_at_sea(s, corps, "18.1a")  # nothing happens to who is gone
    assert s.place[corps] == POOL


@pytest.mark.rule("3.10a", "6.7c")
def test_3_10a_when_a_hex_is_overcrowded() -> None:
    s = position("")
    place = node("0606")

    def crowd(*names: str) -> bool:
        for x in UNITS:
            if s.place[x.index] == place:
                put(s, x.index, POOL)
        for name in names:
            put(s, u(name), place)
        return df.overstacked(s, place, 1)

    guns = [x.id for x in UNITS if x.nation == "US" and x.kind == "artillery"]
    assert not crowd("us-4", "us-8", guns[0])
    assert crowd("us-4", "us-8", "us-16")  # three combat units
    assert crowd("us-4", guns[0], guns[1], guns[2])  # four ground units
    assert not crowd("us-4", "us-8", guns[0], "us-9b")  # aircraft are not counted
    put(s, u("de-26"), place)
    assert not df.overstacked(s, place, 1)  # nor is the enemy
    put(s, u("de-26"), POOL)
    s.harbour[0] = place
    assert not crowd("us-4", "us-8", "us-16", "us-18", guns[0])  # five of its nation at a Mulberry
    assert crowd("us-4", "us-8", "us-16", "us-18", "us-21", guns[0])
    assert crowd("us-4", "us-8", "uk-1")  # not if another nation is there
    assert not crowd("us-4", "uk-1")
    s.harbour[0], s.harbour[1] = 65535, place
    assert crowd("us-4", "us-8", "us-16")  # B is British
    fresh = position("")
    fresh.harbour[0] = place
    for name in ("us-4", "us-8", "us-16", "us-18"):
        put(fresh, u(name), place)
    assert df.why_not_stand(fresh, place, u("us-21")) is None
    put(fresh, u("us-21"), place)
    assert df.why_not_stand(fresh, place, u("us-21")) is None  # who is there does not count twice
    assert df.why_not_stand(fresh, place, u("us-22")) is df.STACK_HARBOUR
    assert df.why_not_stand(fresh, place, u("uk-1")) is df.STACK_GROUND


@pytest.mark.rule("7.3.1a", "7.3.2a", "7.3.2c", "1.3", "10.0-munich-b")
def test_7_3_where_and_how_a_unit_arrives() -> None:
    entries = [{"turn": 2, "at": "lyon", "units": ["fr-9"]}]
    s = position("0505: fr-6", arrive=entries)
    turn, ask = PlayerTurn(side=1), arrivals.PlaceAt()
    s.frames.append(turn)
    put(s, u("fr-9"), HELD)
    s.steps[u("fr-9")] = 2
    stated = arrivals.stated_entry(s, u("fr-9"))
    assert stated == node("0806")
    enters = Entering(unit=u("fr-9"), side=1)
    s.frames.append(enters)
    assert ask.nouns(s, enters, 1, "at") == [stated]
    assert ask.why_not(s, enters, 1, "at", stated) is None
    assert ask.why_not(s, enters, 1, "at", node("0505")) is not None  # only where it is stated
    full = s.copy()
    full.frames[-2].arrivals = (stated,)
    assert ask.why_not(full, full.frames[-1], 1, "at", stated) is not None
    lost = s.copy()
    lost.owner[stated] = IDS["DE"]
    assert ask.why_not(lost, lost.frames[-1], 1, "at", stated) is not None
    token = s.token[u("fr-9")]
    ask.apply(s, enters, 1, "at", stated)
    assert (s.place[u("fr-9")], s.steps[u("fr-9")], s.flags[u("fr-9")]) == (stated, 2, NEW)
    assert turn.arrivals == (stated,)
    assert turn.repaired == (u("fr-9"),)
    assert sorted(s.token) == sorted(range(len(s.token)))
    tokens = set()
    for seed in range(6):
        again = position("", arrive=entries)
        for _ in range(seed):
            arrivals.new_token(again, u("fr-9"))
        arrivals.new_token(again, u("fr-9"))
        tokens.add(again.token[u("fr-9")])
    assert len(tokens | {token}) > 1  # drawn by lot
    s.pp[IDS["FR"]] = 9
    put(s, u("fr-18"), POOL)
    placing = Placing(unit=u("fr-18"), side=1)
    s.frames.append(placing)
    paris = node("0505")
    assert ask.why_not(s, placing, 1, "at", paris) is None
    assert ask.why_not(s, placing, 1, "at", node("0506")) is not None
    ask.apply(s, placing, 1, "at", paris)
    assert s.pp[IDS["FR"]] == 9 - UNITS[u("fr-18")].costs[0]
    assert s.steps[u("fr-18")] == UNITS[u("fr-18")].pattern.first
    put(s, u("fr-17"), POOL)
    free = Recruiting(unit=u("fr-17"), side=1)
    s.frames.append(free)
    points = s.pp[IDS["FR"]]
    ask.apply(s, free, 1, "at", paris)
    assert (s.pp[IDS["FR"]], s.steps[u("fr-17")]) == (points, UNITS[u("fr-17")].pattern.first)


@pytest.mark.rule("7.3.2c", "7.3e")
def test_7_3_2c_who_may_enter() -> None:
    s = position("0505: fr-6")
    turn, ask = PlayerTurn(side=1), arrivals.Reinforce()
    s.frames.append(turn)
    put(s, u("fr-9"), HELD)
    s.steps[u("fr-9")] = 1
    verb = next(v for v in ask.verbs if v not in ("done",))
    assert ask.why_not(s, turn, 1, verb, u("fr-9")) is None
    assert ask.why_not(s, turn, 0, verb, u("fr-9")) is not None
    assert ask.why_not(s, turn, 1, verb, u("fr-6")) is not None
    ask.apply(s, turn, 1, "done", 0)
    assert turn.finished == turn.at()


@pytest.mark.rule("7.3a", "7.3e", "6.4")
def test_7_3e_who_comes_and_who_goes_in_a_month() -> None:
    arrive = [{"at": "ruhr", "turn": 2, "units": ["de-30 3", "de-g"]}, {"at": "paris", "turn": 2, "units": ["fr-9"]}]
    withdraw = [{"turn": 2, "units": ["de-26", "fr-6", "de-27"]}]
    s = position("0509: de-26 | 0505: fr-6", arrive=arrive, withdraw=withdraw)
    s.flags[u("de-26")] |= DISBANDED | NEW
    s.flags[u("fr-6")] |= DISBANDED
    collect_income(s, PlayerTurn(side=0))
    assert (s.place[u("de-26")], s.place[u("de-30")]) == (node("0509"), NOWHERE)  # not this month
    assert s.flags[u("de-26")] == NEW
    assert s.flags[u("fr-6")] == DISBANDED  # until the income of its own side
    s.turn = 2
    s.steps[u("de-27")] = 0
    collect_income(s, PlayerTurn(side=0))
    assert (s.place[u("de-26")], s.place[u("de-27")]) == (NOWHERE, NOWHERE)
    assert (s.place[u("de-30")], s.steps[u("de-30")]) == (HELD, 3)
    assert s.place[u("de-g")] == NOWHERE  # no staffs in the Basic game
    assert (s.place[u("fr-6")], s.place[u("fr-9")]) == (node("0505"), NOWHERE)  # the other side's
    gone = position("0505: fr-6", arrive=arrive)
    gone.turn = 2
    gone.status[IDS["FR"]] |= OUT
    points = gone.pp[IDS["FR"]]
    collect_income(gone, PlayerTurn(side=1))
    assert (gone.place[u("fr-9")], gone.pp[IDS["FR"]]) == (NOWHERE, points)
    staffs = position("", arrive=arrive, options={"advanced": "on"})
    staffs.turn = 2
    collect_income(staffs, PlayerTurn(side=0))
    assert staffs.place[u("de-g")] == HELD
    for later, left, owed in ((-2, 3, 0), (-20, 0, -15), (3, 8, 0)):
        debtor = position("")
        debtor.pp[IDS["DE"]], debtor.later[IDS["DE"]] = 0, later
        collect_income(debtor, PlayerTurn(side=0))
        assert (debtor.pp[IDS["DE"]], debtor.later[IDS["DE"]]) == (left, owed)
