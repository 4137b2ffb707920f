"""HQs for the computer player: where they stand best, which are worth their fuel, and when.

An HQ is worth activating where units that live on fuel and could fight are in its reach. It goes where it has most of
them, never where the enemy could catch it alone, and gives its orders before anybody moves.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Side

from ..frames import Combat, Marching
from ..memo import unchanged
from ..rules.air import air_range, enemy_hexes
from ..rules.airborne import drop_zones
from ..rules.definitions import has_room, movement_points, overstacked
from ..rules.headquarters import PAIR, Hq, command_radius, commands, headquarters, needy
from ..rules.landings import IS_MARINE, IS_REGULAR, why_not_embark
from ..rules.movement import reach
from ..rules.opening import rule_is_on
from ..rules.sea import why_not_sail_from
from ..state import OOS, BitwState, enemy_of, is_battle, is_done, on_map, side_holding, units_in
from ..world import BLOCKS_OF, IS_COMBAT, POWERS, SIDE_OF, UNITS, world
from .goals import outlook
from .invasion import landing_choices, landing_pays, may_land_more, waves_worth
from .shores import at_home, drops_worth, followers, lands
from .staging import staging

ENOUGH = {True: 1, False: 2}  # units that make an activation worth a step: of an HQ with steps to spare, of another


def fighters(s: BitwState, side: Side, phase: str) -> list[int]:
    """The units of a side that live on fuel, have not moved, and could meet the enemy, or in exploitation run far.

    Armour beyond the sea has no use for fuel, unless a beach is held to which it may follow (24.7).
    """
    free = [u for u in needy(s, BLOCKS_OF[side]) if not is_done(s, u) and s.steps[u]]
    idle = at_home(s, side, free)
    if phase == "exploit" and beach_held(s, side):
        idle = {u for u in idle if why_not_sail_from(s, side, s.place[u]) is not None}
    free = [u for u in free if u not in idle]
    if phase == "exploit":
        field = outlook(s.scenario, side, unchanged("owner", s.owner)).field
        return [u for u in free if not UNITS[u].is_air and not s.flags[u] & OOS and field[s.place[u]] > 2]
    foes = enemy_hexes(s, side)
    if phase == "react":
        foes = [n for n in foes if is_battle(s, n)]
    found = []
    for u in free:
        if phase == "react" and (not UNITS[u].is_air or s.place[u] in foes):
            continue
        far = air_range(s, u) if UNITS[u].is_air else movement_points(s, u, False)
        distances = world(s).theatre.distances(s.place[u])
        if any(distances[n] <= far for n in foes):
            found.append(u)
    return found


def clients(s: BitwState, hq: Hq, units: Iterable[int], at: int) -> int:
    """How many of some units an HQ could order from a hex, as the crow flies."""
    t, radius, found = world(s).theatre, command_radius(s, at), []
    for u in units:
        action = "air" if UNITS[u].is_air else "armour"
        near = not hq.radius or t.distances(at)[s.place[u]] <= radius
        if u != hq.unit and near and commands(hq, u, action, t.country[s.place[u]]):
            found.append(action)
    return sum(min(found.count(kind), hq.limits.get(kind, 0)) for kind in ("air", "armour"))


def is_worth(s: BitwState, hq: Hq, units: list[int]) -> bool:
    """Whether an HQ has enough to do for the step that it costs; spent is not lost (13.6b, decision 0338)."""
    return clients(s, hq, units, s.place[hq.unit]) >= ENOUGH[s.steps[hq.unit] > 1]


def best_stand(s: BitwState, hq: Hq, units: list[int]) -> int:
    """The hex in reach from which an HQ orders most units; where it is, unless another is better by two."""
    here, side = s.place[hq.unit], SIDE_OF[hq.unit]
    found = reach(s, hq.unit, here, movement_points(s, hq.unit, bool(s.flags[hq.unit] & OOS)))
    safe = [n for n in sorted(found.cost) if n != here and is_safe(s, n, side) and has_room(s, n, hq.unit)]
    best = max(safe, key=lambda n: clients(s, hq, units, n), default=here)
    return best if clients(s, hq, units, best) >= clients(s, hq, units, here) + 2 else here


def is_safe(s: BitwState, node: int, side: Side) -> bool:
    """A hex beside no enemy, or with a combat unit of one's own in it."""
    theirs = enemy_of(side) * len(s.first_in)
    if any(IS_COMBAT[u] and SIDE_OF[u] == side for u in units_in(s, node)):
        return True
    return not any(s.present[theirs + n] for n in world(s).theatre.touch[node])


def staff_first(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """The one order that HQs want before anything else, or the legal list without activations that are not worth it."""
    held = [noun for verb, noun in legal if verb == "reserve"]
    if held:
        worth = [u for u in held if s.frames[-1].at() == "7.10" and waits_well(s, u)]
        if worth:
            return [("reserve", worth[0])]
        legal = [a for a in legal if a[0] != "reserve"]
    looks = [noun for verb, noun in legal if verb == "recon"]
    if looks:
        wanted = [n for n in looks if is_wanted(s, side, n)]
        if wanted:
            return [("recon", wanted[0])]
        legal = [a for a in legal if a[0] != "recon"]
    hungry = [noun for verb, noun in legal if verb == "supply"]
    if hungry:
        return [("supply", max(hungry, key=lambda u: (bool(s.flags[u] & OOS), IS_COMBAT[u], s.steps[u], -u)))]
    legal = landings_first(s, side, legal)
    waiting = [noun for verb, noun in legal if verb == "activate"]
    if not waiting:
        return legal
    phase = phase_now(s, side)
    units = fighters(s, side, phase)
    for unit in waiting:
        hq = headquarters()[unit]
        may_move = ("move", unit) in legal and s.frames[-1].at() == "7.5"
        if may_move and hq.radius and best_stand(s, hq, units) != s.place[unit]:
            return [("move", unit)]
        if is_worth(s, hq, units) or commands_landing(s, hq, side):
            return [("activate", unit)]
    return [a for a in legal if a[0] != "activate"]


def landings_first(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """23, 24 First those who land, then those who drop beside them, then who follows; who is at home stays there."""
    legal = landing_choices(s, side, legal)
    verbs = {verb for verb, _ in legal}
    if verbs == {"land"}:
        return legal
    for verb in ("wave", "ferry"):
        if verb in verbs and not isinstance(s.frames[-1], Combat):
            worth = waves_worth(s, side, [u for v, u in legal if v == verb], verb == "ferry")
            legal = [a for a in legal if a[0] != verb or a[1] in worth]
    if "drop" in verbs:
        wanted = {u for verb, u in legal if verb == "drop"}
        jump = {u for u in wanted if drops_worth(s, u, side, drop_zones(s, u))}
        if jump:
            return [("drop", min(jump))]
        legal = [a for a in legal if a[0] != "drop" or a[1] in jump]
    if "stand-by" in verbs:
        waiting = followers(s, side, [u for verb, u in legal if verb == "stand-by"])
        if waiting and may_land_more(s, side):
            return [("stand-by", waiting[0])]
        legal = [a for a in legal if a[0] != "stand-by"]
    better = staging(s, side, legal) if not isinstance(s.frames[-1], Combat) else []
    if better:
        return better
    idle = at_home(s, side, [u for verb, u in legal if verb in ("move", "rail", "rail-free")])
    if "done" not in verbs:  # 7.3.2b somebody must move on
        idle = {u for u in idle if not overstacked(s, s.place[u], side)}
    return [a for a in legal if a[0] not in ("move", "rail", "rail-free") or a[1] not in idle]


def beach_held(s: BitwState, side: Side) -> bool:
    """24.7 Whether a beach of this turn's landing is held."""
    return any(side_holding(s, node) == side for node, power in s.landed if POWERS[power].side == side)


def commands_landing(s: BitwState, hq: Hq, side: Side) -> bool:
    """24.5-wave-a Whether an HQ that may order landings has units ready for one, and steps to spare."""
    leader = hq.unit in PAIR and "casablanca" in world(s).scenario.rules and all(s.steps[u] > 1 for u in PAIR)
    if not (leader or "landing" in hq.limits) or s.steps[hq.unit] < 2 or not rule_is_on(s, "24.0a"):
        return False
    mine = [u for u in on_map(s, side) if (IS_MARINE[u] or IS_REGULAR[u]) and UNITS[u].power in hq.powers]
    ready = [u for u in mine if why_not_embark(s, u, side, "move") is None]
    return any(IS_MARINE[u] for u in ready) or landing_pays(s, side, ready)


def is_wanted(s: BitwState, side: Side, node: int) -> bool:
    """19.0a A hex that two ground units or more could attack: worth a look, which spares bombs and guns a Malus."""
    mine = side * len(s.first_in)
    return sum([s.ground[mine + n] for n in world(s).theatre.touch[node]]) >= 2


def waits_well(s: BitwState, unit: int) -> bool:
    """31.0b Armour behind the front, with enemies a march away, waits for what they attack."""
    side, here = SIDE_OF[unit], s.place[unit]
    theirs = enemy_of(side) * len(s.first_in)
    t = world(s).theatre
    if UNITS[unit].kind == "armour_hq" or any(s.present[theirs + n] for n in t.touch[here]):
        return False
    distances, land = t.distances(here), lands(world(s))
    near = [n for n in enemy_hexes(s, side) if distances[n] <= movement_points(s, unit, False) + 1]
    return any(land[n] == land[here] for n in near)


def phase_now(s: BitwState, side: Side) -> str:
    """The phase as HQs call it."""
    row = s.frames[-1].at()
    if side != s.phasing:
        return "react"
    return "exploit" if row == "7.10" else "rail" if row == "7.4" else "move"


def staff_moves(s: BitwState, c: Marching, legal: list[Action]) -> list[Action]:
    """Where an HQ in hand goes: to its best stand, else to safe hexes that cost no fuel; it attacks nobody."""
    hq = headquarters()[c.unit]
    best = best_stand(s, hq, fighters(s, c.side, "move"))
    if not c.started and ("to", best) in legal:
        return [("to", best)]
    found = reach(s, c.unit, s.place[c.unit], c.left)
    safe = [
        n for verb, n in legal if verb == "to" and is_safe(s, n, c.side) and (not c.limited or found.cost[n] <= c.free)
    ]
    return [a for a in legal if a[0] == "halt" or (a[0] == "to" and a[1] in safe)] or legal
