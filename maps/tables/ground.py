"""The ground of a table: mat, hills, fields, roads, water, rubble, floors of houses; one relief lights them all."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from grognard.tabletop import CM, Feature, Table

from .canvas import Array, Chance, Colour, colour, inwards, lay, light, mask, noise, outwards, soft


class Mat(NamedTuple):
    """The colours of a table's cloth: dark, middle and light of the ground, earth, and how much it speckles."""

    dark: Colour
    middle: Colour
    pale: Colour
    earth: Colour
    road: Colour
    rut: Colour
    flowers: tuple[str, ...] = ()
    tufts: int = 1  # a thousand square centimetres


def _mat(dark: str, middle: str, pale: str, earth: str, road: str, rut: str, *flowers: str, tufts: int = 60) -> Mat:
    return Mat(colour(dark), colour(middle), colour(pale), colour(earth), colour(road), colour(rut), flowers, tufts)


MATS = {
    "grass": _mat("#4f6a33", "#6b853f", "#93a257", "#7a6142", "#c3ab7c", "#8f7650", "#f3e9a8", "#e9e4da"),
    "meadow": _mat(
        "#47602f", "#62793b", "#8b9a53", "#6d563a", "#b9a274", "#85704c", "#f6efc0", "#f4d44d", "#d96a5c", tufts=90
    ),
    "steppe": _mat("#7b7439", "#9c9150", "#bdae6c", "#85693f", "#cdb588", "#977a4f", "#d9c96f"),
    "autumn": _mat("#5d602f", "#7c7a3f", "#a1955a", "#6b5235", "#9c8660", "#6a5438", "#b7682d", "#c99a3f"),
    "snow": _mat("#c3ced8", "#dbe3ea", "#f1f5f8", "#9b8e7d", "#cfd2d2", "#8d8579", tufts=25),
    "rubble": _mat("#6d675e", "#8a8376", "#a79e8e", "#6f6250", "#9d9687", "#7b7468", tufts=6),
    "sand": _mat("#b79457", "#d0b074", "#e4cb97", "#a37f49", "#dcc48f", "#b2935c", tufts=10),
}
CROPS: dict[
    str, tuple[str, str, float]
] = {  # colours of rows and of what is between them, and how far they are apart (cm)
    "wheat": ("#d8b455", "#b48d39", 0.75),
    "stubble": ("#c9b06a", "#a08549", 1.0),
    "beet": ("#5f8f3d", "#6b5135", 1.1),
    "sunflower": ("#d9a92c", "#5b7a2f", 1.3),
    "": ("#b7b455", "#8c8a3c", 0.9),
}
HILL = 6.0  # centimetres over which a hill rises


class Ground:
    """The ground being painted; `scale` is pixels to a centimetre."""

    def __init__(self, table: Table, scale: int) -> None:
        self.table, self.scale = table, scale
        self.wide, self.deep = table.size[0] * scale, table.size[1] * scale
        self.mat = MATS.get(table.document.get("mat", "grass"), MATS["grass"])
        self.relief = np.zeros((self.deep, self.wide), np.float32)
        self.slopes = np.zeros_like(self.relief)  # hills and banks, which roads climb
        self.paint = self._cloth()

    def pixels(self, shape: Any) -> list[tuple[float, float]]:
        """Quarter centimetres as pixels."""
        return [(x * self.scale / CM, y * self.scale / CM) for x, y in shape]

    def noise(self, cell: float, *key: object, octaves: int = 1) -> Array:
        """Noise of the table's own; `cell` in centimetres."""
        return noise(self.wide, self.deep, cell * self.scale, self.table.id, *key, octaves=octaves)

    def area(self, feature: Feature) -> Array:
        """The mask of a feature."""
        return mask(self.wide, self.deep, *(self.pixels(shape) for shape in feature.shapes))

    def ragged(self, feature: Feature, by: float) -> Array:
        """The mask of a feature with an edge that wanders by some centimetres."""
        inside = self.area(feature)
        far = inwards(inside) - outwards(inside) + self.noise(2.2, feature.id, octaves=2) * by * self.scale
        return np.clip(far / (0.35 * self.scale) + 0.5, 0, 1).astype(np.float32)

    def _cloth(self) -> Array:
        """The mat: three tones that drift into each other, fine grain on top."""
        mat, snow = self.mat, self.table.document.get("mat") == "snow"
        broad, middle = self.noise(26, "broad", octaves=2), self.noise(5, "middle", octaves=3)
        tone = np.clip(0.5 + 0.42 * broad + 0.3 * middle, 0, 1)[..., None]
        dark, base, pale = (np.asarray(c, np.float32) for c in (mat.dark, mat.middle, mat.pale))
        paint = np.where(tone < 0.5, dark + (base - dark) * tone * 2, base + (pale - base) * (tone * 2 - 1))
        grain = self.noise(0.34, "grain") * 0.6 + self.noise(0.8, "grain2") * 0.4
        self.relief += grain * (0.12 if snow else 0.26) * self.scale / 10 + middle * 0.35 * self.scale / 10
        if not snow and self.table.document["ground"] == "open":
            bare = np.clip(self.noise(9, "bare", octaves=3) * 1.6 - 1.05, 0, 0.55)
            lay(paint, mat.earth, bare.astype(np.float32))
        return np.asarray(paint, np.float32)

    def finish(self) -> Array:
        """All of it, from the lowest to the floors of the houses, then the light."""
        self.hills()
        self.fields()
        self.soils()
        self.waters()
        self.roads()
        self.litter()
        lit = light(self.relief + self.slopes, 0.55 if self.table.document.get("mat") == "snow" else 0.9)
        paint = self.paint * lit[..., None]
        self.floors(paint)
        return np.asarray(np.clip(paint, 0, 1), np.float32)

    def of(self, *kinds: str) -> list[Feature]:
        """The features of some kinds."""
        return [f for f in self.table.features if f.kind in kinds]

    def hills(self) -> None:
        """Slopes that rise over six centimetres, a little paler on top, with the mark of an old path around."""
        for hill in self.table.hills:
            inside = self.area(hill)
            rise = HILL if hill.kind == "hill" else 2.5
            far = np.clip(inwards(soft(inside, 0.6 * self.scale)) / (rise * self.scale), 0, 1)
            height = far * far * (3 - 2 * far)
            self.slopes += soft(height, 0.6 * self.scale) * 2.3 * hill.level * self.scale
            lay(self.paint, self.mat.pale, (height * 0.22).astype(np.float32))
            rim = np.clip(1 - np.abs(inwards(inside) - 0.35 * self.scale) / (0.3 * self.scale), 0, 1) * (inside > 0.5)
            lay(self.paint, self.mat.dark, (rim * 0.35).astype(np.float32))
            if hill.kind == "steep-hill":
                rock = np.clip(1 - np.abs(far - 0.45) * 2.6, 0, 1) * np.clip(0.6 + self.noise(1.2, hill.id), 0, 1)
                lay(self.paint, colour("#8a8274"), rock.astype(np.float32))

    def fields(self) -> None:
        """Crops in rows along the longer side."""
        for field in self.of("crops", "paddy"):
            plant, soil, apart = CROPS.get(str(field.facts.get("crop", "")), CROPS[""])
            if self.table.document.get("mat") == "snow":
                plant, soil = "#e6e3d4", "#b9b2a2"
            inside = self.ragged(field, 0.25)
            (ax, ay), (bx, by) = max(_edges(field), key=lambda e: (e[0][0] - e[1][0]) ** 2 + (e[0][1] - e[1][1]) ** 2)
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            nx, ny = -(by - ay) / length, (bx - ax) / length
            down, right = np.mgrid[0 : self.deep, 0 : self.wide].astype(np.float32)
            across = (right * nx + down * ny) / (apart * self.scale) + self.noise(3, field.id) * 0.12
            wave = np.sin(across * 2 * np.pi)
            rows = np.clip(0.5 + 0.75 * wave + 0.55 * self.noise(0.5, field.id, "leaf"), 0, 1)[..., None]
            tint = 1 + 0.1 * self.noise(7, field.id, "tint", octaves=2)[..., None]
            paint = (np.asarray(colour(soil)) * (1 - rows) + np.asarray(colour(plant)) * rows) * tint
            lay(self.paint, paint, inside * 0.93)
            self.relief += inside * wave * 0.5 * self.scale / 10

    def soils(self) -> None:
        """Forest floors, sand, marsh, rubble and ruins."""
        snow = self.table.document.get("mat") == "snow"
        for area in self.of("light-wood", "dense-wood", "orchard"):
            floor = colour("#aab4b8" if snow else "#4a4e2a" if area.kind != "orchard" else "#5f7a3a")
            inside = soft(self.ragged(area, 0.6), 0.3 * self.scale)
            lay(self.paint, floor, inside * (0.55 if area.kind == "orchard" else 0.8))
            litter = np.clip(self.noise(0.5, area.id, "litter") * 1.4 - 0.5, 0, 0.5) * inside
            lay(self.paint, self.mat.earth, litter.astype(np.float32))
        for area in self.of("sand"):
            inside = soft(self.ragged(area, 1.0), 0.8 * self.scale)
            ripple = np.sin(self.noise(9, area.id, octaves=2) * 22)
            lay(self.paint, colour("#d9be86"), inside * 0.9)
            self.relief += inside * ripple * 0.5 * self.scale / 10
        for area in self.of("marsh"):
            inside = self.ragged(area, 0.8)
            wet = np.clip(self.noise(2.4, area.id, octaves=2) * 2.2, 0, 1) * inside
            lay(self.paint, colour("#6d7a3c"), inside * 0.7)
            lay(self.paint, colour("#54707a"), (wet * 0.9).astype(np.float32))
        for area in self.of("rubble", "ruins"):
            self.rubble(self.ragged(area, 0.5), area.id)
        if self.table.document["ground"] == "rubble":
            self.rubble(
                np.clip(self.noise(6, "ground-rubble", octaves=2) * 0.9 + 0.25, 0, 0.8).astype(np.float32), "ground"
            )

    def rubble(self, where: Array, key: str) -> None:
        """Bricks and dust."""
        bricks = np.clip(self.noise(0.42, key, "bricks") * 2.4, 0, 1)
        paint = (
            np.asarray(colour("#958b7c")) * (1 - bricks[..., None]) + np.asarray(colour("#8d5b45")) * bricks[..., None]
        )
        pale = np.clip(self.noise(0.6, key, "pale") * 2.6 - 1.1, 0, 1)[..., None]
        lay(self.paint, paint * (1 - pale) + np.asarray(colour("#c7bfae")) * pale, where * 0.85)
        self.relief += where * self.noise(0.5, key, "lumps", octaves=2) * 1.2 * self.scale / 10

    def waters(self) -> None:
        """Ponds and streams with banks; ditches; railways on their ballast; embankments."""
        snow = self.table.document.get("mat") == "snow"
        for area in self.of("water"):
            self.water(self.ragged(area, 0.5), area.id)
        for line in [f for f in self.table.features if f.group == "line"]:
            path = self.pixels(_bent(line.shapes[0], 1.0 if line.kind in ("stream", "ditch") else 0, line.id))
            if line.kind == "stream":
                bank = mask(self.wide, self.deep, path, line=2.9 * self.scale)
                lay(self.paint, colour("#cdd2d0" if snow else "#8b7a52"), soft(bank, 0.25 * self.scale) * 0.75)
                self.water(mask(self.wide, self.deep, path, line=1.7 * self.scale), line.id)
            elif line.kind == "ditch":
                wide = soft(mask(self.wide, self.deep, path, line=2.6 * self.scale), 0.3 * self.scale)
                deep = soft(mask(self.wide, self.deep, path, line=1.1 * self.scale), 0.25 * self.scale)
                lay(self.paint, self.mat.earth, wide * 0.8)
                lay(self.paint, colour("#4a3b26"), deep * 0.75)
                self.relief -= deep * 0.9 * self.scale
            elif line.kind == "embankment":
                ridge = soft(mask(self.wide, self.deep, path, line=2.4 * self.scale), 0.7 * self.scale)
                self.relief += ridge * 2.4 * self.scale
                lay(self.paint, self.mat.earth, ridge * 0.4)
            elif line.kind == "railway":
                self.railway(line, path)
            elif line.kind in ("bocage", "hedge"):
                strip = soft(
                    mask(self.wide, self.deep, path, line=(3.4 if line.kind == "bocage" else 1.8) * self.scale),
                    0.4 * self.scale,
                )
                lay(self.paint, self.mat.earth, strip * 0.55)
                self.relief += strip * (1.6 if line.kind == "bocage" else 0.3) * self.scale

    def water(self, inside: Array, key: str) -> None:
        """Water, darker in the middle, with a sky in it."""
        deep = np.clip(inwards(inside) / (0.8 * self.scale), 0, 1)[..., None]
        shallow, blue = np.asarray(colour("#7c8675")), np.asarray(colour("#4c6468"))
        glint = np.clip(self.noise(1.1, key, "glint", octaves=2) - 0.55, 0, 1)[..., None] * 0.5
        lay(self.paint, (shallow * (1 - deep) + blue * deep) * (1 - glint) + glint, inside)
        self.relief *= 1 - inside

    def railway(self, line: Feature, path: list[tuple[float, float]]) -> None:
        """Ballast, sleepers, two rails."""
        lay(
            self.paint,
            colour("#8f877b"),
            soft(mask(self.wide, self.deep, path, line=3.2 * self.scale), 0.2 * self.scale),
        )
        ties = []
        for (ax, ay), (bx, by) in pairwise(path):
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            ux, uy = (bx - ax) / length, (by - ay) / length
            for i in range(int(length / (0.8 * self.scale))):
                x, y = ax + ux * i * 0.8 * self.scale, ay + uy * i * 0.8 * self.scale
                r = 1.1 * self.scale
                ties.append(((x - uy * r, y + ux * r), (x + uy * r, y - ux * r)))
        lay(self.paint, colour("#4f3f30"), mask(self.wide, self.deep, *ties, line=0.34 * self.scale))
        for side in (-1, 1):
            rail = _beside(path, side * 0.62 * self.scale)
            lay(self.paint, colour("#3d3a38"), mask(self.wide, self.deep, rail, line=0.2 * self.scale))
            lay(self.paint, colour("#c9c6c0"), mask(self.wide, self.deep, rail, line=0.08 * self.scale))

    def roads(self) -> None:
        """Roads that melt into one another: earth with ruts, streets with cobbles; bridges over what they cross."""
        roads = [f for f in self.table.features if f.group == "road"]
        if not roads:
            return
        city = self.table.document.get("mat") == "rubble"
        whole = np.zeros((self.deep, self.wide), np.float32)
        ruts = np.zeros_like(whole)
        for road in roads:
            path = self.pixels(_curved(_quarters(road)))
            width = float(road.facts["width"])
            whole = np.maximum(whole, mask(self.wide, self.deep, path, line=(width - 0.3) * self.scale))
            for side in (-1, 1):
                track = _beside(path, side * width * 0.19 * self.scale)
                ruts = np.maximum(ruts, mask(self.wide, self.deep, track, line=0.5 * self.scale))
            if road.kind == "sunken":
                bank = soft(mask(self.wide, self.deep, path, line=(width + 2.6) * self.scale), 0.5 * self.scale)
                self.slopes -= soft(bank, 0.6 * self.scale) * 0.9 * self.scale
                lay(self.paint, self.mat.earth, bank * 0.5)
        far = inwards(whole) - outwards(whole) + self.noise(1.3, "verge", octaves=2) * 0.42 * self.scale
        inside = np.clip(far / (0.7 * self.scale) + 0.5, 0, 1).astype(np.float32)
        verge = np.clip(far / (1.3 * self.scale) + 1.1, 0, 1).astype(np.float32)
        lay(self.paint, self.mat.earth, verge * 0.5)
        stone = self.noise(0.5, "gravel", octaves=2)
        paint = np.asarray(self.mat.road) * (1 + 0.12 * stone + 0.1 * self.noise(6, "dust"))[..., None]
        if city:
            down, right = np.mgrid[0 : self.deep, 0 : self.wide].astype(np.float32) / self.scale
            joint = np.maximum(
                np.abs(np.sin(right * 6 + np.floor(down * 2) * 1.6)) < 0.22, np.abs(np.sin(down * 6.283)) < 0.2
            )
            paint = paint * (1 - 0.16 * joint[..., None])
        lay(self.paint, paint, inside)
        worn = soft(ruts, 0.12 * self.scale) * inside * np.clip(0.75 + 0.5 * self.noise(2.5, "worn"), 0, 1)
        lay(self.paint, self.mat.rut, (worn * (0.25 if city else 0.62)).astype(np.float32))
        self.relief = self.relief * (1 - 0.6 * inside) - soft(ruts, 0.15 * self.scale) * inside * 0.16 * self.scale
        for bridge in self.of("bridge"):
            deck = self.area(bridge)
            down, right = np.mgrid[0 : self.deep, 0 : self.wide].astype(np.float32) / self.scale
            planks = 1 - 0.35 * (np.abs(np.sin(right * 4.6)) < 0.15)
            lay(self.paint, np.asarray(colour("#8d7352")) * planks[..., None], deck)
            self.relief += soft(deck, 0.15 * self.scale) * 0.5 * self.scale

    def litter(self) -> None:
        """Tufts, stones, flowers and a few craters, off the roads."""
        chance = Chance(self.table.id, "litter")
        roads = {
            p for p in self.table.points if self.table.kind[p] in ("road", "sunken", "building", "bridge", "water")
        }
        amount = self.mat.tufts * self.table.size[0] * self.table.size[1] // 1000
        tufts: list[list[tuple[float, float]]] = []
        flowers: dict[str, list[list[tuple[float, float]]]] = {}
        for _ in range(amount):
            x, y = chance.between(0, self.wide), chance.between(0, self.deep)
            if self.table.point_at(int(x * CM / self.scale), int(y * CM / self.scale)) in roads:
                continue
            if self.mat.flowers and chance.below(16) == 0:
                kind = self.mat.flowers[chance.below(len(self.mat.flowers))]
                for _ in range(5):
                    fx, fy = x + chance.between(-9, 9), y + chance.between(-9, 9)
                    flowers.setdefault(kind, []).append([(fx, fy), (fx + 0.5, fy + 0.5)])
            else:
                r = chance.between(0.12, 0.3) * self.scale
                tufts.append(
                    [
                        (x + r * dx, y + r * dy)
                        for dx, dy in ((0, -1), (0.8, -0.5), (1, 0.4), (0, 1), (-1, 0.5), (-0.7, -0.6))
                    ]
                )
        spots = mask(self.wide, self.deep, *tufts)
        lay(self.paint, np.asarray(self.mat.dark) * 0.9, spots * 0.45)
        self.relief += soft(spots, 0.1 * self.scale) * 0.22 * self.scale
        for kind, places in flowers.items():
            lay(self.paint, colour(kind), mask(self.wide, self.deep, *places, line=0.22 * self.scale) * 0.9)
        craters = int(
            self.table.document.get(
                "craters", self.table.size[0] * self.table.size[1] / (2400 if self.mat is MATS["rubble"] else 5200)
            )
        )
        for number in range(craters):
            chance = Chance(self.table.id, "crater", number)
            x, y, r = chance.between(0, self.wide), chance.between(0, self.deep), chance.between(0.9, 1.9) * self.scale
            if self.table.kind[self.table.point_at(int(x * CM / self.scale), int(y * CM / self.scale))] in (
                "building",
                "water",
                "bridge",
            ):
                continue
            self.crater(x, y, r)

    def crater(self, x: float, y: float, r: float) -> None:
        """A shell hole: a bowl with a rim of thrown earth."""
        left, top = int(x - 3 * r), int(y - 3 * r)
        right, bottom = int(x + 3 * r), int(y + 3 * r)
        if left < 0 or top < 0 or right >= self.wide or bottom >= self.deep:
            return
        down, across = np.mgrid[top:bottom, left:right].astype(np.float32)
        far = np.hypot(across - x, down - y) / r + noise(right - left, bottom - top, r * 0.7, x, y) * 0.18
        bowl, rim = np.clip(1 - far, 0, 1), np.exp(-((far - 1.1) ** 2) / 0.08)
        place = np.s_[top:bottom, left:right]
        self.relief[place] += (rim * 0.34 - np.sqrt(bowl) * 0.62) * r
        part = self.paint[place]
        lay(part, self.mat.earth, np.clip(1.6 - far, 0, 1).astype(np.float32) * 0.7)
        lay(part, colour("#3d3123"), (np.clip(bowl * 1.6, 0, 1) * 0.6).astype(np.float32))

    def floors(self, paint: Array) -> None:
        """What is seen when a roof is open: boards or tiles between walls."""
        plain = {b["id"] for b in self.table.document.get("building", ()) if b.get("roof") == "tower"}
        for section in self.table.sections:
            if section.building in plain:
                continue
            inside = self.area(section)
            inner = np.asarray(np.clip((inwards(inside) - 0.45 * self.scale) / 2, 0, 1), np.float32)
            down, right = np.mgrid[0 : self.deep, 0 : self.wide].astype(np.float32) / self.scale
            boards = (
                1
                - 0.22 * (np.mod(down * 1.7, 1) < 0.09)
                - 0.1 * (np.mod(right * 0.37 + np.floor(down * 1.7) * 0.41, 1) < 0.03)
            )
            tone = 1 + 0.1 * noise(self.wide, self.deep, 0.9 * self.scale, section.id)
            lay(paint, colour("#b9a88d"), inside)
            lay(paint, np.asarray(colour("#8a6c4a")) * (boards * tone)[..., None], inner)
            gloom = soft(np.asarray(inside - inner, np.float32), 0.35 * self.scale)
            lay(paint, (0.0, 0.0, 0.0), np.clip(shift_in(gloom, inner), 0, 0.45))


def shift_in(gloom: Array, inner: Array) -> Array:
    """The shade that walls throw on a floor."""
    return np.asarray(gloom * inner * 0.9, np.float32)


def _edges(feature: Feature) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    shape = feature.shapes[0]
    return list(zip(shape, shape[1:] + shape[:1]))


def _quarters(road: Feature) -> list[tuple[float, float]]:
    return [(x * CM, y * CM) for x, y in road.facts["path"]]


def _curved(path: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners cut twice, so that a road bends."""
    for _ in range(2):
        found = [path[0]]
        for (ax, ay), (bx, by) in pairwise(path):
            found += [(ax * 0.8 + bx * 0.2, ay * 0.8 + by * 0.2), (ax * 0.2 + bx * 0.8, ay * 0.2 + by * 0.8)]
        path = [*found, path[-1]]
    return path


def _bent(path: Any, by: float, key: str) -> list[tuple[float, float]]:
    """A line that wanders between its corners by some centimetres."""
    if not by:
        return list(path)
    chance, found = Chance(key, "bent"), [path[0]]
    for (ax, ay), (bx, by_) in pairwise(path):
        for t in (0.33, 0.66):
            found.append(
                (ax + (bx - ax) * t + chance.between(-by, by) * CM, ay + (by_ - ay) * t + chance.between(-by, by) * CM)
            )
        found.append((bx, by_))
    return _curved(found)


def _beside(path: list[tuple[float, float]], off: float) -> list[tuple[float, float]]:
    """A line that runs beside another."""
    found = []
    for i, (x, y) in enumerate(path):
        (ax, ay), (bx, by) = path[max(0, i - 1)], path[min(len(path) - 1, i + 1)]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1
        found.append((x - (by - ay) / length * off, y + (bx - ax) / length * off))
    return found
