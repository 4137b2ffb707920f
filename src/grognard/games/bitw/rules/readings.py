"""Doubtful lines of the rules as switches: each has our reading as its default and one other (decision 0335).

A reading is asked for where its rule is carried out, by `otherwise`; those that change dice ride on the `Field` of a
battle (`dice_of`) or are words of an odds case (`rulings`). What nobody chose is not part of a position.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from grognard.kernel import Option

from ..state import BitwState
from .fire import OURS, Readings


class Reading(NamedTuple):
    """A doubtful line: its switch, its rule, our reading and the other, whether a case of the odds may name it."""

    name: str
    rule: str
    ours: str
    other: str
    in_odds: bool = False


READINGS: Final = (
    Reading("natural-one", "7.7.6f", "misses", "hits", in_odds=True),  # A2
    Reading("bomber-guns", "6.3.2b", "fighters", "aircraft", in_odds=True),  # ruling (a)
    Reading("halved-flak", "6.5c", "all", "french", in_odds=True),  # A17
    Reading("place-flak", "7.7.2b", "halved", "full", in_odds=True),  # A50, decision 0311
    Reading("landing-defence", "24.1d", "all", "any", in_odds=True),  # P2
    Reading("atlantic-six", "18.1.3", "sunk", "step", in_odds=True),  # A76
    Reading("submarine-dice", "35.2a", "steps", "boats", in_odds=True),  # A42
    Reading("brigade-fight", "29.1e", "end", "round", in_odds=True),
    Reading("radar-over", "13.8.1.2-radar-c", "britain", "everywhere"),  # A34
    Reading("despair", "12.4.1a", "unsupplied", "all"),  # A62
    Reading("garrison-end", "12.2b", "surrenders", "holds"),  # A33
    Reading("lane-zones", "4.3b", "ground", "any"),  # A65
    Reading("command-zones", "13.3a", "any", "ground"),  # decision 0330
    Reading("look-points", "19.1a", "besides", "paid"),  # decision 0333
    Reading("first-turn", "2.3", "skipped", "played"),  # decision 0310
)
OTHER: Final = {r.name: r.other for r in READINGS}
LANES, COMMAND = 1 << 9, 1 << 10  # in `s.conditions`: readings that remembered answers hang on


def switches() -> tuple[Option, ...]:
    """The readings as options of the game."""
    return tuple(Option(r.name, r.rule, (r.ours, r.other), r.ours) for r in READINGS)


def otherwise(s: BitwState, name: str) -> bool:
    """Whether a game is played by the other reading."""
    return s.chosen.get(name) == OTHER[name]


def dice_of(s: BitwState) -> Readings:
    """The readings that the dice of a battle ask for."""
    if not s.options:
        return OURS
    chosen = s.chosen
    found = Readings(
        chosen.get("natural-one") == "hits",
        chosen.get("bomber-guns") == "aircraft",
        chosen.get("halved-flak") == "french",
    )
    return found if any(found) else OURS


def remembered_by(s: BitwState) -> int:
    """The bits of `s.conditions` for readings that change zones and lanes."""
    return otherwise(s, "lane-zones") * LANES | otherwise(s, "command-zones") * COMMAND


def words_of(s: BitwState) -> dict[str, str]:
    """The readings of a game that differ from ours, as an odds case names them."""
    return {r.name.replace("-", "_"): r.other for r in READINGS if r.in_odds and otherwise(s, r.name)}
