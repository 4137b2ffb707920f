"""The wall chart: the law of the results for every pair of modifiers as one picture, SVG or PNG.

A colour-blind safe scale: blues when the defender suffers, oranges when the attacker does, grey for nothing. The sheet
is laid out once (`sheet`), wide enough for its words, and written by `table_svg` and, in chart_png.py, `table_png`.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from grognard.games.surrender.loading import CODES
from grognard.games.surrender.show.words import say

COLOURS = {"DE": "#08306b", "DD": "#2171b5", "DR": "#9ecae1", "NE": "#d9d9d9", "AS": "#fdae6b", "AA": "#d94801"}
ORDER = ("DE", "DD", "DR", "NE", "AS", "AA")
PAPER, INK, GREY = "#fbf8f1", "#000000", "#555555"
CELL, LEFT, MARGIN = 46, 70, 20
EM = 56  # room for a letter, in hundredths of the font size
NARROWEST = 360  # of the part right of the row labels, however few columns


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text: where its base line starts, is centred or ends; turned by a quarter if `upright`."""

    x: int
    y: int
    text: str
    size: int
    colour: str = INK
    anchor: str = "start"  # or middle, end
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; its left edge and width in hundredths of a pixel."""

    x: int
    y: int
    width: int
    height: int
    colour: str


@dataclass(slots=True)
class Sheet:
    """Everything on the chart."""

    width: int
    height: int = 0
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)


def text_width(text: str, size: int) -> int:
    """Room for a line of text in any usual font, generously."""
    return len(text) * size * EM // 100


def shares(law: dict[str, str]) -> tuple[str, str]:
    """Percentages that the defender gives way and that the attacker is hurt; 0 and 100 only when certain."""
    good = sum((Fraction(law[c]) for c in ("DR", "DD", "DE")), Fraction(0))
    bad = sum((Fraction(law[c]) for c in ("AS", "AA")), Fraction(0))
    return tuple(str(int(p)) if p in (0, 100) else str(max(1, min(99, round(p)))) for p in (good * 100, bad * 100))  # type: ignore[return-value]


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


def sheet(table: dict[str, Any], lang: str = "en") -> Sheet:
    """The chart laid out: title, the grid of cells with their labels, the legend."""
    room = max(NARROWEST, len(table["attacker"]) * CELL)
    page = Sheet(LEFT + room + MARGIN)
    top = _head(page, table, room, lang)
    _grid(page, table, top, lang)
    page.height = _legend(page, top + len(table["defender"]) * CELL + 26, room, lang)
    return page


def _paragraph(page: Sheet, y: int, text: str, size: int, room: int, colour: str = INK) -> int:
    """Text in as many lines as it needs; the base line that comes after it."""
    for part in textwrap.wrap(text, room * 100 // (size * EM), break_on_hyphens=False):
        page.words.append(Words(LEFT, y, part, size, colour))
        y += size * 14 // 10
    return y


def _head(page: Sheet, table: dict[str, Any], room: int, lang: str) -> int:
    """Title, divisions and the name of the columns; the top of the grid."""
    y = _paragraph(page, 30, say("odds.table.title", lang), 19, room)
    attacker, defender = table["halvings"]
    y = _paragraph(page, y, say("odds.table.halvings", lang, attacker=attacker, defender=defender), 12, room, GREY)
    label = say("odds.table.attacker", lang)
    middle = LEFT + max(len(table["attacker"]) * CELL, text_width(label, 13)) // 2
    page.words.append(Words(middle, y + 8, label, 13, anchor="middle"))
    return y + 36


def _grid(page: Sheet, table: dict[str, Any], top: int, lang: str) -> None:
    middle = top + len(table["defender"]) * CELL // 2
    page.words.append(Words(22, middle, say("odds.table.defender", lang), 13, anchor="middle", upright=True))
    for i, drm in enumerate(table["attacker"]):
        page.words.append(Words(LEFT + i * CELL + CELL // 2, top - 8, f"{drm:+d}", 13, anchor="middle"))
    for j, defender in enumerate(table["defender"]):
        y = top + j * CELL
        page.words.append(Words(LEFT - 8, y + 28, f"{defender:+d}", 13, anchor="end"))
        for i, attacker in enumerate(table["attacker"]):
            _cell(page, LEFT + i * CELL, y, table["cells"][f"{attacker},{defender}"])


def _cell(page: Sheet, x: int, y: int, law: dict[str, str]) -> None:
    good, bad = shares(law)
    for colour, start, length in bars(law, CELL - 4):
        page.boxes.append(Box((x + 2) * 100 + start, y + 3, length, 22, colour))
    page.words.append(Words(x + 3, y + 39, good, 11, "#08306b"))
    page.words.append(Words(x + CELL - 3, y + 39, bad, 11, "#a63603", "end"))


def _legend(page: Sheet, y: int, room: int, lang: str) -> int:
    """The colours in as many columns as there is room for, then how to read a cell; the foot of the sheet."""
    labels = [say(f"odds.code.ground.{code}", lang) for code in ORDER]
    column = 32 + max(text_width(label, 12) for label in labels)
    across = next((n for n in (6, 3, 2) if n * column <= room), 1)
    for i, (code, label) in enumerate(zip(ORDER, labels, strict=True)):
        x, row = LEFT + i % across * column, y + i // across * 24
        page.boxes.append(Box(x * 100, row - 13, 1600, 16, COLOURS[code]))
        page.words.append(Words(x + 22, row, label, 12))
    foot = y + -(-len(ORDER) // across) * 24 + 6
    return _paragraph(page, foot, say("odds.table.legend_svg", lang), 11, room, GREY) + 8


def table_svg(table: dict[str, Any], lang: str = "en") -> str:
    """The chart as an SVG document."""
    page = sheet(table, lang)
    size = f'width="{page.width}" height="{page.height}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page.width} {page.height}" {size} '
        f'font-family="Georgia, serif" lang="{lang}">',
        f"<title>{escape(say('odds.table.title', lang))}</title>",
        f'<rect {size} fill="{PAPER}"/>',
    ]
    out += [
        f'<rect x="{box.x / 100:.2f}" y="{box.y}" width="{box.width / 100:.2f}" height="{box.height}" '
        f'fill="{box.colour}"/>'
        for box in page.boxes
    ]
    for line in page.words:
        turn = f' transform="rotate(-90 {line.x} {line.y})"' if line.upright else ""
        out.append(
            f'<text x="{line.x}" y="{line.y}" font-size="{line.size}" fill="{line.colour}" '
            f'text-anchor="{line.anchor}"{turn}>{escape(line.text)}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


def table_png(table: dict[str, Any], path: Path, lang: str = "en", scale: int = 2) -> None:
    """The same chart as a PNG picture (needs Pillow)."""
    try:
        from grognard.games.surrender.odds.chart_png import draw
    except ModuleNotFoundError as error:
        raise RuntimeError("a PNG needs Pillow: pip install 'grognard[maps]', or ask for --svg") from error
    draw(sheet(table, lang), scale).save(path, "PNG")


assert set(ORDER) == set(CODES)
