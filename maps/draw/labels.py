"""Names: where each one goes so that none overlaps another, a symbol or a hex number; and the audit that proves it.

Order: hex numbers and symbols stand first; then places by rank, each tried at many positions around its symbol; then
heights, rivers along their course, regions and seas letter by letter. A name that finds no free position is tried
smaller and on two lines. What still overlaps is a finding, and a finding stops the build.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from shapely.geometry import Point as Dot
from shapely.prepared import prep

from maps.compiler.tomlfile import read_table
from maps.draw import svg, towns
from maps.draw.boxes import Box, Index
from maps.draw.extras import veiled, zone_numbers
from maps.draw.frame import MARGIN, RADIUS, Point
from maps.draw.lines import network, river_paths
from maps.draw.metrics import ASCENT, DESCENT, Face, width
from maps.draw.sheet import Floats, Sheet, number_point
from maps.draw.style import SANS, SERIF

NUMBER = Face("sans", 7.6)
PLACE = {
    "capital": Face("sans", 14.0, bold=True),
    "city": Face("sans", 17.0, bold=True),
    "major": Face("sans", 12.0, bold=True),
    "fortress": Face("sans", 12.0, bold=True),
    "town": Face("sans", 13.4, bold=True),
    "minor": Face("sans", 10.4),
    "village": Face("sans", 10.6),
    "hamlet": Face("sans", 8.8, italic=True),
}
RANK = {"capital": 0, "city": 0, "major": 1, "fortress": 1, "town": 1, "minor": 2, "village": 3, "hamlet": 4}
AROUND = [
    (1.0, 0.0),
    (0.0, 1.0),
    (0.0, -1.0),
    (-1.0, 0.0),
    (1.0, 0.75),
    (1.0, -0.75),
    (-1.0, 0.75),
    (-1.0, -0.75),
    (0.55, 1.0),
    (-0.55, 1.0),
    (0.55, -1.0),
    (-0.55, -1.0),
]


@dataclass(frozen=True)
class Name:
    """A name that has found its position: `lines` of text in one type, turned around its centre."""

    owner: str
    lines: tuple[str, ...]
    face: Face
    x: float
    y: float
    turn: float = 0.0
    ink: str = "ink"
    halo: str = "halo"
    layer: str = "places"
    opacity: float = 1.0

    def boxes(self) -> list[Box]:
        """What the name covers: one box a line; letter by letter when the letters stand apart."""
        out = []
        step = self.face.size * 1.02
        for i, text in enumerate(self.lines):
            down = (i - (len(self.lines) - 1) / 2) * step
            out += self._letters(text, down) if self.face.spacing > 4 else [self._line(text, down)]
        return out

    def _at(self, right: float, down: float) -> Point:
        a = math.radians(self.turn)
        return self.x + right * math.cos(a) - down * math.sin(a), self.y + right * math.sin(a) + down * math.cos(a)

    def _line(self, text: str, down: float) -> Box:
        x, y = self._at(0, down)
        high = (ASCENT + DESCENT) * self.face.size / 2 - 0.06 * self.face.size
        return Box(x, y, width(text, self.face) / 2, high, self.turn)

    def _letters(self, text: str, down: float) -> list[Box]:
        out, at = [], -width(text, self.face) / 2
        plain = replace(self.face, spacing=0.0)
        for letter in text:
            wide = width(letter, plain)
            if letter != " ":
                x, y = self._at(at + wide / 2, down)
                out.append(Box(x, y, wide / 2 + 0.5, self.face.size * 0.38, self.turn))
            at += wide + self.face.spacing
        return out


class Writer:
    """Places names one after the other and remembers what is taken."""

    def __init__(self, sheet: Sheet, lang: str) -> None:
        self.sheet, self.lang = sheet, lang
        self.taken = Index()
        self.names: list[Name] = []
        self.findings: list[str] = []
        self._ink = _ink_map(sheet)
        self._off_map = prep(veiled(sheet))
        self._faded = not veiled(sheet).is_empty
        for box, owner in symbols(sheet):
            self.taken.add(box, owner)

    def text(self, value: object) -> str:
        """A text in the language of this sheet."""
        if isinstance(value, dict):
            return str(value.get(self.lang) or value.get("en"))
        return str(value)

    def block(self, box: Box, owner: str) -> None:
        """Keep names off a symbol drawn by another pass."""
        self.taken.add(box, owner)

    def ink_under(self, box: Box) -> float:
        """How much drawn line lies under a box, 0 to 1: crossing a road is allowed but not liked."""
        image, scale = self._ink, INK_SCALE
        xs, ys = zip(*box.corners())
        left, right = max(0, int(min(xs) * scale)), int(max(xs) * scale) + 1
        top, bottom = max(0, int(min(ys) * scale)), int(max(ys) * scale) + 1
        part = image[top:bottom, left:right]
        return float(part.mean()) if part.size else 1.0

    def is_off_map(self, box: Box) -> bool:
        """Does a box lie where the sheet has faded, off the map?"""
        return self._faded and bool(self._off_map.contains(Dot(box.x, box.y)))

    def cost(self, name: Name, ignore: str = "", enough: float = 1e9) -> float:
        """0 for a name on free ground; every overlap costs 10; leaving the sheet is forbidden.

        The count stops when it is `enough` to lose against a better position.
        """
        total, frame = 0.0, self.sheet.frame
        for box in name.boxes():
            for x, y in box.corners():
                if not (12 < x < frame.width - 12 and 12 < y < frame.height - 12):
                    return 1000.0
            total += 10 * len(self.taken.hits(box, 0.0, ignore)) + 2.0 * self.ink_under(box)
            total += 3.0 * self.is_off_map(box)
            if total > enough:
                break
        return total

    def keep(self, name: Name, price: float) -> None:
        """Accept a position; an overlap that could not be avoided becomes a finding."""
        if price >= 10:
            hits = sorted({h for box in name.boxes() for h in self.taken.hits(box)})
            self.findings.append(
                f"label {' '.join(name.lines)!r} overlaps {', '.join(hits) or 'the edge of the sheet'}"
            )
        for box in name.boxes():
            self.taken.add(box, name.owner)
        self.names.append(name)

    # ------------------------------------------------------------ places
    def write_places(self) -> None:
        """Names of settlements, greater ones first."""
        data, seen = self.sheet.data["places"], set[str]()
        spots = towns.town_spots(self.sheet)
        todo = []
        for number, (key, spot) in spots.items():
            if key in seen:
                continue
            seen.add(key)
            first = next((n for n in data[key]["hexes"] if n in spots and spots[n][0] == key), number)
            todo.append(
                (
                    RANK[towns.size_class(self.sheet, data[key])],
                    first,
                    key,
                    spots[first][1] if first != number else spot,
                )
            )
        for _, number, key, spot in sorted(todo, key=lambda item: item[:3]):
            place = data[key]
            kind = towns.size_class(self.sheet, place)
            text = self.text(place["name"])
            if kind in ("city", "capital"):
                text = text.upper()
            faded = self.sheet.is_out(number)
            ink = "soft_ink" if kind == "hamlet" else "ink"
            self._around(Name(f"place {key}", (text,), PLACE[kind], 0, 0, ink=ink, opacity=0.6 if faded else 1.0), spot)

    def write_heights(self) -> None:
        """Names of heights."""
        for label, spot in towns.height_spots(self.sheet):
            text = self.text(label["text"])
            face = Face("serif", 9.0, italic=True)
            self._around(Name(f"height {text}", (text,), face, 0, 0, ink="height", layer="heights"), spot)

    def write_zones(self) -> None:
        """Names of maritime zones beside their numbers, where the sea does not bear that name already."""
        said = {self.text(label["text"]).lower() for label in self.sheet.data.get("labels", [])}
        zones = {str(area.get("value")): area for area in self.sheet.data.get("areas", {}).values()
                 if area.get("kind") == "zones"}  # fmt: skip
        for number, (x, y) in zone_numbers(self.sheet):
            text = self.text(zones[number]["name"]) if number in zones else ""
            if text and text.lower() not in said:
                face = Face("serif", 15.0, italic=True, spacing=0.6)
                name = Name(f"zone name {number}", (text,), face, 0, 0, 0.0, "sea_ink", "shallow", "zones", 0.9)
                self._around(name, towns.Spot(x, y, 17.0), optional=True)

    def _around(self, name: Name, spot: towns.Spot, optional: bool = False) -> None:
        best: tuple[float, Name] | None = None
        for shrink in (1.0, 0.92, 0.84):
            for lines in _ways_to_break(name.lines[0]):
                if len(lines) > 1 and shrink == 1.0 and len(name.lines[0]) < 12:
                    continue
                face = name.face.scaled(shrink)
                for i, (dx, dy) in enumerate(AROUND):
                    for gap in (2.5, 6.0):
                        x, y = _beside(spot, lines, face, dx, dy, gap)
                        trial = replace(name, lines=lines, face=face, x=x, y=y)
                        price = (
                            self.cost(trial) + 0.10 * i + 0.25 * (gap > 3) + 3.0 * (1 - shrink) + 0.5 * (len(lines) - 1)
                        )
                        if best is None or price < best[0]:
                            price += 0.8 * self._is_crowded(trial)
                        if best is None or price < best[0]:
                            best = price, trial
            if best is not None and best[0] < 2.2:
                break
        assert best is not None
        if not optional or best[0] < 10:
            self.keep(best[1], best[0])

    def _is_crowded(self, name: Name) -> bool:
        """Does the name of another place begin where this one ends?"""
        wider = (replace(box, half_wide=box.half_wide + 4) for box in name.boxes())
        return any(hit.startswith("place ") for box in wider for hit in self.taken.hits(box))

    # ------------------------------------------------------------ rivers
    def write_rivers(self) -> None:
        """Each river is named once or twice along its course; a short one without room stays unnamed."""
        for name, rank, chain in reversed(river_paths(self.sheet)):
            if len(chain) < 4:
                continue
            points = [self.sheet.frame.corner_point(c) for c in chain]
            text = _rivers_fr().get(name, name) if self.lang == "fr" else name
            face = Face("serif", {1: 11.5, 2: 10.5}.get(rank, 9.2), italic=True)
            trials = []
            for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
                turn = math.degrees(math.atan2(by - ay, bx - ax))
                turn = turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn
                for side in (1, -1):
                    off = (face.size * 0.40 + {1: 5.0, 2: 4.0}.get(rank, 3.0)) * side
                    length = math.dist((ax, ay), (bx, by))
                    x, y = (ax + bx) / 2 - (by - ay) / length * off, (ay + by) / 2 + (bx - ax) / length * off
                    trial = Name(f"river {name}", (text,), face, x, y, turn, "river_ink", layer="rivers")
                    price = self.cost(trial) + 0.03 * abs(i - len(points) / 2) + (0.8 if abs(turn) > 80 else 0)
                    trials.append((price, i, trial))
            trials.sort(key=lambda t: (t[0], t[1]))
            if trials and trials[0][0] < 9:
                self.keep(trials[0][2], trials[0][0])
                again = [t for t in trials if abs(t[1] - trials[0][1]) > 9 and t[0] < 3]
                if again and len(chain) > 18:
                    self.keep(again[0][2], again[0][0])

    # ------------------------------------------------------------ regions and seas
    def write_labels(self, wanted: str) -> None:
        """Free labels of the map file: seas, bays, regions, countries; moved a little until they are free."""
        for label in self.sheet.data.get("labels", []):
            kind = str(label["style"])
            if kind == wanted and self._is_on_sheet(label):
                self._free(label, kind)

    def _is_on_sheet(self, label: dict[str, object]) -> bool:
        x, y = towns.label_point(self.sheet, label)
        return MARGIN < x < self.sheet.frame.width - MARGIN and MARGIN < y < self.sheet.frame.height - MARGIN

    def _free(self, label: dict[str, object], kind: str) -> None:
        lines = tuple(self.text(label["text"]).split("\n"))
        large = min(1.7, max(1.0, self.sheet.frame.width / 3600))
        face, ink, opacity = _label_face(kind, float(str(label.get("size", 1.0))) * large)
        x, y = towns.label_point(self.sheet, label)
        best: tuple[float, Name] | None = None
        plain = Name(f"label {lines[0]}", lines, face, x, y, float(str(label.get("rot", 0))), ink,
                     "shallow" if kind in SEA_KINDS else "halo", kind, opacity)  # fmt: skip
        for shrink in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):
            for reach, dx, dy in _moves():
                trial = replace(plain, face=face.scaled(shrink), x=x + dx * RADIUS, y=y + dy * RADIUS)
                price = self.cost(trial, enough=best[0] if best else 1e9) + 1.2 * reach + 6 * (1 - shrink)
                if best is None or price < best[0]:
                    best = price, trial
            if best is not None and best[0] < 8:
                break
        assert best is not None
        self.keep(best[1], best[0])


@cache
def _moves() -> list[tuple[float, float, float]]:
    """Small and larger moves of a free label, nearest first: (distance, right, down) in hex radii."""
    fine = [(i / 8, j / 8) for i in range(-4, 5) for j in range(-4, 5)]
    wide = [
        (r * math.cos(math.radians(22.5 * k)), r * math.sin(math.radians(22.5 * k)))
        for r in (0.8, 1.15, 1.5)
        for k in range(16)
    ]
    return sorted((math.hypot(dx, dy), dx, dy) for dx, dy in fine + wide)


@cache
def _rivers_fr() -> dict[str, str]:
    """French names of rivers."""
    return read_table(Path(__file__).parent / "rivers_fr.toml")


SEA_KINDS = ("ocean", "sea", "bay")


def _label_face(kind: str, factor: float) -> tuple[Face, str, float]:
    """Type, ink and opacity of a free label."""
    table = {
        "ocean": (Face("serif", 40, italic=True, spacing=22), "sea_ink", 0.85),
        "sea": (Face("serif", 30, italic=True, spacing=12), "sea_ink", 0.85),
        "bay": (Face("serif", 14.5, italic=True, spacing=0.8), "sea_ink", 0.9),
        "country": (Face("serif", 26, bold=True, spacing=14), "region_ink", 0.5),
        "region": (Face("serif", 17, bold=True, spacing=6), "region_ink", 0.5),
    }
    face, ink, opacity = table.get(kind, table["region"])
    return face.scaled(factor), ink, opacity


def _ways_to_break(text: str) -> list[tuple[str, ...]]:
    """One line, and two lines broken at the hyphen or space nearest to the middle."""
    cuts = [i for i, letter in enumerate(text) if letter in "- " and 2 < i < len(text) - 3]
    if not cuts:
        return [(text,)]
    cut = min(cuts, key=lambda i: abs(i - len(text) / 2))
    return [(text,), (text[: cut + 1].rstrip(), text[cut + 1 :])]


def _beside(spot: towns.Spot, lines: tuple[str, ...], face: Face, dx: float, dy: float, gap: float) -> Point:
    """Centre of a name set beside a symbol in direction (dx, dy)."""
    wide = max(width(line, face) for line in lines)
    high = face.size * (0.78 + 1.02 * (len(lines) - 1))
    if abs(dx) == 1.0:
        shift = spot.half + gap if dy == 0 else spot.half * 0.72 + gap
        return spot.x + dx * (shift + wide / 2), spot.y + dy * (spot.half * 0.8 + high * 0.45)
    return spot.x + dx * wide * 0.5, spot.y + dy * (spot.half + gap * 0.85 + high / 2)


INK_SCALE = 0.5


def _ink_map(sheet: Sheet) -> Floats:
    """A small picture of all drawn lines, to keep names off them where possible."""
    size = int(sheet.frame.width * INK_SCALE) + 2, int(sheet.frame.height * INK_SCALE) + 2
    canvas = Image.new("L", size, 0)
    pen = ImageDraw.Draw(canvas)

    def draw(points: list[Point], wide: int, shade: int) -> None:
        pen.line([(x * INK_SCALE, y * INK_SCALE) for x, y in points], fill=shade, width=wide)

    for key, shade in (("road", 200), ("rail", 200)):
        for pieces in network(sheet, key).values():
            for piece in pieces:
                draw(piece, 3, shade)
    for _, rank, chain in river_paths(sheet):
        draw([sheet.frame.corner_point(c) for c in chain], 5 - rank, 255)
    for a, b, _ in sheet.side_items("fort"):
        draw([sheet.frame.corner_point(c) for c in sheet.frame.side(a, b)], 5, 255)
    return np.asarray(canvas, dtype=np.float64) / 255


# ---------------------------------------------------------------- hex numbers
def number_box(sheet: Sheet, number: str) -> Box:
    """What the number covers."""
    x, y = number_point(sheet, number)
    return Box(x, y, width(number, NUMBER) / 2, NUMBER.size * 0.36)


def numbers(sheet: Sheet) -> str:
    """The layer of hex numbers: a group for each line of hexes, so that a number says only how far along it stands."""
    rows: dict[tuple[bool, int], list[str]] = {}
    for number in sheet.numbers:
        x, y = (round(v) for v in number_point(sheet, number))
        y += round(NUMBER.size * 0.36)
        line, place = (x, {"y": y}) if sheet.frame.flat else (y, {"x": x})
        rows.setdefault((sheet.is_water(number), line), []).append(svg.tag("text", number, **place))
    style, groups = sheet.style, []
    for wet, colour, opacity in ((True, "number_sea", 0.8), (False, "number_land", 0.85)):
        moved = [
            svg.tag("g", "".join(texts), transform=f"translate({line})" if sheet.frame.flat else f"translate(0 {line})")
            for (water, line), texts in sorted(rows.items())
            if water == wet
        ]
        groups.append(svg.tag("g", "".join(moved), fill=style.colour(colour), opacity=opacity))
    type_ = {"font_family": SANS, "font_size": NUMBER.size, "text_anchor": "middle"}
    return svg.layer("numbers", groups, **type_)


def draw_names(sheet: Sheet, names: list[Name]) -> list[str]:
    """Names by layer and type, as real text of a fixed width."""
    layers: dict[str, dict[tuple[tuple[str, object], ...], list[str]]] = {}
    for name in names:
        look = tuple(_look(sheet, name).items())
        layers.setdefault(name.layer, {}).setdefault(look, []).append(_draw(name))
    return [
        svg.layer(f"names-{key}", [svg.tag("g", "".join(texts), **dict(look)) for look, texts in layers[key].items()])
        for key in sorted(layers)
    ]


def _look(sheet: Sheet, name: Name) -> dict[str, object]:
    """What names of the same kind share: type, ink and halo."""
    face, style = name.face, sheet.style
    return {
        "font_family": SANS if face.family == "sans" else SERIF,
        "font_size": face.size,
        "font_weight": "bold" if face.bold else None,
        "font_style": "italic" if face.italic else None,
        "fill": style.colour(name.ink),
        "opacity": name.opacity if name.opacity < 1 else None,
        "stroke": style.colour(name.halo),
        "stroke_width": svg.number(min(3.2, face.size * 0.2)),
        "stroke_opacity": 0.85 if face.spacing <= 4 else 0.35,
        "paint_order": "stroke",
        "stroke_linejoin": "round",
    }


def _draw(name: Name) -> str:
    face, out = name.face, list[str]()
    for i, text in enumerate(name.lines):
        down = (i - (len(name.lines) - 1) / 2) * face.size * 1.02 + face.size * 0.345
        turn = f"rotate({svg.number(name.turn)} {svg.number(name.x)} {svg.number(name.y)})" if name.turn else None
        wide = width(text, face)
        out.append(
            svg.tag(
                "text",
                text,
                x=svg.number(name.x - wide / 2),
                y=svg.number(name.y + down),
                transform=turn,
                textLength=svg.number(wide),
                lengthAdjust="spacing" if face.spacing > 4 else "spacingAndGlyphs",
            )
        )
    return "".join(out)


def write_names(sheet: Sheet, lang: str, blocked: list[tuple[Box, str]]) -> Writer:
    """Place every name of a map in one language."""
    writer = Writer(sheet, lang)
    for box, owner in blocked:
        writer.block(box, owner)
    writer.write_places()
    writer.write_heights()
    for kind in ("sea", "ocean", "bay"):
        writer.write_labels(kind)
    writer.write_zones()
    writer.write_rivers()
    for kind in ("country", "region"):
        writer.write_labels(kind)
    return writer


def symbols(sheet: Sheet) -> list[tuple[Box, str]]:
    """What stands on the sheet before any name: hex numbers, towns, anchors, summits."""
    found = [(number_box(sheet, number), f"number {number}") for number in sheet.numbers]
    for number, (_, spot) in towns.town_spots(sheet).items():
        found.append((Box(spot.x, spot.y, spot.half * 0.92, spot.half * 0.92), f"town {number}"))
    for number, _, spot in towns.port_spots(sheet):
        found.append((Box(spot.x, spot.y, spot.half, spot.half), f"port {number}"))
    for i, (_, spot) in enumerate(towns.height_spots(sheet)):
        found.append((Box(spot.x, spot.y, spot.half, spot.half), f"height {i}"))
    return found


def audit(writer: Writer, blocked: list[tuple[Box, str]]) -> list[str]:
    """Independent of the placing: what covers what.

    Every name is held against every other name, hex number, town, anchor, summit, marker, the legend and the panel of
    boxes; the panels against everything that stands on land; and no name may lie where the sheet has faded.
    """
    index, found = Index(), list(writer.findings)
    for box, owner in [*symbols(writer.sheet), *blocked]:
        index.add(box, owner)
    for i, name in enumerate(writer.names):
        for box in name.boxes():
            for hit in sorted(index.hits(box, 0.3, f"name {i}")):
                found.append(f"{' '.join(name.lines)!r} overlaps {hit}")
            if writer.is_off_map(box):
                found.append(f"{' '.join(name.lines)!r} lies off the map")
        for box in name.boxes():
            index.add(box, f"name {i} {' '.join(name.lines)!r}")
    for box, owner in blocked:
        under = owner in PANELS or owner.startswith("arrow ")
        hits = {hit for hit in index.hits(box, 1.0, owner) if not (under and hit.startswith("number"))}
        found += [f"{owner} covers {hit}" for hit in hits]
    return sorted(set(found))


PANELS = ("legend", "off-map boxes")
"""They lie over open water, hex numbers and all; the arrows of landings lie below the numbers."""
