"""Artillery: requests, precision, templates, effects of indirect fire on and off the table."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, ROCKETS, Gun, Vehicle, Weapon
from grognard.kernel import No, no, rule

from .parties import BUNKER, Target, is_roofed

BARRAGE, MORE = CHARTS["barrage"], CHARTS["barrage_more"]
INDIRECT = ("mortar", "howitzer", "infantry-gun", "field-gun", "rocket")
INDIRECT_VEHICLES = ("spg", "rocket")
NOT_INDIRECT = no("410a", "no-indirect-fire")
TOO_NEAR = no("413", "too-near-for-indirect")
LIGHT_MORTAR = no("108b", "light-mortar-indirect")
RUSSIAN_MORTAR = no("409e", "no-radio-for-mortars")
NO_HE = no("401c", "no-such-ammunition")


@rule("base-support-request")
def request_number(book: Book, nation: str, year: int, level: str) -> int | None:
    """Base-support-request: what a request needs, by nation, year and level; None without a row for the year."""
    for name, first, last, organic, divisional in CHARTS["request"]["table"]:
        if name == nation and first <= year <= last:
            return int(organic if level == "organic" and level_counts(book) else divisional)
    return None


@question
def level_counts(book: Book) -> bool:
    """Without proposal 302 all support is divisional."""
    return False


@question
def support_number(book: Book, request: int) -> int:
    """Without proposal 304 a battery stays on 4+."""
    return int(MORE["support_old"])


@question
def precision(book: Book, attempt: int) -> int:
    """What the precision test needs: without proposal 303 4+, and a miss scatters."""
    return int(MORE["scatter"])


@question
def may_try_again(book: Book) -> bool:
    """Without proposal 303 there is one attempt."""
    return False


@question
def friends_at_risk(book: Book) -> bool:
    """Without proposal 303 bis friends are safe."""
    return False


@question
def is_ranged(book: Book) -> bool:
    """Without proposal 416 pieces on the table fire for effect at once."""
    return False


@question
def effect_on_men(book: Book, he: int, cover: int) -> tuple[int, int]:
    """Dice and number of one roll against infantry or a gun: without proposal 417 5+ whatever the cover."""
    return he, int(BARRAGE["hit"])


@question
def hits_for_test(book: Book) -> int:
    """How many hits bring an armoured vehicle to a test: one without proposal 307."""
    return 1


@question
def breaches(book: Book, weapon: Weapon) -> bool:
    """Without proposal 501 indirect fire does not open minefields."""
    return False


@question
def deviates(book: Book) -> bool:
    """Without proposal 408 all rockets fall in one template."""
    return False


@question
def minimum(book: Book, weapon: Weapon) -> int:
    """Without proposal 413 there is no minimum range."""
    return 0


@question
def why_not_category(book: Book, model: Gun | Vehicle) -> No | None:
    """Without proposal 410 any gun fires indirect."""
    return None


@question
def direct_mortars(book: Book) -> bool:
    """Without proposal 108 mortars do not fire direct."""
    return False


@question
def no_russian_mortars(book: Book) -> bool:
    """Without proposal 409 Soviet mortars are guided like others."""
    return False


@rule("410a", "108b", "409e", "413", "401c")
def why_not_indirect(book: Book, model: Gun | Vehicle, cm: int) -> No | None:
    """Which pieces on the table may fire indirect, and from how near."""
    weapon = model.weapon if isinstance(model, Gun) else model.guns[0]
    why = why_not_category(book, model)
    if why is not None:
        return why
    if not weapon.he:
        return NO_HE
    if weapon.id == "m50" and direct_mortars(book):
        return LIGHT_MORTAR
    if isinstance(model, Gun) and model.is_mortar and model.nation == "SU" and no_russian_mortars(book):
        return RUSSIAN_MORTAR
    return TOO_NEAR if cm < minimum(book, weapon) else None


@rule("108f", "417c")
def direct_mortar_number(cover: int) -> int:
    """108f Direct mortar fire: 5+, 6 under a roof."""
    return int(BARRAGE["roofed"] if is_roofed(cover) else BARRAGE["hit"])


@rule("307a", "307c", "base-he-antitank")
def power_from_above(he_ap: int, target: Target) -> int:
    """307c HE from above against the rear: +1, +3 on an open top; a dug-in tank -1."""
    table = CHARTS["destruction"]
    bonus = table["roofless"] if "open-top" in target.vehicle.traits else table["above"]
    return int(he_ap + bonus + (table["dug_in"] if target.dug_in else 0))


def armour_from_above(target: Target) -> int:
    """A-24: the rear, or the front of a dug-in tank."""
    return target.vehicle.armour[0 if target.dug_in else 2]


def reduced(cover: int) -> int:
    """417c Dice lost under a roof, 417d in a bunker."""
    if cover == BUNKER:
        return int(BARRAGE["bunker_lost"])
    return int(BARRAGE["lost"]) if is_roofed(cover) else 0


@rule("301a", "301b", "301c")
def template_size(pieces: int, rockets: bool, stretched: bool = False) -> tuple[int, int]:
    """301 5 x 5 cm a piece, 10 x 5 a launcher: 4 pieces 10 x 10, 6 15 x 10 or 20 x 15; stretched twice as long."""
    wide, deep = {1: (5, 5), 2: (10, 5), 3: (15, 5), 4: (10, 10), 5: (15, 10), 6: (15, 10)}[pieces]
    if rockets:
        return (20, 15) if pieces == 6 else (2 * wide, deep)
    return (2 * wide, deep // 2) if stretched and deep > 5 else (wide, deep)


def is_rocket(weapon: Weapon) -> bool:
    """A launcher."""
    return weapon.id in ROCKETS
