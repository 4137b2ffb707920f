"""Picket: a small block game of our own, the tutorial of `docs/writing-a-game.md` and the kernel's test bed."""
