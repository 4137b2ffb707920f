"""Chapters 1.1.1.3 and 6.10: initiative, rest, replacements, return and withdrawal."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Frame, Refusal, emit, roll, rule

from ..state import CLEAR_SKY
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    ARMOURED,
    AT,
    CADRE,
    CHARTS,
    CHERBOURG_PORT,
    CODES,
    COMMANDO,
    COUNT,
    ELITE,
    FIRST_BOX,
    FIXED,
    GERMAN,
    HEXES,
    HQS,
    INDEX,
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
def why_not_withdraw(s: S, u: int) -> Refusal | None:
    """1.1.1.3l Airborne, commandos and rangers may go home, 1.1.1.3n out of enemy zones (ruling A34)."""
    if SIDE[u] != ALLIED or not (PARA[u] or COMMANDO[u] or RANGER[u]) or s.place[u] >= HEXES:
        return Refusal("1.1.1.3l", "not-special", {"unit": name_of(u)})
    if in_enemy_zoc(s, ALLIED, s.place[u]) or s.confusion[s.place[u]]:
        return Refusal("1.1.1.3n", "in-enemy-zoc", {"unit": name_of(u)})
    return None


@rule("1.1.1.3g", "1.1.1.3h", "1.1.1.3i", "1.1.1.3e", "6.10d", "6.10e", "1.1.1.3m", "11.1-rules")
class Administer(Decision):
    """1.1.1.3 Put reduced units to rest, give steps back, call rebuilt units up, send special troops home."""

    verbs = ("rest", "recover", "return", "withdraw", "done")

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """Until the side has finished; 11.1-rules scenario 1 has no replacements."""
        if not SCENARIOS[s.scenario].raw["replacements"] or s.turn == 0:
            return False
        if s.administered >> side & 1:
            return False
        return any(a[0] != "done" and self.why_not(s, c, side, *a) is None for a in self.candidates(s, c, side))

    def candidates(self, s: S, c: Frame, side: int) -> Iterable[Action]:
        """Every unit that one of the four could concern."""
        for u in range(COUNT):
            if SIDE[u] != side or IS_HQ[u] or FIXED[u]:
                continue
            place = s.place[u]
            if place <= LAST_BOX and s.steps[u] < STEPS[u]:
                yield ("recover" if s.resting[u] else "rest"), name_of(u)
            elif place == REST_BOX:
                if s.steps[u] < STEPS[u]:
                    yield "recover", name_of(u)
                else:
                    for goal in self.doors(s, side):
                        yield "return", f"{name_of(u)}>{CODES[goal]}"
            if side == ALLIED and place < HEXES and (PARA[u] or COMMANDO[u] or RANGER[u]):
                yield "withdraw", name_of(u)
        yield "done", ""

    def doors(self, s: S, side: int) -> list[int]:
        """1.1.1.3i Where rebuilt units come back: the Allied reserve, or a German depot."""
        if side == ALLIED:
            return [RESERVE]
        return [p for p in (CHERBOURG_PORT, *range(FIRST_BOX, LAST_BOX + 1)) if is_usable(s, p)]

    def why_not(self, s: S, c: Frame, side: int, verb: str, target: str) -> Refusal | None:
        """1.1.1.3 The conditions of each."""
        if verb == "done":
            return None
        name, _, code = target.partition(">")
        u, facts = INDEX[name], {"unit": name}
        if SIDE[u] != side or IS_HQ[u]:
            return Refusal("1.1.1.3g", "not-yours", facts)
        if verb == "withdraw":
            return why_not_withdraw(s, u)
        if verb == "rest":
            if s.place[u] >= HEXES or s.steps[u] == STEPS[u] or not s.steps[u]:
                return Refusal("1.1.1.3g", "not-reduced", facts)
            if in_enemy_zoc(s, side, s.place[u]) or s.confusion[s.place[u]]:
                return Refusal("1.1.1.3g", "in-enemy-zoc", facts)
            return Refusal("1.1.1.3g", "already-resting", facts) if s.resting[u] else None
        if verb == "return":
            ready = s.place[u] == REST_BOX and s.steps[u] == STEPS[u] and s.resting[u] == 2
            if not ready or AT[code] not in self.doors(s, side):
                return Refusal("1.1.1.3i", "not-rebuilt", facts)
            return why_not_stack(s, side, AT[code], [u])
        if s.resting[u] != 2 or s.steps[u] >= STEPS[u]:
            return Refusal("1.1.1.3h", "not-rested", facts)
        if side == GERMAN and not s.replacements[replacement_kind(u)]:
            return Refusal("6.10e", "no-replacements", facts)
        return None

    def apply(self, s: S, c: Frame, side: int, verb: str, target: str) -> None:
        """1.1.1.3 Do it."""
        if verb == "done":
            s.administered |= 1 << side
            return
        name, _, code = target.partition(">")
        u = INDEX[name]
        if verb == "rest":
            s.resting[u] = 1
        elif verb == "recover":
            s.steps[u] += 1
            s.resting[u] = 1
            if side == GERMAN:
                s.replacements[replacement_kind(u)] -= 1
        elif verb == "return":
            s.resting[u] = 0
            put(s, u, AT[code])
        else:
            put(s, u, WITHDRAWN)
            s.points[ALLIED] += CHARTS["victory"]["withdrawal"]
        emit(s, f"admin-{verb}", "1.1.1.3g", unit=name)


@rule("1.1.1.3j")
def end_administration(s: S, c: Frame) -> None:
    """1.1.1.3g A rest lasts the turn: who was not put to rest again gets up."""
    s.administered = 0
    for u in range(COUNT):
        if s.resting[u] == 2 and s.place[u] <= LAST_BOX:
            s.resting[u] = 0
