"""The computer player's eye: what a position is worth, what it aims at, what battles are likely to bring."""
