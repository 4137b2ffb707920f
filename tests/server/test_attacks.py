"""docs/attacks.md: every test that it names is there, and no attack stands there without one."""

from __future__ import annotations

import re

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "attacks.md").read_text("utf-8")


def test_every_attack_of_the_page_is_tried_by_a_test() -> None:
    there = "".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    rows = [
        row for row in PAGE.splitlines() if row.startswith("| ") and "tried by |" not in row and "held by |" not in row
    ]
    assert len(rows) > 55
    assert [n for n in range(1, 17) if f"| **{n}** " not in PAGE] == [], "a point without a test"
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row.split(" | ")[1])
        assert named, row
        for name in named:
            assert f"def {name}(" in there, name
