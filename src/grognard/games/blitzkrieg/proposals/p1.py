"""101-112 Infantry."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, adds, answers, forbids
from grognard.games.blitzkrieg.laws import fire, quality
from grognard.games.blitzkrieg.laws.parties import Firer
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.kernel import No, Tally, no, rule

TOO_FAR_CRAWLED = no("101a", "crawled-too-far")


@forbids(fire.why_no_dice, "101")
@rule("101a")
def crawling_fire(book: Book, firer: Firer) -> No | None:
    """101a Who crawls fires after 5 cm at most."""
    return TOO_FAR_CRAWLED if firer.crawl and firer.moved > CHARTS["moves_text"]["crawl_fire"] else None


@answers(fire.covering_value, "102")
@rule("102a", "102b")
def covering_counts(book: Book, value: int) -> int:
    """102a Each unit that covered spoils the defender's aim by one; 102b medium and heavy machine guns by two."""
    return value


@adds(fire.team_lines, "104")
@rule("104b")
def relaid(book: Book, tally: Tally, firer: Firer) -> None:
    """104b A machine gun that turned before it fires loses a die."""
    if firer.relay:
        tally.add("104b", CHARTS["fire_text"]["relay"])


@answers(fire.cannon_save, "105")
@rule("105")
def deadly_cannon(book: Book) -> int:
    """105 Saves against 20 mm are one worse."""
    return int(CHARTS["fire_text"]["cannon_save"])


@answers(fire.portable_fuel, "106")
@rule("106a")
def small_tank(book: Book) -> int:
    """106a A portable flamethrower is empty on a coloured 1 to 3."""
    return int(CHARTS["fuel"]["portable"])


@adds(quality.rally_lines, "112")
@rule("112")
def rally_under_fire(book: Book, tally: Tally, fired_at: bool, commander: bool, broken: bool, lost: bool) -> None:
    """112 Who was fired at in the turn before rallies at -1."""
    tally.add("112", -int(fired_at))
