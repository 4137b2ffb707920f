"""What players see: pieces, markers and overlays of the view, the picture of the terminal."""
