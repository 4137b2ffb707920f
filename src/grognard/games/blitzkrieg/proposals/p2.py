"""201-224 Vehicles: sizes, the shot, the destruction test, crews."""

from __future__ import annotations

from grognard.games.blitzkrieg import setup
from grognard.games.blitzkrieg.doors import Bar, Book, answers, forbids
from grognard.games.blitzkrieg.frames import MOVE, Acting, Moving
from grognard.games.blitzkrieg.laws import close, destruction, fire, shot
from grognard.games.blitzkrieg.laws.parties import HEAVY, LIGHT, OPEN, TRENCH, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import CHARTS, ROCKETS, Gun, Vehicle, Weapon
from grognard.games.blitzkrieg.rules import (
    acting,
    capabilities,
    ground,
    losses,
    movement,
    reaction,
    riding,
    rounds,
    walking,
    works,
)
from grognard.games.blitzkrieg.state import (
    CONTINUOUS,
    LEADERLESS,
    REACTED,
    SHAKEN,
    SUPPRESSED,
    WRECK,
    Position,
    has,
    stands,
)
from grognard.games.blitzkrieg.world import BASE_OF, IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, world
from grognard.kernel import No, Tally, no, roll, rule
from grognard.tabletop import CM, between

HIT, MODS, TEST = CHARTS["to_hit"], CHARTS["to_hit_modifiers"], CHARTS["destruction"]
SMALL_GUN = 762  # tenths of a millimetre
BLOCKED_VIEW = no("222", "unseen-at-start")
NOT_STRAIGHT = no("213", "straight-first")
NOT_NEARER = no("219b", "must-close-up")
ROW_RULES = {
    "still": "206a",
    "moving": "206b",
    "stabilised": "206c",
    "narrow": "206d",
    "pivot": "206e",
    "traverse": "206f",
    "weapon_still": "206g",
    "weapon_moved": "206h",
    "unhitched": "403d",
}


@answers(shot.size_modifier, "201")
@rule("201a", "201b", "201c")
def five_sizes(book: Book, size: str) -> tuple[str, int]:
    """201b From very small to very large, -2 to +2."""
    return "201b", int(MODS["size"][size])


@answers(fire.mg_dice, "202")
@rule("202a", "202b", "202c")
def vehicle_mgs(book: Book, dice: int, moved: bool, tally: Tally) -> int:
    """202 The machine guns of vehicles have the dice of their data, and lose none on the move."""
    return dice


@answers(fire.cannon_moved, "202")
@rule("202c")
def cannon_on_the_move(book: Book, firer: Firer) -> bool:
    """202c So do 20 mm guns on vehicles; towed ones do lose a die (O-07)."""
    return firer.moved > 0 and firer.kind == "gun"


@answers(shot.base_number, "206")
@rule("206a", "206b", "206c", "206d", "206e", "206f", "206g", "206h")
def to_hit_row(book: Book, row: str) -> tuple[int, str]:
    """206 The table of numbers to reach with two dice."""
    return int(HIT[row]), ROW_RULES[row]


@answers(shot.range_band, "207")
@rule("207a", "207b", "207c", "207d", "404")
def band_by_length(book: Book, weapon: Weapon, nation: str, ammo: str, hitched: bool) -> tuple[int, str]:
    """207a-d The longer the barrel the longer the band; small calibres, Russian L guns and a hitched 88 have 30 cm."""
    bands = MODS["band"]
    if ammo in ("HE", "HEAT", "smoke") or weapon.length == "short":
        return int(bands["short"]), "207a"
    if weapon.calibre <= 400 or weapon.length == "normal" or hitched or (weapon.length == "L" and nation == "SU"):
        return int(bands["normal"]), "207b"
    return (int(bands["L"]), "207c") if weapon.length == "L" else (int(bands["LL"]), "207d")


@answers(shot.crew_modifier, "207")
@rule("207e")
def closed_firer(book: Book, fired: Shot) -> tuple[str, int]:
    """207e A fully closed vehicle shoots at -1."""
    return "207e", int(MODS["closed"]) if fired.firer.is_closed else 0


@answers(shot.trait_modifier, "220bis")
@rule("207f", "220bis", "220c")
def optics_or_turret(book: Book, fired: Shot) -> tuple[str, int]:
    """220bis Poor optics or a narrow turret cost one, 220c never two; A-11 on the move the row may already say it."""
    firer = fired.firer
    if firer.kind != "vehicle":
        return "207f", 0
    narrow = firer.vehicle.is_narrow and firer.first_gun
    if narrow and firer.stance == "moving" and not book.narrow_double:
        return "207f", 0
    return "207f", int(MODS["optics"]) if narrow or "poor-optics" in firer.vehicle.traits else 0


@answers(shot.french_modifier, "220")
@rule("220a")
def no_french_malus(book: Book, fired: Shot) -> tuple[str, int]:
    """220a The malus of French vehicles goes."""
    return "220a", 0


@answers(shot.narrow_may_move, "220")
@rule("220b")
def narrow_fires_on_the_move(book: Book) -> bool:
    """220b A narrow turret fires after a move, by its row of the table."""
    return True


@answers(shot.motion_modifier, "207")
@rule("207g")
def fast_targets(book: Book, target: Target) -> tuple[str, int]:
    """207g A moving target -2, one that moved 50 cm or more -3."""
    if not target.is_moving:
        return "207g", 0
    return "207g", int(MODS["fast"] if target.moved >= MODS["fast_cm"] else MODS["moving"])


@answers(shot.dug_modifier, "207")
@rule("207h")
def entrenched(book: Book) -> tuple[str, int]:
    """207h Infantry or a gun in an entrenchment or a bunker: -4."""
    return "207h", int(MODS["dug"])


@answers(shot.gun_size_modifier, "207bis")
@rule("207bis-a", "207bis-b")
def size_in_the_open(book: Book, target: Target) -> tuple[str, int]:
    """207bis The size of a gun counts in the open and in cover, not when it is dug in; anti-tank guns as the others."""
    return "207bis-b", 0 if target.cover >= TRENCH else shot.gun_class(book, target.gun)


@answers(destruction.power, "208")
@rule("208a", "208b", "208c", "208d", "208e", "208f", "208g", "208h", "208i", "208j", "208k", "208l")
def new_values(book: Book, weapon: Weapon) -> int:
    """208 The new anti-tank values."""
    return weapon.ap


@answers(shot.rate_of_fire, "208")
@rule("208m")
def one_shot(book: Book, weapon: Weapon) -> int:
    """208m Guns of 20 and 37 mm fire once."""
    return 1


@answers(destruction.hand_modifier, "209")
@rule("209")
def hollow_charges_at_any_range(book: Book, weapon: Weapon, cm: int) -> tuple[str, int]:
    """209 Distance does not weaken hand weapons."""
    return "209", 0


@answers(destruction.range_modifier, "209bis")
@rule("209bis-a", "209bis-b", "209bis-c")
def power_by_range(book: Book, weapon: Weapon, cm: int) -> tuple[str, int]:
    """209bis One more within 30 cm; beyond 60, 90 (L) or 120 cm (LL) one less for each begun 30 cm."""
    if weapon.id in ROCKETS:
        return "209bis-b", 0
    if cm <= TEST["near_cm"]:
        return "209bis-a", int(TEST["near"])
    full = TEST["full"][weapon.length]
    return "209bis-b", -(max(0, cm - full + TEST["band"] - 1) // TEST["band"])


@answers(shot.hill_rule, "210")
@rule("210a")
def from_a_hill(book: Book) -> str:
    """210a Vehicles and guns on a hill hit what is below more easily."""
    return "210a"


@answers(destruction.above_face, "210")
@rule("210a")
def own_face(book: Book, face: int) -> int:
    """210a The armour of the side that was hit counts, not the rear."""
    return face


@answers(destruction.above_rule, "210")
@rule("210a")
def from_above(book: Book) -> str:
    """210a And destroy it more easily."""
    return "210a"


@answers(shot.low_modifier, "212")
@rule("212a")
def at_the_tracks(book: Book) -> tuple[str, int]:
    """212a An immobilisation shot costs two."""
    return "212a", int(MODS["aimed_low"])


@answers(shot.low_limit, "212")
@rule("212b")
def low_by_length(book: Book, weapon: Weapon) -> tuple[int, No]:
    """212b Its range is the short range of the gun: 20, 30, 45 or 60 cm."""
    return int(MODS["band"][weapon.length]), shot.TOO_FAR_LOW


@answers(close.may_crush, "214")
@rule("214g")
def crush_by_size(book: Book, size: str, crush: str) -> bool:
    """214g A vehicle crushes guns of its own size at most."""
    return close.at_least(size, crush)


@answers(close.row_number, "215")
@rule("215b", "215c")
def tank_assault_number(book: Book, row: str) -> int:
    """215c The numbers of infantry against armour."""
    return int(close.ROW[row])


@answers(close.early_modifier, "215")
@rule("215a")
def first_years(book: Book, year: int) -> int:
    """215a In 1939 and 1940 infantry tests at -1 before it attacks armour."""
    return int(close.ROW["early"]) if year <= close.ROW["early_last"] else 0


@answers(close.only_immobilises, "215")
@rule("215f")
def only_stopped(book: Book, row: str) -> bool:
    """215f In opportunity against a moving vehicle infantry without equipment can only immobilise."""
    return row in ("infantry", "assault")


@answers(close.why_no_tank_assault, "215")
@rule("215b", "215e")
def who_assaults_tanks(book: Book, row: str, target: Target) -> No | None:
    """215e Continuous movement does not protect any more; 215b there are no Molotov cocktails."""
    if not target.is_armoured:
        return close.NOT_ARMOUR
    return close.NO_MOLOTOV if row == "molotov" else None


@answers(fire.vehicle_fuel, "223")
@rule("223")
def large_tank(book: Book) -> int:
    """223 A vehicle's flamethrower is empty on a coloured 1."""
    return int(CHARTS["fuel"]["vehicle"])


# On the table


@answers(walking.bypass, "204")
@rule("204a", "204b", "204c", "205d")
def drive_around(book: Book, s: Position, unit: int, other: int) -> int:
    """204a Past a friend or a wreck for 10 cm; 204b never in a narrow place, which the table marks (204c)."""
    if s.at[other] in world(s).table.narrow:
        return -1
    return int(CHARTS["moves"]["bypass"]) * 48


@answers(losses.dies_with_truck, "203")
@rule("203d")
def thrown_off(book: Book, carrier: int) -> bool:
    """203d The passengers of a truck that is lost save at -1."""
    return False


@answers(losses.among_passengers, "203")
@rule("203c")
def dealt_among_passengers(book: Book, s: Position, carrier: int, hits: int) -> None:
    """203c, O-09: the hits of fire at a truck are dealt to its passengers too, in turn, each as men in the open."""
    if IS_ARMOUR[carrier]:
        return
    aboard = riding.passengers(s, carrier)
    for number, unit in enumerate(aboard):
        losses.take_hits(s, unit, len(range(number, hits, len(aboard))), 0, "203c", s.at[carrier])


@answers(losses.leaves_wreck, "205")
@rule("205a")
def wrecks_stay(book: Book, unit: int) -> bool:
    """205a A destroyed vehicle stays on the table."""
    return True


@answers(works.may_clear, "205")
@rule("205d", "205e", "205f")
def wrecks_are_cleared(book: Book) -> bool:
    """205d-f Wrecks stay until somebody drags them away."""
    return True


@answers(ground.wreck_cover, "205")
@rule("205b", "205c")
def behind_wrecks(book: Book, s: Position, unit: int, origin: int) -> int:
    """205b Infantry behind the wreck of an armoured vehicle is in heavy cover, 205c behind a soft one in light."""
    table, best = world(s).table, OPEN
    ox, oy, ux, uy = table.x[origin], table.y[origin], table.x[s.at[unit]], table.y[s.at[unit]]
    for wreck in world(s).units:
        if s.condition[wreck] != WRECK or not ground.within(s, wreck, unit, 5):
            continue
        wx, wy = table.x[s.at[wreck]] - ux, table.y[s.at[wreck]] - uy
        dot = wx * (ox - ux) + wy * (oy - uy)
        cross = wx * (oy - uy) - wy * (ox - ux)
        if dot > 0 and abs(cross) <= dot:
            best = max(best, HEAVY if IS_ARMOUR[wreck] else LIGHT)
    return best


@forbids(movement.no_end_at, "213")
@rule("213")
def straight_on(book: Book, s: Position, c: Moving) -> Bar | None:
    """213 A vehicle in continuous movement begins its next move with 10 cm straight on, if the way is free (A-48)."""
    if not has(s, c.unit, CONTINUOUS) or c.mode != MOVE:
        return None
    free = movement.begin_straight(s, c)
    return (lambda point: None if point in free else NOT_STRAIGHT) if free else None


@answers(losses.crew_hit, "216")
@rule("216a", "216b", "216c")
def exposed_crew(book: Book, s: Position, unit: int) -> None:
    """216a An open vehicle is abandoned; 216b a closed one loses its commander, once (A-20)."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle) and model.is_open:
        losses.lose(s, unit, "216a", 0)
    elif not has(s, unit, LEADERLESS):
        losses.close_for_good(s, unit)


@answers(movement.breakdown, "218")
@rule("218a", "218b")
def by_speed(book: Book, s: Position, c: Moving) -> bool:
    """218 Two dice after each move: 2 or 3 at a slow pace, 4 as well at full speed; A-21 on the road 15 cm slower."""
    off, road = walking.allowance(s, c.unit)
    on_road = all(world(s).table.kind[p] in ("road", "sunken", "street") for p in c.path[: c.step])
    slow = s.moved[c.unit] <= (road - 15 if on_road else off - 10)
    return sum(roll(s, "218a" if slow else "218b", 2, side=c.side)) <= (3 if slow else 4)


def _mates(s: Position, unit: int) -> list[int]:
    formation = world(s).formations[world(s).formation_of[unit]]
    return [u for u in formation.units if u != unit and stands(s, u) and s.at[u]]


def _has_no_radio(unit: int) -> bool:
    model = MODEL_OF[unit]
    return isinstance(model, Vehicle) and "no-radio" in model.traits


@answers(ground.link_of, "219")
@rule("219a")
def by_flags(book: Book, unit: int) -> int:
    """219a Vehicles without radio keep within 15 cm."""
    command = CHARTS["command"]
    return int(command["radio"] if IS_VEHICLE[unit] and not _has_no_radio(unit) else command["link"])


@answers(acting.isolated, "219")
@rule("219b")
def cut_off(book: Book, s: Position, c: Acting) -> bool:
    """219b A vehicle without radio that is alone, or the last, tests before it moves."""
    if not _has_no_radio(c.unit):
        return False
    return not any(ground.within(s, c.unit, u, CHARTS["command"]["link"]) for u in _mates(s, c.unit))


@forbids(movement.no_end_at, "219")
@rule("219b")
def closes_up(book: Book, s: Position, c: Moving) -> Bar | None:
    """219b And then it must come nearer to the others; A-22 the last of its formation is free."""
    mates = _mates(s, c.unit) if _has_no_radio(c.unit) else []
    link = CHARTS["command"]["link"]
    if not mates or any(ground.within(s, c.unit, u, link) for u in mates):
        return None
    table = world(s).table
    places = [(table.x[s.at[u]], table.y[s.at[u]]) for u in mates]

    def far(p: int) -> int:
        px, py = table.x[p], table.y[p]
        return min([(px - x) ** 2 + (py - y) ** 2 for x, y in places])

    now = far(s.at[c.unit])
    return lambda point: None if far(point) < now else NOT_NEARER


@answers(reaction.close_reaction, "221")
@rule("221a", "221b", "221c")
def turns_on_you(book: Book, s: Position, unit: int, mover: int) -> bool:
    """221 A vehicle that an enemy vehicle approaches to 10 cm may turn and fire, once a turn."""
    if not IS_VEHICLE[unit] or s.condition[unit] == SHAKEN or has(s, unit, REACTED | SUPPRESSED):
        return False
    if not ground.within(s, unit, mover, reaction.CLOSE_CM) or not ground.line(s, unit, mover):
        return False
    return reaction.arm_against(s, unit, mover, "close") >= 0


@forbids(movement.no_end_at, "222")
@rule("222")
def unseen_target(book: Book, s: Position, c: Moving) -> Bar | None:
    """222 A vehicle does not end within 10 cm of an enemy vehicle that it did not see when it set out."""
    if not IS_VEHICLE[c.unit]:
        return None
    unseen = [u for u in ground.enemies(s, c.side) if IS_VEHICLE[u] and not ground.detects(s, c.unit, u)]
    table, base, facing, limit = world(s).table, BASE_OF[c.unit], s.facing[c.unit], reaction.CLOSE_CM * CM

    def bar(point: int) -> No | None:
        x, y = table.x[point], table.y[point]
        for u in unseen:
            if abs(x - table.x[s.at[u]]) <= 64 and abs(y - table.y[s.at[u]]) <= 64:
                if between(table, base, point, facing, BASE_OF[u], s.at[u], s.facing[u]) <= limit:
                    return BLOCKED_VIEW
        return None

    return bar if unseen else None


@answers(capabilities.has_launcher, "217")
@rule("217a")
def bought(book: Book, s: Position, unit: int) -> bool:
    """217a A launcher is bought, and there."""
    return True


@answers(setup.may_begin_dug_in, "224")
@rule("224a")
def buried(book: Book, unit: int) -> bool:
    """224a A tank with a turret may begin dug in, like infantry."""
    model = MODEL_OF[unit]
    return IS_TEAM[unit] or (IS_ARMOUR[unit] and isinstance(model, Vehicle) and model.turret == "full")


@answers(rounds.used_up, "211")
@rule("211a", "211b")
def coloured_die(book: Book, s: Position, unit: int, fired: int) -> bool:
    """211a Special rounds are not counted: a coloured 1 uses them up."""
    return rounds.coloured_die(s, unit)


@answers(shot.may_swing, "214")
@rule("214i")
def swung_round(book: Book, model: Gun) -> bool:
    """214i Guns up to 75 mm (76.2, A-18) and AA guns on a 360 degree mount are swung round in time."""
    return model.weapon.calibre <= SMALL_GUN or (model.category == "aa" and model.mount)
