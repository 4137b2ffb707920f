"""Edges on the ground: powers and armistice, rails and ports, blitz, exploitation, sieges, beaches, the map itself."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import charts
from grognard.games.bitw.rules import (
    blitz,
    combat,
    exploitation,
    income,
    landings,
    movement,
    opening,
    powers,
    production,
    rail,
    siege,
    sites,
    supply,
    targets,
    weather,
    zones,
)
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.weather import GOOD, LIGHT_RAIN, RAIN, SNOW
from grognard.games.bitw.state import (
    ARMISTICE,
    ASKED,
    ASSISTED,
    BLITZED,
    FOUGHT,
    LANDED,
    MISSION,
    MOTORISED,
    MOVED,
    NOWHERE,
    OOS,
    OUT,
    POOL,
    STANDBY,
    SUPPLIED,
    BitwState,
    on_map,
    put,
)
from grognard.games.bitw.theatre import MAJOR, MINOR, build_theatre
from grognard.games.bitw.world import POWERS, UNITS, world
from grognard.hexes import board_from_rows

from .ladder import climb, given, made, moved_to, reason
from .table import THEATRE, node, position, set_out, u

IDS = {p.id: p.index for p in POWERS}
DE, UK, US, FR, IT = (IDS[x] for x in ("DE", "UK", "US", "FR", "IT"))


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def pools_but(power: str) -> list[dict[str, Any]]:
    """The pools of the sketch but one: that power is not in play."""
    return [{"nations": [x], "income": 5} for x in ("DE", "FR", "UK", "US", "IT") if x != power]


def first(kind: str, nation: str, number: int = 0) -> int:
    return [x.index for x in UNITS if x.kind == kind and x.nation == nation][number]


# 3 and 7.5 The map


@pytest.mark.rule("3.3-types", "3.3-capital", "3.3-sites", "7.5.3b", "7.5.3c", "7.5.4a")
def test_3_3_a_board_is_read_as_it_is_printed() -> None:
    rows = "\n . f h M s\n  . . ~ . .\n"
    key = {".": "clear", "f": "forest", "h": "hills", "M": "mountain", "s": "swamp", "~": "sea"}
    hexes: dict[str, dict[str, Any]] = {
        "0101": {"country": "FRA", "city": "capital", "port": "major"},
        "0102": {"country": "FRA", "city": "minor", "port": "minor", "fort": "bunker"},
        "0103": {"country": "GER", "city": "fortress", "fort": "fortress"},
        "0104": {"country": "GER", "city": "major", "fort": "siegfried"},
        "0105": {"country": "SPA"},
        "0201": {"country": "YUG"},
        "0202": {"country": "GER", "closed": "edge"},
        "0204": {"country": "GER", "region": "canaries", "fort": "fortress", "tags": ["maginot"]},
        "0205": {"country": "GER", "fort": "fortress", "tags": ["eben-emael"]},
    }
    sides: dict[str, dict[str, Any]] = {
        "0101|0102": {"river": ["Seine", 1]}, "0103|0104": {"water": True}, "0204|0205": {"fort": "maginot"},
    }  # fmt: skip
    places: dict[str, dict[str, Any]] = {
        "paris": {"name": {"en": "Paris", "fr": "Paris"}, "hexes": ["0101"], "class": "capital", "population": 3,
                  "mining": 1, "sea": "atlantic", "victory": True},
        "ruhr": {"name": {"en": "Ruhr", "fr": "Ruhr"}, "hexes": ["0104"], "class": "major", "oil": 2,
                 "factories": [{"colour": "red", "n": 2, "from": "1940"}]},
    }  # fmt: skip
    board = board_from_rows(rows, key, hexes=hexes, places=places, sides=sides, links={"0104|0105": {"rail": 1}})
    t = build_theatre(board, {"closed": {"countries": ["YUG"]}}, neutral=("SPA",))
    n = {board.name_of(h): h for h in range(len(board.grid))}
    assert [t.city[n[x]] for x in ("0101", "0102", "0103", "0104", "0105")] == [MAJOR, MINOR, MINOR, MAJOR, 0]
    assert [t.port[n[x]] for x in ("0101", "0102", "0103")] == [2, 1, 0]
    assert t.fortress_city == {n["0103"]}
    assert t.bunkers == {n["0102"]}
    assert t.fortresses == {n["0103"], n["0205"]}  # not a hex of the Maginot Line
    assert t.no_fortress_aa == {n["0205"]}
    assert t.maginot == {n["0204"]}
    assert t.siegfried == {n["0104"]}
    assert t.orange == {(n["0205"], n["0204"])}  # from outside, into the line
    assert [bool(t.playable[n[f"01{x:02d}"]]) for x in range(1, 6)] == [True, True, True, True, False]
    assert [bool(t.playable[n[f"02{x:02d}"]]) for x in range(1, 6)] == [False, False, False, True, True]
    assert dict(t.exits[n["0101"]]) == {n["0102"]: 2}  # a river costs nothing more
    assert dict(t.exits[n["0102"]]) == {n["0101"]: 1, n["0103"]: 2}
    assert n["0104"] not in dict(t.exits[n["0103"]])  # water between them
    assert n["0103"] not in t.touch[n["0104"]]
    assert dict(t.exits[n["0204"]])[n["0104"]] == 3
    assert (n["0101"], n["0102"]) in t.rivers
    assert (n["0102"], n["0101"]) in t.rivers
    assert (n["0103"], n["0104"]) not in t.rivers
    assert t.rail[n["0104"]] == (n["0105"],)
    assert (t.yellow[n["0101"]], t.yellow[n["0104"]]) == (4, 0)
    assert t.capitals == {n["0101"]}
    assert t.victory == {n["0101"]}
    assert t.factories == {n["0104"]: {"red": (2, "1940"), "black": (2, "1939")}}
    assert t.sea[n["0101"]] == "atlantic"
    assert t.sea[n["0103"]] == ""
    open_land = build_theatre(board, {"closed": {"countries": ["YUG"]}}, neutral=("GER",), kept=("canaries",))
    assert [bool(open_land.playable[n[x]]) for x in ("0104", "0204", "0105")] == [False, True, True]


@pytest.mark.rule("14.0-mountain-a", "14.0-mountain-b", "14.0-mountain-c", "14.0-cavalry")
@pytest.mark.parametrize(
    ("kind", "nation", "costs"),
    [
        # clear, forest, hills, swamp, mountain in good weather; hills, mountain in rain; hills, mountain in snow
        ("infantry", "DE", (1, 2, 2, 3, 3, 2, 99, 2, 99)),
        ("tank", "DE", (1, 2, 2, 3, 99, 2, 99, 2, 99)),
        ("tankette", "DE", (1, 2, 2, 3, 99, 2, 99, 2, 99)),
        ("mountain", "DE", (1, 2, 1, 3, 2, 1, 2, 1, 2)),
        ("cavalry", "FR", (1, 2, 2, 2, 3, 2, 99, 2, 99)),
    ],
)
def test_14_0_what_ground_costs_whom(kind: str, nation: str, costs: tuple[int, ...]) -> None:
    unit = UNITS[first(kind, nation)]
    plain = {"clear": 1, "forest": 2, "hills": 2, "swamp": 3, "mountain": 3}
    asked = [(ground, GOOD) for ground in plain] + [(x, sky) for sky in (RAIN, SNOW) for x in ("hills", "mountain")]
    assert tuple(min(99, movement.special_price(unit, ground, plain[ground], sky)) for ground, sky in asked) == costs


@pytest.mark.rule("14.0-cavalry")
def test_14_0_cavalry_pays_two_at_most_but_in_snowy_hills() -> None:
    horse = UNITS[first("cavalry", "FR")]
    for ground, sky, price, paid in (
        ("hills", SNOW, 4, 4), ("hills", RAIN, 4, 2), ("swamp", SNOW, 4, 2), ("mountain", GOOD, 3, 3),
        ("clear", GOOD, 1, 1),
    ):  # fmt: skip
        assert movement.special_price(horse, ground, price, sky) == paid


# 5 Powers


@pytest.mark.rule("5.1-armistice-a", "5.0f", "7.11b")
def test_5_1_each_condition_of_the_armistice() -> None:
    s = position("", in_play=["BE", "NL", "FR", "DE"], rules=["armistice"])
    paris = s.capital[FR]
    climb(
        s,
        powers.why_not_armistice,
        [
            (given("owner", paris, DE), reason(powers.CAPITAL_FALLEN)),
            (given("owner", paris, UK), None),
            (given("status", FR, OUT), reason(powers.NO_ARMISTICE)),
        ],
    )
    without = position("", in_play=["BE", "NL", "FR", "DE"], rules=[])
    assert reason(powers.why_not_armistice(without)) == reason(powers.NO_ARMISTICE)
    absent = position("", rules=["armistice"], pool=pools_but("FR"))
    assert reason(powers.why_not_armistice(absent)) == reason(powers.NO_ARMISTICE)


@pytest.mark.rule("5.1-armistice-c", "5.1-armistice-d", "5.1-armistice-g", "5.0f")
def test_5_1_what_the_armistice_does() -> None:
    s = position("0505: fr-6 | 0404: uk-1 | 0510: de-26", in_play=["BE", "NL", "FR", "DE", "UK"])
    s.events = []
    put(s, u("fr-9"), POOL)
    for n in THEATRE.maginot:
        s.works[n] = 1
    s.us_losses, before = 0, list(s.pp)
    powers.sign_armistice(s)
    assert s.status[FR] & (OUT | ARMISTICE) == OUT | ARMISTICE
    assert all(s.place[x.index] == NOWHERE for x in UNITS if x.power == FR)
    assert list(s.pp) == before  # no points for those who go
    assert s.owner[node("0505")] == DE
    assert s.owner[node("0604")] == DE
    assert s.owner[node("0404")] == UK  # where an ally stands it is his
    assert s.place[u("uk-1")] == node("0404")
    assert not any(s.works[n] for n in THEATRE.maginot)
    assert s.status[powers.FREE_FRANCE] & ASSISTED


@pytest.mark.rule("5.0e", "5.1-armistice-d")
def test_5_0e_land_goes_to_the_conqueror_or_to_the_ally_who_stands_there() -> None:
    s = position("0404: uk-1 | 0405: fr-6 | 0604: uk-2g")
    powers.hand_over(s, FR, DE)
    assert s.owner[node("0404")] == UK
    assert s.owner[node("0405")] == DE  # its own unit is no ally
    assert s.owner[node("0604")] == DE  # nor is an aircraft
    assert s.owner[node("0101")] == UK
    assert FR not in s.owner


@pytest.mark.rule("5.0c", "5.0d", "5.0e", "7.11a")
def test_5_0c_what_a_surrender_does() -> None:
    zero = next(x for x in UNITS if x.nation == "FR" and x.pattern.has_zero)
    s = position("0505: fr-6 | 0405: fr-9", in_play=["BE", "NL", "FR", "DE"])
    s.events = []
    put(s, zero.index, node("0604"))
    s.steps[zero.index], s.half[zero.index] = 2, 1
    put(s, u("fr-18"), POOL)
    before = s.pp[DE]
    powers.surrender_power(s, FR, DE)
    assert s.pp[DE] == before + 3  # one for each on the map, none for who was lost before
    assert s.status[FR] & OUT
    assert (s.place[u("fr-6")], s.place[u("fr-9")], s.place[u("fr-18")]) == (NOWHERE, NOWHERE, NOWHERE)
    assert s.place[zero.index] == node("0604")
    assert (s.steps[zero.index], s.half[zero.index]) == (0, 0)
    assert s.owner[node("0405")] == DE


@pytest.mark.rule("5.5", "7.11b")
def test_5_5_how_many_losses_america_bears() -> None:
    for losses, gone in ((9, False), (10, True), (11, True)):
        s = position("0404: us-5 | 0302: us-12b", in_play=["BE", "NL", "US", "UK"])
        s.events = []
        s.owner[node("0405")] = US
        s.us_losses = losses
        powers.check_us_morale(s, None)  # type: ignore[arg-type]
        assert bool(s.status[US] & OUT) == gone
        assert (s.place[u("us-5")] == NOWHERE) == gone
        assert (s.owner[node("0405")] == UK) == gone
    without = position("", pool=pools_but("US"))
    without.us_losses, without.events = 20, []
    powers.check_us_morale(without, None)  # type: ignore[arg-type]
    assert without.events == []


@pytest.mark.rule("5.7d", "5.7a")
def test_5_7d_when_paris_is_the_capital_of_free_france() -> None:
    free = powers.FREE_FRANCE
    for in_play, owner, capital in (
        (["FF"], US, True),
        (["FF"], DE, False),
        ([], US, False),
        (["FF", "FR"], US, False),
    ):
        s = position("", in_play=in_play, pool=pools_but("FR"))
        s.events = []
        s.owner[node("paris")] = owner
        s.capital[free] = node("0101")
        powers.free_french_capital(s, None)  # type: ignore[arg-type]
        assert (s.capital[free] == node("paris")) == capital
        assert bool(s.events) == capital


@pytest.mark.rule("5.1-armistice-i")
def test_5_1_armistice_i_who_joins_nobody() -> None:
    s = position("")
    assert reason(powers.why_not_join(s, "SPA", 0)) == reason(powers.NEUTRAL)
    assert powers.why_not_join(s, "BEL", 1) is None
    s.status[FR] |= ARMISTICE
    assert reason(powers.why_not_join(s, "SPA", 0)) == reason(powers.SPAIN_STAYS_OUT)
    assert reason(powers.why_not_join(s, "SPA", 1)) == reason(powers.NEUTRAL)
    assert powers.why_not_join(s, "BEL", 0) is None


@pytest.mark.rule("5.4a", "5.7b", "36.1b")
def test_5_4a_each_condition_of_aid() -> None:
    s = position("", in_play=["DE", "IT", "FF", "US", "UK"], first="1942-01")
    c = PlayerTurn(side=0)
    s.pp[DE] = s.pp[US] = 1
    climb(
        s,
        lambda x: production.why_not_aid(x, c, 0, IT),
        [
            (given("pp", DE, 0), "too-dear"),
            (given("status", IT, OUT), production.NO_AID["5.4a"].reason),
        ],
    )
    assert reason(production.why_not_aid(s, c, 1, IT)) == production.NO_AID["5.4a"].reason  # not the Allies' to give
    assert reason(production.why_not_aid(s, c, 0, DE)) == production.NO_AID["5.4a"].reason
    free, allies = production.FREE_FRANCE, PlayerTurn(side=1)
    assert production.why_not_aid(s, allies, 1, free) is None
    early = position("", in_play=["DE", "IT", "FF", "US", "UK"], first="1941-12")
    early.pp[US] = 1
    assert reason(production.why_not_aid(early, allies, 1, free)) == reason(production.TOO_EARLY)
    early.pp[DE] = 1
    assert production.why_not_aid(early, c, 0, IT) is None  # Germany may from the beginning
    for given_so_far, allowed in ((2, True), (3, False)):
        c.aided = given_so_far
        assert (production.why_not_aid(s, c, 0, IT) is None) == allowed
    absent = position("", in_play=["FF"], first="1942-01", pool=pools_but("IT"))
    absent.pp[DE] = 1
    assert production.why_not_aid(absent, PlayerTurn(side=0), 0, IT) is not None
    c.aided, before = 0, s.pp[IT]
    s.events = []
    production.give_aid(s, c, 0, IT)
    assert (s.pp[DE], s.pp[IT], c.aided) == (0, before + 1, 1)
    before = s.pp[free]
    production.give_aid(s, allies, 1, free)
    assert (s.pp[US], s.pp[free], allies.aided) == (0, before + 1, 1)


@pytest.mark.rule("5.2-siegfried-c")
def test_5_2_each_condition_of_buying_the_siegfried_line() -> None:
    s = position("", rules=[])
    line = THEATRE.siegfried
    s.pp[DE] = 9
    climb(
        s,
        lambda x: production.why_not_siegfried(x, 0),
        [
            (given("pp", DE, 8), reason(production.LINE_TOO_DEAR)),
            (given("status", DE, ASKED), reason(production.LINE_NOT_FOR_SALE)),
            (lambda x: [x.owner.__setitem__(n, FR) for n in line], reason(production.LINE_LOST)),
        ],
    )
    assert reason(production.why_not_siegfried(s, 1)) == reason(production.LINE_NOT_FOR_SALE)
    there = position("", rules=["siegfried"])
    there.pp[DE] = 20
    assert reason(production.why_not_siegfried(there, 0)) == reason(production.LINE_NOT_FOR_SALE)
    s.events = []
    production.rebuild_siegfried(s)
    assert s.pp[DE] == 0
    assert all(s.works[n] == 1 for n in line)
    assert production.why_not_siegfried(s, 0) is not None


# 7.3, 7.4 Points and rails


@pytest.mark.rule("7.4b", "32.3", "29.1d")
def test_7_4b_which_rails_carry_a_side() -> None:
    s = position("0609: de-26", options={"advanced": "on", "bombing": "on"})
    berlin, ruhr, paris = node("berlin"), node("ruhr"), node("paris")
    lines = rail.rail_lines(s, 0)
    assert ruhr in lines[berlin]
    assert berlin in lines[ruhr]
    assert paris not in lines  # French
    assert berlin not in rail.rail_lines(s, 1)
    assert node("0209") not in lines  # no rails there
    near = s.copy()
    set_out(near, "fr-6", "0308")
    assert ruhr not in rail.rail_lines(near, 0)  # next to an enemy
    lost = s.copy()
    lost.owner[node("0410")] = FR
    assert ruhr not in rail.rail_lines(lost, 0)[berlin]
    bombed = s.copy()
    bombed.bombed = ((0, targets.RAIL, ruhr, 1),)
    assert ruhr not in rail.rail_lines(bombed, 0)
    start = node("0609")
    assert rail.rail_reach(s, 0, start) == {start}
    set_out(s, "de-84", "0510")
    assert rail.can_rail(s, u("de-84"))
    set_out(s, "de-84", "0609")
    assert not rail.can_rail(s, u("de-84"))


@pytest.mark.rule("3.4-port-major", "3.4-port-minor")
@pytest.mark.parametrize(
    ("order", "waiting", "capacity", "fed"),
    [
        ([1, 2], {1: [10], 2: [10]}, {10: 1}, {1: 10}),
        ([2, 1], {1: [10], 2: [10]}, {10: 1}, {2: 10}),
        ([1, 2], {1: [10], 2: [10]}, {10: 2}, {1: 10, 2: 10}),
        ([1, 2, 3], {1: [10, 20], 2: [10, 30], 3: [10]}, {10: 1, 20: 1, 30: 1}, {1: 20, 2: 30, 3: 10}),
        ([1, 2, 3], {1: [10, 20], 2: [20, 30], 3: [10]}, {10: 1, 20: 1, 30: 1}, {1: 20, 2: 30, 3: 10}),
        ([1, 2, 3], {1: [10, 20], 2: [20], 3: [10]}, {10: 1, 20: 1}, {1: 10, 2: 20}),
        ([1], {1: []}, {}, {}),
        ([1, 2], {1: [10], 2: [20]}, {10: 0, 20: 3}, {2: 20}),
    ],
)
def test_3_4_as_many_as_possible_are_fed_and_nobody_loses_his_share(
    order: list[int], waiting: dict[int, list[int]], capacity: dict[int, int], fed: dict[int, int]
) -> None:
    assert supply.feed(order, waiting, capacity) == fed
    assert supply.shared(tuple((x, tuple(waiting[x])) for x in order), tuple(sorted(capacity.items()))) == set(fed)


@pytest.mark.rule("3.4-port-major", "3.4-port-minor", "4.3d")
def test_3_4_who_goes_without_is_the_owners_choice() -> None:
    s = position("0904: uk-1 | 0905: uk-2 | 0804: uk-5")
    for name in ("0805", "0806", "0705", "0605", "0604", "0404", "0505"):
        s.owner[node(name)] = DE  # Cherbourg alone is left, a minor port for one unit
    s.events = []
    supply.mark_unsupplied(s, 1)
    marked = set(supply.marked_units(s, 1))
    units = {u("uk-1"), u("uk-2"), u("uk-5")}
    assert len(marked) == 2
    assert marked < units
    assert supply.marked_units(s, 0) == []
    (fed,) = units - marked
    c, share = PlayerTurn(side=1), supply.SharePorts()
    assert share.needed(s, c, 1)
    assert list(share.nouns(s, c, 1, "forgo")) == [fed]
    assert list(share.nouns(s, c, 1, "done")) == [0]
    assert share.why_not(s, c, 1, "forgo", fed) is None
    assert reason(share.why_not(s, c, 1, "forgo", min(marked))) == reason(supply.NOT_THROUGH_PORT)
    share.apply(s, c, 1, "forgo", fed)
    after = set(supply.marked_units(s, 1))
    assert fed in after
    assert len(after) == 2
    assert share.needed(s, c, 1)
    share.apply(s, c, 1, "done", 0)
    assert not share.needed(s, c, 1)
    plenty = position("0404: uk-1")
    supply.mark_unsupplied(plenty, 1)
    assert not share.needed(plenty, PlayerTurn(side=1), 1)


@pytest.mark.rule("4.2", "3.4-port-major", "3.4-port-minor")
def test_4_2_what_each_network_feeds() -> None:
    s = position("")
    found = {n.key: n for n in supply.networks(s, UK, "UK")}
    own = next(n for n in found.values() if node("london") in n.nodes)
    assert own.capacity is None
    france = next(n for n in found.values() if node("calais") in n.nodes)
    limits = charts().limits
    assert france.key == min(france.nodes)
    ports = [n for n in THEATRE.ports if n in france.nodes]
    assert france.capacity == sum(limits["port_major" if THEATRE.port[n] == 2 else "port_minor"] for n in ports)
    assert len(ports) > 1
    s.owner[node("london")] = DE
    assert supply.networks(s, UK, "UK") != list(found.values())
    lost = position("")
    for n in range(THEATRE.hexes):
        if lost.owner[n] == UK:
            lost.owner[n] = DE
    assert supply.main_source(lost, "UK", UK) is None
    assert supply.networks(lost, UK, "UK") == []


@pytest.mark.rule("11.2g", "29.1d")
def test_11_2g_discs_on_every_way_stop_the_goods() -> None:
    s = GAME.setup("SBW8", {"partisans": "on"}, "x")
    s.partisans, s.events = (), []
    paris = at(s, "paris")
    assert not income.goods_are_cut(s, DE, paris)
    s.partisans = ((paris, 1),)
    assert income.goods_are_cut(s, DE, paris)
    nets = supply.rail_nets(s, 0)
    ways = [n for n in world(s).theatre.rail[paris] if n in nets]
    s.partisans = tuple(sorted((n, 1) for n in ways))
    assert income.goods_are_cut(s, DE, paris)
    s.partisans = tuple(sorted((n, 1) for n in ways[1:]))
    assert not income.goods_are_cut(s, DE, paris)  # one way is left
    assert not income.goods_are_cut(s, US, paris)  # the Axis alone is hindered


@pytest.mark.rule("7.3.1a", "7.3.2a")
def test_7_3_2a_how_many_arrive_in_a_city() -> None:
    s = position("", in_play=["BE", "NL", "FR", "DE"])
    c, corps = PlayerTurn(side=0), u("de-84")
    put(s, corps, POOL)
    berlin, ruhr = node("berlin"), node("ruhr")
    assert s.capital[DE] == berlin
    for number, capital, city in ((0, True, True), (1, True, False), (2, False, False)):
        c.arrivals = (berlin,) * number + (ruhr,) * number
        assert sites.may_arrive(s, c, corps, berlin) == capital
        assert sites.may_arrive(s, c, corps, ruhr) == city
        found = sites.arrival_hexes(s, c, corps)
        assert (berlin in found, ruhr in found) == (capital, city)
        assert sites.can_arrive(s, c, corps) == bool(found)
    c.arrivals = ()
    assert node("koln") not in sites.arrival_hexes(s, c, corps)  # a minor city
    assert node("paris") not in sites.arrival_hexes(s, c, corps)
    flier = first("fighter", "DE")
    put(s, flier, POOL)
    assert sites.arrival_hexes(s, c, flier) == [node("munchen")]  # a blue factory
    put(s, first("fighter", "DE", 1), node("munchen"))
    assert sites.arrival_hexes(s, c, flier) == []  # its base is taken
    tanks = u("de-19pz")
    put(s, tanks, POOL)
    assert sites.arrival_hexes(s, c, tanks) == [ruhr]  # the red one


# 7.7, 7.8, 7.10 Combat, blitz, exploitation


@pytest.mark.rule("7.7.4a")
def test_7_7_4a_beside_whom_guns_fire() -> None:
    s = position("0605: de-26")
    fort = next(x.index for x in UNITS if x.is_fort and x.side == 0)
    guns = first("artillery", "DE")
    s.steps[u("de-26")] = 1
    assert combat.is_backed(s, [guns, u("de-26")])
    s.steps[u("de-26")] = 0
    assert not combat.is_backed(s, [guns, u("de-26")])
    s.steps[fort] = 0
    assert combat.is_backed(s, [guns, fort])
    assert not combat.is_backed(s, [guns])
    s.steps[guns] = 3
    assert not combat.is_backed(s, [guns, first("artillery", "DE", 1)])


def gone_in(units: str, **more: Any) -> BitwState:
    """After the battles of the Axis at 0605, won by armour, infantry and aircraft from 0606."""
    s = position(units, first="1944-06", **more)
    s.sky = GOOD
    for x in on_map(s, 0):
        if s.place[x] == node("0605"):
            s.flags[x] |= FOUGHT | (MISSION if UNITS[x].is_air else 0)
            s.origin[x] = node("0606")
    return s


@pytest.mark.rule("7.8b", "7.8c", "6.3.1b", "6.3.2b", "6.1.6c")
@pytest.mark.parametrize("name", ["de-19pz", "de-15pg", "de-84", "de-jf2"])
def test_7_8b_the_lists_of_a_blitz_are_what_it_allows(name: str) -> None:
    units = "0605: de-19pz, de-15pg, de-jf2, de-84 | 0604: fr-6 | 0505: fr-9 | 0606: de-26"
    s = gone_in(units, options={"advanced": "on"})
    for stage in range(4):
        unit = u(name)
        everywhere = range(THEATRE.hexes)
        assert blitz.blitz_hexes(s, unit) == [n for n in everywhere if blitz.is_blitz_hex(s, unit, n)]
        assert blitz.follow_hexes(s, unit) == [n for n in everywhere if blitz.is_follow_hex(s, unit, n)]
        if stage == 0:
            assert blitz.follow_hexes(s, unit) == []  # nobody has gone before
            put(s, u("de-19pz"), node("0505"))
            s.flags[u("de-19pz")] |= BLITZED
            s.origin[u("de-19pz")] = node("0605")
        elif stage == 1:
            assert bool(blitz.follow_hexes(s, unit)) == (name == "de-jf2")
            put(s, u("fr-9"), POOL)
        elif stage == 2:
            s.origin[u("de-19pz")] = node("0504")  # it came from another battle
            assert blitz.follow_hexes(s, unit) == []


@pytest.mark.rule("7.8a", "7.8e")
def test_7_8a_each_condition_of_a_blitz() -> None:
    s = gone_in("0605: de-19pz", options={"advanced": "on"})
    tanks = u("de-19pz")
    climb(
        s,
        lambda x: blitz.why_not_again(x, tanks),
        [
            (moved_to("de-19pz", POOL), reason(blitz.NOT_ON_MAP)),
            (given("flags", tanks, 0), reason(blitz.DID_NOT_ATTACK)),
            (given("flags", tanks, FOUGHT | BLITZED), reason(blitz.BLITZED_ALREADY)),
            (made("sky", RAIN), reason(blitz.NO_BLITZ_NOW)),
            (made("sky", SNOW), reason(blitz.NO_BLITZ_NOW)),
            (moved_to("fr-6", node("0605")), reason(blitz.IN_BATTLE)),
        ],
    )


@pytest.mark.rule("7.10a", "6.2", "6.2.1a", "6.2.1b", "6.1.6a", "31.0a")
@pytest.mark.parametrize(
    ("name", "month", "expected"),
    [
        ("de-19pz", "1940-05", None),
        ("fr-prioux", "1940-05", exploitation.TANKETTE_TECH.reason),
        ("de-15pg", "1944-06", None),
        ("de-84", "1944-06", exploitation.NO_EXPLOITATION.reason),
        ("fr-cav", "1940-05", exploitation.NO_EXPLOITATION.reason),
    ],
)
def test_7_10a_who_moves_twice(name: str, month: str, expected: str | None) -> None:
    s = position("", first=month)
    assert reason(exploitation.why_not_exploit(s, u(name))) == expected
    s.orders[u(name)] |= MOTORISED  # it waited in reserve, or rides on an order
    assert exploitation.why_not_exploit(s, u(name)) is None


@pytest.mark.rule("7.10b", "4.0", "7.5.2d")
def test_7_10b_how_the_exploitation_opens_and_closes() -> None:
    s = position("0510: de-19pz, de-84 | 0904: de-26 | 0404: fr-6")
    c = PlayerTurn(side=0)
    s.events = []
    for x in (*on_map(s, 0), u("fr-6")):
        s.flags[x] |= MOVED | FOUGHT
    exploitation.open_exploitation(s, c)
    assert s.flags[u("de-19pz")] == FOUGHT
    assert s.flags[u("de-84")] == FOUGHT
    assert s.flags[u("de-26")] == FOUGHT  # unsupplied, but it is no armour
    assert s.flags[u("fr-6")] == MOVED | FOUGHT
    set_out(s, "de-19pz", "0904")
    exploitation.open_exploitation(s, c)
    assert s.flags[u("de-19pz")] == FOUGHT | OOS
    s.orders[u("de-84")] |= SUPPLIED | MOTORISED
    s.origin[u("de-84")] = node("0510")
    exploitation.close_exploitation(s, c)
    for name in ("de-19pz", "de-84", "de-26", "fr-6"):
        assert s.flags[u(name)] == 0
        assert not s.orders[u(name)] & (SUPPLIED | MOTORISED)
        assert s.origin[u(name)] == 65535


# 8 Zones, 9 weather, 12 sieges


@pytest.mark.rule("8.0a", "3.19d")
def test_8_0a_what_a_strongpoint_is() -> None:
    s = position("", options={"advanced": "on"})
    lyon, metz, field = node("lyon"), node("metz"), node("0705")
    s.works[metz] = 0
    assert zones.is_strongpoint(s, lyon, 1)
    assert not zones.is_strongpoint(s, lyon, 0)
    assert not zones.is_strongpoint(s, metz, 0)
    s.works[metz] = 1
    assert zones.is_strongpoint(s, metz, 0)
    s.owner[metz] = FR
    assert not zones.is_strongpoint(s, metz, 0)
    assert not zones.is_strongpoint(s, field, 1)
    west, east = node("0605"), node("0606")  # the Seine between them
    for sky, crosses in ((GOOD, False), (RAIN, False), (SNOW, True)):
        s.sky = sky
        weather.note_conditions(s)
        assert zones.stops_zone(s, east, west, 0) != crosses
        assert not zones.stops_zone(s, west, node("0604"), 1)
    plain = position("", options={"advanced": "off"})
    assert not zones.stops_zone(plain, east, west, 0)


@pytest.mark.rule("8.0a", "8.0b", "8.0c", "3.19d")
def test_8_0b_a_strongpoint_whose_neighbours_are_all_covered() -> None:
    s = position("", options={"advanced": "on"})
    lyon = node("lyon")
    near = THEATRE.touch[lyon]
    dry = [n for n in near if (n, lyon) not in THEATRE.rivers]
    assert lyon not in zones.advanced_zone(s, 0, dry[:1])
    for n, unit in zip(near, (x.index for x in UNITS if x.kind == "infantry" and x.nation == "DE")):
        put(s, unit, n)
    assert lyon in zones.advanced_zone(s, 0, near)
    put(s, first("infantry", "FR"), lyon)
    assert lyon not in zones.advanced_zone(s, 0, near)  # it is held


@pytest.mark.rule("9.0a", "39.0a", "9.0.1")
@pytest.mark.parametrize(
    ("die", "plain", "light"),
    [(1, GOOD, GOOD), (2, GOOD, GOOD), (3, GOOD, LIGHT_RAIN), (4, RAIN, LIGHT_RAIN), (5, RAIN, RAIN), (6, RAIN, RAIN)],
)
def test_9_0a_what_a_die_brings(die: int, plain: int, light: int) -> None:
    assert weather.diced_sky(die, False) == plain
    assert weather.diced_sky(die, True) == light
    assert weather.diced_south(die, False) == GOOD
    assert weather.diced_south(die, True) == (LIGHT_RAIN if die == 6 else GOOD)


@pytest.mark.rule("9.0a", "9.0b", "39.0a")
@pytest.mark.parametrize(
    ("month", "sky"),
    [("1943-05", GOOD), ("1943-03", RAIN), ("1943-11", RAIN), ("1943-12", SNOW), ("1943-01", SNOW), ("1943-09", GOOD)],
)
def test_9_0b_the_weather_of_the_months(month: str, sky: int) -> None:
    s = position("", options={"advanced": "on"}, first=month)
    s.events, s.south = [], RAIN
    weather.check_weather(s, None)
    assert (s.sky, s.south) == (sky, GOOD)
    basic = position("", options={"advanced": "off"}, first=month)
    basic.events, before = [], basic.sky
    weather.check_weather(basic, None)
    assert basic.sky == before
    assert basic.events == []
    april = position("", options={"advanced": "on"}, first="1943-04")
    for die, found in ((3, GOOD), (4, RAIN)):
        april.events, april.loaded = [], (die,)
        weather.check_weather(april, None)
        assert april.sky == found
        assert [e.data["side"] for e in april.events if e.kind == "roll"] == [0]  # the Axis rolls


@pytest.mark.rule("12.1b", "12.1c")
def test_12_1b_a_siege_costs_one_step() -> None:
    s = position("0605: de-26", options={"advanced": "on"})
    s.events = []
    unit = u("de-26")
    below = UNITS[unit].pattern.below
    s.steps[unit], s.half[unit] = 3, 1
    siege.lose_to_siege(s, unit)
    assert (s.steps[unit], s.half[unit]) == (below[3], 0)
    guns = next(x.index for x in UNITS if x.pattern.has_zero and x.side == 0 and x.kind == "artillery")
    put(s, guns, node("0605"))
    s.steps[guns] = 0
    siege.lose_to_siege(s, guns)
    assert s.steps[guns] == 0
    assert [e.kind for e in s.events] == ["besieged", "besieged"]


# 13 HQs, 24 landings


@pytest.mark.rule("13.8a", "13.8.1a", "13.8.1.3-hq", "13.8.1.1-fhq", "13.8.5")
def test_13_8a_every_hq_of_the_box() -> None:
    staffs = hq.headquarters()
    assert all(hq.IS_HQ[x] == (x in staffs) for x in range(len(UNITS)))
    assert sorted(x for side in hq.HQS_OF for x in side) == sorted(staffs)
    fhq = staffs[u("de-f")]
    assert {POWERS[p].id for p in fhq.powers} == {p.id for p in POWERS if p.side == 0}
    ike = staffs[u("us-ike")]
    assert all(POWERS[p].side == 1 for p in ike.powers)
    fleet = staffs[u("us-12af")]
    assert fleet.phases <= set(hq.PHASES)
    assert set(fleet.limits) <= set(hq.ACTIONS)
    assert "air" in fleet.limits
    alone = [x for x in staffs.values() if len(x.powers) == 1]
    assert alone
    assert all(x.powers == {UNITS[x.unit].power} for x in alone)


@pytest.mark.rule("24.4", "23.0-surprise")
def test_24_4_who_is_surprised() -> None:
    s = position("", first="1940-05")
    belgium, paris, koln = node("0105"), node("paris"), node("koln")
    assert landings.surprises(s, 0, belgium)
    assert not landings.surprises(s, 1, belgium)  # it is on their side
    assert not landings.surprises(s, 0, paris)  # no minor power
    assert not landings.surprises(s, 1, koln)
    s.owner[belgium] = 255
    assert not landings.surprises(s, 0, belgium)
    s = position("", first="1940-05")
    s.turn = 2
    assert not landings.surprises(s, 0, belgium)
    assert not landings.surprises(position("", first="1940-06"), 0, belgium)


@pytest.mark.rule("24.5-wave-d", "24.5-wave-c")
def test_24_5_who_holds_a_coast() -> None:
    s = GAME.setup("SBW8", {}, "x")
    t = world(s).theatre
    for x in range(len(UNITS)):
        if s.place[x] < t.hexes and t.country[s.place[x]] == "FRA":
            put(s, x, POOL)
    beach = at(s, "cherbourg")
    inland = next(n for n in t.touch[beach])
    assert t.coastal[beach]
    assert not landings.is_held(s, beach, 1)
    for name, holds in (("us-5", True), ("us-4", False), ("us-101", True)):
        for where in (beach, inland):
            put(s, u(name), where)
            assert landings.is_held(s, beach, 1) == holds
            assert not landings.is_held(s, beach, 0)
        put(s, u(name), POOL)
    put(s, u("us-5"), inland)
    put(s, u("de-26"), inland)
    assert not landings.is_held(s, beach, 1)  # in battle it covers nothing
    put(s, u("de-26"), beach)
    put(s, u("us-4"), POOL)
    assert not landings.is_held(s, beach, 1)
    dry = next(n for n in t.cities if not t.coastal[n] and t.country[n] == "FRA")
    put(s, u("us-101"), dry)
    assert not landings.is_held(s, dry, 1)  # no coast


@pytest.mark.rule("24.0c", "24.6", "24.1d")
def test_24_6_when_the_second_wave_and_the_answer_to_it_come() -> None:
    s = position("0604: us-5, us-4 | 0605: fr-6", options={"advanced": "on"})
    beach = node("0604")
    c = Combat(hex=beach, attacker=1)
    for number, landed, due in ((1, True, False), (2, True, True), (2, False, False), (3, True, False)):
        c.round = number
        s.orders[u("us-5")] = LANDED if landed else 0
        assert landings.is_landing(s, c) == landed
        assert landings.second_wave_due(s, c) == due
    s.orders[u("us-5")] = LANDED
    set_out(s, "de-26", "0604")
    for number, flag, due in ((2, 4, True), (2, 3, False), (1, 4, False), (3, 7, False)):
        c.round, c.blitz = number, flag
        assert landings.wave_reaction_due(s, c) == due
    set_out(s, "de-26", "0510")
    c.round, c.blitz = 2, 4
    assert not landings.wave_reaction_due(s, c)  # nobody is left to fight
    s.orders[u("us-4")] = STANDBY
    assert not landings.is_landing(s, Combat(hex=beach, attacker=0))


# 0, 2.1 Who plays what


@pytest.mark.rule("0-players", "38.1")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_0_players_everybody_is_commanded_once(players: int) -> None:
    found = opening.commands(players)
    assert len(found) == players
    every = [x for command in found for x in command]
    assert sorted(every) == sorted(p.id for p in POWERS)
    where = {x: number for number, command in enumerate(found) for x in command}
    assert (where["DE"] == where["IT"]) == (players < 4)
    assert (where["US"] == where["UK"]) == (players < 3)
    assert (where["DE"] == where["UK"]) == (players == 1)
    assert where["FR"] == where["UK"] == where["FF"]
    assert where["DE"] == 0
    for wrong in (0, 5):
        with pytest.raises(ValueError, match="players"):
            opening.commands(wrong)


@pytest.mark.rule("2.1")
def test_2_1_sides_by_wish_else_by_lot() -> None:
    axis, allies = opening.SIDES
    seeds = [str(x) for x in range(12)]
    assert opening.choose_sides(["a", "b"], "1", {"a": axis}) == {"a": axis, "b": allies}
    assert opening.choose_sides(["a", "b"], "1", {"b": axis}) == {"a": allies, "b": axis}
    assert opening.choose_sides(["a", "b"], "1", {"a": allies, "b": axis}) == {"a": allies, "b": axis}
    for wishes in (None, {"a": axis, "b": axis}):
        lots = [opening.choose_sides(["a", "b"], seed, wishes) for seed in seeds]
        assert {x["a"] for x in lots} == {axis, allies}
        assert all(sorted(x.values()) == sorted(opening.SIDES) for x in lots)
    for names, wishes, word in (
        (["a"], None, "two players"), (["a", "b", "c"], None, "two players"),
        (["a", "b"], {"a": "red"}, "red"), (["a", "b"], {"c": axis}, "c"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=word):
            opening.choose_sides(names, "1", wishes)


@pytest.mark.rule("0-campaign")
def test_0_campaign_needs_the_eastern_game() -> None:
    assert opening.campaign_options([]) is None
    assert opening.campaign_options(["bia"]) is None
    found = opening.campaign_options(["bia", "bite"])
    assert found is not None
    assert set(found.values()) == {"on"}
    assert "advanced" in found
