"""Exact chances by running a game's own rules; knows the kernel and no game."""

from .explore import exact_law, settled
from .law import as_fractions, average, by_number, law_of, mixture, percent, successes
from .unseen import possible_positions

__all__ = [
    "as_fractions",
    "average",
    "by_number",
    "exact_law",
    "law_of",
    "mixture",
    "percent",
    "possible_positions",
    "settled",
    "successes",
]
