"""701 Snipers."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.rules import snipers
from grognard.kernel import rule


@answers(snipers.snipers_play, "701")
@rule("701a", "701f")
def snipers_come(book: Book) -> bool:
    """701a Snipers play, and begin camouflaged; 701f the scenarios have two a side at most."""
    return True
