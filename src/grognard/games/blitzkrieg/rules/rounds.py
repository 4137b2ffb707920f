"""Special rounds: hollow charges, tungsten cores, smoke shells; who carries them and when they are gone."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Vehicle, Weapon
from grognard.games.blitzkrieg.state import FOG, ROUNDS, Position
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import MODEL_OF, NATION_OF, SIDE_OF, world
from grognard.kernel import No, emit, no, roll, rule

SPECIAL = CHARTS["special"]
VERBS = {"heat": "HEAT", "apcr": "APCR", "apds": "APDS", "smoke-shell": "smoke"}
NO_ROUND = no("401c", "no-such-ammunition")
ALL_FIRED = no("211a", "special-rounds-gone")
GONE = 3  # of the two bits of a kind


def main_gun(unit: int) -> Weapon | None:
    """The gun that fires special rounds: the first of a vehicle, or the piece itself."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        return model.guns[0] if model.guns else None
    return model.weapon if isinstance(model, Gun) else None


@rule("401c", "211b", "base-special-ammo")
def carries(s: Position, unit: int, kind: str) -> bool:
    """401c, 211b What a gun was given: by weapon, nation and year."""
    weapon, year, nation = main_gun(unit), world(s).year, NATION_OF[unit]
    if weapon is None:
        return False
    return any(
        weapon.id in weapons and (nations == "all" or nation in nations.split()) and year >= first
        for weapons, nations, first in SPECIAL[kind]
    )


@rule("211a", "401c")
def why_no_round(s: Position, unit: int, kind: str) -> No | None:
    """401c A round that the gun has; 211a until it is used up."""
    if not carries(s, unit, kind):
        return NO_ROUND
    return ALL_FIRED if s.rounds[unit] >> ROUNDS[kind] & GONE == GONE else None


@question
def used_up(book: Book, s: Position, unit: int, fired: int) -> bool:
    """Without proposal 211 there are three rounds of each kind."""
    return fired >= int(SPECIAL["counted"])


@rule("211a")
def spend_round(s: Position, unit: int, kind: str) -> None:
    """211a After the shot a coloured die: on 1 this kind of round is used up."""
    shift = ROUNDS[kind]
    fired = (s.rounds[unit] >> shift & GONE) + 1
    if used_up(book_of(s), s, unit, fired):
        s.rounds[unit] |= GONE << shift
        emit(s, "rounds-gone", "211a", unit=FOG.veil(s, unit), ammunition=f"round-{kind.lower()}")
    elif not book_of(s).has("211"):
        s.rounds[unit] = s.rounds[unit] & ~(GONE << shift) | fired << shift


def coloured_die(s: Position, unit: int) -> bool:
    """211a The coloured die shows a 1."""
    return roll(s, "211a", side=SIDE_OF[unit])[0] == 1
