"""Events: facts with the rule that made them and the sides that may hear of them; sentences are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .record import REFEREE, Side, State


class Veiled(NamedTuple):
    """A value that some sides may know and the others see as something else (a token, or nothing)."""

    value: Any
    shown: Any
    knowers: tuple[Side, ...]

    def to(self, side: Side) -> Any:
        """What this side may read."""
        return self.value if side == REFEREE or side in self.knowers else self.shown


@dataclass(frozen=True)
class Event:
    """What happened. `audience` None means everybody; `reveals` closes undo."""

    kind: str
    rule: str
    data: dict[str, Any] = field(default_factory=dict)
    audience: tuple[Side, ...] | None = None
    reveals: bool = False

    def heard_by(self, side: Side) -> bool:
        """True if this side may know that it happened."""
        return self.audience is None or side == REFEREE or side in self.audience

    def to_json(self, side: Side = REFEREE) -> dict[str, Any]:
        """Plain data as this side may read it."""
        return {"kind": self.kind, "rule": self.rule} | {key: _open(value, side) for key, value in self.data.items()}


def _open(value: Any, side: Side) -> Any:
    if isinstance(value, Veiled):
        return value.to(side)
    if isinstance(value, list | tuple):
        return [_open(v, side) for v in value]
    if isinstance(value, dict):
        return {key: _open(v, side) for key, v in value.items()}
    return value


def emit(
    s: State, kind: str, rule: str, *, audience: tuple[Side, ...] | None = None, reveals: bool = False, **data: Any
) -> None:
    """Tell the table (or `audience`) that something happened under a rule. Costs nothing while nobody listens."""
    if s.events is not None:
        s.events.append(Event(kind, rule, data, audience, reveals))


class Tally:
    """Modifiers as lines `(rule, amount)`, so that a player can read why the roll is +2.

    >>> t = Tally([("7.2", 1)]); t.add("7.3", -2); t.add("7.4", 0); t.lines, t.total()
    ((('7.2', 1), ('7.3', -2)), -1)
    """

    def __init__(self, lines: list[tuple[str, int]] | None = None) -> None:
        self._lines = list(lines or [])

    def add(self, rule: str, amount: int) -> None:
        """One line; nothing is written for zero."""
        if amount:
            self._lines.append((rule, amount))

    @property
    def lines(self) -> tuple[tuple[str, int], ...]:
        """The lines in the order in which the rules were consulted."""
        return tuple(self._lines)

    def total(self, low: int | None = None, high: int | None = None) -> int:
        """The sum, kept within the limits if the rules give any."""
        total = sum(amount for _, amount in self._lines)
        total = total if low is None else max(low, total)
        return total if high is None else min(high, total)
