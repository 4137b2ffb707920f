"""Lessons: a game with fixed dice, a coach who says one thing at a time, and others who play as they were recorded.

A lesson is data (`games/GAME/lessons/NAME.toml`, see `lesson.py`); it is played by the same session as every other game
(`play.py`). Knows the contract only.
"""

from grognard.teach.lesson import Lesson, Step, lesson_names, lesson_of, lesson_of_mark, mark_of
from grognard.teach.play import Progress, answer_of, begin, let_others, play, progress

__all__ = [
    "Lesson", "Progress", "Step", "answer_of", "begin", "lesson_names", "lesson_of", "lesson_of_mark", "let_others",
    "mark_of", "play", "progress",
]  # fmt: skip
