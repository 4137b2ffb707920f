"""Chapters 1.1.3, 6.8 and 6.9: headquarters fight one after the other, exploit, and strike back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grognard.kernel import Decision, No, emit, enter, no, rule

from ..frames import Activation, Combat, CounterAttack, Exploitation, PlayerPhase
from ..nouns import HEX, NOTHING, PLACE, UNIT
from ..state import ATTACKED
from ..state import NormandieState as S
from ..world import (
    AT,
    BOX_AT,
    BOXES,
    CODES,
    COUNT,
    GROUP,
    HEXES,
    HQS,
    IS_HQ,
    LAND_NEXT,
    LAST_BOX,
    OPEN_NEXT,
    SIDE,
    distance,
    is_box,
)
from .combat import eligible, why_not_target
from .command import (
    FIGHTERS,
    is_free_turn,
    is_in_range,
    is_in_support_range,
    led_by,
    spend_marker,
    why_not_activate,
    why_not_control,
)
from .definitions import attack_of, hqs_in, is_supported, is_there, name_of, put, units_in, why_not_stack
from .losses import occupy

COMBATS_DONE = 4  # bit of PlayerPhase.done


def fighter(s: S, c: PlayerPhase | Activation | Exploitation | CounterAttack) -> Iterable[int]:
    """The side that acts."""
    return (c.side,)


NOT_YOURS, NOTHING_TO_ATTACK = no("1.0d", "not-yours"), no("6.1a", "nothing-to-attack")
NOT_ADJACENT, NO_RESERVE_THERE = no("6.1a", "not-adjacent"), no("6.8b", "no-reserve-there")
CANNOT_COUNTER, NOT_CALLED = no("6.9b", "hq-cannot-counter"), no("6.9e", "not-called")
ONE_HEX_ONLY, ENEMY_THERE = no("6.9f", "one-hex-only"), no("4.1.1e", "enemy-there")
AWAY_FROM_BATTLE = no("6.9a", "away-from-battle", lambda s, c, side, noun: {"place": CODES[c.target]})
PICK_FIRST, IN_HAND = (
    no("6.9f", "pick-first"),
    no("6.9f", "in-hand", lambda s, c, side, noun: {"unit": name_of(c.unit)}),
)


@rule("1.0d", "1.1.3a", "1.1.3b", "1.1.3d", "0.1.1c")
class PickHq(Decision):
    """1.0d Headquarters are taken one by one: each fights, or 1.1.3a passes and stays Available."""

    verbs = {"activate": UNIT, "end": NOTHING}

    def needed(self, s: S, c: PlayerPhase, side: int) -> bool:
        """While a headquarters could fight and the side has not ended its combats."""
        if c.done & COMBATS_DONE:
            return False
        return any(self.why_not(s, c, side, "activate", hq) is None for hq in HQS if SIDE[hq] == side)

    def nouns(self, s: S, c: PlayerPhase, side: int, verb: str) -> Iterable[int]:
        """Every headquarters of the side."""
        return (0,) if verb == "end" else [hq for hq in HQS if SIDE[hq] == side]

    def why_not(self, s: S, c: PlayerPhase, side: int, verb: str, noun: int) -> No | None:
        """1.1.3b Not Available, not Supported, or with nothing to attack."""
        if verb == "end":
            return None
        if not IS_HQ[noun] or SIDE[noun] != side:
            return NOT_YOURS
        refusal = why_not_activate(s, noun)
        if refusal:
            return refusal
        return None if has_target(s, side, noun) else NOTHING_TO_ATTACK

    def apply(self, s: S, c: PlayerPhase, side: int, verb: str, noun: int) -> None:
        """1.1.3b One marker is spent and the headquarters is Finished."""
        if verb == "end":
            c.done |= COMBATS_DONE
            return
        spend_marker(s, noun, "1.1.3b")
        s.finished[noun] = 1
        emit(s, "activated", "1.1.3b", hq=name_of(noun))
        enter(s, Activation(side=side, hq=noun))


@rule("5a", "5.1a", "5.1c", "8b")
def commanded(s: S, hq: int) -> list[int]:
    """5a The units that a headquarters could lead into combat now."""
    return list(_obedient(s, hq))


def _obedient(s: S, hq: int) -> Iterator[int]:
    """Those units one by one, for whoever needs only the first."""
    led = led_by(s, hq)
    for u in FIGHTERS[GROUP[hq]]:
        if s.place[u] > LAST_BOX or not s.steps[u] or s.unsupplied[u] or s.resting[u] or s.reserve[u]:
            continue
        if s.fought[u] & ATTACKED or not attack_of(s, u) or not is_in_range(s, hq, u):
            continue
        if why_not_control(s, hq, u, led=led) is None:
            yield u


@rule("6.12b", "6.13a", "6.1a", "5.4b")
def places_next_to(s: S, u: int, side: int) -> list[int]:
    """6.1a The enemy places that a unit touches; 6.12b its own box off-map, 5.4b even for a headquarters alone in it,
    and 6.13a a Festung inside it."""
    here = s.place[u]
    if here < HEXES:
        if s.confusion[here]:
            return [here]
        return [n for n in OPEN_NEXT[here] if is_there(s, 1 - side, n)]
    if not is_box(here):
        return []
    found = [here] if s.confusion[here] or hqs_in(s, here, 1 - side) else []
    found += [AT[b.id] for b in BOXES if b.inside == BOX_AT[here].id and is_there(s, 1 - side, AT[b.id])]
    return found


@rule("6.1a", "1.1.3b", "6.1e")
def targets_of(s: S, side: int, hq: int) -> list[int]:
    """6.1a The places that a headquarters may attack with the units it commands."""
    found: set[int] = set()
    for u in commanded(s, hq):
        found.update(places_next_to(s, u, side))
    return [p for p in sorted(found) if why_not_target(s, side, p) is None]


def has_target(s: S, side: int, hq: int) -> bool:
    """6.1a There is at least one such place."""
    return any(why_not_target(s, side, p) is None for u in _obedient(s, hq) for p in places_next_to(s, u, side))


@rule("6.1a", "6.1g", "1.1.3c", "6.3a", "5.3d", "5.3b")
class PickTarget(Decision):
    """6.1g The attacks of a headquarters, declared and resolved one after the other."""

    verbs = {"attack": PLACE, "done": NOTHING}

    def needed(self, s: S, c: Activation, side: int) -> bool:
        """While there is something left to attack."""
        return not c.over and has_target(s, side, c.hq)

    def nouns(self, s: S, c: Activation, side: int, verb: str) -> Iterable[int]:
        """Enemy places next to its units."""
        return (0,) if verb == "done" else targets_of(s, side, c.hq)

    def legal_nouns(self, s: S, c: Activation, side: int, verb: str) -> list[int]:
        """All of them are legal by construction."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: S, c: Activation, side: int, verb: str, noun: int) -> No | None:
        """6.1 Nobody there, nobody near, or it has already defended."""
        if verb == "done":
            return None
        refusal = why_not_target(s, side, noun)
        if refusal:
            return refusal
        near = any(noun in places_next_to(s, u, side) for u in _obedient(s, c.hq))
        return None if near else NOT_ADJACENT

    def apply(self, s: S, c: Activation, side: int, verb: str, noun: int) -> None:
        """6.1g Declare it; 5.3b the headquarters adds its bonus if it is near enough."""
        if verb == "done":
            c.over = 1
            return
        helps = is_in_support_range(s, c.hq, noun)
        emit(s, "attack-declared", "6.1g", hq=name_of(c.hq), place=CODES[noun])
        enter(s, Combat(side=side, hq=c.hq, target=noun, support=(c.hq,) if helps else ()))


# --- 6.8 exploitation -----------------------------------------------------------------------------------------------


def reserve_hexes(s: S, side: int, hq: int) -> list[int]:
    """6.8b Hexes with reserves of the side under the headquarters."""
    return sorted({
        s.place[u] for u in range(COUNT)
        if s.reserve[u] == 1 and SIDE[u] == side and s.place[u] < HEXES and why_not_control(s, hq, u) is None
    })  # fmt: skip


@rule("6.8a", "6.8e", "6.9g", "6.12c")
def may_exploit(s: S, c: Combat) -> bool:
    """6.8a The result allows it and reserves are there; 6.8e never off-map, 6.9g nor after a counter-attack."""
    return bool(c.exploit and c.kind == "attack" and c.target < HEXES and reserve_hexes(s, c.side, c.hq))


@rule("6.8a")
def begin_exploitation(s: S, c: Combat) -> Exploitation:
    """6.8a The headquarters is turned back to Available for one more activation."""
    s.finished[c.hq] = 0
    emit(s, "exploitation", "6.8a", hq=name_of(c.hq))
    return Exploitation(side=c.side, hq=c.hq)


@rule("6.8b")
class PickReserve(Decision):
    """6.8b Release up to two stacks of the reserve, for no marker."""

    verbs = {"release": HEX, "go": NOTHING}

    def needed(self, s: S, c: Exploitation, side: int) -> bool:
        """Until two are chosen or the side goes on."""
        return c.stage == 0 and c.stacks < 2 and bool(reserve_hexes(s, side, c.hq))

    def nouns(self, s: S, c: Exploitation, side: int, verb: str) -> Iterable[int]:
        """The stacks in reserve."""
        return (0,) if verb == "go" else reserve_hexes(s, side, c.hq)

    def why_not(self, s: S, c: Exploitation, side: int, verb: str, noun: int) -> No | None:
        """6.8b Only reserves under its command."""
        return None if verb == "go" or noun in reserve_hexes(s, side, c.hq) else NO_RESERVE_THERE

    def apply(self, s: S, c: Exploitation, side: int, verb: str, noun: int) -> None:
        """6.8b Released units may move again."""
        if verb == "go":
            c.stage = 1
            return
        c.stacks += 1
        for u in units_in(s, noun, side):
            if s.reserve[u] == 1:
                s.reserve[u], s.moved[u] = 2, 0


def exploit_moves(s: S, c: Exploitation) -> None:
    """6.8c First they move."""
    c.stage = 1


def exploit_fights(s: S, c: Exploitation) -> None:
    """6.8c Then they fight."""
    c.stage = 2


@rule("6.8c", "6.8d")
class PickExploitTarget(Decision):
    """6.8c The released units attack, together or apart; 6.8d the headquarters helps for a marker."""

    verbs = {"attack": PLACE, "done": NOTHING}

    def pool(self, s: S) -> list[int]:
        """Released units that have not attacked in the exploitation."""
        return [u for u in range(COUNT) if s.reserve[u] == 2 and attack_of(s, u) and not s.unsupplied[u]
                and not s.fought[u] & ATTACKED and s.place[u] < HEXES]  # fmt: skip

    def needed(self, s: S, c: Exploitation, side: int) -> bool:
        """While they touch an enemy."""
        return c.stage == 2 and bool(self.nouns(s, c, side, "attack"))

    def nouns(self, s: S, c: Exploitation, side: int, verb: str) -> list[int]:
        """Enemy hexes next to them."""
        return [0] if verb == "done" else sorted({p for u in self.pool(s) for p in places_next_to(s, u, side)})

    def legal_nouns(self, s: S, c: Exploitation, side: int, verb: str) -> list[int]:
        """All of them are legal by construction."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: S, c: Exploitation, side: int, verb: str, noun: int) -> No | None:
        """6.8c Only what they touch."""
        if verb == "done" or any(noun in places_next_to(s, u, side) for u in self.pool(s)):
            return None
        return NOT_ADJACENT

    def apply(self, s: S, c: Exploitation, side: int, verb: str, noun: int) -> None:
        """6.8c Fight."""
        if verb == "done":
            c.stage = 3
            return
        pool = tuple(u for u in self.pool(s) if noun in places_next_to(s, u, side))
        enter(s, Combat(kind="exploitation", side=side, hq=c.hq, target=noun, pool=pool))


def end_exploitation(s: S, c: Exploitation) -> None:
    """6.8a, ruling A36: the headquarters is Finished for good and the reserves are used up."""
    s.finished[c.hq] = 1
    for u in range(COUNT):
        if s.reserve[u] == 2:
            s.reserve[u], s.moved[u] = 0, 1


# --- 6.9 counter-attack ---------------------------------------------------------------------------------------------


@rule("6.9a", "6.9g", "6.9h")
def may_counter(s: S, c: Combat) -> bool:
    """6.9a After an advance without exploitation; 6.9g never after a counter-attack, 6.9h never off-map."""
    return bool(c.kind == "attack" and c.advanced and not c.exploit and c.target < HEXES and counter_hqs(s, c))


@rule("6.9b", "6.9d", "5.3a")
def counter_hqs(s: S, c: Combat | CounterAttack) -> list[int]:
    """6.9b Available headquarters within 2 hexes of the lost hex, 6.9d with a marker if there is somebody to fight."""
    side = c.side if isinstance(c, CounterAttack) else 1 - c.side
    fight = is_there(s, 1 - side, c.target)
    return [
        hq for hq in HQS
        if SIDE[hq] == side and not s.finished[hq] and not s.unsupplied[hq] and s.place[hq] < HEXES
        and distance(s.place[hq], c.target) <= 2 and (not fight or is_supported(s, hq) or is_free_turn(s))
        and counter_pool(s, side, c.target, c.driven, hq)
    ]  # fmt: skip


@rule("6.9e")
def counter_pool(s: S, side: int, target: int, driven: tuple[int, ...], hq: int) -> tuple[int, ...]:
    """6.9e Units that just retreated, and units next to them or to the lost hex."""
    near = set(LAND_NEXT[target])
    for u in driven:
        if s.place[u] < HEXES:
            near.add(s.place[u])
            near.update(LAND_NEXT[s.place[u]])
    out = []
    for h in sorted(near):
        for u in units_in(s, h, side):
            if GROUP[u] == GROUP[hq] and attack_of(s, u) and not s.unsupplied[u] and not s.resting[u]:
                if not s.reserve[u] and not s.confusion[h] and u not in out:
                    out.append(u)
    return tuple(sorted(out))


def begin_counter(s: S, c: Combat) -> CounterAttack:
    """6.9a The side that lost the hex is asked."""
    return CounterAttack(side=1 - c.side, target=c.target, driven=c.driven)


@rule("6.9a", "6.9b")
class StartCounter(Decision):
    """6.9a Strike back at once, or accept the loss."""

    verbs = {"counter": UNIT, "accept": NOTHING}

    def needed(self, s: S, c: CounterAttack, side: int) -> bool:
        """Once."""
        return c.stage == 0 and bool(counter_hqs(s, c))

    def nouns(self, s: S, c: CounterAttack, side: int, verb: str) -> Iterable[int]:
        """Each headquarters near enough."""
        return (0,) if verb == "accept" else counter_hqs(s, c)

    def why_not(self, s: S, c: CounterAttack, side: int, verb: str, noun: int) -> No | None:
        """6.9b Only those."""
        return None if verb == "accept" or noun in counter_hqs(s, c) else CANNOT_COUNTER

    def apply(self, s: S, c: CounterAttack, side: int, verb: str, noun: int) -> None:
        """6.9b The headquarters is activated."""
        if verb == "accept":
            c.stage = 3
            return
        c.hq, c.stage = noun, 1
        c.pool = counter_pool(s, side, c.target, c.driven, c.hq)
        emit(s, "counter-attack", "6.9a", hq=name_of(noun), place=CODES[c.target])


@rule("6.9f", "6.9c", "6.9a")
def why_not_shift(s: S, c: CounterAttack, u: int, h: int) -> No | None:
    """6.9f One hex, to where the unit can strike from, 6.9c or into the lost hex if that is empty; within stacking."""
    if h not in OPEN_NEXT[s.place[u]]:
        return ONE_HEX_ONLY
    if is_there(s, 1 - c.side, h):
        return ENEMY_THERE
    held = is_there(s, 1 - c.side, c.target)
    if h not in (OPEN_NEXT[c.target] if held else (c.target,)):
        return AWAY_FROM_BATTLE
    return why_not_stack(s, c.side, h, [u])


def shifts_of(s: S, c: CounterAttack, u: int) -> list[int]:
    """6.9f The hexes to which a unit of the counter-attack may move."""
    if s.place[u] >= HEXES:
        return []
    return [h for h in OPEN_NEXT[s.place[u]] if why_not_shift(s, c, u, h) is None]


@rule("6.9f", "6.9c")
class ShiftUnits(Decision):
    """6.9f Units of the counter-attack may first move one hex; 6.9c an empty hex is simply taken back.

    `shift` picks one up; where it goes is asked if there are several hexes.
    """

    verbs = {"shift": UNIT, "to": HEX, "strike": NOTHING}

    def needed(self, s: S, c: CounterAttack, side: int) -> bool:
        """Until the side strikes."""
        return c.stage == 1 and (c.unit >= 0 or bool(self.legal_nouns(s, c, side, "shift")))

    def nouns(self, s: S, c: CounterAttack, side: int, verb: str) -> Iterable[int]:
        """Every unit of the counter-attack; with one in hand, the hexes next to it."""
        if verb == "to":
            return OPEN_NEXT[s.place[c.unit]] if c.unit >= 0 else ()
        if c.unit >= 0:
            return ()
        return (0,) if verb == "strike" else c.pool

    def why_not(self, s: S, c: CounterAttack, side: int, verb: str, noun: int) -> No | None:
        """6.9f One at a time, each once."""
        if verb == "to":
            return why_not_shift(s, c, c.unit, noun) if c.unit >= 0 else PICK_FIRST
        if c.unit >= 0:
            return IN_HAND
        if verb == "strike":
            return None
        if noun not in c.pool:
            return NOT_CALLED
        if noun in c.driven_moved:
            return ONE_HEX_ONLY
        return None if shifts_of(s, c, noun) else AWAY_FROM_BATTLE

    def apply(self, s: S, c: CounterAttack, side: int, verb: str, noun: int) -> None:
        """6.9f Shift one unit, or strike."""
        if verb == "strike":
            c.stage = 2
            return
        if verb == "shift":
            goals = shifts_of(s, c, noun)
            if len(goals) > 1:
                c.unit = noun
                return
            u, goal = noun, goals[0]
        else:
            u, goal = c.unit, noun
        start = CODES[s.place[u]]
        put(s, u, goal)
        occupy(s, side, goal)
        c.driven_moved, c.unit = (*c.driven_moved, u), -1
        emit(s, "moved", "6.9f", units=[name_of(u)], start=start, place=CODES[goal], spent=0)


@rule("6.9d", "6.9c", "6.9g")
def strike_back(s: S, c: CounterAttack) -> None:
    """6.9d If somebody holds the hex, spend the marker and fight; ruling A35: the headquarters is then Finished."""
    if c.stage == 3 or c.hq < 0:
        return
    c.stage = 3
    if not is_there(s, 1 - c.side, c.target):
        return
    fight = Combat(kind="counter", side=c.side, hq=c.hq, target=c.target, pool=c.pool, support=(c.hq,))
    if not eligible(s, fight):
        return
    spend_marker(s, c.hq, "6.9d")
    s.finished[c.hq] = 1
    enter(s, fight)
