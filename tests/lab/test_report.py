"""What a report tells beside its question: length, losses, luck, what else a variant changed; pictures as PNG."""

import json
import random
import tomllib
from statistics import mean
from xml.etree import ElementTree

import pytest

from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import GrognardError
from grognard.kernel.texts import texts_for
from grognard.lab.balance import balance_matches
from grognard.lab.luck import DiceLuck
from grognard.lab.pictures import COLOURS, band, intervals, svg, walk_picture
from grognard.lab.plan import plan_of
from grognard.lab.png import raster
from grognard.lab.report import Answer, answers, besides, luck_part, page
from grognard.lab.run import Here, carry_out
from grognard.lab.selfplay import Match, Score, play_match
from grognard.lab.store import Results

DATA = {
    "question": "Does it matter?",
    "question_fr": "Est-ce que cela compte ?",
    "game": "picket",
    "scenarios": ["raid"],
    "players": ["random"],
    "seeds": "report-1",
    "arms": {"plain": {}, "open": {"options": {"fog": "off"}}},
    "stop": {"worth": 0.2, "most": 6},
}


def colours_of(picture) -> set[str]:
    return {"#{:02X}{:02X}{:02X}".format(*colour) for _, colour in picture.getcolors(1 << 20)}


def test_every_kind_of_picture_can_be_had_in_pixels():
    rows = [("crossing: Red", 0.4, 0.2, 0.6), ("raid: Red", 0.7, 0.5, 0.9)]
    drawn = raster(intervals("Shares", rows, centre=0.5))
    assert drawn.size == (1440, 216)
    assert set(COLOURS[:2]) <= colours_of(drawn)
    curve = [(1.0, 2.0, 3.0, 4.0), (2.0, 2.0, 5.0, 6.0), (3.0, 1.0, 1.5, 2.0)]
    drawn = raster(band("Steps", [("Red", curve), ("Blue", curve)], [(2, 4)]))
    assert "#000000" in colours_of(drawn)  # the diamond of history
    looks = [(n, n / 10, -n / 10) for n in range(1, 30)]
    assert COLOURS[1] in colours_of(raster(walk_picture("Walk", looks, -2.9, 2.9, ("more", "less"))))
    assert raster(walk_picture("No pair yet", [], -2.9, 2.9, ("more", "less"))).size[0] == 1440


def test_dashes_and_words_are_in_the_pixels():
    """A dashed line has holes; without its words a picture has less ink."""
    line = '<line x1="10" y1="20" x2="700" y2="20" stroke="#000000" stroke-width="2" {}/>'
    whole, dashed = (raster(svg(40, "t", [line.format(more)])) for more in ("", 'stroke-dasharray="6 3"'))
    row = [dashed.getpixel((x, 40))[0] for x in range(40, 1380)]
    assert max(row) > 240 > 20 > min(row)
    assert all(whole.getpixel((x, 40))[0] < 20 for x in range(40, 1380))
    word = raster(svg(40, "t", ['<text x="10" y="20" text-anchor="start" >Caen</text>']))
    assert len(colours_of(word)) > 2


def test_a_part_that_cannot_be_drawn_is_refused():
    with pytest.raises(GrognardError, match="ellipse"):
        raster(svg(40, "t", ["<ellipse/>"]))
    with pytest.raises(GrognardError, match="path"):
        raster(svg(40, "t", ['<path d="M0 0 C1 1 2 2 3 3"/>']))


def test_what_else_a_variant_changed_is_told_beside_the_answer(tmp_path):
    results = Results(tmp_path / "a.sqlite")
    plan = plan_of("try.toml", json.dumps(DATA), DATA)
    answer = Answer(plan.run_id, plan, carry_out(plan, results, Here(), 1))
    rows = {row[0]: row for row in besides(results, answer, texts_for("picket", "en"))}
    assert "points of Red (percent of a win)" not in rows  # that was the question
    assert {"points of Blue (percent of a win)", "turns in a game", "steps left of Red at the end"} <= set(rows)
    games = list(results.games(plan.run_id))
    by_arm = {arm: [g["decisions"] for g in games if g["arm"] == arm] for arm in ("plain", "open")}
    said = rows["decisions in a game"]
    assert said[1] == f"{mean(by_arm['plain']):.2f}"
    assert said[2].startswith(f"{mean(by_arm['open']) - mean(by_arm['plain']):+.2f}")


def test_the_question_is_asked_in_the_readers_language():
    plan = plan_of("try.toml", "", DATA)
    assert plan.experiment.asked("fr") == "Est-ce que cela compte ?"
    assert plan.experiment.asked("en") == "Does it matter?"


def test_steps_on_the_board_are_noted_by_turn():
    score = play_match(Match("picket", "raid", ("random", "random"), (), "steps"))
    game = find_game("picket")
    first = score.facts[min(score.facts)]
    assert {f"steps.{side}" for side in game.sides} <= set(first)
    last = score.facts[max(score.facts)]
    assert sum(last[f"steps.{side}"] for side in game.sides) <= sum(first[f"steps.{side}"] for side in game.sides)
    assert first["steps.red"] > 0


def test_luck_does_not_change_a_game_and_is_nought_on_the_mean():
    """The same digest with and without; the sums of two sides are opposite where a chance was fitted."""
    plain = [play_match(m) for m in balance_matches("picket", "crossing", "random", 2, "lucky", 12)]
    lucky = [play_match(m) for m in balance_matches("picket", "crossing", "random", 2, "lucky", 12, lucky=True)]
    assert [s.digest for s in plain] == [s.digest for s in lucky]
    last = [s.facts[max(s.facts)] for s in lucky]
    assert all("luck.red" not in facts for s in plain for facts in s.facts.values())
    assert all(abs(facts["luck.red"] + facts["luck.blue"]) <= 1 for facts in last)
    assert any(abs(facts["luck.red"]) > 5 for facts in last)
    assert abs(mean(facts["luck.red"] for facts in last)) < 100


def test_the_same_volley_is_lucky_with_some_dice_and_unlucky_with_others():
    game = find_game("picket")
    s, whims = game.setup("crossing", {}, "luck"), random.Random(1)
    while True:  # to the first action whose dice move the judgement at once
        side = s.waiting[0]
        action = whims.choice(game.legal(s, side))
        watched = DiceLuck(game, s)
        watched.apply(s.copy(), side, action)
        if abs(watched.total[side]) > 1:
            break
        game.apply(s, side, action, trusted=True)
    found = []
    for number in range(24):
        luck, other = DiceLuck(game, s), s.copy()
        other.seed = seed_from(f"other dice {number}")
        luck.apply(other, side, action)
        assert luck.rolls == 1
        found.append(luck.total[side])
    assert min(found) < 0 < max(found)


def test_the_report_tells_length_losses_and_luck(tmp_path):
    results = Results(tmp_path / "a.sqlite")
    lock = {"scenario": "crossing", "level": "random"}
    told = {"name": "picket crossing random", "family": "balance", "game": "picket", "question": "", "text": ""}
    results.begin("r", "balance", told, lock)
    for n, (winner, luck, turns) in enumerate((("red", 80, 4), ("red", 30, 6), ("blue", 20, 6), ("draw", 5, 9))):
        facts = {1: {"steps.red": 9, "steps.blue": 8}, turns: {"steps.red": 9 - n, "steps.blue": 3}}
        facts[turns] |= {"luck.red": luck, "luck.blue": -luck, "luck.rolls": 7 + n}
        match = Match("picket", "crossing", ("random", "random"), (), f"r {n}")
        results.keep("r", n, [("", match, Score("crossing", winner, "", "", 50 + n, "d", turns, facts))])
    english = page(results, texts_for("picket", "en"))
    assert "<td>4 | 6 | 9</td><td>50 | 52 | 53</td>" in english
    assert "25.0 %" in english  # one draw of four
    assert "crossing random" not in english, "no ids: titles and names of levels"
    assert "Picket, The crossing (recruit)" in english
    run = results.runs()[0]
    part = luck_part(results, run, texts_for("picket", "en"))
    assert "66.7 %" in part  # two of three decided games went to the luckier side
    assert "+0.5 | +3.0 | +8.0" in part
    french = page(results, texts_for("picket", "fr"))
    assert "chance du camp Rouge" in french
    assert "Picket, Le passage (recrue)" in french
    assert "crossing" not in french
    assert "+0,5 | +3,0 | +8,0" in french
    assert len(ElementTree.fromstring(f"<a>{''.join(svgs(english))}</a>")) == 2  # shares, and steps by turn


def svgs(html: str) -> list[str]:
    return ["<svg" + part.split("</svg>")[0] + "</svg>" for part in html.split("<svg")[1:]]


def test_answers_without_games_tell_nothing_besides(tmp_path):
    results = Results(tmp_path / "a.sqlite")
    assert answers(results) == []


def test_questions_of_a_family_are_corrected_together_also_when_one_is_asked_for(tmp_path):
    """Who asks for one report of four does not get rid of the other three."""
    results = Results(tmp_path / "a.sqlite")
    for number in range(4):
        other = "random" if number else "careless"  # one question has an answer
        text = "\n".join(
            [
                'question = "?"\ngame = "picket"\nscenarios = ["raid"]\nplayers = ["random"]\nfamily = "four"',
                f'seeds = "four {number}"\n[arms.a]\n[arms.b]\nplayers = ["{other}", "random"]\n[measure]',
                'name = "decisions"\n[stop]\nworth = 2.0\nmost = 12',
            ]
        )
        plan = plan_of(f"{number}.toml", text, tomllib.loads(text))
        carry_out(plan, results, Here(), 1)
    together = {answer.plan.name: answer.corrected for answer in answers(results)}
    alone = {name: answers(results, [name])[0].corrected for name in together}
    assert alone == together
    plain = answers(results, ["0.toml"])[0].state.walk.chance_of_zero()
    assert 0 < plain < 0.25
    assert together["0.toml"] == pytest.approx(4 * plain)
