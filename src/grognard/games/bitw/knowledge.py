"""1.3 What a side cannot know, for those who must imagine it: which hidden blocks could be which.

The back of a block shows what `unit_facts` tells of an unknown unit, and nothing else; blocks are alike if their backs
are. A deal is then made plausible: two combat units a hex, one fighter and one bomber of a side over a battle.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from grognard.kernel import Side, rule
from grognard.kernel.dice import shuffled

from .frames import Committing
from .loading import HQ_KINDS
from .nouns import FOG
from .rules.definitions import MOST_COMBAT
from .rules.headquarters import action_points
from .show.views import unit_facts
from .state import OFF, OUT, POOL, RESERVE, SEEN_MARKS, BitwState, enemy_of, is_battle, on_map
from .world import BLOCKS_OF, IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, POWER_OF, SIDE_OF, UNITS, world

_backs = [json.dumps(unit_facts(u.index, False), sort_keys=True) for u in UNITS]
BACK: Final = [_backs.index(back) for back in _backs]  # by unit: equal for blocks with the same back
IS_BOMBER: Final = bytes(u.is_bomber for u in UNITS)
IS_FIGHTER: Final = bytes(u.kind == "fighter" for u in UNITS)


@rule("1.3")
def look_alikes(s: BitwState, side: Side) -> list[Sequence[int]]:
    """1.3 The blocks on the map by their backs. A block rebuilt might be any that was lost before: those go together.

    Everybody saw who was lost, and sees that a block arrives, no more.
    """
    if s.open_table:
        return []
    groups: dict[tuple[int, bool], list[int]] = {}
    for unit in BLOCKS_OF[enemy_of(side)] if side >= 0 else range(len(UNITS)):
        if s.place[unit] < OFF or (s.place[unit] == POOL and s.lost[unit]):
            groups.setdefault((BACK[unit], s.lost[unit] > 0), []).append(unit)
    return list(groups.values())


def make_plausible(s: BitwState, side: Side) -> None:
    """After a deal: those who came back from the pool have steps again, stacks hold what they may."""
    if s.open_table:
        return
    enemies = BLOCKS_OF[enemy_of(side)] if side >= 0 else range(len(UNITS))
    for unit in enemies:
        if s.place[unit] >= OFF:
            s.steps[unit] = 0 if s.place[unit] == POOL else s.steps[unit]
        elif s.steps[unit] not in UNITS[unit].pattern.steps:
            s.steps[unit] = UNITS[unit].pattern.first
    hidden = [u for u in enemies if s.place[u] < OFF and not FOG.identified(s, side, u)]
    stacks: dict[tuple[int, int], list[int]] = {}
    for unit in enemies:
        if s.place[unit] < OFF:
            stacks.setdefault((s.place[unit], SIDE_OF[unit]), []).append(unit)
    spread(s, stacks, [u for u in hidden if IS_GROUND[u] and not IS_FORT[u]], IS_COMBAT, MOST_COMBAT)
    for kind in (IS_FIGHTER, IS_BOMBER):
        spread(s, stacks, [u for u in hidden if IS_AIR[u]], kind, 1)
    deal_steps(s, hidden)


@rule("1.3")
def deal_steps(s: BitwState, hidden: list[int]) -> None:
    """1.3 An upright block shows its steps to its owner alone: who is worn is dealt among blocks of one pattern.

    How much a side has lost in all is what everybody saw in battle; which block bears it now is not.
    """
    patterns: dict[tuple[int, ...], list[int]] = {}
    for unit in sorted(hidden):
        patterns.setdefault(tuple(UNITS[unit].pattern.steps), []).append(unit)
    for units in patterns.values():
        for unit, steps in zip(units, shuffled(s, sorted(s.steps[u] for u in units), hidden=True)):
            s.steps[unit] = steps


@rule("31.0c", "13.4")
def deal_orders(s: BitwState, side: Side) -> None:
    """31.0c Everybody knows how many enemy units wait in reserve, their owner alone which: they are dealt among armour.

    13.4 Nor does anybody else know what an active HQ has ordered so far: in an imagined position it has all its points,
    and of the other blocks only such marks stay as everybody saw given, with the block that got them.
    """
    if s.open_table:
        return
    for enemy in (enemy_of(side),) if side >= 0 else (0, 1):
        waiting = 0
        for unit in BLOCKS_OF[enemy]:
            waiting += s.orders[unit] & RESERVE > 0
            s.orders[unit] &= SEEN_MARKS
            s.looks[unit] = 0
            if s.active[unit]:
                s.orders[unit], s.fuel[unit] = 0, action_points(s, unit)
        called = [c.unit for c in s.frames if isinstance(c, Committing) and c.side == enemy]  # 31.0d one is in hand
        armour = [
            u for u in on_map(s, enemy) if UNITS[u].is_armour and not is_battle(s, s.place[u]) and u not in called
        ]
        for unit in (called + shuffled(s, armour, hidden=True))[:waiting] if waiting else ():
            s.orders[unit] |= RESERVE


def spread(s: BitwState, stacks: dict[tuple[int, int], list[int]], hidden: list[int], kind: bytes, most: int) -> None:
    """Exchange hidden blocks between stacks until none holds too many of a kind, as far as possible."""

    def number(where: tuple[int, int]) -> int:
        return sum([kind[u] for u in stacks[where]])

    def at(unit: int) -> tuple[int, int]:
        return s.place[unit], SIDE_OF[unit]

    for where in [where for where in stacks if number(where) > most]:
        while number(where) > most:
            mine = [u for u in stacks[where] if kind[u] and u in hidden]
            others = [v for v in FOG.in_token_order(s, hidden) if not kind[v] and number(at(v)) < most]
            swap = next(((u, v) for u in mine for v in others if BACK[u] == BACK[v]), None)
            if swap is None:
                break
            for one, other in (swap, swap[::-1]):
                stacks[at(one)][stacks[at(one)].index(one)] = -1 - other
            for stack in (stacks[at(swap[0])], stacks[at(swap[1])]):
                stack[:] = [-1 - u if u < 0 else u for u in stack]
            FOG.put_in_places(s, swap[::-1], swap)


# Which blocks a hidden one might be, for the odds


@rule("1.3")
def could_be(s: BitwState, side: Side, unit: int) -> list[int]:
    """1.3 The blocks that a hidden one might be, as far as the side can tell: by its back and the order of battle.

    Not those that it sees or remembers elsewhere, nor those lost so far, unless there is nobody else.
    """
    seen = {v for v in on_map(s, SIDE_OF[unit]) if FOG.identified(s, side, v)}
    alike = [v for v in roster(s, SIDE_OF[unit]) if BACK[v] == BACK[unit] and v not in seen]
    return [v for v in alike if not s.lost[v]] or alike or [unit]


def roster(s: BitwState, side: Side) -> list[int]:
    """2.3 The blocks that the scenario has given a side by now, and the forts that it may build."""
    sc = world(s).scenario
    known = {stand.unit for stand in (*sc.standing, *sc.staffs)} | {
        stand.unit for stand in sc.arriving if stand.turn <= s.turn
    }
    known |= {u for u in BLOCKS_OF[side] if IS_FORT[u] and "unused" not in UNITS[u].traits}
    known -= {unit for turn, unit in sc.withdrawn if turn <= s.turn}
    if s.chosen["advanced"] != "on":
        known = {u for u in known if UNITS[u].kind not in HQ_KINDS}  # 6.4
    return sorted(u for u in known if SIDE_OF[u] == side and not s.status[POWER_OF[u]] & OUT)
