"""From a legal landing, drop or ferry one condition after another is taken away: each answers with its own reason."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, Disembarking
from grognard.games.bitw.rules import airborne, landings, reembarking
from grognard.games.bitw.state import (
    DROPPED,
    FOUGHT,
    LANDED,
    MOVED,
    NEW,
    OOS,
    OUT,
    POOL,
    RAILED,
    RESERVE,
    STANDBY,
    BitwState,
    put,
    side_holding,
)
from grognard.games.bitw.world import POWERS, UNITS

from .ladder import climb, given, made, marked, moved_to, reason
from .table import u
from .test_landings import LEADERS, T, channel, n

IDS = {p.id: p.index for p in POWERS}


@pytest.mark.rule("24.0a", "24.1b", "24.1c")
def test_24_1b_each_condition_of_embarking(monkeypatch: pytest.MonkeyPatch) -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-4, us-1a", "uk-chu", "us-ike")
    climb(
        s,
        lambda x: landings.why_not_embark(x, u("us-5"), 1, "move"),
        [
            (moved_to("us-5", POOL), "not-on-map"),
            (marked("flags", "us-5", MOVED), "moved-already"),
            (marked("flags", "us-5", NEW), "moved-already"),
            (marked("orders", "us-5", RAILED), "moved-already"),
            (marked("orders", "us-5", RESERVE), "moved-already"),
            (marked("flags", "us-5", OOS), "unsupplied-landing"),
            (given("steps", u("us-5"), UNITS[u("us-5")].pattern.top - 1), "not-full"),
            (made("sky", 2), "bad-weather"),
            (moved_to("us-5", n("oxford")), "not-in-port"),
            (given("status", IDS["US"], OUT), "power-out"),
        ],
    )
    for unit, side, phase, expected in (
        ("us-5", 1, "exploit", "no-landings"),
        ("us-5", 0, "move", "not-yours"),
        ("uk-chu", 1, "move", "not-a-lander"),
        ("us-1a", 1, "move", "not-a-lander"),
        ("us-4", 1, "move", None),
    ):
        assert reason(landings.why_not_embark(s, u(unit), side, phase)) == expected
    away = s.copy()
    put(away, u("us-5"), T.node_ids["usa"])
    away.sky = 2
    assert landings.why_not_embark(away, u("us-5"), 1, "move") is None  # the weather of the map is not that of America
    early = channel(f"{LEADERS} | portsmouth: uk-30", "uk-chu", "us-ike", first="1940-08")
    assert reason(landings.why_not_embark(early, u("uk-30"), 1, "move")) == "lander-tech"
    basic = channel(f"{LEADERS} | portsmouth: us-5", options={"advanced": "off"})
    assert reason(landings.why_not_embark(basic, u("us-5"), 1, "move")) == "no-landings"
    monkeypatch.setattr(landings, "is_frozen", lambda s, unit: True)
    assert reason(landings.why_not_embark(s, u("us-5"), 1, "move")) == "frozen"


@pytest.mark.rule("24.5-wave-b", "24.0b")
def test_24_5_each_condition_of_standing_by(monkeypatch: pytest.MonkeyPatch) -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-4, us-1a", "uk-chu", "us-ike")
    climb(
        s,
        lambda x: landings.why_not_stand_by(x, u("us-1a"), 1, "move"),
        [
            (moved_to("us-1a", POOL), "not-on-map"),
            (marked("flags", "us-1a", MOVED), "moved-already"),
            (marked("orders", "us-1a", RESERVE), "moved-already"),
            (moved_to("us-1a", n("oxford")), "not-in-port"),
            (given("status", IDS["US"], OUT), "power-out"),
            (lambda x: [x.active.__setitem__(u(h), 0) for h in ("uk-chu", "us-ike")], "no-navy"),
        ],
    )
    assert reason(landings.why_not_stand_by(s, u("us-1a"), 1, "exploit")) == "no-landings"
    assert reason(landings.why_not_stand_by(s, u("us-1a"), 0, "move")) == "not-yours"
    flier = next(x.id for x in UNITS if x.is_air and x.nation == "UK")
    put(s, u(flier), n("southampton"))
    assert reason(landings.why_not_stand_by(s, u(flier), 1, "move")) == "not-a-lander"
    monkeypatch.setattr(landings, "is_frozen", lambda s, unit: True)
    assert reason(landings.why_not_stand_by(s, u("us-1a"), 1, "move")) == "frozen"


@pytest.mark.rule("23.0a", "23.0b", "23.0c")
def test_23_0b_each_condition_of_a_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    s = channel(f"{LEADERS} | oxford: us-101, us-5", "uk-chu", "us-ike")
    climb(
        s,
        lambda x: airborne.why_not_jump(x, u("us-101"), 1, "move"),
        [
            (moved_to("us-101", POOL), "not-on-map"),
            (marked("flags", "us-101", MOVED), "moved-already"),
            (marked("flags", "us-101", NEW), "moved-already"),
            (marked("orders", "us-101", RAILED), "moved-already"),
            (marked("flags", "us-101", OOS), "unsupplied-drop"),
            (given("steps", u("us-101"), 1), "not-full"),
            (moved_to("us-101", T.node_ids["usa"]), "no-base-here"),
            (made("sky", 2), "bad-weather"),
            (given("status", IDS["US"], OUT), "power-out"),
            (lambda x: [x.active.__setitem__(u(h), 0) for h in ("uk-chu", "us-ike")], "no-air-staff"),
        ],
    )
    nobodys = next(x for x in range(T.hexes) if T.playable[x] and not T.city[x] and side_holding(s, x) == 1)
    put(s, u("us-101"), nobodys)
    assert reason(airborne.why_not_jump(s, u("us-101"), 1, "move")) == "no-base-here"
    put(s, u("us-101"), n("oxford"))
    for unit, side, phase, expected in (
        ("us-101", 1, "exploit", "no-drops"),
        ("us-101", 0, "move", "not-yours"),
        ("us-5", 1, "move", "not-airborne"),
    ):
        assert reason(airborne.why_not_jump(s, u(unit), side, phase)) == expected
    monkeypatch.setattr(airborne, "is_frozen", lambda s, unit: True)
    assert reason(airborne.why_not_jump(s, u("us-101"), 1, "move")) == "frozen"


@pytest.mark.rule("23.0b", "23.0-tech3", "23.0-surprise")
def test_23_0b_each_condition_of_a_drop_zone() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-101 | caen: de-26", "uk-chu", "us-ike", first="1943-08")
    unit, caen = u("us-101"), n("caen")

    def why(at: int, x: BitwState = s) -> str | None:
        return reason(airborne.why_not_drop_at(x, unit, at))

    assert why(caen) is None  # over the enemy, four hexes away
    assert why(T.node_ids["usa"]) == "drop-too-far"
    assert why(n("oxford")) == "own-hex"
    held = s.copy()
    held.owner[caen] = IDS["UK"]
    assert why(caen, held) is None  # one's own, but the enemy stands in it
    put(held, u("de-26"), POOL)
    assert why(caen, held) == "own-hex"
    rain = s.copy()
    rain.sky = 2
    assert why(caen, rain) == "bad-weather"
    distances = T.distances(s.place[unit])
    land = [x for x in range(T.hexes) if T.playable[x] and T.terrain[x] and side_holding(s, x) == 0]
    for x in land:
        hard, far = airborne.rough(s, x), distances[x]
        expected = "two-kinds" if hard > 1 else "rough-ground" if hard else "drop-too-far" if far > 5 else None
        assert why(x) == expected, T.names[x]
    late = channel(f"{LEADERS} | portsmouth: us-101 | caen: de-26", "uk-chu", "us-ike")
    for x in land:
        hard, far = airborne.rough(late, x), distances[x]
        expected = "two-kinds" if hard > 1 else "drop-too-far" if far > (5 if hard else 10) else None
        assert why(x, late) == expected, T.names[x]


@pytest.mark.rule("24.0a", "24.1a", "24.1b", "24.3", "24.8")
def test_24_1b_each_condition_of_a_beach() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, uk-5 | caen: de-26", "uk-chu", "us-ike")

    def why(at: int, unit: str = "us-5", x: BitwState = s, **more: Any) -> str | None:
        return reason(landings.why_not_beach(x, u(unit), at, **more))

    cherbourg = n("cherbourg")
    assert why(cherbourg) is None
    assert why(n("paris")) == "not-a-coast"
    assert why(T.node_ids["usa"]) == "not-a-coast"
    assert why(n("southampton")) == "own-coast"
    held = s.copy()
    held.owner[n("caen")] = IDS["UK"]
    assert why(n("caen"), x=held) is None  # an enemy stands in it
    put(held, u("de-26"), POOL)
    assert why(n("caen"), x=held) == "own-coast"
    assert why(cherbourg, "uk-5") is None
    off = next(x for x in landings.beaches(s, u("us-5")) if not landings.is_front_beach(s, n("portsmouth"), x))
    assert why(off, "uk-5") in ("not-front-beach", "beach-too-far")
    near = [x for x in landings.beaches(s, u("us-5")) if landings.price_of(s, u("uk-5"), x)]
    others = [x for x in near if not landings.is_front_beach(s, n("portsmouth"), x)]
    assert others
    assert {why(x, "uk-5") for x in others} == {"not-front-beach"}
    rain = s.copy()
    rain.sky = 2
    assert why(cherbourg, x=rain) == "bad-weather"
    spent = s.copy()
    for leader in ("uk-chu", "us-ike"):
        spent.fuel[u(leader)] = 1
    dear = next(x for x in landings.beaches(s, u("us-5")) if landings.price_of(s, u("us-5"), x) == 2)
    assert why(cherbourg, x=spent) is None
    assert why(dear) is None
    assert why(dear, x=spent) == "no-navy"
    assert why(dear, x=spent, second=True) is None  # who stood by has been paid for
    kinds = {x: landings.difficulties(s, x) for x in range(T.hexes) if T.coastal[x] and T.playable[x]}
    reach = {x for x in kinds if landings.price_of(s, u("us-5"), x) and side_holding(s, x) == 0}
    assert {why(x) for x in reach if kinds[x] > 1} <= {"two-kinds"}
    assert all(why(x) != "rough-beach" for x in reach if kinds[x] == 1)  # TECH 3
    before = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike", first="1943-07")
    close = {x for x in kinds if landings.price_of(before, u("us-5"), x) and side_holding(before, x) == 0}
    assert {why(x, x=before) for x in close if kinds[x]} <= {"rough-beach"}
    assert landings.difficulties(s, n("caen")) == 0


@pytest.mark.rule("24.1c", "24.1d", "24.3", "6.7.1a", "24.2b")
def test_24_1c_who_comes_ashore_takes_the_coast_or_fights_for_it() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-7 | caen: de-26", "uk-chu", "us-ike")
    s.loaded = (1,) * 20
    port, cherbourg, caen = n("portsmouth"), n("cherbourg"), n("caen")
    s.orders[u("us-5")] |= STANDBY
    landings.go_ashore(s, u("us-5"), cherbourg)
    assert (s.place[u("us-5")], s.origin[u("us-5")]) == (cherbourg, port)
    assert s.orders[u("us-5")] & LANDED
    assert not s.orders[u("us-5")] & STANDBY
    assert s.flags[u("us-5")] & (MOVED | FOUGHT) == MOVED | FOUGHT
    assert side_holding(s, cherbourg) == 1
    assert s.landed == ((cherbourg, IDS["US"]),)
    landings.go_ashore(s, u("us-7"), caen)
    assert side_holding(s, caen) == 0  # the enemy stands there
    assert s.landed == ((cherbourg, IDS["US"]), (caen, IDS["US"]))
    assert not [f for f in s.frames if type(f).__name__ == "Evacuation"]
    landings.go_ashore(s, u("us-7"), caen)
    assert len(s.landed) == 2  # noted once
    sunk = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike", options={"sea": "on"})
    sunk.loaded = (6, 6)
    landings.go_ashore(sunk, u("us-5"), cherbourg)
    if sunk.place[u("us-5")] == POOL:
        assert not sunk.landed
        assert side_holding(sunk, cherbourg) == 0


@pytest.mark.rule("24.1b", "24.5-wave-c")
def test_24_1b_the_order_is_paid_by_distance_and_the_second_wave_fights_at_once() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-7 | caen: de-26", "uk-chu", "us-ike")
    s.loaded = (1,) * 40
    fuel = s.fuel[u("us-ike")], s.fuel[u("uk-chu")]
    choice = landings.ChooseBeach()
    s.frames.append(Disembarking(unit=u("us-5"), side=1))
    choice.apply(s, s.frames[-1], 1, "to", n("caen"))
    assert not isinstance(s.frames[-1], Disembarking | Combat)  # the first wave's battle waits for its phase
    assert sum(fuel) - s.fuel[u("us-ike")] - s.fuel[u("uk-chu")] == 1
    s.orders[u("us-7")] |= STANDBY
    s.frames.append(Disembarking(unit=u("us-7"), side=1, wave=2))
    choice.apply(s, s.frames[-1], 1, "to", n("cherbourg"))
    assert not isinstance(s.frames[-1], Combat)  # nobody to fight
    put(s, u("us-7"), n("portsmouth"))
    s.frames.append(Disembarking(unit=u("us-7"), side=1, wave=2))
    choice.apply(s, s.frames[-1], 1, "to", n("caen"))
    assert isinstance(s.frames[-1], Combat)
    assert (s.frames[-1].hex, s.frames[-1].attacker, s.frames[-1].blitz) == (n("caen"), 1, 4)
    assert sum(fuel) - s.fuel[u("us-ike")] - s.fuel[u("uk-chu")] == 1  # the second wave was paid for when it stood by


@pytest.mark.rule("24.5-wave-d")
def test_24_5_a_coast_is_held_by_marines_or_paras_in_it_or_beside_it() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-101, us-4", "uk-chu", "us-ike")
    cherbourg, caen = n("cherbourg"), n("caen")
    assert not landings.is_held(s, cherbourg, 1)
    put(s, u("us-4"), cherbourg)
    assert not landings.is_held(s, cherbourg, 1)  # infantry does not count
    beside = [x for x in T.touch[cherbourg] if x < T.hexes]
    put(s, u("us-101"), beside[0])
    assert landings.is_held(s, cherbourg, 1)
    put(s, u("us-101"), cherbourg)
    assert landings.is_held(s, cherbourg, 1)
    inland = next(x for x in range(T.hexes) if T.playable[x] and not T.coastal[x])
    put(s, u("us-101"), inland)
    assert not landings.is_held(s, inland, 1)  # no coast
    put(s, u("us-5"), caen)
    assert landings.is_held(s, caen, 1)
    enemy = next(x.index for x in UNITS if x.nation == "DE" and x.kind == "infantry")
    put(s, enemy, caen)
    assert not landings.is_held(s, caen, 1)


@pytest.mark.rule("24.5-wave-c", "24.5-wave-d", "24.0c")
def test_24_5_each_condition_of_following(monkeypatch: pytest.MonkeyPatch) -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-7, us-4 | caen: de-26", "uk-chu", "us-ike")
    caen = n("caen")
    put(s, u("us-7"), caen)
    for name in ("us-5", "us-4"):
        s.orders[u(name)] |= STANDBY
    climb(
        s,
        lambda x: landings.why_not_reinforce(x, u("us-5"), caen),
        [
            (lambda x: x.orders.__setitem__(u("us-5"), 0), "no-second-wave"),
            (moved_to("us-5", n("hull") if T.has("hull") else n("london")), "beach-too-far"),
        ],
    )
    assert reason(landings.why_not_reinforce(s, u("us-4"), caen)) == "marines-only"
    put(s, u("de-26"), POOL)
    assert landings.why_not_reinforce(s, u("us-4"), caen) is None
    wave = landings.SecondWave()
    fight = Combat(hex=caen, attacker=1, round=2)
    assert wave.needed(s, fight, 1)
    s.orders[u("us-5")] = s.orders[u("us-4")] = 0
    assert not wave.needed(s, fight, 1)  # nobody waits
    s.orders[u("us-5")] = STANDBY
    put(s, u("us-5"), n("london"))
    assert wave.needed(s, fight, 1) is landings.is_near(s, u("us-5"), caen)
    s.orders[u("us-7")] |= LANDED
    assert landings.second_wave_due(s, fight)
    assert not landings.second_wave_due(s, Combat(hex=caen, attacker=1, round=1))
    s.orders[u("us-7")] &= ~LANDED
    assert not landings.second_wave_due(s, fight)  # no landing


@pytest.mark.rule("24.7")
def test_24_7_each_condition_of_the_ferry() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-3c, us-pat | oxford: us-4", "us-pat", row="7.10")
    tanks = "us-3c"
    put(s, u("us-5"), n("cherbourg"))
    s.owner[n("cherbourg")] = IDS["US"]
    s.landed = ((n("cherbourg"), IDS["US"]),)
    climb(
        s,
        lambda x: landings.why_not_ferry(x, u(tanks), 1, "exploit"),
        [
            (made("landed", ()), "no-invasion"),
            (given("owner", n("cherbourg"), IDS["DE"]), "no-invasion"),
            (moved_to(tanks, POOL), "not-on-map"),
            (marked("orders", tanks, RESERVE), "moved-already"),
            (moved_to(tanks, n("oxford")), "not-in-port"),
            (given("status", IDS["US"], OUT), "power-out"),
            (moved_to("us-5", POOL), "no-ferry"),
            (given("active", u("us-pat"), 0), "no-ferry"),
        ],
    )
    assert reason(landings.why_not_ferry(s, u(tanks), 1, "move")) == "no-landings"
    assert reason(landings.why_not_ferry(s, u(tanks), 0, "exploit")) == "not-yours"
    assert reason(landings.why_not_ferry(s, u("us-4"), 1, "exploit")) == "armour-ferry"


@pytest.mark.rule("24.1e")
def test_24_1e_each_condition_of_the_way_back() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, us-4 | caen: de-26", "uk-chu", "us-ike")
    caen, port = n("caen"), n("portsmouth")
    for name in ("us-5", "us-4"):
        put(s, u(name), caen)
        s.origin[u(name)] = port
        s.orders[u(name)] |= LANDED
    c = Combat(hex=caen, attacker=1, round=2)
    climb(
        s,
        lambda x: reembarking.why_not_re_embark(x, c, u("us-5"), 1),
        [
            (given("orders", u("us-5"), 0), "not-a-marine"),
            (moved_to("us-5", n("cherbourg")), "not-a-marine"),
            (given("origin", u("us-5"), 65535), "no-way-back"),
            (given("owner", port, IDS["DE"]), "no-way-back"),
            (lambda x: [x.active.__setitem__(u(h), 0) for h in ("uk-chu", "us-ike")], "no-navy"),
        ],
    )
    assert reason(reembarking.why_not_re_embark(s, c, u("us-4"), 1)) == "not-a-marine"
    assert reason(reembarking.why_not_re_embark(s, c, u("us-5"), 0)) == "not-yours"
    ask = reembarking.ReEmbark()
    assert ask.needed(s, c, 1)
    ask.apply(s, c, 1, "stay", 0)
    assert not ask.needed(s, c, 1)
    assert s.place[u("us-5")] == caen
    c.round = 3
    assert ask.needed(s, c, 1)  # asked again after the next round
    s.loaded = (1,) * 9
    steps = s.steps[u("us-5")]
    ask.apply(s, c, 1, "re-embark", u("us-5"))
    assert s.place[u("us-5")] == port
    assert s.steps[u("us-5")] == UNITS[u("us-5")].pattern.below[steps]
    assert not s.orders[u("us-5")] & LANDED
    assert not ask.needed(s, c, 1)  # infantry stays


@pytest.mark.rule("23.0d", "23.0e", "23.0f")
def test_23_0d_a_drop_on_an_empty_hex_takes_it_and_on_reserve_armour_is_lost() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-101, us-82 | caen: de-26", "uk-chu", "us-ike")
    s.loaded = (1,) * 30
    empty = next(x for x in T.touch[n("caen")] if x < T.hexes and T.terrain[x] == "clear" and T.playable[x])
    airborne.jump(s, u("us-101"), empty)
    assert side_holding(s, empty) == 1
    assert s.orders[u("us-101")] & DROPPED
    assert s.flags[u("us-101")] & (MOVED | FOUGHT) == MOVED | FOUGHT
    assert s.origin[u("us-101")] == 65535
    over = s.copy()
    airborne.jump(over, u("us-82"), n("caen"))
    assert (over.place[u("us-82")], side_holding(over, n("caen"))) == (n("caen"), 0)  # in the air over a battle
    tanks = next(x.index for x in UNITS if x.nation == "DE" and x.kind == "tank")
    put(s, tanks, n("caen"))
    waits = s.copy()
    waits.orders[tanks] |= RESERVE
    airborne.jump(waits, u("us-82"), n("caen"))
    assert waits.place[u("us-82")] == POOL
    infantry = s.copy()
    infantry.orders[u("de-26")] |= RESERVE
    airborne.jump(infantry, u("us-82"), n("caen"))
    assert infantry.place[u("us-82")] == n("caen")  # only armour catches them
