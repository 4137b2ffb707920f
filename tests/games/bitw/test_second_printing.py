"""What careful readers found: which island is Great Britain, and zones where a strait has a dry side."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import FILES
from grognard.games.bitw.rules import definitions, supply
from grognard.games.bitw.rules.supply import BRITAIN
from grognard.games.bitw.state import put
from grognard.games.bitw.theatre import build_theatre, western_europe
from grognard.games.bitw.world import POWERS
from grognard.hexes import board_from_rows

from .table import u

UK = next(p.index for p in POWERS if p.id == "UK")


@pytest.mark.rule("3.4-port-major", "3.4-port-minor", "4.2")
def test_3_4_only_ports_of_the_island_feed_without_limit() -> None:
    """Ruling A71 is about Great Britain: what Malta and Gibraltar feed is counted as elsewhere."""
    t = western_europe()
    assert {t.country[n] for n in t.ports if t.region[n] in BRITAIN} == {"GBR"}
    assert t.region[t.find("london")] in BRITAIN
    s = GAME.setup("SBW3", {}, "x")
    limits = {n: net.capacity for net in supply.networks(s, UK, "UK") for n in net.nodes}
    assert limits[t.find("london")] is None
    s.owner[t.find("malta")] = UK
    limits = {n: net.capacity for net in supply.networks(s, UK, "UK") for n in net.nodes}
    assert limits[t.find("malta")] == 5
    assert limits[t.find("gibraltar")] is not None


@pytest.mark.rule("3.19c", "7.5.5a")
def test_3_19c_a_red_arrow_is_no_land_side_even_where_the_side_is_dry() -> None:
    """On the map every such side is water as well; the arrow alone must do."""
    sides: dict[str, dict[str, Any]] = {"0102|0103": {"strait": "Belt"}}
    board = board_from_rows(". . . .", {".": "clear"}, hexes={}, sides=sides)
    t = build_theatre(board, {})
    a, b, c, d = range(4)
    assert t.arrows[b] == (c,)
    assert t.touch[b] == (a,)
    assert t.touch[c] == (d,)
    costs = [cost for other, cost in t.exits[b] if other == c]
    assert len(costs) == 1  # by the arrow, never as a step on land
    assert costs[0] > dict(t.exits[b])[a]


@pytest.mark.rule("3.19a")
def test_3_19a_a_zone_reaches_the_neighbours_by_land() -> None:
    t = western_europe()
    s = GAME.setup("SBW3", {}, "x")
    london = t.find("london")
    put(s, u("uk-1"), london)
    assert all(definitions.in_ground_zoc(s, n, 1) for n in t.touch[london])


def points(start: str, closed: str = "") -> dict[str, int]:
    """What it costs to go by land from a place to every hex, with one hex closed."""
    t = western_europe()
    shut = t.find(closed) if closed else -1
    costs, todo = {t.find(start): 0}, [t.find(start)]
    for node in todo:  # grows on the way
        for other, cost in t.exits[node]:
            if other != shut and costs[node] + cost < costs.get(other, 99):
                costs[other] = costs[node] + cost
                todo.append(other)
    return {t.names[node]: cost for node, cost in costs.items()}


@pytest.mark.rule("24.6")
def test_24_6_the_reserves_of_the_example_reach_the_british_beach_and_not_the_american_one() -> None:
    """The British fight in Gold-Juno-Sword: who comes from Paris or Lille must go round it."""
    t = western_europe()
    omaha, gold = (t.names[t.find(place)] for place in ("omaha-utah", "gold-juno-sword"))
    for start in ("paris", "lille", "le-mans"):
        assert points(start)[gold] <= 4, start
    for start in ("paris", "lille"):
        assert points(start, "gold-juno-sword")[omaha] > 4, start
    assert points("paris")[omaha] == 4, "past beaches on which nobody has landed the way is open"


@pytest.mark.rule("3.4-port-major", "3.4-port-minor", "3.5")
def test_3_4_the_map_has_the_ports_and_rails_that_fed_the_armies() -> None:
    t = western_europe()
    major = {"palermo", "taranto", "bari", "bizerte", "cagliari", "oslo", "malta", "casablanca", "napoli"}
    minor = {"olbia", "porto-torres", "civitavecchia", "brindisi"}
    assert {place: t.port[t.find(place)] for place in major} == dict.fromkeys(major, 2)
    assert {place: t.port[t.find(place)] for place in minor} == dict.fromkeys(minor, 1)
    assert t.sea[t.find("oslo")] == "baltic"  # transit through Sweden
    joined = supply.joined_by_rail(GAME.setup("SBW3", {}, "x"), frozenset(t.rail_nodes))
    for a, b in (("messina", "reggio"), ("casablanca", "alger"), ("alger", "bizerte")):
        assert t.find(b) in joined[t.find(a)], (a, b)
    for scenario in GAME.scenarios:  # none needs to mend the map; Siracusa with Augusta is a choice (decision 0336)
        table = FILES.toml(f"scenarios/{scenario}.toml")
        assert "rail" not in table, scenario
        assert {(p["at"], p["src"]) for p in table.get("port", ())} <= {("siracusa", "proposed")}, scenario
