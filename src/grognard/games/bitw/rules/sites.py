"""7.3.1, 6.6b Where new units may stand: home cities and factories, forts on supplied ground."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from grognard.kernel import rule

from ..frames import PlayerTurn
from ..loading import AXIS, charts
from ..memo import facing, remembered, unchanged
from ..state import NONE, BitwState, is_battle, month, side_holding, units_in
from ..theatre import MAJOR
from ..world import IS_FORT, POWER_SIDE, POWERS, UNITS, world
from .colours import in_colours
from .definitions import airbase_taken, has_room
from .factories import has_plant
from .supply import lanes_from, sources_of
from .targets import ruined

IDS = charts().power_ids
GERMANY, ITALY = IDS["DE"], IDS["IT"]
HAS_RED_DOT = bytes(u.is_fort and any(x.startswith("fixed:") for x in u.traits) for u in UNITS)  # 6.6h
HOME_OF_FORT = tuple(next((x[6:] for x in u.traits if x.startswith("fixed:")), "") for u in UNITS)  # 6.6h
OVERSEAS = {"US": "usa", "CA": "canada"}  # 7.3.1a


@rule("7.3.1b", "7.3.1c", "7.3.1d", "11.2a", "23.0h", "24.1f")
def factory_wanted(unit: int) -> str:
    """7.3.1b-d Armour arrives at a red factory, aircraft and paratroops at a blue one.

    Marines at a shipyard (white; their white points are waived, ruling A30).
    """
    u = UNITS[unit]
    if "marine" in u.traits:
        return "white"
    if u.is_armour:
        return "red"
    return "blue" if u.is_air or u.kind in ("para", "air_hq") else ""


FACTORY = tuple(factory_wanted(u.index) for u in UNITS)


@rule("15.1-active-a", "15.1-active-b", "11.2b")
def has_factory(s: BitwState, node: int, colour: str) -> bool:
    """11.2b True if an active factory of this colour stands here and has not been destroyed."""
    entry = world(s).theatre.factories.get(node, {}).get(colour)
    if s.plants and has_plant(s, node, colour):
        return True
    return entry is not None and entry[1] <= month(s) and not s.burnt[node] and entry[0] > ruined(s, node, colour)


@rule("7.3.1a", "7.3.2a", "7.3.1b", "7.3.1c", "7.3.1d", "3.7b", "3.7c", "5.2b", "6.6b", "6.6h")
def arrival_hexes(s: BitwState, c: PlayerTurn, unit: int) -> list[int]:
    """7.3.1a Home cities (major, fortress, capital) that can act as a source.

    1 unit each, 2 in the capital (7.3.2a), besides those already there (ruling A69).
    """
    found = [n for n in arrival_ground(s, unit) if may_arrive(s, c, unit, n)]
    return sorted(found) if IS_FORT[unit] else found


def arrival_ground(s: BitwState, unit: int) -> Collection[int]:
    """7.3.1a The places that could take a unit if they were free; overseas there is one."""
    t, u = world(s).theatre, UNITS[unit]
    if u.is_fort:
        return fort_ground(s, unit)
    if u.home in OVERSEAS:
        area = OVERSEAS[u.home]
        return (t.node_ids[area],) if area in t.node_ids else ()
    return home_sites(s, u.power, u.home, FACTORY[unit], s.turn)


@rule("7.3.1a", "7.3.2a")
def may_arrive(s: BitwState, c: PlayerTurn, unit: int, node: int) -> bool:
    """7.3.2a Of these places one: 1 unit each, 2 in the capital; a fort has its own conditions (6.6b)."""
    u = UNITS[unit]
    if u.is_fort:
        return is_fort_site(s, unit, node)
    if u.home in OVERSEAS:
        return True
    limit = 2 if node == s.capital[u.power] else 1
    return c.arrivals.count(node) < limit and not (u.is_air and airbase_taken(s, node, unit))


def can_arrive(s: BitwState, c: PlayerTurn, unit: int) -> bool:
    """7.3.1a True if there is a place for a unit; of the many of a fort one is enough."""
    if IS_FORT[unit]:
        return next(fort_sites(s, unit), None) is not None
    return bool(arrival_hexes(s, c, unit))


@remembered(lambda s, power, home, *_: (facing(s, POWER_SIDE[power]), unchanged("burnt", s.burnt), s.ruins))
def home_sites(s: BitwState, power: int, home: str, colour: str, turn: int) -> list[int]:
    """7.3.1a The cities of a home country where units may arrive.

    With the right factory, or major, fortress, capital.
    """
    t = world(s).theatre
    found = []
    sources = sources_of(s, power, home)
    for node in t.home_sites(POWERS[power].home):
        if node not in sources or side_holding(s, node) != POWERS[power].side:
            continue
        if colour:
            good = has_factory(s, node, colour) or (in_colours(s) and minor_capital(s, power, node))
        else:
            good = t.city[node] == MAJOR or node in t.fortress_city or node == s.capital[power]
        if good:
            found.append(node)
    return found


@rule("11.2c")
def minor_capital(s: BitwState, power: int, node: int) -> bool:
    """11.2c Minor powers of the Axis place armour and aircraft in their capital, factory or not."""
    return node == s.capital[power] and POWERS[power].rank == "minor" and POWER_SIDE[power] == AXIS


@rule("6.6b", "6.6h", "3.10c")
def fort_sites(s: BitwState, unit: int) -> Iterator[int]:
    """6.6b A fort may be built in any supplied hex that its side controls; Italian ones in Italy.

    The five with a red dot only at home (6.6h). In no promised order.
    """
    return (n for n in fort_ground(s, unit) if is_fort_site(s, unit, n))


@rule("6.6b", "6.6h")
def fort_ground(s: BitwState, unit: int) -> Collection[int]:
    """6.6b The supplied places of a fort's side; of one with a red dot its home alone (6.6h)."""
    u, w = UNITS[unit], world(s)
    t = w.theatre
    if home := HOME_OF_FORT[unit]:
        return [n for n in [t.find(home)] if in_area(s, n)] if t.has(home) else []
    return lanes_from(s, u.side, sources_of(s, u.power if u.power in w.scenario.in_play else GERMANY))


@rule("6.6b", "6.6h")
def is_fort_site(s: BitwState, unit: int, node: int) -> bool:
    """6.6b Of the supplied places those that its side holds, with no other fort and room; Italian ones in Italy."""
    u, t = UNITS[unit], world(s).theatre
    if node >= t.hexes or side_holding(s, node) != u.side:
        return False
    if s.first_in[node] != NONE and not takes_fort(s, node, unit):
        return False
    if HOME_OF_FORT[unit]:
        return True
    return bool(t.playable[node]) and (u.nation != "IT" or t.country[node] in POWERS[ITALY].home)


@rule("6.6h")
def in_area(s: BitwState, node: int) -> bool:
    """6.6h Whether a place belongs to the area of the scenario: forts with a red dot outside it are not for sale."""
    w = world(s)
    return not w.scenario.area or w.theatre.country[node] in w.scenario.area


def takes_fort(s: BitwState, node: int, unit: int) -> bool:
    """6.6b, 3.10c No battle, no other fort, and room in the hex."""
    return not is_battle(s, node) and not any(IS_FORT[v] for v in units_in(s, node)) and has_room(s, node, unit)
