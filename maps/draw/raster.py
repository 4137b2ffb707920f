"""The soft parts of the picture as small images: terrain tints, relief shading, depth of the sea.

They are smooth, so a few pixels per hex are enough; the crisp edges (coast, signs, lines) are vectors above them.
"""

from __future__ import annotations

import base64
import io
import math
from functools import cache

import numpy as np
import numpy.typing as npt
import shapely
from PIL import Image, ImageDraw
from scipy import ndimage
from scipy.spatial import cKDTree
from shapely.geometry.base import BaseGeometry

from maps.draw.frame import RADIUS
from maps.draw.sheet import Floats, Sheet, once
from maps.draw.svg import number, tag

RAGGED = 0.25
"""How far the edges of tints stray from the hexsides, in R (deviation)."""


def fit_scale(sheet: Sheet, scale: float, megapixels: float) -> float:
    """The wanted pixels per unit, less on very large sheets."""
    return min(scale, math.sqrt(megapixels * 1e6 / (sheet.frame.width * sheet.frame.height)))


def _pixels(sheet: Sheet, scale: float) -> tuple[int, int]:
    return round(sheet.frame.width * scale), round(sheet.frame.height * scale)


def _webp(image: Image.Image, quality: int) -> str:
    memory = io.BytesIO()
    image.save(memory, "WEBP", quality=quality, method=6)
    return "data:image/webp;base64," + base64.b64encode(memory.getvalue()).decode()


def image_tag(sheet: Sheet, uri: str, **attributes: object) -> str:
    """An image stretched over the whole sheet."""
    size = {"width": number(sheet.frame.width), "height": number(sheet.frame.height)}
    return tag("image", None, href=uri, preserveAspectRatio="none", **size, **attributes)


def mask(sheet: Sheet, geometry: BaseGeometry, scale: float) -> Floats:
    """How much of each pixel the geometry covers, 0 to 1."""
    wide, high = _pixels(sheet, scale)
    canvas = Image.new("L", (wide * 2, high * 2), 0)
    pen = ImageDraw.Draw(canvas)
    for part in shapely.get_parts(geometry):
        if part.geom_type != "Polygon":
            continue
        pen.polygon([(x * scale * 2, y * scale * 2) for x, y in part.exterior.coords], fill=255)
        for hole in part.interiors:
            pen.polygon([(x * scale * 2, y * scale * 2) for x, y in hole.coords], fill=0)
    return np.asarray(canvas.resize((wide, high), Image.Resampling.BOX), dtype=np.float64) / 255


@cache
def grain(shape: tuple[int, int], seed: int, coarse: int = 6, octaves: int = 4) -> Floats:
    """Soft cloud noise with mean 0 and deviation 1, like the grain of paper."""
    dice = np.random.Generator(np.random.PCG64(seed))
    out = np.zeros(shape)
    for octave in range(octaves):
        count = coarse * 2**octave
        small = dice.standard_normal((count + 3, int(count * shape[1] / shape[0]) + 3))
        zoom = (shape[0] / (small.shape[0] - 2), shape[1] / (small.shape[1] - 2))
        out += 0.55**octave * ndimage.zoom(small, zoom, order=3)[: shape[0], : shape[1]]
    out -= out.mean()
    return np.asarray(out / out.std(), dtype=np.float64)


def terrain_image(sheet: Sheet, scale: float = 0.30) -> str:
    """The tint of every hex, edges blurred into each other, as an image to be clipped by the true coast."""
    scale = fit_scale(sheet, scale, 1.4)
    wide, high = _pixels(sheet, scale)
    land, nearest = _nearest_land(sheet, scale)
    palette = np.array([sheet.style.rgb(tint(sheet, n)) for n in land], dtype=np.float64)
    picture = palette[nearest].reshape(high, wide, 3)
    sigma = sheet.style.look["blur"] * RADIUS * scale
    for channel in range(3):
        picture[..., channel] = ndimage.gaussian_filter(picture[..., channel], sigma)
    if sheet.style.look["relief"] > 0:
        picture += 2.2 * grain((high, wide), 11)[..., None]
    return _webp(Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)), 82 if sheet.is_small else 60)


@once
def _nearest_land(sheet: Sheet, scale: float) -> tuple[list[str], npt.NDArray[np.intp]]:
    """The land hexes, and for each pixel the nearest of them."""
    wide, high = _pixels(sheet, scale)
    x, y = np.meshgrid((np.arange(wide) + 0.5) / scale, (np.arange(high) + 0.5) / scale)
    land = [n for n in sheet.numbers if not sheet.is_water(n)]
    tree = cKDTree(np.array([sheet.frame.centre(n) for n in land]))
    across = max(2, round(high / (scale * RADIUS * 1.1)))  # edges of woods and marshes wander a little from the sides
    x = x + RAGGED * RADIUS * np.clip(grain((high, wide), 23, across, 3), -1.6, 1.6)
    y = y + RAGGED * RADIUS * np.clip(grain((high, wide), 29, across, 3), -1.6, 1.6)
    return land, tree.query(np.column_stack([x.ravel(), y.ravel()]))[1]


def tint(sheet: Sheet, hexnumber: str) -> str:
    """The colour of the ground of a hex."""
    if sheet.is_out(hexnumber):
        return sheet.style.colour("out")
    return sheet.style.terrain(sheet.cover(hexnumber))


PLAINS = 0.16
"""Ground gentler than this share of the steep is exaggerated, up to six times: the Russian plain has relief too."""


def _hillshade(heights: Floats, cell: float, exaggeration: Floats | float) -> Floats:
    """Light from the north-west at 45 degrees, compared with flat ground: negative is shade."""
    south, east = (slope * exaggeration for slope in np.gradient(heights, cell))
    slope = np.arctan(np.hypot(east, south))
    aspect = np.arctan2(-south, -east)
    sun, altitude = math.radians(135.0), math.radians(45.0)
    # On the sheet y points down, so north-west is (-1, -1); `aspect` uses the same convention.
    toward = np.arctan2(-math.sin(sun), math.cos(sun))
    lit = math.sin(altitude) * np.cos(slope) + math.cos(altitude) * np.sin(slope) * np.cos(toward - aspect)
    return np.asarray(lit - math.sin(altitude), dtype=np.float64)


def relief_image(sheet: Sheet) -> str | None:
    """Relief as light and shade around middle grey, to be laid over any tint by hard light."""
    heights, strength = sheet.art.heights, sheet.style.look["relief"]
    if heights is None or strength <= 0:
        return None
    scale = fit_scale(sheet, 0.40 if sheet.is_small else 0.22, 1.2)
    wide, high = _pixels(sheet, scale)
    ground = np.maximum(heights, 0.0)
    zoomed = ndimage.zoom(ground, (high / ground.shape[0], wide / ground.shape[1]), order=3)
    coarse = 1 / (heights.shape[1] / sheet.frame.width) * scale
    smooth = ndimage.gaussian_filter(zoomed, max(0.7, 0.32 * coarse))
    metres_per_unit = 1000.0 / sheet.frame.units_per_km
    slopes = np.hypot(*np.gradient(smooth, metres_per_unit / scale))
    steep = float(np.percentile(slopes, 97)) or 1.0
    around = ndimage.gaussian_filter(slopes, RADIUS * 2.2 * scale)
    lift = np.clip(PLAINS * steep / np.maximum(around, 1e-9), 1.0, 6.0)  # plains show their valleys too
    shade = _hillshade(smooth, metres_per_unit / scale, 0.55 / steep * lift) * strength
    dark = np.clip(-shade * 1.05, 0, 0.62)[..., None]
    light = np.clip(shade * 1.5, 0, 0.55)[..., None]
    grey = np.full((high, wide, 3), 127.5)
    shadow, glow = (np.array(sheet.style.rgb(sheet.style.colour(key)), dtype=np.float64) for key in ("shadow", "light"))
    picture = grey * (1 - dark - light) + shadow * 0.5 * dark + (127.5 + glow * 0.5) * light
    return _webp(Image.fromarray(np.clip(picture + 0.5, 0, 255).astype(np.uint8)), 80 if sheet.is_small else 46)


def sea_image(sheet: Sheet, scale: float = 0.16) -> str:
    """The sea: shallow light along the coast, darker over the deep."""
    style = sheet.style
    scale = fit_scale(sheet, scale, 0.5)
    land = mask(sheet, sheet.land, scale)
    deep = mask(sheet, sheet.art.deep, scale) if not sheet.art.deep.is_empty else np.zeros_like(land)
    away = ndimage.distance_transform_edt(land < 0.5) / scale
    base, dark, pale = (np.array(style.rgb(style.colour(key)), dtype=np.float64) for key in ("sea", "deep", "shallow"))
    far = np.clip(away / (RADIUS * 7), 0, 1) * 0.42 if sheet.art.deep.is_empty else np.zeros_like(land)
    depth = np.maximum(ndimage.gaussian_filter(deep, RADIUS * 0.5 * scale), far)[..., None]
    picture = base * (1 - depth) + dark * depth
    glow = (0.75 * np.exp(-away / (RADIUS * 0.36)))[..., None]
    picture = picture * (1 - glow) + pale * glow
    if style.look["relief"] > 0:
        picture += 1.6 * grain(land.shape, 5, 5, 3)[..., None]
    return _webp(Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)), 78)
