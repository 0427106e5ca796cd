"""Folders of campaigns: from templates, with a collection; editions."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from photo_campaign import TRUTH

from cranfield.errors import FileError
from cranfield.formats import read_collection
from cranfield.server.campaigns.downloads import require_no_hidden_labels
from cranfield.server.campaigns.editions import renew_edition
from cranfield.server.campaigns.models import Track
from cranfield.server.campaigns.splits import divided
from cranfield.server.campaigns.starting import init
from cranfield.server.configuration import read_campaign
from cranfield.server.folder import CampaignFolder
from cranfield.server.jobs import scoring


@pytest.mark.parametrize("template", ["photo-annotation", "retrieval", "classification"])
def test_every_template_is_a_campaign_that_is_open_now(tmp_path: Path, template: str) -> None:
    init(tmp_path / "new", template=template)  # type: ignore[arg-type]
    campaign = read_campaign(tmp_path / "new")
    phase = campaign.tracks[0].phases[0]
    assert phase.opening is not None
    assert phase.closing is not None
    assert phase.opening <= datetime.now(UTC) < phase.closing


def test_the_secret_is_the_owners_alone(tmp_path: Path) -> None:
    init(tmp_path / "new")
    secret = tmp_path / "new" / "var" / "secret"
    assert stat.S_IMODE(os.stat(secret).st_mode) == 0o600
    assert len(secret.read_text()) > 40


def test_a_collection_is_copied_without_its_runs_and_broken_rules_are_told(tmp_path: Path) -> None:
    source = tmp_path / "photos"
    (source / "runs").mkdir(parents=True)
    (source / "truth.csv").write_text("item,Day,Night\na,1,1\nb,1,0\n")
    (source / "runs" / "r.csv").write_text("item,Day,Night\na,1,1\nb,1,0\n")
    made = init(tmp_path / "new", collection=source)
    target = tmp_path / "new" / "tracks" / "photos" / "collection"
    assert sorted(path.name for path in target.iterdir()) == ["truth.csv"]
    assert made.violations == 0


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match="not empty"):
        init(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_what_cannot_be_read_leaves_no_half_made_folder(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text("item,Sky\na,maybe\n")
    with pytest.raises(FileError):
        init(tmp_path / "new", collection=tmp_path / "truth.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["truth.csv"]


def test_an_edition_stays_until_something_changes_and_the_old_one_is_kept(
    folder: CampaignFolder,
) -> None:
    track = Track.objects.get()
    first = renew_edition(folder, track)
    assert renew_edition(folder, track) == first
    truth = folder.collection("photos") / "truth.csv"
    truth.write_text(TRUTH.replace("i0,1", "i0,0", 1))
    try:
        second = renew_edition(folder, track, "i0 shows no sky")
    finally:
        truth.write_text(TRUTH)
    assert second.number == first.number + 1
    assert second.truths["all"] != first.truths["all"]
    kept = folder.edition("photos", first.number) / "truth.csv"
    assert kept.read_text() == TRUTH


def test_measures_that_the_collection_cannot_serve_are_refused_before_any_run_is(
    folder: CampaignFolder, tmp_path: Path
) -> None:
    from dataclasses import replace

    track = folder.campaign.track("photos")
    other = CampaignFolder(folder.path)
    measures = replace(track, measures=("concept.AP", "OS"))
    other.__dict__["campaign"] = replace(folder.campaign, tracks=(measures,))
    with pytest.raises(FileError, match=r"track 'photos': OS needs costs; add it to .*collection"):
        renew_edition(other, Track.objects.get())


def test_an_item_stays_on_its_side_whatever_else_is_in_the_collection(
    folder: CampaignFolder,
) -> None:
    import cranfield as cf

    whole = cf.read_collection(folder.collection("photos"))
    part = whole.select(items=whole.items[10:])
    all_sides, some_sides = (divided(each, 0.5, folder.secret) for each in (whole, part))
    assert some_sides == {item: all_sides[item] for item in part.items}
    assert set(all_sides.values()) == {"public", "private"}
    assert divided(whole, 0.5, "another secret") != all_sides


def test_labels_of_test_items_among_the_downloads_are_refused_and_those_of_training_items_are_made(
    tmp_path: Path,
) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    (source / "truth.csv").write_text(TRUTH)
    splits = "".join(f"i{n},{'train' if n < 10 else 'test'}\n" for n in range(40))
    (source / "splits.csv").write_text(f"item,split\n{splits}")
    init(tmp_path / "new", collection=source)
    folder = CampaignFolder(tmp_path / "new")
    files = {path.name: path for path in folder.downloadable("photos")}
    assert sorted(files) == ["concepts.txt", "test-items.txt", "training-truth.csv"]
    assert len(files["training-truth.csv"].read_text().splitlines()) == 11
    tested = scoring.test_part(read_collection(folder.collection("photos")))
    assert files["test-items.txt"].read_text().split() == sorted(tested.items)
    require_no_hidden_labels(folder, "photos", tested)
    (folder.downloads("photos") / "all.csv").write_text(TRUTH)
    with pytest.raises(FileError, match="holds the labels of test items"):
        require_no_hidden_labels(folder, "photos", tested)
