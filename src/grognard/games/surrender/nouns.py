"""The kinds of nouns of this game: hexes, units and markers by their names. Nothing but a commitment is ever hidden."""

from __future__ import annotations

from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.scenarios import WORLDS
from grognard.games.surrender.world import MARKERS
from grognard.kernel import Kind, Named, words

HEX = Named("hex", lambda s: WORLDS[s.scenario].hex_names)
UNIT = Named("unit", lambda s: WORLDS[s.scenario].unit_names)
MARKER = words(*(kind.id for kind in MARKERS))
FACTION = words(*FACTIONS)

KINDS: dict[str, Kind] = {"hex": HEX, "unit": UNIT, "marker": MARKER, "side": FACTION}  # what fields may hold
