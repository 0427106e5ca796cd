"""Names of ir_measures and ranx mean on TREC files what these tools compute."""

from __future__ import annotations

import random
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
    "map", "map@10", "mrr", "ndcg", "ndcg@10", "ndcg_burges", "ndcg_burges@10", "precision",
    "precision@5", "recall", "recall@5", "f1", "r-precision", "hit_rate@5", "bpref", "rbp.80",
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
    for tool, names in (("ir_measures", IR_NAMES), ("ranx", RANX_NAMES)):
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
