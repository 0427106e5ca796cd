"""`cranfield serve`: the whole campaign in one process; and `cranfield worker` beside it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, unheard
from cranfield.errors import FileError, InputError
from cranfield.server.folder import VARIABLE, CampaignFolder

if TYPE_CHECKING:
    pass

_DATABASE = "CRANFIELD_DATABASE"


def prepare(
    folder: Path, database: str | None = None, *, behind_proxy: bool = False
) -> CampaignFolder:
    """Set Django up for a campaign; nothing is changed yet."""
    place = CampaignFolder(folder.resolve())
    place.campaign  # noqa: B018 - what is wrong with it is said before anything starts
    place.make()
    os.environ[VARIABLE] = str(place.path)
    os.environ["DJANGO_SETTINGS_MODULE"] = "cranfield.server.settings"
    os.environ["CRANFIELD_BEHIND_PROXY"] = "1" if behind_proxy else ""
    if database is not None:
        os.environ[_DATABASE] = database
    try:
        import django
    except ImportError:
        raise InputError(
            "the campaign server is not installed; install it with: pip install 'cranfield[server]'"
        ) from None
    django.setup()
    return place


def serve(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    host: Annotated[str, Option()] = "127.0.0.1",
    port: Annotated[int, Option(minimum=0, maximum=65535)] = 8000,
    database: Annotated[str | None, Option(metavar="URL")] = None,
    workers: Annotated[int, Option(minimum=0, maximum=64)] = 1,
    behind_proxy: Annotated[bool, Option()] = False,
    notify: Notify = unheard,
) -> None:
    """Run a campaign: pages, submissions, scoring, boards. Stops at Ctrl-C.

    folder        Of the campaign, as `cranfield campaign init` makes it.
    host          Address to listen on; 0.0.0.0 for all.
    port          To listen on; 0 takes a free one.
    database      postgresql://user:password@host/name; default: SQLite in the folder.
    workers       Threads that score; 0 leaves it to `cranfield worker`.
    behind_proxy  A proxy on this machine speaks TLS and hands requests on.
    """
    place = prepare(folder, database, behind_proxy=behind_proxy)
    with _alone(place), _listening(host, port) as listener:
        start_up(place, notify)
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(place, listener, workers, behind_proxy, notify))


def work(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    database: Annotated[str | None, Option(metavar="URL")] = None,
    notify: Notify = unheard,
) -> None:
    """Score runs of a campaign that `cranfield serve` receives. Stops at Ctrl-C.

    folder    Of the campaign.
    database  As of `cranfield serve`.
    """
    place = prepare(folder, database)
    from cranfield.server.jobs.worker import Worker
    from cranfield.server.operation.migration import pending

    if pending():
        raise FileError(place.path, "its database is of another version; start `cranfield serve`")
    worker = Worker(place)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: worker.stop())
    notify(f"worker {worker.name} waits for runs")
    worker.work()


def start_up(place: CampaignFolder, notify: Notify = unheard) -> None:
    """Bring the database up to date, with what the folder says, and clear what was left behind."""
    from cranfield.server.campaigns.editions import synchronise
    from cranfield.server.operation.migration import migrate

    migrate(place, notify)
    collect_static()
    synchronise(place)
    place.sweep_uploads()
    place.sweep_desks()


def collect_static() -> None:
    """Style sheets and scripts, under names that change with their content."""
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["*.py*"])


@contextmanager
def _alone(place: CampaignFolder) -> Iterator[None]:
    """Only one server serves a folder."""
    with open(place.var / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(place.path, "is served already; stop the other server first") from None
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
    place: CampaignFolder,
    listener: socket.socket,
    workers: int,
    behind_proxy: bool,
    notify: Notify,
) -> None:
    import uvicorn
    from django.core.wsgi import get_wsgi_application

    from cranfield.server.front import Front
    from cranfield.server.jobs.worker import Worker, working

    front = Front(get_wsgi_application(), place.staging)
    server = uvicorn.Server(
        uvicorn.Config(
            front,
            lifespan="off",
            server_header=False,
            access_log=False,
            log_level="warning",
            proxy_headers=behind_proxy,
            forwarded_allow_ips="127.0.0.1",
            timeout_keep_alive=15,
            timeout_graceful_shutdown=10,
        )
    )
    crew = [Worker(place) for _ in range(workers)]
    threads = [threading.Thread(target=worker.work, name="worker") for worker in crew]
    for thread in threads:
        thread.start()
    working.extend(crew)
    listening = asyncio.create_task(server.serve([listener]))
    try:
        while not server.started and not listening.done():
            await asyncio.sleep(0.01)
        if server.started:
            await asyncio.to_thread(_announce, place, listener, notify)
        await listening
    finally:
        for worker in crew:
            worker.stop()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        front.close()


def _announce(place: CampaignFolder, listener: socket.socket, notify: Notify) -> None:
    from cranfield.server.people.links import organiser_link

    host, port = listener.getsockname()[:2]
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}/"
    notify(f"{place.campaign.title} is served at {address}; Ctrl-C stops it")
    link = organiser_link(address)
    if link is not None:
        notify(f"become its organiser, once, within 24 hours: {link}")
