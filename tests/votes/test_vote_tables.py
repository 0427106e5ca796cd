"""Tables of votes: long CSV and TSV, and single choices."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.votes import Question

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str, name: str = "votes.csv") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def rows(votes: cf.Votes) -> list[tuple[str, ...]]:
    return sorted(votes.frame.rows())


def test_a_long_table_holds_votes_of_every_kind(write: Write) -> None:
    votes = cf.Votes.read(
        write(
            "item,annotator,concept,value\n"
            "a,ann,Sky,1\na,bob,Sky,no\na,ann,Season,Summer\na,bob,Beauty,3\na,ann,Sea,\n"
        )
    )
    assert [(one.name, one.kind) for one in votes.questions] == [
        ("Sky", "yes_no"),
        ("Season", "choice"),
        ("Beauty", "grade"),
    ]
    assert rows(votes) == [
        ("a", "ann", "Season", "Summer"),
        ("a", "ann", "Sky", "yes"),
        ("a", "bob", "Beauty", "3"),
        ("a", "bob", "Sky", "no"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "value,concept,annotator,item",
        "Answer,Question,Worker ID,image_name",
        "label,tag,WorkerId,task",
        "rating,category,rater,document_id",
    ],
)
def test_columns_stand_in_any_order_under_many_names(write: Write, header: str) -> None:
    votes = cf.Votes.read(write(f"{header}\n1,Sky,ann,a\n0,Sky,bob,a\n"))
    assert rows(votes) == [("a", "ann", "Sky", "yes"), ("a", "bob", "Sky", "no")]


@pytest.mark.parametrize("header", ["item,annotator,breed", "task\tworker\tbreed"])
def test_a_third_column_alone_is_one_choice_that_it_names(write: Write, header: str) -> None:
    sign = "\t" if "\t" in header else ","
    lines = [header, sign.join("a1p"), sign.join("a20"), sign.join("b1q")]
    votes = cf.Votes.read(write("\n".join(lines)))
    assert votes.questions == (Question("breed", "choice", ("0", "p", "q")),)
    assert votes.concepts == ("0", "p", "q")


def test_labels_of_a_single_choice_stay_labels_even_if_they_are_numbers(write: Write) -> None:
    votes = cf.Votes.read(write("item,worker,label\n0,0,1\n0,1,0\n"))
    assert votes.questions == (Question("label", "choice", ("0", "1")),)


def test_what_stands_beside_the_votes_belongs_to_sheets(write: Write) -> None:
    votes = cf.Votes.read(
        write(
            "item,annotator,concept,value,batch,seconds,submitted,comment,colour\n"
            'a,ann,Sky,1,one,12.5,2011-03-01T12:00:00+01:00,"dark,\n""too""",x\n'
            "a,ann,Sea,1,one,,,,x\n"
            "a,ann,Sky,0,two,3,2011-03-02,,x\n"
        )
    )
    assert votes.batches == ("one", "two")
    sheets = votes.sheets
    assert sheets.seconds.tolist() == [12.5, 3]
    assert [str(one) for one in sheets.submitted] == ["2011-03-01T11:00:00", "2011-03-02T00:00:00"]
    assert sheets.comments == ('dark,\n"too"', "")
    assert votes.notes[0].endswith("votes.csv: ignored 'colour'")


def test_several_files_are_several_batches_unless_told_otherwise(write: Write) -> None:
    files = [
        write("item,annotator,concept,value\na,ann,Sky,1\n", "first.csv"),
        write("item,annotator,concept,value\na,ann,Sky,0\nb,ann,Sky,0\n", "second.csv"),
    ]
    votes = cf.Votes.read(*files)
    assert votes.batches == ("first", "second")
    assert len(votes) == 3
    with pytest.raises(cf.InputError, match=r"second.csv:2: .*'0' here and '1' in .*first.csv, on"):
        cf.Votes.read(*files, batches=False)


def test_files_of_one_name_are_batches_by_their_folders(write: Write, tmp_path: Path) -> None:
    for folder in ("d1", "d2"):
        (tmp_path / folder).mkdir()
    text = "item,annotator,concept,value\na,ann,Sky,1\n"
    names = ("d1/votes.csv", "d2/votes.csv.gz", "d2/more.csv")
    files = [write(text, name.removesuffix(".gz")) for name in names]
    packed = files[1].with_name("votes.csv.gz")
    packed.write_bytes(gzip.compress(text.replace(",1", ",0").encode()))
    votes = cf.Votes.read(files[0], packed, files[2])
    assert votes.batches == ("d1/votes", "d2/votes", "d2/more")
    assert cf.Votes.read(packed, files[1]).batches == ("votes.csv.gz", "votes.csv")
    assert cf.Votes.read(files[0], files[0]).batches == ("votes",)


def test_who_does_not_mention_a_concept_said_no_if_only_ticks_are_listed(write: Write) -> None:
    path = write("item,annotator,concept\na,ann,Sky\na,ann,Sea\na,bob,Sky\nb,ann,\n")
    votes = cf.Votes.read(path, absent="no")
    assert rows(votes) == [
        ("a", "ann", "Sea", "yes"),
        ("a", "ann", "Sky", "yes"),
        ("a", "bob", "Sea", "no"),
        ("a", "bob", "Sky", "yes"),
        ("b", "ann", "Sea", "no"),
        ("b", "ann", "Sky", "no"),
    ]


def test_a_long_table_of_ticks_leaves_choices_and_grades_alone(write: Write) -> None:
    path = write("item,annotator,concept,value\na,ann,Sky,1\na,bob,Season,Summer\na,bob,Beauty,3\n")
    votes = cf.Votes.read(path, absent="no")
    assert ("a", "bob", "Sky", "no") in rows(votes)
    assert len(votes) == 4


@pytest.mark.parametrize("broken", ["a,bob,Sky,1,9", "a,bob,,1", "a,bob,Sky,\udce4", "a,bob"])
def test_silence_on_a_sheet_with_a_broken_line_is_no_no(tmp_path: Path, broken: str) -> None:
    text = f"item,annotator,concept,value\na,ann,Sky,1\n{broken}\na,bob,Sea,1\nb,bob,Sea,1\n"
    (tmp_path / "votes.csv").write_bytes(text.encode(errors="surrogateescape"))
    votes = cf.Votes.read(tmp_path / "votes.csv", absent="no", keep_going=True)
    assert ("a", "bob", "Sky", "no") not in rows(votes)
    assert ("a", "bob", "Sea", "yes") in rows(votes)
    assert ("b", "bob", "Sky", "no") in rows(votes)


# ── what is wrong ─────────────────────────────────────────────────────────────────────────────


def test_every_problem_is_told_with_its_line(write: Write) -> None:
    path = write(
        "item,annotator,concept,value\n"
        "a,ann,Sky,1\n"
        ",ann,Sky,1\n"
        "a,,Sky,1\n"
        "a,ann,,1\n"
        "a,ann,Sky\n"
        'a,"bob"x,Sky,1\n'
        "a,ann,Sky,no\n"
        "b,ann,Sky,1\n"
    )
    with pytest.raises(cf.InputError) as raised:
        cf.Votes.read(path)
    told = str(raised.value).splitlines()
    assert told[0] == "6 problems in votes:"
    assert told[-1].endswith("; mend them, or give keep_going=True to use what is sound")
    assert [line.removeprefix(f"{path}:").split(";")[0] for line in told[1:]] == [
        "3: field 1 is empty",
        "4: the annotator is missing",
        "5: the concept is missing",
        "6: the line has 3 fields",
        "7: a double quote stands alone or where none may be",
        "8: 'ann' on item 'a', 'Sky' is 'no' here and '1' on line 2",
    ]
    votes = cf.Votes.read(path, keep_going=True)
    assert rows(votes) == [("a", "ann", "Sky", "yes"), ("b", "ann", "Sky", "yes")]
    assert [error.line for error in votes.problems] == [3, 4, 5, 6, 7, 8]


def test_of_many_problems_twenty_are_told_and_all_are_counted(write: Write) -> None:
    path = write("item,annotator,concept,value\na,ann,Sky,1\n" + "a,,Sky,1\n" * 50)
    with pytest.raises(cf.InputError, match=r"^50 problems") as raised:
        cf.Votes.read(path)
    assert str(raised.value).splitlines()[-1].startswith("… and 30 more; mend them, or give")
    assert len(str(raised.value).splitlines()) == 22


def test_the_same_vote_twice_counts_once_and_is_noted(write: Write) -> None:
    votes = cf.Votes.read(write("item,annotator,concept,value\na,x,Sky,1\na,x,Sky,yes\n"))
    assert len(votes) == 1
    assert votes.notes == ("1 vote cast again with the same answer; each counts once",)


def test_times_that_are_none_are_told(write: Write) -> None:
    path = write(
        "item,annotator,concept,value,seconds,submitted\na,x,Sky,1,long,\na,y,Sky,1,-3,then\n"
    )
    votes = cf.Votes.read(path, keep_going=True)
    assert [error.line for error in votes.problems] == [2, 3, 3]
    assert np.isnan(votes.sheets.seconds).all()
    assert len(votes) == 2


def test_a_kind_can_be_insisted_on(write: Write) -> None:
    path = write("item,annotator,concept,value\na,x,Sky,1\na,y,Sky,maybe\na,z,Sky,\n")
    assert cf.Votes.read(path).questions[0].kind == "choice"
    with pytest.raises(cf.FileError, match=r"csv:3: .* is 'maybe', but it is a yes/no question"):
        cf.Votes.read(path, kinds={"Sky": "yes_no"})
    assert len(cf.Votes.read(path, kinds={"Sky": "yes_no"}, keep_going=True)) == 1


@pytest.mark.parametrize(("usual", "slip"), [("1", "yess"), ("0", "1e0"), ("4", "four")])
def test_a_slip_of_the_pen_does_not_make_a_choice(write: Write, usual: str, slip: str) -> None:
    lines = [f"i{n},ann,Sky,{usual}\n" for n in range(19)]
    path = write("item,annotator,concept,value\n" + "".join(lines) + f"x,ann,Sky,{slip}\n")
    with pytest.raises(cf.FileError, match=rf"csv:21: 'ann' on item 'x', 'Sky' is '{slip}', but"):
        cf.Votes.read(path)
    votes = cf.Votes.read(path, keep_going=True)
    assert (len(votes), votes.questions[0].kind) == (19, "grade" if usual == "4" else "yes_no")
    insisted = cf.Votes.read(path, kinds={"Sky": "choice"})
    insisted.write(path.with_name("again.csv"))
    assert rows(cf.Votes.read(path.with_name("again.csv"))) == rows(insisted)


def test_rare_grades_beyond_one_are_grades(write: Write) -> None:
    lines = [f"i{n},ann,Beauty,{n % 2}\n" for n in range(30)]
    votes = cf.Votes.read(write("item,annotator,concept,value\nx,ann,Beauty,3\n" + "".join(lines)))
    assert (len(votes), votes.questions[0].answers) == (31, ("0", "1", "3"))


def test_answers_of_which_most_are_yes_or_no_are_noted(write: Write) -> None:
    votes = cf.Votes.read(
        write(
            "item,annotator,concept,value\n" + "".join(f"{n},x,Sky,{n}\n" for n in ("1", "no", "?"))
        )
    )
    assert votes.questions[0].kind == "choice"
    assert "'Sky' is read as a choice, though 2 of 3 answers are yes or no" in votes.notes[0]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("item,concept,value\na,Sky,1\n", "votes have item,annotator,concept,value"),
        ("item,annotator,concept,season\na,x,Sky,p\n", "votes have item,annotator,concept,value"),
        ("item,annotator,label,label\na,x,p,q\n", "two columns are called 'label'"),
        ("item,item,annotator,label\na,b,x,p\n", "two columns are called 'item'"),
        ("WorkerId,Input.i,Answer.S,Answer.S\nw,a,x,y\n", "two columns are called 'Answer.S'"),
        (
            "id,image,annotator,annotation_id,tags,created_at,lead_time\n1,a,1,1,Sky,,1\n",
            "export the project as JSON",
        ),
        ("item;annotator;label\na;x;p\n", "if semicolons separate the columns"),
        ("item,annotator,concept,value\n", "there are no lines with values"),
        ("item,annotator,concept,value\na,x,Sky,\n", "there are no votes"),
        ("item,annotator,concept,value\na,,Sky,1\n", "the annotator is missing"),
    ],
)
def test_a_file_without_votes_is_refused(write: Write, text: str, why: str) -> None:
    for keep_going in (False, True):
        with pytest.raises(cf.FileError, match=why):
            cf.Votes.read(write(text), keep_going=keep_going)


def test_what_is_not_utf8_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(b"item,annotator,concept,value\na,x,Sky,1\n\xe4,x,Sky,1\n")
    votes = cf.Votes.read(path, keep_going=True)
    assert votes.items == ("a",)
    assert "is not UTF-8" in str(votes.problems[0])


def test_a_broken_archive_gives_what_stands_before_the_break(tmp_path: Path) -> None:
    lines = [f"i{n},a{n % 7},Sky,{n % 2}\n" for n in range(200_000)]
    packed = gzip.compress(("item,annotator,concept,value\n" + "".join(lines)).encode())
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    with pytest.raises(cf.FileError, match="gzip archive ends too early"):
        cf.Votes.read(path)
    assert 50_000 < len(cf.Votes.read(path, keep_going=True)) < 200_000


# ── writing ───────────────────────────────────────────────────────────────────────────────────


def assert_same(one: cf.Votes, other: cf.Votes) -> None:
    names = ["item", "annotator", "question"] + ["batch"] * (len(one.batches) > 1)
    assert one.frame.sort(names).equals(other.frame.sort(names))
    questions = {question.name: question for question in one.questions}
    assert questions == {question.name: question for question in other.questions}
    assert facts(one) == facts(other)


def facts(votes: cf.Votes) -> list[tuple[str, ...]]:
    sheets = votes.sheets
    return sorted(
        (
            votes.items[sheets.item[n]],
            votes.annotators[sheets.annotator[n]],
            votes.batches[sheets.batch[n]],
            str(sheets.seconds[n]),
            str(sheets.submitted[n]),
            sheets.comments[n],
            sheets.assignments[n],
        )
        for n in range(len(sheets))
    )


@pytest.mark.parametrize("name", ["again.csv", "again.tsv", "again.csv.gz"])
def test_what_is_written_reads_back(write: Write, tmp_path: Path, name: str) -> None:
    votes = cf.Votes.read(
        write(
            "# question: Beauty,grade,0,1,2,3\n"
            "# question: Where,choice,here,none,there\n"
            "# question: Unasked,yes_no\n"
            "item,annotator,concept,value,batch,seconds,submitted,comment,assignment\n"
            'a,ann,"Sky, blue",1,one,12.5,2011-03-01T12:00:00,"dark,\n""too""",X1\n'
            "a,ann,Beauty,1,one,,,,\n"
            'a,bob,Where,none,two,7,,"tab\there",\n'
            '" b ",bob,,,two,9,,nothing to say,X2\n'
        )
    )
    assert (len(votes), len(votes.sheets)) == (3, 3)
    votes.write(tmp_path / name)
    assert_same(cf.Votes.read(tmp_path / name), votes)


def test_a_single_choice_reads_back(write: Write, tmp_path: Path) -> None:
    votes = cf.Votes.read(write("task,worker,breed\na,x,p\nb,x,q\na,y,p\n"))
    votes.write(tmp_path / "again.csv", format="choices")
    assert (tmp_path / "again.csv").read_text() == "item,annotator,breed\na,x,p\na,y,p\nb,x,q\n"
    assert_same(cf.Votes.read(tmp_path / "again.csv"), votes)
    votes.write(tmp_path / "long.csv")
    assert_same(cf.Votes.read(tmp_path / "long.csv"), votes)


def test_only_one_choice_fits_a_file_of_choices(write: Write, tmp_path: Path) -> None:
    votes = cf.Votes.read(write("item,annotator,concept,value\na,x,Sky,1\n"))
    with pytest.raises(cf.InputError, match="holds one choice question"):
        votes.write(tmp_path / "again.csv", format="choices")


def test_quoted_tables_give_the_same_votes_as_plain_ones(write: Write) -> None:
    table = [["item", "annotator", "concept", "value"]]
    draw = np.random.default_rng(5)
    table += [
        [f"i{i}", f"a{a}", f"C{c}", str(draw.integers(2))]
        for i in range(40)
        for a in range(5)
        for c in range(3)
    ]
    plain = write("".join(",".join(row) + "\n" for row in table))
    quoted = write("".join(",".join(f'"{x}"' for x in row) + "\n\n" for row in table), "q.csv")
    spaced = write("".join(" , ".join(row) + " \n" for row in table), "s.csv")
    mixed = write(plain.read_text().replace("i7,", '"i7",'), "m.csv")
    for other in (quoted, spaced, mixed):
        assert cf.Votes.read(other).frame.equals(cf.Votes.read(plain).frame)
