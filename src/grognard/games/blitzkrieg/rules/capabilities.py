"""What a section or a vehicle was given for the day: Panzerfausts, close-defence launchers, explosive charges."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, Team
from grognard.games.blitzkrieg.state import (
    BOUGHT,
    FOG,
    GOOD,
    HIDDEN,
    LAUNCHER,
    NO_FAUST,
    SATCHEL,
    Position,
    drop_flag,
    given,
    has,
    raise_flag,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, MODEL_OF, SIDE_OF, world
from grognard.kernel import No, emit, no, roll, rule

from .losses import experience, take_hits

GIVEN = CHARTS["capabilities"]
NO_FAUSTS = no("107bis-a", "no-panzerfausts")
NOT_NOW = no("107bis-c", "no-panzerfaust-now")


# Panzerfausts


@question
def fausts_left(book: Book, fired: int) -> bool:
    """Without proposal 107bis a section has three, counted one by one."""
    return fired < int(GIVEN["fausts"])


@question
def faust_found(book: Book, s: Position, unit: int, fired: int) -> bool:
    """Without proposal 107bis what is counted is at hand."""
    return True


@rule("107bis-a", "107bis-c")
def why_no_faust(s: Position, unit: int) -> No | None:
    """107bis-a Groups of a section with the capability; 107bis-c not twice in a turn after a failed attempt."""
    formation, model = world(s).formation_of[unit], MODEL_OF[unit]
    if (
        not given(s, formation, "panzerfausts", int(world(s).formations[formation].fausts))
        or not isinstance(model, Team)
        or model.sort != "group"
    ):
        return NO_FAUSTS
    if not fausts_left(book_of(s), s.fausts[formation]):
        return NO_FAUSTS
    return NOT_NOW if has(s, unit, NO_FAUST) else None


@rule("107bis-b", "107bis-c")
def take_faust(s: Position, unit: int) -> bool:
    """107bis-b Look for a Panzerfaust; 107bis-c who finds none may look again next turn."""
    formation = world(s).formation_of[unit]
    if not faust_found(book_of(s), s, unit, s.fausts[formation]):
        raise_flag(s, unit, NO_FAUST)
        audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
        emit(s, "no-faust", "107bis-c", audience=audience, unit=FOG.veil(s, unit))
        return False
    s.fausts[formation] = min(255, s.fausts[formation] + 1)
    return True


# Close-defence launchers


@question
def has_launcher(book: Book, s: Position, unit: int) -> bool:
    """Without proposal 217 a die says at the set-up whether a vehicle has its launcher."""
    return roll(s, "217a", side=SIDE_OF[unit])[0] >= int(GIVEN["launcher_owned"])


@rule("217a")
def fit_launchers(s: Position, unit: int) -> None:
    """217a The armour of a formation that bought launchers has one each."""
    if IS_ARMOUR[unit] and has_launcher(book_of(s), s, unit):
        raise_flag(s, unit, LAUNCHER)


@rule("base-grenade-launcher", "217b")
def launcher_fires(s: Position, unit: int, target: int) -> None:
    """Base-grenade-launcher: three dice at who storms the vehicle; 217b then it is reloaded, or done with."""
    if not has(s, target, LAUNCHER) or s.condition[unit] != GOOD:
        return
    dice = roll(s, "base-grenade-launcher", int(GIVEN["launcher_dice"]), side=SIDE_OF[target])
    number = int(GIVEN["launcher_number"])
    hits = sum(die >= number for die in dice)
    facts: dict[str, Any] = {"dice": dice, "number": number, "hits": hits}
    emit(s, "launches", "base-grenade-launcher", unit=FOG.veil(s, target), target=FOG.veil(s, unit), **facts)
    take_hits(s, unit, hits, 0, "base-grenade-launcher", s.at[target])
    if not experience(s, target, "217b"):
        drop_flag(s, target, LAUNCHER)
        emit(s, "launcher-spent", "217b", unit=FOG.veil(s, target))


# Explosive charges


@rule("215a")
def give_charge(s: Position, unit: int) -> None:
    """215a The first groups of a formation that bought explosive charges carry one each."""
    formation = world(s).formations[world(s).formation_of[unit]]
    groups = [u for u in formation.units if IS_TEAM[u] and getattr(MODEL_OF[u], "sort", "") == "group"]
    if world(s).offers:
        groups = [u for u in groups if has(s, u, BOUGHT)]
    if unit in groups[: given(s, formation.number, "charges", formation.charges)]:
        raise_flag(s, unit, SATCHEL)


def hand_weapon(s: Position, unit: int) -> str:
    """What a unit takes to an assault on armour besides its arms: its explosive charge, or nothing."""
    return "charge" if has(s, unit, SATCHEL) else ""


@rule("215a")
def spend_charge(s: Position, unit: int) -> None:
    """215a A charge is there once."""
    drop_flag(s, unit, SATCHEL)
