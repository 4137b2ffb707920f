"""The judgement of the steady player: whole battles with all who can still join them, and what the enemy could take.

A battle is worth what its outcome is likely to change: steps, the hex, and the level of victory if the hex decides it.
A place of ours that the enemy can march into next turn costs its worth by his chance there. Both are the same fight,
`clash`, asked from either side.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from grognard.kernel import Side

from ..frames import PlayerTurn
from ..memo import remembered, unchanged
from ..rules.air import air_range
from ..rules.definitions import movement_points
from ..rules.victory import level_now
from ..state import FOUGHT, MISSION, MOVED, OFF, OOS, BitwState, is_battle
from ..world import IS_AIR, IS_COMBAT, IS_GROUND, LIMITS, SIDE_OF, UNITS, World, world
from .battles import Faces, faces
from .clash import air_cost, best_stack, marches_to, powers, works_of
from .course import clash
from .goals import HOLDER, Outlook, aims_of, outlook
from .score import CUT_OFF, MARCHES, STEP_WORTH, fed_hexes, standing_points


class Weights(NamedTuple):
    """How a side weighs things; parts of 100 where nothing else is said."""

    level: int = 180  # the level of victory as things stand
    last: int = 350  # the same in the last turn
    swing: int = 90  # what a hex that decides brings on top, times the chance to win it
    threat: int = 30  # what the enemy could take: more makes a player who would rather not take than see it retaken
    ground: int = 30  # how much of that counts for ground that decides nothing
    stacks: int = 10  # what our stacks could lose to an attack
    near: int = 5  # points for each hex nearer to what is wanted
    key: int = 250  # points that a place is worth without which a side cannot win, whatever else it holds
    part: int = 150  # points of a place that counts for victory together with others
    steps: int = 180  # steps that a battle wins and costs


PLAIN = Weights()
SURE = 75  # hundredths: an attack that will probably win


def foreseen(s: BitwState, side: Side, weights: Weights = PLAIN) -> int:
    """How good a position looks to a side."""
    look = outlook(s.scenario, side, unchanged("owner", s.owner), True)
    if s.outcome:
        winner = s.outcome[0]
        return look.control + (0 if winner < 0 else 40_000 if winner == side else -40_000)
    final = s.turn >= world(s).scenario.turns
    total = look.control + standing_points(s)[side] * (weights.last if final else weights.level) // 100
    view = View(s, side, weights, final)
    total += view.units(look)
    total += view.battles()
    total -= view.threats()
    return total


class Comers:
    """Units that could come to a hex in one march or flight: who, from where, how far; each hex is looked at once."""

    def __init__(self, walkers: dict[int, list[tuple[int, int]]], fliers: list[tuple[int, int, int]]) -> None:
        self.walkers, self.fliers = walkers, fliers
        self.seen: dict[int, list[int]] = {}
        self.stacks: dict[int, list[int]] = {}

    def walkers_to(self, w: World, node: int) -> list[int]:
        """Who can march there, nobody being in the way."""
        found = self.seen.get(node)
        if found is None:
            ways, walkers = marches_to(w, node), self.walkers
            near = ways.keys() & walkers.keys()
            found = self.seen[node] = [u for at in near for u, points in walkers[at] if ways[at] <= points]
        return found

    def fliers_to(self, w: World, node: int) -> list[int]:
        """Who can fly there."""
        far = w.theatre.distances(node)
        return [u for u, at, reach in self.fliers if far[at] <= reach]

    def stack_for(self, s: BitwState, node: int, table: Faces) -> list[int]:
        """The best of them for an attack there; none without a combat unit."""
        stack = self.stacks.get(node)
        if stack is None:
            coming = self.walkers_to(world(s), node)
            if any(IS_COMBAT[u] for u in coming):
                coming = best_stack(s, coming + self.fliers_to(world(s), node), table, (2, 1, 1, 1))
                stack = self.stacks[node] = coming
            else:
                stack = self.stacks[node] = []
        return stack


@remembered(lambda s, units: (s.scenario, s.turn, bytes(s.status)))
def comers(s: BitwState, units: tuple[tuple[int, int, int, bool], ...]) -> Comers:
    """Units on the map that march or fly, by where they stand: each with its place, steps, and whether it starves."""
    table, walkers, fliers = paces(s), dict[int, list[tuple[int, int]]](), []
    for u, at, _, hungry in units:
        if IS_AIR[u]:
            fliers.append((u, at, table[u][0]))
        elif MARCHES[u]:
            walkers.setdefault(at, []).append((u, table[u][hungry]))
    return Comers(walkers, fliers)


class View:
    """One look at a position from a side."""

    def __init__(self, s: BitwState, side: Side, weights: Weights, final: bool) -> None:
        self.s, self.side, self.weights, self.final = s, side, weights, final
        self.w, self.table, self.hexes = world(s), faces(s), world(s).theatre.hexes
        mine: list[int] = []
        theirs: list[int] = []
        here: dict[int, tuple[list[int], list[int]]] = {}
        for u, at in enumerate(s.place):
            if at < OFF:
                (mine if SIDE_OF[u] == side else theirs).append(u)
                if at < self.hexes:
                    here.setdefault(at, ([], []))[SIDE_OF[u] != side].append(u)
        self.mine, self.theirs, self.here = mine, theirs, here
        self.beaten: set[int] = set()  # hexes whose defenders will hardly see another day
        self.spare: Comers | None = None  # who could still join a battle
        self.prizes = prize_book(s)
        self.phase = next((c.at() for c in s.frames if isinstance(c, PlayerTurn)), "")

    def units(self, look: Outlook) -> int:
        """Steps of both sides; our own also by where they stand."""
        s, near, total = self.s, self.weights.near, 0
        marked, field, fed = aims_of(self.w).marked, look.field, fed_hexes(s, self.side)
        flags, steps, place = s.flags, s.steps, s.place
        for u in self.mine:
            at = place[u]
            total += STEP_WORTH[u] * steps[u] + (60 if u in marked else 10) - (40 if flags[u] & OOS else 0)
            if at < self.hexes and not self.here[at][1]:
                if MARCHES[u]:
                    total -= near * field[at] + (CUT_OFF if at not in fed else 0)
                elif IS_AIR[u]:
                    total -= field[at]
        for u in self.theirs:
            total -= STEP_WORTH[u] * steps[u] + (60 if u in marked else 10) - (40 if flags[u] & OOS else 0)
        return total

    def battles(self) -> int:
        """What the battles begun are likely to bring, with those who can still join."""
        s, total = self.s, 0
        for node, (mine, theirs) in self.here.items():
            if mine and theirs and is_battle(s, node):
                attacking = s.phasing == self.side
                attackers, defenders = (mine, theirs) if attacking else (theirs, mine)
                if attacking:
                    attackers = self.with_helpers(node, attackers)
                value = self.worth_of(node, attackers, defenders, s.phasing)
                total += value if attacking else -value
        return total

    def with_helpers(self, node: int, there: list[int]) -> list[int]:
        """The attackers of a battle and the best who could still come."""
        s, walk, fly = self.s, self.phase in ("7.4", "7.5"), self.phase in ("7.4", "7.5", "7.5.2a")
        if not fly:
            return there
        if self.spare is None:
            free = [u for u in self.mine if not s.flags[u] & (MOVED | FOUGHT | OOS | MISSION)]
            self.spare = self.comers([u for u in free if s.place[u] < self.hexes and not self.here[s.place[u]][1]])
        found = self.spare.fliers_to(self.w, node)
        found += self.spare.walkers_to(self.w, node) if walk else []
        return there + best_stack(s, found, self.table, room_for(there))

    def worth_of(self, node: int, attackers: list[int], defenders: list[int], attacker: Side) -> int:
        """A battle from the attacker's side, in points."""
        s, table, weights = self.s, self.table, self.weights
        men_a, strike, men_d, hold, wet = powers(s, node, attackers, defenders, table, works_of(s, node, attacker))
        found = clash(men_a, strike, men_d, hold, wet)
        value = (22 * found.loss_d - 20 * found.loss_a) * weights.steps // 1200
        value += air_cost(s, node, attackers, defenders, table)
        if attacker == self.side and found.chance >= SURE:
            self.beaten.add(node)
        if any(IS_COMBAT[u] for u in attackers):
            value += self.prize(node, attacker) * found.chance // 100
        return value

    def prize(self, node: int, attacker: Side, share: int = 100) -> int:
        """What winning a hex brings: the ground itself, or a share of it, and the level of victory that hangs on it."""
        ground, swing = self.prizes.get((node, attacker)) or prizes(self.s, node, attacker)
        self.prizes[node, attacker] = ground, swing
        if node in keys_of(self.w):
            swing = max(swing, self.weights.key)
        elif swing == 0 and node in aims_of(self.w).goals:
            swing = self.weights.part
        factor = self.weights.last if self.final else self.weights.level
        return ground * share // 100 + swing * factor * self.weights.swing // 10_000

    def comers(self, units: Iterable[int]) -> Comers:
        """Units on the map, and where each of them could come."""
        place, steps, flags = self.s.place, self.s.steps, self.s.flags
        return comers(self.s, tuple([(u, place[u], steps[u], flags[u] & OOS > 0) for u in units]))

    def threats(self) -> int:
        """What the enemy could take or beat next turn."""
        s, side, enemy = self.s, self.side, 1 - self.side
        if self.final and side == 1:
            return 0  # nobody comes after the Allies' last turn
        if s.phasing != side:
            return 0
        total = stacks = 0
        foes = [u for u in self.theirs if s.place[u] < self.hexes and s.place[u] not in self.beaten]
        coming = self.comers(foes)
        if not coming.walkers:
            return 0
        places = cities_of(s, side) | {n for n, (mine, theirs) in self.here.items() if mine and not theirs}
        for node in places:
            mine, theirs = self.here.get(node, ((), ()))
            if theirs:
                continue
            stack = coming.stack_for(s, node, self.table)
            if not stack:
                continue
            guards = [u for u in mine if IS_GROUND[u]]
            if guards:
                case = powers(s, node, stack, list(mine), self.table, works_of(s, node, enemy))
                found = clash(*case)
                chance = found.chance
                stacks += max(0, 20 * found.loss_d - 22 * found.loss_a) // 12
            else:
                chance = 100
            total += self.prize(node, enemy, self.weights.ground) * chance // 100
        return (total * self.weights.threat + stacks * self.weights.stacks) // 100


@remembered(lambda s: (s.scenario, s.turn, bytes(s.status)))
def paces(s: BitwState) -> tuple[tuple[int, int], ...]:
    """By unit: the points of a march in supply and out of it; an aircraft's range, twice."""
    found = []
    for u in range(len(UNITS)):
        if IS_AIR[u]:
            found.append((air_range(s, u),) * 2)
        else:
            found.append((movement_points(s, u, False), movement_points(s, u, True)))
    return tuple(found)


def room_for(there: Iterable[int]) -> tuple[int, int, int, int]:
    """How many combat units, others on the ground, fighters and bombers may still join a stack (3.10a, 3.10b)."""
    combat = others = fighters = bombers = 0
    for u in there:
        if IS_COMBAT[u]:
            combat += 1
        elif IS_GROUND[u]:
            others += 1
        elif UNITS[u].is_bomber:
            bombers += 1
        else:
            fighters += 1
    room = LIMITS["stack_combat"] - combat
    return room, LIMITS["stack_ground"] - combat - others - max(0, room), 1 - fighters, 1 - bombers


@remembered(lambda s, side: (s.scenario, unchanged("owner", s.owner)))
def cities_of(s: BitwState, side: Side) -> frozenset[int]:
    """The cities that count and that a side holds."""
    return frozenset(n for n, _ in aims_of(world(s)).cities if HOLDER[s.owner[n]] == side)


@lru_cache(maxsize=64)
def keys_of(w: World) -> frozenset[int]:
    """Places that a condition of victory names alone."""
    conditions = [c for level in w.scenario.levels for way in level.ways for c in way]
    return frozenset(c.nodes[0] for c in conditions if c.kind == "controls" and len(c.nodes) == 1)


@remembered(lambda s: (s.scenario, unchanged("owner", s.owner), bytes(s.lost), bytes(s.status), s.turn))
def prize_book(s: BitwState) -> dict[tuple[int, int], tuple[int, int]]:
    """What `prizes` says, by hex and side, while it stays the same: to be filled by who asks."""
    return {}


def prizes(s: BitwState, node: int, side: Side) -> tuple[int, int]:
    """What a hex is worth to a side that wins it: the ground, and the change of the level of victory."""
    t, aims = world(s).theatre, dict(aims_of(world(s)).cities)
    ground = 20 + 15 * t.city[node]
    if HOLDER[s.owner[node]] == side:
        return ground, 0
    ground += 2 * aims.get(node, 0)
    then = s.copy()
    power = next((p for p in sorted(world(s).scenario.in_play) if HOLDER[p] == side), s.owner[node])
    then.owner[node] = power
    then.outcome = ()
    return ground, worth_of_level(then, side) - worth_of_level(s, side)


def worth_of_level(s: BitwState, side: Side) -> int:
    """Points of the level of victory as things stand."""
    winner, level = level_now(s)
    points = {"decisive": 900, "marginal": 400}.get(level, 0)
    return 0 if winner < 0 else points if winner == side else -points
