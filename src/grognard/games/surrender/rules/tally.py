"""Steps 4 and 5 of a combat: adding up a side's modifiers, capping them, dividing and flooring the result.

The lists are data (charts.toml); a predicate per rule says how often its line counts for a side. What a player reads
as the tally is the very object that the dice get.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from grognard.games.surrender.loading import DrmRow, drm_rows, halving_rules, setting
from grognard.games.surrender.rules.cases import AirCase, Case, GroundCase
from grognard.kernel.rulebook import rule

Predicate = Callable[[Any, str], int]
LINES: dict[str, Callable[..., int]] = {}
HALVINGS: dict[str, Predicate] = {}
PER_UNIT = ("assault-drm-extra-tank-shock", "assault-drm-extra-other")
EVENT_RULE = {"ground": "ground-drm-event", "air": "air-drm-event", "strategic": "strategic-drm-event"}
F = TypeVar("F", bound=Callable[..., int])


def line(rule_id: str) -> Callable[[F], F]:
    """Register the predicate of one line of a list of modifiers under its rule."""

    def register(function: F) -> F:
        LINES[rule_id] = function
        return function

    return register


def halving(rule_id: str) -> Callable[[F], F]:
    """Register the predicate of one division after the roll under its rule."""

    def register(function: F) -> F:
        HALVINGS[rule_id] = function
        return function

    return register


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a tally; `name` tells which marker or unit it is for, when the rule alone does not."""

    rule: str
    drm: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """The modifiers of one side, line by line, and the divisions its result will suffer."""

    items: tuple[Item, ...] = ()
    halvings: tuple[str, ...] = ()

    @property
    def sum(self) -> int:
        """All lines added."""
        return sum(item.drm for item in self.items)

    @property
    def drm(self) -> int:
        """seq-4-cap What is applied to the die: the sum held between -10 and +10."""
        return capped(self.sum)

    @property
    def is_capped(self) -> bool:
        """Did the cap change anything?"""
        return self.drm != self.sum


@rule("seq-4-cap")
def capped(total: int) -> int:
    """seq-4-cap The sum of all lines, not each line, is held between minus and plus ten."""
    cap = setting("cap")
    return max(-cap, min(cap, total))


@rule("seq-4-own", "ground-drm-event", "air-drm-event", "strategic-drm-event")
def tally(case: Case, role: str) -> Tally:
    """seq-4-own A side adds the lines of its own kind of combat that apply to itself; committed markers add theirs."""
    kind = kind_of(case)
    items: list[Item] = []
    for row in drm_rows(kind):
        items.extend(_items(row, case, role))
    markers = case.events.get(role, ())
    items.extend(Item(EVENT_RULE[kind], m.drm, m.name) for m in markers if m.drm)
    halvings = [h for h in halving_rules(kind) for _ in range(HALVINGS[h](case, role))]
    return Tally(tuple(items), tuple(halvings))


def _items(row: DrmRow, case: Case, role: str) -> list[Item]:
    times = LINES[row.rule](case, role, row) if row.versus else LINES[row.rule](case, role)
    if not times:
        return []
    if row.rule in PER_UNIT:
        return [Item(row.rule, row.drm)] * times
    return [Item(row.rule, row.drm * times)]


def kind_of(case: Case) -> str:
    """ground, air or strategic."""
    if isinstance(case, GroundCase):
        return "ground"
    return "air" if isinstance(case, AirCase) else "strategic"


@rule("seq-5-halve", "seq-5-round", "ground-halve-each", "air-halve-each")
def halved(value: int, times: int) -> int:
    """seq-5-round Divide by two once per division, rounding up each time.

    >>> halved(9, 3)
    2
    """
    for _ in range(times):
        value = -(-value // 2)
    return value


@rule("seq-5-roll", "seq-5-min")
def final_value(face: int, drm: int, halvings: int) -> int:
    """seq-5-min The die plus the capped modifier, divided as ordered, and never below 1."""
    return max(1, halved(face + drm, halvings))
