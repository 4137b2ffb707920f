"""The process that tries most mutants at once: the tests are collected one time, each mutant is a fork with other code.

It works in a copy of the sources (`mutation.Worker`). pytest imports the game and collects its tests; then, in place of
running them, it takes jobs, one JSON line each. For a mutant the changed module is compiled, the functions that differ
are found, and in a child every living function with the old code gets the new one; the tests run there until one fails.
Two processes stand ready to fork: a cold one, in which nothing has run but imports, and a warm one, in which every
scenario was set up once, so that maps and worlds are there. A function that ran while the warm one was made may have
left its answers in memories: its mutants are tried from the cold one. What ran on import, and what is no function body
(tables at the top of a module, class bodies, defaults, data read on import), cannot be exchanged; the plain way tries
those.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

from grognard.lab.mutation_worker import SLOW, attempt, quiet_child

FUNCTION = 0x01  # the flag of code that is a function's body (CO_OPTIMIZED): modules and classes have it not
TEST_LEAST, TEST_FACTOR = 10.0, 5.0  # seconds of processor time that one test may take, whatever it took before
STARTS_OTHERS = ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec", "os.system")
EVERYTHING = "*"  # what a test reaches that starts other processes: nobody saw


class CannotSwap(Exception):
    """This change is not one of function bodies that can be exchanged while the program runs."""


def bare(code: CodeType) -> CodeType:
    """What a code object says itself, without its inner functions and without line numbers."""
    consts = tuple(None if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=consts, co_linetable=b"", co_firstlineno=1, co_filename="")


def inner(code: CodeType) -> list[CodeType]:
    """The functions and classes that stand in it."""
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def changes(old: CodeType, new: CodeType) -> tuple[list[CodeType], list[tuple[CodeType, CodeType]]]:
    """Which code differs in itself, and what is to be exchanged for what: also the functions around it.

    >>> a, b = (compile(f"def f(x):\\n return [y < {n} for y in x]\\ndef g(): pass", "m", "exec") for n in (3, 4))
    >>> [c.co_qualname for c in changes(a, b)[0]], [c.co_qualname for c, _ in changes(a, b)[1]]
    (['f.<locals>.<listcomp>'], ['f', 'f.<locals>.<listcomp>'])
    """
    is_function = bool(old.co_flags & FUNCTION)
    mine, theirs = inner(old), inner(new)
    if bare(old) != bare(new) or [c.co_name for c in mine] != [c.co_name for c in theirs]:
        if not is_function:
            raise CannotSwap(f"{old.co_qualname} is no function")
        return [old], [(old, new)]
    differing: list[CodeType] = []
    exchanged: list[tuple[CodeType, CodeType]] = []
    for one, other in zip(mine, theirs):
        found, around = changes(one, other)
        differing += found
        exchanged += around
    if exchanged and is_function:
        exchanged.insert(0, (old, new))
    return differing, exchanged


class Names:
    """The names of code objects of a game, the same in every copy of the sources."""

    def __init__(self, folder: Path, game: str) -> None:
        self.package = str(folder / "src" / "grognard") + os.sep
        self.game = str(folder / "src" / "grognard" / "games" / game) + os.sep
        self.known: dict[int, tuple[CodeType, str]] = {}  # equal code of two files is not the same

    def of(self, code: CodeType) -> str:
        """File, name and line, or nothing for code that is not the game's."""
        found = self.known.get(id(code))
        if found is None:
            ours = code.co_filename.startswith(self.game) and code.co_flags & FUNCTION
            where = code.co_filename[len(self.package) :]
            name = f"{where}:{code.co_qualname}:{code.co_firstlineno}" if ours else ""
            found = self.known[id(code)] = code, name
        return found[1]


class Entered:
    """Which functions of the game run while this is open, by the profiler that is written in C."""

    def __init__(self, names: Names) -> None:
        self.names, self.profile = names, Profile(subcalls=False, builtins=False)
        self.threads = False  # what runs in other threads nobody sees

    def _in_a_thread(self, *_: object) -> None:
        self.threads = True

    def __enter__(self) -> Entered:
        threading.settrace(self._in_a_thread)
        self.profile.enable()
        return self

    def __exit__(self, *error: object) -> None:
        self.profile.disable()
        threading.settrace(None)

    def found(self) -> set[str]:
        """Their names."""
        codes = [entry.code for entry in self.profile.getstats() if isinstance(entry.code, CodeType)]
        return {name for code in codes if (name := self.names.of(code))}


class Audit:
    """Files that were opened, and whether another process was started."""

    def __init__(self) -> None:
        self.opened: set[str] = set()
        self.started_others = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if isinstance(arguments[0], str | os.PathLike):
                self.opened.add(os.fspath(arguments[0]))
        elif event in STARTS_OTHERS:
            self.started_others = True


class Server:
    """A pytest plugin that answers jobs in place of running the tests."""

    def __init__(self, folder: Path, game: str, answers: TextIO) -> None:
        self.folder, self.game, self.answers = folder, game, answers
        self.package = folder / "src" / "grognard"
        self.names, self.audit = Names(folder, game), Audit()
        self.imported, self.warmed = set[str](), set[str]()
        self.read_on_import: set[str] = set()
        self.items: dict[str, Any] = {}
        self.failed = False
        self.compiled: dict[str, CodeType] = {}
        self.living: dict[str, list[FunctionType]] = {}
        self.trace = Entered(self.names)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test, its set-up or its end."""
        self.failed = self.failed or report.outcome == "failed"

    def pytest_runtestloop(self, session: Any) -> bool:
        """All is collected: fork the warm process and take jobs."""
        self.trace.__exit__()
        self.imported = self.trace.found()
        self.read_on_import = set(self.audit.opened)
        ours = (i for i in session.items if "/golden/" not in i.nodeid or self.game in i.name)
        self.items = {item.nodeid: item for item in ours}
        gc.collect()
        to_warm, from_cold = os.pipe()
        to_cold, from_warm = os.pipe()
        if os.fork() == 0:
            try:
                os.close(from_cold)
                os.close(to_cold)
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                self.warm_up()
                self.find_living()
                with os.fdopen(to_warm) as jobs, os.fdopen(from_warm, "w") as answers:
                    answers.write(json.dumps(sorted(self.warmed)) + "\n")
                    answers.flush()
                    for line in jobs:
                        answers.write(json.dumps(self.attempted(json.loads(line))) + "\n")
                        answers.flush()
            finally:
                os._exit(0)
        os.close(to_warm)
        os.close(from_warm)
        self.find_living()
        with os.fdopen(from_cold, "w") as warm_jobs, os.fdopen(to_cold) as warm_answers:
            self.warmed = set(json.loads(warm_answers.readline() or "[]"))
            self.say({"ready": True, "tests": list(self.items), "collected": not session.testsfailed})
            for line in sys.stdin:
                job = json.loads(line)
                if job["do"] == "plan":
                    self.say(self.plan(job))
                elif job["do"] == "reach" or job["how"] == "warm":
                    warm_jobs.write(line)
                    warm_jobs.flush()
                    self.say(json.loads(warm_answers.readline() or "{}"))
                else:
                    self.say(self.attempted(job))
        return True

    def say(self, answer: dict[str, Any]) -> None:
        """One line to who asked."""
        self.answers.write(json.dumps(answer) + "\n")
        self.answers.flush()

    def find_living(self) -> None:
        """All functions of the game, by the name of their code."""
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and (name := self.names.of(thing.__code__)):
                self.living.setdefault(name, []).append(thing)
        gc.freeze()  # children share it all

    def warm_up(self) -> None:
        """Set every scenario up once; what rules remember for speed is forgotten again."""
        from grognard.games import find_game, playable_names
        from grognard.kernel import forgetting

        with Entered(self.names) as trace:
            if self.game in playable_names():
                game = find_game(self.game)
                for scenario in game.scenarios:
                    game.setup(scenario, {}, "warm")
        for store in forgetting.stores():
            store.clear()
        self.warmed = trace.found()

    def plan(self, job: dict[str, Any]) -> dict[str, Any]:
        """How a mutant can be tried: `warm`, `cold` or `plain`; and the functions that one must reach to notice it."""
        file = self.package / job["file"]
        if str(file) in self.read_on_import and file.suffix != ".py":
            return {"how": "plain", "why": "read on import"}
        if file.suffix != ".py" or not self.is_loaded(file):
            return {"how": "cold", "reach": None}
        try:
            differing, exchanged = self.changes_of(job)
        except (CannotSwap, SyntaxError, ValueError) as error:
            return {"how": "plain", "why": str(error)}
        names = {self.names.of(code) for code in differing}
        if names & self.imported:
            return {"how": "plain", "why": "ran on import"}
        if not all(self.living.get(self.names.of(old)) for old, _ in exchanged[:1]):
            return {"how": "plain", "why": "nobody holds this function"}
        if names & self.warmed:
            return {"how": "cold", "reach": None}
        return {"how": "warm", "reach": sorted(names)}

    def is_loaded(self, file: Path) -> bool:
        """True if the module was imported with the tests."""
        inside = file.relative_to(self.folder / "src").with_suffix("").parts
        return ".".join(inside[:-1] if inside[-1] == "__init__" else inside) in sys.modules

    def changes_of(self, job: dict[str, Any]) -> tuple[list[CodeType], list[tuple[CodeType, CodeType]]]:
        """What differs in a module, and what is to be exchanged for it."""
        file = self.package / job["file"]
        if job["file"] not in self.compiled:
            self.compiled[job["file"]] = compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)
        new = compile(job["text"], str(file), "exec", dont_inherit=True)
        differing, exchanged = changes(self.compiled[job["file"]], new)
        if not exchanged:
            raise CannotSwap("the same code")
        return differing, exchanged

    def attempted(self, job: dict[str, Any]) -> dict[str, Any]:
        """A job in a child of its own; the file is wrong on the disk as well, for who reads it there."""
        if job["do"] == "reach":
            return {test: attempt({"do": "reach", "test": test, "seconds": 900}, self.reach) for test in job["tests"]}
        file = self.package / job["file"]
        healthy = file.read_bytes()
        if file.suffix == ".py" and self.is_loaded(file):
            self.changes_of(job)  # so that the healthy code is compiled before the file is wrong
        try:
            file.write_text(job["text"], "utf-8")
            return attempt(job, self.try_mutant)
        finally:
            file.write_bytes(healthy)

    # In the child

    def run(self, tests: list[str]) -> Iterator[tuple[str, bool]]:
        """Run tests one after the other, and say which passed."""
        items = [self.items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None]):
            self.failed = False
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield item.nodeid, not self.failed

    def reach(self, job: dict[str, Any], answer: int) -> None:
        """One test on healthy sources: what it costs and which functions it reaches."""
        quiet_child(job["seconds"])
        self.audit.started_others = False
        with Entered(self.names) as trace:
            passed = all(good for _, good in self.run([job["test"]]))
        unseen = self.audit.started_others or trace.threads
        found = [EVERYTHING] if unseen else sorted(trace.found())
        report = {"passed": passed, "cost": time.process_time(), "reach": found}
        write_all(answer, report)

    def try_mutant(self, job: dict[str, Any], answer: int) -> None:
        """Exchange the code, then run the tests of each stage until one fails, or so many of a later stage."""
        quiet_child(job["seconds"])
        file = self.package / job["file"]
        if file.suffix == ".py" and self.is_loaded(file):
            for old, new in self.changes_of(job)[1]:
                for function in self.living.get(self.names.of(old), ()):
                    function.__code__ = new  # a closure that no longer fits is an error, told as one
        running: list[Any] = ["", 0]
        killers: list[str] = []

        def report(stage: int) -> None:
            seconds = time.process_time()
            write_all(answer, {"stage": stage, "killers": killers, "seconds": seconds})

        def too_long(*_: object) -> None:
            killers.append(f"{running[0]} {SLOW}")
            report(running[1])
            os._exit(0)

        signal.signal(signal.SIGPROF, too_long)
        for number, tests in enumerate(job["stages"]):
            for test, passed in self.timed(tests, job["costs"], running, number):
                if not passed:
                    killers.append(test)
                    if number == 0 or len(killers) >= job["killers"]:
                        break
            if killers:
                report(number)
                return
        report(-1)

    def timed(
        self, tests: list[str], costs: dict[str, float], running: list[Any], stage: int
    ) -> Iterator[tuple[str, bool]]:
        """Run tests, each with its own limit of processor time."""
        tests_now = self.run(tests)
        for test in tests:
            running[:] = [test, stage]
            signal.setitimer(signal.ITIMER_PROF, TEST_LEAST + TEST_FACTOR * costs.get(test, 0.0))
            yield next(tests_now)
        signal.setitimer(signal.ITIMER_PROF, 0)


def write_all(answer: int, report: dict[str, Any]) -> None:
    """A report of any length into a pipe."""
    left = memoryview(json.dumps(report).encode())
    while left:
        left = left[os.write(answer, left) :]


def main(folder: str, game: str, *tests: str) -> None:
    """Collect the tests and take jobs until the input ends."""
    os.chdir(folder)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    import pytest

    server = Server(Path(folder), game, answers)
    words = ["-q", "--no-header", "-s", "-p", "no:cacheprovider", "--color=no", f"--basetemp={folder}/tmp"]
    words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    server.trace.__enter__()
    code = pytest.main([*words, *tests], plugins=[server])
    if not server.items:
        server.say({"ready": False, "code": int(code)})


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and tells us
    main(*sys.argv[1:])
