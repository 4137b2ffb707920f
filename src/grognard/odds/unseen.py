"""Odds under fog: the positions that a side may be in, as far as it knows, each as likely as the next."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations, product
from typing import Any

from grognard.kernel import Game, Side


def possible_positions(game: Game[Any], s: Any, side: Side, units: Collection[int]) -> Iterator[Any]:
    """Every way in which the side could imagine who these units are, the others standing anywhere.

    The game's own `interchangeable` says who may be confused with whom; units that the side sees or remembers are who
    they are. The positions are copies.
    """
    fog = game.fog
    groups = [] if fog is None else [list(group) for group in game.interchangeable(s, side)]
    unknown = [[u for u in group if not fog.identified(s, side, u)] for group in groups]  # type: ignore[union-attr]
    asked = [[u for u in group if u in units] for group in unknown]
    for case in product(*(permutations(group, len(here)) for group, here in zip(unknown, asked))):
        twin = s.copy()
        for group, here, chosen in zip(unknown, asked, case):
            if here:
                rest = [u for u in group if u not in chosen]
                fog.put_in_places(twin, [*chosen, *rest], here + [u for u in group if u not in here])  # type: ignore[union-attr]
        game.rebuild(twin)
        yield twin
