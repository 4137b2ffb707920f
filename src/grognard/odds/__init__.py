"""Exact chances by running a game's own rules; knows the kernel and no game."""
