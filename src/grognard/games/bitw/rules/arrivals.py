"""7.3.1-7.3.4 Units that come and go in production: placing, reinforcements, holding back, disbanding."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Refusal, Side, emit, enter, rule

from ..frames import FOG, PlayerTurn, UnitInHand, has_choice
from ..state import DISBANDED, HELD, NEW, OFF, OOS, POOL, BitwState, is_battle, on_map, put, side_holding
from ..world import IS_AIR, LIMITS, SIDE_OF, UNIT_IDS, UNITS, world
from .definitions import airbase_taken, pool_of, why_not_own
from .production import HAS_RED_DOT, arrival_hexes, buy_step, factory_wanted, fort_for
from .supply import sources_of

# Placing


class PlaceAt(Decision):
    """7.3.1a The unit in hand is placed in an arrival hex; it may crowd it until the Movement Phase (7.3.2b)."""

    verbs = ("at",)

    def needed(self, s: BitwState, c: UnitInHand, side: Side) -> bool:
        """Until it stands."""
        return c.left >= 0

    def sites(self, s: BitwState, c: UnitInHand) -> list[int]:
        """Where it may stand."""
        turn = s.frames[-2]
        assert isinstance(turn, PlayerTurn)
        return entry_hexes(s, turn, c.unit) if c.mode == "enter" else arrival_hexes(s, turn, c.unit)

    def candidates(self, s: BitwState, c: UnitInHand, side: Side) -> Iterable[Action]:
        """The arrival hexes."""
        return [("at", world(s).theatre.names[n]) for n in self.sites(s, c)]

    def legal(self, s: BitwState, c: UnitInHand, side: Side) -> list[Action]:
        """The same, looked up once."""
        return list(self.candidates(s, c, side))

    def why_not(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> Refusal | None:
        """Why not here."""
        node = world(s).theatre.node_ids[target]
        if node in self.sites(s, c):
            return None
        colour = factory_wanted(c.unit)
        rule_id = {"red": "7.3.1b", "blue": "7.3.1c", "white": "7.3.1d", "": "7.3.1a"}[colour]
        if UNITS[c.unit].is_fort:
            rule_id = "6.6h" if any(x.startswith("fixed:") for x in UNITS[c.unit].traits) else "6.6b"
        return Refusal(rule_id, "no-arrival", {"hex": target})

    def apply(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> None:
        """Stand it there."""
        turn = s.frames[-2]
        assert isinstance(turn, PlayerTurn)
        node = world(s).theatre.node_ids[target]
        if c.mode == "place":
            c.unit = fort_for(s, c.unit, node) if UNITS[c.unit].is_fort else c.unit
            buy_step(s, c.unit)
        put(s, c.unit, node)
        s.flags[c.unit] = NEW
        turn.arrivals = (*turn.arrivals, node)
        turn.repaired = (*turn.repaired, c.unit)
        c.left = -1
        emit(s, "arrives", "7.3.1a", unit=FOG.veil(s, c.unit), hex=target)


# Reinforcements


@rule("7.3.2c", "7.3.2a", "7.3.1a")
def entry_hexes(s: BitwState, c: PlayerTurn, unit: int) -> list[int]:
    """7.3.2c A reinforcement enters where its order of battle says, if that place is friendly and a valid source."""
    w = world(s)
    u = UNITS[unit]
    stated = [st.node for st in w.scenario.arriving if st.unit == unit]
    if not stated:
        return arrival_hexes(s, c, unit)
    node = stated[0]
    if node < w.theatre.hexes and (side_holding(s, node) != u.side or is_battle(s, node)):
        return []
    limit = 2 if node == s.capital[u.power] else 1
    if node not in sources_of(s, u.power, u.home) or c.arrivals.count(node) >= limit:
        return []
    return [] if IS_AIR[unit] and airbase_taken(s, node, unit) else [node]


@rule("7.3e", "7.3.1e", "7.3.3", "7.3.2c")
class Reinforce(Decision):
    """7.3e Free reinforcements enter at the strength stated.

    Those held back, by force or choice, may enter later (7.3.3).
    """

    verbs = ("enter", "done")

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While somebody can enter and the player has not finished."""
        return c.finished != c.at() and has_choice(self, s, c, side)

    def candidates(self, s: BitwState, c: PlayerTurn, side: Side) -> Iterable[Action]:
        """Those that wait."""
        held = [u for u in range(len(s.place)) if s.place[u] == HELD and SIDE_OF[u] == side]
        return [("done", ""), *(("enter", UNITS[u].id) for u in held)]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> Refusal | None:
        """Its place of arrival must be open."""
        if verb == "done":
            return None
        unit = UNIT_IDS[target]
        refusal = why_not_own(unit, side)
        if refusal:
            return refusal
        if s.place[unit] != HELD:
            return Refusal("7.3e", "not-waiting", {"unit": target})
        return None if entry_hexes(s, c, unit) else Refusal("7.3.2c", "arrival-closed", {"unit": target})

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> None:
        """Take it in hand."""
        if verb == "done":
            c.finished = c.at()
        else:
            enter(s, UnitInHand(unit=UNIT_IDS[target], side=side, mode="enter"))


# Disbanding


@rule("7.3.4a", "7.3.4b", "6.6h")
class Disband(Decision):
    """7.3.4a After production supplied units may be disbanded; each gives back 1 point next turn (7.3.4b)."""

    verbs = ("disband", "done")

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done."""
        return c.finished != c.at()

    def candidates(self, s: BitwState, c: PlayerTurn, side: Side) -> Iterable[Action]:
        """Every unit on the map."""
        return [("done", ""), *(("disband", UNITS[u].id) for u in on_map(s, side))]

    def legal(self, s: BitwState, c: PlayerTurn, side: Side) -> list[Action]:
        """The same answers as `why_not`, without looking the units up by name."""
        can = [u for u in on_map(s, side) if why_not_disband(s, u) is None]
        return [("done", ""), *(("disband", UNITS[u].id) for u in can)]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> Refusal | None:
        """One's own units that may be disbanded."""
        unit = -1 if verb == "done" else UNIT_IDS[target]
        return None if unit < 0 else why_not_own(unit, side) or why_not_disband(s, unit)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> None:
        """Into the pool."""
        if verb == "done":
            c.finished = c.at()
            return
        unit = UNIT_IDS[target]
        emit(s, "disbanded", "7.3.4a", unit=FOG.veil(s, unit), hex=world(s).theatre.names[s.place[unit]])
        put(s, unit, POOL)
        s.steps[unit], s.half[unit], s.revealed[unit], s.flags[unit] = 0, 0, 0, DISBANDED
        s.later[pool_of(s, UNITS[unit].power)] += LIMITS["disband_refund"]


@rule("7.3.4a", "6.6h")
def why_not_disband(s: BitwState, unit: int) -> Refusal | None:
    """7.3.4a Only supplied units on the map. 6.6h Not the forts with a red dot."""
    if s.place[unit] >= OFF:
        return Refusal("7.3.4a", "not-on-map", {"unit": UNITS[unit].id})
    if s.flags[unit] & OOS:
        return Refusal("7.3.4a", "unsupplied-disband", {"unit": UNITS[unit].id})
    if HAS_RED_DOT[unit]:
        return Refusal("6.6h", "red-dot", {"unit": UNITS[unit].id})
    return None
