"""7.3.1-7.3.4 Units that come and go in production: placing, reinforcements, holding back, disbanding."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, draw, emit, enter, leave, no, rule

from ..frames import Entering, InHand, Placing, PlayerTurn, Recruiting, has_choice
from ..nouns import FOG, HEX, UNIT, name_of
from ..state import DISBANDED, HELD, NEW, NONE, OFF, OOS, POOL, BitwState, is_battle, on_map, put, side_holding
from ..world import BLOCKS_OF, IS_AIR, LIMITS, SIDE_OF, UNITS, world
from .definitions import NOT_YOURS, airbase_taken, pool_of, why_not_own
from .italy import republic_entry
from .production import buy_step, fort_for
from .sites import HAS_RED_DOT, arrival_ground, arrival_hexes, factory_wanted, may_arrive
from .supply import sources_of

RULE_OF_COLOUR = {"red": "7.3.1b", "blue": "7.3.1c", "white": "7.3.1d", "": "7.3.1a"}
NO_ARRIVAL = {r: no(r, "no-arrival") for r in (*RULE_OF_COLOUR.values(), "6.6h", "6.6b")}
NOT_WAITING, ARRIVAL_CLOSED = no("7.3e", "not-waiting"), no("7.3.2c", "arrival-closed")
NOT_ON_MAP, UNSUPPLIED_DISBAND = no("7.3.4a", "not-on-map"), no("7.3.4a", "unsupplied-disband")
RED_DOT = no("6.6h", "red-dot")

# Placing


class PlaceAt(Decision):
    """7.3.1a The unit in hand is placed in an arrival hex; it may crowd it until the Movement Phase (7.3.2b)."""

    verbs = {"at": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it stands."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """Where it may stand."""
        turn = s.frames[-2]
        assert isinstance(turn, PlayerTurn)
        return entry_hexes(s, turn, c.unit) if isinstance(c, Entering) else arrival_hexes(s, turn, c.unit)

    def is_open(self, s: BitwState, c: InHand, node: int) -> bool:
        """Whether it may stand at one place."""
        turn = s.frames[-2]
        assert isinstance(turn, PlayerTurn)
        if isinstance(c, Entering) and (stated := stated_entry(s, c.unit)) != NONE:
            return node == stated and is_entry(s, turn, c.unit, node)
        return node in arrival_ground(s, c.unit) and may_arrive(s, turn, c.unit, node)

    def legal_nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """Why not here."""
        if self.is_open(s, c, noun):
            return None
        if UNITS[c.unit].is_fort:
            return NO_ARRIVAL["6.6h" if HAS_RED_DOT[c.unit] else "6.6b"]
        return NO_ARRIVAL[RULE_OF_COLOUR[factory_wanted(c.unit)]]

    def apply(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> None:
        """Stand it there."""
        leave(s)
        turn, unit = s.frames[-1], c.unit
        assert isinstance(turn, PlayerTurn)
        if isinstance(c, Placing):
            unit = fort_for(s, unit, noun) if UNITS[unit].is_fort else unit
            buy_step(s, unit)
        elif isinstance(c, Recruiting):
            s.steps[unit] = UNITS[unit].pattern.first  # 10.0-munich-b free
        new_token(s, unit)
        put(s, unit, noun)
        s.flags[unit] = NEW
        turn.arrivals = (*turn.arrivals, noun)
        turn.repaired = (*turn.repaired, unit)
        emit(s, "arrives", "7.3.1a", unit=FOG.veil(s, unit), hex=name_of(s, noun))


@rule("1.3")
def new_token(s: BitwState, unit: int) -> None:
    """1.3 A block that enters the map gets a token by lot from all that are off it: nobody recognises it (ruling)."""
    away = sorted([s.token[u] for u, place in enumerate(s.place) if place >= OFF])
    other = FOG.bearer(s, away[draw(s, len(away), hidden=True)])
    for side in (0, 1):
        for token in (s.token[unit], s.token[other]):
            index = side * len(s.token) + token
            s.memory[index] = s.memory_note[index] = 0
    s.token[unit], s.token[other] = s.token[other], s.token[unit]


# Reinforcements


@rule("7.3.2c", "7.3.2a", "7.3.1a")
def entry_hexes(s: BitwState, c: PlayerTurn, unit: int) -> list[int]:
    """7.3.2c A reinforcement enters where its order of battle says, if that place is friendly and a valid source."""
    node = stated_entry(s, unit)
    if node == NONE:
        return arrival_hexes(s, c, unit)
    return [node] if is_entry(s, c, unit, node) else []


@rule("7.3.2c", "36.1b")
def stated_entry(s: BitwState, unit: int) -> int:
    """7.3.2c Where the order of battle lets a reinforcement enter; 36.1b those of the Social Republic at Milano."""
    if (milano := republic_entry(s, unit)) >= 0:
        return milano
    return next((st.node for st in world(s).scenario.arriving if st.unit == unit), NONE)


@rule("7.3.2c")
def is_entry(s: BitwState, c: PlayerTurn, unit: int, node: int) -> bool:
    """7.3.2c A friendly place without battle that is a source, not yet full (7.3.2a)."""
    u = UNITS[unit]
    if node < world(s).theatre.hexes and (side_holding(s, node) != u.side or is_battle(s, node)):
        return False
    limit = 2 if node == s.capital[u.power] else 1
    if node not in sources_of(s, u.power, u.home) or c.arrivals.count(node) >= limit:
        return False
    return not (IS_AIR[unit] and airbase_taken(s, node, unit))


@rule("7.3e", "7.3.1e", "7.3.3", "7.3.2c")
class Reinforce(Decision):
    """7.3e Free reinforcements enter at the strength stated.

    Those held back, by force or choice, may enter later (7.3.3).
    """

    verbs = {"done": NOTHING, "enter": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While somebody can enter and the player has not finished."""
        return c.finished != c.at() and has_choice(self, s, c, side)

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Those that wait."""
        return (0,) if verb == "done" else [u for u in BLOCKS_OF[side] if s.place[u] == HELD]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Its place of arrival must be open."""
        if verb == "done":
            return None
        if SIDE_OF[noun] != side:
            return NOT_YOURS
        if s.place[noun] != HELD:
            return NOT_WAITING
        return None if entry_hexes(s, c, noun) else ARRIVAL_CLOSED

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take it in hand."""
        if verb == "done":
            c.finished = c.at()
        else:
            enter(s, Entering(unit=noun, side=side))


# Disbanding


@rule("7.3.4a", "7.3.4b", "6.6h")
class Disband(Decision):
    """7.3.4a After production supplied units may be disbanded; each gives back 1 point next turn (7.3.4b)."""

    verbs = {"done": NOTHING, "disband": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done."""
        return c.finished != c.at()

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Every unit on the map."""
        return (0,) if verb == "done" else on_map(s, side)

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same answers as `why_not`, all at once."""
        flags = s.flags
        return [0] if verb == "done" else [u for u in on_map(s, side) if not flags[u] & OOS and not HAS_RED_DOT[u]]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """One's own units that may be disbanded."""
        return None if verb == "done" else why_not_own(noun, side) or why_not_disband(s, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Into the pool."""
        if verb == "done":
            c.finished = c.at()
            return
        emit(s, "disbanded", "7.3.4a", unit=FOG.veil(s, noun), hex=name_of(s, s.place[noun]))
        put(s, noun, POOL)
        s.steps[noun], s.half[noun], s.revealed[noun], s.flags[noun] = 0, 0, 0, DISBANDED
        s.active[noun] = s.fuel[noun] = s.orders[noun] = 0
        s.base[noun] = s.origin[noun] = NONE
        s.later[pool_of(s, UNITS[noun].power)] += LIMITS["disband_refund"]


@rule("7.3.4a", "6.6h")
def why_not_disband(s: BitwState, unit: int) -> No | None:
    """7.3.4a Only supplied units on the map. 6.6h Not the forts with a red dot."""
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if s.flags[unit] & OOS:
        return UNSUPPLIED_DISBAND
    return RED_DOT if HAS_RED_DOT[unit] else None
