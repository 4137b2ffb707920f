"""501-503 Fortifications."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.laws import barrage
from grognard.games.blitzkrieg.loading import Vehicle, Weapon
from grognard.games.blitzkrieg.rules import works
from grognard.games.blitzkrieg.world import MODEL_OF
from grognard.kernel import rule


@answers(barrage.breaches, "501")
@rule("501")
def opens_minefields(book: Book, weapon: Weapon) -> bool:
    """501 Indirect fire of more than 82 mm may clear a section of mines."""
    return weapon.calibre > int(barrage.BARRAGE["mine_calibre"])


@answers(works.needs_test, "502")
@rule("502a", "502b")
def test_of_barricades(book: Book, unit: int) -> bool:
    """502a Infantry tests before a barricade comes down; 502b pioneers do not."""
    return MODEL_OF[unit].id not in works.PIONEERS


@answers(works.may_climb, "502")
@rule("502c")
def tanks_climb(book: Book, unit: int) -> bool:
    """502c Tanks and tracked assault guns may climb one."""
    model = MODEL_OF[unit]
    return isinstance(model, Vehicle) and model.drive == "tracked" and model.type in works.CLIMBERS


@answers(works.may_block_road, "503")
@rule("503")
def no_obstacle_on_roads(book: Book) -> bool:
    """503 An anti-tank obstacle does not stand on a road."""
    return False
