"""From play to a case: the chances of a shot, a fire, an overrun or a reaction before it is made."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.frames import Acting, Barrage, Reaction, Sortie, Volley
from grognard.games.blitzkrieg.laws import air, close, quality
from grognard.games.blitzkrieg.laws import barrage as law
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
from grognard.games.blitzkrieg.rules.air import BY_VERB, aa_kind, weapon_for
from grognard.games.blitzkrieg.rules.artillery import mark_of
from grognard.games.blitzkrieg.rules.ground import cm_between, is_broken
from grognard.games.blitzkrieg.rules.movement import bogs_on
from grognard.games.blitzkrieg.rules.reaction import WORDS, arm_against
from grognard.games.blitzkrieg.rules.rounds import VERBS as SPECIAL
from grognard.games.blitzkrieg.rules.works import PIONEERS, needs_test
from grognard.games.blitzkrieg.state import CONTINUOUS, LEADERLESS, Position, has
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import MODEL_OF, world
from grognard.kernel import Action, Side, Tally

from .charging import charge_odds
from .firing import answer_fire
from .raining import air_run, direct_mortar
from .shooting import answer_shot
from .sums import binomial, experience, items, mean, reach, text

TOLD = ("needed", "p_hit", "number", "dice", "mean_hits", "items", "results")


def odds(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """Exact chances of what an action would roll for; None for what rolls nothing, or is not worked out."""
    verb, noun = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, Reaction) and verb == "react":
        arm = arm_against(s, noun, c.unit, WORDS[c.why])
        return _fire(s, noun, c.unit, arm, False, False) if arm >= 0 else None
    if isinstance(c, Barrage) and verb in ("mark", "same"):
        return _precision(s, c, noun if verb == "mark" else mark_of(s, c))
    if isinstance(c, Barrage) and verb in ("high-explosive", "smoke-shells"):
        return _precision(s, c, mark_of(s, c))
    if isinstance(c, Volley) and verb == "salvo":
        return _fire(s, c.unit, c.target, GUN, False, False, rockets=noun)
    if isinstance(c, Sortie):
        return _air(s, c, verb, noun)
    if not isinstance(c, Acting):
        return None
    if verb == "overrun":
        number = close.overrun_number(as_target(s, noun, c.unit))
        p = reach(number)
        return {"number": number, "results": {"eliminated": text(p), "demoralised": text(1 - p)}}
    if verb == "charge":
        return charge_odds(s, c.unit, noun)
    if verb in TESTED:
        return _test(s, c.unit, verb)
    if verb == "tracks" or verb in VERBS or verb in SPECIAL:
        moved = bool(c.has_moved) or has(s, c.unit, CONTINUOUS)
        ammo = SPECIAL.get(verb, "")
        return _fire(s, c.unit, noun, VERBS.get(verb, GUN), moved, verb == "tracks", ammo=ammo)
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


def _precision(s: Position, c: Barrage, point: int) -> dict[str, Any]:
    """303b, 416a What the precision test of a place needs, and when the fire comes down."""
    book, again = book_of(s), point == mark_of(s, c)
    if c.pieces and not law.is_ranged(book):
        return {"p_hit": "1"}
    tries = s.tries[c.pieces[0]] if c.pieces else s.attempt[c.battery]
    attempt = min(int(law.BARRAGE["attempts"]), tries + 1 if again else 1)
    needed = law.precision(book, attempt)
    return {"needed": needed, "p_hit": text(reach(needed))}


def _air(s: Position, c: Sortie, verb: str, noun: int) -> dict[str, Any] | None:
    """601-603 An attack that gets through, or what anti-aircraft fire does."""
    if verb == "flak":
        dice = int(air.MORE["aa"][aa_kind(s, noun)][0])
        hits = binomial(dice, Fraction(1, 6))
        return {"dice": dice, "number": 6, "mean_hits": mean(hits)}
    if verb not in BY_VERB:
        return None
    answer = air_run(book_of(s), weapon_for(s, c.flight, verb), as_target(s, noun, noun))
    return {key: answer[key] for key in TOLD if key in answer}


def _fire(
    s: Position, unit: int, target: int, arm: int, moved: bool, low: bool, ammo: str = "", rockets: int = 1
) -> dict[str, Any] | None:
    model, book = MODEL_OF[unit], book_of(s)
    if isinstance(model, Gun) and model.is_mortar:
        if ammo == "smoke" or not law.direct_mortars(book):
            return {"p_hit": "1"} if ammo == "smoke" else None
        answer = direct_mortar(book, model, as_target(s, target, unit))
        return {key: answer[key] for key in TOLD if key in answer}
    dice = "" if ammo else uses_dice(s, unit, target, arm)
    if dice:
        firer: Firer = as_firer(s, unit, arm, "still", moved)
        firer.mgs = mgs_bearing(s, unit, target) if dice == "mg" else ()
        firer.relay = needs_relay(s, unit, target)
        answer = answer_fire(book, firer, as_target(s, target, unit), dice, cm_between(s, unit, target))
    else:
        fired = make_shot(s, unit, target, arm, moved, low=low, ammo=ammo)
        if fired is None:
            return None
        fired.firer.rockets = rockets
        answer = answer_shot(book, fired)
        if ammo == "smoke":
            answer = {key: answer[key] for key in ("needed", "p_hit", "items")}  # a cloud, and nobody hurt
    return {key: answer[key] for key in TOLD if key in answer}
