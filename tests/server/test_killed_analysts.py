"""A server killed while it computes analyses: all are there in the end, each once, and scores never
wait for them."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from live_campaign import LiveCampaign
from photo_campaign import CAMPAIGN, noisy, write_campaign

KINDS = ("significance", "concepts", "items", "measures", "progress")
KILLS = 5


@pytest.mark.slow
def test_killed_at_any_moment_every_analysis_is_computed_once(tmp_path: Path) -> None:
    text = CAMPAIGN.replace("quota = 3", 'quota = 3\ndetails = "always"')
    folder = write_campaign(tmp_path / "campaign", text)
    campaign = LiveCampaign(folder)
    tokens = campaign.fill(3)
    moments = random.Random(1)
    with campaign:
        runs = [
            campaign.submit(token, noisy(number, 0.3 + 0.2 * number).encode(), f"r{number}.csv")
            for number, token in enumerate(tokens)
        ]
        for token, run in zip(tokens, runs, strict=True):
            campaign.finished(token, run["id"])
        board = "/results/photos/test/1/"
        pages = [f"{board}analyses/{kind}/" for kind in KINDS]
        pages += [f"{board}{run['id']}/report/" for run in runs]
        for number in range(KILLS):
            for page in pages:
                assert campaign.request("GET", page)[0] == 200
            time.sleep(moments.uniform(0.0, 1.5))
            campaign.kill()
            campaign.start()
            late = campaign.submit(tokens[0], noisy(9, 0.1).encode(), "late.csv", key="late")
            assert campaign.finished(tokens[0], late["id"])["state"] == "accepted", number
        ends = time.monotonic() + 300.0
        while any(b"data-waiting" in campaign.request("GET", page)[1] for page in pages):
            assert time.monotonic() < ends, "analyses are not computed"
            time.sleep(0.5)
        assert campaign.request("GET", f"{pages[0]}pairs.csv")[0] == 200
    stored = campaign.run_job(_analyses)
    current = {row["subject"] for row in stored}
    assert len(stored) == len({row["key"] for row in stored})
    assert len(current) == len(pages) - 1  # progress is not stored
    assert all(row["state"] == "done" and row["file"] for row in stored[-len(current) :])


def _analyses() -> list[dict[str, Any]]:
    from django.conf import settings

    from cranfield.server.jobs.models import StoredAnalysis

    return [
        {
            "subject": (row.kind, row.subject),
            "key": row.key,
            "state": row.job.state,
            "file": settings.FOLDER.analysis(row.key).exists(),
        }
        for row in StoredAnalysis.objects.order_by("finished")
    ]
