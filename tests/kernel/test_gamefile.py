"""Game files: lossless in both forms, every damage found, nothing lost while saving."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from grognard.kernel import GameFileError, GrognardError, UnknownName, gamefile, seed_from
from grognard.kernel.gamefile import (
    from_json,
    from_session,
    from_text,
    load,
    read,
    replay,
    save,
    to_json,
    to_text,
    verify,
    write_atomically,
)
from grognard.kernel.session import Session
from tests.conftest import ROOT, SOURCE
from tests.kernel.tiny import BLOCKS_GAME, HANDS_GAME, STROLL, find_tiny

ANN, BOB = 0, 1


def played(title: str = "Été 44 : « le bac »") -> Session:
    """A session with every kind of line in it."""
    session = Session.new(
        STROLL, "lane", {"wind": "on"}, seed=seed_from(5), game_id="g7", entropy=("ann's", "Böb; x=y"), title=title
    )
    for word in ("step 2", "roll", "look", "pass"):
        session.act(ANN, tuple(word.partition(" ")[::2]))  # type: ignore[arg-type]
    session.type_dice([2, 5])
    session.act(BOB, ("roll", ""))
    session.ask_takeback(ANN, 2)
    session.answer_takeback(BOB, True)
    session.act(ANN, ("roll", ""))
    session.act(ANN, ("roll", ""))
    session.resign(BOB)
    return session


TEXT = to_text(from_session(played()))


def resealed(text: str) -> str:
    """A file edited by somebody who knows how to make the checksum fit."""
    file = from_text(text, recover=True)
    return to_text(file)


# Round trips


def test_text_and_twin_round_trips_are_lossless() -> None:
    file = from_session(played())
    assert from_text(to_text(file)) == file
    assert from_json(json.dumps(to_json(file))) == file
    assert to_text(from_json(json.dumps(to_json(from_text(TEXT))))) == TEXT


@pytest.mark.parametrize("name", ["game.txt", "game.json", "game"])
def test_saving_and_loading_gives_the_same_session(tmp_path: Path, name: str) -> None:
    session = played()
    save(session, tmp_path / name)
    again = load(tmp_path / name, find_tiny)
    assert (again.chain, again.state.digest()) == (session.chain, session.state.digest())
    assert again.header == session.header
    assert [e.events for e in again.entries] == [e.events for e in session.entries]
    assert to_text(from_session(again)) == TEXT
    assert verify(read(tmp_path / name), find_tiny).problems == []


def test_the_text_is_what_a_person_can_read() -> None:
    rows = TEXT.split("\n")
    assert rows[:5] == ["grognard: 2", "game: stroll", "rules: 1", f"data: {played().header.data}", "scenario: lane"]
    assert "ann step 2" in rows
    assert "    stepped [1.1] side=0 steps=2" in rows
    assert "    looked!0 [1.3] purse=3" in rows
    assert "* dice 2 5" in rows
    assert "* takeback 2" in rows
    assert rows[-2].startswith("end: 10 actions, checksum ")


def test_titles_keep_to_one_line() -> None:
    session = played("two\nlines\u2028and  more \udcff ")
    file = from_text(to_text(from_session(session)))
    assert file.header["title"] == "two lines and more ?"
    assert replay(file, find_tiny).header == session.header


def test_comments_are_welcome_but_must_be_under_the_checksum() -> None:
    text = TEXT.replace("ann step 2\n", "ann step 2\n    # a bold opening\n", 1)
    with pytest.raises(GameFileError, match="checksum"):
        from_text(text)
    body = text[: text.rindex("end: ")]
    sealed = f"{body}end: 10 actions, checksum {gamefile._checksum(body)}\n"
    assert from_text(sealed) == from_session(played())


def test_a_game_in_play_can_be_saved_at_every_entry(tmp_path: Path) -> None:
    whole = played()
    for at in range(len(whole.entries) + 1):
        part = replace(from_session(whole), lines=from_session(whole).lines[:at])
        session = replay(from_text(to_text(part)), find_tiny)
        assert session.state.digest() == whole.position(at).digest()
        assert from_session(session) == part


# One side's copy


def test_a_sides_copy_holds_no_seed_and_no_secret() -> None:
    session = played()
    text = to_text(from_session(session, BOB))
    assert "seed: withheld" in text
    assert session.header.seed not in text
    assert "purse" not in text
    assert "\nann ?\n" in text
    assert from_text(text) == from_session(session, BOB)
    with pytest.raises(GameFileError, match="its seed is withheld, so it can be read but not replayed"):
        replay(from_text(text), find_tiny)


def test_a_sides_copy_names_no_hidden_unit() -> None:
    session = Session.new(BLOCKS_GAME, "row", seed=seed_from(2))
    session.act(ANN, ("take", "ann-king"))
    session.act(ANN, ("put", "3"))
    assert "ann-king" not in to_text(from_session(session, BOB))
    assert "ann-king" in to_text(from_session(session, ANN))


def test_a_sides_copy_holds_no_open_secret_choice() -> None:
    session = Session.new(HANDS_GAME, "best-of-three", seed="x")
    session.act(ANN, ("show", "stone"))
    assert "stone" not in to_text(from_session(session, BOB))


# Damage


def test_one_changed_byte_anywhere_is_found() -> None:
    raw = TEXT.encode()
    path = Path("memory")
    for position in range(len(raw)):
        for flip in (1 << (position % 8), 0x80):
            damaged = bytearray(raw)
            damaged[position] ^= flip
            assert _is_found(bytes(damaged), path), f"byte {position} {raw[position]:#x} ^ {flip:#x}"


def _is_found(raw: bytes, path: Path) -> bool:
    try:
        content = raw.decode("utf-8")
    except UnicodeDecodeError:
        return True
    try:
        from_json(content) if content.lstrip().startswith("{") else from_text(content)
    except GameFileError:
        return True
    return False


def test_one_changed_byte_of_the_twin_is_found_or_means_nothing() -> None:
    """White space between the tokens of JSON may change; nothing else may."""
    file = from_session(played())
    raw = json.dumps(to_json(file), ensure_ascii=False, indent=1).encode()
    harmless = 0
    for position in range(0, len(raw), 3):
        damaged = bytearray(raw)
        damaged[position] ^= 1 << (position // 3 % 7)
        if not _is_found(bytes(damaged), Path("memory")):
            assert from_json(damaged.decode()) == file
            harmless += 1
    assert harmless < len(raw) // 20


def test_a_file_cut_off_anywhere_is_found_and_recovers_what_is_whole() -> None:
    whole = from_text(TEXT)
    header_ends = TEXT.index("\n\n") + 2
    lengths = set()
    for cut in range(header_ends, len(TEXT)):
        with pytest.raises(GameFileError):
            from_text(TEXT[:cut])
        part = from_text(TEXT[:cut], recover=True)
        if part.lines:
            part.lines[-1].chain = whole.lines[len(part.lines) - 1].chain  # the last digest may be cut
            assert [(x.side, x.verb, x.target) for x in part.lines] == [
                (x.side, x.verb, x.target) for x in whole.lines[: len(part.lines)]
            ]
        lengths.add(len(part.lines))
    assert lengths == set(range(len(whole.lines) + 1))


def test_a_cut_file_says_so_and_recovers_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt"
    path.write_text(TEXT[: TEXT.index("* dice") + 3], "utf-8")
    with pytest.raises(GameFileError, match=r"cut\.txt: the last line 'end: …' is missing.*--recover"):
        load(path, find_tiny)
    session = load(path, find_tiny, recover=True)
    assert len(session.entries) == 4
    assert session.state.digest() == played().position(4).digest()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n ", "the file is empty"),
        (b"grognard: 1\n\xff\xfe\n", r"not UTF-8 text \(byte 12\)"),
        (b"\x89PNG\r\n\x1a\n", "not UTF-8"),
        (b"hello\n", "'end: …' is missing"),
        (b"\xef\xbb\xbfgrognard: 1\nend: 0\n", "line 1: .* is no header line"),
        (b"{", "not whole JSON"),
        (b"{}", "this JSON is no game file"),
        (b'{"header": []}', "this JSON is no game file"),
        (b'{"header": 5, "actions": 5}', "this JSON is no game file"),
        (b'{"a":' * 100_000, "this JSON is no game file"),
        (b'{"header": ' + b"1" * 5000 + b"}", "this JSON is no game file"),
    ],
)
@pytest.mark.parametrize("recover", [False, True])
def test_what_is_no_game_file_is_named(tmp_path: Path, content: bytes, message: str, recover: bool) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(GameFileError) as caught:
        load(path, find_tiny, recover=recover)
    assert str(caught.value).startswith(str(path))
    if not recover:
        caught.match(message)


def test_missing_folder_huge_and_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameFileError, match=r"none\.txt: there is no such file"):
        read(tmp_path / "none.txt")
    with pytest.raises(GameFileError, match="this is a folder, not a game file"):
        read(tmp_path)
    with pytest.raises(GameFileError, match="cannot be read"):
        read(tmp_path / ("x" * 300))
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as out:
        out.truncate(gamefile.LARGEST + 1)  # sparse
    with pytest.raises(GameFileError, match="larger than 64 MB"):
        read(huge)
    monkeypatch.setattr(gamefile, "LARGEST", 1000)
    with pytest.raises(GameFileError, match="larger than"):
        read(Path("/dev/zero"))


def test_a_surrogate_in_the_twin_is_no_crash() -> None:
    data = to_json(from_session(played()))
    data["header"] = {**data["header"], "title": "\ud800"}
    with pytest.raises(GameFileError, match="this JSON is no game file"):
        from_json(json.dumps(data))


def test_another_format_is_named() -> None:
    with pytest.raises(GameFileError, match="format '3'; this program reads format 2"):
        from_text(TEXT.replace("grognard: 2", "grognard: 3"), recover=True)
    data = to_json(from_session(played()))
    data["header"] = {**data["header"], "grognard": "3"}
    with pytest.raises(GameFileError, match="format '3'"):
        from_json(json.dumps(data))


@pytest.mark.parametrize("key", gamefile.KEYS)
def test_a_header_line_that_is_missing_is_named(key: str) -> None:
    rows = [row for row in TEXT.split("\n") if not row.startswith(f"{key}:")]
    with pytest.raises(GameFileError, match=f"the header lacks {key}"):
        from_text("\n".join(rows), recover=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("scenario: lane", "scene: lane", "line 5: 'scene: lane' is no header line"),
        ("rules: 1", "rules: 2", "played under rules version 2 of stroll; this program has version 1. Replay it with"),
        ("rules: 1", "rules: one", "cannot be read"),
        ("options: wind=on", "options: wind", "cannot be read"),
        ("options: wind=on", "options: wint=on", "unknown option 'wint'"),
        ("scenario: lane", "scenario: land", "unknown scenario 'land'; did you mean: lane"),
        ('entropy: ["', 'entropy: ["\\', "cannot be read"),
        ('entropy: ["', "entropy: 5\ntitle: ", "cannot be read"),
        ("ann step 2", "ann step 9", r"action 1 \(ann step 9\) is refused: one-to-three \(1.1\)"),
        ("ann step 2", "eve step 2", "action 1: unknown side 'eve'"),
        ("ann step 2", "bob step 2", r"action 1 \(bob step 2\) is refused: not-your-decision"),
        ("* dice 2 5", "* dice ²", r"action 5: the table does not understand '\* dice ²'"),
        ("* dice 2 5", "* dice 9 9", "action 6: a loaded die shows 9"),
        ("* takeback 2", "* takeback 99", "action 7: the table does not understand"),
        ("* resign bob", "* resign eve", "action 10: the table does not understand"),
        ("* resign bob", "* dance", "action 10: the table does not understand"),
        (f"seed: {seed_from(5)}", "seed: ?", "a die with 6 faces is wanted"),
    ],
)
def test_a_sealed_file_that_cannot_be_played_says_where(old: str, new: str, message: str) -> None:
    assert TEXT.count(old) == 1

    def play() -> None:
        file = from_text(TEXT.replace(old, new), recover=True)
        if old.startswith("seed"):
            file.header["id"] = file.header["entropy"] = ""
        replay(file, find_tiny)

    with pytest.raises(GrognardError, match=message):
        play()


def test_an_unknown_game_is_named() -> None:
    def nothing(name: str) -> None:
        raise UnknownName("game", name, ["picket"])

    with pytest.raises(UnknownName, match="unknown game 'stroll'; did you mean: picket"):
        replay(from_text(TEXT), nothing)  # type: ignore[arg-type]


# Verify


def test_verify_counts_actions_rolls_and_typed_dice() -> None:
    verdict = verify(from_text(TEXT), find_tiny)
    assert (verdict.actions, verdict.rolls, verdict.typed, verdict.problems) == (10, 4, 2, [])


def edit_die(text: str) -> str:
    head, mark, tail = text.partition("ann roll\n    roll [1.2] dice=[")
    return head + mark + str(int(tail[0]) % 6 + 1) + tail[1:]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (edit_die, r"action 2: not what the dice and rules give: roll \[1\.2\] dice="),
        (lambda t: t.replace("    stepped [1.1] side=0 steps=2\n", ""), "action 1: not what .* a line is missing"),
        (lambda t: t.replace("steps=2", "steps=3"), "action 1: not what the dice and rules give: stepped"),
        (lambda t: t.replace("ann step 2", "ann step 1"), "action 1: not what the dice and rules give"),
        (lambda t: t.replace("    roll [1.0]", "    roll [1.9]"), "the set-up does not come out as written"),
        (lambda t: t.replace("\n    = ", "\n    = 0", 1), "action 1: the position is not the one that was recorded"),
        (lambda t: t.replace("commitment: ", "commitment: 0"), "the seed is not the one that was committed to"),
        (lambda t: t.replace(seed_from(5), seed_from(6)), "the seed is not the one that was committed to"),
        (lambda t: t.replace("data: ", "data: 0"), "the game's data files are not those that it was played with"),
        (lambda t: t.replace("id: g7", "id: g8"), "action 1: the position is not|does not come out"),
        (lambda t: t.replace("Böb", "Bob").replace("B\\u00f6b", "Bob"), "not what|does not come out"),
    ],
)
def test_verify_finds_what_was_edited_under_a_new_checksum(edit: Callable[[str], str], message: str) -> None:
    edited = resealed(edit(TEXT))
    assert edited != TEXT
    verdict = verify(from_text(edited), find_tiny)
    assert any(re.search(message, problem) for problem in verdict.problems), verdict.problems


def test_actions_cannot_be_dropped_unseen() -> None:
    rows = TEXT.split("\n")
    at = rows.index("ann look")
    edited = resealed("\n".join(rows[:at] + rows[at + 3 :]))
    assert verify(from_text(edited), find_tiny).problems


# Saving


def leftovers(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@pytest.mark.parametrize("broken", ["fsync", "replace", "write"])
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    path = tmp_path / "game.txt"
    session = played()
    save(session, path)
    before = path.read_bytes()

    def full(*args: object, **kw: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if broken == "write":

        class Full:
            def __init__(self, handle: int) -> None:
                self.handle = handle

            def __enter__(self) -> Full:
                return self

            def __exit__(self, *args: object) -> None:
                os.close(self.handle)

            write = full

        monkeypatch.setattr(os, "fdopen", lambda handle, *args, **kw: Full(handle))
    else:
        monkeypatch.setattr(os, broken, full)
    with pytest.raises(GameFileError, match=r"not saved .No space left on device.; the file on disk is as it was"):
        save(Session.new(STROLL, "park", seed="x"), path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert leftovers(tmp_path) == ["game.txt"]
    assert load(path, find_tiny).chain == session.chain


LIMITED = """
import resource, signal, sys
from pathlib import Path
from tests.kernel.test_gamefile import *
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
try:
    save(played(), Path(sys.argv[1]))
except GameFileError as error:
    print(error)
"""


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCE), str(ROOT)]), "PYTHONDONTWRITEBYTECODE": "1"}


def test_a_write_that_stops_half_way_leaves_the_old_file_whole(tmp_path: Path) -> None:
    """The system itself cuts the write off after 700 bytes, in the middle of the file."""
    path = tmp_path / "game.txt"
    save(played("old"), path)
    before = path.read_bytes()
    run = [sys.executable, "-c", LIMITED, str(path)]
    out = subprocess.run(run, env=environment(), capture_output=True, text=True, check=True).stdout
    assert "not saved (File too large); the file on disk is as it was before" in out
    assert path.read_bytes() == before
    assert leftovers(tmp_path) == ["game.txt"]


SAVER = """
import os, signal, sys, tempfile
from pathlib import Path
from grognard.kernel.gamefile import load, save
from grognard.kernel.session import Session
from tests.kernel.tiny import STROLL, find_tiny
path, step, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def deadly(call):
    def counted(*args, **more):
        global count
        count -= 1
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **more)
    return counted

for place, name in (os, "fsync"), (os, "replace"), (os, "close"), (tempfile, "mkstemp"):
    if name == step:
        setattr(place, name, deadly(getattr(place, name)))
session = load(path, find_tiny) if path.exists() else Session.new(STROLL, "park", seed="x")
while True:
    session.act(0, ("step", "1"))
    save(session, path)
    print(len(session.entries), flush=True)
"""


def kill_a_saver(path: Path, saved: int, step: str = "", count: int = 0, patience: float = 0) -> int:
    """A saver goes on from the file, dies, and the file holds what it acknowledged, or one action more."""
    run = [sys.executable, "-c", SAVER, str(path), step, str(count)]
    process = subprocess.Popen(run, env=environment(), stdout=subprocess.PIPE)
    assert process.stdout is not None
    first = process.stdout.readline()
    if not step:
        time.sleep(patience)
        process.send_signal(signal.SIGKILL)
    acknowledged = [*first.split(), *process.stdout.read().split()]
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL, "the saver ended by itself"
    last = int(acknowledged[-1]) if acknowledged else saved
    entries = len(load(path, find_tiny).entries)
    assert entries - last in (0, 1)
    if acknowledged:
        assert int(acknowledged[0]) == saved + 1, "the saver did not go on where the file ended"
    return entries


# in one save: the file beside is made, synced, renamed, then its folder is opened, synced and closed
@pytest.mark.parametrize(
    ("step", "counts", "left"),
    [
        ("mkstemp", (1, 2, 5), 0),
        ("fsync", (1, 3), 1),
        ("fsync", (2, 4), 0),
        ("replace", (1, 3), 1),
        ("close", (1, 2), 0),
    ],
)
def test_kill_9_inside_a_save(tmp_path: Path, step: str, counts: tuple[int, ...], left: int) -> None:
    """The process dies at a chosen call of a chosen save; whatever lies beside, the game file is whole."""
    path = tmp_path / "game.txt"
    save(Session.new(STROLL, "park", seed="x"), path)
    saved = 0
    for count in counts:
        saved = kill_a_saver(path, saved, step, count)
        beside = list(tmp_path.glob(".*.tmp"))
        assert len(beside) == left
        for rest in beside:
            rest.unlink()
    assert saved > 0 or step != "mkstemp"


def test_kill_9_at_any_moment_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """A process that saves, acknowledges and plays on is killed without warning, again and again."""
    path, random, saved = tmp_path / "game.txt", Random(9), 0
    for _ in range(12):
        if saved > 400:
            path.unlink()
            saved = 0
        saved = kill_a_saver(path, saved, patience=random.uniform(0, 0.05))


def test_where_nothing_can_be_written_the_error_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(GameFileError, match="cannot write here"):
        write_atomically(tmp_path / "file" / "game.txt", "x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(GameFileError, match="not saved"):
        write_atomically(tmp_path / "folder", "x")
    assert leftovers(tmp_path) == ["file", "folder"]


def test_folders_are_made_and_content_is_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "game.txt"
    write_atomically(path, "é\nx\r\n")
    assert path.read_bytes() == "é\nx\r\n".encode()
    assert leftovers(path.parent) == ["game.txt"]
