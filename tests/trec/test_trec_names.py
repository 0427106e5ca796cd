"""trec_eval's names in tables and in Python: its ties and cut-offs, over the topics of --topics."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from typer.testing import CliRunner

import cranfield as cf
from cranfield.cli.program import app
from cranfield.measures.peer_names import peer_meaning

File = Callable[[str, str], Path]
NAMES = [
    "map", "gm_map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "set_P", "set_recall",
    "set_F", "P_5", "P_10", "recall_5", "recall_1000", "ndcg_cut_10", "success_1",
]  # fmt: skip
"""Without measures that round recall levels, as pytrec_eval does by the rule of trec_eval 9."""


def drawn(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Grades and −1, a run of eight scores; topic 3 was not judged, topic 5 not searched for."""
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(60)]
    qrels = {
        f"t{n}": {d: draw.choice([-1, 0, 0, 0, 1, 2]) for d in draw.sample(documents, 40)}
        for n in range(12)
        if n != 3
    }
    run = {
        f"t{n}": {d: draw.randrange(8) / 8 for d in draw.sample(documents, draw.randrange(1, 50))}
        for n in range(12)
        if n != 5
    }
    qrels["t7"] = dict.fromkeys(qrels["t7"], 0)
    return qrels, run


@pytest.fixture
def files(file: File) -> tuple[Path, Path]:
    qrels, run = drawn(1)
    judgements = (f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items())
    lines = (f"{t} Q0 {d} 0 {s} r\n" for t, of in run.items() for d, s in of.items())
    return file("".join(judgements), "q.qrels"), file("".join(lines), "r.run")


def expected(name: str, topics: str) -> float:
    """What trec_eval's own C code says, by way of pytrec_eval."""
    qrels, run = drawn(1)
    by_topic_name = name.removeprefix("gm_")
    family, _, cutoff = by_topic_name.rpartition("_")
    asked = f"{family}.{cutoff}" if cutoff.isdigit() else by_topic_name
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, {asked}).evaluate(run)
    values = [of[by_topic_name] for of in by_topic.values()]
    if topics == "judged":
        values += [0.0] * (len(qrels) - len(values))
    if name == "gm_map":
        return float(np.exp(np.log(np.maximum(values, 1e-5)).mean()))
    return float(np.mean(values))


@pytest.mark.parametrize("topics", ["common", "judged"])
@pytest.mark.parametrize("name", NAMES)
def test_names_mean_what_trec_eval_computes(
    name: str, topics: str, files: tuple[Path, Path]
) -> None:
    truth, run = cf.read_truth(files[0]), cf.read_run(files[1], name="r")
    result = cf.evaluate(truth, run, name, topics=topics)  # type: ignore[arg-type]
    assert result["r", name] == pytest.approx(expected(name, topics), abs=1e-9)


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "options"),
    [
        ("out.test.aq", "qrels.test", "results.test", {"topics": "common"}),
        ("out.test.aqc", "qrels.test", "results.trunc", {"topics": "judged"}),
        ("out.test.aql", "qrels.rel_level", "results.test", {"topics": "common", "level": 2}),
    ],
)
def test_names_give_what_trec_eval_10_prints(
    expected: str, qrels: str, run: str, options: dict[str, Any], trec_eval_test: Path
) -> None:
    printed: dict[str, dict[str, float]] = {}
    for line in (trec_eval_test / expected).read_text().splitlines():
        name, topic, value = line.split("\t")
        meaning = peer_meaning(name.strip())
        if meaning is not None and "searches" in meaning.readings:
            printed.setdefault(name.strip(), {})[topic] = float(value)
    assert len(printed) > 40
    truth = cf.read_truth(trec_eval_test / qrels)
    found = cf.evaluate(
        truth, cf.read_run(trec_eval_test / run, name="r"), list(printed), **options
    )
    for name, values in printed.items():
        assert found["r", name] == pytest.approx(values["all"], abs=5.1e-5), name
        by_topic = dict(zip(found.truth.concepts, found.units("r", name), strict=True))
        for topic in values.keys() - {"all"}:
            assert by_topic[topic] == pytest.approx(values[topic], abs=5.1e-5), (name, topic)


def test_a_note_names_common_topics_where_they_change_the_mean(files: tuple[Path, Path]) -> None:
    truth, run = cf.read_truth(files[0]), cf.read_run(files[1], name="r")
    (score,) = cf.evaluate(truth, run, "P_5")
    mean = expected("P_5", "common")
    note = f"{mean:.4f} over the 10 topics of truth and run, as trec_eval takes it: topics=common"
    assert f"{note} (--topics common)" in score.notes
    (common,) = cf.evaluate(truth, run, "P_5", topics="common")
    assert not any("topics" in note for note in common.notes)
    (ours,) = cf.evaluate(truth, run, "concept.P@5")
    assert not any("topics" in note for note in ours.notes)


def test_canonical_names_show_the_options(files: tuple[Path, Path]) -> None:
    truth, run = cf.read_truth(files[0]), cf.read_run(files[1])
    result = cf.evaluate(truth, run, ["map", "P_10", "iprec_at_recall_0.10", "rbp"])
    assert [str(measure) for measure in result.measures] == [
        "concept.AP(ties=trec,undefined=0)",
        "concept.P@10(ties=trec,undefined=0)",
        "concept.P_at_recall(recall=0.1,rule=trec10,ties=trec,undefined=0)",
        "concept.RBP(gain=graded,p=0.9,ties=trec,undefined=0)",
    ]


@pytest.mark.parametrize("name", ["map", "mAP", "MAP"])
def test_map_is_concept_ap_on_other_data(name: str) -> None:
    labels, scores = [[1, 0], [0, 1], [1, 1]], [[0.5, 0.5], [0.5, 0.1], [0.2, 0.5]]
    (found,) = cf.evaluate(cf.Truth(labels), cf.Run(scores), name)
    (wanted,) = cf.evaluate(cf.Truth(labels), cf.Run(scores), "concept.AP")
    assert str(found.measure) == "concept.AP"
    assert (found.value, found.signature) == (wanted.value, wanted.signature)
    assert cf.score(labels, scores, name) == wanted.value


def test_other_names_say_what_to_write_on_other_data() -> None:
    for name, words in (("P_10", "write concept.P@10"), ("ndcg", "write concept.nDCG or example")):
        with pytest.raises(cf.MeasureError, match=words):
            cf.score([[1, 1], [0, 1]], [[0.5, 0.5], [0.5, 0.5]], name)


def test_names_that_only_the_style_prints_say_so() -> None:
    for name in ("set_map", "num_q", "official", "Rprec_mult_0.20", "relative_P_5"):
        with pytest.raises(cf.MeasureError, match="name of trec_eval; only --style trec prints"):
            cf.measure(name)
    with pytest.raises(cf.MeasureError, match="write ndcg_cut_10"):
        cf.measure("ndcg_cut")


@pytest.mark.parametrize(
    "command", [["evaluate"], ["evaluate", "--intervals", "--resample", "concepts"], ["compare"]]
)
def test_commands_take_trec_evals_names(command: list[str], files: tuple[Path, Path]) -> None:
    qrels, run = map(str, files)
    other = files[1].with_name("s.run")
    other.write_text(files[1].read_text().replace(" r\n", " s\n").replace("d1", "e1"))
    arguments = [command[0], qrels, run, str(other), "-m", "map", *command[1:]]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    assert "concept.AP(ties=trec,undefined=0)" in json.dumps(json.loads(result.stdout))


# ── notes of ties ─────────────────────────────────────────────────────────────────────────────

LABELS = np.array([[1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]])


def test_our_names_note_how_many_lists_ties_decide() -> None:
    scores = np.array([[0.9, 0.5, 0.9], [0.8, 0.5, 0.8], [0.5, 0.1, 0.7], [0.5, 0.1, 0.6]])
    notes = {
        name: cf.evaluate(cf.Truth(LABELS), cf.Run(scores), name).scores[0].notes
        for name in ("concept.AP", "concept.RR", "concept.P@2", "concept.AUC(ties=best)")
    }
    assert notes["concept.AP"] == ("equal scores matter in 2 lists: ties=grouped",)
    assert notes["concept.RR"] == ("equal scores matter in 1 list: ties=expected",)
    assert notes["concept.P@2"] == ()
    assert notes["concept.AUC(ties=best)"] == ("equal scores matter in 2 lists: ties=best",)


def test_ties_among_equals_in_relevance_need_no_note() -> None:
    scores = np.array([[0.9, 0.5, 0.1], [0.1, 0.1, 0.9], [0.1, 0.5, 0.1], [0.9, 0.1, 0.1]])
    (score,) = cf.evaluate(cf.Truth(LABELS), cf.Run(scores), "concept.AP")
    assert score.notes == ()


def test_trec_evals_names_need_no_note_of_ties(files: tuple[Path, Path]) -> None:
    truth, run = cf.read_truth(files[0]), cf.read_run(files[1])
    ours, theirs = cf.evaluate(truth, run, ["topic.AP", "map"], topics="common").scores
    assert any("equal scores matter in" in note for note in ours.notes)
    assert not any("equal scores" in note for note in theirs.notes)
    assert ours.value != theirs.value
