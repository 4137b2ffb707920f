"""`grognard`: the commands, and how errors become exit codes.

0: done. 1: the rules or the data say no. 2: wrong usage (an unknown name included).
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from typing import Any

import click

from grognard import __version__
from grognard.kernel.errors import GrognardError, LabError, UnknownName

COMMANDS = {  # name: (module, attribute, one line)
    "games": ("games_cmd", "games_command", "List the games, their scenarios and options."),
    "play": ("play_cmd", "play_command", "Play in the terminal: hot-seat or against the computer."),
    "learn": ("learn_cmd", "learn_command", "Learn a game by playing it, with a coach."),
    "serve": ("serve_cmd", "serve_command", "Open the table in the browser."),
    "backup": ("backup_cmd", "backup_command", "Write all that a server keeps into one file."),
    "restore": ("backup_cmd", "restore_command", "Put such a file into a new database."),
    "replay": ("replay_cmd", "replay_command", "Show a position of a saved game as a side may see it."),
    "verify": ("replay_cmd", "verify_command", "Recompute every roll and position of a saved game."),
    "force": ("force_cmd", "force_command", "Price a force and see what the rules refuse in it."),
    "odds": ("odds_cmd", "odds_command", "Exact chances of a battle typed in by hand."),
    "selfplay": ("selfplay_cmd", "selfplay_command", "Let computer players meet many times and count."),
    "ladder": ("ladder_cmd", "ladder_command", "Let the levels of the computer meet, with intervals."),
    "dataset": ("dataset_cmd", "dataset_command", "Write games as rows to learn from."),
    "history": ("history_cmd", "history_command", "Put what happened beside what the games bring."),
    "train": ("train_cmd", "train_command", "Fit the chance of winning to self-play."),
    "fuzz": ("selfplay_cmd", "fuzz_command", "Play random games and check everything on the way."),
    "ab": ("lab_cmd", "ab_command", "Compare two variants of a game on equal luck until the answer is sure."),
    "balance": ("lab_cmd", "balance_command", "Is it fair? The share of each side, with intervals."),
    "tune": ("lab_cmd", "tune_command", "Seek proposed values that bring a measure to its aim."),
    "report": ("lab_cmd", "report_command", "Tell what the laboratory found: tables, a page, a data set."),
    "mutate": ("mutate_cmd", "mutate_command", "Read the rules wrongly and see whether the tests notice."),
    "rules": ("rules_cmd", "rules_command", "Read a rule; find its code and tests; count what is done."),
    "data": ("data_cmd", "data_command", "List a game's data files and where their numbers come from."),
    "check": ("data_cmd", "check_command", "Check every data file, scenario, rulebook and text."),
    "map": ("map_cmd", "map_group", "Build, look into and draw the maps."),
    "table": ("table_cmd", "table_group", "Check, look into, draw and make measured tables."),
    "bench": ("bench_cmd", "bench_command", "Measure the engine on this machine."),
}


def default_language() -> str:
    """The reader's language from the environment."""
    words = (os.environ.get("GROGNARD_LANG"), os.environ.get("LC_ALL"), os.environ.get("LANG"))
    return "fr" if next((w for w in words if w), "").startswith("fr") else "en"


def language_option(command: Any) -> Any:
    """`--lang fr|en` for a command."""
    option = click.option("--lang", type=click.Choice(["en", "fr"]), default=default_language, help="Language.")
    return option(command)


def language_asked(argv: list[str] | None) -> str:
    """The language of an error: what the command line says, else the reader's own."""
    words = sys.argv[1:] if argv is None else argv
    asked = [b for a, b in itertools.pairwise(words) if a == "--lang"]
    asked += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return asked[0] if asked else default_language()


class LazyGroup(click.Group):
    """Imports a command when it is wanted, so that `grognard games` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table, those that are installed."""
        from importlib.util import find_spec

        return [name for name, (module, _, _) in COMMANDS.items() if find_spec(f"grognard.cli.{module}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        try:
            command: click.Command = getattr(importlib.import_module(f"grognard.cli.{module}"), attribute)
        except ModuleNotFoundError as error:
            if error.name == f"grognard.cli.{module}":
                return None
            raise
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line each, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][2]) for name in self.list_commands(ctx)])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest what was meant."""
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            raise click.UsageError(str(UnknownName("command", args[0], self.list_commands(ctx))))
        return super().resolve_command(ctx, args)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grognard")
def cli() -> None:
    """Play, check and study WWII wargames with the printed rules fully enforced.

    Example: grognard play picket crossing --red human --blue ai:greedy
    """


def main(argv: list[str] | None = None) -> None:
    """Run the command line; every error that a user can cause is one clear line."""
    try:
        cli.main(args=argv, prog_name="grognard", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.Abort:
        click.echo("", err=True)
        sys.exit(1)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except GrognardError as error:
        from grognard.kernel.texts import error_text

        click.echo(f"grognard: {error_text(error, language_asked(argv))}", err=True)
        sys.exit(2 if isinstance(error, UnknownName | LabError) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
