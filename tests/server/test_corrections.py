"""A wrong cell of the truth: corrected, logged, scored again; the old board stays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from photo_campaign import CAMPAIGN, TRUTH
from submitters import Submitter

import cranfield as cf
from cranfield.server.campaigns import corrections, editions
from cranfield.server.campaigns.corrections import BrokenRulesError, correct, read_value
from cranfield.server.campaigns.models import Correction, Edition, Phase, Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs.worker import Worker
from cranfield.server.people.models import Audit, User
from cranfield.server.results.board import Board, Split
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.acceptance import RefusedError

Serve = Callable[[str], CampaignFolder]
PERFECT = TRUTH


@pytest.fixture
def campaign(other_campaign: Serve) -> CampaignFolder:
    return other_campaign(CAMPAIGN)


def _correct(campaign: CampaignFolder, value: Any = 0, **options: Any) -> Correction:
    """Photo i0 shows no sky after all."""
    reason = options.pop("reason", "a white wall, not the sky")
    return correct(campaign, Track.objects.get(), "i0", "Sky", value, reason, who=None, **options)


def _scores(edition: Edition) -> list[float | None]:
    board = Board(Phase.objects.get(), edition, Audience(organiser=True), split=Split.ALL)
    return [row["concept.AP"] for row in board.rows()]


def test_a_correction_changes_one_cell_scores_all_runs_again_and_keeps_the_old_board(
    campaign: CampaignFolder,
) -> None:
    ida = Submitter(campaign, "ida")
    ida.scored(PERFECT)
    correction = _correct(campaign)
    while Worker(campaign).work_once():
        pass
    second, first = Edition.objects.all()
    assert (first.number, second.number, second.reason) == (1, 2, "a white wall, not the sky")
    assert _scores(first) == [1.0]
    assert _scores(second) != [1.0]
    truth = cf.read_truth(campaign.collection("photos") / "truth.csv")
    assert truth.digest == cf.read_truth(campaign.edition("photos", 2) / "truth.csv").digest
    old = cf.read_truth(campaign.edition("photos", 1) / "truth.csv")
    assert truth.digest == old.corrected("i0", "Sky", 0).digest
    assert (correction.old, correction.new) == (1, 0)
    detail = Audit.objects.get(action="correct").detail
    assert (detail["item"], detail["old"], detail["new"]) == ("i0", 1, 0)


def test_a_server_that_died_before_the_file_was_replaced_does_so_at_its_start(
    campaign: CampaignFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(corrections, "finish_corrections", lambda *_: None)
        _correct(campaign)
    truth = campaign.collection("photos") / "truth.csv"
    assert truth.read_text() == TRUTH
    editions.synchronise(campaign)
    assert Edition.objects.count() == 2
    assert cf.read_truth(truth).value("i0", "Sky") == 0
    assert Correction.objects.get().applied


@pytest.mark.parametrize("name", ["truth.tsv", "truth.csv.gz", "truth.txt", "truth.parquet"])
def test_the_truth_keeps_its_format(campaign: CampaignFolder, name: str) -> None:
    folder = campaign.collection("photos")
    truth = cf.read_truth(folder / "truth.csv")
    (folder / "truth.csv").unlink()
    cf.write_truth(truth, folder / name)
    (folder / "concepts.txt").write_text("Sky\nSea\nPerson\n")
    editions.synchronise(campaign)
    _correct(campaign)
    assert [path.name for path in folder.glob("truth.*")] == [name]
    assert cf.read_collection(folder).truth.digest == truth.corrected("i0", "Sky", 0).digest


def test_rules_of_the_ontology_are_told_before_they_are_broken(campaign: CampaignFolder) -> None:
    folder = campaign.collection("photos")
    (folder / "truth.csv").write_text("item,Day,Night\ni0,1,0\ni1,0,1\n")
    ontology = cf.Ontology({"Day": (), "Night": ()}, disjoint=[("Day", "Night")])
    ontology.write(folder / "ontology.owl")
    editions.synchronise(campaign)
    track = Track.objects.get()
    with pytest.raises(BrokenRulesError, match=r"break rules of the ontology: i0: .*Day.*Night"):
        correct(campaign, track, "i0", "Night", 1, "dusk", who=None)
    assert not Correction.objects.exists()
    correct(campaign, track, "i0", "Night", 1, "dusk", who=None, despite_rules=True)
    assert Correction.objects.get().concept == "Night"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reason": "  "}, "say why"),
        ({"value": 1}, "is 1 already"),
        ({"value": 7}, "no label"),
    ],
)
def test_what_is_no_correction_is_refused_and_changes_nothing(
    campaign: CampaignFolder, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(RefusedError, match=message):
        _correct(campaign, **options)
    assert Edition.objects.count() == 1
    assert (campaign.collection("photos") / "truth.csv").read_text() == TRUTH


def test_a_training_item_is_not_scored_and_so_not_corrected(campaign: CampaignFolder) -> None:
    (campaign.collection("photos") / "splits.csv").write_text(
        "item,split\n" + "".join(f"i{n},{'test' if n else 'train'}\n" for n in range(40))
    )
    with pytest.raises(RefusedError, match="training item"):
        _correct(campaign)


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), (" 0 ", 0), ("3", 3), ("2.5", 2.5), ("", None), ("?", None)]
)
def test_values_are_read_as_people_type_them(text: str, value: Any) -> None:
    assert read_value(text) == value


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(RefusedError, match="no value of a cell"):
        read_value("maybe")


@pytest.fixture
def organiser(campaign: CampaignFolder) -> Client:
    user = User.objects.create_user("o@example.org", "pass word 123", name="o", is_organiser=True)
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def _post(client: Client, **changes: str) -> Any:
    sent = {"item": "i0", "concept": "Sky", "value": "0", "reason": "a white wall"} | changes
    return client.post(reverse("correct", args=["photos"]), sent)


def test_an_organiser_corrects_by_a_form_and_the_log_says_why_but_not_what_while_it_is_secret(
    organiser: Client,
) -> None:
    assert _post(organiser).status_code == 302
    log = reverse("changes", args=["photos"])
    visitor, own = (client.get(log).content.decode() for client in (Client(), organiser))
    assert "a white wall" in visitor
    assert "i0" not in visitor
    assert "shown once no phase takes runs" in visitor
    assert "i0" in own
    Phase.objects.update(closes=datetime(2021, 1, 1, tzinfo=UTC))
    later = Client().get(log).content.decode()
    assert "i0" in later
    assert reverse("board", args=["photos", "test", 1]) in later


def test_an_organiser_may_show_the_cell_at_once(organiser: Client) -> None:
    _post(organiser, shown="on")
    assert "i0" in Client().get(reverse("changes", args=["photos"])).content.decode()


def test_the_form_says_what_will_not_do(organiser: Client) -> None:
    for changes, message in (
        ({"item": "i99"}, "there is no item"),
        ({"value": "maybe"}, "no value of a cell"),
        ({"reason": ""}, "required"),
    ):
        answer = _post(organiser, **changes)
        assert answer.status_code == 200
        assert message in answer.content.decode()
    assert Edition.objects.count() == 1
