"""What the computer thinks of beyond the sea: who is at home stays, who lands pays, who drops has friends near."""

from __future__ import annotations

import pytest

from grognard.games.bitw.computer import shores
from grognard.games.bitw.computer.staging import stagers
from grognard.games.bitw.frames import Disembarking, Dropping
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.airborne import drop_zones
from grognard.games.bitw.rules.landings import beaches, go_ashore, price_of
from grognard.games.bitw.state import BitwState, put
from grognard.games.bitw.world import IS_GROUND, world
from grognard.kernel import Action, seed_from

from .table import u


@pytest.fixture
def overlord() -> BitwState:
    """SBW8 in the Movement Phase of the Allies, with every HQ active."""
    s = GAME.setup("SBW8", {}, seed_from("shores"))
    while s.frames[-1].at() != "7.4":
        GAME.obey(s, 1, ("done", ""))
    for name in ("uk-chu", "us-ike"):
        GAME.obey(s, 1, ("activate", name))
    while s.frames[-1].at() != "7.5":
        GAME.apply(s, 1, next(a for a in GAME.legal(s, 1) if a[0] in ("done", "discard")))
    for name in ("uk-fc", "uk-bc", "uk-mon", "us-pat", "us-8af", "us-9af"):
        hq.activate(s, u(name))
    return s


def thought_of(s: BitwState, verb: str) -> set[int]:
    return {noun for v, noun in promising(s) if v == verb}


def promising(s: BitwState) -> list[Action]:
    return GAME.promising(s, 1, GAME.legal(s, 1))


def test_corps_in_england_wait_for_ships(overlord: BitwState) -> None:
    s = overlord
    assert any(verb == "move" for verb, _ in GAME.legal(s, 1))
    assert [verb for verb, _ in promising(s)] == ["land"]  # first of all
    for unit in {noun for verb, noun in GAME.legal(s, 1) if verb == "land"}:
        s.steps[unit] -= 1  # no longer at full strength: nobody lands
    while (going := promising(s)) and going[0][0] == "move" and len(going) == 1:
        assert going[0][1] in stagers(s, 1, [going[0][1]])  # to a port
        put(s, going[0][1], world(s).theatre.find("plymouth"))
    assert not {x for x in thought_of(s, "move") if IS_GROUND[x]}
    put(s, u("de-84"), world(s).theatre.find("birmingham"))  # an enemy in England: now there is something to do
    assert u("uk-8c") in thought_of(s, "move")


def test_drops_come_after_the_landing_and_beside_it(overlord: BitwState) -> None:
    s = overlord
    assert not thought_of(s, "drop")
    coast = next(n for n in beaches(s, u("us-7")) if n == world(s).theatre.find("carentan"))
    for unit in {noun for verb, noun in GAME.legal(s, 1) if verb == "land" and noun != u("us-7")}:
        s.steps[unit] -= 1  # nobody else lands
    go_ashore(s, u("us-7"), coast)
    while promising(s)[0][0] == "stand-by":
        GAME.apply(s, 1, promising(s)[0])
    assert thought_of(s, "drop")
    zones = drop_zones(s, u("us-101"))
    s.frames.append(Dropping(unit=u("us-101"), side=1))
    s.waiting = (1,)
    kept = {noun for _, noun in promising(s)}
    t = world(s).theatre
    assert kept < set(zones)
    assert all(t.distance(coast, n) <= shores.NEAR for n in kept)
    assert all(n == coast or not s.present[n] for n in kept)  # not alone among enemies


def test_landings_cost_one_point_where_they_can(overlord: BitwState) -> None:
    s = overlord
    s.frames.append(Disembarking(unit=u("us-7"), side=1))
    s.waiting = (1,)
    prices = {price_of(s, u("us-7"), n) for n in beaches(s, u("us-7"))}
    assert max(prices) > 1
    assert {price_of(s, u("us-7"), n) for _, n in promising(s)} <= {0, 1}


def test_who_follows_stands_by_once_nobody_else_lands(overlord: BitwState) -> None:
    s = overlord
    assert not shores.followers(s, 1, [u("us-5")])  # nobody is ashore
    go_ashore(s, u("us-7"), world(s).theatre.find("carentan"))
    assert shores.followers(s, 1, [u("uk-2a"), u("us-5"), u("uk-mon")]) == [u("us-5"), u("uk-2a")]  # no HQ
    for unit in [x for x in range(len(s.flags)) if {("land", x), ("drop", x)} & set(GAME.legal(s, 1))]:
        s.steps[unit] -= 1  # no longer at full strength: nobody else lands, nobody drops
    assert [verb for verb, _ in promising(s)] == ["stand-by"]
