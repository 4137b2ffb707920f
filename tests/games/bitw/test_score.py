"""What the greedy player maximises: the points put together from differences are those of a sum in full."""

from __future__ import annotations

import random
from typing import Any

import pytest

from grognard.games.bitw.computer import rations
from grognard.games.bitw.computer.battles import battle_value, faces
from grognard.games.bitw.computer.goals import outlook
from grognard.games.bitw.computer.losses import toll
from grognard.games.bitw.computer.rations import doomed, hunger, shared_out
from grognard.games.bitw.computer.score import (
    CUT_OFF,
    GUARD,
    NEARNESS,
    exposure,
    fed_hexes,
    judge,
    score_of,
    standing_points,
    unit_points,
)
from grognard.games.bitw.game import GAME
from grognard.games.bitw.memo import differing
from grognard.games.bitw.rules.supply import feed, starving, supply_state
from grognard.games.bitw.state import MISSION, OOS, POOL, on_map, put
from grognard.games.bitw.world import UNITS, world
from grognard.kernel.forgetting import forget_beyond

from .table import node, position, u


def in_full(s: Any, side: int) -> int:
    look = outlook(s.scenario, side, bytes(s.owner))
    won = 0 if not s.outcome or s.outcome[0] < 0 else 20_000 if s.outcome[0] == side else -20_000
    besides = toll(s)[side] - hunger(s, side) - doomed(s, side)
    return look.control + standing_points(s)[side] + besides + won + judge(s, side, look).total


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_differences_add_up_to_the_full_sum(scenario: str) -> None:
    luck = random.Random(scenario)
    s = GAME.setup(scenario, {}, "score")
    s.events = None
    twins = [GAME.redeal(s, side, "other dice") for side in (0, 1)]
    for _ in range(250):
        if not s.waiting:
            break
        legal = GAME.legal(s, s.waiting[0])
        for action in luck.sample(legal, min(3, len(legal))):  # neighbours of one position, as a player judges them
            after = s.copy()
            GAME.apply(after, s.waiting[0], action, trusted=True)
            assert [score_of(after, side) for side in (0, 1)] == [in_full(after, side) for side in (0, 1)]
        GAME.apply(s, s.waiting[0], luck.choice(legal), trusted=True)
        for side, twin in enumerate(twins):  # a far position between them
            assert score_of(twin, side) == in_full(twin, side)


@pytest.mark.parametrize("scenario", ["SBW4", "SBW9"])
def test_who_eats_and_who_starves_is_the_same_read_off_differences_and_in_full(scenario: str) -> None:
    luck = random.Random(scenario)
    s = GAME.setup(scenario, {}, "score")
    s.events = None
    limited = hungry = 0
    for _ in range(60):
        legal = GAME.legal(s, s.waiting[0])
        GAME.apply(s, s.waiting[0], luck.choice(legal), trusted=True)
        for side in (0, 1):
            after = s.copy()
            units = on_map(after, side)
            shared_out(s, side), supply_state(s, side)  # the position from which differences are read off
            for unit in luck.sample(units, 4):  # some sent anywhere, some hungry
                put(after, unit, after.place[luck.choice(units)] if luck.random() < 0.5 else luck.randrange(1600))
            for unit in luck.sample(units, 6):
                after.flags[unit] |= OOS
            quick = shared_out(after, side)
            in_full = rations.eaters.__wrapped__(after, side)  # type: ignore[attr-defined]
            assert rations.eaters(after, side) == in_full
            forget_beyond(0)
            assert quick == shared_out(after, side)
            limited += len(in_full)
            fed, waiting, capacity = supply_state.__wrapped__(after, side)  # type: ignore[attr-defined]
            assert supply_state(after, side) == (fed, waiting, capacity)
            fed = fed | set(
                feed(sorted(waiting, key=lambda u: (after.flags[u] & OOS, after.token[u])), waiting, capacity)
            )
            lost = [unit for unit in on_map(after, side) if after.flags[unit] & OOS and unit not in fed]
            assert starving(after, side) == lost
            hungry += len(lost)
    assert limited
    assert hungry


def test_differing_entries_of_two_columns() -> None:
    a, b = bytes(range(40)), bytearray(range(40))
    for at in (0, 7, 39):
        b[at] ^= 0x81
    assert sorted(differing(a, bytes(b))) == [0, 7, 39]
    assert sorted(differing(a, bytes(b), 2)) == [0, 3, 19]
    assert differing(a, a) == []


def test_a_raid_into_flak_and_fighters_is_worth_less() -> None:
    def raid(defenders: str) -> int:
        s = position(f"0606: {defenders}")
        put(s, u("de-1fk"), node("0606"))
        s.steps[u("de-1fk")] = 4
        s.flags[u("de-1fk")] |= MISSION
        return battle_value(s, node("0606"), 0, faces(s))

    assert raid("fr-6 1") > 0
    assert raid("fr-6 1") > raid("fr-6 4, fr-9 4, fr-3a 4")
    assert raid("fr-6 1") > raid("fr-6 1, uk-11g 5")


def test_a_unit_beyond_every_source_costs_points() -> None:
    s = position("0508: de-26 | 0505: fr-6")
    assert node("0508") in fed_hexes(s, 0)
    assert node("0804") not in fed_hexes(s, 0)  # deep in France
    field = outlook(s.scenario, 0, bytes(s.owner)).field
    near = unit_points(s, 0, [u("de-26")], field, fed_hexes(s, 0))[0] + NEARNESS * field[node("0508")]
    put(s, u("de-26"), node("0804"))
    far = unit_points(s, 0, [u("de-26")], field, fed_hexes(s, 0))[0] + NEARNESS * field[node("0804")]
    assert near - far == CUT_OFF


def test_where_every_goal_is_out_of_reach_a_city_draws():
    """A goal overseas made every hex as good as any other; the wide look is the plain one wherever a goal is near."""
    from grognard.games.bitw.computer.goals import FAR, aims_of, approach, approach_wide
    from grognard.games.bitw.world import world_named

    w = world_named("SBW1")
    goals = frozenset(aims_of(w).goals)
    near, cities = approach(w, goals), frozenset(n for n, _ in aims_of(w).cities)
    wide = approach_wide(w, goals, cities)
    assert all(a == b for a, b in zip(near, wide) if a < FAR)
    assert len({b for a, b in zip(near, wide) if a == FAR}) > 1


def test_a_capital_within_a_march_of_the_enemy_wants_guards_though_no_level_names_it() -> None:
    s = GAME.setup("SBW2", {}, "score")
    paris = world(s).theatre.find("paris")
    look = outlook(s.scenario, 1, bytes(s.owner))
    near = dict(look.guarded)[paris]
    for unit in [x for x in range(len(UNITS)) if s.place[x] == paris]:
        put(s, unit, POOL)
    assert exposure(s, paris, near, 1) == 0
    put(s, u("de-lehr"), world(s).theatre.find("reims"))
    assert exposure(s, paris, near, 1) == GUARD
    assert paris not in dict(outlook(s.scenario, 0, bytes(s.owner)).guarded)
