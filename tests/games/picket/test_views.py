"""The text map and the odds: only what a side may know, and the odds from the game's own fire."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.state import FOG
from grognard.kernel import REFEREE, SPECTATOR, explore, seed_from
from grognard.kernel.narrate import Narrator

FAR = "\n0109: blue-foot-3\n0101: red-foot-3"


def say(lang="en"):
    return Narrator(GAME, lang).say


def test_the_map_shows_own_blocks_tokens_rivers_and_villages(table):
    t = table("0203: red-foot-1 2, red-guns-1\n0205: blue-foot-1\n0209: blue-horse-1")
    lines = GAME.situation(t.s, 0, say()).split("\n")
    row = next(i for i, line in enumerate(lines) if "0205" in line)
    assert "0204.  |0205.*B" in lines[row]
    assert "F2G2" in lines[row + 1]
    assert lines[row + 1].count("?") == 2
    assert any(line.strip() in ("/", "\\") for line in lines)
    assert max(map(len, lines[:24])) <= 80
    french = GAME.situation(t.s, 0, say("fr"))
    assert "I2A2" in french
    assert "1er d’infanterie rouge 2/3" in french


def test_the_map_of_the_other_side_is_in_its_own_capitals(table):
    t = table("0203: red-foot-1\n0205: blue-foot-1 1")
    assert "F1" in GAME.situation(t.s, 1, say())
    everything = GAME.situation(t.s, REFEREE, say())
    assert "F3" in everything
    assert "f1" in everything
    assert GAME.situation(t.s, SPECTATOR, say()).count("?") == 3  # two blocks and the legend


@pytest.mark.rule("1.2")
@pytest.mark.parametrize("seed", range(8))
def test_the_situation_and_the_odds_tell_nothing_hidden(seed):
    luck = random.Random(seed)
    s = GAME.setup("raid", {}, seed_from(seed))
    compared = 0
    while s.waiting:
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        battles = [a for a in legal if a[0] == "fight"]
        if battles or luck.random() < 0.1:
            for number in range(3):
                other = GAME.redeal(s, side, seed_from(f"{seed} {number}"))
                assert GAME.situation(s, side, say()) == GAME.situation(other, side, say())
                assert [GAME.odds(s, side, a) for a in battles] == [GAME.odds(other, side, a) for a in battles]
                compared += 1
        attacks = [a for a in legal if a[0] == "to" and s.first_in[a[1]] >= 0]
        GAME.apply(s, side, (attacks or legal)[int(luck.random() * len(attacks or legal))])
    assert compared


def int_hex(name):
    from grognard.games.picket.loading import GRID

    return GRID.hex_named(name)


def law_by_playing(s, action, side=0):
    """The hits that each side takes in the next round, by enumerating the dice of the real battle."""
    law = {"red": {}, "blue": {}}

    def run(p):
        p.events = []
        GAME.apply(p, side, action)
        while p.frames[-1].at() == "5.3a":
            GAME.apply(p, 0, GAME.legal(p, 0)[0])

    for chance, p in explore(s, run):
        fire = [(e.data["unit"], e.data["hits"]) for e in p.events if e.kind == "fire"]
        for target, shooter in (("red", "blue"), ("blue", "red")):
            hits = str(sum(n for unit, n in fire if unit.startswith(shooter)))
            law[target][hits] = law[target].get(hits, 0) + chance
    return {side: {k: str(v) for k, v in sorted(one.items())} for side, one in law.items()}


@pytest.mark.rule("5.2")
def test_odds_agree_with_the_battle_itself(table):
    t = table("0204: red-horse-1, red-guns-1 1\n0205: blue-guns-1" + FAR)
    t.play("move red-horse-1", "to 0205", "move red-guns-1", "to 0205", "done")
    GAME.fog.remember(t.s, 0, FOG.unit_ids["blue-guns-1"], 2)
    odds = GAME.odds(t.s, 0, ("fight", int_hex("0205")))
    assert (odds["exact"], odds["unseen"], odds["rule"]) == (True, 0, "5.2")
    t.s.events = None
    assert odds["hits_taken"] == law_by_playing(t.s, ("fight", int_hex("0205")))


def test_odds_of_blocks_never_seen_are_those_of_all_that_could_be_there(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1\n0209: blue-horse-1\n0101: red-foot-3")
    t.play("move red-foot-1", "to 0405", "done")
    odds = GAME.odds(t.s, 0, ("fight", int_hex("0405")))
    assert odds["unseen"] == 1
    miss = Fraction(2, 3)
    assert odds["hits_taken"]["red"]["0"] == str((miss**3 + miss**2) / 2)  # foot or horse
    assert sum(map(Fraction, odds["hits_taken"]["red"].values())) == 1
    assert sum(map(Fraction, odds["hits_taken"]["blue"].values())) == 1


def test_odds_use_what_was_last_seen_not_what_is_true(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1 3\n0101: red-foot-3")
    t.play("move red-foot-1", "to 0405", "done")
    GAME.fog.remember(t.s, 0, FOG.unit_ids["blue-foot-1"], 1)
    assert GAME.odds(t.s, 0, ("fight", int_hex("0405")))["hits_taken"]["red"] == {"0": "2/3", "1": "1/3"}
    assert t.steps("blue-foot-1") == 3


@pytest.mark.parametrize("known", [True, False])
def test_odds_count_the_supply_of_each_defender_by_itself(table, known):
    """Guns hit on 4, foot on 5: which of the two is cut off makes a difference; unknown blocks may stand either way."""
    laws = []
    for guns, foot in (("cut", ""), ("", "cut"), ("cut", "cut"), ("", "")):
        t = table(f"0405: red-foot-1 <0404, blue-guns-1 {guns}, blue-foot-1 {foot}")
        if known:
            for unit in ("blue-guns-1", "blue-foot-1"):
                GAME.fog.remember(t.s, 0, FOG.unit_ids[unit], t.steps(unit))
        laws.append(GAME.odds(t.s, 0, ("fight", int_hex("0405")))["hits_taken"]["red"])
    one, other, both, none = laws
    assert both != none
    assert one not in (both, none)
    assert (one == other) is not known


def test_odds_only_of_battles(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1")
    assert GAME.odds(t.s, 0, GAME.read(t.s, 0, ("move", "red-foot-1"))) is None


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_the_score_is_what_one_side_gains_and_the_other_loses(scenario):
    s = GAME.setup(scenario, {}, seed_from(1))
    assert GAME.score(s, 0) == -GAME.score(s, 1)
    before = GAME.score(s, 0)
    s.holder[0] = 0
    assert GAME.score(s, 0) > before


@pytest.mark.rule("1.1")
def test_problems_are_found(table):
    t = table("0404: red-foot-1, red-foot-2, red-foot-3\n0405: blue-foot-1 3")
    t.s.steps[FOG.unit_ids["blue-foot-1"]] = 4
    found = " ".join(GAME.problems(t.s))
    assert "too many red units in 0404" in found
    assert "blue-foot-1 has 4 steps" in found
    t.s.at[0] = 5
    assert any("lists" in problem for problem in GAME.problems(t.s))


@pytest.mark.rule("5.4")
def test_who_may_stay_is_told_what_the_next_round_brings_if_the_enemy_stays(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", dice=(1, 1, 1, 1, 1, 1))
    odds = GAME.odds(t.s, 0, GAME.read(t.s, 0, ("stay", "")))
    assert (odds["round"], odds["assumes"], odds["unseen"]) == (2, "enemy_stays", 0)
    t.play("stay")
    assert GAME.odds(t.s, 1, GAME.read(t.s, 1, ("stay", "")))["hits_taken"] == odds["hits_taken"]
    t.s.events = None
    assert law_by_playing(t.s, ("stay", 0), 1) == odds["hits_taken"], "as the round itself falls"
