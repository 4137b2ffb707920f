"""301-307 Artillery off the table."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.laws import barrage
from grognard.games.blitzkrieg.rules import artillery, sights
from grognard.kernel import rule

TABLE = barrage.BARRAGE


@answers(barrage.level_counts, "302")
@rule("302a", "302b")
def organic_support(book: Book) -> bool:
    """302a Organic support is easier to get."""
    return True


@answers(barrage.precision, "303")
@rule("303b", "303c")
def precision_test(book: Book, attempt: int) -> int:
    """303b 5+, 303c then 3+, the third attempt is certain."""
    return max(1, int(TABLE["precision"]) - (attempt - 1) * int(TABLE["bonus"]))


@answers(barrage.may_try_again, "303")
@rule("303c", "303d")
def next_turn(book: Book) -> bool:
    """303c A failed attempt goes on next turn; 303d nothing scatters."""
    return True


@answers(barrage.friends_at_risk, "303bis")
@rule("303bis-a", "303bis-b")
def on_friends(book: Book) -> bool:
    """303bis A natural 1 may bring the fire on friends near the target."""
    return True


@answers(barrage.support_number, "304")
@rule("304a", "base-support-test")
def support_test(book: Book, request: int) -> int:
    """304 After each fire the battery stays on the number of its request."""
    return request


@answers(barrage.hits_for_test, "307")
@rule("307a")
def first_hit_ignored(book: Book) -> int:
    """307a Armour ignores the first hit."""
    return int(TABLE["armour_hits"])


@answers(artillery.may_stretch, "301")
@rule("301c")
def stretched(book: Book, rockets: bool) -> bool:
    """301c Templates of guns may be twice as long and half as wide."""
    return not rockets


@answers(artillery.most_batteries, "305")
@rule("305")
def two_batteries(book: Book, nation: str, year: int) -> int:
    """305 The Americans have two from 1944."""
    return 2 if nation == "US" and year >= int(TABLE["two_from"]) else 1


@answers(sights.stays_camouflaged, "306")
@rule("306a")
def camouflaged_observer(book: Book, unit: int) -> bool:
    """306a An observer is hidden and stays so, whatever it does."""
    return sights.is_observer(unit)
