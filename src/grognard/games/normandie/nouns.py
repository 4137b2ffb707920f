"""The kinds of nouns: what the integers of actions and fields mean, and their words."""

from __future__ import annotations

from typing import Any

from grognard.kernel import NOTHING, Kind, Named, Number, words

from .world import AIR_IDS, AIR_KINDS, BOX_CODES, CODES, COUNTERS, DEPOTS, GROUPS, HEX_CODES, HEXES, TERRAINS, ZONE_IDS

__all__ = ["NOTHING"]


class Places(Named):
    """Hexes, boxes, zones, depots: a refusal calls any of them `place`."""

    def facts(self, s: Any, side: int, noun: int) -> dict[str, Any]:
        """What a refusal says of it."""
        return {"place": self.word(s, side, noun)}


class Counters(Named):
    """Combat units and headquarters: a refusal calls them `unit`, and `hq` where it means a headquarters."""

    def facts(self, s: Any, side: int, noun: int) -> dict[str, Any]:
        """What a refusal says of it."""
        return {"unit": self.word(s, side, noun), "hq": self.word(s, side, noun)}


UNIT = Counters("unit", tuple(c.id for c in COUNTERS))
PLACE = Places("hex", CODES)  # a hex or a box, where the rules let both be meant
HEX = Places("hex", HEX_CODES)
BOX = Places("area", ("",) * HEXES + BOX_CODES)
ZONE = Places("area", ZONE_IDS)
DEPOT = Places("area", tuple(depot.id for depot in DEPOTS))
FIRST_DEPOT = len(CODES)  # in SOURCE the depots come after the places
SOURCE = Places("area", CODES + tuple(depot.id for depot in DEPOTS))  # where an Offensive marker lies
COVER_WORDS = ("", *TERRAINS[1:], "village", "town")
COVER = words(*COVER_WORDS)
ARMY = words(*GROUPS[:2])
AIRCRAFT = words(*AIR_KINDS)
POINTS = Number(20)

KINDS: dict[str, Kind] = {"unit": UNIT, "place": PLACE, "air": Named("word", AIR_IDS)}
