"""Title, legend and scale: a panel of its own, laid over the emptiest water of the sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from maps.draw import svg, towns
from maps.draw.boxes import Box
from maps.draw.curves import wiggle
from maps.draw.extras import canal_ring, pass_sign
from maps.draw.frame import RADIUS, Point
from maps.draw.lines import RIVER_WIDTH, fort_wall
from maps.draw.markers import ICONS, areas, hex_icons, icon, place_icons
from maps.draw.metrics import Face, width
from maps.draw.raster import mask
from maps.draw.sheet import Floats, Sheet, once
from maps.draw.style import SANS, SERIF

WORDS = {
    "road_1": {"en": "Main road", "fr": "Route principale"},
    "road_2": {"en": "Road", "fr": "Route"},
    "rail": {"en": "Railway", "fr": "Voie ferrée"},
    "river": {"en": "River", "fr": "Cours d’eau"},
    "frontier": {"en": "Frontier", "fr": "Frontière"},
    "fort": {"en": "Fortified side", "fr": "Côté fortifié"},
    "arrow": {"en": "Strait crossing", "fr": "Passage de détroit"},
    "front_beach": {"en": "Facing beaches", "fr": "Plages en vis-à-vis"},
    "ferry": {"en": "Train ferry", "fr": "Transbordeur"},
    "sea_route": {"en": "Sea route", "fr": "Route maritime"},
    "mountain_side": {"en": "Mountain side", "fr": "Côté montagneux"},
    "pass": {"en": "Pass", "fr": "Col"},
    "canal": {"en": "Canal", "fr": "Canal"},
    "sea_zone": {"en": "Maritime zone", "fr": "Zone maritime"},
    "beach_tag": {"en": "Beach", "fr": "Plage"},
    "shoals": {"en": "Shoals", "fr": "Hauts-fonds"},
    "closed": {"en": "Closed country", "fr": "Pays interdit"},
    "factory": {"en": "Factory", "fr": "Usine"},
    "factory_red": {"en": "Red factory", "fr": "Usine rouge"},
    "factory_blue": {"en": "Blue factory", "fr": "Usine bleue"},
    "factory_white": {"en": "White factory", "fr": "Usine blanche"},
    "factory_black": {"en": "Black factory", "fr": "Usine noire"},
    "fort_hex": {"en": "Fort", "fr": "Fort"},
    "fortress_hex": {"en": "Fortress", "fr": "Forteresse"},
    "bunker": {"en": "Bunker", "fr": "Bunker"},
    "siegfried": {"en": "Siegfried Line", "fr": "Ligne Siegfried"},
    "festung": {"en": "Festung", "fr": "Festung"},
    "population": {"en": "Population", "fr": "Population"},
    "radar": {"en": "Radar stations", "fr": "Stations radar"},
    "oil": {"en": "Oil", "fr": "Pétrole"},
    "mining": {"en": "Mine", "fr": "Mine"},
    "victory": {"en": "Victory city", "fr": "Ville de victoire"},
    "letter": {"en": "Lettered coast", "fr": "Côte à lettre"},
    "water": {"en": "Water side", "fr": "Côté maritime"},
    "impassable": {"en": "Impassable side", "fr": "Côté infranchissable"},
    "zone": {"en": "Air zone", "fr": "Zone aérienne"},
    "port_major": {"en": "Major port", "fr": "Grand port"},
    "port_minor": {"en": "Minor port", "fr": "Petit port"},
    "port_freezing": {"en": "Freezing port", "fr": "Port gelé l’hiver"},
    "capital": {"en": "Capital", "fr": "Capitale"},
    "city": {"en": "City", "fr": "Grande ville"},
    "major": {"en": "Major city", "fr": "Grande ville"},
    "town": {"en": "Town", "fr": "Ville"},
    "minor": {"en": "Minor city", "fr": "Petite ville"},
    "site": {"en": "Other place", "fr": "Autre lieu"},
    "fortress": {"en": "Fortified town", "fr": "Place forte"},
    "village": {"en": "Village", "fr": "Village"},
    "hamlet": {"en": "Hamlet", "fr": "Hameau"},
    "height": {"en": "Height", "fr": "Hauteur"},
    "battery": {"en": "Battery", "fr": "Batterie"},
    "drop-zone": {"en": "Drop zone", "fr": "Zone de saut"},
    "exit": {"en": "Entry hex", "fr": "Hex d’entrée"},
    "hex": {"en": "1 hex = {km} km", "fr": "1 hex = {km} km"},
}
WIDE = 348.0
COLUMN = 168.0
ROW = 30.0


@once
def _busy(sheet: Sheet, scale: float) -> Floats:
    """Land and a strip of shore, as a small picture."""
    return mask(sheet, sheet.land.buffer(12), scale)


def free_spot(sheet: Sheet, wide: float, high: float, taken: Sequence[Box] = ()) -> Point:
    """Top left corner where a panel of that size hides the least land, near an edge, clear of what is taken."""
    scale = 0.05
    busy = _busy(sheet, scale).copy()
    for box in taken:
        left, right = (max(0, int((box.x + side * box.half_wide) * scale)) for side in (-1, 1))
        top, bottom = (max(0, int((box.y + side * box.half_high) * scale)) for side in (-1, 1))
        busy[top : bottom + 2, left : right + 2] = 50.0
    total = np.zeros((busy.shape[0] + 1, busy.shape[1] + 1))
    total[1:, 1:] = busy.cumsum(0).cumsum(1)
    across, down = int((wide + 20) * scale), int((high + 20) * scale)
    best: tuple[float, Point] | None = None
    for top in range(1, busy.shape[0] - down):
        for left in range(1, busy.shape[1] - across):
            land = (
                total[top + down, left + across]
                - total[top, left + across]
                - total[top + down, left]
                + total[top, left]
            )
            edge = min(left, busy.shape[1] - across - left) + min(top, busy.shape[0] - down - top)
            price = float(land) * 3 + edge * 0.4
            if best is None or price < best[0]:
                best = price, (left / scale + 8, top / scale + 8)
    assert best is not None
    return best[1]


def _say(sheet: Sheet, text: str, x: float, y: float, face: Face, anchor: str = "start") -> str:
    wide = width(text, face)
    left = x - wide / 2 if anchor == "middle" else x
    return svg.tag(
        "text",
        text,
        x=svg.number(left),
        y=svg.number(y + face.size * 0.35),
        textLength=svg.number(wide),
        lengthAdjust="spacingAndGlyphs",
        font_family=SANS if face.family == "sans" else SERIF,
        font_size=face.size,
        font_weight="bold" if face.bold else None,
        font_style="italic" if face.italic else None,
        fill=sheet.style.colour("ink"),
    )


def _entry(sheet: Sheet, text: str, x: float, y: float) -> str:
    """One word of the legend, narrowed if its column is too small for it."""
    face, room = Face("sans", 12.5), WIDE - COLUMN - 86
    wide = width(text, face)
    return _say(sheet, text, x, y, face.scaled(room / wide) if wide > room else face)


class Legend:
    """Collects what the map really shows, then draws it."""

    def __init__(self, sheet: Sheet, lang: str) -> None:
        self.sheet, self.lang = sheet, lang
        self.items = self._used()
        self.terrains = [t for t in sheet.data.get("terrain", {}) if self._has_terrain(t)]
        rows = math.ceil(len(self.terrains) / 2) * 1.55 + math.ceil(len(self.items) / 2)
        self.high = 118 + rows * ROW + 52
        self.scale = min(2.4, max(1.0, sheet.frame.width / 2900))
        self.left, self.top = self._spot()
        self.x = self.y = 0.0

    @property
    def panel(self) -> Box:
        """The part of the sheet that the panel covers."""
        wide, high = WIDE * self.scale / 2, self.high * self.scale / 2
        return Box(self.left + wide, self.top + high, wide + 4, high + 4)

    def _has_terrain(self, terrain: str) -> bool:
        return any(
            h.get("terrain") == terrain and h.get("kind") not in ("out", "sea", "lake")
            for h in self.sheet.data["hexes"].values()
        )

    def _used(self) -> list[str]:
        sheet, out = self.sheet, []
        grades = {grade for _, _, grade in sheet.link_items("road")}
        out += [f"road_{grade}" for grade in (1, 2) if grade in grades]
        out += ["rail"] if any(True for _ in sheet.link_items("rail")) else []
        out += ["river"] if any(True for _ in sheet.side_items("river")) else []
        out += [
            key
            for key in ("frontier", "fort", "water", "impassable", "canal")
            if any(True for _ in sheet.side_items(key))
        ]
        places = sheet.data.get("places", {}).values()
        kinds = {towns.size_class(sheet, p) for p in places if p.get("size") or p.get("class")}
        out += [
            kind
            for kind in ("capital", "city", "major", "fortress", "town", "minor", "village", "hamlet")
            if kind in kinds
        ]
        ports = {p.get("port") for p in places}
        out += [f"port_{grade}" for grade in ("major", "minor") if grade in ports]
        out += ["port_freezing"] if any(p.get("port") and p.get("freezes") for p in places) else []
        out += ["height"] if any(label["style"] == "height" for label in sheet.data.get("labels", [])) else []
        found = {area.get("kind") for area in sheet.data.get("areas", {}).values()}
        out += [kind for kind in ("battery", "drop-zone", "exit") if kind in found]
        return out + (["zone"] if "air-zone" in found else []) + self._strategic()

    def _strategic(self) -> list[str]:
        """Entries that only strategic maps need."""
        sheet, places = self.sheet, list(self.sheet.data.get("places", {}).values())
        hexes = list(sheet.data["hexes"].values())

        small = {item for place in places for item, _ in place_icons(place)}
        small |= {item for facts in hexes for item, _ in hex_icons(facts)}

        def link(key: str) -> bool:
            return any(True for _ in sheet.link_items(key))

        def side(key: str) -> bool:
            return any(True for _ in sheet.side_items(key))

        shown = {
            "arrow": link("arrow") or side("strait"),
            "front_beach": link("front_beach"),
            "ferry": link("ferry"),
            "sea_route": link("sea_route"),
            "mountain_side": side("mountain"),
            "pass": side("pass"),
            "sea_zone": any("zones" in facts for facts in hexes),
            "beach_tag": any("beach" in facts.get("tags", []) for facts in hexes),
            "shoals": any(facts.get("shoals") for facts in hexes),
            "closed": any(facts.get("closed") for facts in hexes),
            "canal_hex": bool(areas(sheet, "canal")),
            **{item: item in small for item in ICONS},
            "letter": any(facts.get("letter") for facts in hexes),
        }
        return [key for key, is_there in shown.items() if is_there]

    def _spot(self) -> Point:
        """Top left corner where the panel hides the least land, named water and beaches; the map file may say."""
        wish = self.sheet.data.get("art", {}).get("legend")
        if wish:
            return float(wish[0]), float(wish[1])
        return free_spot(self.sheet, WIDE * self.scale, self.high * self.scale)

    # ------------------------------------------------------------ drawing
    def draw(self) -> str:
        """The whole panel."""
        sheet, style, x, y = self.sheet, self.sheet.style, self.x, self.y
        outer = svg.tag(
            "rect",
            x=svg.number(x),
            y=svg.number(y),
            width=WIDE,
            height=self.high,
            rx=9,
            fill=style.colour("paper"),
            stroke=style.colour("frame"),
            stroke_width=2.4,
        )
        inner = svg.tag(
            "rect",
            x=svg.number(x + 5),
            y=svg.number(y + 5),
            width=WIDE - 10,
            height=self.high - 10,
            rx=6,
            fill="none",
            stroke=style.colour("frame"),
            stroke_width=0.9,
        )
        title = self._text(sheet.data["title"]).upper()
        middle = x + WIDE / 2
        face = Face("serif", 25, bold=True, spacing=1.5)
        if width(title, face) > WIDE - 36:
            face = face.scaled((WIDE - 36) / width(title, face))
        body = [outer, inner, _say(sheet, title, middle, y + 38, face, "middle")]
        note = WORDS["hex"][self.lang].format(
            km=svg.number(float(sheet.frame.km)).replace(".", "," if self.lang == "fr" else ".")
        )
        body.append(_say(sheet, note, middle, y + 64, Face("sans", 12.5), "middle"))
        top = y + 104.0
        top = self._terrain(body, top)
        for i, item in enumerate(self.items):
            cx, cy = x + 44 + (i % 2) * COLUMN, top + (i // 2) * ROW
            body.append(self._sample(item, cx, cy))
            body.append(_entry(sheet, self.word(item), cx + 30, cy))
        body.append(self._scale(y + self.high - 30))
        place = f"translate({svg.number(self.left)} {svg.number(self.top)})"
        if self.scale != 1.0:
            place += f" scale({svg.number(self.scale, 3)})"
        return svg.layer("legend", body, transform=place)

    def word(self, item: str) -> str:
        """What an entry says."""
        if item == "canal_hex":
            return self._text(areas(self.sheet, "canal")[0][1]["name"])
        return WORDS["site" if item == "village" and self.sheet.frame.km > 20 else item][self.lang]

    def _text(self, value: dict[str, str]) -> str:
        return value.get(self.lang) or value["en"]

    def _terrain(self, body: list[str], top: float) -> float:
        sheet, style = self.sheet, self.sheet.style
        for i, terrain in enumerate(self.terrains):
            cx, cy = self.x + 44 + (i % 2) * COLUMN, top + (i // 2) * ROW * 1.55
            turn = 0 if sheet.frame.flat else 30
            points = [
                (cx + 22 * math.cos(math.radians(60 * k + turn)), cy + 22 * math.sin(math.radians(60 * k + turn)))
                for k in range(6)
            ]
            data = svg.line(points, closed=True)
            body.append(svg.path(data, fill=style.terrain(terrain)))
            body.append(_terrain_sample(sheet, terrain, cx, cy, data))
            body.append(svg.path(data, fill="none", stroke=style.colour("grid_land"), stroke_width=0.9))
            body.append(_entry(sheet, self._text(sheet.data["terrain"][terrain]), cx + 30, cy))
        return top + math.ceil(len(self.terrains) / 2) * ROW * 1.55 - 4

    def _sample(self, item: str, x: float, y: float) -> str:
        style = self.sheet.style
        ends = f"M{svg.number(x - 22)} {svg.number(y)}h44"

        def stroke(colour: str, wide: float, **more: object) -> str:
            return svg.path(ends, fill="none", stroke=style.colour(colour), stroke_width=wide, **more)

        if item.startswith("road_"):
            wide = 3.4 if item == "road_1" else 1.9
            return stroke(f"{item}_case", wide + 1.7) + stroke(item, wide)
        if item == "rail":
            ticks = "".join(f"M{svg.number(x - 20 + 6.4 * k)} {svg.number(y - 2.7)}v5.4" for k in range(7))
            colour, wide = ("rail", 1.7) if self.sheet.is_small else ("rail_far", 1.15)
            return stroke(colour, wide) + svg.path(ticks, stroke=style.colour(colour), stroke_width=1)
        if item == "river":
            from maps.draw.curves import ribbon

            points = wiggle([(x - 22, y), (x, y), (x + 22, y)], RADIUS, "legend", 0.06)
            start, end = RIVER_WIDTH[1]
            case = svg.path(svg.line(ribbon(points, start, end + 1.4), closed=True), fill=style.colour("river_case"))
            return case + svg.path(svg.line(ribbon(points, start - 1, end), closed=True), fill=style.colour("river"))
        if item == "frontier":
            return stroke("border_glow", 7, opacity=0.4) + stroke("border", 1.7, stroke_dasharray="8 3 1.5 3")
        if item == "fort":
            ticks = "".join(f"M{svg.number(x - 16 + 10 * k)} {svg.number(y - 4.5)}v9" for k in range(4))
            return fort_wall(self.sheet, ends, ticks)
        if item in ("arrow", "front_beach"):
            colour = "strait" if item == "arrow" else "beach_gb"
            heads = f"M{svg.number(x - 20)} {svg.number(y)}l8-4.2v8.4zM{svg.number(x + 20)} {svg.number(y)}l-8-4.2v8.4z"
            shaft = f"M{svg.number(x - 13)} {svg.number(y)}h26"
            return svg.path(shaft, stroke=style.colour(colour), stroke_width=2.2) + svg.path(
                heads, fill=style.colour(colour)
            )
        if item in ("ferry", "sea_route", "sea_zone"):
            colour, wide, dash = {
                "ferry": ("rail", 1.8, "5 4"),
                "sea_route": ("sea_ink", 1.8, "9 6"),
                "sea_zone": ("sea_ink", 2.2, "14 5"),
            }[item]
            return stroke(colour, wide, stroke_dasharray=dash)
        if item == "mountain_side":
            peaks = "".join(f"M{svg.number(x - 17 + 12 * k)} {svg.number(y + 3)}l5-8.5 5 8.5z" for k in range(3))
            return stroke("height", 4.2) + svg.path(peaks, fill=style.colour("height"))
        if item == "pass":
            sign = pass_sign((x - 25.0, y), (x + 25.0, y))
            wall = svg.path(
                f"M{svg.number(x - 22)} {svg.number(y)}h10m24 0h10", stroke=style.colour("height"), stroke_width=4.2
            )
            return wall + svg.path(sign, fill="none", stroke=style.colour("height"), stroke_width=2.4)
        if item == "canal":
            return stroke("river_case", 6) + stroke("halo", 3.4) + stroke("river", 1.6)
        if item == "beach_tag":
            return stroke("beach_sand", 6) + stroke("border", 1.6, stroke_dasharray="0 4", stroke_linecap="round")
        if item == "shoals":
            dots = "".join(f"M{svg.number(x - 18 + 9 * k)} {svg.number(y - 3 + 6 * (k % 2))}h.1" for k in range(5))
            return svg.path(dots, stroke=style.colour("soft_ink"), stroke_width=1.8, stroke_linecap="round")
        if item == "closed":
            lines = "".join(f"M{svg.number(x - 20 + 8 * k)} {svg.number(y + 6)}l12-12" for k in range(4))
            return svg.path(lines, stroke=style.colour("soft_ink"), stroke_width=1.1, opacity=0.6)
        if item == "water":
            return stroke("water_side", 3.2, stroke_dasharray="2.6 2.6")
        if item == "impassable":
            return stroke("river_case", 5.5) + stroke("shallow", 2.2, stroke_dasharray="3.4 3.4")
        if item == "zone":
            return stroke("strait", 4.4, stroke_dasharray="0 9", stroke_linecap="round")
        return self._symbol(item, x, y)

    def _symbol(self, item: str, x: float, y: float) -> str:
        style, at = self.sheet.style, f"M{svg.number(x)} {svg.number(y)}"
        if item.startswith("port_"):
            frozen = item == "port_freezing"
            return "".join(
                towns.anchor(self.sheet, "minor" if frozen else item.removeprefix("port_"), frozen, [(x, y)])
            )
        if item == "height":
            return svg.path(at + "m-4.2 3l4.2-6.6 4.2 6.6z", fill=style.colour("height"))
        if item in ICONS:
            return icon(self.sheet, item, x, y)
        if item == "canal_hex":
            points = [
                (x + 11 * math.cos(math.radians(60 * k)), y + 11 * math.sin(math.radians(60 * k))) for k in range(6)
            ]
            return canal_ring(self.sheet, svg.line(points, closed=True))
        if item in ("exit", "letter"):
            ring = svg.tag(
                "circle",
                cx=svg.number(x),
                cy=svg.number(y),
                r=9,
                fill=style.colour("paper"),
                stroke=style.colour("exit"),
                stroke_width=1.6,
            )
            return ring + _say(
                self.sheet, "a" if item == "exit" else "A", x, y, Face("sans", 12.5, bold=True), "middle"
            )
        return towns.sample(self.sheet, item, x, y)

    def _scale(self, y: float) -> str:
        """A scale bar of a round number of kilometres."""
        sheet, style = self.sheet, self.sheet.style
        per_km = sheet.frame.units_per_km / self.scale
        step = next(s for s in (500, 200, 100, 50, 20, 10, 5) if s * per_km * 2 <= WIDE - 90)
        x, long = self.x + (WIDE - step * per_km * 2) / 2 - 10, step * per_km
        body = [
            svg.tag(
                "rect",
                x=svg.number(x),
                y=svg.number(y),
                width=svg.number(long),
                height=5,
                fill=style.colour("ink"),
                stroke=style.colour("ink"),
                stroke_width=0.9,
            ),
            svg.tag(
                "rect",
                x=svg.number(x + long),
                y=svg.number(y),
                width=svg.number(long),
                height=5,
                fill=style.colour("paper"),
                stroke=style.colour("ink"),
                stroke_width=0.9,
            ),
        ]
        for k in range(3):
            text = f"{k * step}" + (" km" if k == 2 else "")
            body.append(_say(sheet, text, x + k * long, y - 9, Face("sans", 10.5), "middle"))
        return "".join(body)


def _terrain_sample(sheet: Sheet, terrain: str, x: float, y: float, clip: str) -> str:
    """A few signs of the terrain inside the sample hex."""
    from maps.draw import signs

    name = f"legend-{terrain}"
    spots = [(x - 9, y - 6), (x + 8, y - 9), (x + 1, y + 4), (x - 10, y + 10), (x + 11, y + 8)]
    if terrain == "bocage":
        return svg.path(clip, fill="url(#hedges)")
    makers = {
        "forest": signs.trees,
        "marsh": signs.marsh,
        "swamp": signs.marsh,
        "hills": signs.hills,
        "rough": signs.hills,
        "mountain": signs.mountains,
        "mountains": signs.mountains,
        "clear": signs.furrows,
        "desert": signs.furrows,
    }
    if terrain == "difficult":
        return _difficult_sample(sheet, x, y, clip)
    if terrain not in makers:
        return ""
    some = spots[:3] if "mountain" in terrain or terrain in ("hills", "rough") else spots
    inside = makers[terrain](sheet, some)
    return svg.tag("clipPath", svg.path(clip), id=name) + svg.tag("g", inside, clip_path=f"url(#{name})")


def _difficult_sample(sheet: Sheet, x: float, y: float, clip: str) -> str:
    """Difficult ground is drawn as what makes it so: peaks on one half of the sample, trees on the other."""
    from maps.draw import signs

    woods = svg.path(
        svg.line([(x + 2, y - 24), (x + 26, y - 24), (x + 26, y + 24), (x - 6, y + 24)], closed=True),
        fill=sheet.style.terrain("forest"),
    )
    peaks = signs.mountains(sheet, [(x - 10, y - 4), (x - 11, y + 13)])
    crowns = signs.trees(sheet, [(x + 8, y - 10), (x + 15, y - 1), (x + 6, y + 3), (x + 10, y + 13), (x + 1, y + 14)])
    shape = svg.tag("clipPath", svg.path(clip), id="legend-difficult")
    return shape + svg.tag("g", woods + peaks + crowns, clip_path="url(#legend-difficult)")
