"""601-603 Air support."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.laws import air
from grognard.kernel import rule


@answers(air.number_on_armour, "603")
@rule("603a")
def surer_attacks(book: Book) -> int:
    """603a Aircraft hit armour on 3+."""
    return int(air.AIR["number"])


@answers(air.heavy_fires, "602")
@rule("602")
def only_light_aa(book: Book) -> bool:
    """602 Only machine guns and light AA guns fire at close support."""
    return False


@answers(air.two_aircraft, "601")
@rule("601")
def a_pair(book: Book) -> bool:
    """601 Air support comes with two aircraft."""
    return True
