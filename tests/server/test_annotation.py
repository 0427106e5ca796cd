"""The annotation room: who gets which item, what is taken, and that nothing is lost or doubled."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from cranfield.assessment.files import read_votes
from cranfield.server import configuration
from cranfield.server.annotation import assignment
from cranfield.server.annotation.assignment import Reply, answer, job_votes, next_sheet
from cranfield.server.annotation.images import original, shown_copy
from cranfield.server.annotation.models import AnnotationJob, Sheet
from cranfield.server.annotation.setting_up import synchronise_jobs
from cranfield.server.campaigns.models import Entry, Track
from cranfield.server.folder import CampaignFolder
from cranfield.server.people.models import Audit, Group, Membership, Pseudonym, User
from cranfield.server.submissions.acceptance import RefusedError

SETTINGS = configuration.AnnotationJob("labels", overlap=2)
SKY = Reply("k", {"Sky": "yes"})


@pytest.fixture
def job(folder: CampaignFolder) -> AnnotationJob:
    return AnnotationJob.objects.get()


def annotator(name: str = "Ada", **members: Any) -> Pseudonym:
    user = User.objects.create_user(
        f"{name}@example.org", "pass word 123", name=name, is_annotator=True, **members
    )
    return Pseudonym.objects.get(user=user)


def client_of(who: Pseudonym) -> Client:
    client = Client()
    assert who.user is not None
    client.force_login(who.user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_an_item_goes_to_as_many_people_as_overlap_says(job: AnnotationJob) -> None:
    people = [annotator(name) for name in ("Ada", "Bea", "Cem")]
    first = [next_sheet(job, SETTINGS, who) for who in people]
    assert first[0] is not None
    assert first[1] is not None
    assert first[2] is not None
    assert first[0].task == first[1].task != first[2].task
    assert next_sheet(job, SETTINGS, people[0]) == first[0], "it is still theirs to answer"


def test_a_reservation_that_ran_out_goes_to_others_and_its_answer_still_counts(
    job: AnnotationJob,
) -> None:
    settings = configuration.AnnotationJob("labels", overlap=1)
    ada, bea = annotator("Ada"), annotator("Bea")
    sheet = next_sheet(job, settings, ada)
    assert sheet is not None
    Sheet.objects.update(reserved_until=timezone.now() - timedelta(seconds=1))
    other = next_sheet(job, settings, bea)
    assert other is not None
    assert other.task == sheet.task
    answer(sheet, SKY, None)
    answer(other, SKY, None)
    assert len(job_votes(job).annotators) == 2


def test_an_answer_sent_twice_is_one_and_two_windows_do_not_overwrite_each_other(
    job: AnnotationJob,
) -> None:
    sheet = next_sheet(job, SETTINGS, annotator())
    assert sheet is not None
    answer(sheet, SKY, None)
    answer(sheet, SKY, None)
    stored = Sheet.objects.get(id=sheet.id)
    assert (stored.revision, stored.answers["Sky"], stored.answers["Sea"]) == (1, "yes", "no")
    with pytest.raises(RefusedError, match="another window"):
        answer(sheet, Reply("other", {"Sea": "yes"}), None)
    answer(sheet, Reply("later", {"Sea": "yes"}, revision=1), None)
    assert Sheet.objects.get(id=sheet.id).answers["Sea"] == "yes"


def test_a_person_answers_an_item_once_and_no_more_items_than_allowed(job: AnnotationJob) -> None:
    settings, ada = configuration.AnnotationJob("labels", overlap=2, most=3), annotator()
    items = []
    while (sheet := next_sheet(job, settings, ada)) is not None:
        answer(sheet, Reply(f"k{sheet.id}", {}), None)
        items.append(sheet.task.item)
    assert len(items) == len(set(items)) == 3


def test_skipped_items_do_not_come_back_and_returned_ones_do(job: AnnotationJob) -> None:
    ada = annotator()
    skipped = next_sheet(job, SETTINGS, ada)
    assert skipped is not None
    assignment.skip(skipped, SETTINGS, "I cannot look at this")
    returned = next_sheet(job, SETTINGS, ada)
    assert returned is not None
    assert returned.task != skipped.task
    assignment.hand_back(returned)
    again = next_sheet(job, SETTINGS, ada)
    assert again is not None
    assert again.task == returned.task
    with pytest.raises(RefusedError, match="cannot be skipped"):
        assignment.skip(again, configuration.AnnotationJob("labels", may_skip=False), "")


def test_excluded_votes_are_left_out_and_kept_and_logged(job: AnnotationJob) -> None:
    sheet = next_sheet(job, SETTINGS, annotator())
    assert sheet is not None
    answer(sheet, SKY, None)
    assignment.exclude(sheet, annotator("Olga"), "too fast")
    assert len(job_votes(job)) == 0
    assert Sheet.objects.get(id=sheet.id).answers["Sky"] == "yes"
    assert Audit.objects.filter(action="exclude", detail__reason="too fast").exists()


def test_a_paused_job_hands_nothing_out_and_takes_nothing(job: AnnotationJob) -> None:
    ada = annotator()
    sheet = next_sheet(job, SETTINGS, ada)
    assert sheet is not None
    AnnotationJob.objects.update(paused=True)
    assert next_sheet(job, SETTINGS, annotator("Bea")) is None
    with pytest.raises(RefusedError, match="paused"):
        answer(sheet, SKY, None)


def test_items_keep_their_places_when_the_campaign_starts_again(
    job: AnnotationJob, folder: CampaignFolder
) -> None:
    before = list(job.tasks.values_list("number", "item"))
    synchronise_jobs(folder, Track.objects.get())
    assert list(job.tasks.values_list("number", "item")) == before
    assert sorted(item for _, item in before) != [item for _, item in before], "drawn, not listed"


def test_what_people_answer_in_the_browser_is_what_the_votes_file_says(
    job: AnnotationJob, tmp_path: Path
) -> None:
    for name, box in (("Ada", ["Sky"]), ("Bea", ["Sky", "Sea"])):
        client = client_of(annotator(name))
        page = client.get(reverse("annotation-work", args=["photos", "labels"]), follow=True)
        address = page.request["PATH_INFO"]
        assert b"Hand in" in page.content
        sent = {"key": name, "revision": "0", "box": box, "comment": "fine"}
        assert client.post(address, sent).status_code == 302
    organiser = annotator("Olga", is_organiser=True)
    file = client_of(organiser).get(reverse("votes-file", args=[job.id]))
    path = tmp_path / "votes.csv"
    path.write_bytes(file.content)
    votes, own = read_votes(path), job_votes(job)
    assert votes.annotators == own.annotators
    assert len(votes) == len(own) == 6
    codes = {str(code) for code in Pseudonym.objects.filter(sheets__isnull=False)}
    assert set(votes.annotators) == codes, "pseudonyms, no names"
    progress = client_of(organiser).get(reverse("annotation-progress", args=[job.id]))
    assert b"Agreement" in progress.content
    assert progress.status_code == 200


def test_what_the_form_does_not_ask_is_refused_and_nothing_is_lost(job: AnnotationJob) -> None:
    client = client_of(annotator())
    page = client.get(reverse("annotation-work", args=["photos", "labels"]), follow=True)
    address = page.request["PATH_INFO"]
    sent = {"key": "k", "revision": "0", "box": ["Moon"], "comment": "my words"}
    refused = client.post(address, sent)
    assert refused.status_code == 422
    assert b"does not ask for" in refused.content
    assert b"my words" in refused.content
    assert Sheet.objects.get().state == Sheet.State.RESERVED


def test_who_competes_in_a_track_gives_no_labels_of_it(job: AnnotationJob) -> None:
    who = annotator()
    assert who.user is not None
    group = Group.objects.create(name="ours")
    Membership.objects.create(user=who.user, group=group)
    Entry.objects.create(group=group, track=job.track)
    address = reverse("annotation-work", args=["photos", "labels"])
    assert client_of(who).get(address).status_code == 403
    organiser = client_of(annotator("Olga", is_organiser=True))
    sent = {"annotator": "yes", "despite_group": "on"}
    organiser.post(reverse("annotator", args=[who.user.id]), sent)
    assert client_of(who).get(address).status_code == 302
    assert Audit.objects.filter(action="appoint", detail__despite_group=True).exists()


def test_sheets_of_others_cannot_be_opened(job: AnnotationJob) -> None:
    sheet = next_sheet(job, SETTINGS, annotator("Ada"))
    assert sheet is not None
    other = client_of(annotator("Bea"))
    assert other.get(reverse("sheet", args=[sheet.id])).status_code == 404
    assert other.post(reverse("sheet", args=[sheet.id]), {"key": "k"}).status_code == 404


def test_pictures_are_shown_without_what_cameras_add(
    folder: CampaignFolder, tmp_path: Path
) -> None:
    images = folder.images("photos")
    images.mkdir(exist_ok=True)
    picture = Image.new("RGB", (3000, 20), "red")
    exif = Image.Exif()
    exif.get_ifd(0x8825)[1] = "N"  # the position
    exif[0x010F] = "Camera"
    picture.save(images / "i7.jpg", exif=exif)
    (images / "i8.jpg").write_text("<svg onload='alert(1)'/>")
    found = original(folder, "photos", "i7")
    assert found is not None
    copy = shown_copy(folder, found)
    assert copy is not None
    with Image.open(copy) as shown:
        assert shown.size == (1600, 11)
        assert not shown.getexif()
    assert shown_copy(folder, images / "i8.jpg") is None
    for hostile in ("../collection/truth.csv", "/etc/passwd", "..", ""):
        assert original(folder, "photos", hostile) is None


def test_a_picture_larger_than_memory_is_refused(
    folder: CampaignFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.server.annotation.images.MOST_PIXELS", 50)
    images = folder.images("photos")
    images.mkdir(exist_ok=True)
    Image.new("RGB", (10, 10)).save(images / "i9.png")
    assert shown_copy(folder, images / "i9.png") is None
