"""What is remembered for speed has a weight: a server can promise not to keep more bytes of it than given.

A store of answers is bounded by its number of entries; how heavy they are hangs on the title, the map and the number of
games. `watched` makes a store known here; `forget_beyond` weighs all of them by a few entries and empties the heaviest.
It changes speed, never an answer.
"""

from __future__ import annotations

import gc
import sys
from itertools import islice
from operator import itemgetter
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar
from weakref import ReferenceType, ref

D = TypeVar("D", bound="dict[Any, Any]")
SAMPLE = 6  # entries that are weighed for all
FAR = 200_000  # things that one entry may hold, at most, before one stops counting
ROUNDS = 15  # times that a store is taken to weigh what its entries weighed, before one looks again
NO_PART = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)

_lasting: list[dict[Any, Any]] = []
_passing: list[ReferenceType[Any]] = []
_each: dict[int, tuple[int, int, int]] = {}  # by the store's id: bytes of one entry, for how many rounds to believe
# it, and how many there were then


def watched(store: D) -> D:
    """Make a store known, for as long as it lives."""
    try:
        _passing.append(ref(store))
    except TypeError:  # a plain dictionary: such belong to functions, and those stay
        _lasting.append(store)
    return store


def stores() -> list[dict[Any, Any]]:
    """All that is remembered somewhere."""
    alive = [(known, store) for known in _passing if (store := known()) is not None]
    _passing[:] = [known for known, _ in alive]
    return [*_lasting, *(store for _, store in alive)]


def added_weight(value: Any, seen: set[int]) -> int:
    """Bytes of a value and all that it holds, without what was seen before: boards and worlds are held by many."""
    total, left = 0, [value]
    for _ in range(FAR):
        if not left:
            break
        thing = left.pop()
        if id(thing) not in seen and not isinstance(thing, NO_PART):
            seen.add(id(thing))
            total += sys.getsizeof(thing)
            left.extend(gc.get_referents(thing))
    return total


def weight_of(store: dict[Any, Any], seen: set[int] | None = None) -> int:
    """Bytes that a store takes, about; what its entries share is left out, and what was `seen` in other stores."""
    if not store:
        return 0
    seen = set() if seen is None else seen
    try:
        entries = list(islice(reversed(store.items()), SAMPLE + 1))
    except RuntimeError:  # it was written to just now
        return 0
    seen.add(id(store))
    added = [added_weight(key, seen) + added_weight(value, seen) for key, value in entries]  # never of the pair itself,
    del added[0]  # which goes when we are done, and leaves its number to another; by the first, what all share is seen
    return sys.getsizeof(store) + (len(store) * sum(added) // len(added) if added else 0)


def weigh_all() -> list[tuple[int, dict[Any, Any]]]:
    """Every store with its weight. To look into one means to walk over a map, so each is looked into in its turn.

    And sooner when it holds more than twice as much: of one entry alone nobody can tell what it weighs.
    """
    seen: set[int] = set()  # boards and worlds, which hang on nearly every store, are walked once
    known, weighed = dict(_each), []
    _each.clear()
    for number, store in enumerate(stores()):
        length, (each, rounds, was) = len(store), known.get(id(store), (0, 0, 0))
        if rounds and length <= 2 * was:
            rounds -= 1
        elif length:
            each, first = weight_of(store, seen) // length, id(store) not in known
            rounds, was = number % ROUNDS if first else ROUNDS - 1, length
        if each:
            _each[id(store)] = each, rounds, was
        weighed.append((each * length, store))
    return weighed


def forget_beyond(most: int) -> int:
    """Empty the heaviest stores until half of `most` is left, if all together weigh more; what they weigh then."""
    weighed = sorted(weigh_all(), key=itemgetter(0), reverse=True)
    total = sum(weight for weight, _ in weighed)
    if total <= most:
        return total
    for weight, store in weighed:
        if total <= most // 2:
            break
        store.clear()
        total -= weight
    return total
