"""24 Amphibious landings, 23 airborne assaults: on the printed map."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import airborne, fire, landings
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.fire import GROUND, GUNS, Combatant, Field
from grognard.games.bitw.state import DROPPED, LANDED, OOS, POOL, RESERVE, STANDBY, BitwState, put, side_holding
from grognard.games.bitw.theatre import western_europe
from grognard.games.bitw.world import UNITS, add_world, make_world
from grognard.kernel import flow

from .table import act, fires, refusal, scenario, u

T = western_europe()
ON = {"advanced": "on"}
CONTROL = {"GER": "DE", "FRA": "DE", "BEL": "DE", "NED": "DE", "GBR": "UK", "ITA": "DE", "LUX": "DE"}
_count = [0]


def n(place: str) -> int:
    """A hex by its place."""
    return T.find(place)


def channel(
    units: str, *active: str, row: str = "7.5", side: int = 1, first: str = "1944-06", options: Any = None, **more: Any
) -> BitwState:
    """The printed map with Germans in France, at a row of a side's turn, with some HQs active."""
    _count[0] += 1
    name = f"channel-{_count[0]}"
    setup = []
    for part in filter(None, (p.strip() for p in units.split("|"))):
        at, _, names = part.partition(":")
        setup.append({"at": at.strip(), "units": [x.strip() for x in names.split(",")]})
    control = {"countries": CONTROL | more.pop("countries", {})}
    rules = more.pop("rules", ["casablanca"])
    add_world(name, make_world(T, scenario(setup=setup, first=first, control=control, rules=rules, **more)))
    known, GAME.scenarios = GAME.scenarios, (name,)
    try:
        s = GAME.setup(name, ON | (options or {}), "seed")
    finally:
        GAME.scenarios = known
    s.frames[:] = []
    s.phasing = side
    for unit in active:
        hq.activate(s, u(unit))
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index(row)
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


def coasts(s: BitwState, unit: str) -> set[str]:
    """Where a unit may land, by printed number."""
    return {T.names[x] for x in landings.beaches(s, u(unit))}


LEADERS = "london: uk-chu, us-ike"


@pytest.mark.rule("14.0-beach", "24.0a", "24.1a", "24.1b", "24.5-wave-a")
def test_24_0a_marines_anywhere_in_range_infantry_on_front_beaches() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, uk-5", "uk-chu", "us-ike")
    assert T.names[n("cherbourg")] in coasts(s, "us-5")
    assert T.names[n("carentan")] in coasts(s, "us-5")
    assert coasts(s, "uk-5") == {T.names[n(x)] for x in ("cherbourg", "carentan", "le-havre")}
    calais = channel(f"{LEADERS} | dover: uk-5 | southampton: uk-1", "uk-chu", "us-ike")
    assert landings.is_front_beach(calais, n("dover"), n("calais"))
    assert not landings.is_front_beach(calais, n("southampton"), n("calais"))
    assert landings.is_front_beach(calais, n("cherbourg"), n("southampton"))
    assert landings.is_front_beach(calais, n("cherbourg"), n("channel-islands"))
    assert not landings.is_front_beach(calais, n("cherbourg"), n("dover"))
    assert T.names[n("calais")] in coasts(calais, "uk-5")
    assert refusal(calais, 1, "land", "uk-chu") == "24.0a"
    act(calais, 1, "land", "uk-5")
    assert refusal(calais, 1, "to", T.names[n("le-havre")]) == "24.0a"
    assert refusal(calais, 1, "to", T.names[n("paris")]) == "24.1b"


@pytest.mark.rule("24.1b")
def test_24_1b_full_strength_supplied_in_port_and_in_sunshine() -> None:
    units = f"{LEADERS} | portsmouth: us-5, us-7 4 | oxford: us-6"
    s = channel(units, "uk-chu", "us-ike")
    assert refusal(s, 1, "land", "us-5") is None
    assert refusal(s, 1, "land", "us-7") == "24.1b"  # weakened
    assert refusal(s, 1, "land", "us-6") == "18.0a"  # no port
    s.flags[u("us-5")] |= OOS
    assert refusal(s, 1, "land", "us-5") == "24.1b"
    rain = channel(units, "uk-chu", "us-ike")
    rain.sky = 2
    assert refusal(rain, 1, "land", "us-5") == "24.1b"
    early = channel(f"{LEADERS} | portsmouth: uk-30", "uk-chu", "us-ike", first="1940-08")
    assert refusal(early, 1, "land", "uk-30") == "24.0a"  # British infantry is TECH 1


@pytest.mark.rule("24.1b", "24.8")
def test_24_8_long_range_for_marines_of_tech_3() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike")
    far = {x: landings.price_of(s, u("us-5"), x) for x in landings.beaches(s, u("us-5"))}
    assert set(far.values()) == {1, 2, 3, 4}
    ways = {x: len(landings.voyage(T, n("portsmouth"), x)) - 1 for x in range(T.hexes) if T.coastal[x]}
    assert max(ways.values()) > 20
    for x, way in ways.items():
        assert landings.price_of(s, u("us-5"), x) == (-(-way // 5) if 0 < way <= 20 else 0)
    place = next(x for x, price in far.items() if price == 3)
    act(s, 1, "land", "us-5")
    act(s, 1, "to", T.names[place])
    assert s.fuel[u("us-ike")] == 1
    before = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike", first="1943-07")
    assert {landings.price_of(before, u("us-5"), x) for x in landings.beaches(before, u("us-5"))} == {1}


@pytest.mark.rule("24.5-wave-a", "24.0b", "13.8.4")
def test_24_5_who_orders_landings_and_how_many() -> None:
    alone = channel(f"{LEADERS} | portsmouth: us-5", "us-ike")
    assert refusal(alone, 1, "land", "us-5") == "24.5-wave-a"
    both = channel(f"{LEADERS} | portsmouth: us-5, us-7 | southampton: us-6, us-2", "uk-chu", "us-ike")
    for name in ("us-5", "us-7", "us-6", "us-2"):
        act(both, 1, "land", name)
        near = [x for x in landings.beaches(both, u(name)) if landings.price_of(both, u(name), x) == 1]
        act(both, 1, "to", T.names[near[0]])
    assert both.fuel[u("us-ike")] == 0
    german = {"first": "1940-08", "side": 0, "countries": {"FRA": "DE"}, "rules": []}
    raeder = channel("calais: de-26, de-5 | berlin: de-ra, de-d | london: uk-3", "de-ra", **german)
    act(raeder, 0, "land", "de-26")
    act(raeder, 0, "to", T.names[n("dover")])
    assert refusal(raeder, 0, "stand-by", "de-5") is None
    assert refusal(raeder, 0, "land", "de-5") is None
    doenitz = channel("calais: de-26, de-5 | berlin: de-ra, de-d | london: uk-3", "de-d", **german)
    assert refusal(doenitz, 0, "stand-by", "de-5") == "24.0b"
    act(doenitz, 0, "land", "de-26")
    act(doenitz, 0, "to", T.names[n("dover")])
    assert refusal(doenitz, 0, "land", "de-5") == "24.5-wave-a"
    italian = hq.headquarters()[u("de-ra")]._replace(unit=u("it-mus"))
    assert hq.limit_of(raeder, italian, "landing") == 1  # navy TECH 1


@pytest.mark.rule("24.2a")
def test_24_2a_utrecht_between_two_forts() -> None:
    forts = [x.id for x in UNITS if x.is_fort][:2]
    s = channel(f"{LEADERS} | den-haag: {forts[0]} 3 | amsterdam: {forts[1]} 3")
    assert landings.why_forbidden(s, n("utrecht"), 1) is landings.UTRECHT
    one = channel(f"{LEADERS} | den-haag: {forts[0]} 3")
    assert landings.why_forbidden(one, n("utrecht"), 1) is None


@pytest.mark.rule("24.2b", "3.7.1-channel-festung")
def test_24_2b_the_festung_of_the_channel_islands() -> None:
    fort = next(x.id for x in UNITS if x.is_fort)
    for steps, told in ((7, landings.FESTUNG_COAST), (5, None)):
        s = channel(f"{LEADERS} | channel-islands: {fort} {steps} | portsmouth: us-5", "us-ike", "uk-chu")
        assert landings.why_forbidden(s, n("avranches"), 1) is told
        landings.go_ashore(s, u("us-5"), n("avranches"))
        assert (s.place[u("us-5")] == POOL) is (told is not None)


@pytest.mark.rule("24.2b", "3.7.1-channel-festung")
def test_24_2b_a_festung_that_nobody_has_seen_refuses_nothing() -> None:
    """Legality must not tell how strong a hidden fort is: only one that is face up refuses the landing."""
    fort = next(x.id for x in UNITS if x.is_fort)
    for revealed in (0, 1):
        told = []
        for steps in (5, 7):
            s = channel(f"{LEADERS} | channel-islands: {fort} {steps} | portsmouth: us-5", "us-ike", "uk-chu")
            s.revealed[u(fort)] = revealed
            told.append(landings.why_known_forbidden(s, n("avranches"), 1))
            assert (landings.why_not_beach(s, u("us-5"), n("avranches")) is landings.FESTUNG_COAST) is bool(told[-1])
        assert told == ([None, landings.FESTUNG_COAST] if revealed else [None, None])


@pytest.mark.rule("24.3", "24.1b")
def test_24_3_difficult_ground_for_marines_of_tech_3_at_a_price() -> None:
    s = channel(f"{LEADERS} | portsmouth: us-5, uk-3", "uk-chu", "us-ike")
    hard = [x for x in landings.beaches(s, u("us-5")) if landings.difficulties(s, x) == 1]
    assert hard
    assert not [x for x in landings.beaches(s, u("us-5")) if landings.difficulties(s, x) > 1]
    act(s, 1, "land", "us-5")
    act(s, 1, "to", T.names[hard[0]])
    assert (s.steps[u("us-5")], s.half[u("us-5")]) == (6, 1)  # one hit of two
    before = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike", first="1943-07")
    assert all(landings.difficulties(before, x) == 0 for x in landings.beaches(before, u("us-5")))


@pytest.mark.rule("24.4")
def test_24_4_surprise() -> None:
    s = channel("berlin: de-ra | bremen: de-26", "de-ra", side=0, first="1940-05", countries={"NED": "NL", "FRA": "FR"})
    assert landings.surprises(s, 0, n("rotterdam"))
    assert not landings.surprises(s, 0, n("dover"))
    assert landings.landing_tech(s, u("de-26"), n("rotterdam")) == 3
    s.turn = 2
    assert not landings.surprises(s, 0, n("rotterdam"))


@pytest.mark.rule("24.1d")
def test_24_1d_the_first_round_of_a_landing() -> None:
    marine = Combatant(UNITS[u("us-5")], 6, 3, True, "sea")
    field = Field(landing=True)
    (shot,) = fire.volley([marine], GROUND, field, 1)
    assert (shot.dice, shot.modifiers.mali) == (3, (("24.1d", 1),))
    assert fire.volley([marine], GROUND, field, 2)[0].dice == 6
    guard, guns = Combatant(UNITS[u("de-26")], 3, 2, False), Combatant(UNITS[u("de-15a")], 2, 2, False)
    plain = fire.volley([guard], GROUND, Field(), 1)[0].face
    assert fire.volley([guard], GROUND, field, 1)[0].face == plain - 1
    assert fire.volley([guns], GUNS, field, 1)[0].face == fire.volley([guns], GUNS, Field(), 1)[0].face - 1
    fort = Combatant(UNITS[next(x.index for x in UNITS if x.is_fort)], 3, 2, False)
    assert fire.volley([fort], GROUND, field, 1)[0].face == fire.volley([fort], GROUND, Field(), 1)[0].face


@pytest.mark.rule("24.1d")
def test_24_1d_the_defenders_guns_fire_first() -> None:
    s = channel(f"{LEADERS} | carentan: de-84 3, de-15a 2, us-5, us-1a 2")
    s.frames[:] = []
    s.orders[u("us-5")] |= LANDED
    s.orders[u("us-1a")] |= LANDED
    s.events = []
    s.frames.append(Combat(hex=n("carentan"), attacker=1))
    s.loaded = (1,) * 60
    flow.run(GAME.tables, s)
    order = [name for name, _, _ in fires(s)]
    assert order.index("de-15a") < order.index("us-1a")


@pytest.mark.rule("24.1c")
def test_24_1c_the_sea_die_where_chapter_18_is_played() -> None:
    german = {"first": "1940-08", "side": 0, "countries": {"FRA": "DE"}, "rules": []}
    for die, steps in ((3, 4), (4, 3), (6, 0)):
        s = channel("calais: de-26 | berlin: de-ra | london: uk-3", "de-ra", options={"sea": "on"}, **german)
        top = s.steps[u("de-26")]
        s.loaded = (die,)
        act(s, 0, "land", "de-26")
        act(s, 0, "to", T.names[n("dover")])
        assert s.steps[u("de-26")] == (0 if not steps else top - (4 - steps))
    calm = channel(f"{LEADERS} | portsmouth: us-5", "uk-chu", "us-ike", options={"sea": "on"})
    act(calm, 1, "land", "us-5")
    act(calm, 1, "to", T.names[n("carentan")])
    assert not [e for e in calm.events or [] if e.rule == "18.1a"]  # after Maple, inside the Channel


def beach(*waiting: str, german: str = "de-84 1", dice: tuple[int, ...] = (), **more: Any) -> BitwState:
    """A landing of the 5th at Carentan, units waiting at Southampton, up to the first decision of its battle."""
    units = f"{LEADERS} | portsmouth: us-5 | southampton: {', '.join(waiting) or 'uk-3'} | carentan: {german}"
    s = channel(units + more.pop("units", ""), "uk-chu", "us-ike", **more)
    act(s, 1, "land", "us-5")
    act(s, 1, "to", T.names[n("carentan")])
    for name in waiting:
        act(s, 1, "stand-by", name)
    s.loaded = dice
    return s


def fight(s: BitwState) -> None:
    """On to the second wave, or past it, with what costs least."""
    for _ in range(60):
        legal = GAME.orders(s, s.waiting[0])
        if legal[0][0] in ("wave", "commit") or any(a[0] in ("wave", "commit") for a in legal):
            return
        quiet = ("done", "stay", "hold", "battle")
        act(s, s.waiting[0], *next((a for a in legal if a[0] in quiet), legal[0]))


@pytest.mark.rule("24.5-wave-b", "24.5-wave-c", "24.5-wave-d", "24.0c", "6.7.1a")
def test_24_5_a_cleared_beach_takes_everybody() -> None:
    s = beach("us-1a", "us-19c", german="de-84 1", dice=(1, 6, 6, 6, 6, 6))
    assert s.orders[u("us-1a")] & STANDBY
    fight(s)
    assert {a for a in GAME.orders(s, 1) if a[0] == "wave"} == {("wave", "us-1a"), ("wave", "us-19c")}
    act(s, 1, "wave", "us-19c")
    assert s.place[u("us-19c")] == n("carentan")
    assert (n("carentan"), UNITS[u("us-5")].power) in s.landed


@pytest.mark.rule("24.5-wave-c", "24.0c")
def test_24_5_on_a_beach_still_fought_for_only_marines() -> None:
    s = beach("us-1a", "us-7", german="de-84 4", dice=(1,) * 12)
    fight(s)
    assert refusal(s, 1, "wave", "us-1a") == "24.5-wave-c"
    act(s, 1, "wave", "us-7")
    assert s.place[u("us-7")] == n("carentan")


@pytest.mark.rule("24.6", "31.0d")
def test_24_6_reserve_armour_answers_the_second_wave() -> None:
    s = beach(
        "us-7", german="de-84 4", dice=(1,) * 12, units=" | caen: de-lehr | paris: de-5pza", options={"reserves": "on"}
    )
    s.orders[u("de-lehr")] |= RESERVE
    fight(s)
    if s.waiting == (0,):  # the first wave: in the Reaction Phase
        act(s, 0, "done")
        fight(s)
    act(s, 1, "wave", "us-7")
    assert ("commit", "de-lehr") in GAME.orders(s, 0)
    act(s, 0, "commit", "de-lehr")
    assert s.place[u("de-lehr")] == n("carentan")


@pytest.mark.rule("24.5-wave-d")
def test_24_5_wave_d_later_on_coasts_that_marines_hold() -> None:
    s = channel(f"{LEADERS} | carentan: us-5 | southampton: us-1a, us-19c, uk-3", "uk-chu", "us-ike")
    for name in ("us-1a", "us-19c", "uk-3"):
        s.orders[u(name)] |= STANDBY
    while s.frames[-1].at() != "24.5-wave-d":
        act(s, s.waiting[0], "done")
    assert landings.is_held(s, n("carentan"), 1)
    assert not landings.is_held(s, n("calais"), 1)
    beside = next(x for x in T.touch[n("carentan")] if T.coastal[x])
    assert landings.is_held(s, beside, 1)  # covered by the marines next door
    fought = s.copy()
    put(fought, u("de-84"), n("carentan"))
    assert not landings.is_held(fought, beside, 1)  # not while they fight
    assert set(landings.second_coasts(s, u("us-1a"))) <= {x for x in range(T.hexes) if landings.is_held(s, x, 1)}
    act(s, 1, "wave", "us-1a")
    act(s, 1, "to", T.names[n("carentan")])
    assert s.place[u("us-1a")] == n("carentan")


@pytest.mark.rule("24.1e")
def test_24_1e_marines_are_taken_off_again() -> None:
    s = beach(german="de-84 4", dice=(1,) * 20)
    for _ in range(40):
        legal = GAME.orders(s, s.waiting[0])
        if ("re-embark", "us-5") in legal:
            break
        act(s, s.waiting[0], *next((a for a in legal if a[0] in ("done", "stay", "hold", "battle")), legal[0]))
    assert refusal(s, 1, "re-embark", "uk-3") == "24.1e"
    s.events = []
    act(s, 1, "re-embark", "us-5")
    assert s.place[u("us-5")] == n("portsmouth")
    assert s.steps[u("us-5")] == 4
    (order,) = [e.data for e in s.events if e.kind == "commanded"]
    assert (order["hq"], order["action"]) == ("us-ike", "landing")


@pytest.mark.rule("24.7")
def test_24_7_armour_follows_in_the_exploitation() -> None:
    units = f"{LEADERS} | carentan: us-5 | southampton: us-19c, us-pat"
    s = channel(units, row="7.10")
    act(s, 1, "activate", "us-pat")
    assert refusal(s, 1, "ferry", "us-19c") == "24.7"  # no invasion this turn
    s.landed = ((n("carentan"), UNITS[u("us-5")].power),)
    assert refusal(s, 1, "ferry", "us-5") == "24.7"
    act(s, 1, "ferry", "us-19c")
    act(s, 1, "to", T.names[n("carentan")])
    assert s.place[u("us-19c")] == n("carentan")
    assert s.fuel[u("us-pat")] == 3


@pytest.mark.rule("24.5-navy3", "13.8.4")
def test_24_5_navy_tech_3_feeds_one_unit_on_a_coast() -> None:
    for month, told in (("1944-02", None), ("1943-07", "13.8.4")):
        s = channel(f"{LEADERS} | carentan: us-5, us-7", "us-ike", row="7.4", first=month, rules=[])
        for name in ("us-5", "us-7"):
            s.flags[u(name)] |= OOS
        found = hq.why_not_supply(s, u("us-5"), 1)
        assert (found and found.rule) == told
        if told is None:
            hq.supply_coast(s, u("us-5"))
            assert hq.why_not_supply(s, u("us-7"), 1) is not None


# 23 Airborne assaults


def zones(s: BitwState, unit: str) -> set[int]:
    return set(airborne.drop_zones(s, u(unit)))


@pytest.mark.rule("23.0a", "23.0b", "23.0c")
def test_23_0_who_jumps_whence_and_by_whose_order() -> None:
    s = channel(f"{LEADERS} | london: us-82 | oxford: us-101 2 | dover: uk-1ab, uk-3", "us-ike")
    assert refusal(s, 1, "drop", "us-82") is None
    assert refusal(s, 1, "drop", "us-101") == "23.0b"  # weakened
    assert refusal(s, 1, "drop", "uk-1ab") == "23.0c"  # Churchill is not active
    assert refusal(s, 1, "drop", "uk-3") == "23.0a"
    s.sky = 2
    assert refusal(s, 1, "drop", "us-82") == "23.0b"
    german = channel("berlin: de-g | frankfurt: de-7f, de-1p | paris: uk-3", "de-g", side=0, first="1944-06")
    assert refusal(german, 0, "drop", "de-1p") == "23.0a"
    early = channel(f"{LEADERS} | dover: uk-1ab", "uk-chu", first="1940-08")
    assert refusal(early, 1, "drop", "uk-1ab") == "23.0a"
    monty = channel("dover: uk-1ab, uk-mon", "uk-mon")
    assert refusal(monty, 1, "drop", "uk-1ab") == "23.0c"


@pytest.mark.rule("23.0b", "23.0-tech3", "23.0-surprise")
def test_23_0b_where() -> None:
    two = channel("berlin: de-g | koln: de-7f", "de-g", side=0, first="1940-08", countries={"FRA": "FR", "BEL": "UK"})
    assert all(T.distance(n("koln"), x) <= 5 and airborne.rough(two, x) == 0 for x in zones(two, "de-7f"))
    three = channel(f"{LEADERS} | dover: us-82", "us-ike")
    found = zones(three, "us-82")
    assert any(T.distance(n("dover"), x) > 5 for x in found)
    assert any(airborne.rough(three, x) == 1 for x in found)
    assert not any(airborne.rough(three, x) and T.distance(n("dover"), x) > 5 for x in found)  # one or the other
    assert not any(airborne.rough(three, x) > 1 for x in found)
    low = {"FRA": "FR", "NED": "NL"}
    dutch = channel("berlin: de-g | monchengladbach: de-7f", "de-g", side=0, first="1940-05", countries=low)
    hard = {T.country[x] for x in zones(dutch, "de-7f") if airborne.rough(dutch, x)}
    assert hard == {"NED"}  # by surprise; nowhere else


@pytest.mark.rule("23.0f", "23.0g", "23.0d")
def test_23_0f_each_hit_in_the_air_counts_twice() -> None:
    fighter = next(x.id for x in UNITS if x.nation == "US" and x.kind == "fighter")
    s = channel(f"{LEADERS} | caen: us-82, {fighter} 3, de-84 2")
    s.frames[:] = []
    s.orders[u("us-82")] |= DROPPED
    s.flags[u(fighter)] |= 8
    s.base[u(fighter)] = n("dover")
    s.events = []
    s.frames.append(Combat(hex=n("caen"), attacker=1))
    s.loaded = (6, 1, 1, *(1,) * 30)
    flow.run(GAME.tables, s)
    events = list(s.events)
    while not [e for e in events if e.kind == "fire" and e.rule == "7.7.5a" and e.data["unit"] == "us-82"]:
        act(s, s.waiting[0], *next(a for a in GAME.orders(s, s.waiting[0]) if a[0] in ("stay", "hold")))
        events = list(s.events)
    hits = [e.data["unit"] for e in s.events if e.kind == "hit"]
    assert sorted(hits[:2]) == sorted(["us-82", fighter])
    shots = [e.data for e in s.events if e.kind == "fire" and e.data["unit"] == "us-82"]
    assert ("23.0g", -1) in [tuple(x) for x in shots[0]["tally"]]
    assert not [e for e in s.events if e.kind == "fire" and e.rule == "7.7.2a" and e.data["unit"] == "us-82"]


@pytest.mark.rule("23.0f")
def test_23_0f_without_escort_the_drop_takes_the_hits_alone() -> None:
    s = channel(f"{LEADERS} | caen: us-82, de-84 2")
    s.frames[:] = []
    s.orders[u("us-82")] |= DROPPED
    s.events = []
    s.frames.append(Combat(hex=n("caen"), attacker=1))
    s.loaded = (6, 6, 6)  # two of the corps, one of the town
    flow.run(GAME.tables, s)
    assert s.steps[u("us-82")] == 0 or s.place[u("us-82")] == POOL


@pytest.mark.rule("23.0e")
def test_23_0e_armour_in_reserve_destroys_a_drop() -> None:
    s = channel(f"{LEADERS} | dover: us-82 | calais: de-lehr", "us-ike", options={"reserves": "on"})
    s.orders[u("de-lehr")] |= RESERVE
    act(s, 1, "drop", "us-82")
    act(s, 1, "to", T.names[n("calais")])
    assert s.place[u("us-82")] == POOL
    assert s.orders[u("de-lehr")] & RESERVE


@pytest.mark.rule("23.0d", "23.0-tech3", "5.6-eben-b")
def test_23_0d_on_an_empty_hex_it_comes_down_and_holds() -> None:
    s = channel(f"{LEADERS} | dover: us-82", "us-ike")
    s.loaded = (1, 1)
    act(s, 1, "drop", "us-82")
    act(s, 1, "to", T.names[n("calais")])
    assert s.place[u("us-82")] == n("calais")
    assert side_holding(s, n("calais")) == 1
    shot = channel(f"{LEADERS} | dover: us-82", "us-ike")
    shot.loaded = (6,)
    act(shot, 1, "drop", "us-82")
    act(shot, 1, "to", T.names[n("calais")])
    assert shot.steps[u("us-82")] == 2  # the flak of the town
