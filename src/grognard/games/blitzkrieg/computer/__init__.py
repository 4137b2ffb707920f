"""Computer players: what a position is worth, and what is worth trying."""
