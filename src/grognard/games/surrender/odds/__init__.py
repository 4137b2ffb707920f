"""The odds book: one case in plain data, exact chances out, through the rules that the game itself plays by.

`odds_case(case, lang)` answers one case, `odds_table()` gives the law for every pair of modifiers, `render_case` and
`render_table` write them for a terminal.
"""

from .book import odds_case, odds_table
from .text import render_case, render_table
from .wallchart import table_png, table_svg

__all__ = ["odds_case", "odds_table", "render_case", "render_table", "table_png", "table_svg"]
