"""Chapters 6.2 to 6.5 and 6.7 as decisions: bombard, commit, support, advance (6.6 is in `retreat_choices`)."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Refusal, emit, leave, rule

from ..frames import Combat
from ..state import FINISHED
from ..state import NormandieState as S
from ..world import ALLIED, AT, CODES, GERMAN, GROUP, HEXES, INDEX, OPEN_NEXT
from .bombardment import bombers_of, drop_bombs, fire_ships, fleet_of, ships_in_range, why_not_bombard
from .combat import (
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


@rule("6.2a", "6.2b", "9.3a", "6.2e", "8c", "9.4c")
class Bombard(Decision):
    """6.2a Before a combat the Allied side may bombard: 6.2b once with ships and once with bombers, never added."""

    verbs = ("ships", "bombers", "hold-fire")

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While something can still fire."""
        return not c.asked & NO_MORE_BOMBS and c.kind in ("attack", "exploitation", "counter") and any(
            verb != "hold-fire" for verb, _ in self.legal(s, c, side)
        )  # fmt: skip

    def hexes(self, s: S, c: Combat) -> list[int]:
        """6.2a The target of an attack, ruling A14: or any hex from which Germans may attack."""
        if c.target >= HEXES:
            return []
        if c.side == ALLIED:
            return [c.target] if units_in(s, c.target, GERMAN) else []
        return sorted({s.place[u] for u in eligible(s, c)} | {s.place[u] for u in c.attackers})

    def beside(self, s: S, c: Combat, h: int) -> list[int]:
        """9.4c The hexes next to the target on which a carpet could also fall."""
        return [n for n in OPEN_NEXT[h] if units_in(s, n, GERMAN) and not s.confusion[n]] if c.side == ALLIED else []

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Every mix of points in range."""
        group = allied_group(s, c)
        for h in self.hexes(s, c):
            if not c.asked & SHIPS:
                cruisers, destroyers = ships_in_range(s, fleet_of(group), h)
                for a in range(cruisers + 1):
                    for b in range(destroyers + 1):
                        if a + b:
                            yield "ships", f"{CODES[h]}:{a}+{b}"
            if not c.asked & BOMBERS:
                medium, light, heavy = bombers_of(s, group)
                for a in range(medium + 1):
                    for b in range(light + 1):
                        for e in range(heavy + 1):
                            if a + b + e:
                                yield "bombers", f"{CODES[h]}:{a}+{b}+{e}"
                            if e:
                                for n in self.beside(s, c, h):
                                    yield "bombers", f"{CODES[h]}+{CODES[n]}:{a}+{b}+{e}"
        yield "hold-fire", ""

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """6.2 Storm, night, Confusion, range, and what is left of the means."""
        if verb == "hold-fire":
            return None
        code, _, amounts = target.partition(":")
        code, _, second = code.partition("+")
        h = AT[code]
        group = allied_group(s, c)
        if h not in self.hexes(s, c) or (second and AT[second] not in self.beside(s, c, h)):
            return Refusal("6.2a", "not-this-combat", {"place": code})
        refusal = why_not_bombard(s, h)
        if refusal:
            return refusal
        used = tuple(int(n) for n in amounts.split("+"))
        if c.asked & (SHIPS if verb == "ships" else BOMBERS):
            return Refusal("6.2b", "already-bombarded", {"place": code})
        limits = ships_in_range(s, fleet_of(group), h) if verb == "ships" else bombers_of(s, group)
        if len(used) != len(limits) or not any(used) or any(u > m for u, m in zip(used, limits)):
            return Refusal("6.2c", "not-in-range", {"place": code})
        if second and not used[-1]:
            return Refusal("9.4c", "not-a-carpet", {"place": second})
        return None

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """6.2f Fire."""
        if verb == "hold-fire":
            c.asked |= NO_MORE_BOMBS
            return
        codes, _, amounts = target.partition(":")
        hexes = [AT[code] for code in codes.split("+")]
        used = [int(n) for n in amounts.split("+")]
        group = allied_group(s, c)
        if verb == "ships":
            c.asked |= SHIPS
            fire_ships(s, fleet_of(group), hexes[0], GERMAN, used[0], used[1])
        else:
            c.asked |= BOMBERS
            drop_bombs(s, group, hexes, GERMAN, used[0], used[1], used[2])


@rule("6.3i", "6.5i", "6.1d", "6.1g")
class Commit(Decision):
    """6.3i The attacker picks, unit by unit, who takes part; 6.5i after the bombardment and before the die."""

    verbs = ("join", "fight")

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Until the attack is launched; nobody is asked when nobody can attack any more."""
        return not c.asked & COMMITTED and bool(c.attackers or eligible(s, c))

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Units next to the target, then the order to fight."""
        for u in eligible(s, c):
            yield "join", name_of(u)
        if c.attackers:
            yield "fight", ""

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """6.1 What keeps a unit out."""
        if verb == "join":
            u = INDEX[target]
            if u in c.attackers:
                return Refusal("6.1b", "already-attacked", {"unit": target})
            return why_not_attack(s, c, u)
        if verb == "fight" and not c.attackers:
            return Refusal("6.1a", "nobody-attacks", {})
        return None

    def legal(self, s: S, c: Combat, side: int) -> list[Action]:
        """The candidates are legal by construction."""
        return list(self.candidates(s, c, side))

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """6.3i Add a unit, or go on."""
        if verb == "join":
            c.attackers = (*c.attackers, INDEX[target])
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

    verbs = ("fly", "no-air")

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, if anything can fly."""
        return not c.asked & FLOWN and not is_lone_hq(s, c) and why_not_fly(s, c) is None

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Yes or no."""
        return (("fly", ""), ("no-air", ""))

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """9.1 Weather, terrain, turn, aircraft."""
        return why_not_fly(s, c) if verb == "fly" else None

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """9.1e The fighter-bomber used is Finished."""
        c.asked |= FLOWN
        if verb == "fly":
            c.plane = plane_for(s, allied_group(s, c))
            s.air[c.plane] = FINISHED
            emit(s, "air-support", "9.1a", place=CODES[c.target])


@rule("5.3c", "5.3d", "5.3e", "6.8d", "4.3f", "11.3d")
class AttackSupport(Decision):
    """5.3c Before the die: 5.3e the German may add headquarters, each for a marker; 6.8d so may an exploitation."""

    verbs = ("add", "enough")

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

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Each headquarters, or no more."""
        return [*(("add", name_of(hq)) for hq in self.options(s, c)), ("enough", "")]

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """5.3e Only those that may."""
        if verb == "add" and INDEX[target] not in self.options(s, c):
            return Refusal("5.3e", "hq-cannot-support", {"hq": target})
        return None

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """5.3e The headquarters is flipped and spends its marker."""
        if verb == "enough":
            c.asked |= SUPPORTED
            return
        hq = INDEX[target]
        c.support = (*c.support, hq)
        s.finished[hq] = 1
        spend_marker(s, hq, "5.3e")


@rule("2.2g")
class CountCover(Decision):
    """2.2g The defender counts the village or the bocage around it, never both."""

    verbs = ("count",)

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, where it matters."""
        if c.asked & COVERED or c.kind == "drop" or (c.sea and beach_alone(s)):
            return False
        return not is_lone_hq(s, c) and has_real_choice(c.target)

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """The terrains of the hex."""
        return [("count", cover) for cover in covers(c.target)]

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """2.2g One of the two."""
        return None if target in covers(c.target) else Refusal("2.2g", "no-such-cover", {"cover": target})

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """2.2g Count it."""
        c.asked |= COVERED
        c.cover = target


@rule("5.3f", "5.3c", "5.3h", "4.3f", "10-O.1g")
class DefenceSupport(Decision):
    """5.3f One headquarters may support the defence: it is flipped but spends no marker."""

    verbs = ("support", "no-support")

    def options(self, s: S, c: Combat) -> list[int]:
        """Those within 2 hexes."""
        if c.kind in ("overrun", "drop") or c.target >= HEXES:
            return []
        groups = {GROUP[u] for u in units_in(s, c.target, 1 - c.side)}
        return defence_hqs(s, 1 - c.side, c.target, groups)

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, if any may."""
        return not c.asked & SHIELDED and not is_lone_hq(s, c) and bool(self.options(s, c))

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Each of them, or none."""
        return [*(("support", name_of(hq)) for hq in self.options(s, c)), ("no-support", "")]

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """5.3f Only those that may."""
        if verb == "support" and INDEX[target] not in self.options(s, c):
            return Refusal("5.3f", "hq-cannot-support", {"hq": target})
        return None

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """5.3f Flip it."""
        c.asked |= SHIELDED
        if verb == "support":
            c.shield = INDEX[target]
            s.finished[c.shield] = 1
            emit(s, "defence-support", "5.3f", hq=target, place=CODES[c.target])


def fight(s: S, c: Combat) -> None:
    """6.3 The die, or 5.4b the end of a lone headquarters."""
    if not c.cover and c.target < HEXES:
        c.cover = covers(c.target)[0]
    if is_lone_hq(s, c):
        from ..state import ATTACKED

        for u in c.attackers:
            s.fought[u] |= ATTACKED if c.kind != "overrun" else 0
        for hq in hqs_in(s, c.target, 1 - c.side):
            destroy_hq(s, hq, "5.4b")
        return
    resolve(s, c)


@rule("6.7a", "6.7b", "6.4d")
class Advance(Decision):
    """6.7a Units that took part may follow into the hexes that the enemy left; 6.7b free of cost and of zones."""

    verbs = ("advance", "pursue", "halt")

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While somebody can still go forward."""
        if not c.won or c.asked & HALTED or c.target >= HEXES or c.kind == "overrun":
            return False
        return any(verb != "halt" for verb, _ in self.legal(s, c, side))

    def candidates(self, s: S, c: Combat, side: int) -> Iterable[Action]:
        """Into the hex, then with a long retreat one hex further."""
        for u in c.attackers:
            if s.steps[u] and s.place[u] < HEXES:
                if s.place[u] != c.target and u not in c.advanced:
                    yield "advance", name_of(u)
                elif s.place[u] == c.target and c.retreat >= 2:
                    for h in c.vacated:
                        if h in OPEN_NEXT[c.target]:
                            yield "pursue", f"{name_of(u)}>{CODES[h]}"
        yield "halt", ""

    def why_not(self, s: S, c: Combat, side: int, verb: str, target: str) -> Refusal | None:
        """6.7a Only what the defender left, within the stacking limit."""
        if verb == "halt":
            return None
        name, _, code = target.partition(">")
        u, goal = INDEX[name], AT[code] if code else c.target
        if u not in c.attackers or not s.steps[u] or s.place[u] >= HEXES:
            return Refusal("6.7a", "took-no-part", {"unit": name})
        if verb == "pursue" and (s.place[u] != c.target or goal not in c.vacated or c.retreat < 2):
            return Refusal("6.7a", "not-vacated", {"place": code})
        if verb == "advance" and u in c.advanced:
            return Refusal("6.7a", "already-advanced", {"unit": name})
        if goal not in OPEN_NEXT[s.place[u]] or is_there(s, 1 - c.side, goal):
            return Refusal("6.7a", "not-vacated", {"place": CODES[goal]})
        return why_not_stack(s, c.side, goal, [u])

    def apply(self, s: S, c: Combat, side: int, verb: str, target: str) -> None:
        """6.7a Forward."""
        if verb == "halt":
            c.asked |= HALTED
            return
        name, _, code = target.partition(">")
        u, goal = INDEX[name], AT[code] if code else c.target
        put(s, u, goal)
        occupy(s, c.side, goal)
        if u not in c.advanced:
            c.advanced = (*c.advanced, u)
        emit(s, "advanced", "6.7a", unit=name, place=CODES[goal])
