"""The command line as a user meets it: real processes, exit codes, both languages, bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.games import playable_names, rulebook_names

ROOT = Path(__file__).resolve().parents[2]


def grognard(*words: str, stdin: str = "", seed: str = "0", **env: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"} | env
    command = [sys.executable, "-m", "grognard", *words]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environment, timeout=300, check=False, cwd="/"
    )


def test_games_lists_every_rulebook_in_both_languages() -> None:
    for lang in ("en", "fr"):
        done = grognard("games", "--lang", lang)
        assert done.returncode == 0, done.stderr
        for name in rulebook_names():
            assert name in done.stdout
    entries = json.loads(grognard("games", "--json").stdout)
    told = [s["about"] for entry in entries for s in entry.get("scenarios", [])]
    assert told
    assert all(told), "how long each scenario is, and what decides it"
    assert {e["game"] for e in entries if e["playable"]} == set(playable_names())


def test_every_command_has_help_with_an_example() -> None:
    top = grognard("--help")
    assert top.returncode == 0
    for command in (
        "games",
        "play",
        "replay",
        "verify",
        "selfplay",
        "fuzz",
        "rules",
        "data",
        "check",
        "bench",
        "mutate",
    ):
        assert command in top.stdout
        text = grognard(command, "--help").stdout
        assert f"Example: grognard {command}" in " ".join(text.split()), command


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("play", "pickett"), "picket"),
        (("play", "picket", "crosing"), "crossing"),
        (("selfplay", "picket", "--purple", "ai:greedy"), "--red"),
        (("selfplay", "picket", "--red", "ai:gredy"), "ai:greedy"),
        (("selfplay", "picket", "--option", "fogg=on"), "fog"),
        (("rules", "picket", "99.9"), "unknown rule"),
        (("rules", "nothing"), "unknown game"),
        (("fuzz", "picket", "nowhere"), "crossing"),
        (("gaems",), "games"),
        (("data", "pikket"), "picket"),
        (("check", "pikket"), "picket"),
        (("bench", "pikket"), "picket"),
    ],
)
def test_unknown_names_are_wrong_usage_and_suggest_the_right_one(words: tuple[str, ...], hint: str) -> None:
    done = grognard(*words)
    assert done.returncode == 2
    assert hint in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_names_are_told_in_french_too() -> None:
    done = grognard("rules", "piket", "--lang", "fr")
    assert done.returncode == 2
    assert done.stderr == "grognard: jeu : « piket » n’existe pas ; vouliez-vous dire : picket ?\n"
    assert "règle (picket) : « 99.9 »" in grognard("rules", "picket", "99.9", "--lang", "fr").stderr


def test_missing_file_is_an_error_of_one_line() -> None:
    for command in ("verify", "replay"):
        done = grognard(command, "/no/such/file.txt")
        assert done.returncode == 1
        assert "no such file" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_selfplay_gives_the_same_bytes_in_two_processes_with_other_hash_seeds() -> None:
    words = ("selfplay", "picket", "--games", "40", "--seed", "1", "--json")
    one = grognard(*words, "--jobs", "1", seed="1")
    two = grognard(*words, "--jobs", "2", seed="2")
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    table = json.loads(one.stdout)["table"]
    assert sum(row["games"] for row in table) == 40
    assert grognard("selfplay", "picket", "--games", "40", "--seed", "2", "--json").stdout != one.stdout


def test_selfplay_greedy_beats_random() -> None:
    done = grognard("selfplay", "picket", "crossing", "--red", "ai:greedy", "--games", "12", "--json")
    wins = json.loads(done.stdout)["table"][0]["wins"]
    assert wins["red"] >= 9


def test_fuzz_says_what_it_did_and_finds_nothing() -> None:
    done = grognard("fuzz", "picket", "--games", "20")
    assert done.returncode == 0, done.stdout
    assert "20 games" in done.stdout
    assert "0 failures" in done.stdout


def test_fuzz_reports_a_broken_game_with_its_seed(tmp_path: Path) -> None:
    broken = """
import sys
from grognard.games.picket.game import Picket
Picket.interchangeable = lambda self, s, side: [list(range(len(s.at)))]  # deals blue blocks to red
from grognard.lab.fuzz import fuzz_game
steps, found = fuzz_game("picket", "crossing", "a")
print(found)
"""
    done = subprocess.run(
        [sys.executable, "-c", broken],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    assert "tells a hidden thing" in done.stdout
    assert "seed 'a'" in done.stdout


def test_rules_show_text_code_and_tests() -> None:
    english = grognard("rules", "picket", "5.3", "--lang", "en").stdout
    french = grognard("rules", "picket", "5.3", "--lang", "fr").stdout
    assert english != french
    assert "src/grognard/games/picket/rules/" in english
    assert "tests/games/picket/" in english


def test_data_counts_provenance() -> None:
    done = json.loads(grognard("data", "picket", "--provenance", "--json").stdout)
    assert done["files"]["units.csv"]["proposed"] > 0
    assert all(counts["unmarked"] == 0 for counts in done["files"].values())


def test_check_passes_on_every_game() -> None:
    done = grognard("check")
    assert done.returncode == 0, done.stdout


def test_bench_writes_figures_for_a_game(tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    done = grognard("bench", "picket", "--seconds", "0.1", "--out", str(out))
    assert done.returncode == 0, done.stderr
    figures = json.loads(out.read_text())
    row = figures["picket crossing"]
    assert row["trusted decisions per second"] > 0
    assert row["enforced decisions per second"] > 0
    assert row["enforced / plain Python board"] == pytest.approx(
        row["enforced decisions per second"] / row["plain Python board, decisions per second"], rel=0.01
    )
    assert "state copy, 350 units, 1,600 hexes (us)" in figures["kernel"]


def test_rules_lists_the_switches_with_their_rules() -> None:
    told = grognard("rules", "picket", "--switches").stdout
    assert told.startswith("fog=on|off")
    assert told.rstrip().endswith("[1.2]")
    listed = json.loads(grognard("rules", "bitw", "--switches", "--json").stdout)["switches"]
    assert {"fog", "advanced"} <= {row["name"] for row in listed}
    assert grognard("rules", "blitz", "--switches").returncode == 2
