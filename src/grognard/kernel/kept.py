"""Parts of a view that are made once: remembered by all that they are made of, so a remembered part is the same part.

Most of a view is what it was before the last action, and what others look at too. A part is looked up by the values it
shows; nothing has to be told that something changed, and games, sides and tables share what is alike. What is
remembered is given away as it is: whoever gets a view must not write into it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any


class Kept(dict[Hashable, Any]):
    """Parts by what they are made of; forgets everything when it is full, which is cheaper than to know what is old."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: Hashable, part: Any) -> Any:
        """Remember a part and hand it on."""
        if len(self) >= self.most:
            self.clear()
        self[key] = part
        return part


def as_before(head: Hashable, columns: Iterable[Any], make: Callable[[], Any]) -> Any:
    """A part that is made of nothing but these columns (and `head`): the one made of the same before, or a new one."""
    key = (head, *(bytes(c) if isinstance(c, bytearray) else c.tobytes() for c in columns))
    part = PARTS.get(key)
    return PARTS.keep(key, make()) if part is None else part


def piece_as_before(head: Hashable, row: tuple[int, ...], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The same for one piece, made of its row of the columns."""
    piece: dict[str, Any] | None = PIECES.get((head, row))
    return PIECES.keep((head, row), make()) if piece is None else piece


PARTS = Kept(500)  # of some kilobytes, the pieces in them not counted
PIECES = Kept(40_000)  # of about a kilobyte
COLUMNS = Kept(1000)  # of some ten kilobytes
