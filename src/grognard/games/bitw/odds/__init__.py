"""Exact chances of battles: typed in by hand, or as a position in play has them."""

from .book import odds_case
from .cases import read_case
from .text import render_case

__all__ = ["odds_case", "read_case", "render_case"]
