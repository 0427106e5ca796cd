"""Names of ir_measures and ranx mean on TREC files what these tools compute."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.measures.peer_names import PEER_NAMES, peer_meaning

IR_NAMES = [
    "AP", "MAP", "AP@10", "nDCG", "nDCG@10", "P@5", "Precision@5", "R@5", "Recall@10", "RR", "MRR",
    "Rprec", "Bpref", "infAP", "SetP", "SetR", "SetF", "Success@5",
    "AP(judged_only=True)", "P(judged_only=True)@5", "nDCG(judged_only=True)@5",
]  # fmt: skip
RANX_NAMES = [
    "map", "map@10", "mrr", "mrr@3", "ndcg", "ndcg@10", "ndcg_burges", "ndcg_burges@10",
    "precision", "precision@5", "recall", "recall@5", "f1", "f1@5", "r-precision",
    "hit_rate@5", "bpref", "rbp.80",
]  # fmt: skip

Qrels = dict[str, dict[str, int]]
Searched = dict[str, dict[str, float]]


def drawn(seed: int, *, ties: bool, grades: bool = True) -> tuple[Qrels, Searched]:
    """Ten topics; topic 7 has nothing relevant, and nobody searched for topic 5."""
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(60)]
    qrels = {
        f"t{n}": {d: draw.choice([0, 0, 0, 1, 2 if grades else 1]) for d in documents[: 30 + n]}
        for n in range(10)
    }
    qrels["t7"] = dict.fromkeys(qrels["t7"], 0)

    def searched(topic: int) -> dict[str, float]:
        retrieved = draw.sample(documents, 25 + topic)
        ranks = draw.sample(range(1000), len(retrieved))
        return {d: r % 8 / 8 if ties else r / 1000 for d, r in zip(retrieved, ranks, strict=True)}

    return qrels, {f"t{n}": searched(n) for n in range(10) if n != 5}


def written(folder: Path, qrels: Qrels, run: Searched) -> tuple[cf.Truth, cf.Run]:
    truth, searched = folder / "q.qrels", folder / "r.run"
    truth.write_text("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()))
    lines = (f"{t} Q0 {d} 0 {s} r\n" for t, of in run.items() for d, s in of.items())
    searched.write_text("".join(lines))
    return cf.read_truth(truth), cf.read_run(searched, name="r")


@pytest.mark.parametrize("name", IR_NAMES)
def test_names_mean_what_ir_measures_computes(name: str, tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = drawn(1, ties=True)
    measure = ir_measures.parse_measure(name)
    expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    result = cf.evaluate(*written(tmp_path, qrels, run), name)
    assert result["r", name] == pytest.approx(expected, abs=1e-9)


DIVERSITY_NAMES = [
    "alpha_nDCG@5", "α_nDCG@20", "alpha_nDCG(alpha=0.3)@5", "alpha_DCG@5", "alpha_DCG(alpha=0.3)@5",
    "ERR_IA@5", "nERR_IA@5",
]  # fmt: skip


@pytest.mark.parametrize("name", DIVERSITY_NAMES)
def test_names_of_diversity_mean_what_ir_measures_computes(name: str, tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    pytest.importorskip("pyndeval")
    draw, (qrels, run) = random.Random(4), drawn(4, ties=False)
    lines = [
        (topic, document, int(grade > 0 and draw.random() < 0.6), subtopic)
        for topic, of in qrels.items()
        for document, grade in of.items()
        for subtopic in ("1", "2", "3")
    ]
    judged = [ir_measures.Qrel(*line) for line in lines]
    searched = [ir_measures.ScoredDoc(t, d, s) for t, of in run.items() for d, s in of.items()]
    measure = ir_measures.parse_measure(name)
    expected = ir_measures.calc_aggregate([measure], judged, searched)[measure]
    path = tmp_path / "q.dqrels"
    path.write_text("".join(f"{t} {i} {d} {g}\n" for t, d, g, i in lines))
    result = cf.evaluate(cf.read_truth(path), written(tmp_path, qrels, run)[1], name)
    assert result["r", name] == pytest.approx(expected, abs=1e-9)


def test_names_mean_what_ir_measures_computes_where_no_scores_are_equal(tmp_path: Path) -> None:
    """Of Judged lists must be long enough, too."""
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = drawn(5, ties=False)
    for name in ("RR@3", "MRR@5", "Judged@5", "Judged@20"):
        measure = ir_measures.parse_measure(name)
        expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        result = cf.evaluate(*written(tmp_path, qrels, run), name)
        assert result["r", name] == pytest.approx(expected, abs=1e-9)


def test_err_is_gdevals_where_the_largest_grade_is_4(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    if shutil.which("perl") is None:
        pytest.skip("gdeval needs perl")
    qrels, run = drawn(6, ties=False)
    qrels["t1"]["d0"] = 4
    qrels, run = ({topic[1:]: of for topic, of in each.items()} for each in (qrels, run))
    measure = ir_measures.parse_measure("ERR@20")
    theirs = ir_measures.iter_calc([measure], qrels, run)
    expected = {score.query_id: score.value for score in theirs}
    result = cf.evaluate(*written(tmp_path, qrels, run), "ERR@20")
    units = dict(zip(result.truth.concepts, result.units("r", "ERR@20").tolist(), strict=True))
    for topic, value in expected.items():
        assert units[topic] == pytest.approx(value, abs=1e-5)  # gdeval prints five digits


def test_a_relevance_level_is_that_of_the_evaluation(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = drawn(2, ties=True)
    truth, searched = written(tmp_path, qrels, run)
    measure = ir_measures.parse_measure("AP(rel=2)@10")
    expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    result = cf.evaluate(truth, searched, "AP(rel=2)@10", level=2)
    assert result["r", "AP(rel=2)@10"] == pytest.approx(expected, abs=1e-9)
    with pytest.raises(cf.MeasureError, match=r"from 2 on as relevant; .*--level 2"):
        cf.evaluate(truth, searched, "precision@5-l2")


def test_every_name_of_ir_measures_is_known() -> None:
    registry = pytest.importorskip("ir_measures").measures.registry
    for name in registry:
        assert peer_meaning(name) or peer_meaning(f"{name}@10"), name


@pytest.mark.slow
@pytest.mark.parametrize("name", RANX_NAMES)
def test_names_mean_what_ranx_computes(name: str, tmp_path: Path) -> None:
    ranx = pytest.importorskip("ranx")
    qrels, run = drawn(3, ties=False, grades=name != "rbp.80")
    if name == "bpref":
        del qrels["t7"], run["t7"]  # it divides by zero there
    run.setdefault("t5", {"nothing": 1.0})
    expected = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), name)
    result = cf.evaluate(*written(tmp_path, qrels, run), name)
    assert result["r", name] == pytest.approx(expected, abs=1e-9)


def test_every_name_with_a_meaning_is_tried() -> None:
    for tool, names in (("ir_measures", [*IR_NAMES, *DIVERSITY_NAMES]), ("ranx", RANX_NAMES)):
        tried = {
            reading
            for name in names
            if (meaning := peer_meaning(name))
            for reading in [meaning.readings["searches"].partition("(")[0].partition("@")[0]]
        }
        for row in PEER_NAMES:
            if row.tool == tool and row.searches and not row.differs:
                bare = row.searches.partition("(")[0].partition("@")[0]
                assert bare in tried | {"concept.ERR", "concept.RBP"}, row.name
