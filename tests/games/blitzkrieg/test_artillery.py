"""Artillery at the table: requests, markers, precision, templates, effects, support tests; mortars."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Barrage
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules import artillery, shelling
from grognard.games.blitzkrieg.state import GOOD, JAMMED, SHAKEN, SUPPRESSED, has

OBSERVER, RIFLE, RIFLE_2 = "fr-observer-1", "de-rifle-1", "de-rifle-2"


@pytest.fixture
def stonne(table):
    """A French observer in the south, Germans in the open before him."""
    made = table("stonne40")
    made.put(OBSERVER, 90, 110)
    made.put("fr-h39-1", 20, 110, "N")
    made.put(RIFLE, 60, 97)
    made.put(RIFLE_2, 64, 97)
    made.s.available[0] = 1
    return made


def fire(table, *dice, **frame):
    """The French battery fires: a frame of its own on the stack."""
    table.do("begin" if table.s.waiting[0] == 0 else "wait")
    table.do("barrage", "french-75s")


@pytest.mark.rule("303a", "base-support-request")
@pytest.mark.parametrize(("die", "available"), [(5, 1), (4, 0)])
def test_303_a_request_needs_its_number_and_an_observer(table, die, available):
    made = table("stonne40")
    made.put(OBSERVER, 90, 110)
    made.s.available[0] = 0
    made.s.loaded = (die,)
    artillery.request_support(made.s, made.s.frames[0], 0)
    assert made.s.available[0] == available
    made.s.condition[made.unit(OBSERVER)] = 2
    made.s.available[0], made.s.loaded = 0, ()
    draws = made.s.draws
    artillery.request_support(made.s, made.s.frames[0], 0)
    assert (made.s.available[0], made.s.draws) == (0, draws)


@pytest.mark.rule("414a")
def test_414_only_what_an_observer_sees_is_marked(stonne):
    fire(stonne)
    assert stonne.decision == "Mark"
    assert stonne.rule("mark", stonne.point(90, 30)) == "414a"
    assert stonne.rule("mark", stonne.point(60, 97)) is None
    assert stonne.rule("same") == "303c"


@pytest.mark.rule("303b", "303c")
def test_303_five_then_three_then_certain(stonne):
    s = stonne.s
    goal = stonne.point(60, 97)
    fire(stonne)
    stonne.do("mark", goal)
    stonne.do("high-explosive", "", 4)
    assert s.attempt[0] == 1
    assert not has(s, stonne.unit(RIFLE), SUPPRESSED)
    for attempt, dice in ((2, (2,)), (3, ())):
        s.frames.append(Barrage(side=0, battery=0))
        GAME.tables["barrage"]
        s.waiting = (0,)
        s.spent[0] = s.rounds[stonne.unit(OBSERVER)] = 0  # another turn
        if attempt == 2:
            stonne.do("same")
            stonne.do("high-explosive", "", *dice)
            assert s.attempt[0] == 2
        else:
            stonne.do("same")
            stonne.do("high-explosive", "")
            assert stonne.decision == "Shape"


@pytest.mark.rule("303e", "base-off-table-fire", "base-suppression", "304a")
def test_303_the_fire_comes_down_on_everybody_under_the_template(stonne):
    s = stonne.s
    fire(stonne)
    stonne.do("mark", stonne.point(60, 97))
    stonne.do("high-explosive", "", 5)
    assert stonne.decision == "Shape"
    stonne.do("shape", "square", 1, 1, 1, 1, 1, 1, 1)
    assert has(s, stonne.unit(RIFLE), SUPPRESSED)
    assert has(s, stonne.unit(RIFLE_2), SUPPRESSED)
    assert s.available[0] == 0
    assert s.mark[0] == 0


@pytest.mark.rule("301c", "301d")
def test_301_templates_are_stretched_with_the_proposal_only(table):
    for on, shapes in (("on", ["square", "wide", "tall"]), ("off", ["square"])):
        made = table("stonne40", p301=on)
        frame = Barrage(side=0, battery=0, point=made.w.table.point_at(240, 388))
        decision = artillery.Shape()
        assert [artillery.SHAPES[n] for n in decision.legal_nouns(made.s, frame, 0, "shape")] == shapes
        frame.shape = 1
        box = shelling.box_of(made.s, frame)
        assert (box.wide, box.deep) == (80, 20)


@pytest.mark.rule("303bis-a", "303bis-b")
def test_303bis_the_opponent_lays_the_template_on_friends(stonne):
    stonne.put("fr-h39-2", 75, 100, "N")
    fire(stonne)
    stonne.do("mark", stonne.point(60, 97))
    stonne.do("high-explosive", "", 1, 4)
    assert (stonne.decision, stonne.s.waiting) == ("Shift", (1,))
    assert stonne.can("shift") == [stonne.point(75, 100)]
    assert stonne.rule("shift", stonne.point(140, 100)) == "303bis-a"


@pytest.mark.rule("303bis-b")
def test_303bis_nothing_happens_without_friends_near(stonne):
    stonne.s.at[stonne.unit(OBSERVER)] = stonne.w.table.point_at(150 * 4, 110 * 4)
    fire(stonne)
    stonne.do("mark", stonne.point(60, 97))
    stonne.do("high-explosive", "", 1)
    assert stonne.decision != "Shift"


@pytest.mark.rule("307a", "307b")
def test_307_armour_ignores_the_first_hit(table):
    for on, tested in (("on", False), ("off", True)):
        made = table("stonne40", p307=on)
        tank = made.put("de-pz4d-1", 60, 97, "S")
        made.s.loaded = (5, 1, 1, 6) if tested else (5, 1, 1)
        made.s.events = []
        shelling.shell(made.s, tank, 3, 1, 1, made.s.at[tank], "base-off-table-fire")
        assert ("destroyed" in made.kinds()) is tested


@pytest.mark.rule("108d", "108e", "108f", "108g", "108h")
def test_108_a_light_mortar_hits_two_units_without_a_roll(table):
    made = table("stonne40")
    mortar = made.put("fr-b60-1", 60, 115)
    first, second = made.put(RIFLE, 60, 90), made.put(RIFLE_2, 63.5, 90)
    made.act(0, "mortar", "fr-b60-1")
    made.do("shoot", RIFLE, 5, 1, 2, 1, 5, 2, 1)
    assert made.s.condition[first] == SHAKEN
    assert made.s.condition[second] == SHAKEN
    assert has(made.s, mortar, JAMMED)


@pytest.mark.rule("108a", "108c")
def test_108_off_mortars_do_not_fire_direct(table):
    made = table("stonne40", p108="off")
    made.put("fr-b60-1", 60, 115)
    target = made.put(RIFLE, 60, 90)
    made.act(0, "mortar", "fr-b60-1")
    assert made.rule("shoot", RIFLE) == "410b"
    assert made.s.condition[target] == GOOD


@pytest.mark.rule("415a", "415b")
def test_415_only_observers_and_americans_have_radios(table):
    for on, eyes in (("on", 0), ("off", 1)):
        made = table("stonne40", p415=on)
        made.put("fr-command-1", 90, 110)
        assert len(artillery.eyes(made.s, 0)) == eyes
