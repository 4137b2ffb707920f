"""Put the layers of one map together: a base without words, and names and legend in each language over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from maps.draw import extras, forms, ground, labels, lines, offmap, routes, signs, svg, towns
from maps.draw.frame import frame_of
from maps.draw.legend import Legend
from maps.draw.markers import markers
from maps.draw.sheet import Art, Sheet
from maps.draw.style import load_style

LANGUAGES = ("en", "fr")
BASE_LAYERS = (
    "sea",
    "land",
    "terrain",
    "relief",
    "forms",
    "signs",
    "lakes",
    "coast",
    "shores",
    "closed",
    "zones",
    "grid",
    "veil",
    "frontiers",
    "rivers",
    "ridges",
    "water-sides",
    "forts",
    "roads",
    "rails",
    "routes",
    "ports",
    "heights",
    "towns",
    "markers",
    "numbers",
    "frame",
)


class OverlapError(Exception):
    """Names that cover each other: the drawing is refused."""

    def __init__(self, name: str, findings: list[str]) -> None:
        self.findings = findings
        lines_ = "\n".join(f"  {finding}" for finding in findings)
        super().__init__(
            f"map {name}: {len(findings)} overlap(s) among labels; move or shorten one in overrides.toml:\n{lines_}"
        )


@dataclass(frozen=True)
class Drawing:
    """The parts of a drawn map: file name to SVG text."""

    files: dict[str, str]
    overlaps: list[str]


@dataclass(frozen=True)
class Layout:
    """Where the names of one language stand: the same in every style."""

    names: list[labels.Name]
    overlaps: list[str]


def sheet_of(data: dict[str, Any], art: Art) -> Sheet:
    """The sheet of a map, to be drawn in any style and language."""
    return Sheet(data, frame_of(data["grid"]), art, load_style("classic"))


def plan(sheet: Sheet, lang: str) -> Layout:
    """Place the names of a map in one language, and audit them."""
    blocked = [*markers(sheet, lang).blocked, (Legend(sheet, lang).panel, "legend"), *offmap.panel(sheet)]
    writer = labels.write_names(sheet, lang, blocked)
    return Layout(writer.names, labels.audit(writer, blocked))


def render(
    sheet: Sheet,
    style: str = "classic",
    lang: str = "en",
    strict: bool = True,
    layout: Layout | None = None,
    with_base: bool = True,
) -> Drawing:
    """Draw a map: `base.STYLE.svg` (no words), `labels.STYLE.LANG.svg` (names, legend), `map.STYLE.LANG.svg` (both).

    Labels that overlap are an error unless `strict` is false. A `layout` made by `plan` saves placing the names again;
    without the base only the labels are drawn.
    """
    layout, data = layout or plan(sheet, lang), sheet.data
    if layout.overlaps and strict:
        raise OverlapError(str(data["name"]), layout.overlaps)
    sheet = sheet.restyled(load_style(style))
    marks, legend = markers(sheet, lang), Legend(sheet, lang)
    title = str(data["title"].get(lang) or data["title"]["en"])
    words = [*labels.draw_names(sheet, layout.names), svg.layer("names-markers", marks.texts)]
    words += [offmap.draw(sheet, lang), legend.draw()]
    size = sheet.frame.width, sheet.frame.height
    files = {f"labels.{style}.{lang}.svg": svg.document(*size, [_label_defs(sheet), *words], title)}
    if with_base:
        base = _base(sheet, marks.body)
        files[f"base.{style}.svg"] = svg.document(*size, base, str(data["title"]["en"]))
        files[f"map.{style}.{lang}.svg"] = svg.document(*size, [*base, *words], title)
    return Drawing(files, layout.overlaps)


def _label_defs(sheet: Sheet) -> str:
    return svg.tag("defs", signs.hedge_pattern(sheet)) if signs.has_hedges(sheet) else ""


def _base(sheet: Sheet, marks: list[str]) -> list[str]:
    """Every layer without words, from the sea up."""
    defs = svg.tag("defs", ground.definitions(sheet) + (signs.hedge_pattern(sheet) if signs.has_hedges(sheet) else ""))
    parts = {
        "sea": ground.sea(sheet),
        "land": ground.land(sheet),
        "terrain": ground.terrain(sheet),
        "relief": ground.relief(sheet),
        "forms": forms.forms(sheet),
        "signs": signs.signs(sheet),
        "lakes": ground.lakes(sheet),
        "coast": ground.coast(sheet),
        "zones": lines.zones(sheet),
        "grid": lines.grid(sheet),
        "frontiers": lines.frontiers(sheet),
        "rivers": lines.rivers(sheet),
        "water-sides": lines.water_sides(sheet),
        "forts": lines.forts(sheet),
        "roads": lines.roads(sheet),
        "rails": lines.rails(sheet),
        "routes": routes.routes(sheet),
        "shores": extras.shores(sheet),
        "closed": extras.closed(sheet),
        "ridges": extras.ridges(sheet),
        "veil": extras.veil(sheet),
        "ports": towns.ports(sheet),
        "heights": towns.heights(sheet),
        "towns": towns.towns(sheet),
        "markers": svg.layer("markers", marks),
        "numbers": labels.numbers(sheet),
        "frame": _border(sheet),
    }
    return [defs, *(parts[name] for name in BASE_LAYERS)]


def _border(sheet: Sheet) -> str:
    """The frame of the sheet: three lines, as on a printed map."""
    body = []
    for inset, wide, colour in ((3.0, 6.0, "frame"), (8.0, 4.0, "paper"), (11.0, 1.0, "frame")):
        body.append(
            svg.tag(
                "rect",
                x=inset,
                y=inset,
                width=sheet.frame.width - 2 * inset,
                height=sheet.frame.height - 2 * inset,
                fill="none",
                stroke=sheet.style.colour(colour),
                stroke_width=wide,
            )
        )
    return svg.layer("frame", body)
