"""A small campaign: 40 photos, three concepts, one phase."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cranfield.server.configuration import read_campaign

CAMPAIGN = """
title = "Photos of 2026"

[limits]                    # tests ask more often than people do
registrations_per_hour = 100_000
logins_per_minute = 100_000
api_per_minute = 1_000_000
uploads_per_hour = 1_000_000

[licence]
version = "1"
text = "For research only."

[[tracks]]
name = "photos"
title = "Photo annotation"
measures = ["concept.AP", "example.F"]
modalities = { V = "visual", T = "textual", M = "both" }
quota = 3
private_share = 0.5

[[tracks.phases]]
name = "test"
opens = 2020-01-01
closes = 2090-12-31

[[tracks.annotation]]
name = "labels"
title = "Labels of all photos"
overlap = 2
"""
TRUTH = "item,Sky,Sea,Person\n" + "".join(
    f"i{n},{int(n % 2 == 0)},{int(n % 3 == 0)},{int(n % 5 < 2)}\n" for n in range(40)
)


def write_campaign(folder: Path, text: str = CAMPAIGN, truth: str = TRUTH) -> Path:
    """A small campaign: 40 photos, three concepts, the same for each track."""
    folder.mkdir(exist_ok=True)
    (folder / "campaign.toml").write_text(text)
    for track in read_campaign(folder).tracks:
        collection = folder / "tracks" / track.name / "collection"
        collection.mkdir(parents=True)
        (collection / "truth.csv").write_text(truth)
    return folder


def noisy(seed: int, noise: float) -> str:
    """The truth as confidences, disturbed."""
    random = np.random.default_rng(seed)
    head, *lines = TRUTH.strip().splitlines()
    rows = [line.split(",") for line in lines]
    disturbed = (
        ",".join(
            [row[0], *(f"{abs(float(v) - noise * random.random()):.4f}" for v in row[1:])]
        )
        for row in rows
    )  # fmt: skip
    return "\n".join([head, *disturbed, ""])
