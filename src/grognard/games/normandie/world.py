"""The unchanging world: places by number, neighbours with their costs, counters, depots, charts.

Places are small integers: the hexes first (in the order of their printed numbers), then the boxes of the strategic
map and the Festungs, then the holding boxes of the margin. Everything is computed once, at import, into tuples.
"""

from __future__ import annotations

from typing import Any

from grognard.kernel.errors import DataError
from grognard.kernel.rulebook import rule

from .loading import (
    ALLIED,
    AMERICAN,
    BRITISH,
    GERMAN,
    GERMANS,
    GROUPS,
    Counter,
    Depot,
    load_air,
    load_boxes,
    load_charts,
    load_counters,
    load_depots,
    load_kinds,
    load_map,
    load_places,
    load_scenarios,
)

__all__ = ["ALLIED", "AMERICAN", "BRITISH", "GERMAN", "GERMANS", "GROUPS"]

CHARTS = load_charts()
COUNTERS: tuple[Counter, ...] = load_counters(load_kinds())
COUNT = len(COUNTERS)
UNITS = tuple(c.index for c in COUNTERS if not c.is_hq)
HQS = tuple(c.index for c in COUNTERS if c.is_hq)
INDEX = {c.id: c.index for c in COUNTERS}
SCENARIOS = load_scenarios(INDEX)
PLACES, _places_text = load_places()
DEPOTS: tuple[Depot, ...] = load_depots(PLACES, _places_text)
BOXES, STRATEGIC = load_boxes()
MAP = load_map()
LIMITS: dict[str, int] = {k: v for k, v in CHARTS["limits"].items() if k != "src"}

# --- counters, column by column (indexing a tuple is the fastest question Python can ask) ---------------------------

SIDE = tuple(c.side for c in COUNTERS)
GROUP = tuple(c.group for c in COUNTERS)
PE = tuple(c.kind.pe for c in COUNTERS)
IS_HQ = tuple(c.is_hq for c in COUNTERS)
STEPS = tuple(c.kind.steps for c in COUNTERS)
ATTACK = tuple(tuple(r[0] for r in c.kind.ratings) for c in COUNTERS)
MOVE = tuple(c.kind.ratings[-1][1] for c in COUNTERS)
DEFENCE = tuple(tuple(r[2] for r in c.kind.ratings) for c in COUNTERS)
DIVISION = tuple(c.division for c in COUNTERS)


def _flag(name: str) -> tuple[bool, ...]:
    return tuple(name in c.kind.flags for c in COUNTERS)


ARMOURED, PANZERGRENADIER, ELITE, PARA = _flag("armoured"), _flag("panzergrenadier"), _flag("elite"), _flag("para")
RANGER, COMMANDO, CYCLIST, GARRISON = _flag("ranger"), _flag("commando"), _flag("cyclist"), _flag("garrison")
BATTERY, FESTUNG, PARTISAN, FFI = _flag("battery"), _flag("festung"), _flag("partisan"), _flag("ffi")
MOTORISED_INFANTRY = _flag("motorised_infantry")
FIXED = tuple(m == 0 for m in MOVE)  # garrisons, batteries, Festungs, partisans, FFI: never move

# --- places ---------------------------------------------------------------------------------------------------------

HEX_CODES = tuple(sorted(MAP["hexes"]))
HEXES = len(HEX_CODES)
BOX_CODES = tuple(b.id for b in BOXES)
HOLDING = ("reserve", "track", "cadre", "rest", "withdrawn", "gone")
CODES = HEX_CODES + BOX_CODES + HOLDING
AT = {code: number for number, code in enumerate(CODES)}
PLACE_COUNT = len(CODES)
RESERVE, TRACK, CADRE, REST_BOX, WITHDRAWN, GONE = (AT[code] for code in HOLDING)
FIRST_BOX, LAST_BOX = HEXES, HEXES + len(BOX_CODES) - 1
BOX_AT = {AT[b.id]: b for b in BOXES}
BOX_NEXT = {AT[b.id]: tuple(AT[line] for line in b.lines) for b in BOXES}  # 4.1.2a
ROW = tuple(int(code[:2]) for code in HEX_CODES)
COLUMN = tuple(int(code[2:]) for code in HEX_CODES)

TERRAINS = ("sea", "clear", "bocage", "forest", "marsh")
SEA, CLEAR, BOCAGE, FOREST, MARSH = range(5)
NOTHING, VILLAGE, TOWN_SIZE = range(3)
DIRECTIONS = ("NE", "E", "SE", "SW", "W", "NW")


@rule("0c")
def is_hex(place: int) -> bool:
    """0c On-map: one of the hexes of the central map."""
    return place < HEXES


@rule("0c")
def is_box(place: int) -> bool:
    """0c A box of the strategic map, Festungs included."""
    return FIRST_BOX <= place <= LAST_BOX


def neighbour_code(code: str, direction: str) -> str:
    """The printed number of the hex next to one; rows grow south, columns west, odd rows stand half a hex west."""
    row, col = int(code[:2]), int(code[2:])
    odd = row % 2
    if direction in ("E", "W"):
        col += -1 if direction == "E" else 1
    else:
        row += -1 if direction[0] == "N" else 1
        col += (0 if odd else -1) if direction[1] == "E" else (1 if odd else 0)
    return f"{row:02d}{col:02d}"


NEXT = tuple(tuple(AT.get(neighbour_code(code, d), -1) for d in DIRECTIONS) for code in HEX_CODES)
AROUND = tuple(tuple(n for n in ring if n >= 0) for ring in NEXT)


def _axial(h: int) -> tuple[int, int]:
    return -COLUMN[h] - (ROW[h] + ROW[h] % 2) // 2, ROW[h]


_AXIAL = tuple(_axial(h) for h in range(HEXES))


def distance(a: int, b: int) -> int:
    """Hexes from one hex to another; next door is 1."""
    (q, r), (to_q, to_r) = _AXIAL[a], _AXIAL[b]
    q, r = q - to_q, r - to_r
    return max(q, r, q + r, -q, -r, -q - r)


def _terrain(h: int) -> int:
    """2.2f The one terrain of a hex, read at its centre."""
    row = MAP["hexes"][HEX_CODES[h]]
    if row.get("kind") in ("sea", "lake", "out") or row.get("terrain") in ("sea", "lake", "out"):
        return SEA
    if row["terrain"] not in TERRAINS:
        raise DataError("map.json", "", f"hex {HEX_CODES[h]}: unknown terrain {row['terrain']!r}")
    return TERRAINS.index(row["terrain"])


TERRAIN = tuple(_terrain(h) for h in range(HEXES))
LAND = tuple(t != SEA for t in TERRAIN)
TOWNS = tuple(sorted(AT[code] for code in PLACES["towns"].values()))
VILLAGES = tuple(sorted(AT[code] for code in PLACES["villages"].values()))
SETTLEMENT = tuple(TOWN_SIZE if h in TOWNS else VILLAGE if h in VILLAGES else NOTHING for h in range(HEXES))


def _side(a: int, b: int) -> dict[str, Any]:
    found: dict[str, Any] = MAP["sides"].get("|".join(sorted((HEX_CODES[a], HEX_CODES[b]))), {})
    return found


def _link(a: int, b: int) -> dict[str, Any]:
    found: dict[str, Any] = MAP["links"].get("|".join(sorted((HEX_CODES[a], HEX_CODES[b]))), {})
    return found


def has_river(a: int, b: int) -> bool:
    """2.2a A river runs along the hexside between two adjacent hexes."""
    return bool(_side(a, b).get("river"))


def has_road(a: int, b: int) -> bool:
    """2.2b A drawn road or railway joins two adjacent hexes."""
    link = _link(a, b)
    return bool(link.get("road") or link.get("rail"))


def is_closed(a: int, b: int) -> bool:
    """2.2a An estuary or a cliff: nobody crosses, except by a road bridge or a special operation."""
    return bool(_side(a, b).get("impassable"))


LAND_NEXT = tuple(tuple(n for n in NEXT[h] if n >= 0 and LAND[n]) if LAND[h] else () for h in range(HEXES))
ROAD_NEXT = tuple(tuple(n for n in LAND_NEXT[h] if has_road(h, n)) for h in range(HEXES))
OPEN_NEXT = tuple(tuple(n for n in LAND_NEXT[h] if not is_closed(h, n)) for h in range(HEXES))  # attacks, retreats
ZOC_NEXT = tuple(
    tuple(n for n in OPEN_NEXT[h] if TERRAIN[n] != MARSH and SETTLEMENT[n] != TOWN_SIZE) for h in range(HEXES)
)
RIVER_NEXT = tuple(frozenset(n for n in LAND_NEXT[h] if has_river(h, n)) for h in range(HEXES))
SUPPLY_NEXT = tuple(
    tuple(n for n in LAND_NEXT[h] if n in ROAD_NEXT[h] or (n in OPEN_NEXT[h] and MARSH not in (TERRAIN[h], TERRAIN[n])))
    for h in range(HEXES)
)

# --- movement costs: for each mode and hex, (neighbour, cost, cost under tactical interdiction) ---------------------

FOOT, MOTOR, BICYCLE = range(3)
MODES = (FOOT, MOTOR, BICYCLE)


def _hex_cost(h: int, motor: bool) -> tuple[int, bool]:
    """2.2a Cost of a hex off the road, and whether interdiction doubles it; 0 is closed."""
    name = "town" if SETTLEMENT[h] == TOWN_SIZE else TERRAINS[TERRAIN[h]]
    row = CHARTS["terrain"][name]
    if motor and row.get("no_motor"):
        return 0, False
    return row["motor" if motor else "foot"], bool(row.get("interdicted"))


def step_cost(a: int, b: int, mode: int) -> tuple[int, int]:
    """4.1.1c Points to step from one hex into the next: (normal, under tactical interdiction); (0, 0) is closed.

    2.2c A road or railway replaces the cost of the hex and of the river; 9.2c interdiction doubles clear and river,
    9.2d but not in a town or a forest.
    """
    chart = CHARTS["terrain"]
    by_road = chart["road"]["foot" if mode == FOOT else "motor"] if has_road(a, b) else 0
    motor = mode == MOTOR
    cost, doubled = (0, False) if is_closed(a, b) else _hex_cost(b, motor)
    if not cost:
        return by_road, by_road
    river = chart["river"]["motor" if motor else "foot"] if has_river(a, b) else 0
    sheltered = SETTLEMENT[b] == TOWN_SIZE or TERRAIN[b] == FOREST
    normal = cost + river
    hard = normal if sheltered else (cost * 2 if doubled else cost) + river * 2
    if not by_road:
        return normal, hard
    return min(normal, by_road), min(hard, by_road)


STEP = tuple(
    tuple(tuple((n, *step_cost(h, n, mode)) for n in LAND_NEXT[h] if step_cost(h, n, mode)[0]) for h in range(HEXES))
    for mode in MODES
)

# --- depots, zones, exits, coasts -----------------------------------------------------------------------------------

DEPOT_HEX = tuple(AT[d.hex] for d in DEPOTS)
DEPOT_INDEX = {d.id: d.index for d in DEPOTS}
BEACH = {AT[code]: name for name, codes in PLACES["beaches"].items() for code in codes}
BRITISH_BEACHES = tuple(sorted(h for h, name in BEACH.items() if name in ("gold", "juno", "sword")))
ZONE_IDS = tuple(z["id"] for z in PLACES["zone"])


def _zone(h: int) -> int:
    for number, zone in enumerate(PLACES["zone"]):
        if zone["rows"][0] <= ROW[h] <= zone["rows"][1] and zone["columns"][0] <= COLUMN[h] <= zone["columns"][1]:
            return number
    return -1


ZONE = tuple(_zone(h) for h in range(HEXES))
EXIT_BOX = {AT[e["hex"]]: AT[e["box"]] for e in PLACES["exit"]}
ENTRY_HEXES = {AT[b.id]: tuple(h for h, box in EXIT_BOX.items() if box == AT[b.id]) for b in BOXES if not b.inside}
COAST = {fleet: tuple(AT[code] for code in PLACES["coast"][fleet]) for fleet in ("wtf", "etf")}
FLEETS = ("wtf", "etf")  # in the order of the groups: American, Anglo-Canadian
CHERBOURG = tuple(sorted(AT[PLACES["towns"][k]] for k in ("cherbourg-port", "cherbourg-east")))
CHERBOURG_PORT = AT[PLACES["towns"]["cherbourg-port"]]
_GUNS = {row["unit"]: row["beaches"] for row in PLACES["battery"]}
BATTERY_BEACHES = {INDEX[unit]: frozenset(h for h, name in BEACH.items() if name in names)
                   for unit, names in _GUNS.items()}  # fmt: skip

# --- air counters ---------------------------------------------------------------------------------------------------

HB, MB, FB = range(3)
AIR_KINDS = ("hb", "mb", "fb")
_air = load_air(CHARTS["air"]["cups"])
AIR_IDS = tuple(row[0] for row in _air)
AIR = tuple(row[1:] for row in _air)  # kind, group, light
