"""The index from rule to code to test, and the proof that the tests ran.

Code is found by reading the sources for `@rule("...")`, tests for `@pytest.mark.rule("...")`. That a test passed is
known only from a run: the suite leaves a record with a digest of the sources, and a record of other sources counts for
nothing. Nothing looks done without a test that ran and passed on the very files you have.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grognard
from grognard.kernel.errors import GrognardError
from grognard.kernel.rulebook import rulebook

PACKAGE = Path(grognard.__file__).parent
ROOT = PACKAGE.parent.parent


def sources_of(game: str) -> list[Path]:
    """The files on which the rules of a game and their tests depend."""
    rooms = [PACKAGE / "kernel", PACKAGE / "hexes", PACKAGE / "kit"]
    folders = [*rooms, PACKAGE / "games" / game, ROOT / "tests" / "games" / game]
    files = [f for folder in folders for f in folder.rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    return sorted(f for f in files if f.suffix in (".py", ".toml", ".csv", ".json", ".txt") and "art" not in f.parts)


def tree_digest(game: str) -> str:
    """A digest of those files."""
    total = hashlib.blake2b(digest_size=16)
    for file in sources_of(game):
        total.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def record_file(game: str) -> Path:
    """Where the suite leaves the outcomes of a game's tests."""
    return ROOT / ".cache" / "rules" / f"{game}.json"


def _marked(tree: ast.AST, is_mark: Any) -> Iterator[tuple[Any, str]]:
    """Every function or class with a mark, and each id in it; a mark may belong to one case of `parametrize`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for call in (inner for decorator in node.decorator_list for inner in ast.walk(decorator)):
                if isinstance(call, ast.Call) and is_mark(call.func):
                    for arg in call.args:
                        if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                            yield node, arg.value


def _is_code_mark(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id == "rule"


def _is_test_mark(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "rule"


def code_of(game: str) -> dict[str, list[str]]:
    """For each rule id the places marked as its code."""
    found: dict[str, list[str]] = {}
    for file in sorted((PACKAGE / "games" / game).rglob("*.py")):
        for node, rule_id in _marked(ast.parse(file.read_text("utf-8")), _is_code_mark):
            found.setdefault(rule_id, []).append(f"{file.relative_to(ROOT)}:{node.lineno}")
    return found


def tests_of(game: str) -> dict[str, list[str]]:
    """For each rule id the tests that name it, as node ids without parameters."""
    found: dict[str, list[str]] = {}
    folder = ROOT / "tests" / "games" / game
    for file in sorted(folder.rglob("test_*.py")) if folder.is_dir() else []:
        tree = ast.parse(file.read_text("utf-8"))
        owners = {id(f): c.name for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for f in c.body}
        for node, rule_id in _marked(tree, _is_test_mark):
            path = [str(file.relative_to(ROOT)), *([owners[id(node)]] if id(node) in owners else []), node.name]
            found.setdefault(rule_id, []).append("::".join(path))
    return found


def passed_tests(game: str, run_tests: bool) -> set[str] | None:
    """Tests that passed on these sources (without parameters: all of them did); None if nobody knows."""
    record = _read_record(game)
    if run_tests and (untried := _untried(game, record)):
        _run_tests(game, untried)
        record = _read_record(game)
    if record is None:
        return None
    outcomes: dict[str, bool] = {}
    for node_id, outcome in record["tests"].items():
        plain = node_id.split("[")[0]
        outcomes[plain] = outcomes.get(plain, True) and outcome == "passed"
    return {node_id for node_id, passed in outcomes.items() if passed}


def _read_record(game: str) -> dict[str, Any] | None:
    try:
        record: dict[str, Any] = json.loads(record_file(game).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return record if record.get("tree") == tree_digest(game) else None


def _untried(game: str, record: dict[str, Any] | None) -> list[str]:
    """The files with tests that name a rule and of which the record does not tell; a run of a few tests leaves many."""
    told = {node_id.split("[")[0] for node_id in record["tests"]} if record else set()
    named = {node_id for tests in tests_of(game).values() for node_id in tests}
    return sorted({node_id.split("::")[0] for node_id in named - told})


def _run_tests(game: str, files: list[str]) -> None:
    """Run some of the game's tests; their record is written by the suite itself."""
    told = f"running {len(files)} files with tests of {game} (no record of them, or one of other sources) ..."
    print(told, file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    try:
        subprocess.run(command, cwd=ROOT, capture_output=True, timeout=1800, check=False)
    except subprocess.TimeoutExpired as error:
        raise GrognardError(f"the tests of {game} did not end within {error.timeout} seconds") from error


def index_of(game: str, run_tests: bool) -> dict[str, dict[str, Any]]:
    """For each rule its status, its code and its tests."""
    code, tests = code_of(game), tests_of(game)
    passed = passed_tests(game, run_tests)
    index = {}
    for rule_id in rulebook(game):
        good = [t for t in tests.get(rule_id, []) if passed is not None and t in passed]
        has_code = bool(code.get(rule_id))
        status = "done" if has_code and good else "partial" if has_code or good else "missing"
        index[rule_id] = {"status": status, "code": code.get(rule_id, []), "tests": tests.get(rule_id, [])}
    return index


def unknown_marks(game: str) -> list[str]:
    """Marks that name no rule of the rulebook."""
    rules = rulebook(game)
    marks = [(rule_id, where) for found in (code_of(game), tests_of(game)) for rule_id, where in found.items()]
    return [
        f"{where[0]}: no rule {rule_id!r} in the rulebook of {game}" for rule_id, where in marks if rule_id not in rules
    ]
