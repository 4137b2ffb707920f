"""What players see: views, overlays, the terminal."""
