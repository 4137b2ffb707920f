"""Widths of text without any font file: the advance widths that Arial, Helvetica and their free twins share.

Every label is written with `textLength`: whatever font the reader has, the name keeps the width we placed it by.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SANS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
    "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 "
    "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_SERIF = (
    "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 "
    "500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 "
    "556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 "
    "500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541"
)
_WIDTH = {name: [int(w) for w in table.split()] for name, table in (("sans", _SANS), ("serif", _SERIF))}
NARROW = 0.86
ASCENT, DESCENT = 0.74, 0.20


@dataclass(frozen=True)
class Face:
    """A kind of type: family, size, weight, slant, letter spacing."""

    family: str
    size: float
    bold: bool = False
    italic: bool = False
    spacing: float = 0.0

    def scaled(self, factor: float) -> Face:
        """The same type, smaller or larger."""
        return Face(self.family, round(self.size * factor, 2), self.bold, self.italic, self.spacing * factor)


def width(text: str, face: Face) -> float:
    """Width of a line of text in drawing units."""
    table = _WIDTH[face.family]
    total = 0.0
    for letter in text:
        plain = unicodedata.normalize("NFD", letter)[0]
        if plain in "œŒæÆ":
            total += 940
            continue
        code = ord(plain) - 32
        total += table[code] if 0 <= code < len(table) else 556
    total *= face.size / 1000
    if face.family == "sans":
        total *= NARROW
    if face.bold:
        total *= 1.06
    return total + face.spacing * max(0, len(text) - 1)
