"""Unconditional Surrender: the combat sheet, complete, and a month-by-month game of Europe around it."""
