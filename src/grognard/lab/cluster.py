"""Many machines: the same matches on a Ray cluster. Lost workers are replaced by Ray; nothing is counted twice."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from grognard.kernel.errors import LabError
from grognard.kit.files import OVERLAY
from grognard.lab.overlay import Value, changed_text, lay_over
from grognard.lab.selfplay import Match, Score, play_match

RETRIES = 3


@cache
def changed_files() -> Path:
    """A folder of this worker's own: no two write the same copy, and none finds an old one."""
    folder = tempfile.mkdtemp(prefix="grognard-lab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def play_there(match: Match, data: Mapping[str, Value]) -> Score:
    """What a worker of the cluster does: changed numbers are laid over its own copy of the files."""
    if data:
        os.environ[OVERLAY] = str(lay_over(match.game, data, changed_files()))
    return play_match(match)


class Cluster:
    """Workers on a Ray cluster: `local` starts one here, anything else is the address of a running one."""

    def __init__(self, address: str, jobs: int) -> None:
        try:
            ray: Any = import_module("ray")
        except ModuleNotFoundError:
            raise LabError("no-ray") from None
        self.ray = ray
        local = address == "local"
        started: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False} if local else {}
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False, **started)
        self.ahead = 4 * max(1, int(ray.cluster_resources().get("CPU", jobs)))
        self.remote: Any = ray.remote(max_retries=RETRIES, num_cpus=1)(play_there)

    def submit(self, match: Match, data: Mapping[str, Value]) -> Future[Score]:
        """To any free worker; one with changed numbers serves these alone."""
        for place, value in data.items():
            changed_text(match.game, place, value)
        named = {"env_vars": {"GROGNARD_ARM": str(sorted(data.items()))}} if data else {}
        task = (
            self.remote.options(runtime_env=named).remote(match, dict(data)) if data else self.remote.remote(match, {})
        )
        future: Future[Score] = task.future()
        return future

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self.ray.shutdown()
        for thread in threading.enumerate():
            if thread.name.startswith("ray_") and thread.daemon:
                thread.join(timeout=1)
