"""5.6-eben-b The odds of a drop on Eben Emael against the game's own combat, every fall of the dice played out."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from grognard.games.bitw.frames import Dropping
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, read_case
from grognard.games.bitw.odds.law import Run, run_battle
from grognard.games.bitw.odds.position import battle_odds
from grognard.games.bitw.state import DROPPED, FOUGHT, MISSION, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow
from grognard.kernel.dice import explore
from grognard.odds.law import law_of

from .table import Combat, node, position, set_out, u

EBEN = "0206"
HEX = {"terrain": "forest", "city": "minor", "works": "fortress", "fortress_aa": False}  # difficult ground: a hit
Steps = dict[str, int]


def table(attacker: Steps, defender: Steps) -> BitwState:
    """A battle for Eben Emael that is about to begin: paratroops have jumped, others come from the next hex."""
    s = position("0510: de-26", options={"advanced": "on", "fog": "off"})
    for name, steps in (attacker | defender).items():
        set_out(s, name, EBEN)
        unit = u(name)
        s.steps[unit] = steps
        s.flags[unit] |= FOUGHT | (MISSION if UNITS[unit].is_air else 0)
        s.origin[unit] = node("0207") if name in attacker else 65535
        if UNITS[unit].kind == "para":
            s.orders[unit] |= DROPPED
            s.origin[unit] = 65535
    assert s.works[node(EBEN)] == 2
    return s


def played_out(attacker: Steps, defender: Steps, rounds: int) -> dict[Any, Fraction]:
    """The law of the steps of everybody after some rounds in which nobody retreats."""
    s = table(attacker, defender)
    s.events = None
    s.frames.append(Combat(hex=node(EBEN), attacker=0))
    here, place = [u(name) for name in attacker | defender], node(EBEN)

    def until_asked(s: BitwState, number: int) -> None:
        flow.run(GAME.tables, s)
        while s.waiting and isinstance(s.frames[-1], Combat):
            if type(GAME.decision(s)).__name__ == "Retreat" and s.frames[-1].round == number:
                return
            legal = GAME.legal(s, s.waiting[0])
            GAME.apply(s, s.waiting[0], next((a for a in legal if a[0] == "stay"), legal[0]), trusted=True)

    law = {(): (Fraction(1), s)}
    for number in range(1, rounds + 1):
        after: dict[Any, tuple[Fraction, BitwState]] = {}
        for p, start in law.values():  # positions alike go on together
            for q, t in explore(start, partial(until_asked, number=number)):
                key = (*((t.steps[v], t.half[v], t.place[v]) for v in here), t.works[place])
                after[key] = (after[key][0] if key in after else Fraction(0)) + p * q, t
        law = after
    return law_of((p, tuple(t.steps[v] if t.place[v] == place else -1 for v in here)) for p, t in law.values())


def case_of(attacker: Steps, defender: Steps, rounds: int) -> dict[str, Any]:
    return {
        "tier": "advanced",
        "rounds": rounds,
        "hex": HEX,
        "attacker": [
            {"unit": n, "steps": k} | ({"crossing": "air"} if UNITS[u(n)].kind == "para" else {})
            for n, k in attacker.items()
        ],
        "defender": [{"unit": n, "steps": k} for n, k in defender.items()],
    }


@pytest.mark.rule("5.6-eben-b", "23.0f")
@pytest.mark.parametrize(
    ("attacker", "defender", "rounds"),
    [
        ({"de-7f": 3}, {"be-1": 2}, 1),
        ({"de-7f": 2}, {"be-1": 1}, 2),  # alone: who is shot down in the air opens nothing
        ({"de-7f": 2, "de-26": 1}, {"be-1": 1}, 1),  # those on foot fight in the open or before the walls
        ({"de-7f": 2, "de-1fk": 1}, {"be-1": 1}, 1),
    ],
)
def test_5_6_eben_b_the_law_of_a_drop_is_that_of_the_game(attacker: Steps, defender: Steps, rounds: int) -> None:
    checked = read_case(case_of(attacker, defender, rounds), in_play=True)
    told = run_battle(checked)
    law = law_of((p, tuple(steps for side in x for steps, _ in side)) for x, p in told.items())
    assert law == played_out(attacker, defender, rounds)
    run = Run(checked)  # ground units and aircraft told apart: the same law, part by part
    assert sum(run.ground_law().values()) == run.total
    for axis in range(4):
        assert sum(run.part_law(axis).values()) == run.total


@pytest.mark.rule("5.6-eben-b")
def test_5_6_eben_b_a_drop_is_worth_more_than_the_same_men_on_foot() -> None:
    force = ({"de-7f": 3, "de-26": 4}, {"be-1": 2}, 2)
    dropped = odds_case(case_of(*force), in_play=True)
    walled = odds_case(case_of(*force) | {"hex": HEX | {"fortress_aa": True}}, in_play=True)
    wins = [Fraction(x["outcome"]["results"]["attacker_wins"]["p"]) for x in (dropped, walled)]
    assert wins[0] > wins[1]
    ground = [step for step in dropped["first_round"] if step["step"] == "ground"]
    rules = {line["rule"] for step in ground for shot in step["shots"] for line in shot["tally"]}
    assert not {rule for rule in rules if "fortress" in rule}


@pytest.mark.rule("5.6-eben-b")
def test_5_6_eben_b_is_told_in_play() -> None:
    s = position("0510: de-7f | 0206: be-1 2", options={"advanced": "on", "fog": "off"})
    s.frames.append(Dropping(unit=u("de-7f"), side=0))
    jump = GAME.odds(s, 0, ("to", node(EBEN)))
    top = UNITS[u("de-7f")].pattern.top
    there = battle_odds(table({"de-7f": top}, {"be-1": 2}), 0, node(EBEN), None)
    assert jump is not None
    assert there is not None
    assert jump["outcome"]["results"] == there["outcome"]["results"]
    empty = position("0510: de-7f", options={"advanced": "on", "fog": "off"})
    empty.frames.append(Dropping(unit=u("de-7f"), side=0))
    alone = GAME.odds(empty, 0, ("to", node(EBEN)))  # nobody there: one die of Liège, and a hit on the ground
    assert alone is not None
    assert [alone["chances"][key]["p"] for key in ("unhurt", "hurt", "lost")] == ["0/1", "1/1", "0/1"]
