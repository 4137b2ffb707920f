"""The type of the drawn maps: five small faces, carried inside every drawing, so that all machines show the same.

The files in `fonts/` are subsets (Latin letters of all languages on our maps, no kerning, no hints) of Roboto Condensed
and Libertinus Serif, both under the SIL Open Font Licence, renamed as the licence asks; `widths.json` has their advance
widths.
"""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
FAMILIES = {"sans": "Grognard Sans", "serif": "Grognard Serif"}


def face_name(family: str, bold: bool, italic: bool) -> str:
    """The file of a face; a cut that we do not carry gives way to the nearest one."""
    wanted = f"{family}-{700 if bold else 400}{'-italic' if italic else ''}"
    if wanted in widths():
        return wanted
    near = {"serif-400": "serif-400-italic", "sans-700-italic": "sans-700", "serif-700-italic": "serif-700"}
    return near[wanted]


@cache
def widths() -> dict[str, dict[str, int]]:
    """Face -> letter -> advance width in thousandths of the size."""
    found: dict[str, dict[str, int]] = json.loads((FOLDER / "widths.json").read_text(encoding="utf-8"))
    return found


@cache
def rule(name: str) -> str:
    """The CSS rule that carries one face."""
    family, weight, *rest = name.split("-")
    data = base64.b64encode((FOLDER / f"{name}.woff2").read_bytes()).decode()
    slant = "italic" if rest else "normal"
    return (
        f"@font-face{{font-family:'{FAMILIES[family]}';font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff2;base64,{data})format('woff2')}}"
    )


def embedded(text: str) -> str:
    """A style element with the faces that a drawing uses, as far as its attributes tell."""
    found = set()
    for tag in re.findall(r"<[^>]*font-family=[^>]*>", text):
        family = "serif" if FAMILIES["serif"] in tag else "sans"
        found.add(face_name(family, 'font-weight="bold"' in tag, 'font-style="italic"' in tag))
    return f"<style>{''.join(rule(name) for name in sorted(found))}</style>" if found else ""
