"""Chapters 4.1.2, 5.2, 6.12 and 6.13: the strategic map, interdiction, Confusion in boxes, sieges, Paris."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grognard.kernel import Decision, No, emit, enter, leave, no, rule

from ..frames import Combat, LeaveBox, PlayerPhase
from ..nouns import BOX, HEX, NOTHING, UNIT
from ..state import NO_UNIT
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    ARMOURED,
    AT,
    BOX_AT,
    BOXES,
    CODES,
    COUNT,
    DIVISION,
    ENTRY_HEXES,
    EXIT_BOX,
    FESTUNG,
    FFI,
    FIRST_BOX,
    FIXED,
    GERMAN,
    GROUP,
    HEXES,
    HQS,
    IS_HQ,
    LAST_BOX,
    LIMITS,
    PARTISAN,
    PLACE_COUNT,
    SCENARIOS,
    SIDE,
    STRATEGIC,
    TRACK,
    is_box,
)
from .command import is_in_range, spend_marker
from .definitions import (
    attack_of,
    counters_in,
    defence_of,
    hqs_in,
    is_supported,
    is_there,
    may_overrun,
    name_of,
    put,
    units_in,
    weight_of,
    why_not_stack,
)
from .losses import POINTS, occupy

OFF_MAP_DONE = 1  # bit of PlayerPhase.done
ACTS = ("exit", "extend", "hunt", "take")  # the cheap questions first
MOBILE = tuple(IS_HQ[u] or not FIXED[u] for u in range(COUNT))
PARTISANS = tuple(u for u in range(COUNT) if PARTISAN[u])
PARISIANS = FFI.index(True)
COMMITTED = 4 | 8  # bits of Combat.asked: no bombardment, attackers chosen (see combat_choices)
BEYOND_SEINE = tuple(AT[b] for b in STRATEGIC["beyond_the_seine"]["boxes"])
PARIS = AT["paris"]
EXITS = tuple(sorted(EXIT_BOX))
NEAR = {
    box: (AT[b.inside],) if b.inside
    else (*(AT[line] for line in b.lines), *(AT[f.id] for f in BOXES if f.inside == b.id))
    for box, b in BOX_AT.items()
}  # fmt: skip
FORTS = frozenset(box for box, b in BOX_AT.items() if b.inside)
JOINED = {box: frozenset(AT[code] for code in (*b.lines, b.inside) if code) for box, b in BOX_AT.items()}
ARMOURED_DIVISIONS = frozenset(DIVISION[u] for u in range(COUNT) if ARMOURED[u] and DIVISION[u])


# --- control and Confusion of boxes ----------------------------------------------------------------------------------


@rule("6.12a", "0.1.2n", "1.1.2.2f", "4.1.2p", "7.2c", "7.2d", "7.2e", "4.1.2g", "11.3-vp-gerdepot")
def settle_boxes(s: S) -> None:
    """6.12a A box with combat units of both sides is in Confusion; 0.1.2n a Festung does not count, nor partisans.

    7.2c An undefended German depot vanishes when an Allied unit arrives; 4.1.2p Paris rises once the Seine is crossed.
    """
    if not SCENARIOS[s.scenario].raw["strategic"]:
        return
    raise_paris(s)
    for box in range(FIRST_BOX, LAST_BOX + 1):
        if BOX_AT[box].inside:
            continue
        allied = [u for u in units_in(s, box, ALLIED) if not PARTISAN[u]]
        german = [u for u in units_in(s, box, GERMAN) if not FESTUNG[u]]
        before, s.confusion[box] = s.confusion[box], int(bool(allied and german))
        if s.confusion[box] and not before:
            emit(s, "confusion", "6.12a", place=CODES[box])
        if allied and not german:
            if box == PARIS and s.control[box] != ALLIED + 1:
                free_paris(s, allied)
            occupy(s, ALLIED, box)
            if s.german_depot[box] and not is_depot_defended(s, box):
                s.german_depot[box] = 0
                s.points[ALLIED] += POINTS["german_depot"]
                emit(s, "german-depot-lost", "7.2c", place=CODES[box])
        elif german and not allied:
            occupy(s, GERMAN, box)


@rule("4.1.2o")
def free_paris(s: S, liberators: list[int]) -> None:
    """4.1.2o Twenty points if the French 2e DB is in Paris when the Allies gain control of it (ruling A44)."""
    if any(DIVISION[u] == "2db" for u in liberators):
        s.points[ALLIED] += POINTS["paris_2db"]
        emit(s, "paris-freed", "4.1.2o", points=POINTS["paris_2db"])


UNDEFENDED = frozenset(AT[code] for code in STRATEGIC["undefended"]["boxes"])


@rule("7.2c", "7.2e", "0.1.2m")
def is_depot_defended(s: S, box: int) -> bool:
    """7.2e A depot with a Festung of its own (Paris, Brest) stands while that holds out; 7.2c Rennes, Le Mans and
    Pas-de-Calais have no defence, 0.1.2m whatever Festungs are boxes in theirs."""
    if box in UNDEFENDED:
        return False
    return any(b.inside == BOX_AT[box].id and is_there(s, GERMAN, AT[b.id]) for b in BOXES)


@rule("4.1.2p", "4.1.2q")
def raise_paris(s: S) -> None:
    """4.1.2p As soon as an Allied unit is beyond the Seine, the FFI rise in Paris."""
    if s.place[PARISIANS] != TRACK or not s.steps[PARISIANS]:
        return
    if any(not PARTISAN[u] for box in BEYOND_SEINE for u in units_in(s, box, ALLIED)):
        put(s, PARISIANS, PARIS)
        emit(s, "paris-rises", "4.1.2p")


@rule("6.12b", "4.1.2m")
def boxes_to_retreat(s: S, u: int) -> list[int]:
    """6.12b Off-map a unit retreats to a neighbouring box of its own side without enemies."""
    side, here = SIDE[u], s.place[u]
    if FIXED[u] and not IS_HQ[u]:
        return []
    lines = [AT[line] for line in BOX_AT[here].lines]
    return sorted(b for b in lines if s.control[b] == side + 1 and not units_in(s, b, 1 - side))


# --- 4.1.2 moving from box to box -----------------------------------------------------------------------------------


NOT_OFF_MAP, NO_LINE = no("0c", "not-off-map"), no("1.1.2.2c", "no-line")
ALREADY_MOVED, UNSUPPLIED = no("4.1.2b", "already-moved"), no("7.5e", "unsupplied")
ONLY_OWN_BOX, CLOSED_TO_ALLIES = no("6.12d", "only-own-box"), no("4.1.2h", "closed-to-allies")
NOBODY_LEADS, NO_GATE = no("4.1.2h", "nobody-leads"), no("0.1.2m", "no-line")
FESTUNG_FULL, NOT_ARMOUR, NOBODY_THERE = (
    no("0.1.2o", "festung-full"),
    no("4.3b", "not-armour"),
    no("4.3c", "nobody-there"),
)
NO_WAY_IN, ENEMY_THERE = no("1.1.2.1b", "no-way-in"), no("1.1.2.1b", "enemy-there")
IN_CONFUSION, NO_WAY_OUT = no("6.12d", "in-confusion"), no("1.1.2.1c", "no-way-out")
NO_PARTISANS, NO_ATTACK_UNSUPPLIED = no("4.1.2m", "no-partisans"), no("7.5d", "unsupplied")
NOT_YOURS, CANNOT_EXTEND, GOES_NOWHERE = (
    no("1.1.2.2a", "not-yours"),
    no("5.2a", "hq-not-supported"),
    no("4.1.2b", "no-way"),
)


@rule("7.5e", "4.1.2c", "1.1.2.2c", "4.1.2b")
def why_not_travel(s: S, u: int, goal: int) -> No | None:
    """4.1.2 May a counter go to the next box? Two boxes at most, along a line, supplied, led if Allied."""
    return why_not_leave(s, u) or why_not_go(s, u, goal)


@rule("7.5e", "4.1.2b")
def why_not_leave(s: S, u: int) -> No | None:
    """4.1.2b What keeps a counter in its box wherever it would go: it never moves, has moved, or is unsupplied."""
    if not is_box(s.place[u]) or (FIXED[u] and not IS_HQ[u]):
        return NOT_OFF_MAP
    if s.moved[u] or s.trips[u] >= 2:
        return ALREADY_MOVED
    return UNSUPPLIED if s.unsupplied[u] else None


@rule("4.1.2c", "1.1.2.2c", "4.1.2h", "6.12d")
def why_not_go(s: S, u: int, goal: int) -> No | None:
    """4.1.2c What closes the next box to a counter that may leave its own."""
    here, side = s.place[u], SIDE[u]
    if goal in FORTS:
        return _why_not_shelter(s, u, goal)
    if goal not in JOINED[here]:
        return NO_LINE
    if s.confusion[here] and s.control[goal] != side + 1:
        return ONLY_OWN_BOX
    if side == ALLIED:
        if not BOX_AT[goal].allied:
            return CLOSED_TO_ALLIES
        refusal = why_not_stack(s, side, goal, [u])
        if refusal:
            return refusal
        if leader_for(s, u) < 0:
            return NOBODY_LEADS
    return None


@rule("0.1.2o", "0.1.2m", "0.1.2r")
def _why_not_shelter(s: S, u: int, goal: int) -> No | None:
    """0.1.2o Germans go into a Festung from the box around it, five stacking points at most."""
    if SIDE[u] != GERMAN or CODES[s.place[u]] != BOX_AT[goal].inside or not is_there(s, GERMAN, goal):
        return NO_GATE
    if weight_of([*units_in(s, goal, GERMAN), u]) > LIMITS["festung"]:
        return FESTUNG_FULL
    return None


@rule("4.1.2h", "4.1.2i", "5.2a", "1.1.2.2b")
def leader_for(s: S, u: int, sent: Mapping[int, int] | None = None) -> int:
    """4.1.2h The headquarters that lets an Allied counter go: one division a phase and one box each, or -1.

    5.2a One that has paid for an Extended move (finished 2) sends all it controls, two boxes far. A headquarters goes
    one box by itself. `sent` tells what headquarters have sent in the stack that is being gathered.
    """
    if IS_HQ[u]:
        return u if s.trips[u] == 0 or s.finished[u] == 2 else -1
    found = -1
    for hq in HQS:
        if GROUP[hq] != GROUP[u] or not is_box(s.place[hq]) or not is_in_range(s, hq, u) or s.unsupplied[hq]:
            continue
        if s.finished[hq] == 2:
            return hq
        convoy = (sent or {}).get(hq, s.convoy[hq])
        same = convoy != NO_UNIT and (DIVISION[convoy] or convoy) == (DIVISION[u] or u)
        if s.trips[u] == 0 and (same or (convoy == NO_UNIT and found < 0)):
            found = hq
            if same:
                break
    return found


def leaders_for(s: S, units: Iterable[int]) -> dict[int, int] | None:
    """4.1.2h What each headquarters sends when these Allied counters go together; None if one may not."""
    sent: dict[int, int] = {}
    for u in units:
        hq = leader_for(s, u, sent)
        if hq < 0:
            return None
        if hq != u and s.finished[hq] != 2:
            sent[hq] = u
    return sent


@rule("5.2c", "4.3a", "4.3b")
def why_not_ride(s: S, u: int, goal: int) -> No | None:
    """5.2c An overrun of the enemies in the next box, by armour or Panzergrenadiers; 4.3a off-map it costs nothing."""
    if not may_overrun(u):
        return NOT_ARMOUR
    if not is_box(goal) or BOX_AT[goal].inside:
        return NO_GATE
    if s.confusion[s.place[u]]:
        return ONLY_OWN_BOX
    if not enemies_in(s, SIDE[u], goal) and not hqs_in(s, goal, 1 - SIDE[u]):
        return NOBODY_THERE
    return why_not_travel(s, u, goal)


def enemies_in(s: S, side: int, box: int) -> list[int]:
    """The enemy units of a box that stop a move: neither a Festung nor partisans."""
    return [v for v in units_in(s, box, 1 - side) if not FESTUNG[v] and not PARTISAN[v]]


def ways_in(s: S, u: int) -> list[int]:
    """1.1.2.1b The entry hexes open to a counter in its box."""
    return [h for h in ENTRY_HEXES.get(s.place[u], ()) if why_not_enter(s, u, h) is None]


def has_open_line(s: S, box: int) -> bool:
    """4.1.2c A line leads every German who may move out of the box: to any box, 6.12d out of Confusion to his own."""
    return any(b not in FORTS and (not s.confusion[box] or s.control[b] == GERMAN + 1) for b in NEAR[box])


def has_way(s: S, u: int) -> bool:
    """4.1.2 A counter of a box can go somewhere: onto the map, to the next box, over the enemy in it.

    Whoever may overrun a box may also travel to it, so that need not be asked.
    """
    if s.moved[u] or s.unsupplied[u]:
        return False
    box = s.place[u]
    if not s.trips[u] and not s.confusion[box]:
        for h in ENTRY_HEXES.get(box, ()):
            if why_not_enter(s, u, h) is None:
                return True
    return s.trips[u] < 2 and any(why_not_go(s, u, goal) is None for goal in NEAR[box])


@rule("1.1.2.1b", "1.1.2.1c", "1.1.2.1f", "1.1.2.2d", "5.2a", "5.2b", "1.1.2.2e")
class OffMap(Decision):
    """1.1.2.1 Cross between the two maps and move from box to box, before anything moves on the hexes.

    `take` picks a counter of a box up; where it goes is asked next.
    """

    verbs = {"take": UNIT, "extend": UNIT, "hunt": UNIT, "exit": UNIT, "done": NOTHING}

    def needed(self, s: S, c: PlayerPhase, side: int) -> bool:
        """While there is something to do."""
        if c.done & OFF_MAP_DONE or not SCENARIOS[s.scenario].raw["strategic"]:
            return False
        return any(True for verb in ACTS for _ in self.able(s, c, side, verb))

    def nouns(self, s: S, c: PlayerPhase, side: int, verb: str) -> Iterator[int]:
        """Counters in boxes and on exit hexes."""
        if verb == "done":
            yield 0
            return
        base = side * PLACE_COUNT
        for place in EXITS if verb == "exit" else range(FIRST_BOX, LAST_BOX + 1):
            if s.there[base + place]:
                for u in counters_in(s, place):
                    if SIDE[u] == side and (MOBILE[u] or verb == "exit"):
                        yield u

    def able(self, s: S, c: PlayerPhase, side: int, verb: str) -> Iterator[int]:
        """The same without those that are refused; what holds for a whole box is asked once for it."""
        if verb == "exit":
            yield from (u for u in self.nouns(s, c, side, verb) if why_not_exit(s, u) is None)
        elif verb == "extend":
            if side == ALLIED:
                yield from (hq for hq in HQS if why_not_extend(s, hq) is None)
        elif verb == "hunt":
            if side == GERMAN:
                for u in PARTISANS:
                    if is_box(s.place[u]):
                        yield from (v for v in units_in(s, s.place[u], GERMAN) if why_not_hunt(s, v) is None)
        else:
            base = side * PLACE_COUNT
            for box in range(FIRST_BOX, LAST_BOX + 1):
                if s.there[base + box]:
                    free = side == GERMAN and has_open_line(s, box)
                    for u in counters_in(s, box):
                        if SIDE[u] == side and MOBILE[u] and not s.moved[u] and not s.unsupplied[u]:
                            if (free and s.trips[u] < 2) or has_way(s, u):
                                yield u

    def legal_nouns(self, s: S, c: PlayerPhase, side: int, verb: str) -> list[int]:
        """Those."""
        return [0] if verb == "done" else list(self.able(s, c, side, verb))

    def why_not(self, s: S, c: PlayerPhase, side: int, verb: str, noun: int) -> No | None:
        """4.1.2, 1.1.2.1 The conditions of each."""
        if verb == "done":
            return None
        if SIDE[noun] != side:
            return NOT_YOURS
        if verb == "take":
            if not is_box(s.place[noun]) or not MOBILE[noun]:
                return NOT_OFF_MAP
            return None if has_way(s, noun) else why_not_leave(s, noun) or GOES_NOWHERE
        if verb == "exit":
            return why_not_exit(s, noun)
        if verb == "hunt":
            return why_not_hunt(s, noun)
        return why_not_extend(s, noun)

    def apply(self, s: S, c: PlayerPhase, side: int, verb: str, noun: int) -> None:
        """Do it."""
        if verb == "done":
            c.done |= OFF_MAP_DONE
        elif verb == "take":
            enter(s, LeaveBox(side=side, unit=noun, units=(noun,)))
        elif verb == "hunt":
            s.moved[noun] = 1
            enter(s, Combat(side=side, target=s.place[noun], attackers=(noun,), asked=COMMITTED))
        elif verb == "extend":
            spend_marker(s, noun, "5.2a")
            s.finished[noun] = 2
            emit(s, "extended", "5.2a", hq=name_of(noun))
        else:
            transfer(s, noun, EXIT_BOX[s.place[noun]])


@rule("1.1.2.1b", "4.1.2b", "5.2c")
class PickGoal(Decision):
    """4.1.2 Where the counter goes: onto the map, to the next box, or over the enemies in it."""

    verbs = {"enter": HEX, "travel": BOX, "ride": BOX}

    def needed(self, s: S, c: LeaveBox, side: int) -> bool:
        """Once."""
        return c.goal < 0

    def nouns(self, s: S, c: LeaveBox, side: int, verb: str) -> Iterable[int]:
        """Entry hexes, boxes next to its own."""
        return ENTRY_HEXES.get(s.place[c.unit], ()) if verb == "enter" else NEAR[s.place[c.unit]]

    def why_not(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> No | None:
        """4.1.2, 1.1.2.1b The conditions of each."""
        if verb == "travel":
            return why_not_travel(s, c.unit, noun)
        return why_not_ride(s, c.unit, noun) if verb == "ride" else why_not_enter(s, c.unit, noun)

    def apply(self, s: S, c: LeaveBox, side: int, verb: str, noun: int) -> None:
        """1.1.2.1b Across at once, or the stack gathers."""
        if verb == "enter":
            leave(s)
            transfer(s, c.unit, noun)
        else:
            c.kind, c.goal = verb, noun


@rule("5.2a")
def why_not_extend(s: S, hq: int) -> No | None:
    """5.2a An Available, supplied and Supported headquarters in a box may order an Extended move."""
    able = IS_HQ[hq] and is_box(s.place[hq]) and SIDE[hq] == ALLIED and not s.moved[hq]
    if not able or s.finished[hq] or not is_supported(s, hq) or s.unsupplied[hq]:
        return CANNOT_EXTEND
    return None


@rule("4.1.2m")
def why_not_hunt(s: S, u: int) -> No | None:
    """4.1.2m Partisans stay until beaten: one German unit in their box may attack them, for no marker (ruling A43)."""
    foes = units_in(s, s.place[u], ALLIED) if is_box(s.place[u]) and SIDE[u] == GERMAN else []
    if not foes or not all(PARTISAN[v] for v in foes) or not MOBILE[u] or IS_HQ[u] or not attack_of(s, u):
        return NO_PARTISANS
    if s.moved[u] or s.trips[u]:
        return ALREADY_MOVED
    return NO_ATTACK_UNSUPPLIED if s.unsupplied[u] else None


@rule("1.1.2.1b", "6.12d", "7.5e")
def why_not_enter(s: S, u: int, h: int) -> No | None:
    """1.1.2.1b From an entry box to one of its hexes, if no enemy stands there and the box is not in Confusion."""
    box = s.place[u]
    if h not in ENTRY_HEXES.get(box, ()) or s.moved[u] or s.trips[u]:
        return NO_WAY_IN
    if is_there(s, 1 - SIDE[u], h):
        return ENEMY_THERE
    if s.confusion[box]:
        return IN_CONFUSION
    if s.unsupplied[u]:
        return UNSUPPLIED
    return why_not_stack(s, SIDE[u], h, [u])


@rule("1.1.2.1c")
def why_not_exit(s: S, u: int) -> No | None:
    """1.1.2.1c From a lettered hex to its box; not for what never moves."""
    if s.place[u] not in EXIT_BOX or s.moved[u] or (FIXED[u] and not IS_HQ[u]) or s.confusion[s.place[u]]:
        return NO_WAY_OUT
    if s.unsupplied[u]:
        return UNSUPPLIED
    return why_not_stack(s, SIDE[u], EXIT_BOX[s.place[u]], [u])


@rule("1.1.2.1f")
def transfer(s: S, u: int, goal: int) -> None:
    """1.1.2.1f From one map to the other: it costs nothing and the counter may still move."""
    here = s.place[u]
    if IS_HQ[u] and s.offensive[here]:
        room = LIMITS["markers"] - s.offensive[goal] if goal < HEXES else s.offensive[here]
        taken = max(0, min(room, s.offensive[here]))
        s.offensive[here] -= taken
        s.offensive[goal] += taken
    put(s, u, goal)
    if not IS_HQ[u] and goal < HEXES:
        occupy(s, SIDE[u], goal)
    emit(s, "transferred", "1.1.2.1f", unit=name_of(u), start=CODES[here], place=CODES[goal])
    settle_boxes(s)


# --- 6.13 sieges ----------------------------------------------------------------------------------------------------


@rule("6.13a", "6.13b", "0.1.2q")
def is_besieged(s: S, box: int) -> bool:
    """6.13b A Festung is besieged by an Allied stack around it worth half of its defence and of the men inside.

    No German unit may be left outside in the box.
    """
    around = AT[BOX_AT[box].inside]
    inside = units_in(s, box, GERMAN)
    if not inside or units_in(s, around, GERMAN):
        return False
    siege = sum(defence_of(s, u) for u in units_in(s, around, ALLIED) if not PARTISAN[u])
    return siege > 0 and siege * 2 >= sum(defence_of(s, u) for u in inside)
