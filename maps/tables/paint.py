"""Tables as pictures: two layers for the client (ground, and what stands on it), or one picture of both."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from grognard.tabletop import Table

from .canvas import to_image
from .ground import Ground
from .standing import Standing

SCALE = 10  # pixels to a centimetre
QUALITY = {"ground": 72, "standing": 76}


def layers(table: Table, scale: int = SCALE) -> dict[str, Image.Image]:
    """The two layers."""
    standing = Standing(table, scale).finish()
    return {
        "ground": to_image(Ground(table, scale).finish()),
        "standing": to_image(standing.colour, standing.alpha),
    }


def write(table: Table, out: Path, scale: int = 0) -> list[Path]:
    """One picture if `out` names a file, else the layers into that folder as `table.NAME.LAYER.webp`."""
    found = layers(table, scale or SCALE)
    if out.suffix in (".png", ".webp", ".jpg"):
        picture = found["ground"].convert("RGBA")
        picture.alpha_composite(found["standing"])
        picture.convert("RGB").save(out, quality=88)
        return [out]
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, image in found.items():
        path = out / f"table.{table.id}.{name}.webp"
        image.save(path, quality=QUALITY[name], alpha_quality=80, method=6)
        paths.append(path)
    return paths
