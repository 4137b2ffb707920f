"""The terminal table from the inside: what each reader is shown, typed dice, and files that are never lost."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from grognard.cli.terminal import CLEAR, Terminal
from grognard.games import find_game
from grognard.kernel import GameFileError
from grognard.kernel.gamefile import load, save
from grognard.kernel.session import Session
from tests.cli.test_commands import grognard

PICKET = find_game("picket")


def sit(file: Path, lines: str, *, session: Session | None = None, seats=("human", "human"), lang="en") -> str:
    """Play these lines at a table; what the screen showed."""
    shown: list[str] = []
    session = session or Session.new(PICKET, "raid", seed="3")
    save(session, file)
    Terminal(session, file, tuple(seats), lang, io.StringIO(lines), shown.append).run()
    return "\n".join(shown)


def test_news_are_told_as_the_reader_may_hear_them(tmp_path: Path) -> None:
    """Blue moves in secret: Red reads of a token, never of a block, and never of Blue's pledge."""
    lines = "pledge 0\n\npledge 1\n\ndone\n\nmove blue-foot-1\nto 0206\ndone\npledge 0\n\n"
    screen = sit(tmp_path / "g.txt", lines)
    before, _, after = screen.rpartition("The table passes to Red")
    assert "to 0206" in before or "0206" in before
    assert "1st Blue Foot" not in after
    assert "blue-foot-1" not in after
    assert "0206" in after, "Red hears that something moved"


def test_the_screen_is_cleared_before_and_after_the_curtain(tmp_path: Path) -> None:
    screen = sit(tmp_path / "g.txt", "pledge 2\n\n")
    before, _, after = screen.partition("The table passes to Blue")
    assert before.endswith(CLEAR + "\n")
    assert after.partition("\n")[2].startswith(CLEAR)


def test_a_game_between_people_that_goes_on_begins_with_the_curtain(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    sit(file, "pledge 2\nquit\n")
    screen = sit(file, "", session=load(file, find_game))
    assert "The table passes to" in screen
    assert "foot" not in screen.lower(), "a block was shown before its owner sat down"


def test_undo_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    sit(file, "pledge 0\n\npledge 0\n\nmove red-foot-1\nundo\nmove red-horse-1\nundo\n")
    assert [e.action[0] for e in load(file, find_game).entries] == ["pledge", "pledge"]


def test_undo_of_nothing_says_so(tmp_path: Path) -> None:
    assert "There is nothing to undo yet." in sit(tmp_path / "g.txt", "undo\n")


def test_typed_dice_that_the_computer_cannot_roll_are_put_away(tmp_path: Path) -> None:
    """Against the computer: the game goes on, is saved, and opens again."""
    file = tmp_path / "g.txt"
    session = Session.new(PICKET, "crossing", seed="5")
    lines = "dice 9 9 9 9\n" + "pledge 2\n" + "".join(f"{number}\ndone\n" for number in range(1, 60)) * 4
    screen = sit(file, lines, session=session, seats=("greedy", "human"))
    assert "Your dice are put away" in screen or "a loaded die shows 9" in screen
    assert load(file, find_game).entries
    assert grognard("verify", str(file)).returncode == 0


def test_dice_off_puts_typed_dice_away(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    sit(file, "dice 6 6\ndice off\n", seats=("human", "random"))
    assert load(file, find_game).state.loaded == ()
    assert "dice off" in sit(tmp_path / "h.txt", "dice x\n", seats=("human", "random"))


def test_a_takeback_needs_the_others_consent_and_crosses_what_undo_may_not(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    screen = sit(file, "pledge 2\n\npledge 0\n\nundo\ntakeback 2\nno\n\ntakeback 2\nyes\n\nquit\n")
    assert "cannot be undone" in screen
    assert screen.index("does not agree") < screen.index(" agrees.")
    session = load(file, find_game)
    assert session.entries[-1].action == ("takeback", "0")
    assert session.state.pledge[0] == -1
    assert "agrees." in sit(tmp_path / "h.txt", "pledge 0\ntakeback 1\n", seats=("human", "random"))


def test_resigning_asks_once_and_the_end_stands(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    screen = sit(file, "pledge 0\nresign\nno\nresign\nyes\ntakeback 1\n", seats=("human", "random"))
    assert screen.count("do you give this game up?") == 2
    assert [e.action[0] for e in load(file, find_game).entries][-1] == "resign"
    assert load(file, find_game).result is not None


def test_saving_elsewhere_never_overwrites(tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("precious")
    screen = sit(tmp_path / "g.txt", f"save {other}\nsave {tmp_path / 'new.txt'}\nsave {tmp_path / 'a'}\0b\n")
    assert "exists already" in screen
    assert other.read_text() == "precious"
    assert load(tmp_path / "new.txt", find_game).header.game == "picket"
    assert "Traceback" not in screen


def test_quit_without_a_saved_file_says_so_and_stays_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(session: Session, path: Path) -> None:
        raise GameFileError("not-saved", path=path, why="No space left on device")

    session = Session.new(PICKET, "raid", seed="3")
    file = tmp_path / "g.txt"
    save(session, file)
    monkeypatch.setattr("grognard.cli.terminal.save", full)
    shown: list[str] = []
    lines = io.StringIO("pledge 0\nquit\nquit\npledge 0\n")
    Terminal(session, file, ("human", "random"), "en", lines, shown.append).run()
    screen = "\n".join(shown)
    assert "No space left" in screen
    assert screen.count("are NOT in") == 2
    assert "is safe in" not in screen
    assert lines.read() == "pledge 0\n", "the second quit leaves"


def test_recovering_a_damaged_file_leaves_it_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    sit(file, "pledge 0\n\npledge 0\n\ndone\n")
    damaged = file.read_text("utf-8").replace("red done", "redXdone")
    assert damaged != file.read_text("utf-8")
    file.write_text(damaged, "utf-8")
    assert grognard("play", str(file)).returncode == 1
    for name in ("game-recovered.txt", "game-recovered-2.txt"):
        assert grognard("play", str(file), "--recover", stdin="\nquit\n").returncode == 0
        assert file.read_text("utf-8") == damaged
        assert len(load(tmp_path / name, find_game).entries) == 2


def test_replay_never_overwrites_and_keeps_the_digest_from_a_side(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    sit(file, "pledge 0\n\npledge 0\n")
    assert grognard("replay", str(file), "--out", str(file)).returncode == 2
    assert grognard("replay", str(file), "--out", str(tmp_path / "twin.json")).returncode == 0
    assert "digest" in json.loads(grognard("replay", str(file), "--json").stdout)
    assert "digest" not in json.loads(grognard("replay", str(file), "--json", "--as", "red").stdout)


def test_verify_ends_with_1_where_something_differs(tmp_path: Path) -> None:
    """A file whose own checksum fits, but whose record of a move does not."""
    file = tmp_path / "game.txt"
    sit(file, "pledge 0\n\npledge 0\n")
    assert grognard("verify", str(file)).returncode == 0
    from grognard.kernel.gamefile import read, to_text

    parts = read(file)
    parts.lines[-1].chain = "0" * len(parts.lines[-1].chain)
    file.write_text(to_text(parts), "utf-8")
    done = grognard("verify", str(file))
    assert done.returncode == 1
    assert "the position is not the one that was recorded" in done.stdout


def test_a_saved_game_behind_a_link_stays_behind_it(tmp_path: Path) -> None:
    file, link = tmp_path / "game.txt", tmp_path / "link.txt"
    sit(file, "quit\n")
    os.symlink(file, link)
    sit(link, "pledge 0\n", session=load(link, find_game))
    assert link.is_symlink()
    assert len(load(file, find_game).entries) == 1


def test_rules_take_the_labels_that_the_prompt_shows(tmp_path: Path) -> None:
    screen = sit(tmp_path / "g.txt", "rules 5.4a\nrules 99\n")
    assert "5.4 " in screen
    assert "unknown rule" in screen


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("hits taken", "Red:")), ("fr", ("touches encaissées :", "Rouge :"))]
)
def test_odds_are_told_in_words(tmp_path: Path, lang: str, words: tuple[str, ...]) -> None:
    from grognard.cli.screen import odds_text
    from grognard.kernel.narrate import Narrator

    odds = {"exact": True, "unseen": 0, "hits_taken": {"red": {"0": "1/3", "1": "2/3"}}}
    text = odds_text(odds, Narrator(PICKET, lang))
    assert all(word in text for word in words), text
    assert "hits_taken" not in text
    assert "True" not in text
    assert "66.7 %" in text


def test_a_seed_that_cannot_be_written_is_refused() -> None:
    done = grognard("play", "picket", "raid", "--seed", "a\tb")
    assert done.returncode == 2
    assert "--seed" in done.stderr
