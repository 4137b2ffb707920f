"""`grognard rules`."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click

from grognard.cli.coverage import index_of, tree_digest
from grognard.cli.main import language_option
from grognard.cli.mutate_cmd import read_shares, told_shares
from grognard.games import find_game, playable_names, rulebook_names
from grognard.kernel.errors import UnknownName
from grognard.kernel.rulebook import find_rule, rulebook
from grognard.kernel.texts import texts_for

STATUSES = ("done", "partial", "missing")


@click.command()
@click.argument("game")
@click.argument("rule_id", required=False)
@click.option("--coverage", is_flag=True, help="Count what is done, partial and missing, per tier.")
@click.option("--tier", default=None, help="Only rules of this tier.")
@click.option("--missing", is_flag=True, help="List only the rules that are not done; with --coverage, also them.")
@click.option("--switches", is_flag=True, help="List the rules that can be switched, and what they need or exclude.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def rules_command(
    game: str,
    rule_id: str | None,
    coverage: bool,
    tier: str | None,
    missing: bool,
    switches: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Read a rule; find its code and its tests; count what is done.

    A rule is done if marked code exists and a test that names it has passed on exactly these sources; if there is no
    fresh record of that, the tests are run first. Partial: code or such a test, not both.

    Example: grognard rules picket 5.3
    """
    if game not in rulebook_names():
        raise UnknownName("game", game, rulebook_names())
    if switches:
        show_switches(game, as_json, lang)
        return
    if rule_id is not None:
        show_rule(game, rule_id, as_json, lang)
        return
    rules = [r for r in rulebook(game).values() if tier is None or r.tier == tier]
    if tier is not None and not rules:
        raise UnknownName(f"tier of {game}", tier, {r.tier for r in rulebook(game).values()})
    if as_json or coverage or missing:
        index = index_of(game, run_tests=True)
        rows = [index[r.id] | {"id": r.id, "tier": r.tier, "title": r.in_language(lang)[0]} for r in rules]
        if as_json:
            keys = ("id", "tier", "status", "code", "tests")
            ordered = [{key: row[key] for key in keys} for row in rows if not missing or row["status"] != "done"]
            click.echo(json.dumps({"game": game, "rules": ordered}, indent=1))
            return
        if coverage:
            print_coverage(game, rows, lang)
        if missing:
            print_missing(game, rows, lang)
        return
    for r in rules:
        click.echo(f"{r.id:<14} {r.tier:<10} {r.in_language(lang)[0]}")


def show_switches(game: str, as_json: bool, lang: str) -> None:
    """Every option: its values (the default first), its rule, what it needs and excludes, and what scenarios set."""
    if game not in playable_names():
        raise UnknownName("game", game, playable_names())
    played, texts = find_game(game), texts_for(game, lang)
    usual = {scenario: played.usual_options(scenario) for scenario in played.scenarios}
    rows: list[dict[str, Any]] = [
        {
            "name": o.name,
            "rule": o.rule,
            "covers": list(o.covers),
            "tier": o.tier,
            "choices": list(o.choices),
            "default": o.default,
            "needs": list(o.needs),
            "excludes": list(o.excludes),
            "scenarios": {scenario: values[o.name] for scenario, values in usual.items() if o.name in values},
            "title": texts.find(f"option.{o.name}") or o.name,
        }
        for o in played.options
    ]
    if as_json:
        click.echo(json.dumps({"game": game, "switches": rows}, ensure_ascii=False, indent=1))
        return
    for row in rows:
        values = "|".join([row["default"], *(c for c in row["choices"] if c != row["default"])])
        click.echo(
            f"{row['name']}={values}  {row['title']} [{row['rule']}]" + (f" {row['tier']}" if row["tier"] else "")
        )
        for key in ("covers", "needs", "excludes"):
            if row[key]:
                click.echo(f"    {texts.say(f'cli.{key}')}: {', '.join(row[key])}")
        if row["scenarios"]:
            told = ", ".join(f"{scenario} {value}" for scenario, value in row["scenarios"].items())
            click.echo(f"    {texts.say('cli.scenarios')}: {told}")


def show_rule(game: str, rule_id: str, as_json: bool, lang: str) -> None:
    """One rule: its words, its code, its tests."""
    r = find_rule(game, rule_id)
    entry = index_of(game, run_tests=False)[rule_id]
    if as_json:
        click.echo(json.dumps({"id": r.id, "tier": r.tier, "title": r.title, "titre": r.titre, "text": r.text,
                               "texte": r.texte} | entry, ensure_ascii=False, indent=1))  # fmt: skip
        return
    title, text = r.in_language(lang)
    texts = texts_for(game, lang)
    click.echo(f"{r.id} [{r.tier}] {title}")
    click.echo(text)
    click.echo(f"{texts.say('cli.code')}: {', '.join(entry['code']) or '-'}")
    click.echo(f"{texts.say('cli.tests')}: {', '.join(entry['tests']) or '-'}")


def print_coverage(game: str, rows: list[dict[str, Any]], lang: str) -> None:
    """A table per tier, the share of the whole, and what the tests notice of wrong readings."""
    texts = texts_for(game, lang)
    head = "".join(f"{texts.say(f'cli.{status}'):>10}" for status in STATUSES)
    click.echo(f"{game:<14}{head}{'%':>8}")
    for tier in [*dict.fromkeys(row["tier"] for row in rows), None]:
        mine = [row for row in rows if tier is None or row["tier"] == tier]
        counts = Counter(row["status"] for row in mine)
        share = 1000 * counts["done"] // len(mine) if mine else 0
        name = texts.say("cli.all") if tier is None else tier
        numbers = "".join(f"{counts[status]:>10}" for status in STATUSES)
        click.echo(f"{name:<14}{numbers}{share // 10:>6}.{share % 10}")
    found = read_shares(game)
    if found is None:
        click.echo(texts.say("mutate.not-measured", game=game))
        return
    other = "" if found["tree"] == tree_digest(game) else texts.say("mutate.other-sources")
    click.echo(texts.say("mutate.from", command=found["command"], version=found["rules_version"], other=other))
    for line in told_shares(texts, found):
        click.echo(f"    {line}")


def print_missing(game: str, rows: list[dict[str, Any]], lang: str) -> None:
    """The rules that are not done, one a line, and nothing else."""
    texts = texts_for(game, lang)
    for row in rows:
        if row["status"] != "done":
            click.echo(f"{row['id']:<24} {row['tier']:<10} {texts.say('cli.' + row['status']):<10} {row['title']}")
