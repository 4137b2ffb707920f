"""The odds book: `odds_case(case, lang)` answers one case, `render_case` writes it for a terminal."""

from .book import odds_case
from .reading import CaseError
from .text import render_case

__all__ = ["CaseError", "odds_case", "render_case"]
