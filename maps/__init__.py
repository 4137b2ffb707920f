"""The map compiler and the sources of the maps: build-time only, never imported by the engine."""
