"""Artillery: support off the table, its marker, precision and effect; mortars in direct fire."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import HE, SMOKE, Barrage, Match
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.laws import destruction
from grognard.games.blitzkrieg.loading import Gun
from grognard.games.blitzkrieg.state import (
    BATTERY,
    FOG,
    GOOD,
    HIDDEN,
    JAMMED,
    POINT,
    SHAKEN,
    SHOT_AT,
    SUPPRESSED,
    Position,
    has,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_ARMOUR, IS_VEHICLE, MODEL_OF, NATION_OF, SIDE_OF, SIDES, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, roll, rule, words
from grognard.tabletop import CM, Box, template
from grognard.tabletop.measure import FACINGS, distance, gap_to_point

from .aiming import as_target
from .ground import cover_from, smoke_between
from .losses import lose, take_hits, wrecked
from .mines import breach
from .rounds import spend_round
from .smoke import lay, lay_marker

SHAPES = ("square", "wide", "tall")
SHAPE = words(*SHAPES)
NOT_READY = no("303a", "battery-not-ready")
NOT_YOURS = no("303a", "not-your-battery")
UNSEEN = no("414a", "no-observer-sees")
NO_MARK = no("303c", "no-marker-yet")
TOO_FAR = no("303bis-a", "too-far-to-shift")
NOT_ON_FRIENDS = no("303bis-a", "nobody-there")
MORTAR_MOVED = no("base-support-weapon-move", "support-weapon-moved")
FRIENDS = int(law.BARRAGE["friends_cm"]) * CM


# Support


def ready(s: Position, side: Side) -> list[int]:
    """The batteries of a side that may be activated now."""
    batteries = world(s).batteries
    return [
        n for n, b in enumerate(batteries) if b.side == side and s.available[n] and not s.spent[n] and eyes(s, side)
    ]


@rule("303a", "base-support-request", "base-off-table-limit")
def request_support(s: Position, c: Match, side: Side) -> None:
    """303a A battery that is not at hand is asked for in the rally phase; nobody asks without an observer."""
    for number, battery in enumerate(world(s).batteries):
        if battery.side != side or (world(s).offers and not s.hired[number]):
            continue
        s.spent[number] = 0
        if s.available[number] or not eyes(s, side):
            continue
        needed = law.request_number(book_of(s), battery.nation, world(s).year, battery.support.level) or 6
        die = roll(s, "303a", side=side)[0]
        s.available[number] = int(die >= needed)
        emit(s, "support" if die >= needed else "no-support", "303a", battery=battery.name, die=die, number=needed)


@question
@rule("414a", "415a")
def may_observe(book: Book, unit: int) -> bool:
    """Without proposal 415 every commander has a radio."""
    return MODEL_OF[unit].id in ("observer", "command", "seccmd")


def eyes(s: Position, side: Side) -> list[int]:
    """Who may direct the artillery of a side."""
    book = book_of(s)
    units = world(s).of_side[side]
    return [u for u in units if s.condition[u] == GOOD and s.at[u] and may_observe(book, u)]


_seen: dict[tuple[str, int, int], frozenset[int]] = {}


def seen_from(s: Position, unit: int) -> frozenset[int]:
    """Every point that a unit sees; remembered, since observers seldom move."""
    w = world(s)
    key = w.table.id, s.at[unit], s.floor[unit]
    found = _seen.get(key)
    if found is None:
        if len(_seen) > 200:
            _seen.clear()
        sees, here, up = w.sight.sees, s.at[unit], s.floor[unit]
        found = _seen[key] = frozenset(p for p in w.table.points if sees(here, p, up, 0))
    return found


def in_view(s: Position, observers: list[int]) -> list[int]:
    """The points that one of some observers sees through the smoke of the hour, row by row."""
    seen: set[int] = set()
    for u in observers:
        found = seen_from(s, u)
        seen.update((p for p in found if not smoke_between(s, s.at[u], p)) if s.smoke else found)
    return sorted(seen)


@rule("414a")
def is_seen(s: Position, side: Side, point: int) -> bool:
    """414a An observer sees the place."""
    return any(point in seen_from(s, u) and not smoke_between(s, s.at[u], point) for u in eyes(s, side))


@rule("303b", "303c")
class Mark(Decision):
    """303b The marker is laid where an observer sees; 303c the same place again has better chances."""

    verbs = {"mark": POINT, "same": NOTHING, "cease": NOTHING}

    def needed(self, s: Position, c: Barrage, side: Side) -> bool:
        """Once."""
        return not c.over and not c.marked

    def nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> list[int]:
        """Points of the table, or the verb alone."""
        return list(world(s).table.points) if verb == "mark" else [0]

    def legal_nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> list[int]:
        """The same as asking for each point."""
        if verb != "mark":
            return super().legal_nouns(s, c, side, verb)
        return in_view(s, eyes(s, side))

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """What no observer sees cannot be marked."""
        if verb == "cease":
            return None
        if verb == "same":
            mark = s.mark[c.battery]
            return NO_MARK if not mark else None if is_seen(s, side, mark) else UNSEEN
        return None if is_seen(s, side, noun) else UNSEEN

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Marked, or not today."""
        s.spent[c.battery] = 1
        if verb == "cease":
            c.over = 1
            return
        if verb == "mark" and noun != s.mark[c.battery]:
            s.mark[c.battery], s.attempt[c.battery] = noun, 0  # a new place begins anew
        c.marked = 1
        point = world(s).table.names[s.mark[c.battery]]
        emit(s, "marks", "303b", battery=world(s).batteries[c.battery].name, point=point)


@rule("base-smoke")
class Load(Decision):
    """Base-smoke: a battery fires high explosive, or smoke over all of its template."""

    verbs = {"high-explosive": NOTHING, "smoke-shells": NOTHING}

    def needed(self, s: Position, c: Barrage, side: Side) -> bool:
        """Once the marker lies."""
        return bool(c.marked) and not c.over and not c.load

    def nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> list[int]:
        """The verb says it."""
        return [0]

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """Both are there."""
        return None

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Loaded."""
        c.load = HE if verb == "high-explosive" else SMOKE


@rule("303b", "303c", "303bis-a", "303bis-b")
def take_aim(s: Position, c: Barrage) -> None:
    """303b 5+, 303c then 3+, then certain; 303bis a natural 1 may go wrong. Without 303 4+, else it scatters."""
    if c.over:
        return
    book = book_of(s)
    s.attempt[c.battery] += 1
    attempt, mark = s.attempt[c.battery], s.mark[c.battery]
    c.point = mark
    needed = law.precision(book, attempt)
    if law.may_try_again(book) and attempt >= law.BARRAGE["attempts"]:
        emit(s, "on-target", "303c", die=6, number=1)
        return
    die = roll(s, "303b", side=c.side)[0]
    if die >= needed:
        emit(s, "on-target", "303b", die=die, number=needed)
        return
    emit(s, "off-target", "303b", die=die, number=needed)
    if die == 1 and law.friends_at_risk(book) and _friends_near(s, c.side, mark):
        again = roll(s, "303bis-a", side=c.side)[0]
        if again >= law.BARRAGE["friends"]:
            c.shifts = 1
            return
    if law.may_try_again(book):
        c.over = 1
    else:
        c.point = _scattered(s, mark)


@rule("base-random-direction")
def _scattered(s: Position, point: int) -> int:
    """Base-random-direction: two dice of centimetres in a direction by a die, clockwise from the top."""
    table = world(s).table
    cm = sum(roll(s, "base-random-direction", 2))
    dx, dy = FACINGS[(roll(s, "base-random-direction")[0] - 1) * 16 // 6]
    length = distance(0, 0, dx * 100, dy * 100)
    x, y = table.x[point] + dx * 100 * cm * CM // length, table.y[point] + dy * 100 * cm * CM // length
    return table.point_at(x, y)


def _friends_near(s: Position, side: Side, point: int) -> list[int]:
    table = world(s).table
    x, y = table.x[point], table.y[point]
    units = [u for u in world(s).of_side[side] if stands(s, u) and s.at[u]]
    return [u for u in units if distance(table.x[s.at[u]], table.y[s.at[u]], x, y) <= FRIENDS]


@rule("303bis-a")
class Shift(Decision):
    """303bis-a The opponent lays the template on friends of the battery, within 30 cm of the marker."""

    verbs = {"shift": POINT}

    def needed(self, s: Position, c: Barrage, side: Side) -> bool:
        """Once, when it went wrong."""
        return bool(c.shifts)

    def nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> list[int]:
        """Where units of the other side stand that this side can see, near the marker; the marker if there is none."""
        found = [s.at[u] for u in _friends_near(s, c.side, s.mark[c.battery]) if FOG.knows(s, side, u)]
        return sorted(set(found)) or [s.mark[c.battery]]

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """Near enough, and somebody there."""
        table, mark = world(s).table, s.mark[c.battery]
        if distance(table.x[noun], table.y[noun], table.x[mark], table.y[mark]) > FRIENDS:
            return TOO_FAR
        return None if noun in self.nouns(s, c, side, verb) else NOT_ON_FRIENDS

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """It falls there."""
        c.shifts, c.point = 0, noun
        emit(s, "shifted", "303bis-a", point=world(s).table.names[noun])


def other(s: Position, c: Barrage) -> tuple[Side, ...]:
    """The other side."""
    return (1 - c.side,)


def fires(s: Position, c: Barrage) -> bool:
    """The fire comes down."""
    return not c.over and c.point > 0


@question
def may_stretch(book: Book, rockets: bool) -> bool:
    """Without proposal 301 templates are not stretched."""
    return False


@rule("301c", "301d")
class Shape(Decision):
    """301c The template may be twice as long and half as wide, along an edge of the table (301d)."""

    verbs = {"shape": SHAPE}

    def needed(self, s: Position, c: Barrage, side: Side) -> bool:
        """Where there is a choice."""
        return fires(s, c) and not c.shaped and len(self.legal_nouns(s, c, side, "shape")) > 1

    def nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> range:
        """All shapes."""
        return range(len(SHAPES))

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """Stretched only with the proposal, and not by rockets."""
        support = world(s).batteries[c.battery].support
        assert support.weapon is not None
        free = may_stretch(book_of(s), law.is_rocket(support.weapon)) and support.deep > 5
        return None if noun == 0 or free else NO_STRETCH

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Chosen."""
        c.shape, c.shaped = noun, 1


NO_STRETCH = no("301c", "no-stretched-template")


def box_of(s: Position, c: Barrage) -> Box:
    """301 The template on the table, its middle on the marker."""
    support = world(s).batteries[c.battery].support
    wide, deep = support.wide, support.deep
    if c.shape == 1:
        wide, deep = 2 * wide, deep // 2
    elif c.shape == 2:
        wide, deep = wide // 2, 2 * deep
    return template(world(s).table, c.point, wide, deep)


@rule("303e", "base-off-table-fire", "base-suppression", "417f")
def come_down(s: Position, c: Barrage) -> None:
    """303e Everybody at least partly under the template suffers; 417f infantry and guns are suppressed."""
    table, support = world(s).table, world(s).batteries[c.battery].support
    box, weapon = box_of(s, c), support.weapon
    assert weapon is not None
    point = table.names[c.point]
    emit(s, "comes-down", "303e", point=point, box=[box.x, box.y, box.wide, box.deep])
    s.mark[c.battery], s.attempt[c.battery] = 0, 0
    if c.load == SMOKE:
        lay(s, box, "base-smoke")
        return
    under = [
        u
        for u in world(s).units
        if stands(s, u) and is_there(s, u) and box.touches(BASE_OF[u], table.x[s.at[u]], table.y[s.at[u]], s.facing[u])
    ]
    rolls = support.pieces if book_of(s).per_gun else 1
    for unit in FOG.in_token_order(s, under):
        shell(s, unit, support.he, weapon.he_ap, rolls, c.point, "base-off-table-fire")
        if not IS_VEHICLE[unit] and stands(s, unit):
            raise_flag(s, unit, SUPPRESSED)
    breach(s, box, weapon)


@rule("307a", "307b", "307c", "417c")
def shell(s: Position, unit: int, he: int, he_ap: int, rolls: int, origin: int, why: str, direct: bool = False) -> None:
    """307, 417: the dice of a barrage, or of a mortar in direct fire, against one unit."""
    book = book_of(s)
    raise_flag(s, unit, SHOT_AT)
    cover = cover_from(s, unit, s.at[unit])
    if IS_VEHICLE[unit]:
        dice, number = he * rolls, int(law.BARRAGE["hit"])
    elif direct:
        dice, number = he, law.direct_mortar_number(cover)
    else:
        each, number = law.effect_on_men(book, he, cover)
        dice = each * rolls
    if not dice:
        return
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    thrown = roll(s, why, dice, audience=audience)
    hits = sum(die >= number for die in thrown)
    facts = {"dice": thrown, "number": number, "hits": hits}
    emit(s, "shelled", why, audience=audience, unit=FOG.veil(s, unit), **facts)  # type: ignore[arg-type]
    if not IS_VEHICLE[unit]:
        take_hits(s, unit, hits, 0, why, origin)
    elif not IS_ARMOUR[unit]:
        if hits:
            lose(s, unit, "307b")
    elif hits >= law.hits_for_test(book):
        target = as_target(s, unit, unit)
        total, armour = law.power_from_above(he_ap, target), law.armour_from_above(target)
        die = roll(s, "base-destruction", destruction.test_dice(book))
        wrecked(s, unit, destruction.tested(book, total, armour, die), "307c")


@rule("304a", "304b", "base-support-test")
def test_support(s: Position, c: Barrage) -> None:
    """304a After each fire the battery stays, or must be asked for again."""
    battery = world(s).batteries[c.battery]
    request = law.request_number(book_of(s), battery.nation, world(s).year, battery.support.level) or 6
    needed = law.support_number(book_of(s), request)
    die = roll(s, "304a", side=c.side)[0]
    if die < needed:
        s.available[c.battery] = 0
    emit(s, "support" if die >= needed else "no-support", "304a", battery=battery.name, die=die, number=needed)


# Mortars


def mortar_range(unit: int) -> Gun:
    """The mortar of a unit."""
    model = MODEL_OF[unit]
    assert isinstance(model, Gun)
    return model


@rule("108d", "108e", "108f", "108g", "108h")
def mortar_fire(s: Position, unit: int, target: int, smoke: bool = False) -> None:
    """108 No roll to hit: everybody under a disc of 5 cm takes the dice, of light mortars two at most; a 1 jams."""
    table, weapon = world(s).table, mortar_range(unit).weapon
    x, y = table.x[s.at[target]], table.y[s.at[target]]
    near = [
        u
        for u in world(s).units
        if u != target
        and stands(s, u)
        and is_there(s, u)
        and 2 * gap_to_point(BASE_OF[u], table.x[s.at[u]], table.y[s.at[u]], s.facing[u], x, y) <= 5 * CM
    ]
    under = [target, *FOG.in_token_order(s, near)]
    if weapon.id in ("m50", "m60"):
        under = under[:2]
    emit(s, "lobs", "108d", unit=FOG.veil(s, unit), target=FOG.veil(s, target))
    if smoke:
        lay_marker(s, s.at[target], "base-special-ammo")
        spend_round(s, unit, "smoke")
    for victim in () if smoke else under:
        shell(s, victim, weapon.he, weapon.he_ap, 1, s.at[unit], "108f", direct=True)
    if roll(s, "108h", side=SIDE_OF[unit])[0] == 1:
        raise_flag(s, unit, JAMMED)
        emit(s, "jams", "108h", unit=FOG.veil(s, unit))


def side_word(side: Side) -> str:
    """The word for a side."""
    return SIDES[side]


def is_shaken(s: Position, unit: int) -> bool:
    """Demoralised."""
    return s.condition[unit] == SHAKEN


def nation(unit: int) -> str:
    """The nation of a unit."""
    return NATION_OF[unit]


__all__ = ["BATTERY", "Mark", "Shape", "Shift", "come_down", "mortar_fire", "ready", "request_support", "test_support"]
