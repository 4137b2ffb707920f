"""docs/running-a-club.md: every command on the page is run here, or it is said why it cannot be."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.server.store import Store
from tests.server.harness import ROOT, Server, free_port

PAGE = ROOT / "docs" / "running-a-club.md"

# Commands that want another machine: root's files, a daemon, the network. What can be said of them is said below.
ELSEWHERE = {
    "docker": "needs a container daemon; the Dockerfile is read below",
    "useradd": "changes the system's users",
    "git": "needs the network",
    "systemctl": "needs systemd as the first process; the unit is verified below",
    "journalctl": "needs systemd's journal",
    "pip": "needs the network; the lock file is compared below",
}


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return [line for block in blocks for line in block.strip().splitlines()]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("club")
    server = Server(f"sqlite:///{folder}/tables.db", folder)
    server.start()
    host = server.visitor()
    table, _ = host.open_table(seats={"red": "me", "blue": "me"})
    state = host.view(table, "red")
    assert host.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    yield server
    server.stop()


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the page, in a folder of its own, with the commands that it means."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    script = tools / "grognard"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grognard "$@"\n')
    script.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src"), "GROGNARD_LANG": "en"} | environment
    words = ["sh", "-c", command]
    return subprocess.run(words, check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=300)


def test_every_command_of_the_page_runs_or_is_known_to_need_another_machine(club: Server) -> None:
    folder = club.folder
    shutil.copytree(ROOT / "deploy", folder / "deploy", dirs_exist_ok=True)
    ran = []
    port = free_port()
    for line in commands():
        word = line.split()[0]
        if word in ELSEWHERE:
            continue
        if word in ("cd", "createdb", "install"):
            continue  # tried one by one below
        command = line.replace("127.0.0.1:8044", f"127.0.0.1:{club.port}").replace("8044", str(port))
        command = command.replace("8045", str(port))
        done = shell(command, folder, GROGNARD_DATABASE=club.database)
        wrong = [row for row in done.stdout.splitlines() if row.startswith("WRONG")]
        if "--check" in command and "serve" in command:
            assert all("page is not built" in row for row in wrong), done.stdout
            assert done.returncode == bool(wrong)
        else:
            assert done.returncode == 0, (line, done.stdout, done.stderr)
        ran.append(word)
    assert ran.count("grognard") >= 6
    assert ran.count("curl") == 2 or shutil.which("curl") is None
    assert (folder / "club.backup").stat().st_mode & 0o077 == 0, "a backup is nobody else's business"


def test_the_other_commands_of_the_page(tmp_path: Path) -> None:
    lines = {line.split()[0]: line for line in commands() if line.split()[0] in ("install", "createdb", "cd")}
    assert lines["cd"] == "cd /srv/grognard && ./play games"
    assert shell(f"cd {ROOT} && {sys.executable} -m grognard games", tmp_path).returncode == 0
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy")
    for folder in ("etc/systemd/system", "usr/local/bin"):
        (tmp_path / folder).mkdir(parents=True)
    owner = " -o grognard"  # nobody is called so here
    installing = [line for line in commands() if line.startswith("install")]
    assert [owner in line for line in installing] == [True, False, False, True]
    for line in installing:
        done = shell(re.sub(r" /(etc|usr|var)/", rf" {tmp_path}/\1/", line.replace(owner, "")), tmp_path)
        assert done.returncode == 0, done.stderr
    assert stat.S_IMODE((tmp_path / "etc/grognard/club.env").stat().st_mode) == 0o600
    assert os.access(tmp_path / "usr/local/bin/grognard", os.X_OK)
    assert (tmp_path / "var/backups/grognard").is_dir()


@pytest.mark.parametrize("root", [True, False])
def test_the_command_of_the_page_is_the_program_with_the_clubs_settings(tmp_path: Path, root: bool) -> None:
    """Without them it would look at another database, and root would leave files that the server cannot open."""
    text = (ROOT / "deploy" / "grognard").read_text()
    settings, program = tmp_path / "club.env", tmp_path / "program"
    settings.write_text("GROGNARD_HOME=/club\nGROGNARD_SMTP_PASSWORD='a $b #c'\n")
    program.write_text('#!/bin/sh\necho "$GROGNARD_HOME|$GROGNARD_SMTP_PASSWORD|$*"\n')
    text = text.replace("/etc/grognard/club.env", str(settings))
    text = text.replace("/srv/grognard/.venv/bin/grognard", str(program))
    tools = {
        "club": text,
        "id": f"#!/bin/sh\necho ${{WHO:-{0 if root else 1000}}}\n",
        "runuser": '#!/bin/sh\necho "as $2"; shift 3; WHO=1000 exec "$@"\n',
    }
    program.chmod(0o755)
    (tmp_path / "bin").mkdir()
    for name, script in tools.items():
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    done = shell("club backup 'a file'", tmp_path)
    said = "/club|a $b #c|backup a file\n"
    assert done.stdout == ("as grognard\n" if root else "") + said, done.stderr


def test_the_unit_is_sound(tmp_path: Path) -> None:
    unit = (ROOT / "deploy" / "grognard.service").read_text()
    assert "User=grognard" in unit
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("no systemd-analyze here")
    for path in re.findall(r"/srv/grognard/\S+/grognard", unit):
        unit = unit.replace(path, "/bin/true")
    file = tmp_path / "grognard.service"
    file.write_text(unit)
    words = [analyze, "verify", "--man=no", str(file)]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)
    ours = [line for line in done.stderr.splitlines() if "grognard" in line and "postgresql" not in line]
    assert not ours, ours


def test_the_container_is_made_of_what_is_here_and_runs_as_nobody() -> None:
    rows = (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
    users = [row.split()[1] for row in rows if row.startswith("USER")]
    assert users == ["grognard"]
    assert rows.index("USER grognard") < next(i for i, row in enumerate(rows) if row.startswith("ENTRYPOINT"))
    for row in rows:
        if row.startswith("COPY ") and "--from" not in row:
            for name in row.split()[1:-1]:
                assert (ROOT / name).exists(), f"{row}: there is no {name}"
    health = next(row for row in rows if "urlopen" in row)
    assert "/api/health" in health


def test_what_the_container_runs_works_and_writes_only_where_it_may(tmp_path: Path) -> None:
    """No container can be built here: the same steps with the same files; the program needs no right to its own."""
    rows = (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
    folder = tmp_path / "grognard"
    folder.mkdir()
    for row in rows[rows.index("FROM python:3.11-slim") :]:
        if row.startswith("COPY ") and "--from" not in row:
            *names, target = row.split()[1:]
            for name in names:
                source, place = ROOT / name, folder / target
                if source.is_dir():
                    shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__", "static"))
                else:
                    shutil.copy(source, place / Path(name).name)
    environment = dict(word.split("=", 1) for row in rows if row.startswith("ENV ") for word in row.split()[1:])
    environment["PYTHONPATH"] = environment["PYTHONPATH"].replace("/grognard/src", str(folder / "src"))
    environment["GROGNARD_HOME"] = str(tmp_path / "data")
    (tmp_path / "data").mkdir()
    entry = json.loads(next(row for row in rows if row.startswith("ENTRYPOINT")).removeprefix("ENTRYPOINT "))
    command = json.loads(next(row for row in rows if row.startswith("CMD [")).removeprefix("CMD "))
    port = free_port()
    words = [sys.executable, *entry[1:], *command]
    words[words.index("8044")] = str(port)
    words[words.index("0.0.0.0")] = "127.0.0.1"
    for row in (row for row in rows if row.startswith("RUN python ")):
        assert shell(row.removeprefix("RUN ").replace("python", sys.executable, 1), folder).returncode == 0
    env = {"PATH": os.environ["PATH"]} | environment
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    running = subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        health = next(row for row in rows if "urlopen" in row).strip().removeprefix("CMD ")
        probe = [sys.executable, *json.loads(health.replace("8044", str(port)))[1:]]
        for _ in range(300):
            if subprocess.run(probe, check=False, capture_output=True, timeout=60).returncode == 0:
                break
            assert running.poll() is None, running.stdout and running.stdout.read()
            time.sleep(0.2)
        else:
            pytest.fail("it is never healthy")
        assert (tmp_path / "data" / "tables.db").exists()
        running.send_signal(signal.SIGTERM)
        running.wait(60)
        assert before == {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    finally:
        running.kill()
        running.communicate()


def test_the_lock_of_the_client_is_complete() -> None:
    """`npm ci` refuses a lock that lacks a package, also one that is for another machine."""
    packages = json.loads((ROOT / "client" / "package-lock.json").read_text())["packages"]
    names = {path.rpartition("node_modules/")[2] for path in packages}
    for path, package in packages.items():
        for wanted in (*package.get("dependencies", {}), *package.get("optionalDependencies", {})):
            assert wanted in names, f"{path or 'the client'} wants {wanted}, which is not in the lock"
        assert not path or "integrity" in package, path


def test_the_lock_of_postgres_is_that_of_the_tests() -> None:
    def pinned(name: str) -> set[str]:
        return set(re.findall(r"^(psycopg[a-z-]*==[0-9.]+)", (ROOT / name).read_text(), re.M))

    assert pinned("deploy/postgres.lock") == pinned("requirements-test.lock") != set()


def test_every_setting_of_the_example_is_one_that_we_know() -> None:
    known = "\n".join(file.read_text("utf-8") for file in (ROOT / "src/grognard/server").glob("*.py"))
    for name in re.findall(r"^#?(GROGNARD_[A-Z_]+)=", (ROOT / "deploy" / "club.env").read_text(), re.M):
        assert f'"{name}"' in known, name
    for name in re.findall(r"`(GROGNARD_[A-Z_]+)", PAGE.read_text("utf-8")):
        assert f'"{name}"' in known, name


def test_figures_and_health(club: Server) -> None:
    host = club.visitor()
    text = host.get("/metrics").text
    figures = dict(row.rsplit(" ", 1) for row in text.splitlines() if not row.startswith("#"))
    assert float(figures["grognard_tables"]) >= 1
    assert float(figures["grognard_tables_bytes"]) > 1000
    assert float(figures['grognard_answers_total{status="200"}']) >= 1
    for row in text.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+=\"[^\"]*\"\})? [0-9.e+-]+", row), row
    far = host.http.get("/metrics", headers={"X-Forwarded-For": "93.184.216.34"})
    assert far.status_code == 404
    health = host.get("/api/health")
    assert health.status_code == 200
    assert health.json()["ok"] is True


def test_the_checkup_of_a_table_that_is_open_is_good(club: Server, tmp_path: Path) -> None:
    """One asks when something is odd, and then the server runs; a stranger at its door is another thing."""
    done = shell(f"grognard serve --check --port {club.port}", tmp_path, GROGNARD_HOME=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "already and answers" in done.stdout
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        done = shell(
            f"grognard serve --check --port {stranger.getsockname()[1]}", tmp_path, GROGNARD_HOME=str(tmp_path)
        )
    assert done.returncode == 1
    assert "cannot be listened on" in done.stdout


def test_a_database_is_for_its_owner_only(club: Server, tmp_path: Path) -> None:
    Store(f"sqlite:///{tmp_path}/new.db").close()
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o600
    both = "grognard backup club.backup && grognard restore club.backup --database sqlite:///tried.db"
    done = shell(f"umask 022; {both}", tmp_path, GROGNARD_DATABASE=club.database)
    assert done.returncode == 0, done.stderr
    for file in ("club.backup", "tried.db"):
        assert stat.S_IMODE((tmp_path / file).stat().st_mode) == 0o600, file


def test_the_checkup_finds_what_is_wrong(tmp_path: Path) -> None:
    port = free_port()
    sick = {
        "GROGNARD_DATABASE": f"sqlite:///{tmp_path}/none/x.db",
        "GROGNARD_ADDRESS": "https://table.example.org",
        "GROGNARD_SMTP_HOST": "127.0.0.1",
        "GROGNARD_SMTP_PORT": str(free_port()),
        "GROGNARD_MEMORY": "99999999",
    }
    done = shell(f"grognard serve --check --port {port}", tmp_path, **sick)
    assert done.returncode == 1
    wrong = [row for row in done.stdout.splitlines() if row.startswith("WRONG")]
    for word in ("x.db", "GROGNARD_SECURE", "mail server", "99999999 MB"):
        assert any(word in row for row in wrong), (word, done.stdout)
    french = shell(f"grognard serve --check --lang fr --port {port}", tmp_path, **sick)
    assert "FAUX" in french.stdout
    assert "checkup." not in done.stdout + french.stdout, "every finding has its sentence"
