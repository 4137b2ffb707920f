"""401-417 Guns on the table."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, adds, answers
from grognard.games.blitzkrieg.laws import destruction, detect, shot
from grognard.games.blitzkrieg.laws.parties import Shot
from grognard.games.blitzkrieg.loading import CHARTS, ROCKETS, Gun
from grognard.games.blitzkrieg.rules import walking
from grognard.kernel import Tally, rule

MODS = CHARTS["to_hit_modifiers"]


@answers(shot.gun_class, "401")
@rule("401a")
def gun_sizes(book: Book, gun: Gun) -> int:
    """401a Small, medium and large guns."""
    return int(MODS["gun_size"][gun.size])


@answers(detect.large_is_hard, "401")
@rule("401b")
def large_guns_are_seen(book: Book) -> bool:
    """401b Large guns are seen like vehicles."""
    return True


@answers(shot.hitched_may_fire, "404")
@rule("404")
def hitched_flak(book: Book) -> bool:
    """404 The 88 mm Flak fires hitched."""
    return True


@answers(shot.gun_cover_modifier, "405")
@rule("405")
def guns_in_cover(book: Book, gun: Gun) -> tuple[str, int]:
    """405 Every gun in cover is hit at -2."""
    return "405", int(MODS["gun_cover"])


@adds(shot.to_hit_lines, "406")
@rule("406b")
def direct_rockets(book: Book, tally: Tally, fired: Shot) -> None:
    """406b Rockets fired direct are inaccurate."""
    if fired.weapon.id in ROCKETS:
        tally.add("406b", MODS["rockets"])


@answers(destruction.he_number, "407")
@rule("407a")
def he_in_houses(book: Book, cover: int) -> int:
    """407a Direct HE hits on 5+ in heavy cover too."""
    return int(CHARTS["direct_he"]["cover" if cover else "open"])


@answers(walking.gun_moves, "402")
@rule("402a", "402b", "base-gun-move")
def moved_by_hand(book: Book, gun: Gun) -> tuple[int, int]:
    """402a All anti-tank guns are moved by their crews; 402b light howitzers like 50 mm guns."""
    return gun.hand, gun.hand_road
