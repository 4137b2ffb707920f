"""Terminal play as a person does it: typed lines in, a screen out, a file that is never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grognard.games import find_game
from grognard.kernel.gamefile import load
from tests.cli.test_commands import grognard

EVERY_NUMBER = "".join(f"{number}\n" for number in range(1, 16))


def play(file: Path, lines: str, *words: str) -> str:
    done = grognard("play", *words, stdin=lines)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_person_plays_to_the_end_against_the_computer(tmp_path: Path, lang: str) -> None:
    """Every number in turn: one that means nothing now is said to, and changes nothing."""
    file = tmp_path / "game.txt"
    words = ("picket", "raid", "--blue", "ai:greedy", "--seed", "7", "--file", str(file), "--lang", lang)
    screen = play(file, EVERY_NUMBER * 80, *words)
    assert ("Victory" if lang == "en" else "Victoire") in screen
    assert "event." not in screen, "an event has no sentence"
    assert "decision." not in screen
    done = grognard("verify", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_action_can_be_typed_and_numbers_do_the_same(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    play(one, "pledge 0\npledge 0\n", "picket", "raid", "--seed", "3", "--file", str(one))
    play(two, "1\n\n1\n", "picket", "raid", "--seed", "3", "--file", str(two))
    assert load(one, find_game).entries[0].action == load(two, find_game).entries[0].action


def test_refusals_name_the_rule_and_change_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    screen = play(
        file,
        "pledge 9\nwhy pledge 9\nfly moon\nmove\nwhy\n99\n",
        "picket", "raid", "--seed", "3", "--blue", "ai:random", "--file", str(file), "--lang", "en",
    )  # fmt: skip
    assert screen.count("(3.1)") >= 3
    assert "Traceback" not in screen
    assert not load(file, find_game).entries


def test_quit_and_end_of_input_lose_nothing_and_play_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    play(file, "pledge 1\nquit\n", "picket", "raid", "--seed", "3", "--blue", "ai:random", "--file", str(file))
    before = len(load(file, find_game).entries)
    assert before >= 1
    screen = play(file, "log\n", str(file), "--blue", "ai:random")
    assert "pledge" in screen
    assert len(load(file, find_game).entries) == before


def test_an_existing_file_is_never_overwritten_by_a_new_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("precious")
    done = grognard("play", "picket", "raid", "--file", str(file))
    assert done.returncode == 2
    assert file.read_text() == "precious"


def test_undo_works_until_the_decision_passes(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ("picket", "raid", "--seed", "3", "--blue", "ai:random", "--file", str(file), "--lang", "en")
    screen = play(file, "pledge 2\nundo\n", *words)
    assert "cannot be undone" in screen


def test_curtain_hides_one_player_from_the_other(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    screen = play(file, "pledge 2\n\n", "picket", "raid", "--seed", "3", "--file", str(file), "--lang", "en")
    red, curtain, blue = screen.partition("The table passes to")
    assert curtain
    assert "You pledge" in red
    assert "You pledge" not in blue
    assert "red-foot-1" not in blue


def test_typed_dice_fall_as_typed_and_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    play(file, "dice 6 6\n", "picket", "raid", "--seed", "3", "--file", str(file), "--blue", "ai:random")
    verdict = json.loads(grognard("verify", str(file), "--json").stdout)
    assert verdict["typed"] == 2


def test_replay_shows_only_what_a_side_may_see(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ("picket", "crossing", "--seed", "3", "--blue", "ai:greedy", "--file", str(file))
    play(file, "1\n" * 6, *words)
    red = grognard("replay", str(file), "--as", "red", "--at", "0", "--json").stdout
    assert "red-foot-1" in red
    assert "blue-foot" not in red
    assert "blue-foot-1" in grognard("replay", str(file), "--json").stdout
    assert grognard("replay", str(file), "--at", "9999").returncode == 1
    assert grognard("replay", str(file), "--as", "green").returncode == 2


def test_hexes_may_be_called_by_their_towns_and_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    lines = "done\ndone\nrail de-2\nto Kassel\nmap Kassel\nmap nowhere\nquit\n"
    screen = play(file, lines, "bitw", "SBW3", "--seed", "3", "--file", str(file), "--lang", "en")
    assert load(file, find_game).entries[-1].action == ("to", "2823")
    assert "goes by rail to Kassel (2823)" in screen
    assert "Kassel (2823): " in screen
    assert "Nothing to tell about 'nowhere'" in screen


def test_long_lists_name_what_they_number_and_odds_alone_says_how_to_ask(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    screen = play(file, "odds\ndone\nquit\n", "bitw", "SBW2", "--seed", "5", "--file", str(file), "--lang", "en")
    assert "odds VERB TARGET: says the chances" in screen
    assert "disband de-47pz - 47 Pz (DE)" in screen
