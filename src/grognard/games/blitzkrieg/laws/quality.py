"""Quality of troops: experience tests, saves, crews and rally."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, lines, question
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.kernel import Tally, rule

QUALITY = CHARTS["quality"]
SAFE, STOPPED, DEMORALISED, RETREAT, ELIMINATED = range(5)  # what a save ends in, the worse the higher
RESULTS = ("none", "stopped", "demoralised", "retreat", "eliminated")


@rule("base-experience-test", "base-quality")
def passes(quality: int, die: int, modifier: int = 0) -> bool:
    """Base-experience-test: the die with its modifiers against the number of the quality; 1 fails, 6 passes."""
    return die != 1 and (die == 6 or die + modifier >= QUALITY["experience"][quality])


@rule("base-save")
def saved(book: Book, quality: int, die: int, modifier: int = 0, demoralised: bool = False) -> int:
    """Base-save: one hit, one die: eliminated, demoralised or nothing; base-save-again for who is so already."""
    total = die + modifier
    if total <= 1:
        return ELIMINATED
    if total >= QUALITY["save"][quality]:
        return SAFE
    return again(book) if demoralised else DEMORALISED


@rule("base-save-again")
def again(book: Book) -> int:
    """Base-save-again: a second demoralised result drives back, or what the option says."""
    return {"retreat": RETREAT, "eliminated": ELIMINATED, "nothing": SAFE}[book.twice]


@lines
@rule("base-rally", "base-commander")
def rally_lines(book: Book, tally: Tally, fired_at: bool, commander: bool, broken: bool, lost: bool) -> None:
    """Base-rally: a commander near helps; a shaken formation and a lost commander do not."""
    tally.add("base-commander", int(commander))
    experience_lines(book, tally, broken, lost)


@rule("base-morale-formation")
def experience_lines(book: Book, tally: Tally, broken: bool, lost: bool = False) -> None:
    """Base-morale-formation: a formation that lost more than half tests at -1. 216b: so does a lost commander."""
    tally.add("base-morale-formation", -int(broken))
    tally.add("216b", -int(lost))


@question
@rule("base-repair")
def repaired(book: Book, die: int) -> str:
    """Base-repair: a jammed weapon is repaired on 4+, out of ammunition on 1."""
    return "repaired" if die >= 4 else "out" if die == 1 else "jammed"
