"""ranx's names: ndcg@10, map@100, hit_rate@5, precision@10-l2 (grades from 2 on are relevant).

ranx leaves the order of equal scores to its sorting; here ids settle it, as in trec_eval. A query
without relevant documents scores 0.
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName

_row = partial(PeerName, "ranx")
_RULES = "ties=trec,undefined=0"
_SUMS = "sums are not compared here; write"

RANX: tuple[PeerName, ...] = (
    _row("map", searches=f"concept.AP({_RULES})"),
    _row("map@{k}", searches=f"concept.AP@{{k}}({_RULES})"),
    _row("mrr", searches=f"concept.RR({_RULES})"),
    _row("mrr@{k}", searches=f"concept.RR@{{k}}({_RULES})"),
    _row("ndcg", searches=f"concept.nDCG({_RULES})"),
    _row("ndcg@{k}", searches=f"concept.nDCG@{{k}}({_RULES})"),
    _row("ndcg_burges", searches=f"concept.nDCG(gain=exponential,{_RULES})"),
    _row("ndcg_burges@{k}", searches=f"concept.nDCG@{{k}}(gain=exponential,{_RULES})"),
    _row("precision", searches="concept.P(undefined=0)"),
    _row("precision@{k}", searches=f"concept.P@{{k}}({_RULES})"),
    _row("recall", searches="concept.R(undefined=0)"),
    _row("recall@{k}", searches=f"concept.R@{{k}}({_RULES})"),
    _row("f1", searches="concept.F(undefined=0)"),
    _row("f1@{k}", searches=f"concept.F@{{k}}({_RULES})"),
    _row("r-precision", searches=f"concept.RP({_RULES})"),
    _row("hit_rate@{k}", searches=f"concept.success@{{k}}({_RULES})"),
    _row("hit_rate", advice="it needs a cutoff; write hit_rate@10, say"),
    _row("bpref", searches=f"concept.bpref({_RULES})"),
    _row(
        "rbp.{k}|rbp@{k}",
        searches=f"concept.RBP(p=0.{{k}},{_RULES})",
        differs="a grade counts as it is there, so that it may pass 1",
    ),
    _row("hits|hits@{k}", advice=f"{_SUMS} precision@10 or recall@10"),
    _row("dcg|dcg@{k}|dcg_burges|dcg_burges@{k}", advice=f"{_SUMS} ndcg@10 or ndcg_burges@10"),
)
