"""The map of Normandie 1944: what is particular to it."""
