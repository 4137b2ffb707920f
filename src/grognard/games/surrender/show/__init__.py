"""What clients and the terminal show of a position."""
