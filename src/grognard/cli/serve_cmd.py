"""`grognard serve`."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser

import click

from grognard.cli.main import language_option
from grognard.kernel.texts import texts_for


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next one that nobody uses."""
    for port in range(wanted, wanted + 50):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise click.ClickException(f"no free port from {wanted} to {wanted + 49}")


def has_desktop() -> bool:
    """True if there is a screen to open a browser on."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@click.command()
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8044, help="Port; the next free one is taken.")
@click.option("--database", default=None, help="SQLAlchemy URL. Default: GROGNARD_DATABASE, or a file of your own.")
@click.option("--open/--no-open", "open_page", default=True, help="Open a browser where there is a desktop.")
@click.option("--check", is_flag=True, help="Say what is wrong with the set-up, and serve nothing.")
@language_option
def serve_command(host: str, port: int, database: str | None, open_page: bool, check: bool, lang: str) -> None:
    """Open the table in the browser.

    Example: grognard serve --port 8044
    """
    import uvicorn

    from grognard.server.app import make_app, tend_memory
    from grognard.server.patience import KEEP_ALIVE, PatientHttp
    from grognard.server.settings import Settings, allow_files
    from grognard.server.sockets import PushSocket

    allow_files()
    settings = Settings() if database is None else Settings(database=database)
    if check:
        from grognard.server import checkup

        found = checkup.check_up(settings, host, port)
        click.echo("\n".join(checkup.report(found, texts_for("", lang).say)))
        sys.exit(any(finding.grade == checkup.WRONG for finding in found))
    port = free_port(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    settings.public_address = settings.public_address or address.rstrip("/")
    click.echo(texts_for("", lang).say("cli.serving", address=address))
    if open_page and has_desktop():
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    app = make_app(settings)
    tend_memory()
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        http=PatientHttp,
        forwarded_allow_ips=settings.proxy,
        ws=PushSocket,
        ws_max_size=settings.largest_message * 2,
        ws_ping_interval=45,  # less than the minute after which a proxy hangs up; with many sockets each ping counts
        ws_per_message_deflate=False,  # updates are small; pages, maps and texts are compressed
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=3,
    )
