"""Trying wrong readings of a game's rules against its tests, and counting which are noticed.

Nothing is changed in the working tree: each worker has a copy of the package and of the tests, in which one file at a
time is wrong. A mutant meets the tests that name its rules first, then all the game's tests, quick ones first, then its
recorded games, until one fails; who noticed is counted apart. Tests that read the sources instead of playing are left
out: they would notice a change, not a wrong rule.

Most mutants are tried the quick way (`mutation_quick`): in a fork of a process that has collected the tests, by those
alone that reach the changed function. The plain way imports everything anew for each, and tries whatever the quick one
cannot.
"""

from __future__ import annotations

import compileall
import hashlib
import json
import math
import os
import py_compile
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grognard.kernel.errors import GrognardError
from grognard.kernel.rulebook import rulebook
from grognard.lab.mutant_data import data_mutants
from grognard.lab.mutants import Mutant, code_mutants, compiles

OWN, GAME, GOLDEN, SURVIVED = "own", "game", "golden", "survived"
GAMES_RECORDED = "tests/golden/test_golden.py"  # the tests that replay them
DATA_SHARE = 6  # of a sample every sixth is a wrong number in a data file, where there are so many
LEAST = 20.0  # seconds of processor time that any run may take
NOT_COPIED = ("__pycache__", ".cache", "static", "browser", "node_modules")


def all_mutants(package: Path, game: str, rule: str | None = None) -> list[Mutant]:
    """Every wrong reading of a game, or of one of its rules."""
    known = frozenset(rulebook(game))
    found = [*code_mutants(package, game, known), *data_mutants(package, game, known)]
    return [m for m in found if rule is None or rule in m.rules]


def drawn(mutants: list[Mutant], package: Path, sample: int | None, seed: int) -> list[Mutant]:
    """A sample by lot, of code and data; equal seeds give equal samples of equal sources."""
    luck = random.Random(f"mutants {seed}")
    data = [m for m in mutants if m.kind in ("table", "scenario")]
    code = [m for m in mutants if m.kind not in ("table", "scenario")]
    chosen = []
    wanted = len(mutants) if sample is None else min(sample, len(mutants))
    numbers = min(len(data), max(wanted // DATA_SHARE, wanted - len(code))) if sample is not None else len(data)
    for part, most in ((data, numbers), (code, wanted - numbers)):
        luck.shuffle(part)
        sound = (m for m in part if m.file.endswith((".toml", ".csv")) or compiles(m.text(_source(package, m))))
        chosen += [m for m, _ in zip(sound, range(most))]
    luck.shuffle(chosen)
    return chosen


def _source(package: Path, mutant: Mutant) -> str:
    return (package / mutant.file).read_text("utf-8")


@dataclass
class Outcome:
    """What became of a mutant: noticed by the tests of its rules, by others, by a recorded game, or by none."""

    mutant: Mutant
    outcome: str
    test: str = ""  # the first that noticed
    seconds: float = 0.0  # of processor time
    asked: int = 0  # tests that name its rules
    killers: tuple[str, ...] = ()  # of a mutant that those let pass: tests that noticed, as many as were asked for
    plain: bool = False  # tried the plain way

    def to_json(self, tree: str) -> dict[str, Any]:
        """A line of the report."""
        m = self.mutant
        where = {"tree": tree, "key": m.key, "file": m.file, "line": m.line, "inside": m.inside, "kind": m.kind}
        what = {"rules": list(m.rules), "was": m.was, "now": m.now, "outcome": self.outcome, "test": self.test}
        how = {"own_tests": self.asked, "seconds": round(self.seconds, 2), "way": "plain" if self.plain else "quick"}
        return where | what | how | {"killers": list(self.killers)}


@dataclass
class Report:
    """The report of a game, one JSON line a mutant; a run that was broken off goes on where it stopped."""

    path: Path
    tree: str
    known: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # the line that was being written when the machine stopped
            if isinstance(entry, dict) and entry.get("tree") == self.tree:
                self.known[entry["key"]] = entry
        self.lock = threading.Lock()

    def recalled(self, mutant: Mutant) -> Outcome | None:
        """What an earlier run of the same sources and tests found."""
        entry = self.known.get(mutant.key)
        if entry is None:
            return None
        killers, plain = tuple(entry.get("killers", ())), entry.get("way") == "plain"
        return Outcome(mutant, entry["outcome"], entry["test"], entry["seconds"], entry["own_tests"], killers, plain)

    def add(self, outcome: Outcome) -> None:
        """Write it down at once."""
        with self.lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(outcome.to_json(self.tree), ensure_ascii=False) + "\n")


class Helper:
    """A process in a copy of the sources that takes jobs, one JSON line each, and answers each with a line."""

    def __init__(self, folder: Path, module: str, *words: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONHASHSEED": "0"}
        environment.pop("PYTEST_ADDOPTS", None)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-m", f"grognard.lab.{module}", str(folder), *words]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
        )

    def answer(self) -> dict[str, Any]:
        """What it says next; nothing if it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {}
        return answer

    def ask(self, **job: Any) -> dict[str, Any]:
        """One job and its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        if not answer:
            raise GrognardError("the process that tries mutants ended too early")
        return answer

    def close(self) -> None:
        """Its input ends, and so does it."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process.wait()


class Worker:
    """A copy of the sources and the processes that try mutants in it."""

    def __init__(self, root: Path, game: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"grognard-mutants-{game}-"))
        self.game = game
        self.quick: Helper | None = None
        try:
            self._copy(root, game)
            self.plain = Helper(self.folder, "mutation_worker")
            self.ask = self.plain.ask  # run tests, with a file changed or none
            if not self.plain.answer().get("ready"):
                raise GrognardError(
                    "the process that tries mutants did not start; are the packages of the tests there?"
                )
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _copy(self, root: Path, game: str) -> None:
        """The package and the tests of the game; pictures are not copied but pointed at."""

        def unwanted(folder: str, names: list[str]) -> set[str]:
            foreign = Path(folder).name == "games"
            other = [n for n in names if n == "server" or (foreign and Path(folder, n).is_dir() and n != game)]
            return {n for n in names if n in (*NOT_COPIED, "art")} | set(other if "tests" in Path(folder).parts else ())

        shutil.copytree(root / "src" / "grognard", self.folder / "src" / "grognard", ignore=unwanted)
        shutil.copytree(root / "tests", self.folder / "tests", ignore=unwanted)
        shutil.copy(root / "pyproject.toml", self.folder)
        if (root / "examples").is_dir():
            shutil.copytree(root / "examples", self.folder / "examples")
        for art in (root / "src" / "grognard" / "games").glob("*/data/art"):
            (self.folder / art.relative_to(root)).symlink_to(art)
        checked = py_compile.PycInvalidationMode.CHECKED_HASH  # a file changed within a second is still seen as changed
        compileall.compile_dir(self.folder / "src", quiet=2, invalidation_mode=checked)

    def files(self) -> list[str]:
        """The test files of the game that play it, and those of recorded games."""
        folder = self.folder / "tests" / "games" / self.game
        return [str(f.relative_to(self.folder)) for f in sorted(folder.rglob("test_*.py")) if plays(f)]

    def has_recorded(self) -> bool:
        """Whether there are recorded games of this title."""
        return (self.folder / "tests" / "golden" / self.game).is_dir()

    def hire_quick(self) -> list[str]:
        """Start the process of the quick way; the tests that it has collected, none if it could not."""
        recorded = [GAMES_RECORDED] if self.has_recorded() else []
        self.quick = Helper(self.folder, "mutation_quick", self.game, *self.files(), *recorded)
        ready = self.quick.answer()
        tests: list[str] = ready.get("tests", []) if ready.get("collected") else []
        return tests

    def stop(self) -> None:
        """Break off what is under way."""
        for helper in (self.plain, self.quick):
            if helper is not None:
                helper.process.terminate()

    def close(self) -> None:
        """End the processes and throw the copy away."""
        if self.quick is not None:
            self.quick.close()
        self.plain.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class Suite:
    """The tests of a game: what each costs on healthy sources, and which name which rule."""

    game: str
    costs: dict[str, float]
    by_rule: dict[str, list[str]]
    golden: dict[str, float] = field(default_factory=dict)  # recorded games of this title
    reach: dict[str, set[str]] = field(default_factory=dict)  # by function the tests that enter it

    def own(self, mutant: Mutant) -> list[str]:
        """The tests that name a rule of this mutant, quick ones first."""
        names = {test for rule in mutant.rules for test in self.by_rule.get(rule, [])}
        items = [item for item in self.costs if item.split("[")[0] in names]
        return sorted(items, key=self.costs.__getitem__)

    def seconds(self, tests: Iterable[str]) -> float:
        """The processor time that these may take before a mutant counts as one that never ends."""
        return LEAST + 5 * sum(self.costs.get(test, self.golden.get(test, 0.0)) for test in tests)


def healthy_suite(worker: Worker, game: str, by_rule: dict[str, list[str]]) -> Suite:
    """Run the game's tests once as they are; they must pass."""
    files = worker.files()
    if not files:
        raise GrognardError(f"{game} has no tests: tests/games/{game} is not there")
    report = worker.ask(healthy=True, tests=files, seconds=3600)
    if report["code"] != 0:
        bad = ", ".join(report["failed"][:5]) or f"pytest ended with {report['code']}"
        raise GrognardError(f"the tests of {game} do not pass as they are: {bad}")
    golden: dict[str, float] = {}
    if worker.has_recorded():
        again = worker.ask(healthy=True, tests=[GAMES_RECORDED], choose=game, seconds=3600)
        if again["code"] != 0:
            raise GrognardError(f"the recorded games of {game} do not replay as they are")
        golden = again["costs"]
    return Suite(game, report["costs"], by_rule, golden)


def plays(file: Path) -> bool:
    """False for tests that read the sources as text."""
    text = file.read_text("utf-8")
    return '.rglob("*.py")' not in text and "read_text().splitlines()" not in text


def reached_suite(workers: list[Worker], game: str, by_rule: dict[str, list[str]], kept: Path) -> Suite:
    """Each test once by itself on healthy sources, shared among the workers: what it costs, what it enters.

    That is kept; while nothing but a file of tests changes, only the tests in it are run again.
    """
    with ThreadPoolExecutor(len(workers)) as pool:
        tests = next(iter(list(pool.map(Worker.hire_quick, workers))))
        signs = signs_of(workers[0].folder, game, {test.split("::")[0] for test in tests})
        found = recalled_reach(kept, signs, tests)
        todo = [test for test in tests if test not in found]
        parts = [todo[n :: len(workers)] for n in range(len(workers))]
        helpers = [worker.quick for worker in workers]
        for part in pool.map(lambda helper, part: helper.ask(do="reach", tests=part) if part else {}, helpers, parts):
            found |= part
    if not tests:
        return healthy_suite(workers[0], game, by_rule)  # which says what is wrong
    bad = [test for test in tests if not found[test].get("passed")]
    if bad:
        raise GrognardError(f"the tests of {game} do not pass as they are: {', '.join(bad[:5])}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"signs": signs, "found": found}), "utf-8")
    suite = Suite(game, {}, by_rule)
    for test in tests:
        (suite.golden if test.startswith(GAMES_RECORDED) else suite.costs)[test] = found[test]["cost"]
        for function in found[test]["reach"]:
            suite.reach.setdefault(function, set()).add(test)
    return suite


def signs_of(folder: Path, game: str, files: set[str]) -> dict[str, str]:
    """For each file of tests a digest of it and of all that it may use."""
    total, package = hashlib.blake2b(digest_size=16), folder / "src" / "grognard"
    for file in sorted([*package.rglob("*"), *(folder / "tests").rglob("*"), folder / "pyproject.toml"]):
        foreign = package / "games" in file.parents and file.relative_to(package / "games").parts[0] != game
        read = file.suffix in (".py", ".toml", ".csv", ".json", ".xz") and not file.name.startswith("test_")
        if read and not foreign:
            total.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes() + b"\0")
    texts = {file: (folder / file).read_bytes() for file in sorted(files)}
    every = b"".join(texts.values())
    used = {f: every if re.search(rb"^(?:from|import)\b.*\btest_", text, re.M) else text for f, text in texts.items()}
    return {f: hashlib.blake2b(text, digest_size=16, key=total.digest()).hexdigest() for f, text in used.items()}


def recalled_reach(kept: Path, signs: dict[str, str], tests: list[str]) -> dict[str, Any]:
    """What an earlier run found about tests that are the same, on the same sources."""
    try:
        last: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    same = {file for file, sign in signs.items() if last["signs"].get(file) == sign}
    return {test: last["found"][test] for test in tests if test.split("::")[0] in same and test in last["found"]}


def judge(worker: Worker, suite: Suite, mutant: Mutant, killers: int = 1) -> Outcome:
    """Try one mutant: the tests of its rules, then the others. Somebody may edit the working tree meanwhile."""
    text = mutant.text(_source(worker.folder / "src" / "grognard", mutant))
    outcome = judged_quickly(worker.quick, suite, mutant, text, killers) if worker.quick is not None else None
    return outcome or judged_plainly(worker, suite, mutant, text, killers)


def judged_quickly(helper: Helper, suite: Suite, mutant: Mutant, text: str, killers: int) -> Outcome | None:
    """In a fork with other code, by the tests that reach it; None if it cannot be tried like this."""
    change = {"file": mutant.file, "text": text}
    plan = helper.ask(do="plan", **change)
    if plan["how"] == "plain":
        return None
    own = suite.own(mutant)
    every = suite.costs | suite.golden
    if plan["reach"] is None:
        reached = set(every)
    else:
        reached = set().union(*(suite.reach.get(name, set()) for name in [*plan["reach"], "*"]))
    stages = [
        [test for test in own if test in reached],
        sorted((reached & suite.costs.keys()) - set(own), key=suite.costs.__getitem__),
        sorted(reached & suite.golden.keys(), key=suite.golden.__getitem__),
    ]
    tests = [test for stage in stages for test in stage]
    if not tests:
        return Outcome(mutant, SURVIVED, "", 0.0, len(own))
    costs = {test: every[test] for test in tests}
    done = helper.ask(
        do="try", how=plan["how"], stages=stages, costs=costs, killers=killers, seconds=suite.seconds(tests), **change
    )
    if "stage" not in done:
        return None  # it ended without a word, or could not change its code
    outcome = (OWN, GAME, GOLDEN, SURVIVED)[done["stage"]]
    noticed = tuple(done["killers"])
    first = noticed[0] if noticed else ""
    return Outcome(mutant, outcome, first, done["seconds"], len(own), () if outcome == OWN else noticed)


def judged_plainly(worker: Worker, suite: Suite, mutant: Mutant, text: str, killers: int) -> Outcome:
    """In a process that imports everything anew, by all tests."""
    own = suite.own(mutant)
    spent = 0.0
    if own:
        files = sorted({item.split("[")[0] for item in own})
        order = {item: suite.costs[item] for item in own}
        done = worker.ask(file=mutant.file, text=text, tests=files, order=order, seconds=suite.seconds(own))
        spent = done["seconds"]
        if done["code"] != 0:
            return Outcome(mutant, OWN, first_of(done), spent, len(own), plain=True)
    rest = {item: cost for item, cost in suite.costs.items() if item not in set(own)}
    files = sorted({item.split("::")[0] for item in rest})
    job: dict[str, Any] = {"file": mutant.file, "text": text, "most": killers}
    if files:
        done = worker.ask(**job, tests=files, order=rest, leave_out=own, seconds=suite.seconds(rest))
        spent += done["seconds"]
        if done["code"] != 0:
            return Outcome(mutant, GAME, first_of(done), spent, len(own), tuple(done["failed"]), plain=True)
    if suite.golden:
        recorded = suite.golden
        done = worker.ask(**job, tests=[GAMES_RECORDED], order=recorded, seconds=suite.seconds(recorded))
        spent += done["seconds"]
        if done["code"] != 0:
            return Outcome(mutant, GOLDEN, first_of(done), spent, len(own), tuple(done["failed"]), plain=True)
    return Outcome(mutant, SURVIVED, "", spent, len(own), plain=True)


def first_of(done: dict[str, Any]) -> str:
    """The test that noticed."""
    return str(done["failed"][0]) if done["failed"] else ""


def try_all(
    root: Path,
    game: str,
    mutants: list[Mutant],
    by_rule: dict[str, list[str]],
    report: Report,
    jobs: int,
    *,
    plain: bool = False,
    killers: int = 1,
) -> Iterator[Outcome]:
    """Try them on so many processes; outcomes as they come, those of an earlier run first."""
    todo = []
    for mutant in mutants:
        known = report.recalled(mutant)
        if known is None:
            todo.append(mutant)
        else:
            yield known
    if not todo:
        return
    workers: list[Worker] = []
    try:
        for _ in range(min(jobs, len(todo))):
            workers.append(Worker(root, game))
        suite = (
            healthy_suite(workers[0], game, by_rule)
            if plain
            else reached_suite(workers, game, by_rule, report.path.parent / f"{game}-reach.json")
        )
        queue, lock = iter(todo), threading.Lock()
        with ThreadPoolExecutor(len(workers)) as pool:
            idle = list(workers)

            def one(mutant: Mutant) -> Outcome:
                with lock:
                    worker = idle.pop()
                try:
                    outcome = judge(worker, suite, mutant, killers)
                finally:
                    with lock:
                        idle.append(worker)
                report.add(outcome)
                return outcome

            running = [pool.submit(one, mutant) for mutant in queue]
            try:
                for done in as_completed(running):
                    yield done.result()
            except BaseException:  # broken off: nobody waits for what is under way
                for worker in workers:
                    worker.stop()
                raise
            finally:
                for task in running:
                    task.cancel()
    finally:
        for worker in workers:
            worker.close()


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Between which shares the truth lies, 19 times of 20, if so many of so many were seen."""
    if not of:
        return 0.0, 1.0
    z, p = 1.96, hits / of
    middle, spread = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of)


def shares(outcomes: list[Outcome]) -> dict[str, Any]:
    """How many were noticed by whom."""
    counts = Counter(o.outcome for o in outcomes)
    total, own, any_test = len(outcomes), counts[OWN], counts[OWN] + counts[GAME]
    noticed = any_test + counts[GOLDEN]
    return {
        "mutants": total,
        "own": own,
        "game": counts[GAME],
        "golden": counts[GOLDEN],
        "survived": counts[SURVIVED],
        "own_share": [round(x, 4) for x in (own / total if total else 0.0, *wilson(own, total))],
        "killed_share": [round(x, 4) for x in (any_test / total if total else 0.0, *wilson(any_test, total))],
        "noticed_share": [round(x, 4) for x in (noticed / total if total else 0.0, *wilson(noticed, total))],
    }


def by_rule_of(outcomes: list[Outcome]) -> dict[str, dict[str, int]]:
    """For each rule how its mutants fared; a mutant of several rules counts with each."""
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        for rule in outcome.mutant.rules:
            found.setdefault(rule, Counter())[outcome.outcome] += 1
    return {rule: {kind: found[rule][kind] for kind in (OWN, GAME, GOLDEN, SURVIVED)} for rule in sorted(found)}
