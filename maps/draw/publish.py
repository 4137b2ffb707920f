"""Draw a map and keep the files the client uses, beside the game's data; and pictures for the documentation."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from grognard.hexes import document_from_json
from maps.compiler.build import compile_map, map_bytes, output_path
from maps.draw import offmap
from maps.draw.compiled import art_of, labels
from maps.draw.frame import MARGIN, RADIUS, frame_of
from maps.draw.fresh import made_from
from maps.draw.render import BASE_LAYERS, LANGUAGES, Drawing, OverlapError, plan, render, sheet_of
from maps.draw.style import load_style, style_names

ACCENTS = ("beach_us", "beach_gb", "beach_ca", "strait", "port_major", "capital", "block", "block_2", "drop", "border",
           "road_1", "road_1_case", "river", "river_case", "fort", "fort_side", "box_red", "box_green",
           "box_blue")  # fmt: skip


class Draw(Protocol):
    """Draws one map in a style and a language, with or without its base."""

    def __call__(self, style: str, lang: str, with_base: bool = True) -> Drawing:
        """The files of the drawing."""


def art_folder(map_file: Path) -> Path:
    """Where the drawn map lives: `art/` beside the map file."""
    return map_file.parent / "art"


def drawer(name: str) -> tuple[Draw, dict[str, Any], Path, str, dict[str, list[float]]]:
    """How to draw a map by name: the function, its data, where its map file lies, the prefix of its files, and where
    the boxes of off-map areas lie (left, top, width, height).
    """
    if name == "normandy_boxes":
        from maps.draw.boxmap import render_boxes
        from maps.normandy_boxes.build import OUTPUT, read_boxes, to_data

        told = read_boxes()
        data = to_data(told)

        def draw_boxes(style: str, lang: str, with_base: bool = True) -> Drawing:
            return render_boxes(data, told, style, lang)

        return draw_boxes, data, OUTPUT, "boxes.", {}
    m, world = compile_map(name)
    if not m.labels:
        m = labels(m, world)
    compiled = document_from_json(map_bytes(m))
    sheet = sheet_of(compiled, art_of(m, world))
    layouts = cache(lambda lang: plan(sheet, lang))

    def draw(style: str, lang: str, with_base: bool = True) -> Drawing:
        return render(sheet, style, lang, layout=layouts(lang), with_base=with_base)

    return draw, compiled, output_path(m), "", offmap.boxes(sheet)


def publish(name: str, folder: Path | None = None) -> list[Path]:
    """Write the base of each style and the labels of each style and language; return the files."""
    draw, data, map_file, prefix, boxes = drawer(name)
    target = folder or art_folder(map_file)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for style in style_names():
        for lang in LANGUAGES:
            drawing = draw(style, lang, lang == LANGUAGES[0])
            if drawing.overlaps:
                raise OverlapError(name, drawing.overlaps)
            for file, text in drawing.files.items():
                if ".labels." in f".{file}" or ".base." in f".{file}":
                    (target / file).write_text(text, encoding="utf-8")
                    written.append(target / file)
    index = target / f"{prefix}index.json"
    told = _index(data, prefix) | {
        "made_from": made_from(name),
        "files": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted({*written})},
    }
    if boxes:
        told["boxes"] = boxes
    index.write_text(json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return sorted({*written, index})


def _index(data: dict[str, Any], prefix: str) -> dict[str, Any]:
    """What a client must know to lay counters on the picture."""
    if prefix:
        size, extra = data["art"]["size"], {"box": data["art"]["box"]}
    else:
        frame = frame_of(data["grid"])
        size = [round(frame.width, 1), round(frame.height, 1)]
        extra = {"hex_radius": RADIUS, "margin": MARGIN, "layers": list(BASE_LAYERS)}
    return {
        "map": data["name"],
        "size": size,
        **extra,
        "languages": list(LANGUAGES),
        "styles": {name: load_style(name).title for name in style_names()},
        "base": prefix + "base.{style}.svg",
        "labels": prefix + "labels.{style}.{lang}.svg",
    }


def picture(text: str, size: tuple[float, float], target: Path, wide: int, style: str = "classic") -> None:
    """A PNG of an SVG, `wide` pixels across, made by a headless Chromium; for the documentation only."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        raise RuntimeError("no Chromium found: install it (Debian: apt-get install chromium) to export pictures")
    high = round(size[1] * wide / size[0])
    with tempfile.TemporaryDirectory() as scratch:
        source, page, shot = Path(scratch, "map.svg"), Path(scratch, "page.html"), Path(scratch, "shot.png")
        source.write_text(text, encoding="utf-8")
        look = f'width="{wide}" height="{high}" style="display:block"'
        page.write_text(f'<body style="margin:0"><img src="{source.as_uri()}" {look}>', encoding="utf-8")
        switches = (
            "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --hide-scrollbars "
            f"--disable-component-update --disable-sync --window-size={wide},{high}"
        )
        subprocess.run(
            [browser, *switches.split(), f"--user-data-dir={scratch}/user", f"--screenshot={shot}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=180,
        )
        _shrink(shot, target, style)


def _shrink(shot: Path, target: Path, style: str) -> None:
    """A palette of 256 colours keeps the picture small; accents are forced into it, or rare reds would vanish."""
    from PIL import Image

    target.parent.mkdir(parents=True, exist_ok=True)
    accents = [load_style(style).colours[key] for key in ACCENTS]
    with Image.open(shot) as image:
        plain = image.convert("RGB")
        common = plain.quantize(256 - len(accents), method=Image.Quantize.MEDIANCUT).getpalette() or []
        table = common[: 3 * (256 - len(accents))]
        for colour in accents:
            table += list(load_style(style).rgb(colour))
        palette = Image.new("P", (1, 1))
        palette.putpalette(table)
        plain.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
