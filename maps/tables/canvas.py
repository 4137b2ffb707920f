"""A painter's tools: noise, masks, light on a relief, layers with alpha. Lengths in pixels, colours from 0 to 1."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

Array = NDArray[np.float32]
Colour = tuple[float, float, float]
Points = Sequence[tuple[float, float]]
SUPER = 3  # masks are drawn so many times larger, then made small, for soft edges


def colour(code: str) -> Colour:
    """`#rrggbb` as three numbers from 0 to 1."""
    return tuple(int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


class Chance:
    """Chance of its own for each thing, so that one more tree moves no other."""

    def __init__(self, *key: object) -> None:
        self.numbers = np.random.default_rng(zlib.crc32("/".join(map(str, key)).encode()))

    def between(self, low: float, high: float) -> float:
        """A number between two others."""
        return float(self.numbers.uniform(low, high))

    def below(self, most: int) -> int:
        """A whole number below another."""
        return int(self.numbers.integers(most))


def resized(values: Array, wide: int, deep: int) -> Array:
    """Values stretched smoothly over a larger field."""
    image = Image.fromarray(values.astype(np.float32), mode="F")
    return np.asarray(image.resize((wide, deep), Image.Resampling.BICUBIC), dtype=np.float32)


def noise(wide: int, deep: int, cell: float, *key: object, octaves: int = 1) -> Array:
    """Smooth noise about 0 (mostly -1 to 1); `cell` is the size of its waves."""
    total = np.zeros((deep, wide), np.float32)
    for octave in range(octaves):
        size = max(1.0, cell / 2**octave)
        cols, rows = int(wide / size) + 4, int(deep / size) + 4
        chance = Chance(*key, octave).numbers
        field = chance.uniform(-1, 1, (rows, cols)).astype(np.float32)
        total += resized(field, int(cols * size), int(rows * size))[:deep, :wide] / 2**octave
    return total


def mask(wide: int, deep: int, *shapes: Points, line: float = 0.0) -> Array:
    """1 inside polygons (or along lines of that width), 0 outside, soft at the edges."""
    image = Image.new("L", (wide * SUPER, deep * SUPER), 0)
    pen = ImageDraw.Draw(image)
    for shape in shapes:
        points = [(x * SUPER, y * SUPER) for x, y in shape]
        if line:
            pen.line(points, fill=255, width=round(line * SUPER), joint="curve")
            for x, y in points:
                r = line * SUPER / 2
                pen.ellipse((x - r, y - r, x + r, y + r), fill=255)
        else:
            pen.polygon(points, fill=255)
    small = image.resize((wide, deep), Image.Resampling.BOX)
    return np.asarray(np.asarray(small, dtype=np.float32) / 255, dtype=np.float32)


def soft(values: Array, radius: float) -> Array:
    """Blurred."""
    return np.asarray(ndimage.gaussian_filter(values, radius), dtype=np.float32)


def inwards(inside: Array) -> Array:
    """How far each place of a mask is from its edge, in pixels; 0 outside."""
    return np.asarray(ndimage.distance_transform_edt(inside > 0.5), dtype=np.float32)


def outwards(inside: Array) -> Array:
    """How far each place is from a mask, in pixels; 0 inside."""
    return np.asarray(ndimage.distance_transform_edt(inside <= 0.5), dtype=np.float32)


def light(height: Array, strength: float = 1.0) -> Array:
    """Light from the upper left on a relief: 1 on the flat, more on slopes that face it, less behind."""
    down, right = np.gradient(height)
    lit = np.clip(1 + strength * (right * 0.7 + down * 0.7), 0.4, 1.55)
    return np.asarray(lit, dtype=np.float32)


def shifted(values: Array, right: float, down: float) -> Array:
    """Moved, with nothing coming in from the edges."""
    moved = ndimage.shift(values, (down, right), order=1, mode="constant", cval=0)
    return np.asarray(moved, dtype=np.float32)


def lay(under: Array, paint: Any, where: Array) -> None:
    """Paint a colour or a picture over another where the mask says."""
    cover = where[..., None]
    under *= 1 - cover
    under += np.asarray(paint, dtype=np.float32) * cover


class Layer:
    """Colours with alpha: what stands on the ground."""

    def __init__(self, wide: int, deep: int) -> None:
        self.wide, self.deep = wide, deep
        self.colour = np.zeros((deep, wide, 3), np.float32)
        self.alpha = np.zeros((deep, wide), np.float32)

    def put(self, x: int, y: int, paint: Array, alpha: Array) -> None:
        """A patch over what is there; (x, y) is its upper left corner. What lies beyond the edges is cut."""
        deep, wide = alpha.shape
        left, top, right, bottom = max(0, x), max(0, y), min(self.wide, x + wide), min(self.deep, y + deep)
        if left >= right or top >= bottom:
            return
        part = np.s_[top - y : bottom - y, left - x : right - x]
        place = np.s_[top:bottom, left:right]
        over, under = alpha[part], self.alpha[place]
        whole = over + under * (1 - over)
        safe = np.maximum(whole, 1e-4)[..., None]
        self.colour[place] = (
            paint[part] * over[..., None] + self.colour[place] * (under * (1 - over))[..., None]
        ) / safe
        self.alpha[place] = whole

    def shade(self, x: int, y: int, dark: Array) -> None:
        """A shadow: black with that alpha."""
        self.put(x, y, np.zeros((*dark.shape, 3), np.float32), dark)


def to_image(paint: Array, alpha: Array | None = None) -> Image.Image:
    """For writing."""
    values = np.clip(paint * 255 + 0.5, 0, 255).astype(np.uint8)
    if alpha is None:
        return Image.fromarray(values, "RGB")
    opaque = np.clip(alpha * 255 + 0.5, 0, 255).astype(np.uint8)
    return Image.fromarray(np.dstack([values, opaque]), "RGBA")
