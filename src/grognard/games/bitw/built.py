"""0-tiers The chapters beyond the Basic game, with their numbers, needs and whether they are built.

Only chapters that are built are offered as switches; a scenario that needs another one is not listed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

ADVANCED: Final = "advanced"  # the option that brings the Advanced tier


class Chapter(NamedTuple):
    """An Optional chapter: the name of its switch, its numbers, what it needs, rules elsewhere that come with it."""

    name: str
    numbers: tuple[str, ...]
    needs: tuple[str, ...] = (ADVANCED,)
    also: tuple[str, ...] = ()
    built: bool = False


CHAPTERS: Final = (
    Chapter("terrain", ("14",), (), built=True),
    Chapter("factories", ("15",), built=True),
    Chapter("conquest", ("16",), built=True),
    Chapter("sea", ("18",), also=("3.7e", "7.5.5d", "7.5.5f"), built=True),
    Chapter("recon", ("19",), also=("6.3.3b",), built=True),
    Chapter("charge", ("20",), built=True),
    Chapter("jericho", ("22",), (ADVANCED, "recon"), built=True),
    Chapter("panzers", ("21",), built=True),
    Chapter("wunderwaffen", ("26",), built=True),
    Chapter("partisans", ("27", "29"), also=("11.2g",), built=True),
    Chapter("volkssturm", ("28",), built=True),
    Chapter("reserves", ("31",), built=True),
    Chapter("bombing", ("32",), also=("7.1",), built=True),
    Chapter("lend-lease", ("34",), built=True),
    Chapter("submarines", ("35",), built=True),
    Chapter("italy", ("36",), also=("5.4b",), built=True),
    Chapter("light-rain", ("39",), built=True),
    Chapter("upgrade", ("40",), built=True),
)

ADVANCED_BUILT: Final = {  # chapters that come with the Advanced tier, by number
    "8": True,
    "9": True,
    "10": True,
    "11": True,
    "12": True,
    "13": True,
    "23": True,
    "24": True,
}
EVERYWHERE: Final = ("7", "17")  # 7.1 is the phase of 32 and 35; 17 is the table of tech levels


def is_built(number: str) -> bool:
    """Whether a chapter, or the chapter of a section, can be played."""
    head = number.partition(".")[0]
    if head in ADVANCED_BUILT:
        return ADVANCED_BUILT[head]
    return head in EVERYWHERE or any(head in chapter.numbers and chapter.built for chapter in CHAPTERS)
