"""Preferences: what follows from them, how runs respect them, and trec_eval's own figures."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from typer.testing import CliRunner

import cranfield as cf
from cranfield import formats
from cranfield.cli.program import app

File = Callable[..., Path]


def run_of(**scores: float) -> cf.Run:
    return cf.Run([[value] for value in scores.values()], items=list(scores), concepts=["t"])


def test_a_run_that_ranks_the_better_document_higher_respects_the_preference() -> None:
    preferences = cf.tasks.Preferences.from_pairs([("t", "a", "b")])  # a < b
    assert preferences.score(run_of(a=0.1, b=0.2)) == 1.0
    assert preferences.score(run_of(a=0.2, b=0.1)) == 0.0
    assert preferences.score(run_of(a=0.2, b=0.2)) == 0.5
    assert preferences.score(run_of(b=0.1)) == 1.0  # the other was not retrieved
    assert preferences.score(run_of(a=0.1)) == 0.0
    assert preferences.score(run_of(c=0.1)) == 0.0


def test_equal_scores_are_ordered_by_id_ascending_under_the_rule_of_trec_eval() -> None:
    preferences = cf.tasks.Preferences.from_pairs([("t", "b", "a")])
    assert preferences.score(run_of(a=0.2, b=0.2), ties="trec") == 1.0


def test_what_follows_from_preferences_counts_once() -> None:
    preferences = cf.tasks.Preferences.from_pairs(
        [("t", "a", "b"), ("t", "b", "c"), ("t", "a", "b")]
    )
    assert len(preferences) == 3
    assert preferences.score(run_of(c=3, b=1, a=2)) == pytest.approx(2 / 3)


def test_who_goes_round_in_a_circle_is_refused() -> None:
    with pytest.raises(cf.InputError, match="topic 't': the preferences go round in a circle"):
        cf.tasks.Preferences.from_pairs([("t", "a", "b"), ("t", "b", "c"), ("t", "c", "a")])


def test_judges_may_disagree() -> None:
    preferences = cf.tasks.Preferences.from_pairs(
        [("t", "a", "b", "ann"), ("t", "b", "a", "bob"), ("t", "c", "a", "bob")]
    )
    run = run_of(b=3, a=2, c=1)
    assert preferences.score(run) == pytest.approx(2 / 3)
    assert preferences.score(run, average="pairs") == pytest.approx((1 / 2 + 1) / 2)
    assert preferences.score(run, average="judges") == pytest.approx((1 + 1 / 2) / 2)


def test_only_pairs_that_were_retrieved_may_count() -> None:
    preferences = cf.tasks.Preferences.from_pairs(
        [("t", "a", "b"), ("t", "c", "d"), ("t", "e", "f")]
    )
    run = run_of(b=3, a=2, d=1)
    assert preferences.score(run) == pytest.approx(2 / 3)
    assert preferences.score(run, among="decided") == 1.0
    assert preferences.score(run, among="retrieved") == 1.0


def test_topics_without_preferences_are_skipped() -> None:
    truth = cf.Truth(grades=[[1, 0], [1, 1]], items=["a", "b"], concepts=["t", "u"])
    preferences = cf.tasks.Preferences.from_truth(truth)
    assert preferences.topics == ("t", "u")
    assert math.isnan(preferences.held_against(run_of(a=1))["t"].share())
    run = cf.Run([[1, 1], [2, 2]], items=["a", "b"], concepts=["t", "u"])
    assert preferences.score(run) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_grades_are_preferences_of_all_pairs(seed: int) -> None:
    draw = random.Random(seed)
    names = [f"d{number}" for number in range(12)]
    grades = {name: draw.randrange(4) for name in names}
    scores = {name: draw.randrange(5) for name in names if draw.random() < 0.7}
    truth = cf.Truth(grades=[[grade] for grade in grades.values()], items=names, concepts=["t"])
    wanted, found = 0, 0.0
    for better, worse in itertools.permutations(names, 2):
        if grades[better] > grades[worse]:
            wanted += 1
            if better in scores:
                above, below = scores[better], scores.get(worse, -1)
                found += 1.0 if above > below else 0.5 if above == below else 0.0
    preferences = cf.tasks.Preferences.from_truth(truth)
    assert len(preferences) == wanted
    assert preferences.score(run_of(**scores)) == pytest.approx(found / wanted)


def test_documents_that_nobody_judged_are_preferred_to_none(file: File) -> None:
    truth = cf.read_truth(file("t 0 a 1\nt 0 b 0\nt 0 c -1\n", "x.qrels"))
    assert len(cf.tasks.Preferences.from_truth(truth)) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("t 0 0 a 2", "topic 't', judge '0', document 'a' stands in this group already"),
        ("t 0 0 d high", "topic 't', judge '0', document 'd': 'high' is not a number"),
        ("t 0 0 d", "the line has 4 fields; expected 5: topic judge group document level"),
    ],
)
def test_errors_of_files_name_the_line(line: str, message: str, file: File) -> None:
    with pytest.raises(cf.FileError, match=message) as error:
        cf.formats.read_preferences(file(f"t 0 0 a 1\nt 0 0 b 0\n{line}\n", "x"))
    assert error.value.line == 3


def test_groups_that_contradict_each_other_are_refused(file: File) -> None:
    lines = "t 0 0 a 1\nt 0 0 b 0\nt 0 1 b 1\nt 0 1 a 0\n"
    with pytest.raises(cf.FileError, match="judge '0': the preferences go round in a circle"):
        cf.formats.read_preferences(file(lines, "x"))


def test_the_output_is_that_of_trec_eval_to_the_letter(trec_eval_test: Path) -> None:
    lines = (trec_eval_test / "out.test.prefs").read_text().splitlines(keepends=True)
    preferences, run = trec_eval_test / "prefs.test", trec_eval_test / "prefs.results.test"
    arguments = ["evaluate", str(preferences), str(run), "--style", "trec", "--per-unit"]
    result = CliRunner().invoke(app, arguments)
    assert result.stdout == "".join(line for line in lines if "_Rnonrel" not in line)


def test_judgements_as_preferences_give_the_figures_of_trec_eval(trec_eval_test: Path) -> None:
    truth = cf.read_truth(trec_eval_test / "qrels.test")
    run = cf.read_run(trec_eval_test / "results.test")
    held = cf.tasks.Preferences.from_truth(truth).held_against(run, ties="trec")
    for line in (trec_eval_test / "out.test.qrels_prefs").read_text().splitlines():
        name, topic, value = line.split()
        if name == "prefs_simp" and topic in held:
            assert f"{held[topic].share():.4f}" == value
        if name == "prefs_pair_ret" and topic in held:
            assert f"{held[topic].share('pairs', 'retrieved'):.4f}" == value
        if name == "prefs_avgjg_imp" and topic in held:
            assert f"{held[topic].share('judges', 'decided'):.4f}" == value


def test_preferences_are_no_truth_for_tables(file: File) -> None:
    path = file("t 0 0 a 1\nt 0 0 b 0\n", "x")
    run = file("t Q0 a 1 0.5 r\n", "r.run")
    result = CliRunner().invoke(app, ["evaluate", str(path), str(run)])
    assert result.exit_code == 1
    result = CliRunner().invoke(
        app, ["evaluate", str(path), str(run), "--style", "trec", "-m", "prefs_simp"]
    )
    assert result.stdout == "prefs_simp            \tall\t1.0000\n"


def test_preferences_of_a_truth_do_not_depend_on_how_it_is_stored() -> None:
    labels = np.array([[1], [0], [0]])
    for form in (labels, sparse.csr_array(labels)):
        truth = cf.Truth(form, items=["a", "b", "c"], concepts=["t"])
        assert len(cf.tasks.Preferences.from_truth(truth)) == 2
    judged = cf.Truth(sparse.csr_array(labels), judged=sparse.csr_array([[1], [1], [0]]))
    assert len(cf.tasks.Preferences.from_truth(judged)) == 1


@pytest.mark.parametrize("option", ["average", "among", "ties"])
def test_options_that_preferences_do_not_know_are_refused(option: str) -> None:
    preferences = cf.tasks.Preferences.from_pairs([("t", "a", "b")])
    with pytest.raises(cf.InputError, match=f"{option}='foo'; choose"):
        preferences.score(run_of(a=0.1, b=0.2), **{option: "foo"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("img1 0.0 1.0 0.0 1.0\nimg2 1.0 1.0 0.0 0.0\n", "x.txt"),  # four concepts
        ("img1 0 1 nan 1\n", "x.txt"),
        ("1 0 d1 3 1\n1 0 d2 1 0\n1 0 d1 3 1\n", "x.txt"),  # strata, a line twice
        ("1 0 d1 -3 1\n", "x.txt"),
        ("1 Q0 d1 - 0.5\n", "x.txt"),
        ("1 0 d1 a 1\n", "x.qrels"),
    ],
)
def test_other_files_of_five_columns_are_no_preferences(lines: str, name: str, file: File) -> None:
    assert not formats.is_preferences(file(lines, name))


def test_documents_may_be_numbers_if_the_file_is_called_prefs(file: File) -> None:
    lines = "t 0 0 17 1\nt 0 0 18 0\n"
    assert not formats.is_preferences(file(lines, "x.txt"))
    assert formats.is_preferences(file(lines, "x.prefs"))


def test_judgements_with_a_line_twice_are_refused_in_the_style_of_trec_too(file: File) -> None:
    path, run = file("1 0 a 3 1\n1 0 a 3 1\n", "q.txt"), file("1 Q0 a 1 0.5 r\n", "r.run")
    result = CliRunner().invoke(app, ["evaluate", str(path), str(run), "--style", "trec"])
    assert result.exit_code == 1
    assert "q.txt:2: topic '1', document 'a' stands on line 1 already" in result.stderr


@pytest.mark.parametrize("command", [["check"], ["describe"], ["convert", "x.csv"]])
def test_other_commands_say_that_they_are_preferences(
    command: list[str], file: File, tmp_path: Path
) -> None:
    path = file("1 j 0 a 1\n1 j 0 b 0\n", "x.txt")
    name, *rest = command
    arguments = [name, str(path), *(str(tmp_path / one) for one in rest)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "x.txt: these are preferences (topic judge group document level)" in result.stderr
