"""Aircraft: attack runs and anti-aircraft fire."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.kernel import rule

from .parties import is_roofed

AIR, MORE = CHARTS["air"], CHARTS["air_more"]
WEAPONS = ("small-bomb", "large-bomb", "20mm", "37mm", "rocket-su", "rocket-allied", "mg")


@question
@rule("base-air-attack")
def number_on_armour(book: Book) -> int:
    """What a run on armour needs without proposal 603."""
    return int(CHARTS["off"]["603"]["number"])


@question
@rule("base-aa-fire")
def heavy_fires(book: Book) -> bool:
    """Without proposal 602 heavy AA guns fire too (O-28)."""
    return True


@question
def two_aircraft(book: Book) -> bool:
    """Without proposal 601 air support is one aircraft."""
    return False


@rule("base-air-attack")
def soft_number(cover: int) -> int:
    """Base-air-attack: 5 on men, guns and soft vehicles, 6 under a roof."""
    return 6 if is_roofed(cover) else 5


def attacks(weapon: str) -> int:
    """603c Cannon and machine guns attack twice."""
    return int(AIR["attacks"].get(weapon, 1))
