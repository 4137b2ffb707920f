"""0-tiers The Optional chapters as switches: one line a chapter, with what it needs and whether it is built.

Advanced rules (8 to 13, 23, 24) come with the option `advanced`; each Optional chapter is an option of its own. Only
chapters that are built are offered; a scenario that needs another one is not listed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from grognard.kernel import Option, rule
from grognard.kernel.rulebook import rulebook

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
    Chapter("factories", ("15",)),
    Chapter("conquest", ("16",), built=True),
    Chapter("sea", ("18",), also=("3.7e", "7.5.5d", "7.5.5f"), built=True),
    Chapter("recon", ("19",), also=("6.3.3b",)),
    Chapter("charge", ("20",)),
    Chapter("panzers", ("21",)),
    Chapter("jericho", ("22",), (ADVANCED, "recon")),
    Chapter("wunderwaffen", ("26",)),
    Chapter("partisans", ("27", "29"), also=("11.2g",)),
    Chapter("volkssturm", ("28",)),
    Chapter("reserves", ("31",), built=True),
    Chapter("bombing", ("32",)),
    Chapter("lend-lease", ("34",), built=True),
    Chapter("submarines", ("35",), built=True),
    Chapter("italy", ("36",), also=("5.4b",), built=True),
    Chapter("light-rain", ("39",), built=True),
    Chapter("upgrade", ("40",), built=True),
)


def number_of(rule_id: str) -> str:
    """The chapter of a rule: `14` of `14.0-swamp`, `9` of `9.0.1`."""
    return rule_id.partition(".")[0]


@rule("0-tiers")
def switch_of(chapter: Chapter) -> Option:
    """0-tiers The option of a chapter: it covers every rule of the chapter and those that come with it."""
    ids = [r for r in rulebook("bitw") if number_of(r) in chapter.numbers] + list(chapter.also)
    first = "14.0-mountain-a" if chapter.name == "terrain" else ids[0]
    others = tuple(r for r in ids if r != first)
    return Option(chapter.name, first, tier="optional", needs=chapter.needs, covers=others)


def chapter_named(number: str) -> Chapter | None:
    """The Optional chapter with this number, if there is a switch for it."""
    return next((c for c in CHAPTERS if number in c.numbers), None)
