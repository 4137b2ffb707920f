"""The strategic map of Normandie 1944: boxes and lines instead of hexes."""
