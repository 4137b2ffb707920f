"""001-003 Half-groups, terrain, detection."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, answers
from grognard.games.blitzkrieg.laws import close, detect, fire
from grognard.games.blitzkrieg.loading import CHARTS, Team
from grognard.games.blitzkrieg.rules import transport
from grognard.kernel import rule

SEEN = CHARTS["detection"]


@answers(fire.team_dice, "001")
@rule("001a", "001c")
def half_group_dice(book: Book, team: Team) -> int:
    """001c Half-groups fire with one die."""
    return team.dice


@answers(close.half_group_modifier, "001")
@rule("001a")
def half_group_in_close_combat(book: Book, team: Team) -> int:
    """001a A half-group is weak in close combat."""
    return int(CHARTS["close"]["weak"]) if team.sort == "half" else 0


@answers(detect.limit, "003")
@rule("003a", "003b", "003c", "003d", "base-detection-table")
def detection_limit(book: Book, hard: bool, cover: bool, action: str, limited: bool) -> int:
    """003 The distance by kind of target, cover, action and vision; 0 in the table is without limit."""
    table = SEEN[f"{'hard' if hard else 'soft'}_{'cover' if cover else 'open'}"][action]
    return int(table[limited]) or detect.FAR


@answers(detect.bonus, "003")
@rule("003g", "003h", "003i")
def detection_bonus(book: Book, hill: bool, recon: bool, spotter: bool, camouflaged: bool) -> int:
    """003g Hill, reconnaissance or observer: the best one (A-01); 003i only reconnaissance against the camouflaged."""
    helps = recon if camouflaged else (hill or recon or spotter)
    return int(SEEN["bonus"]) if helps else 0


@answers(transport.half_seats, "001")
@rule("001b")
def half_groups_ride(book: Book, team: Team) -> int:
    """001b A half-group takes half the room: a jeep or a Bren carrier is enough."""
    return 1
