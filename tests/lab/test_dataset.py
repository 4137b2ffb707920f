"""Games as rows to learn from: whole, repeatable, and the same from a saved file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grognard.cli.main import cli
from grognard.games import find_game
from grognard.kernel.gamefile import save
from grognard.kernel.schema import HIDDEN
from grognard.kernel.session import Session
from grognard.lab.dataset import matches, rows_of_file, rows_of_match


def test_a_row_has_what_the_side_could_know_and_did():
    match = next(matches("picket", "crossing", "random", 1, 3))
    rows = rows_of_match(match)
    schema = find_game("picket").schema("crossing")
    assert [row["number"] for row in rows] == list(range(len(rows)))
    for row in rows:
        assert len(row["observation"]) == schema.size
        assert len(row["verbs"]) == len(row["nouns"]) > row["chosen"] >= 0
    assert any(HIDDEN in row["observation"] for row in rows)
    ends = {row["side"]: row["outcome"] for row in rows}
    assert sorted(ends.values()) in ([-1, 1], [0, 0])
    assert rows_of_match(match) == rows


def test_a_saved_game_gives_the_decisions_that_were_taken(tmp_path: Path):
    game = find_game("picket")
    session = Session.new(game, "crossing", seed="5a" * 32)
    taken = []
    for _ in range(12):
        side = session.state.waiting[0]
        order = game.orders(session.state, side)[-1]
        session.act(side, order)
        taken.append((game.sides[side], order[0]))
    save(session, tmp_path / "saved.txt")
    rows = rows_of_file(tmp_path / "saved.txt")
    verbs = game.schema("crossing").verbs
    assert [(row["side"], verbs[row["verbs"][row["chosen"]]]) for row in rows] == taken
    assert {row["outcome"] for row in rows} == {0}


def test_the_command(tmp_path: Path):
    args = ["dataset", "picket", "crossing", "--games", "2", "--level", "random", "--out"]
    done = CliRunner().invoke(cli, [*args, str(tmp_path / "a.jsonl"), "--lang", "en"])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert lines[0]["layout"]["game"] == "picket"
    assert f"2 games, {len(lines) - 1} decisions" in done.output
    assert CliRunner().invoke(cli, [*args, str(tmp_path / "a.txt")]).exit_code == 1
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra `lab`)")
    CliRunner().invoke(cli, [*args, str(tmp_path / "a.parquet")])
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.num_rows == len(lines) - 1
    assert table.to_pylist()[5]["observation"] == lines[6]["observation"]
    assert json.loads(table.schema.metadata[b"grognard"])["verbs"] == lines[0]["layout"]["verbs"]
