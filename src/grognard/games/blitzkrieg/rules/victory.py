"""Objectives, points, the end of the game."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Match
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.games.blitzkrieg.state import BOUGHT, GOOD, LEADERLESS, SHAKEN, STUCK, Position, has, stands
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_VEHICLE, NATION_OF, SIDE_OF, SIDES, World, world
from grognard.kernel import Side, emit, finish, rule

POINTS = CHARTS["points"]


def present(s: Position, w: World, number: int) -> set[Side]:
    """The sides with units in good order in an objective."""
    zone = frozenset(w.objectives[number].points)
    return {SIDE_OF[u] for u in w.units if s.condition[u] == GOOD and s.at[u] in zone}


@rule("base-victory-points")
def hold_objectives(s: Position, c: Match) -> None:
    """B-15: an objective belongs to the side that was last alone in it."""
    w = world(s)
    for number in range(len(w.objectives)):
        there = present(s, w, number)
        if len(there) == 1:
            s.holder[number] = there.pop()


def side_named(word: str) -> Side:
    """The side of a nation, as tables name it."""
    return SIDE_OF[NATION_OF.index(word)] if word in NATION_OF else SIDES.index(word)


def objective_points(s: Position, side: Side) -> int:
    """What a side's objectives are worth now; some count for one side, some by the vehicle."""
    w, total = world(s), 0
    for number, zone in enumerate(w.objectives):
        worth = int(zone.facts.get("vp", POINTS["objective"]))
        if "side" in zone.facts and side_named(zone.facts["side"]) != side:
            continue
        if zone.facts.get("each") == "vehicle":
            inside = frozenset(zone.points)
            total += worth * sum(IS_VEHICLE[u] and stands(s, u) and s.at[u] in inside for u in w.of_side[side])
        elif s.holder[number] == side:
            total += worth
    return total


@rule("base-victory-points", "216b")
def score_of(s: Position, side: Side) -> int:
    """Base-victory-points: losses of the enemy, exits, objectives, and a point for each damaged enemy vehicle."""
    hurt = sum(
        IS_ARMOUR[u] and s.condition[u] <= SHAKEN and (has(s, u, STUCK) or has(s, u, LEADERLESS))
        for u in world(s).of_side[1 - side]
    )
    return s.points[side] + objective_points(s, side) + hurt * int(POINTS["damaged"])


@rule("base-game-end")
def is_broken(s: Position, side: Side) -> bool:
    """Base-game-end: more than half of the elements lost."""
    w = world(s)
    strength = sum(has(s, u, BOUGHT) for u in w.of_side[side]) if w.offers else w.strength[side]
    return 2 * s.lost[side] > strength


@rule("base-game-end")
def end_turn(s: Position, c: Match) -> None:
    """Base-game-end: a side that breaks gives five points and ends the game; so does the last turn."""
    hold_objectives(s, c)
    broken = [side for side in range(2) if is_broken(s, side)]
    gone = [side for side in range(2) if not any(stands(s, u) for u in world(s).of_side[side])]
    for side in broken:
        s.points[1 - side] += int(POINTS["broken"])
        emit(s, "breaks", "base-game-end", side=SIDES[side])
    if broken or gone or s.turn >= world(s).turns:
        finish_game(s)


def finish_game(s: Position) -> None:
    """Count: the attacker wins with the margin of the scenario, within less it is a draw."""
    w = world(s)
    mine, theirs = score_of(s, w.attacker), score_of(s, 1 - w.attacker)
    emit(s, "final", "base-game-end", attacker=mine, defender=theirs)
    ahead = mine - theirs
    if ahead >= w.margin and mine < w.least:
        finish(s, None, "draw", "base-game-end")
    elif ahead >= w.margin:
        finish(s, w.attacker, "victory", "base-game-end")
    elif -ahead >= w.margin:
        finish(s, 1 - w.attacker, "victory", "base-game-end")
    else:
        finish(s, None, "draw", "base-game-end")
