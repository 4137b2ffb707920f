"""Landings with a plan: few beaches, two corps on each, near a port that will feed them.

A player who looks one step ahead sees a single corps on a guarded beach and shrinks from it, or scatters his marines
along a coast where nobody feeds them. Here the beaches are weighed before anybody sails: what stands there and near, as
far as the side can see (blocks, never their strength), the ports, the way to the places still wanted, friends ashore,
and what the sea may take. The best beach is filled first; landings end where they no longer pay or nobody could eat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from grognard.kernel import Action, Side

from ..frames import Disembarking
from ..loading import ALLIES
from ..memo import unchanged
from ..rules.landings import beaches, difficulties, held_coasts, is_front_beach, price_of, second_coasts
from ..rules.sea import danger, sea_of, voyage
from ..rules.waters import sea_counts
from ..state import DROPPED, LANDED, BitwState, enemy_of, is_battle, month, on_map, side_holding, side_in
from ..theatre import MAJOR_PORT, MINOR_PORT
from ..world import IS_COMBAT, IS_FORT, LIMITS, SIDE_OF, UNITS, world
from .goals import FAR as NO_GOAL
from .goals import in_france, outlook
from .rations import larder, room_at
from .shores import at_home, fronts, lands

EMPTY, QUIET = 10, 60  # points of a beach where nobody stands; in France: reserves march to battles only (31.0d)
GUARD, FORT, NEIGHBOUR = 20, 70, 8  # what each block on the beach, a fort there, a block beside it takes away
RESERVES, ANSWER = 3, 3  # what each block within so many hexes takes away: it will be there next month
HARBOUR = {MAJOR_PORT: 60, MINOR_PORT: 25}  # a port on the beach itself
FIRST_PORT = 50  # a great port where nothing feeds an army yet
NEAR_HARBOUR = 10  # a great port a march away
WANTED, WAY = 40, 11  # a place that decides; each movement point of the way to one
NO_WAY = 100  # a landing that leads to nothing
OUT_AT_SEA, COVER = 25, 4  # each hex beyond that many from one's own bases
APART, MARCH = 60, 1  # each hex beyond that many from the others who land on the same sea
FRIENDS = 25  # friends ashore beside it
BESIDE = 40  # another beach beside it that could be landed on at once
LONE = 60  # a corps that lands among guards, and nobody could join it
TOGETHER = 80  # a friend who fights there already
HURT, SUNK = 8, 20  # each face of the enemy's die that costs a step, or the unit
ROUGH = 20  # hard ground costs a hit
FAR = 15  # each landing point beyond the first
LEAST = -130  # points below which nobody lands
ASHORE = 3  # units that may land before anybody has thought of what they eat
CROSSING = 8  # hexes over which armour follows a landing: not to another front
WEST = ("FRA", "BEL", "NED", "LUX", "GER")
CAME = LANDED | DROPPED  # marks of those who came this turn
MULBERRIES = "1944-06"  # 6.7 from this month on artificial ports are at hand


def coast_worth(s: BitwState, side: Side, node: int) -> int:
    """What a beach promises, whoever else lands: guards, ports, the way to what is wanted, how far out it lies."""
    t, enemy = world(s).theatre, enemy_of(side)
    theirs = enemy * len(s.first_in)
    look = outlook(s.scenario, side, unchanged("owner", s.owner))
    guards = s.ground[theirs + node]
    forts = sum([IS_FORT[u] for u in side_in(s, node, enemy)])
    worth = 0 if guards or forts else QUIET if in_france(world(s)) and not is_ashore(s) else EMPTY
    worth -= GUARD * guards + FORT * forts + ROUGH * difficulties(s, node)
    worth -= NEIGHBOUR * sum([s.ground[theirs + n] for n in t.touch[node]])
    worth -= RESERVES * sum([s.ground[theirs + n] for n in t.board.grid.within(node, ANSWER) if n < t.hexes])
    worth += WANTED if node in look.wanted and not guards else 0
    worth -= WAY * look.field[node] + (NO_WAY if look.field[node] >= NO_GOAL else 0)
    if not forts:
        worth += HARBOUR.get(t.port[node], 0) + (
            FIRST_PORT if t.port[node] == MAJOR_PORT and starved(s, side, node) else 0
        )
    worth += NEAR_HARBOUR * any(t.port[n] == MAJOR_PORT for n in t.touch[node])
    worth += BESIDE * any(is_open_beach(s, side, n) and t.sea[n] == t.sea[node] for n in t.touch[node])
    distances = t.distances(node)
    home = min((distances[n] for n in t.cities if side_holding(s, n) == side), default=0)
    return worth - OUT_AT_SEA * max(0, home - COVER)


def is_ashore(s: BitwState) -> bool:
    """Whether an Allied corps stands in the west of the continent already, from an earlier month."""
    t = world(s).theatre
    mine = [u for u in on_map(s, ALLIES) if IS_COMBAT[u] and not s.orders[u] & CAME]
    return any(t.country[s.place[u]] in WEST and t.region[s.place[u]] != "africa" for u in mine)


def is_open_beach(s: BitwState, side: Side, node: int) -> bool:
    """A clear coast of the enemy with one block at most and no fort, where two corps would get ashore."""
    t, enemy = world(s).theatre, enemy_of(side)
    if node >= t.hexes or not t.coastal[node] or not t.playable[node] or side_holding(s, node) == side:
        return False
    if s.ground[enemy * len(s.first_in) + node] > 1 or difficulties(s, node):
        return False
    return not any(IS_FORT[u] for u in side_in(s, node, enemy))


def starved(s: BitwState, side: Side, node: int) -> bool:
    """Whether nothing feeds an army yet where it would land, and no Mulberry will."""
    return all(table.get(node, ()) == () for table in larder(s, side).at.values()) and not has_mulberries(s, side)


def beach_worth(s: BitwState, side: Side, node: int) -> int:
    """What a beach promises, from what everybody sees, with those who landed already in mind."""
    t, mine = world(s).theatre, side * len(s.first_in)
    worth, distances = coast_worth(s, side, node), t.distances(node)
    others = [distances[s.place[u]] for u in on_map(s, side) if s.orders[u] & LANDED]
    worth -= APART * max(0, min(others, default=0) - MARCH)
    if not others and s.ground[enemy_of(side) * len(s.first_in) + node]:  # a second front among guards
        land = lands(world(s))
        near = [distances[s.place[u]] for u in on_map(s, side) if IS_COMBAT[u] and land[s.place[u]] == land[node]]
        worth -= LONE if 2 < min(near, default=0) <= CROSSING else 0
    if s.ground[mine + node]:
        room = sum([IS_COMBAT[u] for u in side_in(s, node, side)]) < LIMITS["stack_combat"]
        worth += TOGETHER if room and is_battle(s, node) else -TOGETHER
    worth += FRIENDS * any(s.ground[mine + n] for n in t.touch[node])
    return worth


def voyage_cost(s: BitwState, unit: int, node: int) -> int:
    """24.8, 18.1a What the way to a beach costs: landing points beyond the first, and what the sea may take."""
    cost = FAR * max(0, price_of(s, unit, node) - 1)
    if not sea_counts(s):
        return cost
    t, port = world(s).theatre, s.place[unit]
    seas = sorted({sea_of(s, port), t.sea[node] or sea_of(s, port)})
    hurt, sunk = danger(s, SIDE_OF[unit], seas, voyage(t, port, node) or (port, node))
    return cost + HURT * (7 - hurt) + SUNK * (7 - sunk)


def under_guns(s: BitwState, side: Side, node: int) -> bool:
    """24.2b The coast by the Channel Islands while a Fort is seen there: a Festung would sink who lands."""
    t = world(s).theatre
    if not t.has("avranches") or node != t.find("avranches"):
        return False
    return any(IS_FORT[u] for u in side_in(s, t.find("channel-islands"), enemy_of(side)))


def may_land_more(s: BitwState, side: Side) -> bool:
    """Whether those who land next will find something to eat: ports taken, Mulberries, what the leaders bring."""
    ashore = [u for u in on_map(s, side) if s.orders[u] & LANDED]
    most = ASHORE + (LIMITS["port_major"] if has_mulberries(s, side) else 0)
    t = world(s).theatre
    for node in {s.place[u] for u in ashore}:
        port = t.port[node]
        most += LIMITS["port_major" if port == MAJOR_PORT else "port_minor"] if port else 0
    return len(ashore) < most


def landing_choices(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """24.1b The next unit that lands, or the list without landings where none pays."""
    able = [noun for verb, noun in legal if verb == "land"]
    if not able:
        return legal
    others = [a for a in legal if a[0] != "land"]
    units = sorted(at_home(s, side, able))  # who has enemies on his own land does not sail away from them
    if not units or not may_land_more(s, side):
        return others
    worth, unit = best_lander(s, side, {u: beaches(s, u) for u in units})
    return [("land", unit)] if worth > LEAST else others


def best_lander(s: BitwState, side: Side, ways: dict[int, list[int]]) -> tuple[int, int]:
    """Of units and the beaches that each could go to: what the best landing is worth, and who goes."""
    worth: dict[int, int] = {}
    best = (LEAST, 0)
    mine, theirs = side * len(s.first_in), enemy_of(side) * len(s.first_in)
    landers = Counter(node for nodes in ways.values() for node in nodes)
    for unit, nodes in ways.items():
        for node in nodes:
            if under_guns(s, side, node):
                continue
            if node not in worth:
                alone = landers[node] < 2 and s.ground[theirs + node] and not s.ground[mine + node]
                worth[node] = beach_worth(s, side, node) - (LONE if alone else 0)
            best = max(best, (worth[node] - voyage_cost(s, unit, node) + s.steps[unit], -unit))
    return best[0], -best[1]


def landing_pays(s: BitwState, side: Side, units: Iterable[int]) -> bool:
    """24.0a Whether infantry that is no marine finds a beach before its port that is worth an order of the navy."""
    t, ways = world(s).theatre, {}
    for unit in sorted(at_home(s, side, units)):
        near = [
            n for n in t.board.grid.within(s.place[unit], LIMITS["front_beach"]) if is_front_beach(s, s.place[unit], n)
        ]
        ways[unit] = [n for n in near if side_holding(s, n) != side and not difficulties(s, n)]
    return best_lander(s, side, ways)[0] > LEAST


def beach_choices(s: BitwState, c: Disembarking, legal: list[Action]) -> list[Action]:
    """24.1b, 24.5 Where the unit in hand lands: the best beach; a second wave goes where there is something to do."""
    nodes = [noun for _, noun in legal]
    if c.wave > 1:
        war, land = fronts(s, c.side), lands(world(s))
        first = landed_at(s, c.side)
        useful = [n for n in nodes if land[n] in war and is_beside(s, c.side, n, first) and useful_coast(s, c.unit, n)]
        near = world(s).theatre.distances(s.place[c.unit])
        best = sorted(useful, key=lambda n: (n not in first, near[n], n))[:1]  # where the others are
        return [("to", n) for n in best] or legal
    nodes = [n for n in nodes if not under_guns(s, c.side, n)] or nodes
    order = sorted((voyage_cost(s, c.unit, n) - beach_worth(s, c.side, n), n) for n in nodes)
    return [("to", order[0][1])] if order else legal


def landed_at(s: BitwState, side: Side) -> set[int]:
    """The beaches of this turn."""
    return {s.place[u] for u in on_map(s, side) if s.orders[u] & LANDED}


def is_beside(s: BitwState, side: Side, node: int, first: set[int]) -> bool:
    """Whether who follows to a coast joins somebody there: those who landed, or a coast of one's own."""
    return node in first or side_holding(s, node) == side or any(n in first for n in world(s).theatre.touch[node])


def useful_coast(s: BitwState, unit: int, node: int) -> bool:
    """A coast where a unit that follows is needed in battle, or will be fed, by a Mulberry if need be."""
    side = SIDE_OF[unit]
    if under_guns(s, side, node):
        return False
    return is_battle(s, node) or room_at(s, side, node, UNITS[unit].power) or has_mulberries(s, side)


def has_mulberries(s: BitwState, side: Side) -> bool:
    """6.7 Whether artificial ports are still to be had, or stand already."""
    return side == ALLIES and month(s) >= MULBERRIES and any(s.harbour_hits[i] < LIMITS["harbour_cut"] for i in (0, 1))


def waves_worth(s: BitwState, side: Side, units: Iterable[int], ferry: bool = False) -> set[int]:
    """24.5-wave-d, 24.7 Of units that could follow by sea those who have a coast to go to."""
    war, land, first = fronts(s, side), lands(world(s)), landed_at(s, side)
    found = set()
    for unit in units:
        near = world(s).theatre.distances(s.place[unit])
        coasts = [n for n in (held_coasts(s, unit) if ferry else second_coasts(s, unit)) if near[n] <= CROSSING]
        coasts = [n for n in coasts if land[n] in war and is_beside(s, side, n, first)]
        if land[s.place[unit]] not in war and any(useful_coast(s, unit, n) for n in coasts):
            found.add(unit)
    return found
