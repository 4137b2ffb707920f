"""Small wrong readings of the rules code: what `grognard mutate` puts in place of the right ones.

A mutant is one change of one expression or statement, found in the syntax tree and written into the text at its place,
so that everything else stays as it was. It belongs to the rules of the `@rule` mark around it; a helper without a mark
to the rules that its docstring begins with, or to those of the functions that use it. Left alone is what no rule says:
docstrings, sentences and event facts, assertions, annotations, memories kept for speed.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grognard.kernel.errors import GrognardError

MEMORY = re.compile(r"memo(?!ry)|cache", re.IGNORECASE)  # names of what is kept for speed only
ROWS = ("do", "ask", "call", "again")
QUIET = {"emit", "Event", "veil", "hear"}  # what is told about an act, not the act
FLIPPED: dict[type[ast.cmpop], str] = {
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
BOUNDARY: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
SWAPPED_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SIDES = {"attacker": "defender", "defender": "attacker"}
OPPOSITES = ("enemy_of", "other_side", "opponent_of", "enemy")  # functions that turn a side round


@dataclass(frozen=True)
class Mutant:
    """One wrong reading: where it stands, what stood there, what stands there now."""

    key: str  # the same as long as the function around it and the change are the same
    file: str  # inside the package
    line: int
    kind: str
    rules: tuple[str, ...]
    inside: str  # the function or table around it
    was: str
    now: str
    start: int  # the place of `was` in the file, in bytes
    end: int

    def text(self, original: str) -> str:
        """The whole file with this change."""
        raw = original.encode()
        if raw[self.start : self.end] != self.was.encode():
            raise GrognardError(f"{self.file} has changed since its wrong readings were listed; begin again")
        return (raw[: self.start] + self.now.encode() + raw[self.end :]).decode()

    def diff(self, original: str) -> str:
        """The change as people read changes."""
        lines = difflib.unified_diff(
            original.splitlines(), self.text(original).splitlines(), self.file, self.file, n=1, lineterm=""
        )
        return "\n".join(list(lines)[2:])


def key_of(*parts: str) -> str:
    """A short name for a change, made of what it is."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()


def named_rules(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The rule ids that a text names, in its order."""
    words = re.findall(r"[A-Za-z0-9][A-Za-z0-9.\-]*", text)
    found = [word for raw in words for word in (raw, raw.rstrip(".-")) if word in known]
    return tuple(dict.fromkeys(found))


class Finder:
    """Finds the mutants of one module."""

    def __init__(self, file: str, source: str, known: frozenset[str], unmarked: bool) -> None:
        self.file, self.source, self.known, self.unmarked = file, source, known, unmarked
        self.raw = source.encode()
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in self.raw.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.found: list[Mutant] = []
        self.seen: set[tuple[int, int, str]] = set()
        self.users = self._users()
        self.pairs = self._side_pairs() | SIDES
        self.inside: list[tuple[str, str]] = []  # name and text of the functions around
        self.rules: tuple[str, ...] = ()

    # Where things stand

    def place(self, node: ast.AST) -> tuple[int, int]:
        """First and last byte of a node."""
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return start, end

    def words(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.place(node)
        return self.raw[start:end].decode()

    def _users(self) -> dict[str, tuple[str, ...]]:
        """For each function of the module the rules of the marked ones that mention it."""
        users: dict[str, list[str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (ids := self._marks(node)):
                for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                    users.setdefault(name, []).extend(ids)
        return {name: tuple(dict.fromkeys(ids)) for name, ids in users.items()}

    def _side_pairs(self) -> dict[str, str]:
        """Names given to two sides at once: `AXIS, ALLIES = 0, 1`, or imported together."""
        pairs: dict[str, str] = {}
        named = {n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)}
        for one, other in (("AXIS", "ALLIES"), ("ALLIED", "GERMAN"), ("RED", "BLUE")):
            if one in named and other in named:
                pairs |= {one: other, other: one}
        return pairs

    def _marks(self, node: ast.FunctionDef | ast.ClassDef) -> tuple[str, ...]:
        ids: list[str] = []
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "rule":
                ids += [a.value for a in decorator.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return tuple(ids)

    def _rules_of(self, node: ast.FunctionDef | ast.ClassDef) -> tuple[str, ...]:
        """Mark, else what is around, else docstring, else users."""
        if ids := self._marks(node):
            return ids
        if self.rules:
            return self.rules
        if not self.unmarked:
            return ()
        first = (ast.get_docstring(node) or "").split("\n")[0]
        return named_rules(first, self.known) or self.users.get(node.name, ())

    # The walk

    def find(self) -> list[Mutant]:
        """All of them, in the order of the file."""
        for node in self.tree.body:
            self.statement(node)
        return sorted(self.found, key=lambda m: (m.start, m.end, m.now))

    def statement(self, node: ast.AST) -> None:
        """A statement and what is in it."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            before = self.rules
            self.rules = self._rules_of(node)
            self.inside.append((node.name, self.words(node)))
            if not MEMORY.search(node.name):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                for child in body:
                    self.statement(child)
                if isinstance(node, ast.FunctionDef):
                    for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]:
                        self.expression(default)
            self.inside.pop()
            self.rules = before
            return
        if isinstance(node, ast.Assert | ast.Raise | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
            return
        if self._is_memory(node):
            return
        if not self.inside:  # at the top of a module only the tables of the sequence of play say rules
            self.rows(node)
            return
        self._effect(node)
        if isinstance(node, ast.If) and not all(is_quiet(child) for child in node.body):
            self._condition(node.test)
        if isinstance(node, ast.Return):
            self._refusal(node)
        for name, value in ast.iter_fields(node):
            if name == "annotation" or (name == "target" and not isinstance(node, ast.For)):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt | ast.ExceptHandler):
                    self.statement(child)
                elif isinstance(child, ast.expr) and name not in ("targets", "target"):
                    self.expression(child)

    def _is_memory(self, node: ast.AST) -> bool:
        """True for a line that keeps or asks what is remembered for speed."""
        parts = [node.test] if isinstance(node, ast.If | ast.While) else [node]
        if isinstance(node, ast.For | ast.With | ast.Try):
            return False
        names = [n.id if isinstance(n, ast.Name) else n.attr for part in parts for n in ast.walk(part)
                 if isinstance(n, ast.Name | ast.Attribute)]  # fmt: skip
        return any(MEMORY.search(name) for name in names)

    def expression(self, node: ast.expr) -> None:
        """An expression and what is in it."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Call):
            name = called(node)
            if name in QUIET:
                return
            self._call(node, name)
            if name == "Refusal":
                return  # its rule, its reason and its facts are texts
            for argument in [node.func, *node.args]:
                self.expression(argument)
            for keyword in node.keywords:
                if keyword.arg not in ("default", "maxsize", "strict"):
                    self.expression(keyword.value)
            return
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            if node.operand.value != 1:  # -1 stands for nowhere and nobody
                self._constant(node.operand)
            return
        handler = {
            ast.Compare: self._compare,
            ast.BoolOp: self._junction,
            ast.UnaryOp: self._unary,
            ast.IfExp: self._choice,
            ast.BinOp: self._arithmetic,
            ast.Constant: self._constant,
            ast.Attribute: self._swapped_name,
            ast.Name: self._swapped_name,
        }.get(type(node))
        if handler is not None:
            handler(node)  # type: ignore[operator]
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                if not (isinstance(node, ast.Compare) and is_sentinel_test(node) and isinstance(child, ast.Constant)):
                    self.expression(child)
            elif isinstance(child, ast.comprehension):
                self.expression(child.iter)
                for test in child.ifs:
                    if not (self.inside and self.inside[-1][0] == "nouns"):  # `why_not` refuses them anyway
                        self.add("dropped", test, "True")
                    self.expression(test)

    def rows(self, node: ast.AST) -> None:
        """The tables of the sequence of play: a row whose condition is forgotten, or that asks the wrong side."""
        for child in ast.walk(node):
            if not (isinstance(child, ast.Call) and called(child) in ROWS and child.args):
                continue
            label = child.args[0]
            if not (isinstance(label, ast.Constant) and isinstance(label.value, str)):
                continue
            self.rules = rule_of_label(label.value, self.known)
            self.inside.append((f"row {label.value}", self.words(child)))
            for keyword in child.keywords:
                if keyword.arg in ("when", "unless"):
                    self.add("row", keyword.value, f"(lambda s, c: {keyword.arg == 'when'})")
            for argument in child.args[1:]:
                self._swapped_name(argument)
            self.inside.pop()
            self.rules = ()

    # The changes

    def add(self, kind: str, node: ast.AST, now: str) -> None:
        """Note a change of a whole node."""
        self.put(kind, *self.place(node), now, node.lineno)  # type: ignore[attr-defined]

    def put(self, kind: str, start: int, end: int, now: str, line: int) -> None:
        """Note a change, if it belongs to a rule and is one."""
        if not self.rules:
            return
        was = self.raw[start:end].decode()
        if was == now or (start, end, now) in self.seen:
            return
        self.seen.add((start, end, now))
        inside = ".".join(name for name, _ in self.inside)
        around = self.inside[-1][1] if self.inside else ""
        offset = start - self.raw.find(around.encode()) if around else start
        key = key_of(self.file, inside, around, str(offset), was, now)
        self.found.append(Mutant(key, self.file, line, kind, self.rules, inside, was, now, start, end))

    def _effect(self, node: ast.AST) -> None:
        """A thing that the rule does is not done."""
        changes = isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign) and all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
        )
        acts = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) not in QUIET
        if changes or acts:
            self.add("effect", node, "pass")

    def _condition(self, test: ast.expr) -> None:
        """A clause that is forgotten: its case never comes."""
        self.add("dropped", test, "False")
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self.add("negated", test, f"not ({self.words(test)})")

    def _refusal(self, node: ast.Return) -> None:
        """A refusal that is not given."""
        why = any(name.startswith("why") for name, _ in self.inside)
        given = isinstance(node.value, ast.Call) and called(node.value) == "Refusal"
        if given or (why and isinstance(node.value, ast.Call | ast.Name | ast.Attribute)):
            self.add("refusal", node.value, "None")  # type: ignore[arg-type]
        elif isinstance(node.value, ast.IfExp):
            for branch in (node.value.body, node.value.orelse):
                constant = why and isinstance(branch, ast.Name | ast.Attribute)
                if constant or (isinstance(branch, ast.Call) and called(branch) == "Refusal"):
                    self.add("refusal", node.value, "None")

    def _call(self, node: ast.Call, name: str) -> None:
        if isinstance(node.func, ast.Name) and name in SWAPPED_CALLS and node.args:
            self.add("extreme", node.func, SWAPPED_CALLS[name])
        if name in OPPOSITES and len(node.args) == 1 and not node.keywords:
            self.add("sides", node, self.words(node.args[0]))

    def _compare(self, node: ast.Compare) -> None:
        terms = [node.left, *node.comparators]
        for left, op, right in zip(terms, map(type, node.ops), terms[1:]):
            if len(node.ops) == 1:
                self._sign("flipped", left, right, FLIPPED[op])
            if op in BOUNDARY and not is_sentinel_test(node):
                self._sign("boundary", left, right, BOUNDARY[op])

    def _sign(self, kind: str, left: ast.expr, right: ast.expr, now: str) -> None:
        """Another sign between two operands; brackets around them stay where they are."""
        first, last = self.place(left)[1], self.place(right)[0]
        gap = self.raw[first:last].decode()
        found = re.search(r"not\s+in|is\s+not|[<>=!]=|<|>|\bin\b|\bis\b|\+|-", gap)
        if found is not None:
            start = first + len(gap[: found.start()].encode())
            self.put(kind, start, start + len(found.group()), now, left.end_lineno or left.lineno)

    def _junction(self, node: ast.BoolOp) -> None:
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        parts = [f"({self.words(v)})" for v in node.values]
        self.add("junction", node, f"({f' {other} '.join(parts)})")
        for dropped in range(len(parts)):
            kept = [p for n, p in enumerate(parts) if n != dropped]
            self.add("dropped", node, f"({f' {word} '.join(kept)})")

    def _unary(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add("negated", node, f"bool({self.words(node.operand)})")

    def _choice(self, node: ast.IfExp) -> None:
        self.add("negated", node.test, f"not ({self.words(node.test)})")

    def _arithmetic(self, node: ast.BinOp) -> None:
        left, right = self.words(node.left), self.words(node.right)
        if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant) and node.left.value == 1:
            self.add("sides", node, f"({right})")
        elif isinstance(node.op, ast.Add | ast.Sub) and is_number_like(node.left) and is_number_like(node.right):
            self._sign("sign", node.left, node.right, "-" if isinstance(node.op, ast.Add) else "+")
        elif isinstance(node.op, ast.FloorDiv):
            self.add("rounding", node, f"(-(-({left}) // ({right})))")

    def _constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            self.add("constant", node, str(node.value + 1))
            if node.value > 0:
                self.add("constant", node, str(node.value - 1))

    def _swapped_name(self, node: ast.expr) -> None:
        """The other side's field or name."""
        if isinstance(node, ast.Name) and node.id in self.pairs:
            if node.id not in SIDES or self.pairs[node.id] in {
                n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)
            }:
                self.add("sides", node, self.pairs[node.id])
        elif isinstance(node, ast.Attribute) and node.attr in SIDES and f".{SIDES[node.attr]}" in self.source:
            self.add("sides", node, f"{self.words(node.value)}.{SIDES[node.attr]}")


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )


def is_quiet(node: ast.stmt) -> bool:
    """True for a line that only tells what happened."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) in QUIET


def is_sentinel_test(node: ast.Compare) -> bool:
    """`x >= 0` and `x < 0` ask whether there is one at all; 0 itself is as good as any other number."""
    right = node.comparators[0]
    zero = isinstance(right, ast.Constant) and right.value == 0 and isinstance(right.value, int)
    return len(node.ops) == 1 and zero and isinstance(node.ops[0], ast.GtE | ast.Lt)


def is_number_like(node: ast.expr) -> bool:
    """False for what is surely a text or a list."""
    return not isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp | ast.Dict | ast.Set) and not (
        isinstance(node, ast.Constant) and not isinstance(node.value, int)
    )


def rule_of_label(label: str, known: frozenset[str]) -> tuple[str, ...]:
    """The rule of a row: its label, or what is left of it without the letter or word at its end."""
    word = label
    while word:
        if word in known:
            return (word,)
        word = word[:-1].rstrip("-.")
    return ()


def code_mutants(package: Path, game: str, known: frozenset[str]) -> Iterator[Mutant]:
    """Every wrong reading of the rules code of a game; a few may not compile."""
    folder = package / "games" / game
    for file in sorted(folder.rglob("*.py")):
        inside = file.relative_to(folder).parts
        source = file.read_text("utf-8")
        if "@rule(" not in source and file.name != "sequence.py":
            continue
        unmarked = "rules" in inside or file.name in ("rules.py", "sequence.py")
        yield from Finder(str(file.relative_to(package)), source, known, unmarked).find()


def compiles(source: str) -> bool:
    """True for a text that Python can read."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
