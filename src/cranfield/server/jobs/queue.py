"""The queue: who works on which job, so that nothing is lost, doubled or stuck.

A worker claims a job for a lease and renews it while it works. A job whose lease is past has lost
its worker and goes back to the queue; who comes late with its outcome writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, F, QuerySet, When
from django.utils import timezone

from cranfield.server.campaigns.models import Edition
from cranfield.server.jobs.models import Job, Score, StoredAnalysis
from cranfield.server.submissions.models import Run

LEASE = timedelta(seconds=15)
HEARTBEAT = timedelta(seconds=5)
MOST_TRIES = 3
"""Of a job that fails over files or the database, which may come back."""
MOST_CRASHES = 25
"""Deaths of workers over a job before an organiser must look."""
_LONGEST_DELAY = timedelta(minutes=1)


def enqueue(runs: Iterable[Run], edition: Edition) -> None:
    """Runs to be scored by an edition; those that are, or wait already, are left alone."""
    jobs = [Job(run=run, edition=edition) for run in runs]
    Job.objects.bulk_create(jobs, ignore_conflicts=True)


def enqueue_analysis(analysis: StoredAnalysis) -> StoredAnalysis:
    """An analysis to be computed, unless the same one is there already; that one is returned."""
    with transaction.atomic():
        StoredAnalysis.objects.bulk_create([analysis], ignore_conflicts=True)
        stored = StoredAnalysis.objects.get(key=analysis.key)
        job = Job(analysis=stored, edition=stored.edition)
        Job.objects.bulk_create([job], ignore_conflicts=True)
    return stored


def compute_again(analysis: StoredAnalysis) -> None:
    """Queue an analysis whose file is lost."""
    with transaction.atomic():
        StoredAnalysis.objects.filter(id=analysis.id).update(finished=None)
        Job.objects.filter(analysis=analysis, state=Job.State.DONE).update(state=Job.State.QUEUED)


def claim(worker: str, *, analyses: bool = False) -> Job | None:
    """The next job for a worker, if there is one: a run, or an analysis. Nobody takes both, so that
    no run waits until a long analysis is done."""
    now = timezone.now()
    with transaction.atomic():
        _give_back_lost_jobs()
        waiting = Job.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            state=Job.State.QUEUED, not_before__lte=now, analysis__isnull=not analyses
        )
        # Anybody can ask for any two runs; what others look at comes before.
        of_two = Case(When(analysis__kind="comparison", then=1), default=0)
        job = waiting.order_by(of_two, "id").first() if analyses else waiting.order_by("id").first()
        if job is not None:
            job.state, job.worker = Job.State.RUNNING, worker
            job.attempt, job.lease = job.attempt + 1, now + LEASE
            job.save()
    return job


def _give_back_lost_jobs() -> None:
    now = timezone.now()
    lost = Job.objects.select_for_update(skip_locked=True).filter(
        state=Job.State.RUNNING, lease__lt=now
    )
    for job in lost:
        job.crashes += 1
        if job.crashes >= MOST_CRASHES:
            job.state = Job.State.HELD
            job.error = f"{job.crashes} workers died over it; look at their logs, then requeue it"
        else:
            job.state, job.not_before = Job.State.QUEUED, now + _delay(job.crashes)
        job.save()


def _delay(failures: int) -> timedelta:
    return min(timedelta(seconds=0.1 * 2**failures), _LONGEST_DELAY)


def renew(job: Job) -> bool:
    """Keep a job; False if it is somebody else's by now."""
    return _held(job).update(lease=timezone.now() + LEASE) == 1


def finish(job: Job, scores: Iterable[Score]) -> bool:
    """Store what a job came to, all of it or nothing; False if it is somebody else's by now."""
    with transaction.atomic():
        if not _held(job).update(state=Job.State.DONE, finished=timezone.now(), error=""):
            return False
        job.scores.set(_stored(scores))
        _checked(job).update(state=Run.State.ACCEPTED)
        job.edition.track.raise_revision()
    return True


def _stored(scores: Iterable[Score]) -> list[Score]:
    """Rows of scores; a score that is there already, from a job for the same file, is taken."""
    computed = list(scores)
    Score.objects.bulk_create(computed, ignore_conflicts=True)
    rows = []
    for score in computed:
        key = ("run_digest", "truth_digest", "measure", "conventions", "revision")
        rows.append(Score.objects.get(**{name: getattr(score, name) for name in key}))
    return rows


def finish_analysis(job: Job) -> bool:
    """Store that the result of an analysis lies in its file; False if the job is somebody else's by
    now."""
    now = timezone.now()
    with transaction.atomic():
        if not _held(job).update(state=Job.State.DONE, finished=now, error=""):
            return False
        StoredAnalysis.objects.filter(job=job).update(finished=now)
        job.edition.track.raise_revision()
    return True


def give_up(job: Job, reason: str) -> bool:
    """Store that an analysis cannot be computed."""
    return _held(job).update(state=Job.State.FAILED, finished=timezone.now(), error=reason) == 1


def refuse(job: Job, errors: list[dict[str, object]]) -> bool:
    """Store that a run cannot be scored as it is: it gives its slot back."""
    message = str(errors[0]["what"]) if errors else ""
    with transaction.atomic():
        if not _held(job).update(state=Job.State.FAILED, finished=timezone.now(), error=message):
            return False
        _checked(job).update(state=Run.State.REFUSED, slot=None, errors=errors)
        job.edition.track.raise_revision()
    return True


def _checked(job: Job) -> QuerySet[Run]:
    """The run of a job, if it was not checked before."""
    return Run.objects.filter(jobs=job, state=Run.State.CHECKING)


def try_again(job: Job, error: str) -> bool:
    """Give a job back that failed over what may come back; after some tries it is held."""
    final = job.attempt - job.crashes >= MOST_TRIES
    state = Job.State.HELD if final else Job.State.QUEUED
    later = timezone.now() + _delay(job.attempt)
    return _held(job).update(state=state, error=error, not_before=later, lease=None) == 1


def put_back(job: Job) -> bool:
    """Give a job back that was begun and not finished, since its worker stops."""
    back = {"state": Job.State.QUEUED, "attempt": F("attempt") - 1, "lease": None}
    return _held(job).update(**back) == 1


def _held(job: Job) -> QuerySet[Job]:
    """The job's row, if it is still this worker's."""
    return Job.objects.filter(
        id=job.id, worker=job.worker, attempt=job.attempt, state=Job.State.RUNNING
    )
