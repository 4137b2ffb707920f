"""Detection: how far somebody is seen, by what it is, what it did and who looks (003)."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.kernel import rule

SEEN = CHARTS["detection"]
FAR = 10_000  # no limit but the line of sight
STILL, MOVING, FIRING = "still", "moving", "firing"


@question
def limit(book: Book, hard: bool, cover: bool, action: str, limited: bool) -> int:
    """How far a unit in the open or in cover is seen: without proposal 003 as far as the line of sight."""
    return FAR


@question
def large_is_hard(book: Book) -> bool:
    """Without proposal 401 a large gun is seen like any gun."""
    return False


@rule("base-recon")
def hidden_limit(recon: bool) -> int:
    """Base-recon, base-hidden: a camouflaged and silent unit is found at 5 cm, by reconnaissance at 15."""
    return int(SEEN["recon"] if recon else SEEN["camouflaged"])


@question
def bonus(book: Book, hill: bool, recon: bool, spotter: bool, camouflaged: bool) -> int:
    """Without proposal 003 there is nothing to add to."""
    return 0


def range_of(
    book: Book,
    *,
    hard: bool,
    cover: bool,
    action: str,
    limited: bool,
    camouflaged: bool = False,
    hill: bool = False,
    recon: bool = False,
    spotter: bool = False,
) -> int:
    """How far this observer sees such a target, in centimetres; FAR without limit."""
    if camouflaged and action not in (MOVING, FIRING):
        return hidden_limit(recon)
    found = limit(book, hard, cover or camouflaged, action, limited)
    return found if found >= FAR else found + bonus(book, hill, recon, spotter, camouflaged)
