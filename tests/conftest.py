"""Shared by every test: where things are, and the record of which rule's tests passed.

A test marked `@pytest.mark.rule("7.2", ...)` in `tests/games/<game>/` pins rules of that game. At the end of a session
the outcomes go to `.cache/rules/<game>.json`, which `grognard rules GAME --coverage` reads:

    {"tree": digest of the code and tests of the game (or null),
     "tests": {node id: "passed" | "failed" | "skipped"},
     "rules": {node id: [rule ids]}}

A run of a part of the tests updates its part; when the code or the tests have changed since the file was written, what
it said before is dropped. With xdist the controller writes: workers hand over their marks with each report.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import grognard

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(grognard.__file__).resolve().parent.parent  # where other processes find the package under test
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # so that `tests.contract.walk` and the like can be imported from anywhere
# the same examples every time, and no stopwatch: a busy machine must not fail a test
settings.register_profile("grognard", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("grognard")
CACHE = ROOT / ".cache" / "rules"
PROPERTY = "grognard rules"  # under this name a test's marks travel with its report
COLLECTOR = "rule-outcomes"
WORSE = {"passed": 0, "skipped": 1, "failed": 2}

outcomes_key = pytest.StashKey[dict[str, dict[str, str]]]()
rules_key = pytest.StashKey[dict[str, dict[str, list[str]]]]()


def game_of(node_id: str) -> str | None:
    """The folder after `tests/games/` in a node id."""
    parts = node_id.split("::", maxsplit=1)[0].split("/")
    return parts[2] if parts[:2] == ["tests", "games"] and len(parts) > 3 else None


def pytest_configure(config: pytest.Config) -> None:
    config.stash[outcomes_key] = {}
    config.stash[rules_key] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Attach each test's rules to its reports; a mark without ids would pin nothing, so it is an error."""
    for item in items:
        ids = [str(rule) for mark in item.iter_markers("rule") for rule in mark.args]
        if ids:
            item.user_properties.append((PROPERTY, sorted(set(ids))))
        elif item.get_closest_marker("rule"):
            raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.rule names no rule")


class Collector:
    """Gathers outcomes where reports arrive: in the only process, or in xdist's controller."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.trees: dict[str, str | None] = {}  # by game, as it was when its first test reported

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        game = game_of(report.nodeid)
        ids = dict(report.user_properties).get(PROPERTY)
        if game is None or ids is None:
            return
        self.trees.setdefault(game, tree_digest(game))
        outcome = report.outcome
        tests = self.config.stash[outcomes_key].setdefault(game, {})
        if report.when == "call" or outcome != "passed":  # set-up and tear-down speak only when they go wrong
            if hasattr(report, "wasxfail"):
                outcome = "skipped"  # an expected failure proves nothing
            before = tests.get(report.nodeid, "passed")
            tests[report.nodeid] = max(before, outcome, key=WORSE.__getitem__)
        self.config.stash[rules_key].setdefault(game, {})[report.nodeid] = list(ids)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Collector(session.config), COLLECTOR)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    collector = session.config.pluginmanager.get_plugin(COLLECTOR)
    for game, tests in session.config.stash[outcomes_key].items():
        tree = tree_digest(game)
        if tree != collector.trees[game]:
            tree = None  # somebody edited while the tests ran: nobody can say what they were true of
        write_outcomes(CACHE / f"{game}.json", tree, tests, session.config.stash[rules_key][game])


def tree_digest(game: str) -> str | None:
    """What the outcomes are true of; None where the command line is not there to say."""
    try:
        from grognard.cli.coverage import tree_digest as digest
    except ImportError:
        return None
    return str(digest(game))


def write_outcomes(path: Path, tree: str | None, tests: dict[str, str], rules: dict[str, list[str]]) -> None:
    """Merge into what an earlier run of the same tree wrote, then replace the file in one step."""
    old = _read_outcomes(path)
    if tree is not None and old.get("tree") == tree:
        tests = {**old["tests"], **tests}
        rules = {**old["rules"], **rules}
    new = {"tree": tree, "tests": dict(sorted(tests.items())), "rules": dict(sorted(rules.items()))}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n", "utf-8")
    os.replace(beside, path)


def _read_outcomes(path: Path) -> dict[str, Any]:
    try:
        old = json.loads(path.read_text("utf-8"))
        return old if isinstance(old["tests"], dict) and isinstance(old["rules"], dict) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
