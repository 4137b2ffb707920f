"""Every field of a position, with who may know it; the kinds of nouns."""

from __future__ import annotations

from typing import Any

from grognard.kernel import PUBLIC, SECRET, Column, Fog, HiddenUnits, Named, Side, Units, column, items, number, seen_by
from grognard.kernel.record import REFEREE
from grognard.tabletop import FACING_NAMES

from .world import SIDE_OF, UNIT_NAMES, world

GOOD, SHAKEN, LOST, WRECK, AWAY, EXITED = range(6)  # base-states; AWAY: not in this scenario, or not arrived
CONDITIONS = ("good", "shaken", "lost", "wreck", "away", "exited")

# Flags of a unit. Those of the first line end with the turn.
ACTIVATED, FIRED, SUPPRESSED, SHOT_AT, REACTED, CRAWLED, PIVOTED, PLACED = (1 << n for n in range(8))
HIDDEN, DUG_IN, JAMMED, EMPTY, STUCK, OUT, LEADERLESS, CONTINUOUS = (1 << n for n in range(8, 16))
SHOT_BEFORE, STOPPED, BOGGED, ENTRENCHED, LAUNCHER, NO_FAUST, SATCHEL = (1 << n for n in range(16, 23))
# Of men and works, from the top down.
ABOARD, UNHITCHED, IN_BUNKER, BOUGHT = (1 << n for n in range(30, 26, -1))
FLAGS = {
    "activated": ACTIVATED,
    "fired": FIRED,
    "suppressed": SUPPRESSED,
    "shot-at": SHOT_AT,
    "crawled": CRAWLED,
    "hidden": HIDDEN,
    "dug-in": DUG_IN,
    "jammed": JAMMED,
    "ammo": EMPTY,
    "immobilised": STUCK,
    "commander-out": OUT,
    "commander-lost": LEADERLESS,
    "continuous": CONTINUOUS,
    "stopped": STOPPED,
    "bogged": BOGGED,
    "entrenched": ENTRENCHED,
    "launcher": LAUNCHER,
    "no-faust": NO_FAUST,
    "charge": SATCHEL,
    "aboard": ABOARD,
    "unhitched": UNHITCHED,
    "bunker": IN_BUNKER,
    "bought": BOUGHT,
}
TURN_FLAGS = ACTIVATED | FIRED | SUPPRESSED | SHOT_AT | REACTED | CRAWLED | PIVOTED | SHOT_BEFORE | NO_FAUST | UNHITCHED


# Bits of `rounds`: two for each kind of special round (3: none left), then what ends with the turn.
ROUNDS = {"HEAT": 0, "APCR": 2, "APDS": 4, "smoke": 6}
THREW, RELOADS, GUIDED, AT_AIRCRAFT = 1 << 8, 1 << 9, 1 << 10, 1 << 11
KEPT_ROUNDS = THREW - 1
DEEDS = {"threw-smoke": THREW, "reloading": RELOADS, "guiding": GUIDED, "fired-at-aircraft": AT_AIRCRAFT}


def knows(s: Any, side: Side, unit: int) -> bool:
    """Base-hidden: a hidden unit is known to its owner only."""
    return side == SIDE_OF[unit] or side == REFEREE or not s.flags[unit] & HIDDEN


FOG = Fog(UNIT_NAMES, knows)
SEEN = seen_by(knows)
OWNERS = seen_by(lambda s, side, unit: side == SIDE_OF[unit])


class Position(HiddenUnits):
    """A position of Blitzkrieg."""

    packed: int = number(SECRET)  # the options, packed; `options` says them in words
    turn: int = number(PUBLIC)
    at: Column = column("units", "H", SEEN, names="point")  # 0 off the table
    facing: Column = column("units", "B", SEEN)
    turret: Column = column("units", "B", SEEN)
    floor: Column = column("units", "B", SEEN)
    condition: Column = column("units", "B", SEEN, AWAY)
    flags: Column = column("units", "i", SEEN)
    moved: Column = column("units", "B", SEEN)  # cm this turn
    effort: Column = column("units", "B", SEEN)  # per cent of its move that a unit has used this turn
    handled: Column = column("units", "B", SEEN)  # per cent of it that went into who got on or off
    carrier: Column = column(
        "units", "H", SECRET
    )  # base-transport: 1 + the vehicle that carries or tows it; `pieces` says it
    covered: Column = column("units", "B", SEEN)  # 102: covering fire suffered in this activation
    holder: Column = column("objectives", "b", PUBLIC, -1)  # who held it last
    points: Column = column(2, "h", PUBLIC)  # victory points of each side by losses and exits
    lost: Column = column(2, "B", PUBLIC)  # units lost by each side
    fausts: Column = column("formations", "B", PUBLIC)  # 107bis: Panzerfausts fired by each section
    built: Column = column(
        "works", "B", PUBLIC, 1
    )  # barricades, wire, obstacles: 0 gone, 1 there, 2 a test has failed (502a)
    mined: Column = column("mines", "B", PUBLIC, 1)  # sections of mines that are still there
    hired: Column = column("offers", "B", SECRET)  # base-points: how much of each support was bought; `muster` says it
    available: Column = column("batteries", "B", PUBLIC)  # 303a: at hand
    spent: Column = column("batteries", "B", PUBLIC)  # used this turn
    attempt: Column = column("batteries", "B", PUBLIC)  # 303c: tries on the present marker
    mark: Column = column("batteries", "H", PUBLIC, names="point")  # 303b: where the marker lies
    smoke: tuple[tuple[int, ...], ...] = items(PUBLIC)  # base-smoke: corner, width, depth, the last turn of each cloud
    rockets: Column = column("units", "B", SEEN)  # 406a: loaded
    stood: Column = column("units", "H", SEEN, names="point")  # where it stood when the turn began
    laid: Column = column("units", "B", SEEN)  # 412b: the first turn in which it may fire indirect
    aim: Column = column("units", "H", SEEN, names="point")  # 416a: the marker of a piece on the table
    aim_from: Column = column("units", "H", OWNERS, names="point")  # 416b: where the piece stood
    tries: Column = column("units", "B", SEEN)  # 416a: tries on the present marker
    guide: Column = column("units", "H", OWNERS)  # 416b: one more than the observer
    guide_from: Column = column("units", "H", OWNERS, names="point")  # 416b: where the observer stood
    aloft: Column = column("flights", "B", PUBLIC)  # aircraft over the table
    planes: Column = column("flights", "B", PUBLIC)  # aircraft that are left
    back: Column = column("flights", "B", PUBLIC)  # the first turn in which they may come again
    grenades: Column = column("formations", "B", PUBLIC)  # 107: smoke that a section has left
    rounds: Column = column("units", "H", SEEN)  # 211: special rounds used up, two bits a kind; what it did this turn


POINT = Named("point", lambda s: world(s).table.names)
UNIT = Units(FOG)
FACING = Named("word", FACING_NAMES)
BATTERY = Named("battery", lambda s: tuple(b.name for b in world(s).batteries))
FLIGHT = Named("flight", lambda s: tuple(f.name for f in world(s).flights))
OFFER = Named("offer", lambda s: tuple(offer.name for offer in world(s).offers))
FORMATION = Named("formation", lambda s: tuple(f.name for f in world(s).formations))


def has(s: Position, unit: int, flag: int) -> bool:
    """True if a flag of a unit is up."""
    return bool(s.flags[unit] & flag)


def raise_flag(s: Position, unit: int, flag: int) -> None:
    """Put a flag up."""
    s.flags[unit] |= flag


def drop_flag(s: Position, unit: int, flag: int) -> None:
    """Take a flag down."""
    s.flags[unit] &= ~flag


def given(s: Position, number: int, what: str, by_scenario: int) -> int:
    """How much of a support is there: what the scenario gives, or where forces are bought what was bought of it."""
    w = world(s)
    return s.hired[w.given[number, what]] if w.offers and (number, what) in w.given else 0 if w.offers else by_scenario


def stands(s: Position, unit: int) -> bool:
    """On the table and not lost: it counts, moves and fires."""
    return s.condition[unit] <= SHAKEN


def is_there(s: Position, unit: int) -> bool:
    """On the table, wrecks included, and not aboard: nobody else stands there."""
    return s.condition[unit] in (GOOD, SHAKEN, WRECK) and s.at[unit] > 0 and not s.flags[unit] & ABOARD


def bearer(s: Position, unit: int) -> int:
    """The vehicle that carries or tows a unit; the unit itself if nothing does."""
    return s.carrier[unit] - 1 if s.flags[unit] & ABOARD else unit
