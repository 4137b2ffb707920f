"""700: Snipers."""
