"""`grognard mutate`: do the tests notice when a rule is read wrongly?"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from grognard.cli.coverage import PACKAGE, ROOT, tests_of, tree_digest
from grognard.cli.main import language_option
from grognard.cli.selfplay_cmd import Told, progress_bar
from grognard.games import find_game, rulebook_names
from grognard.kernel.errors import GrognardError, UnknownName
from grognard.kernel.rulebook import find_rule, rulebook
from grognard.kernel.texts import Texts, texts_for
from grognard.lab.mutation import OWN, SURVIVED, Outcome, Report, all_mutants, by_rule_of, drawn, shares, try_all

SHARES = PACKAGE / "lab" / "mutation.json"  # the latest shares of each game, with the command that found them


def tests_by_rule(game: str) -> dict[str, list[str]]:
    """For each rule the tests that name it: by their mark, or by their own name (`test_5_3_...`)."""
    marked = tests_of(game)
    every = sorted({test for tests in marked.values() for test in tests} | set(all_tests(game)))
    found = {}
    for rule_id in rulebook(game):
        start = f"test_{re.sub(r'[^A-Za-z0-9]', '_', rule_id)}_".lower()
        named = [test for test in every if f"{test.split('::')[-1].lower()}_".startswith(start)]
        found[rule_id] = sorted({*marked.get(rule_id, []), *named})
    return found


def all_tests(game: str) -> list[str]:
    """Every test function of a game, marked or not."""
    folder = ROOT / "tests" / "games" / game
    return [
        f"{file.relative_to(ROOT)}::{name}"
        for file in sorted(folder.rglob("test_*.py"))
        for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
    ]


def read_shares(game: str) -> dict[str, Any] | None:
    """What the latest recorded run found."""
    try:
        entry: dict[str, Any] | None = json.loads(SHARES.read_text("utf-8")).get(game)
    except (OSError, ValueError):
        return None
    return entry


def told_shares(texts: Texts, found: dict[str, Any]) -> list[str]:
    """How many the game's tests noticed, with its recorded games, and the tests of the rule itself."""
    lines, tests, golden = [], found["own"] + found["game"], found.get("golden")
    noticed = [] if golden is None else [("noticed", tests + golden)]  # shares of older days have none
    for key, hits in (("killed", tests), *noticed, ("own", found["own"])):
        share, least, most = (percent(x, texts.lang) for x in found[f"{key}_share"])
        facts = {"hits": hits, "of": found["mutants"], "share": share, "least": least, "most": most}
        lines.append(texts.say(f"mutate.{key}", **facts))
    return lines


def percent(share: float, lang: str) -> str:
    """One decimal, with the reader's comma."""
    words = f"{100 * share:.1f}"
    return words if lang == "en" else words.replace(".", ",")


@click.command()
@click.argument("game")
@click.option("--rule", "rule_id", default=None, help="Only wrong readings of this rule.")
@click.option("--sample", type=click.IntRange(1), default=None, help="So many, drawn by lot. Default: all.")
@click.option("--seed", type=int, default=1, help="Equal seeds draw equal samples of equal sources.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, help="Processes.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="The report, one JSON line a mutant.")
@click.option(
    "--killers", type=click.IntRange(1), default=1, help="Name so many tests that noticed what its own let pass."
)
@click.option(
    "--weak",
    type=click.Path(path_type=Path, exists=True),
    default=None,
    help="Only what an earlier report says no test of its own rule noticed.",
)
@click.option("--plain", is_flag=True, help="Import everything anew for each: slow, and the quick way's yardstick.")
@click.option("--list", "only_list", is_flag=True, help="Show the wrong readings and try none.")
@click.option("--record", is_flag=True, help="Keep the shares for `rules GAME --coverage`.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def mutate_command(
    game: str,
    rule_id: str | None,
    sample: int | None,
    seed: int,
    jobs: int,
    out: Path | None,
    killers: int,
    weak: Path | None,
    plain: bool,
    only_list: bool,
    record: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Read the rules wrongly, a little, many times, and see whether the tests notice.

    Each wrong reading is tried in a copy of the sources, most by exchanging the changed function in a fork, against the
    tests that name its rule, then against all tests of the game, then against its recorded games. The report is kept: a
    run that is broken off goes on where it stopped, and starts anew when sources or tests have changed. Exit code 1 if
    some wrong reading survived.

    Example: grognard mutate picket --sample 200 --seed 1
    """
    if game not in rulebook_names():
        raise UnknownName("game", game, rulebook_names())
    if rule_id is not None:
        find_rule(game, rule_id)
    if record and (rule_id is not None or sample is None):
        raise click.UsageError("--record keeps the shares of a sample of the whole game: give --sample, not --rule")
    texts = texts_for(game, lang)
    every = all_mutants(PACKAGE, game, rule_id)
    if weak is not None:
        weak_keys = keys_let_pass(weak)
        every = [m for m in every if m.key in weak_keys]
    mutants = drawn(every, PACKAGE, sample, seed)
    if not mutants:
        raise GrognardError(texts.say("mutate.none"))
    if only_list:
        for m in sorted(mutants, key=lambda m: (m.file, m.line)):
            click.echo(f"{m.file}:{m.line} [{', '.join(m.rules)}] {told_kind(texts, m.kind)}: {m.was!r} -> {m.now!r}")
        return
    tree = tree_digest(game)
    report = Report(out or ROOT / ".cache" / "mutants" / f"{game}.jsonl", tree)
    outcomes = []
    with progress_bar(len(mutants), "mutate") as bar:
        told = Told(bar, len(mutants), "mutate")
        for outcome in try_all(ROOT, game, mutants, tests_by_rule(game), report, jobs, plain=plain, killers=killers):
            outcomes.append(outcome)
            told.update(1)
    order = {m.key: n for n, m in enumerate(mutants)}
    outcomes.sort(key=lambda o: order[o.mutant.key])
    found = shares(outcomes)
    if record:
        keep_shares(game, found | {"sample": sample, "seed": seed, "tree": tree})
    if as_json:
        entries = [o.to_json(tree) for o in outcomes]
        click.echo(json.dumps({"game": game, "seed": seed} | found | {"rules": by_rule_of(outcomes), "all": entries}))
    else:
        print_report(texts, outcomes, found, report.path, killers > 1)
    if found["survived"]:
        sys.exit(1)


def told_kind(texts: Texts, kind: str) -> str:
    """What sort of mistake it is."""
    return texts.find(f"mutate.kind-{kind}") or kind


def print_report(texts: Texts, outcomes: list[Outcome], found: dict[str, Any], path: Path, with_killers: bool) -> None:
    """The rules that something is to be done about, the survivors with their change, and the shares."""
    lax = {rule: row for rule, row in by_rule_of(outcomes).items() if row["game"] or row["golden"] or row["survived"]}
    if lax:
        columns = ("own", "game", "golden", "survived")
        click.echo(f"{texts.say('mutate.rule'):<28}" + "".join(f"{texts.say(f'mutate.by-{c}'):>14}" for c in columns))
        for rule, row in lax.items():
            click.echo(f"{rule:<28}" + "".join(f"{row[column]:>14}" for column in columns))
    for outcome in outcomes:
        m = outcome.mutant
        where = f"{m.file}:{m.line} [{', '.join(m.rules)}] {told_kind(texts, m.kind)}"
        if outcome.outcome == SURVIVED:
            click.echo(f"\n{texts.say('mutate.survivor', where=where, tests=outcome.asked)}")
            click.echo(told_diff(outcome))
        elif outcome.outcome != OWN and with_killers:
            click.echo(f"\n{texts.say('mutate.others', where=where, tests=outcome.asked)}")
            click.echo("\n".join([told_diff(outcome), *(f"  {test}" for test in outcome.killers)]))
    click.echo("")
    for line in told_shares(texts, found):
        click.echo(line)
    click.echo(texts.say("mutate.report", path=path))


def told_diff(outcome: Outcome) -> str:
    """The change; in short if somebody has edited the file while the tests ran."""
    m = outcome.mutant
    try:
        return m.diff((PACKAGE / m.file).read_text("utf-8"))
    except (GrognardError, OSError):
        return f"- {m.was}\n+ {m.now}"


def keep_shares(game: str, found: dict[str, Any]) -> None:
    """Write the shares into the package, for everybody who has these sources."""
    kept = json.loads(SHARES.read_text("utf-8")) if SHARES.exists() else {}
    command = f"grognard mutate {game} --sample {found['sample']} --seed {found['seed']}"
    version = find_game(game).version
    kept[game] = {"command": command, "rules_version": version} | found
    SHARES.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", "utf-8")


def keys_let_pass(report: Path) -> set[str]:
    """What the tests of its own rules let pass, says an earlier report, whatever its sources."""
    last = {}
    for line in report.read_text("utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        last[entry["key"]] = entry["outcome"]
    return {key for key, outcome in last.items() if outcome != OWN}
