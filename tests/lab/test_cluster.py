"""The same experiment on a Ray cluster: equal rows, also when a worker is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.test_ab import experiment, rows, run

pytest.importorskip("ray", reason="Ray is not installed (pip install 'grognard[cluster]')")

DRIVER = """
import os, signal, sys
from pathlib import Path
from grognard.lab.cluster import Cluster
from grognard.lab.plan import read_plan
from grognard.lab.run import carry_out
from grognard.lab.store import Results

cluster = Cluster("local", 2)
pid_of = cluster.ray.remote(lambda: os.getpid())
killed = []

def kill(state):
    if state.walk.pairs == 5:
        victim = cluster.ray.get(pid_of.remote())
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

carry_out(read_plan(Path(sys.argv[1])), Results(sys.argv[2]), cluster, cluster.ahead, kill)
cluster.close()
print(len(killed))
"""


def test_a_cluster_plays_the_same_rows_and_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    """One arm has changed numbers, so its workers read other files than those of the plain one."""
    path = experiment(tmp_path, 'data = { "charts.toml:kinds.foot.steps" = 1 }', most=40)
    from grognard.lab.run import AHEAD, Pool

    pool = Pool(1)
    try:
        run(path, tmp_path / "pool.sqlite", pool, AHEAD)
    finally:
        pool.close()
    home = {"HOME": str(tmp_path), "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    command = [sys.executable, "-c", DRIVER, str(path), str(tmp_path / "ray.sqlite")]
    driver = subprocess.Popen(command, env=os.environ | home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        told, wrong = driver.communicate(timeout=600)
    finally:
        if driver.poll() is None:
            driver.send_signal(signal.SIGTERM)
    assert driver.returncode == 0, wrong
    assert told.split()[-1] == "1"
    assert rows(tmp_path / "pool.sqlite") == rows(tmp_path / "ray.sqlite")
