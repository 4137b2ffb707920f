"""The judgement that holds a line: what the enemy threatens of ours through our positions, and what we threaten of his.

The rest is the plain judgement, with capitals worth what victory makes of them. Who holds less of what the scenario is
about at its start is the attacker. What a zone, an army, a fort costs whoever comes is said here; the search is common
(`grognard.kit.front`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.games.surrender.computer.conquest import conquest_worth, countries_of
from grognard.games.surrender.computer.convoys import best_commitment, convoy_worth
from grognard.games.surrender.computer.goals import CITY, Goals, Manner, goals
from grognard.games.surrender.computer.score import open_goals, standing
from grognard.games.surrender.computer.worths import SIGNS
from grognard.games.surrender.frames import GroundMove, StrategicCombat
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, World
from grognard.kernel import Action
from grognard.kit.front import URGENCY, Ferries, Steps, approach, ramp, threat, tolls

ZONE, ARMY, WEAK, TANK, COVER, FORT = 5, 9, 6, 3, 4, 8  # tolls in movement points
FARE = 14  # points that a voyage is worth
MOST = 24  # points beyond which no way is looked for
SERIOUS = 100  # worth of a goal that is threatened
REMEMBERED = 6_000
FEW = 6  # marches that are weighed for their nearness alone
PATIENCE = 400  # positions for one decision
CONVOYS = 20_000  # points of a war that is decided at sea


class Posture(NamedTuple):
    """How a side weighs the front, in parts of 100."""

    guard: int  # what the enemy threatens of ours
    attack: int  # what we threaten of his
    open_goals: int  # the plain judgement's eye for goals with nobody at home
    least: int  # worth of a goal that is guarded
    urgency: Sequence[int]  # the share of a goal's worth that is threatened, by the cost of the way to it
    conquest: int  # countries that are about to fall
    manner: Manner


NEXT_MONTH = ramp([(0, 60), (10, 60), (13, 0)])  # only what can be taken before we move again
ATTACKER = Posture(
    guard=100, attack=0, open_goals=100, least=40, urgency=NEXT_MONTH, conquest=200,
    manner=Manner(
        capitals=100, zeal=300, thrift=500, focus=20, nearest=180, home=400, by_land=True, drive=2, spearhead=40,
        weighs_all=True,
    ),
)  # fmt: skip
DEFENDER = Posture(
    guard=100, attack=50, open_goals=0, least=100, urgency=URGENCY, conquest=100,
    manner=Manner(capitals=100, home=300),
)  # fmt: skip

# Manners of fighting the turn among which a chief of staff chooses: what each changes of the posture.
STYLES: dict[str, dict[str, int]] = {
    "thrust": {"focus": 30, "nearest": 220, "drive": 4},
    "wide": {"focus": 6, "nearest": 120, "drive": 1},
    "bold": {"zeal": 200, "attack": 50},
    "careful": {"guard": 200, "zeal": -100},
    "lavish": {"thrift": -500},
}


def in_style(posture: Posture, style: str) -> Posture:
    """A posture with what the style changes: zeal and thrift by so much, the others to so much."""
    changes, manner = STYLES.get(style, {}), posture.manner
    axis = changes if manner.focus else {}  # only who comes has one
    manner = manner._replace(
        focus=axis.get("focus", manner.focus),
        nearest=axis.get("nearest", manner.nearest),
        drive=axis.get("drive", manner.drive),
        zeal=max(50, manner.zeal + changes.get("zeal", 0) * manner.zeal // 300),
        thrift=max(100, manner.thrift + changes.get("thrift", 0)),
    )
    guard, attack = changes.get("guard", posture.guard), max(posture.attack, changes.get("attack", 0))
    return posture._replace(manner=manner, guard=guard, attack=attack)


class FrontOf:
    """What never changes about the front of a scenario, and what was worked out lately."""

    def __init__(self, w: World) -> None:
        self.w, self.aims, t = w, goals(w, Manner(capitals=100)), w.theatre
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
        self._aims: dict[tuple[int, str, int, bytes], Goals] = {}
        self._postures: dict[tuple[int, str], Posture] = {}

    def posture(self, side: int, style: str = "") -> Posture:
        """Who holds less of what the scenario is about must come and get it."""
        found = self._postures.get((side, style))
        if found is None:
            found = in_style(ATTACKER if (side == AXIS) == self.axis_attacks else DEFENDER, style)
            self._postures[side, style] = found
        return found

    def aims_of(self, s: Position, side: int, style: str = "") -> Goals:
        """What a side weighs now: its own capital is dear, those that have fallen are past, markers pass with time."""
        key = (side, style, s.turn, bytes(s.conquered))
        found = self._aims.get(key)
        if found is None:
            manner = self.posture(side, style).manner
            fallen = [c.capital for c in countries_of(self.w) if s.conquered[c.number]]
            thrift = 100 + (manner.thrift - 100) * max(0, self.w.turns - s.turn) // self.w.turns
            capitals = manner.capitals if s.turn < self.w.turns else CITY  # nobody's raid pays at the end
            found = goals(self.w, manner._replace(own=side, fallen=tuple(fallen), thrift=thrift, capitals=capitals))
            self._aims[key] = found
        return found


_FRONTS: dict[str, FrontOf] = {}


def front_of(w: World) -> FrontOf:
    """The front of a scenario, made once."""
    found = _FRONTS.get(w.name)
    if found is None:
        found = _FRONTS[w.name] = FrontOf(w)
    return found


def front_score(s: Position, side: int, style: str = "") -> int:
    """The plain judgement with the front in the place of open goals."""
    if s.outcome:
        return 100_000 if s.outcome[0] == side else -100_000 if s.outcome[0] >= 0 else 0
    w = world(s)
    front = front_of(w)
    p, aims = front.posture(side, style), front.aims_of(s, side, style)
    land = aims.holdings(s.control)
    total, reach = standing(s, w, aims, land, side)
    if w.data.get("no_ground"):
        return total + convoy_worth(s, side, CONVOYS)
    foes = w.foes_of[side]
    if s.turn >= w.turns:  # the last turn: what could happen later does not matter
        p = p._replace(attack=0, guard=0 if side == w.factions[-1] else p.guard, least=max(p.least, SERIOUS))
    if p.open_goals:
        total -= p.open_goals * open_goals(s, aims, land, reach, SIGNS[side]) // 100
    if p.conquest:
        total += p.conquest * conquest_worth(s, w, side) // 100
    if p.guard:
        total -= p.guard * sum(menace(s, front, aims, foe, side, p.least, p.urgency) for foe in foes) // 100
    if p.attack:
        total += p.attack * sum(menace(s, front, front.aims, side, foe) for foe in foes) // 100
    return total


def worth_weighing(s: Position, side: int, legal: list[Action]) -> list[Action]:
    """For who attacks, of a long list of marches those that touch the enemy, end in a city or come nearest the goal.

    A defender looks at them all: what closes a way is nowhere in particular.
    """
    c = s.frames[-1]
    if isinstance(c, StrategicCombat) and world(s).data.get("no_ground"):
        return best_commitment(s, side, legal)
    if len(legal) <= FEW or not isinstance(c, GroundMove):
        return legal
    w = world(s)
    front = front_of(w)
    if not front.posture(side).manner.focus:
        return legal
    aims = front.aims_of(s, side)
    near = aims.pull(aims.holdings(s.control).great, side + 1)
    zones = s.allied_zoc if side == AXIS else s.axis_zoc
    moves = sorted((near[a[1]], a[1]) for a in legal if a[0] == "move")
    best = {hex for _, hex in moves[:FEW]}
    return [a for a in legal if a[0] != "move" or a[1] in best or zones[a[1]] or a[1] in aims.worth]


def menace(
    s: Position, front: FrontOf, aims: Goals, by: int, on: int, least: int = SERIOUS, urgency: Sequence[int] = URGENCY
) -> int:
    """What a faction's armies threaten of another's goals, in points of their worth. Remembered."""
    w = front.w
    theirs, ours = w.span_of[by], w.span_of[on]
    at: Any = s.at
    control = bytes(s.control)
    state = (at[theirs[0] : theirs[1]].tobytes(), at[ours[0] : ours[1]].tobytes(), bytes(s.reduced[ours[0] : ours[1]]))
    key = (by, on, least, aims.manner.own, aims.manner.fallen, control, *state)
    found = front.known.get(key)
    if found is None:
        if len(front.known) >= REMEMBERED:
            front.known.clear()
        found = front.known[key] = _menace(s, front, aims, control, by, on, least, urgency)
    return found


def _menace(
    s: Position, front: FrontOf, aims: Goals, control: bytes, by: int, on: int, least: int, urgency: Sequence[int]
) -> int:
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
    near = urgency is not URGENCY  # then every goal is as near as it is
    seeds = {hex: 0 if near else max(0, 10 - value // 50) for hex, value in held.items()}
    ways = approach(front.back, seeds, toll, armies, len(urgency) if near else MOST, ferries)
    return threat(armies, ways, held, urgency)
