"""The proxies of docs/running-a-club.md for real: TLS on the loopback, a game over websockets, what is shut."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.server.harness import HEADERS, ROOT, Server, free_port

NAME = "table.example.org"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    folder = tmp_path_factory.mktemp("tls")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    words += ["-addext", f"subjectAltName=DNS:{NAME},DNS:localhost,IP:127.0.0.1"]
    words += ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    return folder / "cert.pem", folder / "key.pem"


def nginx(folder: Path, upstream: int, port: int, certificate: tuple[Path, Path]) -> list[str]:
    """Our file as it is, but for ports, the certificate and where nginx writes."""
    ours = (ROOT / "deploy" / "nginx.conf").read_text().replace("127.0.0.1:8044", f"127.0.0.1:{upstream}")
    ours = re.sub(r"^ +listen \[::\].*\n", "", ours, flags=re.M)
    ours = ours.replace("listen 443", f"listen 127.0.0.1:{port}").replace(
        "listen 80", f"listen 127.0.0.1:{free_port()}"
    )
    ours = re.sub(r"ssl_certificate .*;", f"ssl_certificate {certificate[0]};", ours)
    ours = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {certificate[1]};", ours)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds if has_module(kind))
    whole = f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
    (folder / "nginx.conf").write_text(f"{whole} http {{ access_log off; {temporary} {ours} }}")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def has_module(kind: str) -> bool:
    """Light editions lack some."""
    told = subprocess.run(["nginx", "-V"], check=False, capture_output=True, text=True, timeout=60).stderr
    return f"--without-http_{kind}_module" not in told


def caddy(folder: Path, upstream: int, port: int, certificate: tuple[Path, Path]) -> list[str]:
    """The same for Caddy."""
    ours = (ROOT / "deploy" / "Caddyfile").read_text().replace("127.0.0.1:8044", f"127.0.0.1:{upstream}")
    ours = ours.replace(
        f"{NAME} {{", f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate[0]} {certificate[1]}"
    )
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + ours)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def proxy(words: list[str], folder: Path, port: int) -> Iterator[None]:
    log = folder / "log.txt"
    with log.open("wb") as file:
        running = subprocess.Popen(words, stdout=file, stderr=file, cwd=folder, env={"HOME": str(folder), "PATH": PATH})
    try:
        for _ in range(300):
            try:
                httpx.get(f"https://127.0.0.1:{port}/", verify=False, timeout=5)
                break
            except httpx.TransportError:
                assert running.poll() is None, log.read_text()
                time.sleep(0.1)
        yield
    finally:
        running.terminate()
        running.wait(30)


PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@pytest.mark.parametrize("which", [nginx, caddy])
def test_a_game_behind_the_proxy(server: Server, certificate: tuple[Path, Path], tmp_path: Path, which: object) -> None:
    name = which.__name__  # type: ignore[attr-defined]
    if shutil.which(name, path=PATH) is None:
        pytest.skip(f"no {name} here (Debian: apt install {name})")
    port = free_port()
    words = which(tmp_path, server.port, port, certificate)  # type: ignore[operator]
    trust = ssl.create_default_context(cafile=str(certificate[0]))
    host = {"Host": NAME}
    with proxy(words, tmp_path, port):
        extensions = {"sni_hostname": NAME}
        with httpx.Client(base_url=f"https://127.0.0.1:{port}", headers=HEADERS | host, verify=trust) as http:

            def ask(method: str, path: str, **more: object) -> httpx.Response:
                return http.request(method, path, extensions=extensions, timeout=60, **more)  # type: ignore[arg-type]

            assert ask("GET", "/api/me").status_code == 200
            assert ask("GET", "/metrics").status_code == 404, "figures are nobody's business"
            assert "gzip" in ask("GET", "/api/games").headers.get("content-encoding", "")
            seats = {"red": "me", "blue": "me"}
            origin = {"Origin": f"https://{NAME}"}
            made = ask("POST", "/api/tables", json={"game": "picket", "seats": seats}, headers=origin)
            assert made.status_code == 201, made.text
            other = ask(
                "POST", "/api/tables", json={"game": "picket", "seats": seats}, headers={"Origin": "https://x.org"}
            )
            assert other.status_code == 403, "another site's page cannot use the cookie"
            cookie = http.cookies["grognard"]
        with connect(
            f"wss://{NAME}:{port}/ws/tables/{made.json()['id']}",
            sock=socket.create_connection(("127.0.0.1", port), timeout=60),
            ssl=trust,
            server_hostname=NAME,
            additional_headers={"Cookie": f"grognard={cookie}"},
            origin=None,
        ) as live:
            live.send(json.dumps({"type": "watch", "lang": "en"}))
            state = json.loads(live.recv(60))
            side, (verb, target) = state["as"], state["legal"][0]
            live.send(json.dumps({"type": "act", "side": side, "verb": verb, "target": target, "version": 0, "id": 1}))
            while (told := json.loads(live.recv(60))).get("reply_to") != 1:
                pass
            assert told["type"] == "done"
