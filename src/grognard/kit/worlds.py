"""What never changes during a game, by the name of its scenario: positions hold the name, rules ask for the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from grognard.kernel import UnknownName

W = TypeVar("W")


class Worlds(dict[str, W]):
    """Worlds by scenario, each read when first asked for. Tests and designers add their own: `WORLDS[name] = world`."""

    def __init__(self, names: Callable[[], Iterable[str]], read: Callable[[str], W]) -> None:
        super().__init__()
        self.names, self.read = names, read

    def __missing__(self, name: str) -> W:
        names = tuple(self.names())
        if name not in names:
            raise UnknownName("scenario", name, [*names, *self])
        self[name] = self.read(name)
        return self[name]
