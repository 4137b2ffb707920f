"""Play aids: what a unit can reach, its supply lane, what a hex is, what production costs, a turn in figures.

All of them speak from what a side may know. Terminal and table show them; rules never use them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grognard.kernel import Action, Side, option
from grognard.kernel.dice import seed_from, shuffled
from grognard.kernel.record import State

from .frames import FOG
from .loading import SIDES
from .odds import _share as share_of
from .odds import odds_case
from .rules.air import air_range, rebase_range
from .rules.combat import works_against
from .rules.definitions import in_ground_zoc, movement_points
from .rules.movement import reach
from .rules.opening import rule_is_on
from .rules.supply import lane_of, lanes_from, sources_of, supply_state
from .scenarios import NOBODY
from .state import ASSISTED, MISSION, OFF, OOS, OUT, BitwState, enemy_of, knows, month, on_map, side_holding, units_in
from .theatre import MAJOR
from .world import IS_AIR, IS_COMBAT, IS_GROUND, LIMITS, POWERS, SIDE_OF, UNIT_IDS, UNITS, world


def reach_of(s: BitwState, side: Side, unit: int) -> dict[str, Any]:
    """Where a unit of one's own could go now, at what cost, and which enemy hexes it could enter."""
    if SIDE_OF[unit] != side or s.place[unit] >= OFF:
        return {}
    names = world(s).theatre.names
    if IS_AIR[unit]:
        return {"range": air_range(s, unit), "rebase": rebase_range(s, unit)}
    found = reach(s, unit, s.place[unit], movement_points(s, unit, bool(s.flags[unit] & OOS)))
    return {
        "hexes": {names[n]: cost for n, cost in sorted(found.cost.items()) if n != s.place[unit]},
        "battles": sorted({names[n] for n, _ in found.attacks}),
    }


def lane_names(s: BitwState, side: Side, unit: int) -> list[str] | None:
    """The supply lane of one's own unit, hex by hex to its source; None without one."""
    if SIDE_OF[unit] != side or s.place[unit] >= OFF:
        return None
    lane = lane_of(s, unit)
    return None if lane is None else [world(s).theatre.names[n] for n in lane]


def hex_report(s: BitwState, side: Side, node: int) -> dict[str, Any]:
    """What a hex is: terrain, city, works, who controls it, whose zones lie on it, who is seen in it."""
    t = world(s).theatre
    owner = s.owner[node]
    return {
        "hex": t.names[node],
        "terrain": t.terrain[node],
        "city": "major" if t.city[node] == MAJOR else "minor" if t.city[node] else None,
        "works": ("none", "bunker", "fortress")[s.works[node]],
        "controller": None if owner == NOBODY else POWERS[owner].id,
        "side": None if owner == NOBODY else SIDES[side_holding(s, node)],
        "zones": [SIDES[x] for x in (0, 1) if in_ground_zoc(s, node, x)],
        "units": sorted(FOG.name_for(s, side, u) for u in units_in(s, node)),
    }


def production_bill(s: BitwState, side: Side) -> list[dict[str, Any]]:
    """What each weakened unit of the side would cost, step by step, before anything is paid."""
    bill = []
    for u in on_map(s, side):
        unit, steps = UNITS[u], s.steps[u]
        prices = []
        while 0 <= steps < unit.pattern.top and (price := unit.step_cost(steps)):
            prices.append(price)
            steps = unit.pattern.above[steps]
        if prices:
            bill.append({"unit": unit.id, "steps": s.steps[u], "prices": prices, "supplied": not s.flags[u] & OOS})
    return bill


def turn_summary(s: BitwState, side: Side) -> dict[str, Any]:
    """A turn in figures: month, points of one's own pools, units on the map, out of supply, lost."""
    pools = [p.nations[0] for p in world(s).scenario.pools if POWERS[p.nations[0]].side == side]
    mine = list(on_map(s, side))
    fed, waiting, _ = supply_state(s, side)
    return {
        "month": month(s),
        "turn": s.turn,
        "points": {POWERS[p].id: s.pp[p] for p in pools},
        "due": {POWERS[p].id: s.later[p] for p in pools if s.later[p]},
        "units": len(mine),
        "steps": sum(s.steps[u] for u in mine),
        "cut_off": sorted(UNITS[u].id for u in mine if u not in fed and u not in waiting),
        "lost": sorted(u.id for u in UNITS if u.side == side and s.lost[u.index] and s.place[u.index] >= OFF),
    }


def about_text(s: BitwState, side: Side, word: str, say: Callable[..., str]) -> str:
    """A hex (by number or town) or a unit of one's own, in words."""
    t = world(s).theatre
    if word in UNIT_IDS and SIDE_OF[UNIT_IDS[word]] == side:
        return unit_text(s, side, UNIT_IDS[word], say)
    towns = {t.place_name(n, lang).casefold(): n for lang in ("en", "fr") for n in range(t.hexes) if t.terrain[n]}
    node = t.node_ids.get(word, towns.get(word.casefold()))
    if node is None or node >= t.hexes or not t.terrain[node]:
        return ""
    facts = hex_report(s, side, node)
    owner = say("view.nobody") if facts["controller"] is None else say(f"name.{facts['controller']}")
    city, works = facts["city"] or "none", facts["works"]
    lines = [
        say("view.hex", hex=t.names[node], terrain=say(f"view.{t.terrain[node]}"), owner=owner),
        "" if city == works == "none" else say("view.built", city=say(f"view.{city}"), works=say(f"view.{works}")),
        say("view.zones", sides=", ".join(say(f"side.{x}") for x in facts["zones"])) if facts["zones"] else "",
        say("view.units", units=", ".join(facts["units"])) if facts["units"] else "",
    ]
    mine = [p for p in world(s).scenario.in_play if POWERS[p].side == side and not s.status[p] & OUT]
    fed = [POWERS[p].id for p in sorted(mine) if node in lanes_from(s, side, sources_of(s, p))]
    lines.append(say("view.fed", powers=[say(f"name.{p}") for p in fed]) if fed else say("view.unfed"))
    return "\n".join(filter(None, lines))


def unit_text(s: BitwState, side: Side, unit: int, say: Callable[..., str]) -> str:
    """A unit of one's own: strength, supply lane, reach, battles it could join."""
    t, u = world(s).theatre, UNITS[unit]
    if s.place[unit] >= OFF:
        return say("view.unit-off", unit=u.id)
    lane, found = lane_names(s, side, unit), reach_of(s, side, unit)
    lines = [say("view.unit", unit=u.id, hex=t.names[s.place[unit]], steps=s.steps[unit], top=u.pattern.top)]
    lines.append(say("view.lane", hexes=" - ".join(lane)) if lane else say("view.no-lane"))
    if "range" in found:
        return "\n".join([*lines, say("view.range", **found)])
    cells = ", ".join(f"{hex} {cost}" for hex, cost in found["hexes"].items())
    lines += [say("view.reach", hexes=cells)] if cells else []
    lines += [say("view.battles", hexes=", ".join(found["battles"]))] if found["battles"] else []
    return "\n".join(lines)


def summary_text(s: BitwState, side: Side, say: Callable[..., str]) -> str:
    """The turn in figures for one side."""
    if side < 0:
        return ""
    facts = turn_summary(s, side)
    return say("view.summary", units=facts["units"], steps=facts["steps"], lost=facts["lost"], cut=facts["cut_off"])


def odds_of(s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
    """The chances of a battle that an action would start or join, as far as the side can tell.

    Where it knows everybody in the hex they are exact. Otherwise blocks it does not know stand for any hidden block of
    their nation and shape, at full strength: the answer is the mean over some deals and says so.
    """
    verb, target = action
    t = world(s).theatre
    name = target.partition("/")[0]
    if verb not in ("attack", "battle") or name not in t.node_ids:
        return None
    node = t.node_ids[name]
    joining = getattr(s.frames[-1], "unit", None) if verb == "attack" else None
    whence = t.node_ids.get(target.partition("/")[2], NOBODY)
    cast = {u: (u, s.steps[u]) for u in units_in(s, node) if knows(s, side, u)}
    cast |= {u: (u, FOG.note(s, side, u)) for u in units_in(s, node) if u not in cast and FOG.identified(s, side, u)}
    hidden = sorted((u for u in units_in(s, node) if u not in cast), key=lambda u: s.token[u])
    if not hidden:
        case = case_of(s, node, s.phasing, joining, whence, cast)
        return odds_case(case) if case else None
    known = [u for u in cast if SIDE_OF[u] != side]
    dealt = deals(s, side, hidden, known)
    return mean_odds([case_of(s, node, s.phasing, joining, whence, cast | deal) for deal in dealt])


DEALS = 12  # how often hidden blocks are dealt for the odds of a battle
ROUNDS = 4  # how far the odds of a battle look
FINE = 10**9  # the mean of some deals is no more exact than this


def deals(s: BitwState, side: Side, hidden: list[int], known: list[int]) -> list[dict[int, tuple[int, int]]]:
    """Who might stand for the hidden blocks of a hex: dealt by lot from what their backs show, not from the truth."""
    lot = State()
    lot.seed = seed_from("odds")
    found = []
    for _ in range(DEALS):
        deck = shuffled(lot, [u for u in on_map(s, enemy_of(side)) if not FOG.identified(s, side, u)])
        there, cast = list(known), {}
        for u in hidden:
            alike = [v for v in deck if (UNITS[v].nation, UNITS[v].shape) == (UNITS[u].nation, UNITS[u].shape)]
            chosen = next((v for v in alike if may_stand_with(v, there)), alike[0])
            deck.remove(chosen)
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
        entry: dict[str, Any] = {"unit": UNITS[who].id, "steps": steps}
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
        },
        "attacker": sides[attacker],
        "defender": sides[enemy_of(attacker)],
        "assisted": [p.id for p in POWERS if s.status[p.index] & ASSISTED],
        "cancel": option(s, "cancel") == "on",
        "elite": rule_is_on(s, "10.0c"),
        "rounds": ROUNDS,
    }


def _crossing(s: BitwState, node: int, whence: int) -> str:
    t = world(s).theatre
    if whence >= t.nodes:
        return ""
    if node in t.arrows[whence]:
        return "strait"
    return "river" if (whence, node) in t.rivers else ""
