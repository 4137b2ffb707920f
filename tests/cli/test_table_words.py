"""What a table in the terminal says and understands: who acts, dice once, French words, numbers that last."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.cli.terminal import Numbers, Terminal
from grognard.games import find_game
from grognard.kernel.gamefile import load, save
from grognard.kernel.narrate import Narrator
from grognard.kernel.session import Session
from grognard.kernel.texts import LANGUAGES, texts_for

PICKET = find_game("picket")
COMMANDS = [key for key in texts_for("", "fr").all if key.startswith("command.")]


def table(file: Path, session: Session, lines: str, lang: str, seats: tuple[str, ...]) -> str:
    shown: list[str] = []
    save(session, file)
    Terminal(session, file, seats, lang, io.StringIO(lines), shown.append).run()
    return "\n".join(shown)


def news(game_name: str, scenario: str, lang: str, decisions: int, seed: str = "5") -> tuple[Session, list[str]]:
    """What the terminal tells the first side of a random game."""
    game = find_game(game_name)
    session, random = Session.new(game, scenario, seed=seed), Random(seed)
    shown: list[str] = []
    seats = tuple("human" for _ in game.sides)
    terminal = Terminal(session, Path("unused"), seats, lang, io.StringIO(), shown.append)
    for _ in range(decisions):
        waiting = game.actors(session.state)
        if not waiting:
            break
        session.act(waiting[0], random.choice(game.orders(session.state, waiting[0])))
    terminal._tell_news(0)
    return session, shown


# Who acts


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "scenario"), [("picket", "crossing"), ("surrender", "barbarossa"), ("bitw", "SBW1")])
def test_a_line_is_headed_by_who_chose_and_what_came_of_it_by_nobody(name: str, scenario: str, lang: str) -> None:
    session, shown = news(name, scenario, lang, 300)
    narrator = Narrator(session.game, lang)
    heads = {narrator.side(side): side for side in range(len(session.game.sides))}
    deeds = [line for line in shown if re.match(r"  \S", line)]
    events = [line for line in shown if line.startswith("    ")]
    assert len(deeds) + len(events) == len(shown)
    assert len(events) > 20
    entries = iter(session.entries)
    for line in deeds:
        who, colon, _ = line.strip().partition(" : " if lang == "fr" else ": ")
        assert colon, line
        assert any(entry.side == heads[who] for entry in entries), line  # in the order of the log
    for line in events:  # a side may be the subject of a sentence, but heads none that the rules or dice made
        assert not any(line.startswith(f"    {who}{' :' if lang == 'fr' else ':'} ") for who in heads), line


# Hidden blocks


def test_a_hidden_block_is_told_by_nation_and_shape_and_a_remembered_one_by_name() -> None:
    game = find_game("bitw")
    fog = game.fog
    assert fog is not None
    s = game.setup("SBW3", {}, "x")
    unit = fog.unit_ids["fr-9"]
    token = f"#{s.token[unit]}"
    moved = {"kind": "moved", "rule": "7.5a", "unit": token, "whence": "2125", "hex": "2024"}
    narrator = Narrator(game, "en")
    assert narrator.told([moved])[0].startswith(f"{token} moves"), "without a position there is the token alone"
    (seen,) = narrator.looking_at(s, 0).told([moved])
    assert seen.startswith(f"France, ground unit {token} moves"), seen
    assert "fr-9" not in seen
    assert narrator.looking_at(s, 0).deed(("disband", token)) == f"disband France, ground unit {token}"
    fog.remember(s, 0, unit, 3)
    (known,) = narrator.looking_at(s, 0).told([moved])
    assert known.startswith(f"{narrator.texts.name('fr-9')}, 3 steps when last seen, {token} moves"), known
    assert narrator.looking_at(s, 1).told([moved])[0].startswith(f"{token} moves")  # its owner never reads a token


def test_lists_of_hidden_blocks_are_told_so_too() -> None:
    game = find_game("picket")
    s = game.setup("crossing", {}, "x")
    token = f"#{s.token[game.fog.unit_ids['blue-foot-1']]}"
    battle = {"kind": "battle", "rule": "5.1", "side": 1, "hex": "0205", "units": [token, "red-foot-1"]}
    (said,) = Narrator(game, "en").looking_at(s, 0).told([battle])
    assert f"Blue {token}, 1st Red Foot" in said


# Dice


def roll(*dice: int, rule: str = "r") -> dict[str, Any]:
    return {"kind": "roll", "rule": rule, "dice": list(dice), "faces": 6, "side": None}


def test_dice_that_a_sentence_tells_are_told_once() -> None:
    narrator = Narrator(find_game("normandie"), "en")
    swam = {"kind": "swam", "rule": "10", "unit": "us-70tk", "die": 3, "modified": 4}
    assert len(narrator.told([roll(3), swam])) == 1
    assert len(narrator.told([roll(4), swam])) == 2  # other dice
    assert len(narrator.told([roll(3), roll(3), swam])) == 2  # one of the two
    assert len(narrator.told([swam, roll(3)])) == 2  # a roll that comes after
    assert narrator.told([roll(5), roll(2)]) == ["dice: 5, 2 (r)"]
    assert len(narrator.told([roll(5), roll(2, rule="q")])) == 2


def test_a_face_that_is_wanted_is_no_die() -> None:
    narrator = Narrator(find_game("bitw"), "en")
    fire = {"kind": "fire", "rule": "7.7.5a", "unit": "de-26", "dice": [5, 1], "face": 5, "hits": 1, "tally": []}
    (sentence,) = narrator.told([roll(5, 1), fire])
    assert "5, 1" in sentence
    assert narrator.rolls_said([roll(5), fire | {"dice": [2], "hits": 0}]) == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_a_combat_of_surrender_the_dice_stand_in_its_lines_alone(lang: str) -> None:
    _, shown = news("surrender", "barbarossa", lang, 400)
    rule = "(seq-5-roll)"
    assert any(rule in line for line in shown)
    assert not any(line.strip().startswith(("dice:", "dés :")) and rule in line for line in shown)
    assert any("(weather-roll)" in line and re.search(r"\d, \d, \d", line) for line in shown)  # three zones, one line


# French


@pytest.mark.parametrize("key", COMMANDS)
def test_every_command_has_a_word_of_its_own(key: str) -> None:
    french = texts_for("", "fr").all
    assert [other for other in COMMANDS if french[other] == french[key]] == [key]
    assert key.endswith(texts_for("", "en").all[key])


def test_french_commands_are_understood_with_and_without_accents_and_english_ones_too(tmp_path: Path) -> None:
    lines = "aide\nhelp\nrègles 3.1\nregles 3.1\nrules 3.1\npourquoi engager 9\nwhy pledge 9\nDÉS 3 5\ndés non\n"
    lines += "engager 1\nannuler\nundo\njournal\nquitter\nengager 0\n"
    screen = table(tmp_path / "g.txt", Session.new(PICKET, "raid", seed="3"), lines, "fr", ("human", "random"))
    assert screen.count("pourquoi VERBE CIBLE") == 2
    title = next(line for line in screen.splitlines() if line.startswith("3.1 "))
    assert screen.splitlines().count(title) == 3
    assert screen.count("(3.1)") >= 2
    assert "Prochains dés : 3 5." in screen
    assert "Vos dés sont rangés" in screen
    assert screen.rstrip().endswith("la reprend.")  # quitter left before the last line


def test_french_verbs_act_and_are_what_the_list_shows(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    screen = table(file, Session.new(PICKET, "raid", seed="3"), "Engager 1\nquitter\n", "fr", ("human", "random"))
    assert re.search(r"^ +\d+\. engager 0\b", screen, re.MULTILINE)
    assert not re.search(r"\bpledge\b", screen)
    assert load(file, find_game).entries[0].action == ("pledge", "1")
    file = tmp_path / "h.txt"
    table(file, Session.new(PICKET, "raid", seed="3"), "pledge 1\nquitter\n", "fr", ("human", "random"))
    assert load(file, find_game).entries[0].action == ("pledge", "1")


def test_what_cannot_be_done_is_told_with_the_words_that_can_be_typed(tmp_path: Path) -> None:
    screen = table(tmp_path / "g.txt", Session.new(PICKET, "raid", seed="3"), "danser 3\n", "fr", ("human", "random"))
    assert "vous pouvez : engager." in screen


def test_targets_are_understood_by_their_names(tmp_path: Path) -> None:
    game = find_game("normandie")
    file = tmp_path / "g.txt"
    session = Session.new(game, "cherbourg", seed="3")
    table(file, session, "interdire carentan - la haye\nquitter\n", "fr", ("human", "human", "human"))
    assert load(file, find_game).entries[0].action == ("zone", "z2")


# Numbers


def test_a_number_keeps_its_meaning_while_the_decision_lasts(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    session = Session.new(find_game("normandie"), "cherbourg", seed="3")
    screen = table(file, session, "2\n1\n2\nquit\n", "en", ("human", "human", "human"))
    assert [entry.action for entry in load(file, find_game).entries] == [("zone", "z2"), ("zone", "z1")]
    assert "No action has the number 2 now" in screen


class At:
    """A frame as far as numbers look at it."""

    def __init__(self, name: str, row: str) -> None:
        self.sequence_name, self.row = name, row

    def at(self) -> str:
        return self.row


class Stack:
    def __init__(self, *frames: At) -> None:
        self.frames = frames


def test_numbers_last_as_long_as_the_decision_whatever_interrupts_it() -> None:
    numbers = Numbers()
    turn, hand = At("turn", "4.1"), At("hand", "4.2")
    move = [("move", word) for word in "abc"]
    numbers.decide(Stack(turn), 0)
    numbers.give(move)
    numbers.decide(Stack(turn, hand), 0)  # a unit is taken up: a decision within the decision
    numbers.give([("to", "x")])
    assert numbers.action(1, [("to", "x")]) == ("to", "x")
    numbers.decide(Stack(turn), 0)
    numbers.give([*move[1:], ("move", "d")])
    assert [numbers.of(action) for action in (*move[1:], ("move", "d"))] == [2, 3, 4]
    assert numbers.action(1, move[1:]) is None
    numbers.decide(Stack(turn, hand), 0)
    numbers.give([("to", "y")])
    assert numbers.of(("to", "y")) == 1, "a decision that was over begins anew"
    numbers.decide(Stack(turn), 1)  # the other side
    numbers.decide(Stack(turn), 0)
    numbers.give(move[1:])
    assert numbers.of(("move", "b")) == 1
