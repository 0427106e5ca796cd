"""Metrics, as Prometheus reads them: what this process answered, and what the database holds."""

from __future__ import annotations

import resource
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from django.db.models import Count, Min
from django.utils import timezone

from cranfield._version import __version__
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.models import Job
from cranfield.server.people.models import Group, User
from cranfield.server.submissions.models import Run

BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds."""
_STARTED = time.time()


class Answered:
    """Requests that this process answered: how many, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._seconds = 0.0

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests[method, route, status] += 1
            self._buckets[next((b for b in BUCKETS if seconds <= b), float("inf"))] += 1
            self._seconds += seconds

    def lines(self) -> Iterator[str]:
        with self._lock:
            requests, buckets, seconds = dict(self._requests), dict(self._buckets), self._seconds
        rows = [
            ({"method": method, "route": route, "status": str(status)}, count)
            for (method, route, status), count in sorted(requests.items())
        ]
        yield from _family("requests_total", "counter", "Requests that were answered.", rows)
        name = "cranfield_request_seconds"
        yield f"# HELP {name} How long answers took.\n# TYPE {name} histogram"
        total = 0
        for bound in BUCKETS:
            total += buckets.get(bound, 0)
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        total += buckets.get(float("inf"), 0)
        yield f'{name}_bucket{{le="+Inf"}} {total}'
        yield f"{name}_sum {seconds:.6f}"
        yield f"{name}_count {total}"


answered = Answered()


def exposition(folder: CampaignFolder) -> str:
    """Everything, in the text format of Prometheus."""
    lines = [*answered.lines(), *_database_lines(), *_machine_lines(folder)]
    return "\n".join(lines) + "\n"


def _database_lines() -> Iterator[str]:
    for name, model in (("runs", Run), ("jobs", Job)):
        counts = dict(
            model._default_manager.order_by()
            .values_list("state")
            .annotate(number=Count("id"))
            .values_list("state", "number")
        )
        rows = [({"state": state}, counts.get(state, 0)) for state in model.State.values]
        yield from _family(name, "gauge", f"{name.capitalize()} by state.", rows)
    waiting = Job.objects.filter(state=Job.State.QUEUED).aggregate(first=Min("created"))["first"]
    age = (timezone.now() - waiting).total_seconds() if waiting else 0.0
    yield from _single("oldest_job_seconds", "For how long the oldest job has waited.", age)
    yield from _single("groups", "Groups.", Group.objects.count())
    yield from _single("accounts", "Accounts.", User.objects.count())


def _machine_lines(folder: CampaignFolder) -> Iterator[str]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = usage.ru_utime + usage.ru_stime
    yield from _single("cpu_seconds_total", "Processor time.", seconds, "counter")
    yield from _single("memory_peak_bytes", "Most memory so far.", usage.ru_maxrss * 1024)
    yield from _single("started_seconds", "When the process started.", _STARTED)
    yield from _single(
        "disk_free_bytes", "Room on the campaign's disk.", shutil.disk_usage(folder.path).free
    )
    yield from _family("version", "gauge", "Of the package.", [({"version": __version__}, 1)])


def _single(name: str, help: str, value: float, kind: str = "gauge") -> Iterator[str]:
    return _family(name, kind, help, [({}, value)])


def _family(
    name: str, kind: str, help: str, rows: Iterable[tuple[Mapping[str, str], float]]
) -> Iterator[str]:
    full = f"cranfield_{name}"
    yield f"# HELP {full} {help}\n# TYPE {full} {kind}"
    for labels, value in rows:
        inner = ",".join(f'{key}="{text}"' for key, text in labels.items())
        yield f"{full}{{{inner}}} {value:.15g}" if inner else f"{full} {value:.15g}"
