"""7.7 Combat: the five steps of a round, hits, losses, further rounds and the end of a battle.

Dice and faces come from `fire.py`, which odds use too. Hits wait in the frame until they are spread; where only one
unit can take the next hit it does so at once, a tie asks the owner (7.7.9).
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, is_on, no, roll, rule

from ..frames import Combat, PlayerTurn, Raid
from ..nouns import FOG, HEX, UNIT, name_of
from ..scenarios import NOBODY
from ..state import (
    DROPPED,
    GROUNDED,
    LANDED,
    MISSION,
    POOL,
    BitwState,
    air_in,
    enemy_of,
    ground_in,
    is_battle,
    on_map,
    side_holding,
    side_in,
)
from ..theatre import MAJOR, MINOR
from ..world import IS_AIR, IS_COMBAT, IS_FORT, POWER_SIDE, SIDE_OF, UNITS, world
from . import fire
from .definitions import power_tech, tech_of, why_not_own
from .fire import AA, AIR, BOMB, GROUND, GUNS, Combatant, Field, Shot
from .opening import rule_is_on
from .radar import with_radar
from .readings import dice_of, otherwise
from .supply import remove
from .weather import SNOW, is_hardy, rivers_flow, weather_at

NO_BATTLE = no("7.7a", "no-battle")
NO_SALVO = no("13.1b", "no-salvo")
NOT_STRONGEST = no(
    "7.7.9",
    "not-strongest",
    lambda s, c, side, unit: {"strongest": [UNIT.word(s, side, u) for u in next_hit(s, c, side)]},
)

# The order of battles


def battle_hexes(s: BitwState) -> tuple[int, ...]:
    """3.22 The hexes where both sides have units."""
    return tuple(sorted({s.place[u] for u in on_map(s, 0) if is_battle(s, s.place[u])}))


@rule("7.7a")
def list_battles(s: BitwState, c: PlayerTurn) -> None:
    """7.7a The battles to be fought this phase."""
    c.battles = battle_hexes(s)


@rule("7.7a")
class PickBattle(Decision):
    """7.7a The phasing player resolves the battles in any order, each completely before the next."""

    verbs = {"battle": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While one is left."""
        return bool(c.battles)

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Those left."""
        return c.battles

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Only a battle hex not yet resolved."""
        return None if noun in c.battles else NO_BATTLE

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Begin it, if the enemy is still there."""
        c.battles = tuple(n for n in c.battles if n != noun)
        if is_battle(s, noun):
            enter(s, Combat(hex=noun, attacker=side))


# Who stands where and how


@rule("7.7c", "3.22", "3.22b")
def reveal_units(s: BitwState, c: Combat) -> None:
    """7.7c Both players reveal all their units in the hex; bombers based there may have to stay down in round 1."""
    for u in [*side_in(s, c.hex, 0), *side_in(s, c.hex, 1)]:
        s.revealed[u] = 1
        s.half[u] = 0
    name = name_of(s, c.hex)
    emit(
        s,
        "battle",
        "7.7c",
        reveals=True,
        hex=name,
        axis=[[UNITS[u].id, s.steps[u]] for u in side_in(s, c.hex, 0)],
        allies=[[UNITS[u].id, s.steps[u]] for u in side_in(s, c.hex, 1)],
    )
    keep_bombers_down(s, c)


@rule("6.3.2d", "7.7.3.1b", "6.3.1d", "7.7.3.1a")
def keep_bombers_down(s: BitwState, c: Combat) -> None:
    """7.7.3.1b Where aircraft attack, the defender's bombers based here stay down in round 1 (A23).

    Fighters must scramble (7.7.3.1a). Attacked by ground units alone, bombers fly at once (6.3.2d).
    """
    for u in air_in(s, c.hex, enemy_of(c.attacker)) if air_in(s, c.hex, c.attacker) else ():
        if UNITS[u].is_bomber and not s.flags[u] & MISSION:
            s.flags[u] |= GROUNDED


@rule("5.1-maginot-b", "5.2-siegfried-a", "7.7.11-fortress", "7.7.11-bunker")
def works_in_force(s: BitwState, c: Combat) -> int:
    """7.7.11 Fortress 2 or bunker 1; a Maginot fortress attacked by ground units from elsewhere than its front.

    Is a bunker, for its anti-aircraft dice too; attacked from the air alone it is whole (ruling A74).
    """
    return works_against(s, c.hex, c.attacker, (s.origin[u] for u in ground_in(s, c.hex, c.attacker)))


def works_against(s: BitwState, node: int, attacker: Side, origins: Iterable[int]) -> int:
    """7.7.11 The works of a hex in force against ground units that come from these hexes."""
    t = world(s).theatre
    if side_holding(s, node) == attacker:
        return 0
    if s.works[node] == 2 and node in t.maginot and any((whence, node) not in t.orange for whence in origins):
        return 1
    return s.works[node]


@rule("7.7.11-rivers", "7.7.11-straits")
def crossing_of(s: BitwState, c: Combat, unit: int) -> str:
    """7.7.11 What an attacking ground unit crossed to get here: a strait, a river, or nothing."""
    t = world(s).theatre
    whence = s.origin[unit]
    if s.orders[unit] & (LANDED | DROPPED):
        return "sea" if s.orders[unit] & LANDED else "air"
    if whence >= t.nodes:
        return ""
    if c.hex in t.arrows[whence]:
        return "strait"
    return "river" if (whence, c.hex) in t.rivers and rivers_flow(s, c.hex) else ""


@rule("7.7.2e", "7.7.2b", "3.3-capital", "7.7.11-clear")
def field_of(s: BitwState, c: Combat) -> Field:
    """7.7.6 The hex as the dice see it: terrain, city, works, fort block, the locality's AA, and who crosses what."""
    if isinstance(c, Raid):
        return Field(weather=weather_at(s, c.hex), raid=True, cancel=is_on(s, "cancel"), reading=dice_of(s))
    t = world(s).theatre
    works = works_in_force(s, c)
    defender = enemy_of(c.attacker)
    crossings = {crossing_of(s, c, u) for u in ground_in(s, c.hex, c.attacker)}
    landing = fire.faces_landing(crossings, otherwise(s, "landing-defence"))
    holder = s.owner[c.hex]
    tech = power_tech(s, holder, "infantry") if holder != NOBODY and POWER_SIDE[holder] == defender else 0
    city = {MAJOR: "major", MINOR: "minor"}.get(t.city[c.hex], "")
    held = side_holding(s, c.hex) == defender
    weather, sturdy = weather_at(s, c.hex), otherwise(s, "place-flak")
    return Field(
        terrain=t.terrain[c.hex],
        major=t.city[c.hex] == MAJOR,
        works=works,
        fort_steps=max((s.steps[u] for u in ground_in(s, c.hex, defender) if IS_FORT[u]), default=0),
        aa_dice=fire.locality_aa(city, works, c.hex not in t.no_fortress_aa, weather, sturdy) if held else 0,
        aa_face=5 if tech >= 3 else 6,
        all_cross=crossings.pop() if len(crossings) == 1 and not crossings & {"sea", "air"} else "",
        landing=landing,
        blind=rule_is_on(s, "19.0a") and c.hex not in s.seen_hexes,
        cancel=is_on(s, "cancel"),
        elite=rule_is_on(s, "10.0c"),
        heavy_swamp=rule_is_on(s, "14.0-swamp"),
        weather=weather,
        reading=dice_of(s),
    )


def combatant(s: BitwState, c: Combat, unit: int) -> Combatant:
    """A unit as the dice see it."""
    attacker = SIDE_OF[unit] == c.attacker
    return Combatant(
        UNITS[unit],
        s.steps[unit],
        with_radar(s, unit, c.hex, tech_of(s, unit)),
        attacker,
        crossing_of(s, c, unit) if attacker and not IS_AIR[unit] else "",
        fire.halves_flak(UNITS[unit], dice_of(s)),
        bool(s.flags[unit] & GROUNDED),
        unit,
        s.sky == SNOW and is_hardy(s, UNITS[unit], c.hex),
    )


def fliers(s: BitwState, c: Combat, side: Side) -> list[int]:
    """The aircraft of a side in the air over the hex; of a raid those that fly it, or rise against it (32.0b)."""
    if isinstance(c, Raid):
        return [u for u in (c.raiders if side == c.attacker else c.interceptors) if s.place[u] == c.hex]
    return [u for u in air_in(s, c.hex, side) if not s.flags[u] & GROUNDED]


def duellists(s: BitwState, c: Combat, side: Side) -> list[int]:
    """6.3.3c Those that take part in air-to-air combat: strategic bombers only in its first round (ruling A22)."""
    found = fliers(s, c, side)
    return [u for u in found if not (c.air_rounds and UNITS[u].kind == "strategic_bomber")]


@rule("20.0", "21.0a", "21.0b")
def chargers(s: BitwState, c: Combat, charge: str) -> list[int]:
    """21.0a Who charges: tanks, and tankettes from TECH 2 (21.0b); 20.0 or the cavalry."""
    mine = [u for u in ground_in(s, c.hex, c.attacker) if s.steps[u] > 0]
    if charge == "cavalry":
        return [u for u in mine if UNITS[u].kind == "cavalry"]
    if charge != "panzers":
        return []
    return [u for u in mine if UNITS[u].kind == "tank" or (UNITS[u].kind == "tankette" and tech_of(s, u) >= 2)]


@rule("23.0f")
def aloft(s: BitwState, c: Combat) -> list[int]:
    """23.0f The paratroops of the attacker that have not come down yet: until the flak of the first round has fired."""
    if c.round > 1 or c.ashore:
        return []
    return [u for u in ground_in(s, c.hex, c.attacker) if s.orders[u] & DROPPED]


def on_ground(s: BitwState, c: Combat, side: Side) -> list[int]:
    """The ground units of a side that stand in the hex."""
    found = ground_in(s, c.hex, side)
    falling = aloft(s, c) if side == c.attacker else ()
    return [u for u in found if u not in falling] if falling else found


@rule("23.0f")
def share_with_drops(s: BitwState, c: Combat) -> None:
    """23.0f Every hit in the air on the attacker is a hit on the units that drop, too: the strongest first."""
    for _ in range(c.hits[c.attacker]):
        falling = fire.strongest((u, s.steps[u]) for u in aloft(s, c))
        if falling:
            hit(s, falling[0])


# Rolling


def targets(s: BitwState, c: Combat, side: Side) -> list[int]:
    """The units of a side that the present fire can hit."""
    if c.target == "air":
        return duellists(s, c, side) if c.row_asked == AIR else fliers(s, c, side)
    found = on_ground(s, c, side)
    if c.charge and c.round == 1 and side == c.attacker and c.row_asked == GROUND:
        brave = [u for u in chargers(s, c, c.charge) if s.steps[u] > 0]
        found = brave or found
    if c.target == "bombed":
        found += [u for u in air_in(s, c.hex, side) if s.flags[u] & GROUNDED]
    return [u for u in found if s.steps[u] > 0]


def shoot(
    s: BitwState, c: Combat, side: Side, shots: list[Shot], rule_id: str, locality: tuple[int, int] = (0, 0)
) -> int:
    """Roll for every shot and the locality; how many hits fall on the enemy."""
    prey = [u for u in targets(s, c, enemy_of(side)) if s.steps[u] > 0]
    if not prey and not (c.target == "air" and side != c.attacker and aloft(s, c)):
        return 0
    total = 0
    for shot in shots:
        dice = roll(s, rule_id, shot.dice, side=side)
        hits = fire.count_hits(dice, shot.face)
        total += hits
        c.shots += shot.dice
        lines = (*((r, -n) for r, n in shot.modifiers.mali), *shot.modifiers.boni)
        emit(s, "fire", rule_id, unit=shot.who.unit.id, dice=dice, face=shot.face, hits=hits, tally=lines)
    number, face = locality
    if number:
        dice = roll(s, "7.7.2b", number, side=side)
        hits = fire.count_hits(dice, face)
        total += hits
        c.shots += number
        emit(s, "locality-fire", "7.7.2b", hex=name_of(s, c.hex), dice=dice, face=face, hits=hits)
    return total


def volley_of(s: BitwState, c: Combat, units: Iterable[int], kind: str) -> list[Shot]:
    """The shots of some units, all from the state before anyone is hit."""
    return fire.volley([combatant(s, c, u) for u in units], kind, field_of(s, c), c.round)


# 7.7.1 Air-to-air


@rule("7.7.1a", "7.7-seq")
def air_duel_occurs(s: BitwState, c: Combat) -> bool:
    """7.7.1a Aircraft of both sides over the hex, a fighter among them; only at the start of a combat (7.7.12).

    Where no side has a fighter left the step is over (ruling A24).
    """
    mine, theirs = duellists(s, c, 0), duellists(s, c, 1)
    armed = [u for u in [*mine, *theirs] if s.steps[u] > 0]
    alive = [any(s.steps[u] for u in units) for units in (mine, theirs)]
    alive[c.attacker] = alive[c.attacker] or (not c.air_rounds and bool(aloft(s, c)))
    both = alive[0] and alive[1]
    return c.round == 1 and both and any(UNITS[u].kind == "fighter" for u in armed)


@rule("6.3.2b", "6.3.2c")
def shooters_in_the_air(s: BitwState, c: Combat, side: Side) -> list[int]:
    """6.3.2 Those of a side that fire in air combat: bombers only at enemy fighters."""
    hunted = any(UNITS[u].kind == "fighter" and s.steps[u] > 0 for u in duellists(s, c, enemy_of(side)))
    reading = dice_of(s)
    return [u for u in duellists(s, c, side) if fire.fires_in_the_air(UNITS[u], hunted, reading)]


@rule("7.7.1b", "7.7.1c", "7.7-seq")
def air_duel(s: BitwState, c: Combat) -> None:
    """7.7.1b Both sides roll 1 die per step at air-to-air firepower, at the same time; hits fall on aircraft."""
    c.target, c.row_asked = "air", AIR
    shots = [volley_of(s, c, shooters_in_the_air(s, c, side), AIR) for side in (0, 1)]
    from_axis = shoot(s, c, 0, shots[0], "7.7.1b")
    from_allies = shoot(s, c, 1, shots[1], "7.7.1b")
    c.hits = (from_allies, from_axis)
    share_with_drops(s, c)
    settle(s, c)


def air_duel_fought(s: BitwState, c: Combat) -> bool:
    """True right after a round of air combat."""
    return c.row_asked == AIR


def end_air_round(s: BitwState, c: Combat) -> None:
    """7.7.1c A round of air combat is over."""
    c.air_rounds += 1


# 7.7.2 Anti-aircraft fire


@rule("7.7.2a", "7.7.2b", "7.7.2c", "7.7.2d", "6.1.4e", "6.5a", "6.5b", "7.7-seq")
def anti_aircraft_fire(s: BitwState, c: Combat) -> None:
    """7.7.2a Ground units and the locality fire at enemy aircraft before these attack.

    Nobody is spent by it (7.7.2d).
    """
    c.target, c.row_asked = "air", AA
    field = field_of(s, c)
    hits = [0, 0]
    shots = [volley_of(s, c, on_ground(s, c, side), AA) for side in (0, 1)]
    for side in (0, 1):
        if fliers(s, c, enemy_of(side)) or (side != c.attacker and aloft(s, c)):
            locality = (field.aa_dice, field.aa_face) if side != c.attacker else (0, 0)
            hits[enemy_of(side)] = shoot(s, c, side, shots[side], "7.7.2a", locality)
    c.hits = (hits[0], hits[1])
    share_with_drops(s, c)
    settle(s, c)


# 7.7.3 Air-to-ground


@rule("7.7.3a", "7.7.3b", "7.7.3c", "6.3.1a", "7.7-seq")
def air_to_ground_fire(s: BitwState, c: Combat) -> None:
    """7.7.3a Surviving aircraft of both sides roll 1 die per step at ground units.

    Once a round and at the same time.
    """
    c.target, c.row_asked = "bombed", BOMB
    shots = [volley_of(s, c, fliers(s, c, side), BOMB) for side in (0, 1)]
    if s.seen_hexes:
        from .recon import with_trumpets

        shots[c.attacker] = with_trumpets(s, c, shots[c.attacker])
    from_axis = shoot(s, c, 0, shots[0], "7.7.3a")
    from_allies = shoot(s, c, 1, shots[1], "7.7.3a")
    c.hits = (from_allies, from_axis)
    settle(s, c)


# 7.7.4 Artillery


@rule("6.1.4a", "6.1.4b", "6.1.4c", "6.1.4d", "7.7.4a", "7.7.4b", "7.7.4c", "7.7b", "7.7-seq")
def artillery_fire(s: BitwState, c: Combat, side: Side) -> None:
    """7.7.4 The artillery of one side must fire, 1 die per step, and then drops a position; alone it does not fire."""
    c.target, c.row_asked = "ground", GUNS
    mine = ground_in(s, c.hex, side)
    guns = [u for u in mine if (UNITS[u].kind == "artillery" or u in c.salvo) and s.steps[u] > 0]
    c.hits = (0, 0)
    if not guns or not is_backed(s, mine) or not targets(s, c, enemy_of(side)):
        return
    hits = shoot(s, c, side, volley_of(s, c, guns, GUNS), "7.7.4b")
    for u in guns:
        left = fire.after_firing(UNITS[u].pattern, s.steps[u])
        if left < 0:
            emit(s, "hq-spent", "13.6b", unit=UNITS[u].id, hex=name_of(s, c.hex))
            remove(s, u, POOL, spent=True)
        else:
            s.steps[u], s.half[u] = left, 0
    c.hits = (hits, 0) if side == 1 else (0, hits)
    settle(s, c)


def is_backed(s: BitwState, mine: list[int]) -> bool:
    """7.7.4a Guns fire only beside a combat unit able to fight, or a fort."""
    return any((IS_COMBAT[u] and s.steps[u] > 0) or IS_FORT[u] for u in mine)


@rule("13.1b", "13.8.1d")
class FireStaff(Decision):
    """13.1b Armour HQs, and leaders of minor powers, may fire with the guns of a round, at the price of a step."""

    verbs = {"hold": NOTHING, "fire": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """Once a round, while an HQ could fire."""
        return c.settled[side] < c.round and bool(self.nouns(s, c, side, "fire"))

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """The HQs that could."""
        if verb == "hold":
            return (0,)
        mine = ground_in(s, c.hex, side)
        able = [u for u in mine if self.has_fire(s, c, u)]
        return able if able and is_backed(s, mine) and ground_in(s, c.hex, enemy_of(side)) else ()

    def has_fire(self, s: BitwState, c: Combat, unit: int) -> bool:
        """Whether a unit is such an HQ that has not fired."""
        return fire.fires_as_guns(UNITS[unit]) and s.steps[unit] > 0 and unit not in c.salvo

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Not alone, and only those that have such fire."""
        if verb == "hold":
            return None
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if s.place[noun] != c.hex or not self.has_fire(s, c, noun):
            return NO_SALVO
        return None if is_backed(s, ground_in(s, c.hex, side)) and ground_in(s, c.hex, enemy_of(side)) else NO_SALVO

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """It fires with the guns, or all that have not been told to hold."""
        if verb == "fire":
            c.salvo = (*c.salvo, noun)
        else:
            c.settled = (c.round, c.settled[1]) if side == 0 else (c.settled[0], c.round)


# 7.7.5 Ground combat


@rule("7.7.5a", "7.7-seq", "6.6f")
def ground_fire(s: BitwState, c: Combat, side: Side) -> None:
    """7.7.5a The other ground units of one side fire, 1 die per step.

    The defender's first, then the attacker's survivors.
    """
    c.target, c.row_asked = "ground", GROUND
    mine = [u for u in ground_in(s, c.hex, side) if UNITS[u].kind != "artillery"]
    if c.charge and c.round == 1 and side == c.attacker:
        done = chargers(s, c, c.charge)  # they have fired
        mine = [u for u in mine if u not in done]
    c.salvo = tuple(u for u in c.salvo if SIDE_OF[u] != side)
    hits = shoot(s, c, side, volley_of(s, c, mine, GROUND), "7.7.5a")
    c.hits = (hits, 0) if side == 1 else (0, hits)
    settle(s, c)


def attacker(s: BitwState, c: Combat) -> tuple[Side, ...]:
    """3.2 The phasing side attacks."""
    return (c.attacker,)


def defender(s: BitwState, c: Combat) -> tuple[Side, ...]:
    """3.2 The other side defends."""
    return (enemy_of(c.attacker),)


def both(s: BitwState, c: Combat) -> tuple[Side, ...]:
    """The defender, then the attacker."""
    return (enemy_of(c.attacker), c.attacker)


# 7.7.8-7.7.11 Hits


def next_hit(s: BitwState, c: Combat, side: Side) -> list[int]:
    """7.7.9 The units of a side that may take the next hit: the strongest."""
    return fire.strongest((u, s.steps[u]) for u in targets(s, c, side))


def settle(s: BitwState, c: Combat) -> None:
    """7.7.9 Place hits one by one while only one unit can take them; those that find nobody are lost (7.7.11)."""
    for side in (0, 1):
        while c.hits[side]:
            choice = next_hit(s, c, side)
            if len(choice) > 1:
                break
            if not choice:
                lose_hits(c, side, c.hits[side])
                break
            lose_hits(c, side, 1)
            hit(s, choice[0])


@rule("7.7.11")
def lose_hits(c: Combat, side: Side, number: int) -> None:
    """7.7.11 Hits placed, or lost because nobody is left to take them."""
    left = c.hits[side] - number
    c.hits = (left, c.hits[1]) if side == 0 else (c.hits[0], left)


@rule("3.15a", "7.7.8a", "7.7.10a")
def hit(s: BitwState, unit: int) -> None:
    """3.15a One hit on one unit; a combat unit without steps is eliminated (7.7.10a)."""
    before = s.steps[unit]
    steps, half = fire.after_hit(UNITS[unit].pattern, before, s.half[unit])
    name = name_of(s, s.place[unit])
    if steps < 0:
        emit(s, "eliminated", "7.7.10a", unit=UNITS[unit].id, hex=name, reveals=not s.revealed[unit])
        remove(s, unit, POOL)
        return
    s.steps[unit], s.half[unit] = steps, half
    heard: tuple[Side, ...] | None = None
    if not s.revealed[unit]:  # on a coast, or dropped, without a battle: the enemy hears that it was hit, no more
        heard = (SIDE_OF[unit],)
        emit(s, "hurt", "3.15a", unit=FOG.veil(s, unit), hex=name)
    emit(s, "hit", "3.15a", audience=heard, unit=UNITS[unit].id, hex=name, steps=steps, half=half)


def aimed(s: BitwState, c: Combat) -> bool:
    """19.2 Whether the attacker chooses among equal targets."""
    from .recon import aims_well

    return aims_well(s, c)


@rule("3.15b", "7.7.9")
class SpreadHits(Decision):
    """7.7.9 Among equally strong units the owner chooses who takes the next hit."""

    verbs = {"hit": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """While hits wait that the other side does not aim (19.2)."""
        if c.hits[side] <= 0:
            return False
        return not (s.seen_hexes and side != c.attacker and aimed(s, c))

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> list[int]:
        """Every unit that the fire can reach."""
        return targets(s, c, side)

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Only one of the strongest."""
        return why_not_own(noun, side) or (None if noun in next_hit(s, c, side) else NOT_STRONGEST)

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Take it."""
        lose_hits(c, side, 1)
        hit(s, noun)
        settle(s, c)


@rule("7.7.10b", "7.7.10c")
def lone_support_falls(s: BitwState, c: Combat) -> None:
    """7.7.10c Support and 0-step units left alone with an enemy combat unit are lost at once, without fire (A60).

    At once, whenever it happens: before the guns too, when bombs have taken the last combat unit. A Fort is not alone.
    """
    for side in (0, 1):
        mine = on_ground(s, c, side)
        foes = on_ground(s, c, enemy_of(side))
        fighting = any(IS_FORT[u] or (IS_COMBAT[u] and s.steps[u] > 0) for u in mine)
        if mine and not fighting and any(IS_COMBAT[u] and s.steps[u] > 0 for u in foes):
            for u in mine:
                emit(s, "eliminated", "7.7.10c", unit=UNITS[u].id, hex=name_of(s, c.hex))
                remove(s, u, POOL)
