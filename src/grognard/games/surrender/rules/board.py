"""Control, stacking, zones of control, weather of a hex: what nearly every other chapter asks."""

from __future__ import annotations

from grognard.games.surrender.scenarios import WORLDS
from grognard.games.surrender.state import AWAITED, ELIMINATED, GONE, ON_MAP, Position, world
from grognard.games.surrender.world import AXIS, OUT_OF_PLAY, Unit
from grognard.kernel import emit, rule
from grognard.kernel.stacks import place as put
from grognard.kernel.stacks import units_in

WEATHER = ("good", "poor", "severe")
SUPPLY = ("full", "low", "none")
_ANY = bytes(count > 0 for count in range(256))


def unit_of(s: Position, unit: int) -> Unit:
    """What is printed on a counter."""
    return WORLDS[s.scenario].units[unit]


def hex_name(s: Position, hex: int) -> str:
    """The printed number of a hex."""
    return WORLDS[s.scenario].hex_names[hex]


@rule("factions")
def at_war(a: int, b: int) -> bool:
    """factions The Axis is at war with the West and with the Soviets; those two never fight each other."""
    return a != b and AXIS in (a, b)


@rule("factions")
def enemies_of(s: Position, side: int) -> tuple[int, ...]:
    """factions The factions in play that are at war with this one."""
    return world(s).foes_of[side]


def army_in(s: Position, hex: int) -> int:
    """The ground unit of a hex, or -1."""
    u = s.first_in[hex]
    if u >= 0:
        units = world(s).units
        while u >= 0:
            if units[u].ground:
                return u
            u = s.next_in[u]
    return -1


def in_slot(s: Position, hex: int, slot: str) -> int:
    """The unit that takes a place of the hex (ground, air, convoy, warship), or -1."""
    units = world(s).units
    return next((u for u in units_in(s, hex) if units[u].slot == slot), -1)


@rule("stacking")
def has_room(s: Position, hex: int, unit: int) -> bool:
    """stacking One ground, one air, one convoy and one warship or carrier in a hex, of one faction."""
    u = s.first_in[hex]
    if u < 0:
        return True
    units = world(s).units
    mine = units[unit]
    while u >= 0:
        if u != unit and (units[u].slot == mine.slot or units[u].faction != mine.faction):
            return False
        u = s.next_in[u]
    return True


@rule("zoc", "unit-strength")
def place(s: Position, unit: int, hex: int) -> None:
    """zoc Move a counter; a ground unit, reduced or not, takes its zone of control with it."""
    kind = unit_of(s, unit)
    if kind.ground:
        column = s.axis_zoc if kind.faction == AXIS else s.allied_zoc
        reach = world(s).theatre.zoc_hexes
        old = s.at[unit]
        if old >= 0:
            for other in reach[old]:
                column[other] -= 1
        if hex >= 0:
            for other in reach[hex]:
                column[other] += 1
    put(s, unit, hex)


def marked(mask: bytes | bytearray) -> list[int]:
    """The hexes where a mask of one byte a hex is 1."""
    found = []
    hex = mask.find(1)
    while hex >= 0:
        found.append(hex)
        hex = mask.find(1, hex + 1)
    return found


def differing(a: bytes, b: bytes) -> list[int]:
    """The hexes where two columns of one byte a hex differ."""
    mixed = int.from_bytes(a, "little") ^ int.from_bytes(b, "little")
    return marked(mixed.to_bytes(len(a), "little").translate(_ANY))


def zones_again(s: Position) -> tuple[bytearray, bytearray]:
    """zoc The zones of the Axis and of its enemies, counted anew from where the armies stand."""
    w, reach = world(s), world(s).theatre.zoc_hexes
    zones = bytearray(len(s.axis_zoc)), bytearray(len(s.allied_zoc))
    for faction, armies in enumerate(w.armies_of):
        column = zones[0] if faction == AXIS else zones[1]
        for unit in armies:
            if s.at[unit] >= 0:
                for hex in reach[s.at[unit]]:
                    column[hex] += 1
    return zones


@rule("ezoc", "no-ezoc")
def in_ezoc(s: Position, hex: int, side: int) -> bool:
    """ezoc In the zone of a unit at war with the side. no-ezoc Not for the phasing faction in a marked hex."""
    zone = s.allied_zoc if side == AXIS else s.axis_zoc
    return bool(zone[hex]) and not (s.phasing == side and hex in s.no_ezoc)


def ezoc_mask(s: Position, side: int) -> bytearray:
    """ezoc One byte a hex, 0 or 1, for path finding."""
    column = s.allied_zoc if side == AXIS else s.axis_zoc
    mask: bytearray = column.translate(_ANY)  # type: ignore[attr-defined]
    if s.phasing == side:
        for hex in s.no_ezoc:
            mask[hex] = 0
    return mask


@rule("ezoc")
def in_ezoc_for_lines(s: Position, hex: int, side: int) -> bool:
    """ezoc For supply and strategic movement a friendly ground unit cancels the enemy's zone in its hex."""
    if not in_ezoc(s, hex, side):
        return False
    army = army_in(s, hex)
    return army < 0 or unit_of(s, army).faction != side


@rule("control")
def take_control(s: Position, hex: int, side: int) -> None:
    """control A ground unit that enters a land hex makes it its faction's; air and naval units never do."""
    if s.control[hex] != side + 1:
        s.control[hex] = side + 1
        theatre = world(s).theatre
        if theatre.city[hex] or theatre.port[hex] or theatre.fort[hex] or theatre.factory[hex]:
            emit(s, "captured", "control", hex=hex_name(s, hex), side=faction_name(side))


def is_friendly(s: Position, hex: int, side: int) -> bool:
    """Controlled by the side."""
    return s.control[hex] == side + 1


def is_enemy_held(s: Position, hex: int, side: int) -> bool:
    """Controlled by a faction at war with the side."""
    holder = s.control[hex]
    return 0 < holder < OUT_OF_PLAY and at_war(side, holder - 1)


def faction_name(side: int) -> str:
    """axis, western or soviet."""
    return ("axis", "western", "soviet")[side]


@rule("weather-words")
def weather_in(s: Position, hex: int) -> str:
    """weather-words Good, poor or severe: the month's weather of the hex's zone."""
    return WEATHER[s.weather[world(s).theatre.weather_zone[hex]]]


@rule("england")
def in_england(s: Position, hex: int) -> bool:
    """england Any land hex of Great Britain that is the UK's."""
    return bool(hex >= 0 and world(s).theatre.england[hex])


def units_on_map(s: Position, side: int) -> list[int]:
    """The units of a faction that stand on the map."""
    at = s.at
    return [u for u in world(s).of_faction[side] if at[u] >= 0]


def eliminate(s: Position, unit: int, why: str) -> None:
    """Take a unit off the map; it may be rebuilt unless its country is conquered."""
    emit(s, "eliminated", why, unit=unit_of(s, unit).id, hex=hex_name(s, s.at[unit]) if s.at[unit] >= 0 else None)
    place(s, unit, -1)
    s.fate[unit] = ELIMINATED
    s.reduced[unit] = s.sorties[unit] = s.done[unit] = 0


@rule("unit-strength", "unit-ground")
def lose_step(s: Position, unit: int, why: str) -> None:
    """unit-strength A full unit is reduced; a reduced one is eliminated."""
    if s.reduced[unit]:
        eliminate(s, unit, why)
    else:
        s.reduced[unit] = 1
        emit(s, "reduced", why, unit=unit_of(s, unit).id)


def add_sorties(s: Position, unit: int, added: int, why: str) -> None:
    """sorties-max Sorties up to the limit of six."""
    from grognard.games.surrender.rules.results import sorties_after

    s.sorties[unit] = sorties_after(s.sorties[unit], added)
    emit(s, "sorties", why, unit=unit_of(s, unit).id, added=added, now=s.sorties[unit])


__all__ = [
    "AWAITED", "ELIMINATED", "GONE", "ON_MAP", "SUPPLY", "WEATHER", "add_sorties", "army_in", "at_war", "eliminate",
    "enemies_of", "ezoc_mask", "faction_name", "has_room", "hex_name", "in_england", "in_ezoc", "in_ezoc_for_lines",
    "in_slot", "is_enemy_held", "is_friendly", "lose_step", "place", "take_control", "unit_of", "units_on_map",
    "weather_in",
]  # fmt: skip
