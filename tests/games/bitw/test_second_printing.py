"""What careful readers found: which island is Great Britain, and zones where a strait has a dry side."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bitw.game import GAME
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
