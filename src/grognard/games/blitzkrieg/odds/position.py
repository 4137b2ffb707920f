"""From play to a case: the chances of a shot, a fire, an overrun or a reaction before it is made."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.frames import Acting, Reaction
from grognard.games.blitzkrieg.laws import close, quality
from grognard.games.blitzkrieg.laws.parties import Firer
from grognard.games.blitzkrieg.loading import Gun
from grognard.games.blitzkrieg.rules.aiming import (
    GUN,
    VERBS,
    as_firer,
    as_target,
    make_shot,
    mgs_bearing,
    needs_relay,
    uses_dice,
)
from grognard.games.blitzkrieg.rules.ground import cm_between, is_broken
from grognard.games.blitzkrieg.rules.movement import bogs_on
from grognard.games.blitzkrieg.rules.reaction import WORDS, arm_against
from grognard.games.blitzkrieg.rules.works import PIONEERS, needs_test
from grognard.games.blitzkrieg.state import CONTINUOUS, LEADERLESS, Position, has
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import MODEL_OF, world
from grognard.kernel import Action, Side, Tally

from .firing import answer_fire
from .shooting import answer_shot
from .sums import experience, items, reach, text

TOLD = ("needed", "p_hit", "number", "dice", "mean_hits", "items", "results")


def odds(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """Exact chances of what an action would roll for; None for what rolls nothing, or is not worked out."""
    verb, noun = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, Reaction) and verb == "react":
        arm = arm_against(s, noun, c.unit, WORDS[c.why])
        return _fire(s, noun, c.unit, arm, False, False) if arm >= 0 else None
    if not isinstance(c, Acting):
        return None
    if verb == "overrun":
        number = close.overrun_number(as_target(s, noun, c.unit))
        p = reach(number)
        return {"number": number, "results": {"eliminated": text(p), "demoralised": text(1 - p)}}
    if verb in TESTED:
        return _test(s, c.unit, verb)
    if verb == "tracks" or verb in VERBS:
        moved = bool(c.has_moved) or has(s, c.unit, CONTINUOUS)
        return _fire(s, c.unit, noun, VERBS.get(verb, GUN), moved, verb == "tracks")
    return None


TESTED = ("dig", "demine", "dismantle", "free", "climb")


def _test(s: Position, unit: int, verb: str) -> dict[str, Any] | None:
    """The chance of work that takes a test of experience, or of a vehicle that climbs."""
    book = book_of(s)
    if verb == "climb":
        bogs = Fraction(bogs_on(unit), 6)
        return {"results": {"passed": text(1 - bogs), "failed": text(bogs)}}
    if verb == "dismantle" and not needs_test(book, unit):
        return {"results": {"passed": text(Fraction(1)), "failed": text(Fraction(0))}}
    tally = Tally()
    quality.experience_lines(book, tally, is_broken(s, unit), has(s, unit, LEADERLESS))
    tally.add("base-demining", 2 if verb == "demine" and MODEL_OF[unit].id in PIONEERS else 0)
    tally.add("base-immobilisation-test", -1 if verb == "free" else 0)
    p = experience(world(s).quality[unit], tally.total())
    return {"items": items(tally), "results": {"passed": text(p), "failed": text(1 - p)}}


def _fire(s: Position, unit: int, target: int, arm: int, moved: bool, low: bool) -> dict[str, Any] | None:
    model = MODEL_OF[unit]
    if isinstance(model, Gun) and model.is_mortar:
        return None
    book, dice = book_of(s), uses_dice(s, unit, target, arm)
    if dice:
        firer: Firer = as_firer(s, unit, arm, "still", moved)
        firer.mgs = mgs_bearing(s, unit, target) if dice == "mg" else ()
        firer.relay = needs_relay(s, unit, target)
        answer = answer_fire(book, firer, as_target(s, target, unit), dice, cm_between(s, unit, target))
    else:
        fired = make_shot(s, unit, target, arm, moved, low=low)
        if fired is None:
            return None
        answer = answer_shot(book, fired)
    return {key: answer[key] for key in TOLD if key in answer}
