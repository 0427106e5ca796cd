"""`--style trec` prints what trec_eval prints: its own expected outputs decide, and pytrec_eval."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import pytrec_eval
from typer.testing import CliRunner

import cranfield as cf
from cranfield.cli.program import app
from cranfield.tasks.retrieval.trec_eval import cut_off, trec_measures, trec_scores

NOT_OURS = ("G ", "binG ", "ndcg_rel ", "Rndcg ", "relstring")
JUDGED = ["--topics", "judged"]
File = Callable[..., Path]


def printed(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments), "--style", "trec"])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_official_output_is_that_of_trec_eval_to_the_letter(trec_eval_test: Path) -> None:
    qrels, run = trec_eval_test / "qrels.test", trec_eval_test / "results.test"
    assert printed(qrels, run) == (trec_eval_test / "out.test").read_text()


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "options"),
    [
        ("out.test.a", "qrels.test", "results.test", []),
        ("out.test.aq", "qrels.test", "results.test", ["--per-unit"]),
        ("out.test.aqc", "qrels.test", "results.trunc", ["--per-unit", *JUDGED]),
        ("out.test.aqcM", "qrels.test", "results.trunc", ["--per-unit", *JUDGED, "--depth", 100]),
        ("out.test.aql", "qrels.rel_level", "results.test", ["--per-unit", "--level", 2]),
    ],
)
def test_all_measures_are_those_of_trec_eval_to_the_letter(
    expected: str, qrels: str, run: str, options: list[object], trec_eval_test: Path
) -> None:
    lines = (trec_eval_test / expected).read_text().splitlines()
    ours = [line for line in lines if not line.startswith(NOT_OURS)]
    said = printed(trec_eval_test / qrels, trec_eval_test / run, "-m", "all_trec", *options)
    assert said.splitlines() == ours


def test_parameters_are_those_of_trec_eval_but_for_three_measures(trec_eval_test: Path) -> None:
    lines = (trec_eval_test / "out.test.meas_params").read_text().splitlines()
    ours = [line for line in lines if not line.startswith(("utility_", "11pt_avg_", "ndcg_1="))]
    names = dict.fromkeys(line.split()[0] for line in ours)
    options = [word for name in names for word in ("-m", name)]
    qrels, run = trec_eval_test / "qrels.test", trec_eval_test / "results.test"
    assert printed(qrels, run, *options, "--per-unit").splitlines() == ours


def test_a_level_makes_lower_grades_irrelevant_in_tables_too(file: File) -> None:
    qrels = file("t 0 a 1\nt 0 b 2\n", "q")
    run = file("t Q0 a 1 2 r\nt Q0 b 2 1 r\n", "r")
    said = CliRunner().invoke(app, ["evaluate", str(qrels), str(run), "-m", "concept.AP", "--csv",
                                    "--level", "2"])  # fmt: skip
    assert ",0.5," in said.stdout


def test_what_is_deeper_than_the_depth_was_not_retrieved(file: File) -> None:
    run = cf.read_run(file("t Q0 a 1 2 r\nt Q0 b 2 1 r\nt Q0 c 3 1 r\nu Q0 c 1 1 r\n", "r"))
    first = cut_off(run, 2)
    assert first.name == run.name
    assert first.notes == ("only the first 2 of each list",)
    kept = [(first.items[r], first.concepts[c]) for r, c in
            zip(first.scores.rows, first.scores.columns, strict=True)]  # fmt: skip
    assert sorted(kept) == [("a", "t"), ("c", "t"), ("c", "u")]  # c before b: ids descending


def test_signatures_tell_level_and_depth(file: File) -> None:
    truth = cf.read_truth(file("t 0 a 1\nt 0 b 2\n", "q"))
    run = cf.read_run(file("t Q0 a 1 2 r\nt Q0 b 2 1 r\n", "r"))
    plain, cut = (
        cf.evaluate(of, one, "concept.AP").scores[0].signature
        for of, one in ((truth, run), (truth.at_level(2), cut_off(run, 1)))
    )
    assert "level=1," in plain
    assert "depth" not in plain
    assert "depth=1,level=2," in cut
    assert truth.at_level(2).part([0]).level == 2


def drawn(draw: random.Random) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgements with grades and −1, and a run with many ties; some topics are in one file only."""
    documents = [f"d{number}" for number in range(60)]
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(12):
        topic = f"t{number}"
        if number != 3:
            chosen = draw.sample(documents, 40)
            qrels[topic] = {one: draw.choice([-1, 0, 0, 0, 1, 2]) for one in chosen}
        if number != 5:
            listed = draw.sample(documents, draw.randrange(1, 50))
            run[topic] = {one: draw.randrange(8) / 8 for one in listed}
    qrels["t7"] = dict.fromkeys(qrels["t7"], 0)
    return qrels, run


@pytest.mark.parametrize("seed", range(5))
def test_measures_agree_with_pytrec_eval_with_ties_and_unjudged_documents(
    seed: int, file: File
) -> None:
    qrels, run = drawn(random.Random(seed))
    truth = cf.read_truth(
        file("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()), "q")
    )
    said = cf.read_run(
        file("".join(f"{t} Q0 {d} 0 {s} r\n" for t, of in run.items() for d, s in of.items()), "r")
    )
    names = [
        "map", "Rprec", "bpref", "recip_rank", "P", "recall", "infAP", "Rprec_mult", "utility",
        "ndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P",
        "set_recall", "set_map", "set_F", "num_ret", "num_rel", "num_rel_ret",
    ]  # fmt: skip
    peer = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
    measures = trec_measures(names)
    scores = trec_scores(truth, said, measures)
    assert scores.topics == tuple(sorted(peer))
    for one in measures:
        for topic, value in zip(scores.topics, scores.values[one], strict=True):
            assert value == pytest.approx(peer[topic][one.name], abs=1e-9), (one.name, topic)


def test_topics_are_common_judged_or_all(file: File) -> None:
    qrels = file("1 0 a 1\n2 0 a 1\n", "q.qrels")
    run = file("2 Q0 a 1 1.0 r\n3 Q0 a 1 1.0 r\n", "r.run")
    counts = {
        topics: printed(qrels, run, "-m", "num_q", "-m", "map", "--topics", topics).split()[2::3]
        for topics in ("common", "judged", "all")
    }
    assert counts == {
        "common": ["1", "1.0000"],
        "judged": ["2", "0.5000"],
        "all": ["3", "0.3333"],
    }
    assert printed(qrels, run, "-m", "num_q").split()[2] == "1"


def test_names_are_those_of_trec_eval() -> None:
    spelled = ["P_7", "P.1,20", "iprec_at_recall.0.25,1", "success", "map"]
    assert [one.name for one in trec_measures(spelled)] == [
        "P_7", "P_1", "P_20", "iprec_at_recall_0.25", "iprec_at_recall_1.00",
        "success_1", "success_5", "success_10", "map",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Map", "concept.AP", "P_0", "P_x", "G", "P.", "_5", "recall_0.5"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(cf.MeasureError, match=r"is no (measure|cut-off)"):
        trec_measures([name])


def test_the_same_scores_come_as_data(file: File) -> None:
    qrels, run = file("1 0 a 1\n", "q.qrels"), file("1 Q0 a 1 1.0 r\n", "r.run")
    arguments = ["evaluate", str(qrels), str(run), "--style", "trec", "-m", "map", "--json"]
    (row,) = json.loads(CliRunner().invoke(app, arguments).stdout)["scores"]
    assert row == {"run": "r", "measure": "map", "topic": "all", "value": 1.0}


@pytest.mark.parametrize("options", [["-m", "topic.AP"], ["--style", "trec"]])
@pytest.mark.parametrize("truth", ["1 0 a 1\n", "1 j 0 a 1\n1 j 0 b 0\n"])
def test_a_run_of_other_topics_is_refused(truth: str, options: list[str], file: File) -> None:
    path, run = file(truth, "q.txt"), file("301 Q0 a 1 1.0 r\n", "r.run")
    result = CliRunner().invoke(app, ["evaluate", str(path), str(run), *options])
    assert result.exit_code == 1
    if "--style" in options or "j" not in truth:
        assert "r.run: no topic of this run was judged: it has topics such as '301'" in (
            result.stderr
        )
        assert "the judgements such as '1'" in result.stderr


@pytest.mark.parametrize("tags", ["rr", "rs"])
def test_of_several_runs_each_begins_with_its_name(tags: str, file: File) -> None:
    qrels = file("1 0 a 1\n", "q.qrels")
    runs = [file(f"1 Q0 a 1 1.0 {tag}\n", f"{n}.run") for n, tag in enumerate(tags)]
    lines = printed(qrels, *runs, "-m", "map", "--per-unit").splitlines()
    first, second = ("0", "1") if tags == "rr" else tags  # the files where tags are the same
    assert [line.split() for line in lines] == [
        ["runid", "all", first], ["map", "1", "1.0000"], ["map", "all", "1.0000"],
        ["runid", "all", second], ["map", "1", "1.0000"], ["map", "all", "1.0000"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("truth", "options"),
    [
        ("1 0 a 1\n", ["--threshold", "0.5"]),
        ("1 0 a 1\n", ["--titles", "topics.txt"]),
        ("1 0 a 1\n", ["--agreement", "x.csv"]),
        ("1 0 a 1\n", ["-m", "nonsense"]),
        ("item,1\na,1\n", ["--topics", "all"]),
        ("1 j 0 a 1\n1 j 0 b 0\n", ["--level", "2"]),
        ("1 j 0 a 1\n1 j 0 b 0\n", ["--depth", "2"]),
        ("1 j 0 a 1\n1 j 0 b 0\n", ["-m", "nonsense"]),
    ],
)
def test_options_that_would_be_ignored_and_unknown_names_are_errors_of_usage(
    truth: str, options: list[str], file: File
) -> None:
    path, run = file(truth, "q.txt"), file("1 Q0 a 1 1.0 r\n", "r.run")
    arguments = ["evaluate", str(path), str(run), "--style", "trec", *options]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.output
