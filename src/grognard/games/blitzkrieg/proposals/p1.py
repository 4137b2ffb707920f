"""101-112 Infantry."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, adds, answers, forbids
from grognard.games.blitzkrieg.frames import Moving, Smoking
from grognard.games.blitzkrieg.laws import barrage, fire, quality
from grognard.games.blitzkrieg.laws.parties import Firer
from grognard.games.blitzkrieg.loading import CHARTS, Gun
from grognard.games.blitzkrieg.rules import (
    acting,
    aiming,
    artillery,
    capabilities,
    ground,
    mines,
    movement,
    smoke,
    walking,
)
from grognard.games.blitzkrieg.state import HIDDEN, Position, has
from grognard.games.blitzkrieg.world import SIDE_OF, world
from grognard.kernel import No, Tally, no, roll, rule

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


@answers(movement.crawl_cm, "101")
@rule("101a")
def crawl(book: Book) -> int:
    """101a Infantry crawls 10 cm."""
    return int(CHARTS["moves_text"]["crawl"])


@answers(movement.stays_hidden, "101")
@rule("101b")
def crawls_unseen(book: Book, s: Position, c: Moving, point: int) -> bool:
    """101b Who crawls within cover keeps its camouflage."""
    return all(ground.ground_cover(world(s), p) for p in (s.at[c.unit], point))


@answers(aiming.mg_arc, "104")
@rule("104a")
def mg_front(book: Book) -> bool:
    """104a A machine gun has a front of 180 degrees."""
    return True


@answers(walking.mortar_move, "109")
@rule("109")
def carried_in_parts(book: Book, gun: Gun) -> int:
    """109 The 81 mm mortar is carried like a 12.7 mm machine gun."""
    return gun.hand


@answers(acting.may_dig, "111")
@rule("111a", "111b")
def dig_in(book: Book) -> bool:
    """111 Infantry in the open may dig in; it is in light cover until it moves."""
    return True


@answers(barrage.direct_mortars, "108")
@rule("108a", "108b")
def mortars_direct(book: Book) -> bool:
    """108a Mortars may fire direct; 108b light ones only so."""
    return True


@answers(aiming.mortar_arm, "108")
@rule("108a", "108c")
def mortar_sees(book: Book, s: Position, unit: int, target: int, moved: bool) -> No | None:
    """108a A mortar that sees its target and has not moved fires direct."""
    return artillery.MORTAR_MOVED if moved else None


@answers(capabilities.fausts_left, "107bis")
@rule("107bis-a")
def uncounted(book: Book, fired: int) -> bool:
    """107bis-a Panzerfausts are not counted."""
    return True


@answers(capabilities.faust_found, "107bis")
@rule("107bis-b")
def faust_at_hand(book: Book, s: Position, unit: int, fired: int) -> bool:
    """107bis-b The first of the section is at hand; for each later one 4+."""
    if not fired:
        return True
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    return roll(s, "107bis-b", side=SIDE_OF[unit], audience=audience)[0] >= int(CHARTS["capabilities"]["faust_found"])


@answers(mines.demining_draws_fire, "103")
@rule("103")
def still_deminers(book: Book) -> bool:
    """103 Who clears mines without moving draws no opportunity fire."""
    return False


@answers(smoke.grenades, "107")
@rule("107a")
def section_smoke(book: Book) -> int:
    """107a Grenades are not counted: the section has smoke, or has none left."""
    return 1


@answers(smoke.smoke_lasts, "107")
@rule("107c")
def smoke_test(book: Book, s: Position, c: Smoking) -> int:
    """107c After each use 4+, or the whole section is out of smoke."""
    return smoke.roll_for_smoke(s, c)
