"""Carry out deploy/Dockerfile without a container engine: every instruction, in throw-away layers over this machine.

    sudo python scripts/try_image.py

Each `FROM` is an overlay of this machine's own files (it must have the Python and the Node that the file names), each
`RUN` runs in it under chroot, files are copied from the last commit. Then the image is started as its user says, asked
as its health check says, and stopped by its signal. Needs root, Linux, overlayfs and the network (pip, npm); nothing
outside of the overlays is changed. It shows that the steps work; what an official base image lacks, only a build shows.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSIDE = "GROGNARD_IMAGE_TRIED"


class Stage:
    """One `FROM`: an overlay, and what the instructions have said so far."""

    def __init__(self, base: str, folder: Path) -> None:
        self.base, self.root, self.upper = base, folder / "root", folder / "upper"
        for place in (self.root, self.upper, folder / "work"):
            place.mkdir(parents=True)
        layers = f"lowerdir=/,upperdir={self.upper},workdir={folder / 'work'}"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, str(self.root)], check=True)
        for name in ("proc", "dev"):
            subprocess.run(["mount", "--rbind", f"/{name}", str(self.root / name)], check=True)
        self.directory, self.user = "/", "root"
        self.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self._be_like(base)

    def _be_like(self, base: str) -> None:
        """Have the command that the base image brings, in its version."""
        name, _, tag = base.partition(":")
        wanted = tag.partition("-")[0]
        asked = "import platform; print(platform.python_version())" if name == "python" else "process.version.slice(1)"
        words = [sys.executable, "-c", asked] if name == "python" else ["node", "-p", asked]
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
        if not found.startswith(f"{wanted}."):
            sys.exit(f"{base} wants {name} {wanted}; this machine has {found}")
        if name == "python":
            home = Path(sys.base_prefix)
            for parent in home.parents:
                (self.root / parent.relative_to("/")).chmod(0o755)
            for tool in ("python", "pip"):
                link = self.root / "usr/local/bin" / tool
                link.unlink(missing_ok=True)
                link.symlink_to(home / "bin" / f"{tool}3")

    def words(self, command: list[str]) -> list[str]:
        """A command as it runs in here."""
        env = [f"{key}={value}" for key, value in self.env.items()]
        inner = ["sh", "-c", f"cd {shlex.quote(self.directory)} && exec {shlex.join(command)}"]
        return ["chroot", f"--userspec={self.user}:", str(self.root), "env", "-i", *env, *inner]

    def path(self, name: str) -> Path:
        """A place in here."""
        return self.root / str(Path(self.directory, name)).lstrip("/")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile, line by line."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text("utf-8"), flags=re.M)
    rows = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(row.split(" ", 1)[0], row.split(" ", 1)[1].strip()) for row in rows if row.strip()]


def copy(stage: Stage, stages: dict[str, Stage], context: Path, told: str) -> None:
    """COPY: from the commit, or from another stage."""
    words = told.split()
    source = context
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, target = words
    for name in names:
        place = stage.path(target)
        found = source / name.lstrip("/")
        inner = found.is_dir() or not target.endswith("/")
        place.mkdir(parents=True, exist_ok=True) if found.is_dir() else place.parent.mkdir(parents=True, exist_ok=True)
        origin = f"{found}/." if found.is_dir() else str(found)
        subprocess.run(["cp", "-a", origin, str(place if inner else place / found.name)], check=True)


def build(folder: Path) -> tuple[Stage, dict[str, str]]:
    """All stages; the last, and what was said of running it."""
    context = folder / "context"
    context.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", str(context)], input=archive, check=True)
    stages: dict[str, Stage] = {}
    stage, running = None, {}
    for number, (what, told) in enumerate(instructions(), 1):
        print(f"step {number}: {what} {told[:90]}", flush=True)
        if what == "FROM":
            base, _, name = told.partition(" AS ")
            stage = stages[name or "last"] = Stage(base, folder / f"stage{len(stages)}")
            continue
        assert stage is not None
        if what == "WORKDIR":
            stage.directory = told
            stage.path(".").mkdir(parents=True, exist_ok=True)
        elif what == "COPY":
            copy(stage, stages, context, told)
        elif what == "RUN":
            subprocess.run(stage.words(["sh", "-c", told]), check=True)
        elif what == "ENV":
            stage.env |= dict(word.split("=", 1) for word in shlex.split(told))
        elif what == "USER":
            stage.user = told
            stage.env["HOME"] = "/data"
        elif what == "VOLUME":
            stage.path(told).mkdir(exist_ok=True)
        else:
            running[what] = told
    assert stage is not None
    return stage, running


def run(stage: Stage, running: dict[str, str]) -> None:
    """Start it, wait until it is healthy, look who it is and what it may write, stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [*json.loads(running["ENTRYPOINT"]), *json.loads(running["CMD"])]
    server = subprocess.Popen(stage.words([port if word == running["EXPOSE"] else word for word in words]))
    try:
        health = json.loads(running["HEALTHCHECK"].partition("CMD ")[2].replace(running["EXPOSE"], port))
        for _ in range(120):
            if subprocess.run(stage.words(health), check=False, stderr=subprocess.DEVNULL).returncode == 0:
                break
            time.sleep(1)
        else:
            sys.exit("it never became healthy")
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert re.search(r"^Uid:\t10044\t10044", status, re.M), "it runs as somebody"
        for place in ("/grognard/src/x", "/usr/local/x", "/etc/x"):
            assert subprocess.run(stage.words(["touch", place]), check=False, stderr=subprocess.DEVNULL).returncode
        assert stage.path("/data/tables.db").exists()
        page = f"import urllib.request; print(len(urllib.request.urlopen('http://127.0.0.1:{port}/').read()))"
        subprocess.run(stage.words(["python", "-c", page]), check=True)
    finally:
        server.send_signal(getattr(signal, running["STOPSIGNAL"]))
    code = server.wait(60)
    assert code in (0, -signal.SIGTERM), f"it did not stop as it was told to: {code}"


def main() -> None:
    """In a mount namespace of our own, so that nothing is left behind."""
    if INSIDE not in os.environ:
        words = ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv]
        sys.exit(subprocess.run(words, check=False, env=os.environ | {INSIDE: "1"}).returncode)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # overlays do not lie on overlays
    folder = Path(tempfile.mkdtemp(prefix="grognard-image.", dir=memory))
    try:
        stage, running = build(folder)
        run(stage, running)
        size = subprocess.run(["du", "-sm", str(stage.upper)], check=True, capture_output=True, text=True).stdout
        print(f"it was built, was healthy, ran as nobody and stopped; {size.split()[0]} MB over its base")
    finally:
        subprocess.run(["umount", "-R", "-l", *map(str, folder.glob("stage*/root"))], check=False)
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)


if __name__ == "__main__":
    main()
