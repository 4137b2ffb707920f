"""What hits do: saves, demoralisation, retreat, destruction, crews, points."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.laws import destruction, quality
from grognard.games.blitzkrieg.loading import CHARTS, Vehicle
from grognard.games.blitzkrieg.state import (
    ABOARD,
    ACTIVATED,
    AWAY,
    FOG,
    GOOD,
    HIDDEN,
    LEADERLESS,
    LOST,
    OUT,
    SHAKEN,
    STOPPED,
    STUCK,
    WRECK,
    Position,
    bearer,
    drop_flag,
    has,
    raise_flag,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_CREW, IS_VEHICLE, MODEL_OF, NATION_OF, SIDE_OF, world
from grognard.kernel import Tally, emit, roll, rule
from grognard.tabletop.paths import PER_CM

from .ground import bodies, is_broken
from .riding import beside, company, follow, riders, set_off, sits
from .walking import stops, walk_reach

THROWN = int(CHARTS["transport"]["thrown"])  # the save of passengers of a vehicle that is destroyed (base-transport)


@rule("base-hidden")
def show(s: Position, unit: int, why: str = "base-hidden") -> None:
    """Base-hidden: a hidden unit comes into the open, with all who ride with it; both sides know it from now on."""
    if not has(s, unit, HIDDEN):
        return
    for each in company(s, unit):
        drop_flag(s, each, HIDDEN)
        point = world(s).table.names[s.at[each]]
        emit(s, "revealed", why, reveals=True, unit=FOG.veil(s, each), point=point)


def experience(s: Position, unit: int, why: str, modifier: int = 0) -> bool:
    """Base-experience-test: one die with the modifiers of the unit's state."""
    tally = Tally()
    quality.experience_lines(book_of(s), tally, is_broken(s, unit), has(s, unit, LEADERLESS))
    tally.add(why, modifier)
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    die = roll(s, "base-experience-test", side=SIDE_OF[unit], audience=audience)[0]
    passed = quality.passes(world(s).quality[unit], die, tally.total())
    kind = "test-passed" if passed else "test-failed"
    emit(s, kind, why, audience=audience, unit=FOG.veil(s, unit), die=die, tally=tally.lines)
    return passed


@question
@rule("205a")
def leaves_wreck(book: Book, unit: int) -> bool:
    """Without proposal 205 a destroyed vehicle is taken away."""
    return False


@rule("base-victory-points")
def worth(unit: int) -> int:
    """Base-victory-points: armour two, everything else one; crews on foot nothing (base-bailed-crew)."""
    return 0 if IS_CREW[unit] else int(CHARTS["points"]["armour" if IS_ARMOUR[unit] else "soft"])


@question
@rule("203d")
def dies_with_truck(book: Book, carrier: int) -> bool:
    """Without proposal 203 the passengers of a truck die with it."""
    return not IS_ARMOUR[carrier]


@rule("base-transport", "203d")
def throw_out(s: Position, carrier: int, aboard: list[int], save: int | None, why: str) -> None:
    """Base-transport: who was aboard a lost vehicle gets off beside it, after a save unless it was given up (O-19)."""
    dead = save is not None and dies_with_truck(book_of(s), carrier)
    for unit in FOG.in_token_order(s, aboard):
        places = [p for p in beside(s, unit, carrier) if p not in hidden_points(s, unit)]
        set_off(s, unit, places[0] if places else s.at[carrier])
        if not places or (dead and sits(unit)):
            lose(s, unit, why)
            continue
        emit(s, "thrown-out", why, unit=FOG.veil(s, unit), point=world(s).table.names[s.at[unit]])
        if save is not None:
            take_hits(s, unit, 1, save, "203d" if not IS_ARMOUR[carrier] else "base-transport", s.at[unit])


def lose(s: Position, unit: int, why: str, save: int | None = THROWN) -> None:
    """A unit is lost: it is taken away, or stays as a wreck; the enemy gets its points; `save` is of who is aboard."""
    if s.condition[unit] > SHAKEN:
        return
    show(s, unit)
    aboard = riders(s, unit) if IS_VEHICLE[unit] else []
    kind = "destroyed" if isinstance(MODEL_OF[unit], Vehicle) else "eliminated"
    emit(s, kind, why, unit=FOG.veil(s, unit))
    wreck = isinstance(MODEL_OF[unit], Vehicle) and leaves_wreck(book_of(s), unit)
    s.condition[unit] = WRECK if wreck else LOST
    if aboard:
        throw_out(s, unit, aboard, save, why)
    if has(s, unit, ABOARD):
        set_off(s, unit, 0)
    if not wreck:
        s.at[unit] = 0
    side = SIDE_OF[unit]
    s.points[1 - side] += worth(unit)
    s.lost[side] += int(not IS_CREW[unit])


@rule("base-demoralised")
def shake(s: Position, unit: int, why: str, origin: int) -> None:
    """Base-demoralised: the unit loses its good order; a second time it goes back (base-save-again)."""
    if s.condition[unit] == GOOD:
        s.condition[unit] = SHAKEN
        emit(s, "shaken", why, unit=FOG.veil(s, unit))


@rule("base-save-again")
def fall_back(s: Position, unit: int, origin: int, cm: int, why: str = "base-save-again") -> bool:
    """Base-save-again: so many centimetres away from a point, to cover if there is some; who cannot is eliminated."""
    w = world(s)
    table = w.table
    if has(s, unit, ABOARD):
        places = beside(s, unit, bearer(s, unit))
        set_off(s, unit, places[0] if places else s.at[unit])
    found = stops(s, unit, walk_reach(s, unit, cm * PER_CM), bodies(s, SIDE_OF[unit], unit))

    def far(p: int) -> int:
        return (table.x[p] - table.x[origin]) ** 2 + (table.y[p] - table.y[origin]) ** 2

    here = far(s.at[unit])
    away = [p for p in found if far(p) > here and p not in hidden_points(s, unit)]
    if not away:
        lose(s, unit, why)
        return False
    best = max(away, key=lambda p: (far(p), -p))
    s.at[unit], s.floor[unit] = best, 0
    follow(s, unit)
    emit(s, "falls-back", why, unit=FOG.veil(s, unit), point=table.names[best])
    return True


def hidden_points(s: Position, unit: int) -> set[int]:
    """Points where a hidden enemy stands: nobody ends on them, whether they know it or not."""
    return {s.at[u] for u in world(s).of_side[1 - SIDE_OF[unit]] if has(s, u, HIDDEN) and s.condition[u] <= SHAKEN}


@rule("base-save")
def take_hits(s: Position, unit: int, hits: int, modifier: int, why: str, origin: int) -> int:
    """Base-save: a die for each hit, the worst counts. Infantry and guns; what it came to."""
    if not hits or s.condition[unit] > SHAKEN:
        return quality.SAFE
    dice = roll(s, "base-save", hits, side=SIDE_OF[unit])
    shaken = s.condition[unit] == SHAKEN
    book, level = book_of(s), world(s).quality[unit]
    worst = max(quality.saved(book, level, die, modifier, shaken) for die in dice)
    emit(s, "saves", "base-save", unit=FOG.veil(s, unit), dice=dice, modifier=modifier)
    suffer(s, unit, worst, why, origin)
    return worst


def suffer(s: Position, unit: int, result: int, why: str, origin: int) -> None:
    """Carry out what a save ended in."""
    if result == quality.ELIMINATED:
        lose(s, unit, why)
    elif result == quality.RETREAT:
        fall_back(s, unit, origin, int(CHARTS["close"]["back"]))
    elif result == quality.DEMORALISED:
        shake(s, unit, why, origin)
    else:
        emit(s, "unharmed", why, unit=FOG.veil(s, unit))


@question
@rule("203c")
def among_passengers(book: Book, s: Position, carrier: int, hits: int) -> None:
    """Without proposal 203 fire at a truck spares the passengers until the truck is lost."""


@rule("base-soft-vehicle")
def soft_hits(s: Position, unit: int, hits: int, why: str) -> None:
    """Base-soft-vehicle: small arms at a truck: eliminated means destroyed, demoralised that it stops."""
    if not hits or s.condition[unit] > SHAKEN:
        return
    dice = roll(s, "base-save", hits, side=SIDE_OF[unit])
    worst = max(quality.saved(book_of(s), world(s).quality[unit], die) for die in dice)
    emit(s, "saves", "base-save", unit=FOG.veil(s, unit), dice=dice, modifier=0)
    among_passengers(book_of(s), s, unit, hits)
    if worst == quality.ELIMINATED:
        lose(s, unit, why, None if book_of(s).has("203") else THROWN)
    elif worst:
        raise_flag(s, unit, STOPPED)
        emit(s, "stopped", "base-soft-vehicle", unit=FOG.veil(s, unit))


@question
@rule("base-exposed-crew")
def crew_hit(book: Book, s: Position, unit: int) -> None:
    """Without proposal 216 an exposed crew that is hit hard leaves the vehicle demoralised."""
    s.condition[unit] = SHAKEN
    emit(s, "shaken", "base-exposed-crew", unit=FOG.veil(s, unit))


@rule("base-exposed-crew")
def exposed_hits(s: Position, unit: int, hits: int, modifier: int = 0) -> None:
    """Base-exposed-crew: small arms at a crew that looks out."""
    if not hits or s.condition[unit] > SHAKEN:
        return
    dice = roll(s, "base-save", hits, side=SIDE_OF[unit])
    worst = max(quality.saved(book_of(s), world(s).quality[unit], die, modifier) for die in dice)
    emit(s, "saves", "base-save", unit=FOG.veil(s, unit), dice=dice, modifier=modifier)
    if worst == quality.ELIMINATED:
        crew_hit(book_of(s), s, unit)
    elif worst == quality.DEMORALISED and s.condition[unit] == GOOD:
        s.condition[unit] = SHAKEN
        emit(s, "shaken", "base-exposed-crew", unit=FOG.veil(s, unit))


def close_for_good(s: Position, unit: int) -> None:
    """216b The commander is lost: closed from now on, stopped for a turn."""
    raise_flag(s, unit, LEADERLESS | STOPPED)
    drop_flag(s, unit, OUT)
    emit(s, "commander-lost", "216b", unit=FOG.veil(s, unit))


@rule("base-damage")
def damage(s: Position, unit: int, why: str, test: bool = True) -> int:
    """Base-damage: immobilised; the crew stays if it passes its test, else the vehicle is lost."""
    raise_flag(s, unit, STUCK)
    emit(s, "immobilised", why, unit=FOG.veil(s, unit))
    if test and not experience(s, unit, "base-damage"):
        emit(s, "abandoned", "base-damage", unit=FOG.veil(s, unit))
        here = s.at[unit]
        lose(s, unit, "base-damage", None)
        bail_out(s, unit, here)
        return destruction.ABANDONED
    return destruction.IMMOBILISED


@rule("base-bailed-crew")
def bail_out(s: Position, vehicle: int, here: int) -> None:
    """Base-bailed-crew: the crew of a vehicle that is given up is on foot within 5 cm of it, demoralised."""
    w, side = world(s), SIDE_OF[vehicle]
    own = [u for u in w.of_side[side] if IS_CREW[u] and NATION_OF[u] == NATION_OF[vehicle]]
    crew = next((u for u in own if s.condition[u] in (AWAY, LOST)), -1)
    if crew < 0:
        return
    left, s.at[vehicle] = s.at[vehicle], here
    places = [p for p in beside(s, crew, vehicle) if p not in hidden_points(s, crew)]
    s.at[vehicle] = left
    if not places:
        return
    s.at[crew], s.floor[crew], s.condition[crew] = places[0], 0, SHAKEN
    s.flags[crew] = ACTIVATED
    name = w.table.names[places[0]]
    emit(s, "bails-out", "base-bailed-crew", vehicle=FOG.veil(s, vehicle), point=name)


def wrecked(s: Position, unit: int, result: int, why: str) -> int:
    """Carry out what a destruction test ended in."""
    if result == destruction.DESTROYED:
        lose(s, unit, why)
        return result
    if result == destruction.DAMAGED:
        return damage(s, unit, why)
    emit(s, "holds", why, unit=FOG.veil(s, unit))
    return destruction.NONE
