"""The table in the browser: lobby, seats, live and slow play. Knows the contract, the session and no game."""
