"""0-tiers The Optional chapters as switches: one line a chapter, with what it needs and whether it is built.

Advanced rules (8 to 13, 23, 24) come with the option `advanced`; each Optional chapter is an option of its own. Only
chapters that are built are offered; a scenario that needs another one is not listed.
"""

from __future__ import annotations

from grognard.kernel import Option, rule
from grognard.kernel.rulebook import rulebook

from ..built import ADVANCED, CHAPTERS, Chapter

__all__ = ["ADVANCED", "CHAPTERS", "Chapter", "chapter_named", "number_of", "switch_of"]


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
