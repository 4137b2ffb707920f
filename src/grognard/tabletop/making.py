"""Tables drawn by lot: a theatre says what there is, a seed says where; the same pair gives the same table for ever.

Roads first, then houses along them, a stream or ditch across, hills and woods where they fit, fields, hedges and banks,
then zones and objectives. A table that is not sound, or on which a side cannot reach an objective, is drawn again with
the next number of the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeVar

from .ground import Table, Terrain, quarters, ribbon
from .loading import TableError, overlap, problems
from .measure import CM, Polygon
from .paths import StepCosts, field

TRIES: Final = 60  # darts thrown for a thing before it is left out
DRAWN: Final = 200  # tables drawn before we give up
ROUND: Final = (
    (0, -10),
    (5, -9),
    (9, -5),
    (10, 0),
    (9, 5),
    (5, 9),
    (0, 10),
    (-5, 9),
    (-9, 5),
    (-10, 0),
    (-9, -5),
    (-5, -9),
)
SQUARE: Final = ("crops", "orchard", "ruins")
SIZES: Final = {  # least and most of width and depth in cm: whole for square things, half for round ones
    "crops": ((18, 36), (16, 28)),
    "orchard": ((18, 30), (16, 24)),
    "ruins": ((8, 14), (8, 12)),
    "hill": ((22, 32), (14, 20)),
    "steep-hill": ((14, 20), (10, 14)),
    "sand": ((22, 32), (14, 20)),
}
ZONE: Final = 20  # depth of the attacker's zone in cm

T = TypeVar("T")
Corner = list[float]


class Lot:
    """Whole numbers from a keyed hash: the same on every machine and in every version."""

    def __init__(self, *key: object) -> None:
        self.key = "/".join(map(str, key)).encode()
        self.count = 0

    def below(self, most: int) -> int:
        """A number from 0 to below `most`."""
        self.count += 1
        digest = hashlib.blake2b(self.count.to_bytes(4, "big"), key=hashlib.sha256(self.key).digest(), digest_size=8)
        return int.from_bytes(digest.digest(), "big") % most

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def of(self, things: Sequence[T]) -> T:
        """One of a list."""
        return things[self.below(len(things))]


def make(name: str, theatre: Mapping[str, Any], seed: str, terrain: Terrain) -> dict[str, Any]:
    """The document of a table of a theatre; `problems` finds nothing wrong with it."""
    for number in range(DRAWN):
        document = _Drawing(name, theatre, seed, Lot(name, seed, number)).document()
        if not problems(document, terrain) and _fair(Table(document, terrain)):
            return document
    raise TableError(name, "theatre", "no-draw", draws=DRAWN)


def _fair(table: Table) -> bool:
    """True if men on foot of both sides reach every objective, of which there are two at least."""
    for zone in table.zones:
        feet = field(StepCosts(table, "foot", hull=False), [p for p in zone.points if table.kind[p] != "water"])
        if not all(any(p in feet for p in objective.points) for objective in table.objectives):
            return False
    return len(table.objectives) >= 2 and all(len(zone.points) > 200 for zone in table.zones)


class _Drawing:
    """One table being drawn."""

    def __init__(self, name: str, theatre: Mapping[str, Any], seed: str, lot: Lot) -> None:
        self.name, self.theatre, self.seed, self.lot = name, theatre, seed, lot
        self.wide, self.deep = theatre["size"]
        self.roads: list[dict[str, Any]] = []
        self.buildings: list[dict[str, Any]] = []
        self.areas: list[dict[str, Any]] = []
        self.lines: list[dict[str, Any]] = []
        self.taken: list[Polygon] = []  # solid ground
        self.paved: list[Polygon] = []
        self.centre: Corner = [self.wide / 2, self.deep / 2]

    def document(self) -> dict[str, Any]:
        """Everything, step by step."""
        self.lay_roads()
        self.build_houses()
        self.lay_across()
        self.lay_areas()
        self.lay_banks()
        self.lay_lines()
        theatre, found = self.theatre, dict[str, Any]()
        found |= {
            "format": 1,
            "id": f"{self.name}-{self.seed}",
            "title": theatre["title"],
            "size": [self.wide, self.deep],
        }
        found |= {"ground": theatre.get("ground", "open"), "mat": theatre["mat"], "theatre": self.name}
        found |= {"year": theatre["year"], "north": "up", "source": "drawn by lot", "seed": self.seed}
        if "weather" in theatre:
            found["weather"] = theatre["weather"]
        found |= {"area": self.areas, "road": self.roads, "line": self.lines, "building": self.buildings}
        found |= self.zones() | {"objective": self.objectives()}
        return {key: value for key, value in found.items() if value != []}

    # Roads

    def lay_roads(self) -> None:
        """One or two roads through the table, or a grid of streets."""
        lot, (w, d) = self.lot, (self.wide, self.deep)
        if "grid" in self.theatre:
            across, down = self.theatre["grid"]
            for i in range(across):
                y = d * (2 * i + 1) // (2 * across) + lot.between(-4, 4)
                self.road(f"street-{i + 1}", [[0, y], [w, y]], 6)
            for i in range(down):
                x = w * (2 * i + 1) // (2 * down) + lot.between(-4, 4)
                self.road(f"avenue-{i + 1}", [[x, 0], [x, d]], 6)
            self.centre = [w // 2, d // 2]
            return
        middle = [lot.between(w * 2 // 5, w * 3 // 5), lot.between(d * 2 // 5, d * 3 // 5)]
        self.centre = [float(n) for n in middle]
        ends = lot.between(d // 5, d * 4 // 5), lot.between(d // 5, d * 4 // 5)
        bends = [[middle[0] // 2, (ends[0] + middle[1]) // 2], [(w + middle[0]) // 2, (ends[1] + middle[1]) // 2]]
        run = 30  # straight through the village
        west, east = [middle[0] - run, middle[1]], [middle[0] + run, middle[1]]
        self.road("road-1", [[0, ends[0]], bends[0], west, east, bends[1], [w, ends[1]]], 5)
        if lot.between(*self.theatre["roads"]) > 1:
            ends = lot.between(w // 4, w * 3 // 4), lot.between(w // 4, w * 3 // 4)
            north, south = [middle[0], middle[1] - 22], [middle[0], middle[1] + 22]
            self.road("road-2", [[ends[0], 0], north, south, [ends[1], d]], 5)

    def road(self, name: str, path: list[Any], width: int) -> None:
        """A road and the ground it takes."""
        self.roads.append({"kind": "road", "id": name, "width": width, "path": path})
        self.paved.extend(ribbon(quarters(path), width * CM))

    # Houses

    def build_houses(self) -> None:
        """Houses with their long side along a street, one centimetre and a half from it, near the middle."""
        lot, wanted = self.lot, self.lot.between(*self.theatre["village"])
        for _ in range(wanted * TRIES):
            if len(self.buildings) == wanted:
                return
            road = lot.of(self.roads)
            legs = [(a, b) for a, b in pairwise(road["path"]) if a[0] == b[0] or a[1] == b[1]]
            (ax, ay), (bx, by) = lot.of(legs)
            long, short, side = lot.between(8, 11), lot.of([6.5, 7, 7.5]), lot.of([-1, 1])
            off = road["width"] / 2 + 1.5
            if ay == by:
                x, y = lot.between(min(ax, bx), max(ax, bx)), ay + off if side > 0 else ay - off - short
                shape = [[x, y], [x + long, y], [x + long, y + short], [x, y + short]]
            else:
                x, y = ax + off if side > 0 else ax - off - short, lot.between(min(ay, by), max(ay, by))
                shape = [[x, y], [x + short, y], [x + short, y + long], [x, y + long]]
            near = 45 if "grid" not in self.theatre else 200
            if abs(x - self.centre[0]) + abs(y - self.centre[1]) <= near and self.free(shape, 0.5, 1):
                self.house(shape)

    def house(self, shape: list[Corner]) -> None:
        """A house of one section; now and then of two storeys."""
        number = len(self.buildings) + 1
        floors = self.lot.between(1, self.theatre.get("floors", 1 + (number == 1)))
        section = {"id": f"house-{number}", "floors": floors, "outline": shape}
        self.buildings.append(
            {"id": f"house-{number}", "roof": self.lot.of(self.theatre["roofs"]), "section": [section]}
        )
        self.taken.append(quarters(shape))

    # Lines and areas

    def lay_across(self) -> None:
        """A stream or ditch from the top to the bottom, away from the houses."""
        lot, w, d = self.lot, self.wide, self.deep
        kinds = self.theatre.get("across")
        if not kinds:
            return
        x = lot.of([lot.between(w // 6, w // 3), lot.between(w * 2 // 3, w * 5 // 6)])
        path, y = [[x, 0]], 0
        while y < d:
            y = min(d, y + lot.between(14, 24))
            x = min(max(x + lot.between(-7, 7), 5), w - 5)
            path.append([x, y])
        self.lines.append({"kind": lot.of(kinds), "id": "across", "path": path})

    def lay_areas(self) -> None:
        """Hills, woods and fields by dart throwing."""
        lot, number = self.lot, 0
        for kind, (least, most) in self.theatre["areas"].items():
            for _ in range(lot.between(least, most)):
                shape = self.thrown(kind)
                if shape is None:
                    continue
                number += 1
                area: dict[str, Any] = {"kind": kind, "id": f"{kind}-{number}", "outline": shape}
                if "wood" in kind and "trees" in self.theatre:
                    area["trees"] = self.theatre["trees"]
                self.areas.append(area)
                if kind not in ("hill", "steep-hill"):
                    self.taken.append(quarters(shape))

    def thrown(self, kind: str) -> list[Corner] | None:
        """An outline where it fits: round for hills and woods, square for fields, small for ruins."""
        lot = self.lot
        for _ in range(TRIES):
            x, y = lot.between(8, self.wide - 8), lot.between(8, self.deep - 8)
            (least_w, most_w), (least_d, most_d) = SIZES.get(kind, ((11, 18), (9, 14)))
            wide, deep = lot.between(least_w, most_w), lot.between(least_d, most_d)
            if kind in SQUARE:
                shape: list[Corner] = [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]]
            else:
                rough = [(wide * dx * lot.between(88, 112), deep * dy * lot.between(88, 112)) for dx, dy in ROUND]
                shape = [[x + (dx // 500) / 2, y + (dy // 500) / 2] for dx, dy in rough]
            if self.free(shape, 1, -1 if kind == "hill" else 1):
                return shape
        return None

    def free(self, shape: list[Corner], margin: float, road_margin: float) -> bool:
        """True if an outline lies on the table, on nothing solid and on no road; a negative margin ignores both."""
        xs, ys = [x for x, _ in shape], [y for _, y in shape]
        if min(xs) < 0 or min(ys) < 0 or max(xs) > self.wide or max(ys) > self.deep:
            return False
        if road_margin < 0:
            return True
        solid = [p for p in self.taken if overlap(quarters(_grown(shape, margin)), p)]
        return not solid and not any(overlap(quarters(_grown(shape, road_margin)), p) for p in self.paved)

    def lay_banks(self) -> None:
        """Bocage: banks along the edges of a shaken grid, each with a gap at one end."""
        cell = self.theatre.get("bocage")
        if not cell:
            return
        lot, cols, rows = self.lot, self.wide // cell, self.deep // cell
        xs = [self.wide * c // cols + lot.between(-4, 4) for c in range(1, cols)]
        ys = [self.deep * r // rows + lot.between(-4, 4) for r in range(1, rows)]
        ways = [((x, a + 3), (x, b - 4)) for x in xs for a, b in zip([0, *ys], [*ys, self.deep])]
        ways += [((a + 3, y), (b - 4, y)) for y in ys for a, b in zip([0, *xs], [*xs, self.wide])]
        for number, (a, b) in enumerate(ways, 1):
            middle = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
            if lot.below(100) < 75 and not self.line("bocage", f"bank-{number}", a, b):
                for half, (start, end) in zip("ab", ((a, middle), (middle, b))):
                    self.line("bocage", f"bank-{number}-{half}", start, end)

    def lay_lines(self) -> None:
        """Hedges and walls, here and there."""
        lot, number = self.lot, 0
        for kind, (least, most) in self.theatre["lines"].items():
            for _ in range(lot.between(least, most)):
                for _ in range(TRIES):
                    x, y, long = lot.between(6, self.wide - 30), lot.between(6, self.deep - 30), lot.between(14, 24)
                    end = (x + long, y + lot.between(-2, 2)) if lot.below(2) else (x + lot.between(-2, 2), y + long)
                    number += 1
                    if self.line(kind, f"{kind}-{number}", (x, y), end):
                        break

    def line(self, kind: str, name: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """A line, if it cuts no road and nothing solid."""
        (ax, ay), (bx, by) = a, b
        strip = _grown([[ax, ay], [bx, by]], 1)
        if not self.free([[min(max(x, 0), self.wide), min(max(y, 0), self.deep)] for x, y in strip], 0, 0):
            return False
        self.lines.append({"kind": kind, "id": name, "path": [[ax, ay], [bx, by]]})
        return True

    # What it is about

    def zones(self) -> dict[str, Any]:
        """The first side comes over the left edge, the second holds the right half."""
        first, second = self.theatre["sides"]
        w, d, half = self.wide, self.deep, self.wide // 2 - 10
        came = {"id": "start", "side": first, "outline": [[0, 0], [ZONE, 0], [ZONE, d], [0, d]]}
        held = {"id": "defence", "side": second, "hidden": True, "outline": [[half, 0], [w, 0], [w, d], [half, d]]}
        return {"zone": [came, held], "edge": [{"id": "edge", "side": first, "edge": "west", "span": [0, d]}]}

    def objectives(self) -> list[dict[str, Any]]:
        """The two or three houses nearest to the middle of the village, and the crossing."""
        x, y = self.centre

        def far(building: Mapping[str, Any]) -> float:
            corner = building["section"][0]["outline"][0]
            return float(abs(corner[0] - x) + abs(corner[1] - y))

        order = sorted(self.buildings, key=far)
        found: list[dict[str, Any]] = [{"id": b["id"], "vp": 3, "section": b["id"]} for b in order[1:4]]
        found.append({"id": "crossing", "vp": 4, "at": [round(x), round(y)], "radius": 10})
        hills = [a["id"] for a in self.areas if a["kind"] == "hill"]
        if len(found) < 3 and hills:
            found.append({"id": "height", "vp": 3, "area": hills[0]})
        return found


def _grown(shape: list[Corner], margin: float) -> list[Corner]:
    """The box around a shape, with a margin; good enough to keep things apart."""
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    x0, y0, x1, y1 = min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def mirrored(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same table with top and bottom exchanged, for paired games."""
    deep = document["size"][1]

    def turned(value: Any, key: str = "") -> Any:
        if key in ("outline", "path"):
            return [[x, deep - y] for x, y in value]
        if key == "at":
            return [value[0], deep - value[1]]
        if isinstance(value, list):
            return [turned(entry) for entry in value]
        return {k: turned(v, k) for k, v in value.items()} if isinstance(value, dict) else value

    edges = {"north": "south", "south": "north"}
    found: dict[str, Any] = turned(dict(document))
    found["id"] += "-mirrored"
    for entry in found.get("edge", ()):
        entry["edge"] = edges.get(entry["edge"], entry["edge"])
        if entry["edge"] in ("east", "west"):
            entry["span"] = [deep - entry["span"][1], deep - entry["span"][0]]
    return found


def to_toml(document: Mapping[str, Any]) -> str:
    """A table file."""
    lines = [f"{key} = {_toml(value)}" for key, value in document.items() if not _is_section(value)]
    for key, entries in document.items():
        if _is_section(entries):
            for entry in entries:
                inner = entry["section"] if isinstance(entry.get("section"), list) else []
                lines += ["", f"[[{key}]]", *(f"{k} = {_toml(v)}" for k, v in entry.items() if v is not inner)]
                for section in inner:
                    lines += [f"[[{key}.section]]", *(f"{k} = {_toml(v)}" for k, v in section.items())]
    return "\n".join(lines) + "\n"


def _is_section(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value) if value == int(value) else value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(_toml(entry) for entry in value) + "]"
