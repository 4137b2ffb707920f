"""What a battle promises the computer: the exact law of its die, weighed in tenths of a victory point. No rule here.

The attacker's result strikes every unit that took part, so the best attack is seldom the largest: `promise` adds units
one by one, the freshest and strongest first, and keeps the number that pays best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from ..frames import Combat
from ..rules.bombardment import aiming_lines, means_of
from ..rules.combat import allied_group, covers, eligible, has_real_choice, plane_for, reckon, why_not_fly
from ..rules.command import defence_hqs, is_in_support_range
from ..rules.definitions import attack_of, defence_of, hqs_in, in_enemy_zoc, units_in
from ..rules.retreat import must_retreat, retreat_hexes
from ..rules.tables import (
    Line,
    Loss,
    bombardment_level,
    bomber_strength,
    combat_result,
    ratio_column,
    shifted_column,
)
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AMERICAN,
    ATTACK,
    CHARTS,
    CHERBOURG,
    COUNTERS,
    DEFENCE,
    ELITE,
    GARRISON,
    GERMAN,
    GERMANS,
    GROUP,
    HEXES,
    RIVER_NEXT,
    SCENARIOS,
)
from .fronts import PLAIN, Manner, ground_worth

STEP, FORCE, SHAKEN, HEADQUARTERS, EXPLOIT = 10, 3, (0, 2, 6), 40, 12
NEVER, FAILED = -999, Loss(0, 1, 0)  # no attack at all; what an overrun that fails costs besides
TB = CHARTS["bombardment"]


class Promise(NamedTuple):
    """The expected gain of an attack, and who should make it."""

    worth: int
    attackers: tuple[int, ...]


def army_of(s: S, c: Combat) -> int:
    """The group that attacks."""
    units = c.attackers or c.pool or ((c.hq,) if c.hq >= 0 else ())
    return GROUP[units[0]] if units else AMERICAN if c.side == ALLIED else GERMANS


def step_worth(s: S, u: int, steps: int) -> int:
    """What losing steps costs: victory points, and the fighting strength that goes with them."""
    have = s.steps[u]
    left = max(0, have - steps)
    lost = ATTACK[u][have] + DEFENCE[u][have] - ATTACK[u][left] - DEFENCE[u][left]
    return STEP * (1 + ELITE[u]) * (have - left) + FORCE * lost


def harm(s: S, units: Sequence[int], loss: Loss) -> int:
    """What a result costs the units that it strikes."""
    total = 0
    for u in units:
        steps = loss.steps
        if loss.disorder and s.disorder[u] == 2:
            steps += 1
        elif loss.disorder and steps < s.steps[u]:
            total += SHAKEN[min(2, s.disorder[u] + loss.disorder)] - SHAKEN[s.disorder[u]]
        total += step_worth(s, u, steps) if steps else 0
    return total


def rout(s: S, c: Combat, defenders: Sequence[int], loss: Loss, manner: Manner = PLAIN) -> int:
    """What a retreat adds: the ground; steps lost in zones of control, or everybody where there is no way back."""
    held = "town" in c.cover or "village" in c.cover
    hexes = loss.retreat - held
    fixed = [u for u in defenders if GARRISON[u] and s.steps[u] > loss.steps]
    movers = [u for u in defenders if must_retreat(u) and s.steps[u] > loss.steps]
    if hexes <= 0 and (movers or fixed):
        return 0
    worth = 0
    if movers and c.target < HEXES:
        ways = retreat_hexes(s, movers[0], c.target, 0)
        if not ways:
            worth += sum(step_worth(s, u, s.steps[u]) for u in movers)
        elif in_enemy_zoc(s, 1 - c.side, ways[0]):
            worth += sum(step_worth(s, u, 1) for u in movers)
        worth += HEADQUARTERS if hqs_in(s, c.target, 1 - c.side) and not ways else 0
    return worth if fixed else worth + ground_worth(s, c.side, c.target, army_of(s, c), manner)


def gains(
    s: S, c: Combat, defenders: Sequence[int], column: int, lines: Sequence[Line], manner: Manner = PLAIN
) -> list[int]:
    """By die: what the defender loses and the ground won, on a column."""
    found, known = [], dict[int, int]()  # many dice give the same result
    storm = manner.storm if s.scenario == "cherbourg" and c.target in CHERBOURG else 0
    for die in range(1, 7):
        result = combat_result(column, die, lines)
        loss = result.defender
        key = loss.steps << 8 | loss.disorder << 4 | loss.retreat
        if key not in known:
            gain = harm(s, defenders, loss) * manner.foe // 100
            if storm and loss.steps:
                gain += storm
            if loss.retreat or all(s.steps[u] <= loss.steps for u in defenders):
                gain += rout(s, c, defenders, loss, manner)
            elif c.kind == "overrun":
                gain -= harm(s, c.attackers, FAILED)
            known[key] = gain
        found.append(known[key] + (EXPLOIT if result.exploitation and c.kind == "attack" else 0))
    return found


def costs(s: S, attackers: Sequence[int], column: int, lines: Sequence[Line]) -> int:
    """The sum over the dice of what the attacker loses, on a column."""
    total, known = 0, dict[int, int]()
    for die in range(1, 7):
        loss = combat_result(column, die, lines).attacker
        key = loss.steps << 4 | loss.disorder
        if key not in known:
            known[key] = harm(s, attackers, loss)
        total += known[key]
    return total


def ready_combat(s: S, c: Combat) -> Combat:
    """The combat as it will be fought: aircraft in support, the cover that the defender counts, his headquarters."""
    probe = c.copy()
    if c.plane < 0 and not c.die and why_not_fly(s, c) is None:
        probe.plane = plane_for(s, allied_group(s, c))
    if c.target < HEXES:
        probe.cover = c.cover or covers(c.target)[-1 if has_real_choice(c.target) else 0]
        if c.shield < 0 and c.kind != "overrun":
            groups = {GROUP[u] for u in units_in(s, c.target, 1 - c.side)}
            probe.shield = next(iter(defence_hqs(s, 1 - c.side, c.target, groups)), -1)
    return probe


def order_of(s: S, c: Combat, units: Sequence[int]) -> list[int]:
    """Who joins first: the freshest, then who need not cross a river, then the strongest."""
    rivers = RIVER_NEXT[c.target] if c.target < HEXES else frozenset()
    return sorted(units, key=lambda u: (s.disorder[u] + s.affected[u], s.place[u] in rivers, -attack_of(s, u), u))


def promise(s: S, c: Combat, shock: int = 0, manner: Manner = PLAIN) -> Promise:
    """The best attack on the target of a combat, `shock` levels of bombardment expected on top of those suffered."""
    pool = order_of(s, c, eligible(s, c)) if c.kind != "overrun" else []
    defenders = units_in(s, c.target, 1 - c.side)
    if not pool and not c.attackers:
        return Promise(NEVER, ())
    if not defenders:
        ground = ground_worth(s, c.side, c.target, army_of(s, c), manner)
        return Promise(HEADQUARTERS + ground, c.attackers or tuple(pool[:1]))
    probe = ready_combat(s, c)
    best, chosen = NEVER, c.attackers
    dear = manner.own_last if s.turn >= SCENARIOS[s.scenario].last_turn else manner.own
    wall = max(1, sum(defence_of(s, u) for u in defenders))
    force, seen, column_before = c.extra, (-1, -1), -1
    for n, u in enumerate([*c.attackers, *pool], 1):
        force += attack_of(s, u)
        looks = ratio_column(force, wall), s.disorder[u] + s.affected[u]
        if n < len(c.attackers) or looks == seen:
            continue  # more men on the same column only means more men shaken
        seen = looks
        probe.attackers = (*c.attackers, *pool)[:n]
        sum_up = reckon(s, probe)
        right = (*sum_up.right, Line("6.5h", shock, "")) if shock else sum_up.right
        column = shifted_column(sum_up.ratio, right, sum_up.left)
        if column == column_before:
            continue
        column_before = column
        cost = costs(s, probe.attackers, column, sum_up.die) * dear // 100
        worth = (sum(gains(s, probe, defenders, column, sum_up.die, manner)) - cost) // 6
        if worth > best:
            best, chosen = worth, probe.attackers
    return Promise(best, chosen)


def attack_by(s: S, side: int, hq: int, target: int, pool: tuple[int, ...] = (), kind: str = "attack") -> Combat:
    """The combat that a headquarters would declare."""
    near = kind == "counter" or (kind == "attack" and hq >= 0 and is_in_support_range(s, hq, target))
    helps = near and COUNTERS[hq].bonus > 0
    return Combat(kind=kind, side=side, hq=hq, target=target, pool=pool, support=(hq,) if helps else ())


def attack_worth(
    s: S,
    side: int,
    hq: int,
    target: int,
    pool: tuple[int, ...] = (),
    kind: str = "attack",
    manner: Manner = PLAIN,
) -> int:
    """What the best attack on a place promises."""
    return promise(s, attack_by(s, side, hq, target, pool, kind), 0, manner).worth


# --- bombardment ----------------------------------------------------------------------------------------------------


def shock_law(s: S, h: int, points: int, bonus: Sequence[Line]) -> tuple[int, int, int]:
    """How many of the six dice give nothing, A1 and A2 on the Germans of a hex."""
    victims = units_in(s, h, GERMAN)
    lines = (*bonus, *aiming_lines(h, victims))
    levels = [bombardment_level(points, die, lines) for die in range(1, 7)]
    return levels.count(0), levels.count(1), levels.count(2)


def bomb_worth(s: S, h: int, by: str, used: Sequence[int], by_level: Sequence[int]) -> int:
    """What a bombardment adds to an attack, less what it costs, in sixths."""
    bonus: list[Line] = []
    if by == "ships":
        points, cost = sum(used) * TB["naval"], 0
    else:
        points, bonus = bomber_strength(*used)
        cost = used[0] * 2 + used[1] + used[2] * CHARTS["air"]["heavy_vp"] * STEP
    law = shock_law(s, h, points, bonus)
    return sum(n * worth for n, worth in zip(law, by_level)) - 6 * (by_level[0] + cost)


def best_plan(
    s: S,
    c: Combat,
    by: str,
    group: int,
    h: int,
    used: tuple[int, ...] = (),
    asked: int = 0,
    manner: Manner = PLAIN,
) -> tuple[int, ...] | None:
    """How many of each kind help an Allied attack most for their cost; None if nothing pays. What is counted stays."""
    limits = means_of(s, by, group, h)
    by_level = [promise(s, c, level, manner).worth for level in range(3)]
    ranges = [range(used[n], used[n] + 1) if asked >> n & 1 else range(limit + 1) for n, limit in enumerate(limits)]
    rated = [(bomb_worth(s, h, by, plan, by_level), tuple(-n for n in plan)) for plan in product(*ranges) if any(plan)]
    best = max(rated, default=(0, ()))
    return tuple(-n for n in best[1]) if best[0] > 0 else None
