"""From a position in play to a case: the chances of the dice that an action would start."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.kernel import Action, Side, is_on
from grognard.kernel.dice import seed_from, shuffled
from grognard.kernel.record import State

from ..frames import Blitzing, Combat, Disembarking, Dropping, Following, Moving, Shipping
from ..knowledge import could_be
from ..nouns import FOG, FROM
from ..rules.airborne import flak_dice
from ..rules.combat import crossing_of, works_against
from ..rules.definitions import power_tech, tech_of
from ..rules.fire import after_hit
from ..rules.landings import rough
from ..rules.opening import rule_is_on, tier_of
from ..rules.radar import with_radar
from ..rules.readings import words_of
from ..rules.recon import looks_left, scout_for
from ..rules.sea import danger, sea_of, voyage
from ..rules.waters import sea_counts
from ..rules.weather import rivers_flow, weather_at
from ..state import ASSISTED, MISSION, NONE, OOS, SUPPLIED, BitwState, enemy_in, enemy_of, knows, month, units_in
from ..theatre import MAJOR
from ..world import IS_AIR, IS_COMBAT, IS_GROUND, LIMITS, POWER_OF, POWERS, SIDE_OF, UNIT_IDS, UNITS, world
from .answer import share_of
from .battle import law_of_hits
from .book import odds_case
from .raid import raid_odds
from .voyage import Voyage, chances_at_sea
from .waves import CALM, landing_answer


def odds_of(s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
    """The chances of the dice that an action would start, as far as the side can tell.

    Where it knows everybody in the hex they are exact. Otherwise blocks it does not know stand for any hidden block of
    their nation and shape, at full strength: the answer is the mean over some deals and says so.
    """
    verb, noun = action
    if verb in ("launch", "send", "intercept"):
        return raid_odds(s, side, verb, noun)
    hand = s.frames[-1]
    unit: int = getattr(hand, "unit", NONE)
    if verb == "battle" or (verb == "attack" and not isinstance(hand, Moving)):
        return battle_odds(s, side, noun, Joining(unit) if verb == "attack" else None)
    if verb == "attack":
        node, whence = FROM.apart(noun)
        return battle_odds(s, side, node, Joining(unit, crossing_from(s, node, whence), whence))
    if verb == "recon":
        return look_odds(s, side, noun)
    if verb == "wave" and isinstance(hand, Combat):
        return battle_odds(s, side, hand.hex, Joining(noun), later=True)
    if verb == "to" and isinstance(hand, Blitzing | Following):
        here = s.place[hand.unit]
        joining = Joining(hand.unit, "" if IS_AIR[hand.unit] else crossing_from(s, noun, here), here)
        return battle_odds(s, side, noun, joining) if enemy_in(s, noun, side) else None
    if verb == "to" and isinstance(hand, Shipping):
        return sea_told(voyage_of(s, hand.unit, noun))
    if verb == "to" and isinstance(hand, Disembarking):
        return beach_odds(s, side, hand.unit, noun)
    return drop_odds(s, side, hand.unit, noun) if verb == "to" and isinstance(hand, Dropping) else None


class Joining(NamedTuple):
    """A unit that would join a battle, and how it comes."""

    unit: int
    crossing: str = ""
    whence: int = NONE


Casting = dict[int, tuple[int, int]]  # by block in the hex: who it is said to be, and its steps


def castings(s: BitwState, side: Side, node: int) -> list[Casting]:
    """Who might stand in a hex: one way if the side knows everybody, else some deals."""
    cast = {u: (u, s.steps[u]) for u in units_in(s, node) if knows(s, side, u)}
    cast |= {u: (u, FOG.note(s, side, u)) for u in units_in(s, node) if u not in cast and FOG.identified(s, side, u)}
    hidden = FOG.in_token_order(s, [u for u in units_in(s, node) if u not in cast])
    if not hidden:
        return [cast]
    return [cast | deal for deal in deals(s, side, hidden, [u for u in cast if SIDE_OF[u] != side])]


def battle_odds(
    s: BitwState, side: Side, node: int, joining: Joining | None, later: bool = False
) -> dict[str, Any] | None:
    """The chances of a battle in a hex; `later`: from its second round on. With who joins, and without."""
    cast = castings(s, side, node)

    def told(who: Joining | None) -> dict[str, Any] | None:
        cases = [case_of(s, node, s.phasing, who, one, later) for one in cast]
        return mean_odds(cases, lambda case: odds_case(case, in_play=True))

    found = told(joining)
    if found is None or joining is None or not enemy_in(s, node, enemy_of(SIDE_OF[joining.unit])):
        return found
    alone = told(None)
    return found if alone is None or "error" in alone or "error" in found else found | {"without": shares_in(alone)}


def staying_odds(s: BitwState, side: Side) -> dict[str, Any] | None:
    """7.7.18 The further rounds of a battle, if nobody leaves it; a block with half a hit has no case of its own."""
    battle = s.frames[-1]
    if not isinstance(battle, Combat) or any(s.half[u] for u in units_in(s, battle.hex)):
        return None
    cases = [case_of(s, battle.hex, battle.attacker, None, cast, True) for cast in castings(s, side, battle.hex)]
    further = [
        None if case is None else case | {"air_rounds": 0} for case in cases
    ]  # 7.7.12 they begin with the AA step
    return mean_odds(further, lambda case: odds_case(case, in_play=True))


def beach_odds(s: BitwState, side: Side, unit: int, node: int) -> dict[str, Any] | None:
    """24.1c, 24.1d A unit that lands: the sea where chapter 18 is played, then the fight for the beach, if any."""
    sailing = voyage_of(s, unit, node) if sea_counts(s) else CALM
    if not enemy_in(s, node, side):
        return sea_told(sailing) if sea_counts(s) else None
    cases = [case_of(s, node, side, Joining(unit, "sea"), cast) for cast in castings(s, side, node)]
    landings = [None if case is None else case | {"kind": "landing", "rounds": LANDING_ROUNDS} for case in cases]
    return mean_odds(landings, lambda case: landing_answer(case, True, (sailing, unit)))


def drop_odds(s: BitwState, side: Side, unit: int, node: int) -> dict[str, Any] | None:
    """23.0f A unit that drops: into a battle, or through the flak of the place alone."""
    if enemy_in(s, node, side):
        return battle_odds(s, side, node, Joining(unit, "air"))
    dice, face = flak_dice(s, unit, node)
    found = {"unhurt": Fraction(0), "hurt": Fraction(0), "lost": Fraction(0)}
    whole = (s.steps[unit], s.half[unit])
    for hits, p in enumerate(law_of_hits(((dice, face),)) if dice else (Fraction(1),)):
        at = whole
        for _ in range(hits + bool(rough(s, node))):
            at = after_hit(UNITS[unit].pattern, *at)
        found["lost" if at[0] < 0 else "unhurt" if at == whole else "hurt"] += p
    return {"game": "bitw", "exact": True, "chances": {key: share_of(p) for key, p in found.items()}}


def look_odds(s: BitwState, side: Side, node: int) -> dict[str, Any] | None:
    """19.1 A look at a hex by the HQ that would look."""
    hq = scout_for(s, side, node)
    if hq < 0:
        return None
    cases = [case_of(s, node, side, None, cast) for cast in castings(s, side, node)]
    keys = ("month", "hex", "tier", "weather", "defender", "assisted", "elite", "rulings")
    tech = max(1, power_tech(s, POWER_OF[hq], "fighters"))
    more = {"kind": "recon", "fighter_tech": tech, "attempts": looks_left(s, hq)}
    looks = [None if case is None else {key: case[key] for key in keys if key in case} | more for case in cases]
    return mean_odds(looks, lambda case: odds_case(case, in_play=True))


def voyage_of(s: BitwState, unit: int, node: int) -> Voyage:
    """18.1a The dice of a voyage."""
    t, here = world(s).theatre, s.place[unit]
    path = voyage(t, here, node) or (here, node)
    seas = sorted({sea_of(s, here), t.sea[node] or sea_of(s, here)})
    return Voyage(SIDE_OF[unit], *danger(s, SIDE_OF[unit], seas, path))


def sea_told(way: Voyage) -> dict[str, Any]:
    """The chances of a voyage."""
    return {"game": "bitw", "exact": True, "chances": chances_at_sea(way), "rule": "18.1a"}


DEALS = 12  # how often hidden blocks are dealt for the odds of a battle


HOMES = frozenset(land for p in POWERS for land in p.home)


ROUNDS, LANDING_ROUNDS = 4, 2  # how far the odds of a battle look


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


def mean_odds(
    cases: list[dict[str, Any] | None], answer: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any] | None:
    """The answer to one case; to several that differ in who defends, their mean. Cases alike are worked out once."""
    answers: dict[str, dict[str, Any]] = {}
    total: dict[str, Fraction] = {}
    for case in cases:
        if case is None:
            return None
        faces = repr(sorted(_face(entry) for entry in case["defender"]))
        if faces not in answers:
            answers[faces] = answer(case)
        if "error" in answers[faces] or len(cases) == 1:
            return answers[faces]
        for key, share in shares_in(answers[faces]).items():
            total[key] = total.get(key, Fraction(0)) + Fraction(share["p"])
    one = next(iter(answers.values()))
    policy = one.get("policy", {}) | {"hidden": "full-strength", "deals": len(cases)}
    found = {key: share_of((p / len(cases)).limit_denominator(FINE)) for key, p in total.items()}
    head: dict[str, Any] = {"game": "bitw", "exact": False, "policy": policy}
    if "outcome" in one:
        return head | {"first_round": [], "outcome": {"results": found, "units": []}}
    return head | {"results" if "results" in one else "chances": found}


def shares_in(answer: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The chances of an answer that one decides by."""
    found: dict[str, dict[str, str]] = answer.get("chances") or answer.get("results") or answer["outcome"]["results"]
    return found


def _face(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What the dice see of a unit in a case."""
    u = UNITS[UNIT_IDS[entry["unit"]]]
    return (u.nation, u.kind, u.pattern.steps, sorted(u.traits), entry["steps"], entry.get("grounded", False))


def case_of(
    s: BitwState, node: int, attacker: Side, joining: Joining | None, cast: Casting, later: bool = False
) -> dict[str, Any] | None:
    """A battle of the position as a case for `odds_case`; `cast` says who each block in the hex is, and its steps.

    `later`: a battle in its second round, where it counts no more how anybody came.
    """
    t = world(s).theatre
    sides: dict[Side, list[dict[str, Any]]] = {0: [], 1: []}
    origins = []
    battle = Combat(hex=node, attacker=attacker)
    there = {u: cast.get(u, (u, s.steps[u])) for u in {*units_in(s, node), *([joining.unit] if joining else [])}}
    for u, (who, steps) in sorted(there.items(), key=lambda block: block[1]):  # by who they are said to be
        entry: dict[str, Any] = {
            "unit": UNITS[who].id,
            "steps": steps,
            "tech": with_radar(s, who, node, tech_of(s, who)),
        }
        if SIDE_OF[u] == attacker and IS_GROUND[u]:
            new = joining is not None and u == joining.unit
            origins.append(joining.whence if joining and new else s.origin[u])
            crossing = joining.crossing if joining and new else crossing_of(s, battle, u)
            entry["crossing"] = "" if later else crossing
            if s.flags[u] & OOS and not s.orders[u] & SUPPLIED and not later and rule_is_on(s, "12.4.1a"):
                entry["supply"] = "none"  # a desperate attack
        flies = bool(s.flags[u] & MISSION) or (
            joining is not None and u == joining.unit
        )  # 7.6a who reacts is in the air
        if IS_AIR[u] and SIDE_OF[u] != attacker and not flies:
            entry["grounded"] = True
        sides[SIDE_OF[u]].append(entry)
    if not sides[enemy_of(attacker)]:
        return None
    case: dict[str, Any] = {
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
    if rulings := words_of(s):
        case["rulings"] = rulings
    if rule_is_on(s, "19.0a"):
        case["recon"] = later or node in s.seen_hexes
    return case


def crossing_from(s: BitwState, node: int, whence: int) -> str:
    """7.7.11 What a ground unit crosses that enters a hex from another."""
    t = world(s).theatre
    if whence >= t.nodes:
        return ""
    if node in t.arrows[whence]:
        return "strait"
    return "river" if (whence, node) in t.rivers and rivers_flow(s, node) else ""
