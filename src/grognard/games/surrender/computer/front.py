"""The judgement that holds a line: what the enemy threatens of ours through our positions, and what we threaten of his.

The rest is the plain judgement, with capitals worth what victory makes of them. Who holds less of what the scenario is
about at its start is the attacker. What a zone, an army, a fort costs whoever comes is said here; the search is common
(`grognard.kit.front`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.games.surrender.computer.conquest import conquest_worth
from grognard.games.surrender.computer.goals import Goals, goals
from grognard.games.surrender.computer.score import open_goals, standing
from grognard.games.surrender.computer.worths import SIGNS
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, World
from grognard.kit.front import URGENCY, Ferries, Steps, approach, threat, tolls

ZONE, ARMY, WEAK, TANK, COVER, FORT = 5, 9, 6, 3, 4, 8  # tolls in movement points
FARE = 14  # points that a voyage is worth
MOST = 24  # points beyond which no way is looked for
SERIOUS = 100  # worth of a goal that is threatened
REMEMBERED = 6_000


class Posture(NamedTuple):
    """How a side weighs the front, in parts of 100."""

    guard: int  # what the enemy threatens of ours
    attack: int  # what we threaten of his
    open_goals: int  # the plain judgement's eye for goals with nobody at home
    capitals: int  # worth of a capital that no victory condition names
    least: int  # worth of a goal that is guarded
    zeal: int  # what an attack may win, against what it may cost
    conquest: int  # countries that are about to fall


ATTACKER = Posture(guard=100, attack=0, open_goals=100, capitals=100, least=400, zeal=300, conquest=200)
DEFENDER = Posture(guard=100, attack=50, open_goals=0, capitals=100, least=100, zeal=100, conquest=100)


class FrontOf:
    """What never changes about the front of a scenario, and what was worked out lately."""

    def __init__(self, w: World) -> None:
        self.w, self.aims, t = w, goals(w, DEFENDER.capitals), w.theatre
        steps: list[list[tuple[int, int]]] = [[] for _ in range(len(t.grid))]
        for a, exits in enumerate(t.steps((0, 0, 0)).exits):
            for b, cost in exits:
                if w.in_play[a] and w.in_play[b]:
                    steps[b].append((a, cost))
        self.back: Steps = steps
        self.sea_at = {hex: number for number, sea in enumerate(self.aims.seas) for hex in sea}
        self.ports = [(hex, self.sea_at[hex]) for hex in w.ports if hex in self.sea_at]
        worth = [0, 0]  # of what the Axis holds at the start, of what others do
        for hex, value in self.aims.worth.items():
            if value >= 200 or hex in self.aims.great:
                worth[w.control[hex] != AXIS + 1] += value
        self.axis_attacks = worth[0] < worth[1]
        self.known: dict[tuple[Any, ...], int] = {}

    def posture(self, side: int) -> Posture:
        """Who holds less of what the scenario is about must come and get it."""
        return ATTACKER if (side == AXIS) == self.axis_attacks else DEFENDER


_FRONTS: dict[str, FrontOf] = {}


def front_of(w: World) -> FrontOf:
    """The front of a scenario, made once."""
    found = _FRONTS.get(w.name)
    if found is None:
        found = _FRONTS[w.name] = FrontOf(w)
    return found


def front_score(s: Position, side: int) -> int:
    """The plain judgement with the front in the place of open goals."""
    if s.outcome:
        return 100_000 if s.outcome[0] == side else -100_000 if s.outcome[0] >= 0 else 0
    w = world(s)
    front = front_of(w)
    p = front.posture(side)
    aims = goals(w, p.capitals, p.zeal)
    land = aims.holdings(s.control)
    total, reach = standing(s, w, aims, land, side)
    foes = w.foes_of[side]
    if p.open_goals:
        total -= p.open_goals * open_goals(s, aims, land, reach, SIGNS[side]) // 100
    if p.conquest:
        total += p.conquest * conquest_worth(s, w, side) // 100
    if p.guard:
        total -= p.guard * sum(menace(s, front, foe, side, p.least) for foe in foes) // 100
    if p.attack:
        total += p.attack * sum(menace(s, front, side, foe) for foe in foes) // 100
    return total


def menace(s: Position, front: FrontOf, by: int, on: int, least: int = SERIOUS) -> int:
    """What a faction's armies threaten of another's goals, in points of their worth. Remembered."""
    w, aims = front.w, front.aims
    theirs, ours = w.span_of[by], w.span_of[on]
    at: Any = s.at
    control = bytes(s.control)
    state = (at[theirs[0] : theirs[1]].tobytes(), at[ours[0] : ours[1]].tobytes(), bytes(s.reduced[ours[0] : ours[1]]))
    key = (by, on, least, control, *state)
    found = front.known.get(key)
    if found is None:
        if len(front.known) >= REMEMBERED:
            front.known.clear()
        found = front.known[key] = _menace(s, front, aims, control, by, on, least)
    return found


def _menace(s: Position, front: FrontOf, aims: Goals, control: bytes, by: int, on: int, least: int) -> int:
    w, t = front.w, front.w.theatre
    held = {hex: value for hex, value in aims.worth.items() if value >= least and control[hex] == on + 1}
    armies = [s.at[u] for u in w.armies_of[by] if s.at[u] >= 0]
    if not held or not armies:
        return 0
    walls: dict[int, int] = {}
    for u in w.armies_of[on]:
        hex = s.at[u]
        if hex >= 0:
            price = (WEAK if s.reduced[u] else ARMY) + TANK * (w.units[u].type == "tank")
            price += (COVER if t.city[hex] else 0) + (FORT if t.fort[hex] else 0)
            walls[hex] = max(walls.get(hex, 0), price)
    zones = s.axis_zoc if on == AXIS else s.allied_zoc
    toll = tolls(bytes(zones), ZONE, walls)
    ferries = None
    if aims.sails[by]:
        ports: dict[int, list[int]] = {}
        for hex, sea in front.ports:
            if control[hex] == by + 1:
                ports.setdefault(sea, []).append(hex)
        ferries = Ferries(front.sea_at, ports, FARE)
    seeds = {hex: max(0, 10 - value // 50) for hex, value in held.items()}
    ways = approach(front.back, seeds, toll, armies, MOST, ferries)
    return threat(armies, ways, held, URGENCY)
