"""Orders given in tests: what the permission allows, the list must offer, and the other way round."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Game, Refusal


def obey(game: Game[Any], s: Any, side: int, order: tuple[str, str]) -> None:
    """Carry out an order; it must have stood in the list of legal ones."""
    offered = side in s.waiting and game.read(s, side, order) in game.legal(s, side)
    game.obey(s, side, order)
    assert offered, f"{order} was obeyed, but the list did not offer it"


def why(game: Game[Any], s: Any, side: int, order: tuple[str, str]) -> Refusal | None:
    """Why an order is refused; what is not refused must stand in the list, and what is must not."""
    found = game.why(s, side, order)
    if side in s.waiting:
        offered = order in game.orders(s, side)
        assert offered == (found is None), (
            f"{order}: the list {'offers' if offered else 'lacks'} it, the answer is {found}"
        )
    return found
