"""Buying a force in play: each side in secret, from what the scenario offers, for so many points."""

from __future__ import annotations

from grognard.games.blitzkrieg.forces import Force, price, why_not_support, why_not_unit
from grognard.games.blitzkrieg.frames import Match
from grognard.games.blitzkrieg.state import BOUGHT, HIDDEN, OFFER, Position, drop_flag, has, raise_flag
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_CREW, MODEL_OF, SIDES, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

NOT_YOURS = no("base-points", "not-your-offer")
SOLD_OUT = no("base-points", "sold-out")
NOT_BOUGHT = no("base-points", "not-bought")
NOBODY_YET = no("base-points", "nobody-bought")


def is_mustered(s: Position, c: Match) -> bool:
    """A scenario in which forces are bought."""
    return bool(world(s).offers)


def begin_muster(s: Position, c: Match) -> None:
    """Base-points: nobody knows what the other buys until it is on the table."""
    for unit in world(s).units:
        if not IS_CREW[unit]:
            raise_flag(s, unit, HIDDEN)


def force_of(s: Position, side: Side) -> Force:
    """What a side has bought so far."""
    w = world(s)
    force = Force(w.muster_nation[side], w.year, w.muster[side])
    for unit in w.of_side[side]:
        if has(s, unit, BOUGHT):
            force.units[MODEL_OF[unit].id, w.quality[unit]] += 1
    for offer in w.offers:
        if offer.battery >= 0 and offer.side == side and s.hired[offer.battery]:
            force.supports[w.batteries[offer.battery].support.id] += 1
    return force


def free_units(s: Position, offer: int, bought: bool) -> list[int]:
    """The units of an offer that are bought, or not yet."""
    return [u for u in world(s).offers[offer].units if has(s, u, BOUGHT) == bought]


@rule("base-points")
def why_not_buy(s: Position, side: Side, offer: int) -> No | None:
    """Base-points: what is left of the offer, of the points, and what the rules of forces say."""
    entry, book = world(s).offers[offer], book_of(s)
    if entry.side != side:
        return NOT_YOURS
    if entry.battery >= 0:
        if s.hired[entry.battery]:
            return SOLD_OUT
        return why_not_support(book, force_of(s, side), world(s).batteries[entry.battery].support.id)
    if not free_units(s, offer, False):
        return SOLD_OUT
    return why_not_unit(book, force_of(s, side), entry.model, entry.quality)


def cost_of(s: Position, offer: int) -> int:
    """What one of an offer costs."""
    entry = world(s).offers[offer]
    if entry.battery >= 0:
        return world(s).batteries[entry.battery].support.points
    return price(MODEL_OF[entry.units[0]].points, entry.quality)


@rule("base-points", "base-illegal")
class Buy(Decision):
    """Base-points: units and batteries for points; `mustered` ends it."""

    verbs = {"buy": OFFER, "sell": OFFER, "mustered": NOTHING}

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        """In scenarios with offers, until the side has mustered."""
        return bool(world(s).offers) and not c.bought >> side & 1

    def nouns(self, s: Position, c: Match, side: Side, verb: str) -> list[int]:
        """The offers of the side."""
        if verb == "mustered":
            return [0]
        return [n for n, offer in enumerate(world(s).offers) if offer.side == side]

    def why_not(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """What the rules of forces forbid."""
        if verb == "buy":
            return why_not_buy(s, side, noun)
        if verb == "mustered":
            return None if any(has(s, u, BOUGHT) for u in world(s).of_side[side]) else NOBODY_YET
        entry = world(s).offers[noun]
        if entry.side != side:
            return NOT_YOURS
        had = s.hired[entry.battery] if entry.battery >= 0 else free_units(s, noun, True)
        return None if had else NOT_BOUGHT

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        """Bought, given back, or done."""
        if verb == "mustered":
            c.bought |= 1 << side
            emit(s, "mustered", "base-points", side=SIDES[side])
            return
        entry = world(s).offers[noun]
        if entry.battery >= 0:
            s.hired[entry.battery] = int(verb == "buy")
        elif verb == "buy":
            raise_flag(s, free_units(s, noun, False)[0], BOUGHT)
        else:
            drop_flag(s, free_units(s, noun, True)[-1], BOUGHT)
        kind = "buys" if verb == "buy" else "gives-back"
        emit(s, kind, "base-points", audience=(side,), offer=entry.name, points=cost_of(s, noun))
