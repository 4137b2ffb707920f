"""Smoke: clouds that stop every line of sight until the end of the next turn, and the grenades of pioneers."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import Acting, Smoking
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    FIRED,
    FOG,
    GOOD,
    POINT,
    SUPPRESSED,
    THREW,
    Position,
    given,
    has,
    is_there,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, MODEL_OF, PIONEERS, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, roll, rule
from grognard.tabletop import CM, Box, points_within, template

from .losses import show

SMOKE = CHARTS["smoke"]
SIDE_CM = int(SMOKE["marker"])
NO_SMOKE = no("107a", "no-smoke")
SMOKE_SPENT = no("107c", "smoke-spent")
NOT_STEADY = no("base-demoralised", "demoralised")
BUSY = no("base-vehicle-actions", "fired-already")
TOO_FAR = no("base-smoke", "smoke-too-far")
NONE_YET = no("107b", "smoke-first")
IS_SUPPRESSED = no("base-suppression", "suppressed-crawls")


# Clouds


@rule("base-smoke")
def lay(s: Position, box: Box, why: str) -> None:
    """Base-smoke: a cloud that stands until the end of the following turn."""
    s.smoke = (*s.smoke, (*box, s.turn + int(SMOKE["turns"])))
    emit(s, "smoke", why, box=list(box))


def lay_marker(s: Position, point: int, why: str) -> None:
    """A marker of 5 x 5 cm about a point."""
    lay(s, template(world(s).table, point, SIDE_CM, SIDE_CM), why)


@rule("base-smoke")
def blow_away(s: Position) -> None:
    """Base-smoke: what was laid two turns ago is gone."""
    left = tuple(cloud for cloud in s.smoke if cloud[4] >= s.turn)
    if len(left) < len(s.smoke):
        emit(s, "smoke-gone", "base-smoke", clouds=len(s.smoke) - len(left))
        s.smoke = left


# Grenades of pioneers


@question
def grenades(book: Book) -> int:
    """Without proposal 107 a section of pioneers has three grenades, counted one by one."""
    return int(SMOKE["counted"])


@question
def smoke_lasts(book: Book, s: Position, c: Smoking) -> int:
    """Without proposal 107 each marker is a grenade less."""
    return s.grenades[c.formation] - len(c.points)


def issue(s: Position) -> None:
    """107a Sections with the capability begin with it."""
    for formation in world(s).formations:
        s.grenades[formation.number] = (
            grenades(book_of(s)) if given(s, formation.number, "smoke", int(formation.smoke)) else 0
        )


def throwers(s: Position, formation: int, first: int) -> list[int]:
    """107b Pioneers of the section who can throw: in good order, not suppressed, with their fire still to come."""
    busy = SUPPRESSED | FIRED
    return [
        u
        for u in world(s).formations[formation].units
        if MODEL_OF[u].id in PIONEERS
        and s.condition[u] == GOOD
        and is_there(s, u)
        and not s.rounds[u] & THREW
        and not s.flags[u] & busy
        and (u == first or not s.flags[u] & ACTIVATED)
    ]


@rule("107a", "107c")
def why_no_smoke(s: Position, c: Acting) -> No | None:
    """107a Pioneers of a section that has smoke; 107c until it runs out; instead of the thrower's fire."""
    unit = c.unit
    if MODEL_OF[unit].id not in PIONEERS or not world(s).formations[c.formation].smoke:
        return NO_SMOKE
    if not s.grenades[c.formation]:
        return SMOKE_SPENT
    if s.condition[unit] != GOOD:
        return NOT_STEADY
    if has(s, unit, SUPPRESSED):
        return IS_SUPPRESSED
    return BUSY if c.shot or s.rounds[unit] & THREW else None


def begin_smoke(s: Position, c: Acting) -> None:
    """The section reaches for its grenades."""
    enter(s, Smoking(side=c.side, formation=c.formation, unit=c.unit))


@rule("107b", "base-smoke")
def hands_for(s: Position, c: Smoking, points: tuple[int, ...]) -> tuple[int, ...] | None:
    """107b Who throws which marker, one each, nobody farther than 5 cm; None if it cannot be done."""
    return deal(points, in_hands(s, c))


def in_hands(s: Position, c: Smoking) -> dict[int, frozenset[int]]:
    """The points that each thrower reaches."""
    table, cm = world(s).table, int(SMOKE["throw"]) * CM
    return {
        u: frozenset(points_within(table, BASE_OF[u], s.at[u], s.facing[u], cm))
        for u in throwers(s, c.formation, c.unit)
    }


def deal(points: tuple[int, ...], near: dict[int, frozenset[int]]) -> tuple[int, ...] | None:
    """A thrower for each point, nobody twice."""
    if not points:
        return ()
    for unit in near:
        if points[0] in near[unit]:
            rest = deal(points[1:], {u: reach for u, reach in near.items() if u != unit})
            if rest is not None:
                return (unit, *rest)
    return None


@rule("107b", "base-smoke")
class Puff(Decision):
    """107b Up to three markers, one a unit, each within 5 cm of who throws it."""

    verbs = {"puff": POINT, "enough": NOTHING}

    def needed(self, s: Position, c: Smoking, side: Side) -> bool:
        """Until three lie, or nobody is left to throw."""
        most = min(int(SMOKE["most"]), len(throwers(s, c.formation, c.unit)), most_of(s, c))
        return not c.over and len(c.points) < most

    def nouns(self, s: Position, c: Smoking, side: Side, verb: str) -> list[int]:
        """Points near the section."""
        if verb == "enough":
            return [0]
        return sorted(frozenset().union(*in_hands(s, c).values()))

    def legal_nouns(self, s: Position, c: Smoking, side: Side, verb: str) -> list[int]:
        """The same as asking for each, with the reach of the throwers worked out once."""
        if verb == "enough":
            return super().legal_nouns(s, c, side, verb)
        near = in_hands(s, c)
        points = sorted(frozenset().union(*near.values()))
        return [p for p in points if deal((*c.points, p), near) is not None]

    def why_not(self, s: Position, c: Smoking, side: Side, verb: str, noun: int) -> No | None:
        """Near enough to somebody who has not thrown yet; one marker at least."""
        if verb == "enough":
            return None if c.points else NONE_YET
        return None if hands_for(s, c, (*c.points, noun)) is not None else TOO_FAR

    def apply(self, s: Position, c: Smoking, side: Side, verb: str, noun: int) -> None:
        """A marker, or no more."""
        if verb == "enough":
            c.over = 1
        else:
            c.points = (*c.points, noun)


def most_of(s: Position, c: Smoking) -> int:
    """How many markers the section can still lay: all three with proposal 107, else as many as are counted."""
    return int(SMOKE["most"]) if book_of(s).has("107") else s.grenades[c.formation]


@rule("107b", "107c")
def throw(s: Position, c: Smoking) -> None:
    """107b All markers at once; 107c then a die says whether the section has more."""
    hands = hands_for(s, c, c.points) or ()
    for unit, point in zip(hands, c.points):
        show(s, unit)
        s.rounds[unit] |= THREW
        emit(s, "throws-smoke", "107b", unit=FOG.veil(s, unit), point=world(s).table.names[point])
        lay_marker(s, point, "base-smoke")
    s.grenades[c.formation] = smoke_lasts(book_of(s), s, c)
    if not s.grenades[c.formation]:
        emit(s, "no-more-smoke", "107c", formation=world(s).formations[c.formation].name)


def roll_for_smoke(s: Position, c: Smoking) -> int:
    """107c 4+: the section keeps its smoke."""
    die = roll(s, "107c", side=c.side)[0]
    kept = die >= int(SMOKE["kept"])
    if kept:
        emit(s, "more-smoke", "107c", formation=world(s).formations[c.formation].name, die=die)
    return int(kept)
