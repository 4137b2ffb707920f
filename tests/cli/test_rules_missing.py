"""`rules GAME --missing` lists what is not done and nothing else; `--coverage` adds the counts and the shares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grognard.cli import mutate_cmd, rules_cmd
from grognard.kernel.rulebook import rulebook

SHARES = {
    "command": "grognard mutate picket --sample 200 --seed 1", "rules_version": 3, "tree": "same", "mutants": 200,
    "own": 180, "game": 12, "survived": 8, "own_share": [0.9, 0.8506, 0.9343], "killed_share": [0.96, 0.9231, 0.9796],
}  # fmt: skip


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command, as if 5.3 were half done, 6.1 missing and the rest done; shares as given."""
    status = dict.fromkeys(rulebook("picket"), "done") | {"5.3": "partial", "6.1": "missing"}
    index = {rule: {"status": word, "code": [], "tests": []} for rule, word in status.items()}
    monkeypatch.setattr(rules_cmd, "index_of", lambda game, run_tests: index)
    monkeypatch.setattr(rules_cmd, "tree_digest", lambda game: "same")
    file = tmp_path / "mutation.json"
    monkeypatch.setattr(mutate_cmd, "SHARES", file)

    def run(*words: str, shares: dict[str, Any] | None = None) -> Result:
        file.write_text(json.dumps({"picket": shares} if shares else {}))
        return CliRunner().invoke(rules_cmd.rules_command, ["picket", *words])

    return run


def test_missing_alone_lists_only_what_is_not_done(rules: Any) -> None:
    lines = rules("--missing", "--lang", "en").output.splitlines()
    assert [line.split()[:3] for line in lines] == [["5.3", "core", "partial"], ["6.1", "core", "missing"]]
    assert rulebook("picket")["5.3"].title in lines[0]
    french = rules("--missing", "--lang", "fr").output.splitlines()
    assert rulebook("picket")["6.1"].titre in french[1]


def test_missing_in_json_and_by_tier(rules: Any) -> None:
    told = json.loads(rules("--missing", "--json").output)
    assert [row["id"] for row in told["rules"]] == ["5.3", "6.1"]
    assert len(json.loads(rules("--json").output)["rules"]) == len(rulebook("picket"))


def test_coverage_with_missing_has_both(rules: Any) -> None:
    lines = rules("--coverage", "--missing", "--lang", "en").output.splitlines()
    assert lines[0].startswith("picket")
    assert [line.split()[0] for line in lines[-2:]] == ["5.3", "6.1"]
    assert not any(line.startswith("5.3") for line in rules("--coverage").output.splitlines())


def test_coverage_prints_the_shares_and_where_they_come_from(rules: Any) -> None:
    text = rules("--coverage", "--lang", "en", shares=SHARES).output
    assert "grognard mutate picket --sample 200 --seed 1, version 3 of the rules)" in text
    assert "noticed by the game's tests: 192 of 200, 96.0 % (92.3 to 98.0)" in text
    assert "noticed by the rule's own tests: 180 of 200, 90.0 % (85.1 to 93.4)" in text
    assert "192 sur 200, 96,0 % (de 92,3 à 98,0)" in rules("--coverage", "--lang", "fr", shares=SHARES).output


def test_shares_of_other_sources_say_so(rules: Any) -> None:
    assert "other sources" in rules("--coverage", "--lang", "en", shares=SHARES | {"tree": "older"}).output
    assert "not measured yet" in rules("--coverage", "--lang", "en").output


def test_recording_keeps_the_shares_of_other_games(rules: Any) -> None:
    rules("--coverage", shares=SHARES)
    found = {key: SHARES[key] for key in ("mutants", "own", "game", "survived", "own_share", "killed_share", "tree")}
    mutate_cmd.keep_shares("surrender", found | {"sample": 40, "seed": 2})
    kept = json.loads(mutate_cmd.SHARES.read_text())
    assert kept["picket"] == SHARES
    assert kept["surrender"]["command"] == "grognard mutate surrender --sample 40 --seed 2"
