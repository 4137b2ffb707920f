"""One folder per game; nothing imports a game but the registry."""
