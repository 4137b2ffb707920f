"""What a unit does when its formation is activated: look out or shut, move, fire, charge, dig."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.blitzkrieg.doors import Book, limits, question
from grognard.games.blitzkrieg.frames import (
    CHARGE,
    CLIMB,
    CRAWL,
    MOVE,
    OVERRUN,
    REVERSE,
    TURN,
    Acting,
    Activation,
    Moving,
    Volley,
)
from grognard.games.blitzkrieg.loading import Team, Vehicle
from grognard.games.blitzkrieg.state import (
    ABOARD,
    ACTIVATED,
    BOGGED,
    CONTINUOUS,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    FOG,
    HIDDEN,
    IN_BUNKER,
    LEADERLESS,
    OUT,
    PIVOTED,
    POINT,
    SHAKEN,
    STOPPED,
    STUCK,
    SUPPRESSED,
    UNIT,
    Position,
    bearer,
    drop_flag,
    has,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_GUN, IS_TEAM, IS_VEHICLE, MODEL_OF, world
from grognard.kernel import NOTHING, Action, Decision, No, Side, emit, enter, no, rule

from .aiming import DICE, FAUST, GUN, VERBS
from .assault import why_no_charge, why_no_overrun
from .attacks import AT_CLOSE_QUARTERS, ATTACKS, Targets, has_moved, why_no_attack
from .capabilities import take_faust
from .fire import open_fire
from .ground import enemies, ground_cover, in_command, is_closed
from .houses import HOUSE, has_stairs
from .indirect import begin_bombardment, has_tubes, reload, why_no_bombardment, why_no_reload
from .losses import experience
from .mines import demine, why_no_demining
from .movement import contact, crawl_cm, set_out
from .riding import beside, sits
from .rounds import VERBS as SPECIAL
from .rounds import carries
from .smoke import begin_smoke, why_no_smoke
from .snipers import snipe
from .transport import (
    alight,
    board,
    carriers,
    hitch,
    unhitch,
    why_no_alight,
    why_no_board,
    why_no_hitch,
    why_no_unhitch,
    why_not_from_aboard,
)
from .walking import allowance, stays_put
from .works import (
    clear_wreck,
    demolish,
    dismantle,
    why_no_clearing,
    why_no_climb,
    why_no_demolition,
    why_no_dismantling,
    wrecks,
)

NOT_OF_FORMATION = no("base-activation", "not-of-this-formation")
HAS_ACTED = no("base-activation", "has-acted")
MOVED_ALREADY = no("base-vehicle-actions", "moved-already")
FIRED_ALREADY = no("base-vehicle-actions", "fired-already")
IS_STUCK = no("base-damage", "is-immobilised")
IS_STOPPED = no("216b", "is-stopped")
NO_MOVE = no("base-gun-move", "cannot-move")
HELD = no("base-command", "command-failed")
SUPPRESSED_CRAWL = no("base-suppression", "suppressed-crawls")
NOT_A_VEHICLE = no("base-commander-out", "no-hatch")
HATCH_DONE = no("base-commander-out", "hatch-first")
NO_COMMANDER = no("216b", "no-commander")
NO_CRAWL = no("101a", "no-crawl")
NO_DIG = no("111a", "no-dig")
NOT_BOGGED = no("base-immobilisation-test", "not-bogged")
NO_CONTINUOUS = no("base-continuous-movement", "no-continuous-movement")
NO_STAIRS = no("base-building", "no-stairs")
TOO_TIRED = no("base-building", "stairs-too-far")
STAYS_INSIDE = no("402d", "gun-stays-inside")
IS_DUG_IN = no("224a", "is-dug-in-tank")
NOT_TURNING = no("base-arcs", "turns-freely")


@rule("base-activation")
class PickUnit(Decision):
    """Base-activation: each unit of the formation acts once, in any order; the rest may be left."""

    verbs = {"unit": UNIT, "done": NOTHING}

    def needed(self, s: Position, c: Activation, side: Side) -> bool:
        """While somebody of the formation has not acted."""
        return not c.over and c.unit < 0 and any(_ready(s, u) for u in world(s).formations[c.formation].units)

    def nouns(self, s: Position, c: Activation, side: Side, verb: str) -> list[int]:
        """Those who have not acted."""
        if verb == "done":
            return [0]
        return [u for u in world(s).formations[c.formation].units if _ready(s, u)]

    def why_not(self, s: Position, c: Activation, side: Side, verb: str, noun: int) -> No | None:
        """Units of this formation that have not acted."""
        if verb == "done":
            return None
        if world(s).formation_of.get(noun) != c.formation:
            return NOT_OF_FORMATION
        return None if _ready(s, noun) else HAS_ACTED

    def apply(self, s: Position, c: Activation, side: Side, verb: str, noun: int) -> None:
        """It is in hand, or all are done."""
        if verb == "done":
            c.over = 1
        else:
            c.unit = noun


def _ready(s: Position, unit: int) -> bool:
    return stands(s, unit) and s.at[unit] > 0 and not s.flags[unit] & ACTIVATED


def has_unit(s: Position, c: Activation) -> bool:
    """A unit is in hand."""
    return c.unit >= 0


@rule("base-activation")
def take_up(s: Position, c: Activation) -> Acting:
    """A unit begins: it has acted from now on, whatever it does."""
    raise_flag(s, c.unit, ACTIVATED)
    frame = Acting(side=c.side, unit=c.unit, formation=c.formation)
    c.unit = -1
    if has(s, frame.unit, STOPPED):
        drop_flag(s, frame.unit, STOPPED)
        emit(s, "recovers", "216b", unit=FOG.veil(s, frame.unit))
        frame.stuck = 1
    return frame


def is_over(s: Position, c: Activation) -> bool:
    """The formation has acted."""
    return bool(c.over) or not any(_ready(s, u) for u in world(s).formations[c.formation].units)


@rule("base-activation", "102d")
def close_activation(s: Position, c: Activation) -> None:
    """Who was left out has acted too; 102d covering fire counts for charges of the same activation only."""
    for unit in world(s).formations[c.formation].units:
        raise_flag(s, unit, ACTIVATED)
    for unit in world(s).units:
        s.covered[unit] = 0


# What a unit may do


@question
def may_dig(book: Book) -> bool:
    """Without proposal 111 nobody digs in during play."""
    return False


@limits
@rule("base-vehicle-actions", "base-command", "224a")
def why_no_move(book: Book, s: Position, c: Acting) -> No | None:
    """Base-vehicle-actions: once, before firing; not by who is stuck, stopped or out of touch."""
    unit = c.unit
    if c.has_moved or has(s, unit, PIVOTED):
        return MOVED_ALREADY
    if c.shot:
        return FIRED_ALREADY
    if has(s, unit, STUCK | BOGGED):
        return IS_STUCK
    if IS_VEHICLE[unit] and has(s, unit, DUG_IN):
        return IS_DUG_IN
    if IS_GUN[unit] and stays_put(book, s, unit):
        return STAYS_INSIDE
    return HELD if c.stuck else None


@rule("base-vehicle-actions", "base-illegal")
class Act(Decision):
    """Base-vehicle-actions: move and then fire; or one thing that takes all the time."""

    verbs = {
        "shoot": UNIT,
        "tracks": UNIT,
        "second": UNIT,
        "fire": UNIT,
        "panzerfaust": UNIT,
        "snipe": UNIT,
        "flame": UNIT,
        "heat": UNIT,
        "apcr": UNIT,
        "apds": UNIT,
        "smoke-shell": UNIT,
        "charge": UNIT,
        "overrun": UNIT,
        "clear": UNIT,
        "demolish": UNIT,
        "dismantle": NOTHING,
        "climb": NOTHING,
        "board": UNIT,
        "hitch": UNIT,
        "alight": POINT,
        "unhitch": POINT,
        "move": NOTHING,
        "crawl": NOTHING,
        "back": NOTHING,
        "turn": NOTHING,
        "open": NOTHING,
        "shut": NOTHING,
        "upstairs": NOTHING,
        "downstairs": NOTHING,
        "dig": NOTHING,
        "demine": NOTHING,
        "smoke": NOTHING,
        "bombard": NOTHING,
        "reload": NOTHING,
        "free": NOTHING,
        "keep-moving": NOTHING,
        "hold": NOTHING,
    }

    def needed(self, s: Position, c: Acting, side: Side) -> bool:
        """Until it is done or gone."""
        return not c.over and stands(s, c.unit) and s.at[c.unit] > 0

    def nouns(self, s: Position, c: Acting, side: Side, verb: str) -> list[int]:
        """Enemies that the side knows of; own vehicles to get on, points to get off."""
        if verb in ("board", "hitch"):
            return carriers(s, c.unit) if sits(c.unit) == (verb == "board") and not IS_VEHICLE[c.unit] else []
        if verb == "clear":
            return wrecks(s)
        if verb == "demolish":
            return [u for u in enemies(s, side) if has(s, u, IN_BUNKER)]
        if verb in ("alight", "unhitch"):
            aboard = has(s, c.unit, ABOARD) and sits(c.unit) == (verb == "alight")
            return beside(s, c.unit, bearer(s, c.unit)) if aboard else []
        if verb in SPECIAL and not carries(s, c.unit, SPECIAL[verb]):
            return []
        return enemies(s, side) if self.verbs[verb] is UNIT else [0]

    def legal_nouns(self, s: Position, c: Acting, side: Side, verb: str) -> list[int]:
        """The same as asking for each, with the places beside a vehicle worked out once."""
        if verb in ATTACKS:
            return self._targets(s, c, verb, Targets(s, c, side))
        nouns = self.nouns(s, c, side, verb)
        if verb in ("alight", "unhitch"):
            return list(nouns) if nouns and self.why_not(s, c, side, verb, nouns[0]) is None else []
        return super().legal_nouns(s, c, side, verb)

    def legal(self, s: Position, c: Acting, side: Side) -> list[Action]:
        """The same as asking verb by verb, with whom the unit detects looked for once."""
        targets, found = Targets(s, c, side), list[Action]()
        for verb in self.verbs:
            nouns = self._targets(s, c, verb, targets) if verb in ATTACKS else self.legal_nouns(s, c, side, verb)
            found += [(verb, noun) for noun in nouns]
        return found

    def _targets(self, s: Position, c: Acting, verb: str, targets: Targets) -> list[int]:
        if verb in AT_CLOSE_QUARTERS and why_no_move(book_of(s), s, c) is not None:
            return []
        return targets.of(s, c, verb)

    def why_not(self, s: Position, c: Acting, side: Side, verb: str, noun: int) -> No | None:
        """What forbids it."""
        why = why_not_from_aboard(s, c.unit, verb)
        if why is not None:
            return why
        if verb in TESTS:
            return TESTS[verb](s, c)
        if verb in RIDES:
            return RIDES[verb][0](s, c, noun)
        if verb in AT_CLOSE_QUARTERS:
            why = why_no_move(book_of(s), s, c)
            if why is not None:
                return why
            return why_no_charge(s, c.unit, noun) if verb == "charge" else why_no_overrun(s, c.unit, noun)
        return why_no_attack(s, c, verb, noun)

    def apply(self, s: Position, c: Acting, side: Side, verb: str, noun: int) -> None:
        """Carry it out."""
        if verb in DEEDS:
            DEEDS[verb](s, c)
        elif verb in RIDES:
            RIDES[verb][1](s, c, noun)
        elif verb in ("charge", "overrun"):
            _attack(s, c, noun, CHARGE if verb == "charge" else OVERRUN)
        elif verb == "snipe":
            c.shot |= 1 << DICE
            snipe(s, c.unit, noun)
        else:
            arm = VERBS.get(verb, GUN)
            if arm == FAUST and not take_faust(s, c.unit):
                return
            c.shot |= 1 << arm
            if arm == GUN and has_tubes(c.unit) and book_of(s).has("406"):
                enter(s, Volley(side=c.side, unit=c.unit, target=noun))
                return
            ammo = SPECIAL.get(verb, "")
            open_fire(s, c.unit, noun, arm, has_moved(s, c), low=verb == "tracks", ammo=ammo)


def _why_not_move(s: Position, c: Acting) -> No | None:
    if not allowance(s, c.unit)[0]:
        return NO_MOVE
    if has(s, c.unit, SUPPRESSED) and not IS_VEHICLE[c.unit]:
        return SUPPRESSED_CRAWL
    return why_no_move(book_of(s), s, c)


def _why_not_climb(s: Position, c: Acting) -> No | None:
    return why_no_climb(s, c) or _why_not_move(s, c)


def _why_not_crawl(s: Position, c: Acting) -> No | None:
    model = MODEL_OF[c.unit]
    if not isinstance(model, Team) or model.id == "hmg" or not crawl_cm(book_of(s)):
        return NO_CRAWL
    return why_no_move(book_of(s), s, c)


def _why_not_back(s: Position, c: Acting) -> No | None:
    return why_no_move(book_of(s), s, c) if IS_VEHICLE[c.unit] else NOT_A_VEHICLE


def _why_not_turn(s: Position, c: Acting) -> No | None:
    model = MODEL_OF[c.unit]
    if isinstance(model, Team) and model.sort != "mg":
        return NOT_TURNING
    why = why_no_move(book_of(s), s, c)
    return None if why in (HELD, STAYS_INSIDE) else why


def _why_no_hatch(s: Position, c: Acting, out: bool) -> No | None:
    model = MODEL_OF[c.unit]
    if not isinstance(model, Vehicle) or model.is_open:
        return NOT_A_VEHICLE
    if has(s, c.unit, LEADERLESS):
        return NO_COMMANDER
    if c.has_moved or c.shot or is_closed(s, c.unit) != out or c.hatch:
        return HATCH_DONE
    return None


@rule("111a")
def _why_not_dig(s: Position, c: Acting) -> No | None:
    """111a Infantry in the open that neither moves nor fires may dig in."""
    unit = c.unit
    if not IS_TEAM[unit] or not may_dig(book_of(s)) or has(s, unit, DUG_IN | ENTRENCHED):
        return NO_DIG
    if s.condition[unit] == SHAKEN or ground_cover(world(s), s.at[unit]):
        return NO_DIG
    return MOVED_ALREADY if c.has_moved else FIRED_ALREADY if c.shot else None


@rule("base-building")
def _why_no_stairs(s: Position, c: Acting, floor: int) -> No | None:
    """Base-building: from floor to floor for 5 cm, after a move or instead of one, never after fire."""
    unit = c.unit
    if not has_stairs(s, unit) or s.floor[unit] == floor:
        return NO_STAIRS
    if c.shot:
        return FIRED_ALREADY
    if c.stuck or has(s, unit, SUPPRESSED | CRAWLED):
        return HELD if c.stuck else SUPPRESSED_CRAWL
    return TOO_TIRED if s.moved[unit] + int(HOUSE["stairs"]) > allowance(s, unit)[0] else None


def _why_not_free(s: Position, c: Acting) -> No | None:
    if not has(s, c.unit, BOGGED):
        return NOT_BOGGED
    return FIRED_ALREADY if c.shot else None


@rule("base-continuous-movement")
def _why_not_on(s: Position, c: Acting) -> No | None:
    """Base-continuous-movement: a vehicle that moved 10 cm or more may go on moving until its next move."""
    moved = IS_VEHICLE[c.unit] and c.has_moved and s.moved[c.unit] >= 10
    return None if moved and not has(s, c.unit, STUCK | CONTINUOUS) else NO_CONTINUOUS


TESTS: dict[str, Callable[[Position, Acting], No | None]] = {
    "move": _why_not_move,
    "crawl": _why_not_crawl,
    "back": _why_not_back,
    "turn": _why_not_turn,
    "open": lambda s, c: _why_no_hatch(s, c, True),
    "shut": lambda s, c: _why_no_hatch(s, c, False),
    "upstairs": lambda s, c: _why_no_stairs(s, c, 1),
    "downstairs": lambda s, c: _why_no_stairs(s, c, 0),
    "dig": _why_not_dig,
    "demine": why_no_demining,
    "dismantle": why_no_dismantling,
    "climb": _why_not_climb,
    "smoke": why_no_smoke,
    "bombard": why_no_bombardment,
    "reload": why_no_reload,
    "free": _why_not_free,
    "keep-moving": _why_not_on,
    "hold": lambda s, c: None,
}


RIDES: dict[str, tuple[Callable[[Position, Acting, int], No | None], Callable[[Position, Acting, int], None]]] = {
    "board": (why_no_board, board),
    "hitch": (why_no_hitch, hitch),
    "alight": (why_no_alight, alight),
    "unhitch": (why_no_unhitch, unhitch),
    "clear": (why_no_clearing, clear_wreck),
    "demolish": (why_no_demolition, demolish),
}


# Deeds


@rule("base-command")
def _under_command(s: Position, c: Acting) -> bool:
    """Base-command: out of touch a unit moves only if it passes an experience test."""
    if in_command(s, c.unit) or experience(s, c.unit, "base-command"):
        return True
    c.stuck = 1
    return False


@question
def isolated(book: Book, s: Position, c: Acting) -> bool:
    """Without proposal 219 vehicles without radio go where they like."""
    return False


def _set_moving(s: Position, c: Acting, mode: int) -> None:
    if isolated(book_of(s), s, c):
        if not experience(s, c.unit, "219b"):
            c.stuck = 1
            return
    elif mode in (MOVE, CRAWL, REVERSE, CLIMB) and not _under_command(s, c):
        return
    c.has_moved = int(mode != TURN)
    shaken = int(s.condition[c.unit] == SHAKEN)
    frame = Moving(side=c.side, unit=c.unit, mode=mode, began_shaken=shaken)
    if mode == TURN:
        frame.path, frame.facings, frame.step = (s.at[c.unit],), (s.facing[c.unit],), 1
    enter(s, frame)


def _attack(s: Position, c: Acting, target: int, mode: int) -> None:
    """Base-assault: the charge sets out by the cheapest way into contact."""
    c.over = 1
    c.has_moved = 1
    if not _under_command(s, c):
        return
    frame = Moving(side=c.side, unit=c.unit, mode=mode, target=target)
    found, point = contact(s, c.unit, target)
    enter(s, frame)
    set_out(s, frame, found, point)


def _hatch(s: Position, c: Acting, out: bool) -> None:
    """Base-commander-out: the commander looks out, or the hatches are shut."""
    c.hatch = 1
    if out:
        raise_flag(s, c.unit, OUT)
    else:
        drop_flag(s, c.unit, OUT)
    emit(s, "looks-out" if out else "shuts", "base-commander-out", **_own(s, c))


def _own(s: Position, c: Acting) -> dict[str, Any]:
    """The unit, told to its owner alone while it hides."""
    return {"unit": FOG.veil(s, c.unit), "audience": (c.side,) if has(s, c.unit, HIDDEN) else None}


def _dig(s: Position, c: Acting) -> None:
    c.over = 1
    if experience(s, c.unit, "111a"):
        raise_flag(s, c.unit, DUG_IN)
        emit(s, "digs-in", "111a", **_own(s, c))


@rule("base-building")
def _climb(s: Position, c: Acting, floor: int) -> None:
    """Base-building: up or down; it counts as a move of 5 cm."""
    c.has_moved = 1
    s.floor[c.unit] = floor
    s.moved[c.unit] += int(HOUSE["stairs"])
    emit(s, "upstairs" if floor else "downstairs", "base-building", **_own(s, c))


def _free(s: Position, c: Acting) -> None:
    """Base-immobilisation-test: nothing else this turn, and a test at -1."""
    c.over = 1
    if experience(s, c.unit, "base-immobilisation-test", -1):
        drop_flag(s, c.unit, BOGGED | STUCK)
        emit(s, "is-free", "base-immobilisation-test", unit=FOG.veil(s, c.unit))


def _keep_moving(s: Position, c: Acting) -> None:
    c.over = 1
    raise_flag(s, c.unit, CONTINUOUS)
    emit(s, "keeps-moving", "base-continuous-movement", unit=FOG.veil(s, c.unit))


def _hold(s: Position, c: Acting) -> None:
    c.over = 1


DEEDS: dict[str, Callable[[Position, Acting], None]] = {
    "move": lambda s, c: _set_moving(s, c, MOVE),
    "crawl": lambda s, c: _set_moving(s, c, CRAWL),
    "back": lambda s, c: _set_moving(s, c, REVERSE),
    "turn": lambda s, c: _set_moving(s, c, TURN),
    "open": lambda s, c: _hatch(s, c, True),
    "shut": lambda s, c: _hatch(s, c, False),
    "upstairs": lambda s, c: _climb(s, c, 1),
    "downstairs": lambda s, c: _climb(s, c, 0),
    "dig": _dig,
    "demine": demine,
    "dismantle": dismantle,
    "climb": lambda s, c: _set_moving(s, c, CLIMB),
    "smoke": begin_smoke,
    "bombard": begin_bombardment,
    "reload": reload,
    "free": _free,
    "keep-moving": _keep_moving,
    "hold": _hold,
}
