"""Indirect fire of pieces on the table: who may, who guides it, batteries of pieces, rockets."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import NOBODY, Acting, Barrage, Volley
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Vehicle, Weapon
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    EMPTY,
    FIRED,
    FOG,
    GOOD,
    GUIDED,
    JAMMED,
    RELOADS,
    Position,
    has,
    is_there,
    raise_flag,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_TEAM, MODEL_OF, SIDE_OF, world
from grognard.kernel import NUMBER, Decision, No, Side, emit, enter, no, roll, rule
from grognard.tabletop import centimetres
from grognard.tabletop.measure import gap_to_point

from .ground import within
from .losses import show
from .sights import sees_through

TUBES = CHARTS["rockets"]
LINKS = CHARTS["links"]
NO_PIECE = no("410a", "no-indirect-fire")
HAS_MOVED = no("412a", "moved-before-indirect")
NOT_LAID = no("412b", "not-in-battery")
IS_JAMMED = no("base-support-weapon-jam", "weapon-jammed")
IS_EMPTY = no("base-gun-ammunition", "out-of-ammunition")
NOT_STEADY = no("base-demoralised", "demoralised")
FIRED_ALREADY = no("base-vehicle-actions", "fired-already")
NO_ROCKETS = no("406a", "no-rockets")
TOO_MANY = no("406a", "too-many-rockets")
NO_RELOAD = no("406d", "no-reload")
RELOAD_TAKES_A_TURN = no("406d", "reload-takes-a-turn")


# Pieces


def piece_weapon(unit: int) -> Weapon | None:
    """What a unit would fire indirect."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        return model.guns[0] if model.guns else None
    return model.weapon if isinstance(model, Gun) else None


def has_tubes(unit: int) -> bool:
    """A rocket launcher."""
    weapon = piece_weapon(unit)
    return weapon is not None and law.is_rocket(weapon)


@rule("406a")
def tubes(unit: int) -> int:
    """406a How many rockets a launcher holds."""
    weapon = piece_weapon(unit)
    return int(TUBES["tubes"].get(MODEL_OF[unit].id, TUBES["other"])) if weapon and law.is_rocket(weapon) else 0


def cm_to(s: Position, unit: int, point: int) -> int:
    """From the edge of a base to a point, in centimetres."""
    table, here = world(s).table, s.at[unit]
    far = gap_to_point(BASE_OF[unit], table.x[here], table.y[here], s.facing[unit], table.x[point], table.y[point])
    return centimetres(far)


@question
def may_hurry(book: Book) -> bool:
    """Without proposal 412 a piece that moved fires indirect in its next turn."""
    return True


@rule("412a", "412b")
def why_not_laid(s: Position, unit: int) -> No | None:
    """412a Not in the turn of a move; 412b after one a whole turn without move or fire."""
    if s.stood[unit] and s.at[unit] != s.stood[unit]:
        return HAS_MOVED
    return NOT_LAID if not may_hurry(book_of(s)) and s.laid[unit] > s.turn else None


@rule("410a", "409e", "108b", "401c")
def why_no_piece(s: Position, unit: int) -> No | None:
    """410a Pieces of the right kind, in good order, with rounds, laid."""
    model = MODEL_OF[unit]
    if IS_TEAM[unit] or piece_weapon(unit) is None or (isinstance(model, Vehicle) and not model.guns):
        return NO_PIECE
    assert isinstance(model, (Gun, Vehicle))
    why = law.why_not_indirect(book_of(s), model, int(LINKS["far"]))
    if why is not None:
        return why
    if s.condition[unit] != GOOD:
        return NOT_STEADY
    if not is_there(s, unit):
        return NOT_LAID
    if has(s, unit, JAMMED):
        return IS_JAMMED
    if has(s, unit, EMPTY):
        return IS_EMPTY
    if has_tubes(unit) and not s.rockets[unit]:
        return NO_ROCKETS
    return why_not_laid(s, unit)


@rule("416a", "415c")
def why_no_bombardment(s: Position, c: Acting) -> No | None:
    """416a A piece fires indirect without asking for support (415c), instead of all else."""
    why = why_no_piece(s, c.unit)
    if why is not None:
        return why
    return HAS_MOVED if c.has_moved else FIRED_ALREADY if c.shot else None


@rule("414b", "410c")
def battery_of(s: Position, unit: int) -> tuple[int, ...]:
    """414b Who fires with a piece: of its formation and kind, grouped within 5 cm, with their turn to come."""
    if has_tubes(unit):
        return (unit,)
    weapon = piece_weapon(unit)
    rest = [
        u
        for u in world(s).formations[world(s).formation_of[unit]].units
        if u != unit
        and is_there(s, u)
        and piece_weapon(u) == weapon
        and not s.flags[u] & (ACTIVATED | FIRED)
        and why_no_piece(s, u) is None
    ]
    found, joined = [unit], [unit]
    while joined:
        here = joined.pop()
        near = [u for u in rest if within(s, here, u, int(LINKS["group"]))]
        found += near
        joined += near
        rest = [u for u in rest if u not in near]
    return tuple(found[: int(LINKS["most"])])


def begin_bombardment(s: Position, c: Acting) -> None:
    """The battery goes to work; its pieces have acted."""
    c.over = 1
    pieces = battery_of(s, c.unit)
    for unit in pieces:
        raise_flag(s, unit, ACTIVATED)
    enter(s, Barrage(side=c.side, pieces=pieces))


# Who guides


@question
@rule("414a")
def may_guide(book: Book, s: Position, unit: int, piece: int) -> bool:
    """Without proposal 414 any unit guides."""
    return True


@question
def needs_wire(book: Book, unit: int) -> bool:
    """Without proposal 409 every observer has a radio for pieces on the table."""
    return False


@rule("414c")
def is_linked(s: Position, unit: int, piece: int) -> bool:
    """414c By radio; else by signals within 10 cm, or by telephone while the observer has not moved."""
    if not needs_wire(book_of(s), unit):
        return True
    return within(s, unit, piece, int(LINKS["signals"])) or s.at[unit] == s.stood[unit]


def guides(s: Position, side: Side, piece: int) -> list[int]:
    """414a The piece itself, then those of its side who may guide it now, one fire a turn each (414b)."""
    book = book_of(s)
    others = [
        u
        for u in world(s).of_side[side]
        if u != piece
        and s.condition[u] == GOOD
        and is_there(s, u)
        and not s.rounds[u] & GUIDED
        and may_guide(book, s, u, piece)
        and is_linked(s, u, piece)
    ]
    return [piece, *others]


@rule("414a", "416b")
def guide_to(s: Position, side: Side, piece: int, point: int) -> int:
    """Who guides a fire at a point: who did before if that may be, else the first who sees it; -1 for nobody."""
    seeing = [u for u in guides(s, side, piece) if sees_through(s, u, point)]
    before = s.guide[piece] - 1
    return before if before in seeing else seeing[0] if seeing else -1


@rule("416b")
def keeps_aim(s: Position, piece: int) -> bool:
    """416b The piece and its observer stand where they stood when the fire was opened."""
    observer = s.guide[piece] - 1
    return (
        s.aim[piece] > 0
        and observer >= 0
        and s.at[piece] == s.aim_from[piece]
        and s.at[observer] == s.guide_from[piece]
        and s.condition[observer] == GOOD
    )


@rule("416b", "414b")
def take_mark(s: Position, piece: int, point: int, observer: int) -> None:
    """416b Another place, another observer or a move begins anew; 414b the observer is busy this turn."""
    kept = keeps_aim(s, piece) and s.aim[piece] == point and s.guide[piece] - 1 == observer
    if not kept:
        s.tries[piece] = 0
    s.aim[piece], s.aim_from[piece] = point, s.at[piece]
    s.guide[piece], s.guide_from[piece] = observer + 1, s.at[observer]
    s.rounds[observer] |= GUIDED


@rule("412b")
def note_moves(s: Position) -> None:
    """412b Who moved last turn, or fired before it was laid again, needs this whole turn."""
    for unit in world(s).units:
        moved = s.stood[unit] and s.at[unit] != s.stood[unit]
        if moved or (s.laid[unit] >= s.turn and s.flags[unit] & FIRED):
            s.laid[unit] = s.turn + 1
        s.stood[unit] = s.at[unit]


# Ammunition


@question
def runs_short(book: Book, s: Position, unit: int) -> bool:
    """Without proposal 417 pieces do not run out in indirect fire."""
    return False


@rule("417e")
def spend_shells(s: Position, unit: int) -> None:
    """417e A coloured 1, and then a 1 or 2, and the piece is out of ammunition."""
    if runs_short(book_of(s), s, unit):
        raise_flag(s, unit, EMPTY)
        emit(s, "empty", "417e", unit=FOG.veil(s, unit))


def coloured_then(s: Position, unit: int) -> bool:
    """417e The two dice."""
    side = SIDE_OF[unit]
    return roll(s, "417e", side=side)[0] == 1 and roll(s, "417e", side=side)[0] <= int(LINKS["short"])


# Rockets


def launcher(c: Barrage | Volley) -> int:
    """The launcher that fires."""
    return c.unit if isinstance(c, Volley) else c.pieces[0] if c.pieces else NOBODY


@rule("406a", "408a")
class Salvo(Decision):
    """406a, 408a All or some of the rockets that are loaded."""

    verbs = {"salvo": NUMBER}

    def needed(self, s: Position, c: Barrage | Volley, side: Side) -> bool:
        """Once, before the rockets fly."""
        return is_salvo(s, c) and not c.rockets

    def nouns(self, s: Position, c: Barrage | Volley, side: Side, verb: str) -> range:
        """One to all."""
        return range(1, s.rockets[launcher(c)] + 1)

    def why_not(self, s: Position, c: Barrage | Volley, side: Side, verb: str, noun: int) -> No | None:
        """No more than are loaded."""
        return None if 1 <= noun <= s.rockets[launcher(c)] else TOO_MANY

    def apply(self, s: Position, c: Barrage | Volley, side: Side, verb: str, noun: int) -> None:
        """So many."""
        c.rockets = noun


def is_salvo(s: Position, c: Barrage | Volley) -> bool:
    """Rockets are about to fly."""
    if isinstance(c, Volley):
        return True
    return not c.over and c.point > 0 and bool(c.pieces) and has_tubes(c.pieces[0])


@rule("406a", "408a")
def use_rockets(s: Position, unit: int, count: int) -> None:
    """406a A rocket a tube."""
    s.rockets[unit] = max(0, s.rockets[unit] - count)


@rule("406d")
def why_no_reload(s: Position, c: Acting) -> No | None:
    """406d The crew reloads all its turn."""
    if not has_tubes(c.unit) or not book_of(s).has("406") or s.rockets[c.unit] >= tubes(c.unit):
        return NO_RELOAD
    if s.condition[c.unit] != GOOD:
        return NOT_STEADY
    return RELOAD_TAKES_A_TURN if c.has_moved or c.shot else None


@rule("406d")
def reload(s: Position, c: Acting) -> None:
    """406d Three rockets; the crew counts as moving for the turn."""
    c.over, unit = 1, c.unit
    s.rockets[unit] = min(tubes(unit), s.rockets[unit] + int(TUBES["reload"]))
    s.rounds[unit] |= RELOADS
    show(s, unit)
    emit(s, "reloads", "406d", unit=FOG.veil(s, unit), rockets=s.rockets[unit])


@rule("411", "413")
def can_lob(s: Position, unit: int, point: int) -> bool:
    """A piece could fire indirect at a point now, somebody guiding it."""
    model = MODEL_OF[unit]
    if IS_TEAM[unit] or has_tubes(unit) or why_no_piece(s, unit) is not None:
        return False
    assert isinstance(model, (Gun, Vehicle))
    if law.why_not_indirect(book_of(s), model, cm_to(s, unit, point)) is not None:
        return False
    return guide_to(s, SIDE_OF[unit], unit, point) >= 0
