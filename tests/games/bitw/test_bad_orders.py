"""Bad orders: every refusal cites a rule that exists and speaks both languages; every verb is tried in vain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grognard.games.bitw as package
from grognard.games.bitw.game import GAME
from grognard.kernel import seed_from
from grognard.kernel.narrate import Narrator
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for

SOURCES = sorted(Path(package.__file__).parent.rglob("*.py"))
VERBS = sorted({verb for table in GAME.sequences for row in table.rows if row.decision for verb in row.decision.verbs})
TARGETS = (
    ("", "de-26", "fr-6", "us-4", "de-fort-brest", "de-jf2", "2324", "2424", "usa")
    + ("2324/2424", "A/2324", "BE", "dyle", "paris", "A")
)  # fmt: skip
LABELS = {row.label for table in GAME.sequences for row in table.rows}


def test_refusals_in_the_code_cite_rules_and_have_sentences() -> None:
    found = 0
    for source in SOURCES:
        for rule_id, reason in re.findall(r'\bno\(\s*"([^"]+)",\s*"([^"]+)"', source.read_text("utf-8")):
            found += 1
            assert rule_id in rulebook("bitw"), f"{source.name}: {rule_id}"
            for lang in ("en", "fr"):
                assert texts_for("bitw", lang).find(f"refusal.{reason}"), f"{source.name}: {reason}"
    assert found > 80


@pytest.mark.parametrize("scenario", ["SBW1", "SBW2", "SBW3"])
def test_every_verb_is_refused_with_a_rule_where_it_does_not_belong(scenario: str) -> None:
    from random import Random

    s = GAME.setup(scenario, {}, seed_from(7))
    random = Random(7)
    refused: set[str] = set()
    narrator = Narrator(GAME, "fr")
    for step in range(260):
        if not s.waiting:
            break
        side = s.waiting[0]
        legal = GAME.orders(s, side)
        if step % 6 == 0:
            before = s.digest()
            for verb in VERBS:
                for target in TARGETS:
                    refusal = GAME.why(s, side, (verb, target))
                    if refusal is None:
                        assert (verb, target) in legal
                        continue
                    refused.add(verb)
                    assert refusal.rule in rulebook("bitw") or refusal.rule in {
                        r.label for t in GAME.sequences for r in t.rows
                    }
                    assert narrator.refusal(refusal)
            assert s.digest() == before
        GAME.obey(s, side, random.choice(legal))
    assert refused == set(VERBS)
