"""The rulebook as a book: every rule stands in one chapter, and what tells of a rule leads there."""

from __future__ import annotations

import pytest

from grognard.games import rulebook_names
from grognard.kernel.chapters import chapters
from grognard.kernel.rulebook import rulebook


@pytest.mark.parametrize("game", rulebook_names())
def test_every_rule_stands_in_one_chapter(game: str) -> None:
    found = [rule for chapter in chapters(game) for rule in chapter.rules]
    assert sorted(found) == sorted(rulebook(game))
    assert all(chapter.rules for chapter in chapters(game)), "an empty chapter"
    for lang in ("en", "fr"):
        titles = [chapter.in_language(lang) for chapter in chapters(game)]
        assert len(set(titles)) == len(titles)
