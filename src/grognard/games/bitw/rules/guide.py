"""Two hints of the strategy guide, as switches: Italian ports out of use after a landing, Berlin encircled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, roll, rule

from ..frames import Match, PlayerTurn
from ..loading import ALLIES, AXIS, charts
from ..nouns import HEX, name_of
from ..state import OUT, BitwState, side_holding
from ..world import LIMITS, world
from .siege import is_surrounded
from .targets import PORT

GERMANY: Final = charts().power_ids["DE"]
REFUGES: Final = ("munich", "salzburg")  # Obersalzberg lies in the hex of Salzburg
MOVES_ON: Final = (1, 6)  # the faces with which the capital moves

NO_MARKS, NOT_ITALIAN = no("guide-ports", "no-marks"), no("guide-ports", "not-an-italian-port")
MARKS_SPENT = no("guide-ports", "marks-spent", lambda s, c, side, noun: {"limit": LIMITS["ports_out_of_use"]})
NO_REFUGE = no("guide-berlin", "no-refuge")


# Ports out of use


@rule("guide-ports")
def marked_ports(s: BitwState) -> list[int]:
    """guide-ports The ports that the Allies have marked; they look bombed until the Axis turn is over."""
    return [e[2] for e in s.bombed if e[0] == AXIS and e[1] == PORT]


@rule("guide-ports")
def may_mark(s: BitwState) -> bool:
    """guide-ports Once, in the turn of the first landing on Italian soil."""
    if s.chosen.get("guide-ports") != "on" or s.ports_marked:
        return False
    country = world(s).theatre.country
    return any(country[node] == "ITA" for node, _ in s.landed)


@rule("guide-ports")
class MarkPorts(Decision):
    """guide-ports After landing in Italy the Allies keep three Italian ports out of use for a turn, once."""

    verbs = {"done": NOTHING, "mark": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """In that turn, while a port is left to mark."""
        return side == ALLIES and c.finished != c.at() and may_mark(s) and bool(list(self.nouns(s, c, side, "mark")))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The ports of the enemy in Italy."""
        if verb == "done":
            return (0,)
        t = world(s).theatre
        return [n for n in t.ports if n < t.hexes and self.why_not(s, c, side, verb, n) is None]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Three, each once."""
        if verb == "done":
            return None
        if not may_mark(s):
            return NO_MARKS
        t, marked = world(s).theatre, marked_ports(s)
        if len(marked) >= LIMITS["ports_out_of_use"]:
            return MARKS_SPENT
        ours = noun < t.hexes and t.port[noun] and t.country[noun] == "ITA" and side_holding(s, noun) == AXIS
        return None if ours and noun not in marked else NOT_ITALIAN

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Mark it: neither supply nor sea movement until the end of the next Axis turn."""
        if verb == "done":
            c.finished = c.at()
            return
        s.bombed = (*s.bombed, (AXIS, PORT, noun, LIMITS["raid_port_cut"]))
        emit(s, "port-marked", "guide-ports", hex=name_of(s, noun))


def end_marking(s: BitwState, c: PlayerTurn) -> None:
    """guide-ports The choice is made, or passed up, in the turn of the landing."""
    if c.side == ALLIES and may_mark(s):
        s.ports_marked = 1


# Berlin encircled


@rule("guide-berlin")
def refuges(s: BitwState) -> list[int]:
    """guide-berlin Where the capital may go: Munich or Obersalzberg, if they are German."""
    t = world(s).theatre
    there = [t.find(name) for name in REFUGES if t.has(name)]
    return [n for n in there if side_holding(s, n) == AXIS]


@rule("guide-berlin")
def berlin_encircled(s: BitwState, c: Match) -> None:
    """guide-berlin While Berlin is German and surrounded, a 1 or a 6 of the Victory Phase moves the capital (A66)."""
    t = world(s).theatre
    if s.chosen.get("guide-berlin") != "on" or s.fuhrer_mute or s.status[GERMANY] & OUT or not t.has("berlin"):
        return
    berlin = t.find("berlin")
    held = s.capital[GERMANY] == berlin and side_holding(s, berlin) == AXIS
    if not held or not is_surrounded(s, berlin, AXIS) or not refuges(s):
        return
    (die,) = roll(s, "guide-berlin", 1, side=AXIS)
    c.moving = int(die in MOVES_ON)
    emit(s, "berlin-encircled", "guide-berlin", moves=c.moving)


@rule("guide-berlin")
class MoveCapital(Decision):
    """guide-berlin The Axis says whither."""

    verbs = {"seat": HEX}

    def needed(self, s: BitwState, c: Match, side: Side) -> bool:
        """Once the die has been kind."""
        return bool(c.moving)

    def nouns(self, s: BitwState, c: Match, side: Side, verb: str) -> Iterable[int]:
        """Munich or Obersalzberg."""
        return refuges(s)

    def why_not(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """Only these."""
        return None if noun in refuges(s) else NO_REFUGE

    def apply(self, s: BitwState, c: Match, side: Side, verb: str, noun: int) -> None:
        """The capital moves; Hitler's HQ is silent for the rest of the game."""
        c.moving = 0
        s.capital[GERMANY], s.fuhrer_mute = noun, 1
        emit(s, "capital-moves", "guide-berlin", hex=name_of(s, noun))
