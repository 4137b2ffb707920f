"""Which of the legal actions are worth a computer player's time.

What a unit adds to the score where it stops outside battle is how near it is to the places still wanted, and whether a
source feeds it there (`score.unit_points`); besides, it guards a place that counts, or takes a city. So of many hexes
those that are best in this, and those places, are enough; battles are all weighed. Of units that a point would
strengthen alike one is tried.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Frame, Side

from ..frames import Disembarking, Dropping, InHand, Marching, PlayerTurn, Retreating
from ..memo import unchanged
from ..nouns import FROM
from ..rules.definitions import has_room, overstacked
from ..rules.headquarters import IS_HQ
from ..rules.production import BUILD_KIND
from ..rules.sea import voyages
from ..rules.sites import arrival_hexes
from ..rules.supply import SharePorts
from ..state import LANDED, OOS, BitwState, is_battle, on_map
from ..world import IS_AIR, IS_COMBAT, UNITS, world
from .goals import HOLDER, aims_of, invader, outlook
from .invasion import beach_choices
from .raiding import strategic_choices
from .rations import room_at
from .score import CUT_OFF, NEARNESS, STEP_WORTH, fed_hexes
from .shores import crow, drops_worth
from .staff import staff_first, staff_moves
from .staging import waiting_choices

BEST = 6  # hexes weighed for their place alone
RAIDS = 14  # enemy hexes without a battle that an aircraft thinks of
FAR_NEARER = 4  # hexes that a voyage must save
LONG_VIEW = ("factory", "buy", "radar")  # what pays in many turns, or dearly: not for a player who looks one step ahead
IN_ONE = ("stay-on", "stay-through", "home")  # one answer for many: people save clicks by it, a computer none
LEAVING = ("move", "ship", "rail", "rail-free")  # verbs that take a unit out of a crowd
PLACING = ("to", "at", "rebase")  # verbs that put the unit in hand somewhere


def promising_of(s: BitwState, side: Side, legal: list[Action], wide: bool = False) -> list[Action]:
    """The actions worth weighing; where none looks worth it, the end of the phase, or what makes room (7.3.2b)."""
    found = worth_weighing(s, side, legal, wide)
    if found or ("done", 0) in legal:
        return found or [("done", 0)]
    crowded = {n for n in {s.place[u] for u in on_map(s, side)} if overstacked(s, n, side)}
    return [a for a in legal if a[0] in LEAVING and s.place[a[1]] in crowded] or legal


def worth_weighing(s: BitwState, side: Side, legal: list[Action], wide: bool) -> list[Action]:
    """The actions that the parts of the player's knowledge leave."""
    c = s.frames[-1]
    raiding = strategic_choices(s, side, legal)
    if raiding is not None:
        return raiding
    if isinstance(c, Marching) and IS_HQ[c.unit]:
        return staff_moves(s, c, legal)
    if isinstance(c, Dropping):
        zones = [noun for _, noun in legal]
        near = drops_worth(s, c.unit, side, zones) or set(zones)
        return [a for a in legal if a[1] in near]
    if isinstance(c, InHand) and not isinstance(c, Retreating):
        if isinstance(c, Disembarking):
            return beach_choices(s, c, legal)
        waiting = waiting_choices(s, c, legal)
        if waiting is not None:
            return waiting
        nodes = [noun for verb, noun in legal if verb in PLACING]
        fights = [noun for verb, noun in legal if verb == "attack"]
        stops = places_worth(s, side, c.unit, nodes, wide) if len(nodes) > BEST else set(nodes)
        wanted = raids_worth(s, side, fights, wide) if IS_AIR[c.unit] else entries_worth(s, fights)
        kept = {"attack": wanted} | dict.fromkeys(PLACING, stops)
        return [(verb, noun) for verb, noun in legal if verb not in kept or noun in kept[verb]]
    if any(verb == "retreat" for verb, _ in legal):  # a beach is left by sea or not at all: inland nobody is fed
        return [a for a in legal if a[0] not in IN_ONE and (a[0] != "retreat" or not s.orders[a[1]] & LANDED)]
    if {"partisan", "pay-partisan"} & {verb for verb, _ in legal}:
        return disc_choices(s, side, legal)
    legal = staff_first(s, side, [a for a in legal if a[0] not in IN_ONE])
    if len(legal) == 1:
        return legal
    verbs = {verb for verb, _ in legal}
    if "forgo" in verbs:
        return sharing_choices(s, side, legal)
    if "ship" in verbs:
        worth = voyages_worth(s, side, [noun for verb, noun in legal if verb == "ship"])
        legal = [(verb, noun) for verb, noun in legal if verb != "ship" or noun in worth]
    if "disband" in verbs:
        return [a for a in legal if a[0] != "disband"]
    if "repair" in verbs or "build" in verbs:
        legal = one_of_a_kind(s, [a for a in legal if a[0] not in LONG_VIEW])
        return [a for a in legal if a[0] != "build" or has_a_place(s, c, a[1])]
    return legal


def has_a_place(s: BitwState, c: Frame, unit: int) -> bool:
    """7.3.2b Whether a new ground unit could stay where it arrives: in a crowd it is sent back, and its points wait.

    Where armies cross the sea; elsewhere it walks on in the same turn.
    """
    if not isinstance(c, PlayerTurn) or IS_AIR[unit] or invader(world(s)) != UNITS[unit].side:
        return True
    return any(has_room(s, n, unit) for n in arrival_hexes(s, c, unit))


def sharing_choices(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """3.4 Who gives way at a full port: only to a stronger unit, or two would give way to each other for ever."""
    eating, best = fed_worth(s, side), ("done", 0)
    for action in legal:
        if action[0] == "forgo":
            then = s.copy()
            then.events, turn = None, then.frames[-1]
            assert isinstance(turn, PlayerTurn)
            SharePorts().apply(then, turn, side, *action)
            worth = fed_worth(then, side)
            if worth > eating:
                eating, best = worth, action
    return [best]


def fed_worth(s: BitwState, side: Side) -> int:
    """What the units of a side on the map are worth that bear no white barrel."""
    return sum(STEP_WORTH[u] * s.steps[u] for u in on_map(s, side) if not s.flags[u] & OOS)


def disc_choices(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """29.1 Free discs where most rails meet near one's own units, two to a hex; none is paid for."""
    t, discs = world(s).theatre, dict(s.partisans)
    free = [noun for verb, noun in legal if verb == "partisan"]
    ours = {s.place[u] for u in on_map(s, side) if IS_COMBAT[u] and s.place[u] < t.hexes}
    worth = {
        n: (len(t.rail[n]) if discs.get(n, 0) < 2 else 0, -min([t.distance(n, a) for a in ours], default=0))
        for n in free
    }
    best = max(free, key=lambda n: (*worth[n], -n), default=-1)
    return [("partisan", best)] if best >= 0 else [a for a in legal if a[0] == "done"]


def voyages_worth(s: BitwState, side: Side, units: Iterable[int]) -> set[int]:
    """18.0a The one unit that a voyage brings most nearer to what is wanted, if it is fed there and worth the risk."""
    field = outlook(s.scenario, side, unchanged("owner", s.owner)).field
    gains = {}
    for unit in units:
        ends = [] if IS_AIR[unit] else [n for n in voyages(s, unit) if room_at(s, side, n, UNITS[unit].power)]
        if ends:
            gains[unit] = field[s.place[unit]] - min(field[n] for n in ends)
    best = max(gains, key=lambda u: (gains[u], -u), default=-1)
    return {best} if best >= 0 and gains[best] >= FAR_NEARER else set()


def places_worth(s: BitwState, side: Side, unit: int, nodes: Iterable[int], wide: bool = False) -> set[int]:
    """Of some hexes those nearest to what is wanted, those that decide the scenario, and cities to be taken."""
    w = world(s)
    look = outlook(s.scenario, side, unchanged("owner", s.owner), wide)
    field, owner, city = look.field, s.owner, w.theatre.city
    fed = fed_hexes(s, side)
    if IS_AIR[unit]:
        near = sorted(nodes, key=lambda n: (field[n], crow(s, side, n), n))
        return set(near[:BEST])
    order = sorted((NEARNESS * field[n] + (0 if n in fed else CUT_OFF), n) for n in nodes)
    goals = aims_of(w).goals
    special = {n for n in nodes if n in goals or (city[n] and HOLDER[owner[n]] != side)}
    return special | {n for _, n in order[:BEST]}


def entries_worth(s: BitwState, pairs: Iterable[int]) -> set[int]:
    """Each enemy hex in reach, entered from one hex: not across a river if there is another way (7.7.11-rivers)."""
    rivers = world(s).theatre.rivers
    best: dict[int, tuple[bool, int]] = {}
    for pair in pairs:
        node, whence = FROM.apart(pair)
        best[node] = min(best.get(node, (True, pair)), ((whence, node) in rivers, pair))
    return {pair for _, pair in best.values()}


def raids_worth(s: BitwState, side: Side, nodes: list[int], wide: bool = False) -> set[int]:
    """Of the enemy hexes in range of an aircraft the battles, and the nearest to what is wanted."""
    field = outlook(s.scenario, side, unchanged("owner", s.owner), wide).field
    order = sorted((field[n], n) for n in nodes)
    return {n for n in nodes if is_battle(s, n)} | {n for _, n in order[:RAIDS]}


def one_of_a_kind(s: BitwState, legal: list[Action]) -> list[Action]:
    """Production: of repairs that gain the same, and of blocks that are built alike, the first."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for verb, noun in legal:
        key: tuple[object, ...] = (verb, noun)
        if verb == "repair":
            steps = s.steps[noun]
            key = (verb, STEP_WORTH[noun], steps, UNITS[noun].pattern.above[steps], UNITS[noun].step_cost(steps))
        elif verb == "build":
            key = (verb, BUILD_KIND[noun], STEP_WORTH[noun], UNITS[noun].pattern.first)
        if key not in seen:
            seen.add(key)
            found.append((verb, noun))
    return found
