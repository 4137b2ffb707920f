"""The audit that needs a drawing: do names overlap each other, a symbol or a panel? Part of `grognard map build`."""

from __future__ import annotations

from grognard.hexes import document_from_json
from maps.compiler.build import map_bytes
from maps.compiler.model import HexMap
from maps.compiler.sources import World
from maps.draw.compiled import art_of, labels
from maps.draw.render import LANGUAGES, plan, sheet_of


def label_findings(m: HexMap, world: World) -> list[str]:
    """What is wrong with the names of a compiled map, in either language; nothing when all is well."""
    if not m.labels:
        m = labels(m, world)
    sheet = sheet_of(document_from_json(map_bytes(m)), art_of(m, world))
    return [f"{lang}: {finding}" for lang in LANGUAGES for finding in plan(sheet, lang).overlaps]
