"""Chapters 6.2, 9.3 and 9.4: ships and bombers before a combat, coastal batteries against landings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grognard.kernel import Decision, No, emit, enter, no, roll, rule

from ..frames import Barrage, Combat, DDay, Shelling
from ..nouns import HEX, NOTHING, POINTS, UNIT
from ..state import ATTACKED, AVAILABLE, FINISHED, WAITING
from ..state import NormandieState as S
from ..world import (
    AIR,
    ALLIED,
    BATTERY,
    BATTERY_BEACHES,
    BEACH,
    CHARTS,
    COAST,
    CODES,
    COUNT,
    FLEETS,
    FOREST,
    GARRISON,
    GERMAN,
    HB,
    HEXES,
    MB,
    OPEN_NEXT,
    SETTLEMENT,
    TERRAIN,
    TOWN_SIZE,
    distance,
)
from .definitions import name_of, units_in
from .losses import affect, lift_confusion
from .tables import Line, bombardment_level, bomber_strength, carpet_strengths, target_adjustments

TB = CHARTS["bombardment"]
GUNS_AND_GARRISONS = tuple(u for u in range(COUNT) if BATTERY[u] or GARRISON[u])
NAVAL_DISTANCE = tuple(tuple(1 + min(distance(h, c) for c in COAST[fleet]) for h in range(HEXES)) for fleet in FLEETS)


@rule("6.2c", "6.2d")
def ships_in_range(s: S, fleet: int, h: int) -> tuple[int, int]:
    """6.2c Cruiser and destroyer points of a fleet that reach a hex: 3 and 2 hexes, the coastal hex being the first.

    6.2d The Western Task Force measures from its own stretch of coast, the Eastern from the other (ruling A13).
    """
    far = NAVAL_DISTANCE[fleet][h]
    cruisers = s.ships[2 * fleet] if far <= TB["cruiser_range"] else 0
    destroyers = s.ships[2 * fleet + 1] if far <= TB["destroyer_range"] else 0
    return cruisers, destroyers


@rule("6.2e", "8c")
def fleet_of(group: int) -> int:
    """6.2e The Western Task Force serves American combats, the Eastern one Anglo-Canadian combats."""
    return group


@rule("9.3a", "8c", "9.4d", "9.4b")
def bombers_of(s: S, group: int) -> tuple[int, int, int]:
    """9.3a Available medium, light and heavy bombers of a group; 9.4b heavy ones only for one carpet a turn."""
    medium = light = heavy = 0
    for a, (kind, whose, is_light) in enumerate(AIR):
        if s.air[a] != AVAILABLE or whose != group:
            continue
        if kind == MB:
            light, medium = light + is_light, medium + (not is_light)
        elif kind == HB and not s.carpets[group]:
            heavy += 1
    return medium, light, heavy


STORM, NIGHT, CONFUSION = no("6.2i", "storm"), no("10-O.1a", "night"), no("6.11d", "confusion")


@rule("6.2i", "6.11d", "10-O.1a")
def why_not_bombard(s: S, h: int) -> No | None:
    """6.2i No bombardment in a storm, 6.11d on a hex in Confusion, 10-O.1a or at night."""
    if s.storm:
        return STORM
    if s.phase == "O":
        return NIGHT
    if s.confusion[h]:
        return CONFUSION
    return None


@rule("0.1.2k")
def aiming_lines(h: int, victims: Sequence[int]) -> list[Line]:
    """0.1.2k What makes a hex hard to hit: a garrison in it, whoever else is there, or houses and trees."""
    return target_adjustments(any(GARRISON[u] for u in victims), SETTLEMENT[h] == TOWN_SIZE or TERRAIN[h] == FOREST)


@rule("6.2f", "6.2g", "6.2h")
def fire_ships(s: S, fleet: int, h: int, side: int, cruisers: int, destroyers: int) -> int:
    """6.2f Naval points on a hex: one die; 6.2g the whole stack suffers; 6.2h the points are spent."""
    s.ships[2 * fleet] -= cruisers
    s.ships[2 * fleet + 1] -= destroyers
    victims = units_in(s, h, side)
    lines = aiming_lines(h, victims)
    (die,) = roll(s, "6.2f", side=ALLIED)
    level = bombardment_level((cruisers + destroyers) * TB["naval"], die, lines)
    emit(s, "bombarded", "6.2f", place=CODES[h], by="ships", points=cruisers + destroyers, level=level,
         lines=[tuple(line) for line in lines])  # fmt: skip
    affect(s, victims, level, "6.2g")
    return level


@rule("6.2h", "9.3b", "9.4a", "9.4d", "9.4e", "9.4f")
def spend_bombers(s: S, group: int, medium: int, light: int, heavy: int, hexes: list[int]) -> None:
    """9.3b Bombers used are Finished; 9.4d heavy ones come back two turns later and 9.4a cost 2 points each.

    9.4e Over a town they stay as rubble for the rest of the turn; 9.4f on the morning of D-Day they cost nothing.
    """
    wanted = {(MB, False): medium, (MB, True): light, (HB, False): heavy}
    for a, (kind, whose, is_light) in enumerate(AIR):
        key = (kind, is_light)
        if s.air[a] != AVAILABLE or whose != group or not wanted.get(key):
            continue
        wanted[key] -= 1
        s.air[a] = FINISHED
        if kind == HB:
            s.air[a], s.air_at[a] = WAITING, s.turn + CHARTS["air"]["heavy_rest"]
    if not heavy:
        return
    s.carpets[group] += 1
    if s.turn > 0:
        s.points[ALLIED] -= heavy * CHARTS["air"]["heavy_vp"]
        emit(s, "heavy-cost", "9.4a", points=heavy * CHARTS["air"]["heavy_vp"])
    else:
        s.carpets[group] = 0
    for h in hexes:
        if SETTLEMENT[h] == TOWN_SIZE:
            s.rubble[h] += heavy * CHARTS["air"]["rubble"] // len(hexes)


@rule("9.3c", "6.2f", "9.4c")
def drop_bombs(s: S, group: int, hexes: list[int], side: int, medium: int, light: int, heavy: int) -> int:
    """6.2f Bombers on a hex, 9.4c or half of a carpet on each of two: one die for each hex."""
    strength, bonus = bomber_strength(medium, light, heavy)
    spend_bombers(s, group, medium, light, heavy, hexes)
    worst = 0
    for h in hexes:
        victims = units_in(s, h, side)
        lines = bonus + aiming_lines(h, victims)
        (die,) = roll(s, "6.2f", side=ALLIED)
        points = carpet_strengths(strength, len(hexes))
        level = bombardment_level(points, die, lines)
        emit(s, "bombarded", "9.4c" if heavy else "9.3a", place=CODES[h], by="bombers", points=points, level=level,
             lines=[tuple(line) for line in lines])  # fmt: skip
        affect(s, victims, level, "6.2g")
        worst = max(worst, level)
    return worst


# --- how much fires -------------------------------------------------------------------------------------------------

MEANS = {"ships": ("cruisers", "destroyers"), "bombers": ("medium", "light", "heavy")}
NOT_THESE, COUNTED = no("6.2b", "not-these-means"), no("6.2c", "already-counted")
NOT_SO_MUCH, NOTHING_FIRES = no("6.2c", "not-in-range"), no("6.2c", "nothing-fires")
NOT_A_CARPET, NOT_BESIDE = no("9.4c", "not-a-carpet"), no("9.4c", "not-this-combat")


@rule("6.2c", "9.3a")
def means_of(s: S, by: str, group: int, h: int) -> tuple[int, ...]:
    """6.2c Ships in range of a hex, 9.3a or the bombers of a group."""
    return ships_in_range(s, group, h) if by == "ships" else bombers_of(s, group)


def plan_barrage(s: S, by: str, group: int, h: int) -> None:
    """6.2f A target is chosen: how much fires at it is asked, unless there is only one point and no carpet."""
    limits = means_of(s, by, group, h)
    if sum(limits) > 1 or limits[2:] == (1,):
        enter(s, Barrage(by=by, group=group, places=(h,), used=(0,) * len(limits)))
    else:
        fire_at(s, by, group, (h,), limits)


def fire_at(s: S, by: str, group: int, places: Sequence[int], used: Sequence[int]) -> None:
    """6.2f Fire."""
    if by == "ships":
        fire_ships(s, fleet_of(group), places[0], GERMAN, used[0], used[1])
    else:
        drop_bombs(s, group, list(places), GERMAN, used[0], used[1], used[2])


@rule("9.4c", "9.4f")
def beside(s: S, h: int) -> list[int]:
    """9.4c The hexes next to the target on which a carpet could also fall; 9.4f on D-Day only other targets of it."""
    under = s.frames[-2] if len(s.frames) > 1 else None
    near = [n for n in OPEN_NEXT[h] if units_in(s, n, GERMAN) and not s.confusion[n]]
    if isinstance(under, DDay):
        return [n for n in near if n in coast_targets(s) and n not in under.bombed]
    return near


@rule("10-A.1c", "9.4f")
def coast_targets(s: S) -> list[int]:
    """9.4f Hexes with a garrison on a beach, or a battery."""
    return sorted(
        {s.place[u] for u in GUNS_AND_GARRISONS if s.place[u] < HEXES and (BATTERY[u] or s.place[u] in BEACH)}
    )


@rule("6.2c", "6.2h", "9.3a", "9.4c", "9.4f")
class CountMeans(Decision):
    """6.2c How many points of each kind fire; 9.4c a carpet of heavy bombers may also fall on a second hex."""

    verbs = {
        "cruisers": POINTS, "destroyers": POINTS, "medium": POINTS, "light": POINTS, "heavy": POINTS, "also": HEX,
        "fire": NOTHING,
    }  # fmt: skip

    def needed(self, s: S, c: Barrage, side: int) -> bool:
        """Until it fires."""
        return not c.fired

    def asks(self, s: S, c: Barrage) -> dict[str, str]:
        """At what they fire."""
        return {"hex": CODES[c.places[0]]}

    def nouns(self, s: S, c: Barrage, side: int, verb: str) -> Iterable[int]:
        """Up to what is there of each kind."""
        if verb == "fire":
            return (0,)
        if verb == "also":
            return beside(s, c.places[0]) if c.by == "bombers" and c.used[-1] else ()
        means = MEANS[c.by]
        return range(1, means_of(s, c.by, c.group, c.places[0])[means.index(verb)] + 1) if verb in means else ()

    def why_not(self, s: S, c: Barrage, side: int, verb: str, noun: int) -> No | None:
        """6.2c Each kind once, no more than there is; 9.4c a second hex for heavy bombers only, in an Allied attack."""
        if verb == "fire":
            return None if any(c.used) else NOTHING_FIRES
        if verb == "also":
            if c.by != "bombers" or not c.used[-1] or len(c.places) > 1:
                return NOT_A_CARPET
            return None if may_straddle(s) and noun in beside(s, c.places[0]) else NOT_BESIDE
        means = MEANS[c.by]
        if verb not in means:
            return NOT_THESE
        index = means.index(verb)
        if c.asked >> index & 1:
            return COUNTED
        return None if 0 < noun <= means_of(s, c.by, c.group, c.places[0])[index] else NOT_SO_MUCH

    def apply(self, s: S, c: Barrage, side: int, verb: str, noun: int) -> None:
        """6.2f Count them, and fire when there is nothing left to count."""
        if verb == "also":
            c.places = (*c.places, noun)
            under = s.frames[-2]
            if isinstance(under, DDay):
                under.bombed = (*under.bombed, noun)
        elif verb != "fire":
            index = MEANS[c.by].index(verb)
            c.used = (*c.used[:index], noun, *c.used[index + 1 :])
            c.asked |= 1 << index
        if verb == "fire":
            c.fired = 1
            fire_at(s, c.by, c.group, c.places, c.used)


def may_straddle(s: S) -> bool:
    """9.4c A carpet straddles two hexes in an Allied attack or on D-Day, not against a German attack (ruling A14)."""
    under = s.frames[-2] if len(s.frames) > 1 else None
    return isinstance(under, DDay) or (isinstance(under, Combat) and under.side == ALLIED)


# --- 6.2j German coastal batteries -------------------------------------------------------------------------------

CANNOT_AIM = no("6.2k", "cannot-aim", lambda s, c, side, noun: {"unit": name_of(noun), "place": CODES[c.place]})
GUNS_AIMED = no("6.2j", "guns-aimed", lambda s, c, side, noun: {"place": CODES[c.place]})
NO_GUNS = no("6.2j", "no-guns", lambda s, c, side, noun: {"place": CODES[c.place]})


@rule("6.2j", "6.2k")
def guns_on(s: S, h: int) -> list[int]:
    """6.2j The batteries that can fire at a beach: 6.2k those whose hex bears its initial, in order and not shaken.

    A battery in Confusion is silent; each fires once in a phase (our reading). Those that reach fewer beaches stand
    first.
    """
    return [
        u for u, beaches in sorted(BATTERY_BEACHES.items(), key=lambda item: (len(item[1]), item[0]))
        if h in beaches and s.place[u] < HEXES and s.steps[u] and not s.disorder[u] and not s.affected[u]
        and not s.confusion[s.place[u]] and not s.fought[u] & ATTACKED
    ]  # fmt: skip


@rule("6.2j", "6.2k", "6.2l")
class CoastalFire(Decision):
    """6.2j The German chooses one or several batteries and fires at a unit that lands; 6.2l it alone is hit."""

    verbs = {"aim": UNIT, "fire": NOTHING, "hold-fire": NOTHING}

    def needed(self, s: S, c: Shelling, side: int) -> bool:
        """Once for each unit."""
        return not c.done and bool(guns_on(s, c.place)) and s.place[c.unit] == c.place

    def nouns(self, s: S, c: Shelling, side: int, verb: str) -> Iterable[int]:
        """One more battery, then the order to fire; or no fire at all."""
        return guns_on(s, c.place) if verb == "aim" else (0,)

    def why_not(self, s: S, c: Shelling, side: int, verb: str, noun: int) -> No | None:
        """6.2k Only batteries that reach the beach, each once."""
        if verb == "aim":
            return None if noun not in c.guns and noun in guns_on(s, c.place) else CANNOT_AIM
        if verb == "fire":
            return None if c.guns else NO_GUNS
        return GUNS_AIMED if c.guns else None

    def apply(self, s: S, c: Shelling, side: int, verb: str, noun: int) -> None:
        """6.2k One point a battery."""
        if verb == "aim":
            c.guns = (*c.guns, noun)
            return
        c.done, guns = 1, c.guns
        if verb == "hold-fire":
            return
        for u in guns:
            s.fought[u] |= ATTACKED
        (die,) = roll(s, "6.2j", side=GERMAN)
        level = bombardment_level(len(guns) * TB["battery"], die)
        emit(s, "bombarded", "6.2j", place=CODES[c.place], by="batteries", points=len(guns), level=level, lines=[])
        affect(s, [c.unit], level, "6.2l")
        lift_confusion(s, c.place)
