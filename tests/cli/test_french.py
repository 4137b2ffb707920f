"""Commands that measure and check, and what is wrong with a game file, in French as in English."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import grognard
from grognard.cli.main import main
from grognard.games import find_game
from grognard.kernel import GameFileError, IllegalAction, Refusal, UnknownName
from grognard.kernel.gamefile import from_session, save, to_text
from grognard.kernel.options import OptionConflict
from grognard.kernel.session import Session
from grognard.kernel.texts import error_text, read_texts, texts_for
from grognard.lab.fuzz import fuzz_game

PACKAGE = Path(grognard.__file__).parent
Said = tuple[int, str, str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str) -> Said:
        code = 0
        try:
            main(list(words))
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def session() -> Session:
    session = Session.new(find_game("picket"), "raid", seed="7")
    for _ in range(6):
        side = session.state.waiting[0]
        session.act(side, session.game.orders(session.state, side)[0])
    return session


@pytest.fixture
def file(session: Session, tmp_path: Path) -> Path:
    path = tmp_path / "partie.txt"
    save(session, path)
    return path


def test_verify_says_that_all_is_well(run: Any, file: Path) -> None:
    french = f"{file} : 6 actions et 0 jets sont bien ceux que donnent les règles et la graine\n"
    assert run("verify", str(file), "--lang", "fr") == (0, french, "")
    english = f"{file}: 6 actions and 0 rolls are as the rules and the seed give\n"
    assert run("verify", str(file), "--lang", "en") == (0, english, "")


def test_verify_says_what_differs(run: Any, session: Session, file: Path) -> None:
    forged = from_session(session)
    forged.lines[2].chain = "0" * 16
    file.write_text(to_text(forged), "utf-8")
    code, out, _ = run("verify", str(file), "--lang=fr")
    assert (code, out) == (1, f"{file} : action 3 : la position n’est pas celle qui avait été notée\n")
    verdict = json.loads(run("verify", str(file), "--lang", "fr", "--json")[1])
    assert verdict["problems"] == ["action 3: the position is not the one that was recorded"]


@pytest.mark.parametrize(
    ("spoil", "french"),
    [
        (lambda raw: b"", "le fichier est vide"),
        (lambda raw: b"\xff" + raw, "pas du texte UTF-8 (octet 0)"),
        (lambda raw: raw[:-30], "le fichier est tronqué"),
        (lambda raw: raw.replace(b"pledge 0", b"pledge 1", 1), "le fichier a été modifié"),
        (lambda raw: raw.replace(b"game: ", b"jeu: ", 1), "n’est pas une ligne d’en-tête"),
        (lambda raw: b"{}", "manque ou n’est pas du bon type"),
    ],
)
def test_a_damaged_file_is_told_in_french(run: Any, file: Path, spoil: Any, french: str) -> None:
    file.write_bytes(spoil(file.read_bytes()))
    for command in ("verify", "replay"):
        code, _, err = run(command, str(file), "--lang", "fr")
        assert code == 1
        assert err.startswith(f"grognard: {file} : ")
        assert french in err


def test_a_missing_file_too(run: Any, tmp_path: Path) -> None:
    code, _, err = run("verify", str(tmp_path / "x"), "--lang", "fr")
    assert (code, err) == (1, f"grognard: {tmp_path / 'x'} : ce fichier n’existe pas\n")


def test_a_refused_action_is_told_with_the_games_own_sentence(run: Any, session: Session, file: Path) -> None:
    forged = from_session(session)
    forged.lines[0].target = "2" if forged.lines[0].target == "9" else "9"
    file.write_text(to_text(forged), "utf-8")
    code, _, err = run("replay", str(file), "--lang", "fr")
    assert code == 1
    assert re.search(r"action 1 \(red pledge 9\) refusée : On ne peut engager 9 ordres .* \(3\.1\)$", err.strip())


def test_errors_within_errors() -> None:
    lost = GameFileError("action-fails", number=3, why=UnknownName("side", "bleu", ["red", "blue"]))
    assert error_text(GameFileError("in", path="p", what=lost), "fr").startswith("p : action 3 : camp : « bleu »")
    assert str(lost) == "action 3: unknown side 'bleu'; did you mean: blue?"
    assert error_text(IllegalAction(Refusal("1", "no-such-reason")), "fr") == "no-such-reason (1)"


def test_options_that_do_not_go_together_are_told_by_their_labels_and_names() -> None:
    with pytest.raises(OptionConflict) as refused:
        find_game("bitw").resolve_options({"charge": "on"}, "SBW1")
    assert error_text(refused.value, "fr", "bitw") == (
        "Charges de cavalerie [charge] (20.0) demande Règles avancées [advanced] ; "
        "activez aussi la seconde option, ou laissez la première de côté"
    )
    assert error_text(refused.value, "en", "bitw").startswith("Cavalry charges [charge] (20.0) needs Advanced ")


def test_fuzz_speaks_french(run: Any) -> None:
    code, out, _ = run("fuzz", "picket", "--games", "2", "--jobs", "1", "--lang", "fr")
    assert code == 0
    assert re.fullmatch(r"2 parties, \d+ décisions, 0 échecs\n", out)


def test_what_fuzz_finds_is_told_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("picket")
    monkeypatch.setattr(type(game), "problems", lambda self, s: ["the sky falls"])
    _, found = fuzz_game("picket", "raid", "a")
    assert found is not None
    assert str(found).startswith("picket raid, seed 'a', step 0: the sky falls (")
    assert found.told(texts_for("picket", "fr")).startswith("picket raid, graine « a », pas 0 : the sky falls (")


def test_bench_speaks_french_and_its_json_english(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.cli.bench_cmd.start_time", lambda: 1234.5)
    out = tmp_path / "bench.json"
    code, shown, _ = run("bench", "picket", "--seconds", "0.1", "--lang", "fr", "--out", str(out))
    assert code == 0
    assert shown.startswith("étalons\n")
    assert "1\u202f234,50" in shown
    figures = json.loads(out.read_text("utf-8"))
    names = [name for rows in figures.values() for name in rows]
    assert "enforced decisions per second" in names
    french = texts_for("", "fr").tables[1]
    assert [name for name in names if f"bench.{name}" not in french] == []
    assert not any(name in shown for name in names if "grognard" not in name)


def keys_raised(*errors: str) -> set[str]:
    """Every key of such an error in the sources."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors:
                worked_out = [
                    n for f in ast.walk(node.args[0]) if isinstance(f, ast.FormattedValue) for n in ast.walk(f)
                ]
                words = [n for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant) and n not in worked_out]
                found |= {str(word.value) for word in words}
    return found


def test_every_sentence_of_the_program_is_there_in_both_languages_with_the_same_facts() -> None:
    english, french = (texts_for("", lang).tables[1] for lang in ("en", "fr"))
    for section, errors, least in (("file", ["GameFileError"], 25), ("lab-error", ["LabError", "SeedsUsed"], 20)):
        keys = {f"{section}.{key}" for key in keys_raised(*errors)}
        assert len(keys) > least
        assert [key for key in keys if not any(told.startswith(key) for told in english)] == []
    for key in (key for key in english if key.startswith(("file.", "fuzz.", "bench.", "lab-error.", "table-error."))):
        facts = [{name for _, name, _, _ in Formatter().parse(table[key]) if name} for table in (english, french)]
        assert facts[0] == facts[1], key
    orders = {key for key in french if key.startswith("order.")}  # an English order is its verb
    assert set(english) == set(french) - orders


def kinds_of_unknown_names() -> set[str]:
    """What can be unknown, by the first words of every call and of every kind of noun."""
    found = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("UnknownName", "Named"):
                first = node.args[0]
                first = first.values[0] if isinstance(first, ast.JoinedStr) else first
                if isinstance(first, ast.Constant):
                    whole = str(first.value).strip().replace(" ", "-")
                    found.add(whole if whole == "level-of-play" else re.split("-(of|in)(-|$)", whole)[0])
    return found


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_everything_that_can_be_unknown_has_a_word(lang: str) -> None:
    words = read_texts(PACKAGE / "text" / f"{lang}.toml")
    kinds = kinds_of_unknown_names()
    assert len(kinds) > 25
    assert [kind for kind in sorted(kinds) if f"unknown.{kind}" not in words] == []
