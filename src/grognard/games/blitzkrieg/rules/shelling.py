"""What comes down: templates, the dice of shells and rockets on everybody under them, mortars in direct fire."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import HE, SMOKE, Barrage
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.laws import destruction
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Support, Weapon
from grognard.games.blitzkrieg.state import (
    FIRED,
    FOG,
    HIDDEN,
    JAMMED,
    SHOT_AT,
    SUPPRESSED,
    Position,
    has,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_ARMOUR, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import emit, roll, rule
from grognard.tabletop import CM, Box, template
from grognard.tabletop.measure import FACINGS, distance, gap_to_point

from .aiming import as_target
from .ground import cover_from
from .indirect import guide_to, piece_weapon, spend_shells, take_mark, use_rockets
from .losses import lose, take_hits, wrecked
from .mines import breach
from .rounds import spend_round
from .smoke import lay, lay_marker


def strayed(s: Position, point: int, cm: int) -> int:
    """The point so many centimetres away in a direction by a die."""
    table = world(s).table
    dx, dy = FACINGS[(roll(s, "base-random-direction")[0] - 1) * 16 // 6]
    length = distance(0, 0, dx * 100, dy * 100)
    x, y = table.x[point] + dx * 100 * cm * CM // length, table.y[point] + dy * 100 * cm * CM // length
    return table.point_at(x, y)


@rule("301a", "301b", "417a", "410c")
def weapon_and_size(s: Position, c: Barrage) -> tuple[Weapon, int, int]:
    """301, 417a What fires, and its template: 5 x 5 cm a piece, side by side."""
    if c.pieces:
        weapon = piece_weapon(c.pieces[0])
        assert weapon is not None
        return (weapon, *law.template_size(len(c.pieces), law.is_rocket(weapon)))
    return support_size(world(s).batteries[c.battery].support)


def support_size(support: Support) -> tuple[Weapon, int, int]:
    """The template of a battery off the table."""
    assert support.weapon is not None
    return support.weapon, support.wide, support.deep


def box_of(s: Position, c: Barrage, sizes: tuple[Weapon, int, int] | None = None) -> Box:
    """301 The template on the table, its middle on the marker."""
    weapon, wide, deep = sizes or weapon_and_size(s, c)
    if c.shape and deep > 5 and not law.is_rocket(weapon):
        wide, deep = (2 * wide, deep // 2) if c.shape == 1 else (wide // 2, 2 * deep)
    return template(world(s).table, c.point, wide, deep)


def under(s: Position, box: Box) -> list[int]:
    """303e Everybody at least partly under a template, in an order that tells nothing."""
    table = world(s).table
    found = [
        u
        for u in world(s).units
        if stands(s, u) and is_there(s, u) and box.touches(BASE_OF[u], table.x[s.at[u]], table.y[s.at[u]], s.facing[u])
    ]
    return FOG.in_token_order(s, found)


@rule("303e", "409b")
def come_down(s: Position, c: Barrage) -> None:
    """303e Everybody at least partly under the template suffers; 409b under both templates twice."""
    if c.pieces:
        pieces_fire(s, c)
        return
    for number in (c.battery, c.joined):
        if number >= 0:
            _battery_fires(s, c, world(s).batteries[number].support)
    s.mark[c.battery], s.attempt[c.battery] = 0, 0


@rule("303e", "base-off-table-fire", "base-suppression", "417f")
def _battery_fires(s: Position, c: Barrage, support: Support) -> None:
    """Base-off-table-fire: the dice of the battery on each; 417f infantry and guns are suppressed."""
    weapon, box = support_size(support)[0], box_of(s, c, support_size(support))
    _falls(s, c, box)
    if c.load == SMOKE:
        lay(s, box, "base-smoke")
        return
    rolls = support.pieces if book_of(s).per_gun else 1
    for unit in under(s, box):
        shell(s, unit, support.he, weapon.he_ap, rolls, c.point, "base-off-table-fire")
        suppress(s, unit)
    breach(s, box, weapon)


def _falls(s: Position, c: Barrage, box: Box) -> None:
    point = world(s).table.names[c.point]
    emit(s, "comes-down", "303e", point=point, box=[box.x, box.y, box.wide, box.deep])


@rule("base-suppression", "417f")
def suppress(s: Position, unit: int) -> None:
    """417f Infantry and guns under indirect fire are suppressed."""
    if not IS_VEHICLE[unit] and stands(s, unit):
        raise_flag(s, unit, SUPPRESSED)


# Pieces on the table


@rule("417a", "417b", "417d", "417e", "417f", "416a")
def pieces_fire(s: Position, c: Barrage) -> None:
    """417b Each gun rolls on each unit in the zone; 417d on vehicles all dice together (A-37); 417e shells run out."""
    lead = c.pieces[0]
    s.aim[lead] = s.tries[lead] = 0
    weapon = weapon_and_size(s, c)[0]
    if law.is_rocket(weapon):
        _rockets_fall(s, c, lead, weapon)
        return
    box = box_of(s, c)
    _falls(s, c, box)
    if c.load == SMOKE:
        lay(s, box, "base-smoke")
    else:
        he = [max(1, weapon.he - bool(s.flags[u] & SUPPRESSED)) for u in c.pieces]
        _zone(s, c, box, he, weapon)
        breach(s, box, weapon)
    for unit in c.pieces:
        spend_shells(s, unit)


def _zone(s: Position, c: Barrage, box: Box, he: list[int], weapon: Weapon) -> None:
    """417b The dice of some pieces on everybody in a zone; 60 mm mortars reach two units at most."""
    units = under(s, box)
    for unit in units[:2] if weapon.id == "m60" else units:
        if IS_VEHICLE[unit]:
            shell(s, unit, sum(he), weapon.he_ap, 1, c.point, "417d")
        else:
            for dice in he:
                if stands(s, unit):
                    shell(s, unit, dice, weapon.he_ap, 1, c.point, "417b")
        suppress(s, unit)


@rule("408b", "base-random-direction")
def _rockets_fall(s: Position, c: Barrage, unit: int, weapon: Weapon) -> None:
    """408b Each rocket falls on the point on 1 or 2, else 5 cm from it; without 408 all fall in one template."""
    use_rockets(s, unit, c.rockets)
    if not law.deviates(book_of(s)):
        box = box_of(s, c)
        _falls(s, c, box)
        _zone(s, c, box, [weapon.he] * c.rockets, weapon)
        breach(s, box, weapon)
        return
    table, aimed = world(s).table, c.point
    for _ in range(c.rockets):
        die, point = roll(s, "408b", side=c.side)[0], aimed
        if die > int(CHARTS["rockets"]["on_point"]):
            point = strayed(s, aimed, int(CHARTS["rockets"]["stray"]))
        box = template(table, point, 5, 5)
        emit(s, "rocket", "408b", die=die, point=table.names[point], box=list(box))
        _zone(s, c, box, [weapon.he], weapon)
        breach(s, box, weapon)


@rule("307a", "307b", "307c", "417c")
def shell(s: Position, unit: int, he: int, he_ap: int, rolls: int, origin: int, why: str, direct: bool = False) -> None:
    """307, 417: the dice of a barrage, or of a mortar in direct fire, against one unit."""
    book = book_of(s)
    raise_flag(s, unit, SHOT_AT)
    cover = cover_from(s, unit, s.at[unit])
    if IS_VEHICLE[unit]:
        dice, number = he * rolls, int(law.BARRAGE["hit"])
    elif direct:
        dice, number = he, law.direct_mortar_number(cover)
    else:
        each, number = law.effect_on_men(book, he, cover)
        dice = each * rolls
    if not dice:
        return
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    thrown = roll(s, why, dice, audience=audience)
    hits = sum(die >= number for die in thrown)
    facts = {"dice": thrown, "number": number, "hits": hits}
    emit(s, "shelled", why, audience=audience, unit=FOG.veil(s, unit), **facts)  # type: ignore[arg-type]
    if not IS_VEHICLE[unit]:
        take_hits(s, unit, hits, 0, why, origin)
    elif not IS_ARMOUR[unit]:
        if hits:
            lose(s, unit, "307b")
    elif hits >= law.hits_for_test(book):
        target = as_target(s, unit, unit)
        total, armour = law.power_from_above(he_ap, target), law.armour_from_above(target)
        die = roll(s, "base-destruction", destruction.test_dice(book))
        wrecked(s, unit, destruction.tested(book, total, armour, die), "307c")


# Mortars


def mortar_range(unit: int) -> Gun:
    """The mortar of a unit."""
    model = MODEL_OF[unit]
    assert isinstance(model, Gun)
    return model


@rule("108d", "108e", "108f", "108g", "108h", "108i")
def mortar_fire(s: Position, unit: int, target: int, smoke: bool = False) -> None:
    """108 No roll to hit: everybody under a disc of 5 cm takes the dice, of light mortars two at most; a 1 jams."""
    table, weapon = world(s).table, mortar_range(unit).weapon
    x, y = table.x[s.at[target]], table.y[s.at[target]]
    near = [
        u
        for u in world(s).units
        if u != target
        and stands(s, u)
        and is_there(s, u)
        and 2 * gap_to_point(BASE_OF[u], table.x[s.at[u]], table.y[s.at[u]], s.facing[u], x, y) <= 5 * CM
    ]
    under = [target, *FOG.in_token_order(s, near)]
    if weapon.id in ("m50", "m60"):
        under = under[:2]
    emit(s, "lobs", "108d", unit=FOG.veil(s, unit), target=FOG.veil(s, target))
    if smoke:
        lay_marker(s, s.at[target], "base-special-ammo")
        spend_round(s, unit, "smoke")
    for victim in () if smoke else under:
        shell(s, victim, weapon.he, weapon.he_ap, 1, s.at[unit], "108f", direct=True)
    if roll(s, "108h", side=SIDE_OF[unit])[0] == 1:
        raise_flag(s, unit, JAMMED)
        emit(s, "jams", "108h", unit=FOG.veil(s, unit))


@rule("411", "416a")
def lob(s: Position, unit: int, mover: int) -> None:
    """Without proposal 411: indirect fire at who moves, one precision test and no second try."""
    book, side, point = book_of(s), SIDE_OF[unit], s.at[mover]
    take_mark(s, unit, point, guide_to(s, side, unit, point))
    raise_flag(s, unit, FIRED)
    needed = law.precision(book, 1) if law.is_ranged(book) else 1
    die = roll(s, "416a", side=side)[0]
    emit(s, "on-target" if die >= needed else "off-target", "416a", die=die, number=needed)
    if die >= needed:
        pieces_fire(s, Barrage(side=side, pieces=(unit,), point=point, load=HE))
