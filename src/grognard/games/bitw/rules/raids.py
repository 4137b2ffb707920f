"""7.1, 32.0 Strategic warfare from the air: the non-phasing player's raids, those who rise against them, the bombs.

A raid is a battle of aircraft over one target (`Raid` is a `Combat`): one round in the air, one of the target's flak,
then the bombs. Both sides' aircraft fly by order of HQs that are activated for it; they go back to their bases at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, roll, rule

from ..frames import PlayerTurn, Raid
from ..loading import ALLIES
from ..nouns import FOG, HEX, TARGET, TARGET_KINDS, UNIT, name_of
from ..scenarios import NOBODY
from ..state import (
    MISSION,
    NONE,
    OFF,
    OOS,
    BitwState,
    aircraft_on_map,
    enemy_of,
    is_frozen,
    put,
)
from ..world import IS_AIR, SIDE_OF, UNITS, world
from . import fire
from .air import NO_STEPS, NOT_ON_MAP, UNSUPPLIED_MISSION, air_range, settle_at
from .combat import fliers, settle, volley_of
from .definitions import note_attack, power_tech, tech_of, why_not_own, why_not_serve
from .fire import AA, BOMB
from .harbours import bomb_harbour
from .headquarters import (
    activate,
    command_hexes,
    commander,
    commands,
    headquarters,
    ready,
    spend,
    why_not_activate,
)
from .radar import knock_out, watch_the_sky
from .targets import FIRST_STATION, MULBERRY, damage, kinds_at, target_hexes
from .weather import RAIN, sky_at, weather_at

WAR = "war"  # the phase, as HQs call it
WARFARE = ("bombing", "submarines", "lend-lease", "wunderwaffen")  # chapters that bring the phase (ruling A58)

NO_BOMBING, NO_TARGET = no("32.0a", "no-bombing"), no("32.0a", "nothing-to-bomb")
NOT_A_TARGET, NO_RAIDER = no("32.0a", "no-such-target"), no("32.0b", "no-raider")
NOT_AN_AIRCRAFT, FLOWN_ALREADY = no("32.0b", "not-an-aircraft"), no("32.0b", "flown-already")
RAID_TECH, ESCORT_ALONE = no("32.0b", "raid-tech"), no("32.0b", "escort-alone")
NO_RAID_ORDER, NO_BOMBER = no("32.0b", "no-raid-order"), no("32.0b", "no-bomber")
FIGHTERS_ONLY, NO_INTERCEPTION = no("32.0c", "fighters-only"), no("32.0c", "no-interception-order")
RAID_IN_RAIN, FROZEN = no("32.0h", "raid-in-rain"), no("3.21", "frozen")
TOO_FAR = no("7.5.2b", "raid-too-far", lambda s, c, side, unit: {"range": air_range(s, unit)})


def raids_count(s: BitwState) -> bool:
    """32.0 Whether the chapter is played."""
    return s.chosen.get("bombing") == "on"


@rule("7.1")
def warfare_counts(s: BitwState, c: PlayerTurn) -> bool:
    """7.1 The Strategic Warfare Phase exists where bombing, convoys, American goods or V-weapons are played (A58)."""
    return any(s.chosen.get(name) == "on" for name in WARFARE)


@rule("7.1", "7.0b")
def open_warfare(s: BitwState, c: PlayerTurn) -> None:
    """7.1 The phase opens a player's turn, before supply."""
    emit(s, "warfare", "7.1", side=c.side, turn=s.turn)


# Who may fly


@rule("32.0h")
def why_not_weather(s: BitwState, unit: int, node: int) -> No | None:
    """32.0h In rain only strategic bombers of the Western Allies fly, without escort or interception (ruling A40)."""
    if sky_at(s, node) != RAIN or (UNITS[unit].kind == "strategic_bomber" and SIDE_OF[unit] == ALLIES):
        return None
    return RAID_IN_RAIN


@rule("7.5.2b", "4.4d", "7.1")
def why_not_ready(s: BitwState, flown: tuple[int, ...], unit: int, side: Side) -> No | None:
    """7.5.2b A supplied aircraft above 0 steps that has not flown in this phase."""
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if not IS_AIR[unit]:
        return NOT_AN_AIRCRAFT
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if unit in flown:
        return FLOWN_ALREADY
    if s.flags[unit] & OOS:
        return UNSUPPLIED_MISSION
    return NO_STEPS if not s.steps[unit] else why_not_serve(s, unit)


@rule("32.0b")
def may_bomb(s: BitwState, unit: int) -> bool:
    """32.0b Strategic bombers, and other bombers from TECH 2."""
    kind = UNITS[unit].kind
    return kind == "strategic_bomber" or (kind == "bomber" and tech_of(s, unit) >= 2)


@rule("32.0b", "32.0h")
def why_not_raid(s: BitwState, flown: tuple[int, ...], unit: int, side: Side, node: int) -> No | None:
    """32.0b A bomber that may bomb, or a fighter, in range of the target, by order of an HQ eligible for it."""
    refusal = why_not_ready(s, flown, unit, side)
    if refusal:
        return refusal
    if UNITS[unit].is_bomber and not may_bomb(s, unit):
        return RAID_TECH
    refusal = why_not_weather(s, unit, node)
    if refusal:
        return refusal
    if world(s).theatre.distances(s.place[unit])[node] > air_range(s, unit):
        return TOO_FAR
    return NO_RAID_ORDER if commander(s, unit, "air") == NONE else None


@rule("32.0c", "32.0h")
def why_not_intercept(s: BitwState, flown: tuple[int, ...], unit: int, side: Side, node: int) -> No | None:
    """32.0c A fighter in range, by order of an eligible HQ; one based in the attacked hex rises without."""
    refusal = why_not_ready(s, flown, unit, side)
    if refusal:
        return refusal
    if UNITS[unit].kind != "fighter":
        return FIGHTERS_ONLY
    refusal = why_not_weather(s, unit, node)
    if refusal or s.place[unit] == node:
        return refusal
    if world(s).theatre.distances(s.place[unit])[node] > air_range(s, unit):
        return TOO_FAR
    return NO_INTERCEPTION if commander(s, unit, "air") == NONE else None


def has_aircraft(s: BitwState, side: Side, flown: tuple[int, ...]) -> bool:
    """1.3 Whether all can see an aircraft of a side that is fed and has not flown in this phase."""
    return any(not s.flags[u] & OOS and u not in flown for u in aircraft_on_map(s, side))


def sendable(s: BitwState, c: PlayerTurn, side: Side) -> list[int]:
    """32.0b The bombers of a side that could raid, orders and targets apart."""
    mine = aircraft_on_map(s, side)
    return [u for u in mine if UNITS[u].is_bomber and may_bomb(s, u) and not why_not_ready(s, c.flown, u, side)]


def staffs_for(s: BitwState, side: Side, units: Iterable[int]) -> list[int]:
    """32.0b The HQs that may be activated now and could order one of some aircraft where it stands."""
    units = list(units)
    return [unit for unit in ready(s, side, WAR) if could_order(s, side, unit, units)] if units else []


def could_order(s: BitwState, side: Side, unit: int, aircraft: Iterable[int]) -> bool:
    """32.0b Whether an HQ commands one of some aircraft where it stands."""
    hq, country = headquarters()[unit], world(s).theatre.country
    near = command_hexes(s, side, s.place[unit]) if hq.radius else None
    return any((near is None or s.place[u] in near) and commands(hq, u, "air", country[s.place[u]]) for u in aircraft)


# 32.0a Where


@rule("32.0a", "32.0b", "32.0h")
def raid_hexes(s: BitwState, c: PlayerTurn, side: Side) -> list[int]:
    """32.0a The hexes with a target that a bomber with orders can reach."""
    t, found = world(s).theatre, set[int]()
    targets = target_hexes(s, enemy_of(side))
    for u in sendable(s, c, side):
        if commander(s, u, "air") != NONE:
            far, most = t.distances(s.place[u]), air_range(s, u)
            found.update(n for n in targets if far[n] <= most and not why_not_weather(s, u, n))
    return sorted(found)


@rule("32.0a", "7.1")
class PlanRaids(Decision):
    """32.0a In the Strategic Warfare Phase the non-phasing player raids target after target, as his HQs allow."""

    verbs = {"done": NOTHING, "activate": UNIT, "raid": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done, while aircraft stand on the map: which of them are bombers is not told (1.3)."""
        return raids_count(s) and c.finished != c.at() and has_aircraft(s, side, c.flown)

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """HQs that could order a raid, and what it could strike."""
        if verb == "done":
            return (0,)
        return staffs_for(s, side, sendable(s, c, side)) if verb == "activate" else raid_hexes(s, c, side)

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same answers, looked up once."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """An HQ that may be activated, or a target in reach."""
        if verb == "done":
            return None
        if not raids_count(s):
            return NO_BOMBING
        if verb == "activate":
            refusal = why_not_activate(s, noun, side, WAR)
            return refusal or (None if could_order(s, side, noun, sendable(s, c, side)) else NO_RAIDER)
        if not kinds_at(s, enemy_of(side), noun):
            return NO_TARGET
        return None if noun in raid_hexes(s, c, side) else NO_RAIDER

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Activate, or begin a raid; where there is one target only, it is that."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "activate":
            activate(s, noun)
        else:
            kinds = kinds_at(s, enemy_of(side), noun)
            enter(s, Raid(hex=noun, attacker=side, aim=TARGET_KINDS[kinds[0]] if len(kinds) == 1 else ""))


@rule("32.0a")
class AimRaid(Decision):
    """32.0a One target of the hex: a factory, the centre, the port, the station, a radar station."""

    verbs = {"bomb": TARGET}

    def needed(self, s: BitwState, c: Raid, side: Side) -> bool:
        """Until it is said."""
        return not c.aim

    def nouns(self, s: BitwState, c: Raid, side: Side, verb: str) -> Iterable[int]:
        """What there is."""
        return kinds_at(s, enemy_of(side), c.hex)

    def why_not(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> No | None:
        """Only that."""
        return None if noun in kinds_at(s, enemy_of(side), c.hex) else NOT_A_TARGET

    def apply(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> None:
        """Note it."""
        c.aim = TARGET_KINDS[noun]


def turn_of(s: BitwState) -> PlayerTurn:
    """The player turn in which a raid is flown."""
    return next(f for f in reversed(s.frames) if isinstance(f, PlayerTurn))


def take_off(s: BitwState, c: Raid, unit: int) -> None:
    """7.5.2b An aircraft flies to the target and remembers its base; one based there rises where it is."""
    turn = turn_of(s)
    turn.flown = (*turn.flown, unit)
    if s.place[unit] == c.hex:
        emit(s, "scrambles", "32.0c", unit=FOG.veil(s, unit), hex=name_of(s, c.hex))
        return
    spend(s, commander(s, unit, "air"), "air", unit)
    whence, s.base[unit] = s.place[unit], s.place[unit]
    s.flags[unit] |= MISSION
    put(s, unit, c.hex)
    rule_id = "32.0b" if SIDE_OF[unit] == c.attacker else "32.0c"
    emit(s, "flies", rule_id, unit=FOG.veil(s, unit), hex=name_of(s, c.hex), whence=name_of(s, whence))
    watch_the_sky(s, unit, c.hex)


@rule("32.0b", "13.8.1.2-radar-e")
class SendRaiders(Decision):
    """32.0b Bombers, as many as HQs order (ruling A5), and fighters as their escort; then the raid is on its way."""

    verbs = {"launch": NOTHING, "send": UNIT}

    def needed(self, s: BitwState, c: Raid, side: Side) -> bool:
        """Until it is launched."""
        return not c.launched

    def nouns(self, s: BitwState, c: Raid, side: Side, verb: str) -> Iterable[int]:
        """Every aircraft."""
        return (0,) if verb == "launch" else aircraft_on_map(s, side)

    def why_not(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> No | None:
        """No raid without a bomber; no escort before one."""
        bombers = any(UNITS[u].is_bomber for u in c.raiders)
        if verb == "launch":
            return None if bombers else NO_BOMBER
        refusal = why_not_raid(s, turn_of(s).flown, noun, side, c.hex)
        return ESCORT_ALONE if refusal is None and not bombers and not UNITS[noun].is_bomber else refusal

    def apply(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> None:
        """Fly, or go."""
        if verb == "launch":
            c.launched = 1
            note_attack(s, c.hex, side)
            return
        c.raiders = (*c.raiders, noun)
        take_off(s, c, noun)


@rule("32.0c")
class Intercept(Decision):
    """32.0c The defender sends fighters, by order of HQs or from the attacked base itself."""

    verbs = {"done": NOTHING, "activate": UNIT, "intercept": UNIT}

    def needed(self, s: BitwState, c: Raid, side: Side) -> bool:
        """Until he is done, while aircraft stand on the map: which of them are fighters is not told (1.3)."""
        if c.finished == c.at() or sky_at(s, c.hex) == RAIN:
            return False
        return has_aircraft(s, side, turn_of(s).flown)

    def near(self, s: BitwState, c: Raid, side: Side) -> list[int]:
        """The fighters in range that have not flown."""
        t, flown, found = world(s).theatre, turn_of(s).flown, []
        for u in aircraft_on_map(s, side):
            if UNITS[u].kind == "fighter" and not why_not_ready(s, flown, u, side):
                if t.distances(s.place[u])[c.hex] <= air_range(s, u) and not why_not_weather(s, u, c.hex):
                    found.append(u)
        return found

    def far(self, s: BitwState, c: Raid, side: Side) -> list[int]:
        """Those of them that need an order, not standing on the spot."""
        return [u for u in self.near(s, c, side) if s.place[u] != c.hex]

    def nouns(self, s: BitwState, c: Raid, side: Side, verb: str) -> Iterable[int]:
        """Fighters with orders or on the spot; HQs that could send others."""
        if verb == "done":
            return (0,)
        if verb == "activate":
            return staffs_for(s, side, self.far(s, c, side))
        return [u for u in self.near(s, c, side) if s.place[u] == c.hex or commander(s, u, "air") != NONE]

    def legal_nouns(self, s: BitwState, c: Raid, side: Side, verb: str) -> list[int]:
        """The same answers as `why_not`."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> No | None:
        """Fighters only."""
        if verb == "done":
            return None
        if verb == "activate":
            refusal = why_not_activate(s, noun, side, WAR)
            return refusal or (None if could_order(s, side, noun, self.far(s, c, side)) else NO_INTERCEPTION)
        return why_not_intercept(s, turn_of(s).flown, noun, side, c.hex)

    def apply(self, s: BitwState, c: Raid, side: Side, verb: str, noun: int) -> None:
        """Rise, activate, or let them come."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "activate":
            activate(s, noun)
        else:
            c.interceptors = (*c.interceptors, noun)
            take_off(s, c, noun)


# 32.0f The raid itself


@rule("32.0f", "7.7c")
def meet(s: BitwState, c: Raid) -> None:
    """32.0f Both sides show their aircraft."""
    for u in (*c.raiders, *c.interceptors):
        s.revealed[u], s.half[u] = 1, 0
    emit(
        s,
        "raid",
        "32.0f",
        reveals=True,
        hex=name_of(s, c.hex),
        target=c.aim,
        raiders=[[UNITS[u].id, s.steps[u]] for u in sorted(c.raiders)],
        fighters=[[UNITS[u].id, s.steps[u]] for u in sorted(c.interceptors)],
    )


def owner_of_target(s: BitwState, c: Raid) -> int:
    """32.0e Whose flak fires: the power that controls the hex, of a Mulberry its nation."""
    from .definitions import harbour_nation

    return harbour_nation(s, c.hex) if c.aim == TARGET_KINDS[MULBERRY] else s.owner[c.hex]


@rule("32.0e", "32.0i")
def flak(s: BitwState, c: Raid) -> None:
    """32.0e The flak of the target fires once; 32.0i it hits bombers and escorts alike, the strongest first."""
    c.target, c.row_asked = "air", AA
    c.hits = (0, 0)
    if not fliers(s, c, c.attacker):
        return
    owner, defender = owner_of_target(s, c), enemy_of(c.attacker)
    tech = power_tech(s, owner, "infantry") if owner != NOBODY else 1
    number, face = fire.target_flak(tech, weather_at(s, c.hex))
    dice = roll(s, "32.0e", number, side=defender)
    hits = fire.count_hits(dice, face)
    emit(s, "flak", "32.0e", hex=name_of(s, c.hex), dice=dice, face=face, hits=hits)
    c.hits = (hits, 0) if c.attacker == 0 else (0, hits)
    settle(s, c)


@rule("32.0b", "32.0d", "32.0f", "32.0i")
def drop_bombs(s: BitwState, c: Raid) -> None:
    """32.0d The bombers that are left roll for the target; escorts have no part in it (32.0i)."""
    c.row_asked = BOMB
    bombers = [u for u in fliers(s, c, c.attacker) if UNITS[u].is_bomber and s.steps[u] > 0]
    total = 0
    for shot in volley_of(s, c, bombers, BOMB):
        dice = roll(s, "32.0f", shot.dice, side=c.attacker)
        hits = fire.count_hits(dice, shot.face)
        total += hits
        lines = tuple((r, -n) for r, n in shot.modifiers.mali)
        emit(s, "fire", "32.0d", unit=shot.who.unit.id, dice=dice, face=shot.face, hits=hits, tally=lines)
    strike(s, c, total)


@rule("32.1", "32.2", "32.3", "32.4", "6.7.2a")
def strike(s: BitwState, c: Raid, hits: int) -> None:
    """32.1-32.4 What the hits do to the target."""
    kind = TARGET_KINDS.index(c.aim)
    if not hits:
        emit(s, "raid-fails", "32.0f", hex=name_of(s, c.hex), target=c.aim)
    elif kind >= FIRST_STATION:
        knock_out(s, kind - FIRST_STATION, "32.4")
    elif kind == MULBERRY:
        bomb_harbour(s, next(which for which in (0, 1) if s.harbour[which] == c.hex), hits)
    else:
        damage(s, enemy_of(c.attacker), kind, c.hex, hits)


@rule("7.8.1", "32.0f")
def fly_home(s: BitwState, c: Raid) -> None:
    """7.8.1 The aircraft that are left go back at once to the bases that they came from, which nobody has taken."""
    for u in FOG.in_token_order(s, [u for u in (*c.raiders, *c.interceptors) if s.place[u] == c.hex]):
        s.half[u] = 0
        if s.base[u] != NONE:
            settle_at(s, u, s.base[u], "7.8.1")
