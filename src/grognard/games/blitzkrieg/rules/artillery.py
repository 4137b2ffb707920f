"""Artillery: support off the table, its marker, precision and effect; mortars in direct fire."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import HE, SMOKE, Barrage, Match
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.loading import Gun, Vehicle
from grognard.games.blitzkrieg.state import (
    BATTERY,
    FIRED,
    FOG,
    GOOD,
    GUIDED,
    POINT,
    Position,
    given,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import MODEL_OF, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, roll, rule, words
from grognard.tabletop import CM
from grognard.tabletop.measure import distance

from .indirect import cm_to, guide_to, guides, has_tubes, keeps_aim, take_mark, use_rockets
from .losses import show
from .shelling import strayed, weapon_and_size
from .sights import in_view, sees_through

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
        n
        for n, b in enumerate(batteries)
        if b.side == side and s.available[n] and not s.spent[n] and within_limit(s, n) and free_eyes(s, side)
    ]


@question
def most_batteries(book: Book, nation: str, year: int) -> int:
    """Base-off-table-limit: one battery off the table a side."""
    return 1


@rule("305", "base-off-table-limit")
def within_limit(s: Position, number: int) -> bool:
    """305 The batteries that a side may use, in the order of the scenario."""
    w = world(s)
    battery = w.batteries[number]
    hired = [n for n in range(number) if given(s, n, "battery", 1)]  # base-points: only what was bought counts
    before = sum(w.batteries[n].side == battery.side for n in hired)
    return before < most_batteries(book_of(s), battery.nation, w.year)


@rule("303a", "base-support-request", "base-off-table-limit")
def request_support(s: Position, c: Match, side: Side) -> None:
    """303a A battery that is not at hand is asked for in the rally phase; nobody asks without an observer."""
    for number, battery in enumerate(world(s).batteries):
        if battery.side != side or not given(s, number, "battery", 1):
            continue
        s.spent[number] = 0
        if s.available[number] or not eyes(s, side) or not within_limit(s, number):
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
    return [u for u in units if s.condition[u] == GOOD and is_there(s, u) and may_observe(book, u)]


@rule("414a")
def is_seen(s: Position, side: Side, point: int) -> bool:
    """414a An observer who is free sees the place."""
    return observer_for(s, side, point) >= 0


@rule("414b")
def free_eyes(s: Position, side: Side) -> list[int]:
    """414b Observers who guide no other fire this turn; without proposal 414 all of them."""
    busy = GUIDED if one_fire_each(book_of(s)) else 0
    return [u for u in eyes(s, side) if not s.rounds[u] & busy]


def observer_for(s: Position, side: Side, point: int) -> int:
    """Who directs a battery off the table at a point; -1 for nobody."""
    for u in free_eyes(s, side):
        if sees_through(s, u, point):
            return u
    return -1


@question
def one_fire_each(book: Book) -> bool:
    """Without proposal 414 an observer directs any number of fires."""
    return False


# The marker


def mark_of(s: Position, c: Barrage) -> int:
    """303b, 416a Where the marker lies."""
    return s.aim[c.pieces[0]] if c.pieces else s.mark[c.battery]


@rule("303c", "416b")
def why_not_same(s: Position, c: Barrage, side: Side) -> No | None:
    """303c The same place again; 416b of pieces only if neither they nor their observer have moved."""
    mark = mark_of(s, c)
    if not mark or (c.pieces and not keeps_aim(s, c.pieces[0])):
        return NO_MARK
    if c.pieces:
        observer = guide_to(s, side, c.pieces[0], mark)
        return None if observer == s.guide[c.pieces[0]] - 1 else UNSEEN
    return None if is_seen(s, side, mark) else UNSEEN


@rule("414a", "413")
def why_not_mark(s: Position, c: Barrage, side: Side, point: int) -> No | None:
    """414a In view of an observer, or of the piece itself; 413 not too near to it."""
    if not c.pieces:
        return None if is_seen(s, side, point) else UNSEEN
    model, piece = MODEL_OF[c.pieces[0]], c.pieces[0]
    assert isinstance(model, (Gun, Vehicle))
    why = law.why_not_indirect(book_of(s), model, cm_to(s, piece, point))
    return why or (None if guide_to(s, side, piece, point) >= 0 else UNSEEN)


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
        if not c.pieces:
            return in_view(s, free_eyes(s, side))
        return _far_enough(s, c.pieces[0], in_view(s, guides(s, side, c.pieces[0])))

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """What no observer sees cannot be marked."""
        if verb == "cease":
            return None
        return why_not_same(s, c, side) if verb == "same" else why_not_mark(s, c, side, noun)

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Marked, or not today."""
        if not c.pieces:
            s.spent[c.battery] = 1
        if verb == "cease":
            c.over = 1
            return
        c.marked = 1
        if c.pieces:
            point = mark_of(s, c) if verb == "same" else noun
            take_mark(s, c.pieces[0], point, guide_to(s, side, c.pieces[0], point))
            for unit in c.pieces:
                show(s, unit)
                raise_flag(s, unit, FIRED)
            emit(s, "lays", "416a", unit=FOG.veil(s, c.pieces[0]), point=world(s).table.names[point])
            return
        if verb == "mark" and noun != s.mark[c.battery]:
            s.mark[c.battery], s.attempt[c.battery] = noun, 0  # a new place begins anew
        mark = s.mark[c.battery]
        s.rounds[observer_for(s, side, mark)] |= GUIDED
        emit(s, "marks", "303b", battery=world(s).batteries[c.battery].name, point=world(s).table.names[mark])


def _far_enough(s: Position, piece: int, points: list[int]) -> list[int]:
    """The points that are not too near to a piece; asked once for each distance in centimetres."""
    model, book, found = MODEL_OF[piece], book_of(s), dict[int, bool]()
    assert isinstance(model, (Gun, Vehicle))
    far = [cm_to(s, piece, p) for p in points]
    for cm in set(far):
        found[cm] = law.why_not_indirect(book, model, cm) is None
    return [p for p, cm in zip(points, far) if found[cm]]


@question
def may_join(book: Book, nation: str) -> bool:
    """Without proposal 409 every battery fires alone."""
    return False


@rule("409b")
class Join(Decision):
    """409b American batteries may fire together: one precision roll, both templates."""

    verbs = {"join": BATTERY, "alone": NOTHING}

    def needed(self, s: Position, c: Barrage, side: Side) -> bool:
        """Where another battery could."""
        return bool(c.marked) and not c.asked and bool(_partners(s, c, side))

    def nouns(self, s: Position, c: Barrage, side: Side, verb: str) -> list[int]:
        """The other batteries that are ready."""
        return _partners(s, c, side) if verb == "join" else [0]

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """Ready, and American."""
        return None if verb == "alone" or noun in _partners(s, c, side) else NOT_READY

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Together or alone."""
        c.asked = 1
        if verb == "join":
            c.joined, s.spent[noun] = noun, 1
            emit(s, "joins", "409b", battery=world(s).batteries[noun].name)


def _partners(s: Position, c: Barrage, side: Side) -> list[int]:
    """409b Batteries that could fire with this one."""
    if c.pieces or c.over:
        return []
    batteries, book = world(s).batteries, book_of(s)
    if not may_join(book, batteries[c.battery].nation):
        return []
    at_hand = [n for n, b in enumerate(batteries) if b.side == side and s.available[n] and not s.spent[n]]
    return [n for n in at_hand if may_join(book, batteries[n].nation) and within_limit(s, n)]


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
    book, mark = book_of(s), mark_of(s, c)
    c.point = mark
    if c.pieces:
        if not law.is_ranged(book):
            emit(s, "on-target", "416a", die=6, number=1)
            return
        s.tries[c.pieces[0]] += 1
        attempt = s.tries[c.pieces[0]]
    else:
        s.attempt[c.battery] += 1
        attempt = s.attempt[c.battery]
    needed = law.precision(book, attempt)
    if law.may_try_again(book) and attempt >= law.BARRAGE["attempts"]:
        emit(s, "on-target", "303c", die=6, number=1)
        return
    die = roll(s, "303b", side=c.side)[0]
    if die >= needed:
        emit(s, "on-target", "303b", die=die, number=needed)
        return
    emit(s, "off-target", "303b", die=die, number=needed)
    if c.pieces and has_tubes(c.pieces[0]):
        use_rockets(s, c.pieces[0], 1)  # 408a: a rocket for each try
        if not s.rockets[c.pieces[0]]:
            c.over = 1
            return
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
    return strayed(s, point, sum(roll(s, "base-random-direction", 2)))


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
        found = [s.at[u] for u in _friends_near(s, c.side, mark_of(s, c)) if FOG.knows(s, side, u)]
        return sorted(set(found)) or [mark_of(s, c)]

    def why_not(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> No | None:
        """Near enough, and somebody there."""
        table, mark = world(s).table, mark_of(s, c)
        if distance(table.x[noun], table.y[noun], table.x[mark], table.y[mark]) > FRIENDS:
            return TOO_FAR
        friends = [s.at[u] for u in _friends_near(s, c.side, mark) if FOG.knows(s, side, u)]
        return None if (noun in friends if friends else noun == mark) else NOT_ON_FRIENDS

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
        weapon, _, deep = weapon_and_size(s, c)
        free = may_stretch(book_of(s), law.is_rocket(weapon)) and deep > 5
        return None if noun == 0 or free else NO_STRETCH

    def apply(self, s: Position, c: Barrage, side: Side, verb: str, noun: int) -> None:
        """Chosen."""
        c.shape, c.shaped = noun, 1


NO_STRETCH = no("301c", "no-stretched-template")


@rule("304a", "304b", "base-support-test")
def test_support(s: Position, c: Barrage) -> None:
    """304a After each fire the battery stays, or must be asked for again."""
    if c.pieces:
        return  # 416a: no support test on the table
    for number in (c.battery, c.joined):
        if number >= 0:
            _test_battery(s, c, number)


def _test_battery(s: Position, c: Barrage, number: int) -> None:
    battery = world(s).batteries[number]
    request = law.request_number(book_of(s), battery.nation, world(s).year, battery.support.level) or 6
    needed = law.support_number(book_of(s), request)
    die = roll(s, "304a", side=c.side)[0]
    if die < needed:
        s.available[number] = 0
    emit(s, "support" if die >= needed else "no-support", "304a", battery=battery.name, die=die, number=needed)
