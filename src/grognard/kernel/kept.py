"""Parts of a view that are made once: remembered by all that they are made of, so a remembered part is the same part.

Most of a view is what it was before the last action, and what others look at too. A part is looked up by the values it
shows; nothing has to be told that something changed, and games, sides and tables share what is alike. What is
remembered is given away as it is: whoever gets a view must not write into it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from operator import attrgetter
from typing import Any

from .forgetting import watched


class Kept(dict[Hashable, Any]):
    """Parts by what they are made of; forgets everything when it is full, which is cheaper than to know what is old."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        watched(self)

    def keep(self, key: Hashable, part: Any) -> Any:
        """Remember a part and hand it on."""
        if len(self) >= self.most:
            self.clear()
        self[key] = part
        return part


class Shared:
    """What was worked out for one view of a position, for the others, and what views before it showed.

    Whoever gives a position one (`s.shared = Shared(latest)`) promises not to change it any more; copies have none.
    `latest` goes from position to position, so that only what changed is made anew. It is never trusted: whoever looks
    into it compares what it was made of.
    """

    __slots__ = ("latest", "now")

    def __init__(self, latest: dict[Hashable, Any]) -> None:
        self.now: dict[Hashable, Any] = {}
        self.latest = latest


def once(s: Any, what: Hashable, make: Callable[[], Any]) -> Any:
    """What is the same for everybody who looks at a position: made once, if the position says that it stays."""
    if s.shared is None:
        return make()
    now = s.shared.now
    if what not in now:
        now[what] = make()
    return now[what]


PASSING = ("draws", "waiting", "seed", "loaded", "outcome")  # change with nearly every action, and show in no part


def same_fields(s: Any) -> object:
    """A mark that stays the same object from position to position while no field changes but the passing ones."""

    def look() -> object:
        names = [name for name in s.fields if name not in PASSING]
        values = attrgetter(*names)(s)
        known = s.shared.latest.get("fields")
        if known is None or known[0] != values:
            known = s.shared.latest["fields"] = (values, object())
        return known[1]

    return once(s, "fields", look)


def while_same(part: Callable[[Any, int], Any]) -> Callable[[Any, int], Any]:
    """A part of a view that hangs on the fields of a position (not on its frames) and on who looks, kept while it can.

    What it is made of is compared as a whole, so nobody has to say on which fields it hangs.
    """

    @wraps(part)
    def kept_part(s: Any, side: int) -> Any:
        if s.shared is None:
            return part(s, side)
        mark, key = same_fields(s), (part, side)
        known = s.shared.latest.get(key)
        if known is None or known[0] is not mark:
            known = s.shared.latest[key] = (mark, part(s, side))
        return known[1]

    return kept_part


def last_made(s: Any, what: Hashable, made_of: Any, make: Callable[[], Any]) -> Any:
    """A part that is made of nothing but `made_of`: that of the table's last view, while it was made of the same."""
    if s.shared is None:
        return make()
    latest = s.shared.latest
    known = latest.get(what)
    if known is None or known[0] != made_of:
        known = latest[what] = (made_of, make())
    return known[1]


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
