"""The odds of a combat: typed cases, positions in play, exact laws, words."""

from .cases import odds_case
from .text import render_case

__all__ = ["odds_case", "render_case"]
