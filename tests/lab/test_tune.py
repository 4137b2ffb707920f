"""Tuning: only our own numbers, on seeds that are never counted, and with a proof to come."""

import tomllib

import pytest
from click.testing import CliRunner

from grognard.cli.main import cli
from grognard.kernel.errors import LabError
from grognard.lab.plan import plan_of
from grognard.lab.store import Results, SeedsUsed
from grognard.lab.tune import confirming, read_search, seek, source_at

FILE = """
question = "How strong must the foot be for a fair crossing?"
game = "picket"
scenarios = ["crossing"]
players = ["random"]
seeds = "tuning"
games = 6
rounds = 1
[aim]
value = 0.5
[values."charts.toml:kinds.foot.steps"]
low = 2
high = 4
"""


def search_file(tmp_path, text=FILE):
    path = tmp_path / "search.toml"
    path.write_text(text)
    return path


def test_it_climbs_to_the_aim(tmp_path):
    """On a law that we know: each step is worth a tenth, the aim is half."""
    search, plan = read_search(
        search_file(tmp_path, FILE.replace("rounds = 1", "rounds = 9").replace("high = 4", "high = 9"))
    )

    def law(values):
        return [0.1 * int(values.get("charts.toml:kinds.foot.steps", 3))] * 4

    tried = list(seek(search, law))
    best = [t for t in tried if t.kept][-1]
    assert dict(best.values) == {"charts.toml:kinds.foot.steps": 5}
    proof = confirming(search, plan, best)
    told = plan_of("proof.toml", proof, tomllib.loads(proof))
    assert told.experiment.seeds != search.seeds
    assert told.data_of("sought") == {"charts.toml:kinds.foot.steps": 5}


def test_ends_are_kept(tmp_path):
    search, _ = read_search(search_file(tmp_path))
    tried = list(seek(search, lambda values: [0.0]))
    assert {dict(t.values)["charts.toml:kinds.foot.steps"] for t in tried} <= {2, 3, 4}


def test_what_the_rulebook_states_is_not_moved(tmp_path):
    assert source_at("surrender", "charts.toml:settings.cap.value").startswith("text:")
    assert source_at("surrender", "charts.toml:settings.rail_moves.value") == "proposed"
    text = FILE.replace('"picket"', '"surrender"').replace('["crossing"]', "[]")
    text = text.replace("charts.toml:kinds.foot.steps", "charts.toml:settings.cap.value")
    with pytest.raises(LabError, match="only proposed values"):
        read_search(search_file(tmp_path, text))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kinds.foot.steps", "kinds.foot.nose", "nose"),
        ("low = 2", "low = 9", "low <= high"),
        ("low = 2", "low = 4", "it stands at 3 now, outside 4 to 4"),
        ("value = 0.5", "value = 0.5\nname = 'fun'", "fun"),
        ("rounds = 1", "round = 1", "round"),
    ],
)
def test_a_wrong_search_is_refused(tmp_path, old, new, said):
    with pytest.raises(LabError, match=said):
        read_search(search_file(tmp_path, FILE.replace(old, new)))


def test_the_command_marks_its_seeds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["tune", str(search_file(tmp_path)), "--jobs", "1", "--out", "proof.toml"])
    results = Results("grognard-lab.sqlite")
    with pytest.raises(SeedsUsed):
        results.take_seeds("tuning", "count", "another")
    assert "charts.toml:kinds.foot.steps = 4" in done.output


@pytest.mark.parametrize(
    ("game", "place", "value"),
    [
        ("normandie", "charts.toml:terrain.clear.motor", 3),
        ("surrender", "charts.toml:settings.rail_moves.value", 4),
        ("bitw", "charts.toml:colours.w.cost", 3),
        ("picket", "charts.toml:numbers.orders", 8),
    ],
)
def test_numbers_of_every_game_can_be_laid_over(tmp_path, game, place, value):
    """The loader of a game reads the changed copy when the process is told to, and its own folder else."""
    import os
    import subprocess
    import sys

    from grognard.kit.files import OVERLAY
    from grognard.lab.overlay import lay_over, look

    name, _, path = place.partition(":")
    told = f"from grognard.games.{game}.loading import FILES; import json; print(json.dumps(FILES.toml({name!r})))"
    read = {}
    for folder in ("", str(lay_over(game, {place: value}, tmp_path))):
        run = subprocess.run(
            [sys.executable, "-c", told], env=os.environ | {OVERLAY: folder}, capture_output=True, text=True, check=True
        )
        read[bool(folder)] = tomllib.loads("") | __import__("json").loads(run.stdout)
    assert look(game, place, read[True], path.split(".")) == value
    assert look(game, place, read[False], path.split(".")) != value
