"""The plain judgement: exact chances, places by who sees them, flanks, smoke in between; the yardstick as it was."""

from __future__ import annotations

from grognard.ai import Seat, player_named
from grognard.games.blitzkrieg.computer import hints, tactics, veil
from grognard.games.blitzkrieg.computer.harm import Mark, harm
from grognard.games.blitzkrieg.computer.places import Field
from grognard.games.blitzkrieg.frames import Barrage
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws import detect
from grognard.games.blitzkrieg.laws.parties import FLANK, HEAVY, LIGHT, REAR
from grognard.games.blitzkrieg.rules.ground import ground_cover, line
from grognard.games.blitzkrieg.state import ACTIVATED
from grognard.games.blitzkrieg.switches import book_of
from grognard.kernel import seed_from
from grognard.lab.ladder import play_game
from grognard.tabletop import FACING_NAMES

T34, T34_2, PAK, TIGER = "su-t34-43-1", "su-t34-43-2", "de-pak40-1", "de-pz6-1"
WEST = FACING_NAMES.index("W")


def chosen(made) -> list[tuple[str, str]]:
    side = made.s.waiting[0]
    return [GAME.write(made.s, side, a) for a in GAME.promising(made.s, side, GAME.legal(made.s, side))]


def test_harm_grows_from_front_to_rear_and_shrinks_with_cover_and_distance(table):
    book = book_of(table("prokhorovka43").s)
    tiger = Mark("pz6")
    at = [harm(book, "t34_43", 1, tiger._replace(face=face), 30) for face in (0, FLANK, REAR)]
    assert at[0] < at[1] <= at[2]
    men = [harm(book, "mmg", 1, Mark("rifle", cover=cover), 30) for cover in (0, LIGHT, HEAVY)]
    assert men[0] > men[1] > men[2] > 0
    assert harm(book, "mmg", 1, Mark("rifle", moving=True), 30) > men[0], "who walks is hit more easily"
    assert harm(book, "mmg", 1, Mark("rifle", moving=True, crawling=True), 30) == men[0], "who crawls is not"
    assert harm(book, "rifle", 1, Mark("rifle"), 130) == 0
    assert harm(book, "mmg", 1, tiger, 20) == 0


def test_a_place_out_of_sight_or_behind_smoke_is_safe(table):
    made = table("prokhorovka43")
    tank = made.put(T34, 200, 60, "W")
    made.put(PAK, 150, 60, "E")
    point = made.s.at[tank]
    before = Field(made.s, 0).danger(tank, point, WEST, detect.MOVING)
    assert 0 < before < Field(made.s, 0).danger(tank, point, FACING_NAMES.index("N"), detect.MOVING)
    made.s.smoke = ((640, 160, 40, 160, 9),)
    assert Field(made.s, 0).danger(tank, point, WEST, detect.MOVING) == 0


def test_a_tank_is_drawn_to_the_flank_of_what_it_cannot_pierce(table):
    made = table("prokhorovka43")
    tank = made.put(T34, 200, 60, "W")
    made.put(TIGER, 150, 60, "E")
    field = Field(made.s, 0)
    ahead, beside = (made.w.table.point_at(4 * x, 4 * y) for x, y in ((190, 60), (150, 20)))
    assert field.round_flank(tank, ahead) < field.round_flank(tank, beside)
    assert field.bite(tank, ahead) < field.bite(tank, beside)


def test_the_target_that_promises_most_is_chosen_and_small_chances_do_not_show_who_hides(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 60, "W")
    made.put(T34_2, 190, 70, "N", flags=ACTIVATED)  # shows its flank
    made.put(PAK, 150, 70, "E")
    made.act(1, "pak", PAK)
    assert chosen(made) == [("shoot", T34_2)]
    field = Field(made.s, 1)
    gun = made.unit(PAK)
    assert tactics._shyness(made.s, field, gun) == 0
    made.hide(PAK)
    assert tactics._shyness(made.s, field, gun) > 0


def test_who_turns_on_the_spot_turns_and_does_so_once(table):
    made = table("prokhorovka43")
    tank = made.put(TIGER, 150, 60, "N")
    made.put(T34, 185, 60, "W")
    made.act(1, "tigers", TIGER)
    made.do("turn")
    ((verb, facing),) = chosen(made)
    assert (verb, facing) == ("face", "E")
    made.do(verb, facing)
    assert ("turn", "") not in GAME.orders(made.s, 1)
    assert made.s.facing[tank] == FACING_NAMES.index("E")


def test_who_was_told_to_go_back_goes_back(table):
    """Careless players take up anything; a way backwards is not found like the others."""
    made = table("prokhorovka43")
    made.put(TIGER, 150, 60, "E")
    made.put(T34, 185, 60, "W")
    made.act(1, "tigers", TIGER)
    made.do("back")
    ((verb, _),) = chosen(made)
    assert verb == "to"


def test_men_choose_cover_under_the_eyes_of_a_machine_gun(table):
    found = 0
    for x in range(40, 140, 10):
        made = table("stonne40")
        made.put("fr-rifle-1", x, 100)
        made.put("fr-command-1", x + 4, 104)
        made.put("de-mmg-1", x, 66, "S")
        unit = made.unit("fr-rifle-1")
        field = Field(made.s, 0)
        _, point = tactics.best_place(made.s, field, unit, 1)
        wanted = tactics.places(field, unit, tactics.ways_of(made.s, unit, 1).ends)
        if not point or not any(ground_cover(made.w, p) for p in wanted):
            continue
        mean = sum(field.danger(unit, p, 0, detect.MOVING) for p in wanted) // len(wanted)
        assert field.danger(unit, point, 0, detect.MOVING) <= mean
        found += ground_cover(made.w, point) > 0 or not field.line(made.unit("de-mmg-1"), point)
    assert found >= 3


def test_smoke_is_laid_between_the_men_and_who_could_hurt_them(table):
    made = table("lesson2")
    for number, name in enumerate(("uk-pioneer-1", "uk-pioneer-2")):
        made.put(name, 60 + 6 * number, 112)
    made.put("de-mmg-1", 62, 92, "S")
    foe, man = made.unit("de-mmg-1"), made.unit("uk-pioneer-1")
    made.act(0, "assault-pioneers", "uk-pioneer-1")
    legal = GAME.legal(made.s, 0)
    worth, action = veil.worth(made.s, made.s.frames[-1], 0, legal, Field(made.s, 0))
    assert worth > 0
    assert action == ("smoke", 0)
    assert line(made.s, foe, man)
    made.do("smoke")
    while made.decision == "Puff":
        made.do(*chosen(made)[0], 6)
    assert made.s.smoke
    assert not line(made.s, foe, man)


def test_a_barrage_is_repeated_only_where_enemies_are_and_no_friends(table):
    made = table("stonne40")
    s, point = made.s, made.w.table.point_at(90 * 4, 30 * 4)
    foe = made.put("de-rifle-1", 90, 30)
    made.put("fr-rifle-1", 90, 80)
    made.put("fr-observer-1", 90, 90)
    s.mark[0] = point
    s.frames.append(Barrage(side=0, battery=0))
    legal = [("mark", point), ("same", 0), ("cease", 0)]
    assert tactics.promising(s, 0, legal) == [("same", 0)]
    made.put("fr-rifle-1", 90, 40)
    assert tactics.promising(s, 0, legal) == [("cease", 0)]
    made.put("fr-rifle-1", 90, 80)
    there = made.w.table.point_at(60 * 4, 30 * 4)
    s.at[foe] = there
    assert tactics.promising(s, 0, [("mark", there), *legal]) == [("mark", there)]
    assert tactics.promising(s, 0, legal) == [("cease", 0)]


def test_every_choice_is_legal_leaves_the_position_alone_and_needs_no_hidden_truth():
    game, player = GAME, player_named("greedy")
    s = game.setup("lesson", {}, seed_from("test tactics"))
    asked = 0
    while s.waiting:
        side, before = s.waiting[0], s.digest()
        seat = Seat(game, s, side, f"test {asked}")
        action = player.choose(seat).action
        assert action in seat.legal
        assert s.digest() == before
        other = game.redeal(s, side, seed_from(f"deal {asked}"))
        assert tactics.promising(other, side, seat.legal) == tactics.promising(s, side, seat.legal)
        game.apply(s, side, action)
        asked += 1
    assert asked > 40


def test_the_yardstick_is_what_it_was():
    """The same position at the end of the same game since the ladder's first figures."""
    assert GAME.mind("yardstick").promising is hints.promising
    end = play_game(GAME, "lesson2", ("greedy-1", "greedy-1"), "test yardstick")
    assert end.digest == "7d0df1731c6ed85c374beaa1608489b1"
