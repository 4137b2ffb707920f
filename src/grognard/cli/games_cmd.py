"""`grognard games`."""

from __future__ import annotations

import json
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.games import find_game, playable_names, rulebook_names
from grognard.kernel.chapters import chapters
from grognard.kernel.texts import Texts, texts_for


def _scenario(texts: Texts, name: str) -> dict[str, Any]:
    """Its title, and how long and about what it is."""
    told = (texts.find(f"briefing.{name}.{part}") for part in ("length", "decides"))
    return {"name": name, "title": texts.find(f"scenario.{name}") or name, "about": " ".join(filter(None, told))}


def describe(name: str, lang: str) -> dict[str, Any]:
    """What a person wants to know before choosing a game."""
    texts = texts_for(name, lang)
    entry: dict[str, Any] = {
        "game": name,
        "title": texts.find("game.title") or name,
        "about": texts.find("game.about") or "",
    }
    if name not in playable_names():
        return entry | {"playable": False}
    game = find_game(name)
    chapter_of = {rule: chapter.in_language(lang) for chapter in chapters(name) for rule in chapter.rules}
    return entry | {
        "playable": True,
        "rules": game.version,
        "sides": [{"name": side, "title": texts.find(f"side.{side}") or side} for side in game.sides],
        "scenarios": [_scenario(texts, s) | {"options": dict(game.usual_options(s))} for s in game.scenarios],
        "options": [
            {
                "name": o.name,
                "rule": o.rule,
                "choices": list(o.choices),
                "default": o.default,
                "tier": o.tier,
                "chapter": chapter_of.get(o.rule, ""),
                "needs": list(o.needs),
                "excludes": list(o.excludes),
                "title": texts.find(f"option.{o.name}") or o.name,
                "words": {c: w for c in o.choices if (w := texts.find(f"choice.{o.name}.{c}"))},
            }
            for o in game.options
        ],
    }


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def games_command(as_json: bool, lang: str) -> None:
    """List the games, their scenarios and options.

    Example: grognard games --lang fr
    """
    entries = [describe(name, lang) for name in rulebook_names()]
    if as_json:
        click.echo(json.dumps(entries, ensure_ascii=False, indent=1))
        return
    common = texts_for("", lang)
    for entry in entries:
        click.echo(f"{entry['game']:<12} {entry['title']}")
        if entry["about"]:
            click.echo(f"             {entry['about']}")
        if not entry["playable"]:
            click.echo(f"             {common.say('cli.rules-only')}")
            continue
        for scenario in entry["scenarios"]:
            click.echo(f"    {scenario['name']:<18} {scenario['title']}")
        for option in entry["options"]:
            choices = "|".join(option["choices"])
            click.echo(f"      {option['name']}={choices} ({option['default']}) {option['title']} [{option['rule']}]")
