"""Answers to crowd jobs: from the fields of a page to the same votes, and what screening finds."""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint
from test_crowd_forms import HOSTILE

import cranfield as cf
from cranfield.assessment.jobs import (
    Form,
    Job,
    Sample,
    deal,
    read_answers,
    read_job,
    screened,
    template_page,
    write_job,
    write_jobs,
)
from cranfield.assessment.jobs.screening import corrected, ratio, share

NAMES = list(HOSTILE)


class Fields(HTMLParser):
    """What a browser would find to hand in: the values that each field offers."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.offered: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "input" and said["type"] != "hidden":
            self.offered.setdefault(said["name"] or "", []).append(said["value"] or "")


def job_of(form: Form, items: list[str], **options: int) -> Job:
    addresses = {item: f"https://x.org/{n}.jpg" for n, item in enumerate(items)}
    return Job(form, deal(items, **options), addresses)


def results(folder: Path, answers: dict[str, list[dict[str, str]]], name: str = "batch1") -> Path:
    """A results file: what each worker handed in for each row of a batch, as MTurk writes it."""
    rows = list(csv.DictReader((folder / f"{name}.csv").open(newline="")))
    lines = [
        {
            "WorkerId": worker, "AssignmentId": f"A{worker}{n}", "WorkTimeInSeconds": "30",
            **{f"Input.{key}": value for key, value in row.items()},
            **{f"Answer.{key}": value for key, value in given[n].items()},
        }
        for worker, given in answers.items()
        for n, row in enumerate(rows)
    ]  # fmt: skip
    path = folder.parent / f"{name}_results.csv"
    with path.open("w", newline="") as file:
        keys = list(dict.fromkeys(key for line in lines for key in line))
        writer = csv.DictWriter(file, keys, quoting=csv.QUOTE_ALL, restval="")
        writer.writeheader()
        writer.writerows(lines)
    return path


def test_answers_to_all_fields_of_a_page_come_back_as_the_same_votes(tmp_path: Path) -> None:
    form = Form.of_ontology(cf.Ontology.load("pto2009"))
    items = [f"photo{n}" for n in range(6)]
    write_job(job_of(form, items), tmp_path / "job")
    asked = read_job(tmp_path / "job")
    offered = Fields((tmp_path / "job" / "template.html").read_text()).offered
    rng = np.random.default_rng(0)
    given: dict[str, list[dict[str, str]]] = {"ann": [], "bob": []}
    for pages in given.values():
        for _ in items:
            picked = {
                field: str(rng.choice(values))
                for field, values in offered.items()
                if len(values) > 1 or rng.random() < 0.3
            }
            picked.pop("Desert", None)  # nobody ever ticks it, so there is no such column
            pages.append(picked)
    votes = read_answers(asked, results(tmp_path / "job", given))
    assert votes.questions == form.questions
    assert len(votes) == 2 * 6 * len(form.questions)
    rows = list(csv.DictReader((tmp_path / "job" / "batch1.csv").open()))
    told = {(i, a, q): v for i, a, q, v in votes.frame.rows()}
    for worker, pages in given.items():
        for row, page in zip(rows, pages, strict=True):
            for question in form.questions:
                meant = page.get(question.name, "no")
                said = told[row["item"], worker, question.name]
                assert said == ("yes" if meant == "on" else meant)
    # What the form adds is only what the results cannot tell.
    plain = cf.Votes.read(tmp_path / "batch1_results.csv", item="item")
    assert "Desert" not in [question.name for question in plain.questions]
    assert set(map(tuple, plain.frame.rows())) <= set(map(tuple, votes.frame.rows()))


def test_hostile_names_come_back_unharmed(tmp_path: Path) -> None:
    half = len(NAMES) // 2
    form = Form.of_concepts(NAMES, {"Comment": NAMES[:half]})
    write_job(job_of(form, NAMES), tmp_path / "job")
    offered = Fields((tmp_path / "job" / "template.html").read_text()).offered
    choice = next(field for field, values in offered.items() if len(values) > 1)
    boxes = [field for field, values in offered.items() if values == ["on"]]
    assert len(boxes) == len(NAMES) - half
    # On the n-th page the n-th answer is chosen, and the n-th box ticked.
    pages = [
        {choice: offered[choice][n % half], boxes[n % len(boxes)]: "on"} for n in range(len(NAMES))
    ]
    votes = read_answers(read_job(tmp_path / "job"), results(tmp_path / "job", {"w": pages}))
    assert set(votes.items) == set(NAMES)
    assert {question.name for question in votes.questions} == {"Comment", *NAMES[half:]}
    yes = {(i, q if v == "yes" else v) for i, _, q, v in votes.frame.rows() if v != "no"}
    order = [item for page in deal(NAMES)[0] for item in page]
    assert yes == {
        pair
        for n, item in enumerate(order)
        for pair in ((item, NAMES[n % half]), (item, NAMES[half:][n % len(boxes)]))
    }


def test_a_template_asks_mechanical_turk_for_nothing_but_the_item() -> None:
    form = Form.of_concepts(NAMES, {"${item}": NAMES[:9]}).worded(
        title="${a}", descriptions=dict.fromkeys(NAMES, "${b} ]]>"), instructions=["${c}"]
    )
    for per_hit in (1, 2):
        page = template_page(form, per_hit=per_hit)
        asked = {part.partition("}")[0] for part in page.split("${")[1:]}
        numbers = [""] if per_hit == 1 else ["1", "2"]
        assert asked == {f"{name}{n}" for name in ("item", "image_url") for n in numbers}
        assert "<script>window" not in page
        assert "]]>" not in page  # the API takes pages in CDATA


def test_several_items_on_a_page_are_told_apart_and_share_its_time(tmp_path: Path) -> None:
    form = Form.of_concepts(["Sky", "Day", "Night"], {"Time": ["Day", "Night"]})
    write_job(job_of(form, ["a", "b", "c", "d", "e"], per_hit=2), tmp_path / "job")
    rows = list(csv.DictReader((tmp_path / "job" / "batch1.csv").open()))
    assert list(rows[0]) == ["item1", "image_url1", "item2", "image_url2"]
    page = {"1_Time": "Day", "2_Time": "Night", "2_Sky": "on"}
    path = results(tmp_path / "job", {"w": [page] * 3})
    votes = read_answers(read_job(tmp_path / "job"), path)
    told = {(i, q): v for i, _, q, v in votes.frame.rows()}
    for row in rows[:2]:
        assert (told[row["item1"], "Time"], told[row["item1"], "Sky"]) == ("Day", "no")
        assert (told[row["item2"], "Time"], told[row["item2"], "Sky"]) == ("Night", "yes")
    assert len(votes) == 10
    assert set(votes.sheets.seconds.tolist()) == {15.0}
    assert "1 item seen twice by the same person in a batch; the first answers count" in votes.notes


def test_answers_to_another_job_are_refused_and_strange_ones_left_out(tmp_path: Path) -> None:
    write_job(job_of(Form.of_concepts(["Sky"]), ["a"]), tmp_path / "job")
    asked = read_job(tmp_path / "job")
    with pytest.raises(cf.FileError, match="none of the answers is to this job"):
        read_answers(asked, results(tmp_path / "job", {"w": [{"Sea": "on"}]}))
    votes = read_answers(asked, results(tmp_path / "job", {"w": [{"Sea": "on", "Sky": "on"}]}))
    assert votes.frame.rows() == [("a", "w", "Sky", "yes")]
    assert any("left out answers to 'Sea'" in note for note in votes.notes)
    write_job(job_of(Form.of_concepts("xy", {"g": "xy"}), ["a"]), tmp_path / "two")
    two = results(tmp_path / "two", {"w": [{"g": "z"}], "v": [{"g": "x"}]})
    with pytest.raises(
        cf.FileError, match=r"results.csv:2: 'w' on item 'a', 'g' is 'z', but it is"
    ):
        read_answers(read_job(tmp_path / "two"), two)
    sound = read_answers(read_job(tmp_path / "two"), two, keep_going=True)
    assert sound.frame.rows() == [("a", "v", "g", "x")]
    assert [error.line for error in sound.problems] == [2]


def test_one_foreign_answer_to_a_box_does_not_undo_the_others(tmp_path: Path) -> None:
    write_job(job_of(Form.of_concepts(["Sky"]), ["a"]), tmp_path / "job")
    path = results(tmp_path / "job", {"u": [{"Sky": "on"}], "v": [{"Sky": "onn"}]})
    votes = read_answers(read_job(tmp_path / "job"), path, keep_going=True)
    assert votes.frame.rows() == [("a", "u", "Sky", "yes")]
    assert [error.line for error in votes.problems] == [3]


def test_batches_are_told_apart_and_broken_lines_left_out(tmp_path: Path) -> None:
    job = job_of(Form.of_concepts(["Sky"]), ["a", "b"], batches=2, copies=2)
    write_job(job, tmp_path / "job")
    pages = [{"Sky": "on"}, {"Sky": "", "comment": "grey"}]
    files = [results(tmp_path / "job", {"w": pages}, name) for name in ("batch1", "batch2")]
    with files[1].open("a") as file:
        file.write('"cut off"\n')
    with pytest.raises(cf.InputError, match=r"batch2_results\.csv:4"):
        read_answers(read_job(tmp_path / "job"), *files)
    votes = read_answers(read_job(tmp_path / "job"), *files, keep_going=True)
    assert votes.batches == ("batch1_results", "batch2_results")
    assert len(votes) == 4
    assert len(votes.problems) == 1
    assert sorted(votes.sheets.comments) == ["", "", "grey", "grey"]


# ── folders ───────────────────────────────────────────────────────────────────────────────────


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    job = job_of(Form.of_concepts(["Sky"]), ["a"])
    write_job(job, tmp_path / "job", preview=True)
    assert sorted(one.name for one in (tmp_path / "job").iterdir()) == [
        "batch1.csv", "job.json", "preview.html", "template.html"
    ]  # fmt: skip
    with pytest.raises(cf.FileError, match="is there already"):
        write_job(job, tmp_path / "job")
    with pytest.raises(cf.FileError, match="is there already"):
        write_jobs({"x": job}, tmp_path / "job")
    with pytest.raises(cf.InputError, match="no address of an image is known of 'b'"):
        Job(job.form, deal("ab"), {"a": "https://x.org/a"})


def test_several_jobs_lie_in_folders_that_any_system_takes(tmp_path: Path) -> None:
    job = job_of(Form.of_concepts(["Sky"]), ["a"])
    names = ["Sky", "sky", "../up", "a/b", "", "x" * 300]
    written = write_jobs(dict.fromkeys(names, job), tmp_path / "jobs")
    assert len(set(map(str, written))) == 6
    assert all(one.parent == tmp_path / "jobs" for one in written)
    assert all(read_job(one).form.questions == job.form.questions for one in written)
    with pytest.raises(cf.FileError, match="there are several jobs in it; name one"):
        read_job(tmp_path / "jobs")
    with pytest.raises(cf.FileError, match=r"there is no job\.json in it"):
        read_job(tmp_path)


@pytest.mark.parametrize(
    "broken", ["", "[", "[]", '{"form": 1}', '{"form": {"sections": []}, "per_hit": 1}']
)
def test_a_broken_job_is_told(tmp_path: Path, broken: str) -> None:
    (tmp_path / "job.json").write_text(broken)
    with pytest.raises(cf.FileError, match=r"not what a job was written with|empty"):
        read_job(tmp_path)


# ── screening ─────────────────────────────────────────────────────────────────────────────────


def annotated(truly: np.ndarray, said: np.ndarray) -> tuple[cf.Truth, dict[str, bool]]:
    items = [f"i{n:04}" for n in range(len(truly))]
    return cf.Truth(said[:, None], items=items, concepts=["Sky"]), dict(
        zip(items, truly.tolist(), strict=True)
    )


def votes_on(sample: Sample, truly: dict[str, bool]) -> cf.Votes:
    items = list(sample.items)
    return cf.Votes.from_array(
        np.array([truly[item] for item in items])[:, None, None], items=items, concepts=["Sky"]
    )


def test_screening_everything_finds_precision_and_recall_exactly() -> None:
    rng = np.random.default_rng(1)
    truly = rng.random(200) < 0.3
    said = truly ^ (rng.random(200) < 0.1)
    truth, real = annotated(truly, said)
    sample = Sample.draw(truth, "Sky", annotated=200, others=200)
    found = screened(sample, votes_on(sample, real))
    hits = (truly & said).sum()
    assert found.precision == pytest.approx((hits / said.sum(),) * 3)
    assert found.recall == pytest.approx((hits / truly.sum(),) * 3)
    assert found.prevalence == pytest.approx((truly.mean(),) * 3)
    assert len(found.wrong) == (said & ~truly).sum()
    assert len(found.missing) == (truly & ~said).sum()
    assert (corrected(truth, found).labels[:, 0] == truly).all()


def test_the_sample_does_not_tell_both_kinds_apart_and_is_drawn_again_alike() -> None:
    said = np.arange(100) < 40
    truth, _ = annotated(said, said)
    sample = Sample.draw(truth, "Sky", annotated=10, others=20, seed=3)
    assert (len(sample.annotated), len(sample.others)) == (10, 20)
    assert (sample.annotated_of, sample.others_of) == (40, 60)
    assert list(sample.items) == sorted(sample.items)
    assert (
        Sample.draw(truth.part(range(99, -1, -1)), "Sky", annotated=10, others=20, seed=3) == sample
    )


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    truly = rng.random(4000) < 0.2
    said = np.where(truly, rng.random(4000) < 0.8, rng.random(4000) < 0.03)
    truth, real = annotated(truly, said)
    hits = (truly & said).sum()
    right = {
        "precision": hits / said.sum(),
        "recall": hits / truly.sum(),
        "prevalence": truly.mean(),
    }
    inside = dict.fromkeys(right, 0)
    for seed in range(200):
        sample = Sample.draw(truth, "Sky", annotated=60, others=150, seed=seed)
        found = screened(sample, votes_on(sample, real))
        for name, value in right.items():
            _, low, high = getattr(found, name)
            inside[name] += low <= value <= high
    # 200 draws: 0.95 ± three standard errors of 0.015.
    assert all(0.90 <= count / 200 <= 0.995 for count in inside.values()), inside


def test_even_splits_and_missing_answers_are_undecided() -> None:
    truth, _ = annotated(np.array([1, 1, 0], dtype=bool), np.array([1, 1, 0], dtype=bool))
    sample = Sample.draw(truth, "Sky", annotated=2, others=1)
    votes = cf.Votes.from_columns(
        ["i0000", "i0000", "i0001"],
        ["a", "b", "a"],
        ["Sky"] * 3,
        [1, 0, 1],
        kinds={"Sky": "yes_no"},
    )
    found = screened(sample, votes)
    assert found.undecided == ("i0000", "i0002")
    assert found.screened == 1
    assert np.isnan(found.recall.value)  # none of those not annotated was answered


def test_screening_tells_what_it_cannot_do() -> None:
    truth, _ = annotated(np.ones(3, dtype=bool), np.ones(3, dtype=bool))
    with pytest.raises(cf.InputError, match="does not tell of 'Sea'"):
        Sample.draw(truth, "Sea", annotated=1, others=1)
    with pytest.raises(cf.InputError, match="nothing to screen"):
        Sample.draw(truth, "Sky", annotated=0, others=5)


def test_shares_have_wilsons_limits() -> None:
    for found, drawn in ((0, 10), (3, 10), (10, 10), (57, 200)):
        low, high = proportion_confint(found, drawn, method="wilson")
        assert share(found, drawn, 10**12) == pytest.approx((found / drawn, low, high), abs=1e-9)


def test_ratios_have_sensible_limits_at_the_edges() -> None:
    some, none = share(30, 100, 10**9), share(0, 100, 10**9)
    assert ratio(some, some).low < 1 < ratio(some, some).high
    assert ratio(none, some).low == ratio(none, some).value == 0 < ratio(none, some).high
    assert ratio(some, none).high == np.inf
    assert np.isnan(ratio(none, none).value)
    assert json.dumps(ratio(some, some))
