"""All models, where Django looks for them; each is written in the room that it belongs to."""

from cranfield.server.annotation.models import AnnotationJob, Sheet, Task
from cranfield.server.campaigns.models import (
    Acceptance,
    Campaign,
    Correction,
    Edition,
    Entry,
    Licence,
    Phase,
    Split,
    Track,
)
from cranfield.server.jobs.models import Job, Score, StoredAnalysis
from cranfield.server.people.models import (
    Audit,
    Departure,
    Group,
    Invitation,
    LoginLink,
    Membership,
    Pseudonym,
    Token,
    User,
)
from cranfield.server.submissions.models import Run

__all__ = [
    "Acceptance", "AnnotationJob", "Audit", "Campaign", "Correction", "Departure", "Edition",
    "Entry", "Group", "Invitation", "Job", "Licence", "LoginLink", "Membership", "Phase",
    "Pseudonym", "Run", "Score", "Sheet", "Split", "StoredAnalysis", "Task", "Token", "Track",
    "User",
]  # fmt: skip
