"""Lists in sentences: what stands there several times is told once, with its number."""

from __future__ import annotations

from grognard.kernel.texts import counted, texts_for


def test_what_repeats_is_told_once_with_its_number() -> None:
    assert counted(["a", "b", "a", "a"]) == ["3 × a", "b"]
    assert texts_for("surrender", "en").name(["ground-support"] * 2) == "2 × Ground Support"


def test_dice_are_told_one_by_one() -> None:
    assert texts_for("surrender", "en").name([4, 1, 1]) == "4, 1, 1"
