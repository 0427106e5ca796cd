"""Label Studio's JSON as votes: every control, every way in which an export is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf


def result(name: str, form: str, value: Any) -> dict[str, Any]:
    key = {"pairwise": "selected", "textarea": "text"}.get(form, form)
    return {
        "id": "x1", "from_name": name, "to_name": "image", "type": form, "origin": "manual",
        "value": {key: value},
    }  # fmt: skip


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 7, "completed_by": who, "result": list(results), "was_cancelled": False,
        "ground_truth": False, "created_at": "2024-05-01T10:00:00.513742Z", "lead_time": 4.288,
        "draft_created_at": None, "prediction": {}, "result_count": 0, **more,
    }  # fmt: skip


def task(number: int, *annotations: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": number, "annotations": list(annotations), "file_upload": "p.jpg", "drafts": [],
        "predictions": [], "data": {"image": f"/data/upload/{number}.jpg"}, "meta": {}, **more,
    }  # fmt: skip


def read(path: Path, tasks: Any, **options: Any) -> cf.Votes:
    file = path / "export.json"
    file.write_text(json.dumps(tasks, indent=1))
    return cf.Votes.read(file, **options)


def rows(votes: cf.Votes) -> list[tuple[str, ...]]:
    return sorted(votes.frame.rows())


def test_choices_of_which_all_took_one_are_a_choice(tmp_path: Path) -> None:
    tasks = [
        task(1, annotation(3, result("season", "choices", ["Summer"]))),
        task(2, annotation({"id": 4, "email": "a@b.c"}, result("season", "choices", ["Winter"]))),
    ]
    votes = read(tmp_path, tasks)
    assert rows(votes) == [("1", "3", "season", "Summer"), ("2", "a@b.c", "season", "Winter")]
    assert votes.questions[0].kind == "choice"
    assert votes.sheets.seconds.tolist() == [4.288, 4.288]
    assert str(votes.sheets.submitted[0]) == "2024-05-01T10:00:00"
    assert votes.sheets.assignments == ("7", "7")


def test_who_is_named_by_number_and_by_address_is_one_person(tmp_path: Path) -> None:
    people = [4, {"id": 4, "email": "a@b.c"}, {"id": 5}, 5]
    said = result("s", "choices", ["a"])
    votes = read(tmp_path, [task(n, annotation(who, said)) for n, who in enumerate(people)])
    assert [row[1] for row in rows(votes)] == ["a@b.c", "a@b.c", "5", "5"]


def test_where_somebody_took_several_choices_each_is_a_box(tmp_path: Path) -> None:
    tasks = [
        task(1, annotation(3, result("sees", "choices", ["Sky", "Sea"]))),
        task(2, annotation(3, result("sees", "choices", ["Sky"])), annotation(4)),
        task(3, annotation(3, result("sees", "choices", []))),
    ]
    assert rows(read(tmp_path, tasks)) == [
        ("1", "3", "Sea", "yes"),
        ("1", "3", "Sky", "yes"),
        ("2", "3", "Sea", "no"),
        ("2", "3", "Sky", "yes"),
        ("3", "3", "Sea", "no"),
        ("3", "3", "Sky", "no"),
    ]
    assert ("2", "4", "Sky", "no") in rows(read(tmp_path, tasks, absent="no"))


def test_a_few_sheets_that_make_boxes_of_a_choice_are_told(tmp_path: Path) -> None:
    one, two = result("s", "choices", ["a"]), result("s", "choices", ["a", "b"])
    votes = read(tmp_path, [task(n, annotation(3, two if n == 2 else one)) for n in range(3)])
    assert votes.notes[0].endswith(
        "'s' has several answers, or none, in 1 of 3 annotations: read as boxes"
    )
    assert read(tmp_path, [task(1, annotation(3, two))]).notes == ()


def test_every_other_control(tmp_path: Path) -> None:
    votes = read(
        tmp_path,
        [
            task(
                1,
                annotation(
                    3,
                    result("sharp", "choices", ["Yes"]),
                    result("beauty", "rating", 4),
                    result("people", "number", 2.0),
                    result("kind", "taxonomy", [["Animal", "Dog"]]),
                    result("object", "rectanglelabels", ["Car"]),
                    result("object", "rectanglelabels", ["Car"]),
                    result("which", "pairwise", "left"),
                    result("why", "textarea", ["dark", "too dark"]),
                    {"type": "relation", "from_id": "x1", "to_id": "x2", "direction": "right"},
                    result("box", "rectangle", 3),
                ),
            )
        ],
    )
    assert rows(votes) == [
        ("1", "3", "Car", "yes"),
        ("1", "3", "beauty", "4"),
        ("1", "3", "kind", "Animal/Dog"),
        ("1", "3", "people", "2"),
        ("1", "3", "sharp", "yes"),
        ("1", "3", "which", "left"),
    ]
    kinds = {one.name: one.kind for one in votes.questions}
    assert (kinds["sharp"], kinds["beauty"], kinds["which"]) == ("yes_no", "grade", "choice")
    assert votes.sheets.comments == ("dark\ntoo dark",)
    assert votes.notes[0].endswith("left out results of type rectangle")


def test_a_field_of_the_data_can_name_the_item(tmp_path: Path) -> None:
    tasks = [task(1, annotation(3, result("s", "choices", ["a"])))]
    assert read(tmp_path, tasks, item="image").items == ("/data/upload/1.jpg",)
    with pytest.raises(cf.FileError, match=r"task 1 \(id 1\): no 'photo' in its data"):
        read(tmp_path, tasks, item="photo")


def test_old_exports_say_completions_and_skipped_ones_are_counted(tmp_path: Path) -> None:
    old = task(1)
    del old["annotations"]
    old["completions"] = [annotation(3, result("s", "choices", ["a"]))]
    votes = read(tmp_path, [old, task(2, annotation(4, was_cancelled=True))])
    assert len(votes) == 1
    assert "1 annotation skipped by their annotators" in votes.notes[0]


def test_boxes_of_two_questions_with_one_name_are_told_apart(tmp_path: Path) -> None:
    both = [result("top", "choices", ["red", "blue"]), result("bottom", "choices", ["red", "x"])]
    votes = read(tmp_path, [task(1, annotation(3, *both))])
    assert sorted(votes.concepts) == ["blue", "bottom: red", "red", "x"]


BROKEN = [
    task(1, annotation(3, result("s", "choices", ["a"]))),
    "task",
    {"id": 3, "data": {}},
    {"data": {}, "annotations": []},
    task(5, "annotation", annotation(None, result("s", "choices", ["a"])), annotation(3)),
    task(6, annotation(3, "result", {"type": "choices"}, result("s", "choices", [None]))),
    task(7, annotation(3, result("r", "rating", 2.5), result("r2", "rating", True))),
    task(8, annotation(4, result("s", "choices", ["b"]), lead_time="soon", created_at="then")),
    task(1, annotation(3, result("s", "choices", ["b"]))),
    task(10, annotation(3, result("s", "choices", ["b"]), result="all")),
]


def test_a_half_broken_export_is_told_record_by_record_and_the_rest_is_used(
    tmp_path: Path,
) -> None:
    with pytest.raises(cf.InputError) as raised:
        read(tmp_path, BROKEN)
    file = tmp_path / "export.json"
    told = [line.removeprefix(f"{file}: ") for line in str(raised.value).splitlines()]
    assert told[0].startswith("14 problems in votes")
    assert [line.split(": ")[0] for line in told[1:]] == [
        "task 2",
        "task 3 (id 3)",
        "task 4",
        "task 5 (id 5), annotation 1",
        "task 5 (id 5), annotation 2",
        "task 6 (id 6), annotation 1, result 1",
        "task 6 (id 6), annotation 1, result 2",
        "task 6 (id 6), annotation 1, result 3",
        "task 7 (id 7), annotation 1, result 1",
        "task 7 (id 7), annotation 1, result 2",
        "task 10 (id 10), annotation 1",
        "task 9",
        "task 8",
        "task 8",
    ]
    assert "'3' on item '1', 's' is 'b' here and 'a' in task 1" in told[12]
    votes = read(tmp_path, BROKEN, keep_going=True)
    assert rows(votes) == [("1", "3", "s", "a"), ("8", "4", "s", "b")]
    assert len(votes.problems) == 14


def test_an_annotation_that_is_broken_in_part_is_no_no(tmp_path: Path) -> None:
    broken = result("sees", "choices", ["Sky", None])
    tasks = [
        task(1, annotation(3, result("sees", "choices", ["Sky", "Sea"])), annotation(4, broken)),
        task(2, annotation(4, result("sees", "choices", ["Sea"]), broken), annotation(5)),
    ]
    said = [("1", "3", "Sea", "yes"), ("1", "3", "Sky", "yes")]
    assert rows(read(tmp_path, tasks, keep_going=True)) == said
    silent = [("2", "5", "Sea", "no"), ("2", "5", "Sky", "no")]
    assert rows(read(tmp_path, tasks, keep_going=True, absent="no")) == said + silent


def test_json_that_breaks_off_gives_what_stands_before(tmp_path: Path) -> None:
    tasks = [task(n, annotation(3, result("s", "choices", ["ab"[n % 2]]))) for n in range(5000)]
    file = tmp_path / "export.json"
    text = json.dumps(tasks)
    file.write_text(text[: len(text) // 2])
    with pytest.raises(cf.FileError, match="the JSON text ends too early"):
        cf.Votes.read(file)
    assert 2400 < len(cf.Votes.read(file, keep_going=True)) < 2600


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"tasks": []}', "this is no list of tasks"),
        ("[]", "there are no votes"),
        ('[{"id": 1, "image": "a", "sky": "yes", "annotator": 3}]', "not JSON-MIN"),
        ("[1 2]", "this is not JSON"),
    ],
)
def test_json_without_votes_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "export.json").write_text(text)
    with pytest.raises(cf.FileError, match=why):
        cf.Votes.read(tmp_path / "export.json")
