"""`grognard learn`: a lesson in the terminal, with the coach who also sits beside the browser's table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.cli.play_cmd import new_file
from grognard.cli.seats import HUMAN
from grognard.cli.terminal import Terminal
from grognard.games import find_game, playable_names
from grognard.kernel.flow import Order
from grognard.kernel.gamefile import save
from grognard.kernel.record import Side
from grognard.kernel.texts import texts_for
from grognard.teach import Lesson, answer_of, lesson_names, lesson_of, play, progress
from grognard.teach.play import seek as find_seed
from grognard.teach.play import write_record, write_seed


class Lecture(Terminal):
    """A table whose coach speaks before each decision."""

    def __init__(self, lesson: Lesson, step: int, path: Path, lang: str, echo: Any) -> None:
        self.lesson = lesson
        session = play(lesson, step, lesson.titles[lang])
        seats = tuple(HUMAN if side == lesson.side else lesson.level for side in session.game.sides)
        super().__init__(session, path, seats, lang, sys.stdin, echo)
        self.commands |= {"coach": self.coach, "show": self.show, "back": self.back}
        self.called |= {self.narrator.say(f"command.{name}"): name for name in ("coach", "show", "back")}
        self.heard: tuple[int, int] | None = None  # what the coach said last: up to which step, and how far astray

    def _ask(self, side: Side) -> bool:
        now = progress(self.lesson, self.session)
        if self.reader is None:
            self.reader = side
            self.map([])
        self._tell_news(side)
        if self.heard != (now.step, now.astray):
            self.speak()
        return super()._ask(side)

    def _let_play(self, side: Side, player: Any) -> None:
        """The others do what was recorded, as long as the learner stays on the way."""
        order = answer_of(self.lesson, self.session, side)
        if order is None:
            super()._let_play(side, player)
        else:
            self._act(side, order)

    def _end(self) -> None:
        super()._end()
        self.speak()

    def speak(self) -> None:
        """What comes before the next thing to do, and that."""
        step, astray, left_at = progress(self.lesson, self.session)
        told = step
        while told > 0 and self.lesson.steps[told - 1].do is None:
            told -= 1
        self.heard = (step, astray)
        if astray:
            asked = self.lesson.steps[left_at]
            assert asked.do is not None
            self.say("coach-astray", action=self.narrator.action(asked.do))
            if asked.others:
                self._coach(asked.others[self.lang])
            self.say("coach-return")
            return
        for one in self.lesson.steps[told : step + 1]:
            self._coach(f"{one.says[self.lang]} [{one.rule}]")
            if one.do is not None:
                self.say("coach-todo", order=self.narrator.order(one.do, self._verbs))
            elif self.source.isatty():
                self._read(self.narrator.say("play.coach-enter"))

    def _coach(self, text: str) -> None:
        self.echo("")
        self.echo(click.wrap_text(text, 88, "  > ", "  > "))

    def _wanted(self) -> Order | None:
        step, astray, _ = progress(self.lesson, self.session)
        return None if astray or step >= len(self.lesson.steps) else self.lesson.steps[step].do

    # Its own commands

    def coach(self, words: list[str]) -> None:
        """Say it again."""
        self.heard = None
        self.speak()

    def show(self, words: list[str]) -> None:
        """Do it for me."""
        order = self._wanted()
        if order is None:
            self.say("coach-nothing")
        else:
            self._act(self._me, order)

    def back(self, words: list[str]) -> None:
        """To the last step that asked for something; dice that were seen fall the same again."""
        step, astray, left_at = progress(self.lesson, self.session)
        asks = [n for n, one in enumerate(self.lesson.steps) if one.do is not None]
        to = left_at if astray else max((n for n in asks if n < step), default=0)
        self.session = play(self.lesson, to, self.session.header.title)
        self.told = [len(self.session.entries)] * len(self.told)
        self.heard = None
        save(self.session, self.path)
        self.map([])


@click.command()
@click.argument("game", required=False)
@click.argument("lesson", required=False)
@click.option("--step", type=click.IntRange(1), default=1, help="Begin at this step.")
@click.option("--file", "path", type=click.Path(path_type=Path), default=None, help="Where to save.")
@click.option("--record", is_flag=True, help="Write down anew what the others do (for authors of lessons).")
@click.option(
    "--seek", type=click.IntRange(1), default=None, help="Find dice for its words, in so many tries (authors)."
)
@language_option
def learn_command(
    game: str | None, lesson: str | None, step: int, path: Path | None, record: bool, seek: int | None, lang: str
) -> None:
    """Learn a game by playing it: a coach says what to do, and why.

    Without a game, the lessons are listed.

    Example: grognard learn picket --lang fr
    """
    if game is None:
        for name in playable_names():
            for one in lesson_names(name):
                found = lesson_of(name, one)
                click.echo(f"{name:<12} {one:<12} {found.titles[lang]} ({found.minutes} min)")
                click.echo(f"{'':<26}{found.abouts[lang]}")
        return
    find_game(game)  # an unknown name is told here
    if not lesson_names(game):
        raise click.ClickException(texts_for("", lang).say("play.no-lesson", game=game))
    found = lesson_of(game, lesson or lesson_names(game)[0])
    if record:
        write_record(found)
        return
    if seek is not None:
        seed = find_seed(found, seek)
        if seed is None:
            raise click.ClickException(f"{game} {found.name}: no seed in {seek} tries brings what its words say")
        write_seed(found, seed)
        click.echo(f"seed = {seed!r}")
        return
    path = path or new_file(game, f"lesson-{found.name}")
    if path.exists():
        raise click.UsageError(f"{path} exists already")
    lecture = Lecture(found, step - 1, path, lang, click.echo)
    save(lecture.session, path)
    lecture.run()
