"""Styles: every colour of the drawing comes from one of the files in `styles/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from maps.compiler.tomlfile import read_table

FOLDER = Path(__file__).parent / "styles"
SANS = "'Grognard Sans','Roboto Condensed','Arial Narrow',Arial,sans-serif"
SERIF = "'Grognard Serif','Libertinus Serif','Palatino Linotype',Palatino,'Times New Roman',serif"


@dataclass(frozen=True)
class Style:
    """Named colours and a few strengths."""

    name: str
    title: dict[str, str]
    look: dict[str, float]
    colours: dict[str, str]
    terrains: dict[str, str]
    signs: dict[str, str]

    def colour(self, key: str) -> str:
        """A colour by name; an unknown name is a mistake in the drawing code or in the style file."""
        if key not in self.colours:
            raise KeyError(f"style {self.name}: no colour {key!r} in styles/{self.name}.toml [colour]")
        return self.colours[key]

    def terrain(self, key: str) -> str:
        """The tint of a terrain; unknown terrains look clear."""
        return self.terrains.get(key, self.terrains["clear"])

    def rgb(self, text: str) -> tuple[int, int, int]:
        """Red, green and blue of `#rrggbb`."""
        return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def style_names() -> list[str]:
    """The styles at hand, the default first."""
    others = sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != "classic")
    return ["classic", *others]


def load_style(name: str) -> Style:
    """Read one style file."""
    path = FOLDER / f"{name}.toml"
    if not path.exists():
        raise ValueError(f"no style {name!r}: choose one of {', '.join(style_names())}")
    table = read_table(path)
    return Style(name, table["title"], table["look"], table["colour"], table["terrain"], table["sign"])
