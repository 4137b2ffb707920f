"""How good a position looks to a faction: goals, strength, nearness to goals, what a combat under way promises.

All whole numbers. A combat that has been declared but not rolled is worth its exact expectation, from the same law that
the odds book prints, so that a player who looks one decision ahead sees what an attack or a marker is worth.
"""

from __future__ import annotations

from dataclasses import replace
from operator import mul

from grognard.games.surrender.computer.goals import goals
from grognard.games.surrender.frames import (
    AirCombat,
    AirMove,
    AssaultPlan,
    GroundCombat,
    GroundMove,
    Invasion,
    Mission,
    NavalMove,
    StrategicCombat,
)
from grognard.games.surrender.odds.law import result_law
from grognard.games.surrender.rules.air_combat import air_case
from grognard.games.surrender.rules.assault import JoinAssault, why_not_join
from grognard.games.surrender.rules.board import army_in
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER
from grognard.games.surrender.rules.ground_combat import ground_case, outcome_for
from grognard.games.surrender.rules.markers import Combat, attacking_side, defending_side
from grognard.games.surrender.rules.movement import why_not_attack
from grognard.games.surrender.rules.results import fac_lost_change, sorties_added
from grognard.games.surrender.rules.strategic_warfare import strategic_case
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.state import ON_MAP, Position, world
from grognard.games.surrender.world import AXIS, MARKER_IDS, MARKERS, SOVIET, World

STEP = {"infantry": 40, "motorised": 50, "shock": 55, "tank": 80}
SORTIE, FACTORY, BOMBED = 6, 60, 40
MARKER_WORTH = tuple(16 if kind.combat == "strategic" else 8 for kind in MARKERS)  # what it takes to spend one
LACK = (0, 25, 50)  # full, low, no supply
FAR = 50  # an army beyond the reach of every friendly city
EAGER = 1  # to use a unit is better than to leave it
READY = 25  # a unit that may still act this month
ALONE = 20  # each friendly neighbour hex that an army lacks
SIGNS = tuple(  # by side and holder of a hex: 1 ours, -1 an enemy's
    tuple(
        0 if holder in (0, 4) else 1 if holder == side + 1 else -1 if AXIS in (side, holder - 1) else 0
        for holder in range(5)
    )
    for side in range(3)
)
BOMBING = 25  # a raid that may still be intercepted
ABOARD = 12  # an army in a port with a convoy


def score_of(s: Position, side: int) -> int:
    """Own worth minus the enemies'; a finished game is worth more than any position."""
    if s.outcome:
        return 100_000 if s.outcome[0] == side else -100_000 if s.outcome[0] >= 0 else 0
    w = world(s)
    total = ground_worth(s, w, side) + forces_worth(s, w, side) - exposure(s, w, side)
    for faction in w.foes_of[side]:
        total -= forces_worth(s, w, faction)
    if s.phasing >= 0:
        total += SIGNS[side][s.phasing + 1] * READY * ready_units(s, w)
    promise, owner = promised(s)
    return total + (promise if owner == side else -promise if AXIS in (owner, side) else 0)


def ready_units(s: Position, w: World) -> int:
    """Units of the phasing faction that may still be activated: to pass is to give them up."""
    at, done = s.at, s.done
    return sum([at[unit] >= 0 and not done[unit] for unit in w.of_faction[s.phasing]])


def ground_worth(s: Position, w: World, side: int) -> int:
    """Goals held by us less those held by enemies; factories bombed the other way round."""
    sign, control, aims = SIGNS[side], s.control, goals(w)
    held = bytes(aims.holders(control))
    total = aims.balance(held, sign) - open_goals(s, w, held, sign)
    hex = s.bombed.find(1)  # type: ignore[attr-defined]
    while hex >= 0:
        total -= BOMBED * sign[control[hex]]
        hex = s.bombed.find(1, hex + 1)  # type: ignore[attr-defined]
    return total


def open_goals(s: Position, w: World, held: bytes, sign: tuple[int, ...]) -> int:
    """Half of each great goal with nobody at home and an enemy army near."""
    aims, at, first = goals(w), s.at, s.first_in
    raids, reach = aims.raids, [0, 0, 0]
    for faction, armies in enumerate(w.armies_of):
        for unit in armies:
            reach[faction] |= raids[at[unit]]
    threats = (0, reach[1] | reach[2], reach[0], reach[0], 0)  # by holder: the great goals that its enemies can reach
    total = 0
    for number, hex in enumerate(aims.great):
        if first[hex] < 0 and threats[held[number]] >> number & 1:
            total += sign[held[number]] * aims.worth[hex] // 2
    return total


def forces_worth(s: Position, w: World, faction: int) -> int:
    """Armies and where they stand, air and sea units, markers unspent, factories lost."""
    total: int = armies_worth(s, w, faction)
    fate, supply, sorties = s.fate, s.supply, s.sorties
    for unit in w.others_of[faction]:
        if fate[unit] == ON_MAP:
            total += 60 - SORTIE * sorties[unit] - LACK[supply[unit]] // 2
    hand = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    total += sum(map(mul, hand, MARKER_WORTH))
    return total - FACTORY * int(s.fac_lost[faction])


def armies_worth(s: Position, w: World, faction: int) -> int:
    """Steps, supply and nearness to the enemy's goals; a hungry army looks back to its sources."""
    fate, at, reduced, supply = s.fate, s.at, s.reduced, s.supply
    ways = (pull(s, faction), *[goals(w).homes[faction]] * 2)  # by state of supply
    return sum(
        [
            step * (2 - reduced[unit]) - LACK[supply[unit]] - ways[supply[unit]][at[unit]]
            for unit, step in steps(w)[faction]
            if fate[unit] == ON_MAP
        ]
    )


def pull(s: Position, faction: int) -> bytes:
    """By hex how far an army still has to go."""
    aims = goals(world(s))
    return aims.pull(bytes(aims.great_holders(s.control)), faction + 1)


def exposure(s: Position, w: World, side: int) -> int:
    """What our armies risk by where they stand: no city to draw supply from, no friendly ground around."""
    holder, control, at = side + 1, s.control, s.at
    around, cities = w.theatre.grid.neighbours, w.theatre.cities_in_reach
    total = 0
    for unit in w.armies_of[side]:
        hex = at[unit]
        if hex < 0:
            continue
        for city in cities[hex]:
            if control[city] == holder:
                break
        else:
            total += FAR  # no friendly city to draw supply from
        friends = 0
        for other in around[hex]:
            if control[other] == holder:
                friends += 1
                if friends == 2:
                    break
        else:
            total += ALONE * (2 - friends)  # a spearhead that nothing follows will starve
    for unit in convoys(w)[side]:
        if at[unit] >= 0 and army_in(s, at[unit]) >= 0:
            total -= ABOARD
    return total


def steps(w: World) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each faction its ground units with the worth of a step."""
    found = _STEPS.get(w.name)
    if found is None:
        worth = [STEP[u.type] + 10 * u.elite if u.ground else 0 for u in w.units]
        found = _STEPS[w.name] = tuple(tuple((u, worth[u]) for u in w.armies_of[f]) for f in range(3))
    return found


def convoys(w: World) -> tuple[tuple[int, ...], ...]:
    """For each faction its convoys, where it has armies to carry."""
    found = _CONVOYS.get(w.name)
    if found is None:
        found = _CONVOYS[w.name] = tuple(
            tuple(u for u in others if w.units[u].type == "convoy") if armies else ()
            for others, armies in zip(w.others_of, w.armies_of)
        )
    return found


_CONVOYS: dict[str, tuple[tuple[int, ...], ...]] = {}
_STEPS: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {}


# ---- what a combat under way promises ----------------------------------------------------------------------------


def promised(s: Position) -> tuple[int, int]:
    """The expectation of the combat on the table, and for which faction it counts as a gain."""
    for c in reversed(s.frames):
        if isinstance(c, GroundCombat):
            return (0, -1) if c.code else (ground_promise(s, c) - stakes(s, c), attacking_side(s, c))
        if isinstance(c, AssaultPlan):
            return assault_promise(s, c), c.side
        if isinstance(c, GroundMove):
            return (0, -1) if c.finished or s.at[c.unit] < 0 else (move_promise(s, c), c.side)
        if isinstance(c, AirMove | NavalMove):
            return (0, -1) if c.finished else (EAGER, c.side)
        if isinstance(c, AirCombat) and c.mission != "ground_support":
            return (0, -1) if c.code else (air_promise(s, c) - stakes(s, c), attacking_side(s, c))
        if isinstance(c, StrategicCombat):
            return (0, -1) if c.code else (strategic_promise(s, c) - stakes(s, c), AXIS)
        if isinstance(c, Mission):
            return mission_promise(s, c), c.side
        if isinstance(c, Invasion):
            return landing_promise(s, c), c.side
    return 0, -1


def mission_promise(s: Position, c: Mission) -> int:
    """What an action is worth that the enemy may still intercept."""
    for under in reversed(s.frames):
        if isinstance(under, Invasion):
            return landing_promise(s, under)
        if isinstance(under, NavalMove) and under.cargo in world(s).armies_of[c.side] and under.target >= 0:
            near = pull(s, c.side)
            return near[s.at[under.cargo]] - near[under.target]
    return BOMBING if c.kind == "bombing" else 0


def landing_promise(s: Position, c: Invasion) -> int:
    """The landing as it is prepared: an empty coast is taken, another must be fought for."""
    lead = c.principal if c.principal >= 0 else c.units[0]
    prize, defender = foothold(s, c, lead), army_in(s, c.target)
    if defender < 0:
        return prize
    others = tuple(u for u in c.units if u != lead)
    plan = GroundCombat(action="amphibious", hex=c.target, attacker=lead, others=others, defender=defender, ship=c.ship)
    return ground_promise(s, plan, prize) + READY * (2 * len(others) + (c.ship >= 0))


def foothold(s: Position, c: Invasion, unit: int) -> int:
    """What it is worth to have the army ashore: the goal itself, the way it saves, a port to live from."""
    w, hex, near, control = world(s), c.target, pull(s, c.side), s.control
    gain = 2 * goals(w).worth.get(hex, 0) + near[s.at[unit]] - near[hex]
    bases = [h for h in w.theatre.cities_in_reach[hex] if control[h] == c.side + 1]
    if not bases and not w.theatre.city[hex]:
        gain -= FAR
    friends = sum(control[other] == c.side + 1 for other in w.theatre.grid.neighbours[hex])
    return gain - ALONE * max(0, 2 - friends)


def stakes(s: Position, c: Combat) -> int:
    """What the attacker has committed and not yet paid for, less the same of the defender."""
    if len(c.ready) > 1:  # revealed: the markers are spent
        return 0
    mine, theirs = attacking_side(s, c), defending_side(s, c)
    return stake(c.committed[mine]) - stake(c.committed[theirs])


def stake(words: tuple[str, ...]) -> int:
    """Markers by their worth, an air unit by the sortie that it will fly."""
    return sum(MARKER_WORTH[MARKER_IDS[word]] if word in MARKER_IDS else SORTIE for word in words)


def move_promise(s: Position, c: GroundMove) -> int:
    """The best attack that the active army can make from where it stands; before it has moved, an assault too."""
    best = 0
    for hex in world(s).theatre.grid.neighbours[s.at[c.unit]]:
        enemy = army_in(s, hex) if s.first_in[hex] >= 0 else -1
        if enemy < 0 or world(s).units[enemy].faction == c.side:
            continue
        if why_not_attack(s, c, hex) is None:
            plan = GroundCombat(action="mobile", hex=hex, attacker=c.unit, defender=enemy)
            best = max(best, ground_promise(s, plan))
        if not c.moved and why_not_join(s, c.side, hex, c.unit, ()) is None:
            best = max(best, assault_promise(s, AssaultPlan(side=c.side, target=hex, units=(c.unit,))))
    return EAGER + best * 3 // 4


def assault_promise(s: Position, c: AssaultPlan) -> int:
    """The assault as it could still become: the best who may join are counted in."""
    defender = army_in(s, c.target)
    if defender < 0:
        return 0
    units = list(c.units)
    if c.principal < 0 and not c.launched:
        more = JoinAssault().joiners(s, c, c.side)
        more.sort(key=lambda u: (world(s).units[u].type not in ("tank", "shock"), u))
        units += more[: 3 - len(units)]
    plans = []
    for lead in [c.principal] if c.principal >= 0 else units:
        others = tuple(u for u in units if u != lead)
        plan = GroundCombat(action="assault", hex=c.target, attacker=lead, others=others, defender=defender)
        plans.append(ground_promise(s, plan))
    return max(plans)


def ground_promise(s: Position, c: GroundCombat, prize: int | None = None) -> int:
    """Steps and ground the attack may win, less what it may cost, by the exact law (support as far as sent)."""
    case = ground_case(s, c)
    flying = [any(word in world(s).unit_ids for word in c.committed[side]) for side in _both(s, c)]
    case = replace(case, air_attacker=flying[0] or case.air_attacker, air_defender=flying[1] or case.air_defender)
    law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
    w = world(s)
    mine = STEP[w.units[c.attacker].type]
    theirs = STEP[w.units[c.defender].type]
    ground = 20 + goals(w).worth.get(c.hex, 0) // 3 if prize is None else prize
    total = 0
    for code, chance in law.items():
        out = outcome_for(s, c, code, case.can_retreat)
        gain = 0
        if out.defender == "eliminated":
            gain += theirs * (2 - s.reduced[c.defender]) + ground
        elif out.defender == "reduced":
            gain += theirs
        gain += ground if out.retreats else 0
        gain -= mine if out.attacker != "unharmed" else 0
        gain -= 12 if out.activation_ends else 0
        total += gain * int(chance * 36)
    return total // 36


def _both(s: Position, c: GroundCombat) -> tuple[int, int]:
    w = world(s)
    return w.units[c.attacker].faction, w.units[c.defender].faction


def air_promise(s: Position, c: AirCombat) -> int:
    """Sorties given less sorties taken; an interdiction also wins what it stops."""
    case = air_case(s, c)
    law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
    total = 0
    for code, chance in law.items():
        mine, theirs = sorties_added(code)
        prize = 30 if c.mission.startswith("interdiction") and code in ("DR", "DD", "DE") else 0
        total += (SORTIE * (theirs - mine) + prize) * int(chance * 36)
    return total // 36


def strategic_promise(s: Position, c: StrategicCombat) -> int:
    """How far the Fac Lost markers are likely to move in the Axis' favour."""
    case = strategic_case(s, c)
    law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
    ally = 2 if c.versus == SOVIET else 1
    total = 0
    for code, chance in law.items():
        germany, other = fac_lost_change(code)
        swing = (other if 1 <= s.fac_lost[ally] + other <= 9 else 0) - (
            germany if 1 <= s.fac_lost[0] + germany <= 9 else 0
        )
        total += FACTORY * swing * int(chance * 36)
    return total // 36
