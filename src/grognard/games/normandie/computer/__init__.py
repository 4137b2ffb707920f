"""How the computer judges a position. No rule lives here."""
