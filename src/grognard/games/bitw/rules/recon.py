"""19 Air reconnaissance and targeting, 22 the trumpets of Jericho.

An active air HQ looks at enemy hexes as often as it has points, besides its other orders. The flak of the hex may keep
it off; then a die decides. Without a successful look bombs and guns are halved in the first round of an attack.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, No, Side, Tally, Veiled, emit, no, roll, rule

from ..frames import Combat, PlayerTurn
from ..nouns import FOG, UNIT, name_of
from ..state import BitwState, enemy_in, enemy_of, ground_in, side_in
from ..theatre import MAJOR
from ..world import IS_FORT, LIMITS, POWER_OF, UNITS, world
from . import fire
from .charges import is_open_ground
from .combat import field_of, fliers, hit, lose_hits, next_hit, settle, volley_of
from .definitions import power_tech, tech_of
from .fire import AA, BOMB, GUNS, Shot
from .headquarters import HQS_OF, NO_HQS, action_points, headquarters, hqs_count, limit_of
from .opening import rule_is_on
from .readings import otherwise
from .weather import is_sunny

NO_RECON, NOBODY_THERE = no("19.0a", "no-recon"), no("19.1b", "nobody-there")
NO_SCOUT, SEEN_ALREADY = no("19.1a", "no-scout"), no("19.1d", "seen-already")
NOT_A_TARGET = no("19.2", "aim-at-strongest")


def recon_counts(s: BitwState) -> bool:
    """19.0 Whether reconnaissance is played."""
    return rule_is_on(s, "19.0a")


# 19.1 The attempt


@rule("19.1a")
def looks_left(s: BitwState, hq: int) -> int:
    """19.1a Attempts that an active HQ has left: as its points; leaders of minors, Mussolini one (A27).

    They are besides its orders; by the switch `look-points` each costs one of its points.
    """
    if not s.active[hq]:
        return 0
    info = headquarters()[hq]
    most = 1 if UNITS[hq].id == "it-mus" else min(limit_of(s, info, "recon"), action_points(s, hq))
    return min(most, s.fuel[hq]) if otherwise(s, "look-points") else max(0, most - s.looks[hq])


@rule("19.1b")
def recon_range(s: BitwState, hq: int) -> int:
    """19.1b How far an HQ looks: 5, 10 or 15 hexes by the fighter tech of its nation."""
    return LIMITS["recon_range"] * max(1, power_tech(s, POWER_OF[hq], "fighters"))


def scout_for(s: BitwState, side: Side, node: int) -> int:
    """The HQ that looks at a hex: of those in range the one with most attempts left; -1 for none."""
    t = world(s).theatre
    able = [u for u in HQS_OF[side] if looks_left(s, u) and t.distance(s.place[u], node) <= recon_range(s, u)]
    return max(able, key=lambda u: (looks_left(s, u), -u), default=-1)


@rule("19.1a", "19.1b")
def why_not_look(s: BitwState, side: Side, node: int) -> No | None:
    """19.1b A hex with enemies, in range of an active air HQ with attempts left; one may try again until one sees."""
    if not recon_counts(s):
        return NO_RECON
    if not hqs_count(s):
        return NO_HQS
    if node >= world(s).theatre.hexes or not enemy_in(s, node, side):
        return NOBODY_THERE
    if node in s.seen_hexes:
        return SEEN_ALREADY
    return NO_SCOUT if scout_for(s, side, node) < 0 else None


def look_hexes(s: BitwState, side: Side) -> list[int]:
    """The hexes that may be looked at now."""
    scouts = [u for u in HQS_OF[side] if looks_left(s, u)] if recon_counts(s) else []
    if not scouts:
        return []
    from .air import enemy_hexes

    t = world(s).theatre
    reaches = [(t.distances(s.place[u]), recon_range(s, u)) for u in scouts]
    there = [n for n in enemy_hexes(s, side) if n < t.hexes and n not in s.seen_hexes]
    return [n for n in there if any(far[n] <= most for far, most in reaches)]


@rule("19.1e")
def recon_tally(s: BitwState, side: Side, hq: int, node: int) -> Tally:
    """19.1e What changes the die: fighter tech, rough ground, city or works, a fort, the weather; all add up (A51)."""
    t, tech = world(s).theatre, power_tech(s, POWER_OF[hq], "fighters")
    forts = [s.steps[u] == UNITS[u].pattern.top for u in ground_in(s, node, enemy_of(side)) if IS_FORT[u]]
    return recon_modifiers(tech, t.terrain[node], t.city[node] == MAJOR, s.works[node], forts, is_sunny(s, node))


@rule("19.1e")
def recon_modifiers(tech: int, terrain: str, major: bool, works: int, forts: list[bool], sunny: bool) -> Tally:
    """19.1e The same as figures, shared with the odds; of each Fort in the hex whether it is a Festung."""
    tally = Tally()
    tally.add("19.1e", -2 * max(0, tech - 1))
    if terrain != "clear":
        tally.add("19.1e", 2)
    if major or works == 1 or (forts and not any(forts)):
        tally.add("19.1e", 2)
    if works == 2 or any(forts):
        tally.add("19.1e", 4)
    if not sunny:
        tally.add("19.1e", 2)
    return tally


def who_hears(s: BitwState, node: int, side: Side, forts: bool = False) -> tuple[Side, ...] | None:
    """1.3 Who may see dice that hang on the units of a hex: all if these are known, else their owner alone.

    How many dice the flak rolls, and at what, would tell what stands there; with `forts`, only how strong a fort is.
    """
    units = [u for u in ground_in(s, node, enemy_of(side)) if IS_FORT[u] or not forts]
    return None if all(FOG.knows(s, side, u) for u in units) else (enemy_of(side),)


@rule("19.1c", "19.1d", "19.1f", "19.0b", "1.3")
def look(s: BitwState, side: Side, node: int) -> None:
    """19.1c First the flak of the hex; a hit ends the attempt. 19.1d Then a die: 4 or less shows every unit there.

    They stay face up until the Final Supply Status Phase (19.1f). It works in rain too (19.0b). Who looks hears only
    what came of it: dice and figures that hang on hidden units are their owner's (1.3).
    """
    hq = scout_for(s, side, node)
    s.looks[hq] += 1
    s.fuel[hq] -= otherwise(s, "look-points")
    where, enemy = name_of(s, node), enemy_of(side)
    emit(s, "recon", "19.1a", reveals=True, hq=UNITS[hq].id, hex=where)
    hits = interdiction(s, node, side)
    if hits:
        hears = who_hears(s, node, side)
        emit(s, "recon-stopped", "19.1c", hex=where, hits=hits if hears is None else Veiled(hits, "", hears))
        return
    tally, hears = recon_tally(s, side, hq, node), who_hears(s, node, side, forts=True)
    (die,) = roll(s, "19.1d", 1, side=side, audience=hears)
    if die + tally.total() > LIMITS["recon_face"]:
        lines = tally.lines if hears is None else Veiled(tally.lines, (), hears)
        emit(s, "recon-fails", "19.1d", hex=where, tally=lines)
        return
    for u in side_in(s, node, enemy):
        s.revealed[u] = 1
    s.seen_hexes = tuple(sorted({*s.seen_hexes, node}))
    units = [[UNITS[u].id, s.steps[u]] for u in FOG.in_token_order(s, side_in(s, node, enemy))]
    emit(s, "recon-sees", "19.1d", reveals=True, hex=where, units=units, tally=tally.lines)


@rule("19.1c", "9.3a")
def interdiction(s: BitwState, node: int, side: Side) -> int:
    """19.1c The dice of the anti-aircraft step, of the units and of the place: how many hit."""
    enemy, hears = enemy_of(side), who_hears(s, node, side)
    shots, place = interdiction_dice(s, node, side)
    volleys = [(shot.dice, shot.face) for shot in shots] + ([place] if place[0] else [])
    return sum(fire.count_hits(roll(s, "19.1c", n, side=enemy, audience=hears), face) for n, face in volleys)


def interdiction_dice(s: BitwState, node: int, side: Side) -> tuple[list[Shot], tuple[int, int]]:
    """19.1c What the flak rolls: the shots of the units, dice and lowest hitting face of the place."""
    battle = Combat(hex=node, attacker=side)
    field = field_of(s, battle)
    shots = volley_of(s, battle, ground_in(s, node, enemy_of(side)), AA)
    return shots, (field.aa_dice, field.aa_face)


def forget_looks(s: BitwState, c: PlayerTurn) -> None:
    """19.1f What was seen counts for this player turn."""
    s.seen_hexes = ()
    for hq in (*HQS_OF[0], *HQS_OF[1]):
        s.looks[hq] = 0


# 19.2 Targeting


@rule("19.2")
def aims_well(s: BitwState, c: Combat) -> bool:
    """19.2 In sunshine, over a hex that was seen, the attacker's TECH 2 bombs and guns choose among equal targets."""
    if not recon_counts(s) or c.hex not in s.seen_hexes or not is_sunny(s, c.hex) or c.row_asked not in (BOMB, GUNS):
        return False
    if c.row_asked == BOMB:
        firing = fliers(s, c, c.attacker)
    else:
        mine = ground_in(s, c.hex, c.attacker)
        firing = [u for u in mine if UNITS[u].kind == "artillery" or u in c.salvo]
    return bool(firing) and all(tech_of(s, u) >= 2 for u in firing)


class PickTarget(Decision):
    """19.2 The attacker says which of equally strong defenders takes the next hit of his bombs or guns."""

    verbs = {"target": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """While such hits wait."""
        return c.hits[enemy_of(c.attacker)] > 0 and aims_well(s, c)

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """The strongest."""
        return next_hit(s, c, enemy_of(side))

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Only one of them."""
        return None if noun in next_hit(s, c, enemy_of(side)) else NOT_A_TARGET

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """It takes the hit."""
        lose_hits(c, enemy_of(side), 1)
        hit(s, noun)
        settle(s, c)


# 22 Jericho


@rule("22.0")
def with_trumpets(s: BitwState, c: Combat, shots: list[Shot]) -> list[Shot]:
    """22.0 Full Stukas of the attacker roll two dice more over open ground that was seen, no enemy fighter there."""
    if not rule_is_on(s, "22.0") or c.hex not in s.seen_hexes or not is_open_ground(s, c):
        return shots
    if any(UNITS[u].kind == "fighter" for u in fliers(s, c, enemy_of(c.attacker))):
        return shots
    return [shot._replace(dice=shot.dice + LIMITS["jericho"]) if is_screaming(shot) else shot for shot in shots]


def is_screaming(shot: Shot) -> bool:
    """22.0 A Stuka formation at full strength."""
    return "stuka" in shot.who.unit.traits and shot.who.steps == shot.who.unit.pattern.top and shot.who.attacker
