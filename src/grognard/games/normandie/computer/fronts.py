"""How good a position looks to the computer: the front, the ground, the prospects of an attack. No rule lives here."""

from __future__ import annotations

from typing import NamedTuple

from grognard.hexes import rings
from grognard.kit.front import Line

from ..rules.definitions import attack_of, defence_of, units_in
from ..rules.logistics import marker_roads
from ..rules.supply import is_open_to_supply, sources
from ..state import FULL, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AROUND,
    ATTACK,
    CHARTS,
    CHERBOURG,
    DEFENCE,
    DEPOT_HEX,
    DEPOTS,
    EXIT_BOX,
    FIXED,
    GERMAN,
    GERMANS,
    GROUP,
    HEXES,
    HQS,
    OPEN_NEXT,
    ROAD_NEXT,
    SETTLEMENT,
    SIDE,
    SUPPLY_NEXT,
    TERRAIN,
    TERRAINS,
    TOWN_SIZE,
    TOWNS,
    ZOC_NEXT,
)
from .gaps import ARMIES, leaks
from .goals import far_from, near_goal

COVER = tuple(
    int(CHARTS["terrain"].get("town" if SETTLEMENT[h] == TOWN_SIZE else TERRAINS[TERRAIN[h]], {}).get("shift", 0))
    for h in range(HEXES)
)
DEPOT_AT = {h: d for d, h in enumerate(DEPOT_HEX)}
MENACE = 6
ASSAULT = 12  # attack beside the port from which a headquarters comes to support it
TOWN_WORTH, LEAVE, PORT, PORT_GUARD = 40, 60, 70, 14


class Manner(NamedTuple):
    """How a player weighs ground and blows. As it stands here it is the plain judgement's, which is frozen."""

    draw: tuple[int, int] = (6, 2)  # by side: points for each hex nearer to a goal
    link: int = 8  # points of a hex beside the enemy where nobody of ours stands yet
    friends: int = 4  # points for each of two neighbour hexes with friends
    leash: int = 8  # points lost for each hex beyond five from the nearest headquarters
    counter_from: int = 10  # worth of a counter-attack that is still made, in tenths of a point
    contact: tuple[int, int] = (2, 1)  # by side: what better odds against a neighbour are worth
    risk: int = 5  # points lost for each quarter of the enemy's odds beyond three
    crowd: int = 20  # points lost at most where enough men are there already
    attack_from: tuple[int, int] = (4, 8)  # worth of an attack that each side still makes, in tenths of a point
    overrun_from: int = 10
    own: int = 100  # parts of 100 that own losses count
    own_last: int = 100  # the same in the last turn
    foe: int = 100  # parts of 100 that the enemy's losses count
    port: int = 120  # a hex of Cherbourg won, in tenths of a point
    storm: int = 0  # tenths of a point for wearing the garrison of the port out by a step or more
    aim: int = 2  # tenths of a point for each hex nearer to a goal that is won
    press: int = 3  # in the race: points of an American for each hex nearer to the port
    press_from: int = 2  # from which turn
    wall: int = 30  # in the race: German defence that a hex of the port wants
    keep: int = 60  # and what it is worth
    home: int = 3  # points of a German for each hex nearer to the port
    hold_marker: int = 40  # what a marker loses for each that lies there already
    lead: tuple[int, int] = (6, 9)  # how much a unit wants a headquarters; more in contact
    tether: int = 6  # points lost for each hex of a headquarters from its depots
    escort: int = 12  # points lost by one alone, for each hex nearer than four to the enemy
    assault: int = 0  # points of a headquarters with markers that supports an attack on the port
    within: int = 0  # points of one without that a marker can reach


PLAIN = Manner()


class Front(NamedTuple):
    """What stands where: attack and defence of each side by hex, looked up once for many questions."""

    attack: tuple[dict[int, int], dict[int, int]]
    defence: tuple[dict[int, int], dict[int, int]]
    hqs: tuple[set[int], set[int]]  # hexes with headquarters
    wells: dict[int, list[int]]  # by group: see `sources`
    nets: dict[int, dict[int, int]]  # by group: see `roads`
    rings: dict[int, list[int]]  # by side: see `nearest_foe`
    lines: dict[int, set[int]]  # by group: see `lifeline`
    holes: dict[tuple[int, ...], dict[int, int]]  # by units away: see `gaps`
    staffs: dict[int, list[int]]  # by group: see `from_leader`
    threats: dict[int, int]  # by hex: see `menace`
    reach: set[int]  # where Offensive markers can come from the depots, see `race_worth`
    marches: dict[tuple[int, ...], Line]  # by units away: the enemy's next march, see `line.py`
    manner: Manner

    def menace(self, s: S, side: int, n: int) -> int:
        """How badly an enemy hex must be dealt with, counted once for each."""
        if side == GERMAN:
            return 0
        if n not in self.threats:
            self.threats[n] = menace(s, side, n)
        return self.threats[n]

    def from_leader(self, s: S, group: int) -> list[int]:
        """Hexes from everywhere to the nearest headquarters of an army; none when it has none."""
        if group not in self.staffs:
            rows = [far_from(s.place[hq]) for hq in HQS if GROUP[hq] == group and s.place[hq] < HEXES]
            self.staffs[group] = list(map(min, zip(*rows))) if rows else [0] * HEXES
        return self.staffs[group]

    def gaps(self, s: S, units: tuple[int, ...]) -> dict[int, int]:
        """The hexes that these units, wherever they stand, could close to the enemy, with what that is worth."""
        if units not in self.holes:
            side, group = SIDE[units[0]], GROUP[units[0]]
            self.holes[units] = leaks(s, side, units, self.lifeline(s, group))
        return self.holes[units]

    def sources(self, s: S, group: int) -> list[int]:
        """The hexes from which an army's supply comes."""
        if group not in self.wells:
            self.wells[group] = sources(s, GERMAN if group == GERMANS else ALLIED)
        return self.wells[group]

    def roads(self, s: S, group: int) -> dict[int, int]:
        """The hexes that open roads join to an army's depots, each with the hex before it on the way from there."""
        if group not in self.nets:
            side = GERMAN if group == GERMANS else ALLIED
            starts = [h for h in self.sources(s, group) if is_open_to_supply(s, side, h)]
            came = {h: h for h in starts}
            beside = [n for h in starts for n in SUPPLY_NEXT[h] if n not in came and is_open_to_supply(s, side, n)]
            todo = starts + beside
            for h in todo:
                came.setdefault(h, h)
                for n in ROAD_NEXT[h]:
                    if n not in came and is_open_to_supply(s, side, n):
                        came[n] = h
                        todo.append(n)
            self.nets[group] = came
        return self.nets[group]

    def lifeline(self, s: S, group: int) -> set[int]:
        """The road hexes on which the supply of an army's headquarters now hangs."""
        if group not in self.lines:
            came, found = self.roads(s, group), set[int]()
            for hq in HQS:
                if GROUP[hq] == group and s.place[hq] < HEXES:
                    h = next((n for n in (s.place[hq], *SUPPLY_NEXT[s.place[hq]]) if n in came), -1)
                    while h >= 0 and h not in found:
                        found.add(h)
                        h = came[h]
            self.lines[group] = found
        return self.lines[group]


def front_of(s: S, manner: Manner = PLAIN) -> Front:
    """Add up both sides, hex by hex; disorder takes its share."""
    front = Front(({}, {}), ({}, {}), (set(), set()), {}, {}, {}, {}, {}, {}, {}, set(), {}, manner)
    place, steps, disorder = s.place, s.steps, s.disorder
    for hq in HQS:
        front.hqs[SIDE[hq]].add(s.place[hq])
    for side in (ALLIED, GERMAN):
        attack, defence = front.attack[side], front.defence[side]
        for u in ARMIES[side]:
            h = place[u]
            if h < HEXES:
                n = steps[u]
                attack[h] = attack.get(h, 0) + ATTACK[u][n] * 2 // (2 + disorder[u])
                defence[h] = defence.get(h, 0) + DEFENCE[u][n] * 2 // (2 + disorder[u])
    return front


def hex_worth(s: S, front: Front, side: int, units: tuple[int, ...], h: int) -> int:
    """How much a side wants these units in a hex: near its goals, in contact where strong, safe where weak."""
    own_attack = sum(attack_of(s, u) for u in units)
    own_defence = sum(defence_of(s, u) for u in units)
    moving_from = s.place[units[0]]
    attack, defence, foes_attack = front.attack[side], front.defence[side], front.attack[1 - side]
    foes_defence = front.defence[1 - side]
    manner = front.manner
    worth = -manner.draw[side] * near_goal(s, h, GROUP[units[0]])
    threat = chance = friends = 0
    for n in OPEN_NEXT[h]:
        if n in foes_defence:
            threat += foes_attack.get(n, 0)
            others = sum(attack.get(m, 0) for m in OPEN_NEXT[n])
            others -= own_attack if moving_from in OPEN_NEXT[n] else 0
            wall = max(1, foes_defence[n] * (2 + COVER[n]))
            before, after = min(6, others * 4 // wall), min(6, (others + own_attack) * 4 // wall)
            gain = (2 * after - before) * manner.contact[side] + (6 if s.control[n] == 2 - side else 0)
            chance = max(chance, gain + front.menace(s, side, n))
        elif n in defence and n != moving_from:
            friends += 1
    stack = defence.get(h, 0) - (own_defence if moving_from == h else 0)
    worth += chance + min(friends, 2) * manner.friends
    worth -= manner.leash * max(0, front.from_leader(s, GROUP[units[0]])[h] - 5)
    gaps = front.gaps(s, units)
    if gaps:
        worth += max(gaps.get(h, 0), max((gaps.get(n, 0) for n in ZOC_NEXT[h]), default=0) // 2)
    if threat:
        strength = (stack + own_defence) * (2 + COVER[h])
        worth += manner.link if not stack else 0  # a link of the front
        worth += COVER[h] * 4 - max(0, threat * 4 // max(1, strength) - 3) * manner.risk
        worth -= min(manner.crowd, manner.crowd * stack // max(1, threat * 2))  # enough men are there already
    elif side == GERMAN:
        worth -= 3 * nearest_foe(front, side, h)
    if h in TOWNS:
        worth += 14 if s.control[h] != side + 1 or (threat and not stack) else 4
    if s.scenario != "cobra" and h in CHERBOURG:
        worth += PORT * max(0, PORT_GUARD - stack) // PORT_GUARD if s.control[h] == side + 1 else 10
    return worth


def menace(s: S, side: int, n: int) -> int:
    """How badly an enemy hex must be dealt with: Germans near an Allied depot are in the wrong place."""
    if side == GERMAN:
        return 0
    near = min((far_from(DEPOT_HEX[d])[n] for d in range(len(DEPOTS)) if s.depot[d] in (REDUCED, FULL)), default=9)
    return MENACE * max(0, 4 - near)


def nearest_foe(front: Front, side: int, h: int) -> int:
    """Hexes to the nearest enemy combat unit, nine at most; counted once for all hexes."""
    if side not in front.rings:
        front.rings[side] = rings(dict.fromkeys(front.defence[1 - side], 0), AROUND, 9)
    return front.rings[side][h]


def is_weak(s: S, box: int) -> bool:
    """A box that a division may enter: few Germans stand there."""
    return sum(attack_of(s, u) for u in units_in(s, box, GERMAN)) <= 6


def followers(s: S, hq: int, lead: tuple[int, int] = PLAIN.lead) -> list[tuple[int, int]]:
    """The hexes of the units that a headquarters could lead, with how much they want one: less if others are near."""
    side = SIDE[hq]
    others = [far_from(s.place[v]) for v in HQS if v != hq and GROUP[v] == GROUP[hq] and s.place[v] < HEXES]
    wanted: dict[int, int] = {}
    for u in ARMIES[side]:
        p = s.place[u]
        if p < HEXES and GROUP[u] == GROUP[hq] and not FIXED[u]:
            wish = lead[0] + (lead[1] if s.zoc[(1 - side) * HEXES + p] else 0)
            wanted[p] = wanted.get(p, 0) + wish // (1 + 2 * sum(row[p] <= 4 for row in others))
    return list(wanted.items())


def hq_worth(s: S, front: Front, hq: int, h: int, wanted: list[tuple[int, int]]) -> int:
    """Where a headquarters wants to be: on a supplied road behind units that want it, near the fighting, not in it."""
    side = SIDE[hq]
    if any(n in front.defence[1 - side] for n in OPEN_NEXT[h]):
        return -60 + (30 + race_worth(s, front, hq, h) if h in front.defence[side] else 0)
    net = front.roads(s, GROUP[hq])
    worth = 40 if h in net or any(n in net for n in SUPPLY_NEXT[h]) else 6 if ROAD_NEXT[h] else 0
    row = far_from(h)
    for p, wish in wanted:
        away = row[p]
        if away <= 4:
            worth += wish if away <= 2 else wish * 2 // 3
    worth -= front.manner.tether * min(8, min((row[d] for d in front.sources(s, GROUP[hq])), default=0))
    if side == ALLIED and h in EXIT_BOX and front.attack[side].get(h, 0) >= 8 and is_weak(s, EXIT_BOX[h]):
        worth += LEAVE
    if h not in front.defence[side]:
        worth -= front.manner.escort * max(0, 4 - nearest_foe(front, side, h))
    worth += race_worth(s, front, hq, h)
    return worth + 3 * min(3, nearest_foe(front, side, h))


def race_worth(s: S, front: Front, hq: int, h: int) -> int:
    """In the race a headquarters with markers supports an assault on the port; else it is where markers reach."""
    worth = 0
    if not front.manner.assault:
        return worth
    if s.offensive[s.place[hq]]:
        left = [port for port in CHERBOURG if s.control[port] != ALLIED + 1 and far_from(port)[h] <= 2]
        if any(sum(front.attack[ALLIED].get(n, 0) for n in OPEN_NEXT[port]) >= ASSAULT for port in left):
            worth += front.manner.assault
    if not s.offensive[s.place[hq]] or s.phase == "B":
        if not front.reach:
            front.reach.update(h for d in front.sources(s, GROUP[hq]) for h in marker_roads(s, ALLIED, d))
        worth += front.manner.within if h in front.reach else 0
    return worth


# --- battles --------------------------------------------------------------------------------------------------------


def ground_worth(s: S, side: int, target: int, group: int, manner: Manner = PLAIN) -> int:
    """What winning a place is worth, in tenths of a victory point: towns, depots, the way to the goals."""
    if target >= HEXES:
        return 40
    worth = 10 + (TOWN_WORTH if target in TOWNS else 0)
    if s.scenario == "cherbourg" and target in CHERBOURG:
        worth += manner.port
    if side == ALLIED:
        return worth + manner.aim * (12 - min(12, near_goal(s, target, group))) + menace(s, side, target)
    if target in DEPOT_AT and s.depot[DEPOT_AT[target]] in (REDUCED, FULL):
        worth += 100
    return worth
