"""ir_measures' names, with their parameters: AP(rel=2)@100, nDCG@10, SetF(beta=2).

It computes most of them with trec_eval, whose rules they mean here: equal scores are ordered by id,
a topic without relevant documents scores 0. rel= is the level of the whole evaluation, and
judged_only=True is unjudged=exclude.
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName

_row = partial(PeerName, "ir_measures")
_RULES = "ties=trec,undefined=0"
_SMALLEST = "of equal scores the smallest id is first there, and the largest here, as in trec_eval"
_WITHOUT = "we do not have it; write"


def _of_subtopics(name: str, ours: str, option: str = "", ideal: str = "") -> tuple[PeerName, ...]:
    """The rows of a measure of diversity, which pyndeval computes there."""
    plain = f"concept.{ours}@{{k}}({ideal}{_RULES})"
    rows = [_row(f"{name}@{{k}}", searches=plain, differs=_SMALLEST)]
    if option:
        chosen = f"concept.{ours}@{{k}}({option},{ideal}{_RULES})"
        rows.append(_row(f"{name}@{{k}}({option})", searches=chosen, differs=_SMALLEST))
    return tuple(rows)


IR_MEASURES: tuple[PeerName, ...] = (
    _row("AP|MAP", searches=f"concept.AP({_RULES})"),
    _row("AP@{k}|MAP@{k}", searches=f"concept.AP@{{k}}({_RULES})"),
    _row("nDCG|NDCG|nDCG(dcg=log2)", searches=f"concept.nDCG({_RULES})"),
    _row("nDCG@{k}|NDCG@{k}|nDCG@{k}(dcg=log2)", searches=f"concept.nDCG@{{k}}({_RULES})"),
    _row("nDCG(dcg=exp-log2)", searches=f"concept.nDCG(gain=exponential,{_RULES})"),
    _row("nDCG@{k}(dcg=exp-log2)", searches=f"concept.nDCG@{{k}}(gain=exponential,{_RULES})"),
    _row("P@{k}|Precision@{k}", searches=f"concept.P@{{k}}({_RULES})"),
    _row("R@{k}|Recall@{k}", searches=f"concept.R@{{k}}({_RULES})"),
    _row("RR|MRR", searches=f"concept.RR({_RULES})"),
    _row("RR@{k}|MRR@{k}", searches=f"concept.RR@{{k}}({_RULES})", differs=_SMALLEST),
    _row("Rprec|RPrec", searches=f"concept.RP({_RULES})"),
    _row("Bpref|BPref", searches=f"concept.bpref({_RULES})"),
    _row("infAP", searches=f"concept.infAP({_RULES})"),
    _row("SetP", searches="concept.P(undefined=0)"),
    _row("SetR", searches="concept.R(undefined=0)"),
    _row("SetF", searches="concept.F(undefined=0)"),
    _row(
        "SetF(beta={beta})", advice="trec_eval's beta is not squared; write concept.F(beta=1.414)"
    ),
    _row("SetAP|SetRelP", advice=f"{_WITHOUT} SetP and SetR"),
    _row("Success@{k}", searches=f"concept.success@{{k}}({_RULES})"),
    _row(
        "IPrec@{recall}",
        searches=f"concept.P_at_recall(recall={{recall}},{_RULES})",
        differs="a recall level asks for ⌈level·R⌉ documents here, for int(level·R + .9) there",
    ),
    _row(
        "Judged@{k}",
        searches=f"concept.judged@{{k}}({_RULES})",
        differs=f"divided by k here, by the length of shorter lists there; {_SMALLEST}",
    ),
    _row("ERR", searches=f"concept.ERR({_RULES})"),
    _row(
        "ERR@{k}",
        searches=f"concept.ERR@{{k}}({_RULES})",
        differs="grades count relative to the largest of the truth here, to 4 in gdeval",
    ),
    _row("RBP", searches=f"concept.RBP(gain=graded,{_RULES})", differs="see rbp of trec_eval"),
    _row("RBP(p={p})", searches=f"concept.RBP(gain=graded,p={{p}},{_RULES})"),
    _row("RBP@{k}|RBP@{k}(p={p})", advice=f"{_WITHOUT} RBP, whose tail counts little"),
    *_of_subtopics("alpha_nDCG", "alpha_nDCG", "alpha={alpha}"),
    *_of_subtopics("α_nDCG", "alpha_nDCG", "alpha={alpha}"),
    *_of_subtopics("alpha_DCG", "alpha_nDCG", "alpha={alpha}", "ideal=independent,"),
    *_of_subtopics("α_DCG", "alpha_nDCG", "alpha={alpha}", "ideal=independent,"),
    *_of_subtopics("ERR_IA", "ERR_IA"),
    *_of_subtopics("nERR_IA", "ERR_IA", ideal="ideal=greedy,"),
    _row(
        "NRBP|nNRBP|AP_IA|MAP_IA|P_IA@{k}|StRecall@{k}|"
        "alpha_nDCG|α_nDCG|alpha_DCG|α_DCG|ERR_IA|nERR_IA",
        advice="we do not have it; for judgements of subtopics write alpha_nDCG@20 or ERR_IA@20",
    ),
    _row(
        "Accuracy|Accuracy@{k}",
        advice=f"{_WITHOUT} concept.AUC, the chance that a relevant document outranks another",
    ),
    _row("NumQ|NumRel|NumRet|NumRelRet", advice="counts are printed by --style trec -m num_q …"),
    _row(
        "Compat|BPM|INST|INSQ|SDCG|SDCG@{k}|NERR8@{k}|NERR9@{k}|NERR10|NERR11",
        advice=f"{_WITHOUT} RBP, ERR or nDCG, which model a reader as well",
    ),
    _row("P|R|Success|Precision|Recall|Judged|IPrec", advice="it needs a cutoff; write P@10, say"),
)
