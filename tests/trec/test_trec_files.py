"""TREC runs and judgements: what they mean, how they are recognised, and what may be wrong."""

from __future__ import annotations

import gzip
import pickle
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells
from cranfield.core.truth import State

QRELS = "1 0 d1 2\n1 0 d2 0\n1 0 d3 -1\n2 0 d1 1\n"
RUN = "1 Q0 d2 1 0.5 mine\n1 Q0 d9 2 0.25 mine\n2 Q0 d1 1 7 mine\n"
File = Callable[..., Path]


def test_judgements_have_four_states(file: File, parser: str) -> None:
    truth = cf.read_truth(file(QRELS, "x"))
    assert truth.open
    assert truth.items == ("d1", "d2", "d3")
    assert truth.concepts == ("1", "2")
    positive, negative, unjudged, outside = (
        State.POSITIVE, State.NEGATIVE, State.UNJUDGED, State.OUTSIDE,
    )  # fmt: skip
    assert truth.states.tolist() == [[positive, positive], [negative, outside], [unjudged, outside]]
    assert isinstance(truth.grades, Cells)
    assert truth.grades.dense().tolist() == [[2, 1], [0, 0], [0, 0]]


def test_anything_below_zero_was_not_judged(file: File) -> None:
    junk = cf.read_truth(file(QRELS.replace("-1", "-2"), "x"))
    assert junk.digest == cf.read_truth(file(QRELS, "y")).digest


def test_strata_stand_before_the_grade(file: File, parser: str) -> None:
    truth = cf.read_truth(file("1 0 d1 3 1\n1 0 d2 1 -1\n2 0 d1 2 0\n", "x"))
    assert isinstance(truth.strata, Cells)
    assert truth.strata.dense().tolist() == [[3, 2], [1, 0]]
    assert truth.labels.tolist() == [[True, False], [False, False]]
    assert truth.grades is None


def test_a_run_is_what_it_retrieved_with_its_scores(file: File, parser: str) -> None:
    run = cf.read_run(file(RUN, "x"))
    assert run.name == "mine"
    assert isinstance(run.scores, Cells)
    assert isinstance(run.labels, Cells)
    assert run.items == ("d2", "d9", "d1")
    assert run.scores.codes.tolist() == run.labels.codes.tolist() == [0, 2, 5]
    assert run.scores.values.tolist() == [0.5, 0.25, 7.0]
    assert run.labels.values.all()


def test_a_name_of_your_choice_goes_before_the_tag_which_is_kept(file: File) -> None:
    run = cf.read_run(file(RUN, "x"), name="yours")
    assert (run.name, run.tags) == ("yours", {"tag": "mine"})


def test_a_threshold_takes_the_place_of_the_answer(file: File) -> None:
    run = cf.read_run(file(RUN, "x"), threshold=0.4)
    assert run.labels is None
    assert run.assigned.values.tolist() == [True, False, True]  # type: ignore[union-attr]


def test_a_run_may_mention_topics_and_documents_that_nobody_judged(file: File) -> None:
    truth = cf.read_truth(file(QRELS, "x.qrels"))
    run = cf.read_run(file(RUN + "3 Q0 d7 1 1.0 mine\n", "x.run"), truth)
    result = cf.evaluate(truth, run, "topic.P")
    assert result.units("mine", "topic.P").tolist() == [0.0, 1.0]


def test_a_run_for_a_closed_truth_may_not(file: File) -> None:
    closed = cf.Truth([[1, 0], [0, 1]], items=["d1", "d2"], concepts=["1", "2"])
    with pytest.raises(cf.InputError, match="not in the truth: 'd9'"):
        cf.read_run(file(RUN, "x"), closed)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (RUN, "run"),
        (RUN.replace(" ", "\t"), "run"),
        ("1 0 d1 1 1.5 tag\n", "run"),
        (QRELS, "truth"),
        (QRELS.replace(" ", "   "), "truth"),
        ("1 0 d1 4 -1\n", "truth"),
        ("7 0 1185 1\n9 0 17 0\n", "truth"),
        ("7 0 3 1\n7 0 4 0\n", "truth"),
    ],
)
def test_trec_files_are_recognised_by_what_they_hold(
    content: str, kind: str, pack: Callable[[bytes], bytes], file: File
) -> None:
    path = file(pack(content.encode()), "unnamed")
    found = formats.check(path, kind=kind)  # type: ignore[arg-type]
    assert (found.total, found.format) == (0, "trec")


@pytest.mark.parametrize(
    "content",
    [
        "a 0 1 1\nb 0 0 1\n",
        "a 0.1 0.2 0.3 0.4 0.5\n",
        "a 0 0.25 1\nb 0 0.5 0\n",
        "a 0 3 1\nb 0 4 0\n",
    ],
)
def test_text_with_a_line_for_each_item_is_none_of_them(content: str, file: File) -> None:
    assert formats.check(file(content, "unnamed")).format == "text"


def test_a_table_with_a_header_is_none_of_them(file: File) -> None:
    path = file("item\tcat\tdog\tcow\na\t0\t117\t1\nb\t0\t250\t0\n", "x.tsv")
    assert formats.check(path).format == "tsv"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 d2 9 0.1 mine", "topic '1', document 'd2' stands on line 1 already"),
        ("1 Q0 d5 9 high mine", "topic '1', document 'd5': 'high' is not a number"),
        ("1 Q0 d5 9 nan mine", "topic '1', document 'd5': 'nan' is not a number"),
        ("1 Q0 d5 9 inf mine", "'inf' is not finite"),
        ("1 Q0 d5 9 0.1", "the line has 5 fields; expected 6: topic Q0 document rank score tag"),
        ("1 Q0 d5 9 0.1 mine 1 Q0 d6 9 0.1 mine", "the line has 12 fields; expected 6"),
        ("1 Q0 d5 9 0.1 yours", "the tag is 'yours', and 'mine' above; a file holds one run"),
        ("1 Q0 d\xff5 9 0.1 mine", r"'d\\xff5' is not UTF-8"),
    ],
)
def test_errors_of_runs_name_the_line(line: str, message: str, file: File, parser: str) -> None:
    path = file((RUN + "\n" + line + "\n").encode("latin-1"), "x")
    with pytest.raises(cf.FileError, match=message) as error:
        cf.read_run(path)
    assert error.value.line == 5
    assert [one.line for one in formats.check(path)] == [5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 0 d2 1", "topic '1', document 'd2' stands on line 2 already"),
        ("1 0 d5 -0.5", "topic '1', document 'd5': -0.5; grades are whole numbers"),
        ("1 0 d5 0.5", "topic '1', document 'd5': 0.5; grades are whole numbers"),
        ("1 0 d5 yes", "topic '1', document 'd5': 'yes' is not a number"),
        ("1 0 d5", "the line has 3 fields; expected 4: topic 0 document grade"),
        ("1 0 d5 2 1", "the line has 5 fields; expected 4: topic 0 document grade"),
    ],
)
def test_errors_of_judgements_name_the_line(
    line: str, message: str, file: File, parser: str
) -> None:
    path = file(QRELS + line + "\n", "x")
    with pytest.raises(cf.FileError, match=message) as error:
        cf.read_truth(path)
    assert error.value.line == 5
    assert [one.line for one in formats.check(path, kind="truth")] == [5]


@pytest.mark.parametrize("format", [None, "trec"])
@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        ("1 Q0 a 1 nan r", "x.run", "topic '1', document 'a': 'nan' is not a number"),
        ("1 Q0 a 1 inf r", "x.txt", "'inf' is not finite"),
        ("1 Q0 a 1 1e400 r", "x.run", "'1e400' is too large"),
        ("1 Q0 a 1 1,5 r", "x.txt", "'1,5' has a decimal comma"),
        ("1 Q0 a 1 0.5", "x.run", "the line has 5 fields; expected 6"),
        ("1 Q0 a 1 5", "x.run", "the line has 5 fields; expected 6"),
        ("1 0 a 1", "x.run", "the line has 4 fields; expected 6"),
        ("1 0 a 0.5", "x.qrels", "topic '1', document 'a': 0.5; grades are whole numbers"),
        ("1 0 a", "x.qrels", "the line has 3 fields; expected 4"),
        ("1 0 a 1 1 1", "x.qrels.gz", "the line has 6 fields; expected 4"),
    ],
)
def test_the_name_or_q0_decides_even_if_no_line_is_right(
    line: str, name: str, message: str, format: str | None, file: File
) -> None:
    path = file(line + "\n", name)
    read = cf.read_truth if "qrels" in name else cf.read_run
    with pytest.raises(cf.FileError, match=message) as error:
        read(path, format=format)
    assert error.value.line == 1


def test_runs_are_not_judgements(file: File) -> None:
    with pytest.raises(cf.FileError, match="this is a run"):
        cf.read_truth(file(RUN, "x"))
    with pytest.raises(cf.FileError, match="these are judgements"):
        cf.read_run(file(QRELS, "x"))


def test_a_run_need_not_mention_everything_that_was_judged(file: File) -> None:
    truth = cf.read_truth(file(QRELS, "x.qrels"))
    assert not formats.check(file(RUN, "x.run"), against=truth)


def test_ranks_that_contradict_scores_are_noted_and_ignored(file: File, parser: str) -> None:
    truth = cf.read_truth(file("1 0 d1 1\n", "x.qrels"))
    run = cf.read_run(file("1 Q0 d2 1 0.5 t\n1 Q0 d1 2 0.75 t\n", "x.run"), truth)
    result = cf.evaluate(truth, run, "topic.RR")
    assert result["t", "topic.RR"] == 1.0
    assert "contradict the scores in 1 topic, such as '1'" in result.frame["notes"][0]


@pytest.mark.parametrize("ranks", ["1 2 3", "0 0 0", "1 1 2", "- - -"])
def test_ranks_that_agree_or_say_nothing_are_not_noted(ranks: str, file: File) -> None:
    scores = (3.0, 2.0, 1.5)
    lines = [
        f"1 Q0 d{rank}{score} {rank} {score} t"
        for rank, score in zip(ranks.split(), scores, strict=True)
    ]
    assert cf.read_run(file("\n".join(lines), "x")).notes == ()


@pytest.mark.parametrize("name", ["x.qrels", "x.qrels.gz", "x.npz"])
def test_judgements_come_back(name: str, file: File, tmp_path: Path, parser: str) -> None:
    truth = cf.read_truth(file("1 0 d1 3 2\n1 0 d2 1 -1\n2 0 é 2 0\n", "x"))
    cf.write_truth(truth, tmp_path / name)
    back = cf.read_truth(tmp_path / name)
    assert back.open
    assert back.digest == truth.digest
    assert np.array_equal(back.states, truth.states)


@pytest.mark.parametrize("name", ["x.run", "x.run.gz", "x.npz"])
def test_runs_come_back(name: str, file: File, tmp_path: Path, parser: str) -> None:
    run = cf.read_run(file(RUN, "y"))
    cf.write_run(run, tmp_path / name)
    back = cf.read_run(tmp_path / name, name="mine")
    assert back.digest == run.digest


def test_a_run_is_written_by_topic_and_rank(file: File, tmp_path: Path) -> None:
    scores = np.array([[0.5, 0.25], [0.75, 1.0]])
    run = cf.Run(scores, name="my run", items=["a", "b"], concepts=["t", "u"])
    cf.write_run(run, tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text() == (
        "t Q0 b 1 0.75 my_run\nt Q0 a 2 0.5 my_run\nu Q0 b 1 1.0 my_run\nu Q0 a 2 0.25 my_run\n"
    )


def test_a_truth_of_any_format_becomes_judgements(tmp_path: Path) -> None:
    truth = cf.Truth(
        grades=[[2, 0], [0, 1]], judged=[[1, 1], [0, 1]], items=["a", "b"], concepts=["t", "u"]
    )
    formats.convert(cf.Collection(truth), tmp_path / "x.qrels")
    assert (tmp_path / "x.qrels").read_text() == "t 0 a 2\nt 0 b -1\nu 0 a 0\nu 0 b 1\n"


def test_what_a_table_cannot_say_of_judgements_is_no_silent_loss(
    file: File, tmp_path: Path
) -> None:
    truth = cf.read_collection(file(QRELS, "x"))
    with pytest.raises(cf.FileError, match="the pool, that there are items beside those it lists"):
        formats.convert(truth, tmp_path / "x.csv")
    lost = formats.convert(truth, tmp_path / "x.csv", lossy=True)
    assert "the pool" in lost


def test_ids_with_blanks_cannot_be_written(tmp_path: Path) -> None:
    truth = cf.Truth([[1]], items=["a b"], concepts=["t"])
    with pytest.raises(cf.FileError, match="has a blank in its id"):
        cf.write_truth(truth, tmp_path / "x.qrels")


def test_a_million_documents_are_never_a_dense_matrix(file: File) -> None:
    lines = "".join(f"{i // 50 % 1000} 0 {i:06d} {i % 3}\n" for i in range(0, 1_000_000, 50))
    path = file(lines, "x")
    tracemalloc.start()
    truth = cf.read_truth(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert truth.shape == (20_000, 1000)
    assert most < 12e6  # the labels alone were 20 MB if they were dense


def test_files_of_trec_eval_are_read(trec_eval_test: Path) -> None:
    truth = cf.read_truth(trec_eval_test / "qrels.test")
    run = cf.read_run(trec_eval_test / "results.test", truth)
    assert (truth.shape, run.shape, run.name) == ((3338, 3), (1500, 3), "STANDARD")
    assert cf.read_truth(trec_eval_test / "qrels.rel_level").totals(0, "negative").positives.sum()
    cut = cf.read_run(trec_eval_test / "results.trunc", truth)  # with words behind the tag
    assert cut.shape[1] == 2


@pytest.mark.parametrize("threads", ["1", "2"])
def test_files_of_many_blocks_are_read_alike_by_any_number_of_threads(
    threads: str, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    lines = [
        f"{number // 500} Q0 document-{number * 7919 % 40_000} {number} {-number} tag"
        for number in range(80_000)
    ]
    lines[30_000] += " and some words"
    lines[70_000] = lines[70_000].replace("document", "döcument")
    run = cf.read_run(file("\n".join(lines), "x"))
    assert run.shape == (40_001, 160)
    assert run.items[:2] == ("document-0", "document-7919")
    assert isinstance(run.scores, Cells)
    row = run.item_axis.positions["döcument-10000"]
    place = np.searchsorted(run.scores.codes, row * 160 + 140)
    assert run.scores.values[place] == -70_000
    lines[75_000] = lines[10]
    with pytest.raises(cf.FileError, match="stands on line 11 already") as error:
        cf.read_run(file("\n".join(lines), "y"))
    assert error.value.line == 75_001
    lines[60_000] = "cut"
    with pytest.raises(cf.FileError, match="the line has 1 field") as error:
        cf.read_run(file("\n".join(lines), "z"))
    assert error.value.line == 60_001


def test_a_run_of_annotations_may_end_in_run_too(file: Callable[..., Path]) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["a", "b"], concepts=["x", "y"])
    run = cf.read_run(file("a 0.5 0.25\nb 0.1 0.9\n", "system.run"), truth)
    assert run.scores.tolist() == [[0.5, 0.25], [0.1, 0.9]]


def test_ids_of_documents_become_texts_when_they_are_asked_for(file: File, parser: str) -> None:
    path = file("1 Q0 é 1 0.9 t\n\n1 Q0 d2 2 0.8 t\n2 Q0 é 1 0.7 t\n", "a.run")
    run = cf.read_run(path)
    assert "texts" not in vars(run.item_axis._ids)
    assert pickle.loads(pickle.dumps(run)).items == run.items == ("é", "d2")
    assert run.item_axis.ids is run.item_axis.names


def test_a_line_that_stands_twice_is_named_behind_blank_ones(file: File, parser: str) -> None:
    path = file("1 Q0 a 1 0.9 t\n\n\n1 Q0 b 2 0.8 t\n1 Q0 a 3 0.7 t\n", "a.run")
    with pytest.raises(cf.FileError, match=r":5: .*stands on line 1 already"):
        cf.read_run(path)


def test_a_file_of_blank_lines_has_no_lines_whatever_its_name(file: File) -> None:
    for name in ("blank.run", "blank.qrels", "blank.txt"):
        for read in (cf.read_run, cf.read_truth):
            with pytest.raises(cf.CranfieldError, match="there are no lines with values"):
                read(file("\n\n", name))
