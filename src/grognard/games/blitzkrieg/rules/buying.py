"""Buying a force in play: each side in secret, from what the scenario offers, for so many points."""

from __future__ import annotations

from collections import Counter

from grognard.games.blitzkrieg.forces import TOO_DEAR, Force, price, why_not_support, why_not_unit
from grognard.games.blitzkrieg.frames import Match
from grognard.games.blitzkrieg.loading import QUALITIES, SUPPORTS
from grognard.games.blitzkrieg.state import BOUGHT, HIDDEN, OFFER, Position, drop_flag, has, raise_flag
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_CREW, MODEL_OF, SIDES, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

NOT_YOURS = no("base-points", "not-your-offer")
SOLD_OUT = no("base-points", "sold-out")
NOT_BOUGHT = no("base-points", "not-bought")
NOBODY_YET = no("base-points", "nobody-bought")
NOBODY_THERE = no("base-points", "formation-not-bought")
STILL_EQUIPPED = no("base-points", "sell-its-equipment-first")


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
    for number, offer in enumerate(w.offers):
        if offer.is_support and offer.side == side and s.hired[number]:
            force.supports[offer.model] += s.hired[number]
    return force


def had(s: Position, offer: int) -> int:
    """How many of an offer are bought."""
    return s.hired[offer] if world(s).offers[offer].is_support else len(free_units(s, offer, True))


def on_offer(s: Position, offer: int) -> int:
    """How many of an offer there are in all."""
    entry = world(s).offers[offer]
    return entry.most if entry.is_support else len(entry.units)


def free_units(s: Position, offer: int, bought: bool) -> list[int]:
    """The units of an offer that are bought, or not yet."""
    return [u for u in world(s).offers[offer].units if has(s, u, BOUGHT) == bought]


@rule("base-points")
def why_not_buy(s: Position, side: Side, offer: int) -> No | None:
    """Base-points: what is left of the offer, of the points, and what the rules of forces say."""
    entry, book = world(s).offers[offer], book_of(s)
    if entry.side != side:
        return NOT_YOURS
    if had(s, offer) >= on_offer(s, offer):
        return SOLD_OUT
    if entry.is_support:
        if entry.formation >= 0 and not any(has(s, u, BOUGHT) for u in world(s).formations[entry.formation].units):
            return NOBODY_THERE
        return why_not_support(book, force_of(s, side), entry.model)
    return why_not_unit(book, force_of(s, side), entry.model, entry.quality)


def cost_of(s: Position, offer: int) -> int:
    """What one of an offer costs."""
    entry = world(s).offers[offer]
    if entry.is_support:
        return SUPPORTS[entry.model].points
    return price(MODEL_OF[entry.units[0]].points, entry.quality)


def leaves_alone(s: Position, offer: int) -> bool:
    """The last unit of a formation whose capabilities are bought, or the one that allows them."""
    w, entry = world(s), world(s).offers[offer]
    mine = [n for n, other in enumerate(w.offers) if other.is_support and other.formation >= 0 and s.hired[n]]
    if not mine:
        return False
    unit = free_units(s, offer, True)[-1]
    force, book = force_of(s, entry.side), book_of(s)
    force.units[entry.model, entry.quality] -= 1
    force.units += Counter()  # what is no longer there is not counted
    for n in mine:
        other = w.offers[n]
        if other.side == entry.side:
            mates = [u for u in w.formations[other.formation].units if u != unit and has(s, u, BOUGHT)]
            if not mates or why_not_support(book, force, other.model) not in (None, TOO_DEAR):
                return True
    return False


def orders_of(s: Position, side: Side, lines: list[tuple[str, str, int, int]]) -> tuple[list[int], list[str]]:
    """The offers that make a list in a file, one for each thing, and what of the list nobody offers here."""
    found: list[int] = []
    missing: list[str] = []
    left = {n: on_offer(s, n) for n, offer in enumerate(world(s).offers) if offer.side == side}
    for sort, name, quality, count in sorted(lines, key=lambda line: line[0] != "unit"):
        for _ in range(count):
            fits = [
                n
                for n, most in left.items()
                if most
                and world(s).offers[n].model == name
                and world(s).offers[n].is_support == (sort == "support")
                and (sort == "support" or world(s).offers[n].quality == quality)
            ]
            if not fits:
                missing.append(f"{name} ({QUALITIES[quality]})" if sort == "unit" else name)
                continue
            left[fits[0]] -= 1
            found.append(fits[0])
    return found, missing


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
        if not had(s, noun):
            return NOT_BOUGHT
        return None if entry.is_support or not leaves_alone(s, noun) else STILL_EQUIPPED

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        """Bought, given back, or done."""
        if verb == "mustered":
            c.bought |= 1 << side
            emit(s, "mustered", "base-points", side=SIDES[side])
            return
        entry = world(s).offers[noun]
        if entry.is_support:
            s.hired[noun] += 1 if verb == "buy" else -1
        elif verb == "buy":
            raise_flag(s, free_units(s, noun, False)[0], BOUGHT)
        else:
            drop_flag(s, free_units(s, noun, True)[-1], BOUGHT)
        kind = "buys" if verb == "buy" else "gives-back"
        emit(s, kind, "base-points", audience=(side,), offer=entry.name, points=cost_of(s, noun))
