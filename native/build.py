"""`python -m native.build`: the compiled edition of the package in `build/native/`, through mypyc and the C compiler.

The sources are copied, made fit for the compiler (records as plain typed classes, marks of rules dropped, names
imported from where they are defined) and compiled; what is left out stays interpreted beside it. Nothing of the pure
package is changed, and it stays the reference: `tests/native` plays the same games in both editions and compares.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from native.records import Edit, is_record, native_record

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "grognard"
TARGET = ROOT / "build" / "native"
SMALL_TARGET = ROOT / "build" / "native-small"
FACADES = ("grognard.kernel", "grognard.hexes", "grognard.kit")  # packages whose __init__ hands names on
SMALL = (  # what every game stands on, and the sample game: a minute's work
    "kernel/{record,events,flow,kinds,options,dice,fog}.py",
    "hexes/{coords,fields,paths,regions,sight}.py",
    "kit/{choices,fire,memo}.py",
    "games/picket/{state}.py",
    "games/picket/rules/*.py",
)
COMPILED = (
    *SMALL,
    "games/surrender/{state,frames}.py",
    "games/surrender/rules/*.py",
    "games/surrender/computer/*.py",
    "games/bitw/{state,frames,memo}.py",
    "games/bitw/rules/*.py",
    "games/bitw/computer/*.py",
    "games/normandie/{state,frames}.py",
    "games/normandie/rules/*.py",
    "games/normandie/computer/*.py",
    "tabletop/{measure,paths,shapes,sight}.py",
    "games/blitzkrieg/{state,frames}.py",
    "games/blitzkrieg/laws/*.py",
    "games/blitzkrieg/rules/*.py",
    "games/blitzkrieg/proposals/*.py",
    "games/blitzkrieg/computer/*.py",
)
# A proposal answers a question of the rules; the compiler asks for the question's type before it has worked it out.
CHECKED = """[mypy]
namespace_packages = True
explicit_package_bases = True

[mypy-grognard.games.blitzkrieg.proposals.*]
disable_error_code = has-type, arg-type
"""


def modules(patterns: tuple[str, ...]) -> list[Path]:
    """The files to compile, in the package."""
    found: list[Path] = []
    for pattern in patterns:
        folder, _, names = pattern.partition("/{")
        if names:
            found += [SOURCE / folder / f"{name}.py" for name in names.removesuffix("}.py").split(",")]
        else:
            found += sorted(file for file in SOURCE.glob(pattern) if file.name != "__init__.py")
    return found


def module_name(file: Path) -> str:
    """The module that a file of the package holds."""
    return ".".join(["grognard", *file.relative_to(SOURCE).with_suffix("").parts])


def digest_of_sources() -> str:
    """What the build was made from: the package's code, this builder and the interpreter."""
    total = hashlib.blake2b(f"{sys.version} {sys.platform}".encode(), digest_size=16)
    for file in sorted([*SOURCE.rglob("*.py"), *Path(__file__).parent.glob("*.py")]):
        total.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return total.hexdigest()


def is_fresh(target: Path = TARGET) -> bool:
    """True if a build of exactly these sources is there."""
    stamp = target / "stamp"
    return stamp.exists() and stamp.read_text() == digest_of_sources()


def why_not() -> str:
    """Why nothing can be compiled here; empty if it can."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "Python's header files are not installed"
    missing = [name for name in ("mypyc", "setuptools") if importlib.util.find_spec(name) is None]
    return f"{missing[0]} is not installed" if missing else ""


def handed_on() -> dict[str, dict[str, str]]:
    """By facade and name: the module that defines it."""
    table: dict[str, dict[str, str]] = {}
    for facade in FACADES:
        tree = ast.parse((SOURCE / facade.split(".")[1] / "__init__.py").read_text())
        table[facade] = {}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                home = f"{facade}.{node.module}" if node.level else node.module
                table[facade] |= {alias.asname or alias.name: home for alias in node.names}
    return table


def is_mark(node: ast.expr) -> bool:
    """`@rule(...)`, which does nothing at run time."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule"


def imports(node: ast.ImportFrom, homes: dict[str, dict[str, str]]) -> list[Edit]:
    """Names are imported from the module that defines them: a facade may not be ready while modules are made."""
    if node.level or node.module not in homes:
        return []
    by_home: dict[str, list[str]] = {}
    for alias in node.names:
        home = homes[node.module].get(alias.name, node.module)
        by_home.setdefault(home, []).append(f"{alias.name} as {alias.asname}" if alias.asname else alias.name)
    lines = [f"from {home} import {', '.join(names)}" for home, names in by_home.items()]
    return [(node.lineno, node.end_lineno or 0, lines)]


def mark_for(node: ast.ClassDef, cls: type, compiled: set[str]) -> list[str]:
    """How a class is compiled.

    Games that are not compiled derive from classes that are; tuples and errors are classes of Python's own. In a native
    class `cached_property` would not be cached: one that has it stays a class of Python's with compiled methods, and
    the compiler does not learn that the decorator makes properties (`fitted` calls it by another name). So does a class
    that derives from a compiled one by way of one that is not: the compiler would look past what stands
    between (a record has all its methods itself).
    """
    bases = [base.__module__ in compiled for base in cls.__mro__[1:] if base.__module__.startswith("grognard")]
    if not is_record(cls) and True in bases and False in bases[: len(bases) - bases[::-1].index(True)]:
        return ["@mypyc_attr(native_class=False)"]
    decorators = [d for m in node.body if isinstance(m, ast.FunctionDef) for d in m.decorator_list]
    if any("cached_property" in ast.unparse(d) for d in decorators):
        return ["@mypyc_attr(native_class=False)"]
    decorated = any(not is_mark(d) for d in node.decorator_list)
    if decorated or re.search(r"NamedTuple|Error|Exception|Protocol", " ".join(map(ast.unparse, node.bases))):
        return []
    return ["@mypyc_attr(allow_interpreted_subclasses=True)"]


def fitted(file: Path, homes: dict[str, dict[str, str]], compiled: set[str]) -> str:
    """The source of a module as the compiler gets it; comments stay, lines are exchanged."""
    name = module_name(file)
    module, lines = importlib.import_module(name), file.read_text().split("\n")
    tree, records = ast.parse(file.read_text()), 0
    edits: list[Edit] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            edits += imports(node, homes)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            edits += [(d.lineno, d.end_lineno or 0, []) for d in node.decorator_list if is_mark(d)]
            kept = [d for d in node.decorator_list if ast.unparse(d) == "cached_property"]
            edits += [(d.lineno, d.lineno, [" " * (d.col_offset - 1) + "@_kept"]) for d in kept]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(module, node.name)
            if is_record(cls):
                records += 1
                edits += native_record(node, cls)
            edits.append((node.lineno, node.lineno - 1, mark_for(node, cls, compiled)))
    head = ["from mypy_extensions import mypyc_attr"]
    if "cached_property" in file.read_text():
        head += ["import functools", "from typing import Any", "_kept: Any = functools.cached_property"]
    if records:
        head += ["from typing import Any, Self"]
        head += ["from grognard.kernel.record import Column, declare_fields"] * (name != "grognard.kernel.record")
    future = next((n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"), tree.body[0])
    edits.append(((future.end_lineno or 0) + 1, future.end_lineno or 0, head))
    for first, last, instead in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        lines[first - 1 : last] = instead
    return "\n".join(lines)


def build(target: Path = TARGET, patterns: tuple[str, ...] = COMPILED) -> None:
    """Copy, fit, compile, stamp: with what the sources were when the work began."""
    made_from = digest_of_sources()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCE, target / "grognard", ignore=shutil.ignore_patterns("__pycache__", "static"))
    (target / "grognard" / "server" / "static").symlink_to(SOURCE / "server" / "static")  # the client, built or not yet
    homes, files = handed_on(), modules(patterns)
    for file in files:
        (target / "grognard" / file.relative_to(SOURCE)).write_text(
            fitted(file, homes, {module_name(other) for other in files})
        )
    names = [(Path("grognard") / file.relative_to(SOURCE)).as_posix() for file in files]
    setup = f"""from setuptools import setup
from mypyc.build import mypycify
FILES = {names!r}
setup(name="grognard-native", ext_modules=mypycify(FILES, opt_level="2", multi_file=True))
"""
    (target / "setup.py").write_text(setup)
    (target / "mypy.ini").write_text(CHECKED)
    env = os.environ | {"MYPYPATH": str(target), "PYTHONPATH": str(target)}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--parallel", str(os.cpu_count() or 1)]
    done = subprocess.run(command, cwd=target, env=env, capture_output=True, text=True, check=False)
    if done.returncode or "error:" in done.stdout:
        sys.exit(f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}\nnative: not built")
    (target / "stamp").write_text(made_from)


def main(words: list[str]) -> int:
    """Build if need be; `--fresh` only says, by its exit code, whether a build of these sources is there.

    `--small` builds what the suite compares: the engine and the sample game.
    """
    if words == ["--fresh"]:
        return 0 if is_fresh() else 1
    if reason := why_not():
        sys.exit(f"native: {reason}; the pure edition plays everything")
    target, patterns = (SMALL_TARGET, SMALL) if words == ["--small"] else (TARGET, COMPILED)
    if not is_fresh(target):
        build(target, patterns)
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
