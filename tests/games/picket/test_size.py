"""The sample game stays a sample: its code and its data keep within 600 lines (docs/decisions/0009)."""

import ast
import io
import tokenize
from pathlib import Path

import grognard.games.picket

FOLDER = Path(grognard.games.picket.__file__).parent
LIMIT = 600
WORDS = ("rulebook.toml", "en.toml", "fr.toml")
NOT_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def lines_of_code(source: str) -> int:
    """Lines with something on them that is neither a comment nor a docstring."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {n for t in tokens if t.type not in NOT_CODE for n in range(t.start[0], t.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            lines -= set(range(text.lineno, (text.end_lineno or 0) + 1))
    return len(lines)


def lines_of_data(source: str) -> int:
    """Lines that are neither blank nor a comment."""
    return sum(1 for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def test_the_count_leaves_out_blank_lines_comments_and_docstrings() -> None:
    assert (
        lines_of_code('"""What\n\nit is."""\n\n# so\nx = [\n    1,\n]\n\n\ndef f():\n    """Do."""\n    return x\n')
        == 5
    )
    assert lines_of_data("# so\n\na = 1 # one\n") == 1


def test_code_and_data_keep_within_the_limit() -> None:
    code = sum(lines_of_code(path.read_text("utf-8")) for path in FOLDER.rglob("*.py"))
    files = [p for p in FOLDER.rglob("*") if p.suffix in (".toml", ".csv") and p.name not in WORDS]
    data = sum(lines_of_data(path.read_text("utf-8")) for path in files)
    assert code > 300, "the count has lost sight of the code"
    assert data > 50, "the count has lost sight of the data"
    assert code + data < LIMIT
