"""500: Fortifications."""
