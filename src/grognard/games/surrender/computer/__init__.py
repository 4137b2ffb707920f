"""How the computer judges a position."""
