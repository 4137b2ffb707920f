"""That the enemy is asked tells nothing: not about who hides where, nor whether he can fire."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules.sights import may_ambush
from grognard.games.blitzkrieg.state import ACTIVATED, AT_AIRCRAFT, HIDDEN
from grognard.server.messages import unseen_prompt

T34, PAK = "su-t34-43-1", "de-pak40-1"


def told(made, side: int) -> tuple[object, ...]:
    """All that a side learns: its view, whom the table waits for, what it may say, what it heard."""
    s = made.s
    events = [event.to_json(side) for event in s.events or [] if event.heard_by(side)]
    return GAME.view(s, side), tuple(s.waiting), events


def drive(made, flags: int = 0, x: float = 170, y: float = 60) -> list[tuple[object, ...]]:
    """A tank drives 30 cm west; a hidden gun stands somewhere and lets it pass; what the tank's side learns."""
    made.put(T34, 200, 115, "W")
    made.put(PAK, x, y, "S", flags=flags)
    made.hide(PAK)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(170, 115))
    seen = [told(made, 0)]
    while made.decision == "React":
        made.do("let-pass")
        seen.append(told(made, 0))
    return seen


@pytest.mark.rule("base-hidden", "base-opportunity-fire")
def test_a_move_looks_the_same_whether_who_hides_can_fire_or_not(table):
    """One could fire from the side of the road; one has acted; one is far away."""
    able = drive(table("prokhorovka43"), x=185, y=85)
    assert drive(table("prokhorovka43"), x=185, y=85, flags=ACTIVATED) == able
    assert drive(table("prokhorovka43"), x=60, y=30) == able
    assert len(able) == 7  # after each 5 cm, and the end


@pytest.mark.rule("base-opportunity-fire")
def test_who_hides_may_fire_where_it_is_asked(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 115, "W")
    made.put(PAK, 185, 85, "S")
    made.hide(PAK)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(170, 115))
    while not made.can("react"):
        made.do("let-pass")
    made.do("react", PAK, *[1] * 12)
    assert not made.s.flags[made.unit(PAK)] & HIDDEN


@pytest.mark.rule("base-opportunity-fire")
def test_nobody_is_asked_where_nobody_hides_and_nobody_can_fire(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 115, "W")
    made.put(PAK, 60, 30, flags=ACTIVATED)
    assert not may_ambush(made.s, 1)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(170, 115))
    assert made.decision != "React"


@pytest.mark.rule("base-opportunity-fire")
def test_a_side_that_stands_down_is_asked_no_more_in_this_activation(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 115, "W")
    made.put("su-t34-43-2", 205, 125, "W")
    made.put(PAK, 185, 85, "S")
    made.hide(PAK)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(170, 115))
    made.do("stand-down")
    assert made.decision == "Face"
    made.do("face", "W")
    made.do("hold")
    made.do("unit", "su-t34-43-2")
    made.do("move")
    made.do("to", made.point(180, 120))
    assert made.decision == "Face"


def raid(made, flags: int, rounds: int, x: float) -> list[tuple[object, ...]]:
    """Typhoons dive on a Panzer; a Flak hides near it or far away; what their side learns."""
    made.put("de-rifle-1", 66, 92)
    made.put("de-flak38-1", x, 96, flags=flags)
    made.hide("de-flak38-1")
    made.s.rounds[made.unit("de-flak38-1")] = rounds
    made.s.aloft[0], made.s.planes[0] = 1, 2
    winner = made.s.waiting[0]
    made.do("begin" if winner == 0 else "wait")
    made.do("sortie", made.w.flights[0].name)
    made.do("strafe", "de-rifle-1")
    seen = [told(made, 0)]
    made.do("hold-fire", "", 1, 1, 1, 1, 1, 1, 1, 1)
    return [*seen, told(made, 0)]


@pytest.mark.rule("base-aa-fire", "base-hidden")
def test_a_dive_looks_the_same_whether_a_hidden_flak_can_fire_or_not(table):
    near = raid(table("lesson2"), 0, 0, 72)
    assert raid(table("lesson2"), 0, AT_AIRCRAFT, 72) == near
    assert raid(table("lesson2"), 0, 0, 160) == near


@pytest.mark.rule("base-hidden")
def test_where_forces_are_bought_nobody_knows_whether_somebody_lurks(table):
    """A German sniper or observer that was not bought is asked for like one that lies in wait."""
    made = table("encounter44")
    sniper = made.unit("de-sniper-1")
    for unit in made.w.of_side[1]:
        made.s.flags[unit] &= ~HIDDEN
    assert not may_ambush(made.s, 1)
    made.s.flags[sniper] |= HIDDEN  # as the set-up leaves who was not bought
    assert may_ambush(made.s, 1)


@pytest.mark.rule("base-hidden")
def test_what_a_hidden_unit_is_doing_and_where_its_owner_alone_sees(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 115, "W")
    made.put(PAK, 60, 30, "S")
    made.hide(PAK)
    made.act(1, "pak", PAK)
    seen = [GAME.view(made.s, side) for side in (0, -1)]
    made.do("turn")
    place = GAME.view(made.s, 1)["frames"][-1]["path"][0]
    assert place == made.point(60, 30)
    for side, before in zip((0, -1), seen):
        view = GAME.view(made.s, side)
        assert place not in str(view["frames"])
        assert (view["frames"], view["decision"], view["verbs"]) == (before["frames"], None, {})
    assert GAME.view(made.s, 1)["decision"] == "Face"
    assert unseen_prompt(Session(made.s), 0)["prompt"]["text"] == ""
    assert unseen_prompt(Session(made.s), 1) == {}


class Session:
    """As much of a session as the prompt needs."""

    game = GAME

    def __init__(self, state):
        self.state = state
