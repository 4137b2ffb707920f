"""The wall chart: the law of the results for every pair of modifiers as one picture, SVG or PNG.

A colour-blind safe scale: blues when the defender suffers, oranges when the attacker does, grey for nothing.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from grognard.games.surrender.charts import CODES
from grognard.games.surrender.words import say

COLOURS = {"DE": "#08306b", "DD": "#2171b5", "DR": "#9ecae1", "NE": "#d9d9d9", "AS": "#fdae6b", "AA": "#d94801"}
ORDER = ("DE", "DD", "DR", "NE", "AS", "AA")
CELL, LEFT, TOP, FOOT = 46, 70, 96, 84


def shares(law: dict[str, str]) -> tuple[str, str]:
    """Percentages that the defender gives way and that the attacker is hurt; 0 and 100 only when certain."""
    good = sum((Fraction(law[c]) for c in ("DR", "DD", "DE")), Fraction(0))
    bad = sum((Fraction(law[c]) for c in ("AS", "AA")), Fraction(0))
    return tuple(str(int(p)) if p in (0, 100) else str(max(1, min(99, round(p)))) for p in (good * 100, bad * 100))  # type: ignore[return-value]


def layout(table: dict[str, Any]) -> list[tuple[int, int, dict[str, str]]]:
    """Cells with their left and top corner."""
    return [
        (LEFT + i * CELL, TOP + j * CELL, table["cells"][f"{attacker},{defender}"])
        for j, defender in enumerate(table["defender"])
        for i, attacker in enumerate(table["attacker"])
    ]


def bars(law: dict[str, str], width: int) -> list[tuple[str, int, int]]:
    """The bar of one cell as (colour, start, length) in hundredths of a pixel, adding up exactly."""
    out, start = [], 0
    total = Fraction(0)
    for code in ORDER:
        total += Fraction(law[code])
        end = round(total * width * 100)
        if end > start:
            out.append((COLOURS[code], start, end - start))
        start = end
    return out


def table_svg(table: dict[str, Any], lang: str = "en") -> str:
    """The chart as an SVG document."""
    columns, rows = len(table["attacker"]), len(table["defender"])
    width, height = LEFT + columns * CELL + 20, TOP + rows * CELL + FOOT
    halvings = say("odds.table.halvings", lang, attacker=table["halvings"][0], defender=table["halvings"][1])
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Georgia, serif">',
        f"<title>{escape(say('odds.table.title', lang))}</title>",
        f'<rect width="{width}" height="{height}" fill="#fbf8f1"/>',
        f'<text x="{LEFT}" y="30" font-size="20">{escape(say("odds.table.title", lang))}</text>',
        f'<text x="{LEFT}" y="50" font-size="12" fill="#555">{escape(halvings)}</text>',
        f'<text x="{LEFT + columns * CELL // 2}" y="70" font-size="13" text-anchor="middle">'
        f"{escape(say('odds.table.attacker', lang))}</text>",
        f'<text transform="translate(18 {TOP + rows * CELL // 2}) rotate(-90)" font-size="13" text-anchor="middle">'
        f"{escape(say('odds.table.defender', lang))}</text>",
    ]
    for i, drm in enumerate(table["attacker"]):
        out.append(
            f'<text x="{LEFT + i * CELL + CELL // 2}" y="{TOP - 8}" font-size="13" text-anchor="middle">{drm:+d}</text>'
        )
    for j, drm in enumerate(table["defender"]):
        out.append(f'<text x="{LEFT - 8}" y="{TOP + j * CELL + 28}" font-size="13" text-anchor="end">{drm:+d}</text>')
    for x, y, law in layout(table):
        good, bad = shares(law)
        out.append(f'<g transform="translate({x} {y})">')
        for colour, start, length in bars(law, CELL - 4):
            out.append(
                f'<rect x="{2 + start / 100:.2f}" y="3" width="{length / 100:.2f}" height="22" fill="{colour}"/>'
            )
        out.append(f'<text x="3" y="39" font-size="11" fill="#08306b">{good}</text>')
        out.append(f'<text x="{CELL - 3}" y="39" font-size="11" fill="#a63603" text-anchor="end">{bad}</text></g>')
    out += _legend(height, lang)
    return "\n".join([*out, "</svg>"]) + "\n"


def _legend(height: int, lang: str) -> list[str]:
    words = escape(say("odds.table.legend_svg", lang))
    out = [f'<text x="{LEFT}" y="{height - 14}" font-size="11" fill="#555">{words}</text>']
    for i, code in enumerate(ORDER):
        x, y = LEFT + i * 160, height - 58
        out.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{COLOURS[code]}"/>')
        out.append(f'<text x="{x + 22}" y="{y + 13}" font-size="12">{escape(say(f"odds.code.{code}", lang))}</text>')
    return out


def table_png(table: dict[str, Any], path: Path, lang: str = "en", scale: int = 2) -> None:
    """The same chart as a PNG picture (needs Pillow)."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError as error:
        raise RuntimeError("a PNG needs Pillow: pip install 'grognard[maps]', or ask for --svg") from error
    columns, rows = len(table["attacker"]), len(table["defender"])
    image = Image.new("RGB", ((LEFT + columns * CELL + 20) * scale, (TOP + rows * CELL + FOOT) * scale), "#fbf8f1")
    pen = ImageDraw.Draw(image)

    def write(x: int, y: int, words: str, size: int, colour: str = "black", anchor: str = "ls") -> None:
        pen.text((x * scale, y * scale), words, colour, font=ImageFont.load_default(size * scale), anchor=anchor)

    write(LEFT, 30, say("odds.table.title", lang), 18)
    write(LEFT + columns * CELL // 2, 70, say("odds.table.attacker", lang), 12, anchor="ms")
    write(LEFT, 50, say("odds.table.halvings", lang, attacker=table["halvings"][0], defender=table["halvings"][1]), 11)
    write(4, TOP - 8, say("odds.table.defender", lang).split()[0], 10)
    for i, drm in enumerate(table["attacker"]):
        write(LEFT + i * CELL + CELL // 2, TOP - 8, f"{drm:+d}", 12, anchor="ms")
    for j, drm in enumerate(table["defender"]):
        write(LEFT - 8, TOP + j * CELL + 28, f"{drm:+d}", 12, anchor="rs")
    for x, y, law in layout(table):
        good, bad = shares(law)
        for colour, start, length in bars(law, CELL - 4):
            left = (x + 2) * scale + start * scale // 100
            pen.rectangle((left, (y + 3) * scale, left + length * scale // 100, (y + 25) * scale), fill=colour)
        write(x + 3, y + 39, good, 10, "#08306b")
        write(x + CELL - 3, y + 39, bad, 10, "#a63603", anchor="rs")
    foot = TOP + rows * CELL + FOOT
    for i, code in enumerate(ORDER):
        pen.rectangle(
            tuple(v * scale for v in (LEFT + i * 160, foot - 58, LEFT + i * 160 + 16, foot - 42)), fill=COLOURS[code]
        )
        write(LEFT + i * 160 + 22, foot - 45, say(f"odds.code.{code}", lang), 11)
    image.save(path)


assert set(ORDER) == set(CODES)
