"""What `grognard check` finds besides data: texts left in English, marks that name too much, docs that name nothing."""

from __future__ import annotations

import ast
import importlib
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import click

from grognard.cli.coverage import PACKAGE, ROOT
from grognard.cli.main import COMMANDS
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import read_texts

MOST_RULES = 6  # on one test: who names more pins none of them
WORD = re.compile(r"[^\W\d_][\w’'-]*")
SPAN = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\(")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
PATH = re.compile(r"[\w.\-]+(?:/[\w.\-]+)*/?")
COMMAND = re.compile(r"(?:^|[|;&]|\$\()\s*(?:\$ )?(?:\S*/play|(?:\S*/)?grognard)((?:[ \t]+[^\s#`|;&)]+)+)")
CONFLICT = re.compile(r"^(?:<{7}(?: |$)|\|{7}(?: |$)|={7}$|>{7}(?: |$))", re.MULTILINE)
MERGED = (".md", ".toml", ".py", ".ts", ".mjs", ".css", ".csv", ".sql")  # what people write and merge
NOT_OURS = {"node_modules", "build", "dist", "static", "__pycache__", "native"}
CODE = (".py", ".ts", ".js", ".toml", ".csv", ".json", ".txt", ".md", ".sql", ".css", ".svg", ".lock", ".mjs")


# Texts


@cache
def same_words() -> frozenset[str]:
    """Words that may be equal in both languages."""
    text = (resources.files("grognard") / "text" / "same.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(word.lower() for line in lines for word in line.split())


def is_translated(english: str, french: str) -> bool:
    """False for a sentence that stands in both files as it is and is not made of words that are the same."""
    if english != french:
        return True
    bare = re.sub(r"\{[^}]*\}", " ", english)
    return all(len(word) == 1 or word.lower() in same_words() for word in WORD.findall(bare))


def untranslated(game: str) -> list[str]:
    """French texts that are still the English ones."""
    folder = resources.files("grognard") / "games" / game / "text" if game else resources.files("grognard") / "text"
    english, french = (read_texts(folder / f"{lang}.toml") for lang in ("en", "fr"))
    rules = rulebook(game) if game else {}
    found = [
        f"{game or 'common'}/text/fr.toml: {key} is the English text: {text!r}"
        for key, text in english.items()
        if key in french
        and text not in rules
        and not (key.startswith("name.") and is_proper(text))
        and not is_translated(text, french[key])
    ]
    for rule in rules.values():
        for what, one, other in (("titre", rule.title, rule.titre), ("texte", rule.text, rule.texte)):
            if not is_translated(one, other):
                found.append(f"{game}/data/rulebook.toml: rule {rule.id}: {what} is the English text: {one!r}")
    return found


def is_proper(name: str) -> bool:
    """True for the name of one thing, which is not translated: it begins with a capital or a number."""
    return not name[:1].islower()


# Marks


def crowded_marks(game: str) -> list[str]:
    """Tests whose marks name more rules than one test can pin; a rule that a case of `parametrize` names is its own."""
    found = []
    folder = ROOT / "tests" / "games" / game
    for file in sorted(folder.rglob("test_*.py")) if folder.is_dir() else []:
        tree = ast.parse(file.read_text("utf-8"))
        tables = {
            t.id: n.value for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                calls = [
                    d for d in node.decorator_list if isinstance(d, ast.Call) and isinstance(d.func, ast.Attribute)
                ]
                rules = {w for d in calls if d.func.attr == "rule" for w in words_in(d, tables)}  # type: ignore[attr-defined]
                cases = {w for d in calls if d.func.attr == "parametrize" for w in words_in(d, tables)}  # type: ignore[attr-defined]
                if len(rules - cases) > MOST_RULES:
                    where = f"{file.relative_to(ROOT)}:{node.lineno}"
                    found.append(
                        f"{where}: {node.name} names {len(rules)} rules; {MOST_RULES} at most, or it pins none"
                    )
    return found


def words_in(node: ast.AST, tables: dict[str, ast.expr]) -> set[str]:
    """Every text in an expression and in the tables of the module that it names."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.add(part.value)
        elif isinstance(part, ast.Name) and part.id in tables:
            found |= {
                p.value for p in ast.walk(tables[part.id]) if isinstance(p, ast.Constant) and isinstance(p.value, str)
            }
    return found


# Merges


def unmerged(
    folders: tuple[str, ...] = ("src", "docs", "tests", "experiments", "scripts", "maps", "client/src"),
) -> list[str]:
    """Files in which a merge has left its marks; a row of equals signs alone may be a heading, so it needs company."""
    found = []
    pages = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("*.toml"))]
    for folder in folders:
        pages += sorted(file for file in (ROOT / folder).rglob("*") if file.suffix in MERGED)
    for page in pages:
        if NOT_OURS & set(page.relative_to(ROOT).parts) or not page.is_file():
            continue
        text = page.read_text("utf-8", errors="replace")
        marks = list(CONFLICT.finditer(text))
        if any(not mark.group().startswith("=") for mark in marks):
            line = text.count("\n", 0, marks[0].start()) + 1
            found.append(f"{page.relative_to(ROOT)}:{line}: marks of an unfinished merge")
    return found


# Docs


def stale_docs() -> list[str]:
    """What the documentation names that does not exist: functions, modules, files, commands and their options."""
    found = []
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in (page for page in pages if page.is_file()):
        text = page.read_text("utf-8")
        here = known_here(text)
        for number, said, in_block in statements(text):
            for problem in (
                wrong_commands(said) if in_block else [*wrong_commands(said), *wrong_names(said, here, page)]
            ):
                found.append(f"{page.relative_to(ROOT)}:{number}: {problem}")
    return found


def statements(text: str) -> Iterator[tuple[int, str, bool]]:
    """Each piece of code of a page with its line: lines of blocks (only their commands are checked), and spans."""
    blocks = [(m.start(), m.end()) for m in BLOCK.finditer(text)]
    for start, end in blocks:
        first = text.count("\n", 0, start) + 1
        for offset, line in enumerate(text[start:end].splitlines()):
            yield first + offset, line, True
    plain = BLOCK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for span in SPAN.finditer(plain):
        yield plain.count("\n", 0, span.start()) + 1, span.group(1), False


def known_here(text: str) -> set[str]:
    """Names that a page itself defines in its blocks of code, and files that it writes."""
    code = "\n".join(m.group() for m in BLOCK.finditer(text))
    return set(re.findall(r"[A-Za-z_]\w*", code)) | set(re.findall(r"file=(\S+)", code))


def wrong_commands(said: str) -> list[str]:
    """Commands and options that the command line does not have."""
    found = []
    for call in COMMAND.finditer(said):
        words = call.group(1).split()
        name = words[0].strip("'\"")
        if not re.fullmatch(r"[a-z][a-z-]*", name):
            continue
        if name not in COMMANDS:
            found.append(f"there is no command {name!r} (`{said}`)")
            continue
        options = options_of(name, words[1:])
        bad = [
            w for w in words[1:] if re.fullmatch(r"--[a-z][a-z-]*", w.split("=")[0]) and w.split("=")[0] not in options
        ]
        found += [f"{name} has no option {word}" for word in bad if options is not ANY]
    return found


ANY: frozenset[str] = frozenset({"*"})


def options_of(name: str, words: list[str]) -> frozenset[str]:
    """The options of a command; ANY for one that takes whatever it is given (`--red ai:greedy`)."""
    module, attribute, _ = COMMANDS[name]
    command: Any = getattr(importlib.import_module(f"grognard.cli.{module}"), attribute)
    if isinstance(command, click.Group):
        sub = next((word for word in words if word in command.commands), None)
        if sub is None:
            return ANY
        command = command.commands[sub]
    if command.ignore_unknown_options or command.context_settings.get("ignore_unknown_options"):
        return ANY
    return frozenset(o for p in command.params for o in (*p.opts, *p.secondary_opts)) | {"--help"}


def wrong_names(said: str, here: set[str], page: Path) -> list[str]:
    """Functions, attributes, modules and files of a span that nobody knows."""
    found = []
    words = said.strip()
    if PATH.fullmatch(words) and (words.endswith(CODE) or words.endswith("/")) and "/" in words.rstrip("/"):
        if not is_file(words, page) and words not in here:
            found.append(f"there is no file {words!r}")
        return found
    for name in CALL.findall(words):
        last = name.rpartition(".")[2]
        if not {last, last.lower()} & (here | names_of_sources()):  # formulas write BLAKE2b(...)
            found.append(f"there is no function {name!r}")
    if DOTTED.fullmatch(words) and words[:1].isupper() and not words.endswith(CODE):  # Class.attribute
        found += [f"there is no {words!r}: nothing is called {part!r}" for part in words.split(".")
                  if part not in here and part not in names_of_sources()]  # fmt: skip
    return found


def is_file(words: str, page: Path) -> bool:
    """True if a path leads somewhere from the root, the package, the page or any folder of the package."""
    wanted = words.rstrip("/")
    if re.search(r"<|\b[A-Z]{4,}\b(?!\.md)", wanted):  # a place to be filled in: games/<game>, maps/NAME
        return True
    starts = (ROOT, PACKAGE, page.parent, ROOT / "client", ROOT / "src", PACKAGE / "games" / "picket")
    if any((start / wanted).exists() for start in starts):
        return True
    return any(str(path).endswith(f"/{wanted}") for path in every_file())


@cache
def every_file() -> tuple[str, ...]:
    """Every file and folder of the sources."""
    rooms = [
        ROOT / name for name in ("src", "tests", "maps", "scripts", "docs", "client/src", "client/tests", "native")
    ]
    return tuple(str(p) for room in rooms if room.is_dir() for p in room.rglob("*") if "__pycache__" not in p.parts)


@cache
def names_of_sources() -> frozenset[str]:
    """Every name that the sources use or define, in Python and in the client, and those that Python has."""
    import builtins

    found = set(dir(builtins)) | set(dir(str)) | set(dir(list)) | set(dir(dict)) | {"fetch", "json", "random"}
    for room in ("src", "tests", "maps", "scripts", "native"):
        for file in sorted((ROOT / room).rglob("*.py")):
            with file.open("rb") as lines:
                found |= {token.string for token in tokenize.tokenize(lines.readline) if token.type == tokenize.NAME}
    for file in [
        *(ROOT / "client" / "src").rglob("*.ts"),
        *(ROOT / "client").glob("*.json"),
        *(ROOT / "scripts").iterdir(),
    ]:
        if file.is_file() and file.suffix != ".py":
            found |= set(re.findall(r"[A-Za-z_]\w*", file.read_text("utf-8", errors="ignore")))
    return frozenset(found)
