"""`grognard learn`: the coach in the terminal."""

from __future__ import annotations

from pathlib import Path

from grognard.teach import lesson_of
from tests.cli.test_commands import grognard


def learn(lines: list[str], path: Path, *more: str) -> str:
    done = grognard("learn", "picket", "--file", str(path), *more, stdin="\n".join([*lines, ""]))
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.replace("  > ", " ").split())


def test_the_whole_lesson_can_be_shown(tmp_path: Path) -> None:
    told = learn(["show"] * 60, tmp_path / "a.txt")
    for step in lesson_of("picket", "first").steps:
        assert " ".join(step.says["en"].split()) in told
    assert "Victory: Red" in told


def test_another_move_is_explained_and_one_can_come_back(tmp_path: Path) -> None:
    told = learn(["montrer", "prendre red-horse-1", "retour", "montrer", "quitter"], tmp_path / "b.txt", "--lang", "fr")
    step = next(s for s in lesson_of("picket", "first").steps if s.do == ("move", "red-guns-1"))
    assert "C’est permis aussi." in told
    assert step.others["fr"] in told
    assert told.count(step.says["fr"]) == 2, "said before, and again after coming back"


def test_lessons_are_listed() -> None:
    assert "Votre première partie (15 min)" in grognard("learn", "--lang", "fr").stdout
