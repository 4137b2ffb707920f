"""Chapters 4.1.1 to 4.4 as decisions: pick a stack, take it somewhere, overrun, land, slip through."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Frame, Refusal, emit, enter, roll, rule

from ..frames import Combat, Exploitation, MoveStack, PlayerPhase, Shelling
from ..state import FULL
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AT,
    BRITISH_BEACHES,
    CHARTS,
    CODES,
    COMMANDO,
    COUNT,
    COUNTERS,
    DEPOT_HEX,
    DEPOT_INDEX,
    DEPOTS,
    DIVISION,
    ELITE,
    FIXED,
    GROUP,
    HEXES,
    INDEX,
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

IDS = tuple(c.id for c in COUNTERS)
MOVERS = tuple(tuple(u for u in range(COUNT) if SIDE[u] == side and not FIXED[u]) for side in (0, 1))
MOVES_DONE = 2  # bit of PlayerPhase.done


def mover(s: S, c: PlayerPhase | MoveStack | Exploitation) -> Iterable[int]:
    """The side that moves."""
    return (c.side,)


def is_called(s: S, c: Frame, u: int) -> bool:
    """6.8c In an exploitation only the reserves just released move; else everybody."""
    return s.reserve[u] == 2 if isinstance(c, Exploitation) else s.reserve[u] != 2


@rule("1.1.2.2a", "4.1.1b", "4.1.1a", "6.8c")
class PickStack(Decision):
    """1.1.2.2a Choose the next counter to move on the map, land one, or end the movement."""

    verbs = ("move", "land", "done")

    def needed(self, s: S, c: PlayerPhase | Exploitation, side: int) -> bool:
        """Until the side says that it has finished."""
        if isinstance(c, Exploitation):
            return c.stage == 1 and any(v == "move" for v, _ in self.legal(s, c, side))
        return not c.done & MOVES_DONE

    def candidates(self, s: S, c: PlayerPhase | Exploitation, side: int) -> Iterable[Action]:
        """Counters on the map, counters in the reserve with each depot."""
        for u, place in enumerate(s.place):
            if place < HEXES and SIDE[u] == side and not s.moved[u]:
                yield "move", name_of(u)
        for u, d in self._landings(s, c, side):
            yield "land", f"{name_of(u)}>{DEPOTS[d].id}"
        yield "done", ""

    def _landings(self, s: S, c: PlayerPhase | Exploitation, side: int) -> list[tuple[int, int]]:
        """The counters in the reserve with each depot at work."""
        if side != ALLIED or not s.head[RESERVE] or not isinstance(c, PlayerPhase):
            return []
        waiting = counters_in(s, RESERVE)
        return [(u, d) for d in range(len(DEPOTS)) if is_operational(s, d) for u in waiting if serves(d, GROUP[u])]

    def why_not(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str, target: str) -> Refusal | None:
        """4.1.1 A counter that may not move, 4.2 or not land there."""
        if verb == "done":
            return None
        if verb == "move":
            u = INDEX[target]
            if SIDE[u] != side:
                return Refusal("1.1.2.2a", "not-yours", {"unit": target})
            if not is_called(s, c, u):
                return Refusal("6.8b", "not-called", {"unit": target})
            return why_not_move(s, u)
        name, _, depot = target.partition(">")
        return why_not_land(s, INDEX[name], DEPOT_INDEX[depot])

    def legal(self, s: S, c: PlayerPhase | Exploitation, side: int) -> list[Action]:
        """The same questions, asked of numbers rather than of names."""
        wanted = 2 if isinstance(c, Exploitation) else 0
        moved, reserve, place, resting, confusion = s.moved, s.reserve, s.place, s.resting, s.confusion
        out: list[Action] = [
            ("move", IDS[u]) for u in MOVERS[side]
            if place[u] < HEXES and not moved[u] and reserve[u] == wanted
            and (not (resting[u] or confusion[place[u]]) or why_not_move(s, u) is None)
        ]  # fmt: skip
        out += [
            ("land", f"{IDS[u]}>{DEPOTS[d].id}") for u, d in self._landings(s, c, side)
            if s.landed[d] + PE[u] <= landing_capacity(s, d) and why_not_land(s, u, d) is None
        ]  # fmt: skip
        out.append(("done", ""))
        return out

    def apply(self, s: S, c: PlayerPhase | Exploitation, side: int, verb: str, target: str) -> None:
        """4.1.1b One stack at a time."""
        if verb == "done":
            if isinstance(c, Exploitation):
                c.stage = 2
            else:
                c.done |= MOVES_DONE
        elif verb == "move":
            enter(s, MoveStack(side=side, units=(INDEX[target],)))
        else:
            name, _, depot = target.partition(">")
            land(s, INDEX[name], DEPOT_INDEX[depot])


# --- 4.2 landing ----------------------------------------------------------------------------------------------------


@rule("4.2a", "7.1a", "1.1.1.1i", "2.1d", "10-A.1i", "11.1-reinf-us")
def why_not_land(s: S, u: int, d: int) -> Refusal | None:
    """4.2a A counter of the reserve lands at an operational depot of its group with capacity left; not in a storm."""
    facts = {"unit": name_of(u), "depot": DEPOTS[d].id}
    if s.place[u] != RESERVE:
        return Refusal("4.2a", "not-in-reserve", facts)
    if s.storm:
        return Refusal("1.1.1.1i", "storm", facts)
    if not serves(d, GROUP[u]) or not is_operational(s, d):
        return Refusal("7.1a", "depot-closed", facts)
    if DEPOTS[d].id not in SCENARIOS[s.scenario].raw.get("landing", (DEPOTS[d].id,)):
        return Refusal("11.1-reinf-us", "depot-closed", facts)
    if s.landed[d] + PE[u] > landing_capacity(s, d):
        return Refusal("4.2a", "depot-full", facts)
    h = DEPOT_HEX[d]
    if DIVISION[u] == "79arm" and any(is_there(s, 1 - ALLIED, b) for b in BRITISH_BEACHES):
        return Refusal("10-A.1i", "astride", facts)
    if is_there(s, 1 - ALLIED, h):
        return Refusal("4.1.1e", "enemy-there", facts)
    return why_not_stack(s, ALLIED, h, [u])


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
def why_not_overrun(s: S, c: MoveStack, h: int) -> Refusal | None:
    """4.3b Only a stack of nothing but armour and Panzergrenadiers overruns, 4.3a with the points for it."""
    facts = {"place": CODES[h]}
    here = s.place[c.units[0]]
    if h >= HEXES or h not in OPEN_NEXT[here] or not is_there(s, 1 - c.side, h) or s.confusion[h]:
        return Refusal("4.3c", "not-adjacent", facts | {"unit": name_of(c.units[0])})
    if not all(may_overrun(u) for u in c.units):
        return Refusal("4.3b", "not-armour", facts)
    if h in c.overran:
        return Refusal("4.3a", "already-overrun", facts)
    if any(s.unsupplied[u] for u in c.units):
        return Refusal("7.5d", "unsupplied", {"unit": name_of(c.units[0])})
    cost = overrun_cost(s, c, h)
    left = min(allowance(s, u, 1) for u in c.units) - c.spent
    if not cost or cost > left:
        return Refusal("4.3a", "no-points", facts | {"cost": cost, "left": left})
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
def why_not_special(s: S, u: int) -> Refusal | None:
    """4.4a Only rangers, commandos and elite parachutists in good order do special operations."""
    if not (RANGER[u] or COMMANDO[u] or (PARA[u] and ELITE[u])):
        return Refusal("4.4a", "not-special", {"unit": name_of(u)})
    if s.disorder[u]:
        return Refusal("4.4a", "disorganised", {"unit": name_of(u)})
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

    verbs = ("with", "to", "overrun", "reserve", "cross", "slip", "storm", "stay")

    def needed(self, s: S, c: MoveStack, side: int) -> bool:
        """While the stack can do something more."""
        return not c.over and (not c.gone or len(self.legal(s, c, side)) > 1)

    def legal(self, s: S, c: MoveStack, side: int) -> list[Action]:
        """Reach is computed once for all hexes."""
        out: list[Action] = []
        here = s.place[c.units[0]]
        if s.confusion[here] and not c.reach:
            out += [("slip", CODES[h]) for h in sorted(OPEN_NEXT[here]) if self._why_not_slip(s, c, h) is None]
            return [*out, ("stay", "")]
        if not c.gone and c.reach in ("", "half"):
            out += [("with", name_of(u)) for u in mates(s, c.units)]
        out += [("to", CODES[h]) for h in ways(s, c)]
        if c.reach:
            return [*out, ("stay", "")]
        near = OPEN_NEXT[here] if may_overrun(c.units[0]) else ()
        out += [("overrun", CODES[h]) for h in sorted(near) if why_not_overrun(s, c, h) is None]
        if self._why_not_reserve(s, c) is None:
            out.append(("reserve", ""))
        if is_special(s, c.units[0]):
            out += [("cross", CODES[h]) for h in sorted(LAND_NEXT[here]) if self._why_not_cross(s, c, h) is None]
            out += [("storm", CODES[h]) for h in sorted(OPEN_NEXT[here]) if self._why_not_storm(s, c, h) is None]
        out.append(("stay", ""))
        return out

    def candidates(self, s: S, c: MoveStack, side: int) -> Iterable[Action]:
        """As legal."""
        return self.legal(s, c, side)

    def _why_not_reserve(self, s: S, c: MoveStack) -> Refusal | None:
        """4.1.1f Armour and Panzergrenadiers that have moved one hex at most."""
        if not all(may_overrun(u) and s.reserve[u] == 0 for u in c.units) or c.gone == 2:
            return Refusal("4.1.1f", "no-reserve", {"unit": name_of(c.units[0])})
        if c.hexes > 1:
            return Refusal("4.1.1f", "moved-too-far", {"unit": name_of(c.units[0])})
        return None

    def _why_not_cross(self, s: S, c: MoveStack, h: int) -> Refusal | None:
        """4.4b Over a side that nobody else may cross, instead of a move."""
        u = c.units[0]
        if c.gone or len(c.units) > 1:
            return Refusal("4.4b", "alone-only", {"unit": name_of(u)})
        if not is_closed(s.place[u], h) or is_there(s, 1 - c.side, h):
            return Refusal("4.4b", "nothing-to-cross", {"place": CODES[h]})
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def _why_not_slip(self, s: S, c: MoveStack, h: int) -> Refusal | None:
        """4.4b Out of a melee into a hex without enemies."""
        u = c.units[0]
        if not s.confusion[s.place[u]] or h not in OPEN_NEXT[s.place[u]] or is_there(s, 1 - c.side, h):
            return Refusal("4.4b", "nothing-to-cross", {"place": CODES[h]})
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def _why_not_storm(self, s: S, c: MoveStack, h: int) -> Refusal | None:
        """4.4b The assault of an enemy hex by a single unit that has not moved."""
        u = c.units[0]
        if c.gone or len(c.units) > 1 or s.unsupplied[u]:
            return Refusal("4.4b", "alone-only", {"unit": name_of(u)})
        if h >= HEXES or h not in OPEN_NEXT[s.place[u]] or not units_in(s, h, 1 - c.side):
            return Refusal("4.4b", "nobody-there", {"place": CODES[h]})
        return why_not_special(s, u) or why_not_end_in(s, [u], h)

    def why_not(self, s: S, c: MoveStack, side: int, verb: str, target: str) -> Refusal | None:
        """4.1.1 Too far, closed, full, or not for this stack."""
        if verb == "stay":
            return None
        if verb == "with":
            ok = not c.gone and c.reach in ("", "half") and may_join(s, c.units, INDEX[target])
            return None if ok else Refusal("4.1.1b", "cannot-join", {"unit": target})
        if verb != "to" and c.reach:
            return Refusal("10-A.2a", "not-on-d-day", {})
        if verb == "reserve":
            return self._why_not_reserve(s, c)
        h = AT[target]
        if verb == "overrun":
            return why_not_overrun(s, c, h)
        if verb == "cross":
            return self._why_not_cross(s, c, h)
        if verb == "slip":
            return self._why_not_slip(s, c, h)
        if verb == "storm":
            return self._why_not_storm(s, c, h)
        if s.confusion[s.place[c.units[0]]] and not c.reach:
            return Refusal("6.11c", "in-confusion", {"unit": name_of(c.units[0])})
        if h < HEXES and is_there(s, 1 - c.side, h) and not s.confusion[h]:
            return Refusal("4.1.1e", "enemy-there", {"place": target})
        if h in ways(s, c):
            return None
        full = why_not_end_in(s, c.units, h) if h < HEXES else None
        return full or Refusal("4.1.1a", "out-of-reach", {"place": target, "unit": name_of(c.units[0])})

    def apply(self, s: S, c: MoveStack, side: int, verb: str, target: str) -> None:
        """4.1.1 Do it."""
        if verb == "with":
            c.units = (*c.units, INDEX[target])
        elif verb == "to":
            go(s, c, AT[target])
        elif verb == "overrun":
            begin_overrun(s, c, AT[target])
        elif verb == "reserve":
            for u in c.units:
                s.reserve[u] = 1
            emit(s, "in-reserve", "4.1.1f", units=[name_of(u) for u in c.units])
            c.over = 1
        elif verb in ("cross", "slip", "storm"):
            infiltrate(s, c, verb, AT[target])
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
    emit(s, "moved", "4.1.1c", units=[name_of(u) for u in c.units], start=CODES[start], place=CODES[h], spent=spent)
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
    for u in range(COUNT):
        if s.resting[u] and s.place[u] < HEXES:
            if any(is_there(s, 1 - SIDE[u], n) and units_in(s, n, 1 - SIDE[u]) for n in LAND_NEXT[s.place[u]]):
                s.resting[u] = 0
                emit(s, "rest-ended", "1.1.1.3k", unit=name_of(u))


def movement_over(s: S, side: int) -> None:
    """1.0c The moves of the phase are over: marks of movement are cleared."""
    for u in range(COUNT):
        if SIDE[u] == side:
            s.moved[u] = 0
