"""Chapter 18: units that go by sea, from port to port, and what mines and submarines do to them.

The three seas are those of 3.1.2. A voyage takes the shortest way over water hexes; whether it passes the Strait of
Calais or the mined Channel follows from that way. A leader or a navy HQ gives the order (13.8.1c).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from grognard.kernel import Decision, No, Side, emit, leave, no, roll, rule

from ..frames import InHand, Shipping
from ..loading import ALLIES, AXIS
from ..memo import facing, remembered
from ..nouns import FOG, HEX, name_of
from ..state import (
    MOVED,
    NONE,
    OFF,
    OUT,
    POOL,
    BitwState,
    enemy_of,
    is_battle,
    is_done,
    is_frozen,
    month,
    put,
    side_holding,
)
from ..theatre import Theatre, nearest_sea
from ..world import IS_AIR, IS_FORT, IS_GROUND, SIDE_OF, UNITS, world
from .definitions import airbase_taken, controls_sea, has_room, port_is_open, why_not_climate, why_not_serve
from .harbours import takes_ships
from .headquarters import commander, spend
from .readings import otherwise
from .supply import is_airbase, remove, sources_of
from .targets import is_shut_to_ships
from .waters import ITALY, MAPLE, sea_counts, why_closed
from .weather import is_frozen_port

STRAIT: Final = ("dover", "calais")

NOT_BY_SEA, NOT_ON_MAP, AT_BATTLE = no("18.0a", "not-by-sea"), no("18.0a", "not-on-map"), no("18.0a", "at-battle")
FROZEN, MOVED_ALREADY = no("3.21", "frozen"), no("7.5.1", "moved-already")
NOT_IN_PORT, NO_SEA_ORDER = no("18.0a", "not-in-port"), no("18.0c", "no-sea-order")
ICE, NO_VOYAGE, NO_SUCH_PORT = no("9.2d", "port-frozen"), no("18.0a", "no-voyage"), no("18.0a", "no-such-port")
OTHER_SEA, SHOALS = no("18.0a", "other-sea"), no("14.0-shoals", "shoals")
INLAND_PORT, BOMBED_PORT = no("18.0b", "inland-port"), no("32.2", "bombed-port")
BOMBED_HARBOUR = no("6.7.2a", "bombed-port")


# Ways over the water


@lru_cache(maxsize=64)
def _water(t: Theatre) -> tuple[tuple[int, ...], ...]:
    """By hex: the hexes that ships reach from it: over sea, along coasts where the hexside is water."""
    grid, board = t.board.grid, t.board
    wet = [board.kinds[h] == "sea" for h in range(t.hexes)]
    afloat = [wet[h] or board.kinds[h] == "coast" for h in range(t.hexes)]
    return tuple(
        tuple(
            other
            for other in grid.neighbours[h]
            if afloat[h] and afloat[other] and (wet[h] or wet[other] or board.side(h, other).get("water"))
        )
        for h in range(t.hexes)
    )


@lru_cache(maxsize=4096)
def voyage(t: Theatre, start: int, end: int) -> tuple[int, ...]:
    """18.0a The shortest way by sea from one port to another, both included; empty if there is none.

    From a box beyond the map ships come by the port that its sea route leads to.
    """
    start, end = _landfall(t, start), _landfall(t, end)
    came, queue = {start: start}, deque((start,))
    while queue and end not in came:
        node = queue.popleft()
        for other in _water(t)[node]:
            if other not in came:
                came[other] = node
                queue.append(other)
    if end not in came:
        return ()
    path = [end]
    while came[path[-1]] != path[-1]:
        path.append(came[path[-1]])
    return tuple(path[::-1])


@lru_cache(maxsize=1024)
def _landfall(t: Theatre, node: int) -> int:
    """The port where the sea route of a box reaches the map; of an inland port the nearest coast."""
    if node < t.hexes:
        if _water(t)[node]:
            return node
        distances = t.distances(node)
        return min((h for h in range(t.hexes) if t.coastal[h] and _water(t)[h]), key=lambda h: (distances[h], h))
    routes = ((a, b) for (a, b), link in t.board.link_data.items() if link.get("sea_route") and node in (a, b))
    return min((min(pair) for pair in routes), default=t.ports[0])


@rule("7.5.5d")
def passes_strait(s: BitwState, path: tuple[int, ...]) -> bool:
    """7.5.5d True if a voyage goes through the Strait of Calais, past Dover or Calais."""
    t = world(s).theatre
    banks = [t.find(name) for name in STRAIT if t.has(name)]
    return bool(path) and path[0] not in banks and path[-1] not in banks and any(node in banks for node in path)


@rule("18.1a")
def is_mined(s: BitwState, path: tuple[int, ...]) -> bool:
    """18.1a True if a voyage touches the waters with the mine icon, the Channel."""
    t = world(s).theatre
    return any(t.board.hexes[node].get("waters") == "channel" for node in path)


@lru_cache(maxsize=64)
def _canal(t: Theatre) -> tuple[int, ...]:
    """7.5.5f The hexes along the Kiel Canal."""
    return tuple(h for h in range(t.hexes) if "kiel-canal" in t.board.tags[h])


@rule("7.5.5f", "18.1.3")
def canal_is_open(s: BitwState, side: Side) -> bool:
    """7.5.5f The Kiel Canal serves a side that controls all its hexes; the Axis not after Operation Maple (18.1.3)."""
    t = world(s).theatre
    banks = _canal(t)
    if not banks or (side == AXIS and month(s) >= MAPLE):
        return False
    return all(side_holding(s, h) == side for h in banks if t.playable[h])


@rule("18.0a", "7.5.5f")
def seas_from(s: BitwState, side: Side, node: int) -> frozenset[str]:
    """18.0a The seas that a ship reaches from a port: its own, and beyond the canal where it is open (7.5.5f)."""
    sea = sea_of(s, node)
    both = frozenset({"atlantic", "baltic"})
    return both if sea in both and canal_is_open(s, side) else frozenset({sea})


def sea_of(s: BitwState, node: int) -> str:
    """3.1.2a The sea of a port, or of a beach with a Mulberry; the boxes beyond the map lie on the Atlantic."""
    t = world(s).theatre
    if node >= t.hexes:
        return "atlantic"
    return t.sea[node] or (nearest_sea(t.board, node) if node in s.harbour else "")


# Who sails


@rule("18.0a", "18.0b", "18.0c", "18.1c", "6.1.1-static-a", "3.7e", "9.2d")
def why_not_ship(s: BitwState, unit: int) -> No | None:
    """18.0a A unit in a friendly open port goes to another on the same sea, on the order of a leader or a navy HQ.

    Static infantry too; not forts. Who sails does not march.
    """
    if not sea_counts(s) or IS_FORT[unit]:
        return NOT_BY_SEA
    here, side = s.place[unit], SIDE_OF[unit]
    if here >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if is_done(s, unit):
        return MOVED_ALREADY
    if is_battle(s, here):
        return AT_BATTLE
    refusal = why_not_sail_from(s, side, here, bool(IS_GROUND[unit])) or why_not_serve(s, unit)
    if refusal:
        return refusal
    if commander(s, unit, "sea") == NONE:
        return NO_SEA_ORDER
    return None if next(_destinations(s, unit), -1) >= 0 else NO_VOYAGE


@rule("18.0b", "9.2d", "14.0-shoals", "11.3b", "32.2", "6.7.2a")
def why_not_sail_from(s: BitwState, side: Side, node: int, ground: bool = True) -> No | None:
    """18.0b A port that serves the side: not frozen (9.2d), its lettered coast held, not among shoals (14.0).

    32.2 A port that was bombed takes no ground units. 6.7.2 A Mulberry is a port in all effects, for the whole side:
    only its supply belongs to one nation (6.7b).
    """
    t = world(s).theatre
    if node >= t.hexes:
        return None
    if side == ALLIES and node in s.harbour and not (t.port[node] and port_is_open(s, node, side)):
        if ground and not takes_ships(s, node):
            return BOMBED_HARBOUR
        return why_closed(s, side, sea_of(s, node))
    if not t.port[node] or side_holding(s, node) != side:
        return NOT_IN_PORT
    if is_frozen_port(s, node):
        return ICE
    if t.board.hexes[node].get("shoals"):
        return SHOALS
    if ground and is_shut_to_ships(s, node):
        return BOMBED_PORT
    if not port_is_open(s, node, side):
        return INLAND_PORT if t.letters.get(node) else NOT_IN_PORT
    return why_closed(s, side, t.sea[node])


@rule("18.0a")
def why_not_land(s: BitwState, unit: int, node: int) -> No | None:
    """18.0a The other end: a port that serves the side, on a sea in reach, with room."""
    t, side = world(s).theatre, SIDE_OF[unit]
    if node == s.place[unit] or node >= t.hexes:
        return NO_SUCH_PORT
    refusal = why_not_sail_from(s, side, node, bool(IS_GROUND[unit]))
    if refusal:
        return refusal
    if sea_of(s, node) not in seas_from(s, side, s.place[unit]) or not voyage(t, s.place[unit], node):
        return OTHER_SEA
    land = "africa" if t.region[node] == "africa" else t.country[node]
    refusal = why_not_climate(UNITS[unit], land)
    if refusal:
        return refusal
    return None if has_berth(s, unit, node) else NO_SUCH_PORT


def has_berth(s: BitwState, unit: int, node: int) -> bool:
    """3.10a, 3.4-airbase-b Room ashore: in the stack, or at a free base for an aircraft."""
    if not IS_AIR[unit]:
        return has_room(s, node, unit)
    u = UNITS[unit]
    return is_airbase(s, u.side, node, sources_of(s, u.power, u.home)) and not airbase_taken(s, node, unit)


def voyages(s: BitwState, unit: int) -> list[int]:
    """18.0a The ports where a unit may go by sea: the same answers as `why_not_land`, with the ports looked up once."""
    return list(_destinations(s, unit))


def _destinations(s: BitwState, unit: int) -> Iterator[int]:
    t, here, side = world(s).theatre, s.place[unit], SIDE_OF[unit]
    seas = seas_from(s, side, here)
    for n in sailing_ports(s, side, bool(IS_GROUND[unit])):
        if n == here or sea_of(s, n) not in seas or not voyage(t, here, n):
            continue
        land = "africa" if t.region[n] == "africa" else t.country[n]
        if why_not_climate(UNITS[unit], land) is None and has_berth(s, unit, n):
            yield n


@remembered(lambda s, side, ground=True: (facing(s, side), bytes(s.status), s.turn, built_harbours(s)))
def sailing_ports(s: BitwState, side: Side, ground: bool = True) -> tuple[int, ...]:
    """18.0b The ports from and to which a side sails now, Mulberries among them (6.7.2)."""
    t = world(s).theatre
    built = [n for n in s.harbour if n < t.hexes and n not in t.ports]
    return tuple(n for n in (*t.ports, *built) if why_not_sail_from(s, side, n, ground) is None)


def built_harbours(s: BitwState) -> tuple[int, ...]:
    """6.7 Where the Mulberries are and how they stand: what ships remember of them."""
    return (*s.harbour, *s.harbour_hits)


class ShipTo(Decision):
    """18.0a The unit in hand sails to a port."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> Iterable[int]:
        """The ports in reach."""
        return voyages(s, c.unit)

    def legal_nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return voyages(s, c.unit)

    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """Only ports on the same sea that serve the side."""
        return why_not_land(s, c.unit, noun)

    def apply(self, s: BitwState, c: Shipping, side: Side, verb: str, noun: int) -> None:
        """Sail, and see what the sea does."""
        leave(s)
        spend(s, c.hq, "sea", c.unit)
        sail(s, c.unit, noun)


# 18.1 The risk


@rule("18.1a", "18.1.1", "18.1.1-bite", "18.1.2", "18.1.3")
def danger(s: BitwState, side: Side, seas: Iterable[str], path: tuple[int, ...]) -> tuple[int, int]:
    """18.1a From which die a transport is hurt and from which it is lost; 7 for never.

    None in the Baltic for the Axis (18.1.1; the eastern game ends that), none where the enemy neither controls the
    sea nor has mined the way. After Italy's surrender the Axis costs an Allied transport in the Mediterranean one step
    on a 6 (18.1.2); after Maple it does not roll in the Channel and hits on a 6 elsewhere (18.1.3, ruling A76).
    """
    t, enemy, risky = world(s).theatre, enemy_of(side), risky_seas(side, seas)
    threat = is_mined(s, path) or any(controls_sea(s, enemy, sea) for sea in risky)
    inside = all(t.board.hexes[node].get("waters") == "channel" for node in path[1:-1] or path[:1])  # ports apart
    softly = otherwise(s, "atlantic-six")
    return risk_of(side, risky, threat, bool(s.status[ITALY] & OUT), month(s) >= MAPLE, inside, softly)


@rule("18.1.1")
def risky_seas(side: Side, seas: Iterable[str]) -> list[str]:
    """18.1.1 The seas of a voyage where ships may be lost: not the Baltic for the Axis."""
    return [sea for sea in seas if not (side == AXIS and sea == "baltic")]


@rule("18.1a", "18.1.2", "18.1.3")
def risk_of(
    side: Side, risky: list[str], threat: bool, italy_out: bool, maple: bool, inside: bool, softly: bool = False
) -> tuple[int, int]:
    """18.1a The faces of the die as figures, shared with the odds; `inside`: the whole way lies in the Channel.

    What a 6 does in the Atlantic after Maple is not told: it sinks (A76), or with `softly` (switch `atlantic-six`)
    costs a step as in the Mediterranean.
    """
    if not risky or not threat:
        return 7, 7
    if side == ALLIES and "mediterranean" in risky and italy_out:
        return 6, 7
    if side == ALLIES and "atlantic" in risky and maple:
        return (7, 7) if inside else (6, 7 if softly else 6)
    return 4, 6


@rule("18.1a", "18.1b", "18.1c", "7.5.5d")
def sail(s: BitwState, unit: int, node: int) -> None:
    """18.1a The voyage: two steps for a strait that is not one's own (7.5.5d), then the die of the enemy.

    1-3 safe, 4-5 one step lost, 6 sunk. Aircraft run the same risk (18.1c, our reading).
    """
    t, side, here = world(s).theatre, SIDE_OF[unit], s.place[unit]
    path = voyage(t, here, node)
    where = name_of(s, node)
    seas = sorted({sea_of(s, here), sea_of(s, node)})
    if here >= t.hexes:
        path = path or (node,)
    s.flags[unit] |= MOVED
    put(s, unit, node)
    emit(s, "shipped", "18.0a", unit=FOG.veil(s, unit), hex=where)
    owned = all(side_holding(s, t.find(name)) == side for name in STRAIT if t.has(name))
    if passes_strait(s, path) and not owned:
        for _ in range(2):
            lose_at_sea(s, unit, "7.5.5d")
    hurt, sunk = danger(s, side, seas, path)
    if s.place[unit] >= OFF or hurt > 6:
        return
    (die,) = roll(s, "18.1a", 1, side=enemy_of(side))
    if die >= sunk:
        sink(s, unit)
    elif die >= hurt:
        lose_at_sea(s, unit, "18.1a")


def lose_at_sea(s: BitwState, unit: int, rule_id: str) -> None:
    """18.1a A transport is damaged: the unit loses a step, and with its last it is sunk; 0 stays 0 (7.7.10b).

    Of a block at 0 the same is told as of any other: who hears of it does not know how strong it is.
    """
    u = UNITS[unit]
    if s.place[unit] >= OFF:
        return
    if s.steps[unit] > 0:
        below = u.pattern.below[s.steps[unit]]
        if below < 0:
            sink(s, unit)
            return
        s.steps[unit], s.half[unit] = below, 0
    emit(s, "damaged-at-sea", rule_id, unit=FOG.veil(s, unit))


@rule("18.1a", "18.1b")
def sink(s: BitwState, unit: int) -> None:
    """18.1a A transport is sunk, the unit eliminated; 18.1b of the United States only a 1 moves the morale marker."""
    losses = s.us_losses
    emit(s, "sunk", "18.1a", unit=UNITS[unit].id, reveals=True)
    remove(s, unit, POOL)
    if UNITS[unit].nation == "US" and IS_GROUND[unit]:
        (die,) = roll(s, "18.1b", 1, side=enemy_of(SIDE_OF[unit]))
        s.us_losses = losses + (die == 1)
