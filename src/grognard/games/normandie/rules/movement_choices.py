"""Chapters 4.1.1 to 4.4 as decisions: pick a stack, take it somewhere, overrun, land, slip through."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Any

from grognard.kernel import Decision, Frame, No, emit, enter, no, roll, rule

from ..frames import Combat, Exploitation, Landing, MoveStack, PlayerPhase, Shelling
from ..nouns import DEPOT, HEX, NOTHING, UNIT
from ..state import FULL, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    BRITISH_BEACHES,
    CHARTS,
    CODES,
    COMMANDO,
    COUNT,
    DEPOT_HEX,
    DEPOTS,
    DIVISION,
    ELITE,
    FIXED,
    GROUP,
    HEXES,
    IS_HQ,
    LAND_NEXT,
    LIMITS,
    OPEN_NEXT,
    PARA,
    PE,
    RANGER,
    RESERVE,
    SCENARIOS,
    SIDE,
    ZOC_NEXT,
    is_closed,
    step_cost,
)
from .bombardment import guns_on
from .combat_choices import COMMITTED
from .command import destroy_hq
from .definitions import (
    ROOM,
    ZOC_EXIT,
    ZONAL,
    allowance,
    counters_in,
    hqs_in,
    in_enemy_zoc,
    is_there,
    may_overrun,
    name_of,
    put,
    units_in,
    why_not_stack,
)
from .departure import end_ride
from .losses import disorganise, lift_confusion, occupy
from .movement import destinations, is_special, mates, may_join, route, why_not_end_in, why_not_move
from .supply import is_operational, serves

MOVERS = tuple(tuple(u for u in range(COUNT) if SIDE[u] == side and not FIXED[u]) for side in (0, 1))
MOVES_DONE = 2  # bit of PlayerPhase.done


def mover(s: S, c: PlayerPhase | MoveStack | Exploitation) -> Iterable[int]:
    """The side that moves."""
    return (c.side,)


def is_called(s: S, c: Frame, u: int) -> bool:
    """6.8c In an exploitation only the reserves just released move; else everybody."""
    return s.reserve[u] == 2 if isinstance(c, Exploitation) else s.reserve[u] != 2


def _stack(s: S, c: MoveStack, side: int, noun: int) -> dict[str, Any]:
    """Who is on the move."""
    return {"unit": name_of(c.units[0])}


def _to_overrun(s: S, c: MoveStack, side: int, noun: int) -> dict[str, Any]:
    """What the overrun costs, and what is left for it."""
    left = min(allowance(s, u, 1) for u in c.units) - c.spent
    return {"unit": name_of(c.units[0]), "cost": overrun_cost(s, c, noun), "left": left}


NOT_YOURS, NOT_RELEASED = no("1.1.2.2a", "not-yours"), no("6.8b", "not-called")
NOT_IN_RESERVE, STORM = no("4.2a", "not-in-reserve"), no("1.1.1.1i", "storm")
DEPOT_CLOSED, NO_DEPOT_OPEN = no("7.1a", "depot-closed"), no("7.1a", "no-depot-open")
NO_ROOM_ASHORE = no("4.2a", "no-room-ashore")
NOT_THE_BEACH, DEPOT_FULL = no("11.1-reinf-us", "depot-closed"), no("4.2a", "no-landing-room")
ASTRIDE, ENEMY_THERE = no("10-A.1i", "astride"), no("4.1.1e", "enemy-there")
NO_OVERRUN_THERE, NOT_ARMOUR = no("4.3c", "not-adjacent"), no("4.3b", "not-armour")
ALREADY_OVERRUN, UNSUPPLIED = no("4.3a", "already-overrun"), no("7.5d", "unsupplied", _stack)
NO_POINTS = no("4.3a", "no-points", _to_overrun)
NOT_SPECIAL, DISORGANISED = no("4.4a", "not-special", _stack), no("4.4a", "disorganised", _stack)
NO_RESERVE, MOVED_TOO_FAR = no("4.1.1f", "no-reserve", _stack), no("4.1.1f", "moved-too-far", _stack)
ALONE_ONLY, NOTHING_TO_CROSS = no("4.4b", "alone-only"), no("4.4b", "nothing-to-cross")
NOBODY_THERE, CANNOT_JOIN = no("4.4b", "nobody-there"), no("4.1.1b", "cannot-join")
NOT_ON_D_DAY, IN_MELEE = no("10-A.2a", "not-on-d-day"), no("6.11c", "in-confusion", _stack)
OUT_OF_REACH = no("4.1.1a", "out-of-reach", _stack)


@rule("1.1.2.2a", "4.1.1b", "4.1.1a", "6.8c")
class PickStack(Decision):
    """1.1.2.2a Choose the next counter to move on the map, land one, or end the movement."""

    verbs = {"move": UNIT, "land": UNIT, "done": NOTHING}

    def needed(self, s: S, c: PlayerPhase | Exploitation, side: int) -> bool:
        """Until the side says that it has finished."""
        if isinstance(c, Exploitation):
            return c.stage == 1 and bool(self.legal_nouns(s, c, side, "move"))
        return not c.done & MOVES_DONE

    def nouns(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str) -> Iterable[int]:
        """Counters on the map, counters in the reserve."""
        if verb == "move":
            return [u for u in MOVERS[side] if s.place[u] < HEXES]
        if verb == "land":
            return counters_in(s, RESERVE) if side == ALLIED and isinstance(c, PlayerPhase) else ()
        return (0,)

    def why_not(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str, noun: int) -> No | None:
        """4.1.1 A counter that may not move, 4.2 or not land."""
        if verb == "done":
            return None
        if SIDE[noun] != side:
            return NOT_YOURS
        if verb == "land":
            if not isinstance(c, PlayerPhase):
                return NOT_IN_RESERVE
            return None if depots_for(s, noun) else why_no_depot(s, noun)
        return why_not_move(s, noun) if is_called(s, c, noun) else NOT_RELEASED

    def legal_nouns(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str) -> list[int]:
        """The same questions, without what can be seen at once."""
        if verb == "done":
            return [0]
        if verb == "land":
            if side != ALLIED or not s.head[RESERVE] or s.storm or not isinstance(c, PlayerPhase):
                return []
            return landers(s)
        wanted = 2 if isinstance(c, Exploitation) else 0
        moved, reserve, place, resting, confusion = s.moved, s.reserve, s.place, s.resting, s.confusion
        return [
            u for u in MOVERS[side]
            if place[u] < HEXES and not moved[u] and reserve[u] == wanted
            and (not (resting[u] or confusion[place[u]]) or why_not_move(s, u) is None)
        ]  # fmt: skip

    def apply(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str, noun: int) -> None:
        """4.1.1b One stack at a time; 4.2a where it lands is asked if there are several depots."""
        if verb == "done":
            if isinstance(c, Exploitation):
                c.stage = 2
            else:
                c.done |= MOVES_DONE
        elif verb == "move":
            enter(s, MoveStack(side=side, units=(noun,)))
        else:
            found = depots_for(s, noun)
            if len(found) > 1:
                enter(s, Landing(unit=noun))
            else:
                land(s, noun, found[0])


# --- 4.2 landing ----------------------------------------------------------------------------------------------------


@rule("4.2a", "7.1a", "1.1.1.1i", "2.1d", "10-A.1i", "11.1-reinf-us")
def why_not_land(s: S, u: int, d: int) -> No | None:
    """4.2a A counter of the reserve lands at an operational depot of its group with capacity left; not in a storm."""
    if s.place[u] != RESERVE:
        return NOT_IN_RESERVE
    if s.storm:
        return STORM
    if not serves(d, GROUP[u]) or not is_operational(s, d):
        return DEPOT_CLOSED
    if DEPOTS[d].id not in SCENARIOS[s.scenario].raw.get("landing", (DEPOTS[d].id,)):
        return NOT_THE_BEACH
    if s.landed[d] + PE[u] > landing_capacity(s, d):
        return DEPOT_FULL
    h = DEPOT_HEX[d]
    if DIVISION[u] == "79arm" and any(is_there(s, 1 - ALLIED, b) for b in BRITISH_BEACHES):
        return ASTRIDE
    if is_there(s, 1 - ALLIED, h):
        return ENEMY_THERE
    return why_not_stack(s, ALLIED, h, [u])


def depots_for(s: S, u: int) -> list[int]:
    """4.2a The depots at which a counter may land now."""
    if s.place[u] != RESERVE or s.storm:
        return []
    return [d for d in range(len(DEPOTS)) if s.depot[d] in (REDUCED, FULL) and why_not_land(s, u, d) is None]


def landers(s: S) -> list[int]:
    """4.2a The counters of the reserve that can land somewhere; those of one weight, army and kind are asked once."""
    answers: dict[tuple[int, int, bool], bool] = {}
    out = []
    for u in counters_in(s, RESERVE):
        kind = (GROUP[u], ROOM[u], DIVISION[u] == "79arm")
        if kind not in answers:
            answers[kind] = bool(depots_for(s, u))
        if answers[kind]:
            out.append(u)
    return out


def why_no_depot(s: S, u: int) -> No:
    """4.2a Why a counter cannot land at all: what holds at every depot, or that none is open, or none has room."""
    answers = {why_not_land(s, u, d) for d in range(len(DEPOTS))} - {DEPOT_CLOSED, NOT_THE_BEACH}
    common = [answer for answer in (NOT_IN_RESERVE, STORM, ASTRIDE) if answer in answers]
    return common[0] if common else NO_ROOM_ASHORE if answers else NO_DEPOT_OPEN


@rule("4.2a")
class PickDepot(Decision):
    """4.2a The depot at which a counter lands."""

    verbs = {"at": DEPOT}

    def needed(self, s: S, c: Landing, side: int) -> bool:
        """Until it is ashore."""
        return s.place[c.unit] == RESERVE

    def nouns(self, s: S, c: Landing, side: int, verb: str) -> Iterable[int]:
        """Every depot."""
        return range(len(DEPOTS))

    def why_not(self, s: S, c: Landing, side: int, verb: str, noun: int) -> No | None:
        """4.2a Closed, full, or in enemy hands."""
        return why_not_land(s, c.unit, noun)

    def apply(self, s: S, c: Landing, side: int, verb: str, noun: int) -> None:
        """4.2a Ashore."""
        land(s, c.unit, noun)


@rule("4.2a", "7.1e", "7.1.3b")
def landing_capacity(s: S, d: int) -> int:
    """4.2a Stacking points that a depot lands in a phase, on its full or its reduced side."""
    return DEPOTS[d].landing[0 if s.depot[d] == FULL else 1]


@rule("4.2a", "4.2b")
def land(s: S, u: int, d: int) -> None:
    """4.2a Ashore; 1.1.2.1f the counter may still move this phase. 4.2b The others wait in the reserve."""
    s.landed[d] += PE[u]
    put(s, u, DEPOT_HEX[d])
    if not IS_HQ[u]:
        occupy(s, ALLIED, DEPOT_HEX[d])
    emit(s, "landed", "4.2a", unit=name_of(u), depot=DEPOTS[d].id)
    if not IS_HQ[u] and guns_on(s, DEPOT_HEX[d]):
        enter(s, Shelling(unit=u, place=DEPOT_HEX[d]))


# --- 4.1.1 a stack on the move --------------------------------------------------------------------------------------


@rule("4.3b", "0.1.2e", "0.1.2e2")
def why_not_overrun(s: S, c: MoveStack, h: int) -> No | None:
    """4.3b Only a stack of nothing but armour and Panzergrenadiers overruns, 4.3a with the points for it."""
    here = s.place[c.units[0]]
    if h >= HEXES or h not in OPEN_NEXT[here] or not is_there(s, 1 - c.side, h) or s.confusion[h]:
        return NO_OVERRUN_THERE
    if not all(may_overrun(u) for u in c.units):
        return NOT_ARMOUR
    if h in c.overran:
        return ALREADY_OVERRUN
    if any(s.unsupplied[u] for u in c.units):
        return UNSUPPLIED
    cost = overrun_cost(s, c, h)
    left = min(allowance(s, u, 1) for u in c.units) - c.spent
    if not cost or cost > left:
        return NO_POINTS
    return None


@rule("4.3a", "3e")
def overrun_cost(s: S, c: MoveStack, h: int) -> int:
    """4.3a Three points and the terrain; ruling A41: and the way out of a zone in which the stack began."""
    here = s.place[c.units[0]]
    ground = step_cost(here, h, 1)[0]
    if not ground:
        return 0
    leaving = max(ZOC_EXIT[u] for u in c.units) if not c.gone and in_enemy_zoc(s, c.side, here) else 0
    return ground + LIMITS["overrun"] + leaving


@rule("4.4a")
def why_not_special(s: S, u: int) -> No | None:
    """4.4a Only rangers, commandos and elite parachutists in good order do special operations."""
    if not (RANGER[u] or COMMANDO[u] or (PARA[u] and ELITE[u])):
        return NOT_SPECIAL
    if s.disorder[u]:
        return DISORGANISED
    return None


def ways(s: S, c: MoveStack) -> dict[int, int]:
    """4.1.1 Where the stack may end now, with the points spent; on D-Day within the reach of its sortie."""
    if c.gone == 1:
        return {}
    if c.reach in ("one", "confusion"):
        near = [n for n in OPEN_NEXT[s.place[c.units[0]]] if not is_there(s, 1 - c.side, n) or s.confusion[n]]
        near = [n for n in near if c.reach == "one" or s.confusion[n]]
        return {n: 0 for n in sorted(near) if why_not_end_in(s, c.units, n) is None}
    return destinations(s, c.units, c.spent, lifted=c.lifted, shun_zoc=c.gone == 2, half=c.reach == "half")


@rule("4.1.1f", "4.3c", "4.1.1e", "4.4b", "2.2d")
class GoThere(Decision):
    """4.1.1 Take others along, go to a hex, overrun, go into reserve, try a special operation, or stay."""

    verbs = {
        "with": UNIT, "to": HEX, "overrun": HEX, "reserve": NOTHING, "cross": HEX, "slip": HEX, "storm": HEX,
        "stay": NOTHING,
    }  # fmt: skip

    def needed(self, s: S, c: MoveStack, side: int) -> bool:
        """While the stack can do something more."""
        if c.over:
            return False
        return not c.gone or any(self.legal_nouns(s, c, side, verb) for verb in self.verbs if verb != "stay")

    def nouns(self, s: S, c: MoveStack, side: int, verb: str) -> Iterable[int]:
        """The mates of the stack, the hexes in reach, the hexes next to it."""
        here = s.place[c.units[0]]
        if verb == "with":
            return counters_in(s, here)
        if verb == "to":
            return ways(s, c)
        if verb == "cross":
            return sorted(LAND_NEXT[here])
        return (0,) if verb in ("reserve", "stay") else sorted(OPEN_NEXT[here])

    def legal_nouns(self, s: S, c: MoveStack, side: int, verb: str) -> list[int]:
        """Reach is computed once for all hexes, and what cannot be is not asked."""
        here, first = s.place[c.units[0]], c.units[0]
        if verb == "stay":
            return [0]
        if s.confusion[here] and not c.reach:
            return [h for h in sorted(OPEN_NEXT[here]) if self._why_not_slip(s, c, h) is None] if verb == "slip" else []
        if verb == "with":
            return mates(s, c.units) if not c.gone and c.reach in ("", "half") else []
        if verb == "to":
            return list(ways(s, c))
        if c.reach or verb == "slip":
            return []
        if verb == "reserve":
            return [0] if self._why_not_reserve(s, c) is None else []
        if not may_overrun(first) if verb == "overrun" else not is_special(s, first):
            return []
        return [h for h in self.nouns(s, c, side, verb) if self.why_not(s, c, side, verb, h) is None]

    def _why_not_reserve(self, s: S, c: MoveStack) -> No | None:
        """4.1.1f Armour and Panzergrenadiers that have moved one hex at most."""
        if not all(may_overrun(u) and s.reserve[u] == 0 for u in c.units) or c.gone == 2:
            return NO_RESERVE
        return MOVED_TOO_FAR if c.hexes > 1 else None

    def _why_not_cross(self, s: S, c: MoveStack, h: int) -> No | None:
        """4.4b Over a side that nobody else may cross, instead of a move."""
        u = c.units[0]
        if c.gone or len(c.units) > 1:
            return ALONE_ONLY
        if h not in LAND_NEXT[s.place[u]] or not is_closed(s.place[u], h) or is_there(s, 1 - c.side, h):
            return NOTHING_TO_CROSS
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def _why_not_slip(self, s: S, c: MoveStack, h: int) -> No | None:
        """4.4b Out of a melee into a hex without enemies."""
        u = c.units[0]
        if not s.confusion[s.place[u]] or h not in OPEN_NEXT[s.place[u]] or is_there(s, 1 - c.side, h):
            return NOTHING_TO_CROSS
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def _why_not_storm(self, s: S, c: MoveStack, h: int) -> No | None:
        """4.4b The assault of an enemy hex by a single unit that has not moved."""
        u = c.units[0]
        if c.gone or len(c.units) > 1 or s.unsupplied[u]:
            return ALONE_ONLY
        if h not in OPEN_NEXT[s.place[u]] or not units_in(s, h, 1 - c.side):
            return NOBODY_THERE
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def why_not(self, s: S, c: MoveStack, side: int, verb: str, noun: int) -> No | None:
        """4.1.1 Too far, closed, full, or not for this stack."""
        if verb == "stay":
            return None
        if verb != "to" and verb != "with" and c.reach:
            return NOT_ON_D_DAY
        if verb == "slip":
            return self._why_not_slip(s, c, noun)
        if s.confusion[s.place[c.units[0]]] and not c.reach:
            return IN_MELEE
        if verb == "with":
            ok = not c.gone and c.reach in ("", "half") and may_join(s, c.units, noun)
            return None if ok else CANNOT_JOIN
        if verb == "reserve":
            return self._why_not_reserve(s, c)
        if verb == "overrun":
            return why_not_overrun(s, c, noun)
        if verb == "cross":
            return self._why_not_cross(s, c, noun)
        if verb == "storm":
            return self._why_not_storm(s, c, noun)
        if is_there(s, 1 - c.side, noun) and not s.confusion[noun]:
            return ENEMY_THERE
        if noun in ways(s, c):
            return None
        return why_not_end_in(s, c.units, noun) or OUT_OF_REACH

    def apply(self, s: S, c: MoveStack, side: int, verb: str, noun: int) -> None:
        """4.1.1 Do it."""
        if verb == "with":
            c.units = (*c.units, noun)
        elif verb == "to":
            go(s, c, noun)
        elif verb == "overrun":
            begin_overrun(s, c, noun)
        elif verb == "reserve":
            for u in c.units:
                s.reserve[u] = 1
            emit(s, "in-reserve", "4.1.1f", units=[name_of(u) for u in c.units])
            c.over = 1
        elif verb in ("cross", "slip", "storm"):
            infiltrate(s, c, verb, noun)
        else:
            c.over = 1


@rule("4.1.1c", "0.2.1d", "4.3l", "3b")
def go(s: S, c: MoveStack, h: int) -> None:
    """4.1.1c The stack goes there by the cheapest way, 4.3l taking what lies on it; 0.2.1d markers follow an HQ."""
    start = s.place[c.units[0]]
    spent, path = 0, [h]
    if c.reach in ("", "half"):
        spent, path = route(s, c.units, h, c.spent, lifted=c.lifted, shun_zoc=c.gone == 2, half=c.reach == "half")
    for u in c.units:
        if IS_HQ[u]:
            carry_markers(s, u, h)
        put(s, u, h)
    if any(not IS_HQ[u] for u in c.units):
        for passed in path:
            if not is_there(s, 1 - c.side, passed):
                occupy(s, c.side, passed)
    lift_confusion(s, start)
    emit(s, "moved", "4.1.1c", units=[name_of(u) for u in c.units], start=CODES[start], place=CODES[h], spent=spent,
         way=[CODES[x] for x in (start, *path)])  # fmt: skip
    c.spent, c.hexes, c.lifted, c.gone = spent, c.hexes + len(path), (), 1


@rule("0.2.1d", "0.2.1b")
def carry_markers(s: S, hq: int, h: int) -> None:
    """0.2.1d Offensive markers go with the headquarters they lie with; 0.2.1b no more than two in a hex."""
    here = s.place[hq]
    if any(v != hq for v in hqs_in(s, here, SIDE[hq])):
        return
    taken = min(s.offensive[here], max(0, LIMITS["markers"] - s.offensive[h]))
    s.offensive[here] -= taken
    s.offensive[h] += taken


@rule("4.4c", "4.4b")
def infiltrate(s: S, c: MoveStack, verb: str, h: int) -> None:
    """4.4c The infiltration die; a natural one disorganises the unit. 6.11a A hex stormed is fought over at once."""
    chart, u = CHARTS["infiltration"], c.units[0]
    c.over = 1
    (die,) = roll(s, "4.4c", side=c.side)
    bonus = chart["special_die"] if RANGER[u] or COMMANDO[u] else 0
    start = s.place[u]
    if die + bonus >= chart[{"cross": "cross", "slip": "leave", "storm": "assault"}[verb]]:
        put(s, u, h)
        emit(s, "infiltrated", "4.4c", unit=name_of(u), place=CODES[h])
        if verb == "storm":
            s.confusion[h] = 1
            enter(s, Combat(kind="assault", side=c.side, target=h, attackers=(u,), asked=COMMITTED))
        else:
            occupy(s, c.side, h)
        lift_confusion(s, start)
    else:
        emit(s, "infiltration-failed", "4.4c", unit=name_of(u))
    if die == chart["mishap"]:
        disorganise(s, u, 1, "4.4c")


# --- 4.3 overrun ----------------------------------------------------------------------------------------------------


@rule("4.3a", "4.3c", "4.3d", "4.3g", "4.3k")
def begin_overrun(s: S, c: MoveStack, h: int) -> None:
    """4.3g An overrun is fought at once by the moving stack alone; 4.3k a lone headquarters is simply lost."""
    c.spent += overrun_cost(s, c, h)
    c.overran = (*c.overran, h)
    emit(s, "overrun", "4.3g", units=[name_of(u) for u in c.units], place=CODES[h])
    if not units_in(s, h, 1 - c.side):
        for hq in hqs_in(s, h, 1 - c.side):
            destroy_hq(s, hq, "4.3k")
        _break_through(s, c, h, ())
        return
    enter(s, Combat(kind="overrun", side=c.side, target=h, attackers=c.units, asked=COMMITTED))


def _break_through(s: S, c: MoveStack, h: int, driven: tuple[int, ...]) -> None:
    c.units = tuple(u for u in c.units if s.steps[u] and s.place[u] < HEXES)
    if not c.units:
        c.over = 1
        return
    for u in c.units:
        put(s, u, h)
    occupy(s, c.side, h)
    zones: list[int] = []
    for u in driven:
        if s.place[u] < HEXES and ZONAL[u]:
            zones += ZOC_NEXT[s.place[u]]
    c.lifted, c.gone, c.hexes = tuple(sorted(zones)), 2, c.hexes + 1


@rule("4.3h", "4.3i")
def end_overrun(s: S, c: Combat) -> None:
    """4.3i Enemy gone: the stack enters and may go on; 4.3h else it stays, stops and is disorganised once more."""
    stack = s.frames[-2] if len(s.frames) > 1 else None
    if not isinstance(stack, MoveStack):
        end_ride(s, c)
        return
    if c.won and why_not_stack(s, c.side, c.target, [u for u in c.attackers if s.steps[u]]) is None:
        _break_through(s, stack, c.target, c.driven)
        return
    stack.over = 1
    for u in c.attackers:
        if s.steps[u] and not c.won:
            disorganise(s, u, 1, "4.3h")
    emit(s, "overrun-failed", "4.3h", place=CODES[c.target])


@rule("4.1.1b", "1.1.1.3k")
def end_move(s: S, c: MoveStack) -> None:
    """4.1.1b The stack has moved and will not move again this phase; 1.1.1.3k sleepers next to it wake up."""
    for u in c.units:
        s.moved[u] = 1
    wake_units(s)


@rule("1.1.1.3k")
def wake_units(s: S) -> None:
    """1.1.1.3k A resting unit next to an enemy unit loses its rest at once."""
    if s.resting.count(0) == COUNT:
        return
    for u in compress(range(COUNT), s.resting):
        if s.place[u] < HEXES:
            if any(is_there(s, 1 - SIDE[u], n) and units_in(s, n, 1 - SIDE[u]) for n in LAND_NEXT[s.place[u]]):
                s.resting[u] = 0
                emit(s, "rest-ended", "1.1.1.3k", unit=name_of(u))
