"""Opportunity fire: who may fire at who moves, and the special reactions of 214 and 221."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import CLOSE, OPPORTUNITY, RAM, Activation, Reaction
from grognard.games.blitzkrieg.laws import shot
from grognard.games.blitzkrieg.loading import ROCKETS, Gun
from grognard.games.blitzkrieg.state import (
    ABOARD,
    ACTIVATED,
    FIRED,
    FOG,
    GOOD,
    PIVOTED,
    REACTED,
    STOPPED,
    SUPPRESSED,
    UNIT,
    Position,
    has,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

from .aiming import DICE, FAUST, GUN, make_shot, weapon_of, why_no_arm
from .capabilities import take_faust
from .fire import best_arm, open_fire
from .ground import bearing, detects, in_front, within
from .indirect import can_lob
from .losses import experience, show
from .shelling import lob
from .sights import is_quiet, may_ambush
from .transport import why_not_from_aboard

WORDS = ("opportunity", "close", "overrun")
NOT_YOURS = no("base-opportunity-fire", "not-your-unit")
CANNOT_REACT = no("base-opportunity-fire", "cannot-react")
CLOSE_CM = 10  # 221


def may_react(s: Position, unit: int) -> bool:
    """Base-opportunity-fire: in good order, not suppressed, not yet activated."""
    if s.flags[unit] & ABOARD and why_not_from_aboard(s, unit, "fire" if IS_TEAM[unit] else "shoot") is not None:
        return False
    return s.condition[unit] == GOOD and not s.flags[unit] & (SUPPRESSED | ACTIVATED | FIRED | STOPPED)


@rule("base-opportunity-fire")
def arm_against(s: Position, unit: int, mover: int, reaction: str = "opportunity") -> int:
    """The arm with which a unit would fire at who moves, or -1: in range, in arc (or after a pivot)."""
    for arm in (DICE,) if IS_TEAM[unit] and has(s, unit, ABOARD) else best_arm(s, unit, mover):
        weapon = weapon_of(unit, arm)
        if weapon is not None and weapon.id in ROCKETS:
            continue  # 406c
        if why_no_arm(s, unit, mover, arm, False, False, reaction) is None:
            return arm
    return -1


def fires_at(s: Position, unit: int, mover: int) -> bool:
    """True if a unit sees who moves where it now is and has a weapon for it; 411: or may lob without an observer."""
    if detects(s, unit, mover) and arm_against(s, unit, mover) >= 0:
        return True
    return not may_ambush(s, SIDE_OF[unit]) and indirect_reaction(book_of(s), s, unit, mover)


def reacts_to(s: Position, unit: int, mover: int) -> bool:
    """True if a unit may fire at who moves where it now is."""
    if not may_react(s, unit):
        return False
    return fires_at(s, unit, mover) or indirect_reaction(book_of(s), s, unit, mover)


@question
def close_reaction(book: Book, s: Position, unit: int, mover: int) -> bool:
    """Without proposal 221 nobody reacts again."""
    return False


@question
def ram_reaction(book: Book, s: Position, unit: int, mover: int) -> bool:
    """214c, 214h Who is overrun may fire first: infantry with an anti-tank weapon and guns in their arc."""
    if s.condition[unit] != GOOD or has(s, unit, SUPPRESSED | REACTED) or weapon_of(unit, GUN) is None:
        return False
    if not IS_ARMOUR[mover] or IS_VEHICLE[unit]:
        return False
    model = MODEL_OF[unit]
    if isinstance(model, Gun) and (model.is_mortar or not (bears(s, unit, mover) or shot.may_swing(book, model))):
        return False
    fired = make_shot(s, unit, mover, GUN, False, reaction="overrun")
    return fired is not None and shot.why_no_shot(book, fired) is None


@rule("214h", "214i")
def bears(s: Position, unit: int, mover: int) -> bool:
    """214i A gun that has who comes in its arc."""
    return in_front(s, unit, s.facing[unit], mover, 60)


@question
@rule("411")
def indirect_reaction(book: Book, s: Position, unit: int, mover: int) -> bool:
    """Without proposal 411 pieces answer a move with indirect fire, where somebody guides them."""
    return can_lob(s, unit, s.at[mover])


def reactors(s: Position, c: Reaction) -> list[int]:
    """Who may react now."""
    mover = c.unit
    if not stands(s, mover):
        return []
    units = [u for u in world(s).of_side[c.side] if s.condition[u] == GOOD and s.at[u]]
    if c.why == OPPORTUNITY:
        return [u for u in units if reacts_to(s, u, mover)]
    if c.why == CLOSE:
        return [u for u in units if close_reaction(book_of(s), s, u, mover)]
    return [u for u in units if within(s, u, mover, 3) and ram_reaction(book_of(s), s, u, mover)]


@rule("base-opportunity-fire", "221a", "214c", "214h")
class React(Decision):
    """Base-opportunity-fire: one unit after the other may fire at who moves; or it is let pass.

    A side that may be hiding somebody is asked whether it can fire or not: that it is asked tells nothing. With
    `stand-down` it is asked no more while this enemy formation acts.
    """

    verbs = {"react": UNIT, "let-pass": NOTHING, "stand-down": NOTHING}

    def needed(self, s: Position, c: Reaction, side: Side) -> bool:
        """While somebody can, or might as far as the mover knows."""
        if c.over or not stands(s, c.unit):
            return False
        if c.why == RAM:
            return bool(reactors(s, c))
        return not is_quiet(s) and (may_ambush(s, side) or bool(reactors(s, c)))

    def nouns(self, s: Position, c: Reaction, side: Side, verb: str) -> list[int]:
        """Who could."""
        return reactors(s, c) if verb == "react" else [0]

    def why_not(self, s: Position, c: Reaction, side: Side, verb: str, noun: int) -> No | None:
        """Base-opportunity-fire: own units that see who moves and may still act."""
        if verb != "react":
            return None
        if SIDE_OF[noun] != side:
            return NOT_YOURS
        return None if noun in reactors(s, c) else CANNOT_REACT

    def apply(self, s: Position, c: Reaction, side: Side, verb: str, noun: int) -> None:
        """The unit fires; it has then acted for this turn."""
        if verb != "react":
            c.over = 1
            for frame in s.frames if verb == "stand-down" else ():
                if isinstance(frame, Activation):
                    frame.quiet = 1
            return
        react(s, noun, c.unit, c.why)


@rule("base-opportunity-fire", "221b", "221c")
def react(s: Position, unit: int, mover: int, why: int) -> None:
    """Base-opportunity-fire: fire at who moves. 221 After a passed test only, at -2 for who fired already."""
    show(s, unit)
    already = has(s, unit, ACTIVATED | FIRED)
    rule_id = ("base-opportunity-fire", "221a", "214h" if not IS_TEAM[unit] else "214c")[why]
    emit(s, "reacts", rule_id, unit=FOG.veil(s, unit), target=FOG.veil(s, mover))
    raise_flag(s, unit, ACTIVATED | (REACTED if why != OPPORTUNITY else 0))
    if why == CLOSE and not experience(s, unit, "221a"):
        return
    if why == RAM and isinstance(MODEL_OF[unit], Gun) and not bears(s, unit, mover):
        if not experience(s, unit, "214i"):
            return
        s.facing[unit] = s.turret[unit] = bearing(s, unit, mover)
        raise_flag(s, unit, PIVOTED)
    arm = GUN if why == RAM else arm_against(s, unit, mover, WORDS[why])
    if why == OPPORTUNITY and (arm < 0 or not detects(s, unit, mover)):
        lob(s, unit, mover)
        return
    if arm == FAUST and not take_faust(s, unit):
        return
    if arm >= 0:
        open_fire(s, unit, mover, arm, False, reaction=WORDS[why], already=already and why != OPPORTUNITY)
