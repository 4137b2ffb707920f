"""`grognard backup` and `grognard restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.kernel.texts import texts_for

database_option = click.option(
    "--database", default=None, help="SQLAlchemy URL. Default: GROGNARD_DATABASE, or a file of your own."
)


def _settings(database: str | None) -> str:
    from grognard.server.settings import Settings

    return Settings().database if database is None else database


def _say(lang: str, error: Any) -> click.ClickException:
    return click.ClickException(texts_for("", lang).say(f"backup.{error.key}", **error.facts))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
@click.option("--check", is_flag=True, help="Only read FILE and say whether it is whole.")
@language_option
def backup_command(file: Path, database: str | None, check: bool, lang: str) -> None:
    """Write all tables, people and games into FILE, while the server plays on; read it again to be sure.

    Example: grognard backup club.backup
    """
    from grognard.server import backup

    try:
        counts = backup.check(file) if check else backup.back_up(_settings(database), file)
    except backup.BackupError as error:
        raise _say(lang, error) from error
    facts = {"path": file, "tables": counts.get("tables", 0), "actions": counts.get("actions", 0)}
    click.echo(texts_for("", lang).say("backup.whole" if check else "backup.written", **facts))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
@language_option
def restore_command(file: Path, database: str | None, lang: str) -> None:
    """Put a backup into a new or empty database; all of it or nothing.

    Example: grognard restore club.backup --database sqlite:////srv/grognard/tables.db
    """
    from grognard.server import backup

    url = _settings(database)
    try:
        counts = backup.restore(file, url)
    except backup.BackupError as error:
        raise _say(lang, error) from error
    facts = {"tables": counts.get("tables", 0), "actions": counts.get("actions", 0), "database": backup.shown(url)}
    click.echo(texts_for("", lang).say("backup.restored", **facts))
