"""2.x and the shipped scenarios on the compiled map: legal set-ups, forces, and games played to their end."""

from __future__ import annotations

import random

import pytest

from grognard.games.bitw import loading
from grognard.games.bitw.game import GAME
from grognard.games.bitw.problems import at_rest, problems
from grognard.games.bitw.rules.air import airbases
from grognard.games.bitw.rules.supply import check_supply
from grognard.games.bitw.state import OFF, month, on_map, side_holding
from grognard.games.bitw.world import POWERS, UNIT_IDS, UNITS, world
from grognard.kernel import seed_from
from grognard.kernel.errors import UnknownName

pytestmark = pytest.mark.skipif(not loading.FILES.has("map.json"), reason="the compiled map is not here")
IDS = {p.id: p.index for p in POWERS}
SCENARIOS = ("SBW1", "SBW2", "SBW3")


@pytest.mark.rule("2.2")
def test_2_2_a_scenario_must_be_chosen_among_those_that_exist() -> None:
    assert set(SCENARIOS) <= set(GAME.scenarios)
    with pytest.raises(UnknownName):
        GAME.setup("SBW99", {}, "x")


@pytest.mark.rule("2.3", "1.1")
@pytest.mark.parametrize(
    ("name", "first", "turns"), [("SBW1", "1945-04", 2), ("SBW2", "1944-12", 2), ("SBW3", "1940-05", 2)]
)
def test_2_3_everything_stands_where_the_scenario_says(name: str, first: str, turns: int) -> None:
    s = GAME.setup(name, {}, "x")
    w = world(s)
    assert (month(s), w.scenario.turns) == (first, turns)
    for stand in w.scenario.standing:
        assert (s.place[stand.unit], s.steps[stand.unit]) == (stand.node, stand.steps)
    on_the_map = {u for u in range(len(UNITS)) if s.place[u] < OFF}
    assert on_the_map == {st.unit for st in w.scenario.standing}


@pytest.mark.rule("6.4", "3.9")
@pytest.mark.parametrize("name", SCENARIOS)
def test_6_4_no_hq_in_the_basic_game(name: str) -> None:
    s = GAME.setup(name, {}, "x")
    assert not [UNITS[u].id for u in range(len(UNITS)) if s.place[u] < OFF and UNITS[u].kind in loading.HQ_KINDS]


@pytest.mark.parametrize("name", SCENARIOS)
def test_set_ups_are_legal(name: str) -> None:
    s = GAME.setup(name, {}, "x")
    assert problems(s) == []
    assert at_rest(s) == []
    for side in (0, 1):
        assert [UNITS[u].id for u in check_supply(s, side)] == []
        for u in on_map(s, side):
            assert side_holding(s, s.place[u]) == side or s.place[u] >= world(s).theatre.hexes
            if UNITS[u].is_air:
                assert s.place[u] in airbases(s, UNITS[u].power, UNITS[u].home), UNITS[u].id


@pytest.mark.rule("5.2-siegfried-c", "5.1-maginot-a")
def test_lines_at_the_start() -> None:
    for name, siegfried, maginot in (("SBW1", 0, 0), ("SBW2", 1, 0), ("SBW3", 1, 2)):
        s = GAME.setup(name, {}, "x")
        t = world(s).theatre
        assert {s.works[n] for n in t.siegfried} == {siegfried}
        assert {s.works[n] for n in t.maginot} == {maginot}


@pytest.mark.rule("5.6b", "3.7.1-canaries")
def test_5_6b_closed_countries_and_unused_units() -> None:
    s = GAME.setup("SBW3", {}, "x")
    t = world(s).theatre
    for land in ("DEN", "SPA"):
        assert not any(t.playable[n] for n in range(t.hexes) if t.country[n] == land)
    assert not any(s.place[u.index] < OFF for u in UNITS if u.nation in ("NO", "DK"))


@pytest.mark.rule("5.2b")
def test_5_2b_german_units_may_arrive_in_vienna() -> None:
    from grognard.games.bitw.frames import PlayerTurn
    from grognard.games.bitw.rules.sites import arrival_hexes

    s = GAME.setup("SBW3", {}, "x")
    t = world(s).theatre
    sites = arrival_hexes(s, PlayerTurn(side=0), UNIT_IDS["de-26"])
    assert {t.find("wien"), t.find("praha"), t.find("berlin")} <= set(sites)


@pytest.mark.rule("3.7.1-corsica", "3.7.1-channel")
def test_3_7_1_islands_in_1940() -> None:
    s = GAME.setup("SBW3", {}, "x")
    t = world(s).theatre
    assert s.owner[t.find("channel-islands")] == IDS["UK"]
    assert s.owner[t.find("bastia")] == IDS["FR"]


@pytest.mark.rule("7.3a")
@pytest.mark.parametrize(
    ("name", "power", "points"), [("SBW1", "DE", 3), ("SBW2", "US", 10), ("SBW3", "FR", 8), ("SBW3", "UK", 4)]
)
def test_incomes_at_the_start(name: str, power: str, points: int) -> None:
    from grognard.games.bitw.frames import PlayerTurn
    from grognard.games.bitw.rules.income import collect_income

    s = GAME.setup(name, {}, "x")
    s.pp[IDS[power]] = 0
    collect_income(s, PlayerTurn(side=POWERS[IDS[power]].side))
    assert s.pp[IDS[power]] == points


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("seed", range(2))
def test_random_games_end_soundly(name: str, seed: int) -> None:
    s = GAME.setup(name, {}, seed_from(seed))
    luck = random.Random(seed)
    decisions = 0
    while s.waiting:
        side = s.waiting[0]
        legal = GAME.orders(s, side)
        assert legal
        GAME.obey(s, side, luck.choice(legal))
        decisions += 1
        assert decisions < 5000
        if decisions % 10 == 0:
            assert problems(s) == []
            assert all(points >= 0 for points in s.pp)
    assert GAME.result(s) is not None


def test_greedy_beats_random_in_italy() -> None:
    """The Allies, played greedily, break the Gothic Line against a random Axis."""
    from grognard.ai import GreedyPlayer, RandomPlayer, Seat

    s = GAME.setup("SBW1", {}, seed_from(1))
    s.events = None
    players = (RandomPlayer(), GreedyPlayer(samples=1, budget=60))
    number = 0
    while s.waiting:
        side = s.waiting[0]
        action = players[side].choose(Seat(GAME, s, side, str(number))).action
        GAME.apply(s, side, action)
        number += 1
    t = world(s).theatre
    assert side_holding(s, t.find("bologna")) == 1
