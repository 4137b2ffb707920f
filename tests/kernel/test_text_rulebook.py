"""Sentences and the rule index: look-up, fallbacks, and data errors that name file and place."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from grognard.kernel import DataError, IllegalAction, Refusal, UnknownName
from grognard.kernel import rulebook as rulebook_module
from grognard.kernel.errors import GrognardError
from grognard.kernel.rulebook import Rule, find_rule, rule, rulebook
from grognard.kernel.stacks import OFF_MAP, OnMap, place, restack, stacking_problems, units_in
from grognard.kernel.texts import Texts, read_texts, texts_for
from tests.conftest import SOURCE


def texts(lang: str = "fr") -> Texts:
    fr = {"event.moved": "{unit} va en {hex}", "name.king": "le roi"}
    en = {"event.moved": "{unit} goes to {hex}", "event.rain": "It rains", "name.king": "the king"}
    return Texts(lang, [fr, en] if lang == "fr" else [en])


def test_sentences_are_filled_with_translated_names() -> None:
    assert texts().say("event.moved", unit="king", hex="0405") == "le roi va en 0405"
    assert texts("en").say("event.moved", unit="king", hex=None) == "the king goes to -"


def test_lists_become_enumerations() -> None:
    assert texts().say("event.moved", unit=["king", ("king", 2)], hex=1) == "le roi, le roi, 2 va en 1"


def test_english_stands_in_for_a_missing_translation() -> None:
    assert texts().say("event.rain") == "It rains"


def test_a_missing_sentence_shows_its_key_and_facts() -> None:
    assert texts().say("event.snow", unit="king", depth=3) == "event.snow unit=le roi depth=3"
    assert texts().say("event.snow") == "event.snow"
    assert not texts().has("event.snow")


def test_a_missing_fact_shows_its_name() -> None:
    assert texts().say("event.moved", unit="king") == "le roi va en {hex}"


def test_facts_may_have_any_name() -> None:
    assert texts("en").say("event.snow", key="x", tables=2) == "event.snow key=x tables=2"


def test_text_files_are_read_flat_and_their_errors_name_the_file(tmp_path: Path) -> None:
    good = tmp_path / "en.toml"
    good.write_text('[event]\nmoved = "m"\n[event.deep]\nmore = "d"\n', "utf-8")
    assert read_texts(good) == {"event.moved": "m", "event.deep.more": "d"}
    assert read_texts(tmp_path / "none.toml") == {}
    bad = tmp_path / "bad.toml"
    bad.write_text("[event\n", "utf-8")
    with pytest.raises(DataError, match=r"bad\.toml: .*line 1"):
        read_texts(bad)
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"bad\.toml"):
        read_texts(bad)


def test_a_game_speaks_before_the_program_and_french_before_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    own, common = tmp_path / "games" / "trial" / "text", tmp_path / "text"
    for folder, lang, words in (
        (own, "en", 'a = "game en"\nb = "game en"\nc = "game en"'),
        (own, "fr", 'a = "game fr"'),
        (common, "en", 'a = "all en"\nb = "all en"\nd = "all en"'),
        (common, "fr", 'a = "all fr"\nb = "all fr"'),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{lang}.toml").write_text(words, "utf-8")
    french, english = (texts_for.__wrapped__("trial", lang) for lang in ("fr", "en"))
    assert [french.say(key) for key in "abcd"] == ["game fr", "all fr", "game en", "all en"]
    assert [english.say(key) for key in "abcd"] == ["game en", "game en", "game en", "all en"]


def test_the_module_of_sentences_does_not_hide_the_declaration_of_the_same_name() -> None:
    """`from grognard.kernel import text` is a field of a position, whatever was imported before."""
    for first in ("grognard.kernel.texts", "grognard.kernel.narrate", "grognard.games"):
        words = f"import {first}; from grognard.kernel import PUBLIC, text; text(PUBLIC)"
        subprocess.run([sys.executable, "-c", words], env=os.environ | {"PYTHONPATH": str(SOURCE)}, check=True)


def test_an_unknown_language_is_english() -> None:
    assert texts_for("picket", "tlh").lang == "en"


# Rulebook

GOOD = '[[rule]]\nid = "1.1"\ntier = "core"\ntitle = "T"\ntitre = "Ti"\ntext = "Says"\ntexte = "Dit"\n'


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A place with rulebooks of our own; returns a function that writes one."""
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    monkeypatch.setattr(rulebook_module, "rulebook", rulebook.__wrapped__)

    def write(content: str | bytes, game: str = "trial") -> None:
        folder = tmp_path / "games" / game / "data"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "rulebook.toml").write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def read(game: str) -> dict[str, Rule]:
    return rulebook.__wrapped__(game)


def test_rules_are_read_in_their_order(books: Any) -> None:
    books(GOOD + GOOD.replace("1.1", "0.9"))
    rules = read("trial")
    assert list(rules) == ["1.1", "0.9"]
    assert rules["1.1"].in_language("fr") == ("Ti", "Dit")
    assert rules["1.1"].in_language("en") == ("T", "Says")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD.replace('titre = "Ti"\n', ""), r"rulebook\.toml: rule 1\.1: 'titre' is missing or empty"),
        (GOOD.replace('"Dit"', '"  "'), r"rule 1\.1: 'texte' is missing or empty"),
        (GOOD.replace('"core"', "3"), r"rule 1\.1: 'tier' is missing"),
        (GOOD.replace('id = "1.1"\n', ""), "rule 1: 'id' is missing"),
        (GOOD + GOOD, r"rule 1\.1: stands twice"),
        ("[[rule]\n", r"rulebook\.toml: .*line 1"),
        (b"\xff\xff", r"rulebook\.toml: .*utf-8"),
    ],
)
def test_a_bad_rulebook_says_where(books: Any, content: str, message: str) -> None:
    books(content)
    with pytest.raises(DataError, match=message):
        read("trial")


def test_a_game_without_rulebook_is_named(books: Any) -> None:
    with pytest.raises(DataError, match=r"nowhere.*rulebook\.toml: the game has no rulebook"):
        read("nowhere")


def test_an_unknown_rule_suggests_near_ones(books: Any) -> None:
    books(GOOD)
    with pytest.raises(UnknownName, match=r"unknown rule of trial '1\.2'; did you mean: 1\.1"):
        find_rule("trial", "1.2")
    assert find_rule("trial", "1.1").title == "T"


def test_the_mark_leaves_its_function_alone() -> None:
    def march() -> int:
        return 4

    assert rule("4.1", "4.2")(march) is march


# Errors


def test_errors_carry_the_thing_the_rule_and_the_way_out() -> None:
    error = IllegalAction(Refusal("3.10", "stacking", {"limit": 3}))
    assert str(error) == "stacking (3.10) {'limit': 3}"
    assert error.refusal.to_json() == {"rule": "3.10", "reason": "stacking", "data": {"limit": 3}}
    assert str(UnknownName("game", "pickett", ["picket", "bitw"])) == "unknown game 'pickett'; did you mean: picket?"
    assert str(UnknownName("game", "zzz", [])) == "unknown game 'zzz'; none exist"
    assert str(DataError("units.csv", "line 4", "no such side")) == "units.csv: line 4: no such side"


# Stacks


def test_who_stands_where_is_kept_in_step() -> None:
    s = OnMap.blank(units=5, hexes=3)
    for unit, hex in ((3, 1), (0, 1), (4, 1), (2, 0)):
        place(s, unit, hex)
    assert list(units_in(s, 1)) == [0, 3, 4]
    place(s, 3, 0)
    place(s, 0, OFF_MAP)
    place(s, 4, 1)
    assert [list(units_in(s, hex)) for hex in range(3)] == [[2, 3], [4], []]
    assert stacking_problems(s) == []
    s.at[4] = 2
    assert stacking_problems(s) == ["the lists of units by hex do not match where the units stand"]
    restack(s)
    assert list(units_in(s, 2)) == [4]
    assert stacking_problems(s) == []


def test_a_unit_moved_past_place_is_found_out_instead_of_searched_for_ever() -> None:
    s = OnMap.blank(units=2, hexes=3)
    place(s, 1, 0)
    s.at[1] = 2
    with pytest.raises(GrognardError, match="without `place`"):
        place(s, 1, 1)


def test_a_size_that_blank_was_not_given_is_named() -> None:
    with pytest.raises(GrognardError, match="give the number of 'hexes', for the column 'first_in'"):
        OnMap.blank(units=2)
