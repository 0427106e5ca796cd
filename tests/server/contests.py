"""A contest of three groups, and the same scores by the library."""

from __future__ import annotations

from typing import Any

from photo_campaign import noisy
from submitters import Submitter

import cranfield as cf
from cranfield.server.campaigns.models import Phase, Split
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.results.board import Board
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.models import Run

MEASURES = ["concept.AP", "example.F"]


class Contest:
    """Three groups with a run each, all called alike, and a random run of the organisers."""

    def __init__(self, folder: CampaignFolder) -> None:
        self.folder = folder
        self.groups = [Submitter(folder, name) for name in ("ann", "bob", "cat")]
        self.texts = {
            name: noisy(seed, noise)
            for seed, (name, noise) in enumerate(
                {"ann": 0.3, "bob": 0.8, "cat": 0.95, "Random50": 1.0}.items()
            )
        }
        self.runs = {
            group.user.name: group.submit(self.texts[group.user.name]) for group in self.groups
        }
        reference = self.groups[0].submit(self.texts["Random50"])
        Run.objects.filter(id=reference.id).update(group=None, slot=None, name="Random50")
        self.runs["Random50"] = reference
        work(Worker(folder))
        for run in self.runs.values():
            run.refresh_from_db()
        self.phase = Phase.objects.get()
        self.edition = self.phase.track.editions.get()

    @property
    def board(self) -> Board:
        organiser = Audience(organiser=True)
        return Board(self.phase, self.edition, organiser, split=Split.ALL)

    def label(self, name: str) -> str:
        return name if name == "Random50" else f"{name}: run"

    def evaluation(self, *names: str, measures: list[str] = MEASURES) -> Any:
        """What the library says of runs, read from the same files."""
        truth = cf.read_collection(self.folder.collection("photos"))
        runs = [
            cf.read_run(
                self.folder.run_file(self.runs[name].sha256),
                truth,
                name=self.label(name),
                format="csv",
            )
            for name in names
        ]
        return cf.evaluate(truth, runs, measures)


def work(worker: Worker) -> int:
    done = 0
    while worker.work_once():
        done += 1
    return done
