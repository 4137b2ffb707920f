"""501-503 Fortifications."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.laws import barrage
from grognard.games.blitzkrieg.loading import Weapon
from grognard.kernel import rule


@answers(barrage.breaches, "501")
@rule("501")
def opens_minefields(book: Book, weapon: Weapon) -> bool:
    """501 Indirect fire of more than 82 mm may clear a section of mines."""
    return weapon.calibre > int(barrage.BARRAGE["mine_calibre"])
