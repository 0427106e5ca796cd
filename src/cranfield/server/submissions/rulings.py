"""What organisers decide about runs, always with a reason, always reversible."""

from __future__ import annotations

from typing import Literal

from django.db import transaction

from cranfield.server.people.audit import record
from cranfield.server.people.models import Pseudonym
from cranfield.server.submissions.acceptance import RefusedError
from cranfield.server.submissions.models import Run

Ruling = Literal["disqualify", "delete", "restore"]
_STATES = {
    "disqualify": Run.State.DISQUALIFIED,
    "delete": Run.State.DELETED,
    "restore": Run.State.ACCEPTED,
}


def rule(run: Run, ruling: Ruling, reason: str, who: Pseudonym | None) -> None:
    """Disqualify, delete or restore a run. Its slot stays as it is: nobody gains a try by it."""
    if not reason.strip():
        raise RefusedError("give a reason; it is shown beside the run")
    with transaction.atomic():
        run = Run.objects.select_for_update().get(id=run.id)
        ruled = run.state in (Run.State.DISQUALIFIED, Run.State.DELETED)
        if not ruled and (ruling == "restore" or run.state != Run.State.ACCEPTED):
            raise RefusedError(f"the run is {run.state}, so there is nothing to {ruling}")
        run.state, run.reason = _STATES[ruling], "" if ruling == "restore" else reason
        run.save()
        run.phase.track.raise_revision()
        record(who, ruling, run, reason=reason)
