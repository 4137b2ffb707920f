"""The judgement that holds a line: what a unit spares, a stack for a threatened town, one staff behind."""

from __future__ import annotations

import pytest

from grognard.ai import GreedyPlayer, Seat
from grognard.games.normandie.computer import hints
from grognard.games.normandie.computer.fronts import PLAIN, front_of, hex_worth, nearest_foe
from grognard.games.normandie.computer.gaps import MOBILE
from grognard.games.normandie.computer.line import CLOSE, STACK, effort, line_of, line_worth, rear_staff
from grognard.games.normandie.computer.steady import (
    MANNERS,
    STEADY,
    in_manner,
    is_garrison,
    move_reserves_first,
    without_garrisons,
)
from grognard.games.normandie.frames import CounterAttack
from grognard.games.normandie.game import GAME
from grognard.games.normandie.rules import activation
from grognard.games.normandie.world import ALLIED, CHERBOURG, GERMAN, GROUP, HEXES, HQS, TOWNS
from grognard.kernel import seed_from


@pytest.fixture(scope="module")
def s():
    """The campaign some way into June, between plain players."""
    position = GAME.setup("campaign", {}, seed_from("line"))
    number = 0
    while position.turn < 1 or position.waiting[0] != GERMAN or not germans(position):
        side = position.waiting[0]
        seat = Seat(GAME, position, side, f"{number}")
        GAME.apply(position, side, GreedyPlayer(samples=1).choose(seat).action, trusted=True)
        number += 1
    return position


def germans(s):
    return [u for u in MOBILE[GERMAN] if s.place[u] < HEXES]


def test_the_enemy_can_march_where_nobody_stands_and_a_unit_in_the_way_spares_ground(s):
    line = line_of(s, GERMAN, ())
    held = {s.place[u] for u in germans(s)}
    assert line.wet
    assert not line.wet & held
    assert max(line.spared(h) for h in line.wet) > 0
    assert line_of(s, GERMAN, tuple(germans(s))).before > line.before, "without the army more is open"


def test_a_german_stands_for_the_line_and_not_for_a_far_goal(s):
    front, unit = front_of(s), germans(s)[0]
    worth = {h: line_worth(s, front, GERMAN, (unit,), h) for h in range(HEXES) if front.defence[GERMAN].get(h)}
    plain = {h: hex_worth(s, front, GERMAN, (unit,), h) for h in worth}
    assert worth != plain
    line = front.marches[(unit,)]
    best = max(line.near, key=lambda h: (line.spared(h), -h))
    away = next(h for h in range(HEXES) if h not in line.near)
    assert line.spared(best) > line.spared(away)


def test_an_allied_unit_judges_as_ever_outside_the_cotentin(s):
    front = front_of(s)
    for unit in [u for u in MOBILE[ALLIED] if s.place[u] < HEXES]:
        h = s.place[unit]
        assert line_worth(s, front, ALLIED, (unit,), h) == hex_worth(s, front, ALLIED, (unit,), h) + effort(
            s, front, (unit,), h
        )


def test_a_town_near_the_enemy_wants_a_stack(s):
    front, unit = front_of(s), germans(s)[0]
    towns = [h for h in TOWNS if h not in CHERBOURG and nearest_foe(front, GERMAN, h) <= CLOSE and s.place[unit] != h]
    assert towns
    town = towns[0]
    front.defence[GERMAN][town] = 0
    empty = line_worth(s, front, GERMAN, (unit,), town) - hex_worth(s, front, GERMAN, (unit,), town)
    front.defence[GERMAN][town] = STACK
    full = line_worth(s, front, GERMAN, (unit,), town) - hex_worth(s, front, GERMAN, (unit,), town)
    assert empty - full == 60


def test_one_german_staff_waits_off_the_map_in_the_campaign_only(s):
    assert rear_staff(GAME.setup("cherbourg", {}, seed_from(1))) == -1
    start = GAME.setup("campaign", {}, seed_from(1))
    keeper = rear_staff(start)
    assert keeper == -1 or start.place[keeper] >= HEXES


def test_the_yardstick_does_not_know_the_line(s):
    side = s.waiting[0]
    legal = GAME.legal(s, side)
    assert GAME.mind().promising(s, side, legal) == GAME.promising(s, side, legal)
    assert GAME.mind("front").score(s, side) == GAME.score(s, side)


def test_a_garrison_stays_while_too_few_others_would_hold_the_town(s):
    """Caen was lost by a German march out of it: nobody leaves a town beside the enemy that he would leave too weak."""
    front = front_of(s)
    town = next(h for h in TOWNS if h not in CHERBOURG and nearest_foe(front, GERMAN, h) <= 2)
    new = s.copy()
    first, *others = [u for u in germans(s) if s.place[u] != town]
    for u in germans(s):
        if new.place[u] == town:
            new.place[u] = new.place[first]
    new.place[first] = town
    assert is_garrison(new, front_of(new), first)
    orders = [("move", first), ("move", others[0]), ("done", 0)]
    assert without_garrisons(new, GERMAN, orders, "move") == orders[1:]
    assert without_garrisons(new, ALLIED, orders, "move") == orders
    assert move_reserves_first(new, None, GERMAN, orders) == [("move", others[0])]
    for u in others[:9]:
        new.place[u] = town
    assert front_of(new).defence[GERMAN][town] >= STACK + 8
    assert not is_garrison(new, front_of(new), first), "others hold it"
    far = next(h for h in TOWNS if nearest_foe(front, GERMAN, h) > 2)
    new.place[first] = far
    assert not is_garrison(new, front_of(new), first), "no enemy is near"


def test_the_race_to_cherbourg_is_run_in_a_manner_of_its_own(s):
    """Off the leash and shoulder to shoulder there; elsewhere, and for the plain player, as ever."""
    race = MANNERS["cherbourg"][ALLIED]
    assert (race.leash, race.link, race.friends) != (PLAIN.leash, PLAIN.link, PLAIN.friends)
    unit = next(u for u in MOBILE[ALLIED] if s.place[u] < HEXES)
    plain, off = front_of(s), front_of(s, race)
    leader = plain.from_leader(s, GROUP[unit])
    far = [h for h in range(HEXES) if leader[h] > 8]
    lost = [hex_worth(s, plain, ALLIED, (unit,), h) - hex_worth(s, off, ALLIED, (unit,), h) for h in far]
    assert max(lost) < 0, "far from every headquarters the racer minds less"
    seen = []
    hint = in_manner(lambda s, c, side, legal, manner: seen.append(manner) or legal)
    hint(s, None, ALLIED, [])
    race_on = s.copy()
    race_on.scenario = "cherbourg"
    hint(race_on, None, ALLIED, [])
    assert seen == [PLAIN, race]


def test_in_the_race_counter_attacks_that_barely_pay_are_made(s, monkeypatch):
    worth = (MANNERS["cherbourg"][ALLIED].counter_from + PLAIN.counter_from) // 2
    monkeypatch.setattr(hints, "attack_worth", lambda *_: worth)
    monkeypatch.setattr(hints, "units_in", lambda *_: [0])
    monkeypatch.setattr(activation, "counter_pool", lambda *_: ())
    race, c = s.copy(), CounterAttack(target=s.place[germans(s)[0]])
    race.scenario = "cherbourg"
    legal = [("counter", HQS[0]), ("accept", 0)]
    assert STEADY["StartCounter"](s, c, ALLIED, legal) == [("accept", 0)]
    assert STEADY["StartCounter"](race, c, ALLIED, legal) == [("counter", HQS[0])]
