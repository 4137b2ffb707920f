"""The compiled edition: the same sources through mypyc. Build time only; pure Python stays the reference."""
