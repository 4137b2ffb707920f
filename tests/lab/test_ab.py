"""Experiments as files: the same games for everybody, killed and gone on, and refused when they are wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from grognard.cli.main import cli
from grognard.kernel.errors import LabError
from grognard.kernel.texts import error_text, texts_for
from grognard.lab.history import facts_of
from grognard.lab.plan import plan_of, read_plan
from grognard.lab.report import page
from grognard.lab.run import AHEAD, Here, Pool, carry_out, in_order
from grognard.lab.selfplay import Match, Score, play_match
from grognard.lab.store import COLUMNS, Results, SeedsUsed

FILE = """
question = "Does it matter?"
game = "picket"
scenarios = ["crossing"]
players = ["random"]
seeds = "SEEDS"
[arms.plain]
[arms.other]
OTHER
[stop]
worth = 0.2
most = MOST
"""


def experiment(tmp_path: Path, other: str = "", most: int = 40, seeds: str = "try", more: str = "") -> Path:
    path = tmp_path / "try.toml"
    path.write_text(FILE.replace("OTHER", other).replace("MOST", str(most)).replace("SEEDS", seeds) + more)
    return path


def rows(store: Path) -> list[tuple]:
    """All that is stored of the games, without the time they took."""
    results = Results(store)
    keys = [key for key in COLUMNS if key != "cpu"]
    return [tuple(r) for r in results.db.execute(f"select {','.join(keys)} from games order by run, pair, place")]


def run(path: Path, store: Path, workers=None, ahead: int = 1):
    results = Results(store)
    return carry_out(read_plan(path), results, workers or Here(), ahead)


def test_equal_arms_are_found_equal_and_untouched(tmp_path):
    """An A/A test: no pair is touched, so nothing can be found."""
    state = run(experiment(tmp_path), tmp_path / "a.sqlite")
    assert (state.walk.pairs, state.walk.unequal, state.touched) == (40, 0, 0)
    assert state.verdict in ("same", "undecided")


def test_a_changed_number_touches_games(tmp_path):
    """Data of an arm are laid over the files in processes of its own, and only there."""
    path = experiment(tmp_path, 'data = { "charts.toml:CHANGE" = VALUE }')
    text = path.read_text()
    place, value = "kinds.foot.steps", 1
    path.write_text(text.replace("CHANGE", place).replace("VALUE", str(value)))
    pool = Pool(1)
    try:
        state = run(path, tmp_path / "a.sqlite", pool, AHEAD)
    finally:
        pool.close()
    assert state.touched > 0
    plan = read_plan(path)
    stored = [row for row in Results(tmp_path / "a.sqlite").games(plan.run_id) if row["arm"] == "plain"]
    assert stored[0]["digest"] == play_match(plan.matches(0)[0][1]).digest


def test_jobs_do_not_change_a_row(tmp_path):
    path = experiment(tmp_path, 'options = { fog = "off" }', most=24)
    run(path, tmp_path / "one.sqlite")
    pool = Pool(2)
    try:
        run(path, tmp_path / "two.sqlite", pool, 2 * AHEAD)
    finally:
        pool.close()
    assert rows(tmp_path / "one.sqlite") == rows(tmp_path / "two.sqlite")


def test_a_game_is_kept_before_the_next_one_is_played():
    """One after the other in this process: a run that is killed, or meets a game that fails, loses no finished one."""
    played: list[str] = []

    class Noting(Here):
        def submit(self, match, data):
            played.append(match.seed)
            return super().submit(match, data)

    matches = [Match("picket", "crossing", ("random", "random"), (), f"kept {n}") for n in range(3)]
    for number, _ in in_order(Noting(), 1, lambda n: [("", matches[n])], lambda _: {}, 0, 3):
        assert len(played) == number + 1


def test_pairs_come_in_order_whatever_ends_first():
    """Short games must not be counted first."""

    class Late:
        """Answers in the wrong order."""

        def __init__(self):
            self.held = []

        def submit(self, match, data):
            from concurrent.futures import Future

            future = Future()
            self.held.append((future, match))
            if len(self.held) == 3:
                for held, told in reversed(self.held):
                    held.set_result(told)
                self.held = []
            return future

        def close(self):
            pass

    found = [(n, games[0][2]) for n, games in in_order(Late(), 3, lambda n: [("x", n)], lambda a: {}, 0, 6)]
    assert found == [(n, n) for n in range(6)]


def test_a_lost_worker_costs_nothing(tmp_path):
    """A process killed by its pid: its games are played again, and no row differs."""
    path = experiment(tmp_path, 'options = { fog = "off" }', most=40)
    run(path, tmp_path / "one.sqlite")
    pool, killed = Pool(2), []

    def kill(state):
        if state.walk.pairs == 5:
            victim = next(iter(next(iter(pool.pools.values()))._processes))
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    try:
        carry_out(read_plan(path), Results(tmp_path / "two.sqlite"), pool, 2 * AHEAD, kill)
    finally:
        pool.close()
    assert killed
    assert rows(tmp_path / "one.sqlite") == rows(tmp_path / "two.sqlite")


def test_a_killed_run_goes_on_and_ends_the_same(tmp_path):
    path = experiment(tmp_path, 'options = { fog = "off" }', most=60)
    run(path, tmp_path / "whole.sqlite")
    store = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "grognard", "ab", str(path), "--store", str(store), "--jobs", "1"]
    for least in (1, 20):
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while driver.poll() is None and (not store.exists() or stored(store) < least):
            time.sleep(0.01)
        driver.kill()
        driver.wait()
    assert stored(store) > 0
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode in (0, 1)
    assert rows(store) == rows(tmp_path / "whole.sqlite")


def stored(store: Path) -> int:
    try:
        return int(Results(store).db.execute("select count(*) from games").fetchone()[0])
    except Exception:
        return 0


def test_seeds_have_one_purpose(tmp_path):
    store = tmp_path / "a.sqlite"
    results = Results(store)
    results.take_seeds("tuned-1", "tune", "an-earlier-run")
    results.close()
    with pytest.raises(SeedsUsed, match=r"try.toml: seeds: .*“tuned-1” were tuned on, by run an-earlier-run"):
        run(experiment(tmp_path, seeds="tuned-1"), store)
    run(experiment(tmp_path, seeds="fresh"), store)
    with pytest.raises(SeedsUsed, match="count"):
        run(experiment(tmp_path, 'options = { fog = "off" }', seeds="fresh"), store)


@pytest.mark.parametrize(
    ("other", "more", "said"),
    [
        ('options = { fogg = "off" }', "", "fogg"),
        ('options = { fog = "maybe" }', "", "maybe"),
        ('data = { "charts.toml:numbers.nowhere" = 1 }', "", "nowhere"),
        ('data = { "charts.toml:numbers.river_fire" = "two" }', "", "another kind"),
        ('data = { "../game.py:x" = 1 }', "", "file:path"),
        ('players = ["nobody"]', "", "nobody"),
        ("colour = 1", "", "colour"),
        ("", '[measure]\nname = "fun"', "fun"),
        ("", '[measure]\nname = "level:nonsense"', "ending 'nonsense'; did you mean: decisive"),
        ("", '[measure]\nname = "event:fired"', "event 'fired'; did you mean: fire"),
        ("", '[measure]\nname = "event:fire@99.9"', "rule '99.9'"),
        ("", '[measure]\nname = "fact:held"', "fact of crossing 'held'; did you mean: score.blue"),
        ("", '[measure]\nside = "green"', "green"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, other, more, said):
    with pytest.raises(LabError, match=said):
        read_plan(experiment(tmp_path, other, more=more))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scenarios": ["nowhere"]}, "nowhere"),
        ({"arms": {"one": {}}}, "two arms"),
        ({"stop": {"worth": 0.0}}, "worth"),
        ({"stop": {"alpha": 0.7}}, "alpha"),
        ({"chance": "good"}, "good"),
        ({"players": ["random"] * 3}, "3 players"),
        ({"seeds": " "}, "bad.toml: seeds: a word"),
        ({"game": "picke"}, "bad.toml: game: unknown game 'picke'; did you mean: picket"),
        ({"stop": {"worht": 0.1}}, "bad.toml: stop: unknown key 'worht'; did you mean: worth"),
        ({"stop": {"worth": "much"}}, "bad.toml: stop.worth: a number is wanted, not a word"),
        ({"arms": {"a": {}, "b": {"optoins": {}}}}, "bad.toml: arms.b: unknown key 'optoins'; did you mean: options"),
        ({"arms": {"a": {}, "b": {"data": {"x:y": 0.5}}}}, "arms.b.data.x:y: true or false, a whole number or a word"),
        ({"scenarios": "crossing"}, "bad.toml: scenarios: a list in square brackets is wanted"),
    ],
)
def test_wrong_plans(change, said):
    plain = {"question": "?", "game": "picket", "seeds": "s", "arms": {"a": {}, "b": {}}, "players": ["random"]}
    plan_of("good.toml", "", plain)
    with pytest.raises(LabError, match=said):
        plan_of("bad.toml", "", plain | change)


def test_a_file_that_is_none_is_refused_in_both_languages(tmp_path):
    """What is wrong, where, and what to do: the terminal's exit code is 2, so that 1 still says undecided."""
    path, store = tmp_path / "bad.toml", ["--store", str(tmp_path / "a.sqlite")]
    for text, where in (
        (b"question = ]", "line 1, column 12"),
        (b"\xff", "0"),
        (b"", "`question`"),
        (None, "bad.toml"),
    ):
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_bytes(text)
        said = []
        for lang in ("en", "fr"):
            done = CliRunner().invoke(cli, ["ab", str(path), *store, "--lang", lang])
            assert isinstance(done.exception, LabError)
            said.append(error_text(done.exception, lang))
        assert all("bad.toml" in words and where in words for words in said)
        assert said[0] != said[1]
        assert " : " in said[1]
        run = [sys.executable, "-m", "grognard", "ab", str(path), *store]
        assert subprocess.run(run, capture_output=True, check=False).returncode == 2


def test_what_a_file_should_have_said_is_told_as_it_is_written(tmp_path):
    """A side is `red` in a file in every language, whatever it is called at the table."""
    with pytest.raises(LabError) as wrong:
        read_plan(experiment(tmp_path, more='[measure]\nside = "green"'))
    assert error_text(wrong.value, "fr").endswith("camp : « green » n’existe pas ; vouliez-vous dire : red ?")


def test_options_that_do_not_go_together_are_told_by_their_labels():
    arms = {"a": {}, "b": {"options": {"charge": "on"}}}
    with pytest.raises(LabError) as wrong:
        plan_of("x.toml", "", {"question": "?", "game": "bitw", "scenarios": ["SBW1"], "seeds": "s", "arms": arms})
    assert "Charges de cavalerie [charge] (20.0) demande" in error_text(wrong.value, "fr")


def test_the_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = experiment(tmp_path, 'options = { fog = "off" }', most=8)
    said = CliRunner().invoke(cli, ["ab", str(path), "--jobs", "1", "--lang", "en"])
    assert said.exit_code == 1, said.output  # eight pairs decide nothing
    assert "Undecided" in said.output
    args = ["balance", "picket", "crossing", "--level", "random", "--games", "6", "--jobs", "1"]
    first = CliRunner().invoke(cli, [*args, "--json"])
    assert json.loads(first.stdout)[0]["games"] == 6
    assert CliRunner().invoke(cli, [*args, "--json"]).stdout == first.stdout  # from the store, nothing played twice
    for lang in ("en", "fr"):
        page = tmp_path / f"{lang}.html"
        done = CliRunner().invoke(cli, ["report", "--out", str(page), "--lang", lang])
        assert done.exit_code == 0, done.output
        text = page.read_text("utf-8")
        assert f'lang="{lang}"' in text
        assert "<script" not in text
        assert text.count("<svg") >= 2
        assert "{" not in text.split("</style>")[1].split("<pre>")[0]
    done = CliRunner().invoke(cli, ["report", "--pictures", str(tmp_path / "drawn"), "--png"])
    drawn = sorted((tmp_path / "drawn").glob("*.svg"))
    assert [str(path.with_suffix(kind)) for path in drawn for kind in (".svg", ".png")] == done.output.split()
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in drawn)
    done = CliRunner().invoke(cli, ["report", "--replay", "0.5"])
    assert done.exit_code == 0
    assert "0" in done.output
    done = CliRunner().invoke(cli, ["report", "--export", str(tmp_path / "games.csv")])
    assert done.exit_code == 0
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 1 + 16 + 6
    assert CliRunner().invoke(cli, ["report", "nothing"]).exit_code != 0


def test_a_game_that_was_changed_in_the_store_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = experiment(tmp_path, most=4)
    CliRunner().invoke(cli, ["ab", str(path), "--jobs", "1"])
    results = Results(Path("grognard-lab.sqlite"))
    with results.db:
        results.db.execute("update games set digest = 'x' where pair = 2 and place = 0")
    done = CliRunner().invoke(cli, ["report", "--replay", "1"])
    assert done.exit_code == 1
    assert "try 2" in done.output


def test_games_with_changed_numbers_are_played_again_too(tmp_path, monkeypatch):
    """With the numbers of their arm: all are as they were, and one that was changed in the store is found."""
    monkeypatch.chdir(tmp_path)
    path = experiment(tmp_path, 'data = { "charts.toml:kinds.foot.steps" = 1 }', most=4)
    CliRunner().invoke(cli, ["ab", str(path), "--jobs", "1"])
    done = CliRunner().invoke(cli, ["report", "--replay", "1", "--lang", "en"])
    assert done.output == "8 games played again, 0 differ\n"
    results = Results(Path("grognard-lab.sqlite"))
    with results.db:
        results.db.execute("update games set digest = 'x' where pair = 2 and arm = 'other'")
    done = CliRunner().invoke(cli, ["report", "--replay", "1"])
    assert done.exit_code == 1
    assert "try 2 (other)" in done.output


def test_the_terminal_asks_the_question_in_the_readers_language(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = experiment(tmp_path, most=2)
    path.write_text('question_fr = "Est-ce que cela compte ?"\n' + path.read_text())
    for command in (["ab", str(path), "--jobs", "1"], ["report"]):
        assert "Est-ce que cela compte ?" in CliRunner().invoke(cli, [*command, "--lang", "fr"]).output
        assert "Does it matter?" in CliRunner().invoke(cli, [*command, "--lang", "en"]).output


def test_the_report_puts_history_beside_the_games(tmp_path):
    """A fact of the scenario with the central games, a diamond where it is a figure, commas in French."""
    results = Results(tmp_path / "a.sqlite")
    lock = {"scenario": "campaign", "level": "greedy"}
    told = {"name": "normandie campaign greedy", "family": "balance", "game": "normandie", "question": "", "text": ""}
    results.begin("r", "balance", told, lock)
    match = Match("normandie", "campaign", ("greedy",) * 3, (), "s")
    dated = next(fact for fact in facts_of("normandie", "campaign") if fact.turn)
    for n in range(3):
        facts = {turn: {dated.measure: 10 * turn + n, "score.allied": turn} for turn in range(1, dated.turn + 1)}
        results.keep("r", n, [("", match, Score("campaign", "allied", "won", "1", 5, "d", dated.turn, facts))])
    results.end("r", "counted")
    text = page(results, texts_for("", "fr"), ["r"])
    assert dated.fr in text
    assert f"{10 * dated.turn} – {10 * dated.turn + 2}" in text
    assert "DEHORS" in text
    assert text.count("l7 7 -7 7 -7 -7z") == 1
    assert "100,0 %" in text
    assert "100.0 %" not in text


def test_parquet(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra `lab`)")
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli, ["ab", str(experiment(tmp_path, most=4)), "--jobs", "1"])
    CliRunner().invoke(cli, ["report", "--export", "games.parquet"])
    assert parquet.read_table("games.parquet").num_rows == 8


def test_every_experiment_of_ours_can_be_run():
    """The files beside the sources name switches, scenarios and measures that exist, and seeds of their own."""
    words = set()
    for path in sorted((Path(__file__).parents[2] / "experiments").glob("*.toml")):
        if "[aim]" in path.read_text():
            continue  # of `grognard tune`
        plan = read_plan(path)
        assert plan.experiment.seeds not in words, path.name
        words.add(plan.experiment.seeds)
    assert len(words) > 10
