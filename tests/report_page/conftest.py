"""Evaluations to report: a small campaign, and one whose ids try to become code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.studies.simulation import Campaign, Design, draw_systems, simulate_world
from cranfield.studies.vocabulary import photo_concepts

MEASURES = ("concept.AP", "concept.AUC", "example.F", "example.ranking_loss")
HOSTILE = '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 2">"&'


@pytest.fixture(scope="session")
def result() -> cf.Evaluation:
    """8 systems and two guesses over 120 items and 53 concepts, with an ontology."""
    campaign = Campaign(Design(photo_concepts(), items=120), draw_systems(8, seed=3), (0, 50))
    world = simulate_world(campaign.design)
    return cf.evaluate(
        world.truth,
        list(campaign.runs(world)),
        MEASURES,
        ontology=cf.Ontology.load("pto2009"),
    )


@pytest.fixture(scope="session")
def report(result: cf.Evaluation) -> cf.Report:
    return cf.Report(result, title="Small campaign")


@pytest.fixture(scope="session")
def hostile() -> cf.Report:
    """Ids of items, concepts and runs that would run, were they not escaped."""
    random = np.random.default_rng(0)
    labels = random.random((40, 3)) < 0.4
    names = [f"{HOSTILE}{number}" for number in range(40)]
    truth = cf.Truth(labels, items=names, concepts=names[:3])
    runs = [
        cf.Run(
            random.random((40, 3)),
            name=f"{HOSTILE}\n{run}</template></style></script>",
            items=names,
            concepts=names[:3],
        )
        for run in range(3)
    ]
    return cf.Report(cf.evaluate(truth, runs, MEASURES), title=HOSTILE)


@pytest.fixture(scope="session")
def page(report: cf.Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "report.html"
    report.write(path)
    return path
