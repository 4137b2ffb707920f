"""Every field of a position, declared once, and the one function that puts a block somewhere.

Who stands in a hex is a chain: `first_in[node]`, then `next_in[unit]`; `ground` and `present` count by side. `put`
alone changes them; `rebuild` makes them again from `place`.
"""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import PUBLIC, SECRET, Column, HiddenUnits, Side, column, is_on, items, number, rule, seen_by
from grognard.kernel.record import make_column, text

from .memo import remembered, unchanged
from .world import AIRCRAFT_OF, BLOCKS_OF, IS_AIR, IS_FORT, IS_GROUND, POWER_SIDE, SIDE_OF, world

NOWHERE: Final = 65535  # not in this scenario, or gone for good
POOL: Final = 65534  # eliminated; may be rebuilt (4.5a)
HELD: Final = 65533  # a reinforcement that waits (7.3.3)
OFF: Final = HELD  # every place from here on is off the map
NONE: Final = 65535  # end of a chain; no unit

OOS, MOVED, FOUGHT, MISSION, BLITZED, GROUNDED, DISBANDED, NEW = 1, 2, 4, 8, 16, 32, 64, 128  # flags of a unit
LANDED, STANDBY, DROPPED = 1024, 2048, 32768  # marks in `orders`: ashore, waiting (24), by parachute (23) this turn
SEEN_MARKS = LANDED | STANDBY | DROPPED  # everybody saw which block got them
RAILED = 1  # in `orders` of a unit that is no HQ: it went by rail this turn (23.0b, 24.1b)
SUPPLIED, RESERVE, MOTORISED = 4096, 8192, 16384  # marks in `orders`: as supplied (13.8.1c), in reserve (31.0b, 31.0a)
HELD_BACK = RESERVE | MOTORISED  # of a unit that waits; of an HQ, marks that outlast its activation
ASSISTED, OUT, QUICK, ATTACKED, ASKED, ARMISTICE = 1, 2, 4, 8, 16, 32  # flags of a power


@rule("1.3")
def knows(s: Any, side: Side, unit: int) -> bool:
    """1.3 A side knows its own blocks, those face up, and with fog off everything."""
    return side == SIDE_OF[unit] or bool(s.revealed[unit]) or s.open_table == 1


def _knows_entry(s: Any, side: Side, unit: int) -> bool:
    return knows(s, side, unit)


def _owns_entry(s: Any, side: Side, unit: int) -> bool:
    return side == SIDE_OF[unit] or s.open_table == 1


class BitwState(HiddenUnits):
    """A position of Blocks in the West."""

    turn: int = number(PUBLIC, 1)
    sky: int = number(PUBLIC)  # 9.0 the weather: good, light rain, rain, snow
    south: int = number(PUBLIC)  # 9.0.1 the same for the Mediterranean coast and islands
    rolled_sky: int = number(PUBLIC, 255)  # 39.0a what the last variable month brought
    conditions: int = number(SECRET)  # what remembered answers hang on besides who stands where (rules/weather.py)
    phasing: int = number(PUBLIC, 0)
    open_table: int = number(PUBLIC, 0)  # 1: fog is off
    plan: str = text(PUBLIC)  # the French plan chosen (5.1c)
    open_city: int = number(PUBLIC, 0)  # 1: Paris has been declared open (5.1-open-city-a)
    us_losses: int = number(PUBLIC, 0)  # 5.5
    duce: int = number(PUBLIC)  # 36.0 how far Italy's crisis has come (rules/italy.py)
    duce_turn: int = number(PUBLIC)  # 36.0b the turn of the dismissal
    alarm: int = number(PUBLIC)  # 28.0 the turn of the Volkssturm directive; 0: not given
    lend_lease: int = number(PUBLIC)  # 34.0-lend-a 1: it runs
    convoy_loss: int = number(PUBLIC)  # 18.2.1 yellow points sunk this turn
    route_hits: int = number(PUBLIC)  # 35.2b hits on the American route this turn
    submarines: Column = column(3, "B", PUBLIC)  # 35.2a steps in the North, Central and South Atlantic
    sailed: int = number(PUBLIC, 0)  # units evacuated by sea this turn (A78)
    works_begun: tuple[tuple[int, int, int, int], ...] = items(PUBLIC)  # 15.1a side, colour, paid, turn
    plants: tuple[tuple[int, int, int, int], ...] = items(
        SECRET
    )  # 15.1b side, colour, node, turn; views name the hexes
    partisans: tuple[tuple[int, int], ...] = items(SECRET)  # (node, discs); views name the hexes (1.0, 5.7c)
    landed: tuple[tuple[int, int], ...] = items(SECRET)  # (node, power) of this turn's landings (6.7.1a)
    bombed: tuple[tuple[int, int, int, int], ...] = items(SECRET)  # 32.0 side, kind, node, hits; views name the hexes
    ruins: tuple[tuple[int, int, int], ...] = items(SECRET)  # 32.1 node, colour, factories gone; views name the hexes
    radar: Column = column(6, "B", PUBLIC)  # 13.8.1.2-radar-a 1: a station at work, in the order of the list
    patrols: int = number(PUBLIC)  # 24.5-sub which submarines are kept at sea, and whether Doenitz's free one is used
    ports_marked: int = number(PUBLIC)  # guide-ports 1: the Allies have had their choice
    fuhrer_mute: int = number(PUBLIC)  # guide-berlin 1: the capital has moved and the FHQ is silent
    harbour: Column = column(2, "H", PUBLIC, NONE, names="hex")  # 6.7 where Mulberry A and B stand
    harbour_paid: Column = column(2, "B", PUBLIC)  # 6.7d points paid so far
    harbour_hits: Column = column(2, "B", PUBLIC)  # 6.7.2a hits of this turn

    place: Column = column("units", "H", PUBLIC, NOWHERE, names="hex")
    steps: Column = column("units", "B", seen_by(_knows_entry))
    half: Column = column("units", "B", seen_by(_knows_entry))
    base: Column = column("units", "H", PUBLIC, NONE, names="hex")  # where an aircraft on a mission took off
    origin: Column = column("units", "H", PUBLIC, NONE, names="hex")  # whence a unit entered the battle hex
    flags: Column = column("units", "B", PUBLIC)
    revealed: Column = column("units", "B", PUBLIC)
    lost: Column = column("units", "B", SECRET)  # how often a block has been eliminated
    looks: Column = column("units", "B", seen_by(_owns_entry))  # 19.1a recon attempts that an HQ has made
    seen_hexes: tuple[int, ...] = items(PUBLIC, names="hex")  # 19.1d looked into by the phasing side this turn
    active: Column = column("units", "B", PUBLIC)  # 13.2 1: an activated HQ
    fuel: Column = column("units", "B", seen_by(_owns_entry))  # 13.4 the action points that an HQ has left
    orders: Column = column("units", "H", seen_by(_owns_entry))  # of an HQ the kinds of action given, else marks below

    owner: Column = column("nodes", "B", PUBLIC, 255)  # controlling power
    works: Column = column("nodes", "B", PUBLIC)  # 0 none, 1 bunker, 2 fortress
    burnt: Column = column("nodes", "B", PUBLIC)  # 1: its factories are destroyed

    pp: Column = column("powers", "h", PUBLIC)
    red: Column = column("powers", "h", PUBLIC)  # 11.0a points of other colours
    blue: Column = column("powers", "h", PUBLIC)
    black: Column = column("powers", "h", PUBLIC)
    lent: Column = column(2, "B", PUBLIC)  # 34.0-lend-b red and blue of Lend-Lease
    later: Column = column("powers", "h", PUBLIC)  # points that arrive, or are due, at the next production
    status: Column = column("powers", "B", PUBLIC)
    railed: Column = column("powers", "B", PUBLIC)
    fallen: Column = column("powers", "B", PUBLIC)  # the turn in which a power left the war
    capital: Column = column("powers", "H", PUBLIC, NONE, names="hex")

    first_in: Column = column("nodes", "H", SECRET, NONE)
    next_in: Column = column("units", "H", SECRET, NONE)
    ground: Column = column("side_nodes", "B", SECRET)  # by side and node: ground units other than forts
    present: Column = column("side_nodes", "B", SECRET)  # by side and node: blocks of any kind


def put(s: BitwState, unit: int, node: int) -> None:
    """Move a block to a node, or off the map; the only function that does."""
    old, side, nodes = s.place[unit], SIDE_OF[unit], len(s.first_in)
    if old < OFF:
        at = s.first_in[old]
        if at == unit:
            s.first_in[old] = s.next_in[unit]
        else:
            while s.next_in[at] != unit:
                at = s.next_in[at]
            s.next_in[at] = s.next_in[unit]
        s.present[side * nodes + old] -= 1
        if IS_GROUND[unit] and not IS_FORT[unit]:
            s.ground[side * nodes + old] -= 1
    s.place[unit] = node
    if node < OFF:
        s.next_in[unit] = s.first_in[node]
        s.first_in[node] = unit
        s.present[side * nodes + node] += 1
        if IS_GROUND[unit] and not IS_FORT[unit]:
            s.ground[side * nodes + node] += 1
    else:
        s.next_in[unit] = NONE


def rebuild(s: BitwState) -> None:
    """Make the chains and counts again from `place`."""
    nodes, units = len(s.first_in), len(s.place)
    s.first_in[:], s.next_in[:] = make_column("H", nodes, NONE), make_column("H", units, NONE)
    s.ground[:], s.present[:] = bytearray(2 * nodes), bytearray(2 * nodes)
    first_in, next_in, ground, present = s.first_in, s.next_in, s.ground, s.present
    for unit, node in reversed(list(enumerate(s.place))):
        if node < OFF:
            next_in[unit] = first_in[node]
            first_in[node] = unit
            present[SIDE_OF[unit] * nodes + node] += 1
            if IS_GROUND[unit] and not IS_FORT[unit]:
                ground[SIDE_OF[unit] * nodes + node] += 1


def units_in(s: BitwState, node: int) -> list[int]:
    """Every block in a node, in no promised order."""
    found, unit, following = [], s.first_in[node], s.next_in
    while unit != NONE:
        found.append(unit)
        unit = following[unit]
    return found


def side_in(s: BitwState, node: int, side: Side) -> list[int]:
    """The blocks of a side in a node, by unit number."""
    return sorted([u for u in units_in(s, node) if SIDE_OF[u] == side])


def ground_in(s: BitwState, node: int, side: Side) -> list[int]:
    """The ground units of a side in a node, forts included."""
    return sorted([u for u in units_in(s, node) if SIDE_OF[u] == side and IS_GROUND[u]])


def air_in(s: BitwState, node: int, side: Side) -> list[int]:
    """The air units of a side in a node, based there or flying over it."""
    return sorted([u for u in units_in(s, node) if SIDE_OF[u] == side and IS_AIR[u]])


@remembered(lambda s, side: unchanged("place", s.place.tobytes()))
def on_map(s: BitwState, side: Side) -> tuple[int, ...]:
    """The blocks of a side on the map, by unit number."""
    place = s.place
    return tuple([u for u in BLOCKS_OF[side] if place[u] < OFF])


def aircraft_on_map(s: BitwState, side: Side) -> list[int]:
    """The air units of a side on the map, by unit number."""
    place = s.place
    return [u for u in AIRCRAFT_OF[side] if place[u] < OFF]


def enemy_of(side: Side) -> Side:
    """3.1 The other side."""
    return 1 - side


def enemy_in(s: BitwState, node: int, side: Side) -> bool:
    """True if a block of the other side stands or flies in a node."""
    return s.present[(len(s.first_in) if side == 0 else 0) + node] > 0


@rule("3.22")
def is_battle(s: BitwState, node: int) -> bool:
    """3.22 A battle hex holds blocks of both sides."""
    nodes = len(s.first_in)
    return s.present[node] > 0 and s.present[nodes + node] > 0


def side_holding(s: BitwState, node: int) -> int:
    """The side that controls a node, -1 for nobody."""
    owner = s.owner[node]
    return -1 if owner == 255 else POWER_SIDE[owner]


@rule("7.5.1", "31.0a", "31.0b")
def is_done(s: BitwState, unit: int, held: int = HELD_BACK) -> bool:
    """7.5.1 A unit that has moved in this phase, or waits in reserve; motorised ones wait until the exploitation.

    Who waits has no public mark: that it has moved, when nobody saw it move, would tell the enemy.
    """
    return bool(s.flags[unit] & MOVED or s.orders[unit] & held)


def month(s: BitwState) -> str:
    """1.1 The month of the current turn."""
    return world(s).scenario.month(s.turn)


def frozen_units(s: BitwState) -> frozenset[int]:
    """3.21 The units that the scenario freezes this turn."""
    sc = world(s).scenario
    frozen = sc.frozen.get(s.turn, frozenset())
    return frozen - thawed(s) if frozen and sc.freezes else frozen


@remembered(lambda s: (s.scenario, unchanged("ground", s.ground)))
def thawed(s: BitwState) -> frozenset[int]:
    """3.21 Units that are free because the enemy stands where the scenario says."""
    nodes, ground = len(s.first_in), s.ground
    freezes = world(s).scenario.freezes
    met = [freeze.units for freeze in freezes if any(ground[freeze.side * nodes + n] for n in freeze.nodes)]
    return frozenset().union(*met)


@rule("3.21")
def is_frozen(s: BitwState, unit: int) -> bool:
    """3.21 Units that the scenario freezes this turn."""
    return unit in frozen_units(s)


def fog_is_on(s: BitwState) -> bool:
    """1.3 Whether the game was started with hidden blocks."""
    return is_on(s, "fog")
