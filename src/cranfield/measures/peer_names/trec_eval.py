"""trec_eval's names mean its rules: equal scores are ordered by id (ties=trec), a topic without
relevant documents scores 0, a recall level asks for level · R documents, rounded as in trec_eval
10. They are for TREC files; elsewhere only `map` has a meaning, the usual one.
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName

_row = partial(PeerName, "trec_eval")
_RULES = "ties=trec,undefined=0"
_STYLE = "only --style trec prints it; in tables"

TREC_EVAL: tuple[PeerName, ...] = (
    _row("map", searches=f"concept.AP({_RULES})", labels="concept.AP", concept="concept.AP"),
    _row("gm_map", searches=f"concept.GMAP({_RULES})", advice="write concept.GMAP"),
    _row("Rprec", searches=f"concept.RP({_RULES})", advice="write concept.RP"),
    _row("bpref", searches=f"concept.bpref({_RULES})", advice="write concept.bpref"),
    _row("recip_rank", searches=f"concept.RR({_RULES})", advice="write concept.RR"),
    _row("infAP", searches=f"concept.infAP({_RULES})", advice="write concept.infAP"),
    _row("ndcg", searches=f"concept.nDCG({_RULES})", advice="write concept.nDCG or example.nDCG"),
    _row("11pt_avg", searches=f"concept.iAP(rule=trec10,{_RULES})", advice="write concept.iAP"),
    _row(
        "rbp",
        searches=f"concept.RBP(gain=graded,p=0.9,{_RULES})",
        advice="write concept.RBP(p=0.9)",
    ),
    _row("set_P", searches="concept.P(undefined=0)", advice="write concept.P"),
    _row("set_recall", searches="concept.R(undefined=0)", advice="write concept.R"),
    _row("set_F", searches="concept.F(undefined=0)", advice="write concept.F"),
    _row("P_{k}", searches=f"concept.P@{{k}}({_RULES})", advice="write concept.P@{k}"),
    _row("recall_{k}", searches=f"concept.R@{{k}}({_RULES})", advice="write concept.R@{k}"),
    _row("ndcg_cut_{k}", searches=f"concept.nDCG@{{k}}({_RULES})", advice="write concept.nDCG@{k}"),
    _row(
        "success_{k}",
        searches=f"concept.success@{{k}}({_RULES})",
        advice="write concept.success@{k}",
    ),
    _row(
        "iprec_at_recall_{recall}",
        searches=f"concept.P_at_recall(recall={{recall}},rule=trec10,{_RULES})",
        advice="write concept.P_at_recall(recall={recall})",
    ),
    _row("map_cut_{k}", searches=f"concept.AP@{{k}}({_RULES})", advice="write concept.AP@{k}"),
    _row("set_map", advice=f"{_STYLE} write concept.AP"),
    _row("relative_P_{k}|set_relative_P", advice=f"{_STYLE} write P_10, say"),
    _row("Rprec_mult_{share}", advice=f"{_STYLE} write Rprec"),
    _row("gm_bpref", advice=f"{_STYLE} write bpref"),
    _row("rbp_resid", advice=f"{_STYLE} write rbp"),
    _row("official|all_trec|runid|utility|unj_{k}", advice=f"{_STYLE} write map or P_10, say"),
    _row(
        "num_q|num_ret|num_rel|num_rel_ret|num_nonrel_judged_ret",
        advice=f"{_STYLE} write map or P_10, say",
    ),
    _row("ndcg_cut|iprec_at_recall", advice="write ndcg_cut_10, iprec_at_recall_0.10 …"),
)
