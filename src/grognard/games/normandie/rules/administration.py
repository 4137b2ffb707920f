"""Chapters 1.1.1.3 and 6.10: initiative, rest, replacements, return and withdrawal."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, Frame, No, emit, enter, no, roll, rule

from ..frames import Return
from ..nouns import NOTHING, PLACE, UNIT
from ..state import CLEAR_SKY
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    ARMOURED,
    CADRE,
    CHARTS,
    CHERBOURG_PORT,
    COMMANDO,
    COUNT,
    ELITE,
    FIRST_BOX,
    FIXED,
    GERMAN,
    HEXES,
    HQS,
    IS_HQ,
    LAST_BOX,
    PANZERGRENADIER,
    PARA,
    RANGER,
    RESERVE,
    REST_BOX,
    SCENARIOS,
    SIDE,
    STEPS,
    WITHDRAWN,
)
from .definitions import in_enemy_zoc, is_supported, name_of, put, why_not_stack
from .supply import is_usable

INFANTRY, ARMOUR = 0, 1
MEN = tuple(
    tuple(u for u in range(COUNT) if SIDE[u] == side and not IS_HQ[u] and not FIXED[u]) for side in (ALLIED, GERMAN)
)
SPECIALS = tuple(u for u in MEN[ALLIED] if PARA[u] or COMMANDO[u] or RANGER[u])


@rule("1.1.1.3a", "1.1.1.3b", "1.1.1.3c", "1.1.1.3d", "11.3b", "6.10e", "1.0e")
def roll_initiative(s: S, c: Frame) -> None:
    """1.1.1.3a A die and the Supported headquarters on the map; 1.1.1.3b a tie goes to the Allies under a clear sky.

    1.1.1.3d The German die also gives his replacements; 11.3b on turns 0 and 1 of the campaign the Allies begin.
    """
    (allied,) = roll(s, "1.1.1.3a", side=ALLIED)
    (german,) = roll(s, "1.1.1.3a", side=GERMAN)
    totals = [allied, german]
    for hq in HQS:
        if s.place[hq] < HEXES and is_supported(s, hq):
            totals[SIDE[hq]] += 1
    s.first = initiative(totals[ALLIED], totals[GERMAN], s.weather)
    if s.scenario == "campaign" and s.turn <= 1:
        s.first = ALLIED
    for kind, name in enumerate(("infantry", "armour")):
        s.replacements[kind] = CHARTS["resources"][name][german - 1]
    emit(s, "initiative", "1.1.1.3a", allied=totals[ALLIED], german=totals[GERMAN], first=s.first)


@rule("1.1.1.3b")
def initiative(allied: int, german: int, weather: int) -> int:
    """1.1.1.3b The higher total; on a tie the Allies if the weather is clear, else the German."""
    if allied != german:
        return ALLIED if allied > german else GERMAN
    return ALLIED if weather == CLEAR_SKY else GERMAN


@rule("1.1.1.3f", "6.10c")
def rest_cadres(s: S, c: Frame) -> None:
    """1.1.1.3f Destroyed units go from the Cadre box to the Rest box; those already at rest may now recover."""
    for u in range(COUNT):
        if s.resting[u] == 1:
            s.resting[u] = 2
    if not SCENARIOS[s.scenario].raw["replacements"]:
        return
    for u in range(COUNT):
        if s.place[u] == CADRE and not FIXED[u]:
            put(s, u, REST_BOX)
            s.resting[u] = 1


@rule("6.10e", "1.1.1.3d")
def replacement_kind(u: int) -> int:
    """6.10e Which German replacement a unit needs: armour for panzers, Panzergrenadiers and elite, else infantry."""
    return ARMOUR if ARMOURED[u] or PANZERGRENADIER[u] or ELITE[u] else INFANTRY


@rule("1.1.1.3l", "1.1.1.3n")
def why_not_withdraw(s: S, u: int) -> No | None:
    """1.1.1.3l Airborne, commandos and rangers may go home, 1.1.1.3n out of enemy zones (ruling A34)."""
    if SIDE[u] != ALLIED or not (PARA[u] or COMMANDO[u] or RANGER[u]) or s.place[u] >= HEXES:
        return NOT_SPECIAL
    if in_enemy_zoc(s, ALLIED, s.place[u]) or s.confusion[s.place[u]]:
        return ZONE_HOLDS_IT
    return None


NOT_SPECIAL, ZONE_HOLDS_IT = no("1.1.1.3l", "not-special"), no("1.1.1.3n", "in-enemy-zoc")
NOT_YOURS, NOT_REDUCED = no("1.1.1.3g", "not-yours"), no("1.1.1.3g", "not-reduced")
NOT_AT_PEACE, ALREADY_RESTING = no("1.1.1.3g", "in-enemy-zoc"), no("1.1.1.3g", "already-resting")
NOT_REBUILT, NOT_RESTED = no("1.1.1.3i", "not-rebuilt"), no("1.1.1.3h", "not-rested")
NO_REPLACEMENTS = no("6.10e", "no-replacements")


@rule("1.1.1.3i", "7.2f")
def doors(s: S, side: int) -> list[int]:
    """1.1.1.3i Where rebuilt units come back: the Allied reserve, or a German depot at work."""
    if side == ALLIED:
        return [RESERVE]
    return [p for p in (CHERBOURG_PORT, *range(FIRST_BOX, LAST_BOX + 1)) if is_usable(s, p)]


@rule("1.1.1.3i", "2.1a")
def doors_for(s: S, u: int) -> list[int]:
    """1.1.1.3i Those that can take a unit."""
    return [p for p in doors(s, SIDE[u]) if why_not_stack(s, SIDE[u], p, [u]) is None]


@rule("1.1.1.3g", "1.1.1.3h", "1.1.1.3i", "1.1.1.3e", "6.10d", "6.10e", "1.1.1.3m", "11.1-rules")
class Administer(Decision):
    """1.1.1.3 Put reduced units to rest, give steps back, call rebuilt units up, send special troops home."""

    verbs = {"rest": UNIT, "recover": UNIT, "return": UNIT, "withdraw": UNIT, "done": NOTHING}

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """Until the side has finished; 11.1-rules scenario 1 has no replacements."""
        if not SCENARIOS[s.scenario].raw["replacements"] or s.turn == 0:
            return False
        if s.administered >> side & 1:
            return False
        return any(self.legal_nouns(s, c, side, verb) for verb in self.verbs if verb != "done")

    def legal_nouns(self, s: S, c: Frame, side: int, verb: str) -> list[int]:
        """Only those whom it could concern are asked."""
        if verb == "done":
            return [0]
        if verb == "withdraw":
            return [u for u in SPECIALS if why_not_withdraw(s, u) is None] if side == ALLIED else []
        steps, resting, place = s.steps, s.resting, s.place
        if verb == "rest":
            tried = [u for u in MEN[side] if steps[u] < STEPS[u] and place[u] < HEXES and not resting[u]]
        elif verb == "return":
            tried = [u for u in MEN[side] if place[u] == REST_BOX]
        else:
            tried = [u for u in MEN[side] if resting[u] == 2]
        return [u for u in tried if self.why_not(s, c, side, verb, u) is None]

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.3 The conditions of each."""
        if verb == "done":
            return None
        u = noun
        if SIDE[u] != side or IS_HQ[u] or FIXED[u]:
            return NOT_YOURS
        if verb == "withdraw":
            return why_not_withdraw(s, u)
        if verb == "rest":
            if s.place[u] >= HEXES or s.steps[u] == STEPS[u] or not s.steps[u]:
                return NOT_REDUCED
            if in_enemy_zoc(s, side, s.place[u]) or s.confusion[s.place[u]]:
                return NOT_AT_PEACE
            return ALREADY_RESTING if s.resting[u] else None
        if verb == "return":
            ready = s.place[u] == REST_BOX and s.steps[u] == STEPS[u] and s.resting[u] == 2
            return None if ready and doors_for(s, u) else NOT_REBUILT
        if s.resting[u] != 2 or s.steps[u] >= STEPS[u] or (s.place[u] > LAST_BOX and s.place[u] != REST_BOX):
            return NOT_RESTED
        if side == GERMAN and not s.replacements[replacement_kind(u)]:
            return NO_REPLACEMENTS
        return None

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """1.1.1.3 Do it; 1.1.1.3i through which depot is asked where there are several."""
        if verb == "done":
            s.administered |= 1 << side
            return
        if verb == "rest":
            s.resting[noun] = 1
        elif verb == "recover":
            s.steps[noun] += 1
            s.resting[noun] = 1
            if side == GERMAN:
                s.replacements[replacement_kind(noun)] -= 1
        elif verb == "return":
            goals = doors_for(s, noun)
            if len(goals) > 1:
                enter(s, Return(side=side, unit=noun))
                return
            come_back(s, noun, goals[0])
            return
        else:
            put(s, noun, WITHDRAWN)
            s.points[ALLIED] += CHARTS["victory"]["withdrawal"]
        emit(s, f"admin-{verb}", "1.1.1.3g", unit=name_of(noun))


def come_back(s: S, u: int, place: int) -> None:
    """1.1.1.3i A rebuilt unit is back."""
    s.resting[u] = 0
    put(s, u, place)
    emit(s, "admin-return", "1.1.1.3i", unit=name_of(u))


@rule("1.1.1.3i")
class PickDoor(Decision):
    """1.1.1.3i The depot by which a rebuilt unit comes back."""

    verbs = {"at": PLACE}

    def needed(self, s: S, c: Return, side: int) -> bool:
        """Until it is back."""
        return s.place[c.unit] == REST_BOX

    def nouns(self, s: S, c: Return, side: int, verb: str) -> Iterable[int]:
        """The depots that can take it."""
        return doors_for(s, c.unit)

    def why_not(self, s: S, c: Return, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.3i Only those, 2.1a with room."""
        return why_not_stack(s, side, noun, [c.unit]) if noun in doors(s, side) else NOT_REBUILT

    def apply(self, s: S, c: Return, side: int, verb: str, noun: int) -> None:
        """1.1.1.3i There."""
        come_back(s, c.unit, noun)


@rule("1.1.1.3j")
def end_administration(s: S, c: Frame) -> None:
    """1.1.1.3g A rest lasts the turn: who was not put to rest again gets up."""
    s.administered = 0
    for u in range(COUNT):
        if s.resting[u] == 2 and s.place[u] <= LAST_BOX:
            s.resting[u] = 0
