"""13 Headquarters: who they are, when they are activated, whom they reach, what they spend, how they run dry.

An HQ that is activated is turned up and has action points, one for each step. Armour, aircraft and special actions draw
on them (`commander` finds the HQ, `spend` pays); nobody names it. `data/headquarters.toml` has what each does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from grognard.kernel import DataError, No, Side, emit, no, rule

from ..frames import PlayerTurn
from ..loading import FILES
from ..memo import remembered, unchanged
from ..nouns import FOG
from ..state import (
    HELD_BACK,
    NONE,
    OFF,
    OOS,
    POOL,
    SUPPLIED,
    BitwState,
    enemy_of,
    is_battle,
    is_frozen,
    side_holding,
)
from ..world import BLOCKS_OF, LIMITS, POWERS, SIDE_OF, UNIT_IDS, UNITS, world
from .definitions import air_zone, ground_zone, power_tech, why_not_own, why_not_serve
from .opening import rule_is_on
from .readings import otherwise
from .supply import remove
from .weather import is_sunny

ACTIONS: Final = ("armour", "air", "unsupplied", "rail", "sea", "landing", "drop", "reserve", "recon", "coast")
PHASES: Final = ("war", "rail", "move", "react", "exploit")
MANY: Final = 9  # in the data: as often as there are action points

NO_HQS, NOT_AN_HQ = no("6.4", "no-hqs"), no("13.0a", "not-an-hq")
NOT_ON_MAP, FROZEN = no("13.2", "not-on-map"), no("3.21", "frozen")
ACTIVE_ALREADY, EMBATTLED = no("13.4", "active-already"), no("13.3c", "hq-embattled")
FUHRER_MUTE = no("guide-berlin", "fuhrer-mute")
IN_SUPPLY, NOT_COASTAL, NO_LEADERS = no("13.8.4", "in-supply"), no("13.8.4", "not-coastal"), no("13.8.4", "no-leaders")
WRONG_PHASE = {
    kind: no(rule_id, "hq-phase")
    for kind, rule_id in (
        ("armour", "13.1a"),
        ("air", "13.1a"),
        ("supreme", "13.8.1b"),
        ("navy", "13.8.1.1-okm"),
        ("exploit", "13.7b"),
        ("strategic", "13.8b"),
    )
}


class Hq(NamedTuple):
    """13.8a What an HQ may do: when it is activated, how often each action, within what radius, area, kinds."""

    unit: int
    kind: str  # its class in the data
    phases: frozenset[str]
    limits: dict[str, int]
    radius: bool
    fixed: bool
    powers: frozenset[int]
    countries: frozenset[str]  # where alone it commands; empty: everywhere
    ground: str  # the trait that ground units must have
    aircraft: str  # `fighters`, `bombers` or any


@rule("13.8a", "13.8.1a", "13.1b", "13.1c", "13.8.1.3-hq", "13.8.1.1-okm", "13.8.1.1-fhq", "13.1d", "13.8.5")
@lru_cache(maxsize=1)
def headquarters() -> dict[int, Hq]:
    """13.8a Every HQ of the box by its block; the FHQ commands Germany's allies too (13.8.1.1-fhq)."""
    file = "headquarters.toml"
    table = FILES.toml(file)
    found = {}
    for name, entry in table["hq"].items():
        if name == "source":
            continue
        if name not in UNIT_IDS or entry["class"] not in table["class"]:
            raise DataError(file, name, "no such block, or no such class of HQs")
        kind, u = table["class"][entry["class"]], UNITS[UNIT_IDS[name]]
        if set(kind["actions"]) - set(ACTIONS) or set(kind["phases"]) - set(PHASES):
            raise DataError(file, name, "an action or a phase that does not exist")
        allies = (p.index for p in POWERS if p.side == u.side)
        found[u.index] = Hq(
            u.index,
            entry["class"],
            frozenset(kind["phases"]),
            dict(kind["actions"]),
            kind.get("radius", False),
            entry.get("fixed", False),
            frozenset(allies) if entry.get("cross") else frozenset((u.power,)),
            frozenset(entry.get("countries", ())),
            kind.get("ground", ""),
            kind.get("aircraft", ""),
        )
    return found


IS_HQ: Final = bytes(u.index in headquarters() for u in UNITS)
HQS_OF: Final = tuple(tuple(u for u in BLOCKS_OF[side] if IS_HQ[u]) for side in (0, 1))


def hqs_count(s: BitwState) -> bool:
    """6.4 HQs, fuel and command are Advanced."""
    return rule_is_on(s, "13.2")


# 13.1-13.4 Activation


@rule("7.4g", "13.1a", "13.3c", "13.7b", "13.8b", "13.8.1b", "13.8.1.1-okm", "13.8.1.1-rk", "13.8.1.2-raf", "13.8.5")
@rule("guide-berlin", "32.0b")
def why_not_activate(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """13.1a An HQ is activated once, in the phases that are its own; in reaction not if it is embattled (13.3c)."""
    if not hqs_count(s):
        return NO_HQS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if not IS_HQ[unit]:
        return NOT_AN_HQ
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if s.active[unit]:
        return ACTIVE_ALREADY
    if s.fuhrer_mute and unit == FHQ:
        return FUHRER_MUTE
    hq = headquarters()[unit]
    if phase not in hq.phases:
        return WRONG_PHASE["exploit" if phase == "exploit" else phase_rule(hq)]
    if phase == "react" and is_battle(s, s.place[unit]):
        return EMBATTLED
    return why_not_serve(s, unit)


def phase_rule(hq: Hq) -> str:
    """Which rule names the phases of an HQ."""
    if hq.kind in ("raeder", "doenitz"):
        return "navy"
    return hq.kind if hq.kind in ("armour", "supreme") else "air" if hq.radius else "strategic"


def ready(s: BitwState, side: Side, phase: str) -> list[int]:
    """The HQs of a side that may be activated now."""
    return [u for u in HQS_OF[side] if why_not_activate(s, u, side, phase) is None] if hqs_count(s) else []


@rule("3.12", "13.0a", "13.4", "13.5d")
def action_points(s: BitwState, unit: int) -> int:
    """13.4 One action point a step; 13.5d half of that out of supply, rounded down, but always 1."""
    steps = s.steps[unit]
    return max(1, steps // 2) if s.flags[unit] & OOS else steps


@rule("13.2", "13.3b")
def activate(s: BitwState, unit: int) -> None:
    """13.2 The HQ is turned up where it stands, after its own move if it made one (13.3b), and has its points."""
    s.active[unit] = s.revealed[unit] = 1
    s.fuel[unit], s.orders[unit] = action_points(s, unit), s.orders[unit] & HELD_BACK
    where = world(s).theatre.names[s.place[unit]]
    emit(s, "activated", "13.2", reveals=True, unit=UNITS[unit].id, hex=where, points=s.fuel[unit])


# 13.3 Whom it reaches


@rule("13.3d", "13.0b")
def command_radius(s: BitwState, node: int) -> int:
    """13.0b Five hexes; three where the HQ stands in bad weather (13.3d)."""
    return LIMITS["command_radius" if is_sunny(s, node) else "command_radius_bad"]


def _lines(s: BitwState, side: Side, start: int) -> Hashable:
    """What the reach of an HQ hangs on: the weather, who stands or flies where, who holds what."""
    there = unchanged("place", s.place.tobytes()), unchanged("flags", s.flags)  # type: ignore[attr-defined]
    return (s.scenario, s.conditions, *there, unchanged("owner", s.owner))


@remembered(_lines)
@rule("13.3a")
def command_hexes(s: BitwState, side: Side, start: int) -> frozenset[int]:
    """13.3a The hexes within the radius, counted through friendly hexes outside enemy zones of control.

    Never over deep water; a strait is no obstacle. Zones are those of any enemy unit, based aircraft too; by the switch
    `command-zones` those of ground units alone.
    """
    t, enemy = world(s).theatre, enemy_of(side)
    shut = ground_zone(s, enemy) | (set() if otherwise(s, "command-zones") else air_zone(s, enemy))
    found, frontier = {start}, [start]
    for _ in range(command_radius(s, start)):
        near = {n for node in frontier for n in (*t.touch[node], *t.arrows[node]) if n not in found}
        frontier = [n for n in sorted(near) if n not in shut and side_holding(s, n) == side]
        found.update(frontier)
    return frozenset(found)


@rule("13.1b", "13.1c", "13.1d", "13.8.1.1-rk", "13.8.1.1-g", "13.8.1.1-lw", "13.8.1.2-raf", "13.8.1.1-fhq", "13.8.5")
def commands(hq: Hq, unit: int, action: str, country: str) -> bool:
    """13.1d Whether an HQ may ever give this order to this unit: its nation, its kind, its area.

    Armour HQs order armour, air HQs aircraft, Fighter and Bomber Command their own kind; Goering aircraft and the
    ground units of the Luftwaffe; Rommel in France and Kesselring in Italy alone.
    """
    u = UNITS[unit]
    if (action not in hq.limits and action not in CASABLANCA) or u.power not in hq.powers:
        return False
    if hq.countries and country not in hq.countries:
        return False
    if u.is_air:
        return action in AIR_ACTIONS and (not hq.aircraft or (hq.aircraft == "bombers") == u.is_bomber)
    return action != "air" and (not hq.ground or hq.ground in u.traits)


AIR_ACTIONS: Final = ("air", "unsupplied", "coast")
CASABLANCA: Final = ("landing", "coast")  # 13.8.4 what the conference adds


@rule("13.8.1c", "13.4", "13.8.1.1-zplan", "13.8.1.1-doenitz", "13.8.4")
def limit_of(s: BitwState, hq: Hq, action: str) -> int:
    """13.8.1c How often one activation allows an action: leaders each kind once, HQs of one arm as they have points.

    13.8.4 After Casablanca Churchill and Eisenhower, both active in the same turn, do each as often as they like and
    command landings; one point each may supply a unit on a coast, with navy TECH 3 each by himself (24.5-navy3).
    """
    if action == "coast":
        return int(together(s, hq.unit) or (hq.unit in PAIR and navy_tech(s, hq) >= 3))
    if together(s, hq.unit):
        return MANY
    limit = hq.limits.get(action, 0)
    return min(1, limit) if action == "landing" and navy_tech(s, hq) < 2 else limit


@rule("24.0b", "24.5-wave-a", "24.5-navy3")
def navy_tech(s: BitwState, hq: Hq) -> int:
    """24.0b The navy tech of an HQ's power: at 1 it commands a single landing; at 3 a leader feeds a coast (24.5)."""
    return power_tech(s, UNITS[hq.unit].power, "navy")


@rule("13.8.4")
def together(s: BitwState, unit: int) -> bool:
    """13.8.4 Churchill and Eisenhower activated together, where the conference has been held (ruling A36)."""
    return unit in PAIR and "casablanca" in world(s).scenario.rules and all(s.active[u] for u in PAIR)


FHQ: Final = UNIT_IDS["de-f"]
PAIR: Final = (UNIT_IDS["uk-chu"], UNIT_IDS["us-ike"])


@rule("13.0b", "13.3a")
def reaches(s: BitwState, hq: Hq, node: int) -> bool:
    """13.0b Strategic HQs reach everywhere, tactical ones within the radius."""
    if not hq.radius:
        return True
    return node in command_hexes(s, SIDE_OF[hq.unit], s.place[hq.unit])


def can_command(s: BitwState, hq: int, unit: int, action: str) -> bool:
    """13.4 Whether an active HQ has a point for this order to this unit, where it stands now."""
    info, here = headquarters()[hq], s.place[unit]
    if not s.active[hq] or not s.fuel[hq] or hq == unit or here >= OFF:
        return False
    if limit_of(s, info, action) < MANY and s.orders[hq] >> ACTIONS.index(action) & 1:
        return False
    if not limit_of(s, info, action):
        return False
    return commands(info, unit, action, world(s).theatre.country[here]) and reaches(s, info, here)


def has_order(s: BitwState, side: Side, action: str) -> bool:
    """13.4 Whether an active HQ of a side has a point for such an order, whomever it reaches."""
    for unit in HQS_OF[side]:
        if s.active[unit] and s.fuel[unit]:
            limit = limit_of(s, headquarters()[unit], action)
            if limit >= MANY or (limit and not s.orders[unit] >> ACTIONS.index(action) & 1):
                return True
    return False


def commanders(s: BitwState, unit: int, action: str) -> Iterator[int]:
    """The active HQs that could give an order to a unit: tactical ones first, then those with more points."""
    mine = [u for u in HQS_OF[SIDE_OF[unit]] if s.active[u] and s.fuel[u] and s.place[u] < OFF]
    for hq in sorted(mine, key=lambda u: (not headquarters()[u].radius, -s.fuel[u], u)):
        if can_command(s, hq, unit, action):
            yield hq


def commander(s: BitwState, unit: int, action: str) -> int:
    """The HQ that gives an order to a unit, or NONE."""
    return next(commanders(s, unit, action), NONE)


@rule("13.4", "13.0a", "13.8.1c")
def spend(s: BitwState, hq: int, action: str, unit: int) -> None:
    """13.4 One point for one order; its owner alone hears who obeys."""
    s.fuel[hq] -= 1
    s.orders[hq] |= 1 << ACTIONS.index(action)
    name, audience = UNITS[unit].id, (SIDE_OF[hq],)
    emit(s, "commanded", "13.4", audience=audience, hq=UNITS[hq].id, unit=name, action=action, left=s.fuel[hq])


@rule("13.8.4")
def why_not_supply(s: BitwState, unit: int, side: Side) -> No | None:
    """13.8.4 Churchill and Eisenhower may each spend a point to supply in full a unit of theirs on a coast."""
    if not hqs_count(s):
        return NO_HQS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if not s.flags[unit] & OOS:
        return IN_SUPPLY
    if not world(s).theatre.coastal[s.place[unit]]:
        return NOT_COASTAL
    return NO_LEADERS if commander(s, unit, "coast") == NONE else None


@rule("13.8.4")
def supply_coast(s: BitwState, unit: int) -> None:
    """13.8.4 The barrel goes, and the unit is fully supplied this turn."""
    spend(s, commander(s, unit, "coast"), "coast", unit)
    s.flags[unit] &= ~OOS & 255
    s.orders[unit] |= SUPPLIED
    emit(s, "supplied", "13.8.4", unit=FOG.veil(s, unit), hex=world(s).theatre.names[s.place[unit]])


# 13.6 Deactivation


@rule("13.6a", "13.6b", "13.8c")
def deactivate(s: BitwState, c: PlayerTurn) -> None:
    """13.6a Every active HQ loses a step and stands up again; at its last step it is used up (13.6b)."""
    for unit in FOG.in_token_order(s, [u for u in (*HQS_OF[0], *HQS_OF[1]) if s.active[u]]):
        s.active[unit] = s.fuel[unit] = 0
        s.orders[unit] &= HELD_BACK
        name = UNITS[unit].id
        if s.steps[unit] <= 1:
            emit(s, "hq-spent", "13.6b", unit=name, hex=world(s).theatre.names[s.place[unit]])
            remove(s, unit, POOL, spent=True)
            continue
        s.steps[unit] -= 1
        emit(s, "deactivated", "13.6a", unit=name, hex=world(s).theatre.names[s.place[unit]], steps=s.steps[unit])
        FOG.remember(s, enemy_of(SIDE_OF[unit]), unit, s.steps[unit])
        if not is_battle(s, s.place[unit]):
            s.revealed[unit] = 0


def hqs_active(s: BitwState, c: Any) -> bool:
    """13.6 Whether any HQ is active."""
    return any(s.active)


def in_command(s: BitwState, side: Side) -> dict[int, int]:
    """13.3 By hex: how many units of a side an active HQ of its could fuel there now."""
    found: dict[int, int] = {}
    for unit in needy(s, BLOCKS_OF[side]):
        if commander(s, unit, "air" if UNITS[unit].is_air else "armour") != NONE:
            found[s.place[unit]] = found.get(s.place[unit], 0) + 1
    return found


@rule("13.2")
def needs_fuel(s: BitwState, unit: int) -> bool:
    """13.2 Tanks, tankettes, aircraft and armour HQs that are not active live on fuel."""
    u = UNITS[unit]
    return (u.is_air or (u.is_armour and not s.active[unit])) and not s.orders[unit] & SUPPLIED


def needy(s: BitwState, units: Iterable[int]) -> list[int]:
    """Of some units those on the map that live on fuel."""
    return [u for u in units if s.place[u] < OFF and needs_fuel(s, u)]
