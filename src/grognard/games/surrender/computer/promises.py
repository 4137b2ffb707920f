"""What a combat under way or an order being prepared promises, by the exact law that the odds book prints."""

from __future__ import annotations

from dataclasses import replace

from grognard.games.surrender.computer.goals import Goals, goals
from grognard.games.surrender.computer.worths import (
    ALONE,
    BOMBING,
    EAGER,
    FACTORY,
    FAR,
    READY,
    SORTIE,
    STEP,
)  # fmt: skip
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
from grognard.games.surrender.rules.movement import mobile_cost, why_not_attack
from grognard.games.surrender.rules.results import fac_lost_change, sorties_added
from grognard.games.surrender.rules.strategic_warfare import strategic_case
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, SOVIET

GOAL = 120  # worth of a hex that is fought for to be entered
ENTERING, FOLLOWING = 2, 3  # points to enter it; hexes within which somebody else still comes in time


def promised(s: Position, aims: Goals | None = None) -> tuple[int, int]:
    """The expectation of the combat on the table, and for which faction it counts as a gain."""
    aims = aims or goals(world(s))
    for c in reversed(s.frames):
        if isinstance(c, GroundCombat):
            return (0, -1) if c.code else (ground_promise(s, aims, c) - stakes(s, c, aims), attacking_side(s, c))
        if isinstance(c, AssaultPlan):
            return assault_promise(s, aims, c), c.side
        if isinstance(c, GroundMove):
            if aims.manner.weighs_all and not c.moved:
                return 0, -1
            return (0, -1) if c.finished or s.at[c.unit] < 0 else (move_promise(s, aims, c), c.side)
        if isinstance(c, AirMove | NavalMove):
            return (0, -1) if c.finished else (EAGER, c.side)
        if isinstance(c, AirCombat) and c.mission != "ground_support":
            return (0, -1) if c.code else (air_promise(s, c) - stakes(s, c, aims), attacking_side(s, c))
        if isinstance(c, StrategicCombat):
            return (0, -1) if c.code else (strategic_promise(s, c) - stakes(s, c, aims), AXIS)
        if isinstance(c, Mission):
            return mission_promise(s, aims, c), c.side
        if isinstance(c, Invasion):
            return landing_promise(s, aims, c), c.side
    return 0, -1


def pull(s: Position, aims: Goals, faction: int) -> bytes:
    """By hex how far an army still has to go."""
    return aims.pull(aims.holdings(s.control).great, faction + 1)


def mission_promise(s: Position, aims: Goals, c: Mission) -> int:
    """What an action is worth that the enemy may still intercept."""
    for under in reversed(s.frames):
        if isinstance(under, Invasion):
            return landing_promise(s, aims, under)
        if isinstance(under, NavalMove) and under.cargo in world(s).armies_of[c.side] and under.target >= 0:
            near = pull(s, aims, c.side)
            return near[s.at[under.cargo]] - near[under.target]
    return BOMBING if c.kind == "bombing" else 0


def landing_promise(s: Position, aims: Goals, c: Invasion) -> int:
    """The landing as it is prepared: an empty coast is taken, another must be fought for."""
    lead = c.principal if c.principal >= 0 else c.units[0]
    prize, defender = foothold(s, aims, c, lead), army_in(s, c.target)
    if defender < 0:
        return prize
    others = tuple(u for u in c.units if u != lead)
    plan = GroundCombat(action="amphibious", hex=c.target, attacker=lead, others=others, defender=defender, ship=c.ship)
    return ground_promise(s, aims, plan, prize) + READY * (2 * len(others) + (c.ship >= 0))


def foothold(s: Position, aims: Goals, c: Invasion, unit: int) -> int:
    """What it is worth to have the army ashore: the goal itself, the way it saves, a port to live from."""
    w, hex, near, control = world(s), c.target, pull(s, aims, c.side), s.control
    gain = 2 * aims.worth.get(hex, 0) + near[s.at[unit]] - near[hex]
    bases = [h for h in w.theatre.cities_in_reach[hex] if control[h] == c.side + 1]
    if not bases and not w.theatre.city[hex]:
        gain -= FAR
    friends = sum(control[other] == c.side + 1 for other in w.theatre.grid.neighbours[hex])
    return gain - ALONE * max(0, 2 - friends)


def stakes(s: Position, c: Combat, aims: Goals) -> int:
    """What the attacker has committed and not yet paid for, less the same of the defender."""
    if len(c.ready) > 1:  # revealed: the markers are spent
        return 0
    mine, theirs = attacking_side(s, c), defending_side(s, c)
    return stake(c, mine, aims) - stake(c, theirs, aims)


def stake(c: Combat, side: int, aims: Goals) -> int:
    """Markers by their worth, an air unit by the sortie that it will fly."""
    flown = SORTIE if isinstance(c, GroundCombat) and c.sent[side] >= 0 else 0
    return flown + sum(aims.markers[marker] for marker in c.committed[side])


def move_promise(s: Position, aims: Goals, c: GroundMove) -> int:
    """The best attack that the active army can make from where it stands; before it has moved, an assault too."""
    best = 0
    for hex in world(s).theatre.grid.neighbours[s.at[c.unit]]:
        enemy = army_in(s, hex) if s.first_in[hex] >= 0 else -1
        if enemy < 0 or world(s).units[enemy].faction == c.side:
            continue
        if why_not_attack(s, c, hex) is None:
            plan = GroundCombat(action="mobile", hex=hex, attacker=c.unit, defender=enemy)
            best = max(best, ground_promise(s, aims, plan))
        if not c.moved and why_not_join(s, c.side, hex, c.unit, ()) is None:
            best = max(best, assault_promise(s, aims, AssaultPlan(side=c.side, target=hex, units=(c.unit,))))
    return EAGER + best * 3 // 4


def assault_promise(s: Position, aims: Goals, c: AssaultPlan) -> int:
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
        plans.append(ground_promise(s, aims, plan))
    return max(plans)


def ground_promise(s: Position, aims: Goals, c: GroundCombat, prize: int | None = None) -> int:
    """Steps and ground the attack may win, less what it may cost, by the exact law (support as far as sent)."""
    case = ground_case(s, c)
    flying = [c.sent[side] >= 0 for side in _both(s, c)]
    case = replace(case, air_attacker=flying[0] or case.air_attacker, air_defender=flying[1] or case.air_defender)
    law = result_law(tally(case, ATTACKER), tally(case, DEFENDER))
    w = world(s)
    mine = STEP[w.units[c.attacker].type]
    theirs = STEP[w.units[c.defender].type]
    ground = 20 + aims.worth.get(c.hex, 0) // 3 if prize is None else prize
    if aims.manner.focus and prize is None and aims.worth.get(c.hex, 0) >= GOAL:
        ground = aims.worth[c.hex] * 2 // 3 if can_follow(s, c) else 20
    way = pull(s, aims, w.units[c.attacker].faction)[c.hex] if aims.manner.focus else 0
    total = 0
    for code, chance in law.items():
        out = outcome_for(s, c, code, case.can_retreat)
        gain = 0
        if out.defender == "eliminated":
            gain += theirs * (2 - s.reduced[c.defender]) + ground
        elif out.defender == "reduced":
            gain += theirs
        gain += ground if out.retreats else 0
        gain = aims.prize(gain, way)
        gain -= mine if out.attacker != "unharmed" else 0
        gain -= 12 if out.activation_ends else 0
        total += gain * int(chance * 36)
    return total // 36


def can_follow(s: Position, c: GroundCombat) -> bool:
    """Will anybody be left to enter the hex once it is empty? An assault lets one advance."""
    if c.action == "assault":
        return True
    w, side = world(s), world(s).units[c.attacker].faction
    active = next((m for m in reversed(s.frames) if isinstance(m, GroundMove)), None)
    if active is not None and active.unit == c.attacker:
        begun = any(isinstance(m, GroundCombat) for m in s.frames)
        left = active.points - (0 if begun else mobile_cost(s, s.at[c.attacker], c.hex))
        if left >= ENTERING:
            return True
    near = w.theatre.grid.distance
    others = [u for u in w.armies_of[side] if s.at[u] >= 0 and not s.done[u] and u != c.attacker]
    return any(near(s.at[u], c.hex) <= FOLLOWING for u in others)


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
