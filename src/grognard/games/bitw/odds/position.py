"""From a position in play to a case: the chances of a battle that an action would start or join."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kernel import Action, Side, is_on
from grognard.kernel.dice import seed_from, shuffled
from grognard.kernel.record import State

from ..frames import Moving
from ..knowledge import could_be
from ..nouns import FOG, FROM
from ..rules.combat import works_against
from ..rules.definitions import tech_of
from ..rules.opening import rule_is_on, tier_of
from ..rules.radar import with_radar
from ..rules.weather import rivers_flow, weather_at
from ..state import ASSISTED, MISSION, NONE, BitwState, enemy_of, knows, month, units_in
from ..theatre import MAJOR
from ..world import IS_AIR, IS_COMBAT, IS_GROUND, LIMITS, POWERS, SIDE_OF, UNIT_IDS, UNITS, world
from .answer import odds_case, share_of
from .raid import raid_odds


def odds_of(s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
    """The chances of a battle that an action would start or join, as far as the side can tell.

    Where it knows everybody in the hex they are exact. Otherwise blocks it does not know stand for any hidden block of
    their nation and shape, at full strength: the answer is the mean over some deals and says so.
    """
    verb, noun = action
    if verb in ("launch", "send", "intercept"):
        return raid_odds(s, side, verb, noun)
    if verb not in ("attack", "battle"):
        return None
    hand = s.frames[-1]
    node, whence = FROM.apart(noun) if isinstance(hand, Moving) else (noun, NONE)
    joining: int | None = getattr(hand, "unit", None) if verb == "attack" else None
    cast = {u: (u, s.steps[u]) for u in units_in(s, node) if knows(s, side, u)}
    cast |= {u: (u, FOG.note(s, side, u)) for u in units_in(s, node) if u not in cast and FOG.identified(s, side, u)}
    hidden = FOG.in_token_order(s, [u for u in units_in(s, node) if u not in cast])
    if not hidden:
        case = case_of(s, node, s.phasing, joining, whence, cast)
        return odds_case(case) if case else None
    known = [u for u in cast if SIDE_OF[u] != side]
    dealt = deals(s, side, hidden, known)
    return mean_odds([case_of(s, node, s.phasing, joining, whence, cast | deal) for deal in dealt])


DEALS = 12  # how often hidden blocks are dealt for the odds of a battle


HOMES = frozenset(land for p in POWERS for land in p.home)


ROUNDS = 4  # how far the odds of a battle look


FINE = 10**9  # the mean of some deals is no more exact than this


def deals(s: BitwState, side: Side, hidden: list[int], known: list[int]) -> list[dict[int, tuple[int, int]]]:
    """Who might stand for the hidden blocks of a hex: dealt by lot from what their backs show, not from the truth."""
    lot = State()
    lot.seed = seed_from("odds")
    decks = [could_be(s, side, u) for u in hidden]
    found = []
    for _ in range(DEALS):
        there, cast = list(known), {}
        for u, deck in zip(hidden, decks):
            alike = [v for v in shuffled(lot, deck) if v not in there] or deck
            chosen = next((v for v in alike if may_stand_with(v, there)), alike[0])
            there.append(chosen)
            cast[u] = (chosen, UNITS[chosen].pattern.top)
        found.append(cast)
    return found


def may_stand_with(unit: int, there: list[int]) -> bool:
    """3.10a, 3.10b Whether a stack could hold this unit too: two combat units, one fighter, one bomber."""
    if IS_AIR[unit]:
        return not any(IS_AIR[v] and UNITS[v].is_bomber == UNITS[unit].is_bomber for v in there)
    return not IS_COMBAT[unit] or sum(IS_COMBAT[v] for v in there) < LIMITS["stack_combat"]


def mean_odds(cases: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """The mean of several cases that differ in who defends; cases alike are worked out once."""
    answers: dict[str, dict[str, Any]] = {}
    total: dict[str, Fraction] = {}
    for case in cases:
        if case is None:
            return None
        faces = repr(sorted(_face(entry) for entry in case["defender"]))
        if faces not in answers:
            answers[faces] = odds_case(case)
        if "error" in answers[faces]:
            return answers[faces]
        for key, share in answers[faces]["outcome"]["results"].items():
            total[key] = total.get(key, Fraction(0)) + Fraction(share["p"])
    policy = next(iter(answers.values()))["policy"] | {"hidden": "full-strength", "deals": len(cases)}
    results = {key: share_of((p / len(cases)).limit_denominator(FINE)) for key, p in total.items()}
    return {
        "game": "bitw",
        "exact": False,
        "policy": policy,
        "first_round": [],
        "outcome": {"results": results, "units": []},
    }


def _face(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What the dice see of a unit in a case."""
    u = UNITS[UNIT_IDS[entry["unit"]]]
    return (u.nation, u.kind, u.pattern.steps, sorted(u.traits), entry["steps"], entry.get("grounded", False))


def case_of(
    s: BitwState, node: int, attacker: Side, joining: int | None, whence: int, cast: dict[int, tuple[int, int]]
) -> dict[str, Any] | None:
    """A battle of the position as a case for `odds_case`; `cast` says who each block in the hex is, and its steps."""
    t = world(s).theatre
    sides: dict[Side, list[dict[str, Any]]] = {0: [], 1: []}
    origins = []
    there = {u: cast.get(u, (u, s.steps[u])) for u in {*units_in(s, node), *([joining] if joining is not None else [])}}
    for u, (who, steps) in sorted(there.items(), key=lambda block: block[1]):  # by who they are said to be
        entry: dict[str, Any] = {
            "unit": UNITS[who].id,
            "steps": steps,
            "tech": with_radar(s, who, node, tech_of(s, who)),
        }
        if SIDE_OF[u] == attacker and IS_GROUND[u]:
            origins.append(whence if u == joining else s.origin[u])
            entry["crossing"] = _crossing(s, node, origins[-1])
        if IS_AIR[u] and SIDE_OF[u] != attacker and not s.flags[u] & MISSION:
            entry["grounded"] = True
        sides[SIDE_OF[u]].append(entry)
    if not sides[0] or not sides[1]:
        return None
    return {
        "month": month(s),
        "hex": {
            "terrain": t.terrain[node],
            "city": "major" if t.city[node] == MAJOR else "minor" if t.city[node] else "none",
            "works": ("none", "bunker", "fortress")[works_against(s, node, attacker, origins)],
            "fortress_aa": node not in t.no_fortress_aa,
            "country": land if (land := t.country[node]) in HOMES else "",
            "heavy_swamp": rule_is_on(s, "14.0-swamp"),
        },
        "tier": tier_of(s),
        "weather": weather_at(s, node),
        "attacker": sides[attacker],
        "defender": sides[enemy_of(attacker)],
        "assisted": [p.id for p in POWERS if s.status[p.index] & ASSISTED],
        "cancel": is_on(s, "cancel"),
        "elite": rule_is_on(s, "10.0c"),
        "rounds": ROUNDS,
    }


def _crossing(s: BitwState, node: int, whence: int) -> str:
    t = world(s).theatre
    if whence >= t.nodes:
        return ""
    if node in t.arrows[whence]:
        return "strait"
    return "river" if (whence, node) in t.rivers and rivers_flow(s, node) else ""
