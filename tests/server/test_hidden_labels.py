"""Hidden labels stay hidden: what an attacker with the API and five runs learns, and what the
private part of the test items changes in anything that others can see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from attacker import MEASURE, Attacker
from django.db import transaction
from django.test import Client
from django.urls import reverse
from photo_campaign import CAMPAIGN, TRUTH
from routes import all_routes
from scipy.stats import binomtest
from submitters import GOOD, Submitter
from test_pages import World

import cranfield as cf
from cranfield.server.access import active_track
from cranfield.server.campaigns.corrections import correct
from cranfield.server.campaigns.editions import renew_edition
from cranfield.server.campaigns.leakage import TOLERATED, leakage, warnings
from cranfield.server.campaigns.models import Acceptance, Edition, Licence, Phase, Track
from cranfield.server.campaigns.splits import divided
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.links import hashed
from cranfield.server.people.models import Membership, Token
from cranfield.server.submissions.models import Run

Serve = Callable[..., CampaignFolder]
ATTACKED = (
    CAMPAIGN.replace("quota = 3", "quota = 5")
    .replace('"concept.AP"', f'"{MEASURE}", "concept.AP"')
    .replace('modalities = { V = "visual", T = "textual", M = "both" }', "")
)
"""By default rules: five runs, four digits, half of the items private; and the measure that tells
most."""


def _truth(items: int, concepts: int, seed: int) -> cf.Truth:
    rng = np.random.default_rng(seed)
    frequency = rng.uniform(0.1, 0.5, concepts)
    return cf.Truth(
        rng.random((items, concepts)) < frequency,
        items=[f"i{number}" for number in range(items)],
        concepts=[f"c{number}" for number in range(concepts)],
    )


def _csv(truth: cf.Truth) -> str:
    rows = [",".join(["item", *truth.concepts])]
    rows += [
        ",".join([item, *("01"[int(label)] for label in labels)])
        for item, labels in zip(truth.items, truth.labels, strict=True)
    ]
    return "\n".join(rows) + "\n"


def _attacked(campaign: CampaignFolder, truth: cf.Truth, resolution: float) -> Attacker:
    group = Submitter(campaign, "mallory")
    Acceptance.objects.create(user=group.user, licence=Licence.objects.get())
    membership = Membership.objects.get(user=group.user)
    Token.objects.create(user=group.user, membership=membership, name="t", sha256=hashed("key"))
    frequency = dict(zip(truth.concepts, truth.labels.mean(0).tolist(), strict=True))
    attacker = Attacker("key", list(truth.items), list(truth.concepts), frequency, resolution)
    attacker.attack(np.random.default_rng(7))
    assert Run.objects.filter(group=group.group).count() == 5
    return attacker


def _right(truth: cf.Truth, cells: list[Any], guess: Callable[[Any], int]) -> int:
    return sum(guess(cell) == truth.value(*cell) for cell in cells)


def test_five_runs_recover_hidden_labels_no_better_than_guessing(other_campaign: Serve) -> None:
    truth = _truth(400, 20, seed=1)
    campaign = other_campaign(ATTACKED, _csv(truth))
    assert not warnings(campaign)
    attacker = _attacked(campaign, truth, resolution=2.0)
    sides = divided(cf.Collection(truth), 0.5, campaign.secret)
    for part in ("private", "public"):
        cells = [cell for cell in attacker.cells if sides[cell[0]] == part]
        chance = _right(truth, cells, attacker.guess_by_frequency) / len(cells)
        right = _right(truth, cells, attacker.guess)
        assert binomtest(right, len(cells), chance, alternative="greater").pvalue > 0.05, part
    told = leakage(campaign, "photos")
    assert len(attacker.learned) < told.told
    assert told.share < TOLERATED


@pytest.mark.slow
def test_the_same_attack_reads_the_labels_where_scores_are_exact_and_the_organiser_is_warned(
    other_campaign: Serve,
) -> None:
    truth = _truth(30, 4, seed=2)
    exact = ATTACKED.replace("quota = 5", "quota = 5\ndigits = 17").replace(
        "private_share = 0.5", ""
    )
    campaign = other_campaign(exact, _csv(truth))
    attacker = _attacked(campaign, truth, resolution=1e-8)
    cells = attacker.cells
    assert len(attacker.learned) == len(cells)
    assert _right(truth, cells, attacker.guess) == len(cells)
    assert leakage(campaign, "photos").share == 1.0
    (warning,) = warnings(campaign)
    assert "A group could learn 100 % of them" in warning


@pytest.mark.slow
def test_four_digits_of_a_small_truth_give_labels_away_and_the_organiser_is_warned(
    other_campaign: Serve,
) -> None:
    truth = _truth(30, 4, seed=3)
    campaign = other_campaign(ATTACKED.replace("private_share = 0.5", ""), _csv(truth))
    attacker = _attacked(campaign, truth, resolution=0.25)
    learned = list(attacker.learned)
    right = _right(truth, learned, attacker.guess)
    by_frequency = _right(truth, learned, attacker.guess_by_frequency)
    assert right == len(learned) > by_frequency
    assert warnings(campaign)


@pytest.mark.parametrize(
    ("old", "new"),
    [("quota = 5", 'quota = 5\nshows = "nothing"'), ("quota = 5", 'quota = 5\ndetails = "always"')],
)
def test_no_warning_where_nothing_is_told_or_nothing_is_hidden(
    other_campaign: Serve, old: str, new: str
) -> None:
    campaign = other_campaign(ATTACKED.replace(old, new), _csv(_truth(30, 4, seed=3)))
    assert not warnings(campaign)


def _flipped(text: str, items: set[str]) -> str:
    """A truth in which all labels of some items are the other way round."""
    lines = []
    for line in text.splitlines():
        item, *labels = line.split(",")
        if item in items:
            labels = ["10"[int(label)] for label in labels]
        lines.append(",".join([item, *labels]))
    return "\n".join(lines) + "\n"


_VARIES = re.compile(
    rb"csrfmiddlewaretoken.{0,100}|name=\"key\" value=\"\w+"
    rb"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?"
    rb"|(opens|closes|closed) (in|since) [^<]*"
)
"""What differs between two looks at the same page."""


def _everything_others_see(world: World) -> Iterator[tuple[str, bytes]]:
    """All pages, files and answers of the API, for everybody but organisers."""
    queries = ("", "split=private", "edition=1", "edition=1&split=all", "view=best", "fields=1")
    for role in ("visitor", "stranger", "member"):
        client = world.client(role)
        for name in all_routes():
            if name in ("api:api-root", "welcome", "invited"):
                continue
            address = reverse(name, kwargs=world.arguments(name))
            for query in queries:
                answer = client.get(f"{address}?{query}")
                if answer.status_code != 200:
                    break
                content = b"".join(answer) if answer.streaming else answer.content
                yield f"{role} {address}?{query}", _VARIES.sub(b"", content)


def _seen(folder: CampaignFolder, text: str) -> dict[str, bytes]:
    """What others see of a campaign whose truth is this text, with runs, and a correction."""
    truth = folder.collection("photos") / "truth.csv"
    truth.write_text(text)
    Edition.objects.all().delete()
    renew_edition(folder, active_track("photos"))
    world = World(folder)
    runs = [Submitter(folder, name).scored(run) for name, run in RUNS.items()]
    world.run, world.group = runs[0], runs[0].group
    Membership.objects.create(user=world.users["member"], group=world.group)
    track = Track.objects.get()
    value = 1 - int(cf.read_truth(truth).value("i1", "Sea") or 0)
    correct(folder, track, "i1", "Sea", value, "judged again", who=None)
    runs.append(Submitter(folder, "late").scored(RUNS["eve"]))
    return dict(_everything_others_see(world))


RUNS = {
    "ida": GOOD,
    "eve": GOOD.replace("i0,0.9", "i0,0.1", 1),
    "mallory": "item,Sky,Sea,Person\n" + "".join(f"i{n},0.{n + 10},0.5,0.1\n" for n in range(40)),
}


@pytest.mark.slow
def test_labels_of_the_private_part_change_nothing_that_others_can_see(
    other_campaign: Serve,
) -> None:
    folder = other_campaign(CAMPAIGN)
    truth = cf.read_truth(folder.collection("photos") / "truth.csv")
    sides = divided(cf.Collection(truth), 0.5, folder.secret)
    private = {item for item, side in sides.items() if side == "private"}
    public = set(sides) - private
    seen = []
    for text in (TRUTH, _flipped(TRUTH, private), _flipped(TRUTH, public)):
        with transaction.atomic():
            seen.append(_seen(folder, text))
            transaction.set_rollback(True)
    original, other_private, other_public = seen
    assert len(original) > 100
    assert original.keys() == other_private.keys()
    assert [key for key in original if original[key] != other_private[key]] == []
    assert [key for key in original if original[key] != other_public.get(key)]


def test_after_the_last_phase_the_private_part_is_shown(other_campaign: Serve) -> None:
    folder = other_campaign(CAMPAIGN)
    ida = Submitter(folder, "ida")
    ida.scored(GOOD)
    address = "/api/tracks/photos/board?split=private"
    assert Client().get(address).json()["split"] == "public"
    Phase.objects.update(closes=datetime(2021, 1, 1, tzinfo=UTC))
    assert Client().get(address).json()["split"] == "private"
