"""Minefields: sections of 10 x 5 cm that explode under who enters, and how they are cleared."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import OPPORTUNITY, Acting, Reaction
from grognard.games.blitzkrieg.laws import barrage, destruction
from grognard.games.blitzkrieg.loading import CHARTS, Vehicle, Weapon
from grognard.games.blitzkrieg.state import FOG, GOOD, SHOT_AT, Position, raise_flag, stands
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_TEAM, IS_VEHICLE, MODEL_OF, PIONEERS, SIDE_OF, world
from grognard.kernel import No, emit, enter, no, roll, rule
from grognard.tabletop import CM
from grognard.tabletop.shapes import Box

from .losses import damage, experience, lose, show, take_hits

MINES = CHARTS["mines"]
NO_MINES = no("base-demining", "no-mines-here")
NOT_INFANTRY = no("base-demining", "only-infantry-demines")
BUSY = no("base-demining", "demining-takes-a-turn")
NOT_STEADY = no("base-demoralised", "demoralised")


def touching(s: Position, unit: int, point: int, facing: int, margin: int = 0) -> list[int]:
    """The live sections under the base of a unit at a point; with a margin, those in contact with it."""
    w, found = world(s), []
    x, y = w.table.x[point], w.table.y[point]
    for number, mine in enumerate(w.mines):
        if not s.mined[number] or abs(x - mine.x) > 60 or abs(y - mine.y) > 60:
            continue
        box = Box(mine.x - margin, mine.y - margin, mine.wide + 2 * margin, mine.deep + 2 * margin)
        if box.touches(BASE_OF[unit], x, y, facing):
            found.append(number)
    return found


@rule("base-minefield")
def enter_mines(s: Position, unit: int, before: int, facing: int) -> bool:
    """Base-minefield: who comes onto a section that it did not stand on sets it off; True if it did."""
    if not world(s).mines:
        return False
    stood = touching(s, unit, before, facing)
    new = [n for n in touching(s, unit, s.at[unit], s.facing[unit]) if n not in stood]
    for _ in new:
        if stands(s, unit):
            explode(s, unit)
    return bool(new)


@rule("base-minefield")
def explode(s: Position, unit: int) -> None:
    """Base-minefield: infantry and crews take 2D6 at 5+; under a vehicle a mine goes off on 4+."""
    show(s, unit)
    raise_flag(s, unit, SHOT_AT)
    dice = roll(s, "base-minefield", 1 if IS_VEHICLE[unit] else int(MINES["dice"]), side=SIDE_OF[unit])
    number = int(MINES["explodes" if IS_VEHICLE[unit] else "number"])
    hits = sum(die >= number for die in dice)
    emit(s, "mined", "base-minefield", unit=FOG.veil(s, unit), dice=dice, number=number, hits=hits)
    model = MODEL_OF[unit]
    if not isinstance(model, Vehicle):
        take_hits(s, unit, hits, 0, "base-minefield", s.at[unit])
    elif hits and model.is_soft:
        lose(s, unit, "base-minefield")
    elif hits:
        book = book_of(s)
        test = roll(s, "base-destruction", destruction.test_dice(book), side=SIDE_OF[unit])
        if destruction.tested(book, int(MINES["ap"]), model.armour[2], test) == destruction.DESTROYED:
            lose(s, unit, "base-minefield")
        else:
            damage(s, unit, "base-minefield")


@rule("base-demining")
def why_no_demining(s: Position, c: Acting) -> No | None:
    """Base-demining: infantry in good order, in contact with a section, all its turn."""
    unit = c.unit
    if not IS_TEAM[unit]:
        return NOT_INFANTRY
    if s.condition[unit] != GOOD:
        return NOT_STEADY
    if not touching(s, unit, s.at[unit], s.facing[unit], CM):
        return NO_MINES
    return BUSY if c.has_moved or c.shot else None


@question
@rule("103")
def demining_draws_fire(book: Book) -> bool:
    """Without proposal 103 who clears mines may be fired at in opportunity."""
    return True


@rule("base-demining")
def demine(s: Position, c: Acting) -> None:
    """Base-demining: an experience test, pioneers at +2, clears the section."""
    c.over, unit = 1, c.unit
    show(s, unit)
    number = touching(s, unit, s.at[unit], s.facing[unit], CM)[0]
    if experience(s, unit, "base-demining", 2 if MODEL_OF[unit].id in PIONEERS else 0):
        s.mined[number] = 0
        emit(s, "demined", "base-demining", unit=FOG.veil(s, unit), mines=world(s).mines[number].name)
    if demining_draws_fire(book_of(s)):
        enter(s, Reaction(side=1 - c.side, unit=unit, why=OPPORTUNITY))


@rule("501")
def breach(s: Position, box: Box, weapon: Weapon) -> None:
    """501 A die for each section under heavy indirect fire; a 6 removes it."""
    if not barrage.breaches(book_of(s), weapon):
        return
    for number, mine in enumerate(world(s).mines):
        apart = (
            mine.x > box.x + box.wide
            or box.x > mine.x + mine.wide
            or mine.y > box.y + box.deep
            or box.y > mine.y + mine.deep
        )
        if s.mined[number] and not apart and roll(s, "501")[0] >= int(barrage.BARRAGE["mine"]):
            s.mined[number] = 0
            emit(s, "breached", "501", mines=mine.name)


def leads_over(s: Position, unit: int, way: Iterable[int]) -> bool:
    """True if a way leads over live mines."""
    return any(touching(s, unit, p, s.facing[unit]) for p in way)
