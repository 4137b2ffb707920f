"""7.7.6-7.7.11 Dice and faces: who rolls how many dice, what hits, and what a hit does. Pure arithmetic.

Play and odds both come through here. A `Combatant` is a unit as it stands in one battle, a `Field` the hex it is
fought in; `modifiers` gives the cited Boni and Mali of one unit for one kind of fire, `volley` the dice of a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from grognard.kernel import rule

from ..loading import AXIS, HQ_KINDS, NEVER, Pattern, TechRow, Unit, charts

AIR, AA, BOMB, GUNS, GROUND = "air", "aa", "bomb", "guns", "ground"  # the kinds of fire, in the order of 7.7-seq
MINOR_LEADER: Final = 6  # 13.8.1d the face at which leaders of minor powers hit
MOUNTAINOUS: Final = ("hills", "mountain")
Lines = tuple[tuple[str, int], ...]


class Combatant(NamedTuple):
    """A unit in a battle. `crossing` is `river`, `strait` or empty; `tech` 0 means the TECH 0 Malus applies."""

    unit: Unit
    steps: int
    tech: int
    attacker: bool
    crossing: str = ""  # `river`, `strait`, `sea` (24), `air` (23)
    half_aa: bool = False
    grounded: bool = False
    key: int = -1  # the caller's name for it
    hardy: bool = False  # 9.3d snow does not hinder it


class Readings(NamedTuple):
    """Doubtful lines that the dice ask for, each False for our own reading (`readings.py`)."""

    ones: bool = False  # 7.7.6f a natural 1 hits when Boni bring it so far
    bold: bool = False  # 6.3.2b bombers fire in the air without an enemy fighter too
    french: bool = False  # 6.5c French anti-aircraft fire alone is halved


OURS: Final = Readings()


class Field(NamedTuple):
    """Where a battle is fought: terrain, city, fortifications, and how the attackers come."""

    terrain: str = "clear"
    major: bool = False
    works: int = 0  # 0 none, 1 bunker, 2 fortress
    fort_steps: int = 0  # strength of an Axis fort block in the hex
    aa_dice: int = 0  # dice of the locality
    aa_face: int = 6
    all_cross: str = ""  # `river` or `strait` when every attacking ground unit crosses it
    blind: bool = False  # 19.0a the attacker has not looked into the hex
    landing: bool = False  # 24.1d units land here from the sea
    cancel: bool = False  # 7.7.6e the players' agreement
    elite: bool = False  # 10.0 elite units count
    heavy_swamp: bool = False  # 14.0-swamp armour suffers more in swamps
    weather: str = "good"  # 9.3
    raid: bool = False  # 32.0 bombs fall on a strategic target
    reading: Readings = OURS


class Modifiers(NamedTuple):
    """Mali and Boni of one unit, each a list of lines (rule, amount)."""

    mali: Lines
    boni: Lines

    @property
    def malus(self) -> int:
        """How often the dice are halved."""
        return sum(n for _, n in self.mali)

    @property
    def bonus(self) -> int:
        """How many faces are added."""
        return sum(n for _, n in self.boni)


class Shot(NamedTuple):
    """What one unit rolls: dice and the lowest face that hits, with the lines that made them."""

    who: Combatant
    dice: int
    face: int
    modifiers: Modifiers


NO_MODIFIERS: Final = Modifiers((), ())


@rule("3.14", "3.13a", "3.13-infantry", "3.13-artillery", "6.1.5", "6.2.1c", "6.2.2a", "6.2.2b", "6.2.2c")
def base_face(who: Combatant, kind: str, elite: bool = False) -> int:
    """3.14 The lowest die face that hits before Boni; 7 for a unit that has no such fire.

    Aircraft use their attack value against the ground and their defence value in the air; AA uses the defence value
    (7.7.2c); a Festung fires one face better than a Fort (6.6g).
    """
    row = charts().tech[who.unit.kind]
    if elite and loses_tech(who):
        who = who._replace(tech=min(1, who.tech))
    if who.unit.is_air:
        return row.attack[who.tech] if kind == BOMB else row.defence[who.tech] if kind == AIR else NEVER
    if kind in (AIR, BOMB):
        return NEVER
    if who.unit.kind in HQ_KINDS and kind != AA:
        return hq_face(who, row) if kind == GUNS else NEVER
    if kind == GUNS and who.unit.kind != "artillery":
        return NEVER
    if who.unit.is_fort:
        return fort_face(who.steps) if not who.attacker else NEVER
    if kind == GROUND and who.unit.kind == "artillery":
        return NEVER
    return row.attack[who.tech] if who.attacker and kind != AA else row.defence[who.tech]


@rule("13.1b", "13.8.1d", "6.5d")
def hq_face(who: Combatant, row: TechRow) -> int:
    """13.1b Armour HQs fire with the guns at tank firepower, leaders of minor powers at 6 (13.8.1d), others never."""
    if who.unit.kind == "armour_hq":
        return row.attack[who.tech] if who.attacker else row.defence[who.tech]
    return MINOR_LEADER if fires_as_guns(who.unit) else NEVER


@rule("13.1b", "13.8.1d")
def fires_as_guns(unit: Unit) -> bool:
    """13.1b The HQs that may fire as artillery does: armour HQs, and the leaders of minor powers (13.8.1d)."""
    return unit.kind == "armour_hq" or (unit.kind == "leader" and charts().powers[unit.power].rank == "minor")


@rule("10.0e")
def loses_tech(who: Combatant) -> bool:
    """10.0e Western Allied combat units below full strength fall back to the faces of TECH 1."""
    return who.unit.nation in ("US", "UK", "FF") and who.unit.is_combat and who.steps < who.unit.pattern.top


@rule("10.0a", "10.0b", "10.0c", "10.0d")
def elite_lines(who: Combatant, kind: str) -> Lines:
    """10.0 The Bonus of elite units: German ones at any strength (10.0a), Allied ones at full strength (10.0b).

    SS units and marines have it when attacking (10.0c); paratroops and the Hermann Göring Division when defending, AA
    included (10.0d).
    """
    if who.unit.side != AXIS and who.steps < who.unit.pattern.top:
        return ()
    if who.attacker and kind in (GROUND, GUNS) and "elite-attack" in who.unit.traits:
        return (("10.0c", 1),)
    if not who.attacker and kind in (GROUND, AA) and "elite-defence" in who.unit.traits:
        return (("10.0d", 1),)
    return ()


@rule("6.6f", "6.6g")
def fort_face(steps: int) -> int:
    """6.6f A Fort hits at 5-6; 6.6g a Festung, at its full 7 steps, at 4-6. No Bonus helps either (ruling A54)."""
    return 4 if steps == 7 else 5


@rule("6.6e", "6.6g", "7.7.11-fortress", "7.7.11-bunker")
def works_lines(field: Field) -> Lines:
    """7.7.11 What fortifications count: bunker 1, fortress 2, Fort 1, Festung 2; together they add up (7.7.7a)."""
    lines: list[tuple[str, int]] = []
    if field.works == 2:
        lines.append(("7.7.11-fortress", 2))
    elif field.works == 1:
        lines.append(("7.7.11-bunker", 1))
    if field.fort_steps == 7:
        lines.append(("6.6g", 2))
    elif field.fort_steps > 0:
        lines.append(("6.6e", 1))
    return tuple(lines)


@rule("7.7.6c", "7.7.6d", "7.7.7a", "19.0a", "19.0b", "6.3.3b")
def modifiers(who: Combatant, kind: str, field: Field, round_no: int) -> Modifiers:
    """7.7.6c The Boni and Mali of one unit; all of them add up (7.7.7a).

    19.0a Bombs and guns that attack unseen ground have 1 in the first round; strategic bombers do not (19.0b).

    And air combat ignores the terrain (7.7.6d).
    """
    if field.raid and kind == BOMB:
        return raid_modifiers(who, field)
    mali: list[tuple[str, int]] = []
    boni: list[tuple[str, int]] = []
    if who.tech == 0 and not who.unit.is_fort:
        mali.append(("5.6a", 1))
    if kind != AIR and who.attacker:
        mali += works_lines(field)
        if who.unit.is_combat:
            mali += attack_mali(who, field, round_no)
    if field.blind and round_no == 1 and who.attacker and kind in (BOMB, GUNS) and who.unit.kind != "strategic_bomber":
        mali.append(("19.0a", 1))
    if round_no == 1 and (who.crossing in AFAR or (field.landing and not who.attacker)):
        mali += landing_mali(who, kind)
        boni += landing_boni(who, kind, field)
    if kind == GROUND and not who.attacker and who.unit.is_combat:
        boni += works_lines(field)
        boni += defence_boni(who, field, round_no)
    if field.elite:
        boni += elite_lines(who, kind)
    if field.weather != "good":
        mali += weather_mali(who, kind, field)
        if field.weather == "rain" and kind == GROUND and not who.attacker and who.unit.is_combat:
            boni.append(("9.3a", 1))
    return Modifiers(tuple(mali), tuple(boni)) if mali or boni else NO_MODIFIERS


@rule("9.3a", "9.3b", "9.3d", "39.0b")
def weather_mali(who: Combatant, kind: str, field: Field) -> Lines:
    """9.3a Rain hinders attacking combat units and the defender's AA; 9.3b snow all aircraft, all AA and attackers.

    Light rain does what snow does (39.0b), but snow alone spares the hardy (9.3d). Artillery fires as ever.
    """
    attacking = kind == GROUND and who.attacker and who.unit.is_combat
    if field.weather == "rain":
        return (("9.3a", 1),) if attacking or (kind == AA and not who.attacker) else ()
    if field.weather == "snow" and who.hardy:
        return ()
    cited = "9.3b" if field.weather == "snow" else "39.0b"
    return ((cited, 1),) if attacking or kind in (AIR, AA, BOMB) else ()


@rule("32.0d", "32.0h")
def raid_modifiers(who: Combatant, field: Field) -> Modifiers:
    """32.0d Strategic bombers hit their targets without any Malus, whatever the weather; others have 1, and its own."""
    if who.unit.kind == "strategic_bomber":
        return NO_MODIFIERS
    more = weather_mali(who, BOMB, field) if field.weather != "good" else ()
    return Modifiers((("32.0d", 1), *more), ())


@rule("32.0e", "9.3a", "9.3b")
def target_flak(tech: int, weather: str = "good") -> tuple[int, int]:
    """32.0e Dice and face of a strategic target's flak by the infantry tech of its owner.

    It is a locality (P7): the nation does not halve it, bad weather does.
    """
    limits, level = charts().limits, max(1, tech)
    dice = limits[f"flak_dice_{level}"]
    return halved(dice) if weather != "good" else dice, limits[f"flak_face_{level}"]


AFAR: Final = {"sea": "24.1d", "air": "23.0g"}  # how a unit came that has 1 Malus in the first round, by rule


@rule("24.1d", "23.0g")
def landing_mali(who: Combatant, kind: str) -> Lines:
    """24.1d Who lands from the sea, guns and HQs too, and (23.0g) who drops from the air has 1 Malus in round 1."""
    return ((AFAR[who.crossing], 1),) if who.crossing in AFAR and kind != AIR else ()


@rule("24.1d")
def landing_boni(who: Combatant, kind: str, field: Field) -> Lines:
    """24.1d Ground units that defend a beach, guns included, have 1 Bonus in round 1; Forts and AA do not."""
    helped = field.landing and not who.attacker and kind in (GROUND, GUNS) and not who.unit.is_fort
    return (("24.1d", 1),) if helped else ()


@rule(
    "7.7.11-rough",
    "7.7.11-clear",
    "7.7.11-majorcity",
    "7.7.11-rivers",
    "7.7.11-straits",
    "6.1.2",
    "14.0-swamp",
    "14.0-mountain-d",
)
def attack_mali(who: Combatant, field: Field, round_no: int) -> Lines:
    """7.7.11 What terrain costs attacking combat units and their AA.

    Mountain units know hills and mountains: neither Malus nor Bonus in attack (6.1.2, ruling A57).
    """
    lines: list[tuple[str, int]] = []
    at_home = who.unit.kind == "mountain" and field.terrain in MOUNTAINOUS
    malus = charts().terrain[field.terrain].malus
    if malus and not at_home:
        lines.append(("7.7.11-rough", malus))
    if field.heavy_swamp and field.terrain == "swamp" and who.unit.is_armour and field.weather != "snow":
        lines.append(("14.0-swamp", 1))
    if field.major:
        lines.append(("7.7.11-majorcity", 1))
    if round_no == 1 and who.crossing == "river":
        lines.append(("7.7.11-rivers", 1))
    if round_no == 1 and who.crossing == "strait":
        lines.append(("7.7.11-straits", 2))
    return tuple(lines)


@rule("7.7.11-majorcity", "7.7.11-rivers", "7.7.11-straits", "6.1.2")
def defence_boni(who: Combatant, field: Field, round_no: int) -> Lines:
    """7.7.11 What helps defending combat units, never their AA: city, water that all attackers cross, home ground."""
    lines: list[tuple[str, int]] = []
    if field.major:
        lines.append(("7.7.11-majorcity", 1))
    if round_no == 1 and field.all_cross:
        lines.append(("7.7.11-rivers" if field.all_cross == "river" else "7.7.11-straits", 1))
    if who.unit.kind == "mountain" and field.terrain in MOUNTAINOUS:
        lines.append(("6.1.2", 1))
    return tuple(lines)


@rule("7.7.6a", "7.7.6f")
def better_face(face: int, boni: int, ones: bool = False) -> int:
    """7.7.6a Each Bonus adds one hitting face; 7.7.6f a natural 1 always misses (ruling A2, switch `natural-one`)."""
    return face if face >= NEVER else max(1 if ones else 2, face - boni)


@rule("3.16", "7.7.6b")
def halved(number: int, times: int = 1) -> int:
    """3.16 Halved or quartered, rounded down; 7.7.6b each Malus halves the dice."""
    return number >> times


@rule("6.5c")
def halves_flak(unit: Unit, reading: Readings = OURS) -> bool:
    """6.5c Whose anti-aircraft fire is halved: the French and, by the example of 19.1, the Italians (ruling A17).

    The switch `halved-flak` leaves the Italians theirs.
    """
    return charts().powers[unit.power].half_aa and not (reading.french and unit.nation != "FR")


@rule("6.5c", "5.1b", "6.6f")
def aa_steps(who: Combatant) -> int:
    """6.5c French and Italian units fire AA with half their steps (at least 1); TECH 0 is halved by its Malus (A17).

    The half is a property of the unit, no Malus: it comes before all Mali, is not added to other units' and no Bonus
    cancels it. Forts fire without regard to nation (6.6f), Italian ones too.
    """
    return max(1, halved(who.steps)) if who.half_aa and who.tech > 0 and not who.unit.is_fort else who.steps


@rule("6.3.2b", "6.3.2c", "7.7.1b")
def fires_in_the_air(unit: Unit, enemy_fighter: bool, reading: Readings = OURS) -> bool:
    """6.3.2 Bombers fire in air combat at enemy fighters only: without one in the air they have no fire (ruling).

    7.7.1b says how those who can fight roll, 6.3.2 who can; hits fall on the strongest aircraft of any kind. By the
    switch `bomber-guns` they fire at any aircraft.
    """
    return enemy_fighter or not unit.is_bomber or reading.bold


@rule("3.11", "6.0b", "7.7.6e")
def aim(who: Combatant, kind: str, field: Field, round_no: int) -> tuple[int, Shot] | None:
    """3.11 One unit before its dice are halved: its number of Mali, and a shot of one die per step; None without fire.

    Where the players agreed so, each Bonus cancels a Malus (7.7.6e).
    """
    face = base_face(who, kind, field.elite)
    if face >= NEVER or who.steps <= 0:
        return None
    mods = modifiers(who, kind, field, round_no)
    malus, bonus = mods.malus, mods.bonus
    if field.cancel:
        common = min(malus, bonus)
        malus, bonus = malus - common, bonus - common
    steps = aa_steps(who) if kind == AA else who.steps
    return malus, Shot(who, steps, better_face(face, bonus, field.reading.ones), mods)


def volley(firing: Iterable[Combatant], kind: str, field: Field, round_no: int) -> list[Shot]:
    """The dice of one side for one kind of fire."""
    aims = [aim(who, kind, field, round_no) for who in firing]
    return merged([one for one in aims if one is not None])


@rule("3.17", "7.7.7-merge")
def merged(aims: Sequence[tuple[int, Shot]]) -> list[Shot]:
    """7.7.7-merge The shots of units that fire together, each with its number of Mali, in their order.

    Units under equally many Mali add their steps before halving; a die gained that way goes to the weakest, ties to the
    worse firepower (ruling A61). Nobody who may fire rolls less than one die (3.17).
    """
    out = [shot for _, shot in aims]
    for malus in sorted({malus for malus, _ in aims if malus}):
        group = [i for i, (mine, _) in enumerate(aims) if mine == malus]
        for i, dice in zip(group, merged_dice([out[i] for i in group], malus)):
            out[i] = out[i]._replace(dice=dice)
    return out


def merged_dice(shots: Sequence[Shot], malus: int) -> list[int]:
    """7.7.7-merge Dice of units under the same number of Mali, in their order."""
    dice = [max(1, halved(shot.dice, malus)) for shot in shots]
    gained = halved(sum(shot.dice for shot in shots), malus) - sum(dice)
    if gained > 0:
        weakest = min(range(len(shots)), key=lambda i: (shots[i].dice, -shots[i].face, i))
        dice[weakest] += gained
    return dice


@rule("3.14")
def count_hits(dice: Iterable[int], face: int) -> int:
    """3.14 How many dice show a hitting face.

    >>> count_hits((4, 5, 6), 5)
    2
    """
    return sum(1 for die in dice if die >= face)


@rule("3.15a", "3.15c", "7.7.8a", "7.7.8b", "7.7.10a", "7.7.10b")
def after_hit(pattern: Pattern, steps: int, half: int) -> tuple[int, int]:
    """3.15 One hit: (steps, half-hit) afterwards; steps -1 when the unit is lost.

    A gap of 2 in the printed numbers takes two hits (3.15c); the first is kept as a half-hit (7.7.8b). A block with a
    0 stays at 0 (7.7.10b).
    """
    if steps <= 0:
        return steps, half
    below = pattern.below[steps]
    if below >= 0 and steps - below == 2 and not half:
        return steps, 1
    return below, 0


@rule("3.15b", "7.7.9")
def strongest(units: Iterable[tuple[int, int]]) -> list[int]:
    """7.7.9 Of (key, steps) pairs the keys that may take the next hit: the strongest.

    Several are the owner's choice.
    """
    pairs = [(key, steps) for key, steps in units if steps > 0]
    top = max((steps for _, steps in pairs), default=0)
    return [key for key, steps in pairs if steps == top]


@rule("6.1.4c", "7.7.4c")
def after_firing(pattern: Pattern, steps: int) -> int:
    """7.7.4c Artillery that has fired drops one position, whatever the gap (4 to 2)."""
    return pattern.below[steps] if steps > 0 else steps


@rule("24.1d", "23.0g")
def faces_landing(crossings: set[str], any_lander: bool = False) -> bool:
    """24.1d Whether the defender has his Bonus and first fire: if all come by sea or air, as with rivers (P2).

    By the switch `landing-defence` one unit that lands is enough.
    """
    return "sea" in crossings and (any_lander or crossings <= {"sea", "air"})


@rule("7.7.2b", "5.6-eben-a", "9.3a", "9.3b")
def locality_aa(
    city: str, works: int, fortress_has_aa: bool = True, weather: str = "good", sturdy: bool = False
) -> int:
    """7.7.2b AA dice of a place: major city or fortress 2, minor city or bunker 1.

    Eben Emael has only Liège's (A16). Bad weather hinders all AA of the defender, places included (9.3): half of them,
    at least one die (3.17). By the switch `place-flak` it hinders units only (`sturdy`).
    """
    limits = charts().limits
    dice = limits["aa_major"] if city == "major" else limits["aa_minor"] if city == "minor" else 0
    if works == 2 and fortress_has_aa:
        dice += limits["aa_major"]
    elif works == 1 and fortress_has_aa:
        dice += limits["aa_minor"]
    return max(1, halved(dice)) if dice and weather != "good" and not sturdy else dice
