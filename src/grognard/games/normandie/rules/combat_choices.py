"""Chapters 6.2 to 6.5 and 6.7 as decisions: bombard, commit, support, advance (6.6 is in `retreat_choices`)."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, No, emit, leave, no, rule

from ..frames import Combat
from ..nouns import COVER, COVER_WORDS, HEX, NOTHING, UNIT
from ..state import ATTACKED, FINISHED
from ..state import NormandieState as S
from ..world import ALLIED, CODES, GERMAN, GROUP, HEXES, OPEN_NEXT
from .bombardment import bombers_of, means_of, plan_barrage, why_not_bombard
from .combat import (
    ALREADY_ATTACKED,
    allied_group,
    beach_alone,
    covers,
    eligible,
    has_real_choice,
    is_lone_hq,
    plane_for,
    resolve,
    why_not_attack,
    why_not_fly,
)
from .command import defence_hqs, destroy_hq, extra_attack_hqs, is_in_support_range, spend_marker
from .definitions import hqs_in, is_there, name_of, put, units_in, why_not_stack
from .losses import lift_confusion, occupy

# bits of Combat.asked
SHIPS, BOMBERS, NO_MORE_BOMBS, COMMITTED, SUPPORTED, COVERED, SHIELDED, FLOWN, HELD, HALTED = (
    1 << n for n in range(10)
)


def attacker(s: S, c: Combat) -> Iterable[int]:
    """The side that attacks."""
    return (c.side,)


def defender(s: S, c: Combat) -> Iterable[int]:
    """The side that is attacked."""
    return (1 - c.side,)


def allies(s: S, c: Combat) -> Iterable[int]:
    """The Allied side, whose ships and aircraft act in every combat."""
    return (ALLIED,)


NOT_THIS_COMBAT, ALREADY_BOMBARDED = no("6.2a", "not-this-combat"), no("6.2b", "already-bombarded")
NOT_IN_RANGE, NOBODY_ATTACKS = no("6.2c", "not-in-range"), no("6.1a", "nobody-attacks")
CANNOT_ADD, CANNOT_SUPPORT = no("5.3e", "hq-cannot-support"), no("5.3f", "hq-cannot-support")
NO_SUCH_COVER = no("2.2g", "no-such-cover", lambda s, c, side, noun: {"cover": COVER_WORDS[noun]})
TOOK_NO_PART, ALREADY_ADVANCED = no("6.7a", "took-no-part"), no("6.7a", "already-advanced")
NOT_VACATED = no("6.7a", "not-vacated", lambda s, c, side, noun: {"place": CODES[c.target]})
NOT_LEFT, NO_PURSUIT = no("6.7a", "not-vacated"), no("6.7a", "no-pursuit")
PICK_FIRST, IN_HAND = (
    no("6.7a", "pick-first"),
    no("6.7a", "in-hand", lambda s, c, side, noun: {"unit": name_of(c.unit)}),
)


@rule("6.2a", "6.2b", "9.3a", "6.2e", "8c", "9.4c")
class Bombard(Decision):
    """6.2a Before a combat the Allied side may bombard: 6.2b once with ships and once with bombers, never added."""

    verbs = {"ships": HEX, "bombers": HEX, "hold-fire": NOTHING}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While something can still fire."""
        if c.asked & NO_MORE_BOMBS or c.kind not in ("attack", "exploitation", "counter"):
            return False
        return any(self.legal_nouns(s, c, side, verb) for verb in ("ships", "bombers"))

    def hexes(self, s: S, c: Combat) -> list[int]:
        """6.2a The target of an attack, ruling A14: or any hex from which Germans may attack."""
        if c.target >= HEXES:
            return []
        if c.side == ALLIED:
            return [c.target] if units_in(s, c.target, GERMAN) else []
        return sorted({s.place[u] for u in eligible(s, c)} | {s.place[u] for u in c.attackers})

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """The hexes that may be hit."""
        return (0,) if verb == "hold-fire" else self.hexes(s, c)

    def legal_nouns(self, s: S, c: Combat, side: int, verb: str) -> list[int]:
        """What is there is asked before what may be hit."""
        if verb == "hold-fire":
            return [0]
        if c.asked & (SHIPS if verb == "ships" else BOMBERS) or s.storm or s.phase == "O":
            return []
        group = allied_group(s, c)
        if not (any(s.ships[2 * group : 2 * group + 2]) if verb == "ships" else any(bombers_of(s, group))):
            return []
        return [h for h in self.hexes(s, c) if not s.confusion[h] and any(means_of(s, verb, group, h))]

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """6.2 Storm, night, Confusion, range, and what is left of the means."""
        if verb == "hold-fire":
            return None
        if noun not in self.hexes(s, c):
            return NOT_THIS_COMBAT
        refusal = why_not_bombard(s, noun)
        if refusal:
            return refusal
        if c.asked & (SHIPS if verb == "ships" else BOMBERS):
            return ALREADY_BOMBARDED
        return None if any(means_of(s, verb, allied_group(s, c), noun)) else NOT_IN_RANGE

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.2f Fire; with how much is asked next."""
        if verb == "hold-fire":
            c.asked |= NO_MORE_BOMBS
            return
        c.asked |= SHIPS if verb == "ships" else BOMBERS
        plan_barrage(s, verb, allied_group(s, c), noun)


@rule("6.3i", "6.5i", "6.1d", "6.1g")
class Commit(Decision):
    """6.3i The attacker picks, unit by unit, who takes part; 6.5i after the bombardment and before the die."""

    verbs = {"join": UNIT, "fight": NOTHING}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Until the attack is launched; nobody is asked when nobody can attack any more."""
        return not c.asked & COMMITTED and bool(c.attackers or eligible(s, c))

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Units next to the target, then the order to fight."""
        if verb == "fight":
            return (0,) if c.attackers else ()
        return eligible(s, c)

    def legal_nouns(self, s: S, c: Combat, side: int, verb: str) -> list[int]:
        """All of them are legal by construction."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """6.1 What keeps a unit out."""
        if verb == "fight":
            return None if c.attackers else NOBODY_ATTACKS
        return ALREADY_ATTACKED if noun in c.attackers else why_not_attack(s, c, noun)

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.3i Add a unit, or go on."""
        if verb == "join":
            c.attackers = (*c.attackers, noun)
        else:
            c.asked |= COMMITTED


def drop_if_nobody(s: S, c: Combat) -> None:
    """6.5i An attack that a bombardment has left without attackers does not take place."""
    if not c.attackers:
        emit(s, "called-off", "6.5i", place=CODES[c.target])
        if c.target < HEXES:
            lift_confusion(s, c.target)
        leave(s)


@rule("6.3d", "9.1a", "9.1e")
class Fly(Decision):
    """6.3d The Allied side decides on tactical air support once the ratio is known."""

    verbs = {"fly": NOTHING, "no-air": NOTHING}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, if anything can fly."""
        return not c.asked & FLOWN and not is_lone_hq(s, c) and why_not_fly(s, c) is None

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Yes or no."""
        return (0,)

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """9.1 Weather, terrain, turn, aircraft."""
        return why_not_fly(s, c) if verb == "fly" else None

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """9.1e The fighter-bomber used is Finished."""
        c.asked |= FLOWN
        if verb == "fly":
            c.plane = plane_for(s, allied_group(s, c))
            s.air[c.plane] = FINISHED
            emit(s, "air-support", "9.1a", place=CODES[c.target])


@rule("5.3c", "5.3d", "5.3e", "6.8d", "4.3f", "11.3d")
class AttackSupport(Decision):
    """5.3c Before the die: 5.3e the German may add headquarters, each for a marker; 6.8d so may an exploitation."""

    verbs = {"add": UNIT, "enough": NOTHING}

    def options(self, s: S, c: Combat) -> list[int]:
        """The headquarters that could still add their bonus."""
        if c.kind not in ("attack", "exploitation", "counter"):
            return []
        found = extra_attack_hqs(s, c.side, c.target, c.support)
        if c.side == GERMAN and c.kind != "counter":
            own = [c.hq] if c.kind == "exploitation" and s.offensive[s.place[c.hq]] else []
        else:
            found = []
            own = [c.hq] if c.kind == "exploitation" and s.offensive[s.place[c.hq]] else []
        own = [hq for hq in own if hq not in c.support and is_in_support_range(s, hq, c.target)]
        return sorted(set(found) | set(own))

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While there is one to add."""
        return not c.asked & SUPPORTED and not is_lone_hq(s, c) and bool(self.options(s, c))

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Each headquarters, or no more."""
        return (0,) if verb == "enough" else self.options(s, c)

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """5.3e Only those that may."""
        return None if verb == "enough" or noun in self.options(s, c) else CANNOT_ADD

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """5.3e The headquarters is flipped and spends its marker."""
        if verb == "enough":
            c.asked |= SUPPORTED
            return
        c.support = (*c.support, noun)
        s.finished[noun] = 1
        spend_marker(s, noun, "5.3e")


@rule("2.2g")
class CountCover(Decision):
    """2.2g The defender counts the village or the bocage around it, never both."""

    verbs = {"count": COVER}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, where it matters."""
        if c.asked & COVERED or c.kind == "drop" or (c.sea and beach_alone(s)):
            return False
        return not is_lone_hq(s, c) and has_real_choice(c.target)

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """The terrains of the hex."""
        return [COVER_WORDS.index(cover) for cover in covers(c.target)]

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """2.2g One of the two."""
        return None if COVER_WORDS[noun] in covers(c.target) else NO_SUCH_COVER

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """2.2g Count it."""
        c.asked |= COVERED
        c.cover = COVER_WORDS[noun]


@rule("5.3f", "5.3c", "5.3h", "4.3f", "10-O.1g")
class DefenceSupport(Decision):
    """5.3f One headquarters may support the defence: it is flipped but spends no marker."""

    verbs = {"support": UNIT, "no-support": NOTHING}

    def options(self, s: S, c: Combat) -> list[int]:
        """Those within 2 hexes."""
        if c.kind in ("overrun", "drop") or c.target >= HEXES:
            return []
        groups = {GROUP[u] for u in units_in(s, c.target, 1 - c.side)}
        return defence_hqs(s, 1 - c.side, c.target, groups)

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, if any may."""
        return not c.asked & SHIELDED and not is_lone_hq(s, c) and bool(self.options(s, c))

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Each of them, or none."""
        return (0,) if verb == "no-support" else self.options(s, c)

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """5.3f Only those that may."""
        return None if verb == "no-support" or noun in self.options(s, c) else CANNOT_SUPPORT

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """5.3f Flip it."""
        c.asked |= SHIELDED
        if verb == "support":
            c.shield = noun
            s.finished[noun] = 1
            emit(s, "defence-support", "5.3f", hq=name_of(noun), place=CODES[c.target])


def fight(s: S, c: Combat) -> None:
    """6.3 The die, or 5.4b the end of a lone headquarters."""
    if not c.cover and c.target < HEXES:
        c.cover = covers(c.target)[0]
    if is_lone_hq(s, c):
        for u in c.attackers:
            s.fought[u] |= ATTACKED if c.kind != "overrun" else 0
        for hq in hqs_in(s, c.target, 1 - c.side):
            destroy_hq(s, hq, "5.4b")
        return
    resolve(s, c)


@rule("6.7a", "6.7b", "6.4d")
class Advance(Decision):
    """6.7a Units that took part may follow into the hexes that the enemy left; 6.7b free of cost and of zones."""

    verbs = {"advance": UNIT, "pursue": UNIT, "to": HEX, "halt": NOTHING}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While somebody can still go forward."""
        if not c.won or c.asked & HALTED or c.target >= HEXES or c.kind == "overrun":
            return False
        return c.unit >= 0 or any(self.legal_nouns(s, c, side, verb) for verb in ("advance", "pursue"))

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Into the hex, then with a long retreat one hex further."""
        if verb == "to":
            return c.vacated if c.unit >= 0 else ()
        if c.unit >= 0:
            return ()
        return (0,) if verb == "halt" else c.attackers

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """6.7a Only those who took part, into what the defender left, within the stacking limit."""
        if verb == "to":
            return self.why_not_further(s, c, c.unit, noun) if c.unit >= 0 else PICK_FIRST
        if c.unit >= 0:
            return IN_HAND
        if verb == "halt":
            return None
        if noun not in c.attackers or not s.steps[noun] or s.place[noun] >= HEXES:
            return TOOK_NO_PART
        if verb == "pursue":
            return None if self.further(s, c, noun) else NO_PURSUIT
        if noun in c.advanced:
            return ALREADY_ADVANCED
        if c.target not in OPEN_NEXT[s.place[noun]] or is_there(s, 1 - c.side, c.target):
            return NOT_VACATED
        return why_not_stack(s, c.side, c.target, [noun])

    def why_not_further(self, s: S, c: Combat, u: int, goal: int) -> No | None:
        """6.7a One hex further, where the defender passed in a long retreat."""
        if s.place[u] != c.target or goal not in c.vacated or goal not in OPEN_NEXT[c.target] or c.retreat < 2:
            return NOT_LEFT
        return NOT_LEFT if is_there(s, 1 - c.side, goal) else why_not_stack(s, c.side, goal, [u])

    def further(self, s: S, c: Combat, u: int) -> list[int]:
        """6.7a The hexes to which a unit in the hex taken may go on."""
        if c.retreat < 2 or s.place[u] != c.target:
            return []
        return [h for h in c.vacated if self.why_not_further(s, c, u, h) is None]

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.7a Forward; which hex is asked where there are several."""
        if verb == "halt":
            c.asked |= HALTED
            return
        u, goal = (c.unit, noun) if verb == "to" else (noun, c.target)
        if verb == "pursue":
            goals = self.further(s, c, noun)
            if len(goals) > 1:
                c.unit = noun
                return
            goal = goals[0]
        c.unit = -1
        put(s, u, goal)
        occupy(s, c.side, goal)
        if u not in c.advanced:
            c.advanced = (*c.advanced, u)
        emit(s, "advanced", "6.7a", unit=name_of(u), place=CODES[goal])
