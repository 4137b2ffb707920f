"""32 Raids for the computer player: which target is worth its bombers, who flies, who rises, which radar is mended.

Everything is weighed in hundredths of points, with the dice of the rules and what the side can see: of the enemy only
where aircraft stand, never which. A raid is flown where what it is likely to cost the enemy is more than what flak and
fighters are likely to cost the raiders, and the step of an HQ that must be activated for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from grognard.kernel import Action, Side

from ..frames import Raid
from ..loading import tech_level
from ..nouns import STATIONS, TARGET_KINDS
from ..rules import fire
from ..rules.air import air_range
from ..rules.definitions import power_tech, tech_of
from ..rules.fire import BOMB, Combatant, Field
from ..rules.headquarters import command_hexes, commander, commands, headquarters
from ..rules.radar import FULL_SERVICE, OUT_OF_SERVICE, chain
from ..rules.raids import sendable, turn_of, why_not_weather
from ..rules.rail import allowance_of, rail_limit
from ..rules.supply import open_ports
from ..rules.targets import (
    CENTRE,
    FACTORIES,
    FIRST_STATION,
    MULBERRY,
    PORT,
    RAIL,
    centre_points,
    hits_on,
    is_shut_to_ships,
    kinds_at,
    new_factories,
    printed_factories,
    target_hexes,
)
from ..rules.weather import weather_at
from ..scenarios import NOBODY, Scenario
from ..state import NONE, BitwState, aircraft_on_map, enemy_of, month
from ..theatre import MAJOR_PORT
from ..world import UNITS, world

STEP = 2600  # what a step of aircraft is worth, in hundredths
POINT = {"yellow": 2000, "red": 2200, "blue": 2600, "black": 1800, "white": 0}  # a production point by colour
STAFF_STEP = 1000  # half of the step that an HQ loses: it serves in reaction too
RAIL_MOVE, STATION, CHAIN = 800, 3000, 9000  # a rail move; a radar station; the last pair of the chain
FED, HARBOURED = 900, 1500  # a unit that a port feeds; a unit that waits in it for ships
NEAR = 5  # hexes within which enemy aircraft may rise


# What hits are worth


@lru_cache(maxsize=2048)
def chances(shots: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """In hundredths, how likely each number of hits is; shots are dice and their lowest face."""
    law = [10_000]
    for dice, face in shots:
        for _ in range(dice):
            good = 7 - face
            law = [
                (law[k] * (6 - good) if k < len(law) else 0) // 6 + (law[k - 1] * good // 6 if k else 0)
                for k in range(len(law) + 1)
            ]
    return tuple(p // 100 for p in law)


def shots_of(s: BitwState, units: Iterable[int], node: int) -> tuple[tuple[int, int], ...]:
    """The dice that bombers roll at a target, and their faces."""
    field = Field(raid=True, weather=weather_at(s, node))
    crews = [Combatant(UNITS[u], s.steps[u], tech_of(s, u), True) for u in units]
    return tuple((shot.dice, shot.face) for shot in fire.volley(crews, BOMB, field, 1))


def worth_of_hits(s: BitwState, side: Side, node: int, kind: int, law: tuple[int, ...]) -> int:
    """What the hits of a law on an enemy target are worth."""

    def at_least(number: int) -> int:
        return sum(law[number:])

    def points(most: int, each: int) -> int:
        return sum(min(most, number) * p for number, p in enumerate(law)) * each // 100

    if kind < len(FACTORIES):
        colour = FACTORIES[kind]
        made = printed_factories(s, node, colour) + new_factories(s, node, colour) - hits_on(s, kind, node)
        return points(max(0, made), POINT[colour])
    if kind == CENTRE:
        return points(centre_points(s, node), POINT["yellow"])
    if kind == RAIL:
        owner = s.owner[node]
        return points(rail_limit(s, allowance_of(owner)), RAIL_MOVE) if owner != NOBODY else 0
    if kind in (PORT, MULBERRY):
        return worth_of_port(s, side, node, at_least(1), at_least(3))
    return worth_of_station(s, kind - FIRST_STATION) * at_least(1) // 100


def worth_of_port(s: BitwState, side: Side, node: int, shut: int, cut: int) -> int:
    """32.2 Ships kept in, and units that go hungry where the enemy lives on ports."""
    enemy, t = enemy_of(side), world(s).theatre
    waiting = s.ground[enemy * len(s.first_in) + node] if t.port[node] and not is_shut_to_ships(s, node) else 0
    overseas = t.region[node] != "great-britain" and enemy == 1 and node in open_ports(s, enemy)
    fed = (5 if t.port[node] == MAJOR_PORT or node in s.harbour else 1) if overseas or node in s.harbour else 0
    return (waiting * HARBOURED * shut + fed * FED * cut) // 100


def worth_of_station(s: BitwState, station: int) -> int:
    """32.4 A station counts while the chain works and British fighters need it, or the scenario counts it."""
    wanted = counts_radar(world(s).scenario)
    if chain(s) == OUT_OF_SERVICE or (tech_level("UK", "fighters", month(s)) >= 2 and not wanted):
        return 0
    left = [int(bool(x) and i != station) for i, x in enumerate(s.radar)]
    breaks = not any(a and b for a, b in pairwise(left))
    return (CHAIN if breaks else STATION) * (2 if wanted else 1)


@lru_cache(maxsize=32)
def counts_radar(scenario: Scenario) -> bool:
    """Whether the conditions of victory speak of the radar chain."""
    return any(c.kind == "radar" for level in scenario.levels for way in level.ways for c in way)


def risk_at(s: BitwState, side: Side, node: int) -> int:
    """What flak, and enemy aircraft that stand near, are likely to cost a raid."""
    enemy, owner = enemy_of(side), s.owner[node]
    tech = power_tech(s, owner, "infantry") if owner != NOBODY else 1
    dice, face = fire.target_flak(tech, weather_at(s, node))
    risk = dice * (7 - face) * STEP // 6
    if weather_at(s, node) != "rain":
        distances = world(s).theatre.distances(node)
        near = sum(distances[s.place[u]] <= NEAR for u in aircraft_on_map(s, enemy))
        risk += min(3, near) * STEP // 6  # they bleed too
    return risk


def best_target(s: BitwState, side: Side, bombers: list[int], nodes: Iterable[int]) -> tuple[int, int, int]:
    """The most that some bombers can gain at one of some hexes, less the risk: value, hex, kind."""
    t, best = world(s).theatre, (0, -1, -1)
    for node in nodes:
        near = (u for u in bombers if t.distances(s.place[u])[node] <= air_range(s, u))
        able = [u for u in near if not why_not_weather(s, u, node)]
        if not able:
            continue
        law = chances(shots_of(s, able, node))
        kinds = kinds_at(s, enemy_of(side), node)
        value, kind = max(((worth_of_hits(s, side, node, k, law), -k) for k in kinds), default=(0, 0))
        value -= risk_at(s, side, node)
        if value > best[0]:
            best = (value, node, -kind)
    return best


def bite(unit: int, steps: int) -> int:
    """How hard a bomber hits a target: an ordinary one has a Malus (32.0d)."""
    return 2 * steps if UNITS[unit].kind == "strategic_bomber" else steps


# The decisions


def raid_choices(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """32.0a The best raid now; else the HQ whose bombers find one that pays for its step; else none."""
    nodes = [noun for verb, noun in legal if verb == "raid"]
    turn, done = turn_of(s), [a for a in legal if a[0] == "done"]
    bombers = sendable(s, turn, side)
    if nodes:
        ordered = [u for u in bombers if commander(s, u, "air") != NONE]
        value, node, _ = best_target(s, side, ordered, nodes)
        if value > 0:
            return [("raid", node)]
    country = world(s).theatre.country
    for verb, unit in legal:
        if verb == "activate" and s.steps[unit] > 1:
            hq = headquarters()[unit]
            near = command_hexes(s, side, s.place[unit]) if hq.radius else None
            mine = [u for u in bombers if commands(hq, u, "air", country[s.place[u]])]
            mine = sorted(
                (u for u in mine if near is None or s.place[u] in near), key=lambda u: (-bite(u, s.steps[u]), u)
            )
            mine = mine[: min(s.steps[unit], hq.limits["air"])]
            if mine and best_target(s, side, mine, target_hexes(s, enemy_of(side)))[0] > STAFF_STEP:
                return [(verb, unit)]
    return done or legal


def aim_choices(s: BitwState, c: Raid, side: Side, legal: list[Action]) -> list[Action]:
    """32.0a The target of the hex that is worth most to the bombers with orders."""
    bombers = [u for u in sendable(s, turn_of(s), side) if commander(s, u, "air") != NONE]
    kind = best_target(s, side, bombers, [c.hex])[2]
    return [("bomb", kind)] if ("bomb", kind) in legal else legal


def enough(s: BitwState, c: Raid) -> bool:
    """Whether the bombers on their way are likely to do all that can be done to the target."""
    kind = TARGET_KINDS.index(c.aim)
    law = chances(shots_of(s, [u for u in c.raiders if UNITS[u].is_bomber], c.hex))
    mean = sum(number * p for number, p in enumerate(law))
    if kind >= FIRST_STATION:
        return law[0] <= 15
    if kind < len(FACTORIES):
        made = printed_factories(s, c.hex, FACTORIES[kind]) + new_factories(s, c.hex, FACTORIES[kind])
        return mean >= 100 * made + 100
    return mean >= 100 * (centre_points(s, c.hex) + 1) if kind == CENTRE else mean >= 300


def send_choices(s: BitwState, c: Raid, side: Side, legal: list[Action]) -> list[Action]:
    """32.0b Bombers until the target is served, the strongest first; then an escort where enemies are near."""
    units = [noun for verb, noun in legal if verb == "send"]
    bombers = sorted((u for u in units if UNITS[u].is_bomber), key=lambda u: (-bite(u, s.steps[u]), u))
    if bombers and not (c.raiders and enough(s, c)):
        return [("send", bombers[0])]
    escorts = sorted((u for u in units if not UNITS[u].is_bomber and s.steps[u] > 2), key=lambda u: (-s.steps[u], u))
    flying = sum(not UNITS[u].is_bomber for u in c.raiders)
    distances = world(s).theatre.distances(c.hex)
    near = any(distances[s.place[u]] <= NEAR for u in aircraft_on_map(s, enemy_of(side)))
    if escorts and near and flying < 1:
        return [("send", escorts[0])]
    return [("launch", 0)] if ("launch", 0) in legal else legal


def interception_choices(s: BitwState, c: Raid, side: Side, legal: list[Action]) -> list[Action]:
    """32.0c As many fighters as the raid has aircraft, the strongest first; HQs with steps to spare send them."""
    if len(c.interceptors) >= len(c.raiders):
        return [("done", 0)]
    fit = [noun for verb, noun in legal if verb == "intercept" and s.steps[noun] > 1]
    if fit:
        return [("intercept", max(fit, key=lambda u: (s.steps[u], -u)))]
    staffs = [noun for verb, noun in legal if verb == "activate" and s.steps[noun] > 1]
    if staffs and not c.interceptors:
        return [("activate", max(staffs, key=lambda u: (s.steps[u], -u)))]
    return [("done", 0)]


def mending(s: BitwState, legal: list[Action]) -> list[Action]:
    """13.8.1.2-radar-f The station to mend before all else: one that joins another, while the chain counts."""
    broken = [noun for verb, noun in legal if verb == "radar"]
    needed = tech_level("UK", "fighters", month(s)) < 2 or counts_radar(world(s).scenario)
    if not broken or not needed or chain(s) == FULL_SERVICE:
        return []
    joined = [x for x in broken if any(0 <= y < len(STATIONS) and s.radar[y] for y in (x - 1, x + 1))]
    return [("radar", (joined or broken)[0])]


def strategic_choices(s: BitwState, side: Side, legal: list[Action]) -> list[Action] | None:
    """What a raid asks, answered; None for anything else."""
    c, verbs = s.frames[-1], {verb for verb, _ in legal}
    if "raid" in verbs or (c.at() == "32.0a" and "bomb" not in verbs):
        return raid_choices(s, side, legal)
    if not isinstance(c, Raid):
        return mending(s, legal) or None if "radar" in verbs else None
    if "bomb" in verbs:
        return aim_choices(s, c, side, legal)
    if "launch" in verbs or "send" in verbs:
        return send_choices(s, c, side, legal)
    return interception_choices(s, c, side, legal) if c.at() == "32.0c" else None
