"""Getting on and off vehicles, limbering and unlimbering: what it costs, who may, and what is fired from aboard."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import TURN, Acting, Moving
from grognard.games.blitzkrieg.laws.fire import HALF_GROUPS
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Team, Vehicle
from grognard.games.blitzkrieg.state import (
    ABOARD,
    BOGGED,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    FIRED,
    FOG,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    STUCK,
    SUPPRESSED,
    UNHITCHED,
    Position,
    bearer,
    drop_flag,
    has,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import No, emit, enter, no, rule

from .ground import friends, within
from .losses import show
from .riding import BESIDE, beside, passengers, set_off, set_on, sits, towed
from .walking import allowance, stays_put

RIDE, TOW, TRACTORS = CHARTS["transport"], CHARTS["towing"], CHARTS["tractors"]

NOT_A_CARRIER = no("base-transport", "not-a-carrier")
NOT_MEN = no("base-transport", "not-men")
NOT_A_TOWED_GUN = no("403a", "not-a-towed-gun")
NOT_A_TRACTOR = no("403a", "not-a-tractor")
TOO_FAR = no("base-transport", "too-far-to-board")
TOO_FAR_TO_HITCH = no("403a", "too-far-to-hitch")
NO_SEAT = no("base-transport", "no-seat", lambda s, c, side, noun: {"seats": capacity(noun), "taken": taken(s, noun)})
TOWS_ALREADY = no("403a", "tows-already")
CARRIER_SPENT = no("base-transport", "carrier-has-moved")
TRACTOR_SPENT = no("403b", "tractor-has-moved")
MEN_SPENT = no("base-transport", "moved-too-far-to-board")
FIRED_FIRST = no("base-transport", "fired-already")
NO_SHOT_AND_HITCH = no("403c", "no-shot-and-hitch")
NOT_ABOARD = no("base-transport", "not-aboard")
NO_ROOM_BESIDE = no("base-transport", "no-room-beside")
STAYS_INSIDE = no("402d", "gun-stays-inside")
NOT_FROM_ABOARD = no("base-transport", "not-from-aboard")
NOT_FROM_A_TRUCK = no("base-transport", "no-fire-from-trucks")
HITCHED_MOVES = no("404", "no-fire-on-the-move-hitched")
NOT_STEADY = no("base-demoralised", "demoralised")
PINNED = no("base-suppression", "suppressed-crawls")


# What vehicles take


def capacity(carrier: int) -> int:
    """The seats of a vehicle, in half-groups."""
    model = MODEL_OF[carrier]
    return model.capacity if isinstance(model, Vehicle) else 0


@question
@rule("001b")
def half_seats(book: Book, team: Team) -> int:
    """Without proposal 001 scouts, commanders and commissars are groups; a carrier's own crew still finds room."""
    return 2 if team.id in HALF_GROUPS and team.id != "brencrew" else 1


@rule("base-transport", "203a", "203b", "001b")
def seats(s: Position, unit: int) -> int:
    """Base-transport: the room that a unit takes, in half-groups: a group two, a half-group one (001b)."""
    model = MODEL_OF[unit]
    return half_seats(book_of(s), model) if isinstance(model, Team) and model.sort == "half" else 2


def taken(s: Position, carrier: int) -> int:
    """The seats of a vehicle that are taken."""
    return sum(seats(s, u) for u in passengers(s, carrier))


@rule("403a")
def may_tow(carrier: int, gun: int) -> bool:
    """403a A tractor at least as strong as the gun needs; what only men carry is not towed."""
    model, piece = MODEL_OF[carrier], MODEL_OF[gun]
    if not isinstance(model, Vehicle) or not isinstance(piece, Gun) or piece.tow not in TRACTORS["order"]:
        return False
    if model.guns and model.type != "halftrack":
        return False
    strength = TRACTORS.get(model.type)
    order: list[str] = TRACTORS["order"]
    return strength is not None and order.index(strength) >= order.index(piece.tow)


# What it costs


@question
@rule("403b")
def hitch_share(book: Book, gun: Gun) -> int:
    """Without proposal 403 hitching and unhitching take the whole move of the tractor."""
    return 100


@question
@rule("403c", "403d")
def may_fire_and_hitch(book: Book) -> bool:
    """Without proposal 403 a gun does not fire in the turn in which it is hitched or unhitched."""
    return False


def has_left(s: Position, unit: int, share: int) -> bool:
    """True if a unit has so many per cent of its move left this turn."""
    return s.effort[unit] + share <= 100


def spend(s: Position, unit: int, share: int) -> None:
    """Note what a unit has used of its move this turn."""
    s.effort[unit] = min(100, s.effort[unit] + share)


# On


def carriers(s: Position, unit: int) -> list[int]:
    """The vehicles of a unit's side, for orders."""
    return [u for u in friends(s, SIDE_OF[unit]) if IS_VEHICLE[u] and u != unit]


@rule("base-transport", "203a", "203b", "001b")
def why_no_board(s: Position, c: Acting, carrier: int) -> No | None:
    """Base-transport: men get on a vehicle of their side within 5 cm that has seats and half its move left."""
    unit = c.unit
    if not sits(unit):
        return NOT_MEN
    if has(s, unit, ABOARD):
        return NOT_FROM_ABOARD
    if not _own_vehicle(s, unit, carrier) or not capacity(carrier):
        return NOT_A_CARRIER
    if s.condition[unit] != GOOD:
        return NOT_STEADY
    if has(s, unit, SUPPRESSED | CRAWLED):
        return PINNED
    if c.shot:
        return FIRED_FIRST
    if not has_left(s, unit, int(RIDE["share"])):
        return MEN_SPENT
    if not within(s, unit, carrier, BESIDE):
        return TOO_FAR
    if taken(s, carrier) + seats(s, unit) > capacity(carrier):
        return NO_SEAT
    return None if has_left(s, carrier, int(RIDE["share"])) else CARRIER_SPENT


def _own_vehicle(s: Position, unit: int, carrier: int) -> bool:
    return IS_VEHICLE[carrier] and SIDE_OF[carrier] == SIDE_OF[unit] and stands(s, carrier) and s.at[carrier] > 0


@rule("base-transport")
def board(s: Position, c: Acting, carrier: int) -> None:
    """Base-transport: half a move of the men and of the vehicle; those who get on together cost it that once."""
    c.over = 1
    unit = c.unit
    spend(s, unit, int(RIDE["share"]))
    _handle(s, carrier, int(RIDE["share"]))
    _join(s, unit, carrier, "boards", "base-transport")


def _handle(s: Position, carrier: int, share: int) -> None:
    """What a vehicle pays for who gets on or off; several at once pay once."""
    if s.handled[carrier] < share:
        spend(s, carrier, share - s.handled[carrier])
        s.handled[carrier] = share


def _join(s: Position, unit: int, carrier: int, kind: str, why: str) -> None:
    if has(s, unit, HIDDEN) != has(s, carrier, HIDDEN):
        show(s, unit)
        show(s, carrier)
    drop_flag(s, unit, DUG_IN | ENTRENCHED | IN_BUNKER)
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    emit(s, kind, why, audience=audience, unit=FOG.veil(s, unit), carrier=FOG.veil(s, carrier))
    set_on(s, unit, carrier)


# Off


@rule("base-transport")
def why_no_alight(s: Position, c: Acting, point: int) -> No | None:
    """Base-transport: men get off within 5 cm of a vehicle that has half its move left."""
    unit = c.unit
    if not has(s, unit, ABOARD) or not sits(unit):
        return NOT_ABOARD
    if c.shot:
        return FIRED_FIRST
    carrier = bearer(s, unit)
    share = int(RIDE["share"])
    if s.handled[carrier] < share and not has_left(s, carrier, share) and not has(s, carrier, STUCK | BOGGED):
        return CARRIER_SPENT
    return None if point in beside(s, unit, carrier) else NO_ROOM_BESIDE


@rule("base-transport", "base-hidden")
def alight(s: Position, c: Acting, point: int) -> None:
    """Base-transport: half a move of both; the men may go on with what is left, or fire as who moved."""
    unit, carrier = c.unit, bearer(s, c.unit)
    share = int(RIDE["share"])
    spend(s, unit, share)
    _handle(s, carrier, share)
    if _get_off(s, unit, carrier, point, "alights", "base-transport"):
        s.moved[unit] = min(255, s.moved[unit] + allowance(s, unit)[0] * share // 100)
    else:
        c.over = 1


def _get_off(s: Position, unit: int, carrier: int, point: int, kind: str, why: str) -> bool:
    """Down at a point; a hidden enemy there is found and bars it."""
    w = world(s)
    met = False
    for u in FOG.in_token_order(s, w.of_side[1 - SIDE_OF[unit]]):
        if has(s, u, HIDDEN) and stands(s, u) and s.at[u]:
            others = [(BASE_OF[u], s.at[u], s.facing[u])]
            if not w.bases.fits(BASE_OF[unit], point, s.facing[unit], others):
                show(s, u)
                met = True
    if met:
        return False
    show(s, unit)
    set_off(s, unit, point)
    name = w.table.names[point]
    emit(s, kind, why, unit=FOG.veil(s, unit), carrier=FOG.veil(s, carrier), point=name)
    return True


# Guns


@rule("403a", "403b", "403c")
def why_no_hitch(s: Position, c: Acting, carrier: int) -> No | None:
    """403a A gun within 5 cm of a tractor; 403b that has half its move left, or all for a heavy piece."""
    unit, model = c.unit, MODEL_OF[c.unit]
    if sits(unit) or not isinstance(model, Gun):
        return NOT_A_TOWED_GUN
    if has(s, unit, ABOARD):
        return NOT_FROM_ABOARD
    if stays_put(book_of(s), s, unit):
        return STAYS_INSIDE
    if not _own_vehicle(s, unit, carrier) or not may_tow(carrier, unit):
        return NOT_A_TRACTOR
    if s.condition[unit] != GOOD:
        return NOT_STEADY
    if has(s, unit, FIRED) and not may_fire_and_hitch(book_of(s)):
        return NO_SHOT_AND_HITCH
    if not within(s, unit, carrier, BESIDE):
        return TOO_FAR_TO_HITCH
    if towed(s, carrier) >= 0:
        return TOWS_ALREADY
    return None if has_left(s, carrier, hitch_share(book_of(s), model)) else TRACTOR_SPENT


@rule("403b", "403c")
def hitch(s: Position, c: Acting, carrier: int) -> None:
    """403b The tractor pays; 403c a gun that has fired is hitched, but goes nowhere this turn."""
    c.over = 1
    unit, model = c.unit, MODEL_OF[c.unit]
    assert isinstance(model, Gun)
    spend(s, carrier, 100 if has(s, unit, FIRED) else hitch_share(book_of(s), model))
    _join(s, unit, carrier, "is-hitched", "403b")


@rule("403b", "403d")
def why_no_unhitch(s: Position, c: Acting, point: int) -> No | None:
    """403b A towed gun is set down within 5 cm; its tractor has half its move left, or all for a heavy piece."""
    unit, model = c.unit, MODEL_OF[c.unit]
    if not has(s, unit, ABOARD) or sits(unit) or not isinstance(model, Gun):
        return NOT_ABOARD
    if c.shot or has(s, unit, FIRED):
        return FIRED_FIRST
    carrier = bearer(s, unit)
    if not has_left(s, carrier, hitch_share(book_of(s), model)) and not has(s, carrier, STUCK | BOGGED):
        return TRACTOR_SPENT
    return None if point in beside(s, unit, carrier) else NO_ROOM_BESIDE


@rule("403b", "403d")
def unhitch(s: Position, c: Acting, point: int) -> None:
    """403b Set down and laid; 403d it may fire this turn, at the number of a piece that pivots."""
    unit, model, carrier = c.unit, MODEL_OF[c.unit], bearer(s, c.unit)
    assert isinstance(model, Gun)
    spend(s, carrier, hitch_share(book_of(s), model))
    c.has_moved = 1
    if not _get_off(s, unit, carrier, point, "is-unhitched", "403b"):
        c.over = 1
        return
    raise_flag(s, unit, UNHITCHED)
    if not may_fire_and_hitch(book_of(s)):
        c.shot = 255
    enter(s, Moving(side=c.side, unit=unit, mode=TURN, path=(point,), facings=(s.facing[unit],), step=1))


# Aboard


FROM_ABOARD = ("fire", "shoot", "alight", "unhitch", "hold")


@rule("base-transport", "404")
def why_not_from_aboard(s: Position, unit: int, verb: str) -> No | None:
    """Base-transport: men fire from half-tracks and carriers only; 404 a hitched 88 while its tractor stands."""
    if not has(s, unit, ABOARD):
        return None
    if verb not in FROM_ABOARD:
        return NOT_FROM_ABOARD
    model = MODEL_OF[bearer(s, unit)]
    if verb == "fire":
        armed = IS_TEAM[unit] and isinstance(model, Vehicle) and model.type in RIDE["fires_from"]
        return None if armed else NOT_FROM_A_TRUCK
    if verb == "shoot":
        if sits(unit):
            return NOT_FROM_ABOARD
        return HITCHED_MOVES if s.moved[bearer(s, unit)] else None
    return None
