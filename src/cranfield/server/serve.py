"""`cranfield serve`: the whole campaign in one process; and `cranfield worker` beside it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, unheard
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import FileError, InputError
from cranfield.server.folder import VARIABLE, CampaignFolder

if TYPE_CHECKING:
    import uvicorn

DATABASE = "CRANFIELD_DATABASE"
Database = Annotated[
    str | None,
    Option(
        metavar="URL",
        help="postgresql://user:password@host/name, or set CRANFIELD_DATABASE, which no list of "
        "processes shows",
        default="SQLite in the folder",
    ),
]


@dataclass(frozen=True, repr=False)
class Served(Analysis):
    """What a server or a worker did until it was stopped."""

    title = "Stopped"

    seconds: float
    scored: int
    """Runs, by workers of this process."""
    requests: int | None = None
    """None: of a worker."""

    def _facts(self) -> dict[str, Any]:
        figures = {"seconds": round(self.seconds, 1), "requests": self.requests}
        return {name: value for name, value in figures.items() if value is not None} | {
            "runs scored": self.scored
        }

    def _tables(self) -> list[Table]:
        rows = [{"figure": name, "number": value} for name, value in self._facts().items()]
        return [Table("figures", rows, (Column("figure", key=True), Column("number")))]


def require_server() -> None:
    """Refuse to go on without what the extra installs."""
    try:
        import django  # noqa: F401
    except ImportError:
        raise InputError(
            "the campaign server is not installed; install it with: pip install 'cranfield[server]'"
        ) from None


def prepare(
    folder: Path, database: str | None = None, *, behind_proxy: bool = False
) -> CampaignFolder:
    """Set Django up for a campaign; nothing is changed yet."""
    require_server()
    campaign = CampaignFolder(folder.resolve())
    campaign.campaign  # noqa: B018 - what is wrong with it is said before anything starts
    from django.conf import settings

    if settings.configured and settings.FOLDER.path != campaign.path:
        raise InputError(
            f"this process works on {settings.FOLDER.path}; start another one for {campaign.path}"
        )
    campaign.make()
    if behind_proxy:
        os.environ["CRANFIELD_BEHIND_PROXY"] = "1"
    if database is not None:
        os.environ[DATABASE] = database
    set_up(campaign.path)
    return campaign


def set_up(folder: Path) -> None:
    """Load Django with the settings of a folder, which need not be there."""
    import django
    from django.conf import settings

    if not settings.configured:
        os.environ[VARIABLE] = str(folder)
        os.environ["DJANGO_SETTINGS_MODULE"] = "cranfield.server.settings"
    django.setup()


def require_schema(campaign: CampaignFolder) -> None:
    """Refuse a database that `serve` has not made or brought up to date."""
    from cranfield.server.operation.migration import pending

    if pending():
        raise FileError(
            campaign.path,
            "its database is not there yet, or of another version; start `cranfield serve` once",
        )


def serve(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    host: Annotated[str, Option()] = "127.0.0.1",
    port: Annotated[int, Option(minimum=0, maximum=65535)] = 8000,
    workers: Annotated[int, Option(minimum=0, maximum=64)] = 1,
    behind_proxy: Annotated[bool, Option()] = False,
    database: Database = None,
    notify: Notify = unheard,
) -> Served:
    """Run a campaign: pages, submissions, scoring, boards. Ctrl-C stops it.

    The first time, it prints a link by which you become the organiser. A database of an older
    version is backed up and brought up to date. Everything lies in the folder; no other service is
    needed.

    folder        Of the campaign, as `cranfield campaign init` makes it.
    host          Address to listen on; 0.0.0.0 for all.
    port          To listen on; 0 takes a free one.
    workers       Threads that score; 0 leaves it to `cranfield worker`.
    behind_proxy  A proxy on this machine speaks TLS and hands requests on.
    """
    campaign = prepare(folder, database, behind_proxy=behind_proxy)
    with _alone(campaign), _listening(host, port) as listener:
        _start_logging(campaign, file=True)
        start_up(campaign, notify)
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_serve(campaign, listener, workers, notify))


def work(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    database: Database = None,
    notify: Notify = unheard,
) -> Served:
    """Score runs of a campaign beside `cranfield serve`. Ctrl-C stops it after the run at hand.

    Any number may work; each run is scored once, also when a worker is killed.

    folder  Of the campaign.
    """
    campaign = prepare(folder, database)
    require_schema(campaign)
    _start_logging(campaign, file=False)
    from cranfield.server.jobs.analyst import Analyst
    from cranfield.server.jobs.sandbox import prepare_children
    from cranfield.server.jobs.worker import Worker

    prepare_children()
    began = time.monotonic()
    worker, analyst = Worker(campaign), Analyst(campaign)

    def stop(*_: object) -> None:
        worker.stop()
        analyst.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    notify(f"worker {worker.name} waits for runs; Ctrl-C stops it")
    thread = threading.Thread(target=analyst.work, name="analyst")
    thread.start()
    worker.work()
    thread.join()
    return Served(time.monotonic() - began, worker.done)


def _start_logging(campaign: CampaignFolder, *, file: bool) -> None:
    from cranfield.server.operation.logs import start_logging

    to_file = file and os.environ.get("CRANFIELD_LOG") != "stderr"
    start_logging(campaign.logs, campaign.campaign.log_days, file=to_file)


def start_up(campaign: CampaignFolder, notify: Notify = unheard) -> None:
    """Bring the database up to date, with what the folder says, and clear what was left behind."""
    from cranfield.server.campaigns.editions import synchronise
    from cranfield.server.operation.migration import migrate

    migrate(campaign, notify)
    collect_static()
    synchronise(campaign)
    campaign.sweep_uploads()
    campaign.sweep_desks()


def collect_static() -> None:
    """Style sheets and scripts, under names that change with their content."""
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["*.py*"])


@contextmanager
def _alone(campaign: CampaignFolder) -> Iterator[None]:
    """Only one server serves a folder."""
    with open(campaign.var / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(
                campaign.path, "is served already; stop the other server first"
            ) from None
        yield


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """The address, taken before any work."""
    try:
        listener = socket.create_server((host, port), reuse_port=False)
    except OSError as error:
        raise InputError(
            f"{host}:{port} cannot be listened on ({error.strerror})",
            mend="choose another {port=}",
        ) from None
    with listener:
        yield listener


async def _serve(
    campaign: CampaignFolder,
    listener: socket.socket,
    workers: int,
    notify: Notify,
) -> Served:
    from django.core.wsgi import get_wsgi_application

    from cranfield.server.front import Front
    from cranfield.server.jobs.analyst import Analyst
    from cranfield.server.jobs.sandbox import prepare_children
    from cranfield.server.jobs.worker import Worker, working

    began = time.monotonic()
    front = Front(get_wsgi_application(), campaign.staging)
    server = _server(front)
    if workers:
        await asyncio.to_thread(prepare_children)
    crew = [Worker(campaign) for _ in range(workers)]
    crew += [Analyst(campaign)] if workers else []
    threads = [threading.Thread(target=worker.work, name="worker") for worker in crew]
    for thread in threads:
        thread.start()
    working.extend(crew)
    listening = asyncio.create_task(server.serve([listener]))
    cleaning = asyncio.create_task(_clean_up(campaign))
    try:
        while not server.started and not listening.done():
            await asyncio.sleep(0.01)
        if server.started:
            await asyncio.to_thread(_announce, campaign, listener, notify)
        await listening
    finally:
        cleaning.cancel()
        for worker in crew:
            worker.stop()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        front.close()
    scored = sum(worker.done for worker in crew if not worker.analyses)
    return Served(time.monotonic() - began, scored, server.server_state.total_requests)


async def _clean_up(campaign: CampaignFolder) -> None:
    from cranfield.server.operation.housekeeping import EVERY, clean_up

    while True:
        await asyncio.to_thread(clean_up, campaign)
        await asyncio.sleep(EVERY.total_seconds())


def _server(front: Any) -> uvicorn.Server:
    """A server that ends by Ctrl-C or SIGTERM and returns, so that what it did can be told."""
    import uvicorn
    from django.conf import settings

    from cranfield.server.protocol import LimitedProtocol

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.handle_exit, number, None)
            yield

    return Server(
        uvicorn.Config(
            front,
            http=LimitedProtocol,
            ws="none",
            lifespan="off",
            server_header=False,
            access_log=False,
            log_config=None,
            log_level="warning",
            proxy_headers=settings.BEHIND_PROXY,
            forwarded_allow_ips=os.environ.get("CRANFIELD_PROXIES", "127.0.0.1"),
            timeout_keep_alive=15,
            timeout_graceful_shutdown=10,
        )
    )


def _announce(campaign: CampaignFolder, listener: socket.socket, notify: Notify) -> None:
    from cranfield.server.campaigns.leakage import warnings
    from cranfield.server.people.links import first_organiser_link

    host, port = listener.getsockname()[:2]
    near = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}/"
    address = campaign.campaign.address or near
    notify(f"{campaign.campaign.title} is served at {near}; Ctrl-C stops it")
    if not ip_address(host).is_loopback and not campaign.campaign.names:
        notify("other machines are refused until `address` in campaign.toml says how they reach it")
    link = first_organiser_link(address)
    if link is not None:
        notify(f"become its organiser, once, within 24 hours: {link}")
    for warning in warnings(campaign):
        notify(warning)
