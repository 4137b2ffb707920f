"""What stands on a table: trees, hedges, banks, walls, roofs, ruins, with their shadows; colours with alpha."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from grognard.tabletop import CM, Feature, Table

from .canvas import Array, Chance, Colour, Layer, colour, inwards, lay, light, mask, noise, shifted, soft

LEAVES: dict[str, tuple[str, ...]] = {  # dark, middle and light of the crown
    "oak": ("#2f4620", "#4c6b2c", "#7d9647"),
    "orchard": ("#3d5526", "#62803a", "#95aa58"),
    "autumn": ("#5a3d1a", "#94652a", "#c79a45"),
    "birch": ("#4d5a23", "#7d8638", "#b3b160"),
    "fir": ("#16301f", "#2b4d33", "#4d7350"),
    "snow-fir": ("#1d3a2c", "#5d7d70", "#f2f6f8"),
    "bare": ("#4a3f33", "#7d7263", "#eef2f4"),
    "hedge": ("#2c431d", "#48682b", "#73903f"),
}
ROOFS: dict[str, tuple[str, str]] = {
    "slate": ("#596069", "#8b929a"),
    "tile": ("#8e4128", "#c46e49"),
    "thatch": ("#8a7038", "#c7ab62"),
    "snow": ("#c4ced8", "#f4f7f9"),
    "flat": ("#7b766d", "#a29c90"),
    "factory": ("#5f5a55", "#8d867d"),
    "tower": ("#6f4a3a", "#a8745a"),
}
SUN = (0.55, 0.75)  # how far shadows fall, for each centimetre of height


@lru_cache(maxsize=256)
def crown(kind: str, size: int, variant: int) -> tuple[Array, Array]:
    """A tree from above: clumps of leaves on a dome, lit from the upper left. Its colours and its alpha."""
    chance, r = Chance("tree", kind, variant), size / 2
    dark, middle, pale = (np.asarray(colour(c), np.float32) for c in LEAVES[kind])
    paint, alpha = np.zeros((size, size, 3), np.float32), np.zeros((size, size), np.float32)
    down, right = np.mgrid[0:size, 0:size].astype(np.float32)
    if kind in ("fir", "snow-fir"):
        angle, far = np.arctan2(down - r, right - r), np.hypot(right - r, down - r) / r
        turn = chance.between(0, 6)
        for ring in range(4):
            reach = 0.98 - ring * 0.24
            star = reach * (0.8 + 0.2 * np.cos(angle * (9 - ring) + turn + ring))
            cover = np.clip((star - far) * r / 1.2 + 0.5, 0, 1)
            side = 0.5 + 0.5 * ((right - r) * -0.7 + (down - r) * -0.7) / r
            snow = 0.2 if kind == "snow-fir" else 0.0
            tone = np.clip(0.16 + snow + 0.42 * side + ring * 0.12 + 0.35 * (far / np.maximum(star, 0.1) - 0.7), 0, 1)[
                ..., None
            ]
            colours = np.where(tone < 0.5, dark + (middle - dark) * tone * 2, middle + (pale - middle) * (tone * 2 - 1))
            lay(paint, colours, cover.astype(np.float32))
            alpha = np.maximum(alpha, cover)
        return paint, alpha.astype(np.float32)
    count = 26 if kind == "bare" else 46
    clumps = []
    for _ in range(count):
        angle, far = chance.between(0, 6.283), chance.between(0, 1) ** 0.5 * 0.72
        clumps.append((far, r + np.cos(angle) * far * r, r + np.sin(angle) * far * r, chance.between(0.2, 0.34) * r))
    for far, x, y, c in sorted(clumps, reverse=True):
        dx, dy = (right - x) / c, (down - y) / c
        inside = np.clip((1 - np.hypot(dx, dy)) * c / 1.3 + 0.35, 0, 1)
        tone = (
            0.42
            - 0.3 * (dx + dy)
            - 0.34 * ((x - r) + (y - r)) / r * 0.7
            + 0.22 * (0.7 - far)
            + chance.between(-0.1, 0.1)
        )
        tone = np.clip(tone, 0, 1)[..., None]
        colours = np.where(tone < 0.5, dark + (middle - dark) * tone * 2, middle + (pale - middle) * (tone * 2 - 1))
        lay(paint, colours, inside.astype(np.float32))
        alpha = np.maximum(alpha, inside * (0.85 if kind == "bare" else 1))
    return paint, alpha.astype(np.float32)


class Standing:
    """The things being painted; `scale` is pixels to a centimetre."""

    def __init__(self, table: Table, scale: int) -> None:
        self.table, self.scale = table, scale
        self.wide, self.deep = table.size[0] * scale, table.size[1] * scale
        self.layer = Layer(self.wide, self.deep)
        self.snow = table.document.get("mat") == "snow"
        self.autumn = table.document.get("mat") == "autumn"

    def pixels(self, shape: object) -> list[tuple[float, float]]:
        """Quarter centimetres as pixels."""
        return [(x * self.scale / CM, y * self.scale / CM) for x, y in shape]  # type: ignore[attr-defined]

    def finish(self) -> Layer:
        """From the low to the high: walls and hedges, ruins, houses, trees."""
        for line in [f for f in self.table.features if f.group == "line"]:
            if line.kind in ("hedge", "bocage"):
                self.hedge(line)
            elif line.kind == "wall":
                self.wall(self.pixels(line.shapes[0]), 0.75, line.id)
        for area in self.table.features:
            if area.kind == "ruins":
                self.ruin(area)
        for building in self.table.document.get("building", ()):
            for section in building["section"]:
                self.house(self.table.by_id[section["id"]], building)
        for x, y, kind, size in sorted(self.trees(), key=lambda tree: tree[1]):
            self.tree(x, y, kind, size)
        return self.layer

    # Trees and hedges

    def trees(self) -> Iterator[tuple[float, float, str, float]]:
        """Where trees stand in woods, orchards and on banks."""
        for area in self.table.features:
            if area.kind not in ("light-wood", "dense-wood", "orchard"):
                continue
            chance, shape = Chance(self.table.id, area.id, "trees"), self.pixels(area.shapes[0])
            inside = mask(self.wide, self.deep, shape) > 0.5
            apart = {"light-wood": 3.1, "dense-wood": 2.35, "orchard": 4.2}[area.kind] * self.scale
            kind = self.leaf(area)
            xs, ys = [x for x, _ in shape], [y for _, y in shape]
            y, row = min(ys) + apart * 0.45, 0
            while y < max(ys):
                x = min(xs) + apart * (0.45 if area.kind == "orchard" or row % 2 else 0.95)
                while x < max(xs):
                    shake = 0.1 if area.kind == "orchard" else 0.36
                    px, py = x + chance.between(-shake, shake) * apart, y + chance.between(-shake, shake) * apart
                    if 0 <= int(py) < self.deep and 0 <= int(px) < self.wide and inside[int(py), int(px)]:
                        other = chance.below(6) == 0 and kind == "oak"
                        size = chance.between(2.3, 3.5) if area.kind == "orchard" else chance.between(2.7, 4.3)
                        yield px, py, "birch" if other else kind, size
                    x += apart
                y, row = y + apart * (1.0 if area.kind == "orchard" else 0.88), row + 1
        for line in self.table.features:
            if line.kind == "bocage":
                for number, (x, y) in enumerate(self.along(line, 9.0)):
                    chance = Chance(line.id, "tree", number)
                    if chance.below(3):
                        yield (
                            x + chance.between(-4, 4),
                            y + chance.between(-4, 4),
                            self.leaf(line),
                            chance.between(2.4, 3.6),
                        )

    def leaf(self, feature: Feature) -> str:
        """What kind of tree."""
        if feature.facts.get("trees") == "fir":
            return "snow-fir" if self.snow else "fir"
        if self.snow:
            return "bare"
        return (
            "autumn" if self.autumn and feature.kind != "orchard" else "orchard" if feature.kind == "orchard" else "oak"
        )

    def tree(self, x: float, y: float, kind: str, size: float) -> None:
        """A crown and its shadow."""
        chance = Chance(kind, x, y)
        pixels = max(8, round(size * self.scale / 2) * 2)
        paint, alpha = crown(kind, pixels, chance.below(14))
        left, top = round(x - pixels / 2), round(y - pixels / 2)
        tall = size * 0.36 * self.scale
        self.layer.shade(left + round(SUN[0] * tall), top + round(SUN[1] * tall), soft(alpha, 0.12 * self.scale) * 0.42)
        tone, hue = chance.between(0.92, 1.06), 0.02 if self.snow else 0.08
        tint = np.asarray([tone + chance.between(-hue, hue) for _ in range(3)], np.float32)
        self.layer.put(left, top, np.clip(paint * tint, 0, 1), alpha)

    def along(self, line: Feature, every: float) -> Iterator[tuple[float, float]]:
        """Places along a line, so many centimetres apart, in pixels."""
        path = self.pixels(line.shapes[0])
        left = every * self.scale / 2
        for (ax, ay), (bx, by) in pairwise(path):
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            at = left
            while at <= length:
                yield ax + (bx - ax) * at / length, ay + (by - ay) * at / length
                at += every * self.scale
            left = at - length

    def hedge(self, line: Feature) -> None:
        """Bushes side by side."""
        thick = 2.1 if line.kind == "bocage" else 1.35
        kind = "bare" if self.snow else "hedge"
        bushes = list(self.along(line, 0.55))
        shadow = mask(self.wide, self.deep, self.pixels(line.shapes[0]), line=thick * 0.8 * self.scale)
        self.layer.shade(
            0,
            0,
            shifted(soft(shadow, 0.15 * self.scale), 0.4 * self.scale * thick / 1.3, 0.55 * self.scale * thick / 1.3)
            * 0.42,
        )
        for number, (x, y) in enumerate(bushes):
            chance = Chance(line.id, number)
            size = max(6, round(thick * chance.between(0.75, 1.1) * self.scale / 2) * 2)
            paint, alpha = crown(kind, size, chance.below(14))
            tint = np.float32(chance.between(0.88, 1.1))
            self.layer.put(
                round(x - size / 2 + chance.between(-2, 2)),
                round(y - size / 2 + chance.between(-2, 2)),
                np.clip(paint * tint, 0, 1),
                alpha,
            )

    # Walls and houses

    def patch(self, shape: list[tuple[float, float]], margin: float) -> tuple[int, int, int, int]:
        """A box around a shape, in pixels: left, top, width, depth."""
        m = margin * self.scale
        xs, ys = [x for x, _ in shape], [y for _, y in shape]
        left, top = int(min(xs) - m), int(min(ys) - m)
        return left, top, int(max(xs) + m) - left, int(max(ys) + m) - top

    def wall(self, path: list[tuple[float, float]], thick: float, key: str) -> None:
        """Stones, with snow on top in winter."""
        left, top, wide, deep = self.patch(path, 3)
        inside = mask(wide, deep, [(x - left, y - top) for x, y in path], line=thick * self.scale)
        stones = noise(wide, deep, 0.45 * self.scale, key)
        tone = (1 + 0.25 * stones)[..., None] * light(
            soft(inside, 0.12 * self.scale) * 0.7 * self.scale + stones * 0.4, 0.8
        )[..., None]
        self.layer.shade(left, top, shifted(soft(inside, 0.1 * self.scale), 0.45 * self.scale, 0.6 * self.scale) * 0.45)
        self.layer.put(
            left,
            top,
            np.clip(np.asarray(colour("#dfe4e7" if self.snow else "#a79c88")) * tone, 0, 1).astype(np.float32),
            inside,
        )

    def ruin(self, area: Feature) -> None:
        """Broken walls along the outline."""
        chance, shape = Chance(area.id, "ruin"), self.pixels(area.shapes[0])
        for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1]):
            at = 0.0
            while at < 1:
                end = min(1.0, at + chance.between(0.12, 0.4))
                if chance.below(4):
                    self.wall(
                        [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in (at, end)],
                        chance.between(0.5, 0.8),
                        f"{area.id}{at}",
                    )
                at = end + chance.between(0.03, 0.14)

    def house(self, section: Feature, building: dict[str, object]) -> None:
        """A roof of its kind over a section, with eaves, and the shadow of its height."""
        shape = self.pixels(section.shapes[0])
        left, top, wide, deep = self.patch(shape, 6)
        own = [(x - left, y - top) for x, y in shape]
        inside = mask(wide, deep, own)
        kind = str(building.get("roof", "tile"))
        tall = (2.4 + 1.6 * (section.floors - 1)) * self.scale
        fallen = inside
        for step in np.linspace(0.15, 1, 8):
            fallen = np.maximum(fallen, shifted(inside, SUN[0] * tall * step * 0.8, SUN[1] * tall * step * 0.8))
        self.layer.shade(left, top, soft(np.asarray(fallen, np.float32), 0.12 * self.scale) * 0.46 * (1 - inside))
        if kind == "tower":
            paint = self.water_tower(inside)
        elif kind == "flat":
            paint = self.flat_roof(inside, section)
        else:
            paint = self.gable(own, inside, kind, section, building)
        self.layer.put(left, top, np.clip(paint, 0, 1).astype(np.float32), inside)
        if building.get("tower") and section.id == building["section"][0]["id"]:  # type: ignore[index]
            self.steeple(shape, str(building["tower"]))

    def gable(
        self, own: list[tuple[float, float]], inside: Array, kind: str, section: Feature, building: dict[str, object]
    ) -> Array:
        """Two slopes with a ridge along the longer side; a factory has a row of them."""
        deep, wide = inside.shape
        down, right = np.mgrid[0:deep, 0:wide].astype(np.float32)
        x0, x1 = min(x for x, _ in own), max(x for x, _ in own)
        y0, y1 = min(y for _, y in own), max(y for _, y in own)
        flat = x1 - x0 >= y1 - y0
        across = (down - y0) / (y1 - y0) if flat else (right - x0) / (x1 - x0)
        along = (right - x0) if flat else (down - y0)
        dark, pale = (np.asarray(colour(c), np.float32) for c in ROOFS.get(kind, ROOFS["tile"]))
        slopes = 4 if kind == "factory" else 1
        place = np.mod(across * slopes, 1.0)
        near = place < (0.75 if kind == "factory" else 0.5)
        tone = np.where(near, 0.82, 0.3) + 0.1 * noise(wide, deep, 0.8 * self.scale, section.id, octaves=2)
        course = np.mod(across * (y1 - y0 if flat else x1 - x0) / (0.48 * self.scale), 1.0)
        row = np.floor(across * (y1 - y0 if flat else x1 - x0) / (0.48 * self.scale))
        tile = np.mod(along / (0.42 * self.scale) + 0.5 * np.mod(row, 2), 1.0)
        if kind == "thatch":
            tone += 0.14 * noise(wide, deep, 0.22 * self.scale, section.id, "straw") * 1.2
        elif kind == "snow":
            bare = np.clip(noise(wide, deep, 1.6 * self.scale, section.id, "bare", octaves=2) * 2 - 0.9, 0, 1)
            tone = tone * 0.35 + 0.62 - bare * 0.9
        else:
            tone -= 0.2 * (course < 0.16) + 0.1 * (tile < 0.14)
            odd = Chance(section.id, "tiles").numbers.uniform(-0.1, 0.1, 4096).astype(np.float32)
            pick = (row * 37 + np.floor(along / (0.42 * self.scale) + 0.5 * np.mod(row, 2))).astype(np.int64) % 4096
            tone += odd[pick]
        paint = dark + (pale - dark) * np.clip(tone, 0, 1.15)[..., None]
        edge = np.clip(1 - inwards(inside) / (0.22 * self.scale), 0, 1)
        lay(paint, dark * 0.72, (edge * 0.7).astype(np.float32))
        if kind != "factory":
            ridge = np.clip(1 - np.abs(across - 0.5) * (y1 - y0 if flat else x1 - x0) / (0.2 * self.scale), 0, 1)
            lay(paint, pale * 1.06, (ridge * 0.85).astype(np.float32))
            self.chimney(paint, own, flat, section)
        else:
            glass = (place > 0.78).astype(np.float32) * (np.mod(along / (1.1 * self.scale), 1) > 0.14)
            lay(paint, colour("#9db4bd"), (glass * 0.7).astype(np.float32))
        return np.asarray(paint, np.float32)

    def chimney(self, paint: Array, own: list[tuple[float, float]], flat: bool, section: Feature) -> None:
        """A stack of brick with its shadow."""
        chance, (deep, wide) = Chance(section.id, "chimney"), paint.shape[:2]
        x0, x1 = min(x for x, _ in own), max(x for x, _ in own)
        y0, y1 = min(y for _, y in own), max(y for _, y in own)
        t, off = chance.between(0.18, 0.82), chance.between(0.36, 0.46)
        x, y = (x0 + (x1 - x0) * t, y0 + (y1 - y0) * off) if flat else (x0 + (x1 - x0) * off, y0 + (y1 - y0) * t)
        r = 0.42 * self.scale
        for size, dx, tone in (
            (r * 1.1, r * 1.3, (0.05, 0.05, 0.05)),
            (r, 0, colour("#8a4d38")),
            (r * 0.55, 0, colour("#2a2420")),
        ):
            box = [
                (x + dx - size, y + dx - size),
                (x + dx + size, y + dx - size),
                (x + dx + size, y + dx + size),
                (x + dx - size, y + dx + size),
            ]
            lay(paint, tone, mask(wide, deep, box) * (0.45 if dx else 1))

    def flat_roof(self, inside: Array, section: Feature) -> Array:
        """A parapet around tar and gravel; shells have left holes in it."""
        deep, wide = inside.shape
        dark, pale = (np.asarray(colour(c), np.float32) for c in ROOFS["flat"])
        tone = 0.45 + 0.25 * noise(wide, deep, 1.4 * self.scale, section.id, octaves=3)
        paint = dark + (pale - dark) * np.clip(tone, 0, 1)[..., None]
        far = inwards(inside)
        lay(
            paint,
            pale * 1.08,
            np.clip(1 - np.abs(far - 0.3 * self.scale) / (0.3 * self.scale), 0, 1).astype(np.float32),
        )
        lay(
            paint,
            (0.0, 0.0, 0.0),
            (np.clip(1 - np.abs(far - 0.85 * self.scale) / (0.4 * self.scale), 0, 1) * 0.35).astype(np.float32),
        )
        hole = np.clip(noise(wide, deep, 2.6 * self.scale, section.id, "hole", octaves=2) * 3.2 - 2.1, 0, 1) * (
            far > 0.9 * self.scale
        )
        lay(paint, colour("#3a322a"), (hole * 0.9).astype(np.float32))
        return np.asarray(paint, np.float32)

    def water_tower(self, inside: Array) -> Array:
        """A round tank on its legs."""
        deep, wide = inside.shape
        down, right = np.mgrid[0:deep, 0:wide].astype(np.float32)
        rows, cols = np.nonzero(inside > 0.5)
        x, y, r = cols.mean(), rows.mean(), (cols.max() - cols.min()) / 2 + 0.5
        dark, pale = (np.asarray(colour(c), np.float32) for c in ROOFS["tower"])
        tone = np.clip(0.55 - 0.45 * ((right - x) + (down - y)) / r / 1.4, 0, 1)[..., None]
        paint = dark + (pale - dark) * tone
        far = np.hypot(right - x, down - y) / r
        lay(paint, dark * 0.6, (np.abs(far - 0.93) < 0.06).astype(np.float32))
        inside *= np.clip((1 - far) * r + 0.5, 0, 1)
        return np.asarray(paint, np.float32)

    def steeple(self, shape: list[tuple[float, float]], where: str) -> None:
        """A church tower at a corner or a side: a pyramid of four faces with a cross."""
        x0, x1 = min(x for x, _ in shape), max(x for x, _ in shape)
        y0, y1 = min(y for _, y in shape), max(y for _, y in shape)
        half = 2.0 * self.scale
        x = x0 + half * 0.7 if "w" in where else x1 - half * 0.7 if "e" in where else (x0 + x1) / 2
        y = y0 + half * 0.7 if "n" in where else y1 - half * 0.7 if "s" in where else (y0 + y1) / 2
        size = int(half * 6)
        left, top, mid = int(x - size / 2), int(y - size / 2), size / 2
        box = [(mid - half, mid - half), (mid + half, mid - half), (mid + half, mid + half), (mid - half, mid + half)]
        inside = mask(size, size, box)
        fallen = inside
        for step in np.linspace(0.1, 1, 10):
            fallen = np.maximum(fallen, shifted(inside, 1.5 * self.scale * step, 2.1 * self.scale * step))
        self.layer.shade(left, top, soft(np.asarray(fallen, np.float32), 1.5) * 0.42 * (1 - inside))
        paint = np.zeros((size, size, 3), np.float32)
        slate = np.asarray(colour("#dfe5ea" if self.snow else "#666d75"), np.float32)
        faces: tuple[tuple[list[tuple[float, float]], float], ...] = tuple(
            ([(mid, mid), box[i], box[(i + 1) % 4]], shade) for i, shade in enumerate((1.12, 0.72, 0.58, 0.98))
        )
        for face, shade in faces:
            lay(paint, slate * shade, mask(size, size, face))
        cross: Colour = colour("#e9dfb4")
        lay(
            paint,
            cross,
            mask(
                size,
                size,
                [(mid, mid - half * 0.3), (mid, mid + half * 0.35)],
                [(mid - half * 0.22, mid - half * 0.08), (mid + half * 0.22, mid - half * 0.08)],
                line=0.22 * self.scale,
            ),
        )
        self.layer.put(left, top, np.clip(paint, 0, 1), inside)
