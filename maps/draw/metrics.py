"""Widths of text, from the faces that every drawing carries (`fonts.py`).

Every label is written with `textLength` as well: where a reader's program ignores the faces, the name keeps its width.
"""

from __future__ import annotations

from dataclasses import dataclass

from maps.draw.fonts import face_name, widths

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
    table = widths()[face_name(face.family, face.bold, face.italic)]
    total = sum(table.get(letter, table["n"]) for letter in text) * face.size / 1000
    return total + face.spacing * max(0, len(text) - 1)
